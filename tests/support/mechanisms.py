"""Small mechanisms that the tests of sweeps share."""

from __future__ import annotations

import groupkin as gk

FOUR_BAR = gk.Mechanism(
    2,
    ["ground", "crank", gk.Body("coupler", points=["P"]), "rocker"],
    [
        gk.Joint("a", "R", ("ground", "crank"), point="A"),
        gk.Joint("b", "R", ("crank", "coupler"), point="B"),
        gk.Joint("c", "R", ("coupler", "rocker"), point="C"),
        gk.Joint("d", "R", ("rocker", "ground"), point="D"),
    ],
    [gk.Driver("a", gk.Ramp(rate=6.0))],
    points={"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0), "P": (1.5, 3.0)},
    name="four-bar",
)
