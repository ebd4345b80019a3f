"""Following a group from knot to knot, so that it stays in its assembly mode.

A knot is reached from the one before it by its Taylor series and Newton's method. It is accepted if the series was
close (`CLOSE`), the iteration contracted from the start (Kantorovich's condition, which also keeps the solution unique
nearby), the series back from the new knot meets the old one, and the sign of the determinant is the same: between
two positions of unlike sign the group has passed a singular one. Otherwise the caller must take a shorter step, or,
where that is no longer possible, `force` the verdict: the group is lost until a later step is assembled again.

`memory` holds `FOLLOW`, or `FORCE` if a verdict is wanted at the first step, the knot to start from, then one knot per
step.
"""

import math

import numpy as np

from sglibrary.convention import allocating as kernel
from sglibrary.convention import formula
from sglibrary.iterative.curves import curves_of
from sglibrary.iterative.evaluate import beyond, derive, matrix_of, memory_for, newton_step, pattern_of, signs_of
from sglibrary.iterative.knots import ERROR, GAP, LARGEST, LEADING, SIGN, TIME, extrapolate, make_unit, parts
from sglibrary.iterative.linear import choose_order, fill, largest, lengths, smallest
from sglibrary.iterative.moves import BALL, advance, place, quaternion_rates
from sglibrary.iterative.newton_tables import blank, load_frames, store_poses, unpack
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, SINGULAR, SINGULAR_BELOW, SOLVED

FOLLOW, FORCE = -1.0, -2.0
"""What the first number in `memory` asks for."""

REJECTED = 5
"""Status of a knot that has to be reached in shorter steps."""

CLOSE = 0.05
"""Error of the Taylor series (rad, or sizes of the mechanism) up to which a knot is accepted; about twenty times the
distance at which steps between knots need only two evaluations."""

CONTRACTION = 0.25
"""Ratio of the first two of Newton's steps above which the start was too far away."""

STABLE = 1e2
"""Multiplier of the elimination up to which its order is kept from knot to knot."""

EVALUATIONS = 40
SMALL = 1e-11
BLURRED = 1e-6
"""Length of steps that do not become smaller: rounding errors over a Jacobian that is singular."""

LARGEST_STEP = 0.5
"""Of one damped iteration, rad or sizes of the mechanism."""


@formula
def follow(q, v, a, memory, rows, constants, status, conditioning, n):
    """Knots at n steps, one after another; from the first that is rejected on, all are."""
    dimension, unknowns, variables, size = rows[0], rows[1], rows[2], constants[0]
    width = LEADING + 3 * variables + 4 * unknowns
    tables = unpack(rows, constants)
    (
        solved_rows, move_rows, equation_rows, output_rows, paths,
        solved_data, move_data, equation_data, output_data, _,
    ) = tables  # fmt: skip
    signs = signs_of(rows, equation_rows, paths, move_rows)
    pattern = pattern_of(rows, signs)
    arrays = memory_for(1, rows)
    frames, turns, driven, hands, lu, b, x, _, gain, rate, length = arrays
    curves = curves_of(rows, constants, length.size)
    knot, solved, rejected = memory[1 : 1 + width].copy(), solved_rows.shape[0], False
    for j in range(n):
        if not rejected:
            load_frames(
                q, v, a, j, dimension, size, solved_rows, solved_data, move_rows, move_data, frames, turns, driven
            )
            moved, time = knot.copy(), q[rows[7], j]
            tracking = knot[GAP] == 0.0 and knot[SIGN] != 0.0
            step = time - knot[TIME] if tracking and not math.isnan(knot[TIME]) else 0.0
            row_order, column_order = _order_of(knot, unknowns, variables)
            starts, below, right = fill(pattern, row_order, column_order)
            found, error, sign, forced = NO_INPUT, 0.0, 0.0, memory[0] == FORCE and j == 0
            if math.isfinite(frames[:, :solved].sum() + turns[:solved].sum() + driven.sum()):
                extrapolate(knot, step, unknowns, variables, x)
                make_unit(x, move_rows)
                for attempt in range(2 if forced or not tracking else 1):
                    if attempt == 1 and tracking:
                        extrapolate(knot, 0.0, unknowns, variables, x)
                        step, tracking = 0.0, False
                    elif attempt == 1:
                        # two solutions meet at a singular position and lie opposite to each other nearby
                        _reflect(knot, x, unknowns, variables, move_rows)
                    found, error, starts, below, right = _iterate(
                        x, arrays, move_rows, move_data, equation_rows, equation_data, signs, pattern, dimension,
                        row_order, column_order, starts, below, right, tracking, curves,
                    )  # fmt: skip
                    sign = _determinant_sign(lu, row_order, column_order)
                    if found == SOLVED and knot[SIGN] != 0.0 and sign != knot[SIGN]:
                        found = SINGULAR
                    elif found == SOLVED or not tracking:
                        break
            conditioning[j] = 0.0
            if found == SOLVED:
                place(x, frames, turns, driven, move_rows, move_data, curves)
                derive(
                    frames, turns, driven, lu, b, move_rows, equation_rows, equation_data, dimension, row_order,
                    column_order, starts, below, right, rate, gain, curves,
                )  # fmt: skip
                moved[TIME], moved[GAP], moved[SIGN], moved[ERROR] = time, 0.0, sign, error
                _store(moved, x, rate, gain, row_order, column_order, move_rows)
                conditioning[j] = _condition(
                    moved, frames, turns, hands, lu, row_order, starts, below, right, move_rows, equation_rows,
                    equation_data, signs, dimension, variables, curves,
                )  # fmt: skip
                limit = beyond(x, move_rows, curves, j - j)
                if conditioning[j] < SINGULAR_BELOW:
                    found = SINGULAR
                elif limit != SOLVED:
                    found = limit
                elif knot[GAP] == 0.0 and knot[SIGN] != 0.0 and not _meets(moved, knot, step, variables):
                    found = REJECTED
                else:
                    knot = moved
                    store_poses(q, v, a, j, dimension, size, output_rows, output_data, frames, turns)
            rejected = found != SOLVED and knot[GAP] == 0.0 and not forced
            if found != SOLVED and not rejected:
                knot[GAP] = CANNOT_ASSEMBLE if found == REJECTED else found
                blank(q, v, a, j, dimension, output_rows, rejected)
        status[j] = REJECTED if rejected else int(knot[GAP])
        memory[1 + (j + 1) * width : 1 + (j + 2) * width] = knot


@kernel
def _order_of(knot, unknowns, variables):
    """Order of elimination of a knot; that of the equations and unknowns where it has none."""
    at = LEADING + 3 * variables
    rows = knot[at : at + unknowns].astype(np.int64)
    columns = knot[at + unknowns : at + 2 * unknowns].astype(np.int64)
    if unknowns and rows[0] < 0:
        rows[:] = np.arange(unknowns)
        columns[:] = np.arange(unknowns)
    return rows, columns


@formula
def _iterate(
    x, arrays, move_rows, move_data, equation_rows, equation_data, signs, pattern, dimension, row_order, column_order,
    starts, below, right, tracking, curves,
):  # fmt: skip
    """Newton's iterations: status, length of the first step, entries of the elimination, whose order may be changed.

    Tracking accepts only what contracts from the start.
    """
    frames, turns, driven, hands, lu, b, _, growth, step, _, length = arrays
    error, before, result, fresh = -1.0, 0.0, CANNOT_ASSEMBLE, False
    for k in range(EVALUATIONS):
        newton_step(
            x, frames, turns, driven, hands, lu, b, growth, move_rows, move_data, equation_rows, equation_data,
            signs, dimension, row_order, column_order, starts, below, right, step, curves,
        )  # fmt: skip
        lengths(step, length)
        if not fresh and not (growth[0] <= STABLE and math.isfinite(length[0])):
            matrix = matrix_of(frames, turns, hands, move_rows, equation_rows, equation_data, signs, dimension, curves)
            choose_order(matrix, pattern, row_order, column_order)
            starts, below, right = fill(pattern, row_order, column_order)
            fresh = True
            continue
        fresh = False
        if not math.isfinite(length[0]):
            break
        far = error >= 0.0 and before == error and length[0] > max(CONTRACTION * error, 1e-6)
        error = length[0] if error < 0.0 else error
        if tracking and (far or error > CLOSE):
            break
        if length[0] > LARGEST_STEP:
            step *= LARGEST_STEP / length[0]
        advance(x, step, move_rows)
        if length[0] <= SMALL or (length[0] < 1e-8 and k > 2 and length[0] >= before):
            result = SOLVED
            break
        before = length[0]
    if result != SOLVED and not tracking and length[0] <= BLURRED:
        result = SINGULAR
    return result, error, starts, below, right


@kernel
def _determinant_sign(lu, rows, columns):
    """Sign of the determinant of one factored matrix."""
    sign = _parity(rows) * _parity(columns)
    for k in range(lu.shape[0]):
        sign = -sign if lu[k, k, 0] < 0.0 else sign
    return sign


@kernel
def _parity(places):
    sign = 1.0
    for i in range(places.size):
        for k in range(i):
            sign = -sign if places[k] > places[i] else sign
    return sign


@kernel
def _reflect(knot, x, unknowns, variables, move_rows):
    """The point opposite to x as seen from a knot."""
    last = parts(knot, unknowns, variables)[0]
    for m in range(move_rows.shape[0]):
        at = move_rows[m, 5]
        if move_rows[m, 3] < 0:
            continue
        if move_rows[m, 1] != BALL:
            x[at, 0] = 2.0 * last[at] - x[at, 0]
            continue
        cosine = 0.0
        for i in range(4):
            cosine += x[at + i, 0] * last[at + i]
        for i in range(4):
            x[at + i, 0] = 2.0 * cosine * last[at + i] - x[at + i, 0]


@kernel
def _store(knot, x, rate, gain, row_order, column_order, move_rows):
    """Variables, their derivatives and the order of elimination into a knot."""
    unknowns, variables = rate.shape[0], x.shape[0]
    value, first, second, rows, columns, _, _ = parts(knot, unknowns, variables)
    for m in range(move_rows.shape[0]):
        u, at = move_rows[m, 3], move_rows[m, 5]
        if u < 0:
            continue
        if move_rows[m, 1] == BALL:
            value[at : at + 4] = x[at : at + 4, 0]
            quaternion_rates(
                value[at : at + 4], rate[u : u + 3, 0], gain[u : u + 3, 0], first[at : at + 4], second[at : at + 4]
            )
        else:
            value[at], first[at], second[at] = x[at, 0], rate[u, 0], gain[u, 0]
    rows[:] = row_order
    columns[:] = column_order


@kernel
def _condition(
    knot, frames, turns, hands, lu, rows, starts, below, right, move_rows, equation_rows, equation_data, signs,
    dimension, variables, curves,
):  # fmt: skip
    """Smallest over largest singular value; their vectors and the largest are kept in the knot."""
    n = signs.shape[0]
    if n == 0:
        return 1.0
    low, high = parts(knot, n, variables)[5:]
    matrix = matrix_of(frames, turns, hands, move_rows, equation_rows, equation_data, signs, dimension, curves)
    knot[LARGEST] = largest(matrix, high)
    turned = np.empty(n)
    for e in range(n):
        turned[rows[e]] = low[e]
    least = smallest(lu, starts, below, right, turned)
    for e in range(n):
        low[e] = turned[rows[e]]
    return min(1.0, least / knot[LARGEST])


@kernel
def _meets(knot, earlier, width, variables):
    """Whether the Taylor series back from a knot meets the variables of the one before it."""
    for k in range(variables):
        at = LEADING + k
        back = knot[at] - width * (knot[at + variables] - 0.5 * width * knot[at + 2 * variables])
        if not math.fabs(back - earlier[at]) <= 3.0 * CLOSE:
            return False
    return True
