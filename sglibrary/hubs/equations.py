"""Equations of a hub at many steps: Newton's step, and rates and accelerations at a position.

With x the hub's point relative to the base, r the way from there to a point of the hub, and p a solved point relative
to the base, d = x + r - p. A distance of value l is kept by (d² - l²) / 2 l₀ = 0, a plane of normal u by u·d = h; their
gradients are e = d / l₀, or u, for x, and r × e for the rotation. The first derivative of d is x' + ω × r - p', and
the second x'' + ω' × r + ω × (ω × r) - p''. Both kinds are written e = s d + u, with s = 0 or u = 0, so that loops need
not tell them apart.

For the tables and `Work` see `sglibrary.hubs.tables`.
"""

from sglibrary.convention import formula, kernel
from sglibrary.hubs.tables import invert
from sglibrary.iterative.kinds import AT_DISTANCE
from sglibrary.iterative.simd import copy, copy_row
from sglibrary.vectors import axpy, cross, dot, fma, minus, plus

# --- what is given ---------------------------------------------------------------------------


@kernel
def load(state, first, hub, work):
    """Solved points relative to the base, normals, and what depends on drivers, from step `first` on."""
    width, share, d, n = work.length.size, 1.0 / hub.size, len(hub.coordinates), hub.unknowns
    for j in range(width):
        work.reach[j] = 1.0
    for k in range(n):
        row, data = hub.equations[k], hub.data[k]
        for order in range(3):
            x = state[order]
            for i in range(d):
                point, base = x[row[1] + i, first : first + width], x[hub.base + i, first : first + width]
                out = work.points[(order * n + k) * d + i]
                for j in range(out.size):
                    out[j] = share * (point[j] - base[j])
                if row[2] >= 0:
                    copy_row(x[row[2] + i, first : first + width], work.normals[(order * (1 + n) + 1 + k) * d + i])
        if row[3] < 0:
            _stay(work.goals, k, 0.5 * data[3] if row[0] == AT_DISTANCE else data[3])
        else:
            value, rate, gain = (
                state[0][row[3], first : first + width],
                state[1][row[3], first : first + width],
                state[2][row[3], first : first + width],
            )
            if row[0] == AT_DISTANCE:
                _stretch(value, rate, gain, data, work.goals, k, work.reach)
            else:
                _shift(value, rate, gain, data, work.goals, k)


@kernel
def _stay(goals, k, value):
    n = goals.shape[0] // 3
    goal, first, second = goals[k], goals[n + k], goals[2 * n + k]
    for j in range(goal.size):
        goal[j] = value
        first[j] = second[j] = 0.0


@kernel
def _stretch(value, rate, gain, data, goals, k, reach):
    """l² / 2 l₀ of a telescope, and how far it is out."""
    n = goals.shape[0] // 3
    goal, first, second = goals[k], goals[n + k], goals[2 * n + k]
    square, shift, slope, side, share = data[4], data[5], data[6], data[7], 1.0 / data[3]
    for j in range(goal.size):
        s, ds, dds = slope * value[j], slope * rate[j], slope * gain[j]
        t = s + shift
        goal[j] = 0.5 * share * fma(s, t + shift, square)
        first[j] = share * (t * ds)
        second[j] = share * fma(ds, ds, t * dds)
        out = side * share * t
        reach[j] = out if not out >= reach[j] else reach[j]


@kernel
def _shift(value, rate, gain, data, goals, k):
    n = goals.shape[0] // 3
    goal, first, second = goals[k], goals[n + k], goals[2 * n + k]
    offset, slope = data[3], data[4]
    for j in range(goal.size):
        goal[j] = fma(slope, value[j], offset)
        first[j] = slope * rate[j]
        second[j] = slope * gain[j]


# --- one step, as formulas -------------------------------------------------------------------


@formula
def constants_of(hub, k):
    """Numbers of an equation: point of the hub, share of d in the gradient, and rows of point and normal."""
    data, d, plane = hub.data[k], len(hub.coordinates), hub.equations[k, 2] >= 0
    return data[0], data[1], data[2], 0.0 if plane else 1.0 / data[3], d * k, d * (1 + k) if plane else 0, k


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
def in_space(axes, here, k, given):
    """Gradient, value, d and r of an equation in space; `given` are solved point, normal and goal."""
    point, normal, goal = given
    local = k[0], k[1], k[2]
    arm = dot(axes[0], local), dot(axes[1], local), dot(axes[2], local)
    d = minus(plus(here, arm), point)
    e = axpy(k[3], d, normal)
    m = cross(arm, e)
    return (e[0], e[1], e[2], m[0], m[1], m[2]), dot(d, axpy(0.5 * k[3], d, normal)) - goal, d, arm


@formula
def rate_in_space(e, d, given):
    """Right-hand side for the rates, from first derivatives of what is given."""
    point, normal, goal = given
    return fma(e[0], point[0], fma(e[1], point[1], e[2] * point[2])) - dot(normal, d) + goal


@formula
def gain_in_space(k, e, d, arm, rate, first, second):
    """Right-hand side for the second derivatives, from first and second ones of what is given."""
    spin = rate[3], rate[4], rate[5]
    whirl = cross(spin, arm)
    speed = minus(plus((rate[0], rate[1], rate[2]), whirl), first[0])
    rest = minus(second[0], cross(spin, whirl))
    turning = fma(2.0, dot(first[1], speed), fma(k[3], dot(speed, speed), dot(second[1], d)))
    return fma(e[0], rest[0], fma(e[1], rest[1], e[2] * rest[2])) - turning + second[2]


@formula
def in_plane(turn, here, k, given):
    """Gradient, value, d and r of an equation in the plane; `given` are solved point, normal and goal."""
    point, normal, goal = given
    rx, ry = fma(turn[0], k[0], -turn[1] * k[1]), fma(turn[1], k[0], turn[0] * k[1])
    dx, dy, half = here[0] + rx - point[0], here[1] + ry - point[1], 0.5 * k[3]
    ex, ey = fma(k[3], dx, normal[0]), fma(k[3], dy, normal[1])
    value = fma(dx, fma(half, dx, normal[0]), dy * fma(half, dy, normal[1])) - goal
    return (ex, ey, fma(rx, ey, -ry * ex)), value, (dx, dy), (rx, ry)


@formula
def rate_in_plane(e, d, given):
    """Right-hand side for the rates, from first derivatives of what is given."""
    point, normal, goal = given
    return fma(e[0], point[0], e[1] * point[1]) - fma(normal[0], d[0], normal[1] * d[1]) + goal


@formula
def gain_in_plane(k, e, d, arm, rate, first, second):
    """Right-hand side for the second derivatives, from first and second ones of what is given."""
    spin, (speed, tilt, _), (rest, bend, goal) = rate[2], first, second
    sx, sy = fma(-spin, arm[1], rate[0]) - speed[0], fma(spin, arm[0], rate[1]) - speed[1]
    bx, by = fma(spin * spin, arm[0], rest[0]), fma(spin * spin, arm[1], rest[1])
    tilting, bending = fma(tilt[0], sx, tilt[1] * sy), fma(bend[0], d[0], bend[1] * d[1])
    return fma(e[0], bx, e[1] * by) - fma(2.0, tilting, fma(k[3], fma(sx, sx, sy * sy), bending)) + goal


# --- the Jacobian of one step ---------------------------------------------------------------


@kernel
def invert_at(hub, work, order):
    """The Jacobian of one step and its inverse, into `work`; in the plane after `newton_step`.

    Returns the sign of the determinant; `order` becomes that of partial pivoting.
    """
    _fill_matrix(hub, work, hub.coordinates, work.matrix)
    copy(work.matrix, work.eliminated)
    return invert(work.eliminated, order, work.inverse)


@kernel
def _fill_matrix(hub, work, coordinates, out):
    """The Jacobian of one step (n, n), in the order of the equations."""
    x = work.x
    for i in range(hub.unknowns):
        k = constants_of(hub, i)
        if len(coordinates) == 2:
            here, turn = (x[0, 0], x[1, 0]), (work.turn[0, 0], work.turn[1, 0])
            point, normal = work.points[2 * i : 2 * i + 2, 0], work.normals[k[5] : k[5] + 2, 0]
            e, _, _, _ = in_plane(turn, here, k, ((point[0], point[1]), (normal[0], normal[1]), 0.0))
            out[i, 0], out[i, 1], out[i, 2] = e
        else:
            here, axes = (x[0, 0], x[1, 0], x[2, 0]), turned((x[3, 0], x[4, 0], x[5, 0], x[6, 0]))
            p, u = work.points[3 * i : 3 * i + 3, 0], work.normals[k[5] : k[5] + 3, 0]
            row, _, _, _ = in_space(axes, here, k, ((p[0], p[1], p[2]), (u[0], u[1], u[2]), 0.0))
            out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5] = row
