"""Measurements on the command line: ``groupkin routes --measure`` and ``groupkin tune``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from groupkin.cli.terminal import print_table
from groupkin.cli.worker_options import Workers, chosen_backend
from groupkin.mechanism.pairs import counted

if TYPE_CHECKING:
    from groupkin.kinematics.program.program import Program
    from groupkin.mechanism.files import MechanismFile
    from groupkin.structure.decomposition import Structure
    from routes.planning.costs import Costs
    from routes.running.backends import Backend
    from routes.timing.candidates import Way
    from routes.timing.measurement import Timing
    from routes.timing.profile import Prices

SAMPLED = 4
"""Routes that are measured, besides those with a name, unless all are asked for; all if there are not more."""

COLUMNS = (
    "block", "split", "µs per step", "predicted", "speed-up", "efficiency", "waiting", "same bits", "route",
)  # fmt: skip


def measured_costs(
    described: MechanismFile, workers: Workers, count: int, block: int, simulate: bool
) -> tuple[Structure, Costs, str]:
    """Structure and measured costs of a mechanism, and where these are kept.

    A simulation is of other workers than there are; what a barrier costs is measured on those that there are.
    """
    program, times = _program(described, workers)
    backend = chosen_backend(workers.backend, None if simulate else workers.workers, workers.no_window)
    found = _prices(program, times, backend, [block], workers)[block]
    costs = replace(found.over(times.size), workers=count)
    return program.structure, costs, f"costs measured on this machine, with {backend.title}{_kept(workers)}"


def model_error(file: Path, workers: Workers, block: int) -> str:
    """How far predictions are from what one and two threads of this machine take."""
    from groupkin.cli.options import read_file
    from routes.diagrams.route_tree import tree as tree_of
    from routes.planning.best_route import best
    from routes.running.backends import serial, threads
    from routes.timing.candidates import Way
    from routes.timing.measurement import measure

    program, times = _program(read_file(file), workers)
    found = []
    for backend in (serial(), threads(2)):
        prices = _prices(program, times, backend, [block], workers)
        count, route = backend.workers, best(program.structure, prices[block].costs).route
        ways = [Way(tree_of(program.structure).sequential, "time", 1, block, count)]
        if count > 1:
            ways.append(Way(route, "groups", count, block, count))
        if block == 1 and program.iterates:  # no worker can have other times
            ways = ways[-1:]
        for item in measure(program, times, ways, prices, backend, rounds=3):
            who = f"{counted(count, 'worker')}" + f" split by {item.way.split}" * (count > 1)
            found.append(f"{item.predicted / item.measured - 1:+.0%} on {who}")
    return "the model's error, measured here: " + ", ".join(found)


def _kept(workers: Workers) -> str:
    from routes.timing.cost_cache import tuning_file

    return "" if workers.no_cache else f" ({tuning_file()})"


def _program(described: MechanismFile, workers: Workers) -> tuple[Program, Any]:
    from groupkin.cli.options import prepared, times_of

    times = times_of(described, None, None)
    return prepared(described, False, times, {}), times


def _prices(
    program: Program, times: Any, backend: Backend, blocks: Sequence[int], workers: Workers
) -> dict[int, Prices]:
    from groupkin.cli.terminal import notice
    from routes.timing.cost_cache import tuning_file
    from routes.timing.profile import prices

    path = None if workers.no_cache else tuning_file()
    with notice("measuring what groups cost"):
        return {block: prices(program, times, backend, block, path) for block in blocks}


def measured(
    file: Path,
    workers: Workers,
    every: bool,
    as_json: bool,
    route: tuple[str, ...] = (),
    rounds: int = 5,
    work: int = 1,
) -> None:
    """Run ways to execute a mechanism, and print what each takes beside what was predicted."""
    from groupkin.cli.options import read_file
    from groupkin.cli.terminal import progress
    from routes.diagrams.route_tree import tree as tree_of
    from routes.timing.candidates import BLOCKS
    from routes.timing.measurement import measure

    described = read_file(file)
    program, times = _program(described, workers)
    backend = chosen_backend(workers.backend, workers.workers, workers.no_window)
    blocks = (workers.block,) if workers.block else BLOCKS
    prices = _prices(program, times, backend, blocks, workers)
    tried = ways_to_try(program, prices, backend.workers, workers.split, route, every)
    with progress(1, "measuring") as report:
        shown = None if backend.local.start else report
        found = measure(program, times, tried, prices, backend, rounds, work, shown)
    tree = tree_of(program.structure)
    if as_json:
        click.echo(json.dumps(_as_data(tree, found, backend)))
        return
    _print(program, tree, found, backend, prices, work)


def ways_to_try(
    program: Program, prices: dict[int, Prices], workers: int, split: str | None, given: tuple[str, ...], every: bool
) -> list[Way]:
    """What is measured: all routes where they are few, or those with a name and some between; and every split."""
    from routes.diagrams.route_tree import tree as tree_of
    from routes.planning.costs import SPLITS
    from routes.solving import named
    from routes.timing.candidates import ways, width_of

    structure, tree = program.structure, tree_of(program.structure)
    found: list[Way] = []
    for block, price in prices.items():
        for own in [split] if split else SPLITS if workers > 1 else ("time",):
            width = width_of(own, workers)
            if own == "hybrid" and not split and width in (1, workers):  # that is one of the others
                continue
            names = given or ("best", "sequential", "parallel", "unstaged")
            picked = [named(name, structure, price, width) for name in names]
            if every:
                picked = [*picked, *tree.routes(distinct=True)]
            elif not given:
                picked = [*picked, *_between(tree)]
            found += ways(dict.fromkeys(picked), workers, [own], [block], program.iterates)
    return found


def _between(tree: Any) -> list[Any]:
    """Some routes between sequential and parallel."""
    known = list(islice(tree.routes(distinct=True), 10_000))
    return [known[k] for k in sorted({round(k) for k in np.linspace(0, len(known) - 1, SAMPLED + 2)})]


def _as_data(tree: Any, found: list[Timing], backend: Backend) -> dict[str, Any]:
    from routes.cli import route_listing

    routes, distinct = route_listing.numbers(tree)
    fastest = min(found, key=lambda item: item.predicted)
    return {
        "routes": routes,
        "distinct": distinct,
        "best": str(fastest.way.route),
        "table": [
            {
                "route": str(item.way.route),
                "split": item.way.split,
                "block": item.way.block,
                "workers": item.way.workers,
                "backend": backend.name,
                "predicted_us_per_step": 1e6 * item.predicted,
                "measured_us_per_step": 1e6 * item.measured,
                "sequential_us_per_step": 1e6 * item.sequential,
                "speedup": item.speedup,
                "efficiency": item.efficiency,
                "waiting": item.waiting,
                "difference": item.difference,
                "steps": item.steps,
            }
            for item in found
        ],
    }


def _print(
    program: Program, tree: Any, found: list[Timing], backend: Backend, prices: dict[int, Prices], work: int
) -> None:
    from routes.cli import route_listing

    synthetic = f", SYNTHETIC LOAD: every group is solved {work} times" if work > 1 else ""
    click.echo(route_listing.title(program.structure, tree))
    click.echo(f"{counted(len(found), 'combination')} on {backend.title}{synthetic}\n")
    rows: list[tuple[str, ...]] = []
    for block in sorted({item.way.block for item in found}):
        own = sorted((item for item in found if item.way.block == block), key=lambda item: item.measured)
        alone = f"{1e6 * own[0].sequential:.4g}"
        rows.append((str(block), "one worker", alone, "", "1.00", "", "", "", str(tree.sequential)))
        rows += [_cells(item) for item in own]
    print_table(COLUMNS, rows, {COLUMNS[-1]}, wide=True)
    for line in summary(found, prices, work):
        click.echo(line)


def _cells(item: Timing) -> tuple[str, ...]:
    return (
        str(item.way.block),
        item.way.split,
        f"{1e6 * item.measured:.4g}",
        f"{1e6 * item.predicted:.4g}",
        f"{item.speedup:.2f}",
        f"{item.efficiency:.0%}",
        f"{item.waiting:.0%}",
        "yes" if item.difference == 0.0 else f"no: {item.difference:.0e}",
        str(item.way.route),
    )


def summary(found: Sequence[Timing], prices: dict[int, Prices], work: int = 1) -> list[str]:
    """How well the model predicts, which way it would have chosen, and what working together costs at least."""
    lines = [""]
    if work == 1:
        errors = [abs(item.predicted / item.measured - 1) for item in found]
        lines.append(f"predictions are {median(errors):.0%} off in the median, {max(errors):.0%} at most")
        free = [item for item in found if item.way.block > 1] or list(found)
        chosen, fastest = min(free, key=lambda item: item.predicted), min(free, key=lambda item: item.measured)
        above = chosen.measured / fastest.measured - 1
        lines.append(f"chosen: {chosen.way}: {1e6 * chosen.measured:.4g} µs per step")
        lines.append(f"{above:.0%} above the fastest that was measured: {fastest.way}")
    for block, price in sorted(prices.items())[:1]:
        name = "step by step" if block == 1 else f"in blocks of {block}"
        lines.append(f"{name}, a stage of several lanes costs at least {1e6 * price.costs.barrier:.3g} µs to meet")
    return lines


@click.command()
@click.option("--block", "blocks", type=click.IntRange(min=1), multiple=True, help="Block sizes; default: 1 to 4096.")
def tune(blocks: tuple[int, ...]) -> None:
    """Measure what every kind of group in the library costs on this machine, and keep it for routes."""
    from groupkin.cli.terminal import progress
    from routes.timing.candidates import BLOCKS
    from routes.timing.cost_cache import remember, tuning_file
    from routes.timing.library_costs import survey

    path, count = tuning_file(), 0
    with progress(1, "measuring") as report:
        for measured in survey(blocks or BLOCKS, report):
            remember(path, measured)
            count += len(measured)
    click.echo(f"written: {path}, {counted(count, 'measurement')}")
