"""Ways to execute a program, timed side by side on real motion and compared with the sequential answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from routes.running.backends import Backend, backend_of, serial
from routes.running.execution import STEP_BY_STEP, Run, execute, motion_of, prepare, waited
from routes.timing.candidates import Way, lanes_of, predicted
from routes.timing.profile import Prices, alone

Array = NDArray[np.float64]

ENOUGH = 0.01
"""Seconds that a timed run takes at least, alone: what it costs to begin and end must be little of it."""

WARM = 0.03
"""Seconds for which a way is run again and again before it is timed."""

STEPS, CACHED = 2**16, 2**23
"""Steps of a timed run at most, and bytes of its results, which are to stay in the caches."""


@dataclass(frozen=True)
class Timing:
    """One way, measured.

    Attributes
    ----------
    way : Way
    steps : int
    predicted, measured : float
        Seconds per step; measured is the median of all rounds.
    sequential : float
        Seconds per step of one worker with the same block size, measured in the same rounds.
    waiting : float
        Share of their time that workers waited for each other.
    difference : float
        Largest difference from the sequential answer, relative to the largest of its kind; 0 if all bits agree.
    """

    way: Way
    steps: int
    predicted: float
    measured: float
    sequential: float
    waiting: float
    difference: float

    @property
    def speedup(self) -> float:
        return self.sequential / self.measured

    @property
    def efficiency(self) -> float:
        return self.speedup / self.way.workers


def measure(
    program: Program,
    times: Array,
    ways: Sequence[Way],
    prices: Mapping[int, Prices],
    workers: int | Backend = 1,
    rounds: int = 5,
    repeats: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[Timing]:
    """Time some ways, in rounds of one run each, so that what disturbs the machine disturbs all of them.

    Parameters
    ----------
    times : (n,) array
        s; the motion covers the same span, in as many steps as it takes to time them.
    prices : mapping of int to Prices
        For every block size.
    repeats : int
        How often every group is solved (a synthetic load).
    progress : callable, optional
        Called with the number of runs done and of all runs.
    """
    backend = backend_of(workers)
    total, done = rounds * (len(ways) + len(prices)) + len(ways), 0

    def tell() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    spans = {block: _times(times, block, price, backend.workers, repeats) for block, price in prices.items()}
    first = {block: prepare(program, t, alone(program), serial(), block, repeats) for block, t in spans.items()}
    runs = [_prepared(program, spans, way, prices, backend, repeats) for way in ways]
    answers = {block: backend.broadcast(lambda run=run: _answer(run)) for block, run in first.items()}  # type: ignore[misc]
    differences = []
    for way, run in zip(ways, runs, strict=True):
        found = _answer(run)
        answer = answers[way.block]
        differences.append(backend.broadcast(lambda a=found, b=answer: _difference(a, b)))  # type: ignore[misc]
        tell()
    alone_for: dict[int, list[float]] = {block: [] for block in first}
    taken: list[list[float]] = [[] for _ in runs]
    waits: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for block, run in first.items():
            alone_for[block].append(backend.broadcast(lambda run=run: _seconds(run)))  # type: ignore[misc]
            tell()
        for k, run in enumerate(runs):
            backend.barrier()
            taken[k].append(_seconds(run))
            waits[k].append(waited(run))
            tell()
    results = [
        Timing(
            way,
            spans[way.block].size,
            predicted(way, program.structure, prices[way.block], spans[way.block].size),
            float(np.median(seconds)) / spans[way.block].size,
            float(np.median(alone_for[way.block])) / spans[way.block].size,
            float(np.median(share)),
            different,
        )
        for way, seconds, share, different in zip(ways, taken, waits, differences, strict=True)
    ]
    return backend.broadcast(lambda: results)


def _times(times: Array, block: int, prices: Prices, workers: int, repeats: int) -> Array:
    """So many steps that one run takes `ENOUGH` and every worker gets several whole blocks."""
    costs = prices.costs
    each = repeats * sum(costs.seconds.values()) + sum(costs.around.values())
    blocks = -(-int(ENOUGH / each) // block)
    least = 4 * workers if block != STEP_BY_STEP else 1024
    most = max(least, min(STEPS, int(CACHED // costs.collected)) // block)
    return np.linspace(times[0], times[-1], block * min(most, max(least, -(-blocks // workers) * workers)))


def _prepared(
    program: Program,
    spans: Mapping[int, Array],
    way: Way,
    prices: Mapping[int, Prices],
    backend: Backend,
    repeats: int,
) -> Run:
    lanes = lanes_of(way, program.structure, prices[way.block].costs)
    return prepare(program, spans[way.block], lanes, backend, way.block, repeats)


def _seconds(run: Run) -> float:
    """Of the last of several runs: the first ones find the caches filled with other things."""
    since = time.perf_counter()
    while True:
        began = time.perf_counter()
        execute(run)
        taken = time.perf_counter() - began
        if run.backend.broadcast(lambda: time.perf_counter() - since > WARM):
            return taken


def _answer(run: Run) -> Motion | None:
    execute(run)
    return motion_of(run)


def _difference(found: Motion | None, expected: Motion | None) -> float:
    """Largest difference of two motions, each kind of number relative to its largest; infinite if failures differ."""
    assert found is not None
    assert expected is not None
    if not np.array_equal(found.status, expected.status):
        return np.inf
    largest = 0.0
    for a, b in ((found.q, expected.q), (found.v, expected.v), (found.a, expected.a)):
        if not np.array_equal(a, b, equal_nan=True):
            scale = np.nanmax(np.abs(b))
            largest = max(largest, float(np.nanmax(np.abs(a - b)) / scale), np.finfo(float).eps)
    return largest
