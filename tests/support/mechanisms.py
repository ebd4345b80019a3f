"""Small mechanisms that tests share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import groupkin as gk

EXAMPLES = Path(__file__).parents[2] / "examples"

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

HINGES = {"A": ("ground", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker"), "D": ("rocker", "ground")}


def four_bar(
    points: Mapping[str, Sequence[float]], drivers: Collection[gk.Driver] = (), coupler: str | gk.Body = "coupler"
) -> gk.Mechanism:
    """A four-bar with its hinges A, B, C and D at these points, m; without points it has no geometry."""
    joints = [gk.Joint(name, "R", ends, point=name if points else None) for name, ends in HINGES.items()]
    return gk.Mechanism(2, ["ground", "crank", coupler, "rocker"], joints, drivers, points=points)


def crank_rocker(law: Any = None, rocker: float = 3.0) -> gk.Mechanism:
    """A frame of 4 m, a crank of 1 m, a coupler of 3.2 m and a rocker; by default the crank turns once per second."""
    x = 1.0 + (3.2**2 - rocker**2 + 9.0) / 6.0
    knee = (x, float(np.sqrt(3.2**2 - (x - 1.0) ** 2)))
    points = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": knee, "D": (4.0, 0.0)}
    return four_bar(points, [gk.Driver("A", law or gk.Ramp(2 * np.pi))])


def stewart_with_lengths() -> gk.Mechanism:
    """The platform driven by its pose, with lengths of its legs as formulas of points on platform and base."""
    found = gk.load(EXAMPLES / "stewart_inverse.toml")
    ends = {"platform": "P", "base": "B"}
    bodies = [
        replace(body, points={f"{body.name} {k}": found.points[f"{ends[body.name]}{k}"] for k in range(1, 7)})
        if body.name in ends
        else body
        for body in found.bodies
    ]
    lengths = {f"length_{k}": f"norm({{position 'platform {k}'}} - {{position 'base {k}'}})" for k in range(1, 7)}
    return replace(found, bodies=bodies, outputs=lengths)
