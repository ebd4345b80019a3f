"""Files that keep how far a simulation is, from which it is taken up again with the same bits.

Such a file holds the state of the integrator and all that was found, and a digest of what was asked: it is used for the
same simulation alone. It is replaced as a whole, so that one that was being written is none.
"""

from __future__ import annotations

import hashlib
import io
import json
import time as clock
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from groupkin.durable_files import check_place, disk_errors, exists, remove_abandoned, replacing_file
from groupkin.dynamics.coordinate_changes import described, restored
from groupkin.dynamics.events import Seen
from groupkin.dynamics.free_motion import FreeMotion
from groupkin.dynamics.straight_on import Gap
from groupkin.errors import CheckpointError

Array = NDArray[np.float64]

EVERY = 5.0
"""Seconds between two times that a checkpoint is written."""

FORM = 3
"""Number of the form of the file."""


@dataclass
class Checkpoint:
    """A file that is written along the way.

    Attributes
    ----------
    file : Path
    digest : str
        See `digest`.
    written : float
        When it was last written, s of a clock.
    """

    file: Path
    digest: str
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
    check_place(file)
    remove_abandoned(file)
    if exists(file) and not resume:
        raise CheckpointError(
            f"{file} exists: go on from it with --resume (resume=True), remove it, or choose another name"
        )
    return Checkpoint(file, digest)


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
    about = {
        "digest": checkpoint.digest,
        "legs": [[first, _leg(leg) if k else None] for k, (first, leg) in enumerate(found.legs)],
        "known": seen.known,
        "recent": list(seen.recent),
        "seen": [[each.name, each.time, each.leg, each.state.tolist()] for each in seen.seen],
        "last": None if found.last is None else [found.last[0], found.last[1].tolist()],
    }
    arrays = {f"state_{name}": array for name, array in state.items()}
    buffer = io.BytesIO()
    np.savez(buffer, about=np.array(json.dumps(about)), values=found.values[:, : found.reached], **arrays)  # type: ignore[arg-type]
    with disk_errors(checkpoint.file, begun=False), replacing_file(checkpoint.file) as temporary:
        temporary.write_bytes(buffer.getvalue())
    checkpoint.written = clock.monotonic()


def read(checkpoint: Checkpoint, found: Any) -> dict[str, Array] | None:
    """Read how far a simulation was, into what is found; the state of the integrator, None if there is no checkpoint.

    Raises
    ------
    CheckpointError
        If the file is none, or of another simulation.
    """
    if not exists(checkpoint.file):
        return None
    try:
        with np.load(io.BytesIO(checkpoint.file.read_bytes()), allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        about = json.loads(str(arrays.pop("about")))
        same, values = about["digest"] == checkpoint.digest, arrays.pop("values")
    except (OSError, BadZipFile, EOFError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{checkpoint.file} is no checkpoint of a simulation; remove it") from error
    if not same:
        raise CheckpointError(
            f"{checkpoint.file} is of another simulation: mechanism, start, times, tolerances or events were others. "
            "Remove it, or choose another name"
        )
    found.reached = values.shape[1]
    found.values[:, : found.reached] = values
    found.legs[1:] = [(k, _leg_of(found.first, leg)) for k, leg in about["legs"][1:]]
    found.watch.known = about["known"]
    found.watch.recent.extend(about["recent"])
    found.watch.seen = [Seen(name, time, leg, np.array(state)) for name, time, leg, state in about["seen"]]
    found.last = None if about["last"] is None else (about["last"][0], np.array(about["last"][1]))
    return {name.removeprefix("state_"): array for name, array in arrays.items()}


def _leg(leg: FreeMotion | Gap) -> dict[str, Any]:
    if isinstance(leg, FreeMotion):
        return described(leg)
    ends = [[time, state.tolist()] for time, state in (leg.start, leg.end)]
    return {"ends": ends, "time": leg.time, "bodies": leg.bodies}


def _leg_of(first: FreeMotion, data: dict[str, Any]) -> FreeMotion | Gap:
    if "ends" not in data:
        return restored(first, data)
    start, end = ((float(time), np.array(state)) for time, state in data["ends"])
    return Gap(start, end, data["time"], tuple(data["bodies"]))
