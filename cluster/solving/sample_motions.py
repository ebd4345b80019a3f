"""The motions of samples: what their drivers do, and all groups solved at all times."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cluster.solving.sample_blocks import SampleBlock
from cluster.solving.sample_drivers import rows_of
from cluster.sweeps.description import Sweep
from cluster.sweeps.law_numbers import changed_law, driver_of
from cluster.sweeps.parameters import LawValue
from groupkin.errors import LawError
from groupkin.kinematics.program.program import Call, Program, variant_of_call
from groupkin.kinematics.solving.blocks import aligned_rows, block_of, given_drivers, pitch_of
from groupkin.kinematics.solving.tracking import track
from sglibrary import status as codes
from sglibrary.run.calls import State
from sglibrary.run.sample_loop import SampleResults, Samples, WatchedSamples, solve_samples
from sglibrary.trigonometry import cosine_sine

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
NO_LAW, NO_SHAPE, NO_MODE = 5, 6, 7
STATUS = {
    **{code: text for code, text in codes.MEANING.items() if code != codes.NO_INPUT},
    NO_LAW: "motion law is not possible",
    NO_SHAPE: "dimensions are not possible",
    NO_MODE: "no such assembly mode",
}
"""How samples end."""

Memories = tuple[Array, Ints]
"""What iterated groups remember: all numbers, and where those of each sample and call begin (n or 1, calls + 1)."""


def changes_of(sweep: Sweep, batch: SampleBlock) -> dict[int, dict[LawValue, Array]]:
    """For every driver whose law varies, by number: what varies, and its values (n,)."""
    found: dict[int, dict[LawValue, Array]] = {}
    for one, x in zip(sweep.parameters, batch.values, strict=True):
        if isinstance(one.of, LawValue):
            found.setdefault(driver_of(one.of, sweep.program), {})[one.of] = x
    return found


def driven_of(sweep: Sweep, batch: SampleBlock, times: Array) -> Array:
    """Value, rate, acceleration, cosine and sine (n, d, 5, t) of all drivers for the samples of a batch.

    Parameters
    ----------
    times : (t,) or (n, t) array
        s; the same for all samples, or their own.
    """
    count, steps = len(batch.lost), times.shape[-1]
    out = np.zeros((count, len(sweep.program.drivers), 5, steps))
    changes = changes_of(sweep, batch)
    for k, driven in enumerate(sweep.program.drivers):
        rows_of(driven, changes.get(k, {}), times, out[:, k, :3])
        if driven.middle:
            # one that reaches a quarter turn is no position of the joint
            out[:, k, 0][np.abs(out[:, k, 0]) >= np.pi / 2] = np.nan
        if driven.rotation:
            cosine, sine = np.empty(count * steps), np.empty(count * steps)
            cosine_sine(np.ascontiguousarray(out[:, k, 0]).ravel(), cosine, sine)
            out[:, k, 3], out[:, k, 4] = cosine.reshape(count, steps), sine.reshape(count, steps)
    return out


def run(
    batch: SampleBlock, times: Array, drivers: Array, results: tuple[Array, ...], memories: Memories | None = None
) -> tuple[Ints, NDArray[np.bool_]]:
    """Solve all samples of a batch.

    Parameters
    ----------
    times : (t,) or (n, t) array
        s; the same for all samples, or their own.
    drivers : (n or 1, d, 5, t) array
    results : tuple of (rows, at least n t) arrays
        Filled with the rows that the batch keeps, one sample after another.
    memories : tuple, optional
        If groups are iterated.

    Returns
    -------
    failures : (n, 3) array of int
        Step, group (from 0) and status (`STATUS`) at which each sample ends; the number of times if it is solved.
    near : (n,) array of bool
        Whether singular positions may have been passed between steps, see `cluster.solving.crossings`.
    """
    family = batch.variants.family
    count, groups, steps = len(batch.lost), len(family.structure.groups), times.shape[-1]
    block = block_of(family, steps)
    pitch = pitch_of(block)
    nothing = np.zeros(1), np.zeros((1, batch.calls.groups.size + 1), np.int64)
    failures, near = np.zeros((count, 3), np.int64), np.zeros(count, bool)
    solve_samples(
        batch.calls,
        Samples(batch.constants, *(memories or nothing), *batch.fixed),
        np.atleast_2d(times),
        given_drivers(family, drivers),
        State(*(aligned_rows(rows, pitch) for rows in (*[batch.rows] * 3, groups))),
        np.zeros((groups, pitch), np.uint8),
        SampleResults(batch.kept, results, failures),
        WatchedSamples(batch.watched, np.zeros((batch.watched.size, steps)), np.zeros(2), near),
        block,
    )
    _tell_why(drivers, failures)
    failures[(batch.lost > 0) & (failures[:, 1] == batch.lost - 1), 2] = NO_MODE
    solved = failures[:, 2] == codes.SOLVED
    failures[batch.shapeless & solved, 1] = -1  # what is not possible is in no group
    failures[batch.shapeless, 0], failures[batch.shapeless, 2] = 0, NO_SHAPE
    for x in results:
        x[:, : count * steps].reshape(-1, count, steps)[:, batch.shapeless] = np.nan
    return failures, near


def _tell_why(drivers: Array, failures: Ints) -> None:
    """The status of failures where a driver (n or 1, d, 5, t) has no value, or has none at all.

    The first is so where the middle one of three rotations is a quarter turn, the second where a law is not possible.
    """
    nowhere = np.asarray(np.isnan(drivers[:, :, 0]).any(axis=1))
    first = np.where(nowhere.any(axis=1), nowhere.argmax(axis=1), -1)
    lawless = np.isnan(drivers[:, :, 1, 0]).any(axis=1)
    here = failures[:, 0] == first
    failures[here, 2] = np.where(np.broadcast_to(lawless, here.shape)[here], NO_LAW, codes.SINGULAR)


def memories(sweep: Sweep, batch: SampleBlock, low: int, high: int) -> Memories | None:
    """What iterated groups remember in samples low to high - 1 of a block."""
    calls = batch.variants.family.calls
    if not sweep.program.iterates:
        return None
    found: list[Array] = []
    for k in range(low, high):
        try:
            own = None if batch.lost[k] or batch.shapeless[k] else _program(sweep, batch, k)
            found += _lost(calls) if own is None else track(own, sweep.times, resume=False)
        except LawError:  # told by `_tell_why`
            found += _lost(calls)
    ends = np.cumsum([0, *(one.size for one in found)])
    places = np.stack([ends[k * len(calls) : (k + 1) * len(calls) + 1] for k in range(high - low)])
    others = batch.calls.groups.size - len(calls)  # which remember nothing
    places = np.concatenate([places, *[places[:, -1:]] * others], axis=1)
    return np.concatenate(found), places


def _lost(calls: tuple[Call, ...]) -> list[Array]:
    """What is remembered of a sample that is not followed."""
    return [np.array([0.0, codes.CANNOT_ASSEMBLE]) if call.knot is not None else np.zeros(1) for call in calls]


def _program(sweep: Sweep, batch: SampleBlock, k: int) -> Program:
    """The program of sample k of a block, as far as following its groups needs it."""
    family, laws = batch.variants.family, changes_of(sweep, batch)

    def own(numbers: Array | float) -> float:
        listed = np.ravel(numbers)
        return float(listed[k] if listed.size > 1 else listed[0])

    drivers = []
    for number, driven in enumerate(family.drivers):
        law = driven.law
        for target, x in laws.get(number, {}).items():
            law = changed_law(law, target, float(x[k]))
        drivers.append(replace(driven, law=law, reference=own(driven.reference)))
    return replace(
        family,
        calls=tuple(variant_of_call(call, k if len(call.constants) > 1 else 0) for call in family.calls),
        drivers=tuple(drivers),
        fixed={row: own(value) for row, value in family.fixed.items()},
    )
