"""Singular positions that samples pass between two steps: they end at the step after.

Samples whose conditioning may touch zero are solved once more, all together, for the least values of every group, and
between the steps beside these: `groupkin.kinematics.crossings` says why and how.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cluster.batches import Batch, packed, part_of
from cluster.motions import driven_of, run
from cluster.sweeps import Sweep
from groupkin.kinematics.crossings import steps_after, suspects, unfollowed
from sglibrary import status as codes

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
NONE = np.zeros(0, np.int64)


def crossings(sweep: Sweep, batch: Batch, failures: Ints, near: Ints) -> dict[int, tuple[int, int, int]]:
    """First steps after singular positions, groups (from 0) and status of the samples that pass any.

    Parameters
    ----------
    batch : Batch
    failures : (n, 3) array of int
        Steps, groups and status at which samples end; what comes after is not looked at.
    near : (k,) array of int
        Samples that may have passed any.
    """
    found: dict[int, tuple[int, int, int]] = {}
    for stop in np.unique(failures[near, 0]).tolist():
        samples = near[failures[near, 0] == stop]
        own, times = _looked_at(batch, samples), sweep.times[:stop]
        conditioning, _ = _conditioning(own, times, driven_of(sweep, own, times))
        w, n, t = conditioning.shape
        rows, steps = suspects(conditioning.reshape(w * n, t), ~np.isnan(conditioning.reshape(w * n, t)))
        group, sample = np.divmod(rows, n)

        def look(places: Ints, times: Array, own: Batch = own, group: Ints = group, sample: Ints = sample) -> Array:
            few = part_of(own, sample[places])
            # times count in the laws of drivers alone: what reads them itself is not among these groups
            values, ends = _conditioning(few, times[0], driven_of(sweep, few, times))
            here = values[group[places], np.arange(places.size)]
            by_itself = ends == own.watched[group[places]]
            return np.where(np.isnan(here), np.where(by_itself, 0.0, np.inf)[:, None], here)

        after = steps_after(steps, times, look)
        for place in np.flatnonzero(after >= 0):
            one = int(after[place]), int(batch.watched[group[place]]), codes.SINGULAR
            k = int(samples[sample[place]])
            found[k] = min(found.get(k, one), one)
    return found


def _looked_at(batch: Batch, samples: Ints) -> Batch:
    """Some samples, without the groups that are iterated and what depends on these; only conditioning is kept."""
    own, family = part_of(batch, samples), batch.variants.family
    apart = unfollowed(family)
    constants, calls = packed(tuple(step for step in family.steps if step.group in apart))
    return replace(
        own,
        constants=constants[samples] if len(constants) > 1 else constants,
        calls=calls,
        kept=(NONE, NONE, NONE, batch.watched),
    )


def _conditioning(batch: Batch, times: Array, drivers: Array) -> tuple[Array, Ints]:
    """Conditioning (w, n, t) of the watched groups, NaN from where a sample ends, and the groups at which they end."""
    n, t = len(batch.lost), times.size
    results = tuple(np.empty((rows.size, n * t)) for rows in batch.kept)
    failures, _ = run(batch, times, drivers, results)
    return results[3].reshape(-1, n, t), failures[:, 1]
