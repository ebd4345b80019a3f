"""Assembly modes as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from groupkin.kinematics.modes.modes import AssemblyModes, Linked, Mode
from groupkin.kinematics.motion.ranges import Outside
from groupkin.mechanism.units import SI, Units, conversion
from groupkin.structure.decomposition import Group
from groupkin.structure.tables import aligned
from groupkin.tolerances import COINCIDENT, SAME_POSE
from sglibrary.array_types import Array

COLUMNS = ("group", "bodies", "mode", "conditioning", "from the reference configuration")
OUTSIDE_OF = "outside of the range of"
"""Heading of one more column, where the mechanism has ranges."""

LISTED = 12
"""Modes of a group, and combinations, up to which a table has all of them."""

SHOWN = 3
"""Bodies of a group whose places a table shows."""

DISTINCT = 4
"""Digits of origin, relative to the size, and rotation by which poses of one body are told apart."""


def title(listing: AssemblyModes) -> str:
    """Write one line on what is listed and how many configurations there are."""
    when = "drivers as in the reference configuration" if listing.time is None else f"t = {listing.time:g} s"
    number = f"{listing.count} configuration{'s' * (listing.count != 1)}"
    number = f"{'all ' * (listing.count > 1)}{number}" if listing.complete else f"{number} found"
    return f"{listing.structure.mechanism.name}: assembly modes, {when}; {number}"


def columns(listing: AssemblyModes) -> tuple[str, ...]:
    """Headings of `rows`."""
    return (*COLUMNS, OUTSIDE_OF) if listing.structure.mechanism.has_ranges else COLUMNS


def rows(listing: AssemblyModes) -> list[tuple[str, ...]]:
    """List one row of cells per mode, in the order of `columns`; of groups with many modes those of `shown_modes`."""
    width = len(columns(listing))
    table: list[tuple[str, ...]] = []
    for group in listing.structure.groups:
        modes, body = shown_modes(listing, group)
        bodies = sorted(group.bodies, key=lambda name: name != body)[:SHOWN]
        for k, mode in enumerate(modes):
            first = (str(group.number), ", ".join(group.bodies)) if k == 0 else ("", "")
            number = str(mode.number or "–") + "".join(f" (with {g}: {m or '–'})" for g, m in mode.after.items())
            places = [_place(listing, mode, name) for name in bodies] + ["…"] * (len(group.bodies) > SHOWN)
            cells = *first, number, f"{mode.conditioning:.3g}", "; ".join(places), _outside(listing, mode.outside)
            table.append(cells[:width])
        if not modes:
            table.append((str(group.number), ", ".join(group.bodies), "none", "–", "cannot be assembled", "")[:width])
    return table


def _outside(listing: AssemblyModes, left: Sequence[Outside]) -> str:
    """Write which ranges are left, with the values that they are left by and the ends that these pass."""
    say = listing.structure.mechanism.units.text
    stops = [(x.stop, x.stop.range, x.worst) for x in left]
    ends = {"lower": "at least", "upper": "at most"}
    return "; ".join(
        f"{of.name}: {say(worst, of.unit)} ({ends[stop.end]} {say(stop.value, of.unit)})" for stop, of, worst in stops
    )


def shown_modes(listing: AssemblyModes, group: Group) -> tuple[tuple[Mode, ...], str]:
    """Choose the modes of a group that a table shows.

    Returns
    -------
    tuple of Mode
    str
        The body in whose poses they differ; empty if these are all modes.
    """
    modes = listing.of(group.number)
    if len(modes) <= LISTED:
        return modes, ""
    first: dict[str, dict[tuple[float, ...], Mode]] = {body: {} for body in group.bodies}
    for mode in modes:
        for body, pose in mode.poses.items():
            place = np.round(_flat(listing, pose), DISTINCT)
            first[body].setdefault(tuple(place + 0.0), mode)
    body = min(first, key=lambda name: (len(first[name]) == 1, len(first[name])))
    return tuple(first[body].values()), body


def notes(listing: AssemblyModes) -> list[str]:
    """Write what the table does not say: which groups may have further modes, and which modes go together."""
    lines = []
    if listing.outside:
        lines.append(f"in the modes that it chooses it is {OUTSIDE_OF} {_outside(listing, listing.outside)}")
    for group in listing.structure.groups:
        (shown, body), number = shown_modes(listing, group), len(listing.of(group.number))
        if body:
            lines.append(
                f"group {group.number} has {number} modes: listed is the first for each of the {len(shown)} positions "
                f"of {body}; --json lists all"
            )
    if listing.searched:
        groups = ", ".join(map(str, sorted(listing.searched)))
        lines.append(f"group{'s' * (len(listing.searched) > 1)} {groups}: found by a search, there may be more modes")
    if any(mode.number == 0 for mode in listing.modes):
        lines.append("–: no mode of the reference configuration leads there, so it cannot be chosen")
    return lines + [text for text in (_combined(listing, linked) for linked in listing.linked) if text]


def _flat(listing: AssemblyModes, pose: tuple[Array, Array]) -> Array:
    """Write a pose as one row, its origin relative to the mechanism's size."""
    return np.array([*pose[0] / listing.geometry.size, *pose[1].ravel()])


def text(listing: AssemblyModes) -> str:
    """Write title, table and notes."""
    return "\n".join(
        [title(listing), "", *aligned(columns(listing), rows(listing)), *(f"note: {x}" for x in notes(listing))]
    )


def _combined(listing: AssemblyModes, linked: Linked) -> str:
    """Write which modes of linked groups go together; empty if all do."""
    groups, count = f"groups {', '.join(map(str, linked.groups))}", len(linked.combinations)
    if not linked.complete:
        return f"{groups}: more than {count} combinations; the listing stopped there"
    possible = prod(number for group in linked.groups if (number := len(listing.of(group))) > 1)
    if len(linked.groups) == 1 or count == possible:
        return ""
    of = f" of {possible}" if not listing.searched & set(linked.groups) else ""
    text = f"{groups}: {count}{of} combinations can be assembled"
    if not linked.combinations or count > LISTED:
        return text
    return f"{text}: {', '.join('-'.join(str(mode or '–') for mode in modes) for modes in linked.combinations)}"


def _place(listing: AssemblyModes, mode: Mode, body: str) -> str:
    """Write how far a body is turned, and its origin moved, from the reference configuration."""
    size, origin = listing.geometry.size, listing.geometry.origins[body]
    distance = float(np.linalg.norm(mode.poses[body][0] - origin))
    way = listing.structure.mechanism.units.text(distance, digits=3)
    moved = f", {_origin_name(listing, body)} moved {way}" if distance > SAME_POSE * size else ""
    angle = _turned(mode, body)
    turned = f"{round(angle, 1) + 0.0:.1f}°"
    if listing.structure.mechanism.units.angle == "rad":
        turned = f"{round(np.deg2rad(angle), 3) + 0.0:.3f} rad"
    return f"{body} turned {turned}{moved}"


def _origin_name(listing: AssemblyModes, body: str) -> str:
    """Name of the joint or the named point at the origin of a body."""
    mechanism, geometry = listing.structure.mechanism, listing.geometry
    places = {
        (joint.of or joint).name: geometry.joints[joint.name].points[joint.bodies.index(body)]
        for joint in mechanism.joints_of[body]
    }
    places |= {name: at for name, (carrier, at) in geometry.points.items() if carrier == body and name not in places}
    near = COINCIDENT * geometry.size
    found = (name for name, at in places.items() if np.linalg.norm(at - geometry.origins[body]) <= near)
    return next(found, "its origin")


def _turned(mode: Mode, body: str) -> float:
    """Compute the angle (degrees; in space without a sign) by which a body is turned from the reference."""
    rotation = mode.poses[body][1]
    if len(rotation) == 2:
        return float(np.rad2deg(np.arctan2(rotation[1, 0], rotation[0, 0])))
    skew = [rotation[i, j] - rotation[j, i] for i, j in ((2, 1), (0, 2), (1, 0))]
    return float(np.rad2deg(np.arctan2(np.linalg.norm(skew), np.trace(rotation) - 1.0)))


def as_data(listing: AssemblyModes, units: Units = SI) -> dict[str, Any]:
    """Convert the assembly modes to plain data for JSON, origins in these units."""
    return {
        "time": listing.time,
        "configurations": listing.count,
        "complete": listing.complete,
        "outside": [_outside_data(each, units) for each in listing.outside],
        "groups": [
            {
                "number": group.number,
                "bodies": list(group.bodies),
                "label": group.label,
                "all_modes": group.number not in listing.searched,
                "modes": [_mode_data(mode, units) for mode in listing.of(group.number)],
            }
            for group in listing.structure.groups
        ],
        "combinations": [
            {"groups": list(x.groups), "modes": [list(modes) for modes in x.combinations], "complete": x.complete}
            for x in listing.linked
        ],
    }


def _mode_data(mode: Mode, units: Units) -> dict[str, Any]:
    poses = {
        body: {"origin": (at / units.meters).tolist(), "rotation": turn.tolist()}
        for body, (at, turn) in mode.poses.items()
    }
    after = {str(group): number for group, number in mode.after.items()}
    left = [_outside_data(each, units) for each in mode.outside]
    stated = {"mode": mode.number or None, "conditioning": mode.conditioning, "after": after, "outside": left}
    return {**stated, "poses": poses}


def _outside_data(left: Outside, units: Units) -> dict[str, Any]:
    stop, factor = left.stop, conversion(left.stop.range.unit, units)[0]
    value, limit = factor * left.worst, factor * stop.value
    return {"range": str(stop.range.quantity), "end": stop.end, "limit": limit, "value": value}
