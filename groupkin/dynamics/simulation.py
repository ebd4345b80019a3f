"""Motion under forces: direct dynamics of the coordinates that no law drives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import checked, floats
from groupkin.dynamics.free_motion import FreeMotion, Start, starting_values, with_free_drivers
from groupkin.errors import ArgumentError, SimulationError, TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import program, solve
from groupkin.mechanism.laws import Constant, Samples
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.points import LARGEST

Array = NDArray[np.float64]
Method = Literal["DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA"]


TIGHTEST, LOOSEST = 1e-13, 0.1
"""Relative tolerances."""

LEAST = 1e-3
"""Conditioning at which free coordinates come to rest, as they cannot lead the mechanism on."""


def free_motion(mechanism: Mechanism, assemble: bool = False) -> FreeMotion:
    """Prepare the equations of motion of a mechanism; drivers without a law are free, and added where any lack.

    Raises
    ------
    SimulationError
        If nothing is free.
    """
    whole = with_free_drivers(mechanism)
    laws = {(joint, k): driver.law for joint, drivers in whole.driven.items() for k, driver in drivers.items()}
    # a program needs laws, which evaluation at given values does not use
    drivers = [replace(driver, law=driver.law or Constant(0.0)) for driver in whole.drivers]
    built = program(replace(whole, drivers=drivers), assemble=assemble)
    of_drivers = [laws[driven.joint, driven.freedom] for driven in built.drivers]
    free = np.array([k for k, law in enumerate(of_drivers) if law is None], np.int64)
    if not free.size:
        raise SimulationError(
            f"{mechanism.name} has a law for each of its {len(of_drivers)} drivers, so nothing is free; leave out the "
            "`law` of a driver, or the driver"
        )
    return FreeMotion(built, free, of_drivers)


@checked
def simulate(
    mechanism: Mechanism,
    times: ArrayLike,
    start: Start | None = None,
    *,
    method: Method = "DOP853",
    rtol: float = 1e-8,
    atol: float | None = None,
    assemble: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Motion:
    """Compute the motion of a mechanism under its forces.

    Drivers without a law are free. Where drivers lack, free ones are added, so that a pendulum needs none; drivers with
    a law move as it says.

    Parameters
    ----------
    mechanism : Mechanism
        With masses, and perhaps gravity and forces.
    times : (n,) array_like
        At least two, increasing, s.
    start : mapping of str to float or (float, float), optional
        Values, or values and rates, of free coordinates at the first time, by joint or ``joint.freedom``: rad and
        rad/s, m and m/s. Default: at rest in the reference configuration.
    method : {"DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA"}
        An integrator of `scipy.integrate`; Radau, BDF and LSODA are for stiff springs and dampers.
    rtol, atol : float
        Relative tolerance; absolute one of coordinates and rates, by default ``rtol`` times rad, or sizes of the
        mechanism, and per second.
    assemble : bool
        Assemble a reference configuration whose joints do not close exactly.
    progress : callable, optional
        Called with the time that is reached, s.

    Returns
    -------
    Motion
        Like any other; its free drivers have the computed values, rates and accelerations as their laws, so that
        `inverse_dynamics` gives its reactions and energies.

    Raises
    ------
    SimulationError
        If nothing is free, or the integration cannot go on: with the time, and why. Its `motion` is what was computed
        before, as it is of a KeyboardInterrupt.
    MassError
        If no mass moves with a free coordinate.
    NotDeterminedError
        If the mechanism cannot be determined by more drivers.

    Examples
    --------
    >>> import groupkin as gk
    >>> arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0))
    >>> pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    >>> motion = simulate(gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -9.81)), [0.0, 0.5, 1.0])
    >>> motion.joint("pin").round(4) + 0.0
    array([[ 0.    , -1.169 , -2.9758]])
    """
    t = _times(times)
    if not TIGHTEST <= rtol <= LOOSEST or (atol is not None and not 0.0 < atol <= LARGEST):
        raise ArgumentError(
            f"rtol must be from {TIGHTEST:g} to {LOOSEST:g}, and atol positive, not {rtol:g} and {atol}"
        )
    free = free_motion(mechanism, assemble)
    z, rates = starting_values(free, start)
    free.require_mass(t[0], z)
    scale = np.array([1.0 if free.program.drivers[k].rotation else free.program.geometry.size for k in free.free])
    absolute: Any = rtol * np.tile(scale, 2) if atol is None else atol
    return _as_motion(free, t, _integrated(free, t, np.concatenate([z, rates]), method, rtol, absolute, progress))


def _times(times: ArrayLike) -> Array:
    t = np.atleast_1d(floats(times))
    if t.ndim != 1 or t.size < 2 or not np.isfinite(t).all() or not (np.diff(t) > 0).all():
        raise TimesError("a simulation needs at least two times that increase, in s")
    return t


def _integrated(
    free: FreeMotion,
    t: Array,
    y: Array,
    method: str,
    rtol: float,
    atol: Any,
    progress: Callable[[float], None] | None,
) -> Array:
    """Integrate coordinates and rates (2 f, n).

    Raises
    ------
    SimulationError, KeyboardInterrupt
        Whose `motion` is what was computed before.
    """
    from scipy import integrate

    count, states = len(free.free), [y]

    def rate(time: float, state: Array) -> Array:
        gains = free.accelerations(time, state[:count], state[count:])
        if free.state is not None and free.state.conditioning.min(initial=1.0) < LEAST:
            raise SimulationError(f"the simulation cannot go on at t = {time:.6g} s: {_why(free, time, state)}")
        return np.concatenate([state[count:], gains])

    try:
        solver = getattr(integrate, method)(rate, t[0], y, t[-1], rtol=rtol, atol=atol)
        while solver.status == "running":
            solver.step()
            if solver.status == "failed" or not np.isfinite(solver.y).all():
                why = _why(free, float(solver.t), states[-1])
                raise SimulationError(f"the simulation cannot go on after t = {float(solver.t):.6g} s: {why}")
            between, ahead = solver.dense_output(), t[len(states) :]
            states += [between(time) for time in ahead[ahead <= solver.t]]
            if progress is not None:
                progress(float(solver.t))
    except (SimulationError, KeyboardInterrupt) as error:
        reached = len(states)
        error.motion = _as_motion(free, t[:reached], np.array(states).T) if reached > 1 else None  # type: ignore[union-attr]
        raise
    return np.array(states).T


def _why(free: FreeMotion, time: float, y: Array) -> str:
    """Say why no step is possible after a state."""
    count = len(free.free)
    motion = free.configuration(time, y[:count], y[count:])
    conditioning = motion.conditioning[:, 0]
    worst = int(np.argmin(np.where(np.isfinite(conditioning), conditioning, 0.0)))
    group = free.program.structure.groups[worst]
    named = f"group {group.number} ({', '.join(group.bodies)}; {group.label})"
    if conditioning[worst] < 0.1 or not motion.solved.all():
        return (
            f"{named} has the conditioning {conditioning[worst]:.3g}, near a position that {', '.join(free.names)} "
            "cannot lead through; leave another driver without a law"
        )
    return "forces change too fast; look for infinite stiffness or forces that are no numbers, or try method='Radau'"


def _as_motion(free: FreeMotion, t: Array, found: Array) -> Motion:
    """Solve the motion that the free coordinates (2 f, n) have, whose laws they become."""
    mechanism, count = free.program.mechanism, len(free.free)
    gains = np.array([free.accelerations(time, *np.split(y, 2)) for time, y in zip(t, found.T, strict=True)]).T
    samples = {
        (free.program.drivers[number].joint, free.program.drivers[number].freedom): Samples(
            *(tuple(map(float, row)) for row in (t, found[k], found[count + k], gains[k]))
        )
        for k, number in enumerate(free.free)
    }
    laws = {
        id(driver): samples.get((joint, k), driver.law)
        for joint, drivers in mechanism.driven.items()
        for k, driver in drivers.items()
    }
    drivers = [replace(driver, law=laws[id(driver)]) for driver in mechanism.drivers]
    return solve(replace(mechanism, drivers=drivers), t)
