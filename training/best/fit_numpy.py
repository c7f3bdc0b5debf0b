"""The trainer of fit.py in numpy, for many networks at once; slower.

The spatial network and the first luma network were trained by it. The weights of the clips depend
on bwdif's error alone here.
"""
import numpy as np

from stack import SCALE


def batch_of(data, r, size, used):
    """Inputs [columns, size], rows, and clips of random samples, in the order of the clips."""
    clip = used[r.integers(0, len(used), size)]
    rows = (data.starts[clip] + r.random(size) * (data.ends - data.starts)[clip]).astype(int)
    rows.sort()
    raw = data.table[rows]
    x = np.empty((data.inputs, size), np.float32)
    n = len(data.mirrors)
    for k, order in enumerate(data.mirrors):
        x[:, k::n] = raw[k::n][:, order].T
    x *= SCALE
    return x, raw, data.clip[rows]


def fit(stack, data, weights, steps, rate=3e-3, batch=4096, floor=.2, mix=.5, boost=0., margin=0.,
        most=8., seed=1):
    """As fit.fit."""
    r = np.random.default_rng(seed)
    weights = np.tile(weights, (stack.shape[0], 1)) if weights.ndim == 1 else weights
    used = np.flatnonzero(weights.max(0) > 0)
    running = np.tile(data.base[None], (stack.shape[0], 1)) + 1e-3
    extra = np.ones_like(running)
    for step in range(steps):
        x, raw, clip = batch_of(data, r, batch, used)
        y = raw[:, -1].astype(np.float32)
        o, h1, h2 = stack.forward(x)
        o /= np.float32(SCALE)
        z = data.limited(o, raw)
        d = z - y
        starts = np.flatnonzero(np.diff(clip, prepend=-1))
        seen = clip[starts]
        number = np.diff(starts, append=len(clip))
        sums = np.add.reduceat(d * d, starts, 1)
        pace = 1 - .998 ** number
        running[:, seen] += pace * (sums / number - running[:, seen])
        if step % 10 == 0:
            if boost and step > 300:
                gain = 10 * np.log10((data.theirs + .02) / (running + .02))
                extra = np.clip(extra * np.exp(10 * boost * np.clip(margin - gain, -1, 1)), 1, most)
            table = weights * extra / ((running + floor) ** (1 - mix)
                                       * (data.theirs + floor) ** mix)
            table = (10 * table).astype(np.float32)
        g = table[:, clip] * d
        if data.limits:
            g *= np.where(z == o, np.float32(1), np.float32(.1))
            g *= raw[:, data.inputs + 5].astype(np.float32) / 16
        g *= np.float32(2 * SCALE / batch)
        now = rate * min(1, (step + 1) / 200) * (.5 * (1 + np.cos(np.pi * step / steps)) + .01)
        stack.update(stack.backward(x, g.astype(np.float32), h1, h2), now)
    stack.extra = extra
    return stack
