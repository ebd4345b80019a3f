"""Units of reports: those of the mechanism's file instead of meters and radians."""

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


def file_units(text: str) -> Units:
    """Read the units from the text of a mechanism's file, TOML or JSON; SI if there are none.

    Examples
    --------
    >>> file_units('units = { length = "mm", angle = "deg" }')
    Units(length='mm', angle='deg')
    """
    match _decoded(text):
        case {"units": {**units}}:
            length, angle = (str(units.get(key)) for key in ("length", "angle"))
            return Units(length if length in METERS else SI.length, angle if angle in RADIANS else SI.angle)
    return SI


def _decoded(text: str) -> Any:
    """Decode JSON or TOML: no text is both."""
    for decode in (json.loads, tomllib.loads):
        try:
            return decode(text)
        except ValueError:
            continue
    return {}


def conversion(unit: str, units: Units) -> tuple[float, str]:
    """Return the factor from an SI unit to that of a report, and the name of the latter.

    Examples
    --------
    >>> conversion("m/s^2", Units("mm", "deg"))
    (1000.0, 'mm/s^2')
    >>> conversion("Hz", Units("mm", "deg"))
    (1.0, 'Hz')
    """
    base, *per = unit.split("/")
    factors = {"m": (1.0 / METERS[units.length], units.length), "rad": (1.0 / RADIANS[units.angle], units.angle)}
    factor, name = factors.get(base, (1.0, base))
    return factor, "/".join([name, *per])


def name_with_unit(name: str, unit: str) -> str:
    """Append its unit to a name.

    Examples
    --------
    >>> name_with_unit("height", "mm"), name_with_unit("conditioning", "1")
    ('height [mm]', 'conditioning')
    """
    return name if unit in ("", "1") else f"{name} [{unit}]"
