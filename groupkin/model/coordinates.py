"""Coordinates of a joint from the relative placement of its two frames."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.pairs import Freedom
from groupkin.model.geometry import JointGeometry, turn

Array = NDArray[np.float64]


def coordinates(freedoms: tuple[Freedom, ...], rotation: Array, shift: Array, cross_angle: float = 0.0) -> Array:
    """Values of the freedoms of a joint.

    Parameters
    ----------
    freedoms : tuple of Freedom
    rotation : (..., d, d) array
        From the first to the second frame, in components of the first.
    shift : (..., d) array
        From the first to the second origin, in components of the first frame, m.
    cross_angle : float
        Angle between the axes of a U joint, rad; 0 for all others.

    Returns
    -------
    (f, ...) array
        m and rad, angles in (-π, π]. The middle one of three rotations lies in [-π/2, π/2] and is singular at its ends.
    """
    turns = iter(_angles(freedoms, rotation, cross_angle))
    return np.array([next(turns) if freedom.rotation else shift[..., freedom.axis] for freedom in freedoms])


def _angles(freedoms: tuple[Freedom, ...], rotation: Array, cross_angle: float) -> list[Array]:
    count = sum(freedom.rotation for freedom in freedoms)
    if count == 1:
        return [np.arctan2(rotation[..., 1, 0], rotation[..., 0, 0])]
    if count == 2:
        sine = np.sin(cross_angle)
        return [
            np.arctan2(rotation[..., 0, 2] / sine, -rotation[..., 1, 2] / sine),
            np.arctan2(rotation[..., 2, 0] / sine, rotation[..., 2, 1] / sine),
        ]
    if count == 3:
        return [
            np.arctan2(-rotation[..., 1, 2], rotation[..., 2, 2]),
            np.arctan2(rotation[..., 0, 2], np.hypot(rotation[..., 0, 0], rotation[..., 0, 1])),
            np.arctan2(-rotation[..., 0, 1], rotation[..., 0, 0]),
        ]
    return []


def placement(freedoms: tuple[Freedom, ...], values: Array, cross_angle: float, dimension: int) -> tuple[Array, Array]:
    """Rotation (..., d, d) and shift (..., d) of a joint with coordinates `values` (f, ...): `coordinates` undone."""
    steps = values.shape[1:]
    rotation, shift = np.broadcast_to(np.eye(3), (*steps, 3, 3)), np.zeros((*steps, 3))
    for number, (freedom, value) in enumerate(zip(freedoms, values, strict=True)):
        if number == 1 and cross_angle:
            rotation = rotation @ turn(0, cross_angle)
        if freedom.rotation:
            rotation = rotation @ _turns(freedom.axis, value)
        else:
            shift[..., freedom.axis] = value
    return rotation[..., :dimension, :dimension], shift[..., :dimension]


def _turns(axis: int, angles: Array) -> Array:
    """Rotation matrices (..., 3, 3) about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.zeros((*np.shape(angles), 3, 3))
    out[..., axis, axis] = 1.0
    out[..., i, i] = out[..., j, j] = np.cos(angles)
    out[..., j, i] = np.sin(angles)
    out[..., i, j] = -out[..., j, i]
    return out


def reference_coordinates(freedoms: tuple[Freedom, ...], geometry: JointGeometry) -> Array:
    """Values (f,) of the freedoms of a joint in the reference configuration, m and rad, whole turns included."""
    first, second = geometry.frames
    shift = first.T @ (geometry.points[1] - geometry.points[0])
    values = coordinates(freedoms, first.T @ second, shift, geometry.cross_angle)
    for k, freedom in enumerate(freedoms):
        if freedom.rotation and geometry.reference:
            values[k] += whole_turns(geometry.reference[k] - values[k])
    return values


def whole_turns(angle: Array | float) -> Array:
    """The multiples of 2π nearest to some angles, rad."""
    return np.asarray(2 * np.pi * np.round(np.asarray(angle) / (2 * np.pi)))
