"""Pictures of forces: over time, and polar diagrams of what bearings carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.dynamics.forces import Forces
from groupkin.dynamics.loads import freedom_of_load
from groupkin.errors import ArgumentError, QuantityError
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.look.plots.plot_values import Source, source_of
from groupkin.look.plots.plots import Line, Panel, check_width, labeled, text_of
from groupkin.mechanism.forces import Bushing, InJoint, Torque
from groupkin.mechanism.units import conversion
from groupkin.messages import hint
from groupkin.picture_files import check_file, check_matplotlib, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Read = Callable[[Forces, str, str | None], tuple[Array, str]]
"""Reads an array (n, k) of forces and its unit, of a name, in some axes."""


@checked
def plot_forces(
    forces: Forces,
    what: str | Sequence[str],
    axes: str | None = None,
    out: str | Path | None = None,
    width: float = 86.0,
) -> Figure:
    """Plot forces, in the units of the mechanism; see `Forces.plot`.

    Raises
    ------
    QuantityError, UnknownNameError
        If there is no such force.
    OutputError
        If matplotlib is missing or the file cannot be written.
    """
    if out is not None:
        check_file(Path(out))
    check_matplotlib()
    check_width(width)
    wanted = [what] if isinstance(what, str) else list(what)
    if not wanted:
        raise ArgumentError("what is empty; name what to plot, such as 'driver A' or 'bearing B'")
    from groupkin.look.plots.plot_drawing import draw_panels

    panels = [_panel(forces, text, axes) for text in wanted]
    motion = source_of(forces.motion)
    figure = draw_panels(panels, Source(forces.motion.times, motion.solved, motion.read), True, width)
    if out is not None:
        write_picture(figure, Path(out))
    return figure


def _driver(forces: Forces, name: str, _: str | None) -> tuple[Array, str]:
    return forces.driver(name)[:, None], forces.units_of(name).force


def _reaction(forces: Forces, name: str, axes: str | None) -> tuple[Array, str]:
    return forces.reaction(name, axes=axes).force, "N"


def _moment(forces: Forces, name: str, axes: str | None) -> tuple[Array, str]:
    return forces.reaction(name, axes=axes).moment.reshape(forces.motion.times.size, -1), "N*m"


def _force(forces: Forces, name: str, _: str | None) -> tuple[Array, str]:
    values, mechanism = forces.force(name).reshape(forces.motion.times.size, -1), forces.motion.program.mechanism
    load = next(load for load in mechanism.forces if load.name == name)
    if isinstance(load, Bushing):  # without its moments
        return values[:, : mechanism.dimension], "N"
    if isinstance(load, InJoint):
        joint, k = freedom_of_load(mechanism, load)
        return values, "N*m" if mechanism.freedoms(mechanism.joint[joint])[k].rotation else "N"
    return values, "N*m" if isinstance(load, Torque) else "N"


def _energy(forces: Forces, name: str, _: str | None) -> tuple[Array, str]:
    energy = forces.energy()
    if not name:
        return np.stack(energy, axis=1), "J"
    if name not in energy._fields:
        raise QuantityError(f"there is no energy {name!r}{hint(name, energy._fields)}")
    return getattr(energy, name)[:, None], "J"


def _power(forces: Forces, name: str, _: str | None) -> tuple[Array, str]:
    powers = forces.power()
    if name not in powers:
        raise QuantityError(f"there is no power of {name!r}{hint(name, powers)}")
    return powers[name][:, None], "W"


KINDS: dict[str, Read] = {
    "driver": _driver,
    "reaction": _reaction,
    "moment": _moment,
    "bearing": _reaction,
    "force": _force,
    "power": _power,
    "energy": _energy,
}
"""What can be plotted, by the first word of its text."""


def _panel(forces: Forces, text: str, axes: str | None) -> Panel:
    kind, _, name = text.strip().partition(" ")
    if kind not in KINDS:
        raise QuantityError(f"{text!r} is no force that is plotted{hint(kind, KINDS)}; write one of {', '.join(KINDS)}")
    values, unit = KINDS[kind](forces, name.strip(), axes)
    factor, shown = conversion(unit, forces.motion.program.mechanism.units)
    values = factor * values
    shown = shown.replace("*", " ")
    whole = Quantity(kind, name)
    title = text_of(whole) + (f" in the axes of {axes}" if axes and kind in ("reaction", "moment", "bearing") else "")
    parts: tuple[str, ...] = ("x", "y", "z")[: values.shape[1]] if values.shape[1] > 1 else ("",)
    if kind == "bearing":
        labels = tuple(labeled(part, shown) for part in parts)
        return Panel((Line(whole, values),), title, labels, (shown,) * len(parts), (), path=True)
    if kind == "force" and len(parts) > 1:
        parts = forces.acting[name.strip()].parts[: len(parts)]
    if kind == "energy" and not name:
        parts = ("kinetic", "gravity", "springs")
    lines = tuple(
        Line(Quantity(kind, name, part), np.stack([forces.motion.times, values[:, k]], axis=1))
        for k, part in enumerate(parts)
    )
    return Panel(lines, labeled(title, shown), (labeled("time", "s"),), ("s", shown), parts if len(parts) > 1 else ())
