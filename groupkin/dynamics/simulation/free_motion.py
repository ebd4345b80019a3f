"""The equations of motion of the free coordinates z: drivers without a law.

Positions, velocities and the inertia at z'' = 0 follow from the groups. With the rates R of everything at unit rates of
the free coordinates, the reduced mass M = Rᵀ m R, and loads and inertia at z'' = 0 carried back to F by Rᵀ,

    M z'' = F

are as many equations as there are free coordinates (coordinate partitioning: Wehage and Haug 1982). Compiled code
computes them (`sglibrary.dynamics.equations`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from groupkin.arguments import floats
from groupkin.dynamics.acting.acting import acting
from groupkin.dynamics.acting.along_coordinates import require_turns
from groupkin.dynamics.simulation.equation_tables import Tables, equation_tables, following, room
from groupkin.errors import ArgumentError, LoadError, MassError, NotDeterminedError, SimulationError, shown
from groupkin.kinematics.motion.freedoms import freedom_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces.force_functions import raised
from groupkin.mechanism.forces.stop import Stop
from groupkin.mechanism.laws.laws import Constant, Law
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.mechanism.points import LARGEST
from groupkin.model.determination.determine import loose
from groupkin.model.geometry.assembly import assembled, require_assembled
from groupkin.structure.decomposition import decompose
from groupkin.structure.multi_joints import arranged
from groupkin.tolerances import LIGHT
from sglibrary.array_types import Array, Ints
from sglibrary.dynamics.equations import Problem, Room, evaluate_written
from sglibrary.dynamics.followed import Following, evaluate_lane
from sglibrary.status import SINGULAR

Start = Mapping[str, float | Sequence[float]]

UNSOLVED = np.empty((0, 1))
"""Given in place of accelerations that are not to be solved."""

LANES = 64
"""States whose accelerations are computed together."""


@dataclass(frozen=True, eq=False)
class FreeMotion:
    """A program some of whose drivers have no law: their coordinates are free.

    Attributes
    ----------
    program : Program
    free : (f,) array of int
        Numbers of the free drivers.
    laws : tuple of Law or None
        Of all drivers.
    tables : Tables
        The equations for compiled code.
    family : dict
        Programs of other free coordinates of the mechanism that were built, by joints and freedoms.
    """

    program: Program
    free: Ints
    laws: tuple[Law | None, ...]
    tables: Tables = field(repr=False)
    family: dict[tuple[tuple[str, int], ...], Program | None] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"<FreeMotion of {self.program.mechanism.name}: {', '.join(self.names)}>"

    @property
    def names(self) -> list[str]:
        """Names of the free coordinates."""
        return [self.program.mechanism.driver_name(*freedom) for freedom in self.freedoms]

    @cached_property
    def freedoms(self) -> tuple[tuple[str, int], ...]:
        """The free coordinates, as joints and indices of their freedoms."""
        return tuple((self.program.drivers[k].joint, self.program.drivers[k].freedom) for k in self.free)

    def other_drivers(self, mechanism: Mechanism) -> list[Driver]:
        """List the drivers of a mechanism with these joints without those of the free coordinates."""
        return [
            driver
            for joint, drivers in mechanism.driven.items()
            for k, driver in drivers.items()
            if (joint, k) not in self.freedoms
        ]

    @cached_property
    def units(self) -> Array:
        """Units (f,) of the free coordinates: 1 rad, or the size of the mechanism, m."""
        return np.asarray(self.program.units[self.free])

    @property
    def problem(self) -> Problem:
        """The equations of motion for compiled code."""
        return self.tables.problem

    @cached_property
    def _rooms(self) -> dict[int, Room]:
        return {}

    def room(self, lanes: int) -> Room:
        """Return the memory for so many lanes."""
        if lanes not in self._rooms:
            self._rooms[lanes] = room(self.tables, lanes)
        return self._rooms[lanes]

    @cached_property
    def _following(self) -> Following:
        return following(self.tables.program)

    @property
    def memories(self) -> tuple[Array, Array, Array]:
        """What groups by Newton's method remember of the last pose, from which they are followed."""
        start = self._following.start
        return start.values, start.memory, self.problem.calls.memory

    def standing(self, time: float) -> FreeMotion:
        """The same with all drivers that have a law standing where they are at a time, s."""
        laws = tuple(None if law is None else Constant(float(law.at(time)[0, 0])) for law in self.laws)
        return equations_of(self.program, laws)

    @cached_property
    def _reference(self) -> Motion:
        """A motion of the program, of which nothing counts but what its evaluation has made."""
        found = self.program.evaluate(np.array([[driven.reference] for driven in self.program.drivers]).reshape(-1, 1))
        return replace(found, status=np.zeros_like(found.status))

    @property
    def followed(self) -> Motion | None:
        """The pose to which `equations` has followed groups by Newton's method; None if all have closed forms."""
        if not self.program.iterates:
            return None
        known, inputs = self._following.start, self._reference.inputs
        assert inputs is not None
        assert inputs.reached is not None
        own = known.memory[: inputs.reached.memory.size]  # after it comes that of points where forces act
        return replace(self._reference, inputs=replace(inputs, reached=known._replace(memory=own)))

    def by_laws(self, times: Array) -> Array:
        """Values, rates and accelerations (3, drivers, n) that laws give drivers at times, 0 of free ones."""
        given = np.zeros((3, len(self.laws), times.size))
        for k, law in enumerate(self.laws):
            if law is not None:
                given[:, k] = law.at(times)
        return given

    def configuration(self, time: float, z: Array, rates: Array) -> Motion:
        """Evaluate all bodies at free coordinates and rates (f,) or (f, n), without accelerations of these.

        Groups by Newton's method are followed from where they were at the last call of `equations`.
        """
        times = np.full(z.size // len(z), time)
        given = self.by_laws(times)
        given[0, self.free], given[1, self.free] = z.reshape(len(z), -1), rates.reshape(len(z), -1)
        return replace(self.program.evaluate(*given, start=self.followed), times=times)

    def equations(self, time: float, z: Array, rates: Array) -> tuple[Array, Array]:
        """Compute M (f, f) and F (f,) of M z'' = F: the reduced mass, and forces; NaN where a group is not solved.

        Groups by Newton's method are followed from where they were at the last call.
        """
        memory, y, times = self.room(1), np.concatenate([z, rates])[:, None], np.array([time])
        if self.program.iterates:
            evaluate_lane(self.problem, memory, self._following, times, y)
        else:
            evaluate_written(self.problem.evaluation, memory.written, times, y, UNSOLVED, False)
        mass = np.tril(memory.mass[:, :, 0])
        return mass + np.tril(mass, -1).T, memory.force[:, 0].copy()

    def require_forces(self, time: float, y: Array) -> None:
        """Refuse a state (2 f,) at which a function gives no finite numbers, or a stop is whole turns away.

        Raises
        ------
        LoadError
        """
        if any(isinstance(load, Stop) for load in self.program.mechanism.forces):
            require_turns(self.configuration(time, *np.split(y, 2)), self.laws)
        if not self.tables.callbacks:
            return
        self.equations(time, *np.split(y, 2))
        error = self.failure(time)
        if error is not None:
            here = self.configuration(time, *np.split(y, 2))
            for load in self.program.mechanism.forces:  # which says more of what is wrong
                if getattr(load, "function", None) is not None:
                    acting(here, load, True)
            raise error

    def failure(self, since: float) -> LoadError | None:
        """Tell which function of the user has given no finite numbers, if one has from a time on, s.

        Raises
        ------
        BaseException
            An interruption while a function was called in Python.
        """
        for memory in self._rooms.values():
            number, time = int(memory.failed[0]), float(memory.failed[1])
            if number < 0 or time < since:
                continue
            called = self.tables.callbacks[number]
            if called.error is None:
                return LoadError(f"force {called.name!r}: its function gives no finite number at t = {time:g} s")
            if not isinstance(called.error, Exception):
                raise called.error
            return called.error if isinstance(called.error, LoadError) else raised(called.name, called.error, time)
        return None

    @property
    def conditioning(self) -> float:
        """Least conditioning of all groups at the last call of `equations`."""
        return float(self.room(1).worst[0])

    def conditioning_at(self, time: float, y: Array) -> float:
        """Compute the least conditioning of all groups at coordinates and rates (2 f,)."""
        self.equations(time, *np.split(y, 2))
        return self.conditioning

    def accelerations(self, time: float, z: Array, rates: Array) -> Array:
        """Compute the accelerations (f,) of the free coordinates; NaN where a group cannot be solved."""
        mass, force = self.equations(time, z, rates)
        if not np.isfinite(force).all():
            return np.full(len(force), np.nan)
        return np.asarray(np.linalg.solve(mass, force))

    def accelerations_at(self, times: Array, y: Array, near: bool = False) -> Array:
        """Compute the accelerations (f, n) at coordinates and rates (2 f, n) at many times, see `motion_at`."""
        if self.program.iterates:
            anew = equations_of(self.program, self.laws)  # whatever it was followed to before
            for memory, known in zip(anew.memories, self.memories if near else anew.memories, strict=True):
                memory[:] = known
            every = [anew.accelerations(t, *np.split(x, 2)) for t, x in zip(times, y.T, strict=True)]
            return np.array(every).T
        lanes = min(LANES, times.size)
        out, found = np.empty((len(self.free), times.size)), np.empty((y.shape[0], lanes))
        for first in range(0, times.size, lanes):
            block = np.minimum(np.arange(first, first + lanes), times.size - 1)  # the last lanes repeat the last state
            states = np.ascontiguousarray(y[:, block])
            evaluate_written(self.problem.evaluation, self.room(lanes).written, times[block], states, found, False)
            some = out[:, first : first + lanes]
            some[:] = found[len(self.free) :, : some.shape[1]]
        return out

    def motion_at(self, times: Array, y: Array, near: bool = False) -> Motion:
        """Evaluate all bodies at times, s, and coordinates and rates (2 f, n) along a motion.

        Groups by Newton's method are followed from one time to the next; to the first one from where these coordinates
        began, or, if `near`, from where they were at the last call of `equations`.
        """
        given = self.by_laws(times)
        given[:2, self.free], given[2, self.free] = np.split(y, 2), self.accelerations_at(times, y, near)
        start = self.followed if near else None
        return replace(self.program.evaluate(*given, path=True, start=start), times=times)

    def require_mass(self, time: float, z: Array) -> None:
        """Refuse free coordinates with which no mass moves, or no position is possible.

        Raises
        ------
        MassError, SimulationError
        """
        mass = self.equations(time, z, np.zeros(len(z)))[0] * self.units * self.units[:, None]
        if not np.isfinite(mass).all():
            self._require_pose(time, z)
            return
        values, vectors = np.linalg.eigh(mass)
        if not values[0] > LIGHT * max(values[-1], self._inertia):
            name = self.names[int(np.abs(vectors[:, 0]).argmax())]
            raise MassError(
                f"no mass moves with the free coordinate {name}, so that its acceleration is not determined; give "
                "mass, center and inertia to the bodies that move with it, or drive it by a law"
            )

    @property
    def _inertia(self) -> float:
        """What all bodies would add to a reduced mass, moving by 1 rad or the size of the mechanism, kg m²."""
        of_bodies, d = self.problem.equations.inertia, self.program.mechanism.dimension
        moments = of_bodies[:, d + 1 : 4 if d == 2 else 7]
        return float(of_bodies[:, d].sum() * self.program.geometry.size**2 + moments.sum())

    def _require_pose(self, time: float, z: Array) -> None:
        motion = self.configuration(time, z, np.zeros(len(z)))
        if motion.solved.all():
            return
        group = self.program.structure.groups[int(np.flatnonzero(motion.status[:, 0])[0])]
        values = ", ".join(f"{name} = {value:.6g}" for name, value in zip(self.names, z, strict=True))
        raise SimulationError(
            f"{self.program.mechanism.name} cannot be assembled with {values}: group {group.number} "
            f"({', '.join(group.bodies)}; {group.label}) {_lacks(int(motion.status[group.number - 1, 0]))}"
        )


def _lacks(status: int) -> str:
    """Say what a group lacks, and what to do."""
    if status == SINGULAR:
        return (
            "is in a singular position there, through which these coordinates do not lead; give other values, or let "
            "another joint of it be free by a driver without a law"
        )
    return "has no position there; give other values (rad, m)"


def equations_of(program: Program, laws: tuple[Law | None, ...]) -> FreeMotion:
    """Make the equations of motion of a program whose drivers without a law are free."""
    free = np.array([k for k, law in enumerate(laws) if law is None], np.int64)
    key = tuple(sorted((program.drivers[k].joint, program.drivers[k].freedom) for k in free))
    return FreeMotion(program, free, laws, equation_tables(program, free, laws), {key: program})


# --- what is free ------------------------------------------------------------------------------


def with_free_drivers(mechanism: Mechanism, assemble: bool = False) -> Mechanism:
    """Add drivers without a law until a mechanism is determined; their coordinates are free.

    Freedoms of joints at the frame are taken first, then the others in their order, as far as they determine more by
    count. Where counting says that there are enough drivers and yet nothing is free, or too many, the motions are
    counted by rank in the reference configuration: so the single loop of Bricard has a freedom that counting does not
    see.
    """
    counted = _determined_by_count(mechanism)
    if _lack(counted) == 0 and any(driver.law is None for driver in counted.drivers):
        return counted
    return _determined_by_rank(counted, assemble)


def _determined_by_count(mechanism: Mechanism) -> Mechanism:
    lack = _lack(mechanism)
    for joint, k in _candidates(mechanism):
        if not lack:
            break
        larger = _with_driver(mechanism, joint, k)
        less = _lack(larger)
        if less is not None and less < (lack or 0):
            mechanism, lack = larger, less
    return mechanism


def _determined_by_rank(mechanism: Mechanism, assemble: bool) -> Mechanism:
    mechanism = arranged(mechanism)
    geometry = assembled(mechanism) if assemble else require_assembled(mechanism)
    moves, helpful = loose(mechanism, geometry)
    while moves and helpful:
        joint, k = next(
            x for x in _candidates(mechanism) if (x[0].name, mechanism.freedoms(x[0])[x[1]].name) in helpful
        )
        mechanism = _with_driver(mechanism, joint, k)
        moves, helpful = loose(mechanism, geometry)
    return mechanism


def _candidates(mechanism: Mechanism) -> list[tuple[Joint, int]]:
    """Joints and freedoms without a driver, those at the frame first."""
    at_frame = [joint for joint in mechanism.joints if mechanism.frame in joint.bodies]
    ordered = [*at_frame, *(joint for joint in mechanism.joints if joint not in at_frame)]
    return [
        (joint, k)
        for joint in ordered
        for k in range(len(mechanism.freedoms(joint)))
        if k not in mechanism.driven.get(joint.name, {})
    ]


def _with_driver(mechanism: Mechanism, joint: Joint, k: int) -> Mechanism:
    freedoms = mechanism.freedoms(joint)
    driver = Driver(joint.name, freedom=freedoms[k].name if len(freedoms) > 1 else None)
    return replace(mechanism, drivers=[*mechanism.drivers, driver])


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
            raise ArgumentError(
                f"start names {name!r}, which is not free; free coordinates: {', '.join(free.names) or 'none'}"
            )
        numbers = np.atleast_1d(floats(given))
        if numbers.shape not in ((1,), (2,)) or not (np.abs(numbers) <= LARGEST).all():
            raise ArgumentError(f"start of {name!r} must be a value, or a value and a rate, not {shown(given)}")
        k = free.names.index(name)
        z[k] = numbers[0]
        rates[k] = numbers[1] if len(numbers) == 2 else 0.0
    return z, rates
