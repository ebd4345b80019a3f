"""Following the groups that are solved by iteration, so that they stay in their assembly mode.

From the reference configuration to the first time, then through all times, the whole program is solved at *knots*
(`sglibrary.iterative.knot_loop`). These depend on the mechanism and on the span of the times; between them every step
can be solved by itself.

Where a group is lost between two steps, it fails at the second one, whether it is found again there or not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.errors import LawError, TooManyKnotsError
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.call_packing import NOTHING, packed_calls
from groupkin.kinematics.solving.driver_values import driver_tables, given_drivers, require_laws
from groupkin.kinematics.solving.state_memory import block_state
from groupkin.tolerances import COINCIDENT
from sglibrary import laws
from sglibrary.array_types import Array, Ints
from sglibrary.iterative.knot_loop import (
    ASKED,
    CALL,
    CHOSEN,
    COUNT,
    DONE,
    FAR,
    INSIDE,
    NEEDS_ROOM,
    NEEDS_VALUES,
    PLACE,
    SIZE,
    SMOOTH,
    TAKEN,
    TOGETHER,
    Tracks,
    advance,
)
from sglibrary.iterative.knots import GAP, TIME
from sglibrary.run.calls import Calls, Drivers

MOST = 200_000
"""Knots, estimated from what drivers do, that a motion may take besides one per step: some tens of seconds."""

MISJUDGED = 4
"""Times as many knots as that are tried before a motion is given up; groups may need more than their drivers do."""

PROBES = 0.5 * (np.sqrt(5.0) - 1.0) * np.arange(32) % 1.0
"""Where in the span of the times drivers are looked at, as shares of it; in no rhythm that a driver may have."""

ROOM = 256
"""Knots of each group for which there is room at first."""

KEPT = 2**20
"""Numbers in all knots up to which working memory is kept: 8 MB."""


def track(program: Program, times: Array, resume: bool) -> tuple[Array, ...]:
    """Memory of every call of a program: the knots of the iterated groups from the first to the last of some times.

    Parameters
    ----------
    times : (n,) array
        s, going one way.
    resume : bool
        Whether a group that is lost is sought again at every later time; otherwise the search ends there.

    Raises
    ------
    LawError
    TooManyKnotsError
    """
    if not program.iterates:
        return (NOTHING,) * len(program.calls)
    times = times if times.flags.writeable else times.copy()  # kernels are compiled for such arrays
    require_laws(program, times)
    follower = _followed(program, times, resume)
    memories, tracks = [NOTHING] * len(program.calls), follower.tracks
    for group in tracks.groups:
        knots = _kept(tracks.groups, tracks.knots, group)
        before = [group[COUNT], 0.0 if knots.size else _knot(tracks, group)[GAP]]
        memories[group[CALL]] = np.concatenate([before, knots])
    _give_back(program, follower)
    return tuple(memories)


def track_again(program: Program, times: Array, calls: Calls) -> bool:
    """Track a program, whose laws cover all times, and put its knots where calls packed at other times have them.

    False if there is no room for them, or if a group is lost: then nothing is sure about the memory of the calls.

    Raises
    ------
    LawError
    TooManyKnotsError
    """
    follower = _followed(program, times, False)
    tracks, memory, fits = follower.tracks, calls.memory, not _lost(follower)
    for group in tracks.groups:
        knots = _kept(tracks.groups, tracks.knots, group)
        first, end = calls.starts[group[CALL] : group[CALL] + 2, 2].tolist()
        stop = first + 2 + knots.size
        fits = fits and stop <= end
        if fits:
            memory[first], memory[first + 1], memory[first + 2 : stop] = group[COUNT], 0.0, knots
    _give_back(program, follower)
    return fits


def _followed(program: Program, times: Array, resume: bool) -> Follower:
    """Follow the iterated groups of a program from the reference configuration through all times."""
    span = float(times[0]), float(times[-1]), times.size
    spare = _spare(program)
    follower = _at_reference(spare.pop() if spare else _follower(program))
    last = _last_span(program)
    there = last.get(span)
    if there is None:
        _require_few(program, times, MOST + times.size)
        there = not _way_to(program, follower, times[:1]).any() and not _by_laws(program, times[0])
        last.clear()
        last[span] = there
    if not there:
        follower = _approach(program, follower, times)
    return _advance(program, follower, follower.path, times, resume)


def _give_back(program: Program, follower: Follower) -> None:
    """Let what follows the same program next have the working memory."""
    if follower.tracks.knots.size <= KEPT:
        _spare(program).append(follower)


@dataclass(frozen=True, eq=False)
class Follower:
    """Iterated groups of a program with working memory to follow them.

    Attributes
    ----------
    tracks : Tracks
    path : Drivers
        Those of the program.
    start : (d,) array
        Values of the drivers in the reference configuration.
    entries, reference : (k,) arrays
        Which entries of the calls' memory are the knots that the groups are at, and these in the reference
        configuration.
    times : (g,) array of int
        Which of the entries are times,
    gaps : (g,) array of int
        and which say whether a group is lost.
    arguments : tuple
        Tracks and path as compiled code takes them.
    """

    tracks: Tracks
    path: Drivers
    start: Array
    entries: Ints
    reference: Array
    times: Ints
    gaps: Ints
    arguments: tuple[Any, Any]


def _follower(program: Program) -> Follower:
    tables = driver_tables(program)
    tracks, path = new_tracks(program), tables.drivers if tables.coded else given_drivers(program, NO_VALUES)
    knots = [program.calls[group[CALL]].knot for group in tracks.groups]
    firsts = tracks.calls.starts[tracks.groups[:, CALL], 2] + 1
    return Follower(
        tracks,
        path,
        np.array([driven.reference for driven in program.drivers]),
        np.concatenate([first + np.arange(size) for first, size in zip(firsts, tracks.groups[:, SIZE], strict=True)]),
        np.concatenate([knot for knot in knots if knot is not None]),
        firsts + TIME,
        firsts + GAP,
        arguments(tracks, path),
    )


NO_VALUES = np.zeros((0, 3, 0))
"""Values of drivers that are not known yet."""


def _estimate(program: Program, times: Array) -> list[tuple[float, float]]:
    """About how many knots each driver takes, and its mean rate, rad/s or m/s.

    From knot to knot a driver moves by `FAR` at most, and is a quintic but for `SMOOTH`.
    """
    start, span = float(times[0]), float(times[-1] - times[0])
    rows = _laws(program, start + span * PROBES)
    firsts, means = rows[:, 0, 0].tolist(), np.abs(rows).mean(axis=2).tolist()
    estimated = []
    for driven, unit, first, (_, rate, gain) in zip(program.drivers, program.units, firsts, means, strict=True):
        often = max(rate / (FAR * unit), math.sqrt(gain / (8.0 * SMOOTH * unit)))
        estimated.append((abs(first - driven.reference) / (FAR * unit) + abs(span) * often, rate))
    return estimated


def _require_few(program: Program, times: Array, most: float, taken: float = 0.0) -> None:
    """Refuse a motion that takes more than so many knots: by an estimate, or because it has taken them.

    Raises
    ------
    TooManyKnotsError
    """
    estimated = _estimate(program, times)
    k = max(range(len(estimated)), key=lambda k: estimated[k][0], default=-1)
    if k < 0 or not max(taken, estimated[k][0]) > most:
        return
    driven, knots, rate = program.drivers[k], max(taken, estimated[k][0]), estimated[k][1]
    unit = "rad" if driven.rotation else "m"
    raise TooManyKnotsError(
        f"{driven.law.label or f'joint {driven.joint!r}'}: at {rate:.3g} {unit}/s on average, following the mechanism "
        f"from its reference configuration to t = {times[0]:.6g} s and on to t = {times[-1]:.6g} s takes about "
        f"{knots:.2g} knots, more than {MOST:,} and one per step. Check the units of the law, lower its rate, or solve "
        "a shorter time",
        driven.joint,
        rate,
        knots,
    )


def _laws(program: Program, times: Array) -> Array:
    rows, tables = np.empty((len(program.drivers), 3, times.size)), driver_tables(program)
    if tables.coded:
        drivers = tables.drivers
        laws.evaluate_all(times, drivers.kinds, drivers.numbers, drivers.table, rows)
        return rows
    for driven, out in zip(program.drivers, rows, strict=True):
        driven.law.fill(times, out)
    return rows


@once_per_program
def _spare(program: Program) -> list[Follower]:
    """Keep working memory with which groups of a program were followed, for the next ones that follow them."""
    return []


@once_per_program
def _last_span(program: Program) -> dict[tuple[float, float, int], bool]:
    """Keep first and last time (s) and number of steps of the last motion of a program that took few knots.

    With whether it begins at the reference configuration.
    """
    return {}


def _at_reference(follower: Follower) -> Follower:
    """Put the iterated groups of a program at the reference configuration."""
    follower.tracks.calls.memory[follower.entries] = follower.reference
    return follower


def new_tracks(program: Program) -> Tracks:
    """Working memory to follow the iterated groups of a program."""
    groups, memories, place = [], [], 0
    for k, call in enumerate(program.calls):
        size = 0 if call.knot is None else call.knot.size
        memories.append(np.zeros(1 + (1 + TOGETHER) * size))
        if call.knot is not None:
            groups.append([k, size, call.rows[1], place, 0, 0])
            place += size
    last = groups[-1][CALL] + 1 if groups else 0  # nothing after it is needed
    state = block_state(program, TOGETHER)
    return Tracks(
        packed_calls(program.calls[:last], memories[:last]),
        state,
        np.zeros((len(state.conditioning), TOGETHER), np.uint8),
        np.array(groups, np.int64).reshape(-1, 6),
        np.empty(ROOM * place),
        np.empty(5),
        np.empty(ASKED),
        program.units,
    )


def _knot(tracks: Tracks, group: Ints) -> Array:
    """The knot that a group is at."""
    first = tracks.calls.starts[group[CALL], 2] + 1
    return tracks.calls.memory[first : first + group[SIZE]]


def _lost(follower: Follower) -> bool:
    return bool(follower.tracks.calls.memory[follower.gaps].any())


def _kept(groups: Ints, knots: Array, group: Ints) -> Array:
    """The knots of a group so far, one after another."""
    first = knots.size // (groups[-1, PLACE] + groups[-1, SIZE]) * group[PLACE]
    return knots[first : first + group[COUNT] * group[SIZE]]


def _approach(program: Program, follower: Follower, times: Array) -> Follower:
    """Follow all groups from the reference configuration to the first time.

    With several drivers different ways may lead to different positions: they go straight to where the drivers are at
    time zero, and on as the drivers go. One driver has one way, so a straight line leads to the first time; so it does
    where laws do not cover what is before it, or take too many knots. Where a line meets a singular position, but the
    drivers are at the reference at time zero, they are followed along the motion from there.
    """
    start = follower.start
    if _by_laws(program, times[0]):
        follower = _along_motion(program, _straight(program, follower, np.zeros(1)), times)
        if not _lost(follower):
            return follower
        follower = _at_reference(follower)
    follower = _straight(program, follower, times[:1])
    if _lost(follower) and times[0] != 0.0 and _starts_at(program, start):
        follower = _along_motion(program, _at_reference(follower), times)
    return follower


def _by_laws(program: Program, time: float) -> bool:
    """Tell whether the way from time zero to a time, s, matters, and can be followed."""
    if time == 0.0 or len(program.drivers) < 2:
        return False
    ends = np.array([0.0, time])
    try:
        require_laws(program, ends)
    except LawError:  # samples that begin later
        return False
    return max(knots for knots, _ in _estimate(program, ends)) <= MOST


def _straight(program: Program, follower: Follower, time: Array) -> Follower:
    """Follow all groups from the reference configuration to a time (1,), s, along a straight line of the drivers."""
    way = _way_to(program, follower, time)
    if not way.any():
        return follower
    numbers = np.zeros((way.size, 4))
    numbers[:, 0], numbers[:, 1] = way, follower.start
    line = follower.path._replace(kinds=np.full(way.size, laws.RAMP), numbers=numbers)
    return _advance(program, follower, line, np.array([0.0, 1.0]), False)


def _along_motion(program: Program, follower: Follower, times: Array) -> Follower:
    """Follow all groups along the drivers from time zero to the first time, unless they are lost."""
    if _lost(follower):
        return follower
    return _advance(program, follower, follower.path, np.array([0.0, times[0]]), False)


def _way_to(program: Program, follower: Follower, time: Array) -> Array:
    """How far the drivers go (d,) from the reference configuration to a time (1,)."""
    return _laws(program, time)[:, 0, 0] - follower.start


def _starts_at(program: Program, reference: Array) -> bool:
    """Whether the drivers are at their reference values at time zero."""
    try:
        require_laws(program, np.zeros(1))
    except LawError:  # samples that begin later
        return False
    now = _laws(program, np.zeros(1))[:, 0, 0]
    return bool(np.allclose(now / program.units, reference / program.units, rtol=COINCIDENT, atol=COINCIDENT))


def _advance(program: Program, follower: Follower, path: Drivers, times: Array, resume: bool) -> Follower:
    """Follow all groups along a path from where they are, not extrapolated from there, to its first time and its last.

    Raises
    ------
    LawError
    TooManyKnotsError
    """
    tracks = follower.tracks
    tracks.calls.memory[follower.times] = np.nan
    tracks.groups[:, COUNT:] = 0
    tracks.progress[:] = BEGINNING
    followed, given = follower.arguments if path is follower.path else arguments(tracks, path)
    most = float(MISJUDGED * (MOST + times.size))
    while (needed := advance(followed, given, times, resume, most)) != DONE:
        if needed == NEEDS_VALUES:
            count = 1 + (1 + len(INSIDE)) * int(tracks.progress[CHOSEN])
            given[-1][..., :count] = _laws(program, tracks.times[:count])
        elif needed == NEEDS_ROOM:
            tracks = tracks._replace(knots=_more_room(tracks.groups, tracks.knots))
            follower = replace(follower, tracks=tracks, arguments=arguments(tracks, follower.path))
            followed, _ = follower.arguments
        else:
            _require_few(program, times, 0.0, float(tracks.progress[TAKEN]))
            most = math.inf
    return follower


BEGINNING = np.array([np.nan, 0.0, 0.0, 0.0, 0.0])
"""`Tracks.progress` before the first knot."""


def arguments(tracks: Tracks, path: Drivers) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What is followed, and along which path, as compiled code takes it: tuples without names are read faster."""
    drivers = path._replace(values=np.empty((len(path.kinds), 3, ASKED)))
    return tuple(tuple(x) if isinstance(x, tuple) else x for x in tracks), tuple(drivers)


def _more_room(groups: Ints, knots: Array) -> Array:
    """Twice the room for knots, with those in it."""
    more = np.empty(2 * knots.size)
    for group in groups:
        _kept(groups, more, group)[:] = _kept(groups, knots, group)
    return more
