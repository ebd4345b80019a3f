"""Chunks computed by MPI ranks: the same data as by one process, ranks that fail or are killed, and the counter."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cluster.stores.layout import COMPLETED
from tests.support.processes import FAKE, output, run, start, wait_until
from tests.support.shares import in_part
from tests.support.stores import contents, records

CHUNKS = 60


@pytest.mark.exhaustive
@pytest.mark.parametrize("ranks", in_part([2, 4], 2))
def test_ranks_give_the_same_data(tmp_path, undisturbed, ranks):
    said = run(ranks, FAKE, tmp_path / "results.zarr", "samples=240", "chunk=4")
    assert said.count("samples=240, failed=24, outside=0, computed=240") == ranks
    assert contents(tmp_path / "results.zarr") == undisturbed


def kill_in_the_middle(process: subprocess.Popen[str], path: Path, victim: Path | None) -> None:
    """Send SIGKILL to a rank, or to all of a job, at a random time after it has completed something."""
    before = records(path)
    wait_until(lambda: records(path) > before, process)
    time.sleep(random.uniform(0.0, 0.15))
    if victim is None:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        os.kill(int(victim.read_text()), signal.SIGKILL)
    output(process)
    assert process.returncode != 0


@pytest.mark.exhaustive
def test_killed_at_random_times_and_resumed_it_is_as_undisturbed(tmp_path, undisturbed):
    path = tmp_path / "results.zarr"
    job = (FAKE, path, "samples=240", "chunk=4", "resume=1")
    for victim in (tmp_path / str(random.randrange(4)), tmp_path / "0", None):
        process = start(4, *job, "pause=0.02", f"pids={tmp_path}")
        kill_in_the_middle(process, path, victim)
    assert 3 <= records(path) < CHUNKS
    run(4, *job)
    assert contents(path) == undisturbed


@pytest.mark.parametrize("ranks", in_part([4, 0], 2))
def test_a_rank_that_fails_ends_the_job_with_chunk_host_and_reason(tmp_path, ranks):
    path = tmp_path / "results.zarr"
    process = start(ranks, FAKE, path, "samples=240", "chunk=4", "fail=41", f"workers={2 - min(ranks, 1)}")
    said = output(process)
    assert process.returncode == 2
    assert "WorkError: chunk 10 (samples 40 to 43) on " in said
    assert "RuntimeError: sample 41 is bad" in said
    assert records(path) < CHUNKS
    assert not (path / COMPLETED / "00000010.json").exists()


@pytest.mark.exhaustive
def test_a_rank_that_cannot_begin_ends_the_job(tmp_path):
    process = start(4, FAKE, tmp_path / "results.zarr", "samples=240", "chunk=4", "begin=2", "pause=0.02")
    said = output(process)
    assert process.returncode == 2
    assert said.count("a worker on ") == 4
    assert "RuntimeError: no kernels here" in said


# --- the counter -----------------------------------------------------------------------------

HAMMER = """
import os
from cluster.workers.counter import Counter, run_ranks
from cluster.workers.launchers import communicator
comm = communicator()
counter = Counter(comm)
comm.Barrier()
taken = comm.gather([counter.fetch_add(0, 1) for _ in range(2000)])
counter.free()
mine = []
run_ranks(range(500), lambda k: mine.append(k) or (1, 0), lambda *now: None, comm)
done = comm.gather(mine)
if comm.rank == 0:
    assert all(one == sorted(one) for one in taken)
    assert sorted(sum(taken, [])) == list(range(8000))
    assert sorted(sum(done, [])) == list(range(500))
    os.write(1, b"each once")
"""


@pytest.mark.parametrize("nolocal", ["0", "1"], ids=["one host", "many hosts"])
def test_ranks_that_hammer_the_counter_take_each_number_once(nolocal):
    assert "each once" in run(4, "-c", HAMMER, MPIR_CVAR_NOLOCAL=nolocal)


BUSY = """
import time
import numpy as np
from cluster.workers.collectives import barrier
from cluster.workers.counter import Counter, _reporting
from cluster.workers.launchers import communicator
comm = communicator()
counter = Counter(comm)
told = []
if comm.rank == 0:
    with _reporting(counter, lambda *more: told.append(more)):
        while not np.frombuffer(counter._window.tomemory(), np.int64)[1] >= 100:
            time.sleep(0.01)  # computes, and does not call MPI
    assert np.sum(told, axis=0).tolist() == [100, 7]
else:
    before = [counter.fetch_add(0, 1) for _ in range(100)]
    assert before == list(range(100))
    counter.fetch_add(2, 7)
    counter.fetch_add(1, 100)
barrier(comm)
counter.free()
"""


def test_the_counter_answers_other_hosts_while_rank_0_computes():
    run(2, "-c", BUSY, MPIR_CVAR_NOLOCAL="1")  # as if each rank were on a host of its own


WATCHED = """
import os
import time
import mpi4py
mpi4py.rc.thread_level = {level!r}
from cluster.workers.counter import run_ranks
from cluster.workers.launchers import communicator
comm = communicator()
told = []
def seen(more, failed):
    told.append(more)
    if {broken}:
        raise KeyError("nobody looks")
def do(k):
    time.sleep(0.02)
    return 1, 0
run_ranks(range(40), do, seen, comm)
if comm.rank == 0:
    os.write(1, f"told {{len(told)}} {{sum(told)}}".encode())
"""


@pytest.mark.exhaustive
def test_a_report_that_fails_stops_neither_the_counter_nor_the_batch():
    said = run(2, "-c", WATCHED.format(level="multiple", broken=True), MPIR_CVAR_NOLOCAL="1")
    assert "told 1 " in said
    warning = "GroupkinWarning: progress is no longer shown, but the batch continues: KeyError: 'nobody looks'"
    assert said.count(warning) == 1
    said = run(2, "-W", "error", "-c", WATCHED.format(level="multiple", broken=True), MPIR_CVAR_NOLOCAL="1")
    assert "told 1 " in said
    assert said.count("groupkin: progress is no longer shown") == 1


def test_progress_is_told_after_each_chunk_of_rank_0_if_mpi_allows_one_thread():
    said = run(2, "-c", WATCHED.format(level="funneled", broken=False))
    times, samples = map(int, re.search(r"told (\d+) (\d+)", said).groups())
    assert samples == 40
    assert 10 <= times <= 41
