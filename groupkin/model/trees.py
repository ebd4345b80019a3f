"""Trees and cuts of a group: its joint variables, and the equations of the joints that close its loops.

The bodies hang on the solved ones by a minimum spanning tree of the joints (weight: undriven freedoms); the other
joints are cut and give equations. All vectors are kept in the frames of the tree's moves; see `sglibrary.newton` for
how the tables are solved. A driven joint that had to be cut is laid as moves to a phantom frame that is welded on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Freedom
from groupkin.model.coordinates import reference_coordinates
from groupkin.model.geometry import Geometry, JointGeometry, turn
from groupkin.structure.decomposition import Group

Array = NDArray[np.float64]

ROTATION, TRANSLATION, BALL, MIDDLE = 0, 1, 2, 3
COINCIDE, DOT, OFFSET = 0, 1, 2


@dataclass(frozen=True)
class Move:
    """One step of the tree: a turn and a shift (fixed), then a rotation, displacement or free rotation.

    `driven` names joint and freedom of a prescribed move; `start` is its value in the reference configuration (a unit
    quaternion for a ball); `sign` is -1 where the tree runs from the joint's second body to its first.
    """

    frame: int
    kind: int
    axis: int
    turn: Array
    shift: Array
    driven: tuple[str, int] | None
    sign: float
    start: tuple[float, ...]


@dataclass(frozen=True)
class Equation:
    """A product of two vectors fixed in frames; `vectors` (3, 3) and `value` as `sglibrary.newton` describes them."""

    kind: int
    first: int
    second: int
    vectors: Array
    value: float = 0.0


@dataclass(frozen=True)
class Seat:
    """Where a body's coordinates are in a frame: frame coordinates are turnᵀ (X - point)."""

    frame: int
    turn: Array
    point: Array

    def direction(self, vector: Array) -> Array:
        return self.turn.T @ vector

    def place(self, point: Array) -> Array:
        return self.turn.T @ (point - self.point)


@dataclass
class Tree:
    """Moves and equations of one group; frames are numbered solved bodies first, then moves."""

    dimension: int
    solved: tuple[str, ...]
    moves: list[Move] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    seats: dict[str, Seat] = field(default_factory=dict)

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
    joints = {joint.name: joint for joint in mechanism.joints if joint.name in group.external + group.internal}
    ends = {b for joint in joints.values() for b in joint.bodies}
    solved = tuple(body for body in mechanism.body if body in ends and body not in group.bodies)
    tree = Tree(mechanism.dimension, solved)
    for k, body in enumerate(solved):
        tree.seats[body] = Seat(k, np.eye(3), np.zeros(3))
    chosen = _spanning(mechanism, list(joints.values()), group.bodies)
    for name in chosen:
        joint = joints[name]
        side = 0 if joint.bodies[0] in tree.seats else 1
        body = joint.bodies[1 - side]
        tree.seats[body] = _lay(tree, mechanism, joint, geometry.joints[name], side)
    for name, joint in joints.items():
        if name not in chosen:
            _cut(tree, mechanism, joint, geometry.joints[name])
    return tree


def _spanning(mechanism: Mechanism, joints: list[Joint], bodies: tuple[str, ...]) -> list[str]:
    """Names of the tree's joints, from the solved bodies outward."""
    graph = nx.MultiGraph()
    for position, joint in enumerate(joints):
        ends = [body if body in bodies else "" for body in joint.bodies]
        driven = len(mechanism.driven.get(joint.name, ()))
        # driven joints first: cut, they would cost a phantom; then the order of declaration, for a stable choice
        weight = (len(mechanism.freedoms(joint)) - driven) - 0.5 * bool(driven) + 1e-6 * position
        graph.add_edge(*ends, key=joint.name, weight=weight)
    spanning = nx.MultiGraph()
    spanning.add_edges_from(nx.minimum_spanning_edges(graph, keys=True, data=False))
    return [
        next(iter(spanning[a][b])) for a, b in nx.bfs_edges(spanning, "", sort_neighbors=lambda found: sorted(found))
    ]


def _lay(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: JointGeometry, side: int) -> Seat:
    """Append the moves of a joint, from its body on `side` to the other; where that body then sits."""
    start = tree.seats[joint.bodies[side]]
    frames, points = _in_space(geometry)
    freedoms = mechanism.freedoms(joint)
    values = reference_coordinates(freedoms, geometry)
    driven = mechanism.driven.get(joint.name, {})
    steps = _steps(freedoms, values, set(driven), frames)
    sign = 1.0
    if side == 1:
        steps, sign = steps[::-1], -1.0
    fixed_turn, fixed_shift = start.direction(frames[side]), start.place(points[side])
    frame = start.frame
    for number, (kind, axis, indices, value) in enumerate(steps):
        if number == 1 and geometry.cross_angle:
            fixed_turn = turn(0, sign * geometry.cross_angle)
        if kind == BALL and side == 1:
            value = (value[0], -value[1], -value[2], -value[3])
        elif kind != BALL:
            value = (sign * value[0],)
        name = (joint.name, indices) if kind != BALL and indices in driven else None
        tree.moves.append(Move(frame, kind, axis, fixed_turn, fixed_shift, name, sign, value))
        frame = len(tree.solved) + len(tree.moves) - 1
        fixed_turn, fixed_shift = np.eye(3), np.zeros(3)
    if not steps:
        raise ValueError(f"joint {joint.name} has no freedoms")
    return Seat(frame, frames[1 - side], points[1 - side])


def _steps(
    freedoms: tuple[Freedom, ...], values: Array, driven: set[int], frames: Array
) -> list[tuple[int, int, int, tuple[float, ...]]]:
    """Kind, axis, index of the freedom and reference value of every move; three free rotations make a ball."""
    rotations = [k for k, freedom in enumerate(freedoms) if freedom.rotation]
    ball = len(rotations) == 3 and not driven.intersection(rotations)
    steps: list[tuple[int, int, int, tuple[float, ...]]] = []
    for k, freedom in enumerate(freedoms):
        if freedom.rotation and ball:
            continue
        kind = ROTATION if freedom.rotation else TRANSLATION
        if len(rotations) == 3 and k == rotations[1]:
            kind = MIDDLE
        steps.append((kind, freedom.axis, k, (float(values[k]),)))
    if ball:
        steps.append((BALL, 0, rotations[0], quaternion(frames[0].T @ frames[1])))
    return steps


def quaternion(rotation: Array) -> tuple[float, ...]:
    """Unit quaternion (w, x, y, z) of a rotation matrix (3, 3)."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(rotation).as_quat()
    return (float(w), float(x), float(y), float(z))


def _in_space(geometry: JointGeometry) -> tuple[Array, Array]:
    """Frames (2, 3, 3) and points (2, 3); those of the plane with z upright."""
    d = geometry.points.shape[1]
    frames, points = np.tile(np.eye(3), (2, 1, 1)), np.zeros((2, 3))
    frames[:, :d, :d], points[:, :d] = geometry.frames, geometry.points
    return frames, points


def _cut(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: JointGeometry) -> None:
    """Append the equations of a joint that closes a loop."""
    frames, points = _in_space(geometry)
    first, second = (tree.seats[body] for body in joint.bodies)
    kind = joint.type
    if mechanism.driven.get(joint.name):
        first = _lay(tree, mechanism, joint, geometry, 0)
        frames, points, kind = frames[[1, 1]], points[[1, 1]], "weld"
    x, y, z = 0, 1, 2

    def dot(u: int, w: int, value: float = 0.0) -> None:
        vectors = np.array([first.direction(frames[0][:, u]), second.direction(frames[1][:, w]), np.zeros(3)])
        tree.equations.append(Equation(DOT, first.frame, second.frame, vectors, value))

    def offset(u: int) -> None:
        ends = [first.direction(frames[0][:, u]), second.place(points[1]), first.place(points[0])]
        tree.equations.append(Equation(OFFSET, first.frame, second.frame, np.array(ends)))

    def coincide() -> None:
        ends = [first.place(points[0]), second.place(points[1]), np.zeros(3)]
        tree.equations.append(Equation(COINCIDE, first.frame, second.frame, np.array(ends)))

    planar = tree.dimension == 2
    if kind in ("R", "S", "U", "weld"):
        coincide()
    if kind in ("R", "C") and not planar:
        dot(z, x)
        dot(z, y)
    if kind == "U":
        dot(z, z, float(np.cos(geometry.cross_angle)))
    if kind in ("P", "weld"):
        dot(x, y)
        if not planar:
            dot(y, z)
            dot(z, x)
    if kind in ("C", "P") and not planar:
        offset(x)
        offset(y)
    if kind == "P" and planar:
        offset(y)
