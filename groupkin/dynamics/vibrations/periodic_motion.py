"""Motions that repeat themselves after a period, and how small deviations from them grow (Floquet 1883)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.dynamics.simulation.free_motion import FreeMotion, Start, starting_values
from groupkin.dynamics.simulation.simulation import free_motion, simulate
from groupkin.errors import ArgumentError, SimulationError
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.mechanism import Mechanism
from groupkin.showing import InNotebooks
from groupkin.tolerances import CENTRAL_STEP, PERIODIC_RTOL, REACHED_PERIOD, UNCHANGED
from sglibrary.array_types import Array

MOST = 12
"""Largest number of corrections of a periodic motion."""

LONGEST = 1_000_000
"""Steps of the motion that is returned, at most."""


@dataclass(frozen=True, eq=False)
class PeriodicMotion(InNotebooks):
    """A motion that repeats itself.

    Attributes
    ----------
    coordinates : tuple of str
        Names of the free coordinates.
    motion : Motion
        One period.
    monodromy : (2 f, 2 f) array
        What small deviations of coordinates and their rates become after a period.
    """

    coordinates: tuple[str, ...]
    motion: Motion
    monodromy: Array

    def __repr__(self) -> str:
        name, largest = self.motion.program.mechanism.name, float(np.abs(self.multipliers[0]))
        return f"<PeriodicMotion of {name}: {self.period:g} s, largest multiplier {largest:.4g}>"

    @property
    def period(self) -> float:
        """Period, s."""
        return float(self.motion.times[-1] - self.motion.times[0])

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Floquet multipliers (2 f,), the largest first: factors by which small deviations grow over a period.

        Where nothing depends on the time one of them is 1, of deviations along the motion, and where also energy is
        kept another one.
        """
        found = np.linalg.eigvals(self.monodromy)
        return np.asarray(found[np.argsort(-np.abs(found))], complex)


@checked
def periodic_motion(
    mechanism: Mechanism,
    period: float,
    start: Start | None = None,
    *,
    steps: int = 101,
    rtol: float = PERIODIC_RTOL,
    assemble: bool = False,
) -> PeriodicMotion:
    """Find a motion under forces that repeats itself after a period, near a start, and how deviations from it grow.

    Parameters
    ----------
    mechanism : Mechanism
        Its laws must have the period too. Rotations may go on by whole turns.
    period : float
        s, from time zero.
    start : mapping of str to float or (float, float), optional
        As of `simulate`; it is corrected by Newton's method until the motion closes, as little as possible.
    steps : int
        Times of the motion that is returned.
    rtol : float
        Of the simulations.
    assemble : bool
        Assemble a reference configuration whose joints do not close exactly.

    Raises
    ------
    SimulationError
        If nothing is free, a simulation cannot go on, or no motion that closes is found.

    Examples
    --------
    >>> import groupkin as gk
    >>> arm = gk.Body("arm", mass=1.0, center=(0.0, -9.81))
    >>> pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    >>> oil = gk.JointSpring("oil", "pin", damping=10.0)
    >>> pendulum = gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -9.81), forces=[oil])
    >>> rest = periodic_motion(pendulum, 2 * 3.141592653589793, {"pin": 0.2})
    >>> abs(rest.multipliers).round(4)
    array([0.7215, 0.7215])
    """
    if not period > 0.0 or not 2 <= steps <= LONGEST:
        raise ArgumentError(f"a period must be positive, with 2 to {LONGEST} steps, not {period:g} s and {steps}")
    free = free_motion(mechanism, assemble)
    y = np.concatenate(starting_values(free, start))
    fastest = max(1.0, float(np.abs(y[len(free.free) :] / free.units).max()))
    units = np.concatenate([free.units, free.units * fastest])

    def end(state: Array) -> Array:
        motion = simulate(
            mechanism, [0.0, period], _as_start(free, state), rtol=rtol, ranges="ignore", assemble=assemble
        )
        return np.stack([motion.driver(int(k))[:2, -1] for k in free.free], axis=1).ravel()

    for _ in range(MOST):
        apart = _turned(free, end(y) - y) / units
        monodromy = _differences(end, y, units)
        if np.abs(apart).max() <= REACHED_PERIOD:
            times = np.linspace(0.0, period, steps)
            motion = simulate(mechanism, times, _as_start(free, y), rtol=rtol, assemble=assemble)
            return PeriodicMotion(tuple(free.names), motion, monodromy * units[:, None] / units)
        y = y - np.linalg.lstsq(monodromy - np.eye(y.size), apart, rcond=UNCHANGED)[0] * units
    raise SimulationError(
        f"no motion with the period {period:g} s is found from this start: after {MOST} corrections it ends "
        f"{np.abs(apart).max():.3g} rad or sizes of the mechanism from where it begins; start elsewhere, or check the "
        "period"
    )


def _as_start(free: FreeMotion, y: Array) -> Start:
    z, rates = np.split(y, 2)
    return {name: (float(x), float(rate)) for name, x, rate in zip(free.names, z, rates, strict=True)}


def _turned(free: FreeMotion, apart: Array) -> Array:
    """Leave out whole turns of rotations."""
    for k, driver in enumerate(free.free):
        if free.program.drivers[driver].rotation:
            apart[k] -= 2 * np.pi * np.round(apart[k] / (2 * np.pi))
    return apart


def _differences(end: Callable[[Array], Array], y: Array, units: Array) -> Array:
    """Derivatives (2 f, 2 f) of the end by the start, both in units."""
    sides = [
        [end(y + sign * CENTRAL_STEP * units * (np.arange(y.size) == k)) for sign in (1.0, -1.0)] for k in range(y.size)
    ]
    return np.stack([(ahead - behind) / (2.0 * CENTRAL_STEP * units) for ahead, behind in sides], axis=1)
