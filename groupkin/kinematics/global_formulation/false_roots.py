"""False roots of the global formulation: a mirrored body, or a driven angle with the same cosine or sine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.global_formulation.joint_equations import THREE_ANGLES, DrivenFreedom
from groupkin.mechanism.mechanism import Joint
from groupkin.model.geometry.frames import JointGeometry

Array = NDArray[np.float64]


def mirrored(rotation: Array) -> NDArray[np.bool_]:
    """Find the steps (n,) at which a body is mirrored; `rotation` is (b, d, d, n)."""
    if rotation.shape[1] == 2:  # the second vector is the first, turned
        return np.zeros(rotation.shape[-1], bool)
    third = np.cross(rotation[:, :, 0], rotation[:, :, 1], axis=1)
    return np.asarray(((third * rotation[:, :, 2]).sum(axis=1) < 0).any(axis=0))


def driven_angle(driver: DrivenFreedom, r: Array, shift: Array) -> Array:
    """Compute the angle of a driven freedom from the placement of the second frame of its joint in the first.

    The moves of the joint are multiplied out as in the equations of the drivers. S and F have two triples of angles for
    a rotation; taken is the triple whose second angle is on the same side of ±π/2 as in the reference configuration.

    Parameters
    ----------
    driver : DrivenFreedom
    r : (d, d, n) array
        Rotation.
    shift : (d, n) array
        Displacement.

    Returns
    -------
    (n,) array
        rad, modulo 2π.
    """
    joint, reference = driver.joint, driver.joint.reference
    if joint.type in ("U", "ER", "PC"):
        return np.arctan2(r[0, 2], -r[1, 2]) if driver.freedom.name == "angle_1" else np.arctan2(r[2, 0], r[2, 1])
    if joint.type in ("RD", "SPSP"):
        pointed = np.arctan2(shift[1], shift[0])
        if driver.index == 0:
            return np.asarray(pointed)
        if len(shift) == 2:
            return np.arctan2(r[1, 0], r[0, 0]) - pointed
        return np.arctan2(-shift[2], np.hypot(shift[0], shift[1]))
    if joint.type in THREE_ANGLES and len(shift) == 3:
        side = np.sign(np.cos(reference.get("angle_y", 0.0))) if isinstance(reference, Mapping) else 1.0
        pairs = (-r[1, 2], r[2, 2]), (side * r[0, 2], np.hypot(r[0, 0], r[0, 1])), (-r[0, 1], r[0, 0])
        sine, cosine = pairs[driver.freedom.axis]
        return np.arctan2(side * sine, side * cosine)
    return np.arctan2(r[1, 0], r[0, 0])


def coupled_angles(joint: Joint, geometry: JointGeometry, r: Array, shift: Array) -> list[Array]:
    """Compute the coupled angles (n,) of a joint modulo 2π, rad, from the same placement as `driven_angle`."""
    if joint.type in ("H", "RW"):
        return [np.arctan2(r[1, 0], r[0, 0])]
    if joint.type in ("RP", "HF"):
        return [np.arctan2(-r[0, 1], r[0, 0])]
    first = np.arctan2(shift[1], shift[0])
    x, y, z = np.eye(3)[0] if geometry.bend is None else geometry.bend[:, 0]
    cosine, sine = np.cos(first), np.sin(first)
    pointing = np.array([cosine * x - sine * y, sine * x + cosine * y, np.full_like(first, z)])[: len(shift)]
    along, across = ((pointing * r[:, k]).sum(axis=0) for k in (0, 1))
    return [first, np.arctan2(-across, along)]
