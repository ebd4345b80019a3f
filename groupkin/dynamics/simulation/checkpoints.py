"""Files that keep how far a simulation is, from which it is taken up again with the same bits.

Such a file holds the state of the integrator and all that was found; it is used for the same simulation alone, and
only as it was written (`groupkin.resumable_files`).
"""

from __future__ import annotations

import hashlib
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from groupkin.durable_files import exists
from groupkin.dynamics.simulation.coordinate_changes import described, restored
from groupkin.dynamics.simulation.events import Seen
from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.dynamics.simulation.straight_on import Gap
from groupkin.errors import CheckpointError
from groupkin.resumable_files import ResumableFile
from sglibrary.array_types import Array
from sglibrary.dynamics.steps import AT, NEXT

EVERY = 5.0
"""Seconds between two times that a checkpoint is written."""

FORM = 5
"""Version of the content of the file."""


@dataclass
class Checkpoint:
    """A file that is written along the way.

    Attributes
    ----------
    file : ResumableFile
    written : float
        When it was last written, s of a clock.
    """

    file: ResumableFile
    written: float = field(default_factory=clock.monotonic)

    @property
    def due(self) -> bool:
        return clock.monotonic() - self.written >= EVERY


def digest(free: FreeMotion, times: Array, y: Array, *asked: object) -> str:
    """Digest all that a simulation depends on: numbers of its equations, times, state (2 f,), and what is asked.

    Parameters
    ----------
    free : FreeMotion
    times : (n,) array
    y : (2 f,) array
    asked : object
        Of which the representation says all.
    """
    equations, forces = free.problem.equations, free.problem.forces
    found = hashlib.sha256(repr((FORM, free.program.solvers, free.names, asked)).encode())
    calls = [array for call in free.program.calls for array in (call.rows, call.constants)]
    for part in (times, y, *calls, *equations, *equations.laws, *forces, *forces.laws, *forces.functions[1:]):
        if isinstance(part, np.ndarray | int | bool):
            found.update(np.ascontiguousarray(part).tobytes())
    return found.hexdigest()


def opened(file: Path, digest: str, resume: bool) -> Checkpoint:
    """Prepare a checkpoint.

    Raises
    ------
    CheckpointError
        If there is one already that is not to be used.
    OutputError
        If the file cannot be written.
    """
    depends_on = "mechanism, start, times, tolerances or events"
    kept = ResumableFile(file, "simulation", FORM, digest, depends_on, CheckpointError)
    kept.prepare()
    if exists(file) and not resume:
        raise CheckpointError(
            f"{file} exists: go on from it with --resume (resume=True), remove it, or choose another name"
        )
    return Checkpoint(kept)


def write(checkpoint: Checkpoint, found: Any, state: dict[str, Array]) -> None:
    """Write how far a simulation is.

    Parameters
    ----------
    checkpoint : Checkpoint
    found : Found
    state : dict of str to array
        Of the integrator.

    Raises
    ------
    OutputError
    """
    seen = found.watch
    checkpoint.file.write(
        {
            "state": state,
            "values": found.values[:, : found.reached],
            "legs": [[first, _leg(leg)] for first, leg in found.legs[1:]],
            "known": seen.known,
            "recent": list(seen.recent),
            "seen": [[each.name, each.time, each.leg, each.state] for each in seen.seen],
            "last": found.last,
            "way": _way(found),
        }
    )
    checkpoint.written = clock.monotonic()


def read(checkpoint: Checkpoint, found: Any, blank: Callable[[], dict[str, ArrayLike]]) -> dict[str, Array] | None:
    """Read how far a simulation was, into what is found; the state of the integrator, None if there is no checkpoint.

    Parameters
    ----------
    checkpoint : Checkpoint
    found : Found
    blank : callable
        Returns a state with the names, types and shapes that the integrator needs, once `found` is read.

    Raises
    ------
    CheckpointError
        If the file is damaged, something else, or of another simulation.
    """
    kept = checkpoint.file.read()
    if kept is None:
        return None
    try:
        _take_up(kept, found)
        return _state(kept["state"], found, {name: np.asarray(array) for name, array in blank().items()})
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # a file that was made up
        raise checkpoint.file.unusable() from error


def _way(found: Any) -> dict[str, Array]:
    """The steps of coordinates with which groups are iterated, as arrays."""
    legs, times, states = zip(*found.way, strict=True) if found.way else ((), (), ())
    return {
        "legs": np.array(legs, np.int64),
        "times": np.array(times, float),
        "states": np.array(states, float).reshape(len(legs), len(found.values)),
    }


def _take_up(kept: dict[str, Any], found: Any) -> None:
    """Put what a file holds into what is found.

    Raises
    ------
    ValueError, LookupError, TypeError, AttributeError
        If it cannot be of this simulation.
    """
    values, watch, size = kept["values"], found.watch, len(found.values)
    found.reached = values.shape[1]
    _require(1 <= found.reached <= found.times.size)
    found.values[:, : found.reached] = _numbers(values, (size, found.reached))
    found.legs[1:] = [(_whole(k, found.times.size), _leg_of(found.first, leg)) for k, leg in kept["legs"]]
    firsts, gaps = [k for k, _ in found.legs], [isinstance(leg, Gap) for _, leg in found.legs]
    _require(firsts == sorted(firsts) and not gaps[-1] and not any(a and b for a, b in pairwise(gaps)))
    names, count = {event.name for event in watch.events}, len(watch.events)
    watch.known = [_number(value) for value in kept["known"]]
    watch.recent.extend([_whole(times) for times in counts] for counts in kept["recent"])
    _require(len(watch.known) in (0, count) and all(len(counts) == count for counts in watch.recent))
    watch.seen = [
        Seen(name, _number(time), _whole(leg, len(gaps) - 1), _numbers(state, (size,)))
        for name, time, leg, state in kept["seen"]
    ]
    _require(all(each.name in names and not gaps[each.leg] for each in watch.seen))
    legs, times, states = (kept["way"][name] for name in ("legs", "times", "states"))
    _require(legs.dtype == np.int64 and legs.ndim == 1 and bool(((legs >= 0) & (legs < len(gaps))).all()))
    numbers = _numbers(times, legs.shape), _numbers(states, (legs.size, size))
    found.way = [(int(k), float(time), y) for k, time, y in zip(legs, *numbers, strict=True)]
    if kept["last"] is not None:
        time, state = kept["last"]
        found.last = _number(time), _numbers(state, (size,))


def _state(state: dict[str, Any], found: Any, blank: dict[str, Array]) -> dict[str, Array]:
    """Check the state of an integrator against a blank one, and where in the times it is."""
    _require(state.keys() == blank.keys())
    for name, array in blank.items():
        _require(isinstance(state[name], np.ndarray))
        _require((state[name].shape, state[name].dtype) == (array.shape, array.dtype))
    _require(bool(np.isfinite(state["y"]).all()) and state["numbers"][AT] >= found.times[0])
    _require("counts" not in state or 1 <= state["counts"][NEXT] <= found.times.size)
    return state


def _require(holds: bool) -> None:
    if not holds:
        raise ValueError


def _number(value: Any) -> float:
    _require(type(value) in (float, int))
    return float(value)


def _whole(value: Any, most: int | None = None) -> int:
    """Return a whole number from 0 on, up to the largest."""
    _require(type(value) is int and value >= 0 and (most is None or value <= most))
    return int(value)


def _numbers(array: Any, shape: tuple[int, ...]) -> Array:
    """Return finite numbers of a shape."""
    _require(isinstance(array, np.ndarray) and array.dtype == float and array.shape == shape)
    _require(bool(np.isfinite(array).all()))
    return np.asarray(array)


def _leg(leg: FreeMotion | Gap) -> dict[str, Any]:
    if isinstance(leg, FreeMotion):
        return described(leg)
    return {"ends": [leg.start, leg.end], "time": leg.time, "bodies": leg.bodies}


def _leg_of(first: FreeMotion, data: dict[str, Any]) -> FreeMotion | Gap:
    if "ends" not in data:
        return restored(first, data)
    (start, before), (end, after) = data["ends"]
    states = [_numbers(state, (2 * len(first.free),)) for state in (before, after)]
    bodies = tuple(data["bodies"])
    _require(set(bodies) <= set(first.program.mechanism.body))
    return Gap((_number(start), states[0]), (_number(end), states[1]), _number(data["time"]), bodies)
