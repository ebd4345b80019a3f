"""Following a hub from knot to knot; the conditions are those of `sglibrary.iterative.follow`, which see."""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.hubs.equations import invert_at, load, turned
from sglibrary.hubs.steps import advance, finish, newton_step, store
from sglibrary.hubs.tables import put_in_order, work_for
from sglibrary.iterative.follow import (
    BLURRED,
    CLOSE,
    CONTRACTION,
    EVALUATIONS,
    FORCE,
    LARGEST_STEP,
    SMALL,
    STABLE,
    meets,
    reflect,
)
from sglibrary.iterative.knots import ERROR, GAP, LARGEST, LEADING, SIGN, TIME, extrapolate, make_unit, parts
from sglibrary.iterative.linear import largest
from sglibrary.iterative.moves import quaternion_rates
from sglibrary.iterative.simd import copy_row, scale
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, OPEN, SINGULAR, SINGULAR_BELOW, SOLVED
from sglibrary.vectors import dot


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
                store(state, j, hub, work, hub.coordinates)
            elif knot[GAP] == 0.0 and not forced:
                rejected = True
            else:
                knot[GAP] = CANNOT_ASSEMBLE if verdict == OPEN else verdict
        status[j] = OPEN if rejected else int(knot[GAP])
        copy_row(knot, memory[1 + (j + 1) * width : 1 + (j + 2) * width])


@kernel
def _next_knot(state, j, hub, work, knot, reached, forced):
    """Status and conditioning of step j, reached from a knot; the knot there is written into `reached`."""
    time = state[0][hub.time_row, j]
    load(state, j, hub, work)
    tracking = knot[GAP] == 0.0 and knot[SIGN] != 0.0
    step = time - knot[TIME] if tracking and not math.isnan(knot[TIME]) else 0.0
    if not _are_finite(work.points, work.goals):
        return NO_INPUT, 0.0
    verdict, step = _from_knot(state, j, hub, work, knot, reached, step, tracking, forced)
    if verdict != SOLVED:
        return verdict, 0.0
    reached[TIME], reached[GAP] = time, 0.0
    _store(reached, hub, work, hub.coordinates)
    conditioning = _condition(hub, work, reached)
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


@kernel
def _from_knot(state, j, hub, work, knot, reached, step, tracking, forced):
    """Solve one step, starting from the Taylor series of a knot and, where a verdict is wanted, from a second start.

    Returns the status, and the time that the start was extrapolated over, s.
    """
    x, unknowns, variables, verdict = work.x, hub.unknowns, hub.variables, NO_INPUT
    put_in_order(parts(knot, unknowns, variables).rows, work.order)
    extrapolate(knot, step, unknowns, variables, x)
    make_unit(x, hub.moves)
    for attempt in range(2 if forced or not tracking else 1):
        if attempt == 1 and tracking:
            extrapolate(knot, 0.0, unknowns, variables, x)
            step, tracking = 0.0, False
        elif attempt == 1:
            # two solutions meet at a singular position and lie opposite to each other nearby
            reflect(knot, x, unknowns, variables, hub.moves)
        verdict, reached[ERROR] = _iterate(hub, work, tracking)
        reached[SIGN] = invert_at(hub, work, work.pivots)
        if verdict == SOLVED and knot[SIGN] != 0.0 and reached[SIGN] != knot[SIGN]:
            verdict = SINGULAR
        elif verdict == SOLVED or not tracking:
            break
    return verdict, step


@kernel
def _iterate(hub, work, tracking):
    """Newton's iterations, which may change the order of elimination; at the end `finish` was at x where it is solved.

    Returns the status, and the length of the first step.
    """
    step, length = work.step, work.length
    error, before, result = -1.0, 0.0, CANNOT_ASSEMBLE
    for k in range(EVALUATIONS + 1):
        _evaluate(hub, work, result == SOLVED)
        if not work.growth[0] <= STABLE:
            invert_at(hub, work, work.order)
            _evaluate(hub, work, result == SOLVED)
        if result == SOLVED or k == EVALUATIONS or not math.isfinite(length[0]):
            break
        far = error >= 0.0 and before == error and length[0] > max(CONTRACTION * error, 1e-6)
        error = length[0] if error < 0.0 else error
        if tracking and (far or error > CLOSE):
            break
        if length[0] > LARGEST_STEP:
            scale(step, LARGEST_STEP / length[0])
        advance(work, hub.coordinates)
        if length[0] <= SMALL or (length[0] < 1e-8 and k > 2 and length[0] >= before):
            result = SOLVED
        before = length[0]
    if result != SOLVED and not tracking and length[0] <= BLURRED:
        result = SINGULAR
    return result, error


@kernel
def _evaluate(hub, work, last):
    if last:
        finish(hub, work, hub.coordinates)
    else:
        newton_step(hub, work, hub.coordinates)


@kernel
def _turn_back(work):
    """Angular velocity and acceleration of a hub in space in its own directions, into ``work.spin``."""
    x, rate, gain, spin, rise = work.x, work.rate, work.gain, work.spin[0], work.spin[1]
    axes = turned((x[3, 0], x[4, 0], x[5, 0], x[6, 0]))
    for i in range(3):
        along = axes[0][i], axes[1][i], axes[2][i]
        spin[i] = dot(along, (rate[3, 0], rate[4, 0], rate[5, 0]))
        rise[i] = dot(along, (gain[3, 0], gain[4, 0], gain[5, 0]))


@kernel
def _store(knot, hub, work, coordinates):
    """Variables, their derivatives and the order of elimination into a knot."""
    x, rate, gain = work.x, work.rate, work.gain
    value, first, second, rows, columns, _, _ = parts(knot, hub.unknowns, hub.variables)
    for k in range(hub.variables):
        value[k] = x[k, 0]
    for k in range(3):
        first[k], second[k] = rate[k, 0], gain[k, 0]
    if len(coordinates) == 3:
        _turn_back(work)
        quaternion_rates(value[3:7], work.spin[0], work.spin[1], first[3:7], second[3:7])
    for k in range(rows.size):
        rows[k], columns[k] = work.order[k], k


@kernel
def _condition(hub, work, knot):
    """Smallest over largest singular value, after `invert_at`; their vectors and the largest are kept in the knot."""
    views = parts(knot, hub.unknowns, hub.variables)
    knot[LARGEST] = largest(work.matrix, views.right, work.image)
    share = 1.0 / (knot[LARGEST] * largest(work.inverse, views.left, work.image))
    return min(1.0, share) if work.reach[0] > 0.0 and math.isfinite(share) else 0.0
