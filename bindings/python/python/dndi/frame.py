"""Output frames, and planes of input frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._dndi import Error

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Luma samples for each chroma sample, across and down.
CHROMA = {"420": (2, 2), "411": (4, 1), "422": (2, 1), "444": (1, 1)}


def plane_sizes(width: int, height: int, sampling: str) -> List[Tuple[int, int]]:
    """Rows and columns of each plane."""
    if sampling == "mono":
        return [(height, width)]
    across, down = CHROMA[sampling]
    chroma = (-(-height // down), -(-width // across))
    return [(height, width), chroma, chroma]


def pixel_format(sampling: str, depth: int) -> str:
    """The name of a pixel format of ffmpeg."""
    name = "gray" if sampling == "mono" else f"yuv{sampling}p"
    return name if depth == 8 else f"{name}{depth}le"


def of_pixel_format(name: str) -> Tuple[str, int]:
    """Sampling and depth of a pixel format of ffmpeg. `yuvj420p` is 4:2:0 of full range."""
    plain = name[:-2] if name.endswith("le") else name
    plain = plain.replace("yuvj", "yuv")
    for sampling in ("mono", *CHROMA):
        for depth in range(8, 17):
            if pixel_format(sampling, depth).removesuffix("le") == plain:
                return sampling, depth
    raise Error(f"the pixel format {name} is not supported; planar YUV and grey of 8 to 16 bits are")


def av_planes(frame: Any) -> List[NDArray[Any]]:
    """The planes of a frame of PyAV as arrays, without a copy."""
    sampling, depth = of_pixel_format(frame.format.name)
    kind = np.dtype(np.uint8 if depth == 8 else "<u2")
    planes = []
    for plane, (rows, columns) in zip(frame.planes, plane_sizes(frame.width, frame.height, sampling)):
        stride = plane.line_size
        if stride < columns * kind.itemsize:
            raise Error(f"a plane with a stride of {stride} bytes is not supported")
        # The last row may end with its last sample.
        planes.append(np.ndarray((rows, columns), kind, buffer=plane, strides=(stride, kind.itemsize)))
    return planes


def depth_of(frame: Any) -> Optional[int]:
    """The depth of a frame of PyAV or of a `Frame`; None for arrays."""
    if isinstance(frame, Frame):
        return frame.depth
    if hasattr(frame, "planes") and hasattr(frame, "format"):
        return of_pixel_format(frame.format.name)[1]
    return None


Planes = Union["NDArray[Any]", Sequence["NDArray[Any]"], Any]


def input_planes(source: Planes) -> List[NDArray[Any]]:
    """The planes of an array, of a sequence of arrays, of a frame of PyAV or of a `Frame`."""
    if isinstance(source, np.ndarray):
        return [source]
    if isinstance(source, Frame):
        return list(source.planes)
    if hasattr(source, "planes") and hasattr(source, "format"):
        return av_planes(source)
    return list(source)


@dataclass(frozen=True, eq=False)
class Frame:
    """An output frame.

    `time` and `duration` count quarters of the duration of an input frame, from the first frame of
    the clip: a frame lasts 4, a field 2, a picture of 3:2 film 5.
    """

    #: Luma, Cb and Cr, or luma alone: arrays of two dimensions, which share the memory of `data`.
    planes: Tuple[NDArray[Any], ...]
    #: All samples, plane by plane. The array owns the memory of the frame.
    data: NDArray[Any]
    #: `mono`, `420`, `411`, `422` or `444`.
    sampling: str
    #: Bits per sample, 8 to 16.
    depth: int
    #: The number of the output, from 0. At the field rate it counts the fields of the clip.
    number: int
    #: The field of the input that it shows: 2N and 2N + 1 belong to frame N, the earlier one first.
    field: int
    time: int
    duration: int
    #: The scan of the input frame: `progressive`, `tff`, `bff`. None if nothing was detected.
    scan: Optional[str]
    #: The kind of the input frame: `progressive`, `interlaced`, `film`. None if it is not known.
    content: Optional[str]
    #: The confidence of both in percent, 0 to 100.
    confidence: Optional[int]
    #: The value that was pushed with the input frame.
    user: Any

    @property
    def width(self) -> int:
        """Luma samples in a row."""
        return int(self.planes[0].shape[1])

    @property
    def height(self) -> int:
        """Luma rows."""
        return int(self.planes[0].shape[0])

    def to_av(self) -> Any:
        """The frame as `av.VideoFrame`, without times.

        4:2:0 of 8 bits with even sizes and grey share the memory of this frame; other formats are
        copied, because PyAV cannot take their planes.
        """
        import av

        name = pixel_format(self.sampling, self.depth)
        if self.sampling == "mono":
            return av.VideoFrame.from_numpy_buffer(self.planes[0], format=name)
        if (self.sampling, self.depth) == ("420", 8) and not (self.width % 2 or self.height % 2):
            whole = self.data.reshape(self.height * 3 // 2, self.width)
            return av.VideoFrame.from_numpy_buffer(whole, format=name)
        frame = av.VideoFrame(self.width, self.height, name)
        for target, plane in zip(av_planes(frame), self.planes):
            target[:] = plane
        return frame
