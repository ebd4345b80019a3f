"""Variables of the moves of a group: one each, of a ball four, a unit quaternion.

A ball has three unknowns, its angular velocity in the frame that it leads to. For moves see
`sglibrary.iterative.tables`; arrays have one column for each step.
"""

import math

from sglibrary.convention import kernel
from sglibrary.iterative.kinds import BALL
from sglibrary.tolerances import SMALL_ANGLE


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
        share = math.sin(0.5 * angle) / angle if angle > SMALL_ANGLE else 0.5
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
def reflect(knot, x, first, move_rows):
    """The point opposite to x as seen from a knot, whose variables begin with number `first`."""
    for m in range(move_rows.shape[0]):
        at, last = move_rows[m, 5], first + move_rows[m, 5]
        if move_rows[m, 3] < 0:
            continue
        if move_rows[m, 1] != BALL:
            x[at, 0] = 2.0 * knot[last] - x[at, 0]
            continue
        cosine = 0.0
        for i in range(4):
            cosine += x[at + i, 0] * knot[last + i]
        for i in range(4):
            x[at + i, 0] = 2.0 * cosine * knot[last + i] - x[at + i, 0]


@kernel
def store_variables(move_rows, x, rate, gain, knot, parts, scratch):
    """Variables of one step and their derivatives, from those of the unknowns, into the parts of a knot.

    `scratch` (6 or more,) is working memory.
    """
    spin, rise = scratch[0:3], scratch[3:6]
    for m in range(move_rows.shape[0]):
        u, at = move_rows[m, 3], move_rows[m, 5]
        value, first, second = parts.values + at, parts.rates + at, parts.gains + at
        if u < 0:
            continue
        if move_rows[m, 1] == BALL:
            for i in range(4):
                knot[value + i] = x[at + i, 0]
            for i in range(3):
                spin[i], rise[i] = rate[u + i, 0], gain[u + i, 0]
            quaternion_rates(knot[value : value + 4], spin, rise, knot[first : first + 4], knot[second : second + 4])
        else:
            knot[value], knot[first], knot[second] = x[at, 0], rate[u, 0], gain[u, 0]


@kernel
def make_unit(x, move_rows):
    """Normalize the quaternions among variables (variables, width)."""
    for m in range(move_rows.shape[0]):
        if move_rows[m, 1] == BALL and move_rows[m, 3] >= 0:
            normalize(x[move_rows[m, 5] : move_rows[m, 5] + 4])
