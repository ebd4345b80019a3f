"""Frames of a joint on its two bodies in the reference configuration, and the constants of its pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GeometryError
from groupkin.mechanism.mechanism import Joint, direction
from groupkin.mechanism.pairs import Form
from groupkin.model.contact import Contact, touching

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JointGeometry:
    """The two frames of a joint, in local coordinates of its two bodies.

    Attributes
    ----------
    points : (2, d) array
        Origin of the frame on the first and on the second body, m.
    frames : (2, d, d) array
        Columns are the axes of the frame.
    cross_angle : float
        Angle (rad) between the two axes of U, ER and PC, 0 for others.
    reference : tuple of float
        Angles (rad) of the moves as the user gives them, whole turns included; 0 for displacements.
    bend : (3, 3) array, optional
        The fixed turn between two moves, where the pair has one.
    coupling : tuple of float
        Coefficients of the two coupled moves, where the pair has them: 1 and m/rad, or two ratios of radii.
    contact : Contact, optional
        The curves of a cam in the coordinates of the two frames, and what touches them.
    """

    points: Array
    frames: Array
    cross_angle: float = 0.0
    reference: tuple[float, ...] = ()
    bend: Array | None = None
    coupling: tuple[float, ...] = ()
    contact: Contact | None = None


def frames(joint: Joint, form: Form, points: Array) -> JointGeometry:
    """Frames of a joint whose origins `points` (2, d) are given in the reference configuration, m."""
    d = points.shape[1]
    angles = _reference_angles(joint, form)
    if joint.type in ("U", "ER", "PC"):
        return _crossed(joint, points, angles)
    if joint.type in ("EO", "EPI", "RD", "SPSP"):
        return _between_centers(joint, form, points, angles)
    if form.curved:
        return _along_curve(joint, points, angles)
    first = _first(joint, d)
    coupling: tuple[float, ...] = ()
    if joint.type in ("RP", "RW"):
        height = float((points[1] - points[0]) @ first[:, 1])
        if abs(height) <= 1e-12 * max(1.0, float(np.abs(points).max())):
            raise GeometryError(
                f"joint {joint.name!r}: the center of the wheel lies on the line it rolls on; "
                "give as `points` one on the line and the center"
            )
        coupling = (1.0, height)
        if joint.type == "RW":
            points = np.array([points[0] + height * first[:, 1], points[1]])
    if joint.type == "H":
        coupling = (-float(joint.pitch or 0.0), 1.0)
    second = first @ _rotation(form, angles)[:d, :d]
    return JointGeometry(points, np.stack([first, second]), 0.0, tuple(angles), None, coupling)


def _along_curve(joint: Joint, points: Array, angles: Array) -> JointGeometry:
    """A cam: the first frame is the global one, moved to the contact; the second is along the tangent there."""
    contact, place, tangents = touching(joint, points[1])
    second = tangents @ turn(2, float(angles[1]))[:2, :2]
    if joint.follower == "curve":
        points, second = np.array([place, place]), np.eye(2)
    elif joint.follower == "face":
        assert joint.axis is not None
        y = direction(joint.axis, 2, "axis")
        y = y * np.copysign(1.0, y @ second[:, 1])
        second = np.array([[y[1], y[0]], [-y[0], y[1]]])
    return JointGeometry(
        np.array([place, points[1]]), np.stack([np.eye(2), second]), 0.0, tuple(angles), contact=contact
    )


def _first(joint: Joint, d: int) -> Array:
    """The first frame: its z axis in space, its x axis in the plane along the pair's axis."""
    if joint.axes is not None and joint.type in ("RP", "RW", "CR") and d == 3:
        x, z = (direction(axis, 3, "axis") for axis in joint.axes)
        return np.array([x, np.cross(z, x), z]).T
    if joint.axis is None or (joint.type == "R" and d == 2) or joint.type in ("S", "F", "FP"):
        return np.eye(d)
    axis = direction(joint.axis, d, "axis")
    return triad(axis) if d == 3 else np.array([axis, [-axis[1], axis[0]]]).T


def _crossed(joint: Joint, points: Array, angles: Array) -> JointGeometry:
    """Two rotations about axes that are fixed in one body each; their zero is where x is perpendicular to both."""
    assert joint.axes is not None
    first, second = (direction(axis, 3, "axis") for axis in joint.axes)
    x = np.cross(first, second)
    sine = float(np.linalg.norm(x))
    x = x / sine
    both = [np.array([x, np.cross(axis, x), axis]).T for axis in (first, second)]
    cross_angle = float(np.arctan2(sine, first @ second))
    one, two = angles[-2:]
    both = [both[0] @ turn(2, -one), both[1] @ turn(2, two)]
    if joint.type == "PC":  # the first origin at the height of the cylinder's axis
        normal = both[0][:, 2]
        points = np.array([points[0] + normal * (normal @ (points[1] - points[0])), points[1]])
    return JointGeometry(points, np.stack(both), cross_angle, tuple(angles), turn(0, cross_angle))


def _between_centers(joint: Joint, form: Form, points: Array, angles: Array) -> JointGeometry:
    """Pairs whose first rotations point the x axis at the center, or end, on the second body."""
    d, between = points.shape[1], points[1] - points[0]
    gears = joint.type in ("EO", "EPI")
    upright = None
    if d == 3 and gears:
        assert joint.axes is not None
        upright = direction(joint.axes[0], 3, "axis")
        between = between - upright * (upright @ between)
    length = float(np.linalg.norm(between))
    if length <= 1e-12 * max(1.0, float(np.abs(points).max())):
        what = "the two centers lie on the axis of the first wheel" if gears else "its two points coincide"
        raise GeometryError(f"joint {joint.name!r}: {what}; give two different `points`, one on each body")
    x = between / length
    if d == 2:
        along = np.array([x, [-x[1], x[0]]]).T
    elif upright is not None:
        along = np.array([x, np.cross(upright, x), upright]).T
    else:
        along = triad(x)[:, [2, 0, 1]]
    lead = 1 if d == 2 or gears else 2
    pointing = np.eye(3)
    for move, angle in zip(form.moves[:lead], angles, strict=False):
        pointing = pointing @ turn(move.axis, angle)
    rest = np.eye(3)
    for move, angle in zip(form.moves[lead:], angles[lead:], strict=True):
        rest = rest @ turn(move.axis, angle) if move.rotation else rest
    bend = None
    if upright is not None:
        assert joint.axes is not None
        bend = along.T @ triad(direction(joint.axes[1], 3, "axis"))
    second = (along @ bend if bend is not None else along) @ rest[:d, :d]
    return JointGeometry(
        points, np.stack([along @ pointing[:d, :d].T, second]), 0.0, tuple(angles), bend, _ratio(joint)
    )


def _ratio(joint: Joint) -> tuple[float, ...]:
    """Coefficients of the angles of two wheels against the line of their centers: equal arcs roll off."""
    if joint.radii is None:
        return ()
    one, two = joint.radii[0] / sum(joint.radii), joint.radii[1] / sum(joint.radii)
    return (one, two) if joint.type == "EPI" else (one, -two)


def _reference_angles(joint: Joint, form: Form) -> Array:
    """Angles of all moves in the reference configuration; those that are no freedoms have their zero there."""
    out = np.zeros(len(form.moves))
    for k in form.places:
        move = form.moves[k]
        if move.rotation:
            given = joint.reference
            out[k] = given.get(move.name, 0.0) if isinstance(given, Mapping) else given
    return out


def _rotation(form: Form, angles: Array) -> Array:
    """Rotation (3, 3) by all rotations of a form."""
    rotation = np.eye(3)
    for move, angle in zip(form.moves, angles, strict=True):
        rotation = rotation @ turn(move.axis, angle) if move.rotation else rotation
    return rotation


def turn(axis: int, angle: float) -> Array:
    """Rotation matrix (3, 3) about a coordinate axis by an angle in rad."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i] = np.sin(angle)
    matrix[i, j] = -matrix[j, i]
    return matrix


def triad(axis: Array) -> Array:
    """A right-handed frame (3, 3) whose z axis is the given unit vector."""
    aside = np.eye(3)[np.argmin(np.abs(axis))]
    x = np.cross(aside, axis)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(axis, x), axis]).T
