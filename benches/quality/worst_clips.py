"""Clips on which deinterlacers fail: the classes of worst.py, one function a class.

Each function takes a `Material`, which has the random numbers of the class and the real pictures,
and yields cases: a picture for each field of the clip, as the ground truth. Pictures are lists of
planes, 4:2:0, in code values of 8 bits, not rounded.
"""
import glob, itertools, os, subprocess, zlib
from dataclasses import dataclass
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from y4m import Clip

WIDTH, HEIGHT, FIELDS = 480, 256, 20
# Text and patterns that move are drawn with this many samples a sample of the picture, each way.
SCALE = 2
WORDS = ('Minimum of 12 illustrations: villages, mills and hills; E=FH//TL, 0123456789, WMWNVA, '
         'the quality of filtered film, till it is full. Jigsaw (1987) "Lilliput" - see p.14.').split()


@dataclass
class Case:
    name: str
    truth: list
    source: list = None        # pictures whose lines are the input, if they are not the truth
    coder: str = None          # a coder of deinterlace.py, which codes the input
    parity: str = 'tff'
    detected: bool = False     # the field order is detected, not given
    scored: object = None      # the fields that count; none: all but four at both ends
    depth: int = 8
    measures: tuple = ()       # edges, fine: other measures than the PSNR of the picture


class Material:
    def __init__(self, name, seed, corpus, real):
        self.random = np.random.default_rng([seed, zlib.crc32(name.encode())])
        self.seed, self.real = seed, sorted(glob.glob(os.path.join(real or '/nowhere', '*.m[kop][v4]')))
        self.corpus = sorted(glob.glob(os.path.join(corpus or '/nowhere', 'open', 'gt_*_420.y4m')))

    def clips(self, count=None, width=WIDTH, height=HEIGHT, fields=FIELDS):
        """Parts of ground truth clips of the corpus, as (name, pictures); `count` of them by chance."""
        paths = self.corpus
        if count:
            paths = [paths[i] for i in self.random.permutation(len(paths))[:count]]
        for path in paths:
            frames = Clip(open(path, 'rb').read()).frames
            h, w = min(frames[0][0].shape[0], height), min(frames[0][0].shape[1], width)
            place = lambda free: 4 * int(self.random.integers(0, free // 4 + 1))
            top, left, first = place(frames[0][0].shape[0] - h), place(frames[0][0].shape[1] - w), place(len(frames) - fields)
            cut = lambda p, by: p[top // by:(top + h) // by, left // by:(left + w) // by].astype(np.float32)
            yield os.path.basename(path)[3:-8], [[cut(p, by) for p, by in zip(f, (1, 2, 2))] for f in frames[first:first + fields]]

    def between(self, low, high):
        return float(self.random.uniform(low, high))


def grey(luma):
    neutral = np.full((luma.shape[0] // 2, luma.shape[1] // 2), 128, np.float32)
    return [np.asarray(luma, np.float32), neutral, neutral]


def half(mask):
    """A mask at the size of the chroma."""
    return mask.reshape(mask.shape[0] // 2, 2, mask.shape[1] // 2, 2).mean(axis=(1, 3))


def painted(picture, mask, colour):
    """The picture with `colour`, a value a plane or none for planes that stay, where the mask is 1."""
    masks = (mask, half(mask), half(mask))
    return [p if value is None else p * (1 - m) + value * m for p, m, value in zip(picture, masks, colour)]


def grid(shape):
    return np.mgrid[0:shape[0], 0:shape[1]].astype(np.float32)


def disc(shape, x, y, radius):
    rows, columns = grid(shape)
    return np.clip(radius + .5 - np.hypot(columns - x, rows - y), 0, 1)


def moved(layer, x, y, width=WIDTH, height=HEIGHT, zoom=1.0):
    """The part at (x, y), in samples of the picture, of a layer that is drawn with SCALE."""
    size = (width * SCALE, height * SCALE)
    part = layer.transform(size, Image.AFFINE, (zoom, 0, x * SCALE, 0, zoom, y * SCALE), Image.BILINEAR)
    return np.asarray(part, np.float32).reshape(height, SCALE, width, SCALE).mean(axis=(1, 3))


def layer(samples):
    """A layer for `moved` of a picture that has its size already drawn with SCALE."""
    return Image.fromarray(np.asarray(samples, np.float32))


def page(width, height, size, random, ink=25, paper=230):
    """Text of a size in samples that fills a picture, as a layer of one sample a sample."""
    sheet = Image.new('L', (width, height), paper)
    draw, font, y = ImageDraw.Draw(sheet), ImageFont.load_default(size), 1
    while y < height:
        line = ' '.join(random.choice(WORDS, 8 + 2 * width // size // 4))
        draw.text((-int(random.integers(0, 60)), y), line, ink, font)
        y += round(size * 1.3)
    return sheet.convert('F')


def fractal(shape, cell, random, octaves=5):
    """Smooth noise of mean 0 and standard deviation 1 with cells of `cell` samples and smaller ones."""
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        size = max(1, cell >> octave)
        coarse = random.standard_normal((shape[0] // size + 3, shape[1] // size + 3)).astype(np.float32)
        fine = Image.fromarray(coarse).resize((coarse.shape[1] * size, coarse.shape[0] * size), Image.BICUBIC)
        total += np.asarray(fine)[size:size + shape[0], size:size + shape[1]] / 2 ** octave
    return total / total.std()


def patterns(width, height, random, size=1):
    """Patterns that fill the picture with fine detail; `size` is that of a sample of the picture."""
    rows, columns = grid((height, width)) / size
    course, length, joint = int(random.integers(10, 18)), int(random.integers(30, 50)), 2
    wall = rows // course
    inside = columns + wall % 2 * (length // 2)
    shade = random.uniform(85, 115, (256, 256))[wall.astype(int) % 256, (inside // length).astype(int) % 256]
    yield 'bricks', np.where((rows % course < joint) | (inside % length < joint), 185, shade)
    sky = np.full(rows.shape, 20.0)
    sky[random.random(rows.shape) < .003 / size ** 2] = 220
    yield 'stars', sky
    period = int(random.integers(5, 9))
    yield 'blinds', np.where((rows + columns // 200) % period < period / 2, 200, 55)
    a, b = random.uniform(.9, 1.4, 2)
    yield 'halftone', np.where(np.sin(a * columns) + np.sin(b * rows) > .3, 225, 30)
    staff = np.where((rows % 46 < 30) & (rows % 6 < 1), 25, 235)
    notes = (np.hypot((columns + 7 * (rows // 46)) % 31 - 12, (rows + 3 * (columns // 31)) % 23 - 9) < 3.5)
    yield 'music', np.where(notes, 25, staff)
    yield 'cloth', 120 + 40 * np.sin(2.1 * rows + 3 * np.sin(.02 * columns)) + 30 * np.sin(1.7 * columns)
    yield 'mesh', np.where((rows % 3 < 1) ^ (columns % 4 < 1), 190, 70)


# Still pictures

def frozen(m):
    """Pages and patterns that never change. Every deinterlacer can be exact."""
    for width, height, detected in ((720, 576, True), (720, 480, False), (1920, 1080, True)):
        sheets = [(f'text of {size}{", white" * white}', page(width, height, size, m.random, *((230, 25) if white else ())))
                  for size in (12, 16, 20, 28) for white in (0, 1)]
        for name, picture in [*sheets, *patterns(width, height, m.random)][::1 if width == 720 else 3]:
            yield Case(f'{name}, {width}x{height}', [grey(np.asarray(picture))] * 12, detected=detected)


def detail(m, names):
    """Still pictures of fine detail, by name."""
    sheets = [('page', page(WIDTH, HEIGHT, 14, m.random)), *patterns(WIDTH, HEIGHT, m.random)]
    return [(name, grey(np.asarray(picture))) for name, picture in sheets if name in names]


def still_detail(m):
    return detail(m, ('page', 'blinds', 'cloth')) + [(f'still {name}', frames[0]) for name, frames in m.clips(1)]


def noisy(picture, sigma, m):
    return [p + m.random.normal(0, sigma, p.shape) for p in picture]


def noise(m):
    """Still fine detail with noise of a camera."""
    for name, picture in still_detail(m):
        for sigma in (1, 2, 3):
            source = [noisy(picture, sigma, m) for _ in range(FIELDS)]
            yield Case(f'{name}, sigma {sigma}', [picture] * FIELDS, source, measures=('fine',))


def coded(m):
    """Still fine detail with the noise of coders."""
    large = lambda p, by: np.pad(p, ((0, 576 // by - p.shape[0]), (0, 720 // by - p.shape[1])), 'reflect')
    for name, picture in still_detail(m):
        picture = [large(p, by) for p, by in zip(picture, (1, 2, 2))]
        for coder in ('MPEG-2', 'DV', 'H.264 MBAFF'):
            source = [noisy(picture, 1.5, m) for _ in range(16)]
            yield Case(f'{name}, {coder}', [picture] * 16, source, coder, measures=('fine',))


def slow(m):
    """Pans of less than a line a field, zooms and fades over fine detail."""
    drawn = {name: layer(p) for name, p in patterns(SCALE * (WIDTH + 40), SCALE * (HEIGHT + 40), m.random, SCALE) if name in ('blinds', 'bricks', 'cloth')}
    drawn['page'] = page(SCALE * (WIDTH + 40), SCALE * (HEIGHT + 40), SCALE * 16, m.random)
    for name, sheet in drawn.items():
        for x, y in ((0, m.between(.05, .15)), (0, m.between(.2, .5)), (m.between(.1, .4), 0), (m.between(.1, .3), m.between(.1, .3))):
            yield Case(f'{name} ({x:.2f}, {y:.2f})', [grey(moved(sheet, 5 + x * t, 5 + y * t)) for t in range(FIELDS)], measures=('fine',))
        zoom = m.between(.0003, .001)
        yield Case(f'{name}, zoom of {100 * zoom:.2f} % a field', [grey(moved(sheet, 5, 5, zoom=1 - zoom * t)) for t in range(FIELDS)], measures=('fine',))
        still, gain = moved(sheet, 5, 5), m.between(.01, .03)
        yield Case(f'{name}, fade of {100 * gain:.1f} % a field', [grey(16 + (still - 16) * (1 - gain * t)) for t in range(FIELDS)], measures=('fine',))


# Text and graphics

def text(m):
    """Pages that pan and roll."""
    for size in (12, 16, 24):
        for white in (0, 1):
            sheet = page(SCALE * (WIDTH + 300), SCALE * (HEIGHT + 120), SCALE * size, m.random, *((230, 25) if white else ()))
            for x, y in ((m.between(.5, 2), 0), (m.between(2, 5), 0), (m.between(5, 12), m.between(.1, .4)), (0, m.between(.3, 1.5)), (0, m.between(2, 5)), (0, 1), (0, 2)):
                yield Case(f'text of {size}{", white" * white} ({x:.2f}, {y:.2f})', [grey(moved(sheet, 8 + x * t, 8 + y * t)) for t in range(FIELDS)])


def sign(text, size, shape, x, y):
    """Mask of a line of text; (x, y) in samples."""
    mask = Image.new('F', (shape[1] * SCALE, shape[0] * SCALE))
    ImageDraw.Draw(mask).text((round(x * SCALE), round(y * SCALE)), text, 1.0, ImageFont.load_default(size * SCALE))
    return np.asarray(mask).reshape(shape[0], SCALE, shape[1], SCALE).mean(axis=(1, 3))


def ticker(pictures, m, colour=(235, 128, 128), bar=(40, 150, 110), speed=None):
    """The pictures with a crawl in a bar at the bottom."""
    shape, speed = pictures[0][0].shape, speed or m.between(2, 6)
    line, size = ' '.join(m.random.choice(WORDS, 40)), int(m.random.integers(12, 20))
    mask = np.zeros(shape, np.float32)
    mask[shape[0] - 2 * size:-8] = 1
    for t, picture in enumerate(pictures):
        yield painted(painted(picture, mask, bar), sign(line, size, shape, 10 - speed * t, shape[0] - 1.9 * size), colour)


def logos(m):
    """Semi-transparent logos with fine lines, and crawls, over motion."""
    for name, pictures in m.clips(3):
        shape = pictures[0][0].shape
        rows, columns = grid(shape)
        ring = np.hypot(columns - shape[1] + 60, (rows - 45) * 1.2)
        mark = np.where((ring < 32) & (rows % 3 < 1) | (np.abs(ring - 34) < 1), 1, sign('DN4', 22, shape, shape[1] - 160, 30))
        yield Case(f'logo over {name}', [painted(p, .4 * mark, (235, 128, 128)) for p in pictures])
        yield Case(f'ticker under {name}', list(ticker(pictures, m)))


def graphics_over_film(m):
    """A crawl of 50 fields a second over film of 25 frames a second."""
    for name, pictures in m.clips(3):
        for shift in (0, 1):
            film = [pictures[(t + shift) // 2] for t in range(FIELDS)]
            yield Case(f'crawl over film of {name}{", shifted" * shift}', list(ticker(film, m)))


def coloured_text(m):
    """Coloured text on a background of equal luma."""
    for name, x, y in (('still', 0, 0), ('slow', 0, m.between(.2, .6)), ('crawl', m.between(2, 6), 0), ('roll', 0, m.between(1.5, 4))):
        sheet = page(SCALE * (WIDTH + 150), SCALE * (HEIGHT + 100), SCALE * 18, m.random, 1, 0)
        colours = [(110, *m.random.integers(60, 200, 2)) for _ in range(2)]
        background = painted(grey(np.zeros((HEIGHT, WIDTH))), np.ones((HEIGHT, WIDTH)), colours[0])
        yield Case(f'{name} ({x:.2f}, {y:.2f})', [painted(background, moved(sheet, 8 + x * t, 8 + y * t), colours[1]) for t in range(FIELDS)])


# Lines

def edges(m):
    """A black first half line, as PAL has, and a dark last line."""
    for name, pictures in m.clips():
        for picture in pictures:
            picture[0][0, :picture[0].shape[1] // 2] = 16
            picture[0][-1] = 16
        yield Case(name, pictures, measures=('edges',))


def thin_lines(m):
    """Thin still lines over motion."""
    for name, pictures in m.clips():
        h, w = pictures[0][0].shape
        step, phase = int(m.random.integers(3, 6)), int(m.random.integers(0, 3))
        for picture in pictures:
            picture[0][h // 5 + phase:h // 2:step, w // 8:w // 3] = 230
            picture[0][h // 2 + phase:4 * h // 5:step, w // 2:5 * w // 6] = 30
            picture[0][20 + phase] = 200
        yield Case(f'lines over {name}', pictures)


def rain(m):
    """Streaks of rain over motion."""
    for name, pictures in m.clips():
        h, w = pictures[0][0].shape
        count = h * w // 800
        start, length, speed, slant = m.random.random((count, 2)) * (h, w), m.random.uniform(8, 22, count), m.random.uniform(14, 26, count), m.between(-.2, .2)
        along = np.arange(0, 22, .5)[:, None]
        frames = []
        for t, picture in enumerate(pictures):
            y, x = (start[:, 0] + speed * t) % h + along, (start[:, 1] + slant * speed * t) % w + slant * along
            drops = np.zeros((h + 1, w + 1), np.float32)
            inside = (along < length) & (y < h) & (x < w) & (x >= 0)
            y, x = y[inside], x[inside]
            for dy in (0, 1):
                for dx in (0, 1):
                    weight = np.abs(1 - dy - y % 1) * np.abs(1 - dx - x % 1)
                    np.add.at(drops, (y.astype(int) + dy, x.astype(int) + dx), .5 * weight)
            frames.append([picture[0] + 65 * np.minimum(drops[:h, :w], 1.2), *picture[1:]])
        yield Case(f'rain over {name}', frames)


def spokes(m):
    """Wheels whose spokes are shallow on both sides."""
    rows, columns = (grid((3 * HEIGHT, 3 * WIDTH)) + .5) / 3 - np.array([[[HEIGHT / 2]], [[WIDTH / 2]]])
    radius, angle = np.hypot(rows, columns), np.arctan2(rows, columns)
    for count, speed in ((24, m.between(.3, .8)), (48, m.between(.2, .5)), (12, m.between(.8, 1.5)), (36, m.between(3, 6))):
        frames = []
        for t in range(FIELDS):
            near = np.abs(np.sin((angle + np.radians(speed * t)) * count / 2)) * radius / count * 2
            wheel = np.where((radius < 15) | (radius > 122), 90, np.where(near < 1.5, 225, 65 + 20 * np.sin(radius / 20)))
            frames.append(grey(wheel.reshape(HEIGHT, 3, WIDTH, 3).mean(axis=(1, 3))))
        yield Case(f'{count} spokes, {speed:.2f} degrees a field', frames)


# Motion

def balls(m):
    """Balls that keep the luma that they cover: only the chroma shows them."""
    for name, pictures in m.clips():
        shape = h, w = pictures[0][0].shape
        thrown = [(m.between(0, w), m.between(0, h), m.between(8, 24) * m.random.choice((-1, 1)), m.between(-6, 6), m.between(5, 10), *m.random.integers(60, 200, 2)) for _ in range(8)]
        for x, y, vx, vy, radius, u, v in thrown:
            pictures = [painted(p, disc(shape, (x + vx * t) % w, (y + vy * t) % h, radius), (None, u, v)) for t, p in enumerate(pictures)]
        yield Case(f'balls over {name}', pictures)


def fast_objects(m):
    """A small fast object before a still background."""
    still = {'plain': np.full((HEIGHT, WIDTH), 110.0), 'soft': 110 + 30 * fractal((HEIGHT, WIDTH), 64, m.random, 2), 'fine': 110 + 25 * fractal((HEIGHT, WIDTH), 8, m.random)}
    rows, columns = grid((HEIGHT, WIDTH))
    for kind, background in still.items():
        for shape, radius in (('ball', m.between(3, 5)), ('ball', m.between(8, 14)), ('bar', 4)):
            x, y, vx, vy, value = m.between(20, 90), m.between(60, 180), m.between(12, 22), m.between(-5, 5), m.between(180, 235)
            at = lambda t: disc((HEIGHT, WIDTH), (x + vx * t) % WIDTH, (y + vy * t) % HEIGHT, radius) if shape == 'ball' else (np.abs(columns - (x + vx * t) % WIDTH) < 4) * np.clip(30 - np.abs(rows - (y + vy * t) % HEIGHT), 0, 1)
            yield Case(f'{shape} of {2 * radius:.0f} before {kind}', [painted(grey(background), at(t), (value, 90, 170)) for t in range(FIELDS)])


def clothes(m):
    """Fine stripes on a body that moves and waves."""
    rows, columns = grid((HEIGHT * 2, WIDTH * 2)) / 2
    background = 100 + 25 * fractal(rows.shape, 80, m.random)
    for period, angle in ((3.3, 0), (4.7, .15), (6.2, m.between(.3, .8)), (m.between(3, 7), m.between(-.4, .4))):
        vx, vy, frames = m.between(-1.5, 1.5), m.between(-.8, .8), []
        for t in range(FIELDS):
            y = rows - 130 - vy * t + 3 * np.sin(columns / 40 + t / 5)
            x = columns - 240 - vx * t + 4 * np.sin(rows / 30 + t / 7)
            stripes = 130 + 60 * np.tanh(2 * np.sin((y * np.cos(angle) + x * np.sin(angle)) * 2 * np.pi / period))
            body = np.clip(2 - 2 * np.hypot(x / 150, y / 105), 0, 1) > .02
            frames.append(grey(np.where(body, stripes, background).reshape(HEIGHT, 2, WIDTH, 2).mean(axis=(1, 3))))
        yield Case(f'stripes of {period:.1f} at {angle:.2f}', frames)


def aliased(m):
    """Plain stripes and nets that pan, of periods that alias in a field."""
    rows, columns = grid((HEIGHT * 4, WIDTH)) + .5
    for period in (2.4, 3.1, 3.9, m.between(2.2, 5)):
        for x, y in ((m.between(-.3, .3), m.between(.3, 2.5)), (0, m.between(.1, .4))):
            wave = lambda t: 125 + 80 * np.sin(2 * np.pi / period * (rows / 4 + y * t + x * columns))
            yield Case(f'stripes of {period:.1f} (slope {x:.2f}, {y:.2f})', [grey(wave(t).reshape(HEIGHT, 4, WIDTH).mean(axis=1)) for t in range(FIELDS)])


def water(m):
    """Waves with glints."""
    rows, columns = grid((HEIGHT, WIDTH))
    for name, count, fine in (('swell', 14, .12), ('ripple', 30, .5), ('glints', 30, .9)):
        waves = [(m.between(.02, fine) * m.random.choice((-1, 1)), m.between(.05, 1.5 * fine), m.between(0, 6), m.between(.1, .9)) for _ in range(count)]
        height = lambda t: sum(np.sin(kx * columns + ky * rows * (1 + 40 / (rows + 60)) + phase + rate * t) for kx, ky, phase, rate in waves) / np.sqrt(count)
        light = (lambda v: 60 + 170 * (v > 1.1)) if name == 'glints' else (lambda v: 110 + 45 * v)
        yield Case(name, [painted(grey(light(height(t))), np.ones((HEIGHT, WIDTH)), (None, 140, 115)) for t in range(FIELDS)])


def particles(m):
    """Confetti, snow and sparks over motion."""
    for kind, (name, pictures) in zip(('confetti', 'snow', 'sparks'), m.clips(3)):
        shape = h, w = pictures[0][0].shape
        rows, columns = grid(shape)
        frames, count = [[p.copy() for p in picture] for picture in pictures], 120
        for _ in range(count):
            x, y, size = m.between(0, w), m.between(0, h), m.between(1.5, 3.5)
            vx, vy, turn, life = m.between(-3, 3), m.between(2, 7), m.between(.2, .9), m.between(0, 20)
            colour = (m.between(40, 235), *m.random.integers(70, 190, 2)) if kind == 'confetti' else (225, 128, 128)
            for t, picture in enumerate(frames):
                if kind == 'sparks' and not life <= t < life + 3:
                    continue
                cx, cy = (x + vx * t) % w, (y + vy * t + (2 * np.sin(turn * t) if kind == 'snow' else 0)) % h
                left, top = int(max(0, cx - 8)) & ~1, int(max(0, cy - 8)) & ~1
                box = [np.s_[top // by:(top + 16) // by, left // by:(left + 16) // by] for by in (1, 2, 2)]
                tall = size * (abs(np.cos(turn * t)) if kind == 'confetti' else 1)
                mask = np.clip(1.5 - np.maximum(np.abs(columns[box[0]] - cx) - size, np.abs(rows[box[0]] - cy) - tall), 0, 1)
                for plane, part, value in zip(picture, box, painted([p[b] for p, b in zip(picture, box)], mask, colour)):
                    plane[part] = value
        yield Case(f'{kind} over {name}', frames)


def fence(m):
    """Motion behind a still fence, and a fence that pans over motion."""
    for name, pictures in m.clips(2):
        rows, columns = grid(pictures[0][0].shape)
        for speed in (0, m.between(1, 5)):
            wire = lambda t: np.clip(1.2 - np.minimum(np.abs((columns + rows + speed * t) % 14 - 7), np.abs((columns - rows + speed * t) % 14 - 7)), 0, 1)
            yield Case(f'{"moving" if speed else "still"} fence over {name}', [painted(p, wire(t), (190, 128, 128)) for t, p in enumerate(pictures)])


def wires(m):
    """Thin shallow lines that move over a soft background: masts, wires, strings."""
    rows, columns = grid((HEIGHT, WIDTH))
    background = 130 + 20 * fractal((HEIGHT, WIDTH), 80, m.random, 3)
    for thick in (.5, 1.0, 2.0):
        lines = [(m.between(-.4, .4), m.between(0, HEIGHT), m.between(-3, 3), m.random.choice((30, 230))) for _ in range(14)]
        frames = []
        for t in range(FIELDS):
            picture = grey(background)
            for slope, y, speed, value in lines:
                picture = painted(picture, np.clip(thick / 2 + .5 - np.abs(rows - y - speed * t - slope * (columns - 240)), 0, min(1, thick)), (value, None, None))
            frames.append(picture)
        yield Case(f'wires of {thick} lines', frames)


def shake(m):
    """A camera that shakes up and down over fine detail."""
    drawn = {name: layer(p) for name, p in patterns(SCALE * (WIDTH + 40), SCALE * (HEIGHT + 40), m.random, SCALE) if name in ('bricks', 'halftone')}
    drawn['texture'] = layer(120 + 35 * fractal((SCALE * (HEIGHT + 40), SCALE * (WIDTH + 40)), 32, m.random, 6))
    for name, sheet in drawn.items():
        path = np.clip(15 + np.cumsum(m.random.normal(0, 1.2, (FIELDS, 2)), axis=0), 0, 30)
        yield Case(name, [grey(moved(sheet, 5 + x, 5 + y)) for x, y in path])


def shadows(m):
    """The edge of a shadow passes over still fine detail."""
    columns = grid((HEIGHT, WIDTH))[1] + .3 * grid((HEIGHT, WIDTH))[0]
    for name, picture in detail(m, ('page', 'blinds', 'bricks')):
        for soft, speed in ((8, m.between(2, 4)), (2, m.between(6, 12))):
            light = lambda t: .775 + .225 * np.tanh((columns - 60 - speed * t) / soft)
            yield Case(f'shadow of {soft} over {name}', [grey(16 + (picture[0] - 16) * light(t)) for t in range(FIELDS)])


def over_detail(m):
    """Objects, one of them like the pointer of a mouse, before still fine detail."""
    for name, picture in detail(m, ('page', 'blinds', 'bricks', 'cloth')):
        for radius, vx, vy in ((m.between(8, 40), m.between(3, 16), m.between(-4, 4)), (4, m.between(-9, 9), m.between(-6, 6))):
            ball = lambda t: disc((HEIGHT, WIDTH), 150 + vx * t, 128 + vy * t, radius)
            yield Case(f'disc of {2 * radius:.0f} before {name}', [painted(picture, ball(t), (70, 90, 150)) for t in range(FIELDS)])


def screens(m):
    """Pages that scroll below a head that does not move, and games with large square pixels."""
    head = np.repeat(np.arange(HEIGHT) < 60, WIDTH).reshape(HEIGHT, WIDTH)
    still, long = moved(page(1000, 600, 28, m.random), 5, 5), page(SCALE * (WIDTH + 20), SCALE * (HEIGHT + 240), SCALE * 14, m.random)
    for speed in (1, 3, m.between(4, 11)):
        yield Case(f'scrolled page ({speed:.2f})', [grey(np.where(head, still, moved(long, 5, 5 + speed * t))) for t in range(FIELDS)])
    tiles = m.random.integers(0, 8, (220, 300)) * 30 + 16
    for size in (2, 3, 5):
        world = np.kron(tiles, np.ones((size, size)))
        for x, y in ((1, 0), (3, 2), (0, 4)):
            yield Case(f'pixels of {size} ({x}, {y})', [grey(world[y * t:y * t + HEIGHT, x * t:x * t + WIDTH]) for t in range(FIELDS)])


def filtered(m):
    """Moving text with a vertical low-pass, as cameras deliver it."""
    low = lambda p: (np.roll(p, 1, 0) + 2 * p + np.roll(p, -1, 0)) / 4
    for size in (14, 20):
        sheet = page(SCALE * (WIDTH + 300), SCALE * (HEIGHT + 120), SCALE * size, m.random)
        for x, y in ((m.between(1, 4), 0), (0, m.between(.4, 1.5)), (m.between(5, 9), m.between(.1, .5)), (0, m.between(2, 5))):
            yield Case(f'text of {size} ({x:.2f}, {y:.2f})', [grey(low(moved(sheet, 8 + x * t, 8 + y * t))) for t in range(FIELDS)])


def bars(m):
    """Level bars and shallow steps that move up."""
    rows, columns = grid((HEIGHT * 4, WIDTH)) + .5
    for slope, speeds in ((0, (.25, .5, m.between(.8, 2), m.between(3, 6))), (.08, (1, m.between(2, 4)))):
        for speed in speeds:
            wave = lambda t: np.where((rows / 4 + slope * columns + speed * t) % 27 < 6, 210, 65).reshape(HEIGHT, 4, WIDTH).mean(axis=1)
            yield Case(f'bars of slope {slope}, {speed:.2f} lines a field', [grey(wave(t)) for t in range(FIELDS)])


def panels(m):
    """Pictures on a wall of lamps, and with dark lines as of a tube."""
    for name, pictures in m.clips(2):
        rows, columns = grid(pictures[0][0].shape)
        for kind, mask in (('lamps', (rows % 3 < 2) & (columns % 3 < 2)), ('lines', .6 + .4 * (rows % 2 < 1))):
            yield Case(f'{kind} of {name}', [[16 + (p[0] - 16) * mask, *p[1:]] for p in pictures])


def turning(m):
    """Pages and textures that turn and zoom."""
    texture = 120 + 30 * fractal((SCALE * 500, SCALE * 700), 24, m.random, 6)
    for name, sheet in (('page', page(SCALE * 700, SCALE * 500, SCALE * 18, m.random)), ('texture', layer(texture))):
        for turn in (m.between(.1, .4), m.between(1, 2)):
            yield Case(f'{name} turns by {turn:.2f} degrees a field', [grey(moved(sheet.rotate(turn * t, Image.BILINEAR), 110, 120)) for t in range(FIELDS)])
        zoom = m.between(.005, .02)
        yield Case(f'{name} zooms by {100 * zoom:.1f} % a field', [grey(moved(sheet, 50 + 240 * zoom * t, 50 + 128 * zoom * t, zoom=1 - zoom * t)) for t in range(FIELDS)])


def reflections(m):
    """Two transparent pictures that move apart, as on glass."""
    a, b = (layer(64 + 20 * fractal((SCALE * 400, SCALE * 700), cell, m.random)) for cell in (32, 16))
    for ax, ay, bx, by in ((2, .5, -3, 1), (0, 0, m.between(3, 6), 1.3), (.3, .2, 0, m.between(1, 3))):
        yield Case(f'({ax}, {ay}) and ({bx:.1f}, {by:.1f})', [grey(moved(a, 90 + ax * t, 20 + ay * t) + moved(b, 90 + bx * t, 20 + by * t)) for t in range(FIELDS)])


def coloured_tiles(m):
    """Tiles of many colours that pan, and coloured light that blinks."""
    colours, (rows, columns) = m.random.integers(40, 216, (3, 12)), grid((HEIGHT, WIDTH))
    for x, y in ((m.between(4, 7), 0), (0, m.between(.8, 2)), (m.between(2, 4), m.between(1, 3))):
        tile = lambda t: ((columns + x * t) // 24 + 2 * ((rows + y * t) // 18)).astype(int) % 12
        yield Case(f'tiles ({x:.2f}, {y:.2f})', [[colours[0][tile(t)], half(colours[1][tile(t)]), half(colours[2][tile(t)])] for t in range(FIELDS)])
    for name, pictures in m.clips(1):
        lit = [t % 5 in (1, 2) for t in range(FIELDS)]
        yield Case(f'coloured light on {name}', [painted(p, .5 * on * np.ones(p[0].shape), (None, 90, 180)) for on, p in zip(lit, pictures)])


# Light

def strobe(m):
    """Flashes of one field and of two."""
    for name, pictures in m.clips(3):
        for length in (1, 2):
            lit = {t + k for t in (5, 9, 12) for k in range(length)}
            frames = [[16 + (p[0] - 16) * .4 + 130, p[1], p[2]] if t in lit else p for t, p in enumerate(pictures)]
            yield Case(f'flashes of {length} over {name}', frames)


def lamps(m):
    """Light that flickers with the mains, and a camera whose exposure changes."""
    for name, pictures in m.clips(2):
        for depth, rate in ((.03, np.pi), (.06, 2.1)):
            yield Case(f'light of {name} +-{100 * depth:.0f} %', [[16 + (p[0] - 16) * (1 + depth * np.cos(rate * t)), *p[1:]] for t, p in enumerate(pictures)])


def dissolves(m):
    """A clip dissolves into another in 8 fields or in 20."""
    clips = list(m.clips(2, 352, 256))
    for (first, one), (second, two) in zip(clips, clips[1:]):
        for title, one, length in ((first, one, 8), (first, one, 20), (f'still {first}', one[:1] * FIELDS, 8), (f'still {first}', one[:1] * FIELDS, 20)):
            share = [min(1, max(0, (t - 10) / length + .5)) for t in range(FIELDS)]
            yield Case(f'{title} to {second} in {length}', [[x * (1 - s) + y * s for x, y in zip(p, q)] for p, q, s in zip(one, two, share)])


def weak(m):
    """Weak contrast: soft diagonal lines that move, a faint flash, dark noise-free shapes."""
    rows, columns = grid((HEIGHT, WIDTH))
    yield Case('diagonals of 5', [grey(100 + 2.5 * np.sin((rows + columns + 2 * t) / 3)) for t in range(FIELDS)])
    yield Case('shallow lines of 5', [grey(60 + 2.5 * np.sin((4 * rows + columns + 5 * t) / 6)) for t in range(FIELDS)])
    background = 100 + 20 * fractal((HEIGHT, WIDTH), 40, m.random, 3)
    yield Case('flash of 3 in one field', [grey(background + 3 * (t == 9)) for t in range(FIELDS)])
    yield Case('texture of 4', [grey(moved(layer(40 + 2 * fractal((SCALE * (HEIGHT + 60), SCALE * (WIDTH + 60)), 16, np.random.default_rng(m.seed))), 5 + 1.7 * t, 5 + .8 * t)) for t in range(FIELDS)])


# Cuts and ends

def cuts(m):
    """Cuts between clips and between pages, on both fields of a frame; the three fields on each side count."""
    pages = [('pages', [grey(np.asarray(page(352, 256, 16, m.random)))] * FIELDS) for _ in range(2)]
    clips = list(m.clips(4, 352, 256))
    for (first, a), (second, b) in [pages, *zip(clips[::2], clips[1::2]), *zip(clips[:1], pages)]:
        for at in (10, 11):
            for parity in ('tff', 'bff'):
                yield Case(f'{first} to {second} at {at}, {parity}', a[:at] + b[at:], parity=parity, scored=range(at - 3, at + 3))


def ends(m):
    """The first and the last two fields of a clip."""
    for name, pictures in m.clips(3):
        yield Case(name, pictures, scored=(0, 1, FIELDS - 2, FIELDS - 1))


# Depth and real pictures

def deep(m):
    """Some of the above with 10 bits. Pictures of the corpus keep their values of 8 bits."""
    for kind in (text, balls, fast_objects, spokes, slow, weak):
        first = int(m.random.integers(0, 3))
        for case in itertools.islice(kind(m), first, first + 2):
            yield Case(f'{kind.__name__}: {case.name}', case.truth, depth=10)


def real(m):
    """Footage of 50 or 60 progressive pictures a second, halved."""
    for path in m.real:
        scale = "scale='trunc(iw/4)*2':'trunc(ih/8)*4':flags=area,format=yuv420p"
        command = ['ffmpeg', '-v', 'error', '-noautorotate', '-ss', '0.5', '-i', path, '-frames:v', '32', '-vf', scale, '-f', 'yuv4mpegpipe', '-strict', '-1', '-']
        frames = Clip(subprocess.run(command, check=True, capture_output=True).stdout).frames
        yield Case(os.path.basename(path), frames[:len(frames) & ~1], measures=('fine',))


CLASSES = [
    frozen, noise, coded, slow, shadows, over_detail, text, filtered, screens, turning, logos, graphics_over_film,
    coloured_text, edges, thin_lines, rain, spokes, bars, aliased, wires, fence, panels, balls, fast_objects, coloured_tiles,
    clothes, water, particles, shake, reflections, strobe, lamps, dissolves, weak, cuts, ends, deep, real,
]
