"""The inspection of a clip."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Tuple, Union

from . import _dndi
from .frame import Planes, depth_of, input_planes
from .options import pairs


@dataclass(frozen=True)
class Finding:
    """Frames of one kind."""

    #: `progressive`, `interlaced` or `film`.
    content: str
    #: The pulldown pattern, such as `3:2`; None without one.
    pulldown: Optional[str]
    #: `tff` or `bff`; None for progressive frames.
    field_order: Optional[str]
    #: The mean confidence in percent, 0 to 100. 0 is a guess, 40 is significant.
    confidence: int
    #: Number of the first frame, from 0.
    first: int
    #: Number of frames.
    frames: int


@dataclass(frozen=True)
class Inspection:
    """The findings about a clip."""

    #: The most frequent kind, with all its frames; None for a clip without frames.
    measured: Optional[Finding]
    #: The runs of frames of one kind.
    segments: Tuple[Finding, ...]

    @property
    def frames(self) -> int:
        """The number of frames."""
        return sum(segment.frames for segment in self.segments)


def inspect(
    source: Union[str, "os.PathLike[str]", Iterable[Planes]], depth: Optional[int] = None, **options: Any
) -> Inspection:
    """Finds content, field order and pulldown pattern of a clip, as `dndi inspect` does.

    `source` is the path of a y4m file, or an iterable of frames, each an array of luma, arrays of
    planes, or an `av.VideoFrame`. `depth` is that of arrays of uint16. Of the options
    `interlacing`, `film` and `threads` have an effect.
    """
    if isinstance(source, (str, os.PathLike)):
        measured, segments = _dndi.inspect_y4m(source, pairs(options))
    else:
        inspector = None
        for frame in source:
            luma = input_planes(frame)[0]
            if inspector is None:
                depth = depth_of(frame) or depth
                if depth is None and luma.dtype.itemsize > 1:
                    raise _dndi.Error("depth is needed for arrays of uint16")
                height, width = luma.shape
                inspector = _dndi.Inspector(width, height, depth or 8, pairs(options))
            inspector.push(luma, None)
        if inspector is None:
            return Inspection(None, ())
        measured, segments = inspector.finish()
    return Inspection(measured and Finding(*measured), tuple(Finding(*segment) for segment in segments))
