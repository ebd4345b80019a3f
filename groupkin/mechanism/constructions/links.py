"""Frames of links in space by rows of Denavit and Hartenberg (1955)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from groupkin.errors import GeometryError
from groupkin.mechanism.constructions.construction import Construction, with_name
from groupkin.mechanism.constructions.vectors import (
    Vector,
    cross,
    minus,
    plus,
)
from groupkin.mechanism.units import Units
from groupkin.mechanism.values import computed


@dataclass(frozen=True)
class Link(Construction):
    """A point of the frame of a link in space, by a row of Denavit and Hartenberg (1955) from the frame before it.

    The frame before is turned about its z axis by `angle`, shifted along z by `offset` and along the new x axis by
    `length`, and turned about that by `twist`.

    Parameters
    ----------
    frame : (str, str, str)
        Three points of the frame before it: its origin, one on its z axis and one on its x axis, each 1 m away.
    length, offset : float
        m.
    twist, angle : float
        rad.
    end : {"origin", "z", "x"}
        Which point of the new frame: its origin, or the one on its z or x axis, 1 m away.
    """

    POINTS = ("frame",)

    frame: tuple[str, str, str]
    length: float = 0.0
    twist: float = 0.0
    offset: float = 0.0
    angle: float = 0.0
    end: Literal["origin", "z", "x"] = "origin"

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        origin, *ends = (points[name] for name in self.frame)
        if len(origin) != 3:
            raise GeometryError("a link of Denavit and Hartenberg is for mechanisms in space")
        z, x = (minus(end, origin) for end in ends)
        y = cross(z, x)
        c, s = computed("cos", self.angle), computed("sin", self.angle)
        across = tuple(c * b - s * a for a, b in zip(x, y, strict=True))
        along = tuple(c * a + s * b for a, b in zip(x, y, strict=True))
        there = plus(plus(origin, z, self.offset), along, self.length)
        if self.end == "origin":
            return there
        if self.end == "x":
            return plus(there, along, 1.0)
        c, s = computed("cos", self.twist), computed("sin", self.twist)
        return tuple(o + c * a - s * b for o, a, b in zip(there, z, across, strict=True))


def from_denavit_hartenberg(name: str, rows: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Construct the frames of the links of a chain in space.

    Parameters
    ----------
    name : str
        Of the chain.
    rows : sequence of mapping of str to float
        Of each link `length` and `offset`, m, `twist` and `angle`, rad; 0 where not given. See `Link`.

    Returns
    -------
    dict of str to point
        For each frame, from that of the base, number 0, on: its origin, such as ``arm0``, and points on its z and x
        axes, such as ``arm0z`` and ``arm0x``. Link 1 turns about the axis from ``arm0`` through ``arm0z``.

    Examples
    --------
    >>> points = from_denavit_hartenberg("arm", [{"length": 0.3}, {"length": 0.2, "angle": 0.5}])
    >>> from groupkin.mechanism.constructions.construction import from_lengths
    >>> [round(x, 3) for x in from_lengths(points)["arm2"]]
    [0.476, 0.096, 0.0]
    """
    found: dict[str, Any] = {f"{name}0": (0.0, 0.0, 0.0), f"{name}0z": (0.0, 0.0, 1.0), f"{name}0x": (1.0, 0.0, 0.0)}
    for k, row in enumerate(rows):
        before = (f"{name}{k}", f"{name}{k}z", f"{name}{k}x")
        numbers = {key: with_name(x, f"{name}{k + 1}.{key}") for key, x in row.items()}
        for end, sign in (("origin", ""), ("z", "z"), ("x", "x")):
            found[f"{name}{k + 1}{sign}"] = Link(before, end=end, **numbers)  # type: ignore[arg-type]
    return found
