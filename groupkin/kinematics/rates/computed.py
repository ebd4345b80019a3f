"""What twists need beside positions: those of moves that no body holds, contacts of curves, and slopes of couplings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.coupled_coordinates import slopes
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.freedoms import lines
from groupkin.kinematics.rates.vectors import CONTACT, SLOPE, Computed
from sglibrary.iterative import kinds

Array = NDArray[np.float64]


def computed_rows(motion: Motion, computed: tuple[Computed, ...], middle: Array, length: float) -> list[Array]:
    """Compute twists, contacts and slopes: rows (components, n) of each, of a ball three times as many.

    Their velocities are those of a point (d,), m, in a unit of length, m.
    """
    program, rows = motion.program, []
    d = program.mechanism.dimension
    coupled = dict.fromkeys(name for name, _, kind in computed if kind == SLOPE)
    of_coupling = {name: slopes(motion, program.structure.solved_as.relations[name]) for name in coupled}
    joints = dict.fromkeys(joint for joint, _, kind in computed if kind != SLOPE)
    of_joint = {joint: lines(motion, joint) for joint in joints}
    center = np.zeros(3)
    center[:d] = middle
    for joint, number, kind in computed:
        if kind == SLOPE:
            rows += [of_coupling[joint][number : number + 1], np.zeros((3 * (d - 1) - 1, motion.times.size))]
            continue
        axes, points, bends = (x[number] for x in of_joint[joint])
        arm = (points - center) / length
        if kind == CONTACT:
            twists = [np.concatenate([points, np.zeros_like(points)], axis=1)]
            rows += [twists[0][:, : 3 * (d - 1)].T]
            continue
        if kind == kinds.TRANSLATION:
            twists = [np.concatenate([np.zeros_like(axes), axes], axis=1)]
        elif kind == kinds.CURVE:
            spin = length * bends[:, None] * np.array([0.0, 0.0, 1.0])
            twists = [np.concatenate([spin, axes + np.cross(arm, spin)], axis=1)]
        else:
            about = [np.broadcast_to(e, axes.shape) for e in np.eye(3)] if kind == kinds.BALL else [axes]
            twists = [np.concatenate([a, np.cross(arm, a)], axis=1) for a in about]
        rows += [twist.T if d == 3 else twist.T[[2, 3, 4]] for twist in twists]
    return rows
