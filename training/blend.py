#!/usr/bin/env python3
"""Blends two networks of equal sizes: blend.py A B SHARE OUT writes A + SHARE * (B - A).

The networks must descend from one another, as by --from of train.py.
"""
import sys

import numpy as np

import network


def main():
    first, second, share, out = sys.argv[1:]
    a, b = network.load(first), network.load(second)
    q = {k: np.rint(a[k] + float(share) * (b[k] - a[k])).astype(np.int64) for k in a}
    network.check(q)
    comment = open(first).readline().lstrip('# ').strip()
    print(network.save(out, q, comment))


if __name__ == '__main__':
    main()
