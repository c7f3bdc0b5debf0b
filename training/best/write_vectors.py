#!/usr/bin/env python3
"""Writes best_vectors.txt: rows of inputs and the correction that a network makes of them.

    python3 write_vectors.py --networks FOLDER --luma SAMPLES --chroma SAMPLES

FOLDER has best_spatial.txt, best_luma.txt, best_chroma.txt and gets best_vectors.txt. SAMPLES are
folders of dump.py. A line is the network, the inputs, and the correction at 8 bits.
"""
import argparse
import os

import numpy as np

import model
import network

CLIPS = ('nat_bee_down', 'text_0', 'zone_3', 'pan_cups_0')
ROWS = 8   # of each clip


def rows_of(name, folder, inputs, r):
    extreme = [r.choice([-255, 255], (4, inputs)), np.zeros((1, inputs), int)]
    if name == 'spatial':
        return np.concatenate([r.integers(-90, 91, (30, inputs))] + extreme)
    tables = [np.load(os.path.join(folder, clip + '.npy'))[:, :inputs] for clip in CLIPS]
    return np.concatenate([t[r.integers(0, len(t), ROWS)] for t in tables] + extreme)


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('networks', 'luma', 'chroma'):
        ap.add_argument('--' + name, required=True)
    o = ap.parse_args()
    r = np.random.default_rng(4)
    lines = []
    for name, inputs in (('spatial', 28), ('luma', model.INPUTS), ('chroma', model.INPUTS)):
        q = network.load(os.path.join(o.networks, f'best_{name}.txt'))
        network.check(q)
        rows = rows_of(name, getattr(o, name, None), inputs, r).astype(np.int64)
        for row, value in zip(rows.tolist(), network.infer(q, rows.T).tolist()):
            lines.append(' '.join(map(str, [name] + row + [value])))
    with open(os.path.join(o.networks, 'best_vectors.txt'), 'w') as f:
        f.write('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
