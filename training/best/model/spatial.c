#include "model.h"

/* Columns on either side of the 28 inputs, for the lines y-3, y-1, y+1, y+3. */
static const int REACH[4] = { 2, 4, 4, 2 };

static void network_line(const Clip *c, int t, int y, const Network *n, int16_t *in, int stride,
                         int *correction, uint8_t *out)
{
    const uint8_t *above = field_line(c, t, y - 1), *below = field_line(c, t, y + 1);
    int16_t *row = in;
    for (int i = 0; i < 4; i++) {
        const uint8_t *from = field_line(c, t, y - 3 + 2 * i);
        for (int j = -REACH[i]; j <= REACH[i]; j++, row += stride)
            for (int x = 0; x < c->w; x++)
                row[x] = from[x + j] - ((above[x] + below[x] + 1) >> 1);
    }
    network_run(n, in, stride, c->w, correction);
    for (int x = 0; x < c->w; x++)
        out[x] = clip8(((above[x] + below[x] + 1) >> 1) + correction[x]);
}

static void cubic_line(const Clip *c, int t, int y, uint8_t *out)
{
    const uint8_t *above = field_line(c, t, y - 1), *below = field_line(c, t, y + 1);
    const uint8_t *above3 = field_line(c, t, y - 3), *below3 = field_line(c, t, y + 3);
    for (int x = 0; x < c->w; x++)
        out[x] = clip8((5077 * (above[x] + below[x]) - 981 * (above3[x] + below3[x])) >> 13);
}

void spatial_picture(const Clip *c, int t, const Network *n, Picture *out)
{
    int stride = (c->w + 63) & ~63;
    int16_t *in = calloc((size_t)stride * 28, sizeof *in);
    int *correction = malloc(sizeof(int) * c->w);
    for (int y = 0; y < c->h; y++) {
        if ((y & 1) != missing_parity(t))
            memcpy(line(out, y), field_line(c, t, y), c->w);
        else if (n)
            network_line(c, t, y, n, in, stride, correction, line(out, y));
        else
            cubic_line(c, t, y, line(out, y));
    }
    free(in);
    free(correction);
    picture_pad(out);
}
