"""What the error for the first step that failed says."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.mechanism.files import reading

CRANK = {"name": "A", "type": "R", "bodies": ["frame", "crank"], "point": [0, 0]}
DRIVER = {"joint": "A", "law": {"type": "ramp", "rate": 90}}


def linkage(*joints: dict[str, Any]) -> gk.Mechanism:
    """A crank and a dyad, in mm."""
    return reading.parse(
        {
            "dimension": 2,
            "units": {"length": "mm", "angle": "deg"},
            "bodies": ["frame", "crank", "coupler", "last"],
            "joints": [CRANK, *joints],
            "drivers": [DRIVER],
        }
    )


def error_of(mechanism: gk.Mechanism) -> tuple[float, float]:
    """The gap that the error names, mm, and the angle of the crank there, rad."""
    with pytest.raises(gk.errors.CannotAssembleError) as caught:
        gk.solve(mechanism, np.linspace(0.0, 2.0, 201))
    found = re.search(r"out of reach of each other, there by (\S+) mm; solved up to", str(caught.value))
    assert found
    return float(found[1]), np.deg2rad(90.0 * caught.value.time)


@pytest.mark.parametrize("bodies", [["last", "coupler"], ["coupler", "last"]])
def test_the_gap_of_a_dyad_with_three_pins_is_told(bodies: list[str]) -> None:
    far = linkage(
        {"name": "B", "type": "R", "bodies": ["crank", "coupler"], "point": [0, 1]},
        {"name": "C", "type": "R", "bodies": bodies, "point": [2, 1]},
        {"name": "D", "type": "R", "bodies": ["last", "frame"], "point": [3, 0]},
    )
    gap, turned = error_of(far)
    span = np.hypot(3.0 + np.sin(turned), np.cos(turned))
    assert gap == pytest.approx(span - 2.0 - np.sqrt(2.0), rel=1e-2)  # told to three digits


def test_the_gap_of_a_dyad_whose_ends_are_too_close_is_told() -> None:
    close = linkage(
        {"name": "B", "type": "R", "bodies": ["crank", "coupler"], "point": [2, 0]},
        {"name": "C", "type": "R", "bodies": ["coupler", "last"], "point": [-2, 0.5]},
        {"name": "D", "type": "R", "bodies": ["last", "frame"], "point": [0, 2]},
    )
    gap, turned = error_of(close)
    span = np.hypot(2.0 * np.cos(turned), 2.0 * np.sin(turned) - 2.0)
    assert gap == pytest.approx(np.hypot(4.0, 0.5) - np.hypot(2.0, 1.5) - span, rel=1e-2)


def test_the_gap_of_a_dyad_with_a_slide_is_told() -> None:
    gap, turned = error_of(
        linkage(
            {"name": "B", "type": "R", "bodies": ["crank", "coupler"], "point": [0, 50]},
            {"name": "C", "type": "R", "bodies": ["coupler", "last"], "point": [30, 20]},
            {"name": "D", "type": "P", "bodies": ["last", "frame"], "point": [120, -7], "axis": [1, 0]},
        )
    )
    assert gap == pytest.approx(20.0 - 50.0 * np.cos(turned) - np.hypot(30.0, 30.0), rel=1e-2)
