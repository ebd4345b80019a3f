"""The equations of motion of the free coordinates: drivers without a law.

Positions, velocities and the inertia at z'' = 0 follow from the groups; with the twists R of all bodies at unit rates
of the free coordinates z, the forces Q that would hold z'' at zero, and the reduced mass M = Rᵀ m R,

    M z'' + Q = 0

are as many equations as there are free coordinates (coordinate partitioning: Wehage and Haug 1982).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import floats
from groupkin.dynamics.actuators import freedom_of
from groupkin.dynamics.loads import acting, add, add_masses, freedom_of_load, no_loads
from groupkin.dynamics.masses import center, masses
from groupkin.dynamics.reaction_map import reaction_map
from groupkin.errors import ArgumentError, MassError, NotDeterminedError, shown
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.rates import given_rows
from groupkin.kinematics.rates.tables import RateMap, grown, linear_map, velocities
from groupkin.mechanism.forces import JointForce, JointSpring, Load
from groupkin.mechanism.laws import Law
from groupkin.mechanism.mechanism import Driver, Mechanism
from groupkin.mechanism.points import LARGEST
from groupkin.structure.decomposition import decompose
from sglibrary.rates.linear_map import apply

Array = NDArray[np.float64]
Start = Mapping[str, float | Sequence[float]]

LIGHT = 1e-14
"""Smallest over largest reduced mass, in sizes of the mechanism, that still can be accelerated."""


@dataclass
class FreeMotion:
    """A program some of whose drivers have no law: their coordinates are free.

    Attributes
    ----------
    program : Program
    free : (f,) array of int
        Numbers of the free drivers.
    laws : list of Law or None
        Of all drivers.
    state : Motion, optional
        The last evaluated configuration, from which groups by Newton's method are followed to the next one.
    """

    program: Program
    free: NDArray[np.int64]
    laws: list[Law | None]
    state: Motion | None = field(default=None, repr=False)

    @property
    def names(self) -> list[str]:
        """Names of the free coordinates."""
        return [self.names_of_all[k] for k in self.free]

    @property
    def names_of_all(self) -> list[str]:
        mechanism = self.program.mechanism
        return [mechanism.driver_name(driven.joint, driven.freedom) for driven in self.program.drivers]

    def configuration(self, time: float, z: Array, rates: Array, gains: Array | None = None) -> Motion:
        """Evaluate positions, velocities and accelerations at free coordinates, rates and accelerations (f,)."""
        given = np.zeros((3, len(self.laws), 1))
        for k, law in enumerate(self.laws):
            if law is not None:
                given[:, k, 0] = law.at(time)[:, 0]
        given[0, self.free, 0], given[1, self.free, 0] = z, rates
        if gains is not None:
            given[2, self.free, 0] = gains
        if self.program.iterates:  # followed from where they were
            found = self.program.evaluate(*given, start=self.state)
        else:
            found = self.program.evaluate(*given, out=self.state)
        if found.solved.all() or not self.program.iterates:
            self.state = found
        return replace(found, times=np.array([time]))

    def held(self, motion: Motion, velocities: bool = True) -> Array:
        """Compute the forces (f,) that hold the free coordinates at the accelerations of a configuration."""
        loads, at_coordinates = no_loads(motion), np.zeros(len(self.laws))
        add_masses(loads, velocities)
        for load in self.program.mechanism.forces:
            amount = acting(motion, load, velocities).amount
            number = self._driver_of(load)
            if number is None:
                add(loads, load, amount)
            else:  # it works along that coordinate alone
                at_coordinates[number] += amount[0]
        held = reaction_map(self.program, ()).at(motion, loads.wrenches)[0][:, 0]
        return np.asarray((held - at_coordinates)[self.free])

    def _driver_of(self, load: Load) -> int | None:
        """Number of the driver whose coordinate a force in a joint is along; None for any other force."""
        if not isinstance(load, JointSpring | JointForce):
            return None
        return self._numbers.get(freedom_of_load(self.program.mechanism, load))

    @cached_property
    def _numbers(self) -> dict[tuple[str, int], int]:
        return {(driven.joint, driven.freedom): k for k, driven in enumerate(self.program.drivers)}

    def reduced_mass(self, motion: Motion) -> Array:
        """Compute the reduced mass (f, f) of a configuration, kg, kg m or kg m²."""
        unit = np.zeros((len(self.laws), len(self.free), 1))
        unit[self.free, np.arange(len(self.free))] = 1.0
        program, d = self.program, self.program.mechanism.dimension
        found = _center_rates(program)
        y = np.empty((len(program.mechanism.movable) * 3 * (d - 1), len(self.free), 1))
        apply(tuple(found.sheet), tuple(found.forward), given_rows(motion, found), unit, y, 1)
        twists = y.reshape(-1, 3 * (d - 1), len(self.free), 1)
        return np.asarray(masses(program).reduced(motion, twists)[:, :, 0])

    def accelerations(self, time: float, z: Array, rates: Array) -> Array:
        """Compute the accelerations (f,) of the free coordinates; NaN where a group cannot be solved."""
        motion = self.configuration(time, z, rates)
        if not motion.placed.all():
            return np.full(len(self.free), np.nan)
        return np.asarray(np.linalg.solve(self.reduced_mass(motion), -self.held(motion)))

    def require_mass(self, time: float, z: Array) -> None:
        """Refuse free coordinates with which no mass moves.

        Raises
        ------
        MassError
        """
        motion = self.configuration(time, z, np.zeros(len(z)))
        if not motion.placed.all():
            return
        size = self.program.geometry.size
        rotation = np.array([self.program.drivers[k].rotation for k in self.free])
        mass = self.reduced_mass(motion) / np.where(rotation, size, 1.0) / np.where(rotation, size, 1.0)[:, None]
        values, vectors = np.linalg.eigh(mass)
        if not values[0] > LIGHT * values[-1]:
            name = self.names[int(np.abs(vectors[:, 0]).argmax())]
            raise MassError(
                f"no mass moves with the free coordinate {name}, so that its acceleration is not determined; give "
                "mass, center and inertia to the bodies that move with it, or drive it by a law"
            )


@lru_cache(maxsize=32)
def _center_rates(program: Program) -> RateMap:
    """Make the map from the rates of the drivers to the twists of all bodies about their centers of mass."""
    b, twists = grown(program)
    outputs = [
        r for body in program.mechanism.movable for r in velocities(b, body, center(program, body), twists[body])
    ]
    linear = linear_map(b.registers, len(program.drivers), outputs)
    return RateMap(b.sheet(), linear, linear, tuple(b.computed), b.center)


# --- what is free ------------------------------------------------------------------------------


def with_free_drivers(mechanism: Mechanism) -> Mechanism:
    """Add drivers without a law until a mechanism is determined; their coordinates are free.

    Freedoms of joints at the frame are taken first, then the others in their order.

    Raises
    ------
    NotDeterminedError
        If there are too many drivers, or none of the freedoms left determines more.
    """
    at_frame = [joint for joint in mechanism.joints if mechanism.frame in joint.bodies]
    ordered = [*at_frame, *(joint for joint in mechanism.joints if joint not in at_frame)]
    candidates = [
        (joint, k)
        for joint in ordered
        for k in range(len(mechanism.freedoms(joint)))
        if k not in mechanism.driven.get(joint.name, {})
    ]
    lack = _lack(mechanism)
    for joint, k in candidates:
        if not lack:
            break
        freedoms = mechanism.freedoms(joint)
        driver = Driver(joint.name, freedom=freedoms[k].name if len(freedoms) > 1 else None)
        larger = replace(mechanism, drivers=[*mechanism.drivers, driver])
        less = _lack(larger)
        if less is not None and less < (lack or 0):
            mechanism, lack = larger, less
    decompose(mechanism)
    return mechanism


def _lack(mechanism: Mechanism) -> int | None:
    """Number of drivers that are missing; None if there are too many somewhere."""
    try:
        decompose(mechanism)
    except NotDeterminedError as error:
        return None if error.excess else error.lack
    return 0


def starting_values(free: FreeMotion, start: Start | None) -> tuple[Array, Array]:
    """Read the values and rates (f,) of the free coordinates at the start; references and zero by default.

    Raises
    ------
    UnknownNameError, ArgumentError
        If a name is no free coordinate, or what is given is no value, or value and rate.
    """
    program = free.program
    z = np.array([float(program.drivers[k].reference) for k in free.free])
    rates = np.zeros(len(z))
    for name, given in (start or {}).items():
        freedom_of(program.mechanism, name)
        if name not in free.names:
            raise ArgumentError(f"start names {name!r}, which is not free; free are {', '.join(free.names) or 'none'}")
        numbers = np.atleast_1d(floats(given))
        if numbers.shape not in ((1,), (2,)) or not (np.abs(numbers) <= LARGEST).all():
            raise ArgumentError(f"start of {name!r} must be a value, or a value and a rate, not {shown(given)}")
        k = free.names.index(name)
        z[k] = numbers[0]
        rates[k] = numbers[1] if len(numbers) == 2 else 0.0
    return z, rates
