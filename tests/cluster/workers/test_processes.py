"""Chunks computed by processes of one machine: the same data as by one process, and processes that die."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from cluster.stores import running
from cluster.workers.processes import run_processes, run_serial
from groupkin.child_processes import SAFE_PATH
from tests.support import fake_sweep as fake
from tests.support.processes import FAKE, TIMEOUT, command_line, descendants, output, run, start, wait_until
from tests.support.stores import contents, records


@pytest.mark.exhaustive
def test_processes_give_the_same_data(tmp_path, undisturbed):
    run(0, FAKE, tmp_path / "results.zarr", "samples=240", "chunk=4", "workers=2")
    assert contents(tmp_path / "results.zarr") == undisturbed


@pytest.mark.exhaustive
def test_processes_that_are_started_at_once_all_end_well(tmp_path, undisturbed):
    path = tmp_path / "results.zarr"
    job = (FAKE, path, "samples=240", "chunk=4", "resume=1", "pause=0.001")
    for process in [start(0, *job) for _ in range(4)]:
        said = output(process)
        assert process.returncode == 0, said
        assert "samples=240, failed=24" in said
    assert contents(path) == undisturbed
    assert [file.name for file in tmp_path.iterdir()] == ["results.zarr"]


@pytest.mark.exhaustive
def test_killed_process_of_one_machine_and_resumed(tmp_path, undisturbed):
    path = tmp_path / "results.zarr"
    job = (FAKE, path, "samples=240", "chunk=4", "workers=2", "resume=1")
    process = start(0, *job, "pause=0.02")
    wait_until(lambda: records(path) >= 2, process)
    worker = max(pid for pid in descendants(process.pid) if "spawn_main" in command_line(pid))
    os.kill(worker, signal.SIGKILL)
    assert "a process of the batch died" in output(process)
    assert process.returncode == 2
    run(0, *job)
    assert contents(path) == undisturbed


@pytest.mark.parametrize("computing", [False, True])
@pytest.mark.exhaustive
def test_interrupted_while_processes_start_or_compute(tmp_path, computing):
    path = tmp_path / "results.zarr"
    process = start(0, FAKE, path, "samples=240", "chunk=4", "pause=100", "command=--workers 2")

    def begun() -> bool:
        workers = [pid for pid in descendants(process.pid) if "spawn_main" in command_line(pid)]
        return len(workers) == 2 and (not computing or all(map(ignores_interrupts, workers)))

    wait_until(begun, process)
    time.sleep(0.1)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    said = output(process)
    assert time.monotonic() < began + 30
    assert process.returncode == 130, said
    assert said.splitlines()[-1] == "groupkin: interrupted; complete chunks are kept: continue with --resume"
    assert "Traceback" not in said


def ignores_interrupts(pid: int) -> bool:
    try:
        ignored = Path(f"/proc/{pid}/status").read_text().partition("SigIgn:")[2].split()[0]
    except OSError:
        return False
    return bool(int(ignored, 16) >> (signal.SIGINT - 1) & 1)


def test_processes_do_not_outlive_their_parent(tmp_path):
    path = tmp_path / "results.zarr"
    process = start(0, FAKE, path, "samples=240", "chunk=4", "workers=2", "pause=0.02")
    wait_until(lambda: records(path) >= 2, process)
    workers = [pid for pid in descendants(process.pid) if "spawn_main" in command_line(pid)]
    assert len(workers) == 2
    os.kill(process.pid, signal.SIGKILL)
    output(process)
    end = time.monotonic() + TIMEOUT
    while any("spawn_main" in command_line(pid) for pid in workers):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.smoke
def test_without_mpiexec_mpi_is_not_imported(tmp_path):
    script = (
        "import sys; from cluster.stores import running; from cluster.workers.launchers import communicator;"
        "assert communicator() is None; assert 'mpi4py' not in sys.modules"
    )
    run(0, "-c", script)


def prepared_slowly():
    time.sleep(0.5)
    return lambda chunk: (chunk, 0)


def prepared_to_tell():
    return lambda chunk: (int(SAFE_PATH in os.environ), int(sys.flags.safe_path))


@pytest.mark.exhaustive
def test_processes_leave_the_working_directory_out_and_tell_nobody(monkeypatch):
    """What they start themselves is left as it was."""
    monkeypatch.delenv(SAFE_PATH, raising=False)
    seen = []
    run_processes([0], prepared_to_tell, lambda *now: seen.append(now), 1)
    assert sorted(seen) == [(0, 0), (0, 1)]
    assert SAFE_PATH not in os.environ


@pytest.mark.exhaustive
def test_the_clock_of_progress_starts_when_a_process_is_ready():
    seen, began = [], time.monotonic()
    run_processes([3, 4], prepared_slowly, lambda *now: seen.append((time.monotonic(), now)), 2)
    assert seen[0][0] > began + 0.5
    assert seen[0][1] == (0, 0)
    assert sorted(now for _, now in seen) == [(0, 0), (3, 0), (4, 0)]


def test_the_clock_of_progress_starts_when_kernels_are_compiled(tmp_path, monkeypatch):
    events = []
    setup = running._setup
    monkeypatch.setattr(running, "_setup", lambda *given: events.append("ready") or setup(*given))
    fake.batch(fake.Sweep(), tmp_path / "results.zarr", chunk=25, show=lambda *now: events.append(now[:2]))
    assert events == ["ready", (0, 50), (25, 50), (50, 50)]


def test_chunks_in_this_process_are_taken_in_order():
    taken, seen = [], []

    def do(chunk):
        taken.append(chunk)
        return 10, chunk

    run_serial([3, 1, 2], do, lambda samples, failed: seen.append((samples, failed)))
    assert taken == [3, 1, 2]
    assert seen == [(10, 3), (10, 1), (10, 2)]
