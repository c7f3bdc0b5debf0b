/* Model of the deinterlacer `best` for training: 8 bits, top field first, no scene cuts.
 * The arithmetic is that of chapter 15 of docs/specification. */
#ifndef MODEL_H
#define MODEL_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAD = 64,    /* repeated samples on every side of a picture */
    LEVELS = 4,  /* of a pyramid */
    REFS = 4,    /* references t-1, t+1, t-2, t+2, in this order */
    INPUTS = 56, /* of the fusion networks */
    /* Columns of a record after the inputs. */
    LEAST = INPUTS, GREATEST, NEAR_LEAST, NEAR_GREATEST, BWDIF, RIPPLE, STILL, TARGET, RECORD
};

static inline int absolute(int a) { return a < 0 ? -a : a; }
static inline int smaller(int a, int b) { return a < b ? a : b; }
static inline int larger(int a, int b) { return a > b ? a : b; }
static inline int limit(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
static inline int clip8(int v) { return limit(v, 0, 255); }
static inline int median(int a, int b, int c)
{
    return larger(smaller(a, b), smaller(larger(a, b), c));
}
static inline int fifth(int s) { return (s * 13107 + 32768) >> 16; }

/* picture.c */
typedef struct {
    int w, h, stride;
    uint8_t *base, *at;
} Picture;

Picture picture_new(int w, int h);
void picture_free(Picture *p);
/* Fills the border with the nearest samples. */
void picture_pad(Picture *p);
static inline uint8_t *line(const Picture *p, int y) { return p->at + (long)y * p->stride; }
/* The nearest line of the parity of y inside a picture of h lines. */
static inline int same_parity(int y, int h)
{
    if (h == 1)
        return 0;
    return y < 0 ? y & 1 : y >= h ? h - 1 - ((h - 1 - y) & 1) : y;
}

typedef struct {
    int w, h, fields;
    Picture *frames; /* fields / 2 */
} Clip;

/* The field that is read as t + k: t-1 and t+1 replace one another, t replaces t-2 and t+2. */
static inline int field_at(const Clip *c, int t, int k)
{
    if (t + k >= 0 && t + k < c->fields)
        return t + k;
    return k & 1 ? t - k : t;
}
static inline const uint8_t *field_line(const Clip *c, int t, int y)
{
    return line(&c->frames[t >> 1], same_parity(y, c->h));
}
static inline int missing_parity(int t) { return 1 - (t & 1); }

/* network.c */
typedef struct {
    int inputs, n1, n2;
    const int32_t *w1, *b1, *w2, *b2, *w3, *b3, *skip;
} Network;

/* `data`: inputs, n1, n2, then the values of a file of weights in their order. */
Network network_from(const int32_t *data);
/* Corrections of w columns; in: rows of inputs, `stride` samples apart. */
void network_run(const Network *n, const int16_t *in, int stride, int w, int *out);

/* spatial.c: the picture S of field t, by a network (luma) or a cubic filter (network null). */
void spatial_picture(const Clip *c, int t, const Network *n, Picture *out);

/* bwdif.c: values of the columns of a missing line, absolute, and costs. */
enum {
    B_VALUE, B_LEAST, B_GREATEST, B_MEAN, B_BEFORE, B_AFTER, B_AROUND, B_FAR, B_W3F, B_SEARCH,
    B_STATIC, B_COMB, B_CHANGE, B_SEARCH_COST, B_ROWS
};
void bwdif_line(const Clip *c, int t, int y, int16_t *const out[B_ROWS]);

/* motion.c */
typedef struct {
    int16_t x, y; /* level 0: quarter samples, other levels: samples of the level */
} Vector;
typedef struct {
    int w, h;
    Vector *v;
} Grid;
typedef struct {
    Picture level[LEVELS];
} Pyramid;
typedef struct {
    const Grid *grid;
    int factor;
} Related;

Grid grid_new(int w, int h, int block);
Pyramid pyramid_new(int w, int h);
void pyramid_free(Pyramid *p);
void pyramid_build(Pyramid *p, const Picture *r);
/* Vectors from a to b; top: the highest level that is searched (0: level 0 only). */
void motion_search(const Pyramid *a, const Pyramid *b, Grid levels[LEVELS], int top,
                   const Related *related, int count);
/* Vectors of 8x8 blocks from those of 16x16 blocks. */
void motion_split(const Picture *a, const Picture *b, const Grid *from, Grid *to);

/* compensate.c: out(x, y) = r(x + vx, y + vy), blocks of bw x bh samples. */
void compensate(const Picture *r, const Grid *vectors, Picture *out, int bw, int bh);

/* fusion.c */
typedef struct {
    Picture picture;  /* compensated */
    Picture residual; /* distance from the lines of the field */
    Grid vectors;     /* of 8x8 luma blocks, in quarter samples of the plane */
} Reference;

typedef struct {
    Clip clip;
    int bw, bh;          /* size of a block of vectors */
    Picture *spatial;    /* S of every field */
    Picture *references; /* S, or O of the fields that are done */
    Reference refs[REFS];
    const Network *network; /* null: O is S */
    int is_luma;
    int stride;      /* of rows of inputs */
    int16_t *in;     /* rows of a record, TARGET not set */
    int16_t *bwdif[B_ROWS];
    int steady_columns;
    uint8_t *steady;   /* cells of the field: 2 steady, 1 nearly steady */
    uint8_t *still;  /* static samples of the line */
    int *correction;
} Plane;

/* gate.c: p->steady of field t; p->still of line y, from p->bwdif. */
void gate_field(Plane *p, int t);
void gate_line(Plane *p, int t, int y);

/* Distances of all references from the lines of field t. */
void residuals(Plane *p, int t);
/* Inputs and limits of line y into p->in, and p->still. */
void fusion_inputs(Plane *p, int t, int y);
/* Line y of O(t); needs fusion_inputs. */
void fusion_line(Plane *p, int t, int y, uint8_t *out);

#endif
