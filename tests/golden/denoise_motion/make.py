#!/usr/bin/env python3
"""Writes the clips of this folder and `cases.tsv`, whose sums are those of model.py. Needs numpy.

python3 tests/golden/denoise_motion/make.py          # after a change of chapters 14 to 16
"""
import hashlib
import pathlib
import sys

import numpy as np

import model

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from balanced import model as balanced  # noqa: E402
from best import model as best  # noqa: E402
from clips import quarter_pan as pan  # noqa: E402
from clips import (anchored, clip, detail, disc, extremes, film, noise, noisy, payload, shots, text,  # noqa: E402
                   texture, write, zones)

PARITIES = {'tff': 0, 'bff': 1, 'p': model.PROGRESSIVE}
DEINTERLACERS = {'balanced': balanced, 'best': best}

# Amplitudes of uniform noise: of about the standard deviations of the fixed modes, and of less than
# that above which `strong` follows the measured noise.
LIGHT, MEDIUM, STRONG = 1330, 2660, 3600


def flat(level):
    return lambda x, y, t: level + 0 * (x + y)


def half_still(x, y, t):
    """Still on the left; a fast pan on the right."""
    return np.where(x < 40, detail(4, 4 * x, 4 * y), detail(5, 4 * x - 30 * t, 4 * y + 9 * t))


def brighter(scene, step):
    """A scene that becomes brighter with every field."""
    return lambda x, y, t: np.clip(scene(x, y, t) * 3 // 4 + step * t, 0, 65535)


def appearing(x, y, t):
    """A bright square that jumps, over still detail."""
    inside = (abs(x - 20 - 9 * (t // 2 % 4)) < 7) & (abs(y - 18) < 8)
    return np.where(inside, 60000, detail(6, 4 * x, 4 * y))


def boiling(x, y, t):
    """Detail of two sizes that differs in every field."""
    return (texture(70 + 5 * t, x, y, 3) + 2 * texture(71 + 5 * t, x, y, 17)) // 3


def black(x, y, t):
    """Noise around black and around white, which is clipped."""
    return np.where(x < 20, 300, 65300) + 0 * (x + y)


def lattice(x, y, t):
    """Repeated patterns of few values, in which many vectors have the same cost."""
    pattern = noise(8, (x + 2 * t) % 8, y % 6, t // 3) >> 14
    return np.where((x // 20 + y // 16) % 3 == 0, 20000, 12000 + 9000 * pattern)


def changing(scenes, starts):
    """The scenes in turn, each from a field of `starts` on, over opposite gradients."""
    def scene(x, y, t):
        part = sum(s <= t for s in starts)
        level = 400 * x + 100 * y
        return np.clip((45000 - level if part % 2 else level) + scenes[part % len(scenes)](x, y, t) // 4, 0, 65535)
    return scene


def plain(luma, chroma='off'):
    """Denoising alone."""
    return luma, chroma, None, 'same', None


# Name, scene, sampling, size, depth, frames; then the cases: modes of luma and chroma, deinterlacer
# or None, chroma of its output, cadence codes.
CLIPS = [
    # Progressive
    ('slow_420_p', noisy(pan(3, 1), MEDIUM), '420', (112, 80), 8, 5,
     [plain('medium', 'medium'), plain('light', 'strong'), plain('medium'), plain('off', 'medium'), plain('off')]),
    ('fast_420_p', noisy(anchored(pan(23, 9)), LIGHT), '420', (96, 72), 8, 5, [plain('light', 'light')]),
    ('still_422_p', noisy(pan(0, 0), STRONG), '422', (60, 48), 8, 7, [plain('strong', 'strong'), plain('light')]),
    ('slow_444_p', noisy(pan(-2, 3), MEDIUM), '444', (52, 44), 8, 4, [plain('medium', 'light')]),
    ('slow_411_p', noisy(pan(-5, 1), MEDIUM), '411', (75, 41), 8, 4, [plain('medium', 'medium')]),
    ('tall_mono_p', noisy(anchored(zones([(5, 0), (-11, 3), (2, -7), (0, 0), (25, 1)], 53)), MEDIUM), 'mono',
     (64, 276), 8, 4, [plain('medium')]),
    ('wide_mono_p', noisy(anchored(zones([(9, -2), (-20, 4)], 26)), LIGHT), 'mono', (200, 50), 8, 4, [plain('medium')]),
    ('disc_420_p', noisy(disc(pan(-2, 0), pan(9, 3, 31), 30, 24, 17, 9, 3), MEDIUM), '420', (100, 72), 8, 5,
     [plain('medium', 'medium')]),
    ('half_still_mono_p', noisy(half_still, MEDIUM), 'mono', (80, 48), 8, 6, [plain('medium'), plain('strong')]),
    ('brighter_420_p', noisy(brighter(pan(2, 0), 900), LIGHT), '420', (64, 40), 8, 5, [plain('light', 'light')]),
    ('appearing_422_p', noisy(appearing, MEDIUM), '422', (70, 40), 8, 6, [plain('medium', 'medium')]),
    ('noise_mono_p', noisy(flat(30000), STRONG), 'mono', (60, 60), 8, 5, [plain('strong'), plain('light')]),
    ('black_420_p', noisy(black, STRONG), '420', (42, 34), 8, 4, [plain('strong', 'medium')]),
    ('boiling_mono_p', anchored(boiling), 'mono', (96, 140), 8, 3, [plain('strong')]),
    ('lattice_mono_p', noisy(lattice, LIGHT), 'mono', (96, 84), 8, 4, [plain('light')]),
    ('extremes_444_p', extremes, '444', (50, 37), 8, 4, [plain('light', 'strong')]),
    ('cuts_420_p', noisy(changing([pan(4, 1), pan(-6, 2, 21)], [4, 6, 12]), MEDIUM), '420', (80, 50), 8, 8,
     [plain('medium', 'medium')]),
    ('one_frame_420_p', noisy(pan(0, 0), MEDIUM), '420', (46, 38), 8, 1, [plain('medium', 'medium')]),
    ('two_frames_420_p', noisy(pan(6, -2), MEDIUM), '420', (47, 39), 8, 2, [plain('medium', 'light')]),
    ('odd_420_p', noisy(pan(3, -1), STRONG), '420', (33, 31), 8, 4, [plain('strong', 'strong')]),
    ('point_mono_p', noisy(flat(30000), MEDIUM), 'mono', (1, 1), 8, 4, [plain('medium')]),
    ('tiny_420_p', noisy(flat(20000), STRONG), '420', (3, 5), 8, 4, [plain('medium', 'medium')]),
    ('narrow_411_p', noisy(pan(0, 3), STRONG), '411', (5, 70), 8, 3, [plain('strong', 'strong')]),
    ('flat_444_p', noisy(pan(5, 0), MEDIUM), '444', (90, 3), 8, 3, [plain('medium', 'medium')]),
    ('p9_slow_420_p', noisy(pan(-3, 2), MEDIUM), '420', (66, 50), 9, 4, [plain('medium', 'medium')]),
    ('p10_disc_422_p', noisy(disc(pan(2, 1), pan(-7, -2, 51), 50, 20, 12, -7, -2), LIGHT), '422', (86, 50), 10, 4,
     [plain('light', 'medium')]),
    ('p12_cuts_420_p', noisy(changing([pan(4, 1), pan(-6, 2, 21)], [4]), STRONG), '420', (60, 38), 12, 4,
     [plain('strong', 'strong')]),
    ('p14_black_444_p', noisy(black, STRONG), '444', (42, 20), 14, 3, [plain('strong', 'light')]),
    ('p16_slow_420_p', noisy(pan(5, -2), STRONG), '420', (70, 42), 16, 4, [plain('strong', 'medium')]),
    ('p16_extremes_mono_p', extremes, 'mono', (41, 30), 16, 4, [plain('light')]),

    # Interlaced
    ('slow_420_tff', noisy(pan(3, 1), MEDIUM), '420', (96, 80), 8, 4,
     [plain('medium', 'medium'), ('medium', 'medium', 'best', 'same', None), ('light', 'strong', 'balanced', '422', None)]),
    ('slow_422_bff', noisy(pan(-5, 2), MEDIUM), '422', (68, 54), 8, 4,
     [plain('medium', 'off'), ('off', 'medium', 'best', '420', None)]),
    ('slow_444_bff', noisy(pan(4, 0), LIGHT), '444', (50, 42), 8, 3, [('light', 'light', 'balanced', 'same', None)]),
    ('slow_411_tff', noisy(pan(-3, 1), STRONG), '411', (66, 42), 8, 4,
     [plain('medium', 'medium'), ('medium', 'medium', 'best', 'same', None)]),
    ('tall_mono_bff', noisy(anchored(zones([(5, 0), (-11, 3), (2, -7)], 71)), MEDIUM), 'mono', (50, 270), 8, 3,
     [plain('medium')]),
    ('text_420_tff', noisy(text, STRONG), '420', (70, 46), 8, 4, [('strong', 'strong', 'balanced', 'same', None)]),
    # Scene cuts between frames, and between the fields of a frame.
    ('cuts_420_tff', noisy(changing([pan(4, 1), pan(-6, 2, 21)], [4, 7, 11]), MEDIUM), '420', (72, 50), 8, 8,
     [plain('medium', 'medium'), ('medium', 'off', 'best', 'same', None)]),
    ('cuts_mono_bff', noisy(shots([3, 4, 9]), LIGHT), 'mono', (52, 40), 8, 6, [plain('light')]),
    ('film_420_bff', noisy(film(pan(12, 4), [0, 0, 2, 2, 2, 4, 4, 6, 6, 6, 8, 8]), LIGHT), '420', (60, 44), 8, 5,
     [('light', 'light', 'best', 'same', [(1, 0), (0, 2), (0, 0), (2, 1), (0, 0), (1, 0)])]),
    ('one_frame_422_tff', noisy(pan(0, 0), MEDIUM), '422', (40, 26), 8, 1,
     [plain('medium', 'medium'), ('medium', 'medium', 'best', 'same', None)]),
    ('two_frames_420_bff', noisy(pan(8, -2), MEDIUM), '420', (47, 38), 8, 2,
     [plain('light', 'medium'), ('light', 'medium', 'balanced', 'same', None)]),
    ('tiny_mono_tff', noisy(flat(30000), MEDIUM), 'mono', (1, 2), 8, 4,
     [plain('medium'), ('medium', 'off', 'best', 'same', None)]),
    ('tiny_420_bff', noisy(pan(3, 0), STRONG), '420', (5, 6), 8, 4, [plain('strong', 'strong')]),
    ('p10_slow_420_bff', noisy(pan(4, -1), MEDIUM), '420', (60, 46), 10, 3,
     [plain('medium', 'medium'), ('medium', 'medium', 'best', 'same', None)]),
    ('p16_slow_422_tff', noisy(pan(-6, 1), STRONG), '422', (50, 36), 16, 3,
     [plain('medium', 'medium'), ('medium', 'medium', 'balanced', 'same', None)]),
    ('p12_text_444_tff', noisy(text, LIGHT), '444', (40, 30), 12, 3, [plain('light', 'light')]),
]


def outputs_of(planes, sampling, first, depth, case):
    """The output frames of a case, each a list of planes."""
    luma, chroma, deinterlacer, out_chroma, codes = case
    planes = model.denoised(planes, sampling, first, depth, luma, chroma)
    if deinterlacer:
        return DEINTERLACERS[deinterlacer].deinterlaced(planes, sampling, first, depth, out_chroma, codes or ())
    return list(zip(*planes))


def main():
    rows = ['name\tinput\toptions\tframes_md5']

    def add(name, input, options, outputs, depth):
        md5 = hashlib.md5(b''.join(payload(out, depth) for out in outputs)).hexdigest()
        options = f'--field-order header --denoise-motion on {options} --film off'
        rows.append(f'{name}\t{input}.y4m\t{options}\t{md5}')

    for name, scene, sampling, size, depth, frames, cases in CLIPS:
        first = PARITIES[name.rsplit('_', 1)[1]]
        planes = clip(scene, sampling, size, first, depth, frames)
        write(HERE / f'{name}.y4m', planes, sampling, first, depth)
        for number, case in enumerate(cases):
            luma, chroma, deinterlacer, out_chroma, codes = case
            options = f'--denoise {luma} --denoise-chroma {chroma}'
            if deinterlacer:
                options += f' --deinterlace on --deinterlacer {deinterlacer} --chroma {out_chroma}'
            else:
                options += ' --deinterlace off'
            if codes:
                (HERE / f'{name}.codes.txt').write_text(''.join(f'{a} {b}\n' for a, b in codes))
                options += f' --cadence {name}.codes.txt'
            add(f'{name}.{number}', name, options, outputs_of(planes, sampling, first, depth, case), depth)
        # §9.6: other depths of the output.
        if name in ('odd_420_p', 'slow_422_bff'):
            raised = [plane << 2 for plane in planes]
            outputs = outputs_of(raised, sampling, first, 10, plain('medium', 'medium'))
            add(f'{name}.raised', name, '--denoise medium --denoise-chroma medium --deinterlace off --depth 10', outputs, 10)
        if name == 'p10_disc_422_p':
            outputs = outputs_of(planes, sampling, first, 10, plain('strong', 'strong'))
            lowered = [[np.minimum(255, plane + 2 >> 2) for plane in out] for out in outputs]
            add(f'{name}.lowered', name, '--denoise strong --denoise-chroma strong --deinterlace off --depth 8 --dither none',
                lowered, 8)
    (HERE / 'cases.tsv').write_text('\n'.join(rows) + '\n')
    print(len(rows) - 1, 'cases')


if __name__ == '__main__':
    main()
