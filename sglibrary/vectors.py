"""Vectors of one step as tuples, and rows of the state as tuples of arrays."""

import math

from sglibrary.convention import formula


@formula
def plane(x, row, n):
    """The two rows of a plane vector, n steps of each."""
    return x[row, :n], x[row + 1, :n]


@formula
def space(x, row, n):
    """The three rows of a space vector, n steps of each."""
    return x[row, :n], x[row + 1, :n], x[row + 2, :n]


@formula
def get(x, j):
    """Step j of a space vector."""
    return x[0][j], x[1][j], x[2][j]


@formula
def put(x, j, u):
    """Write step j of a space vector."""
    x[0][j] = u[0]
    x[1][j] = u[1]
    x[2][j] = u[2]


@formula
def plus(u, w):
    return u[0] + w[0], u[1] + w[1], u[2] + w[2]


@formula
def minus(u, w):
    return u[0] - w[0], u[1] - w[1], u[2] - w[2]


@formula
def times(c, u):
    return c * u[0], c * u[1], c * u[2]


@formula
def dot(u, w):
    return u[0] * w[0] + u[1] * w[1] + u[2] * w[2]


@formula
def cross(u, w):
    return u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]


@formula
def sqrt(x):
    """Square root; NaN for negative numbers, compiled or not."""
    return math.sqrt(x) if x >= 0.0 else math.nan


@formula
def lower(x, y):
    """The smaller of two numbers; NaN if one of them is."""
    return x if x <= y else y + 0.0 * x


@formula
def carried(w, dw, e, de):
    """Second derivative α × e + ω × e' of a direction fixed in a body with angular velocity w and acceleration dw."""
    return plus(cross(dw, e), cross(w, de))


@formula
def spin(x, y, z, dx, dy, dz):
    """Angular velocity (y'·z) x + (z'·x) y + (x'·y) z of three orthonormal directions."""
    return plus(times(dot(dy, z), x), plus(times(dot(dz, x), y), times(dot(dx, y), z)))


@formula
def spin_gain(x, y, z, ddx, ddy, ddz, w):
    """Angular acceleration of three orthonormal directions: y''·z is α_x + ω_y ω_z, and so on."""
    wx, wy, wz = dot(w, x), dot(w, y), dot(w, z)
    return plus(times(dot(ddy, z) - wy * wz, x), plus(times(dot(ddz, x) - wz * wx, y), times(dot(ddx, y) - wx * wy, z)))
