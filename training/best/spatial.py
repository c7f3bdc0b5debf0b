#!/usr/bin/env python3
"""Trains the spatial network of `best`.

    python3 spatial.py --cache CACHE --out FOLDER [--widths 16-8] [--seeds 1,2,3] [--fold N]

The network corrects the mean of the lines above and below from 28 samples of one field. FOLDER
gets spatial_SEED.txt and spatial.log.
"""
import argparse
import json
import os
import sys
import zlib

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import clips  # noqa: E402
from stack import Stack  # noqa: E402
from fit import FOLDS, Table, report  # noqa: E402
from fit_numpy import fit  # noqa: E402

FIELDS = 8
# (line, column) of each input relative to the sample; mirrors are permutations of this list.
AT = ([(-3, x) for x in range(-2, 3)] + [(-1, x) for x in range(-4, 5)]
      + [(1, x) for x in range(-4, 5)] + [(3, x) for x in range(-2, 3)])
MIRRORS = [[AT.index((v * y, h * x)) for y, x in AT] for v in (1, -1) for h in (1, -1)]


def sample(given, target, wanted, r):
    """Samples of one clip: [samples, 28 inputs and the target], relative to the mean."""
    parts = []
    count, h, w = target.shape
    for t in r.choice(count // 2 * 2, FIELDS, replace=False):
        field = given[t // 2].astype(np.int16)
        n = wanted // FIELDS
        first = 4 + ((t & 1) == 0)           # missing lines of field t, top field first
        y = first + 2 * r.integers(0, (h - 4 - first) // 2, n)
        x = r.integers(4, w - 4, n)
        mean = (field[y - 1, x] + field[y + 1, x] + 1) >> 1
        rows = [field[y + dy, x + dx] - mean for dy, dx in AT]
        rows.append(target[t][y, x].astype(np.int16) - mean)
        parts.append(np.array(rows).T)
    return np.concatenate(parts).astype(np.int16)


def samples(cache, wanted, low):
    tables, info = [], []
    for clip in json.load(open(os.path.join(cache, 'index.json'))):
        if clip['kind'] in clips.CHROMA_ONLY:
            continue
        for low_pass in (False, True) if low and not clip['input'] else (False,):
            name = clip['name'] + '.low' * low_pass
            given, target = clips.load(cache, clip['name'], low_pass)
            r = np.random.default_rng(zlib.crc32(name.encode()))
            tables.append(sample(given[0], target[0], wanted, r))
            info.append(dict(clip, low=low_pass, label=name))
    return tables, info


def weight(i, zone):
    """The weight of a clip."""
    if i['low']:
        return .25
    family = i['name'].split('_')[0]
    return dict(zone=zone, stripe=2., spokes=2., wheel=2., text=1.5).get(family, 1.)


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--cache', required=True)
    ap.add_argument('--out', required=True)
    ap.add_argument('--widths', default='16-8')
    ap.add_argument('--seeds', default='1,2,3')
    ap.add_argument('--steps', type=int, default=30000)
    ap.add_argument('--rate', type=float, default=3e-3)
    ap.add_argument('--samples', type=int, default=12000)
    ap.add_argument('--zone', type=float, default=7)
    ap.add_argument('--low', action='store_true', help='low-passed clips, too')
    ap.add_argument('--fold', type=int, default=-1, help='leave out a fold of sources')
    ap.add_argument('--tag', default='spatial')
    o = ap.parse_args()
    os.makedirs(o.out, exist_ok=True)
    tables, info = samples(o.cache, o.samples, o.low)
    data = Table(tables, info, MIRRORS)
    weights = np.array([weight(i, o.zone) for i in info])
    out = np.isin([i['source'] for i in info], FOLDS[o.fold]) if o.fold >= 0 else weights < 0
    seeds = [int(s) for s in o.seeds.split(',')]
    n1, n2 = map(int, o.widths.split('-'))
    stack = Stack(seeds, len(AT), n1, n2)
    fit(stack, data, np.where(out, 0, weights), o.steps, rate=o.rate, floor=.2)
    with open(os.path.join(o.out, o.tag + '.log'), 'w') as log:
        report(log, f'spatial {vars(o)}', stack, seeds, data, out, o.out, o.tag)


if __name__ == '__main__':
    main()
