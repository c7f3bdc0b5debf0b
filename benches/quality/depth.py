#!/usr/bin/env python3
"""Measures what 10 bits gain over 8: depth.py BINARY CLIP.y4m...

Each clip is progressive, of 10 bits; it is the ground truth. A generated gradient, which moves, is
added. Deinterlacing: line i of a field is that of the frame of its time, and the output is compared
frame by frame. Denoising: Gaussian noise of standard deviations 0.5 to 4, in 8-bit code values, is
added before rounding to 8 or 10 bits, to progressive and to interlaced clips. Clips of 8 bits are
those of 10 bits, rounded. PSNR of the luma in dB against the ground truth, the peak is 1023. Needs
numpy. Prints three tables.
"""
import subprocess, sys
import numpy as np

DEINTERLACERS = ('gen6', 'balanced', 'best')
EDGE = 4  # frames that do not count at both ends


def read(data):
    line, rest = data.split(b'\n', 1)
    tags = {tag[0]: tag[1:] for tag in line.decode().split()[1:] if tag[0] in 'WHC'}
    width, height, words = int(tags['W']), int(tags['H']), 'p1' in tags['C']
    size = width * height * 3 // 2 * (2 if words else 1)
    frames, at = [], 0
    while at < len(rest):
        start = rest.index(b'\n', at) + 1
        frame = np.frombuffer(rest[start:start + size], '<u2' if words else np.uint8)
        frames.append(frame.astype(np.int32) << (0 if words else 2))
        at = start + size
    return width, height, frames


def write(width, height, frames, depth, scan):
    tag = 'C420p10 XYSCSS=420P10' if depth == 10 else 'C420mpeg2'
    header = 'YUV4MPEG2 W{} H{} F25:1 I{} A1:1 {}\n'.format(width, height, scan, tag).encode()
    if depth == 10:
        return header + b''.join(b'FRAME\n' + f.astype('<u2').tobytes() for f in frames)
    lowered = (np.minimum(255, (f + 2) >> 2).astype(np.uint8) for f in frames)
    return header + b''.join(b'FRAME\n' + f.tobytes() for f in lowered)


def run(binary, options, clip):
    command = [binary, '-q', *options.split(), '-', '-']
    done = subprocess.run(command, input=clip, capture_output=True)
    if done.returncode:
        raise SystemExit('{}: {}'.format(' '.join(command), done.stderr.decode().strip()))
    return read(done.stdout)[2]


def psnr(truth, frames, luma):
    pairs = list(zip(truth, frames))[EDGE:-EDGE]
    error = np.mean([np.mean((np.asarray(a[:luma], float) - b[:luma]) ** 2) for a, b in pairs])
    return 10 * np.log10(1023 ** 2 / error) if error else 99.0


def planes(frame, width, height):
    luma, chroma = width * height, width * height // 4
    shapes = [(height, width), (height // 2, width // 2), (height // 2, width // 2)]
    parts = np.split(frame, [luma, luma + chroma])
    return [part.reshape(shape) for part, shape in zip(parts, shapes)]


def woven(frames, width, height):
    out = []
    for first, second in zip(frames[::2], frames[1::2]):
        both = [planes(first, width, height), planes(second, width, height)]
        merged = [np.where(np.arange(len(a))[:, None] % 2 == 0, a, b) for a, b in zip(*both)]
        out.append(np.concatenate([plane.ravel() for plane in merged]))
    return out


def gradient():
    """A sky: 20 code values of 8 bits over the picture, moving by half a line per frame."""
    width, height = 720, 576
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    truth = [4 * (150 - 20 * (y + 0.5 * t) / height + 2 * np.sin(x / 150 + t / 30)) for t in range(32)]
    gray = np.full(width * height // 2, 512)
    return width, height, [np.concatenate([luma.ravel(), gray]) for luma in truth]


def main(binary, paths):
    clips = [('gradient', *gradient())]
    for path in paths:
        width, height, frames = read(open(path, 'rb').read())
        clips.append((path.rsplit('/', 1)[-1].removesuffix('.y4m'), width, height, frames[:32]))
    options = '--field-order header --film off --denoise off --deinterlacer '
    titles = ['{}: {}'.format(name, depth) for name in DEINTERLACERS for depth in ('8', '8 to 10', '10')]
    print('| clip | {} |\n| --- |{}'.format(' | '.join(titles), ' ---: |' * len(titles)))
    for name, width, height, truth in clips:
        fields, luma = woven([np.rint(f).astype(np.int32) for f in truth], width, height), width * height
        eight, ten = [write(width, height, fields, depth, 't') for depth in (8, 10)]
        cells = []
        for deinterlacer in DEINTERLACERS:
            for more, clip in (('', eight), (' --depth 10', eight), ('', ten)):
                out = run(binary, options + deinterlacer + more, clip)
                cells.append('{:.2f}'.format(psnr(truth, out, luma)))
        print('| {} | {} |'.format(name, ' | '.join(cells)), flush=True)
    for scan, options in (('p', '--deinterlace off --film off'), ('t', '--field-order header --film off')):
        denoise(binary, clips, scan, options)


def denoise(binary, clips, scan, options):
    """A table of denoising, of progressive or interlaced clips."""
    random = np.random.default_rng(1)
    titles = ['{}: {}'.format(depth, mode) for depth in (8, 10) for mode in ('off', 'auto', 'along motion')]
    print('\n| clip, deviation | {} |\n| --- |{}'.format(' | '.join(titles), ' ---: |' * len(titles)))
    for name, width, height, truth in clips:
        for sigma in (0, 0.5, 1, 2, 4):
            noisy = [np.clip(np.rint(f + random.normal(0, 4 * sigma, f.shape)), 0, 1023).astype(np.int32) for f in truth]
            frames = woven(noisy, width, height) if scan == 't' else noisy
            cells = []
            for depth in (8, 10):
                clip = write(width, height, frames, depth, scan)
                for mode in ('off', 'auto', 'auto --denoise-motion on'):
                    out = run(binary, options + ' --denoise ' + mode, clip)
                    cells.append('{:.2f}'.format(psnr(truth, out, width * height)))
            print('| {}, {} | {} |'.format(name, sigma, ' | '.join(cells)), flush=True)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
