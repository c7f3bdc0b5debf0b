#include "model.h"

Picture picture_new(int w, int h)
{
    Picture p = { w, h, (w + 2 * PAD + 63) & ~63, 0, 0 };
    p.base = calloc((size_t)p.stride * (h + 2 * PAD) + 64, 1);
    p.at = p.base + (size_t)PAD * p.stride + PAD;
    return p;
}

void picture_free(Picture *p) { free(p->base); }

void picture_pad(Picture *p)
{
    for (int y = 0; y < p->h; y++) {
        uint8_t *row = line(p, y);
        memset(row - PAD, row[0], PAD);
        memset(row + p->w, row[p->w - 1], PAD);
    }
    for (int y = 1; y <= PAD; y++) {
        memcpy(line(p, -y) - PAD, line(p, 0) - PAD, p->w + 2 * PAD);
        memcpy(line(p, p->h - 1 + y) - PAD, line(p, p->h - 1) - PAD, p->w + 2 * PAD);
    }
}
