"""Singular positions that samples pass between two steps: they end at the step after.

Samples whose conditioning may touch zero are solved once more, all together, for the least values of every group, and
between the steps beside these: `groupkin.kinematics.solving.crossings` says why and how.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cluster.solving.sample_blocks import Batch, part_of
from cluster.solving.sample_motions import Memories, driven_of, run
from cluster.sweeps.description import Sweep
from groupkin.kinematics.solving.crossings import steps_after, suspects
from sglibrary import status as codes

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
NONE = np.zeros(0, np.int64)


def crossings(
    sweep: Sweep, batch: Batch, failures: Ints, near: Ints, memories: Memories | None
) -> dict[int, tuple[int, int, int]]:
    """First steps after singular positions, groups (from 0) and status of the samples that pass any.

    Parameters
    ----------
    batch : Batch
    failures : (n, 3) array of int
        Steps, groups and status at which samples end; what comes after is not looked at.
    near : (k,) array of int
        Samples that may have passed any.
    memories : tuple, optional
        Of all samples, if groups are iterated.
    """
    found: dict[int, tuple[int, int, int]] = {}
    watching = replace(batch, kept=(NONE, NONE, NONE, batch.watched))
    ends = np.unique(failures[near, 0])
    for stop in ends[ends > 1].tolist():  # those that end at once pass nothing
        samples, times = near[failures[near, 0] == stop], sweep.times[:stop]

        def conditioning(places: Ints, times: Array, samples: Ints = samples) -> tuple[Array, Ints]:
            return _conditioning(sweep, watching, memories, samples[places], times)

        values, _ = conditioning(np.arange(samples.size), times)
        w, n, t = values.shape
        rows, steps = suspects(values.reshape(w * n, t), ~np.isnan(values.reshape(w * n, t)))
        group, sample = np.divmod(rows, n)

        def look(
            places: Ints, times: Array, conditioning: Look = conditioning, group: Ints = group, sample: Ints = sample
        ) -> Array:
            values, ends = conditioning(sample[places], times)
            here = values[group[places], np.arange(places.size)]
            by_itself = ends == batch.watched[group[places]]
            return np.where(np.isnan(here), np.where(by_itself, 0.0, np.inf)[:, None], here)

        after = steps_after(steps, times, look)
        for place in np.flatnonzero(after >= 0):
            one = int(after[place]), int(batch.watched[group[place]]), codes.SINGULAR
            k = int(samples[sample[place]])
            found[k] = min(found.get(k, one), one)
    return found


Look = Callable[[Ints, Array], tuple[Array, Ints]]


def _conditioning(
    sweep: Sweep, batch: Batch, memories: Memories | None, samples: Ints, times: Array
) -> tuple[Array, Ints]:
    """Conditioning (w, n, t) of watched groups in some samples, NaN from where they end, and the groups at which."""
    own, n, t = part_of(batch, samples), samples.size, times.shape[-1]
    results = tuple(np.empty((rows.size, n * t)) for rows in batch.kept)
    remembered = None if memories is None else (memories[0], memories[1][samples])
    failures, _ = run(own, times, driven_of(sweep, own, times), results, remembered)
    return results[3].reshape(-1, n, t), failures[:, 1]
