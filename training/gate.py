"""The static samples of §14.4: those whose output is d. No network decides them, so training
passes them over, and the recursion of `best` weaves them.

All numbers of the rule are here; best/model.py passes them to the C model, too. Samples have 8
bits.
"""
import numpy as np

# A sample is static if input 19 is below this, or its local change at most that.
STATIC = dict(luma=3, chroma=1)
LOCAL = dict(luma=1, chroma=0)
# Steady cells: columns and lines of a cell, and the mean change up to which it is steady or nearly
# steady, in 1/16 of a code value.
CELL, STEADY, NEARLY = 32, 8 * 16, 12 * 16
# A sample of a steady cell is static if input 20 >= STEADY_FACTOR * input 19, a sample of a nearly
# steady cell if input 20 >= NEARLY_FACTOR * input 19.
STEADY_FACTOR, NEARLY_FACTOR = 1, 2
# Still lines: columns on either side of a sample, the maximum difference of the line in three
# fields, and its minimum distance to the lines above and below it.
LINE_RADIUS, LINE_CHANGE, LINE_CONTRAST = 2, 4, 8


def numbers():
    """The numbers for the C model, by name; luma is 0 and chroma 1."""
    return dict(GATE_STATIC_LUMA=STATIC['luma'], GATE_STATIC_CHROMA=STATIC['chroma'],
                GATE_LOCAL_LUMA=LOCAL['luma'], GATE_LOCAL_CHROMA=LOCAL['chroma'], STEADY_CELL=CELL,
                STEADY_LIMIT=STEADY, STEADY_NEARLY=NEARLY, STEADY_FACTOR=STEADY_FACTOR,
                NEARLY_FACTOR=NEARLY_FACTOR, LINE_RADIUS=LINE_RADIUS, LINE_CHANGE=LINE_CHANGE,
                LINE_CONTRAST=LINE_CONTRAST)


def sums(a, size):
    """Sums of squares of `size` columns and rows; the last ones may be smaller."""
    for axis in (0, 1):
        a = np.add.reduceat(a, np.arange(0, a.shape[axis], size), axis)
    return a


def steady_cells(fields, t):
    """2 for a steady cell, 1 for one that is nearly steady: [rows, columns] of cells."""
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
    return (z <= STEADY * k).astype(int) + (z <= NEARLY * k)


def still_lines(fields, t, y):
    """Samples of the missing lines y on thin lines that stand still before moving pictures."""
    third = t - 3 if t & 1 else t + 3
    if not fields.usable(t, third):
        return np.zeros((len(y), fields.w), bool)
    p, n, q, r = (fields.reference(t, k) for k in (-1, 1, -2, 2))
    before, after, x = (fields.rows(k, y).astype(int) for k in (p, n, third))
    around = [fields.rows(k, y + step).astype(int) for k in (t, q, r) for step in (-1, 1)]
    low, high = np.minimum(before, after), np.maximum(before, after)
    is_still = np.maximum(high, x) - np.minimum(low, x) <= LINE_CHANGE
    is_bright = is_still & (low - np.max(around, 0) >= LINE_CONTRAST)
    is_dark = is_still & (np.min(around, 0) - high >= LINE_CONTRAST)

    def all_near(a):
        pad = (a.shape[1] - fields.w) // 2
        return np.all([a[:, pad + j:pad + j + fields.w]
                       for j in range(-LINE_RADIUS, LINE_RADIUS + 1)], 0)
    return all_near(is_bright) | all_near(is_dark)


def static(fields, t, static_measure, comb, plane='luma'):
    """Whether the missing samples of field t are static: [rows, w]. The measures are inputs 19 and
    20 of §14.3."""
    y, w = fields.missing(t), fields.w
    result = static_measure < STATIC[plane]
    if not (fields.usable(t, t - 1) and fields.usable(t, t + 1)):
        return result
    p, n, q, r = (fields.reference(t, k) for k in (-1, 1, -2, 2))
    change = abs(fields.rows(p, y) - fields.rows(n, y))
    above, below = (maximum_of_three(np.maximum(change, np.maximum(abs(a - f), abs(b - f))), w)
                    for f, a, b in ((fields.rows(k, y + step) for k in (t, q, r))
                                    for step in (-1, 1)))
    result = result | (np.minimum(above, below) <= LOCAL[plane])
    if plane != 'luma':
        return result
    cells = steady_cells(fields, t)[y // CELL][:, np.arange(w) // CELL]
    comb, measure = comb.astype(int), static_measure.astype(int)
    for level, factor in ((2, STEADY_FACTOR), (1, NEARLY_FACTOR)):
        result = result | ((cells == level) & (comb >= factor * measure))
    return result | still_lines(fields, t, y)


def maximum_of_three(a, w):
    """The maximum of three columns; `a` has equal borders on both sides of w columns."""
    pad = (a.shape[1] - w) // 2
    return np.maximum(a[:, pad:pad + w],
                      np.maximum(a[:, pad - 1:pad + w - 1], a[:, pad + 1:pad + w + 1]))
