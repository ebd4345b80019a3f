"""Coordinates of couplings in a motion, and by how much couplings are missed."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.couplings.relations import Coordinate, Relation
from groupkin.model.geometry.assembly import reference_values

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]


def residual(motion: Motion, relation: Relation) -> float:
    """Compute by how much a coupling is missed at the only step of a motion, whole turns of its angles aside."""
    program = motion.program
    values = [float(coordinate_values(motion, each)[0]) for each in relation.coordinates]
    turns = [(-1, 0, 1) if each.freedom.rotation else (0,) for each in relation.coordinates]
    shifted = np.array(values)[:, None] + 2.0 * np.pi * np.array(list(product(*turns)), float).T
    kept = relation.kept(reference_values(program.mechanism, program.geometry, relation))
    missed = relation.jet([(row,) for row in shifted])[0] - kept
    return float(np.nanmin(np.abs(missed), initial=np.inf)) / program.geometry.size ** float(relation.unit[0])


def coordinate_values(motion: Motion, coordinate: Coordinate) -> Array:
    """Compute a coordinate (n,), m or rad."""
    joint, program = coordinate.joint, motion.program
    if joint.name in program.mechanism.joint:
        return np.asarray(motion.joint(joint.name)[coordinate.index])
    body = joint.bodies[1]
    if coordinate.freedom.rotation:
        return motion.angle(body)
    return np.asarray(motion.point_on(body, program.geometry.joints[joint.name].points[1], 0)[:, coordinate.index])
