"""The explicit method of Dormand and Prince of order 8(5, 3) with dense output of order 7.

Error estimate, dense output and test for stiffness are those of Hairer, Nørsett and Wanner (1993, II.5 and II.6; the
test: Hairer and Wanner 1996, IV.2).
"""

import math
from typing import NamedTuple

import numpy as np

from sglibrary.array_types import Array
from sglibrary.convention import allocating, inlined, kernel
from sglibrary.dynamics.energy import balance_energy, begin_energy, supply
from sglibrary.dynamics.equations import accelerations, supply_power
from sglibrary.dynamics.kinks import BEYOND, ON_END, end_at_kink, measure
from sglibrary.dynamics.steps import (
    AT,
    DONE,
    ENOUGH,
    EVALUATIONS,
    FIXED,
    LENGTH,
    LOST_ENERGY,
    NEXT,
    POWER,
    RUNNING,
    SMOOTHS,
    STEP,
    STIFF,
    STIFFS,
    STUCK,
    WEAK,
    accept,
    norm,
    reject,
    step_to_try,
    trusted,
)
from sglibrary.tolerances import SHORTEST_TIME_STEP

STAGES = 12
"""Of a step; the 13th is the first one of the next step, and three more are for dense output."""

STABLE, PATIENCE, SMOOTH = 6.1, 15, 6
"""Step times eigenvalue from which on a step looks stiff; so many such steps, less than that many others between them,
are a stiff problem."""


class Tableau(NamedTuple):
    """Coefficients of the method, as `scipy.integrate` has them.

    Attributes
    ----------
    a, b, c : (16, 16), (12,) and (16,) arrays
    e3, e5 : (13,) arrays
        Of the errors of orders 3 and 5.
    d : (4, 16) array
        Of dense output.
    """

    a: Array
    b: Array
    c: Array
    e3: Array
    e5: Array
    d: Array


@allocating
def advance(problem, room, run, tableau, most, watch):
    """Take some steps.

    Parameters
    ----------
    problem : Problem
    room : Room
        Of one lane.
    run : Integration
        It is moved on.
    tableau : Tableau
    most : int
        Number of steps that are tried.
    watch : bool
        Whether to end where the problem is stiff.

    Returns
    -------
    int
        How the integration stands.
    """
    size = run.y.shape[0]
    if run.counts[EVALUATIONS] == 0 and not begin(problem, room, run):
        return STUCK
    work = np.zeros((16, size, 1)), np.zeros((size, 1)), np.zeros((size, 1)), np.zeros(1), np.zeros(STAGES + 1)
    stops = problem.forces.stops.size
    before, after = np.zeros((stops, 2)), np.zeros((stops, 2))
    measure_at(problem, room, run, before, work[1], work[3])
    return _advance(problem, room, run, tableau, most, watch, work, before, after)


@kernel
def _advance(problem, room, run, tableau, most, watch, work, before, after):
    """Do it in given memory, without references that are counted."""
    stages, y, last, time, powers = work
    for _ in range(most):
        step = step_to_try(run)
        if step == 0.0:
            return STUCK
        fill(run.rate, stages[0])
        powers[0], known = run.numbers[POWER], True
        for s in range(1, STAGES):
            combine(run.y, step, tableau.a[s], s, stages, y)
            known = known and derivative(problem, room, run, run.numbers[AT] + tableau.c[s] * step, y, stages[s], time)
            if tableau.b[s] != 0.0:
                supply_power(problem, room, stages[s])
                powers[s] = room.power[0]
        fill(y, last)
        combine(run.y, step, tableau.b, STAGES, stages, y)
        error = trusted(run, step, error_of(run, step, tableau, stages, y), 8) if known else math.nan
        if error <= 1.0:
            known = derivative(problem, room, run, run.numbers[AT] + step, y, stages[STAGES], time)
        if not (error <= 1.0 and known):
            reject(run, step, error if error > 1.0 else math.nan, 8)
            continue
        kink = end_at_kink(problem, room, 0, run, step, before, after)
        if kink == BEYOND:
            continue
        stiff, weak = watch and looks_stiff(run, step, stages, last, y), room.worst[0] < run.numbers[ENOUGH]
        supply_power(problem, room, stages[STAGES])
        powers[STAGES] = room.power[0]
        right = follow_energy(problem, room, 0, run, step, tableau, powers)
        sample(problem, room, run, step, tableau, stages, y, last, time)
        done = accept(run, step, error, 8, y)
        if not right:
            return LOST_ENERGY
        if done:
            return DONE
        fill(stages[STAGES], run.rate)
        if kink == ON_END:
            run.counts[EVALUATIONS] = 0
        if weak:
            return WEAK
        if kink == ON_END:
            return RUNNING
        if stiff:
            return STIFF
    return RUNNING


@kernel
def follow_energy(problem, room, lane, run, step, tableau, powers):
    """Balance the energy at the end of a step, which is in a lane of a room; whether it is right.

    `powers` (13,) are those of the stages, as far as they have a weight, and, at last, of the end.
    """
    work = third = fifth = 0.0
    for s in range(STAGES):
        work += tableau.b[s] * powers[s]
        third += tableau.e3[s] * powers[s]
        fifth += tableau.e5[s] * powers[s]
    run.numbers[POWER] = powers[STAGES]
    known = problem.equations.driven and fifth != 0.0
    doubt = step * fifth * fifth / math.sqrt(fifth * fifth + 0.01 * third * third) if known else 0.0
    supply(run, step * work, doubt)
    return balance_energy(problem, room, lane, run, run.numbers[AT] + step)


@kernel
def fill(x, out):
    """Copy a state."""
    for i in range(out.shape[0]):
        out[i, 0] = x[i, 0]


@kernel
def measure_at(problem, room, run, out, rate, time):
    """Measure the coordinates of stops (s, 2) at the state that is reached, if there are any."""
    if out.shape[0] > 0:
        time[0] = run.numbers[AT]
        accelerations(problem, room, time, run.y, rate)
        measure(problem, room, 0, out)


@inlined
def derivative(problem, room, run, time, y, out, memory):
    """Evaluate one stage; whether all groups are solved and well conditioned."""
    memory[0] = time
    run.counts[EVALUATIONS] += 1
    accelerations(problem, room, memory, y, out)
    found = room.worst[0] >= run.least
    for i in range(out.shape[0]):
        found = found and math.isfinite(out[i, 0])
    return found


@allocating
def begin(problem, room, run):
    """Evaluate the start, and choose a first step (Hairer, Nørsett and Wanner 1993, II.4); False if that fails."""
    return begin_in(problem, room, run, np.zeros_like(run.y), np.zeros_like(run.y), np.zeros(1))


@kernel
def begin_in(problem, room, run, y, ahead, time):
    """`begin` in given memory."""
    if not derivative(problem, room, run, run.numbers[AT], run.y, run.rate, time):
        return False
    supply_power(problem, room, run.rate)
    run.numbers[POWER] = room.power[0]
    begin_energy(problem, room, 0, run)
    if run.numbers[FIXED] > 0.0:
        run.numbers[STEP], run.numbers[LENGTH] = run.numbers[FIXED], 0.0
        return True
    span = run.times[run.times.size - 1] - run.numbers[AT]
    d0, d1 = norm(run.y, run, run.y), norm(run.rate, run, run.y)
    step = min(span, 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1)
    for i in range(y.shape[0]):
        y[i, 0] = run.y[i, 0] + step * run.rate[i, 0]
    if derivative(problem, room, run, run.numbers[AT] + step, y, ahead, time):
        for i in range(y.shape[0]):
            ahead[i, 0] = (ahead[i, 0] - run.rate[i, 0]) / step
        largest = max(d1, norm(ahead, run, run.y))
        longer = max(1e-6, 1e-3 * step) if largest <= SHORTEST_TIME_STEP else (0.01 / largest) ** 0.125
        step = min(100.0 * step, longer, span)
    run.numbers[STEP], run.numbers[LENGTH] = step, 0.0
    return True


@kernel
def combine(y, step, weights, count, stages, out):
    """A state: y + step · the sum of weights times stages."""
    for i in range(out.shape[0]):
        total = 0.0
        for s in range(count):
            total += weights[s] * stages[s, i, 0]
        out[i, 0] = y[i, 0] + step * total


@kernel
def error_of(run, step, tableau, stages, after):
    """Error of a step, relative to the tolerance."""
    third = fifth = 0.0
    size = after.shape[0]
    for i in range(size):
        e3 = e5 = 0.0
        for s in range(STAGES):
            e3 += tableau.e3[s] * stages[s, i, 0]
            e5 += tableau.e5[s] * stages[s, i, 0]
        scale = run.atol[i] + run.rtol * max(math.fabs(run.y[i, 0]), math.fabs(after[i, 0]))
        third += (e3 / scale) ** 2
        fifth += (e5 / scale) ** 2
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return math.fabs(step) * fifth / math.sqrt((fifth + 0.01 * third) * size)


@kernel
def looks_stiff(run, step, stages, last, after):
    """Whether steps are short for stability: the last two stages are at the same time, in different states."""
    rise = apart = 0.0
    for i in range(after.shape[0]):
        rise += (stages[STAGES, i, 0] - stages[STAGES - 1, i, 0]) ** 2
        apart += (after[i, 0] - last[i, 0]) ** 2
    if step * step * rise > STABLE * STABLE * apart:
        run.counts[SMOOTHS] = 0
        run.counts[STIFFS] += 1
    else:
        run.counts[SMOOTHS] += 1
        if run.counts[SMOOTHS] == SMOOTH:
            run.counts[STIFFS] = 0
    return run.counts[STIFFS] >= PATIENCE


@kernel
def sample(problem, room, run, step, tableau, stages, after, work, time):
    """Write the samples that a step passes, by the interpolating polynomial of order 7."""
    at, size, k = run.numbers[AT], run.y.shape[0], run.counts[NEXT]
    ahead = run.times[run.times.size - 1] if step >= run.times[run.times.size - 1] - at else at + step
    if k < run.times.size and run.times[k] < ahead:
        for s in range(STAGES + 1, 16):
            combine(run.y, step, tableau.a[s], s, stages, work)
            derivative(problem, room, run, at + tableau.c[s] * step, work, stages[s], time)
    while k < run.times.size and run.times[k] <= ahead:
        x = (run.times[k] - at) / step
        for i in range(size):
            if run.times[k] == ahead:
                run.found[i, k] = after[i, 0]
                continue
            total = 0.0
            for m in range(3, -1, -1):
                coefficient = 0.0
                for s in range(16):
                    coefficient += tableau.d[m, s] * stages[s, i, 0]
                total = (total + step * coefficient) * (x if m % 2 else 1.0 - x)
            way, first = after[i, 0] - run.y[i, 0], step * stages[0, i, 0]
            total = (total + (2.0 * way - (first + step * stages[STAGES, i, 0]))) * x
            total = (total + (first - way)) * (1.0 - x)
            run.found[i, k] = run.y[i, 0] + (total + way) * x
        k += 1
    run.counts[NEXT] = k
