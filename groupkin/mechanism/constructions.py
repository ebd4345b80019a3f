"""Points given by construction: by lengths, angles and other points, as designers state them.

Each construction is a formula, and its numbers are values (`groupkin.mechanism.values`) that designs can vary: those
without a name of their own are named after the point, such as ``C.lengths[0]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from graphlib import CycleError, TopologicalSorter
from math import isfinite
from typing import Any, ClassVar, Literal

from groupkin.arguments import check_fields
from groupkin.errors import GeometryError, UnknownNameError
from groupkin.mechanism.units import SI, Units
from groupkin.mechanism.values import Value, computed
from groupkin.messages import hint
from groupkin.tolerances import PARALLEL

Vector = tuple[float, ...]
Line = tuple[str, str]

AXES = {"x": 1, "y": 0}
"""Mirror lines through the origin of the plane, and the coordinate that changes its sign."""

PLANES = {"yz": 0, "xz": 1, "xy": 2}
"""Mirror planes through the origin of space, and the coordinate that changes its sign."""

MIRRORS = (*AXES, *PLANES)


class Placed(tuple[float, ...]):
    """Coordinates of a point that remember its construction."""

    construction: Construction

    def __new__(cls, coordinates: Sequence[float], construction: Construction) -> Placed:
        self = super().__new__(cls, coordinates)
        self.construction = construction
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Placed, (tuple(self), self.construction)


@dataclass(frozen=True)
class Construction:
    """Base class of all constructions."""

    def __post_init__(self) -> None:
        check_fields(self, GeometryError)

    POINTS: ClassVar[tuple[str, ...]] = ()
    """Fields that name points."""

    @property
    def named(self) -> tuple[str, ...]:
        """The points that it starts from."""
        waiting, names = [getattr(self, part) for part in self.POINTS], []
        for each in waiting:
            if isinstance(each, str):
                names.append(each)
            else:
                waiting += each or ()
        return tuple(name for name in names if name not in MIRRORS)

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        """Compute the coordinates, m, from those of other points.

        Raises
        ------
        GeometryError
        """
        raise NotImplementedError


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
            _in_plane(origin, "an angle from a line")
            along = _turned(_direction(points[self.line[0]], points[self.line[1]], self.line), self.angle)
        if len(origin) == 3:
            flat = computed("cos", self.elevation)
            along = (along[0] * flat, along[1] * flat, computed("sin", self.elevation))
        return _plus(origin, along, self.length)


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
        x = _direction(centers[0], centers[1], self.centers)
        apart = _length(_minus(centers[1], centers[0]))
        first, second = self.lengths[:2]
        along = (apart * apart + first * first - second * second) / (2.0 * apart)
        if d == 2:
            across = computed("sqrt", first * first - along * along)
            if not isfinite(across):
                raise GeometryError(_open(self.centers, self.lengths, apart, units))
            return _plus(_plus(centers[0], x, along), (-x[1], x[0]), sign * across)
        way = _minus(centers[2], centers[0])
        off = _minus(way, tuple(_dot(way, x) * c for c in x))
        if _length(off) <= 0.0:
            raise GeometryError(f"points {', '.join(self.centers)} are on one line")
        y = tuple(c / _length(off) for c in off)
        i, j = _dot(way, x), _length(off)
        up = (first * first - self.lengths[2] * self.lengths[2] + i * i + j * j - 2.0 * i * along) / (2.0 * j)
        height = computed("sqrt", first * first - along * along - up * up)
        if not isfinite(height):
            raise GeometryError(_open(self.centers, self.lengths, apart, units))
        return _plus(_plus(_plus(centers[0], x, along), y, up), _cross(x, y), sign * height)


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
            return _plus(start, _minus(end, start), self.share)
        x = _direction(start, end, self.line)
        far = self.share * _length(_minus(end, start)) if self.share is not None else self.distance or 0.0
        there = _plus(start, x, far)
        if not self.offset:
            return there
        _in_plane(there, "an offset to the left")
        return _plus(there, (-x[1], x[0]), self.offset)


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
        x = _direction(first, second, self.line)
        foot = _plus(first, x, _dot(_minus(points[self.start], first), x))
        away = _minus(points[self.start], foot)
        along = computed("sqrt", self.length * self.length - _dot(away, away))
        if not isfinite(along):
            raise GeometryError(
                f"no point of the line {'-'.join(self.line)} is {units.text(self.length)} from {self.start}, which is "
                f"{units.text(float(_length(away)))} from the line; take a longer length"
            )
        return _plus(foot, x, along if self.far else -along)


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
        x = _direction(start, end, self.line)
        foot = _plus(start, x, _dot(_minus(p, start), x))
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
        way = _minus(points[self.point], center)
        if len(way) == 2:
            return tuple(c + t for c, t in zip(center, _turned(way, self.angle), strict=True))
        k = "xyz".index(self.axis)
        i, j = (k + 1) % 3, (k + 2) % 3
        moved = list(way)
        moved[i], moved[j] = _turned((way[i], way[j]), self.angle)
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
        _in_plane(a, "a crossing of lines")
        x, y = _direction(a, b, self.lines[0]), _direction(c, d, self.lines[1])
        sine = x[0] * y[1] - x[1] * y[0]
        if abs(float(sine)) <= PARALLEL:
            raise GeometryError(f"lines {' and '.join('-'.join(line) for line in self.lines)} are parallel")
        way = _minus(c, a)
        return _plus(a, x, (way[0] * y[1] - way[1] * y[0]) / sine)


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
        x = _direction(start, end, self.line)
        return _plus(start, x, _dot(_minus(points[self.point], start), x))


# --- points ----------------------------------------------------------------------------------


def placed(points: Mapping[str, Any], units: Units = SI) -> dict[str, Any]:
    """Compute the coordinates of points that are given by construction; others stay as they are.

    Raises
    ------
    UnknownNameError, GeometryError
        If a construction starts from no named point or from itself, or has no solution.
    """
    made = {name: x for name, x in points.items() if isinstance(x, Construction)}
    for name, construction in made.items():
        missing = next((other for other in construction.named if other not in points), None)
        if missing is not None:
            raise UnknownNameError(
                f"point {name!r} is constructed from {missing!r}, which is no named point{hint(missing, points)}; "
                "constructions start from points in `points`"
            )
    try:
        order = list(
            TopologicalSorter({name: [x for x in c.named if x in made] for name, c in made.items()}).static_order()
        )
    except CycleError as error:
        way = " → ".join(map(repr, reversed(error.args[1])))
        raise GeometryError(f"points are constructed from each other in a circle: {way}; give one of them") from None
    found = dict(points)
    for name in order:
        construction = with_values(made[name], name)
        try:
            coordinates = construction.at(found, units)
            if not all(map(isfinite, coordinates)):
                raise GeometryError("its numbers have no solution")
        except GeometryError as error:
            raise GeometryError(f"point {name!r}: {error}") from None
        found[name] = Placed(coordinates, construction)
    return found


def with_values(construction: Construction, point: str) -> Construction:
    """Name the numbers of a construction after its point, but those that have names or are computed."""
    changes = {}
    for part in fields(construction):
        if part.name not in construction.POINTS:
            changes[part.name] = _named(getattr(construction, part.name), f"{point}.{part.name}")
    return replace(construction, **changes)


def _named(value: Any, name: str) -> Any:
    if isinstance(value, tuple | list):
        return tuple(_named(x, f"{name}[{k}]") for k, x in enumerate(value))
    if isinstance(value, Value | str | bool) or value is None:
        return value
    return Value(name, value)


# --- vectors ---------------------------------------------------------------------------------


def _plus(start: Vector, way: Vector, factor: float) -> Vector:
    return tuple(x + factor * dx for x, dx in zip(start, way, strict=True))


def _minus(end: Vector, start: Vector) -> Vector:
    return tuple(x - y for x, y in zip(end, start, strict=True))


def _dot(x: Vector, y: Vector) -> float:
    return x[0] * y[0] + x[1] * y[1] + (x[2] * y[2] if len(x) == 3 else 0.0)


def _cross(x: Vector, y: Vector) -> Vector:
    return x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]


def _length(x: Vector) -> float:
    length: float = computed("sqrt", _dot(x, x))
    return length


def _direction(start: Vector, end: Vector, names: Sequence[str]) -> Vector:
    way = _minus(end, start)
    length = _length(way)
    if not length > 0.0:
        raise GeometryError(f"points {' and '.join(names[:2])} coincide, so that there is no line through them")
    return tuple(x / length for x in way)


def _turned(x: Vector, angle: float) -> Vector:
    c, s = computed("cos", angle), computed("sin", angle)
    return c * x[0] - s * x[1], s * x[0] + c * x[1]


def _in_plane(point: Vector, what: str) -> None:
    if len(point) != 2:
        raise GeometryError(f"{what} is for mechanisms in the plane")


def _open(centers: Sequence[str], lengths: Sequence[float], apart: float, units: Units) -> str:
    """Say why circles or spheres do not meet."""
    each = ", ".join(f"{units.text(x)} from {name}" for name, x in zip(centers, lengths, strict=True))
    return (
        f"no point is {each}: {centers[0]} and {centers[1]} are {units.text(apart)} apart; change a length, or "
        "move one of them"
    )
