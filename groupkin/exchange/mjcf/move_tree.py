"""A mechanism as a tree of single moves, in global coordinates of its reference configuration, and what closes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from groupkin.errors import ModelError
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import reference_coordinates, relation
from groupkin.model.geometry.frames import turn
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.trees import padded, upright
from sglibrary.array_types import Array


@dataclass(frozen=True, eq=False)
class SingleMove:
    """A rotation about, or a displacement along, an axis.

    Attributes
    ----------
    name : str
        Of the joint, with that of the move where the joint has several.
    joint : str
    number : int
        Of the move in the form of the joint.
    kind : str
        "hinge", "slide", or "ball" of three rotations at once.
    point, axis : (3,) array
        In the reference configuration, m; seen from the body that is nearer to the frame.
    value : float
        There, m or rad.
    """

    name: str
    joint: str
    number: int
    kind: str
    point: Array
    axis: Array
    value: float


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear equation between two moves: the second changes by `ratio` times the change of the first."""

    name: str
    first: str
    second: str
    ratio: float


@dataclass(eq=False)
class MoveTree:
    """The tree.

    Attributes
    ----------
    parents : dict of str to str
        The body nearer to the frame, of every body but the frame, in an order in which parents come first.
    moves : dict of str to list of SingleMove
        From the parent to the body.
    loops : list of Joint
        Joints that close loops.
    linear : list of Linear
        Between moves of the same joint, of screws and wheels.
    """

    parents: dict[str, str] = field(default_factory=dict)
    moves: dict[str, list[SingleMove]] = field(default_factory=dict)
    loops: list[Joint] = field(default_factory=list)
    linear: list[Linear] = field(default_factory=list)


def move_tree(mechanism: Mechanism, geometry: Geometry) -> MoveTree:
    """Lay a tree over all bodies, through joints with few moves first, and list the joints that are left.

    Raises
    ------
    ModelError
        If a body is not connected, or by a cam alone.
    """
    tree, reached = MoveTree(), {mechanism.frame}
    wanted = list(mechanism.joints)
    while len(reached) < len(mechanism.body):
        ready = [
            (len(mechanism.form(joint).moves), number, side)
            for number, joint in enumerate(wanted)
            for side in (0, 1)
            if joint.bodies[side] in reached and joint.bodies[1 - side] not in reached
        ]
        if not ready:
            body = next(name for name in mechanism.movable if name not in reached)
            raise ModelError(f"body {body!r} is connected with the frame by no joint: join it, or leave it out")
        _, number, side = min(ready)
        joint = wanted.pop(number)
        parent, body = joint.bodies[side], joint.bodies[1 - side]
        reached.add(body)
        tree.parents[body] = parent
        tree.moves[body] = moves_of(mechanism, geometry, joint, side, tree.linear)
    tree.loops = wanted
    return tree


def moves_of(
    mechanism: Mechanism, geometry: Geometry, joint: Joint, side: int, linear: list[Linear]
) -> list[SingleMove]:
    """List the moves of a joint from its body on a side to the other, and append the relation between two of them.

    Raises
    ------
    ModelError
        If it is a cam.
    """
    form, stated = mechanism.form(joint), geometry.joints[joint.name]
    if form.curved:
        raise ModelError(f"joint {joint.name!r} (L): MJCF has no cams; replace it, or leave it out")
    values = reference_coordinates(form, stated)
    at, frame = padded(stated.points)[0], upright(stated.frames)[0]
    sign = 1.0 if side == 0 else -1.0
    whole = _as_ball(mechanism, joint, form)
    moves = list[SingleMove]()
    for k, (move, value) in enumerate(zip(form.moves, values.tolist(), strict=True)):
        if k == form.bend and stated.bend is not None:
            frame = frame @ stated.bend
        axis = frame[:, move.axis]
        if k in whole[:1]:
            moves.append(SingleMove(_name(joint, form, None), joint.name, k, "ball", at, axis, 0.0))
        elif k != form.held and k not in whole:
            kind = "hinge" if move.rotation else "slide"
            moves.append(SingleMove(_name(joint, form, k), joint.name, k, kind, at, sign * axis, value))
        if move.rotation:
            frame = frame @ turn(move.axis, value)
        else:
            at = at + axis * value
    if form.coupled is not None:
        (first, second), (one, other) = form.coupled, relation(form, stated)[0].tolist()
        name = f"{joint.name} {'rolls' if form.geared else 'runs'}"
        linear.append(Linear(name, _name(joint, form, first), _name(joint, form, second), -one / other))
    return moves if side == 0 else moves[::-1]


def _name(joint: Joint, form: Form, k: int | None) -> str:
    """Name a move of a joint, or the three last of it at once."""
    if k is None:
        return joint.name if len(form.moves) == 3 else f"{joint.name}.ball"
    return (
        joint.name
        if len(form.freedoms) == 1 and form.moves[k] in form.freedoms
        else f"{joint.name}.{form.moves[k].name}"
    )


def _as_ball(mechanism: Mechanism, joint: Joint, form: Form) -> Sequence[int]:
    """Numbers of the three rotations of a joint that are one, as none of them is driven, led or measured."""
    last = list(range(len(form.moves) - 3, len(form.moves)))
    measured = {each.name for of in mechanism.relations.values() for each in of.coordinates}
    named = {form.places[k] for k in mechanism.driven.get(joint.name, ())}
    named |= {form.places[k] for name, k in measured if name == joint.name}
    return last if form.ball and not named & set(last) and not set(form.coupled or ()) & set(last) else []
