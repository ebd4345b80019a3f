"""The forces of a mechanism as tables for compiled code (`sglibrary.dynamics.forces`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.acting import spring_tables
from groupkin.dynamics.acting.bushings import matrices
from groupkin.dynamics.acting.contacts import outlines
from groupkin.dynamics.acting.force_inputs import Code, inputs
from groupkin.dynamics.acting.loads import axes_of, components_of, freedom_of_load
from groupkin.dynamics.bodies.freedom_rows import freedom_rows
from groupkin.dynamics.bodies.masses import local_point
from groupkin.errors import ForceError, LawError
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.driver_values import IN_PYTHON
from groupkin.mechanism.forces.force_functions import Callback, callback
from groupkin.mechanism.forces.forces import (
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
    WithFunction,
)
from groupkin.mechanism.laws import Law
from sglibrary.dynamics import forces as kinds
from sglibrary.dynamics.forces import Forces, Functions, Laws

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


def coded_laws(given: Iterable[Law | None]) -> Laws:
    """Laws as numbers; of the kind OTHER where there is none.

    Raises
    ------
    LawError
        If a law is known to Python alone.
    """
    found, tables, size = [], [np.zeros(0)], 0
    for law in given:
        numbered = IN_PYTHON if law is None else law.coded
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


class Coded(NamedTuple):
    """A force as compiled code takes it.

    Attributes
    ----------
    rows : list of int
        Kind and rows.
    numbers : list of float
    curves : sequence of (int, array)
        Where among the numbers it is told where each begins.
    component : int
        Of what the function of the user gives; -1 where there is none.
    """

    rows: list[int]
    numbers: list[float]
    curves: Sequence[tuple[int, Array]] = ()
    component: int = -1


def coded_forces(program: Program, layout: Layout, numbers: Ints) -> tuple[Forces, tuple[Callback, ...]]:
    """Code all forces that do anything for the free coordinates.

    Parameters
    ----------
    program : Program
    layout : Layout
        Which is extended by the rows that they need.
    numbers : (d,) array of int
        Of every driver: which free coordinate it is, or -1.

    Returns
    -------
    Forces
    tuple of Callback
        The functions of the user among them.
    """
    found = [(each, load) for load in program.mechanism.forces for each in _coded(program, layout, load, numbers)]
    rows = np.array([(each.rows + [-1] * 8)[:8] for each, _ in found], np.int64).reshape(-1, 8)
    constants = np.array([(each.numbers + [0.0] * 14)[:14] for each, _ in found]).reshape(-1, 14)
    curves, begin = [np.zeros(0)], 0
    for k, (each, _) in enumerate(found):
        for place, curve in each.curves:
            constants[k, place] = begin
            curves.append(curve)
            begin += curve.size
    laws = coded_laws(_law_of(load) for _, load in found)
    own = {load.name: load for each, load in found if each.component >= 0}
    for k, (each, load) in enumerate(found):
        if each.component >= 0:
            laws.kinds[k], laws.numbers[k, :2] = kinds.CALLED, (list(own).index(load.name), each.component)
    functions, callbacks = _functions(program, layout, list(own.values()))
    return Forces(rows, constants, _unknown_turns(rows, constants), laws, np.concatenate(curves), functions), callbacks


def _unknown_turns(rows: Ints, numbers: Array) -> Ints:
    """List the springs along angles whose whole turns are not known."""
    angles = (rows[:, 0] == kinds.TURN) & (rows[:, 5] < 0)
    return np.flatnonzero(angles & ((numbers[:, 0] != 0.0) | (numbers[:, 11] > 0.0)))


def _functions(program: Program, layout: Layout, loads: list[Load]) -> tuple[Functions, tuple[Callback, ...]]:
    """Code the functions of the user, and what they are given."""
    callbacks, codes = list[Callback](), list[list[Code]]()
    for load in loads:
        assert isinstance(load, WithFunction)
        assert load.function is not None
        size = components_of(program.mechanism, load)
        callbacks.append(callback(load.name, load.function, load.compiled, size))
        codes.append([code for each in inputs(program, load) for code in each.coded(layout)])
    every = [code for of_function in codes for code in of_function]
    functions = Functions(
        np.array([each.address for each in callbacks], np.int64),
        np.array([each.size for each in callbacks], np.int64),
        np.concatenate([[0], np.cumsum([len(each) for each in codes])]).astype(np.int64),
        np.array([what for what, *_ in every], np.int64),
        np.array([(rows + [-1] * 8)[:8] for _, rows, _ in every], np.int64).reshape(-1, 8),
        np.array([(numbers + [0.0] * 14)[:14] for *_, numbers in every]).reshape(-1, 14),
    )
    return functions, tuple(callbacks)


def _law_of(load: Load) -> Law | None:
    law: Law | None = getattr(load, "law", None)
    return None if law is None else law.labeled(f"law of force {load.name!r}")


def _coded(program: Program, layout: Layout, load: Load, numbers: Ints) -> list[Coded]:
    if isinstance(load, Bushing):
        return _bushing(program, layout, load)
    if isinstance(load, Contact):
        return [_contact(program, layout, load)]
    if isinstance(load, Spring):
        return _spring(program, layout, load)
    if isinstance(load, InJoint):
        return _in_joint(program, layout, load, numbers)
    if isinstance(load, Friction):
        raise ForceError(
            f"force {load.name!r}: friction by what joint {load.joint!r} carries is not simulated, for it depends on "
            "accelerations; state a joint_friction of a known force, such as that which inverse_dynamics finds"
        )
    return [] if load.body == program.mechanism.frame else _on_body(program, layout, load)


def _law(load: Spring | JointSpring | JointForce | JointFriction, at: float = 0.0) -> tuple[list[float], Any]:
    """The numbers of a force along a coordinate, zeros for those of an angle, and tables; it is free `at` a value."""
    dry = [load.force, load.speed or SLOW] if isinstance(load, JointFriction) else [0.0, 1.0]
    if isinstance(load, JointForce):
        return [0.0, 0.0, -(1.0 if load.force is None else load.force), 0.0, *[0.0] * 4, *dry], ()
    if isinstance(load, JointFriction):
        return [0.0, load.damping, 0.0, 0.0, *[0.0] * 4, *dry], ()
    numbers, curves = [load.stiffness, load.damping, load.preload, at, *[0.0] * 4, *dry, *[0.0] * 4], []
    for place, table in ((10, load.table), (12, load.damping_table)):
        if table:
            pieces = spring_tables.curve(table)
            numbers[place + 1] = len(pieces.x) - 1
            curves.append((place, np.concatenate([pieces.x, pieces.c.T.ravel()])))
    return numbers, curves


def _spring(program: Program, layout: Layout, load: Spring) -> list[Coded]:
    ends = [local_point(program, body, point) for body, point in zip(load.between, load.points, strict=True)]
    length = float(np.linalg.norm(ends[1] - ends[0])) if load.length is None else load.length
    rows = [kinds.DISTANCE, *(layout.attach(body, end, True) for body, end in zip(load.between, ends, strict=True))]
    own = [Coded(rows, [0.0, 0.0, 1.0], component=0)] if load.function is not None else []
    return [Coded(rows, *_law(load, length)), *own]


def _in_joint(program: Program, layout: Layout, load: InJoint, numbers: Ints) -> list[Coded]:
    """A force along a freedom of a joint: of a driver along its coordinate, which does nothing if it has a law."""
    constants, curves = _law(load, load.position if isinstance(load, JointSpring) else 0.0)
    component = 0 if isinstance(load, JointForce) and load.function is not None else -1
    name, freedom = freedom_of_load(program.mechanism, load)
    for driven, i in zip(program.drivers, numbers, strict=True):
        if (driven.joint, driven.freedom) == (name, freedom):
            return [] if i < 0 else [Coded([kinds.FREE, int(i), driven.row], constants, curves, component)]
    kind, rows, of_angle = freedom_rows(program, name, freedom).coded(layout)
    constants[4:8] = (of_angle + [0.0] * 4)[:4]
    return [Coded([kind, *rows], constants, curves, component)]


def _on_body(program: Program, layout: Layout, load: Force | Torque) -> list[Coded]:
    """A force or torque on a body; of what a function gives each component along its axis."""
    d = program.mechanism.dimension
    given = load.force if isinstance(load, Force) else load.torque
    vectors = [np.atleast_1d(np.array(given, float))]
    if load.function is not None:
        vectors = list(np.eye(components_of(program.mechanism, load)))
    if isinstance(load, Torque):
        first, *more = [kinds.TORQUE, *program.poses[load.body].vectors]
    else:
        first, *more = kinds.FORCE, layout.attach(load.body, local_point(program, load.body, load.point), True)
    axes, found = axes_of(program, load), list[Coded]()
    for k, vector in enumerate(vectors):
        turning = axes is not None and vector.size > 1
        row = layout.attach(axes[0], axes[1] @ vector, False) if turning else layout.fix(np.resize(vector, d))  # type: ignore[index]
        rows = [first, row, *more] if isinstance(load, Torque) else [first, *more, row]
        found.append(Coded(rows, [], component=-1 if load.function is None else k))
    return found


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
        found.append(Coded([kinds.SLIDE, *ends, on(first, axis)], constants))
    for constants, axis in [*_principal(torsion, 0), *_principal(damped, 1)]:
        if d == 2:
            x, y = np.eye(2)
            rows = [on(first, y), on(second, x), on(first, x), on(second, x)]
            found.append(Coded([kinds.TURN, *rows], [*constants, 1.0, 1.0]))
        else:
            s, t = np.linalg.svd(axis[None])[2][1:]
            t = np.cross(axis, s)
            rows = [on(first, t), on(second, s), on(first, s), on(second, t)]
            found.append(Coded([kinds.SINE, *rows], constants))
    return found


def _principal(matrix: Array, place: int) -> list[tuple[list[float], Array]]:
    """Stiffness or damping, at its place among the numbers of a force, along each principal axis of a matrix."""
    if np.array_equal(matrix, np.diag(np.diag(matrix))):
        values, axes = np.diag(matrix), np.eye(len(matrix))
    else:
        values, axes = np.linalg.eigh(matrix)
    return [([float(x) * (k == place) for k in range(4)], axis) for x, axis in zip(values, axes.T, strict=True) if x]


def _contact(program: Program, layout: Layout, load: Contact) -> Coded:
    found = outlines(program, load)
    x, (first, second) = np.array([1.0, 0.0]), found.bodies
    rows = [
        layout.attach(second, found.point, True),
        layout.attach(second, x, False),
        layout.attach(first, np.zeros(2), True),
        layout.attach(first, x, False),
    ]
    friction = [load.coefficient, load.speed or SLOW]
    numbers = [load.stiffness, load.exponent, load.damping, load.radius, *friction, 0.0, -1.0]
    return Coded([kinds.CONTACT, *rows], numbers, list(zip((6, 7), found.curves, strict=False)))
