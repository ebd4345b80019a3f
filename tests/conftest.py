"""Settings of the whole suite: where compiled kernels are cached and how hypothesis draws."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# beside the sources, so that nothing in the user's cache changes; read when numba is first imported, after this file
os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".cache" / "numba")

# small matrices only: threads of the library would compete with the workers
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
