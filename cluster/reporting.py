"""What a store holds: failures by reason, ranges of what was kept, the samples with the least and largest of it.

Stores are read chunk by chunk, so they may be larger than the memory, and they may be incomplete.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.store import Store, Zarr, added, attributes, completed, open_store
from groupkin.errors import OutputError, UnknownNameError
from groupkin.mechanism.pairs import nearest

Array = NDArray[np.float64]

SINGLE = 9
"""Components of a variable that are listed one by one, at most."""

OUTCOME = ("status", "failed_group", "failed_time")
"""Variables that tell how samples ended."""

RANKED = 5
"""Samples that are listed at either end."""

BINS, PANELS, COLUMNS = 50, 12, 3
"""Of pictures of distributions: bins, panels at most, panels side by side."""

SUFFIXES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Range:
    """The range of a variable, or of one component of it, over samples (and times) where it is known.

    Attributes
    ----------
    name : str
        Such as ``range.B.position.x``.
    units : str
    parameter : bool
        Whether it is a parameter.
    known : int
        Numbers that are not NaN.
    least, mean, largest : float
    single : bool
        Whether it is one number per sample.
    """

    name: str
    units: str
    parameter: bool
    single: bool
    known: int = 0
    least: float = np.inf
    mean: float = np.nan
    largest: float = -np.inf


@dataclass(frozen=True)
class Failures:
    """Samples that failed for one reason: group and its bodies, status, how many, the first of them, earliest time."""

    group: int
    bodies: str
    status: str
    samples: int
    first: int
    earliest: float


@dataclass(frozen=True)
class Total:
    """A sum over samples: how many cells it has, how many of them are not zero, and the sum of all."""

    name: str
    cells: int
    seen: int
    sum: int


@dataclass(frozen=True)
class Ranked:
    """A sample, its value of what samples are ranked by, and its parameters."""

    sample: int
    value: float
    parameters: dict[str, float]


@dataclass(frozen=True)
class Report:
    """What a store holds.

    Attributes
    ----------
    title : str
    samples, done, failed : int
    failures : tuple of Failures
        The most frequent first.
    ranges : tuple of Range
        Parameters first.
    totals : tuple of Total
        Of the samples that are done.
    by : str, optional
        Name of the range that samples are ranked by.
    lowest, highest : tuple of Ranked
    """

    title: str
    samples: int
    done: int
    failed: int
    failures: tuple[Failures, ...]
    ranges: tuple[Range, ...]
    totals: tuple[Total, ...]
    by: str | None = None
    lowest: tuple[Ranked, ...] = ()
    highest: tuple[Ranked, ...] = ()


def report(path: str | Path, by: str | None = None, top: int = RANKED) -> Report:
    """Read a store.

    Parameters
    ----------
    path : str or Path
    by : str, optional
        Rank the samples by this: a name in `Report.ranges` of which each sample has one.
    top : int, optional
        How many samples are listed at either end.

    Raises
    ------
    StoreError
        If there is no store.
    UnknownNameError
        If samples cannot be ranked by `by`.
    """
    store = open_store(Path(path))
    columns = _columns(store)
    chosen = None if by is None else _named(columns, by)
    done = list(completed(store))
    failures = _failures(store, done)
    found = Report(
        title=attributes(store)["title"],
        samples=store.samples,
        done=sum(stop - start for start, stop in map(store.extent, done)),
        failed=sum(one.samples for one in failures),
        failures=failures,
        ranges=tuple(_range(column, [store.extent(k) for k in done]) for column in columns),
        totals=tuple(_total(name, added(store, name)) for name in store.totals),
    )
    if chosen is None:
        return found
    values = _column(store, chosen, done)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    ranked = [
        tuple(Ranked(int(k), float(values[k]), _parameters(store, columns, int(k))) for k in some)
        for some in (order[:top], order[::-1][:top])
    ]
    return replace(found, by=by, lowest=ranked[0], highest=ranked[1])


# --- columns ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Column:
    """A variable or a component of it, and its array."""

    range: Range
    array: Zarr
    component: tuple[int, ...] | None

    def read(self, start: int, stop: int) -> Array:
        """Values of some samples."""
        values = self.array[start:stop]
        return np.asarray(values if self.component is None else values[:, *self.component], np.float64)


def _columns(store: Store) -> list[_Column]:
    """All that has a range, parameters first."""
    import zarr

    group: Zarr = zarr.open_group(store.path, mode="r")
    parameters = store.parameters
    names = [*parameters, *(name for name in store.kept if name not in parameters and name not in OUTCOME)]
    found = []
    for name in names:
        array = group[name]
        labels = _labels(group, array)
        each = len(labels) <= SINGLE and "time" not in (array.metadata.dimension_names or ())
        for place in itertools.product(*map(range, array.shape[1:])) if each else [None]:
            label = f".{labels[place]}" if place else ""
            one = Range(name + label, array.attrs.get("units", ""), name in parameters, each)
            found.append(_Column(one, array, place))
    return found


def _labels(group: Zarr, array: Zarr) -> dict[tuple[int, ...], str]:
    """Labels of the components of an array, by their place."""
    dims = (array.metadata.dimension_names or ())[1:]
    words = [
        [str(label) for label in group[dim][:]] if dim in group else [str(k) for k in range(size)]
        for dim, size in zip(dims, array.shape[1:], strict=True)
    ]
    places = itertools.product(*(range(len(one)) for one in words))
    return dict(zip(places, map(".".join, itertools.product(*words)), strict=True))


def _named(columns: Sequence[_Column], name: str) -> _Column:
    single = {column.range.name: column for column in columns if column.range.single}
    if name not in single:
        near = nearest(name, list(single))
        hint = f"; did you mean {near}?" if near else f"; there are {', '.join(single)}"
        raise UnknownNameError(f"there is no number {name!r} of each sample{hint}")
    return single[name]


def _column(store: Store, column: _Column, done: Sequence[int]) -> Array:
    """A number for each sample; NaN where it is not known."""
    found = np.full(store.samples, np.nan)
    for k in done:
        start, stop = store.extent(k)
        found[start:stop] = column.read(start, stop)
    return found


def _parameters(store: Store, columns: Sequence[_Column], sample: int) -> dict[str, float]:
    return {
        column.range.name: float(column.read(sample, sample + 1)[0])
        for column in columns
        if column.range.parameter and column.range.single
    }


# --- ranges and failures ---------------------------------------------------------------------


def _range(column: _Column, extents: Sequence[tuple[int, int]]) -> Range:
    known, total, least, largest = 0, 0.0, np.inf, -np.inf
    for start, stop in extents:
        values = column.read(start, stop)
        values = values[np.isfinite(values)]
        if values.size:
            known, total = known + values.size, total + float(values.sum())
            least, largest = min(least, float(values.min())), max(largest, float(values.max()))
    return replace(column.range, known=known, least=least, mean=total / known if known else np.nan, largest=largest)


def _total(name: str, counts: NDArray[Any]) -> Total:
    return Total(name, counts.size, int(np.count_nonzero(counts)), int(counts.sum()))


def _failures(store: Store, done: Sequence[int]) -> tuple[Failures, ...]:
    import zarr

    group: Zarr = zarr.open_group(store.path, mode="r")
    meanings = _meanings(group["status"])
    bodies = attributes(store).get("groups", [])
    found: dict[tuple[int, int], Failures] = {}
    for start, stop in map(store.extent, done):
        status, number, when = (np.asarray(group[name][start:stop]) for name in OUTCOME)
        failed = np.flatnonzero(status)
        for key in sorted(set(zip(number[failed].tolist(), status[failed].tolist(), strict=True))):
            those = np.flatnonzero((number == key[0]) & (status == key[1]))
            earliest = float(np.nanmin(when[those], initial=np.inf))
            name = bodies[key[0] - 1] if 0 < key[0] <= len(bodies) else ""
            new = Failures(key[0], name, meanings.get(key[1], str(key[1])), 0, start + int(those[0]), np.inf)
            old = found.get(key, new)
            found[key] = replace(old, samples=old.samples + those.size, earliest=min(old.earliest, earliest))
    return tuple(sorted(found.values(), key=lambda one: (-one.samples, one.group, one.status)))


def _meanings(status: Zarr) -> dict[int, str]:
    words = [word.replace("_", " ") for word in str(status.attrs.get("flag_meanings", "")).split()]
    return dict(zip(status.attrs.get("flag_values", []), words, strict=False))


# --- pictures --------------------------------------------------------------------------------


def check_picture(file: Path) -> None:
    """Refuse a picture that could not be drawn.

    Raises
    ------
    OutputError
    """
    if file.suffix.lower() not in SUFFIXES:
        raise OutputError(f"{file}: a picture ends in {', '.join(SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise OutputError("pictures need matplotlib: pip install 'groupkin[plot]'") from None


def draw(path: str | Path, file: Path, by: str | None = None) -> int:
    """Draw distributions of what each sample has one number of, and totals; returns how many.

    The one called `by` comes first, then totals, what was kept, and parameters. At most `PANELS` are drawn.

    Raises
    ------
    StoreError, UnknownNameError, OutputError
    """
    check_picture(file)
    from matplotlib.figure import Figure

    store = open_store(Path(path))
    columns = [column for column in _columns(store) if column.range.single]
    first = [] if by is None else [_named(columns, by)]
    others = sorted((column for column in columns if column not in first), key=lambda one: one.range.parameter)
    drawn: list[_Column | str] = [*first]
    drawn = [*drawn, *store.totals, *others][:PANELS]
    if not drawn:
        raise OutputError(f"{path} has nothing to draw a distribution of")
    done = list(completed(store))
    wide = min(COLUMNS, len(drawn))
    tall = -(-len(drawn) // wide)
    figure = Figure(figsize=(4.0 * wide, 2.8 * tall), layout="constrained")
    for one, panel in zip(drawn, figure.subplots(tall, wide, squeeze=False).ravel(), strict=False):
        panel.tick_params(labelsize=7)
        if isinstance(one, str):
            _draw_total(panel, store, one)
        else:
            _draw_column(panel, one, _column(store, one, done))
    for panel in figure.axes[len(drawn) :]:
        panel.set_axis_off()
    figure.suptitle(attributes(store)["title"], fontsize=9)
    try:
        figure.savefig(file)
    except OSError as error:
        raise OutputError(f"{file} cannot be written: {error.strerror}") from None
    return len(drawn)


def _draw_column(panel: Any, column: _Column, values: Array) -> None:
    known = values[np.isfinite(values)]
    bins = int(np.clip(np.sqrt(known.size), 5, BINS))
    panel.hist(known, bins=bins, color="tab:gray" if column.range.parameter else "tab:blue")
    units = f" [{column.range.units}]" if column.range.units else ""
    panel.set_xlabel(f"{column.range.name}{units}", fontsize=8)
    panel.set_ylabel("samples", fontsize=8)


def _draw_total(panel: Any, store: Store, name: str) -> None:
    """A total along its first axis, or over its first two, the others added up."""
    import zarr

    group: Zarr = zarr.open_group(store.path, mode="r")
    dims, counts = group[name].metadata.dimension_names, added(store, name)
    seen = counts.sum(axis=tuple(range(2, counts.ndim)))
    places = [
        np.asarray(group[dim][:]) if dim in group else np.arange(size)
        for dim, size in zip(dims, seen.shape, strict=False)
    ]
    if seen.ndim == 1:
        panel.step(places[0], seen, where="mid")
    else:
        panel.pcolormesh(*places, np.where(seen, seen, np.nan).T, shading="nearest")
        panel.set_aspect("equal")
        panel.set_ylabel(dims[1], fontsize=8)
    panel.set_xlabel(dims[0], fontsize=8)
