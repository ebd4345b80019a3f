"""Sweeps as plain data and as text: two sweeps of the same text have the same results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.errors import SweepError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep

LONG = 1000
"""Numbers above which a list is represented by its digest."""

STORED_KINDS = {"TimeHistory": "Motion", "AssemblyMode": "Mode"}
"""Names of classes in stores, where they differ from those in Python."""


def require_sweep(value: object) -> None:
    """Refuse what is no sweep.

    Raises
    ------
    SweepError
    """
    if not hasattr(value, "as_data"):
        hint = "; read a file with cluster.read_sweep" if isinstance(value, str | PurePath) else ""
        raise SweepError(f"a sweep is needed, not {value!r}{hint}")


def as_text(sweep: Sweep) -> str:
    """Return all that determines the results as JSON."""
    return json.dumps(sweep.as_data(), indent=1, sort_keys=True)


def plain(value: Any) -> Any:
    """Convert dataclasses, arrays and mappings to dicts and lists of numbers and words."""
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value).__name__
        stored = [field.name for field in fields(value) if field.name not in ("label", "of_joint")]
        return {"kind": STORED_KINDS.get(kind, kind)} | {name: plain(getattr(value, name)) for name in stored}
    if isinstance(value, np.ndarray) or (isinstance(value, list | tuple) and len(value) > LONG and _numbers(value[0])):
        array = np.ascontiguousarray(value, float)
        if array.size <= LONG:
            return array.tolist()
        digest = hashlib.sha256(array.tobytes()).hexdigest()
        return {"shape": list(array.shape), "first": array[0].tolist(), "last": array[-1].tolist(), "sha256": digest}
    if isinstance(value, Mapping):
        return {"-".join(key) if isinstance(key, tuple) else str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value.item() if isinstance(value, np.generic) else value


def _numbers(value: Any) -> bool:
    """Return True for a number or a list of numbers."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return isinstance(first, int | float | np.number) and not isinstance(first, bool)
