"""The tables of a group that is solved by iteration, and what of the state goes in and out of them.

`groupkin.kinematics.program.newton_tables` packs the tables one after another into `rows` and `constants`. Frames are
numbered, solved bodies first, then moves. Lengths are relative to the mechanism's size.

======== ====================================================== ===================================================
table    rows                                                   constants
======== ====================================================== ===================================================
header   dimension, unknowns, variables, solved bodies, moves,  size of the mechanism, m
         equations, outputs, row of the time, moves of the
         tree, rods, whole numbers and numbers of formulas
solved   point row, three direction rows                        point in the frame (3), directions in the frame (9)
moves    frame it starts from, kind, axis, unknown or -1,       fixed turn (9) and shift (3) before it, factor of
         driver row or -1, variable or -1                       the driver
equation kind, first frame, second frame, move or -1            vector (3), vector (3), vector (3), value
outputs  frame, point row, three direction rows                 point in the frame (3), directions in the frame (9)
rods     first move, rotations, moves, frame of the other end   tip in its last frame (3), other end (3), side
formulas (`sglibrary.iterative.formulas`)
curves   first piece, the one after the last, closed?           pieces (`sglibrary.iterative.curves`)
paths    frames x unknowns: does the unknown move the frame?    start values of the variables
======== ====================================================== ===================================================

Moves of rods (`sglibrary.iterative.rods`) come after those of the tree.

A ball has four variables, a unit quaternion, and three unknowns, its angular velocity in the frame it leads to.

The frame of a solved body is at a joint of the group, and all frames are placed relative to where that of the first
solved body is: so numbers are no larger than the group, however far from the origin it is.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, inlined, kernel
from sglibrary.iterative.kinds import COINCIDE, FORMULA, LINEAR
from sglibrary.iterative.simd import add_cross, clear, copy_row, cross, fixed, scale, zero
from sglibrary.status import OPEN
from sglibrary.vectors import axpy, dot, fma, get, plus, put, times
from sglibrary.vectors import carried as bowed
from sglibrary.vectors import cross as cross_product

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

HEADER = 12


class Table(NamedTuple):
    """Rows of whole numbers and of numbers, one for each solved body, move, output or curve."""

    rows: Ints
    data: Array


class Equations(NamedTuple):
    """The table of the equations, and how the unknowns enter them.

    Attributes
    ----------
    rows : (equations, 4) array of int
    data : (equations, 10) array
    signs : (unknowns, unknowns) array of int
        By scalar equation and unknown: 1 where the unknown moves the first frame, -1 the second, 0 where it moves both
        frames alike, or neither.
        Of a formula 1 + the number of its coordinate.
    dimension : {2, 3}
    numbers, constants : arrays
        Of formulas.
    """

    rows: Ints
    data: Array
    signs: Ints
    dimension: int
    numbers: Ints
    constants: Array


class Tables(NamedTuple):
    """All tables of a group.

    `size` is that of the mechanism in m, `time_row` the row of the time in the state, `tree` the number of moves that
    are not those of rods.
    """

    dimension: int
    unknowns: int
    variables: int
    time_row: int
    tree: int
    size: float
    solved: Table
    moves: Table
    equations: Equations
    outputs: Table
    rods: Table
    curves: Table


class Frames(NamedTuple):
    """Frames of the solved bodies and of the moves at some steps, `width` of them.

    Attributes
    ----------
    vectors : (5, frames, 3, width) array
        Origin, its velocity and acceleration, angular velocity and angular acceleration.
    turns : (frames, 9, width) array
        Rotation.
    driven : (3, moves, width) array
        Value, rate and acceleration of the moves that are driven.
    bends : (4, moves or 0, width) array
        Of the moves along curves (`sglibrary.iterative.curves`).
    base : (3, width) array
        Where the origin of the first frame is, m; all origins are relative to it.
    """

    vectors: Array
    turns: Array
    driven: Array
    bends: Array
    base: Array


@allocating
def unpack(rows, constants):
    """The tables packed into `rows` and `constants`."""
    dimension, unknowns, variables = rows[0], rows[1], rows[2]
    solved, moves, equations, outputs, rods = rows[3], rows[4], rows[5], rows[6], rows[9]
    at = HEADER
    solved_rows = rows[at : at + 4 * solved].reshape(solved, 4)
    at += 4 * solved
    move_rows = rows[at : at + 6 * moves].reshape(moves, 6)
    at += 6 * moves
    equation_rows = rows[at : at + 4 * equations].reshape(equations, 4)
    at += 4 * equations
    output_rows = rows[at : at + 5 * outputs].reshape(outputs, 5)
    at += 5 * outputs
    rod_rows = rows[at : at + 4 * rods].reshape(rods, 4)
    at += 4 * rods
    numbers = rows[at : at + rows[10]]
    at += rows[10]
    curve_rows = rows[at : rows.size - (solved + moves) * unknowns].reshape(-1, 3)
    paths = rows[rows.size - (solved + moves) * unknowns :].reshape(solved + moves, unknowns)
    at = 1
    solved_data = constants[at : at + 12 * solved].reshape(solved, 12)
    at += 12 * solved
    move_data = constants[at : at + 13 * moves].reshape(moves, 13)
    at += 13 * moves
    equation_data = constants[at : at + 10 * equations].reshape(equations, 10)
    at += 10 * equations
    output_data = constants[at : at + 12 * outputs].reshape(outputs, 12)
    at += 12 * outputs
    rod_data = constants[at : at + 7 * rods].reshape(rods, 7)
    at += 7 * rods
    formula_data = constants[at : at + rows[11]]
    at += rows[11]
    pieces = constants[at : constants.size - variables].reshape(-1, 14)
    signs = _signs(equation_rows, paths, move_rows, dimension, numbers)
    return Tables(
        dimension,
        unknowns,
        variables,
        rows[7],
        rows[8],
        constants[0],
        Table(solved_rows, solved_data),
        Table(move_rows, move_data),
        Equations(equation_rows, equation_data, signs, dimension, numbers, formula_data),
        Table(output_rows, output_data),
        Table(rod_rows, rod_data),
        Table(curve_rows, pieces),
    )


@kernel
def height(kind, dimension):
    """Number of scalar equations of a kind."""
    return dimension if kind == COINCIDE else 1


@allocating
def _signs(equation_rows, paths, move_rows, dimension, numbers):
    """See `Equations.signs`."""
    out, at = np.zeros((paths.shape[1], paths.shape[1]), np.int64), 0
    for k in range(equation_rows.shape[0]):
        kind, first, second = equation_rows[k, 0], equation_rows[k, 1], equation_rows[k, 2]
        rows = height(kind, dimension)
        if kind == FORMULA:
            for c in range(numbers[first]):
                u = move_rows[numbers[first + 3 + c], 3]
                if u >= 0:
                    out[at, u] = 1 + c
            at += rows
            continue
        for u in range(paths.shape[1]):
            if kind == LINEAR:
                on_first, on_second = move_rows[first, 3] == u, move_rows[second, 3] == u
            else:
                on_first, on_second = paths[first, u] != 0, paths[second, u] != 0
            if on_first != on_second:
                out[at : at + rows, u] = 1 if on_first else -1
        at += rows
    return out


@allocating
def load_frames(state, first, tables, frames):
    """Frames of the solved bodies from their points and directions, and driven moves, from step `first` on.

    `state` are the arrays q, v and a.
    """
    vectors, turns, driven, _, base = frames
    dimension, size, width = tables.dimension, tables.size, turns.shape[2]
    solved_rows, solved_data = tables.solved
    move_rows, move_data = tables.moves
    triad = np.empty((3, 9, width))
    arm, whirl, still = np.empty((3, width)), np.empty((3, width)), np.zeros((3, width))
    span = slice(first, first + width)
    for k in range(solved_rows.shape[0]):
        row, data = solved_rows[k], solved_data[k]
        for order in range(3):
            _directions(state[order], span, row, dimension, triad[order])
        for j in range(width if dimension == 2 else 0):
            triad[0, 8, j] = 1.0
        _from_columns(triad[0], data[3:12], turns[k])
        # ω = ½ Σ e × e', α = ½ Σ e × e''
        for order in range(1, 3):
            out = vectors[2 + order, k]
            clear(out)
            for m in range(3):
                add_cross(triad[0, 3 * m : 3 * m + 3], triad[order, 3 * m : 3 * m + 3], out)
            scale(out, 0.5)
        fixed(turns[k], -data[0:3], arm)
        for i in range(dimension if k == 0 else 0):
            copy_row(arm[i], base[i])
            _scale_from(state[0][row[0] + i, span], size, base[i])
        _point(state[0], span, row[0], dimension, base, 1.0 / size, vectors[0, k])
        for order in range(1, 3):
            _point(state[order], span, row[0], dimension, still, 1.0 / size, vectors[order, k])
        for i in range(arm.shape[0]):
            o, x = vectors[0, k, i], arm[i]
            for j in range(o.size):
                o[j] += x[j]
        add_cross(vectors[3, k], arm, vectors[1, k])
        cross(vectors[3, k], arm, whirl)
        add_cross(vectors[4, k], arm, vectors[2, k])
        add_cross(vectors[3, k], whirl, vectors[2, k])
    for m in range(move_rows.shape[0]):
        row = move_rows[m, 4]
        if row >= 0:
            for order in range(3):
                _copy_scaled(state[order][row, span], move_data[m, 12], driven[order, m])


@kernel
def _copy_scaled(x, share, out):
    for j in range(out.size):
        out[j] = share * x[j]


@kernel
def _point(x, span, row, dimension, base, share, out):
    """A point relative to another one, in sizes of the mechanism; or a derivative of it, relative to what rests."""
    for i in range(out.shape[0]):
        if i < dimension:
            point, b, o = x[row + i, span], base[i], out[i]
            for j in range(o.size):
                o[j] = share * (point[j] - b[j])
        else:
            zero(out[i])


@kernel
def _directions(x, span, row, dimension, out):
    """Three directions one after another; in the plane the second is a quarter turn of the first, the third is zero."""
    if dimension == 3:
        for k in range(dimension):
            for i in range(dimension):
                copy_row(x[row[1 + k] + i, span], out[3 * k + i])
        return
    clear(out)
    for i in range(dimension):
        copy_row(x[row[1] + i, span], out[i])
    copy_row(out[0], out[4])
    for j in range(out.shape[1]):
        out[3, j] = -out[1, j]


@kernel
def _from_columns(columns, local, turn):
    """Turn of a body from three directions and their local components (9,), each direction's in a column."""
    size = turn.shape[0] // 3
    for i in range(size):
        x, y, z = columns[i], columns[3 + i], columns[6 + i]
        for m in range(size):
            c0, c1, c2, o = local[3 * m], local[3 * m + 1], local[3 * m + 2], turn[3 * i + m]
            for j in range(o.size):
                o[j] = fma(x[j], c0, fma(y[j], c1, z[j] * c2))


@allocating
def store_poses(state, first, tables, frames, status):
    """Point and directions of every body of the group, with derivatives, from step `first` on where it is OPEN."""
    vectors, turns, _, _, base = frames
    dimension, size, width = tables.dimension, tables.size, turns.shape[2]
    output_rows, output_data = tables.outputs
    at, turn = vectors.reshape(-1, width), turns.reshape(-1, width)
    out, ends = np.empty((9, width)), base.reshape(-1, width)
    span, still = slice(first, first + width), np.zeros(width)
    everywhere = dimension == 3
    for j in range(width):
        everywhere &= status[j] == OPEN
    for k in range(output_rows.shape[0]):
        frame = output_rows[k, 0]
        for m in range(4 if dimension == 3 else 2):
            local = output_data[k, 3 * m : 3 * m + 3]
            if everywhere and m == 0:
                _store_point(at, turn, frame, local, ends, size, state, output_rows[k, 1], first)
                continue
            if everywhere:
                _store_direction(at, turn, frame, local, state, output_rows[k, 1 + m], first)
                continue
            _moved(at, turn, frame, local, m == 0, out)
            for order in range(3):
                for i in range(dimension):
                    row = out[3 * order + i]
                    if m == 0:
                        _scale_from(base[i] if order == 0 else still, size, row)
                    _store(row, status, state[order][output_rows[k, 1 + m] + i, span])


@kernel
def _moved(vectors, turns, frame, local, is_point, out):
    """A point or direction of a frame with two derivatives, (9, width)."""
    components, share, count = (local[0], local[1], local[2]), 1.0 if is_point else 0.0, vectors.shape[0] // 15
    for j in range(out.shape[1]):
        arm, speed, gain = _direction(vectors, turns, frame, components, j)
        put((out, 0), j, axpy(share, get((vectors, 3 * frame), j), arm))
        put((out, 3), j, axpy(share, get((vectors, 3 * (count + frame)), j), speed))
        put((out, 6), j, axpy(share, get((vectors, 3 * (2 * count + frame)), j), gain))


@inlined
def _direction(vectors, turns, frame, components, j):
    """A direction of a frame with two derivatives."""
    count = vectors.shape[0] // 15
    arm = (
        dot(get((turns, 9 * frame), j), components),
        dot(get((turns, 9 * frame + 3), j), components),
        dot(get((turns, 9 * frame + 6), j), components),
    )
    spin, rise = get((vectors, 3 * (3 * count + frame)), j), get((vectors, 3 * (4 * count + frame)), j)
    speed = cross_product(spin, arm)
    return arm, speed, bowed(spin, rise, arm, speed)


@kernel
def _store_direction(vectors, turns, frame, local, state, row, first):
    """A direction of a frame with two derivatives, from step `first` of the state on."""
    q, v, a = state
    components = local[0], local[1], local[2]
    for j in range(vectors.shape[1]):
        arm, speed, gain = _direction(vectors, turns, frame, components, j)
        put((q, row), first + j, arm)
        put((v, row), first + j, speed)
        put((a, row), first + j, gain)


@kernel
def _store_point(vectors, turns, frame, local, base, size, state, row, first):
    """A point of a frame with two derivatives, m, from step `first` of the state on."""
    q, v, a = state
    components, count = (local[0], local[1], local[2]), vectors.shape[0] // 15
    for j in range(vectors.shape[1]):
        arm, speed, gain = _direction(vectors, turns, frame, components, j)
        put((q, row), first + j, axpy(size, plus(get((vectors, 3 * frame), j), arm), get((base, 0), j)))
        put((v, row), first + j, times(size, plus(get((vectors, 3 * (count + frame)), j), speed)))
        put((a, row), first + j, times(size, plus(get((vectors, 3 * (2 * count + frame)), j), gain)))


@kernel
def _store(x, status, out):
    for j in range(out.size):
        out[j] = x[j] if status[j] == OPEN else out[j]


@kernel
def _scale_from(start, share, out):
    """out = start + share · out."""
    for j in range(out.size):
        out[j] = fma(share, out[j], start[j])


@kernel
def blank(state, j, dimension, output_rows, rates_only):
    """NaN in what the group writes at step j, or in its velocities and accelerations alone."""
    q, v, a = state
    for k in range(output_rows.shape[0]):
        for column in range(1, 5 if dimension == 3 else 3):
            for i in range(dimension):
                row = output_rows[k, column] + i
                q[row, j] = q[row, j] if rates_only else math.nan
                v[row, j] = math.nan
                a[row, j] = math.nan
