"""Faults of a capture: a gap that arrives as repeated frames, and a lost field."""
import json, os, random, subprocess, tempfile
import numpy as np
from rate import write
from y4m import Clip

# Frames around the lost field whose fields are compared.
AROUND = 4


def run(command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def damaged(binary, clip, frames, order):
    """What inspect finds, and the output frames, of a clip whose header has the order of its start."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = [os.path.join(folder, name) for name in ('in.y4m', 'out.y4m')]
        write(source, clip, frames)
        found = json.loads(run([binary, 'inspect', '-q', '--json', source]))
        run([binary, '-q', '--denoise', 'off', '--film', 'off', '--rate', 'field', '--deinterlace', 'on',
             '--field-order', 'auto', source, out])
        return found, Clip(open(out, 'rb').read()).frames


def woven(first, second, top_first):
    """A frame of two fields."""
    planes = []
    for a, b in zip(first, second):
        plane = np.array(b)
        plane[0 if top_first else 1::2] = a[0 if top_first else 1::2]
        planes.append(plane)
    return tuple(planes)


def gaps(corpus, row):
    for case in corpus.of('interlaced'):
        clip, truth = Clip(corpus.data(case['input'])), Clip(corpus.data(case['gt'])).frames
        draw = random.Random(case['id'])
        frames, length = list(clip.frames), draw.randint(2, 4)
        at = draw.randint(3, len(frames) - length - 2)
        frames[at:at + length] = length * [frames[at - 1]]
        found, _ = damaged(corpus.binary, clip, frames, case['parity'])
        runs = [(run['first'], run['frames']) for run in found['repeats'] if run['repeats'] == 'frame']
        text = '{} frames from {}: found {}'.format(length, at, ', '.join('{1} from {0}'.format(*run) for run in runs) or 'none')
        row('gaps', case['id'], 'repeated frames', text, runs == [(at, length)])

        shows, top_first = case['field_map'], case['parity'] == 'tff'
        count = len(clip.frames) - 1
        # A change needs six frames on either side.
        if count < 14:
            continue
        middle = count // 2
        times = [(2 * n, 2 * n + 1) if n < middle else (2 * n + 1, 2 * n + 2) for n in range(count)]
        picture = lambda time: truth[shows[time]]
        frames = [woven(picture(a), picture(b), top_first == (n < middle)) for n, (a, b) in enumerate(times)]
        found, out = damaged(corpus.binary, clip, frames, case['parity'])
        _, whole = damaged(corpus.binary, clip, clip.frames, case['parity'])
        psnr = lambda a, b: 10 * np.log10(255 * 255 / max(1e-3, np.mean((a[0].astype(np.float32) - b[0]) ** 2)))
        order = [time for pair in times for time in pair]
        near = [n for n, time in enumerate(order) if abs(time - 2 * middle) <= 2 * AROUND]
        if len(out) != len(order):
            row('gaps', case['id'], 'lost field', '{} frames of {}'.format(len(out), len(order)), False)
            continue
        loss = max(psnr(whole[order[n]], picture(order[n])) - psnr(out[n], picture(order[n])) for n in near)
        changes = [change['frame'] for change in found['order_changes']]
        text = 'before frame {}: found {}; worst field {:+.2f} dB'.format(middle, changes or 'none', -loss)
        row('gaps', case['id'], 'lost field', text, len(changes) == 1 and abs(changes[0] - middle) <= 2)


PARTS = {'gaps': gaps}
