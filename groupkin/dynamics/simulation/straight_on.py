"""Through singular positions at which the freedom of a mechanism rises, on the branch on which velocities go on.

No free coordinates lead through such a position, as that of a parallelogram in line: behind it the mechanism may go on
in several ways. Next to it positions and velocities lose digits with the conditioning c, but on either side not the way
that the coordinates go, whose accelerations are smooth along the branch. So from where c is 1e-3 the coordinates are
extrapolated to as far behind the position, and the assembly modes are those that lead to the bodies there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from groupkin.dynamics.simulation.coordinate_changes import with_laws_of
from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.dynamics.simulation.other_coordinates import in_modes_of
from groupkin.kinematics.motion.motion import Inputs, Motion, Passage
from groupkin.kinematics.program.program import Program
from sglibrary.array_types import Array

NEAR = 0.015
"""Conditioning below which it is gone straight on: accelerations lose digits with its third power."""

APART, NODES, ITERATIONS = 0.02, 9, 12
"""Rad that the fastest body turns between places before the position, at which accelerations are looked at; how many
these are; and how often, as the states there follow from the accelerations."""

FARTHEST = 0.05
"""Rad that the fastest body turns to the position at most, which else is none where the motion goes straight on."""

BEHIND = 1.3
"""How far behind the position it is gone on, by how far before it the conditioning is `NEAR`, or it was left."""

SAME = 1e-2
"""Difference of poses from extrapolated ones, by the angle to the position, by which the branches differ."""


@dataclass(frozen=True, eq=False)
class Gap:
    """What lies between two free motions, next to a singular position.

    Attributes
    ----------
    start, end : (float, (2 f,) array)
        Time, s, and state where it begins and where it ends.
    time : float
        Of the position, s.
    bodies : tuple of str
        Those of the groups that change over to other modes.
    """

    start: tuple[float, Array]
    end: tuple[float, Array]
    time: float
    bodies: tuple[str, ...]

    def passage(self, program: Program) -> Passage:
        """Say the same of the groups of another program that have several modes."""
        numbers = {program.structure.group_of[body].number for body in self.bodies}
        return Passage(self.time, tuple(sorted({call.group for call in program.calls if call.signs} & numbers)))


def gap_at(free: FreeMotion, time: float, y: Array) -> tuple[Gap, FreeMotion] | None:
    """Go straight through the singular position next to a state.

    Parameters
    ----------
    free : FreeMotion
        Whose groups have closed forms.
    time : float
        s.
    y : (2 f,) array

    Returns
    -------
    Gap, FreeMotion
        What is gone through, and the equations behind it. None if there is no such position, or the motion does not
        go on smoothly behind it.
    """
    here = free.motion_at(np.array([time]), y[:, None])
    fastest = _fastest(here)
    if free.program.iterates or not here.solved.all() or not fastest > 0.0:
        return None
    curve = _accelerations(free, time, y, APART / fastest)
    first = free.conditioning_at(time - APART / fastest, _moved(y, curve, -APART / fastest))
    near = free.conditioning_at(time, y)
    left = near / (first - near) * APART / fastest
    if not 0.0 < left * fastest < FARTHEST:
        return None
    step = left + BEHIND * left * max(1.0, NEAR / near)
    state = _moved(y, curve, step)
    values = free.by_laws(np.array([time + step]))[:, :, 0].T
    values[free.free, :2] = state.reshape(2, -1).T
    program = in_modes_of(free.program, values[:, 0], _extrapolated(here, step, values), SAME * left * fastest)
    if program is None:
        return None
    pairs = zip(free.program.calls, program.calls, strict=True)
    groups = {new.group for old, new in pairs if not np.array_equal(old.constants, new.constants)}
    bodies = tuple(body for group in program.structure.groups if group.number in groups for body in group.bodies)
    gap = Gap((time, y.copy()), (time + step, state), time + left, bodies)
    return gap, with_laws_of(free, program)


def _fastest(motion: Motion) -> float:
    return max(
        (float(np.abs(motion.rotation_rate(body)).max()) for body in motion.program.mechanism.movable), default=0.0
    )


def _accelerations(free: FreeMotion, time: float, y: Array, apart: float) -> Array:
    """Fit the accelerations of the coordinates before a state (2 f,): coefficients (NODES, f) of powers of the time."""
    nodes = -apart * np.arange(1.0, 1.0 + NODES)
    curve: Array = np.zeros((NODES, y.size // 2))
    for _ in range(ITERATIONS):
        states = np.stack([_moved(y, curve, step) for step in nodes], axis=1)
        gains = free.accelerations_at(time + nodes, states)
        fitted = np.linalg.solve(np.vander(nodes / apart, NODES, increasing=True), gains.T)
        curve = np.asarray(fitted / (apart ** np.arange(NODES))[:, None])
    return curve


def _moved(y: Array, curve: Array, step: float) -> Array:
    """Move a state (2 f,) by a step of time, s, with accelerations that are polynomials of it."""
    z, rate = np.split(y, 2)
    k = np.arange(len(curve))[:, None]
    gained = (curve * step ** (k + 1) / (k + 1)).sum(axis=0)
    way = (curve * step ** (k + 2) / ((k + 1) * (k + 2))).sum(axis=0)
    return np.concatenate([z + step * rate + way, rate + gained])


def _extrapolated(here: Motion, step: float, values: Array) -> Motion:
    """Move all bodies by a step of time, s; values, rates and accelerations (drivers, 3) are those of the drivers."""
    q = here.q + step * (here.v + 0.5 * step * here.a)
    return replace(here, times=here.times + step, q=q, inputs=Inputs(values[:, :, None], True))


def between(first: Motion, second: Motion, times: Array) -> tuple[Array, Array, Array]:
    """Interpolate rows between two states, given in the same rows, by the polynomials of degree 5 (Hermite).

    Returns
    -------
    (rows, n) arrays
        Positions, velocities, accelerations.
    """
    from scipy.interpolate import BPoly

    ends = [first.times[0], second.times[0]]
    derivatives = [np.stack([motion.q[:, 0], motion.v[:, 0], motion.a[:, 0]]) for motion in (first, second)]
    curve = BPoly.from_derivatives(ends, derivatives)
    q, v, a = (curve.derivative(order)(times) if order else curve(times) for order in range(3))
    return q.T, v.T, a.T
