"""Following the groups that are solved by iteration, so that they stay in their assembly mode.

From the reference configuration to the first time, then through all times, the whole program is solved at *knots*, as
far apart as the drivers and the groups allow: `sglibrary.iterative.follow` says when a knot may be trusted. Knots
depend on the mechanism and on the span of the times; between them every step can be solved by itself.

Where a group is lost between two steps, it fails at the second one, whether it is found again there or not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import LawError, TooManyKnotsError
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.solving.blocks import block_state, given_drivers
from sglibrary.iterative.follow import CLOSE, FOLLOW, FORCE
from sglibrary.iterative.knots import ERROR, GAP, SIGN, TIME
from sglibrary.run.calls import Drivers, State, load
from sglibrary.status import OPEN, SOLVED

Array = NDArray[np.float64]
Path = Callable[[Array], Array]
"""Value, rate and acceleration (d, 3, n) of all drivers at n times, or other parameters, of a path."""

TOGETHER = 64
"""Knots that are tried at a time, at most."""

INSIDE = np.array([0.21, 0.5, 0.77])
"""Where between two knots a driver is compared with the quintic through its values and rates there."""

POWERS = np.power.outer(INSIDE, np.arange(6.0)).T

SMOOTH, FAR = 0.01, 1.0
"""Largest such difference, and largest change of a driver between knots, rad or sizes of the mechanism."""

NEAR = 1e-4
"""Distance of knots, as a share of the path, below which a group may soon be lost."""

SHORTEST = 1e-9
"""Least distance of knots, as a share of the path: where even this is too far, a group is lost."""

MOST = 200_000
"""Knots, estimated from what drivers do, that a motion may take besides one per step: some tens of seconds."""

MISJUDGED = 4
"""Times as many knots as that are tried before a motion is given up; groups may need more than their drivers do."""

PROBES = 0.5 * (np.sqrt(5.0) - 1.0) * np.arange(32) % 1.0
"""Where in the span of the times drivers are looked at, as shares of it; in no rhythm that a driver may have."""


@dataclass
class Track:
    """One iterated group while it is followed: the knot it is at, memory of its kernel, and its knots so far.

    `unseen` is True since the group was lost between two steps, until it has failed at one.
    """

    call: Call
    last: Array
    memory: Array
    knots: list[Array] = field(default_factory=list)
    unseen: bool = False

    @property
    def lost(self) -> bool:
        return bool(self.last[GAP] != SOLVED)

    def packed(self) -> Array:
        """Memory of the kernel that solves the steps between knots."""
        before = [len(self.knots), 0.0 if self.knots else self.last[GAP]]
        return np.concatenate([before, *self.knots])


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
    _require_few(program, times, MOST + times.size)
    tracks = {
        k: Track(call, call.knot.copy(), np.zeros(1 + (TOGETHER + 1) * call.knot.size))
        for k, call in enumerate(program.calls)
        if call.knot is not None
    }
    state = block_state(program, TOGETHER)
    status = np.zeros(state.conditioning.shape, np.uint8)
    drivers = given_drivers(program, np.zeros((0, 3, 0)))
    search = _Search(program, times, drivers, state, status, tuple(tracks.values()))
    _approach(search, times[:1])
    if resume or not search.lost:
        _advance(search, partial(_laws, program), times, resume)
    return tuple(tracks[k].packed() if k in tracks else NOTHING for k in range(len(program.calls)))


NOTHING = np.zeros(1)
"""The memory of closed forms."""

STEP, NO_STEPS = np.ones(1, bool), np.zeros(TOGETHER, bool)
"""That a single time is asked for; that times are not, or that it does not matter, as no group can be lost."""


@dataclass(frozen=True)
class _Search:
    program: Program
    times: Array
    drivers: Drivers
    state: State
    status: NDArray[np.uint8]
    tracks: tuple[Track, ...]

    @property
    def lost(self) -> bool:
        return any(group.lost for group in self.tracks)

    @property
    def all_lost(self) -> bool:
        """Whether no group that has unknowns is followed."""
        with_unknowns = [group for group in self.tracks if group.call.rows[1]]
        return bool(with_unknowns) and all(group.lost for group in with_unknowns)


def _estimate(program: Program, times: Array) -> list[tuple[float, float]]:
    """About how many knots each driver takes, and its mean rate, rad/s or m/s.

    From knot to knot a driver moves by `FAR` at most, and is a quintic but for `SMOOTH`.
    """
    start, span = float(times[0]), float(times[-1] - times[0])
    rows = _laws(program, start + span * PROBES)
    firsts, means = rows[:, 0, 0].tolist(), np.abs(rows).mean(axis=2).tolist()
    estimated = []
    for driven, first, (_, rate, gain) in zip(program.drivers, firsts, means, strict=True):
        unit = 1.0 if driven.rotation else program.geometry.size
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
    rows = np.empty((len(program.drivers), 3, times.size))
    for driven, out in zip(program.drivers, rows, strict=True):
        driven.law.fill(times, out)
    return rows


def _approach(search: _Search, first: Array) -> None:
    """Follow all groups from the reference configuration to the first time, along a straight line of the drivers.

    Where that meets a singular position, but the drivers are at the reference at time zero, they are followed along the
    motion from there.
    """
    program = search.program
    start = np.array([driven.reference for driven in program.drivers])
    way = _laws(program, first)[:, 0, 0] - start

    def straight(s: Array) -> Array:
        a, b = start[:, None], way[:, None]
        return np.stack(np.broadcast_arrays(a + b * s, b, 0.0), axis=1)

    _try(search, straight, np.zeros(1), STEP, force=True)
    if way.any() and not search.lost:
        _advance(search, straight, np.array([0.0, 1.0]), resume=False)
    if search.lost and first[0] != 0.0 and _starts_at(program, start):
        for group in search.tracks:
            assert group.call.knot is not None
            group.last = group.call.knot.copy()
        laws = partial(_laws, program)
        _try(search, laws, np.zeros(1), STEP, force=True)
        _advance(search, laws, np.array([0.0, first[0]]), resume=False)
    for group in search.tracks:
        group.last[TIME] = np.nan
        group.knots.clear()
        group.unseen = False
    _try(search, partial(_laws, program), first, STEP, force=True)


def _starts_at(program: Program, reference: Array) -> bool:
    """Whether the drivers are at their reference values at time zero."""
    try:
        now = _laws(program, np.zeros(1))[:, 0, 0]
    except LawError:  # samples that begin later
        return False
    units = np.array([1.0 if driven.rotation else program.geometry.size for driven in program.drivers])
    return bool(np.allclose(now / units, reference / units, rtol=1e-9, atol=1e-9))


def _advance(search: _Search, path: Path, times: Array, resume: bool) -> None:
    """Follow all groups along a path from the first time to the last."""
    at, stop, taken = float(times[0]), float(times[-1]), 0
    # not less than times can be told apart
    least = max(SHORTEST * abs(stop - at), 4.0 * float(np.spacing(max(abs(at), abs(stop)))))
    near = NEAR * abs(stop - at)
    width, together = (stop - at) / 8, 4
    while at != stop:
        # where groups are lost, or may be soon, the times asked for are tried one by one
        also = times if search.lost or abs(width) < near else times[:0]
        lost = search.all_lost
        targets = _targets(at, stop, width, together, also, lost)
        # nothing is followed from one of these times to the next where all are lost
        n = targets.size if lost else _smooth(search.program, path, np.concatenate([[at], targets]))
        shortest = abs(targets[0] - at) <= least
        if n == 0 and not shortest:
            width, together = (targets[0] - at) / 2, 4
            continue
        if shortest:  # the verdict is on one time
            n, targets = 1, targets[:1]
        steps = _among(targets[:n], times) if shortest or search.lost else NO_STEPS[:n]
        accepted, error = _try(search, path, targets[:n], steps, shortest)
        taken += 1 + accepted
        if taken > MISJUDGED * (MOST + search.times.size):
            _require_few(search.program, search.times, 0.0, taken)
        if accepted:
            at = float(targets[accepted - 1])
        if search.lost and not resume:
            return
        if accepted < n:
            width, together = (min(abs(width), abs(targets[0] - at)) if not accepted else abs(width)) / 2, 4
            width = width if stop > at else -width
        else:
            width *= min(2.0, max(0.5, 0.8 * (CLOSE / max(error, 1e-12)) ** (1 / 3)))
            together = min(2 * together, TOGETHER)


def _targets(at: float, stop: float, width: float, count: int, also: Array, only: bool) -> Array:
    """The next times to go to, ending exactly at the last one, with those in `also` between, or these only."""
    way = 1.0 if stop > at else -1.0
    times: Array = np.asarray(at + width * np.arange(1, count + 1), float)
    if only or also.size:
        between = also[(way * (also - at) > 0.0)][:count]
        times = np.unique((between if only else np.concatenate([times, between])) * way)[:count] * way
    inside = times[way * (stop - times) > 0.0]
    # not a last step much shorter than the others
    if inside.size < times.size and inside.size and abs(stop - inside[-1]) < 1e-6 * abs(width):
        inside = inside[:-1]
    return np.append(inside, stop) if inside.size < times.size else inside


def _smooth(program: Program, path: Path, times: Array) -> int:
    """Number of intervals, from the first on, over which the drivers move smoothly and not too far."""
    width = np.diff(times)
    inside = times[:-1, None] + width[:, None] * INSIDE
    rows = path(np.concatenate([times, inside.ravel()]))
    ends, middle = rows[..., : times.size], rows[:, 0, times.size :].reshape(-1, *inside.shape)
    unit = np.array([1.0 if driven.rotation else program.geometry.size for driven in program.drivers])[:, None]
    error = np.abs(middle - _quintic(ends[..., :-1], ends[..., 1:], width)).max(axis=2)
    good = ((error <= SMOOTH * unit) & (np.abs(np.diff(ends[:, 0])) <= FAR * unit)).all(axis=0)
    return int(np.argmin(good)) if not good.all() else width.size


def _quintic(left: Array, right: Array, width: Array) -> Array:
    """Values (d, intervals, 3) `INSIDE` of quintics from value, rate and acceleration (d, 3, intervals) at the ends."""
    a, b, c = left[:, 0], width * left[:, 1], 0.5 * width**2 * left[:, 2]
    r, s, t = right[:, 0] - (a + b + c), width * right[:, 1] - (b + 2 * c), 0.5 * width**2 * right[:, 2] - c
    coefficients = np.array([a, b, c, 10 * r - 4 * s + t, -15 * r + 7 * s - 2 * t, 6 * r - 3 * s + t])
    return np.asarray(np.moveaxis(coefficients, 0, -1) @ POWERS)


def _among(times: Array, asked: Array) -> NDArray[np.bool_]:
    """Which of some times are among those asked for, which go one way."""
    ordered = asked if asked[-1] >= asked[0] else asked[::-1]
    return ordered[np.minimum(np.searchsorted(ordered, times), ordered.size - 1)] == times


def _try(search: _Search, path: Path, times: Array, steps: NDArray[np.bool_], force: bool) -> tuple[int, float]:
    """Try knots at some times, of which `steps` are asked for.

    Returns
    -------
    int
        Number of those accepted, which are kept.
    float
        Their largest error.
    """
    program, (q, v, a, conditioning), n = search.program, search.state, times.size
    load(times, search.drivers._replace(values=path(times)), search.state, 0, n)
    tracks = iter(search.tracks)
    nothing = np.zeros(1)
    for call in program.calls:
        k, memory = call.group - 1, nothing
        if call.knot is not None:
            group = next(tracks)
            memory = group.memory
            memory[0], memory[1 : 1 + group.last.size] = FORCE if force else FOLLOW, group.last
        call.kernel(q, v, a, memory, call.rows, call.constants, search.status[k], conditioning[k], n)
    accepted = n
    for group in search.tracks:
        rejected = search.status[group.call.group - 1, :n] == OPEN
        accepted = min(accepted, int(np.argmax(rejected)) if rejected.any() else n)
    kept = times[:accepted]
    return accepted, max((_keep(group, search.status, kept, steps) for group in search.tracks), default=0.0)


def _keep(group: Track, status: NDArray[np.uint8], times: Array, steps: NDArray[np.bool_]) -> float:
    """Append the accepted knots of a group, and return their largest error.

    A group that is lost is found again at a step only; if it has failed at none since, it fails at this one.
    """
    width, error, kept = group.last.size, 0.0, group.knots
    tried = group.memory[1 + width : 1 + (times.size + 1) * width].reshape(-1, width)
    for time, step, code, knot in zip(times, steps, status[group.call.group - 1], tried, strict=False):
        if code == SOLVED:
            if group.lost and not step:
                continue
            kept.append(knot.copy())
            error = max(error, float(knot[ERROR]))
            if group.unseen and group.lost:
                kept[-1][TIME] = np.nextafter(time, np.copysign(np.inf, time - group.last[TIME]))
        else:
            group.unseen = not step and (group.unseen or not group.lost)
            if not kept or kept[-1][GAP] != knot[GAP] or kept[-1][SIGN] != 0.0:
                if kept and kept[-1][GAP] == SOLVED:
                    kept[-1][GAP] = knot[GAP]
                kept.append(knot.copy())
                kept[-1][[TIME, SIGN]] = time, 0.0
        group.last = knot
    group.last = group.last.copy()
    return error
