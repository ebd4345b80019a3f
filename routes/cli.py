"""The command on routes: ``groupkin routes``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groupkin.mechanism.pairs import counted
from groupkin.terminal import console, print_table

if TYPE_CHECKING:
    from groupkin.structure.decomposition import Structure
    from routes.costs import Costs
    from routes.enumeration import Tree
    from routes.search import Found

GUESSED = "costs are guessed by counting operations"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--workers", type=click.IntRange(min=1), help="Threads or ranks; default: the cores of this machine.")
@click.option("--block", type=click.IntRange(min=1), default=1024, show_default=True, help="Steps solved at a time.")
@click.option(
    "--split",
    type=click.Choice(["groups", "time", "hybrid"]),
    help="Workers take different groups, different blocks, or teams of them different blocks; default: all compared.",
)
@click.option("--best", "best_only", is_flag=True, help="Search for the best route only, and say how it was found.")
@click.option("--all", "every", is_flag=True, help="List every route with its prediction.")
@click.option("--draw", type=click.Path(path_type=Path), help="Draw the tree: .svg, .png, .pdf.")
@click.option("--simulate", is_flag=True, help="Predict all splits on a machine with --workers on --nodes.")
@click.option("--nodes", type=click.IntRange(min=1), help="With --simulate: nodes of a cluster; default: 1.")
@click.option("--latency", type=click.FloatRange(min=0), help="With --simulate: seconds per message; default: 2e-6.")
@click.option(
    "--bandwidth",
    type=click.FloatRange(min=0, min_open=True),
    help="With --simulate: bytes per second between nodes; default: 1e10.",
)
@click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
def routes(
    file: Path,
    workers: int | None,
    block: int,
    split: str | None,
    best_only: bool,
    every: bool,
    draw: Path | None,
    simulate: bool,
    nodes: int | None,
    latency: float | None,
    bandwidth: float | None,
    as_json: bool,
) -> None:
    """Show the ways to solve the groups of FILE side by side, and find the best."""
    network = {"nodes": nodes, "latency": latency, "bandwidth": bandwidth}
    given = {name: value for name, value in network.items() if value is not None}
    if given and not simulate:
        raise click.UsageError(f"--{next(iter(given))} belongs to --simulate")
    structure, costs = _prepared(file, workers or cores(), block, draw)
    if simulate:
        _simulate(structure, costs, given, as_json)
        return
    from groupkin.cli import _notice
    from routes.enumeration import tree as tree_of
    from routes.search import best

    with _notice("counting and searching routes"):
        tree, found = tree_of(structure), best(structure, costs)
        if draw is not None:
            _draw(structure, tree, costs, found, draw)
        if best_only:
            _print_best(structure, tree, costs, found, split, as_json)
        elif as_json:
            _print_data(structure, tree, costs, found, split, every)
        else:
            _print(structure, tree, costs, found, split, every)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _prepared(file: Path, workers: int, block: int, draw: Path | None) -> tuple[Structure, Costs]:
    """Structure and costs of a mechanism file, after what can be refused at once has been."""
    from groupkin.cli import _read

    described = _read(file)
    if draw is not None:
        from groupkin.kinematics.drawing import check_file

        check_file(draw)
    from groupkin.analysis import analyze
    from routes.costs import guessed

    structure = analyze(described.mechanism)
    return structure, guessed(structure, workers, block)


def _draw(structure: Structure, tree: Tree, costs: Costs, found: Found, path: Path) -> None:
    from routes.drawing import draw

    click.echo(f"written: {path}, {counted(draw(structure, tree, costs, found, path), 'route')}", err=True)


def _print_data(structure: Structure, tree: Tree, costs: Costs, found: Found, split: str | None, every: bool) -> None:
    from routes import listing

    named = listing.compared(structure, tree, costs, found, split)
    rows = listing.every(tree, costs, split) if every else [item for _, item in named]
    click.echo(json.dumps(listing.as_data(tree, found, costs, rows)))


def _print(structure: Structure, tree: Tree, costs: Costs, found: Found, split: str | None, every: bool) -> None:
    from routes import listing

    if every:
        first = [("", item) for item in listing.every(tree, costs, split)]
        click.echo(listing.title(structure, tree) + "\n")
        print_table(listing.COLUMNS[1:], [cells[1:] for cells in listing.cells(first)], set(), wide=True)
        click.echo(_assumptions(costs))
        return
    click.echo(listing.title(structure, tree) + "\n")
    _print_tree(tree, found)
    rows = listing.compared(structure, tree, costs, found, split)
    print_table(listing.COLUMNS, listing.cells(rows), {listing.COLUMNS[-1]}, wide=True)
    _print_search(costs, found)


def _print_tree(tree: Tree, found: Found) -> None:
    """The tree if it is small, otherwise how many routes have how many stages."""
    from routes import listing

    whole = listing.shown_whole(tree)
    if whole:
        shown, merged = whole
        if merged:
            click.echo("One of each that differ by exchange of interchangeable groups only:")
        console(wide=True).print(listing.drawn(shown, found.route), soft_wrap=True)
        click.echo()
    elif listing.numbers(tree)[0] is not None:
        print_table(listing.SPREAD, listing.spread(tree), set())
        click.echo()


def _print_best(structure: Structure, tree: Tree, costs: Costs, found: Found, split: str | None, as_json: bool) -> None:
    from routes import listing
    from routes.unstaged import unstaged

    loose = unstaged(structure, costs)
    rows = listing.compared(structure, tree, costs, found, split)
    if as_json:
        data = listing.as_data(tree, found, costs, [item for _, item in rows])
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
    print_table(listing.COLUMNS, listing.cells(rows), {listing.COLUMNS[-1]}, wide=True)
    _print_search(costs, found)
    click.echo(
        f"without stages, by list scheduling: {1e6 * loose.seconds:.4g} µs per step, at most {loose.gap:.1%} above the "
        f"best; lanes: {loose}"
    )


def _print_search(costs: Costs, found: Found) -> None:
    gap = f"; at most {found.gap:.1%} above the best" if found.gap else ""
    click.echo(f"\nbest route of split groups, {found.how}{gap}")
    click.echo(_assumptions(costs))


def _assumptions(costs: Costs) -> str:
    return f"predicted for {costs.workers} workers and blocks of {costs.block} steps; {GUESSED}"


def _simulate(structure: Structure, costs: Costs, network: dict[str, float], as_json: bool) -> None:
    from dataclasses import asdict

    from groupkin.cli import _notice
    from routes import listing
    from routes.simulation import simulate

    with _notice("searching routes for every way to divide the workers"):
        found = simulate(structure, costs, costs.workers, **network)  # type: ignore[arg-type]
    if as_json:
        data = [asdict(item) | {"route": str(item.route), "us_per_step": 1e6 * item.seconds} for item in found]
        click.echo(json.dumps(data))
        return
    nodes = int(network.get("nodes", 1))
    click.echo(
        f"{structure.mechanism.name}: simulated, {counted(costs.workers, 'worker')} on {counted(nodes, 'node')}\n"
    )
    print_table(listing.SIMULATED, listing.simulated_cells(found), {listing.SIMULATED[-1]}, wide=True)
    if nodes > 1:
        click.echo(f"with {costs.collected:.4g} bytes of every step sent to the node that keeps them")
    click.echo(_assumptions(costs))
