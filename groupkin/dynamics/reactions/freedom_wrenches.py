"""Forces and torques along the freedoms of joints as formulas, and the forces of actuators that follow from them.

A torque about the axis of a hinge, or a force along a slide, of the first body on the second is one wrench W, and the
rate of the freedom is W · (t₂ - t₁) with the twists t of the bodies. Carried back to the drivers, unit wrenches of
actuated freedoms give the rows of the matrix A in θ' = A z', and forces f of as many actuators as drivers do what
forces τ of the drivers do where Aᵀ f = τ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.bodies.joint_freedoms import ONE_AXIS
from groupkin.dynamics.reactions.carried import LAST, Carried
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.freedoms import Line
from groupkin.kinematics.rates.sheet_builder import Builder, Vector
from groupkin.kinematics.rates.tables import Twists
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model import trees
from sglibrary.code.graph import Expr, Graph, inverse, select, size, total

Freedom = tuple[str, int]
"""Joint, and number of its freedom."""

WRITTEN_OUT = 6
"""Actuators up to which their forces are solved for in formulas."""


def about_one_axis(mechanism: Mechanism, freedom: Freedom) -> bool:
    """Whether a freedom has a wrench as a formula."""
    return mechanism.joint[freedom[0]].type in ONE_AXIS


def have_formulas(program: Program, actuators: tuple[Freedom, ...]) -> bool:
    """Whether the forces of actuators can be formulas."""
    as_many = len(actuators) == len(program.drivers) <= WRITTEN_OUT
    return as_many and all(about_one_axis(program.mechanism, freedom) for freedom in actuators)


def wrench_of(b: Builder, freedom: Freedom) -> tuple[Vector, float]:
    """Make rows for the unit wrench of a freedom on the second body of its joint.

    Returns
    -------
    Vector
        Torque about the center of twists, and force.
    float
        Factor by which its power with twists becomes the rate of the freedom: lengths have a unit there.
    """
    joint, program, d = b.program.mechanism.joint[freedom[0]], b.program, b.dimension
    stated, move = program.geometry.joints[joint.name], program.mechanism.form(joint).moves[freedom[1]]
    body = joint.bodies[0]
    if move.rotation and d == 2:
        return ((0, b.one),), 1.0
    axis = b.vector(Line(body, trees.padded(stated.frames[0][:, move.axis])), False)
    if move.rotation:
        return tuple((i, axis + i) for i in range(3)), 1.0
    arm = b.arm(Line(body, trees.padded(stated.points[0])))
    if d == 2:
        return ((0, b.moment(arm, axis)), (1, axis), (2, axis + 1)), b.length
    moment = b.cross(arm, axis)
    return tuple((i, moment + i) for i in range(3)) + tuple((3 + i, axis + i) for i in range(3)), b.length


def use_wrench(back: Carried, twists: Twists, freedom: Freedom, amount: Expr) -> None:
    """Say that a force, a value, acts along a freedom: on the second body of the joint, its opposite on the first."""
    program = back.sheet.b.program
    wrench, factor = wrench_of(back.sheet.b, freedom)
    for body, sign in zip(program.mechanism.joint[freedom[0]].bodies, (-factor, factor), strict=True):
        for i, row in wrench if body != program.mechanism.frame else ():
            back.use(twists[body].get(i, -1), (back.sheet.value(row), amount, sign), group_of(program, body))


def group_of(program: Program, body: str) -> int:
    """Find the number of the group of a movable body."""
    return next(k for k, group in enumerate(program.structure.groups) if body in group.bodies)


def put_out_actuators(back: Carried, twists: Twists, actuators: tuple[Freedom, ...]) -> Expr:
    """Add the outputs for the forces of actuators, as many as drivers, from carried loads.

    Returns
    -------
    int
        The value of the ratio of the smallest pivot of A to the largest, or to the rate of an actuator that moves as
        its driver does if that is more, squared.
    """
    graph, count = back.sheet.graph, len(actuators)
    rates = []
    for freedom in actuators:
        # what no load needs has no values yet, and what is stored has its row for all
        each = replace(back, groups=list(back.groups), outputs=[])
        use_wrench(each, twists, freedom, graph.number(1.0))
        each.carry()
        rates.append(each.at_last(range(count)))
    driving = back.at_last(range(count))
    table = [[*(rates[a][k] for a in range(count)), driving[k]] for k in range(count)]
    forces, ratio = eliminated(graph, table, float(units(back.sheet.b.program, actuators).min()))
    for force in forces:
        back.put_out([(force, graph.number(1.0), -1.0)], LAST)
    return ratio


def units(program: Program, freedoms: Iterable[Freedom]) -> NDArray[np.float64]:
    """Rates (actuators, drivers) of freedoms that move as the drivers do, by 1 rad or the size of the mechanism."""
    mechanism, size = program.mechanism, program.geometry.size
    own = [1.0 if mechanism.freedoms(mechanism.joint[joint])[k].rotation else size for joint, k in freedoms]
    drivers = [1.0 if driven.rotation else size for driven in program.drivers]
    return np.array(own)[:, None] / np.array(drivers)


def eliminated(graph: Graph, table: list[list[Expr]], scale: float) -> tuple[list[Expr], Expr]:
    """Solve linear equations by elimination with row pivots: rows of a matrix, each with its right side at its end.

    `scale` is a pivot that is not small, whatever the others are.

    Returns
    -------
    list of Expr
        The solution.
    Expr
        The ratio of the smallest pivot to the largest, or to the scale if that is more, squared.
    """
    one, rows, count = graph.number(1.0), [list(row) for row in table], len(table)
    shares = []
    for k in range(count):
        for i in range(k + 1, count):
            pairs = list(zip(rows[i], rows[k], strict=True))
            larger = partial(_larger, rows[i][k], rows[k][k])
            rows[k] = [larger(*pair) for pair in pairs]
            rows[i] = [larger(second, first) for first, second in pairs]
        shares.append(inverse(rows[k][k]))
        for i in range(k + 1, count):
            share = rows[i][k] * shares[k]
            for c in range(k + 1, count + 1):
                rows[i][c] = total(graph, [(rows[i][c], one, 1.0), (share, rows[k][c], -1.0)])
    found = [graph.number(0.0)] * count
    for k in reversed(range(count)):
        rest = [(rows[k][c], found[c], -1.0) for c in range(k + 1, count)]
        found[k] = total(graph, [(rows[k][count], one, 1.0), *rest]) * shares[k]
    small, large = graph.number(1.0 / scale), shares[0]  # of the reciprocals
    for share in shares:
        small, large = _larger(share, small, small, share), _larger(share, large, share, large)
    ratio = small * inverse(large)
    return found, ratio * ratio


def _larger(x: Expr, y: Expr, first: Expr, second: Expr) -> Expr:
    """The first of two expressions where x is larger in size than y, else the second."""
    return select(size(y), size(x), second, first)
