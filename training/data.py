"""The table of samples of all clips, with mirrors."""
import glob
import json
import os

import numpy as np

import features as ft
from stack import SCALE


class Data:
    """Samples of a folder that samples.py made, restricted to some columns."""

    def __init__(self, folder, columns, groups='ABG', share=1.0, gate=0):
        """With `gate`, static samples count in `gains`, not in training."""
        tables, self.info, self.gated = [], [], []
        for path in sorted(glob.glob(os.path.join(folder, '*.json'))):
            info = json.load(open(path))
            if info['group'] not in groups:
                continue
            name = os.path.basename(path)[:-5]
            table = np.load(os.path.join(folder, name + '.npy'), mmap_mode='r')
            if share < 1:
                table = table[:int(len(table) * share)]
            table = np.asarray(table)
            still = (table[:, -2] != 0) & bool(gate)
            y = table[still, -1].astype(np.float64)
            mean = (table[still, 8] + table[still, 9]) >> 1
            table = table[~still]
            if len(table) < 50:
                continue
            self.gated.append((still.sum(), (y ** 2).sum(), ((y - mean) ** 2).sum()))
            info['label'] = name
            tables.append(table)
            self.info.append(info)
        self.table = np.concatenate(tables)
        self.ends = np.cumsum([len(t) for t in tables])
        self.starts = self.ends - [len(t) for t in tables]
        self.clip = np.repeat(np.arange(len(tables)), self.ends - self.starts).astype(np.int32)
        y = self.table[:, -1].astype(np.float64) ** 2
        self.base = np.add.reduceat(y, self.starts) / (self.ends - self.starts)
        self.choose(columns)

    def choose(self, columns):
        self.columns = list(columns)
        self.orders = [ft.flip(''.join(c for c, on in zip('hvt', f'{k:03b}') if on == '1'))
                       [self.columns] for k in range(8)]

    def sources(self):
        return np.array([i['source'] for i in self.info])

    def batch(self, r, size, used=None):
        """Inputs [columns, size], targets and clips of random samples in the order of the clips;
        an eighth of them for each mirror."""
        if used is None or len(used) == len(self.starts):
            rows = r.integers(0, len(self.table), size)
        else:
            clip = used[r.integers(0, len(used), size)]
            rows = r.random(size) * (self.ends - self.starts)[clip]
            rows = self.starts[clip] + rows.astype(int)
        rows.sort()
        raw = self.table[rows]
        x = np.empty((len(self.columns), size), np.float32)
        for k, order in enumerate(self.orders):
            x[:, k::8] = raw[k::8][:, order].T
        x *= SCALE
        return x, raw[:, -1].astype(np.float32) * np.float32(SCALE), self.clip[rows]

    def errors(self, stack, size=4096):
        """Mean squared error of every network on every clip: [networks, clips]; outputs rounded."""
        result = []
        for a, b in zip(self.starts, self.ends):
            total = 0
            for s in range(a, b, size):
                raw = self.table[s:min(s + size, b)]
                x = raw[:, self.columns].T.astype(np.float32) * np.float32(SCALE)
                o = np.rint(stack.forward(x)[0] / SCALE)
                total = total + ((o - raw[:, -1]) ** 2).sum(1, dtype=np.float64)
            result.append(total / (b - a))
        return np.array(result).T

    def gains(self, errors):
        """Gain over bwdif in dB of every clip, static samples included."""
        gain = np.empty_like(errors)
        for j, (gated, gated_bwdif, gated_error) in enumerate(self.gated):
            free = self.ends[j] - self.starts[j]
            ours = errors[:, j] * free + gated_error
            theirs = self.base[j] * free + gated_bwdif
            # An error of 0.02 levels keeps clips that are almost perfect from ruling the mean.
            small = .02 * (free + gated)
            gain[:, j] = 10 * np.log10((theirs + small) / (ours + small))
        return gain
