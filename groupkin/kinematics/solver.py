"""Solve a program at given times: blocks of steps flow through the groups in order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.errors import (
    CannotAssembleError,
    GroupkinError,
    NotConvergedError,
    SingularPositionError,
    SolveError,
    TimesError,
)
from groupkin.kinematics.blocks import Buffers, buffers, check_middle, drive, load, pitch_of, run_block
from groupkin.kinematics.modes import Choice, numbers, with_modes
from groupkin.kinematics.motion import Motion
from groupkin.kinematics.program import Program, build
from groupkin.kinematics.tracking import track
from groupkin.mechanism.mechanism import Mechanism, require_mechanism
from groupkin.model.assembly import assembled, require_assembled
from groupkin.structure.multi import arranged
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
    _run(ready, track(ready, t, on_failure == "nan"), motion, block, on_failure == "raise", progress)
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
    mechanism = arranged(mechanism)
    closed = assembled(mechanism) if assemble else require_assembled(mechanism)
    built = build(mechanism, geometry=closed)
    own, given = (numbers(built.structure, chosen) for chosen in (mechanism.modes, modes or {}))
    return with_modes(built, own | given)


def warm_up(program: Program, times: Array) -> None:
    """Compile the kernels of a program, or load them from the cache, and evaluate its drivers once."""
    now = times[:1]
    memories = track(program, now, True)
    buffer = buffers(program, 1)
    load(program, drive(program, now), now, buffer, slice(0, 1))
    cosine_sine(np.zeros(1), np.zeros(1), np.zeros(1))
    run_block(program, memories, buffer, 1)
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
    pitch = pitch_of(n)
    memory = np.full(count * pitch + 8, np.nan)
    first = -memory.ctypes.data // 8 % 8
    return memory[first : first + count * pitch].reshape(count, pitch)[:, :n]


def _reuse(out: Motion, program: Program, times: Array) -> Motion:
    if out.program is not program or out.times.size != times.size:
        raise GroupkinError("out must be a motion of the same program with the same number of steps")
    return Motion(program, times, out.q, out.v, out.a, out.status, out.conditioning)


def _run(
    program: Program,
    memories: tuple[Array, ...],
    motion: Motion,
    block: int,
    stop_at_failure: bool,
    progress: Callable[[int, int], None] | None,
) -> None:
    buffer, spans, times = buffers(program, block), _spans(program.kept), motion.times
    chunk = block * max(1, CHUNK // block)
    aligned = all(fits(x, block) for x in (motion.q, motion.v, motion.a))
    past_caches = aligned and 3 * motion.q.nbytes > STREAMED
    for start in range(0, times.size, block):
        if start % chunk == 0:
            ahead = times[start : start + chunk]
            drivers = drive(program, ahead)
            check_middle(program, drivers, ahead)
        n = min(block, times.size - start)
        load(program, drivers, ahead, buffer, slice(start % chunk, start % chunk + n))
        run_block(program, memories, buffer, n)
        if past_caches:
            _stream(buffer, motion, start, n)
        else:
            _copy(buffer, motion, spans, start, n)
        if stop_at_failure and buffer.status[:, :n].any():
            first = int(np.flatnonzero(buffer.status[:, :n].any(axis=0))[0])
            raise failure(motion, start + first, buffer.status[:, first], float(times[start + first]))
        if progress is not None:
            progress(start + n, times.size)


def _spans(kept: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Runs of kept rows: first kept row, first row of the state, length."""
    breaks = np.flatnonzero(np.diff(kept) != 1) + 1
    starts = [0, *breaks.tolist()] if len(kept) else []
    return [(s, int(kept[s]), e - s) for s, e in zip(starts, [*breaks.tolist(), len(kept)], strict=False)]


def _copy(buffer: Buffers, motion: Motion, spans: list[tuple[int, int, int]], start: int, n: int) -> None:
    for source, target in ((buffer.q, motion.q), (buffer.v, motion.v), (buffer.a, motion.a)):
        for first, row, length in spans:
            target[first : first + length, start : start + n] = source[row : row + length, :n]
    motion.status[:, start : start + n] = buffer.status[:, :n]
    motion.conditioning[:, start : start + n] = buffer.conditioning[:, :n]


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
