#include "model.h"

/* Catmull-Rom at quarter samples, sum 64. */
static const int TAPS[4][4] = {
    { 0, 64, 0, 0 }, { -4, 55, 15, -2 }, { -4, 36, 36, -4 }, { -2, 15, 55, -4 }
};

static void block(const Picture *r, Picture *out, Vector v, int x0, int y0, int w, int h)
{
    /* Farther out than the border all samples are equal along the axis. */
    int X = limit(x0 + (v.x >> 2), 2 - PAD, r->w + PAD - w - 3);
    int Y = limit(y0 + (v.y >> 2), 2 - PAD, r->h + PAD - h - 3);
    const int *across = TAPS[v.x & 3], *down = TAPS[v.y & 3];
    int sums[8 + 3][8];
    for (int y = 0; y < h + 3; y++) {
        const uint8_t *from = line(r, Y + y - 1) + X;
        for (int x = 0; x < w; x++)
            sums[y][x] = across[0] * from[x - 1] + across[1] * from[x] + across[2] * from[x + 1]
                         + across[3] * from[x + 2];
    }
    for (int y = 0; y < h; y++) {
        uint8_t *to = line(out, y0 + y) + x0;
        for (int x = 0; x < w; x++)
            to[x] = clip8((down[0] * sums[y][x] + down[1] * sums[y + 1][x]
                           + down[2] * sums[y + 2][x] + down[3] * sums[y + 3][x] + 2048) >> 12);
    }
}

void compensate(const Picture *r, const Grid *vectors, Picture *out, int bw, int bh)
{
    for (int y = 0; y < out->h; y += bh)
        for (int x = 0; x < out->w; x += bw) {
            const Vector *row = vectors->v + smaller(y / bh, vectors->h - 1) * vectors->w;
            block(r, out, row[smaller(x / bw, vectors->w - 1)], x, y, smaller(bw, out->w - x),
                  smaller(bh, out->h - y));
        }
    picture_pad(out);
}
