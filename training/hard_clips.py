"""Clips of what deinterlacers do worst: still fine detail under noise and under coding noise, slow
motion of fine detail, dark lines at the edge of the picture, thin still lines and rain over moving
pictures, small fast objects, turning lines, moving pages of text, changes of light.

Called by clips.py. Every clip has a seed of its own, made of its name. The target of a noisy or
coded clip is the picture before: the noise of a missing line cannot be predicted, so that the noisy
picture has the same best answer and adds noise to the gradients.
"""
import os

import numpy as np
from scipy import ndimage

import clips as base
from clips import SOURCES, fractal, rng, sheet, velocity

H, W, COUNT = 288, 400, 22
# Kinds of these clips.
KINDS = ('fine', 'slow', 'border', 'lines', 'rain', 'balls', 'colour', 'spin', 'page', 'light')
PATTERNS = ('blinds', 'bricks', 'text', 'cloth', 'halftone', 'staves', 'mesh', 'hatch')


def pattern(r, kind, h, w, k=1):
    """A picture of fine detail [h * k, w * k, 3] from 0 to 1, k times as large."""
    if kind == 'text':
        small = int(r.integers(8, 15))
        return sheet(r, w * k, h * k, small * k, (small + 5) * k, r.random() < .5)
    y, x = np.mgrid[0:h * k, 0:w * k] / k
    if kind == 'blinds':
        p, lean = r.uniform(3.5, 9), r.uniform(-.01, .01)
        v = (y + lean * x) % p < p * r.uniform(.35, .65)
    elif kind == 'bricks':
        tall, wide, gap = r.uniform(6, 15), r.uniform(16, 40), r.uniform(.8, 2)
        row = (y // tall).astype(int)
        shade = r.uniform(.35, .6, (row.max() + 1, int(w / wide) + 3))
        at = x + row % 2 * wide / 2
        v = shade[row, (at // wide).astype(int)]
        v = np.where((y % tall < gap) | (at % wide < gap), .85, v)
    elif kind == 'cloth':
        fy, fx = r.uniform(1.2, 2.8), r.uniform(.8, 2.4)
        v = .5 + .2 * np.sin(fy * y + 2 * np.sin(x * r.uniform(.01, .05)))
        v = v + .18 * np.sin(fx * x + 1.5 * np.sin(y * .03))
    elif kind == 'halftone':
        p, turn = r.uniform(3.5, 7), r.uniform(.1, .8)
        a, b = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
        tone = .5 + .6 * np.sin(x / r.uniform(30, 90)) * np.sin(y / r.uniform(20, 60))
        v = np.cos(2 * np.pi * a / p) + np.cos(2 * np.pi * b / p) > 2.4 * tone - 1.2
    elif kind == 'staves':
        p, gap = r.uniform(30, 60), r.uniform(4, 8)
        v = ~((y % p < 5 * gap) & (y % p % gap < r.uniform(.8, 1.6)))
    elif kind == 'mesh':
        p, q, line = r.uniform(3, 8), r.uniform(3, 12), r.uniform(.8, 1.8)
        v = (y % p < line) | (x % q < line)
    else:
        p, lean = r.uniform(3, 7), r.uniform(.05, .4) * r.choice([-1, 1])
        v = (y + lean * x) % p < r.uniform(.8, p / 2)
    dark, light = r.uniform(0, .4, 3), r.uniform(.6, 1, 3)
    if r.random() < .5:
        dark, light = np.full(3, dark[0]), np.full(3, light[0])
    return dark + (light - dark) * np.asarray(v, np.float64)[..., None]


class Camera:
    """Samples a picture k times as large by means over squares, at any position and zoom."""

    def __init__(self, picture, k):
        self.k, (self.h, self.w) = k, picture.shape[:2]
        self.sums = np.pad(picture, ((1, 0), (1, 0), (0, 0))).cumsum(0).cumsum(1)

    def shot(self, h, w, top, left, zoom=1.):
        """The window of h x w samples whose first one is at line `top` and column `left`."""
        def edges(start, count, most):
            middle = start + count / 2
            at = (middle + (np.arange(count + 1) - count / 2) * zoom) * self.k
            at = np.clip(at, 0, most - 1e-6)
            return at.astype(int), at % 1
        s = self.sums
        (i, fy), (j, fx) = edges(top, h, self.h), edges(left, w, self.w)
        rows = s[i] * (1 - fy)[:, None, None] + s[i + 1] * fy[:, None, None]
        both = rows[:, j] * (1 - fx)[:, None] + rows[:, j + 1] * fx[:, None]
        return np.diff(np.diff(both, axis=0), axis=1) / (self.k * zoom) ** 2


def ground(cache, r, source, kind, h=H, w=W):
    """A part of a moving natural clip of a source: planes [t, h, w] of floats."""
    planes = base.read(cache, {'pan': f'pan_{source}_{int(r.integers(3))}', 'real': (
        f'nat_{source}_turn' if r.random() < .4 else f'nat_{source}_down')}[kind])
    _, high, wide = planes[0].shape
    top = int(r.integers(0, max(1, (high - h) // 4 + 1))) * 4
    left = int(r.integers(0, max(1, (wide - w) // 4 + 1))) * 4
    h, w = min(h, high) // 4 * 4, min(w, wide) // 4 * 4
    return [p[:COUNT, top // s:(top + h) // s, left // s:(left + w) // s].astype(np.float64)
            for p, s in zip(planes, (1, 2, 2))]


def halved(mask):
    h, w = mask.shape
    return mask.reshape(h // 2, 2, w // 2, 2).mean((1, 3))


def paint(planes, t, mask, ink):
    """Paints field t of planes with a colour (y, u, v; None: unchanged) where mask is 1."""
    for plane, value, m in zip(planes, ink, (mask, halved(mask), halved(mask))):
        if value is not None:
            plane[t] += (value - plane[t]) * m


def disc(h, w, y, x, radius):
    """A disc with an edge of one sample."""
    yy, xx = np.mgrid[0:h, 0:w]
    return np.clip(radius + .5 - np.hypot(yy - y, xx - x), 0, 1)


def stroke(mask, y, x, dy, dx, width):
    """Adds a line from (y, x) to (y + dy, x + dx) to a mask."""
    h, w = mask.shape
    top, bottom = max(0, int(min(y, y + dy) - 2)), min(h, int(max(y, y + dy) + 4))
    left, right = max(0, int(min(x, x + dx) - 2)), min(w, int(max(x, x + dx) + 4))
    if top >= bottom or left >= right:
        return
    yy, xx = np.mgrid[top:bottom, left:right]
    u = np.clip(((yy - y) * dy + (xx - x) * dx) / (dy * dy + dx * dx + 1e-9), 0, 1)
    far = np.hypot(yy - y - u * dy, xx - x - u * dx)
    part = mask[top:bottom, left:right]
    # A line thinner than a sample is fainter.
    np.maximum(part, np.clip(width / 2 + .5 - far, 0, 1) * min(1, width), out=part)


def ink(r, bright=None):
    """A colour (y, u, v) that is bright or dark."""
    bright = r.random() < .6 if bright is None else bright
    grey = r.random() < .6
    return (r.uniform(170, 235) if bright else r.uniform(16, 60),
            128. if grey else r.uniform(60, 200), 128. if grey else r.uniform(60, 200))


def noisy(planes, sigma, r):
    """Interlaced input with noise."""
    return [base.weave(base.to_bytes(p + r.standard_normal(p.shape) * sigma * f))
            for p, f in zip(planes, (1, .7, .7))]


def fine(out):
    """Still fine detail, noisy or coded; something moves in front of it."""
    for k in range(13):
        name, codec = f'fine_{k}', {3: 'mpeg2', 6: 'x264', 9: 'dv', 12: 'mpeg2'}.get(k)

        def make(name=name, k=k, codec=codec):
            r = rng(name)
            h, w = (576, 720) if codec else (H, W)
            page = pattern(r, PATTERNS[(5 * k + k // 8) % 8], h, w)
            blur = r.choice([0, .4, .7])
            planes = [np.repeat(p[None], COUNT, 0) for p in base.to_yuv(np.clip(
                ndimage.gaussian_filter(page, (blur, blur, 0)), 0, 1))]
            v, start = velocity(r), r.uniform(.3, .7, 2) * (h, w)
            radius, colour, speed = r.uniform(20, 45), ink(r), r.uniform(-.05, .05)
            for t in range(COUNT):
                if k % 2:
                    mask = disc(h, w, start[0] + 2 * v[1] * t, start[1] + 2 * v[0] * t, radius)
                else:
                    mask, angle = np.zeros((h, w)), 1 + speed * t
                    stroke(mask, *start, 1.5 * radius * np.sin(angle), 4 * radius * np.cos(angle),
                           r.uniform(7.9, 8))
                paint(planes, t, mask, colour)
            planes = [base.to_bytes(p) for p in planes]
            if not codec:
                return planes, noisy(planes, r.uniform(1, 4), r)
            grain = [base.to_bytes(p + r.standard_normal(p.shape) * r.uniform(0, 1.5))
                     for p in planes]
            given = base.code(codec, [base.weave(p) for p in grain], w, h)
            top, left = int(start[0] - H / 2) // 4 * 4, int(start[1] - W / 2) // 4 * 4
            top, left = np.clip(top, 0, h - H), np.clip(left, 0, w - W)
            return [[p[:, top // s:(top + H) // s, left // s:(left + W) // s]
                     for p, s in zip(q, (1, 2, 2))] for q in (planes, given)]
        out.add(name, 'fine', 'G', 'fine', make)


def slow(out):
    """Fine detail that moves by less than half a line a field, grows, or fades."""
    for k in range(14):
        name = f'slow_{k}'

        def make(name=name, k=k):
            r = rng(name)
            camera = Camera(pattern(r, PATTERNS[(3 * k + k // 8) % 8], H + 40, W + 40, 3), 3)
            vy = r.uniform(.05, .4) * r.choice([-1, 1])
            vx = r.choice([0, 0, r.uniform(-.4, .4)])
            grow = r.uniform(-.003, .003) if k % 4 == 2 else 0
            if k % 4 == 2:
                vy *= r.choice([0, .5])
            fade = r.uniform(-.02, .02) if k % 4 == 3 else 0
            if k % 8 == 3:
                vx = vy = 0
            frames = [camera.shot(H, W, 20 + vy * (t - COUNT / 2), 20 + vx * (t - COUNT / 2),
                                  np.exp(grow * (t - COUNT / 2)))
                      * (1 + fade * (t - COUNT / 2)) for t in range(COUNT)]
            planes = [base.to_bytes(p) for p in base.film(frames)]
            return planes, noisy(planes, r.uniform(.5, 2.5), r) if k % 3 == 1 else None
        out.add(name, 'slow', 'G', 'slow', make)


def border(out, cache, sources):
    """Strips of moving pictures with dark lines or half lines at their upper and lower edges."""
    for k, source in enumerate(sources[:8]):
        name = f'border_{source}'

        def make(name=name, k=k, source=source):
            r = rng(name)
            planes = ground(cache, r, source, 'pan' if k % 2 else 'real', 40)
            level, w = r.uniform(12, 40), planes[0].shape[2]
            above, below = (int(v) for v in r.choice([0, 1, 1, 2], 2))
            below += above + below == 0
            for plane, s, black in zip(planes, (1, 2, 2), (level, 128, 128)):
                cut = (r.integers(w // 4, w) if k % 3 == 0 else w) // s
                plane[:, :above // s, :cut] = black
                if below >= s:
                    plane[:, -(below // s):] = black
            planes = [base.to_bytes(p) for p in planes]
            return planes, noisy(planes, r.uniform(.5, 1.5), r) if k % 4 == 3 else None
        out.add(name, source, SOURCES[source][1], 'border', make)


def lines(out, cache, sources):
    """Still thin lines, boxes, and captions over moving pictures."""
    for k, source in enumerate(sources):
        name = f'lines_{source}'

        def make(name=name, k=k, source=source):
            r = rng(name)
            planes = ground(cache, r, source, 'pan' if k % 3 == 1 else 'real')
            count, h, w = planes[0].shape
            layers = []
            for _ in range(4):
                # Stripes: thickness 1 or 2, period 2 to 6, some upright.
                mask, thick = np.zeros((h, w)), int(r.integers(1, 3))
                period = int(r.integers(thick + 1, 7))
                top, left = (int(v) for v in r.uniform(0, .8, 2) * (h, w))
                part = mask[top:top + int(h * r.uniform(.1, .3)),
                            left:left + int(w * r.uniform(.15, .4))]
                for j in range(thick):
                    if r.random() < .85:
                        part[j::period] = 1
                    else:
                        part[:, j::period] = 1
                layers.append(mask)
            mask = np.zeros((h, w))
            for _ in range(6):
                y, left, thick = int(r.integers(0, h - 2)), r.integers(0, w - 60), r.integers(1, 3)
                mask[y:y + thick, left:left + int(r.integers(40, w))] = 1
            layers.append(mask)
            mask = np.zeros((h, w))
            for _ in range(2):
                top, left = int(r.integers(0, h // 2)), int(r.integers(0, w // 2))
                stroke(mask, top, left, r.uniform(-20, 60), r.uniform(60, 180), r.uniform(.8, 2))
                box = mask[top:top + int(r.integers(20, 90)), left:left + int(r.integers(30, 150))]
                box[0] = box[-1] = box[:, 0] = box[:, -1] = 1
            layers.append(mask)
            mask = np.zeros((h, w))
            size = int(r.integers(9, 20))
            page = sheet(r, w - 60, 2 * size, size, size + 1, True).max(2)
            mask[h - 40 - size:h - 40 + size, 30:w - 30] = np.clip((page - .4) * 3, 0, 1)
            layers.append(mask)
            for mask in layers:
                colour, solid = ink(r), r.choice([1, 1, r.uniform(.35, .8)])
                for t in range(count):
                    paint(planes, t, mask * solid, colour)
            planes = [base.to_bytes(p) for p in planes]
            return planes, noisy(planes, r.uniform(.5, 2), r) if k % 5 == 4 else None
        out.add(name, source, SOURCES[source][1], 'lines', make)


def rain(out, cache, sources):
    """Rain, snow, and confetti: short thin strokes that move fast, the first ten over moving
    pictures, the others over still ones."""
    for k, source in enumerate(sources):
        name = f'rain_{source}'

        def make(name=name, k=k, source=source):
            r = rng(name)
            planes = ground(cache, r, source, 'pan' if k % 2 else 'real')
            if k >= 10:
                planes = [np.repeat(p[:1], len(p), 0) for p in planes]
            count, h, w = planes[0].shape
            n = int(h * w / r.uniform(300, 1000))
            at = r.uniform(0, 1, (n, 2)) * (h + 60, w + 60) - 30
            colours = [ink(r, True) for _ in range(n)]
            style = 0 if k > 12 else k % 3
            if style == 0:      # rain
                fall, lean = r.uniform(8, 28, n), r.uniform(-.3, .3)
                speed, length = np.stack([fall, fall * lean], 1), r.uniform(6, 24, n)
                width, solid = r.uniform(.6, 1.5, n), r.uniform(.25, .7)
            elif style == 1:    # snow
                speed = np.stack([r.uniform(1.5, 7, n), r.normal(0, 1, n)], 1)
                length, width, solid = r.uniform(0, 1.5, n), r.uniform(1, 3, n), r.uniform(.5, .95)
            else:               # confetti
                speed = np.stack([r.uniform(3, 9, n), r.normal(0, 3, n)], 1)
                length, width, solid = r.uniform(3, 8, n), r.uniform(1.2, 3, n), 1.
            spin, phase = r.uniform(-.8, .8, n), r.uniform(0, 6, n)
            for t in range(count):
                masks = [np.zeros((h, w)) for _ in range(3)]
                for i in range(n):
                    y, x = (at[i] + speed[i] * t + 30) % (h + 60, w + 60) - 30
                    way = speed[i] / np.hypot(*speed[i]) if style == 0 else np.array(
                        [np.sin(phase[i] + spin[i] * t), np.cos(phase[i] + spin[i] * t)])
                    stroke(masks[i % 3], y, x, *(length[i] * way), width[i])
                for mask, colour in zip(masks, colours):
                    tint = colour[1:] if style == 2 else (None, None)
                    paint(planes, t, mask * solid, (colour[0], *tint))
            return planes, None
        out.add(name, source, SOURCES[source][1], 'rain', make)


def balls(out, cache, sources):
    """Small fast discs: in luma and chroma, or (kind colour) in chroma alone with bars and text."""
    for k, source in enumerate(sources):
        only = k % 2 == 1
        name = f'{"colour" if only else "balls"}_{source}'

        def make(name=name, k=k, source=source, only=only):
            r = rng(name)
            planes = ground(cache, r, source, 'pan' if k % 4 > 1 else 'real')
            count, h, w = planes[0].shape
            things = [(r.uniform(0, 1, 2) * (h, w), r.uniform(3, 12),
                       (r.uniform(-6, 6), r.uniform(8, 24) * r.choice([-1, 1])),
                       (None if only else r.uniform(16, 235), *r.uniform(50, 206, 2)))
                      for _ in range(8)]
            top, left = int(r.integers(0, h - 64)), r.uniform(4, 20)
            page = np.clip((sheet(r, 4 * w, 48, 16, 26, True).max(2) - .4) * 3, 0, 1)
            words, bar = (None, *r.uniform(50, 206, 2)), (None, *r.uniform(50, 206, 2))
            rise = r.uniform(-7, 7)
            for t in range(count):
                for start, radius, v, colour in things:
                    y, x = (start + np.multiply(v, t)) % (h, w)
                    paint(planes, t, disc(h, w, y, x, radius), colour)
                if only:
                    mask = np.zeros((h, w))
                    mask[top:top + 48] = page[:, int(left * t):int(left * t) + w]
                    paint(planes, t, mask, words)
                    y = np.mgrid[0:h, 0:w][0]
                    mask = np.clip(4.5 - abs((y - 40 - rise * t) % h - 8), 0, 1)
                    mask[:, :w // 3] = mask[:, w // 2:] = 0
                    paint(planes, t, mask, bar)
            return planes, None
        out.add(name, source, SOURCES[source][1], 'colour' if only else 'balls', make)


def spin(out):
    """Slowly turning spokes, stripes, and corners."""
    for k in range(12):
        name = f'spin_{k}'

        def make(name=name, k=k):
            r = rng(name)
            number = int(r.choice([8, 10, 16, 20, 28, 36, 44, 56, 64]))
            speed = np.radians(r.uniform(.08, 1.6)) * r.choice([-1, 1])
            width, middle, first = r.uniform(1.2, 4), r.uniform(-15, 15, 2), r.uniform(0, 3)
            period, shade = r.uniform(5, 30), r.uniform(0, .2)
            dark, light = r.uniform(0, .35, 3), r.uniform(.65, 1, 3)
            y, x = np.mgrid[0:2 * H, 0:2 * W] / 2 + .25 - [[[H / 2]], [[W / 2]]]
            y, x = y - middle[0], x - middle[1]
            d, turn = np.hypot(y, x) + 1e-6, np.arctan2(y, x)
            frames = []
            for t in range(COUNT):
                angle = first + speed * (t - COUNT / 2)
                if k < 6:       # spokes of equal width
                    part = 2 * np.pi / number
                    off = abs(((turn - angle) / part) % 1 - .5) * part * d
                    v = np.clip(width / 2 - off + .5, 0, 1) * (d < 130) * (d > 14)
                elif k < 8:     # sectors
                    v = np.clip(np.sin((turn - angle) * number / 2) * d * 2 / number + .5, 0, 1)
                    v = v * (d > number / 2) * (d < 140)
                elif k < 10:    # stripes
                    v = np.sin((np.sin(angle / 4) * x + np.cos(angle / 4) * y) * 6.28 / period)
                    v = np.clip(v * period / 6.28 + .5, 0, 1)
                else:           # a polygon
                    corner = (turn - angle) % (2 * np.pi / (k - 6)) - np.pi / (k - 6)
                    v = np.clip(90 - d * np.cos(corner) + .5, 0, 1)
                v = v.reshape(H, 2, W, 2).mean((1, 3))[..., None]
                grey = shade * np.sin(d[::2, ::2] / 17)[..., None]
                frames.append(dark + grey + (light - dark - grey) * v)
            return base.film(frames), None
        out.add(name, 'spin', 'G', 'spin', make)


def page(out):
    """Full pages of text that move by parts of a sample."""
    for k in range(12):
        name = f'page_{k}'

        def make(name=name, k=k):
            r = rng(name)
            small = int(r.integers(10, 24))
            camera = Camera(sheet(r, 2 * (W + 240), 2 * (H + 150), 2 * small, 2 * small + 9,
                                  k % 2 == 1), 2)
            speed = float(r.choice([.3, .6, 1.2, 2.3, 4, 6])) * r.uniform(.75, 1.25)
            v = [(speed, 0), (0, 1.5 * speed), (speed, r.uniform(-.3, .3))][k % 3]
            if r.random() < .5:
                v = (-v[0], -v[1])
            frames = [camera.shot(H, W, 75 + v[0] * (t - COUNT / 2), 120 + v[1] * (t - COUNT / 2))
                      for t in range(COUNT)]
            return base.film(frames), None
        out.add(name, 'page', 'G', 'page', make)


def light(out, cache, sources):
    """Strobes, short dissolves, and water."""
    for k, source in enumerate(sources[:5]):
        name = f'light_{source}'

        def make(name=name, k=k, source=source):
            r = rng(name)
            planes = ground(cache, r, source, 'pan' if k % 2 else 'real')
            count, h, w = planes[0].shape
            zeros = (16, 128, 128)
            if k < 2:       # strobe
                period, on, gain = int(r.integers(3, 7)), int(r.integers(1, 3)), r.uniform(.3, .6)
                gains = np.where(np.arange(count) % period < on, 1, gain)[:, None, None]
                return [z + gains * (p - z) for p, z in zip(planes, zeros)], None
            # A dissolve to another picture, to fine detail, or to a dark one, within a few fields.
            other = ([p[::-1, ::-1] for p in planes] if k == 2 else base.to_yuv(pattern(
                r, PATTERNS[k], h, w)))
            mix = np.clip((np.arange(count) - 6) / r.uniform(5, 12), 0, 1)[:, None, None]
            return [a * (1 - mix) + b * mix for a, b in zip(planes, other)], None
        out.add(name, source, SOURCES[source][1], 'light', make)
    for k in range(4):
        name = f'water_{k}'

        def make(name=name, k=k):
            r = rng(name)
            y, x = np.mgrid[0:H, 0:W].astype(np.float64)
            tint, sky = r.uniform(0, .5, 3), r.uniform(.6, 1, 3)
            waves = [(2 * np.pi / r.uniform(8, 70), r.uniform(-.5, .5), r.uniform(0, 6))
                     for _ in range(9)]
            frames = []
            for t in range(COUNT):
                slope = np.zeros((H, W))
                for number, turn, phase in waves:
                    # Waves of gravity: the speed grows with the length.
                    run = 1.1 * np.sqrt(number) * t
                    flat = 1.6 * number * (np.cos(turn) * y + np.sin(turn) * x)
                    slope += .35 * np.cos(flat + phase - run)
                glint = np.clip(slope * slope * slope * (1 + k), 0, 1)
                v = np.clip(.5 + .25 * slope, 0, 1)[..., None]
                frames.append(tint + (sky - tint) * (.6 * v + .4 * glint[..., None]))
            return base.film(frames), None
        out.add(name, 'water', 'G', 'light', make)


def write(out, cache):
    """All clips of this file; those over moving pictures need the clips of the sources."""
    sources = [s for s in SOURCES if os.path.exists(os.path.join(cache, f'pan_{s}_2.y.npy'))]
    fine(out)
    slow(out)
    border(out, cache, sources)
    lines(out, cache, sources)
    rain(out, cache, sources[::-1])
    balls(out, cache, sources)
    spin(out)
    page(out)
    light(out, cache, sources[1::3])
