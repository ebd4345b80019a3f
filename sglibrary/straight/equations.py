"""Equations of the joints that were cut as values, their derivatives by time, and their Jacobian by the unknowns.

All are products of two vectors fixed in frames, or relations between moves; lengths count relative to the size of the
mechanism.

========== ======================================= ==========================================================
kind       left-hand side                          vectors
========== ======================================= ==========================================================
COINCIDE   X - Y (as many rows as dimensions)      X in the first frame, Y in the second
DOT        u · w - value                           u in the first frame, w in the second
OFFSET     u · (Y - X) - value                     u and X (third vector) in the first frame, Y in the second
DISTANCE   (|Y - X|² - value²) / (2 value)         X in the first frame, Y in the second
TELESCOPE  (|Y - X|² - l²) / (2 value)             as DISTANCE; l² = c1 + 2 c2 s + s² of a driven move s, and
                                                   c1 and c2 the first two components of the third vector
LINEAR     c1 x1 + c2 x2 - value                   c1, c2: first two components; x1, x2: moves, not frames
FORMULA    a formula of moves                      none (`sglibrary.straight.relations`)
TABLE      a move less a spline of another         none
FUNCTION   a function of moves                     none
========== ======================================= ==========================================================

An unknown moves what hangs on it with a velocity a × (X - o) = a × X + p, p = o × a, where a is its axis through o (for
a displacement along d: a = 0, p = d; along a curve: a = θ' z, p = c' + o × a). All entries of the Jacobian then are
products of (a, p) with a line of the equation: for DOT (0, u × w), for OFFSET (u, u × Y).
"""

from __future__ import annotations

from sglibrary.code.graph import Expr, Vector, axpy, cross, dot, fma, inverse, minus, plus, root, select, times
from sglibrary.iterative.kinds import (
    BALL,
    BETWEEN_MOVES,
    COINCIDE,
    CURVE,
    DISTANCE,
    DOT,
    LINEAR,
    OFFSET,
    TELESCOPE,
    TRANSLATION,
)
from sglibrary.straight.frames import Frame, column, direction, point, speed, speed_up
from sglibrary.straight.group import Group
from sglibrary.straight.relations import relation


def _values(group: Group, frames: list[Frame], k: int) -> tuple[list[Expr], Vector, Vector]:
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


def _moving(group: Group, frames: list[Frame], k: int, order: int) -> list[Expr]:
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


def _line(group: Group, k: int, first: int) -> tuple[Expr, list[Expr]]:
    """Left-hand side of a relation of moves, and its derivatives by the unknowns."""
    of, row = relation(group, k, first), [group.zero()] * group.unknowns
    for m, slope in zip(of.moves, of.slopes, strict=True):
        u = group.move(m)[3]
        if u >= 0:
            row[u] = slope
    return of.value - group.constant(group.equation(k)[4] + 9), row


def equations(group: Group, frames: list[Frame], first: int) -> tuple[list[Expr], list[list[Expr]]]:
    """Left-hand sides of all equations, and the Jacobian."""
    sides: list[Expr] = []
    matrix: list[list[Expr]] = []
    axes = unknown_axes(group, frames)
    for k in range(group.equations):
        kind = group.equation(k)[0]
        if kind in BETWEEN_MOVES:
            value, row = _line(group, k, first)
            sides.append(value)
            matrix.append(row)
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
        unknown = group.move(m)[3]
        if unknown >= 0:
            found |= {unknown + i: axes for i, axes in enumerate(move_axes(group, frames, m))}
    return [found[u] for u in range(group.unknowns)]


def move_axes(group: Group, frames: list[Frame], m: int) -> list[tuple[Vector, Vector]]:
    """The velocity of the frame of a move at unit rate, as axis and moment; of a ball about three axes."""
    _, kind, axis, _, _ = group.move(m)
    frame = frames[group.solved + m]
    along = column(frame.turn, 0 if kind in (CURVE, BALL) else axis)
    if kind == BALL:
        return [(column(frame.turn, i), cross(frame.origin, column(frame.turn, i))) for i in range(3)]
    if kind == TRANSLATION:
        return [(group.still_vector(), along)]
    if kind == CURVE:
        turn = times(group.curve(m, 6), column(frame.turn, 2))
        return [(turn, axpy(group.curve(m, 4), along, cross(frame.origin, turn)))]
    return [(along, cross(frame.origin, along))]


def most_moved(group: Group, frames: list[Frame]) -> Expr:
    """The most that a move, free or driven, changes what an equation compares, per unit: the scale of the Jacobian.

    It is the speed of the second point, of DOT the angular velocity, of a formula the slope. A relation of two moves
    with constant slopes has no scale but its own.
    """
    most = group.zero()
    for k in range(group.equations):
        kind, first, second, _, data = group.equation(k)
        if kind in BETWEEN_MOVES:
            slopes = [] if kind == LINEAR else relation(group, k, group.places.after).slopes
            squares = [slope * slope for slope in slopes]
        else:
            end = point(frames[second], group.vector(data + 3))[0]
            moves = sorted(group.paths[first] ^ group.paths[second])
            axes = [each for m in moves for each in move_axes(group, frames, m)]
            ways = [axis if kind == DOT else plus(cross(axis, end), at) for axis, at in axes]
            squares = [dot(way, way) for way in ways]
        for square in squares:
            most = select(most, square, most, square)
    return root(most)


def derivatives(group: Group, frames: list[Frame], rates: list[Expr], gains: list[Expr], order: int) -> list[Expr]:
    """Right-hand sides for the rates, or with these for the second derivatives of the unknowns."""
    moved = list(frames)
    for m in range(group.tree):
        speed(group, moved, m, rates)
        if order == 2:
            speed_up(group, moved, m, rates, gains)
    found: list[Expr] = []
    for k in range(group.equations):
        if group.equation(k)[0] in BETWEEN_MOVES:
            of = relation(group, k, group.places.after)
            found.append(of.rate(rates) if order == 1 else of.acceleration(rates, gains))
        else:
            found += _moving(group, moved, k, order)
    return [-x for x in found]
