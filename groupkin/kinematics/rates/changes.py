"""How changes of local geometry open joints and shift points, the bodies being where they are.

A change of the frame of a joint on a body, by a shift and a turn, moves what hangs on it by a twist. So the joint opens
by the difference of the twists on its two bodies, along the wrenches that it is cut by or as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from groupkin.kinematics.rates.freedoms import Line
from groupkin.kinematics.rates.sheet_builder import Builder, Term, Vector
from groupkin.model.trees import padded


@dataclass(frozen=True)
class Change:
    """Inputs that change local geometry: by how much, in components of the body.

    Attributes
    ----------
    kind : str
        "shift" of the origin of a joint's frame, m; "turn" of the frame about its origin, rad; shift of a named
        "point", or of the "origin" of a body, m.
    name : str
        Of the joint, point or body.
    side : int
        Of a joint: which of its two bodies.
    """

    kind: Literal["shift", "turn", "point", "origin"]
    name: str
    side: int = 0

    def count(self, dimension: int) -> int:
        """How many inputs there are."""
        return 1 if self.kind == "turn" and dimension == 2 else dimension


def shifted(b: Builder, body: str, change: Change) -> list[list[Term]]:
    """The shift (d,) of a point of a body, m, in global components: rows and inputs of each; none if it stays."""
    if change not in b.changes:
        return [[] for _ in range(b.dimension)]
    first, d = b.changes[change], b.dimension
    axes = [b.vector(Line(body, axis), False) for axis in np.eye(3)[:d]]
    return [[(axis + i, first + k, 1.0) for k, axis in enumerate(axes)] for i in range(d)]


def turned(b: Builder, body: str, change: Change) -> list[list[Term]]:
    """The turn (1 or 3,) of a frame on a body, rad, in global components; see `shifted`."""
    if change not in b.changes:
        return [[] for _ in range(b.components - b.dimension)]
    first = b.changes[change]
    if b.dimension == 2:
        return [[(b.one, first, 1.0)]]
    axes = [b.vector(Line(body, axis), False) for axis in np.eye(3)]
    return [[(axis + i, first + k, 1.0) for k, axis in enumerate(axes)] for i in range(3)]


def opening(b: Builder, name: str, wrenches: list[Vector] | None) -> list[list[Term]]:
    """By how much changes open a joint, the bodies being where they are: see `Gap`."""
    joint, geometry = b.program.structure.solved_as.joint[name], b.program.solved_geometry.joints[name]
    parts: list[tuple[Vector, int, float]] = []
    for side, (body, sign) in enumerate(zip(joint.bodies, (1.0, -1.0), strict=True)):
        spins = b.components - b.dimension
        for i, terms in enumerate(shifted(b, body, Change("shift", name, side))):
            parts += [(((spins + i, row),), k, sign * f / b.length) for row, k, f in terms]
        turn = Change("turn", name, side)
        if turn in b.changes:
            arm = b.arm(Line(body, padded(geometry.points[side])))
            for k in range(turn.count(b.dimension)):
                parts.append((_rotation(b, body, arm, k), b.changes[turn] + k, sign))
    if wrenches is None:
        return [[(row, k, f) for twist, k, f in parts for i, row in twist if i == c] for c in range(b.components)]
    sums: list[list[Term]] = [[] for _ in wrenches]
    for terms, wrench in zip(sums, map(dict, wrenches), strict=True):
        for twist, k, factor in parts:
            row = b.total([(wrench[i], row, 1.0) for i, row in twist if i in wrench])
            terms += [(row, k, factor)] if row != b.zero else []
    return sums


def _rotation(b: Builder, body: str, arm: int, k: int) -> Vector:
    """Rotation about an axis of a body through a point."""
    if b.dimension == 2:
        return b.about(arm, 0)
    axis = b.vector(Line(body, np.eye(3)[k]), False)
    moment = b.cross(arm, axis)
    return tuple((i, axis + i) for i in range(3)) + tuple((3 + i, moment + i) for i in range(3))
