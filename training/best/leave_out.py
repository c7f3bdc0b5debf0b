#!/usr/bin/env python3
"""Trains fusion networks of `best` without some sources and scores them on those sources.

    python3 leave_out.py --plane luma --samples FOLDER --out FILE [--steps 8000] [--folds]

Each source is left out alone; with --folds, five groups of sources are left out in turn.

All networks start from the same values and see the same choice of samples. The references in the
samples come from networks that were trained on all sources.
"""
import argparse

import numpy as np

import fusion
import model
from fit import FOLDS, Table, fit, means
from stack import Stack


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('plane', 'samples', 'out'):
        ap.add_argument('--' + name, required=True)
    ap.add_argument('--widths', default='8-4')
    ap.add_argument('--steps', type=int, default=8000)
    ap.add_argument('--batch', type=int, default=4096)
    ap.add_argument('--share', type=float, default=.3, help='share of the samples to use')
    ap.add_argument('--boost', type=float, default=0)
    ap.add_argument('--margin', type=float, default=.3)
    ap.add_argument('--folds', action='store_true')
    for name, value in (('zone', 4), ('low', .5), ('tall', 1), ('stretched', .5), ('smooth', 1),
                        ('hard', 1)):
        ap.add_argument('--' + name, type=float, default=value)
    o = ap.parse_args()
    o.kinds = {}
    tables, info = fusion.load(o.samples.split(','), o.smooth)
    tables = [t[:max(100, int(len(t) * o.share))] if len(t) > 100 else t for t in tables]
    data = Table(tables, info, fusion.mirrors(False))
    whole = np.array([fusion.clip_weight(i, o) for i in info])
    sources = np.array([i['source'] for i in info])
    names = sorted(set(sources))
    folds = FOLDS if o.folds else [(n,) for n in names]
    weights = np.array([whole] + [np.where(np.isin(sources, f), 0, whole) for f in folds])
    stack = Stack([1] * len(weights), model.INPUTS, *map(int, o.widths.split('-')))
    fit(stack, data, weights, o.steps, batch=o.batch, floor=.05, boost=o.boost, margin=o.margin,
        paired=True)
    errors = data.errors(stack)
    gain = 10 * np.log10((data.theirs + .02) / (errors + .02))
    kept = np.empty(len(info))
    with open(o.out, 'w') as log:
        def line(text):
            print(text, flush=True)
            log.write(text + '\n')
        line(f'{vars(o)}: {len(data.table)} samples of {len(info)} clips')
        line('source left out: clips, mean gain over bwdif in dB, worst clip; trained on all')
        for name in names:
            k = 1 + next(i for i, f in enumerate(folds) if name in f)
            m = sources == name
            kept[m] = gain[k, m]
            worst = np.flatnonzero(m)[gain[k, m].argmin()]
            line(f"{name:10s} {info[worst]['group']} {m.sum():3d}  {gain[k, m].mean():+.2f}  "
                 f"{gain[k, worst]:+.2f} ({info[worst]['label']})  {gain[0, m].mean():+.2f}")
        generated = np.array([i['group'] == 'G' for i in info])
        for title, m in (('natural', ~generated), ('generated', generated)):
            line(f'{title}, left out: {means(kept, info, m)}')
            line(f'{title}, trained on: {means(gain[0], info, m)}')


if __name__ == '__main__':
    main()
