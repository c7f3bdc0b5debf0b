#!/usr/bin/env python3
"""Writes the clips of this folder and `cases.tsv`, whose sums are those of model.py. Needs numpy.

python3 tests/golden/best/make.py          # after a change of the networks or of chapter 15
"""
import hashlib
import pathlib
import sys

import numpy as np

import model

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from clips import quarter_pan as pan  # noqa: E402
from clips import anchored, clip, disc, film, noise, noisy, payload, read, text, texture, write, zones  # noqa: E402

OPTIONS = '--field-order header --denoise off --deinterlace on --deinterlacer best --film off'


def waves(x, y, t):
    """Circles that become finer than the lines of a field, with moving phase."""
    phase = ((x - 40) ** 2 + (y - 20) ** 2) * 5 + 37 * t
    return np.clip(abs(phase % 256 - 128) * 600 - 5000, 0, 65535)


def boiling(x, y, t):
    """Noise of three sizes that differs in every field, so that vectors depend on all candidates."""
    grains = [texture(70 + 5 * t + i, x, y, grain) for i, grain in enumerate((2, 6, 17))]
    return (grains[0] + grains[1] + 2 * grains[2]) // 4


def lattice(x, y, t):
    """Repeated patterns of few values, in which many vectors have the same cost."""
    pattern = noise(8, (x + 2 * t) % 8, y % 6, t // 3) >> 14
    return np.where((x // 20 + y // 16) % 3 == 0, 20000, 12000 + 9000 * pattern)


def flicker(scene, x, y, t):
    return np.clip(scene(x, y, t) * (4 + t % 3) // 5, 0, 65535)


def extremes(x, y, t):
    """Black and white samples, by chance; areas of more white make fields correlate."""
    return np.where(noise(5, x, y, t) >> 8 < np.where(x // 12 + y // 10 & 1, 230, 25), 65535, 0)


def stripes(x, y, t):
    bars, lines = (x - 3 * t) % 10 < 5, (x + y) % 9 < 4 + t % 2
    return np.where(np.where(x > 25, bars | lines, bars & lines), 65535, 0)


def shots(scene, starts):
    """Opposite gradients under a scene, from these fields on."""
    def scene_(x, y, t):
        level = 500 * x + 60 * y
        if sum(s <= t for s in starts) % 2:
            level = 50000 - level
        return np.clip(level + scene(x, y, t) // 4, 0, 65535)
    return scene_


def gentle(speed, divisor):
    """Weak smooth detail with a motion of `speed` half samples a field. Each part of 64x5 samples has
    noise of another amplitude. Some places are still, without noise."""
    amplitudes = np.array([0, 900, 200, 100, 300, 1300, 400, 600])

    def scene(x, y, t):
        amplitude = amplitudes[(3 * (x >> 6) + y // 5) % len(amplitudes)]
        moving = (x // 22 + y // 7) % 7 > 0
        level = texture(60, 2 * x - np.where(moving, speed * t, 0), 2 * y, 57) // divisor
        return 24000 + level + np.where(moving, noise(61, x, y, t) * 2 * amplitude // 65536 - amplitude, 0)
    return scene


def turning(scene, start):
    """Opposite gradients under a scene before and from a field on."""
    def scene_(x, y, t):
        level = 230 * x + 60 * y
        return np.clip(np.where(t < start, level, 34000 - level) + scene(x, y, t) - 18000, 0, 65535)
    return scene_


def pulses(x, y, t):
    """Parts that become brighter and darker, each by another step. Steps are limits of flat lines and
    of references that agree, in 1/256 of a level of 8 bits, or a little less. Some are those of
    chroma, which has a half or a third of the contrast."""
    steps = np.array([1023, 1536, 1024, 2303, 1535, 1471, 700, 2304])
    step = steps[(3 * (x >> 6) + y // 6) % len(steps)]
    inside = (x % 64 // 9 % 3 == 1) & (y % 6 < 4)
    bright = (t + x // 64 + y // 12) // 2 % 2 == 1
    return 30720 + 64 * (x % 4) + np.where(inside & bright, step, 0)


def small_object(speed):
    """A small object that moves by `speed` samples a field before a weak still background. Its parts
    differ from the background by about the limit of references that agree."""
    def scene(x, y, t):
        inside = ((x - speed * t) % 90 < 7) & (y % 24 > 5) & (y % 24 < 14)
        step = np.array([9000, 1800, 2048, 2304, 2600])[y // 24 % 5]
        return 24000 + texture(62, 2 * x, 2 * y, 41) // 12 + np.where(inside, step, 0)
    return scene


# Name, scene, sampling, size, depth, frames, chroma outputs, cadence codes.
CLIPS = [
    ('slow_420_tff', pan(3, 1), '420', (112, 80), 8, 4, ('same', '422'), None),
    ('slow_422_bff', pan(-5, 2), '422', (84, 64), 8, 4, ('same', '420', '420drop'), None),
    ('slow_444_tff', pan(2, -3), '444', (52, 70), 8, 3, ('same',), None),
    ('slow_411_bff', pan(-6, 1), '411', (66, 48), 8, 4, ('same', '420'), None),
    ('fast_420_bff', anchored(pan(46, 17)), '420', (112, 80), 8, 4, ('same',), None),
    ('faster_mono_tff', anchored(pan(-30, 6, 21, -12)), 'mono', (144, 66), 8, 5, ('same',), None),
    ('tall_mono_tff', anchored(zones([(9, 0), (-22, 5), (3, -14), (0, 0), (50, 2)], 53)), 'mono', (64, 276), 8, 4,
     ('same',), None),
    ('tall_420_bff', zones([(-7, 3), (13, -6), (30, 10)], 31), '420', (50, 200), 8, 3, ('same',), None),
    ('boiling_mono_bff', anchored(boiling), 'mono', (112, 300), 8, 2, ('same',), None),
    ('lattice_mono_tff', lattice, 'mono', (96, 84), 8, 4, ('same',), None),
    ('wide_mono_bff', anchored(zones([(18, -4), (-40, 7)], 26)), 'mono', (250, 52), 8, 4, ('same',), None),
    ('disc_420_tff', disc(pan(-4, 0), pan(19, 6, 31), 30, 24, 17, 19, 6), '420', (100, 72), 8, 5, ('same',), None),
    ('disc_still_420_bff', disc(pan(0, 0), pan(-11, 3, 41), 60, 30, 14, -11, 3), '420', (90, 60), 8, 5,
     ('same',), None),
    ('waves_mono_tff', anchored(waves), 'mono', (96, 64), 8, 4, ('same',), None),
    ('flicker_422_tff', lambda x, y, t: flicker(pan(7, 0), x, y, t), '422', (64, 40), 8, 4, ('same',), None),
    ('noise_420_bff', noisy(pan(5, 1), 3000), '420', (70, 50), 8, 4, ('same',), None),
    ('extremes_422_tff', extremes, '422', (74, 44), 8, 4, ('same',), None),
    ('stripes_444_bff', stripes, '444', (60, 36), 8, 3, ('same',), None),
    ('shots_420_tff', shots(pan(10, 3), [1, 4, 6, 7]), '420', (80, 50), 8, 6, ('same',), None),
    ('shots_422_bff', shots(pan(-9, 0), [2, 3, 5, 9, 11]), '422', (72, 40), 8, 6, ('same',), None),
    ('shots_mono_tff', shots(boiling, [3, 6, 8]), 'mono', (80, 66), 8, 5, ('same',), None),
    ('two_frames_420_bff', pan(8, -2), '420', (47, 38), 8, 2, ('same',), None),
    ('gentle_444_tff', gentle(4, 5), '444', (165, 24), 8, 4, ('same',), None),
    ('gentle_turning_422_bff', turning(gentle(1, 9), 5), '422', (150, 26), 8, 5, ('same',), None),
    ('object_420_tff', small_object(31), '420', (140, 64), 8, 4, ('same',), None),
    ('object_mono_bff', small_object(-23), 'mono', (100, 40), 8, 4, ('same',), None),
    ('film_422_bff', film(shots(pan(24, 8), [6]), [0, 0, 2, 2, 2, 4, 4, 6, 6, 6, 8, 8]), '422', (68, 44), 8, 6,
     ('same', '420'), [(1, 0), (0, 2), (0, 0), (2, 1), (0, 0), (1, 0), (0, 0)]),
    ('p9_wide_420_tff', zones([(6, 1), (-15, 3)], 18), '420', (120, 34), 9, 3, ('same',), None),
    ('p10_disc_420_bff', disc(pan(3, 2), pan(-14, -5, 51), 50, 20, 12, -14, -5), '420', (86, 50), 10, 4,
     ('same', '422'), None),
    ('p10_shots_mono_tff', shots(pan(6, 6), [3, 4, 5]), 'mono', (64, 40), 10, 4, ('same',), None),
    ('p10_pulses_422_tff', pulses, '422', (145, 26), 10, 3, ('same',), None),
    ('p10_object_mono_tff', small_object(26), 'mono', (90, 40), 10, 4, ('same',), None),
    ('p12_text_422_tff', text, '422', (80, 44), 12, 3, ('same',), None),
    ('p14_extremes_444_bff', extremes, '444', (50, 40), 14, 3, ('same',), None),
    ('p16_slow_420_tff', noisy(pan(5, -2), 200), '420', (76, 50), 16, 3, ('same',), None),
    ('p16_pulses_444_bff', pulses, '444', (132, 24), 16, 3, ('same',), None),
    ('p16_stripes_422_bff', stripes, '422', (62, 38), 16, 3, ('same',), None),
    ('p16_extremes_mono_tff', extremes, 'mono', (60, 40), 16, 4, ('same',), None),
    ('tiny_mono_bff', extremes, 'mono', (1, 2), 8, 4, ('same',), None),
    ('tiny_444_tff', extremes, '444', (2, 2), 8, 4, ('same',), None),
    ('small_420_tff', pan(6, 3), '420', (17, 6), 8, 4, ('same', '422'), None),
]

# Clips of tests/golden/balanced, chroma outputs, cadence codes.
SHARED = [
    ('black_420_bff', ('same',), None),
    ('one_frame_420_tff', ('same',), None),
    ('tiny_420_bff', ('same', '422'), None),
    ('tiny_mono_tff', ('same',), None),
    ('still_420_tff', ('same',), None),
    ('still_noise_420_tff', ('same',), None),
    ('lines_mono_bff', ('same',), None),
    ('turning_420_tff', ('same',), None),
    ('turning_mono_bff', ('same',), None),
    ('p10_lines_mono_tff', ('same',), None),
    ('p10_turning_420_bff', ('same',), None),
    ('film_420_tff', ('same', '422'), [(0, 2), (1, 0), (2, 1), (0, 1), (1, 0)]),
]


def main():
    rows = ['name\tinput\toptions\tframes_md5']

    def add(name, folder, chromas, codes):
        planes, sampling, first, depth = read(HERE / folder / f'{name}.y4m')
        for number, chroma in enumerate(chromas):
            outputs = model.deinterlaced(planes, sampling, first, depth, chroma, codes or ())
            md5 = hashlib.md5(b''.join(payload(out, depth) for out in outputs)).hexdigest()
            cadence = f' --cadence {folder}{name}.codes.txt' if codes else ''
            rows.append(f'{name}.{number}\t{folder}{name}.y4m\t{OPTIONS}{cadence} --chroma {chroma}\t{md5}')

    for name, scene, sampling, size, depth, frames, chromas, codes in CLIPS:
        first = int(name.endswith('bff'))
        write(HERE / f'{name}.y4m', clip(scene, sampling, size, first, depth, frames), sampling, first, depth)
        if codes:
            (HERE / f'{name}.codes.txt').write_text(''.join(f'{a} {b}\n' for a, b in codes))
        add(name, '', chromas, codes)
    for name, chromas, codes in SHARED:
        add(name, '../balanced/', chromas, codes)
    (HERE / 'cases.tsv').write_text('\n'.join(rows) + '\n')
    print(len(rows) - 1, 'cases')


if __name__ == '__main__':
    main()
