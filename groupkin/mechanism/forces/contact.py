"""Contacts of circles, points and curves with lines and curves in the plane."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from groupkin.arguments import Name
from groupkin.errors import ForceError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.forces.force_checks import check_ends
from groupkin.mechanism.forces.part import ForcePart
from groupkin.mechanism.parts import Point
from groupkin.mechanism.units import Units
from groupkin.showing import brief

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class Contact(ForcePart):
    """Contact of a circle, point or curve of one body with a line or curve of another, in the plane.

    Where one is in the other by the depth p, they push each other apart by the normal force N = stiffness ·
    p**exponent · (1 + damping · p'), which never pulls (Hunt and Crossley 1975; without damping that of Hertz), and
    rub by coefficient · N · v / √(v² + speed²) with the velocity v along the curve. They may touch at several places,
    each of which is where they are deeper in each other than beside it.

    Parameters
    ----------
    name : str
    between : (str, str)
        The body with the curve, and that with what touches it.
    point : point, optional
        Center of the circle: a name, or global coordinates in the reference configuration, m. Without it, the second
        body has a curve or the line.
    radius : float
        Of the circle, m; 0 for a point.
    curve : Curve, optional
        A terrain, or a closed outline.
    line : (point, point), optional
        The ends of a straight line, instead of a curve; of the second body if there is a curve as well.
    curves : (Curve, Curve), optional
        Instead of curve and line: one on each body.
    stiffness : float
        N/m**exponent.
    exponent : float
        1.5 for a sphere or circle of Hertz, 1 for a linear spring.
    damping : float
        s/m.
    coefficient : float
        Of friction.
    speed : float, optional
        Velocity at which friction has 1/√2 of its size, m/s. Default: 0.001.
    side : {"", "left", "right"}
        Where the first body's curve is free, as it runs from its first point. Default: where most of the other body's
        is in the reference configuration.
    """

    name: Name
    between: tuple[str, str]
    point: Point | None = None
    radius: float = 0.0
    curve: Curve | None = None
    line: tuple[Point, Point] | None = None
    stiffness: float = 0.0
    exponent: float = 1.5
    damping: float = 0.0
    coefficient: float = 0.0
    speed: float | None = None
    side: Literal["", "left", "right"] = ""
    curves: tuple[Curve, Curve] | None = None

    __repr__ = brief

    @property
    def shapes(self) -> list[Curve | tuple[Point, Point]]:
        """The curve or line of the first body, and that of the second, unless it has a circle."""
        return list(self.curves or [x for x in (self.curve, self.line) if x is not None])

    UNITS: ClassVar = {
        "radius": "m",
        "stiffness": "N/depth",
        "exponent": "1",
        "damping": "s/m",
        "coefficient": "1",
        "speed": "m/s",
    }
    SIZES: ClassVar = ("radius", "damping", "coefficient")
    POSITIVE: ClassVar = ("stiffness", "speed")

    def check(self, mechanism: Mechanism, where: str) -> None:
        check_ends(mechanism, self.between, where)
        if mechanism.dimension != 2:
            raise ForceError(f"{where}: contacts are in the plane only; in space use springs or bushings")
        stated = tuple(name for name in ("point", "curve", "line", "curves") if getattr(self, name) is not None)
        if stated not in (("point", "curve"), ("point", "line"), ("curve", "line"), ("curves",)):
            raise ForceError(
                f"{where} needs a `curve` or a `line`, and the `point` of a circle; or a curve and a line; or two "
                "`curves`"
            )
        if self.curves is not None and len(self.curves) != 2:
            raise ForceError(f"{where}: `curves` must be two, one on each body, not {len(self.curves)}")
        if self.point is None and self.radius:
            raise ForceError(f"{where}: its radius is that of a circle, whose `point` it lacks")
        points = [self.point] if self.point is not None else []
        ends = [mechanism.locate(point, where) for point in (*points, *(self.line or ()))]
        if self.line is not None and (len(self.line) != 2 or np.array_equal(ends[-2], ends[-1])):
            raise ForceError(f"{where}: its `line` needs two different points")
        super().check(mechanism, where)
        if not 1 <= self.exponent <= 10:
            raise ForceError(f"{where}: its exponent must be from 1 to 10, but is {self.exponent!r}")

    def bases(self, mechanism: Mechanism, units: Units) -> dict[str, float]:
        return super().bases(mechanism, units) | {"depth": units.meters**self.exponent}

    def base_units(self, mechanism: Mechanism) -> dict[str, str]:
        exponent = Fraction(str(float(self.exponent)))
        written = str(exponent) if exponent.denominator == 1 else f"({exponent})"
        return {"depth": "m" if exponent == 1 else f"m^{written}"}

    def ends(self) -> list[tuple[str, Point]]:
        circle = [] if self.point is None else [(self.between[1], self.point)]
        with_line = self.between[1 if self.curve else 0]
        return [*circle, *((with_line, point) for point in self.line or ())]
