"""What integrators share: where an integration is, its tolerances, and how long its steps are."""

import math
from typing import NamedTuple

from sglibrary.array_types import Array, Ints
from sglibrary.convention import inlined, kernel
from sglibrary.tolerances import SHORTEST_TIME_STEP

RUNNING, DONE, STUCK, STIFF, WEAK, LOST_ENERGY = range(6)
"""How an integration stands: it goes on, is at its end, no step is short enough, an implicit method should go on, or
other free coordinates, or its energy does not balance."""

AT, STEP, GROWTH, ENOUGH, LENGTH, ERROR, POWER, FIXED, EXACT, *ENERGIES = range(16)
"""Its numbers: the time that it has reached, s; the step that is tried next, s; by how much steps may grow; the
conditioning of the groups from which on downward it is left after a step; the last step, s, 0 where there is none, and
its error, relative to the tolerance; the power that is supplied there, W; the length of all steps, s, where it is
fixed, else 0; 1 if the step that is tried next must not be longer, else 0; and those of `sglibrary.dynamics.energy`."""

NUMBERS = 16
"""How many numbers these are."""

NEXT, STEPS, REJECTED, EVALUATIONS, STIFFS, SMOOTHS = range(6)
"""Its counts: the next sample, steps, those rejected, evaluations, steps that look stiff, and others since then."""

MOST, LEAST, SAFE = 6.0, 1.0 / 3.0, 0.8
"""Factors from one step to the next (Hairer, Nørsett and Wanner 1993, II.5)."""

SUDDEN = 0.5
"""Least error of a step by that of the one before, at the same length."""

LOST = 0.25
"""Factor after a step on whose way a group cannot be solved."""


class Integration(NamedTuple):
    """An integration of f free coordinates, which can be left and taken up again after every step.

    Attributes
    ----------
    numbers, counts : (16,) and (6,) arrays
    y, rate : (2 f, 1) arrays
        Coordinates and their rates; the derivatives of both.
    rtol : float
    atol : (2 f,) array
    least : float
        Conditioning of the groups below which no step goes.
    times : (n,) array
        Of the samples, s; the first one is the start.
    found : (2 f, n) array
        Coordinates and rates at the samples, as far as the integration is.
    """

    numbers: Array
    counts: Ints
    y: Array
    rate: Array
    rtol: float
    atol: Array
    least: float
    times: Array
    found: Array


@kernel
def norm(x, run, after):
    """Root of the mean square of x (2 f, 1), relative to the tolerance at the larger one of two states."""
    total = 0.0
    for i in range(run.y.shape[0]):
        part = x[i, 0] / (run.atol[i] + run.rtol * max(math.fabs(run.y[i, 0]), math.fabs(after[i, 0])))
        total += part * part
    return math.sqrt(total / run.y.shape[0])


@kernel
def step_to_try(run):
    """The step that is tried next, to the end of the integration at most; 0 if time would stand still."""
    at, end = run.numbers[AT], run.times[run.times.size - 1]
    step = run.numbers[STEP]
    if not step > _shortest(run):
        return 0.0
    return end - at if at + 1.01 * step >= end and run.numbers[EXACT] == 0.0 else step


@inlined
def _shortest(run):
    """Length of a step by which time would stand still."""
    end = run.times[run.times.size - 1]
    return SHORTEST_TIME_STEP * max(math.fabs(run.numbers[AT]), math.fabs(end), end - run.times[0])


@kernel
def trusted(run, step, error, order):
    """Error of a step as far as its estimate is believed, given that of the one before.

    The estimate is a difference that passes zero along the way while the error does not. With few coordinates nothing
    else makes up for that, and the steps there would become far too long.
    """
    length = run.numbers[LENGTH]
    return max(error, SUDDEN * run.numbers[ERROR] * (step / length) ** order) if length > 0.0 else error


@kernel
def reject(run, step, error, order):
    """Choose a shorter step after one of some error relative to the tolerance, which is NaN where nothing is known.

    Where the length of steps is fixed there is none.
    """
    factor = max(LEAST, SAFE * error ** (-1.0 / order)) if error > 1.0 and math.isfinite(error) else LOST
    run.numbers[STEP] = step * factor if run.numbers[FIXED] == 0.0 else 0.0
    run.numbers[GROWTH], run.numbers[EXACT] = 1.0, 0.0
    run.counts[REJECTED] += 1


@kernel
def shorten(run, step, share):
    """Take a share of a step instead of it; whether time would go on by that."""
    if not share * step > _shortest(run):
        return False
    run.numbers[STEP], run.numbers[GROWTH], run.numbers[EXACT] = share * step, 1.0, 1.0
    run.counts[REJECTED] += 1
    return True


@kernel
def accept(run, step, error, order, after):
    """Move on, and choose the next step; whether the end is reached."""
    growth = run.numbers[GROWTH]
    factor = growth if error == 0.0 else min(growth, max(LEAST, SAFE * error ** (-1.0 / order)))
    end = run.times[run.times.size - 1]
    run.numbers[AT] = end if step >= end - run.numbers[AT] else run.numbers[AT] + step
    run.numbers[STEP] = step * factor if run.numbers[FIXED] == 0.0 else run.numbers[FIXED]
    run.numbers[GROWTH], run.numbers[EXACT] = MOST, 0.0
    run.numbers[LENGTH], run.numbers[ERROR] = step, error
    run.counts[STEPS] += 1
    for i in range(run.y.shape[0]):
        run.y[i, 0] = after[i, 0]
    return run.numbers[AT] >= end
