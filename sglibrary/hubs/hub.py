"""A group around one body, the hub, whose pose is the only unknown: rods and telescopes keep it at distances.

What the others do to the hub is that points of it stay at given distances of solved points, or in planes of solved
bodies; so three numbers in the plane and six in space are iterated, and the legs follow in closed form from the two
points that each hangs on (Kinzel and Chang 1984: a mechanism as solved from the choice of inputs that is easy, under
the condition of those that are given). There is no other singular position than those of the group.

Knots are those of Newton's method for any group (`sglibrary.iterative.newton`), and so is what `memory` holds. The
iteration starts from the quintic through them and takes two evaluations; at the position they lead to, a third one
gives rates and accelerations, and tells by the step that it would take whether the position is one. Steps of which it
is not go on, and those that have converged keep what they have, so no step depends on which others are solved with it.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.hubs.equations import invert_at, load
from sglibrary.hubs.follow import follow
from sglibrary.hubs.legs import run_legs
from sglibrary.hubs.steps import advance, finish, newton_step, store
from sglibrary.hubs.tables import put_in_order, unpack, work_for
from sglibrary.iterative.knots import GAP, LARGEST, LEADING, parts
from sglibrary.iterative.newton import (
    MORE_EVALUATIONS,
    ROUNDING,
    TOGETHER,
    UNSTABLE,
    followed,
    interval,
    lacks,
    start_values,
    together,
)
from sglibrary.iterative.simd import copy
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, NOT_CONVERGED, OPEN, SINGULAR, SINGULAR_BELOW, SOLVED

EVALUATIONS = 2
"""Before the one that gives rates."""

SMALL = 2e-12
"""Length of the step left at the end (rad, or sizes of the mechanism): the error of positions, and in rates too."""

WIDTH = 128
"""Steps that are solved together, whose arrays stay in the caches next to the core."""


@allocating
def in_plane(q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group; or knots, if the first number in `memory` is negative."""
    _motion(q, v, a, memory, rows, constants, (0, 1), status, conditioning, n)


@allocating
def in_space(q, v, a, memory, rows, constants, status, conditioning, n):
    """Do the same in space."""
    _motion(q, v, a, memory, rows, constants, (0, 1, 2), status, conditioning, n)


@allocating
def _motion(q, v, a, memory, rows, constants, coordinates, status, conditioning, n):
    hub = unpack(rows, constants, coordinates)
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
    work, alone = work_for(WIDTH, hub), work_for(1, hub)
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
        if stop - start < WIDTH:
            work = work_for(stop - start, hub)
        _solve(state, hub, work, knots, k, start, False, status, conditioning)
        for j in range(start, stop):
            if status[j] == OPEN:
                _solve(state, hub, alone, knots, interval(knots, times[j], k), j, True, status, conditioning)
        if stop - start < WIDTH:
            work = work_for(WIDTH, hub)
        start = stop


@allocating
def _solve(state, hub, work, knots, k, start, alone, status, conditioning):
    """Solve some steps from `start` on, which follows knot k; one alone with an order of elimination of its own.

    Of several some may be left OPEN.
    """
    width = work.length.size
    times, codes, shares = state[0][hub.time_row, start : start + width], status[start:], conditioning[start:]
    put_in_order(parts(knots[k], hub.unknowns, hub.variables).rows, work.order)
    start_values(knots, k, times, hub.unknowns, hub.variables, hub.moves, work.x)
    load(state, start, hub, work)
    _load_vectors(hub, work, knots, k, times, shares)
    settled, kept = np.zeros(width, np.bool_), np.empty((hub.variables, width))
    for evaluation in range(MORE_EVALUATIONS if alone else TOGETHER):
        if evaluation < EVALUATIONS:
            newton_step(hub, work, hub.coordinates)
        elif _settle(hub, work, shares, settled) == 0:
            break
        else:
            copy(work.x, kept)
        if alone and not work.growth[0] <= UNSTABLE:
            invert_at(hub, work, work.order)
            continue
        advance(work, hub.coordinates)
        if evaluation >= EVALUATIONS:
            for i in range(hub.variables):
                _choose(kept[i], settled, work.x[i])
    store(state, start, hub, work, hub.coordinates)
    for j in range(width):
        if settled[j]:
            share = min(1.0, shares[j] / work.size[j])
            shares[j] = share if math.isfinite(share) else 0.0
            codes[j] = SOLVED if shares[j] >= SINGULAR_BELOW else SINGULAR
        elif alone:
            codes[j], shares[j] = NO_INPUT if lacks(state[0], hub.equations[:, 1:], start + j) else NOT_CONVERGED, 0.0
        else:
            codes[j] = OPEN


@kernel
def _load_vectors(hub, work, knots, k, times, shares):
    """Singular vectors of the knots before steps, and over the largest values, in `shares`, what gives conditioning.

    Where a telescope has passed its foot that is zero.
    """
    for j in range(times.size):
        k = interval(knots, times[j], k)
        left = parts(knots[k], hub.unknowns, hub.variables).left
        for e in range(hub.unknowns):
            work.low[e, j] = left[e]
        shares[j] = 1.0 / knots[k, LARGEST] if work.reach[j] > 0.0 else 0.0


@kernel
def _settle(hub, work, shares, settled):
    """Rates at x, conditioning, and which steps are at their positions there; the number of the others."""
    finish(hub, work, hub.coordinates)
    left = 0
    for j in range(settled.size):
        rest, share = work.length[j], min(1.0, shares[j] / work.size[j])
        small = rest <= SMALL or rest * share <= ROUNDING
        settled[j] = small and work.growth[j] <= UNSTABLE
        left += 0 if settled[j] else 1
    return left


@kernel
def _choose(kept, settled, out):
    for j in range(out.size):
        out[j] = kept[j] if settled[j] else out[j]
