"""The rates of joints with one move, as expressions: of the two bodies, or of points they share.

A slide whose line passes through two points that other joints hold at bodies solved earlier, as the legs of platforms
have it, is as fast as these points move apart. So the group of the slide itself is not needed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.formulas import Formulas
from groupkin.kinematics.rates.freedoms import Line
from groupkin.kinematics.rates.vectors import Screw, Term
from groupkin.mechanism.parts import Joint
from groupkin.model.trees import padded
from groupkin.tolerances import SAME_LINE
from sglibrary.code.graph import Expr

Array = NDArray[np.float64]


def one_move(formulas: Formulas, joint: Joint) -> Expr:
    """Return the rate of a joint with one move, rad/s or m/s."""
    program, vectors = formulas.program, formulas.vectors
    (move,), geometry, d = program.mechanism.form(joint).moves, program.geometry.joints[joint.name], vectors.dimension
    first, spins = joint.bodies[0], vectors.components - d
    wrenches: list[Screw] = [{0: vectors.one}] * 2
    bodies = list(joint.bodies)
    if not (move.rotation and d == 2):
        u = vectors.vector(Line(first, padded(geometry.frames[0][:, move.axis])), False)
        wrenches = [dict(enumerate(u, 0 if move.rotation else spins))] * 2
        points = [] if move.rotation else [_held_point(program, joint, body) for body in joint.bodies]
        if points and [body for body, _ in points] != bodies:
            bodies = [body for body, _ in points]
            wrenches = [vectors.along(vectors.arm(Line(body, point)), u) for body, point in points]
    terms: list[Term] = []
    for sign, body, wrench in zip((-1.0, 1.0), bodies, wrenches, strict=True):
        twist, scale = formulas.twist(body), sign if move.rotation else sign * vectors.length
        terms += [(x, twist[i], scale) for i, x in wrench.items() if i in twist]
    return vectors.sum(terms)


def _held_point(program: Program, joint: Joint, body: str) -> tuple[str, Array]:
    """Find the earliest body that has a point (3,), m, on the line of a slide together with one of its bodies."""
    geometry = program.geometry
    slide, side = geometry.joints[joint.name], joint.bodies.index(body)
    start = padded(slide.points[side])
    direction = padded(slide.frames[side][:, program.mechanism.form(joint).moves[0].axis])
    found = [(_number(program, body), body, start)]
    for other, point in _shared_points(program, body):
        away = np.cross(padded(point) - start, direction)
        if np.linalg.norm(away) <= SAME_LINE * geometry.size:
            found.append((_number(program, other), other, padded(point)))
    _, held, point = min(found, key=lambda each: each[0])
    return held, point


def _number(program: Program, body: str) -> int:
    """Return the number of the group of a body, 0 of the frame."""
    return 0 if body == program.mechanism.frame else program.structure.group_of[body].number


def _shared_points(program: Program, body: str) -> Iterator[tuple[str, Array]]:
    """List the points (d,), m, that joints hold together on a body and on another one, with that one."""
    for joint in program.mechanism.joints:
        form, (first, second) = program.mechanism.form(joint), program.geometry.joints[joint.name].points
        together = np.array_equal(first, second) and all(move.rotation for move in form.moves) and not form.curved
        if together and form.coupled is None and body in joint.bodies:
            yield joint.bodies[1 - joint.bodies.index(body)], first
