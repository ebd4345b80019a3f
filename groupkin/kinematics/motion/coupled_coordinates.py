"""Coordinates of couplings in a motion, and how couplings feel them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.relations import Coordinate, Relation

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]


def slopes(motion: Motion, relation: Relation) -> Array:
    """Compute the derivatives (k, n) of a coupling by its coordinates, m and rad, at all steps."""
    values = [_values(motion, each) for each in relation.coordinates]
    found = []
    for k in range(len(values)):
        jets = [(x, np.full_like(x, float(i == k))) for i, x in enumerate(values)]
        found.append(np.broadcast_to(relation.jet(jets, 1)[1], motion.times.shape))
    return np.array(found)


def _values(motion: Motion, coordinate: Coordinate) -> Array:
    """Compute a coordinate (n,), m or rad."""
    joint, program = coordinate.joint, motion.program
    if joint.name in program.mechanism.joint:
        return np.asarray(motion.joint(joint.name)[coordinate.index])
    body = joint.bodies[1]
    if coordinate.freedom.rotation:
        return motion.angle(body)
    return np.asarray(motion.point_on(body, program.geometry.joints[joint.name].points[1], 0)[:, coordinate.index])
