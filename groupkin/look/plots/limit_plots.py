"""Pictures of limits: an output over a driver, branch by branch, with the limits marked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.arguments import checked
from groupkin.errors import OutputError, QuantityError
from groupkin.kinematics.limits.limits import Limits
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.look.palette import INK, PAPER
from groupkin.look.plots.plot_values import Source, source_of
from groupkin.look.plots.plots import MOST_LINES, Line, Panel, labeled, text_of
from groupkin.mechanism.units import conversion
from groupkin.picture_files import check_optional, write_optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKS = {"turning point": ("o", INK), "change point": ("o", PAPER), "end stop": ("s", INK)}
"""Marks of limits, and the colors that fill them."""


@checked
def plot_limits(limits: Limits, output: str | Quantity, out: str | Path | None = None, width: float = 86.0) -> Figure:
    """Plot an output over the driver along all branches.

    Turning points are dots, change points circles, end stops squares.

    Parameters
    ----------
    limits : Limits
    output : str or Quantity
        One number that follows from positions, such as ``joint rocker`` or ``position P.x``.
    out : str or Path, optional
        A file that ends in .svg, .png or .pdf; a file of this name is replaced.
    width : float
        mm.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
        If the output cannot be read, or is not one number.
    OutputError
        If there are too many branches, matplotlib is missing or the file cannot be written.
    """
    check_optional(out)
    if len(limits.branches) > MOST_LINES:
        raise OutputError(f"{len(limits.branches)} branches are too many for a plot, which has up to {MOST_LINES}")
    from groupkin.look.plots.plot_drawing import draw_panels

    panel = _panel(limits, output)
    solved = Source(np.zeros(1), np.ones(1, bool), source_of(limits.branches[0].motion).read)
    figure = draw_panels([panel], [solved], False, width)
    axes = figure.axes[0]
    kinds = {limit.number: limit.kind for limit in limits.limits}
    for branch, line in zip(limits.branches, panel.lines, strict=True):
        for number, at in zip(branch.limits, line.points[[0, -1]], strict=True):
            if number is not None:
                mark, fill = MARKS[kinds[number]]
                style: dict[str, Any] = {"color": INK, "markerfacecolor": fill, "markersize": 3.2}
                axes.plot(*at, mark, gid=f"limit {number}", zorder=4, clip_on=False, **style)
    return write_optional(figure, out)


def _panel(limits: Limits, output: str | Quantity) -> Panel:
    """Put the output along every branch over the driver, in the units of the mechanism."""
    factor, unit = conversion(limits.unit, limits.structure.mechanism.units)
    sources = [source_of(branch.motion) for branch in limits.branches]
    read = [source.read(output) for source in sources]
    first = read[0]
    if len(first.components) > 1:
        raise QuantityError(f"`{first.quantity}` has the components {', '.join(first.components)}; plot one of them")
    lines = []
    for branch, source, values in zip(limits.branches, sources, read, strict=True):
        if np.isnan(values.numbers).any():
            raise QuantityError(f"`{values.quantity}` is no position: branches have no velocities")
        driven = factor * branch.values
        points = np.stack([driven, values.numbers[:, 0]], axis=1)
        lines.append(Line(values.quantity, points, source.ends(values.quantity)))
    axes = (labeled(f"joint {limits.driver}", unit),)
    names = tuple(f"branch {branch.number}" for branch in limits.branches) if len(lines) > 1 else ()
    title = labeled(text_of(first.quantity), first.units[0])
    return Panel(tuple(lines), title, axes, (unit, first.units[0]), names)
