"""Pictures of a store: distributions of numbers, motions over time, totals, and samples by how they ended."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cluster.reports import columns
from cluster.reports.columns import OUTCOME, Column, Extents
from cluster.reports.units import SI, Units, conversion, name_with_unit
from cluster.stores.store import Store, attributes, open_group, open_store, sum_total
from groupkin.errors import OutputError, UnknownNameError
from groupkin.messages import suggestion
from groupkin.picture_files import check_file, write_picture
from groupkin.tolerances import ROUNDING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_BINS, MAX_PANELS, COLUMNS = 50, 12, 3
"""Bins of a distribution, panels of a picture unless they are named, and panels side by side."""

MAX_POINTS = 20_000
"""Samples with the same status that are drawn as points, about."""


@dataclass(frozen=True)
class Picture:
    """Names of the panels that were drawn, and of those that were left out because there are too many."""

    drawn: tuple[str, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Panel:
    """A panel of a picture: its name, the function that draws it with matplotlib, and if it shows a parameter."""

    name: str
    draw: Callable[[Any], None]
    parameter: bool = False


def draw(path: str | Path, file: Path, by: str | None = None, names: Sequence[str] = (), units: Units = SI) -> Picture:
    """Draw a picture of a store.

    Parameters
    ----------
    path : str or Path
        Of the store.
    file : Path
    by : str, optional
        The variable that is drawn first; totals and what was kept follow, `MAX_PANELS` in all. Parameters, whose
        distribution is stated by the sweep, are left out unless there is nothing else.
    names : sequence of str, optional
        Draw these instead: variables, or components of them. If they are two with one number per sample, the samples
        are also drawn as points of one over the other, colored by how they ended.
    units : Units, optional

    Returns
    -------
    Picture

    Raises
    ------
    StoreError, UnknownNameError, OutputError
    """
    check_file(file)
    figure, picture = picture_of(path, by, names, units)
    write_picture(figure, file)
    return picture


def picture_of(
    path: str | Path, by: str | None = None, names: Sequence[str] = (), units: Units = SI
) -> tuple[Figure, Picture]:
    """Make the figure that `draw` writes, and tell what is in it."""
    store = open_store(Path(path))
    panels = _panels(store, by, names, units)
    if not panels:
        raise OutputError(f"{path} has nothing to draw")
    most = len(panels) if names else min(MAX_PANELS, _results(panels) or len(panels))
    figure = _figure(attributes(store)["title"], panels[:most])
    drawn, others = (dict.fromkeys(panel.name for panel in part) for part in (panels[:most], panels[most:]))
    return figure, Picture(tuple(drawn), tuple(name for name in others if name not in drawn))


def _results(panels: Sequence[_Panel]) -> int:
    """Count the panels before those of parameters, which come last; a panel that was asked for may be one of them."""
    parameters = len(panels)
    while parameters and panels[parameters - 1].parameter:
        parameters -= 1
    return parameters


def _figure(title: str, panels: Sequence[_Panel]) -> Figure:
    from matplotlib.figure import Figure

    across = min(COLUMNS, len(panels))
    rows = -(-len(panels) // across)
    figure = Figure(figsize=(4.0 * across, 2.8 * rows), layout="constrained")
    all_axes = figure.subplots(rows, across, squeeze=False).ravel()
    for axes in all_axes[len(panels) :]:
        axes.set_axis_off()
    for panel, axes in zip(panels, all_axes, strict=False):
        axes.tick_params(labelsize=7)
        panel.draw(axes)
        for axis in (axes.xaxis, axes.yaxis):
            axis.label.set_fontsize(8)
    figure.suptitle(title, fontsize=9)
    return figure


# --- what is drawn ---------------------------------------------------------------------------


def _panels(store: Store, by: str | None, names: Sequence[str], units: Units) -> list[_Panel]:
    """List the panels of a picture, those of named variables or else all."""
    listed, done = columns.list_columns(store), columns.extents(store)
    if names:
        return _named_panels(store, listed, done, names, units)
    first = [] if by is None else [columns.find_column(listed, by)]
    others = [column for column in listed if column not in first and column.name not in columns.TIMES]
    others.sort(key=lambda column: (column.parameter, not column.single))
    return [
        *(_of_column(store, column, done, units) for column in first),
        *(panel for name in store.totals for panel in _of_total(store, name, units)),
        *(_of_column(store, column, done, units) for column in others),
    ]


def _named_panels(
    store: Store, listed: Sequence[Column], done: Extents, names: Sequence[str], units: Units
) -> list[_Panel]:
    """List the panels of named variables, and of two numbers one over the other."""
    panels: list[_Panel] = []
    chosen: list[Column] = []
    for name in names:
        components = [column for column in listed if name in (*column.names, column.variable)]
        if not components and name not in store.totals:
            existing = [*(column.name for column in listed), *store.totals]
            raise UnknownNameError(f"there is no variable {name!r} in the store{suggestion(name, existing)}")
        chosen += components
        panels += [_of_column(store, column, done, units) for column in components]
        panels += _of_total(store, name, units) if name in store.totals else []
    if len(panels) == len(chosen) == 2 and all(column.single for column in chosen):
        points = partial(_draw_points, store=store, pair=(chosen[0], chosen[1]), done=done, units=units)
        panels.append(_Panel(f"{chosen[1].name} over {chosen[0].name}", points))
    return panels


def _of_column(store: Store, column: Column, done: Extents, units: Units) -> _Panel:
    if column.single:
        draw = partial(_draw_distribution, column=column, done=done, units=units)
        return _Panel(column.name, draw, column.parameter)
    return _Panel(column.name, partial(_draw_motion, store=store, column=column, done=done, units=units))


def _of_total(store: Store, name: str, units: Units) -> list[_Panel]:
    """List the panels of a total: along its axis, or over every two of its axes, summed over the others."""
    dimensions = range(open_group(store.path)[name].ndim)
    if not dimensions:
        return []
    return [
        _Panel(name, partial(_draw_total, store=store, name=name, dimensions=pair, units=units))
        for pair in itertools.combinations(dimensions, min(2, len(dimensions)))
    ]


# --- panels ----------------------------------------------------------------------------------


def _axis(column: Column, units: Units) -> tuple[float, str]:
    """Return the factor to other units, and the label of an axis."""
    factor, unit = conversion(column.units, units)
    return factor, name_with_unit(column.name, unit)


def _draw_distribution(axes: Any, column: Column, done: Extents, units: Units) -> None:
    factor, label = _axis(column, units)
    values = factor * columns.read_columns([column], done)[0]
    known = values[np.isfinite(values)]
    if known.size:
        equal = np.ptp(known) <= ROUNDING * np.abs(known).max()  # rounding cannot be divided into bins
        bins = 1 if equal else int(np.clip(np.sqrt(known.size), 5, MAX_BINS))
        axes.hist(known, bins=bins, color="tab:gray" if column.parameter else "tab:blue")
    axes.set_xlabel(label)
    axes.set_ylabel("samples")


def _draw_motion(axes: Any, store: Store, column: Column, done: Extents, units: Units) -> None:
    """Draw the least, mean and largest value of all samples over time."""
    factor, label = _axis(column, units)
    times = np.asarray(open_group(store.path)["time"][:])
    least, largest = np.full(times.size, np.nan), np.full(times.size, np.nan)
    total, count = np.zeros(times.size), np.zeros(times.size)
    for start, stop in done:
        values = factor * column.read(start, stop)
        least, largest = np.fmin(least, np.fmin.reduce(values)), np.fmax(largest, np.fmax.reduce(values))
        total, count = total + np.nansum(values, axis=0), count + np.isfinite(values).sum(axis=0)
    mean = np.divide(total, count, out=np.full(times.size, np.nan), where=count > 0)
    axes.fill_between(times, least, largest, color="tab:blue", alpha=0.3, linewidth=0.0)
    axes.plot(times, mean, color="tab:blue", linewidth=1.0)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(label)


def _draw_total(axes: Any, store: Store, name: str, dimensions: tuple[int, ...], units: Units) -> None:
    """Draw a total over one or two of its dimensions, summed over the others."""
    group, counts = open_group(store.path), sum_total(store, name)
    summed = counts.sum(axis=tuple(k for k in range(counts.ndim) if k not in dimensions))
    dims = [group[name].metadata.dimension_names[k] for k in dimensions]
    cells = [_cells(group, dim, size, units) for dim, size in zip(dims, summed.shape, strict=True)]
    axes.set_xlabel(cells[0][1])
    if len(cells) == 1:
        axes.step(cells[0][0], summed, where="mid")
        axes.set_ylabel("steps")
        return
    shades = axes.pcolormesh(cells[0][0], cells[1][0], np.where(summed, summed, np.nan).T, shading="nearest")
    axes.set_aspect("equal")
    axes.set_ylabel(cells[1][1])
    bar = axes.figure.colorbar(shades, ax=axes)
    bar.ax.tick_params(labelsize=7)
    bar.set_label("steps", fontsize=8)


def _cells(group: Any, dim: str, size: int, units: Units) -> tuple[NDArray[Any], str]:
    """Return the centers of cells along a dimension, lengths or else numbers of cells, and the label of the axis."""
    if dim not in group:
        return np.arange(size), dim
    factor, unit = conversion("m", units)
    return factor * np.asarray(group[dim][:]), name_with_unit(dim, unit)


def _draw_points(axes: Any, store: Store, pair: tuple[Column, Column], done: Extents, units: Units) -> None:
    """Draw samples as points, colored by how they ended."""
    scales = [_axis(column, units) for column in pair]
    array = open_group(store.path)[OUTCOME[0]]
    outcome = Column(OUTCOME[0], OUTCOME[0], "", False, True, array, ())
    *values, status = columns.read_columns([*pair, outcome], done)
    words = columns.meanings(store)
    for k, code in enumerate(np.unique(status).astype(int).tolist()):
        samples = np.flatnonzero(status == code)
        drawn = samples[:: -(-samples.size // MAX_POINTS)]
        x, y = (factor * numbers[drawn] for numbers, (factor, _) in zip(values, scales, strict=True))
        color = "tab:gray" if code == 0 else f"C{k}"
        size, label = 4.0 if code == 0 else 10.0, words.get(code, str(code))
        axes.scatter(x, y, s=size, color=color, label=label, linewidths=0.0, rasterized=True)
    axes.set_xlabel(scales[0][1])
    axes.set_ylabel(scales[1][1])
    if status.size:
        axes.legend(fontsize=6)
