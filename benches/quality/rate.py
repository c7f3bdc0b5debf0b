"""The default rate of files: clips of one material, and clips spliced from several."""
import os, re, subprocess, tempfile
import numpy as np
from y4m import Clip

SPLICED = {'cups576': 'A_cups576_420', 'gomax480': 'A_gomax480_420'}


def write(path, clip, frames):
    with open(path, 'wb') as out:
        out.write(' '.join(t for t in clip.tokens if t[0] != 'I').encode() + b'\n')
        for frame in frames:
            out.write(b'FRAME\n' + b''.join(np.ascontiguousarray(plane).tobytes() for plane in frame))


def convert(binary, frames, clip, has_times):
    """The output clip, and the material that the survey found."""
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        write(path('in.y4m'), clip, frames)
        times = ['--timecodes', path('times')] if has_times else []
        command = [binary, '-v', '--denoise', 'off', *times, path('in.y4m'), path('out.y4m')]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit('{}: {}'.format(' '.join(command), done.stderr.strip()))
        found = re.search(r'^(?:dndi: )?(.*) in a survey of', done.stderr, re.M)
        return Clip(open(path('out.y4m'), 'rb').read()), found.group(1) if found else 'none'


def rate_ratio(out, clip):
    value = lambda text: int(text.split(':')[0]) / int(text.split(':')[1])
    return round(value(out.rate) / value(clip.rate), 3)


def shown(pictures, outputs):
    """How many of the pictures are among the outputs exactly, in their order."""
    count, at = 0, 0
    for picture in pictures:
        for n in range(at, len(outputs)):
            if all(np.array_equal(a, b) for a, b in zip(picture, outputs[n])):
                count, at = count + 1, n
                break
    return count


def rate(corpus, row):
    cases = {case['id']: case for case in corpus.cases}
    clip_of = lambda path: Clip(corpus.data(path))
    whole = lambda case, frames: [frames[n] for n in sorted(set(case['field_map'])) if case['field_map'].count(n) > 1]

    def check(name, source, frames, pictures, wanted, has_times=False):
        out, found = convert(corpus.binary, frames, source, has_times)
        ratio, seen = rate_ratio(out, source), shown(pictures, out.frames)
        text = '{}; {} times the input rate, {} of {} pictures exact, {} frames'.format(found, ratio, seen, len(pictures), len(out.frames))
        met = wanted in (None, ratio) and seen >= 0.99 * len(pictures)
        row('rate', name, 'default rate', text, met)

    for case in corpus.of('telecine23', 'psf22', 'shift22'):
        truth = clip_of(case['gt']).frames
        wanted = 0.8 if case['kind'] == 'telecine23' else 1.0
        clip = clip_of(case['input'])
        check(case['id'], clip, clip.frames, whole(case, truth), wanted)
    for case in corpus.of('interlaced'):
        clip = clip_of(case['input'])
        check(case['id'], clip, clip.frames, [], 2.0)
    for path in sorted({case['gt'] for case in corpus.of('interlaced')}):
        clip = clip_of(path)
        check(os.path.basename(path)[:-4], clip, clip.frames, clip.frames, 1.0)
    for name, interlaced in SPLICED.items():
        film, video = cases['B_{}_tc23'.format(name)], cases[interlaced]
        truth, clip = clip_of(film['gt']).frames, clip_of(film['input'])
        fields, frames = clip_of(video['input']).frames, clip.frames
        pictures, black = whole(film, truth), tuple(np.full_like(plane, 16 if n == 0 else 128) for n, plane in enumerate(frames[0]))
        check(name + ': progressive, then interlaced', clip, truth + fields, truth, 2.0)
        check(name + ': film, then interlaced', clip, frames + fields, pictures, 2.0)
        check(name + ': film, then interlaced, with times', clip, frames + fields, pictures, None, True)
        check(name + ': film, then progressive', clip, frames + truth, pictures + truth, 1.0)
        check(name + ': 20 black frames, then film', clip, 20 * [black] + frames, pictures, 0.8)
        for drawn in (2, 3, 4):
            animation = [frame for frame in truth for _ in range(drawn)][:60]
            check('{}: animation, each drawing {} frames'.format(name, drawn), clip, animation, truth[:60 // drawn], 1.0)


PARTS = {'rate': rate}
