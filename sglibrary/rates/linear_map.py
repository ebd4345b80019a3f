"""A linear map of rates whose coefficients are rows of a sheet (`sglibrary.rates.operations`).

A map is a list of registers: its inputs, then sums of coefficients times earlier registers, each made once. So a map
and its transpose are carried out by the same loop.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, kernel
from sglibrary.rates.operations import operate

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

WIDTH = 512
"""Steps that are computed together."""


class Sheet(NamedTuple):
    """What the coefficients are computed from.

    Attributes
    ----------
    dimension : int
    constants : (rows,) array
        What every row holds at first; some stay so.
    read : (k,) array of int
        Rows that are given at every step.
    operations, numbers, pairs : arrays
        See `sglibrary.rates.operations.operate`.
    """

    dimension: int
    constants: Array
    read: Ints
    operations: Ints
    numbers: Array
    pairs: Ints


class Map(NamedTuple):
    """A linear map.

    Attributes
    ----------
    inputs : int
        The first registers.
    starts : (sums + 1,) array of int
        Where the terms of every other register begin.
    terms : (t, 2) array of int
        Row of the sheet, and register.
    factors : (t,) array
    targets : (sums,) array of int
        The output that a register is, if nothing else needs it; else -1.
    copied : (k, 2) array of int
        All other outputs, and the registers that they are; -1 for zero.
    """

    inputs: int
    starts: Ints
    terms: Ints
    factors: Array
    targets: Ints
    copied: Ints


@allocating
def apply(sheet, linear_map, given, x, y, n):
    """Apply a map to many vectors at many steps.

    Parameters
    ----------
    sheet, linear_map : tuple
        Fields of `Sheet` and of `Map`.
    given : (k, pitch) array
        The rows `read` of the sheet.
    x : (inputs, m, n) array
    y : (outputs, m, n) array
        It is written.
    n : int
        Number of steps.
    """
    made, linear = Sheet(*sheet), Map(*linear_map)
    most = min(WIDTH, n)
    rows = np.empty((made.constants.size, most))
    registers = np.empty((linear.inputs + linear.starts.size - 1, most))
    for k in range(made.constants.size):
        rows[k] = made.constants[k]
    for first in range(0, n, most):
        width = min(most, n - first)
        span = slice(first, first + width)
        for k in range(made.read.size):
            _copy(given[k, span], rows[made.read[k], :width])
        operate(made.operations, made.numbers, made.pairs, made.dimension, rows, width)
        for m in range(x.shape[1]):
            for k in range(linear.inputs):
                _copy(x[k, m, span], registers[k, :width])
            _sums(linear, rows, registers, y, m, first, width)
            for k in range(linear.copied.shape[0]):
                out, register = y[linear.copied[k, 0], m, span], linear.copied[k, 1]
                if register < 0:
                    out[:] = 0.0
                else:
                    _copy(registers[register, :width], out)


@kernel
def _sums(linear, rows, registers, y, m, at, n):
    """Make all registers after the inputs, four terms at a time."""
    inputs, starts, terms, factors, targets, _ = linear
    for k in range(starts.size - 1):
        first, stop = starts[k], starts[k + 1]
        out = registers[inputs + k, :n] if targets[k] < 0 else y[targets[k], m, at : at + n]
        count = min(4, stop - first)
        _sum(terms, factors, rows, registers, first, count, out)
        first += count
        while first < stop:
            count = min(3, stop - first)
            _sum_more(terms, factors, rows, registers, first, count, out)
            first += count


@kernel
def _sum(terms, factors, rows, registers, k, count, out):
    """Sum of one to four terms."""
    f0, a0, x0 = factors[k], rows[terms[k, 0]], registers[terms[k, 1]]
    if count == 1:
        for j in range(out.size):
            out[j] = f0 * (a0[j] * x0[j])
        return
    f1, a1, x1 = factors[k + 1], rows[terms[k + 1, 0]], registers[terms[k + 1, 1]]
    if count == 2:
        for j in range(out.size):
            out[j] = f0 * (a0[j] * x0[j]) + f1 * (a1[j] * x1[j])
        return
    f2, a2, x2 = factors[k + 2], rows[terms[k + 2, 0]], registers[terms[k + 2, 1]]
    if count == 3:
        for j in range(out.size):
            out[j] = f0 * (a0[j] * x0[j]) + (f1 * (a1[j] * x1[j]) + f2 * (a2[j] * x2[j]))
        return
    f3, a3, x3 = factors[k + 3], rows[terms[k + 3, 0]], registers[terms[k + 3, 1]]
    for j in range(out.size):
        out[j] = (f0 * (a0[j] * x0[j]) + f1 * (a1[j] * x1[j])) + (f2 * (a2[j] * x2[j]) + f3 * (a3[j] * x3[j]))


@kernel
def _sum_more(terms, factors, rows, registers, k, count, out):
    """Add one to three terms."""
    f0, a0, x0 = factors[k], rows[terms[k, 0]], registers[terms[k, 1]]
    if count == 1:
        for j in range(out.size):
            out[j] += f0 * (a0[j] * x0[j])
        return
    f1, a1, x1 = factors[k + 1], rows[terms[k + 1, 0]], registers[terms[k + 1, 1]]
    if count == 2:
        for j in range(out.size):
            out[j] += f0 * (a0[j] * x0[j]) + f1 * (a1[j] * x1[j])
        return
    f2, a2, x2 = factors[k + 2], rows[terms[k + 2, 0]], registers[terms[k + 2, 1]]
    for j in range(out.size):
        out[j] += f0 * (a0[j] * x0[j]) + (f1 * (a1[j] * x1[j]) + f2 * (a2[j] * x2[j]))


@kernel
def _copy(x, out):
    for j in range(out.size):
        out[j] = x[j]
