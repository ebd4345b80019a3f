"""Units of files and of messages: lengths and angles; inside all numbers are in meters, radians and seconds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from groupkin.errors import ArgumentError
from groupkin.tolerances import ROUNDING

METERS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "km": 1e3, "in": 0.0254, "ft": 0.3048}
RADIANS = {"rad": 1.0, "deg": math.pi / 180}
KILOGRAMS = {"kg": 1.0, "g": 1e-3, "t": 1e3, "lb": 0.45359237}
NEWTONS = {"N": 1.0, "kN": 1e3, "MN": 1e6, "lbf": 4.4482216152605}
KNOWN = {"length": METERS, "angle": RADIANS, "mass": KILOGRAMS, "force": NEWTONS}
"""Units of every kind, with their sizes in SI units."""

WORDS = {"m": "meters", "rad": "radians", "deg": "degrees"}


@dataclass(frozen=True)
class Units:
    """Units of lengths, angles, masses and forces; times are in seconds.

    Moments are in the unit of forces times that of lengths, inertias in that of masses times that of lengths squared.

    Raises
    ------
    ArgumentError
        If there is no such unit.
    """

    length: str = "m"
    angle: str = "rad"
    mass: str = "kg"
    force: str = "N"

    def __post_init__(self) -> None:
        for name, units in KNOWN.items():
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

    @property
    def kilograms(self) -> float:
        """The unit of masses, kg."""
        return KILOGRAMS[self.mass]

    @property
    def newtons(self) -> float:
        """The unit of forces, N."""
        return NEWTONS[self.force]

    @property
    def sizes(self) -> tuple[float, ...]:
        """The units in the order of `BASES`, SI."""
        return self.kilograms, self.newtons, self.meters, self.radians, 1.0

    @property
    def names(self) -> str:
        """Both units in words.

        Examples
        --------
        >>> Units("mm", "deg").names
        'mm and degrees'
        """
        return " and ".join(WORDS.get(unit, unit) for unit in (self.length, self.angle))

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
        least = ROUNDING * max(map(abs, numbers), default=0.0)
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


BASES = ("kg", "N", "m", "rad", "s")
"""Base units of formulas; forces are not split into masses, lengths and times, as a file has a unit for each."""

Powers = tuple[Fraction, ...]
"""Exponents of the base units in a unit."""

NO_UNIT: Powers = (Fraction(0),) * len(BASES)
LENGTH, ANGLE = BASES.index("m"), BASES.index("rad")
"""Places of their exponents."""

_FACTOR = re.compile(r"([*/]?)(1|kg|N|m|rad|s)(?:\^(?:(\d+)|\((\d+/\d+)\)))?")


def powers(unit: str) -> Powers | None:
    """Read an SI unit such as ``m/s^2``; None if it is made of anything but kg, N, m, rad and s.

    Examples
    --------
    >>> powers("m/s^2") == (0, 0, 1, 0, -2), powers("Hz")
    (True, None)
    """
    exponents, end = dict.fromkeys(BASES, Fraction(0)), 0
    while end < len(unit):
        found = _FACTOR.match(unit, end)
        if found is None or bool(found[1]) == (end == 0):
            return None
        if found[2] in exponents:
            exponent = Fraction(found[3] or found[4] or 1)
            exponents[found[2]] += -exponent if found[1] == "/" else exponent
        end = found.end()
    return tuple(exponents.values()) if unit else None


def unit_text(exponents: Powers, names: Sequence[str] = BASES) -> str:
    """Write a unit with these exponents of the base units.

    Examples
    --------
    >>> unit_text(powers("m/s^2")), unit_text(powers("rad/m^(1/2)")), unit_text(powers("m*N"))
    ('m/s^2', 'rad/m^(1/2)', 'N*m')
    """

    def written(name: str, exponent: Fraction) -> str:
        if exponent == 1:
            return name
        return f"{name}^{exponent}" if exponent.denominator == 1 else f"{name}^({exponent})"

    both = list(zip(names, exponents, strict=True))
    above = "*".join(written(name, x) for name, x in both if x > 0)
    return (above or "1") + "".join(f"/{written(name, -x)}" for name, x in both if x < 0)


def factor_text(needed: Powers, given: Powers) -> str:
    """Write what, behind a number, gives it another unit in a formula; empty where it takes roots.

    Examples
    --------
    >>> factor_text(powers("m"), powers("rad")), factor_text(powers("m"), powers("m*rad"))
    (' * 1 m / 1 rad', ' / 1 rad')
    """
    exponents = [one - other for one, other in zip(needed, given, strict=True)]
    if any(x.denominator != 1 for x in exponents):
        return ""
    return "".join(
        f" {sign} 1 {name}" * max(0, int(x if sign == "*" else -x))
        for sign in "*/"
        for name, x in zip(BASES, exponents, strict=True)
    )


def conversion(unit: str, units: Units) -> tuple[float, str]:
    """Return the factor from an SI unit to others, and the name of the latter.

    Examples
    --------
    >>> conversion("m/s^2", Units("mm", "deg"))
    (1000.0, 'mm/s^2')
    >>> conversion("Hz", Units("mm", "deg")), conversion("N*m", Units("mm"))
    ((1.0, 'Hz'), (1000.0, 'N*mm'))
    """
    found = powers(unit)
    if found is None:
        return 1.0, unit
    if unit == "N*m":  # rounded once
        return 1.0 / (units.newtons * units.meters), f"{units.force}*{units.length}"
    factors = ((1.0 / size) ** float(exponent) for size, exponent in zip(units.sizes, found, strict=True))
    return math.prod(factors), unit_text(found, (units.mass, units.force, units.length, units.angle, "s"))


_PART = re.compile(r"([*/]?)([A-Za-z]+|1)(?:\^(?:(\d+)|\((\d+/\d+)\)))?")


def ratio(unit: str, other: str) -> float | None:
    """Return the factor from a unit to another of the same thing; None if they are of different things.

    Examples
    --------
    >>> ratio("mm/s^2", "m/s^2"), ratio("deg", "mm")
    (0.001, None)
    """
    factor, left = 1.0, dict[str, Fraction]()
    for sense, text in ((1, unit), (-1, other)):
        for sign, name, whole, share in _PART.findall(text):
            kind, size = next(((kind, units[name]) for kind, units in KNOWN.items() if name in units), (name, 1.0))
            exponent = sense * (-1 if sign == "/" else 1) * Fraction(whole or share or 1)
            factor *= size ** float(exponent)
            left[kind] = left.get(kind, Fraction(0)) + exponent
    return None if any(x for kind, x in left.items() if kind != "1") else factor


Choice = Literal["file", "SI"] | Units
"""Units of results: those of the mechanism's file, meters and radians, or others."""


def chosen(choice: Choice, of_file: Units) -> Units:
    """Return the units that are chosen for results."""
    if isinstance(choice, Units):
        return choice
    return SI if choice == "SI" else of_file
