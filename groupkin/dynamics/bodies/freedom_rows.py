"""Coordinates of joints along a motion, from points and directions of their bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.bodies.coordinate_rows import CoordinateRows
from groupkin.dynamics.bodies.linear_rows import Item, linear_rows
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.program.ready_program import once_per_program
from groupkin.model.geometry.coordinates import reference_coordinates, relation
from groupkin.model.geometry.frames import JointGeometry
from sglibrary.dynamics.lengths_and_angles import MIDDLE, SLIDE, TURN

Array = NDArray[np.float64]


def freedom_along(motion: Motion, joint: str, freedom: int) -> tuple[Array, Array]:
    """Read value and rate (n,) of a freedom; of a driven one those of its driver, whole turns included."""
    for k, driven in enumerate(motion.program.drivers):
        if (driven.joint, driven.freedom) == (joint, freedom):
            value, rate, _ = motion.driver(k)
            return value, rate
    rows = freedom_rows(motion.program, joint, freedom)
    return rows.value(motion), rows.rate(motion)


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
