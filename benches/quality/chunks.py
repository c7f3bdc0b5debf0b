#!/usr/bin/env python3
"""Compares chunked conversions with one run: chunks.py BINARY CHUNK WARMUP,... [-o OPTIONS] CLIP...

Converts each clip in one run and with --chunk CHUNK:WARMUP for each warm-up. Prints the number of
output frames, and in percent of them the frames whose luma differs by less than 45 dB of PSNR, the
frames that differ at all, and the least PSNR. Needs numpy. Clips have 8 bits.
"""
import os, subprocess, sys, tempfile
import numpy as np
from y4m import Clip

LIMIT = 45


def converted(binary, clip, options, folder):
    output = os.path.join(folder, 'out.y4m')
    subprocess.run([binary, '-q', '-y'] + options + [clip, output], check=True)
    return Clip(open(output, 'rb').read()).frames


def psnr(one, other):
    error = np.square(one.astype(np.int32) - other).mean()
    return 10 * np.log10(255 ** 2 / error) if error else np.inf


def main():
    binary, chunk, warmups, *rest = sys.argv[1:]
    options = []
    if rest[0] == '-o':
        options, rest = rest[1].split(), rest[2:]
    total = {warmup: [0, 0] for warmup in warmups.split(',')}
    print('| clip | frames | warm-up | < {} dB % | different % | least dB |\n| --- | --: | --: | --: | --: | --: |'.format(LIMIT))
    with tempfile.TemporaryDirectory() as folder:
        for clip in rest:
            whole = converted(binary, clip, options, folder)
            for warmup in warmups.split(','):
                parts = converted(binary, clip, options + ['--chunk', chunk + ':' + warmup], folder)
                values = [psnr(one[0], other[0]) for one, other in zip(whole, parts)]
                # Frames that one of them lacks differ.
                values += abs(len(whole) - len(parts)) * [0]
                beyond, different = sum(v < LIMIT for v in values), sum(v < np.inf for v in values)
                total[warmup][0] += beyond
                total[warmup][1] += len(values)
                percent = lambda count: '{:.1f}'.format(100 * count / len(values))
                row = os.path.basename(clip), len(values), warmup, percent(beyond), percent(different), '{:.1f}'.format(min(values))
                print('| {} | {} | {} | {} | {} | {} |'.format(*row), flush=True)
    for warmup, (beyond, frames) in total.items():
        print('| all | {} | {} | {:.2f} | | |'.format(frames, warmup, 100 * beyond / frames), flush=True)


main()
