"""Strategies timed side by side on a real motion, and compared with the motion by one worker."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Count, checked
from groupkin.dynamics.backward_pass import Pass
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from routes.running.backends import Backend, backend_of, serial
from routes.running.execution import carried_of, execute, motion_of, prepare, waited
from routes.running.runs import STEP_BY_STEP, Run
from routes.timing.group_costs import single_lane
from routes.timing.program_costs import ProgramCosts
from routes.timing.strategies import Strategy, lanes_of, strategy_cost

Array = NDArray[np.float64]

LEAST_SECONDS = 0.01
"""Least duration of a timed run in one thread: beginning and ending it must be a small part."""

WARM_UP = 0.03
"""Seconds for which a strategy is run again and again before it is timed."""

MOST_STEPS, CACHED = 2**16, 2**23
"""Largest number of steps of a timed run, and of bytes of its results, which are to stay in the caches."""


@dataclass(frozen=True)
class Timing:
    """The measured time of one strategy, there and back if forces are computed as well.

    Attributes
    ----------
    strategy : Strategy
    steps : int
    predicted, measured : float
        Seconds per step; measured is the median of all rounds.
    sequential : float
        Seconds per step of one worker with the same block size, measured in the same rounds.
    waiting : float
        Share of their time that workers waited for each other.
    difference : float
        Largest difference from the motion by one worker, and its forces, relative to the largest value of the same
        kind; 0 if all bits agree.
    """

    strategy: Strategy
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
        return self.speedup / self.strategy.workers


@checked
def measure(
    program: Program,
    times: Array,
    strategies: Sequence[Strategy],
    costs: Mapping[int, ProgramCosts],
    workers: int | Backend = 1,
    rounds: Count = 5,
    repeats: Count = 1,
    progress: Callable[[int, int], None] | None = None,
    backward: Pass | None = None,
) -> list[Timing]:
    """Time strategies in rounds of one run each, so that what disturbs the machine disturbs all of them.

    Parameters
    ----------
    program : Program
    times : (n,) array
        s; the timed motion covers the same span, in as many steps as it takes to time it.
    strategies : sequence of Strategy
    costs : mapping of int to ProgramCosts
        For every block size.
    workers : int, or Backend
        Number of threads, or what `routes.threads(n)` or `cluster.ranks()` give.
    rounds : int
        Number of runs of each strategy.
    repeats : int
        How often every group is solved: a synthetic load.
    progress : callable, optional
        Called with the number of runs done and of all runs.
    backward : Pass, optional
        What carries loads back through the groups in each block.
    """
    backend = backend_of(workers)
    total, done = rounds * (len(strategies) + len(costs)) + len(strategies), count(1)

    def report() -> None:
        if progress is not None:
            progress(next(done), total)

    motions = {block: _times(times, block, price, backend.workers, repeats) for block, price in costs.items()}
    alone = {b: prepare(program, t, single_lane(program), serial(), b, repeats, backward) for b, t in motions.items()}
    runs = []
    for strategy in strategies:
        lanes = lanes_of(strategy, program.structure, costs[strategy.block].per_step)
        runs.append(prepare(program, motions[strategy.block], lanes, backend, strategy.block, repeats, backward))
    expected = {block: backend.broadcast(partial(_solved, run)) for block, run in alone.items()}
    differences = []
    for strategy, run in zip(strategies, runs, strict=True):
        differences.append(backend.broadcast(partial(_difference, _solved(run), expected[strategy.block])))
        report()
    alone_seconds: dict[int, list[float]] = {block: [] for block in alone}
    seconds: list[list[float]] = [[] for _ in runs]
    waiting: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for block, run in alone.items():
            alone_seconds[block].append(backend.broadcast(partial(_seconds, run)))
            report()
        for k, run in enumerate(runs):
            backend.barrier()
            seconds[k].append(_seconds(run))
            waiting[k].append(waited(run))
            report()
    timings = []
    for k, strategy in enumerate(strategies):
        steps = motions[strategy.block].size
        timings.append(
            Timing(
                strategy,
                steps,
                predicted=strategy_cost(strategy, program.structure, costs[strategy.block], steps),
                measured=float(np.median(seconds[k])) / steps,
                sequential=float(np.median(alone_seconds[strategy.block])) / steps,
                waiting=float(np.median(waiting[k])),
                difference=differences[k],
            )
        )
    return backend.broadcast(lambda: timings)


def _times(times: Array, block: int, costs: ProgramCosts, workers: int, repeats: int) -> Array:
    """So many steps that one run takes `LEAST_SECONDS` and every worker gets several whole blocks."""
    per_step = costs.per_step
    seconds = repeats * sum(per_step.seconds.values()) + sum(per_step.io.values())
    blocks = -(-int(LEAST_SECONDS / seconds) // block)
    least = 4 * workers if block != STEP_BY_STEP else 1024
    most = max(least, min(MOST_STEPS, int(CACHED // per_step.bytes_kept)) // block)
    return np.linspace(times[0], times[-1], block * min(most, max(least, -(-blocks // workers) * workers)))


def _seconds(run: Run) -> float:
    """Seconds of the last of several runs, when the caches no longer hold other things."""
    since = time.perf_counter()
    while True:
        began = time.perf_counter()
        execute(run)
        seconds = time.perf_counter() - began
        if run.backend.broadcast(lambda: time.perf_counter() - since > WARM_UP):
            return seconds


Found = tuple[Motion | None, Array | None]


def _solved(run: Run) -> Found:
    execute(run)
    forces = carried_of(run) if run.back is not None else np.zeros((0, 0))
    return motion_of(run), None if forces is None else forces.copy()


def _difference(found: Found, wanted: Found) -> float:
    """Largest difference of two motions, each kind of number relative to its largest; infinite if failures differ."""
    (motion, forces), (expected, others) = found, wanted
    assert motion is not None
    assert expected is not None
    assert forces is not None
    assert others is not None
    if not np.array_equal(motion.status, expected.status):
        return np.inf
    largest = 0.0
    for x, y in ((motion.q, expected.q), (motion.v, expected.v), (motion.a, expected.a), (forces, others)):
        if not np.array_equal(x, y, equal_nan=True):
            relative = np.nanmax(np.abs(x - y)) / np.nanmax(np.abs(y))
            largest = max(largest, float(relative), np.finfo(float).eps)
    return largest
