"""Frames of a tree of moves: positions, velocities and accelerations from those of the joint variables.

For the tables see `sglibrary.newton`. `frames` holds, for every frame, its origin, the origin's velocity and
acceleration, the angular velocity and the angular acceleration (and one scratch vector); `turns` the rotations.
"""

import math

import numpy as np

from sglibrary.convention import kernel

ROTATION, TRANSLATION, BALL, MIDDLE = 0, 1, 2, 3
"""Kinds of moves. MIDDLE is the second of three rotations about x, y, z, which must stay within a quarter turn."""


@kernel
def place(x, frames, turns, axes, driven, move_rows, move_data):
    """Origins and rotations of all moves, and the axes of the unknowns, from the variables x."""
    moves = move_rows.shape[0]
    base = turns.shape[0] - moves
    before, own = np.zeros((3, 3)), np.zeros((3, 3))
    for m in range(moves):
        parent, kind, axis, unknown, variable = (
            move_rows[m, 0],
            move_rows[m, 1],
            move_rows[m, 2],
            move_rows[m, 3],
            move_rows[m, 5],
        )
        fixed, shift = move_data[m, 0:9].reshape(3, 3), move_data[m, 9:12]
        _product(turns[parent], fixed, before)
        frame = base + m
        for i in range(3):
            total = frames[0, parent, i]
            for k in range(3):
                total += turns[parent, i, k] * shift[k]
            frames[0, frame, i] = total
        if kind == BALL:
            _quaternion_matrix(x[variable : variable + 4], own)
            for c in range(3):
                _axis(axes, unknown + c, before, c, frames[0, frame])
        else:
            value = x[variable] if variable >= 0 else driven[0, m]
            _single(kind, axis, value, own)
            if unknown >= 0:
                _axis(axes, unknown, before, axis, frames[0, frame])
            if kind == TRANSLATION:
                for i in range(3):
                    frames[0, frame, i] += value * before[i, axis]
        _product(before, own, turns[frame])


@kernel
def _axis(axes, unknown, before, column, origin):
    for i in range(3):
        axes[0, unknown, i] = before[i, column]
        axes[1, unknown, i] = origin[i]


@kernel
def _single(kind, axis, value, out):
    for i in range(3):
        for k in range(3):
            out[i, k] = 1.0 if i == k else 0.0
    if kind != TRANSLATION:
        s, t = (axis + 1) % 3, (axis + 2) % 3
        out[s, s] = out[t, t] = math.cos(value)
        out[t, s] = math.sin(value)
        out[s, t] = -out[t, s]


@kernel
def _product(left, right, out):
    for i in range(3):
        for k in range(3):
            out[i, k] = left[i, 0] * right[0, k] + left[i, 1] * right[1, k] + left[i, 2] * right[2, k]


@kernel
def _quaternion_matrix(u, out):
    w, x, y, z = u[0], u[1], u[2], u[3]
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)


@kernel
def advance(x, step, move_rows):
    """Move the variables by small changes of the unknowns; a ball by the rotation vector in its starting frame."""
    for m in range(move_rows.shape[0]):
        unknown, variable = move_rows[m, 3], move_rows[m, 5]
        if unknown < 0:
            continue
        if move_rows[m, 1] != BALL:
            x[variable] += step[unknown]
            continue
        a, b, c = step[unknown], step[unknown + 1], step[unknown + 2]
        angle = math.sqrt(a * a + b * b + c * c)
        cosine = math.cos(0.5 * angle)
        share = math.sin(0.5 * angle) / angle if angle > 1e-12 else 0.5
        a, b, c = share * a, share * b, share * c
        w, i, j, k = x[variable], x[variable + 1], x[variable + 2], x[variable + 3]
        x[variable] = cosine * w - a * i - b * j - c * k
        x[variable + 1] = cosine * i + a * w + b * k - c * j
        x[variable + 2] = cosine * j + b * w + c * i - a * k
        x[variable + 3] = cosine * k + c * w + a * j - b * i
        norm = 0.0
        for n in range(4):
            norm += x[variable + n] * x[variable + n]
        for n in range(4):
            x[variable + n] /= math.sqrt(norm)


@kernel
def _own(m, values, driven, order, move_rows, axes, turns, frames, move_data, out):
    """The move's own rate (order 1) or gain (order 2) as a vector: Σ value · axis."""
    kind, axis, unknown = move_rows[m, 1], move_rows[m, 2], move_rows[m, 3]
    for i in range(3):
        out[i] = 0.0
    if unknown < 0:
        parent = move_rows[m, 0]
        fixed = move_data[m, 0:9].reshape(3, 3)
        for i in range(3):
            for k in range(3):
                out[i] += turns[parent, i, k] * fixed[k, axis] * driven[order, m]
        return
    for c in range(3 if kind == BALL else 1):
        for i in range(3):
            out[i] += axes[0, unknown + c, i] * values[unknown + c]


@kernel
def _arm(m, frames, move_rows, base, out):
    for i in range(3):
        out[i] = frames[0, base + m, i] - frames[0, move_rows[m, 0], i]


@kernel
def rates(frames, turns, axes, driven, rate, move_rows, move_data):
    """Velocities of all frames from the rates of the unknowns and of the driven moves."""
    moves = move_rows.shape[0]
    base = turns.shape[0] - moves
    own, arm = np.zeros(3), np.zeros(3)
    for m in range(moves):
        parent, frame = move_rows[m, 0], base + m
        _own(m, rate, driven, 1, move_rows, axes, turns, frames, move_data, own)
        _arm(m, frames, move_rows, base, arm)
        w = frames[3, parent]
        for i in range(3):
            s, t = (i + 1) % 3, (i + 2) % 3
            frames[1, frame, i] = frames[1, parent, i] + w[s] * arm[t] - w[t] * arm[s]
            frames[3, frame, i] = w[i]
            if move_rows[m, 1] == TRANSLATION:
                frames[1, frame, i] += own[i]
            else:
                frames[3, frame, i] += own[i]


@kernel
def gains(frames, turns, axes, driven, rate, gain, move_rows, move_data):
    """Accelerations of all frames, after `rates`, from the second derivatives of the unknowns and driven moves."""
    moves = move_rows.shape[0]
    base = turns.shape[0] - moves
    own, arm, speed, whirl = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    for m in range(moves):
        parent, frame = move_rows[m, 0], base + m
        slides = move_rows[m, 1] == TRANSLATION
        _own(m, rate, driven, 1, move_rows, axes, turns, frames, move_data, speed)
        _own(m, gain, driven, 2, move_rows, axes, turns, frames, move_data, own)
        _arm(m, frames, move_rows, base, arm)
        w, g = frames[3, parent], frames[4, parent]
        for i in range(3):
            s, t = (i + 1) % 3, (i + 2) % 3
            whirl[i] = w[s] * arm[t] - w[t] * arm[s]
        for i in range(3):
            s, t = (i + 1) % 3, (i + 2) % 3
            frames[2, frame, i] = (
                frames[2, parent, i] + g[s] * arm[t] - g[t] * arm[s] + w[s] * whirl[t] - w[t] * whirl[s]
            )
            frames[4, frame, i] = g[i]
            carried = w[s] * speed[t] - w[t] * speed[s]
            if slides:
                frames[2, frame, i] += own[i] + 2.0 * carried
            else:
                frames[4, frame, i] += own[i] + carried
