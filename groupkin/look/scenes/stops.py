"""Where the ranges of joints end, as lines and bars on the body relative to which the other one moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from groupkin.kinematics.motion.ranges import Range
from groupkin.look.scenes.configurations import Configuration, number_of
from groupkin.mechanism.mechanism import Joint
from groupkin.tolerances import ON_RANGE
from sglibrary.array_types import Array, Flags, Ints

THICK, ABOUT, STUB = 0.35, 3.4, 0.6
"""Thickness of a bar (r), radius of the arc about a pin (r), and the angle (rad) of an arc that has one end."""

FAR = 3.0
"""Distance from which on an end of a slide is not drawn (sizes of the mechanism)."""


class Span(NamedTuple):
    """How far the ends of a range are from where a joint is, m or rad; infinite where there is no end."""

    low: float
    high: float


class Mark(NamedTuple):
    """A part of what shows a range.

    Attributes
    ----------
    body : str
        Moves it.
    kind : {"stop", "line", "dot"}
        A bar across the way from the first of its points to the second, a line through its points, a dot.
    points : (k, d) array
        m.
    """

    body: str
    kind: Literal["stop", "line", "dot"]
    points: Array


# --- where joints are in their ranges --------------------------------------------------------


def state(within: Range, values: Array, size: float) -> Ints:
    """Tell where values are: 0 inside, -1 at the lower end and -2 below it, 1 and 2 at and above the upper one.

    Examples
    --------
    >>> from groupkin.kinematics.motion.quantities import Quantity
    >>> state(Range(Quantity("joint", "A"), 0.0, 1.0, "m"), np.array([-0.1, 0.0, 0.5, 1.0, np.nan]), size=2.0)
    array([-2, -1,  0,  1,  0])
    """
    found, off = np.zeros(np.shape(values), int), ON_RANGE * within.scale(size)
    for stop in within.stops:
        beyond = stop.beyond(values)
        found += (1 if stop.end == "upper" else -1) * ((beyond >= -off).astype(int) + (beyond > off))
    return found


def at_ends(values: Mapping[Range, Any], size: float) -> dict[str, Flags]:
    """Tell of every joint with a range where its coordinates (...) are at an end of one, or beyond it.

    Parameters
    ----------
    values : mapping of Range to (...) array or float
        As `Configuration.values` and `joint_values` have them.
    size : float
        Of the mechanism, m.
    """
    found: dict[str, Flags] = {}
    for each, numbers in values.items():
        name = str(each.quantity.of)
        found[name] = (state(each, np.asarray(numbers), size) != 0) | found.get(name, np.array(False))
    return found


def span(view: Configuration, joint: Joint, rotation: bool = False) -> Span | None:
    """How far the ends of the range of a joint's displacement, or of its rotation, are; None where it has none to show.

    Left out are ends of a displacement that are `FAR` away, of which a picture would be large, and ranges of a turn.
    """
    freedoms, most = view.mechanism.freedoms(joint), np.inf if rotation else FAR * view.geometry.size
    for each, value in view.values.items():
        if each.quantity.of == joint.name and freedoms[number_of(view.mechanism, each)].rotation is rotation:
            low, high = each.low - value, each.high - value
            ends = Span(low if abs(low) <= most else -np.inf, high if abs(high) <= most else np.inf)
            whole = rotation and 2.0 * np.pi <= each.high - each.low < np.inf
            return ends if np.isfinite(ends).any() and not whole else None
    return None


def base(view: Configuration, joint: Joint) -> int:
    """Side of a joint that is taken to stand: that of the frame, else the first."""
    return int(joint.bodies[1] == view.mechanism.frame)


def travel(view: Configuration, joint: Joint, least: Sequence[float], sense: float = 1.0) -> tuple[float, float]:
    """How far a slide goes along its axis, and at least to the ends of its range.

    The sense is -1 where it is the first body that goes.
    """
    low, high = view.travel.get(joint.name, least)
    ends = span(view, joint)
    if ends is None:
        return low, high
    ways = [sense * end for end in ends if np.isfinite(end)]
    return min(low, *ways), max(high, *ways)


# --- marks -----------------------------------------------------------------------------------


def stops(body: str, ends: Span | None, at: Array, way: Array, half: float, r: float) -> list[Mark]:
    """Bars at the ends of the stroke of a part with its middle at a point, half a length to both sides of it.

    Parameters
    ----------
    body : str
        On which the bars are.
    ends : Span, optional
    at, way : (d,) array
        The middle, and the unit vector along which the coordinate of the joint grows, m.
    half, r : float
        m.
    """
    found = []
    for sign, end in zip((-1.0, 1.0), ends or (), strict=False):
        if np.isfinite(end):
            middle = at + (end + sign * (half + 0.5 * THICK * r)) * way
            found.append(Mark(body, "stop", middle + 0.5 * THICK * r * np.array([[-1.0], [1.0]]) * way))
    return found


def stroke(view: Configuration, joint: Joint, axis: Array, r: float) -> list[Mark]:
    """The way of the end of the second body along the first: a line, and a bar at each end of the range."""
    ends = span(view, joint)
    if ends is None:
        return []
    at, body = view.far_end(joint, 1, axis), joint.bodies[0]
    line = at + np.outer([end if np.isfinite(end) else 0.0 for end in ends], axis)
    return [Mark(body, "line", line), *stops(body, ends, at, axis, 0.0, r)]


def arc(view: Configuration, joint: Joint, axis: Array, r: float) -> list[Mark]:
    """The turn of a pin: an arc from the lower to the upper end, a stroke across it at each, and a dot where it is.

    The dot points from the pin to the farthest point of the body that turns.
    """
    ends = span(view, joint, rotation=True)
    if ends is None:
        return []
    side = base(view, joint)
    fixed, turning = joint.bodies[side], joint.bodies[1 - side]
    at, sense, out = view.ends(joint)[1 - side], 1.0 - 2.0 * side, pointer(view, joint, 1 - side, axis)
    low = ends.low if np.isfinite(ends.low) else ends.high - STUB
    high = ends.high if np.isfinite(ends.high) else ends.low + STUB
    beside = np.cross(axis, out) if out.size == 3 else np.array([-out[1], out[0]])

    def around(angles: Array, radii: Array) -> Array:
        turns = sense * angles
        return np.asarray(at + r * radii[:, None] * (np.outer(np.cos(turns), out) + np.outer(np.sin(turns), beside)))

    steps = np.linspace(low, high, max(2, round(12 * (high - low))))
    found = [Mark(fixed, "line", around(steps, np.full(len(steps), ABOUT)))]
    found += [
        Mark(fixed, "line", around(np.full(2, end), ABOUT + np.array([-0.7, 0.7]))) for end in ends if np.isfinite(end)
    ]
    return [*found, Mark(turning, "dot", around(np.zeros(1), np.full(1, ABOUT)))]


def pointer(view: Configuration, joint: Joint, side: int, axis: Array) -> Array:
    """Unit vector from a joint to the farthest point of one of its bodies, as seen along an axis."""
    away = view.points(joint.bodies[side]) - view.ends(joint)[side]
    if away.shape[1] == 3:
        away = away - np.outer(away @ axis, axis)
    far = away[np.linalg.norm(away, axis=1).argmax()]
    length = float(np.linalg.norm(far))
    return np.asarray(far / length if length > 1e-3 * view.geometry.size else view.frame(joint, side)[:, 0])
