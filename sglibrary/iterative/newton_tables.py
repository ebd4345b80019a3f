"""The tables of a group that is solved by iteration, and what of the state goes in and out of them.

Tables are packed one after another into `rows` and `constants` (`groupkin.kinematics.program.newton_tables`); frames are numbered
solved bodies first, then moves. Lengths are relative to the mechanism's size.

======== ====================================================== ===================================================
table    rows                                                   constants
======== ====================================================== ===================================================
header   dimension, unknowns, variables, solved bodies, moves,  size of the mechanism, m
         equations, outputs, row of the time, dense elimination?
solved   point row, three direction rows                        local origin (3), local directions (9)
moves    frame it starts from, kind, axis, unknown or -1,       fixed turn (9) and shift (3) before it, factor of
         driver row or -1, variable or -1                       the driver
equation kind, first frame, second frame                        vector (3), vector (3), vector (3), value
outputs  frame, point row, three direction rows                 local origin (3), local directions (9)
curves   first piece, the one after the last, closed?           pieces (`sglibrary.iterative.curves`)
paths    frames x unknowns: does the unknown move the frame?    start values of the variables
======== ====================================================== ===================================================

A ball has four variables, a unit quaternion, and three unknowns, its angular velocity in the frame it leads to.
"""

import math

import numpy as np

from sglibrary.convention import allocating as kernel
from sglibrary.iterative.simd import add_cross, clear, cross, fixed
from sglibrary.vectors import fma

HEADER = 9
DENSE = 8
"""Where the header says whether elimination takes all entries for different from zero."""


@kernel
def unpack(rows, constants):
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
    paths = rows[rows.size - (solved + moves) * unknowns :].reshape(solved + moves, unknowns)
    at = 1
    solved_data = constants[at : at + 12 * solved].reshape(solved, 12)
    at += 12 * solved
    move_data = constants[at : at + 13 * moves].reshape(moves, 13)
    at += 13 * moves
    equation_data = constants[at : at + 10 * equations].reshape(equations, 10)
    at += 10 * equations
    output_data = constants[at : at + 12 * outputs].reshape(outputs, 12)
    start = constants[constants.size - variables :]
    return (
        solved_rows, move_rows, equation_rows, output_rows, paths,
        solved_data, move_data, equation_data, output_data, start,
    )  # fmt: skip


@kernel
def load_frames(q, v, a, first, dimension, size, solved_rows, solved_data, move_rows, move_data, frames, turns, driven):
    """Frames of the solved bodies from their points and directions, and driven moves, from step `first` on."""
    lanes = turns.shape[2]
    triad = np.empty((3, 9, lanes))
    arm, whirl = np.empty((3, lanes)), np.empty((3, lanes))
    span = slice(first, first + lanes)
    for k in range(solved_rows.shape[0]):
        row, data = solved_rows[k], solved_data[k]
        for order in range(3):
            _directions((q, v, a)[order], span, row, dimension, triad[order])
        if dimension == 2:
            triad[0, 8] = 1.0
        _from_columns(triad[0], data[3:12], turns[k])
        # ω = ½ Σ e × e', α = ½ Σ e × e''
        for order in range(1, 3):
            out = frames[2 + order, k]
            clear(out)
            for m in range(3):
                add_cross(triad[0, 3 * m : 3 * m + 3], triad[order, 3 * m : 3 * m + 3], out)
            _scale(out, 0.5)
        fixed(turns[k], -data[0:3], arm)
        for order in range(3):
            _point((q, v, a)[order], span, row[0], dimension, 1.0 / size, frames[order, k])
        for i in range(arm.shape[0]):
            o, x = frames[0, k, i], arm[i]
            for j in range(o.size):
                o[j] += x[j]
        add_cross(frames[3, k], arm, frames[1, k])
        cross(frames[3, k], arm, whirl)
        add_cross(frames[4, k], arm, frames[2, k])
        add_cross(frames[3, k], whirl, frames[2, k])
    for m in range(move_rows.shape[0]):
        row = move_rows[m, 4]
        if row >= 0:
            for order in range(3):
                _copy_scaled((q, v, a)[order][row, span], move_data[m, 12], driven[order, m])


@kernel
def _copy_scaled(x, share, out):
    for j in range(out.size):
        out[j] = share * x[j]


@kernel
def _scale(out, share):
    for i in range(out.shape[0]):
        o = out[i]
        for j in range(o.size):
            o[j] *= share


@kernel
def _point(x, span, row, dimension, share, out):
    for i in range(out.shape[0]):
        if i < dimension:
            _copy_scaled(x[row + i, span], share, out[i])
        else:
            out[i] = 0.0


@kernel
def _directions(x, span, row, dimension, out):
    """Three directions one after another; in the plane the second is a quarter turn of the first, the third is zero."""
    if dimension == 3:
        for k in range(dimension):
            for i in range(dimension):
                out[3 * k + i] = x[row[1 + k] + i, span]
        return
    out[:] = 0.0
    out[0] = out[4] = x[row[1], span]
    out[1] = x[row[1] + 1, span]
    out[3] = -out[1]


@kernel
def _from_columns(columns, local, turn):
    """Turn of a body whose three directions have given local components (9,), each direction's in a column."""
    size = turn.shape[0] // 3
    for i in range(size):
        x, y, z = columns[i], columns[3 + i], columns[6 + i]
        for m in range(size):
            c0, c1, c2, o = local[3 * m], local[3 * m + 1], local[3 * m + 2], turn[3 * i + m]
            for j in range(o.size):
                o[j] = fma(x[j], c0, fma(y[j], c1, z[j] * c2))


@kernel
def store_poses(q, v, a, first, dimension, size, output_rows, output_data, frames, turns):
    """Point and directions of every body of the group, with derivatives, from step `first` on."""
    lanes = turns.shape[2]
    here, speed, rise = np.empty((3, lanes)), np.empty((3, lanes)), np.empty((3, lanes))
    span = slice(first, first + lanes)
    for k in range(output_rows.shape[0]):
        row, data = output_rows[k], output_data[k]
        f = row[0]
        for m in range(4 if dimension == 3 else 2):
            fixed(turns[f], data[3 * m : 3 * m + 3], here)
            cross(frames[3, f], here, speed)
            cross(frames[3, f], speed, rise)
            add_cross(frames[4, f], here, rise)
            for i in range(dimension):
                target = row[1 + m] + i
                if m == 0:
                    _add_scaled(frames[0, f, i], here[i], size, q[target, span])
                    _add_scaled(frames[1, f, i], speed[i], size, v[target, span])
                    _add_scaled(frames[2, f, i], rise[i], size, a[target, span])
                else:
                    q[target, span] = here[i]
                    v[target, span] = speed[i]
                    a[target, span] = rise[i]


@kernel
def _add_scaled(x, y, share, out):
    for j in range(out.size):
        out[j] = share * (x[j] + y[j])


@kernel
def blank(q, v, a, j, dimension, output_rows, rates_only):
    """NaN in what the group writes at step j, or in its velocities and accelerations alone."""
    for k in range(output_rows.shape[0]):
        for column in range(1, 5 if dimension == 3 else 3):
            for i in range(dimension):
                row = output_rows[k, column] + i
                q[row, j] = q[row, j] if rates_only else math.nan
                v[row, j] = math.nan
                a[row, j] = math.nan
