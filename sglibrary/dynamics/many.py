"""Many integrations of the same equations by the explicit method, some of them side by side in lanes.

Each lane has its own time and step, and takes the next integration when its own is done, so that all lanes are
evaluated together while integrations differ in length. A lane does what `explicit.advance` does, to the bit.
"""

import math
from typing import NamedTuple

import numpy as np

from sglibrary.array_types import Array, Flags, Ints
from sglibrary.convention import allocating, kernel
from sglibrary.dynamics.energy import FIRST, SINCE
from sglibrary.dynamics.equations import accelerations, supply_power
from sglibrary.dynamics.explicit import STAGES, begin_in, error_of, fill, follow_energy, looks_stiff, measure_at, sample
from sglibrary.dynamics.kinks import BEYOND, ON_END, end_at_kink
from sglibrary.dynamics.steps import (
    AT,
    DONE,
    ENOUGH,
    GROWTH,
    LOST_ENERGY,
    MOST,
    NEXT,
    NUMBERS,
    POWER,
    RUNNING,
    STIFF,
    STUCK,
    WEAK,
    Integration,
    accept,
    reject,
    step_to_try,
    trusted,
)
from sglibrary.vectors import add, read

IDLE = -1
"""Number of the integration of a lane that has none."""


class Many(NamedTuple):
    """Integrations of f free coordinates from m starts.

    Attributes
    ----------
    found : (m, 2 f, t) array
        Coordinates and rates at all times; at the first one those of the start.
    stands : (m,) array of int
        How each integration ended: DONE, or why it went no further; also LOST_ENERGY where its balance is worth a
        warning.
    times : (t,) array
        s.
    rtol : float
    atol : (2 f,) array
    least, weakest : float
        Conditioning below which no step goes; that below which, or half of it at the start if that is less, an
        integration is left after a step.
    """

    found: Array
    stands: Ints
    times: Array
    rtol: float
    atol: Array
    least: float
    weakest: float


class Lanes(NamedTuple):
    """Memory of n lanes, one column each.

    Attributes
    ----------
    numbers, counts : (n, 16) and (n, 6) arrays
    y, rate, ahead, last : (2 f, n) arrays
        The state and its derivative, the state that is tried, and that of the stage before the last one.
    stages : (16, 2 f, n) array
    which : (n,) array of int
        The integration of each lane, or IDLE.
    steps, times : (n,) arrays
        s.
    powers : (n, 13) array
        Of the stages of a step, W.
    known : (n,) array of bool
        Whether all stages of a step could be evaluated.
    next : (1,) array of int
        The integration that is taken next.
    stops, after : (n, s, 2) and (s, 2) arrays
        Coordinates of stops and their rates at the state that is reached, and memory for others.
    """

    numbers: Array
    counts: Ints
    y: Array
    rate: Array
    ahead: Array
    last: Array
    stages: Array
    which: Ints
    steps: Array
    times: Array
    powers: Array
    known: Flags
    next: Ints
    stops: Array
    after: Array


class Lane(NamedTuple):
    """Memory of a single lane: y, rate, ahead, last (2 f, 1), stages (16, 2 f, 1), and a time (1,)."""

    y: Array
    rate: Array
    ahead: Array
    last: Array
    stages: Array
    time: Array


def lanes_of(n, size, stops):
    """Memory of n lanes that are idle, of integrations of so many coordinates and rates, and stops."""
    return Lanes(
        np.zeros((n, NUMBERS)),
        np.zeros((n, 6), np.int64),
        np.zeros((size, n)),
        np.zeros((size, n)),
        np.zeros((size, n)),
        np.zeros((size, n)),
        np.zeros((16, size, n)),
        np.full(n, IDLE),
        np.zeros(n),
        np.zeros(n),
        np.zeros((n, STAGES + 1)),
        np.zeros(n, np.bool_),
        np.zeros(1, np.int64),
        np.zeros((n, stops, 2)),
        np.zeros((stops, 2)),
    )


@allocating
def advance(problem, room, one, many, lanes, tableau, watch, most):
    """Take some steps in all lanes; whether there are more.

    Parameters
    ----------
    problem : Problem
    room, one : Room
        Of n lanes, and of a single one.
    many : Many
        What is found is written to it.
    lanes : Lanes
    tableau : Tableau
    watch : bool
        Whether to leave an integration where it is stiff.
    most : int
        Number of steps that are tried.
    """
    size = many.found.shape[1]
    state = np.zeros((size, 1)), np.zeros((size, 1)), np.zeros((size, 1)), np.zeros((size, 1))
    lane = Lane(state[0], state[1], state[2], state[3], np.zeros((16, size, 1)), np.zeros(1))
    return _advance(problem, room, one, many, tableau, watch, lanes, lane, most)


@kernel
def _advance(problem, room, one, many, tableau, watch, lanes, lane, most):
    """Do it in given memory, without references that are counted."""
    n = lanes.times.size
    for _ in range(most):
        active = False
        for j in range(n):
            while lanes.which[j] == IDLE and lanes.next[0] < many.stands.size:
                _take(problem, one, many, lanes, lane, j, lanes.next[0])
                lanes.next[0] += 1
            if lanes.which[j] != IDLE:
                active = True
                lanes.steps[j] = step_to_try(_run(many, lanes, lane, j))
                lanes.known[j] = lanes.steps[j] > 0.0
        if not active:
            return False
        _copy(lanes.rate, lanes.stages[0])
        for j in range(n):
            lanes.powers[j, 0] = lanes.numbers[j, POWER]
        for s in range(1, STAGES):
            _combine(lanes, tableau.a[s], s)
            _evaluate(problem, room, many.least, lanes, s, tableau.c[s], tableau.b[s] != 0.0)
        _copy(lanes.ahead, lanes.last)
        _combine(lanes, tableau.b, STAGES)
        _evaluate(problem, room, many.least, lanes, STAGES, 1.0, True)
        for j in range(n):
            if lanes.which[j] != IDLE:
                _load(lanes, lane, j)
                stands = _end_step(problem, room, one, many, tableau, watch, lanes, lane, j)
                _store(lanes, lane, j)
                if stands != RUNNING:
                    many.stands[lanes.which[j]], lanes.which[j] = stands, IDLE
    return True


@kernel
def _run(many, lanes, lane, j):
    """The integration of a lane, its state in the memory of a single one."""
    rtol, atol, least, times = many.rtol, many.atol, many.least, many.times
    found = many.found[lanes.which[j]]
    return Integration(lanes.numbers[j], lanes.counts[j], lane.y, lane.rate, rtol, atol, least, times, found)


@kernel
def _take(problem, one, many, lanes, lane, j, number):
    """Begin an integration in a lane, which stays idle if that fails."""
    lanes.which[j] = number
    lanes.counts[j] = 0
    lanes.numbers[j] = 0.0
    run = _run(many, lanes, lane, j)
    run.numbers[FIRST] = run.numbers[SINCE] = math.nan
    run.numbers[AT], run.numbers[GROWTH], run.counts[NEXT] = many.times[0], MOST, 1
    for i in range(run.y.shape[0]):
        run.y[i, 0] = run.found[i, 0]
    lane.time[0] = many.times[0]
    accelerations(problem, one, lane.time, run.y, lane.last)
    run.numbers[ENOUGH] = min(many.weakest, 0.5 * one.worst[0])
    if begin_in(problem, one, run, lane.ahead, lane.last, lane.time):
        measure_at(problem, one, run, lanes.stops[j], lane.last, lane.time)
        _store(lanes, lane, j)
    else:
        many.stands[number], lanes.which[j] = STUCK, IDLE


@kernel
def _combine(lanes, weights, count):
    """The states of all lanes: y + step · the sum of weights times stages."""
    for i in range(lanes.ahead.shape[0]):
        out = lanes.ahead[i]
        for j in range(out.size):
            out[j] = 0.0
        for s in range(count):
            _add_scaled(weights[s], lanes.stages[s, i], out)
        _step_from(lanes.y[i], lanes.steps, out)


@kernel
def _add_scaled(weight, x, out):
    for j in range(out.size):
        add(out, j, weight * read(x, j))


@kernel
def _step_from(y, steps, out):
    for j in range(out.size):
        out[j] = y[j] + steps[j] * out[j]


@kernel
def _copy(x, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = x[i, j]


@kernel
def _load(lanes, lane, j):
    """Copy the column of a lane to the memory of a single one."""
    for i in range(lane.y.shape[0]):
        lane.y[i, 0], lane.rate[i, 0] = lanes.y[i, j], lanes.rate[i, j]
        lane.ahead[i, 0], lane.last[i, 0] = lanes.ahead[i, j], lanes.last[i, j]
    for s in range(STAGES + 1):
        for i in range(lane.y.shape[0]):
            lane.stages[s, i, 0] = lanes.stages[s, i, j]


@kernel
def _store(lanes, lane, j):
    """Copy state and rates back to the column of a lane."""
    for i in range(lane.y.shape[0]):
        lanes.y[i, j], lanes.rate[i, j] = lane.y[i, 0], lane.rate[i, 0]


@kernel
def _evaluate(problem, room, least, lanes, s, share, weighed):
    """Evaluate stage s of all lanes, at a share of their steps, and its power if it is weighed."""
    rates = lanes.stages[s]
    for j in range(lanes.times.size):
        lanes.times[j] = lanes.numbers[j, AT] + share * lanes.steps[j]
    accelerations(problem, room, lanes.times, lanes.ahead, rates)
    if weighed:
        supply_power(problem, room, rates)
    for j in range(lanes.times.size):
        known = lanes.known[j] and room.worst[j] >= least
        for i in range(rates.shape[0]):
            known = known and math.isfinite(rates[i, j])
        lanes.known[j] = known
        lanes.powers[j, s] = room.power[j] if weighed else 0.0


@kernel
def _end_step(problem, room, one, many, tableau, watch, lanes, lane, j):
    """Accept or reject the step of a lane; how its integration stands."""
    run, step = _run(many, lanes, lane, j), lanes.steps[j]
    if step == 0.0:
        return STUCK
    error = trusted(run, step, error_of(run, step, tableau, lane.stages, lane.ahead), 8)
    if not (error <= 1.0 and lanes.known[j]):
        reject(run, step, error if error > 1.0 else math.nan, 8)
        return RUNNING
    kink = end_at_kink(problem, room, j, run, step, lanes.stops[j], lanes.after)
    if kink == BEYOND:
        return RUNNING
    stiff = watch and looks_stiff(run, step, lane.stages, lane.last, lane.ahead)
    right = follow_energy(problem, room, j, run, step, tableau, lanes.powers[j])
    sample(problem, one, run, step, tableau, lane.stages, lane.ahead, lane.last, lane.time)
    done = accept(run, step, error, 8, lane.ahead)
    if not right or (done and not math.isnan(run.numbers[SINCE])):
        return LOST_ENERGY
    if done:
        return DONE
    fill(lane.stages[STAGES], run.rate)
    if room.worst[j] < run.numbers[ENOUGH]:
        return WEAK
    if kink == ON_END:
        return RUNNING if begin_in(problem, one, run, lane.ahead, lane.last, lane.time) else STUCK
    return STIFF if stiff else RUNNING
