"""One evaluation of a group's equations at many steps: values, Jacobian, Newton's step; then rates and accelerations.

The formulas here are inlined where they are used: a compiled function is optimized again in every function that calls
it, so that few levels of calls are compiled soonest.
"""

import math

import numpy as np

from sglibrary.convention import allocating as kernel
from sglibrary.convention import formula
from sglibrary.iterative.curves import off_curve
from sglibrary.iterative.equations import defect, jacobian, moving_defect, structure
from sglibrary.iterative.linear import clear_entries, factor, solve
from sglibrary.iterative.moves import CURVE, MIDDLE, gains, place, rates
from sglibrary.iterative.newton_tables import DENSE
from sglibrary.status import CANNOT_ASSEMBLE, SINGULAR, SOLVED


@formula
def memory_for(lanes, rows):
    """Arrays for some lanes: frames, turns, driven, hands, lu, b, x, growth, step, rate, length."""
    unknowns, variables, frames = rows[1], rows[2], rows[3] + rows[4]
    return (
        np.empty((5, frames, 3, lanes)),
        np.empty((frames, 9, lanes)),
        np.zeros((3, rows[4], lanes)),
        np.empty((rows[5], 6, lanes)),
        np.empty((unknowns, unknowns, lanes)),
        np.empty((unknowns, lanes)),
        np.empty((variables, lanes)),
        np.empty(lanes),
        np.empty((unknowns, lanes)),
        np.empty((unknowns, lanes)),
        np.empty(lanes),
    )


@kernel
def signs_of(rows, equation_rows, paths, move_rows):
    """See `equations.structure`."""
    signs = np.zeros((rows[1], rows[1]), np.int64)
    structure(equation_rows, paths, move_rows, rows[0], signs)
    return signs


@kernel
def pattern_of(rows, signs):
    """Which entries of the Jacobian elimination takes for different from zero: those that can be, or all."""
    return np.ones_like(signs) if rows[DENSE] else signs


@formula
def newton_step(
    x, frames, turns, driven, hands, lu, b, growth, move_rows, move_data, equation_rows, equation_data, signs,
    dimension, rows, columns, starts, below, right, step, curves,
):  # fmt: skip
    """Newton's step at x, with all that is found on the way: frames, turns and the factors `lu`."""
    place(x, frames, turns, driven, move_rows, move_data, curves)
    defect(x, frames, turns, driven, equation_rows, equation_data, move_rows, dimension, hands, b, rows)
    clear_entries(lu, starts, below, right)
    jacobian(frames, turns, equation_rows, equation_data, move_rows, signs, dimension, hands, rows, columns, curves, lu)
    factor(lu, starts, below, right, growth)
    solve(lu, starts, below, right, b)
    negative(b, columns, step)


@kernel
def negative(b, columns, out):
    """Minus the solution, in the order of the unknowns."""
    for u in range(columns.size):
        x, o = b[columns[u]], out[u]
        for j in range(o.size):
            o[j] = -x[j]


@formula
def derive(
    frames, turns, driven, lu, b, move_rows, equation_rows, equation_data, dimension, rows, columns, starts, below,
    right, rate, gain, curves,
):  # fmt: skip
    """Rates and gains of the unknowns, J x' = -f' and J x'' = -f'' at x' = 0 and x'' = 0, and of all frames."""
    rate[:] = 0.0
    gain[:] = 0.0
    rates(frames, turns, driven, rate, move_rows, curves)
    for order in range(1, 3):
        found = rate if order == 1 else gain
        moving_defect(found, frames, turns, driven, equation_rows, equation_data, move_rows, dimension, order, b, rows)
        solve(lu, starts, below, right, b)
        negative(b, columns, found)
        if order == 1:
            rates(frames, turns, driven, rate, move_rows, curves)
        gains(frames, turns, driven, rate, gain, move_rows, curves)


@kernel
def beyond(x, move_rows, curves, lane):
    """SOLVED where all variables are within their limits; otherwise what is wrong.

    The middle one of three rotations has its singular positions at a quarter turn, and curves that are not closed end.
    """
    for m in range(move_rows.shape[0]):
        if move_rows[m, 3] >= 0:
            if move_rows[m, 1] == MIDDLE and math.cos(x[move_rows[m, 5], lane]) <= 0.0:
                return SINGULAR
            if move_rows[m, 1] == CURVE and off_curve(x[move_rows[m, 5], lane], move_rows[m, 2], curves):
                return CANNOT_ASSEMBLE
    return SOLVED


@kernel
def matrix_of(frames, turns, hands, move_rows, equation_rows, equation_data, signs, dimension, curves):
    """The Jacobian of one step (n, n), in the order of equations and unknowns."""
    n = signs.shape[0]
    out, natural = np.zeros((n, n, 1)), np.arange(n)
    jacobian(
        frames, turns, equation_rows, equation_data, move_rows, signs, dimension, hands, natural, natural, curves,
        out,
    )  # fmt: skip
    return out.reshape(n, n)
