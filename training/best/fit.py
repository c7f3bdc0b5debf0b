"""Training of the networks of `best`: tables of samples, the loss, reports."""
import ctypes
import os

import numpy as np

import model
import network
from stack import SCALE

# Sources left out together.
FOLDS = [('bee', 'cups', 'brink', 'text'), ('butterfly', 'board', 'lanes', 'spokes'),
         ('flower', 'editlist', 'palms', 'zone'), ('street', 'karma', 'coffee', 'stripes'),
         ('bunny', 'highway', 'gomax', 'blocks', 'texture')]
FAR = 40          # a limit of bwdif farther away than this many levels does not count


class Table:
    """Samples of many clips: inputs, least and greatest result, bwdif's least and greatest,
    bwdif's value, weight, target (only inputs and target for the spatial network)."""

    def __init__(self, tables, info, mirrors):
        self.table = np.concatenate(tables)
        self.info = info
        self.mirrors = mirrors
        self.inputs = len(mirrors[0])
        sizes = np.array([len(t) for t in tables])
        self.ends = np.cumsum(sizes)
        self.starts = self.ends - sizes
        self.limits = self.table.shape[1] > self.inputs + 1
        self.clip = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
        y = self.table[:, -1].astype(np.float64)
        self.base = np.add.reduceat(y * y, self.starts) / sizes
        self.theirs = self.base
        if self.limits:
            y -= self.table[:, self.inputs + 4]
            self.theirs = np.add.reduceat(y * y, self.starts) / sizes

    def limited(self, o, raw):
        """Outputs [networks, samples] in levels after the limits of the deinterlacer."""
        if not self.limits:
            return o
        lo, hi, near_lo, near_hi = raw[:, self.inputs:self.inputs + 4].T.astype(np.float32)
        o = np.clip(o, lo, hi)
        z = np.clip(o, near_lo, near_hi)
        return np.where(np.abs(o - z) < FAR, z, o)

    def errors(self, stack, most=4000):
        """Mean squared error of every network on every clip: [networks, clips], from at most about
        `most` samples of a clip."""
        result = []
        for a, b in zip(self.starts, self.ends):
            raw = self.table[a:b:max(1, (b - a) // most)]
            x = raw[:, :self.inputs].T.astype(np.float32) * np.float32(SCALE)
            o = self.limited(np.rint(stack.forward(x)[0] / SCALE), raw)
            result.append(((o - raw[:, -1]) ** 2).mean(1, dtype=np.float64))
        return np.array(result).T


class Options(ctypes.Structure):
    """Options of best_train of model/train.c."""
    _fields_ = ([(k, ctypes.c_int64) for k in ('clips', 'columns', 'inputs', 'n1', 'n2', 'mirrors',
                                               'limits', 'steps', 'batch', 'seed')]
                + [(k, ctypes.c_double) for k in ('rate', 'floor', 'mix', 'boost', 'most')])


def fit(stack, data, weights, steps, rate=3e-3, batch=4096, floor=.2, mix=.5, boost=0., margin=0.,
        most=8., seed=1, paired=False):
    """Trains the networks of a stack, one after another. A sample weighs weights / ((error +
    floor)^(1 - mix) (base + floor)^mix), where error is the running mean squared error of its clip
    and base that of bwdif or of the spatial picture, the lesser. The weight of a clip grows at the
    rate `boost`, up to `most` times, while its gain over that is below `margin` (dB; a number, or
    one for each clip). `paired`: all networks see the same choice of samples."""
    k, inputs, n1, n2 = stack.shape
    weights = np.tile(weights, (k, 1)) if weights.ndim == 1 else weights
    table = np.ascontiguousarray(data.table)
    starts = np.append(data.starts, data.ends[-1]).astype(np.int64)
    mirrors = np.array(data.mirrors, np.int32)
    options = Options(len(data.info), table.shape[1], inputs, n1, n2, len(mirrors), data.limits,
                      steps, batch, seed, rate, floor, mix, boost, most)
    train = model.library().best_train
    train.restype = None

    def pointer(a):
        return a.ctypes.data_as(ctypes.c_void_p)
    stack.extra = np.ones((k, len(data.info)))
    best = np.minimum(data.base, data.theirs)
    margins = np.broadcast_to(np.float64(margin), best.shape).copy()
    for i in range(k):
        own = slice(i * n1, (i + 1) * n1)
        parts = [stack.w1[own], stack.b1[own], stack.w2[i], stack.b2[i], stack.w3[i], stack.b3[i],
                 stack.skip[i]]
        params = np.concatenate([p.ravel() for p in parts]).astype(np.float32)
        running = data.base + 1e-3
        weight = weights[i].astype(np.float64)
        options.seed = seed * 1000 + (0 if paired else i)
        train(ctypes.byref(options), pointer(table), pointer(starts), pointer(mirrors),
              pointer(weight), pointer(margins), pointer(best), pointer(running),
              pointer(stack.extra[i]), pointer(params))
        at = 0
        for p in parts:
            p[...] = params[at:at + p.size].reshape(p.shape)
            at += p.size
    return stack


def family(info):
    """The kind of a clip for tables."""
    return 'low' if info['low'] else info['name'].split('_')[0]


def means(gain, info, mask):
    kinds = np.array([family(i) for i in info])
    return ' '.join([f'mean {gain[mask].mean():+.3f}', f'below -0.1: {(gain[mask] < -.1).sum()}']
                    + [f'{k} {gain[mask & (kinds == k)].mean():+.2f}'
                       for k in sorted(set(kinds[mask]))])


def report(log, title, stack, seeds, data, out, folder, tag):
    """Writes integer networks and a log."""
    def line(text):
        print(text, flush=True)
        log.write(text + '\n')
    line(title)
    line(f'{len(data.table)} samples of {len(data.info)} clips')
    errors = data.errors(stack)
    gain = 10 * np.log10((data.theirs + .02) / (errors + .02))
    for i, seed in enumerate(seeds):
        q = network.quantise(stack.take(i))
        digest = network.save(os.path.join(folder, f'{tag}_{seed}.txt'), q,
                              'best: inputs n1 n2; w1, b1, w2, b2, w3, b3, skip')
        line(f'seed {seed} sha256 {digest}')
        line('  trained ' + means(gain[i], data.info, ~out))
        if out.any():
            line('  left out ' + means(gain[i], data.info, out))
        line('  lowest ' + ', '.join(f"{data.info[j]['label']} {gain[i, j]:+.2f}"
                                     for j in np.argsort(gain[i])[:12]))
    line('gain of each clip in dB, every seed (group, bwdif mse)')
    for j, info in enumerate(data.info):
        log.write(f"{info['label']:24s} {info['group']} {data.theirs[j]:8.2f} "
                  + ' '.join(f'{g:+.2f}' for g in gain[:, j]) + '\n')
