"""Trees and cuts of a group: its joint variables, and the equations of the joints that close its loops.

All vectors are kept in the frames of the tree's moves; see `sglibrary.straight.scheme` for how they are numbered.
`groupkin.model.tree_making` makes trees. Trees of variants have the same moves and equations; their numbers have
leading axes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from groupkin.mechanism.couplings.relations import Relation
from groupkin.model.geometry.cam_contact import Flank
from sglibrary.array_types import Array, Ints
from sglibrary.iterative import kinds

Number = Any
"""A float, or of variants an array of them."""


@dataclass(frozen=True)
class Move:
    """A move of the tree: a fixed turn and shift, then a rotation, displacement or free rotation.

    Attributes
    ----------
    frame : int
        The frame it starts from.
    kind : int
        ROTATION, TRANSLATION, BALL, MIDDLE or CURVE.
    axis : int
        Of a move along a curve, the number of the curve among those of the tree.
    turn, shift : (..., 3, 3) and (..., 3) arrays
        The fixed turn and shift, m.
    driven : (str, int), optional
        Joint and freedom of a prescribed move.
    sign : float
        -1 where the tree runs from the joint's second body to its first.
    start : tuple of float
        Value in the reference configuration, m or rad; a unit quaternion for a ball.
    joint, number : str and int
        The joint it belongs to, and which of its moves it is; a ball is the first of three.
    aimed : bool
        A rotation of a rod, which follows from where its ends are.
    """

    frame: int
    kind: int
    axis: int
    turn: Array
    shift: Array
    driven: tuple[str, int] | None
    sign: float
    start: tuple[Number, ...]
    joint: str = ""
    number: int = 0
    aimed: bool = False

    @property
    def free(self) -> bool:
        """It is an unknown of the group."""
        return self.driven is None and not self.aimed


@dataclass(frozen=True)
class Equation:
    """An equation: a product of two vectors fixed in frames, or a relation between moves.

    Attributes
    ----------
    kind : int
        COINCIDE, DOT, OFFSET, DISTANCE, LINEAR, TELESCOPE or FORMULA.
    first, second : int
        Frames; of a linear relation numbers of moves.
    vectors, value : (..., 3, 3) array and float
        See `sglibrary.straight.equations`.
    move : int
        The driven move of a telescope; otherwise -1.
    joint : str
        The joint that is cut by it; empty where no joint is.
    relation : Relation, optional
        The coupling of which a formula is.
    moves : tuple of int
        Numbers of the moves that are its coordinates.
    """

    kind: int
    first: int
    second: int
    vectors: Array
    value: Number = 0.0
    move: int = -1
    joint: str = ""
    relation: Relation | None = None
    moves: tuple[int, ...] = ()


@dataclass(frozen=True)
class PlacedRod:
    """A rod of a tree.

    Attributes
    ----------
    first, axes, count : int
        Number of its first move, of its rotations, which come first, and of all its moves.
    frame : int
        That of its other end.
    tip, end : (..., 3) arrays
        Its tip in the last of its frames, and the other end in the frame of that, m.
    side : (...) array
        1 or -1: on which side of the first axis and the rod the second axis is.
    """

    first: int
    axes: int
    count: int
    frame: int
    tip: Array
    end: Array
    side: Number = 1.0


@dataclass(frozen=True)
class Seat:
    """Where a body is in a frame: coordinates X of the body are turnᵀ (X - point) in the frame."""

    frame: int
    turn: Array
    point: Array

    def directions(self, vectors: Array) -> Array:
        """Convert directions (..., 3, k), which are columns, to the frame."""
        return self.turn.swapaxes(-1, -2) @ vectors

    def place(self, point: Array) -> Array:
        """Convert a point (..., 3) to the frame."""
        return turned(self.turn.swapaxes(-1, -2), point - self.point)


def turned(matrix: Array, vector: Array) -> Array:
    """Multiply matrices (..., 3, 3) by vectors (..., 3)."""
    return np.asarray((matrix @ vector[..., None])[..., 0])


@dataclass
class Tree:
    """Moves and equations of one group; frames are numbered solved bodies first, then moves.

    A joint that closes a loop by moves ends in a frame of its own. `welds` say where its second body is in that frame
    once the loop is closed; in the reference configuration of a changed design loops may be open.
    """

    dimension: int
    solved: tuple[str, ...]
    moves: list[Move] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    seats: dict[str, Seat] = field(default_factory=dict)
    welds: dict[int, Seat] = field(default_factory=dict)
    curves: list[Flank] = field(default_factory=list)
    rods: list[PlacedRod] = field(default_factory=list)

    @property
    def unknowns(self) -> int:
        return sum(_unknowns(move) for move in self.moves)

    @property
    def variables(self) -> int:
        return sum(len(move.start) for move in self.moves if move.free)

    @property
    def count(self) -> int:
        """Number of scalar equations."""
        return sum(self.dimension if equation.kind == kinds.COINCIDE else 1 for equation in self.equations)

    def unknown_of(self, move: int) -> int:
        """Return the number of the first unknown of a move."""
        return sum(_unknowns(before) for before in self.moves[:move])

    def paths(self) -> Ints:
        """Make a table (frames, unknowns) that is 1 where an unknown moves a frame."""
        paths = np.zeros((len(self.solved) + len(self.moves), self.unknowns), np.int64)
        unknown = 0
        for m, move in enumerate(self.moves):
            row = len(self.solved) + m
            paths[row] = paths[move.frame]
            paths[row, unknown : unknown + _unknowns(move)] = 1
            unknown += _unknowns(move)
        return paths


def _unknowns(move: Move) -> int:
    return 0 if not move.free else 3 if move.kind == kinds.BALL else 1


def upright(frames: Array) -> Array:
    """Give frames (..., d, d) three axes; those of a plane mechanism get an upright z."""
    *lead, _, d = frames.shape
    out = np.tile(np.eye(3).astype(frames.dtype), (*lead, 1, 1))
    out[..., :d, :d] = frames
    return out


def padded(point: Array) -> Array:
    """Give points (..., d) three coordinates."""
    return np.concatenate([point, np.zeros((*point.shape[:-1], 3 - point.shape[-1]))], axis=-1)
