"""Tests of the model of `best` and of its training; called by ../check.py.

1. Inputs that `balanced` has, too, agree with features.py.
2. The spatial picture, chosen inputs, and limits agree with plain loops.
3. Compensated pictures of a shifted picture are the picture: the motion search finds the shift.
4. The trainers learn a function; limits of the results.
5. Files: the vectors agree with the networks; the logs have their checksums.
"""
import hashlib
import os

import numpy as np
from scipy import ndimage

import features as ft
import fit
import fit_numpy
import fusion
import gate
import model
import network
from stack import Stack

LOGS = os.path.join(os.path.dirname(model.HERE), 'logs')
NETWORKS = ('spatial', 'luma', 'chroma')


def random_network(r, inputs, n1, n2):
    q = dict(w1=r.integers(-2000, 2000, (n1, inputs)), b1=r.integers(-90000, 90000, n1),
             w2=r.integers(-2000, 2000, (n2, n1)), b2=r.integers(-90000, 90000, n2),
             w3=r.integers(-600, 600, n2), b3=r.integers(-9000, 9000, 1),
             skip=r.integers(-2000, 2000, inputs))
    parts = [[inputs, n1, n2]] + [q[k].ravel() for k in ('w1', 'b1', 'w2', 'b2', 'w3', 'b3',
                                                         'skip')]
    return q, np.concatenate(parts).astype(np.int32)


def noise(r, n, h, w):
    """Woven frames with some structure."""
    a = r.integers(0, 256, (n, h, w)).astype(np.uint8)
    return np.where(r.random((n, 1, w)) < .3, a // 8 + 100, a).astype(np.uint8)


def check_shared_inputs():
    r = np.random.default_rng(1)
    spatial = random_network(r, 28, 8, 4)[1]
    number = 0
    for trial in range(8):
        frames = noise(r, int(r.integers(3, 6)), int(r.integers(4, 40)), int(r.integers(3, 60)))
        count = 2 * len(frames)
        truth = np.repeat(frames, 2, 0)
        # Chroma of 4:4:4: every missing sample makes a record.
        table, _ = model.run((spatial, None, None), frames, truth, frames, 1 << 20, 0, count)
        fields = ft.Fields(frames)
        at = 0
        for t in range(count):
            y, B, F = ft.table(fields, t)
            part = table[at:at + B.size]
            at += B.size
            F = F.reshape(len(F), -1).T
            # The model's inputs and the columns of features.py.
            ours = [0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 30, 46, 47, 55]
            theirs = [ft.NAMES.index(n) for n in (
                'c-', 'c', 'c+', 'e-', 'e', 'e+', 'c3', 'e3', 'P', 'N', 'PN2', 'QR', 'w', 'search',
                '|P-N|', 'static', 'search cost')]
            assert (part[:, ours] == F[:, theirs]).all(), (trial, t)
            still = gate.static(fields, t, F[:, ft.STATIC].reshape(B.shape),
                                F[:, ft.COMB].reshape(B.shape), 'chroma')
            assert (part[:, model.STILL] == still.ravel()).all(), (trial, t)
            assert (part[:, 29] == 0).all() and (part[:, model.BWDIF] == 0).all()
            error = truth[t][y].astype(int) - B
            assert (part[:, model.TARGET] == error.ravel()).all(), (trial, t)
            number += part.size
        assert at == len(table)
    print(number, 'values of best agree with balanced')


def check_gate():
    """The luma's samples are those that are not static, in the order of lines."""
    r = np.random.default_rng(7)
    spatial = random_network(r, 28, 8, 4)[1]
    number = 0
    for trial in range(12):
        h, w = int(r.integers(2, 110)), int(r.integers(3, 200))
        still = r.integers(0, 256, (h, w))
        fields = np.array([still + r.normal(0, trial % 5 + .5, (h, w)) for _ in range(10)])
        if trial % 3:
            y, x = h // 3, w // 2
            fields[:, y:, x:] += r.integers(-90, 90, (10, 1, 1)) * (trial % 3)
        fields = np.clip(np.rint(fields), 0, 255).astype(np.uint8)
        frames = fields[0::2].copy()
        frames[:, 1::2] = fields[1::2, 1::2]
        table, _ = model.run((spatial, None, None), frames, fields, None, 1 << 20, 0, len(fields))
        parts, source = [], ft.Fields(frames)
        for t in range(len(fields)):
            y, B, F = ft.table(source, t)
            static = gate.static(source, t, F[ft.STATIC], F[ft.COMB], 'luma')
            parts.append(F[[17, 18, 19]][:, ~static].T)
            number += static.sum()
        expected = np.concatenate(parts)
        assert (table[:, [46, 47]] == expected[:, [0, 2]]).all(), trial
    print(number, 'static samples agree')


def check_spatial():
    r = np.random.default_rng(2)
    q, data = random_network(r, 28, 6, 3)
    frames = noise(r, 3, 20, 30)
    truth = np.zeros((6, 20, 30), np.uint8)
    _, scores = model.run((data, None, None), frames, truth, None, 0, 2, 3)
    total = 0
    for y in range(1, 20, 2):                 # field 2 has the even lines of frame 1
        for x in range(30):
            def at(dy, dx):
                line = y + dy
                line = line if 0 <= line < 20 else (0 if line < 0 else 18)
                return int(frames[1, line, min(max(x + dx, 0), 29)])
            mean = (at(-1, 0) + at(1, 0) + 1) >> 1
            v = [at(-3, i) for i in range(-2, 3)] + [at(-1, i) for i in range(-4, 5)]
            v += [at(1, i) for i in range(-4, 5)] + [at(3, i) for i in range(-2, 3)]
            out = mean + int(network.infer(q, np.array(v)[:, None] - mean)[0])
            total += min(max(out, 0), 255) ** 2
    assert scores['spatial'] == total == scores['error'], (scores, total)
    print('the spatial picture agrees')


def check_choices():
    """Inputs 32 to 37 and 54, and the limits, from the other inputs."""
    r = np.random.default_rng(3)
    spatial = random_network(r, 28, 8, 4)[1]
    frames = noise(r, 5, 40, 56)
    table, _ = model.run((spatial, None, None), frames, np.repeat(frames, 2, 0), None, 1 << 20)
    up, here, down = (8, 13, 18, 21), (10, 15, 19, 22), (12, 17, 20, 23)
    for v in table[r.permutation(len(table))[:2000]].astype(int):
        q = [2 * v[38 + k] + v[42 + k] + ((32 - v[50 + k]) >> 4) + 2 * (k > 1) for k in range(4)]
        b = q.index(min(q))
        best = v[here[b]]
        expected = [best, best + ((v[1] - v[up[b]] + v[4] - v[down[b]]) >> 1),
                    v[here[1]] if q[1] < q[0] else v[here[0]],
                    v[here[3]] if q[3] < q[2] else v[here[2]], sorted([v[10], v[15], 0])[1],
                    sorted([best, (v[10] + v[15] + 1) >> 1, (v[24] + v[25] + 1) >> 1])[1]]
        assert v[32:38].tolist() == expected and v[54] == min(255, min(q))
        values = [0] + [v[k] for k in here]
        assert (v[model.LEAST], v[model.GREATEST]) == (min(values), max(values))
    print('choices and limits agree')


def check_motion():
    """A picture that moves by whole samples: every reference is compensated exactly inside."""
    r = np.random.default_rng(4)
    page = ndimage.gaussian_filter(r.standard_normal((140, 200)), 2.5)
    page = np.clip(128 + 40 * page / page.std(), 0, 255).astype(np.uint8)
    fields = np.array([page[10 + 2 * t:106 + 2 * t, 10 + 3 * t:138 + 3 * t] for t in range(12)])
    frames = fields[0::2].copy()
    frames[:, 1::2] = fields[1::2, 1::2]
    # The spatial picture of a network that is zero is the mean of two lines.
    q = [28, 1, 1] + [0] * (28 + 1 + 1 + 1 + 1 + 1 + 28)
    zero = np.array(q, np.int32)
    table, _ = model.run((zero, None, None), frames, fields, None, 1 << 20, 4, 8)
    # The picture moves by an even number of lines: field t-1 has the lines that field t misses.
    error = np.abs(table[:, 10] - table[:, model.TARGET])
    assert np.mean(error == 0) > .75, np.mean(error == 0)
    print('the motion search finds the motion')


def check_trainer():
    r = np.random.default_rng(5)
    tables = []
    for clip in range(3):
        x = r.integers(-60, 60, (3000, 12))
        y = (x[:, 0] + x[:, 1]) // 2 + np.maximum(x[:, 2], 0) // 2 + r.integers(-1, 2, 3000)
        tables.append(np.concatenate([x, y[:, None]], 1).astype(np.int16))
    info = [dict(label=str(i), low=False, name='a_b', group='G') for i in range(3)]
    data = fit.Table(tables, info, [np.arange(12)])
    for train, steps in ((fit.fit, 3000), (fit_numpy.fit, 1000)):
        stack = Stack([1, 2], 12, 4, 3)
        first = data.errors(stack).mean()
        train(stack, data, np.ones(3), steps)
        last = data.errors(stack).mean(1)
        assert (last < .02 * first).all() and (last < 3).all(), (first, last)
    limits = np.zeros((3000, 6), np.int16)
    limits[:, 0], limits[:, 1], limits[:, 2], limits[:, 3], limits[:, 5] = -9, 9, -5, 5, 16
    tables = [np.concatenate([t[:, :12], limits, t[:, 12:]], 1) for t in tables]
    data = fit.Table(tables, info, [np.arange(12)])
    o = data.limited(np.array([[-30, 4, 8.]]), tables[0][:3])
    assert o.tolist() == [[-5, 4, 5]]
    print('the trainers learn a function')


def check_mirrors():
    r = np.random.default_rng(6)
    order = r.permutation(model.INPUTS)
    for m in fusion.mirrors(True):
        assert sorted(m) == list(range(model.INPUTS)) and (m[m] == np.arange(len(m))).all()
    assert len({tuple(order[m]) for m in fusion.mirrors(True)}) == 8
    print('mirrors agree')


def check_files(folder):
    """Networks, vectors, logs of the crate in `folder`."""
    lines = open(os.path.join(folder, 'best_vectors.txt')).read().splitlines()
    number = 0
    for name in NETWORKS:
        path = os.path.join(folder, f'best_{name}.txt')
        q = network.load(path)
        network.check(q)
        rows = np.array([[int(v) for v in line.split()[1:]] for line in lines
                         if line.startswith(name)])
        assert len(rows) and (network.infer(q, rows[:, :-1].T) == rows[:, -1]).all(), name
        number += len(rows)
        digest = hashlib.sha256(open(path, 'rb').read()).hexdigest()
        assert digest in open(os.path.join(LOGS, f'best_{name}.txt')).read(), 'log of ' + name
    print(number, 'vectors of best agree')


def main(folder=None):
    check_shared_inputs()
    check_gate()
    check_spatial()
    check_choices()
    check_motion()
    check_trainer()
    check_mirrors()
    if folder:
        check_files(folder)
