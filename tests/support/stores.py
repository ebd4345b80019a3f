"""Stores that the tests compare, and batches that are interrupted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cluster.stores.store as stores
from cluster.stores.layout import COMPLETED
from groupkin.errors import OutputError, WorkError
from tests.support import fake_sweep as fake


def contents(store: Path) -> dict[str, bytes]:
    """Read all files of a store but those of killed runs, without host, time and what depends on them."""
    files = [file for file in store.rglob("*") if file.is_file() and file.suffix != ".partial"]
    data = {str(file.relative_to(store)): file.read_bytes() for file in files}
    for name in [name for name in data if name.startswith("_completed/0")]:
        record = json.loads(data[name])
        data[name] = json.dumps([record["failed"], record["files"]]).encode()
    layout = json.loads(data["_completed/layout.json"])
    del layout["checksum"], layout["files"]["zarr.json"]
    root = json.loads(data["zarr.json"])
    del root["attributes"]["created"], root["attributes"]["host"]
    return data | {"zarr.json": json.dumps(root).encode(), "_completed/layout.json": json.dumps(layout).encode()}


def records(store: Path) -> int:
    """Count the records of a store."""
    return len(list((store / COMPLETED).glob("0*.json")))


def interrupted(path: Path, sweep: fake.Sweep, at: int, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Run a batch that ends when the data of chunk `at` are written but their record is not."""
    write = stores.write_atomically

    def failing(file: Path, text: str) -> None:
        if file.name == f"{at:08d}.json":
            raise error
        write(file, text)

    with monkeypatch.context() as patch:
        patch.setattr(stores, "write_atomically", failing)
        with pytest.raises((OutputError, WorkError)):
            fake.batch(sweep, path, chunk=7)
