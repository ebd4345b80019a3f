"""Batches that end early: asked to by a signal, or by an error that one rank alone knows of."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.cluster.workers.test_work import CHUNKS, FAKE, PATIENCE, completed, ended, run, start


@pytest.mark.parametrize(
    ("number", "code", "group"),
    [(signal.SIGTERM, 143, True), (signal.SIGTERM, 143, False), (signal.SIGINT, 130, True)],
    ids=["TERM-group", "TERM-process", "INT-group"],
)
def test_a_batch_that_is_asked_to_end_says_how_to_go_on(tmp_path, number, code, group):
    path = tmp_path / "results.zarr"
    process = start(0, FAKE, path, "samples=240", "chunk=4", "pause=0.02", "command=--workers 2")
    wait_for(process, path, 2)
    (os.killpg if group else os.kill)(process.pid, number)
    said = ended(process)
    assert process.returncode == code, said
    what = "ended by SIGTERM" if number == signal.SIGTERM else "interrupted"
    assert f"groupkin: {what}; chunks that are complete are kept: go on with --resume" in said
    assert "leaked" not in said
    assert "Traceback" not in said
    assert 2 <= completed(path) < CHUNKS


@pytest.mark.parametrize("launcher", [True, False], ids=["launcher", "ranks"])
def test_ranks_that_are_asked_to_end_say_how_to_go_on(tmp_path, launcher):
    path = tmp_path / "results.zarr"
    process = start(3, FAKE, path, "samples=240", "chunk=4", "pause=0.02", "command=--resume", f"pids={tmp_path}")
    wait_for(process, path, 2)
    pids = [process.pid] if launcher else [int((tmp_path / rank).read_text()) for rank in "012"]
    for pid in pids:
        os.kill(pid, signal.SIGTERM)
    said = ended(process)
    assert process.returncode == 143, said
    assert launcher or said.count("ends the job: ended by SIGTERM; chunks that are complete are kept: go on with") == 1
    assert "Traceback" not in said


def wait_for(process: subprocess.Popen[str], path: Path, chunks: int) -> None:
    """Wait until a job has completed some chunks."""
    patience = time.monotonic() + PATIENCE
    while completed(path) < chunks:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < patience
        time.sleep(0.002)


ALONE = """
import time
from cluster import work
from cluster.workers.launchers import communicator
from cluster.workers.abort import aborting
comm = communicator()
def do(chunk):
    if chunk == 5:
        raise KeyboardInterrupt("only here")
    time.sleep(0.01)
    return 1, 0
with aborting(comm):
    {0}
"""


MAPPING = """
import os
import sys
sys.path.insert(0, {tests!r})
import fake_sweep as fake
fake.install()
import types
fake.Prepared, fake.size = object, lambda prepared: 10
import cluster.solving.in_memory as mapping
from cluster.workers.launchers import communicator
from cluster.workers.mpi_backend import ranks
from groupkin.errors import WorkError
comm = communicator()
def broken(*given):
    if comm.rank == 1:
        raise {error}
    return real(*given)
real = mapping.{name}
mapping.{name} = broken
try:
    mapping.solve(fake.Sweep(), workers=ranks(comm), chunk=10)
except WorkError as error:
    os.write(1, (str(error) + "|").encode())
"""


@pytest.mark.parametrize("name", ["prepare", "allocate"])
def test_a_rank_that_lacks_memory_is_told_to_all_that_map(name):
    said = run(2, "-c", MAPPING.format(tests=str(FAKE.parent), name=name, error="MemoryError('too much')"))
    assert said.count("MemoryError: too much") == 2
    assert said.count(f" on {socket.gethostname()}: ") == 2


def test_an_interrupt_of_one_rank_that_maps_ends_the_job():
    process = start(2, "-c", MAPPING.format(tests=str(FAKE.parent), name="prepare", error="KeyboardInterrupt('here')"))
    assert "rank 1 of 2" in ended(process)
    assert process.returncode == 1


BETWEEN = """
    if comm.rank == 1:
        raise KeyError("only here")
    work.wait(comm)
"""


AT_WORK = "work.ranks(range(20), do, lambda *now: None, comm)"


@pytest.mark.parametrize("action", [BETWEEN, AT_WORK], ids=["between", "at work"])
def test_an_error_of_one_rank_alone_aborts_the_job(action):
    process = start(2, "-c", ALONE.format(action.strip()))
    said = ended(process)
    assert process.returncode == 1
    assert re.search(r"Key(Error|boardInterrupt): '?only here", said)
    assert re.search(r"rank [01] of 2 on \S+ ends the job", said)


DIFFERENT = """
import sys
sys.path[:0] = [{tests!r}]
import fake_sweep as fake
from mpi4py import MPI
import cluster
from cluster.solving.in_memory import solve
from groupkin.errors import WorkError
sys.modules["cluster.solving.chunks"] = cluster.solving.chunks = fake
sweep = fake.Sweep(samples=40, seed=MPI.COMM_WORLD.rank)
refused = 0
for compute in (lambda: cluster.batch(sweep, {store!r}), lambda: solve(sweep, workers=cluster.ranks(MPI.COMM_WORLD))):
    try:
        compute()
    except WorkError as error:
        refused += "rank 1 has another sweep than rank 0" in str(error)
counts = MPI.COMM_WORLD.gather(refused)
if counts:
    print("refused", counts)
"""


def test_ranks_that_have_different_sweeps_are_refused(tmp_path):
    said = run(2, "-c", DIFFERENT.format(tests=str(FAKE.parent), store=str(tmp_path / "results.zarr")))
    assert "refused [2, 2]" in said
    assert not (tmp_path / "results.zarr").exists()
