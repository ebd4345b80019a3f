"""A motion solved group by group against the global formulation of the same mechanism."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from groupkin.arguments import checked
from groupkin.errors import GroupkinError
from groupkin.kinematics.global_formulation.coupled_motion import solve_coupled
from groupkin.kinematics.global_formulation.global_motion import GlobalModel, GlobalMotion, build, solve_globally
from groupkin.kinematics.modes.modes import configuration
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.model.geometry.assembly import moved
from groupkin.showing import InNotebooks
from groupkin.tolerances import AGREED_POSITION, AGREED_RATE


@dataclass(frozen=True)
class Differences(InNotebooks):
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
        return self.position <= AGREED_POSITION and self.velocity <= AGREED_RATE and self.acceleration <= AGREED_RATE


@checked
def compare(motion: Motion) -> Differences:
    """Compare a motion with the solution of the global formulation.

    Idle spins are held in both. Neither orientations that the global formulation leaves undetermined (a rod that may
    spin) nor steps that were not solved are compared.
    """
    structure = motion.program.structure
    mechanism, geometry = structure.solved_as, solved_geometry(structure, motion.program.geometry)
    start = {body: np.eye(mechanism.dimension) for body in mechanism.movable}
    if motion.program.modes:
        placed = configuration(motion.program)
        start = {body: turn for body, (_, turn) in placed.items()}
        geometry = moved(mechanism, geometry, placed)
    motion = motion.at(np.flatnonzero(motion.solved))
    if not motion.times.size:
        return Differences(np.nan, np.nan, np.nan, 0)
    if mechanism.couplings:
        other = solve_coupled(mechanism, motion.times, geometry)
    else:
        other = _solved(mechanism, motion, build(mechanism, geometry))
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
            for read_value, expected in pairs:
                gaps = np.abs(read_value - expected)[~np.isnan(expected)]
                worst = float(np.maximum(worst, gaps.max(initial=0.0)))  # NaN stays
            largest = max(largest, float(np.abs(origin).max()), float(np.abs(rotation).max()))
        differences.append(worst if order == 0 or largest == 0.0 else worst / largest)
    return Differences(differences[0], differences[1], differences[2], motion.times.size)


LEAD = 64
"""Number of times before the first one at which several drivers are led from time zero on."""


def _solved(mechanism: Mechanism, motion: Motion, model: GlobalModel) -> GlobalMotion:
    """Solve all bodies at once; several drivers lead them as they lead iterated groups: by their laws from zero on."""
    times = motion.times
    if times[0] == 0.0 or len(motion.program.drivers) < 2 or not motion.program.iterates:
        return solve_globally(mechanism, times, model)
    led = np.concatenate([np.linspace(0.0, times[0], LEAD, endpoint=False), times])
    try:
        other = solve_globally(mechanism, led, model)
    except GroupkinError:  # laws begin later, or a singular position lies on the way
        return solve_globally(mechanism, times, model)
    rows = other.residual[LEAD:], other.iterations[LEAD:]
    return GlobalMotion(times, other.origin[..., LEAD:], other.rotation[..., LEAD:], *rows)
