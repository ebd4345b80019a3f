"""The check that redundant joints, whose rows were left out as they repeat those of others, are closed at every step.

A joint is checked as it is stated, by products of the points and axes that its two bodies carry
(`sglibrary.iterative.kinds`). A step at which the joint is open is not solved, whatever led to that step.
"""

import math

from sglibrary.convention import formula, kernel
from sglibrary.iterative.kinds import COINCIDE, DOT, OFFSET
from sglibrary.status import JOINT_OPEN, SINGULAR, SOLVED
from sglibrary.tolerances import CLOSED
from sglibrary.vectors import fma, read

ALIKE, SCREW = 7, 8
"""Kinds of products besides those of equations: two axes point alike; a screw turns by as much as it has moved."""

ROUNDINGS = 8 * 2.0**-52
"""Rounding error of a coordinate, by its size, after some groups: what joints may be open besides `CLOSED`."""

HEADER = 3
"""Numbers before the rows of the bodies: the dimension, of products, of rows that are written."""


def sides(rows):
    """Which entries of the rows of a check are those of its bodies."""
    return slice(HEADER, HEADER + (4 if rows[0] == 2 else 8))


def written(rows):
    """Which entries are rows that it may fill with NaN."""
    return slice(len(rows) - rows[2], len(rows))


@kernel
def check(q, v, a, memory, rows, constants, status, conditioning, n):
    """Let steps fail at which a joint is open.

    `rows` holds the dimension d, the numbers p of products and w of rows, and for either body its point and base
    vectors (1 in the plane, 3 in space); then the kind of each product and the axes of the first and of the second
    frame in it; then the rows of the group, which become NaN where the joint is open.
    `constants` holds for either body d components of the joint's point along its base vectors, and of d axes each; then
    the size of the mechanism, m, and a constant of each product.
    """
    if _open(q, rows, constants, 0, n) == 0:
        return
    first = rows.size - rows[2]
    for j in range(n):
        if (status[j] == SOLVED or status[j] == SINGULAR) and _open(q, rows, constants, j, j + 1) > 0:
            status[j], conditioning[j] = JOINT_OPEN, 0.0
            for k in range(first, rows.size):
                q[rows[k], j] = math.nan
                v[rows[k], j] = math.nan
                a[rows[k], j] = math.nan


@kernel
def _open(q, rows, constants, first, last):
    """How many products do not hold at steps, or are NaN there."""
    d, found, values = rows[0], 0, 2 * rows[0] * (rows[0] + 1)
    at, size = HEADER + (4 if d == 2 else 8), constants[values]
    for k in range(rows[1]):
        kind, i, m = rows[at + 3 * k], rows[at + 3 * k + 1], rows[at + 3 * k + 2]
        value = constants[values + 1 + k]
        if kind == COINCIDE:
            for c in range(d):
                found += _apart(q, rows, constants, c, size, first, last)
        elif kind == OFFSET:
            found += _off(q, rows, constants, i, size, first, last)
        elif kind == DOT:
            found += _turned(q, rows, constants, i, m, value, first, last)
        elif kind == ALIKE:
            found += _opposite(q, rows, constants, i, first, last)
        else:
            found += _unscrewed(q, rows, constants, value, size, first, last)
    return found


@formula
def _component(rows, constants, side, axis, c):
    """Component c of the joint's point on a body (axis -1) less the body's point, or of an axis of the frame there.

    Three factors, and the rows of base vectors of the body that they belong to; in the plane there is one vector
    (x, y), and a quarter turn ahead of it is (-y, x).
    """
    d = rows[0]
    k = d * ((d + 1) * side + 1 + axis)
    if d == 2:
        x, y = rows[HEADER + 2 * side + 1] + c, rows[HEADER + 2 * side + 1] + 1 - c
        return constants[k], constants[k + 1] if c == 1 else -constants[k + 1], 0.0, x, y, y
    at = HEADER + 4 * side + 1
    return constants[k], constants[k + 1], constants[k + 2], rows[at] + c, rows[at + 1] + c, rows[at + 2] + c


@formula
def _at(q, part, j):
    """A component at a step."""
    f, g, h, x, y, z = part
    return fma(f, read((q, x), j), fma(g, read((q, y), j), h * read((q, z), j)))


@formula
def _origin(rows, side, c):
    """Row of component c of the point of a body."""
    return rows[HEADER + (2 if rows[0] == 2 else 4) * side] + c


@kernel
def _apart(q, rows, constants, c, size, first, last):
    """How many steps have points apart in component c."""
    found, p, s = 0, _origin(rows, 0, c), _origin(rows, 1, c)
    own = _component(rows, constants, 0, -1, c)
    other = _component(rows, constants, 1, -1, c)
    for j in range(first, last):
        start = read((q, p), j) + _at(q, own, j)
        gap = abs(read((q, s), j) + _at(q, other, j) - start)
        found += not (gap <= CLOSED * size + ROUNDINGS * abs(start))
    return found


@formula
def _axis(rows, constants, side, axis):
    """All components of an axis; in the plane the second stands for the third, which is not taken."""
    return (
        _component(rows, constants, side, axis, 0),
        _component(rows, constants, side, axis, 1),
        _component(rows, constants, side, axis, rows[0] - 1),
    )


@formula
def _dot(q, one, other, third, j):
    """Inner product of two axes at a step; `third` is 0 in the plane and 1 in space."""
    total = _at(q, one[0], j) * _at(q, other[0], j) + _at(q, one[1], j) * _at(q, other[1], j)
    return total + third * (_at(q, one[2], j) * _at(q, other[2], j))


@kernel
def _turned(q, rows, constants, i, m, value, first, last):
    """How many steps have another inner product of two axes."""
    found, third = 0, float(rows[0] - 2)
    one, other = _axis(rows, constants, 0, i), _axis(rows, constants, 1, m)
    for j in range(first, last):
        found += not (abs(_dot(q, one, other, third, j) - value) <= CLOSED)
    return found


@kernel
def _opposite(q, rows, constants, i, first, last):
    """How many steps have axes of the same number that do not point alike."""
    found, third = 0, float(rows[0] - 2)
    one, other = _axis(rows, constants, 0, i), _axis(rows, constants, 1, i)
    for j in range(first, last):
        found += not (_dot(q, one, other, third, j) > 0.0)
    return found


@formula
def _way(rows, constants):
    """What the way from the first point to the second is made of, by components."""
    ends = rows[0] - 1
    return (
        _origin(rows, 0, 0), _origin(rows, 0, 1), _origin(rows, 0, ends),
        _origin(rows, 1, 0), _origin(rows, 1, 1), _origin(rows, 1, ends),
        _axis(rows, constants, 0, -1), _axis(rows, constants, 1, -1),
    )  # fmt: skip


@formula
def _along(q, way, axis, third, j):
    """The way along an axis at a step, and the size of the coordinates that it is taken of."""
    p0, p1, p2, s0, s1, s2, own, other = way
    x, y = read((q, p0), j) + _at(q, own[0], j), read((q, p1), j) + _at(q, own[1], j)
    z = read((q, p2), j) + _at(q, own[2], j)
    total = _at(q, axis[0], j) * (read((q, s0), j) + _at(q, other[0], j) - x)
    total = fma(_at(q, axis[1], j), read((q, s1), j) + _at(q, other[1], j) - y, total)
    total += third * (_at(q, axis[2], j) * (read((q, s2), j) + _at(q, other[2], j) - z))
    return total, abs(x) + abs(y) + abs(z)


@kernel
def _off(q, rows, constants, i, size, first, last):
    """How many steps have points apart along an axis of the first frame."""
    found, third, way = 0, float(rows[0] - 2), _way(rows, constants)
    axis = _axis(rows, constants, 0, i)
    for j in range(first, last):
        gap, largest = _along(q, way, axis, third, j)
        found += not (abs(gap) <= CLOSED * size + ROUNDINGS * largest)
    return found


@kernel
def _unscrewed(q, rows, constants, turns, size, first, last):
    """How many steps have a second frame that is not turned by `turns` rad per m along the z axis of the first."""
    found, way = 0, _way(rows, constants)
    x, y = _axis(rows, constants, 0, 0), _axis(rows, constants, 0, 1)
    z, turned = _axis(rows, constants, 0, 2), _axis(rows, constants, 1, 0)
    for j in range(first, last):
        moved, largest = _along(q, way, z, 1.0, j)
        sine, cosine = _dot(q, y, turned, 1.0, j), _dot(q, x, turned, 1.0, j)
        gap = math.hypot(cosine - math.cos(turns * moved), sine - math.sin(turns * moved))
        found += not (gap <= CLOSED + ROUNDINGS * abs(turns) * (largest + size))
    return found
