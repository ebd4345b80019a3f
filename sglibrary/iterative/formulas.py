"""Formulas between moves: operations one after another, with first and second derivatives along a change of moves.

A formula has n coordinates c_k = a_k x_k + b_k of moves x_k, and operations on them; the last one gives its value,
which times a factor is the left-hand side of the equation. Tables lie one formula after another.

======= ==========================================================================================
numbers n, operations, where its constants begin; n moves; (code, operand, operand) of each operation
data    n factors a_k, n offsets b_k, the factor of the value, then constants and splines of operations
======= ==========================================================================================

Operands are numbers of earlier operations; of `COORDINATE` the first is that of the coordinate, of `CONSTANT` and
`SPLINE` (the second) where its data begin after the factor; `CALL` takes all coordinates, the first operations, and its
second operand is the address of a compiled function. A spline has its number of pieces, 1 if it is closed, its
breaks, and four coefficients for each piece in rising powers.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.kinds import (
    ABS,
    ACOS,
    ASIN,
    ATAN,
    ATAN2,
    CALL,
    CONSTANT,
    COORDINATE,
    COS,
    EXP,
    LEAST,
    LOG,
    MINUS,
    MOST,
    NEGATIVE,
    OVER,
    PLUS,
    SIN,
    SPLINE,
    SQRT,
    TAN,
    TIMES,
)
from sglibrary.pointers import call_at


@allocating
def evaluate_formula(numbers, data, start, coordinates, out):
    """The value of a formula and its derivatives, `out` (3, width), by those of its moves, `coordinates` (n, 3, width).

    `start` is where its numbers begin.
    """
    n, count, base = numbers[start], numbers[start + 1], numbers[start + 2]
    first = start + 3 + n
    work, given, called = np.empty((count, 3, out.shape[1])), np.empty(n), np.empty(1 + n + n * n)
    for k in range(count):
        code, p, q = numbers[first + 3 * k], numbers[first + 3 * k + 1], numbers[first + 3 * k + 2]
        for j in range(out.shape[1]):
            if code == COORDINATE:
                factor = data[base + p]
                x = factor * coordinates[p, 0, j] + data[base + n + p]
                dx, ddx = factor * coordinates[p, 1, j], factor * coordinates[p, 2, j]
            elif code == CONSTANT:
                x, dx, ddx = data[base + 2 * n + 1 + p], 0.0, 0.0
            elif code == CALL:
                for c in range(n):
                    given[c] = work[c, 0, j]
                call_at(q, given, called)
                x, dx, ddx = _along(called, work[:n, 1, j], work[:n, 2, j])
            else:
                a = work[p, 0, j], work[p, 1, j], work[p, 2, j]
                if code == SPLINE:
                    x, slope, bend = _spline(data, base + 2 * n + 1 + q, a[0])
                    dx, ddx = _chained(slope, bend, a)
                elif code >= NEGATIVE and code != ATAN2 and code < LEAST:
                    x, slope, bend = _function(code, a[0])
                    dx, ddx = _chained(slope, bend, a)
                else:
                    x, dx, ddx = _of_two(code, a, (work[q, 0, j], work[q, 1, j], work[q, 2, j]))
            work[k, 0, j], work[k, 1, j], work[k, 2, j] = x, dx, ddx
    share = data[base + 2 * n]
    for order in range(3):
        for j in range(out.shape[1]):
            out[order, j] = share * work[count - 1, order, j]


@kernel
def _along(called, rate, gain):
    """Value of a function of n numbers and its derivatives along theirs."""
    n, dx, ddx = rate.size, 0.0, 0.0
    for i in range(n):
        dx += called[1 + i] * rate[i]
        ddx += called[1 + i] * gain[i]
        for k in range(n):
            ddx += called[1 + n + n * i + k] * rate[i] * rate[k]
    return called[0], dx, ddx


@kernel
def _chained(slope, bend, a):
    """First and second derivative of a function of a number by its own."""
    return slope * a[1], slope * a[2] + bend * a[1] * a[1]


@kernel
def _function(code, x):
    """Value, first and second derivative of a function of one number."""
    if code == NEGATIVE:
        return -x, -1.0, 0.0
    if code == SIN:
        return math.sin(x), math.cos(x), -math.sin(x)
    if code == COS:
        return math.cos(x), -math.sin(x), -math.cos(x)
    if code == TAN:
        y = math.tan(x)
        return y, 1.0 + y * y, 2.0 * y * (1.0 + y * y)
    if code == ATAN:
        return math.atan(x), 1.0 / (1.0 + x * x), -2.0 * x / (1.0 + x * x) ** 2
    if code == EXP:
        y = math.exp(x)
        return y, y, y
    if code == ABS:
        return abs(x), math.copysign(1.0, x), 0.0
    if code == SQRT and x > 0.0:
        y = math.sqrt(x)
        return y, 0.5 / y, -0.25 / (x * y)
    if code == LOG and x > 0.0:
        return math.log(x), 1.0 / x, -1.0 / (x * x)
    if abs(x) < 1.0 and (code in (ASIN, ACOS)):
        root = 1.0 / math.sqrt(1.0 - x * x)
        if code == ASIN:
            return math.asin(x), root, x * root * root * root
        return math.acos(x), -root, -x * root * root * root
    return math.nan, math.nan, math.nan


@kernel
def _of_two(code, a, b):
    """Value and derivatives of an operation on two numbers with theirs."""
    if code == PLUS:
        return a[0] + b[0], a[1] + b[1], a[2] + b[2]
    if code == MINUS:
        return a[0] - b[0], a[1] - b[1], a[2] - b[2]
    if code == TIMES:
        return a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]
    if code == OVER:
        if b[0] == 0.0:
            return math.nan, math.nan, math.nan
        x = a[0] / b[0]
        dx = (a[1] - x * b[1]) / b[0]
        return x, dx, (a[2] - 2.0 * dx * b[1] - x * b[2]) / b[0]
    if code in (LEAST, MOST):
        second = b[0] < a[0] if code == LEAST else b[0] > a[0]
        return (b[0], b[1], b[2]) if second else (a[0], a[1], a[2])
    if code == ATAN2:
        square = a[0] * a[0] + b[0] * b[0]
        if square == 0.0:
            return math.nan, math.nan, math.nan
        dx = (b[0] * a[1] - a[0] * b[1]) / square
        change = 2.0 * (b[0] * b[1] + a[0] * a[1])
        return math.atan2(a[0], b[0]), dx, (b[0] * a[2] - a[0] * b[2] - dx * change) / square
    return _power(a, b)


@kernel
def _power(a, b):
    """A number to the power of another, which may change where the base is positive."""
    n = b[0]
    whole = n == math.floor(n)
    if (a[0] < 0.0 and not (whole and b[1] == 0.0 and b[2] == 0.0)) or (a[0] == 0.0 and n < 0.0):
        return math.nan, math.nan, math.nan
    x = a[0] ** n
    slope = n * a[0] ** (n - 1.0) if n != 0.0 else 0.0
    bend = n * (n - 1.0) * a[0] ** (n - 2.0) if n != 0.0 and n != 1.0 else 0.0
    dx, ddx = slope * a[1], slope * a[2] + bend * a[1] * a[1]
    if b[1] != 0.0 or b[2] != 0.0:
        log = math.log(a[0])
        rate = b[1] * log + n * a[1] / a[0]
        gain = b[2] * log + 2.0 * b[1] * a[1] / a[0] + n * (a[2] / a[0] - (a[1] / a[0]) ** 2)
        return x, x * rate, x * (gain + rate * rate)
    return x, dx, ddx


@kernel
def _spline(data, base, x):
    """Value, first and second derivative of a cubic spline; NaN beyond its ends, where it is not closed."""
    pieces, closed, breaks = int(data[base]), data[base + 1] != 0.0, base + 2
    low, high = data[breaks], data[breaks + pieces]
    if closed:
        x = low + (x - low) % (high - low)
    if not low <= x <= high:
        return math.nan, math.nan, math.nan
    k, last = 0, pieces
    while last - k > 1:
        middle = (k + last) // 2
        if x >= data[breaks + middle]:
            k = middle
        else:
            last = middle
    h, c = x - data[breaks + k], breaks + pieces + 1 + 4 * k
    value = ((data[c + 3] * h + data[c + 2]) * h + data[c + 1]) * h + data[c]
    slope = (3.0 * data[c + 3] * h + 2.0 * data[c + 2]) * h + data[c + 1]
    return value, slope, 6.0 * data[c + 3] * h + 2.0 * data[c + 2]
