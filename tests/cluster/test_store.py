"""The store: what xarray reads of it, what is on disk when, and what is refused."""

from __future__ import annotations

import errno
import json
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import cluster.store as stores
from cluster import layout
from cluster.running import batch, estimate
from groupkin.errors import ChangedSweepError, GroupkinWarning, OutputError, StoreError, WorkError
from tests.cluster import fake

xr = pytest.importorskip("xarray")


@pytest.fixture(autouse=True)
def _fake(monkeypatch):
    import cluster

    monkeypatch.setitem(sys.modules, "cluster.chunks", fake)
    monkeypatch.setattr(cluster, "chunks", fake, raising=False)


def files(store: Path) -> dict[str, bytes]:
    """All data and metadata of a store, without what tells where and when it was made."""
    found = {str(file.relative_to(store)): file.read_bytes() for file in store.rglob("*") if file.is_file()}
    for name in [name for name in found if name.startswith("_completed/0")]:
        found[name] = str(json.loads(found[name])["failed"]).encode()
    root = json.loads(found["zarr.json"])
    del root["attributes"]["created"], root["attributes"]["host"]
    return found | {"zarr.json": json.dumps(root).encode()}


def expected(sweep: fake.Sweep) -> dict[str, np.ndarray]:
    return fake.solve(sweep, 0, sweep.samples)


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
                layout.unknown(np.dtype(variable.dtype)),
                variable.dtype,
            )
            for variable in fake.variables(prepared)
        }

    monkeypatch.setattr(fake, "solve", nothing)
    batch(fake.Sweep(), tmp_path / "results.zarr", chunk=10)
    for name in ("length", "status", "path", "_partial/workspace"):
        assert len(list((tmp_path / "results.zarr" / name).glob("c.*"))) == 5


def interrupted(path: Path, sweep: fake.Sweep, at: int, monkeypatch, error: Exception) -> None:
    """A run of a batch that ends when the data of chunk `at` are written but their record is not."""
    replace = stores.replace

    def failing(file, text):
        if file.name == f"{at:08d}.json":
            raise error
        replace(file, text)

    with monkeypatch.context() as patch:
        patch.setattr(stores, "replace", failing)
        with pytest.raises((OutputError, WorkError)):
            batch(sweep, path, chunk=7)


def test_what_is_missing_is_resumed_and_nothing_else(tmp_path, monkeypatch):
    sweep, path = fake.Sweep(), tmp_path / "results.zarr"
    interrupted(path, sweep, 3, monkeypatch, RuntimeError("power failed"))
    # of the chunk that has no record, a file is torn, one lost, one was being written
    (path / "path" / "c.3.0.0").write_bytes(b"torn")
    (path / "length" / "c.3").unlink()
    (path / "length" / "c.3.0123.partial").write_bytes(b"half")
    half = xr.open_zarr(path)
    assert set(half.status.values[28:]) == {255}
    assert set(half.status.values[:21]) == {0, 1, 2}
    assert (half.workspace.values == np.iinfo(np.int64).min).all()

    solved = []
    solve = fake.solve
    monkeypatch.setattr(fake, "solve", lambda *given: solved.append(given[1]) or solve(*given))
    summary = batch(sweep, path, resume=True)
    assert solved == [0, 21, 28, 35, 42, 49]  # the first sample is solved to compile
    assert (summary.computed, summary.failed) == (29, 5)
    batch(sweep, tmp_path / "undisturbed.zarr", chunk=7)
    assert files(path) == files(tmp_path / "undisturbed.zarr")

    solved.clear()
    assert batch(sweep, path, resume=True).computed == 0
    assert solved == []


def test_resume_without_a_store_begins_one(tmp_path):
    assert batch(fake.Sweep(), tmp_path / "results.zarr", resume=True).computed == 50


def test_a_store_is_not_overwritten(tmp_path):
    batch(fake.Sweep(), tmp_path / "results.zarr")
    before = files(tmp_path / "results.zarr")
    with pytest.raises(StoreError, match="--resume"):
        batch(fake.Sweep(), tmp_path / "results.zarr")
    assert files(tmp_path / "results.zarr") == before


def test_a_changed_sweep_is_refused_with_the_difference(tmp_path):
    path = tmp_path / "results.zarr"
    batch(fake.Sweep(), path, chunk=7)
    before = files(path)
    with pytest.raises(ChangedSweepError) as refused:
        batch(fake.Sweep(seed=2, times=(0.0, 0.5, 2.0)), path, resume=True)
    assert refused.value.differences == ("seed: 1 in the store, 2 now", "times[2]: 1.0 in the store, 2.0 now")
    assert "times[2]: 1.0 in the store, 2.0 now" in str(refused.value)
    with pytest.raises(StoreError, match="chunks of 7"):
        batch(fake.Sweep(), path, resume=True, chunk=8)
    assert files(path) == before


def test_differences_name_their_place():
    old = {"a": [1, {"b": 2.0}], "c": 1, "d": [1, 2]}
    new = {"a": [1, {"b": 2.5}], "d": [1], "e": "x" * 100}
    assert list(stores.differences(old, new)) == [
        "a[1].b: 2.0 in the store, 2.5 now",
        "c: only in the store",
        "d: 2 entries in the store, 1 entries now",
        "e: only now",
    ]
    assert list(stores.differences({"a": float("nan")}, {"a": float("nan")})) == []


def test_another_version_is_said(tmp_path, monkeypatch):
    batch(fake.Sweep(), tmp_path / "results.zarr")
    monkeypatch.setattr(stores, "versions", lambda: {"numpy": "0.1"})
    with pytest.warns(GroupkinWarning, match="numpy: "):
        batch(fake.Sweep(), tmp_path / "results.zarr", resume=True)


@pytest.mark.parametrize("place", ["data", "sync", "record", "totals"])
@pytest.mark.parametrize(("number", "remedy"), [(errno.ENOSPC, "make room"), (errno.EACCES, "writable")])
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

    stores.create(path, sweep, fake.variables(sweep), 7)
    with monkeypatch.context() as patch:
        if place == "data":
            patch.setattr(zarr.storage._local, "_put", failing(zarr.storage._local._put, 20))
        elif place == "sync":
            patch.setattr(os, "fsync", failing(os.fsync, 50))
        elif place == "record":
            patch.setattr(stores, "replace", failing(stores.replace, 2))
        else:
            patch.setattr(zarr.storage._local, "_put", failing(zarr.storage._local._put, 8 * 8))
        with pytest.raises(OutputError, match=remedy):
            batch(sweep, path, resume=True)
    done = stores.completed(stores.open_store(path))
    assert (len(done) == 8) if place == "totals" else (0 < len(done) < 8)
    assert batch(sweep, path, resume=True).computed == 50 - 7 * len(done) + (6 if place == "totals" else 0)
    batch(sweep, tmp_path / "undisturbed.zarr", chunk=7)
    assert files(path) == files(tmp_path / "undisturbed.zarr")


def test_a_store_is_created_whole_or_not_at_all(tmp_path, monkeypatch):
    sweep, path = fake.Sweep(), tmp_path / "results.zarr"
    with monkeypatch.context() as patch:
        patch.setattr(stores, "sync", lambda paths: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
        with pytest.raises(OutputError, match="No space left"):
            batch(sweep, path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OutputError, match="does not exist"):
        batch(sweep, tmp_path / "nowhere" / "results.zarr")


def test_what_is_no_store_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="no store"):
        batch(fake.Sweep(), tmp_path / "folder", resume=True)
    xr.Dataset({"a": 1}).to_zarr(tmp_path / "other.zarr", consolidated=False)
    with pytest.raises(StoreError, match="no store of a batch"):
        stores.open_store(tmp_path / "other.zarr")


def test_totals_are_not_added_up_while_a_part_cannot_be_seen(tmp_path):
    path = tmp_path / "results.zarr"
    batch(fake.Sweep(), path, chunk=7)
    (path / "_partial" / "workspace" / "c.2.0.0").unlink()
    with pytest.raises(StoreError, match="1 chunk cannot be seen"):
        batch(fake.Sweep(), path, resume=True)


def test_a_failing_sample_names_chunk_host_and_reason(tmp_path):
    with pytest.raises(WorkError, match=r"chunk 2 \(samples 14 to 20\) on .*: RuntimeError: sample 17 is bad"):
        batch(fake.Sweep(fail=17), tmp_path / "results.zarr", chunk=7)


def test_an_estimate_counts_bytes_and_writes_nothing(tmp_path):
    found = estimate(fake.Sweep(samples=1000, pause=1e-4), tmp_path / "results.zarr", chunk=100)
    assert (found.samples, found.chunks, found.measured) == (1000, 10, 100)
    each = 8 + 2 + 2 * 8 + 3 * 2 * 8 + 1 + 2 + 8
    assert found.bytes == 1000 * each + 11 * 20 * 8
    assert found.seconds_per_sample >= 1e-4
    assert list(tmp_path.iterdir()) == []
