#!/usr/bin/env python3
"""Writes the clips of this folder and `cases.tsv`, whose sums are those of model.py. Needs numpy.

python3 tests/golden/balanced/make.py          # after a change of the networks or of chapter 14
"""
import hashlib
import pathlib
import sys

import model

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from clips import (black, clip, edges, extremes, film, lines, noisy, pan, payload, shots, still,  # noqa: E402
                   still_noise, text, turning, write)

OPTIONS = '--field-order header --denoise off --deinterlace on --deinterlacer balanced --film off'

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
    ('still_noise_420_tff', still_noise([1280, 256, 512, 3300, 768, 6000, 4800, 1024]), '420', (100, 72), 8, 4,
     ('same',), None),
    ('lines_mono_bff', lines, 'mono', (70, 40), 8, 4, ('same',), None),
    ('turning_420_tff', turning(still_noise([900, 3000, 1200, 300, 600], 4), [3, 8, 13, 14]), '420', (50, 36), 8, 9, ('same',), None),
    ('turning_mono_bff', turning(still_noise([1200, 900, 3000], 4), [4, 6, 9, 10]), 'mono', (44, 30), 8, 8, ('same',), None),
    ('one_frame_420_tff', pan(3, 1), '420', (33, 14), 8, 1, ('same',), None),
    ('tiny_420_bff', extremes, '420', (3, 4), 8, 3, ('same', '422'), None),
    ('tiny_mono_tff', extremes, 'mono', (2, 2), 8, 3, ('same',), None),
    ('film_420_tff', film(pan(6, 2), [0, 0, 2, 2, 2, 4, 4, 6, 6, 6]), '420', (40, 20), 8, 4, ('same', '422'),
     [(0, 2), (1, 0), (2, 1), (0, 1), (1, 0)]),
    ('p9_pan_mono_bff', pan(3, 1), 'mono', (41, 18), 9, 3, ('same',), None),
    ('p10_pan_420_tff', pan(-3, 1), '420', (44, 28), 10, 3, ('same', '422'), None),
    ('p10_shots_422_bff', shots([3, 4]), '422', (44, 24), 10, 3, ('420',), None),
    ('p10_still_noise_422_bff', still_noise([1280, 256, 3500, 5400], 3), '422', (70, 40), 10, 3, ('same',), None),
    ('p10_lines_mono_tff', lines, 'mono', (70, 40), 10, 4, ('same',), None),
    ('p10_turning_420_bff', turning(still_noise([800, 1100], 5), [5, 6, 10]), '420', (44, 30), 10, 7, ('same',), None),
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
        write(HERE / f'{name}.y4m', planes, sampling, first, depth)
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
