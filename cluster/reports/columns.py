"""The numbers in a store as columns: every variable, or component of it, with its unit.

Stores are read chunk by chunk, so they may be larger than the memory, and they may be incomplete.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.stores.store import Store, Zarr, completed
from groupkin.errors import UnknownNameError
from groupkin.mechanism.pairs import nearest

Array = NDArray[np.float64]
Extents = Sequence[tuple[int, int]]
"""First sample, and the first after it, of every chunk that is complete."""

OUTCOME = ("status", "failed_group", "failed_time")
"""Variables that tell how samples ended."""

FAILED_TIME = OUTCOME[-1]

HELD = 2**22
"""Numbers of a column that are kept in memory at most, about; where there are more, a random sample of them."""


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
        Whether it is a parameter.
    single : bool
        Whether it is one number per sample; otherwise one at each time.
    array : array of zarr
    component : tuple of int
        Its place in the last dimensions of the array.
    """

    name: str
    variable: str
    units: str
    parameter: bool
    single: bool
    array: Zarr
    component: tuple[int, ...]

    def of(self, values: NDArray[Any]) -> Array:
        """Its part, (n,) or (n, times), of what the array holds for n samples."""
        place: Any = (..., *self.component)
        return np.asarray(values[place], np.float64)

    def read(self, start: int, stop: int) -> Array:
        """Its numbers, (n,) or (n, times), for samples start to stop - 1."""
        return self.of(self.array[start:stop])


def extents(store: Store) -> list[tuple[int, int]]:
    """What of a store is complete."""
    return [store.extent(k) for k in completed(store)]


def group_of(store: Store) -> Zarr:
    """The group of zarr that a store is."""
    import zarr

    return zarr.open_group(store.path, mode="r")


def columns(store: Store) -> list[Column]:
    """All columns: parameters, what was kept, the time at which samples failed."""
    group = group_of(store)
    kept = [name for name in store.kept if name not in store.parameters and name not in OUTCOME]
    return [
        Column(name + label, name, units, name in store.parameters, "time" not in _dimensions(array), array, place)
        for name in (*store.parameters, *kept, FAILED_TIME)
        for array in [group[name]]
        for label, units, place in _components(group, array)
    ]


def _dimensions(array: Zarr) -> tuple[str, ...]:
    return tuple(array.metadata.dimension_names or ())


def _components(group: Zarr, array: Zarr) -> list[tuple[str, str, tuple[int, ...]]]:
    """End of the name, unit and place of every component of an array."""
    sizes = dict(zip(_dimensions(array), array.shape, strict=True))
    inner = {dim: size for dim, size in sizes.items() if dim not in ("sample", "time")}
    words = [
        [str(label) for label in group[dim][:]] if dim in group else [str(k) for k in range(size)]
        for dim, size in inner.items()
    ]
    labels = ["".join(f".{word}" for word in chosen) for chosen in itertools.product(*words)]
    units = str(array.attrs.get("units", ""))
    each = units.split(", ")  # of the freedoms of a joint
    if len(each) != len(labels):
        each = [units] * len(labels)
    return list(zip(labels, each, itertools.product(*map(range, inner.values())), strict=True))


def named(listed: Sequence[Column], name: str) -> Column:
    """The column of this name of which each sample has one number.

    Raises
    ------
    UnknownNameError
    """
    single = {column.name: column for column in listed if column.single}
    if name not in single:
        raise UnknownNameError(f"there is no number {name!r} of each sample{instead(name, list(single))}")
    return single[name]


def instead(name: str, known: Sequence[str]) -> str:
    """Words on what could be meant by a name that is not known."""
    near = nearest(name, list(known))
    return f"; did you mean {near}?" if near else f"; there are {', '.join(known)}"


def gathered(listed: Sequence[Column], extents: Extents, held: int = HELD) -> Array:
    """Numbers of columns that have one per sample, (columns, n), at all samples, or at about `held` random ones."""
    share, chance = held / max(sum(stop - start for start, stop in extents), 1), np.random.default_rng(0)
    found = [np.zeros((len(listed), 0))]
    for start, stop in extents:
        values = np.stack([column.read(start, stop) for column in listed])
        found.append(values if share >= 1.0 else values[:, chance.random(stop - start) < share])
    return np.concatenate(found, axis=1)


def meanings(store: Store) -> dict[int, str]:
    """What the statuses of samples mean."""
    attributes = group_of(store)["status"].attrs
    words = [word.replace("_", " ") for word in str(attributes.get("flag_meanings", "")).split()]
    return dict(zip(attributes.get("flag_values", []), words, strict=False))
