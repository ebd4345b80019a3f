"""The rate of energy of a motion, from velocities and accelerations of bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.bodies.masses import center, central_inertia

Array = NDArray[np.float64]


def rate_of_energy(motion: gk.Motion) -> list[Array]:
    """Terms of the rate of kinetic energy and of the energy in gravity, from velocities and accelerations, W."""
    terms = []
    mechanism = motion.program.mechanism
    gravity = np.array(mechanism.gravity or np.zeros(mechanism.dimension))
    for name in mechanism.movable:
        body, tensor = mechanism.body[name], central_inertia(motion.program, name)
        v, a = (motion.point_on(name, center(motion.program, name), order) for order in (1, 2))
        terms += [body.mass * (v * a).sum(axis=1), -body.mass * (v * gravity).sum(axis=1)]
        spin, gain = motion.angular_velocity(name), motion.angular_acceleration(name)
        if mechanism.dimension == 2:
            terms.append(tensor[0, 0] * spin * gain)
        else:
            rotation = motion.rotation(name)
            terms.append(np.einsum("ni,nij,nj->n", spin, rotation @ tensor @ np.swapaxes(rotation, 1, 2), gain))
    return terms
