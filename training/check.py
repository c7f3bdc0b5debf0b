#!/usr/bin/env python3
"""Tests of the training code, without clips.

    python3 check.py [--luma FILE --chroma FILE --vectors FILE --log FILE] [--best FOLDER]

1. The inputs of whole pictures agree with a sample-by-sample computation on random clips.
2. Inference agrees with plain loops over integers.
3. With files: the vectors agree with the networks, and the log has the networks' checksums.
4. The tests of best/check_best.py; FOLDER has the networks of `best` and their vectors.
"""
import argparse
import hashlib
import os
import sys

import numpy as np

import features as ft
import network

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'best'))
import check_best  # noqa: E402


def slow_inputs(frames, bff, t, y, x):
    """The inputs and bwdif's value of one sample, straight from the definition."""
    n, h, w = frames.shape
    count = 2 * n

    def field(k):
        u = t + k
        if not 0 <= u < count:
            u = t - k if k in (-1, 1) else t
        return u

    def at(k, yy, xx):
        if h == 1:
            yy = 0
        while yy < 0:
            yy += 2
        while yy >= h:
            yy -= 2
        return int(frames[field(k) >> 1, yy, min(max(xx, 0), w - 1)])

    def clip8(v):
        return min(max(v, 0), 255)

    c, e, c3, e3 = at(0, y - 1, x), at(0, y + 1, x), at(0, y - 3, x), at(0, y + 3, x)
    P, N = at(-1, y, x), at(1, y, x)
    Pm, Pp, Nm, Np = at(-1, y - 2, x), at(-1, y + 2, x), at(1, y - 2, x), at(1, y + 2, x)
    far = at(-1, y - 4, x) + at(-1, y + 4, x) + at(1, y - 4, x) + at(1, y + 4, x)
    Qc, Qe, Rc, Re = at(-2, y - 1, x), at(-2, y + 1, x), at(2, y - 1, x), at(2, y + 1, x)
    d, t0 = (P + N) >> 1, abs(P - N)
    D = max(t0 >> 1, (abs(Qc - c) + abs(Qe - e)) >> 1, (abs(Rc - c) + abs(Re - e)) >> 1)
    s = (5077 * (c + e) - 981 * (c3 + e3)) >> 13
    m = (((5570 * (P + N) - 3801 * (Pm + Nm + Pp + Np) + 1016 * far) >> 2)
         + 4309 * (c + e) - 213 * (c3 + e3)) >> 13
    b, g, dc, de = ((Pm + Nm) >> 1) - c, ((Pp + Np) >> 1) - e, d - c, d - e
    hi, lo = max(de, dc, min(b, g)), min(de, dc, max(b, g))
    D2 = max(D, lo, -hi) if D else 0
    B = clip8(min(max(m if abs(c - e) > t0 else s, d - D2), d + D2)) if D else d
    v = [at(0, y + row, x + i) - B for row in (-1, 1) for i in (-1, 0, 1)]
    v += [c3 - B, e3 - B, P - B, N - B, ((Pm + Nm + Pp + Np + 2) >> 2) - B,
          ((Qc + Qe + Rc + Re + 2) >> 2) - B, ((P + N + 1) >> 1) - B, clip8(s) - B, clip8(m) - B,
          abs(P - N), abs(c - e)]

    def five(f):
        return sum(f(x + i) for i in range(-2, 3))

    def fifth(a):
        return (a * 13107 + 32768) >> 16
    v.append(max(
        five(lambda i: abs(at(-1, y - 2, i) - at(1, y - 2, i)) + 2 * abs(at(-1, y, i) - at(1, y, i))
             + abs(at(-1, y + 2, i) - at(1, y + 2, i))) >> 3,
        *(fifth(five(lambda i: abs(at(k, y - 1, i) - at(0, y - 1, i))
                     + abs(at(k, y + 1, i) - at(0, y + 1, i)))) for k in (-2, 2))))
    v.append(fifth(five(lambda i: abs(at(-1, y, i) + at(1, y, i) - at(0, y - 1, i)
                                      - at(0, y + 1, i)) >> 1)))
    best = min((sum(abs(at(0, y - 1, i + j) - at(0, y + 1, i - j)) for i in range(x - 2, x + 3))
                + 2 * abs(j), k, j) for k, j in enumerate(ft.ORDER))
    j = best[2]
    v += [((at(0, y - 1, x + j) + at(0, y + 1, x - j) + 1) >> 1) - B, best[0] >> 1,
          five(lambda i: abs(at(0, y - 1, i) - at(0, y + 1, i))) >> 1]
    best = None
    for j, k in [(j, 0) for j in ft.ORDER] + [(0, -2), (0, 2)]:
        cost = 3 * abs(j) + 3 * abs(k) + sum(
            weight * abs(at(-1, y + k + row, i + j) - at(1, y - k + row, i - j))
            for i in range(x - 3, x + 4) for row, weight in ((-2, 1), (0, 2), (2, 1)))
        if best is None or cost < best[0]:
            best = cost, j, k
    cost, j, k = best
    v += [((at(-1, y + k, x + j) + at(1, y - k, x - j) + 1) >> 1) - B, cost >> 4]
    zero = sum(weight * abs(at(-1, y + row, i) - at(1, y + row, i))
               for i in range(x - 3, x + 4) for row, weight in ((-2, 1), (0, 2), (2, 1)))
    # The order of the inputs: values, then costs.
    return v[:15] + [v[19], v[22]] + v[15:19] + v[20:22] + [v[23], zero >> 4, D2], B


def check_inputs():
    r = np.random.default_rng(4)
    done = 0
    for trial in range(60):
        n, h, w = int(r.integers(1, 5)), int(r.integers(1, 14)), int(r.integers(1, 20))
        frames = r.integers(0, 256, (n, h, w)).astype(np.uint8)
        if trial % 3 == 1:
            frames = (frames // 64 + 100).astype(np.uint8)
        if trial % 3 == 2:
            frames[1:] = frames[:1]
        bff = bool(trial & 1)
        fields = ft.Fields(frames, bff)
        for t in range(2 * n):
            rows, B, F = ft.table(fields, t)
            for _ in range(3):
                if not len(rows):
                    continue
                i, x = int(r.integers(len(rows))), int(r.integers(w))
                expected, value = slow_inputs(frames, bff, t, int(rows[i]), x)
                got = F[:, i, x].tolist()
                same = (got, int(B[i, x])) == (expected, value)
                assert same, (trial, t, rows[i], x, got, expected)
                done += 1
    print(done, 'samples of inputs agree')


def slow_infer(q, x):
    def top(v):
        return min(max(v, 0), network.TOP)
    h1 = [top((int(b) + sum(int(a) * v for a, v in zip(row, x))) >> 9)
          for row, b in zip(q['w1'], q['b1'])]
    h2 = [top((int(b) + sum(int(a) * v for a, v in zip(row, h1)) + 2048) >> 12)
          for row, b in zip(q['w2'], q['b2'])]
    s = int(q['b3'][0]) + sum(int(a) * v for a, v in zip(q['w3'], h2))
    return (s + sum(int(a) * v for a, v in zip(q['skip'], x)) + 4096) >> 13


def check_network():
    r = np.random.default_rng(5)
    q = dict(w1=r.integers(-3000, 3000, (8, 25)), b1=r.integers(-90000, 90000, 8),
             w2=r.integers(-3000, 3000, (4, 8)), b2=r.integers(-90000, 90000, 4),
             w3=r.integers(-900, 900, 4), b3=r.integers(-9000, 9000, 1),
             skip=r.integers(-3000, 3000, 25))
    x = r.integers(-255, 256, (25, 300))
    assert network.infer(q, x).tolist() == [slow_infer(q, row) for row in x.T.tolist()]
    print('inference agrees')


def check_files(o):
    lines = open(o.vectors).read().splitlines()
    number = 0
    for plane in ('luma', 'chroma'):
        path = getattr(o, plane)
        q = network.load(path)
        network.check(q)
        rows = [[int(v) for v in line.split()[1:]] for line in lines if line.startswith(plane)]
        rows = np.array(rows)
        assert len(rows) and (network.infer(q, rows[:, :-1].T) == rows[:, -1]).all(), plane
        number += len(rows)
        if o.log:
            digest = hashlib.sha256(open(path, 'rb').read()).hexdigest()
            assert digest in open(o.log).read(), 'checksum of ' + plane
    print(number, 'vectors agree')


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('luma', 'chroma', 'vectors', 'log'):
        ap.add_argument('--' + name)
    ap.add_argument('--best', help='folder of best_*.txt')
    o = ap.parse_args()
    check_inputs()
    check_network()
    if o.vectors:
        check_files(o)
    check_best.main(o.best)


if __name__ == '__main__':
    main()
