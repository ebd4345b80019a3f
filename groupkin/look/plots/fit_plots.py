"""Pictures of fits: the targets, what the nominal design does, and what the design that was found does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.arguments import checked
from groupkin.errors import ArgumentError, GroupkinError
from groupkin.kinematics.design.solve_one import solve_one
from groupkin.kinematics.motion.quantities import Quantity, unit
from groupkin.look.palette import GRAY, GROUPS, PAPER
from groupkin.look.plots.plots import NARROWEST, WIDEST, labeled, text_of
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.units import conversion
from groupkin.picture_files import check_optional, write_optional
from groupkin.synthesis.fit import Fit
from groupkin.synthesis.problem import DENSE
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


BEFORE: dict[str, Any] = {"color": GRAY, "linestyle": (0, (4, 3)), "linewidth": 0.9}
AFTER: dict[str, Any] = {"color": GROUPS[0], "linewidth": 1.3}
TARGETS: dict[str, Any] = {"color": GROUPS[1], "linestyle": "", "marker": "o", "markersize": 3.6, "zorder": 4}


@checked
def plot_fit(fit: Fit, out: str | Path | None = None, width: float = 86.0) -> Figure:
    """Plot the targets of a fit, what the nominal design does (dashed) and what the design that was found does.

    The position of a point in the plane is its path; everything else is plotted over the driver.

    Parameters
    ----------
    fit : Fit
    out : str or Path, optional
        A file that ends in .svg, .png or .pdf; a file of this name is replaced.
    width : float
        mm.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ArgumentError
        If the width is none of a plot.
    OutputError
        If matplotlib is missing or the file cannot be written.
    """
    check_optional(out)
    if not NARROWEST <= width <= WIDEST:
        raise ArgumentError(f"a width is from {NARROWEST:g} to {WIDEST:g} mm, not {width:g}")
    from groupkin.look.shown_figure import ShownFigure

    problem = fit.problem
    rows = len(problem.quantities)
    size = (width / 25.4, 0.8 * rows * width / 25.4)
    figure = ShownFigure(figsize=size, dpi=160, layout="constrained", facecolor=PAPER)
    path = problem.path(fit.at)
    driven = np.linspace(path[0], path[-1], DENSE)
    curves = [_read(fit, values, driven) for values in (problem.design.nominal, fit.values)]
    for number, wanted in enumerate(problem.quantities):
        axes = figure.add_subplot(rows, 1, number + 1)
        before, after = (None if curve is None else curve[number] for curve in curves)
        draw = _path if problem.targets[number].shape[1] == 2 else _over_driver
        draw(axes, fit, wanted, driven, (before, after), problem.targets[number])
    figure.axes[0].legend(frameon=False, fontsize="small")
    return write_optional(figure, out)


def _read(fit: Fit, values: Array, driven: Array) -> list[Array] | None:
    """Read all quantities (t, k) of a design; None if it cannot go all the way."""
    design = fit.problem.design
    try:
        motion = solve_one(design.program, design.parameters, values, driven)
    except GroupkinError:
        return None
    read = [motion.read(each) for each in fit.problem.quantities]
    return [x if x.ndim == 2 else x[:, None] for x in read]


def _path(axes: Any, fit: Fit, wanted: Quantity, driven: Array, curves: tuple[Any, ...], targets: Array) -> None:
    factor, name = conversion("m", fit.design.program.mechanism.units)
    for curve, style, label in zip(curves, (BEFORE, AFTER), ("nominal", "found"), strict=True):
        if curve is not None:
            axes.plot(*(factor * curve.T), label=label, **style)
    axes.plot(*(factor * targets.T), label="targets", **TARGETS)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(labeled(f"{text_of(wanted)}.x", name), parse_math=False)
    axes.set_ylabel(labeled(f"{text_of(wanted)}.y", name), parse_math=False)


def _over_driver(axes: Any, fit: Fit, wanted: Quantity, driven: Array, curves: tuple[Any, ...], targets: Array) -> None:
    mechanism = fit.design.program.mechanism
    factor, name = conversion(unit(wanted, mechanism).split(", ")[0], mechanism.units)
    moving = next(x for x in fit.problem.design.program.drivers if isinstance(x.law, Ramp))
    scale, shown = conversion("rad" if moving.rotation else "m", mechanism.units)
    for curve, style, label in zip(curves, (BEFORE, AFTER), ("nominal", "found"), strict=True):
        if curve is not None:
            axes.plot(scale * driven, factor * curve[:, 0], label=label, **style)
    axes.plot(scale * fit.at, factor * targets[:, 0], label="targets", **TARGETS)
    axes.set_xlabel(labeled(f"joint {mechanism.driver_name(moving.joint, moving.freedom)}", shown), parse_math=False)
    axes.set_ylabel(labeled(text_of(wanted), name), parse_math=False)
