"""Plots of motions: quantities over time or over another, paths and hodographs of points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from groupkin.arguments import checked
from groupkin.dynamics.reactions.forces import Forces
from groupkin.errors import ArgumentError, OutputError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.look.plots.plot_values import NO_ENDS, TIME, Ends, Source, Values, require_number, sources_of
from groupkin.picture_files import check_optional, write_optional
from sglibrary.array_types import Array, Flags

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure


NARROWEST, WIDEST = 50.0, 500.0
"""Widths of plots, mm."""

MOST_PANELS, MOST_LINES = 24, 40
"""In a plot, and in one of its panels."""

LOGARITHMIC = ("conditioning", "residual")
"""Kinds whose orders of magnitude matter."""


@dataclass(frozen=True)
class Line:
    """A quantity, or one component of it, as points (n, 2) or (n, 3); of a path its components, else x and y.

    Its range has two ends, infinite where there is none. Where a plot has several motions, it has the name of its own.
    """

    quantity: Quantity
    points: Array
    ends: Ends = NO_ENDS
    motion: str = ""

    @property
    def label(self) -> str:
        """What it is called in the picture's file."""
        return f"{self.quantity} of {self.motion}" if self.motion else str(self.quantity)


class Mark(NamedTuple):
    """A part of the lines of a panel that is marked: from and to where on the abscissa, which steps, and what it is."""

    start: float
    end: float
    inside: Flags
    text: str


class Plane(NamedTuple):
    """What is marked in a speed-torque plane.

    Attributes
    ----------
    rms : float
        Of the ordinate.
    watts : float
        Power of one unit of both axes.
    """

    rms: float
    watts: float


@dataclass(frozen=True)
class Panel:
    """Lines on common axes.

    Attributes
    ----------
    lines : tuple of Line
    title : str
        With the unit of curves.
    axes : tuple of str
        Labels of the axes, with their units; of curves of the abscissa alone.
    units : tuple of str
        Of the axes.
    names : tuple of str
        What stands beside the lines; empty beside a single one.
    path : bool
        Whether these are paths, to equal scales on their axes.
    logarithmic : bool
    marks : tuple of Mark
    plane : Plane, optional
        Of a path over two axes of different scales.
    """

    lines: tuple[Line, ...]
    title: str
    axes: tuple[str, ...]
    units: tuple[str, ...]
    names: tuple[str, ...]
    path: bool = False
    logarithmic: bool = False
    marks: tuple[Mark, ...] = ()
    plane: Plane | None = None


@checked
def plot(
    motion: Motion | Forces | xarray.Dataset | Sequence[Motion | Forces | xarray.Dataset],
    quantities: str | Quantity | Sequence[str | Quantity],
    against: str | Quantity | None = None,
    out: str | Path | None = None,
    width: float = 86.0,
    labels: Sequence[str] | None = None,
    axes: str | None = None,
) -> Figure:
    """Plot quantities of a motion, or of several in one plot, in the units of the first mechanism.

    The position, velocity or acceleration of a point without a component is a path: in the plane over x and y, in space
    in a projection to scale. All else is plotted over time, quantities of one unit in one panel. Steps that were not
    solved are gaps.

    Parameters
    ----------
    motion : Motion, Forces or xarray.Dataset, or sequence of these
        Of forces, one or several, their quantities are plotted, as `Forces.plot` takes them.
        A dataset is one that `Motion.to_xarray` makes, or that is read from a file; it is plotted in its own units.
        Several motions, each at its own times, have one color each; more quantities in a panel differ by dashes.
    quantities : str or Quantity, or sequence of these
        As `groupkin.quantity` takes them.
    against : str or Quantity, optional
        What everything is plotted over, instead of time; with ``"time"`` points are not plotted as paths either.
    out : str or Path, optional
        A file that ends in .svg, .png or .pdf; a file of this name is replaced.
    width : float
        mm; 86 is a column of most journals, 178 a page.
    labels : sequence of str, optional
        Of several motions or forces, beside their lines. Default: names of their mechanisms, numbered where they are
        the same.
    axes : str, optional
        Of reactions of forces, as in `Forces.plot`.

    Returns
    -------
    matplotlib.figure.Figure
        Which notebooks show.

    Raises
    ------
    ArgumentError
        If there is nothing to plot, the width is not possible, there is not one label for each motion, motions and
        forces are mixed, or axes are given for motions.
    QuantityError, UnknownNameError, NotModeledError
        If a quantity cannot be read, or the motion does not have it.
    OutputError
        If there is nothing or too much to plot, matplotlib is missing or the file cannot be written.
    """
    check_optional(out)
    check_width(width)
    wanted = [quantities] if isinstance(quantities, str | Quantity) else list(quantities)
    if not wanted:
        raise ArgumentError("quantities is empty; name what to plot, such as 'position P' or 'joint crank'")
    each = list(motion) if isinstance(motion, Sequence) else [motion]
    forces = [one for one in each if isinstance(one, Forces)]
    motions = [one for one in each if not isinstance(one, Forces)]
    if forces and not motions:
        from groupkin.look.plots.force_plots import plot_forces

        return plot_forces(forces, [str(text) for text in wanted], axes, out, width, against, labels)
    if axes is not None or forces:
        raise ArgumentError("axes belong to forces, and forces are plotted apart from motions; give forces alone")
    sources = sources_of(motions, labels)
    for source in sources:
        if not source.solved.any():
            of = f" {source.name}" if source.name else ""
            raise OutputError(f"there is nothing to plot: no step of the motion{of} is solved")
    panels = panels_of(sources, wanted, against)
    from groupkin.look.plots.plot_drawing import draw_panels

    return write_optional(draw_panels(panels, sources, against in (None, TIME), width), out)


def check_width(width: float) -> None:
    """Refuse a width that no plot can have.

    Raises
    ------
    ArgumentError
    """
    if not NARROWEST <= width <= WIDEST:
        raise ArgumentError(f"width must be from {NARROWEST:g} to {WIDEST:g} mm, not {width:g}")


def panels_of(
    sources: Sequence[Source], wanted: Sequence[str | Quantity], against: str | Quantity | None
) -> list[Panel]:
    """Sort quantities into panels, in their order: one for each unit, and one for the paths of each kind.

    Raises
    ------
    QuantityError
        If something is plotted against more than one number.
    OutputError
        If there are too many panels or lines, or the motions are over different things.
    """
    overs = [abscissa(source, against) for source in sources]
    label, across = overs[0][1], overs[0][0].units[0]
    if any((other, over.units[0]) != (label, across) for over, other in overs):
        raise OutputError("of these motions some are over time and others over steps; plot them apart")
    found: dict[tuple[str, bool], list[Any]] = {}  # of each panel, in the order of what is wanted
    for text in dict.fromkeys(wanted):
        for source, (over, _) in zip(sources, overs, strict=True):
            values = source.read(text)
            kind = values.quantity.kind
            if values.vector and against is None:
                line = Line(values.quantity, values.numbers, motion=source.name)
                found.setdefault((kind, True), []).append((line, values))
                continue
            for name, numbers, unit in zip(values.components, values.numbers.T, values.units, strict=True):
                quantity = replace(values.quantity, component=name) if name else values.quantity
                shown = np.where(numbers > 0.0, numbers, np.nan) if kind in LOGARITHMIC else numbers
                points = np.stack([over.numbers[:, 0], shown], axis=1)
                line = Line(quantity, points, source.ends(quantity), source.name)
                found.setdefault((kind if unit == "1" else unit, False), []).append((line, unit))
    panels = [
        _of_paths(list(lines), each[0][1]) if path else _of_curves(list(lines), label, across, each[0][1])
        for (_, path), each in found.items()
        for lines in [{line.label: line for line, _ in each}.values()]
    ]
    most = max(len(panel.lines) for panel in panels)
    if len(panels) > MOST_PANELS or most > MOST_LINES:
        raise OutputError(
            f"{len(panels)} panels with up to {most} lines are too much for a plot, which has up to {MOST_PANELS} and "
            f"{MOST_LINES}; plot fewer quantities at a time"
        )
    return panels


def abscissa(source: Source, against: str | Quantity | None) -> tuple[Values, str]:
    """What quantities are plotted over, and its label."""
    if against in (None, TIME):
        name, unit = source.abscissa
        return Values(Quantity(name), ("",), source.times[:, None], (unit,)), labeled(name, unit)
    assert against is not None
    over = source.read(against)
    require_number(over.quantity, over.components)
    return over, labeled(text_of(over.quantity), over.units[0])


def _of_curves(lines: list[Line], label: str, across: str, unit: str) -> Panel:
    quantities = list(dict.fromkeys(line.quantity for line in lines))
    kinds = list(dict.fromkeys(quantity.kind for quantity in quantities))
    title = ", ".join(KIND_WORDS.get(kind, kind.replace("_", " ")) for kind in kinds if kind)
    if len(quantities) == 1:
        title, names = text_of(quantities[0]), [""]
    elif len({(each.kind, each.of) for each in quantities}) == 1 and all(each.component for each in quantities):
        title, names = text_of(replace(quantities[0], component="")), [each.component for each in quantities]
    else:
        names = [text_of(each if len(kinds) > 1 else replace(each, kind="")) for each in quantities]
    logarithmic = all(kind in LOGARITHMIC for kind in kinds)
    beside = _names(lines, dict(zip(quantities, names, strict=True)))
    return Panel(tuple(lines), labeled(title, unit), (label,), (across, unit), beside, logarithmic=logarithmic)


def _of_paths(lines: list[Line], first: Values) -> Panel:
    names = {line.quantity: line.quantity.name for line in lines}
    title = text_of(first.quantity if len(names) == 1 else replace(first.quantity, of=""))
    axes = tuple(labeled(axis, unit) for axis, unit in zip(first.components, first.units, strict=True))
    beside = _names(lines, names if len(names) > 1 else {first.quantity: ""})
    return Panel(tuple(lines), title, axes, first.units, beside, path=True)


def _names(lines: Sequence[Line], names: Mapping[Quantity, str]) -> tuple[str, ...]:
    """Names beside lines: of the quantity, the motion, or both; none beside a single line."""
    beside = (", ".join(part for part in (line.motion, names[line.quantity]) if part) for line in lines)
    return tuple(beside) if len(lines) > 1 else ()


# --- words -----------------------------------------------------------------------------------

KIND_WORDS = {"joint": "joint coordinate", "": ""}
"""What kinds are called on axes, where it is not their name."""


def text_of(quantity: Quantity) -> str:
    """Write a quantity as it stands in a plot: its text form without quotes and underscores.

    Examples
    --------
    >>> text_of(Quantity("angular_velocity", "front wheel")), text_of(Quantity("position", "", "x"))
    ('angular velocity front wheel', 'position x')
    """
    term = ".".join(part for part in (quantity.name, quantity.component) if part)
    return " ".join(part for part in (quantity.kind.replace("_", " "), term) if part)


def labeled(text: str, unit: str) -> str:
    """Write a label of an axis.

    Examples
    --------
    >>> labeled("joint A", "deg"), labeled("acceleration P.x", "mm/s^2"), labeled("conditioning", "1")
    ('joint A (°)', 'acceleration P.x (mm/s²)', 'conditioning')
    """
    sign = unit.replace("deg", "°").replace("^2", "²")
    return text if unit in ("", "1") else f"{text} ({sign})"
