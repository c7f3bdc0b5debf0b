"""Denoise, deinterlace, detect and undo telecine, scale, sharpen and correct colours of video.

`Converter` converts frames, `inspect` analyses a clip, `chunks` divides the conversion of a file
into jobs that run anywhere, and `join` puts their parts together.
"""

from ._dndi import EndedError, Error, OptionError, __version__
from .chunked import Job, chunks, join
from .converter import Converter, Plan
from .frame import Frame
from .inspection import Finding, Inspection, inspect

__all__ = [
    "Converter",
    "EndedError",
    "Error",
    "Finding",
    "Frame",
    "Inspection",
    "Job",
    "OptionError",
    "Plan",
    "__version__",
    "chunks",
    "inspect",
    "join",
]
