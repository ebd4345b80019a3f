"""Settings of the whole suite: where compiled kernels are cached and how hypothesis draws."""

from __future__ import annotations

import fcntl
import hashlib
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent


def sources_key() -> str:
    """A hash of all sources that are compiled."""
    digest = hashlib.sha256()
    for path in sorted([*(ROOT / "sglibrary").rglob("*.py"), *(ROOT / "groupkin").rglob("kernel.py")]):
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


# numba does not notice a changed helper in another file, so each state of the sources gets a cache of its own.
# It reads the variable when it is first imported, which is after this file.
os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".cache" / f"numba-{sources_key()}")

# small matrices only: threads of the library would compete with the workers
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session", autouse=True)
def one_worker_at_a_time_writes_the_cache() -> None:
    """Of two workers that compile one function for different types, each may take the other's file for its own."""
    from numba.core.caching import IndexDataCacheFile

    save = IndexDataCacheFile.save

    def locked(self: Any, key: Any, data: Any) -> None:
        with Path(f"{self._index_path}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            save(self, key, data)

    IndexDataCacheFile.save = locked
