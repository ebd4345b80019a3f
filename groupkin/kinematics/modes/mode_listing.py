"""Assembly modes as text and as data."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.modes.modes import AssemblyModes, Linked, Mode
from groupkin.structure.decomposition import Group

Array = NDArray[np.float64]

COLUMNS = ("group", "bodies", "mode", "conditioning", "turned and moved from the reference configuration")
LISTED = 12
"""Modes of a group, and combinations, up to which a table has all of them."""

SHOWN = 3
"""Bodies of a group whose places a table shows."""

DISTINCT = 4
"""Digits of origin (m) and rotation by which poses of one body are told apart."""


def title(found: AssemblyModes) -> str:
    """One line on what is listed, and how many configurations there are."""
    when = "drivers as in the reference configuration" if found.time is None else f"t = {found.time:g} s"
    number = f"{found.count} configuration{'s' * (found.count != 1)}{'' if found.complete else ' found'}"
    return f"{found.structure.mechanism.name}: assembly modes, {when}; {number}"


def rows(found: AssemblyModes) -> list[tuple[str, ...]]:
    """One row of cells per mode, in the order of `COLUMNS`; of groups with many modes, those that `chosen` chooses."""
    table: list[tuple[str, ...]] = []
    for group in found.structure.groups:
        modes, body = chosen(found, group)
        shown = sorted(group.bodies, key=lambda name: name != body)[:SHOWN]
        for k, mode in enumerate(modes):
            first = (str(group.number), ", ".join(group.bodies)) if k == 0 else ("", "")
            number = str(mode.number or "–") + "".join(f" (with {g}: {m or '–'})" for g, m in mode.after.items())
            places = [_place(found, mode, name) for name in shown] + ["…"] * (len(group.bodies) > SHOWN)
            table.append((*first, number, f"{mode.conditioning:.3g}", ", ".join(places)))
        if not modes:
            table.append((str(group.number), ", ".join(group.bodies), "none", "–", "cannot be assembled"))
    return table


def chosen(found: AssemblyModes, group: Group) -> tuple[tuple[Mode, ...], str]:
    """The modes of a group to list, and the body in whose poses they differ if these are not all."""
    modes = found.of(group.number)
    if len(modes) <= LISTED:
        return modes, ""
    first: dict[str, dict[tuple[float, ...], Mode]] = {body: {} for body in group.bodies}
    for mode in modes:
        for body, (origin, rotation) in mode.poses.items():
            first[body].setdefault(tuple(np.round([*origin, *rotation.ravel()], DISTINCT) + 0.0), mode)
    body = min(first, key=lambda name: (len(first[name]) == 1, len(first[name])))
    return tuple(first[body].values()), body


def notes(found: AssemblyModes) -> list[str]:
    """What the table does not say: which lists may lack modes, what goes together, what stands for the rest."""
    lines = []
    for group in found.structure.groups:
        (listed, body), number = chosen(found, group), len(found.of(group.number))
        if body:
            lines.append(f"group {group.number} has {number} modes: listed is the first for each of the {len(listed)} "
                         f"positions of {body}; --json lists all")  # fmt: skip
    if found.searched:
        listed_groups = ", ".join(map(str, sorted(found.searched)))
        lines.append(f"group{'s' * (len(found.searched) > 1)} {listed_groups}: by search, there may be more modes")
    if any(mode.number == 0 for mode in found.modes):
        lines.append("–: no mode of the reference configuration leads there, so it cannot be chosen")
    return lines + [text for part in found.linked for text in [_linked(found, part)] if text]


def _linked(found: AssemblyModes, part: Linked) -> str:
    several = [place for place, group in enumerate(part.groups) if len(found.of(group)) > 1]
    if not part.complete:
        return (
            f"groups {', '.join(map(str, part.groups))}: more than {len(part.combinations)} combinations; not all seen"
        )
    possible = prod(len(found.of(part.groups[place])) for place in several)
    if len(part.groups) == 1 or len(part.combinations) == possible:
        return ""
    of = f" of {possible}" if not found.searched & set(part.groups) else ""
    text = f"groups {', '.join(map(str, part.groups))}: {len(part.combinations)}{of} combinations assemble"
    if not part.combinations or len(part.combinations) > LISTED:
        return text
    return f"{text}: {', '.join('-'.join(str(number or '–') for number in one) for one in part.combinations)}"


def _place(found: AssemblyModes, mode: Mode, body: str) -> str:
    """Where a body is, for people: its angle, and how far its origin is from the reference configuration."""
    size, origin = found.geometry.size, found.geometry.origins[body]
    distance = float(np.linalg.norm(mode.poses[body][0] - origin))
    moved = f" {distance:.3g} m" if distance > 1e-6 * size else ""
    return f"{body} {round(_turned(mode, body), 1) + 0.0:.1f}°{moved}"


def _turned(mode: Mode, body: str) -> float:
    """Angle by which a body is turned from the reference configuration, degrees; in space without a sign."""
    rotation = mode.poses[body][1]
    if len(rotation) == 2:
        return float(np.rad2deg(np.arctan2(rotation[1, 0], rotation[0, 0])))
    skew = [rotation[i, j] - rotation[j, i] for i, j in ((2, 1), (0, 2), (1, 0))]
    return float(np.rad2deg(np.arctan2(np.linalg.norm(skew), np.trace(rotation) - 1.0)))


def as_data(found: AssemblyModes) -> dict[str, Any]:
    """The assembly modes as plain data for JSON."""
    return {
        "time": found.time,
        "configurations": found.count,
        "complete": found.complete,
        "groups": [
            {
                "number": group.number,
                "bodies": list(group.bodies),
                "label": group.label,
                "all_modes": group.number not in found.searched,
                "modes": [_mode_data(mode) for mode in found.of(group.number)],
            }
            for group in found.structure.groups
        ],
        "combinations": [
            {"groups": list(part.groups), "modes": [list(one) for one in part.combinations], "complete": part.complete}
            for part in found.linked
        ],
    }


def _mode_data(mode: Mode) -> dict[str, Any]:
    poses = {body: {"origin": at.tolist(), "rotation": turn.tolist()} for body, (at, turn) in mode.poses.items()}
    after = {str(group): number for group, number in mode.after.items()}
    return {"mode": mode.number or None, "conditioning": mode.conditioning, "after": after, "poses": poses}
