"""Inertia along coordinates of joints in the equations of motion.

An inertia J along a coordinate x with the rates c_i = ∂x/∂z_i adds J c_i c_k to M and, with x'' at z'' = 0, -J x'' c_i
to F; its kinetic energy is J x'² / 2.
"""

from sglibrary.convention import inlined, kernel
from sglibrary.dynamics.forces import FREE
from sglibrary.dynamics.lengths_and_angles import coordinate_acceleration, coordinate_rate


@inlined
def _rate(forces, k, d, state, column):
    """The rate of the coordinate of a force in a column."""
    rows = forces.rows[k]
    if rows[0] == FREE:
        return state.v[rows[2], column]
    return coordinate_rate(state.q, state.v, rows, forces.numbers[k], d, column)


@kernel
def add_inertia(forces, d, state, lanes, mass, out):
    """Add what inertia along coordinates does to M (f, f, n), in its lower half, and to F (f, n)."""
    n = lanes.size
    for h in range(forces.heavy.size):
        k, inertia = forces.heavy[h], forces.inertia[h]
        rows, numbers = forces.rows[k], forces.numbers[k]
        for j in range(n):
            if rows[0] == FREE:
                mass[rows[1], rows[1], j] += inertia
                continue
            square, at = lanes.scale[j] * lanes.scale[j], lanes.actual + j
            gain = square * coordinate_acceleration(state.q, state.v, state.a, rows, numbers, d, at)
            for i in range(out.shape[0]):
                along = inertia * coordinate_rate(state.q, state.v, rows, numbers, d, i * n + j)
                out[i, j] -= along * gain
                for m in range(i + 1):
                    mass[i, m, j] += along * coordinate_rate(state.q, state.v, rows, numbers, d, m * n + j)


@kernel
def kinetic_along(forces, d, state, column):
    """Twice the kinetic energy of inertia along coordinates, J, given the rates in a column."""
    found = 0.0
    for h in range(forces.heavy.size):
        rate = _rate(forces, forces.heavy[h], d, state, column)
        found += forces.inertia[h] * rate * rate
    return found


@kernel
def add_power(forces, d, state, lanes, out, power):
    """Add the power, W, that inertia along coordinates takes, at accelerations that are the second half of `out`."""
    n, free = lanes.size, out.shape[0] // 2
    for h in range(forces.heavy.size):
        k = forces.heavy[h]
        rows, numbers = forces.rows[k], forces.numbers[k]
        for j in range(n):
            at, gain = lanes.actual + j, 0.0
            if rows[0] != FREE:
                gain = coordinate_acceleration(state.q, state.v, state.a, rows, numbers, d, at)
            for i in range(free):
                gain += out[free + i, j] * _rate(forces, k, d, state, i * n + j)
            power[j] += forces.inertia[h] * gain * _rate(forces, k, d, state, at)
