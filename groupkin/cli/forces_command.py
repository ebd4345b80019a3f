"""The command ``groupkin forces``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli import options
from groupkin.cli.terminal import notice, print_table, progress
from groupkin.mechanism.units import conversion

if TYPE_CHECKING:
    from groupkin.dynamics.forces import Forces
    from groupkin.mechanism.units import Units

DRIVERS = ("driver", "peak", "at", "RMS", "fastest", "peak power")
REACTIONS = ("joint", "bodies", "peak force", "at", "peak moment", "at", "determined")


@click.command("forces")
@options.file_argument
@options.duration_option
@options.steps_option
@click.option(
    "--actuators",
    multiple=True,
    metavar="JOINT",
    help="A joint, or joint.freedom, that is moved by a force instead of the drivers (repeatable).",
)
@click.option("--keep", multiple=True, metavar="JOINT", help="Compute the reaction of this joint only (repeatable).")
@click.option("--static", is_flag=True, help="Without inertia and damping, as if at rest at every time.")
@click.option("--out", type=options.PATH, help="Write all forces to a .nc or .csv file, in SI units.")
@options.units_option
@options.assemble_option
@options.modes_option
@options.json_option
def forces(
    file: Path,
    duration: float | None,
    steps: int | None,
    actuators: tuple[str, ...],
    keep: tuple[str, ...],
    static: bool,
    out: Path | None,
    units: str | None,
    assemble: bool,
    modes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compute the forces that the motion of FILE needs, and the reactions in its joints.

    Bodies need `mass`, `center` and `inertia`; see also `gravity` and `forces` in docs/forces.md.
    """
    from groupkin.dynamics.labeled_forces import check_target, save

    described = options.read_file(file, units)
    if out is not None:
        check_target(out)
    times = options.times_of(described, duration, steps)
    program = options.prepared(described, assemble, times, modes)
    from groupkin.dynamics.inverse_dynamics import inverse_dynamics
    from groupkin.kinematics.solving.run import run

    with progress(len(times)) as report:
        motion = run(program, times, progress=report)
    with notice("computing forces (kernels are compiled at first use)"):
        found = inverse_dynamics(motion, actuators=list(actuators) or None, velocities=not static, keep=keep or None)
    if out is not None:
        save(found, out)
        click.echo(f"written: {out}, in N, N m, W, J and s", err=True)
    if as_json:
        click.echo(json.dumps(_as_data(found)))
        return
    _print(found)


def _print(found: Forces) -> None:
    from groupkin.dynamics.masses import total
    from groupkin.mechanism.pairs import counted

    mechanism = found.motion.program.mechanism
    units, mass = mechanism.units, total(mechanism)
    factor, name = conversion("kg", units)
    at_rest = "" if found.velocities else ", at rest at every time"
    click.echo(f"{mechanism.name}: {counted(found.motion.times.size, 'step')}, {factor * mass:.6g} {name}{at_rest}")
    if not mass and not mechanism.forces:
        click.echo("note: no body has a mass and no forces act; give bodies `mass`, `center` and `inertia`", err=True)
    if found.drivers:
        click.echo()
        print_table(DRIVERS, [_driver_row(found, driver, units) for driver in found.drivers], {DRIVERS[0]})
    click.echo()
    print_table(REACTIONS, [_reaction_row(found, joint, units) for joint in found.reactions], {*REACTIONS[:2]})
    if not all(found.determined(joint).all() for joint in found.reactions):
        click.echo(
            "\nnote: some components depend on stiffness and fit of redundant joints; what is given for them is one of "
            "many choices, which needs no forces in the components that are not listed as determined"
        )


def _driver_row(found: Forces, driver: str, units: Units) -> tuple[str, ...]:
    demand, kind = found.demand()[driver], found.units_of(driver)
    force, unit = conversion(kind.force, units)
    rate, rate_unit = conversion(kind.rate, units)
    return (
        driver,
        f"{force * demand.peak:.4g} {unit.replace('*', ' ')}",
        _time_of(found, found.drivers[driver][None]),
        f"{force * demand.rms:.4g} {unit.replace('*', ' ')}",
        f"{rate * demand.rate:.4g} {rate_unit}",
        f"{demand.power:.4g} W",
    )


def _reaction_row(found: Forces, joint: str, units: Units) -> tuple[str, ...]:
    import numpy as np

    wrench = found.reaction(joint)
    moment = np.atleast_2d(wrench.moment.T)
    sizes = [np.linalg.norm(part, axis=0) for part in (wrench.force.T, moment)]
    (force, newton), (torque, newton_meter) = (conversion(unit, units) for unit in ("N", "N*m"))
    peaks = [float(np.nanmax(size, initial=0.0)) for size in sizes]
    # what is next to zero beside a force at the mechanism's size is rounding
    moves = peaks[1] > 1e-9 * peaks[0] * found.motion.program.geometry.size
    return (
        joint,
        " – ".join(found.motion.program.mechanism.joint[joint].bodies),
        f"{force * peaks[0]:.4g} {newton}",
        _time_of(found, wrench.force.T),
        f"{torque * peaks[1]:.4g} {newton_meter.replace('*', ' ')}" if moves else "–",
        _time_of(found, moment) if moves else "–",
        _determined(found, joint),
    )


def _determined(found: Forces, joint: str) -> str:
    """Name the components of a reaction, in the joint's axes, that are determined."""
    flags = found.determined(joint)
    names = ("Mx", "My", "Mz", "Fx", "Fy", "Fz") if len(flags) == 6 else ("M", "Fx", "Fy")
    if flags.all():
        return "all"
    return " ".join(name for name, flag in zip(names, flags, strict=True) if flag) or "none"


def _time_of(found: Forces, rows: Any) -> str:
    """When the size of vectors (k, n) is largest."""
    import numpy as np

    sizes = np.linalg.norm(rows, axis=0)
    return f"{found.motion.times[int(np.nanargmax(sizes))]:.4g} s" if np.isfinite(sizes).any() else "–"


def _as_data(found: Forces) -> dict[str, Any]:
    """What the command prints, in SI units."""
    import numpy as np

    largest = {
        joint: {"force": wrench.force, "moment": wrench.moment.reshape(len(wrench.force), -1)}
        for joint in found.reactions
        for wrench in [found.reaction(joint)]
    }
    return {
        "drivers": {driver: demand._asdict() for driver, demand in found.demand().items()},
        "reactions": {
            joint: {
                **{f"peak_{part}": float(np.linalg.norm(x, axis=1).max(initial=0.0)) for part, x in parts.items()},
                "determined": found.determined(joint).tolist(),
            }
            for joint, parts in largest.items()
        },
    }
