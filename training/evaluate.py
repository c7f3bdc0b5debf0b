#!/usr/bin/env python3
"""Scores networks on a corpus with the integer model, beside bwdif.

    python3 evaluate.py --corpus DIR --luma FILE --chroma FILE [--columns LIST] [--step N]

DIR is made by make_corpus.py: DIR/A_NAME_420_tff.y4m with DIR/gt_NAME_420.y4m. PSNR comes from the
mean squared error over all samples of all fields but four at both ends. --step 4 scores every
fourth pair of fields.
"""
import argparse
import glob
import os

import numpy as np

import clips
import features as ft
import gate
import network

# Columns of the shipped networks.
COLUMNS = list(range(ft.INPUTS))


def read_y4m(path):
    """(bottom field first, planes [t, h, w] of 4:2:0 or 4:2:2 at 8 bits)."""
    data = np.memmap(path, np.uint8, 'r')
    end = bytes(data[:200]).index(b'\n')
    tags = {t[:1]: t[1:] for t in bytes(data[:end]).decode().split()[1:]}
    w, h = int(tags['W']), int(tags['H'])
    assert 'p1' not in tags.get('C', '420'), 'more than 8 bits'
    vs = 1 if tags.get('C', '420').startswith('422') else 2
    sizes = [(h, w), (-(-h // vs), -(-w // 2)), (-(-h // vs), -(-w // 2))]
    frame = 6 + sum(a * b for a, b in sizes)
    data = data[end + 1:]
    data = data[:len(data) // frame * frame].reshape(-1, frame)
    at, planes = 6, []
    for a, b in sizes:
        planes.append(data[:, at:at + a * b].reshape(-1, a, b))
        at += a * b
    return tags.get('I', 'p') == 'b', planes


def deinterlace(fields, t, net, columns, plane):
    """(bwdif's picture, ours) of field t."""
    y, B, F = ft.table(fields, t, wide=max(columns) >= ft.INPUTS)
    ours = np.clip(B + network.infer(net, F[columns]), 0, 255)
    if plane:
        static = gate.static(fields, t, F[ft.STATIC], F[ft.COMB], plane)
        ours = np.where(static, (F[8] + F[9] + 2 * B) >> 1, ours)
    return y, B, ours


def psnr(error, count):
    return 10 * np.log10(65025 / max(error / count, 1e-10))


def score(frames, truth, bff, net, columns, plane, step=1, skip=4):
    """PSNR of bwdif and of the network. plane: luma or chroma; None: no sample is static."""
    fields = ft.Fields(frames, bff)
    sums = np.zeros(2)
    count = 0
    for t in range(skip, min(fields.count, len(truth)) - skip):
        if (t // 2) % step:
            continue
        y, B, ours = deinterlace(fields, t, net, columns, plane)
        g = truth[t]
        count += g.size
        kept = frames[t >> 1][fields.parity(t)::2].astype(int) - g[fields.parity(t)::2]
        known = float((kept ** 2).sum())
        g = g[y].astype(int)
        sums += [known + float(((B - g) ** 2).sum()), known + float(((ours - g) ** 2).sum())]
    return psnr(sums[0], count), psnr(sums[1], count)


def figures(row):
    return ' '.join('%s %6.2f -> %6.2f (%+.2f)' % (p, a, b, b - a)
                    for p, a, b in zip('YUV', row[0::2], row[1::2]))


UNSEEN = ('bear480', 'roller540', 'mobile_cif', 'zoneplate', 'credits')


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--corpus', required=True)
    ap.add_argument('--luma', required=True)
    ap.add_argument('--chroma')
    ap.add_argument('--columns', default=','.join(map(str, COLUMNS)))
    ap.add_argument('--gate', type=int, default=1, help='0: no sample is static')
    ap.add_argument('--step', type=int, default=1)
    ap.add_argument('--cases', default='')
    ap.add_argument('--coded', action='store_true',
                    help='code the 4:2:0 clips as MPEG-2, DV, and H.264, and score what is decoded')
    o = ap.parse_args()
    columns = [int(v) for v in o.columns.split(',')]
    nets = [network.load(o.luma)] + [network.load(o.chroma) if o.chroma else None] * 2
    rows = []
    for path in sorted(glob.glob(os.path.join(o.corpus, 'A_*.y4m'))):
        case = os.path.basename(path)[2:-4]
        if '420p1' in case or (o.cases and o.cases not in case):
            continue
        clip = case.split('_42')[0]
        truth = os.path.join(o.corpus, f"gt_{clip}_{'422' if '_422' in case else '420'}.y4m")
        bff, planes = read_y4m(path)
        targets = read_y4m(truth)[1]
        inputs = [(case, planes)]
        if o.coded:
            if not case.endswith('_420_tff'):
                continue
            h, w = planes[0].shape[1:]
            inputs = [(f'{case}_{codec}', clips.code(codec, planes, w, h)) for codec in clips.CODECS
                      if codec != 'dv' or (w, h) == (720, 576)]
        for name, planes in inputs:
            row = [name]
            for k in range(3):
                if nets[k]:
                    row += score(planes[k], targets[k], bff, nets[k], columns,
                                 o.gate and ('chroma' if k else 'luma'), o.step)
            rows.append(row)
            print('%-28s' % row[0], figures(row[1:]), flush=True)
    if o.coded:
        m = np.mean([r[1:] for r in rows], 0)
        print('%-28s' % 'mean', figures(m))
        return
    plain = [r for r in rows if r[0].endswith('420_tff') and 'lpf' not in r[0]]
    unseen = [r for r in plain if r[0].startswith(UNSEEN)]
    for name, part in (('mean', plain), ('mean, never trained on', unseen),
                       ('mean, low-passed', [r for r in rows if 'lpf' in r[0]])):
        if part:
            m = np.mean([r[1:] for r in part], 0)
            print('%-28s' % name, figures(m))


if __name__ == '__main__':
    main()
