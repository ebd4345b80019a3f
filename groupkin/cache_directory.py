"""The user's cache directory, for what may be computed again."""

from __future__ import annotations

import os
from pathlib import Path

DIRECTORY_VARIABLE = "GROUPKIN_CACHE_DIR"
"""The environment variable that names another directory."""


def cache_directory() -> Path:
    """The directory of measurements and structures, whether it exists or not."""
    import platformdirs

    return Path(os.environ.get(DIRECTORY_VARIABLE) or platformdirs.user_cache_path("groupkin"))
