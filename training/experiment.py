#!/usr/bin/env python3
"""Leaves sources out in turn and compares choices: inputs, widths, weights of the training.

    python3 experiment.py --samples FOLDER/luma SPEC [SPEC ...]

SPEC is name:inputs:n1-n2[:key=value,...]; inputs is one of SETS. Keys are those of clip_weights and
of stack.train. All networks of a run share
batches: for each seed, one network trained on everything and one without each fold of sources.
"""
import argparse
import time

import numpy as np

from data import Data
from hard_clips import KINDS
from stack import Stack, train

BASE = list(range(15)) + [15] + list(range(17, 23))
SETS = {
    'all': list(range(26)), 'no24': list(range(24)) + [25],
    'none': BASE, 'T1': BASE + [26, 27], 'T1V': BASE + [16, 23], 'T2': BASE + [28, 29],
    'T1VX': BASE + [16, 23, 30, 31], 'T1VD': BASE + [16, 23, 25],
}
# Sources left out together.
FOLDS = [('bee', 'cups', 'brink', 'text'), ('butterfly', 'board', 'lanes', 'spokes'),
         ('flower', 'editlist', 'palms', 'zone'), ('street', 'karma', 'coffee', 'stripes'),
         ('bunny', 'highway', 'gomax', 'blocks', 'texture')]
GROUP_B = ('board', 'editlist', 'highway', 'lanes', 'karma', 'coffee', 'cups', 'blocks', 'gomax',
           'street')


def options(text):
    result = {}
    for part in filter(None, text.split(',')):
        key, value = part.split('=')
        result[key] = float(value)
    return result


WEIGHTS = ('natural', 'generated', 'low', 'coded', 'text', 'zone', 'near', 'native', 'tall',
           'hard') + KINDS


def clip_weights(info, groups='ABG', natural=1., generated=.5, low=.5, coded=1., text=1., zone=1.,
                 near=1., native=1., tall=1., hard=1., **kinds):
    """The weight of each clip before the division by errors. `hard` is that of all kinds of
    hard_clips.py; each kind may have a factor of its own."""
    w = []
    for i in info:
        v = generated if i['group'] == 'G' else natural
        if i['low']:
            v *= low
        v *= {'coded': coded, 'noise': coded, 'text': text, 'tall': tall,
              'jagged': near}.get(i['kind'], 1)
        v *= hard * kinds.get(i['kind'], 1) if i['kind'] in KINDS else 1
        v *= native if i['name'].endswith(('_crop', '_pal')) else 1
        v *= zone if i['source'] == 'zone' else 1
        w.append(v if i['group'] in groups else 0)
    return np.array(w)


def summary(name, gain, info, mask):
    """One line of figures: gain in dB over the clips of a mask, by kind."""
    kinds = np.array([('low' if i['low'] else i['kind']) for i in info])
    if not mask.any():
        return name + ' no clips'

    def mean(m):
        m = m & mask
        return gain[m].mean() if m.any() else float('nan')
    out = [f'{name:26s} mean {gain[mask].mean():+.3f} worst {gain[mask].min():+.2f}',
           f'below -0.1: {int((gain[mask] < -.1).sum()):3d}']
    for kind in ('natural', 'pan', 'jagged', 'sprite', 'coded', 'low', 'noise', 'text',
                 'pattern') + KINDS:
        out.append(f'{kind} {mean(kinds == kind):+.2f}')
    return ' '.join(out)


def run(o, data, spec, folds):
    """Trains a stack: for every seed a network for each fold. Returns it and the weights' names."""
    _, columns, widths, *rest = spec.split(':')
    more = options(rest[0]) if rest else {}
    n1, n2 = map(int, widths.split('-'))
    data.choose(SETS[columns])
    keys = {k: more.pop(k) for k in list(more) if k in WEIGHTS}
    whole = clip_weights(data.info, **keys)
    sources = data.sources()
    weights = [np.where(np.isin(sources, fold), 0, whole)
               for _ in range(o.seeds) for fold in folds]
    seeds = [100 + seed for seed in range(o.seeds) for _ in folds]
    stack = Stack(seeds, len(SETS[columns]), n1, n2)
    return train(stack, data, np.array(weights), data.base, o.steps, batch=o.batch, **more)


def watch(test, stack, seeds, folds):
    """Prints the gains on clips that are never trained on."""
    gain = test.gains(test.errors(stack)).reshape(seeds, len(folds), -1)
    names = [i['label'].replace('_420', '').replace('_tff', '') for i in test.info]
    plain = ~np.array([i['low'] for i in test.info])
    for title, part in (('test', gain[:, 0]), ('test, without B', gain[:, -1])):
        if title == 'test' or len(folds) > 1:
            for row in part:
                print(title, ' '.join(f'{n} {g:+.2f}' for n, g in zip(names, row)),
                      f'mean {row[plain].mean():+.2f}', flush=True)


def each_source(data, gain, kept):
    """Prints the table of sources left out alone."""
    print('source left out: mean gain over bwdif of its clips in dB and the worst clip, for each '
          'seed; mean when trained on')
    sources = data.sources()
    for source in sorted(set(sources)):
        m = sources == source
        group = data.info[np.flatnonzero(m)[0]]['group']
        worst = np.flatnonzero(m)[kept[:, m].mean(0).argmin()]
        print(f'  {source:10s} {group} {m.sum():3d} clips ', ' '.join(
            f'{row[m].mean():+.2f} ({row[m].min():+.2f})' for row in kept),
            f'trained on: {gain[:, 0, m].mean():+.2f}; worst: {data.info[worst]["label"]}')


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--samples', required=True)
    ap.add_argument('--steps', type=int, default=10000)
    ap.add_argument('--batch', type=int, default=2048)
    ap.add_argument('--seeds', type=int, default=2)
    ap.add_argument('--each', action='store_true',
                    help='leave each source out alone and print a table of them')
    ap.add_argument('--whole', action='store_true', help='leave nothing out')
    ap.add_argument('--share', type=float, default=1, help='share of the samples to use')
    ap.add_argument('--gate', type=int, default=0, help='1: static samples are not trained')
    ap.add_argument('--worst', type=int, default=0, help='list this many worst clips')
    ap.add_argument('--test', help='folder of corpus_samples.py, with /luma or /chroma')
    ap.add_argument('spec', nargs='+')
    o = ap.parse_args()
    data = Data(o.samples, SETS['all'], share=o.share, gate=o.gate)
    test = Data(o.test, SETS['all'], 'T', gate=o.gate) if o.test else None
    sources = data.sources()
    natural = np.array([i['group'] != 'G' for i in data.info])
    folds = [()]
    if o.each:
        folds += [(s,) for s in sorted(set(sources))] + [GROUP_B]
    elif not o.whole:
        folds += FOLDS + [GROUP_B]
    print(len(data.table), 'samples of', len(data.base), 'clips', flush=True)
    for spec in o.spec:
        start = time.time()
        stack = run(o, data, spec, folds)
        gain = data.gains(data.errors(stack)).reshape(o.seeds, len(folds), -1)
        print(f'== {spec} {time.time() - start:.0f} s', flush=True)
        print(summary('seen', gain[:, 0].mean(0), data.info, natural))
        print(summary('seen, generated', gain[:, 0].mean(0), data.info, ~natural), flush=True)
        if test:
            test.choose(SETS[spec.split(':')[1]])
            watch(test, stack, o.seeds, folds)
        if o.whole:
            continue
        kept = np.full((o.seeds, gain.shape[2]), np.nan)
        for f, fold in enumerate(folds[1:-1], 1):
            out = np.isin(sources, fold)
            kept[:, out] = gain[:, f, out]
        print(summary('left out', kept.mean(0), data.info, natural))
        for s in range(o.seeds):
            print(summary(f'left out, seed {s}', kept[s], data.info, natural))
        print(summary('left out, generated', kept.mean(0), data.info, ~natural), flush=True)
        if o.each:
            each_source(data, gain, kept)
        of_b = np.isin(sources, GROUP_B)
        print(summary('B clips, B left out', gain[:, -1].mean(0), data.info, of_b))
        print(summary('B clips, one left out', kept.mean(0), data.info, of_b), flush=True)
        for j in np.argsort(kept.mean(0))[:o.worst]:
            print('   ', data.info[j]['label'], 'bwdif mse %.1f' % data.base[j],
                  kept[:, j].round(2).tolist(), 'seen', gain[:, 0, j].round(2).tolist())


if __name__ == '__main__':
    main()
