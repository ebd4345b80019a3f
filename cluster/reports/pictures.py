"""Pictures of what is in a store: distributions of what each sample has one number of, motions, totals, failures."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.reports.columns import (
    FAILED_TIME,
    OUTCOME,
    Column,
    Extents,
    columns,
    extents,
    gathered,
    group_of,
    instead,
    meanings,
    named,
)
from cluster.reports.units import SI, Units, shown, titled
from cluster.stores.store import Store, added, attributes, open_store
from groupkin.errors import OutputError, UnknownNameError

BINS, PANELS, ACROSS = 50, 12, 3
"""Of pictures: bins of a distribution, panels at most unless they are asked for by name, panels side by side."""

POINTS = 20_000
"""Samples that are drawn as points at most, about, of those that ended in one way."""

SUFFIXES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Picture:
    """What a picture shows, and what was left out because there is more than fits."""

    drawn: tuple[str, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Panel:
    """A part of a picture: what it shows, and what draws it into axes."""

    name: str
    draw: Callable[[Any], None]


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


def draw(path: str | Path, file: Path, by: str | None = None, names: Sequence[str] = (), units: Units = SI) -> Picture:
    """Draw what a store holds.

    Parameters
    ----------
    path : str or Path
        Of the store.
    file : Path
    by : str, optional
        What is drawn first; totals, what was kept, and parameters follow, of which the first `PANELS` are drawn.
    names : sequence of str, optional
        Draw these instead: variables, or components of them. If they are two numbers of each sample, then the samples
        are also drawn as points of one over the other, colored by how they ended.
    units : Units, optional

    Raises
    ------
    StoreError, UnknownNameError, OutputError
    """
    check_picture(file)
    store = open_store(Path(path))
    panels = _panels(store, by, names, units)
    if not panels:
        raise OutputError(f"{path} has nothing to draw")
    most = len(panels) if names else PANELS
    _write(file, attributes(store)["title"], panels[:most])
    drawn, others = ({panel.name: None for panel in some} for some in (panels[:most], panels[most:]))
    return Picture(tuple(drawn), tuple(name for name in others if name not in drawn))


def _write(file: Path, title: str, panels: Sequence[_Panel]) -> None:
    from matplotlib.figure import Figure

    wide = min(ACROSS, len(panels))
    tall = -(-len(panels) // wide)
    figure = Figure(figsize=(4.0 * wide, 2.8 * tall), layout="constrained")
    places = figure.subplots(tall, wide, squeeze=False).ravel()
    for place in places[len(panels) :]:
        place.set_axis_off()
    for panel, place in zip(panels, places, strict=False):
        place.tick_params(labelsize=7)
        panel.draw(place)
        for axis in (place.xaxis, place.yaxis):
            axis.label.set_fontsize(8)
    figure.suptitle(title, fontsize=9)
    try:
        figure.savefig(file)
    except OSError as error:
        raise OutputError(f"{file} cannot be written: {error.strerror}") from None


# --- what is drawn ---------------------------------------------------------------------------


def _panels(store: Store, by: str | None, names: Sequence[str], units: Units) -> list[_Panel]:
    listed, done = columns(store), extents(store)
    if not names:
        first = [] if by is None else [named(listed, by)]
        others = [one for one in listed if one not in first and one.name != FAILED_TIME]
        others.sort(key=lambda one: (one.parameter, not one.single))
        totals = [panel for name in store.totals for panel in _of_total(store, name, units)]
        return [
            *(_of_column(store, one, done, units) for one in first),
            *totals,
            *(_of_column(store, one, done, units) for one in others),
        ]
    found: list[_Panel] = []
    chosen: list[Column] = []
    for name in names:
        those = [one for one in listed if name in (one.name, one.variable)]
        if not those and name not in store.totals:
            known = [*(one.name for one in listed), *store.totals]
            raise UnknownNameError(f"there is no variable {name!r} in the store{instead(name, known)}")
        chosen += those
        found += [_of_column(store, one, done, units) for one in those]
        found += _of_total(store, name, units) if name in store.totals else []
    if len(found) == len(chosen) == 2 and all(one.single for one in chosen):
        points = partial(_draw_points, store=store, pair=(chosen[0], chosen[1]), done=done, units=units)
        found.append(_Panel(f"{chosen[1].name} over {chosen[0].name}", points))
    return found


def _of_column(store: Store, column: Column, done: Extents, units: Units) -> _Panel:
    if column.single:
        return _Panel(column.name, partial(_draw_distribution, column=column, done=done, units=units))
    return _Panel(column.name, partial(_draw_motion, store=store, column=column, done=done, units=units))


def _of_total(store: Store, name: str, units: Units) -> list[_Panel]:
    """A total along its axis, or over every two of its axes, the others added up."""
    axes = range(group_of(store)[name].ndim)
    return [
        _Panel(name, partial(_draw_total, store=store, name=name, axes=those, units=units))
        for those in itertools.combinations(axes, min(2, len(axes)))
    ]


# --- panels ----------------------------------------------------------------------------------


def _scaled(column: Column, units: Units) -> tuple[float, str]:
    """Factor to other units, and the label of an axis."""
    factor, unit = shown(column.units, units)
    return factor, titled(column.name, unit)


def _draw_distribution(panel: Any, column: Column, done: Extents, units: Units) -> None:
    factor, label = _scaled(column, units)
    values = factor * gathered([column], done)[0]
    known = values[np.isfinite(values)]
    if known.size:
        alike = np.ptp(known) <= 1e-12 * np.abs(known).max()  # rounding, which cannot be cut into bins
        bins = 1 if alike else int(np.clip(np.sqrt(known.size), 5, BINS))
        panel.hist(known, bins=bins, color="tab:gray" if column.parameter else "tab:blue")
    panel.set_xlabel(label)
    panel.set_ylabel("samples")


def _draw_motion(panel: Any, store: Store, column: Column, done: Extents, units: Units) -> None:
    """Least, mean and largest of all samples over time."""
    factor, label = _scaled(column, units)
    times = np.asarray(group_of(store)["time"][:])
    least, largest = np.full(times.size, np.nan), np.full(times.size, np.nan)
    total, count = np.zeros(times.size), np.zeros(times.size)
    for start, stop in done:
        values = factor * column.read(start, stop)
        least, largest = np.fmin(least, np.fmin.reduce(values)), np.fmax(largest, np.fmax.reduce(values))
        total, count = total + np.nansum(values, axis=0), count + np.isfinite(values).sum(axis=0)
    mean = np.divide(total, count, out=np.full(times.size, np.nan), where=count > 0)
    panel.fill_between(times, least, largest, color="tab:blue", alpha=0.3, linewidth=0.0)
    panel.plot(times, mean, color="tab:blue", linewidth=1.0)
    panel.set_xlabel("time [s]")
    panel.set_ylabel(label)


def _draw_total(panel: Any, store: Store, name: str, axes: tuple[int, ...], units: Units) -> None:
    """A total over some of its axes, the others added up."""
    group, counts = group_of(store), added(store, name)
    seen = counts.sum(axis=tuple(k for k in range(counts.ndim) if k not in axes))
    dims = [group[name].metadata.dimension_names[k] for k in axes]
    cells = [_cells(group, dim, size, units) for dim, size in zip(dims, seen.shape, strict=True)]
    panel.set_xlabel(cells[0][1])
    if len(cells) == 1:
        panel.step(cells[0][0], seen, where="mid")
        panel.set_ylabel("steps")
        return
    shades = panel.pcolormesh(cells[0][0], cells[1][0], np.where(seen, seen, np.nan).T, shading="nearest")
    panel.set_aspect("equal")
    panel.set_ylabel(cells[1][1])
    bar = panel.figure.colorbar(shades, ax=panel)
    bar.ax.tick_params(labelsize=7)
    bar.set_label("steps", fontsize=8)


def _cells(group: Any, dim: str, size: int, units: Units) -> tuple[NDArray[Any], str]:
    """Centers of the cells along an axis, which are lengths if the store has them, and its label."""
    if dim not in group:
        return np.arange(size), dim
    factor, unit = shown("m", units)
    return factor * np.asarray(group[dim][:]), titled(dim, unit)


def _draw_points(panel: Any, store: Store, pair: tuple[Column, Column], done: Extents, units: Units) -> None:
    """Samples as points, colored by how they ended."""
    scales = [_scaled(column, units) for column in pair]
    array = group_of(store)[OUTCOME[0]]
    how = Column(OUTCOME[0], OUTCOME[0], "", False, True, array, ())
    *values, status = gathered([*pair, how], done)
    words = meanings(store)
    for k, code in enumerate(np.unique(status).astype(int).tolist()):
        those = np.flatnonzero(status == code)
        some = those[:: -(-those.size // POINTS)]
        x, y = (factor * of[some] for of, (factor, _) in zip(values, scales, strict=True))
        color = "tab:gray" if code == 0 else f"C{k}"
        size, label = 4.0 if code == 0 else 10.0, words.get(code, str(code))
        panel.scatter(x, y, s=size, color=color, label=label, linewidths=0.0, rasterized=True)
    panel.set_xlabel(scales[0][1])
    panel.set_ylabel(scales[1][1])
    if status.size:
        panel.legend(fontsize=6)
