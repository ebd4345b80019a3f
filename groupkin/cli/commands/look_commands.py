"""Commands that show: ``groupkin draw | plot | animate``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli import options
from groupkin.cli.options import PATH, about, mechanism_argument, pose_options, prepared, read_file
from groupkin.cli.plot_options import against_option, out_option, shown_options
from groupkin.cli.terminal import notice, progress
from groupkin.errors import FileError, GroupkinError, NotAssembledError, TimesError
from groupkin.messages import distinct

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.mechanism.files.reading import MechanismFile


MOTIONS = (".nc", ".zarr")
"""Suffixes of motions that `plot` reads."""


@click.command()
@mechanism_argument
@click.option("--mechanism", "kind", flag_value="mechanism", default=True, help="Draw the mechanism (default).")
@click.option("--graph", "kind", flag_value="graph", help="Draw the structural graph: bodies and freedoms of joints.")
@click.option("--diagram", "kind", flag_value="diagram", help="Draw the structural diagram: groups.")
@click.option("--routes", "kind", flag_value="routes", help="Draw the tree of routes, like groupkin routes --picture.")
@click.option(
    "--time",
    "instants",
    type=float,
    multiple=True,
    help="Time in seconds of the motion in FILE (repeatable, the earlier, the paler); default: the reference "
    "configuration.",
)
@click.option(
    "--with",
    "others",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Draw also the mechanism of this file, each in a color of its own (repeatable).",
)
@shown_options
@pose_options
@out_option
@click.pass_context
def draw(
    context: click.Context,
    file: Path,
    kind: str,
    instants: tuple[float, ...],
    others: tuple[Path, ...],
    colors: str | None,
    names: str | None,
    assemble: bool,
    modes: tuple[str, ...],
    out: Path,
) -> None:
    """Draw the mechanism in FILE, or its structure.

    With --time it is drawn there in its motion, with the paths of its points; with --with several mechanisms are drawn
    over each other, the last one on top.
    """
    if kind != "mechanism" and (instants or others or colors or names or assemble or modes):
        raise click.UsageError("--time, --with, --colors, --names, --assemble and --modes belong to --mechanism")
    if others and (len(instants) > 1 or colors):
        raise click.UsageError("--with draws several mechanisms at one --time, each in its color, without --colors")
    if kind == "routes":
        assert isinstance(context.parent, click.Context)
        assert isinstance(context.parent.command, click.Group)
        routes = context.parent.command.get_command(context.parent, "routes")
        assert routes is not None
        context.invoke(routes, file=file, picture=out)
        return
    from groupkin.look.drawing import draw as run
    from groupkin.picture_files import check_file

    shown: list[Any] = []
    for path in [file, *others]:
        described = read_file(path)
        check_file(out)
        if instants:
            shown.append(_motion_through(described, instants, assemble, modes))
        elif assemble or modes:
            shown.append(_at_reference(described, assemble, modes))
        else:
            _warn_of_open_joints(described, kind)
            shown.append(described.mechanism)
    time = instants if len(instants) > 1 else (*instants, None)[0]
    if others:
        about(None)
        run(shown, out, kind, time, names=names, labels=_names_of([file, *others]))
    else:
        run(shown[0], out, kind, time, colors, names)
    click.echo(f"written: {out}", err=True)


def _at_reference(described: MechanismFile, assemble: bool, modes: tuple[str, ...]) -> Motion:
    """Solve a mechanism once, its drivers as in the reference configuration."""
    import numpy as np

    program = prepared(described, assemble, np.zeros(1), modes)
    return program.evaluate(np.array([driven.reference for driven in program.drivers]))


def _warn_of_open_joints(described: MechanismFile, kind: str) -> None:
    """Say that a picture shows joints that do not close."""
    from groupkin.model.geometry.assembly import require_assembled

    try:
        if kind == "mechanism":
            require_assembled(described.mechanism)
    except NotAssembledError as error:
        click.echo(f"note: drawn with open joints, as it is described. {error}", err=True)
    except GroupkinError:  # which drawing says better
        pass


def _motion_through(
    described: MechanismFile, instants: Sequence[float], assemble: bool, modes: tuple[str, ...]
) -> Motion:
    """Solve the motion of a file at its times and at others, at which an error says why it cannot be solved.

    Raises
    ------
    TimesError
        If the motion does not reach these times.
    """
    import numpy as np

    from groupkin.kinematics.solver import solve

    times = described.motion.times
    for instant in instants:
        if not times[0] <= instant <= times[-1]:
            raise TimesError(f"--time: the motion goes from {times[0]:g} s to {times[-1]:g} s, not to {instant:g} s")
    program = prepared(described, assemble, np.unique(instants), modes)
    solve(program, np.unique(instants))
    return solve(program, np.union1d(times, instants), on_failure="nan")


@click.command()
@click.argument("file", type=PATH)
@click.argument("quantities", nargs=-1, required=True, metavar="QUANTITY...")
@click.option(
    "--with",
    "others",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Plot also the motion of this file, by its name (repeatable).",
)
@against_option
@out_option
@click.option("--width", type=float, default=86.0, show_default=True, help="Of the plot, in mm: 178 is a page.")
@options.times_options
@pose_options
def plot(
    file: Path,
    quantities: tuple[str, ...],
    others: tuple[Path, ...],
    against: str | None,
    out: Path,
    width: float,
    duration: float | None,
    steps: int | None,
    assemble: bool,
    modes: tuple[str, ...],
) -> None:
    """Plot quantities of the motion of the mechanism in FILE, or of a motion in a .nc or .zarr FILE.

    With --with the motions of several files are in one plot, in the units of the first. Quantities are written as in
    'velocity P.norm', 'joint crank' or conditioning. 'position P' is the path of a point, 'velocity P' its hodograph;
    all else is plotted over time. Steps that cannot be solved are gaps.
    """
    from groupkin.look.plots.plot_values import check_plot, open_motion
    from groupkin.look.plots.plots import check_width
    from groupkin.look.plots.plots import plot as run
    from groupkin.picture_files import check_file

    check_width(width)
    files = [file, *others]
    stored = [_is_motion(each) for each in files]
    if all(stored) and (duration is not None or steps is not None or assemble or modes):
        raise click.UsageError("--duration, --steps, --assemble and --modes belong to mechanism files")
    described = {}
    for path in [path for path, whole in zip(files, stored, strict=True) if not whole]:
        described[path] = read_file(path)
        check_plot(described[path].mechanism, quantities, against)
    check_file(out)
    motions: list[Any] = []
    for path in files:
        if path in described:
            about(path)
            times = options.times_of(described[path], duration, steps)
            motions.append(_solved(described[path], times, assemble, modes))
        else:
            motions.append(open_motion(path))
    if others:
        about(None)
    run(motions, quantities, against, out, width, _names_of(files) if others else None)
    click.echo(f"written: {out}", err=True)


def _names_of(files: Sequence[Path]) -> list[str]:
    """Name files that are shown together by their stems, with their folders where these are the same."""
    stems = [file.stem for file in files]
    return distinct(
        file.stem if stems.count(file.stem) == 1 else f"{file.absolute().parent.name}/{file.stem}" for file in files
    )


def _is_motion(file: Path) -> bool:
    """Tell a motion from a mechanism file, by its suffix.

    Raises
    ------
    FileError
        If it is neither.
    """
    from groupkin.arguments import SUFFIXES

    if file.suffix.lower() not in (*MOTIONS, *SUFFIXES):
        raise FileError(
            f"{file}: a mechanism file ends in {' or '.join(SUFFIXES)}, a motion that is plotted in "
            f"{' or '.join(MOTIONS)}, not {file.suffix!r}"
        )
    return file.suffix.lower() in MOTIONS


def _solved(described: MechanismFile, times: Any, assemble: bool, modes: tuple[str, ...]) -> Motion:
    """Solve the motion of a file, and say which steps fail.

    Raises
    ------
    SolveError
        If no step can be solved.
    """
    motion = options.solved(described, assemble, times, modes)
    from groupkin.kinematics.solving import failures

    if not motion.solved.any():
        raise failures.failure(motion, 0)
    for line in failures.described(motion):
        click.echo(f"failed: {line}", err=True)
    return motion


@click.command()
@mechanism_argument
@options.times_options
@pose_options
@click.option(
    "--trace",
    multiple=True,
    metavar="POINT",
    help="Show the path of a point or joint (repeatable); default: named points on no joint.",
)
@click.option(
    "--plot",
    multiple=True,
    metavar="QUANTITY",
    help="Of a page only: plot such as 'position P.x' over time (repeatable).",
)
@click.option("--seconds", type=float, help="Of a film, how long it plays; default: as the motion, from 2 to 10.")
@click.option("--forces", is_flag=True, help="Of a page only: show the forces that the motion needs as arrows.")
@shown_options
@click.option("--out", type=PATH, required=True, help="A page, .html, or a film: .gif, .mp4 or .webm.")
def animate(
    file: Path,
    duration: float | None,
    steps: int | None,
    assemble: bool,
    modes: tuple[str, ...],
    trace: tuple[str, ...],
    plot: tuple[str, ...],
    seconds: float | None,
    forces: bool,
    colors: str | None,
    names: str | None,
    out: Path,
) -> None:
    """Solve the motion of the mechanism in FILE and write it as a page that plays it, or as a film.

    The page is one file that works in any browser, without network. Steps that cannot be solved are marked.
    """
    from groupkin.kinematics.motion.quantities import quantity
    from groupkin.look.animation_checks import FILMS, check_animation, check_trace

    described = read_file(file)
    check_animation(out, seconds, plots=bool(plot), forces=forces)
    times = options.times_of(described, duration, steps)
    for text in plot:  # before anything is computed
        quantity(text, described.mechanism)
    check_trace(trace, described.mechanism)
    program = prepared(described, assemble, times, modes)
    from groupkin.dynamics.reactions.inverse_dynamics import inverse_dynamics
    from groupkin.kinematics.solver import solve
    from groupkin.look.animation import animate as run

    motion = solve(program, times, on_failure="nan")
    film = out.suffix.lower() in FILMS
    with notice("drawing"), progress(1, "drawing") as report:
        shown = inverse_dynamics(motion) if forces else motion
        left_out = run(shown, out, trace or None, plot or None, seconds, report if film else None, colors, names)
    if not motion.solved.all():
        click.echo(f"note: {int((~motion.solved).sum())} of {len(times)} steps are not solved", err=True)
    if left_out:
        click.echo(f"note: {left_out}", err=True)
    click.echo(f"written: {out}", err=True)
