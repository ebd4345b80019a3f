"""Distances, displacements and angles along a motion, and the same for compiled code.

Both compute the formulas of `sglibrary.dynamics.lengths_and_angles` from points and directions of bodies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from groupkin.dynamics.bodies.linear_rows import Item, LinearRows, linear_rows
from groupkin.dynamics.bodies.masses import center, local_point
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.turns import with_turns
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.parts import Point
from groupkin.model.geometry.coordinates import reference_coordinates, relation, whole_turns
from groupkin.model.geometry.frames import JointGeometry
from sglibrary.array_types import Array
from sglibrary.convention import of_arrays
from sglibrary.dynamics.lengths_and_angles import (
    DISTANCE,
    MIDDLE,
    SLIDE,
    TURN,
    coordinate,
    coordinate_acceleration,
    coordinate_rate,
)

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
        """Compute the rate (n,) of the coordinate along a motion, m/s or rad/s."""
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

    def acceleration(self, motion: Motion) -> Array:
        """Compute the acceleration (n,) of a coordinate of a joint along a motion, m/s² or rad/s²."""
        q, *others = self._arguments(self.rows.positions(motion.q))
        v, a = (self.rows.rates(rows).reshape(q.shape) for rows in (motion.v, motion.a))
        found: Array = of_arrays(coordinate_acceleration)(q, v, a, *others)
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


# --- coordinates of joints ------------------------------------------------------------------------


def freedom_along(motion: Motion, joint: str, freedom: int) -> tuple[Array, Array]:
    """Read value and rate (n,) of a freedom; of a driven one those of its driver, whole turns included."""
    for k, driven in enumerate(motion.program.drivers):
        if (driven.joint, driven.freedom) == (joint, freedom):
            value, rate, _ = motion.driver(k)
            return value, rate
    rows = freedom_rows(motion.program, joint, freedom)
    return rows.value(motion), rows.rate(motion)


def freedom_gain(motion: Motion, joint: str, freedom: int) -> Array:
    """Read the acceleration (n,) of a freedom; of a driven one that of its driver."""
    for k, driven in enumerate(motion.program.drivers):
        if (driven.joint, driven.freedom) == (joint, freedom):
            return np.asarray(motion.driver(k)[2])
    return freedom_rows(motion.program, joint, freedom).acceleration(motion)


@once_per_program
def freedom_rows(program: Program, joint: str, freedom: int) -> CoordinateRows:
    """Express a freedom of a joint, which is no contact and no gear, by points and directions of its bodies."""
    stated, geometry = program.mechanism.joint[joint], program.geometry.joints[joint]
    form, bodies = program.mechanism.form(stated), stated.bodies
    number = form.places[freedom]
    move, values = form.moves[number], reference_coordinates(form, geometry)
    near, slope, after = float(values[number]), 0.0, list[Item]()
    if not move.rotation:
        kind, items, signs = SLIDE, _slide(bodies, geometry, move.axis), (1.0, 1.0)
    else:
        turns = [k for k, each in enumerate(form.moves) if each.rotation]
        kind, items, signs = _angle(bodies, geometry, turns.index(number), len(turns))
        if form.coupled and number in form.coupled:  # whole turns of a screw are those of its displacement
            other = form.coupled[1 - form.coupled.index(number)]
            coefficients, _ = relation(form, geometry)
            own, others = (coefficients[form.coupled.index(k)] for k in (number, other))
            slope = float(-others / own)
            near -= slope * float(values[other])
            after = _slide(bodies, geometry, form.moves[other].axis)
    items += after
    rows, places = linear_rows(program, items), tuple(range(len(items)))
    return CoordinateRows(kind, items, places, rows, signs, near, slope, f"joint {joint!r}")


def _slide(bodies: tuple[str, ...], geometry: JointGeometry, axis: int) -> list[Item]:
    ends = [(body, geometry.points[side], True) for side, body in enumerate(bodies)]
    return [*ends, (bodies[0], geometry.frames[0][:, axis], False)]


def _angle(
    bodies: tuple[str, ...], geometry: JointGeometry, k: int, count: int
) -> tuple[int, list[Item], tuple[float, float]]:
    """Kind, rows and signs of rotation k of a joint, as `groupkin.model.geometry.coordinates` computes it."""
    x, y, z = 0, 1, 2
    bend = geometry.bend

    def axis(side: int, k: int, bent: bool = False) -> Item:
        axes = geometry.frames[side] if bend is None or not bent else geometry.frames[side] @ bend
        return bodies[side], axes[:, k], False

    if count == 1:
        return TURN, [axis(0, y), axis(1, x), axis(0, x), axis(1, x)], (1.0, 1.0)
    if count == 2:
        assert bend is not None
        sign = float(np.sign(bend[2, 1]))
        if k == 0:
            return TURN, [axis(0, x), axis(1, z), axis(0, y), axis(1, z)], (sign, -sign)
        return TURN, [axis(0, z), axis(1, x), axis(0, z), axis(1, y)], (sign, sign)
    if k == 0:
        return TURN, [axis(0, y, True), axis(1, z), axis(0, z, True), axis(1, z)], (-1.0, 1.0)
    if k == 1:
        return MIDDLE, [axis(0, x, True), axis(1, z), axis(1, x), axis(1, y)], (1.0, 1.0)
    return TURN, [axis(0, x, True), axis(1, y), axis(0, x, True), axis(1, x)], (-1.0, 1.0)
