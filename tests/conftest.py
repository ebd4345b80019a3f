"""Settings of the whole suite: where compiled kernels are cached and how hypothesis draws."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("groupkin", "sglibrary", "routes", "cluster")


def sources_key() -> str:
    """A hash of all sources of the packages."""
    digest = hashlib.sha256()
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


# numba does not notice a changed helper in another file, so each state of the sources gets a cache of its own.
# It reads the variable when it is first imported, which is after this file.
os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".cache" / f"numba-{sources_key()}")

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
