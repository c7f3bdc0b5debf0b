"""The conversion of frames."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Iterable, Iterator, Optional

from . import _dndi
from .frame import Frame, Planes, input_planes, of_pixel_format, plane_sizes
from .options import merged, pairs

#: Names of the matrices of ffmpeg (AVColorSpace).
_MATRICES = {1: "bt709", 5: "bt601", 6: "bt601", 9: "bt2020"}


@dataclass(frozen=True)
class Plan:
    """The properties of all outputs."""

    width: int
    height: int
    sampling: str
    depth: int
    #: Whether all output frames are progressive.
    progressive: bool
    #: The scan of the first input frames: `progressive`, `tff` or `bff`.
    scan: str
    #: The ratio of the output rate to the input rate: 2 at the field rate, 4/5 for 3:2 film.
    ratio: Fraction


class Converter:
    """Converts the frames of a clip as `dndi INPUT OUTPUT` does.

    The options are those of the command line, with underscores: `deinterlacer="best"`,
    `rate="film"`, `output_depth=10`, `set={"stad_th": 100}`. Frames wait in a look-ahead, so that outputs come later
    than their inputs. Push frames, pull outputs, call `finish` after the last frame, and pull the
    rest; or use `convert`. Processing runs without the lock of the interpreter.
    """

    def __init__(self, width: int, height: int, sampling: str = "420", depth: int = 8, **options: Any) -> None:
        self.width, self.height, self.sampling, self.depth = width, height, sampling, depth
        self._converter = _dndi.Converter(width, height, sampling, depth, pairs(options))

    @classmethod
    def for_av(cls, frame: Any, **options: Any) -> Converter:
        """A converter for frames like this one of PyAV. Options override its colour properties."""
        sampling, depth = of_pixel_format(frame.format.name)
        full = frame.format.name.startswith("yuvj") or int(getattr(frame, "color_range", 0) or 0) == 2
        own = {"range": "full" if full else "limited", "matrix": _MATRICES.get(int(frame.colorspace))}
        # The usual location of chroma in video, unlike in y4m without a tag.
        own["location"] = "left"
        return cls(frame.width, frame.height, sampling, depth, **merged(own, options))

    def push(self, frame: Planes, scan: Optional[str] = None, user: Any = None) -> None:
        """Takes the next frame: arrays of its planes, an `av.VideoFrame`, or an array of luma.

        Planes are arrays of two dimensions, of uint8 for 8 bits, else uint16 with the value in the
        low bits, and rows of any stride. `scan` (`progressive`, `tff`, `bff`) is the flag of the
        frame, which counts with `interlacing="mixed"`. The outputs of the frame carry `user`.
        """
        self._converter.push(input_planes(frame), scan, user)

    def finish(self) -> None:
        """Ends the clip: all remaining outputs can be pulled."""
        self._converter.finish()

    def pull(self) -> Optional[Frame]:
        """The next output. None if more frames are needed, or after the last output."""
        pulled = self._converter.pull()
        if pulled is None:
            return None
        data, (width, height, sampling, depth), times, decided, user = pulled
        planes, begin = [], 0
        for rows, columns in plane_sizes(width, height, sampling):
            planes.append(data[begin : begin + rows * columns].reshape(rows, columns))
            begin += rows * columns
        return Frame(tuple(planes), data, sampling, depth, *times, *decided, user)

    def __iter__(self) -> Iterator[Frame]:
        """The outputs that are ready. After a further push there can be more."""
        while (frame := self.pull()) is not None:
            yield frame

    def convert(self, frames: Iterable[Planes]) -> Iterator[Frame]:
        """Converts all frames of an iterable, and yields the outputs in order of time."""
        for frame in frames:
            self.push(frame)
            yield from self
        self.finish()
        yield from self

    @property
    def plan(self) -> Optional[Plan]:
        """The properties of the outputs. None until the look-ahead of the first frame is full."""
        plan = self._converter.plan()
        if plan is None:
            return None
        shape, progressive, scan, (numerator, denominator) = plan
        return Plan(*shape, progressive, scan, Fraction(numerator, denominator))
