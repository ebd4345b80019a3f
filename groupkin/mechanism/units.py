"""Units of files and of messages: lengths and angles; inside all numbers are in meters, radians and seconds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from groupkin.errors import ArgumentError

METERS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "km": 1e3, "in": 0.0254, "ft": 0.3048}
RADIANS = {"rad": 1.0, "deg": math.pi / 180}


@dataclass(frozen=True)
class Units:
    """Units of lengths and of angles; times are in seconds.

    Raises
    ------
    ArgumentError
        If there is no such unit.
    """

    length: str = "m"
    angle: str = "rad"

    def __post_init__(self) -> None:
        for name, units in (("length", METERS), ("angle", RADIANS)):
            if getattr(self, name) not in units:
                raise ArgumentError(f"the unit of {name} is one of {', '.join(units)}, not {getattr(self, name)!r}")

    @property
    def meters(self) -> float:
        """The unit of lengths, m."""
        return METERS[self.length]

    @property
    def radians(self) -> float:
        """The unit of angles, rad."""
        return RADIANS[self.angle]

    def text(self, value: float, unit: str = "m", digits: int = 6) -> str:
        """Write a number in meters or radians in these units, for messages.

        Examples
        --------
        >>> Units("mm", "deg").text(0.0123), Units("mm", "deg").text(3.2, "rad")
        ('12.3 mm', '183.346°')
        """
        factor, name = conversion(unit, self)
        return f"{factor * value + 0.0:.{digits}g}{_spaced(name)}"

    def vector(self, values: Iterable[float], unit: str = "m", digits: int = 4) -> str:
        """Write coordinates, those next to zero as zero.

        Examples
        --------
        >>> Units("mm").vector([0.1, -1e-17])
        '(100, 0) mm'
        """
        factor, name = conversion(unit, self)
        numbers = tuple(factor * x for x in values)
        least = 1e-12 * max(map(abs, numbers), default=0.0)
        return f"({', '.join(f'{x if abs(x) > least else 0.0:.{digits}g}' for x in numbers)}){_spaced(name)}"

    def sides(self, lengths: Iterable[float]) -> str:
        """Write the sides of a box.

        Examples
        --------
        >>> Units("mm").sides([0.1, 0.08])
        '100 × 80 mm'
        """
        return f"{' × '.join(f'{x / self.meters:.4g}' for x in lengths)}{_spaced(self.length)}"

    def span(self, low: float, high: float, unit: str = "m") -> str:
        """Write the least and the largest of some numbers, once if they are the same.

        Examples
        --------
        >>> Units(angle="deg").span(0.0, 3.2, "rad"), Units().span(2.0, 2.0)
        ('0 … 183.3°', '2 m')
        """
        ends = tuple(self.text(x, unit, digits=4) for x in (low, high))
        if ends[0] == ends[1]:
            return ends[0]
        return f"{ends[0].removesuffix(_spaced(conversion(unit, self)[1]))} … {ends[1]}"


def _spaced(name: str) -> str:
    return "°" if name == "deg" else f" {name}"


SI = Units()


def conversion(unit: str, units: Units) -> tuple[float, str]:
    """Return the factor from an SI unit to others, and the name of the latter.

    Examples
    --------
    >>> conversion("m/s^2", Units("mm", "deg"))
    (1000.0, 'mm/s^2')
    >>> conversion("Hz", Units("mm", "deg"))
    (1.0, 'Hz')
    """
    base, *per = unit.split("/")
    factors = {"m": (1.0 / units.meters, units.length), "rad": (1.0 / units.radians, units.angle)}
    factor, name = factors.get(base, (1.0, base))
    return factor, "/".join([name, *per])
