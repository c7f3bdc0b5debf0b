#!/usr/bin/env python3
"""Compares the deinterlacers with ffmpeg's bwdif: deinterlace.py CORPUS BINARY [PART...]

CORPUS is a folder as measure.py reads it. Parts: clips (all interlaced clips of 8 bits, low-passed
ones included), coded (the 4:2:0 clips, coded by ffmpeg as interlaced MPEG-2 at 6 Mb/s, DV and
H.264 and decoded again; the ground truth is not coded), flicker (mean absolute difference of
successive output frames where the ground truth does not change by more than 1). The default is all. Needs numpy
and ffmpeg. Prints Markdown tables: PSNR in dB over all frames, without four at both ends.
"""
import json, os, subprocess, sys, tempfile
import numpy as np
from y4m import Clip

DEINTERLACERS = ['gen6', 'balanced', 'best']
SKIP = 4
# Codecs with options that keep the fields; DV has one size for each standard.
CODERS = {
    'MPEG-2': ['-c:v', 'mpeg2video', '-b:v', '6M', '-maxrate', '8M', '-bufsize', '1835k', '-flags', '+ildct+ilme', '-alternate_scan', '1'],
    'DV': ['-c:v', 'dvvideo'],
    'H.264 MBAFF': ['-c:v', 'libx264', '-preset', 'medium', '-crf', '20', '-x264-params', 'ORDER=1'],
}


def psnr(error):
    return 100.0 if error <= 1e-10 else 10 * np.log10(255 * 255 / error)


def squared(a, b):
    return float(np.mean((a.astype(np.float32) - b.astype(np.float32)) ** 2))


def ssim(a, b):
    """Mean structural similarity of blocks of 8×8 at steps of 4, as ffmpeg's filter computes it."""
    height, width = a.shape[0] // 4, a.shape[1] // 4
    a, b = (v[:height * 4, :width * 4].astype(np.float32) for v in (a, b))
    sums = lambda v: v.reshape(height, 4, width, 4).sum(axis=(1, 3), dtype=np.float64)
    four = lambda v: v[:-1, :-1] + v[1:, :-1] + v[:-1, 1:] + v[1:, 1:]
    s1, s2, ss, s12 = (four(sums(v)) for v in (a, b, a * a + b * b, a * b))
    c1, c2 = .01 * .01 * 255 * 255 * 64, .03 * .03 * 255 * 255 * 64 * 63
    variance, covariance = ss * 64 - s1 * s1 - s2 * s2, s12 * 64 - s1 * s2
    return float(((2 * s1 * s2 + c1) * (2 * covariance + c2) / ((s1 * s1 + s2 * s2 + c1) * (variance + c2))).mean())


def score(truth, frames):
    """PSNR of each plane and SSIM of the luma."""
    pairs = list(zip(truth, frames))[SKIP:-SKIP]
    planes = [psnr(np.mean([squared(t[p], f[p]) for t, f in pairs])) for p in range(len(truth[0]))]
    return planes + [float(np.mean([ssim(t[0], f[0]) for t, f in pairs]))]


def run(command, data):
    done = subprocess.run(command, input=data, capture_output=True)
    if done.returncode:
        raise SystemExit('{}: {}'.format(' '.join(command), done.stderr.decode().strip()))
    return done.stdout


def outputs(binary, data, parity):
    """The frames of bwdif and of each deinterlacer."""
    bwdif = 'ffmpeg -v error -i - -vf bwdif=mode=send_field:parity={} -f yuv4mpegpipe -strict -1 -'.format(parity)
    yield 'bwdif', Clip(run(bwdif.split(), data)).frames
    for name in DEINTERLACERS:
        options = '-q --denoise off --film off --field-order {} --deinterlacer {} - -'.format(parity, name)
        yield name, Clip(run([binary, *options.split()], data)).frames


def coded(data, parity, coder):
    """The clip after coding and decoding, or none if the codec refuses its size."""
    order = ['-flags', '+ilme+ildct', '-field_order', 'tt' if parity == 'tff' else 'bb']
    options = [option.replace('ORDER', parity) for option in CODERS[coder]]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'coded.mkv' if coder != 'DV' else 'coded.dv')
        command = ['ffmpeg', '-v', 'error', '-i', '-', *order, *options, path]
        if subprocess.run(command, input=data, capture_output=True).returncode:
            return None
        decode = 'ffmpeg -v error -i {} -pix_fmt yuv420p -f yuv4mpegpipe -strict -1 -'.format(path)
        return run(decode.split(), b'')


def table(title, rows):
    """Prints the scores of each clip and their means: rows of (clip, {deinterlacer: scores})."""
    names = list(rows[0][1])
    print('\n## {}\n\n| clip | {} |\n| --- |{}'.format(title, ' | '.join('{} Y / U / V / SSIM'.format(n) for n in names), ' --- |' * len(names)))
    text = lambda scores: ' / '.join(['{:.2f}'.format(v) for v in scores[:-1]] + ['{:.4f}'.format(scores[-1])])
    for clip, scores in rows:
        print('| {} | {} |'.format(clip, ' | '.join(text(scores[n]) for n in names)))
    whole = [scores for _, scores in rows if len(scores[names[0]]) == 4]
    mean = {n: np.mean([scores[n] for scores in whole], axis=0) for n in names}
    print('| **mean** | {} |'.format(' | '.join(text(mean[n]) for n in names)))
    for name in names[1:]:
        gains = np.array([np.subtract(scores[name], scores[names[0]])[:3] for scores in whole])
        print('\n{} against bwdif, Y U V: mean {}, worst {}'.format(
            name, *(' '.join('{:+.2f}'.format(v) for v in part) for part in (gains.mean(axis=0), gains.min(axis=0)))), end='')
    print()


def clips(cases, folder, binary):
    for title, kind in (('Clips', 'interlaced'), ('Low-passed clips', 'interlaced_lpf')):
        rows = []
        for case in cases:
            if case['kind'] == kind:
                read = lambda key: open(os.path.join(folder, case[key]), 'rb').read()
                truth = Clip(read('gt')).frames
                rows.append((case['id'], {name: score(truth, frames) for name, frames in outputs(binary, read('input'), case['parity'])}))
        if rows:
            table(title, rows)


def coded_clips(cases, folder, binary):
    for coder in CODERS:
        rows = []
        for case in (case for case in cases if case['kind'] == 'interlaced'):
            data = open(os.path.join(folder, case['input']), 'rb').read()
            if b' C420' not in data.split(b'\n', 1)[0]:
                continue
            decoded = coded(data, case['parity'], coder)
            if decoded is None:
                continue
            truth = Clip(open(os.path.join(folder, case['gt']), 'rb').read()).frames
            rows.append((case['id'], {name: score(truth, frames) for name, frames in outputs(binary, decoded, case['parity'])}))
        if rows:
            table(coder, rows)


def spread(mask, lines=2, columns=5):
    """The places of a mask and those near them."""
    for axis, reach in ((0, lines), (1, columns)):
        mask = np.logical_or.reduce([np.roll(mask, shift, axis) for shift in range(-reach, reach + 1)])
    return mask


def flicker(cases, folder, binary):
    """Two tables: places that do not change in three frames, which moving areas have by chance, and
    static areas: places that do not change in seven frames and are not near one that moves."""
    near = lambda a, b: np.abs(a - b) <= 1
    tables = {'Flicker of places that do not change in 3 frames': [], 'Flicker of static areas': []}
    for case in (case for case in cases if case['kind'] == 'interlaced'):
        truth = [frame[0].astype(np.int16) for frame in Clip(open(os.path.join(folder, case['gt']), 'rb').read()).frames]
        times = range(SKIP, len(truth) - SKIP - 2)
        short = {i: near(truth[i], truth[i + 1]) & near(truth[i + 1], truth[i + 2]) for i in times}
        static = {i: np.logical_and.reduce([near(truth[i + 1], truth[i + 1 + k]) for k in (-3, -2, -1, 1, 2, 3)])
                  & ~spread(np.abs(truth[i + 1] - truth[i]) > 4) for i in times}
        data = open(os.path.join(folder, case['input']), 'rb').read()
        runs = [truth, *([frame[0].astype(np.int16) for frame in frames] for _, frames in outputs(binary, data, case['parity']))]
        for rows, places in zip(tables.values(), (short, static)):
            if np.mean([places[i] for i in times]) < 0.01:
                continue
            change = lambda frames: np.concatenate([np.abs(frames[i + 1] - frames[i])[places[i]] for i in times]).mean()
            rows.append((case['id'], [change(frames) for frames in runs]))
    for title, rows in tables.items():
        print('\n## {}\n\n| clip | ground truth | {} |\n| --- | --- |{}'.format(title, ' | '.join(['bwdif', *DEINTERLACERS]), ' --- |' * (len(DEINTERLACERS) + 1)))
        for clip, values in rows:
            print('| {} | {} |'.format(clip, ' | '.join('{:.3f}'.format(v) for v in values)))


PARTS = {'clips': clips, 'coded': coded_clips, 'flicker': flicker}


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(PARTS):
        raise SystemExit(__doc__)
    folder, binary = sys.argv[1], os.path.abspath(sys.argv[2])
    cases = json.load(open(os.path.join(folder, 'manifest.json')))['cases']
    header = lambda case: open(os.path.join(folder, case['input']), 'rb').readline()
    cases = [case for case in cases if not any(tag in header(case) for tag in (b'p9', b'p10', b'p12', b'p14', b'p16'))]
    for part in sys.argv[3:] or PARTS:
        PARTS[part](cases, folder, binary)


if __name__ == '__main__':
    main()
