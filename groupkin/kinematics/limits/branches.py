"""Limits of a driver, branches between them and circuits that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import EndStop
from sglibrary.array_types import Array

End = Literal["turning point", "change point", "end stop", "end of the range", "goes on", "lost", "closed"]

KINDS: dict[str, End] = {
    "turn": "turning point",
    "change": "change point",
    "range": "end of the range",
    "far": "goes on",
    "lost": "lost",
    "closed": "closed",
}


@dataclass(frozen=True)
class Limit:
    """A value of the driver at which groups are singular, or a range ends.

    Attributes
    ----------
    number : int
    value : float
        Of the driver, rad or m.
    kind : {"turning point", "change point", "end stop"}
        At a turning point the driver turns back, as beyond it the first of the groups cannot be assembled; at a change
        point curves of configurations cross; at an end stop the range of a joint or another quantity ends.
    groups : tuple of int
        Numbers of the groups that are singular by themselves.
    circuit : int
    stop : EndStop, optional
        The end of a range.
    """

    number: int
    value: float
    kind: End
    groups: tuple[int, ...]
    circuit: int
    stop: EndStop | None = None


@dataclass(frozen=True, eq=False)
class Branch:
    """Configurations between limits, along which the driver goes one way.

    Attributes
    ----------
    number, circuit : int
    start, stop : float
        Values of the driver at its ends, rad or m; a branch that closes goes through whole turns.
    ends : (str, str)
        "turning point", "change point", "end stop", "end of the range"; "goes on" where it was followed far and comes
        to no end, "lost" where it could not be followed any further; "closed".
    limits : (int, int), of int or None
        Numbers of the limits at its ends.
    along : callable
        Computes `values` and `motion` at places (k,) along it, or at all its points: places are numbers of points, also
        between them, and before the first and beyond the last one of a branch that closes.
    lap : (int, int)
        Number of the whole curve that it is a part of, and turns of the driver on that.
    """

    number: int
    circuit: int
    start: float
    stop: float
    ends: tuple[End, End]
    limits: tuple[int | None, int | None]
    along: Callable[[Array | None], tuple[Array, Motion]] = field(repr=False)
    lap: tuple[int, int] = field(repr=False)

    @cached_property
    def _along(self) -> tuple[Array, Motion]:
        return self.along(None)

    @property
    def values(self) -> Array:
        """Values (n,) of the driver along the branch, rad or m."""
        return self._along[0]

    @property
    def motion(self) -> Motion:
        """Its configurations, from which positions are read as ``branch.motion.read("joint rocker")``.

        They have no velocities.
        """
        return self._along[1]


@dataclass(frozen=True)
class Circuit:
    """Branches that are connected: all configurations that can be reached without taking the mechanism apart.

    Attributes
    ----------
    number : int
    branches, limits : tuple of int
    low, high : float
        Least and largest value of the driver, rad or m.
    turns : int
        Turns of the driver after which the mechanism is where it was; 0 if the driver does not turn fully.
    """

    number: int
    branches: tuple[int, ...]
    limits: tuple[int, ...]
    low: float
    high: float
    turns: int


Found = tuple[tuple[Limit, ...], tuple[Branch, ...], tuple[Circuit, ...], bool]
"""Limits, branches, circuits, and whether all configurations were looked at."""


def circuit_of(number: int, branches: Sequence[Branch], found: Sequence[Limit], turns: int) -> Circuit:
    """Put together the circuit of a number, which goes full circle in some turns if the driver does not turn back."""
    own = [branch for branch in branches if branch.circuit == number]
    turning = any("turning point" in branch.ends for branch in own)
    at = [value for branch in own for value in (branch.start, branch.stop)]
    return Circuit(
        number,
        tuple(branch.number for branch in own),
        tuple(limit.number for limit in found if limit.circuit == number),
        min(at),
        max(at),
        0 if turning else turns,
    )
