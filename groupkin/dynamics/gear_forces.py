"""Radial and axial forces of gears: what the angles of their teeth add to the tangential force."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.loads import moment
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.laws import Constant
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import PAIRS
from groupkin.model.trees import padded, upright

Array = NDArray[np.float64]

PRESSURE = np.deg2rad(20.0)
"""Pressure angle of gears that state none."""

PARALLEL = 1e-9
"""Sine of the angle between axes that are parallel."""

STILL = 1e-9
"""Rate of a distance per rate of a driver that is rounding, relative to the size of the mechanism."""


def tooth_forces(motion: Motion, joint: Joint, tangential: Array) -> tuple[Array, Array] | None:
    """Compute what the teeth of parallel gears push besides the tangential force.

    The force between teeth is normal to them: with the tangential force F, the pressure angle α in the normal plane and
    the helix angle β it has a radial part |F| tan α / cos β, which drives the gears apart, and an axial one F tan β.
    It acts at the pitch point, where the gears do not slide, so it does no work and changes bearings alone.

    Where the distance of the centers changes, a radial part would do work, and an axial one where helical gears shift.
    The ratio of the gears is the same there, so that what enforces it is the tangential force alone.

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

    None is returned for other joints, and for gears whose axes are not parallel or whose centers move
    apart.
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
    helix = joint.helix_angle or 0.0
    if _move(motion, joint, (one, two), [way[:, :d], *([axis] if helix and d == 3 else [])]):
        return None
    # outer gears mesh between their centers, inner ones beyond the center of the smaller gear
    share = first / (first - mesh * second)
    pitch = padded(one) + share * away
    outward = way if mesh < 0 or first > second else -way  # where the first gear has its teeth
    toward_second = way if mesh < 0 else (-outward if first > second else outward)
    pressure = PRESSURE if joint.pressure_angle is None else joint.pressure_angle
    force = padded(tangential.T)
    size = np.linalg.norm(force, axis=1, keepdims=True)
    radial = size * np.tan(pressure) / np.cos(helix) * toward_second
    around = np.cross(axis, outward)
    axial = -(force * around).sum(axis=1, keepdims=True) * np.tan(helix) * axis
    return (radial + (axial if d == 3 else 0.0))[:, :d].T, pitch[:, :d]


def _move(motion: Motion, joint: Joint, centers: tuple[Array, Array], ways: list[Array]) -> bool:
    """Whether drivers move the centers of gears apart along some directions (n, d), so that forces there do work.

    A driver that is held at one value does not move them.
    """
    mechanism = motion.program.mechanism
    steps, d = ways[0].shape
    loads = np.zeros((len(mechanism.movable), 3 * (d - 1), len(ways), steps))
    for body, center, sign in zip(joint.bodies, centers, (-1.0, 1.0), strict=True):
        if body != mechanism.frame:
            arm, at = (center - motion.position(body)).T, mechanism.movable.index(body)
            for k, way in enumerate(ways):
                loads[at, :, k] += sign * np.concatenate([moment(arm, way.T), way.T])
    moving = [
        k
        for k, driven in enumerate(motion.program.drivers)
        if not isinstance(driven.law, Constant) or motion.driven[k, 1:].any()
    ]
    rates = motion.program.rates_transposed(motion, loads)[moving]
    return bool(np.nanmax(np.abs(rates), initial=0.0) > STILL * max(1.0, motion.program.geometry.size))
