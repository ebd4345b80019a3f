"""All kernels of a program at knots along a path of its drivers, without Python between their calls.

Knots are as far apart as the drivers and the iterated groups allow: `sglibrary.straight.follow` says when one may be
trusted. Several are tried at a time; those before the first that is rejected are kept.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.array_types import Array, Ints
from sglibrary.convention import inlined, kernel
from sglibrary.iterative.knots import CLOSE, ERROR, FOLLOW, FORCE, GAP, SIGN, TIME
from sglibrary.laws import OTHER, evaluate_all
from sglibrary.run.calls import Calls, Drivers, State, fill, load, run_call
from sglibrary.status import OPEN, SOLVED
from sglibrary.tolerances import LEAST_ERROR, LOST_SOON, SAME_KNOT, SHORTEST_SHARE

TOGETHER, FEW = 64, 4
"""Knots that are tried at a time: at most, and at first and after one was rejected."""

INSIDE = (0.21, 0.5, 0.77)
"""Where between two knots a driver is compared with the quintic through its values, rates and accelerations there."""

ASKED = 1 + (1 + len(INSIDE)) * TOGETHER
"""Times at which drivers are needed for one try, at most."""

SMOOTH, FAR = 0.01, 1.0
"""Largest such difference, and largest change of a driver between knots, rad or sizes of the mechanism."""

CALL, SIZE, UNKNOWNS, PLACE, COUNT, UNSEEN = range(6)
"""Columns of `Tracks.groups`: the call of an iterated group; numbers of a knot; unknowns; the knot's place in a row of
all groups' knots; how many are kept; whether the group was lost between two steps, and has failed at none since."""

AT, WIDTH, TRIED, TAKEN, CHOSEN = range(5)
"""Entries of `Tracks.progress`: where on the path the last knots are, NaN before the first; the distance of the next
ones, and how many may be tried together; tries and knots so far; how many knots are chosen to be tried next."""

DONE, NEEDS_ROOM, NEEDS_VALUES, TAKES_LONG = range(4)
"""What `advance` returns: nothing is left to do, or why it has stopped."""


class Tracks(NamedTuple):
    """Iterated groups while they are followed, with working memory.

    Attributes
    ----------
    calls : Calls
        Up to the last one that is iterated; the memory of an iterated group has what is asked for, the knot that it is
        at, and room for `TOGETHER` knots.
    state : State
        Of `TOGETHER` steps.
    status : (groups, TOGETHER) array of uint8
    groups : (g, 6) array of int
    knots : (m,) array
        Knots of the first group, one after another, then those of the next, with room for equally many of each.
    progress : (5,) array
    times : (ASKED,) array
        Where drivers are needed: where the groups are, at the knots that are chosen, and `INSIDE` these.
    units : (d,) array
        1 for an angle, else the size of the mechanism, m.
    """

    calls: Calls
    state: State
    status: NDArray[np.uint8]
    groups: Ints
    knots: Array
    progress: Array
    times: Array
    units: Array


@kernel
def advance(tracks, path, times, resume, most):
    """Follow all groups along a path of the drivers, until it ends, or something is needed.

    Parameters
    ----------
    tracks : tuple
        Fields of `Tracks`. With the same ones it goes on where it has stopped.
    path : tuple
        Fields of `Drivers`. Values are (d, 3, ASKED): those at ``tracks.times``, if the law of any driver is OTHER.
    times : (n,) array
        s, or another parameter of the path; going one way.
    resume : bool
        Whether a group that is lost is sought again at every later time; otherwise the search ends there.
    most : float
        Knots that may be tried, besides one for each try.

    Returns
    -------
    int
        `DONE`, or what is needed.
    """
    tracks, path = Tracks(Calls(*tracks[0]), State(*tracks[1]), *tracks[2:]), Drivers(*path)
    progress, coded = tracks.progress, _is_coded(path.kinds)
    while True:
        if progress[CHOSEN] == 0.0:
            if progress[AT] == times[times.size - 1] or (progress[TAKEN] > 0.0 and not resume and _some_lost(tracks)):
                return DONE
            if progress[TAKEN] > most:
                return TAKES_LONG
            if not _has_room(tracks):
                return NEEDS_ROOM
            _choose(tracks, times)
            if not coded:
                return NEEDS_VALUES
        if coded:
            asked = tracks.times[: 1 + (1 + len(INSIDE)) * int(progress[CHOSEN])]
            evaluate_all(asked, path.kinds, path.numbers, path.table, path.values)
        _try(tracks, path, times)
        progress[CHOSEN] = 0.0


@kernel
def _is_coded(kinds):
    for kind in kinds:
        if kind == OTHER:
            return False
    return True


@inlined
def _knot(tracks, g, j):
    """The knot of a group that was tried as number j, counted from 1; number 0 is where it is."""
    first = tracks.calls.starts[tracks.groups[g, CALL], 2] + 1 + j * tracks.groups[g, SIZE]
    return tracks.calls.memory[first : first + tracks.groups[g, SIZE]]


@kernel
def _some_lost(tracks):
    for g in range(tracks.groups.shape[0]):
        if _knot(tracks, g, 0)[GAP] != SOLVED:
            return True
    return False


@kernel
def _all_lost(tracks):
    """Whether no group that has unknowns is followed."""
    any_unknowns = False
    for g in range(tracks.groups.shape[0]):
        if tracks.groups[g, UNKNOWNS] > 0:
            any_unknowns = True
            if _knot(tracks, g, 0)[GAP] == SOLVED:
                return False
    return any_unknowns


@kernel
def _has_room(tracks):
    """Whether as many knots as may be tried can be kept of each group."""
    room = _capacity(tracks) - TOGETHER
    for g in range(tracks.groups.shape[0]):
        if tracks.groups[g, COUNT] > room:
            return False
    return True


@inlined
def _capacity(tracks):
    """Number of knots of each group for which there is room."""
    last = tracks.groups.shape[0] - 1
    return tracks.knots.size // (tracks.groups[last, PLACE] + tracks.groups[last, SIZE])


# --- which knots -----------------------------------------------------------------------------


@kernel
def _choose(tracks, times):
    """Choose knots to be tried next, and note where drivers are needed; at first the first time, without a choice."""
    progress, asked = tracks.progress, tracks.times
    if math.isnan(progress[AT]):
        asked[0] = asked[1] = times[0]
        count = 1
    else:
        asked[0] = progress[AT]
        # where groups are lost, or may be soon, the times asked for are tried one by one
        near = math.fabs(progress[WIDTH]) < LOST_SOON * math.fabs(times[times.size - 1] - times[0])
        lost = _all_lost(tracks)
        count = _targets(progress, times, near or _some_lost(tracks), lost, asked[1:])
    progress[CHOSEN], at = count, 1 + count
    for k in range(count):
        for share in INSIDE:
            asked[at] = asked[k] + (asked[k + 1] - asked[k]) * share
            at += 1


@kernel
def _targets(progress, times, also, only, out):
    """Next times to go to, ending exactly at the last one, with those asked for between, or these only."""
    at, width, most, stop = progress[AT], progress[WIDTH], int(progress[TRIED]), times[times.size - 1]
    way = 1.0 if stop > at else -1.0
    first = _after(times, at, way)
    last = min(times.size, first + most) if also or only else first
    count, k = 0, 1
    while count < most and (first < last or not only):
        time = at + width * k
        if only or (first < last and way * (times[first] - time) <= 0.0):
            k += 0 if only or times[first] != time else 1
            time, first = times[first], first + 1
        else:
            k += 1
        if not way * (stop - time) > 0.0:
            # not a last step much shorter than the others
            count -= 1 if count > 0 and math.fabs(stop - out[count - 1]) < SAME_KNOT * math.fabs(width) else 0
            out[count] = stop
            return count + 1
        if count == 0 or out[count - 1] != time:
            out[count] = time
            count += 1
    return count


@kernel
def _after(times, time, way):
    """Number of times (n,), going one way, up to and including a time, by bisection."""
    low, high = 0, times.size
    while low < high:
        middle = (low + high) // 2
        if way * (times[middle] - time) > 0.0:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _smooth(tracks, values, count):
    """Number of knots, from the first on, up to which the drivers move smoothly and not too far."""
    times = tracks.times
    for j in range(count):
        width = times[j + 1] - times[j]
        for d in range(tracks.units.size):
            x, unit = values[d], tracks.units[d]
            if not math.fabs(x[0, j + 1] - x[0, j]) <= FAR * unit:
                return j
            y, b, c = x[0, j], width * x[1, j], 0.5 * width * width * x[2, j]
            r, s = x[0, j + 1] - (y + b + c), width * x[1, j + 1] - (b + 2.0 * c)
            t = 0.5 * width * width * x[2, j + 1] - c
            f3, f4, f5 = 10.0 * r - 4.0 * s + t, -15.0 * r + 7.0 * s - 2.0 * t, 6.0 * r - 3.0 * s + t
            at = 1 + count + len(INSIDE) * j
            for z in INSIDE:
                quintic = y + z * (b + z * (c + z * (f3 + z * (f4 + z * f5))))
                if not math.fabs(x[0, at] - quintic) <= SMOOTH * unit:
                    return j
                at += 1
    return count


# --- trying and keeping them ------------------------------------------------------------------


@kernel
def _try(tracks, path, times):
    """Try the knots that are chosen, keep those that are accepted, and say how to go on."""
    progress, asked, n = tracks.progress, tracks.times, int(tracks.progress[CHOSEN])
    start, stop, at = times[0], times[times.size - 1], progress[AT]
    first = math.isnan(at)
    # not less than times can be told apart
    ends = max(math.fabs(start), math.fabs(stop))
    least = max(SHORTEST_SHARE * math.fabs(stop - start), 4.0 * (np.nextafter(ends, math.inf) - ends))
    shortest = first or math.fabs(asked[1] - at) <= least
    # nothing is followed from one of the times asked for to the next where all are lost
    n = n if first or _all_lost(tracks) else _smooth(tracks, path.values, n)
    if n == 0 and not shortest:
        progress[WIDTH], progress[TRIED] = (asked[1] - at) / 2.0, FEW
        return
    n = 1 if shortest else n  # the verdict is on one time
    told = shortest or _some_lost(tracks)
    _solve(tracks, path, n, FORCE if shortest else FOLLOW)
    accepted, error = _accepted(tracks, n), 0.0
    for g in range(tracks.groups.shape[0]):
        error = max(error, _keep(tracks, g, accepted, told, times))
    progress[TAKEN] += 1 + accepted
    if accepted > 0:
        progress[AT] = asked[accepted]
    if first:
        progress[WIDTH], progress[TRIED], progress[TAKEN] = (stop - start) / 8.0, FEW, 1.0
    elif accepted < n:
        width = math.fabs(progress[WIDTH])
        width = (min(width, math.fabs(asked[1] - at)) if accepted == 0 else width) / 2.0
        progress[WIDTH], progress[TRIED] = math.copysign(width, stop - start), FEW
    else:
        progress[WIDTH] *= min(2.0, max(0.5, 0.8 * (CLOSE / max(error, LEAST_ERROR)) ** (1.0 / 6.0)))
        progress[TRIED] = min(2 * progress[TRIED], TOGETHER)


@kernel
def _is_among(time, times):
    """Whether a time is among those asked for."""
    way = 1.0 if times[times.size - 1] >= times[0] else -1.0
    k = _after(times, time, way)
    return k > 0 and times[k - 1] == time


@kernel
def _solve(tracks, path, n, wanted):
    """Solve the program at n knots."""
    calls = tracks.calls
    load(tracks.times, path, tracks.state, 1, n)
    for g in range(tracks.groups.shape[0]):
        calls.memory[calls.starts[tracks.groups[g, CALL], 2]] = wanted
    for k in range(calls.groups.size):
        run_call(calls, k, tracks.state, tracks.status, 0, n)


@kernel
def _accepted(tracks, n):
    """Number of knots, from the first on, that no group rejects."""
    for j in range(n):
        for g in range(tracks.groups.shape[0]):
            if tracks.status[tracks.calls.groups[tracks.groups[g, CALL]], j] == OPEN:
                return j
    return n


@kernel
def _keep(tracks, g, accepted, told, times):
    """Keep the knots of a group that are accepted, put it at the last one, and return their largest error.

    A group that is lost is found again at a time asked for only, if these are `told` from others; if it has failed at
    none since, it fails at this one.
    """
    group, calls, kept = tracks.groups[g], tracks.calls, tracks.knots
    size, codes = group[SIZE], tracks.status[calls.groups[group[CALL]]]
    room, last, error = _capacity(tracks) * group[PLACE], _knot(tracks, g, 0), 0.0
    for j in range(accepted):
        knot, time, lost = _knot(tracks, g, 1 + j), tracks.times[1 + j], last[GAP] != SOLVED
        step, at = told and _is_among(time, times), room + group[COUNT] * size
        before = at - size
        if codes[j] == SOLVED:
            if lost and not step:
                continue
            fill(kept[at : at + size], knot)
            if group[UNSEEN] and lost:
                kept[at + TIME] = np.nextafter(time, math.copysign(math.inf, time - last[TIME]))
            group[COUNT] += 1
            error = max(error, knot[ERROR])
        else:
            group[UNSEEN] = not step and (group[UNSEEN] or not lost)
            if group[COUNT] == 0 or kept[before + GAP] != knot[GAP] or kept[before + SIGN] != 0.0:
                if group[COUNT] > 0 and kept[before + GAP] == SOLVED:
                    kept[before + GAP] = knot[GAP]
                fill(kept[at : at + size], knot)
                kept[at + TIME], kept[at + SIGN] = time, 0.0
                group[COUNT] += 1
        last = knot
    fill(_knot(tracks, g, 0), last)
    return error
