"""Solve a program at given times: blocks of steps flow through the groups in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.errors import (
    CannotAssembleError,
    GroupkinError,
    LawError,
    NotConvergedError,
    SingularPositionError,
    SolveError,
    TimesError,
)
from groupkin.kinematics.modes import Choice, numbers, with_modes
from groupkin.kinematics.motion import Motion
from groupkin.kinematics.program import STEP_ROW, Program, build
from groupkin.mechanism.mechanism import Mechanism, require_mechanism
from groupkin.model.assembly import assembled, require_assembled
from sglibrary import status as codes
from sglibrary.stream import fits, stream
from sglibrary.trigonometry import cosine_sine

Array = NDArray[np.float64]

BLOCK = 512
"""Steps per block: the rows of a block stay in the second-level cache."""

CHUNK = 4096
"""Steps for which drivers are evaluated at a time: enough to forget what a call of NumPy costs."""

STREAMED = 2**25
"""Bytes of result above which it is written past the caches."""

LARGEST_CHANGE = 0.15
"""Change of a driver between steps, in rad or relative to the mechanism's size, above which sub-steps are inserted
where groups are solved by iteration."""


@dataclass(frozen=True)
class Schedule:
    """Steps to take: a way to the first one, then the times asked for and sub-steps between them.

    Attributes
    ----------
    times : (n,) array
        s; those of the way to the first step repeat its time.
    width : (n,) array
        Time since the step before, s; 0 without extrapolation, NaN to start afresh.
    kept : (n,) array of bool
        Steps that were asked for.
    lead : (drivers, m) array
        Values of the drivers on the m steps of the way.
    """

    times: Array
    width: Array
    kept: NDArray[np.bool_]
    lead: Array


@dataclass(frozen=True)
class Buffers:
    """Memory of one worker: a block of the state, and what groups remember from block to block."""

    q: Array
    v: Array
    a: Array
    memories: tuple[Array, ...]
    status: NDArray[np.uint8]
    conditioning: Array


def solve(
    mechanism: Mechanism | Program,
    times: ArrayLike,
    *,
    on_failure: str = "raise",
    out: Motion | None = None,
    block: int = BLOCK,
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
        Steps that are solved together.
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
        raise ValueError(f'on_failure must be "raise" or "nan", not {on_failure!r}')
    if block < 1:
        raise ValueError(f"block must be at least 1 step, not {block!r}")
    t = check_times(times)
    if isinstance(mechanism, Program):
        ready = with_modes(mechanism, modes) if modes else mechanism
    else:
        ready = program(mechanism, assemble=assemble, modes=modes)
    motion = allocate(ready, t) if out is None else _reuse(out, ready, t)
    _run(ready, plan(ready, t), motion, block, on_failure == "raise", progress)
    return motion


def program(mechanism: Mechanism, *, assemble: bool = False, modes: Choice | None = None) -> Program:
    """Program of a mechanism: decomposed, with a solver for every group; to be solved as often as wanted.

    Parameters
    ----------
    assemble : bool
        Close a reference configuration that is only approximate (`groupkin.model.assembly.assembled`) instead of
        refusing it.
    modes : mapping of str or int to int, optional
        Assembly modes other than the reference configuration's, which are 1: for a group, by its number or the name of
        one of its bodies, the number that `groupkin.assembly_modes` lists. They go before those of the mechanism.

    Raises
    ------
    MechanismError, StructureError
    """
    require_mechanism(mechanism)
    closed = assembled(mechanism) if assemble else require_assembled(mechanism)
    built = build(mechanism, geometry=closed)
    own, given = (numbers(built.structure, chosen) for chosen in (mechanism.modes, modes or {}))
    return with_modes(built, own | given)


def warm_up(program: Program, times: Array) -> None:
    """Compile the kernels of a program, or load them from the cache, and evaluate its drivers once."""
    drive(program, plan(program, times[:1]), 0, 1)
    buffer = buffers(program, 1)
    for driven in program.drivers:
        buffer.q[driven.row : driven.row + 3, 0] = driven.reference, np.cos(driven.reference), np.sin(driven.reference)
    buffer.q[STEP_ROW, 0] = np.nan
    cosine_sine(np.zeros(1), np.zeros(1), np.zeros(1))
    run_block(program, buffer, 1)
    if fits(target := _rows(1, 1), 4):
        stream(target, 0, buffer.q, np.zeros(1, np.int64), 0)


def check_times(times: ArrayLike) -> Array:
    """Times as an array of floats.

    Raises
    ------
    TimesError
        If they are not one-dimensional, not finite, or go up and down.
    """
    try:
        t = np.atleast_1d(np.asarray(times, float))
    except (TypeError, ValueError):
        raise TimesError(f"times must be numbers in seconds, not {times!r}") from None
    if t.ndim != 1 or t.size == 0:
        raise TimesError(f"times must be a list of at least one number, not of shape {t.shape}")
    if not np.isfinite(t).all():
        raise TimesError(f"times[{int(np.flatnonzero(~np.isfinite(t))[0])}] is not a finite number")
    steps = np.sign(np.diff(t))
    moving = steps[steps != 0]
    back = np.flatnonzero(steps == -moving[0]) if moving.size else moving
    if back.size:
        k = int(back[0])
        raise TimesError(
            f"times must go one way: times[{k}] = {t[k]:g} s is followed by {t[k + 1]:g} s; solve the two parts by "
            "themselves"
        )
    return t


def allocate(program: Program, times: Array) -> Motion:
    """A motion with memory for all times, filled with NaN."""
    n, groups = times.size, len(program.structure.groups)
    q, v, a = (_rows(len(program.kept), n) for _ in range(3))
    return Motion(program, times, q, v, a, np.full((groups, n), codes.NO_INPUT, np.uint8), np.zeros((groups, n)))


def _rows(count: int, n: int) -> Array:
    """Rows of NaN, aligned to cache lines; touched, so that the solver does not wait for the pages."""
    pitch = _pitch(n)
    memory = np.full(count * pitch + 8, np.nan)
    first = -memory.ctypes.data // 8 % 8
    return memory[first : first + count * pitch].reshape(count, pitch)[:, :n]


def _pitch(n: int) -> int:
    """Row length: whole cache lines, but not a multiple of 4,096 bytes, or rows would compete for the same ones."""
    pitch = -(-n // 8) * 8
    return pitch + 16 if (pitch * 8) % 4096 < 128 else pitch


def _reuse(out: Motion, program: Program, times: Array) -> Motion:
    if out.program is not program or out.times.size != times.size:
        raise GroupkinError("out must be a motion of the same program with the same number of steps")
    return Motion(program, times, out.q, out.v, out.a, out.status, out.conditioning)


def plan(program: Program, times: Array) -> Schedule:
    """The steps to take, with sub-steps where groups that iterate would be moved too far at once."""
    whole = Schedule(times, np.diff(times, prepend=np.nan), np.ones(times.size, bool), np.zeros((0, 0)))
    if not program.iterates or not program.drivers:
        return whole
    unit = np.array([1.0 if driven.rotation else program.geometry.size for driven in program.drivers])
    reference = np.array([driven.reference for driven in program.drivers])
    values = np.stack([driven.law.at(times)[0] for driven in program.drivers])
    change = np.abs(np.diff(values, axis=1, prepend=reference[:, None])) / unit[:, None]
    parts = np.maximum(1, np.ceil(change.max(axis=0) / LARGEST_CHANGE)).astype(int)
    if parts.max() == 1:
        return whole
    way = parts[0] - 1
    fine = [np.linspace(a, b, k + 1)[1:] for a, b, k in zip(times[:-1], times[1:], parts[1:], strict=True)]
    all_times = np.concatenate([np.full(way + 1, times[0]), *fine])
    width = np.diff(all_times, prepend=np.nan)
    kept = np.zeros(all_times.size, bool)
    kept[way + np.concatenate([[0], np.cumsum(parts[1:])])] = True
    lead = reference[:, None] + np.outer(values[:, 0] - reference, np.arange(1, way + 1) / (way + 1))
    return Schedule(all_times, width, kept, lead)


def drive(program: Program, schedule: Schedule, start: int, stop: int) -> list[tuple[Array, ...]]:
    """Value, rate and acceleration of every driver on some steps, and of an angle its cosine and sine."""
    way = schedule.lead.shape[1]
    found: list[tuple[Array, ...]] = []
    for k, driven in enumerate(program.drivers):
        rows = driven.law.at(schedule.times[start:stop])
        if start < way:
            rows[0, : way - start] = schedule.lead[k, start:stop]
        value, rate, gain = rows
        if driven.middle and np.abs(value).max() >= np.pi / 2:
            first = int(np.argmax(np.abs(value) >= np.pi / 2))
            raise LawError(
                f"joint {driven.joint!r}: its second rotation is driven to {value[first]:.4g} rad at "
                f"t = {schedule.times[start + first]:.4g} s; the middle one of three rotations must stay within π/2"
            )
        if not driven.rotation:
            found.append((value, rate, gain))
            continue
        cosine, sine = np.empty_like(value), np.empty_like(value)
        cosine_sine(value, cosine, sine)
        found.append((value, rate, gain, cosine, sine))
    return found


def buffers(program: Program, block: int) -> Buffers:
    """Memory for one worker; what is attached to the frame is filled in."""
    pitch = _pitch(block)
    q, v, a = (np.zeros((program.rows, pitch)) for _ in range(3))
    for row, value in program.fixed.items():
        q[row] = value
    groups = len(program.structure.groups)
    memories = tuple(np.zeros(max(1, step.memory)) for step in program.steps)
    status, conditioning = np.zeros((groups, pitch), np.uint8), np.zeros((groups, pitch))
    return Buffers(q, v, a, memories, status, conditioning)


def load(program: Program, drivers: list[tuple[Array, ...]], buffer: Buffers, span: slice) -> None:
    """Write the drivers of a block into its state; `span` is the block's place in them."""
    n = span.stop - span.start
    for driven, (value, rate, gain, *turn) in zip(program.drivers, drivers, strict=True):
        row = driven.row
        buffer.q[row, :n], buffer.v[row, :n], buffer.a[row, :n] = value[span], rate[span], gain[span]
        for k, x in enumerate(turn):
            buffer.q[row + 1 + k, :n] = x[span]


def run_block(program: Program, buffer: Buffers, n: int) -> None:
    """Solve all groups for the first n steps of a block, in order."""
    for step, memory in zip(program.steps, buffer.memories, strict=True):
        status, conditioning = buffer.status[step.group - 1], buffer.conditioning[step.group - 1]
        step.kernel(buffer.q, buffer.v, buffer.a, memory, step.rows, step.constants, status, conditioning, n)


def _run(
    program: Program,
    schedule: Schedule,
    motion: Motion,
    block: int,
    stop_at_failure: bool,
    progress: Callable[[int, int], None] | None,
) -> None:
    buffer, spans = buffers(program, block), _spans(program.kept)
    total, done = schedule.times.size, 0
    whole = bool(schedule.kept.all())
    chunk = block * max(1, CHUNK // block)
    aligned = all(fits(x, block) for x in (motion.q, motion.v, motion.a))
    past_caches = whole and aligned and 3 * motion.q.nbytes > STREAMED
    for start in range(0, total, block):
        if start % chunk == 0:
            drivers = drive(program, schedule, start, min(start + chunk, total))
        n = min(block, total - start)
        load(program, drivers, buffer, slice(start % chunk, start % chunk + n))
        buffer.q[STEP_ROW, :n] = schedule.width[start : start + n]
        run_block(program, buffer, n)
        marks = schedule.kept[start : start + n]
        chosen, count = slice(0, n) if whole else np.flatnonzero(marks), int(marks.sum())
        if past_caches:
            _stream(buffer, motion, start, n)
        else:
            _copy(buffer, motion, spans, chosen, done, done + count)
        if stop_at_failure and buffer.status[:, :n].any():
            _raise_failure(motion, schedule, buffer, start, n, done)
        done += count
        if progress is not None:
            progress(done, motion.times.size)


def _raise_failure(motion: Motion, schedule: Schedule, buffer: Buffers, start: int, n: int, done: int) -> None:
    """Report the first step of a block that failed; a sub-step counts for the step it leads to."""
    first = start + int(np.flatnonzero(buffer.status[:, :n].any(axis=0))[0])
    index = done + int(schedule.kept[start:first].sum())
    raise failure(motion, index, buffer.status[:, first - start], float(schedule.times[first]))


def _spans(kept: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Runs of kept rows: first kept row, first row of the state, length."""
    breaks = np.flatnonzero(np.diff(kept) != 1) + 1
    starts = [0, *breaks.tolist()] if len(kept) else []
    return [(s, int(kept[s]), e - s) for s, e in zip(starts, [*breaks.tolist(), len(kept)], strict=False)]


def _copy(
    buffer: Buffers,
    motion: Motion,
    spans: list[tuple[int, int, int]],
    chosen: slice | NDArray[np.int64],
    start: int,
    stop: int,
) -> None:
    for source, target in ((buffer.q, motion.q), (buffer.v, motion.v), (buffer.a, motion.a)):
        for first, row, length in spans:
            target[first : first + length, start:stop] = source[row : row + length, chosen]
    motion.status[:, start:stop] = buffer.status[:, chosen]
    motion.conditioning[:, start:stop] = buffer.conditioning[:, chosen]


def _stream(buffer: Buffers, motion: Motion, start: int, n: int) -> None:
    """As `_copy`, for all steps of a block of a motion that is larger than the caches."""
    for source, target in ((buffer.q, motion.q), (buffer.v, motion.v), (buffer.a, motion.a)):
        stream(target, start, source, motion.program.kept, n)
    motion.status[:, start : start + n] = buffer.status[:, :n]
    motion.conditioning[:, start : start + n] = buffer.conditioning[:, :n]


def failure(motion: Motion, index: int, codes_of_groups: NDArray[np.uint8], time: float) -> SolveError:
    """The error for a step that failed; blanks the motion from there on."""
    for x in (motion.q, motion.v, motion.a):
        x[:, index:] = np.nan
    motion.status[:, index:] = codes.NO_INPUT
    motion.status[:, index] = codes_of_groups
    number = 1 + next(k for k, code in enumerate(codes_of_groups) if code not in (codes.SOLVED, codes.NO_INPUT))
    group = motion.program.structure.groups[number - 1]
    where = f"group {number} ({', '.join(group.bodies)}; {group.label}) at t = {time:.6g} s"
    before = f"; solved up to t = {motion.times[index - 1]:.6g} s" if index else "; no step was solved"
    kind, what, remedy = FAILURES[int(codes_of_groups[number - 1])]
    return kind(f"{where} {what}{before}. {remedy}", number, time, motion)


FAILURES: dict[int, tuple[type[SolveError], str, str]] = {
    codes.CANNOT_ASSEMBLE: (
        CannotAssembleError,
        "cannot be assembled: its ends are out of reach of each other",
        "Shorten the motion of the drivers or change the dimensions",
    ),
    codes.SINGULAR: (
        SingularPositionError,
        "is at a singular position: its velocities are not determined",
        "Drive another freedom, or avoid this position",
    ),
    codes.NOT_CONVERGED: (
        NotConvergedError,
        "did not converge",
        "Take smaller steps, or start closer to the reference configuration",
    ),
}
