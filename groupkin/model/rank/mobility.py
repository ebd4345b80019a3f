"""Which freedoms of a whole mechanism still move in its reference configuration, by rank.

Unknown are the twists of all bodies. The relative twist of the two bodies of a joint is a combination of those of its
freedoms; all other parts of it vanish, and so do the rates of driven freedoms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.couplings.relations import Relation
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import reference_coordinates, relation
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.model.geometry.geometry import Geometry, near_origin
from groupkin.tolerances import RANK
from sglibrary.array_types import Array

NEXT, LAST = [1, 2, 0], [2, 0, 1]
"""Coordinates of which the products make a vector product; `numpy.cross` takes several times as long for one vector."""


BLUR = 10.0
"""Singular value, relative to the largest and to the misfit of the rows, below which it counts as zero."""


def loose_freedoms(mechanism: Mechanism, geometry: Geometry) -> tuple[int, set[tuple[str, str]], set[tuple[str, str]]]:
    """Find the motions that are free although all drivers stand still, and drivers that repeat others.

    Returns
    -------
    int
        Number of free motions.
    set of (str, str)
        Joints and freedoms that take part in them: a driver at one of these takes away a motion.
    set of (str, str)
        Joints and freedoms whose driver could be left out without a motion becoming free.
    """
    rows = _rows(mechanism, geometry)
    (stress, moves), least = null_spaces(rows.matrix, mechanism.misfit), max(RANK, BLUR * mechanism.misfit)
    loose = {(name, freedom) for name, freedom, rate in rows.free if np.linalg.norm(moves @ rate) > least}
    spare = {driver for driver, row in rows.drivers.items() if np.linalg.norm(stress[row]) > least}
    return len(moves), loose, spare


def firmness(mechanism: Mechanism, geometry: Geometry, motions: int) -> float:
    """Compute how far the equations of all joints are from leaving one motion more than `motions`.

    Returns
    -------
    float
        The singular value that vanishes where one motion more is left, relative to the largest one; lengths are in
        sizes of the mechanism.
    """
    matrix = _rows(mechanism, geometry).matrix
    values = np.linalg.svd(matrix, compute_uv=False)
    last = matrix.shape[1] - motions
    return float(values[last - 1] / values[0]) if 0 < last <= values.size else 0.0


@dataclass(frozen=True, eq=False)
class _Rows:
    """What vanishes of the twists of all bodies while drivers stand still.

    Attributes
    ----------
    matrix : (rows, 6 bodies) array, (rows, 3 bodies) in the plane
    free : list of (str, str, array)
        Joints, freedoms that are not driven, and the function that is their rate.
    drivers : dict of (str, str) to int
        The row of every driver.
    """

    matrix: Array
    free: list[tuple[str, str, Array]]
    drivers: dict[tuple[str, str], int]


def _rows(mechanism: Mechanism, geometry: Geometry) -> _Rows:
    number, (geometry, _) = {body: k for k, body in enumerate(mechanism.movable)}, near_origin(geometry)
    rows, candidates, drivers, count = list[Array](), [], {}, 0
    for joint in mechanism.joints:
        freedoms = mechanism.freedoms(joint)
        allowed = twists(mechanism, joint, geometry.joints[joint.name], geometry.size)
        rates = of_bodies(np.linalg.pinv(allowed), joint, number)
        locked = np.linalg.svd(allowed)[0][:, np.linalg.matrix_rank(allowed) :].T
        rows.append(of_bodies(locked, joint, number))
        count += len(locked)
        for k, freedom in enumerate(freedoms):
            if k in mechanism.driven.get(joint.name, ()):
                rows.append(rates[k : k + 1])
                drivers[joint.name, freedom.name] = count
                count += 1
            else:
                candidates.append((joint.name, freedom.name, rates[k]))
    for coupled in mechanism.relations.values():
        starts = [float(reference_coordinates(mechanism.form(each.joint), geometry.joints[each.joint.name])[each.move])
                  + each.offset for each in coupled.coordinates]  # fmt: skip
        rows.append(coupling_row(mechanism, geometry.joints, geometry.size, coupled, starts)[0])
    matrix = np.concatenate([*rows, np.zeros((0, (3 if mechanism.dimension == 2 else 6) * len(number)))])
    return _Rows(matrix, candidates, drivers)


def coupling_row(
    mechanism: Mechanism, joints: Mapping[str, JointGeometry], size: float, coupled: Relation, values: Sequence[float]
) -> tuple[Array, float]:
    """Make the function of the twists of all bodies that vanishes as a coupling holds.

    Parameters
    ----------
    mechanism : Mechanism
    joints : mapping of str to JointGeometry
        Where they are.
    size : float
        Of the mechanism, m.
    coupled : Relation
    values : sequence of float
        Of its coordinates there, m and rad.

    Returns
    -------
    (1, width * bodies) array
        Of unit length.
    float
        What the rate of the coupling is multiplied by.
    """
    number, rates = {body: k for k, body in enumerate(mechanism.movable)}, []
    for each in coupled.coordinates:
        inverse = np.linalg.pinv(twists(mechanism, each.joint, joints[each.joint.name], size))
        rate = of_bodies(inverse[each.index][None], each.joint, number)
        rates.append(rate if each.freedom.rotation else size * rate)
    row = np.einsum("c,cib->ib", coupled.gradient(values), np.array(rates))
    scale = 1.0 / max(float(np.linalg.norm(row)), 1e-300)
    return scale * row, scale


def loose_motions(
    mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint], bodies: Sequence[str]
) -> tuple[Array, Array]:
    """Find the motions that joints and drivers leave to some bodies while all others stand still.

    Returns
    -------
    (b, 6, m) array, (b, 3, m) in the plane
        Twists of the bodies in the m motions that are left.
    (joints,) array
        Largest part of each joint, drivers included, in combinations of rows that vanish; 0 is none.
    """
    number, unit = {body: k for k, body in enumerate(bodies)}, 3 if mechanism.dimension == 2 else 6
    (geometry, _), rows = near_origin(geometry), [np.zeros((0, unit * len(number)))]
    for joint in joints:
        rows.append(of_bodies(locked_twists(mechanism, joint, geometry), joint, number))
    vanishing, moves = null_spaces(np.concatenate(rows), mechanism.misfit)
    ends = np.cumsum([len(of_joint) for of_joint in rows[1:]])
    stress = [float(np.abs(part).max(initial=0.0)) for part in np.split(vanishing, ends[:-1])]
    return moves.T.reshape(len(number), unit, len(moves)), np.array(stress)


def null_spaces(matrix: Array, misfit: float = 0.0) -> tuple[Array, Array]:
    """Compute the combinations (rows, r) of rows that vanish, and the motions (m, columns) that rows leave free.

    The rows agree to `misfit` only.
    """
    left, values, right = np.linalg.svd(matrix)
    rank = int((values > max(RANK, BLUR * misfit) * values.max(initial=1.0)).sum())
    return left[:, rank:], right[rank:]


def locked_twists(mechanism: Mechanism, joint: Joint, geometry: Geometry) -> Array:
    """Make the functions of a joint's relative twist that vanish while its drivers stand still.

    Returns
    -------
    (k, 6) array, (k, 3) in the plane
        Functions of angular velocity and velocity; in the plane of the turn and the two displacements there.
    """
    allowed = twists(mechanism, joint, geometry.joints[joint.name], geometry.size)
    left, values, right = np.linalg.svd(allowed)
    rank = int((values > max(allowed.shape) * np.finfo(float).eps * values.max(initial=0.0)).sum())
    driven = right[:rank, list(mechanism.driven.get(joint.name, ()))].T / values[:rank]
    return np.concatenate([left[:, rank:].T, driven @ left[:, :rank].T])


def of_bodies(rows: NDArray[np.floating], joint: Joint, number: dict[str, int]) -> Array:
    """Turn functions (k, width) of the relative twist of a joint into functions of the twists of all bodies."""
    width = rows.shape[1]
    out = np.zeros((len(rows), width * len(number)))
    for body, sign in zip(joint.bodies, (-1.0, 1.0), strict=True):
        if body in number:
            out[:, width * number[body] : width * (number[body] + 1)] += sign * rows
    return out


def twists(mechanism: Mechanism, joint: Joint, geometry: JointGeometry, size: float) -> Array:
    """Compute the relative twists (6, freedoms) of the second body of a joint for unit rates of its freedoms.

    A twist is the angular velocity, and the velocity of the point at the global origin relative to `size` (m), as rates
    of displacements are. In the plane it is (3, freedoms): of the turn and the two displacements there.
    """
    form, d = mechanism.form(joint), mechanism.dimension
    rotation, origin = np.eye(3), np.zeros(3)
    rotation[:d, :d], origin[:d] = geometry.frames[0], geometry.points[0]
    if geometry.contact is not None:
        return _contact_twists(form, geometry, size)[2:5]
    columns = []
    for number, (move, value) in enumerate(zip(form.moves, reference_coordinates(form, geometry), strict=True)):
        if number == form.bend and geometry.bend is not None:
            rotation = rotation @ geometry.bend
        axis = rotation[:, move.axis]
        if move.rotation:
            columns.append(np.array([*axis, *(origin[NEXT] * axis[LAST] - origin[LAST] * axis[NEXT]) / size]))
            rotation = rotation @ turn(move.axis, value) if value else rotation
        else:
            columns.append(np.array([0.0, 0.0, 0.0, *axis]))
            origin = origin + value * axis
    if form.coupled is not None:
        first, second = form.coupled
        units = [1.0 if form.moves[k].rotation else size for k in form.coupled]
        coefficients = relation(form, geometry)[0] * units
        columns[first] = columns[first] - columns[second] * coefficients[0] / coefficients[1]
    in_space = np.array([columns[k] for k in form.places]).reshape(-1, 6).T
    return in_space if d == 3 else in_space[2:5]


def _contact_twists(form: Form, geometry: JointGeometry, size: float) -> Array:
    """Compute `twists` of a cam by central differences, as its coordinates are not along or about fixed axes."""
    assert geometry.contact is not None
    h, values = 1e-4 * np.array([size, 1.0 if form.moves[1].rotation else size]), reference_coordinates(form, geometry)
    frame, columns = geometry.frames[0], []
    for k in range(2):
        ends = [geometry.contact.placement(values + sign * h * np.eye(2)[k]) for sign in (1.0, -1.0)]
        (turn, shift), (turned, moved) = ends
        spin = np.arctan2((turned.T @ turn)[1, 0], (turned.T @ turn)[0, 0]) / (2 * h[k])
        x, y = geometry.points[0] + frame @ (shift + moved) / 2
        speed = frame @ (shift - moved) / (2 * h[k]) + spin * np.array([y, -x])
        unit = 1.0 if form.moves[k].rotation else size
        columns.append(unit * np.array([0.0, 0.0, spin, *speed / size, 0.0]))
    return np.array(columns).T
