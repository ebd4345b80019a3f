"""Bushings: how far they are strained along a motion, their forces, and the same coded."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from groupkin.dynamics.acting.along_coordinates import amount_of
from groupkin.dynamics.acting.loads import Acting, Coded, Loads
from groupkin.dynamics.bodies.coordinate_rows import CoordinateRows
from groupkin.dynamics.bodies.linear_rows import Item, linear_rows
from groupkin.dynamics.bodies.masses import local_point
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces.bushing import Bushing
from sglibrary.array_types import Array, Ints
from sglibrary.dynamics.lengths_and_angles import SINE, SLIDE, TURN

PARTS = {2: ("x", "y", "turn"), 3: ("x", "y", "z", "turn.x", "turn.y", "turn.z")}


def acting(motion: Motion, load: Bushing, velocities: bool) -> Acting:
    """Compute forces and moments of a bushing on its second body along a motion, in the axes of the first."""
    strains, d = _strains(motion.program, load), motion.program.mechanism.dimension
    places, rates = strains[0].rows.positions(motion.q), strains[0].rows.rates(motion.v)
    strain = np.stack([each.value_at(places) for each in strains])
    rate = np.stack([each.rate_at(places, rates) for each in strains])
    amount, energy = np.zeros_like(strain), np.zeros(motion.times.size)
    for rows, pulls in zip((slice(d), slice(d, None)), load.pulls(d), strict=True):
        for law, axis in pulls:
            value, moving = axis @ strain[rows], axis @ rate[rows]
            amount[rows] += axis[:, None] * amount_of(law, value, moving, velocities)
            energy += law.stored(value)
    return Acting(amount, rate, energy, parts=PARTS[d])


def add(loads: Loads, load: Bushing, amount: Array) -> None:
    """Add a bushing, given its forces and moments (k, n) in the axes of its first body."""
    strains, d = _strains(loads.motion.program, load), loads.motion.program.mechanism.dimension
    places = strains[0].rows.positions(loads.motion.q)
    force, torque = (amount[:d, None] * places[2 : 2 + d]).sum(axis=0), amount[d:]
    if d == 3:
        sides = [places[list(each.places)] for each in strains[d:]]
        ways = [0.5 * (np.cross(s2, t1, axis=0) - np.cross(t2, s1, axis=0)) for t1, s2, s1, t2 in sides]
        torque = (torque[:, None] * ways).sum(axis=0)
    loads.add_between(load.between, places[1].T, torque, force)


def coded(program: Program, layout: Layout, load: Bushing, free: Ints) -> list[Coded]:
    """Code springs and dampers along and about the principal axes of a bushing's matrices."""
    shifts, turns = load.pulls(program.mechanism.dimension)
    found = _coordinates(program, load, [axis for _, axis in shifts], [axis for _, axis in turns])
    return [
        Coded(each.coded(layout), law.numbers(each.of_angle))
        for each, (law, _) in zip(found, [*shifts, *turns], strict=True)
    ]


@once_per_program
def _strains(program: Program, load: Bushing) -> list[CoordinateRows]:
    """Shifts along and rotations about the axes of the first body."""
    d = program.mechanism.dimension
    return _coordinates(program, load, np.eye(d), np.eye(1 if d == 2 else 3))


def _coordinates(
    program: Program, load: Bushing, shifts: Iterable[Array], turns: Iterable[Array]
) -> list[CoordinateRows]:
    """Shifts along axes (d,) of the first body, and rotations about some, of the second body in it."""
    items: list[Item] = [(body, local_point(program, body, point), True) for body, point in load.ends()]
    forms = list[tuple[int, tuple[int, ...]]]()
    for axis in shifts:
        forms.append((SLIDE, (0, 1, len(items))))
        items.append((load.between[0], axis, False))
    for axis in turns:
        forms.append((TURN if len(axis) == 1 else SINE, tuple(range(len(items), len(items) + 4))))
        items += _turn(load, axis)
    rows = linear_rows(program, items)
    return [CoordinateRows(kind, items, places, rows) for kind, places in forms]


def _turn(load: Bushing, axis: Array) -> list[Item]:
    """Directions whose products are the sine of the rotation about an axis; in the plane, sine and cosine."""
    first, second = load.between
    if len(axis) == 1:
        x, y = np.eye(2)
        return [(first, y, False), (second, x, False), (first, x, False), (second, x, False)]
    s, t = np.linalg.svd(axis[None])[2][1:]
    t = np.cross(axis, s)
    return [(first, t, False), (second, s, False), (first, s, False), (second, t, False)]
