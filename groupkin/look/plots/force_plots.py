"""Pictures of forces: over time, and polar diagrams of what bearings carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.arguments import checked
from groupkin.dynamics.reactions.force_tables import largest_of
from groupkin.dynamics.reactions.forces import Forces
from groupkin.errors import ArgumentError, QuantityError
from groupkin.kinematics.motion.quantities import TERM, Quantity
from groupkin.look.plots.plot_values import TIME, Values, sources_of
from groupkin.look.plots.plots import Line, Mark, Panel, Plane, abscissa, check_width, labeled, text_of
from groupkin.mechanism.units import Units, conversion
from groupkin.messages import hint
from groupkin.picture_files import check_optional, write_optional
from groupkin.text_forms import plain
from groupkin.tolerances import NO_FORCE
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Parts = tuple[str, ...]
Read = Callable[[Forces, str, str | None], tuple[Array, str, Parts]]
"""Reads an array (n, k) of forces, its unit and what the k columns are, of a name, in some axes."""


@checked
def plot_forces(
    forces: Forces | Sequence[Forces],
    what: str | Sequence[str],
    axes: str | None = None,
    out: str | Path | None = None,
    width: float = 86.0,
    against: str | Quantity | None = None,
    labels: Sequence[str] | None = None,
) -> Figure:
    """Plot forces, or several in one plot, in the units of the first mechanism; see `Forces.plot`.

    Raises
    ------
    ArgumentError
        If there is nothing to plot, a speed-torque plane is to show several, or there is not one label for each.
    QuantityError, UnknownNameError
        If there is no such force.
    OutputError
        If matplotlib is missing or the file cannot be written.
    """
    check_optional(out)
    check_width(width)
    wanted = [what] if isinstance(what, str) else list(what)
    if not wanted:
        raise ArgumentError("what is empty; name what to plot, such as 'driver A' or 'bearing B'")
    from groupkin.look.plots.plot_drawing import draw_panels

    each = [forces] if isinstance(forces, Forces) else list(forces)
    sources = sources_of([one.motion for one in each], labels)
    overs = [abscissa(source, against) for source in sources]
    units = each[0].motion.program.mechanism.units
    panels = []
    for text in wanted:
        found = [_panel(one, text, axes, *over, units) for one, over in zip(each, overs, strict=True)]
        panels.append(found[0] if len(found) == 1 else _together(found, [source.name for source in sources]))
    return write_optional(draw_panels(panels, sources, against in (None, TIME), width), out)


def _together(panels: Sequence[Panel], names: Sequence[str]) -> Panel:
    """One panel of what several forces have, each line by the name of its forces."""
    if panels[0].plane is not None:
        raise ArgumentError("a speed-torque plane shows one result of forces; plot each by itself")
    lines, beside, marks = [], [], []
    for panel, name in zip(panels, names, strict=True):
        lines += [replace(line, motion=name) for line in panel.lines]
        beside += [f"{name}, {part}" for part in panel.names] or [name]
        marks += [mark._replace(text=f"{mark.text} ({name})") for mark in panel.marks]
    return replace(panels[0], lines=tuple(lines), names=tuple(beside), marks=tuple(marks))


def _driver(forces: Forces, name: str, _: str | None) -> tuple[Array, str, Parts]:
    return forces.driver(name)[:, None], forces.units_of(name).force, ("",)


def _reaction(forces: Forces, name: str, axes: str | None) -> tuple[Array, str, Parts]:
    found = forces.reaction(name, axes=axes).force
    return found, "N", AXES[: found.shape[1]]


def _bearing(forces: Forces, name: str, axes: str | None) -> tuple[Array, str, Parts]:
    """The force; in the axes of a hinge or shaft in space its part across their axis."""
    found, unit, parts = _reaction(forces, name, axes)
    across = len(parts) == 3 and axes == "joint" and forces.motion.program.mechanism.joint[name].type in ("R", "C")
    return (found[:, :2], unit, parts[:2]) if across else (found, unit, parts)


def _moment(forces: Forces, name: str, axes: str | None) -> tuple[Array, str, Parts]:
    found = forces.reaction(name, axes=axes).moment.reshape(forces.motion.times.size, -1)
    return found, "N*m", AXES if found.shape[1] == 3 else ("",)


def _force(forces: Forces, name: str, _: str | None) -> tuple[Array, str, Parts]:
    amount = forces.force(name).reshape(forces.motion.times.size, -1)
    effect, mechanism = forces.acting[name], forces.motion.program.mechanism
    pushing = [k for k in range(amount.shape[1]) if not effect.parts[k].startswith("turn")]
    load = next(each for each in mechanism.forces if each.name == name)
    parts = tuple(effect.parts[k] for k in pushing) if len(pushing) > 1 else ("",)
    return amount[:, pushing], load.unit(mechanism), parts


def _energy(forces: Forces, name: str, _: str | None) -> tuple[Array, str, Parts]:
    energy = forces.energy()
    if not name:
        return np.stack(energy, axis=1), "J", energy._fields
    if name not in energy._fields:
        raise QuantityError(f"there is no energy {name!r}{hint(name, energy._fields)}")
    return getattr(energy, name)[:, None], "J", ("",)


def _power(forces: Forces, name: str, _: str | None) -> tuple[Array, str, Parts]:
    powers = forces.power()
    if name not in powers:
        raise QuantityError(f"there is no power of {name!r}{hint(name, powers)}")
    return powers[name][:, None], "W", ("",)


def _shaking(forces: Forces, name: str, _: str | None) -> tuple[Array, str, Parts]:
    if name not in ("force", "moment"):
        raise QuantityError(f"there is no shaking {name!r}; write shaking force or shaking moment")
    found, unit = (
        getattr(forces.shaking(), name).reshape(forces.motion.times.size, -1),
        "N" if name == "force" else "N*m",
    )
    rounding = np.nanmax(np.abs(found), axis=0) <= NO_FORCE * largest_of(forces, unit)
    return np.where(rounding, 0.0 * found, found), unit, AXES[: found.shape[1]] if found.shape[1] > 1 else ("",)


AXES = ("x", "y", "z")
KINDS: dict[str, Read] = {
    "driver": _driver,
    "speed-torque": _driver,
    "reaction": _reaction,
    "moment": _moment,
    "bearing": _bearing,
    "force": _force,
    "power": _power,
    "energy": _energy,
    "shaking": _shaking,
}
"""What can be plotted, by the first word of its text."""

OF_JOINTS = ("reaction", "moment", "bearing")


def _panel(forces: Forces, text: str, axes: str | None, over: Values, label: str, units: Units) -> Panel:
    kind, _, name = text.strip().partition(" ")
    if kind not in KINDS:
        raise QuantityError(f"{text!r} is no force that is plotted{hint(kind, KINDS)}; write one of {', '.join(KINDS)}")
    name = _name(name.strip())
    values, unit, parts = KINDS[kind](forces, name, axes)
    factor, shown = conversion(unit, units)
    values, shown = factor * values, shown.replace("*", " ")
    whole = Quantity(kind, name)
    title = text_of(whole) + _of_axes(forces, axes if kind in OF_JOINTS else None)
    if kind == "speed-torque":
        return _plane(forces, name, values[:, 0], shown)
    notes, marks = [""] * len(parts), tuple[Mark, ...]()
    if kind in OF_JOINTS:
        flags = forces.determined(name, axes=axes)
        count = forces.motion.program.mechanism.dimension
        known = flags[:-count] if kind == "moment" else flags[-count:]
        notes = ["" if each else " (not determined)" for each in known[: len(parts)]]
        marks = _marks(forces, name, over)
    if kind == "bearing":
        labels = tuple(labeled(part + note, shown) for part, note in zip(parts, notes, strict=True))
        return Panel((Line(whole, values),), title, labels, (shown,) * len(parts), (), path=True, marks=marks)
    lines = tuple(
        Line(Quantity(kind, name, part), np.stack([over.numbers[:, 0], values[:, k]], axis=1))
        for k, part in enumerate(parts)
    )
    names = tuple(part + note for part, note in zip(parts, notes, strict=True)) if len(parts) > 1 else ()
    title = labeled(title, shown) + (notes[0] if not names else "")
    return Panel(lines, title, (label,), (over.units[0], shown), names, marks=marks)


def _name(text: str) -> str:
    """Return the name in a text form; a name as it is, with blanks and all, is one as well."""
    term = TERM.fullmatch(text)
    return ".".join(plain(part) for part in term.groups() if part) if term else text


def _of_axes(forces: Forces, axes: str | None) -> str:
    """Say in which axes components are that are not global."""
    of_joint = axes == "joint" and axes not in forces.motion.program.mechanism.body
    return " in the axes of the joint" if of_joint else f" in the axes of {axes}" if axes else ""


def _plane(forces: Forces, name: str, values: Array, unit: str) -> Panel:
    """Make the speed-torque plane of a driver."""
    units, kinds = forces.motion.program.mechanism.units, forces.units_of(name)
    (factor, rate_unit), (force_factor, _) = conversion(kinds.rate, units), conversion(kinds.force, units)
    line = Line(Quantity("speed-torque", name), np.stack([factor * forces.rate(name), values], axis=1))
    what = "torque" if kinds.force == "N*m" else "force"
    rms = force_factor * forces.demand()[name].rms
    axes = labeled("speed", rate_unit), labeled(what, unit)
    plane = Plane(rms, 1.0 / (factor * force_factor))
    return Panel((line,), f"{what} over speed of {name}", axes, (rate_unit, unit), (), path=True, plane=plane)


def _marks(forces: Forces, joint: str, over: Values) -> tuple[Mark, ...]:
    """Mark where a joint would have to do what its contact cannot."""
    times = forces.motion.times
    return tuple(
        Mark(
            float(np.interp(loss.start, times, over.numbers[:, 0])),
            float(np.interp(loss.end, times, over.numbers[:, 0])),
            (times >= loss.start) & (times <= loss.end),
            f"Red: {joint} would have to {loss.must}",
        )
        for loss in forces.contact_losses()
        if loss.joint == joint
    )
