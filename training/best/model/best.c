/* Entry points for best.py: samples and scores of a clip. */
#include "model.h"

static const int OFFSET[REFS] = { -1, 1, -2, 2 };

typedef struct {
    Pyramid *pyramids;            /* of every field */
    Grid levels[REFS][LEVELS];    /* vectors of the field */
    Grid before[REFS];            /* level 0 of the field before */
    Grid split[REFS];             /* 8x8 blocks */
} Motion;

static int exists(const Clip *c, int t, int k) { return t + k >= 0 && t + k < c->fields; }

static void search_field(Motion *m, const Clip *c, int t)
{
    static const int ORDER[REFS] = { 1, 0, 3, 2 };
    int warm = t > 0;
    for (int i = 0; i < REFS; i++) {
        int k = ORDER[i], top = 0, count = 0;
        Related related[2];
        if (!exists(c, t, OFFSET[k]))
            continue;
        if (k == 1) {
            top = LEVELS - 1;
            if (warm)
                related[count++] = (Related){ &m->before[1], 1 };
            if (warm && exists(c, t - 1, -1))
                related[count++] = (Related){ &m->before[0], -1 };
        } else if (k == 0) {
            top = exists(c, t, 1) ? 0 : LEVELS - 1;
            if (!top)
                related[count++] = (Related){ &m->levels[1][0], -1 };
            related[count++] = (Related){ &m->before[1], -1 };
        } else {
            related[count++] = (Related){ &m->levels[k - 2][0], 2 };
            if (warm && exists(c, t - 1, OFFSET[k]))
                related[count++] = (Related){ &m->before[k], 1 };
        }
        const Pyramid *a = &m->pyramids[t], *b = &m->pyramids[t + OFFSET[k]];
        motion_search(a, b, m->levels[k], top, related, count);
        motion_split(&a->level[0], &b->level[0], &m->levels[k][0], &m->split[k]);
    }
    for (int k = 0; k < REFS; k++)
        memcpy(m->before[k].v, m->levels[k][0].v,
               sizeof(Vector) * m->before[k].w * m->before[k].h);
}

static Motion motion_new(int w, int h, int fields)
{
    Motion m;
    m.pyramids = malloc(sizeof(Pyramid) * fields);
    for (int t = 0; t < fields; t++)
        m.pyramids[t] = pyramid_new(w, h);
    for (int k = 0; k < REFS; k++) {
        for (int l = 0, a = w, b = h; l < LEVELS; l++, a = (a + 1) / 2, b = (b + 1) / 2)
            m.levels[k][l] = grid_new(a, b, l ? 8 : 16);
        m.before[k] = grid_new(w, h, 16);
        m.split[k] = grid_new(w, h, 8);
    }
    return m;
}

static void motion_free(Motion *m, int fields)
{
    for (int t = 0; t < fields; t++)
        pyramid_free(&m->pyramids[t]);
    free(m->pyramids);
    for (int k = 0; k < REFS; k++) {
        for (int l = 0; l < LEVELS; l++)
            free(m->levels[k][l].v);
        free(m->before[k].v);
        free(m->split[k].v);
    }
}

/* The index of the reference that serves as reference k of field t; -1: the field itself. */
static int replacement(const Clip *c, int t, int k)
{
    int tries[4] = { k, k ^ 1, 0, 1 };
    for (int i = 0; i < (k < 2 ? 2 : 4); i++)
        if (exists(c, t, OFFSET[tries[i]]))
            return tries[i];
    return -1;
}

static int scaled(int v, int s)
{
    int a = (absolute(v) + s / 2) / s;
    return v < 0 ? -a : a;
}

static void compensate_references(Plane *p, const Motion *m, int t, int sx, int sy)
{
    for (int k = 0; k < REFS; k++) {
        int from = replacement(&p->clip, t, k);
        Reference *r = &p->refs[k];
        for (int i = 0; i < r->vectors.w * r->vectors.h; i++) {
            Vector v = from < 0 ? (Vector){ 0, 0 } : m->split[from].v[i];
            r->vectors.v[i] = (Vector){ scaled(v.x, sx), scaled(v.y, sy) };
        }
        compensate(&p->references[from < 0 ? t : t + OFFSET[from]], &r->vectors, &r->picture,
                   p->bw, p->bh);
    }
    residuals(p, t);
}

static Plane plane_new(int w, int h, int fields, const uint8_t *given, int sx, int sy)
{
    Plane p;
    memset(&p, 0, sizeof p);
    p.clip = (Clip){ w, h, fields, malloc(sizeof(Picture) * fields / 2) };
    for (int i = 0; i < fields / 2; i++) {
        p.clip.frames[i] = picture_new(w, h);
        for (int y = 0; y < h; y++)
            memcpy(line(&p.clip.frames[i], y), given + ((size_t)i * h + y) * w, w);
        picture_pad(&p.clip.frames[i]);
    }
    p.bw = 8 / sx;
    p.bh = 8 / sy;
    p.spatial = malloc(sizeof(Picture) * fields);
    p.references = malloc(sizeof(Picture) * fields);
    for (int t = 0; t < fields; t++) {
        p.spatial[t] = picture_new(w, h);
        p.references[t] = picture_new(w, h);
    }
    for (int k = 0; k < REFS; k++) {
        p.refs[k].picture = picture_new(w, h);
        p.refs[k].residual = picture_new(w, h);
        p.refs[k].vectors = grid_new(w * sx, h * sy, 8);
    }
    p.stride = (w + 63) & ~63;
    p.in = calloc((size_t)p.stride * RECORD, sizeof(int16_t));
    for (int i = 0; i < B_ROWS; i++)
        p.bwdif[i] = malloc(sizeof(int16_t) * p.stride);
    p.correction = malloc(sizeof(int) * p.stride);
    p.steady_columns = (w + STEADY_CELL - 1) / STEADY_CELL;
    p.steady = calloc((size_t)p.steady_columns * ((h + STEADY_CELL - 1) / STEADY_CELL), 1);
    p.still = calloc(p.stride, 1);
    return p;
}

static void plane_free(Plane *p)
{
    for (int i = 0; i < p->clip.fields / 2; i++)
        picture_free(&p->clip.frames[i]);
    for (int t = 0; t < p->clip.fields; t++) {
        picture_free(&p->spatial[t]);
        picture_free(&p->references[t]);
    }
    for (int k = 0; k < REFS; k++) {
        picture_free(&p->refs[k].picture);
        picture_free(&p->refs[k].residual);
        free(p->refs[k].vectors.v);
    }
    for (int i = 0; i < B_ROWS; i++)
        free(p->bwdif[i]);
    free(p->clip.frames), free(p->spatial), free(p->references), free(p->in), free(p->correction);
    free(p->steady), free(p->still);
}

static void spatial_pictures(Plane *p, const Network *n)
{
    for (int t = 0; t < p->clip.fields; t++) {
        Picture *s = &p->spatial[t];
        spatial_picture(&p->clip, t, n, s);
        memcpy(p->references[t].base, s->base, (size_t)s->stride * (s->h + 2 * PAD));
    }
}

static uint32_t draw(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state >> 33;
}

/* Samples and scores. */
typedef struct {
    int first, last;     /* fields that count */
    uint32_t share;      /* of the samples that are kept, of 2^31 */
    uint64_t random;
    int16_t *records;
    long count, most;
    double *scores;
    const uint8_t *truth; /* fields of w x h */
} Account;

enum { S_SAMPLES, S_ERROR, S_BWDIF, S_SPATIAL, S_SMOOTH, S_RIPPLE, S_TRUE_RIPPLE, SCORES };

static int bend(const uint8_t *g, int w) { return absolute(2 * g[0] - g[-w] - g[w]); }

/* The largest second difference of the true lines around the sample (7 x 3 samples). */
static int roughness(const uint8_t *g, int w, int h, int x, int y)
{
    int most = 0;
    for (int j = larger(1, y - 1); j <= smaller(h - 2, y + 1); j++)
        for (int i = larger(0, x - 3); i <= smaller(w - 1, x + 3); i++)
            most = larger(most, bend(g + (size_t)j * w + i, w));
    return most;
}

static void count_line(Account *a, Plane *p, int t, int y, const uint8_t *out)
{
    const Clip *c = &p->clip;
    const uint8_t *g = a->truth + (size_t)t * c->w * c->h, *row = g + (size_t)y * c->w;
    for (int x = 0; x < c->w; x++) {
        int gated = p->is_luma && p->still[x], kept = draw(&a->random) < a->share;
        int d = out[x] - row[x], b = p->bwdif[B_VALUE][x] - row[x];
        int s = line(&p->spatial[t], y)[x] - row[x];
        a->scores[S_SAMPLES]++;
        a->scores[S_ERROR] += d * d;
        a->scores[S_BWDIF] += b * b;
        a->scores[S_SPATIAL] += s * s;
        kept = kept && !gated && a->count < a->most;
        int watched = !gated && y > 0 && y < c->h - 1 && (kept || !(x & 7));
        int rough = watched ? roughness(g, c->w, c->h, x, y) : 255;
        if (rough <= 2 && !(x & 7)) {
            a->scores[S_SMOOTH]++;
            a->scores[S_RIPPLE] += absolute(2 * out[x] - row[x - c->w] - row[x + c->w]);
            a->scores[S_TRUE_RIPPLE] += bend(row + x, c->w);
        }
        if (!kept)
            continue;
        int16_t *r = a->records + a->count++ * RECORD;
        for (int i = 0; i < RIPPLE; i++)
            r[i] = p->in[(size_t)i * p->stride + x];
        int base = p->bwdif[B_VALUE][x] - p->in[(size_t)BWDIF * p->stride + x];
        r[RIPPLE] = smaller(rough, 255);
        r[STILL] = p->still[x];
        r[TARGET] = row[x] - base;
    }
}

static void fuse(Plane *p, int t, Account *a)
{
    Picture *o = &p->references[t];
    int counted = a && t >= a->first && t < a->last;
    if (!counted && !p->network)
        return;
    gate_field(p, t);
    for (int y = missing_parity(t); y < p->clip.h; y += 2) {
        fusion_inputs(p, t, y);
        if (p->network)
            fusion_line(p, t, y, line(o, y));
        if (counted)
            count_line(a, p, t, y, line(o, y));
    }
    picture_pad(o);
}

/* Deinterlaces `fields` fields; returns the number of records. given: woven frames; chroma null:
 * luma is counted. Null networks: S (and cubic S of chroma) is the result. */
long best_run(const int32_t *spatial, const int32_t *luma_network, const int32_t *chroma_network,
              int w, int h, int fields, const uint8_t *luma, int cw, int ch,
              const uint8_t *chroma, const uint8_t *truth, int first, int last, double share,
              uint64_t seed, int16_t *records, long most, double *scores)
{
    Network S = network_from(spatial), L, C;
    int sx = chroma ? (w + cw - 1) / cw : 1, sy = chroma ? (h + ch - 1) / ch : 1;
    Account a = { first, last, share >= 1 ? 0x7fffffff : (uint32_t)(share * 2147483648.0),
                  seed * 0x9E3779B97F4A7C15u + 88172645463325252u, records, 0, most, scores,
                  truth };
    Plane planes[2];
    planes[0] = plane_new(w, h, fields, luma, 1, 1);
    planes[0].is_luma = 1;
    spatial_pictures(&planes[0], &S);
    if (luma_network)
        L = network_from(luma_network), planes[0].network = &L;
    if (chroma) {
        planes[1] = plane_new(cw, ch, fields, chroma, sx, sy);
        spatial_pictures(&planes[1], 0);
        if (chroma_network)
            C = network_from(chroma_network), planes[1].network = &C;
    }
    Motion m = motion_new(w, h, fields);
    for (int t = 0; t < fields; t++)
        pyramid_build(&m.pyramids[t], &planes[0].spatial[t]);
    memset(scores, 0, sizeof *scores * SCORES);
    for (int t = 0; t < last; t++) {
        search_field(&m, &planes[0].clip, t);
        compensate_references(&planes[0], &m, t, 1, 1);
        fuse(&planes[0], t, chroma ? 0 : &a);
        pyramid_build(&m.pyramids[t], &planes[0].references[t]);
        if (chroma) {
            compensate_references(&planes[1], &m, t, sx, sy);
            fuse(&planes[1], t, &a);
        }
    }
    motion_free(&m, fields);
    for (int i = 0; i < (chroma ? 2 : 1); i++)
        plane_free(&planes[i]);
    return a.count;
}
