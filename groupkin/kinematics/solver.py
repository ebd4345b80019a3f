"""Solve a program at given times: blocks of steps flow through the groups in order."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.errors import (
    ArgumentError,
    CannotAssembleError,
    GroupkinError,
    GroupkinWarning,
    NotConvergedError,
    SingularPositionError,
    SolveError,
    TimesError,
)
from groupkin.kinematics.modes.modes import Choice, numbers, with_modes
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.blocks import (
    CHUNK,
    Work,
    aligned_rows,
    block_of,
    buffers,
    chunk_of,
    compiled,
    driving,
    laws_of,
    packed,
    pitch_of,
    require_laws,
)
from groupkin.kinematics.solving.crossings import crossings, watched
from groupkin.kinematics.solving.tracking import track
from groupkin.mechanism.gears import check
from groupkin.mechanism.mechanism import Mechanism, require_mechanism
from groupkin.model.geometry.assembly import assembled, require_assembled
from groupkin.structure.multi_joints import arranged
from sglibrary import status as codes
from sglibrary.run.copy import fits
from sglibrary.run.motion_loop import ordered, sweep

Array = NDArray[np.float64]

BLOCK = 128
"""Steps per block: the rows of a block stay in the caches next to the core."""

BATCH = 512
"""The same where groups are solved by iteration, which prepares more for every block."""

LONG = 2**16
"""Steps between two reports of progress where nothing is evaluated in Python: some milliseconds."""

STREAMED = 2**25
"""Bytes of result above which it is written past the caches."""


def solve(
    mechanism: Mechanism | Program,
    times: ArrayLike,
    *,
    on_failure: str = "raise",
    out: Motion | None = None,
    block: int | None = None,
    assemble: bool = False,
    modes: Choice | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Motion:
    """Position, velocity and acceleration of every body at the given times.

    Parameters
    ----------
    mechanism : Mechanism or Program
        A program (`groupkin.program`) is solved without being built again.
    times : (n,) array_like
        s; increasing, decreasing or repeated, not mixed.
    on_failure : {"raise", "nan"}
        Raise at the first step that cannot be solved, or write NaN there and go on; see `Motion.status`.
    out : Motion, optional
        A motion of the same program and number of steps, whose memory is used again.
    block : int
        Steps that are solved together; of closed forms it does not change the results.
    assemble : bool
        Close a reference configuration that is only approximate, see `program`.
    modes : mapping of str or int to int, optional
        Assembly modes of groups, see `program`.
    progress : callable, optional
        Called with the number of steps done and of all steps.

    Returns
    -------
    Motion

    Raises
    ------
    TimesError, MechanismError, StructureError
    CannotAssembleError, SingularPositionError, NotConvergedError
        With group and time, and the motion up to there as ``error.motion``.
    """
    if on_failure not in ("raise", "nan"):
        raise ArgumentError(f'on_failure must be "raise" or "nan", not {on_failure!r}')
    if block is not None and block < 1:
        raise ArgumentError(f"block must be at least 1 step, not {block!r}")
    t = check_times(times)
    if isinstance(mechanism, Program):
        ready = with_modes(mechanism, modes) if modes else mechanism
    else:
        ready = program(mechanism, assemble=assemble, modes=modes)
    motion = allocate(ready, t) if out is None else _reuse(out, ready, t)
    require_laws(ready, t)
    memories = track(ready, t, on_failure == "nan")
    size = block_of(block or (BATCH if ready.iterates else BLOCK), t.size)
    try:
        near = _run(ready, memories, motion, size, on_failure == "raise", progress)
    except SolveError as error:
        crossed(motion, stop=int(error.motion.solved.argmin()), memories=memories)
        raise
    crossed(motion, on_failure, near=near, memories=memories)
    return motion


def crossed(
    motion: Motion,
    on_failure: str = "raise",
    stop: int | None = None,
    near: bool = True,
    memories: tuple[Array, ...] | None = None,
) -> None:
    """Refuse a motion that passes a singular position between two steps, or warn of it.

    Parameters
    ----------
    motion : Motion
    on_failure : {"raise", "nan"}
    stop : int, optional
        The first step that is not looked at.
    near : bool
        As `groupkin.kinematics.solving.crossings.crossings` takes it.
    memories : tuple of arrays, optional
        What `track` has found for the motion; found again if need be.

    Raises
    ------
    SingularPositionError
        At the first step after the position.
    """
    program = motion.program

    @cache
    def followed() -> tuple[Array, ...]:
        return track(program, motion.times, True) if memories is None else memories

    def resolve(times: Array) -> Motion:
        between = allocate(program, times)
        _run(program, followed(), between, BLOCK, False, None)
        return between

    found = crossings(motion, resolve, stop, near)
    if found and on_failure == "raise":
        step, k = found[0]
        motion.status[k, step] = codes.SINGULAR
        motion.conditioning[k, step] = 0.0
        raise failure(motion, step)
    for step, k in found:
        group = program.structure.groups[k]
        warnings.warn(
            f"group {group.number} ({', '.join(group.bodies)}; {group.label}) passes a singular position between "
            f"t = {motion.times[step - 1]:.6g} s and {motion.times[step]:.6g} s: from there on it may be in another "
            "assembly mode",
            GroupkinWarning,
            stacklevel=3,
        )


def program(mechanism: Mechanism, *, assemble: bool = False, modes: Choice | None = None) -> Program:
    """Program of a mechanism: decomposed, with a solver for every group; to be solved as often as wanted.

    Parameters
    ----------
    assemble : bool
        Close a reference configuration that is only approximate (`groupkin.model.geometry.assembly.assembled`) instead of
        refusing it.
    modes : mapping of str or int to int, optional
        Assembly modes other than the reference configuration's, which are 1: for a group, by its number or the name of
        one of its bodies, the number that `groupkin.assembly_modes` lists. They go before those of the mechanism.

    Raises
    ------
    MechanismError, StructureError
    """
    require_mechanism(mechanism)
    check(mechanism)
    mechanism = arranged(mechanism)
    closed = assembled(mechanism) if assemble else require_assembled(mechanism)
    built = build(mechanism, geometry=closed)
    own, given = (numbers(built.structure, chosen) for chosen in (mechanism.modes, modes or {}))
    return with_modes(built, own | given)


def warm_up(program: Program, times: Array) -> None:
    """Compile the kernels of a program, or load them from the cache, and evaluate its drivers once."""
    motion = allocate(program, check_times(times[:1]))
    _run(program, track(program, motion.times, True), motion, 1, False, None)


def check_times(times: ArrayLike) -> Array:
    """Times as an array of floats.

    Raises
    ------
    TimesError
        If they are not one-dimensional, not finite, or go up and down.
    """
    try:
        t = np.atleast_1d(np.require(times, float, ["C", "W"]))  # kernels are compiled for such arrays
    except (TypeError, ValueError):
        raise TimesError(f"times must be numbers in seconds, not {times!r}") from None
    if t.ndim != 1 or t.size == 0:
        raise TimesError(f"times must be a list of at least one number, not of shape {t.shape}")
    if ordered(t):
        return t
    if not np.isfinite(t).all():
        raise TimesError(f"times[{int(np.flatnonzero(~np.isfinite(t))[0])}] is not a finite number")
    steps = t[1:] - t[:-1]
    k = int(np.argmax(np.sign(steps) == -np.sign(steps[steps != 0.0][0])))
    raise TimesError(
        f"times must go one way: times[{k}] = {t[k]:g} s is followed by {t[k + 1]:g} s; solve the two parts by "
        "themselves"
    )


def allocate(program: Program, times: Array) -> Motion:
    """A motion with memory for all times, filled with NaN."""
    n, groups, pitch = times.size, len(program.structure.groups), pitch_of(times.size)
    q, v, a = (aligned_rows(len(program.kept), pitch, np.nan)[:, :n] for _ in range(3))
    status, conditioning = np.full((groups, n), codes.NO_INPUT, np.uint8), aligned_rows(groups, pitch)[:, :n]
    return Motion(program, times, q, v, a, status, conditioning)


def _reuse(out: Motion, program: Program, times: Array) -> Motion:
    if out.program is not program or out.times.size != times.size:
        raise GroupkinError("out must be a motion of the same program with the same number of steps")
    whole = all(x.strides[1] == 8 and x.strides[0] >= 8 * times.size for x in (out.q, out.v, out.a, out.conditioning))
    if not (whole and out.status.flags.c_contiguous):
        raise GroupkinError("out must be a motion as solve returns it, with whole rows in memory")
    return out if times is out.times else replace(out, times=times)


def _run(
    program: Program,
    memories: tuple[Array, ...],
    motion: Motion,
    block: int,
    stop_at_failure: bool,
    progress: Callable[[int, int], None] | None,
) -> bool:
    """Fill a motion; whether the conditioning of a watched group may touch zero between its steps."""
    work, times, near = _work(program, memories, motion, block), motion.times, False
    last = np.full((work.watched.size, 2), np.nan)
    for start in range(0, times.size, work.chunk):
        ahead = times[start : start + work.chunk]
        drivers = work.drivers or driving(program, ahead, work.laws)
        place = (start, block, work.past_caches)
        state = (work.state, work.kept, work.results, motion.status, work.watched, last)
        solved, touches = sweep(work.calls, ahead, drivers, *state, *place)
        near |= touches
        if stop_at_failure and not solved:
            first = start + int(np.argmax(motion.status[:, start:].any(axis=0)))
            raise failure(motion, first)
        if progress is not None:
            progress(start + ahead.size, times.size)
    return near


def _work(program: Program, memories: tuple[Array, ...], motion: Motion, block: int) -> Work:
    """What the solver needs beside a motion; that of the last time if the same memory is filled again."""
    work, targets = motion.work, (motion.q, motion.v, motion.a, motion.conditioning)
    if work is None or work.block != block or any(x is not y for x, y in zip(work.targets, targets, strict=True)):
        buffer, laws = buffers(program, block), laws_of(program)
        quick = compiled(laws) and not program.iterates
        work = Work(
            block,
            targets,
            tuple(_whole(x) for x in targets),
            all(fits(x, block) for x in targets) and 3 * motion.q.nbytes > STREAMED,
            (buffer.q, buffer.v, buffer.a, buffer.conditioning),
            (program.kept, program.kept, program.kept, np.arange(len(motion.status))),
            chunk_of(block, LONG if quick else CHUNK),
            laws,
            driving(program, motion.times[:0], laws) if compiled(laws) else None,
            packed(program, memories),
            watched(program),
        )
        object.__setattr__(motion, "work", work)
    elif program.iterates:
        work = replace(work, calls=packed(program, memories))
    return work


def _whole(rows: Array) -> Array:
    """Rows that are padded at their ends, padding included."""
    return np.lib.stride_tricks.as_strided(rows, (rows.shape[0], rows.strides[0] // 8))


def failure(motion: Motion, index: int) -> SolveError:
    """The error for the first step that failed; blanks the motion from there on."""
    codes_of_groups, time = motion.status[:, index].copy(), float(motion.times[index])
    for x in (motion.q, motion.v, motion.a):
        x[:, index:] = np.nan
    motion.status[:, index:] = codes.NO_INPUT
    motion.status[:, index] = codes_of_groups
    number = 1 + next(k for k, code in enumerate(codes_of_groups) if code not in (codes.SOLVED, codes.NO_INPUT))
    group = motion.program.structure.groups[number - 1]
    where = f"group {number} ({', '.join(group.bodies)}; {group.label}) at t = {time:.6g} s"
    before = f"; solved up to t = {motion.times[index - 1]:.6g} s" if index else "; no step was solved"
    kind, what, remedy = FAILURES[int(codes_of_groups[number - 1])]
    followed = any(step.group == number and step.knot is not None for step in motion.program.calls)
    on_the_way = ", there or on the way there from the step before" if followed and index else ""
    return kind(f"{where} {what}{on_the_way}{before}. {remedy}", number, time, motion)


FAILURES: dict[int, tuple[type[SolveError], str, str]] = {
    codes.CANNOT_ASSEMBLE: (
        CannotAssembleError,
        "cannot be assembled: in its assembly mode, its ends are out of reach of each other",
        "Shorten the motion of the drivers, change the dimensions, or choose another mode (groupkin modes)",
    ),
    codes.SINGULAR: (
        SingularPositionError,
        "is at a singular position, or passed one since the step before: its velocities are not determined there",
        "Drive another freedom, or avoid this position",
    ),
    codes.NOT_CONVERGED: (
        NotConvergedError,
        "did not converge",
        "Take smaller steps, or start closer to the reference configuration",
    ),
}
