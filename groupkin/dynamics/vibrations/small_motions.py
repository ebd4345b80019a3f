"""Positions of rest and steady motions, and small motions about them: linearized equations, frequencies, responses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import checked
from groupkin.dynamics.simulation.free_motion import FreeMotion, Start, starting_values
from groupkin.dynamics.simulation.simulation import free_motion
from groupkin.dynamics.vibrations.downhill import downhill
from groupkin.errors import SimulationError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import SI, Units, conversion
from groupkin.showing import InNotebooks
from groupkin.tolerances import BALANCED, CENTRAL_STEP, CLOSED_AT_REST, NEUTRAL, SAME_EQUATIONS
from sglibrary.array_types import Array
from sglibrary.tolerances import CONVERGED

NEARBY = 1e-3
"""Farthest that the end of the way downhill may be from the rest itself, rad or sizes of the mechanism."""

RATE_STEP = 1e-3
"""Of differences by rates about a steady motion, by the fastest: forces of inertia are parabolas, without an error."""


class VibrationModes(NamedTuple):
    """Small oscillations, slowest first.

    Attributes
    ----------
    frequencies : (m,) array
        Of the damped oscillations, Hz; 0 where a motion dies down or grows without oscillating.
    damping : (m,) array
        Damping ratios: 1 and more without oscillation, negative where a motion grows.
    shapes : (f, m) array of complex
        Amplitudes of the free coordinates, the largest of each mode 1.
    """

    frequencies: Array
    damping: Array
    shapes: NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Linearization(InNotebooks):
    """Linearized equations M z'' + C z' + K z = 0 of the free coordinates about a position of rest or a steady motion.

    Attributes
    ----------
    coordinates : tuple of str
        Names of the free coordinates.
    position : (f,) array
        Their values, rad or m; of those that move steadily at one time.
    mass, damping, stiffness : (f, f) arrays
        M, C and K in SI units. About a steady motion C has gyroscopic terms and K those of centrifugal forces.
    motion : Motion
        The position, one step.
    rates : (f,) array
        Rates of the coordinates, rad/s or m/s; zero at rest.
    """

    coordinates: tuple[str, ...]
    position: Array
    mass: Array
    damping: Array
    stiffness: Array
    motion: Motion
    rates: Array
    free: FreeMotion = field(repr=False)

    def __repr__(self) -> str:
        say = "stable" if self.stable else "not stable"
        return f"<Linearization of {self.motion.program.mechanism.name} by {', '.join(self.coordinates)}: {say}>"

    @property
    def stable(self) -> bool:
        """Whether small forces lead to small motions: at rest the energy is least there, else no motion grows."""
        if not self.motion.v.any():
            return bool(np.linalg.eigvalsh(0.5 * (self.stiffness + self.stiffness.T))[0] > 0)
        poles = self._poles()[0]
        return bool((poles.real <= NEUTRAL * np.abs(poles).max(initial=0.0)).all())

    def state_space(self) -> Array:
        """Compute the matrix A (2 f, 2 f) of y' = A y for y = (z, z'), as for `scipy.signal`."""
        f, inverse = len(self.position), np.linalg.inv(self.mass)
        return np.block([[np.zeros((f, f)), np.eye(f)], [-inverse @ self.stiffness, -inverse @ self.damping]])

    def _poles(self) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
        """Compute poles (m,), 1/s, and amplitudes (f, m) of the coordinates, without steady motions at other speeds."""
        f, steady = len(self.position), self.rates != 0.0
        kept = np.concatenate([np.flatnonzero(~steady), f + np.arange(f)])
        values, found = np.linalg.eig(self.state_space()[np.ix_(kept, kept)])
        moving = np.abs(values) > (NEUTRAL * np.abs(values).max(initial=0.0) if steady.any() else -1.0)
        vectors = np.zeros((2 * f, int(moving.sum())), complex)
        values, vectors[kept] = values[moving], found[:, moving]
        vectors[:f][steady] = vectors[f:][steady] / values
        return values, vectors[:f]

    def vibration_modes(self) -> VibrationModes:
        """Compute frequencies, damping ratios and shapes of small oscillations."""
        values, vectors = self._poles()
        upper = np.flatnonzero(values.imag >= 0)
        chosen = upper[np.lexsort((np.abs(values[upper].real), np.abs(values[upper])))]
        shapes = vectors[:, chosen]
        shapes = shapes / shapes[np.abs(shapes).argmax(axis=0), np.arange(len(chosen))]
        size = np.where(np.abs(values[chosen]) > 0, np.abs(values[chosen]), 1.0)
        return VibrationModes(values[chosen].imag / (2 * np.pi), -values[chosen].real / size, shapes)

    def frequency_response(self, force: str, output: str, frequencies: ArrayLike) -> NDArray[np.complex128]:
        """Compute how an output oscillates where a force, or a driver, does.

        Parameters
        ----------
        force : str
            What oscillates: a free coordinate, along which a force or moment of 1 N or N m does; a force of the
            mechanism, by as much as it is; or a driver with a law, whose displacement does, by 1 rad or m.
        output : str
            A `quantity` of one component, such as ``position car.y`` or ``acceleration car.y``.
        frequencies : (n,) array_like
            Hz.

        Returns
        -------
        (n,) array of complex
            Amplitudes of the output in SI units, with their phases ahead of what oscillates; NaN where nothing limits
            them, as at 0 Hz those of a body that nothing holds.

        Raises
        ------
        UnknownNameError, ArgumentError
        """
        from groupkin.dynamics.vibrations.frequency_response import response

        return response(self, force, output, frequencies)

    def text(self, units: Units = SI) -> str:
        """Write position and modes for a terminal."""
        mechanism = self.motion.program.mechanism
        lines = [f"{name} {units.text(value, unit)}" for name, value, unit in self._position()]
        found = self.vibration_modes()
        modes = [
            f"{frequency:.6g} Hz, damping ratio {ratio + 0.0:.3g}"
            if frequency
            else f"no oscillation, damping ratio {ratio + 0.0:.3g}"
            for frequency, ratio in zip(found.frequencies, found.damping, strict=True)
        ]
        state = "moving steadily" if self.motion.v.any() else "at rest"
        head = f"{mechanism.name} {state}, {'stable' if self.stable else 'not stable'}: {', '.join(lines)}"
        return "\n".join([head, *(f"  mode {k}: {mode}" for k, mode in enumerate(modes, 1))])

    def as_data(self, units: Units = SI) -> dict[str, Any]:
        """Return position, in some units, and modes as data; frequencies are in Hz."""
        found, position = self.vibration_modes(), {}
        for name, value, of in self._position():
            factor, unit = conversion(of, units)
            position[f"{name} [{unit}]"] = value * factor
        return {
            "at_rest": not self.motion.v.any(),
            "stable": bool(self.stable),
            "position": position,
            "frequencies": found.frequencies.tolist(),
            "damping_ratios": [float(ratio) + 0.0 if np.isfinite(ratio) else None for ratio in found.damping],
        }

    def _position(self) -> list[tuple[str, float, str]]:
        """List the free coordinates, m and rad, with their units."""
        drivers = self.free.program.drivers
        units = ["rad" if drivers[k].rotation else "m" for k in self.free.free]
        return list(zip(self.coordinates, map(float, self.position), units, strict=True))


@checked
def equilibrium(
    mechanism: Mechanism,
    start: Start | None = None,
    *,
    time: float = 0.0,
    moving: bool = False,
    assemble: bool = False,
) -> Linearization:
    """Find a position of rest or a steady motion, and its linearized equations of motion there.

    Parameters
    ----------
    mechanism : Mechanism
        Drivers without a law are free, and added where any lack.
    start : mapping of str to float or (float, float), optional
        Values of free coordinates from which a position of rest is looked for, rad or m, downhill in energy: it is the
        one to which a slow motion would come, stable, unless the start itself is at rest. Default: the reference. Those
        with a rate, rad/s or m/s, move at it steadily, as the shaft of a governor does, and the others are at rest
        relative to them.
    time : float
        At which laws of drivers and forces are taken, s.
    moving : bool
        Drivers with a law move at their rates, steadily. By default they stand where they are at the time.
    assemble : bool
        Assemble a reference configuration whose joints do not close exactly.

    Raises
    ------
    SimulationError
        If nothing is free, no position of rest is found from this start, or the motion is not steady.

    Examples
    --------
    >>> import groupkin as gk
    >>> arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0))
    >>> pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    >>> pendulum = gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -9.81))
    >>> rest = equilibrium(pendulum, {"pin": -1.0})
    >>> rest.stable, rest.position.round(9), rest.vibration_modes().frequencies.round(6)
    (True, array([-1.57079633]), array([0.498488]))
    """
    from scipy.optimize import root

    free = free_motion(mechanism, assemble)
    z, rates = starting_values(free, start)
    scale, still, at_rest = free.units, free if moving else free.standing(time), rates == 0.0
    still.require_forces(time, np.concatenate([z, rates]))

    def placed(x: Array) -> Array:
        found = z.copy()
        found[at_rest] = x * scale[at_rest]
        return found

    def force(x: Array) -> Array:
        return (still.equations(time, placed(x), rates)[1] * scale)[at_rest]

    def held(x: Array) -> Array:
        found = force(x)
        return found if np.isfinite(found).all() else np.full(len(x), 1e300)

    if at_rest.any():
        near = (z / scale)[at_rest]
        fallen = None if rates.any() or moving else downhill(force, near)
        x = root(held, near if fallen is None else fallen, method="hybr", options={"xtol": CONVERGED}).x
        z = placed(x if fallen is None or np.abs(x - fallen).max() <= NEARBY else fallen)
    rest = linearize_at(still, z, rates, time)
    left = np.abs(still.equations(time, z, rates)[1] * scale).max()
    listed = ", ".join(f"{name} = {value:.6g}" for name, value in zip(free.names, z, strict=True))
    if not left <= BALANCED * _size(rest):
        raise SimulationError(
            f"no {'steady motion' if rest.motion.v.any() else 'position of rest'} is found from this start: forces of "
            f"{left:.3g} N m are left at {listed}; start elsewhere"
        )
    if not max_residual(rest.motion) <= max(CLOSED_AT_REST, rest.motion.program.mechanism.misfit):
        raise SimulationError(
            "a position of rest is found only where free coordinates are no longer those of the joints: "
            f"{listed}; start elsewhere"
        )
    return rest


@checked
def linearize(
    mechanism: Mechanism,
    at: Start | None = None,
    *,
    time: float = 0.0,
    moving: bool = False,
    assemble: bool = False,
) -> Linearization:
    """Linearize the equations of motion about a position at rest, as `equilibrium` does where it has found one.

    Parameters
    ----------
    mechanism : Mechanism
    at : mapping of str to float or (float, float), optional
        Values of the free coordinates, rad or m, and rates of those that move steadily. Default: the reference.
    time, moving, assemble : float, bool and bool
        As of `equilibrium`.

    Raises
    ------
    SimulationError
        If nothing is free, or coordinates move, but not steadily.
    """
    free = free_motion(mechanism, assemble)
    found = linearize_at(free if moving else free.standing(time), *starting_values(free, at), time)
    force = found.free.equations(time, found.position, found.rates)[1] * free.units
    if found.motion.v.any() and not np.abs(force).max() <= BALANCED * _size(found):
        k = int(np.abs(force).argmax())
        raise SimulationError(
            f"this motion is not steady: {free.names[k]} is accelerated by {force[k]:.3g} N m; `equilibrium` finds a "
            "steady motion nearby"
        )
    return found


def _size(found: Linearization) -> float:
    """Forces of which those that are left are a share: of stiffness and, of steady motions, of inertia, N m."""
    scale = found.free.units
    speeds = float(np.abs(found.rates / scale).max(initial=0.0)) ** 2
    units = scale * scale[:, None]
    return max(float(np.abs(x).max()) for x in (found.stiffness * units, found.mass * units * speeds, 1e-300))


def linearize_at(free: FreeMotion, z: Array, rates: Array, time: float) -> Linearization:
    """Compute M, C and K by central differences of the forces that hold the free coordinates.

    Raises
    ------
    SimulationError
        If they are others further on along a steady motion.
    """
    free.require_mass(time, z)
    free.require_forces(time, np.concatenate([z, rates]))
    found = _coefficients(free, z, rates, time)
    motion = free.configuration(time, z, rates).at(np.arange(1))
    if motion.v.any():
        _require_constant(free, z, rates, time, found)
    return Linearization(tuple(free.names), z, *found, motion, rates, free)


def _coefficients(free: FreeMotion, z: Array, rates: Array, time: float) -> tuple[Array, Array, Array]:
    f, scale = len(z), free.units
    speed = float(np.abs(rates / scale).max())

    def differences(at_rates: bool) -> Array:
        columns, size = [], RATE_STEP * speed if at_rates and speed else CENTRAL_STEP
        for k in range(f):
            sides = []
            for sign in (-1.0, 1.0):
                step = sign * size * scale * (np.arange(f) == k)
                sides.append(free.equations(time, z if at_rates else z + step, rates + step if at_rates else rates)[1])
            columns.append((sides[0] - sides[1]) / (2 * size * scale[k]))
        return np.stack(columns, axis=1)

    stiffness, damping = differences(False), differences(True)
    return free.equations(time, z, rates)[0], damping, stiffness


def _require_constant(free: FreeMotion, z: Array, rates: Array, time: float, found: tuple[Array, Array, Array]) -> None:
    """Refuse motions along which the equations change.

    Raises
    ------
    SimulationError
    """
    laws = [law.at(time)[1, 0] for law in free.laws if law is not None]
    fastest = max(float(np.abs(x).max(initial=0.0)) for x in (rates / free.units, np.array(laws)))
    ahead = 1.0 / fastest
    later = _coefficients(free, z + rates * ahead, rates, time + ahead)
    units = free.units * free.units[:, None]
    inertia = np.abs(found[0] * units).max()
    for k, (old, new, what) in enumerate(zip(found, later, ("masses", "damping", "stiffness"), strict=True)):
        size = max(inertia * fastest**k, *(np.abs(x * units).max() for x in (old, new)))
        if not np.abs((new - old) * units).max() <= SAME_EQUATIONS * size:
            raise SimulationError(
                f"the {what} of the equations of motion change along this motion, so it is no steady one; "
                "`periodic_motion` tells how small motions grow over its period"
            )
