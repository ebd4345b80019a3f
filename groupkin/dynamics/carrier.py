"""What drivers or actuators exert, and joints bear, under loads: with teeth, and with actuators elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.actuators import Freedoms, shared_forces, shares
from groupkin.dynamics.freedom_wrenches import Freedom, have_formulas
from groupkin.dynamics.gear_forces import tooth_forces
from groupkin.dynamics.loads import Loads, moment
from groupkin.dynamics.reaction_map import ReactionMap, Runner, reaction_map
from groupkin.dynamics.self_stress import all_lost, determined, least_stress, redundant
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS

Array = NDArray[np.float64]

CLEAR = 1e-9
"""Ratio of the smallest pivot to the largest down to which actuators need no closer look."""


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

    def carry(self, total: Loads) -> tuple[dict[str, Array], dict[str, Array]]:
        """Compute the forces (n,) of drivers or actuators, and the reactions (3 or 6, n) of joints.

        What actuators, redundant joints and teeth do is added to the loads.
        """
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
            reactions = self._carried(total, self.wanted)[1] if self.wanted else {}
        if self.stressed:
            self._share(total, in_joints)
            _, reactions = self._carried(total, self.wanted)
        if self.meshes:
            for gears in self.meshes:
                _add_teeth(total, gears, reactions[gears.name], in_joints)
            _, reactions = self._carried(total, self.wanted)
        rows, n = 3 * (mechanism.dimension - 1), motion.times.size
        # of joints that bear nothing there are no reactions
        borne = {name: reactions[name] if name in reactions else np.zeros((rows, n)) for name in self.wanted}
        return moved, borne | {name: borne[name] + more for name, more in in_joints.items() if name in borne}

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
            if clear.min(initial=1.0) > CLEAR**2:
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


def _add_teeth(total: Loads, gears: Joint, reaction: Array, in_joints: dict[str, Array]) -> None:
    """Add radial and axial forces of gears to the loads, and to what their joint transmits."""
    motion, d = total.motion, total.motion.program.mechanism.dimension
    found = tooth_forces(motion, gears, reaction[-d:])
    if found is None:
        return
    force, pitch = found
    first, second = gears.bodies
    total.add(second, pitch, 0.0, force)
    total.add(first, pitch, 0.0, -force)
    arm = (pitch - motion.point_on(second, motion.program.geometry.joints[gears.name].points[1])).T
    in_joints[gears.name] = in_joints.get(gears.name, 0.0) + np.concatenate([moment(arm, force), force])
