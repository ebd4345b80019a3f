"""Ranges in a page, as plain data for its script."""

from __future__ import annotations

from typing import Any

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import Outside, ranges_of, values_in
from groupkin.look.page.content import Frames, packed, shown_unit
from groupkin.look.plots.plots import text_of
from groupkin.look.scenes.stops import state
from groupkin.mechanism.units import Units, conversion


def range_data(motion: Motion, data: dict[str, Any], frames: Frames) -> list[dict[str, Any]]:
    """Ranges in the units of the mechanism: their ends, values and states, when they are left, and points of joints."""
    mechanism = motion.program.mechanism
    if not mechanism.has_ranges:
        return []
    named = {text: k for k, point in enumerate(data["points"]) for text in point["name"].split(", ")}
    passed = motion.outside
    listed = []
    for each in ranges_of(motion.program):
        values, size = values_in(motion, each), motion.program.geometry.size
        factor, name = conversion(each.unit, mechanism.units)
        joint = mechanism.joint[str(each.quantity.of)] if each.quantity.kind == "joint" else None
        listed.append(
            {
                "name": text_of(each.quantity).removeprefix("joint "),
                "unit": shown_unit(name),
                "ends": [factor * end if np.isfinite(end) else None for end in (each.low, each.high)],
                "values": packed(factor * values[frames.steps]),
                "states": packed(state(each, values, size)[frames.steps], np.int8),
                "point": None if joint is None else named.get((joint.of or joint).name),
                "left": [_left(one, mechanism.units) for one in passed if one.stop.range == each],
            }
        )
    return listed


def _left(one: Outside, units: Units) -> str:
    """Write when a range is left first, and the value farthest beyond it."""
    worst = units.text(one.worst, one.stop.range.unit, digits=4)
    return f"{one.stop.end} end passed at {one.time:.4g} s, at worst {worst}"
