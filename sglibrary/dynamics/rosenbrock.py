"""RODAS4, a Rosenbrock method of order 4(3) for stiff springs and dampers, with dense output of order 3.

It is stiffly accurate and L-stable (Hairer and Wanner 1996, IV.7). With the Jacobian of the accelerations by
coordinates, K, and by their rates, C, a stage is the solution of

    (I / (h γ) - [0 I; K C]) (u, w) = (r, s):   u = h γ (r + w),   (I / (h γ) - C - h γ K) w = s + h γ K r

so that only f equations are solved. The Jacobian is that of central differences, all of them lanes of one evaluation.
"""

import math

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.dynamics.energy import balance_energy, supply
from sglibrary.dynamics.equations import accelerations, supply_power
from sglibrary.dynamics.explicit import begin
from sglibrary.dynamics.kinks import BEYOND, ON_END, end_at_kink, measure
from sglibrary.dynamics.steps import (
    AT,
    DONE,
    ENOUGH,
    EVALUATIONS,
    FIXED,
    LOST_ENERGY,
    NEXT,
    RUNNING,
    STUCK,
    WEAK,
    accept,
    norm,
    reject,
    step_to_try,
)
from sglibrary.tolerances import JACOBIAN_STEP, TIME_STEP_SHARE

GAMMA = 0.25

A = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [1.544, 0.0, 0.0, 0.0, 0.0],
        [0.9466785280815826, 0.2557011698983284, 0.0, 0.0, 0.0],
        [3.314825187068521, 2.896124015972201, 0.9986419139977817, 0.0, 0.0],
        [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 0.0],
        [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0],
    ]
)
"""Of the states of the stages."""

B = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [-5.6688, 0.0, 0.0, 0.0, 0.0],
        [-2.430093356833875, -0.2063599157091915, 0.0, 0.0, 0.0],
        [-0.1073529058151375, -9.594562251023355, -20.47028614809616, 0.0, 0.0],
        [7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160, 0.0],
        [8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054],
    ]
)
"""Of stages in the right-hand side of others, over the step."""

TIMES = np.array([0.0, 0.386, 0.21, 0.63, 1.0, 1.0])
"""Of the stages, in steps."""

SHARES = np.array([0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0])
"""Of the derivative by time in the right-hand side, in steps."""

DENSE = np.array(
    [
        [10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662],
        [-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872],
    ]
)
"""Of dense output."""


@allocating
def advance(problem, room, lanes, run, units, most):
    """Take some steps.

    Parameters
    ----------
    problem : Problem
    room, lanes : Room
        Of one lane, and of 4 f + 3.
    run : Integration
        It is moved on.
    units : (f,) array
        1 rad, or the size of the mechanism, m.
    most : int
        Number of steps that are tried.

    Returns
    -------
    int
        How the integration stands.
    """
    size = run.y.shape[0]
    free, columns = size // 2, 2 * size + 3
    if run.counts[EVALUATIONS] == 0 and not begin(problem, room, run):
        return STUCK
    one = np.zeros((6, size, 1)), np.zeros((size, 1)), np.zeros((size, 1)), np.zeros(1)
    every = np.zeros((size, columns)), np.zeros((size, columns)), np.zeros(columns)
    linear = np.zeros((free, size)), np.zeros(free), np.zeros((free, free)), np.zeros(free, np.int64)
    works = np.zeros(6), np.zeros(size + 1)
    stops = problem.forces.stops.size
    kinks = np.zeros((stops, 2)), np.zeros((stops, 2))
    return _advance(problem, room, lanes, run, units, most, (one, every, linear, works), kinks)


@kernel
def _advance(problem, room, lanes, run, units, most, work, kinks):
    """Do it in given memory, without references that are counted."""
    one, every, linear, (works, slopes) = work
    stages, y, rate, time = one
    before, after = kinks
    states, rates, times = every
    jacobian, by_time, matrix, order = linear
    size = run.y.shape[0]
    for _ in range(most):
        step = step_to_try(run)
        if step == 0.0:
            return STUCK
        _perturb(run, units, step, states, times)
        accelerations(problem, lanes, times, states, rates)
        supply_power(problem, lanes, rates)
        measure(problem, lanes, 0, before)
        run.counts[EVALUATIONS] += times.size
        if not balance_energy(problem, lanes, 0, run, run.numbers[AT]):
            return LOST_ENERGY
        if lanes.worst[0] < run.numbers[ENOUGH]:
            return WEAK
        _differences(states, rates, times, jacobian, by_time)
        _power_slopes(states, lanes.power, times, slopes)
        known = lanes.worst[0] >= run.least and _factorize(jacobian, GAMMA * step, matrix, order)
        for i in range(size):
            rate[i, 0] = run.rate[i, 0] = rates[i, 0]
        for s in range(6):
            if not known:
                break
            _state(run.y, stages, s, y)
            if s > 0:
                time[0] = run.numbers[AT] + TIMES[s] * step
                accelerations(problem, room, time, y, rate)
                supply_power(problem, room, rate)
                run.counts[EVALUATIONS] += 1
                known = room.worst[0] >= run.least
            power = room.power[0] if s > 0 else lanes.power[0]
            _stage(jacobian, matrix, order, by_time, step, s, stages, rate)
            _work_stage(slopes, power, step, s, stages, works)
            for i in range(size):
                known = known and math.isfinite(stages[s, i, 0])
        error = math.nan
        if known:
            for i in range(size):
                y[i, 0] += stages[5, i, 0]
            error = norm(stages[5], run, y) if run.numbers[FIXED] == 0.0 else 0.0
        if not error <= 1.0:
            reject(run, step, error, 4)
            continue
        if before.shape[0] > 0:
            time[0] = run.numbers[AT] + step
            accelerations(problem, room, time, y, rate)
        kink = end_at_kink(problem, room, 0, run, step, before, after)
        if kink == BEYOND:
            continue
        _sample(run, step, stages, y)
        supply(run, _work(works), math.fabs(works[5]) if problem.equations.driven else 0.0)
        if accept(run, step, error, 4, y):
            time[0] = run.numbers[AT]
            accelerations(problem, room, time, y, rate)
            return DONE if balance_energy(problem, room, 0, run, time[0]) else LOST_ENERGY
        if kink == ON_END:
            run.counts[EVALUATIONS] = 0
            return RUNNING
    return RUNNING


@kernel
def _perturb(run, units, step, states, times):
    """States and times of all lanes: the one that is reached, and two about it for each coordinate, rate, and time."""
    size, free = states.shape[0], units.size
    for j in range(times.size):
        times[j] = run.numbers[AT]
        for i in range(size):
            states[i, j] = run.y[i, 0]
    for i in range(size):
        unit = units[i % free]
        change = JACOBIAN_STEP * (unit if i < free else max(unit, math.fabs(run.y[i, 0])))
        states[i, 1 + 2 * i] += change
        states[i, 2 + 2 * i] -= change
    times[times.size - 2] += TIME_STEP_SHARE * step
    times[times.size - 1] -= TIME_STEP_SHARE * step


@kernel
def _differences(states, rates, times, jacobian, by_time):
    """Derivatives (f, 2 f) of the accelerations by coordinates and their rates, and those by time."""
    size, free = states.shape[0], by_time.size
    for i in range(free):
        for k in range(size):
            way = states[k, 1 + 2 * k] - states[k, 2 + 2 * k]
            jacobian[i, k] = (rates[free + i, 1 + 2 * k] - rates[free + i, 2 + 2 * k]) / way
        last = times.size - 1
        by_time[i] = (rates[free + i, last - 1] - rates[free + i, last]) / (times[last - 1] - times[last])


@kernel
def _factorize(jacobian, share, matrix, order):
    """Factors of I / share - C - share K, by elimination with row pivots; False if it is singular."""
    n = order.size
    for i in range(n):
        order[i] = i
        for k in range(n):
            matrix[i, k] = (1.0 / share if i == k else 0.0) - (jacobian[i, n + k] + share * jacobian[i, k])
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            best = i if math.fabs(matrix[i, k]) > math.fabs(matrix[best, k]) else best
        if not math.fabs(matrix[best, k]) > 0.0:
            return False
        order[k], order[best] = order[best], order[k]
        for m in range(n):
            matrix[k, m], matrix[best, m] = matrix[best, m], matrix[k, m]
        for i in range(k + 1, n):
            matrix[i, k] /= matrix[k, k]
            for m in range(k + 1, n):
                matrix[i, m] -= matrix[i, k] * matrix[k, m]
    return True


@kernel
def _state(y, stages, s, out):
    """The state at which stage s is evaluated."""
    for i in range(out.shape[0]):
        out[i, 0] = y[i, 0]
        for m in range(s):
            out[i, 0] += A[s, m] * stages[m, i, 0]


@kernel
def _stage(jacobian, matrix, order, by_time, step, s, stages, rate):
    """Solve for stage s, given the derivatives (2 f, 1) at its state, which are overwritten."""
    n, share, found = order.size, GAMMA * step, stages[s]
    for i in range(2 * n):
        for m in range(s):
            rate[i, 0] += B[s, m] / step * stages[m, i, 0]
    for i in range(n):
        rate[n + i, 0] += SHARES[s] * step * by_time[i]
        for k in range(n):
            rate[n + i, 0] += share * jacobian[i, k] * rate[k, 0]
    for i in range(n):
        found[n + i, 0] = rate[n + order[i], 0]
        for k in range(i):
            found[n + i, 0] -= matrix[i, k] * found[n + k, 0]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            found[n + i, 0] -= matrix[i, k] * found[n + k, 0]
        found[n + i, 0] /= matrix[i, i]
        found[i, 0] = share * (rate[i, 0] + found[n + i, 0])


@kernel
def _power_slopes(states, power, times, slopes):
    """Derivatives (2 f + 1,) of the power that is supplied, by coordinates and their rates, and by time."""
    size, last = states.shape[0], times.size - 1
    for k in range(size):
        slopes[k] = (power[1 + 2 * k] - power[2 + 2 * k]) / (states[k, 1 + 2 * k] - states[k, 2 + 2 * k])
    slopes[size] = (power[last - 1] - power[last]) / (times[last - 1] - times[last])


@kernel
def _work_stage(slopes, power, step, s, stages, works):
    """Stage s of the work that is supplied, as if it were one more coordinate."""
    size = slopes.size - 1
    rate = power + SHARES[s] * step * slopes[size]
    for m in range(s):
        rate += B[s, m] / step * works[m]
    for k in range(size):
        rate += slopes[k] * stages[s, k, 0]
    works[s] = GAMMA * step * rate


@kernel
def _work(works):
    """The work over a step, J."""
    total = works[5]
    for m in range(5):
        total += A[5, m] * works[m]
    return total


@kernel
def _sample(run, step, stages, after):
    """Write the samples that a step passes."""
    at, end, k = run.numbers[AT], run.times[run.times.size - 1], run.counts[NEXT]
    ahead = end if step >= end - at else at + step
    while k < run.times.size and run.times[k] <= ahead:
        x = (run.times[k] - at) / step
        for i in range(after.shape[0]):
            first = second = 0.0
            for m in range(5):
                first += DENSE[0, m] * stages[m, i, 0]
                second += DENSE[1, m] * stages[m, i, 0]
            between = after[i, 0] + (1.0 - x) * (first + x * second)
            run.found[i, k] = after[i, 0] if run.times[k] == ahead else (1.0 - x) * run.y[i, 0] + x * between
        k += 1
    run.counts[NEXT] = k
