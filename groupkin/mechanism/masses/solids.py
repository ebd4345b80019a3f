"""Mass, center of mass and inertia of bodies that consist of simple solids, or of what a surface encloses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import Name, checked, floats
from groupkin.errors import MassError, shown
from groupkin.mechanism.masses.mass_checks import around
from groupkin.mechanism.masses.surfaces import closed, surface
from groupkin.mechanism.parts import Body, Shape
from groupkin.mechanism.points import LARGEST
from groupkin.showing import brief
from groupkin.tolerances import PARALLEL

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Solid:
    """A solid of density 1, of simple ones that are added and subtracted.

    Coordinates are global ones in the reference configuration, m, in the plane two; there solids extend equally to both
    sides of it.

    Attributes
    ----------
    dimension : {2, 3}
    volume : float
        m³.
    center : (3,) array
        m.
    inertia : (3, 3) array
        Tensor about the center, m⁵.

    Examples
    --------
    >>> plate = Solid.box((0.0, 0.0), (0.2, 0.1, 0.01)) - Solid.disc((0.05, 0.0), 0.04, 0.01)
    >>> body = plate.body("plate", density=7850.0)
    >>> round(body.mass, 4), [round(x, 5) for x in body.center]
    (1.4714, [-0.00335, 0.0])
    """

    dimension: int
    volume: float
    center: Array
    inertia: Array

    __repr__ = brief

    @classmethod
    @checked
    def rod(cls, ends: ArrayLike, diameter: float, hole: float = 0.0) -> Solid:
        """Make a cylinder, or a tube with a hole of some diameter, between the middles of its end faces (2, d)."""
        start, end = _points(ends)
        return _round(_dimension(ends), 0.5 * (start + end), end - start, _sizes(diameter), _hole(hole, diameter))

    @classmethod
    @checked
    def disc(
        cls, center: ArrayLike, diameter: float, thickness: float, hole: float = 0.0, axis: ArrayLike = (0.0, 0.0, 1.0)
    ) -> Solid:
        """Make a cylinder about an axis, in the plane normal to it, or a ring with a hole of some diameter."""
        line = floats(axis)
        if line.shape != (3,) or not 0 < np.linalg.norm(line) <= LARGEST:
            raise MassError(f"the axis of a disc must be three finite numbers that are not all zero, not {shown(axis)}")
        way = _sizes(thickness) * line / np.linalg.norm(line)
        return _round(_dimension(center), _point(center), way, _sizes(diameter), _hole(hole, diameter))

    @classmethod
    @checked
    def bar(cls, ends: ArrayLike, width: float, thickness: float, normal: ArrayLike = (0.0, 0.0, 1.0)) -> Solid:
        """Make a bar of rectangular section between the middles of its end faces, its thickness along the normal."""
        start, end = _points(ends)
        way, across = end - start, floats(normal)
        length = _sizes(float(np.linalg.norm(way)))
        side = np.cross(across, way)
        if across.shape != (3,) or not np.linalg.norm(side) > PARALLEL * np.linalg.norm(across) * length:
            raise MassError(f"the normal of a bar must be three numbers, across its length, not {shown(normal)}")
        x, y = way / length, side / np.linalg.norm(side)
        axes = np.stack([x, y, np.cross(x, y)], axis=1)
        return _block(_dimension(ends), 0.5 * (start + end), (length, _sizes(width), _sizes(thickness)), axes)

    @classmethod
    @checked
    def box(cls, center: ArrayLike, size: ArrayLike) -> Solid:
        """Make a block of a size (3,) along x, y and z."""
        edges = floats(size)
        if edges.shape != (3,):
            raise MassError(f"the size of a box must be three lengths, along x, y and z, not {shown(size)}")
        return _block(_dimension(center), _point(center), [_sizes(float(x)) for x in edges], np.eye(3))

    @classmethod
    @checked
    def sphere(cls, center: ArrayLike, diameter: float) -> Solid:
        """Make a ball."""
        volume = np.pi / 6.0 * _sizes(diameter) ** 3
        return cls(_dimension(center), volume, _point(center), 0.1 * volume * diameter**2 * np.eye(3))

    @classmethod
    @checked
    def shape(cls, shape: Shape, dimension: int = 3) -> Solid:
        """Make what the closed surface of a shape encloses, in the plane or in space.

        Raises
        ------
        ShapeError
            If the surface cannot be read, or is open.
        """
        if isinstance(shape.at, str):
            raise MassError(f"{shape.name} is at the point {shape.at!r}; a solid needs coordinates instead of its name")
        if dimension not in (2, 3):
            raise MassError(f"the dimension of a solid is 2 or 3, not {dimension!r}")
        made = closed(surface(shape, np.zeros(dimension) if shape.at is None else _point(shape.at)), shape.name)
        return cls(dimension, float(made.volume), np.array(made.center_mass), np.array(made.moment_inertia))

    def __add__(self, other: Solid) -> Solid:
        return _joined(self, other, 1.0)

    def __sub__(self, other: Solid) -> Solid:
        return _joined(self, other, -1.0)

    @checked
    def body(self, name: Name, density: float, **more: Any) -> Body:
        """Make a body of this solid.

        Parameters
        ----------
        name : str
        density : float
            kg/m³.
        **more
            Other fields of `Body`, such as its points.
        """
        if not 0 < density <= LARGEST:
            raise MassError(f"body {name!r}: its density must be a positive number, kg/m³, not {density!r}")
        d, tensor = self.dimension, density * self.inertia
        inertia = float(tensor[2, 2]) if d == 2 else tuple(map(tuple, tensor.tolist()))
        return Body(name, mass=density * self.volume, center=tuple(self.center[:d].tolist()), inertia=inertia, **more)


def _joined(first: Solid, second: Solid, sign: float) -> Solid:
    volume = first.volume + sign * second.volume
    if first.dimension != second.dimension or not volume > 0.0:
        raise MassError("solids are joined with others of the same dimension, and more must be left than is taken away")
    center = (first.volume * first.center + sign * second.volume * second.center) / volume
    inertia = sum(
        share * each.inertia + share * each.volume * around(each.center - center)
        for share, each in ((1.0, first), (sign, second))
    )
    return Solid(first.dimension, volume, center, np.asarray(inertia))


def _round(dimension: int, center: Array, way: Array, diameter: float, hole: float) -> Solid:
    """A cylinder with a hole along a way (3,)."""
    length = _sizes(float(np.linalg.norm(way)))
    axis, squares = way / length, diameter**2 + hole**2
    volume = 0.25 * np.pi * (diameter**2 - hole**2) * length
    along, across = volume * squares / 8.0, volume * (squares / 16.0 + length**2 / 12.0)
    return Solid(dimension, volume, center, across * np.eye(3) + (along - across) * np.outer(axis, axis))


def _block(dimension: int, center: Array, edges: Sequence[float], axes: Array) -> Solid:
    """A block with edges along axes (3, 3), in columns."""
    a, b, c = edges
    volume = a * b * c
    moments = volume / 12.0 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    return Solid(dimension, volume, center, (axes * moments) @ axes.T)


def _dimension(points: ArrayLike) -> int:
    return (floats(points).shape or (0,))[-1]  # other numbers of coordinates are refused by `_point`


def _point(point: ArrayLike) -> Array:
    """A point (3,) of a solid, given with two or three coordinates."""
    found = floats(point)
    if found.shape not in ((2,), (3,)) or not (np.abs(found) <= LARGEST).all():
        raise MassError(f"a point of a solid has two or three finite coordinates, not {shown(point)}")
    return np.append(found, np.zeros(3 - found.size))


def _points(ends: ArrayLike) -> tuple[Array, Array]:
    found = floats(ends)
    if found.shape not in ((2, 2), (2, 3)):
        raise MassError(f"the ends of a solid are two points of the same dimension, not {shown(ends)}")
    return _point(found[0]), _point(found[1])


def _sizes(size: float) -> float:
    if not 0 < size <= LARGEST:
        raise MassError(f"sizes of a solid must be positive numbers, m, not {size!r}")
    return size


def _hole(hole: float, diameter: float) -> float:
    if not 0 <= hole < diameter:
        raise MassError(f"the diameter of a hole must be at least 0 and less than that of its solid, not {hole!r}")
    return hole
