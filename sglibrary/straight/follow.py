"""Following a group whose equations are written out; the conditions are those of `sglibrary.iterative.follow`."""

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
    meets,
    reflect,
    store_variables,
)
from sglibrary.iterative.knots import ERROR, GAP, LARGEST, LEADING, SIGN, TIME, extrapolate, make_unit, parts
from sglibrary.iterative.linear import invert, largest
from sglibrary.iterative.moves import advance
from sglibrary.iterative.newton_tables import blank
from sglibrary.iterative.simd import copy, copy_row, scale
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, OPEN, SINGULAR, SINGULAR_BELOW, SOLVED
from sglibrary.straight.group_tables import work_for
from sglibrary.straight.places import FARTHEST, LENGTH, SINE
from sglibrary.straight.steps import beyond, evaluate_at

NEAR = 1e-6
"""Length of a step after which the error is about its square, so that the evaluation for the rates is made there."""


@allocating
def follow(group, q, v, a, memory, status, conditioning, n):
    """Knots at n steps, one after another; from the first that is rejected on, all are."""
    state, unknowns = (q, v, a), group.unknowns
    work, matrices, pivots = work_for(group, 1), np.empty((3, unknowns, unknowns)), np.empty(unknowns, np.int64)
    width = LEADING + 3 * group.variables + 4 * unknowns
    knot, reached, rejected = np.empty(width), np.empty(width), False
    copy_row(memory[1 : 1 + width], knot)
    for j in range(n):
        if not rejected:
            forced = memory[0] == FORCE and j == 0
            copy_row(knot, reached)
            verdict, conditioning[j] = _next_knot(state, j, group, work, (matrices, pivots), knot, reached, forced)
            if verdict == SOLVED:
                copy_row(reached, knot)
            elif knot[GAP] == 0.0 and not forced:
                rejected = True
            else:
                knot[GAP] = CANNOT_ASSEMBLE if verdict == OPEN else verdict
                blank(state, j, group, False)
        status[j] = OPEN if rejected else int(knot[GAP])
        copy_row(knot, memory[1 + (j + 1) * width : 1 + (j + 2) * width])


@kernel
def _is_given(state, j, group):
    """Whether all that the equations depend on are numbers at step j."""
    total, d = 0.0, group.dimension
    for x in state:
        for k in range(group.solved.shape[0]):
            for row in group.solved[k]:
                for i in range(d if row >= 0 else 0):
                    total += x[row + i, j]
        for row in group.drivers:
            total += x[row, j] if row >= 0 else 0.0
    return math.isfinite(total)


@kernel
def _next_knot(state, j, group, work, scratch, knot, reached, forced):
    """Status and conditioning of step j, reached from a knot; the knot there is written into `reached`."""
    time = state[0][group.time_row, j]
    tracking = knot[GAP] == 0.0 and knot[SIGN] != 0.0
    step = time - knot[TIME] if tracking and not math.isnan(knot[TIME]) else 0.0
    if not _is_given(state, j, group):
        return NO_INPUT, 0.0
    verdict, step = _from_knot(state, j, group, work, scratch, knot, reached, step, tracking, forced)
    if verdict != SOLVED:
        return verdict, 0.0
    reached[TIME], reached[GAP] = time, 0.0
    _store(reached, group, work)
    conditioning = _condition(group, work, scratch, reached)
    verdict = beyond(work, group, j - j)  # 0, not a literal
    if conditioning < SINGULAR_BELOW:
        verdict = SINGULAR
    elif verdict == SOLVED and tracking and not meets(reached, knot, step, group.variables):
        verdict = OPEN
    return verdict, conditioning


@kernel
def _from_knot(state, j, group, work, scratch, knot, reached, step, tracking, forced):
    """Solve one step, starting from the Taylor series of a knot and, where a verdict is wanted, from a second start.

    Returns the status, and the time that the start was extrapolated over, s.
    """
    unknowns, variables, verdict, moves = group.unknowns, group.variables, NO_INPUT, group.moves.rows
    x = work[group.places.x : group.places.x + variables]
    extrapolate(knot, step, unknowns, variables, x)
    make_unit(x, moves)
    for attempt in range(2 if forced or not tracking else 1):
        if attempt == 1 and tracking:
            extrapolate(knot, 0.0, unknowns, variables, x)
            step, tracking = 0.0, False
        elif attempt == 1:
            # two solutions meet at a singular position and lie opposite to each other nearby
            reflect(knot, x, unknowns, variables, moves)
        verdict, reached[ERROR] = _iterate(state, j, group, work, tracking)
        if verdict == SOLVED or not tracking:
            reached[SIGN] = _measure(state, j, group, work, scratch)
        if verdict == SOLVED and knot[SIGN] != 0.0 and reached[SIGN] != knot[SIGN]:
            verdict = SINGULAR
        elif verdict == SOLVED or not tracking:
            break
    return verdict, step


@kernel
def _iterate(state, j, group, work, tracking):
    """Newton's iterations; where they end well, all is computed after the last step.

    Returns the status, and the length of the first step.
    """
    at, length, error, before = group.places, work[LENGTH], -1.0, 0.0
    for k in range(EVALUATIONS):
        evaluate_at(group.step, state, j, 1, group, work, at.x)
        before = length[0]
        if not math.isfinite(before):
            break
        if tracking and ((error < 0.0 and before > CLOSE) or (k == 1 and before > max(CONTRACTION * error, 1e-6))):
            return CANNOT_ASSEMBLE, before if error < 0.0 else error
        error = before if error < 0.0 else error
        if before > LARGEST_STEP:
            scale(work[at.step : at.rate], LARGEST_STEP / before)
            advance(work[at.x : at.after], work[at.step : at.rate], group.moves.rows)
        else:
            copy(work[at.after : at.step], work[at.x : at.after])
        if before <= NEAR:
            evaluate_at(group.finish, state, j, 1, group, work, at.after)
            if length[0] <= SMALL or (length[0] < 1e-8 and k > 1 and length[0] >= before):
                return SOLVED, error
    return SINGULAR if not tracking and before <= BLURRED else CANNOT_ASSEMBLE, error


@kernel
def _measure(state, j, group, work, scratch):
    """The Jacobian after the last step and its inverse, into `scratch`; returns the sign of the determinant."""
    matrices, pivots = scratch
    evaluate_at(group.measures, state, j, 1, group, work, group.places.after)
    n = group.unknowns
    for r in range(n):
        for c in range(n):
            matrices[0, r, c] = matrices[1, r, c] = work[group.places.matrix + n * r + c, 0]
    return invert(matrices[1], pivots, matrices[2])


@kernel
def _store(knot, group, work):
    """The unknowns with their derivatives into a knot; all knots have the order in which equations are written."""
    at, views = group.places, parts(knot, group.unknowns, group.variables)
    store_variables(
        group.moves.rows, work[at.after : at.step], work[at.rate :], work[at.gain :], views, work[at.matrix]
    )
    for k in range(group.unknowns):
        views.rows[k] = views.columns[k] = k


@kernel
def _condition(group, work, scratch, knot):
    """Smallest over largest singular value, after `_measure`; their vectors and the largest are kept in the knot.

    As to rods see `sglibrary.iterative.follow`.
    """
    views, matrices = parts(knot, group.unknowns, group.variables), scratch[0]
    image = matrices[1, 0]
    knot[LARGEST] = max(largest(matrices[0], views.right, image), work[FARTHEST, 0])
    share = 1.0 / (knot[LARGEST] * largest(matrices[2], views.left, image))
    sine = work[SINE, 0]
    return min(1.0, share, sine) if math.isfinite(share) and sine >= 0.0 else 0.0
