#!/usr/bin/env python3
"""Trains a fusion network of `best`.

    python3 fusion.py --plane luma --samples FOLDER[,FOLDER] --out FOLDER [--from FILE]

FOLDERs are made by dump.py. One network for each seed: OUT/TAG_SEED.txt, and a log.
"""
import argparse
import glob
import json
import os

import numpy as np

import model
import network
import fit_numpy
from experiment import options
from hard_clips import KINDS
from fit import FOLDS, Table, fit, report
from stack import Stack

FLAT = 2   # a sample is smooth if the true second difference around it is at most this


def mirrors(time):
    """Permutations of the inputs: columns, lines, and (if `time`) past and future swapped."""
    h, v, t = (np.arange(model.INPUTS) for _ in range(3))

    def swap(order, *pairs):
        for a, b in pairs:
            order[a], order[b] = b, a
    swap(h, (0, 2), (3, 5), (9, 11), (14, 16))
    swap(v, (0, 3), (1, 4), (2, 5), (6, 7), (8, 12), (13, 17), (18, 20), (21, 23))
    swap(t, *[(8 + i, 13 + i) for i in range(5)], (18, 21), (19, 22), (20, 23), (24, 25), (38, 39),
         (40, 41), (42, 43), (44, 45), (50, 51), (52, 53))
    result = [np.arange(model.INPUTS), h, v, h[v]]
    return result + [t[m] for m in result] if time else result


def load(folders, smooth):
    """Tables of all clips, without static samples; the column RIPPLE becomes the weight of a
    sample (16: 1)."""
    tables, info = {}, {}
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, '*.json'))):
            name = os.path.basename(path)[:-5]
            table = np.load(os.path.join(folder, name + '.npy'))
            table = table[table[:, model.STILL] == 0]
            if len(table) < 100:
                continue
            rough = table[:, model.RIPPLE]
            table[:, model.RIPPLE] = np.where(rough <= FLAT, int(16 * smooth), 16)
            tables.setdefault(name, []).append(table)
            info[name] = json.load(open(path))
    names = sorted(tables)
    return [np.concatenate(tables[n]) for n in names], [info[n] for n in names]


def clip_weight(i, o):
    family = i['name'].split('_')[0]
    w = dict(zone=o.zone, stripe=2., spokes=3., wheel=2., text=1.5, tall=o.tall).get(family, 1.)
    if i['kind'] in KINDS:
        w *= o.hard * o.kinds.get(i['kind'], 1.)
    if i['name'].endswith(('_crop', '_pal')):
        w *= o.native
    w *= o.low if i['low'] else 1
    return w * (o.stretched if i['label'].endswith('.stretched') else 1)


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--samples', required=True)
    ap.add_argument('--plane', choices=('luma', 'chroma'), required=True)
    ap.add_argument('--out', required=True)
    ap.add_argument('--tag')
    ap.add_argument('--widths', default='8-4')
    ap.add_argument('--seeds', default='1,2,3')
    ap.add_argument('--steps', type=int, default=30000)
    ap.add_argument('--batch', type=int, default=4096)
    ap.add_argument('--rate', type=float, default=3e-3)
    ap.add_argument('--mix', type=float, default=.5)
    ap.add_argument('--boost', type=float, default=0)
    ap.add_argument('--margin', type=float, default=.3)
    ap.add_argument('--most', type=float, default=8)
    ap.add_argument('--smooth', type=float, default=1, help='weight of smooth samples')
    ap.add_argument('--zone', type=float, default=4)
    ap.add_argument('--low', type=float, default=.5)
    ap.add_argument('--tall', type=float, default=1)
    ap.add_argument('--stretched', type=float, default=.5)
    ap.add_argument('--hard', type=float, default=1, help='weight of the clips of hard_clips.py')
    ap.add_argument('--native', type=float, default=1, help='weight of natural clips that are not '
                    'scaled down')
    ap.add_argument('--kinds', default='', help='weights of their kinds, for example rain=2,spin=3')
    ap.add_argument('--time', type=int, default=0, help='1: swap past and future, too')
    ap.add_argument('--fold', type=int, default=-1, help='leave out a fold of sources')
    ap.add_argument('--numpy', action='store_true', help='the trainer of fit_numpy.py')
    ap.add_argument('--from', dest='start', help='start from this network')
    ap.add_argument('--hold', type=float, help='dB that clips but those of hard_clips.py may lose '
                    'against the network of --from: their margin for --boost')
    ap.add_argument('--against', help='the network that --hold means instead')
    o = ap.parse_args()
    tag = o.tag or o.plane
    o.kinds = options(o.kinds)
    os.makedirs(o.out, exist_ok=True)
    tables, info = load(o.samples.split(','), o.smooth)
    data = Table(tables, info, mirrors(o.time))
    del tables
    weights = np.array([clip_weight(i, o) for i in info])
    out = np.isin([i['source'] for i in info], FOLDS[o.fold]) if o.fold >= 0 else weights < 0
    seeds = [int(s) for s in o.seeds.split(',')]
    stack = Stack(seeds, model.INPUTS, *map(int, o.widths.split('-')))
    if o.start:
        stack.start(network.load(o.start))
    margin = o.margin
    if o.hold is not None:
        held = Stack(seeds[:1], model.INPUTS, *map(int, o.widths.split('-')))
        held.start(network.load(o.against or o.start))
        least = np.minimum(data.base, data.theirs)
        gain = 10 * np.log10((least + .02) / (data.errors(held)[0] + .02))
        margin = np.where([i['kind'] in KINDS for i in info], o.margin, gain - o.hold)
    trainer = fit_numpy.fit if o.numpy else fit
    trainer(stack, data, np.where(out, 0, weights), o.steps, rate=o.rate, batch=o.batch, floor=.05,
            mix=o.mix, boost=o.boost, margin=margin, most=o.most)
    with open(os.path.join(o.out, tag + '.log'), 'w') as log:
        report(log, f'{o.plane} {vars(o)}', stack, seeds, data, out, o.out, tag)


if __name__ == '__main__':
    main()
