"""Pictures of what is in a store: distributions of what each sample has one number of, and totals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cluster.columns import FAILED_TIME, Array, Column, columns, extents, group_of, named
from cluster.store import Store, added, attributes, open_store
from groupkin.errors import OutputError

BINS, PANELS, COLUMNS = 50, 12, 3
"""Of pictures of distributions: bins, panels at most, panels side by side."""

SUFFIXES = (".svg", ".png", ".pdf")


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
    listed = columns(store)
    first = [] if by is None else [named(listed, by)]
    others = [column for column in listed if column.single and column not in first and column.name != FAILED_TIME]
    others.sort(key=lambda one: one.parameter)
    drawn: list[Column | str] = [*first]
    drawn = [*drawn, *store.totals, *others][:PANELS]
    if not drawn:
        raise OutputError(f"{path} has nothing to draw a distribution of")
    done = extents(store)
    wide = min(COLUMNS, len(drawn))
    tall = -(-len(drawn) // wide)
    figure = Figure(figsize=(4.0 * wide, 2.8 * tall), layout="constrained")
    for one, panel in zip(drawn, figure.subplots(tall, wide, squeeze=False).ravel(), strict=False):
        panel.tick_params(labelsize=7)
        if isinstance(one, str):
            _draw_total(panel, store, one)
        else:
            _draw_column(panel, one, np.concatenate([np.zeros(0), *(one.read(*extent) for extent in done)]))
    for panel in figure.axes[len(drawn) :]:
        panel.set_axis_off()
    figure.suptitle(attributes(store)["title"], fontsize=9)
    try:
        figure.savefig(file)
    except OSError as error:
        raise OutputError(f"{file} cannot be written: {error.strerror}") from None
    return len(drawn)


def _draw_column(panel: Any, column: Column, values: Array) -> None:
    known = values[np.isfinite(values)]
    bins = int(np.clip(np.sqrt(known.size), 5, BINS))
    panel.hist(known, bins=bins, color="tab:gray" if column.parameter else "tab:blue")
    units = f" [{column.units}]" if column.units else ""
    panel.set_xlabel(f"{column.name}{units}", fontsize=8)
    panel.set_ylabel("samples", fontsize=8)


def _draw_total(panel: Any, store: Store, name: str) -> None:
    """A total along its first axis, or over its first two, the others added up."""
    group = group_of(store)
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
