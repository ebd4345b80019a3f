"""Whole turns of angles over a motion: from their rates, and where steps are long from steps in between.

A position tells an angle up to whole turns. From one step to the next these follow from the mean of the rates at both,
as long as nothing turns far between. Where drivers do, or rates do not fit, the motion is solved at steps in between.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GroupkinWarning
from groupkin.tolerances import SAME_ANGLE

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]
Read = Callable[["Motion"], tuple[Array, Array]]
"""Reads an angle (n,), rad, up to whole turns from a motion, and its rate (n,), rad/s, or (0,) if it is not known."""

COARSE = 1.0
"""Largest change of a driver within a step (rad, or sizes of the mechanism) over which rates at its ends tell turns."""

FINE = 0.25
"""Change of a driver (rad, or sizes of the mechanism) between the steps that are solved where a step is longer."""

AGAIN = 8
"""Number of steps that take the place of each where rates do not fit the angles."""

MOST = 200_000
"""Number of steps up to which a motion is solved again: a second or two."""


def with_turns(motion: Motion, read: Read, what: str) -> Array:
    """Read an angle (n,), rad, with whole turns from step to step.

    Parameters
    ----------
    motion : Motion
    read : callable
    what : str
        What the angle is, in a warning that whole turns may be missing.
    """
    angles, rates = read(motion)
    solved = np.isfinite(angles)
    if motion.by_themselves or np.count_nonzero(solved) < 2:
        return angles
    counts = _shares(motion)
    turned, doubted = _unwrapped(motion.times, angles, rates)
    if counts is None and not doubted:
        return turned
    doubted = True
    finer = _finer(motion, np.full(motion.times.size - 1, AGAIN) if counts is None else counts)
    if finer is not None:
        between, at = finer
        found, its = read(between)
        off = (found[at] - angles)[solved]
        if np.abs(off - 2 * np.pi * np.round(off / (2 * np.pi))).max() < SAME_ANGLE:
            followed, doubted = _unwrapped(between.times, found, its)
            turned = angles + 2 * np.pi * np.round((followed[at] - angles) / (2 * np.pi))
    if doubted:
        warnings.warn(
            f"{what} changes so much from one step to the next that it may lack whole turns; solve with smaller steps",
            GroupkinWarning,
            stacklevel=4,
        )
    return turned


def _unwrapped(times: Array, angles: Array, rates: Array) -> tuple[Array, bool]:
    """Add whole turns to angles by their rates; and tell whether some may be missing."""
    from sglibrary.unwrap import unwrap

    solved = np.isfinite(angles)
    row = angles[solved][None]
    known = rates[solved] if rates.size else rates
    fits = rates.size == 0 or bool(np.isfinite(known).all())
    doubted = unwrap(row, (known if fits else known[:0])[None], times[None, solved]) if row.size else 0
    out = angles.copy()
    out[solved] = row[0]
    return out, bool(doubted)


def _shares(motion: Motion) -> NDArray[np.int64] | None:
    """Count into how many steps each is to be divided; None if drivers move little in all of them."""
    program = motion.program
    if not program.drivers or motion.times.size < 2:
        return None
    change = np.nan_to_num(np.abs(np.diff(motion.driven[:, 0], axis=1)) / program.units[:, None]).max(axis=0)
    if change.max() <= COARSE:
        return None
    return np.where(change > COARSE, np.ceil(np.minimum(change / FINE, MOST + 1)), 1.0).astype(np.int64)


def _finer(motion: Motion, counts: NDArray[np.int64]) -> tuple[Motion, NDArray[np.int64]] | None:
    """Solve a motion with steps in between, and say which of them are its own; None if they are too many."""
    if counts.sum() > MOST:
        return None
    at = np.concatenate([[0], np.cumsum(counts)])
    steps = np.arange(motion.times.size)
    places = np.interp(np.arange(at[-1] + 1), at, steps)
    if motion.inputs is None:
        times = np.interp(places, steps, motion.times)
        times[at] = motion.times
        values = [driven.law.at(times)[0] for driven in motion.program.drivers]
    else:
        values = [np.interp(places, steps, row) for row in motion.inputs.values[:, 0]]
    return motion.program.evaluate(values, path=True), at
