"""Parts of measure.py about denoising: noisy cases of the corpus compared with hqdn3d, clean clips, and
clips with added noise."""
import shutil, subprocess, zlib
import numpy as np
from y4m import Clip

STRENGTHS = (4, 6, 9, 13, 18)
SIGMAS = (4, 8, 16)


def psnr_of(truth, frames, skip):
    """PSNR in dB of the luma, from the mean squared error of all frames except `skip` at both ends of the
    ground truth."""
    count = min(len(truth) - skip, len(frames))
    pairs = [(truth[i][0].astype(np.float32), frames[i][0]) for i in range(skip, count)]
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
            woven = []
            for first, second in zip(noisy[::2], noisy[1::2]):
                planes = [plane.copy() for plane in first]
                for plane, other in zip(planes, second):
                    plane[1::2] = other[1::2]
                woven.append(planes)
            for tag, frames in (('p', noisy), ('t', woven)):
                payload = b''.join(b'FRAME\n' + b''.join(plane.tobytes() for plane in frame) for frame in frames)
                name = '{} {}'.format(gt, 'interlaced' if tag == 't' else 'progressive')
                compare(corpus, row, 'noise', name, header_of(clip, tag) + payload, truth, 4, sigma, tag == 't')


PARTS = {'denoise': denoise, 'noise': noise}
