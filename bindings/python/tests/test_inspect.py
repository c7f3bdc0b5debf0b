"""An inspection finds what the command finds."""

import json
import os
import subprocess

import av
import dndi
import numpy as np
import pytest
from conftest import Clip


def measured_by_the_command(path):
    command = os.environ.get("DNDI_COMMAND", "dndi")
    printed = subprocess.run([command, "inspect", "--json", str(path)], check=True, capture_output=True).stdout
    return json.loads(printed)


def test_findings_are_those_of_the_command(interlaced_clip, film_clip):
    for path in (interlaced_clip, film_clip):
        findings = dndi.inspect(path)
        expected = measured_by_the_command(path)
        kind = findings.measured
        assert kind.content == expected["measured"]["content"]
        assert kind.field_order == "tff"
        assert findings.frames == expected["frames"]
        assert len(findings.segments) == len(expected["segments"])
        assert kind.confidence >= 40
    assert kind.content == "film" and kind.pulldown == "3:2" and kind.frames == 60


def test_sources_of_any_kind(film_clip):
    clip = Clip(film_clip)
    expected = dndi.inspect(film_clip)

    def of_av(planes):
        frame = av.VideoFrame(clip.width, clip.height, "yuv420p")
        for target, plane in zip(dndi.frame.av_planes(frame), planes):
            target[:] = plane
        return frame

    words = [planes[0].astype(np.uint16) << 2 for planes in clip.frames]
    assert dndi.inspect(clip.frames) == expected
    assert dndi.inspect(planes[0] for planes in clip.frames) == expected
    assert dndi.inspect(map(of_av, clip.frames), threads=2) == expected
    assert dndi.inspect(words, depth=10).measured.content == "film"
    assert dndi.inspect([]) == dndi.Inspection(None, ())


def test_errors_name_the_file(tmp_path, film_clip):
    with pytest.raises(OSError, match="missing.y4m"):
        dndi.inspect(tmp_path / "missing.y4m")
    (tmp_path / "text.y4m").write_bytes(b"no video\n")
    with pytest.raises(dndi.Error, match="text.y4m"):
        dndi.inspect(tmp_path / "text.y4m")
    (tmp_path / "cut.y4m").write_bytes(film_clip.read_bytes()[:-9])
    with pytest.raises(dndi.Error, match="cut.y4m"):
        dndi.inspect(tmp_path / "cut.y4m")
    with pytest.raises(dndi.Error, match="depth is needed"):
        dndi.inspect([np.zeros((16, 16), np.uint16)])
