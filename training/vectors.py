#!/usr/bin/env python3
"""Writes test vectors: rows of inputs and the correction that a network makes of them.

    python3 vectors.py --samples FOLDER --luma FILE --chroma FILE --out FILE [--rows N]

A line is `luma` or `chroma`, the inputs, and the correction. Extreme inputs are among them.
"""
import argparse
import glob
import os

import numpy as np

import network
from evaluate import COLUMNS


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('samples', 'luma', 'chroma', 'out'):
        ap.add_argument('--' + name, required=True)
    ap.add_argument('--rows', type=int, default=100)
    o = ap.parse_args()
    r = np.random.default_rng(9)
    lines = ['# plane, inputs, correction: made by training/vectors.py']
    for plane in ('luma', 'chroma'):
        q = network.load(getattr(o, plane))
        rows = []
        files = sorted(glob.glob(os.path.join(o.samples, plane, '*.npy')))
        for path in r.choice(files, o.rows - 20, replace=False):
            table = np.load(path, mmap_mode='r')
            rows.append(table[r.integers(len(table))][COLUMNS])
        rows += list(r.integers(-255, 256, (10, len(COLUMNS))))
        rows += list(r.choice([-255, 255], (8, len(COLUMNS))))
        rows += [np.full(len(COLUMNS), 255), np.zeros(len(COLUMNS), int)]
        rows = np.array(rows).T
        for row, value in zip(rows.T.tolist(), network.infer(q, rows).tolist()):
            lines.append(' '.join(map(str, [plane] + row + [value])))
    with open(o.out, 'w') as f:
        f.write('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
