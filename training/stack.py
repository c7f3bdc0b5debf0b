"""Small networks a -> n1 -> n2 -> 1 with a linear skip, many trained at once on the same batches.

All networks of a stack have the same widths and inputs. They differ in their seed and in the
weights of the clips, so one pass over the data trains every run of a leave-one-out table.
"""
import numpy as np

SCALE = 1 / 32          # of inputs and outputs, in levels of 8 bits
TOP = 4095 / 8 * SCALE  # upper clamp of hidden values


class Stack:
    def __init__(self, seeds, inputs, n1, n2):
        k = len(seeds)
        self.shape = k, inputs, n1, n2
        w1, w2, w3 = [], [], []
        for seed in seeds:
            r = np.random.default_rng(seed)
            w1.append(r.standard_normal((n1, inputs)) * np.sqrt(2 / inputs))
            w2.append(r.standard_normal((n2, n1)) * np.sqrt(2 / n1))
            w3.append(r.standard_normal((1, n2)) * np.sqrt(2 / n2) * .3)
        f = np.float32
        self.w1 = np.concatenate(w1).astype(f)
        self.b1 = np.zeros((k * n1, 1), f)
        self.w2 = np.array(w2, f)
        self.b2 = np.zeros((k, n2, 1), f)
        self.w3 = np.array(w3, f)
        self.b3 = np.zeros((k, 1), f)
        self.skip = np.zeros((k, inputs), f)
        self.values = [self.w1, self.b1, self.w2, self.b2, self.w3, self.b3, self.skip]
        self.first = [np.zeros_like(v) for v in self.values]
        self.second = [np.zeros_like(v) for v in self.values]
        self.steps = 0

    def start(self, q):
        """Starts all networks from the integers of one (network.load)."""
        k, _, n1, _ = self.shape
        for i in range(k):
            own = slice(i * n1, (i + 1) * n1)
            self.w1[own], self.b1[own, 0] = q['w1'] / 4096, (q['b1'] - 256) / 4096 * SCALE
            self.w2[i], self.b2[i, :, 0] = q['w2'] / 4096, q['b2'] / 32768 * SCALE
            self.w3[i, 0], self.b3[i] = q['w3'] / 1024, q['b3'] / 8192 * SCALE
            self.skip[i] = q['skip'] / 8192

    def forward(self, x):
        """x: [inputs, samples], scaled. Returns outputs [networks, samples] and hidden values."""
        k, _, n1, _ = self.shape
        h1 = self.w1 @ x
        h1 += self.b1
        np.clip(h1, 0, TOP, out=h1)
        h1 = h1.reshape(k, n1, -1)
        h2 = self.w2 @ h1
        h2 += self.b2
        np.clip(h2, 0, TOP, out=h2)
        o = (self.w3 @ h2)[:, 0]
        o += self.skip @ x
        o += self.b3
        return o, h1, h2

    def backward(self, x, g, h1, h2):
        """Gradients of all values from the gradient g of the outputs."""
        k, _, n1, _ = self.shape
        d2 = self.w3.transpose(0, 2, 1) * g[:, None]
        d2 *= (h2 > 0) & (h2 < TOP)
        d1 = self.w2.transpose(0, 2, 1) @ d2
        d1 *= (h1 > 0) & (h1 < TOP)
        d1 = d1.reshape(k * n1, -1)
        return [d1 @ x.T, d1.sum(1, keepdims=True), d2 @ h1.transpose(0, 2, 1),
                d2.sum(2, keepdims=True), g[:, None] @ h2.transpose(0, 2, 1),
                g.sum(1, keepdims=True), g @ x.T]

    def update(self, gradients, rate, b1=.9, b2=.99):
        """One step of Adam."""
        self.steps += 1
        c1, c2 = 1 - b1 ** self.steps, 1 - b2 ** self.steps
        for v, g, m, s in zip(self.values, gradients, self.first, self.second):
            m += (1 - b1) * (g - m)
            s += (1 - b2) * (g * g - s)
            v -= (rate / c1) * m / (np.sqrt(s / c2) + 1e-8)
        # The integers of 16 bits have these ranges.
        for v, most in ((self.w1, 7.9), (self.w2, 7.9), (self.w3, 31), (self.skip, 3.9)):
            np.clip(v, -most, most, out=v)

    def take(self, i):
        """Network i alone: arrays of floats in units of levels."""
        _, _, n1, _ = self.shape
        return dict(w1=self.w1[i * n1:(i + 1) * n1].copy(),
                    b1=self.b1[i * n1:(i + 1) * n1, 0] / SCALE, w2=self.w2[i].copy(),
                    b2=self.b2[i, :, 0] / SCALE, w3=self.w3[i, 0].copy(), b3=self.b3[i] / SCALE,
                    skip=self.skip[i].copy())


def train(stack, data, weights, base, steps, rate=3e-3, batch=4096, floor=.2, mix=.5, harm=0.,
          shrink=0., boost=0., margin=.2, most=8., seed=1):
    """Trains a stack.

    data: Data. weights: [networks, clips]. base: mean squared error of bwdif of each clip.
    Samples weigh weights / ((error + floor) ** (1 - mix) * (base + floor) ** mix), where error is
    the running mean squared error of the clip. `boost` is the rate at which the weight of a clip
    grows while its gain over bwdif is below `margin` (in dB), up to `most` times; it sinks again
    when the gain is above. `harm` adds weight where a network is farther from the target than
    bwdif; `shrink` pulls corrections to zero."""
    r = np.random.default_rng(seed)
    used = np.flatnonzero(weights.max(0) > 0)
    running = np.tile(base[None], (stack.shape[0], 1)) + 1e-3
    extra = np.ones_like(running)
    for step in range(steps):
        x, y, clip = data.batch(r, batch, used)
        o, h1, h2 = stack.forward(x)
        d = o - y
        starts = np.flatnonzero(np.diff(clip, prepend=-1))
        seen = clip[starts]
        number = np.diff(starts, append=len(clip))
        sums = np.add.reduceat(d * d, starts, 1) / (SCALE * SCALE)
        # Clips of few samples in a batch move their mean by less.
        pace = 1 - .998 ** number
        running[:, seen] += pace * (sums / number - running[:, seen])
        if step % 10 == 0:
            if boost and step > 300:
                gain = 10 * np.log10((base + .02) / (running + .02))
                extra = np.clip(extra * np.exp(10 * boost * np.clip(margin - gain, -1, 1)), 1, most)
            table = weights * extra / ((running + floor) ** (1 - mix) * (base + floor) ** mix)
            table = (10 * table).astype(np.float32)
        w = table[:, clip]
        if harm:
            w = w * (1 + harm * (np.abs(d) > np.abs(y)))
        g = w * d
        if shrink:
            g += shrink * w * o
        g *= 2 / batch
        now = rate * min(1, (step + 1) / 200) * (.5 * (1 + np.cos(np.pi * step / steps)) + .01)
        stack.update(stack.backward(x, g.astype(np.float32), h1, h2), now)
    stack.extra = extra
    return stack
