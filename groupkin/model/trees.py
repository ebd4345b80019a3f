"""Trees and cuts of a group: its joint variables, and the equations of the joints that close its loops.

A minimum spanning tree of the joints (weight: undriven moves) connects the bodies to solved ones; the other joints are
cut and give equations. All vectors are kept in the frames of the tree's moves; see `sglibrary.iterative.newton_tables`
for how the tables are solved. A cut joint that is driven, or has no products of its own, is modeled by moves to a
phantom frame that is welded on. Trees of variants have the same moves and equations; their numbers have leading axes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.cam_contact import Flank
from groupkin.model.geometry.coordinates import reference_coordinates, relation
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import Group
from sglibrary.iterative.kinds import (
    BALL,
    COINCIDE,
    CURVE,
    DISTANCE,
    DOT,
    LINEAR,
    MIDDLE,
    OFFSET,
    ROTATION,
    TRANSLATION,
)

Array = NDArray[np.float64]
Number = Any
"""A float, or of variants an array of them."""

FIXED = -1
LOOSE = "floating"
"""In the place of a joint's name: a body that floats, since none of its joints can be laid."""


@dataclass(frozen=True)
class Move:
    """One step of the tree: a turn and a shift (fixed), then a rotation, displacement or free rotation.

    `driven` names joint and freedom of a prescribed move; `start` is its value in the reference configuration (a unit
    quaternion for a ball); `sign` is -1 where the tree runs from the joint's second body to its first. The axis of a
    move along a curve is the number of its curve among those of the tree.
    """

    frame: int
    kind: int
    axis: int
    turn: Array
    shift: Array
    driven: tuple[str, int] | None
    sign: float
    start: tuple[Number, ...]


@dataclass(frozen=True)
class Equation:
    """A product of two vectors fixed in frames; for `vectors` (3, 3) and `value` see `sglibrary.iterative.equations`.

    `first` and `second` are frames, those of a linear relation numbers of moves.
    """

    kind: int
    first: int
    second: int
    vectors: Array
    value: Number = 0.0


@dataclass(frozen=True)
class Seat:
    """Where a body's coordinates are in a frame: frame coordinates are turnᵀ (X - point)."""

    frame: int
    turn: Array
    point: Array

    def directions(self, vectors: Array) -> Array:
        """Coordinates of vectors, which are columns."""
        return self.turn.swapaxes(-1, -2) @ vectors

    def place(self, point: Array) -> Array:
        return _turned(self.turn.swapaxes(-1, -2), point - self.point)


def _turned(matrix: Array, vector: Array) -> Array:
    return np.asarray((matrix @ vector[..., None])[..., 0])


@dataclass
class Tree:
    """Moves and equations of one group; frames are numbered solved bodies first, then moves."""

    dimension: int
    solved: tuple[str, ...]
    moves: list[Move] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    seats: dict[str, Seat] = field(default_factory=dict)
    curves: list[Flank] = field(default_factory=list)

    @property
    def unknowns(self) -> int:
        return sum(_unknowns(move) for move in self.moves)

    @property
    def variables(self) -> int:
        return sum(len(move.start) for move in self.moves if move.driven is None)

    @property
    def count(self) -> int:
        """Number of scalar equations."""
        return sum(self.dimension if equation.kind == COINCIDE else 1 for equation in self.equations)

    def unknown_of(self, move: int) -> int:
        """Number of the first unknown of a move."""
        return sum(_unknowns(before) for before in self.moves[:move])

    def paths(self) -> NDArray[np.int64]:
        """(frames, unknowns): 1 where an unknown moves a frame."""
        paths = np.zeros((len(self.solved) + len(self.moves), self.unknowns), np.int64)
        unknown = 0
        for m, move in enumerate(self.moves):
            row = len(self.solved) + m
            paths[row] = paths[move.frame]
            paths[row, unknown : unknown + _unknowns(move)] = 1
            unknown += _unknowns(move)
        return paths


def _unknowns(move: Move) -> int:
    return 0 if move.driven else 3 if move.kind == BALL else 1


def grow(mechanism: Mechanism, geometry: Geometry, group: Group) -> Tree:
    """Tree and cuts of a group in the reference configuration."""
    joints = {joint.name: joint for joint in mechanism.chosen_joints(group.external + group.internal)}
    solved = mechanism.chosen_bodies({b for joint in joints.values() for b in joint.bodies} - set(group.bodies))
    tree = Tree(mechanism.dimension, solved)
    for k, body in enumerate(solved):
        tree.seats[body] = Seat(k, np.eye(3), np.zeros(3))
    chosen = _spanning(mechanism, list(joints.values()), group.bodies)
    for name, body in chosen:
        if name == LOOSE:
            tree.seats[body] = _float(tree, geometry.origins[body])
        else:
            joint = joints[name]
            side = 1 - joint.bodies.index(body)
            tree.seats[body] = _lay(tree, mechanism, joint, geometry, side)
    laid = [name for name, _ in chosen]
    for name, joint in joints.items():
        if name not in laid:
            _cut(tree, mechanism, joint, geometry)
    return tree


def _spanning(mechanism: Mechanism, joints: list[Joint], bodies: tuple[str, ...]) -> list[tuple[str, str]]:
    """The tree's joints, from the solved bodies outward, and the body that each one places.

    Where a body has only joints that cannot be laid it is `LOOSE`.
    """
    graph = nx.MultiGraph()
    for position, joint in enumerate(joints):
        form = mechanism.form(joint)
        if form.held is not None or form.curved:
            continue
        ends = [body if body in bodies else "" for body in joint.bodies]
        driven = len(mechanism.driven.get(joint.name, ()))
        # driven joints first: cut, they would cost a phantom; then the order of declaration, for a stable choice
        weight = (len(form.moves) - driven) - 0.5 * bool(driven) + 1e-6 * position
        graph.add_edge(*ends, key=joint.name, weight=weight)
    for position, body in enumerate(bodies):
        graph.add_edge("", body, key=LOOSE, weight=100.0 + position)
    spanning = nx.MultiGraph()
    spanning.add_edges_from(nx.minimum_spanning_edges(graph, keys=True, data=False))
    return [
        (next(iter(spanning[a][b])), b)
        for a, b in nx.bfs_edges(spanning, "", sort_neighbors=lambda found: sorted(found))
    ]


def _float(tree: Tree, origin: Array) -> Seat:
    """Append the moves of a body that floats on the first solved one; where it then sits."""
    frame = 0
    place = spot = padded(origin)
    last = (BALL, 0, (1.0, 0.0, 0.0, 0.0)) if tree.dimension == 3 else (ROTATION, 2, (0.0,))
    slides = [(TRANSLATION, axis, (0.0,)) for axis in range(tree.dimension)]
    for kind, axis, start in (*slides, last):
        tree.moves.append(Move(frame, kind, axis, np.eye(3), place, None, 1.0, start))
        frame, place = len(tree.solved) + len(tree.moves) - 1, np.zeros(3)
    return Seat(frame, np.eye(3), spot)


@dataclass(frozen=True)
class _Step:
    """A move of a joint (its kind, axis, number in the form and reference value), or a fixed turn and shift."""

    kind: int
    axis: int = 0
    number: int = -1
    value: tuple[Number, ...] = ()
    turn: Array = field(default_factory=lambda: np.eye(3))
    shift: Array = field(default_factory=lambda: np.zeros(3))

    def reversed(self) -> _Step:
        back = self.turn.swapaxes(-1, -2)
        ball = self.kind == BALL
        value = (self.value[0], *(-x for x in self.value[1:])) if ball else tuple(-x for x in self.value)
        return _Step(self.kind, self.axis, self.number, value, back, -_turned(back, self.shift))


def _lay(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: Geometry, side: int) -> Seat:
    """Append the moves of a joint, from its body on `side` to the other; where that body then sits."""
    start, own, form = tree.seats[joint.bodies[side]], geometry.joints[joint.name], mechanism.form(joint)
    frames, points = _in_space(own)
    driven = {form.places[index]: index for index in mechanism.driven.get(joint.name, ())}
    steps = _steps(form, own, set(driven))
    sign = 1.0
    if side == 1:
        steps, sign = [step.reversed() for step in steps[::-1]], -1.0
    fixed_turn, fixed_shift = start.directions(frames[..., side, :, :]), start.place(points[..., side, :])
    frame, laid = start.frame, {}
    for step in steps:
        if step.kind == FIXED:
            fixed_turn, fixed_shift = fixed_turn @ step.turn, fixed_shift + _turned(fixed_turn, step.shift)
            continue
        name = (joint.name, driven[step.number]) if step.number in driven else None
        laid[step.number] = len(tree.moves)
        # a ball's quaternion is its own inverse rotation already; it has no driver that a sign would belong to
        tree.moves.append(Move(frame, step.kind, step.axis, fixed_turn, fixed_shift, name, sign, step.value))
        frame = len(tree.solved) + len(tree.moves) - 1
        fixed_turn, fixed_shift = np.eye(3), np.zeros(3)
    if form.coupled is not None:
        _relate(tree, form, own, [laid[number] for number in form.coupled], sign, geometry.size)
    return Seat(frame, frames[..., 1 - side, :, :], points[..., 1 - side, :])


def _relate(tree: Tree, form: Form, own: JointGeometry, moves: list[int], sign: float, size: float) -> None:
    """Append the relation between the coupled moves of a joint, lengths relative to the size."""
    assert form.coupled is not None
    coefficients, value = relation(form, own)
    unit = 1.0 if all(form.moves[k].rotation for k in form.coupled) else size
    vectors = np.zeros((*coefficients.shape[:-1], 3, 3))
    vectors[..., 0, :2] = sign * coefficients / unit
    tree.equations.append(Equation(LINEAR, moves[0], moves[1], vectors, value / unit))


def _steps(form: Form, geometry: JointGeometry, driven: set[int]) -> list[_Step]:
    """The moves of a joint with its fixed turns and shifts; three free rotations make a ball."""
    values = reference_coordinates(form, geometry)
    last = set(range(len(form.moves) - 3, len(form.moves)))
    ball = form.ball and not last & (driven | set(form.coupled or ()))
    steps: list[_Step] = []
    for k, move in enumerate(form.moves):
        if k == form.bend:
            assert geometry.bend is not None
            steps.append(_Step(FIXED, turn=geometry.bend))
        if k == form.held:
            steps.append(_Step(FIXED, shift=values[k][..., None] * np.eye(3)[move.axis]))
        elif not (ball and k in last):
            kind = (MIDDLE if move.middle else ROTATION) if move.rotation else TRANSLATION
            steps.append(_Step(kind, move.axis, k, (values[k],)))
    if ball:
        one, two, three = values[-3:]
        steps.append(_Step(BALL, 0, min(last), quaternion(turn(0, one) @ turn(1, two) @ turn(2, three))))
    return steps


def quaternion(rotation: Array) -> tuple[Number, ...]:
    """Unit quaternion (w, x, y, z) of rotation matrices (..., 3, 3)."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = np.moveaxis(Rotation.from_matrix(rotation).as_quat(), -1, 0)
    return (w, x, y, z)


def _in_space(geometry: JointGeometry) -> tuple[Array, Array]:
    """Frames (..., 2, 3, 3) and points (..., 2, 3); those of the plane with z upright."""
    *lead, _, d = geometry.points.shape
    frames = np.tile(np.eye(3), (*lead, 2, 1, 1))
    frames[..., :d, :d] = geometry.frames
    return frames, padded(geometry.points)


def padded(point: Array) -> Array:
    """Points (..., d) with three coordinates."""
    return np.concatenate([point, np.zeros((*point.shape[:-1], 3 - point.shape[-1]))], axis=-1)


WELD = {2: ((COINCIDE,), (DOT, 0, 1)), 3: ((COINCIDE,), (DOT, 0, 1), (DOT, 1, 2), (DOT, 2, 0))}
"""Equations of two bodies that do not move relative to each other, by dimension."""


def _cut(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: Geometry) -> None:
    """Append the equations of a joint that closes a loop."""
    if mechanism.form(joint).curved:
        _touch(tree, mechanism, joint, geometry)
        return
    own = geometry.joints[joint.name]
    frames, points = _in_space(own)
    first, second = (tree.seats[body] for body in joint.bodies)
    products = mechanism.form(joint).cut
    if mechanism.driven.get(joint.name) or products is None:
        first = _lay(tree, mechanism, joint, geometry, 0)
        frames, points = frames[..., [1, 1], :, :], points[..., [1, 1], :]
        products = WELD[tree.dimension]
    one, two = (
        (seat.frame, seat.directions(frames[..., side, :, :]), seat.place(points[..., side, :]))
        for side, seat in enumerate((first, second))
    )
    if products == ((DISTANCE,),):
        form, here, there = mechanism.form(joint), one[2], two[2]
        assert form.held is not None
        vectors = np.stack([here, there, np.zeros_like(here)], axis=-2)
        length = reference_coordinates(form, own)[form.held]
        tree.equations.append(Equation(DISTANCE, first.frame, second.frame, vectors, length))
        return
    _equate(tree, products, one, two, np.cos(own.cross_angle))


def _touch(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: Geometry) -> None:
    """Append the equations of a cam: of the frame that has moved along its curve, and what touches the curve there.

    With a roller that frame then makes a hinge, with a flat face a slide, and with another curve's frame a weld.
    """
    own, form = geometry.joints[joint.name], mechanism.form(joint)
    assert own.contact is not None
    driven, values = mechanism.driven.get(joint.name, {}), reference_coordinates(form, own)
    frames, points = _in_space(own)

    def lay(side: int, kind: int, before: Seat, index: int, axis: int) -> Seat:
        name = (joint.name, index) if index in driven else None
        place, fixed_turn = before.place(points[side]), before.directions(frames[side])
        start = (float(values[index]),)
        tree.moves.append(Move(before.frame, kind, axis, fixed_turn, place, name, 1.0, start))
        return Seat(len(tree.solved) + len(tree.moves) - 1, np.eye(3), np.zeros(3))

    def along(side: int) -> Seat:
        assert own.contact is not None
        tree.curves.append(own.contact.flanks[side])
        return lay(side, CURVE, tree.seats[joint.bodies[side]], side, len(tree.curves) - 1)

    center = np.array([0.0, own.contact.offset, 0.0])
    first, second = along(0), tree.seats[joint.bodies[1]]
    here, there, axes = center, second.place(points[1]), second.directions(frames[1])
    products = form.cut
    assert products is not None
    if joint.follower == "curve":
        second = along(1)
        there, axes = np.zeros(3), np.eye(3)
    elif 1 in driven:
        kind, axis = (ROTATION, 2) if joint.follower == "" else (TRANSLATION, 0)
        frames, points, products = np.tile(np.eye(3), (2, 1, 1)), np.array([center, center]), WELD[2]
        first, here = lay(0, kind, first, 1, axis), np.zeros(3)
    _equate(tree, products, (first.frame, np.eye(3), here), (second.frame, axes, there))


Side = tuple[int, Array, Array]
"""A frame, and in it three axes, as columns, and a point."""


def _equate(tree: Tree, products: tuple[tuple[int, ...], ...], one: Side, two: Side, cosine: Number = 0.0) -> None:
    """Append products of the axes and points of two sides; `cosine` is that between their z axes."""
    (first, axes, here), (second, others, there) = one, two
    for kind, *numbers in products:
        value, rows = 0.0, [here, there, np.zeros(3)]
        if kind in (DOT, OFFSET):
            rows[0] = axes[..., numbers[0]]
        if kind == DOT:
            rows[1] = others[..., numbers[1]]
            value = cosine if numbers[0] == numbers[1] else 0.0
        if kind == OFFSET:
            rows[2] = here
        vectors = np.stack(np.broadcast_arrays(*rows), axis=-2)
        tree.equations.append(Equation(kind, first, second, vectors, value))
