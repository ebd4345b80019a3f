"""What ways to solve a motion cost as they are: first of all the plain call, with which every other is compared.

Memory is used again, as where many motions are solved: to touch new memory first costs the same in all ways.
"""

from __future__ import annotations

import hashlib
import math
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from groupkin.errors import GroupkinWarning
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.motion_memory import STREAMED
from groupkin.kinematics.solving.run import run
from routes.running.backends import Backend
from routes.timing.cost_cache import Key, read_costs, write_costs
from routes.timing.group_costs import disturbed, spread_of
from sglibrary.array_types import Array

Way = Callable[[Array, Any], Any]
"""Solves a motion at some times, in the memory of what it has returned before, if there is any."""

ALONE = "alone"
"""The plain call, `groupkin.solve`, in one thread."""

ROUNDS = 7
"""Runs of each way, in turns; the median counts."""

LONGEST, LEAST_STEPS = 0.03, 512
"""Seconds that a measured run of one thread takes at most, about, and steps that it has at least."""


def measured_ways(
    program: Program, times: Array, ways: Mapping[str, Way], backend: Backend, path: Path | None, alone: str = ALONE
) -> dict[str, float]:
    """Seconds per step of the plain call, and of some ways to share its work; measured where they are unknown.

    Parameters
    ----------
    program : Program
    times : (n,) array
        s.
    ways : mapping of str to callable
        By names that tell them apart.
    backend : Backend
        All of its processes take part.
    path : Path or None
        The file of measurements (`routes.timing.cost_cache`); None to measure and keep nothing.
    alone : str
        Which is the plain call, of one thread: `ALONE` is `groupkin.solve`, any other is among the ways.
    """
    every = dict(ways)
    if alone == ALONE:
        every[ALONE] = lambda t, out: run(program, t, on_failure="nan", out=out)
    about, size = f"motion {digest(program)}", like(times.size)
    keys: dict[str, Key] = {name: (about, size, name) for name in every}
    known = backend.broadcast(lambda: read_costs(path, keys.values()) if path else {})
    if len(known) < len(keys):
        # the motion that is wanted warns
        with warnings.catch_warnings(action="ignore", category=GroupkinWarning):
            seconds, spread = _measured(times, every, backend, program, alone)
        known = {keys[name]: x for name, x in seconds.items()}
        if path is not None and not backend.broadcast(lambda: disturbed(spread)):
            backend.broadcast(lambda: write_costs(path, known))
    return {name: known[key] for name, key in keys.items()}


def digest(program: Program) -> str:
    """Digits that stand for a program in names of measurements."""
    hashed = hashlib.sha256()
    for call in program.calls:
        hashed.update(call.rows.tobytes() + call.constants.tobytes())
    return hashed.hexdigest()[:24]


def like(steps: int) -> int:
    """A number that stands for all numbers of steps up to a factor of 1.4, each of which costs the same."""
    return round(2.0 ** (0.5 * round(2.0 * math.log2(steps))))


def _measured(
    times: Array, ways: Mapping[str, Way], backend: Backend, program: Program, alone: str
) -> tuple[dict[str, float], float]:
    """Seconds per step, and by how much longer than the fastest the median run took at most."""
    steps = backend.broadcast(lambda: _steps(times, ways[alone], program))
    t = np.linspace(times[0], times[-1], steps)
    motions: dict[str, Any] = dict.fromkeys(ways)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(ROUNDS + 2):
        for name, way in ways.items():
            backend.barrier()
            if name == alone and backend.local.start:
                continue
            began = time.perf_counter()
            motions[name] = way(t, motions[name])
            if turn > 1:  # the first ones touch memory and start threads
                seconds[name].append(time.perf_counter() - began)
    found = {name: float(np.median(x)) / steps for name, x in seconds.items() if x}
    spread = max(spread_of(x) for x in seconds.values() if x)
    return backend.broadcast(lambda: (found, spread))


def _steps(times: Array, alone: Way, program: Program) -> int:
    """Steps that are measured: as many as there are, or as fill the caches and do not take long."""
    few = np.linspace(times[0], times[-1], min(times.size, LEAST_STEPS))
    motion = alone(few, None)
    began = time.perf_counter()
    alone(few, motion)
    seconds = (time.perf_counter() - began) / few.size
    past_caches = 2 * STREAMED // (24 * max(1, len(program.kept)))
    return min(times.size, max(LEAST_STEPS, min(past_caches, int(LONGEST / seconds))))
