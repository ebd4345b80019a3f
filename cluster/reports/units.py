"""Units of reports: those of the mechanism's file instead of meters and radians."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from groupkin.mechanism.units import KNOWN
from groupkin.mechanism.units import SI as SI
from groupkin.mechanism.units import Units as Units
from groupkin.mechanism.units import conversion as conversion


def file_units(text: str) -> Units:
    """Read the units from the text of a mechanism's file, TOML or JSON; SI if there are none.

    Examples
    --------
    >>> file_units('units = { length = "mm", angle = "deg" }')
    Units(length='mm', angle='deg', mass='kg', force='N')
    """
    match _decoded(text):
        case {"units": {**units}}:
            stated = {key: str(units.get(key)) for key in KNOWN}
            return Units(**{key: unit for key, unit in stated.items() if unit in KNOWN[key]})
    return SI


def _decoded(text: str) -> Any:
    """Decode JSON or TOML: no text is both."""
    for decode in (json.loads, tomllib.loads):
        try:
            return decode(text)
        except ValueError:
            continue
    return {}


def name_with_unit(name: str, unit: str) -> str:
    """Append its unit to a name.

    Examples
    --------
    >>> name_with_unit("height", "mm"), name_with_unit("conditioning", "1")
    ('height [mm]', 'conditioning')
    """
    return name if unit in ("", "1") else f"{name} [{unit}]"
