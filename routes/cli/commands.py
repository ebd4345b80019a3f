"""The command on routes: ``groupkin routes``."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.terminal import console, notice, print_table
from groupkin.cli.worker_options import Workers, workers_options
from groupkin.mechanism.pairs import counted
from routes.cli.measure_commands import measured_costs, model_error, time_strategies, tune

if TYPE_CHECKING:
    from groupkin.structure.decomposition import Structure
    from routes.cli.route_listing import Row
    from routes.diagrams.route_tree import Tree
    from routes.planning.best_route import BestRoute
    from routes.planning.costs import Costs

__all__ = ["routes", "tune"]

GUESSED = "costs are guessed by counting operations"

BLOCK = 1024
"""Steps per block, unless the user chooses another number."""


@dataclass(frozen=True)
class _Overview:
    """What is printed about the routes of a structure; `origin` says where the costs come from."""

    structure: Structure
    tree: Tree
    costs: Costs
    best: BestRoute
    split: str | None
    origin: str

    @cached_property
    def compared(self) -> list[tuple[str, Row]]:
        from routes.cli.route_listing import compared

        return compared(self.structure, self.tree, self.costs, self.best, self.split)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@workers_options
@click.option("--measure", is_flag=True, help="Time routes on a real motion, and compare them with their predictions.")
@click.option(
    "--route", "chosen", multiple=True, help="With --measure: time this route, by name or as 1 > (2|3) > 4; repeatable."
)
@click.option("--rounds", type=click.IntRange(min=1), help="With --measure: number of runs of each; default: 5.")
@click.option("--work", type=click.IntRange(min=1), help="With --measure: solve each group so often (synthetic load).")
@click.option("--best", "best_only", is_flag=True, help="Search for the best route only, and say how it was found.")
@click.option("--all", "every", is_flag=True, help="List, or measure, every route.")
@click.option("--draw", type=click.Path(path_type=Path), help="Draw the tree of routes: .svg, .png, .pdf.")
@click.option("--predict", is_flag=True, help="Predict all splits on a hypothetical machine: --workers on --nodes.")
@click.option("--nodes", type=click.IntRange(min=1), help="With --predict: nodes of a cluster; default: 1.")
@click.option("--latency", type=click.FloatRange(min=0), help="With --predict: seconds per message; default: 2e-6.")
@click.option(
    "--bandwidth",
    type=click.FloatRange(min=0, min_open=True),
    help="With --predict: bytes per second between nodes; default: 1e10.",
)
@click.option(
    "--costs",
    "source",
    type=click.Choice(["measured", "guessed"]),
    help="Measured on this machine (default with --best and --predict), or guessed by counting operations.",
)
@click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
def routes(
    file: Path,
    measure: bool,
    chosen: tuple[str, ...],
    rounds: int | None,
    work: int | None,
    best_only: bool,
    every: bool,
    draw: Path | None,
    predict: bool,
    nodes: int | None,
    latency: float | None,
    bandwidth: float | None,
    source: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Show the routes through the groups of FILE, find the best, and time them.

    Under mpiexec the ranks are the workers.
    """
    workers = Workers(**options)
    for first, second, both in (("measure", "predict", measure and predict), ("all", "best", every and best_only)):
        if both:
            raise click.UsageError(f"--{first} and --{second} exclude each other")
    if any(x is not None and math.isnan(x) for x in (latency, bandwidth)):
        raise click.UsageError("--latency and --bandwidth must be numbers")
    network = _allowed({"nodes": nodes, "latency": latency, "bandwidth": bandwidth}, predict, "--predict")
    timing = _allowed({"route": chosen or None, "rounds": rounds, "work": work}, measure, "--measure")
    if measure:
        time_strategies(file, workers, every, as_json, **timing)
        return
    measure_costs = source == "measured" or (source is None and (best_only or predict))
    structure, costs, origin = _analyzed(file, workers, draw, measure_costs, predict)
    if predict:
        _predict(structure, costs, origin, network, as_json)
        if measure_costs and not as_json:
            click.echo(model_error(file, workers, costs.block))
        return
    from routes.diagrams.route_tree import tree
    from routes.planning.best_route import best

    with notice("counting and searching routes"):
        overview = _Overview(structure, tree(structure), costs, best(structure, costs), workers.split, origin)
        if draw is not None:
            _draw(overview, draw)
        if best_only:
            _print_best(overview, as_json)
        elif as_json:
            _print_data(overview, every)
        elif every:
            _print_every(overview)
        else:
            _print(overview)


def cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _allowed(options: dict[str, Any], allowed: bool, flag: str) -> dict[str, Any]:
    """The options that the user has set; refused if they need a flag that is not set."""
    options = {name: value for name, value in options.items() if value is not None}
    if options and not allowed:
        raise click.UsageError(f"--{next(iter(options))} belongs to {flag}")
    return options


def _analyzed(
    file: Path, workers: Workers, draw: Path | None, measured: bool, predict: bool
) -> tuple[Structure, Costs, str]:
    """Structure and costs of a mechanism file, and where these come from, after quick checks of the options."""
    from groupkin.cli.options import read_file

    described = read_file(file)
    if draw is not None:
        from groupkin.kinematics.modes.mode_drawing import check_file

        check_file(draw)
    from groupkin.analysis import analyze
    from routes.planning.costs import guess_costs

    count, block = workers.workers or cores(), workers.block or BLOCK
    if measured:
        return measured_costs(described, workers, count, block, predict)
    structure = analyze(described.mechanism)
    return structure, guess_costs(structure, count, block), GUESSED


def _draw(overview: _Overview, path: Path) -> None:
    from routes.cli.route_drawing import draw

    count = draw(overview.structure, overview.tree, overview.costs, overview.best, path)
    click.echo(f"written: {path}, {counted(count, 'route')}", err=True)


def _print_data(overview: _Overview, every: bool) -> None:
    from routes.cli import route_listing

    rows = [row for _, row in overview.compared]
    if every:
        rows = list(route_listing.every(overview.tree, overview.costs, overview.split))
    click.echo(json.dumps(route_listing.as_data(overview.tree, overview.best, overview.costs, rows)))


def _print_every(overview: _Overview) -> None:
    from routes.cli import route_listing

    rows = [("", row) for row in route_listing.every(overview.tree, overview.costs, overview.split)]
    click.echo(route_listing.title(overview.structure, overview.tree) + "\n")
    print_table(route_listing.COLUMNS[1:], [cells[1:] for cells in route_listing.cells(rows)], set(), wide=True)
    click.echo(_assumptions(overview.costs, overview.origin))


def _print(overview: _Overview) -> None:
    from routes.cli import route_listing

    click.echo(route_listing.title(overview.structure, overview.tree) + "\n")
    _print_tree(overview.tree, overview.best)
    _print_comparison(overview)


def _print_tree(tree: Tree, best: BestRoute) -> None:
    """Print the tree if it is small, otherwise how many routes have how many stages."""
    from routes.cli import route_listing

    small = route_listing.small_tree(tree)
    if small:
        shown, merged = small
        if merged:
            click.echo("One of each that differ by exchange of interchangeable groups only:")
        console(wide=True).print(route_listing.drawn(shown, best.route), soft_wrap=True)
        click.echo()
    elif route_listing.numbers(tree)[0] is not None:
        print_table(route_listing.SPREAD, route_listing.spread(tree), set())
        click.echo()


def _print_comparison(overview: _Overview) -> None:
    from routes.cli.route_listing import COLUMNS, cells

    print_table(COLUMNS, cells(overview.compared), {COLUMNS[-1]}, wide=True)
    best = overview.best
    gap = f"; at most {best.gap:.1%} above the best" if best.gap else ""
    click.echo(f"\nbest route of split groups, {best.how}{gap}")
    click.echo(_assumptions(overview.costs, overview.origin))


def _print_best(overview: _Overview, as_json: bool) -> None:
    from routes.cli.route_listing import as_data
    from routes.planning.unstaged_schedule import unstaged

    schedule = unstaged(overview.structure, overview.costs)
    if as_json:
        data = as_data(overview.tree, overview.best, overview.costs, [row for _, row in overview.compared])
        data["unstaged"] = {
            "order": schedule.order,
            "lanes": schedule.lanes,
            "predicted_us_per_step": 1e6 * schedule.seconds,
            "bound_us_per_step": 1e6 * schedule.bound,
            "gap": schedule.gap,
        }
        click.echo(json.dumps(data))
        return
    click.echo(f"{overview.structure.mechanism.name}: {overview.best.route}\n")
    _print_comparison(overview)
    click.echo(
        f"without stages, by list scheduling: {1e6 * schedule.seconds:.4g} µs per step, at most {schedule.gap:.1%} "
        f"above the best; {schedule}"
    )


def _assumptions(costs: Costs, origin: str) -> str:
    return f"predicted for {costs.workers} workers and blocks of {costs.block} steps; {origin}"


def _predict(structure: Structure, costs: Costs, origin: str, network: dict[str, float], as_json: bool) -> None:
    from routes.cli.route_listing import PREDICTION_COLUMNS, prediction_cells
    from routes.planning.prediction import predict

    with notice("searching routes for every way to divide the workers"):
        predictions = predict(structure, costs, costs.workers, **network)  # type: ignore[arg-type]
    if as_json:
        data = [asdict(item) | {"route": str(item.route), "us_per_step": 1e6 * item.seconds} for item in predictions]
        click.echo(json.dumps(data))
        return
    nodes = int(network.get("nodes", 1))
    machine = f"{counted(costs.workers, 'worker')} on {counted(nodes, 'node')}"
    click.echo(f"{structure.mechanism.name}: predicted for {machine}\n")
    print_table(PREDICTION_COLUMNS, prediction_cells(predictions), {PREDICTION_COLUMNS[-1]}, wide=True)
    if nodes > 1:
        click.echo(f"including {costs.bytes_kept:.4g} bytes of every step sent to the node that writes the result")
    click.echo(_assumptions(costs, origin))
