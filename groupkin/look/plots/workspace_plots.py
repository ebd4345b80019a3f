"""Pictures of workspaces: regions with their boundaries, colored by what ends the workspace there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.arguments import checked
from groupkin.errors import ArgumentError
from groupkin.kinematics.workspace.workspace import Workspace
from groupkin.look.palette import GROUPS, INK, PAPER
from groupkin.look.plots.plots import NARROWEST, WIDEST, labeled
from groupkin.mechanism.units import conversion
from groupkin.picture_files import check_optional, write_optional
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILL = "#F1F3F5"
"""Of regions."""


@checked
def plot_workspace(found: Workspace, out: str | Path | None = None, width: float = 86.0) -> Figure:
    """Draw the regions of a workspace, or the sections of one in space above each other.

    Parameters
    ----------
    found : Workspace
    out : str or Path, optional
        A file that ends in .svg, .png or .pdf; a file of this name is replaced.
    width : float
        mm.

    Returns
    -------
    matplotlib.figure.Figure
        With boundaries in one color for each cause, and a dot where the point is in the reference configuration.

    Raises
    ------
    ArgumentError
        If the width is none that is drawn.
    OutputError
        If matplotlib is missing or the file cannot be written.
    """
    check_optional(out)
    if not NARROWEST <= width <= WIDEST:
        raise ArgumentError(f"a width is from {NARROWEST:g} to {WIDEST:g} mm, not {width:g}")
    from groupkin.look.shown_figure import ShownFigure

    size = width / 25.4
    figure = ShownFigure(figsize=(size, 1.1 * size), dpi=160, layout="constrained", facecolor=PAPER)
    solid = bool(np.isfinite(found.volume))
    axes: Any = figure.add_subplot(projection="3d" if solid else None)
    factor, unit = conversion("m", found.program.mechanism.units)
    causes = dict.fromkeys(cause for region in found.regions for told in region.causes for cause in told)
    colors = {cause: GROUPS[k % len(GROUPS)] for k, cause in enumerate(causes)}
    columns = [0, 1, 2] if solid else list(found.axes)
    if not solid:
        for region in found.regions:
            _fill(axes, [factor * ring[:, columns] for ring in region.rings])
    for region in found.regions:
        for ring, told in zip(region.rings, region.causes, strict=True):
            _draw(axes, factor * ring[:, columns], told, colors, 0.7 if solid else 1.3)
    start = found.start[columns] * factor
    if solid or any(region.own for region in found.regions):
        axes.plot(*start[:, None], "o", color=INK, markersize=3.0, gid="reference")
    names = [f"{found.of.name} {'xyz'[k]}" for k in columns]
    axes.set_xlabel(labeled(names[0], unit), parse_math=False)
    axes.set_ylabel(labeled(names[1], unit), parse_math=False)
    if solid:
        axes.set_zlabel(labeled(names[2], unit), parse_math=False)
    axes.set_aspect("equal")
    from matplotlib.lines import Line2D

    keys = [Line2D([], [], color=color, linewidth=1.3, label=cause) for cause, color in colors.items()]
    legend = figure.legend(handles=keys, loc="outside lower center", ncols=1, frameon=False, fontsize="small")
    for each in legend.get_texts():
        each.set_parse_math(False)
    return write_optional(figure, out)


def _fill(axes: Any, rings: list[Array]) -> None:
    """Fill a region, with holes where its other rings are."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    paths = [Curve(np.vstack([ring, ring[:1]]), closed=True) for ring in rings]
    axes.add_patch(PathPatch(Curve.make_compound_path(*paths), facecolor=FILL, edgecolor="none"))


def _draw(axes: Any, ring: Array, told: tuple[str, ...], colors: dict[str, str], width: float) -> None:
    """Draw a ring in pieces that have one cause each."""
    closed = np.vstack([ring, ring[:1]])
    ends = [0, *(k for k in range(1, len(told)) if told[k] != told[k - 1]), len(told)]
    for first, last in pairwise(ends):
        piece = closed[first : last + 1]
        axes.plot(*piece.T, color=colors[told[first]], linewidth=width, solid_capstyle="round")
