"""Frames of a tree of moves: positions, velocities and accelerations from those of the joint variables.

For the tables and `Frames` see `sglibrary.iterative.newton_tables`. An unknown is the size of a move along or about a
column of the turn of the frame it leads to; the three unknowns of a ball are the components of its angular velocity in
that frame. The axis of a move along a curve is the number of its curve (`sglibrary.iterative.curves`).
"""

import math

import numpy as np

from sglibrary.convention import allocating, inlined, kernel
from sglibrary.iterative.curves import ACROSS, ALONG, SPEED, SPEEDING, TURN, TURNING, UPRIGHT, follow_curve
from sglibrary.iterative.kinds import BALL, CURVE, TRANSLATION
from sglibrary.iterative.simd import add_cross, add_times, carried, clear, column, copy, cross, minus, product, turned
from sglibrary.trigonometry import cosine_sine
from sglibrary.vectors import fma


@allocating
def place(x, frames, moves, curves, first, last):
    """Origins and rotations of the frames that some moves lead to, from the variables x (variables, width)."""
    vectors, turns, driven, bends, _ = frames
    rows, data = moves
    count, width = rows.shape[0], turns.shape[2]
    base = turns.shape[0] - count
    scratch, buffer = np.empty((9, width)), np.empty((9, width))
    for m in range(first, last):
        parent, kind, axis, variable = rows[m, 0], rows[m, 1], rows[m, 2], rows[m, 5]
        fixed, shift, frame = data[m, 0:9], data[m, 9:12], base + m
        before = turns[parent]
        if not _is_identity(fixed):
            turned(turns[parent], fixed, scratch)
            before = scratch
        if shift[0] == 0.0 and shift[1] == 0.0 and shift[2] == 0.0:
            copy(vectors[0, parent], vectors[0, frame])
        else:
            carried(vectors[0, parent], turns[parent], shift, vectors[0, frame])
        if kind == BALL:
            _quaternion_matrix(x[variable : variable + 4], buffer)
            product(before, buffer, turns[frame])
            continue
        value = x[variable] if variable >= 0 else driven[0, m]
        if kind == TRANSLATION:
            copy(before, turns[frame])
            column(before, axis, buffer[:3])
            add_times(value, buffer[:3], vectors[0, frame])
        elif kind == CURVE:
            follow_curve(value, axis, curves, variable < 0, bends[:, m], buffer)
            for i in range(2):
                column(before, i, buffer[4:7])
                add_times(buffer[i], buffer[4:7], vectors[0, frame])
            _rotate(before, UPRIGHT, buffer[2], buffer[3], turns[frame])
        else:
            cosine_sine(value, buffer[0], buffer[1])
            _rotate(before, axis, buffer[0], buffer[1], turns[frame])


@kernel
def _is_identity(matrix):
    for i in range(9):
        if matrix[i] != (1.0 if i % 4 == 0 else 0.0):
            return False
    return True


@kernel
def _rotate(before, axis, cosine, sine, out):
    """Turn the two other columns about column `axis`."""
    s, t = (axis + 1) % 3, (axis + 2) % 3
    for i in range(out.shape[0] // 3):
        a, b, c = before[3 * i + s], before[3 * i + t], before[3 * i + axis]
        x, y, z = out[3 * i + s], out[3 * i + t], out[3 * i + axis]
        for j in range(x.size):
            x[j] = fma(cosine[j], a[j], sine[j] * b[j])
            y[j] = fma(cosine[j], b[j], -sine[j] * a[j])
            z[j] = c[j]


@kernel
def _quaternion_matrix(u, out):
    w, x, y, z = u[0], u[1], u[2], u[3]
    for j in range(w.size):
        out[0, j] = 1.0 - 2.0 * (y[j] * y[j] + z[j] * z[j])
        out[1, j] = 2.0 * (x[j] * y[j] - w[j] * z[j])
        out[2, j] = 2.0 * (x[j] * z[j] + w[j] * y[j])
        out[3, j] = 2.0 * (x[j] * y[j] + w[j] * z[j])
        out[4, j] = 1.0 - 2.0 * (x[j] * x[j] + z[j] * z[j])
        out[5, j] = 2.0 * (y[j] * z[j] - w[j] * x[j])
        out[6, j] = 2.0 * (x[j] * z[j] - w[j] * y[j])
        out[7, j] = 2.0 * (y[j] * z[j] + w[j] * x[j])
        out[8, j] = 1.0 - 2.0 * (x[j] * x[j] + y[j] * y[j])


@kernel
def advance(x, step, move_rows):
    """Move the variables (variables, width) by small changes of the unknowns (unknowns, width)."""
    for m in range(move_rows.shape[0]):
        unknown, variable = move_rows[m, 3], move_rows[m, 5]
        if unknown < 0:
            continue
        if move_rows[m, 1] == BALL:
            _turn_ball(x[variable : variable + 4], step[unknown : unknown + 3])
        else:
            value, change = x[variable], step[unknown]
            for j in range(value.size):
                value[j] += change[j]


@kernel
def _turn_ball(q, step):
    """Turn a unit quaternion by a rotation vector in the turned frame."""
    for j in range(q.shape[1]):
        a, b, c = step[0, j], step[1, j], step[2, j]
        angle = math.sqrt(a * a + b * b + c * c)
        cosine = math.cos(0.5 * angle)
        share = math.sin(0.5 * angle) / angle if angle > 1e-12 else 0.5
        a, b, c = share * a, share * b, share * c
        w, x, y, z = q[0, j], q[1, j], q[2, j], q[3, j]
        q[0, j] = cosine * w - a * x - b * y - c * z
        q[1, j] = cosine * x + a * w + c * y - b * z
        q[2, j] = cosine * y + b * w + a * z - c * x
        q[3, j] = cosine * z + c * w + b * x - a * y
    normalize(q)


@kernel
def normalize(q):
    """Make quaternions (4, width) unit."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    for j in range(w.size):
        share = 1.0 / math.sqrt(w[j] * w[j] + x[j] * x[j] + y[j] * y[j] + z[j] * z[j])
        w[j] *= share
        x[j] *= share
        y[j] *= share
        z[j] *= share


@kernel
def quaternion_rates(q, spin, rise, first, second):
    """Derivatives (4,) of a quaternion (4,) from angular velocity and acceleration (3,) in the turned frame."""
    for i in range(4):
        first[i] = 0.5 * _times(q, spin, i)
    for i in range(4):
        second[i] = 0.5 * (_times(first, spin, i) + _times(q, rise, i))


@kernel
def _times(q, w, i):
    """Component i of the product of a quaternion and a vector."""
    if i == 0:
        return -q[1] * w[0] - q[2] * w[1] - q[3] * w[2]
    s, t = i % 3, (i + 1) % 3  # the two other components of w, in cyclic order
    return q[0] * w[i - 1] + q[1 + s] * w[t] - q[1 + t] * w[s]


@kernel
def _relative(m, frame, values, driven, order, move_rows, turns, axis_vector, out):
    """The rate (order 1) or gain (order 2) of a move as a vector: Σ value · axis."""
    unknown = move_rows[m, 3]
    clear(out)
    for c in range(3 if move_rows[m, 1] == BALL else 1):
        column(turns[frame], move_rows[m, 2] + c, axis_vector)
        add_times(values[unknown + c] if unknown >= 0 else driven[order, m], axis_vector, out)


@inlined
def _value(m, values, driven, order, move_rows):
    """The rate (order 1) or gain (order 2) of a move of one unknown."""
    return values[move_rows[m, 3]] if move_rows[m, 3] >= 0 else driven[order, m]


@kernel
def _add_along(turn, k, value, share, axis, out):
    """out += value · share · column k of a turn, with numbers per step."""
    column(turn, k, axis)
    for i in range(out.shape[0]):
        a, o = axis[i], out[i]
        for j in range(o.size):
            o[j] += value[j] * share[j] * a[j]


@kernel
def _add_curved(m, frame, parent, rate, gain, frames, axis, share, speed):
    """Add what a move along a curve does to the accelerations of its frame.

    Its origin gains s u'' + ds/du u'² along the tangent, s θ' u'² across, and twice ω × its own velocity; its angular
    acceleration θ' u'' + θ'' u'², and ω × its own angular velocity, ω that of the frame before.
    """
    vectors, turns, _, bends, _ = frames
    factor, square = share[0], share[1]
    for j in range(factor.size):
        square[j] = rate[j] * rate[j]
    for k in range(2):
        slope, bend, target = (SPEED, SPEEDING, 2) if k == 0 else (TURN, TURNING, 4)
        _add_along(turns[frame], 2 * k, gain, bends[slope, m], axis, vectors[target, frame])
        _add_along(turns[frame], 2 * k, square, bends[bend, m], axis, vectors[target, frame])
        clear(speed)
        _add_along(turns[frame], 2 * k, rate, bends[slope, m], axis, speed)
        add_cross(vectors[3, parent], speed, vectors[target, frame])
        if k == 0:
            add_cross(vectors[3, parent], speed, vectors[target, frame])
    for j in range(factor.size):
        factor[j] = bends[SPEED, m, j] * bends[TURN, m, j]
    _add_along(turns[frame], ACROSS, square, factor, axis, vectors[2, frame])


@allocating
def rates(frames, rate, move_rows, first, last):
    """Velocities of the frames of some moves from the rates of the unknowns (unknowns, width) and of other moves."""
    vectors, turns, driven, bends, _ = frames
    count, width = move_rows.shape[0], turns.shape[2]
    base = turns.shape[0] - count
    axis, change, arm = np.empty((3, width)), np.empty((3, width)), np.empty((3, width))
    for m in range(first, last):
        parent, frame = move_rows[m, 0], base + m
        minus(vectors[0, frame], vectors[0, parent], arm)
        copy(vectors[1, parent], vectors[1, frame])
        add_cross(vectors[3, parent], arm, vectors[1, frame])
        copy(vectors[3, parent], vectors[3, frame])
        if move_rows[m, 1] == CURVE:
            speed = _value(m, rate, driven, 1, move_rows)
            _add_along(turns[frame], ALONG, speed, bends[SPEED, m], axis, vectors[1, frame])
            _add_along(turns[frame], UPRIGHT, speed, bends[TURN, m], axis, vectors[3, frame])
            continue
        _relative(m, frame, rate, driven, 1, move_rows, turns, axis, change)
        _add(change, vectors[1 if move_rows[m, 1] == TRANSLATION else 3, frame])


@allocating
def gains(frames, rate, gain, move_rows, first, last):
    """Accelerations of the frames of some moves, after `rates`, from the second derivatives of all moves."""
    vectors, turns, driven, _, _ = frames
    count, width = move_rows.shape[0], turns.shape[2]
    base = turns.shape[0] - count
    axis, change, speed = np.empty((3, width)), np.empty((3, width)), np.empty((3, width))
    arm, whirl = np.empty((3, width)), np.empty((3, width))
    for m in range(first, last):
        parent, frame = move_rows[m, 0], base + m
        slides = move_rows[m, 1] == TRANSLATION
        minus(vectors[0, frame], vectors[0, parent], arm)
        cross(vectors[3, parent], arm, whirl)
        copy(vectors[2, parent], vectors[2, frame])
        add_cross(vectors[4, parent], arm, vectors[2, frame])
        add_cross(vectors[3, parent], whirl, vectors[2, frame])
        copy(vectors[4, parent], vectors[4, frame])
        if move_rows[m, 1] == CURVE:
            first, second = _value(m, rate, driven, 1, move_rows), _value(m, gain, driven, 2, move_rows)
            _add_curved(m, frame, parent, first, second, frames, axis, whirl, speed)
            continue
        _relative(m, frame, rate, driven, 1, move_rows, turns, axis, speed)
        _relative(m, frame, gain, driven, 2, move_rows, turns, axis, change)
        target = vectors[2 if slides else 4, frame]
        _add(change, target)
        add_cross(vectors[3, parent], speed, target)
        if slides:
            add_cross(vectors[3, parent], speed, target)


@kernel
def _add(u, out):
    for i in range(out.shape[0]):
        a, o = u[i], out[i]
        for j in range(o.size):
            o[j] += a[j]
