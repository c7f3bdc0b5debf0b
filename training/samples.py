#!/usr/bin/env python3
"""Draws training samples of `balanced` from the clips: inputs and the error of bwdif.

    python3 samples.py --cache CACHE --out FOLDER [--only TEXT] [--wide]

FOLDER/luma/NAME.npy and FOLDER/chroma/NAME.npy: int16 [samples, inputs + 2], the last columns are
1 for a static sample (gate.py) and the target minus bwdif's value. NAME.low is the clip with a
low-passed input. `--wide` adds the columns for experiments.
"""
import argparse
import json
import os
import zlib

import numpy as np

import clips
import features as ft
import gate

LUMA, CHROMA = 40000, 24000  # samples of a clip
FIELDS = 4                   # fields of a clip that samples come from


def sample(planes, targets, kind, wanted, wide, r):
    """Samples of planes that belong together; kind: luma or chroma."""
    parts = []
    for plane, target in zip(planes, targets):
        fields = ft.Fields(plane)
        times = np.unique(np.linspace(2, fields.count - 3, FIELDS).astype(int))
        share = wanted / (len(planes) * len(times) * fields.h * fields.w / 2)
        for t in times:
            y, B, F = ft.table(fields, t, wide)
            static = gate.static(fields, t, F[ft.STATIC], F[ft.COMB], kind).reshape(1, -1)
            error = (target[t][y].astype(np.int16) - B).reshape(1, -1)
            pick = np.flatnonzero(r.random(error.shape[1]) < share)
            parts.append(np.concatenate([F.reshape(len(F), -1)[:, pick], static[:, pick],
                                         error[:, pick]]).T)
    return np.concatenate(parts)


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--cache', required=True)
    ap.add_argument('--out', required=True)
    ap.add_argument('--only')
    ap.add_argument('--wide', action='store_true')
    o = ap.parse_args()
    for kind in ('luma', 'chroma'):
        os.makedirs(os.path.join(o.out, kind), exist_ok=True)
    for clip in json.load(open(os.path.join(o.cache, 'index.json'))):
        name = clip['name']
        if o.only and o.only not in name:
            continue
        for low in (False, True) if not clip['input'] else (False,):
            out = name + '.low' * low
            if os.path.exists(os.path.join(o.out, 'chroma', out + '.json')) and not o.only:
                continue
            given, target = clips.load(o.cache, name, low)
            r = np.random.default_rng(zlib.crc32(out.encode()))
            few = .5 if low else 1
            for kind, part, wanted in (('luma', slice(0, 1), LUMA),
                                       ('chroma', slice(1, 3), CHROMA)):
                if clip['kind'] in clips.CHROMA_ONLY and kind == 'luma':
                    continue
                table = sample(given[part], target[part], kind, wanted * few, o.wide, r)
                np.save(os.path.join(o.out, kind, out + '.npy'), table)
                json.dump(dict(clip, low=low, samples=len(table)),
                          open(os.path.join(o.out, kind, out + '.json'), 'w'))
            print(out, len(table), flush=True)


if __name__ == '__main__':
    main()
