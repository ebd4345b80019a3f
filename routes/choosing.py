"""Choose the best route, split and block size of a program by measured and predicted costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

from groupkin.arguments import Count, checked
from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.errors import RouteError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.block_sizes import wide_block
from groupkin.kinematics.solving.driver_values import drivers_of
from groupkin.kinematics.solving.run import check_times
from routes.chosen import Asked, Choices, Rated, solve_chosen
from routes.diagrams.route import Route
from routes.diagrams.route_tree import tree
from routes.planning.costs import SPLITS, check_split, guess_costs
from routes.planning.named_routes import decided_route, route_by_name
from routes.running.backends import Backend, backend_of
from routes.running.runs import STEP_BY_STEP
from routes.timing.cost_cache import cache_file
from routes.timing.plain_costs import ALONE, Way, measured_ways
from routes.timing.program_costs import ProgramCosts, program_costs
from routes.timing.strategies import BLOCKS, Strategy, strategies, strategy_cost, team_size
from sglibrary.array_types import Array


@checked
def choose_route(
    program: Program,
    times: Array,
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
    require_same(program, times, backend, (str(route), split, block))
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
    times: Array,
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

        def solve(t: Array, out: Motion | None) -> Motion | None:
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


def require_same(program: Program, times: Array, backend: Backend, what: object) -> None:
    """Refuse processes that are to do different things."""
    if len(backend.local) < backend.workers:
        backend.require_same(work_of(program, times) | {"choice of route": str(what).encode()})


def work_of(program: Program, times: Array) -> dict[str, bytes]:
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
