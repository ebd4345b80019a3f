"""Commands of motion under forces: ``groupkin simulate | equilibrium``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli import options
from groupkin.cli.plot_options import check_quantities, draw_plots, plot_options, require_together
from groupkin.cli.terminal import notice, progress
from groupkin.durable_files import exists
from groupkin.errors import ArgumentError, SimulationError, TimesError
from groupkin.mechanism.units import SI, Units, conversion
from groupkin.messages import counted
from groupkin.text_forms import bare
from groupkin.tolerances import ENERGY_RTOL, ROUNDING, RTOL

if TYPE_CHECKING:
    from groupkin.dynamics.acting.compressions import Compression
    from groupkin.dynamics.simulation.events import Event
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.mechanism.files.reading import MechanismFile
    from groupkin.mechanism.mechanism import Mechanism

FORCE_ALONG = {"rad": "N*m", "m": "N"}
"""Units of forces along freedoms, by those of the freedoms."""

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
@options.mechanism_argument
@options.times_options
@start_option
@click.option(
    "--method",
    type=click.Choice(["auto", "explicit", "implicit", "DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA"]),
    default="auto",
    show_default=True,
    help="Of integration; implicit, Radau, BDF and LSODA are for stiff springs and dampers, which auto recognizes.",
)
@click.option("--rtol", type=float, default=RTOL, show_default=True, help="Relative tolerance.")
@click.option(
    "--step", type=float, help="Length of all steps, s, as in real time, for closed forms; instead of --rtol."
)
@click.option(
    "--until",
    "untils",
    multiple=True,
    metavar="QUANTITY=VALUE",
    help="End where a quantity reaches a value, in the file's units (repeatable).",
)
@click.option(
    "--ranges",
    type=click.Choice(["warn", "ignore", "event", "end"]),
    default="warn",
    show_default=True,
    help="What to do where the range of a joint or another quantity is left: warn, nothing, list each time, or end.",
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
@plot_options
@options.units_option
@options.assemble_option
@options.json_option
def simulate(
    file: Path,
    duration: float | None,
    steps: int | None,
    starts: tuple[str, ...],
    method: str,
    rtol: float,
    step: float | None,
    untils: tuple[str, ...],
    ranges: str,
    on_singular: str,
    out: Path | None,
    resume: bool,
    keep: tuple[str, ...],
    plot: tuple[str, ...],
    against: str | None,
    picture: Path | None,
    units: str | None,
    assemble: bool,
    as_json: bool,
) -> None:
    """Compute the motion of FILE under its forces: drivers without a law are free, and added where any lack."""
    from dataclasses import replace

    from groupkin.kinematics.motion.labeled_arrays import kept
    from groupkin.kinematics.motion.motion_files import check_target, save_or_keep

    if keep and out is None:
        raise click.UsageError("--keep says what --out writes; state both")
    require_together(plot, picture, against=against)
    described = options.read_file(file, units)
    check_quantities(described.mechanism, plot, against)
    if out is not None:
        check_target(out)
    times = options.times_of(described, duration, steps)
    if len(times) < 2:
        raise TimesError("a simulation needs at least two times; take more --steps")
    start, ends = _start(starts, described), _ends(untils, described)
    if resume and out is None:
        raise ArgumentError("--resume needs the --out of the command that is gone on with")
    with notice("loading kernels"):
        from groupkin.dynamics.simulation.simulation import free_motion
        from groupkin.dynamics.simulation.simulation import simulate as run

        free = free_motion(described.mechanism, assemble)
    if not as_json:
        click.echo(f"{described.mechanism.name}: free coordinates: {', '.join(free.names)}")
    span = times[-1] - times[0]
    checkpoint = None if out is None else out.with_name(f"{out.name}.checkpoint")
    if resume and checkpoint is not None and not exists(checkpoint):
        click.echo(f"note: there is no {checkpoint}, so the simulation begins anew", err=True)

    def write(motion: Motion | None) -> None:
        if out is not None and motion is not None:
            chosen = replace(motion, keep=kept(keep, described.mechanism) if keep else None)
            save_or_keep(chosen, out, "file" if units == "file" else "SI")
            said = options.written_in(described.units, units)
            click.echo(f"written: {out}, {counted(motion.times.size, 'step')}{said}", err=True)

    with progress(1000, "simulating") as report:
        told = None if report is None else lambda time: report(int(1000 * (time - times[0]) / span), 1000)
        try:
            motion = run(
                described.mechanism,
                times,
                start,
                method=method,  # type: ignore[arg-type]
                rtol=rtol,
                step=step,
                events=ends,
                ranges=ranges,  # type: ignore[arg-type]
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
    if as_json:
        click.echo(json.dumps(_as_data(motion, free.names, ends, described.units if units == "file" else SI)))
    else:
        _print(motion, free.names, ends, ranges)
    draw_plots(motion, plot, against, picture)


@click.command()
@options.mechanism_argument
@start_option
@options.units_option
@options.assemble_option
@options.json_option
def equilibrium(file: Path, starts: tuple[str, ...], units: str | None, assemble: bool, as_json: bool) -> None:
    """Find a position of rest of FILE under its forces, and the frequencies and damping of small motions about it."""
    described = options.read_file(file, units)
    start = _start(starts, described)
    with notice("loading kernels"):
        from groupkin.dynamics.vibrations.small_motions import equilibrium as run

        found = run(described.mechanism, {name: values[0] for name, values in start.items()}, assemble=assemble)
    if as_json:
        click.echo(json.dumps(found.as_data(described.units if units == "file" else SI)))
    else:
        click.echo(found.text(described.mechanism.units))


def _print(motion: Motion, names: list[str], ends: list[Event], ranges: str) -> None:
    """Print how a simulation ended, its notes, its energy, and the free coordinates at its last step."""
    from groupkin.dynamics.acting.compressions import largest_compressions
    from groupkin.dynamics.reactions.force_tables import mass_notes
    from groupkin.kinematics.motion.ranges import ranges_of
    from groupkin.kinematics.solving import passages

    for line in passages.described(motion):
        click.echo(f"  {line}")
    mechanism, terminal = motion.program.mechanism, {end.name for end in ends}
    stops = [stop for each in ranges_of(mechanism) for stop in each.stops]
    values = {stop.event: f", {mechanism.units.text(stop.value, stop.range.unit)}," for stop in stops}
    terminal |= values.keys() if ranges == "end" else set()
    for event in motion.events:
        ended = "ended by " if event.name in terminal else ""
        click.echo(f"{ended}{event.name}{values.get(event.name, '')} at t = {event.time:.6g} s")
    if ends and not any(event.name in terminal for event in motion.events):
        click.echo(f"note: not reached: {', '.join(end.name for end in ends)}", err=True)
    for each in largest_compressions(motion):
        units, unit = mechanism.units, each.end.range.unit
        depth, force = units.text(each.depth, unit, 4), units.text(each.force, FORCE_ALONG[unit], 4)
        at = f"at t = {each.time:.6g} s, {each.end.event}"
        click.echo(f"{each.name}: compressed by up to {depth}, {force}, {at}")
    for note in mass_notes(motion):
        click.echo(f"note: {note}")
    click.echo(f"{motion.times.size} steps from t = {motion.times[0]:g} s to {motion.times[-1]:g} s")
    energies = _energies(motion)
    for name, (first, last) in energies.items():
        click.echo(f"  energy, {name}: {first:.6g} J at first, {last:.6g} J at last")
    if work := _work(energies):
        click.echo(f"  work of drivers and forces, less losses in dampers and friction: {work:.6g} J")
    for name, value, unit in _last(motion, names):
        click.echo(f"  {name} at last: {motion.program.mechanism.units.text(value, unit)}")


def _as_data(motion: Motion, names: list[str], ends: list[Event], units: Units) -> dict[str, Any]:
    """Return what the command prints, the free coordinates at the last step in some units."""
    from dataclasses import asdict

    from groupkin.dynamics.acting.compressions import largest_compressions

    occurred = {event.name for event in motion.events}
    energies = _energies(motion)
    at_end = [(name, value, conversion(unit, units)) for name, value, unit in _last(motion, names)]
    return {
        "free": names,
        "steps": motion.times.size,
        "first_time": float(motion.times[0]),
        "last_time": float(motion.times[-1]),
        "events": [{"name": event.name, "time": event.time} for event in motion.events],
        "not_reached": [end.name for end in ends if end.name not in occurred],
        "compressions": [_compression(each, units) for each in largest_compressions(motion)],
        "passages": [asdict(passage) for passage in motion.passages],
        "energy": energies,
        "work": _work(energies),
        "last": {f"{name} [{unit}]": value * factor for name, value, (factor, unit) in at_end},
    }


def _compression(largest: Compression, units: Units) -> dict[str, Any]:
    """Return the largest compression of a stop in some units."""
    unit = largest.end.range.unit
    depth, force = conversion(unit, units), conversion(FORCE_ALONG[unit], units)
    return {
        "stop": largest.name,
        "end": largest.end.end,
        f"depth [{depth[1]}]": largest.depth * depth[0],
        f"force [{force[1]}]": largest.force * force[0],
        "time": largest.time,
    }


def _energies(motion: Motion) -> dict[str, tuple[float, float]]:
    """Return the energies at the first and the last step, J, by their kinds; rounding errors are zero."""
    from groupkin.dynamics.reactions.inverse_dynamics import inverse_dynamics

    energy = inverse_dynamics(motion, keep=[]).energy()
    parts = {**energy._asdict(), "total": energy.total}
    least = ROUNDING * max(abs(values).max() for values in parts.values())
    ends = {name: values[[0, -1]] for name, values in parts.items()}
    return {name: (_clean(first, least), _clean(last, least)) for name, (first, last) in ends.items()}


def _work(energies: dict[str, tuple[float, float]]) -> float:
    """Return what has changed the total energy, J; 0 if it has stayed but for rounding errors and the tolerance."""
    first, last = energies["total"]
    largest = max(abs(value) for ends in energies.values() for value in ends)
    return last - first if abs(last - first) > ENERGY_RTOL * largest else 0.0


def _clean(value: float, least: float) -> float:
    return float(value) if abs(value) > least else 0.0


def _last(motion: Motion, names: list[str]) -> list[tuple[str, float, str]]:
    """List the free coordinates at the last step, m and rad, with their units."""
    mechanism, found = motion.program.mechanism, []
    for name in names:
        joint, k = _freedom(mechanism, name)
        unit = mechanism.freedoms(mechanism.joint[joint])[k].unit
        found.append((name, float(motion.joint(joint)[k, -1]), unit))
    return found


def _start(texts: tuple[str, ...], described: MechanismFile) -> dict[str, tuple[float, ...]]:
    """Read --start, which is in the units of the file, in m and rad."""
    mechanism, found = described.mechanism, {}
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
        factor = conversion(mechanism.freedoms(mechanism.joint[joint])[k].unit, described.units)[0]
        found[name] = tuple(value / factor for value in values)
    return found


def _ends(texts: tuple[str, ...], described: MechanismFile) -> list[Event]:
    """Read --until."""
    from groupkin.dynamics.simulation.events import Event
    from groupkin.kinematics.motion.quantities import quantity, unit

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
    from groupkin.kinematics.motion.freedoms import freedom_of

    return freedom_of(mechanism, name)
