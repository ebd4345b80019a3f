"""Ranges of many samples: how far each sample is beyond its own ends, which range it leaves first, and when."""

from __future__ import annotations

import numpy as np

from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.motion.ranges import beyond, ranges_of, turned_into
from groupkin.kinematics.parameters.named_values import named
from groupkin.kinematics.samples.sample_bands import Band, end_earlier, read_again
from groupkin.kinematics.samples.sample_motions import OUTSIDE
from groupkin.kinematics.samples.sources import Components
from groupkin.tolerances import ON_RANGE
from sglibrary.array_types import Array, Ints

Excesses = dict[Quantity, Array]
"""Of each quantity that has a range how far it is beyond (n, t), see `groupkin.kinematics.motion.ranges.beyond`."""


def excesses(band: Band, components: dict[Quantity, Components], failures: Ints) -> Excesses:
    """Compute how far the samples of a band that was solved are beyond their ranges; NaN where they are not solved.

    Parameters
    ----------
    band : Band
        Its variation reads the quantities that have ranges.
    components : dict of Quantity to Components
    failures : (n, 3) array of int
        See `read_band`.
    """
    variation, found = band.variation, Excesses()
    steps = variation.times.shape[-1]
    numbers = named(variation.targets, (x[band.samples, None] for x in band.block.values))
    lost = np.arange(steps) >= failures[:, :1]
    for each in ranges_of(variation.program):
        low, high = each.at(numbers)
        values = np.where(lost, np.nan, components[each.quantity][0])
        values = turned_into(values, each, ends=(low, high)) if each.turning else values
        found[each.quantity] = beyond(values, low, high, ON_RANGE * each.scale(variation.program.geometry.size))
    return found


def first_left(found: Excesses, times: Array) -> tuple[Ints, Array, Ints]:
    """Find which range each sample leaves first, and when.

    Parameters
    ----------
    found : Excesses
    times : (t,) or (n, t) array
        s.

    Returns
    -------
    (n,) array of int
        Number of the range, from 1; 0 of samples that leave none.
    (n,) array
        Time, s; NaN of samples that leave none.
    (n,) array of int
        Step; the number of times of samples that leave none.
    """
    past = np.array([np.abs(x) > 0.0 for x in found.values()])
    outside, samples = np.any(past, axis=0), np.arange(past.shape[1])
    left, step = outside.any(axis=1), outside.argmax(axis=1)
    number = np.where(left, 1 + past[:, samples, step].argmax(axis=0), 0)
    time = np.where(left, np.broadcast_to(times, outside.shape)[samples, step], np.nan)
    return number, time, np.where(left, step, outside.shape[1])


def farthest(excess: Array) -> Array:
    """Return the numbers (n,) of (n, t) that are farthest from 0; NaN where one is not known."""
    return np.asarray(excess[np.arange(len(excess)), np.abs(excess).argmax(axis=1)])


def ended_outside(band: Band, failures: Ints, steps: Ints) -> dict[Quantity, Components]:
    """Let samples of a band fail at the steps (n,) at which they leave a range, and read what is left of them.

    The failures (n, 3) are changed.
    """
    early = np.flatnonzero(steps < failures[:, 0])
    end_earlier(band, failures, {int(k): (int(steps[k]), -1, OUTSIDE) for k in early})
    return read_again(band)
