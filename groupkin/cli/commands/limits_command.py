"""The command ``groupkin limits``."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click

from groupkin.cli import options
from groupkin.cli.plot_options import picture_option, require_together
from groupkin.cli.terminal import notice, print_table, progress
from groupkin.errors import ModeError
from groupkin.mechanism.units import SI, conversion


@click.command("limits")
@options.mechanism_argument
@click.option("--driver", metavar="JOINT", help="The driven joint, or one of its freedoms; default: the only one.")
@click.option(
    "--from", "start", type=float, help="Least value of the driver that is looked at, in units that are shown."
)
@click.option("--to", "stop", type=float, help="Largest value of the driver that is looked at.")
@click.option(
    "--time", "instant", type=float, default=0.0, show_default=True, help="Seconds, at which other drivers are held."
)
@options.modes_option
@options.units_option
@options.assemble_option
@click.option("--plot", metavar="QUANTITY", help="Plot such as 'joint rocker' over the driver, to --picture.")
@picture_option("Where --plot goes.")
@options.json_option
def find_limits(
    file: Path,
    driver: str | None,
    start: float | None,
    stop: float | None,
    instant: float,
    modes: tuple[str, ...],
    units: str | None,
    assemble: bool,
    plot: str | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Find how far a driver of FILE can go: where groups are singular or cannot be assembled.

    All other drivers are held. The branches between the limits are listed, and the circuits that connect them.
    """
    require_together(plot, picture)
    from groupkin.kinematics.limits.checks import check_range, driver_of, standing
    from groupkin.kinematics.motion.quantities import quantity

    described = options.read_file(file, units)
    mechanism = described.mechanism
    joint, index = driver_of(mechanism, driver)
    factor = conversion(mechanism.freedoms(mechanism.joint[joint])[index].unit, mechanism.units)[0]
    low, high = (None if bound is None else bound / factor for bound in (start, stop))
    check_range(low, high, instant)
    numbers = options.numbers_by_name(modes, "--modes takes BODY=NUMBER or GROUP=NUMBER", ModeError)
    if plot is not None:
        quantity(plot, mechanism)
    with notice("following configurations"), progress(1, "values of the driver") as advance:
        from groupkin.kinematics.limits import limit_listing
        from groupkin.kinematics.limits.limits import limits
        from groupkin.kinematics.solver import program

        built = standing(mechanism, (joint, index), partial(program, assemble=assemble, modes=numbers))
        found = limits(built, driver, start=low, stop=high, time=instant, progress=advance)
        if plot is not None:
            found.plot(plot, picture)
    if picture is not None:
        click.echo(f"written: {picture}", err=True)
    if as_json:
        click.echo(json.dumps(limit_listing.as_data(found, described.units if units == "file" else SI)))
        return
    click.echo(limit_listing.title(found))
    if found.limits:
        click.echo()
        print_table(limit_listing.LIMIT_COLUMNS, limit_listing.limit_rows(found), {*limit_listing.LIMIT_COLUMNS[3:]})
    click.echo()
    print_table(limit_listing.BRANCH_COLUMNS, limit_listing.branch_rows(found), {limit_listing.BRANCH_COLUMNS[-1]})
    click.echo()
    for note in limit_listing.notes(found):
        click.echo(note)
