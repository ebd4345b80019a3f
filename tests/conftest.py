"""Settings of the whole suite: where compiled kernels are cached and how hypothesis draws."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock
from zlib import crc32

import pytest
from hypothesis import settings

from tests.support.processes import usual_signals
from tests.support.shares import thin_out

ROOT = Path(__file__).resolve().parent.parent

# beside the sources, so that nothing in the user's cache changes; read when numba is first imported, after this file
os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".cache" / "numba")

# empty for every run, so that nothing is taken over from other versions
_directory = tempfile.TemporaryDirectory(prefix="groupkin-tests-")
os.environ["GROUPKIN_CACHE_DIR"] = _directory.name

# small matrices only: threads of the library would compete with the workers
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--share", type=float, default=1.0, help="run only this share of the tests that are selected")
    parser.addoption("--share-seed", default="", help="text that decides which tests are in the share")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but a share of the tests, the same for all workers and every time for one seed."""
    thin_out(items)
    share, seed = config.getoption("share"), config.getoption("share_seed")
    if share < 1.0:
        left_out = [item for item in items if crc32(f"{seed} {item.nodeid}".encode()) >= share * 2**32]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


MANY = 1000
"""Tests from which on a run needs nearly all kernels."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile what takes longest, each worker a part of it, so that no two compile the same at the same time."""
    worker, workers = os.environ.get("PYTEST_XDIST_WORKER", ""), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1 or len(session.items) < MANY or "NUMBA_DISABLE_JIT" in os.environ:
        return
    from sglibrary.catalog import GROUPS
    from sglibrary.run.calls import handle
    from sglibrary.written_out import PREPARED, compile_loop, compile_prepared

    number = int(worker.removeprefix("gw"))
    if number == 0:
        compile_loop()
        for name in PREPARED:
            compile_prepared(name)
    for solver in GROUPS[number::workers]:
        handle(solver.motion)


@pytest.fixture(autouse=True)
def _usual_signals() -> Iterator[None]:
    """Tests in the background (``nohup pytest &``) interrupt themselves and others as in a terminal."""
    with usual_signals():
        yield


@pytest.fixture(scope="module")
def line_by_line(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let equations of groups of joints be computed line by line, but for the exhaustive tests.

    To compile those of every random mechanism would take a second each; both ways give the same bits
    (`tests/groupkin/kinematics/test_straight_line_groups.py`).
    """
    from sglibrary import written_out

    if "not exhaustive" not in request.config.option.markexpr:
        yield
        return
    with mock.patch.object(written_out, "is_compiled", return_value=False):
        yield
