"""All solutions of one group at given values of the drivers: those of its closed form, or those that a search finds.

Groups are solved one after another in the state of a single step at rest, by the kernels of the program. Newton's
method starts from many random values, always the same ones; for the plane triad from the roots of its polynomial, so
that no solution is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import joint_residual
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.program.solver_choice import HUB, NEWTON
from groupkin.mechanism.mechanism import Joint
from groupkin.model import trees
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.structure.decomposition import Group
from sglibrary import status as codes
from sglibrary.arrays import quarter
from sglibrary.iterative import kinds, knots
from sglibrary.iterative.follow import FORCE

Array = NDArray[np.float64]

FEWEST, PATIENCE, MOST = 400, 4, 8000
"""Random starts of a search: at least `FEWEST`, and `PATIENCE` times as many as it took to find the last new solution;
at most `MOST` starts in all."""

SAME = 1e-6
"""Difference of poses, lengths relative to the mechanism's size, below which two solutions are the same; at a singular
position iterations from different sides end 1e-8 apart."""

CLOSED = 1e-8
"""Residual of joints, in rad or relative to the size, above which a solution of the equations is no solution of the
group: products of vectors are the same for an axis and its opposite."""


@dataclass(frozen=True)
class GroupCalls:
    """A group with its calls of the program, and the tree of its equations if Newton's method solves it."""

    group: Group
    calls: tuple[Call, ...]
    tree: trees.Tree | None


@dataclass(frozen=True)
class StateAtRest:
    """The state of a single step at rest, in which groups are solved one after another.

    Attributes
    ----------
    program : Program
    values : (drivers,) array
        Of the drivers, rad or m.
    q, v, a : (rows, 1) arrays
    status, conditioning : (groups, 1) arrays
    """

    program: Program
    values: Array
    q: Array
    v: Array
    a: Array
    status: NDArray[np.uint8]
    conditioning: Array


@dataclass(frozen=True)
class Solution:
    """A solution of a group.

    Attributes
    ----------
    number : int
        Of the mode; 0 where it has none.
    calls : tuple of Call
        Those that lead to it.
    pose : array
        See `pose`.
    conditioning : float
    """

    number: int
    calls: tuple[Call, ...]
    pose: Array
    conditioning: float


def group_calls(program: Program) -> tuple[GroupCalls, ...]:
    """List the groups of a program in solving order, with their calls."""
    structure, groups = program.structure, []
    solved_as, geometry = structure.solved_as, solved_geometry(structure, program.geometry)
    for group, solver in zip(program.structure.groups, program.solvers, strict=True):
        calls = tuple(call for call in program.calls if call.group == group.number)
        tree = _pose_of_hub(calls[0], program.geometry.size) if solver == HUB else None
        if solver == NEWTON:
            tree = trees.grow(solved_as, geometry, group, aimed=True)
        groups.append(GroupCalls(group, calls, tree))
    return tuple(groups)


def _pose_of_hub(call: Call, size: float) -> trees.Tree:
    """Make the moves of a hub, whose pose is that of a free body."""
    assert call.knot is not None
    d, unknowns, variables = call.rows[:3].tolist()
    start = knots.parts(call.knot, unknowns, variables).values
    slides = [(kinds.TRANSLATION, k, (float(start[k]) * size,)) for k in range(d)]
    turn = (kinds.BALL if d == 3 else kinds.ROTATION, 2, tuple(start[d:].tolist()))
    moves = [trees.Move(0, *move[:2], np.eye(3), np.zeros(3), None, 1.0, move[2]) for move in (*slides, turn)]
    return trees.Tree(d, (), moves)


def state_at(program: Program, time: float | None = None) -> StateAtRest:
    """Make a state with no group solved, the drivers at a time (s) or by default in the reference configuration."""
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
    return StateAtRest(program, values, q, v, a, np.zeros((groups, 1), np.uint8), np.zeros((groups, 1)))


def solve_group(state: StateAtRest, calls: tuple[Call, ...]) -> bool:
    """Solve a group; return True if it has a solution, a singular one included."""
    return _joint_variables(state, calls) is not None


def _joint_variables(state: StateAtRest, calls: tuple[Call, ...]) -> Array | None:
    """Solve a group; return its joint variables (none for a closed form), or None if it has no solution."""
    index = calls[0].group - 1
    status, conditioning = state.status[index], state.conditioning[index]
    variables = np.zeros(0)
    for call in calls:
        memory = np.zeros(1) if call.knot is None else np.concatenate([[FORCE], call.knot, call.knot])
        call.kernel(state.q, state.v, state.a, memory, call.rows, call.constants, status, conditioning, 1)
        if call.knot is not None:
            variables = knots.parts(memory[1 + call.knot.size :], call.rows[1], call.rows[2])[0]
    solved = status[0] in (codes.SOLVED, codes.SINGULAR)
    state.v[:] = state.a[:] = 0.0  # at rest, also where the velocities of a singular position are not determined
    group = state.program.structure.groups[index]
    return variables if solved and np.isfinite(pose(state, group)).all() else None


def snapshot(state: StateAtRest) -> Motion:
    """Copy the state to a motion of one step."""
    kept = state.program.kept
    rows = (state.q[kept], state.v[kept], state.a[kept])
    return Motion(state.program, np.zeros(1), *rows, state.status.copy(), state.conditioning.copy())


def pose(state: StateAtRest, group: Group) -> Array:
    """Read the origins of the bodies of a group, relative to the mechanism's size, and their axes."""
    d = state.program.mechanism.dimension
    return _pose(state.program, group, lambda row: state.q[row : row + d, 0])


def last_pose(motion: Motion, group: Group) -> Array:
    """Read `pose` at the last step of a motion."""
    return _pose(motion.program, group, lambda row: motion.rows(row, 0)[-1])


def _pose(program: Program, group: Group, read: Callable[[int], Array]) -> Array:
    found = []
    for body in group.bodies:
        placed = program.poses[body]
        axes = _square([read(row) for row in placed.vectors]) @ placed.directions.T
        origin = read(placed.point) + axes @ (program.geometry.origins[body] - placed.origin)
        found += [origin / program.geometry.size, axes[:, : len(placed.vectors)].T.ravel()]
    return np.concatenate(found)


def _square(vectors: list[Array]) -> Array:
    """Make a matrix whose columns are the directions of a body; in the plane a quarter turn gives the second."""
    return np.array(vectors if len(vectors) == 3 else [vectors[0], quarter(vectors[0])]).T


def reference_pose(program: Program, group: Group) -> Array:
    """Compute `pose` in the reference configuration, where body coordinates are global coordinates."""
    d, geometry = program.mechanism.dimension, program.geometry
    axes = np.eye(d)[: 3 if d == 3 else 1].ravel()
    return np.concatenate([x for body in group.bodies for x in (geometry.origins[body] / geometry.size, axes)])


def solutions(state: StateAtRest, part: GroupCalls) -> tuple[list[Solution], bool]:
    """Find the solutions of a group in a state in which the groups before it are solved.

    Modes of closed forms are numbered by their signs: bit k of the number less one says whether sign k is that of the
    reference configuration (0) or the opposite. Other solutions are numbered by their distance from the reference
    configuration, the nearest first.

    Returns
    -------
    list of Solution
    bool
        True if there are no others.
    """
    if part.tree is None:
        variants = ((number, flipped(part, number)) for number in range(1, 1 + 2 ** len(part.calls[0].signs)))
        return [_solution(state, part, number, calls) for number, calls in variants if solve_group(state, calls)], True
    roots = triad_starts(state, part)
    ends = _iterated(state, part, roots) if roots is not None else _searched(state, part)
    unordered = [_solution(state, part, 0, started(part, end)) for end in ends]
    reference = reference_pose(state.program, part.group)

    def distance_and_pose(solution: Solution) -> tuple[float, ...]:
        # rounded, so that rounding errors do not put mirror images in another order
        return np.round(np.linalg.norm(solution.pose - reference), 6), *np.round(solution.pose, 6)

    ordered = sorted(unordered, key=distance_and_pose)
    return [replace(solution, number=1 + k) for k, solution in enumerate(ordered)], roots is not None


def _searched(state: StateAtRest, part: GroupCalls) -> list[Array]:
    """Find solutions from many starts; the joint variables of each."""
    tree, knot, seen = part.tree, part.calls[0].knot, list[Array]()
    assert tree is not None
    assert knot is not None
    rng, size = np.random.default_rng(part.group.number), state.program.geometry.size
    ends = _iterated(state, part, [knots.parts(knot, tree.unknowns, tree.variables)[0]], seen)
    tried = last = 0
    waiting = [turned for end in ends for turned in _half_turns(tree, end)]
    for _ in range(MOST):
        at_random = not waiting
        if at_random and tried >= max(FEWEST, PATIENCE * last):
            break
        tried += at_random
        start = _random(tree, size, rng) if at_random else waiting.pop()
        new = _iterated(state, part, [start], seen)
        if new:
            ends += new
            waiting += _half_turns(tree, new[0])
            last = tried
    return ends


def _iterated(
    state: StateAtRest, part: GroupCalls, starts: Iterable[Array], seen: list[Array] | None = None
) -> list[Array]:
    """Iterate a group from some starts; the joint variables of its solutions.

    Solutions whose poses are in `seen` are left out; the poses of new ones are added to it.
    """
    ends: list[Array] = []
    seen = [] if seen is None else seen
    for start in starts:
        variables = _joint_variables(state, started(part, start))
        if variables is None:
            continue
        reached = pose(state, part.group)
        if seen and np.abs(np.array(seen) - reached).max(axis=1).min() < SAME:
            continue
        seen.append(reached)
        if _residual(state, part.group) < CLOSED:
            ends.append(variables.copy())
    return ends


def _solution(state: StateAtRest, part: GroupCalls, number: int, calls: tuple[Call, ...]) -> Solution:
    solve_group(state, calls)
    return Solution(number, calls, pose(state, part.group), float(state.conditioning[part.group.number - 1, 0]))


def flipped(part: GroupCalls, number: int) -> tuple[Call, ...]:
    """Change the calls of a closed form to those of another of its modes."""
    call = part.calls[0]
    constants = call.constants.copy()
    for k, position in enumerate(call.signs):
        constants[position] *= -1.0 if (number - 1) >> k & 1 else 1.0
    return (replace(call, constants=constants), *part.calls[1:])


def started(part: GroupCalls, variables: Array) -> tuple[Call, ...]:
    """Change the calls of a group solved by Newton's method to start from other values of its joint variables."""
    assert part.tree is not None
    return (replace(part.calls[0], knot=knots.first(variables, part.tree.unknowns)), *part.calls[1:])


def _residual(state: StateAtRest, group: Group) -> float:
    """Compute the largest residual of the joints of a group that is solved."""
    motion = snapshot(state)
    worst = 0.0
    for joint in group.external + group.internal:
        drivers = zip(state.program.drivers, state.values, strict=True)
        prescribed = {driven.freedom: np.array([value]) for driven, value in drivers if driven.joint == joint}
        worst = max(worst, float(joint_residual(motion, joint, prescribed).max()))
    return worst


def _half_turns(tree: trees.Tree, variables: Array) -> list[Array]:
    """Turn each rotation among the joint variables by half a turn: often another solution is near."""
    variable_kinds = [move.kind for move in tree.moves if move.free for _ in move.start]
    turns = np.eye(len(variable_kinds))[[k for k, kind in enumerate(variable_kinds) if kind == kinds.ROTATION]]
    return list(variables + np.pi * turns)


def _random(tree: trees.Tree, size: float, rng: np.random.Generator) -> Array:
    """Draw joint variables to start from; `size` is the mechanism's, m."""

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

    return np.concatenate([np.zeros(0), *(draw(move) for move in tree.moves if move.free)])


# --- the plane triad -------------------------------------------------------------------------


def triad_starts(state: StateAtRest, part: GroupCalls) -> list[Array] | None:
    """Compute the joint variables of all positions of a plane triad; None if the group is no triad."""
    from sglibrary.planar.triad import positions

    legs = _legs(state.program, part.group)
    if legs is None:
        return None
    assert part.tree is not None
    geometry, motion = state.program.geometry.joints, snapshot(state)
    body = next(iter(set(part.group.bodies) - {leg for leg, _, _ in legs}))
    feet, tops, arms = [], [], []
    for leg, foot, top in legs:
        side, ball = foot.bodies.index(leg), top.bodies.index(leg)
        feet.append(motion.point_on(foot.bodies[1 - side], geometry[foot.name].points[1 - side])[0])
        tops.append(geometry[top.name].points[1 - ball])
        arms.append(geometry[top.name].points[ball] - geometry[foot.name].points[side])
    roots = positions(np.array(feet), np.array(tops), np.linalg.norm(arms, axis=1))
    if roots is None:
        return None
    if state.program.solvers[part.group.number - 1] == HUB:
        return [_hub_at(state, part, body, angle, first, tops[0]) for angle, *first in roots]
    rotations = {solved: motion.rotation(solved)[0] for solved in part.tree.solved}
    turned = {solved: float(np.arctan2(x[1, 0], x[0, 0])) for solved, x in rotations.items()}
    starts = []
    for angle, *first in roots:
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        turned[body] = angle
        for (leg, _, _), foot_at, top_at, arm in zip(legs, feet, tops, arms, strict=True):
            span = first + turn @ (top_at - tops[0]) - foot_at
            turned[leg] = np.arctan2(span[1], span[0]) - np.arctan2(arm[1], arm[0])
        starts.append(_joint_angles(part.tree, turned))
    return starts


def _hub_at(state: StateAtRest, part: GroupCalls, hub: str, angle: float, top: list[float], local: Array) -> Array:
    """Compute the variables of a hub from its angle (rad) and where a point of it is, with its local coordinates."""
    cosine, sine, row = np.cos(angle), np.sin(angle), part.calls[0].rows[4]
    turn, base = np.array([[cosine, -sine], [sine, cosine]]), state.q[row : row + 2, 0]
    center = np.asarray(top) + turn @ (state.program.poses[hub].origin - local)
    return np.array([*(center - base) / state.program.geometry.size, angle])


def _legs(program: Program, group: Group) -> list[tuple[str, Joint, Joint]] | None:
    """List the legs of a plane triad: body, hinge on a solved body, hinge on the body that all three hold."""
    mechanism = program.mechanism
    joints = mechanism.joint
    of_group = [joints[name] for name in (*group.external, *group.internal)]
    undriven = all(mechanism.form(x).hinge and x.name not in mechanism.driven for x in of_group)
    hinges = mechanism.dimension == 2 and undriven
    if not hinges or (len(group.bodies), len(group.external), len(group.internal)) != (4, 3, 3):
        return None
    tops = [joints[name] for name in group.internal]
    held = [body for body in group.bodies if all(body in top.bodies for top in tops)]
    if not held:
        return None
    legs = [(next(body for body in top.bodies if body != held[0]), top) for top in tops]
    feet = {body: joints[name] for name in group.external for body in joints[name].bodies if body in group.bodies}
    return [(leg, feet[leg], top) for leg, top in legs] if len(feet) == 3 and held[0] not in feet else None


def _joint_angles(tree: trees.Tree, turned: dict[str, float]) -> Array:
    """Compute the variables of a tree of hinges from the angles (rad) of all bodies, zero in the reference."""
    body = {seat.frame: name for name, seat in tree.seats.items()}
    base = len(tree.solved)
    return np.array(
        [
            move.start[0] + turned[body[base + m]] - turned[body[move.frame]]
            for m, move in enumerate(tree.moves)
            if move.free
        ]
    )
