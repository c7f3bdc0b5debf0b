#!/usr/bin/env python3
"""Looks for material on which the deinterlacers are worse than their peers: worst.py BINARY [OPTION...]

Makes short interlaced clips of many classes, whose every field is known, deinterlaces them by
ffmpeg's bwdif, by the other peers and by BINARY, and prints PSNR in dB against the ground truth:
the luma, and for `balanced` and `best` the differences to bwdif of luma, U and V. The last lines
are the worst differences of each class and the rules that are broken. Exit status 1 if any is.

  --groups a,b      only these classes; worst_clips.py describes them
  --seed N          other clips of the same kinds (default 1)
  --corpus DIR      real ground truth, DIR/open/gt_NAME_420.y4m; without it, generated classes only
  --real DIR        files of a camera with 50 or 60 progressive frames a second, for the class real
  --peers a,b       of w3fdif, estdif, nnedi, qtgmc, beside bwdif and gen6, or `all`
  --cache DIR       keeps clips, and the scores of all but balanced and best: the next run with the
                    same seed, of any binary, only runs these two
  --jobs N          clips at the same time (default 2), each on one thread
  --markdown [K]    prints Markdown at the end: the worst clip of each class, on which alone nnedi
                    and QTGMC run then, or with K = clips all clips
  --pictures DIR    saves crops of the worst clip of each class: truth, bwdif, balanced, best
  --ffmpeg PATH     ffmpeg of the peers
  --nnedi PATH      nnedi3_weights.bin, as the PyPI package vapoursynth-znedi3 has it
  --vapoursynth PY  a Python of 3.12 or later with, from PyPI: vsjetpack, scipy, vapoursynth-mvutensils
                    (9), -znedi3, -zsmooth, -resize2, -bwdif, -descale, -edgemasks (default: this one)

Rules: a frozen picture has at least 60 dB with gen6, balanced and best. balanced and best are at
most 0.1 dB below bwdif in luma and 0.2 dB in chroma, best at most 0.2 dB below balanced, both at
most 0.2 dB below gen6. The squared error of two lines at both edges is at most 1.3 times bwdif's.
Still fine detail is at most 1 dB below gen6's, and flickers at most 1.5 times as much as the truth
and 0.3 more. Differences above 60 dB (luma), 55 dB (chroma) and 50 dB (to gen6, balanced) do not count.
Needs numpy, Pillow 10.1 and ffmpeg.
"""
import argparse, hashlib, inspect, json, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from PIL import Image
import worst_clips
from deinterlace import SKIP, coded, psnr, run, squared
from y4m import Clip

# Raise it after a change of clips outside of the function of a class, or of the scores.
VERSION = 1
TIERS = ('gen6', 'balanced', 'best')
FILTERS = {
    'bwdif': 'bwdif=mode=send_field:parity={0}',
    'w3fdif': 'w3fdif=mode=field:parity={0}',
    'estdif': 'estdif=mode=field:parity={0}',
    'nnedi': 'nnedi=weights={2}:field={1}',
}
# The side of the squares of which `draw` shows 3x3, the squares with the largest error in the middle.
BLOCK = 32
PEERS = (*FILTERS, 'qtgmc')
SLOW = ('nnedi', 'qtgmc')
# Reads y4m of 4:2:0 without a plugin, and writes the frames of QTGMC.
QTGMC = '''
import sys, numpy as np, vapoursynth as vs
from vsdeinterlace import QTempGaussMC
sys.path.insert(0, sys.argv[1])
from y4m import Clip
clip, tff = Clip(sys.stdin.buffer.read()), sys.argv[2] == 'tff'
blank = vs.core.std.BlankClip(width=clip.width, height=clip.height, length=len(clip.frames), fpsnum=25, fpsden=1,
                              format=vs.YUV420P8 if clip.eight_bits else vs.YUV420P10)
def fill(n, f):
    f = f.copy()
    for i, plane in enumerate(clip.frames[n]):
        np.copyto(np.asarray(f[i]), plane)
    return f
source = vs.core.std.SetFieldBased(vs.core.std.ModifyFrame(blank, blank, fill), 2 if tff else 1)
vs.core.num_threads = 1
QTempGaussMC().bob(source, tff).output(sys.stdout.buffer, y4m=True)
'''


def stored(frames, depth, scan, rate):
    """Frames of code values of 8 bits as a y4m stream of `depth` bits."""
    height, width = frames[0][0].shape
    chroma = '420jpeg' if depth == 8 else '420p10'
    gain, dtype = 1 << depth - 8, np.uint8 if depth == 8 else '<u2'
    yield f'YUV4MPEG2 W{width} H{height} F{rate}:1 I{scan} A1:1 C{chroma}\n'.encode()
    for frame in frames:
        yield b'FRAME\n' + b''.join(np.clip(np.rint(gain * p), 0, 256 * gain - 1).astype(dtype).tobytes() for p in frame)


def interlaced(pictures, parity):
    """Frames with the lines of two successive pictures."""
    for first, second in zip(pictures[::2], pictures[1::2]):
        frame = [p.copy() for p in first]
        for plane, other in zip(frame, second):
            late = slice(1, None, 2) if parity == 'tff' else slice(0, None, 2)
            plane[late] = other[late]
        yield frame


def prepared(kind, options, folder):
    """Writes the clips of a class, or finds them; returns their descriptions."""
    material = worst_clips.Material(kind.__name__, options.seed, options.corpus, options.real)
    files = [(path, os.path.getsize(path)) for path in (material.real if kind is worst_clips.real else material.corpus)]
    key = hashlib.sha1(repr((VERSION, inspect.getsource(kind), options.seed, files)).encode()).hexdigest()[:12]
    folder = os.path.join(folder, f'{kind.__name__}-{key}')
    index = os.path.join(folder, 'cases.json')
    if not os.path.exists(index):
        os.makedirs(folder, exist_ok=True)
        cases = []
        for case in kind(material):
            base = os.path.join(folder, str(len(cases)))
            data = b''.join(stored(list(interlaced(case.source or case.truth, case.parity)), case.depth, case.parity[0], 25))
            data = coded(data, case.parity, case.coder) if case.coder else data
            open(base + '.input.y4m', 'wb').write(data)
            with open(base + '.truth.y4m', 'wb') as truth:
                truth.writelines(stored(case.truth, case.depth, 'p', 50))
            scored = list(case.scored or range(SKIP, len(case.truth) - SKIP))
            cases.append({'name': case.name, 'base': base, 'parity': case.parity, 'order': 'auto' if case.detected else case.parity,
                          'scored': scored, 'measures': case.measures, 'class': kind.__name__})
        json.dump(cases, open(index, 'w'))
    return json.load(open(index))


def output(name, case, data, options):
    """The frames that a deinterlacer makes."""
    if name in TIERS:
        command = [options.binary, '-q', '--threads', '1', '--denoise', 'off', '--film', 'off', '--rate', 'field',
                   '--field-order', case['order'], '--deinterlacer', name, '-', '-']
    elif name == 'qtgmc':
        command = [options.vapoursynth, '-c', QTGMC, os.path.dirname(os.path.abspath(__file__)), case['parity']]
    else:
        graph = FILTERS[name].format(case['parity'], case['parity'][0] + 'f', options.nnedi)
        command = [options.ffmpeg, '-v', 'error', '-threads', '1', '-filter_threads', '1', '-i', '-', '-vf', graph,
                   '-f', 'yuv4mpegpipe', '-strict', '-1', '-']
    return Clip(run(command, data)).frames


def fine_detail(truth, source, scored):
    """Places of fine detail that the truth hardly changes, or none, and how much the truth flickers
    there, or the lines of the input, half of which are new in each field."""
    luma = np.stack([truth[i][0] for i in scored]).astype(np.float32)
    middle = luma[len(luma) // 2]
    places = np.abs(np.diff(luma, axis=0)).max(axis=0) < 8
    places[1:-1] &= np.abs(middle[:-2] - 2 * middle[1:-1] + middle[2:]) > 40
    places[[0, -1]] = False
    if places.mean() < .002:
        return None, 0
    change = lambda frames: float(np.abs(np.diff(frames, axis=0))[:, places].mean())
    return places, max(change(luma), change(np.stack([f[0] for f in source]).astype(np.float32)) / 2)


def scores(case, truth, frames, places, scale):
    """PSNR of the planes, squared error of the edge lines, PSNR and flicker of still fine detail."""
    if len(frames) != len(truth):
        return {'frames': len(frames)}
    scored = case['scored']
    error = lambda cut: float(np.mean([squared(truth[i][0][cut], frames[i][0][cut]) for i in scored])) / scale ** 2
    result = {'psnr': [psnr(np.mean([squared(truth[i][p], frames[i][p]) for i in scored]) / scale ** 2) for p in range(3)]}
    if 'edges' in case['measures']:
        result['edges'] = (error(np.s_[:2]) + error(np.s_[-2:])) / 2
    if places is not None:
        values = np.stack([frames[i][0][places] for i in scored]).astype(np.float32)
        result['fine'] = [psnr(error(places)), float(np.abs(np.diff(values, axis=0)).mean())]
    return result


def measured(case, names, options):
    """The scores of all deinterlacers on a clip. The scores of the peers are kept beside the clip."""
    kept = case['base'] + '.scores.json'
    known = json.load(open(kept)) if os.path.exists(kept) else {}
    data = open(case['base'] + '.input.y4m', 'rb').read()
    truth, source = (Clip(open(case['base'] + f'.{part}.y4m', 'rb').read()) for part in ('truth', 'input'))
    scale = 1 if truth.eight_bits else 4
    places, flicker = fine_detail(truth.frames, source.frames, case['scored']) if 'fine' in case['measures'] else (None, 0)
    for name in names:
        if name not in known or name in ('balanced', 'best'):
            known[name] = scores(case, truth.frames, output(name, case, data, options), places, scale)
    json.dump({name: known[name] for name in known if name not in ('balanced', 'best')}, open(kept, 'w'))
    return {**{name: known[name] for name in names}, 'flicker': flicker}


def broken(case, result):
    """The rules that a clip breaks, as texts."""
    wrong = [f'{tier} makes {result[tier]["frames"]} frames' for tier in TIERS if 'frames' in result[tier]]
    if wrong:
        return wrong
    def below(tier, other, plane, cap, allowed):
        a, b = (min(result[name]['psnr'][plane], cap) for name in (tier, other))
        if a < b - allowed:
            wrong.append(f'{tier} {"YUV"[plane]} {a - b:+.2f} dB to {other}')
    for tier in TIERS if case['class'] == 'frozen' else ():
        if result[tier]['psnr'][0] < 60:
            wrong.append(f'{tier} {result[tier]["psnr"][0]:.2f} dB')
    for tier in TIERS[1:]:
        for plane, cap, allowed in ((0, 60, .1), (1, 55, .2), (2, 55, .2)):
            below(tier, 'bwdif', plane, cap, allowed)
        below(tier, 'gen6', 0, 50, .2)
        now, bwdif = result[tier], result['bwdif']
        if 'edges' in now and now['edges'] > 1.3 * max(1, bwdif['edges']):
            wrong.append(f'{tier} {now["edges"] / bwdif["edges"]:.2f} times the error of bwdif in edge lines')
        if 'fine' in now and now['fine'][0] < result['gen6']['fine'][0] - 1:
            wrong.append(f'{tier} {now["fine"][0] - result["gen6"]["fine"][0]:+.2f} dB to gen6 in still fine detail')
        if 'fine' in now and now['fine'][1] > 1.5 * result['flicker'] + .3:
            wrong.append(f'{tier} flickers by {now["fine"][1]:.2f}, the truth by {result["flicker"]:.2f}')
    below('best', 'balanced', 0, 50, .2)
    return wrong


def gains(result, tier):
    """The differences to bwdif, above the caps of the rules none."""
    return [min(a, cap) - min(b, cap) for a, b, cap in zip(result[tier]['psnr'], result['bwdif']['psnr'], (60, 55, 55))]


def line(case, result, names):
    text = f'{case["class"]}: {case["name"]}'.ljust(56)
    for name in names:
        if 'frames' in result[name]:
            continue
        text += f'  {name} {result[name]["psnr"][0]:5.2f}'
        if name in TIERS[1:]:
            text += ' ({})'.format(' '.join(f'{gain:+.2f}' for gain in gains(result, name)))
        text += ''.join(f' {key} ' + ' '.join(f'{v:.2f}' for v in np.atleast_1d(result[name][key])) for key in ('edges', 'fine') if key in result[name])
    return text


def worst_of_classes(rows):
    """Of each class the clip on which a tier is farthest below bwdif, and a text of the broken ones."""
    groups = {}
    for case, result, wrong in rows:
        groups.setdefault(case['class'], []).append((case, result, wrong))
    for group in groups.values():
        case, result, _ = min(group, key=lambda row: min(gains(row[1], tier)[0] for tier in TIERS[1:]))
        yield case, result, f'{sum(bool(wrong) for _, _, wrong in group)} of {len(group)}'


def markdown(rows, names, last):
    """A table of luma PSNR, of rows of case, scores and the value of the last column."""
    print(f'\n| class | clip | {" | ".join(names)} | {last} |\n| --- | --- |{" ---: |" * (len(names) + 1)}')
    for case, result, value in rows:
        values = ' | '.join(f'{result[name]["psnr"][0]:.2f}' for name in names)
        print(f'| {case["class"].replace("_", " ")} | {case["name"]} | {values} | {value} |')


def draw(case, options):
    """Saves crops of the truth, bwdif, balanced and best, enlarged: the place and the field where one
    of the tiers exceeds the error of bwdif by the largest amount."""
    data = open(case['base'] + '.input.y4m', 'rb').read()
    truth = Clip(open(case['base'] + '.truth.y4m', 'rb').read())
    shown = [truth.frames, *(output(name, case, data, options) for name in ('bwdif', 'balanced', 'best'))]
    height, width = (size // BLOCK * BLOCK for size in (truth.height, truth.width))
    largest = (-1, 0, 0, 0)
    for field in case['scored']:
        luma = [frames[field][0][:height, :width].astype(np.float32) for frames in shown]
        bwdif, *tiers = (((other - luma[0]) ** 2).reshape(height // BLOCK, BLOCK, -1, BLOCK).mean(axis=(1, 3)) for other in luma[1:])
        excess = np.maximum(*tiers) - bwdif
        row, column = np.unravel_index(excess.argmax(), excess.shape)
        largest = max(largest, (float(excess.max()), field, int(row), int(column)))
    _, field, row, column = largest
    top, left = (int(np.clip((at - 1) * BLOCK, 0, size - 3 * BLOCK)) for at, size in ((row, height), (column, width)))
    def part(frame):
        crop = [np.asarray(p[top // by:(top + 3 * BLOCK) // by, left // by:(left + 3 * BLOCK) // by] >> (0 if truth.eight_bits else 2), np.uint8) for p, by in zip(frame, (1, 2, 2))]
        return Image.merge('YCbCr', [Image.fromarray(p).resize((9 * BLOCK, 9 * BLOCK), Image.NEAREST) for p in crop]).convert('RGB')
    sheet = Image.new('RGB', (4 * (9 * BLOCK + 6), 9 * BLOCK))
    for i, frames in enumerate(shown):
        sheet.paste(part(frames[field]), (i * (9 * BLOCK + 6), 0))
    name = ''.join(c if c.isalnum() else '_' for c in f'{case["class"]}_{case["name"]}_field{field}')
    sheet.save(os.path.join(options.pictures, name + '.png'))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('binary')
    for name, default in (('groups', ''), ('corpus', None), ('real', None), ('peers', ''), ('cache', None), ('pictures', None), ('ffmpeg', 'ffmpeg'),
                          ('nnedi', 'nnedi3_weights.bin'), ('vapoursynth', sys.executable)):
        parser.add_argument('--' + name, default=default)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--markdown', nargs='?', const='classes', choices=('classes', 'clips'))
    options = parser.parse_args()
    options.binary = os.path.abspath(options.binary)
    kinds = {kind.__name__: kind for kind in worst_clips.CLASSES}
    chosen = options.groups.split(',') if options.groups else list(kinds)
    peers = PEERS if options.peers == 'all' else ['bwdif', *(name for name in options.peers.split(',') if name not in ('', 'bwdif'))]
    if not set(chosen) <= set(kinds) or not set(peers) <= set(PEERS):
        raise SystemExit(f'classes: {", ".join(kinds)}\npeers: {", ".join(PEERS)}')
    slow = [name for name in peers if name in SLOW and options.markdown == 'classes']
    names, rows = [name for name in (*peers, *TIERS) if name not in slow], []
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.jobs) as pool:
        for group in chosen:
            cases = prepared(kinds[group], options, options.cache or temporary)
            for case, result in zip(cases, pool.map(lambda case: measured(case, names, options), cases)):
                rows.append((case, result, broken(case, result)))
                print(line(case, result, names), flush=True)
        whole = [row for row in rows if not any('frames' in row[1][name] for name in names)]
        print('\nWorst differences of each class: to bwdif, Y U V; of the luma to the best peer')
        for group in chosen:
            results = [result for case, result, _ in whole if case['class'] == group]
            for tier in TIERS if results else ():
                worst = np.min([gains(result, tier) for result in results], axis=0)
                peer = min(min(r[tier]['psnr'][0], 60) - min(max(r[name]['psnr'][0] for name in names if name in PEERS), 60) for r in results)
                print(f'{group:20} {tier:8}', *(f'{value:+7.2f}' for value in (*worst, peer)))
        if options.pictures:
            os.makedirs(options.pictures, exist_ok=True)
            list(pool.map(lambda row: draw(row[0], options), worst_of_classes(whole)))
        if options.markdown == 'clips':
            markdown([(case, result, len(wrong)) for case, result, wrong in whole], names, 'rules broken')
        elif options.markdown:
            shown = list(worst_of_classes(whole))
            for (_, result, _), more in zip(shown, pool.map(lambda row: measured(row[0], slow, options), shown)):
                result.update(more)
            markdown(shown, [*peers, *TIERS], 'clips that break rules')
    print()
    for case, _, wrong in rows:
        for text in wrong:
            print(f'{case["class"]}: {case["name"]}: {text}')
    count = sum(len(wrong) for _, _, wrong in rows)
    print(f'{len(rows)} clips, {count} rules broken')
    sys.exit(bool(count))


if __name__ == '__main__':
    main()
