"""The forces in a report, of a mechanism with masses or forces."""

from __future__ import annotations

import numpy as np

from groupkin.dynamics.bodies.masses import total
from groupkin.dynamics.reactions import force_tables
from groupkin.dynamics.reactions.forces import Forces
from groupkin.dynamics.reactions.inverse_dynamics import inverse_dynamics
from groupkin.errors import ArgumentError, GroupkinError
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.look.markup import Html, element, joined, picture
from groupkin.look.plots.force_plots import plot_forces
from groupkin.look.report.layout import figure, note
from groupkin.look.report.mechanism_section import listing
from groupkin.look.report.motion_section import thinned
from groupkin.look.report.subject import Section, Subject
from groupkin.mechanism.units import conversion
from groupkin.text_forms import written

MOST, ORDERS = 8, 4
"""Drivers whose forces, and bearings whose loads, are plotted; harmonics that are listed."""

EVEN = 1e-6
"""Relative difference of steps that are alike."""


def section(subject: Subject) -> Section | None:
    """Report driving forces and reactions, or nothing where there are neither masses nor forces."""
    motion, mechanism = subject.motion, subject.mechanism
    if motion is None or not motion.solved.any() or not (total(mechanism) or mechanism.forces):
        return None
    try:
        found = inverse_dynamics(thinned(motion))
    except GroupkinError as error:  # a spring without direction
        return Section("Forces", note(str(error)))
    factor, name = conversion("kg", mechanism.units)
    tables = [
        ("Drivers", force_tables.DRIVERS, force_tables.driver_rows(found)),
        ("Forces", force_tables.FORCES, force_tables.force_rows(found)),
        ("Joints: what the first body does to the second", force_tables.REACTIONS, force_tables.reaction_rows(found)),
        ("What contacts cannot do", force_tables.LOSSES, force_tables.loss_rows(found)),
        _shaking(found),
    ]
    parts = [
        element("p", f"Total mass of the moving bodies: {factor * total(mechanism):.6g} {name}."),
        *([listing("Masses", force_tables.MASSES, rows)] if (rows := force_tables.mass_rows(motion.program)) else []),
        *(listing(*each) for each in tables if each[2]),
        *(note(f"Note: {text}") for text in force_tables.notes(found)),
        element("h3", "Plots"),
        element("div", joined([*_drivers(found), *_bearings(found), *_losses(found)]), class_="columns"),
    ]
    return Section("Forces", joined(parts))


def _shaking(found: Forces) -> tuple[str, tuple[str, ...], list[tuple[str, ...]]]:
    """List harmonics of what drives a mechanism and shakes its frame, where the motion is one period of even steps."""
    titles = ("", "unit", "mean", *(f"order {k}" for k in range(1, ORDERS + 1)))
    steps = np.diff(found.motion.times)
    if not steps.size or np.ptp(steps) > EVEN * steps.max():
        return "", titles, []
    try:
        return "Harmonics over the motion", titles, force_tables.wave_rows(found, ORDERS)
    except ArgumentError:
        return "", titles, []


def _drivers(found: Forces) -> list[Html]:
    against = _crank(found)
    over = "the motion" if against is None else f"the angle of {against.name}"
    plots = []
    for name in list(found.drivers)[:MOST]:
        kind = "torque" if found.units_of(name).force == "N*m" else "force"
        plots.append(_plotted(found, f"driver {written(name)}", f"What drives {name}, over {over}", against=against))
        plots.append(
            _plotted(found, f"speed-torque {written(name)}", f"Driver {name}: {kind} over speed, and its RMS value")
        )
    return plots


def _crank(found: Forces) -> Quantity | None:
    """The angle that a mechanism with a single driver turns by, in one direction."""
    mechanism, drivers = found.motion.program.mechanism, found.motion.program.drivers
    if len(drivers) != 1 or not drivers[0].rotation or len(mechanism.freedoms(mechanism.joint[drivers[0].joint])) > 1:
        return None
    rate = found.motion.driver(0)[1]
    return Quantity("joint", drivers[0].joint) if np.nanmin(rate) > 0 or np.nanmax(rate) < 0 else None


def _bearings(found: Forces) -> list[Html]:
    """Polar diagrams of the joints at the frame, of hinges and shafts in space across their axes."""
    mechanism = found.motion.program.mechanism
    at_frame = [joint for joint in mechanism.joints if mechanism.frame in joint.bodies]
    plots = []
    for joint in [each for each in at_frame if abs(found.reaction(each.name).force).max(initial=0.0) > 0][:MOST]:
        polar = mechanism.dimension == 2 or joint.type in ("R", "C")
        kind, what = ("bearing", "tip of the force") if polar else ("reaction", "force")
        across = ", across its axis" if polar and mechanism.dimension == 3 else ""
        text = f"Joint {joint.name} at the frame: {what} over the motion{across}"
        plots.append(_plotted(found, f"{kind} {written(joint.name)}", text, axes="joint" if across else None))
    return plots


def _losses(found: Forces) -> list[Html]:
    """Forces of the joints whose contact would be lost."""
    names = list(dict.fromkeys(loss.joint for loss in found.contact_losses()))[:MOST]
    against = _crank(found)
    return [_plotted(found, f"reaction {written(name)}", f"Joint {name}: its force", against=against) for name in names]


def _plotted(found: Forces, what: str, caption: str, axes: str | None = None, against: Quantity | None = None) -> Html:
    return figure(picture(plot_forces(found, what, axes, against=against), caption), caption)
