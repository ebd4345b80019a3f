"""The map of rates along a motion as a power series in time: its value and its first derivatives at every step.

Rates of bodies by a parameter, at a fixed time, are a linear map of what the parameter changes of drivers and bodies.
Both are functions of time, so the derivatives of velocities and accelerations by the parameter follow from the map by
the rules for products, reciprocals, roots and inverses of truncated power series (Griewank and Walther, 2008,
chapter 13). A series has its coefficients along the first axis: the value, the rate, half of the acceleration.

The transposed map carries weights of the outputs back to the inputs in the same way, where the order of the
coefficients is turned around: input j gets from output k what coefficient k - j of the map gives.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.rates.linear_map import Map, Sheet
from sglibrary.rates.operations import INVERT, ROOT, SUM, add_up, copy, fill, invert, room

WIDTH = 256
"""Steps that are computed together: three times the rows of `linear_map`, which should stay in the caches."""


@allocating
def apply_series(sheet, linear_map, varies, constants, factors, shares, given, x, y):
    """Apply a map to many vectors at many steps; all of them are series.

    The steps may be those of several samples, one after another, whose maps differ in their numbers alone.

    Parameters
    ----------
    sheet, linear_map : tuple
        Fields of `Sheet` and of `Map`, whose own numbers are not read.
    varies : (rows,) array of bool
        Rows of the sheet that change with time.
    constants, factors : (samples, rows) and (samples, t) arrays
        Of the sheet.
    shares : (samples, u) array
        The factors of the map.
    given : (orders, k, samples n) array
        The rows `read` of the sheet.
    x : (samples, orders, inputs, m, n) array
        Or (samples, orders, inputs, m, 1) where the vectors are the same at all steps.
    y : (orders, outputs, m, samples n) array
        It is written.
    """
    made, linear = Sheet(*sheet), Map(*linear_map)
    orders, n = given.shape[0], given.shape[2] // constants.shape[0]
    most = min(WIDTH, n)
    rows = np.zeros((orders, made.constants.size, most))
    registers = np.zeros((orders, linear.inputs + linear.starts.size - 1, most))
    work, share = np.empty(room(made.unknowns)), np.empty((made.unknowns * made.unknowns, most))
    for s in range(constants.shape[0]):
        for k in range(made.constants.size):
            fill(constants[s, k], rows[0, k])
        for first in range(0, n, most):
            width, at = min(most, n - first), s * n + first
            for i in range(orders):
                for k in range(made.read.size):
                    copy(given[i, k, at : at + width], rows[i, made.read[k], :width])
            _operate(made, factors[s], varies, rows, work, share, width)
            for m in range(x.shape[3]):
                changes, out = x[s, :, :, m, min(first, x.shape[4] - 1) :], y[:, :, m, at : at + width]
                _apply(linear, shares[s], varies, rows, registers, changes, x.shape[4] == 1, out, width)


@kernel
def _apply(linear, factors, varies, rows, registers, x, same, y, n):
    """Apply a map to one vector (orders, inputs, n); only its first step counts if it is the same at all."""
    for i in range(rows.shape[0]):
        for k in range(linear.inputs):
            if same:
                fill(x[i, k, 0], registers[i, k, :n])
            else:
                copy(x[i, k, :n], registers[i, k, :n])
    for k in range(linear.starts.size - 1):
        first, stop, row = linear.starts[k], linear.starts[k + 1], linear.inputs + k
        _sum(linear.terms, factors, varies, rows, registers, first, stop, registers, row, n)
        if linear.targets[k] >= 0:
            for i in range(rows.shape[0]):
                copy(registers[i, row, :n], y[i, linear.targets[k]])
    for k in range(linear.copied.shape[0]):
        register = linear.copied[k, 1]
        for i in range(rows.shape[0]):
            out = y[i, linear.copied[k, 0]]
            if register < 0:
                fill(0.0, out)
            else:
                copy(registers[i, register, :n], out)


@kernel
def _operate(made, factors, varies, rows, work, share, n):
    """Carry out all operations of a sheet (`sglibrary.rates.operations`)."""
    for k in range(made.operations.shape[0]):
        code, out, first, count = made.operations[k]
        if code == SUM:
            _sum(made.terms, factors, varies, rows, rows, first, first + count, rows, out, n)
        elif code == INVERT:
            _invert(made.terms[first : first + count, 0], rows, out, work, share, n)
        elif code == ROOT:
            _root(rows, made.terms[first, 0], out, n)
        else:
            _reciprocal(rows, made.terms[first, 0], out, n)


# Rows are taken one by one, by the order and their number: only so are they contiguous to the compiler.


@kernel
def _sum(terms, factors, varies, rows, others, first, stop, target, out, n):
    """Row `out` of a target: the sum of the terms from number `first` on, of factors, rows, and rows of others."""
    orders = target.shape[0]
    if orders == 1 and stop > first:
        add_up(terms, factors, rows[0], others[0], first, stop, target[0, out, :n])
        return
    for i in range(orders):
        fill(0.0, target[i, out, :n])
    for t in range(first, stop):
        factor, row, other = factors[t], terms[t, 0], terms[t, 1]
        if not varies[row]:
            for i in range(orders):
                _add_times(factor * rows[0, row, 0], others[i, other, :n], target[i, out, :n])
        elif orders == 2:
            _add_two(
                factor,
                *(rows[0, row, :n], rows[1, row, :n]),
                *(others[0, other, :n], others[1, other, :n]),
                *(target[0, out, :n], target[1, out, :n]),
            )
        else:
            _add_three(
                factor,
                *(rows[0, row, :n], rows[1, row, :n], rows[2, row, :n]),
                *(others[0, other, :n], others[1, other, :n], others[2, other, :n]),
                *(target[0, out, :n], target[1, out, :n], target[2, out, :n]),
            )


@kernel
def _reciprocal(rows, row, out, n):
    x0, y0, orders = rows[0, row, :n], rows[0, out, :n], rows.shape[0]
    for j in range(n):
        y0[j] = 1.0 / x0[j]
    if orders > 1:
        x1, y1 = rows[1, row, :n], rows[1, out, :n]
        for j in range(n):
            y1[j] = -y0[j] * y0[j] * x1[j]
        if orders > 2:
            x2, y2 = rows[2, row, :n], rows[2, out, :n]
            for j in range(n):
                y2[j] = -y0[j] * (x2[j] * y0[j] + x1[j] * y1[j])


@kernel
def _root(rows, row, out, n):
    """One over the square root: of x (1 + u), where u has no constant part, 1 - u / 2 + 3 u² / 8 times that of x."""
    x0, y0, orders = rows[0, row, :n], rows[0, out, :n], rows.shape[0]
    for j in range(n):
        y0[j] = 1.0 / math.sqrt(x0[j])
    if orders > 1:
        x1, y1 = rows[1, row, :n], rows[1, out, :n]
        for j in range(n):
            y1[j] = -0.5 * y0[j] * (x1[j] / x0[j])
        if orders > 2:
            x2, y2 = rows[2, row, :n], rows[2, out, :n]
            for j in range(n):
                u = x1[j] / x0[j]
                y2[j] = y0[j] * (0.375 * u * u - 0.5 * (x2[j] / x0[j]))


@kernel
def _invert(entries, rows, first, work, share, n):
    """Inverse Y of a matrix A: Y₁ = - Y₀ A₁ Y₀ and Y₂ = - Y₀ (A₂ Y₀ + A₁ Y₁)."""
    invert(entries, rows[0], first, work, n)
    size = int(math.sqrt(entries.size))
    for order in range(1, rows.shape[0]):
        for i in range(size):
            for k in range(size):
                out = share[i * size + k, :n]
                fill(0.0, out)
                for j in range(size):
                    for part in range(1, order + 1):
                        _add(
                            1.0,
                            rows[part, entries[i * size + j], :n],
                            rows[order - part, first + j * size + k, :n],
                            out,
                        )
        for i in range(size):
            for k in range(size):
                out = rows[order, first + i * size + k, :n]
                fill(0.0, out)
                for j in range(size):
                    _add(-1.0, rows[0, first + i * size + j, :n], share[j * size + k, :n], out)


@kernel
def _add(factor, x, y, out):
    for j in range(out.size):
        out[j] += factor * (x[j] * y[j])


@kernel
def _add_times(factor, y, out):
    for j in range(out.size):
        out[j] += factor * y[j]


@kernel
def _add_two(factor, x0, x1, y0, y1, out0, out1):
    for j in range(out0.size):
        along = factor * x0[j]
        out0[j] += along * y0[j]
        out1[j] += along * y1[j] + factor * x1[j] * y0[j]


@kernel
def _add_three(factor, x0, x1, x2, y0, y1, y2, out0, out1, out2):
    for j in range(out0.size):
        along, across = factor * x0[j], factor * x1[j]
        out0[j] += along * y0[j]
        out1[j] += along * y1[j] + across * y0[j]
        out2[j] += along * y2[j] + (across * y1[j] + factor * x2[j] * y0[j])
