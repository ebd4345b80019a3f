"""The store: what xarray reads of it, what is on disk when, and what is refused."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import cluster.stores.store as stores
from cluster.stores import creation, layout, resuming
from groupkin import durable_files
from groupkin.errors import ChangedSweepError, GroupkinWarning, OutputError, StoreError, WorkError
from tests.support import fake_sweep as fake
from tests.support.fake_sweep import batch
from tests.support.shares import in_part
from tests.support.stores import contents, interrupted

xr = pytest.importorskip("xarray")


def expected(sweep: fake.Sweep) -> dict[str, np.ndarray]:
    return fake.solve_chunk(sweep, 0, sweep.samples)


@pytest.mark.smoke
def test_xarray_opens_it_with_units_coordinates_and_attributes(tmp_path):
    sweep = fake.Sweep()
    batch(sweep, tmp_path / "results.zarr")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = xr.open_zarr(tmp_path / "results.zarr")
    for name, values in expected(sweep).items():
        assert data[name].dtype == values.dtype
        np.testing.assert_array_equal(data[name].values, values, err_msg=name)
    assert set(data.coords) == {"length", "mode", "time", "axis"}
    assert data.path.dims == ("sample", "time", "axis")
    assert data.length.attrs["units"] == data.reach.attrs["units"] == "m"
    assert data.time.attrs["units"] == "s"
    assert data.time.values.tolist() == [0.0, 0.5, 1.0]
    assert data.axis.values.tolist() == ["x", "y"]
    assert data.status.attrs["flag_meanings"] == "solved cannot_assemble singular not_computed"
    assert json.loads(data.attrs["sweep"]) == sweep.as_data()
    assert data.attrs["mechanism_file"] == sweep.source
    assert data.attrs["seed"] == 1
    assert json.loads(data.attrs["versions"])["numpy"] == np.__version__
    assert data.attrs["host"]
    assert data.attrs["created"]


def test_the_number_of_samples_in_a_chunk_does_not_matter(tmp_path):
    sweep = fake.Sweep(samples=23)
    for chunk in (1, 5, 100):
        batch(sweep, tmp_path / f"{chunk}.zarr", chunk=chunk)
        data = xr.open_zarr(tmp_path / f"{chunk}.zarr")
        for name, values in expected(sweep).items():
            np.testing.assert_array_equal(data[name].values, values, err_msg=name)


def test_a_chunk_of_fill_values_is_a_file(tmp_path, monkeypatch):
    def nothing(prepared, start, stop):
        return {
            variable.name: np.full(
                variable.shape if variable.total else (stop - start, *variable.shape),
                layout.fill_value(np.dtype(variable.dtype)),
                variable.dtype,
            )
            for variable in fake.variables(prepared)
        }

    monkeypatch.setattr(fake, "solve_chunk", nothing)
    batch(fake.Sweep(), tmp_path / "results.zarr", chunk=10)
    for name in ("length", "status", "path", "_partial/workspace"):
        assert len(list((tmp_path / "results.zarr" / name).glob("c.*"))) == 5


@pytest.mark.smoke
def test_what_is_missing_is_resumed_and_nothing_else(tmp_path, monkeypatch):
    sweep, path = fake.Sweep(), tmp_path / "results.zarr"
    interrupted(path, sweep, 3, monkeypatch, RuntimeError("power failed"))
    # of the chunk that has no record, a file is torn, one lost, one was being written
    (path / "path" / "c.3.0.0").write_bytes(b"torn")
    (path / "length" / "c.3").unlink()
    (path / "length" / "c.3.0123.partial").write_bytes(b"half")
    os.utime(path / "length" / "c.3.0123.partial", (0, 0))
    half = xr.open_zarr(path)
    assert set(half.status.values[28:]) == {255}
    assert set(half.status.values[:21]) == {0, 1, 2}
    assert (half.workspace.values == np.iinfo(np.int64).min).all()

    solved = []
    solve = fake.solve_chunk
    monkeypatch.setattr(fake, "solve_chunk", lambda *given: solved.append(given[1]) or solve(*given))
    summary = batch(sweep, path, resume=True)
    assert solved == [0, 21, 28, 35, 42, 49]  # the first sample is solved to compile
    assert (summary.computed, summary.failed) == (29, 5)
    batch(sweep, tmp_path / "undisturbed.zarr", chunk=7)
    assert contents(path) == contents(tmp_path / "undisturbed.zarr")
    assert not list(path.rglob("*.partial"))

    solved.clear()
    assert batch(sweep, path, resume=True).computed == 0
    assert solved == []


def test_resume_without_a_store_begins_one(tmp_path):
    assert batch(fake.Sweep(), tmp_path / "results.zarr", resume=True).computed == 50


def test_a_store_is_not_overwritten(tmp_path):
    batch(fake.Sweep(), tmp_path / "results.zarr")
    before = contents(tmp_path / "results.zarr")
    with pytest.raises(StoreError, match="--resume"):
        batch(fake.Sweep(), tmp_path / "results.zarr")
    assert contents(tmp_path / "results.zarr") == before


def test_a_changed_sweep_is_refused_with_the_difference(tmp_path):
    path = tmp_path / "results.zarr"
    batch(fake.Sweep(), path, chunk=7)
    before = contents(path)
    with pytest.raises(ChangedSweepError) as refused:
        batch(fake.Sweep(seed=2, times=(0.0, 0.5, 2.0)), path, resume=True)
    assert refused.value.differences == ("seed: 1 in the store, 2 now", "times[2]: 1.0 in the store, 2.0 now")
    assert "times[2]: 1.0 in the store, 2.0 now" in str(refused.value)
    with pytest.raises(StoreError, match="chunks of 7"):
        batch(fake.Sweep(), path, resume=True, chunk=8)
    assert contents(path) == before


def test_differences_name_their_place():
    old = {"a": [1, {"b": 2.0}], "c": 1, "d": [1, 2]}
    new = {"a": [1, {"b": 2.5}], "d": [1], "e": "x" * 100}
    assert list(resuming.differences(old, new)) == [
        "a[1].b: 2.0 in the store, 2.5 now",
        "c: only in the store",
        "d: 2 entries in the store, 1 entries now",
        "e: only now",
    ]
    assert list(resuming.differences({"a": float("nan")}, {"a": float("nan")})) == []


def test_another_version_is_said(tmp_path, monkeypatch):
    batch(fake.Sweep(), tmp_path / "results.zarr")
    monkeypatch.setattr(resuming, "versions", lambda: {"numpy": "0.1"})
    with pytest.warns(GroupkinWarning, match="numpy: "):
        batch(fake.Sweep(), tmp_path / "results.zarr", resume=True)


@pytest.mark.parametrize("place", in_part(["data", "sync", "record", "totals"], 2))
@pytest.mark.parametrize(("number", "remedy"), [(errno.ENOSPC, "free some space"), (errno.EACCES, "writable")])
def test_a_refused_write_stops_cleanly_and_loses_nothing(tmp_path, monkeypatch, place, number, remedy):
    import zarr

    sweep, path = fake.Sweep(), tmp_path / "results.zarr"
    calls = 0

    def failing(original, after):
        def call(*args, **kwargs):
            nonlocal calls
            calls += 1
            if calls > after:
                raise OSError(number, os.strerror(number))
            return original(*args, **kwargs)

        return call

    creation.create(path, sweep, fake.variables(sweep), 7)
    with monkeypatch.context() as patch:
        if place == "data":
            patch.setattr(zarr.storage._local, "_put", failing(zarr.storage._local._put, 20))
        elif place == "sync":
            patch.setattr(os, "fsync", failing(os.fsync, 50))
        elif place == "record":
            patch.setattr(stores, "write_atomically", failing(stores.write_atomically, 2))
        else:
            patch.setattr(zarr.storage._local, "_put", failing(zarr.storage._local._put, 8 * 8))
        with pytest.raises(OutputError, match=remedy):
            batch(sweep, path, resume=True)
    done = stores.completed(stores.open_store(path))
    assert (len(done) == 8) if place == "totals" else (0 < len(done) < 8)
    assert batch(sweep, path, resume=True).computed == 50 - 7 * len(done) + (6 if place == "totals" else 0)
    batch(sweep, tmp_path / "undisturbed.zarr", chunk=7)
    assert contents(path) == contents(tmp_path / "undisturbed.zarr")


def test_what_is_no_store_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="not a store"):
        batch(fake.Sweep(), tmp_path / "folder", resume=True)
    xr.Dataset({"a": 1}).to_zarr(tmp_path / "other.zarr", consolidated=False)
    with pytest.raises(StoreError, match="not a store of a batch"):
        stores.open_store(tmp_path / "other.zarr")


@pytest.mark.parametrize(
    ("name", "totals"),
    [("_partial/workspace/c.2.0.0", True), ("status/c.2", False), ("_completed/00000002.json", False)],
)
def test_a_chunk_that_cannot_be_seen_yet_is_not_complete(tmp_path, monkeypatch, name, totals):
    write, variables = stores.write_chunk, fake.variables

    def late(store, arrays, k, *given):
        failed = write(store, arrays, k, *given)
        if k == 2:
            (store.path / name).unlink()  # as another host sees it
        return failed

    monkeypatch.setattr(stores, "write_chunk", late)
    monkeypatch.setattr(fake, "variables", lambda sweep: [one for one in variables(sweep) if totals or not one.total])
    with pytest.raises(StoreError, match="1 chunk missing"):
        batch(fake.Sweep(), tmp_path / "results.zarr", chunk=7)


@pytest.mark.parametrize("name", in_part(["length/c.2", "path/c.2.0.0", "_partial/workspace/c.2.0.0"], 3))
@pytest.mark.parametrize("lost", ["missing", "empty"])
def test_a_chunk_whose_file_was_lost_is_computed_again(tmp_path, name, lost):
    path = tmp_path / "results.zarr"
    batch(fake.Sweep(), path, chunk=7)
    before = contents(path)
    (path / name).unlink() if lost == "missing" else (path / name).write_bytes(b"")
    assert list(stores.completed(stores.open_store(path))) == [0, 1, 3, 4, 5, 6, 7]
    with pytest.raises(WorkError, match="sample 17 is bad"):
        batch(fake.Sweep(fail=17), path, resume=True)
    assert not (path / "_completed" / "00000002.json").exists()  # its files may not be on disk now
    assert batch(fake.Sweep(), path, resume=True).computed == 7
    assert contents(path) == before


def test_files_that_vanish_while_they_are_looked_at_are_those_of_others(tmp_path, monkeypatch):
    path = tmp_path / "results.zarr"
    batch(fake.Sweep(), path, chunk=7)
    (path / "length" / "c.123.partial").symlink_to("nowhere")
    assert len(stores.completed(stores.open_store(path))) == 8


def test_a_complete_store_is_resumed_without_writing(tmp_path, monkeypatch):
    path = tmp_path / "results.zarr"
    batch(fake.Sweep(), path, chunk=7)
    left = path / "length" / "c.123.partial"
    left.touch()
    os.utime(left, (0, 0))
    before = {file: file.stat().st_mtime_ns for file in path.rglob("*")}

    def refused(*given, **others):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    for name in ("mkdir", "makedirs", "unlink", "remove", "replace", "rename", "link"):
        monkeypatch.setattr(os, name, refused)
    monkeypatch.setattr(os, "fsync", refused)
    opened = Path.open

    def read(file, mode="r", *given, **others):
        return opened(file, mode, *given, **others) if mode in ("r", "rb") else refused()

    monkeypatch.setattr(Path, "open", read)
    assert batch(fake.Sweep(), path, resume=True).computed == 0
    assert {file: file.stat().st_mtime_ns for file in path.rglob("*")} == before


def test_what_others_are_writing_is_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "results.zarr"
    interrupted(path, fake.Sweep(), 3, monkeypatch, RuntimeError("power failed"))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    here = durable_files.temporary_name(path, "partial").name.rpartition("@")[2]
    (young, dead, alive, far, old) = (
        path / "length" / name
        for name in (
            "c.123.partial",
            f".c.{gone.pid}-12@{here}",
            f".c.{os.getppid()}-12@{here}",
            f".c.{gone.pid}-12@elsewhere-0.partial",
            f".c.{gone.pid}-34@elsewhere-0.partial",
        )
    )
    for file, age in ((young, 60), (dead, 0), (alive, 1800), (far, 60), (old, 1800)):
        file.touch()
        os.utime(file, (time.time() - age,) * 2)
    monkeypatch.setattr(durable_files, "_runs_for", lambda process: 3600.0)  # longer than the files are old
    batch(fake.Sweep(), path, resume=True)
    assert [file.exists() for file in (young, dead, alive, far, old)] == [True, False, True, True, False]


def test_a_failing_sample_names_chunk_host_and_reason(tmp_path):
    with pytest.raises(WorkError, match=r"chunk 2 \(samples 14 to 20\) on .*: RuntimeError: sample 17 is bad"):
        batch(fake.Sweep(fail=17), tmp_path / "results.zarr", chunk=7)
