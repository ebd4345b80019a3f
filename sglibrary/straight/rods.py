"""Rods: bodies between two points, which need no unknowns of their own.

The distance of the two points is an equation of the others (DISTANCE, TELESCOPE). Once these are placed, a rod hangs on
the joint at its foot, a hinge or a universal joint, such that its tip meets the other end. A telescope has a driven
slide before the tip.

With w the way from end to end, u the axis of the joint on the body that the rod hangs on, and e that on the rod, the
conditions e · u = h, e · w = c and |e| = 1 give

    e = x u + y w + z (u × w),  y = (c - h u · w) / n,  x = h - y u · w,  z = ± √((1 - x h - y c) / n),  n = |u × w|²,

where the sign is that of the reference configuration; of a hinge e = u. The parts of w and of the tip across e give the
rotation. Angular velocity ω₀ + θ₁' u + θ₂' e and acceleration follow from the tip's, which are those of the other end:
what is missing of them, g, is θ₁ u × w + θ₂ e × w, so θ₁ = g · e / D and θ₂ = - g · u / D with D = e · (u × w).
"""

from __future__ import annotations

from sglibrary.code.graph import (
    Expr,
    Vector,
    axpy,
    cross,
    dot,
    fma,
    inverse,
    inverse_root,
    least,
    minus,
    plus,
    root,
    times,
)
from sglibrary.straight.frames import Frame, Moving, column, place, point, speed, speed_up, turned
from sglibrary.straight.group import Group
from sglibrary.straight.quaternions import Turn


def placed_rod(group: Group, frames: list[Frame], r: int, sine: Expr) -> Expr:
    """Add the frames of a rod whose ends are placed; the least of `sine` and its own."""
    first, axes, count, other = group.scheme.rods[r]
    parent, axis = group.move(first)[0], group.move(first)[2]
    before, data, rod = frames[parent], group.move_data + 13 * first, group.rod_data + 7 * r
    u = turned(before.turn, column(group.matrix(data), axis))
    foot, end = point(before, group.vector(data + 9)), point(frames[other], group.vector(rod + 3))
    way = minus(end[0], foot[0])
    along = group.move(first + axes - 1)[2]
    tip, travel = _tip(group, first + axes if count > axes else -1, rod, along)
    slide = [group.driver(first + axes, kind) if count > axes else group.zero() for kind in "qva"]
    b = axpy(slide[0], travel, tip)
    lean, across = dot(u, way), cross(u, way)
    square = dot(across, across)
    if axes == 1:
        e, own = u, root(square * inverse(dot(way, way)))
    else:
        height = group.constant(group.move_data + 13 * (first + 1) + 3 * axis + along)
        y = (b[2] - height * lean) * inverse(square)
        x = height - y * lean
        side = group.constant(rod + 6)
        z = side * root((1.0 - x * height - y * b[2]) * inverse(square))
        e = axpy(x, u, axpy(y, way, times(z, across)))
        own = side * z * square * inverse(root(fma(lean, lean, square)))
    columns = _columns(e, way, b)
    sliding = axpy(travel[0], columns[0], axpy(travel[1], columns[1], times(travel[2], e)))
    assert before.spin is not None
    assert before.rise is not None
    spin, rise = before.spin, before.rise
    if axes == 1:
        share = inverse(square)
        rate = dot(_missing(foot, end, way, spin, rise, slide, sliding)[0], across) * share
        rise, spin = axpy(rate, cross(spin, u), rise), axpy(rate, u, spin)
        rise = axpy(dot(_missing(foot, end, way, spin, rise, slide, sliding)[1], across) * share, u, rise)
    else:
        share = inverse(z * square)
        rest = _missing(foot, end, way, spin, rise, slide, sliding)[0]
        rate, other_rate = dot(rest, e) * share, -(dot(rest, u) * share)
        middle = axpy(rate, u, spin)
        rise = plus(rise, plus(times(rate, cross(spin, u)), times(other_rate, cross(middle, e))))
        spin = axpy(other_rate, e, middle)
        rest = _missing(foot, end, way, spin, rise, slide, sliding)[1]
        rise = axpy(dot(rest, e) * share, u, axpy(-(dot(rest, u) * share), e, rise))
    frame = Frame(foot[0], _turn(group, columns, e, along), foot[1], spin, foot[2], rise)
    frames += [frame] * axes
    for m in range(first + axes, first + count):
        place(group, frames, m, 0)
        speed(group, frames, m, [])
        speed_up(group, frames, m, [], [])
    return least(sine, own)


def _tip(group: Group, slide: int, rod: int, along: int) -> tuple[Vector, Vector]:
    """The tip of a rod, and how it travels with its slide, across the axis of the last rotation first, then along."""
    tip, travel = group.vector(rod), group.still_vector()
    if slide >= 0:
        data = group.move_data + 13 * slide
        turn = group.matrix(data)
        tip, travel = plus(group.vector(data + 9), turned(turn, tip)), column(turn, group.move(slide)[2])
    i, k = (along + 1) % 3, (along + 2) % 3
    return (tip[i], tip[k], tip[along]), (travel[i], travel[k], travel[along])


def _columns(e: Vector, way: Vector, b: Vector) -> tuple[Vector, Vector]:
    """Columns of the rotation across the axis e, that takes b, across and along e, to `way`."""
    p = axpy(-b[2], e, way)
    p = times(inverse_root(dot(p, p) * fma(b[0], b[0], b[1] * b[1])), p)
    q = cross(e, p)
    return axpy(b[0], p, times(-b[1], q)), axpy(b[1], p, times(b[0], q))


def _turn(group: Group, columns: tuple[Vector, Vector], e: Vector, along: int) -> Turn:
    (x, y), zero = columns, group.zero()
    if group.dimension == 2:
        return (x[0], -x[1], zero), (x[1], x[0], zero), (zero, zero, group.graph.number(1.0))
    placed = [x, x, x]
    placed[(along + 1) % 3], placed[(along + 2) % 3], placed[along] = x, y, e
    rows = list(zip(*placed, strict=True))
    return rows[0], rows[1], rows[2]


def _missing(
    foot: Moving, end: Moving, way: Vector, spin: Vector, rise: Vector, slide: list[Expr], along: Vector
) -> tuple[Vector, Vector]:
    """What the tip lacks of the velocity of the other end and, with `rise`, of its acceleration."""
    whirl, two = cross(spin, way), way[0].graph.number(2.0)
    velocity = minus(minus(end[1], foot[1]), axpy(slide[1], along, whirl))
    turning = plus(cross(rise, way), cross(spin, whirl))
    sliding = axpy(slide[2], along, times(two * slide[1], cross(spin, along)))
    return velocity, minus(minus(end[2], foot[2]), plus(turning, sliding))
