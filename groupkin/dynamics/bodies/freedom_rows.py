"""Coordinates of joints from points and directions of their bodies, without the placement of one in the other.

A displacement is e · (r - p), an angle has the sine ± y · z and the cosine ± x · w of directions of the two bodies, as
`sglibrary.dynamics.forces` takes them; so compiled code and NumPy read the same rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.bodies.linear_rows import Item, LinearRows, linear_rows
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.turns import with_turns
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.program.ready_program import once_per_program
from groupkin.model.geometry.coordinates import reference_coordinates, relation, whole_turns
from groupkin.model.geometry.frames import JointGeometry
from sglibrary.dynamics.forces import MIDDLE, SLIDE, TURN

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FreedomRows:
    """A freedom of a joint as a function of points and directions.

    Attributes
    ----------
    kind : int
        SLIDE, TURN or MIDDLE.
    items : list of (str, array, bool)
        The points and directions, in their order there.
    signs : tuple of float
        Of sine and cosine.
    near : float
        Angle from which that in the reference configuration differs by less than half a turn, less what it grows by
        with a displacement, rad.
    slope : float
        Of a screw, what it grows by with its displacement, rad/m, which `after` gives as a SLIDE.
    after : list of (str, array, bool)
    rows : LinearRows
        Of all these.
    name : str
        What it is, in a warning.
    """

    kind: int
    items: list[Item]
    signs: tuple[float, float]
    near: float
    slope: float
    after: list[Item]
    rows: LinearRows
    name: str

    def value(self, motion: Motion) -> Array:
        """Compute the coordinate (n,) along a motion, rad or m; angles without jumps."""
        at = self.rows.positions(motion.q)
        if self.kind == SLIDE:
            return _way(at)
        value = np.arctan2(*self._sides(at))
        if self.after:
            return value + whole_turns(self.near + self.slope * _way(at[4:]) - value)
        if self.kind == MIDDLE:
            return value
        start: int | slice = slice(None)
        if not motion.by_themselves:
            solved = np.isfinite(value)
            if not solved.any():
                return value
            value, start = with_turns(motion, self._read, self.name), int(np.argmax(solved))
        return value + whole_turns(self.near - value[start])

    def _read(self, motion: Motion) -> tuple[Array, Array]:
        """Read the angle up to whole turns, and its rate where it is known."""
        angle = np.arctan2(*self._sides(self.rows.positions(motion.q)))
        return angle, self.rate(motion) if motion.inputs is None else np.zeros(0)

    def rate(self, motion: Motion) -> Array:
        """Compute its rate (n,), rad/s or m/s."""
        at, moving = self.rows.positions(motion.q), self.rows.rates(motion.v)
        if self.kind == SLIDE:
            # the way between the points is along the axis of a joint that has one, but not of others
            return _dot(moving[2], at[1] - at[0]) + _dot(at[2], moving[1] - moving[0])
        sine, cosine = self._sides(at)
        rise, fall = self._side_rates(at, moving, cosine)
        return (cosine * rise - sine * fall) / (cosine * cosine + sine * sine)

    def coded(self, layout: Layout) -> tuple[int, list[int], list[float]]:
        """Kind, rows and numbers for `sglibrary.dynamics.forces`, the latter from the signs on."""
        rows, after = ([layout.attach(*item) for item in items] for items in (self.items, self.after))
        if self.kind == SLIDE:
            return SLIDE, rows, []
        return self.kind, [*rows, *(after or [-1] * 3)], [*self.signs, self.near, self.slope]

    def _sides(self, at: Array) -> tuple[Array, Array]:
        """Sine and cosine of the angle."""
        a, b, e, w = at[:4]
        if self.kind == MIDDLE:
            return _dot(a, b), np.hypot(_dot(a, e), _dot(a, w))
        return self.signs[0] * _dot(a, b), self.signs[1] * _dot(e, w)

    def _side_rates(self, at: Array, moving: Array, cosine: Array) -> tuple[Array, Array]:
        a, b, e, w = zip(at[:4], moving[:4], strict=True)
        if self.kind == MIDDLE:
            x, y = _dot(a[0], e[0]), _dot(a[0], w[0])
            return _dot_rate(a, b), (x * _dot_rate(a, e) + y * _dot_rate(a, w)) / cosine
        return self.signs[0] * _dot_rate(a, b), self.signs[1] * _dot_rate(e, w)


def _dot(x: Array, y: Array) -> Array:
    """Inner products (n,) of vectors (d, n)."""
    return sum((first * second for first, second in zip(x[1:], y[1:], strict=True)), x[0] * y[0])


def _dot_rate(x: tuple[Array, Array], y: tuple[Array, Array]) -> Array:
    return _dot(x[1], y[0]) + _dot(x[0], y[1])


def _way(at: Array) -> Array:
    return _dot(at[2], at[1] - at[0])


@once_per_program
def freedom_rows(program: Program, joint: str, freedom: int) -> FreedomRows:
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
    return FreedomRows(
        kind, items, signs, near, slope, after, linear_rows(program, [*items, *after]), f"joint {joint!r}"
    )


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
