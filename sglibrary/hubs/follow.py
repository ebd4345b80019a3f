"""Following a hub from knot to knot; the conditions are those of `sglibrary.iterative.follow`, which see."""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.hubs.equations import invert_at, is_given, turned
from sglibrary.hubs.steps import advance, finish, newton_step
from sglibrary.hubs.tables import (
    GAIN,
    GROWTH,
    LENGTH,
    LOW,
    NEXT,
    RATE,
    REACH,
    STEP,
    X,
    put_in_order,
    scratch_for,
    work_for,
)
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
from sglibrary.iterative.simd import copy_row
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, OPEN, SINGULAR, SINGULAR_BELOW, SOLVED
from sglibrary.vectors import dot

NEAR = 1e-6
"""Length of a step after which the error is about its square, so that the evaluation for the rates is made there."""


@allocating
def follow(q, v, a, memory, hub, status, conditioning, n):
    """Knots at n steps, one after another; from the first that is rejected on, all are."""
    state, work, scratch = (q, v, a), work_for(1), scratch_for(hub)
    width = LEADING + 3 * hub.variables + 4 * hub.unknowns
    knot, reached, rejected = np.empty(width), np.empty(width), False
    for e in range(hub.unknowns):
        work[LOW + e, 0] = 0.0
    copy_row(memory[1 : 1 + width], knot)
    for j in range(n):
        if not rejected:
            forced = memory[0] == FORCE and j == 0
            copy_row(knot, reached)
            verdict, conditioning[j] = _next_knot(state, j, hub, work, scratch, knot, reached, forced)
            if verdict == SOLVED:
                copy_row(reached, knot)
            elif knot[GAP] == 0.0 and not forced:
                rejected = True
            else:
                knot[GAP] = CANNOT_ASSEMBLE if verdict == OPEN else verdict
        status[j] = OPEN if rejected else int(knot[GAP])
        copy_row(knot, memory[1 + (j + 1) * width : 1 + (j + 2) * width])


@kernel
def _next_knot(state, j, hub, work, scratch, knot, reached, forced):
    """Status and conditioning of step j, reached from a knot; the knot there is written into `reached`."""
    time = state[0][hub.time_row, j]
    tracking = knot[GAP] == 0.0 and knot[SIGN] != 0.0
    step = time - knot[TIME] if tracking and not math.isnan(knot[TIME]) else 0.0
    if not is_given(state, j, hub):
        return NO_INPUT, 0.0
    verdict, step = _from_knot(state, j, hub, work, scratch, knot, reached, step, tracking, forced)
    if verdict != SOLVED:
        return verdict, 0.0
    reached[TIME], reached[GAP] = time, 0.0
    _store(reached, hub, work, scratch, hub.coordinates)
    conditioning = _condition(hub, work, scratch, reached)
    if conditioning < SINGULAR_BELOW:
        verdict = SINGULAR
    elif tracking and not meets(reached, knot, step, hub.variables):
        verdict = OPEN
    return verdict, conditioning


@kernel
def _from_knot(state, j, hub, work, scratch, knot, reached, step, tracking, forced):
    """Solve one step, starting from the Taylor series of a knot and, where a verdict is wanted, from a second start.

    Returns the status, and the time that the start was extrapolated over, s.
    """
    unknowns, variables, verdict = hub.unknowns, hub.variables, NO_INPUT
    x = work[X : X + variables]
    put_in_order(parts(knot, unknowns, variables).rows, scratch.order)
    extrapolate(knot, step, unknowns, variables, x)
    make_unit(x, hub.moves)
    for attempt in range(2 if forced or not tracking else 1):
        if attempt == 1 and tracking:
            extrapolate(knot, 0.0, unknowns, variables, x)
            step, tracking = 0.0, False
        elif attempt == 1:
            # two solutions meet at a singular position and lie opposite to each other nearby
            reflect(knot, x, unknowns, variables, hub.moves)
        verdict, reached[ERROR] = _iterate(state, j, hub, work, scratch, tracking)
        if verdict == SOLVED or not tracking:
            reached[SIGN] = invert_at(state, j, hub, x, scratch, scratch.pivots)
        if verdict == SOLVED and knot[SIGN] != 0.0 and reached[SIGN] != knot[SIGN]:
            verdict = SINGULAR
        elif verdict == SOLVED or not tracking:
            break
    return verdict, step


@kernel
def _iterate(state, j, hub, work, scratch, tracking):
    """Newton's iterations, which may change the order of elimination; where they end well, all is `finish`ed at x.

    Returns the status, and the length of the first step.
    """
    coordinates, order, x, length = hub.coordinates, scratch.order, work[X:], work[LENGTH]
    error, before = -1.0, 0.0
    for k in range(EVALUATIONS):
        newton_step(state, j, 1, hub, work, order, coordinates)
        if not math.isfinite(length[0]):
            invert_at(state, j, hub, x, scratch, order)
            newton_step(state, j, 1, hub, work, order, coordinates)
        before = length[0]
        if not math.isfinite(before):
            break
        if tracking and ((error < 0.0 and before > CLOSE) or (k == 1 and before > max(CONTRACTION * error, 1e-6))):
            return CANNOT_ASSEMBLE, before if error < 0.0 else error
        error = before if error < 0.0 else error
        if before > LARGEST_STEP:
            for i in range(hub.unknowns):
                work[STEP + i, 0] *= LARGEST_STEP / before
            advance(1, work, coordinates)
        for i in range(hub.variables):
            work[X + i, 0] = work[NEXT + i, 0]
        if before <= NEAR:
            finish(state, j, 1, hub, work, order, coordinates)
            if not work[GROWTH, 0] <= STABLE:
                invert_at(state, j, hub, x, scratch, order)
                finish(state, j, 1, hub, work, order, coordinates)
            if length[0] <= SMALL or (length[0] < 1e-8 and k > 1 and length[0] >= before):
                return SOLVED, error
    return SINGULAR if not tracking and before <= BLURRED else CANNOT_ASSEMBLE, error


@kernel
def _store(knot, hub, work, scratch, coordinates):
    """Variables, their derivatives and the order of elimination into a knot."""
    value, first, second, rows, columns, _, _ = parts(knot, hub.unknowns, hub.variables)
    for k in range(hub.variables):
        value[k] = work[X + k, 0]
    for k in range(3):
        first[k], second[k] = work[RATE + k, 0], work[GAIN + k, 0]
    if len(coordinates) == 3:
        # in the hub's own directions
        spin, rise = scratch.matrices[1, 0], scratch.matrices[1, 1]
        axes = turned((value[3], value[4], value[5], value[6]))
        for i in range(3):
            along = axes[0][i], axes[1][i], axes[2][i]
            spin[i] = dot(along, (work[RATE + 3, 0], work[RATE + 4, 0], work[RATE + 5, 0]))
            rise[i] = dot(along, (work[GAIN + 3, 0], work[GAIN + 4, 0], work[GAIN + 5, 0]))
        quaternion_rates(value[3:7], spin, rise, first[3:7], second[3:7])
    for k in range(rows.size):
        rows[k], columns[k] = scratch.order[k], k


@kernel
def _condition(hub, work, scratch, knot):
    """Smallest over largest singular value, after `invert_at`; their vectors and the largest are kept in the knot."""
    views = parts(knot, hub.unknowns, hub.variables)
    matrix, image, inverse = scratch.matrices[0], scratch.matrices[1, 0], scratch.matrices[2]
    knot[LARGEST] = largest(matrix, views.right, image)
    share = 1.0 / (knot[LARGEST] * largest(inverse, views.left, image))
    return min(1.0, share) if work[REACH, 0] > 0.0 and math.isfinite(share) else 0.0
