"""Frames of y4m files of 8 to 16 bits as arrays: 4:2:0, 4:2:2, 4:4:4, mono."""
import numpy as np

SUBSAMPLING = {'420': (2, 2), '422': (2, 1), '444': (1, 1), '411': (4, 1)}


class Clip:
    """The tokens of the header, and frames as tuples of planes."""

    def __init__(self, data):
        line, rest = data.split(b'\n', 1)
        self.tokens = line.decode().split(' ')
        tag = lambda letter, default=None: next((t[1:] for t in self.tokens[1:] if t[0] == letter), default)
        self.width, self.height, self.rate = int(tag('W')), int(tag('H')), tag('F')
        chroma = tag('C', '420')
        self.eight_bits = not any(c in chroma[3:] for c in ('p9', 'p10', 'p12', 'p14', 'p16'))
        sample = np.dtype(np.uint8 if self.eight_bits else '<u2')
        shapes = [(self.height, self.width)]
        if not chroma.startswith('mono'):
            across, down = SUBSAMPLING[chroma[:3]]
            shapes += 2 * [(-(-self.height // down), -(-self.width // across))]
        size = sum(h * w for h, w in shapes)
        self.frames, at = [], 0
        while at < len(rest):
            at = rest.index(b'\n', at) + 1
            samples, planes = np.frombuffer(rest, sample, size, at), []
            at += size * sample.itemsize
            for h, w in shapes:
                planes.append(samples[:h * w].reshape(h, w))
                samples = samples[h * w:]
            self.frames.append(tuple(planes))


def retagged(data, tag):
    """The stream with the interlacing tag `tag`; without a tag if `tag` is None."""
    line, rest = data.split(b'\n', 1)
    tokens = [token for token in line.split(b' ') if not token.startswith(b'I')]
    return b' '.join(tokens + ([b'I' + tag.encode()] if tag else [])) + b'\n' + rest
