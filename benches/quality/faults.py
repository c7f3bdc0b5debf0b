"""Faults of tapes, made on clean clips: what the repair leaves of them, and what it does to clean clips."""
import os, random, subprocess, tempfile
import numpy as np
from rate import write
from y4m import Clip

# Drop-outs of a frame, on average.
DROP_OUTS = 2


def converted(binary, clip, frames, options):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ('in.y4m', 'out.y4m')]
        write(paths[0], clip, frames)
        subprocess.run([binary, '-q', '--denoise', 'off', *options.split(), *paths], check=True)
        return Clip(open(paths[1], 'rb').read()).frames


def error(a, b):
    return np.mean([np.mean((x[0].astype(np.float32) - y[0]) ** 2) for x, y in zip(a, b)])


def psnr(error):
    return 100.0 if error < 1e-10 else 10 * np.log10(255 * 255 / error)


def lost(frames, seed):
    """The frames with runs of one or two lines of a field that are white, black, noise, or a white streak that fades."""
    draw, noise = random.Random(seed), np.random.RandomState(sum(map(ord, seed)))
    out = []
    for frame in frames:
        frame = [plane.copy() for plane in frame]
        height, width = frame[0].shape
        for _ in range(noise.poisson(DROP_OUTS)):
            length = width if draw.random() < 0.1 else draw.randint(20, width // 2)
            x, y, kind = draw.randint(0, width - length), draw.randint(0, height - 1), draw.choice(['white', 'black', 'noise', 'streak'])
            for line in range(y, min(height, y + 2 * draw.choice([1, 1, 1, 2])), 2):
                run = frame[0][line, x:x + length]
                run[:] = {
                    'white': lambda: 235 + noise.randint(-6, 7, length),
                    'black': lambda: 16 + noise.randint(-6, 7, length),
                    'noise': lambda: noise.randint(16, 236, length),
                    'streak': lambda: run + (235.0 - run) * np.exp(-2 * np.arange(length) / length),
                }[kind]()
            for plane in frame[1:]:
                down, across = height // plane.shape[0], width // plane.shape[1]
                line = y // 4 * 2 + y % 2 if down == 2 else y
                if line < plane.shape[0]:
                    run = plane[line, x // across:(x + length) // across]
                    run[:] = 128 if kind in ('white', 'black') else noise.randint(40, 216, run.size)
        out.append(tuple(frame))
    return out


def drop_outs(corpus, row):
    """The part of the damage that is repaired, and the loss of clean clips behind the deinterlacer."""
    for case in corpus.of('interlaced', 'interlaced_lpf', 'noise_inter'):
        clip, truth = Clip(corpus.data(case['input'])), Clip(corpus.data(case['gt'])).frames
        damaged = lost(clip.frames, case['id'])
        repaired = converted(corpus.binary, clip, damaged, '--deinterlace off --rate frame --drop-outs')
        # The first and the last frame have one adjacent frame; short drop-outs stay in them.
        part = lambda frames: 1 - error(repaired[frames], clip.frames[frames]) / error(damaged[frames], clip.frames[frames])
        share, whole = part(slice(1, -1)), part(slice(None))
        options = '--film off --rate field --field-order {} '.format(case['parity'])
        shown = [truth[n] for n in case['field_map']]
        plain, repair = [psnr(error(converted(corpus.binary, clip, clip.frames, options + more), shown)) for more in ('', '--drop-outs')]
        text = '{:.0f} % of the error removed, {:.0f} % with the first and the last frame; clean clip {:.2f} dB, with repair {:+.3f}'.format(100 * share, 100 * whole, plain, repair - plain)
        row('drop-outs', case['id'], 'repair', text, share >= 0.8 and repair >= plain - 0.05)


def moved(frames, right, down, has_fields):
    """The frames with chroma moved by whole chroma samples and lines, of each field if it has fields."""
    out = []
    for frame in frames:
        planes = [frame[0]]
        for plane in frame[1:]:
            plane = np.roll(plane, right, 1)
            lines = [plane[0::2], plane[1::2]] if has_fields else [plane]
            lines = [np.roll(field, down, 0) for field in lines]
            plane = np.stack(lines, 1).reshape(plane.shape) if has_fields else lines[0]
            planes.append(plane)
        out.append(tuple(planes))
    return out


def chroma_error(a, b):
    """The error of chroma, but for the border, which the damage wraps around."""
    inner = lambda plane: plane[16:-16, 16:-16].astype(np.float32)
    return np.mean([np.mean((inner(x[k]) - inner(y[k])) ** 2) for x, y in zip(a, b) for k in (1, 2)])


def chroma_shift(corpus, row):
    """Chroma that lies beside luma: the part of its error that `--chroma-shift auto` removes."""
    for case in corpus.of('interlaced', 'interlaced_lpf', 'noise_inter', 'noise_prog', 'scale_up2'):
        clip = Clip(corpus.data(case['input']))
        has_fields = 'field_map' in case
        mode = '--deinterlace off --rate frame --chroma-shift auto'
        same = converted(corpus.binary, clip, clip.frames, mode)
        clean = all(np.array_equal(x, y) for a, b in zip(same, clip.frames) for x, y in zip(a, b))
        draw, text, met = random.Random(case['id']), [], clean
        for _ in range(3):
            right, down = draw.choice([-3, -2, -1, 1, 2, 3]), draw.choice([-1, 0, 1])
            damaged = moved(clip.frames, right, down, has_fields)
            repaired = converted(corpus.binary, clip, damaged, mode)
            share = 1 - chroma_error(repaired, clip.frames) / chroma_error(damaged, clip.frames)
            text.append('{:+d},{:+d}: {:.0f} %'.format(right, down, 100 * share))
            met = met and share >= 0.8
        row('chroma-shift', case['id'], 'moved by chroma samples and lines: error removed',
            ', '.join(text) + ('; clean clip unchanged' if clean else '; clean clip CHANGED'), met)


PARTS = {'drop-outs': drop_outs, 'chroma-shift': chroma_shift}
