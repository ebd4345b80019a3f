"""Twists of the moves of a tree, and wrenches of the equations that close it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.rates.freedoms import Frames, Freedom, Line
from groupkin.kinematics.rates.vectors import CONTACT, Screw, Vectors
from groupkin.model import trees
from groupkin.model.trees import Equation
from sglibrary.iterative import kinds

Array = NDArray[np.float64]


def twists_of(vectors: Vectors, move: trees.Move, freedom: Freedom) -> list[Screw]:
    """Return the twists of the freedoms of a move: one, or of a ball three."""
    d = vectors.dimension
    if freedom.computed:
        rows = vectors.compute(move.joint, move.number, move.kind)
        return [dict(enumerate(rows[k : k + vectors.components])) for k in range(0, len(rows), vectors.components)]
    if move.kind == kinds.TRANSLATION:
        assert freedom.axis is not None
        return [dict(enumerate(vectors.axis(freedom.axis), vectors.components - d))]
    assert freedom.point is not None
    arm = vectors.arm(freedom.point)
    if move.kind == kinds.BALL or d == 2:
        return [vectors.about_global(arm, k) for k in range(3 if d == 3 else 1)]
    assert freedom.axis is not None
    return [vectors.about(arm, vectors.axis(freedom.axis))]


def wrenches_of(vectors: Vectors, equation: Equation, frames: Frames) -> list[Screw]:
    """Return the wrenches of the scalar equations of an equation, from its second frame on the first or opposite."""
    d, tree = vectors.dimension, frames.tree
    sides = [frames.bodies.get(frame) for frame in (equation.first, equation.second)]
    if sides[0] is None and equation.kind == kinds.OFFSET:
        move = tree.moves[equation.first - len(tree.solved)]
        if move.kind == kinds.TRANSLATION:  # its frame turns with what is before
            sides[0] = frames.bodies.get(move.frame)
    placed = [frames.placed[frame] for frame in (equation.first, equation.second)]

    def line(side: int, vector: Array, point: bool) -> Line | None:
        axes, origin = placed[side]
        body = sides[side] or sides[1 - side]
        if body is None:
            return None
        seats = frames.seats((equation.first, equation.second)[side], body) if sides[side] is None else tree.seats
        return frames.carried(Line(body, axes @ vector + (origin if point else 0.0)), seats, point)

    u, w, _ = equation.vectors
    if equation.kind == kinds.COINCIDE:
        point = line(1, w, True) if sides[1] is not None else line(0, u, True)
        if point is None:  # the contact of two curves
            move = tree.moves[equation.first - len(tree.solved)]
            arm = vectors.arm_of(vectors.compute(move.joint, move.number, CONTACT)[:d])
        else:
            arm = vectors.arm(point)
        return [vectors.force(arm, k) for k in range(d)]
    if equation.kind == kinds.DOT and d == 2:
        return [{0: vectors.one}]
    first, second = line(0, u, equation.kind == kinds.DISTANCE), line(1, w, equation.kind != kinds.DOT)
    assert first is not None
    assert second is not None
    if equation.kind == kinds.DOT:
        return [dict(enumerate(vectors.cross(vectors.vector(first, False), vectors.vector(second, False))))]
    if equation.kind == kinds.DISTANCE:
        ends = zip(*(vectors.vector(each, True) for each in (first, second)), strict=True)
        force = vectors.unit([vectors.sum([(y, vectors.one, 1.0), (x, vectors.one, -1.0)]) for x, y in ends])
    else:
        force = vectors.vector(first, False)
    return [vectors.along(vectors.arm(second), force)]
