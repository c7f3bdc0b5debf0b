"""Integer networks: quantisation, files, inference. Samples have 8 bits."""
import hashlib

import numpy as np

TOP = 4095


def quantise(net):
    """Integers of a network of floats (see stack.Stack.take)."""
    def whole(a, factor):
        return np.rint(np.asarray(a, np.float64) * factor).astype(np.int64)
    q = dict(w1=whole(net['w1'], 4096), b1=whole(net['b1'], 4096) + 256,
             w2=whole(net['w2'], 4096), b2=whole(net['b2'], 8 * 4096),
             w3=whole(net['w3'], 1024), b3=whole(net['b3'], 8192), skip=whole(net['skip'], 8192))
    check(q)
    return q


def check(q):
    """Weights fit 16 bits. Sums fit 32 bits for inputs of 16 times the 8-bit range."""
    for k in ('w1', 'w2', 'w3', 'skip'):
        assert abs(q[k]).max() < 1 << 15, (k, abs(q[k]).max())
    for k in ('b1', 'b2', 'b3'):
        assert abs(q[k]).max() < 1 << 31, k
    widest = 255 * 16
    assert (abs(q['w1']).sum(1) * widest + 16 * abs(q['b1'])).max() < 1 << 31, 'layer 1'
    assert (abs(q['w2']).sum(1) * TOP + abs(q['b2']) + 2048).max() < 1 << 31, 'layer 2'
    assert 16 * (abs(q['w3']).sum() * TOP + abs(q['b3']).sum()) + 16 * 4096 \
        + abs(q['skip']).sum() * widest < 1 << 31, 'output'


def save(path, q, comment=''):
    n1, inputs = q['w1'].shape
    lines = ['# ' + line for line in comment.splitlines()]
    lines.append(f"{inputs} {n1} {len(q['b2'])}")
    for k in ('w1', 'b1', 'w2', 'b2', 'w3', 'b3', 'skip'):
        lines += [' '.join(map(str, row)) for row in np.atleast_2d(q[k]).tolist()]
    with open(path, 'w') as f:
        f.write('\n'.join(lines) + '\n')
    return hashlib.sha256(open(path, 'rb').read()).hexdigest()


def load(path):
    numbers = [int(v) for line in open(path) if not line.startswith('#') for v in line.split()]
    inputs, n1, n2 = numbers[:3]
    at = 3
    q = {}
    for k, shape in (('w1', (n1, inputs)), ('b1', (n1,)), ('w2', (n2, n1)), ('b2', (n2,)),
                     ('w3', (n2,)), ('b3', (1,)), ('skip', (inputs,))):
        size = int(np.prod(shape))
        q[k] = np.array(numbers[at:at + size], np.int64).reshape(shape)
        at += size
    assert at == len(numbers), path
    return q


def infer(q, x):
    """Corrections of inputs x [inputs, ...], integers."""
    shape = x.shape[1:]
    # Products and sums of floats of 64 bits are exact here.
    x = x.reshape(len(x), -1).astype(np.float64)

    def layer(w, v, b, rounding, shift):
        s = (w.astype(np.float64) @ v).astype(np.int64) + b[:, None] + rounding
        return s >> shift
    h1 = np.clip(layer(q['w1'], x, q['b1'], 0, 9), 0, TOP).astype(np.float64)
    h2 = np.clip(layer(q['w2'], h1, q['b2'], 2048, 12), 0, TOP).astype(np.float64)
    s = q['w3'].astype(np.float64) @ h2 + q['skip'].astype(np.float64) @ x
    return ((s.astype(np.int64) + q['b3'] + 4096) >> 13).reshape(shape)
