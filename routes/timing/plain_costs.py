"""What the plain call costs, `groupkin.solve`, and the same with its steps shared by workers: measured as it is.

It is what every other way is compared with. Its memory is used again, as where many motions are solved: to touch new
memory first costs the same in all ways.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.motion_memory import STREAMED
from routes.running.backends import Backend, serial
from routes.running.shared_time import solve_shared
from routes.timing.cost_cache import Key, read_costs, write_costs
from routes.timing.group_costs import disturbed, spread_of

Array = NDArray[np.float64]

ROUNDS = 7
"""Runs of each, in turns; the median counts."""

LONGEST, LEAST_STEPS = 0.03, 512
"""Seconds that a measured run takes at most, and steps that it has at least."""


class PlainCosts(NamedTuple):
    """Seconds per step of one worker, and of all workers of a backend that share the steps."""

    alone: float
    shared: float


def plain_costs(program: Program, times: Array, backend: Backend, path: Path | None) -> PlainCosts:
    """What the plain call and its loop shared by workers cost at some times; measured where it is unknown.

    Parameters
    ----------
    program : Program
    times : (n,) array
        s.
    backend : Backend
    path : Path or None
        The file of measurements (`routes.timing.cost_cache`); None to measure and keep nothing.
    """
    name, size = f"plain {digest(program)}", _bucket(times.size)
    keys: list[Key] = [(name, size, "alone"), (name, size, f"{backend.name} {backend.workers}")]
    known = backend.broadcast(lambda: read_costs(path, keys) if path else {})
    if len(known) < len(keys):
        found, spread = _measured(program, times, backend)
        known = dict(zip(keys, found, strict=True))
        if path is not None and not backend.broadcast(lambda: disturbed(spread)):
            backend.broadcast(lambda: write_costs(path, known))
    return PlainCosts(*(known[key] for key in keys))


def digest(program: Program) -> str:
    """Digits that stand for a program in names of measurements."""
    hashed = hashlib.sha256()
    for call in program.calls:
        hashed.update(call.rows.tobytes() + call.constants.tobytes())
    return hashed.hexdigest()[:24]


def _bucket(steps: int) -> int:
    """Numbers of steps that cost the same for each: up to a factor of 1.4."""
    return round(2.0 ** (0.5 * round(2.0 * math.log2(steps))))


def _measured(program: Program, times: Array, backend: Backend) -> tuple[PlainCosts, float]:
    """Seconds per step, and by how much longer than the fastest the median run took."""
    t = times[:: max(1, -(-times.size // _most_steps(program, times, backend)))]
    t = np.ascontiguousarray(np.linspace(times[0], times[-1], t.size))
    ways = [_run_of(serial(), program, t), _run_of(backend, program, t)]
    seconds: list[list[float]] = [[], []]
    for turn in range(ROUNDS + 2):
        for way, found in zip(ways, seconds, strict=True):
            backend.barrier()
            began = time.perf_counter()
            way()
            if turn > 1:  # the first ones touch memory and start threads
                found.append(time.perf_counter() - began)
    median, spread = ([float(f(x)) for x in seconds] for f in (np.median, spread_of))
    return backend.broadcast(lambda: (PlainCosts(*(x / t.size for x in median)), max(spread)))


def _run_of(backend: Backend, program: Program, times: Array) -> Callable[[], object]:
    """A function that solves a motion again and again in the same memory."""
    motion: Motion | None = None

    def solve() -> object:
        nonlocal motion
        motion = solve_shared(backend, program, times, on_failure="nan", out=motion)
        return motion

    return solve


def _most_steps(program: Program, times: Array, backend: Backend) -> int:
    """Steps that are measured: as many as there are, or as fill the caches and do not take long."""
    run = _run_of(serial(), program, np.linspace(times[0], times[-1], min(times.size, LEAST_STEPS)))
    run()
    began = time.perf_counter()
    run()
    seconds = (time.perf_counter() - began) / min(times.size, LEAST_STEPS)
    past_caches = 2 * STREAMED // (24 * max(1, len(program.kept)))
    return backend.broadcast(lambda: max(LEAST_STEPS, min(times.size, past_caches, int(LONGEST / seconds))))
