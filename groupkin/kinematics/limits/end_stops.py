"""Branches within the ranges of joints and other quantities: they end at end stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import networkx as nx
import numpy as np

from groupkin.errors import NotModeledError, OutsideRangesError
from groupkin.kinematics.limits.branches import Branch, Circuit, Found, Limit, circuit_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import EndStop, Range, ranges_of, scale, values_in
from groupkin.model.geometry.coordinates import whole_turns
from groupkin.tolerances import ON_RANGE
from sglibrary.array_types import Array

DEEP = 2.0
"""How many times as deep as a parabola through three points a quantity may be between them."""


class Slack:
    """How far configurations of a branch are from the ends of all ranges.

    Attributes
    ----------
    branch : Branch
    stops : list of EndStop
    values : (ranges, n) array
        Quantities at the points of the branch, SI; angles with the whole turns that bring each next to its range, or of
        a range with one end, or wider than a turn, with those that they make along the branch.

    Raises
    ------
    NotModeledError
        If such an angle turns fully, which positions do not tell.
    """

    def __init__(self, branch: Branch, ranges: Sequence[Range]) -> None:
        self.branch, self.ranges = branch, ranges
        self.stops = [stop for each in ranges for stop in each.stops]
        self.values = np.array([_values(branch, each) for each in ranges])

    @cached_property
    def points(self) -> Array:
        """Slack (n,) at the points of the branch."""
        return np.asarray(self._rows(self.values).min(axis=0))

    def _rows(self, values: Array) -> Array:
        """Slack (stops, n) relative to the scales of the quantities: positive inside."""
        rows = {each.quantity: row for each, row in zip(self.ranges, values, strict=True)}
        at = self.branch.motion
        return np.array([-stop.beyond(rows[stop.range.quantity]) / scale(at, stop.range) for stop in self.stops])

    def at(self, place: float) -> Array:
        """Slack (stops,) at a place of the branch: the number of a point, or between two."""
        _, motion = self.branch.along(np.array([place]))
        found = np.array([values_in(motion, each)[0] for each in self.ranges])
        followed = np.array([each.turning and not each.within_a_turn for each in self.ranges])
        found[followed] += whole_turns(self.values[:, int(place)] - found)[followed]
        return self._rows(found[:, None])[:, 0]

    def least(self, place: float) -> float:
        """The least slack at a place."""
        return float(self.at(place).min())


def _values(branch: Branch, within: Range) -> Array:
    """Read the quantity of a range (n,) along a branch."""
    values = values_in(branch.motion, within)
    if not within.turning:
        return values
    if within.within_a_turn:
        return np.asarray(values + whole_turns(within.middle - values))
    if branch.ends[0] == "closed" and abs(values[-1] - values[0]) > np.pi:
        mechanism = branch.motion.program.mechanism
        span = mechanism.units.span(within.low, within.high, within.unit)
        raise NotModeledError(
            f"{mechanism.name}: {within.name} turns fully, so that its range, {span}, is one of turns, which positions "
            "do not tell; state two ends that are less than a turn apart"
        )
    return values


def stopped(found: Found, at: Motion) -> Found:
    """Cut branches where ranges end.

    Parameters
    ----------
    found : (limits, branches, circuits, complete)
        Without ranges.
    at : Motion
        One configuration, whose circuit comes first.

    Raises
    ------
    OutsideRangesError
        If no configuration is within all ranges.
    """
    limits, branches, _, complete = found
    ranges = ranges_of(at.program)
    pieces = [piece for branch in branches for piece in _pieces(Slack(branch, ranges))]
    if not pieces:
        raise OutsideRangesError(_why_nowhere(branches, ranges, at))
    graph = nx.Graph()
    for number, (piece, _) in enumerate(pieces):
        graph.add_edges_from((number, ("limit", k)) for k in piece.limits if k is not None)
        graph.add_node(number)
    components = [sorted(k for k in one if isinstance(k, int)) for one in nx.connected_components(graph)]
    own = _own(pieces, at)
    ordered = sorted(components, key=lambda one: (own not in one, one))
    turns = [_turns([pieces[k][0] for k in one], branches) for one in ordered]
    return *_renumbered(ordered, pieces, {each.number: each for each in limits}, turns), complete


def _turns(own: Sequence[Branch], every: Sequence[Branch]) -> int:
    """Count the turns of the driver on curves of which no branch is cut or left out; 0 if there is no such curve."""
    kept, whole = Counter(each.lap for each in own), Counter(each.lap for each in every)
    return max((lap[1] for lap, count in kept.items() if count == whole[lap]), default=0)


def _why_nowhere(branches: Sequence[Branch], ranges: Sequence[Range], at: Motion) -> str:
    """Say that no configuration is within all ranges, and which of them leave none by themselves."""
    mechanism = at.program.mechanism
    alone = [each for each in ranges if all(_is_left(branch, each) for branch in branches)] or list(ranges)
    told = []
    for each in alone:
        values = np.concatenate([values_in(branch.motion, each) for branch in branches])
        low, high = (
            mechanism.units.span(each.low, each.high, each.unit),
            mechanism.units.span(float(np.nanmin(values)), float(np.nanmax(values)), each.unit),
        )
        told.append(f"{each.name}, whose range is {low}, has {high}")
    return (
        f"{mechanism.name} has no configuration within all its ranges: {'; '.join(told)}. Widen a range; or state it "
        "as the coordinate counts: displacements from the reference configuration, or between the two `points` of a "
        "joint, angles from its `reference`"
    )


def _is_left(branch: Branch, within: Range) -> bool:
    """Whether no point of a branch is within a range."""
    slack = Slack(branch, [within])
    return bool((slack.points < -ON_RANGE).all())


Span = tuple[tuple[float, EndStop | None], tuple[float, EndStop | None]]
"""Places of a branch between which it is within all ranges, and the end stops there."""

Piece = tuple[Branch, tuple[EndStop | None, EndStop | None]]
"""A part of a branch, and the end stops at its ends."""


def _pieces(slack: Slack) -> list[Piece]:
    """List the parts of a branch that are within all ranges."""
    branch, points = slack.branch, slack.points
    places = _places(slack)
    inside = np.array([_slack_at(slack, place) for place in places]) > -ON_RANGE
    if inside.all():
        return [(branch, (None, None))]
    edges = np.flatnonzero(np.diff(inside.astype(int)))
    crossings = [_crossing(slack, places[k], places[k + 1], bool(inside[k])) for k in edges]
    bounds: list[tuple[float, EndStop | None]] = [(0.0, None)] if inside[0] else []
    bounds += crossings
    bounds += [(float(points.size - 1), None)] if inside[-1] else []
    spans = list(zip(bounds[::2], bounds[1::2], strict=True))
    if branch.ends[0] == "closed":
        if inside[0] and inside[-1]:  # it goes on where it begins
            (_, first), (last, _) = spans[0], spans[-1]
            spans = [((last[0] - points.size + 1, last[1]), first), *spans[1:-1]]
        spans = [_near_start(span, points.size - 1) for span in spans]
    return [
        (_part(branch, first[0], last[0], points.size), (first[1], last[1]))
        for first, last in spans
        if last[0] - first[0] > ON_RANGE  # else it touches the end from without
    ]


def _near_start(span: Span, lap: int) -> Span:
    """Shift a part of a branch that closes by a lap, if that brings it nearer to the start."""
    (first, one), (last, other) = span
    return ((first - lap, one), (last - lap, other)) if first + last > lap else span


def _slack_at(slack: Slack, place: float) -> float:
    return float(slack.points[int(place)]) if place == int(place) else slack.least(place)


def _places(slack: Slack) -> Array:
    """List the points of a branch, and places between them where the slack changes its sign for a short way."""
    from scipy.optimize import minimize_scalar

    points, more = slack.points, list[float]()
    for k in range(1, points.size - 1):
        before, here, after = points[k - 1 : k + 2]
        sign = 1.0 if here > -ON_RANGE else -1.0  # of what must not fall below zero unseen
        bend = sign * (before - 2.0 * here + after)
        if bend <= 0.0 or not sign * here <= min(sign * before, sign * after):
            continue
        if sign * here < DEEP * (before - after) ** 2 / (8.0 * bend):
            options = {"bounds": (k - 1, k + 1), "method": "bounded", "options": {"xatol": ON_RANGE}}
            lowest = minimize_scalar(lambda place, sign=sign: sign * slack.least(place), **options)
            if (sign * lowest.fun > -ON_RANGE) != (sign > 0.0):
                more.append(float(lowest.x))
    return np.array(sorted([*range(points.size), *more]))


def _crossing(slack: Slack, first: float, last: float, leaves: bool) -> tuple[float, EndStop]:
    """Find where a branch passes the end of a range between two places, and which it is."""
    from scipy.optimize import brentq

    inner = first if leaves else last
    place = inner
    if slack.least(inner) > 0.0:  # else it goes just to the end
        place = float(brentq(slack.least, first, last, xtol=1e-300, rtol=4.0 * np.finfo(float).eps))
    return place, slack.stops[int(slack.at(place).argmin())]


def _part(branch: Branch, first: float, last: float, count: int) -> Branch:
    """Return a part of a branch between two places; limits are those at its own ends."""

    def along(places: Array | None) -> tuple[Array, Motion]:
        own = np.array([first, *np.arange(np.floor(first) + 1, np.ceil(last)), last])
        if places is None:
            return branch.along(own)
        return branch.along(np.interp(places, np.arange(own.size), own))

    whole = (first == 0.0, last == count - 1.0)
    ends = tuple(kind if kept else "end stop" for kind, kept in zip(branch.ends, whole, strict=True))
    limits = tuple(k if kept else None for k, kept in zip(branch.limits, whole, strict=True))
    start, stop = along(np.array([0.0]))[0][0], branch.along(np.array([last]))[0][0]
    return replace(branch, start=float(start), stop=float(stop), ends=ends, limits=limits, along=along, lap=(-1, 0))  # type: ignore[arg-type]


def _own(pieces: Sequence[Piece], at: Motion) -> int:
    """Return the number of the piece that passes a configuration, or comes nearest to it."""
    wanted = _poses(at)
    away = [
        np.nanmin(np.abs(_poses(piece.motion) - wanted).max(axis=1)) if piece.circuit == 1 else np.inf
        for piece, _ in pieces
    ]
    return int(np.argmin(away))


def _poses(motion: Motion) -> Array:
    """Put together origins, relative to the size, and rotations of all bodies (n, k)."""
    bodies, size = motion.program.mechanism.movable, motion.program.geometry.size
    columns = [
        x
        for body in bodies
        for x in (motion.position(body) / size, motion.rotation(body).reshape(motion.times.size, -1))
    ]
    return np.hstack(columns)


def _renumbered(
    components: Sequence[Sequence[int]], pieces: Sequence[Piece], known: dict[int, Limit], turns: Sequence[int]
) -> tuple[tuple[Limit, ...], tuple[Branch, ...], tuple[Circuit, ...]]:
    """Number limits, branches and circuits anew."""
    limits: list[Limit] = []
    branches: list[Branch] = []
    made: list[Circuit] = []
    for number, component in enumerate(components, 1):
        numbers: dict[int, int] = {}
        for k in component:
            piece, stops = pieces[k]
            own: list[int | None] = []
            for side, (kept, stop) in enumerate(zip(piece.limits, stops, strict=True)):
                if kept is not None and kept not in numbers:
                    numbers[kept] = len(limits) + 1
                    limits.append(replace(known[kept], number=numbers[kept], circuit=number))
                if stop is not None:
                    value = (piece.start, piece.stop)[side]
                    limits.append(Limit(len(limits) + 1, value, "end stop", (), number, stop))
                own.append(numbers[kept] if kept is not None else len(limits) if stop is not None else None)
            branches.append(replace(piece, number=len(branches) + 1, circuit=number, limits=(own[0], own[1])))
        made.append(circuit_of(number, branches, limits, turns[number - 1]))
    return tuple(limits), tuple(branches), tuple(made)
