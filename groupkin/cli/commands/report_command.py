"""The command ``groupkin report``."""

from __future__ import annotations

from pathlib import Path

import click

from groupkin.cli import options
from groupkin.cli.options import PATH, mechanism_argument, pose_options, read_file
from groupkin.cli.plot_options import against_option, shown_options
from groupkin.cli.terminal import notice
from groupkin.errors import LawError, NoGeometryError, NotModeledError


@click.command()
@mechanism_argument
@options.times_options
@pose_options
@click.option("--plot", multiple=True, metavar="QUANTITY", help="Plot also this, such as 'angle rocker' (repeatable).")
@against_option
@click.option(
    "--limits/--no-limits",
    default=None,
    help="Find how far each driver goes, for minutes in some cases; default: one driver, where it takes seconds.",
)
@shown_options
@click.option("--out", type=PATH, required=True, help="An .html file.")
def report(
    file: Path,
    duration: float | None,
    steps: int | None,
    assemble: bool,
    modes: tuple[str, ...],
    plot: tuple[str, ...],
    against: str | None,
    limits: bool | None,
    colors: str | None,
    names: str | None,
    out: Path,
) -> None:
    """Write all that is known about the mechanism in FILE as a page that can be printed.

    The page has mechanism, structure, motion and routes with pictures, plots and tables. Steps that cannot be solved
    are listed; without geometry or laws the structure is reported.
    """
    from groupkin.look.plots.plot_values import check_plot
    from groupkin.look.report.report import check_report
    from groupkin.look.report.report import report as run

    described = read_file(file)
    check_report(out)
    times = options.times_of(described, duration, steps)
    if against is not None and not plot:
        raise click.UsageError("--against belongs to --plot")
    check_plot(described.mechanism, plot, against)
    try:
        motion = options.solved(described, assemble, times, modes)
    except (NoGeometryError, NotModeledError, LawError) as error:  # the report says why there is no motion
        if plot or limits or assemble or modes or duration is not None or steps is not None:
            raise  # what was asked for is of a motion
        click.echo(f"note: the report has no motion: {error}", err=True)
        motion = None
    with notice("following configurations and drawing" if limits else "drawing"):
        run(motion or described.mechanism, out, file, plot, against, limits, colors, names)
    if motion is not None and not motion.solved.all():
        click.echo(f"note: {int((~motion.solved).sum())} of {len(times)} steps are not solved", err=True)
    click.echo(f"written: {out}", err=True)
