"""Files that keep how far a simulation is, from which it is taken up again with the same bits.

Such a file holds the state of the integrator and all that was found; it is used for the same simulation alone, and
only as it was written (`groupkin.resumable_files`).
"""

from __future__ import annotations

import hashlib
import time as clock
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.durable_files import exists
from groupkin.dynamics.coordinate_changes import described, restored
from groupkin.dynamics.events import Seen
from groupkin.dynamics.free_motion import FreeMotion
from groupkin.dynamics.straight_on import Gap
from groupkin.errors import CheckpointError
from groupkin.resumable_files import ResumableFile

Array = NDArray[np.float64]

EVERY = 5.0
"""Seconds between two times that a checkpoint is written."""

FORM = 3
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
    equations, _, _, forces = free.problem
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
        }
    )
    checkpoint.written = clock.monotonic()


def read(checkpoint: Checkpoint, found: Any) -> dict[str, Array] | None:
    """Read how far a simulation was, into what is found; the state of the integrator, None if there is no checkpoint.

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
        return {name: np.asarray(array) for name, array in kept["state"].items()}
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # a file that was made up
        raise checkpoint.file.unusable() from error


def _take_up(kept: dict[str, Any], found: Any) -> None:
    values = kept["values"]
    found.reached = values.shape[1]
    found.values[:, : found.reached] = values
    found.legs[1:] = [(k, _leg_of(found.first, leg)) for k, leg in kept["legs"]]
    found.watch.known = kept["known"]
    found.watch.recent.extend(kept["recent"])
    found.watch.seen = [Seen(*each) for each in kept["seen"]]
    found.last = None if kept["last"] is None else tuple(kept["last"])


def _leg(leg: FreeMotion | Gap) -> dict[str, Any]:
    if isinstance(leg, FreeMotion):
        return described(leg)
    return {"ends": [leg.start, leg.end], "time": leg.time, "bodies": leg.bodies}


def _leg_of(first: FreeMotion, data: dict[str, Any]) -> FreeMotion | Gap:
    if "ends" not in data:
        return restored(first, data)
    start, end = data["ends"]
    return Gap(tuple(start), tuple(end), data["time"], tuple(data["bodies"]))
