#!/usr/bin/env python3
"""Prepares the training clips: progressive pictures at field rate, and interlaced input.

    python3 clips.py --clips DIR [--clips DIR ...] --cache CACHE [--only TEXT]

A clip in CACHE is a set of .npy files of unsigned bytes:
    NAME.y.npy, NAME.u.npy, NAME.v.npy     target: pictures [t, h, w] at field rate, chroma 4:2:0
    NAME.iy.npy, NAME.iu.npy, NAME.iv.npy  optional input: interlaced frames [t / 2, h, w], top
                                           field first; without them the input is the woven target
The clips of hard_clips.py are made last. CACHE/index.json lists the clips. `load` reads one clip.
Every random choice is seeded by the name of the clip, so a second run writes the same bytes.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

# name: (file, group, width, height, full range, first frames of three segments, frames)
# Group A: the licence is stated for the clip. Group B: only for the repository that holds it.
SOURCES = {
    'bee': ('bee_720.mp4', 'A', 1280, 720, False, (0, 45, 90), 121),
    'butterfly': ('butterfly_720.mp4', 'A', 1280, 720, False, (0, 45, 90), 122),
    'flower': ('flower_540.mp4', 'A', 960, 540, False, (0, 60, 115), 150),
    'brink': ('brink_360.mp4', 'A', 640, 360, False, (0, 0, 0), 20),
    'palms': ('palms_512.mp4', 'A', 512, 516, False, (0, 60, 115), 150),
    'bunny': ('bunny_1080p60.mp4', 'A', 1920, 1080, False, (0, 45, 90), 120),
    'board': ('board_4k60.mp4', 'B', 3840, 2160, True, (0, 0, 0), 18),
    'editlist': ('editlist_1080.mp4', 'B', 1920, 1080, False, (0, 28, 56), 86),
    'highway': ('highway_720.mp4', 'B', 1280, 720, False, (0, 6, 10), 38),
    'lanes': ('lanes_540.mp4', 'B', 960, 540, False, (0, 90, 180), 221),
    'karma': ('karma_480.mp4', 'B', 854, 480, True, (0, 70, 150), 180),
    'coffee': ('coffee_720.mp4', 'B', 1280, 720, False, (10, 120, 230), 287),
    'cups': ('sam2_02_cups.mp4', 'B', 1280, 720, False, (30, 150, 250), 300),
    'blocks': ('sam2_03_blocks.mp4', 'B', 1280, 720, False, (0, 100, 200), 292),
    'gomax': ('gp_max.mp4', 'B', 848, 480, True, (0, 100, 250), 315),
    'street': ('VID_1920x1080_cavlc_temporal_direct.264', 'B', 1920, 1080, True, (0, 0, 0), 32),
}
FRAMES = 28
PLANES = 'yuv'
CHROMA_ONLY = ('tall', 'colour')   # kinds of clips whose luma is not trained
FORMATS = {(2, 2): 'yuv420p', (1, 2): 'yuv422p', (1, 1): 'yuv444p'}


class Writer:
    """Writes clips and their index."""

    def __init__(self, cache, only):
        self.cache, self.only, self.index = cache, only, []
        os.makedirs(cache, exist_ok=True)

    def add(self, name, source, group, kind, make):
        """`make()` returns (target planes, input planes or None)."""
        entry = dict(name=name, source=source, group=group, kind=kind)
        meta = os.path.join(self.cache, name + '.json')
        if (self.only and self.only not in name) or (not self.only and os.path.exists(meta)):
            if os.path.exists(meta):
                self.index.append(json.load(open(meta)))
            return
        target, given = make()
        frames = min(len(target[0]), 2 * len(given[0]) if given else 1 << 30) // 2 * 2
        for plane, data in zip(PLANES, target):
            np.save(os.path.join(self.cache, f'{name}.{plane}.npy'), to_bytes(data[:frames]))
        if given:
            for plane, data in zip(PLANES, given):
                np.save(os.path.join(self.cache, f'{name}.i{plane}.npy'),
                        to_bytes(data[:frames // 2]))
        entry.update(frames=frames, height=int(target[0].shape[1]), width=int(target[0].shape[2]),
                     input=bool(given))
        json.dump(entry, open(meta, 'w'))
        self.index.append(entry)
        print(name, entry['group'], frames, entry['width'], entry['height'], flush=True)

    def close(self):
        json.dump(self.index, open(os.path.join(self.cache, 'index.json'), 'w'), indent=0)


def to_bytes(a):
    if a.dtype != np.uint8:
        a = np.clip(np.rint(a), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(a)


def weave(picture, bff=False):
    """Interlaced frames from pictures at field rate."""
    first = picture[0::2].copy()
    row = 0 if bff else 1
    first[:, row::2] = picture[1::2][:len(first), row::2]
    return first


def low_pass(picture):
    """Vertical [1 2 1] / 4 of each picture, as ffmpeg's `tinterlace=flags=vlpf` does."""
    a = picture.astype(np.uint16)
    up = np.concatenate([a[:, :1], a[:, :-1]], 1)
    down = np.concatenate([a[:, 1:], a[:, -1:]], 1)
    return ((up + 2 * a + down + 2) >> 2).astype(np.uint8)


def load(cache, name, low=False, bff=False):
    """Returns (input planes [t / 2, h, w], target planes [t, h, w]) of a clip.

    `low` low-passes the input; it has no effect on clips with an input of their own."""
    target = [np.load(os.path.join(cache, f'{name}.{p}.npy')) for p in PLANES]
    if os.path.exists(os.path.join(cache, f'{name}.iy.npy')):
        return [np.load(os.path.join(cache, f'{name}.i{p}.npy')) for p in PLANES], target
    return [weave(low_pass(p) if low else p, bff) for p in target], target


def rng(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


class Reader:
    """Decodes pieces of the source clips."""

    def __init__(self, folders):
        self.folders = folders

    def path(self, source):
        for folder in self.folders:
            path = os.path.join(folder, SOURCES[source][0])
            if os.path.exists(path):
                return path
        return None

    def grab(self, source, first, count, filters, width, height, chroma=(2, 2)):
        """Planes [t, h, w] of `count` frames from `first`, through the filters given; `chroma` is
        the subsampling in height and width."""
        chain = f'select=gte(n\\,{first})'
        if SOURCES[source][4]:
            chain += ',scale=in_range=full:out_range=tv'
        if filters:
            chain += ',' + filters
        raw = subprocess.run(
            ['ffmpeg', '-v', 'error', '-threads', '1', '-noautorotate', '-i', self.path(source),
             '-vf', chain + ',format=' + FORMATS[chroma], '-frames:v', str(count), '-vsync', '0',
             '-sws_flags', 'lanczos+accurate_rnd+bitexact', '-f', 'rawvideo', '-'],
            stdout=subprocess.PIPE, check=True).stdout
        h, w = height // chroma[0], width // chroma[1]
        luma, part = width * height, h * w
        size = luma + 2 * part
        data = np.frombuffer(raw, np.uint8)
        data = data[:len(data) // size * size].reshape(-1, size)
        assert len(data), (source, filters)
        return [data[:, :luma].reshape(-1, height, width),
                data[:, luma:luma + part].reshape(-1, h, w),
                data[:, luma + part:].reshape(-1, h, w)]


def natural(out, reader, source):
    """Real motion: scaled down, decimated without a filter, sharpened, cropped, turned."""
    _, group, w, h, _, segments, _ = SOURCES[source]
    ratio = w / h

    def even(v):
        return int(v) // 4 * 4

    small_h = {2160: 360, 1080: 360, 720: 360, 540: 270, 516: 258, 480: 240, 360: 180}[h]
    small_h = even(small_h)
    small_w = even(small_h * ratio + 2)
    step = {2160: 6, 1080: 3, 720: 3, 540: 2, 516: 2, 480: 2, 360: 1}[h]
    near_w, near_h = even(w / step), even(h / step)
    crop_w, crop_h = even(min(720, w)), even(min(576, h))

    def add(tag, segment, filters, width, height):
        out.add(f'nat_{source}_{tag}', source, group, 'natural', lambda: (
            reader.grab(source, segments[segment], FRAMES, filters, width, height), None))

    add('down', 0, f'scale={small_w}:{small_h}:flags=area', small_w, small_h)
    add('sharp', 1, 'scale=352:288:flags=lanczos,unsharp=5:5:0.8', 352, 288)
    if step > 1:
        add('near', 1, f'scale={near_w}:{near_h}:flags=neighbor', near_w, near_h)
    if h <= 1080:
        add('crop', 2, f'crop={crop_w}:{crop_h}:exact=1', crop_w, crop_h)
    square = min(w, h)
    side = even(min(480, h))
    add('turn', 2, f'crop={square}:{square},scale={side}:{side}:flags=bicubic,transpose', side,
        side)
    if h >= 720:
        add('pal', 0, 'scale=720:576:flags=lanczos', 720, 576)
        add('near2', 2, f'crop={even(w / 2)}:{even(h / 2)},' +
            f'scale={even(w / 4)}:{even(h / 4)}:flags=neighbor', even(w / 4), even(h / 4))


def tall(out, reader, source):
    """Chroma with as many rows as luma, 4:2:2 and 4:4:4; for the chroma network only."""
    _, group, w, h, _, segments, _ = SOURCES[source]
    up_w, up_h = (720, 576) if h >= 540 else (w // 4 * 4, h // 4 * 4)
    down_h = max(180, up_h // 2 // 4 * 4)
    down_w = int(down_h * w / h) // 4 * 4
    for tag, segment, filters, width, height, chroma in (
            # 4:2:0 made 4:2:2 by interpolation, as players and editors do, at full size.
            ('up422', 0, f'scale={up_w}:{up_h}:flags=lanczos', up_w, up_h, (1, 2)),
            ('up422b', 2, f'scale={up_w}:{up_h}:flags=bicubic', up_w, up_h, (1, 2)),
            # Chroma that has details in all of its rows: the picture scaled down.
            ('down422', 1, f'scale={down_w}:{down_h}:flags=area', down_w, down_h, (1, 2)),
            ('down444', 2, f'scale={down_w}:{down_h}:flags=lanczos', down_w, down_h, (1, 1))):
        out.add(f'tall_{source}_{tag}', source, group, 'tall', lambda f=filters, s=segment, a=width,
                b=height, c=chroma: (reader.grab(source, segments[s], FRAMES, f, a, b, c), None))


def affine(plane, shape, t, v, zoom, turn, step=1.0, wave=None, scale=1):
    """Samples a spline-filtered plane at the position of time t; `step` > 1 decimates."""
    h, w = shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float64)
    y -= h / 2
    x -= w / 2
    z = step * np.exp(zoom * t)
    c, s = np.cos(turn * t), np.sin(turn * t)
    yy = plane.shape[0] / 2 + v[1] * step * t / scale + z * (c * y + s * x)
    xx = plane.shape[1] / 2 + v[0] * step * t / scale + z * (-s * y + c * x)
    if wave is not None:
        a, length, speed = wave
        k = 2 * np.pi / length * scale
        yy = yy + a * step / scale * np.sin(k * x + 0.6 * k * y + speed * t)
        xx = xx + a * step / scale * np.sin(0.7 * k * y - k * 0.4 * x + 1.3 * speed * t)
    return ndimage.map_coordinates(plane, [yy, xx], order=3, prefilter=False, mode='mirror')


def splined(planes):
    return [ndimage.spline_filter(p.astype(np.float64), 3) for p in planes]


def still(reader, source, frame, filters, width, height):
    return [p[0] for p in reader.grab(source, frame, 1, filters, width, height)]


def velocity(r):
    """Mostly below one sample a field, sometimes up to six."""
    speed = r.choice([0.15, 0.35, 0.6, 1.0, 1.7, 3.0, 6.0],
                     p=[.12, .2, .22, .18, .14, .1, .04]) * r.uniform(.7, 1.3)
    angle = r.uniform(0, 2 * np.pi)
    return speed * np.cos(angle), speed * np.sin(angle)


def moving(out, reader, source):
    """Stills of a source moved by parts of a sample a field."""
    _, group, w, h, _, _, frames = SOURCES[source]
    count = 22

    def size(f):
        return int(w * f) // 4 * 4, int(h * f) // 4 * 4

    base = min(1.0, 720 / h)
    for k in range(3):
        name = f'pan_{source}_{k}'

        def make(name=name, k=k):
            r = rng(name)
            fw, fh = size(base * r.uniform(.55, .9))
            frame = int(frames * (.2 + .3 * k))
            sharp = ',unsharp=5:5:0.8' if k == 1 else ''
            planes = splined(still(reader, source, frame,
                                   f'scale={fw}:{fh}:flags=lanczos{sharp}', fw, fh))
            shape = (min(288, fh - 40) // 4 * 4, min(400, fw - 40) // 4 * 4)
            v = velocity(r)
            zoom = r.choice([0, 0, .002, -.004])
            turn = r.choice([0, 0, .0015, -.003])
            wave = (r.uniform(.7, 3), r.uniform(40, 120), r.uniform(.1, .4)) if k == 2 else None
            target = [np.array([affine(p, (shape[0] // s, shape[1] // s), t - count / 2, v, zoom,
                                       turn, 1, wave, s) for t in range(count)])
                      for p, s in zip(planes, (1, 2, 2))]
            return target, None
        out.add(name, source, group, 'pan', make)
    for k in range(2):
        name = f'jag_{source}_{k}'

        def make(name=name, k=k):
            r = rng(name)
            fw, fh = size(1 if h < 2160 else .5)
            planes = still(reader, source, int(frames * (.35 + .4 * k)),
                           f'scale={fw}:{fh}:flags=lanczos', fw, fh)
            planes = splined(planes)
            step = r.uniform(1.8, 2.6)
            shape = (int(fh / step - 20) // 4 * 4, min(400, int(fw / step) - 20) // 4 * 4)
            v = velocity(r)
            zoom = r.choice([0, 0, .0015, -.002])
            target = [np.array([affine(p, (shape[0] // s, shape[1] // s), t - count / 2, v, zoom,
                                       0, step, None, s) for t in range(count)])
                      for p, s in zip(planes, (1, 2, 2))]
            return target, None
        out.add(name, source, group, 'jagged', make)
    name = f'sprite_{source}'

    def make():
        """Pieces of one still move over another: covered and uncovered background."""
        r = rng(name)
        fw, fh = size(base * .7)
        layers = [splined(still(reader, source, int(frames * f),
                                f'scale={fw}:{fh}:flags=lanczos', fw, fh)) for f in (.1, .6)]
        shape = (min(288, fh - 40) // 4 * 4, min(400, fw - 40) // 4 * 4)
        back = velocity(r)
        objects = [(velocity(r), r.uniform(.2, .8, 2), r.uniform(.08, .25, 2), r.integers(2))
                   for _ in range(5)]
        target = [[], [], []]
        for t in range(count):
            tt = t - count / 2
            for i, s in enumerate((1, 2, 2)):
                hs, ws = shape[0] // s, shape[1] // s
                picture = affine(layers[0][i], (hs, ws), tt, back, 0, 0, 1, None, s)
                y, x = np.mgrid[0:hs, 0:ws] * float(s)
                for v, centre, extent, round_ in objects:
                    front = affine(layers[1][i], (hs, ws), tt, (-v[0], -v[1]), 0, 0, 1, None, s)
                    dx = (x - centre[0] * shape[1] - v[0] * tt)
                    dy = (y - centre[1] * shape[0] - v[1] * tt)
                    rx, ry = extent * shape[1]
                    if round_:
                        far = (1 - np.hypot(dx / rx, dy / ry)) * min(rx, ry)
                    else:
                        far = np.minimum(rx - abs(dx), ry - abs(dy))
                    alpha = np.clip(far / s + .5, 0, 1)
                    picture = picture * (1 - alpha) + front * alpha
                target[i].append(picture)
        return [np.array(p) for p in target], None
    out.add(name, source, group, 'sprite', make)


def to_yuv(rgb):
    """BT.601 limited range, 4:2:0 by means of four, from r, g, b in 0..1."""
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    y = .299 * r + .587 * g + .114 * b

    def half(c):
        return c.reshape(c.shape[0] // 2, 2, c.shape[1] // 2, 2).mean((1, 3))
    return (16 + 219 * y, 128 + 224 * half((b - y) / 1.772), 128 + 224 * half((r - y) / 1.402))


def film(frames):
    planes = [to_yuv(np.clip(f, 0, 1)) for f in frames]
    return [np.array([p[i] for p in planes]) for i in range(3)]


WORDS = ('the quick brown fox jumps over lazy dog lorem ipsum dolor sit amet CAMERA Edit Sound '
         '1984 Grip Best-Boy music by Anna K. Petrov LIVE 20:15 Breaking weather 12.5 -3% Wll MMWN '
         'iiill //// ==== ++++ Editor').split()


def font(r, size):
    fonts = sorted(glob.glob('/usr/share/fonts/truetype/dejavu/*.ttf'))
    if not fonts:
        return ImageFont.load_default(size)
    return ImageFont.truetype(fonts[r.integers(len(fonts))], size)


def colour(r, low, high):
    return tuple(int(v) for v in r.integers(low, high, 3))


def sheet(r, width, height, small, large, dark):
    """A page of text."""
    page = Image.new('RGB', (width, height), colour(r, 0, 90) if dark else colour(r, 150, 256))
    draw = ImageDraw.Draw(page)
    y = 0
    while y < height:
        size = int(r.integers(small, large))
        f = font(r, size)
        x = int(r.integers(0, 60))
        ink = (colour(r, 150, 256) if dark else colour(r, 0, 90)) if r.random() < .6 else (
            (255, 255, 255) if dark else (0, 0, 0))
        while x < width:
            word = WORDS[r.integers(len(WORDS))]
            draw.text((x, y), word, fill=ink, font=f)
            x += int(draw.textlength(word, font=f)) + size // 2
        y += int(size * 1.4)
    return np.asarray(page, np.float64) / 255


def badge(r):
    """A logo and its mask."""
    mark = Image.new('L', (140, 48), 0)
    draw = ImageDraw.Draw(mark)
    draw.rectangle((1, 1, 138, 46), outline=255, width=int(r.integers(1, 4)))
    draw.text((10, 8), WORDS[r.integers(len(WORDS))], fill=255, font=font(r, 26))
    draw.ellipse((96, 6, 130, 40), outline=255, width=2)
    return np.asarray(mark, np.float64) / 255


def fractal(r, h, w, slope):
    """A texture with the spectrum of natural pictures (slope 1) or finer (below 1)."""
    spectrum = np.fft.rfft2(r.standard_normal((h, w)))
    f = np.hypot(np.fft.fftfreq(h)[:, None], np.fft.rfftfreq(w)[None])
    f[0, 0] = 1
    a = np.fft.irfft2(spectrum / f ** slope, (h, w))
    return .5 + .16 * (a - a.mean()) / a.std()


def text(out):
    motions = [(0, .5), (0, 1), (0, 1.37), (0, -2), (0, 3), (.4, .25), (0, .8), (0, 5.2),
               (-1, 0), (-2.5, 0), (-4, 0), (-6.3, 0), (1.3, 0), (0, -.6),
               # Titles: large white letters on a dark page.
               (0, 1.2), (0, 2), (0, .7), (0, 3.3), (0, 1.8), (-3.1, 0), (-5, 0), (0, -1.5)]
    for k, v in enumerate(motions):
        name = f'text_{k}'

        def make(name=name, k=k, v=v):
            r = rng(name)
            h, w, count = 352, 480, 24
            over = k % 3 == 2
            if k >= 14:
                over = False
                page = sheet(r, 1500, 900, 26, 58, True) ** 1.6
                blur = 0
            else:
                page = sheet(r, 1500, 900, 11, 34 if k % 2 else 22, k % 4 != 3 or over)
                blur = [.0, .45, .7][k % 3]
            page = ndimage.gaussian_filter(page, (blur, blur, 0))
            page = [ndimage.spline_filter(page[..., i], 3) for i in range(3)]
            behind = [ndimage.spline_filter(fractal(r, 600, 800, 1.1), 3) for _ in range(3)]
            bv = velocity(r)
            frames = []
            for t in range(count):
                tt = t - count / 2
                f = np.stack([affine(p, (h, w), tt, v, 0, 0) for p in page], -1)
                if over:
                    b = np.stack([affine(p, (h, w), tt, bv, 0, 0) for p in behind], -1)
                    mask = np.clip((f.max(-1, keepdims=True) - .35) * 4, 0, 1)
                    f = b * (1 - mask) + f * mask
                if k % 2:
                    mark = badge(rng(name + 'mark'))
                    m = mark[..., None]
                    part = f[24:24 + 48, 300:440]
                    f[24:24 + 48, 300:440] = part * (1 - m) + np.array([.9, .8, .2]) * m
                frames.append(f)
            return film(frames), None
        out.add(name, 'text', 'G', 'text', make)


def patterns(out):
    """Zone plates, spokes, stripes, checks, dots: analytic functions of position and time."""
    h, w, count = 288, 400, 22

    def grid():
        y, x = np.mgrid[0:h, 0:w].astype(np.float64)
        return y - h / 2, x - w / 2

    def add(name, family, value, bright=False):
        def make():
            r = rng(name)
            tint = [r.uniform(.3, 1, 3), r.uniform(0, .5, 3)]
            if bright:
                tint = [r.uniform(.75, 1, 3), r.uniform(0, .15, 3)]
            frames = []
            for t in range(count):
                v = value(t - count / 2)[..., None]
                frames.append(tint[1] + (tint[0] - tint[1]) * v)
            return film(frames), None
        out.add(name, family, 'G', 'pattern', make)

    y, x = grid()
    zones = [(.6, .4, .45, 0, 1), (-1.3, .8, .33, .5, 1), (0, 1.7, .28, 0, 1),
             (.2, -.3, .4, .25, -1), (2.4, -.1, .5, 0, 1), (-.15, .12, .48, 0, 1.8)]
    for k, (vx, vy, top, phase, aspect) in enumerate(zones):
        add(f'zone_{k}', 'zone', lambda t, a=(vx, vy, top, phase, aspect): .5 + .45 * np.cos(
            np.pi * a[2] / (w / 2) * ((x - a[0] * t) ** 2 + a[4] * (y - a[1] * t) ** 2) + a[3] * t))
    r = rng('zones')
    for k in range(6, 18):
        # Off centre, higher contrast, drifting phase; some hyperbolic.
        a = (r.uniform(-2.5, 2.5), r.uniform(-1.2, 1.2), r.uniform(.2, .42),
             r.choice([0, 0, 1]) * r.uniform(-.6, .6), r.choice([1, 1, .6, -1]),
             r.uniform(-150, 150), r.uniform(-100, 100))
        add(f'zone_{k}', 'zone', lambda t, a=a: .5 + .45 * np.cos(
            np.pi * a[2] / (w * .6) * ((x - a[5] - a[0] * t) ** 2
                                       + a[4] * (y - a[6] - a[1] * t) ** 2) + a[3] * t), True)
    spokes = [(36, .02, 0, 0), (60, -.011, .3, .1), (90, .006, 0, 0), (24, .06, -.5, .4),
              (120, .004, 0, -.3), (48, -.035, 0, 0)]
    for k, (number, speed, vx, vy) in enumerate(spokes):
        def star(t, a=(number, speed, vx, vy), hard=k % 2):
            angle = np.arctan2(y - a[3] * t - 7, x - a[2] * t + 11) * a[0] - a[1] * a[0] * t
            # The spokes fade where they are finer than two samples.
            radius = np.hypot(y - a[3] * t - 7, x - a[2] * t + 11)
            seen = np.clip(radius * 2 * np.pi / a[0] / 2 - 1, 0, 1)
            s = np.sin(angle)
            if hard:
                s = np.clip(s * np.maximum(radius / a[0] * 3, 1), -1, 1)
            return .5 + .45 * seen * s
        add(f'spokes_{k}', 'spokes', star)
    # Thin wheel spokes: lines of constant width turning about a hub, with an edge of one sample.
    wheels = [(24, .03, 1.2), (40, -.017, .8), (32, .008, 1.0), (20, .08, 1.6), (56, .012, .7)]
    for k, (number, speed, width) in enumerate(wheels):
        def wheel(t, a=(number, speed, width)):
            radius = np.hypot(y, x) + 1e-6
            angle = np.arctan2(y, x) - a[1] * t
            part = 2 * np.pi / a[0]
            off = np.abs((angle / part) % 1 - .5) * part * radius
            line = np.clip(a[2] - off + .5, 0, 1) * (radius < 135)
            rim = np.clip(3 - np.abs(radius - 130) + .5, 0, 1)
            return .12 + .8 * np.maximum(line, rim)
        add(f'wheel_{k}', 'spokes', wheel)
    stripes = [(.11, .31, .4, 'sine'), (.02, .42, .25, 'sine'), (.22, .17, .7, 'square'),
               (.05, .25, 1.1, 'square'), (.3, .05, 2.0, 'sine'), (.01, .46, .13, 'square'),
               (.03, .2, .5, 'dots'), (.12, .14, .9, 'dots'), (.07, .11, 1.7, 'check'),
               (.16, .21, .35, 'check')]
    for k, (fx, fy, speed, shape) in enumerate(stripes):
        def stripe(t, a=(fx, fy, speed, shape)):
            px = 2 * np.pi * (a[0] * x + a[1] * y - a[2] * a[1] * t)
            py = 2 * np.pi * (a[1] * x - a[0] * y - .6 * a[2] * a[0] * t)
            edge = 1 / (2 * np.pi * np.hypot(a[0], a[1]) * .7)
            if a[3] == 'sine':
                return .5 + .42 * np.sin(px)
            if a[3] == 'square':
                return .5 + .42 * np.clip(np.sin(px) * edge, -1, 1)
            if a[3] == 'dots':
                return .2 + .7 * np.clip((np.cos(px) + np.cos(py) - .9) * 1.2, 0, 1)
            return .5 + .42 * np.clip(np.sin(px) * np.sin(py) * edge * 1.5, -1, 1)
        add(f'stripe_{k}', 'stripes', stripe)


def textures(out):
    """Fractal textures: pans, turns, zooms, warps, pieces over one another, fades."""
    count, shape = 22, (288, 400)
    for k in range(12):
        name = f'texture_{k}'

        def make(name=name, k=k):
            r = rng(name)
            slope = [1.3, 1.0, .8, 1.1][k % 4]
            planes = [ndimage.spline_filter(p, 3) for p in
                      (np.clip(16 + 219 * fractal(r, 420, 540, slope), 0, 255),
                       np.clip(128 + 200 * (fractal(r, 210, 270, slope) - .5), 0, 255),
                       np.clip(128 + 200 * (fractal(r, 210, 270, slope) - .5), 0, 255))]
            v = velocity(r)
            zoom = [0, 0, .004, -.006][k % 4]
            turn = [0, .004, 0, -.008, .02][k % 5]
            wave = (r.uniform(.7, 4), r.uniform(30, 120), r.uniform(.1, .5)) if k % 3 == 2 else None
            gain = np.linspace(1, .15, count) if k in (3, 8) else np.ones(count)
            target = []
            for i, (p, s) in enumerate(zip(planes, (1, 2, 2))):
                zero = 16 if i == 0 else 128
                target.append(np.array([zero + gain[t] * (affine(
                    p, (shape[0] // s, shape[1] // s), t - count / 2, v, zoom, turn, 1, wave, s)
                    - zero) for t in range(count)]))
            return target, None
        out.add(name, 'texture', 'G', 'texture', make)


def read(cache, name):
    return [np.load(os.path.join(cache, f'{name}.{p}.npy')) for p in PLANES]


def derived(out, cache):
    """Fades, flashes, logos, noise: made from clips that are there."""
    def exists(name):
        return os.path.exists(os.path.join(cache, name + '.y.npy'))

    jobs = [('fade', 'bee'), ('fade', 'karma'), ('fade', 'bunny'), ('flash', 'butterfly'),
            ('flash', 'cups'), ('dissolve', 'flower'), ('dissolve', 'street'), ('logo', 'palms'),
            ('logo', 'gomax'), ('logo', 'bunny'), ('logo', 'lanes'), ('noise', 'flower'),
            ('noise', 'bunny'), ('noise', 'cups'), ('noise', 'blocks'), ('noise', 'palms'),
            ('noise', 'highway')]
    for number, (kind, source) in enumerate(jobs):
        base, other = f'nat_{source}_down', f'nat_{source}_turn'
        if not exists(base):
            continue
        name = f'{kind}_{source}'

        def make(kind=kind, base=base, other=other, name=name, number=number):
            r = rng(name)
            planes = [p.astype(np.float64) for p in read(cache, base)]
            count = len(planes[0])
            zeros = (16, 128, 128)
            if kind == 'fade':
                gain = np.clip(np.linspace(1.15, -.05, count), 0, 1)[:, None, None]
                return [z + gain * (p - z) for p, z in zip(planes, zeros)], None
            if kind == 'flash':
                gain = 1 + .5 * (r.random(count) < .25)[:, None, None]
                return [z + gain * (p - z) for p, z in zip(planes, zeros)], None
            if kind == 'dissolve':
                second = [p[::-1, :, ::-1] for p in planes]
                mix = np.clip(np.linspace(-.1, 1.1, count), 0, 1)[:, None, None]
                return [a * (1 - mix) + b * mix for a, b in zip(planes, second)], None
            if kind == 'logo':
                mark = badge(r)
                rgb = np.ones((48, 140, 3)) * r.uniform(.3, 1, 3)
                ink = to_yuv(rgb)
                small = mark.reshape(24, 2, 70, 2).mean((1, 3))
                for p, i, m, s in zip(planes, ink, (mark, small, small), (1, 2, 2)):
                    y0, x0 = 20 // s, 30 // s
                    part = p[:, y0:y0 + 48 // s, x0:x0 + 140 // s]
                    part[:] = part * (1 - m) + i * m
                return planes, None
            sigma = [2, 3, 4, 6, 8, 5][number % 6]
            noisy = [to_bytes(p + r.standard_normal(p.shape) * sigma * (1 if i == 0 else .7))
                     for i, p in enumerate(planes)]
            return planes, [weave(p) for p in noisy]
        out.add(name, source, SOURCES[source][1], kind, make)


CODECS = {
    'mpeg2': ['-c:v', 'mpeg2video', '-b:v', '6M', '-maxrate', '8M', '-bufsize', '1835k', '-g', '12',
              '-bf', '2', '-flags', '+ilme+ildct', '-top', '1', '-f', 'mpegts'],
    'dv': ['-c:v', 'dvvideo', '-flags', '+ilme+ildct', '-f', 'dv'],
    'x264': ['-c:v', 'libx264', '-crf', '21', '-preset', 'medium', '-threads', '1', '-flags',
             '+ilme+ildct', '-x264-params', 'tff=1', '-f', 'mpegts'],
}


def code(codec, woven, width, height):
    """Codes interlaced frames and decodes them."""
    count = len(woven[0])
    raw = b''.join(p[t].tobytes() for t in range(count) for p in woven)
    stream = subprocess.run(
        ['ffmpeg', '-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s',
         f'{width}x{height}', '-r', '25', '-i', '-', '-vf', 'setfield=tff'] + CODECS[codec] + ['-'],
        input=raw, stdout=subprocess.PIPE, check=True).stdout
    back = subprocess.run(
        ['ffmpeg', '-v', 'error', '-threads', '1', '-i', '-', '-vsync', '0', '-pix_fmt', 'yuv420p',
         '-f', 'rawvideo', '-'], input=stream, stdout=subprocess.PIPE, check=True).stdout
    size = width * height * 3 // 2
    data = np.frombuffer(back, np.uint8)
    assert len(data) == size * count, (codec, len(data), size * count)
    data = data.reshape(count, size)
    luma, quarter = width * height, width * height // 4
    return [data[:, :luma].reshape(-1, height, width),
            data[:, luma:luma + quarter].reshape(-1, height // 2, width // 2),
            data[:, luma + quarter:].reshape(-1, height // 2, width // 2)]


def coded(out, cache):
    for number, source in enumerate(SOURCES):
        base = f'nat_{source}_pal'
        if not os.path.exists(os.path.join(cache, base + '.y.npy')):
            continue
        # Three codecs for the sources of even number, one for the others.
        for codec in (list(CODECS) if number % 2 == 0 else [list(CODECS)[number % 3]]):
            def make(codec=codec, base=base):
                target = [p[:len(p) // 2 * 2] for p in read(cache, base)]
                return target, code(codec, [weave(p) for p in target], 720, 576)
            out.add(f'{codec}_{source}', source, SOURCES[source][1], 'coded', make)


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--clips', action='append', required=True, help='folder of source clips')
    ap.add_argument('--cache', required=True)
    ap.add_argument('--only', help='make (again) only clips whose name contains this text')
    o = ap.parse_args()
    out, reader = Writer(o.cache, o.only), Reader(o.clips)
    present = [s for s in SOURCES if reader.path(s)]
    for s in SOURCES:
        if s not in present:
            print('missing:', s, SOURCES[s][0])
    for s in present:
        natural(out, reader, s)
        tall(out, reader, s)
    coded(out, o.cache)
    derived(out, o.cache)
    for s in present:
        moving(out, reader, s)
    text(out)
    patterns(out)
    textures(out)
    hard_clips.write(out, o.cache)
    out.close()


if __name__ == '__main__':
    # hard_clips imports this file.
    sys.modules['clips'] = sys.modules['__main__']
    import hard_clips
    main()
