"""Commands that show: ``groupkin draw``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groupkin.cli.options import PATH, assemble_option, file_argument, modes_option, prepared, read_file
from groupkin.errors import TimesError

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.mechanism.files import MechanismFile


@click.command()
@file_argument
@click.option("--mechanism", "kind", flag_value="mechanism", default=True, help="Draw the mechanism (default).")
@click.option("--graph", "kind", flag_value="graph", help="Draw the structural graph: bodies and freedoms of joints.")
@click.option("--diagram", "kind", flag_value="diagram", help="Draw the structural diagram: groups.")
@click.option("--routes", "kind", flag_value="routes", help="Draw the tree of routes, as groupkin routes --draw does.")
@click.option(
    "--time", "instant", type=float, help="Time in seconds of the motion in FILE; default: the reference configuration."
)
@assemble_option
@modes_option
@click.option("--out", type=PATH, required=True, help="An .svg, .png or .pdf file.")
@click.pass_context
def draw(
    context: click.Context,
    file: Path,
    kind: str,
    instant: float | None,
    assemble: bool,
    modes: tuple[str, ...],
    out: Path,
) -> None:
    """Draw the mechanism in FILE, or its structure.

    With --time it is drawn there in its motion, with the paths of its points.
    """
    if kind != "mechanism" and (instant is not None or assemble or modes):
        raise click.UsageError("--time, --assemble and --modes belong to --mechanism")
    if instant is None and (assemble or modes):
        raise click.UsageError("--assemble and --modes belong to --time")
    if kind == "routes":
        assert isinstance(context.parent, click.Context)
        assert isinstance(context.parent.command, click.Group)
        routes = context.parent.command.get_command(context.parent, "routes")
        assert routes is not None
        context.invoke(routes, file=file, draw=out)
        return
    from groupkin.look.drawing import draw as run
    from groupkin.picture_files import check_file

    described = read_file(file)
    check_file(out)
    if instant is None:
        run(described.mechanism, out, kind)
    else:
        run(_motion_through(described, instant, assemble, modes), out, kind, instant)
    click.echo(f"written: {out}", err=True)


def _motion_through(described: MechanismFile, instant: float, assemble: bool, modes: tuple[str, ...]) -> Motion:
    """Solve the motion of a file at its times and at another, at which an error says why it cannot be solved.

    Raises
    ------
    TimesError
        If the motion does not reach that time.
    """
    import numpy as np

    from groupkin.kinematics.solver import solve

    times = described.motion.times
    if not times[0] <= instant <= times[-1]:
        raise TimesError(f"--time: the motion goes from {times[0]:g} s to {times[-1]:g} s, not to {instant:g} s")
    program = prepared(described, assemble, np.array([instant]), modes)
    solve(program, [instant])
    return solve(program, np.union1d(times, [instant]), on_failure="nan")
