#include "model.h"

enum { AROUND = 8 }; /* columns on either side that windows read */

static int five(const int *a, int x) { return a[x - 2] + a[x - 1] + a[x] + a[x + 1] + a[x + 2]; }

/* Candidates of the search in time: (columns, lines), in order. */
static const int SEARCH[11][2] = { { 0, 0 },  { -1, 0 }, { 1, 0 },  { -2, 0 }, { 2, 0 }, { -3, 0 },
                                   { 3, 0 },  { -4, 0 }, { 4, 0 },  { 0, -2 }, { 0, 2 } };

static void search(const Clip *c, int p, int n, int y, int *around, int16_t *value, int16_t *cost)
{
    for (int i = 0; i < 11; i++) {
        int dx = SEARCH[i][0], dy = SEARCH[i][1];
        const uint8_t *P[3], *N[3];
        for (int k = 0; k < 3; k++) {
            P[k] = field_line(c, p, y + dy + 2 * k - 2);
            N[k] = field_line(c, n, y - dy + 2 * k - 2);
        }
        for (int x = -4; x < c->w + 4; x++)
            around[x] = absolute(P[0][x + dx] - N[0][x - dx])
                        + 2 * absolute(P[1][x + dx] - N[1][x - dx])
                        + absolute(P[2][x + dx] - N[2][x - dx]);
        for (int x = 0; x < c->w; x++) {
            int s = five(around, x) + around[x - 3] + around[x + 3]
                    + 3 * (absolute(dx) + absolute(dy));
            if (!i || s < cost[x]) {
                cost[x] = s;
                value[x] = (P[1][x + dx] + N[1][x - dx] + 1) >> 1;
            }
        }
    }
    for (int x = 0; x < c->w; x++)
        cost[x] >>= 4;
}

/* bwdif's value and limits. */
static void values(const Clip *f, int t, int y, int p, int n, int16_t *const out[B_ROWS])
{
    int q = field_at(f, t, -2), r = field_at(f, t, 2);
    const uint8_t *c = field_line(f, t, y - 1), *e = field_line(f, t, y + 1);
    const uint8_t *c3 = field_line(f, t, y - 3), *e3 = field_line(f, t, y + 3);
    const uint8_t *P[5], *N[5]; /* lines y-4, y-2, y, y+2, y+4 */
    for (int k = 0; k < 5; k++) {
        P[k] = field_line(f, p, y + 2 * k - 4);
        N[k] = field_line(f, n, y + 2 * k - 4);
    }
    const uint8_t *Qc = field_line(f, q, y - 1), *Qe = field_line(f, q, y + 1);
    const uint8_t *Rc = field_line(f, r, y - 1), *Re = field_line(f, r, y + 1);
    for (int x = 0; x < f->w; x++) {
        int d = (P[2][x] + N[2][x]) >> 1, change = absolute(P[2][x] - N[2][x]);
        int before = (absolute(Qc[x] - c[x]) + absolute(Qe[x] - e[x])) >> 1;
        int after = (absolute(Rc[x] - c[x]) + absolute(Re[x] - e[x])) >> 1;
        int D = larger(change >> 1, larger(before, after));
        int s = (5077 * (c[x] + e[x]) - 981 * (c3[x] + e3[x])) >> 13;
        int near = P[1][x] + N[1][x] + P[3][x] + N[3][x];
        int far = P[0][x] + N[0][x] + P[4][x] + N[4][x];
        int m = (((5570 * (P[2][x] + N[2][x]) - 3801 * near + 1016 * far) >> 2)
                 + 4309 * (c[x] + e[x]) - 213 * (c3[x] + e3[x])) >> 13;
        int b = ((P[1][x] + N[1][x]) >> 1) - c[x], g = ((P[3][x] + N[3][x]) >> 1) - e[x];
        int dc = d - c[x], de = d - e[x];
        int hi = larger(larger(de, dc), smaller(b, g)), lo = smaller(smaller(de, dc), larger(b, g));
        int D2 = D ? larger(D, larger(lo, -hi)) : 0;
        int v = limit(absolute(c[x] - e[x]) > change ? m : s, d - D2, d + D2);
        out[B_VALUE][x] = D ? clip8(v) : d;
        out[B_LEAST][x] = clip8(d - D2);
        out[B_GREATEST][x] = clip8(d + D2);
        out[B_MEAN][x] = d;
        out[B_BEFORE][x] = P[2][x];
        out[B_AFTER][x] = N[2][x];
        out[B_AROUND][x] = (near + 2) >> 2;
        out[B_FAR][x] = (Qc[x] + Qe[x] + Rc[x] + Re[x] + 2) >> 2;
        out[B_W3F][x] = clip8(m);
        out[B_CHANGE][x] = change;
    }
}

/* The static measure: the largest change of three pairs of fields. */
static void statics(const Clip *f, int t, int y, int p, int n, int *around, int16_t *out)
{
    const uint8_t *P[3], *N[3];
    for (int k = 0; k < 3; k++) {
        P[k] = field_line(f, p, y + 2 * k - 2);
        N[k] = field_line(f, n, y + 2 * k - 2);
    }
    for (int x = -2; x < f->w + 2; x++)
        around[x] = absolute(P[0][x] - N[0][x]) + 2 * absolute(P[1][x] - N[1][x])
                    + absolute(P[2][x] - N[2][x]);
    for (int x = 0; x < f->w; x++)
        out[x] = five(around, x) >> 3;
    for (int k = -2; k <= 2; k += 4) {
        int u = field_at(f, t, k);
        const uint8_t *c = field_line(f, t, y - 1), *e = field_line(f, t, y + 1);
        const uint8_t *C = field_line(f, u, y - 1), *E = field_line(f, u, y + 1);
        for (int x = -2; x < f->w + 2; x++)
            around[x] = absolute(C[x] - c[x]) + absolute(E[x] - e[x]);
        for (int x = 0; x < f->w; x++)
            out[x] = larger(out[x], fifth(five(around, x)));
    }
}

/* The comb measure. */
static void combs(const Clip *f, int t, int y, int p, int n, int *around, int16_t *out)
{
    const uint8_t *P = field_line(f, p, y), *N = field_line(f, n, y);
    const uint8_t *c = field_line(f, t, y - 1), *e = field_line(f, t, y + 1);
    for (int x = -2; x < f->w + 2; x++)
        around[x] = absolute(P[x] + N[x] - c[x] - e[x]) >> 1;
    for (int x = 0; x < f->w; x++)
        out[x] = fifth(five(around, x));
}

void bwdif_line(const Clip *c, int t, int y, int16_t *const out[B_ROWS])
{
    int p = field_at(c, t, -1), n = field_at(c, t, 1);
    int *around = malloc(sizeof(int) * (c->w + 2 * AROUND));
    values(c, t, y, p, n, out);
    statics(c, t, y, p, n, around + AROUND, out[B_STATIC]);
    combs(c, t, y, p, n, around + AROUND, out[B_COMB]);
    search(c, p, n, y, around + AROUND, out[B_SEARCH], out[B_SEARCH_COST]);
    free(around);
}
