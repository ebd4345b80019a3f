"""Masses of bodies, and what they add to loads, energy and momentum along a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.force_checks import MIDDLE, inertia_tensor
from groupkin.mechanism.mechanism import Mechanism

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mass:
    """The mass of a body.

    Attributes
    ----------
    body : str
    mass : float
        kg.
    center : (d,) array
        Center of mass in local coordinates, m.
    second : (d, d) array
        Second moments of mass about the center, ∫ x xᵀ dm, in local axes, kg m²; in the plane half of the moment of
        inertia times the identity, which turns alike.
    """

    body: str
    mass: float
    center: Array
    second: Array


def masses(program: Program) -> list[Mass]:
    """List the movable bodies that have a mass or an inertia."""
    mechanism = program.mechanism
    found = []
    for name in mechanism.movable:
        body = mechanism.body[name]
        tensor = inertia_tensor(body, mechanism.dimension)
        if body.mass or tensor.any():
            second = 0.5 * np.trace(tensor) * np.eye(3) - tensor if len(tensor) == 3 else 0.5 * tensor * np.eye(2)
            found.append(Mass(name, body.mass, _center(program, name), second))
    return found


def _center(program: Program, name: str) -> Array:
    mechanism, geometry = program.mechanism, program.geometry
    center = mechanism.body[name].center
    if center is None:  # an inertia without mass, of a flywheel
        return geometry.origins[name]
    if center == MIDDLE and MIDDLE not in mechanism.positions:
        joints = mechanism.joints_of[name]
        return np.mean([geometry.joints[joint.name].points[joint.bodies.index(name)] for joint in joints], axis=0)
    return local_point(program, name, center)


def local_point(program: Program, body: str, point: object) -> Array:
    """Local coordinates (d,) of a point that is fixed in a body: a name or global reference coordinates, m."""
    found = program.geometry.points.get(point) if isinstance(point, str) else None
    if found is not None and found[0] == body:
        return found[1]
    return program.mechanism.locate(point, f"a point of body {body!r}")  # type: ignore[arg-type]


def total(mechanism: Mechanism) -> float:
    """Total mass of the movable bodies, kg."""
    return sum(mechanism.body[name].mass for name in mechanism.movable)


def inertia_loads(motion: Motion, mass: Mass) -> tuple[Array, Array]:
    """Compute the torque about the center of mass (1 or 3, n), N m, and the force (d, n), N, of inertia.

    The rate of spin of a body with the directions d_k is Σ P_kl d_k × d̈_l with its second moments P, so that no
    angular velocity is needed.
    """
    force = -mass.mass * motion.point_on(mass.body, mass.center, 2).T
    directions, rates = (motion.rotation_rate(mass.body, order).transpose(2, 1, 0) for order in (0, 2))
    weighted = np.einsum("kl,kin->lin", mass.second, directions)
    return -_crossed(weighted, rates).sum(axis=0), force


def _crossed(a: Array, b: Array) -> Array:
    """Cross products (k, 1 or 3, n) of vectors (k, d, n)."""
    if a.shape[1] == 2:
        return a[:, :1] * b[:, 1:] - a[:, 1:] * b[:, :1]
    return np.cross(a, b, axis=1)


def kinetic_energy(motion: Motion, mass: Mass) -> Array:
    """Compute the kinetic energy (n,), J."""
    velocity = motion.point_on(mass.body, mass.center, 1)
    rates = motion.rotation_rate(mass.body, 1)
    turning = np.einsum("nik,kl,nil->n", rates, mass.second, rates)
    return 0.5 * mass.mass * (velocity * velocity).sum(axis=1) + 0.5 * turning


def potential_energy(motion: Motion, mass: Mass) -> Array:
    """Compute the energy (n,) in the mechanism's gravity, zero at the global origin, J."""
    gravity = motion.program.mechanism.gravity
    if not gravity:
        return np.zeros(motion.times.size)
    return -mass.mass * motion.point_on(mass.body, mass.center) @ np.array(gravity)
