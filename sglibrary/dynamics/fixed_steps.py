"""The classical method of Runge and Kutta of order 4, in steps of one length, as real-time simulators take it.

Between the steps the motion is the polynomial of order 3 that has their states and derivatives. What is supplied is
summed up by the same weights, which are those of Simpson.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.dynamics.energy import balance_energy, supply
from sglibrary.dynamics.equations import supply_power
from sglibrary.dynamics.explicit import begin, derivative, fill
from sglibrary.dynamics.steps import (
    AT,
    DONE,
    ENOUGH,
    EVALUATIONS,
    LOST_ENERGY,
    NEXT,
    POWER,
    RUNNING,
    STUCK,
    WEAK,
    accept,
    step_to_try,
)

AHEAD = np.array([0.5, 0.5, 1.0])
"""Where the second to the fourth stage are, in steps, and how far they go along the stage before them."""

WEIGHTS = np.array([1.0, 2.0, 2.0, 1.0]) / 6.0


@allocating
def advance(problem, room, run, most):
    """Take some steps.

    Parameters
    ----------
    problem : Problem
    room : Room
        Of one lane.
    run : Integration
        It is moved on; the length of its steps is fixed.
    most : int
        Number of steps.

    Returns
    -------
    int
        How the integration stands.
    """
    size = run.y.shape[0]
    if run.counts[EVALUATIONS] == 0 and not begin(problem, room, run):
        return STUCK
    return _advance(problem, room, run, most, np.zeros((5, size, 1)), np.zeros((size, 1)), np.zeros(1))


@kernel
def _advance(problem, room, run, most, stages, y, time):
    """Do it in given memory, without references that are counted."""
    for _ in range(most):
        step = step_to_try(run)
        if step == 0.0:
            return STUCK
        at, work, doubt, known = run.numbers[AT], WEIGHTS[0] * run.numbers[POWER], 0.0, True
        fill(run.rate, stages[0])
        for s in range(1, 4):
            _along(run.y, AHEAD[s - 1] * step, stages[s - 1], y)
            known = known and derivative(problem, room, run, at + AHEAD[s - 1] * step, y, stages[s], time)
            supply_power(problem, room, stages[s])
            work += WEIGHTS[s] * room.power[0]
            doubt += room.power[0] if s == 1 else -room.power[0] if s == 2 else 0.0
        fill(run.y, y)
        for s in range(4):
            for i in range(y.shape[0]):
                y[i, 0] += WEIGHTS[s] * step * stages[s, i, 0]
        if not (known and derivative(problem, room, run, at + step, y, stages[4], time)):
            return STUCK
        weak = room.worst[0] < run.numbers[ENOUGH]
        supply_power(problem, room, stages[4])
        run.numbers[POWER] = room.power[0]
        # in the middle of a step the power is known twice
        supply(run, step * work, step * math.fabs(doubt) if problem.equations.driven else 0.0)
        right = balance_energy(problem, room, 0, run, at + step)
        _sample(run, step, stages[0], stages[4], y)
        done = accept(run, step, 0.0, 4, y)
        if not right:
            return LOST_ENERGY
        if done:
            return DONE
        fill(stages[4], run.rate)
        if weak:
            return WEAK
    return RUNNING


@kernel
def _along(y, step, rate, out):
    """A state: y + step · rate."""
    for i in range(out.shape[0]):
        out[i, 0] = y[i, 0] + step * rate[i, 0]


@kernel
def _sample(run, step, before, behind, after):
    """Write the samples that a step passes, given the derivatives at its ends and the state behind it."""
    at, k, end = run.numbers[AT], run.counts[NEXT], run.times[run.times.size - 1]
    ahead = end if step >= end - at else at + step
    while k < run.times.size and run.times[k] <= ahead:
        x = (run.times[k] - at) / step
        for i in range(after.shape[0]):
            way, first, last = after[i, 0] - run.y[i, 0], step * before[i, 0], step * behind[i, 0]
            bent = (1.0 - x) * (first - way) + x * (way - last)
            inside = run.y[i, 0] + x * (way + (1.0 - x) * bent)
            run.found[i, k] = after[i, 0] if run.times[k] == ahead else inside
        k += 1
    run.counts[NEXT] = k
