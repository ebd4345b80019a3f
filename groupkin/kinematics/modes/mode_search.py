"""All solutions of one group at given values of the drivers: those of its closed form, or those that a search finds.

Groups are solved one after another in the state of a single step at rest, by the kernels of the program. Newton's
method starts from many random values, always the same ones; for plane groups that one substitute makes simple from all
roots of a function of one variable (`groupkin.kinematics.modes.substitutes`), so that no solution is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.modes import substitutes
from groupkin.kinematics.motion.coupled_coordinates import residual
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import joint_residual
from groupkin.kinematics.program.program import Call, Pose, Program
from groupkin.kinematics.program.solver_choice import HUB, NEWTON
from groupkin.model import trees
from groupkin.model.coupled_drivers import led_groups
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.model.hubs import hub_of
from groupkin.model.tree_making import make_tree
from groupkin.structure.decomposition import Group
from groupkin.structure.idle_spins import Spin
from groupkin.tolerances import REAL_SOLUTION, SAME_POSE
from sglibrary import status as codes
from sglibrary.array_types import Array
from sglibrary.arrays import quarter
from sglibrary.iterative import kinds, knots
from sglibrary.iterative.knots import FORCE
from sglibrary.iterative.tables import HEADER

FEWEST, PATIENCE, MOST = 400, 4, 8000
"""Random starts of a search: at least `FEWEST`, and `PATIENCE` times as many as it took to find the last new solution;
at most `MOST` starts in all."""


@dataclass(frozen=True)
class GroupCalls:
    """A group with its calls of the program.

    Attributes
    ----------
    group : Group
    calls : tuple of Call
    tree : Tree or None
        That of its equations if Newton's method solves it, or the moves of its hub.
    signs : tuple of int
        Of a closed form: positions among the constants of the signs that tell modes apart, which those that turn a part
        about its idle spin do not.
    led : bool
        Whether it is one body that gears or couplings lead: whatever teeth mesh, it has one configuration.
    """

    group: Group
    calls: tuple[Call, ...]
    tree: trees.Tree | None
    signs: tuple[int, ...]
    led: bool = False


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
    state = state_at(program) if structure.spins else None
    iterated = [g for g, solver in zip(structure.groups, program.solvers, strict=True) if solver == NEWTON]
    led = led_groups(solved_as, iterated, geometry)
    for group, solver in zip(program.structure.groups, program.solvers, strict=True):
        calls = tuple(call for call in program.calls if call.group == group.number)
        tree = _pose_of_hub(calls[0], program.geometry.size) if solver == HUB else None
        if solver == NEWTON:
            tree = make_tree(solved_as, geometry, group, aimed=True)
        signs = calls[0].signs if state is None else _counted_signs(state, group, calls)
        groups.append(GroupCalls(group, calls, tree, signs, group.number in led))
    return tuple(groups)


def _counted_signs(state: StateAtRest, group: Group, calls: tuple[Call, ...]) -> tuple[int, ...]:
    """Find the signs of a closed form that do more than turn a part about its idle spin; it is solved then."""
    if not solve_group(state, calls) or not _spins(state.program, group):
        return calls[0].signs
    here = pose(state, group), _pose(state.program, group, _reading(state), ())
    counted = []
    for position in calls[0].signs:
        solve_group(state, _with_opposite(calls, [position]))
        there = pose(state, group), _pose(state.program, group, _reading(state), ())
        moved, turned = (bool(np.abs(x - y).max() > SAME_POSE) for x, y in zip(here, there, strict=True))
        if moved or not turned:
            counted.append(position)
    solve_group(state, calls)
    return tuple(counted)


def _pose_of_hub(call: Call, size: float) -> trees.Tree:
    """Make the moves of a hub, whose pose is that of a free body."""
    assert call.knot is not None
    d, _, variables = call.rows[:3].tolist()
    start = knots.variables_of(call.knot, variables)
    slides = [(kinds.TRANSLATION, k, (float(start[k]) * size,)) for k in range(d)]
    turn = (kinds.BALL if d == 3 else kinds.ROTATION, 2, tuple(start[d:].tolist()))
    moves = [trees.Move(0, *move[:2], np.eye(3), np.zeros(3), None, 1.0, move[2]) for move in (*slides, turn)]
    return trees.Tree(d, (), moves)


def state_at(program: Program, time: float | None = None) -> StateAtRest:
    """Make a state with no group solved, the drivers at a time (s) or by default in the reference configuration."""
    if time is None:
        return state_with(program, np.array([driven.reference for driven in program.drivers]))
    return state_with(program, np.array([driven.law.at(np.array([time]))[0, 0] for driven in program.drivers]))


def state_with(program: Program, values: Array) -> StateAtRest:
    """Make a state with no group solved, the drivers at some values (drivers,), rad or m."""
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
            variables = knots.variables_of(memory[1 + call.knot.size :], call.rows[2])
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
    """Read the origins, relative to the mechanism's size, and the axes of the bodies of a group.

    Of parts whose idle spins are held only what does not depend on how they are turned.
    """
    return _pose(state.program, group, _reading(state), _spins(state.program, group))


def last_pose(motion: Motion, group: Group) -> Array:
    """Read `pose` at the last step of a motion."""

    def read(pose: Pose) -> Array:
        return np.array([motion.rows(row, 0)[-1] for row in (pose.point, *pose.vectors)])

    return _pose(motion.program, group, read, _spins(motion.program, group))


def reference_pose(program: Program, group: Group) -> Array:
    """Compute `pose` in the reference configuration, where body coordinates are global coordinates."""

    def read(pose: Pose) -> Array:
        return np.array([pose.origin, *pose.directions.T[: len(pose.vectors)]])

    return _pose(program, group, read, _spins(program, group))


def _reading(state: StateAtRest) -> Callable[[Pose], Array]:
    d = state.program.mechanism.dimension
    return lambda pose: np.array([state.q[row : row + d, 0] for row in (pose.point, *pose.vectors)])


def _spins(program: Program, group: Group) -> tuple[Spin, ...]:
    """List the held spins of parts of a group."""
    return tuple(spin for spin in program.structure.spins if set(spin.bodies) <= set(group.bodies))


def _pose(program: Program, group: Group, read: Callable[[Pose], Array], spins: Sequence[Spin]) -> Array:
    """Put together `pose` from the rows of the poses of all bodies."""
    size, scale = program.geometry.size, np.array([1.0 / program.geometry.size, 1.0, 1.0, 1.0])[:, None]
    placed = {body: _placed(program, body, read(program.poses[body])) for body in group.bodies}
    turning = {body for spin in spins for body in spin.bodies}
    parts = [rows * scale[: len(rows)] for body, rows in placed.items() if body not in turning]
    for spin in spins:
        for name in spin.joints:
            joint = program.mechanism.joint[name]
            side = int(joint.bodies[0] not in spin.bodies)
            body = joint.bodies[side]
            center = program.geometry.joints[name].points[side] - program.geometry.origins[body]
            parts.append((placed[body][:1] + center @ placed[body][1:]) / size)
        first = placed[spin.bodies[0]]
        # within the part nothing moves, unless each of its bodies spins by itself
        for body in () if spin.swivels else spin.bodies[1:]:
            rows = placed[body]
            parts += [(rows[:1] - first[:1]) @ first[1:].T / size, rows[1:] @ first[1:].T]
    return np.concatenate([part.ravel() for part in parts])


def _placed(program: Program, body: str, rows: Array) -> Array:
    """Compute the origin of a body, m, and its axes, in the plane the first, from the rows of its pose."""
    pose = program.poses[body]
    vectors = rows[1:] if len(rows) == 4 else np.array([rows[1], quarter(rows[1])])
    axes = pose.directions @ vectors
    origin = rows[0] + (program.geometry.origins[body] - pose.origin) @ axes
    return np.array([origin, *axes[: len(pose.vectors)]])


def solutions(state: StateAtRest, part: GroupCalls) -> tuple[list[Solution], bool]:
    """Find the solutions of a group in a state in which the groups before it are solved.

    Modes of closed forms are numbered by their signs: bit k of the number less one says whether sign k is that of the
    reference configuration (0) or the opposite. Signs that only turn a part about its idle spin do not count. Other
    solutions are numbered by their distance from the reference configuration, the nearest first.

    Returns
    -------
    list of Solution
    bool
        True if there are no others.
    """
    if part.tree is None:
        variants = ((number, flipped(part, number)) for number in range(1, 1 + 2 ** len(part.signs)))
        return [_solution(state, part, number, calls) for number, calls in variants if solve_group(state, calls)], True
    values = {(x.joint, x.freedom): float(u) for x, u in zip(state.program.drivers, state.values, strict=True)}
    solved = snapshot(state)
    placed = None if part.led else substitutes.solutions(solved, values, part.group)
    roots = None if placed is None else _starts(state, solved, part, placed)
    if part.led:
        assert part.tree is not None
        assert part.calls[0].knot is not None
        own = knots.variables_of(part.calls[0].knot, part.tree.variables)
        roots = [own, *_half_turns(part.tree, own)]  # where the first leads to opposite axes
    ends = _iterated(state, part, roots) if roots is not None else _searched(state, part)
    ends = ends[:1] if part.led else ends
    unordered = [_solution(state, part, 0, started(part, end)) for end in ends]
    reference = reference_pose(state.program, part.group)

    def distance_and_pose(solution: Solution) -> tuple[float, ...]:
        # rounded, so that rounding errors do not put mirror images in another order
        return np.round(np.linalg.norm(solution.pose - reference), 6), *np.round(solution.pose, 6)

    ordered = sorted(unordered, key=distance_and_pose)
    return [replace(solution, number=1 + k) for k, solution in enumerate(ordered)], roots is not None


def _starts(state: StateAtRest, solved: Motion, part: GroupCalls, placed: substitutes.Placed) -> list[Array]:
    """Compute the joint variables at which the bodies of a group are placed, or the pose of its hub."""
    program = state.program
    if program.solvers[part.group.number - 1] != HUB:
        assert part.tree is not None
        return list(substitutes.joint_variables(solved, part.group, part.tree, placed).T)
    found = hub_of(program.structure.solved_as, part.group)
    assert not isinstance(found, str)
    origins, turns = placed[found.body]
    row = part.calls[0].rows[HEADER]
    away = origins + turns @ program.poses[found.body].origin - state.q[row : row + 2, 0]
    return list(np.column_stack([away / program.geometry.size, np.arctan2(turns[:, 1, 0], turns[:, 0, 0])]))


def _searched(state: StateAtRest, part: GroupCalls) -> list[Array]:
    """Find solutions from many starts; the joint variables of each."""
    tree, knot, seen = part.tree, part.calls[0].knot, list[Array]()
    assert tree is not None
    assert knot is not None
    rng, size = np.random.default_rng(part.group.number), state.program.geometry.size
    ends = _iterated(state, part, [knots.variables_of(knot, tree.variables)], seen)
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
        if seen and np.abs(np.array(seen) - reached).max(axis=1).min() < SAME_POSE:
            continue
        seen.append(reached)
        if _residual(state, part.group) < max(REAL_SOLUTION, state.program.mechanism.misfit):
            ends.append(variables.copy())
    return ends


def _solution(state: StateAtRest, part: GroupCalls, number: int, calls: tuple[Call, ...]) -> Solution:
    solve_group(state, calls)
    return Solution(number, calls, pose(state, part.group), float(state.conditioning[part.group.number - 1, 0]))


def flipped(part: GroupCalls, number: int) -> tuple[Call, ...]:
    """Change the calls of a closed form to those of another of its modes."""
    return _with_opposite(part.calls, [position for k, position in enumerate(part.signs) if (number - 1) >> k & 1])


def _with_opposite(calls: tuple[Call, ...], positions: list[int]) -> tuple[Call, ...]:
    """Change the signs at some positions of the constants of a closed form."""
    constants = calls[0].constants.copy()
    constants[positions] *= -1.0
    return (replace(calls[0], constants=constants), *calls[1:])


def started(part: GroupCalls, variables: Array) -> tuple[Call, ...]:
    """Change the calls of a group solved by Newton's method to start from other values of its joint variables."""
    assert part.tree is not None
    return (replace(part.calls[0], knot=knots.first(variables, part.tree.unknowns, part.tree.count)), *part.calls[1:])


def _residual(state: StateAtRest, group: Group) -> float:
    """Compute the largest residual of the joints of a group that is solved."""
    motion = snapshot(state)
    worst = 0.0
    for joint in group.external + group.internal:
        drivers = zip(state.program.drivers, state.values, strict=True)
        prescribed = {driven.freedom: np.array([value]) for driven, value in drivers if driven.joint == joint}
        worst = max(worst, float(joint_residual(motion, joint, prescribed).max()))
    for name in group.couplings:
        worst = max(worst, residual(motion, state.program.structure.solved_as.relations[name]))
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
