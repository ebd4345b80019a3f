"""The command ``groupkin forces``."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from groupkin.cli import options
from groupkin.cli.plot_options import against_option, picture_option, require_together
from groupkin.cli.terminal import notice, print_table, progress
from groupkin.cli.worker_options import Workers, check_routes, workers_options
from groupkin.mechanism.units import SI, Units, conversion
from groupkin.text_forms import bare

if TYPE_CHECKING:
    from groupkin.dynamics.reactions.forces import Forces
    from groupkin.kinematics.program.program import Program


@click.command("forces")
@options.mechanism_argument
@options.times_options
@click.option(
    "--actuators",
    multiple=True,
    metavar="JOINT",
    help="A joint, or joint.freedom, that is moved by a force instead of the drivers (repeatable).",
)
@click.option("--keep", multiple=True, metavar="JOINT", help="Compute the reaction of this joint only (repeatable).")
@click.option("--static", is_flag=True, help="Without inertia and damping, as if at rest at every time.")
@click.option("--length", type=float, help="By which moments are divided where redundant joints share loads; see docs.")
@click.option("--orders", type=click.IntRange(1), help="List harmonics up to this order; the motion is one period.")
@click.option(
    "--plot",
    "plots",
    multiple=True,
    metavar="WHAT",
    help="Plot such as 'driver A', 'bearing A', 'speed-torque A' or 'shaking force' to --picture (repeatable).",
)
@against_option
@click.option("--axes", metavar="BODY", help="Of reactions that are plotted: those of a body, or 'joint'.")
@picture_option("Where --plot goes.")
@click.option("--out", type=options.PATH, help="Write all forces to a .nc or .csv file.")
@options.units_option
@options.pose_options
@options.route_option
@workers_options
@options.json_option
def forces(
    file: Path,
    duration: float | None,
    steps: int | None,
    actuators: tuple[str, ...],
    keep: tuple[str, ...],
    static: bool,
    length: float | None,
    orders: int | None,
    plots: tuple[str, ...],
    against: str | None,
    axes: str | None,
    picture: Path | None,
    out: Path | None,
    units: str | None,
    assemble: bool,
    modes: tuple[str, ...],
    route: str | None,
    as_json: bool,
    **worker_options: Any,
) -> None:
    """Compute the forces that the motion of FILE needs, and the reactions in its joints.

    Bodies need `mass`, `center` and `inertia`; see also `gravity` and `forces` in docs/forces.md.
    Under mpiexec the ranks share the work, and the first rank writes the result.
    """
    from groupkin.dynamics.reactions.labeled_forces import check_target, save

    require_together(plots, picture, against=against, axes=axes)
    workers = Workers(**worker_options)
    workers.refuse_alone(route)
    described = options.read_file(file, units)
    if out is not None:
        check_target(out)
    times = options.times_of(described, duration, steps)
    backend = workers.start(described, times) if workers.asked or route is not None else None
    program = options.prepared(described, assemble, times, modes, partial(check_routes, [route] if route else []))
    by = None if length is None else length * described.mechanism.units.meters
    asked = {
        "actuators": list(actuators) or None,
        "velocities": not static,
        "keep": tuple(map(bare, keep)) or None,
        "length": by,
    }
    if backend is not None:
        with notice("computing forces"):
            shared = workers.forces(program, times, route, backend, **asked)
        if shared is None:  # the first rank has the result
            backend.barrier()
            return
        found = shared
    else:
        found = _found(program, times, asked)
    data: Literal["file", "SI"] = "file" if units == "file" else "SI"
    if out is not None:
        save(found, out, data)
        click.echo(f"written: {out}, {_written_in(described.units, units)}", err=True)
    if picture is not None:
        found.plot(plots, axes, picture, against=against)
        click.echo(f"written: {picture}", err=True)
    if as_json:
        click.echo(json.dumps(_as_data(found, orders, described.units if units == "file" else SI)))
    else:
        _print(found, orders)
    if backend is not None:
        backend.barrier()


def _written_in(own: Units, asked: str | None) -> str:
    """Say in which units forces were written, and how to have those of the file where they are others."""
    used = own if asked == "file" else SI
    text = f"in {used.force}, {used.force} {used.length}, J and s"
    others = (own.force, own.length) != (SI.force, SI.length)
    return text + (f" (--units file: in {own.force}, {own.force} {own.length})" if others and asked is None else "")


def _found(program: Program, times: Any, asked: dict[str, Any]) -> Forces:
    from groupkin.dynamics.reactions.inverse_dynamics import inverse_dynamics
    from groupkin.kinematics.solving.run import run

    with progress(len(times)) as report:
        motion = run(program, times, progress=report)
    with notice("computing forces"):
        return inverse_dynamics(motion, **asked)


def _print(found: Forces, orders: int | None) -> None:
    from groupkin.dynamics.bodies.masses import masses, total
    from groupkin.dynamics.reactions import force_tables
    from groupkin.messages import counted

    mechanism, tables = found.motion.program.mechanism, _more_tables(found, orders)
    mass = total(mechanism)
    factor, name = conversion("kg", mechanism.units)
    at_rest = "" if found.velocities else ", at rest at every time"
    click.echo(f"{mechanism.name}: {counted(found.motion.times.size, 'step')}, {factor * mass:.6g} {name}{at_rest}")
    if not mechanism.forces and not masses(found.motion.program).numbers.size:
        click.echo("note: no body has a mass and no forces act; give bodies `mass`, `center` and `inertia`", err=True)
    if found.drivers:
        click.echo()
        print_table(force_tables.DRIVERS, force_tables.driver_rows(found), {force_tables.DRIVERS[0]})
    if found.acting:
        click.echo()
        print_table(force_tables.FORCES, force_tables.force_rows(found), {*force_tables.FORCES[:2]})
    click.echo()
    print_table(force_tables.REACTIONS, force_tables.reaction_rows(found), {*force_tables.REACTIONS[:2]})
    if not all(found.determined(joint).all() for joint in found.reactions):
        click.echo("determined: moments M and forces F, in the axes of the joint, that do not vary with self-stress")
    for titles, rows in tables:
        click.echo()
        print_table(titles, rows, set(), wide=True)
    for note in force_tables.notes(found):
        click.echo(f"\nnote: {note}")


def _more_tables(found: Forces, orders: int | None) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Times at which contacts would be lost, if any, and harmonics that are asked for."""
    from groupkin.dynamics.reactions import force_tables

    tables: list[tuple[tuple[str, ...], list[tuple[str, ...]]]] = []
    if losses := force_tables.loss_rows(found):
        tables.append((force_tables.LOSSES, losses))
    if orders is not None:
        titles = ("harmonics", "unit", "mean", *(f"order {k}" for k in range(1, orders + 1)))
        tables.append((titles, force_tables.wave_rows(found, orders)))
    return tables


def _as_data(found: Forces, orders: int | None, units: Units) -> dict[str, Any]:
    """Return what the command prints, in some units; powers are in W."""
    import numpy as np

    from groupkin.dynamics.reactions.force_tables import peaks, waves

    def factor(unit: str) -> float:
        return conversion(unit, units)[0]

    mechanism, of_driver = found.motion.program.mechanism, found.units_of
    loads = {load.name: factor(load.unit(mechanism)) for load in mechanism.forces}
    largest = {
        joint: {
            "force": factor("N") * wrench.force,
            "moment": factor("N*m") * wrench.moment.reshape(len(wrench.force), -1),
        }
        for joint in found.reactions
        for wrench in [found.reaction(joint)]
    }
    return {
        "drivers": {
            name: {
                "peak": factor(of_driver(name).force) * demand.peak,
                "rms": factor(of_driver(name).force) * demand.rms,
                "rate": factor(of_driver(name).rate) * demand.rate,
                "power": demand.power,
            }
            for name, demand in found.demand().items()
        },
        "forces": {
            name: {"peak": loads[name] * peak, "rms": loads[name] * rms, "power": power}
            for name, (peak, rms, power) in ((name, peaks(each)) for name, each in found.acting.items())
        },
        "reactions": {
            joint: {
                **{f"peak_{part}": float(np.linalg.norm(x, axis=1).max(initial=0.0)) for part, x in parts.items()},
                "determined": found.determined(joint).tolist(),
            }
            for joint, parts in largest.items()
        },
        "contact_losses": [
            loss._asdict() | {"most": loss.most * (1.0 if loss.must == "slip" else factor("N"))}
            for loss in found.contact_losses()
        ],
        "harmonics": {
            name: {"amplitudes": (factor(unit) * wave.amplitudes).tolist(), "phases": wave.phases.tolist()}
            for name, (unit, wave) in (waves(found, orders) if orders else {}).items()
        },
    }
