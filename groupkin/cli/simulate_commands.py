"""Commands of motion under forces: ``groupkin simulate | equilibrium``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groupkin.cli import options
from groupkin.cli.terminal import notice, progress
from groupkin.durable_files import exists
from groupkin.errors import ArgumentError, SimulationError, TimesError
from groupkin.text_forms import bare

if TYPE_CHECKING:
    from groupkin.dynamics.events import Event
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.mechanism.files.reading import MechanismFile
    from groupkin.mechanism.mechanism import Mechanism

START = "--start takes JOINT=VALUE or JOINT=VALUE,RATE, as in --start crank=30,0"

start_option = click.option(
    "--start",
    "starts",
    multiple=True,
    metavar="JOINT=VALUE[,RATE]",
    help="Value and rate of a free coordinate at the beginning, in the file's units (repeatable); default: the "
    "reference, at rest.",
)


@click.command()
@options.file_argument
@options.duration_option
@options.steps_option
@start_option
@click.option(
    "--method",
    type=click.Choice(["auto", "explicit", "implicit", "DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA"]),
    default="auto",
    show_default=True,
    help="Of integration; implicit, Radau, BDF and LSODA are for stiff springs and dampers, which auto recognizes.",
)
@click.option("--rtol", type=float, default=1e-8, show_default=True, help="Relative tolerance.")
@click.option(
    "--until",
    "untils",
    multiple=True,
    metavar="QUANTITY=VALUE",
    help="End where a quantity reaches a value, in the file's units (repeatable).",
)
@click.option(
    "--on-singular",
    type=click.Choice(["fail", "continue"]),
    default="fail",
    show_default=True,
    help="What to do at singular positions that no free coordinates lead through: fail, or go straight on.",
)
@click.option("--out", type=options.PATH, help="Write the motion to a .nc, .zarr, .csv or .npz file.")
@click.option(
    "--resume", is_flag=True, help="Go on where the same command was killed, by the checkpoint beside its --out."
)
@options.keep_option
@options.assemble_option
def simulate(
    file: Path,
    duration: float | None,
    steps: int | None,
    starts: tuple[str, ...],
    method: str,
    rtol: float,
    untils: tuple[str, ...],
    on_singular: str,
    out: Path | None,
    resume: bool,
    keep: tuple[str, ...],
    assemble: bool,
) -> None:
    """Compute the motion of FILE under its forces: drivers without a law are free, and added where any lack."""
    from dataclasses import replace

    from groupkin.kinematics.motion.labeled_arrays import kept
    from groupkin.kinematics.motion.motion_files import check_target, save_or_keep

    if keep and out is None:
        raise click.UsageError("--keep says what --out writes; state both")
    described = options.read_file(file)
    if out is not None:
        check_target(out)
    times = options.times_of(described, duration, steps)
    if len(times) < 2:
        raise TimesError("a simulation needs at least two times; take more --steps")
    start, ends = _start(starts, described.mechanism), _ends(untils, described)
    if resume and out is None:
        raise ArgumentError("--resume needs the --out of the command that is gone on with")
    with notice("loading kernels"):
        from groupkin.dynamics.simulation import free_motion
        from groupkin.dynamics.simulation import simulate as run

        free = free_motion(described.mechanism, assemble)
    click.echo(f"{described.mechanism.name}: free are {', '.join(free.names)}")
    span = times[-1] - times[0]
    checkpoint = None if out is None else out.with_name(f"{out.name}.checkpoint")
    if resume and checkpoint is not None and not exists(checkpoint):
        click.echo(f"note: there is no {checkpoint}, so the simulation begins anew", err=True)

    def write(motion: Motion | None) -> None:
        if out is not None and motion is not None:
            save_or_keep(replace(motion, keep=kept(keep, described.mechanism) if keep else None), out, "SI")
            click.echo(f"written: {out}, {motion.times.size} steps in meters, radians and seconds", err=True)

    with progress(1000, "simulating") as report:
        told = None if report is None else lambda time: report(int(1000 * (time - times[0]) / span), 1000)
        try:
            motion = run(
                described.mechanism,
                times,
                start,
                method=method,  # type: ignore[arg-type]
                rtol=rtol,
                events=ends,
                on_singular=on_singular,  # type: ignore[arg-type]
                checkpoint=checkpoint,
                resume=resume,
                assemble=assemble,
                progress=told,
            )
        except (SimulationError, KeyboardInterrupt) as error:
            write(getattr(error, "motion", None))
            raise
    write(motion)
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    _print(described, free.names, motion, ends)


@click.command()
@options.file_argument
@start_option
@options.assemble_option
def equilibrium(file: Path, starts: tuple[str, ...], assemble: bool) -> None:
    """Find a position of rest of FILE under its forces, and the frequencies and damping of small motions about it."""
    described = options.read_file(file)
    start = _start(starts, described.mechanism)
    with notice("loading kernels"):
        from groupkin.dynamics.small_motions import equilibrium as run

        found = run(described.mechanism, {name: values[0] for name, values in start.items()}, assemble=assemble)
    click.echo(found.text(described.units))


def _print(described: MechanismFile, names: list[str], motion: Motion, ends: list[Event]) -> None:
    """Print how a simulation ended, its notes, and its energy."""
    from groupkin.dynamics.force_tables import mass_notes
    from groupkin.dynamics.inverse_dynamics import inverse_dynamics
    from groupkin.kinematics.solving import passages

    energy = inverse_dynamics(motion, keep=[]).energy()
    for line in passages.described(motion):
        click.echo(f"  {line}")
    for event in motion.events:
        click.echo(f"ended by {event.name} at t = {event.time:.6g} s")
    if ends and not motion.events:
        click.echo(f"note: not reached: {', '.join(end.name for end in ends)}", err=True)
    for note in mass_notes(motion):
        click.echo(f"note: {note}")
    click.echo(f"{motion.times.size} steps from t = {motion.times[0]:g} s to {motion.times[-1]:g} s")
    parts = {**energy._asdict(), "total": energy.total}
    least = 1e-12 * max(abs(values).max() for values in parts.values())  # what is below is rounding
    for name, values in parts.items():
        first, last = (float(x) if abs(x) > least else 0.0 for x in values[[0, -1]])
        click.echo(f"  energy, {name}: {first:.6g} J at first, {last:.6g} J at last")
    for name in names:
        joint, k = _freedom(described.mechanism, name)
        value = float(motion.joint(joint)[k, -1])
        kind = described.mechanism.freedoms(described.mechanism.joint[joint])[k].unit
        click.echo(f"  {name} at last: {described.units.text(value, kind)}")


def _start(texts: tuple[str, ...], mechanism: Mechanism) -> dict[str, tuple[float, ...]]:
    """Read --start, in m and rad."""
    from groupkin.mechanism.units import conversion

    found = {}
    for text in texts:
        name, sign, numbers = text.rpartition("=")
        try:
            values = [float(number) for number in numbers.split(",")]
        except ValueError:
            values = []
        if not sign or not 1 <= len(values) <= 2:
            raise ArgumentError(f"{START}, not {text!r}")
        name = bare(name)
        joint, k = _freedom(mechanism, name)
        factor = conversion(mechanism.freedoms(mechanism.joint[joint])[k].unit, mechanism.units)[0]
        found[name] = tuple(value / factor for value in values)
    return found


def _ends(texts: tuple[str, ...], described: MechanismFile) -> list[Event]:
    """Read --until."""
    from groupkin.dynamics.events import Event
    from groupkin.kinematics.motion.quantities import quantity, unit
    from groupkin.mechanism.units import conversion

    found = []
    for text in texts:
        name, sign, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            sign = ""
        if not sign:
            raise ArgumentError(f"--until takes QUANTITY=VALUE, as in --until 'joint crank=30', not {text!r}")
        wanted = quantity(name.strip(), described.mechanism)
        factor = conversion(unit(wanted, described.mechanism), described.units)[0]
        found.append(Event(text, wanted, value / factor, terminal=True))
    return found


def _freedom(mechanism: Mechanism, name: str) -> tuple[str, int]:
    from groupkin.dynamics.actuators import freedom_of

    return freedom_of(mechanism, name)
