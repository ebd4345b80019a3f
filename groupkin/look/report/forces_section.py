"""The forces in a report, of a mechanism with masses or forces."""

from __future__ import annotations

from groupkin.dynamics import force_tables
from groupkin.dynamics.forces import Forces
from groupkin.dynamics.inverse_dynamics import inverse_dynamics
from groupkin.dynamics.masses import total
from groupkin.errors import GroupkinError
from groupkin.look.markup import Html, element, joined, picture
from groupkin.look.plots.force_plots import plot_forces
from groupkin.look.report.layout import figure, note
from groupkin.look.report.mechanism_section import listing
from groupkin.look.report.motion_section import thinned
from groupkin.look.report.subject import Section, Subject
from groupkin.mechanism.units import conversion

MOST = 8
"""Drivers whose forces, and bearings whose loads, are plotted."""


REACTIONS = "Joints: what the first body does to the second"


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
    parts = [
        element("p", f"Total mass of the moving bodies: {factor * total(mechanism):.6g} {name}."),
        listing("Drivers", force_tables.DRIVERS, force_tables.driver_rows(found)),
        listing(
            "Joints: what the first body does to the second", force_tables.REACTIONS, force_tables.reaction_rows(found)
        ),
        *(note(f"Note: {text}") for text in force_tables.notes(found)),
        element("h3", "Plots"),
        element("div", joined([*_drivers(found), *_bearings(found)]), class_="columns"),
    ]
    return Section("Forces", joined(parts))


def _drivers(found: Forces) -> list[Html]:
    return [_plotted(found, f"driver {name}", f"What drives {name}") for name in list(found.drivers)[:MOST]]


def _bearings(found: Forces) -> list[Html]:
    """Polar diagrams of the joints at the frame."""
    mechanism = found.motion.program.mechanism
    at_frame = [joint.name for joint in mechanism.joints if mechanism.frame in joint.bodies]
    kind = "bearing" if mechanism.dimension == 2 else "reaction"
    what = "tip of the force" if mechanism.dimension == 2 else "force"
    return [
        _plotted(found, f"{kind} {name}", f"Joint {name} at the frame: {what} over the motion")
        for name in at_frame[:MOST]
        if abs(found.reaction(name).force).max(initial=0.0) > 0
    ]


def _plotted(found: Forces, what: str, caption: str) -> Html:
    return figure(picture(plot_forces(found, what), caption), caption)
