"""Coordinates of a joint, one for each of its moves, and how far it is from closing.

Coordinates follow from the placement of the second frame in the first. A joint closes if its frames are placed as the
moves with these coordinates place them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.cam_contact import Contact
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.tolerances import GIMBAL, MESHED
from sglibrary.array_types import Array, Flags
from sglibrary.traced import samples

Placement = tuple[Array, Array]
"""Rotation (..., d, d) and shift (..., d), m, from the first to the second frame of a joint, in the first."""


def coordinates(
    form: Form, rotation: Array, shift: Array, bend: Array | None = None, contact: Contact | None = None
) -> Array:
    """Compute the values of the moves of a joint from the placement of its second frame.

    Parameters
    ----------
    form : Form
    rotation : (..., d, d) array
        From the first to the second frame, in components of the first.
    shift : (..., d) array
        From the first to the second origin, in components of the first frame, m.
    bend : (..., 3, 3) array, optional
        The fixed turn between two moves of the form, where it has one.
    contact : Contact, optional
        Of a cam.

    Returns
    -------
    (moves, ...) array
        m and rad, angles in (-π, π]. The second of three rotations lies in [-π/2, π/2] and is singular at the ends.
    """
    if contact is not None:
        return contact.coordinates(rotation, shift)
    polar, rotation, shift = _leading(form, rotation, shift)
    turns = iter(polar + _angles(form, len(polar), rotation, bend))
    return np.array([next(turns) if move.rotation else shift[..., move.axis] for move in form.moves])


def _leading(form: Form, rotation: Array, shift: Array) -> tuple[list[Array], Array, Array]:
    """Split off the rotations before a displacement along x, which point the x axis at the other origin.

    Returns
    -------
    list of (...) array
        Their angles.
    (..., d, d) array, (..., d) array
        Rotation and shift that remain after them.
    """
    lead = next((k for k, move in enumerate(form.moves) if not move.rotation and move.axis == 0), 0)
    if lead == 0:
        return [], rotation, shift
    d = shift.shape[-1]
    angles = [np.arctan2(shift[..., 1], shift[..., 0])]
    back = turn(2, -angles[0])[..., :d, :d]
    if lead == 2:
        angles.append(np.arctan2(-shift[..., 2], _hypot(shift[..., 0], shift[..., 1])))
        back = turn(1, -angles[1]) @ back
    return angles, back @ rotation, np.einsum("...ij,...j->...i", back, shift)


def _angles(form: Form, done: int, rotation: Array, bend: Array | None) -> list[Array]:
    """Compute the angles of the rotations after the first `done`."""
    count = sum(move.rotation for move in form.moves) - done
    if count == 3 and bend is not None:
        rotation = bend.swapaxes(-1, -2) @ rotation
    if count == 1:
        return [np.arctan2(rotation[..., 1, 0], rotation[..., 0, 0])]
    if count == 2:
        assert bend is not None
        sine = bend[..., 2, 1]
        return [
            np.arctan2(rotation[..., 0, 2] / sine, -rotation[..., 1, 2] / sine),
            np.arctan2(rotation[..., 2, 0] / sine, rotation[..., 2, 1] / sine),
        ]
    if count == 3:
        return [
            np.arctan2(-rotation[..., 1, 2], rotation[..., 2, 2]),
            np.arctan2(rotation[..., 0, 2], _hypot(rotation[..., 0, 0], rotation[..., 0, 1])),
            np.arctan2(-rotation[..., 0, 1], rotation[..., 0, 0]),
        ]
    return []


def _hypot(x: Array, y: Array) -> Array:
    """Compute lengths of vectors, which may be traced."""
    return np.asarray(np.hypot(x, y) if np.asarray(x).dtype == float else np.sqrt(x * x + y * y))


MOST_TURNS = 50
"""Whole turns, either way, that are tried to meet the relation of gears."""


def signed_coordinates(form: Form, geometry: JointGeometry, rotation: Array, shift: Array) -> Array:
    """Compute the values of the moves of a joint as `coordinates` does, with a negative distance of passed gears.

    The line between their centers may be taken either way, and once the centers have passed through each other, the
    distance is negative and the angles go on without a jump. A pose tells: the way counts with which the two angles
    meet the relation of the teeth, but for whole turns; the distance is positive if both do, or neither.

    Parameters
    ----------
    form : Form
    geometry : JointGeometry
    rotation, shift : (..., d, d) and (..., d) arrays
        As `coordinates` takes them.

    Returns
    -------
    (moves, ...) array
        m and rad.
    """
    return with_sign(form, geometry, rotation, shift)[0]


def with_sign(form: Form, geometry: JointGeometry, rotation: Array, shift: Array) -> tuple[Array, Array | float]:
    """Compute `signed_coordinates`, and the sign (...) of the distance of gears, which is 1 of other joints."""
    ahead = coordinates(form, rotation, shift, geometry.bend, geometry.contact)
    if not form.geared:
        return ahead, 1.0
    meshed = _mesh(form, geometry, ahead)
    if meshed.all():
        return ahead, 1.0
    behind = directed_coordinates(form, rotation, shift, geometry.bend, -1.0)
    meets = _mesh(form, geometry, behind)
    for k in (k for k, move in enumerate(form.moves) if move.middle):  # at a quarter turn the right angles do not tell
        meets |= (np.abs(np.cos(behind[k])) < GIMBAL) & (np.abs(np.cos(ahead[k])) >= GIMBAL)
    passed = ~meshed & meets
    return np.where(passed, behind, ahead), np.where(passed, -1.0, 1.0)


def directed_coordinates(form: Form, rotation: Array, shift: Array, bend: Array | None, sign: Any) -> Array:
    """Compute the values of the moves of a joint, those of gears with a sign of their distance."""
    if not form.geared:
        return coordinates(form, rotation, shift, bend)
    values = coordinates(form, rotation, shift * np.array([sign, sign, 1.0])[: shift.shape[-1]], bend)
    values[next(k for k, move in enumerate(form.moves) if not move.rotation)] *= sign
    return values


def _mesh(form: Form, geometry: JointGeometry, values: Array) -> Flags:
    """Whether two angles among values (moves, ...) meet the relation of gears, but for whole turns."""
    coefficients, total = relation(form, geometry)
    first, second = values[list(form.coupled or ())]
    own, other, total = (
        x.reshape(x.shape + (1,) * (first.ndim - x.ndim))
        for x in (*np.moveaxis(coefficients, -1, 0), np.asarray(total))
    )
    left, met = (total - own * first) / other - second, np.zeros(1, bool)
    for turns in sorted(range(-MOST_TURNS, MOST_TURNS + 1), key=abs):
        away = left - 2 * np.pi * turns * own / other
        met = met | (np.abs(away - whole_turns(away)) < MESHED)
        if met.all():
            break
    return np.asarray(met)


def placement(
    form: Form, values: Array, bend: Array | None, dimension: int, contact: Contact | None = None
) -> tuple[Array, Array]:
    """Place the second frame of a joint in its first: the inverse of `coordinates`.

    Parameters
    ----------
    form : Form
    values : (moves, ...) array
        m and rad.
    bend : (..., 3, 3) array, optional
        The fixed turn between two moves of the form, where it has one.
    dimension : {2, 3}
    contact : Contact, optional
        Of a cam.

    Returns
    -------
    (..., d, d) array
        Rotation.
    (..., d) array
        Shift, m.
    """
    if contact is not None:
        return contact.placement(values)
    steps = values.shape[1:]
    rotation, shift = np.broadcast_to(np.eye(3), (*steps, 3, 3)), np.zeros((*steps, 3))
    for number, (move, value) in enumerate(zip(form.moves, values, strict=True)):
        if number == form.bend and bend is not None:
            rotation = rotation @ bend
        if move.rotation:
            rotation = rotation @ turn(move.axis, value)
        else:
            shift = shift + rotation[..., move.axis] * np.asarray(value)[..., None]
    return rotation[..., :dimension, :dimension], shift[..., :dimension]


def reference_coordinates(form: Form, geometry: JointGeometry) -> Array:
    """Compute the values (moves, ...) of a joint's moves in the reference configuration, m and rad with whole turns."""
    if geometry.values is not None:
        return np.moveaxis(geometry.values, -1, 0)
    back, points = geometry.frames[..., 0, :, :].swapaxes(-1, -2), geometry.points
    shift = (back @ (points[..., 1, :] - points[..., 0, :])[..., None])[..., 0]
    values = coordinates(form, back @ geometry.frames[..., 1, :, :], shift, geometry.bend, geometry.contact)
    for k, move in enumerate(form.moves):
        if move.rotation and geometry.reference:
            values[k] += whole_turns(geometry.reference[k] - values[k])
    return values


def relation(form: Form, geometry: JointGeometry) -> tuple[Array, Array]:
    """Return the coefficients (..., 2) of the coupled moves of a joint, and the value (...) of their combination."""
    assert form.coupled is not None
    assert geometry.coupling is not None
    coefficients = geometry.coupling
    first, second = reference_coordinates(form, geometry)[list(form.coupled)]
    return coefficients, coefficients[..., 0] * first + coefficients[..., 1] * second


def periods(form: Form, geometry: JointGeometry) -> tuple[float | None, ...]:
    """Return the periods of a joint's moves: 2π, the length of a closed curve (m), or None if a move has no period."""
    if geometry.contact is not None:
        return geometry.contact.periods()
    return tuple(2 * np.pi if move.rotation else None for move in form.moves)


def whole_turns(angle: Array | float, period: float = 2 * np.pi) -> Array:
    """Round values to the nearest multiples of a period, by default 2π for angles in rad."""
    return np.asarray(period * np.round(samples(np.asarray(angle)) / period))


# --- how far a joint is from closing ---------------------------------------------------------


def allowed_placement(
    form: Form, geometry: JointGeometry, placed: Placement, fixed: Mapping[int, Array | float]
) -> tuple[Array, Placement]:
    """Find the placement that a joint allows and that has the coordinates of a given one.

    Parameters
    ----------
    form : Form
    geometry : JointGeometry
    placed : Placement
    fixed : mapping of int to (...) array or float
        Values (rad or m) of moves that are prescribed, by number, which go before those of the given placement.

    Returns
    -------
    (moves, ...) array
        Values of all moves, m and rad.
    Placement
    """
    rotation, shift = placed
    values = signed_coordinates(form, geometry, rotation, shift)
    for move, value in fixed.items():
        values[move] = value
    return values, placement(form, values, geometry.bend, shift.shape[-1], geometry.contact)


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
    _, allowed = allowed_placement(form, geometry, (rotation, shift), fixed)
    miss = np.eye(3)
    miss[:d, :d] = allowed[0].T @ rotation
    turned = np.array([miss[2, 1] - miss[1, 2], miss[0, 2] - miss[2, 0], miss[1, 0] - miss[0, 1]])
    return shift - allowed[1], 0.5 * turned
