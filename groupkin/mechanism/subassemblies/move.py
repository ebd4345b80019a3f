"""Where a part comes to lie: names, points, directions and coordinates of joints in the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groupkin.errors import MechanismError, NotModeledError, UnknownNameError
from groupkin.mechanism.parts import Joint
from groupkin.mechanism.subassemblies.part import Part
from groupkin.mechanism.values import Value, computed
from groupkin.messages import hint
from groupkin.tolerances import SAME_VECTOR

GLOBAL = ("S", "F")
"""Pairs whose freedoms are along and about the global axes."""

CHOSEN = ("FP", "PL")
"""Pairs with axes that are chosen by the global ones."""

Vector = tuple[Any, ...]


@dataclass(frozen=True)
class Move:
    """Where a part comes to lie: its name, the turn and the shift of its points, bodies that it shares."""

    part: Part
    turn: tuple[Vector, ...]
    shift: Vector
    same: Mapping[str, str]

    @property
    def moved(self) -> bool:
        """Whether directions of the part change."""
        return bool(self.part.mirror or self.part.turn)

    def name(self, text: str) -> str:
        """Put the name of the part before another."""
        return f"{self.part.name}/{text}"

    def body(self, text: str) -> str:
        """Name a body as in the whole."""
        return self.same.get(text) or self.name(text)

    def vector(self, x: Sequence[Any]) -> Vector:
        """Turn a direction; exactly where axes become axes."""
        return tuple(_product(row, x) for row in self.turn)

    def point(self, at: Any) -> Any:
        """Move a point, or the name of one."""
        if at is None or isinstance(at, str):
            return at if at in (None, "middle") else self.name(at)
        ways = zip(self.vector(at), self.shift, strict=True)
        return tuple(x if type(dx) is float and not dx else x + dx for x, dx in ways)

    def pseudovector(self, x: Sequence[Any]) -> Vector:
        """Turn a torque, which a mirror turns the other way."""
        return tuple(-c for c in self.vector(x)) if self.part.mirror else self.vector(x)

    def tensor(self, matrix: Sequence[Sequence[Any]]) -> tuple[Vector, ...]:
        """Turn a symmetric matrix."""
        columns = [self.vector(row) for row in matrix]
        turned = [self.vector(column) for column in zip(*columns, strict=True)]
        places = range(len(turned))
        return tuple(tuple(turned[min(i, j)][max(i, j)] for j in places) for i in places)  # symmetric to the last bit

    def sign(self, joint: Joint, freedom: str | None) -> float:
        """By what a coordinate of a joint is multiplied."""
        mechanism = self.part.mechanism
        freedoms = mechanism.freedoms(joint)
        chosen = next((each for each in freedoms if each.name == freedom), freedoms[0] if freedoms else None)
        if chosen is None or not self.moved:
            return 1.0
        if joint.type in CHOSEN or (joint.type in GLOBAL and self.part.turn):
            raise NotModeledError(
                f"part {self.part.name!r}: joint {joint.name!r} ({joint.type}) has coordinates along the global axes, "
                "which a turned or mirrored part does not keep: drive it, or let forces act in it, in the whole"
            )
        if not self.part.mirror:
            return 1.0
        across = joint.type in GLOBAL and "xyz"[chosen.axis] == self.part.mirror and mechanism.dimension == 3
        if joint.type in GLOBAL and not chosen.rotation:
            return -1.0 if "xyz"[chosen.axis] == self.part.mirror else 1.0
        return -1.0 if chosen.rotation and not across else 1.0


def move_of(part: Part, frame: str, points: Mapping[str, Any], dimension: int) -> Move:
    """Make the move of a part; `points` are those of the whole."""
    at: Any = part.at
    if isinstance(at, str):
        if at not in points:
            raise UnknownNameError(f"part {part.name!r} is at {at!r}, which is no named point{hint(at, points)}")
        at = points[at]
    if len(at) not in (0, dimension):
        raise MechanismError(f"part {part.name!r}: `at` must be a named point or {dimension} coordinates")
    axis = 2 if dimension == 2 else "xyz".index(part.axis)
    i, j = ((axis + 1) % 3, (axis + 2) % 3)
    rows = [[float(k == n) for n in range(dimension)] for k in range(dimension)]
    if part.turn:
        c, s = (_exact(computed(name, part.turn)) for name in ("cos", "sin"))
        rows[i][i], rows[i][j], rows[j][i], rows[j][j] = c, -s, s, c
    if part.mirror:
        k = "xyz".index(part.mirror)
        for row in rows:
            row[k] = -row[k]
    shift = tuple(x if isinstance(x, Value) else float(x) for x in at) or (0.0,) * dimension
    return Move(part, tuple(map(tuple, rows)), shift, {part.mechanism.frame: frame, **part.same})


def _exact(x: Any) -> Any:
    """Return the cosine of a right angle as zero, and of a straight one as one."""
    near = round(float(x))
    return float(near) if not isinstance(x, Value) and abs(x - near) <= SAME_VECTOR else x


def times(factor: Any, x: Any) -> Any:
    """Multiply, by one and minus one without a rounding or a formula."""
    if type(factor) is float and abs(factor) == 1.0:
        return x if factor > 0.0 else -x
    return factor * x


def _product(row: Vector, x: Sequence[Any]) -> Any:
    """Sum products, those with zero left out."""
    terms = [times(r, c) for r, c in zip(row, x, strict=True) if type(r) is not float or r]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
