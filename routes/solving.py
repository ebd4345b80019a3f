"""Solve a mechanism by the best route, or by a chosen one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import Count, checked
from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.errors import ArgumentError, RouteError, SolveError
from groupkin.kinematics.modes.modes import Choice
from groupkin.kinematics.motion.labeled_arrays import kept
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program_and_times
from groupkin.kinematics.solving.block_sizes import wide_block
from groupkin.kinematics.solving.driver_values import drivers_of
from groupkin.kinematics.solving.failures import failure
from groupkin.kinematics.solving.run import check_failure_modes, check_times, crossed
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route, parse_route, validated
from routes.diagrams.route_tree import tree
from routes.planning.best_route import best
from routes.planning.costs import SPLITS, Costs, check_split, guess_costs
from routes.planning.unstaged_schedule import Schedule, unstaged
from routes.running.backends import Backend, backend_of, serial
from routes.running.execution import execute, motion_for, motion_of, prepare
from routes.running.runs import STEP_BY_STEP, Run
from routes.running.shared_time import solve_shared
from routes.timing.cost_cache import cache_file
from routes.timing.plain_costs import ALONE, Way, like, measured_ways
from routes.timing.program_costs import ProgramCosts, program_costs
from routes.timing.strategies import BLOCKS, Strategy, lanes_of, strategies, strategy_cost, team_size

NAMES = ("best", "sequential", "parallel", "unstaged")
"""Routes that have a name."""


Rated = tuple[Strategy, float]
"""A strategy and its seconds per step."""


@dataclass(frozen=True)
class Choices:
    """Strategies that were compared.

    Attributes
    ----------
    strategies : tuple of (Strategy, float)
        With seconds per step, the fastest first; behind those that were measured, if any, those that were predicted.
    costs : dict of int to ProgramCosts
        Those that strategies on teams were compared with, by block size; none where nothing was left to choose.
    alone : float
        Seconds per step of one worker; infinite where nothing was measured.
    measured : int
        How many of the strategies, the first ones, were measured as they are.
    """

    strategies: tuple[Rated, ...]
    costs: dict[int, ProgramCosts]
    alone: float = np.inf
    measured: int = 0

    @property
    def best(self) -> Strategy:
        return self.strategies[0][0]

    @property
    def loss(self) -> float:
        """How many times as long as one worker the best strategy takes."""
        return self.strategies[0][1] / self.alone


@checked
def solve(
    mechanism: Mechanism | MechanismFile | Program,
    times: ArrayLike | None = None,
    *,
    route: str | Route = "best",
    workers: int | Backend = 1,
    split: str | None = None,
    block: Count | None = None,
    on_failure: str = "raise",
    on_singular: str = "fail",
    out: Motion | None = None,
    assemble: bool = False,
    modes: Choice | None = None,
    solver: str | None = None,
    keep: Sequence[str | Quantity] | None = None,
    progress: Callable[[int, int], None] | None = None,
    work: Count = 1,
    cache: str | Path | bool | None = True,
) -> Motion | None:
    """Solve for position, velocity and acceleration of every body, by a route on several workers.

    With one worker this is `groupkin.solve`; workers that share time share its loop over the steps.

    Parameters
    ----------
    mechanism, times
        As in `groupkin.solve`.
    route : str or Route
        "best", "sequential", "parallel" (every group as early as possible), "unstaged" (every group as soon as the
        groups it depends on are solved), or stages such as ``1 > (2|3|4)``.
    workers : int, or Backend
        Number of threads, or what `routes.threads(n)` or `cluster.ranks()` give; with ranks, every rank calls this
        function with the same arguments.
    split : {"groups", "time", "hybrid"}, optional
        Workers solve different groups of a block, different blocks, or pairs of them different blocks. By default, the
        split that should be fastest with this route.
    block : int, optional
        Steps per block; 1: step by step, each starting from the one before it. By default, what should be fastest.
    on_failure, on_singular, assemble, modes, solver, keep, progress
        As in `groupkin.solve`; workers that share groups report no progress.
    out : Motion, optional
        A motion of the same program and number of steps, whose memory is used again: what this function has returned,
        with ranks on each of them.
    work : int
        How often each group is solved: a synthetic load.
    cache : bool, str or Path
        The file that keeps measured costs; True: one in the user's cache directory; False: none.

    Returns
    -------
    Motion or None
        None on all ranks but the first.

    Raises
    ------
    RouteError
        If the route does not fit the mechanism, or the split does not fit the workers.
    GroupkinError
        As `groupkin.solve`; ``error.motion`` is None on all ranks but the first.

    Notes
    -----
    Python threads that call this function with the same workers take turns; give each its own.
    """
    backend = backend_of(workers)
    program, given = program_and_times(mechanism, times, assemble=assemble, modes=modes, solver=solver)
    t = check_times(given)
    kept_ones = program.keep if keep is None else kept(keep, program)
    asked = Asked(on_failure, on_singular, out, kept_ones, progress)
    with backend.alone():
        choices = _chosen(program, t, backend, Ways(route, split, block, cache, work))
        return solve_chosen(program, t, choices, backend, asked, work)


class Ways(NamedTuple):
    """Arguments of `choose_route`."""

    route: str | Route
    split: str | None
    block: int | None
    cache: str | Path | bool | None
    work: int


@once_per_program
def _choices(program: Program) -> dict[tuple[Any, ...], Choices]:
    """Keep the choices for motions of a program, by what they depend on."""
    return {}


def _chosen(program: Program, times: NDArray[np.float64], backend: Backend, ways: Ways) -> Choices:
    """`choose_route`, once for motions alike of a program, unless nothing is to be kept."""
    if not ways.cache:
        return choose_route(program, times, backend, **ways._asdict())
    known, key = _choices(program), (backend.name, backend.workers, like(times.size), ways)
    if key not in known:
        known[key] = choose_route(program, times, backend, **ways._asdict())
    else:
        _require_same(program, times, backend, ways)
    return known[key]


def _require_same(program: Program, times: NDArray[np.float64], backend: Backend, what: object) -> None:
    """Refuse processes that are to do different things."""
    if len(backend.local) < backend.workers:
        backend.require_same(work_of(program, times) | {"choice of route": str(what).encode()})


class Asked(NamedTuple):
    """Arguments of `groupkin.solve` that say how, and not what."""

    on_failure: str = "raise"
    on_singular: str = "fail"
    out: Motion | None = None
    keep: tuple[Quantity, ...] | None = None
    progress: Callable[[int, int], None] | None = None


def solve_chosen(
    program: Program,
    times: NDArray[np.float64],
    choices: Choices,
    backend: Backend,
    asked: Asked | None = None,
    work: int = 1,
) -> Motion | None:
    """Solve a program by the best of several strategies; None on all ranks but the first.

    Raises
    ------
    SolveError, ArgumentError
    """
    strategy, asked = choices.best, asked or Asked()
    if strategy.workers < backend.workers:
        backend = serial()
    if strategy.plain and work == 1:
        block = None if strategy.block == wide_block(program) else strategy.block
        return solve_shared(backend, program, times, block=block, **asked._asdict())
    check_asked(program, choices, asked.on_failure, asked.on_singular)
    run = executed(program, times, choices, backend, asked.on_failure, work, out=asked.out)
    motion = solution(run, asked.on_failure)
    return motion if motion is None or motion.keep == asked.keep else motion.but(keep=asked.keep)


def check_asked(program: Program, choices: Choices, on_failure: str, on_singular: str) -> None:
    """Refuse what is no way to go on where steps fail or positions are singular, or none of the strategy.

    Raises
    ------
    ArgumentError
    """
    check_failure_modes(program, on_failure, on_singular)
    if on_singular == "continue" and not choices.best.plain:
        raise ArgumentError(
            'on_singular="continue" is for workers that share time, in blocks of more than one step; leave out the '
            "split, or take it by time"
        )


def executed(
    program: Program,
    times: NDArray[np.float64],
    choices: Choices,
    backend: Backend,
    on_failure: str = "raise",
    work: int = 1,
    backward: Pass | None = None,
    out: Motion | None = None,
) -> Run:
    """Run a program by the best of several strategies on teams, and carry loads back if there is a pass for it."""
    strategy = choices.best
    known = choices.costs.get(strategy.block)
    costs = guess_costs(program.structure, strategy.workers) if known is None else known.per_step
    lanes = lanes_of(strategy, program.structure, costs)
    motion = motion_for(backend, program, times, out)
    run = prepare(program, times, lanes, backend, strategy.block, work, backward, motion)
    execute(run, resume=on_failure == "nan")
    return run


def solution(run: Run, on_failure: str = "raise") -> Motion | None:
    """The motion of a run; None on all ranks but the first.

    Raises
    ------
    SolveError
    """
    motion = motion_of(run)
    error = run.backend.broadcast(lambda: _first_error(motion, on_failure))
    if error is not None:
        kind, message, group, time = error
        raise kind(message, group, time, motion)  # only the first rank has the motion
    return motion


def _first_error(motion: Motion | None, on_failure: str) -> tuple[type[SolveError], str, int, float] | None:
    """The error of the first step that failed, in parts that can be sent to other processes; None to go on."""
    assert motion is not None
    if on_failure == "nan":
        crossed(motion, "nan")
        return None
    failed = ~motion.solved
    first = int(failed.argmax()) if failed.any() else None
    try:
        crossed(motion, stop=first)
    except SolveError as crossing:
        error = crossing
    else:
        if first is None:
            return None
        error = failure(motion, first)
    return type(error), str(error), error.group, error.time


@checked
def choose_route(
    program: Program,
    times: NDArray[np.float64],
    workers: int | Backend = 1,
    *,
    route: str | Route = "best",
    split: str | None = None,
    block: Count | None = None,
    cache: str | Path | bool | None = True,
    backward: Pass | None = None,
    work: Count = 1,
) -> Choices:
    """Compare strategies to solve a program by their costs: measured of the plain call and of its steps shared.

    Those of workers that share groups are predicted. Nothing is measured where nothing is left to choose. Blocks of 1
    are compared only if asked for: they are for those who need every step before the next.

    Parameters
    ----------
    program : Program
    times : (n,) array
        s.
    workers, route, split, block, cache
        As in `routes.solve`.
    backward : Pass, optional
        What carries loads back through the groups, which is part of the costs then.
    work : int
        How often each group is solved.

    Raises
    ------
    RouteError
        If the route does not fit the program, or the split does not fit the workers.
    """
    times = check_times(times)
    backend = backend_of(workers)
    _require_same(program, times, backend, (str(route), split, block))
    count, structure = backend.workers, program.structure
    fixed = decided_route(route, structure)  # refused before anything is measured
    if split is not None:
        check_split(split)
    if split == "hybrid" and count > 1 and count % 2:
        raise RouteError(f"{count} workers cannot be divided into pairs; choose another split, or an even number")
    lanes = team_size(split or "time", count)
    shared = backward is None and work == 1 and block != STEP_BY_STEP  # steps may be shared by the plain loop
    if shared and lanes == 1 and (count == 1 or split is not None):
        return _plain_choice(program, count, fixed, block)
    path = cache_file() if cache is True else Path(cache) if cache else None
    blocks = (block,) if block else BLOCKS[2:]
    decided = block and (split or count == 1) and fixed is not None
    costs = {
        size: ProgramCosts(guess_costs(structure, count, size, forces=backward is not None))
        if decided
        else program_costs(program, times, backend, size, path, backward)
        for size in blocks
    }
    splits = ("time",) if count == 1 else (split,) if split else SPLITS
    candidates: list[Strategy] = []
    for size, tried in product(blocks, splits):
        lanes = team_size(tried, count)
        if tried == "hybrid" and not split and lanes in (1, count):  # the same as another split
            continue
        if shared and lanes == 1:
            continue
        routes = [route_by_name(route, structure, costs[size].per_step, lanes)]
        if route == "best" and tried != "time":  # without barriers it may be faster than every parallel one
            routes.append(tree(structure).sequential)
        candidates += strategies(routes, count, [tried], [size], program.iterates)
    steps = times.size
    rated = [
        (candidate, strategy_cost(candidate, structure, costs[candidate.block], steps)) for candidate in candidates
    ]
    rated.sort(key=lambda pair: pair[1])
    alone, measured = np.inf, 0
    if shared and split is None:
        found, alone = _measured(program, times, backend, rated, costs, fixed, block, path)
        rated, measured = [*found, *rated[1:]], len(found)
    elif count > 1 and not decided:
        one = {size: Strategy(tree(structure).sequential, "time", 1, size, 1) for size in blocks}
        alone = min(strategy_cost(one[size], structure, costs[size].of_one_worker(), steps) for size in blocks)
    if not rated:
        raise RouteError(
            "step by step, every step starts from the one before it, so that workers can only share groups; leave out "
            "the split, or take larger blocks"
        )
    return Choices(tuple(rated), costs, alone, measured)


def _measured(
    program: Program,
    times: NDArray[np.float64],
    backend: Backend,
    rated: Sequence[Rated],
    costs: dict[int, ProgramCosts],
    route: Route | None,
    block: int | None,
    path: Path | None,
) -> tuple[list[Rated], float]:
    """The plain call, its steps shared, and the best way to share groups, all measured, the fastest first.

    Parameters
    ----------
    program, times, backend, costs, route, block, path
        As in `choose_route`.
    rated : sequence of (Strategy, float)
        Ways to share groups with predicted seconds per step, the fastest first.

    Returns
    -------
    list of (Strategy, float)
        The plain call is among them where it is not left to a rank.
    float
        Seconds per step of the plain call.
    """
    tried = [_plain_choice(program, backend.workers, route, block).best, *(strategy for strategy, _ in rated[:1])]

    def way(strategy: Strategy) -> Way:
        choice = Choices(((strategy, 0.0),), costs)
        reused = strategy.plain or len(backend.local) == backend.workers

        def solve(t: NDArray[np.float64], out: Motion | None) -> Motion | None:
            return solve_chosen(program, t, choice, backend, Asked("nan", out=out if reused else None))

        return solve

    ways = {f"{backend.name} {backend.workers}, {strategy}": way(strategy) for strategy in tried}
    seconds = measured_ways(program, times, ways, backend, path)
    found = [(strategy, seconds[name]) for strategy, name in zip(tried, ways, strict=True)]
    if len(backend.local) == backend.workers:
        found.append((_plain_choice(program, 1, route, block).best, seconds[ALONE]))
    return sorted(found, key=lambda pair: pair[1]), seconds[ALONE]


def _plain_choice(program: Program, count: int, route: Route | None, block: int | None) -> Choices:
    """The plain loop, its steps shared by so many workers; the order of groups is its own."""
    size = block or wide_block(program)
    strategy = Strategy(route or tree(program.structure).sequential, "time", 1, size, count)
    return Choices(((strategy, 0.0),), {})


def work_of(program: Program, times: NDArray[np.float64]) -> dict[str, bytes]:
    """What determines a motion, by names in words, so that ranks can compare it."""
    # all bits of many times would take longer to compare than some motions
    bits = times.view(np.uint64)
    told = (times.size, *bits[[0, -1]].tolist(), int(np.add.reduce(bits)), int(np.bitwise_xor.reduce(bits)))
    return {"mechanism": _bytes_of(program), "times": repr(told).encode()}


@once_per_program
def _bytes_of(program: Program) -> bytes:
    """All names and numbers of a program that determine its motions."""
    drivers = drivers_of(program)
    numbers = [array for call in program.calls for array in (call.rows, call.constants)]
    numbers += [program.kept, drivers.kinds, drivers.numbers, drivers.table]
    names = "\0".join(program.poses)
    return names.encode() + b"".join(np.ascontiguousarray(array).tobytes() for array in numbers)


def route_by_name(route: str | Route, structure: Structure, costs: Costs, lanes: int) -> Route | Schedule:
    """The route that a name or a text means on teams of so many lanes.

    Raises
    ------
    RouteError
        If there is no such route, or it does not fit the structure.
    """
    decided = decided_route(route, structure)
    if decided is not None:
        return decided
    return best(structure, costs, lanes).route if route == "best" else unstaged(structure, costs, lanes)


def decided_route(route: str | Route, structure: Structure) -> Route | None:
    """The route that a name or a text means on any machine; None if it depends on costs.

    Raises
    ------
    RouteError
        If there is no such route, or it does not fit the structure.
    """
    if isinstance(route, Route):
        return validated(route, structure)
    if route in ("best", "unstaged"):
        return None
    if route in NAMES:
        return getattr(tree(structure), route)
    if any(letter.isalpha() for letter in route):
        raise RouteError(f"there is no route {route!r}; write {', '.join(NAMES)}, or stages such as 1 > (2|3) > 4")
    return parse_route(route, structure)
