"""Couplings in the tree of a group: moves that measure their coordinates, and their equations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from groupkin.errors import CouplingError
from groupkin.mechanism.couplings.relations import Relation
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.joint_moves import lay
from groupkin.model.trees import Equation, Move, Seat, Tree, padded, upright
from sglibrary.iterative import kinds

ACROSS = ((1, 2), (2, 0), (0, 1))
"""For a rotation about x, y or z an axis before it and one after it, which are perpendicular where it has its value."""


def measure(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: Geometry, used: set[int]) -> None:
    """Append the moves of a joint that holds nothing in a group, and equations that lead them to its second body.

    Parameters
    ----------
    tree : Tree
    mechanism : Mechanism
    joint : Joint
        Between bodies that have their places in the tree.
    geometry : Geometry
    used : set of int
        Numbers of the freedoms that are needed; those of a free pair are measured one by one.

    Raises
    ------
    CouplingError
        If the joint has two rotations, whose values do not follow from axes alone, or is a cam, whose contact does not.
    """
    form, stated = mechanism.form(joint), geometry.joints[joint.name]
    frames, points = upright(stated.frames), padded(stated.points)
    other, axes = tree.seats[joint.bodies[1]], frames[..., 1, :, :]
    if joint.name not in mechanism.joint:
        start, values = tree.seats[joint.bodies[0]], reference_coordinates(form, stated)
        place = start.directions(frames[..., 0, :, :]), start.place(points[..., 0, :])
        for k in sorted(used):
            kind = kinds.ROTATION if form.moves[k].rotation else kinds.TRANSLATION
            tree.moves.append(
                Move(start.frame, kind, form.moves[k].axis, *place, None, 1.0, (values[k],), joint.name, k)
            )
            _lead(tree, tree.moves[-1], Seat(_last(tree), axes, points[..., 1, :]), other)
        return
    if sum(move.rotation for move in form.moves) == 2:
        raise CouplingError(
            f"joint {joint.name!r} ({joint.type}) is in another group than the coupling that takes one of its two "
            "rotations, which cannot be told from there; take coordinates of other joints"
        )
    undriven = used - set(mechanism.driven.get(joint.name, ()))
    if form.curved and undriven:
        raise CouplingError(
            f"joint {joint.name!r} ({joint.type}) is in another group than the coupling that takes its "
            f"{form.freedoms[min(undriven)].name}, which cannot be told from there; take coordinates of other joints, "
            "or positions of points"
        )
    first = len(tree.moves)
    seat = lay(tree, mechanism, joint, geometry, 0, True)
    tree.welds[seat.frame] = seat
    for move in tree.moves[first:]:
        if move.driven is None and (form.coupled is None or move.number != form.coupled[1]):
            _lead(tree, move, seat, other)


def _last(tree: Tree) -> int:
    return len(tree.solved) + len(tree.moves) - 1


def _lead(tree: Tree, move: Move, seat: Seat, other: Seat) -> None:
    """Append the equation that a move leads to where a body is: along its axis, or about it."""
    axes, point = seat.turn, seat.point
    own, at = seat.directions(axes), other.directions(axes)
    if move.kind == kinds.TRANSLATION:
        rows = (own[..., move.axis], other.place(point), seat.place(point))
        kind = kinds.OFFSET
    else:
        before, after = ACROSS[move.axis]
        rows, kind = (own[..., before], at[..., after], np.zeros(3)), kinds.DOT
    vectors = np.stack(np.broadcast_arrays(*rows), axis=-2)
    tree.equations.append(Equation(kind, seat.frame, other.frame, vectors))


def couple(tree: Tree, relation: Relation) -> None:
    """Append the equation of a coupling, whose coordinates are moves of the tree."""
    moves = {(move.joint, move.number): m for m, move in enumerate(tree.moves)}
    chosen = tuple(moves[each.joint.name, each.move] for each in relation.coordinates)
    equation = Equation(kinds.FORMULA, -1, -1, np.zeros((3, 3)), relation=relation, moves=chosen)
    tree.equations.append(replace(equation, value=relation.kept(coordinates_of(tree, equation))))


def coordinates_of(tree: Tree, equation: Equation) -> list[np.ndarray]:
    """Return the values of the coordinates of a coupling in the reference configuration, m and rad."""
    assert equation.relation is not None
    pairs = zip(equation.moves, equation.relation.coordinates, strict=True)
    return [tree.moves[m].sign * np.asarray(tree.moves[m].start[0]) + each.offset for m, each in pairs]
