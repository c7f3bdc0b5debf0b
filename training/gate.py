"""The static samples of §14.4: those whose output is d. No network decides them, so training
passes them over, and the recursion of `best` weaves them.

All numbers of the rule are here; best/model.py passes them to the C model, too. Samples have 8
bits.
"""
import numpy as np

# A sample is static if input 19 is below this, or its local change at most that.
STATIC = dict(luma=3, chroma=1)
LOCAL = dict(luma=1, chroma=0)
# Calm cells: columns and lines of a cell, and the mean change up to which it is calm or nearly
# calm, in 1/16 of a code value.
CELL, CALM, NEARLY = 32, 8 * 16, 12 * 16
# A sample of a calm cell is static if a * input 20 >= b * input 19; the second pair is that of
# nearly calm cells.
RATIOS = dict(balanced=((3, 2), (1, 2)), best=((1, 1), (1, 2)))
# Edge lines: columns of a group, its mean change up to which it is calm, and the factor of the
# change of five columns against input 20.
EDGE_GROUP, EDGE_CALM, EDGE_RATIO = 64, 8, 4


def numbers():
    """The numbers for the C model, by name; luma is 0 and chroma 1."""
    (a, b), (near_a, near_b) = RATIOS['best']
    return dict(GATE_STATIC_LUMA=STATIC['luma'], GATE_STATIC_CHROMA=STATIC['chroma'],
                GATE_LOCAL_LUMA=LOCAL['luma'], GATE_LOCAL_CHROMA=LOCAL['chroma'], CALM_CELL=CELL,
                CALM_MOST=CALM, CALM_NEARLY=NEARLY, CALM_A=a, CALM_B=b, NEARLY_A=near_a,
                NEARLY_B=near_b, EDGE_GROUP=EDGE_GROUP, EDGE_CALM=EDGE_CALM, EDGE_RATIO=EDGE_RATIO)


def sums(a, size):
    """Sums of squares of `size` columns and rows; the last ones may be smaller."""
    for axis in (0, 1):
        a = np.add.reduceat(a, np.arange(0, a.shape[axis], size), axis)
    return a


def calm_cells(fields, t):
    """2 for a calm cell, 1 for one that is nearly calm: [rows, columns] of cells."""
    h, w = fields.h, fields.w
    change = np.zeros((-(-h // CELL), -(-w // CELL)), np.int64)
    refs = {k: fields.reference(t, k) for k in (-2, -1, 1, 2)}
    for a, b in ((refs[-1], refs[1]), (refs[-2], t), (t, refs[2])):
        whole, count = np.zeros((h, w), np.int64), np.zeros((h, w), np.int64)
        y = np.arange(fields.parity(a), h, 2)
        whole[y] = abs(fields.frames[a >> 1][y].astype(int) - fields.frames[b >> 1][y])
        count[y] = 1
        change = np.maximum(change, 16 * sums(whole, CELL) // np.maximum(1, sums(count, CELL)))

    def around(v):
        p = np.pad(v, 1)
        return sum(p[j:j + v.shape[0], i:i + v.shape[1]] for j in range(3) for i in range(3))
    z, k = around(change), around(np.ones_like(change))
    return (z <= CALM * k).astype(int) + (z <= NEARLY * k)


def edge_samples(fields, t, y, comb):
    """Static samples of line y, the first or the last one; comb: input 20 of the line."""
    near, far = (fields.rows(fields.reference(t, k), np.array([y]))[0].astype(int) for k in (-1, 1))
    wide = abs(near - far)
    pad = (len(wide) - fields.w) // 2
    starts = np.arange(0, fields.w, EDGE_GROUP)
    total = np.add.reduceat(wide[pad:pad + fields.w], starts)
    size = np.diff(starts, append=fields.w)
    calm = np.repeat(total <= EDGE_CALM * size, size)
    five = sum(wide[pad + j:pad + j + fields.w] for j in range(-2, 3))
    return calm & (EDGE_RATIO * ((five * 13107 + 32768) >> 16) <= comb)


def static(fields, t, static_measure, comb, plane='luma', rules='balanced'):
    """Whether the missing samples of field t are static: [rows, w]. The measures are inputs 19 and
    20 of §14.3."""
    y, w = fields.missing(t), fields.w
    result = static_measure < STATIC[plane]
    if not (fields.usable(t, t - 1) and fields.usable(t, t + 1)):
        return result
    p, n, q, r = (fields.reference(t, k) for k in (-1, 1, -2, 2))
    change = abs(fields.rows(p, y) - fields.rows(n, y))
    above, below = (most_of_three(np.maximum(change, np.maximum(abs(a - f), abs(b - f))), w)
                    for f, a, b in ((fields.rows(k, y + step) for k in (t, q, r))
                                    for step in (-1, 1)))
    result = result | (np.minimum(above, below) <= LOCAL[plane])
    if plane != 'luma':
        return result
    cells = calm_cells(fields, t)[y // CELL][:, np.arange(w) // CELL]
    comb, measure = comb.astype(int), static_measure.astype(int)
    for level, (a, b) in zip((2, 1), RATIOS[rules]):
        result = result | ((cells == level) & (a * comb >= b * measure))
    for i, line in enumerate(y):
        if line in (0, fields.h - 1):
            result[i] |= edge_samples(fields, t, line, comb[i])
    return result


def most_of_three(a, w):
    """The greatest of three columns; `a` has equal borders on both sides of w columns."""
    pad = (a.shape[1] - w) // 2
    return np.maximum(a[:, pad:pad + w],
                      np.maximum(a[:, pad - 1:pad + w - 1], a[:, pad + 1:pad + w + 1]))
