"""Fields: a quantity over the values of two drivers, all others held, and which positions can be reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Count, checked, floats
from groupkin.errors import ArgumentError, QuantityError, shown
from groupkin.kinematics.motion.freedoms import freedoms_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.motion.ranges import ranges_of, scale, values_in
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.points import LARGEST
from groupkin.messages import counted
from groupkin.showing import InNotebooks
from groupkin.tolerances import ON_RANGE
from sglibrary import status as codes
from sglibrary.array_types import Array

MOST_STEPS = 1000
"""Values of each of the two drivers, at most."""

REACHED, NOT_ASSEMBLED, SINGULAR, OUTSIDE = range(4)
MEANING = ("reached", "cannot be assembled", "singular", "outside of ranges")
"""How the positions of a field end, by their status."""


@dataclass(frozen=True, eq=False)
class Field(InNotebooks):
    """A value over the values of two drivers.

    Attributes
    ----------
    program : Program
    over : (str, str)
        The two driven freedoms.
    sides : ((n,) array, (n,) array)
        Their values, m or rad.
    values : (n, n) array
        The value, rows by the second freedom; NaN where a position is not reached.
    status : (n, n) array of uint8
        Of each position: 0 reached, 1 it cannot be assembled, 2 it is singular, 3 it is outside of a range.
    outside : dict of str to int
        Number of positions outside of each range that is left, by its quantity.
    """

    program: Program
    over: tuple[str, str]
    sides: tuple[Array, Array]
    values: Array
    status: NDArray[np.uint8]
    outside: dict[str, int]

    def __repr__(self) -> str:
        return f"<Field of {self.program.mechanism.name}: {self.summary}>"

    @property
    def counts(self) -> dict[str, int]:
        """Number of positions by what becomes of them."""
        return dict(zip(MEANING, np.bincount(self.status.ravel(), minlength=len(MEANING)).tolist(), strict=True))

    @property
    def summary(self) -> str:
        """How many positions there are, and what becomes of them."""
        parts = [f"{number} {text}" for text, number in self.counts.items() if number or text == MEANING[REACHED]]
        ranges = ", ".join(f"{name} {number}" for name, number in self.outside.items())
        return f"{counted(self.status.size, 'position')}: {', '.join(parts)}{f' ({ranges})' if ranges else ''}"


@checked
def field(
    program: Program,
    value: str | Callable[[Motion], Array],
    over: Mapping[str, tuple[float, float]],
    at: Mapping[str, float] | None = None,
    steps: Count = 101,
) -> Field:
    """Compute a value over a section of the workspace: over two drivers, all others held.

    Parameters
    ----------
    program : Program
    value : str or callable
        A quantity that is one number and follows from positions, such as ``joint leg_1``; or a function that computes
        (n,) numbers of a motion of n steps, such as the conditioning of a Jacobian.
    over : mapping of str to (float, float)
        Two driven freedoms, such as ``joint pose.x``, and the least and the largest value of each, m or rad.
    at : mapping of str to float, optional
        Values of other drivers, m or rad. Default: those of the reference configuration.
    steps : int
        Values of each of the two.

    Returns
    -------
    Field

    Raises
    ------
    ArgumentError
        If a freedom is not driven, there are not two, or bounds are no range.
    QuantityError, UnknownNameError
        If the value is not one number.
    """
    if steps < 2 or steps > MOST_STEPS:
        raise ArgumentError(f"steps are from 2 to {MOST_STEPS}, not {steps}")
    sides, driven = _grid(program, over, at or {}, steps)
    motion = program.evaluate(driven)
    numbers = np.asarray(value(motion) if callable(value) else motion.read(value), float)
    if numbers.shape != (steps * steps,):
        raise QuantityError(f"the value of a field is one number at each step, not an array of shape {numbers.shape}")
    status, outside = _status(motion)
    values = np.where(status == REACHED, numbers, np.nan)
    first, second = over
    return Field(program, (first, second), sides, values.reshape(steps, steps), status.reshape(steps, steps), outside)


def _grid(
    program: Program, over: Mapping[str, tuple[float, float]], at: Mapping[str, float], steps: int
) -> tuple[tuple[Array, Array], Array]:
    """Values (steps,) of the two freedoms, and of all drivers (drivers, steps²) at all positions."""
    freedoms = [freedoms_of(Quantity("joint", x.joint), program.mechanism)[x.freedom] for x in program.drivers]
    values = np.array([np.full(steps * steps, driven.reference) for driven in program.drivers])

    def number(text: str) -> int:
        found = freedoms_of(text, program.mechanism)
        if len(found) != 1 or found[0] not in freedoms:
            names = ", ".join(map(str, freedoms))
            raise ArgumentError(f"{shown(text)} is not one driven freedom; there are {names}")
        return freedoms.index(found[0])

    for text, held in at.items():
        values[number(text)] = held
    rows = [number(text) for text in over]
    if len(set(rows)) != 2:
        raise ArgumentError(f"over names two different driven freedoms, not {shown(', '.join(over))}")
    bounds = [floats(ends) for ends in over.values()]
    if not all(ends.shape == (2,) and -LARGEST <= ends[0] < ends[1] <= LARGEST for ends in bounds):
        raise ArgumentError(f"over has a least and a larger value of each freedom, not {shown(dict(over))}")
    right, up = (np.linspace(ends[0], ends[1], steps) for ends in bounds)
    for row, grid in zip(rows, np.meshgrid(right, up), strict=True):
        values[row] = grid.ravel()
    return (right, up), values


def _status(motion: Motion) -> tuple[NDArray[np.uint8], dict[str, int]]:
    """What becomes of each position (n,), and how many are outside of each range that is left."""
    status = np.where(motion.solved, REACHED, NOT_ASSEMBLED).astype(np.uint8)
    others = ~np.isin(motion.status, (codes.SOLVED, codes.SINGULAR, codes.NO_INPUT)).any(axis=0)
    status[(motion.status == codes.SINGULAR).any(axis=0) & ~others] = SINGULAR
    outside = {}
    for each in ranges_of(motion.program):
        values, off = values_in(motion, each), ON_RANGE * scale(motion, each)
        past = motion.solved & np.any([stop.beyond(values) > off for stop in each.stops], axis=0)
        if past.any():
            outside[each.name] = int(past.sum())
            status[past] = OUTSIDE
    return status, outside
