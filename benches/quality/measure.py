#!/usr/bin/env python3
"""Measures the decisions and their gain in PSNR: measure.py CORPUS BINARY [PART...]

CORPUS is a folder with manifest.json:
{"cases": [{"id", "kind", "input", "gt", "parity", "field_map", "skip", ...}]}, with paths relative to
the folder. `kind` is interlaced, interlaced_lpf, noise_inter, noise_prog, scale_up2 (progressive),
telecine23, psf22, shift22, mixed or hybrid. Field i of the input shows frame field_map[i] of the
ground truth. Clips of more than 8 bits are skipped. Parts: scan, film, fields, rate, combed,
gaps, blends, drop-outs, chroma-shift, dot-crawl, heads, jitter, denoise, noise, chroma, strong. The default is all except the
last three, which add seeded noise to every clip.
Needs numpy. If ffmpeg is installed, its filters are measured as well. Prints a table and exits with
1 if a target is missed.
"""
import json, os, shutil, subprocess, sys, tempfile
import numpy as np
import blends
import combed
import composite
import denoise
import faults
import gaps
import lines
import rate
from y4m import Clip, retagged

INTERLACED = {'interlaced', 'interlaced_lpf', 'noise_inter'}
PROGRESSIVE = {'noise_prog', 'scale_up2', 'ground truth'}
FILM = {'telecine23': '3:2', 'hybrid': '3:2', 'shift22': '2:2'}
missed = []


def row(part, case, quantity, values, met=True):
    if not met:
        missed.append((part, case, quantity))
    print('| {} | {} | {} | {} | {} |'.format(part, case, quantity, values, '' if met else 'MISSED'))


class Corpus:
    def __init__(self, folder, binary):
        self.folder, self.binary = folder, os.path.abspath(binary)
        self.cases = json.load(open(os.path.join(folder, 'manifest.json')))['cases']
        self.kept = {}

    def data(self, path):
        if path not in self.kept:
            if len(self.kept) > 3:
                self.kept.pop(next(iter(self.kept)))
            self.kept[path] = open(os.path.join(self.folder, path), 'rb').read()
        return self.kept[path]

    def of(self, *kinds):
        return [case for case in self.cases if case['kind'] in kinds and Clip(self.data(case['input'])).eight_bits]

    def run(self, data, options):
        """The output clip, and the statistics of each output frame."""
        with tempfile.TemporaryDirectory() as folder:
            out, stats = os.path.join(folder, 'out.y4m'), os.path.join(folder, 'stats')
            command = [self.binary, '-q', *options.split(), '--stats', stats, '-', out]
            done = subprocess.run(command, input=data, capture_output=True)
            if done.returncode:
                raise SystemExit('{}: {}'.format(' '.join(command), done.stderr.decode().strip()))
            rows = [json.loads(line) for line in open(stats)]
            return Clip(open(out, 'rb').read()), [output for one in rows for output in one['outputs']]


def psnr(error):
    return 100.0 if error <= 1e-10 else 10 * np.log10(255 * 255 / error)


def errors(truth, field_map, frames, skip):
    """Mean squared error of the luma of each frame at field rate, except `skip` at both ends."""
    error = lambda a, b: float(np.mean((a.astype(np.float32) - b.astype(np.float32)) ** 2))
    fields = range(skip, min(len(field_map), len(frames)) - skip)
    return np.array([error(truth[field_map[i]][0], frames[i][0]) for i in fields])


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b))


def scan(corpus):
    """Scan and field order of each clip, without the tag and with each tag."""
    cases = [(case['id'], case['kind'], case['input'], case.get('parity')) for case in corpus.of(*INTERLACED, *FILM, 'psf22', *PROGRESSIVE)]
    truths = sorted({case['gt'] for case in corpus.cases})
    cases += [(os.path.basename(gt)[:-4], 'ground truth', gt, None) for gt in truths if Clip(corpus.data(gt)).eight_bits]
    right, wrong = 0, []
    for case, kind, path, parity in cases:
        order = {'tff': 'top', 'bff': 'bottom'}.get(parity)
        if kind in INTERLACED:
            expected = ['interlaced, {} field first'.format(order)]
        elif kind in FILM:
            expected = ['film, {} field first'.format(order)]
        else:
            expected = ['progressive']
        for tag in (None, 't', 'b', 'p'):
            clip, stats = corpus.run(retagged(corpus.data(path), tag), '--denoise off --rate frame')
            bad = [s for s in stats if s['content'] not in expected or (kind in FILM and s['cadence'] != FILM[kind])]
            whole = expected != ['progressive'] or all(same(a, b) for a, b in zip(clip.frames, Clip(corpus.data(path)).frames))
            if bad or not whole:
                wrong.append('{} tagged {}: {} of {} frames, {}'.format(case, tag, len(bad), len(stats), bad and bad[0]['content']))
            else:
                right += 1
    row('scan', '{} clips, 4 tags each'.format(len(cases)), 'right in all frames', '{} of {}'.format(right, right + len(wrong)), not wrong)
    for text in wrong:
        print('  ' + text)


def film(corpus):
    """Film pictures that are restored exactly."""
    for case in corpus.of('telecine23', 'psf22', 'shift22'):
        truth, field_map = Clip(corpus.data(case['gt'])).frames, case['field_map']
        shown = sorted(set(field_map))
        clip, _ = corpus.run(corpus.data(case['input']), '--denoise off --rate film')
        # A picture with a single field cannot be restored exactly, and may be dropped.
        whole = [n for n in shown if field_map.count(n) > 1]
        first = shown.index(whole[0])
        exact = sum(same(truth[n], frame) for n, frame in zip(whole, clip.frames[first:]))
        rate, most = clip.rate, len(shown)
        met = len(whole) <= len(clip.frames) <= most and exact >= 0.99 * len(whole)
        if case['kind'] == 'telecine23':
            met &= rate == '24000:1001'
        row('film', case['id'], 'exact at film rate', '{} of {} pictures, {} frames, {}'.format(exact, len(whole), len(clip.frames), rate), met)
        clip, _ = corpus.run(corpus.data(case['input']), '--denoise off --rate field')
        exact = [same(truth[n], frame) for n, frame in zip(field_map, clip.frames) if n in whole]
        row('film', case['id'], 'exact at field rate', '{} of {} fields'.format(sum(exact), len(exact)),
            len(clip.frames) == len(field_map) and sum(exact) >= 0.99 * len(exact))


def bwdif(data):
    if not shutil.which('ffmpeg'):
        return None
    command = 'ffmpeg -v error -i - -vf bwdif=mode=send_field -f yuv4mpegpipe -strict -1 -'.split()
    return Clip(subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout).frames


def fields(corpus):
    """Gain at the field rate over the deinterlacer alone."""
    for case in corpus.of('mixed', 'hybrid', 'telecine23', 'psf22', 'shift22'):
        truth, field_map, data = Clip(corpus.data(case['gt'])).frames, case['field_map'], corpus.data(case['input'])
        error = lambda frames: errors(truth, field_map, frames, case['skip'])
        options = '--denoise off --rate field '
        plain = error(corpus.run(data, options + '--film off --field-order ' + case['parity'])[0].frames)
        ours = error(corpus.run(data, options)[0].frames)
        worst = min(psnr(a) - psnr(b) for a, b in zip(ours, plain))
        gain = psnr(ours.mean()) - psnr(plain.mean())
        mean = np.mean([psnr(a) - psnr(b) for a, b in zip(ours, plain)])
        other = bwdif(data)
        text = '{:.2f} dB, deinterlacer alone {:.2f} (gain {:.2f}, mean of frames {:.2f}, worst frame {:+.2f})'.format(
            psnr(ours.mean()), psnr(plain.mean()), gain, mean, worst)
        if other:
            text += ', bwdif {:.2f}'.format(psnr(error(other).mean()))
        row('fields', case['id'], 'PSNR-Y at field rate', text, worst >= -0.5 and mean >= 3)


PARTS = {'scan': scan, 'film': film, 'fields': fields}
EXTERNAL = {**denoise.PARTS, **rate.PARTS, **combed.PARTS, **gaps.PARTS, **blends.PARTS, **faults.PARTS,
            **composite.PARTS, **lines.PARTS}


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= {*PARTS, *EXTERNAL}:
        raise SystemExit(__doc__)
    corpus = Corpus(sys.argv[1], sys.argv[2])
    print('| part | clip | quantity | measured | |\n| --- | --- | --- | --- | --- |')
    for part in sys.argv[3:] or [*PARTS, 'rate', 'combed', 'gaps', 'blends', 'drop-outs', 'chroma-shift', 'dot-crawl',
                                'heads', 'jitter', 'denoise']:
        if part in PARTS:
            PARTS[part](corpus)
        else:
            EXTERNAL[part](corpus, row)
    print('\n{} targets missed'.format(len(missed)))
    sys.exit(1 if missed else 0)


main()
