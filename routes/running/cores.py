"""The cores of this machine."""

from __future__ import annotations

import os


def available_cores() -> int:
    """Count the cores that this process may use, which a batch system may have restricted."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
