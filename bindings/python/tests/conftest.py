"""Clips of the repository, and the command that the bindings are compared with."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]


class Clip:
    """A y4m file of 8 or more bits, read without dndi."""

    SAMPLINGS = {"mono": (0, 0), "420": (2, 2), "411": (4, 1), "422": (2, 1), "444": (1, 1)}

    def __init__(self, path):
        data = Path(path).read_bytes()
        line, data = data.split(b"\n", 1)
        tags = {token[:1]: token[1:] for token in line.decode().split()[1:] if token[0] in "WHFIC"}
        self.width, self.height, chroma = int(tags["W"]), int(tags["H"]), tags.get("C", "420")
        self.scan = {"t": "tff", "b": "bff", "p": "progressive", "m": "mixed"}.get(tags.get("I", "?"), "unknown")
        self.rate = tags.get("F", "25:1")
        self.sampling = "mono" if chroma.startswith("mono") else chroma[:3]
        deep = chroma[4:] if chroma.startswith("mono") else chroma.partition("p")[2]
        self.depth = int(deep) if deep.isdigit() else 8
        across, down = self.SAMPLINGS[self.sampling]
        sizes = [(self.height, self.width)]
        if across:
            sizes += [(-(-self.height // down), -(-self.width // across))] * 2
        kind = np.dtype("u1" if self.depth == 8 else "<u2")
        self.frames = []
        while data:
            head, data = data.split(b"\n", 1)
            assert head.startswith(b"FRAME")
            planes = []
            for rows, columns in sizes:
                size = rows * columns * kind.itemsize
                planes.append(np.frombuffer(data[:size], kind).reshape(rows, columns))
                data = data[size:]
            self.frames.append(planes)

    @property
    def clip(self):
        """The arguments of a converter for the clip."""
        return (self.width, self.height, self.sampling, self.depth)

    @property
    def properties(self):
        return {"interlacing": self.scan, "frame_rate": self.rate}


@pytest.fixture(scope="session")
def command():
    """Runs the command `dndi`."""
    path = os.environ.get("DNDI_COMMAND", "dndi")

    def run(*arguments):
        subprocess.run([path, *map(str, arguments)], check=True, stdin=subprocess.DEVNULL)

    return run


@pytest.fixture(scope="session")
def sample():
    return ROOT / "samples" / "interlaced.y4m"


def write_y4m(path, frames, tags):
    """Writes frames of planes of bytes."""
    height, width = frames[0][0].shape
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} {tags}\n".encode())
        for planes in frames:
            file.write(b"FRAME\n" + b"".join(plane.tobytes() for plane in planes))


def picture(time, width=96, height=64):
    """A texture that moves by 3 samples in a unit of time, as planes of 4:2:0."""
    y, x = np.mgrid[0:height, 0:width]
    x = x - 3 * time
    luma = 120 + 60 * np.sin(x / 7 + np.sin(y / 9)) + 40 * ((x // 13 + y // 11) % 2)
    chroma = 128 + 40 * np.sin(x[::2, ::2] / 19 + y[::2, ::2] / 23)
    return [np.clip(np.round(plane), 1, 254).astype(np.uint8) for plane in (luma, chroma, 255 - chroma)]


def woven(first, second):
    """A frame of the top field of one picture and the bottom field of another."""
    planes = [plane.copy() for plane in first]
    for plane, other in zip(planes, second):
        plane[1::2] = other[1::2]
    return planes


@pytest.fixture(scope="session")
def interlaced_clip(tmp_path_factory):
    """120 interlaced frames, top field first."""
    path = tmp_path_factory.mktemp("clips") / "interlaced.y4m"
    frames = [woven(picture(n), picture(n + 0.5)) for n in range(120)]
    write_y4m(path, frames, "F25:1 It C420mpeg2")
    return path


@pytest.fixture(scope="session")
def film_clip(tmp_path_factory):
    """60 frames of 3:2 telecined film, top field first, whose header declares nothing."""
    path = tmp_path_factory.mktemp("clips") / "film.y4m"
    fields = [n for n in range(48) for _ in range(3 if n % 2 else 2)]
    frames = [woven(picture(2 * fields[2 * n]), picture(2 * fields[2 * n + 1])) for n in range(60)]
    write_y4m(path, frames, "F30000:1001")
    return path
