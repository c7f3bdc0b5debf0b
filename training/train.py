#!/usr/bin/env python3
"""Trains the networks of `balanced` and writes them, with vectors for tests.

    python3 train.py --samples FOLDER --plane luma|chroma --out FOLDER [--groups AG]

One network for each seed; FOLDER/PLANE_SEED.txt, and FOLDER/PLANE.log with the gain over bwdif.
"""
import argparse
import os
import sys

import numpy as np

import network
from data import Data
from experiment import SETS, WEIGHTS, clip_weights, options, summary
from hard_clips import KINDS
from stack import Stack, train

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'best'))
import fit  # noqa: E402

SETTINGS = {
    'luma': dict(columns='all', gate=1, widths='12-4', groups='ABG', steps=30000, options=(
        'zone=5,text=4,native=2,rate=0.01,boost=0.003,margin=1')),
    'chroma': dict(columns='all', gate=0, widths='8-4', groups='AG', steps=22000, options=(
        'zone=4,text=3,native=2,tall=3,floor=0.05,rate=0.012,boost=0.003,margin=0.5')),
}


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--samples', required=True)
    ap.add_argument('--plane', choices=sorted(SETTINGS), required=True)
    ap.add_argument('--out', required=True)
    ap.add_argument('--groups')
    ap.add_argument('--columns')
    ap.add_argument('--widths')
    ap.add_argument('--options')
    ap.add_argument('--share', type=float, default=1)
    ap.add_argument('--gate', type=int, help='1: static samples are not trained')
    ap.add_argument('--steps', type=int)
    ap.add_argument('--batch', type=int, default=4096)
    ap.add_argument('--seeds', default='1,2,3,4')
    ap.add_argument('--from', dest='first', help='start from this network')
    ap.add_argument('--hold', type=float, help='dB that clips but those of hard_clips.py may lose '
                    'against the network of --from: their margin for boost; trains in C')
    ap.add_argument('--against', help='the network that --hold means instead')
    o = ap.parse_args()
    setting = SETTINGS[o.plane]
    columns = SETS[o.columns or setting['columns']]
    n1, n2 = map(int, (o.widths or setting['widths']).split('-'))
    more = options(setting['options'] if o.options is None else o.options)
    seeds = [int(s) for s in o.seeds.split(',')]
    os.makedirs(o.out, exist_ok=True)
    steps = o.steps or setting['steps']
    groups = o.groups or setting['groups']
    data = Data(os.path.join(o.samples, o.plane), columns, groups, o.share,
                setting['gate'] if o.gate is None else o.gate)
    keys = {k: more.pop(k) for k in list(more) if k in WEIGHTS}
    weights = np.tile(clip_weights(data.info, **keys), (len(seeds), 1))
    stack = Stack(seeds, len(columns), n1, n2)
    if o.first:
        stack.start(network.load(o.first))
    if o.hold is None:
        train(stack, data, weights, data.base, steps, batch=o.batch, **more)
    else:
        table = fit.Table([np.concatenate([data.table[:, columns], data.table[:, -1:]], 1)],
                          data.info, data.orders)
        table.starts, table.ends, table.clip = data.starts, data.ends, data.clip
        table.base = table.theirs = data.base
        held = Stack(seeds[:1], len(columns), n1, n2)
        held.start(network.load(o.against or o.first))
        gain = 10 * np.log10((data.base + .02) / (data.errors(held)[0] + .02))
        margin = np.where([i['kind'] in KINDS for i in data.info], more['margin'], gain - o.hold)
        fit.fit(stack, table, weights, steps, batch=o.batch, **dict(more, margin=margin))
    gain = data.gains(data.errors(stack))
    natural = np.array([i['group'] != 'G' for i in data.info])
    with open(os.path.join(o.out, o.plane + '.log'), 'w') as log:
        def line(text):
            print(text, flush=True)
            log.write(text + '\n')
        line(f'{o.plane} columns {columns} widths {n1}-{n2} groups {groups} steps {steps} '
             f'batch {o.batch} {more} {keys}')
        line(f'{len(data.table)} samples of {len(data.base)} clips')
        for i, seed in enumerate(seeds):
            q = network.quantise(stack.take(i))
            path = os.path.join(o.out, f'{o.plane}_{seed}.txt')
            digest = network.save(path, q, f'balanced, {o.plane}: inputs n1 n2; w1, b1, w2, b2, '
                                  'w3, b3, skip')
            line(summary(f'seed {seed}', gain[i], data.info, natural))
            line(summary(f'seed {seed} generated', gain[i], data.info, ~natural))
            line(f'sha256 {digest}')
        line('gain of each clip in dB (bwdif mse in levels), every seed')
        for j, info in enumerate(data.info):
            line(f"{info['label']:24s} {info['group']} {data.base[j]:8.2f} "
                 + ' '.join(f'{g:+.2f}' for g in gain[:, j]))


if __name__ == '__main__':
    main()
