"""Equations of a group as values, with derivatives and Jacobian; for kinds see `sglibrary.iterative.equations`."""

from __future__ import annotations

from sglibrary.iterative.kinds import COINCIDE, CURVE, DISTANCE, DOT, LINEAR, OFFSET, TELESCOPE, TRANSLATION
from sglibrary.straight.frames import Frame, column, direction, point, speed, speed_up
from sglibrary.straight.group import Group
from sglibrary.straight.values import Value, Vector, axpy, cross, dot, fma, inverse, minus, plus, times


def _values(group: Group, frames: list[Frame], k: int) -> tuple[list[Value], Vector, Vector]:
    """Left-hand sides of an equation, and the line (f, m) or the two points by which unknowns enter it."""
    kind, f, s, move, data = group.equation(k)
    value = group.constant(data + 9)
    first, second = frames[f], frames[s]
    if kind == COINCIDE:
        x, y = point(first, group.vector(data))[0], point(second, group.vector(data + 3))[0]
        return list(minus(x, y)[: group.dimension]), x, y
    if kind == DOT:
        u, w = direction(first, group.vector(data))[0], direction(second, group.vector(data + 3))[0]
        return [dot(u, w) - value], group.still_vector(), cross(u, w)
    if kind == OFFSET:
        u = direction(first, group.vector(data))[0]
        x, y = point(first, group.vector(data + 6))[0], point(second, group.vector(data + 3))[0]
        return [dot(u, minus(y, x)) - value], u, cross(u, y)
    x, y = point(first, group.vector(data))[0], point(second, group.vector(data + 3))[0]
    way, share = minus(y, x), inverse(value)
    line, rest = times(share, way), -(value * value)
    if kind == TELESCOPE:
        s_value = group.driver(move, "q")
        offset = group.constant(data + 7)
        rest = -fma(fma(group.graph.number(2.0), offset, s_value), s_value, group.constant(data + 6))
    return [(dot(way, way) + rest) * (share * 0.5)], line, cross(line, y)


def _moving(group: Group, frames: list[Frame], k: int, order: int) -> list[Value]:
    """First or second derivative of the left-hand sides of an equation, those of frames being known."""
    kind, f, s, move, data = group.equation(k)
    first, second, two = frames[f], frames[s], group.graph.number(2.0)
    if kind in (COINCIDE, DISTANCE, TELESCOPE):
        x, y = point(first, group.vector(data)), point(second, group.vector(data + 3))
        if kind == COINCIDE:
            return list(minus(x[order], y[order])[: group.dimension])
        way, rate, share = minus(y[0], x[0]), minus(y[1], x[1]), inverse(group.constant(data + 9))
        change = dot(way, rate) if order == 1 else dot(way, minus(y[2], x[2])) + dot(rate, rate)
        if kind == TELESCOPE:
            ahead, moved = group.constant(data + 7) + group.driver(move, "q"), group.driver(move, "v")
            change = change - (ahead * moved if order == 1 else fma(moved, moved, ahead * group.driver(move, "a")))
        return [share * change]
    u, w = direction(first, group.vector(data)), direction(second, group.vector(data + 3))
    if kind == OFFSET:
        x, y = point(first, group.vector(data + 6)), point(second, group.vector(data + 3))
        w = minus(y[0], x[0]), minus(y[1], x[1]), minus(y[2], x[2])
    if order == 1:
        return [dot(u[1], w[0]) + dot(u[0], w[1])]
    return [dot(u[2], w[0]) + fma(two, dot(u[1], w[1]), dot(u[0], w[2]))]


def _linear(group: Group, k: int, kind: str, values: list[Value]) -> Value:
    """Left-hand side of a linear relation of moves, or a derivative of it, but for its constant."""
    _, f, s, _, data = group.equation(k)
    total = group.zero()
    for i, m in enumerate((f, s)):
        unknown = group.move(m)[3]
        total = fma(group.constant(data + i), values[unknown] if unknown >= 0 else group.driver(m, kind), total)
    return total


def equations(group: Group, frames: list[Frame], first: int) -> tuple[list[Value], list[list[Value]]]:
    """Left-hand sides of all equations, and the Jacobian."""
    sides: list[Value] = []
    matrix: list[list[Value]] = []
    axes = unknown_axes(group, frames)
    for k in range(group.equations):
        kind, _, _, _, data = group.equation(k)
        if kind == LINEAR:
            values = [group.unknown(first, u) for u in range(group.unknowns)]
            sides.append(_linear(group, k, "q", values) - group.constant(data + 9))
            shares = {1: group.constant(data), -1: group.constant(data + 1), 0: group.zero()}
            matrix.append([shares[group.sign(k, u)] for u in range(group.unknowns)])
            continue
        values, force, moment = _values(group, frames, k)
        sides += values
        for i in range(len(values)):
            row = []
            for u, (axis, at) in enumerate(axes):
                sign = group.sign(k, u)
                if not sign:
                    row.append(group.zero())
                elif kind == COINCIDE:
                    row.append(plus(cross(axis, force if sign > 0 else moment), at)[i] * float(sign))
                else:
                    row.append((dot(axis, moment) - dot(force, at)) * float(sign))
            matrix.append(row)
    return sides, matrix


def unknown_axes(group: Group, frames: list[Frame]) -> list[tuple[Vector, Vector]]:
    """The velocity of the frame of every unknown, as axis and moment about the origin of the first frame."""
    found: dict[int, tuple[Vector, Vector]] = {}
    for m in range(group.tree):
        _, kind, axis, unknown, _ = group.move(m)
        frame = frames[group.solved + m]
        if unknown < 0:
            continue
        along = column(frame.turn, 0 if kind == CURVE else axis)
        if kind == TRANSLATION:
            found[unknown] = group.still_vector(), along
        elif kind == CURVE:
            turn = times(group.curve(m, 6), column(frame.turn, 2))
            found[unknown] = turn, axpy(group.curve(m, 4), along, cross(frame.origin, turn))
        else:
            found[unknown] = along, cross(frame.origin, along)
    return [found[u] for u in range(group.unknowns)]


def derivatives(group: Group, frames: list[Frame], rates: list[Value], gains: list[Value], order: int) -> list[Value]:
    """Right-hand sides for the rates, or with these for the second derivatives of the unknowns."""
    moved = list(frames)
    for m in range(group.tree):
        speed(group, moved, m, rates)
        if order == 2:
            speed_up(group, moved, m, rates, gains)
    found: list[Value] = []
    for k in range(group.equations):
        if group.equation(k)[0] == LINEAR:
            found.append(_linear(group, k, "v" if order == 1 else "a", [group.zero()] * group.unknowns))
        else:
            found += _moving(group, moved, k, order)
    return [-x for x in found]
