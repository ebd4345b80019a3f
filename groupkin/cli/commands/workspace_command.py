"""The command ``groupkin workspace``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groupkin.cli import options
from groupkin.cli.commands.field_command import in_meters
from groupkin.cli.plot_options import picture_option
from groupkin.cli.terminal import notice, print_table, progress

if TYPE_CHECKING:
    from groupkin.kinematics.workspace.workspace import Modes


@click.command()
@options.mechanism_argument
@click.option("--of", required=True, metavar="QUANTITY", help="The position of a point, such as 'position P'.")
@click.option(
    "--section",
    type=(click.Choice(["x", "y", "z"]), float),
    metavar="AXIS VALUE",
    help="In space: the section at this coordinate, in units of the file, instead of the volume.",
)
@click.option(
    "--instead-of",
    multiple=True,
    metavar="FREEDOM",
    help="A driven freedom that is released so that the point can be led (repeatable); default: all.",
)
@click.option(
    "--at",
    type=(str, float),
    multiple=True,
    metavar="FREEDOM VALUE",
    help="Hold another driven freedom there (repeatable); default: as in the reference configuration.",
)
@click.option(
    "--own-mode",
    is_flag=True,
    help="Only places in the assembly mode of the reference configuration in which the drivers control the point.",
)
@click.option("--box", metavar="X X Y Y [Z Z]", help="Bounds within which places are looked for, in units of the file.")
@click.option("--steps", type=int, help="Of the grid along each axis; default: 201 to 41, by what it takes.")
@click.option("--sections", type=int, help="That give a volume; default: 32, or 16 by Newton's method.")
@options.assemble_option
@options.units_option
@picture_option("Draw the boundaries.")
@click.option("--width", type=float, default=86.0, show_default=True, help="Of the picture, in mm.")
@options.json_option
def workspace(
    file: Path,
    of: str,
    section: tuple[str, float] | None,
    instead_of: tuple[str, ...],
    at: tuple[tuple[str, float], ...],
    own_mode: bool,
    box: str | None,
    steps: int | None,
    sections: int | None,
    assemble: bool,
    units: str | None,
    picture: Path | None,
    width: float,
    as_json: bool,
) -> None:
    """Find where a point of FILE can go: area or volume, and boundary.

    The point is led instead of the drivers; places count where the mechanism can be assembled with all joints and other
    quantities in their ranges. What ends the workspace is named: the end of a range, or bodies whose group is singular.
    """
    from groupkin.kinematics.workspace import workspace_listing
    from groupkin.kinematics.workspace.workspace import workspace as found_in
    from groupkin.mechanism.units import SI
    from groupkin.picture_files import check_file

    described = options.read_file(file, units)
    mechanism = described.mechanism
    if picture is not None:
        check_file(picture)
    meters = mechanism.units.meters
    modes: Modes = "own" if own_mode else "all"
    held = in_meters(dict(at), mechanism)
    bounds = None if box is None else _pairs(box, meters)
    with notice("leading the point"), progress(1, "sections") as advance:
        found = found_in(
            mechanism,
            of,
            section={section[0]: section[1] * meters} if section else None,
            instead_of=instead_of or None,
            at=held,
            modes=modes,
            box=bounds,
            steps=steps,
            sections=sections,
            assemble=assemble,
            progress=advance,
        )
        if picture is not None:
            found.plot(picture, width)
    if picture is not None:
        click.echo(f"written: {picture}", err=True)
    if as_json:
        click.echo(json.dumps(workspace_listing.as_data(found, described.units if units == "file" else SI)))
        return
    click.echo(workspace_listing.title(found))
    if found.volume != found.volume:  # no volume: the regions of the only section
        click.echo()
        columns = workspace_listing.columns(found)
        print_table(columns, workspace_listing.rows(found), {columns[-1]})
    for note in workspace_listing.notes(found):
        click.echo(note)


def _pairs(text: str, meters: float) -> list[list[float]]:
    """Read the bounds of a box."""
    try:
        numbers = [float(x) * meters for x in text.replace(",", " ").split()]
    except ValueError:
        raise click.UsageError(f"--box takes numbers, two for each axis, not {text!r}") from None
    if len(numbers) not in (4, 6):
        raise click.UsageError(f"--box takes two numbers for each axis, not {len(numbers)} numbers")
    return [numbers[k : k + 2] for k in range(0, len(numbers), 2)]
