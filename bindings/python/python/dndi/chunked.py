"""Conversions in chunks: jobs that run in any process or on any machine."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, List, Mapping, Optional, Tuple, Union

from . import _dndi
from .options import arguments, merged

PathName = Union[str, "os.PathLike[str]"]


def _run(arguments: List[str]) -> None:
    """Runs the command `dndi`: that of DNDI_COMMAND, else the one on PATH."""
    command = os.environ.get("DNDI_COMMAND", "dndi")
    try:
        done = subprocess.run([command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError:
        why = f"the command {command} is not found: install it, or set DNDI_COMMAND to its path"
        raise _dndi.Error(why) from None
    if done.returncode:
        message = done.stderr.strip() or f"{command} ended with {done.returncode}"
        raise _dndi.Error(message)


@dataclass(frozen=True)
class Job:
    """A chunk of a conversion. It is plain data, so that it can be pickled and sent anywhere.

    A job needs the input, the folder of the parts and the command `dndi` on the machine that runs
    it. Running it again gives the same bytes.
    """

    #: The number of the chunk, from 0.
    index: int
    #: The number of chunks.
    count: int
    #: The input.
    path: str
    #: The part that the job writes.
    part: str
    #: Options of the command.
    arguments: Tuple[str, ...]

    def run(self) -> str:
        """Makes the part, and returns its path. The file appears when it is complete."""
        part = Path(self.part)
        part.parent.mkdir(parents=True, exist_ok=True)
        # The name has the process, by which a user finds the job that writes a file.
        handle, temporary = tempfile.mkstemp(".tmp", f"{part.name}.{os.getpid()}.", part.parent)
        os.close(handle)
        try:
            options = [*self.arguments, f"--only={self.index}", "-q", "-y", "--progress=off"]
            _run([*options, "--", self.path, temporary])
            os.replace(temporary, part)
        except FileNotFoundError:
            # Another process that ran the same job was faster, and removed this file.
            if not part.exists():
                raise
        finally:
            Path(temporary).unlink(missing_ok=True)
        # Files of processes that were killed.
        for rest in part.parent.glob(f"{part.name}.*.tmp"):
            rest.unlink(missing_ok=True)
        return self.part


def chunks(
    path: PathName,
    options: Optional[Mapping[str, Any]] = None,
    *,
    chunk: int = 250,
    warmup: Optional[int] = None,
    parts: Optional[PathName] = None,
    total: Optional[int] = None,
    **more: Any,
) -> List[Job]:
    """Divides the conversion of a file into jobs of `chunk` input frames each.

    `options` are those of the command line, as for `Converter`; `warmup` is the number of frames
    that each chunk sees before its first one. `parts` is the folder of the parts, by default PATH
    with `.parts` appended. The number of frames of a y4m file is read from it; for other files,
    which ffmpeg decodes, pass `total`. The outputs depend on `chunk` and `warmup`, but not on the
    machine that runs a job.
    """
    options = merged(options or {}, more)
    if chunk < 1:
        raise _dndi.OptionError("chunk: a chunk has at least one frame")
    frames = _dndi.y4m_frames(path) if total is None else total
    frames = max(0, frames - int(options.get("skip") or 0))
    if options.get("frames") is not None:
        frames = min(frames, int(options["frames"]))
    count = max(1, -(-frames // chunk))
    source = os.path.abspath(path)
    folder = Path(f"{source}.parts" if parts is None else os.path.abspath(parts))
    folder.mkdir(parents=True, exist_ok=True)
    size = f"{chunk}" if warmup is None else f"{chunk}:{warmup}"
    given = (*arguments(options), f"--chunk={size}")
    return [
        Job(index, count, source, str(folder / f"{index:06}.y4m"), given) for index in range(count)
    ]


def join(
    output: PathName,
    parts: Iterable[Union[PathName, Job]],
    overwrite: bool = False,
    *,
    source: Optional[PathName] = None,
    encoder: Optional[str] = None,
    lossless: bool = False,
) -> None:
    """Joins parts to the output of the whole clip. Refuses parts that are missing or do not fit.

    An output with the extension of a container, such as `.mkv`, is encoded with ffmpeg; `encoder`
    and `lossless` are those of the command. Audio, subtitles and chapters are copied from `source`.
    """
    names = [part.part if isinstance(part, Job) else os.fspath(part) for part in parts]
    given = ["-y"] if overwrite else []
    given += [] if source is None else [f"--source={os.fspath(source)}"]
    given += [] if encoder is None else [f"--encoder={encoder}"]
    given += ["--lossless"] if lossless else []
    _run(["join", *given, "--", os.fspath(output), *names])
