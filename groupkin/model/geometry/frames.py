"""Frames of a joint on its two bodies in the reference configuration, and the constants of its pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from groupkin.errors import GeometryError
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import PAIRS, Form, Freedom
from groupkin.mechanism.points import direction
from groupkin.model.geometry.cam_contact import Contact, touching
from groupkin.tolerances import ROUNDING
from sglibrary.array_types import Array


@dataclass(frozen=True)
class JointGeometry:
    """The two frames of a joint in local coordinates of its two bodies; arrays of variants have leading axes.

    Attributes
    ----------
    points : (..., 2, d) array
        Origin of the frame on the first and on the second body, m.
    frames : (..., 2, d, d) array
        Columns are the axes of the frame.
    cross_angle : (...) array or float
        Angle (rad) between the two axes of U, ER and PC, 0 for others.
    reference : tuple of float
        Angles (rad) of the moves as the user gives them, whole turns included; 0 for displacements.
    bend : (..., 3, 3) array, optional
        The fixed turn between two moves, where the pair has one.
    coupling : (..., 2) array, optional
        Coefficients of the two coupled moves, where the pair has them: 1 and m/rad, or two ratios of radii.
    values : (..., moves) array, optional
        Values of all moves in the reference configuration, m and rad, whole turns included. Default: those that follow
        from the frames, the two bodies having the same coordinates there.
    axis_points : (..., 2, 2, d) array, optional
        Of an axis through two named points: both points on the first and on the second body, m.
    contact : Contact, optional
        The curves of a cam in the coordinates of the two frames, and what touches them.
    """

    points: Array
    frames: Array
    cross_angle: Array | float = 0.0
    reference: tuple[float, ...] = ()
    bend: Array | None = None
    coupling: Array | None = None
    values: Array | None = None
    axis_points: Array | None = None
    contact: Contact | None = None


def frames(joint: Joint, form: Form, points: Array) -> JointGeometry:
    """Compute the frames of a joint in the reference configuration.

    Parameters
    ----------
    joint : Joint
    form : Form
    points : (..., 2, d) array
        Origins of the frames, m; of variants of the mechanism, with the same axes.
    """
    d = points.shape[-1]
    angles = _reference_angles(joint, form)
    axes = _axes(joint, d)
    if form.frames == "crossed":
        return crossed(form, points, axes, angles)
    if form.frames == "centers":
        return _between_centers(joint, form, points, axes, angles)
    if form.frames == "curve":
        return _along_curve(joint, points, axes, angles)
    first = _first(joint, axes)
    coupling: Array | None = None
    if form.frames == "line":
        height = np.sum((points[..., 1, :] - points[..., 0, :]) * first[..., 1], axis=-1)
        if np.any(np.abs(height) <= ROUNDING * np.abs(points).max(axis=(-2, -1))):
            raise GeometryError(
                f"joint {joint.name!r}: the center of the wheel lies on the line it rolls on; "
                "give as `points` one on the line and the center"
            )
        coupling = np.stack([np.ones_like(height), height], axis=-1)
        if form.raised:
            points = _raised(points, first[..., 1])
    if "pitch" in form.needs:
        coupling = np.array([-float(joint.pitch or 0.0), 1.0])
    second = first @ _rotation(form.moves, angles)[:d, :d]
    return JointGeometry(points, np.stack([first, second], axis=-3), 0.0, tuple(angles), None, coupling)


def _along_curve(joint: Joint, points: Array, axes: Array, angles: Array) -> JointGeometry:
    """Frame a cam: its first frame is the global one moved to the contact, its second is along the tangent there."""
    contact, origin, tangents = touching(joint, points[1])
    second = tangents @ turn(2, float(angles[1]))[:2, :2]
    if joint.follower == "curve":
        points, second = np.array([origin, origin]), np.eye(2)
    elif joint.follower == "face":
        y = axes[0] * np.copysign(1.0, axes[0] @ second[:, 1])
        second = np.array([[y[1], y[0]], [-y[0], y[1]]])
    return JointGeometry(
        np.array([origin, points[1]]), np.stack([np.eye(2), second]), 0.0, tuple(angles), contact=contact
    )


def _axes(joint: Joint, d: int) -> Array:
    """Return unit vectors (k, d) along the axes that a joint states; k is 0, 1 or 2."""
    stated = joint.axes if joint.axes is not None else () if joint.axis is None else (joint.axis,)
    return np.array([direction(axis, d, "axis") for axis in stated]).reshape(-1, d)


def _first(joint: Joint, axes: Array) -> Array:
    """Compute the first frame, whose z axis in space, and x axis in the plane, is along the pair's axis."""
    d = axes.shape[-1]
    if joint.axes is not None:
        x, z = axes[..., 0, :], axes[..., 1, :]
        return np.stack([x, np.cross(z, x), z], axis=-1)
    if joint.axis is None:
        return np.eye(d)
    axis = axes[..., 0, :]
    return triad(axis) if d == 3 else np.stack([axis, np.stack([-axis[..., 1], axis[..., 0]], axis=-1)], axis=-1)


def _raised(points: Array, normal: Array) -> Array:
    """Shift the first of two points (..., 2, d) along a normal to the height of the second."""
    height = np.sum((points[..., 1, :] - points[..., 0, :]) * normal, axis=-1, keepdims=True)
    return np.stack([points[..., 0, :] + height * normal, points[..., 1, :]], axis=-2)


def crossed(form: Form, points: Array, axes: Array, angles: Array) -> JointGeometry:
    """Frame a pair of two rotations about axes fixed in one body each, zero where x is perpendicular to both axes."""
    first, second = axes[..., 0, :], axes[..., 1, :]
    x = np.cross(first, second)
    sine = np.linalg.norm(x, axis=-1, keepdims=True)
    x = _without(first, x / sine, sine)
    on_first, on_second = (np.stack([x, np.cross(axis, x), axis], axis=-1) for axis in (first, second))
    cross_angle = np.arctan2(sine[..., 0], np.sum(first * second, axis=-1))
    both = np.stack([on_first @ turn(2, -angles[-2]), on_second @ turn(2, angles[-1])], axis=-3)
    if form.raised:
        points = _raised(points, first)
    return JointGeometry(points, both, cross_angle, tuple(angles), turn(0, cross_angle))


def _between_centers(joint: Joint, form: Form, points: Array, axes: Array, angles: Array) -> JointGeometry:
    """Frame a pair whose first rotations point the x axis at the center, or end, on the second body."""
    d, between = points.shape[-1], points[..., 1, :] - points[..., 0, :]
    gears = "radii" in form.needs
    upright = None
    if d == 3 and gears:
        upright = axes[..., 0, :]
        between = between - upright * np.sum(upright * between, axis=-1, keepdims=True)
    length = np.linalg.norm(between, axis=-1, keepdims=True)
    if np.any(length[..., 0] <= ROUNDING * np.abs(points).max(axis=(-2, -1))):
        what = "the two centers lie on the axis of the first wheel" if gears else "its two points coincide"
        raise GeometryError(f"joint {joint.name!r}: {what}; give two different `points`, one on each body")
    x = between / length
    if upright is not None:
        whole = np.linalg.norm(points[..., 1, :] - points[..., 0, :], axis=-1, keepdims=True)
        x = _without(upright, x, length / whole)
    if d == 2:
        along = np.stack([x, np.stack([-x[..., 1], x[..., 0]], axis=-1)], axis=-1)
    elif upright is not None:
        along = np.stack(np.broadcast_arrays(x, np.cross(upright, x), upright), axis=-1)
    else:
        along = triad(x)[..., [2, 0, 1]]
    lead = 1 if d == 2 or gears else 2
    pointing, rest = _rotation(form.moves[:lead], angles[:lead]), _rotation(form.moves[lead:], angles[lead:])
    bend = None
    if upright is not None:
        bend = along.swapaxes(-1, -2) @ triad(axes[..., 1, :])
    second = (along @ bend if bend is not None else along) @ rest[:d, :d]
    both = np.stack([along @ pointing[:d, :d].T, second], axis=-3)
    coupling: Array | None = None
    if joint.radii is not None:  # of the angles of two wheels against the line of their centers: equal arcs roll off
        first, last = joint.radii[0] / sum(joint.radii), joint.radii[1] / sum(joint.radii)
        coupling = np.array([first, PAIRS[joint.type].mesh * last])
    return JointGeometry(points, both, 0.0, tuple(angles), bend, coupling)


def _reference_angles(joint: Joint, form: Form) -> Array:
    """Return the angles of all moves in the reference configuration; zero if they are no freedoms or displacements."""
    angles, stated = np.zeros(len(form.moves)), joint.reference
    for k in form.places:
        move = form.moves[k]
        if move.rotation:
            angles[k] = stated.get(move.name, 0.0) if isinstance(stated, Mapping) else stated
    return angles


def _rotation(moves: Sequence[Freedom], angles: Array) -> Array:
    """Multiply all rotations among some moves to one (3, 3)."""
    rotation = np.eye(3)
    for move, angle in zip(moves, angles, strict=True):
        rotation = rotation @ turn(move.axis, angle) if move.rotation else rotation
    return rotation


def turn(axis: int, angle: Array | float) -> Array:
    """Make rotation matrices (..., 3, 3) about a coordinate axis by angles (...) in rad."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.zeros((*np.shape(angle), 3, 3), np.result_type(np.asarray(angle), float))
    matrix[..., axis, axis] = 1.0
    matrix[..., i, i] = matrix[..., j, j] = np.cos(angle)
    matrix[..., j, i] = np.sin(angle)
    matrix[..., i, j] = -matrix[..., j, i]
    return matrix


SLIGHT = 1e-3
"""Sine below which what is perpendicular to an axis, as a difference, has lost some digits."""


def _without(axis: Array, x: Array, sine: Array) -> Array:
    """Make unit vectors (..., 3) perpendicular to axes again, where they come from vectors at a slight angle."""
    again = x - axis * np.sum(axis * x, axis=-1, keepdims=True)
    return np.where(sine < SLIGHT, again / np.linalg.norm(again, axis=-1, keepdims=True), x)


def triad(axis: Array) -> Array:
    """Make right-handed frames (..., 3, 3) with unit vectors (..., 3) as z axes."""
    aside = np.eye(3)[np.argmin(np.abs(axis), axis=-1)]
    x = np.cross(aside, axis)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    return np.stack([x, np.cross(axis, x), axis], axis=-1)


def smallest_rotations(start: Array, axes: Array) -> Array:
    """Return the smallest rotations (n, d, d) from a direction (d,) to others (n, d); NaN for the opposite one."""
    u, w = start / np.linalg.norm(start), axes / np.linalg.norm(axes, axis=1, keepdims=True)
    cosine = w @ u
    if u.size == 2:
        sine = u[0] * w[:, 1] - u[1] * w[:, 0]
        return np.moveaxis(np.array([[cosine, -sine], [sine, cosine]]), 2, 0)
    x, y, z = np.cross(u, w).T
    zero = np.zeros_like(x)
    skew = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), 2, 0)
    scale = 1.0 / np.where(1.0 + cosine > ROUNDING, 1.0 + cosine, np.nan)
    return np.eye(3) + skew + skew @ skew * scale[:, None, None]
