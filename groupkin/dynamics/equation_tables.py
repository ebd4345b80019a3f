"""The equations of motion of a program as tables for compiled code (`sglibrary.dynamics`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics import spring_tables
from groupkin.dynamics.bushings import matrices
from groupkin.dynamics.contacts import outline
from groupkin.dynamics.freedom_rows import freedom_rows
from groupkin.dynamics.loads import freedom_of_load
from groupkin.dynamics.masses import center, local_point
from groupkin.errors import ForceError, LawError
from groupkin.kinematics.program.building import Layout, extended
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving import blocks
from groupkin.kinematics.solving.evaluation import farthest, known_state, memories
from groupkin.mechanism.force_checks import inertia_tensor
from groupkin.mechanism.forces import (
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
)
from groupkin.mechanism.laws import Law
from sglibrary import laws
from sglibrary.dynamics import forces as kinds
from sglibrary.dynamics.equations import Equations, Problem, Room
from sglibrary.dynamics.followed import Following
from sglibrary.dynamics.forces import Forces, Laws

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


def problem(program: Program, free: Ints, of_drivers: tuple[Law | None, ...]) -> tuple[Program, Problem]:
    """Make the equations of a program with free drivers, and the program with all rows that they need.

    Parameters
    ----------
    program : Program
    free : (f,) array of int
        Numbers of the free drivers.
    of_drivers : tuple of Law or None
        The laws of all drivers.
    """
    numbers = np.full(len(program.drivers), -1, np.int64)
    numbers[free] = np.arange(len(free))

    larger, forces = extended(program, lambda layout: _forces(program, layout, numbers))
    equations = Equations(
        program.mechanism.dimension,
        len(free) == 1 and all(law is None or _still(law) for law in of_drivers),
        numbers,
        np.array([driven.middle for driven in program.drivers], bool),
        *_masses(program),
        coded(of_drivers),
    )
    calls = blocks.packed(larger, memories(larger))
    return larger, Problem(equations, calls, blocks.given_drivers(program, np.zeros((0, 3, 0))), forces)


def room(program: Program, free: int, alone: bool, lanes: int) -> Room:
    """Make the memory for some lanes of the extended program."""
    columns = lanes if alone else (free + 1) * lanes
    drivers, groups = len(program.drivers), len(program.structure.groups)
    rows = {2: 4, 3: 12}[program.mechanism.dimension]
    moved = np.zeros((rows, columns)), np.zeros((rows, columns)), np.zeros((rows, lanes))
    return Room(
        blocks.block_state(program, columns),
        np.zeros((drivers, 3, columns)),
        np.zeros(columns),
        np.zeros((groups, columns), np.uint8),
        np.ones(lanes),
        np.zeros((3, lanes)),
        moved,
        np.zeros((free, free, lanes)),
        np.zeros((free, lanes)),
        np.zeros(lanes),
    )


def following(program: Program) -> Following:
    """Make what following needs beside a room, at the reference configuration."""
    return Following(blocks.block_state(program, 1), farthest(program), known_state(program))


def _still(law: Law) -> bool:
    kind, numbers, _ = law.coded or (laws.OTHER, (), None)
    return kind == laws.RAMP and numbers[0] == 0.0


def coded(given: Iterable[Law | None]) -> Laws:
    """Laws as numbers; of the kind OTHER where there is none.

    Raises
    ------
    LawError
        If a law is known to Python alone.
    """
    found, tables, size = [], [np.zeros(0)], 0
    for law in given:
        numbered = blocks.IN_PYTHON if law is None else law.coded
        if numbered is None:
            raise LawError(
                f"{law.label or type(law).__name__} is a law that Python evaluates, which equations of motion cannot; "  # type: ignore[union-attr]
                "sample it as `Samples` or `Spline`"
            )
        kind, numbers, table = numbered
        row = np.zeros(4)
        row[: len(numbers)] = numbers
        if table.size:
            row[3], size = size, size + table.size
            tables.append(table)
        found.append((kind, row))
    return Laws(
        np.array([kind for kind, _ in found], np.int64),
        np.array([row for _, row in found]).reshape(-1, 4),
        np.concatenate(tables),
    )


# --- masses --------------------------------------------------------------------------------------


def _masses(program: Program) -> tuple[Ints, Array, Array]:
    """List the poses of bodies that have mass, what they weigh by these, and gravity."""
    mechanism, d = program.mechanism, program.mechanism.dimension
    poses, inertia = list[list[int]](), list[Array]()
    for name in mechanism.movable:
        body, pose = mechanism.body[name], program.poses[name]
        tensor = inertia_tensor(body, d)
        if not body.mass and not tensor.any():
            continue
        at = pose.coefficients(center(program, name), True) if body.mass else np.zeros(d)
        poses.append([pose.point, *pose.vectors])
        inertia.append(np.concatenate([at, [body.mass or 0.0], second_moments(tensor, pose.directions)]))
    gravity = np.array(mechanism.gravity or np.zeros(d), float)
    return (
        np.array(poses, np.int64).reshape(-1, 2 if d == 2 else 4),
        np.array(inertia, float).reshape(-1, 4 if d == 2 else 10),
        gravity,
    )


def second_moments(tensor: Array, directions: Array) -> Array:
    """Second moments of mass along directions, xx, yy, zz, xy, xz, yz; in the plane the moment of inertia."""
    if len(tensor) == 1:
        return tensor[0]
    second = directions.T @ (0.5 * np.trace(tensor) * np.eye(3) - tensor) @ directions
    return second[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]


# --- forces --------------------------------------------------------------------------------------


def _forces(program: Program, layout: Layout, numbers: Ints) -> Forces:
    """All forces that do anything for the free coordinates."""
    found = [(each, load) for load in program.mechanism.forces for each in _coded(program, layout, load, numbers)]
    rows = np.array([(list(rows) + [-1] * 8)[:8] for (rows, _), _ in found], np.int64).reshape(-1, 8)
    constants = np.array([(list(constants) + [0.0] * 8)[:8] + _dry(load) + [0.0] * 4 for (_, constants), load in found])
    constants, curves, begin = constants.reshape(-1, 14), [np.zeros(0)], 0
    for k, (_, load) in enumerate(found):
        for place, ends, coefficients in _curves(program, load):
            constants[k, place : place + 2] = begin, len(coefficients)
            curves += [ends, coefficients.ravel()]
            begin += curves[-2].size + curves[-1].size
    return Forces(rows, constants, coded(_law_of(load) for _, load in found), np.concatenate(curves))


def _curves(program: Program, load: Load) -> Iterator[tuple[int, Array, Array]]:
    """List the curves of a force: their places in its numbers, and the ends and coefficients of their pieces."""
    if isinstance(load, Contact):
        curve = outline(program, load)
        yield 7, curve.ends, curve.coefficients
    elif isinstance(load, Spring | JointSpring):
        for place, table in ((10, load.table), (12, load.damping_table)):
            if table:
                pieces = spring_tables.curve(table)
                yield place, pieces.x, pieces.c.T


def _coded(program: Program, layout: Layout, load: Load, numbers: Ints) -> list[Coded]:
    if isinstance(load, Bushing):
        return _bushing(program, layout, load)
    if isinstance(load, Contact):
        return [_contact(program, layout, load)]
    found = _force(program, layout, load, numbers)
    return [] if found is None else [found]


def _bushing(program: Program, layout: Layout, load: Bushing) -> list[Coded]:
    """Springs and dampers along and about the principal axes of a bushing's matrices."""
    first, second = load.between
    d = program.mechanism.dimension
    stiffness, damping, torsion, damped = matrices(load, d)
    ends = [layout.attach(body, local_point(program, body, load.point), True) for body in load.between]

    def on(body: str, axis: Array) -> int:
        return layout.attach(body, axis, False)

    found: list[Coded] = []
    for constants, axis in [*_principal(stiffness, 0), *_principal(damping, 1)]:
        found.append(([kinds.SLIDE, *ends, on(first, axis)], constants))
    for constants, axis in [*_principal(torsion, 0), *_principal(damped, 1)]:
        if d == 2:
            x, y = np.eye(2)
            rows = [on(first, y), on(second, x), on(first, x), on(second, x)]
            found.append(([kinds.TURN, *rows], [*constants, 1.0, 1.0]))
        else:
            s, t = np.linalg.svd(axis[None])[2][1:]
            t = np.cross(axis, s)
            rows = [on(first, t), on(second, s), on(first, s), on(second, t)]
            found.append(([kinds.SINE, *rows], constants))
    return found


def _principal(matrix: Array, place: int) -> list[tuple[list[float], Array]]:
    """Stiffness or damping, at its place among the numbers of a force, along each principal axis of a matrix."""
    if np.array_equal(matrix, np.diag(np.diag(matrix))):
        values, axes = np.diag(matrix), np.eye(len(matrix))
    else:
        values, axes = np.linalg.eigh(matrix)
    return [([float(x) * (k == place) for k in range(4)], axis) for x, axis in zip(values, axes.T, strict=True) if x]


def _contact(program: Program, layout: Layout, load: Contact) -> Coded:
    first, second = load.between
    curve = outline(program, load)
    rows = [
        layout.attach(second, local_point(program, second, load.point), True),
        layout.attach(second, np.array([1.0, 0.0]), False),
        layout.attach(first, np.zeros(2), True),
        layout.attach(first, np.array([1.0, 0.0]), False),
    ]
    shape = [curve.coefficients.shape[1], int(curve.closed)]
    friction = [load.coefficient, load.speed or SLOW]
    constants = [load.stiffness, load.exponent, load.damping, load.radius, *friction, curve.side]
    return [kinds.CONTACT, *rows, *shape], constants


def _dry(load: Load) -> list[float]:
    """Dry friction, and the speed up to which it grows."""
    return [load.force, load.speed or SLOW] if isinstance(load, JointFriction) else [0.0, 1.0]


def _law_of(load: Load) -> Law | None:
    law: Law | None = getattr(load, "law", None)
    return None if law is None else law.labeled(f"law of force {load.name!r}")


Coded = tuple[list[int], list[float]]
"""Kind and rows of a force, and its numbers."""


def _force(program: Program, layout: Layout, load: Load, numbers: Ints) -> Coded | None:
    assert not isinstance(load, Bushing | Contact)
    if isinstance(load, Spring):
        ends = [local_point(program, body, point) for body, point in zip(load.between, load.points, strict=True)]
        length = float(np.linalg.norm(ends[1] - ends[0])) if load.length is None else load.length
        rows = [layout.attach(body, end, True) for body, end in zip(load.between, ends, strict=True)]
        return [kinds.DISTANCE, *rows], [load.stiffness, load.damping, load.preload, length]
    if isinstance(load, JointSpring):
        return _in_joint(program, layout, load, numbers, [load.stiffness, load.damping, load.preload, load.position])
    if isinstance(load, JointForce):
        return _in_joint(program, layout, load, numbers, [0.0, 0.0, -load.force, 0.0])
    if isinstance(load, JointFriction):
        return _in_joint(program, layout, load, numbers, [0.0, load.damping, 0.0, 0.0])
    if isinstance(load, Friction):
        raise ForceError(
            f"force {load.name!r}: friction by what joint {load.joint!r} carries is not simulated, for it depends on "
            "accelerations; state a joint_friction of a known force, such as that which inverse_dynamics finds"
        )
    if load.body == program.mechanism.frame:
        return None
    d = program.mechanism.dimension
    components = np.atleast_1d(np.array(load.force if isinstance(load, Force) else load.torque, float))
    turning = load.axes and len(components) > 1
    vector = layout.attach(load.axes, components, False) if turning else layout.fix(np.resize(components, d))
    if isinstance(load, Torque):
        return [kinds.TORQUE, vector, *program.poses[load.body].vectors], []
    return [kinds.FORCE, layout.attach(load.body, local_point(program, load.body, load.point), True), vector], []


def _in_joint(program: Program, layout: Layout, load: InJoint, numbers: Ints, constants: list[float]) -> Coded | None:
    """A force along a freedom of a joint: of a driver along its coordinate, which does nothing if it has a law."""
    name, freedom = freedom_of_load(program.mechanism, load)
    for driven, i in zip(program.drivers, numbers, strict=True):
        if (driven.joint, driven.freedom) == (name, freedom):
            return None if i < 0 else ([kinds.FREE, int(i), driven.row], constants)
    found = freedom_rows(program, name, freedom)
    rows, after = ([layout.attach(*item) for item in items] for items in (found.items, found.after))
    if found.kind == kinds.SLIDE:
        return [kinds.SLIDE, *rows], constants
    return [found.kind, *rows, *(after or [-1] * 3)], [*constants, *found.signs, found.near, found.slope]
