"""Solve a mechanism by a route of one's own choice, or the best."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.errors import ArgumentError, RouteError, SolveError
from groupkin.kinematics.modes.modes import Choice, with_modes
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.elimination import LINEAR, with_elimination
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as program_of
from groupkin.kinematics.solving.failures import failure
from groupkin.kinematics.solving.run import check_times, crossed
from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route, checked, parse
from routes.diagrams.route_tree import tree
from routes.planning.best_route import best
from routes.planning.costs import SPLITS
from routes.planning.unstaged_schedule import Schedule, unstaged
from routes.running.backends import Backend, serial
from routes.running.execution import execute, motion_of, prepare
from routes.timing import cost_cache
from routes.timing.candidates import BLOCKS, Way, lanes_of, predicted, ways, width_of
from routes.timing.profile import Prices, assumed, prices

NAMES = ("best", "sequential", "parallel", "unstaged")
"""Routes that have a name."""

Given = str | Route


@dataclass(frozen=True)
class Choices:
    """All ways that were compared, the fastest first, and the prices by block size that they were compared with."""

    ways: tuple[tuple[Way, float], ...]
    prices: dict[int, Prices]

    @property
    def best(self) -> Way:
        return self.ways[0][0]


def solve(
    mechanism: Mechanism | Program,
    times: ArrayLike,
    *,
    route: Given = "best",
    backend: Backend | None = None,
    split: str | None = None,
    block: int | None = None,
    on_failure: str = "raise",
    assemble: bool = False,
    modes: Choice | None = None,
    linear: str | None = None,
    work: int = 1,
    cache: str | Path | bool | None = True,
) -> Motion | None:
    """Position, velocity and acceleration of every body at the given times, by a route on the workers of a backend.

    Parameters
    ----------
    mechanism : Mechanism or Program
    times : (n,) array_like
        s.
    route : str or Route
        "best", "sequential", "parallel" (every group as early as possible), "unstaged", or stages such as
        ``1 > (2|3|4)``.
    backend : Backend
        `routes.serial()` (default), `routes.threads(n)` or `cluster.ranks()`; with ranks, every one calls this
        function with the same arguments.
    split : {"groups", "time", "hybrid"}, optional
        Whether workers take different groups of a block, different blocks, or pairs of them different blocks; by
        default, what should be fastest with this route.
    block : int, optional
        Steps per block; 1: step by step, each starting from the one before it. By default, what should be fastest.
    on_failure : {"raise", "nan"}
        As in `groupkin.solve`.
    assemble, modes
        As in `groupkin.solve`.
    linear : {"sparse", "dense"}, optional
        How groups that are solved by Newton's method eliminate; by default sparse.
    work : int
        How often each group is solved: a synthetic load.
    cache : bool, str or Path
        Whether measured costs are kept in the user's cache directory, or the file they are kept in.

    Returns
    -------
    Motion or None
        None on all ranks but the first.

    Notes
    -----
    Threads that call this with one backend take turns; give each its own.

    Raises
    ------
    RouteError
        If the route does not fit the mechanism, or the split the workers.
    GroupkinError
        As `groupkin.solve`; ``error.motion`` is None on all ranks but the first.
    """
    if on_failure not in ("raise", "nan"):
        raise ArgumentError(f'on_failure must be "raise" or "nan", not {on_failure!r}')
    _check_given(route, backend, block, linear, work)
    t = check_times(times)
    if isinstance(mechanism, Program):
        program = with_modes(mechanism, modes) if modes else mechanism
    else:
        program = program_of(mechanism, assemble=assemble, modes=modes)
    program, team = with_elimination(program, linear), backend or serial()
    known = Path(cache) if isinstance(cache, str) else cache
    with team.alone():
        chosen = choose(program, t, team, route=route, split=split, block=block, cache=known)
        return solved(program, t, chosen, team, on_failure, work)


def _check_given(route: object, backend: object, block: object, linear: object, work: object) -> None:
    """Refuse what is of the wrong kind."""
    for name, number in (("block", block), ("work", work)):
        if number is not None and not (isinstance(number, (int, np.integer)) and number >= 1):
            raise RouteError(f"{name} must be a whole number from 1 on, not {number!r}")
    if not isinstance(route, (str, Route)):
        raise RouteError(f"route must be a text or a Route, not {route!r}")
    if backend is not None and not hasattr(backend, "workers"):
        raise RouteError(f"backend must be routes.serial(), routes.threads(n) or cluster.ranks(), not {backend!r}")
    if linear not in (None, *LINEAR):
        raise RouteError(f"linear must be one of {', '.join(LINEAR)}, not {linear!r}")


def solved(
    program: Program,
    times: NDArray[np.float64],
    choices: Choices,
    backend: Backend,
    on_failure: str = "raise",
    work: int = 1,
) -> Motion | None:
    """The motion, by the best of some choices; None on all ranks but the first."""
    way = choices.best
    lanes = lanes_of(way, program.structure, choices.prices[way.block].costs)
    run = prepare(program, times, lanes, backend, way.block, work)
    execute(run, resume=on_failure == "nan")
    motion = motion_of(run)
    refused = backend.known(lambda: _refusal(motion, on_failure))
    if refused is not None:
        kind, message, group, time = refused
        raise kind(message, group, time, motion)  # type: ignore[arg-type]  # only the first rank has it
    return motion


def _refusal(motion: Motion | None, on_failure: str) -> tuple[type[SolveError], str, int, float] | None:
    """What the error for the first step that failed says."""
    assert motion is not None
    if on_failure == "nan":
        crossed(motion, "nan")
        return None
    failed = ~motion.solved
    try:
        crossed(motion, stop=int(failed.argmax()) if failed.any() else None)
    except SolveError as passed:
        return type(passed), str(passed), passed.group, passed.time
    if not failed.any():
        return None
    error = failure(motion, int(failed.argmax()))
    return type(error), str(error), error.group, error.time


def choose(
    program: Program,
    times: NDArray[np.float64],
    backend: Backend,
    *,
    route: Given = "best",
    split: str | None = None,
    block: int | None = None,
    cache: Path | bool | None = True,
) -> Choices:
    """Ways to execute a program by a route, compared by measured costs; the fastest first.

    Nothing is measured where nothing is left to choose. Blocks of 1 are compared only if asked for: they are for those
    who need every step before the next.
    """
    workers = backend.workers
    if split is not None:
        width_of(split, workers)
    blocks = (block,) if block else BLOCKS[2:]
    path = cost_cache.tuning_file() if cache is True else cache or None
    decided = block and (split or workers == 1) and route not in ("best", "unstaged")
    costs = {
        size: assumed(program, workers, size) if decided else prices(program, times, backend, size, path)
        for size in blocks
    }
    splits = (split,) if split else SPLITS
    found: list[Way] = []
    for size in blocks:
        for own in splits if workers > 1 else ("time",):
            picked = [named(route, program.structure, costs[size], width_of(own, workers))]
            if route == "best" and own != "time":  # no barriers: it may be faster than every parallel one
                picked.append(tree(program.structure).sequential)
            if split or own != "hybrid" or width_of(own, workers) not in (1, workers):
                found += ways(picked, workers, [own], [size], program.iterates)
    if not found:
        raise RouteError(
            "step by step, every step starts from the one before it, so that it can be split by groups only; leave out "
            "the split, or take larger blocks"
        )
    rated = [(way, predicted(way, program.structure, costs[way.block], times.size)) for way in found]
    return Choices(tuple(sorted(rated, key=lambda pair: pair[1])), costs)


def named(route: Given, structure: Structure, known: Prices, width: int) -> Route | Schedule:
    """The route that a name, or a text, stands for on teams of so many lanes."""
    if isinstance(route, Route):
        return checked(route, structure)
    if route == "best":
        return best(structure, known.costs, width).route
    if route == "unstaged":
        return unstaged(structure, known.costs, width)
    if route in NAMES:
        return getattr(tree(structure), route)
    if any(letter.isalpha() for letter in route):
        raise RouteError(f"there is no route {route!r}; write {', '.join(NAMES)}, or stages such as 1 > (2|3) > 4")
    return parse(route, structure)
