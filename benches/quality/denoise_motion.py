#!/usr/bin/env python3
"""Compares denoising along motion with other filters: denoise_motion.py CORPUS BINARY [PART...]

CORPUS is a folder as measure.py reads it. Parts: cases (the noisy clips of the corpus), luma and
planes (16 frames of every clip with Gaussian noise added to the luma, or to all planes), interlaced
(the same frames as fields, with noise in all planes), clean (what `--preset best` loses on clips
without noise), time (processor time of whole processes with one thread). The default is all. Needs
numpy and ffmpeg. Prints Markdown tables: PSNR in dB over all frames, without four at both ends.

nlmeans is slow: it filters every fourth of these frames. If the environment variable PEERS names a
file, results of ffmpeg are kept there.
"""
import hashlib, json, os, resource, sys, zlib
import numpy as np
from deinterlace import SKIP, psnr, run, squared
from denoise import SIGMAS, STRENGTHS
from y4m import Clip

FRAMES = 16
MOTION = '--denoise-motion on'
# The mean PSNR of the luma that is to be reached, by standard deviation.
TARGETS = {4: 40.3, 8: 34.3, 16: 30.3}


def score(truth, frames, step=1):
    """PSNR of each plane. `frames` have no entries for the frames at both ends, and those at
    multiples of `step` only."""
    pairs = list(zip(truth[SKIP:-SKIP:step], frames))
    return [psnr(np.mean([squared(t[p], f[p]) for t, f in pairs])) for p in range(len(truth[0]))]


def inner(frames, count):
    return frames[SKIP:count - SKIP]


class Tools:
    """The programs that are compared. Results of ffmpeg are kept in a file."""

    def __init__(self, folder, binary):
        self.folder, self.binary = folder, os.path.abspath(binary)
        self.cases = json.load(open(os.path.join(folder, 'manifest.json')))['cases']
        self.path = os.environ.get('PEERS')
        self.kept = json.load(open(self.path)) if self.path and os.path.exists(self.path) else {}

    def data(self, path):
        return open(os.path.join(self.folder, path), 'rb').read()

    def truths(self):
        """The progressive clips of 8 bits and 4:2:0, from which the interlaced ones are made."""
        for gt in sorted({case['gt'] for case in self.cases if case['kind'].startswith('interlaced')}):
            clip = Clip(self.data(gt))
            if clip.eight_bits and gt.endswith('_420.y4m'):
                yield os.path.basename(gt)[3:-8], clip

    def keep(self, key, result):
        """The kept result with this key; the result is computed if none is kept."""
        if key not in self.kept:
            self.kept[key] = result()
            if self.path:
                json.dump(self.kept, open(self.path, 'w'), indent=0)
        return self.kept[key]

    def dndi(self, data, options, truth):
        frames = Clip(run([self.binary, '-q', '--film', 'off', '--field-order', 'header', *options.split(), '-', '-'], data)).frames
        return score(truth, inner(frames, len(truth)))

    def ffmpeg(self, data, filters, truth, step=1):
        """The filters give the frames that are scored."""
        def result():
            command = ['ffmpeg', '-v', 'error', '-i', '-', '-vf', filters, '-vsync', '0', '-f', 'yuv4mpegpipe', '-strict', '-1', '-']
            return score(truth, Clip(run(command, data)).frames, step)
        return self.keep(hashlib.sha1(filters.encode() + data).hexdigest(), result)

    def peers(self, data, truth, sigma, before=''):
        """hqdn3d of the best strength, and nlmeans of the strength of the noise."""
        between = "select='between(n,{},{})'".format(SKIP, len(truth) - SKIP - 1)
        found = [self.ffmpeg(data, '{}hqdn3d={},{}'.format(before, s, between), truth) for s in STRENGTHS]
        yield 'hqdn3d', max(found)
        # nlmeans reads no other frames.
        fourth = "{}*not(mod(n-{},4))'".format(between[:-1], SKIP)
        yield 'nlmeans', self.ffmpeg(data, '{}{},nlmeans=s={}'.format(before, fourth, sigma), truth, 4)


def noisy(name, truth, sigma, planes):
    """The frames with noise in the first `planes` planes."""
    random = np.random.default_rng(zlib.crc32('{} {}'.format(name, sigma).encode()))
    result = []
    for frame in truth:
        added = lambda plane: plane + random.standard_normal(plane.shape, dtype=np.float32) * sigma
        result.append([np.clip(np.rint(added(plane)), 0, 255).astype(np.uint8) if i < planes else plane for i, plane in enumerate(frame)])
    return result


def woven(frames):
    """Successive frames as the fields of frames, top field first."""
    result = []
    for first, second in zip(frames[::2], frames[1::2]):
        planes = [plane.copy() for plane in first]
        for plane, other in zip(planes, second):
            plane[1::2] = other[1::2]
        result.append(planes)
    return result


def y4m(clip, frames, tag):
    tokens = [token for token in clip.tokens if not token.startswith('I')] + ['I' + tag]
    payload = b''.join(b'FRAME\n' + b''.join(plane.tobytes() for plane in frame) for frame in frames)
    return ' '.join(tokens).encode() + b'\n' + payload


def table(title, rows, planes, means=True):
    """Prints the scores of clips: rows of (clip, sigma, {filter: scores}), and their means."""
    names = list(rows[0][2])
    print('\n## {}\n\n| clip, standard deviation | {} |\n| --- |{}'.format(title, ' | '.join(names), ' --- |' * len(names)))
    text = lambda scores: ' / '.join('{:.2f}'.format(v) for v in scores[:planes])
    for clip, sigma, scores in rows:
        print('| {}, {} | {} |'.format(clip, sigma, ' | '.join(text(scores[n]) for n in names)))
    for sigma in SIGMAS:
        of = [scores for _, s, scores in rows if s == sigma]
        if means and of:
            values = (text(np.mean([scores[n] for scores in of], axis=0)) for n in names)
            print('| **mean**, {} | {} |'.format(sigma, ' | '.join(values)), flush=True)


def cases(tools):
    rows = []
    for case in (case for case in tools.cases if case['kind'] in ('noise_prog', 'noise_inter')):
        interlaced = case['kind'] == 'noise_inter'
        data, truth = tools.data(case['input']), Clip(tools.data(case['gt'])).frames
        deinterlacer = '--deinterlacer best ' if interlaced else ''
        truth = truth[:2 * len(Clip(data).frames)] if interlaced else truth
        scores = {name: tools.dndi(data, deinterlacer + options, truth) for name, options in
                  (('no filter', '--denoise off'), ('dndi', '--denoise auto'), ('along motion', MOTION))}
        peers = dict(tools.peers(data, truth, case['sigma'], 'bwdif=mode=send_field,' if interlaced else ''))
        order = ('no filter', 'dndi', 'hqdn3d', 'nlmeans', 'along motion')
        rows.append((case['id'], case['sigma'], {name: {**peers, **scores}[name] for name in order}))
    table('Noisy clips of the corpus, PSNR-Y', rows, 1, means=False)


def progressive(tools, planes):
    chroma = ' --denoise-chroma auto' if planes > 1 else ''
    rows = []
    for name, clip in tools.truths():
        truth = clip.frames[:FRAMES]
        for sigma in SIGMAS:
            frames = noisy('open/gt_{}_420.y4m'.format(name), truth, sigma, planes)
            data = y4m(clip, frames, 'p')
            scores = {'no filter': score(truth, inner(frames, len(truth))), 'dndi': tools.dndi(data, '--denoise auto' + chroma, truth)}
            scores.update(tools.peers(data, truth, sigma))
            rows.append((name, sigma, {**scores, 'along motion': tools.dndi(data, MOTION, truth)}))
    table('Progressive, noise of {}'.format('all planes, PSNR Y / U / V' if planes > 1 else 'the luma, PSNR-Y'), rows, planes)
    for sigma in SIGMAS:
        mean = np.mean([scores['along motion'][0] for _, s, scores in rows if s == sigma])
        print('\nalong motion, {}: {:.2f}, target {:.1f}'.format(sigma, mean, TARGETS[sigma]), end='')
    print()


def luma(tools):
    progressive(tools, 1)


def planes(tools):
    progressive(tools, 3)


def interlaced(tools):
    rows = []
    for name, clip in tools.truths():
        truth = clip.frames[:FRAMES]
        for sigma in SIGMAS:
            data = y4m(clip, woven(noisy('open/gt_{}_420.y4m'.format(name), truth, sigma, 3)), 't')
            scores = {'best': tools.dndi(data, '--deinterlacer best --denoise off', truth),
                      'dndi, best': tools.dndi(data, '--deinterlacer best --denoise auto --denoise-chroma auto', truth)}
            scores.update(('bwdif, ' + filter, values) for filter, values in tools.peers(data, truth, sigma, 'bwdif=mode=send_field,'))
            rows.append((name, sigma, {**scores, 'along motion, best': tools.dndi(data, '--deinterlacer best ' + MOTION, truth)}))
    table('Interlaced, noise of all planes, PSNR Y / U / V', rows, 3)
    gains = [(np.subtract(scores['along motion, best'], scores['bwdif, nlmeans']), name, sigma) for name, sigma, scores in rows]
    worst = min((gain[0], name, sigma) for gain, name, sigma in gains)
    mean = np.mean([gain for gain, _, _ in gains], axis=0)
    print('\nalong motion, best against bwdif, nlmeans, Y U V: mean {}, worst Y {:+.2f} ({}, {})'.format(
        ' '.join('{:+.2f}'.format(v) for v in mean), *worst))


def clean(tools):
    """The losses of clips without noise. Lines of a field are in the output of each deinterlacer, so
    that gen6 shows whether frames were changed; only such clips are deinterlaced by best."""
    rows = []
    kinds = ('interlaced', 'interlaced_lpf', 'telecine23', 'psf22', 'shift22', 'mixed', 'hybrid')
    clips = [(case['id'], case['input'], case['gt'], case['field_map']) for case in tools.cases if case['kind'] in kinds]
    clips += [(os.path.basename(gt)[:-4], gt, gt, None) for gt in sorted({case['gt'] for case in tools.cases})]
    for name, path, gt, field_map in clips:
        data = tools.data(path)
        if not Clip(data).eight_bits:
            continue
        rate = 'field' if field_map else 'frame'
        command = [tools.binary, '-q', '--preset', 'best', '--field-order', 'header', '--rate', rate]

        def outputs(deinterlacer):
            for denoise in (['--denoise', 'off', '--denoise-chroma', 'off'], []):
                yield Clip(run(command + ['--deinterlacer', deinterlacer] + denoise + ['-', '-'], data)).frames

        off, on = outputs('gen6')
        same = sum(all(np.array_equal(a, b) for a, b in zip(*pair)) for pair in zip(off, on))
        count = len(off)
        if same == count:
            rows.append((name, None, None, same, count))
            continue
        off, on = outputs('best')
        truth = Clip(tools.data(gt)).frames
        truth = [truth[i] for i in field_map][:count] if field_map else truth
        rows.append((name, *(score(truth, inner(frames, len(truth))) for frames in (off, on)), same, count))
    print('\n## Clean clips\n\n| clip | equal frames | off, PSNR Y / U / V | along motion |\n| --- | --- | --- | --- |')
    text = lambda scores: ' / '.join('{:.2f}'.format(v) for v in scores) if scores else ''
    for name, before, after, same, count in rows:
        print('| {} | {} of {} | {} | {} |'.format(name, same, count, text(before), text(after) if after else 'the same'))
    loss, name = max((max(np.subtract(before, after)) if after else 0, name) for name, before, after, _, _ in rows)
    print('\nlargest loss: {:.2f} dB ({}), target 0.1 dB'.format(loss, name), flush=True)


def time(tools):
    """Processor time of a process for each frame of the output, in ms."""
    def seconds(command, data):
        used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        before = used()
        run(command, data)
        return used() - before

    rows = []
    for name, clip in tools.truths():
        if name not in ('cups576', 'street1080a'):
            continue
        for tag, before, options in (('p', '', MOTION), ('t', 'bwdif=mode=send_field,', '--deinterlacer best ' + MOTION)):
            frames = noisy(name, clip.frames[:FRAMES], 8, 3)
            data = y4m(clip, woven(frames) if tag == 't' else frames, tag)
            filters = before + 'nlmeans=s=8'
            command = ['ffmpeg', '-v', 'error', '-threads', '1', '-filter_threads', '1', '-i', '-', '-vf', filters,
                       '-threads', '1', '-f', 'yuv4mpegpipe', '-strict', '-1', '-']
            other = tools.keep('time {} {}'.format(name, tag), lambda: seconds(command, data))
            command = [tools.binary, '-q', '--threads', '1', '--film', 'off', '--field-order', 'header', *options.split(), '-', '-']
            ours = min(seconds(command, data) for _ in range(3))
            rows.append((name, filters, options, other * 1000 / FRAMES, ours * 1000 / FRAMES, other / ours))
    print('\n## Processor time of a frame, ms, one thread\n\n| clip | ffmpeg | dndi | ffmpeg, ms | dndi, ms | ratio |\n| --- | --- | --- | --- | --- | --- |')
    for name, filters, options, other, ours, ratio in rows:
        print('| {} | `{}` | `{}` | {:.0f} | {:.0f} | 1/{:.1f} |'.format(name, filters, options, other, ours, ratio))


PARTS = {'cases': cases, 'luma': luma, 'planes': planes, 'interlaced': interlaced, 'clean': clean, 'time': time}


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(PARTS):
        raise SystemExit(__doc__)
    tools = Tools(*sys.argv[1:3])
    for part in sys.argv[3:] or PARTS:
        PARTS[part](tools)


if __name__ == '__main__':
    main()
