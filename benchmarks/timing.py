"""How benchmarks time, and what they say of where they ran.

The processor's time, so that other programs disturb less, and the least of several runs, since what disturbs only adds
to it. Ways that are compared are run in turns. Each turn begins with runs for 10 ms that are not counted, after which
the caches and the branch predictor hold what the next one needs. Matrices of NumPy take one thread too, or those that
wait would be counted.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

WARM = 0.01
"""Least time of runs that are not counted, s."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
if not ONE_THREAD.items() <= os.environ.items():  # read when NumPy is first imported, so begin again
    os.execve(sys.executable, sys.orig_argv, os.environ | ONE_THREAD)


def least(runs: Mapping[str, Callable[[], object]], repeat: int, calls: int = 1) -> dict[str, float]:
    """Least seconds of a call of each, run in turns; that many calls are timed together."""
    found = dict.fromkeys(runs, np.inf)
    for _ in range(repeat):
        for name, run in runs.items():
            start = time.process_time()
            run()
            while time.process_time() - start < WARM:
                run()
            start = time.process_time()
            for _ in range(calls):
                run()
            found[name] = min(found[name], (time.process_time() - start) / calls)
    return found


def least_of(run: Callable[[], object], repeat: int, calls: int = 1) -> float:
    """Least seconds of a call."""
    return least({"": run}, repeat, calls)[""]


def setting(*packages: str) -> dict[str, str]:
    """Processor and versions of Python, of what compiles and computes, and of some other packages."""
    about = Path("/proc/cpuinfo")
    cpu = re.search(r"model name\s*:\s*(.*)", about.read_text()) if about.exists() else None
    found = {"processor": cpu.group(1) if cpu else platform.processor(), "Python": platform.python_version()}
    for package in ("numba", "llvmlite", "numpy", "scipy", "groupkin", *packages):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return found


def told(*packages: str) -> str:
    """The setting in a line."""
    return ", ".join(f"{name} {value}" for name, value in setting(*packages).items())
