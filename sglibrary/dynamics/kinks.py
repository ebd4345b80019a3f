"""Where the force of a stop has a kink: steps end there, and the integration begins anew.

Within a step that passes the end of a range the force is not smooth, and the error of the step is far above its
estimate. So the step is taken again up to the end, which is found on the cubic that has the values and rates of the
coordinate at both ends of the step. The cubic of the shorter step is nearer to the motion, and a few tries land on the
end. Nothing but the state at the beginning of a step enters, so an integration that is taken up again has the same
bits.
"""

import math

import numpy as np

from sglibrary.convention import inlined, kernel
from sglibrary.dynamics.equations import lanes_of
from sglibrary.dynamics.forces import along_stop
from sglibrary.dynamics.steps import FIXED, shorten

SMOOTH, ON_END, BEYOND = range(3)
"""How a step stands: it passes no end of a range, it ends on one, or it must be taken again, shorter."""

NO_END = 2.0
"""Share of a step that passes no end of a range."""

PLACES = np.array([1.0 / 64.0, 1.0 / 16.0, 0.25, 0.5, 0.75, 1.0])
"""Shares of a step at which coordinates are looked at; contacts that begin with the step may be short."""

HALVINGS = 60
"""Bisections with which a share is exact to rounding."""


@kernel
def measure(problem, room, lane, out):
    """Values and rates (s, 2) of the coordinates of all stops in a lane of a room, whose groups are solved."""
    lanes = lanes_of(problem.equations, room)
    for s in range(problem.forces.stops.size):
        out[s, 0], out[s, 1] = along_stop(problem.forces, s, problem.equations.dimension, room.state, lanes, lane)


@kernel
def end_at_kink(problem, room, lane, run, step, before, after):
    """Let a step end where it first passes the end of a range; how it stands.

    Parameters
    ----------
    problem : Problem
    room : Room
        With the end of the step in one of its lanes.
    lane : int
    run : Integration
        Before the step is accepted; its next try is shorter if the step must be taken again.
    step : float
        s.
    before, after : (s, 2) arrays
        Coordinates of the stops and their rates at the beginning of the step, which are moved on, and room for others.
    """
    if problem.forces.stops.size == 0 or run.numbers[FIXED] > 0.0:
        return SMOOTH
    measure(problem, room, lane, after)
    share = share_to_end(problem.forces, step, before, after)
    if share < 1.0 and shorten(run, step, share):
        return BEYOND
    for s in range(after.shape[0]):
        before[s, 0], before[s, 1] = after[s, 0], after[s, 1]
    return ON_END if share == 1.0 else SMOOTH


@kernel
def share_to_end(forces, step, before, after):
    """Share of a step up to the first end of a range that it passes, 1 if it ends there, else `NO_END`."""
    first = NO_END
    for s in range(forces.stops.size):
        for k in range(16, 18):
            end = forces.numbers[forces.stops[s], k]
            if math.isfinite(end):
                rates = step * before[s, 1], step * after[s, 1]
                first = min(first, _share(before[s, 0] - end, after[s, 0] - end, rates, forces.near[s]))
    return first


@kernel
def _share(start, end, rates, near):
    """The share for one end of a range, given where a coordinate is relative to it, and its rates per step."""
    side, known = (0.0 if math.fabs(start) <= near else math.copysign(1.0, start)), 0.0
    for k in range(PLACES.size):
        x = _between(start, end, rates, PLACES[k])
        if side == 0.0 and math.fabs(x) > near:
            side = math.copysign(1.0, x)
        if side * x < -near:
            low, high = known, PLACES[k]
            for _ in range(HALVINGS):
                middle = 0.5 * (low + high)
                if side * _between(start, end, rates, middle) < 0.0:
                    high = middle
                else:
                    low = middle
            return high
        known = PLACES[k]
    return 1.0 if side != 0.0 and math.fabs(end) <= near else NO_END


@inlined
def _between(start, end, rates, x):
    """The cubic with values and rates at both ends of a step, at a share of it."""
    way = end - start
    bent = 3.0 * way - 2.0 * rates[0] - rates[1] + x * (rates[0] + rates[1] - 2.0 * way)
    return end if x == 1.0 else start + x * (rates[0] + x * bent)
