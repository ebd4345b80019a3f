"""Constructions by lengths, angles and lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from groupkin.errors import GeometryError
from groupkin.mechanism.constructions.construction import AXES, PLANES, Construction
from groupkin.mechanism.constructions.vectors import (
    Line,
    Vector,
    cross,
    distance,
    dot,
    minus,
    plus,
    require_plane,
    turned,
    unit_vector,
)
from groupkin.mechanism.units import Units
from groupkin.mechanism.values import computed
from groupkin.tolerances import PARALLEL


@dataclass(frozen=True)
class Polar(Construction):
    """A point at a distance and an angle from another.

    Parameters
    ----------
    start : str
    length : float
        m.
    angle : float
        rad; from the x axis, or from the direction of `line`, counterclockwise; in space in the xy plane.
    line : (str, str), optional
        Two points, in the plane.
    elevation : float
        rad, in space: from the xy plane toward z.
    """

    POINTS = ("start", "line")

    start: str
    length: float
    angle: float
    line: Line | None = None
    elevation: float = 0.0

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        origin = points[self.start]
        along: Vector = (computed("cos", self.angle), computed("sin", self.angle))
        if self.line is not None:
            require_plane(origin, "an angle from a line")
            along = turned(unit_vector(points[self.line[0]], points[self.line[1]], self.line), self.angle)
        if len(origin) == 3:
            flat = computed("cos", self.elevation)
            along = (along[0] * flat, along[1] * flat, computed("sin", self.elevation))
        return plus(origin, along, self.length)


@dataclass(frozen=True)
class Circles(Construction):
    """A point at given distances from two others in the plane, or from three in space.

    Parameters
    ----------
    centers : (str, str) or (str, str, str)
    lengths : (float, float) or (float, float, float)
        m.
    side : {"left", "right"}
        Of the line from the first center to the second; of three, "left" is the side from which they are seen
        counterclockwise.
    """

    POINTS = ("centers",)

    centers: tuple[str, ...]
    lengths: tuple[float, ...]
    side: Literal["left", "right"] = "left"

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        centers = [points[name] for name in self.centers]
        d = len(centers[0])
        if len(centers) != d or len(self.lengths) != d:
            raise GeometryError(f"needs {d} centers and {d} lengths {'in the plane' if d == 2 else 'in space'}")
        sign = 1.0 if self.side == "left" else -1.0
        x = unit_vector(centers[0], centers[1], self.centers)
        apart = distance(minus(centers[1], centers[0]))
        first, second = self.lengths[:2]
        along = (apart * apart + first * first - second * second) / (2.0 * apart)
        if d == 2:
            across = computed("sqrt", first * first - along * along)
            if not isfinite(across):
                raise GeometryError(_open(self.centers, self.lengths, apart, units))
            return plus(plus(centers[0], x, along), (-x[1], x[0]), sign * across)
        way = minus(centers[2], centers[0])
        off = minus(way, tuple(dot(way, x) * c for c in x))
        if distance(off) <= 0.0:
            raise GeometryError(f"points {', '.join(self.centers)} are on one line")
        y = tuple(c / distance(off) for c in off)
        i, j = dot(way, x), distance(off)
        up = (first * first - self.lengths[2] * self.lengths[2] + i * i + j * j - 2.0 * i * along) / (2.0 * j)
        height = computed("sqrt", first * first - along * along - up * up)
        if not isfinite(height):
            raise GeometryError(_open(self.centers, self.lengths, apart, units))
        return plus(plus(plus(centers[0], x, along), y, up), cross(x, y), sign * height)


@dataclass(frozen=True)
class Along(Construction):
    """A point on the line through two others.

    Parameters
    ----------
    line : (str, str)
    distance : float, optional
        From the first toward the second, m.
    share : float, optional
        Instead of a distance: of the way to the second, 0.5 for the middle.
    offset : float
        To the left of the line, m; in the plane.
    """

    POINTS = ("line",)

    line: Line
    distance: float | None = None
    share: float | None = None
    offset: float = 0.0

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        if (self.distance is None) == (self.share is None):
            raise GeometryError("needs either the distance from the first point or the share of the way to the second")
        start, end = (points[name] for name in self.line)
        if self.share is not None and not self.offset:
            return plus(start, minus(end, start), self.share)
        x = unit_vector(start, end, self.line)
        far = self.share * distance(minus(end, start)) if self.share is not None else self.distance or 0.0
        there = plus(start, x, far)
        if not self.offset:
            return there
        require_plane(there, "an offset to the left")
        return plus(there, (-x[1], x[0]), self.offset)


@dataclass(frozen=True)
class Reach(Construction):
    """The point of a line at a given distance from another point, as the pin of a slider at the end of its rod.

    Parameters
    ----------
    start : str
    length : float
        m.
    line : (str, str)
    far : bool
        Of the two such points, the one that is farther in the direction from the first point of the line to the second.
    """

    POINTS = ("start", "line")

    start: str
    length: float
    line: Line
    far: bool = True

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        first, second = (points[name] for name in self.line)
        x = unit_vector(first, second, self.line)
        foot = plus(first, x, dot(minus(points[self.start], first), x))
        away = minus(points[self.start], foot)
        along = computed("sqrt", self.length * self.length - dot(away, away))
        if not isfinite(along):
            raise GeometryError(
                f"no point of the line {'-'.join(self.line)} is {units.text(self.length)} from {self.start}, which is "
                f"{units.text(float(distance(away)))} from the line; take a longer length"
            )
        return plus(foot, x, along if self.far else -along)


@dataclass(frozen=True)
class Shifted(Construction):
    """A point at given components from another.

    Parameters
    ----------
    start : str
    by : (d,) sequence of float
        m.
    """

    POINTS = ("start",)

    start: str
    by: tuple[float, ...]

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        start = points[self.start]
        if len(self.by) != len(start):
            raise GeometryError(f"the shift must have {len(start)} components, not {len(self.by)}")
        return tuple(x + dx for x, dx in zip(start, self.by, strict=True))


@dataclass(frozen=True)
class Mirrored(Construction):
    """A point mirrored at a line in the plane, or at a coordinate plane in space.

    Parameters
    ----------
    point : str
    line : str or (str, str)
        "x" or "y", an axis through the origin, or two points; in space "xy", "xz" or "yz".
    """

    POINTS = ("point", "line")

    point: str
    line: str | Line = "x"

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        p = points[self.point]
        if isinstance(self.line, str):
            known = AXES if len(p) == 2 else PLANES
            if self.line not in known:
                raise GeometryError(f"is mirrored at {', '.join(known)} or a line of the plane, not at {self.line!r}")
            return tuple(-x if k == known[self.line] else x for k, x in enumerate(p))
        start, end = (points[name] for name in self.line)
        x = unit_vector(start, end, self.line)
        foot = plus(start, x, dot(minus(p, start), x))
        return tuple(2.0 * f - c for f, c in zip(foot, p, strict=True))


@dataclass(frozen=True)
class Turned(Construction):
    """A point turned about another, in space about an axis through it.

    Parameters
    ----------
    point, about : str
    angle : float
        rad.
    axis : {"x", "y", "z"}
        In space.
    """

    POINTS = ("point", "about")

    point: str
    about: str
    angle: float
    axis: Literal["x", "y", "z"] = "z"

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        center = points[self.about]
        way = minus(points[self.point], center)
        if len(way) == 2:
            return tuple(c + t for c, t in zip(center, turned(way, self.angle), strict=True))
        k = "xyz".index(self.axis)
        i, j = (k + 1) % 3, (k + 2) % 3
        moved = list(way)
        moved[i], moved[j] = turned((way[i], way[j]), self.angle)
        return tuple(c + t for c, t in zip(center, moved, strict=True))


@dataclass(frozen=True)
class Crossing(Construction):
    """The point where two lines of the plane cross.

    Parameters
    ----------
    lines : ((str, str), (str, str))
        Two points of each.
    """

    POINTS = ("lines",)

    lines: tuple[Line, Line]

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        (a, b), (c, d) = ([points[name] for name in line] for line in self.lines)
        require_plane(a, "a crossing of lines")
        x, y = unit_vector(a, b, self.lines[0]), unit_vector(c, d, self.lines[1])
        sine = x[0] * y[1] - x[1] * y[0]
        if abs(float(sine)) <= PARALLEL:
            raise GeometryError(f"lines {' and '.join('-'.join(line) for line in self.lines)} are parallel")
        way = minus(c, a)
        return plus(a, x, (way[0] * y[1] - way[1] * y[0]) / sine)


@dataclass(frozen=True)
class Foot(Construction):
    """The foot of the perpendicular from a point to a line.

    Parameters
    ----------
    point : str
    line : (str, str)
    """

    POINTS = ("point", "line")

    point: str
    line: Line

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        start, end = (points[name] for name in self.line)
        x = unit_vector(start, end, self.line)
        return plus(start, x, dot(minus(points[self.point], start), x))


def _open(centers: Sequence[str], lengths: Sequence[float], apart: float, units: Units) -> str:
    """Say why circles or spheres do not meet."""
    each = ", ".join(f"{units.text(x)} from {name}" for name, x in zip(centers, lengths, strict=True))
    return (
        f"no point is {each}: {centers[0]} and {centers[1]} are {units.text(apart)} apart; change a length, or "
        "move one of them"
    )
