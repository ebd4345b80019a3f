"""Vectors of numbers that remember what they are computed from."""

from __future__ import annotations

from collections.abc import Sequence

from groupkin.errors import GeometryError
from groupkin.mechanism.values import computed

Vector = tuple[float, ...]
Line = tuple[str, str]


def plus(start: Vector, way: Vector, factor: float) -> Vector:
    """Go a multiple of a way from a point."""
    return tuple(x + factor * dx for x, dx in zip(start, way, strict=True))


def minus(end: Vector, start: Vector) -> Vector:
    """Return the way from one point to another."""
    return tuple(x - y for x, y in zip(end, start, strict=True))


def dot(x: Vector, y: Vector) -> float:
    """Return the inner product."""
    return x[0] * y[0] + x[1] * y[1] + (x[2] * y[2] if len(x) == 3 else 0.0)


def cross(x: Vector, y: Vector) -> Vector:
    """Return the cross product, in space."""
    return x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]


def distance(x: Vector) -> float:
    """Return the length of a way."""
    length: float = computed("sqrt", dot(x, x))
    return length


def unit_vector(start: Vector, end: Vector, names: Sequence[str]) -> Vector:
    """Return the direction of a line through two points, whose names messages state."""
    way = minus(end, start)
    length = distance(way)
    if not length > 0.0:
        raise GeometryError(f"points {' and '.join(names[:2])} coincide, so that there is no line through them")
    return tuple(x / length for x in way)


def turned(x: Vector, angle: float) -> Vector:
    """Turn a vector of the plane counterclockwise."""
    c, s = computed("cos", angle), computed("sin", angle)
    return c * x[0] - s * x[1], s * x[0] + c * x[1]


def require_plane(point: Vector, what: str) -> None:
    """Refuse a construction of the plane in space."""
    if len(point) != 2:
        raise GeometryError(f"{what} is for mechanisms in the plane")
