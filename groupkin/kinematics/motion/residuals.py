"""How right a motion is: how well it closes the joints, and how it compares with the global formulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.pairs import Form
from groupkin.model.determination.hold_spins import held
from groupkin.model.geometry.assembly import moved
from groupkin.model.geometry.coordinates import coordinates, placement, reference_coordinates, relation
from groupkin.model.geometry.frames import JointGeometry

Array = NDArray[np.float64]

SAMPLES = 2000
"""Steps at which residuals are computed, at most, evenly spread."""


@dataclass(frozen=True)
class Differences:
    """Largest differences between two solutions, relative.

    Attributes
    ----------
    position : float
        Of origins, relative to the mechanism's size, and of entries of rotation matrices.
    velocity, acceleration : float
        Of the derivatives of the same, relative to the largest of them in the motion.
    steps : int
        Number of times compared.
    """

    position: float
    velocity: float
    acceleration: float
    steps: int

    @property
    def agree(self) -> bool:
        """Whether positions agree to 1e-9, velocities and accelerations to 1e-7."""
        return self.position <= 1e-9 and self.velocity <= 1e-7 and self.acceleration <= 1e-7


def max_residual(motion: Motion) -> float:
    """Largest misfit of any joint or driver at solved steps: lengths relative to the mechanism's size, angles in rad.

    At most `SAMPLES` evenly spread steps are examined.
    """
    chosen = np.flatnonzero(motion.solved)
    chosen = chosen[:: max(1, -(-chosen.size // SAMPLES))]
    part = motion.at(chosen)
    return max((_joint_residual(part, joint.name) for joint in motion.program.mechanism.joints), default=0.0)


def _joint_residual(motion: Motion, name: str) -> float:
    if motion.times.size == 0:
        return float("nan")
    drivers = [driven for driven in motion.program.drivers if driven.joint == name]
    return misfit(motion, name, {driven.freedom: driven.law.at(motion.times)[0] for driven in drivers})


def misfit(motion: Motion, name: str, driven: Mapping[int, Array]) -> float:
    """Largest misfit of a joint whose `driven` freedoms have the given values (n,); see `max_residual`."""
    program = motion.program
    joint = program.mechanism.joint[name]
    geometry, form = program.geometry.joints[name], program.mechanism.form(joint)
    rotation, shift = motion.relative_placement(name)
    values = coordinates(form, rotation, shift, geometry.bend, geometry.contact)
    for freedom, value in driven.items():
        values[form.places[freedom]] = value
    if form.held is not None:
        values[form.held] = reference_coordinates(form, geometry)[form.held]
    gap = _relation_residual(form, geometry, values, program.geometry.size)
    fitted, shifted = placement(form, values, geometry.bend, program.mechanism.dimension, geometry.contact)
    away = float(np.abs(shift - shifted).max()) / program.geometry.size
    return max(gap, away, float(np.abs(rotation - fitted).max()))


def _relation_residual(form: Form, geometry: JointGeometry, values: Array, size: float) -> float:
    """Largest misfit of the relation between an angle and a displacement, whole turns aside.

    That between the angles of two gears cannot be told without their whole turns, and is left to `compare`.
    """
    if form.coupled is None or all(form.moves[k].rotation for k in form.coupled):
        return 0.0
    coefficients, value = relation(form, geometry)
    gap = coefficients @ values[list(form.coupled)] - value
    turned = 2 * np.pi * next(c for c, k in zip(coefficients, form.coupled, strict=True) if form.moves[k].rotation)
    return float(np.abs(gap - turned * np.round(gap / turned)).max()) / size


def compare(motion: Motion) -> Differences:
    """Compare a motion with the solution of the whole mechanism at once (`groupkin.kinematics.global_formulation.global_motion`).

    Idle spins are held in both. Orientations that the global formulation leaves undetermined (a rod that may spin) are
    not compared, nor are steps that were not solved.
    """
    from groupkin.kinematics.global_formulation.global_motion import build, solve_globally

    structure = motion.program.structure
    mechanism, geometry = structure.solved_as, held(structure, motion.program.geometry)
    start = {body: np.eye(mechanism.dimension) for body in mechanism.movable}
    if motion.program.modes:
        from groupkin.kinematics.modes.modes import configuration

        placed = configuration(motion.program)
        start = {body: turn for body, (_, turn) in placed.items()}
        geometry = moved(mechanism, geometry, placed)
    motion = motion.at(np.flatnonzero(motion.solved))
    if not motion.times.size:
        return Differences(np.nan, np.nan, np.nan, 0)
    other = solve_globally(mechanism, motion.times, build(mechanism, geometry))
    differences = []
    readers = (motion.position, motion.velocity, motion.acceleration)
    for order, read in enumerate(readers):
        worst, largest = 0.0, 0.0
        for k, body in enumerate(mechanism.movable):
            origin, rotation = read(body) / geometry.size, motion.rotation_rate(body, order)
            pairs = (
                (origin, other.origin[order, k].T / geometry.size),
                (rotation, np.moveaxis(other.rotation[order, k], -1, 0) @ start[body]),
            )
            for found, expected in pairs:
                gaps = np.abs(found - expected)[~np.isnan(expected)]
                worst = float(np.maximum(worst, gaps.max(initial=0.0)))  # NaN stays
            largest = max(largest, float(np.abs(origin).max()), float(np.abs(rotation).max()))
        differences.append(worst if order == 0 or largest == 0.0 else worst / largest)
    return Differences(differences[0], differences[1], differences[2], motion.times.size)
