"""The scheme of a group around a hub: all that its instruction lists depend on, as plain data.

A hub is one body whose pose is unknown; its legs follow from where it is. Lengths are relative to the mechanism's size,
positions to a solved point, the base, which is that of the first equation. In the reference configuration the hub's
axes are the global ones. It reads a point for each equation, then the directions (`sglibrary.iterative.tables`); it
writes its pose, what is attached to it, and its legs. The constants are, one after another,

========= =======================================================================================
group     size of the mechanism, m
equations point of the hub (3), then of a distance its value, square, shift, slope and side; of a plane offset, slope
attached  coefficients
legs      those of closed forms
========= =======================================================================================

A distance that a driver changes is that of a telescope: with s the slope times the driver, t = s + shift is how far its
tip is ahead of its foot along the slide, on one side of it, and the square of the distance is that at s = 0 plus
s (s + 2 shift). The unknowns are the velocity of the hub's point relative to the base, and the hub's angular velocity
about its own axes.
"""

from typing import NamedTuple

NUMBERS = 8
"""Constants of an equation."""


class Equation(NamedTuple):
    """An equation: its kind, the number of a direction that is read, or -1, and that of a driver, or -1."""

    kind: int
    direction: int
    driver: int


class Leg(NamedTuple):
    """A leg.

    Attributes
    ----------
    kind : int
    equation : int
        Its first one.
    on_hub : bool
        Whether its foot is on the hub, and its tip on a solved body.
    axis : int
        Of a leg in space: number of the axis at its foot among the vectors that are written, or else read.
    constants : int
        Where its constants begin.
    """

    kind: int
    equation: int
    on_hub: bool
    axis: int
    constants: int


class Scheme(NamedTuple):
    """A group around a hub.

    Attributes
    ----------
    dimension : int
    counts : (5,) tuple of int
        What `sglibrary.straight.places` takes.
    still : tuple of bool
        Which of the points and directions that are read never change.
    equations : tuple of Equation
        As many as unknowns.
    attached : tuple of int
        Of each point of the hub that legs hang on, the equation that has it; -1 for an axis.
    legs : tuple of Leg
    """

    dimension: int
    counts: tuple[int, int, int, int, int]
    still: tuple[bool, ...]
    equations: tuple[Equation, ...]
    attached: tuple[int, ...]
    legs: tuple[Leg, ...]
