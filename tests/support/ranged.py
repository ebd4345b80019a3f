"""A slider-crank by named values whose slide has a range, and what it does by closed formulas."""

from __future__ import annotations

from typing import Any

import numpy as np

import groupkin as gk
from groupkin.mechanism.files.reading import parse

CRANK, ROD = 0.05, 0.13
TIMES = np.linspace(0.0, 1.0, 721)
"""One turn, the crank upright at first, so that the slide is in at a quarter and out at three quarters of it."""


def slider_crank(ends: Any = ("-inf", "most"), **values: float) -> gk.Mechanism:
    """Crank r, rod l, and a slide whose coordinate is the distance of its pin from the bearing."""
    return parse(
        {
            "dimension": 2,
            "name": "engine",
            "values": {"r": CRANK, "l": ROD, "most": 0.17, **values},
            "points": {"A": [0, 0], "B": [0, "r"], "C": ["sqrt(l * l - r * r)", 0]},
            "bodies": ["frame", "crank", "rod", "piston"],
            "joints": [
                {"name": "bearing", "type": "R", "bodies": ["frame", "crank"], "point": "A"},
                {"name": "pin", "type": "R", "bodies": ["crank", "rod"], "point": "B"},
                {"name": "wrist", "type": "R", "bodies": ["rod", "piston"], "point": "C"},
                {
                    "name": "bore",
                    "type": "P",
                    "bodies": ["frame", "piston"],
                    "points": ["A", "C"],
                    "axis": [1, 0],
                    "range": list(ends),
                },
            ],
            "drivers": [{"joint": "bearing", "law": {"type": "ramp", "rate": 2 * np.pi}}],
        }
    )


def slide(times: Any, r: float = CRANK, length: float = ROD) -> np.ndarray:
    """The coordinate of the slide of a turn per second; NaN where the rod is too short."""
    angle = np.pi / 2 + 2 * np.pi * np.asarray(times)
    with np.errstate(invalid="ignore"):
        return np.asarray(r * np.cos(angle) + np.sqrt(length**2 - (r * np.sin(angle)) ** 2))


def leaving(most: float, r: float, length: float = ROD) -> float:
    """The time of `TIMES` at which the slide is first beyond a distance; NaN if it never is, as r + length tells."""
    if r + length <= most:
        return np.nan
    # r² + most² - 2 r most cos(angle) = length², on the way out
    angle = 2 * np.pi - np.arccos((r**2 + most**2 - length**2) / (2 * r * most))
    exact = (angle - np.pi / 2) / (2 * np.pi)
    return float(TIMES[np.searchsorted(TIMES, exact, side="right")])
