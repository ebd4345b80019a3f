"""The chain U-P-S between two solved bodies: a leg of a Stewart platform.

Both bodies share their directions. From the U joint at P to the S joint at S the leg sees L = c + t s with c ⟂ s, so
t = ± √(L² - c²): the first assembly mode, conditioned by t / |L|. The orientation follows from L and the axis n1 of
the U joint (`sglibrary.spatial.orientation`): the second mode.
"""

import math

from sglibrary.convention import kernel
from sglibrary.report import report
from sglibrary.spatial.frames import gain, spin
from sglibrary.spatial.orientation import orient, orient_gain, orient_rate
from sglibrary.vectors import cross, dot, get, minus, plus, put, space, sqrt, times


@kernel
def position(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """rows: P, n1, S; written: n2, m, k. constants: c1, c2, c3, s1, s2, cos δ, sign of t, sign of the orientation."""
    c1, c2, c3, s1, s2 = constants[0], constants[1], constants[2], constants[3], constants[4]
    slide = constants[6]
    _span(q, work, rows, 0, n)
    span, d, x = space(work, 0, n), work[3, :n], work[4, :n]
    cond = conditioning[:n]
    for j in range(d.size):
        vector = get(span, j)
        square = dot(vector, vector)
        t = slide * sqrt(square - (c1 * c1 + c2 * c2 + c3 * c3))
        d[j] = c1 + t * s1
        x[j] = c2 + t * s2
        cond[j] = math.fabs(t) / math.sqrt(square)
    orient(q, work, rows[1], rows[3], constants[5], c3, constants[7], conditioning, n)
    report(q, rows, 0, 3, status, conditioning, n)


@kernel
def _span(x, work, rows, row, n):
    """S - P, or a derivative of it, into three work rows."""
    start, end, out = space(x, rows[0], n), space(x, rows[2], n), space(work, row, n)
    for j in range(out[0].size):
        put(out, j, minus(get(end, j), get(start, j)))


@kernel
def _slide(q, work, rows, constants, n):
    """Direction s of the slide into work rows 15-17, displacement t into row 3, after L in rows 0-2."""
    s1, s2 = constants[3], constants[4]
    offset = constants[0] * constants[0] + constants[1] * constants[1] + constants[2] * constants[2]
    mode = constants[6]
    n2, m = space(q, rows[3], n), space(q, rows[3] + 3, n)
    s, span, t = space(work, 15, n), space(work, 0, n), work[3, :n]
    for j in range(t.size):
        put(s, j, plus(times(s1, get(n2, j)), times(s2, get(m, j))))
    for j in range(t.size):
        vector = get(span, j)
        t[j] = mode * sqrt(dot(vector, vector) - offset)


@kernel
def velocity(q, v, a, work, memory, rows, constants, status, conditioning, n):
    _span(q, work, rows, 0, n)
    _slide(q, work, rows, constants, n)
    _span(v, work, rows, 6, n)
    span, slip, s, t = space(work, 0, n), space(work, 6, n), space(work, 15, n), work[3, :n]
    for j in range(t.size):
        rate = dot(get(span, j), get(slip, j)) / t[j]
        put(slip, j, minus(get(slip, j), times(rate, get(s, j))))
    orient_rate(q, v, work, rows[1], rows[3], n)


@kernel
def acceleration(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """L'' = α × L + ω × (ω × L) + 2 t' ω × s + t'' s, with t t'' = L·L'' + L'² - t'²."""
    _span(q, work, rows, 0, n)
    _slide(q, work, rows, constants, n)
    _span(v, work, rows, 18, n)
    _span(a, work, rows, 6, n)
    w = space(work, 9, n)
    spin(q, v, rows[3], rows[3] + 3, rows[3] + 6, w, n)
    span, dspan, slip, s, t = (
        space(work, 0, n),
        space(work, 18, n),
        space(work, 6, n),
        space(work, 15, n),
        work[3, :n],
    )
    for j in range(t.size):
        vector, moved, second, axis, turn = get(span, j), get(dspan, j), get(slip, j), get(s, j), get(w, j)
        rate = dot(vector, moved) / t[j]
        grow = (dot(vector, second) + dot(moved, moved) - rate * rate) / t[j]
        slide = times(2.0 * rate, cross(turn, axis))
        whirl = cross(turn, cross(turn, vector))
        put(slip, j, minus(minus(second, times(grow, axis)), plus(whirl, slide)))
    orient_gain(q, v, a, work, rows[1], rows[3], n)
