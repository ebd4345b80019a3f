"""Distances, displacements and angles along a motion, and the same for compiled code.

Both compute the formulas of `sglibrary.dynamics.lengths_and_angles` from points and directions of bodies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.bodies.linear_rows import Item, LinearRows, linear_rows
from groupkin.dynamics.bodies.masses import center, local_point
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.turns import with_turns
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.program.ready_program import once_per_program
from groupkin.mechanism.parts import Point
from groupkin.model.geometry.coordinates import whole_turns
from sglibrary.convention import of_arrays
from sglibrary.dynamics.lengths_and_angles import DISTANCE, TURN, coordinate, coordinate_rate

Array = NDArray[np.float64]

STEPS = slice(None)
"""Columns of a motion for the formulas."""


@dataclass(frozen=True, eq=False)
class CoordinateRows:
    """A coordinate as a function of points and directions.

    Attributes
    ----------
    kind : int
    items : list of (str, array, bool)
        Points and directions.
    places : tuple of int
        Which of them are the rows of the coordinate, in their order in `sglibrary.dynamics.lengths_and_angles`.
    rows : LinearRows
        Of all items.
    signs : tuple of float
        Of sine and cosine of an angle.
    near : float
        Angle from which that in the reference configuration differs by less than half a turn, less what it grows by
        with a displacement, rad.
    slope : float
        Growth of the angle of a screw with its displacement, rad/m.
    name : str
        Name of an angle whose whole turns are followed along a motion, for a warning; else empty.
    """

    kind: int
    items: list[Item]
    places: tuple[int, ...]
    rows: LinearRows
    signs: tuple[float, float] = (1.0, 1.0)
    near: float = 0.0
    slope: float = 0.0
    name: str = ""

    @property
    def followed(self) -> bool:
        """Whether whole turns are not known from the position alone, and are followed along a motion."""
        return self.kind == TURN and len(self.places) == 4 and bool(self.name)

    @property
    def of_angle(self) -> list[float]:
        """Numbers of an angle for compiled code."""
        return [*self.signs, self.near, self.slope]

    def value(self, motion: Motion) -> Array:
        """Compute the coordinate (n,) along a motion, m or rad; angles of joints without jumps."""
        value = self.value_at(self.rows.positions(motion.q))
        solved = np.isfinite(value)
        if not self.followed or motion.by_themselves or not solved.any():
            return value
        value = with_turns(motion, self._read, self.name)
        return value + whole_turns(self.near - value[int(np.argmax(solved))])

    def rate(self, motion: Motion) -> Array:
        """Compute its rate (n,), m/s or rad/s."""
        return self.rate_at(self.rows.positions(motion.q), self.rows.rates(motion.v))

    def value_at(self, places: Array) -> Array:
        """Compute the coordinate (n,) at positions (k, d, n) of the items; an angle is within half a turn of `near`."""
        found: Array = of_arrays(coordinate)(*self._arguments(places))
        return found

    def rate_at(self, places: Array, rates: Array) -> Array:
        """Compute the rate (n,) of the coordinate at positions and rates (k, d, n) of the items."""
        q, *others = self._arguments(places)
        found: Array = of_arrays(coordinate_rate)(q, rates.reshape(q.shape), *others)
        return found

    def coded(self, layout: Layout) -> list[int]:
        """Kind and rows for compiled code, in a layout that is extended by them."""
        return [self.kind, *(layout.attach(*self.items[k]) for k in self.places)]

    def _read(self, motion: Motion) -> tuple[Array, Array]:
        """Read the angle up to whole turns, and its rate where it is known."""
        angle = self.value_at(self.rows.positions(motion.q))
        return angle, self.rate(motion) if motion.inputs is None else np.zeros(0)

    def _arguments(self, places: Array) -> tuple[Array, list[int], list[float], int, slice]:
        d = places.shape[1]
        rows = [self.kind, *(d * k for k in self.places), *[-1] * (7 - len(self.places))]
        return places.reshape(-1, places.shape[2]), rows, [*[0.0] * 4, *self.of_angle], d, STEPS


@once_per_program
def distance_rows(program: Program, *ends: tuple[str, Point]) -> CoordinateRows:
    """Express the distance of points of two bodies; behind these the items are centers of mass of the bodies."""
    points: list[Item] = [(body, local_point(program, body, point), True) for body, point in ends]
    items: list[Item] = [*points, *((body, center(program, body), True) for body, _ in ends)]
    return CoordinateRows(DISTANCE, items, (0, 1), linear_rows(program, items))
