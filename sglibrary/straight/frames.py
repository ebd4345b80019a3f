"""Frames of solved bodies and of a tree of moves, as values, relative to the first frame and its motion.

An unknown is the size of a move along or about a column of the rotation of the frame that it leads to; the three
unknowns of a ball are the components of its angular velocity in that frame. The axis of a move along a curve is the
number of its curve (`sglibrary.iterative.curves`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sglibrary import trigonometry
from sglibrary.code.graph import Expr, Vector, axpy, cross, dot, floor, fma, inverse, minus, plus, select, times
from sglibrary.iterative.kinds import BALL, CURVE, TRANSLATION
from sglibrary.straight.group import Group
from sglibrary.straight.quaternions import Turn, rotation


@dataclass(frozen=True)
class Frame:
    """A frame, relative to the first one: origin, rotation, and with derivatives where these are known."""

    origin: Vector
    turn: Turn
    velocity: Vector | None = None
    spin: Vector | None = None
    acceleration: Vector | None = None
    rise: Vector | None = None


def turned(turn: Turn, u: Vector) -> Vector:
    return dot(turn[0], u), dot(turn[1], u), dot(turn[2], u)


def column(turn: Turn, k: int) -> Vector:
    return turn[0][k], turn[1][k], turn[2][k]


def product(left: Turn, right: Turn, dimension: int) -> Turn:
    if dimension == 2:
        zero = left[0][2]
        cosine = fma(left[0][0], right[0][0], -(left[1][0] * right[1][0]))
        sine = fma(left[1][0], right[0][0], left[0][0] * right[1][0])
        return (cosine, -sine, zero), (sine, cosine, zero), left[2]
    rows = [tuple(dot(row, column(right, k)) for k in range(3)) for row in left]
    return rows[0], rows[1], rows[2]  # type: ignore[return-value]


def about(turn: Turn, axis: int, cosine: Expr, sine: Expr, dimension: int) -> Turn:
    """Turn the two other columns of a rotation about one."""
    if dimension == 2:
        zero, one = turn[0][2], turn[2][2]
        return product(turn, ((cosine, -sine, zero), (sine, cosine, zero), (zero, zero, one)), 2)
    s, t, rows = (axis + 1) % 3, (axis + 2) % 3, []
    for row in turn:
        new = list(row)
        new[s] = fma(cosine, row[s], sine * row[t])
        new[t] = fma(cosine, row[t], -(sine * row[s]))
        rows.append((new[0], new[1], new[2]))
    return rows[0], rows[1], rows[2]


def cosine_sine(x: Expr) -> tuple[Expr, Expr]:
    """`sglibrary.trigonometry.cosine_sine` of an angle that is not far."""
    number = x.graph.number
    n = floor(fma(x, number(2.0 / np.pi), number(0.5)))
    r = fma(n, number(-trigonometry.LOW), fma(n, number(-trigonometry.MIDDLE), fma(n, number(-trigonometry.HIGH), x)))
    z = r * r

    def polynomial(p: tuple[float, ...]) -> Expr:
        found = number(p[-1])
        for share in p[-2::-1]:
            found = fma(z, found, number(share))
        return found

    s = fma(r * z, polynomial(trigonometry.SINE), r)
    c = fma(z * z, polynomial(trigonometry.COSINE), fma(number(-0.5), z, number(1.0)))
    quarter = fma(number(-4.0), floor(n * 0.25), n)
    half = floor(quarter * 0.5)
    odd, one = fma(number(-2.0), half, quarter), number(1.0)
    first, second = select(odd, one, s, c), select(odd, one, c, s)
    # the cosine is negative in the second and third quarter, the sine in the last two
    middle = fma(number(-2.0) * half, odd, half + odd)
    return select(middle, one, -first, first), select(half, one, -second, second)


def solved_frame(group: Group, k: int) -> tuple[Frame, Vector, Vector, Vector]:
    """The frame of a solved body relative to its point's motion; and what the origin adds to its point, and so on."""
    width, data, number = group.vectors - 1, group.solved_data + 12 * k, group.graph.number
    first = group.solved + width * k
    triad = {kind: [group.read(kind, first + i) for i in range(width)] for kind in "qva"}
    if group.dimension == 2:
        e, zero = triad["q"][0], number(0.0)
        seen: Turn = ((e[0], -e[1], zero), (e[1], e[0], zero), (zero, zero, number(1.0)))
        spin = zero, zero, cross(e, triad["v"][0])[2]
        rise = zero, zero, cross(e, triad["a"][0])[2]
    else:
        x, y, z = triad["q"]
        seen = tuple(zip(x, y, z, strict=True))  # type: ignore[assignment]
        spin, rise = (
            times(number(0.5), plus(plus(cross(x, d[0]), cross(y, d[1])), cross(z, d[2])))
            for d in (triad["v"], triad["a"])
        )
    x, y, z = group.matrix(data + 3)
    turn = product(seen, (column((x, y, z), 0), column((x, y, z), 1), column((x, y, z), 2)), group.dimension)
    arm = turned(turn, times(number(-1.0), group.vector(data)))
    speed = cross(spin, arm)
    gain = plus(cross(rise, arm), cross(spin, speed))
    own = Frame(arm, turn, speed, spin, gain, rise)
    return own, group.read("q", k), group.read("v", k), group.read("a", k)


def solved_frames(group: Group) -> tuple[list[Frame], tuple[Vector, Vector, Vector]]:
    """Frames of the solved bodies, and position, velocity and acceleration of the first one, m."""
    size, share = group.constant(0), inverse(group.constant(0))
    found = [solved_frame(group, k) for k in range(group.solved)]
    own = found[0][0]
    assert own.velocity is not None
    assert own.acceleration is not None
    base = tuple(
        axpy(size, of_origin, of_point)
        for of_origin, of_point in zip((own.origin, own.velocity, own.acceleration), found[0][1:], strict=True)
    )
    still = group.still_vector()
    frames = [replace(own, origin=still, velocity=still, acceleration=still)]
    for frame, *of_point in found[1:]:
        arms = frame.origin, frame.velocity, frame.acceleration
        moved = [axpy(share, minus(x, b), arm) for x, b, arm in zip(of_point, base, arms, strict=True)]  # type: ignore[arg-type]
        frames.append(replace(frame, origin=moved[0], velocity=moved[1], acceleration=moved[2]))
    return frames, base  # type: ignore[return-value]


def place(group: Group, frames: list[Frame], m: int, first: int) -> None:
    """Add the frame that a move leads to; unknowns are in working memory from row `first` on."""
    parent, kind, axis, _, _ = group.move(m)
    data, before = group.move_data + 13 * m, frames[parent]
    origin = plus(before.origin, turned(before.turn, group.vector(data + 9)))
    turn = product(before.turn, group.matrix(data), group.dimension)
    if kind == CURVE:
        origin = axpy(group.curve(m, 0), column(turn, 0), axpy(group.curve(m, 1), column(turn, 1), origin))
        turn = about(turn, 2, group.curve(m, 2), group.curve(m, 3), group.dimension)
    elif kind == BALL:
        turn = product(turn, rotation(group.variables_of(m, first)), group.dimension)
    elif kind == TRANSLATION:
        origin = axpy(group.value(m, first), column(turn, axis), origin)
    else:
        turn = about(turn, axis, *cosine_sine(group.value(m, first)), group.dimension)
    frames.append(Frame(origin, turn))


def _three(x: list[Expr], u: int) -> Vector:
    """The unknowns of a ball: angular velocity, or a derivative, in the frame that it leads to."""
    return x[u], x[u + 1], x[u + 2]


def speed(group: Group, frames: list[Frame], m: int, rates: list[Expr]) -> None:
    """Velocities of the frame that a move leads to, from the rates of the unknowns."""
    parent, kind, axis, unknown, _ = group.move(m)
    before, at = frames[parent], group.solved + m
    frame = frames[at]
    assert before.velocity is not None
    assert before.spin is not None
    velocity = plus(before.velocity, cross(before.spin, minus(frame.origin, before.origin)))
    rate, spin = rates[unknown] if unknown >= 0 else group.driver(m, "v"), before.spin
    if kind == BALL:
        spin = plus(spin, turned(frame.turn, _three(rates, unknown)))
    elif kind == CURVE:
        velocity = axpy(rate * group.curve(m, 4), column(frame.turn, 0), velocity)
        spin = axpy(rate * group.curve(m, 6), column(frame.turn, 2), spin)
    elif kind == TRANSLATION:
        velocity = axpy(rate, column(frame.turn, axis), velocity)
    else:
        spin = axpy(rate, column(frame.turn, axis), spin)
    frames[at] = replace(frame, velocity=velocity, spin=spin)


def speed_up(group: Group, frames: list[Frame], m: int, rates: list[Expr], gains: list[Expr]) -> None:
    """Accelerations of the frame that a move leads to, after `speed`."""
    parent, kind, axis, unknown, _ = group.move(m)
    before, at = frames[parent], group.solved + m
    frame = frames[at]
    assert before.spin is not None
    assert before.acceleration is not None
    assert before.rise is not None
    spin, arm, two = before.spin, minus(frame.origin, before.origin), group.graph.number(2.0)
    acceleration = plus(before.acceleration, plus(cross(before.rise, arm), cross(spin, cross(spin, arm))))
    rise = before.rise
    rate = rates[unknown] if unknown >= 0 else group.driver(m, "v")
    gain = gains[unknown] if unknown >= 0 else group.driver(m, "a")
    along = column(frame.turn, axis if kind != CURVE else 0)
    if kind == BALL:
        own = turned(frame.turn, _three(rates, unknown))
        rise = plus(rise, plus(turned(frame.turn, _three(gains, unknown)), cross(spin, own)))
    elif kind == CURVE:
        square, upright = rate * rate, column(frame.turn, 2)
        slope, bend, turn, turning = (group.curve(m, k) for k in range(4, 8))
        acceleration = axpy(fma(gain, slope, square * bend), along, acceleration)
        acceleration = axpy(square * slope * turn, column(frame.turn, 1), acceleration)
        acceleration = axpy(two * rate * slope, cross(spin, along), acceleration)
        rise = axpy(fma(gain, turn, square * turning), upright, axpy(rate * turn, cross(spin, upright), rise))
    elif kind == TRANSLATION:
        acceleration = axpy(gain, along, axpy(two * rate, cross(spin, along), acceleration))
    else:
        rise = axpy(gain, along, axpy(rate, cross(spin, along), rise))
    frames[at] = replace(frame, acceleration=acceleration, rise=rise)


Moving = tuple[Vector, Vector, Vector]
"""A point or direction with its derivatives."""


def direction(frame: Frame, local: Vector) -> Moving:
    """A direction of a frame with its derivatives."""
    arm = turned(frame.turn, local)
    if frame.spin is None:
        return arm, arm, arm
    rate = cross(frame.spin, arm)
    return arm, rate, rate if frame.rise is None else plus(cross(frame.rise, arm), cross(frame.spin, rate))


def point(frame: Frame, local: Vector) -> Moving:
    """A point of a frame with its derivatives."""
    arm, rate, gain = direction(frame, local)
    return (
        plus(frame.origin, arm),
        rate if frame.velocity is None else plus(frame.velocity, rate),
        gain if frame.acceleration is None else plus(frame.acceleration, gain),
    )
