"""The moves of a joint in a tree: its rotations and displacements one after another, and what is fixed between."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import reference_coordinates, relation
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.trees import Equation, Move, Number, Seat, Tree, padded, turned, upright
from sglibrary.array_types import Array
from sglibrary.iterative import kinds
from sglibrary.traced import fixed_numbers

FIXED = -1


@dataclass(frozen=True)
class _JointMove:
    """A move of a joint (its kind, axis, number in the form and reference value), or a fixed turn and shift."""

    kind: int
    axis: int = 0
    number: int = -1
    value: tuple[Number, ...] = ()
    turn: Array = field(default_factory=lambda: np.eye(3))
    shift: Array = field(default_factory=lambda: np.zeros(3))

    def reversed(self) -> _JointMove:
        back = self.turn.swapaxes(-1, -2)
        ball = self.kind == kinds.BALL
        value = (self.value[0], *(-x for x in self.value[1:])) if ball else tuple(-x for x in self.value)
        return _JointMove(self.kind, self.axis, self.number, value, back, -turned(back, self.shift))


def lay(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: Geometry, side: int, apart: bool = False) -> Seat:
    """Append the moves of a joint, from its body on `side` to the other; return where the other is then.

    Three rotations about one point are one move, unless they are to be `apart`.
    """
    start, stated, form = tree.seats[joint.bodies[side]], geometry.joints[joint.name], mechanism.form(joint)
    frames, points = upright(stated.frames), padded(stated.points)
    driven = {form.places[index]: index for index in mechanism.driven.get(joint.name, ())}
    moves = _joint_moves(form, stated, set(driven), apart)
    sign = 1.0
    if side == 1:
        moves, sign = [move.reversed() for move in moves[::-1]], -1.0
    fixed_turn, fixed_shift = start.directions(frames[..., side, :, :]), start.place(points[..., side, :])
    frame, laid = start.frame, {}
    for move in moves:
        if move.kind == FIXED:
            fixed_turn, fixed_shift = fixed_turn @ move.turn, fixed_shift + turned(fixed_turn, move.shift)
            continue
        name = (joint.name, driven[move.number]) if move.number in driven else None
        laid[move.number] = len(tree.moves)
        # a ball's quaternion is its own inverse rotation already; it has no driver that a sign would belong to
        of = (joint.name, move.number)
        tree.moves.append(Move(frame, move.kind, move.axis, fixed_turn, fixed_shift, name, sign, move.value, *of))
        frame = len(tree.solved) + len(tree.moves) - 1
        fixed_turn, fixed_shift = np.eye(3), np.zeros(3)
    if form.coupled is not None:
        coupled = laid[form.coupled[0]], laid[form.coupled[1]]
        _relate(tree, form, stated, moves=coupled, sign=sign, size=geometry.size)
    return Seat(frame, frames[..., 1 - side, :, :], points[..., 1 - side, :])


def _relate(tree: Tree, form: Form, stated: JointGeometry, *, moves: tuple[int, int], sign: float, size: float) -> None:
    """Append the relation between the coupled moves of a joint, lengths relative to the size (m)."""
    assert form.coupled is not None
    coefficients, value = relation(form, stated)
    unit = 1.0 if all(form.moves[k].rotation for k in form.coupled) else size
    vectors = np.zeros_like(coefficients, shape=(*coefficients.shape[:-1], 3, 3))
    vectors[..., 0, :2] = sign * coefficients / unit
    tree.equations.append(Equation(kinds.LINEAR, moves[0], moves[1], vectors, value / unit))


def _joint_moves(form: Form, geometry: JointGeometry, driven: set[int], apart: bool) -> list[_JointMove]:
    """List the moves of a joint with its fixed turns and shifts; three free rotations make a ball if not `apart`."""
    values = reference_coordinates(form, geometry)
    last = set(range(len(form.moves) - 3, len(form.moves)))
    ball = form.ball and not apart and not last & (driven | set(form.coupled or ()))
    moves: list[_JointMove] = []
    for k, move in enumerate(form.moves):
        if k == form.bend:
            assert geometry.bend is not None
            moves.append(_JointMove(FIXED, turn=geometry.bend))
        if k == form.held:
            moves.append(_JointMove(FIXED, shift=values[k, ..., None] * np.eye(3)[move.axis]))
        elif not (ball and k in last):
            kind = (kinds.MIDDLE if move.middle else kinds.ROTATION) if move.rotation else kinds.TRANSLATION
            moves.append(_JointMove(kind, move.axis, k, (values[k],)))
    if ball:
        from scipy.spatial.transform import Rotation

        about_x, about_y, about_z = fixed_numbers(values[-3:])
        rotation = Rotation.from_matrix(turn(0, about_x) @ turn(1, about_y) @ turn(2, about_z))
        x, y, z, w = np.moveaxis(rotation.as_quat(), -1, 0)
        moves.append(_JointMove(kinds.BALL, 0, min(last), (w, x, y, z)))
    return moves
