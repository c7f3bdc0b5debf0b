#!/usr/bin/env python3
"""Draws samples of the corpus that results are measured on: to watch in experiment.py, never to
train on.

    python3 corpus_samples.py --corpus DIR --out FOLDER
"""
import argparse
import glob
import json
import os

import numpy as np

import evaluate
import samples


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--corpus', required=True)
    ap.add_argument('--out', required=True)
    o = ap.parse_args()
    samples.FIELDS = 12
    for kind in ('luma', 'chroma'):
        os.makedirs(os.path.join(o.out, kind), exist_ok=True)
    for path in sorted(glob.glob(os.path.join(o.corpus, 'A_*_tff.y4m'))):
        case = os.path.basename(path)[2:-4]
        if '_420_' not in case:
            continue
        truth = os.path.join(o.corpus, f"gt_{case.split('_420')[0]}_420.y4m")
        planes, targets = evaluate.read_y4m(path)[1], evaluate.read_y4m(truth)[1]
        r = np.random.default_rng(1)
        for kind, part, wanted in (('luma', slice(0, 1), 60000), ('chroma', slice(1, 3), 40000)):
            table = samples.sample(planes[part], targets[part], kind, wanted, False, r)
            out = os.path.join(o.out, kind, case)
            np.save(out + '.npy', table)
            json.dump(dict(name=case, source=case, group='T', kind='test', low='lpf' in case),
                      open(out + '.json', 'w'))


if __name__ == '__main__':
    main()
