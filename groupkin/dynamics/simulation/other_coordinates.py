"""The same pose in other programs of a mechanism, whose drivers are others.

A program finds its groups in the assembly modes of the reference configuration. Another one, that takes over at some
pose, must find them as they are there: the signs of its closed forms are tried group after group, and those by Newton's
method are followed from the pose itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from groupkin.kinematics.modes.mode_search import (
    GroupCalls,
    StateAtRest,
    flipped,
    group_calls,
    last_pose,
    pose,
    solve_group,
    started,
    state_with,
)
from groupkin.kinematics.motion.motion import Inputs, Motion
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.program.solver_choice import HUB
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import MOST_TURNS, relation, signed_coordinates
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.model.trees import Tree
from groupkin.tolerances import SAME_POSE
from sglibrary.array_types import Array
from sglibrary.iterative.kinds import BALL, CURVE, TRANSLATION
from sglibrary.iterative.tables import HEADER, OUTPUTS

TURN_DIGITS = 6
"""Digits to which a relation of gears is met alike."""


def in_rows_of(program: Program, motion: Motion) -> Motion:
    """Describe a motion by the rows of another program of its mechanism.

    Its inputs are the reference values of the drivers, at rest, and its groups count as solved and well conditioned.

    Parameters
    ----------
    program : Program
    motion : Motion
    """
    d, count = program.mechanism.dimension, motion.times.size
    state = np.zeros((3, program.rows, count))
    for order in range(3):
        for body in program.mechanism.movable:
            placed, turns = program.poses[body], motion.rotation_rate(body, order)
            state[order, placed.point : placed.point + d] = motion.point_on(body, placed.origin, order).T
            for row, direction in zip(placed.vectors, placed.directions.T, strict=False):
                state[order, row : row + d] = (turns @ direction).T
    q, v, a = state[:, program.kept]
    values = np.zeros((len(program.drivers), 3, count))
    values[:, 0] = np.array([driven.reference for driven in program.drivers]).reshape(-1, 1)
    groups = len(program.structure.groups)
    status, conditioning = np.zeros((groups, count), np.uint8), np.ones((groups, count))
    return Motion(program, motion.times, q, v, a, status, conditioning, inputs=Inputs(values, True))


def in_modes_of(program: Program, values: Array, here: Motion, apart: float = SAME_POSE) -> Program | None:
    """Put a program into the assembly modes that lead to a pose.

    Parameters
    ----------
    program : Program
    values : (drivers,) array
        At the pose, rad or m.
    here : Motion
        Of the program, whose last step is the pose.
    apart : float
        Difference of poses, lengths relative to the size, up to which they are the same.

    Returns
    -------
    Program or None
        None if there are none.
    """
    state, calls = state_with(program, values), list[Call]()
    for part in group_calls(program):
        iterated = part.calls[0].knot is not None
        found = _from_pose(state, part, here) if iterated else _leading(state, part, last_pose(here, part.group), apart)
        if found is None or not solve_group(state, found):
            return None
        if iterated and np.abs(pose(state, part.group) - last_pose(here, part.group)).max(initial=0.0) > apart:
            return None
        calls += found
    if not program.iterates:
        return replace(program, calls=tuple(calls))
    drivers = [replace(x, reference=float(value)) for x, value in zip(program.drivers, values, strict=True)]
    return replace(program, calls=tuple(calls), drivers=tuple(drivers))


def _from_pose(state: StateAtRest, part: GroupCalls, here: Motion) -> tuple[Call, ...]:
    """Let a group be followed from a pose, the last step of a motion."""
    assert part.tree is not None
    hub = here.program.solvers[part.group.number - 1] == HUB
    values = [_hub(state, part, here)] if hub else _of_moves(part.tree, here, state.values)
    return started(part, np.concatenate([np.zeros(0), *values]))


def _hub(state: StateAtRest, part: GroupCalls, here: Motion) -> Array:
    """Point and rotation of the hub of a group, as its variables are; what it hangs on is in the state."""
    program, d, rows = here.program, here.program.mechanism.dimension, part.calls[0].rows
    base, hub = rows[HEADER], rows[rows[OUTPUTS]]
    first = int(np.searchsorted(program.kept, hub))
    pose = here.q[first : first + (4 if d == 2 else 12), -1].reshape(-1, d)
    away, axes = (pose[0] - state.q[base : base + d, 0]) / program.geometry.size, pose[1:]
    return np.concatenate([away, _quaternion(axes.T) if d == 3 else np.arctan2(axes[:1, 1], axes[:1, 0])])


def _of_moves(tree: Tree, here: Motion, given: Array) -> list[Array]:
    """Values of the free moves of a tree, as its variables are, at values (drivers,) of the drivers."""
    program, found = here.program, list[Array]()
    solved, size = program.structure.solved_as, program.geometry.size
    joints = solved.joint | {joint.name: joint for joint in solved.measuring}
    floating = iter(_floating(tree, here))
    for move in (x for x in tree.moves if x.free):
        if not move.joint:
            found.append(next(floating))
            continue
        joint, stated = joints[move.joint], program.solved_geometry.joints[move.joint]
        form = solved.form(joint)
        values = signed_coordinates(form, stated, *here.placement(joint.bodies, stated))[:, -1]
        if form.coupled is not None:
            own = [(k, x) for k, x in enumerate(program.drivers) if x.joint == joint.name]
            values = _with_turns(form, stated, values, {form.places[x.freedom]: float(given[k]) for k, x in own})
        if move.kind == BALL:
            x, y, z = values[-3:]
            quaternion = _quaternion(turn(0, x) @ turn(1, y) @ turn(2, z))
            found.append(quaternion * [1.0, *(3 * [move.sign])])
        else:
            found.append(move.sign * values[[move.number]] / (size if move.kind in (TRANSLATION, CURVE) else 1.0))
    return found


def _with_turns(form: Form, geometry: JointGeometry, values: Array, driven: dict[int, float]) -> Array:
    """Add the fewest whole turns to coordinates (moves,) of gears, a rack or a screw that meet their relation.

    Those of driven moves are known.
    """
    assert form.coupled is not None
    pair, (coefficients, wanted) = list(form.coupled), relation(form, geometry)
    found, every = values.copy(), np.arange(-MOST_TURNS, MOST_TURNS + 1)
    found[list(driven)] = list(driven.values())
    counts = [every if form.moves[k].rotation and k not in driven else np.zeros(1) for k in pair]
    turns = np.stack([each.ravel() for each in np.meshgrid(*counts)]).astype(float)
    left = np.abs(wanted - coefficients @ (found[pair][:, None] + 2.0 * np.pi * turns))
    best = int(np.lexsort((np.abs(turns).sum(axis=0), np.round(left, TURN_DIGITS)))[0])
    found[pair] += 2.0 * np.pi * turns[:, best]
    return found


def _floating(tree: Tree, here: Motion) -> Iterator[Array]:
    """Values of the moves of bodies that float on the first solved one: shifts along its axes, then a rotation."""
    d, size, base = tree.dimension, here.program.geometry.size, tree.solved[0]
    back = here.rotation(base)[-1].T
    for k, move in enumerate(tree.moves):
        if move.joint or move.kind == TRANSLATION:
            continue
        body = next(body for body, seat in tree.seats.items() if seat.frame == len(tree.solved) + k)
        away = back @ (here.position(body) - here.position(base))[-1]
        at = here.program.geometry.origins
        yield from ((away - at[body] + at[base])[:, None] / size)
        axes = back @ here.rotation(body)[-1]
        yield _quaternion(axes) if d == 3 else np.arctan2(axes[1:2, 0], axes[:1, 0])


def _quaternion(rotation: Array) -> Array:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(rotation).as_quat()[[3, 0, 1, 2]])


def _leading(state: StateAtRest, part: GroupCalls, wanted: Array, apart: float) -> tuple[Call, ...] | None:
    """Find the calls of a group, those before it being solved, that lead to a pose as `mode_search.pose` reads it."""
    away = []
    for number in range(1, 1 + 2 ** len(part.signs)):
        calls = flipped(part, number)
        if solve_group(state, calls):
            away.append((float(np.abs(pose(state, part.group) - wanted).max(initial=0.0)), number))
    if not away or min(away)[0] > apart:
        return None
    return flipped(part, min(away)[1])
