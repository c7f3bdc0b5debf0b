"""Composite video: clips that are coded to one signal and decoded again, and what a comb filter in time leaves of the crosstalk."""
import random
import numpy as np
from faults import converted, error, psnr
from y4m import Clip

# Samples a second, of 720 samples in a line.
SAMPLES = 13.5e6
# Frequency of the subcarrier, its periods in a line, lines of a frame, frames to the opposite phase.
STANDARDS = {'ntsc': (3579545.4545, 227.5, 525, 1), 'pal': (4433618.75, 283.7516, 625, 2)}
# Half the width of the band that chroma has, and of the band that the decoder removes from luma.
CHROMA, NOTCH = 1.3e6, 0.5e6
# Frames of a clip: the crosstalk of PAL has a period of 4.
FRAMES = 14
# Luma samples and lines of a block, and the change of its samples that counts as none.
BLOCK, STILL = 16, 6


def lowpass(limit, taps=33):
    at = np.arange(taps) - taps // 2
    weights = np.sinc(2 * limit / SAMPLES * at) * np.hamming(taps)
    return (weights / weights.sum()).astype(np.float32)


def filtered(lines, weights):
    side, width = len(weights) // 2, lines.shape[1]
    padded = np.pad(lines, ((0, 0), (side, side)), 'edge')
    return sum(weight * padded[:, k:k + width] for k, weight in enumerate(weights))


def carriers(standard, number, shape):
    """The subcarriers of Cb and Cr in a frame. That of Cr changes its sign from line to line in PAL."""
    frequency, periods, lines, _ = STANDARDS[standard]
    y = np.arange(shape[0])
    line = y // 2 + lines / 2 * (y % 2) + lines * number
    phase = 2 * np.pi * (np.mod(periods * line, 1)[:, None] + np.arange(shape[1])[None] * frequency / SAMPLES)
    sign = 1 - 2 * ((line + y % 2 / 2) % 2) if standard == 'pal' else np.ones(shape[0])
    return np.sin(phase).astype(np.float32), (np.cos(phase) * sign[:, None]).astype(np.float32)


def of_luma_size(plane, shape):
    down, across = -(-shape[0] // plane.shape[0]), -(-shape[1] // plane.shape[1])
    plane = plane.astype(np.float32) - 128
    if down == 2:
        out = np.empty((shape[0], plane.shape[1]), np.float32)
        for field in (0, 1):
            out[field::2] = np.repeat(plane[field::2], 2, 0)[:len(out[field::2])]
        plane = out
    return np.repeat(plane, across, 1)[:, :shape[1]]


def of_chroma_size(plane, shape):
    down, across = -(-plane.shape[0] // shape[0]), -(-plane.shape[1] // shape[1])
    plane = sum(plane[:, k::across] for k in range(across)) / across
    if down == 2:
        out = np.empty(shape, np.float32)
        for field in (0, 1):
            lines = plane[field::2]
            out[field::2] = (lines[0::2] + lines[1::2]) / 2
        plane = out
    return plane + 128


def decoded(frame, standard, number, is_composite):
    """The planes behind a decoder with a notch for luma and a band for chroma; with one signal, or with luma and
    chroma apart, which is the picture without crosstalk."""
    luma = frame[0].astype(np.float32)
    one, other = carriers(standard, number, luma.shape)
    band, notch = lowpass(CHROMA), lowpass(NOTCH)
    cb, cr = [filtered(of_luma_size(plane, luma.shape), band) for plane in frame[1:]]
    chroma = cb * one + cr * other
    signals = [luma + chroma, luma + chroma] if is_composite else [luma, chroma]
    removed = [filtered(2 * signals[0] * carrier, notch) * carrier for carrier in (one, other)]
    planes = [signals[0] - sum(removed)]
    planes += [of_chroma_size(filtered(2 * signals[1] * carrier, band), frame[1].shape) for carrier in (one, other)]
    return tuple(np.clip(np.rint(plane), 1, 254).astype(np.uint8) for plane in planes)


def scene(seed, still):
    """Frames of lines near the subcarrier, letters of one colour on another, and a disc that moves unless all is still."""
    draw = np.random.RandomState(seed)
    y, x = np.mgrid[0:480, 0:720]
    luma = 120 + 40 * np.sin(x * x / 720) * (y < 120)
    cells = draw.randint(0, 2, (480 // 10, 720 // 6)).repeat(10, 0).repeat(6, 1)
    luma = np.where((y >= 120) & (y < 320), 60 + 110 * cells, luma)
    luma = np.where(y >= 320, 40 + x / 5, luma)
    colours = draw.randint(-60, 61, (2, 6, 9)).repeat(40, 1).repeat(40, 2) * 1.0
    frames = []
    for number in range(FRAMES):
        planes = [luma.copy(), colours[0].copy(), colours[1].copy()]
        for field in (0, 1):
            if still:
                break
            at = 40 + 12 * (2 * number + field)
            disc = (x - at) ** 2 + (y - 240) ** 2 < 60 ** 2
            planes[0][field::2][disc[field::2]] = 190
            small = disc[::2, ::2]
            planes[1][field::2][small[field::2]] = 50
        noise = draw.normal(0, 1, luma.shape)
        planes = [planes[0] + noise, planes[1] + 128, planes[2] + 128]
        frames.append(tuple(np.clip(np.rint(plane), 16, 235).astype(np.uint8) for plane in planes))
    return frames


def still_parts(frames, reach):
    """For each frame and plane, the samples of blocks that change in no plane by more than a little within `reach`."""
    height, width = frames[0][0].shape
    blocks = (-(-height // BLOCK), -(-width // BLOCK))
    out = []
    for at in range(len(frames)):
        near = frames[max(0, at - reach):at + reach + 1]
        still, sizes = np.ones(blocks, bool), []
        for index in range(len(frames[0])):
            planes = np.stack([frame[index] for frame in near]).astype(np.int16)
            changes = planes.max(0) - planes.min(0)
            h, w = BLOCK * changes.shape[0] // height, BLOCK * changes.shape[1] // width
            sizes.append((h, w, changes.shape))
            padded = np.zeros((blocks[0] * h, blocks[1] * w), np.int16)
            padded[:changes.shape[0], :changes.shape[1]] = changes
            still &= padded.reshape(blocks[0], h, blocks[1], w).max((1, 3)) <= STILL
        out.append([still.repeat(h, 0).repeat(w, 1)[:shape[0], :shape[1]] for h, w, shape in sizes])
    return out


def squares(frames, clean, parts, planes):
    """The mean squared errors of these planes: of the whole pictures, and of their still parts."""
    whole, still = [], []
    for frame, truth, part in zip(frames, clean, parts):
        for index in planes:
            difference = (frame[index].astype(np.float32) - truth[index]) ** 2
            whole.append(difference.ravel())
            still.append(difference[part[index]])
    return [float(np.concatenate(errors).mean()) if sum(map(len, errors)) else 0.0 for errors in (whole, still)]


def woven(clip, case, truth):
    """The first frames of the ground truth of an interlaced clip, without its noise."""
    out = []
    for number in range(min(FRAMES, len(clip.frames))):
        fields = [truth[case['field_map'][2 * number + k]] for k in ((0, 1) if case['parity'] == 'tff' else (1, 0))]
        planes = [np.empty_like(plane) for plane in fields[0]]
        for plane, top, bottom in zip(planes, *fields):
            plane[0::2], plane[1::2] = top[0::2], bottom[1::2]
        out.append(tuple(planes))
    return out


def damaged(clip, standard):
    frames = clip.frames[:FRAMES]
    return [[decoded(frame, standard, number, mode) for number, frame in enumerate(frames)] for mode in (False, True)]


def dot_crawl(corpus, row):
    """The part of the crosstalk that is removed, and the loss of clean clips behind the deinterlacer."""
    kept = '--deinterlace off --rate frame --dot-crawl '
    cases = corpus.of('interlaced', 'interlaced_lpf', 'noise_inter')
    clips = [(case['id'], Clip(corpus.data(case['input'])), case) for case in cases]
    made = Clip(b'YUV4MPEG2 W720 H480 F30000:1001 C420\n')
    clips += [(name, made, None) for name in ('still scene', 'scene with a disc')]
    for name, clip, case in clips:
        if case is not None:
            truth = Clip(corpus.data(case['gt'])).frames
        else:
            clip.frames = scene(7, name == 'still scene')
        for standard, (_, _, _, distance) in STANDARDS.items():
            clean, bad = damaged(clip, standard)
            repaired = converted(corpus.binary, clip, bad, kept + standard)
            parts = still_parts(clean if case is None else woven(clip, case, truth), 2 * distance)
            share = np.mean([part[0].mean() for part in parts])
            text, met = ['still {:.0f} %'.format(100 * share)], True
            for label, planes in (('luma', (0,)), ('chroma', (1, 2))):
                before, after = [squares(frames, clean, parts, planes) for frames in (bad, repaired)]
                removed = [100 * (1 - b / a) if a else 0 for a, b in zip(before, after)]
                text.append('{}: {:.1f} {:.0f} %, still part {:.1f} {:.0f} %'.format(label, before[0], removed[0], before[1], removed[1]))
                # Damage of less than half a squared code value is that of rounding.
                met = met and (share < 0.01 or before[1] < 0.5 or removed[1] >= 50)
            if case is not None:
                options = '--film off --rate field --field-order {} '.format(case['parity'])
                shown = [truth[n] for n in case['field_map']]
                plain, repair = [psnr(error(converted(corpus.binary, clip, clip.frames, options + more), shown))
                                 for more in ('', '--dot-crawl ' + standard)]
                text.append('clean clip {:.2f} dB, {:+.3f}'.format(plain, repair - plain))
                met = met and repair >= plain - 0.05
            row('dot-crawl', name, standard, '; '.join(text), met)


PARTS = {'dot-crawl': dot_crawl}
