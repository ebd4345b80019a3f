"""All solutions of one group at given values of the drivers: those of its closed form, or those that are found.

Groups are solved one after another in a state of a single step at rest, by the kernels of the program. A group without
a closed form is iterated from many random starts, always the same ones; the plane triad from the roots of its
polynomial, so that none is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import joint_residual
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.program.solver_choice import NEWTON
from groupkin.mechanism.mechanism import Joint
from groupkin.model import trees
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.structure.decomposition import Group
from sglibrary import status as codes
from sglibrary.iterative import kinds, knots
from sglibrary.iterative.follow import FORCE

Array = NDArray[np.float64]

FEWEST, PATIENCE, MOST = 400, 4, 8000
"""Random starts of a search: at least `FEWEST`, and `PATIENCE` times as many as the last new solution took. Not more
than `MOST` starts in all."""

SAME = 1e-6
"""Difference of poses, lengths relative to the mechanism's size, below which two solutions are one; at a singular
position iterations from different sides end 1e-8 apart."""

CLOSED = 1e-8
"""Misfit of joints, in rad or relative to the size, above which a solution of the equations is none of the group:
products of vectors do not tell an axis from its opposite."""


@dataclass(frozen=True)
class Part:
    """A group with its steps of the program, and the tree of its equations if it is solved by iteration."""

    group: Group
    calls: tuple[Call, ...]
    tree: trees.Tree | None


@dataclass(frozen=True)
class State:
    """One step at rest: the values (drivers,) of the drivers, in rad or m, and what is solved so far."""

    program: Program
    values: Array
    q: Array
    v: Array
    a: Array
    status: NDArray[np.uint8]
    conditioning: Array


@dataclass(frozen=True)
class Solution:
    """A way to solve a group: its number, 0 where it has none, the steps that lead to it, and its conditioning."""

    number: int
    calls: tuple[Call, ...]
    pose: Array
    conditioning: float


def parts(program: Program) -> tuple[Part, ...]:
    """The groups of a program in solving order."""
    structure, found = program.structure, []
    solved_as, geometry = structure.solved_as, solved_geometry(structure, program.geometry)
    for group, solver in zip(program.structure.groups, program.solvers, strict=True):
        calls = tuple(call for call in program.calls if call.group == group.number)
        tree = trees.grow(solved_as, geometry, group) if solver == NEWTON else None
        found.append(Part(group, calls, tree))
    return tuple(found)


def state_at(program: Program, time: float | None = None) -> State:
    """A state with the drivers at a time in s, or as in the reference configuration; nothing is solved in it."""
    if time is None:
        values = np.array([driven.reference for driven in program.drivers])
    else:
        values = np.array([driven.law.at(np.array([time]))[0, 0] for driven in program.drivers])
    q, v, a = (np.zeros((program.rows, 1)) for _ in range(3))
    for row, fixed in program.fixed.items():
        q[row] = fixed
    for driven, value in zip(program.drivers, values, strict=True):
        q[driven.row, 0] = value
        if driven.rotation:
            q[driven.row + 1 : driven.row + 3, 0] = np.cos(value), np.sin(value)
    groups = len(program.structure.groups)
    return State(program, values, q, v, a, np.zeros((groups, 1), np.uint8), np.zeros((groups, 1)))


def run(state: State, calls: tuple[Call, ...]) -> bool:
    """Solve a group; whether it has a solution, be it a singular one."""
    return _run(state, calls) is not None


def _run(state: State, calls: tuple[Call, ...]) -> Array | None:
    """Solve a group; its joint variables if it is iterated, or None where it has no solution."""
    place = calls[0].group - 1
    status, conditioning = state.status[place], state.conditioning[place]
    variables = np.zeros(0)
    for call in calls:
        memory = np.zeros(1) if call.knot is None else np.concatenate([[FORCE], call.knot, call.knot])
        call.kernel(state.q, state.v, state.a, memory, call.rows, call.constants, status, conditioning, 1)
        if call.knot is not None:
            variables = knots.parts(memory[1 + call.knot.size :], call.rows[1], call.rows[2])[0]
    solved = status[0] in (codes.SOLVED, codes.SINGULAR)
    state.v[:] = state.a[:] = 0.0  # at rest, also where the velocities of a singular position are not determined
    group = state.program.structure.groups[place]
    return variables if solved and np.isfinite(pose(state, group)).all() else None


def snapshot(state: State) -> Motion:
    """The state as a motion of one step."""
    kept = state.program.kept
    rows = (state.q[kept], state.v[kept], state.a[kept])
    return Motion(state.program, np.zeros(1), *rows, state.status.copy(), state.conditioning.copy())


def pose(state: State, group: Group) -> Array:
    """Points, relative to the mechanism's size, and directions that place the bodies of a group."""
    d = state.program.mechanism.dimension
    return _pose(state.program, group, lambda row: state.q[row : row + d, 0])


def last_pose(motion: Motion, group: Group) -> Array:
    """`pose` at the last step of a motion."""
    return _pose(motion.program, group, lambda row: motion.rows(row, 0)[-1])


def _pose(program: Program, group: Group, read: Callable[[int], Array]) -> Array:
    poses, size = [program.poses[body] for body in group.bodies], program.geometry.size
    return np.concatenate([x for p in poses for x in (read(p.point) / size, *map(read, p.vectors))])


def reference_pose(program: Program, group: Group) -> Array:
    """`pose` in the reference configuration, where body coordinates are global ones."""
    poses, size = [program.poses[body] for body in group.bodies], program.geometry.size
    return np.concatenate([x for p in poses for x in (p.origin / size, *p.directions.T[: len(p.vectors)])])


def solutions(state: State, part: Part) -> tuple[list[Solution], bool]:
    """Solutions of a group in a state in which those before it are solved.

    Closed forms are numbered by their signs: bit k of the number less one says whether the sign k is that of the
    reference configuration (0) or the opposite. Others are numbered from the nearest to the reference configuration on.

    Returns
    -------
    list of Solution
    bool
        Whether these are all there are.
    """
    if part.tree is None:
        variants = ((number, flipped(part, number)) for number in range(1, 1 + 2 ** len(part.calls[0].signs)))
        return [_solution(state, part, number, calls) for number, calls in variants if run(state, calls)], True
    roots = triad_starts(state, part)
    ends = _iterated(state, part, roots) if roots is not None else _searched(state, part)
    found = [_solution(state, part, 0, started(part, end)) for end in ends]
    reference = reference_pose(state.program, part.group)
    # rounded, so that rounding errors do not put mirror images in another order
    found.sort(key=lambda x: (np.round(np.linalg.norm(x.pose - reference), 6), *np.round(x.pose, 6)))
    return [replace(one, number=1 + k) for k, one in enumerate(found)], roots is not None


def _searched(state: State, part: Part) -> list[Array]:
    """Joint variables of the solutions that are found from many starts."""
    assert part.tree is not None
    rng, size = np.random.default_rng(part.group.number), state.program.geometry.size
    own, seen = part.calls[0], list[Array]()
    assert own.knot is not None
    found = _iterated(state, part, [knots.parts(own.knot, part.tree.unknowns, part.tree.variables)[0]], seen)
    tried = last = 0
    waiting = [turned for one in found for turned in _half_turns(part.tree, one)]
    for _ in range(MOST):
        at_random = not waiting
        if at_random and tried >= max(FEWEST, PATIENCE * last):
            break
        tried += at_random
        start = _random(part.tree, size, rng) if at_random else waiting.pop()
        new = _iterated(state, part, [start], seen)
        if new:
            found += new
            waiting += _half_turns(part.tree, new[0])
            last = tried
    return found


def _iterated(state: State, part: Part, starts: Iterable[Array], seen: list[Array] | None = None) -> list[Array]:
    """Joint variables of the solutions that some starts lead to; of poses in `seen`, to which it adds, none."""
    assert part.tree is not None
    found, seen = [], [] if seen is None else seen
    for start in starts:
        variables = _run(state, started(part, start))
        if variables is None:
            continue
        here = pose(state, part.group)
        if seen and np.abs(np.array(seen) - here).max(axis=1).min() < SAME:
            continue
        seen.append(here)
        if _misfit(state, part.group) < CLOSED:
            found.append(variables.copy())
    return found


def _solution(state: State, part: Part, number: int, calls: tuple[Call, ...]) -> Solution:
    run(state, calls)
    return Solution(number, calls, pose(state, part.group), float(state.conditioning[part.group.number - 1, 0]))


def flipped(part: Part, number: int) -> tuple[Call, ...]:
    """Steps of a closed form in another of its modes."""
    own = part.calls[0]
    constants = own.constants.copy()
    for k, place in enumerate(own.signs):
        constants[place] *= -1.0 if (number - 1) >> k & 1 else 1.0
    return (replace(own, constants=constants), *part.calls[1:])


def started(part: Part, variables: Array) -> tuple[Call, ...]:
    """Steps of a group solved by iteration, from other values of its joint variables."""
    assert part.tree is not None
    return (replace(part.calls[0], knot=knots.first(variables, part.tree.unknowns)), *part.calls[1:])


def _misfit(state: State, group: Group) -> float:
    """Largest misfit of the joints of a group that is solved."""
    motion = snapshot(state)
    worst = 0.0
    for joint in group.external + group.internal:
        drivers = zip(state.program.drivers, state.values, strict=True)
        given = {driven.freedom: np.array([value]) for driven, value in drivers if driven.joint == joint}
        worst = max(worst, joint_residual(motion, joint, given))
    return worst


def _half_turns(tree: trees.Tree, variables: Array) -> list[Array]:
    """The variables with each of their rotations turned by half a turn: often another solution is near."""
    moved = [move.kind for move in tree.moves if move.driven is None for _ in move.start]
    turns = np.eye(len(moved))[[k for k, kind in enumerate(moved) if kind == kinds.ROTATION]]
    return list(variables + np.pi * turns)


def _random(tree: trees.Tree, size: float, rng: np.random.Generator) -> Array:
    """Joint variables to start from."""

    def draw(move: trees.Move) -> Array:
        match move.kind:
            case kinds.BALL:
                quaternion = rng.normal(size=4)
                return quaternion / np.linalg.norm(quaternion)
            case kinds.TRANSLATION:
                return move.start[0] / size + rng.uniform(-1, 1, 1)
            case kinds.CURVE:
                return rng.uniform(0.0, tree.curves[move.axis].length / size, 1)
            case kinds.MIDDLE:
                return rng.uniform(-np.pi / 2, np.pi / 2, 1)
            case _:
                return rng.uniform(-np.pi, np.pi, 1)

    return np.concatenate([np.zeros(0), *(draw(move) for move in tree.moves if move.driven is None)])


# --- the plane triad -------------------------------------------------------------------------


def triad_starts(state: State, part: Part) -> list[Array] | None:
    """Joint variables of all positions of a plane triad, or None where the group is none."""
    from sglibrary.planar.triad import positions

    legs = _legs(state.program, part.group)
    if legs is None:
        return None
    assert part.tree is not None
    geometry, motion = state.program.geometry.joints, snapshot(state)
    body = next(iter(set(part.group.bodies) - {leg for leg, _, _ in legs}))
    known, local, arms = [], [], []
    for leg, foot, top in legs:
        side, ball = foot.bodies.index(leg), top.bodies.index(leg)
        known.append(motion.point_on(foot.bodies[1 - side], geometry[foot.name].points[1 - side])[0])
        local.append(geometry[top.name].points[1 - ball])
        arms.append(geometry[top.name].points[ball] - geometry[foot.name].points[side])
    found = positions(np.array(known), np.array(local), np.linalg.norm(arms, axis=1))
    if found is None:
        return None
    turned = {solved: _turned(motion, solved) for solved in part.tree.solved}
    starts = []
    for angle, *first in found:
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        turned[body] = angle
        for (leg, _, _), foot, top, arm in zip(legs, known, local, arms, strict=True):
            span = first + turn @ (top - local[0]) - foot
            turned[leg] = np.arctan2(span[1], span[0]) - np.arctan2(arm[1], arm[0])
        starts.append(_joint_angles(part.tree, turned))
    return starts


def _legs(program: Program, group: Group) -> list[tuple[str, Joint, Joint]] | None:
    """Legs of a plane triad: the body and its hinges on what is solved and on the body that all three hold."""
    mechanism = program.mechanism
    joints = mechanism.joint
    own = [joints[name] for name in (*group.external, *group.internal)]
    hinges = mechanism.dimension == 2 and all(mechanism.form(x).hinge and x.name not in mechanism.driven for x in own)
    if not hinges or (len(group.bodies), len(group.external), len(group.internal)) != (4, 3, 3):
        return None
    tops = [joints[name] for name in group.internal]
    held = [body for body in group.bodies if all(body in top.bodies for top in tops)]
    if not held:
        return None
    legs = [(next(body for body in top.bodies if body != held[0]), top) for top in tops]
    feet = {body: joints[name] for name in group.external for body in joints[name].bodies if body in group.bodies}
    return [(leg, feet[leg], top) for leg, top in legs] if len(feet) == 3 and held[0] not in feet else None


def _turned(motion: Motion, body: str) -> float:
    rotation = motion.rotation(body)[0]
    return float(np.arctan2(rotation[1, 0], rotation[0, 0]))


def _joint_angles(tree: trees.Tree, turned: dict[str, float]) -> Array:
    """Variables of a tree of hinges from the angles (rad) of all bodies, zero in the reference configuration."""
    body = {seat.frame: name for name, seat in tree.seats.items()}
    base = len(tree.solved)
    return np.array(
        [move.start[0] + turned[body[base + m]] - turned[body[move.frame]] for m, move in enumerate(tree.moves)]
    )
