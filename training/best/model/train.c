/* Training of a small network: inputs -> n1 -> n2 -> 1 with a linear skip, by Adam. */
#include <math.h>
#include "model.h"

enum { LANES = 16, AHEAD = 48, MOST_INPUTS = 64, MOST_HIDDEN = 32 };
typedef float Lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t Mask __attribute__((vector_size(4 * LANES)));
#define ONES ((Lanes){ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 })

static const float SCALE = 1 / 32.f, TOP = 4095 / 8.f / 32, FAR = 40, PULL = .1f;

/* Offsets of the parts of a network in the list of its parameters. */
typedef struct {
    int inputs, n1, n2, w1, b1, w2, b2, w3, b3, skip, count;
} Shape;

static Shape shape_of(int inputs, int n1, int n2)
{
    Shape s = { inputs, n1, n2, 0, 0, 0, 0, 0, 0, 0, 0 };
    s.b1 = n1 * inputs;
    s.w2 = s.b1 + n1;
    s.b2 = s.w2 + n1 * n2;
    s.w3 = s.b2 + n2;
    s.b3 = s.w3 + n2;
    s.skip = s.b3 + 1;
    s.count = s.skip + inputs;
    return s;
}

/* Limits to 0 ... TOP; `open` gets the derivative. */
static Lanes clipped(Lanes v, Lanes *open)
{
    const Lanes one = ONES, top = TOP * one;
    Mask inside = (v > 0) & (v < top), above = v >= top;
    *open = (Lanes)(inside & (Mask)one);
    return (Lanes)((inside & (Mask)v) | (above & (Mask)top));
}

/* Hidden values and whether they are inside their range. */
typedef struct {
    Lanes h1[MOST_HIDDEN], h2[MOST_HIDDEN], open1[MOST_HIDDEN], open2[MOST_HIDDEN];
} Hidden;

static Lanes forward(const Shape *s, const float *p, const Lanes *x, Hidden *h)
{
    Lanes o = { 0 };
    for (int j = 0; j < s->n1; j++) {
        Lanes sum = { 0 };
        for (int i = 0; i < s->inputs; i++)
            sum += p[s->w1 + j * s->inputs + i] * x[i];
        h->h1[j] = clipped(sum + p[s->b1 + j], &h->open1[j]);
    }
    for (int j = 0; j < s->n2; j++) {
        Lanes sum = { 0 };
        for (int i = 0; i < s->n1; i++)
            sum += p[s->w2 + j * s->n1 + i] * h->h1[i];
        h->h2[j] = clipped(sum + p[s->b2 + j], &h->open2[j]);
    }
    for (int i = 0; i < s->inputs; i++)
        o += p[s->skip + i] * x[i];
    for (int j = 0; j < s->n2; j++)
        o += p[s->w3 + j] * h->h2[j];
    return o + p[s->b3];
}

static void backward(const Shape *s, const float *p, const Lanes *x, const Hidden *h, Lanes g,
                     Lanes *grad)
{
    Lanes d1[MOST_HIDDEN] = { { 0 } };
    for (int j = 0; j < s->n2; j++) {
        Lanes d = g * p[s->w3 + j] * h->open2[j];
        grad[s->w3 + j] += g * h->h2[j];
        grad[s->b2 + j] += d;
        for (int i = 0; i < s->n1; i++) {
            grad[s->w2 + j * s->n1 + i] += d * h->h1[i];
            d1[i] += d * p[s->w2 + j * s->n1 + i];
        }
    }
    grad[s->b3] += g;
    for (int i = 0; i < s->inputs; i++)
        grad[s->skip + i] += g * x[i];
    for (int j = 0; j < s->n1; j++) {
        Lanes d = d1[j] * h->open1[j];
        grad[s->b1 + j] += d;
        for (int i = 0; i < s->inputs; i++)
            grad[s->w1 + j * s->inputs + i] += d * x[i];
    }
}

/* Integers of 16 bits have these ranges. */
static float range_of(const Shape *s, int k)
{
    return k < s->b1 ? 7.9f : k < s->w2 ? 1e9f : k < s->b2 ? 7.9f : k < s->w3 ? 1e9f
           : k < s->b3 ? 31.f / s->n2 : k < s->skip ? 1e9f : 3.9f;
}

static void adam(const Shape *s, float *p, const Lanes *grad, float *m, float *v, float rate, int t)
{
    float c1 = 1 - powf(.9f, t), c2 = 1 - powf(.99f, t);
    for (int k = 0; k < s->count; k++) {
        float g = 0, most = range_of(s, k);
        for (int i = 0; i < LANES; i++)
            g += grad[k][i];
        m[k] += .1f * (g - m[k]);
        v[k] += .01f * (g * g - v[k]);
        float to = p[k] - rate / c1 * m[k] / (sqrtf(v[k] / c2) + 1e-8f);
        p[k] = to < -most ? -most : to > most ? most : to;
    }
}

typedef struct {
    int64_t clips, columns, inputs, n1, n2, mirrors, limits, steps, batch, seed;
    double rate, floor, mix, boost, most;
} Options;

/* Sums of the first layer fit 32 bits if the weights of a hidden value do not exceed this sum. */
static void limit_rows(const Shape *s, float *p)
{
    const float most = 120;
    for (int j = 0; j < s->n1; j++) {
        float *w = p + s->w1 + j * s->inputs, sum = 0;
        for (int i = 0; i < s->inputs; i++)
            sum += fabsf(w[i]);
        for (int i = 0; i < s->inputs && sum > most; i++)
            w[i] *= most / sum;
    }
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state >> 11;
}

/* One sample after the limits of the deinterlacer; `out` in levels. */
static float limited(float out, const int16_t *limits)
{
    float o = fminf(fmaxf(out, limits[0]), limits[1]);
    float z = fminf(fmaxf(o, limits[2]), limits[3]);
    return fabsf(o - z) < FAR ? z : o;
}

/* table: rows of columns; the rows of clip c are starts[c] to starts[c + 1]; order: mirrors of the
 * inputs; weights, margins (in dB), base (squared error of bwdif), running (that of the network,
 * updated) and extra (weight that grew): of each clip. params: in and out. See fit.py for the
 * loss. */
void best_train(const Options *o, const int16_t *table, const int64_t *starts,
                const int32_t *order, const double *weights, const double *margins,
                const double *base, double *running, double *extra, float *params)
{
    Shape s = shape_of(o->inputs, o->n1, o->n2);
    uint64_t state = (o->seed + 1) * 0x9E3779B97F4A7C15u;
    Lanes *grad = aligned_alloc(64, sizeof(Lanes) * s.count);
    float *m = calloc(s.count, sizeof(float)), *v = calloc(s.count, sizeof(float));
    int *used = malloc(sizeof(int) * o->clips), count = 0;
    double *factor = calloc(o->clips, sizeof(double)), *sum = calloc(o->clips, sizeof(double));
    int *number = calloc(o->clips, sizeof(int)), *clip = malloc(sizeof(int) * o->batch);
    const int16_t **rows = malloc(sizeof *rows * o->batch);
    for (int c = 0; c < o->clips; c++)
        if (weights[c] > 0)
            used[count++] = c;
    for (int step = 0; step < o->steps; step++) {
        if (step % 10 == 0)
            for (int i = 0; i < count; i++) {
                int c = used[i];
                double gain = 10 * log10((base[c] + .02) / (running[c] + .02));
                if (o->boost > 0 && step > 300)
                    extra[c] *= exp(10 * o->boost * fmin(fmax(margins[c] - gain, -1), 1));
                extra[c] = fmin(fmax(extra[c], 1), o->most);
                factor[c] = 20 * SCALE / o->batch * weights[c] * extra[c]
                            / (pow(running[c] + o->floor, 1 - o->mix)
                               * pow(base[c] + o->floor, o->mix));
            }
        memset(grad, 0, sizeof(Lanes) * s.count);
        memset(sum, 0, sizeof(double) * o->clips);
        memset(number, 0, sizeof(int) * o->clips);
        for (int i = 0; i < o->batch; i++) {
            int c = clip[i] = used[next(&state) % count];
            int64_t row = starts[c] + next(&state) % (starts[c + 1] - starts[c]);
            rows[i] = table + row * o->columns;
        }
        for (int b = 0; b < o->batch; b += LANES) {
            Lanes x[MOST_INPUTS], g;
            Hidden h;
            for (int i = 0; i < LANES; i++) {
                const int16_t *row = rows[b + i];
                const int16_t *ahead = rows[smaller(b + i + AHEAD, o->batch - 1)];
                const int32_t *mirror = order + i % o->mirrors * o->inputs;
                __builtin_prefetch(ahead);
                __builtin_prefetch(ahead + o->columns - 1);
                for (int k = 0; k < o->inputs; k++)
                    x[k][i] = row[mirror[k]] * SCALE;
            }
            Lanes out = forward(&s, params, x, &h) / SCALE;
            for (int i = 0; i < LANES; i++) {
                const int16_t *r = rows[b + i] + o->inputs;
                float z = o->limits ? limited(out[i], r) : out[i];
                float d = z - rows[b + i][o->columns - 1], w = o->limits ? r[5] / 16.f : 1;
                g[i] = factor[clip[b + i]] * d * w * (z == out[i] ? 1 : PULL);
                sum[clip[b + i]] += d * d;
                number[clip[b + i]]++;
            }
            backward(&s, params, x, &h, g, grad);
        }
        for (int i = 0; i < count; i++) {
            int c = used[i];
            if (number[c])
                running[c] += (1 - pow(.998, number[c])) * (sum[c] / number[c] - running[c]);
        }
        double rate = o->rate * fmin(1, (step + 1) / 200.)
                      * (.5 * (1 + cos(M_PI * step / o->steps)) + .01);
        adam(&s, params, grad, m, v, rate, step + 1);
        limit_rows(&s, params);
    }
    free(grad), free(m), free(v), free(used), free(factor), free(sum), free(number);
    free(clip), free(rows);
}
