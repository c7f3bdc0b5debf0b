#include "model.h"

enum { NEAR = 24, FAR = 40, WIDE = 9999, MARGIN = 16 };

/* Rows of residuals repeat their columns: pictures have a border. */
void residuals(Plane *p, int t)
{
    for (int k = 0; k < REFS; k++) {
        Reference *r = &p->refs[k];
        for (int y = t & 1; y < p->clip.h; y += 2) {
            const uint8_t *a = line(&r->picture, y), *f = field_line(&p->clip, t, y);
            uint8_t *to = line(&r->residual, y);
            for (int x = 0; x < p->clip.w; x++)
                to[x] = absolute(a[x] - f[x]);
            memset(to - MARGIN, to[0], MARGIN);
            memset(to + p->clip.w, to[p->clip.w - 1], MARGIN);
        }
    }
}

static int16_t *row(Plane *p, int i) { return p->in + (size_t)i * p->stride; }

static void put(Plane *p, int i, const uint8_t *v, const uint8_t *base)
{
    int16_t *to = row(p, i);
    for (int x = 0; x < p->clip.w; x++)
        to[x] = v[x] - base[x];
}

static void put_words(Plane *p, int i, const int16_t *v, const uint8_t *base)
{
    int16_t *to = row(p, i);
    for (int x = 0; x < p->clip.w; x++)
        to[x] = v[x] - base[x];
}

/* Inputs 0 to 31: values. */
static void value_inputs(Plane *p, int t, int y, const uint8_t *base)
{
    const Clip *f = &p->clip;
    const uint8_t *c = field_line(f, t, y - 1), *e = field_line(f, t, y + 1);
    for (int j = 0; j < 3; j++) {
        put(p, j, c + j - 1, base);
        put(p, 3 + j, e + j - 1, base);
    }
    put(p, 6, field_line(f, t, y - 3), base);
    put(p, 7, field_line(f, t, y + 3), base);
    for (int k = 0; k < REFS; k++) {
        const Picture *C = &p->refs[k].picture;
        const uint8_t *up = line(C, y - 1), *here = line(C, y), *down = line(C, y + 1);
        if (k < 2) {
            put(p, 8 + 5 * k, up, base);
            put(p, 9 + 5 * k, here - 1, base);
            put(p, 10 + 5 * k, here, base);
            put(p, 11 + 5 * k, here + 1, base);
            put(p, 12 + 5 * k, down, base);
        } else {
            put(p, 12 + 3 * k, up, base);
            put(p, 13 + 3 * k, here, base);
            put(p, 14 + 3 * k, down, base);
        }
    }
    static const int FROM[7] = { B_BEFORE, B_AFTER, B_AROUND, B_FAR, B_W3F, B_VALUE, B_SEARCH };
    for (int i = 0; i < 7; i++)
        put_words(p, 24 + i, p->bwdif[FROM[i]], base);
    const uint8_t *S = line(&p->spatial[t], y);
    for (int x = 0; x < f->w; x++)
        row(p, 31)[x] = limit(S[x], p->bwdif[B_LEAST][x], p->bwdif[B_GREATEST][x]) - base[x];
}

/* Inputs 38 to 53: costs. */
static void cost_inputs(Plane *p, int y)
{
    int w = p->clip.w;
    int *buffer = malloc(sizeof(int) * 2 * (w + 2 * MARGIN));
    int *two = buffer + MARGIN, *four = two + w + 2 * MARGIN;
    for (int k = 0; k < REFS; k++) {
        const Picture *r = &p->refs[k].residual;
        const uint8_t *a = line(r, same_parity(y - 1, r->h));
        const uint8_t *b = line(r, same_parity(y + 1, r->h));
        const uint8_t *a3 = line(r, same_parity(y - 3, r->h));
        const uint8_t *b3 = line(r, same_parity(y + 3, r->h));
        for (int x = -5; x < w + 5; x++) {
            two[x] = a[x] + b[x];
            four[x] = two[x] + a3[x] + b3[x];
        }
        for (int x = 0; x < w; x++) {
            int s = 0, l = 0;
            for (int j = -2; j <= 2; j++)
                s += two[x + j];
            for (int j = -5; j <= 5; j++)
                l += four[x + j];
            row(p, 38 + k)[x] = fifth(s);
            row(p, 42 + k)[x] = (l * 5958 + 32768) >> 16;
        }
        const Grid *g = &p->refs[k].vectors;
        const Vector *v = g->v + smaller(y / p->bh, g->h - 1) * g->w;
        for (int x = 0; x < w; x++) {
            int i = v[smaller(x / p->bw, g->w - 1)].y & 7, j = smaller(i, 8 - i);
            row(p, 50 + k)[x] = 8 * (4 - (k >= 2 ? 4 - j : j));
        }
    }
    memcpy(row(p, 46), p->bwdif[B_CHANGE], sizeof(int16_t) * w);
    memcpy(row(p, 47), p->bwdif[B_STATIC], sizeof(int16_t) * w);
    for (int k = 0; k < 2; k++) {
        const uint8_t *a = line(&p->refs[2 * k].picture, y);
        const uint8_t *b = line(&p->refs[2 * k + 1].picture, y);
        for (int x = -2; x < w + 2; x++)
            two[x] = absolute(a[x] - b[x]);
        for (int x = 0; x < w; x++) {
            int s = two[x - 2] + two[x - 1] + two[x] + two[x + 1] + two[x + 2];
            row(p, 48 + k)[x] = (s * 21845 + 32768) >> 16;
        }
    }
    free(buffer);
}

/* Inputs 32 to 37 and 54, 55: choices among the references. */
static void choice_inputs(Plane *p)
{
    /* Inputs (x, y-1), (x, y), (x, y+1) of each reference. */
    static const int AT[REFS][3] = {
        { 8, 10, 12 }, { 13, 15, 17 }, { 18, 19, 20 }, { 21, 22, 23 }
    };
    for (int x = 0; x < p->clip.w; x++) {
        int16_t *in = p->in + x;
        int n = p->stride, q[REFS], b = 0;
        for (int k = 0; k < REFS; k++) {
            q[k] = 2 * in[(38 + k) * n] + in[(42 + k) * n] + ((32 - in[(50 + k) * n]) >> 4)
                   + (k >= 2 ? 2 : 0);
            b = q[k] < q[b] ? k : b;
        }
        int c = in[n], e = in[4 * n], before = in[10 * n], after = in[15 * n];
        int best = in[AT[b][1] * n], mean = (in[24 * n] + in[25 * n] + 1) >> 1;
        in[32 * n] = best;
        in[33 * n] = best + ((c - in[AT[b][0] * n] + e - in[AT[b][2] * n]) >> 1);
        in[34 * n] = q[1] < q[0] ? after : before;
        in[35 * n] = q[3] < q[2] ? in[22 * n] : in[19 * n];
        in[36 * n] = median(before, after, 0);
        in[37 * n] = median(best, (before + after + 1) >> 1, mean);
        in[54 * n] = smaller(255, q[b]);
        in[55 * n] = p->bwdif[B_SEARCH_COST][x];
    }
}

/* Least and greatest results, relative to the base. */
static void limits(Plane *p, int y, const uint8_t *base)
{
    for (int x = 0; x < p->clip.w; x++) {
        int lo = base[x], hi = base[x], near = p->bwdif[B_STATIC][x] < NEAR;
        for (int k = 0; k < REFS; k++) {
            int v = line(&p->refs[k].picture, y)[x];
            lo = smaller(lo, v);
            hi = larger(hi, v);
        }
        row(p, LEAST)[x] = lo - base[x];
        row(p, GREATEST)[x] = hi - base[x];
        row(p, NEAR_LEAST)[x] = near ? p->bwdif[B_LEAST][x] - base[x] : -WIDE;
        row(p, NEAR_GREATEST)[x] = near ? p->bwdif[B_GREATEST][x] - base[x] : WIDE;
        row(p, BWDIF)[x] = p->bwdif[B_VALUE][x] - base[x];
    }
}

/* The base of the correction: S (luma), bwdif's value (chroma). */
static void base_line(Plane *p, int t, int y, uint8_t *base)
{
    for (int x = 0; x < p->clip.w; x++)
        base[x] = p->is_luma ? line(&p->spatial[t], y)[x] : p->bwdif[B_VALUE][x];
}

void fusion_inputs(Plane *p, int t, int y)
{
    uint8_t *base = malloc(p->clip.w);
    bwdif_line(&p->clip, t, y, p->bwdif);
    base_line(p, t, y, base);
    value_inputs(p, t, y, base);
    cost_inputs(p, y);
    choice_inputs(p);
    limits(p, y, base);
    gate_line(p, t, y);
    free(base);
}

void fusion_line(Plane *p, int t, int y, uint8_t *out)
{
    network_run(p->network, p->in, p->stride, p->clip.w, p->correction);
    base_line(p, t, y, out);
    for (int x = 0; x < p->clip.w; x++) {
        int v = limit(p->correction[x], row(p, LEAST)[x], row(p, GREATEST)[x]);
        int z = limit(v, row(p, NEAR_LEAST)[x], row(p, NEAR_GREATEST)[x]);
        out[x] += absolute(v - z) < FAR ? z : v;
        if (p->still[x])
            out[x] = p->bwdif[B_MEAN][x];
    }
}
