"""The pictures of what a command computes: ``--picture``, and what is plotted there, ``--plot``, over ``--against``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.options import PATH

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.mechanism.mechanism import Mechanism

against_option = click.option(
    "--against", metavar="QUANTITY", help="What is plotted over, such as 'joint crank'; default: time."
)
out_option = click.option(
    "--out", "--picture", "out", type=PATH, required=True, help="Where the picture goes: an .svg, .png or .pdf file."
)


def shown_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what has colors and names in its pictures of a mechanism."""
    for option in (
        click.option(
            "--names", type=click.Choice(["joints", "bodies"]), help="What is named, joints and points or bodies."
        ),
        click.option(
            "--colors", type=click.Choice(["groups", "bodies"]), help="What has a color of its own; default: groups."
        ),
    ):
        command = option(command)
    return command


def picture_option(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the file of a picture; `help` says what of."""
    return click.option("--picture", type=PATH, help=f"{help} An .svg, .png or .pdf file.")


def plot_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the quantities of its motion that are plotted, over what, and where to."""
    for option in (
        picture_option("Where --plot goes."),
        against_option,
        click.option(
            "--plot",
            multiple=True,
            metavar="QUANTITY",
            help="Plot such as 'position P.x' or 'joint crank' to --picture (repeatable).",
        ),
    ):
        command = option(command)
    return command


def require_together(plot: Sequence[str] | str | None, picture: Path | None, **of_plot: str | None) -> None:
    """Refuse what is plotted without a file, a file without what is plotted, and options of plots without them.

    Raises
    ------
    UsageError, OutputError
    """
    if bool(plot) != (picture is not None):
        raise click.UsageError("--plot and --picture belong together: what is plotted, and where to")
    for name, value in of_plot.items():
        if value is not None and not plot:
            raise click.UsageError(f"--{name} belongs to --plot")
    if picture is not None:
        from groupkin.picture_files import check_file

        check_file(picture)


def check_quantities(mechanism: Mechanism, plot: Sequence[str], against: str | None) -> None:
    """Refuse, before anything is solved, quantities that a mechanism does not have.

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
    """
    if plot:
        from groupkin.look.plots.plot_values import check_plot

        check_plot(mechanism, plot, against)


def draw_plots(motion: Motion, plot: Sequence[str], against: str | None, picture: Path | None) -> None:
    """Plot quantities of a motion, if any are wanted and a step is solved, and say where to."""
    if picture is not None and motion.solved.any():
        motion.plot(plot, against, picture)
        click.echo(f"written: {picture}", err=True)
