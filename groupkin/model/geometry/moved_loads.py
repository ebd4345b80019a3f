"""Masses and forces stated anew for another reference configuration, to which bodies have moved.

They are given in global coordinates of the reference configuration, so what is fixed in a body moves with it. Points
that the body carries keep their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.errors import NotModeledError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.forces.forces import Bushing, Contact, Force, Load, Spring, Torque
from groupkin.mechanism.masses.mass_checks import MIDDLE, inertia_tensor
from groupkin.mechanism.mechanism import Body, Mechanism
from groupkin.model.geometry.geometry import Geometry, local_point
from groupkin.tolerances import ROUNDING
from sglibrary.array_types import Array


@dataclass(frozen=True, eq=False)
class Move:
    """The way of a body from one reference configuration to another: x becomes `turn` x + `shift`.

    Attributes
    ----------
    turn : (d, d) array
    shift : (d,) array
        m.
    """

    turn: Array
    shift: Array

    def point(self, at: Array) -> tuple[float, ...]:
        return tuple((self.turn @ at + self.shift).tolist())

    def vector(self, along: Any) -> tuple[float, ...]:
        return tuple((self.turn @ np.asarray(along, float)).tolist())


def moves_between(mechanism: Mechanism, before: Geometry, after: Geometry) -> dict[str, Move]:
    """Find the moves of the bodies from one reference configuration to another, of those that have moved."""
    moves = {}
    for body in mechanism.movable:
        joint = mechanism.joints_of[body][0]
        side = joint.bodies.index(body)
        old, new = before.joints[joint.name], after.joints[joint.name]
        turn = new.frames[side] @ old.frames[side].T
        moves[body] = Move(turn, new.points[side] - turn @ old.points[side])
    return moved_ones(moves, before.size)


def moved_ones(moves: Mapping[str, Move], size: float) -> dict[str, Move]:
    """Leave out the bodies that have not moved but for roundings, in a mechanism of a size (m)."""
    return {
        body: move
        for body, move in moves.items()
        if np.abs(move.turn - np.eye(len(move.turn))).max() > ROUNDING or np.abs(move.shift).max() > ROUNDING * size
    }


def with_moved_loads(
    mechanism: Mechanism, geometry: Geometry, moves: Mapping[str, Move], lengths: bool = False
) -> Mechanism:
    """State masses and forces of a mechanism for the reference configuration to which bodies have moved.

    Parameters
    ----------
    mechanism : Mechanism
    geometry : Geometry
        Before the moves.
    moves : mapping of str to Move
        Of the bodies that have moved.
    lengths : bool
        Whether the springs that are free in the reference configuration stay so in the one before the moves.

    Raises
    ------
    NotModeledError
        If a bushing or a function of the user has other axes there.
    """
    loads = _Loads(mechanism, geometry, moves, lengths)
    bodies = [loads.body(body) for body in mechanism.body.values()]
    return replace(mechanism, bodies=bodies, forces=[loads.force(load) for load in mechanism.forces])


@dataclass(frozen=True, eq=False)
class _Loads:
    mechanism: Mechanism
    geometry: Geometry
    moves: Mapping[str, Move]
    lengths: bool

    def point(self, body: str, point: Any) -> Any:
        """State a point of a body: its name if the body carries it."""
        carried = isinstance(point, str) and self.geometry.points.get(point, ("",))[0] == body
        if point is None or carried or body not in self.moves:
            return point
        return self.moves[body].point(local_point(self.mechanism, self.geometry, body, point))

    def body(self, body: Body) -> Body:
        move = self.moves.get(body.name)
        if move is None:
            return body
        middle = body.center == MIDDLE and MIDDLE not in self.mechanism.positions
        center = body.center if middle else self.point(body.name, body.center)
        inertia, d = body.inertia, self.mechanism.dimension
        if d == 3 and not isinstance(inertia, int | float):
            tensor = move.turn @ inertia_tensor(body, d) @ move.turn.T
            inertia = tuple(map(tuple, (0.5 * (tensor + tensor.T)).tolist()))
        return replace(body, center=center, inertia=inertia, about=self.point(body.name, body.about))

    def force(self, load: Load) -> Load:
        match load:
            case Spring():
                ends = zip(load.between, load.points, strict=True)
                first, second = (self.point(*end) for end in ends)
                return replace(load, points=(first, second), length=self._length(load))
            case Force():
                return replace(load, point=self.point(load.body, load.point), force=self._along(load, load.force))
            case Torque() if self.mechanism.dimension == 3:
                return replace(load, torque=self._along(load, load.torque))
            case Bushing():
                return self._bushing(load)
            case Contact():
                return self._contact(load)
        return load

    def _length(self, load: Spring) -> float | None:
        if load.length is not None or not self.lengths:
            return load.length
        ends = zip(load.between, load.points, strict=True)
        first, second = (local_point(self.mechanism, self.geometry, *end) for end in ends)
        return float(np.linalg.norm(second - first))

    def _along(self, load: Force | Torque, components: Any) -> Any:
        """State a vector in the axes of a body, which are the global ones in the reference configuration."""
        move = self.moves.get(load.axes)
        if move is None or np.array_equal(move.turn, np.eye(len(move.turn))):
            return components
        if load.function is not None:
            raise NotModeledError(
                f"force {load.name!r} is a function in axes of {load.axes}, which has turned; let it be in the axes of "
                "a joint, or use the motion of design.solve"
            )
        return move.vector(components)

    def _bushing(self, load: Bushing) -> Bushing:
        one, other = (self.moves.get(body) for body in load.between)
        if one is None and other is None:
            return load
        at = [np.asarray(self._placed(body, load.point)) for body in load.between]
        turned = one is not None and not np.array_equal(one.turn, np.eye(len(one.turn)))
        if turned or np.abs(at[0] - at[1]).max() > ROUNDING * self.geometry.size:
            raise NotModeledError(
                f"bushing {load.name!r} is at rest where its bodies no longer are in the reference configuration, "
                "which cannot be stated; use the motion of design.solve, or state a closed reference configuration"
            )
        return replace(load, point=tuple(at[0].tolist()))

    def _placed(self, body: str, point: Any) -> Any:
        at = local_point(self.mechanism, self.geometry, body, point)
        return self.moves[body].point(at) if body in self.moves else at

    def _contact(self, load: Contact) -> Contact:
        first, second = load.between
        line_of = second if load.curve else first
        line = None if load.line is None else tuple(self.point(line_of, end) for end in load.line)
        curves = load.curves and tuple(map(self._curve, load.between, load.curves))
        curve = load.curve and self._curve(first, load.curve)
        return replace(load, point=self.point(second, load.point), line=line, curve=curve, curves=curves)  # type: ignore[arg-type]

    def _curve(self, body: str, curve: Curve) -> Curve:
        move = self.moves.get(body)
        return curve if move is None else curve.moved(move)
