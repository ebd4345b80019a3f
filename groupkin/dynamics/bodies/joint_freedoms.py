"""Forces and torques in joints, along or about one freedom, as wrenches on the two bodies."""

from __future__ import annotations

import numpy as np

from groupkin.dynamics.bodies.linear_rows import LinearRows, linear_rows
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.lines import lines_of
from groupkin.mechanism.mechanism import Joint
from groupkin.model.geometry.coordinates import relation
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.trees import padded
from sglibrary.array_types import Array

ONE_AXIS = ("R", "P", "C")
"""Joints whose freedoms are rotations about and slides along one axis."""


def twists(motion: Motion, joint: str) -> tuple[Array, Array]:
    """Compute what the second body of a joint can do relative to the first; see `twists_of`."""
    return twists_of(motion, motion.program.mechanism.joint[joint], motion.program.geometry.joints[joint])


def twists_of(motion: Motion, stated: Joint, geometry: JointGeometry) -> tuple[Array, Array]:
    """Compute what the second body of a joint can do relative to the first, whether the mechanism has it or not.

    Returns
    -------
    (n, 6, freedoms) array
        Angular velocity, and velocity of the joint's point on the second body in sizes of the mechanism, for unit rates
        of the freedoms.
    (n, d) array
        The point, m.
    """
    size = motion.program.geometry.size
    point = motion.point_on(stated.bodies[1], geometry.points[1])
    form, (axes, points, bends) = motion.program.mechanism.form(stated), lines_of(motion, stated, geometry)
    found = []
    for k, (move, axis, on_axis) in enumerate(zip(form.moves, axes, points, strict=True)):
        spin = axis if move.rotation else bends[k][:, None] * np.array([0.0, 0.0, 1.0])
        velocity = np.cross(spin, padded(point) - on_axis) + (0.0 if move.rotation else axis)
        found.append(np.concatenate([spin, velocity / size], axis=1))
    if form.coupled is not None:  # one of the two moves follows the other
        first, second = form.coupled
        coefficients, _ = relation(form, geometry)
        found[first] = found[first] - coefficients[0] / coefficients[1] * found[second]
    return np.stack([found[k] for k in form.places], axis=2), point


def unit_wrench(motion: Motion, joint: str, freedom: int) -> tuple[Array, Array, Array]:
    """Compute the wrench on the second body whose power is the rate of one freedom alone.

    Of all such wrenches it is the one in the span of the freedoms' `twists`: a torque about the axis of a hinge, a
    force along a slide. What differs from it is borne by the joint.

    Returns
    -------
    (1 or 3, n) array
        Torque about the joint's point on the second body.
    (d, n) array
        Force.
    (d, n) array
        The point, m.
    """
    d, size = motion.program.mechanism.dimension, motion.program.geometry.size
    if motion.program.mechanism.joint[joint].type in ONE_AXIS:
        return _along_axis(motion, joint, freedom)
    columns, point = twists(motion, joint)
    turned = np.swapaxes(columns, 1, 2)
    dual = np.asarray(np.linalg.solve(turned @ columns, turned)[:, freedom])
    torque, force = dual[:, :3], dual[:, 3:] / size
    return (torque if d == 3 else torque[:, 2:]).T, force[:, :d].T, point.T


def _along_axis(motion: Motion, joint: str, freedom: int) -> tuple[Array, Array, Array]:
    """Return the unit wrench of a rotation about the one axis of a joint, or of a slide along it."""
    mechanism = motion.program.mechanism
    d, n = mechanism.dimension, motion.times.size
    axis, point = _axis_rows(motion.program, joint, freedom).positions(motion.q)
    if not mechanism.form(mechanism.joint[joint]).moves[freedom].rotation:
        return np.zeros((2 * d - 3, n)), axis, point
    return np.ones((1, n)) if d == 2 else axis, np.zeros((d, n)), point


@once_per_program
def _axis_rows(program: Program, joint: str, freedom: int) -> LinearRows:
    """Express the one axis of a joint, and its point on the second body, by the rows of a motion."""
    stated, geometry = program.mechanism.joint[joint], program.geometry.joints[joint]
    k = 0 if program.mechanism.dimension == 2 else program.mechanism.form(stated).moves[freedom].axis
    axis = (stated.bodies[0], geometry.frames[0][:, k], False)
    return linear_rows(program, [axis, (stated.bodies[1], geometry.points[1], True)])
