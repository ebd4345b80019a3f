"""The rates of joints with one move, as registers of the map of rates: of the two bodies, or of points they share.

A slide whose line passes through two points that other joints hold at bodies solved earlier, as the legs of platforms
have it, is as fast as these points move apart. So the group of the slide itself is not needed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.freedoms import ALIKE, Line
from groupkin.kinematics.rates.sheet_builder import Builder, Term
from groupkin.kinematics.rates.tables import Twists
from groupkin.mechanism.parts import Joint
from groupkin.model.trees import padded

Array = NDArray[np.float64]


def one_move(b: Builder, twists: Twists, joint: Joint) -> int:
    """Return the register of the rate of a joint with one move, rad/s or m/s."""
    (move,), geometry, d = b.program.mechanism.form(joint).moves, b.program.geometry.joints[joint.name], b.dimension
    first, terms, spins = joint.bodies[0], list[Term](), b.components - d
    if move.rotation and d == 2:
        ends = [(sign, body, [(0, b.one)]) for sign, body in zip((-1.0, 1.0), joint.bodies, strict=True)]
    else:
        direction = padded(geometry.frames[0][:, move.axis])
        u = b.vector(Line(first, direction), False)
        along = [((0 if move.rotation else spins) + i, u + i) for i in range(d)]
        ends = [(sign, body, along) for sign, body in zip((-1.0, 1.0), joint.bodies, strict=True)]
        points = None if move.rotation else [_held_point(b.program, joint, body) for body in joint.bodies]
        if points is not None and [body for body, _ in points] != list(joint.bodies):
            ends = [
                (sign, body, along + _moment(b, Line(body, point), u))
                for sign, (body, point) in zip((-1.0, 1.0), points, strict=True)
            ]
    for sign, body, parts in ends:
        scale = sign if move.rotation else sign * b.size
        terms += [(row, twists[body][i], scale) for i, row in parts if i in twists[body]]
    return b.register(terms) if terms else -1


def _moment(b: Builder, point: Line, u: int) -> list[tuple[int, int]]:
    """Components of a twist, and rows, whose products are the part of a point's velocity along u by the spin."""
    arm = b.arm(point)
    if b.dimension == 3:
        moment = b.cross(arm, u)
        return [(i, moment + i) for i in range(3)]
    return [(0, b.moment(arm, u))]


def _held_point(program: Program, joint: Joint, body: str) -> tuple[str, Array]:
    """Find the earliest body that has a point (3,), m, on the line of a slide together with one of its bodies."""
    geometry = program.geometry
    slide, side = geometry.joints[joint.name], joint.bodies.index(body)
    start = padded(slide.points[side])
    direction = padded(slide.frames[side][:, program.mechanism.form(joint).moves[0].axis])
    found = [(_number(program, body), body, start)]
    for other, point in _shared_points(program, body):
        away = np.cross(padded(point) - start, direction)
        if np.linalg.norm(away) <= ALIKE * geometry.size:
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
