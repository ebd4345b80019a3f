"""Solve a program at given times: blocks of steps pass through all groups, one after another."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import floats
from groupkin.errors import ArgumentError, GroupkinWarning, SolveError, TimesError, shown
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving import passages
from groupkin.kinematics.solving.block_sizes import BLOCK
from groupkin.kinematics.solving.crossings import crossings
from groupkin.kinematics.solving.driver_values import drivers_at, require_laws
from groupkin.kinematics.solving.failures import failure
from groupkin.kinematics.solving.motion_memory import SolverMemory, allocate, prepared, reused, with_memory
from groupkin.kinematics.solving.tracking import track, track_again
from groupkin.mechanism.points import LARGEST
from sglibrary import status as codes
from sglibrary.array_types import Array
from sglibrary.run.motion_loop import ordered, solve_steps
from sglibrary.run.near_singular import FEW

Progress = Callable[[int, int], None]
Fill = Callable[[Motion, bool, Progress | None], tuple[bool, bool]]


def run(
    program: Program,
    times: ArrayLike,
    *,
    on_failure: str = "raise",
    on_singular: str = "fail",
    out: Motion | None = None,
    block: int | None = None,
    keep: tuple[Quantity, ...] | None = None,
    progress: Progress | None = None,
    fill: Fill | None = None,
    workers: int = 1,
) -> Motion:
    """Position, velocity and acceleration of every body of a program at the given times.

    Parameters
    ----------
    program : Program
    times : (n,) array_like
        s; increasing, decreasing or repeated, not mixed.
    on_failure, on_singular, out, block, keep, progress
        As in `groupkin.solve`.
    fill : callable, optional
        What solves all steps of the motion, as `fill_steps` does, which is the default.
    workers : int
        For how many a new motion has room.

    Returns
    -------
    Motion

    Raises
    ------
    ArgumentError, TimesError, LawError
    CannotAssembleError, SingularPositionError, NotConvergedError
        With group and time, and the motion up to there as ``error.motion``.
    """
    check_failure_modes(program, on_failure, on_singular)
    if block is not None and block < 1:
        raise ArgumentError(f"block must be at least 1 step, not {block!r}")
    return _run(program, times, on_failure, on_singular, out, block, keep, progress, fill or fill_steps, workers)


def check_failure_modes(program: Program, on_failure: str, on_singular: str) -> None:
    """Refuse what is no way to go on where steps fail or positions are singular, or none of a program.

    Raises
    ------
    ArgumentError
    """
    if on_failure not in ("raise", "nan"):
        raise ArgumentError(f'on_failure must be "raise" or "nan", not {on_failure!r}')
    if on_singular not in ("fail", "continue"):
        raise ArgumentError(f'on_singular must be "fail" or "continue", not {on_singular!r}')
    if on_singular == "continue":
        passages.require_closed_forms(program)


@np.errstate(all="ignore")
def _run(
    program: Program,
    times: ArrayLike,
    on_failure: str,
    on_singular: str,
    out: Motion | None,
    block: int | None,
    keep: tuple[Quantity, ...] | None,
    progress: Progress | None,
    fill: Fill,
    workers: int,
) -> Motion:
    t = check_times(times)
    if out is not None:
        out = reused(out, program, t)
    require_laws(program, t)
    memories = track(program, t, on_failure == "nan")
    if out is None:
        motion = prepared(program, t, memories, block, workers=workers)
    else:
        motion = with_memory(out, memories, block)
    motion = motion if motion.keep == keep else motion.but(keep=keep)
    if on_singular == "continue":
        return _continued(motion, on_failure, progress, fill)
    try:
        solved, near = fill(motion, on_failure == "raise", progress)
    except SolveError as error:
        crossed(motion, stop=int(error.motion.solved.argmin()), memories=memories)
        raise
    if near or not solved or t.size <= FEW:
        crossed(motion, on_failure, memories=memories)
    return motion


def fill_again(*given: Any, out: Any = None, **others: Any) -> Motion | None:
    """Fill a motion that has all it needs by one compiled call: `groupkin.solve` where it is asked for no more.

    Python that is not run costs no microseconds: so arguments are compared with what the motion has, not checked.

    Returns
    -------
    Motion or None
        None if the motion has not all, or something else is to be looked at.
    """
    if type(out) is not Motion or len(given) != 2 or others:
        return None
    (program, times), memory = given, out.memory
    if (
        memory is None
        or not memory.alone
        or memory.block is not None
        or out.program is not program
        or (times is not out.times and not _plain(times, out.times.size))
        or not memory.is_of(out)
        or program.mechanism.has_ranges
        or not ordered(times, LARGEST)
        or (program.iterates and not track_again(program, times, memory.task.calls))
    ):
        return None
    solved, near = solve_steps(memory.written, times, memory.task.drivers.values, 0)
    if near or not solved or out.times.size <= FEW:
        return None
    same = times is out.times and out.keep is program.keep and out.inputs is None
    return out if same else out.but(times=times, keep=program.keep, inputs=None)


def _plain(times: ArrayLike, n: int) -> bool:
    """Tell whether some times are what compiled code takes: n floats in a row."""
    return type(times) is np.ndarray and times.dtype is FLOAT and times.shape == (n,) and times.flags.carray


FLOAT = np.dtype(float)


def _continued(motion: Motion, on_failure: str, progress: Progress | None, fill: Fill) -> Motion:
    """Solve a motion of closed forms, through all singular positions behind which it goes on smoothly."""
    fill(motion, False, progress)
    motion, blocked = passages.passed_through(motion, filled)
    way = np.sign(motion.times[-1] - motion.times[0])
    for time in blocked:
        step = int(np.count_nonzero(way * motion.times < way * time))
        if step < motion.times.size and motion.status[:, step].any():
            continue  # it fails there
        _report_crossing(
            motion, min(step, motion.times.size - 1), int(motion.conditioning[:, step - 1].argmin()), on_failure
        )
    if on_failure == "raise" and not motion.solved.all():
        raise failure(motion, int(motion.solved.argmin()))
    return motion


def filled(program: Program, times: Array) -> Motion:
    """Solve a program at some times, NaN where it fails, without looking for crossings."""
    motion = allocate(program, times)
    motion = with_memory(motion, track(program, times, True))
    fill_steps(motion, False, None)
    return motion


def crossed(
    motion: Motion,
    on_failure: str = "raise",
    stop: int | None = None,
    memories: tuple[Array, ...] | None = None,
) -> None:
    """Raise an error, or warn, where a motion passes a singular position between two steps.

    Parameters
    ----------
    motion : Motion
    on_failure : {"raise", "nan"}
    stop : int, optional
        The first step that is not examined.
    memories : tuple of arrays, optional
        What `track` returned for the motion; by default it is computed again if needed.

    Raises
    ------
    SingularPositionError
        At the first step after the position.
    """
    program = motion.program

    def resolve(times: Array) -> Motion:
        nonlocal memories
        memories = track(program, motion.times, True) if memories is None else memories
        between = with_memory(allocate(program, times), memories, BLOCK if program.iterates else None)
        fill_steps(between, False, None)
        return between

    found = crossings(motion, resolve, stop)
    if on_failure == "nan" and not (solved := motion.solved).all():
        # those that end a motion at its first failure: there its last steps are looked at as its end
        found = sorted({*found, *crossings(motion, resolve, int(solved.argmin()))})
    for step, k in found:
        _report_crossing(motion, step, k, on_failure)


def _report_crossing(motion: Motion, step: int, k: int, on_failure: str) -> None:
    """Raise an error, or warn, that group k, counted from 0, passes a singular position before a step.

    Raises
    ------
    SingularPositionError
    """
    if on_failure == "raise":
        motion.status[k, step] = codes.SINGULAR
        motion.conditioning[k, step] = 0.0
        raise failure(motion, step)
    group = motion.program.structure.groups[k]
    warnings.warn(
        f"group {group.number} ({', '.join(group.bodies)}; {group.label}) passes a singular position between "
        f"t = {motion.times[step - 1]:.6g} s and {motion.times[step]:.6g} s: from there on it may be in another "
        "assembly mode",
        GroupkinWarning,
        stacklevel=4,
    )


def check_times(times: ArrayLike) -> Array:
    """Times as an array of floats.

    Raises
    ------
    TimesError
        If they are not one-dimensional, not finite, or go up and down, or are a whole number, which looks like a
        number of steps.
    """
    numbers = floats(times)
    if numbers.ndim == 0 and not np.isfinite(numbers):
        raise TimesError(f"times must be numbers in seconds, not {shown(times)}")
    if numbers.ndim == 0 and numbers and np.asarray(times).dtype.kind in "iu":  # 0 can only be a time
        asked = int(numbers)
        raise TimesError(
            f"times are a list of numbers in seconds, one for each step, not a number of steps: for {asked} steps take "
            f"np.linspace(0.0, 1.0, {asked}) with the duration in place of 1.0, for the one time [{asked}]"
        )
    plain = numbers.ndim == 1 and numbers.flags.carray  # kernels are compiled for such arrays
    t = numbers if plain else np.atleast_1d(np.require(numbers, float, ["C", "W"]))
    if t.ndim != 1 or t.size == 0:
        raise TimesError(f"times must be a list of at least one number, not of shape {t.shape}")
    if ordered(t, LARGEST):
        return t
    finite = np.abs(t) <= LARGEST
    if not finite.all():
        raise TimesError(f"times[{int(np.argmin(finite))}] is not a finite number up to {LARGEST:g}")
    changes = t[1:] - t[:-1]
    first = float(changes[changes != 0.0][0])
    k = int(np.argmax(np.sign(changes) == -np.sign(first)))
    raise TimesError(
        f"times must go one way: times[{k}] = {t[k]:g} s is followed by {t[k + 1]:g} s; solve the two parts by "
        "themselves"
    )


def fill_steps(motion: Motion, stop_at_failure: bool, progress: Progress | None) -> tuple[bool, bool]:
    """Solve a motion at all its times, into the memory that `with_memory` has given it.

    Parameters
    ----------
    motion : Motion
    stop_at_failure : bool
        Whether to raise at the first step that cannot be solved.
    progress : callable, optional
        Called with the number of steps done and of all steps.

    Returns
    -------
    bool
        True if all steps are solved.
    bool
        True if the conditioning of a watched group may touch zero between two steps, or at an end.

    Raises
    ------
    SolveError
    """
    program, times, memory, solved, near = motion.program, motion.times, motion.memory, True, False
    assert memory is not None
    for start in range(0, times.size, memory.span):
        ahead = times if times.size <= memory.span else times[start : start + memory.span]
        clear, touches = fill_span(program, memory, ahead, start)
        if stop_at_failure and not clear:
            first = start + int(np.argmax(motion.status[:, start:].any(axis=0)))
            raise failure(motion, first)
        solved &= clear
        near |= touches
        if progress is not None:
            progress(start + ahead.size, times.size)
    return solved, near


def fill_span(program: Program, memory: SolverMemory, times: Array, start: int) -> tuple[bool, bool]:
    """Solve some steps of a motion, from step `start` on, at their times; what is returned is that of `fill_steps`."""
    drivers = memory.task.drivers
    values = drivers.values if memory.coded else drivers_at(program, times, drivers).values
    return solve_steps(memory.written, np.ascontiguousarray(times), values, start)  # other layouts are compiled anew
