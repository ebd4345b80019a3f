"""The mechanism in a report: its picture, bodies, joints, drivers, dimensions and outputs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from groupkin.errors import GroupkinError, OutputError
from groupkin.look.drawing import mechanism_picture
from groupkin.look.markup import Html, element, group_sign, joined, picture, table
from groupkin.look.report.layout import figure, note, titled
from groupkin.look.report.subject import Section, Subject
from groupkin.look.scenes.configurations import FREE
from groupkin.mechanism.files.writing import as_data
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.messages import counted

MOST_ROWS = 150
"""Of a table."""

MOST_POINTS = 4
"""Of a body, up to which all distances are dimensions; else those from its first point."""


def section(subject: Subject) -> Section:
    """Report a mechanism as it is described, without its motion."""
    mechanism, structure = subject.mechanism, subject.structure
    try:
        drawn = mechanism_picture(mechanism, None, subject.colors, subject.names)
        view = figure(picture(drawn, mechanism.name), "Reference configuration")
    except GroupkinError as error:  # without geometry, or too large
        view = note(f"No picture: {error}")
    joints = [_joint_row(mechanism, joint) for joint in mechanism.joints]
    parts = [
        view,
        listing("Bodies", ("body", "group", "joints", "named points"), list(_body_rows(subject))),
        listing("Joints", ("joint", "pair", "freedoms", "bodies", "point", "axis"), joints),
        listing("Drivers", ("driven freedom", "law", "range", "largest rate"), list(_driver_rows(subject))),
        listing("Dimensions", ("body", "distances of its joints and points"), list(_dimension_rows(mechanism))),
        listing("Outputs", ("output", "formula"), [(n, element("code", f)) for n, f in mechanism.outputs.items()]),
    ]
    parts.append(note(f"Lengths and angles in {mechanism.units.names}, times in seconds."))
    if structure.spins:
        spins = counted(len(structure.spins), "idle spin")
        parts.append(note(f"{spins} held: turns of bodies that no other body notices."))
    return Section("Mechanism", joined(parts))


def listing(title: str, columns: tuple[str, ...], rows: list[Any], numbers: tuple[str, ...] = ()) -> Html:
    """Write a table with its heading, without columns that say nothing; of a long one the first rows."""
    told = [k for k in range(len(columns)) if any(row[k] != "–" for row in rows)]
    names, found = [columns[k] for k in told], [[row[k] for k in told] for row in rows[:MOST_ROWS]]
    more = len(rows) - MOST_ROWS
    left_out = note(f"and {counted(more, 'more row')}") if more > 0 else Html()
    return titled(title, joined([table(names, found, [name for name in numbers if name in names]), left_out]))


def _body_rows(subject: Subject) -> Iterator[tuple[object, ...]]:
    mechanism, group_of = subject.mechanism, subject.structure.group_of
    for name, body in mechanism.body.items():
        joints = dict.fromkeys((joint.of or joint).name for joint in mechanism.joints_of[name])
        sign = group_sign(group_of[name].number) if name in group_of else "frame"
        yield name, sign, ", ".join(joints), ", ".join(map(str, body.points)) or "–"


def _joint_row(mechanism: Mechanism, joint: Joint) -> tuple[str, ...]:
    freedoms, driven = mechanism.freedoms(joint), mechanism.driven.get(joint.name, {})
    names = [freedom.name + " (driven)" * (k in driven) for k, freedom in enumerate(freedoms)]
    pair = f"{joint.type}, {PAIRS[joint.type].name}" if joint.type in PAIRS else joint.type
    place, axis = _place(mechanism, joint), _axis(mechanism, joint)
    return joint.name, pair, ", ".join(names) or "–", ", ".join(joint.bodies), place, axis


def _place(mechanism: Mechanism, joint: Joint) -> str:
    """Where a joint is on its first and its second body: coordinates, once if they agree."""
    places = []
    for end in joint.ends:
        if end is None:
            return "–"
        places.append(mechanism.units.vector(mechanism.locate(end, f"joint {joint.name!r}")))
    return " and ".join(dict.fromkeys(places))


def _axis(mechanism: Mechanism, joint: Joint) -> str:
    if joint.axis is None:
        return "–"
    return f"({', '.join(f'{x + 0.0:.4g}' for x in np.round(mechanism.direction(joint), 6))})"


def _driver_rows(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Names, laws and, if there is a motion, ranges of the drivers."""
    mechanism, motion = subject.mechanism, subject.motion
    freedoms = {id(driver): (name, k) for name, of_joint in mechanism.driven.items() for k, driver in of_joint.items()}
    numbers = {(each.joint, each.freedom): k for k, each in enumerate(motion.program.drivers)} if motion else {}
    for driver, law in zip(mechanism.drivers, _laws(mechanism), strict=True):
        joint, index = freedoms[id(driver)]
        unit, span, rate = mechanism.freedoms(mechanism.joint[joint])[index].unit, "–", "–"
        if motion is not None and motion.times.size:
            values, rates = motion.driven[numbers[joint, index], :2]
            span = mechanism.units.span(float(values.min()), float(values.max()), unit)
            rate = mechanism.units.text(float(np.abs(rates).max()), f"{unit}/s", digits=4).replace(" deg", "°")
        yield mechanism.driver_name(joint, index), law_text(law), span, rate


def _laws(mechanism: Mechanism) -> list[dict[str, Any]]:
    """The laws of the drivers as files have them, and of those that files do not know their names."""
    try:
        drivers = as_data(mechanism).get("drivers", [])
        return [{**entry.get("law", {}), **({"over": entry["over"]} if "over" in entry else {})} for entry in drivers]
    except OutputError:
        return [{"type": type(driver.law).__name__} if driver.law else {} for driver in mechanism.drivers]


def law_text(law: dict[str, Any]) -> str:
    """Write a motion law as files have it, in words.

    Examples
    --------
    >>> law_text({"type": "harmonic", "amplitude": 80, "frequency": 0.5})
    'harmonic: amplitude 80, frequency 0.5'
    """

    def short(value: Any) -> str:
        if isinstance(value, dict):
            return law_text(value)
        if not isinstance(value, list):
            return f"{value:.6g}" if isinstance(value, float) else str(value)
        if isinstance(value[0], dict):
            return "; ".join(map(short, value))
        return f"{len(value)} numbers" if len(value) > 6 else f"({', '.join(map(short, value))})"

    if not law:
        return "none"
    parts = ", ".join(f"{name} {short(value)}" for name, value in law.items() if name != "type")
    return f"{law['type']}: {parts}" if parts else str(law["type"])


def _dimension_rows(mechanism: Mechanism) -> Iterator[tuple[str, str]]:
    """Distances between the joints and named points of every body."""
    for name, body in mechanism.body.items():
        places: dict[str, Any] = {}
        for joint in mechanism.joints_of[name]:
            end = joint.ends[joint.bodies.index(name)]
            if end is not None and joint.type not in FREE:
                at = mechanism.locate(end, f"joint {joint.name!r}")
                if not any(np.array_equal(at, other) for other in places.values()):
                    places[end if isinstance(end, str) else (joint.of or joint).name] = at
        for point in body.points:
            places.setdefault(point, mechanism.locate(point, f"body {name!r}"))
        pairs = list(combinations(places, 2))
        chosen = pairs if len(places) <= MOST_POINTS else pairs[: len(places) - 1]
        text = mechanism.units.text
        lengths = [f"{a}–{b} {text(float(np.linalg.norm(places[a] - places[b])))}" for a, b in chosen]
        if lengths:
            yield name, "; ".join(lengths)
