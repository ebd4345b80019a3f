"""Many steps side by side of a group by Newton's method, between knots at which it has been followed.

The iteration starts from polynomials through the knots (`sglibrary.iterative.starts`), so close that one evaluation
leads to the position. There a second one gives rates and accelerations, and tells by the step that it would take
whether it is one. Steps of which it is not take that step and are evaluated again, and those that have converged keep
what they have, so no step depends on which others are solved with it. `memory` holds the number of knots and the status
of steps before the first, then the knots; or what `follow` needs.
"""

import math

import numpy as np

from sglibrary.code import call
from sglibrary.convention import allocating, kernel, merged
from sglibrary.iterative.curves import off_curve
from sglibrary.iterative.kinds import CURVE, MIDDLE
from sglibrary.iterative.knots import GAP, LARGEST, TIME, extrapolate, knot_numbers
from sglibrary.iterative.starts import (
    COEFFICIENTS,
    after,
    evaluate,
    fit,
    followed,
    interval,
    left_vector,
    line,
    together,
)
from sglibrary.status import CANNOT_ASSEMBLE, JOINT_OPEN, NO_INPUT, NOT_CONVERGED, OPEN, SINGULAR, SOLVED
from sglibrary.straight.group_tables import PITCH, curve_table, work_for
from sglibrary.straight.places import HIGH, LENGTH, SETTLED, SHARE, SINE, TIMES
from sglibrary.tolerances import FIXED, POSITION_NEAR, POSITION_STEP, SINGULAR_BELOW, STEP_ROUNDING
from sglibrary.vectors import write

MORE_EVALUATIONS, TOGETHER = 12, 5
"""Evaluations for a step by itself, and up to which several steps go on together."""

WIDTH = 256
"""Steps that are solved together, whose arrays stay in the caches next to the core."""


@merged
def evaluate_at(text, state, first, at, n, group, work, x):
    """Compute a text of a group at n steps, from step `first` of the state and `at` of working memory on.

    `x` is the first row of the unknowns that it takes.
    """
    q, v, a = state
    if group.prepare_curves != 0:
        call.prepare(group.prepare_curves, q, work, group.rows, group.constants, first, at, n, x)
    if group.prepare_functions != 0:
        call.prepare(group.prepare_functions, q, work, group.rows, group.constants, first, at, n, x)
    call.evaluate(text, q, v, a, work, group.rows, group.constants, first, at, n)


@allocating
def between(group, q, v, a, memory, status, conditioning, n):
    """Position, velocity and acceleration of a group at steps between knots."""
    state = (q, v, a)
    unknowns, variables, times = group.unknowns, group.variables, q[group.time_row, :n]
    knots = memory[2:].reshape(-1, knot_numbers(unknowns, variables, group.equations))[: int(memory[0])]
    work, coefficients = work_for(group, min(n, WIDTH)), np.empty((COEFFICIENTS, max(PITCH, variables)))
    start, k = np.int64(0), np.int64(0)
    while start < n:
        k = interval(knots, times[start], k)
        if not followed(knots, k, times[start]):
            gap = int(memory[1] if k < 0 else knots[k, GAP])
            if lacks(q, group.points, start):
                gap = NO_INPUT
            elif gap == NO_INPUT:  # what it hangs on failed on the way to this step, but not here
                gap = CANNOT_ASSEMBLE
            status[start], conditioning[start] = gap, 0.0
            blank(state, start, group.dimension, group.outputs, False)
            start += 1
            continue
        stop = together(knots, k, times, start, WIDTH)
        open_or_failed = _solve(state, group, work, coefficients, knots, k, (start, stop), status, conditioning)
        for j in range(start, stop if open_or_failed else start):
            if status[j] == OPEN:
                alone = interval(knots, times[j], k)
                _solve(state, group, work, coefficients, knots, alone, (j, j + 1), status, conditioning)
            if status[j] != SOLVED:
                blank(state, j, group.dimension, group.outputs, status[j] == SINGULAR)
        start = stop


@kernel
def lacks(q, points, j):
    """Whether a point that is read has no position at step j."""
    for row in points:
        if math.isnan(q[row, j]):
            return True
    return False


@kernel
def blank(state, j, dimension, outputs, rates_only):
    """NaN in what the group writes at step j, or in its velocities and accelerations alone."""
    q, v, a = state
    for first in outputs:
        for row in range(first, first + dimension):
            q[row, j] = q[row, j] if rates_only else math.nan
            v[row, j] = math.nan
            a[row, j] = math.nan


@kernel
def _solve(state, group, work, coefficients, knots, k, span, status, conditioning):
    """Solve the steps of a span, the first of which follows knot k; of several some may be left OPEN.

    Returns how many are not solved.
    """
    start, n, at = span[0], span[1] - span[0], group.places
    _start_values(knots, k, state[0][group.time_row, start : span[1]], group, work, coefficients)
    most = MORE_EVALUATIONS if n == 1 else TOGETHER
    evaluate_at(group.step, state, start, 0, n, group, work, at.x)
    if _settle(work, 0, n, POSITION_NEAR, 0.0) > 0:
        _go_further(group.step, at.x, at.after, state, start, n, group, work, (POSITION_NEAR, 0.0), most)
    evaluate_at(group.finish, state, start, 0, n, group, work, at.after)
    if _settle(work, 0, n, POSITION_STEP, STEP_ROUNDING) > 0:
        _go_further(group.finish, at.after, at.x, state, start, n, group, work, (POSITION_STEP, STEP_ROUNDING), most)
    left = _judge(n, work, status[start : span[1]], conditioning[start : span[1]])
    if n == 1 and status[start] == OPEN:
        missed = JOINT_OPEN if opens(group, work, 0) else NOT_CONVERGED
        status[start] = NO_INPUT if lacks(state[0], group.points, start) else missed
    if group.limited:
        curves = curve_table(group.rows, group.constants)
        for j in range(start, span[1]):
            if status[j] == SOLVED:
                status[j] = beyond(work, group, curves, j - start)
                conditioning[j] = 0.0 if status[j] == CANNOT_ASSEMBLE else conditioning[j]
                left += status[j] != SOLVED
    return left


@kernel
def opens(group, work, j):
    """Whether a column of working memory has converged but for rows without a pivot: a redundant joint opens."""
    found = group.equations > group.unknowns and work[LENGTH, j] >= 1.0
    for k in range(group.unknowns):
        found &= math.fabs(work[group.places.step + k, j]) <= FIXED
    return found


@kernel
def _go_further(text, x, found, state, start, n, group, work, enough, most):
    """Compute a text again for all eight steps one of which is not settled, from what was found; others keep theirs."""
    for first in range(0, n, PITCH):
        few = min(PITCH, n - first)
        for _ in range(most):
            if _settle(work, first, few, enough[0], enough[1]) == 0:
                break
            _go_on(work, found, first, few, group.variables, x)
            evaluate_at(text, state, start + first, first, few, group, work, x)


@kernel
def _judge(n, work, status, conditioning):
    """Status and conditioning of n steps; returns how many are not solved. Those not at their positions are OPEN."""
    left = 0
    shares, sines, settled = work[SHARE, :n], work[SINE, :n], work[SETTLED, :n]
    for j in range(shares.size):
        arrived = settled[j] == 1.0
        close = SINGULAR if sines[j] == sines[j] else CANNOT_ASSEMBLE  # no rod or leg reaches as far
        status[j] = (SOLVED if shares[j] >= SINGULAR_BELOW else close) if arrived else OPEN
        conditioning[j] = shares[j] if arrived else 0.0
        left += status[j] != SOLVED
    return left


@kernel
def _go_on(work, found, first, n, variables, start):
    """Let n steps that are not settled start from what was found."""
    for k in range(variables):
        _replace(work[start + k], work[found + k], work[SETTLED], first, n)


@kernel
def _replace(out, x, settled, first, n):
    for j in range(first, first + n):
        write(out, j, out[j] if settled[j] == 1.0 else x[j])


@merged
def beyond(work, group, curves, j):
    """SOLVED where all variables of step j are within their limits; otherwise what is wrong.

    The middle one of three rotations has its singular positions at a quarter turn, and curves that are not closed end.
    """
    for m in range(group.moves.shape[0]):
        move = group.moves[m]
        if move[3] >= 0:
            value = work[group.places.after + move[5], j]
            if move[1] == MIDDLE and math.cos(value) <= 0.0:
                return SINGULAR
            if move[1] == CURVE and off_curve(value, move[2], curves):
                return CANNOT_ASSEMBLE
    return SOLVED


@kernel
def _start_values(knots, k, times, group, work, coefficients):
    """Start values of some steps, the first of which follows knot k, and singular vectors and values from the knots."""
    unknowns, variables, at = group.unknowns, group.variables, group.places
    for j in range(times.size):
        work[TIMES, j] = times[j]
    for j in range(times.size, min(times.size + PITCH, work.shape[1])):
        work[TIMES, j] = times[times.size - 1]
    j = 0
    while j < times.size:
        k = interval(knots, times[j], k)
        stop, ahead = after(knots, k, times, j), k
        # whole vectors: what is beyond belongs to the next interval, or to no step
        last = min(j + (stop - j + PITCH - 1) // PITCH * PITCH, work.shape[1])
        if k + 1 < knots.shape[0] and knots[k, GAP] == 0.0:
            # whole vectors, as far as knots have numbers
            columns = max(variables, min(PITCH, 4 * variables + unknowns + group.equations))
            span = fit(knots, k, variables, columns, coefficients)
            evaluate(coefficients, span, work[TIMES], j, last, variables, work[at.x :])
            ahead = k + 1
        else:
            stop = last = j + 1
            extrapolate(knots[k], times[j] - knots[k, TIME], unknowns, variables, group.equations, work[at.x :, j:])
        whole = work[TIMES, j:last]
        for e in range(group.equations):
            left_vector(knots, k, ahead, whole, e, variables, work[at.low + e, j:last])
        line(knots, k, ahead, whole, knots[k, LARGEST], knots[ahead, LARGEST], work[HIGH, j:last])
        j = stop


@kernel
def _settle(work, first, n, enough, rounding):
    """Mark the steps whose last step was short enough, or nothing but rounding errors; the number of the others."""
    left, stop = 0, first + n
    lengths, shares, settled = work[LENGTH, first:stop], work[SHARE, first:stop], work[SETTLED, first:stop]
    rounds = rounding > 0.0  # or there is no conditioning yet
    for j in range(lengths.size):
        good = (lengths[j] <= enough) | (rounds & (lengths[j] * shares[j] <= rounding))
        settled[j] = 1.0 if good else 0.0
        left += not good
    return left
