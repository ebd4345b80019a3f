"""Following a group from knot to knot, so that it stays in its assembly mode.

A knot is reached from the one before it by its Taylor series and Newton's method. It is accepted if the series was
close (`CLOSE`), the iteration contracted from the start (Kantorovich's condition, which also keeps the solution unique
nearby), the series back from the new knot meets the old one, and the sign of the determinant is the same: between
two positions of unlike sign the group has passed a singular one. Otherwise the caller must take a shorter step, or,
where that is no longer possible, `FORCE` the verdict: the group is lost until a later step is assembled again.

`memory` holds `FOLLOW`, or `FORCE` if a verdict is wanted at the first step, the knot to start from, then one knot per
step.

All is one compiled function but for the texts: handing the group's many fields on would cost more than a step. While a
group is followed, knots that are tried together are reached one after another and then measured together, eight for
the price of one.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel, merged
from sglibrary.iterative.knots import (
    CLOSE,
    ERROR,
    FORCE,
    GAP,
    LARGEST,
    SIGN,
    TIME,
    close,
    extrapolate,
    knot_numbers,
    parts,
)
from sglibrary.iterative.rows import copy, copy_row, scale
from sglibrary.iterative.variables import advance, make_unit, reflect, store_variables
from sglibrary.status import CANNOT_ASSEMBLE, JOINT_OPEN, NO_INPUT, OPEN, SINGULAR, SOLVED
from sglibrary.straight import places
from sglibrary.straight.group_tables import PITCH, curve_table, scratch_rows, work_for
from sglibrary.straight.places import LENGTH, SINE
from sglibrary.straight.steps import beyond, blank, evaluate_at, opens
from sglibrary.tolerances import (
    BLURRED,
    DECIDED_NEAR,
    DECIDED_STEP,
    KNOT_NEAR,
    KNOT_STEP,
    SETTLED_VALUES,
    SINGULAR_BELOW,
    STANDS_STILL,
)

CONTRACTION = 0.25
"""Ratio of the first two of Newton's steps above which the start was too far away."""

EVALUATIONS, POWER_STEPS = 40, 30
"""Limits of Newton's iteration and of that for singular values."""

LARGEST_STEP = 0.5
"""Of one damped iteration, rad or sizes of the mechanism."""

ASIDE = 0.2
"""How far starts on all sides of a knot are from it, rad or sizes of the mechanism."""


@allocating
def follow(group, q, v, a, memory, status, conditioning, n):
    """Knots at n steps, one after another; from the first that is rejected on, all are."""
    width = knot_numbers(group.unknowns, group.variables, group.equations)
    numbers = np.empty((3, max(width, 6, group.unknowns * group.unknowns)))
    work = np.empty((group.places.rows + scratch_rows(group.kept, PITCH), PITCH))
    follow_within(group, (q, v, a), memory, width, work, work_for(group, n), numbers, status, conditioning, n)


@kernel
def follow_within(group, state, memory, width, work, every, numbers, status, conditioning, n):
    """`follow` with working memory for one step and for all, and room for three times as many numbers as a knot has."""
    for k in range(group.places.rows):
        for j in range(PITCH):
            work[k, j] = 1.0  # one step is computed as eight, of which the others are numbers at least
    knot, reached, rejected = numbers[0, :width], numbers[1, :width], False
    copy_row(memory[1 : 1 + width], knot)
    together = memory[0] != FORCE and _is_tracked(knot)
    for j in range(n):
        if not rejected:
            forced = memory[0] == FORCE and j == 0
            copy_row(knot, reached)
            verdict, conditioning[j] = _next_knot(state, j, group, work, numbers[2], knot, reached, forced, together)
            if verdict == SOLVED:
                copy_row(reached, knot)
                for k in range(group.variables if together else 0):
                    every[group.places.after + k, j] = work[group.places.after + k, 0]
            elif knot[GAP] == 0.0 and not forced:
                rejected = True
            else:
                knot[GAP] = CANNOT_ASSEMBLE if verdict == OPEN else verdict
                blank(state, j, group.dimension, group.outputs, False)
        status[j] = OPEN if rejected else int(knot[GAP])
        copy_row(knot, memory[1 + (j + 1) * width : 1 + (j + 2) * width])
    if together:
        _measure_all(state, group, memory, width, every, numbers[2], status, conditioning, n)


@merged
def _is_tracked(knot):
    return knot[GAP] == 0.0 and knot[SIGN] != 0.0


@merged
def _is_given(state, j, group):
    """Whether all that the equations depend on are numbers at step j."""
    total = 0.0
    for x in state:
        for first in group.reads:
            for row in range(first, first + group.dimension):
                total += x[row, j]
        for row in group.drivers:
            total += x[row, j]
    return math.isfinite(total)


@merged
def _next_knot(state, j, group, work, scratch, knot, reached, forced, together):
    """Status and conditioning of step j, reached from a knot; the knot there is written into `reached`.

    Of steps that are measured together (`_measure_all`) how far rods are from turning over, not the conditioning.
    """
    time, unknowns, variables = state[0][group.time_row, j], group.unknowns, group.variables
    tracking = _is_tracked(knot)
    step = time - knot[TIME] if tracking and not math.isnan(knot[TIME]) else 0.0
    verdict, step = _from_knot(state, j, group, work, scratch, knot, reached, step, tracking, forced, together)
    share, known = 0.0, 0.0
    if verdict == SOLVED:
        reached[TIME], reached[GAP] = time, 0.0
        own, at = parts(unknowns, variables, group.equations), group.places
        after, rate, gain = work[at.after : at.step], work[at.rate : at.gain], work[at.gain : at.low]
        store_variables(group.moves, after, rate, gain, reached, own, scratch)
        for k in range(unknowns):
            known += work[at.rate + k, 0] + work[at.gain + k, 0]
        share = work[SINE, 0] if together else _measured(group, work, 0, work[SINE, 0], reached)
        if group.limited:
            verdict = beyond(work, group, curve_table(group.rows, group.constants), j - j)  # 0, not a literal
        if not together and share < SINGULAR_BELOW:
            verdict = CANNOT_ASSEMBLE if math.isnan(work[SINE, 0]) else SINGULAR
        elif verdict == SOLVED and not close(reached, knot, step, unknowns, variables, group.equations):
            verdict = OPEN
    doubtful = verdict != SOLVED or not math.isfinite(known)
    if doubtful and not _is_given(state, j, group):
        verdict, share = NO_INPUT, 0.0
    return verdict, share if verdict in (SOLVED, SINGULAR, OPEN) else 0.0


@merged
def _measured(group, work, at, sine, knot):
    """The conditioning at a column of working memory, 0 if it is NaN; the knot keeps what was measured there."""
    own = parts(group.unknowns, group.variables, group.equations)
    for k in range(group.unknowns):
        knot[own.right + k] = work[group.places.high + k, at]
    for k in range(group.equations):
        knot[own.left + k] = work[group.places.low + k, at]
    for k in range(group.equations * group.unknowns if group.equations > group.unknowns else 0):
        knot[own.matrix + k] = work[group.places.matrix + k, at]
    knot[LARGEST] = max(work[places.HIGH, at], work[places.FARTHEST, at])
    share = work[places.LEAST, at] / knot[LARGEST]
    return min(1.0, share, sine) if share >= 0.0 and sine >= 0.0 else 0.0


@kernel
def _measure_all(state, group, memory, width, work, square, status, conditioning, n):
    """Measure the Jacobians of all knots that were reached; those from the first that turns out to be singular are not.

    The iteration of their singular vectors begins at those of the knot before the first.
    """
    own, count = parts(group.unknowns, group.variables, group.equations), 0
    while count < n and status[count] == SOLVED:
        count += 1
    _measure(state, 0, count, group, work, memory[1:])
    rejected, before = False, memory[1 + own.left : 1 + own.left + group.equations]
    for j in range(count):
        knot = memory[1 + (j + 1) * width : 1 + (j + 2) * width]
        sign = _sign(group, work, j, memory[1 + j * width : 1 + (j + 1) * width], square)
        conditioning[j] = _measured(group, work, j, conditioning[j], knot)
        vector = knot[own.left : own.left + group.equations]
        _point_alike(vector, before)
        before = vector
        rejected |= sign != knot[SIGN] or conditioning[j] < SINGULAR_BELOW
        if rejected:
            status[j], conditioning[j] = OPEN, 0.0


@kernel
def _sign(group, work, at, knot, square):
    """Sign of the determinant at a column of working memory; of more equations than unknowns, going on from a knot's.

    Two Jacobians A and B of the same rows have determinants of the same sign, whichever rows are solved, where that of
    the product of the transposed A and B is positive: it is the sum over all choices of rows.
    """
    n, m = group.unknowns, group.equations
    if m == n or n == 0:
        return work[places.SIGN, at]
    if knot[SIGN] == 0.0:
        return 1.0
    before, now = parts(n, group.variables, m).matrix, group.places.matrix
    for i in range(n):
        for k in range(n):
            total = 0.0
            for e in range(m):
                total += knot[before + e * n + i] * work[now + e * n + k, at]
            square[i * n + k] = total
    return knot[SIGN] * _determinant_sign(square, n)


@kernel
def _determinant_sign(square, n):
    """Sign of the determinant of a matrix (n * n,), which is overwritten; 0 if it vanishes or is no number."""
    sign = 1.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if math.fabs(square[i * n + k]) > math.fabs(square[best * n + k]):
                best = i
        pivot = square[best * n + k]
        if not math.fabs(pivot) > 0.0:
            return 0.0
        if best != k:
            sign = -sign
            for c in range(k, n):
                square[k * n + c], square[best * n + c] = square[best * n + c], square[k * n + c]
        sign = -sign if pivot < 0.0 else sign
        for i in range(k + 1, n):
            share = square[i * n + k] / pivot
            for c in range(k + 1, n):
                square[i * n + c] -= share * square[k * n + c]
    return sign


@kernel
def _point_alike(vector, earlier):
    """Let a vector be turned by no more than a right angle from an earlier one: between knots there are lines."""
    along = 0.0
    for k in range(vector.size):
        along += vector[k] * earlier[k]
    if along < 0.0:
        for k in range(vector.size):
            vector[k] = -vector[k]


@merged
def _from_knot(state, j, group, work, scratch, knot, reached, step, tracking, forced, together):
    """Solve one step, starting from the series of a knot and, where a verdict is wanted, from a second start.

    Where the group was lost and what is found is on the other side of a singular position, starts are tried on all
    sides of the knot. Returns the status, and the time that the start was extrapolated over, s.
    """
    unknowns, variables, verdict, moves = group.unknowns, group.variables, NO_INPUT, group.moves
    x = work[group.places.x : group.places.x + variables]
    extrapolate(knot, step, unknowns, variables, group.equations, x)
    make_unit(x, moves)
    lost, beyond_singular = not tracking, False
    for attempt in range(2 + 2 * variables if lost else 2 if forced else 1):
        if attempt == 1 and tracking:
            extrapolate(knot, 0.0, unknowns, variables, group.equations, x)
            step, tracking = 0.0, False
        elif attempt == 1:
            # two solutions meet at a singular position and lie opposite to each other nearby
            reflect(knot, x, parts(unknowns, variables, group.equations).values, moves)
        elif attempt > 1:
            extrapolate(knot, 0.0, unknowns, variables, group.equations, x)
            x[attempt // 2 - 1, 0] += ASIDE if attempt % 2 == 0 else -ASIDE
            make_unit(x, moves)
        verdict, reached[ERROR] = _iterate(state, j, group, work, tracking, tracking and not forced)
        if together:
            break
        if verdict == SOLVED or not tracking:
            _measure(state, j, 1, group, work, knot)
            reached[SIGN] = _sign(group, work, 0, knot, scratch)
        if verdict == SOLVED and knot[SIGN] != 0.0 and reached[SIGN] != knot[SIGN]:
            beyond_singular = True
        elif verdict == SOLVED or (not tracking and not (lost and beyond_singular)):
            return verdict, step
    return SINGULAR if beyond_singular else verdict, step


@merged
def _iterate(state, j, group, work, tracking, loose):
    """Newton's iterations; where they end well, all is computed after the last step.

    Returns the status, and the length of the first step.
    """
    at, length, error, before, verdict = group.places, work[LENGTH], -1.0, 0.0, CANNOT_ASSEMBLE
    near, enough = (KNOT_NEAR, KNOT_STEP) if loose else (DECIDED_NEAR, DECIDED_STEP)
    for k in range(EVALUATIONS):
        evaluate_at(group.step, state, j, 0, 1, group, work, at.x)
        before = length[0]
        if not math.isfinite(before):
            break
        far = (error < 0.0 and before > CLOSE) or (k == 1 and before > max(CONTRACTION * error, DECIDED_NEAR))
        error = before if error < 0.0 else error
        if tracking and far:
            break
        if before > LARGEST_STEP:
            scale(work[at.step : at.rate], LARGEST_STEP / before)
            advance(work[at.x : at.after], work[at.step : at.rate], group.moves)
        else:
            copy(work[at.after : at.step], work[at.x : at.after])
        if before <= near:
            evaluate_at(group.finish, state, j, 0, 1, group, work, at.after)
            if length[0] <= enough or (length[0] < STANDS_STILL and k > 1 and length[0] >= before):
                verdict = SOLVED
                break
    if verdict != SOLVED and not tracking and before <= BLURRED:
        verdict = JOINT_OPEN if opens(group, work, 0) else SINGULAR
    return verdict, error


@merged
def _measure(state, first, n, group, work, knot):
    """Singular values of the Jacobian after the last steps, from their vectors at a knot; the determinant's sign."""
    at, own = group.places, parts(group.unknowns, group.variables, group.equations)
    for j in range(n):
        for k in range(group.unknowns):
            work[at.high + k, j] = knot[own.right + k]
        for k in range(group.equations):
            work[at.low + k, j] = knot[own.left + k]
    for _ in range(POWER_STEPS if n > 0 else 0):
        evaluate_at(group.measures, state, first, 0, n, group, work, at.after)
        changed = 0.0
        for j in range(n):
            changed = max(changed, work[places.CHANGE, j])
        if not changed > SETTLED_VALUES:
            break
