"""Inputs of the networks of the deinterlacer `balanced`, for whole pictures, in integers.

This is a model of the arithmetic written apart from the crate. Samples have 8 bits.
"""
import numpy as np

PAD = 16
ORDER = (0, -1, 1, -2, 2, -3, 3, -4, 4)

# Columns of the table that `table` makes. The first INPUTS are the inputs of the networks; the rest
# are for experiments.
NAMES = ['c-', 'c', 'c+', 'e-', 'e', 'e+', 'c3', 'e3', 'P', 'N', 'PN2', 'QR', 'M', 's', 'w',
         'angle', 'search', '|P-N|', '|c-e|', 'static', 'comb', 'angle cost', 'angle 0 cost',
         'search cost', 'search 0 cost', 'D2',
         'T1', 'T1 cost', 'T2', 'T2 cost', 'X3', 'X3 cost']
COLUMNS, INPUTS = len(NAMES), 26
STATIC, COMB = 19, 20

# Columns exchanged by mirrors of the picture and of time.
FLIPS = {
    'h': [(0, 2), (3, 5)],
    'v': [(0, 3), (1, 4), (2, 5), (6, 7)],
    't': [(8, 9)],
}


def flip(kinds):
    """The order of columns after mirrors, for example 'hv'."""
    order = np.arange(COLUMNS)
    for kind in kinds:
        for a, b in FLIPS[kind]:
            order[[a, b]] = order[[b, a]]
    return order


def inside(y, h):
    """Rows outside the picture become the nearest row of their parity."""
    if h == 1:
        return np.zeros_like(y)
    low, high = y & 1, h - 1 - ((h - 1 - y) & 1)
    return np.where(y < 0, low, np.where(y >= h, high, y))


class Fields:
    """The fields of a plane of interlaced frames [n, h, w]."""

    def __init__(self, frames, bff=False, cuts=()):
        self.frames, self.bff = frames, bool(bff)
        self.count, self.h, self.w = 2 * len(frames), frames.shape[1], frames.shape[2]
        # First fields of scenes, besides field 0.
        self.cuts = sorted(cuts)
        self.padded = {}

    def parity(self, t):
        return (t & 1) ^ self.bff

    def missing(self, t):
        return np.arange(1 - self.parity(t), self.h, 2)

    def usable(self, t, u):
        """Whether field `u` is in the clip and in the scene of field `t`."""
        if not 0 <= u < self.count:
            return False
        a, b = min(t, u), max(t, u)
        return not any(a < cut <= b for cut in self.cuts)

    def reference(self, t, step):
        """The field used as t + step."""
        if self.usable(t, t + step):
            return t + step
        if step in (-1, 1):
            return t - step if self.usable(t, t - step) else t
        if step in (-2, 2):
            return t
        return self.reference(t, step + (2 if step < 0 else -2))

    def rows(self, t, y):
        """Rows `y` of field t as int16 [rows, w + 2 * PAD]."""
        frame = t >> 1
        if frame not in self.padded:
            if len(self.padded) > 4:
                self.padded.pop(min(self.padded))
            self.padded[frame] = np.pad(self.frames[frame].astype(np.int16),
                                        ((0, 0), (PAD, PAD)), 'edge')
        return self.padded[frame][inside(y, self.h)]


def add5(a):
    """Sums of five columns; the result is narrower by four."""
    return a[:, :-4] + a[:, 1:-3] + a[:, 2:-2] + a[:, 3:-1] + a[:, 4:]


def add7(a):
    return (a[:, :-6] + a[:, 1:-5] + a[:, 2:-4] + a[:, 3:-3] + a[:, 4:-2] + a[:, 5:-1] + a[:, 6:])


def fifth(a):
    return ((a.astype(np.int32) * 13107 + 32768) >> 16).astype(np.int16)


def clip8(a):
    return np.clip(a, 0, 255)


def bwdif(c, e, c3, e3, P, N, near, far, Qc, Qe, Rc, Re):
    """Value, clipped spatial value, clipped mixed value, and the range allowed around the mean.

    near: Pm, Nm, Pp, Np; far: the sum of rows y-4, y+4 of both neighbours. All int32."""
    Pm, Nm, Pp, Np = near
    d = (P + N) >> 1
    t0 = abs(P - N)
    t1 = (abs(Qc - c) + abs(Qe - e)) >> 1
    t2 = (abs(Rc - c) + abs(Re - e)) >> 1
    D = np.maximum(t0 >> 1, np.maximum(t1, t2))
    s = (5077 * (c + e) - 981 * (c3 + e3)) >> 13
    w = (((5570 * (P + N) - 3801 * (Pm + Nm + Pp + Np) + 1016 * far) >> 2)
         + 4309 * (c + e) - 213 * (c3 + e3)) >> 13
    b = ((Pm + Nm) >> 1) - c
    g = ((Pp + Np) >> 1) - e
    dc, de = d - c, d - e
    hi = np.maximum(np.maximum(de, dc), np.minimum(b, g))
    lo = np.minimum(np.minimum(de, dc), np.maximum(b, g))
    D2 = np.maximum(D, np.maximum(lo, -hi))
    v = np.where(abs(c - e) > t0, w, s)
    v = clip8(np.minimum(np.maximum(v, d - D2), d + D2))
    still = D == 0
    return np.where(still, d, v), clip8(s), clip8(w), np.where(still, 0, D2)


def table(fields, t, wide=False):
    """Rows, bwdif's values B [rows, w] and inputs of the missing rows of t.

    The inputs are [INPUTS, rows, w], with `wide` [COLUMNS, rows, w]."""
    y = fields.missing(t)
    w = fields.w
    p, n, q, r = (fields.reference(t, k) for k in (-1, 1, -2, 2))
    at = fields.rows
    crop = slice(PAD, PAD + w)

    def mid(a):
        return a[:, crop]

    c, e, c3, e3 = at(t, y - 1), at(t, y + 1), at(t, y - 3), at(t, y + 3)
    P, N = at(p, y), at(n, y)
    Pm, Pp, Nm, Np = at(p, y - 2), at(p, y + 2), at(n, y - 2), at(n, y + 2)
    Pm4, Pp4, Nm4, Np4 = at(p, y - 4), at(p, y + 4), at(n, y - 4), at(n, y + 4)
    Qc, Qe, Rc, Re = at(q, y - 1), at(q, y + 1), at(r, y - 1), at(r, y + 1)

    wide_ints = [mid(a).astype(np.int32) for a in
                 (c, e, c3, e3, P, N, Pm, Nm, Pp, Np, Pm4 + Nm4 + Pp4 + Np4, Qc, Qe, Rc, Re)]
    B, s, mixed, D2 = bwdif(*wide_ints[:6], wide_ints[6:10], wide_ints[10], *wide_ints[11:])
    B = B.astype(np.int16)
    F = np.zeros((COLUMNS if wide else INPUTS, len(y), w), np.int16)
    for k, j in enumerate((-1, 0, 1)):
        F[k] = c[:, PAD + j:PAD + j + w] - B
        F[3 + k] = e[:, PAD + j:PAD + j + w] - B
    F[6], F[7], F[8], F[9] = mid(c3) - B, mid(e3) - B, mid(P) - B, mid(N) - B
    F[10] = mid((Pm + Nm + Pp + Np + 2) >> 2) - B
    F[11] = mid((Qc + Qe + Rc + Re + 2) >> 2) - B
    F[12] = mid((P + N + 1) >> 1) - B
    F[13], F[14] = s - B, mixed - B
    F[25] = D2
    F[17], F[18] = mid(abs(P - N)), mid(abs(c - e))

    five = slice(PAD - 2, PAD + w + 2)
    a = abs(Pm - Nm) + 2 * abs(P - N) + abs(Pp - Np)
    F[STATIC] = np.maximum(add5(a[:, five]) >> 3, np.maximum(
        fifth(add5((abs(Qc - c) + abs(Qe - e))[:, five])),
        fifth(add5((abs(Rc - c) + abs(Re - e))[:, five]))))
    F[COMB] = fifth(add5((abs(P + N - c - e) >> 1)[:, five]))

    best = None
    for j in ORDER:
        left, right = c[:, PAD + j - 2:PAD + j + w + 2], e[:, PAD - j - 2:PAD - j + w + 2]
        cost = add5(abs(left - right)) + 2 * abs(j)
        value = (left[:, 2:-2] + right[:, 2:-2] + 1) >> 1
        if best is None:
            best, chosen = cost, value
            F[22] = cost >> 1
        else:
            chosen = np.where(cost < best, value, chosen)
            best = np.minimum(best, cost)
    F[15], F[21] = chosen - B, best >> 1

    def candidates(list_, state, first):
        for j, v in list_:
            def pair(k):
                return abs(at_p[v + k][:, PAD + j - 3:PAD + j + w + 3]
                           - at_n[-v + k][:, PAD - j - 3:PAD - j + w + 3])
            sums = pair(-2) + 2 * pair(0) + pair(2)
            cost = add7(sums) + 3 * abs(j) + 3 * abs(v)
            value = (at_p[v][:, PAD + j:PAD + j + w] + at_n[-v][:, PAD - j:PAD - j + w] + 1) >> 1
            if first:
                state, first = (cost, value), False
                F[24] = cost >> 4
            else:
                state = (np.minimum(state[0], cost), np.where(cost < state[0], value, state[1]))
        return state

    at_p = {0: P, -2: Pm, 2: Pp, -4: Pm4, 4: Pp4}
    at_n = {0: N, -2: Nm, 2: Np, -4: Nm4, 4: Np4}
    state = candidates([(j, 0) for j in ORDER], None, True)
    vertical = candidates([(0, -2), (0, 2)], state, False)
    F[16], F[23] = vertical[1] - B, vertical[0] >> 4
    if wide:
        F[26], F[27] = state[1] - B, state[0] >> 4
        full = candidates([(j, v) for v in (-2, 2) for j in ORDER], state, False)
        F[28], F[29] = full[1] - B, full[0] >> 4
        P3, N3 = at(fields.reference(t, -3), y), at(fields.reference(t, 3), y)
        F[30] = mid((P3 + N3 + 1) >> 1) - B
        F[31] = fifth(add5((abs(P - P3) + abs(N - N3))[:, five]))
    return y, B, F
