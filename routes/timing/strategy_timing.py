"""Strategies timed side by side on a real motion, and compared with the motion by one worker."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np

from groupkin.arguments import Count, checked
from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from routes.diagrams.route_tree import tree
from routes.running.backends import Backend, backend_of, serial
from routes.running.execution import carried_of, execute, motion_of, prepare, waited
from routes.running.runs import STEP_BY_STEP, Run
from routes.running.shared_time import solve_shared
from routes.timing.group_costs import BUSY, follow_seconds, spread_of
from routes.timing.program_costs import ProgramCosts
from routes.timing.strategies import Strategy, lanes_of, strategy_cost
from sglibrary.array_types import Array

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
    alone : float
        Seconds per step of one worker, measured in the same rounds: of the plain call, `groupkin.solve`; where groups
        are solved several times, loads carried back, or steps solved one by one, of one that does the same.
    waiting : float
        Share of their time that workers waited for each other; NaN where nothing tells it.
    difference : float
        Largest difference from the motion by one worker, and its forces, relative to the largest value of the same
        kind; 0 if all bits agree.
    spread : float
        By how much longer than the fastest the median round took.
    """

    strategy: Strategy
    steps: int
    predicted: float
    measured: float
    alone: float
    waiting: float
    difference: float
    spread: float = 1.0

    @property
    def speedup(self) -> float:
        return self.alone / self.measured

    @property
    def efficiency(self) -> float:
        return self.speedup / self.strategy.workers

    @property
    def disturbed(self) -> bool:
        """Whether other work on the machine made rounds differ so much that the time tells little."""
        return self.spread > BUSY


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

    Those that were disturbed nevertheless are timed in as many rounds again.

    Parameters
    ----------
    program : Program
    times : (n,) array
        s; the timed motion covers the same span, in as many steps as it takes to time it.
    strategies : sequence of Strategy
    costs : mapping of int to ProgramCosts
        By block size.
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
    backend, done = backend_of(workers), count(1)
    blocks = list(dict.fromkeys(strategy.block for strategy in strategies))
    total = rounds * (len(strategies) + len(blocks)) + len(strategies)

    def report() -> None:
        if progress is not None:
            progress(min(total, next(done)), total)

    prices = {block: costs[min(costs, key=lambda known: abs(known - block))] for block in blocks}
    motions = {block: _times(times, block, price, backend.workers, repeats) for block, price in prices.items()}
    making = partial(_timed, program, repeats=repeats, backward=backward)
    alone = {b: making(t, Strategy(tree(program.structure).sequential, "time", 1, b, 1), prices[b], serial())
             for b, t in motions.items()}  # fmt: skip
    runs = [making(motions[x.block], x, prices[x.block], backend) for x in strategies]
    expected = {block: backend.broadcast(timed.solved) for block, timed in alone.items()}
    differences = []
    for strategy, timed in zip(strategies, runs, strict=True):
        found = timed.solved()
        differences.append(backend.broadcast(partial(_difference, found, expected[strategy.block])))
        report()
    seconds: list[list[float]] = [[] for _ in runs]
    waiting: list[list[float]] = [[] for _ in runs]
    alone_seconds: dict[int, list[float]] = {block: [] for block in alone}
    timed_ones = list(range(len(runs)))
    for again in (False, True):
        for _ in range(rounds):
            for block in dict.fromkeys(strategies[k].block for k in timed_ones):
                alone_seconds[block].append(backend.broadcast(partial(_seconds, alone[block])))
                report()
            for k in timed_ones:
                backend.barrier()
                seconds[k].append(_seconds(runs[k]))
                waiting[k].append(runs[k].waited())
                report()
        disturbed = [k for k in timed_ones if spread_of(seconds[k]) > BUSY]
        timed_ones = backend.broadcast(partial(list, disturbed))
        if again or not timed_ones:
            break
    following = follow_seconds(program, times) if program.iterates else 0.0
    timings = []
    for k, strategy in enumerate(strategies):
        steps, one = motions[strategy.block].size, float(np.median(alone_seconds[strategy.block]))
        price = prices[strategy.block]
        if runs[k].plain:  # the plain call is known, and divided
            predicted = (following + (one - following) / backend.workers + price.startup) / steps
        else:
            predicted = strategy_cost(strategy, program.structure, price, steps)
        timings.append(
            Timing(
                strategy,
                steps,
                predicted=predicted,
                measured=float(np.median(seconds[k])) / steps,
                alone=one / steps,
                waiting=float(np.median(waiting[k])),
                difference=differences[k],
                spread=spread_of(seconds[k]),
            )
        )
    return backend.broadcast(lambda: timings)


Found = tuple[Motion | None, Array | None]


@dataclass(frozen=True)
class _Timed:
    """A strategy that is run again and again in the same memory."""

    backend: Backend
    run: Callable[[], object]
    solved: Callable[[], Found]
    waited: Callable[[], float]
    plain: bool


def _timed(
    program: Program,
    times: Array,
    strategy: Strategy,
    price: ProgramCosts,
    backend: Backend,
    *,
    repeats: int,
    backward: Pass | None,
) -> _Timed:
    if strategy.plain and repeats == 1 and backward is None:
        motion: Motion | None = None

        def solve() -> Found:
            nonlocal motion
            motion = solve_shared(backend, program, times, on_failure="nan", out=motion)
            return motion, np.zeros((0, 0))

        return _Timed(backend, solve, solve, lambda: np.nan, True)
    lanes = lanes_of(strategy, program.structure, price.per_step)
    run = prepare(program, times, lanes, backend, strategy.block, repeats, backward)
    return _Timed(backend, partial(execute, run), partial(_solved, run), partial(waited, run), False)


def _times(times: Array, block: int, costs: ProgramCosts, workers: int, repeats: int) -> Array:
    """So many steps that one run takes `LEAST_SECONDS` and every worker gets several whole blocks."""
    per_step = costs.per_step
    seconds = repeats * sum(per_step.seconds.values()) + sum(per_step.io.values())
    blocks = -(-int(LEAST_SECONDS / seconds) // block)
    least = 4 * workers
    if block == STEP_BY_STEP:  # single steps differ more
        least = max(32, min(1024, int(10.0 * LEAST_SECONDS / seconds)))
    most = max(least, min(MOST_STEPS, int(CACHED // per_step.bytes_kept)) // block)
    return np.linspace(times[0], times[-1], block * min(most, max(least, -(-blocks // workers) * workers)))


def _seconds(timed: _Timed) -> float:
    """Seconds of the last of several runs, when the caches no longer hold other things."""
    since = time.perf_counter()
    while True:
        began = time.perf_counter()
        timed.run()
        seconds = time.perf_counter() - began
        if timed.backend.broadcast(lambda: time.perf_counter() - since > WARM_UP):
            return seconds


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
