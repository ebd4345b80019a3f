"""The moves of a joint along a motion: their twists as series in time, and what turns and shifts of its frames do.

The lines of the moves are found from the first frame of the joint, each turned and shifted by the moves before it. The
rates of the moves follow from the twist of the second frame relative to the first, which is the sum of theirs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.jacobians.rows import cross_matrix
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.freedoms import lines
from groupkin.model.trees import padded

Array = NDArray[np.float64]


def coordinate_changes(motion: Motion, name: str, order: int) -> Array:
    """Matrices that take turns and shifts of the two frames of a joint, and make changes of its coordinates.

    Parameters
    ----------
    motion : Motion
    name : str
        Of a joint without a curve.
    order : {0, 1}
        Changes of the coordinates, or of their rates.

    Returns
    -------
    (order + 1, freedoms, inputs, n) array
        For every coefficient of the series of turn and shift of the first frame, then of the second.
    """
    program, d = motion.program, motion.program.mechanism.dimension
    joint, form = program.mechanism.joint[name], program.mechanism.form(program.mechanism.joint[name])
    twists = move_twists(motion, name, order)
    inverse = np.linalg.pinv(twists[0])
    # at the second frame's origin: turn₂ - turn₁, and shift₂ - shift₁ - turn₁ × way
    geometry = program.geometry.joints[name]
    ends = [[motion.point_on(b, p, k) for b, p in zip(joint.bodies, geometry.points, strict=True)] for k in (0, 1)]
    relative = [_relative(padded(second - first), d, k == 0) for k, (first, second) in enumerate(ends)]
    found = [inverse @ relative[0]]
    if order == 1:
        # y = S θ and y' = S' θ + S θ'
        found = [inverse @ (relative[1] - twists[1] @ found[0]), found[0]]
    return np.moveaxis(np.array(found)[:, :, list(form.places)], 1, -1)


def _relative(way: Array, d: int, whole: bool) -> Array:
    """The twist of the second frame, about its origin, relative to the first: matrices (n, 6, inputs).

    Not `whole` is its rate, where `way` is that of the way between the origins.
    """
    n, e = len(way), np.eye(3)
    found = np.zeros((n, 6, 12))
    if whole:
        found[:, :3, :3], found[:, :3, 6:9] = -e, e
        found[:, 3:, 3:6], found[:, 3:, 9:] = -e, e
    found[:, 3:, :3] = cross_matrix(way)
    return found if d == 3 else found[..., [2, 3, 4, 8, 9, 10]]


def move_twists(motion: Motion, name: str, orders: int) -> list[Array]:
    """Twists of the moves of a joint about the origin of its second frame, and their first derivatives by time.

    Returns
    -------
    list of (n, 6, moves) array
        As many as `orders`, 0 or 1, and one.
    """
    program = motion.program
    joint, geometry = program.mechanism.joint[name], program.geometry.joints[name]
    form = program.mechanism.form(joint)
    axes, points, _ = lines(motion, name, solved=False)
    center = padded(motion.point_on(joint.bodies[1], geometry.points[1]))
    rotation = [move.rotation for move in form.moves]
    twists = [np.stack([_twist(e, center - p, turns) for e, p, turns in zip(axes, points, rotation, strict=True)], -1)]
    if orders:
        spins = [_spin(motion, body) for body in joint.bodies]
        ends = [padded(motion.point_on(b, p, 1)) for b, p in zip(joint.bodies, geometry.points, strict=True)]
        origin = padded(motion.point_on(joint.bodies[0], geometry.points[0]))
        shift = ends[1] - ends[0] - np.cross(spins[0], center - origin)
        whole = np.concatenate([spins[1] - spins[0], shift], axis=1)
        rates = (np.linalg.pinv(twists[0]) @ whole[..., None])[..., 0]
        spin, at, velocity, columns = spins[0].copy(), origin, ends[0].copy(), []
        for k, turns in enumerate(rotation):
            velocity = velocity + np.cross(spin, points[k] - at)
            at = points[k]
            turned = np.cross(spin, axes[k])
            column = _twist(turned, center - at, turns)
            if turns:
                column[:, 3:] += np.cross(axes[k], ends[1] - velocity)
                spin = spin + axes[k] * rates[:, k : k + 1]
            else:
                velocity = velocity + axes[k] * rates[:, k : k + 1]
            columns.append(column)
        twists.append(np.stack(columns, axis=-1))
    return twists


def _twist(axis: Array, arm: Array, turns: bool) -> Array:
    """Twist (n, 6) of a rotation about an axis, `arm` being the way from a point on it, or of a displacement."""
    return np.concatenate([axis, np.cross(axis, arm)] if turns else [np.zeros_like(axis), axis], axis=1)


def _spin(motion: Motion, body: str) -> Array:
    """Angular velocity (n, 3), rad/s."""
    spin = motion.angular_velocity(body)
    return spin if spin.ndim > 1 else np.stack([0.0 * spin, 0.0 * spin, spin], axis=1)
