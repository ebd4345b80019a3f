"""Samples of a store, or of a sweep in memory, as numbers that are shown together."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cluster.reports import columns
from cluster.reports.columns import LEFT, OUTCOME, Column, Extents
from cluster.reports.sensitivity import correlation_ratio
from cluster.reports.units import SI, Units, conversion, name_with_unit
from cluster.stores.store import attributes, open_group, open_store
from groupkin.errors import ArgumentError, OutputError, UnknownNameError
from groupkin.messages import suggestion
from sglibrary.array_types import Array, Flags

if TYPE_CHECKING:
    import xarray

MAX_READ = 2**20
"""Numbers of a column that are read, about; of more samples random ones are."""

RANKED_BY = 20_000
"""Samples by which parameters are chosen, at most."""


@dataclass(frozen=True)
class Samples:
    """Numbers of samples.

    Attributes
    ----------
    title : str
    columns : tuple of Column
    labels : tuple of str
        Names of the columns with their units.
    values : (columns, n) array
        NaN where a sample has none.
    failed, outside : (n,) array of bool
        Samples that could not be solved; others that leave a range.
    left_out : tuple of str
        Names of columns that were left out because there are too many.
    """

    title: str
    columns: tuple[Column, ...]
    labels: tuple[str, ...]
    values: Array
    failed: Flags
    outside: Flags
    left_out: tuple[str, ...] = ()


def samples_of(
    results: str | Path | xarray.Dataset, names: Sequence[str], most: int, units: Units = SI, by: str | None = None
) -> Samples:
    """Read what is shown of the samples of a store, or of a dataset.

    Parameters
    ----------
    results : str, Path or xarray.Dataset
        A store, or what `cluster.solve` returns.
    names : sequence of str
        Variables, or components of them, with one number per sample; all if there are none.
    most : int
        Columns at most. Of more, half are results, and the rest are the parameters that these depend on most.
    units : Units, optional
        Of what is in meters, radians and seconds.
    by : str, optional
        A variable that is shown in any case.

    Raises
    ------
    UnknownNameError
        If there is no such variable.
    OutputError
        If there is nothing to show, or too much is named.
    StoreError
        If there is no store.
    """
    title, listed, done = _opened(results)
    single = [column for column in listed if column.single]
    shown = [column for column in single if column.variable not in (*OUTCOME, *LEFT)]
    ends = [column for name in (OUTCOME[0], LEFT[0]) for column in single if column.name == name]
    first = [] if by is None else _named(shown, [by])
    chosen = _named(shown, [*names, *(column.name for column in first)]) if names else shown
    if len(chosen) > most and names:
        raise OutputError(f"{len(chosen)} variables are too many for this picture, which shows {most}; name fewer")
    values = columns.read_columns([*chosen, *ends], done, MAX_READ)
    if len(chosen) < 2 or not values.shape[1]:
        what = "no sample is computed" if len(chosen) > 1 else "it takes two variables with one number per sample"
        raise OutputError(f"there is nothing to draw: {what}")
    places = range(len(chosen)) if len(chosen) <= most else _strongest(chosen, values, most, first)
    marks = dict(zip((column.name for column in ends), values[len(chosen) :] != 0, strict=True))
    outside = marks.get(LEFT[0], np.zeros(values.shape[1], bool))
    scales = [conversion(chosen[k].units, units) for k in places]
    return Samples(
        title,
        tuple(chosen[k] for k in places),
        tuple(name_with_unit(chosen[k].name, unit) for k, (_, unit) in zip(places, scales, strict=True)),
        np.array([factor * values[k] for k, (factor, _) in zip(places, scales, strict=True)]),
        marks[OUTCOME[0]] & ~outside,
        outside,
        tuple(column.name for k, column in enumerate(chosen) if k not in places),
    )


def _named(shown: Sequence[Column], names: Sequence[str]) -> list[Column]:
    """Columns by their names, in their order, each once."""
    found: dict[str, Column] = {}
    for name in names:
        own = [column for column in shown if name in (*column.names, column.variable)]
        if not own:
            near = suggestion(name, [column.name for column in shown])
            raise UnknownNameError(f"no variable {name!r} has one number per sample{near}")
        found |= {column.name: column for column in own}
    return list(found.values())


def _strongest(chosen: Sequence[Column], values: Array, most: int, first: Sequence[Column]) -> list[int]:
    """Places of what comes first, of other results, and of the parameters that explain most of their variance."""
    results = [k for k, column in enumerate(chosen) if not column.parameter or column in first]
    results.sort(key=lambda k: chosen[k] not in first)
    parameters = [k for k in range(len(chosen)) if k not in results]
    kept = results[: max(most // 2, most - len(parameters))]
    shares = {
        k: sum(np.nan_to_num(correlation_ratio(values[k, :RANKED_BY], values[of, :RANKED_BY])) for of in kept)
        for k in parameters
    }
    strongest = sorted(parameters, key=lambda k: -shares[k])[: most - len(kept)]
    return sorted([*strongest, *kept])


# --- where they are read ---------------------------------------------------------------------


def _opened(results: str | Path | xarray.Dataset) -> tuple[str, list[Column], Extents]:
    """Title, columns and extents of a store or a dataset."""
    if isinstance(results, str | Path):
        store = open_store(Path(results))
        group, listed = open_group(store.path), columns.list_columns(store)
        ends = [name for name in (OUTCOME[0], LEFT[0]) if name in group]
        listed += [Column(name, name, "", False, True, group[name], ()) for name in ends]
        return attributes(store)["title"], listed, columns.extents(store)
    if "sample" not in getattr(results, "dims", ()) or OUTCOME[0] not in results:
        raise ArgumentError("results must be a store, or what cluster.solve returns")
    listed = [
        column
        for name, array in (*results.coords.items(), *results.data_vars.items())
        if "sample" in array.dims and name != "sample"
        for column in _columns_of(results, str(name), array, name in results.coords)
    ]
    return str(results.attrs.get("title", "")), listed, [(0, results.sizes["sample"])]


def _columns_of(data: xarray.Dataset, name: str, array: xarray.DataArray, parameter: bool) -> list[Column]:
    """Columns of a variable of a dataset, as those of a store are called."""
    ordered = array.transpose("sample", ...)
    inner = [dim for dim in ordered.dims[1:] if dim != "time"]
    labels = [[str(label) for label in data[dim].values] for dim in inner]
    single, unit = "time" not in ordered.dims, str(array.attrs.get("units", ""))
    parts = list(itertools.product(*labels))
    units = unit.split(", ") if len(unit.split(", ")) == len(parts) else [unit] * len(parts)
    places = itertools.product(*(range(data.sizes[dim]) for dim in inner))
    text = str(array.attrs.get("long_name", ""))
    return [
        Column(f"{name}{label}", name, own, parameter, single, ordered.values, place, text and f"{text}{label}")
        for part, own, place in zip(parts, units, places, strict=True)
        for label in ["".join(f".{one}" for one in part)]
    ]
