"""What acts on the bodies of a mechanism along a motion: inertia, gravity, springs, forces and torques."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.joint_freedoms import freedom_number, unit_wrench
from groupkin.dynamics.masses import inertia_loads, local_point, masses
from groupkin.errors import LawError, LoadError
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.forces import Force, JointForce, JointSpring, Load, Spring, Torque

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Loads:
    """Wrenches on the movable bodies, to which others are added.

    Attributes
    ----------
    motion : Motion
    wrenches : (bodies, 3 or 6, n) array
        Torque, N m, and force on the body's origin, N, in global components.
    """

    motion: Motion
    wrenches: Array = field(repr=False)

    def add(self, body: str, point: Array, torque: Array | float, force: Array) -> None:
        """Add a torque (1 or 3, n) and a force (d, n) on a point (n, d) of a body; on the frame it has no effect."""
        program, d = self.motion.program, self.motion.program.mechanism.dimension
        if body == program.mechanism.frame:
            return
        rows = self.wrenches[program.mechanism.movable.index(body)]
        arm = (point - self.motion.point_on(body, program.geometry.origins[body])).T
        if d == 2:
            rows[:1] += torque + arm[0] * force[1] - arm[1] * force[0]
        else:
            rows[:3] += torque + np.cross(arm, force, axis=0)
        rows[-d:] += force

    def add_in_joint(self, joint: str, freedom: int, amount: Array) -> None:
        """Add a force or torque (n,) of the first body of a joint on the second, and its opposite on the first."""
        torque, force, point = unit_wrench(self.motion, joint, freedom)
        first, second = self.motion.program.mechanism.joint[joint].bodies
        self.add(second, point, amount * torque, amount * force)
        self.add(first, point, -amount * torque, -amount * force)


def no_loads(motion: Motion) -> Loads:
    """Return loads that are zero."""
    mechanism = motion.program.mechanism
    return Loads(motion, np.zeros((len(mechanism.movable), 3 * (mechanism.dimension - 1), motion.times.size)))


def add_masses(loads: Loads, velocities: bool) -> None:
    """Add gravity, and inertia if there are velocities."""
    motion = loads.motion
    gravity = np.array(motion.program.mechanism.gravity or np.zeros(motion.program.mechanism.dimension))
    for mass in masses(motion.program):
        torque, force = inertia_loads(motion, mass) if velocities else (0.0, 0.0)
        loads.add(
            mass.body,
            motion.point_on(mass.body, mass.center),
            torque,
            force + mass.mass * gravity[:, None] * np.ones(motion.times.size),
        )


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
    """

    amount: Array
    rate: Array
    energy: Array

    @property
    def power(self) -> Array:
        """Power (n,) on the bodies, W."""
        product = self.amount * self.rate
        return product if product.ndim == 1 else product.sum(axis=0)


def acting(motion: Motion, load: Load, velocities: bool) -> Acting:
    """Compute what a force does along a motion; without velocities no dampers act."""
    with_rates = 1.0 if velocities else 0.0
    if isinstance(load, Spring):
        _, unit, distance = _span(motion, load)
        ends = [_end(motion, load, side, 1) for side in range(2)]
        rate = (unit * (ends[1] - ends[0])).sum(axis=1)
        extension = distance - (load.length if load.length is not None else reference_distance(motion, load))
        pull = load.stiffness * extension + with_rates * load.damping * rate + load.preload
        return Acting(-pull, rate, 0.5 * load.stiffness * extension**2 + load.preload * extension)
    if isinstance(load, JointSpring):
        k = freedom_number(motion, load.joint, load.freedom)
        turned, rate = motion.joint(load.joint)[k] - load.position, motion.joint_rate(load.joint)[k]
        amount = -(load.stiffness * turned + with_rates * load.damping * rate + load.preload)
        return Acting(amount, rate, 0.5 * load.stiffness * turned**2 + load.preload * turned)
    none = np.zeros(motion.times.size)
    share = none + 1.0 if load.law is None else _law(motion, load)
    if isinstance(load, JointForce):
        k = freedom_number(motion, load.joint, load.freedom)
        return Acting(load.force * share, motion.joint_rate(load.joint)[k], none)
    components = np.atleast_1d(np.array(load.force if isinstance(load, Force) else load.torque, float))[:, None] * share
    if load.axes and len(components) > 1:
        components = np.einsum("nij,jn->in", motion.rotation(load.axes), components)
    if isinstance(load, Force):
        return Acting(components, motion.point_on(load.body, _local(motion, load.body, load.point), 1).T, none)
    return Acting(components, np.atleast_2d(motion.angular_velocity(load.body).T), none)


def add(loads: Loads, load: Load, amount: Array) -> None:
    """Add a force of the user, given its amount."""
    motion = loads.motion
    if isinstance(load, Spring):
        points, unit, _ = _span(motion, load)
        for body, point, sign in zip(load.between, points, (-1.0, 1.0), strict=True):
            loads.add(body, point, 0.0, sign * amount * unit.T)
    elif isinstance(load, JointSpring | JointForce):
        loads.add_in_joint(load.joint, freedom_number(motion, load.joint, load.freedom), amount)
    elif isinstance(load, Force):
        loads.add(load.body, motion.point_on(load.body, _local(motion, load.body, load.point)), 0.0, amount)
    else:
        origin = motion.point_on(load.body, motion.program.geometry.origins[load.body])
        loads.add(load.body, origin, amount, np.zeros((motion.program.mechanism.dimension, motion.times.size)))


def reference_distance(motion: Motion, spring: Spring) -> float:
    """Compute the distance of a spring's points in the reference configuration, m."""
    first, second = (_local(motion, *end) for end in zip(spring.between, spring.points, strict=True))
    return float(np.linalg.norm(second - first))


def _local(motion: Motion, body: str, point: object) -> Array:
    return local_point(motion.program, body, point)


def _end(motion: Motion, spring: Spring, side: int, order: int) -> Array:
    body = spring.between[side]
    return motion.point_on(body, _local(motion, body, spring.points[side]), order)


def _span(motion: Motion, spring: Spring) -> tuple[list[Array], Array, Array]:
    """Compute both ends (n, d) of a spring, the unit vector between them and their distance (n,).

    Raises
    ------
    LoadError
        If the ends meet, where the spring has no direction.
    """
    ends = [_end(motion, spring, side, 0) for side in range(2)]
    way = ends[1] - ends[0]
    distance = np.linalg.norm(way, axis=1)
    if (distance <= 1e-12 * motion.program.geometry.size).any():
        time = motion.times[int(np.argmax(distance <= 1e-12 * motion.program.geometry.size))]
        raise LoadError(
            f"force {spring.name!r}: the two ends of the spring meet at t = {time:g} s, where it has no direction; "
            "move one of its points"
        )
    return ends, way / distance[:, None], distance


def _law(motion: Motion, load: Force | Torque | JointForce) -> Array:
    assert load.law is not None
    try:
        return load.law.at(motion.times)[0]
    except LawError as error:
        raise LawError(f"law of force {load.name!r}: {error}") from None
