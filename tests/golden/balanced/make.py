#!/usr/bin/env python3
"""Writes the clips of this folder and `cases.tsv`, whose sums are those of model.py. Needs numpy.

python3 tests/golden/balanced/make.py          # after a change of the networks or of chapter 14
"""
import hashlib
import pathlib

import numpy as np

import model

HERE = pathlib.Path(__file__).resolve().parent
OPTIONS = '--field-order header --denoise off --deinterlace on --deinterlacer balanced --film off'


def mix(v):
    """The finalizer of splitmix64."""
    v = v + np.uint64(0x9e3779b97f4a7c15)
    v = (v ^ v >> np.uint64(30)) * np.uint64(0xbf58476d1ce4e5b9)
    v = (v ^ v >> np.uint64(27)) * np.uint64(0x94d049bb133111eb)
    return v ^ v >> np.uint64(31)


def noise(seed, x, y, t):
    """Values 0 to 65535 that depend on the position alone."""
    x, y, t = np.broadcast_arrays(x, y, t)
    position = (x.astype(np.int64) << 40) ^ (y.astype(np.int64) << 20) ^ t.astype(np.int64)
    return (mix(position.astype(np.uint64) ^ mix(np.uint64([seed]))) >> np.uint64(48)).astype(np.int64)


def texture(seed, x, y, grain):
    """Smooth noise; positions are in half samples."""
    u, v, i, j = x // grain, y // grain, x % grain, y % grain
    rows = [noise(seed, u, v + k, 0) * (grain - i) + noise(seed, u + 1, v + k, 0) * i for k in (0, 1)]
    return (rows[0] * (grain - j) + rows[1] * j) // (grain * grain)


# Scenes return values 0 to 65535 for columns, lines and a time in fields.
def pan(mx, my, grain=5, seed=1):
    return lambda x, y, t: texture(seed, 2 * x - mx * t, 2 * y - my * t, grain)


def still(x, y, t):
    return texture(3, 2 * x, 2 * y, 4)


def black(x, y, t):
    return 0 * (x + y)


def extremes(x, y, t):
    return np.where(noise(5, x, y, t) & 3 == 0, 65535, 0)


def text(x, y, t):
    """Bright still strokes over a moving texture."""
    return np.where((x // 3 + y // 4) % 3 == 0, 60000, texture(7, 2 * x - 5 * t, 2 * y, 6) // 2)


def edges(x, y, t):
    return np.clip(32768 + (8 * x - 5 * y - 9 * t) % 160 * 1500 - 120000, 0, 65535)


def noisy(scene, amplitude):
    return lambda x, y, t: np.clip(scene(x, y, t) + noise(9, x, y, t) % (2 * amplitude) - amplitude, 0, 65535)


def film(scene, shown):
    return lambda x, y, t: scene(x, y, shown[t % len(shown)])


def shots(starts):
    """Opposite gradients in turn, from these fields on."""
    def scene(x, y, t):
        level = 1200 * x + 300 * (y % 5) + 500 * t
        return np.clip(63000 - level if sum(s <= t for s in starts) % 2 else level, 0, 65535)
    return scene


def clip(scene, sampling, size, first, depth, frames):
    """Planes [frame, line, column]. Chroma shows the same scene, darker and inverted."""
    width, height = size
    sizes = [(width, height)]
    if sampling != 'mono':
        across, down = {'420': (2, 2), '422': (2, 1), '411': (4, 1), '444': (1, 1)}[sampling]
        sizes += 2 * [(-(-width // across), -(-height // down))]

    def frame(n, index):
        w, h = sizes[index]
        lines = []
        for y in range(h):
            t = 2 * n + (y & 1 ^ first)
            line = scene(np.arange(w), np.int64(y), t)
            lines.append([line, 65535 - line // 2, line // 3 + 20000][index] >> (16 - depth))
        return np.array(lines)
    return [np.array([frame(n, i) for n in range(frames)]) for i in range(len(sizes))]


def payload(planes, depth):
    return b''.join(plane.astype('<u2' if depth > 8 else 'u1').tobytes() for plane in planes)


def write(name, planes, sampling, first, depth):
    tag = 'C' + sampling + ('p' if depth > 8 and sampling != 'mono' else '') + (str(depth) if depth > 8 else '')
    _, height, width = planes[0].shape
    with open(HERE / f'{name}.y4m', 'wb') as f:
        f.write(f'YUV4MPEG2 W{width} H{height} F25:1 I{"tb"[first]} A1:1 {tag}\n'.encode())
        for n in range(len(planes[0])):
            f.write(b'FRAME\n' + payload([plane[n] for plane in planes], depth))


# Name, scene, sampling, size, depth, frames, chroma outputs, cadence codes.
CLIPS = [
    ('pan_420_tff', pan(3, 0), '420', (44, 28), 8, 4, ('same', '422'), None),
    ('pan_420_bff', pan(-2, 1), '420', (44, 28), 8, 4, ('same',), None),
    ('pan_422_tff', pan(4, -1), '422', (38, 22), 8, 3, ('same', '420'), None),
    ('pan_422_bff', pan(5, 2), '422', (38, 22), 8, 3, ('420drop',), None),
    ('pan_411_tff', pan(-5, 0), '411', (42, 16), 8, 3, ('same', '420'), None),
    ('pan_444_bff', pan(1, 3), '444', (30, 18), 8, 3, ('same',), None),
    ('edges_mono_tff', edges, 'mono', (150, 24), 8, 3, ('same',), None),
    ('noise_420_tff', noisy(still, 2500), '420', (40, 20), 8, 3, ('same',), None),
    ('text_420_tff', text, '420', (70, 24), 8, 3, ('same',), None),
    ('extremes_422_bff', extremes, '422', (36, 16), 8, 3, ('same',), None),
    ('still_420_tff', still, '420', (34, 16), 8, 2, ('same',), None),
    ('black_420_bff', black, '420', (20, 12), 8, 2, ('same',), None),
    ('shots_420_tff', shots([2, 3, 5, 8]), '420', (44, 24), 8, 5, ('same', '422'), None),
    ('shots_mono_bff', shots([1, 4, 6, 7]), 'mono', (44, 24), 8, 5, ('same',), None),
    ('one_frame_420_tff', pan(3, 1), '420', (33, 14), 8, 1, ('same',), None),
    ('tiny_420_bff', extremes, '420', (3, 4), 8, 3, ('same', '422'), None),
    ('tiny_mono_tff', extremes, 'mono', (2, 2), 8, 3, ('same',), None),
    ('film_420_tff', film(pan(6, 2), [0, 0, 2, 2, 2, 4, 4, 6, 6, 6]), '420', (40, 20), 8, 4, ('same', '422'),
     [(0, 2), (1, 0), (2, 1), (0, 1), (1, 0)]),
    ('p9_pan_mono_bff', pan(3, 1), 'mono', (41, 18), 9, 3, ('same',), None),
    ('p10_pan_420_tff', pan(-3, 1), '420', (44, 28), 10, 3, ('same', '422'), None),
    ('p10_shots_422_bff', shots([3, 4]), '422', (44, 24), 10, 3, ('420',), None),
    ('p12_text_422_tff', text, '422', (66, 20), 12, 3, ('same',), None),
    ('p14_edges_mono_bff', edges, 'mono', (80, 18), 14, 3, ('same',), None),
    ('p16_pan_444_tff', noisy(pan(2, 0), 300), '444', (36, 18), 16, 3, ('same',), None),
    ('p16_extremes_420_bff', extremes, '420', (36, 16), 16, 3, ('same',), None),
]


def main():
    rows = ['name\tinput\toptions\tframes_md5']
    for name, scene, sampling, size, depth, frames, chromas, codes in CLIPS:
        first = int(name.endswith('bff'))
        planes = clip(scene, sampling, size, first, depth, frames)
        write(name, planes, sampling, first, depth)
        options = OPTIONS
        if codes:
            (HERE / f'{name}.codes.txt').write_text(''.join(f'{a} {b}\n' for a, b in codes))
            options += f' --cadence {name}.codes.txt'
        for number, chroma in enumerate(chromas):
            outputs = model.deinterlaced(planes, sampling, first, depth, chroma, codes or ())
            md5 = hashlib.md5(b''.join(payload(out, depth) for out in outputs)).hexdigest()
            rows.append(f'{name}.{number}\t{name}.y4m\t{options} --chroma {chroma}\t{md5}')
    (HERE / 'cases.tsv').write_text('\n'.join(rows) + '\n')
    print(len(rows) - 1, 'cases')


if __name__ == '__main__':
    main()
