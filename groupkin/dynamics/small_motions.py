"""Positions of rest, and small motions about them: linearized equations, frequencies, damping and shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.dynamics.free_motion import FreeMotion, Start, starting_values
from groupkin.dynamics.simulation import free_motion
from groupkin.errors import SimulationError
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import SI, Units

Array = NDArray[np.float64]

STEP = 1e-5
"""Of differences, rad or sizes of the mechanism: their error, of the order of its square, is near roundings."""

AT_REST = 1e-9
"""Forces left at rest, relative to the stiffness times rad or size."""


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
class Linearization:
    """Linearized equations M z'' + C z' + K z = 0 of the free coordinates about a position of rest.

    Attributes
    ----------
    coordinates : tuple of str
        Names of the free coordinates.
    position : (f,) array
        Their values at rest, rad or m.
    mass, damping, stiffness : (f, f) arrays
        M, C and K in SI units.
    motion : Motion
        The position of rest, one step.
    """

    coordinates: tuple[str, ...]
    position: Array
    mass: Array
    damping: Array
    stiffness: Array
    motion: Motion

    def __repr__(self) -> str:
        say = "stable" if self.stable else "not stable"
        return f"<Linearization of {self.motion.program.mechanism.name} by {', '.join(self.coordinates)}: {say}>"

    @property
    def stable(self) -> bool:
        """Whether the energy is least there, so that small forces lead to small motions."""
        return bool(np.linalg.eigvalsh(0.5 * (self.stiffness + self.stiffness.T))[0] > 0)

    def state_space(self) -> Array:
        """Compute the matrix A (2 f, 2 f) of y' = A y for y = (z, z'), as for `scipy.signal`."""
        f, inverse = len(self.position), np.linalg.inv(self.mass)
        return np.block([[np.zeros((f, f)), np.eye(f)], [-inverse @ self.stiffness, -inverse @ self.damping]])

    def vibration_modes(self) -> VibrationModes:
        """Compute frequencies, damping ratios and shapes of small oscillations."""
        f = len(self.position)
        values, vectors = np.linalg.eig(self.state_space())
        upper = np.flatnonzero(values.imag >= 0)
        chosen = upper[np.lexsort((np.abs(values[upper].real), np.abs(values[upper])))]
        shapes = vectors[:f, chosen]
        shapes = shapes / shapes[np.abs(shapes).argmax(axis=0), np.arange(len(chosen))]
        size = np.where(np.abs(values[chosen]) > 0, np.abs(values[chosen]), 1.0)
        return VibrationModes(values[chosen].imag / (2 * np.pi), -values[chosen].real / size, shapes)

    def text(self, units: Units = SI) -> str:
        """Write position and modes for a terminal."""
        mechanism = self.motion.program.mechanism
        lines = []
        for name, value, k in zip(self.coordinates, self.position, _free(self.motion, self.coordinates), strict=True):
            driven = self.motion.program.drivers[k]
            lines.append(f"{name} {units.text(float(value), 'rad' if driven.rotation else 'm')}")
        found = self.vibration_modes()
        modes = [
            f"{frequency:.6g} Hz, damping ratio {ratio:.3g}"
            if frequency
            else f"no oscillation, damping ratio {ratio:.3g}"
            for frequency, ratio in zip(found.frequencies, found.damping, strict=True)
        ]
        head = f"{mechanism.name} at rest, {'stable' if self.stable else 'not stable'}: {', '.join(lines)}"
        return "\n".join([head, *(f"  mode {k}: {mode}" for k, mode in enumerate(modes, 1))])


def _grows(ratio: float) -> str:
    return "growing" if ratio < 0 else "dying down"


def _free(motion: Motion, names: tuple[str, ...]) -> list[int]:
    mechanism = motion.program.mechanism
    every = [mechanism.driver_name(driven.joint, driven.freedom) for driven in motion.program.drivers]
    return [every.index(name) for name in names]


@checked
def equilibrium(
    mechanism: Mechanism, start: Start | None = None, *, time: float = 0.0, assemble: bool = False
) -> Linearization:
    """Find a position of rest under the forces of a mechanism, and its linearized equations of motion there.

    Parameters
    ----------
    mechanism : Mechanism
        Drivers without a law are free, and added where any lack; the others stand where they are at the time.
    start : mapping of str to float, optional
        Values of free coordinates near which a position of rest is looked for, rad or m. Default: the reference.
    time : float
        At which laws of drivers and forces are taken, s.
    assemble : bool
        Assemble a reference configuration whose joints do not close exactly.

    Raises
    ------
    SimulationError
        If nothing is free, or no position of rest is found from this start.

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
    z, _ = starting_values(free, start)
    scale, standing = free.units, free.standing(time)

    def held(x: Array) -> Array:
        force = standing.equations(time, x * scale, np.zeros(len(x)))[1]
        return force * scale if np.isfinite(force).all() else np.full(len(x), 1e300)

    found = root(held, z / scale, method="hybr", options={"xtol": 1e-13})
    rest = linearize_at(free, found.x * scale, time)
    left = np.abs(held(found.x)).max()
    stiff = np.abs(rest.stiffness * scale * scale[:, None]).max()
    if not left <= AT_REST * max(stiff, 1e-300):
        raise SimulationError(
            f"no position of rest is found from this start: forces of {left:.3g} N m are left at "
            f"{', '.join(f'{name} = {value:.6g}' for name, value in zip(free.names, found.x * scale, strict=True))}; "
            "start elsewhere"
        )
    return rest


@checked
def linearize(
    mechanism: Mechanism, at: Start | None = None, *, time: float = 0.0, assemble: bool = False
) -> Linearization:
    """Linearize the equations of motion about a position at rest, as `equilibrium` does where it has found one.

    Parameters
    ----------
    mechanism : Mechanism
    at : mapping of str to float, optional
        Values of the free coordinates, rad or m. Default: the reference.
    time, assemble : float and bool
        As of `equilibrium`.
    """
    free = free_motion(mechanism, assemble)
    z, _ = starting_values(free, at)
    return linearize_at(free, z, time)


def linearize_at(free: FreeMotion, z: Array, time: float) -> Linearization:
    """Compute M, C and K by central differences of the forces that hold the free coordinates."""
    f, scale, zero = len(z), free.units, np.zeros(len(z))
    free.require_mass(time, z)

    def differences(at_rates: bool) -> Array:
        columns = []
        for k in range(f):
            sides = []
            for sign in (-1.0, 1.0):
                step = sign * STEP * scale * (np.arange(f) == k)
                sides.append(free.equations(time, z if at_rates else z + step, step if at_rates else zero)[1])
            columns.append((sides[0] - sides[1]) / (2 * STEP * scale[k]))
        return np.stack(columns, axis=1)

    stiffness, damping = differences(False), differences(True)
    mass = free.equations(time, z, zero)[0]
    motion = free.configuration(time, z, zero).at(np.arange(1))
    return Linearization(tuple(free.names), z, mass, damping, stiffness, motion)
