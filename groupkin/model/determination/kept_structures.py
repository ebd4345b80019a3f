"""Groups by rank, kept for the same mechanism: in memory, and of large ones in the user's cache directory.

A file holds names and numbers alone (JSON) and a checksum: it is never evaluated, and a damaged one is ignored.
"""

from __future__ import annotations

import json
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from groupkin.cache_directory import cache_directory
from groupkin.durable_files import write_atomically
from groupkin.errors import GroupkinError, OutputError
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.idle_spins import Spin
from groupkin.structure.redundancy import Redundancy

FORM = 1
"""Version of the files, and of what finds the groups: raise it when either changes."""

SLOW = 0.1
"""Time (s) that finding the groups must have taken for them to be kept in a file."""

IN_MEMORY, IN_FILES = 64, 512
"""Numbers of mechanisms that are kept."""


class Kept(NamedTuple):
    """Groups by rank: held spins, bodies of every group by number and groups before it, and repeated rows."""

    spins: tuple[Spin, ...]
    members: list[tuple[int, ...]]
    before: list[tuple[int, ...]]
    redundancies: tuple[Redundancy, ...]


_memory: OrderedDict[str, Kept] = OrderedDict()


def key_of(mechanism: Mechanism, geometry: Geometry) -> str:
    """Make a key of all that groups by rank depend on; empty where that cannot be compared."""
    version = import_module("groupkin").__version__
    joints = [(each.name, each.type, each.bodies, vars(geometry.joints[each.name])) for each in mechanism.joints]
    measured = [(name, vars(each)) for name, each in geometry.joints.items() if name not in mechanism.joint]
    drivers = [(driver.joint, driver.freedom, driver.between) for driver in mechanism.drivers]
    whole = [mechanism.dimension, mechanism.frame, [*mechanism.body], joints, measured, drivers, mechanism.misfit]
    try:
        content = pickle.dumps([FORM, version, *whole, mechanism.couplings, geometry.size])
    except GroupkinError:  # a coupling by a function
        return ""
    return sha256(content).hexdigest()


def read(key: str) -> Kept | None:
    """Read what is kept of a mechanism; None if nothing is, or it is damaged."""
    if key in _memory:
        _memory.move_to_end(key)
        return _memory[key]
    try:
        stored = json.loads(_file(key).read_bytes())
        if stored["sum"] != _checksum(stored["data"]):
            return None
        found = _from_data(stored["data"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    _remember(key, found)
    return found


def keep(key: str, kept: Kept, seconds: float) -> None:
    """Keep groups that took some time to find; a cache directory that cannot be written is none."""
    if not key:
        return
    _remember(key, kept)
    if seconds < SLOW:
        return
    with suppress(OSError, OutputError):
        path, data = _file(key), _to_data(kept)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps({"sum": _checksum(data), "data": data}))
        files = sorted(path.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in files[:-IN_FILES]:
            old.unlink()


def _remember(key: str, kept: Kept) -> None:
    _memory[key] = kept
    if len(_memory) > IN_MEMORY:
        _memory.popitem(last=False)


def _file(key: str) -> Path:
    return cache_directory() / "structures" / f"{key}.json"


def _checksum(data: Mapping[str, Any]) -> str:
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _to_data(kept: Kept) -> dict[str, Any]:
    return {
        "spins": [vars(spin) for spin in kept.spins],
        "members": kept.members,
        "before": kept.before,
        "redundancies": [
            {name: value for name, value in vars(each).items() if name != "eased"} for each in kept.redundancies
        ],
    }


def _from_data(data: Mapping[str, Any]) -> Kept:
    def names(values: list[str]) -> tuple[str, ...]:
        return tuple(map(str, values))

    spins = [
        Spin(names(each["bodies"]), (each["joints"][0], each["joints"][1]), names(each["swivels"]))
        for each in data["spins"]
    ]
    redundancies = [
        Redundancy(
            str(each["what"]), names(each["bodies"]), names(each["joints"]), int(each["rows"]),
            {joint: names(rows) for joint, rows in each["repeated"].items()},
        )
        for each in data["redundancies"]
    ]  # fmt: skip
    groups = [[tuple(map(int, each)) for each in data[part]] for part in ("members", "before")]
    return Kept(tuple(spins), groups[0], groups[1], tuple(redundancies))
