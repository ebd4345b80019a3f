"""What commands on mechanism files have in common: arguments, options, and what they prepare from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.terminal import notice, print_table
from groupkin.errors import ModeError, TimesError

if TYPE_CHECKING:
    from groupkin.kinematics.program.program import Program
    from groupkin.mechanism.files import MechanismFile
    from groupkin.structure.decomposition import Structure

FILE = "groupkin.file"
"""Key under which the name of the file is kept that messages on its content begin with."""

file_argument = click.argument("file", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
assemble_option = click.option("--assemble", is_flag=True, help="Close a reference configuration that has gaps.")
modes_option = click.option(
    "--modes", multiple=True, metavar="BODY=N", help="Assembly mode of a body's group, or of a group by its number."
)
route_option = click.option(
    "--route", help="best, sequential, parallel, unstaged, or stages such as '1 > (2|3) > 4'; see groupkin routes."
)
duration_option = click.option("--duration", type=float, help="Seconds; default: what the file says, or 1.")
steps_option = click.option(
    "--steps", type=int, help="Number of times, both ends counted; default: the file's, or 1001."
)


def read_file(file: Path) -> MechanismFile:
    """The content of a mechanism file, whose name messages on it will begin with."""
    from groupkin.mechanism.files import read

    described = read(file)
    click.get_current_context().meta[FILE] = file.name
    return described


def times_of(described: MechanismFile, duration: float | None, steps: int | None) -> Any:
    """Times of a motion, s: those of the file, unless options say otherwise."""
    from dataclasses import replace

    settings = described.motion
    if duration is not None:
        if not (math.isfinite(duration) and duration > 0):
            raise TimesError(f"--duration must be a positive number of seconds, not {duration:g}")
        settings = replace(settings, duration=duration)
    if steps is not None:
        if steps < 1:
            raise TimesError(f"--steps must be at least 1, which is the first time alone, not {steps}")
        settings = replace(settings, steps=steps)
    try:
        return settings.times
    except (OverflowError, ValueError):
        raise TimesError(f"{settings.steps} steps are too many") from None


def chosen_modes(given: tuple[str, ...]) -> dict[str | int, int]:
    """Assembly modes from the command line."""
    found: dict[str | int, int] = {}
    for item in given:
        name, _, number = item.rpartition("=")
        if not name or not number.isdecimal():
            raise ModeError(f"--modes takes BODY=NUMBER or GROUP=NUMBER, as in --modes rocker=2, not {item!r}")
        found[name] = int(number)
    return found


def prepared(
    described: MechanismFile, assemble: bool, times: Any, modes: Mapping[str | int, int] | None = None
) -> Program:
    """The program of a mechanism, its kernels compiled or loaded."""
    with notice("compiling kernels (first use of these groups; cached afterwards)"):
        from groupkin.kinematics.solver import program, warm_up

        built = program(described.mechanism, assemble=assemble, modes=modes)
        warm_up(built, times)
    return built


def print_structure(structure: Structure, columns: tuple[str, ...] | None = None) -> None:
    """A line on the whole, a table of the groups, and what there is to note on them."""
    from groupkin.structure import tables

    chosen = [k for k, name in enumerate(tables.COLUMNS) if columns is None or name in columns]
    cells = [tuple(row[k] for k in chosen) for row in tables.rows(structure)]
    click.echo(tables.summary(structure) + "\n")
    print_table([tables.COLUMNS[k] for k in chosen], cells, {"bodies", "after"})
    for found in structure.redundancies:
        click.echo(f"note: {found.text}")
    for group in structure.groups:
        for note in group.notes:
            click.echo(f"note: group {group.number} ({', '.join(group.bodies)}) {note}")
