"""Loads on bodies along a motion: inertia, gravity and forces of the user, and what compiled code takes of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from groupkin.dynamics.bodies.joint_freedoms import unit_wrench
from groupkin.dynamics.bodies.masses import center, masses, moment
from groupkin.kinematics.motion.motion import Motion
from sglibrary.array_types import Array


@dataclass(frozen=True)
class Loads:
    """Wrenches on the movable bodies, to which others are added.

    Attributes
    ----------
    motion : Motion
    wrenches : dict of int to (3 or 6, n) array
        Torque about the center of mass, N m, and force, N, in global components, of the bodies that have any, by their
        number among the movable ones.
    """

    motion: Motion
    wrenches: dict[int, Array] = field(default_factory=dict, repr=False)

    def add(self, body: str, point: Array, torque: Array | float, force: Array) -> None:
        """Add a torque (1 or 3, n) and a force (d, n) on a point (n, d) of a body; on the frame it has no effect."""
        self.add_on_arm(body, (point - self.motion.point_on(body, center(self.motion.program, body))).T, torque, force)

    def add_on_arm(self, body: str, arm: Array, torque: Array | float, force: Array) -> None:
        """Add the same, given the way (d, n) from the center of mass to the point."""
        if body != self.motion.program.mechanism.frame:
            self.add_torque(body, torque + moment(arm, force))
            self._rows(body)[-self.motion.program.mechanism.dimension :] += force

    def add_torque(self, body: str, torque: Array) -> None:
        """Add a torque (1 or 3, n) on a body."""
        if body != self.motion.program.mechanism.frame:
            self._rows(body)[: -self.motion.program.mechanism.dimension] += torque

    def add_between(self, bodies: tuple[str, ...], point: Array, torque: Array | float, force: Array) -> None:
        """Add a torque and a force at a point (n, d) on the second body, and their opposite on the first."""
        self.add(bodies[1], point, torque, force)
        self.add(bodies[0], point, -torque, -force)

    def _rows(self, body: str) -> Array:
        mechanism = self.motion.program.mechanism
        d, number = mechanism.dimension, mechanism.movable.index(body)
        if number not in self.wrenches:
            self.wrenches[number] = np.zeros((3 * (d - 1), self.motion.times.size))
        return self.wrenches[number]

    def add_in_joint(self, joint: str, freedom: int, amount: Array) -> Array:
        """Add a force or torque (n,) of the first body of a joint on the second, and its opposite on the first.

        Returns
        -------
        (3 or 6, n) array
            The torque about the joint's point on the second body, N m, and the force, N, on that body.
        """
        torque, force, point = unit_wrench(self.motion, joint, freedom)
        first, second = self.motion.program.mechanism.joint[joint].bodies
        for body, along in ((second, amount), (first, -amount)):
            if force.any():
                self.add(body, point.T, along * torque, along * force)
            else:
                self.add_torque(body, along * torque)
        return amount * np.concatenate([torque, force])


def sum_of(first: Loads, second: Loads) -> Loads:
    """Return the sum of loads."""
    both = first.wrenches | second.wrenches
    common = first.wrenches.keys() & second.wrenches.keys()
    shared = {number: first.wrenches[number] + second.wrenches[number] for number in common}
    return Loads(first.motion, {number: shared.get(number, rows.copy()) for number, rows in both.items()})


def with_masses(loads: Loads, velocities: bool) -> Array:
    """Compute the loads (bodies, 3 or 6, n) with gravity, and inertia if there are velocities."""
    motion, every = loads.motion, masses(loads.motion.program)
    d, n = motion.program.mechanism.dimension, motion.times.size
    total = np.zeros((len(motion.program.mechanism.movable), 3 * (d - 1), n))
    total[every.numbers, -d:] = every.weights()
    if velocities:
        torque, force = every.inertia_loads(motion.q, motion.a)
        total[every.numbers, :-d] += torque
        total[every.numbers, -d:] += force
    for number, rows in loads.wrenches.items():
        total[number] += rows
    return total


# --- forces of the user -----------------------------------------------------------------------


@dataclass(frozen=True)
class Acting:
    """What a force of the user does along a motion.

    Attributes
    ----------
    amount : (n,) or (k, n) array
        What a spring pushes its ends apart by, a force or torque in a joint, or components of a force or torque, N or
        N m.
    rate : (n,) or (k, n) array
        What it works along: rate of the distance or coordinate, velocity of the point or angular velocity.
    energy : (n,) array
        Stored by a spring, J.
    coordinate : (n,) array, optional
        Distance of the ends of a spring, of a contact's circle from its curve, or value of the freedom that it acts in,
        m or rad.
    parts : tuple of str
        What the k rows are, if they are not x, y and z; moments of a bushing begin with "turn".
    """

    amount: Array
    rate: Array
    energy: Array
    coordinate: Array | None = None
    parts: tuple[str, ...] = ("x", "y", "z")

    @property
    def size(self) -> Array:
        """Size (n,) of the force, without moments of a bushing, N, or of the torque, N m."""
        rows = np.atleast_2d(self.amount)
        forces = [k for k in range(len(rows)) if not self.parts[k].startswith("turn")]
        return np.linalg.norm(rows[forces], axis=0)

    @property
    def power(self) -> Array:
        """Power (n,) on the bodies, W."""
        product = self.amount * self.rate
        return product if product.ndim == 1 else product.sum(axis=0)


class Coded(NamedTuple):
    """A force as compiled code takes it.

    Attributes
    ----------
    rows : list of int
        Kind and rows.
    numbers : list of float
    curves : sequence of (int, array)
        Place among the numbers of where each begins, and the curve.
    component : int
        Component of the result of a function of the user; -1 where there is none.
    inertia : float
        Along the coordinate, kg m² or kg.
    """

    rows: list[int]
    numbers: list[float]
    curves: Sequence[tuple[int, Array]] = ()
    component: int = -1
    inertia: float = 0.0


def placed(numbers: Sequence[float], curves: Sequence[tuple[int, Array]], begin: int = 0) -> tuple[list[float], Array]:
    """Numbers of a force that say where its curves begin, the first at `begin`, and the curves, one after another."""
    found = list(numbers)
    for place, curve in curves:
        found[place] = float(begin)
        begin += curve.size
    return found, np.concatenate([np.zeros(0), *(curve for _, curve in curves)])
