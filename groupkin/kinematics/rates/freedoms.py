"""The moves of a group's tree as twists: about or along which line of which body each one moves.

The axis of a move is fixed in the body before its joint if only slides and rotations about the same axis come before
it, and in the body after it if only such follow. Of three rotations the middle one is about the common perpendicular of
the others. The moves of some joints, such as gears in space and cams, have neither: their lines are computed from the
coordinates of the joint (`groupkin.kinematics.rates.lines`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from groupkin.model.geometry.frames import turn
from groupkin.model.trees import Equation, Move, Seat, Tree, padded
from groupkin.tolerances import SAME_LINE, SAME_TWIST
from sglibrary.iterative import kinds
from sglibrary.traced import plain, samples

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """A vector fixed in a body, in its coordinates, which are those of the reference configuration."""

    body: str
    vector: Array


@dataclass(frozen=True)
class Between:
    """The unit vector perpendicular to two others: `sign` times their cross product."""

    first: Line
    second: Line
    sign: float


@dataclass(frozen=True)
class Freedom:
    """What a move does.

    Attributes
    ----------
    axis : Line or Between, optional
        None for a ball, and for moves whose lines are computed from coordinates.
    point : Line, optional
        On the axis, of a rotation; the center of a ball.
    computed : bool
        Axis and point have to be computed.
    """

    axis: Line | Between | None
    point: Line | None
    computed: bool = False


@dataclass(frozen=True)
class Frames:
    """A tree in the reference configuration, in global coordinates.

    Attributes
    ----------
    tree : Tree
    size : float
        Of the mechanism, m.
    length : float
        Unit of the coordinates of moves along a line, m.
    """

    tree: Tree
    size: float
    length: float

    @cached_property
    def placed(self) -> list[tuple[Array, Array]]:
        """Axes (3, 3) and origin (3,) of every frame."""
        tree = self.tree
        found = [(np.eye(3), tree.seats[body].point) for body in tree.solved]
        for move in tree.moves:
            axes, origin = self._before(move, found)
            if move.kind == kinds.TRANSLATION:
                origin = origin + axes[:, move.axis] * move.start[0]
            elif move.kind == kinds.BALL:
                from scipy.spatial.transform import Rotation

                w, x, y, z = map(plain, move.start)
                axes = axes @ Rotation.from_quat([x, y, z, w]).as_matrix()
            elif move.kind == kinds.CURVE:
                flank, u = tree.curves[move.axis], np.array(move.start[0])
                t, point = flank.tangent(u), padded(flank.at(u))
                origin = np.asarray(origin + axes @ point)
                axes = axes @ np.array([[t[0], -t[1], 0.0], [t[1], t[0], 0.0], [0.0, 0.0, 1.0]])
            else:
                axes = axes @ turn(move.axis, plain(move.start[0]))
            found.append((axes, origin))
        return found

    def _before(self, move: Move, found: list[tuple[Array, Array]]) -> tuple[Array, Array]:
        """The frame that a move starts from, after its fixed turn and shift."""
        axes, origin = found[move.frame]
        return axes @ move.turn, origin + axes @ move.shift

    @cached_property
    def bodies(self) -> dict[int, str]:
        """The body that sits in a frame, by the number of the frame."""
        return {seat.frame: body for body, seat in self.tree.seats.items()}

    @cached_property
    def paths(self) -> list[list[int]]:
        """Numbers of the moves from a solved body to every frame."""
        found: list[list[int]] = [[] for _ in self.tree.solved]
        for m, move in enumerate(self.tree.moves):
            found.append([*found[move.frame], m])
        return found

    def unit(self, move: Move) -> float:
        """What the coordinate of a move is divided by: lengths by the unit of length."""
        return self.length if move.kind in (kinds.TRANSLATION, kinds.CURVE) else 1.0

    def coefficient(self, equation: Equation, k: int) -> float:
        """Of the first or second move of a linear relation."""
        move = self.tree.moves[(equation.first, equation.second)[k]]
        return plain(equation.vectors[0, k] * self.unit(move))

    def felt(self, equation: Equation, m: int) -> float:
        """Unit of what a coupling feels of a move."""
        move, relation = self.tree.moves[m], equation.relation
        assert relation is not None
        return float(move.sign * self.unit(move) * self.size ** -float(relation.unit[0]))

    def root(self, frame: int) -> str:
        """The solved body that a frame hangs on."""
        path = self.paths[frame]
        return self.tree.solved[self.tree.moves[path[0]].frame if path else frame]

    def chain(self, frame: int) -> tuple[str, list[int]]:
        """The body before a frame, and the numbers of the moves from there."""
        moves: list[int] = []
        while frame not in self.bodies or not moves:
            if frame < len(self.tree.solved):
                break
            moves.insert(0, frame - len(self.tree.solved))
            frame = self.tree.moves[moves[0]].frame
        return self.bodies[frame], moves

    def freedoms(self) -> list[Freedom]:
        """What every move of the tree does."""
        found: dict[int, Freedom] = {}
        ends = dict(self.bodies)
        for equation in self.tree.equations:
            if equation.kind in (kinds.LINEAR, kinds.FORMULA):
                continue
            if equation.first not in ends and equation.second in ends:
                ends[equation.first] = ends[equation.second]
        for frame, body in ends.items():
            before, moves = self.chain(frame)
            seats = self.seats(frame, body)
            found.update({m: self._freedom(moves, k, before, body, seats) for k, m in enumerate(moves)})
        return [found.get(m, COMPUTED) for m in range(len(self.tree.moves))]

    def seats(self, frame: int, body: str) -> Mapping[str, Seat]:
        """Where bodies are; the body that a frame is welded to as this frame has it, which closes the loop."""
        weld = None if frame in self.bodies else self.tree.welds.get(frame)
        return self.tree.seats if weld is None else self.tree.seats | {body: weld}

    def _freedom(self, chain: list[int], k: int, before: str, after: str, seats: Mapping[str, Seat]) -> Freedom:
        move = self.tree.moves[chain[k]]
        if move.kind == kinds.CURVE or self.tree.moves[chain[0]].kind == kinds.CURVE:
            return COMPUTED
        origin = self.placed[len(self.tree.solved) + chain[k]][1]
        axis, point = self._axis(chain, k, before, after), None
        if move.kind != kinds.TRANSLATION:
            point = self._point(chain, k, before, after, origin)
        if (axis is None and move.kind != kinds.BALL) or (point is None and move.kind != kinds.TRANSLATION):
            return COMPUTED
        if isinstance(axis, Between):
            axis = replace(axis, first=self.carried(axis.first, seats), second=self.carried(axis.second, seats))
        elif axis is not None:
            axis = self.carried(axis, seats)
        return Freedom(axis, None if point is None else self.carried(point, seats, True))

    def carried(self, line: Line, seats: Mapping[str, Seat], point: bool = False) -> Line:
        """Convert a line in global coordinates to those of its body, which differ where a design opens its joints."""
        seat = seats[line.body]
        axes, origin = self.placed[seat.frame]
        turned, shifted = samples(axes - seat.turn), samples(origin - seat.point)
        if np.abs(turned).max() <= SAME_TWIST and np.abs(shifted).max() <= SAME_TWIST * self.size:
            return line
        vector = axes.T @ (line.vector - origin if point else line.vector)
        return Line(line.body, seat.turn @ vector + (seat.point if point else 0.0))

    def _direction(self, m: int) -> Array:
        move = self.tree.moves[m]
        return np.asarray(self.placed[len(self.tree.solved) + m][0][:, move.axis])

    def _axis(self, chain: list[int], k: int, before: str, after: str) -> Line | Between | None:
        """The axis of a move, where a body holds it, or two others do."""
        moves, direction = [self.tree.moves[m] for m in chain], self._direction(chain[k])
        if moves[k].kind == kinds.BALL:
            return None
        if self._keep(chain[:k], direction):
            return Line(before, direction)
        if self._keep(chain[k + 1 :], direction):
            return Line(after, direction)
        if moves[k].kind == kinds.MIDDLE and 0 < k < len(chain) - 1:
            ends = [self._axis(chain, i, before, after) for i in (k - 1, k + 1)]
            if isinstance(ends[0], Line) and isinstance(ends[1], Line):
                across = np.cross(ends[0].vector, ends[1].vector)
                across /= np.linalg.norm(across)
                sign = float(np.sign(samples(across) @ samples(direction)))
                if np.linalg.norm(samples(sign * across - direction)) <= SAME_LINE:
                    return Between(ends[0], ends[1], sign)
        return None

    def _point(self, chain: list[int], k: int, before: str, after: str, origin: Array) -> Line | None:
        """A point on the axis of a rotation that a body holds."""
        direction = None if self.tree.moves[chain[k]].kind == kinds.BALL else self._direction(chain[k])

        def along(i: int) -> bool:
            between = chain[min(i, k) + 1 : max(i, k)]
            return direction is not None and self._parallel(chain[i], direction) and self._keep(between, direction)

        def through(others: list[int]) -> bool:
            return all(
                along(i)
                if self.tree.moves[chain[i]].kind == kinds.TRANSLATION
                else np.linalg.norm(samples(self.placed[len(self.tree.solved) + chain[i]][1] - origin))
                <= SAME_LINE * self.size
                for i in others
            )

        if through(list(range(k))):
            return Line(before, origin)
        return Line(after, origin) if through(list(range(k + 1, len(chain)))) else None

    def _keep(self, moves: list[int], direction: Array) -> bool:
        """Whether moves never turn a direction: displacements, and rotations about it."""
        return all(
            self.tree.moves[m].kind == kinds.TRANSLATION
            or (self.tree.moves[m].kind == kinds.ROTATION and self._parallel(m, direction))
            for m in moves
        )

    def _parallel(self, m: int, direction: Array) -> bool:
        return bool(np.linalg.norm(np.cross(samples(self._direction(m)), samples(direction))) <= SAME_LINE)


COMPUTED = Freedom(None, None, True)
