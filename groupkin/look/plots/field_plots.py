"""Fields: a quantity over the values of two drivers, all others held."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.arguments import Count, checked, floats
from groupkin.errors import ArgumentError, QuantityError, shown
from groupkin.kinematics.jacobians.rows import freedoms_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, quantity, unit
from groupkin.kinematics.program.program import Program
from groupkin.look.palette import INK, PAPER
from groupkin.look.plots.plots import NARROWEST, WIDEST, labeled, text_of
from groupkin.mechanism.points import LARGEST
from groupkin.mechanism.units import conversion
from groupkin.picture_files import check_optional, write_optional
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MOST_STEPS = 1000
"""Values of each of the two drivers, at most."""


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
    """Plot a value over a section of the workspace: over two drivers, all others held; blank where nothing is solved.

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
    if steps < 2 or steps > MOST_STEPS or not NARROWEST <= width <= WIDEST:
        raise ArgumentError(f"steps are from 2 to {MOST_STEPS}, a width from {NARROWEST:g} to {WIDEST:g} mm")
    sides, numbers = field_values(program, value, over, at or {}, steps)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 25.4, 0.82 * width / 25.4), dpi=160, layout="constrained", facecolor=PAPER)
    axes = figure.subplots()
    drawn = []
    for text, values in zip(over, sides, strict=True):
        freedom = quantity(text, program)
        factor, name = conversion(unit(freedom, program.mechanism), program.mechanism.units)
        drawn.append((factor * values, labeled(text_of(freedom), name)))
    (x, right), (y, up) = drawn
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


def field_values(
    program: Program,
    value: str | Callable[[Motion], Array],
    over: Mapping[str, tuple[float, float]],
    at: Mapping[str, float],
    steps: int,
) -> tuple[list[Array], Array]:
    """Compute a value on a grid, see `plot_field`.

    Returns
    -------
    list of (steps,) array
        The values of the two drivers, m or rad.
    (steps, steps) array
        The value, rows by the second driver; NaN where the mechanism is not solved.
    """
    freedoms = [freedoms_of(Quantity("joint", x.joint), program)[x.freedom] for x in program.drivers]
    values = np.array([np.full(steps * steps, driven.reference) for driven in program.drivers])

    def number(text: str) -> int:
        found = freedoms_of(text, program)
        if len(found) != 1 or found[0] not in freedoms:
            names = ", ".join(map(str, freedoms))
            raise ArgumentError(f"{shown(text)} is not one driven freedom; there are {names}")
        return freedoms.index(found[0])

    for text, held in at.items():
        values[number(text)] = held
    rows = [number(text) for text in over]
    if len(set(rows)) != 2:
        raise ArgumentError(f"over names two different driven freedoms, not {shown(', '.join(over))}")
    bounds = [floats(ends) for ends in over.values()]
    if not all(ends.shape == (2,) and -LARGEST <= ends[0] < ends[1] <= LARGEST for ends in bounds):
        raise ArgumentError(f"over has a least and a larger value of each freedom, not {shown(dict(over))}")
    sides = [np.linspace(ends[0], ends[1], steps) for ends in bounds]
    for row, grid in zip(rows, np.meshgrid(*sides), strict=True):
        values[row] = grid.ravel()
    motion = program.evaluate(values)
    numbers = np.asarray(value(motion) if callable(value) else motion.read(value), float)
    if numbers.shape != (steps * steps,):
        raise QuantityError(f"the value of a field is one number at each step, not an array of shape {numbers.shape}")
    return sides, np.where(motion.solved, numbers, np.nan).reshape(steps, steps)
