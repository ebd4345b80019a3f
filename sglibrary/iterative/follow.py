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

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.evaluate import (
    arrays_for,
    beyond,
    derive,
    farthest,
    in_order,
    matrix_of,
    newton_step,
    reordered,
)
from sglibrary.iterative.kinds import BALL
from sglibrary.iterative.knots import (
    ERROR,
    GAP,
    LARGEST,
    SIGN,
    TIME,
    continue_series,
    end_series,
    extrapolate,
    knot_numbers,
    make_unit,
    meets,
    parts,
)
from sglibrary.iterative.linear import largest, lengths, smallest
from sglibrary.iterative.moves import advance, quaternion_rates
from sglibrary.iterative.newton_tables import blank, load_frames, store_poses, unpack
from sglibrary.iterative.simd import copy_row, scale
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, OPEN, SINGULAR, SINGULAR_BELOW, SOLVED

FOLLOW, FORCE = -1.0, -2.0
"""What the first number in `memory` asks for."""

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


@allocating
def follow(q, v, a, memory, rows, constants, status, conditioning, n):
    """Knots at n steps, one after another; from the first that is rejected on, all are."""
    state, tables = (q, v, a), unpack(rows, constants)
    arrays = arrays_for(1, tables)
    width = knot_numbers(tables.unknowns, tables.variables)
    knot, reached, rejected = np.empty(width), np.empty(width), False
    copy_row(memory[1 : 1 + width], knot)
    for j in range(n):
        if not rejected:
            forced = memory[0] == FORCE and j == 0
            copy_row(knot, reached)
            verdict, conditioning[j] = _next_knot(state, j, tables, arrays, knot, reached, forced)
            if verdict == SOLVED:
                copy_row(reached, knot)
                status[j] = OPEN
                store_poses(state, j, tables, arrays.frames, status[j : j + 1])
            elif knot[GAP] == 0.0 and not forced:
                rejected = True
            else:
                knot[GAP] = CANNOT_ASSEMBLE if verdict == OPEN else verdict
                blank(state, j, tables.dimension, tables.outputs.rows, False)
        status[j] = OPEN if rejected else int(knot[GAP])
        copy_row(knot, memory[1 + (j + 1) * width : 1 + (j + 2) * width])


@allocating
def _next_knot(state, j, tables, arrays, knot, reached, forced):
    """Status and conditioning of step j, reached from a knot; the knot there is written into `reached`."""
    frames, time = arrays.frames, state[0][tables.time_row, j]
    load_frames(state, j, tables, frames)
    tracking = knot[GAP] == 0.0 and knot[SIGN] != 0.0
    step = time - knot[TIME] if tracking and not math.isnan(knot[TIME]) else 0.0
    verdict, conditioning = NO_INPUT, 0.0
    if _are_finite(frames, tables.solved.rows.shape[0]):
        verdict, step, elimination = _from_knot(tables, arrays, knot, reached, step, tracking, forced)
        if verdict == SOLVED:
            derive(tables, arrays, elimination)
            reached[TIME], reached[GAP] = time, 0.0
            _store(reached, tables, arrays, elimination)
            conditioning = _condition(reached, tables, arrays, elimination)
            conditioning = min(conditioning, arrays.sine[0]) if arrays.sine[0] >= 0.0 else 0.0
            verdict = beyond(arrays.x, tables.moves.rows, tables.curves, j - j)  # 0, not a literal
            if conditioning < SINGULAR_BELOW:
                verdict = SINGULAR
            elif verdict == SOLVED and not close(reached, knot, step, tables.unknowns, tables.variables):
                verdict = OPEN
    return verdict, conditioning


@kernel
def _are_finite(frames, solved):
    """Whether the frames of the solved bodies and the driven moves of one step are numbers."""
    vectors, turns, driven, _, _ = frames
    total = 0.0
    for k in range(solved):
        for order in range(vectors.shape[0]):
            for i in range(vectors.shape[2]):
                total += vectors[order, k, i, 0]
        for i in range(turns.shape[1]):
            total += turns[k, i, 0]
    for order in range(driven.shape[0]):
        for m in range(driven.shape[1]):
            total += driven[order, m, 0]
    return math.isfinite(total)


@allocating
def _from_knot(tables, arrays, knot, reached, step, tracking, forced):
    """Solve one step, starting from the Taylor series of a knot and, where a verdict is wanted, from a second start.

    Parameters
    ----------
    knot, reached : (width,) arrays
        The knot to start from; sign of the determinant and length of Newton's first step go into `reached`.
    step : float
        Time since the knot, s.
    tracking : bool
        Whether the group was followed up to the knot, so that the iteration must contract.
    forced : bool
        Whether the step must not be rejected.

    Returns
    -------
    int
        Status.
    float
        Time since the knot that the start was extrapolated over, s.
    Elimination
    """
    x, unknowns, variables = arrays.x, tables.unknowns, tables.variables
    elimination, verdict = _order_of(knot, tables), NO_INPUT
    extrapolate(knot, step, unknowns, variables, x)
    make_unit(x, tables.moves.rows)
    for attempt in range(2 if forced or not tracking else 1):
        if attempt == 1 and tracking:
            extrapolate(knot, 0.0, unknowns, variables, x)
            step, tracking = 0.0, False
        elif attempt == 1:
            # two solutions meet at a singular position and lie opposite to each other nearby
            reflect(knot, x, unknowns, variables, tables.moves.rows)
        verdict, reached[ERROR], elimination = _iterate(tables, arrays, elimination, tracking)
        reached[SIGN] = determinant_sign(arrays.lu, elimination.rows) * parity(elimination.columns)
        if verdict == SOLVED and knot[SIGN] != 0.0 and reached[SIGN] != knot[SIGN]:
            verdict = SINGULAR
        elif verdict == SOLVED or not tracking:
            break
    return verdict, step, elimination


@allocating
def _order_of(knot, tables):
    """The elimination in the order of a knot, which gets that of the equations and unknowns where it has none."""
    at, n = parts(tables.unknowns, tables.variables), tables.unknowns
    if n > 0 and knot[at.rows] < 0:
        for k in range(n):
            knot[at.rows + k] = knot[at.columns + k] = k
    return in_order(tables, knot[at.rows : at.rows + n], knot[at.columns : at.columns + n])


@allocating
def _iterate(tables, arrays, elimination, tracking):
    """Newton's iterations, which may change the order of elimination.

    Returns
    -------
    int
        Status; when tracking, only what contracts from the start is solved.
    float
        Length of the first step.
    Elimination
    """
    step, length = arrays.step, arrays.length
    error, before, result, fresh = -1.0, 0.0, CANNOT_ASSEMBLE, False
    for k in range(EVALUATIONS):
        newton_step(tables, arrays, elimination)
        lengths(step, length)
        if not fresh and not (arrays.growth[0] <= STABLE and math.isfinite(length[0])):
            elimination = reordered(tables, arrays, elimination)
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
            scale(step, LARGEST_STEP / length[0])
        advance(arrays.x, step, tables.moves.rows)
        if length[0] <= SMALL or (length[0] < 1e-8 and k > 2 and length[0] >= before):
            result = SOLVED
            break
        before = length[0]
    if result != SOLVED and not tracking and length[0] <= BLURRED:
        result = SINGULAR
    return result, error, elimination


@kernel
def determinant_sign(lu, rows):
    """Sign of the determinant of one factored matrix whose rows alone are in another order."""
    sign = parity(rows)
    for k in range(lu.shape[0]):
        sign = -sign if lu[k, k, 0] < 0.0 else sign
    return sign


@kernel
def parity(places):
    """1 or -1: how many pairs are in another order, even or odd."""
    sign = 1.0
    for i in range(places.size):
        for k in range(i):
            sign = -sign if places[k] > places[i] else sign
    return sign


@kernel
def reflect(knot, x, unknowns, variables, move_rows):
    """The point opposite to x as seen from a knot."""
    first = parts(unknowns, variables).values
    for m in range(move_rows.shape[0]):
        at, last = move_rows[m, 5], first + move_rows[m, 5]
        if move_rows[m, 3] < 0:
            continue
        if move_rows[m, 1] != BALL:
            x[at, 0] = 2.0 * knot[last] - x[at, 0]
            continue
        cosine = 0.0
        for i in range(4):
            cosine += x[at + i, 0] * knot[last + i]
        for i in range(4):
            x[at + i, 0] = 2.0 * cosine * knot[last + i] - x[at + i, 0]


@allocating
def _store(knot, tables, arrays, elimination):
    """Variables, their derivatives and the order of elimination into a knot."""
    at = parts(tables.unknowns, tables.variables)
    store_variables(tables.moves.rows, arrays.x, arrays.rate, arrays.step, knot, at, np.empty(6))
    for k in range(tables.unknowns):
        knot[at.rows + k], knot[at.columns + k] = elimination.rows[k], elimination.columns[k]


@kernel
def store_variables(move_rows, x, rate, gain, knot, parts, scratch):
    """Variables of one step and their derivatives, from those of the unknowns, into the parts of a knot.

    `scratch` (6 or more,) is working memory.
    """
    spin, rise = scratch[0:3], scratch[3:6]
    for m in range(move_rows.shape[0]):
        u, at = move_rows[m, 3], move_rows[m, 5]
        value, first, second = parts.values + at, parts.rates + at, parts.gains + at
        if u < 0:
            continue
        if move_rows[m, 1] == BALL:
            for i in range(4):
                knot[value + i] = x[at + i, 0]
            for i in range(3):
                spin[i], rise[i] = rate[u + i, 0], gain[u + i, 0]
            quaternion_rates(knot[value : value + 4], spin, rise, knot[first : first + 4], knot[second : second + 4])
        else:
            knot[value], knot[first], knot[second] = x[at, 0], rate[u, 0], gain[u, 0]


@allocating
def _condition(knot, tables, arrays, elimination):
    """Smallest over largest singular value; their vectors and the largest are kept in the knot.

    Where rods are left out, the largest counts as no less than what an unknown moves their ends by: all rows may
    vanish together there, as that of a single rod in line.
    """
    n, rows = tables.unknowns, elimination.rows
    if n == 0:
        return 1.0
    at = parts(n, tables.variables)
    low, high = knot[at.left : at.left + n], knot[at.right : at.right + n]
    knot[LARGEST] = largest(matrix_of(tables, arrays), high, np.empty(n))
    turned = np.empty(n)
    for e in range(n):
        turned[rows[e]] = low[e]
    if tables.rods.rows.shape[0] > 0:
        knot[LARGEST] = max(knot[LARGEST], farthest(tables, arrays))
    least = smallest(arrays.lu, elimination.entries, turned)
    for e in range(n):
        low[e] = turned[rows[e]]
    return min(1.0, least / knot[LARGEST])


@kernel
def close(knot, earlier, width, unknowns, variables):
    """Whether the rates of a knot are those that are expected from an earlier one; its series then goes on."""
    if width == 0.0:
        end_series(knot, unknowns, variables)
        return True
    if not meets(knot, earlier, width, 3.0 * CLOSE, unknowns, variables):
        return False
    continue_series(knot, earlier, width, unknowns, variables)
    return True
