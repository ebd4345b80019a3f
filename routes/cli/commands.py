"""The command on routes: ``groupkin routes``."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.terminal import console, print_table
from groupkin.cli.worker_options import Workers, workers_options
from groupkin.mechanism.pairs import counted
from routes.cli.measure_commands import tune

if TYPE_CHECKING:
    from groupkin.structure.decomposition import Structure
    from routes.diagrams.route_tree import Tree
    from routes.planning.best_route import BestRoute
    from routes.planning.costs import Costs

__all__ = ["routes", "tune"]

GUESSED = "costs are guessed by counting operations"

BLOCK = 1024
"""Steps solved at a time, unless the user says otherwise."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@workers_options
@click.option("--measure", is_flag=True, help="Run routes on real motion, and compare them with what was predicted.")
@click.option("--route", "given", multiple=True, help="With --measure: this route, by name or as 1 > (2|3) > 4.")
@click.option("--rounds", type=click.IntRange(min=1), help="With --measure: how often each is run; default: 5.")
@click.option("--work", type=click.IntRange(min=1), help="With --measure: solve each group so often (synthetic load).")
@click.option("--best", "best_only", is_flag=True, help="Search for the best route only, and say how it was found.")
@click.option("--all", "every", is_flag=True, help="List, or measure, every route.")
@click.option("--draw", type=click.Path(path_type=Path), help="Draw the tree: .svg, .png, .pdf.")
@click.option("--predict", is_flag=True, help="Predict all splits on a machine with --workers on --nodes.")
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
    given: tuple[str, ...],
    rounds: int | None,
    work: int | None,
    best_only: bool,
    every: bool,
    draw: Path | None,
    simulate: bool,
    nodes: int | None,
    latency: float | None,
    bandwidth: float | None,
    source: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Show the ways to solve the groups of FILE side by side, find the best, and time them.

    Under mpiexec the ranks are the workers.
    """
    workers = Workers(**options)
    for first, second, both in (("measure", "simulate", measure and simulate), ("all", "best", every and best_only)):
        if both:
            raise click.UsageError(f"--{first} and --{second} are two questions; ask one")
    if any(x is not None and math.isnan(x) for x in (latency, bandwidth)):
        raise click.UsageError("--latency and --bandwidth must be numbers")
    network = _only({"nodes": nodes, "latency": latency, "bandwidth": bandwidth}, simulate, "--predict")
    timed = _only({"route": given or None, "rounds": rounds, "work": work}, measure, "--measure")
    if measure:
        from routes.cli import measure_commands

        measure_commands.measured(file, workers, every, as_json, **timed)
        return
    split, anew = workers.split, source == "measured" or (source is None and (best_only or simulate))
    structure, costs, origin = _prepared(file, workers, draw, anew, simulate)
    if simulate:
        _simulate(structure, costs, origin, network, as_json)
        if anew and not as_json:
            from routes.cli import measure_commands

            click.echo(measure_commands.model_error(file, workers, costs.block))
        return
    from groupkin.cli.terminal import notice
    from routes.diagrams.route_tree import tree as tree_of
    from routes.planning.best_route import best

    with notice("counting and searching routes"):
        tree, found = tree_of(structure), best(structure, costs)
        if draw is not None:
            _draw(structure, tree, costs, found, draw)
        if best_only:
            _print_best(structure, tree, costs, found, split, origin, as_json)
        elif as_json:
            _print_data(structure, tree, costs, found, split, every)
        else:
            _print(structure, tree, costs, found, split, origin, every)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _only(options: dict[str, Any], allowed: bool, flag: str) -> dict[str, Any]:
    """The options that are given, if they are allowed."""
    found = {name: value for name, value in options.items() if value is not None}
    if found and not allowed:
        raise click.UsageError(f"--{next(iter(found))} belongs to {flag}")
    return found


def _prepared(
    file: Path, workers: Workers, draw: Path | None, measured: bool, simulate: bool
) -> tuple[Structure, Costs, str]:
    """Structure and costs of a mechanism file, and where these come from; what can be refused at once comes first."""
    from groupkin.cli.options import read_file

    described = read_file(file)
    if draw is not None:
        from groupkin.kinematics.modes.mode_drawing import check_file

        check_file(draw)
    from groupkin.analysis import analyze
    from routes.planning.costs import guess_costs

    count, block = workers.workers or cores(), workers.block or BLOCK
    if measured:
        from routes.cli.measure_commands import measured_costs

        return measured_costs(described, workers, count, block, simulate)
    structure = analyze(described.mechanism)
    return structure, guess_costs(structure, count, block), GUESSED


def _draw(structure: Structure, tree: Tree, costs: Costs, found: BestRoute, path: Path) -> None:
    from routes.cli.route_drawing import draw

    click.echo(f"written: {path}, {counted(draw(structure, tree, costs, found, path), 'route')}", err=True)


def _print_data(
    structure: Structure, tree: Tree, costs: Costs, found: BestRoute, split: str | None, every: bool
) -> None:
    from routes.cli import route_listing

    named = route_listing.compared(structure, tree, costs, found, split)
    rows = route_listing.every(tree, costs, split) if every else [item for _, item in named]
    click.echo(json.dumps(route_listing.as_data(tree, found, costs, rows)))


def _print(
    structure: Structure, tree: Tree, costs: Costs, found: BestRoute, split: str | None, origin: str, every: bool
) -> None:
    from routes.cli import route_listing

    if every:
        first = [("", item) for item in route_listing.every(tree, costs, split)]
        click.echo(route_listing.title(structure, tree) + "\n")
        print_table(route_listing.COLUMNS[1:], [cells[1:] for cells in route_listing.cells(first)], set(), wide=True)
        click.echo(_assumptions(costs, origin))
        return
    click.echo(route_listing.title(structure, tree) + "\n")
    _print_tree(tree, found)
    rows = route_listing.compared(structure, tree, costs, found, split)
    print_table(route_listing.COLUMNS, route_listing.cells(rows), {route_listing.COLUMNS[-1]}, wide=True)
    _print_search(costs, found, origin)


def _print_tree(tree: Tree, found: BestRoute) -> None:
    """The tree if it is small, otherwise how many routes have how many stages."""
    from routes.cli import route_listing

    whole = route_listing.shown_whole(tree)
    if whole:
        shown, merged = whole
        if merged:
            click.echo("One of each that differ by exchange of interchangeable groups only:")
        console(wide=True).print(route_listing.drawn(shown, found.route), soft_wrap=True)
        click.echo()
    elif route_listing.numbers(tree)[0] is not None:
        print_table(route_listing.SPREAD, route_listing.spread(tree), set())
        click.echo()


def _print_best(
    structure: Structure, tree: Tree, costs: Costs, found: BestRoute, split: str | None, origin: str, as_json: bool
) -> None:
    from routes.cli import route_listing
    from routes.planning.unstaged_schedule import unstaged

    loose = unstaged(structure, costs)
    rows = route_listing.compared(structure, tree, costs, found, split)
    if as_json:
        data = route_listing.as_data(tree, found, costs, [item for _, item in rows])
        data["unstaged"] = {
            "order": loose.order,
            "lanes": loose.lanes,
            "predicted_us_per_step": 1e6 * loose.seconds,
            "bound_us_per_step": 1e6 * loose.bound,
            "gap": loose.gap,
        }
        click.echo(json.dumps(data))
        return
    click.echo(f"{structure.mechanism.name}: {found.route}\n")
    print_table(route_listing.COLUMNS, route_listing.cells(rows), {route_listing.COLUMNS[-1]}, wide=True)
    _print_search(costs, found, origin)
    click.echo(
        f"without stages, by list scheduling: {1e6 * loose.seconds:.4g} µs per step, at most {loose.gap:.1%} above the "
        f"best; {loose}"
    )


def _print_search(costs: Costs, found: BestRoute, origin: str) -> None:
    gap = f"; at most {found.gap:.1%} above the best" if found.gap else ""
    click.echo(f"\nbest route of split groups, {found.how}{gap}")
    click.echo(_assumptions(costs, origin))


def _assumptions(costs: Costs, origin: str) -> str:
    return f"predicted for {costs.workers} workers and blocks of {costs.block} steps; {origin}"


def _simulate(structure: Structure, costs: Costs, origin: str, network: dict[str, float], as_json: bool) -> None:
    from dataclasses import asdict

    from groupkin.cli.terminal import notice
    from routes.cli import route_listing
    from routes.planning.prediction import predict

    with notice("searching routes for every way to divide the workers"):
        found = predict(structure, costs, costs.workers, **network)  # type: ignore[arg-type]
    if as_json:
        data = [asdict(item) | {"route": str(item.route), "us_per_step": 1e6 * item.seconds} for item in found]
        click.echo(json.dumps(data))
        return
    nodes = int(network.get("nodes", 1))
    click.echo(
        f"{structure.mechanism.name}: simulated, {counted(costs.workers, 'worker')} on {counted(nodes, 'node')}\n"
    )
    print_table(
        route_listing.PREDICTION_COLUMNS,
        route_listing.prediction_cells(found),
        {route_listing.PREDICTION_COLUMNS[-1]},
        wide=True,
    )
    if nodes > 1:
        click.echo(f"with {costs.collected:.4g} bytes of every step sent to the node that keeps them")
    click.echo(_assumptions(costs, origin))
