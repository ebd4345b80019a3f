"""Units that numbers are shown in: those of the mechanism's file in place of meters and radians."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from typing import Any

from groupkin.mechanism.files import METERS, RADIANS


@dataclass(frozen=True)
class Units:
    """Units of lengths and of angles; times are in seconds."""

    length: str = "m"
    angle: str = "rad"


SI = Units()


def units_of(text: str) -> Units:
    """The units that the text of a mechanism's file, TOML or JSON, states; SI where it states none.

    Examples
    --------
    >>> units_of('units = { length = "mm", angle = "deg" }')
    Units(length='mm', angle='deg')
    """
    match _decoded(text):
        case {"units": {**given}}:
            length, angle = (str(given.get(key)) for key in ("length", "angle"))
            return Units(length if length in METERS else SI.length, angle if angle in RADIANS else SI.angle)
    return SI


def _decoded(text: str) -> Any:
    """The text does not say which of the two it is, and no text is both."""
    for decode in (json.loads, tomllib.loads):
        try:
            return decode(text)
        except ValueError:
            continue
    return {}


def shown(unit: str, units: Units) -> tuple[float, str]:
    """What numbers in a unit of SI are multiplied with to be shown, and the unit that they are in then.

    Examples
    --------
    >>> shown("m/s^2", Units("mm", "deg"))
    (1000.0, 'mm/s^2')
    >>> shown("Hz", Units("mm", "deg"))
    (1.0, 'Hz')
    """
    base, *per = unit.split("/")
    found = {"m": (1.0 / METERS[units.length], units.length), "rad": (1.0 / RADIANS[units.angle], units.angle)}
    factor, name = found.get(base, (1.0, base))
    return factor, "/".join([name, *per])


def titled(name: str, unit: str) -> str:
    """A name with its unit.

    Examples
    --------
    >>> titled("height", "mm"), titled("conditioning", "1")
    ('height [mm]', 'conditioning')
    """
    return name if unit in ("", "1") else f"{name} [{unit}]"
