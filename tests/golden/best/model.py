"""A model of the deinterlacer `best` (docs/specification/15-best.md) for whole planes, in integers
of numpy, written apart from the crate and from its reference model. The numbers of chapter 14 and
the spatial pictures are those of the model of `balanced`."""
import pathlib
import sys

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from balanced import model as balanced  # noqa: E402

REFERENCES = (-1, 1, -2, 2)
AROUND = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1))
OUTSIDE = 1 << 20


def median(a, b, c):
    return sorted((a, b, c))[1]


def medians(a, b, c):
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


# 1 Motion


class Level:
    """A level of a pyramid, and its windows of 17x17 samples at any position that is read."""
    MARGIN = 52

    def __init__(self, samples):
        self.samples = samples
        self.h, self.w = samples.shape
        self.windows = sliding_window_view(np.pad(samples, self.MARGIN, 'edge'), (17, 17))

    def at(self, x, y):
        return self.windows[y + self.MARGIN, x + self.MARGIN]

    def contains(self, x, y):
        """Whether a window of 16x16 is inside the picture and 32 samples around it."""
        return x >= -32 and y >= -32 and x + 16 <= self.w + 32 and y + 16 <= self.h + 32


def pyramid(picture, n):
    top = picture >> (n - 8)
    h = len(top)
    rows = [top[np.clip(np.arange(h) + k, 0, h - 1)] for k in range(-2, 3)]
    return levels_from(rows[0] + 4 * rows[1] + 6 * rows[2] + 4 * rows[3] + rows[4] + 8 >> 4)


def levels_from(lowest):
    """The levels of a pyramid on its level 0."""
    levels = [lowest]
    for _ in range(3):
        p = np.pad(levels[-1], [(0, size & 1) for size in levels[-1].shape], 'edge')
        levels.append(p[0::2, 0::2] + p[0::2, 1::2] + p[1::2, 0::2] + p[1::2, 1::2] + 2 >> 2)
    return [Level(level) for level in levels]


class Block:
    """The window of a block, at (x, y) of level `a`, and its best vector to level `b` so far. `slope`
    is the cost of a difference from the expected vector, `moving` that of a vector other than 0."""

    def __init__(self, a, b, x, y, expected, slope=3, moving=12):
        self.b, self.x, self.y, self.expected = b, x, y, expected
        self.slope, self.moving = slope, moving
        self.own = a.at(x, y)
        self.restart(expected)

    def restart(self, expected):
        self.best, self.cost, self.expected = (0, 0), 1 << 30, expected

    def sads(self, vectors):
        """SADs of vectors in whole samples; None outside."""
        inside = [self.b.contains(self.x + vx, self.y + vy) for vx, vy in vectors]
        kept = np.array([v for v, use in zip(vectors, inside) if use], int).reshape(-1, 2)
        windows = self.b.at(self.x + kept[:, 0], self.y + kept[:, 1])[:, 0:16:2, :16]
        sums = iter(abs(windows - self.own[0:16:2, :16]).sum((1, 2)).tolist())
        return [next(sums) if use else None for use in inside]

    def sad_of_quarters(self, vector, lines):
        """The SAD of the first lines 0, 2, … of a bilinear window; None outside."""
        (vx, fx), (vy, fy) = (divmod(v, 4) for v in vector)
        if not self.b.contains(self.x + vx, self.y + vy):
            return None
        window = self.b.at(self.x + vx, self.y + vy)
        over, under = window[:-1], window[1:]
        mixed = ((4 - fx) * (4 - fy) * over[:, :-1] + fx * (4 - fy) * over[:, 1:]
                 + (4 - fx) * fy * under[:, :-1] + fx * fy * under[:, 1:] + 8) >> 4
        return int(abs(mixed - self.own[:16, :16])[:2 * lines:2].sum())

    def distance(self, vector):
        return self.slope * (abs(vector[0] - self.expected[0]) + abs(vector[1] - self.expected[1]))

    def offer(self, vector, cost):
        if cost < self.cost:
            self.best, self.cost = vector, cost

    def try_whole(self, vectors):
        for vector, sad in zip(vectors, self.sads(vectors)):
            if sad is not None:
                self.offer(vector, sad + self.distance(vector) + self.moving * (vector != (0, 0)))

    def try_quarters(self, vectors):
        for vector in vectors:
            sad = self.sad_of_quarters(vector, 8)
            if sad is not None:
                self.offer(vector, sad + (self.distance(vector) >> 2) + self.moving * (vector != (0, 0)))

    def subsample_offset(self):
        """The minimum of parabolas through the SADs around the best vector, in quarters."""
        x, y = self.best
        sads = self.sads([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1), (x, y)])
        left, right, above, below, centre = (OUTSIDE if sad is None else sad for sad in sads)

        def offset(a, z):
            D, N = a - z, a + z - 2 * centre
            if N <= 0:
                return 0
            size = (4 * abs(D) >= N) + (4 * abs(D) >= 3 * N)
            return -size if D < 0 else size
        return offset(left, right), offset(above, below)


def neighbour(grid, x, y):
    """The vector of a block, clamped to the grid."""
    return grid[min(max(y, 0), len(grid) - 1)][min(max(x, 0), len(grid[0]) - 1)]


def four_above(grid, gx, gy, half):
    """The vectors of the block of a coarser grid that contains (gx, gy) and of three beside it."""
    px, py = (gx >> 1, gy >> 1) if half else (gx, gy)
    sx, sy = (1 if g & 1 else -1 for g in (gx, gy))
    return [neighbour(grid, px + dx, py + dy) for dx, dy in ((0, 0), (sx, 0), (0, sy), (sx, sy))]


def search(own, other, full, related, slope=3, moving=12, rounds=2, enough=160):
    """The level-0 vectors from one pyramid to another. `related` are pairs (grid, factor); `rounds`
    is the number of times that the neighbours of the best vector are tried. On level 0, a cost less
    than `enough` ends the search of a block early."""
    above = None
    for k in range(3 if full else 0, -1, -1):
        a, b = own[k], other[k]
        size, margin = (8, 4) if k else (16, 0)
        grid = []
        for gy in range(-(-a.h // size)):
            grid.append([])
            for gx in range(-(-a.w // size)):
                restart = gy % 4 == 0
                L = grid[gy][gx - 1] if gx else (0, 0)
                T = L if restart else grid[gy - 1][gx]
                TR = L if restart else neighbour(grid[:gy], gx + 1, gy - 1)
                beside = [L] + ([] if restart else [T, TR])
                whole = beside if k else [((x + 2) >> 2, (y + 2) >> 2) for x, y in beside]
                fine = tuple(median(L[i], T[i], TR[i]) for i in (0, 1))
                l, t, tr = whole if len(whole) == 3 else 3 * whole
                expected = (0, 0) if k == 3 else tuple(median(l[i], t[i], tr[i]) for i in (0, 1))

                block = Block(a, b, size * gx - margin, size * gy - margin, expected, slope, moving)
                candidates = []
                if k == 3:
                    candidates += [(dx, dy) for dy in range(-4, 5) for dx in range(-6, 7)]
                candidates += [(0, 0)] + whole
                if above:
                    candidates += [(2 * x, 2 * y) for x, y in four_above(above, gx, gy, k > 0)]
                for field, factor in related:
                    if k:
                        V = neighbour(field, (8 * gx + 4 << k) >> 4, (8 * gy + 4 << k) >> 4)
                    else:
                        V = field[gy][gx]
                    candidates.append(tuple((factor * v + (1 << (k + 1))) >> (k + 2) for v in V))
                block.try_whole(candidates)
                if k == 0 and block.cost < enough:
                    grid[gy].append((4 * block.best[0], 4 * block.best[1]))
                    continue
                for _ in range(rounds):
                    x, y = block.best
                    block.try_whole([(x + dx, y + dy) for dx, dy in AROUND])
                    if block.best == (x, y):
                        break
                if k == 0:
                    x, y = block.best
                    ox, oy = block.subsample_offset()
                    block.restart(fine)
                    candidates = [(4 * x, 4 * y), (4 * x + ox, 4 * y + oy)]
                    candidates += [L] * (gx > 0) + [T] * (not restart)
                    candidates += [tuple(factor * v for v in field[gy][gx]) for field, factor in related]
                    block.try_quarters(candidates)
                grid[gy].append(block.best)
        above = grid
    return above


def split(own, other, grid):
    """The vectors of blocks of 8x8, an array [line, column, component]."""
    a, b = own[0], other[0]
    result = []
    for gy in range(-(-a.h // 8)):
        result.append([])
        for gx in range(-(-a.w // 8)):
            candidates = four_above(grid, gx, gy, True)
            first = candidates[0]
            if any(abs(v[i] - first[i]) > 1 for v in candidates[1:] for i in (0, 1)):
                block = Block(a, b, 8 * gx - 4, 8 * gy - 2, None)
                block.best = first
                for vector in dict.fromkeys(candidates + [(0, 0)]):
                    sad = block.sad_of_quarters(vector, 6)
                    if sad is not None:
                        block.offer(vector, sad + 3 * (vector != first))
                first = block.best
            result[gy].append(first)
    return np.array(result)


# 2 Compensation

TAPS = np.array([(0, 64, 0, 0), (-4, 55, 15, -2), (-4, 36, 36, -4), (-2, 15, 55, -4)])


class Compensated:
    """The picture C of a reference; `vectors` of luma blocks, `s` the chroma factors."""

    def __init__(self, picture, vectors, s, n):
        self.h, self.w = picture.shape
        sizes = 8 // s[0], 8 // s[1]
        scaled = [np.sign(v) * ((abs(v) + f // 2) // f) for v, f in zip(np.moveaxis(vectors, 2, 0), s)]
        x, y = np.arange(self.w)[None], np.arange(self.h)[:, None]
        self.vx, self.vy = (v[y // sizes[1], x // sizes[0]] for v in scaled)
        total = 0
        for j in range(4):
            line = np.clip(y + (self.vy >> 2) + j - 1, 0, self.h - 1)
            columns = [np.clip(x + (self.vx >> 2) + i - 1, 0, self.w - 1) for i in range(4)]
            across = sum(TAPS[self.vx & 3, i] * picture[line, column] for i, column in enumerate(columns))
            total = total + TAPS[self.vy & 3, j] * across
        self.samples = np.clip(total + 2048 >> 12, 0, (1 << n) - 1)

    def at(self, y, dy=0, dx=0):
        """C(x+dx, y+dy) of the lines y and all columns."""
        columns = np.clip(np.arange(self.w) + dx, 0, self.w - 1)
        return self.samples[np.clip(y + dy, 0, self.h - 1)][:, columns]


# 3 Fusion


def across(rows, reach):
    """Sums over the columns x - reach to x + reach, which repeat outside."""
    w = rows.shape[1]
    return sum(rows[:, np.clip(np.arange(w) + i, 0, w - 1)] for i in range(-reach, reach + 1))


def fused(a, spatial, compensated, network, is_luma):
    """The missing lines. `a` are the fields around, `compensated` the pictures C(k) by k."""
    n, y = a.n, a.y
    e = min(n - 8, 4)
    low, drop, most = n - 8, n - 8 - e, (1 << n) - 1
    f = balanced.Bwdif(a)
    least, greatest = np.maximum(f.d - f.range, 0), np.minimum(f.d + f.range, most)
    if not a.between:
        f.B, least, greatest = f.s, np.zeros_like(f.d), np.full_like(f.d, most)
    base = spatial if is_luma else f.B

    def value(v):
        return (v >> drop) - (base >> drop)

    def compared(k, dy=0, dx=0):
        return value(compensated[k].at(y, dy, dx))

    # Costs of the references, at 8 bits.
    rho = {k: abs((c.samples >> low) - (a.frames[a.used[0] >> 1] >> low)) for k, c in compensated.items()}
    near = {k: balanced.fifth(across(r[a.lines(-1)] + r[a.lines(1)], 2)) for k, r in rho.items()}
    far = {k: across(sum(r[a.lines(dy)] for dy in (-3, -1, 1, 3)), 5) * 5958 + 32768 >> 16 for k, r in rho.items()}
    phase = {}
    for k, c in compensated.items():
        i = c.vy[y] & 7
        j = np.minimum(i, 8 - i)
        phase[k] = 8 * (4 - (4 - j if abs(k) == 2 else j))
    q = {k: 2 * near[k] + far[k] + (32 - phase[k] >> 4) + 2 * (abs(k) == 2) for k in REFERENCES}
    index = balanced.best([q[k] for k in REFERENCES])

    def of_best(dy):
        return balanced.choose([compared(k, dy) for k in REFERENCES], index)

    def apart(k):
        return across(abs((compensated[-k].at(y) >> low) - (compensated[k].at(y) >> low)), 2) * 21845 + 32768 >> 16

    found, motion_cost, _ = balanced.motion(a)
    still = balanced.static_measure(a, is_luma)
    own = {(dy, dx): value(a.at(0, dy, dx)) for dy in (-1, 1) for dx in (-1, 0, 1)}
    values = list(own.values()) + [value(f.d3), value(f.f3)]
    values += [compared(k, dy, dx) for k in (-1, 1) for dy, dx in ((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0))]
    values += [compared(k, dy) for k in (-2, 2) for dy in (-1, 0, 1)]
    values += [value(v) for v in (f.P, f.N, f.near, f.far, f.w, f.B, found, np.clip(spatial, least, greatest))]
    chosen = of_best(0)
    C = {k: compared(k) for k in REFERENCES}
    values += [chosen, chosen + (own[-1, 0] - of_best(-1) + own[1, 0] - of_best(1) >> 1)]
    values += [np.where(q[k] < q[-k], C[k], C[-k]) for k in (1, 2)]
    values += [medians(C[-1], C[1], 0), medians(chosen, C[-1] + C[1] + 1 >> 1, value(f.P + f.N + 1 >> 1))]
    costs = [near[k] for k in REFERENCES] + [far[k] for k in REFERENCES]
    costs += [balanced.change(a), still, apart(1), apart(2)]
    costs += [phase[k] for k in REFERENCES]
    costs += [np.minimum(255, balanced.choose([q[k] for k in REFERENCES], index)), motion_cost >> 4]

    v = base + network.correction(np.stack(values + [cost << e for cost in costs]), n)
    bounds = np.stack([base] + [compensated[k].at(y) for k in REFERENCES])
    v = np.clip(v, bounds.min(0), bounds.max(0))
    z = np.clip(v, least, greatest)
    v = np.where((still < 24) & (abs(v - z) < 40 << low), z, v)
    if a.between:
        weights = {-1: 2, 1: 2, -2: 1, 2: 1}
        references = {k: compensated[k].at(y) for k in REFERENCES}
        first, last = bounds[1:].min(0), bounds[1:].max(0)
        mean = sum(weights[k] * c for k, c in references.items()) + 2 * np.clip(spatial, first, last) + 4 >> 3
        agree = last - first < (4 if is_luma else 3) << low
        agree &= np.maximum(last, spatial) - np.minimum(first, spatial) < 8 << low
        v = np.where(balanced.in_whole_groups(agree), mean, v)
    return np.where(balanced.is_static(a, still, is_luma), f.d, v)


# The clip


class Deinterlacer:
    def __init__(self, planes, sampling, first, n, codes, cut):
        self.planes, self.first, self.n, self.codes, self.cut = planes, first, n, codes, cut
        self.fields = 2 * len(planes[0])
        self.factors = [(1, 1)] + 2 * [{'420': (2, 2), '422': (2, 1)}.get(sampling, (1, 1))]
        self.fusion = [balanced.Network(f'best_{name}.txt') for name in ('luma', 'chroma', 'chroma')]
        network = balanced.Network('best_spatial.txt')
        self.around, self.spatial, self.pictures = [], [], []
        for i, plane in enumerate(planes):
            around = [balanced.Around(plane, t, first, cut, n) for t in range(self.fields)]
            missing = [balanced.spatial_luma(a, network) if i == 0 else balanced.spatial_chroma(a) for a in around]
            self.around.append(around)
            self.spatial.append(missing)
            self.pictures.append([self.completed(i, t, lines) for t, lines in enumerate(missing)])
        self.pyramids = [pyramid(picture, n) for picture in self.pictures[0]]
        self.grids = {}

    def completed(self, i, t, lines):
        """The frame of field t with these missing lines."""
        picture = self.planes[i][t >> 1].copy()
        picture[self.around[i][t].y] = lines
        return picture

    def in_scene(self, t, k):
        return 0 <= t + k < self.fields and not any(self.cut[min(t, t + k) + 1:max(t, t + k) + 1])

    def woven_with(self, t):
        """The field that gives the missing lines (§14.6), or None."""
        step = (t + 1) // 2
        code = self.codes[step][1 - (t & 1)] if step < len(self.codes) else 0
        other = {1: t - 1, 2: t + 1}.get(code, -1)
        return other if 0 <= other < self.fields else None

    def motion(self, t):
        """The level-0 grids from field t to its references in the scene."""
        before = self.grids if self.in_scene(t, -1) else {}
        now = {}
        for k, full, related in (
                (1, True, ((before, 1, 1), (before, -1, -1))),
                (-1, not self.in_scene(t, 1), ((now, 1, -1), (before, 1, -1))),
                (2, False, ((now, 1, 2), (before, 2, 1))),
                (-2, False, ((now, -1, 2), (before, -2, 1)))):
            if self.in_scene(t, k):
                known = [(grids[j], factor) for grids, j, factor in related if j in grids]
                now[k] = search(self.pyramids[t], self.pyramids[t + k], full, known)
        return now

    def replacements(self, t):
        """The offset of the field that serves as t+k, by k."""
        result = {}
        for k in REFERENCES:
            tries = (k, -k) if abs(k) == 1 else (k, -k, -1, 1)
            result[k] = next(j for j in tries if self.in_scene(t, j))
        return result

    def output(self, t):
        """The planes of output t, which become references of the fields after it."""
        other = self.woven_with(t)
        if other is not None:
            self.grids = {}
            lines = [plane[other >> 1][self.around[i][t].y] for i, plane in enumerate(self.planes)]
        elif sum(self.in_scene(t, k) for k in REFERENCES) < 2:
            self.grids = {}
            lines = [missing[t] for missing in self.spatial]
        else:
            self.grids = self.motion(t)
            vectors = {k: split(self.pyramids[t], self.pyramids[t + k], grid) for k, grid in self.grids.items()}
            used = self.replacements(t)
            lines = []
            for i in range(len(self.planes)):
                C = {k: Compensated(self.pictures[i][t + j], vectors[j], self.factors[i], self.n)
                     for k, j in used.items()}
                lines.append(fused(self.around[i][t], self.spatial[i][t], C, self.fusion[i], i == 0))
        out = [self.completed(i, t, missing) for i, missing in enumerate(lines)]
        for pictures, picture in zip(self.pictures, out):
            pictures[t] = picture
        self.pyramids[t] = pyramid(out[0], self.n)
        return out


def deinterlaced(planes, sampling, first, n, chroma='same', codes=(), cut=None):
    """The outputs of a clip, each a list of planes. `planes` are Y, U, V [frame, line, column];
    `first` is the parity of the first field; `codes` are pairs (prev2, cur1) for each step; `cut`
    replaces the scene cuts before each field."""
    planes = [plane.astype(np.int64) for plane in planes]
    height, width = planes[0].shape[1:]
    if sampling == '411':
        sampling = '422'
        planes = planes[:1] + [balanced.widened(plane, (width + 1) // 2) for plane in planes[1:]]
    model = Deinterlacer(planes, sampling, first, n, codes, cut or balanced.cuts(planes[0], first, n))
    outputs = []
    for t in range(model.fields):
        out = model.output(t)
        outputs.append(out[:1] + [balanced.converted(c, sampling, chroma, height) for c in out[1:]])
    return outputs
