"""A model of denoising along motion (docs/specification/16-motion-denoise.md) for whole planes, in
integers of numpy, written apart from the crate and from its reference model. The search, the split
and the compensation of chapter 15 are those of the model of `best`, thumbnails those of the model
of `balanced`."""
import pathlib
import sys
from math import isqrt

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from balanced import model as balanced  # noqa: E402
from best import model as best  # noqa: E402
from clips import PROGRESSIVE  # noqa: E402

# Standard deviations of the fixed modes of --denoise, in 1/64 of a code value of 8 bits.
SIGMAS = {'off': 0, 'light': 192, 'medium': 384, 'strong': 768}

# Luma columns and lines of a chroma sample.
FACTORS = {'420': (2, 2), '422': (2, 1), '411': (4, 1), '444': (1, 1), 'mono': (1, 1)}

TRANSFORM = np.array([
    (64, 64, 64, 64, 64, 64, 64, 64),
    (89, 75, 50, 18, -18, -50, -75, -89),
    (83, 36, -36, -83, -83, -36, 36, 83),
    (75, -18, -89, -50, 50, 89, 18, -75),
    (64, -64, -64, 64, 64, -64, -64, 64),
    (50, -89, 18, 75, -75, -18, 89, -50),
    (36, -83, 83, -36, -36, 83, -83, 36),
    (18, -50, 75, -89, 89, -75, 50, -18)])


def pyramid(luma, bits):
    """The luma [line, column] of `bits` bits."""
    p = np.pad(luma >> (bits - 8), 1, 'edge')
    q = p[:-2] + 2 * p[1:-1] + p[2:]
    return best.levels_from(q[:, :-2] + 2 * q[:, 1:-1] + q[:, 2:] + 8 >> 4)


def cells_of(samples):
    """Sums over the cells of 4x4 samples; the last ones repeat samples."""
    h, w = samples.shape
    whole = np.pad(samples, ((0, -h % 4), (0, -w % 4)), 'edge')
    return whole.reshape(len(whole) // 4, 4, -1, 4).sum((1, 3))


def around_cells(sums):
    """Sums over 3x3 cells with the weights 1 2 1."""
    p = np.pad(sums, 1, 'edge')
    q = p[:-2] + 2 * p[1:-1] + p[2:]
    return q[:, :-2] + 2 * q[:, 1:-1] + q[:, 2:]


def of_samples(cells, shape):
    """The value of each sample's cell."""
    return cells.repeat(4, 0).repeat(4, 1)[:shape[0], :shape[1]]


def weights(difference, variance, sigma):
    """The weight of a reference for each cell, from its differences to the picture at 12 bits.
    `variance` is that of the reference's noise."""
    A = around_cells(cells_of(abs(difference)))
    S = abs(around_cells(cells_of(difference)))
    most = (1 << 18) - 1
    q = np.minimum(1023, np.minimum(A, most) * (82125 // sigma) >> 16)
    p = np.minimum(1023, np.minimum(S, most) * (65536 // sigma) >> 16)
    excess = np.maximum((q * q >> 4) - (256 + variance), (p * p >> 4) - (256 + variance >> 7))
    return 65536 // (variance + 2 * np.maximum(0, excess) + 8)


def variance_at(variance, compensated):
    """The variance of the noise of a reference at the place of each cell's first sample."""
    rows, columns = variance.shape
    cy, cx = np.arange(rows)[:, None], np.arange(columns)[None]
    vy, vx = compensated.vy[4 * cy, 4 * cx], compensated.vx[4 * cy, 4 * cx]
    return variance[np.clip(4 * cy + 2 + (vy >> 2) >> 2, 0, rows - 1),
                    np.clip(4 * cx + 2 + (vx >> 2) >> 2, 0, columns - 1)]


def mean(Y, references, sigma, bits):
    """The mean T of the picture and its compensated references, and the variance of its noise.
    `references` are pairs (compensated picture, variance of its noise or None for noise as of Y)."""
    shift = bits - 12
    each = []
    for compensated, variance in references:
        difference = (compensated.samples >> shift) - (Y >> shift)
        if variance is None:
            noise = np.full_like(cells_of(Y), 256)
        else:
            noise = variance_at(variance, compensated)
        each.append(weights(difference, noise, sigma))
    W = 256 + sum(each, np.zeros_like(cells_of(Y)))
    total = 0
    for (compensated, _), w in zip(references, each):
        total = total + of_samples((w << 15) // W, Y.shape) * (compensated.samples - Y)
    return Y + (total + 16384 >> 15), np.maximum(1, 65536 // W)


def transformed(matrix, blocks, axis, shift):
    """Blocks [row, column, line, column] multiplied by the matrix along lines or columns."""
    product = np.einsum('uv,abvx->abux' if axis == 'lines' else 'uv,abyv->abyu', matrix, blocks)
    return product + (1 << (shift - 1)) >> shift


def spatial(T, variance, sigma, K, n, bits):
    """The output samples of a plane."""
    h, w = T.shape
    rows, columns = variance.shape
    z = (T >> (bits - 12)) - 2048

    # Blocks from cell -1 on; each has 2x2 cells.
    padded = np.pad(z, ((4, 4 + -h % 4), (4, 4 + -w % 4)), 'edge')
    blocks = np.array([[padded[4 * by:4 * by + 8, 4 * bx:4 * bx + 8] for bx in range(columns + 1)]
                       for by in range(rows + 1)])
    v = np.pad(variance, 1, 'edge')
    r = v[:-1, :-1] + v[:-1, 1:] + v[1:, :-1] + v[1:, 1:] + 2 >> 2
    limit = np.vectorize(lambda r: sigma * isqrt(256 * r) * K >> 16, otypes=[np.int64])(r)[:, :, None, None]

    c = transformed(TRANSFORM, blocks, 'lines', 7)
    c = transformed(TRANSFORM, c, 'columns', 8)
    shrunk = np.sign(c) * np.minimum(abs(c), 2 * np.maximum(0, abs(c) - limit))
    shrunk[:, :, 0, 0] = c[:, :, 0, 0]
    c = transformed(TRANSFORM.T, shrunk, 'columns', 7)
    c = transformed(TRANSFORM.T, c, 'lines', 8)

    total = np.zeros((4 * rows + 8, 4 * columns + 8), np.int64)
    for by in range(rows + 1):
        for bx in range(columns + 1):
            total[4 * by:4 * by + 8, 4 * bx:4 * bx + 8] += c[by, bx]
    F = total[4:4 + h, 4:4 + w] + 2 >> 2
    value = T + ((F - z) << (bits - 12))
    x = bits - n
    return np.clip(value + (1 << x >> 1) >> x, 0, (1 << n) - 1)


class Sequence:
    """The pictures of one sequence: frames, or the fields of one parity. `planes` are
    [picture, line, column], `cut` the scene cuts before each picture."""

    def __init__(self, planes, sampling, sigmas, n, cut):
        self.n, self.bits = n, min(16, max(12, n + 4))
        self.Y = [plane << (self.bits - n) for plane in planes]
        self.sigmas = [sigmas[0]] + [sigmas[1]] * (len(planes) - 1)
        self.factors = [(1, 1)] + [FACTORS[sampling]] * (len(planes) - 1)
        self.cut = cut
        self.count = len(planes[0])
        self.T, self.variance = [[] for _ in planes], [[] for _ in planes]
        self.originals = [pyramid(luma, self.bits) for luma in self.Y[0]]
        self.means = []
        self.grids = {}

    def exists(self, t, k):
        return 0 <= t + k < self.count and not self.cut[max(t, t + k)]

    def motion(self, t):
        """The grids of vectors from picture t, by k, and the pyramids of the references. `self.grids`
        are those of the picture before."""
        before = self.grids if self.exists(t, -1) else {}
        now, pyramids = {}, {}
        sigma = self.sigmas[0]
        slope, moving = 3 + (30 * sigma >> 12), 12 + (90 * sigma >> 12)
        for k, related in ((1, ((before, 1, 1), (before, -1, -1))), (-1, ((now, 1, -1), (before, 1, -1)))):
            if self.exists(t, k):
                pyramids[k] = self.originals[t + 1] if k == 1 else self.means[t - 1]
                full = k == 1 or 1 not in now
                known = [(grids[j], factor) for grids, j, factor in related if j in grids]
                now[k] = best.search(self.originals[t], pyramids[k], full, known, slope, moving, 1, 0)
        return now, pyramids

    def output(self, t):
        """The planes of picture t. They are made in order."""
        if any(self.sigmas):
            self.grids, pyramids = self.motion(t)
        else:
            self.grids = {}
        vectors = {k: best.split(self.originals[t], pyramids[k], grid) for k, grid in self.grids.items()}
        out = []
        for i, (plane, sigma) in enumerate(zip(self.Y, self.sigmas)):
            Y = plane[t]
            if sigma == 0:
                T, variance = Y, np.full_like(cells_of(Y), 256)
                out.append(Y >> (self.bits - self.n))
            else:
                references = []
                for k in vectors:
                    picture = self.Y[i][t + 1] if k == 1 else self.T[i][t - 1]
                    compensated = best.Compensated(picture, vectors[k], self.factors[i], self.bits)
                    references.append((compensated, None if k == 1 else self.variance[i][t - 1]))
                T, variance = mean(Y, references, sigma, self.bits)
                K = (150 if i else 105) if references else 141
                out.append(spatial(T, variance, sigma, K, self.n, self.bits))
            self.T[i].append(T)
            self.variance[i].append(variance)
        self.means.append(pyramid(self.T[0][t], self.bits))
        return out


def denoised(planes, sampling, first, n, luma='off', chroma='off'):
    """The planes Y, U, V [frame, line, column] after denoising along motion, in the fixed modes
    `luma` and `chroma`. `first` is the parity of the first field, or PROGRESSIVE."""
    sigmas = SIGMAS[luma], SIGMAS[chroma]
    planes = [plane.astype(np.int64) for plane in planes]
    result = [np.zeros_like(plane) for plane in planes]
    parts = [(0, 1)] if first == PROGRESSIVE else [(0, 2), (1, 2)]
    for start, step in parts:
        thumbnails = [balanced.thumbnail(frame, start, n) for frame in planes[0]]
        cut = [False] + [balanced.differ(a, b) for a, b in zip(thumbnails, thumbnails[1:])]
        pictures = [plane[:, start::step] for plane in planes]
        if pictures[0].size == 0:
            continue
        sequence = Sequence(pictures, sampling, sigmas, n, cut)
        for t in range(sequence.count):
            for plane, out in zip(result, sequence.output(t)):
                plane[t, start::step] = out
    return result
