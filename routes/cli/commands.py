"""The commands on routes: ``groupkin routes | tune``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.options import json_option, mechanism_argument, read_file
from groupkin.cli.plot_options import picture_option
from groupkin.cli.terminal import notice, progress
from groupkin.cli.worker_options import Workers, launched, workers_options
from groupkin.messages import counted

if TYPE_CHECKING:
    from groupkin.structure.decomposition import Structure
    from routes.planning.costs import Costs

GUESSED = "costs are guessed by counting operations, and may be wrong by a factor of 3"

EXCLUSIVE = (
    *(("measure", "predict"), ("all", "best")),
    *(("measure", "best"), ("measure", "picture"), ("measure", "costs")),
    *(("real-time", name) for name in ("measure", "predict", "all", "best", "picture", "costs", "split")),
    ("forces", "simulate"),
    *(("predict", "all"), ("predict", "best"), ("predict", "picture"), ("predict", "split")),
)
"""Pairs of options of which the second has no meaning beside the first."""


@click.command()
@mechanism_argument
@workers_options
@click.option("--forces", is_flag=True, help="Count what driving forces and reactions cost as well.")
@click.option("--real-time", is_flag=True, help="Time single steps, one after another, on one thread and on several.")
@click.option("--simulate", is_flag=True, help="With --real-time: the equations of motion, in one thread.")
@click.option("--measure", is_flag=True, help="Time routes on a real motion, and compare them with their predictions.")
@click.option(
    "--route", "chosen", multiple=True, help="With --measure or --real-time: this route, by name or as 1 > (2|3) > 4."
)
@click.option("--rounds", type=click.IntRange(min=1), help="With --measure: number of runs of each; default: 5.")
@click.option("--work", type=click.IntRange(min=1), help="With these: solve each group so often (synthetic load).")
@click.option("--steps", type=click.IntRange(min=2), help="Of the motion for which a command is recommended.")
@click.option("--best", "best_only", is_flag=True, help="Search for the best route only, and say how it was found.")
@click.option("--all", "every", is_flag=True, help="List, or measure, every route.")
@picture_option("Draw the tree of routes.")
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
@json_option
def routes(
    file: Path,
    forces: bool,
    real_time: bool,
    simulate: bool,
    measure: bool,
    chosen: tuple[str, ...],
    rounds: int | None,
    work: int | None,
    steps: int | None,
    best_only: bool,
    every: bool,
    picture: Path | None,
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
    given = {
        "real-time": real_time,
        "forces": forces,
        "simulate": simulate,
        "measure": measure,
        "predict": predict,
        "all": every,
        "best": best_only,
        "picture": picture is not None,
        "costs": source is not None,
        "split": workers.split is not None,
    }
    for first, second in EXCLUSIVE:
        if given[first] and given[second]:
            raise click.UsageError(f"--{first} and --{second} exclude each other")
    if any(x is not None and math.isnan(x) for x in (latency, bandwidth)):
        raise click.UsageError("--latency and --bandwidth must be numbers")
    network = _allowed({"nodes": nodes, "latency": latency, "bandwidth": bandwidth}, predict, "--predict")
    _allowed({"simulate": simulate or None}, real_time, "--real-time")
    _allowed({"route": chosen or None, "work": work}, measure or real_time, "--measure or --real-time")
    _allowed({"rounds": rounds}, measure, "--measure")
    timing: dict[str, Any] = {name: x for name, x in {"route": chosen, "rounds": rounds, "work": work}.items() if x}
    if real_time:
        if workers.backend == "mpi" or (workers.backend is None and launched()):
            raise click.UsageError("--real-time is for threads; ranks are timed step by step by --measure --block 1")
        unused = {"backend": workers.backend, "block": workers.block, "no-window": workers.no_window or None}
        _allowed({**unused, "no-cache": workers.no_cache or None}, False, "--measure, and not to --real-time")
        from routes.cli.real_time_listing import print_real_time

        print_real_time(file, chosen, workers.workers, forces, simulate, work or 1, as_json)
        return
    if measure:
        from routes.cli.measuring import time_strategies

        time_strategies(file, workers, every, as_json, forces, **timing)
        return
    measured = source == "measured" or (source is None and (best_only or predict))
    _allowed(
        {"backend": workers.backend, "no-window": workers.no_window or None, "no-cache": workers.no_cache or None},
        measured,
        "--measure, --best, --predict or --costs measured",
    )
    structure, costs, origin = _analyzed(file, workers, picture, measured, predict, forces)
    from routes.cli import route_listing

    if predict:
        route_listing.print_predictions(structure, costs, origin, network, as_json)
        if measured and not as_json:
            from routes.cli.measuring import model_error

            click.echo(model_error(file, workers, costs.block, forces))
        return
    with notice("counting and searching routes"):
        overview = route_listing.Overview(structure, costs, workers.split, origin)
        if picture is not None:
            from routes.cli.route_drawing import draw

            count = draw(structure, overview.tree, costs, overview.best, picture)
            click.echo(f"written: {picture}, {counted(count, 'route')}", err=True)
        told = [] if as_json or every else _advice(file, workers, forces, source, steps)
        if best_only:
            route_listing.print_best(overview, as_json, told)
        elif as_json:
            route_listing.print_data(overview, every)
        elif every:
            route_listing.print_every(overview)
        else:
            route_listing.print_overview(overview, told)


def _advice(file: Path, workers: Workers, forces: bool, source: str | None, steps: int | None) -> list[str]:
    """Lines on what to run, measured unless the user wants guesses, or a line on why nothing can be measured."""
    if source == "guessed":
        return ["nothing is recommended by guesses; without --costs guessed it is measured what to run"]
    from groupkin.errors import GroupkinError
    from routes.cli.advice import advice

    try:
        return advice(file, workers, forces, steps)
    except GroupkinError as error:
        return [f"nothing is recommended, as nothing can be measured: {error}"]


def _allowed(options: dict[str, Any], allowed: bool, flag: str) -> dict[str, Any]:
    """The options that the user has set; refused if they need a flag that is not set."""
    options = {name: value for name, value in options.items() if value is not None}
    if options and not allowed:
        raise click.UsageError(f"--{next(iter(options))} belongs to {flag}")
    return options


def _analyzed(
    file: Path, workers: Workers, picture: Path | None, measured: bool, predict: bool, forces: bool
) -> tuple[Structure, Costs, str]:
    """Structure and costs of a mechanism file, and where these come from, after quick checks of the options."""
    described = read_file(file)
    if picture is not None:
        from groupkin.picture_files import check_file

        check_file(picture)
    from groupkin.analysis import analyze
    from routes.cli.route_listing import BLOCK
    from routes.planning.costs import guess_costs
    from routes.running.cores import available_cores

    count, block = workers.workers or available_cores(), workers.block or BLOCK
    if measured:
        from routes.cli.measuring import measured_costs

        return measured_costs(described, workers, count, block, predict, forces)
    structure = analyze(described.mechanism)
    return structure, guess_costs(structure, count, block, forces), GUESSED


@click.command()
@click.option("--block", "blocks", type=click.IntRange(min=1), multiple=True, help="Block sizes; default: 1 to 4096.")
def tune(blocks: tuple[int, ...]) -> None:
    """Measure every kind of group in the library on this machine, with its forces, and keep the costs for routes."""
    from routes.timing.cost_cache import cache_file, write_costs
    from routes.timing.library_costs import measure_library
    from routes.timing.strategies import BLOCKS

    path, count = cache_file(), 0
    with progress(1, "measuring") as report:
        for costs in measure_library(blocks or BLOCKS, report):
            write_costs(path, costs)
            count += len(costs)
    click.echo(f"written: {path}, {counted(count, 'measurement')}")
