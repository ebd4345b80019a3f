"""Forces and torques along the freedoms of joints as formulas, and the forces of actuators that follow from them.

A torque about the axis of a hinge, or a force along a slide, of the first body on the second is one wrench W, and the
rate of the freedom is W · (t₂ - t₁) with the twists t of the bodies. Carried back to the drivers, unit wrenches of
actuated freedoms give the rows of the matrix A in θ' = A z', and forces f of as many actuators as drivers do what
forces τ of the drivers do where Aᵀ f = τ.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from groupkin.dynamics.bodies.joint_freedoms import ONE_AXIS
from groupkin.dynamics.reactions.carried_loads import LAST, BodyLoads, Carried, Parts
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.formulas import Formulas
from groupkin.kinematics.rates.freedoms import Line
from groupkin.kinematics.rates.vectors import Screw, Vectors
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model import trees
from sglibrary.array_types import Array
from sglibrary.code.graph import Expr, Graph, inverse, select, size
from sglibrary.code.systems import factored, solved

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


def wrench_of(vectors: Vectors, freedom: Freedom) -> tuple[Screw, float]:
    """Return the unit wrench of a freedom on the second body of its joint.

    Returns
    -------
    Screw
        Torque about the center of twists, and force.
    float
        Factor by which its power with twists becomes the rate of the freedom: lengths have a unit there.
    """
    program, d = vectors.program, vectors.dimension
    joint = program.mechanism.joint[freedom[0]]
    stated, move = program.geometry.joints[joint.name], program.mechanism.form(joint).moves[freedom[1]]
    body = joint.bodies[0]
    if move.rotation and d == 2:
        return {0: vectors.one}, 1.0
    axis = vectors.vector(Line(body, trees.padded(stated.frames[0][:, move.axis])), False)
    if move.rotation:
        return dict(enumerate(axis)), 1.0
    return vectors.along(vectors.arm(Line(body, trees.padded(stated.points[0]))), axis), vectors.length


def loads_along(formulas: Formulas, freedom: Freedom, amount: Expr) -> BodyLoads:
    """Return the loads of a force along a freedom: on the second body of the joint, its opposite on the first."""
    program, vectors = formulas.program, formulas.vectors
    wrench, factor = wrench_of(vectors, freedom)
    found = {}
    for body, sign in zip(program.mechanism.joint[freedom[0]].bodies, (-factor, factor), strict=True):
        twist = formulas.twist(body)
        found[body] = [(twist[i], vectors.sum([(x, amount, sign)])) for i, x in wrench.items() if i in twist]
    return found


def put_out_actuators(back: Carried, parts: Parts, actuators: tuple[Freedom, ...]) -> Expr:
    """Add the outputs for the forces of actuators, as many as drivers, from carried loads.

    Returns
    -------
    Expr
        The ratio of the smallest pivot of A to the largest, or to the rate of an actuator that moves as its driver does
        if that is more, squared.
    """
    formulas, graph = back.formulas, back.formulas.vectors.graph
    rates = []
    for freedom in actuators:
        loads = loads_along(formulas, freedom, formulas.vectors.one)
        rates.append(back.at_last(back.carry(loads), formulas.drivers))
    driving = back.at_last(parts, formulas.drivers)
    table = [[*(of_actuator[k] for of_actuator in rates), x] for k, x in enumerate(driving)]
    forces, ratio = eliminated(graph, table, float(units(formulas.program, actuators).min()))
    for force in forces:
        back.put_out([(force, graph.number(1.0), -1.0)], LAST)
    return ratio


def units(program: Program, freedoms: Iterable[Freedom]) -> Array:
    """Rates (actuators, drivers) of freedoms that move as the drivers do, by 1 rad or the size of the mechanism."""
    mechanism, size = program.mechanism, program.geometry.size
    own = [1.0 if mechanism.freedoms(mechanism.joint[joint])[k].rotation else size for joint, k in freedoms]
    return np.array(own)[:, None] / program.units


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
    pivots = factored([row[:-1] for row in table])
    found, shares = solved(pivots, [row[-1] for row in table]), [pivot.inverse for pivot in pivots]
    small, large = graph.number(1.0 / scale), shares[0]  # of the reciprocals
    for share in shares:
        small, large = _larger(share, small, small, share), _larger(share, large, share, large)
    ratio = small * inverse(large)
    return found, ratio * ratio


def _larger(x: Expr, y: Expr, first: Expr, second: Expr) -> Expr:
    """The first of two expressions where x is larger in size than y, else the second."""
    return select(size(y), size(x), second, first)
