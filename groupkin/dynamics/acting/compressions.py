"""How far stops are compressed along a motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from groupkin.dynamics.acting.acting import acting
from groupkin.dynamics.acting.along_coordinates import amount_of, range_of
from groupkin.kinematics.motion.ranges import EndStop
from groupkin.mechanism.forces.stop import Stop
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion


@dataclass(frozen=True)
class Compression:
    """The largest compression of a stop at an end of its range.

    Attributes
    ----------
    name : str
        Of the stop.
    end : EndStop
    depth : float
        How far the coordinate is beyond the end, rad or m.
    force : float
        Size of the push there, N m or N.
    time : float
        s.
    """

    name: str
    end: EndStop
    depth: float
    force: float
    time: float


def largest_compressions(motion: Motion) -> tuple[Compression, ...]:
    """List the largest compression of every stop at every end that a motion passes.

    Between the steps the coordinate is the cubic with its values and rates.
    """
    stops = [load for load in motion.program.mechanism.forces if isinstance(load, Stop)]
    return tuple(each for stop in stops for each in _of_stop(motion, stop))


def _of_stop(motion: Motion, stop: Stop) -> Iterator[Compression]:
    found, law = acting(motion, stop, True), stop.pull(motion.program.mechanism)
    assert found.coordinate is not None
    known = motion.solved
    if not known.any():
        return
    times, values, rates = _with_turning_points(motion.times[known], found.coordinate[known], found.rate[known])
    for end in range_of(motion.program, stop).stops:
        beyond = end.beyond(values)
        k = int(beyond.argmax())
        if beyond[k] > 0.0:
            push = amount_of(law, values[k : k + 1], rates[k : k + 1], True)
            yield Compression(stop.name, end, float(beyond[k]), float(abs(push[0])), float(times[k]))


def _with_turning_points(times: Array, values: Array, rates: Array) -> tuple[Array, Array, Array]:
    """Add the points between steps (n,) at which the cubics with their values and rates turn around."""
    from scipy.interpolate import CubicHermiteSpline

    if times.size < 2:
        return times, values, rates
    between = CubicHermiteSpline(times, values, rates)
    turns = np.unique(between.derivative().roots(discontinuity=False, extrapolate=False))
    turns = turns[np.isfinite(turns)]
    return (
        np.concatenate([times, turns]),
        np.concatenate([values, between(turns)]),
        np.concatenate([rates, np.zeros(turns.size)]),
    )
