"""A linear map of rates whose coefficients are rows of a sheet (`sglibrary.rates.operations`).

A map is a list of registers: its inputs, then sums of coefficients times earlier registers, each made once. So a map
and its transpose are carried out by the same loop.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, kernel
from sglibrary.rates.operations import add_up, copy, fill, operate, room

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

WIDTH = 512
"""Steps that are computed together."""


class Sheet(NamedTuple):
    """What the coefficients are computed from.

    Attributes
    ----------
    constants : (rows,) array
        What every row holds at first; some stay so.
    read : (k,) array of int
        Rows that are given at every step.
    operations, terms, factors : arrays
        See `sglibrary.rates.operations.operate`.
    unknowns : int
        Of the largest matrix.
    """

    constants: Array
    read: Ints
    operations: Ints
    terms: Ints
    factors: Array
    unknowns: int


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
        Or (inputs, m, 1) where the vectors are the same at all steps.
    y : (outputs, m, n) array
        It is written.
    n : int
        Number of steps.
    """
    made, linear = Sheet(*sheet), Map(*linear_map)
    most = min(WIDTH, n)
    rows = np.empty((made.constants.size, most))
    registers = np.empty((linear.inputs + linear.starts.size - 1, most))
    work = np.empty(room(made.unknowns))
    _apply(made, linear, given, x, y, n, rows, registers, work)


@kernel
def _apply(made, linear, given, x, y, n, rows, registers, work):
    """Apply a map in memory for the rows of the sheet, the registers and a matrix."""
    most = rows.shape[1]
    for k in range(made.constants.size):
        fill(made.constants[k], rows[k])
    for first in range(0, n, most):
        width = min(most, n - first)
        for k in range(made.read.size):
            copy(given[k, first : first + width], rows[made.read[k], :width])
        operate(made.operations, made.terms, made.factors, rows, work, width)
        for m in range(x.shape[1]):
            for k in range(linear.inputs):
                if x.shape[2] == 1:
                    fill(x[k, m, 0], registers[k, :width])
                else:
                    copy(x[k, m, first : first + width], registers[k, :width])
            _sums(linear, rows, registers, y, m, first, width)
            for k in range(linear.copied.shape[0]):
                out, register = y[linear.copied[k, 0], m, first : first + width], linear.copied[k, 1]
                if register < 0:
                    fill(0.0, out)
                else:
                    copy(registers[register, :width], out)


@kernel
def _sums(linear, rows, registers, y, m, at, n):
    """Make all registers after the inputs."""
    inputs, starts, terms, factors, targets, _ = linear
    for k in range(starts.size - 1):
        out = registers[inputs + k, :n] if targets[k] < 0 else y[targets[k], m, at : at + n]
        add_up(terms, factors, rows, registers, starts[k], starts[k + 1], out)
