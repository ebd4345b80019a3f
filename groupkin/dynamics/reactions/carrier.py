"""What drivers or actuators exert, and joints bear, under loads: with teeth, and with actuators elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from groupkin.dynamics.acting.loads import Loads, sum_of
from groupkin.dynamics.bodies.joint_freedoms import unit_wrench
from groupkin.dynamics.reactions.actuators import shared_forces, shares
from groupkin.dynamics.reactions.freedom_wrenches import Freedom, have_formulas
from groupkin.dynamics.reactions.gear_forces import Teeth, held, teeth_of
from groupkin.dynamics.reactions.reaction_map import ReactionMap, Runner, reaction_map
from groupkin.dynamics.reactions.self_stress import all_lost, determined, least_stress, redundant
from groupkin.kinematics.motion.freedoms import Freedoms
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.tolerances import CLEAR_PIVOT, ROUNDING
from sglibrary.array_types import Array


class Borne(NamedTuple):
    """What is found under loads.

    Attributes
    ----------
    moved : dict of str to (n,) array
        Forces of drivers or actuators.
    driving : (drivers, n) array
        Those of the drivers, zero where actuators move the mechanism.
    reactions : dict of str to (3 or 6, n) array
        In all joints that are wanted.
    in_joints : dict of str to (3 or 6, n) array
        What joints transmit besides.
    """

    moved: dict[str, Array]
    driving: Array
    reactions: dict[str, Array]
    in_joints: dict[str, Array]


@dataclass(eq=False)
class Carrier:
    """Carries loads along a motion, as often as they change, in the same memory.

    Attributes
    ----------
    motion : Motion
    joints : tuple of str
        Whose reactions are wanted.
    freedoms : mapping, optional
        What actuators move, by their names. Default: the drivers.
    weights : sequence of float, optional
        Of the actuators.
    velocities : bool
        Whether there is inertia.
    length : float
        m, by which moments compare with forces where redundant joints share them.
    results : (k, n) array, optional
        Memory of what is found, which is filled again by each call.
    runner : callable, optional
        What runs the compiled pass. Default: this thread.
    """

    motion: Motion
    joints: tuple[str, ...]
    freedoms: Freedoms | None
    weights: Sequence[float] | None
    velocities: bool
    length: float
    results: Array | None
    runner: Runner | None = None

    @cached_property
    def meshes(self) -> list[Joint]:
        return _meshes(self.motion.program.mechanism)

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        return _with_meshes(self.joints, self.meshes)

    @cached_property
    def stressed(self) -> bool:
        """Whether joints that are wanted share loads in ways that are not determined."""
        return redundant(self.motion) and not all(determined(self.motion, name).all() for name in self.wanted)

    @cached_property
    def teeth(self) -> list[Teeth]:
        """Those that push their gears apart or along."""
        found = (teeth_of(self.motion, gears) for gears in self.meshes)
        return [teeth for teeth in found if teeth is not None]

    def carry(self, total: Loads) -> tuple[dict[str, Array], dict[str, Array]]:
        """Compute the forces (n,) of drivers or actuators, and the reactions (3 or 6, n) of joints.

        What actuators, redundant joints and teeth do is added to the loads.
        """
        mechanism = self.motion.program.mechanism
        given = sum_of(total, Loads(self.motion)) if self.teeth else total
        borne = self._borne(total)
        if self.teeth:
            borne = self._with_teeth(given, total, borne)
        rows, n = 3 * (mechanism.dimension - 1), self.motion.times.size
        # of joints that bear nothing there are no reactions
        every = {name: borne.reactions.get(name, np.zeros((rows, n))) for name in self.wanted}
        return borne.moved, every | {
            name: every[name] + more for name, more in borne.in_joints.items() if name in every
        }

    def _borne(self, total: Loads) -> Borne:
        """Compute the same without teeth."""
        motion, mechanism = self.motion, self.motion.program.mechanism
        in_joints = dict[str, Array]()
        if self.freedoms is None:
            driving, reactions = self._carried(total, self.wanted)
            names = [mechanism.driver_name(driven.joint, driven.freedom) for driven in motion.program.drivers]
            moved = dict(zip(names, driving, strict=True))
        else:
            moved = self._pushing(total, self.freedoms)
            pairs = zip(self.freedoms.values(), moved.values(), strict=True)
            for (joint, number), force in pairs if self.wanted else ():
                in_joints[joint] = in_joints.get(joint, 0.0) + total.add_in_joint(joint, number, force)
            driving, reactions = self._carried(total, self.wanted) if self.wanted else (np.zeros((0, 0)), {})
        if self.stressed:
            self._share(total, in_joints)
            driving, reactions = self._carried(total, self.wanted)
        return Borne(moved, driving, reactions, in_joints)

    def _with_teeth(self, given: Loads, total: Loads, borne: Borne) -> Borne:
        """Compute the same with teeth, from the loads and those that redundant joints and actuators have added."""
        forces = [self._tangential(teeth, borne) for teeth in self.teeth]
        amounts = [teeth.along(force) for teeth, force in zip(self.teeth, forces, strict=True)]
        driving = borne.driving.copy()
        self._add_teeth(total, forces, borne.in_joints)
        if self.stressed:
            self._share(total, borne.in_joints)
        found = Borne(borne.moved, *self._carried(total, self.wanted), borne.in_joints)
        after = [teeth.along(self._tangential(teeth, found)) for teeth in self.teeth]
        if _same(amounts, after) and (self.freedoms is None or _same(driving, found.driving)):
            return found
        # the gears are held by their teeth, which change what they push by
        amounts = held(self.motion, self.teeth, amounts, lambda forces: self._under(given, forces))
        forces = [teeth.tangential(amount) for teeth, amount in zip(self.teeth, amounts, strict=True)]
        pushed, in_joints = sum_of(given, Loads(self.motion)), dict[str, Array]()
        self._add_teeth(pushed, forces, in_joints)
        found = self._borne(pushed)
        for name, more in in_joints.items():
            found.in_joints[name] = found.in_joints.get(name, 0.0) + more
        return found

    def _tangential(self, teeth: Teeth, borne: Borne) -> Array:
        """Return the tangential force (d, n) in a mesh: its reaction, less what drivers do there."""
        motion, name = self.motion, teeth.joint.name
        if name not in borne.reactions:  # teeth that repeat others, and share their force
            shared = borne.in_joints.get(name, np.zeros((motion.program.mechanism.dimension, motion.times.size)))
            return teeth.tangential(teeth.along(shared[-motion.program.mechanism.dimension :]))
        force = borne.reactions[name][-motion.program.mechanism.dimension :]
        for driven, amount in zip(motion.program.drivers, borne.driving, strict=True):
            if driven.joint == name:
                force = force - amount * unit_wrench(motion, name, driven.freedom)[1]
        return force

    def _add_teeth(self, total: Loads, forces: list[Array], in_joints: dict[str, Array]) -> None:
        """Add the radial and axial forces that go with tangential ones to the loads, and to what joints transmit."""
        for teeth, force in zip(self.teeth, forces, strict=True):
            name = teeth.joint.name
            more = teeth.add(total, teeth.radial(force) + teeth.axial(force))
            in_joints[name] = in_joints.get(name, 0.0) + more

    def _under(self, given: Loads, forces: list[Array]) -> list[Array]:
        """Compute the tangential forces (n,) of all meshes with more forces (d, n) between their teeth."""
        total = sum_of(given, Loads(self.motion))
        for teeth, force in zip(self.teeth, forces, strict=True):
            teeth.add(total, force)
        borne = self._borne(total)
        return [teeth.along(self._tangential(teeth, borne)) for teeth in self.teeth]

    def _share(self, total: Loads, in_joints: dict[str, Array]) -> None:
        """Add what eased joints bear in the choice of least norm to the loads, and to what they transmit."""
        motion, mechanism = self.motion, self.motion.program.mechanism
        joints = tuple(joint.name for joint in mechanism.joints)
        borne = self._carried(total, joints)[1]
        none = np.zeros((3 * (mechanism.dimension - 1), motion.times.size))
        every = {name: borne.get(name, none) + in_joints.get(name, 0.0) for name in joints}
        for lost, amounts in zip(all_lost(motion), least_stress(motion, every, self.length), strict=True):
            in_joints[lost.joint] = in_joints.get(lost.joint, 0.0) + lost.add(total, amounts)

    def _pushing(self, total: Loads, freedoms: Freedoms) -> dict[str, Array]:
        """Compute the forces of actuators: in the pass itself, or from those of the drivers."""
        share = shares(freedoms, self.weights)
        every = tuple(freedoms.values())
        if have_formulas(self.motion.program, every):
            forces, _ = self._carried(total, (), every)
            assert self.results is not None
            clear = self.results[len(every)]
            clear = clear[self.motion.placed] if self.motion.status.any() else clear
            if clear.min(initial=1.0) > CLEAR_PIVOT**2:
                return dict(zip(freedoms, forces.copy() if self.wanted else forces, strict=True))
        return shared_forces(self.motion, freedoms, self._carried(total, ())[0], share)

    def _carried(
        self, total: Loads, joints: tuple[str, ...], actuators: tuple[Freedom, ...] = ()
    ) -> tuple[Array, dict[str, Array]]:
        given = tuple(sorted(total.wrenches))
        found = reaction_map(self.motion.program, joints, given, True, self.velocities, actuators)
        if self.results is None or len(self.results) < found.outputs:
            self.results = found.memory(self.motion)
        else:  # which may have been those of other loads
            self.results[found.backward.zeros] = 0.0
        return found.at(self.motion, total.wrenches, self.results, self.runner)


def _meshes(mechanism: Mechanism) -> list[Joint]:
    return [joint for joint in mechanism.joints if PAIRS[joint.type].mesh]


def _with_meshes(joints: tuple[str, ...], meshes: list[Joint]) -> tuple[str, ...]:
    """Joints whose reactions are wanted, and those whose teeth push by theirs."""
    return tuple(dict.fromkeys([*joints, *(joint.name for joint in meshes)]))


def first_map(
    program: Program, joints: tuple[str, ...], freedoms: Freedoms | None, velocities: bool
) -> ReactionMap | None:
    """The map that a `Carrier` applies first where no loads are given; None if it needs more of the motion."""
    wanted, every = _with_meshes(joints, _meshes(program.mechanism)), tuple((freedoms or {}).values())
    if freedoms is not None and have_formulas(program, every):
        found = reaction_map(program, (), (), True, velocities, every)
    else:
        found = reaction_map(program, wanted if freedoms is None else (), (), True, velocities, ())
    return None if found.backward.computed else found


def _same(first: Sequence[Array] | Array, second: Sequence[Array] | Array) -> bool:
    """Whether forces (k, n) are the same but for rounding."""
    one, two = np.array(first), np.array(second)
    largest = np.nanmax(np.abs(one), initial=0.0)
    return bool(np.nanmax(np.abs(one - two), initial=0.0) <= ROUNDING * largest)
