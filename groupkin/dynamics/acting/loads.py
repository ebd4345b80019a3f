"""What acts on the bodies of a mechanism along a motion: inertia, gravity, springs, forces and torques."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.acting import force_inputs, spring_tables
from groupkin.dynamics.acting.bushings import matrices, strain
from groupkin.dynamics.acting.contacts import touching
from groupkin.dynamics.bodies.freedom_rows import freedom_rows
from groupkin.dynamics.bodies.joint_freedoms import unit_wrench
from groupkin.dynamics.bodies.linear_rows import LinearRows, linear_rows
from groupkin.dynamics.bodies.masses import center, local_point, masses, moment
from groupkin.errors import LawError, LoadError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.program.ready_program import once_per_program
from groupkin.mechanism.forces import force_functions
from groupkin.mechanism.forces.forces import (
    SLOW,
    Bushing,
    Contact,
    Force,
    Friction,
    InJoint,
    JointForce,
    JointFriction,
    JointSpring,
    Load,
    Spring,
    Torque,
    WithFunction,
)
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import freedom_index

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Loads:
    """Wrenches on the movable bodies, to which others are added.

    Attributes
    ----------
    motion : Motion
    wrenches : dict of int to (3 or 6, n) array
        Torque about the center of mass, N m, and force, N, in global components, of the bodies that have any, by their
        number among the movable ones.
    """

    motion: Motion
    wrenches: dict[int, Array] = field(default_factory=dict, repr=False)

    def add(self, body: str, point: Array, torque: Array | float, force: Array) -> None:
        """Add a torque (1 or 3, n) and a force (d, n) on a point (n, d) of a body; on the frame it has no effect."""
        self.add_on_arm(body, (point - self.motion.point_on(body, center(self.motion.program, body))).T, torque, force)

    def add_on_arm(self, body: str, arm: Array, torque: Array | float, force: Array) -> None:
        """Add the same, given the way (d, n) from the center of mass to the point."""
        if body != self.motion.program.mechanism.frame:
            self.add_torque(body, torque + moment(arm, force))
            self._rows(body)[-self.motion.program.mechanism.dimension :] += force

    def add_torque(self, body: str, torque: Array) -> None:
        """Add a torque (1 or 3, n) on a body."""
        if body != self.motion.program.mechanism.frame:
            self._rows(body)[: -self.motion.program.mechanism.dimension] += torque

    def _rows(self, body: str) -> Array:
        mechanism = self.motion.program.mechanism
        d, number = mechanism.dimension, mechanism.movable.index(body)
        if number not in self.wrenches:
            self.wrenches[number] = np.zeros((3 * (d - 1), self.motion.times.size))
        return self.wrenches[number]

    def add_in_joint(self, joint: str, freedom: int, amount: Array) -> Array:
        """Add a force or torque (n,) of the first body of a joint on the second, and its opposite on the first.

        Returns
        -------
        (3 or 6, n) array
            The torque about the joint's point on the second body, N m, and the force, N, on that body.
        """
        torque, force, point = unit_wrench(self.motion, joint, freedom)
        first, second = self.motion.program.mechanism.joint[joint].bodies
        for body, along in ((second, amount), (first, -amount)):
            if force.any():
                self.add(body, point.T, along * torque, along * force)
            else:
                self.add_torque(body, along * torque)
        return amount * np.concatenate([torque, force])


def sum_of(first: Loads, second: Loads) -> Loads:
    """Return the sum of loads."""
    both = first.wrenches | second.wrenches
    common = first.wrenches.keys() & second.wrenches.keys()
    shared = {number: first.wrenches[number] + second.wrenches[number] for number in common}
    return Loads(first.motion, {number: shared.get(number, rows.copy()) for number, rows in both.items()})


def with_masses(loads: Loads, velocities: bool) -> Array:
    """Compute the loads (bodies, 3 or 6, n) with gravity, and inertia if there are velocities."""
    motion, every = loads.motion, masses(loads.motion.program)
    d, n = motion.program.mechanism.dimension, motion.times.size
    total = np.zeros((len(motion.program.mechanism.movable), 3 * (d - 1), n))
    total[every.numbers, -d:] = every.weights()
    if velocities:
        torque, force = every.inertia_loads(motion.q, motion.a)
        total[every.numbers, :-d] += torque
        total[every.numbers, -d:] += force
    for number, rows in loads.wrenches.items():
        total[number] += rows
    return total


# --- forces of the user -----------------------------------------------------------------------


@dataclass(frozen=True)
class Acting:
    """What a force of the user does along a motion.

    Attributes
    ----------
    amount : (n,) or (k, n) array
        What a spring pushes its ends apart by, a force or torque in a joint, or components of a force or torque, N or
        N m.
    rate : (n,) or (k, n) array
        What it works along: rate of the distance or coordinate, velocity of the point or angular velocity.
    energy : (n,) array
        Stored by a spring, J.
    coordinate : (n,) array, optional
        Distance of the ends of a spring, of a contact's circle from its curve, or value of the freedom that it acts in,
        m or rad.
    parts : tuple of str
        What the k rows are, if they are not x, y and z; moments of a bushing begin with "turn".
    """

    amount: Array
    rate: Array
    energy: Array
    coordinate: Array | None = None
    parts: tuple[str, ...] = ("x", "y", "z")

    @property
    def size(self) -> Array:
        """Size (n,) of the force, without moments of a bushing, N, or of the torque, N m."""
        rows = np.atleast_2d(self.amount)
        forces = [k for k in range(len(rows)) if not self.parts[k].startswith("turn")]
        return np.linalg.norm(rows[forces], axis=0)

    @property
    def power(self) -> Array:
        """Power (n,) on the bodies, W."""
        product = self.amount * self.rate
        return product if product.ndim == 1 else product.sum(axis=0)


def acting(motion: Motion, load: Load, velocities: bool) -> Acting:
    """Compute what a force does along a motion; without velocities no dampers act, but dry friction does."""
    assert not isinstance(load, Friction)  # which the motion alone does not tell
    with_rates = 1.0 if velocities else 0.0
    if isinstance(load, Contact):
        touch = touching(motion, load, velocities)
        return Acting(touch.amounts, touch.rates, touch.energy, touch.gap, touch.parts)
    if isinstance(load, Bushing):
        return _strained(motion, load, with_rates)
    if isinstance(load, Spring):
        rows = spring_rows(motion.program, load)
        unit, distance = _way(motion, load, rows.positions(motion.q))
        ends = rows.rates(motion.v)
        rate = (unit * (ends[1] - ends[0])).sum(axis=0)
        extension = distance - (load.length if load.length is not None else reference_distance(motion, load))
        found = _sprung(load, extension, distance, rate, with_rates)
        return (
            found
            if load.function is None
            else replace(found, amount=found.amount - _called(motion, load, velocities)[0])
        )
    if isinstance(load, JointSpring):
        k = freedom_of_load(motion.program.mechanism, load)[1]
        value, rate = coordinate(motion, load.joint, k)
        return _sprung(load, value - load.position, value, rate, with_rates)
    none = np.zeros(motion.times.size)
    if isinstance(load, JointFriction):
        k = freedom_of_load(motion.program.mechanism, load)[1]
        value, rate = coordinate(motion, load.joint, k)
        dry = load.force * rate / np.hypot(rate, load.speed or SLOW)
        return Acting(-(dry + with_rates * load.damping * rate), rate, none, value)
    if load.function is not None:
        components = _called(motion, load, velocities)
    else:
        stated = load.torque if isinstance(load, Torque) else load.force
        components = np.atleast_1d(np.array(stated, float))[:, None] * (1.0 if load.law is None else _law(motion, load))
        components = components + none
    if isinstance(load, JointForce):
        k = freedom_of_load(motion.program.mechanism, load)[1]
        value, rate = coordinate(motion, load.joint, k)
        return Acting(components[0], rate, none, value)
    axes = axes_of(motion.program, load)
    if axes is not None and len(components) > 1:
        components = np.einsum("nij,jn->in", motion.rotation(axes[0]) @ axes[1], components)
    if isinstance(load, Force):
        return Acting(components, motion.point_on(load.body, _local(motion, load.body, load.point), 1).T, none)
    return Acting(components, np.atleast_2d(motion.angular_velocity(load.body).T), none)


def _sprung(load: Spring | JointSpring, extension: Array, at: Array, rate: Array, with_rates: float) -> Acting:
    """What a spring and damper does along its distance or coordinate."""
    seen = with_rates * rate
    elastic = load.stiffness * extension + load.preload + spring_tables.value(load.table, at)
    damped = load.damping * seen + spring_tables.value(load.damping_table, seen)
    energy = 0.5 * load.stiffness * extension**2 + load.preload * extension + spring_tables.stored(load.table, at)
    return Acting(-(elastic + damped), rate, energy, at)


def _strained(motion: Motion, load: Bushing, with_rates: float) -> Acting:
    """Forces and moments of a bushing on its second body, in the axes of the first."""
    found = strain(motion, load)
    stiffness, damping, torsion, damped = matrices(load, len(found.shift))
    pull, twist = stiffness @ found.shift, torsion @ found.turn
    energy = 0.5 * ((pull * found.shift).sum(axis=0) + (twist * found.turn).sum(axis=0))
    pull, twist = pull + with_rates * (damping @ found.shift_rate), twist + with_rates * (damped @ found.turn_rate)
    parts = ("x", "y", "turn") if len(pull) == 2 else ("x", "y", "z", "turn.x", "turn.y", "turn.z")
    rates = np.concatenate([found.shift_rate, found.turn_rate])
    return Acting(-np.concatenate([pull, twist]), rates, energy, parts=parts)


def coordinate(motion: Motion, joint: str, freedom: int) -> tuple[Array, Array]:
    """Read value and rate (n,) of a freedom; of a driven one those of its driver, whole turns included."""
    for k, driven in enumerate(motion.program.drivers):
        if (driven.joint, driven.freedom) == (joint, freedom):
            value, rate, _ = motion.driver(k)
            return value, rate
    rows = freedom_rows(motion.program, joint, freedom)
    return rows.value(motion), rows.rate(motion)


def add(loads: Loads, load: Load, amount: Array) -> None:
    """Add a force of the user, given its amount."""
    motion = loads.motion
    assert not isinstance(load, Friction)
    if isinstance(load, Contact):
        touch = touching(motion, load, True)
        for k, point in enumerate(touch.points):
            along = slice(2 * k, 2 * k + 2)
            _add_between(loads, touch.bodies, point, 0.0, (amount[along, None] * touch.ways[along]).sum(axis=0))
    elif isinstance(load, Bushing):
        found, d = strain(motion, load), motion.program.mechanism.dimension
        force = np.einsum("nij,jn->in", found.axes, amount[:d])
        _add_between(loads, load.between, found.point, (amount[d:, None] * found.torques).sum(axis=0), force)
    elif isinstance(load, Spring):
        places = spring_rows(motion.program, load).positions(motion.q)
        unit, _ = _way(motion, load, places)
        for k, (body, sign) in enumerate(zip(load.between, (-1.0, 1.0), strict=True)):
            loads.add_on_arm(body, places[k] - places[k + 2], 0.0, sign * amount * unit)
    elif isinstance(load, InJoint):
        loads.add_in_joint(load.joint, freedom_of_load(motion.program.mechanism, load)[1], amount)
    elif isinstance(load, Force):
        loads.add(load.body, motion.point_on(load.body, _local(motion, load.body, load.point)), 0.0, amount)
    else:
        loads.add_torque(load.body, amount)


def components_of(mechanism: Mechanism, load: WithFunction) -> int:
    """Number of components of a force, torque or pull."""
    if isinstance(load, Force):
        return mechanism.dimension
    return 3 if isinstance(load, Torque) and mechanism.dimension == 3 else 1


def _called(motion: Motion, load: WithFunction, velocities: bool) -> Array:
    """What the function of a force gives (k, n) along a motion."""
    assert load.function is not None
    size = components_of(motion.program.mechanism, load)
    numbers = force_inputs.given(motion, load, velocities)
    return force_functions.values(load.name, load.function, load.compiled, size, motion.times, numbers)


def axes_of(program: Program, load: Force | Torque) -> tuple[str, Array] | None:
    """The body in which the axes of a force or torque are fixed, and these (d, d) there; None of global ones."""
    if not load.axes:
        return None
    if load.axes in program.mechanism.body:
        return load.axes, np.eye(program.mechanism.dimension)
    return program.mechanism.joint[load.axes].bodies[0], program.geometry.joints[load.axes].frames[0]


def _add_between(loads: Loads, bodies: tuple[str, str], point: Array, torque: Array | float, force: Array) -> None:
    """Add a torque and a force at a point (n, d) on the second body, and their opposite on the first."""
    loads.add(bodies[1], point, torque, force)
    loads.add(bodies[0], point, -torque, -force)


def freedom_of_load(mechanism: Mechanism, load: InJoint) -> tuple[str, int]:
    """Joint and number of the freedom that a force in a joint is along."""
    joint = mechanism.joint[load.joint]
    return joint.name, freedom_index(joint.type, mechanism.dimension, load.freedom, joint.follower)


def reference_distance(motion: Motion, spring: Spring) -> float:
    """Compute the distance of a spring's points in the reference configuration, m."""
    first, second = (_local(motion, *end) for end in zip(spring.between, spring.points, strict=True))
    return float(np.linalg.norm(second - first))


def _local(motion: Motion, body: str, point: object) -> Array:
    return local_point(motion.program, body, point)


@once_per_program
def spring_rows(program: Program, spring: Spring) -> LinearRows:
    """Express both ends of a spring, and the centers of mass of its bodies, by the rows of a motion."""
    ends = [
        (body, local_point(program, body, point), True)
        for body, point in zip(spring.between, spring.points, strict=True)
    ]
    return linear_rows(program, [*ends, *((body, center(program, body), True) for body in spring.between)])


def _way(motion: Motion, spring: Spring, places: Array) -> tuple[Array, Array]:
    """Compute the unit vector (d, n) between the ends of a spring, and their distance (n,), m.

    Raises
    ------
    LoadError
        If the ends meet, where the spring has no direction.
    """
    way = places[1] - places[0]
    distance = np.sqrt((way * way).sum(axis=0))
    met = distance <= 1e-12 * motion.program.geometry.size
    if met.any():
        time = motion.times[int(np.argmax(met))]
        raise LoadError(
            f"force {spring.name!r}: the two ends of the spring meet at t = {time:g} s, where it has no direction; "
            "move one of its points"
        )
    return way / distance, distance


def _law(motion: Motion, load: Force | Torque | JointForce) -> Array:
    assert load.law is not None
    try:
        return load.law.at(motion.times)[0]
    except LawError as error:
        raise LawError(f"law of force {load.name!r}: {error}") from None
