"""The C model of `best` (folder model), compiled on first use and called through ctypes."""
import ctypes
import glob
import hashlib
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import gate  # noqa: E402
import network  # noqa: E402

INPUTS, RECORD = 56, 64
# Columns of a record after the inputs.
LEAST, GREATEST, NEAR_LEAST, NEAR_GREATEST, BWDIF, RIPPLE, STILL, TARGET = range(INPUTS, RECORD)
SCORES = ('samples', 'error', 'bwdif', 'spatial', 'smooth', 'ripple', 'true ripple')


def library():
    """Compiles the model unless a library of the same sources exists."""
    sources = sorted(glob.glob(os.path.join(HERE, 'model', '*.[ch]')))
    numbers = [f'-D{name}={value}' for name, value in gate.numbers().items()]
    text = b''.join(open(path, 'rb').read() for path in sources) + ' '.join(numbers).encode()
    path = os.path.join(tempfile.gettempdir(), f'best_{hashlib.sha256(text).hexdigest()[:16]}.so')
    if not os.path.exists(path):
        part = f'{path}.{os.getpid()}'
        subprocess.run([os.environ.get('CC', 'cc'), '-O3', '-march=native', '-shared', '-fPIC',
                        '-ffast-math', '-o', part] + numbers
                       + [s for s in sources if s.endswith('.c')] + ['-lm'], check=True)
        os.replace(part, path)
    result = ctypes.CDLL(path)
    result.best_run.restype = ctypes.c_long
    return result


def flat(path):
    """The numbers of a file of weights; None for no file."""
    if not path or path == '-':
        return None
    q = network.load(path)
    n1, inputs = q['w1'].shape
    parts = [[inputs, n1, len(q['w2'])]] + [q[k].ravel() for k in
                                            ('w1', 'b1', 'w2', 'b2', 'w3', 'b3', 'skip')]
    return np.concatenate(parts).astype(np.int32)


def run(networks, luma, truth, chroma=None, wanted=0, first=4, last=None, seed=1):
    """Deinterlaces a plane. networks: (spatial, luma, chroma) of flat(). luma, chroma: woven frames
    [t, h, w]; truth: fields of the plane that counts. Returns (records, scores)."""
    def pointer(a):
        return None if a is None else a.ctypes.data_as(ctypes.c_void_p)
    luma, truth = np.ascontiguousarray(luma), np.ascontiguousarray(truth)
    chroma = None if chroma is None else np.ascontiguousarray(chroma)
    _, h, w = luma.shape
    fields = 2 * len(luma)
    last = fields - 3 if last is None else last
    plane = luma if chroma is None else chroma
    assert truth.shape[1:] == plane.shape[1:] and len(truth) >= last
    total = max(1, (last - first)) * plane.shape[1] * plane.shape[2] / 2
    records = np.empty((int(wanted * 1.5) + 100, RECORD), np.int16)
    scores = np.zeros(len(SCORES))
    _, ch, cw = plane.shape
    count = library().best_run(
        pointer(networks[0]), pointer(networks[1]), pointer(networks[2]), w, h, fields,
        pointer(luma), cw, ch, pointer(chroma), pointer(truth), first, last,
        ctypes.c_double(wanted / total), ctypes.c_uint64(seed), pointer(records),
        ctypes.c_long(len(records)), pointer(scores))
    return records[:count].copy(), dict(zip(SCORES, scores))
