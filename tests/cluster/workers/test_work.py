"""Work shared by processes and ranks: the same data whoever computes, and workers that fail, die or are killed."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cluster.stores.store as stores
from cluster.workers import work
from tests.cluster.stores.test_store import files
from tests.support.paths import ROOT, SUPPORT

FAKE = SUPPORT / "fake_sweep.py"
CHUNKS = 60
PATIENCE = 150.0
"""Seconds after which something hangs."""


def mpiexec() -> str:
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None or subprocess.run([sys.executable, "-c", "import mpi4py.MPI"], check=False).returncode:
        pytest.skip("there is no MPI")
    return found


def environment(**more: str) -> dict[str, str]:
    # a rank that waits for compute on a machine with fewer cores than ranks must not wait for long
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **more}


def start(ranks: int, *command: str | Path, **more: str) -> subprocess.Popen[str]:
    launcher = [mpiexec(), "-n", str(ranks)] if ranks else []
    return subprocess.Popen(
        [*launcher, sys.executable, *map(str, command)],
        env=environment(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def ended(process: subprocess.Popen[str]) -> str:
    """What a process has said, after it ended by itself."""
    try:
        return process.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail(f"this hangs: {process.args}\n{process.communicate()[0]}")


def run(ranks: int, *command: str | Path, **more: str) -> str:
    process = start(ranks, *command, **more)
    said = ended(process)
    assert process.returncode == 0, said
    return said


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A store that one process has written in one run."""
    path = tmp_path_factory.mktemp("undisturbed") / "results.zarr"
    run(0, FAKE, path, "samples=240", "chunk=4")
    return files(path)


@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks_give_the_same_data(tmp_path, undisturbed, ranks):
    said = run(ranks, FAKE, tmp_path / "results.zarr", "samples=240", "chunk=4")
    assert said.count("samples=240, failed=24, computed=240") == ranks
    assert files(tmp_path / "results.zarr") == undisturbed


def test_processes_give_the_same_data(tmp_path, undisturbed):
    run(0, FAKE, tmp_path / "results.zarr", "samples=240", "chunk=4", "workers=2")
    assert files(tmp_path / "results.zarr") == undisturbed


def test_processes_that_are_started_at_once_all_end_well(tmp_path, undisturbed):
    path = tmp_path / "results.zarr"
    job = (FAKE, path, "samples=240", "chunk=4", "resume=1", "pause=0.001")
    for process in [start(0, *job) for _ in range(4)]:
        said = ended(process)
        assert process.returncode == 0, said
        assert "samples=240, failed=24" in said
    assert files(path) == undisturbed
    assert [file.name for file in tmp_path.iterdir()] == ["results.zarr"]


def completed(path: Path) -> int:
    return len(list((path / stores.COMPLETED).glob("0*.json")))


def kill_in_the_middle(process: subprocess.Popen[str], path: Path, victim: Path | None) -> None:
    """Send SIGKILL to a rank, or to all of a job, at a random time after it has completed something."""
    before, patience = completed(path), time.monotonic() + PATIENCE
    while completed(path) <= before:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < patience
        time.sleep(0.002)
    time.sleep(random.uniform(0.0, 0.15))
    if victim is None:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        os.kill(int(victim.read_text()), signal.SIGKILL)
    ended(process)
    assert process.returncode != 0


def test_killed_at_random_times_and_resumed_it_is_as_undisturbed(tmp_path, undisturbed):
    path = tmp_path / "results.zarr"
    job = (FAKE, path, "samples=240", "chunk=4", "resume=1")
    for victim in (tmp_path / str(random.randrange(4)), tmp_path / "0", None):
        process = start(4, *job, "pause=0.02", f"pids={tmp_path}")
        kill_in_the_middle(process, path, victim)
    assert 3 <= completed(path) < CHUNKS
    run(4, *job)
    assert files(path) == undisturbed


def test_killed_process_of_one_machine_and_resumed(tmp_path, undisturbed):
    path = tmp_path / "results.zarr"
    job = (FAKE, path, "samples=240", "chunk=4", "workers=2", "resume=1")
    process = start(0, *job, "pause=0.02")
    while completed(path) < 2:
        time.sleep(0.002)
    worker = max(pid for pid in descendants(process.pid) if "spawn_main" in command_line(pid))
    os.kill(worker, signal.SIGKILL)
    assert "a process of the batch has died" in ended(process)
    assert process.returncode == 2
    run(0, *job)
    assert files(path) == undisturbed


def test_processes_do_not_outlive_their_parent(tmp_path):
    process = start(0, FAKE, tmp_path / "results.zarr", "samples=240", "chunk=4", "workers=2", "pause=0.02")
    while completed(tmp_path / "results.zarr") < 2:
        time.sleep(0.002)
    workers = [pid for pid in descendants(process.pid) if "spawn_main" in command_line(pid)]
    assert len(workers) == 2
    os.kill(process.pid, signal.SIGKILL)
    ended(process)
    patience = time.monotonic() + PATIENCE
    while any("spawn_main" in command_line(pid) for pid in workers):
        assert time.monotonic() < patience
        time.sleep(0.01)


def descendants(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [found for child in map(int, children) for found in (child, *descendants(child))]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


@pytest.mark.parametrize("ranks", [0, 4])
def test_a_rank_that_fails_ends_the_job_with_chunk_host_and_reason(tmp_path, ranks):
    path = tmp_path / "results.zarr"
    process = start(ranks, FAKE, path, "samples=240", "chunk=4", "fail=41", f"workers={2 - min(ranks, 1)}")
    said = ended(process)
    assert process.returncode == 2
    assert "WorkError: chunk 10 (samples 40 to 43) on " in said
    assert "RuntimeError: sample 41 is bad" in said
    assert completed(path) < CHUNKS
    assert not (path / stores.COMPLETED / "00000010.json").exists()


def test_a_rank_that_cannot_begin_ends_the_job(tmp_path):
    process = start(4, FAKE, tmp_path / "results.zarr", "samples=240", "chunk=4", "begin=2", "pause=0.02")
    said = ended(process)
    assert process.returncode == 2
    assert said.count("a worker on ") == 4
    assert "RuntimeError: no kernels here" in said


ONCE = """
import os
from cluster import work
from cluster.workers.launchers import communicator
from groupkin.errors import ChangedSweepError, NotAssembledError, WorkError
comm = communicator()
calls = []
assert work.once(comm, lambda: calls.append(0) or {"found": 3}) == {"found": 3}
assert len(calls) == (comm.rank == 0)
class Odd(Exception):
    def __str__(self):
        return "odd"
def refuse(error):
    raise error
for shared in work.once, work.each:
    for error, kind, text in (
        (NotAssembledError("a gap", {"A": (1.0, "m")}), NotAssembledError, "a gap"),
        (ChangedSweepError("other", ("seed",)), ChangedSweepError, "other"),
        (OSError(28, "full", "file"), OSError, "[Errno 28] full: 'file'"),
        (Odd(lambda: 0), Odd if comm.rank == 0 else WorkError, "odd"),
        (RuntimeError(), RuntimeError, ""),
    ):
        try:
            shared(comm, (lambda: refuse(error)) if comm.rank == 0 else (lambda: None))
        except Exception as raised:
            same = (type(raised), str(raised)) == (kind, text) and (kind is WorkError or vars(raised) == vars(error))
            os.write(1, b"refused " if same else f"{comm.rank} {raised!r} ".encode())
"""


def test_what_rank_0_refuses_is_raised_by_all_as_the_same_error():
    said = run(2, "-c", ONCE)
    assert said.count("refused") == 2 * 2 * 5, said


BUSY = """
import time
import numpy as np
from cluster import work
from cluster.workers.launchers import communicator
comm = communicator()
counter = work.Counter(comm)
told = []
if comm.rank == 0:
    with work._telling(counter, lambda *more: told.append(more)):
        while not np.frombuffer(counter._window.tomemory(), np.int64)[1] >= 100:
            time.sleep(0.01)  # computes, and does not call MPI
    assert np.sum(told, axis=0).tolist() == [100, 7]
else:
    before = [counter.add(0, 1) for _ in range(100)]
    assert before == list(range(100))
    counter.add(2, 7)
    counter.add(1, 100)
work.wait(comm)
counter.free()
"""


def test_the_counter_answers_other_hosts_while_rank_0_computes():
    run(2, "-c", BUSY, MPIR_CVAR_NOLOCAL="1")  # as if each rank were on a host of its own


WATCHED = """
import os
import time
import mpi4py
mpi4py.rc.thread_level = {level!r}
from cluster import work
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
work.ranks(range(40), do, seen, comm)
if comm.rank == 0:
    os.write(1, f"told {{len(told)}} {{sum(told)}}".encode())
"""


def test_a_watch_that_fails_stops_neither_the_counter_nor_the_batch():
    said = run(2, "-c", WATCHED.format(level="multiple", broken=True), MPIR_CVAR_NOLOCAL="1")
    assert "told 1 " in said
    assert said.count("GroupkinWarning: progress is shown no longer, the batch goes on: KeyError: 'nobody looks'") == 1
    said = run(2, "-W", "error", "-c", WATCHED.format(level="multiple", broken=True), MPIR_CVAR_NOLOCAL="1")
    assert "told 1 " in said
    assert said.count("groupkin: progress is shown no longer") == 1


def test_progress_is_told_after_each_chunk_of_rank_0_if_mpi_allows_one_thread():
    said = run(2, "-c", WATCHED.format(level="funneled", broken=False))
    times, samples = map(int, re.search(r"told (\d+) (\d+)", said).groups())
    assert samples == 40
    assert 10 <= times <= 41


def test_without_mpiexec_mpi_is_not_imported(tmp_path):
    script = (
        "import sys; from cluster import work; from cluster.workers.launchers import communicator;"
        "assert communicator() is None; assert 'mpi4py' not in sys.modules"
    )
    run(0, "-c", script)


def test_chunks_in_this_process_are_taken_in_order():
    taken, seen = [], []

    def do(chunk):
        taken.append(chunk)
        return 10, chunk

    work.alone([3, 1, 2], do, lambda samples, failed: seen.append((samples, failed)))
    assert taken == [3, 1, 2]
    assert seen == [(10, 3), (10, 1), (10, 2)]
