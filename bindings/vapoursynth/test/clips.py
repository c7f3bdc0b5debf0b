"""Small generated clips, as frames of the host and as y4m."""

import array
import ctypes
import math
import random

import vapoursynth as vs

SIZE = (96, 64)
LETTERS = {vs.YUV420P8: "420mpeg2", vs.YUV420P10: "420p10", vs.YUV422P8: "422", vs.YUV422P10: "422p10",
           vs.YUV444P8: "444", vs.YUV411P8: "411", vs.GRAY8: "mono", vs.GRAY16: "mono16", vs.YUV420P16: "420p16"}


class Clip:
    """Frames as lists of planes, each the bytes of its samples without padding."""

    def __init__(self, format, frames, rate=(25, 1), order="t"):
        self.format = vs.core.get_video_format(format)
        self.frames, self.rate, self.order = frames, rate, order

    def node(self):
        """The clip in the host."""
        width, height = SIZE
        num, den = self.rate
        blank = vs.core.std.BlankClip(format=self.format.id, width=width, height=height, length=len(self.frames),
                                      fpsnum=num, fpsden=den, keep=True)

        def fill(n, f):
            frame = f.copy()
            for plane, data in enumerate(self.frames[n]):
                start, stride = frame.get_write_ptr(plane).value, frame.get_stride(plane)
                rows = height >> (frame.format.subsampling_h if plane else 0)
                row = len(data) // rows
                for y in range(rows):
                    ctypes.memmove(start + y * stride, data[y * row:(y + 1) * row], row)
            return frame

        node = vs.core.std.ModifyFrame(blank, blank, fill)
        return vs.core.std.SetFieldBased(node, {"p": 0, "b": 1, "t": 2}[self.order])

    def write(self, path):
        """Writes the clip as y4m."""
        with open(path, "wb") as file:
            head = "YUV4MPEG2 W%d H%d F%d:%d I%s A1:1 C%s\n"
            file.write((head % (*SIZE, *self.rate, self.order, LETTERS[self.format.id])).encode())
            for frame in self.frames:
                file.write(b"FRAME\n" + b"".join(frame))


def samples(frame):
    """The samples of a frame of the host, plane by plane, without padding."""
    rows = []
    for plane in range(frame.format.num_planes):
        start, stride = frame.get_read_ptr(plane).value, frame.get_stride(plane)
        width = frame.width >> (frame.format.subsampling_w if plane else 0)
        height = frame.height >> (frame.format.subsampling_h if plane else 0)
        rows += [ctypes.string_at(start + y * stride, width * frame.format.bytes_per_sample) for y in range(height)]
    return b"".join(rows)


def read_y4m(path):
    """The frames of a y4m file."""
    with open(path, "rb") as file:
        head = file.readline().split()
        frames, data = [], file.read()
    tags = {tag[:1]: tag[1:] for tag in head[1:]}
    size = int(tags[b"W"]) * int(tags[b"H"])
    chroma = tags.get(b"C", b"420").decode()
    deep = 2 if chroma.rpartition("p")[2] in ("9", "10", "12", "14", "16") or chroma in ("mono10", "mono16") else 1
    parts = {"420": 1.5, "422": 2, "444": 3, "411": 1.5, "mon": 1}[chroma[:3]]
    length = int(size * parts) * deep
    start = 0
    while start < len(data):
        start = data.index(b"\n", start) + 1
        frames.append(data[start:start + length])
        start += length
    return frames


def scene(format, moments, noise=0.0, rate=(25, 1), order="t"):
    """A texture that moves. `moments` has the times of the top and the bottom lines of each frame."""
    kind = vs.core.get_video_format(format)
    width, height = SIZE
    dice = random.Random(7)
    last = 3 * max(max(moment) for moment in moments)

    def texture(plane, x, y):
        value = 120 + 40 * math.sin(x / 5.3 + y / 9) + 30 * math.sin(x / 2.7 - y / 4) + (20 if (x // 16 + y // 8) % 2 else 0)
        return value if plane == 0 else 128 + (value - 120) / 3

    rows = {}
    for plane in range(kind.num_planes):
        step = (1 << kind.subsampling_w, 1 << kind.subsampling_h) if plane else (1, 1)
        for y in range(height // step[1]):
            line = [texture(plane, x, y * step[1]) for x in range(width + last + 8)]
            rows[plane, y] = line
    scale = 1 << (kind.bits_per_sample - 8)
    frames = []
    for moment in moments:
        planes = []
        for plane in range(kind.num_planes):
            step = (1 << kind.subsampling_w, 1 << kind.subsampling_h) if plane else (1, 1)
            data = array.array("H" if scale > 1 else "B")
            for y in range(height // step[1]):
                shift = 3 * moment[y % 2]
                line = rows[plane, y][shift:shift + width:step[0]]
                if noise:
                    line = [value + dice.gauss(0, noise) for value in line]
                data.extend(int(min(max(value, 1), 254) * scale) for value in line)
            planes.append(data.tobytes())
        frames.append(planes)
    return Clip(format, frames, rate, order)


def interlaced(format=vs.YUV420P8, frames=50, **options):
    """Video whose fields show different times, top field first."""
    return scene(format, [(2 * n, 2 * n + 1) for n in range(frames)], **options)


def still(format=vs.YUV420P8, frames=50, **options):
    """Noise over a picture that does not move: each frame follows from all frames before it."""
    return scene(format, [(0, 0)] * frames, noise=6.0, **options)


def progressive(format=vs.YUV420P8, frames=50, **options):
    return scene(format, [(n, n) for n in range(frames)], order="p", **options)


def telecined(format=vs.YUV420P8, frames=50, **options):
    """Film with 3:2 pulldown: pictures of two and of three fields."""
    fields = [picture for picture in range(frames) for _ in range(2 + picture % 2)]
    return scene(format, list(zip(fields[0::2], fields[1::2]))[:frames], rate=(30000, 1001), **options)
