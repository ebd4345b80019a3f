"""The limits of the drivers in a report: how far they go, and in which ways the mechanism can be put together."""

from __future__ import annotations

from collections.abc import Iterator

from groupkin.errors import GroupkinError
from groupkin.kinematics.limits import limit_listing
from groupkin.kinematics.limits.limits import Limits, limits
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.program.solver_choice import ITERATED, NEWTON
from groupkin.look.markup import Html, element, joined, picture
from groupkin.look.plots.limit_plots import plot_limits
from groupkin.look.report.layout import figure, note, titled
from groupkin.look.report.mechanism_section import listing
from groupkin.look.report.motion_section import output_joints
from groupkin.look.report.subject import Section, Subject

MOST = 4
"""Joints at the frame that are plotted over a driver."""


def section(subject: Subject) -> Section | None:
    """Report the limits of every driver, or nothing where they take long and are not asked for."""
    motion = subject.motion
    if motion is None or not subject.structure.driven or not _wanted(subject):
        return None
    program = motion.program
    parts = []
    for joint, driven in program.mechanism.driven.items():
        for index in driven:
            name = program.mechanism.driver_name(joint, index)
            try:
                parts.append(_described(limits(program, name)))
            except GroupkinError as error:  # its configurations cannot be followed
                parts.append(note(f"{name}: {error}"))
    return Section("Limits", joined(parts))


def _wanted(subject: Subject) -> bool:
    """Tell whether limits were asked for, or else whether they are found in seconds."""
    if subject.limits is not None:
        return subject.limits
    slow = {NEWTON} if subject.structure.dimension == 2 else {*ITERATED}
    return subject.structure.driven == 1 and not any(group.solver in slow for group in subject.structure.groups)


def _described(found: Limits) -> Html:
    mechanism = found.structure.mechanism
    parts = [element("p", f"{text}.") for text in limit_listing.notes(found)]
    if found.limits:
        parts.append(listing("Limits", limit_listing.LIMIT_COLUMNS, limit_listing.limit_rows(found)))
    parts.append(listing("Branches", limit_listing.BRANCH_COLUMNS, limit_listing.branch_rows(found)))
    moved = [joint.name for joint in output_joints(mechanism)[:MOST]]
    parts.append(element("div", joined(plotted for name in moved for plotted in _plots(found, name)), class_="columns"))
    held = f", other drivers held at t = {found.time:g} s" if found.structure.driven > 1 else ""
    return titled(f"Driver {found.driver}{held}", joined(parts))


def _plots(found: Limits, name: str) -> Iterator[Html]:
    marks = "turning points are dots, change points circles, end stops squares"
    caption = f"Joint {name} over {found.driver}, by branches; {marks}"
    try:
        yield figure(picture(plot_limits(found, Quantity("joint", name)), caption), caption)
    except GroupkinError:  # a cam has no coordinate, too many branches
        return
