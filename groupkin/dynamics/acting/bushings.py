"""Bushings: how far they are strained along a motion, their forces, and the same coded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.acting.along_coordinates import amount_of
from groupkin.dynamics.acting.coded import Coded
from groupkin.dynamics.acting.loads import Acting, Loads
from groupkin.dynamics.bodies.coordinate_rows import CoordinateRows
from groupkin.dynamics.bodies.linear_rows import Item, linear_rows
from groupkin.dynamics.bodies.masses import local_point
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.program.ready_program import once_per_program
from groupkin.mechanism.forces.bushing import Bushing
from groupkin.mechanism.forces.pull import Pull
from sglibrary.dynamics.lengths_and_angles import SINE, SLIDE, TURN

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


def acting(motion: Motion, load: Bushing, velocities: bool) -> Acting:
    """Compute forces and moments of a bushing on its second body along a motion, in the axes of the first."""
    coordinates, d = _strains(motion.program, load), motion.program.mechanism.dimension
    places, rates = coordinates[0].rows.positions(motion.q), coordinates[0].rows.rates(motion.v)
    strain = np.stack([each.value_at(places) for each in coordinates])
    rate = np.stack([each.rate_at(places, rates) for each in coordinates])
    amount, energy = np.zeros_like(strain), np.zeros(motion.times.size)
    for rows, pulls in zip((slice(d), slice(d, None)), load.pulls(d), strict=True):
        for law, axis in pulls:
            value, moving = axis @ strain[rows], axis @ rate[rows]
            amount[rows] += axis[:, None] * amount_of(law, value, moving, velocities)
            energy += law.stored(value)
    return Acting(amount, rate, energy, parts=PARTS[d])


def add(loads: Loads, load: Bushing, amount: Array) -> None:
    """Add a bushing, given its forces and moments in the axes of its first body."""
    d = loads.motion.program.mechanism.dimension
    places = _strains(loads.motion.program, load)[0].rows.positions(loads.motion.q)
    point, axes, others = places[1].T, places[2 : 2 + d], places[2 + d :]
    force, torque = (amount[:d, None] * axes).sum(axis=0), amount[d:]
    if d == 3:
        sides = [(others[s], axes[t], others[t], axes[s]) for s, t in CYCLE]
        along = [0.5 * (np.cross(a, b, axis=0) - np.cross(c, e, axis=0)) for a, b, c, e in sides]
        torque = sum(moment * way for moment, way in zip(amount[d:], along, strict=True))
    loads.add_between(load.between, point, torque, force)


def coded(program: Program, layout: Layout, load: Bushing, free: Ints) -> list[Coded]:
    """Code springs and dampers along and about the principal axes of a bushing's matrices."""
    d = program.mechanism.dimension
    shifts, turns = load.pulls(d)
    ends = _ends(program, load)
    slides: list[tuple[int, list[Item], Pull]] = [
        (SLIDE, [*ends, (load.between[0], axis, False)], law) for law, axis in shifts
    ]
    about = [(TURN if d == 2 else SINE, _turn(load, axis), law) for law, axis in turns]
    return [
        Coded([kind, *(layout.attach(*item) for item in items)], law.numbers((1.0, 1.0) if kind == TURN else ()))
        for kind, items, law in [*slides, *about]
    ]


PARTS = {2: ("x", "y", "turn"), 3: ("x", "y", "z", "turn.x", "turn.y", "turn.z")}

CYCLE = ((1, 2), (2, 0), (0, 1))
"""The two axes after each axis."""


def _ends(program: Program, load: Bushing) -> list[Item]:
    return [(body, local_point(program, body, point), True) for body, point in load.ends()]


def _turn(load: Bushing, axis: Array) -> list[Item]:
    """Directions whose products are the sine of the rotation about an axis; in the plane, sine and cosine."""
    first, second = load.between
    if len(axis) == 1:
        x, y = np.eye(2)
        return [(first, y, False), (second, x, False), (first, x, False), (second, x, False)]
    s, t = np.linalg.svd(axis[None])[2][1:]
    t = np.cross(axis, s)
    return [(first, t, False), (second, s, False), (first, s, False), (second, t, False)]


@once_per_program
def _strains(program: Program, load: Bushing) -> Sequence[CoordinateRows]:
    """Shifts and rotations of the second body in the axes of the first.

    The items are the ends, and then the axes of the first and those of the second body.
    """
    d = program.mechanism.dimension
    items = [*_ends(program, load), *((body, axis, False) for body in load.between for axis in np.eye(d))]
    rows = linear_rows(program, items)
    turns = [(TURN, (3, 4, 2, 4))] if d == 2 else [(SINE, (2 + t, 5 + s, 2 + s, 5 + t)) for s, t in CYCLE]
    places = [*((SLIDE, (0, 1, 2 + k)) for k in range(d)), *turns]
    return [CoordinateRows(kind, items, at, rows) for kind, at in places]
