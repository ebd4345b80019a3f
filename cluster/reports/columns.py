"""Numbers of a store as columns: every variable, or component of it, with its unit.

Stores are read chunk by chunk, so they may be larger than the memory, and they may be incomplete.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.stores.store import Store, Zarr, intact, open_group, recorded
from groupkin.errors import GroupkinWarning, UnknownNameError
from groupkin.messages import counted, suggestion
from sglibrary.array_types import Array

Extents = Sequence[tuple[int, int]]
"""First sample, and the first after it, of every complete chunk."""

OUTCOME = ("status", "failed_group", "failed_time")
"""Variables that say how each sample ended."""

LEFT = ("outside", "outside_time")
"""Variables that say how each sample leaves ranges, where the mechanism has any."""

FAILED_TIME = OUTCOME[-1]

TIMES = (FAILED_TIME, LEFT[-1])
"""Times that say how samples end: no results."""

MAX_NAMED = 8
"""Damaged chunks that a warning names."""

MAX_NUMBERS = 2**22
"""Numbers of a column that are kept in memory, about; of more numbers a random sample is kept."""


@dataclass(frozen=True)
class Column:
    """A variable of a store or one component of it.

    Attributes
    ----------
    name : str
        Such as ``range.B.position.x``.
    variable : str
        The name without the component.
    units : str
        In meters, radians and seconds.
    parameter : bool
        True if it is a parameter.
    single : bool
        True if it is one number per sample, False if it is one at each time.
    array : array of zarr
    component : tuple of int
        Indices of the component in the last dimensions of the array.
    text : str
        What it is, such as ``range of position B.x``, by which it can be named too; empty if the store does not say.
    """

    name: str
    variable: str
    units: str
    parameter: bool
    single: bool
    array: Zarr
    component: tuple[int, ...]
    text: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names by which the column can be asked for."""
        return (self.name, self.text) if self.text else (self.name,)

    def select(self, values: NDArray[Any]) -> Array:
        """Take the numbers of this column, (n,) or (n, times), from values of the array for n samples."""
        index: Any = (..., *self.component)
        return np.asarray(values[index], np.float64)

    def read(self, start: int, stop: int) -> Array:
        """Read the numbers of this column, (n,) or (n, times), for samples start to stop - 1."""
        return self.select(self.array[start:stop])


def extents(store: Store) -> list[tuple[int, int]]:
    """List the extents of the chunks of a store that are `intact`; warn of those that were damaged."""
    chunks = intact(store)
    damaged = [k for k in recorded(store) if k not in chunks]
    if damaged:
        warnings.warn(
            f"{store.path}: {counted(len(damaged), 'chunk')} with files that were altered or are lost, which --resume "
            f"(resume=True) computes again; left out here: {', '.join(map(str, damaged[:MAX_NAMED]))}"
            + ", …"
            * (len(damaged) > MAX_NAMED),
            GroupkinWarning,
            stacklevel=2,
        )
    return [store.extent(k) for k in chunks]


def list_columns(store: Store) -> list[Column]:
    """List all columns: parameters, what was kept, and the times at which samples failed, or left a range."""
    group = open_group(store.path)
    kept = [name for name in store.kept if name not in store.parameters and name not in OUTCOME + LEFT]
    times = [name for name in TIMES if name in store.kept]
    return [
        Column(
            name + label,
            name,
            units,
            name in store.parameters,
            "time" not in _dimensions(array),
            array,
            component,
            _text(array, label),
        )
        for name in (*store.parameters, *kept, *times)
        for array in [group[name]]
        for label, units, component in _components(group, array)
    ]


def _text(array: Zarr, label: str) -> str:
    """Return what an array is, and the label of a component of it."""
    text = str(array.attrs.get("long_name", ""))
    return text + label if text else ""


def _dimensions(array: Zarr) -> tuple[str, ...]:
    return tuple(array.metadata.dimension_names or ())


def _components(group: Zarr, array: Zarr) -> list[tuple[str, str, tuple[int, ...]]]:
    """List the suffix of the name, the unit and the indices of every component of an array."""
    sizes = dict(zip(_dimensions(array), array.shape, strict=True))
    inner = {dim: size for dim, size in sizes.items() if dim not in ("sample", "time")}
    labels = [
        [str(label) for label in group[dim][:]] if dim in group else [str(k) for k in range(size)]
        for dim, size in inner.items()
    ]
    suffixes = ["".join(f".{label}" for label in combination) for combination in itertools.product(*labels)]
    unit = str(array.attrs.get("units", ""))
    units = unit.split(", ")  # of the freedoms of a joint
    if len(units) != len(suffixes):
        units = [unit] * len(suffixes)
    return list(zip(suffixes, units, itertools.product(*map(range, inner.values())), strict=True))


def find_column(listed: Sequence[Column], name: str) -> Column:
    """Return the column of a name, which must have one number per sample.

    Raises
    ------
    UnknownNameError
    """
    single = [column for column in listed if column.single]
    found = next((column for column in single if name in column.names), None)
    if found is None:
        names = [column.name for column in single]
        raise UnknownNameError(f"no variable {name!r} has one number per sample{suggestion(name, names)}")
    return found


def read_columns(listed: Sequence[Column], extents: Extents, most: int = MAX_NUMBERS) -> Array:
    """Read columns that have one number per sample.

    Parameters
    ----------
    listed : sequence of Column
    extents : sequence of (int, int)
    most : int, optional
        Of more samples about as many random ones are read.

    Returns
    -------
    (columns, n) array
    """
    share, random = most / max(sum(stop - start for start, stop in extents), 1), np.random.default_rng(0)
    parts = [np.zeros((len(listed), 0))]
    for start, stop in extents:
        values = np.stack([column.read(start, stop) for column in listed])
        parts.append(values if share >= 1.0 else values[:, random.random(stop - start) < share])
    return np.concatenate(parts, axis=1)


def meanings(store: Store, of: str = "status") -> dict[int, str]:
    """Return the meanings of the statuses of samples, or of another variable that is a number of something."""
    attributes = open_group(store.path)[of].attrs
    words = [word.replace("_", " ") for word in str(attributes.get("flag_meanings", "")).split()]
    return dict(zip(attributes.get("flag_values", []), words, strict=False))
