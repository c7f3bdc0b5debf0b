#!/usr/bin/env python3
"""Draws crops of generated scenes, deinterlaced: pictures.py BINARY FOLDER [SCENE...]

Generates scenes at the field rate, interlaces them (top field first) and deinterlaces them by
ffmpeg's bwdif and by each deinterlacer of BINARY. FOLDER receives a picture of each scene: crops of
the ground truth and of each result, side by side, enlarged twice. Prints Markdown tables: PSNR of
the luma without four fields at both ends, ripple and flicker. Needs numpy, Pillow and ffmpeg. The
scenes are the same in each run with one version of Pillow, whose built-in font they use.
"""
import os, sys
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from deinterlace import SKIP, outputs, psnr, squared

WIDTH, HEIGHT, FIELDS = 256, 192, 36
# Scenes are drawn with this many samples in each direction for each sample of the picture.
SCALE = 4
CROP, ENLARGED, GAP = (120, 90), 2, 4
ERROR_GAIN = 12
# The field of the crops: one of the second parity, far from both ends.
SHOWN = 19


def noise(width, height, cell, octaves, generator):
    """Fractal noise from 0 to 1; `cell` is the size of its coarsest cells."""
    total = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        size = max(1, cell >> octave)
        grid = generator.random((height // size + 2, width // size + 2), np.float32)
        layer = Image.fromarray(grid).resize((grid.shape[1] * size, grid.shape[0] * size), Image.BICUBIC)
        total += np.asarray(layer)[:height, :width] / 2 ** octave
    return (total - total.min()) / (total.max() - total.min())


def image(samples):
    return Image.fromarray(np.clip(samples + .5, 0, 255).astype(np.uint8))


def moved(layer, x, y, size=(WIDTH * SCALE, HEIGHT * SCALE)):
    """The part of `layer` whose top left corner is (x, y), in samples of the picture."""
    return layer.transform(size, Image.AFFINE, (1, 0, x * SCALE, 0, 1, y * SCALE), Image.BICUBIC)


def write(draw, x, y, text, size, value, **options):
    """Draws text; place and size are in samples of the picture."""
    draw.text((x * SCALE, y * SCALE), text, value, ImageFont.load_default(size * SCALE), **options)


def reduced(drawn):
    """The picture: the mean of the drawn samples of each sample."""
    samples = np.asarray(drawn, np.float32).reshape(HEIGHT, SCALE, WIDTH, SCALE).mean(axis=(1, 3))
    return np.clip(samples + .5, 0, 255).astype(np.uint8)


def text(generator):
    """A roll of four sizes and a crawl over a background that pans."""
    background = image(40 + 90 * noise(400 * SCALE, 260 * SCALE, 64 * SCALE, 5, generator))
    roll = Image.new('L', (WIDTH * SCALE, 460 * SCALE))
    draw, y, lines = ImageDraw.Draw(roll), 0, ['Directed by', 'Wilhelmina Marks', 'Light and sound', 'Zoe Kettering', 'Assistants', 'E. Hill, M. Firth']
    for i in range(24):
        size = (9, 20, 12, 28)[i % 4]
        write(draw, 14, y, lines[i % 6], size, 255)
        write(draw, 176, y, lines[(i + 2) % 6], 8, 220)
        y += size * 1.3
    crawl = Image.new('L', (640 * SCALE, 26 * SCALE), 20)
    write(ImageDraw.Draw(crawl), 8, 3, 'Local news: the river fell by 12 cm. Weather: dry, 18 to 23 degrees. Traffic: no delays on all lines.', 16, 235)
    for t in range(FIELDS):
        drawn = moved(background, 4 + 1.3 * t, 20 + .35 * t)
        drawn.paste(245, mask=moved(roll, 0, 30 + 1.4 * t))
        drawn.paste(moved(crawl, 10 + 3.3 * t, 0, (WIDTH * SCALE, 26 * SCALE)), (0, 162 * SCALE))
        yield reduced(drawn)


def wheel(generator):
    """A wheel with 40 spokes that rotates by 1.1 degrees a field, and a zoom of 0.3 % a field."""
    size = 280 * SCALE
    drawn = image(70 + 60 * noise(size, size, 48 * SCALE, 4, generator))
    draw, middle = ImageDraw.Draw(drawn), size / 2
    ring = lambda radius, width, value: draw.ellipse([middle - radius * SCALE, middle - radius * SCALE, middle + radius * SCALE, middle + radius * SCALE], outline=value, width=round(width * SCALE))
    for i in range(40):
        angle = 2 * np.pi * i / 40
        end = lambda radius: (middle + radius * SCALE * np.cos(angle), middle + radius * SCALE * np.sin(angle))
        draw.line([end(12), end(78)], fill=235, width=round(1.3 * SCALE))
        draw.line([end(84), end(90)], fill=20, width=3 * SCALE)
    ring(12, 5, 225)
    ring(84, 6, 215)
    ring(90, 1.5, 30)
    for t in range(FIELDS):
        angle, zoom = np.radians(1.1 * t), 1.003 ** -t
        c, s, x, y = zoom * np.cos(angle), zoom * np.sin(angle), WIDTH * SCALE / 2, HEIGHT * SCALE / 2
        yield reduced(drawn.transform((WIDTH * SCALE, HEIGHT * SCALE), Image.AFFINE, (c, s, middle - c * x - s * y, -s, c, middle + s * x - c * y), Image.BICUBIC))


def texture(generator, growth=.04):
    """Foliage and a roof that pan by fractions of a sample, and a sign that crosses them.

    The slats of the roof are 3 lines apart at its top and farther by `growth` with each line.
    """
    width, height = 330 * SCALE, 230 * SCALE
    shade, fine = noise(width, height, 32 * SCALE, 4, generator), noise(width, height, 8 * SCALE, 4, generator)
    y, x = np.mgrid[:height, :width].astype(np.float32) / SCALE
    foliage = np.where(fine > .56, 165, np.where(fine > .47, 95, 40)) + 70 * (shade - .5)
    # The slats have a slope; joints cross them.
    depth = y + .13 * x - 85
    phase = np.log(np.maximum(3 + growth * depth, 1)) / growth if growth else depth / 3.4
    slats = np.where(phase % 1 < .33, 60, 170) - np.where((x - .3 * y) % 17 < 1.2, 50, 0) + 50 * (shade - .5)
    ground = image(np.where(y > 125 - .25 * x + 24 * (shade - .5), slats, foliage))
    sign = Image.new('L', (64 * SCALE, 44 * SCALE), 225)
    draw = ImageDraw.Draw(sign)
    draw.rectangle([2 * SCALE, 2 * SCALE, 62 * SCALE, 42 * SCALE], outline=30, width=2 * SCALE)
    write(draw, 9, 5, 'EXIT', 18, 25)
    write(draw, 9, 27, 'platform 4', 9, 25)
    for t in range(FIELDS):
        drawn = moved(ground, 20 + .37 * t, 12 + .21 * t)
        drawn.paste(sign, (round((20 + 3.25 * t) * SCALE), round((70 + .5 * t) * SCALE)))
        yield reduced(drawn)


def slats(generator):
    """The scene `texture` with slats 3.4 lines apart: each field has fewer lines than they need."""
    return texture(generator, 0)


def surfaces(_):
    """Shaded balls, a fold and bands whose contrast is 3 to 12 code values, moving slowly."""
    y, x = (axis.astype(np.float32) / SCALE for axis in np.ogrid[:HEIGHT * SCALE, :WIDTH * SCALE])
    for t in range(FIELDS):
        drawn = 96 + 40 * x / WIDTH + 24 * np.sin(y / 60)
        # Nearly horizontal bands, a slow tilt in front of them.
        drawn += 8 * ((y - .06 * x - .45 * t) % 23 < 9)
        drawn += np.where(y > 118 + 14 * np.sin((x + .9 * t) / 31) - .3 * t, 12 - .04 * y, 0)
        for i, (across, down, radius, value) in enumerate([(70, 62, 38, 8), (160, 84, 52, -9), (214, 40, 24, 6)]):
            dx, dy = x - across - .43 * t * (i - 1), y - down - .35 * t
            inside = 1 - (dx * dx + dy * dy) / radius ** 2
            drawn += np.where(inside > 0, value + .35 * radius * (np.sqrt(np.maximum(inside, 0)) - .3) * (.6 - dy / radius), 0)
        yield reduced(drawn)


def caption(generator):
    """A caption that does not move over a background of 8.6 samples a field."""
    width = (WIDTH + 9 * FIELDS + 20) * SCALE
    rough = noise(width, 250 * SCALE, 40 * SCALE, 6, generator)
    background = image(60 + 130 * rough + 45 * (rough > .5))
    draw = ImageDraw.Draw(background)
    for x in range(0, width // SCALE, 37):
        draw.rectangle([x * SCALE, 30 * SCALE, (x + 3) * SCALE, 180 * SCALE], fill=25)
    mask, words = (Image.new('L', (WIDTH * SCALE, HEIGHT * SCALE)) for _ in range(2))
    for y, line, size in ((96, 'Anna Lindqvist', 24), (124, 'reports from the harbour', 13), (142, 'recorded this morning', 9)):
        write(ImageDraw.Draw(mask), 24, y, line, size, 255, stroke_width=SCALE)
        write(ImageDraw.Draw(words), 24, y, line, size, 255)
    for t in range(FIELDS):
        drawn = moved(background, 5 + 8.6 * t, 10 + .7 * t)
        drawn.paste(16, mask=mask)
        drawn.paste(240, mask=words)
        yield reduced(drawn)


# Name, generator of the fields, top left corner of the crop, and whether contrast is low: such crops
# are stretched to all code values, and their errors are drawn below.
SCENES = [
    ('text', text, (12, 98), False),
    ('wheel', wheel, (68, 8), False),
    ('texture', texture, (60, 50), False),
    ('slats', slats, (60, 50), False),
    ('surfaces', surfaces, (20, 50), True),
    ('caption', caption, (20, 80), False),
]


def interlaced(fields):
    """The fields as a y4m stream of frames, top field first."""
    data = ['YUV4MPEG2 W{} H{} F25:1 It A1:1 Cmono\n'.format(WIDTH, HEIGHT).encode()]
    for top, bottom in zip(fields[::2], fields[1::2]):
        frame = bottom.copy()
        frame[::2] = top[::2]
        data += [b'FRAME\n', frame.tobytes()]
    return b''.join(data)


def ripple(truth, frames):
    """Mean difference of the error of a line from that of the lines above and below, halved."""
    errors = np.array(frames[SKIP:-SKIP], np.float32) - truth[SKIP:-SKIP]
    return np.abs(errors[:, 1:-1] - (errors[:, :-2] + errors[:, 2:]) / 2).mean() / 2


def flicker(truth, frames):
    """Mean change between fields where three fields of the truth change by at most 1."""
    change = np.abs(np.diff(np.array(truth, np.int16), axis=0))
    still = (np.maximum(change[:-1], change[1:]) <= 1)[SKIP:-SKIP]
    return np.abs(np.diff(np.array(frames, np.int16), axis=0))[:-1][SKIP:-SKIP][still].mean() if still.mean() > .05 else None


def save(path, frames, corner, low_contrast):
    """Writes the crops of the field SHOWN, side by side."""
    crops = [frame[corner[1]:corner[1] + CROP[1], corner[0]:corner[0] + CROP[0]].astype(np.float32) for frame in frames]
    rows = [crops]
    if low_contrast:
        low, high = crops[0].min(), crops[0].max()
        rows = [[(crop - low) * 255 / (high - low) for crop in crops], [128 + ERROR_GAIN * (crop - crops[0]) for crop in crops]]
    enlarged = lambda crop: np.clip(crop + .5, 0, 255).astype(np.uint8).repeat(ENLARGED, axis=0).repeat(ENLARGED, axis=1)
    border = lambda crop: np.pad(enlarged(crop), ((GAP, 0), (GAP, 0)), constant_values=255)
    picture = np.vstack([np.hstack([border(crop) for crop in row]) for row in rows])
    Image.fromarray(picture[GAP:, GAP:]).save(path, optimize=True)


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= {scene[0] for scene in SCENES}:
        raise SystemExit(__doc__)
    binary, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    tables = {'PSNR': [], 'Ripple': [], 'Flicker': []}
    for seed, (name, scene, corner, low_contrast) in enumerate(SCENES):
        if name not in (sys.argv[3:] or name):
            continue
        truth = list(scene(np.random.Generator(np.random.PCG64(seed))))
        results = {key: [frame[0] for frame in frames] for key, frames in outputs(binary, interlaced(truth), 'tff')}
        save(os.path.join(folder, name + '.png'), [truth[SHOWN]] + [frames[SHOWN] for frames in results.values()], corner, low_contrast)
        pairs = lambda frames: list(zip(truth, frames))[SKIP:-SKIP]
        tables['PSNR'].append((name, None, [psnr(np.mean([squared(a, b) for a, b in pairs(frames)])) for frames in results.values()]))
        tables['Ripple'].append((name, None, [ripple(truth, frames) for frames in results.values()]))
        tables['Flicker'].append((name, flicker(truth, truth), [flicker(truth, frames) for frames in results.values()]))
    for title, rows in tables.items():
        columns = ['ground truth'] * (title == 'Flicker') + list(results)
        print('\n{}\n\n| scene | {} |\n| --- |{}'.format(title, ' | '.join(columns), ' ---: |' * len(columns)))
        digits = '{:.2f}' if title == 'PSNR' else '{:.3f}'
        for name, own, values in rows:
            if values[0] is not None:
                print('| {} | {} |'.format(name, ' | '.join(digits.format(v) for v in ([own] if own is not None else []) + values)))


if __name__ == '__main__':
    main()
