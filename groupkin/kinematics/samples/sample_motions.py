"""The motions of samples: what their drivers do, and all groups solved at all times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import LawError, TooManyKnotsError
from groupkin.kinematics.parameters.named_values import law_values
from groupkin.kinematics.parameters.nominal_values import driver_of, law_value
from groupkin.kinematics.parameters.parameters import LawValue
from groupkin.kinematics.program.program import Call, Driven, Program, linked_driven, variant_of_call
from groupkin.kinematics.samples.sample_blocks import SampleBlock
from groupkin.kinematics.samples.variation import Variation
from groupkin.kinematics.solving.block_sizes import block_of
from groupkin.kinematics.solving.driver_values import given_drivers
from groupkin.kinematics.solving.state_memory import aligned_rows, pitch_of
from groupkin.kinematics.solving.tracking import track
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.laws.over import Over
from sglibrary import status as codes
from sglibrary.run.calls import State
from sglibrary.run.sample_loop import SampleResults, Samples, WatchedSamples, solve_samples
from sglibrary.trigonometry import cosine_sine

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
NO_LAW, NO_SHAPE, NO_MODE, OUTSIDE, NO_LOADS = 5, 6, 7, 8, 9
STATUS = {
    **{code: text for code, text in codes.MEANING.items() if code != codes.NO_INPUT},
    NO_LAW: "motion law is not possible",
    NO_SHAPE: "dimensions are not possible",
    NO_MODE: "no such assembly mode",
    OUTSIDE: "outside of a range",
    NO_LOADS: "masses or forces are not possible",
}
"""How samples end."""

Memories = tuple[Array, Ints]
"""What iterated groups remember: all numbers, and where those of each sample and call begin (n or 1, calls + 1)."""


def changes_of(variation: Variation, block: SampleBlock) -> dict[int, dict[LawValue, Array]]:
    """For every driver whose law varies, by number: what varies, and its values (n,)."""
    changes: dict[int, dict[LawValue, Array]] = {}
    for target, x in law_values(variation.program, variation.targets, block.values).items():
        changes.setdefault(driver_of(target, variation.program), {})[target] = x
    return changes


def driven_of(variation: Variation, block: SampleBlock, times: Array) -> Array:
    """Value, rate, acceleration, cosine and sine (n, d, 5, t) of all drivers for the samples of a block.

    Parameters
    ----------
    times : (t,) or (n, t) array
        s; the same for all samples, or their own.
    """
    count, steps = len(block.lost), times.shape[-1]
    out = np.zeros((count, len(variation.program.drivers), 5, steps))
    changes, drivers = changes_of(variation, block), variation.program.drivers
    leaders = [leader_of(driven, drivers) for driven in drivers]
    for k in leaders_first(leaders):
        driven, leader = drivers[k], leaders[k]
        if leader is not None and leader in changes:
            follow(driven.law, changes.setdefault(k, {}), out[:, leader, :3], out[:, k, :3])
        else:
            rows_of(driven, changes.get(k, {}), times, out[:, k, :3])
        if driven.middle:
            # one that reaches a quarter turn is no position of the joint
            out[:, k, 0][np.abs(out[:, k, 0]) >= np.pi / 2] = np.nan
        if driven.rotation:
            cosine, sine = np.empty(count * steps), np.empty(count * steps)
            cosine_sine(np.ascontiguousarray(out[:, k, 0]).ravel(), cosine, sine)
            out[:, k, 3], out[:, k, 4] = cosine.reshape(count, steps), sine.reshape(count, steps)
    return out


def rows_of(driven: Driven, changes: Mapping[LawValue, Array], times: Array, out: Array) -> None:
    """Write value, rate and acceleration of a driver for n samples.

    Where only numbers vary in which laws are linear, none is evaluated more than once.

    Parameters
    ----------
    driven : Driven
    changes : mapping of LawValue to (n,) array
        What varies of the law, and its values.
    times : (t,) or (n, t) array
        s; the same for all samples, or those of each.
    out : (n, 3, t) array
        Filled; NaN of samples whose law is not possible, such as one of samples at times that do not increase.
    """
    law = driven.law
    if all(target.field in law.linear for target in changes):
        out[:] = _at(law, times)
        for target, values in changes.items():
            nominal = float(law_value(law, target))
            basis = _at(changed_law(law.scaled(0.0), target, 1.0), times)
            out += (values - nominal)[:, None, None] * basis
        return
    for k in range(len(out)):
        try:
            out[k] = law_of(law, changes, k).at(times if times.ndim == 1 else times[k])
        except LawError:
            out[k] = np.nan


def leader_of(driven: Driven, drivers: Sequence[Driven]) -> int | None:
    """Return the number of the driver over whose coordinate a law is, if there is one."""
    coordinate = driven.law.coordinate if isinstance(driven.law, Over) else None
    return next((k for k, each in enumerate(drivers) if (each.joint, each.freedom) == coordinate), None)


def leaders_first(leaders: Sequence[int | None]) -> list[int]:
    """Numbers of drivers, each after the one that leads it."""

    def depth(k: int | None) -> int:
        return 0 if k is None else 1 + depth(leaders[k])

    return sorted(range(len(leaders)), key=depth)


def follow(law: Law, changes: Mapping[LawValue, Array], leading: Array, out: Array) -> None:
    """Write the rows (n, 3, t) of a driver for n samples, by those of its leader, which varies."""
    for k, (rows, lead) in enumerate(zip(out, leading, strict=True)):
        try:
            led = law_of(law, changes, k)
            rows[:] = led.led_by(lead) if isinstance(led, Over) and np.isfinite(lead).all() else np.nan
        except LawError:
            rows[:] = np.nan


def _at(law: Law, times: Array) -> Array:
    """Evaluate a law at times (t,) as (3, t), or at times (n, t) as (n, 3, t)."""
    return np.moveaxis(law.at(times.ravel()).reshape(3, *times.shape), 0, -2)


def law_of(law: Law, changes: Mapping[LawValue, Array], k: int) -> Law:
    """Return the law of sample k."""
    for target, values in changes.items():
        law = changed_law(law, target, float(values[k]))
    return law


def changed_law(law: Law, target: LawValue, value: float) -> Law:
    """Return a law with one of its numbers changed."""
    if target.index is None:
        return law.changed(target.field, value)
    numbers = list(law.numbers[target.field])
    numbers[target.index] = value
    return law.changed(target.field, tuple(numbers))


def run(
    block: SampleBlock, times: Array, drivers: Array, results: tuple[Array, ...], memories: Memories | None = None
) -> tuple[Ints, NDArray[np.bool_]]:
    """Solve all samples of a block.

    Parameters
    ----------
    times : (t,) or (n, t) array
        s; the same for all samples, or their own.
    drivers : (n or 1, d, 5, t) array
    results : tuple of (rows, at least n t) arrays
        Filled with the rows that the block keeps, one sample after another.
    memories : tuple, optional
        If groups are iterated.

    Returns
    -------
    failures : (n, 3) array of int
        Step, group (from 0) and status (`STATUS`) at which each sample ends; the number of times if it is solved.
    near : (n,) array of bool
        Whether singular positions may have been passed between steps, see `groupkin.kinematics.samples.crossings`.
    """
    family = block.variants.family
    count, groups, steps = len(block.lost), len(family.structure.groups), times.shape[-1]
    block_steps = block_of(family, steps)
    pitch = pitch_of(block_steps)
    nothing = np.zeros(1), np.zeros((1, block.calls.groups.size + 1), np.int64)
    failures, near = np.zeros((count, 3), np.int64), np.zeros(count, bool)
    solve_samples(
        block.calls,
        Samples(block.constants, *(memories or nothing), *block.fixed),
        np.ascontiguousarray(np.atleast_2d(times)),
        given_drivers(family, drivers),
        State(*(aligned_rows(rows, pitch) for rows in (*[block.rows] * 3, groups))),
        np.zeros((groups, pitch), np.uint8),
        SampleResults(block.kept, results, failures),
        WatchedSamples(block.watched, np.zeros((block.watched.size, steps)), np.zeros(2), near),
        block_steps,
    )
    _tell_why(drivers, failures)
    failures[(block.lost > 0) & (failures[:, 1] == block.lost - 1), 2] = NO_MODE
    solved = failures[:, 2] == codes.SOLVED
    failures[block.shapeless & solved, 1] = -1  # what is not possible is in no group
    failures[block.shapeless, 0], failures[block.shapeless, 2] = 0, NO_SHAPE
    for x in results:
        x[:, : count * steps].reshape(-1, count, steps)[:, block.shapeless] = np.nan
    return failures, near


def _tell_why(drivers: Array, failures: Ints) -> None:
    """The status of failures where a driver (n or 1, d, 5, t) has no value, or has none at all.

    The first is so where the middle one of three rotations is a quarter turn, the second where a law is not possible.
    """
    undefined = np.asarray(np.isnan(drivers[:, :, 0]).any(axis=1))
    first = np.where(undefined.any(axis=1), undefined.argmax(axis=1), -1)
    lawless = np.isnan(drivers[:, :, 1, 0]).any(axis=1)
    there = failures[:, 0] == first
    failures[there, 2] = np.where(np.broadcast_to(lawless, there.shape)[there], NO_LAW, codes.SINGULAR)


def memories(variation: Variation, block: SampleBlock, low: int, high: int) -> Memories | None:
    """What iterated groups remember in samples low to high - 1 of a block."""
    calls = block.variants.family.calls
    if not variation.program.iterates:
        return None
    remembered: list[Array] = []
    times = np.broadcast_to(variation.times, (high - low, variation.times.shape[-1]))
    for k in range(low, high):
        try:
            followed = not (block.lost[k] or block.shapeless[k])
            remembered += (
                track(_program(variation, block, k), times[k - low], resume=False) if followed else _lost(calls)
            )
        except TooManyKnotsError:
            remembered += _lost(calls, NO_LAW)
        except LawError:  # told by `_tell_why`
            remembered += _lost(calls)
    ends = np.cumsum([0, *(x.size for x in remembered)])
    starts = np.stack([ends[k * len(calls) : (k + 1) * len(calls) + 1] for k in range(high - low)])
    others = block.calls.groups.size - len(calls)  # which remember nothing
    starts = np.concatenate([starts, *[starts[:, -1:]] * others], axis=1)
    return np.concatenate(remembered), starts


def _lost(calls: tuple[Call, ...], why: int = codes.CANNOT_ASSEMBLE) -> list[Array]:
    """What is remembered of a sample that is not followed."""
    return [np.array([0.0, why]) if call.knot is not None else np.zeros(1) for call in calls]


def _program(variation: Variation, block: SampleBlock, k: int) -> Program:
    """The program of sample k of a block, as far as following its groups needs it."""
    family, laws = block.variants.family, changes_of(variation, block)

    def number_of(numbers: Array | float) -> float:
        listed = np.ravel(numbers)
        return float(listed[k] if listed.size > 1 else listed[0])

    drivers = []
    # fits give the drivers of the program other laws than the mechanism states
    for number, (driven, own) in enumerate(zip(family.drivers, variation.program.drivers, strict=True)):
        law = law_of(own.law, laws.get(number, {}), k)
        drivers.append(replace(driven, law=law, reference=number_of(driven.reference)))
    return replace(
        family,
        calls=tuple(variant_of_call(call, k if len(call.constants) > 1 else 0) for call in family.calls),
        drivers=linked_driven(drivers),
        # rows after those of the program are for what is read
        fixed={row: number_of(value) for row, value in family.fixed.items() if row < family.rows},
    )
