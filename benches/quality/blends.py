"""Standards conversions by blending, made of progressive clips: what is detected, and what --film deblend restores."""
import json, os, subprocess, tempfile
import numpy as np
from rate import write
from y4m import Clip

# Pictures and fields per second; the name that inspect gives.
CONVERSIONS = {
    '24 to 50': (24000 / 1001, 50, '24 pictures in 50 fields'),
    '25 to 60': (25, 60000 / 1001, '25 pictures in 60 fields'),
    '30 to 50': (30000 / 1001, 50, '30 pictures in 50 fields'),
}


def psnr(a, b):
    error = np.mean((a.astype(np.float32) - b) ** 2)
    return 100.0 if error < 1e-10 else 10 * np.log10(255 * 255 / error)


def interlaced(frames, rate, fields, kernel):
    """Frames of fields that mix two frames each: linearly, by the area of the field's duration, or not ('hold')."""
    made, number = [], 0
    while True:
        begin, end = number / fields * rate, (number + 1) / fields * rate
        first = int(begin + 1e-9)
        if first + 1 >= len(frames):
            break
        weight = {'linear': begin - first, 'area': max(0, (end - first - 1) / (end - begin)), 'hold': 0}[kernel]
        pair = zip(frames[first], frames[first + 1])
        made.append([((1 - weight) * a + weight * b + 0.5).astype(np.uint8) if weight > 1e-6 else a for a, b in pair])
        number += 1
    out = []
    for top, bottom in zip(made[0::2], made[1::2]):
        planes = [plane.copy() for plane in bottom]
        for plane, own in zip(planes, top):
            plane[0::2] = own[0::2]
        out.append(tuple(planes))
    return out


def run(binary, clip, frames, options):
    """The output, and what inspect finds if `options` is none."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = [os.path.join(folder, name) for name in ('in.y4m', 'out.y4m')]
        write(source, clip, frames)
        if options is None:
            found = subprocess.run([binary, 'inspect', '-q', '--json', source], capture_output=True, check=True)
            return json.loads(found.stdout)['segments']
        subprocess.run([binary, '-q', '--denoise', 'off', *options.split(), source, out], check=True)
        return Clip(open(out, 'rb').read())


def blends(corpus, row):
    """Segments that are found, and pictures that are restored to within 3 dB of what a field of them alone becomes."""
    for path in sorted({case['gt'] for case in corpus.of('interlaced', 'hybrid')}):
        clip = Clip(corpus.data(path))
        frames, tokens = clip.frames[:48], clip.tokens
        for name, (rate, fields, wanted) in CONVERSIONS.items():
            tag = 'F25:1' if fields == 50 else 'F30000:1001'
            clip.tokens = [tag if token[0] == 'F' else token for token in tokens]
            # The measure is a field of one picture alone, deinterlaced.
            plain = run(corpus.binary, clip, interlaced(frames, rate, fields, 'hold'), '--film off --field-order tff --rate field')
            own = [psnr(frame[0], frames[int(n / fields * rate + 1e-9)][0]) for n, frame in enumerate(plain.frames)]
            limit = np.mean(own) - 3
            for kernel in ('linear', 'area'):
                mixed = interlaced(frames, rate, fields, kernel)
                segments = run(corpus.binary, clip, mixed, None)
                found = sum(one['frames'] for one in segments if one.get('blend') == wanted)
                film = sum(one['frames'] for one in segments if one['content'] == 'film')
                out = run(corpus.binary, clip, mixed, '--film deblend').frames
                score = np.array([[psnr(frame[0], truth[0]) for truth in frames] for frame in out])
                nearest = score.argmax(1)
                inside = range(nearest[0], nearest[-1] + 1)
                best = [max((score[n, k] for n in np.flatnonzero(nearest == k)), default=0) for k in inside]
                good, ordered = sum(value >= limit for value in best), bool(np.all(np.diff(nearest) == 1))
                text = '{} of {} frames found, {} film; {} of {} pictures, {:.1f} dB (a field alone {:.1f}){}'.format(
                    found, len(mixed), film, good, len(best), np.mean(best), limit + 3, '' if ordered else ', not each once in order')
                row('blends', os.path.basename(path)[3:-4], '{}, {}'.format(name, kernel), text,
                    film == 0 and ordered and good >= 0.9 * len(best))


PARTS = {'blends': blends}
