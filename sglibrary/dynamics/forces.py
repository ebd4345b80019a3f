"""Forces along coordinates, on points and on bodies, as what they do for the free coordinates of a mechanism.

A force along a coordinate x pulls it back by  k (x - x0) + c x' + s p + f x' / √(x'² + w²) + g(x) + h(x')  with the
stiffness k, the damping c, the preload p, the value s of a law of time, dry friction f that grows up to the speed w,
and piecewise cubics g and h. So springs, dampers, friction and forces in joints are one kind of force along several
kinds of coordinates; each is a function of rows of the state, and its rate one of their rates.

======== ====================================================== =====================================================
kind     rows                                                   coordinate, or force
======== ====================================================== =====================================================
DISTANCE points p, r                                            length of r - p
SLIDE    points p, r; direction e                               e · (r - p)
TURN     directions y, z, x, w                                  angle with the sine ± y · z and the cosine ± x · w
MIDDLE   directions e, z, x, y                                  angle with the sine e · z, and e · x, e · y across it
SINE     directions y, z, x, w                                  (y · z - x · w) / 2
FREE     number and row of a free driver                        its coordinate
FORCE    point, vector                                          the vector, at the point
TORQUE   vector (in the plane a number); directions of a body   the vector, on the body
CONTACT  center p and direction x of a body, origin r and       push and friction of a circle about p in the curve
         direction y of another, width and closure of its curve
======== ====================================================== =====================================================
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import formula, kernel
from sglibrary.laws import OTHER, evaluate

DISTANCE, SLIDE, TURN, MIDDLE, FREE, FORCE, TORQUE, SINE, CONTACT = range(9)


Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Laws(NamedTuple):
    """Laws of time: kinds (k,), numbers (k, 4) and a table (m,), as `sglibrary.laws` takes them."""

    kinds: Ints
    numbers: Array
    table: Array


class Forces(NamedTuple):
    """The forces of a mechanism.

    Attributes
    ----------
    rows : (k, 8) array of int
        Kind, then rows of the state; of the angle of a screw also points p, r and a direction e, else -1.
    numbers : (k, 14) array
        Stiffness, damping, preload, x0; of an angle signs of sine and cosine, the angle from which it differs by less
        than half a turn, and of a screw what that grows by per meter of e · (r - p); dry friction and its speed;
        where g begins among the curves and how many pieces it has, none if there is no such function; the same of h.
    laws : Laws
        Their kinds are OTHER where there is none, and 1 is meant.
    curves : (m,) array
        Of each curve the ends of its pieces, then for each piece coefficients, of outlines of x and y, in falling
        powers of the parameter since the piece began.
    """

    rows: Ints
    numbers: Array
    laws: Laws
    curves: Array


@kernel
def add_forces(forces, dimension, state, lanes, times, out):
    """Add what forces do for the free coordinates.

    Parameters
    ----------
    forces : Forces
    dimension : {2, 3}
    state : State
        With the columns that `lanes` tells.
    lanes : Lanes
    times : (columns,) array
        s.
    out : (f, n) array
    """
    rows, numbers, laws, curves = forces
    q, v = state.q, state.v
    share = lanes.law
    n = lanes.size
    for k in range(rows.shape[0]):
        if laws.kinds[k] != OTHER:
            evaluate(times[:n], laws.kinds[k], laws.numbers[k], laws.table, (share[0], share[1], share[2]))
        else:
            for j in range(n):
                share[0, j] = 1.0
        kind = rows[k, 0]
        if kind == FORCE:
            _push(q, v, rows[k], dimension, lanes, share[0], out)
        elif kind == TORQUE:
            _twist(q, v, rows[k], dimension, lanes, share[0], out)
        elif kind == CONTACT:
            _touch(q, v, rows[k], numbers[k], curves, lanes, out)
        elif kind == FREE:
            _drive(q, v, rows[k], numbers[k], curves, lanes, share[0], out)
        elif kind == DISTANCE:
            _stretch(q, v, rows[k], numbers[k], curves, dimension, lanes, share[0], out)
        else:
            _pull(q, v, rows[k], numbers[k], curves, dimension, lanes, share[0], out)


@formula
def _dot(q, r, s, d, c):
    """Inner product of two vectors in a column."""
    found = q[r, c] * q[s, c] + q[r + 1, c] * q[s + 1, c]
    return found + q[r + 2, c] * q[s + 2, c] if d == 3 else found


@formula
def _dot_rate(q, v, r, s, d, c):
    """Its rate."""
    found = (v[r, c] * q[s, c] + q[r, c] * v[s, c]) + (v[r + 1, c] * q[s + 1, c] + q[r + 1, c] * v[s + 1, c])
    return found + (v[r + 2, c] * q[s + 2, c] + q[r + 2, c] * v[s + 2, c]) if d == 3 else found


@formula
def _way(x, e, p, r, d, c):
    """Inner product of a vector and the way between points."""
    found = x[e, c] * (x[r, c] - x[p, c]) + x[e + 1, c] * (x[r + 1, c] - x[p + 1, c])
    return found + x[e + 2, c] * (x[r + 2, c] - x[p + 2, c]) if d == 3 else found


@formula
def _way_rate(q, v, e, p, r, d, c):
    found = 0.0
    for i in range(d):
        found += v[e + i, c] * (q[r + i, c] - q[p + i, c]) + q[e + i, c] * (v[r + i, c] - v[p + i, c])
    return found


@kernel
def _value(q, rows, numbers, d, c):
    """The value of a slide or an angle in a column."""
    kind, a, b, e, w = rows[0], rows[1], rows[2], rows[3], rows[4]
    if kind == SLIDE:
        return _way(q, e, a, b, d, c)
    if kind == SINE:
        return 0.5 * (_dot(q, a, b, d, c) - _dot(q, e, w, d, c))
    if kind == TURN:
        return math.atan2(numbers[4] * _dot(q, a, b, d, c), numbers[5] * _dot(q, e, w, d, c))
    x, y = _dot(q, a, e, d, c), _dot(q, a, w, d, c)
    return math.atan2(_dot(q, a, b, d, c), math.sqrt(x * x + y * y))


@kernel
def _rate(q, v, rows, numbers, d, c):
    """The rate of a coordinate in a column."""
    kind, a, b, e, w = rows[0], rows[1], rows[2], rows[3], rows[4]
    if kind == SLIDE:
        return _way_rate(q, v, e, a, b, d, c)
    if kind == SINE:
        return 0.5 * (_dot_rate(q, v, a, b, d, c) - _dot_rate(q, v, e, w, d, c))
    if kind == TURN:
        sine, cosine = numbers[4] * _dot(q, a, b, d, c), numbers[5] * _dot(q, e, w, d, c)
        rise, fall = numbers[4] * _dot_rate(q, v, a, b, d, c), numbers[5] * _dot_rate(q, v, e, w, d, c)
    else:
        x, y = _dot(q, a, e, d, c), _dot(q, a, w, d, c)
        sine, cosine = _dot(q, a, b, d, c), math.sqrt(x * x + y * y)
        rise = _dot_rate(q, v, a, b, d, c)
        fall = (x * _dot_rate(q, v, a, e, d, c) + y * _dot_rate(q, v, a, w, d, c)) / cosine
    return (cosine * rise - sine * fall) / (cosine * cosine + sine * sine)


@formula
def _law(numbers, curves, x, rate, share):
    """Force along a coordinate."""
    found = -((numbers[0] * (x - numbers[3]) + numbers[1] * rate) + share * numbers[2])
    if numbers[8] != 0.0:
        found -= numbers[8] * (rate / math.sqrt(rate * rate + numbers[9] * numbers[9]))
    if numbers[11] > 0.0:
        found -= _cubic(curves, int(numbers[10]), int(numbers[11]), x)
    if numbers[13] > 0.0:
        found -= _cubic(curves, int(numbers[12]), int(numbers[13]), rate)
    return found


@kernel
def _cubic(curves, place, count, x):
    """The value of a piecewise cubic."""
    ends = curves[place : place + count + 1]
    k = min(max(np.searchsorted(ends, x, side="right") - 1, 0), count - 1)
    t, first = x - ends[k], place + count + 1 + 4 * k
    return ((curves[first] * t + curves[first + 1]) * t + curves[first + 2]) * t + curves[first + 3]


@kernel
def _pull(q, v, rows, numbers, curves, d, lanes, share, out):
    """A force along a coordinate of the state."""
    for j in range(lanes.size):
        actual = lanes.actual + j
        x = _value(q, rows, numbers, d, actual)
        if rows[0] != SLIDE and rows[0] != SINE:  # less than half a turn from where it is counted from
            near = numbers[6]
            if rows[5] >= 0:
                near += numbers[7] * _way(q, rows[7], rows[5], rows[6], d, actual)
            x += 2.0 * math.pi * math.floor((near - x) / (2.0 * math.pi) + 0.5)
        amount = _law(numbers, curves, x, lanes.scale[j] * _rate(q, v, rows, numbers, d, actual), share[j])
        for i in range(out.shape[0]):
            out[i, j] += amount * _rate(q, v, rows, numbers, d, i * lanes.size + j)


@kernel
def _stretch(q, v, rows, numbers, curves, d, lanes, share, out):
    """A force along the distance of two points."""
    p, r, actual, n = rows[1], rows[2], lanes.actual, lanes.size
    for i in range(out.shape[0]):
        for j in range(n):
            square = rate = along = 0.0
            for c in range(d):
                way = q[r + c, j] - q[p + c, j]
                square += way * way
                rate += way * (v[r + c, actual + j] - v[p + c, actual + j])
                along += way * (v[r + c, i * n + j] - v[p + c, i * n + j])
            share_of = 1.0 / math.sqrt(square)
            amount = _law(numbers, curves, share_of * square, lanes.scale[j] * (share_of * rate), share[j])
            out[i, j] += amount * (share_of * along)


@kernel
def _drive(q, v, rows, numbers, curves, lanes, share, out):
    """A force along a free coordinate."""
    i, row = rows[1], rows[2]
    for j in range(lanes.size):
        actual = lanes.actual + j
        out[i, j] += _law(numbers, curves, q[row, actual], lanes.scale[j] * v[row, actual], share[j])


@kernel
def _push(q, v, rows, d, lanes, share, out):
    """A force at a point."""
    p, f = rows[1], rows[2]
    for j in range(lanes.size):
        for i in range(out.shape[0]):
            c = i * lanes.size + j
            power = q[f, c] * v[p, c] + q[f + 1, c] * v[p + 1, c]
            out[i, j] += share[j] * (power + q[f + 2, c] * v[p + 2, c] if d == 3 else power)


@kernel
def _twist(q, v, rows, d, lanes, share, out):
    """A torque on a body: its angular velocity is half the sum of the directions times their rates."""
    t = rows[1]
    for j in range(lanes.size):
        for i in range(out.shape[0]):
            c = i * lanes.size + j
            if d == 2:
                x, y = rows[2], rows[2] + 1
                out[i, j] += share[j] * (q[t, c] * (q[x, c] * v[y, c] - q[y, c] * v[x, c]))
                continue
            power = 0.0
            for m in range(2, 5):
                x, y, z = rows[m], rows[m] + 1, rows[m] + 2
                power += q[t, c] * (q[y, c] * v[z, c] - q[z, c] * v[y, c])
                power += q[t + 1, c] * (q[z, c] * v[x, c] - q[x, c] * v[z, c])
                power += q[t + 2, c] * (q[x, c] * v[y, c] - q[y, c] * v[x, c])
            out[i, j] += share[j] * (0.5 * power)


# --- contacts ------------------------------------------------------------------------------------

ITERATIONS = 20
"""Of Newton's method for the nearest point of a curve."""


@kernel
def _touch(q, v, rows, numbers, curves, lanes, out):
    """The push and the friction of a circle in a curve, in the plane."""
    p, x, r, y = rows[1], rows[2], rows[3], rows[4]
    stiffness, exponent, damping, radius = numbers[0], numbers[1], numbers[2], numbers[3]
    for j in range(lanes.size):
        c = lanes.actual + j
        ex, ey = q[y, c], q[y + 1, c]
        wx, wy = q[p, c] - q[r, c], q[p + 1, c] - q[r + 1, c]
        sx, sy, nx, ny, distance = _foot(curves, rows, numbers, ex * wx + ey * wy, ex * wy - ey * wx)
        depth = radius - distance
        if not depth > 0.0:
            continue
        nx, ny = ex * nx - ey * ny, ey * nx + ex * ny
        ax, ay = ex * sx - ey * sy - wx, ey * sx + ex * sy - wy  # from the center to the curve
        moving = lanes.scale[j]
        vx, vy = _passing(q, v, p, x, r, y, ax, ay, sx, sy, c)
        apart, along = moving * (vx * nx + vy * ny), moving * (vx * ny - vy * nx)
        push = stiffness * depth**exponent * max(0.0, 1.0 - damping * apart)
        rub = -numbers[4] * push * along / math.sqrt(along * along + numbers[5] * numbers[5])
        fx, fy = push * nx + rub * ny, push * ny - rub * nx
        for i in range(out.shape[0]):
            vx, vy = _passing(q, v, p, x, r, y, ax, ay, sx, sy, i * lanes.size + j)
            out[i, j] += fx * vx + fy * vy


@kernel
def _passing(q, v, p, x, r, y, ax, ay, sx, sy, c):
    """Velocity of one body on another at a point of the curve, (sx, sy) in its axes and (ax, ay) from the center."""
    spin = q[x, c] * v[x + 1, c] - q[x + 1, c] * v[x, c]
    return (
        v[p, c] - spin * ay - (v[r, c] + sx * v[y, c] - sy * v[y + 1, c]),
        v[p + 1, c] + spin * ax - (v[r + 1, c] + sx * v[y + 1, c] + sy * v[y, c]),
    )


@kernel
def _foot(curves, rows, numbers, x, y):
    """The point of a curve nearest to (x, y), the normal there, and how far (x, y) is along it."""
    width, closed, side = rows[5], rows[6] != 0, numbers[6]
    place, count = int(numbers[7]), int(numbers[8])
    ends, pieces = curves[place : place + count + 1], curves[place + count + 1 :]
    nearest, least = 0, math.inf
    for k in range(count + 1):
        sx, sy = _on(ends, pieces, width, min(k, count - 1), ends[k])[:2]
        square = (x - sx) * (x - sx) + (y - sy) * (y - sy)
        if square < least:
            nearest, least = k, square
    u = ends[nearest]
    low = ends[nearest - 1] if nearest else u - closed * (ends[count] - ends[count - 1])
    high = ends[nearest + 1] if nearest < count else u + closed * (ends[1] - ends[0])
    for _ in range(ITERATIONS):
        sx, sy, tx, ty, bx, by = _at(ends, pieces, width, count, closed, u)
        square = tx * tx + ty * ty
        falling = square + (sx - x) * bx + (sy - y) * by
        step = ((sx - x) * tx + (sy - y) * ty) / (falling if falling > 0.1 * square else square)
        after = min(max(u - step, low), high)
        if after == u:
            break
        u = after
    sx, sy, tx, ty, _, _ = _at(ends, pieces, width, count, closed, u)
    share = side / math.sqrt(tx * tx + ty * ty)
    nx, ny = -share * ty, share * tx
    far = math.sqrt((x - sx) * (x - sx) + (y - sy) * (y - sy))
    if not closed and far > 0.0 and (u <= ends[0] or u >= ends[count]):  # its end is a corner
        nx, ny = (x - sx) / far, (y - sy) / far
    return sx, sy, nx, ny, nx * (x - sx) + ny * (y - sy)


@kernel
def _at(ends, pieces, width, count, closed, u):
    """Position on a curve, and its derivatives by the parameter."""
    if closed:
        if u < ends[0]:
            u += ends[count] - ends[0]
        elif u >= ends[count]:
            u -= ends[count] - ends[0]
    k = min(max(np.searchsorted(ends, u, side="right") - 1, 0), count - 1)
    return _on(ends, pieces, width, k, u)


@kernel
def _on(ends, pieces, width, k, u):
    """Position and its derivatives on a piece of a curve."""
    t, first = u - ends[k], 2 * width * k
    sx = sy = tx = ty = bx = by = 0.0
    for i in range(first, first + 2 * width, 2):
        bx, by = bx * t + 2.0 * tx, by * t + 2.0 * ty
        tx, ty = tx * t + sx, ty * t + sy
        sx, sy = sx * t + pieces[i], sy * t + pieces[i + 1]
    return sx, sy, tx, ty, bx, by
