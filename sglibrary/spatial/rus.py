"""The chains R-U-S and R-S-U between two solved bodies.

Body 1 turns on a solved axis; its joint with body 2 keeps its distance from the solved point D at the other end of
body 2 (`sglibrary.spatial.circle`, first assembly mode). Body 2 then is held by its U joint and its S joint
(`sglibrary.spatial.orientation`, second mode). In R-U-S the U joint is between the bodies, its axis n1 fixed in body 1;
in R-S-U it is at D, n1 fixed in the solved body. The constants of both are

    h, ρ, l, first mode, c1, c2, c3, cos δ, second mode, and for R-U-S n1 in the directions e, u, w of body 1.
"""

from sglibrary.convention import kernel
from sglibrary.report import report
from sglibrary.spatial.circle import meet, meet_gain, meet_rate, rod
from sglibrary.spatial.frames import spin
from sglibrary.spatial.orientation import orient, orient_gain, orient_rate
from sglibrary.vectors import cross, get, minus, put, space


@kernel
def rus_position(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """rows: O, e, D; written: u, w of body 1, n2, m, k of body 2, then n1."""
    _first_body(q, rows, rows[3], constants, conditioning, n)
    _first_axis(q, rows, constants, n)
    _second_body(q, work, rows, rows[3], rows[3] + 15, 1.0, constants, conditioning, n)
    report(q, rows, 0, 3, status, conditioning, n)


@kernel
def rus_velocity(q, v, a, work, memory, rows, constants, status, conditioning, n):
    meet_rate(q, v, rows[0], rows[1], rows[2], rows[3], constants[0], constants[1], n)
    _first_axis(v, rows, constants, n)
    _second_rate(q, v, work, rows, rows[3], rows[3] + 15, 1.0, constants, n)


@kernel
def rus_acceleration(q, v, a, work, memory, rows, constants, status, conditioning, n):
    meet_gain(q, v, a, work, rows[0], rows[1], rows[2], rows[3], constants[0], constants[1], n)
    _first_axis(a, rows, constants, n)
    _second_gain(q, v, a, work, rows, rows[3], rows[3] + 15, 1.0, constants, n)


@kernel
def rsu_position(q, v, a, work, memory, rows, constants, status, conditioning, n):
    """rows: O, e, D, n1; written: u, w of body 1, n2, m, k of body 2."""
    _first_body(q, rows, rows[4], constants, conditioning, n)
    _second_body(q, work, rows, rows[4], rows[3], -1.0, constants, conditioning, n)
    report(q, rows, 0, 4, status, conditioning, n)


@kernel
def rsu_velocity(q, v, a, work, memory, rows, constants, status, conditioning, n):
    meet_rate(q, v, rows[0], rows[1], rows[2], rows[4], constants[0], constants[1], n)
    _second_rate(q, v, work, rows, rows[4], rows[3], -1.0, constants, n)


@kernel
def rsu_acceleration(q, v, a, work, memory, rows, constants, status, conditioning, n):
    meet_gain(q, v, a, work, rows[0], rows[1], rows[2], rows[4], constants[0], constants[1], n)
    _second_gain(q, v, a, work, rows, rows[4], rows[3], -1.0, constants, n)


@kernel
def _first_body(q, rows, out, constants, conditioning, n):
    h, radius, length, mode = constants[0], constants[1], constants[2], constants[3]
    meet(q, rows[0], rows[1], rows[2], out, h, radius, length, mode, conditioning, n)


@kernel
def _first_axis(x, rows, constants, n):
    """n1, or a derivative of it, from the directions e, u, w of body 1."""
    k0, k1, k2 = constants[9], constants[10], constants[11]
    for i in range(3):
        e, u, w = x[rows[1] + i, :n], x[rows[3] + i, :n], x[rows[3] + 3 + i, :n]
        out = x[rows[3] + 15 + i, :n]
        for j in range(out.size):
            out[j] = k0 * e[j] + k1 * u[j] + k2 * w[j]


@kernel
def _second_body(q, work, rows, out, n1_row, sign, constants, conditioning, n):
    rod(q, work, rows[0], rows[1], rows[2], out, constants[0], constants[1], sign, 0, n)
    work[3, :n] = constants[4]
    work[4, :n] = constants[5]
    orient(q, work, n1_row, out + 6, constants[7], constants[6], constants[8], conditioning, n)


@kernel
def _second_rate(q, v, work, rows, out, n1_row, sign, constants, n):
    rod(q, work, rows[0], rows[1], rows[2], out, constants[0], constants[1], sign, 0, n)
    rod(v, work, rows[0], rows[1], rows[2], out, constants[0], constants[1], sign, 6, n)
    orient_rate(q, v, work, n1_row, out + 6, n)


@kernel
def _second_gain(q, v, a, work, rows, out, n1_row, sign, constants, n):
    rod(q, work, rows[0], rows[1], rows[2], out, constants[0], constants[1], sign, 0, n)
    rod(a, work, rows[0], rows[1], rows[2], out, constants[0], constants[1], sign, 6, n)
    w, vector, slip = space(work, 9, n), space(work, 0, n), space(work, 6, n)
    spin(q, v, out + 6, out + 9, out + 12, w, n)
    for j in range(w[0].size):
        turn = get(w, j)
        put(slip, j, minus(get(slip, j), cross(turn, cross(turn, get(vector, j)))))
    orient_gain(q, v, a, work, n1_row, out + 6, n)
