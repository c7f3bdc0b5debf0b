#!/usr/bin/env python3
"""Samples of the fusion networks of `best`, and scores of the whole deinterlacer.

    python3 dump.py --cache CACHE --out FOLDER --plane luma --spatial FILE [--luma FILE]
    python3 dump.py --cache CACHE --out FOLDER --plane chroma --spatial FILE --luma FILE

FOLDER/NAME.npy: int16 [samples, 64], see model.py. FOLDER/NAME.json: the clip and its scores. The
recursion uses the networks given; without --luma (--chroma) the spatial picture is the reference.
With --score no samples are written, only FOLDER/scores.txt.
"""
import argparse
import json
import os
import zlib
from multiprocessing import Pool

import numpy as np

import model
import clips


def stretched(plane):
    """Chroma 4:2:0 made 4:2:2 by linear interpolation of lines."""
    a = plane.astype(np.uint16)
    up = np.concatenate([a[:, :1], a[:, :-1]], 1)
    down = np.concatenate([a[:, 1:], a[:, -1:]], 1)
    out = np.empty((len(a), 2 * a.shape[1], a.shape[2]), np.uint8)
    out[:, 0::2] = (up + 3 * a + 2) >> 2
    out[:, 1::2] = (3 * a + down + 2) >> 2
    return out


def load(o, clip, kind):
    """(woven luma, woven chroma or None, truth) of a variant of a clip."""
    given, target = clips.load(o.cache, clip['name'], kind == 'low')
    frames = min(len(given[0]), len(target[0]) // 2, (o.fields + 6) // 2)
    given, target = [p[:frames] for p in given], [p[:2 * frames] for p in target]
    if o.plane == 'luma':
        return given[0], None, target[0]
    if kind == 'stretched':
        given = [given[0]] + [clips.weave(stretched(p)) for p in target[1:]]
        target = [target[0]] + [stretched(p) for p in target[1:]]
    part = 1 + zlib.crc32(clip['name'].encode()) % 2
    return given[0], given[part], target[part]


def job(task):
    o, clip, kind = task
    name = clip['name'] + ('.' + kind if kind else '')
    path = os.path.join(o.out, name)
    networks = [model.flat(f) for f in (o.spatial, o.luma, o.chroma)]
    luma, chroma, truth = load(o, clip, kind)
    wanted = 0 if o.score else o.samples // (2 if kind else 1)
    seed = zlib.crc32(f'{name} {o.seed}'.encode())
    table, scores = model.run(networks, luma, truth, chroma, wanted, o.first, None, seed)
    info = dict(clip, low=kind == 'low', label=name, scores=scores)
    if not o.score:
        np.save(path + '.npy', table)
        json.dump(info, open(path + '.json', 'w'))
    return info


def variants(o):
    """(clip, variant) of all samples."""
    for clip in json.load(open(os.path.join(o.cache, 'index.json'))):
        if o.only and o.only not in clip['name']:
            continue
        if clip['kind'] in clips.CHROMA_ONLY and o.plane == 'luma':
            continue
        yield clip, ''
        if not clip['input'] and o.low:
            yield clip, 'low'
        if not clip['input'] and o.plane == 'chroma' and clip['kind'] != 'tall':
            yield clip, 'stretched'


def gain(scores):
    """Gain over bwdif in dB."""
    n = scores['samples']
    return 10 * np.log10((scores['bwdif'] / n + .01) / (scores['error'] / n + .01))


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('cache', 'out', 'spatial'):
        ap.add_argument('--' + name, required=True)
    ap.add_argument('--luma')
    ap.add_argument('--chroma')
    ap.add_argument('--plane', choices=('luma', 'chroma'), required=True)
    ap.add_argument('--samples', type=int, default=10000, help='of a clip')
    ap.add_argument('--first', type=int, default=4, help='fields before it are not sampled')
    ap.add_argument('--fields', type=int, default=14)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--low', type=int, default=1, help='0: no low-passed clips')
    ap.add_argument('--every', type=int, default=1, help='N: every Nth clip and variant')
    ap.add_argument('--all', default='', help='kinds of clips of which --every takes all')
    ap.add_argument('--only')
    ap.add_argument('--score', action='store_true')
    o = ap.parse_args()
    os.makedirs(o.out, exist_ok=True)
    model.library()
    with Pool(o.jobs) as pool, open(os.path.join(o.out, 'scores.txt'), 'w') as log:
        tasks = [(o, clip, kind) for i, (clip, kind) in enumerate(variants(o))
                 if i % o.every == 0 or clip['kind'] in o.all.split(',')]
        infos = pool.map(job, tasks, chunksize=1)
        log.write('clip, group, bwdif mse, gain over bwdif (dB), gain of S, ripple, true ripple\n')
        for i in infos:
            s, n = i['scores'], i['scores']['samples']
            smooth = max(1, s['smooth'])
            log.write(f"{i['label']:28s} {i['group']} {s['bwdif'] / n:8.2f} {gain(s):+6.2f} "
                      f"{10 * np.log10((s['bwdif'] + .01) / (s['spatial'] + .01)):+6.2f} "
                      f"{s['ripple'] / smooth:5.2f} {s['true ripple'] / smooth:5.2f}\n")
        gains = np.array([gain(i['scores']) for i in infos])
        smooth, ripple, true = (np.array([i['scores'][k] for i in infos]).sum()
                                for k in ('smooth', 'ripple', 'true ripple'))
        text = (f'{len(gains)} clips: mean gain {gains.mean():+.3f}, below -0.1: '
                f'{(gains < -.1).sum()}, ripple {ripple / smooth:.3f} of {true / smooth:.3f}')
        log.write(text + '\n')
        print(text)


if __name__ == '__main__':
    main()
