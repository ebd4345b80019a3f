"""Units of mechanism files, against factors written out."""

from __future__ import annotations

import numpy as np
import pytest

from cluster.reports.units import SI, Units, conversion, file_units, name_with_unit


@pytest.mark.parametrize(
    ("unit", "factor", "text"),
    [
        ("m", 1 / 0.0254, "in"),
        ("m/s", 1 / 0.0254, "in/s"),
        ("m/s^2", 1 / 0.0254, "in/s^2"),
        ("rad", 180 / np.pi, "deg"),
        ("rad/s^3", 180 / np.pi, "deg/s^3"),
        ("s", 1.0, "s"),
        ("1", 1.0, "1"),
        ("", 1.0, ""),
        ("m, rad", 1.0, "m, rad"),
    ],
)
def test_units_of_numbers(unit: str, factor: float, text: str) -> None:
    found = conversion(unit, Units("in", "deg"))
    assert found == (pytest.approx(factor, rel=1e-15), text)
    assert conversion(unit, SI) == (1.0, unit)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[units]\nlength = "mm"', Units("mm", "rad")),
        ('{"units": {"angle": "deg"}}', Units("m", "deg")),
        ('name = "without"', SI),
        ('units = "mm"', SI),
        ('units = { length = "ell", angle = [3] }', SI),
        ("", SI),
        ("neither TOML nor JSON", SI),
        ("[1, 2]", SI),
    ],
)
def test_units_that_files_state(text: str, expected: Units) -> None:
    assert file_units(text) == expected


def test_names_have_units() -> None:
    assert [name_with_unit("a", unit) for unit in ("mm", "1", "")] == ["a [mm]", "a", "a"]
