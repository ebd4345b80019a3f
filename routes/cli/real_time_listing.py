"""``groupkin routes --real-time``: what single steps cost, as text and as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from groupkin.cli.options import prepared, read_file, times_of
from groupkin.cli.terminal import notice, print_table
from groupkin.kinematics.program.program import Program
from groupkin.messages import counted
from routes.cli.measuring import sampled
from routes.diagrams.route import Route
from routes.diagrams.route_tree import tree
from routes.planning.named_routes import route_by_name
from routes.running.backends import serial
from routes.running.cores import available_cores
from routes.timing.group_costs import way_back
from routes.timing.program_costs import program_costs
from routes.timing.real_time import RARE, RealTime, pays_from, real_time, right_hand_side

COLUMNS = ("threads", "mean, µs", f"{100 * RARE:g} %, µs", "worst, µs", "failed", "route")


def print_real_time(
    file: Path, chosen: tuple[str, ...], count: int | None, forces: bool, simulate: bool, work: int, as_json: bool
) -> None:
    """Time single steps of a mechanism by routes on one thread and on several, and print what they cost.

    Parameters
    ----------
    file : Path
    chosen : tuple of str
        Routes; by default some between sequential and parallel.
    count : int, optional
        Threads; default: one, and as many as there are cores, two at most.
    forces, simulate : bool
        With driving forces and reactions; or the right-hand side of the equations of motion instead.
    work : int
        How often each group is solved.
    as_json : bool
    """
    described = read_file(file)
    if simulate:
        with notice("timing the equations of motion"):
            seconds = right_hand_side(described.mechanism)
        told = {"mean": seconds.mean(), "quantile": np.quantile(seconds, RARE), "worst": seconds.max()}
        if as_json:
            data = {f"{name}_us": 1e6 * float(x) for name, x in told.items()}
            best = {"step_us": 4.0 * data["quantile_us"], "evaluations_per_step": 4}
            click.echo(json.dumps({"steps": seconds.size, "quantile": RARE, **data, "best": best}))
            return
        click.echo(f"{described.mechanism.name}: the equations of motion, {seconds.size} times in one thread\n")
        print_table(COLUMNS[1:4], [tuple(f"{1e6 * x:.3g}" for x in told.values())], set())
        click.echo(f"\n{_step_size(4.0 * float(told['quantile']), 'four of them, a step of order 4')}")
        return
    times = times_of(described, None, None)
    program = prepared(described, False, times)
    routes = _routes(program, chosen)
    most = count or min(2, available_cores())
    with notice("timing single steps"):
        found = real_time(
            program, times, routes, sorted({1, most}), backward=way_back(program) if forces else None, work=work
        )
        pays = pays_from(program, times, tree(program.structure).parallel, most) if most > 1 and work == 1 else None
    if as_json:
        click.echo(json.dumps(_as_data(found, pays)))
        return
    _print(program, found, pays, most, forces, work)


def _routes(program: Program, chosen: tuple[str, ...]) -> list[Route]:
    routes = tree(program.structure)
    if chosen:
        costs = program_costs(program, np.zeros(1), serial(), 1, None).per_step if "unstaged" in chosen else None
        found = [route_by_name(name, program.structure, costs, 2) for name in chosen]  # type: ignore[arg-type]
        return [route for route in found if isinstance(route, Route)]
    return list(dict.fromkeys([routes.sequential, *sampled(routes), routes.parallel]))


def _as_data(found: list[RealTime], pays: float | None) -> dict[str, Any]:
    best = min(found, key=lambda each: each.quantile)
    return {
        "steps": found[0].steps,
        "quantile": RARE,
        "table": [
            {
                "route": str(each.route),
                "workers": each.workers,
                "mean_us": 1e6 * each.mean,
                "quantile_us": 1e6 * each.quantile,
                "worst_us": 1e6 * each.worst,
                "failed": each.failed,
                "difference": each.difference,
            }
            for each in found
        ],
        "best": {"route": str(best.route), "workers": best.workers, "step_us": 1e6 * best.quantile},
        "sharing_pays_from_us_per_group": None if pays is None else 1e6 * pays,
    }


def _print(program: Program, found: list[RealTime], pays: float | None, most: int, forces: bool, work: int) -> None:
    what = ", with driving forces and reactions" if forces else ""
    synthetic = f", SYNTHETIC LOAD: every group is solved {work} times" if work > 1 else ""
    name = program.mechanism.name
    click.echo(f"{name}: {found[0].steps} single steps of each, one after another{what}{synthetic}\n")
    rows = [
        (
            str(each.workers), f"{1e6 * each.mean:.3g}", f"{1e6 * each.quantile:.3g}", f"{1e6 * each.worst:.3g}",
            str(each.failed), str(each.route),
        )
        for each in found
    ]  # fmt: skip
    print_table(COLUMNS, rows, {COLUMNS[-1]}, wide=True)
    best = min(found, key=lambda each: each.quantile)
    threads = counted(best.workers, "thread")
    click.echo(f"\n{_step_size(best.quantile, f'{threads}, route {best.route}')}")
    parallel = tree(program.structure).parallel
    if most > 1 and len(parallel.stages) == len(program.structure.groups):
        click.echo("no groups can be solved side by side, so threads have nothing to share in a step")
    elif most > 1 and work == 1:
        click.echo(
            f"{most} threads that share groups are faster than one where a group costs {1e6 * pays:.2g} µs or more "
            "(synthetic load, route parallel)"
            if pays is not None
            else f"{most} threads that share groups are not faster than one here, whatever a group costs"
        )


def _step_size(seconds: float, what: str) -> str:
    return f"real time: steps of {1e6 * seconds:.3g} µs and more, {100 * RARE:g} % of them in time ({what})"
