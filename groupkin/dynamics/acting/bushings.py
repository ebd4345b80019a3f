"""Bushings along a motion: how far they are strained, and along what their forces act."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.bodies.masses import local_point
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.forces.force_checks import symmetric_matrix
from groupkin.mechanism.forces.forces import Bushing

Array = NDArray[np.float64]


class Strain(NamedTuple):
    """The strain of a bushing, and its rate.

    Attributes
    ----------
    point : (n, d) array
        On the second body, m.
    axes : (n, d, d) array
        Of the first body.
    shift, shift_rate : (d, n) array
        Of the point on the second body from that on the first, in the axes of the first, m and m/s.
    turn, turn_rate : (1 or 3, n) array
        rad and rad/s.
    torques : (1 or 3, 1 or 3, n) array
        On the second body, for a unit moment along each turn.
    """

    point: Array
    axes: Array
    shift: Array
    shift_rate: Array
    turn: Array
    turn_rate: Array
    torques: Array


def strain(motion: Motion, load: Bushing) -> Strain:
    """Compute the strain of a bushing along a motion."""
    bodies = load.between
    one, two = ([local_point(motion.program, body, load.point)] for body in bodies)
    axes, axes_rate = (motion.rotation_rate(bodies[0], order) for order in (0, 1))
    ends = [
        [motion.point_on(body, at[0], order) for order in (0, 1)] for body, at in zip(bodies, (one, two), strict=True)
    ]
    way, rate = (ends[1][order] - ends[0][order] for order in (0, 1))
    shift = np.einsum("nij,ni->jn", axes, way)
    shift_rate = np.einsum("nij,ni->jn", axes_rate, way) + np.einsum("nij,ni->jn", axes, rate)
    others, others_rate = (motion.rotation_rate(bodies[1], order) for order in (0, 1))
    relative = np.einsum("nki,nkj->nij", axes, others)
    if len(shift) == 2:
        spin = motion.angular_velocity(bodies[1]) - motion.angular_velocity(bodies[0])
        turn = np.arctan2(relative[:, 1, 0], relative[:, 0, 0])
        return Strain(ends[1][0], axes, shift, shift_rate, turn[None], spin[None], np.ones((1, 1, len(turn))))
    changing = np.einsum("nki,nkj->nij", axes_rate, others) + np.einsum("nki,nkj->nij", axes, others_rate)
    torques = [
        0.5 * (np.cross(others[:, :, s], axes[:, :, t]) - np.cross(others[:, :, t], axes[:, :, s])).T for s, t in CYCLE
    ]
    return Strain(ends[1][0], axes, shift, shift_rate, _axial(relative), _axial(changing), np.stack(torques))


CYCLE = ((1, 2), (2, 0), (0, 1))
"""The two axes after each axis."""


def _axial(matrices: Array) -> Array:
    """Vectors (3, n) of the skew parts of matrices (n, 3, 3)."""
    return np.stack([0.5 * (matrices[:, t, s] - matrices[:, s, t]) for s, t in CYCLE])


def matrices(load: Bushing, dimension: int) -> tuple[Array, Array, Array, Array]:
    """Read stiffness, damping, torsion and torsion damping of a bushing as matrices."""
    sizes = (dimension, dimension, *((1, 1) if dimension == 2 else (3, 3)))
    given = (load.stiffness, load.damping, load.torsion, load.torsion_damping)
    stiffness, damping, torsion, damped = (
        symmetric_matrix(each, size, f"force {load.name!r}") for each, size in zip(given, sizes, strict=True)
    )
    return stiffness, damping, torsion, damped
