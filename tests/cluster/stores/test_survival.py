"""What the safety of a batch rests on: the order of calls to the disk, and recovery from any kill or full disk."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import cluster.stores.store as stores
from cluster.stores import creation, resuming
from tests.support import fake_sweep as fake
from tests.support.paths import EXAMPLES
from tests.support.processes import FAKE, TIMEOUT, descendants, output, run, start
from tests.support.stores import contents, records

# --- the order of calls ----------------------------------------------------------------------


@contextmanager
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, Path]]]:
    """What is asked of the disk: files and folders that are brought there, names that are given."""
    log: list[tuple[str, Path]] = []

    def fsync(handle, original=os.fsync):
        original(handle)
        log.append(("sync", Path(f"/proc/self/fd/{handle}").readlink()))

    def naming(original):
        def call(old, new, **others):
            original(old, new, **others)
            log.append(("name", Path(new)))

        return call

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "replace", naming(os.replace))
        patch.setattr(os, "rename", naming(os.rename))
        yield log


def test_a_chunk_is_recorded_when_its_data_are_on_disk(tmp_path, monkeypatch):
    sweep, path = fake.Sweep(), tmp_path / "results.zarr"
    store = creation.create(path, sweep, fake.variables(sweep), 7)
    opened = stores.arrays(store)
    with calls(monkeypatch) as log:
        stores.write_chunk(store, opened, 2, fake.solve_chunk(sweep, 14, 21), 0.1)
    record = path / "_completed" / "00000002.json"
    data = {next((path / name).glob("c.2*")) for name in opened}
    folders = {file.parent for file in data}
    assert len(data) == 8
    begin, end = len(data), 2 * len(data) + len(folders)
    assert set(log[:begin]) == {("name", file) for file in data}  # all files have their names
    assert set(log[begin:end]) == {("sync", place) for place in data | folders}  # and are on disk with them
    (first, draft), *rest = log[end:]
    assert first == "sync"  # the record, before it has its name
    assert draft.parent == record.parent
    assert draft.suffix == ".partial"
    assert rest == [("name", record), ("sync", record.parent)]


def test_the_record_of_a_chunk_that_was_lost_is_gone_from_the_disk_before_it_is_computed_again(tmp_path, monkeypatch):
    sweep, path = fake.Sweep(), tmp_path / "results.zarr"
    store = creation.create(path, sweep, fake.variables(sweep), 7)
    stores.write_chunk(store, stores.arrays(store), 2, fake.solve_chunk(sweep, 14, 21), 0.1)
    (path / "length" / "c.2").unlink()
    with calls(monkeypatch) as log:
        resuming.resume(path, sweep)
    assert not list((path / "_completed").glob("0*"))
    assert log == [("sync", path / "_completed")]


def test_a_store_has_its_name_when_all_of_it_is_on_disk(tmp_path, monkeypatch):
    sweep, path = fake.Sweep(), tmp_path / "results.zarr"
    with calls(monkeypatch) as log:
        creation.create(path, sweep, fake.variables(sweep), 7)
    assert log[-2:] == [("name", path), ("sync", tmp_path)]
    synced = [place for what, place in log[:-2] if what == "sync"]
    own = min(synced, key=lambda place: len(place.parts))
    assert own.suffix == ".creating"
    assert {path / place.relative_to(own) for place in synced} == {path, *path.rglob("*")}
    assert max(k for k, (what, _) in enumerate(log[:-2]) if what == "name") < min(
        k for k, (what, _) in enumerate(log) if what == "sync"
    )


# --- kills -----------------------------------------------------------------------------------

SEEN = """
[[keep]]
name = "seen"
occupancy = { of = "P", low = [-200, -200], high = [400, 400], cells = [6, 6] }
"""
SAMPLES, CHUNK = 240, 4


@pytest.fixture(scope="module")
def tolerance(tmp_path_factory):
    """The tolerance analysis of the four-bar linkage, with fewer samples and with totals, and its undisturbed store."""
    folder = tmp_path_factory.mktemp("tolerance")
    text = (EXAMPLES / "four_bar_tolerance.sweep.toml").read_text()
    assert "samples = 10000" in text
    shutil.copy(EXAMPLES / "four_bar.toml", folder)
    (folder / "some.sweep.toml").write_text(text.replace("samples = 10000", f"samples = {SAMPLES}") + SEEN)
    out = folder / "undisturbed.zarr"
    run(
        0,
        "-m",
        "groupkin.cli.main",
        "batch",
        folder / "some.sweep.toml",
        "--out",
        out,
        "--chunk",
        CHUNK,
        "--workers",
        1,
    )
    return folder / "some.sweep.toml", contents(out)


def ranks_of(process: subprocess.Popen[str]) -> list[int]:
    found = []
    for pid in descendants(process.pid):
        with suppress(OSError):
            if b"PMI_RANK=" in Path(f"/proc/{pid}/environ").read_bytes():
                found.append(pid)
    return found


def kill_some(process: subprocess.Popen[str], draw: random.Random, due: Callable[[], bool], later: float) -> bool:
    """Send SIGKILL to a random rank or to the whole job, some time after something is due; returns if it was hit."""
    end = time.monotonic() + TIMEOUT
    while not due() and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.001)
    time.sleep(draw.uniform(0.0, later))
    if draw.random() < 0.3:
        victims = [process.pid, *descendants(process.pid)]
    else:
        ranks = ranks_of(process)
        victims = draw.sample(ranks, min(1, len(ranks)))
    for pid in victims:
        with suppress(OSError):  # it has just ended
            os.kill(pid, signal.SIGKILL)
    output(process)
    return process.returncode != 0


def killed(path: Path, chunks: int, job: Sequence[str | Path], ranks: int, draw: random.Random, most: int) -> int:
    """Kill a batch that is begun and continued, at any moment from its creation to its totals; returns how often."""

    def creating() -> bool:
        return path.exists() or any(path.parent.glob(f".{path.name}.*"))

    def working(count: int) -> Callable[[], bool]:
        return lambda: records(path) >= count

    hits = 0
    for due, later in (
        (creating, 0.05),
        (lambda: True, 2.0),
        (working(draw.randrange(1, chunks)), 0.02),
        (working(draw.randrange(1, chunks)), 0.02),
        (working(chunks), 0.03),
    )[:most]:
        hits += kill_some(start(ranks, *job), draw, due, later)
    return hits


def seeded() -> random.Random:
    seed = int(os.environ.get("GROUPKIN_SEED", random.randrange(2**32)))
    print(f"GROUPKIN_SEED={seed}")  # shown if this fails
    return random.Random(seed)


@pytest.mark.exhaustive
def test_whenever_a_rank_is_killed_the_data_are_as_undisturbed(tmp_path, tolerance):
    sweep, undisturbed = tolerance
    path = tmp_path / "results.zarr"
    job = ("-m", "groupkin.cli.main", "batch", sweep, "--out", path, "--resume", "--chunk", str(CHUNK))
    assert killed(path, SAMPLES // CHUNK, job, 4, seeded(), 5)
    run(4, *job)
    assert contents(path) == undisturbed
    left = [file.name for file in tmp_path.iterdir() if file != path]
    assert not left


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_of_200_kills_of_ranks_and_jobs_none_leaves_a_trace(tmp_path):
    draw, hits, stores_made = seeded(), 0, 0
    job = ("samples=120", "chunk=4", "pause=0.002", "resume=1")
    run(0, FAKE, tmp_path / "undisturbed", *job)
    undisturbed = contents(tmp_path / "undisturbed")
    while hits < 200:
        path = tmp_path / f"{stores_made}.zarr"
        hits += killed(path, 30, (FAKE, path, *job), 2, draw, draw.randint(1, 5))
        run(2, FAKE, path, *job)
        assert contents(path) == undisturbed
        assert sorted(file.name for file in tmp_path.iterdir()) == [path.name, "undisturbed"]
        shutil.rmtree(path)
        stores_made += 1
        print(f"{hits} kills, {stores_made} stores", flush=True)


# --- a full disk -----------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path):
    """A file system of its own with little room."""
    place = tmp_path / "small"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], check=False, capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {made.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="mounts a tmpfs")
def test_a_disk_that_is_full_stops_all_ranks_and_loses_nothing(tmp_path, small):
    path = small / "results.zarr"
    job = (FAKE, path, "samples=240", "chunk=4", "resume=1")
    process = start(4, *job)
    said = output(process)
    assert process.returncode == 2, said
    assert "No space left on device; free some space on the disk" in said
    assert "Complete chunks are kept" in said
    done = set(stores.completed(stores.open_store(path)))
    assert 0 < len(done) < 60
    subprocess.run(["mount", "-o", "remount,size=16m", str(small)], check=True)
    again = run(4, *job)
    assert again.count(f"computed={240 - 4 * len(done)}") == 4
    run(0, FAKE, tmp_path / "undisturbed.zarr", "samples=240", "chunk=4")
    assert contents(path) == contents(tmp_path / "undisturbed.zarr")


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="mounts a tmpfs")
def test_a_complete_store_on_a_file_system_that_is_only_read_is_resumed(small):
    job = (FAKE, small / "results.zarr", "samples=50", "chunk=7", "resume=1")
    run(0, *job)
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    assert "failed=5, outside=0, computed=0" in run(0, *job)
