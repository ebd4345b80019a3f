"""Masses of bodies, and what they add to loads and energy along a motion, all bodies at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from groupkin.dynamics.bodies.linear_rows import LinearRows, linear_rows
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.masses.mass_checks import around, inertia_tensor
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry import geometry
from sglibrary.array_types import Array, Ints


@dataclass(frozen=True)
class Masses:
    """The masses of the movable bodies that have one.

    Attributes
    ----------
    numbers : (k,) array of int
        Of the bodies, in the order of ``mechanism.movable``.
    masses : (k,) array
        kg.
    second : (k, d) array
        Second moments of mass ∫ x² dm about the center along the principal directions, kg m²; in the plane half of
        the moment of inertia for each of two directions, which turn alike.
    centers, directions : LinearRows
        The centers of mass, and d principal directions of each body.
    gravity : (d,) array
        m/s².
    """

    numbers: Ints
    masses: Array
    second: Array
    centers: LinearRows
    directions: LinearRows
    gravity: Array

    def inertia_loads(self, q: Array, a: Array) -> tuple[Array, Array]:
        """Compute the torques about the centers (k, 1 or 3, n), N m, and the forces (k, d, n), N, of inertia.

        Rows (rows, n) of a motion and their accelerations are given.

        The rate of spin of a body with the principal directions d_i is Σ P_i d_i × d̈_i with its second moments P, so
        that no angular velocity is needed.
        """
        force = -self.masses[:, None, None] * self.centers.rates(a)
        return self._turning(self.directions.positions(q), self.directions.rates(a)), force

    def _turning(self, directions: Array, gains: Array) -> Array:
        shape = (*self.second.shape, *directions.shape[1:])
        at, gain = directions.reshape(shape), gains.reshape(shape)
        if shape[2] == 2:
            crossed = at[:, :, :1] * gain[:, :, 1:] - at[:, :, 1:] * gain[:, :, :1]
        else:
            crossed = np.cross(at, gain, axis=2)
        return -np.einsum("ki,kijn->kjn", self.second, crossed)

    def weights(self) -> Array:
        """Compute the weights (k, d, 1), N."""
        return self.masses[:, None, None] * self.gravity[:, None]

    def kinetic_energy(self, motion: Motion) -> Array:
        """Compute the kinetic energy (n,), J."""
        speeds, turns = self.centers.rates(motion.v), self.directions.rates(motion.v)
        turns = turns.reshape(*self.second.shape, *turns.shape[1:])
        moving = np.einsum("k,kdn,kdn->n", self.masses, speeds, speeds)
        return 0.5 * (moving + np.einsum("ki,kijn,kijn->n", self.second, turns, turns))

    def potential_energy(self, motion: Motion) -> Array:
        """Compute the energy (n,) in gravity, zero at the global origin, J."""
        return -np.einsum("k,d,kdn->n", self.masses, self.gravity, self.centers.positions(motion.q))


@once_per_program
def masses(program: Program) -> Masses:
    """Gather the masses of the movable bodies of a program."""
    mechanism, d = program.mechanism, program.mechanism.dimension
    numbers, sizes, second, centers, directions = [], [], [], [], []
    for number, name in enumerate(mechanism.movable):
        body = mechanism.body[name]
        tensor = central_inertia(program, name)
        if not (body.mass or tensor.any()):
            continue
        axes, moments = np.eye(2), np.full(2, 0.5 * tensor[0, 0])
        if d == 3:
            moments, axes = np.linalg.eigh(0.5 * np.trace(tensor) * np.eye(3) - tensor)
        numbers.append(number)
        sizes.append(body.mass)
        second.append(moments)
        centers.append((name, center(program, name), True))
        directions += [(name, axes[:, k], False) for k in range(d)]
    return Masses(
        np.array(numbers, np.int64),
        np.array(sizes, float),
        np.array(second).reshape(-1, d),
        linear_rows(program, centers),
        linear_rows(program, directions),
        np.array(mechanism.gravity or np.zeros(d)),
    )


def central_inertia(program: Program, name: str) -> Array:
    """Compute the inertia (3, 3) of a body about its center of mass, kg m²; in the plane (1, 1)."""
    body = program.mechanism.body[name]
    tensor = inertia_tensor(body, program.mechanism.dimension)
    if body.about is None:
        return tensor
    return tensor - body.mass * around(center(program, name) - local_point(program, name, body.about))


def center(program: Program, name: str) -> Array:
    """Local coordinates (d,) of the center of mass of a body, m; of its origin if it has none."""
    return geometry.center(program.mechanism, program.geometry, name)


def local_point(program: Program, body: str, point: object) -> Array:
    """Local coordinates (d,) of a point that is fixed in a body: a name or global reference coordinates, m."""
    return geometry.local_point(program.mechanism, program.geometry, body, point)


def point_masses(program: Program) -> list[str]:
    """List the movable bodies that have a mass without inertia about its center."""
    bodies = program.mechanism.body
    return [
        name for name in program.mechanism.movable if bodies[name].mass and not central_inertia(program, name).any()
    ]


def total(mechanism: Mechanism) -> float:
    """Total mass of the movable bodies, kg."""
    return sum(mechanism.body[name].mass for name in mechanism.movable)


def moment(arm: Array, force: Array) -> Array:
    """Compute the moment (1 or 3, n) of a force (d, n) at the end of an arm (d, n)."""
    if len(arm) == 2:
        return (arm[0] * force[1] - arm[1] * force[0])[None]
    return np.cross(arm, force, axis=0)
