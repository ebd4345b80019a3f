"""From curves to limits, branches and circuits: curves that meet make one circuit, singular positions its branches.

A *circuit* is all that can be reached without taking the mechanism apart, a *branch* is a part of it between singular
positions (Chase and Mirth 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise

import networkx as nx
import numpy as np

from groupkin.kinematics.limits.checks import Freedom
from groupkin.kinematics.limits.configuration_curves import Curve, Event, corrected, follow, point
from groupkin.kinematics.limits.curve_starts import configurations
from groupkin.kinematics.limits.independent_parts import Part
from groupkin.kinematics.limits.released import Poses, Released, release
from groupkin.tolerances import CROSSED, SAME_POSE
from sglibrary.array_types import Array

MOST_STARTS, MOST_CURVES, MOST_VALUES = 256, 64, 200
"""Configurations that are looked at for one value of the driver, curves, and values of the driver."""

MOST_POINTS = 100_000
"""Points of all curves of a part after which no other curve is begun: some minutes."""

SAMPLES, SAMPLES_SEARCHED, WIDE = 36, 6, 3.0
"""Values of the driver at which configurations are sought all over its range, and where each takes a search; and how
far on both sides of the first, sizes of the mechanism."""


@dataclass(frozen=True, eq=False)
class Arc:
    """A part of a curve between two events, by number, or None: at an end of the range, or on a whole closed curve.

    `kinds` are those of its ends; "closed" where it is a whole closed curve.
    """

    curve: int
    z: Array
    ends: tuple[int | None, int | None]
    kinds: tuple[str, str]


@dataclass(frozen=True, eq=False)
class Node:
    """A limit on one curve or more: its kind, a curve with the configuration there, and its pose."""

    kind: str
    curve: int
    z: Array
    pose: Array


def follow_all(
    part: Part,
    values: dict[Freedom, float],
    driver: Freedom,
    low: float,
    high: float,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Curve], bool]:
    """Follow the curves of a part through all configurations that are found between two values of a driver, rad or m.

    First those at the given values of all drivers; then at other values of the driver, as there are circuits that do
    not pass the first: all over its range, and halfway between its limits.

    Returns
    -------
    list of Curve
    bool
        Whether all configurations were looked at.
    """
    curves: list[Curve] = []
    tried: list[float] = []
    complete, waiting = True, [values[driver]]
    while waiting:
        for number, value in enumerate(waiting):
            at_value = values | {driver: value}
            starts = list(islice(configurations(part, at_value), MOST_STARTS + 1))
            complete &= len(starts) <= MOST_STARTS
            for at in starts[:MOST_STARTS]:
                if any(_passes(curve, _pose(curve.released, part, at), value) for curve in curves):
                    continue
                if len(curves) == MOST_CURVES or sum(len(curve.points) for curve in curves) > MOST_POINTS:
                    return curves, False
                tell = partial(progress, len(tried) + number, len(tried) + len(waiting)) if progress else None
                _follow_new(curves, part, at_value, driver, at, (low, high), tell)
            if progress is not None:
                progress(len(tried) + number + 1, len(tried) + len(waiting))
        tried += waiting
        wanted = _over(part, driver, values[driver], low, high) if len(tried) == 1 else []
        wanted += _between(curves, part, values[driver], low, high)
        waiting = [x for x in wanted if min(abs(x - other) for other in tried) > SAME_POSE]
        if len(tried) > MOST_VALUES:
            return curves, False
    return curves, complete


def _over(part: Part, driver: Freedom, first: float, low: float, high: float) -> list[float]:
    """List values of a driver all over its range: by default turns, or sizes of the mechanism, around the first."""
    turning = part.mechanism.freedoms(part.mechanism.joint[driver[0]])[driver[1]].rotation
    turns = max(1, part.turns)
    span = np.pi * turns if turning else WIDE * part.geometry.size
    left, right = max(low, first - span), min(high, first + span)
    count = (SAMPLES_SEARCHED if part.iterates else SAMPLES) * (turns if turning else 1)
    count = min(count, MOST_VALUES // 2)
    return [left + (right - left) * (k + 0.5) / count for k in range(count)]


def _between(curves: list[Curve], part: Part, first: float, low: float, high: float) -> list[float]:
    """List values of the driver halfway between its limits, those of an angle within a turn, or those of gears."""
    unit = curves[0].released.unit if curves else 1.0
    at = [unit * event.z[-1] for curve in curves for event in curve.events if event.kind in ("turn", "change")]
    if curves and curves[0].released.whole:
        period = 2 * np.pi * max(1, part.turns)
        at = [value - period * np.round((value - first) / period) for value in at]
    bounds = sorted({round(value, 6) for value in at if low <= value <= high})
    return [0.5 * (a + b) for a, b in pairwise(bounds)]


def _follow_new(
    curves: list[Curve], part: Part, values: dict[Freedom, float], driver: Freedom, at: Poses,
    bounds: tuple[float, float], tell: Callable[[], None] | None,
) -> None:  # fmt: skip
    """Follow the curve through a configuration, unless it is singular, where there may be several."""
    released = release(part.mechanism, part.geometry, values, driver, at)
    z = corrected(released, released.start, np.zeros(released.start.size))
    if z is None:
        return
    pose = released.pose(z)
    # where rows that repeat others were left out it may be no configuration, and what is near has been followed
    if np.abs(pose - _pose(released, part, at)).max() > SAME_POSE and any(
        _passes(curve, pose, float(z[-1] * released.unit)) for curve in curves
    ):
        return
    start = point(released, z, np.eye(z.size)[-1] + CROSSED)
    if start.values[-1] < CROSSED:
        return
    low, high = (bound / released.unit for bound in bounds)
    curves.append(follow(released, start, low, high, tell))


def _pose(released: Released, part: Part, at: Poses) -> Array:
    """Put together the pose of a configuration as `Released.pose` does."""
    places = [x for body in part.mechanism.movable for x in (at[body][0] / part.geometry.size, at[body][1].ravel())]
    return np.concatenate(places)[released.determined]


def _passes(curve: Curve, pose: Array, value: float) -> bool:
    """Tell whether a curve passes a configuration with a value of the driver, rad or m."""
    released, u = curve.released, value / curve.released.unit
    first, last = (np.array([p.z[-1] for p in part]) for part in (curve.points[:-1], curve.points[1:]))
    turns = 2 * np.pi * np.round((0.5 * (first + last) - u) / (2 * np.pi)) if released.whole else np.zeros(first.size)
    for k in np.flatnonzero((first - u - turns) * (last - u - turns) <= SAME_POSE**2):
        here, there = curve.points[k].z, curve.points[k + 1].z
        way = there[-1] - here[-1]
        share = np.clip((u + turns[k] - here[-1]) / way if way else 0.0, 0.0, 1.0)
        guess = np.append((here + share * (there - here))[:-1], u + turns[k])
        found = corrected(released, guess, np.eye(guess.size)[-1])
        if found is not None and np.abs(released.pose(found) - pose).max() < SAME_POSE:
            return True
    return False


# --- limits and branches -----------------------------------------------------------------------


def divide(curves: list[Curve]) -> tuple[list[Node], list[Arc], list[int]]:
    """Divide curves into arcs between limits; limits with the same pose are one.

    Returns
    -------
    list of Node
    list of Arc
    list of int
        For every curve, the number of its circuit.
    """
    nodes: list[Node] = []
    arcs: list[Arc] = []
    graph = nx.Graph()
    for number, curve in enumerate(curves):
        graph.add_node(number)
        at = [_node(nodes, number, curve, event) for event in curve.events]
        graph.add_edges_from((number, nodes[k].curve) for k in at if k is not None)
        arcs += _arcs(number, curve, at)
    circuit: dict[int, int] = {}
    for k, component in enumerate(sorted(nx.connected_components(graph), key=min)):
        circuit |= dict.fromkeys(component, k)
    return nodes, arcs, [circuit[number] for number in range(len(curves))]


def _node(nodes: list[Node], number: int, curve: Curve, event: Event) -> int | None:
    """Find the limit at an event, or add it; None at an end of the range."""
    if event.kind not in ("turn", "change"):
        return None
    pose = curve.released.pose(event.z)
    for k, node in enumerate(nodes):
        if node.kind == event.kind and np.abs(node.pose - pose).max() < SAME_POSE:
            return k
    nodes.append(Node(event.kind, number, event.z, pose))
    return len(nodes) - 1


def _arcs(number: int, curve: Curve, at: list[int | None]) -> Iterator[Arc]:
    """Yield the arcs of a curve between its events."""
    points, events = np.array([p.z for p in curve.points]), curve.events
    if curve.closed and not events:
        yield Arc(number, points, (None, None), ("closed", "closed"))
        return
    inner = zip(pairwise(events), pairwise(at), strict=True)
    for (first, last), ends in inner:
        yield _arc(number, first, points[first.after + 1 : last.after + 1], last, ends)
    if curve.closed:
        # from the last event over the start, which is where the curve closes, to the first one
        round_trip = np.zeros(points.shape[1])
        round_trip[-1] = points[-1, -1] - points[0, -1]
        first, last = events[-1], events[0]
        passed = np.concatenate([points[first.after + 1 :], points[1 : last.after + 1] + round_trip])
        end = Event(last.kind, last.after, last.z + round_trip)
        yield _arc(number, first, passed, end, (at[-1], at[0]))


def _arc(number: int, first: Event, points: Array, last: Event, ends: tuple[int | None, int | None]) -> Arc:
    return Arc(number, np.vstack([first.z, points, last.z]), ends, (first.kind, last.kind))


def singular_groups(part: Part, released: Released, z: Array, crossed: bool) -> tuple[int, ...]:
    """Find the groups, by number, that can move there while the driver stands still: all that are singular.

    A group moves by itself if it does so in a motion in which no group before it moves.

    Parameters
    ----------
    crossed : bool
        Whether curves cross there, so that there are several motions.
    """
    _, jacobian = released.linearized(z)
    _, values, right = np.linalg.svd(jacobian)
    values = np.concatenate([values, np.zeros(max(0, z.size - values.size))])
    motions = right[min(z.size - 1, int((values > (1e2 * CROSSED if crossed else 0.0)).sum())) :].T
    driven = motions[-1:]
    # a curve turns back where the driver stands still up to what roundings leave of its rate
    motions = motions if not crossed else motions @ _still(driven, SAME_POSE)
    placing = np.nan_to_num(released.placing[:, 1:].reshape(len(released.origins), -1, z.size - 1))
    bodies, singular = part.mechanism.movable, []
    for group in (part.program.structure.groups[number - 1] for number in sorted(part.groups)):
        moved = np.concatenate([placing[bodies.index(body)] @ motions[:-1] for body in group.bodies])
        rest = _still(moved, SAME_POSE)
        if rest.shape[1] < motions.shape[1]:
            singular.append(group.number)
            motions = motions @ rest
    return tuple(singular)


def _still(rates: Array, least: float) -> Array:
    """Find the combinations (k, r) of motions, the columns of (rows, k) rates, whose rates are zero."""
    _, values, right = np.linalg.svd(rates)
    return np.asarray(right[int((values > least).sum()) :].T)
