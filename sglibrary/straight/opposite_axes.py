"""Roots of products of axes at which these are opposite, though they should point alike."""

from __future__ import annotations

from sglibrary.code.graph import Expr, Vector, cross, dot, select
from sglibrary.iterative.kinds import CURVE, DOT
from sglibrary.straight.frames import Frame, direction
from sglibrary.straight.group import Group


def opposite(group: Group, frames: list[Frame]) -> Expr:
    """1 where axes that should point alike are opposite, at another root of products that only make them parallel.

    Products of two frames come one after another: of one axis with the second in the plane, of one with two others, or
    of three axes with those after them (`groupkin.mechanism.pairs`). A single one in space holds an angle.
    """
    graph, found = group.graph, group.zero()
    for pairs in _products(group, frames):
        if group.dimension == 2:
            (u, (x, y, z)), *_ = pairs
            alike = [dot(u, (y, -x, z))]
        elif len(pairs) == 2:
            alike = [dot(pairs[0][0], cross(pairs[0][1], pairs[1][1]))]
        elif len(pairs) == 3:
            alike = [dot(pairs[k][0], pairs[k - 1][1]) for k in range(3)]
        else:
            continue
        for value in alike:
            found = select(value, group.zero(), found, graph.number(1.0))
    return found


def _products(group: Group, frames: list[Frame]) -> list[list[tuple[Vector, Vector]]]:
    """The two axes in each product of axes, of products of the same frames together; in the plane each by itself.

    Two curves touch each other with tangents that are alike or opposite, and are left out.
    """
    found, before = list[list[tuple[Vector, Vector]]](), (-1, -1, -1)
    for k in range(group.equations):
        kind, f, s, _, data = group.equation(k)
        if kind == DOT and not (_on_curve(group, f) and _on_curve(group, s)):
            if group.dimension == 2 or (kind, f, s) != before:
                found.append([])
            axes = direction(frames[f], group.vector(data))[0], direction(frames[s], group.vector(data + 3))[0]
            found[-1].append(axes)
        before = kind, f, s
    return found


def _on_curve(group: Group, frame: int) -> bool:
    return frame >= group.solved and group.move(frame - group.solved)[1] == CURVE
