#include "model.h"

enum { CHUNK = 64, WIDEST = 64 };

Network network_from(const int32_t *data)
{
    Network n = { data[0], data[1], data[2], 0, 0, 0, 0, 0, 0, 0 };
    const int32_t *at = data + 3;
    n.w1 = at, at += n.n1 * n.inputs;
    n.b1 = at, at += n.n1;
    n.w2 = at, at += n.n2 * n.n1;
    n.b2 = at, at += n.n2;
    n.w3 = at, at += n.n2;
    n.b3 = at, at += 1;
    n.skip = at;
    return n;
}

void network_run(const Network *n, const int16_t *in, int stride, int w, int *out)
{
    int h1[WIDEST][CHUNK], h2[WIDEST][CHUNK], sum[CHUNK];
    for (int x0 = 0; x0 < w; x0 += CHUNK) {
        for (int j = 0; j < n->n1; j++) {
            for (int x = 0; x < CHUNK; x++)
                sum[x] = n->b1[j];
            for (int i = 0; i < n->inputs; i++) {
                const int16_t *row = in + (size_t)i * stride + x0;
                int k = n->w1[j * n->inputs + i];
                for (int x = 0; x < CHUNK; x++)
                    sum[x] += row[x] * k;
            }
            for (int x = 0; x < CHUNK; x++)
                h1[j][x] = limit(sum[x] >> 9, 0, 4095);
        }
        for (int j = 0; j < n->n2; j++) {
            for (int x = 0; x < CHUNK; x++)
                sum[x] = n->b2[j] + 2048;
            for (int i = 0; i < n->n1; i++)
                for (int x = 0; x < CHUNK; x++)
                    sum[x] += h1[i][x] * n->w2[j * n->n1 + i];
            for (int x = 0; x < CHUNK; x++)
                h2[j][x] = limit(sum[x] >> 12, 0, 4095);
        }
        for (int x = 0; x < CHUNK; x++)
            sum[x] = n->b3[0] + 4096;
        for (int j = 0; j < n->n2; j++)
            for (int x = 0; x < CHUNK; x++)
                sum[x] += h2[j][x] * n->w3[j];
        for (int i = 0; i < n->inputs; i++) {
            const int16_t *row = in + (size_t)i * stride + x0;
            for (int x = 0; x < CHUNK; x++)
                sum[x] += row[x] * n->skip[i];
        }
        for (int x = 0; x < CHUNK && x0 + x < w; x++)
            out[x0 + x] = sum[x] >> 13;
    }
}
