"""The linear map from loads on bodies to the forces of the drivers and the reactions of all joints.

It is the transposed map of rates with more inputs. Let every joint open by small motions γ beyond what it allows, and
let t be the twists of the bodies, which depend on the rates z' of the drivers and on γ. With loads W on the bodies,
those of inertia included, forces Q of the drivers and R in the joints, the principle of virtual power says

    W · t + Q · z' + R · γ = 0 for all z' and γ,    so Q = - (∂t/∂z')ᵀ W and R = - (∂t/∂γ)ᵀ W.

So groups are gone through in reverse solving order, and each needs only the inverse of its core (Samin and Fisette
2003; that Assur groups are statically determined is classical). A joint of the tree opens by a twist, and R is the
wrench it transmits; a joint that is cut opens along the wrenches C of its equations, and transmits Σ R C.

Every group has a kernel of its own, straight-line code that groups of the same kind share. What it hands over to the
groups solved before it are wrenches on their bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from groupkin.dynamics.bodies.inertia import inertia_and_weight
from groupkin.dynamics.bodies.masses import center
from groupkin.dynamics.reactions.backward_pass import Pass, given_rows, memory_of, packed, run
from groupkin.dynamics.reactions.carried_loads import LAST, Carried, Parts
from groupkin.dynamics.reactions.freedom_wrenches import Freedom, put_out_actuators
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.formulas import Formulas
from groupkin.kinematics.rates.freedoms import Line
from groupkin.kinematics.rates.vectors import Term
from groupkin.model import trees
from sglibrary.array_types import Array
from sglibrary.code.graph import total


@dataclass(frozen=True)
class ReactionMap:
    """The map of a program.

    Attributes
    ----------
    backward : Pass
    given : tuple of int
        Numbers of the movable bodies whose loads it takes, beside what it computes.
    drivers : int
        The first outputs: what each driver, or actuator, exerts, N m or N.
    joints : tuple of str
        The other outputs, 3 or 6 each: what the first body does to the second, a torque about the joint's point on the
        second body, N m, and a force, N.
    made_of : tuple
        What `reaction_map` was given beside the program.
    """

    backward: Pass
    given: tuple[int, ...]
    drivers: int
    joints: tuple[str, ...]
    made_of: tuple[Any, ...]

    @property
    def outputs(self) -> int:
        """How many rows of results there are."""
        return self.backward.results.shape[1] + self.backward.zeros.size

    def memory(self, motion: Motion) -> Array:
        """Make memory for the results of a motion."""
        return memory_of(self.outputs, motion.times.size)

    def at(
        self,
        motion: Motion,
        loads: Array | Mapping[int, Array],
        results: Array | None = None,
        runner: Runner | None = None,
    ) -> tuple[Array, dict[str, Array]]:
        """Compute the forces of the drivers (drivers, n) and the reactions (3 or 6, n) of every joint.

        Parameters
        ----------
        motion : Motion
        loads : (bodies, 3 or 6, n) array, or mapping of int to (3 or 6, n) array
            On the movable bodies, of which those `given` are read: torque about the center of mass, N m, and force, N.
        results : (outputs, n) array, optional
            Memory of which what is returned is a part, see `memory`.
        runner : callable, optional
            What runs the pass. Default: this thread.
        """
        y = self.memory(motion) if results is None else results
        components = 3 * (motion.program.mechanism.dimension - 1)
        given = given_rows(self.backward, motion, [row for number in self.given for row in loads[number]])
        if runner is None:
            run(self.backward, motion, given, y)
        else:
            runner(self, motion, given, y)
        if motion.status.any():
            y[..., ~motion.placed] = np.nan
        firsts = range(self.drivers, self.drivers + components * len(self.joints), components)
        return y[: self.drivers], {joint: y[k : k + components] for joint, k in zip(self.joints, firsts, strict=True)}


Runner = Callable[[ReactionMap, Motion, Array, Array], None]
"""Fills results (outputs, n) of a map along a motion with what is given beside it (`given_rows`)."""


@once_per_program
def reaction_map(
    program: Program,
    joints: tuple[str, ...] | None = None,
    given: tuple[int, ...] | None = None,
    masses: bool = False,
    moving: bool = True,
    actuators: tuple[Freedom, ...] = (),
) -> ReactionMap:
    """Make the map of a program.

    Parameters
    ----------
    program : Program
    joints : tuple of str, optional
        Whose reactions are computed. Default: all.
    given : tuple of int, optional
        Numbers of the movable bodies whose loads are given. Default: all.
    masses : bool
        Whether it computes the weights of all bodies, and the loads of inertia if they are `moving`.
    actuators : tuple of (str, int)
        Joints and freedoms, as many as drivers, whose forces are computed in place of those of the drivers
        (`put_out_actuators`). Reactions are still those that the drivers' forces lead to.
    """
    back, bodies = Carried(Formulas(program, opened=True), program.rows), program.mechanism.movable
    formulas, numbers = back.formulas, tuple(range(len(bodies)) if given is None else given)
    vectors = formulas.vectors
    graph, one = vectors.graph, vectors.one
    rows = [[back.allocate() for _ in range(vectors.components)] for _ in numbers]
    loads = {}
    for k, body in enumerate(bodies):
        load = inertia_and_weight(graph, program, body, moving) if masses else [vectors.zero] * vectors.components
        if k in numbers:
            more = [graph.value("q", row, 0) for row in rows[numbers.index(k)]]
            load = [total(graph, [(one, x, 1.0), (one, y, 1.0)]) for x, y in zip(load, more, strict=True)]
        loads[body] = list(zip(formulas.velocities(body, center(program, body)), load, strict=True))
    parts = back.carry(loads)
    clear = put_out_actuators(back, parts, actuators) if actuators else None
    for driver in () if actuators else formulas.drivers:
        (force,), group = back.meet(parts, [driver])
        back.put_out([(one, force, -1.0)], group)
    wanted = tuple(formulas.gaps) if joints is None else tuple(joint for joint in joints if joint in formulas.gaps)
    for joint in wanted:
        _put_out_reaction(back, parts, joint)
    if clear is not None:
        back.put_out([(clear, one, 1.0)], LAST)
    read = [row for of_body in rows for row in of_body]
    made_of = (joints, given, masses, moving, actuators)
    return ReactionMap(packed(back, read), numbers, len(program.drivers), wanted, made_of)


def _put_out_reaction(back: Carried, parts: Parts, joint: str) -> None:
    """Add the outputs for the reaction of a joint: its torque about the joint's point, and its force.

    A joint may be solved as one from its second body to its first.
    """
    program, vectors, gap = back.formulas.program, back.formulas.vectors, back.formulas.gaps[joint]
    solved, body = program.structure.solved_as.joint[joint], program.mechanism.joint[joint].bodies[1]
    side = solved.bodies.index(body)
    sign = -1.0 if side else 1.0
    d, spins, graph = vectors.dimension, vectors.components - vectors.dimension, vectors.graph
    amounts, group = back.meet(parts, gap.inputs)
    wrenches = [{i: vectors.one} for i in range(len(amounts))] if gap.wrenches is None else gap.wrenches
    terms: list[list[Term]] = [[] for _ in range(vectors.components)]
    for wrench, amount in zip(wrenches, amounts, strict=True):
        for i, x in wrench.items():
            terms[i].append((x, amount, sign))
    about_center = [total(graph, each) for each in terms]
    arm = vectors.arm(Line(body, trees.padded(program.solved_geometry.joints[joint].points[side])))
    force = about_center[spins:]
    for i in range(spins):  # the torque about the point is M - p × F
        if _turns_freely(program, joint):
            back.put_out([], group)
            continue
        s, t = ((i + 1) % 3, (i + 2) % 3) if d == 3 else (0, 1)
        turning = [(about_center[i], vectors.one, 1.0), (arm[s], force[t], -1.0), (arm[t], force[s], 1.0)]
        back.put_out(turning, group)
    for x in force:
        back.put_out([(graph.number(1.0 / vectors.length), x, 1.0)], group)


def _turns_freely(program: Program, joint: str) -> bool:
    """Whether a joint allows all rotations about its point and nothing else, and nothing drives or couples them."""
    mechanism = program.structure.solved_as
    moves = mechanism.form(mechanism.joint[joint]).moves
    turns = len(moves) == (1 if mechanism.dimension == 2 else 3) and all(move.rotation for move in moves)
    coupled = {each.joint.name for relation in mechanism.relations.values() for each in relation.coordinates}
    return turns and joint not in coupled and all(driven.joint != joint for driven in program.drivers)
