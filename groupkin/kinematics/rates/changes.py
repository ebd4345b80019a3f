"""How changes of local geometry open joints and shift points, the bodies being where they are.

A change of the frame of a joint on a body, by a shift and a turn, moves what hangs on it by a twist. So the joint opens
by the difference of the twists on its two bodies, along the wrenches that it is cut by or as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from groupkin.kinematics.rates.freedoms import Line
from groupkin.kinematics.rates.vectors import Screw, Term
from groupkin.model.trees import padded
from sglibrary.code.graph import Expr

if TYPE_CHECKING:
    from groupkin.kinematics.rates.formulas import Formulas


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


def shifted(formulas: Formulas, body: str, change: Change) -> list[list[Term]]:
    """The shift (d,) of a point of a body, m, in global components: products; none if it stays."""
    d = formulas.vectors.dimension
    if change not in formulas.changed:
        return [[] for _ in range(d)]
    axes = [formulas.vectors.vector(Line(body, axis), False) for axis in np.eye(3)[:d]]
    inputs = formulas.changed[change]
    return [[(axis[i], x, 1.0) for axis, x in zip(axes, inputs, strict=True)] for i in range(d)]


def turned(formulas: Formulas, body: str, change: Change) -> list[list[Term]]:
    """The turn (1 or 3,) of a frame on a body, rad, in global components; see `shifted`."""
    vectors = formulas.vectors
    if change not in formulas.changed:
        return [[] for _ in range(vectors.components - vectors.dimension)]
    inputs = formulas.changed[change]
    if vectors.dimension == 2:
        return [[(vectors.one, inputs[0], 1.0)]]
    axes = [vectors.vector(Line(body, axis), False) for axis in np.eye(3)]
    return [[(axis[i], x, 1.0) for axis, x in zip(axes, inputs, strict=True)] for i in range(3)]


def opening(formulas: Formulas, name: str, wrenches: list[Screw] | None) -> list[Expr]:
    """By how much changes open a joint, the bodies being where they are: see `Gap`."""
    program, vectors = formulas.program, formulas.vectors
    joint, geometry = program.structure.solved_as.joint[name], program.solved_geometry.joints[name]
    parts: list[tuple[Screw, Expr, float]] = []
    for side, (body, sign) in enumerate(zip(joint.bodies, (1.0, -1.0), strict=True)):
        spins = vectors.components - vectors.dimension
        for i, terms in enumerate(shifted(formulas, body, Change("shift", name, side))):
            parts += [({spins + i: x}, y, sign * factor / vectors.length) for x, y, factor in terms]
        turn = Change("turn", name, side)
        if turn in formulas.changed:
            arm = vectors.arm(Line(body, padded(geometry.points[side])))
            turns = zip(_rotations(formulas, body, arm), formulas.changed[turn], strict=True)
            parts += [(twist, x, sign) for twist, x in turns]
    if wrenches is None:
        of_component = [[(twist[i], x, f) for twist, x, f in parts if i in twist] for i in range(vectors.components)]
        return [vectors.sum(terms) for terms in of_component]
    return [vectors.sum((vectors.power(wrench, twist), x, f) for twist, x, f in parts) for wrench in wrenches]


def _rotations(formulas: Formulas, body: str, arm: list[Expr]) -> list[Screw]:
    """Rotations about the axes of a body through a point."""
    vectors = formulas.vectors
    if vectors.dimension == 2:
        return [vectors.about_global(arm, 0)]
    return [vectors.about(arm, vectors.vector(Line(body, axis), False)) for axis in np.eye(3)]
