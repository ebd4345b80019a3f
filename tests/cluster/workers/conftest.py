"""Fixtures of the tests of workers."""

from __future__ import annotations

import pytest

from tests.support.processes import FAKE, run
from tests.support.stores import contents


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Contents of the store that one process has written in one run."""
    path = tmp_path_factory.mktemp("undisturbed") / "results.zarr"
    run(0, FAKE, path, "samples=240", "chunk=4")
    return contents(path)
