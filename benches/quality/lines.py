"""Faults of lines that `dndi inspect` reports: noise of switching heads, jitter. Clean clips must have no report."""
import json, os, random, subprocess, tempfile
import numpy as np
from rate import write
from y4m import Clip

FRAMES = 13
# Noise of a clip in which noise of the heads does not show.
NOISY = 8
JITTERS = (0.5, 1, 2)


def inspected(binary, clip, frames):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'in.y4m')
        write(path, clip, frames)
        return json.loads(subprocess.run([binary, 'inspect', '--json', path], capture_output=True, check=True).stdout)


def torn(frames, seed):
    """The frames with 6 to 12 lines at the bottom that are noisy and displaced, and their number; above a border or not."""
    draw, noise = random.Random(seed), np.random.RandomState(sum(map(ord, seed)))
    count, border = draw.choice([6, 8, 10, 12]), draw.choice([0, 8])
    distance = draw.choice([-1, 1]) * draw.randint(8, 40)
    decay, sigma = draw.choice([3, 6, 100]), draw.choice([8, 16, 30])
    out = []
    for frame in frames:
        luma = frame[0].copy()
        height, width = luma.shape
        lines = count + 2 * draw.choice([0, 0, 0, 1])
        moved = distance + draw.randint(-3, 3)
        for k in range(lines):
            y = height - border - lines + k
            line = np.roll(luma[y], int(round(moved * np.exp(-(k // 2) / decay) + noise.normal(0, 1.5))))
            luma[y] = np.clip(line + noise.normal(0, sigma * (2 if k < 2 else 1), width), 16, 235)
        if border:
            luma[height - border:] = 16
        out.append((luma,) + tuple(frame[1:]))
    return out, count, border, sigma


def heads(corpus, row):
    for case in corpus.of('interlaced', 'interlaced_lpf', 'noise_inter', 'noise_prog', 'telecine23', 'psf22', 'shift22', 'mixed'):
        clip = Clip(corpus.data(case['input']))
        clean = (inspected(corpus.binary, clip, clip.frames)['borders'] or {}).get('head_switching', 0)
        text, met = ['clean clip {}'.format('no report' if clean == 0 else 'REPORTED')], clean == 0
        for number in range(3):
            frames, lines, border, sigma = torn(clip.frames[:FRAMES], '{} {}'.format(case['id'], number))
            found = (inspected(corpus.binary, clip, frames)['borders'] or {}).get('head_switching', 0)
            text.append('{} above {} with noise of {}: {}'.format(lines, border, sigma, found or 'none'))
            # All damaged lines, and at most four others.
            met = met and 0 <= found - lines - border <= 4
        row('heads', case['id'], 'damaged lines: lines reported', ', '.join(text), met)


def jittered(frames, sigma, seed):
    """The frames with each line moved by a normally distributed distance."""
    noise = np.random.RandomState(sum(map(ord, seed)))
    out = []
    for frame in frames:
        distances = noise.normal(0, sigma, frame[0].shape[0])
        planes = []
        for plane in frame:
            at = np.arange(plane.shape[1])
            part = plane.shape[1] / frame[0].shape[1]
            step = frame[0].shape[0] // plane.shape[0]
            lines = [np.interp(at - part * distances[step * y], at, line) for y, line in enumerate(plane)]
            planes.append(np.rint(lines).astype(np.uint8))
        out.append(tuple(planes))
    return out


def jitter(corpus, row):
    for case in corpus.of('interlaced', 'interlaced_lpf', 'noise_inter', 'noise_prog', 'telecine23', 'psf22', 'shift22', 'mixed'):
        clip = Clip(corpus.data(case['input']))
        clean = inspected(corpus.binary, clip, clip.frames)['line_jitter']
        text, met = ['clean clip {}'.format('REPORTED' if clean else 'no report')], not clean
        for sigma in JITTERS:
            found = inspected(corpus.binary, clip, jittered(clip.frames[:FRAMES], sigma, case['id']))['line_jitter']
            text.append('{}: {}'.format(sigma, found or 'none'))
            met = met and found and abs(found - sigma) <= max(0.2, 0.3 * sigma)
        row('jitter', case['id'], 'samples: reported', ', '.join(text), met)


PARTS = {'heads': heads, 'jitter': jitter}
