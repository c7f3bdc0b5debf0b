/* Static samples (§14.4). The numbers of the rule come from ../../gate.py. */
#include "model.h"

static int between_fields(const Clip *c, int t) { return t > 0 && t + 1 < c->fields; }

/* Mean changes of the cells of a row from field a to field b, in 1/16; `change`: the largest. */
static void cell_changes(const Clip *c, int a, int b, int row, int columns, int *change)
{
    int top = row * STEADY_CELL, bottom = smaller(top + STEADY_CELL, c->h);
    for (int i = 0; i < columns; i++) {
        int left = i * STEADY_CELL, right = smaller(left + STEADY_CELL, c->w), sum = 0, count = 0;
        for (int y = top + ((top ^ a) & 1); y < bottom; y += 2) {
            const uint8_t *p = field_line(c, a, y), *q = field_line(c, b, y);
            for (int x = left; x < right; x++)
                sum += absolute(p[x] - q[x]);
            count += right - left;
        }
        change[i] = larger(change[i], 16 * sum / larger(1, count));
    }
}

void gate_field(Plane *p, int t)
{
    const Clip *c = &p->clip;
    int columns = p->steady_columns, rows = (c->h + STEADY_CELL - 1) / STEADY_CELL;
    memset(p->steady, 0, (size_t)columns * rows);
    if (!p->is_luma || !between_fields(c, t))
        return;
    int *change = calloc((size_t)columns * rows, sizeof(int));
    for (int j = 0; j < rows; j++) {
        cell_changes(c, t - 1, t + 1, j, columns, change + (size_t)j * columns);
        cell_changes(c, field_at(c, t, -2), t, j, columns, change + (size_t)j * columns);
        cell_changes(c, t, field_at(c, t, 2), j, columns, change + (size_t)j * columns);
    }
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            int sum = 0, count = 0;
            for (int v = larger(0, j - 1); v <= smaller(rows - 1, j + 1); v++)
                for (int u = larger(0, i - 1); u <= smaller(columns - 1, i + 1); u++) {
                    sum += change[v * columns + u];
                    count++;
                }
            p->steady[j * columns + i] = (sum <= STEADY_LIMIT * count) + (sum <= STEADY_NEARLY * count);
        }
    free(change);
}

/* The maximum change of three columns around x of one known line. */
static int change_at(const uint8_t *const rows[5], int x)
{
    int maximum = 0;
    for (int i = x - 1; i <= x + 1; i++) {
        maximum = larger(maximum, absolute(rows[0][i] - rows[1][i]));
        maximum = larger(maximum, absolute(rows[3][i] - rows[2][i]));
        maximum = larger(maximum, absolute(rows[4][i] - rows[2][i]));
    }
    return maximum;
}

static void local_changes(const Plane *p, int t, int y, int limit)
{
    const Clip *c = &p->clip;
    int q = field_at(c, t, -2), r = field_at(c, t, 2);
    const uint8_t *before = field_line(c, t - 1, y), *after = field_line(c, t + 1, y);
    const uint8_t *above[5] = { before, after, field_line(c, t, y - 1), field_line(c, q, y - 1),
                                field_line(c, r, y - 1) };
    const uint8_t *below[5] = { before, after, field_line(c, t, y + 1), field_line(c, q, y + 1),
                                field_line(c, r, y + 1) };
    for (int x = 0; x < c->w; x++)
        p->still[x] |= change_at(above, x) <= limit || change_at(below, x) <= limit;
}

static void steady_samples(const Plane *p, int y)
{
    const uint8_t *cells = p->steady + (size_t)(y / STEADY_CELL) * p->steady_columns;
    for (int x = 0; x < p->clip.w; x++) {
        int measure = p->bwdif[B_STATIC][x], comb = p->bwdif[B_COMB][x];
        if (cells[x / STEADY_CELL] == 2)
            p->still[x] |= comb >= STEADY_FACTOR * measure;
        else if (cells[x / STEADY_CELL] == 1)
            p->still[x] |= comb >= NEARLY_FACTOR * measure;
    }
}

/* 1: the samples of column x are of a bright line, 2: of a dark one, 0: of none. rows: the line in
 * three fields, then the lines above and below it. */
static int line_at(const uint8_t *const rows[9], int x)
{
    int low = smaller(rows[0][x], rows[1][x]), high = larger(rows[0][x], rows[1][x]);
    int minimum = 255, maximum = 0;
    if (larger(high, rows[2][x]) - smaller(low, rows[2][x]) > LINE_CHANGE)
        return 0;
    for (int i = 3; i < 9; i++) {
        minimum = smaller(minimum, rows[i][x]);
        maximum = larger(maximum, rows[i][x]);
    }
    return (low - maximum >= LINE_CONTRAST) + 2 * (minimum - high >= LINE_CONTRAST);
}

static void still_lines(const Plane *p, int t, int y)
{
    const Clip *c = &p->clip;
    int third = t & 1 ? t - 3 : t + 3, q = field_at(c, t, -2), r = field_at(c, t, 2);
    if (third < 0 || third >= c->fields)
        return;
    const uint8_t *rows[9] = {
        field_line(c, t - 1, y), field_line(c, t + 1, y), field_line(c, third, y),
        field_line(c, t, y - 1), field_line(c, t, y + 1), field_line(c, q, y - 1),
        field_line(c, q, y + 1), field_line(c, r, y - 1), field_line(c, r, y + 1)
    };
    for (int x = 0; x < c->w; x++) {
        int all = 3;
        for (int i = x - LINE_RADIUS; i <= x + LINE_RADIUS && all; i++)
            all &= line_at(rows, i);
        p->still[x] |= all != 0;
    }
}

void gate_line(Plane *p, int t, int y)
{
    const Clip *c = &p->clip;
    int threshold = p->is_luma ? GATE_STATIC_LUMA : GATE_STATIC_CHROMA;
    for (int x = 0; x < c->w; x++)
        p->still[x] = p->bwdif[B_STATIC][x] < threshold;
    if (!between_fields(c, t))
        return;
    local_changes(p, t, y, p->is_luma ? GATE_LOCAL_LUMA : GATE_LOCAL_CHROMA);
    if (!p->is_luma)
        return;
    steady_samples(p, y);
    still_lines(p, t, y);
}
