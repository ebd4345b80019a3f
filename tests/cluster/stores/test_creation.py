"""Before anything is computed: creating a store, places and names that are refused, and what a batch would cost."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

import cluster.stores.store as stores
from cluster.stores import creation
from groupkin import durable_files
from groupkin.errors import ChangedSweepError, GroupkinWarning, OutputError, StoreError
from tests.support import fake_sweep as fake
from tests.support.fake_sweep import batch, estimate
from tests.support.stores import contents, interrupted


def test_a_store_is_created_whole_or_not_at_all(tmp_path, monkeypatch):
    sweep, path = fake.Sweep(), tmp_path / "results.zarr"
    with monkeypatch.context() as patch:
        patch.setattr(creation, "sync", lambda paths: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
        with pytest.raises(OutputError, match="No space left"):
            batch(sweep, path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OutputError, match="does not exist"):
        batch(sweep, tmp_path / "nowhere" / "results.zarr")


def test_of_two_that_create_a_store_one_does(tmp_path, monkeypatch):
    path, laid_out = tmp_path / "results.zarr", creation.lay_out

    def overtaken(own, *given):
        laid_out(own, *given)
        with monkeypatch.context() as patch:
            patch.setattr(creation, "lay_out", laid_out)
            creation.create(path, sweep, fake.variables(sweep), 9)

    sweep = fake.Sweep()
    monkeypatch.setattr(creation, "lay_out", overtaken)
    with pytest.raises(StoreError, match="continue it with --resume"):
        batch(sweep, path)
    assert [file.name for file in tmp_path.iterdir()] == ["results.zarr"]
    shutil.rmtree(path)
    batch(sweep, path, resume=True)
    assert stores.open_store(path).chunk == 9  # that of the other
    assert [file.name for file in tmp_path.iterdir()] == ["results.zarr"]


def test_folders_of_runs_that_were_killed_are_removed_and_those_of_others_are_not(tmp_path):
    path = tmp_path / "results.zarr"
    alive = durable_files.temporary_name(path, creation.CREATING)
    here = alive.name.rpartition("@")[2]
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = {alive.name: 0, f".results.zarr.{gone.pid}-12@{here}": 0}
    names |= {".results.zarr.1-12@elsewhere-0.creating": 600, ".results.zarr.1-34@elsewhere-0.creating": 7200}
    for name, age in names.items():
        (tmp_path / name / "length").mkdir(parents=True)
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    batch(fake.Sweep(), path)
    assert [(tmp_path / name).exists() for name in names] == [True, False, True, False]


def test_an_estimate_counts_bytes_and_writes_nothing(tmp_path, monkeypatch):
    solved, solve = [], fake.solve_chunk
    monkeypatch.setattr(fake, "solve_chunk", lambda *given: solved.append(given[2]) or solve(*given))
    found = estimate(fake.Sweep(samples=1000, pause=1e-4), tmp_path / "results.zarr", chunk=100)
    assert solved == [1, 10, 40, 100]  # to compile, a block, more
    assert (found.samples, found.chunks, found.measured) == (1000, 10, 100)
    assert (found.missing, found.missing_chunks) == (1000, 10)
    each = 8 + 2 + 2 * 8 + 3 * 2 * 8 + 1 + 2 + 8
    assert found.bytes == 1000 * each + 11 * 20 * 8
    assert found.seconds_per_sample >= 1e-4
    assert list(tmp_path.iterdir()) == []


def test_an_estimate_is_not_wrong_by_the_size_of_a_block(tmp_path, monkeypatch):
    solve = fake.solve_chunk

    def costly(prepared, start, stop):  # as much for one sample as for a block
        time.sleep(0.001 * 100 * -(-(stop - start) // 100))
        return solve(prepared, start, stop)

    monkeypatch.setattr(fake, "solve_chunk", costly)
    monkeypatch.setattr(fake.Sweep, "block", 100)
    assert estimate(fake.Sweep(samples=1000), tmp_path / "results.zarr", chunk=500).seconds_per_sample < 0.002
    assert estimate(fake.Sweep(samples=1000), tmp_path / "results.zarr", chunk=50).seconds_per_sample >= 0.002


def test_an_estimate_of_a_store_that_is_continued_counts_what_is_missing(tmp_path, monkeypatch):
    path = tmp_path / "results.zarr"
    interrupted(path, fake.Sweep(), 3, monkeypatch, RuntimeError("power failed"))
    before = contents(path)
    found = estimate(fake.Sweep(), path, workers=2, resume=True)
    assert (found.samples, found.chunk, found.chunks, found.missing, found.missing_chunks) == (50, 7, 8, 29, 5)
    assert found.seconds(2) == 29 * found.seconds_per_sample / 2
    with pytest.raises(ChangedSweepError):
        estimate(fake.Sweep(seed=2), path, resume=True)
    assert contents(path) == before
    batch(fake.Sweep(), path, resume=True)
    found = estimate(fake.Sweep(), path, workers=2, resume=True)
    assert (found.missing, found.seconds(2), found.bytes) == (0, 0.0, 0)


def test_results_that_may_not_fit_on_the_disk_are_warned_of(tmp_path, monkeypatch):
    from cluster.stores import estimates

    path = tmp_path / "results.zarr"
    monkeypatch.setattr(estimates.shutil, "disk_usage", lambda folder: SimpleNamespace(free=3500))
    with pytest.warns(GroupkinWarning, match=r"up to 5\.7 kB before compression, 3\.5 kB are free"):
        batch(fake.Sweep(), path, chunk=7)
    (path / "length" / "c.2").unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch(fake.Sweep(), path, resume=True)  # what is missing fits


def test_what_exists_and_is_no_store_is_said_to_be_none(tmp_path):
    import zarr

    path = tmp_path / "results.zarr"
    for make in (
        path.touch,
        path.mkdir,
        lambda: zarr.create_array(path, shape=3, dtype="f8"),
        lambda: (path.mkdir(), (path / "zarr.json").write_text("{torn")),
        lambda: path.symlink_to("nowhere"),
    ):
        make()
        for resume in (False, True):
            with pytest.raises(StoreError, match=r"not a store|no store") as refused:
                batch(fake.Sweep(), path, resume=resume)
            assert "--resume" not in str(refused.value)
        path.unlink() if path.is_symlink() or path.is_file() else shutil.rmtree(path)
    batch(fake.Sweep(), path)
    with pytest.raises(StoreError, match="continue it with --resume"):
        batch(fake.Sweep(), path)


@pytest.mark.parametrize("ending", ["nc", "ZIP", "csv", "h5"])
def test_a_store_is_not_called_like_a_file(tmp_path, ending):
    for resume in (False, True):
        with pytest.raises(StoreError, match=r"a store is a folder, name it some\.zarr"):
            batch(fake.Sweep(), tmp_path / f"some.{ending}", resume=resume)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_may_not_be_entered_is_refused(tmp_path, monkeypatch):
    def refused(*given, **others):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "lstat", refused)
    monkeypatch.setattr(Path, "exists", refused)
    for resume in (False, True):
        with pytest.raises(OutputError, match="Permission denied"):
            batch(fake.Sweep(), tmp_path / "results.zarr", resume=resume)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *((name, "special meaning") for name in (".", "..", "zarr.json", "_partial", "__x")),
        ("x" * 201, "cannot be the name of a folder"),
    ],
)
def test_names_that_cannot_be_in_a_store_are_refused_before_anything_is_computed(tmp_path, monkeypatch, name, why):
    variables = fake.variables
    monkeypatch.setattr(fake, "variables", lambda sweep: (fake.Variable(name), *variables(sweep)))
    monkeypatch.setattr(fake, "prepare", None)
    with pytest.raises(StoreError, match=why):
        batch(fake.Sweep(), tmp_path / "results.zarr", chunk=7)
    assert list(tmp_path.iterdir()) == []
