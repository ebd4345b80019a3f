"""Radial and axial forces of gears: what the angles of their teeth add to the tangential force."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import PAIRS
from groupkin.model.trees import padded, upright

Array = NDArray[np.float64]

PRESSURE = np.deg2rad(20.0)
"""Pressure angle of gears that state none."""

PARALLEL = 1e-9
"""Sine of the angle between axes that are parallel."""


def tooth_forces(motion: Motion, joint: Joint, tangential: Array) -> tuple[Array, Array] | None:
    """Compute what the teeth of parallel gears push besides the tangential force.

    The force between teeth is normal to them: with the tangential force F, the pressure angle α in the normal plane and
    the helix angle β it has a radial part |F| tan α / cos β, which drives the gears apart, and an axial one F tan β.
    It acts at the pitch point, where the gears do not slide, so it does no work and changes bearings alone.

    Parameters
    ----------
    motion : Motion
    joint : Joint
    tangential : (d, n) array
        Force of the first body on the second, N.

    Returns
    -------
    (d, n) array
        Radial and axial force of the first body on the second, N.
    (n, d) array
        The pitch point, m.

    None is returned for other joints, and for gears whose axes are not parallel.
    """
    mesh, d = PAIRS[joint.type].mesh, motion.program.mechanism.dimension
    if not mesh or joint.radii is None:
        return None
    geometry = motion.program.geometry.joints[joint.name]
    one, two = (motion.point_on(body, at) for body, at in zip(joint.bodies, geometry.points, strict=True))
    axes = [
        upright(motion.rotation(body) @ frame)[:, :, 2]
        for body, frame in zip(joint.bodies, geometry.frames, strict=True)
    ]
    if np.abs(np.cross(axes[0], axes[1])).max(initial=0.0) > PARALLEL:
        return None
    axis, away = axes[0], padded(two - one)
    away = away - (away * axis).sum(axis=1, keepdims=True) * axis
    way = away / np.linalg.norm(away, axis=1, keepdims=True)
    first, second = joint.radii
    # outer gears mesh between their centers, inner ones beyond the center of the smaller gear
    share = first / (first - mesh * second)
    pitch = padded(one) + share * away
    outward = way if mesh < 0 or first > second else -way  # where the first gear has its teeth
    toward_second = way if mesh < 0 else (-outward if first > second else outward)
    pressure = PRESSURE if joint.pressure_angle is None else joint.pressure_angle
    helix = joint.helix_angle or 0.0
    force = padded(tangential.T)
    size = np.linalg.norm(force, axis=1, keepdims=True)
    radial = size * np.tan(pressure) / np.cos(helix) * toward_second
    around = np.cross(axis, outward)
    axial = -(force * around).sum(axis=1, keepdims=True) * np.tan(helix) * axis
    return (radial + (axial if d == 3 else 0.0))[:, :d].T, pitch[:, :d]
