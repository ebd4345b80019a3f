"""Any group by Newton's method, many steps at once, between knots at which it has been followed.

The bodies of the group hang on solved bodies by a tree of moves, each a rotation about, or a displacement along, an
axis of the frame it starts from, or a free rotation (ball). The moves not driven are the unknowns; the joints that were
cut give the equations (Samin and Fisette 2003 for trees and cuts). The same kernel serves the plane, whose third
coordinate is zero, and space.

The iteration starts from the quintic through the knots (`sglibrary.iterative.follow`) and takes two evaluations; the
matrix of the last one also gives rates and accelerations. Where steps need more, those that have converged keep what
they have, and the others are evaluated again, together if they are many, else each by itself. Both ways give the same
bits, so no step depends on which others are solved with it.

`memory` holds the number of knots and the status of steps before the first, then the knots; or what `follow` needs.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.evaluate import arrays_for, beyond, derive, in_order, newton_step, reordered
from sglibrary.iterative.follow import follow
from sglibrary.iterative.knots import GAP, LARGEST, knot_numbers, make_unit, parts
from sglibrary.iterative.linear import lengths, solve
from sglibrary.iterative.moves import advance
from sglibrary.iterative.newton_tables import blank, load_frames, store_poses, unpack
from sglibrary.iterative.simd import copy
from sglibrary.iterative.starts import (
    COEFFICIENTS,
    after,
    followed,
    interval,
    left_vector,
    line,
    start_values,
    together,
)
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, NOT_CONVERGED, OPEN, SINGULAR, SINGULAR_BELOW, SOLVED

EVALUATIONS = 2
"""Of the equations, for every step."""

MORE_EVALUATIONS = 12
"""For a step by itself."""

TOGETHER = 5
"""Evaluations up to which several steps go on together."""

FEW = 16
"""Where fewer than one in so many steps need another evaluation, each is solved by itself."""

ROUNDING = 4e-15
"""Length of the last step of one by itself, times its conditioning, that is nothing but rounding errors: they are the
larger the closer a singular position is."""

SMALL = 2e-11
"""Length of Newton's last step (rad, or sizes of the mechanism); the error left is its square, in rates itself."""

UNSTABLE = 1e3
"""Multiplier of the elimination above which a step chooses an order for itself."""

SCRATCH = 2**16
"""Numbers of working memory with which steps that are solved together stay in the second-level cache."""


@allocating
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group; or knots, if the first number in `memory` is negative."""
    if memory[0] < 0.0:
        follow(q, v, a, memory, rows, constants, status, conditioning, n)
    else:
        _between(q, v, a, memory, rows, constants, status, conditioning, n)


@allocating
def _between(q, v, a, memory, rows, constants, status, conditioning, n):
    """Steps between knots."""
    state, tables = (q, v, a), unpack(rows, constants)
    unknowns, variables, times = tables.unknowns, tables.variables, q[tables.time_row, :n]
    knots = memory[2:].reshape(-1, knot_numbers(unknowns, variables))[: int(memory[0])]
    width = max(32, min(256, SCRATCH // (24 * (rows[3] + rows[8]) + unknowns * unknowns + 6 * rows[5]) // 8 * 8))
    start, k = np.int64(0), np.int64(0)
    while start < n:
        k = interval(knots, times[start], k)
        if not followed(knots, k, times[start]):
            gap = int(memory[1] if k < 0 else knots[k, GAP])
            if lacks(q, tables.solved.rows, start):
                gap = NO_INPUT
            elif gap == NO_INPUT:  # what it hangs on failed on the way to this step, but not here
                gap = CANNOT_ASSEMBLE
            status[start] = gap
            conditioning[start] = 0.0
            blank(state, start, tables.dimension, tables.outputs.rows, False)
            start += 1
            continue
        stop = together(knots, k, times, start, width, unknowns, variables)
        first, last = start, stop
        while first < stop:
            _solve(state, tables, knots, k, first, last, status, conditioning)
            # those that are left, one after another
            first = last if last - first == 1 else start
            while first < stop and status[first] != OPEN:
                first += 1
            last = first + 1
        start = stop


@kernel
def lacks(q, solved_rows, j):
    """Whether a solved body has no position at step j."""
    for k in range(solved_rows.shape[0]):
        if math.isnan(q[solved_rows[k, 0], j]):
            return True
    return False


@allocating
def _solve(state, tables, knots, k, start, stop, status, conditioning):
    """Solve some steps; one alone with as many evaluations as it needs, of several some may be left OPEN.

    Parameters
    ----------
    state : tuple of arrays
        q, v and a.
    tables : Tables
    knots : (m, w) array
    k : int
        The last knot at or before step `start`.
    start, stop : int
    status, conditioning : arrays
        Of all steps of the block.
    """
    width, times, codes = stop - start, state[0][tables.time_row, start:stop], status[start:stop]
    arrays, worst = arrays_for(width, tables), np.zeros(width)
    n, at = tables.unknowns, parts(tables.unknowns, tables.variables)
    elimination = in_order(tables, knots[k, at.rows : at.rows + n], knots[k, at.columns : at.columns + n])
    coefficients = np.empty((COEFFICIENTS, tables.variables))
    start_values(knots, k, times, tables.unknowns, tables.variables, coefficients, arrays.x)
    make_unit(arrays.x, tables.moves.rows)
    load_frames(state, start, tables, arrays.frames)
    for j in range(width):
        codes[j] = OPEN
    alone, evaluations, fresh, settled, kept = width == 1, 0, False, np.zeros(width, np.bool_), arrays.lu
    while True:
        if evaluations == EVALUATIONS and not alone:
            kept = np.empty((tables.unknowns + 1, max(tables.unknowns, tables.variables), width))
        if evaluations >= EVALUATIONS and not alone:
            _set_aside(arrays, kept)
        newton_step(tables, arrays, elimination)
        if alone and not fresh and not arrays.growth[0] <= UNSTABLE:
            elimination = reordered(tables, arrays, elimination)
            fresh = True
            continue
        fresh = False
        advance(arrays.x, arrays.step, tables.moves.rows)
        if evaluations >= EVALUATIONS and not alone:
            _put_back(arrays, kept, settled)
        left = _note(arrays, alone, worst, settled, evaluations + 1 >= EVALUATIONS)
        evaluations += 1
        most = MORE_EVALUATIONS if alone else TOGETHER
        if evaluations >= EVALUATIONS and (evaluations >= most or left * (1 if alone else FEW) < width):
            break
    derive(tables, arrays, elimination)
    store_poses(state, start, tables, arrays.frames, codes)
    _condition(knots, k, times, tables, arrays, elimination, codes, conditioning[start:stop])
    _judge(state, tables, arrays, worst, start, codes, conditioning[start:stop])


@kernel
def _set_aside(arrays, kept):
    """Keep the factors and the variables of all steps."""
    n = arrays.lu.shape[0]
    for k in range(n):
        copy(arrays.lu[k], kept[k])
    copy(arrays.x, kept[n])


@kernel
def _put_back(arrays, kept, settled):
    """Give the steps that have converged what was kept of them."""
    n = arrays.lu.shape[0]
    for k in range(n):
        _choose(kept[k], settled, arrays.lu[k])
    _choose(kept[n], settled, arrays.x)


@kernel
def _choose(kept, settled, out):
    for i in range(out.shape[0]):
        x, o = kept[i], out[i]
        for j in range(o.size):
            o[j] = x[j] if settled[j] else o[j]


@allocating
def _note(arrays, alone, worst, settled, enough):
    """Note lengths of Newton's steps, and the largest multipliers of the eliminations so far (width,).

    A step alone chooses an order for itself where they are too large, so that its last ones count. Of steps that are
    settled nothing changes; if the evaluations are enough, others become so. Returns how many are not.
    """
    growth, latest, left = arrays.growth, np.empty(worst.size), worst.size
    lengths(arrays.step, latest)
    for j in range(worst.size):
        if not settled[j]:
            arrays.length[j] = latest[j]
            worst[j] = growth[j] if alone or not growth[j] <= worst[j] else worst[j]
            settled[j] = enough and arrays.length[j] <= SMALL and (alone or worst[j] <= UNSTABLE)
        left -= 1 if settled[j] else 0
    return left


@kernel
def _judge(state, tables, arrays, worst, start, status, conditioning):
    """Status of the OPEN steps, the first of which is `start`, unless one of many has to be solved by itself.

    Poses or rates become NaN where a step is not solved.
    """
    q, _, _ = state
    x, length, alone = arrays.x, arrays.length, status.size == 1
    solved_rows, move_rows, curves = tables.solved.rows, tables.moves.rows, tables.curves
    for j in range(status.size):
        if status[j] != OPEN:
            continue
        at = start + j
        settled = length[j] <= SMALL or (alone and length[j] * conditioning[j] <= ROUNDING)
        if not (settled and worst[j] <= UNSTABLE):
            if not alone:
                continue
            status[j] = NO_INPUT if lacks(q, solved_rows, at) else NOT_CONVERGED
        elif conditioning[j] < SINGULAR_BELOW:
            status[j] = SINGULAR
        else:
            status[j] = beyond(x, move_rows, curves, j)
        if status[j] != SOLVED:
            conditioning[j] = conditioning[j] if status[j] == SINGULAR else 0.0
            blank(state, at, tables.dimension, tables.outputs.rows, status[j] == SINGULAR)


@allocating
def _condition(knots, k, times, tables, arrays, elimination, status, conditioning):
    """Smallest over largest singular value of the OPEN steps.

    From the vectors of the knots around a step (Rayleigh quotients).
    """
    b, row_order, unknowns, variables = arrays.b, elimination.rows, tables.unknowns, tables.variables
    high, length, whole = np.empty(times.size), np.empty(times.size), np.empty(times.size)
    first = 0
    while first < times.size:
        k = interval(knots, times[first], k)
        ahead = k + 1 if k + 1 < knots.shape[0] and knots[k, GAP] == 0.0 else k
        stop = after(knots, k, times, first)
        some = times[first:stop]
        for e in range(unknowns):
            left_vector(knots, k, ahead, some, e, unknowns, variables, b[row_order[e], first:stop])
        line(knots, k, ahead, some, knots[k, LARGEST], knots[ahead, LARGEST], high[first:stop])
        first = stop
    lengths(b, whole)
    solve(arrays.lu, elimination.entries, b)
    lengths(b, length)
    for j in range(times.size):
        if status[j] == OPEN:
            share = whole[j] / (length[j] * high[j]) if unknowns else 1.0
            share = min(1.0, share) if math.isfinite(share) else 0.0
            conditioning[j] = min(share, arrays.sine[j]) if arrays.sine[j] >= 0.0 else 0.0
