"""Jobs give the same bytes in any order, process and number of attempts."""

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import dndi
import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
OPTIONS = {"rate": "frame", "deinterlacer": "best", "set": {"stad_th": 90}}


def md5(path):
    return hashlib.md5(Path(path).read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def expected(interlaced_clip, tmp_path_factory):
    """The checksum of one process."""
    path = tmp_path_factory.mktemp("expected") / "out.y4m"
    command = os.environ.get("DNDI_COMMAND", "dndi")
    options = ["-q", "--rate=frame", "--deinterlacer=best", "--set", "stad_th=90", "--chunk=16:8"]
    subprocess.run([command, *options, str(interlaced_clip), str(path)], check=True)
    return md5(path)


def test_jobs_are_plain_and_give_the_output_of_one_process(interlaced_clip, expected, tmp_path):
    jobs = dndi.chunks(interlaced_clip, OPTIONS, chunk=16, warmup=8, parts=tmp_path / "parts")
    assert [job.index for job in jobs] == list(range(8)) and {job.count for job in jobs} == {8}
    for job in pickle.loads(pickle.dumps(jobs[::-1])):
        assert job.run() == job.part
    jobs[3].run()
    dndi.join(tmp_path / "out.y4m", jobs)
    assert md5(tmp_path / "out.y4m") == expected
    assert len(os.listdir(tmp_path / "parts")) == 8
    with pytest.raises(dndi.Error, match="out.y4m"):
        dndi.join(tmp_path / "out.y4m", jobs)
    dndi.join(tmp_path / "out.y4m", [job.part for job in jobs], overwrite=True)
    if shutil.which("ffmpeg"):
        dndi.join(tmp_path / "out.mkv", jobs, source=interlaced_clip, encoder="-c:v ffv1")
        assert (tmp_path / "out.mkv").read_bytes()[:4] == b"\x1aE\xdf\xa3"


def test_failures_have_the_message_of_the_command(interlaced_clip, tmp_path, monkeypatch):
    jobs = dndi.chunks(interlaced_clip, chunk=60, parts=tmp_path / "parts", rate="half")
    with pytest.raises(dndi.Error, match="half"):
        jobs[0].run()
    assert os.listdir(tmp_path / "parts") == []
    jobs = dndi.chunks(interlaced_clip, chunk=60, parts=tmp_path / "parts", skip=10, frames=61)
    assert len(jobs) == 2
    with pytest.raises(dndi.Error, match="cannot open|No such file"):
        dndi.join(tmp_path / "out.y4m", jobs)
    monkeypatch.setenv("DNDI_COMMAND", str(tmp_path / "no-dndi"))
    with pytest.raises(dndi.Error, match="no-dndi is not found"):
        jobs[0].run()
    with pytest.raises(dndi.Error, match="at least one frame"):
        dndi.chunks(interlaced_clip, chunk=0)


def test_a_cluster_survives_the_death_of_a_worker(interlaced_clip, expected, tmp_path):
    """The example runs on processes of Dask, of which one is killed in the middle of its job."""
    pytest.importorskip("distributed")
    script = EXAMPLES / "dask_cluster.py"
    arguments = ["--workers=2", "--chunk=16:8", "--kill-a-worker", "--", "--rate=frame", "--deinterlacer=best", "--set=stad_th=90"]
    output = tmp_path / "out.y4m"
    command = [sys.executable, str(script), str(interlaced_clip), str(output), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "killed" in done.stderr and "8 of 8" in done.stderr
    assert md5(output) == expected
