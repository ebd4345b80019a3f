"""Lengths and angles as functions of points and directions of bodies, and their rates.

Points and directions are rows of a state q, their rates the same rows of v. Rows of a coordinate begin with its kind.
What these formulas compute for one column of the state, compiled, they compute by NumPy for all columns at once, if the
column is a slice (`sglibrary.convention.of_arrays`).

======== ====================================================== =====================================================
kind     rows                                                   coordinate
======== ====================================================== =====================================================
DISTANCE points p, r                                            length of r - p
SLIDE    points p, r; direction e                               e · (r - p)
TURN     directions y, z, x, w                                  angle with the sine ± y · z and the cosine ± x · w
MIDDLE   directions e, z, x, y                                  angle with the sine e · z, and e · x, e · y across it
SINE     directions y, z, x, w                                  (y · z - x · w) / 2
======== ====================================================== =====================================================

The rows of the angle of a screw go on with points p, r and a direction e, those of others with -1. Numbers 4 to 7 are,
of an angle, the signs of sine and cosine, the angle from which it differs by less than half a turn (rad), and of a
screw what that grows by per meter of e · (r - p).
"""

import math

from sglibrary.convention import formula, kernel

DISTANCE, SLIDE, TURN, MIDDLE, SINE = range(5)


@formula
def dot(q, r, s, d, c):
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


@formula
def _dot_acceleration(q, v, a, r, s, d, c):
    """The second derivative of an inner product."""
    found = 0.0
    for i in range(d):
        found += a[r + i, c] * q[s + i, c] + 2.0 * (v[r + i, c] * v[s + i, c]) + q[r + i, c] * a[s + i, c]
    return found


@formula
def _way_acceleration(q, v, a, e, p, r, d, c):
    found = 0.0
    for i in range(d):
        found += a[e + i, c] * (q[r + i, c] - q[p + i, c]) + q[e + i, c] * (a[r + i, c] - a[p + i, c])
        found += 2.0 * (v[e + i, c] * (v[r + i, c] - v[p + i, c]))
    return found


@kernel
def _distance(q, p, r, d, c):
    square = 0.0
    for i in range(d):
        square += (q[r + i, c] - q[p + i, c]) ** 2
    return math.sqrt(square)


@kernel
def _distance_rate(q, v, p, r, d, c):
    rate = 0.0
    for i in range(d):
        rate += (q[r + i, c] - q[p + i, c]) * (v[r + i, c] - v[p + i, c])
    return rate / _distance(q, p, r, d, c)


@kernel
def coordinate(q, rows, numbers, d, c):
    """The value of a coordinate in a column; an angle is less than half a turn from where it is counted from."""
    kind, a, b, e, w = rows[0], rows[1], rows[2], rows[3], rows[4]
    if kind == DISTANCE:
        return _distance(q, a, b, d, c)
    if kind == SLIDE:
        return _way(q, e, a, b, d, c)
    if kind == SINE:
        return 0.5 * (dot(q, a, b, d, c) - dot(q, e, w, d, c))
    if kind == TURN:
        angle = math.atan2(numbers[4] * dot(q, a, b, d, c), numbers[5] * dot(q, e, w, d, c))
    else:
        x, y = dot(q, a, e, d, c), dot(q, a, w, d, c)
        angle = math.atan2(dot(q, a, b, d, c), math.sqrt(x * x + y * y))
    near = numbers[6]
    if rows[5] >= 0:
        near += numbers[7] * _way(q, rows[7], rows[5], rows[6], d, c)
    return angle + 2.0 * math.pi * math.floor((near - angle) / (2.0 * math.pi) + 0.5)


@kernel
def coordinate_rate(q, v, rows, numbers, d, c):
    """The rate of a coordinate in a column."""
    kind, a, b, e, w = rows[0], rows[1], rows[2], rows[3], rows[4]
    if kind == DISTANCE:
        return _distance_rate(q, v, a, b, d, c)
    if kind == SLIDE:
        return _way_rate(q, v, e, a, b, d, c)
    if kind == SINE:
        return 0.5 * (_dot_rate(q, v, a, b, d, c) - _dot_rate(q, v, e, w, d, c))
    if kind == TURN:
        sine, cosine = numbers[4] * dot(q, a, b, d, c), numbers[5] * dot(q, e, w, d, c)
        rise, fall = numbers[4] * _dot_rate(q, v, a, b, d, c), numbers[5] * _dot_rate(q, v, e, w, d, c)
    else:
        x, y = dot(q, a, e, d, c), dot(q, a, w, d, c)
        sine, cosine = dot(q, a, b, d, c), math.sqrt(x * x + y * y)
        rise = _dot_rate(q, v, a, b, d, c)
        fall = (x * _dot_rate(q, v, a, e, d, c) + y * _dot_rate(q, v, a, w, d, c)) / cosine
    return (cosine * rise - sine * fall) / (cosine * cosine + sine * sine)


@kernel
def coordinate_acceleration(q, v, a, rows, numbers, d, c):
    """The acceleration of a coordinate of a joint, a displacement or an angle, in a column."""
    kind, p, r, e, w = rows[0], rows[1], rows[2], rows[3], rows[4]
    if kind == SLIDE:
        return _way_acceleration(q, v, a, e, p, r, d, c)
    if kind == TURN:
        up, down = numbers[4], numbers[5]
        sine, cosine = up * dot(q, p, r, d, c), down * dot(q, e, w, d, c)
        rise, fall = up * _dot_rate(q, v, p, r, d, c), down * _dot_rate(q, v, e, w, d, c)
        rising, falling = up * _dot_acceleration(q, v, a, p, r, d, c), down * _dot_acceleration(q, v, a, e, w, d, c)
    else:
        x, y = dot(q, p, e, d, c), dot(q, p, w, d, c)
        dx, dy = _dot_rate(q, v, p, e, d, c), _dot_rate(q, v, p, w, d, c)
        sine, cosine = dot(q, p, r, d, c), math.sqrt(x * x + y * y)
        rise, fall = _dot_rate(q, v, p, r, d, c), (x * dx + y * dy) / cosine
        rising = _dot_acceleration(q, v, a, p, r, d, c)
        falling = x * _dot_acceleration(q, v, a, p, e, d, c) + y * _dot_acceleration(q, v, a, p, w, d, c)
        falling = (falling + dx * dx + dy * dy - fall * fall) / cosine
    square = cosine * cosine + sine * sine
    rate = (cosine * rise - sine * fall) / square
    return (cosine * rising - sine * falling - 2.0 * rate * (cosine * fall + sine * rise)) / square
