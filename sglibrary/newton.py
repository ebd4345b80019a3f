"""Any group by Newton's method: joint variables of a tree, equations of its cuts.

The bodies of the group hang on solved bodies by a tree of moves, each a rotation about, or a displacement along, an
axis of the frame it starts from, or a free rotation (ball). The moves not driven are the unknowns; the joints that were
cut give the equations, all of them products of two vectors fixed in frames (Samin and Fisette 2003 for trees and cuts).
The same kernel serves the plane, whose third coordinate is zero, and space.

Tables, packed one after another into `rows` and `constants` by `groupkin.model.trees`; frames are numbered solved
bodies first, then moves:

======== ====================================================== ===================================================
table    rows                                                   constants
======== ====================================================== ===================================================
header   dimension, unknowns, variables, solved bodies, moves,  size of the mechanism
         equations, outputs, row of the step width
solved   point row, three direction rows                        local origin (3), local directions (9)
moves    frame it starts from, kind, axis, unknown or -1,       fixed turn (9) and shift (3) before it, sign of
         driver row or -1, variable or -1                       the driver
equation kind, first frame, second frame                        vector (3), vector (3), vector (3), value
outputs  frame, point row, three direction rows                 local origin (3), local directions (9)
paths    moves x unknowns: does the unknown move the frame?     start values of the variables, scale of the unknowns
======== ====================================================== ===================================================

Equations by kind: `COINCIDE` X - Y = 0 (as many as dimensions), `DOT` u·w = value, `OFFSET` u·(Y - X) = value, with
the first vector (u, or X) in the first frame, the second (w, or Y) in the second, the third (X of OFFSET) in the first.
`DISTANCE`: |Y - X| = value. `LINEAR`: a relation between two moves, whose numbers are in the place of the frames, and
whose coefficients are the first two numbers of the vectors, those of displacements divided by the size.
A ball has four variables, a unit quaternion, and three unknowns, its angular velocity in the frame it starts from.

`memory` keeps, after a flag, the variables, rates and accelerations of the last solved step: the next one starts
from them, extrapolated over its step width; NaN width means the start values.
"""

import math

import numpy as np

from sglibrary.convention import kernel
from sglibrary.linear import conditioning as estimate
from sglibrary.linear import factor, solve
from sglibrary.moves import MIDDLE, advance, gains, place, rates
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, NOT_CONVERGED, SINGULAR, SINGULAR_BELOW, SOLVED

COINCIDE, DOT, OFFSET, DISTANCE, LINEAR = 0, 1, 2, 3, 4
HEADER = 8
MAX_ITERATIONS = 40
LARGEST_STEP = 0.5
"""Of one iteration: radians, or lengths relative to the size of the mechanism."""


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of all bodies of a group, step after step."""
    dimension, unknowns, variables, width = rows[0], rows[1], rows[2], q[rows[7], :n]
    tables = _tables(rows, constants)
    solved_rows, move_rows, equation_rows, output_rows, paths = tables[:5]
    solved_data, move_data, equation_data, output_data, start, scale = tables[5:]
    count = paths.shape[0]
    frames = np.zeros((6, count, 3))  # origin, its velocity and acceleration; angular velocity, acceleration; scratch
    turns = np.zeros((count, 3, 3))
    axes = np.zeros((2, unknowns, 3))  # direction and origin of what every unknown moves along or about
    driven = np.zeros((3, move_rows.shape[0]))
    jacobian, lu, pivots = np.zeros((unknowns, unknowns)), np.zeros((unknowns, unknowns)), np.zeros(unknowns, np.int64)
    x, trial, residual, step = np.zeros(variables), np.zeros(variables), np.zeros(unknowns), np.zeros(unknowns)
    last = memory[1 : 1 + variables]
    rate = memory[1 + variables : 1 + variables + unknowns]
    gain = memory[1 + variables + unknowns : 1 + variables + 2 * unknowns]
    for j in range(n):
        _read(q, v, a, j, dimension, solved_rows, solved_data, move_rows, move_data, frames, turns, driven)
        found, attempt = NO_INPUT, 0
        fresh = memory[0] == 0.0 or math.isnan(width[j])
        # extrapolated first; where that fails, from the last step itself
        while attempt < 2 and found != SOLVED and _all_finite(frames, driven):
            x[:] = start if fresh else last
            if attempt == 0 and not fresh:
                step[:] = width[j] * (rate + 0.5 * width[j] * gain)
                advance(x, step, move_rows)
            found = _iterate(
                x, trial, frames, turns, axes, driven, move_rows, move_data, equation_rows, equation_data, paths,
                dimension, constants[0], scale, jacobian, lu, pivots, residual, step,
            )  # fmt: skip
            attempt += 1
        if found == SOLVED and _beyond(x, move_rows):
            found = SINGULAR
        status[j], conditioning[j] = found, 0.0
        if found != SOLVED:
            _blank(q, v, a, j, dimension, output_rows, False)
            rate[:] = 0.0
            gain[:] = 0.0
            continue
        lu[:] = jacobian
        factor(lu, pivots)
        conditioning[j] = estimate(jacobian, lu, pivots, step, residual) if unknowns else 1.0
        status[j] = SOLVED if conditioning[j] >= SINGULAR_BELOW else SINGULAR
        _derive(
            x, frames, turns, axes, driven, move_rows, move_data, equation_rows, equation_data,
            dimension, constants[0], scale, lu, pivots, residual, rate, gain,
        )  # fmt: skip
        _write(q, v, a, j, dimension, output_rows, output_data, frames, turns)
        if status[j] == SINGULAR:
            _blank(q, v, a, j, dimension, output_rows, True)
            rate[:] = 0.0
            gain[:] = 0.0
        memory[0] = 1.0
        last[:] = x


@kernel
def _beyond(x, move_rows):
    """Whether the middle one of three rotations has passed its singular positions at a quarter turn."""
    for m in range(move_rows.shape[0]):
        if move_rows[m, 1] == MIDDLE and move_rows[m, 3] >= 0 and math.cos(x[move_rows[m, 5]]) <= 0.0:
            return True
    return False


@kernel
def _tables(rows, constants):
    """The tables packed into `rows` and `constants`, as arrays."""
    unknowns, variables, solved, moves, equations, outputs = rows[1], rows[2], rows[3], rows[4], rows[5], rows[6]
    at = HEADER
    solved_rows = rows[at : at + 4 * solved].reshape(solved, 4)
    at += 4 * solved
    move_rows = rows[at : at + 6 * moves].reshape(moves, 6)
    at += 6 * moves
    equation_rows = rows[at : at + 3 * equations].reshape(equations, 3)
    at += 3 * equations
    output_rows = rows[at : at + 5 * outputs].reshape(outputs, 5)
    at += 5 * outputs
    paths = rows[at : at + (solved + moves) * unknowns].reshape(solved + moves, unknowns)
    at = 1
    solved_data = constants[at : at + 12 * solved].reshape(solved, 12)
    at += 12 * solved
    move_data = constants[at : at + 13 * moves].reshape(moves, 13)
    at += 13 * moves
    equation_data = constants[at : at + 10 * equations].reshape(equations, 10)
    at += 10 * equations
    output_data = constants[at : at + 12 * outputs].reshape(outputs, 12)
    at += 12 * outputs
    start, scale = constants[at : at + variables], constants[at + variables : at + variables + unknowns]
    return (
        solved_rows, move_rows, equation_rows, output_rows, paths,
        solved_data, move_data, equation_data, output_data, start, scale,
    )  # fmt: skip


@kernel
def _derive(
    x, frames, turns, axes, driven, move_rows, move_data, equation_rows, equation_data,
    dimension, size, scale, lu, pivots, residual, rate, gain,
):  # fmt: skip
    """Rates and accelerations of the unknowns, J x' = -f' and J x'' = -f'' at x' = 0 and x'' = 0, and of all frames."""
    rate[:] = 0.0
    gain[:] = 0.0
    rates(frames, turns, axes, driven, rate, move_rows, move_data)
    _defect(frames, turns, x, rate, gain, driven, move_rows, equation_rows, equation_data, dimension, size, 1, residual)
    rate[:] = -residual
    solve(lu, pivots, rate)
    rate *= scale
    rates(frames, turns, axes, driven, rate, move_rows, move_data)
    gains(frames, turns, axes, driven, rate, gain, move_rows, move_data)
    _defect(frames, turns, x, rate, gain, driven, move_rows, equation_rows, equation_data, dimension, size, 2, residual)
    gain[:] = -residual
    solve(lu, pivots, gain)
    gain *= scale
    gains(frames, turns, axes, driven, rate, gain, move_rows, move_data)


@kernel
def _read(q, v, a, j, dimension, solved_rows, solved_data, move_rows, move_data, frames, turns, driven):
    """Frames of the solved bodies from their points and directions; values of the driven moves."""
    local = np.zeros((3, 3))
    first, second, third = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3))
    for k in range(solved_rows.shape[0]):
        row, data = solved_rows[k], solved_data[k]
        local[:] = data[3:12].reshape(3, 3)
        _directions(q, j, row, dimension, first, 1.0)
        _directions(v, j, row, dimension, second, 0.0)
        _directions(a, j, row, dimension, third, 0.0)
        for i in range(3):
            for m in range(3):
                turns[k, i, m] = first[i, 0] * local[m, 0] + first[i, 1] * local[m, 1] + first[i, 2] * local[m, 2]
        # ω = ½ Σ e × e', α = ½ Σ e × e''
        for i in range(3):
            s, t = (i + 1) % 3, (i + 2) % 3
            frames[3, k, i] = 0.5 * (first[s] * second[t] - first[t] * second[s]).sum()
            frames[4, k, i] = 0.5 * (first[s] * third[t] - first[t] * third[s]).sum()
        spin, rise = frames[3, k], frames[4, k]
        for i in range(3):
            back = 0.0
            for m in range(3):
                back -= turns[k, i, m] * data[m]
            frames[5, k, i] = back
        arm = frames[5, k]
        for i in range(3):
            s, t = (i + 1) % 3, (i + 2) % 3
            whirl_s = spin[t] * arm[i] - spin[i] * arm[t]
            whirl_t = spin[i] * arm[s] - spin[s] * arm[i]
            inside = i < dimension
            frames[0, k, i] = (q[row[0] + i, j] if inside else 0.0) + arm[i]
            frames[1, k, i] = (v[row[0] + i, j] if inside else 0.0) + spin[s] * arm[t] - spin[t] * arm[s]
            frames[2, k, i] = (
                (a[row[0] + i, j] if inside else 0.0)
                + rise[s] * arm[t]
                - rise[t] * arm[s]
                + spin[s] * whirl_t
                - spin[t] * whirl_s
            )
    for k in range(move_rows.shape[0]):
        if move_rows[k, 4] >= 0:
            sign = move_data[k, 12]
            driven[0, k] = sign * q[move_rows[k, 4], j]
            driven[1, k] = sign * v[move_rows[k, 4], j]
            driven[2, k] = sign * a[move_rows[k, 4], j]


@kernel
def _directions(x, j, row, dimension, out, third):
    """Three directions as columns; in the plane the second is a quarter turn of the first, the third is z."""
    if dimension == 3:
        for k in range(3):
            for i in range(3):
                out[i, k] = x[row[1 + k] + i, j]
    else:
        out[:] = 0.0
        out[0, 0] = x[row[1], j]
        out[1, 0] = x[row[1] + 1, j]
        out[0, 1] = -out[1, 0]
        out[1, 1] = out[0, 0]
        out[2, 2] = third


@kernel
def _all_finite(frames, driven):
    return math.isfinite(frames[:5].sum() + driven.sum())


@kernel
def _iterate(
    x, trial, frames, turns, axes, driven, move_rows, move_data, equation_rows, equation_data, paths,
    dimension, size, scale, jacobian, lu, pivots, residual, step,
):  # fmt: skip
    """Newton's iterations with step control until the last step was so small that the error is its square."""
    unknowns = residual.size
    place(x, frames, turns, axes, driven, move_rows, move_data)
    _defect(frames, turns, x, step, step, driven, move_rows, equation_rows, equation_data, dimension, size, 0, residual)
    norm = _length(residual)
    length = 1.0
    for _ in range(MAX_ITERATIONS):
        _jacobian(frames, turns, axes, equation_rows, equation_data, paths, move_rows, dimension, size, scale, jacobian)
        if norm < 1e-14 or length < 1e-9:
            return SOLVED
        lu[:] = jacobian
        factor(lu, pivots)
        step[:] = -residual
        solve(lu, pivots, step)
        length = _length(step)
        if not math.isfinite(length):
            return CANNOT_ASSEMBLE
        share = min(1.0, LARGEST_STEP / length)
        accepted = False
        for _halving in range(12):
            trial[:] = x
            for k in range(unknowns):
                residual[k] = share * step[k] * scale[k]
            advance(trial, residual, move_rows)
            place(trial, frames, turns, axes, driven, move_rows, move_data)
            _defect(
                frames, turns, trial, step, step, driven, move_rows, equation_rows, equation_data,
                dimension, size, 0, residual,
            )  # fmt: skip
            reached = _length(residual)
            # close to rounding the residual can no longer decrease
            if reached < (1.0 - 1e-4 * share) * norm or (length < 1e-7 and reached < 1e-11):
                accepted = True
                break
            share *= 0.5
        if not accepted:
            return CANNOT_ASSEMBLE
        x[:] = trial
        norm = reached
        length = share * length if share < 1.0 else length
    return NOT_CONVERGED


@kernel
def _length(x):
    total = 0.0
    for k in range(x.size):
        total += x[k] * x[k]
    return math.sqrt(total)


@kernel
def _fixed(turns, frame, local, out):
    """A direction fixed in a frame, in global components."""
    for i in range(3):
        out[i] = turns[frame, i, 0] * local[0] + turns[frame, i, 1] * local[1] + turns[frame, i, 2] * local[2]


@kernel
def _cross(u, w, out):
    out[0] = u[1] * w[2] - u[2] * w[1]
    out[1] = u[2] * w[0] - u[0] * w[2]
    out[2] = u[0] * w[1] - u[1] * w[0]


@kernel
def _derivatives(frames, turns, frame, local, order, point, out):
    """A vector (or point) fixed in a frame, and its derivatives up to an order: rows of `out`."""
    _fixed(turns, frame, local, out[0])
    if order >= 1:
        _cross(frames[3, frame], out[0], out[1])
    if order >= 2:
        _cross(frames[3, frame], out[1], out[2])
        _cross(frames[4, frame], out[0], out[3])
        for i in range(3):
            out[2, i] += out[3, i]
    if point:
        for k in range(order + 1):
            for i in range(3):
                out[k, i] += frames[k, frame, i]


@kernel
def _along(move, x, rate, gain, driven, move_rows, order):
    """Value of a move, or its first or second derivative."""
    unknown, variable = move_rows[move, 3], move_rows[move, 5]
    if unknown < 0:
        return driven[order, move]
    return x[variable] if order == 0 else rate[unknown] if order == 1 else gain[unknown]


@kernel
def _defect(
    frames, turns, x, rate, gain, driven, move_rows, equation_rows, equation_data, dimension, size, order, out
):  # fmt: skip
    """Left-hand sides of all equations (order 0), or their first or second derivative; lengths relative to size."""
    first, second, third = np.zeros((4, 3)), np.zeros((4, 3)), np.zeros((4, 3))
    at = 0
    for k in range(equation_rows.shape[0]):
        kind, f, s = equation_rows[k, 0], equation_rows[k, 1], equation_rows[k, 2]
        data = equation_data[k]
        if kind == LINEAR:
            out[at] = data[0] * _along(f, x, rate, gain, driven, move_rows, order)
            out[at] += data[1] * _along(s, x, rate, gain, driven, move_rows, order)
            out[at] -= data[9] if order == 0 else 0.0
            at += 1
            continue
        _derivatives(frames, turns, f, data[0:3], order, kind in (COINCIDE, DISTANCE), first)
        _derivatives(frames, turns, s, data[3:6], order, kind != DOT, second)
        if kind == DISTANCE:
            out[at] = _distance_defect(first, second, data[9], order) / size
            at += 1
            continue
        if kind == COINCIDE:
            for i in range(dimension):
                out[at] = (first[order, i] - second[order, i]) / size
                at += 1
            continue
        if kind == OFFSET:
            _derivatives(frames, turns, f, data[6:9], order, True, third)
            for m in range(order + 1):
                for i in range(3):
                    second[m, i] -= third[m, i]
        total = 0.0
        for i in range(3):
            if order == 0:
                total += first[0, i] * second[0, i]
            elif order == 1:
                total += first[1, i] * second[0, i] + first[0, i] * second[1, i]
            else:
                total += first[2, i] * second[0, i] + 2.0 * first[1, i] * second[1, i] + first[0, i] * second[2, i]
        if order == 0:
            total -= data[9]
        out[at] = total / size if kind == OFFSET else total
        at += 1


@kernel
def _distance_defect(first, second, length, order):
    """(|Y - X|² - l²) / (2 l), or its first or second derivative."""
    total = 0.0
    for i in range(3):
        gap, speed, rise = second[0, i] - first[0, i], second[1, i] - first[1, i], second[2, i] - first[2, i]
        if order == 0:
            total += 0.5 * gap * gap
        elif order == 1:
            total += gap * speed
        else:
            total += speed * speed + gap * rise
    return (total - (0.5 * length * length if order == 0 else 0.0)) / length


@kernel
def _moved(axes, unknown, slides, position, point, out):
    """Derivative of a point (or direction) by an unknown that moves it."""
    if slides:
        for i in range(3):
            out[i] = axes[0, unknown, i] if point else 0.0
        return
    for i in range(3):
        out[3 + i] = position[i] - (axes[1, unknown, i] if point else 0.0)
    _cross(axes[0, unknown], out[3:6], out[0:3])


@kernel
def _jacobian(
    frames, turns, axes, equation_rows, equation_data, paths, move_rows, dimension, size, scale, out
):  # fmt: skip
    unknowns = out.shape[0]
    slides = np.zeros(unknowns, np.bool_)
    for m in range(move_rows.shape[0]):
        if move_rows[m, 3] >= 0 and move_rows[m, 1] == 1:
            slides[move_rows[m, 3]] = True
    first, second, third = np.zeros(3), np.zeros(3), np.zeros(3)
    d_first, d_second, d_third = np.zeros(6), np.zeros(6), np.zeros(6)
    at = 0
    for k in range(equation_rows.shape[0]):
        kind, f, s = equation_rows[k, 0], equation_rows[k, 1], equation_rows[k, 2]
        data = equation_data[k]
        if kind == LINEAR:
            for u in range(unknowns):
                factor = data[0] if move_rows[f, 3] == u else 0.0
                factor += data[1] if move_rows[s, 3] == u else 0.0
                out[at, u] = factor * scale[u]
            at += 1
            continue
        _fixed(turns, f, data[0:3], first)
        _fixed(turns, s, data[3:6], second)
        _fixed(turns, f, data[6:9], third)
        for i in range(3):
            first[i] += frames[0, f, i] if kind in (COINCIDE, DISTANCE) else 0.0
            second[i] += frames[0, s, i] if kind != DOT else 0.0
            third[i] += frames[0, f, i]
        count = dimension if kind == COINCIDE else 1
        for u in range(unknowns):
            on_first, on_second = paths[f, u] != 0, paths[s, u] != 0
            for i in range(count):
                out[at + i, u] = 0.0
            if on_first == on_second:  # moves both frames alike, or neither
                continue
            total = 0.0
            if kind == DISTANCE:
                _moved(axes, u, slides[u], first if on_first else second, True, d_first)
                for i in range(3):
                    total += (second[i] - first[i]) * d_first[i]
                out[at, u] = (-total if on_first else total) / (data[9] * size) * scale[u]
                continue
            if on_first:
                _moved(axes, u, slides[u], first, kind == COINCIDE, d_first)
                if kind == COINCIDE:
                    for i in range(dimension):
                        out[at + i, u] = d_first[i] / size * scale[u]
                    continue
                for i in range(3):
                    gap = second[i] - third[i] if kind == OFFSET else second[i]
                    total += d_first[i] * gap
                if kind == OFFSET:
                    _moved(axes, u, slides[u], third, True, d_third)
                    for i in range(3):
                        total -= first[i] * d_third[i]
            else:
                _moved(axes, u, slides[u], second, kind != DOT, d_second)
                if kind == COINCIDE:
                    for i in range(dimension):
                        out[at + i, u] = -d_second[i] / size * scale[u]
                    continue
                for i in range(3):
                    total += first[i] * d_second[i]
            out[at, u] = (total / size if kind == OFFSET else total) * scale[u]
        at += count


@kernel
def _write(q, v, a, j, dimension, output_rows, output_data, frames, turns):
    """Point and directions of every body of the group, with derivatives."""
    out = np.zeros((4, 3))
    for k in range(output_rows.shape[0]):
        row, data = output_rows[k], output_data[k]
        _derivatives(frames, turns, row[0], data[0:3], 2, True, out)
        for i in range(dimension):
            q[row[1] + i, j] = out[0, i]
            v[row[1] + i, j] = out[1, i]
            a[row[1] + i, j] = out[2, i]
        for m in range(3 if dimension == 3 else 1):
            _derivatives(frames, turns, row[0], data[3 + 3 * m : 6 + 3 * m], 2, False, out)
            for i in range(dimension):
                q[row[2 + m] + i, j] = out[0, i]
                v[row[2 + m] + i, j] = out[1, i]
                a[row[2 + m] + i, j] = out[2, i]


@kernel
def _blank(q, v, a, j, dimension, output_rows, rates_only):
    """NaN in what the group writes, or in its velocities and accelerations alone."""
    for k in range(output_rows.shape[0]):
        for column in range(1, 5 if dimension == 3 else 3):
            for i in range(dimension):
                row = output_rows[k, column] + i
                q[row, j] = q[row, j] if rates_only else math.nan
                v[row, j] = math.nan
                a[row, j] = math.nan
