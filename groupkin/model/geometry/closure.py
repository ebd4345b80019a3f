"""How far a joint is from closing: the placement of its frames that it allows, and the difference from it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.cam_contact import Contact
from groupkin.model.geometry.coordinates import coordinates, placement
from groupkin.model.geometry.frames import JointGeometry

Array = NDArray[np.float64]
Placement = tuple[Array, Array]
"""Rotation (..., d, d) and shift (..., d), m, from the first to the second frame of a joint, in the first."""


def allowed_placement(
    form: Form,
    placed: Placement,
    fixed: Mapping[int, Array | float],
    bend: Array | None = None,
    contact: Contact | None = None,
) -> tuple[Array, Placement]:
    """Find the placement that a joint allows and that has the coordinates of a given one.

    Parameters
    ----------
    form : Form
    placed : Placement
    fixed : mapping of int to (...) array or float
        Values (rad or m) of moves that are prescribed, by number, which go before those of the given placement.
    bend : (..., 3, 3) array, optional
        The fixed turn between two moves of the form, where it has one.
    contact : Contact, optional
        Of a cam.

    Returns
    -------
    (moves, ...) array
        Values of all moves, m and rad.
    Placement
    """
    rotation, shift = placed
    values = coordinates(form, rotation, shift, bend, contact)
    for move, value in fixed.items():
        values[move] = value
    return values, placement(form, values, bend, shift.shape[-1], contact)


def placement_residual(placed: Placement, allowed: Placement, size: float) -> Array:
    """Compute the largest difference (...) of two placements: lengths relative to `size` (m), entries of rotations."""
    away = np.abs(placed[1] - allowed[1]).max(axis=-1) / size
    return np.asarray(np.maximum(away, np.abs(placed[0] - allowed[0]).max(axis=(-1, -2))))


def joint_gap(form: Form, geometry: JointGeometry, fixed: Mapping[int, float]) -> tuple[Array, Array]:
    """Compute by how much a joint misses its moves in the reference configuration.

    Parameters
    ----------
    form : Form
    geometry : JointGeometry
        Of one mechanism.
    fixed : mapping of int to float
        As `allowed_placement` takes it.

    Returns
    -------
    (d,) array
        Shift in m, in the first frame.
    (3,) array
        Small rotation in rad, in the second frame.
    """
    d = geometry.points.shape[1]
    first, second = geometry.frames
    rotation, shift = first.T @ second, first.T @ (geometry.points[1] - geometry.points[0])
    _, allowed = allowed_placement(form, (rotation, shift), fixed, geometry.bend, geometry.contact)
    miss = np.eye(3)
    miss[:d, :d] = allowed[0].T @ rotation
    turned = np.array([miss[2, 1] - miss[1, 2], miss[0, 2] - miss[2, 0], miss[1, 0] - miss[0, 1]])
    return shift - allowed[1], 0.5 * turned
