#include "model.h"

enum {
    RESTART = 4,  /* rows of blocks after which nothing above is read */
    MARGIN = 32,  /* how far a window may lie outside the picture */
    SMOOTH = 3,   /* cost of a distance of one sample from the predicted vector */
    MOVING = 12,  /* cost of a vector other than zero */
    STEPS = 2,    /* of the descent */
    NEIGHBOUR = 3, /* cost of another block's vector in the split */
    NONE = 1 << 30
};

Grid grid_new(int w, int h, int block)
{
    Grid g = { (w + block - 1) / block, (h + block - 1) / block, 0 };
    g.v = calloc((size_t)g.w * g.h, sizeof(Vector));
    return g;
}

static Vector at(const Grid *g, int x, int y)
{
    return g->v[limit(y, 0, g->h - 1) * g->w + limit(x, 0, g->w - 1)];
}

Pyramid pyramid_new(int w, int h)
{
    Pyramid p;
    for (int k = 0; k < LEVELS; k++, w = (w + 1) / 2, h = (h + 1) / 2)
        p.level[k] = picture_new(w, h);
    return p;
}

void pyramid_free(Pyramid *p)
{
    for (int k = 0; k < LEVELS; k++)
        picture_free(&p->level[k]);
}

void pyramid_build(Pyramid *p, const Picture *r)
{
    Picture *o = &p->level[0];
    for (int y = 0; y < r->h; y++) {
        const uint8_t *s[5];
        uint8_t *to = line(o, y);
        for (int j = 0; j < 5; j++)
            s[j] = line(r, limit(y - 2 + j, 0, r->h - 1));
        for (int x = 0; x < r->w; x++)
            to[x] = (s[0][x] + 4 * s[1][x] + 6 * s[2][x] + 4 * s[3][x] + s[4][x] + 8) >> 4;
    }
    picture_pad(o);
    for (int k = 1; k < LEVELS; k++) {
        Picture *from = &p->level[k - 1], *half = &p->level[k];
        for (int y = 0; y < half->h; y++) {
            const uint8_t *u = line(from, 2 * y), *v = line(from, 2 * y + 1);
            uint8_t *to = line(half, y);
            for (int x = 0; x < half->w; x++)
                to[x] = (u[2 * x] + u[2 * x + 1] + v[2 * x] + v[2 * x + 1] + 2) >> 2;
        }
        picture_pad(half);
    }
}

/* Sum of absolute differences of 16 columns of every second line. */
static int sad(const uint8_t *a, int as, const uint8_t *b, int bs, int lines)
{
    int s = 0;
    for (int y = 0; y < lines; y++, a += 2 * as, b += 2 * bs)
        for (int x = 0; x < 16; x++)
            s += absolute(a[x] - b[x]);
    return s;
}

/* The same with bilinear samples of b at quarters. */
static int sad_quarter(const uint8_t *a, int as, const uint8_t *b, int bs, int lines, int fx,
                       int fy)
{
    if (!fx && !fy)
        return sad(a, as, b, bs, lines);
    int w0 = (4 - fx) * (4 - fy), w1 = fx * (4 - fy), w2 = (4 - fx) * fy, w3 = fx * fy, s = 0;
    for (int y = 0; y < lines; y++, a += 2 * as, b += 2 * bs)
        for (int x = 0; x < 16; x++)
            s += absolute(a[x] - ((w0 * b[x] + w1 * b[x + 1] + w2 * b[bs + x]
                                   + w3 * b[bs + x + 1] + 8) >> 4));
    return s;
}

/* The search of one block. x, y: top left sample of its window. */
typedef struct {
    const Picture *a, *b;
    int x, y, cost;
    Vector predicted, best;
} Search;

static int inside(const Picture *b, int x, int y)
{
    return x >= -MARGIN && y >= -MARGIN && x + 16 <= b->w + MARGIN && y + 16 <= b->h + MARGIN;
}

static int distance(const Search *s, int vx, int vy)
{
    return SMOOTH * (absolute(vx - s->predicted.x) + absolute(vy - s->predicted.y));
}

static int window(const Search *s, int vx, int vy)
{
    return sad(line(s->a, s->y) + s->x, s->a->stride, line(s->b, s->y + vy) + s->x + vx,
               s->b->stride, 8);
}

static int repeated(const Search *s, int vx, int vy)
{
    return s->cost < NONE && vx == s->best.x && vy == s->best.y;
}

static void keep(Search *s, int vx, int vy, int cost)
{
    cost += vx || vy ? MOVING : 0;
    if (cost < s->cost) {
        s->cost = cost;
        s->best = (Vector){ vx, vy };
    }
}

static void try_whole(Search *s, int vx, int vy)
{
    if (!repeated(s, vx, vy) && inside(s->b, s->x + vx, s->y + vy))
        keep(s, vx, vy, window(s, vx, vy) + distance(s, vx, vy));
}

static void try_quarter(Search *s, int vx, int vy)
{
    int x = s->x + (vx >> 2), y = s->y + (vy >> 2);
    if (repeated(s, vx, vy) || !inside(s->b, x, y))
        return;
    int cost = sad_quarter(line(s->a, s->y) + s->x, s->a->stride, line(s->b, y) + x, s->b->stride,
                           8, vx & 3, vy & 3);
    keep(s, vx, vy, cost + (distance(s, vx, vy) >> 2));
}

static void descend(Search *s)
{
    static const int STEP[8][2] = { { -1, 0 },  { 1, 0 },  { 0, -1 }, { 0, 1 },
                                    { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
    for (int i = 0; i < STEPS; i++) {
        Vector from = s->best;
        for (int j = 0; j < 8; j++)
            try_whole(s, from.x + STEP[j][0], from.y + STEP[j][1]);
        if (from.x == s->best.x && from.y == s->best.y)
            break;
    }
}

/* Offset in quarters of the minimum of a parabola through three costs. */
static int parabola(int before, int here, int after)
{
    int D = before - after, N = before + after - 2 * here, size = absolute(D);
    int o = N <= 0 ? 0 : (4 * size >= N) + (4 * size >= 3 * N);
    return D < 0 ? -o : o;
}

/* Quarter samples around the best whole vector, and the predicted vectors as they are. */
static void refine(Search *s, const Vector *left, const Vector *top, const Vector *predicted,
                   const Related *related, int count, int block)
{
    static const int AT[5][2] = { { -1, 0 }, { 0, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
    Vector b = s->best;
    int c[5];
    for (int j = 0; j < 5; j++) {
        int vx = b.x + AT[j][0], vy = b.y + AT[j][1];
        c[j] = inside(s->b, s->x + vx, s->y + vy) ? window(s, vx, vy) : 1 << 20;
    }
    s->predicted = *predicted;
    s->cost = NONE;
    s->best = (Vector){ 0, 0 };
    try_quarter(s, 4 * b.x, 4 * b.y);
    try_quarter(s, 4 * b.x + parabola(c[0], c[1], c[2]), 4 * b.y + parabola(c[3], c[1], c[4]));
    if (left)
        try_quarter(s, left->x, left->y);
    if (top)
        try_quarter(s, top->x, top->y);
    for (int j = 0; j < count; j++) {
        Vector v = related[j].grid->v[block];
        try_quarter(s, v.x * related[j].factor, v.y * related[j].factor);
    }
}

static Vector rounded(Vector v) { return (Vector){ (v.x + 2) >> 2, (v.y + 2) >> 2 }; }

static void search_block(const Pyramid *A, const Pyramid *B, Grid levels[LEVELS], int k, int top,
                         int gx, int gy, const Related *related, int count)
{
    Grid *grid = &levels[k];
    int size = k ? 8 : 16, block = gy * grid->w + gx, above = gy % RESTART != 0;
    Search s = { &A->level[k], &B->level[k], gx * size - (16 - size) / 2,
                 gy * size - (16 - size) / 2, NONE, { 0, 0 }, { 0, 0 } };
    Vector left = gx ? grid->v[block - 1] : (Vector){ 0, 0 };
    Vector up = above ? grid->v[block - grid->w] : left;
    Vector right = !above ? left : gx + 1 < grid->w ? grid->v[block - grid->w + 1] : up;
    Vector L = k ? left : rounded(left), T = k ? up : rounded(up), R = k ? right : rounded(right);
    s.predicted = (Vector){ median(L.x, T.x, R.x), median(L.y, T.y, R.y) };
    if (k == LEVELS - 1 && top) {
        s.predicted = (Vector){ 0, 0 };
        for (int dy = -4; dy <= 4; dy++)
            for (int dx = -6; dx <= 6; dx++)
                try_whole(&s, dx, dy);
    }
    try_whole(&s, 0, 0);
    try_whole(&s, L.x, L.y);
    if (above) {
        try_whole(&s, T.x, T.y);
        try_whole(&s, R.x, R.y);
    }
    if (k < top) {
        int px = k ? gx >> 1 : gx, py = k ? gy >> 1 : gy, sx = gx & 1 ? 1 : -1;
        int sy = gy & 1 ? 1 : -1;
        for (int j = 0; j < 4; j++) {
            Vector v = at(&levels[k + 1], px + (j & 1 ? sx : 0), py + (j & 2 ? sy : 0));
            try_whole(&s, 2 * v.x, 2 * v.y);
        }
    }
    for (int j = 0; j < count; j++) {
        Vector v = at(related[j].grid, (gx * size + size / 2) << k >> 4,
                      (gy * size + size / 2) << k >> 4);
        int r = 1 << (k + 1), m = related[j].factor;
        try_whole(&s, (v.x * m + r) >> (k + 2), (v.y * m + r) >> (k + 2));
    }
    descend(&s);
    if (!k) {
        Vector p = { median(left.x, up.x, right.x), median(left.y, up.y, right.y) };
        refine(&s, gx ? &left : 0, above ? &up : 0, &p, related, count, block);
    }
    grid->v[block] = s.best;
}

void motion_search(const Pyramid *a, const Pyramid *b, Grid levels[LEVELS], int top,
                   const Related *related, int count)
{
    for (int k = top; k >= 0; k--)
        for (int gy = 0; gy < levels[k].h; gy++)
            for (int gx = 0; gx < levels[k].w; gx++)
                search_block(a, b, levels, k, top, gx, gy, related, count);
}

void motion_split(const Picture *a, const Picture *b, const Grid *from, Grid *to)
{
    for (int gy = 0; gy < to->h; gy++)
        for (int gx = 0; gx < to->w; gx++) {
            Vector c[5] = { { 0, 0 } };
            int same = 1, least = NONE;
            for (int j = 0; j < 4; j++) {
                c[j] = at(from, (gx >> 1) + (j & 1 ? (gx & 1 ? 1 : -1) : 0),
                          (gy >> 1) + (j & 2 ? (gy & 1 ? 1 : -1) : 0));
                same &= absolute(c[j].x - c[0].x) <= 1 && absolute(c[j].y - c[0].y) <= 1;
            }
            Vector best = c[0];
            for (int j = 0; j < 5 && !same; j++) {
                int x = gx * 8 - 4, y = gy * 8 - 2, X = x + (c[j].x >> 2), Y = y + (c[j].y >> 2);
                if (!inside(b, X, Y))
                    continue;
                int cost = sad_quarter(line(a, y) + x, a->stride, line(b, Y) + X, b->stride, 6,
                                       c[j].x & 3, c[j].y & 3) + (j ? NEIGHBOUR : 0);
                if (cost < least) {
                    least = cost;
                    best = c[j];
                }
            }
            to->v[gy * to->w + gx] = best;
        }
}
