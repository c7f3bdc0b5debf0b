"""`--deinterlace combed`: single progressive frames among interlaced ones stay exact."""
import os, subprocess, tempfile
import numpy as np
from rate import write
from y4m import Clip

EVERY = 5


def convert(binary, clip, frames, mode, order):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ('in.y4m', 'out.y4m')]
        write(paths[0], clip, frames)
        options = '-q --denoise off --film off --rate frame --field-order {} --deinterlace {}'.format(order, mode)
        subprocess.run([binary, *options.split(), *paths], check=True)
        return Clip(open(paths[1], 'rb').read()).frames


def combed(corpus, row):
    for case in corpus.of('interlaced'):
        clip, truth = Clip(corpus.data(case['input'])), Clip(corpus.data(case['gt'])).frames
        shown = [truth[case['field_map'][2 * n]] for n in range(len(clip.frames))]
        whole = range(0, len(shown), EVERY)
        frames = [shown[n] if n in whole else frame for n, frame in enumerate(clip.frames)]
        error = lambda a, b: float(np.mean((a[0].astype(np.float32) - b[0].astype(np.float32)) ** 2))
        psnr = lambda error: 100.0 if error < 1e-10 else 10 * np.log10(255 * 255 / error)
        text = []
        for mode in ('auto', 'combed'):
            out = convert(corpus.binary, clip, frames, mode, case['parity'])
            exact = sum(all(np.array_equal(a, b) for a, b in zip(out[n], shown[n])) for n in whole)
            rest = np.mean([error(out[n], shown[n]) for n in range(len(shown)) if n not in whole])
            text.append((exact, psnr(rest)))
        (_, before), (exact, after) = text
        row('combed', case['id'], 'progressive frames exact, PSNR-Y of the others',
            '{} of {} (auto {}), {:.2f} dB (auto {:.2f})'.format(exact, len(whole), text[0][0], after, before), exact >= 0.9 * len(whole))


PARTS = {'combed': combed}
