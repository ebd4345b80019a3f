"""Equations of the joints that were cut, their derivatives by time, and their Jacobian by the unknowns.

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
FORMULA    a formula of moves                      none (`sglibrary.iterative.formulas`)
========== ======================================= ==========================================================

An unknown moves what hangs on it with a velocity a × (X - o) = a × X + p, p = o × a, where a is its axis through o (for
a displacement along d: a = 0, p = d; along a curve: a = θ' z, p = c' + o × a). All entries of the Jacobian then are
products of (a, p) with a line of the equation: for DOT (0, u × w), for OFFSET (u, u × Y).
"""

import numpy as np

from sglibrary.convention import allocating, inlined, kernel
from sglibrary.iterative.curves import ALONG, SPEED, TURN, UPRIGHT
from sglibrary.iterative.formulas import evaluate_formula
from sglibrary.iterative.kinds import (
    BALL,
    COINCIDE,
    CURVE,
    DISTANCE,
    DOT,
    FORMULA,
    LINEAR,
    OFFSET,
    TELESCOPE,
    TRANSLATION,
)
from sglibrary.iterative.newton_tables import height
from sglibrary.iterative.simd import add_cross, carried, clear, column, copy_row, cross, dot, fixed, minus, zero
from sglibrary.vectors import carried as bowed
from sglibrary.vectors import cross as cross_product
from sglibrary.vectors import dot as inner
from sglibrary.vectors import fma, get, plus, write
from sglibrary.vectors import minus as less


@allocating
def defect(x, frames, equations, move_rows, lines, place, out):
    """Left-hand sides of all equations, in the rows of `out` that `place` says, and their `lines`."""
    vectors, turns, driven, _, _ = frames
    rows, numbers, _, dimension, _, _ = equations
    width = turns.shape[2]
    first, second = np.empty((3, width)), np.empty((3, width))
    at = 0
    for k in range(rows.shape[0]):
        kind, f, s, data = rows[k, 0], rows[k, 1], rows[k, 2], numbers[k]
        value, line = data[9], lines[k]
        if kind == COINCIDE:
            carried(vectors[0, f], turns[f], data[0:3], line[0:3])
            carried(vectors[0, s], turns[s], data[3:6], line[3:6])
            for i in range(dimension):
                a, b, o = line[i], line[3 + i], out[place[at + i]]
                for j in range(o.size):
                    o[j] = a[j] - b[j]
            at += dimension
            continue
        o = out[place[at]]
        at += 1
        if kind == DOT:
            fixed(turns[f], data[0:3], first)
            fixed(turns[s], data[3:6], second)
            dot(first, second, o)
            clear(line[0:3])
            cross(first, second, line[3:6])
        elif kind == OFFSET:
            fixed(turns[f], data[0:3], line[0:3])
            carried(vectors[0, f], turns[f], data[6:9], first)
            carried(vectors[0, s], turns[s], data[3:6], second)
            cross(line[0:3], second, line[3:6])
            minus(second, first, second)
            dot(line[0:3], second, o)
        elif kind in (DISTANCE, TELESCOPE):
            carried(vectors[0, f], turns[f], data[0:3], first)
            carried(vectors[0, s], turns[s], data[3:6], second)
            minus(second, first, line[0:3])
            dot(line[0:3], line[0:3], o)
            for i in range(first.shape[0]):
                g = line[i]
                for j in range(g.size):
                    g[j] /= value
            cross(line[0:3], second, line[3:6])
            if kind == TELESCOPE:
                s = driven[0, rows[k, 3]]
                for j in range(o.size):
                    o[j] -= data[6] + (2.0 * data[7] + s[j]) * s[j] - value * value
            for j in range(o.size):
                o[j] = o[j] / (2.0 * value) + 0.5 * value
        elif kind == LINEAR:
            zero(o)
            for i in range(2):
                move = rows[k, 1 + i]
                y, share = driven[0, move] if move_rows[move, 3] < 0 else x[move_rows[move, 5]], data[i]
                for j in range(o.size):
                    o[j] += share * y[j]
        elif kind == FORMULA:
            _formula_defect(x, driven, equations, move_rows, f, line, o)
        for j in range(o.size):
            o[j] -= value


@allocating
def _coordinates(x, driven, equations, move_rows, start):
    """Values (n, 3, width) of the coordinates of a formula, with derivatives zero."""
    numbers = equations.numbers
    out = np.zeros((numbers[start], 3, driven.shape[2]))
    for c in range(numbers[start]):
        move = numbers[start + 3 + c]
        copy_row(driven[0, move] if move_rows[move, 3] < 0 else x[move_rows[move, 5]], out[c, 0])
    return out


@allocating
def _formula_defect(x, driven, equations, move_rows, start, line, out):
    """The value of a formula, and in `line` its derivatives by its coordinates."""
    coordinates, found = _coordinates(x, driven, equations, move_rows, start), np.empty((3, out.size))
    for c in range(coordinates.shape[0]):
        for j in range(out.size):
            coordinates[c, 1, j] = 1.0
        evaluate_formula(equations.numbers, equations.constants, start, coordinates, found)
        copy_row(found[1], line[c])
        zero(coordinates[c, 1])
    copy_row(found[0], out)


@allocating
def jacobian(frames, equations, move_rows, lines, row_place, column_place, out):
    """Derivatives of all equations by all unknowns, into `out` (rows, columns, width) at given places.

    Entries that are always zero are not written.
    """
    vectors, turns, _, bends, _ = frames
    rows, numbers, signs, dimension, _, _ = equations
    width = turns.shape[2]
    base = turns.shape[0] - move_rows.shape[0]
    axis, moment = np.empty((3, width)), np.empty((3, width))
    for m in range(move_rows.shape[0]):
        unknown, kind, frame = move_rows[m, 3], move_rows[m, 1], base + m
        for c in range(0 if unknown < 0 else 3 if kind == BALL else 1):
            u = unknown + c
            if kind == TRANSLATION:
                clear(axis)
                column(turns[frame], move_rows[m, 2], moment)
            elif kind == CURVE:
                column(turns[frame], UPRIGHT, axis)
                _multiply(axis, bends[TURN, m])
                column(turns[frame], ALONG, moment)
                _multiply(moment, bends[SPEED, m])
                add_cross(vectors[0, frame], axis, moment)
            else:
                column(turns[frame], move_rows[m, 2] + c, axis)
                cross(vectors[0, frame], axis, moment)
            at = 0
            for k in range(rows.shape[0]):
                kind_k, sign = rows[k, 0], signs[at, u]
                if sign != 0 and kind_k == COINCIDE:
                    point = lines[k, 0:3] if sign > 0 else lines[k, 3:6]
                    for i in range(dimension):
                        s, t = (i + 1) % 3, (i + 2) % 3
                        a, b, p, q, r = axis[s], axis[t], point[t], point[s], moment[i]
                        o = out[row_place[at + i], column_place[u]]
                        for j in range(o.size):
                            o[j] = sign * fma(a[j], p[j], fma(-b[j], q[j], r[j]))
                elif sign != 0 and kind_k == LINEAR:
                    o = out[row_place[at], column_place[u]]
                    for j in range(o.size):
                        o[j] = numbers[k, 0 if sign > 0 else 1]
                elif sign != 0 and kind_k == FORMULA:
                    copy_row(lines[k, sign - 1], out[row_place[at], column_place[u]])
                elif sign != 0:
                    _entry(axis, moment, lines[k], sign, out[row_place[at], column_place[u]])
                at += height(kind_k, dimension)


@kernel
def _multiply(out, share):
    for i in range(out.shape[0]):
        o = out[i]
        for j in range(o.size):
            o[j] *= share[j]


@kernel
def _entry(axis, moment, line, sign, out):
    """sign (a · m - f · p) of an unknown (a, p) and a line (f, m)."""
    a, b, c, x, y, z = axis[0], axis[1], axis[2], line[3], line[4], line[5]
    for j in range(out.size):
        out[j] = fma(a[j], x[j], fma(b[j], y[j], c[j] * z[j]))
    a, b, c, x, y, z = moment[0], moment[1], moment[2], line[0], line[1], line[2]
    for j in range(out.size):
        out[j] = sign * (out[j] - fma(a[j], x[j], fma(b[j], y[j], c[j] * z[j])))


@kernel
def _derivatives(vectors, turns, frame, local, orders, point, out):
    """A direction (or point) fixed in a frame and its derivatives up to some order, `out` (orders + 1, 3, width)."""
    fixed(turns[frame], local, out[0])
    for order in range(1, orders + 1):
        cross(vectors[3, frame], out[order - 1], out[order])
        if order == 2:
            add_cross(vectors[4, frame], out[0], out[2])
    if point:
        for order in range(orders + 1):
            for i in range(out.shape[1]):
                a, o = vectors[order, frame, i], out[order, i]
                for j in range(o.size):
                    o[j] += a[j]


@allocating
def moving_defect(x, rate, gain, frames, equations, move_rows, order, place, out):
    """First or second time derivative of all left-hand sides at given rates and gains of the unknowns."""
    vectors, turns, driven, _, _ = frames
    rows, numbers, _, dimension, _, _ = equations
    values = rate if order == 1 else gain
    width = turns.shape[2]
    u, w, foot = np.empty((3, 3, width)), np.empty((3, 3, width)), np.empty((3, 3, width))
    at = 0
    for k in range(rows.shape[0]):
        kind, f, s, data = rows[k, 0], rows[k, 1], rows[k, 2], numbers[k]
        for i in range(dimension if kind == COINCIDE else 1):
            zero(out[place[at + i]])
        o = out[place[at]]
        if kind == LINEAR:
            for i in range(2):
                move = rows[k, 1 + i]
                unknown = move_rows[move, 3]
                y, share = driven[order, move] if unknown < 0 else values[unknown], data[i]
                for j in range(o.size):
                    o[j] += share * y[j]
            at += 1
            continue
        if kind == FORMULA:
            _moving_formula((x, rate, gain), driven, equations, move_rows, f, order, o)
            at += 1
            continue
        if kind in (DISTANCE, TELESCOPE):
            _moving_distance(vectors.reshape(-1, width), turns.reshape(-1, width), f, s, data, order, o)
            if kind == TELESCOPE:
                _subtract_growth(driven[:, rows[k, 3]], order, data[7], 1.0 / data[9], o)
            at += 1
            continue
        _derivatives(vectors, turns, f, data[0:3], order, kind == COINCIDE, u)
        _derivatives(vectors, turns, s, data[3:6], order, kind != DOT, w)
        if kind == COINCIDE:
            for i in range(dimension):
                a, b, o = u[order, i], w[order, i], out[place[at + i]]
                for j in range(o.size):
                    o[j] = a[j] - b[j]
            at += dimension
            continue
        at += 1
        if kind == OFFSET:  # the second vector is Y - X
            _derivatives(vectors, turns, f, data[6:9], order, True, foot)
            for m in range(order + 1):
                minus(w[m], foot[m], w[m])
        for m in range(order + 1):
            _add_dot(2.0 if order == 2 and m == 1 else 1.0, u[m], w[order - m], o)


@allocating
def _moving_formula(unknown, driven, equations, move_rows, start, order, out):
    """First or second time derivative of a formula, `unknown` being variables, and rates and gains of unknowns."""
    x, rate, gain = unknown
    coordinates, found = _coordinates(x, driven, equations, move_rows, start), np.empty((3, out.size))
    for c in range(coordinates.shape[0]):
        move = equations.numbers[start + 3 + c]
        u = move_rows[move, 3]
        copy_row(driven[1, move] if u < 0 else rate[u], coordinates[c, 1])
        copy_row(driven[2, move] if u < 0 else gain[u], coordinates[c, 2])
    evaluate_formula(equations.numbers, equations.constants, start, coordinates, found)
    copy_row(found[order], out)


@kernel
def _moving_distance(vectors, turns, first, second, data, order, out):
    """First or second derivative of half the square of a distance, over the distance."""
    start, end, share = (data[0], data[1], data[2]), (data[3], data[4], data[5]), 1.0 / data[9]
    for j in range(out.size):
        x, dx, ddx = _motion(vectors, turns, first, start, j)
        y, dy, ddy = _motion(vectors, turns, second, end, j)
        way, speed = less(y, x), less(dy, dx)
        change = inner(way, speed) if order == 1 else inner(way, less(ddy, ddx)) + inner(speed, speed)
        write(out, j, share * change)


@inlined
def _motion(vectors, turns, frame, local, j):
    """A point of a frame with two derivatives."""
    count = vectors.shape[0] // 15
    arm = (
        inner(get((turns, 9 * frame), j), local),
        inner(get((turns, 9 * frame + 3), j), local),
        inner(get((turns, 9 * frame + 6), j), local),
    )
    spin, rise = get((vectors, 3 * (3 * count + frame)), j), get((vectors, 3 * (4 * count + frame)), j)
    speed = cross_product(spin, arm)
    point = plus(get((vectors, 3 * frame), j), arm)
    velocity = plus(get((vectors, 3 * (count + frame)), j), speed)
    return point, velocity, plus(get((vectors, 3 * (2 * count + frame)), j), bowed(spin, rise, arm, speed))


@kernel
def _subtract_growth(move, order, offset, share, out):
    """out -= share · (first or second derivative of l² / 2), `move` (3, width) being s and its derivatives."""
    s, rate, gain = move[0], move[1], move[2]
    for j in range(out.size):
        out[j] -= share * ((offset + s[j]) * (rate[j] if order == 1 else gain[j]))
        if order == 2:
            out[j] -= share * rate[j] * rate[j]


@kernel
def _add_dot(share, u, w, out):
    for i in range(u.shape[0]):
        a, b = u[i], w[i]
        for j in range(out.size):
            out[j] += share * a[j] * b[j]
