"""Batches that end early: asked to by a signal, or by an error that one rank alone knows of."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from pathlib import Path

import pytest

import cluster.cli
from cluster.workers.abort import Terminated, terminable
from tests.support import fake_sweep as fake
from tests.support.command_line import run as command
from tests.support.processes import FAKE, output, run, start, wait_until
from tests.support.shares import in_part
from tests.support.stores import records

CHUNKS = 60


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("number", "code", "group"),
    in_part([(signal.SIGTERM, 143, True), (signal.SIGTERM, 143, False), (signal.SIGINT, 130, True)], 3),
)
def test_a_batch_that_is_asked_to_end_says_how_to_go_on(tmp_path, number, code, group):
    path = tmp_path / "results.zarr"
    process = start(0, FAKE, path, "samples=240", "chunk=4", "pause=0.02", "command=--workers 2")
    wait_until(lambda: records(path) >= 2, process)
    (os.killpg if group else os.kill)(process.pid, number)
    said = output(process)
    assert process.returncode == code, said
    what = "ended by SIGTERM" if number == signal.SIGTERM else "interrupted"
    assert f"groupkin: {what}; complete chunks are kept: continue with --resume" in said
    assert "leaked" not in said
    assert "Traceback" not in said
    assert 2 <= records(path) < CHUNKS


@pytest.mark.parametrize(
    ("options", "hint"),
    [(["--resume"], "; complete chunks are kept: continue with --resume"), (["--resume", "--dry-run"], "")],
)
def test_what_is_kept_is_told_only_where_there_is_a_store(tmp_path, monkeypatch, options, hint):
    def read(file):
        raise KeyboardInterrupt

    path = tmp_path / "results.zarr"
    monkeypatch.setattr(cluster.cli, "_read", read)
    for told in ("", hint):
        result = command("batch", "a.sweep.toml", "--out", path, *options)
        assert (result.exit_code, result.stderr) == (130, f"groupkin: interrupted{told}\n")
        fake.batch(fake.Sweep(), path, resume=True)


@pytest.mark.parametrize("launcher", in_part([True, False], 2), ids=["launcher", "ranks"])
def test_ranks_that_are_asked_to_end_say_how_to_go_on(tmp_path, launcher):
    path = tmp_path / "results.zarr"
    process = start(3, FAKE, path, "samples=240", "chunk=4", "pause=0.02", "command=--resume", f"pids={tmp_path}")
    wait_until(lambda: records(path) >= 2, process)
    pids = [process.pid] if launcher else [int((tmp_path / rank).read_text()) for rank in "012"]
    for pid in pids:
        os.kill(pid, signal.SIGTERM)
    said = output(process)
    assert process.returncode == 143, said
    assert launcher or said.count("ends the job: ended by SIGTERM; complete chunks are kept: continue with") == 1
    assert "Traceback" not in said


MAPPED = """
import sys, time
from pathlib import Path
from mpi4py import MPI
names = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/dev/shm/" in line}
Path(sys.argv[1], str(MPI.COMM_WORLD.rank)).write_text("\\n".join(names))
MPI.COMM_WORLD.Barrier()
"""
REFUSED = "from groupkin.cli.main import main; main(['solve', 'nofile.toml'])"
BROKEN = """
from cluster.workers.mpi_backend import ranks
ranks()
if MPI.COMM_WORLD.rank == 1:
    raise KeyError("only here")
MPI.COMM_WORLD.Barrier()
"""
WAITING = """
from cluster.workers.abort import aborting, terminable
with terminable(), aborting(MPI.COMM_WORLD):
    Path(sys.argv[1], f"ready{MPI.COMM_WORLD.rank}").touch()
    time.sleep(100.0)
"""


@pytest.mark.smoke
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no list of what a process has mapped")
@pytest.mark.parametrize(
    ("then", "code"),
    [
        (REFUSED, 2),
        pytest.param(BROKEN, 1, marks=pytest.mark.exhaustive),
        pytest.param(WAITING, 143, marks=pytest.mark.exhaustive),
    ],
    ids=["refused", "error", "asked to end"],
)
def test_an_aborted_job_leaves_no_shared_memory(tmp_path, then, code):
    process = start(2, "-c", MAPPED + then, tmp_path)
    if then == WAITING:
        wait_until(lambda: len(list(tmp_path.glob("ready*"))) == 2, process)
        os.kill(process.pid, signal.SIGTERM)
    said = output(process)
    assert process.returncode == code, said
    files = [Path(name) for rank in "01" for name in (tmp_path / rank).read_text().splitlines()]
    if not any(file.name.startswith("mpich_") for file in files):
        pytest.skip("this MPI shares memory in other files")
    assert not any(file.exists() for file in files)


ALONE = """
import time
from cluster.workers.abort import aborting
from cluster.workers.collectives import barrier
from cluster.workers.counter import run_ranks
from cluster.workers.launchers import communicator
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
import cluster.solving.in_memory as mapping
from tests.support import fake_sweep as fake
for function in ("prepare", "shared_size", "solve_chunk", "variables"):
    setattr(mapping, function, getattr(fake, function))
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
    mapping.solve.__wrapped__(fake.Sweep(), workers=ranks(comm), chunk=10)  # a fake is refused as no sweep
except WorkError as error:
    os.write(1, (str(error) + "|").encode())
"""


@pytest.mark.parametrize("name", in_part(["prepare", "allocate"], 2))
def test_a_rank_that_lacks_memory_is_told_to_all_that_map(name):
    said = run(2, "-c", MAPPING.format(name=name, error="MemoryError('too much')"))
    assert said.count("MemoryError: too much") == 2
    assert said.count(f" on {socket.gethostname()}: ") == 2


@pytest.mark.exhaustive
def test_an_interrupt_of_one_rank_that_maps_ends_the_job():
    process = start(2, "-c", MAPPING.format(name="prepare", error="KeyboardInterrupt('here')"))
    assert re.search("rank 1 of 2 on .* ends the job: interrupted", output(process))
    assert process.returncode == 130


BETWEEN = """
    if comm.rank == 1:
        raise KeyError("only here")
    barrier(comm)
"""


AT_WORK = "run_ranks(range(20), do, lambda *now: None, comm)"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("action", "code", "text"),
    [(BETWEEN, 1, "KeyError: 'only here'"), (AT_WORK, 130, "interrupted")],
    ids=["between", "at work"],
)
def test_an_error_of_one_rank_alone_aborts_the_job(action, code, text):
    process = start(2, "-c", ALONE.format(action.strip()))
    said = output(process)
    assert process.returncode == code
    assert text in said
    assert re.search(r"rank [01] of 2 on \S+ ends the job", said)


DIFFERENT = """
from mpi4py import MPI
import cluster
from groupkin.errors import WorkError
from tests.support import fake_sweep as fake
sweep = fake.Sweep(samples=40, seed=MPI.COMM_WORLD.rank)
ranks = cluster.ranks()
solve = cluster.solve.__wrapped__  # a fake is refused as no sweep
refused = 0
for compute in (lambda: cluster.batch(sweep, {store!r}, workers=ranks), lambda: solve(sweep, workers=ranks)):
    try:
        compute()
    except WorkError as error:
        refused += "rank 1 has another sweep than rank 0" in str(error)
counts = MPI.COMM_WORLD.gather(refused)
if counts:
    print("refused", counts)
"""


@pytest.mark.exhaustive
def test_ranks_that_have_different_sweeps_are_refused(tmp_path):
    said = run(2, "-c", DIFFERENT.format(store=str(tmp_path / "results.zarr")))
    assert "refused [2, 2]" in said
    assert not (tmp_path / "results.zarr").exists()


def test_a_signal_that_comes_while_an_object_is_finalized_is_not_lost(capsys):
    class Finalized:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)  # here the handler runs

    def work():
        Finalized()
        time.sleep(10.0)

    with pytest.raises(Terminated), terminable():
        work()
    assert capsys.readouterr().err == ""
