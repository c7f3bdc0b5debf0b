"""Generated clips of golden cases: scenes, y4m files, payloads."""
import pathlib

import numpy as np


def mix(v):
    """The finalizer of splitmix64."""
    v = v + np.uint64(0x9e3779b97f4a7c15)
    v = (v ^ v >> np.uint64(30)) * np.uint64(0xbf58476d1ce4e5b9)
    v = (v ^ v >> np.uint64(27)) * np.uint64(0x94d049bb133111eb)
    return v ^ v >> np.uint64(31)


def noise(seed, x, y, t):
    """Values 0 to 65535 that depend on the position alone."""
    x, y, t = np.broadcast_arrays(x, y, t)
    position = (x.astype(np.int64) << 40) ^ (y.astype(np.int64) << 20) ^ t.astype(np.int64)
    return (mix(position.astype(np.uint64) ^ mix(np.uint64([seed]))) >> np.uint64(48)).astype(np.int64)


def texture(seed, x, y, grain):
    """Smooth noise; positions are in half samples."""
    u, v, i, j = x // grain, y // grain, x % grain, y % grain
    rows = [noise(seed, u, v + k, 0) * (grain - i) + noise(seed, u + 1, v + k, 0) * i for k in (0, 1)]
    return (rows[0] * (grain - j) + rows[1] * j) // (grain * grain)


def detail(seed, x, y):
    """Smooth noise of three sizes; positions are in quarters of a sample."""
    return (3 * texture(seed, x, y, 61) + 2 * texture(seed + 1, x, y, 22) + texture(seed + 2, x, y, 9)) // 6


# Scenes return values 0 to 65535 for columns, lines and a time in fields.
def pan(mx, my, grain=5, seed=1):
    return lambda x, y, t: texture(seed, 2 * x - mx * t, 2 * y - my * t, grain)


def quarter_pan(mx, my, seed=1, curve=0):
    """Motion in quarters of a sample a field, which `curve` quarters a field change."""
    return lambda x, y, t: detail(seed, 4 * x - (mx + curve * t) * t, 4 * y - my * t)


def zones(motions, height):
    """A band of `height` lines for each motion; the left and the right half move in opposition."""
    def scene(x, y, t):
        mx, my = motions[y // height % len(motions)]
        mx = np.where(x % 96 < 48, mx, -mx)
        return detail(11, 4 * x - mx * t, 4 * y - my * t)
    return scene


def still(x, y, t):
    return texture(3, 2 * x, 2 * y, 4)


def still_noise(amplitudes, contrast=2):
    """Still detail of single samples. Parts of 32x32 have noise of different amplitudes, in 1/256 of a
    level of 8 bits."""
    amplitudes = np.array(amplitudes)

    def scene(x, y, t):
        amplitude = amplitudes[((x >> 5) + 3 * (y >> 5)) % len(amplitudes)]
        return 16000 + texture(21, 2 * x, 2 * y, 2) // contrast + noise(22, x, y, t) * 2 * amplitude // 65536 - amplitude
    return scene


def lines(x, y, t):
    """Thin still lines before a moving texture of 80 to 144 levels: bright, dark, and with a distance
    to the texture and a noise near the limits. A dark line is at the upper edge, another one at the
    edge of a bright area."""
    kind = (x // 17 + y // 7) % 5
    small = noise(25, x, y, t)
    level = np.array([47000, 9000, 38912, 18688, 52000])[kind] + small * np.array([0, 600, 1024, 1280, 256])[kind] // 65536
    behind = 20480 + texture(23, 2 * x - 9 * t, 2 * y - 5 * t, 7) // 4
    behind = np.where(y // 9 % 4 == 3, behind + 22000, behind)
    is_dark = (y == 0) | (y % 36 == 26)
    return np.where(is_dark, 5000, np.where((y % 7 == 3) & (x % 17 < 15), level, behind))


def turning(scene, starts):
    """Gradients of three directions in turn under a scene, from these fields on."""
    def scene_(x, y, t):
        shot = sum(s <= t for s in starts) % 3
        level = [500 * x + 100 * y, 28000 - 500 * x - 100 * y, 900 * y][shot]
        return np.clip(level + scene(x, y, t) // 2, 0, 65535)
    return scene_


def black(x, y, t):
    return 0 * (x + y)


def extremes(x, y, t):
    return np.where(noise(5, x, y, t) & 3 == 0, 65535, 0)


def text(x, y, t):
    """Bright still strokes over a moving texture."""
    return np.where((x // 3 + y // 4) % 3 == 0, 60000, texture(7, 2 * x - 5 * t, 2 * y, 6) // 2)


def edges(x, y, t):
    return np.clip(32768 + (8 * x - 5 * y - 9 * t) % 160 * 1500 - 120000, 0, 65535)


def noisy(scene, amplitude):
    return lambda x, y, t: np.clip(scene(x, y, t) + noise(9, x, y, t) % (2 * amplitude) - amplitude, 0, 65535)


def disc(back, front, cx, cy, radius, mx, my):
    """A moving disc of one scene before another; centre and radius in samples."""
    def scene(x, y, t):
        inside = (4 * (x - cx) - mx * t) ** 2 + (4 * (y - cy) - my * t) ** 2 < (4 * radius) ** 2
        return np.where(inside, front(x, y, t), back(x, y, t))
    return scene


def anchored(scene):
    """A darker scene over a still gradient, which makes fields correlate."""
    return lambda x, y, t: scene(x, y, t) // 2 + np.minimum(32000, 230 * x + 180 * y)


def film(scene, shown):
    return lambda x, y, t: scene(x, y, shown[t % len(shown)])


def shots(starts):
    """Opposite gradients in turn, from these fields on."""
    def scene(x, y, t):
        level = 1200 * x + 300 * (y % 5) + 500 * t
        return np.clip(63000 - level if sum(s <= t for s in starts) % 2 else level, 0, 65535)
    return scene


def plane_sizes(sampling, size):
    width, height = size
    if sampling == 'mono':
        return [size]
    across, down = {'420': (2, 2), '422': (2, 1), '411': (4, 1), '444': (1, 1)}[sampling]
    return [size] + 2 * [(-(-width // across), -(-height // down))]


# The first parity of a clip that is not interlaced.
PROGRESSIVE = 2


def clip(scene, sampling, size, first, depth, frames):
    """Planes [frame, line, column]. Chroma shows the same scene, darker and inverted."""
    sizes = plane_sizes(sampling, size)

    def frame(n, index):
        w, h = sizes[index]
        lines = []
        for y in range(h):
            t = 2 * n + (y & 1 ^ first if first != PROGRESSIVE else 0)
            line = scene(np.arange(w), np.int64(y), t)
            lines.append([line, 65535 - line // 2, line // 3 + 20000][index] >> (16 - depth))
        return np.array(lines)
    return [np.array([frame(n, i) for n in range(frames)]) for i in range(len(sizes))]


def payload(planes, depth):
    return b''.join(plane.astype('<u2' if depth > 8 else 'u1').tobytes() for plane in planes)


def write(path, planes, sampling, first, depth):
    tag = 'C' + sampling + ('p' if depth > 8 and sampling != 'mono' else '') + (str(depth) if depth > 8 else '')
    _, height, width = planes[0].shape
    with open(path, 'wb') as f:
        f.write(f'YUV4MPEG2 W{width} H{height} F25:1 I{"tbp"[first]} A1:1 {tag}\n'.encode())
        for n in range(len(planes[0])):
            f.write(b'FRAME\n' + payload([plane[n] for plane in planes], depth))


def read(path):
    """Planes [frame, line, column], sampling, first parity and depth of a y4m file."""
    header, data = pathlib.Path(path).read_bytes().split(b'\n', 1)
    tags = {word[0]: word[1:] for word in header.decode().split()[1:]}
    sampling = tags['C'][:4] if tags['C'].startswith('mono') else tags['C'][:3]
    depth = int(tags['C'][len(sampling):].lstrip('p') or 8)
    type_ = np.dtype('<u2' if depth > 8 else 'u1')
    sizes = plane_sizes(sampling, (int(tags['W']), int(tags['H'])))
    starts = np.cumsum([0] + [w * h * type_.itemsize for w, h in sizes])
    step = len(b'FRAME\n') + starts[-1]
    frames = [data[at:at + step][len(b'FRAME\n'):] for at in range(0, len(data), step)]
    planes = [np.array([np.frombuffer(frame[a:b], type_).reshape(h, w) for frame in frames])
              for (w, h), a, b in zip(sizes, starts, starts[1:])]
    return planes, sampling, 'tbp'.index(tags['I']), depth
