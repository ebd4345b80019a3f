"""Measurements for ``groupkin routes``: costs, the error of the model, and times of strategies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np

from groupkin.cli.options import prepared, read_file, times_of
from groupkin.cli.terminal import notice, print_table, progress
from groupkin.cli.worker_options import Workers, check_routes
from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.block_sizes import wide_block
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.messages import counted
from groupkin.structure.decomposition import Structure
from routes.choosing import work_of
from routes.cli.route_listing import numbers, title
from routes.diagrams.route import Route
from routes.diagrams.route_tree import Tree, tree
from routes.planning.best_route import best
from routes.planning.costs import SPLITS, Costs
from routes.planning.named_routes import NAMES, route_by_name
from routes.running.backends import Backend, serial, threads
from routes.running.runs import STEP_BY_STEP
from routes.timing.cost_cache import cache_file
from routes.timing.group_costs import way_back
from routes.timing.program_costs import ProgramCosts, program_costs
from routes.timing.strategies import BLOCKS, Strategy, strategies, team_size
from routes.timing.strategy_timing import Timing, measure

WRONG = 0.2
"""Error of a prediction from which on only what is measured is trusted."""

GAIN = 0.05
"""Share of its time by which workers must be faster than one to be worth starting."""

SAMPLED = 4
"""Routes that are measured between sequential and parallel, unless all are asked for."""

COLUMNS = (
    "block", "split", "µs per step", "predicted", "speed-up", "efficiency", "waiting", "same bits", "route",
)  # fmt: skip


def measured_costs(
    described: MechanismFile, workers: Workers, count: int, block: int, predict: bool, forces: bool
) -> tuple[Structure, Costs, str]:
    """Structure and measured costs of a mechanism, and where these are kept.

    For a hypothetical machine a barrier is measured on the workers of this machine, whose number may be different.
    """
    workers = replace(workers, workers=None) if predict else workers
    program, times, backend = _started(described, workers)
    found = _costs(program, times, backend, [block], workers, _backward(program, forces))[block]
    costs = replace(found.for_steps(times.size), workers=count)
    file = "" if workers.no_cache else f" ({cache_file()})"
    told = f"costs measured on this machine, with {backend.title}{file}; of short blocks predictions may be 60 % off"
    return program.structure, costs, told


def model_error(file: Path, workers: Workers, block: int, forces: bool) -> str:
    """How far predictions are from the times of one and two threads of this machine."""
    program, times = _program(read_file(file))
    backward, errors = _backward(program, forces), []
    for backend in (serial(), threads(2)):
        costs = _costs(program, times, backend, [block], workers, backward)
        count, route = backend.workers, best(program.structure, costs[block].per_step).route
        compared = [Strategy(tree(program.structure).sequential, "time", 1, block, count)]
        if count > 1:
            compared.append(Strategy(route, "groups", count, block, count))
        if block == 1 and program.iterates:  # no worker can have other times
            compared = compared[-1:]
        for timing in measure(program, times, compared, costs, backend, rounds=3, backward=backward):
            who = counted(count, "worker") + f" split by {timing.strategy.split}" * (count > 1)
            errors.append(f"{timing.predicted / timing.measured - 1:+.0%} on {who}")
    return "the model's error, measured here: " + ", ".join(errors)


def _started(described: MechanismFile, workers: Workers, routes: tuple[str, ...] = ()) -> tuple[Program, Any, Backend]:
    """The program of a mechanism file, its times, and the workers, which have the same; routes have to fit it."""
    backend = workers.start(described, times_of(described, None, None))
    program, times = _program(described, routes)
    backend.require_same(work_of(program, times))
    return program, times, backend


def _program(described: MechanismFile, routes: tuple[str, ...] = ()) -> tuple[Program, Any]:
    times = times_of(described, None, None)
    return prepared(described, False, times, check=partial(check_routes, routes)), times


def _backward(program: Program, forces: bool) -> Pass | None:
    return way_back(program) if forces else None


def _costs(
    program: Program, times: Any, backend: Backend, blocks: Sequence[int], workers: Workers, backward: Pass | None
) -> dict[int, ProgramCosts]:
    path = None if workers.no_cache else cache_file()
    with notice("measuring what groups cost"):
        return {block: program_costs(program, times, backend, block, path, backward) for block in blocks}


def time_strategies(
    file: Path,
    workers: Workers,
    every: bool,
    as_json: bool,
    forces: bool = False,
    route: tuple[str, ...] = (),
    rounds: int = 5,
    work: int = 1,
) -> None:
    """Time strategies to solve a mechanism, and print the times next to the predictions.

    Parameters
    ----------
    file : Path
        Of the mechanism.
    workers : Workers
    every : bool
        Time every route.
    as_json : bool
        Print data instead of text.
    forces : bool
        Whether driving forces and reactions are computed as well.
    route : tuple of str
        Routes to time, by name or as stages; by default some between sequential and parallel.
    rounds : int
        Number of runs of each strategy.
    work : int
        How often each group is solved: a synthetic load.
    """
    program, times, backend = _started(read_file(file), workers, route)
    backward = _backward(program, forces)
    costs = _costs(program, times, backend, (workers.block,) if workers.block else BLOCKS, workers, backward)
    compared = strategies_to_time(
        program, costs, backend.workers, workers.split, route, every, bool(workers.block or work > 1 or forces)
    )
    with progress(1, "measuring") as report:
        timings = measure(
            program, times, compared, costs, backend, rounds, work, None if backend.local.start else report, backward
        )
    routes = tree(program.structure)
    if as_json:
        click.echo(json.dumps(_as_data(routes, timings, backend)))
    else:
        _print(program, routes, timings, backend, costs, work, forces)


def strategies_to_time(
    program: Program,
    costs: Mapping[int, ProgramCosts],
    workers: int,
    split: str | None,
    chosen: tuple[str, ...],
    every: bool,
    given: bool = False,
) -> list[Strategy]:
    """All block sizes and splits with the chosen routes, or with those that have a name and some more.

    Parameters
    ----------
    program : Program
    costs : mapping of int to ProgramCosts
        By block size.
    workers : int
    split : str, optional
        The only split to time.
    chosen : tuple of str
        The only routes to time.
    every : bool
        Time every route.
    given : bool
        Whether the block size is the user's.
    """
    structure, routes = program.structure, tree(program.structure)
    others = list(routes.routes(distinct=True)) if every else [] if chosen else sampled(routes)
    timed: list[Strategy] = []
    for block, price in costs.items():
        for tried in [split] if split else SPLITS if workers > 1 else ("time",):
            lanes = team_size(tried, workers)
            if tried == "hybrid" and not split and lanes in (1, workers):  # the same as another split
                continue
            if lanes == 1 and block != STEP_BY_STEP and not given:  # the loop of `groupkin.solve` has its own blocks
                plain = Strategy(routes.sequential, "time", 1, wide_block(program), workers)
                timed += [plain] * (plain not in timed)
                continue
            compared = [route_by_name(name, structure, price.per_step, lanes) for name in chosen or NAMES]
            timed += strategies(dict.fromkeys([*compared, *others]), workers, [tried], [block], program.iterates)
    return timed


def sampled(tree: Tree) -> list[Route]:
    """Some routes between sequential and parallel."""
    routes = list(tree.routes(10_000, distinct=True))
    return [routes[k] for k in sorted({round(k) for k in np.linspace(0, len(routes) - 1, SAMPLED + 2)})]


def _as_data(tree: Tree, timings: Sequence[Timing], backend: Backend) -> dict[str, Any]:
    routes, distinct = numbers(tree)
    return {
        "routes": routes,
        "distinct": distinct,
        "best": str(min(timings, key=lambda timing: timing.predicted).strategy.route),
        "table": [
            {
                "route": str(timing.strategy.route),
                "split": timing.strategy.split,
                "block": timing.strategy.block,
                "workers": timing.strategy.workers,
                "backend": backend.name,
                "predicted_us_per_step": 1e6 * timing.predicted,
                "measured_us_per_step": 1e6 * timing.measured,
                "alone_us_per_step": 1e6 * timing.alone,
                "speedup": timing.speedup,
                "efficiency": timing.efficiency,
                "waiting": None if np.isnan(timing.waiting) else timing.waiting,
                "spread": timing.spread,
                "difference": timing.difference,
                "steps": timing.steps,
            }
            for timing in timings
        ],
    }


def _print(
    program: Program,
    tree: Tree,
    timings: Sequence[Timing],
    backend: Backend,
    costs: Mapping[int, ProgramCosts],
    work: int,
    forces: bool,
) -> None:
    synthetic = f", SYNTHETIC LOAD: every group is solved {work} times" if work > 1 else ""
    click.echo(title(program.structure, tree))
    what = ", with driving forces and reactions" if forces else ""
    click.echo(f"{counted(len(timings), 'combination')} on {backend.title}{what}{synthetic}\n")
    rows: list[tuple[str, ...]] = []
    for block in sorted({timing.strategy.block for timing in timings}):
        of_block = sorted((item for item in timings if item.strategy.block == block), key=lambda item: item.measured)
        alone = f"{1e6 * of_block[0].alone:.4g}"
        rows.append((str(block), "one worker", alone, "", "1.00", "", "", "", str(tree.sequential)))
        rows += map(_cells, of_block)
    print_table(COLUMNS, rows, {COLUMNS[-1]}, wide=True)
    for line in summary(timings, costs, work):
        click.echo(line)


def _cells(timing: Timing) -> tuple[str, ...]:
    return (
        str(timing.strategy.block),
        timing.strategy.split,
        f"{1e6 * timing.measured:.4g}",
        f"{1e6 * timing.predicted:.4g}",
        f"{timing.speedup:.2f}",
        f"{timing.efficiency:.0%}",
        "" if np.isnan(timing.waiting) else f"{timing.waiting:.0%}",
        "yes" if timing.difference == 0.0 else f"no: {timing.difference:.0e}",
        str(timing.strategy.route),
    )


def summary(timings: Sequence[Timing], costs: Mapping[int, ProgramCosts], work: int = 1) -> list[str]:
    """Lines on how well the model predicts, what it would have chosen, and the least cost of a shared stage."""
    lines, clear = [""], [timing for timing in timings if not timing.disturbed]
    if len(clear) < len(timings):
        lines.append(
            f"this machine is busy: rounds of {len(timings) - len(clear)} of {len(timings)} differ by more than half, "
            "which do not count here; measure again when it is idle"
        )
    if work == 1 and clear:
        errors = [abs(timing.predicted / timing.measured - 1) for timing in clear]
        lines.append(f"predictions are {off(median(errors))} in the median, {off(max(errors))} at most")
        wrong = sum(error > WRONG for error in errors)
        if wrong:
            lines.append(f"{wrong} of {len(errors)} are more than {WRONG:.0%} off: trust what is measured")
        in_blocks = [timing for timing in clear if timing.strategy.block > 1] or clear
        fastest = min(in_blocks, key=lambda timing: timing.measured)
        gain = f"{fastest.speedup:.2f} times as fast as one worker"
        if fastest.speedup < 1.0 + GAIN:
            gain = f"stay with one worker, who takes {1e6 * fastest.alone:.4g} µs"
        lines.append(f"the fastest: {fastest.strategy}: {1e6 * fastest.measured:.4g} µs per step, {gain}")
    block, price = min(costs.items(), key=lambda item: item[0])
    name = "step by step" if block == 1 else f"in blocks of {block}"
    barrier = f"{1e6 * price.per_step.barrier:.3g} µs for the barrier"
    lines.append(f"{name}, a stage of several lanes costs at least {barrier}")
    return lines


def off(error: float) -> str:
    """How far a prediction is from what is measured, in words."""
    return f"{error:.0%} off" if error < 2.0 else f"wrong by a factor of {1.0 + error:.2g}"
