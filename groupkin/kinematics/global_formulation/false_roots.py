"""False roots of the global formulation: mirrored bodies, other angles of the same cosine or sine, false contacts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from groupkin.kinematics.global_formulation.joint_equations import DrivenFreedom
from groupkin.mechanism.mechanism import Joint
from groupkin.model.geometry.cam_contact import Contact
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.tolerances import COINCIDENT
from sglibrary.array_types import Array, Flags


def mirrored(rotation: Array) -> Flags:
    """Find the steps (n,) at which a body is mirrored; `rotation` is (b, d, d, n)."""
    if rotation.shape[1] == 2:  # the second vector is the first, turned
        return np.zeros(rotation.shape[-1], bool)
    third = np.cross(rotation[:, :, 0], rotation[:, :, 1], axis=1)
    return np.asarray(((third * rotation[:, :, 2]).sum(axis=1) < 0).any(axis=0))


def driven_angle(driver: DrivenFreedom, geometry: JointGeometry, r: Array, shift: Array) -> Array:
    """Compute the angle of a driven freedom from the placement of the second frame of its joint in the first.

    The moves of the joint are multiplied out as in the equations of the drivers. Two triples of angles about x, y and z
    make one rotation; taken is the triple whose second angle is on the same side of ±π/2 as in the reference
    configuration.

    Parameters
    ----------
    driver : DrivenFreedom
    geometry : JointGeometry
    r : (d, d, n) array
        Rotation.
    shift : (d, n) array
        Displacement.

    Returns
    -------
    (n,) array
        rad, modulo 2π.
    """
    joint = driver.joint
    if joint.type in ("U", "ER", "PC"):
        return np.arctan2(r[0, 2], -r[1, 2]) if driver.freedom.name == "angle_1" else np.arctan2(r[2, 0], r[2, 1])
    if driver.ball:
        return _of_three(driver, np.einsum("jin,jkn->ikn", _reached(joint, geometry, shift), r))
    if joint.type in ("RD", "SPSP"):
        pointed = np.arctan2(shift[1], shift[0])
        if driver.index == 0:
            return np.asarray(pointed)
        if len(shift) == 2:
            return np.arctan2(r[1, 0], r[0, 0]) - pointed
        return np.arctan2(-shift[2], np.hypot(shift[0], shift[1]))
    return np.arctan2(r[1, 0], r[0, 0])


def _of_three(driver: DrivenFreedom, r: Array) -> Array:
    """Compute one of three angles about x, y and z, whose rotation is r (3, 3, n)."""
    stated = driver.joint.reference
    middle = [stated.get(name, 0.0) for name in ("angle_y", "tilt_y")] if isinstance(stated, Mapping) else [0.0]
    side = np.sign(np.cos(sum(middle)))  # a pair has one of them
    pairs = (-r[1, 2], r[2, 2]), (side * r[0, 2], np.hypot(r[0, 0], r[0, 1])), (-r[0, 1], r[0, 0])
    sine, cosine = pairs[driver.freedom.axis]
    return np.arctan2(side * sine, side * cosine)


def _reached(joint: Joint, geometry: JointGeometry, shift: Array) -> Array:
    """Compute the rotations (3, 3, n) that gears or a rod reach before the last three, others none."""
    if joint.type not in ("EO", "EPI", "SPSP"):
        return np.repeat(np.eye(3)[:, :, None], shift.shape[1], axis=2)
    pointed = turn(2, np.arctan2(shift[1], shift[0]))
    rest = turn(1, np.arctan2(-shift[2], np.hypot(shift[0], shift[1]))) if geometry.bend is None else geometry.bend
    return np.moveaxis(pointed @ rest, 0, -1)


def coupled_angles(joint: Joint, geometry: JointGeometry, r: Array, shift: Array, own: Array) -> list[Array]:
    """Compute the coupled angles (n,) of a joint modulo 2π, rad, from the same placement as `driven_angle`.

    The line between the centers of wheels points to either side: once the centers have passed through each other, their
    distance is negative and the angles go on without a jump. Taken is the side nearer to the unknown angles `own`.
    """
    if joint.type in ("H", "RW"):
        return [np.arctan2(r[1, 0], r[0, 0])]
    if joint.type in ("RP", "HF"):
        return [np.arctan2(-r[0, 1], r[0, 0])]
    pointed = np.arctan2(shift[1], shift[0])
    first = np.where(np.cos(pointed - own[0]) < 0.0, pointed + np.pi, pointed)
    x, y, z = np.eye(3)[0] if geometry.bend is None else geometry.bend[:, 0]
    cosine, sine = np.cos(first), np.sin(first)
    pointing = np.array([cosine * x - sine * y, sine * x + cosine * y, np.full_like(first, z)])[: len(shift)]
    along, across = ((pointing * r[:, k]).sum(axis=0) for k in (0, 1))
    return [first, np.arctan2(-across, along)]


def in_tangent_frame(contact: Contact, length: Array, r: Array, shift: Array) -> tuple[Array, Array]:
    """Convert the placement of a cam's second frame, as `driven_angle` takes it, to the tangent frame at `length` (n,).

    The tangent frame is at the contact on the first curve, x along the tangent.
    """
    x, y = contact.flanks[0].tangent(length).T
    back = np.array([[x, y], [-y, x]])
    seen = shift - contact.flanks[0].at(length).T
    return np.einsum("ijn,jkn->ikn", back, r), np.einsum("ijn,jn->in", back, seen)


def false_contact(contact: Contact, lengths: Array, r: Array, shift: Array) -> Flags:
    """Find the steps (n,) at which a cam is touched from the wrong side, or beyond the end of a curve.

    Parameters
    ----------
    contact : Contact
    lengths : (k, n) array
        Arc lengths at which the curves touch, m.
    r, shift : (2, 2, n) and (2, n) arrays
        Placement in the tangent frame.
    """
    wrong = np.zeros(lengths.shape[1], bool)
    for flank, length in zip(contact.flanks, lengths, strict=True):
        if not flank.curve.closed:
            wrong |= np.abs(length - flank.length / 2) > (0.5 + COINCIDENT) * flank.length
    if contact.follower == "face":
        return np.asarray(wrong | (r[0, 0] < 0.0))
    if contact.follower == "curve":
        along = np.einsum("in,ni->n", r[0], contact.flanks[1].tangent(lengths[1]))
        return np.asarray(wrong | ((along < 0.0) != contact.opposed))
    return np.asarray(wrong | (shift[1] * contact.offset < 0.0))
