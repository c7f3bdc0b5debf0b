#!/usr/bin/env python3
"""Scores the networks of `best` on a corpus, beside bwdif.

    python3 corpus.py --corpus DIR --spatial FILE --luma FILE [--chroma FILE] [--only TEXT]

DIR has A_NAME_420_tff.y4m with gt_NAME_420.y4m, and so for 422 and 420_lpf; 8 bits, top field
first. PSNR comes from the mean squared error of all samples of all fields but four at both ends.
"""
import argparse
import glob
import os

import numpy as np

import model
from evaluate import read_y4m


def psnr(error, samples):
    # The lines of the field have no error.
    return 10 * np.log10(65025 / max(error / (2 * samples), 1e-10))


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('corpus', 'spatial', 'luma'):
        ap.add_argument('--' + name, required=True)
    ap.add_argument('--chroma')
    ap.add_argument('--only', default='')
    o = ap.parse_args()
    networks = [model.flat(f) for f in (o.spatial, o.luma, o.chroma)]
    total = {}
    for path in sorted(glob.glob(os.path.join(o.corpus, 'A_*_tff.y4m'))):
        name = os.path.basename(path)[2:-8]
        clip = name.replace('_lpf', '')
        truth = os.path.join(o.corpus, f'gt_{clip}.y4m')
        if 'p10' in name or o.only not in name or not os.path.exists(truth):
            continue
        _, given = read_y4m(path)
        _, target = read_y4m(truth)
        fields = 2 * len(given[0])
        skip = 2 if fields <= 10 else 4
        line = f'{name:22s}'
        for p in range(3 if o.chroma else 1):
            _, s = model.run(networks, given[0], target[p], given[p] if p else None, 0, skip,
                             fields - skip)
            ours, theirs = (psnr(s[k], s['samples']) for k in ('error', 'bwdif'))
            line += f" {'YUV'[p]} {ours:6.2f} (bwdif {theirs:6.2f}, {ours - theirs:+5.2f})"
            if not p:
                line += (f" S {psnr(s['spatial'], s['samples']):6.2f} ripple "
                         f"{s['ripple'] / max(1, s['smooth']):.2f} of "
                         f"{s['true ripple'] / max(1, s['smooth']):.2f}")
            kind = 'lpf' if '_lpf' in name else name.split('_')[-1]
            total.setdefault((kind, 'YUV'[p]), []).append((ours, theirs))
        print(line, flush=True)
    for (kind, p), v in total.items():
        ours, theirs = np.mean(v, 0)
        print(f'mean {kind} {p} {ours:.3f} (bwdif {theirs:.3f}, {ours - theirs:+.3f}), worst '
              f'{min(a - b for a, b in v):+.2f}')


if __name__ == '__main__':
    main()
