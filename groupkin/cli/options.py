"""Arguments and options that commands on mechanism files share, and what these commands read, prepare and print."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.terminal import notice, print_table, progress
from groupkin.errors import GroupkinError, LawError, ModeError, TimesError, shown
from groupkin.text_forms import bare

if TYPE_CHECKING:
    from groupkin.kinematics.program.program import Program
    from groupkin.mechanism.files.reading import MechanismFile
    from groupkin.mechanism.mechanism import Driver, Mechanism
    from groupkin.mechanism.units import Units
    from groupkin.structure.decomposition import Structure

FILE = "groupkin.file"
"""Key of the context that holds the name of the mechanism file; messages on its content begin with it."""

LISTED, WIDTH = 12, 100
"""Drivers whose ranges are listed, and width of these lines."""

ANYWHERE = "groupkin.files_anywhere"
"""Key of the context that holds whether files may name files outside of their folders."""

MISFIT = "groupkin.misfit"
"""Key of the context that holds by how much joints that repeat others may be open; None: as the file says."""

HINT = "groupkin.hint"
"""Key of the context that holds what to add to the message of a command that is interrupted."""

PATH = click.Path(path_type=Path)
anywhere_option = click.option(
    "--files-anywhere",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({ANYWHERE: value}),
    help="Read also files that the file names and that are not in its folder or below.",
)
misfit_option = click.option(
    "--misfit",
    type=float,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({MISFIT: value}),
    help="What joints that repeat others may be open, as a fraction of the size; default: the file's, or nothing.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
assemble_option = click.option(
    "--assemble", is_flag=True, help="Assemble a reference configuration whose joints do not close exactly."
)
solver_option = click.option(
    "--solver",
    type=click.Choice(["substitute", "newton"]),
    default="substitute",
    show_default=True,
    help="Of groups without a closed form: around a hub where they have one, or Newton's method for any group.",
)
modes_option = click.option(
    "--modes",
    multiple=True,
    metavar="BODY=N",
    help="Assembly mode N of the group of BODY, or of a group by its number; see groupkin modes.",
)
route_option = click.option(
    "--route",
    help="best, sequential, parallel, unstaged, or stages of groups such as '1 > (2|3) > 4'; see groupkin routes.",
)
keep_option = click.option(
    "--keep",
    multiple=True,
    metavar="QUANTITY",
    help="Write this quantity only, such as 'position P', 'joint spring' or an output's name (repeatable).",
)
units_option = click.option(
    "--units",
    type=click.Choice(["file", "SI"]),
    help="Units of the mechanism's file, or meters and radians; default: file in text and pictures, SI in data.",
)
drive_option = click.option(
    "--drive",
    multiple=True,
    metavar="FREEDOM=LAW",
    help="Drive this freedom instead, as in 'joint pose.x={type=\"ramp\", rate=10}' (repeatable).",
)
instead_option = click.option(
    "--instead-of",
    multiple=True,
    metavar="FREEDOM",
    help="What --drive releases, such as 'joint crank' (repeatable); default: all drivers of the file.",
)
duration_option = click.option("--duration", type=float, help="Duration in seconds; default: that of the file, or 1.")
steps_option = click.option(
    "--steps", type=int, help="Number of times, both ends included; default: that of the file, or 1001."
)


def times_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the duration and the number of times of a motion."""
    return duration_option(steps_option(command))


def pose_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what chooses the configuration: whether it is assembled, and assembly modes."""
    return assemble_option(modes_option(command))


def file_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the argument FILE, and whether files that it names may be anywhere."""
    return click.argument("file", type=PATH)(anywhere_option(command))


def mechanism_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the argument FILE, a mechanism, and by how much its redundant joints may be open."""
    return file_argument(misfit_option(command))


def files_anywhere() -> bool:
    """Whether the command may read files outside of the folders of those that name them."""
    return bool(click.get_current_context().meta.get(ANYWHERE))


def about(file: Path | None) -> None:
    """Let messages on the content of a file begin with its name, and those on several files with none."""
    meta = click.get_current_context().meta
    meta.pop(FILE, None)
    if file is not None:
        meta[FILE] = file.name


def read_file(file: Path, units: str | None = None) -> MechanismFile:
    """Read a mechanism file, and let messages on its content begin with its name.

    With the units "SI", texts are in these instead of those of the file.
    """
    from dataclasses import replace

    from groupkin.mechanism.files.reading import read
    from groupkin.mechanism.units import SI

    described, meta = read(file, files_anywhere=files_anywhere()), click.get_current_context().meta
    about(file)
    changes: dict[str, Any] = {"units": SI} if units == "SI" else {}
    if meta.get(MISFIT) is not None:
        changes["misfit"] = meta[MISFIT]
    return replace(described, mechanism=replace(described.mechanism, **changes)) if changes else described


def written_in(own: Units, asked: str | None) -> str:
    """Say in which units a motion was written, if they could be others, and how to have those of the file.

    Parameters
    ----------
    own : Units
        Those of the file.
    asked : str, optional
        The value of ``--units``.
    """
    from groupkin.mechanism.units import SI

    if own == SI:
        return ""
    if asked == "file":
        return f", in {own.names}"
    return f", in {SI.names}" + (f" (--units file: in {own.names})" if asked is None else "")


def redriven(described: MechanismFile, file: Path, drive: Iterable[str], instead_of: Iterable[str]) -> MechanismFile:
    """Drive what ``--drive`` names, by laws in the units of the file, instead of what the file drives.

    Raises
    ------
    FileError, MechanismError, QuantityError, UnknownNameError
        If a law or a freedom is wrong, or not as many freedoms are driven as before.
    """
    from dataclasses import replace

    from groupkin.errors import FileError, MechanismError
    from groupkin.kinematics.motion.quantities import quantity
    from groupkin.mechanism.files.reading import read
    from groupkin.transformations.inverse import redrive

    tables, texts = [], []
    for item in drive:
        text, equals, law = item.partition("={")
        if not equals:
            form = "FREEDOM=LAW, as in 'joint pose.x={type=\"ramp\", rate=10}'"
            raise FileError(f"--drive takes {form}, not {shown(item)}")
        try:
            table = tomllib.loads(f"law = {{{law}")
        except ValueError as error:
            raise FileError(f"--drive: {shown('{' + law)} is no law: {error}") from None
        wanted = quantity(text.strip(), described.mechanism)
        freedom = {"freedom": wanted.component} if wanted.component else {}
        tables.append({"joint": wanted.of, **freedom, **table})
        texts.append(text.strip())
    if not tables:
        if instead_of:
            raise MechanismError("--instead-of says what --drive releases; state also what is to be driven")
        return described
    laws = [driver.law for driver in read(file, tables, files_anywhere()).mechanism.drivers]
    by_freedom = {text: law for text, law in zip(texts, laws, strict=True) if law is not None}
    return replace(described, mechanism=redrive(described.mechanism, by_freedom, tuple(instead_of) or None))


def times_of(described: MechanismFile, duration: float | None, steps: int | None) -> Any:
    """Times of a motion (steps,), s: those of the file where options do not replace them."""
    from dataclasses import replace

    settings = described.motion
    if steps is not None:
        if steps < 1:
            raise TimesError(f"--steps must be at least 1, which is the first time alone, not {steps}")
        settings = replace(settings, steps=steps)
    if duration is not None:
        if not (math.isfinite(duration) and (duration > 0 or (duration == 0 and settings.steps == 1))):
            still = "; for one position take --steps 1" if duration == 0 else ""
            raise TimesError(f"--duration must be a positive number of seconds, not {duration:g}{still}")
        settings = replace(settings, duration=duration)
    return settings.times


def numbers_by_name(items: Iterable[str], form: str, error: type[GroupkinError]) -> dict[Any, int]:
    """Parse an option ``NAME=NUMBER`` that may be repeated; `form` says in messages what it looks like."""
    numbers = {}
    for item in items:
        name, _, number = item.rpartition("=")
        if not name or not re.fullmatch("[0-9]{1,9}", number):
            raise error(f"{form}, not {shown(item)}")
        numbers[bare(name)] = int(number)
    return numbers


def prepared(
    described: MechanismFile,
    assemble: bool,
    times: Any,
    modes: Iterable[str] = (),
    check: Callable[[Structure], None] | None = None,
    solver: str = "substitute",
) -> Program:
    """Build the program of a mechanism, check its structure, and compile its kernels or load them from the cache."""
    numbers = numbers_by_name(modes, "--modes takes BODY=NUMBER or GROUP=NUMBER, as in --modes rocker=2", ModeError)
    from groupkin.kinematics.solver import program, warm_up

    with notice("loading kernels"):
        built = program(described.mechanism, assemble=assemble, modes=numbers, solver=solver)
        if check is not None:
            check(built.structure)
        warm_up(built, times)
    return built


def solved(described: MechanismFile, assemble: bool, times: Any, modes: Iterable[str]) -> Any:
    """Solve a mechanism of a file, with NaN at steps that fail, and show how far it is."""
    program = prepared(described, assemble, times, modes)
    from groupkin.kinematics.solver import solve

    with progress(len(times)) as report:
        return solve(program, times, on_failure="nan", progress=report)


def scale(mechanism: Mechanism, times: Any) -> list[str]:
    """Write the size of a mechanism and the range of every driver, so that wrong units strike the eye."""
    from groupkin.errors import NoGeometryError, NotModeledError
    from groupkin.model.geometry.geometry import resolve
    from groupkin.model.geometry.sizes import box

    lines = []
    try:
        lines.append(f"size {mechanism.units.sides(box(mechanism, resolve(mechanism).joints))}")
    except (NoGeometryError, NotModeledError):
        return []
    ranges = [
        f"{mechanism.driver_name(joint, index)} {_driven_range(driver, joint, index, mechanism, times)}"
        for joint, drivers in mechanism.driven.items()
        for index, driver in drivers.items()
    ]
    if len(ranges) > LISTED:
        ranges[LISTED:] = [f"and {len(ranges) - LISTED} more"]
    fast = _fast_drivers(mechanism, times)
    if ranges:
        text = f"driven from t = {times[0]:g} s to {times[-1]:g} s: {', '.join(ranges)}"
        lines += wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return lines + fast


def _fast_drivers(mechanism: Mechanism, times: Any) -> list[str]:
    """Say of drivers that turn much between steps, which may be a mistake of units; of few steps it is none."""
    import numpy as np

    found = []
    for joint, drivers in mechanism.driven.items():
        for index, driver in drivers.items():
            rotation = mechanism.freedoms(mechanism.joint[joint])[index].rotation
            if driver.law is None or not rotation or len(times) < FEW:
                continue
            turned = 0.0
            with suppress(LawError):  # which solving says better
                turned = float(np.abs(np.diff(driver.law.at(times[:LOOKED_AT])[0])).max())
            if turned > FAST:
                name = mechanism.driver_name(joint, index)
                found.append(
                    f"note: {name} turns by up to {mechanism.units.text(turned, 'rad', digits=3)} from one step to the "
                    "next; take more steps, or look at its units"
                )
    return found


LOOKED_AT = 10_000
"""Steps at which drivers are looked at, at most."""

FEW, FAST = 20, 0.7
"""Steps from which on a motion is looked at as a curve, and turns between them (rad) that are too large for that."""


def _driven_range(driver: Driver, joint: str, index: int, mechanism: Mechanism, times: Any) -> str:
    """Write the least and the largest value of a driver."""
    from groupkin.errors import LawError

    if driver.law is None:
        return "without a law"
    try:
        values = driver.law.at(times)[0]
    except LawError:
        return "by a law that does not cover these times"
    unit = mechanism.freedoms(mechanism.joint[joint])[index].unit
    return mechanism.units.span(float(values.min()), float(values.max()), unit)


def print_structure(structure: Structure, times: Any) -> None:
    """Print a summary line, how large the mechanism is and how it is driven, a table of the groups, and notes."""
    from groupkin.structure import tables

    click.echo("\n".join([tables.summary(structure), *scale(structure.mechanism, times)]) + "\n")
    print_table(tables.COLUMNS, tables.rows(structure), {"bodies", "after"})
    for redundancy in structure.redundancies:
        click.echo(f"note: {redundancy.text}")
    if structure.accepted:
        click.echo(f"note: {structure.accepted}")
    for group in structure.groups:
        for note in group.notes:
            click.echo(f"note: group {group.number} ({', '.join(group.bodies)}) {note}")
