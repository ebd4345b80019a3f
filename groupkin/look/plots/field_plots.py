"""Pictures of fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.arguments import Count, checked
from groupkin.errors import ArgumentError
from groupkin.kinematics.fields import Field, field
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import quantity, unit
from groupkin.kinematics.program.program import Program
from groupkin.look.palette import INK, PAPER
from groupkin.look.plots.plots import NARROWEST, WIDEST, labeled, text_of
from groupkin.mechanism.units import conversion
from groupkin.picture_files import check_optional, write_optional
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@checked
def plot_field(
    program: Program,
    value: str | Callable[[Motion], Array],
    over: Mapping[str, tuple[float, float]],
    at: Mapping[str, float] | None = None,
    steps: Count = 101,
    mark: float = 0.0,
    out: str | Path | None = None,
    width: float = 86.0,
    label: str = "",
) -> Figure:
    """Plot a value over a section of the workspace: over two drivers, all others held; blank where none is reached.

    Parameters
    ----------
    program : Program
    value : str or callable
        A quantity that is one number and follows from positions, such as ``joint leg_1``; or a function that computes
        (n,) numbers of a motion of n steps, such as the conditioning of a Jacobian.
    over : mapping of str to (float, float)
        Two driven freedoms, such as ``joint pose.x``, and the least and the largest value of each, m or rad. The first
        is put to the right, the second upward.
    at : mapping of str to float, optional
        Values of other drivers, m or rad. Default: those of the reference configuration.
    steps : int
        Values of each of the two.
    mark : float
        The level at which a curve is drawn: 0 marks the singular positions, where a determinant changes its sign.
    out : str or Path, optional
        A file that ends in .svg, .png or .pdf; a file of this name is replaced.
    width : float
        mm.
    label : str
        What the colors mean. Default: the quantity with its unit; nothing for a function.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ArgumentError
        If a freedom is not driven, there are not two, or bounds are no range.
    QuantityError, UnknownNameError
        If the value is not one number.
    OutputError
        If matplotlib is missing or the file cannot be written.
    """
    check_optional(out)
    return drawn(field(program, value, over, at, steps), value, mark, out, width, label)


def drawn(
    found: Field, value: str | Callable[[Motion], Array], mark: float, out: str | Path | None, width: float, label: str
) -> Figure:
    """Draw a field; see `plot_field`.

    Raises
    ------
    ArgumentError, OutputError
    """
    if not NARROWEST <= width <= WIDEST:
        raise ArgumentError(f"a width is from {NARROWEST:g} to {WIDEST:g} mm, not {width:g} mm")
    program, numbers = found.program, found.values
    from groupkin.look.shown_figure import ShownFigure

    figure = ShownFigure(figsize=(width / 25.4, 0.82 * width / 25.4), dpi=160, layout="constrained", facecolor=PAPER)
    axes = figure.subplots()
    axes_of = []
    for text, values in zip(found.over, found.sides, strict=True):
        freedom = quantity(text, program)
        factor, name = conversion(unit(freedom, program.mechanism), program.mechanism.units)
        axes_of.append((factor * values, labeled(text_of(freedom), name)))
    (x, right), (y, up) = axes_of
    image = axes.pcolormesh(x, y, numbers, shading="nearest", cmap="viridis", rasterized=True)
    finite = numbers[np.isfinite(numbers)]
    if finite.size and finite.min() < mark < finite.max():
        axes.contour(x, y, numbers, levels=[mark], colors=INK, linewidths=1.2)
    axes.set_xlabel(right, parse_math=False)
    axes.set_ylabel(up, parse_math=False)
    bar = figure.colorbar(image, ax=axes)
    if isinstance(value, str):
        wanted = quantity(value, program)
        factor, name = conversion(unit(wanted, program.mechanism), program.mechanism.units)
        image.set_array(factor * numbers)
        image.autoscale()
        label = label or labeled(text_of(wanted), name)
    bar.set_label(label, parse_math=False)
    return write_optional(figure, out)
