"""A group around one body, the hub, whose pose is the only unknown: rods and telescopes keep it at distances.

What the others do to the hub is that points of it stay at given distances of solved points, or in planes of solved
bodies; so three numbers in the plane and six in space are iterated, and the legs follow in closed form from the two
points that each hangs on (Kinzel and Chang 1984: a mechanism as solved from the choice of inputs that is easy, under
the condition of those that are given). There is no other singular position than those of the group.

Knots are those of Newton's method for any group (`sglibrary.iterative.newton`), and so is what `memory` holds. The
iteration starts from polynomials through them (`sglibrary.iterative.starts`), so close that one evaluation leads to the
position. There a second one gives rates and accelerations, and tells by the step that it would take whether it is one.
Steps of which it is not take that step and are evaluated again, and those that have converged keep what they have, so
no step depends on which others are solved with it.
"""

import math

import numpy as np

from sglibrary.convention import allocating, inlined, kernel
from sglibrary.hubs.equations import invert_at
from sglibrary.hubs.follow import follow
from sglibrary.hubs.legs import run_legs
from sglibrary.hubs.steps import advance, finish, newton_step
from sglibrary.hubs.tables import (
    COEFFICIENTS,
    GROWTH,
    HIGH,
    LENGTH,
    LOW,
    NEXT,
    PITCH,
    REACH,
    SETTLED,
    SIZE,
    TIMES,
    X,
    put_in_order,
    scratch_for,
    unpack,
    work_for,
)
from sglibrary.iterative import starts
from sglibrary.iterative.knots import GAP, LARGEST, LEADING, TIME, extrapolate, parts
from sglibrary.iterative.newton import MORE_EVALUATIONS, ROUNDING, TOGETHER, UNSTABLE, lacks
from sglibrary.iterative.starts import after, fit, followed, interval, together
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, NOT_CONVERGED, OPEN, SINGULAR, SINGULAR_BELOW, SOLVED

SMALL = 2e-12
"""Length of the step left at the end (rad, or sizes of the mechanism): the error of positions, and in rates too."""

WIDTH = 128
"""Steps that are solved together, whose arrays stay in the caches next to the core."""


@allocating
def in_plane(q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group; or knots, if the first number in `memory` is negative."""
    _motion(q, v, a, memory, rows, constants, (0, 1), (0,), status, conditioning, n)


@allocating
def in_space(q, v, a, memory, rows, constants, status, conditioning, n):
    """Do the same in space."""
    _motion(q, v, a, memory, rows, constants, (0, 1, 2), (0,), status, conditioning, n)


@allocating
def at_distances_in_plane(q, v, a, memory, rows, constants, status, conditioning, n):
    """Do the same where all equations are distances."""
    _motion(q, v, a, memory, rows, constants, (0, 1), (), status, conditioning, n)


@allocating
def at_distances_in_space(q, v, a, memory, rows, constants, status, conditioning, n):
    """Do the same in space where all equations are distances."""
    _motion(q, v, a, memory, rows, constants, (0, 1, 2), (), status, conditioning, n)


@allocating
def _motion(q, v, a, memory, rows, constants, coordinates, planes, status, conditioning, n):
    hub = unpack(rows, constants, coordinates, planes)
    if memory[0] < 0.0:
        follow(q, v, a, memory, hub, status, conditioning, n)
    else:
        _between(q, v, a, memory, hub, status, conditioning, n)
    run_legs(q, v, a, memory, rows, constants, hub, coordinates, status, conditioning, n)


@allocating
def _between(q, v, a, memory, hub, status, conditioning, n):
    """Steps between knots."""
    state, unknowns, variables, times = (q, v, a), hub.unknowns, hub.variables, q[hub.time_row, :n]
    knots = memory[2:].reshape(-1, LEADING + 3 * variables + 4 * unknowns)[: int(memory[0])]
    work, scratch = work_for(min(n, WIDTH)), scratch_for(hub)
    start, k = np.int64(0), np.int64(0)
    while start < n:
        k = interval(knots, times[start], k)
        if not followed(knots, k, times[start]):
            gap = int(memory[1] if k < 0 else knots[k, GAP])
            if lacks(q, hub.equations[:, 1:], start):
                gap = NO_INPUT
            elif gap == NO_INPUT:  # what it hangs on failed on the way to this step, but not here
                gap = CANNOT_ASSEMBLE
            status[start], conditioning[start] = gap, 0.0
            start += 1
            continue
        stop = together(knots, k, times, start, WIDTH, unknowns, variables)
        _solve(state, hub, work, scratch, knots, k, (start, stop), False, status, conditioning)
        for j in range(start, stop):
            if status[j] == OPEN:
                alone = interval(knots, times[j], k)
                _solve(state, hub, work, scratch, knots, alone, (j, j + 1), True, status, conditioning)
        start = stop


@kernel
def _solve(state, hub, work, scratch, knots, k, span, alone, status, conditioning):
    """Solve the steps of a span, the first of which follows knot k; one alone in an order of elimination of its own.

    Of several some may be left OPEN.
    """
    start, n = span[0], span[1] - span[0]
    put_in_order(parts(knots[k], hub.unknowns, hub.variables).rows, scratch.order)
    _prepare(knots, k, state[0][hub.time_row, start : span[1]], hub, work)
    newton_step(state, start, n, hub, work, scratch.order, hub.coordinates)
    for _ in range(MORE_EVALUATIONS if alone else TOGETHER):
        finish(state, start, n, hub, work, scratch.order, hub.coordinates)
        if _settle(n, work) == 0:
            break
        if alone and not work[GROWTH, 0] <= UNSTABLE:
            invert_at(state, start, hub, work[NEXT:], scratch, scratch.order)
            continue
        for i in range(hub.variables):
            _copy(work[NEXT + i], n, work[X + i])
        advance(n, work, hub.coordinates)
        for i in range(hub.variables):
            _choose(work[X + i], work[SETTLED], n, work[NEXT + i])
    codes, shares = status[start:], conditioning[start:]
    for j in range(n):
        if work[SETTLED, j] == 1.0:
            shares[j] = _share(work, j)
            codes[j] = SOLVED if shares[j] >= SINGULAR_BELOW else SINGULAR
        elif alone:
            codes[j], shares[j] = NO_INPUT if lacks(state[0], hub.equations[:, 1:], start + j) else NOT_CONVERGED, 0.0
        else:
            codes[j] = OPEN


@kernel
def _prepare(knots, k, times, hub, work):
    """Start values of some steps, the first of which follows knot k, and singular vectors and values of the knots."""
    for j in range(times.size):
        work[TIMES, j] = times[j]
    for j in range(times.size, min(times.size + PITCH, work.shape[1])):
        work[TIMES, j] = times[times.size - 1]
    coefficients, j = work[COEFFICIENTS:], 0
    while j < times.size:
        k = interval(knots, times[j], k)
        stop = after(knots, k, times, j)
        # whole vectors: what is beyond belongs to the next interval, or to no step
        last = min(j + (stop - j + PITCH - 1) // PITCH * PITCH, work.shape[1])
        if k + 1 < knots.shape[0] and knots[k, GAP] == 0.0:
            span = fit(knots, k, hub.variables, PITCH, coefficients)
            starts.evaluate(coefficients, span, work[TIMES], j, last, hub.variables, work[X:])
        else:
            stop = last = j + 1
            extrapolate(knots[k], times[j] - knots[k, TIME], hub.unknowns, hub.variables, work[X:, j:])
        left = parts(knots[k], hub.unknowns, hub.variables).left
        for e in range(hub.unknowns):
            _fill(work[LOW + e, j:last], left[e])
        _fill(work[HIGH, j:last], knots[k, LARGEST])
        j = stop


@kernel
def _fill(out, value):
    for j in range(out.size):
        out[j] = value


@inlined
def _share(work, j):
    """Smallest over largest singular value, or 0 where a telescope has passed its foot."""
    share = min(1.0, 1.0 / (work[HIGH, j] * work[SIZE, j]))
    return share if work[REACH, j] > 0.0 and math.isfinite(share) else 0.0


@kernel
def _settle(n, work):
    """Mark the steps that are at their positions; the number of the others."""
    left = 0
    for j in range(n):
        rest = work[LENGTH, j]
        small = rest <= SMALL or rest * _share(work, j) <= ROUNDING
        settled = small and work[GROWTH, j] <= UNSTABLE
        work[SETTLED, j] = 1.0 if settled else 0.0
        left += 0 if settled else 1
    return left


@kernel
def _copy(x, n, out):
    for j in range(n):
        out[j] = x[j]


@kernel
def _choose(kept, settled, n, out):
    for j in range(n):
        out[j] = kept[j] if settled[j] == 1.0 else out[j]
