"""Friction in joints by what they carry: surfaces that slide on each other, and the forces between them.

A joint of coefficient μ whose surfaces slide with the velocity v is pushed back by the tangential force

    T = μ N v / √(v² + v₀²),    N = Σ |n|,

with the forces n normal to its surfaces, one or two vectors that are linear in the wrench that the joint carries. As
wrenches depend linearly on the tangential forces of all joints, n = n₀ + A T, both are found together (`coulomb`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from groupkin.dynamics.acting.coulomb import Tangential, solve
from groupkin.dynamics.acting.loads import Acting, Loads, sum_of
from groupkin.dynamics.bodies.coordinate_rows import freedom_along
from groupkin.dynamics.bodies.joint_freedoms import unit_wrench
from groupkin.dynamics.reactions.self_stress import determined
from groupkin.errors import ForceError, JammingError, LoadError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.lines import lines
from groupkin.mechanism.forces.friction import Friction
from groupkin.mechanism.forces.part import SLOW, InJoint
from groupkin.model.trees import padded
from groupkin.tolerances import FORCE_ROUNDING, FRICTION_SETTLED
from sglibrary.array_types import Array

Carry = Callable[[Loads], tuple[Mapping[str, Array], Mapping[str, Array]]]
"""Forces of the drivers, and reactions, under loads."""

ROUNDS = 20
"""Rounds in which normal forces are computed anew, as those of teeth are not linear in friction."""


@dataclass(frozen=True, eq=False)
class Sliding:
    """The surfaces of a joint along a motion.

    Attributes
    ----------
    load : Friction
    coefficient : float
        Of friction.
    point : (n, d) array
        The joint's point on its second body, m.
    velocities : (k, n) array
        Of the second surface on the first, m/s, in k directions.
    torques, forces : (k, 1 or 3, n), (k, d, n) arrays
        On the second body about the point, m, and the force, of a unit force in each direction.
    axis : (3, n) array
        Of the joint.
    slope : float
        Tangent of the lead angle of a thread.
    """

    load: Friction
    coefficient: float
    point: Array
    velocities: Array
    torques: Array
    forces: Array
    axis: Array
    slope: float

    @property
    def shares(self) -> Array:
        """What friction does in each direction (k, n), for a unit normal force and coefficient."""
        slow = self.load.speed or SLOW
        return -self.velocities / np.sqrt((self.velocities**2).sum(axis=0) + slow**2)

    def add(self, loads: Loads, amount: Array) -> None:
        """Add friction of μ N = `amount` (n,), N, to the loads."""
        shares = amount * self.shares
        torque, force = (shares[:, None] * self.torques).sum(axis=0), (shares[:, None] * self.forces).sum(axis=0)
        bodies = loads.motion.program.mechanism.joint[self.load.joint].bodies
        loads.add_between(bodies, self.point, torque, force)

    def acting(self, amount: Array) -> Acting:
        """Describe friction of μ N = `amount` (n,), N, as forces between the surfaces."""
        one = len(self.velocities) == 1
        found, rates = amount * self.shares, self.velocities
        return Acting(found[0] if one else found, rates[0] if one else rates, np.zeros_like(amount))

    def normal(self, wrench: Array, torque: Array) -> Array:
        """Compute the forces (1 or 2, 3, n) normal to the surfaces, N.

        Parameters
        ----------
        wrench : (3 or 6, n) array
            What the joint transmits: a torque about its point, N m, and a force, N.
        torque : (n,) array
            The part of it about the axis that others than its surfaces transmit, N m.
        """
        load, e = self.load, self.axis
        d = 2 if len(wrench) == 3 else 3
        force, about = padded(wrench[-d:].T).T, wrench[:-d]
        about = about if d == 3 else np.concatenate([np.zeros((2, about.shape[1])), about])
        along = (e * force).sum(axis=0)
        if self.slope:
            return np.asarray(_across(self.slope, along, ((e * about).sum(axis=0) - torque) / load.radius))[None]
        if load.axial:
            return (along * e)[None]
        if not self.bounded:
            return force[None]
        across = force - along * e
        if load.length is None:
            return across[None]
        pair = np.cross(about, e, axis=0) / load.length
        return np.stack([0.5 * across + pair, 0.5 * across - pair])

    @property
    def bounded(self) -> bool:
        """Whether the joint has an axis along which its surfaces carry nothing."""
        return bool(self.axis.any())


def _across(slope: float, along: Array, around: Array) -> Array:
    """The force normal to a thread, as a vector (3, n), of a force along its axis and one around it."""
    none = np.zeros_like(along)
    return np.stack([(along - slope * around) / np.hypot(1.0, slope), none, none])


def sliding(motion: Motion, load: Friction) -> Sliding:
    """Describe the surfaces of a joint along a motion."""
    mechanism, geometry = motion.program.mechanism, motion.program.geometry.joints[load.joint]
    joint, d = mechanism.joint[load.joint], mechanism.dimension
    form, n = mechanism.form(joint), motion.times.size
    point = motion.point_on(joint.bodies[1], geometry.points[1])
    radius = load.radius or 1.0

    def turning(vector: Array) -> Array:
        return vector if d == 3 else vector[2:]

    if form.spherical:
        spin = motion.angular_velocity(joint.bodies[1]) - motion.angular_velocity(joint.bodies[0])
        units = np.repeat(np.eye(3)[:, :, None], n, axis=2)
        return Sliding(
            *(load, load.coefficient, point, radius * spin.T, radius * units, 0.0 * units, np.zeros((3, n)), 0.0)
        )
    axis = lines(motion, load.joint, solved=False)[0][0].T
    if form.coupled:
        assert geometry.coupling is not None
        rise = float(-geometry.coupling[0] / geometry.coupling[1])  # per radian
        slope = rise / radius
        length = float(np.hypot(1.0, slope))
        rate = radius * length * freedom_along(motion, load.joint, 0)[1]
        coefficient = load.coefficient
        if load.efficiency is not None:
            coefficient = float(np.tan(np.arctan(abs(slope) / load.efficiency) - np.arctan(abs(slope))))
        ways = radius / length * axis, slope / length * axis
        return Sliding(load, coefficient, point, rate[None], ways[0][None], ways[1][None], axis, slope)
    rates, torques, forces = [], [], []
    for k, move in enumerate(form.moves):
        unit = radius if move.rotation else 1.0
        rates.append(unit * freedom_along(motion, load.joint, k)[1])
        torques.append(unit * turning(axis) if move.rotation else np.zeros((2 * d - 3, n)))
        forces.append(np.zeros((d, n)) if move.rotation else axis[:d])
    return Sliding(*(load, load.coefficient, point, np.array(rates), np.array(torques), np.array(forces), axis, 0.0))


def _check_determined(motion: Motion, load: Friction) -> None:
    """Refuse friction by reactions that depend on the stiffness and fit of redundant joints.

    Raises
    ------
    ForceError
    """
    kind, d = motion.program.mechanism.joint[load.joint].type, motion.program.mechanism.dimension
    names = ["Mx", "My", "Mz", "Fx", "Fy", "Fz"] if d == 3 else ["M", "Fx", "Fy"]
    across = ["Fy"] if (kind, d) == ("P", 2) else ["Fx", "Fy"]
    needed = {"S": ["Fx", "Fy", "Fz"], "H": ["Mz", "Fz"]}.get(kind, ["Fz"] if load.axial else across)
    if load.length is not None:
        needed = [*needed, *(["Mx", "My"] if d == 3 else ["M"])]
    flags = determined(motion, load.joint)
    lost = [name for name in needed if not flags[names.index(name)]]
    if lost:
        raise ForceError(
            f"force {load.name!r}: {' and '.join(lost)} of joint {load.joint!r} depend on the stiffness and fit of "
            "redundant joints, and so does friction; give a joint_friction of a known force, or joints of more freedoms"
        )


def friction_forces(every: Sequence[Sliding], total: Loads, effects: Mapping[str, Acting], carry: Carry) -> list[Array]:
    """Compute μ N (n,) of all joints with friction, N, with the reactions that depend on it.

    Parameters
    ----------
    every : sequence of Sliding
    total : Loads
        All others.
    effects : mapping of str to Acting
        What the forces of the user do of which they consist.
    carry : callable
        Computes forces of the drivers, and reactions, under loads, which it may change.

    Raises
    ------
    ForceError
        If the reactions that friction depends on are not determined.
    JammingError
    LoadError
        If friction and normal forces do not agree within `ROUNDS`.
    """
    motion = total.motion
    for each in every:
        _check_determined(motion, each.load)
    others = [_of_others(motion, effects, each.load.joint) for each in every]

    def normal(amounts: Sequence[Array]) -> list[Array]:
        moved, borne = carry(with_friction(total, every, amounts))
        return [
            each.normal(borne[each.load.joint] + wrench, torque + sum(moved[name] for name in drivers if name in moved))
            for each, (drivers, wrench, torque) in zip(every, others, strict=True)
        ]

    none = [np.zeros(motion.times.size) for _ in every]
    amounts, base = none, normal(none)
    size = max(float(np.nanmax(np.abs(each), initial=0.0)) for each in base)
    if not size:
        return none
    slopes = []
    for k in range(len(every)):
        pushed = normal([each + size * (i == k) for i, each in enumerate(none)])
        slopes.append([(one - two) / size for one, two in zip(pushed, base, strict=True)])
    coefficients = np.array([each.coefficient for each in every])
    for _ in range(ROUNDS):
        found = solve(base, slopes, amounts, coefficients)
        if (found.shares < 1.0).any():
            raise _jammed(motion, every, found)
        changes = np.nan_to_num(np.abs(found.amounts - np.array(amounts)))
        amounts = list(found.amounts)
        if changes.max(initial=0.0) <= FORCE_ROUNDING * size:
            return amounts
        base = normal(amounts)
    if changes.max() > FRICTION_SETTLED * size:
        raise _unsettled(motion, every, changes)
    return amounts


def with_friction(total: Loads, every: Sequence[Sliding], amounts: Sequence[Array]) -> Loads:
    """Return loads with the friction of joints added to them."""
    both = sum_of(total, Loads(total.motion))
    for each, amount in zip(every, amounts, strict=True):
        each.add(both, amount)
    return both


def _of_others(motion: Motion, effects: Mapping[str, Acting], joint: str) -> tuple[list[str], Array, Array]:
    """What beside its surfaces acts in a joint: names of what drives it, and the forces of the user.

    Of these the wrench (3 or 6, n) that the reaction does not contain, and the torque (n,) about the axis.
    """
    mechanism, d = motion.program.mechanism, motion.program.mechanism.dimension
    wrench, torque = np.zeros((3 * (d - 1), motion.times.size)), np.zeros(motion.times.size)
    if mechanism.form(mechanism.joint[joint]).coupled is None:
        return [], wrench, torque  # across the axis these do nothing
    for load in mechanism.forces:
        if isinstance(load, InJoint) and load.joint == joint:
            amount = effects[load.name].amount
            wrench += amount * np.concatenate(unit_wrench(motion, joint, 0)[:2])
            torque += amount
    return [mechanism.driver_name(joint, 0)], wrench, torque


def _unsettled(motion: Motion, every: Sequence[Sliding], changes: Array) -> LoadError:
    """Say where friction still changes, by its changes (k, n) in the last round, N."""
    k, step = map(int, np.unravel_index(int(np.argmax(changes)), changes.shape))
    load, time = every[k].load, float(motion.times[step])
    return LoadError(
        f"force {load.name!r}: friction in joint {load.joint!r} and the forces on the teeth of gears do not agree at "
        f"t = {time:g} s: after {ROUNDS} rounds friction still changes by {changes[k, step]:.3g} N. Lower the "
        "coefficients, leave out that time, or give a joint_friction of a known force"
    )


def _jammed(motion: Motion, every: Sequence[Sliding], found: Tangential) -> JammingError:
    step = int(np.argmax(found.shares < 1.0))
    share, time, load = float(found.shares[step]), float(motion.times[step]), every[found.growing[step]].load
    what = "the coefficient" if len(every) == 1 else "all coefficients"
    return JammingError(
        f"force {load.name!r}: joint {load.joint!r} jams at t = {time:g} s: friction holds the mechanism against any "
        f"force of its drivers. With {what} below {share:.4g} times as large it would move; lower friction, drive "
        "another joint, or guide it longer",
        load.joint,
        time,
        share,
    )
