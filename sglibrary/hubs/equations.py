"""Equations of a hub: their values and gradients, and what gives rates and accelerations, as formulas of one step.

With x the hub's point relative to the base, r the way from there to a point of the hub, and p a solved point relative
to the base, d = x + r - p. A distance of value l is kept by (d² - l²) / 2 l₀ = 0, a plane of normal u by u·d = h; their
gradients are e = d / l₀, or u, for x, and r × e for the rotation. The first derivative of d is x' + ω × r - p', and
the second x'' + ω' × r + ω × (ω × r) - p''. Both kinds are written e = s d + u, with s = 0 or u = 0, so that loops need
not tell them apart, and l² / 2 l₀ or h as a polynomial of the value of a driver.

For the tables see `sglibrary.hubs.tables`.
"""

import math
from typing import NamedTuple

from sglibrary.convention import formula, inlined, kernel
from sglibrary.hubs.tables import invert
from sglibrary.iterative.kinds import AT_DISTANCE
from sglibrary.vectors import axpy, cross, dot, fma, get, minus, plus, read, times

# --- what is given ---------------------------------------------------------------------------


class Numbers(NamedTuple):
    """An equation as numbers: no arrays, so that loops over steps keep them in registers.

    Attributes
    ----------
    local : (x, y, z)
        The point of the hub.
    share, on : float
        s, and 1 for a plane, else 0.
    point, normal, driver : int
        First rows of a solved point, a direction and a driver; where there is none, of the base, which counts nothing.
    goal : (c0, c1, c2)
        The goal is c0 + c1 x + c2 x² of the value x of the driver.
    reach : (r0, r1)
        How far a telescope reaches along its slide is r0 + r1 x, as a share of its length; always 1 for others.
    """

    local: tuple[float, float, float]
    share: float
    on: float
    point: int
    normal: int
    driver: int
    goal: tuple[float, float, float]
    reach: tuple[float, float]


@kernel
def numbers_of(hub, k):
    """The numbers of an equation."""
    data, row = hub.data[k], hub.equations[k]
    local, plane, driven = (data[0], data[1], data[2]), row[2] >= 0, row[3] >= 0
    c0, c1, c2, r0, r1 = data[3], 0.0, 0.0, 1.0, 0.0
    if row[0] == AT_DISTANCE:
        size, square, shift, slope, side = data[3], data[4], data[5], data[6], data[7]
        c0 = 0.5 * size
        if driven:
            c0, c1, c2 = 0.5 * square / size, slope * shift / size, 0.5 * slope * slope / size
            r0, r1 = side * shift / size, side * slope / size
    elif driven:
        c1 = data[4]
    share, on, normal = (0.0, 1.0, row[2]) if plane else (1.0 / data[3], 0.0, hub.base)
    return Numbers(local, share, on, row[1], normal, row[3] if driven else hub.base, (c0, c1, c2), (r0, r1))


@kernel
def is_given(state, j, hub):
    """Whether all that the equations depend on are numbers at step j."""
    total, d = 0.0, len(hub.coordinates)
    for x in state:
        for k in range(hub.unknowns):
            row = hub.equations[k]
            for i in range(d):
                total += x[hub.base + i, j] + x[row[1] + i, j]
                total += x[row[2] + i, j] if row[2] >= 0 else 0.0
            total += x[row[3], j] if row[3] >= 0 else 0.0
    return math.isfinite(total)


@inlined
def value_of(q, k, at):
    """The goal of an equation."""
    x = read((q, k.driver), at)
    return fma(fma(k.goal[2], x, k.goal[1]), x, k.goal[0])


@inlined
def derivatives_of(q, v, a, k, at):
    """First and second derivative of the goal of an equation."""
    rate, gain = read((v, k.driver), at), read((a, k.driver), at)
    bend = 2.0 * k.goal[2]
    slope = fma(bend, read((q, k.driver), at), k.goal[1])
    return slope * rate, fma(bend * rate, rate, slope * gain)


@inlined
def reach_of(q, k, at):
    """How far a telescope reaches along its slide."""
    return fma(k.reach[1], read((q, k.driver), at), k.reach[0])


@inlined
def pair(x, row, j):
    """Step j of a vector in the plane."""
    return read((x, row), j), read((x, row + 1), j)


@inlined
def in_plane_given(x, k, at, origin, share, goal, planes):
    """Point relative to the base, normal and goal of an equation in the plane, or a derivative of them."""
    p, normal = pair(x, k.point, at), (0.0, 0.0)
    if len(planes) > 0:
        u = pair(x, k.normal, at)
        normal = k.on * u[0], k.on * u[1]
    return (share * (p[0] - origin[0]), share * (p[1] - origin[1])), normal, goal


@inlined
def in_space_given(x, k, at, origin, share, goal, planes):
    """Point relative to the base, normal and goal of an equation in space, or a derivative of them."""
    normal = times(k.on, get((x, k.normal), at)) if len(planes) > 0 else (0.0, 0.0, 0.0)
    return times(share, minus(get((x, k.point), at), origin)), normal, goal


# --- one step, as formulas -------------------------------------------------------------------


@formula
def turned(quaternion):
    """Rows of the rotation of a hub in space."""
    w, a, b, c = quaternion
    return (
        (1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b - w * c), 2.0 * (a * c + w * b)),
        (2.0 * (a * b + w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c - w * a)),
        (2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b)),
    )


@formula
def in_space(axes, here, k, given, planes):
    """Gradient, value, d and r of an equation in space; `given` are solved point, normal and goal."""
    point, normal, goal = given
    local = k.local
    arm = dot(axes[0], local), dot(axes[1], local), dot(axes[2], local)
    d = minus(plus(here, arm), point)
    e = axpy(k.share, d, normal) if len(planes) > 0 else times(k.share, d)
    value = dot(d, axpy(0.5 * k.share, d, normal)) if len(planes) > 0 else 0.5 * dot(d, e)
    m = cross(arm, e)
    return (e[0], e[1], e[2], m[0], m[1], m[2]), value - goal, d, arm


@formula
def rate_in_space(e, d, given, planes):
    """Right-hand side for the rates, from first derivatives of what is given."""
    point, normal, goal = given
    rate = fma(e[0], point[0], fma(e[1], point[1], fma(e[2], point[2], goal)))
    return rate - dot(normal, d) if len(planes) > 0 else rate


@formula
def gain_in_space(k, e, d, arm, rate, first, second, planes):
    """Right-hand side for the second derivatives, from first and second ones of what is given."""
    spin = rate[3], rate[4], rate[5]
    whirl = cross(spin, arm)
    speed = minus(plus((rate[0], rate[1], rate[2]), whirl), first[0])
    rest = minus(second[0], cross(spin, whirl))
    gain = fma(e[0], rest[0], fma(e[1], rest[1], fma(e[2], rest[2], fma(-k.share, dot(speed, speed), second[2]))))
    return gain - fma(2.0, dot(first[1], speed), dot(second[1], d)) if len(planes) > 0 else gain


@formula
def in_plane(turn, here, k, given, planes):
    """Gradient, value, d and r of an equation in the plane; `given` are solved point, normal and goal."""
    point, normal, goal = given
    rx, ry = fma(turn[0], k.local[0], -turn[1] * k.local[1]), fma(turn[1], k.local[0], turn[0] * k.local[1])
    dx, dy, half = here[0] + rx - point[0], here[1] + ry - point[1], 0.5 * k.share
    ex, ey = k.share * dx, k.share * dy
    value = 0.5 * fma(dx, ex, dy * ey)
    if len(planes) > 0:
        value = fma(dx, fma(half, dx, normal[0]), dy * fma(half, dy, normal[1]))
        ex, ey = ex + normal[0], ey + normal[1]
    return (ex, ey, fma(rx, ey, -ry * ex)), value - goal, (dx, dy), (rx, ry)


@formula
def rate_in_plane(e, d, given, planes):
    """Right-hand side for the rates, from first derivatives of what is given."""
    point, normal, goal = given
    rate = fma(e[0], point[0], fma(e[1], point[1], goal))
    return rate - fma(normal[0], d[0], normal[1] * d[1]) if len(planes) > 0 else rate


@formula
def gain_in_plane(k, e, d, arm, rate, first, second, planes):
    """Right-hand side for the second derivatives, from first and second ones of what is given."""
    spin, (speed, tilt, _), (rest, bend, goal) = rate[2], first, second
    sx, sy = fma(-spin, arm[1], rate[0]) - speed[0], fma(spin, arm[0], rate[1]) - speed[1]
    bx, by = fma(spin * spin, arm[0], rest[0]), fma(spin * spin, arm[1], rest[1])
    gain = fma(e[0], bx, fma(e[1], by, fma(-k.share, fma(sx, sx, sy * sy), goal)))
    tilting, bending = fma(tilt[0], sx, tilt[1] * sy), fma(bend[0], d[0], bend[1] * d[1])
    return gain - fma(2.0, tilting, bending) if len(planes) > 0 else gain


# --- the Jacobian of one step ---------------------------------------------------------------


@kernel
def invert_at(state, at, hub, x, scratch, order):
    """The Jacobian at variables x (variables, 1 or more) of step `at`, and its inverse, into `scratch`.

    Returns the sign of the determinant; `order` becomes that of partial pivoting.
    """
    matrix, eliminated = scratch.matrices[0], scratch.matrices[1]
    _fill_matrix(state[0], at, hub, x, hub.coordinates, matrix)
    for i in range(hub.unknowns):
        for k in range(hub.unknowns):
            eliminated[i, k] = matrix[i, k]
    return invert(eliminated, order, scratch.matrices[2])


@kernel
def _fill_matrix(q, at, hub, x, coordinates, out):
    """The Jacobian of one step (n, n), in the order of the equations."""
    share = 1.0 / hub.size
    for i in range(hub.unknowns):
        k = numbers_of(hub, i)
        if len(coordinates) == 2:
            turn, origin = (math.cos(x[2, 0]), math.sin(x[2, 0])), (q[hub.base, at], q[hub.base + 1, at])
            given = in_plane_given(q, k, at, origin, share, 0.0, hub.planes)
            e, _, _, _ = in_plane(turn, (x[0, 0], x[1, 0]), k, given, hub.planes)
            out[i, 0], out[i, 1], out[i, 2] = e
        else:
            axes, origin = turned((x[3, 0], x[4, 0], x[5, 0], x[6, 0])), get((q, hub.base), at)
            given = in_space_given(q, k, at, origin, share, 0.0, hub.planes)
            row, _, _, _ = in_space(axes, (x[0, 0], x[1, 0], x[2, 0]), k, given, hub.planes)
            out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5] = row
