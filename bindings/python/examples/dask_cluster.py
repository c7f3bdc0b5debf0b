"""Converts a y4m file in chunks on a cluster of Dask, with progress and retries.

    python dask_cluster.py IN.y4m OUT.y4m [--workers N] [--chunk C[:W]] [--scheduler ADDRESS] [-- OPTIONS]

Without --scheduler the cluster is processes of this machine. With the address of a scheduler the
same code runs on Slurm, Kubernetes or a cloud: the clusters of dask-jobqueue, dask-kubernetes and
dask-cloudprovider have one. All machines need the input and the folder of the parts under the same
path, and the command `dndi`.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import dndi
from distributed import Client, LocalCluster, as_completed


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--chunk", default="250", metavar="C[:W]")
    parser.add_argument("--scheduler", metavar="ADDRESS")
    parser.add_argument("--parts", metavar="FOLDER", help="folder of the parts [default: OUT.parts]")
    parser.add_argument("--kill-a-worker", action="store_true", help="kill a worker in its job, for tests")
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    parsed = parser.parse_args(arguments[:split])
    parsed.options = {}
    for option in arguments[split + 1 :]:
        name, _, value = option.removeprefix("--").partition("=")
        if name == "set":
            parsed.options.setdefault(name, []).append(value)
        else:
            parsed.options[name] = value or True
    return parsed


def kill_a_worker(parts):
    """Waits for the first job that writes, and kills the process of its worker."""
    while not (running := list(Path(parts).glob("*.tmp"))):
        time.sleep(0.01)
    process = int(running[0].name.split(".")[-3])
    os.kill(process, signal.SIGKILL)
    print(f"killed the worker {process} in {running[0].name}", file=sys.stderr)


def main():
    arguments = parse()
    frames, _, warmup = arguments.chunk.partition(":")
    parts = arguments.parts or f"{arguments.output}.parts"
    jobs = dndi.chunks(
        arguments.input,
        arguments.options,
        chunk=int(frames),
        warmup=int(warmup) if warmup else None,
        parts=parts,
    )
    # One job at a time in each worker: a job uses all threads of its machine, or those of --threads.
    local = arguments.scheduler is None
    scratch = tempfile.TemporaryDirectory()
    cluster = None
    if local:
        cluster = LocalCluster(
            n_workers=arguments.workers,
            threads_per_worker=1,
            dashboard_address=None,
            local_directory=scratch.name,
        )
    with Client(cluster or arguments.scheduler) as client:
        # A job that fails is repeated; one whose worker dies runs on another worker.
        futures = client.map(dndi.Job.run, jobs, pure=False, retries=2)
        if arguments.kill_a_worker:
            kill_a_worker(parts)
        for done, future in enumerate(as_completed(futures), 1):
            future.result()
            print(f"{done} of {len(jobs)} chunks", file=sys.stderr)
    if cluster:
        cluster.close()
    scratch.cleanup()
    dndi.join(arguments.output, jobs, overwrite=True)
    if not arguments.parts:
        shutil.rmtree(parts)


if __name__ == "__main__":
    main()
