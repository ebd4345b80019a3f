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

import math

import numpy as np

from sglibrary.convention import allocating, formula, inlined, kernel
from sglibrary.iterative.moves import gains, place, rates
from sglibrary.vectors import axpy, cross, dot, get, lessen, minus, plus, put, read, sqrt, times, write


@allocating
def aim(x, frames, rate, gain, tables, sine):
    """Place all rods, whose ends are placed, with velocity and acceleration.

    Writes into `sine` (width,) how far they are from where they may turn over, as the least of all rods: the sine of
    the angle between rod and hinge, or of that between e and the plane of rod and u; NaN where a rod does not reach
    its other end.
    """
    vectors, turns, driven, _, _ = frames
    moves, (rows, data) = tables.moves, tables.rods
    width = turns.shape[2]
    rows_of = vectors.reshape(-1, width), turns.reshape(-1, width), driven.reshape(-1, width)
    numbers = np.empty(17)
    for j in range(width):
        sine[j] = 1.0
    for r in range(rows.shape[0]):
        first, axes, count = rows[r, 0], rows[r, 1], rows[r, 2]
        _prepare(moves, rows[r], data[r], numbers)
        places = moves.rows[first, 0], tables.solved.rows.shape[0] + first + axes - 1, rows[r, 3]
        axis, slide = moves.rows[first + axes - 1, 2], first + axes if count > axes else first
        if axes == 2:
            _on_universal_joint(rows_of, places, axis, slide, numbers, sine)
        else:
            _on_hinge(rows_of, places, axis, slide, numbers, sine)
        place(x, frames, moves, tables.curves, first + axes, first + count)
        rates(frames, rate, moves.rows, first + axes, first + count)
        gains(frames, rate, gain, moves.rows, first + axes, first + count)


@kernel
def _prepare(moves, row, data, out):
    """Numbers of a rod: u and the foot where it hangs, the other end there, tip and slide on the rod, h, the side.

    Tip and slide in the frame after the rotations, their components across e first, then along it.
    """
    first, axes, count = row[0], row[1], row[2]
    turn, axis = moves.data[first, 0:9], moves.rows[first, 2]
    for i in range(3):
        out[i] = turn[3 * i + axis]
        out[3 + i] = moves.data[first, 9 + i]
        out[6 + i] = data[3 + i]
    along = moves.rows[first + axes - 1, 2]
    for i in range(3):
        k = (along + 1 + i) % 3
        out[9 + i], out[12 + i] = data[k], 0.0
        if count > axes:
            m = first + axes
            turn = moves.data[m, 0:9]
            out[9 + i], out[12 + i] = moves.data[m, 9 + k], turn[3 * k + moves.rows[m, 2]]
            for c in range(3):
                out[9 + i] += turn[3 * k + c] * data[c]
    out[15] = moves.data[first + axes - 1, 3 * axis + along] if axes == 2 else 1.0
    out[16] = data[6]


@inlined
def _at(matrix, frame, j):
    """The rows of the rotation of a frame."""
    return get((matrix, 9 * frame), j), get((matrix, 9 * frame + 3), j), get((matrix, 9 * frame + 6), j)


@formula
def _turned(matrix, u):
    return dot(matrix[0], u), dot(matrix[1], u), dot(matrix[2], u)


@inlined
def _point(vectors, matrix, frame, local, j):
    """Position, velocity and acceleration of a point of a frame, and the frame's angular velocity and acceleration."""
    count = vectors.shape[0] // 15
    arm = _turned(matrix, local)
    spin, rise = get((vectors, 3 * (3 * count + frame)), j), get((vectors, 3 * (4 * count + frame)), j)
    speed = cross(spin, arm)
    point = plus(get((vectors, 3 * frame), j), arm)
    velocity = plus(get((vectors, 3 * (count + frame)), j), speed)
    acceleration = plus(get((vectors, 3 * (2 * count + frame)), j), plus(cross(rise, arm), cross(spin, speed)))
    return point, velocity, acceleration, spin, rise


@formula
def _columns(e, way, along, b):
    """Columns of the rotation across the axis e, that takes the tip, b across and `along` along e, to `way`."""
    p = axpy(-along, e, way)
    share = 1.0 / math.sqrt(dot(p, p) * (b[0] * b[0] + b[1] * b[1]))
    p = times(share, p)
    q = cross(e, p)
    return axpy(b[0], p, times(-b[1], q)), axpy(b[1], p, times(b[0], q))


@inlined
def _write_turn(rows, j, s, t, e):
    write(rows[0], j, s[0])
    write(rows[1], j, s[1])
    write(rows[2], j, s[2])
    write(rows[3], j, t[0])
    write(rows[4], j, t[1])
    write(rows[5], j, t[2])
    write(rows[6], j, e[0])
    write(rows[7], j, e[1])
    write(rows[8], j, e[2])


@inlined
def _turn_rows(turns, frame, axis):
    """The nine rows of a rotation, column by column, the two after column `axis` in cyclic order first."""
    k, m, n = 9 * frame + (axis + 1) % 3, 9 * frame + (axis + 2) % 3, 9 * frame + axis
    return (
        *(turns[k], turns[k + 3], turns[k + 6], turns[m], turns[m + 3], turns[m + 6]),
        *(turns[n], turns[n + 3], turns[n + 6]),
    )


@formula
def _missing(foot, other, way, spin, rise, value, along):
    """What the tip lacks of the velocity of the other end and, with `rise`, of its acceleration, of rotations at rest.

    `value` are the rate and the second derivative of the slide in the direction `along`.
    """
    whirl = cross(spin, way)
    velocity = minus(minus(other[1], foot[1]), axpy(value[0], along, whirl))
    turning = plus(cross(rise, way), cross(spin, whirl))
    sliding = axpy(value[1], along, times(2.0 * value[0], cross(spin, along)))
    return velocity, minus(minus(other[2], foot[2]), plus(turning, sliding))


@kernel
def _on_universal_joint(rows_of, places, axis, slide, numbers, sine):
    """Place the frame of a rod on a universal joint."""
    vectors, turns, driven = rows_of
    parent, frame, target = places
    n, count = numbers, vectors.shape[0] // 15
    axis_at, foot_at, end_at = (n[0], n[1], n[2]), (n[3], n[4], n[5]), (n[6], n[7], n[8])
    tip, travel, height, side = (n[9], n[10], n[11]), (n[12], n[13], n[14]), n[15], n[16]
    out = _turn_rows(turns, frame, axis)
    moves = driven.shape[0] // 3
    for j in range(sine.size):
        matrix = _at(turns, parent, j)
        foot = _point(vectors, matrix, parent, foot_at, j)
        other = _point(vectors, _at(turns, target, j), target, end_at, j)
        s, ds, dds = (
            read((driven, slide), j),
            read((driven, moves + slide), j),
            read((driven, 2 * moves + slide), j),
        )
        u, way = _turned(matrix, axis_at), minus(other[0], foot[0])
        b = axpy(s, travel, tip)
        across = cross(u, way)
        square, lean = dot(across, across), dot(u, way)
        y = (b[2] - height * lean) / square
        x = height - y * lean
        z = side * sqrt((1.0 - x * height - y * b[2]) / square)
        e = axpy(x, u, axpy(y, way, times(z, across)))
        first, second = _columns(e, way, b[2], b)
        # at first with the first rotation at rest, then with both
        volume = z * square
        along = axpy(travel[0], first, axpy(travel[1], second, times(travel[2], e)))
        spin, rise = foot[3], foot[4]
        rest, _ = _missing(foot, other, way, spin, rise, (ds, dds), along)
        rate, other_rate = dot(rest, e) / volume, -dot(rest, u) / volume
        middle = axpy(rate, u, spin)
        rise = plus(rise, plus(times(rate, cross(spin, u)), times(other_rate, cross(middle, e))))
        spin = axpy(other_rate, e, middle)
        _, rest = _missing(foot, other, way, spin, rise, (ds, dds), along)
        rise = axpy(dot(rest, e) / volume, u, axpy(-dot(rest, u) / volume, e, rise))
        put((vectors, 3 * frame), j, foot[0])
        put((vectors, 3 * (count + frame)), j, foot[1])
        put((vectors, 3 * (2 * count + frame)), j, foot[2])
        put((vectors, 3 * (3 * count + frame)), j, spin)
        put((vectors, 3 * (4 * count + frame)), j, rise)
        _write_turn(out, j, first, second, e)
        lessen(sine, j, side * volume / math.sqrt(square + lean * lean))


@kernel
def _on_hinge(rows_of, places, axis, slide, numbers, sine):
    """Place the frame of a rod on a hinge."""
    vectors, turns, driven = rows_of
    parent, frame, target = places
    n, count = numbers, vectors.shape[0] // 15
    axis_at, foot_at, end_at = (n[0], n[1], n[2]), (n[3], n[4], n[5]), (n[6], n[7], n[8])
    tip, travel = (n[9], n[10], n[11]), (n[12], n[13], n[14])
    out = _turn_rows(turns, frame, axis)
    moves = driven.shape[0] // 3
    for j in range(sine.size):
        matrix = _at(turns, parent, j)
        foot = _point(vectors, matrix, parent, foot_at, j)
        other = _point(vectors, _at(turns, target, j), target, end_at, j)
        s, ds, dds = (
            read((driven, slide), j),
            read((driven, moves + slide), j),
            read((driven, 2 * moves + slide), j),
        )
        u, way = _turned(matrix, axis_at), minus(other[0], foot[0])
        b = axpy(s, travel, tip)
        first, second = _columns(u, way, b[2], b)
        across = cross(u, way)
        square = dot(across, across)
        along = axpy(travel[0], first, axpy(travel[1], second, times(travel[2], u)))
        spin, rise = foot[3], foot[4]
        rest, _ = _missing(foot, other, way, spin, rise, (ds, dds), along)
        rate = dot(rest, across) / square
        rise, spin = axpy(rate, cross(spin, u), rise), axpy(rate, u, spin)
        _, rest = _missing(foot, other, way, spin, rise, (ds, dds), along)
        rise = axpy(dot(rest, across) / square, u, rise)
        put((vectors, 3 * frame), j, foot[0])
        put((vectors, 3 * (count + frame)), j, foot[1])
        put((vectors, 3 * (2 * count + frame)), j, foot[2])
        put((vectors, 3 * (3 * count + frame)), j, spin)
        put((vectors, 3 * (4 * count + frame)), j, rise)
        _write_turn(out, j, first, second, u)
        lessen(sine, j, math.sqrt(square / dot(way, way)))
