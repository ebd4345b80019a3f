"""Which freedoms of a whole mechanism still move in its reference configuration, by rank.

Unknown are the twists of all bodies. Relative to each other the two bodies of a joint may only do what its freedoms
do; the rest of their relative twist vanishes, and so do the driven freedoms.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import reference_coordinates, relation
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.rank.rank import RANK_TOLERANCE

Array = NDArray[np.float64]


def loose_freedoms(mechanism: Mechanism, geometry: Geometry) -> tuple[int, set[tuple[str, str]], set[tuple[str, str]]]:
    """Motions that are free although all drivers stand still, and drivers that repeat what others do.

    Returns
    -------
    int
        Number of free motions.
    set of (str, str)
        Joints and freedoms that take part in them: a driver at one of these takes away a motion.
    set of (str, str)
        Driven ones whose driver could be left out without a motion becoming free.
    """
    place = {body: k for k, body in enumerate(mechanism.movable)}
    rows, candidates, drivers, count = [], [], {}, 0
    for joint in mechanism.joints:
        freedoms = mechanism.freedoms(joint)
        allowed = _in_space_or_plane(mechanism, twists(mechanism, joint, geometry.joints[joint.name], geometry.size))
        rates = _spread(np.linalg.pinv(allowed), joint, place)
        locked = np.linalg.svd(allowed)[0][:, np.linalg.matrix_rank(allowed) :].T
        rows.append(_spread(locked, joint, place))
        count += len(locked)
        for k, freedom in enumerate(freedoms):
            if k in mechanism.driven.get(joint.name, ()):
                rows.append(rates[k : k + 1])
                drivers[joint.name, freedom.name] = count
                count += 1
            else:
                candidates.append((joint.name, freedom.name, rates[k]))
    matrix = np.concatenate([*rows, np.zeros((0, (3 if mechanism.dimension == 2 else 6) * len(place)))])
    left, values, right = np.linalg.svd(matrix)
    rank = int((values > RANK_TOLERANCE * values.max(initial=1.0)).sum())
    moves, stress = right[rank:], left[:, rank:]
    loose = {(name, freedom) for name, freedom, rate in candidates if np.linalg.norm(moves @ rate) > RANK_TOLERANCE}
    spare = {driver for driver, row in drivers.items() if np.linalg.norm(stress[row]) > RANK_TOLERANCE}
    return len(moves), loose, spare


def loose_motions(
    mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint], bodies: Sequence[str]
) -> tuple[Array, Array]:
    """Motions that joints and drivers leave to some bodies while all others stand still, and who repeats whom.

    Returns
    -------
    (b, 6, m) array, (b, 3, m) in the plane
        Twists of the bodies in the m motions that are left.
    (joints,) array
        By how much each joint takes part in combinations of rows that vanish, drivers included; 0 is not at all.
    """
    place = {body: k for k, body in enumerate(bodies)}
    here = [np.zeros((0, (3 if mechanism.dimension == 2 else 6) * len(place)))]
    for joint in joints:
        here.append(_spread(locked_twists(mechanism, joint, geometry), joint, place))
    matrix = np.concatenate(here)
    left, values, right = np.linalg.svd(matrix)
    rank = int((values > RANK_TOLERANCE * values.max(initial=1.0)).sum())
    ends = np.cumsum([len(rows) for rows in here[1:]])
    stress = [float(np.abs(part).max(initial=0.0)) for part in np.split(left[:, rank:], ends[:-1])]
    return right[rank:].T.reshape(len(place), -1, len(right) - rank), np.array(stress)


def locked_twists(mechanism: Mechanism, joint: Joint, geometry: Geometry) -> Array:
    """Functions (k, 6) of the relative twist of a joint that vanish, its drivers standing still; (k, 3) in the plane.

    In the plane they are functions of the turn and the two displacements there.
    """
    allowed = _in_space_or_plane(mechanism, twists(mechanism, joint, geometry.joints[joint.name], geometry.size))
    locked = np.linalg.svd(allowed)[0][:, np.linalg.matrix_rank(allowed) :].T
    return np.concatenate([locked, np.linalg.pinv(allowed)[list(mechanism.driven.get(joint.name, ()))]])


def _in_space_or_plane(mechanism: Mechanism, found: Array) -> Array:
    """Twists (6, k), or of a plane mechanism their turn and displacements there (3, k)."""
    return found[2:5] if mechanism.dimension == 2 else found


def _spread(rows: NDArray[np.floating], joint: Joint, place: dict[str, int]) -> Array:
    """Functions (k, width) of the relative twist of a joint as functions of the twists of all bodies."""
    width = rows.shape[1]
    out = np.zeros((len(rows), width * len(place)))
    for body, sign in zip(joint.bodies, (-1.0, 1.0), strict=True):
        if body in place:
            out[:, width * place[body] : width * (place[body] + 1)] += sign * rows
    return out


def twists(mechanism: Mechanism, joint: Joint, geometry: JointGeometry, size: float) -> Array:
    """Relative twists (6, freedoms) of the second body for unit rates of the freedoms.

    Three components of the angular velocity, and three of the velocity of the point at the global origin relative to
    the size of the mechanism. The plane is the plane z = 0; what leaves it is no twist of any joint there.
    """
    form, d = mechanism.form(joint), mechanism.dimension
    rotation, origin = np.eye(3), np.zeros(3)
    rotation[:d, :d], origin[:d] = geometry.frames[0], geometry.points[0]
    if geometry.contact is not None:
        return _contact_twists(form, geometry, size)
    columns = []
    for number, (move, value) in enumerate(zip(form.moves, reference_coordinates(form, geometry), strict=True)):
        if number == form.bend and geometry.bend is not None:
            rotation = rotation @ geometry.bend
        axis = rotation[:, move.axis]
        if move.rotation:
            columns.append(np.array([*axis, *np.cross(origin, axis) / size]))
            rotation = rotation @ turn(move.axis, value)
        else:
            columns.append(np.array([0.0, 0.0, 0.0, *axis / size]))
            origin = origin + value * axis
    if form.coupled is not None:
        first, second = form.coupled
        coefficients, _ = relation(form, geometry)
        columns[first] = columns[first] - columns[second] * coefficients[0] / coefficients[1]
    return np.array([columns[k] for k in form.places]).reshape(-1, 6).T


def _contact_twists(form: Form, geometry: JointGeometry, size: float) -> Array:
    """`twists` of a cam: by central differences, for its coordinates are no rotations and displacements along axes."""
    assert geometry.contact is not None
    h, values = 1e-4 * np.array([size, 1.0 if form.moves[1].rotation else size]), reference_coordinates(form, geometry)
    frame, columns = geometry.frames[0], []
    for k in range(2):
        ends = [geometry.contact.placement(values + sign * h * np.eye(2)[k]) for sign in (1.0, -1.0)]
        (turn, shift), (turned, moved) = ends
        spin = np.arctan2((turned.T @ turn)[1, 0], (turned.T @ turn)[0, 0]) / (2 * h[k])
        here = geometry.points[0] + frame @ (shift + moved) / 2
        speed = frame @ (shift - moved) / (2 * h[k]) + spin * np.array([here[1], -here[0]])
        columns.append(np.array([0.0, 0.0, spin, *speed / size, 0.0]))
    return np.array(columns).T
