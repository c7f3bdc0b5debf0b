from os import PathLike
from typing import Any, Optional, Sequence, Tuple, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Converter",
    "EndedError",
    "Error",
    "Inspector",
    "OptionError",
    "__version__",
    "inspect_y4m",
    "y4m_frames",
]
__version__: str

class Error(ValueError): ...
class OptionError(Error): ...
class EndedError(Error): ...

_Options = Sequence[Tuple[str, str]]
_Shape = Tuple[int, int, str, int]
_Found = Tuple[str, Optional[str], Optional[str], int, int, int]
_Pulled = Tuple[
    NDArray[Any],
    _Shape,
    Tuple[int, int, int, int],
    Tuple[Optional[str], Optional[str], Optional[int]],
    Any,
]

@final
class Converter:
    def __new__(cls, width: int, height: int, sampling: str, depth: int, options: _Options) -> Converter: ...
    def push(self, planes: Sequence[NDArray[Any]], scan: Optional[str], user: Any) -> None: ...
    def finish(self) -> None: ...
    def pull(self) -> Optional[_Pulled]: ...
    def plan(self) -> Optional[Tuple[_Shape, bool, str, Tuple[int, int]]]: ...

@final
class Inspector:
    def __new__(cls, width: int, height: int, depth: int, options: _Options) -> Inspector: ...
    def push(self, luma: NDArray[Any], scan: Optional[str]) -> None: ...
    def finish(self) -> Tuple[Optional[_Found], Sequence[_Found]]: ...

def inspect_y4m(
    path: "str | PathLike[str]", options: _Options
) -> Tuple[Optional[_Found], Sequence[_Found]]: ...
def y4m_frames(path: "str | PathLike[str]") -> int: ...
