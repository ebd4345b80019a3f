"""Which reactions are determined: those that no state of self-stress of the mechanism changes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.joint_freedoms import twists
from groupkin.kinematics.motion.motion import Motion
from groupkin.model.trees import padded, upright

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

LOOKED_AT = 8
"""Steps of a motion that are looked at."""

SMALL = 1e-7
"""Share of a unit stress that is none; what repeated rows of a solved position miss of each other is less."""


@lru_cache(maxsize=8)
def determined(motion: Motion) -> dict[str, Flags]:
    """Tell of every joint which components of its reaction are determined: moments, then forces, in its axes.

    States of self-stress are wrenches in the joints that hold all movable bodies in equilibrium without loads. They are
    looked for at a few steps of the motion; a component is determined if none of them changes it there.

    Returns
    -------
    dict of str to (3,) or (6,) array of bool
    """
    mechanism = motion.program.mechanism
    components = 3 * (mechanism.dimension - 1)
    found = {joint.name: np.ones(components, bool) for joint in mechanism.joints}
    placed = np.flatnonzero(motion.placed)
    if not motion.program.structure.redundancies or not placed.size:
        return found
    chosen = placed[np.unique(np.linspace(0, placed.size - 1, LOOKED_AT).astype(np.int64))]
    for flags in _at(motion.at(chosen)):
        for joint, free in flags.items():
            found[joint] &= free
    return found


def _at(motion: Motion) -> list[dict[str, Flags]]:
    """Tell for every step which components no self-stress changes."""
    program, mechanism = motion.program, motion.program.mechanism
    d, size = mechanism.dimension, program.geometry.size
    kept = [0, 1, 2, 3, 4, 5] if d == 3 else [2, 3, 4]
    center = padded(np.mean([joint.points for joint in program.geometry.joints.values()], axis=(0, 1)))
    bearing: dict[str, Array] = {}  # what every joint can bear: wrenches (n, 6, k) about its point, lengths in sizes
    arms, frames = {}, {}
    for joint in mechanism.joints:
        moves, point = twists(motion, joint.name)
        bearing[joint.name] = _complement(moves[:, kept])
        arms[joint.name] = (padded(point) - center) / size
        stated = program.geometry.joints[joint.name]
        frames[joint.name] = upright(motion.rotation(joint.bodies[0]) @ stated.frames[0])
    results = []
    for n in range(motion.times.size):
        columns = [bearing[joint.name][n] for joint in mechanism.joints]
        sums = np.zeros((len(mechanism.movable), len(kept), sum(x.shape[1] for x in columns)))
        at = 0
        for joint, wrenches in zip(mechanism.joints, columns, strict=True):
            about_center = _shifted(wrenches, arms[joint.name][n], kept)
            for body, sign in zip(joint.bodies, (-1.0, 1.0), strict=True):
                if body != mechanism.frame:
                    sums[mechanism.movable.index(body), :, at : at + wrenches.shape[1]] += sign * about_center
            at += wrenches.shape[1]
        stresses = _null_space(sums.reshape(-1, at))
        flags, at = {}, 0
        for joint, wrenches in zip(mechanism.joints, columns, strict=True):
            stress = wrenches @ stresses[at : at + wrenches.shape[1]]
            at += wrenches.shape[1]
            whole = np.zeros((6, stress.shape[1]))
            whole[kept] = stress
            turned = np.concatenate([frames[joint.name][n].T @ whole[:3], frames[joint.name][n].T @ whole[3:]])
            flags[joint.name] = np.asarray(np.abs(turned[kept]).max(axis=1, initial=0.0) <= SMALL)
        results.append(flags)
    return results


def _complement(columns: Array) -> Array:
    """Orthonormal bases (n, k, k - f) of what is orthogonal to the columns (n, k, f)."""
    whole, _, _ = np.linalg.svd(columns, full_matrices=True)
    return np.asarray(whole[:, :, columns.shape[2] :])


def _null_space(matrix: Array) -> Array:
    """Orthonormal basis (k, m) of what a matrix takes to zero."""
    _, values, rows = np.linalg.svd(matrix)
    rank = int((values > SMALL * values[0]).sum()) if values.size else 0
    return np.asarray(rows[rank:].T)


def _shifted(wrenches: Array, arm: Array, kept: list[int]) -> Array:
    """Wrenches (k, m) about a point as wrenches about the center, `arm` (3,) away."""
    whole = np.zeros((6, wrenches.shape[1]))
    whole[kept] = wrenches
    whole[:3] += np.cross(arm[:, None], whole[3:], axis=0)
    return whole[kept]
