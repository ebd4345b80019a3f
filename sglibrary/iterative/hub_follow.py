"""Following a hub from knot to knot; the conditions are those of `sglibrary.iterative.follow`, which see."""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.follow import (
    BLURRED,
    CLOSE,
    CONTRACTION,
    EVALUATIONS,
    FORCE,
    LARGEST_STEP,
    SMALL,
    STABLE,
    determinant_sign,
    meets,
    reflect,
)
from sglibrary.iterative.hub_equations import (
    advance,
    derive,
    evaluate,
    jacobian,
    load,
    newton_step,
    own_order,
    store,
)
from sglibrary.iterative.hub_tables import in_order, work_for
from sglibrary.iterative.knots import ERROR, GAP, LARGEST, LEADING, SIGN, TIME, extrapolate, make_unit, parts
from sglibrary.iterative.linear import largest, lengths, smallest
from sglibrary.iterative.moves import quaternion_rates
from sglibrary.iterative.simd import copy_row, scale
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, OPEN, SINGULAR, SINGULAR_BELOW, SOLVED


@allocating
def follow(q, v, a, memory, hub, status, conditioning, n):
    """Knots at n steps, one after another; from the first that is rejected on, all are."""
    state, work = (q, v, a), work_for(1, hub)
    width = LEADING + 3 * hub.variables + 4 * hub.unknowns
    knot, reached, rejected = np.empty(width), np.empty(width), False
    copy_row(memory[1 : 1 + width], knot)
    for j in range(n):
        if not rejected:
            forced = memory[0] == FORCE and j == 0
            copy_row(knot, reached)
            verdict, conditioning[j] = _next_knot(state, j, hub, work, knot, reached, forced)
            if verdict == SOLVED:
                copy_row(reached, knot)
                store(state, j, hub, work)
            elif knot[GAP] == 0.0 and not forced:
                rejected = True
            else:
                knot[GAP] = CANNOT_ASSEMBLE if verdict == OPEN else verdict
        status[j] = OPEN if rejected else int(knot[GAP])
        copy_row(knot, memory[1 + (j + 1) * width : 1 + (j + 2) * width])


@allocating
def _next_knot(state, j, hub, work, knot, reached, forced):
    """Status and conditioning of step j, reached from a knot; the knot there is written into `reached`."""
    time = state[0][hub.time_row, j]
    load(state, j, hub, work)
    tracking = knot[GAP] == 0.0 and knot[SIGN] != 0.0
    step = time - knot[TIME] if tracking and not math.isnan(knot[TIME]) else 0.0
    if not _are_finite(work.points, work.goals):
        return NO_INPUT, 0.0
    verdict, step, order = _from_knot(state, j, hub, work, knot, reached, step, tracking, forced)
    if verdict != SOLVED:
        return verdict, 0.0
    derive(state, j, hub, work, order)
    reached[TIME], reached[GAP] = time, 0.0
    _store(reached, hub, work, order)
    conditioning = _condition(state, j, hub, work, order, reached)
    if conditioning < SINGULAR_BELOW:
        verdict = SINGULAR
    elif tracking and not meets(reached, knot, step, hub.variables):
        verdict = OPEN
    return verdict, conditioning


@kernel
def _are_finite(points, goals):
    """Whether what is given of one step are numbers."""
    total = 0.0
    for x in (points, goals):
        for k in range(x.shape[0]):
            total += x[k, 0]
    return math.isfinite(total)


@allocating
def _from_knot(state, j, hub, work, knot, reached, step, tracking, forced):
    """Solve one step, starting from the Taylor series of a knot and, where a verdict is wanted, from a second start.

    Returns the status, the time that the start was extrapolated over, s, and the order of elimination.
    """
    x, unknowns, variables = work.x, hub.unknowns, hub.variables
    order, verdict = in_order(parts(knot, unknowns, variables).rows), NO_INPUT
    extrapolate(knot, step, unknowns, variables, x)
    make_unit(x, hub.moves)
    for attempt in range(2 if forced or not tracking else 1):
        if attempt == 1 and tracking:
            extrapolate(knot, 0.0, unknowns, variables, x)
            step, tracking = 0.0, False
        elif attempt == 1:
            # two solutions meet at a singular position and lie opposite to each other nearby
            reflect(knot, x, unknowns, variables, hub.moves)
        verdict, reached[ERROR], order = _iterate(state, j, hub, work, order, tracking)
        reached[SIGN] = determinant_sign(work.lu, order.rows)
        if verdict == SOLVED and knot[SIGN] != 0.0 and reached[SIGN] != knot[SIGN]:
            verdict = SINGULAR
        elif verdict == SOLVED or not tracking:
            break
    return verdict, step, order


@allocating
def _iterate(state, j, hub, work, order, tracking):
    """Newton's iterations, which may change the order of elimination; at the end factors are those at x.

    Returns the status, the length of the first step, and the order.
    """
    step, length = work.step, work.length
    error, before, result, done = -1.0, 0.0, CANNOT_ASSEMBLE, False
    for k in range(EVALUATIONS):
        evaluate(state, j, hub, work, order)
        if not work.growth[0] <= STABLE:
            order = own_order(state, j, hub, work)
            evaluate(state, j, hub, work, order)
        if done:
            break
        newton_step(work, order)
        lengths(step, length)
        if not math.isfinite(length[0]):
            break
        far = error >= 0.0 and before == error and length[0] > max(CONTRACTION * error, 1e-6)
        error = length[0] if error < 0.0 else error
        if tracking and (far or error > CLOSE):
            break
        if length[0] > LARGEST_STEP:
            scale(step, LARGEST_STEP / length[0])
        advance(hub, work)
        if length[0] <= SMALL or (length[0] < 1e-8 and k > 2 and length[0] >= before):
            result, done = SOLVED, True
        before = length[0]
    if result != SOLVED and not tracking and length[0] <= BLURRED:
        result = SINGULAR
    return result, error, order


@allocating
def _store(knot, hub, work, order):
    """Variables, their derivatives and the order of elimination into a knot."""
    x, rate, gain, d = work.x, work.rate, work.gain, hub.dimension
    value, first, second, rows, columns, _, _ = parts(knot, hub.unknowns, hub.variables)
    for k in range(hub.variables):
        value[k] = x[k, 0]
    for k in range(3):
        first[k], second[k] = rate[k, 0], gain[k, 0]
    if d == 3:
        turn, spin, rise = work.turn, np.empty(3), np.empty(3)
        for i in range(3):  # in the hub's own directions
            spin[i] = turn[i, 0] * rate[3, 0] + turn[3 + i, 0] * rate[4, 0] + turn[6 + i, 0] * rate[5, 0]
            rise[i] = turn[i, 0] * gain[3, 0] + turn[3 + i, 0] * gain[4, 0] + turn[6 + i, 0] * gain[5, 0]
        quaternion_rates(value[3:7], spin, rise, first[3:7], second[3:7])
    for k in range(rows.size):
        rows[k], columns[k] = order.rows[k], k


@allocating
def _condition(state, j, hub, work, order, knot):
    """Smallest over largest singular value; their vectors and the largest are kept in the knot."""
    n, values = hub.unknowns, parts(knot, hub.unknowns, hub.variables)
    low, high, turned = values.left, values.right, np.empty(n)
    for e in range(n):
        turned[order.rows[e]] = low[e]
    least = smallest(work.lu, order.entries, turned)
    for e in range(n):
        low[e] = turned[order.rows[e]]
    jacobian(state, j, hub, work, order.rows)  # its rows are in another order, which the singular value is not
    knot[LARGEST] = largest(work.lu[:, :, 0], high)
    return min(1.0, least / knot[LARGEST]) if work.reach[0] > 0.0 else 0.0
