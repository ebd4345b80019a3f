"""Singular positions that samples pass between two steps: they end at the step after.

Samples whose conditioning may touch zero are solved once more, all together, for the least values of every group, and
between the steps beside these: `groupkin.kinematics.solving.crossings` says why and how.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.samples.sample_blocks import SampleBlock, select
from groupkin.kinematics.samples.sample_motions import Memories, driven_of, run
from groupkin.kinematics.samples.variation import Variation
from groupkin.kinematics.solving.crossings import steps_after, suspects
from sglibrary import status as codes

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Failure = tuple[int, int, int]
"""The step, group (from 0) and status at which a sample ends."""

NONE = np.zeros(0, np.int64)


def crossings(
    variation: Variation, block: SampleBlock, failures: Ints, near: Ints, memories: Memories | None
) -> dict[int, Failure]:
    """Find the first failures after singular positions, of the samples that pass any.

    Parameters
    ----------
    variation : Variation
    block : SampleBlock
    failures : (n, 3) array of int
        Steps, groups and status at which samples end; what comes after is not looked at.
    near : (k,) array of int
        Samples that may have passed any.
    memories : tuple, optional
        Of all samples, if groups are iterated.
    """
    earlier: dict[int, Failure] = {}
    watching = replace(block, kept=(NONE, NONE, NONE, block.watched))
    ends = np.unique(failures[near, 0])
    for stop in ends[ends > 1].tolist():  # those that end at once pass nothing
        samples, times = near[failures[near, 0] == stop], variation.times[..., :stop]
        times = times if times.ndim == 1 else times[samples]

        def conditioning(which: Ints, times: Array, samples: Ints = samples) -> tuple[Array, Ints]:
            return _conditioning(variation, watching, memories, samples[which], times)

        values, _ = conditioning(np.arange(samples.size), times)
        w, n, t = values.shape
        rows, steps = suspects(values.reshape(w * n, t), ~np.isnan(values.reshape(w * n, t)))
        group, sample = np.divmod(rows, n)

        def look(
            which: Ints, times: Array, conditioning: Look = conditioning, group: Ints = group, sample: Ints = sample
        ) -> Array:
            values, ends = conditioning(sample[which], times)
            watched = values[group[which], np.arange(which.size)]
            by_itself = ends == block.watched[group[which]]
            return np.where(np.isnan(watched), np.where(by_itself, 0.0, np.inf)[:, None], watched)

        after = steps_after(steps, times if times.ndim == 1 else times[sample], look)
        for i in np.flatnonzero(after >= 0):
            failure = int(after[i]), int(block.watched[group[i]]), codes.SINGULAR
            k = int(samples[sample[i]])
            earlier[k] = min(earlier.get(k, failure), failure)
    return earlier


Look = Callable[[Ints, Array], tuple[Array, Ints]]


def _conditioning(
    variation: Variation, block: SampleBlock, memories: Memories | None, samples: Ints, times: Array
) -> tuple[Array, Ints]:
    """Compute the conditioning (w, n, t) of watched groups in some samples, and the groups at which these end."""
    selected, n, t = select(block, samples), samples.size, times.shape[-1]
    results = tuple(np.empty((rows.size, n * t)) for rows in block.kept)
    memory = None if memories is None else (memories[0], memories[1][samples])
    failures, _ = run(selected, times, driven_of(variation, selected, times), results, memory)
    return results[3].reshape(-1, n, t), failures[:, 1]
