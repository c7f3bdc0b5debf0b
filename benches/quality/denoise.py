"""Parts of measure.py about denoising: noisy cases of the corpus compared with hqdn3d, clean clips, and
clips with added noise."""
import shutil, subprocess, zlib
import numpy as np
from y4m import Clip

STRENGTHS = (4, 6, 9, 13, 18)
SIGMAS = (4, 8, 16)
# Of luma, Cb and Cr: visible noise, and that of a noisy tape; heavy noise.
CHROMA_SIGMAS = ((6, 8, 8), (14, 18, 18))
HEAVY = (20, 20, 20)


def psnr_of(truth, frames, skip, plane=0):
    """PSNR in dB of a plane, from the mean squared error of all frames except `skip` at both ends of the
    ground truth."""
    count = min(len(truth) - skip, len(frames))
    pairs = [(truth[i][plane].astype(np.float32), frames[i][plane]) for i in range(skip, count)]
    error = float(np.mean([np.mean((a - b) ** 2) for a, b in pairs]))
    return 100.0 if error <= 1e-10 else 10 * np.log10(255 * 255 / error)


def ffmpeg(data, filters):
    command = ['ffmpeg', '-v', 'error', '-i', '-', '-vf', filters, '-f', 'yuv4mpegpipe', '-strict', '-1', '-']
    return Clip(subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout).frames


def best_hqdn3d(data, truth, skip, interlaced):
    """The largest PSNR over the strengths of hqdn3d, after bwdif if the clip is interlaced; none without
    ffmpeg."""
    if not shutil.which('ffmpeg'):
        return None
    before = 'bwdif=mode=send_field,' if interlaced else ''
    return max(psnr_of(truth, ffmpeg(data, '{}hqdn3d={}'.format(before, s)), skip) for s in STRENGTHS)


def compare(corpus, row, part, name, data, truth, skip, sigma, interlaced):
    """Measures one noisy clip and compares it with the target for its noise."""
    options = '--film off --field-order header --denoise '
    values = {}
    for mode in ('off', 'on', 'auto'):
        clip, stats = corpus.run(data, options + mode)
        values[mode] = psnr_of(truth, clip.frames, skip)
    other = best_hqdn3d(data, truth, skip, interlaced)
    text = ', '.join('{} {:.2f}'.format(mode, value) for mode, value in values.items())
    target = values['off'] if interlaced else None
    if other is not None:
        text += ', best hqdn3d {:.2f}'.format(other)
        if sigma > 4:
            target = other
        elif not interlaced:
            target = other - 0.3
    estimates = [s['denoise']['noise'] for s in stats]
    text += ', noise estimates {:.1f} to {:.1f}'.format(min(estimates), max(estimates))
    row(part, name, 'PSNR-Y, sigma {}'.format(sigma), text, target is None or values['auto'] >= target)


def denoise(corpus, row):
    """Noisy cases, and the changes of clean ones."""
    for case in corpus.of('noise_prog', 'noise_inter'):
        truth = Clip(corpus.data(case['gt'])).frames
        compare(corpus, row, 'denoise', case['id'], corpus.data(case['input']), truth, case['skip'], case['sigma'], case['kind'] == 'noise_inter')
    for case in corpus.of('interlaced', 'interlaced_lpf', 'scale_up2'):
        data = corpus.data(case['input'])
        scaled = case['kind'] == 'scale_up2'
        truth = Clip(data if scaled else corpus.data(case['gt'])).frames
        off, auto = (psnr_of(truth, corpus.run(data, '--denoise ' + mode)[0].frames, 0 if scaled else case['skip']) for mode in ('off', 'auto'))
        row('denoise', case['id'], 'PSNR-Y, clean', 'off {:.2f}, auto {:.2f}'.format(off, auto), auto >= off - 0.1)
    for gt in sorted({case['gt'] for case in corpus.cases}):
        data = corpus.data(gt)
        if Clip(data).eight_bits:
            auto = psnr_of(Clip(data).frames, corpus.run(data, '--field-order header --denoise auto')[0].frames, 0)
            row('denoise', gt, 'PSNR-Y, clean', 'off 100.00, auto {:.2f}'.format(auto), auto >= 99.9)


def header_of(clip, tag):
    tokens = [token for token in clip.tokens if not token.startswith('I')]
    return (' '.join(tokens) + ' I' + tag + '\n').encode()


def noise(corpus, row):
    """Adds noise to each clip. The constants were tuned on the same clips: these are no held-out data."""
    for gt in sorted({case['gt'] for case in corpus.cases if case['kind'].startswith('interlaced')}):
        clip = Clip(corpus.data(gt))
        if not clip.eight_bits:
            continue
        for sigma in SIGMAS:
            random = np.random.default_rng(zlib.crc32('{} {}'.format(gt, sigma).encode()))
            noisy, truth = [], clip.frames[:24]
            for frame in truth:
                added = random.standard_normal(frame[0].shape, dtype=np.float32) * sigma
                noisy.append((np.clip(np.rint(frame[0] + added), 0, 255).astype(np.uint8), *frame[1:]))
            for tag, frames in (('p', noisy), ('t', woven(noisy))):
                name = '{} {}'.format(gt, 'interlaced' if tag == 't' else 'progressive')
                compare(corpus, row, 'noise', name, header_of(clip, tag) + payload(frames), truth, 4, sigma, tag == 't')


def woven(fields):
    """Frames of the lines of two pictures each, top field first."""
    frames = []
    for first, second in zip(fields[::2], fields[1::2]):
        planes = [plane.copy() for plane in first]
        for plane, other in zip(planes, second):
            plane[1::2] = other[1::2]
        frames.append(planes)
    return frames


def payload(frames):
    return b''.join(b'FRAME\n' + b''.join(plane.tobytes() for plane in frame) for frame in frames)


def noisy_clips(corpus, sigmas):
    """Name, y4m data and truth of the first 12 pictures of each clip with noise on all planes, progressive and
    as the fields of 6 frames."""
    for gt in sorted({case['gt'] for case in corpus.cases if case['kind'].startswith('interlaced')}):
        clip = Clip(corpus.data(gt))
        if not clip.eight_bits or len(clip.frames[0]) < 3:
            continue
        truth = clip.frames[:12]
        random = np.random.default_rng(zlib.crc32('{} {}'.format(gt, sigmas).encode()))
        add = lambda plane, sigma: plane if sigma == 0 else np.clip(
            np.rint(plane + random.standard_normal(plane.shape, dtype=np.float32) * sigma), 0, 255).astype(np.uint8)
        noisy = [tuple(map(add, frame, sigmas)) for frame in truth]
        for tag, frames in (('p', noisy), ('t', woven(noisy))):
            name = '{} {}'.format(gt, 'interlaced' if tag == 't' else 'progressive')
            yield name, header_of(clip, tag) + payload(frames), truth


def planes_psnr(corpus, data, truth, options):
    output = corpus.run(data, '--film off --field-order header ' + options)[0].frames
    return [psnr_of(truth, output, 2, plane) for plane in range(3)]


def compare_planes(corpus, row, part, sigmas, first, second, is_met):
    """Compares two pairs of a name and options on all clips with this noise."""
    for name, data, truth in noisy_clips(corpus, sigmas):
        values = [planes_psnr(corpus, data, truth, options) for _, options in (first, second)]
        text = ', '.join('{} {}'.format(mode, ' / '.join('{:.2f}'.format(v) for v in value))
                         for (mode, _), value in zip((first, second), values))
        row(part, name, 'PSNR Y / U / V, sigma {} {} {}'.format(*sigmas), text, is_met(*values))


def chroma(corpus, row):
    """The default against denoising of the luma alone: clean clips, and noise on all planes."""
    alone, default = ('luma alone', '--denoise-chroma off'), ('default', '')
    kept = lambda off, on: all(b >= a - 0.1 for a, b in zip(off, on))
    gained = lambda off, on: all(b > a + 3 for a, b in zip(off[1:], on[1:]))
    compare_planes(corpus, row, 'chroma', (0, 0, 0), alone, default, kept)
    for sigmas in CHROMA_SIGMAS:
        compare_planes(corpus, row, 'chroma', sigmas, alone, default, gained)


def strong(corpus, row):
    """`strong` against `auto` where all planes have heavy noise."""
    auto, strong = ('auto', ''), ('strong', '--denoise strong --denoise-chroma strong')
    compare_planes(corpus, row, 'strong', HEAVY, auto, strong, lambda a, b: all(y >= x - 0.01 for x, y in zip(a, b)))


PARTS = {'denoise': denoise, 'noise': noise, 'chroma': chroma, 'strong': strong}
