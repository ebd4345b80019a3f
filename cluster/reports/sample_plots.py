"""Pictures of samples: a scatter matrix, and parallel coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cluster.reports.columns import TIMES
from cluster.reports.samples import Samples, samples_of
from cluster.reports.units import SI, Units
from groupkin.arguments import checked
from groupkin.look.palette import FRAME, GRAY, GROUPS, INK, LOST, mixed
from groupkin.picture_files import check_optional, write_optional
from sglibrary.array_types import Array, Ints

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

MAX_SCATTERED, MAX_PARALLEL = 8, 14
"""Variables of a scatter matrix, and of parallel coordinates."""

MAX_POINTS, MAX_LINES = (3000, 600), (600, 150)
"""Solved samples, and those that failed or leave a range, that are drawn as points and as lines."""

PANEL, SMALL = 1.35, 6.5
"""Side of a panel of a scatter matrix, inches, and size of its texts, points."""

APART = 0.9
"""Distance of parallel axes, inches."""

SOLVED, OUTSIDE = GROUPS[0], GROUPS[4]
"""Colors of samples that are solved, and that leave a range; those that failed are in `LOST`."""

LOW, HIGH = mixed(SOLVED, 0.78), mixed(SOLVED, 0.7, INK)
"""Colors of lines with the least and the largest value of the variable that colors them; between them `SOLVED`."""

STEPS = 41
"""Ends of the parts of an axis that shows colors."""

MISSING = -0.12
"""Height at which lines pass an axis without a value, relative to its length."""


@checked
def plot_scatter(
    results: str | Path | xarray.Dataset,
    names: Sequence[str] = (),
    out: str | Path | None = None,
    units: Units = SI,
) -> Figure:
    """Plot every two variables of samples over each other, and the distribution of each.

    Samples that failed are red, others that leave a range are orange. One that lacks a number, as failed ones lack
    results, is a mark at the edge of the panel, where its other number is. Of many samples random ones are drawn,
    always the same; distributions are those of all.

    Parameters
    ----------
    results : str, Path or xarray.Dataset
        A store that `cluster.batch` has written, or what `cluster.solve` returns.
    names : sequence of str, optional
        Variables with one number per sample, or components of them. Default: parameters and results; of too many the
        first results, and the parameters by which most of their variance is explained.
    out : str or Path, optional
        A file that ends in .svg, .png or .pdf; a file of this name is replaced.
    units : Units, optional
        Of what is in meters, radians and seconds.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    UnknownNameError
        If there is no such variable.
    OutputError
        If there is nothing or too much to draw, matplotlib is missing or the file cannot be written.
    StoreError
        If there is no store.
    """
    check_optional(out)
    samples = samples_of(results, names, MAX_SCATTERED, units)
    kinds = _kinds(samples, MAX_POINTS)
    count = len(samples.columns)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(PANEL * count + 0.8, PANEL * count + 0.8), dpi=160, facecolor="white")
    figure.set_layout_engine("constrained", w_pad=0.02, h_pad=0.02, wspace=0.04, hspace=0.04)
    panels: Any = figure.subplots(count, count, squeeze=False)
    limits = [_limits(values) for values in samples.values]
    for i, j in np.ndindex(count, count):
        panel = panels[i, j]
        if j > i:
            panel.set_axis_off()
            continue
        _prepare(panel, samples.labels[j] if i == count - 1 else "", samples.labels[i] if j == 0 else "", i != j)
        panel.set_xlim(limits[j])
        if i == j:
            _draw_distribution(panel, samples, i)
            continue
        panel.set_ylim(limits[i])
        for word, color, chosen in kinds:
            _draw_points(
                panel,
                samples.values[[j, i]][:, chosen],
                color,
                f"{word} {samples.columns[j].name} {samples.columns[i].name}",
            )
    _say(figure, samples, kinds)
    return write_optional(figure, out)


@checked
def plot_parallel(
    results: str | Path | xarray.Dataset,
    names: Sequence[str] = (),
    by: str | None = None,
    out: str | Path | None = None,
    units: Units = SI,
) -> Figure:
    """Plot samples as lines through their values on parallel axes, each from the least to the largest value.

    Lines are the darker, the larger the value of one variable, whose axis shows the colors. Samples that failed are
    red, others that leave a range are orange; below the axes they pass variables for which they have no number. Of
    many samples random ones are drawn, always the same.

    Parameters
    ----------
    results, names, out, units
        See `plot_scatter`.
    by : str, optional
        The variable that colors the lines. Default: the last one.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    UnknownNameError
        If there is no such variable.
    OutputError
        If there is nothing or too much to draw, matplotlib is missing or the file cannot be written.
    StoreError
        If there is no store.
    """
    check_optional(out)
    samples = samples_of(results, names, MAX_PARALLEL, units, by)
    kinds = _kinds(samples, MAX_LINES)
    last = next((k for k, column in enumerate(samples.columns) if by in column.names), len(samples.columns) - 1)
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    count, shades = len(samples.columns), LinearSegmentedColormap.from_list("shades", [LOW, SOLVED, HIGH])
    figure = Figure(figsize=(max(4.0, APART * count + 0.6), 3.6), dpi=160, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    heights = np.array([_shares(values) for values in samples.values])
    order = np.argsort(heights[last], kind="stable")
    for level, (word, color, chosen) in enumerate(kinds, 2):
        lines = order[np.isin(order, chosen)]
        points = np.where(np.isfinite(heights[:, lines]), heights[:, lines], MISSING)
        paths = np.stack([np.broadcast_to(np.arange(count)[:, None], points.shape), points], axis=2).transpose(1, 0, 2)
        colors = [color] if color != SOLVED else shades(np.nan_to_num(heights[last, lines], nan=0.5))
        axes.add_collection(
            LineCollection(list(paths), colors=colors, linewidths=0.6, zorder=level, gid=f"lines {word}")
        )
    for k, (values, label) in enumerate(zip(samples.values, samples.labels, strict=True)):
        _draw_axis(axes, k, values, label, shades if k == last else None)
    lacking = bool(np.isnan(heights).any())
    if lacking:
        axes.text(count - 0.95, MISSING, "no value", fontsize=SMALL, color=GRAY, va="center")
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_ylim(MISSING - 0.06 if lacking else MISSING + 0.04, 1.1)
    axes.set_axis_off()
    _say(figure, samples, kinds)
    return write_optional(figure, out)


def colored_by(by: str | None) -> str | None:
    """The variable that colors lines where samples are ranked by one; none where that is how they ended."""
    return None if by in TIMES else by


# --- which samples ---------------------------------------------------------------------------


Kind = tuple[str, str, Ints]
"""A word for samples that ended in the same way, their color, and those of them that are drawn."""


def _kinds(samples: Samples, most: tuple[int, int]) -> list[Kind]:
    """Sort samples by how they ended, and choose those that are drawn; the last ones lie above."""
    random, found = np.random.default_rng(0), list[Kind]()
    solved = ~(samples.failed | samples.outside)
    for word, color, which, limit in (
        ("solved", SOLVED, solved, most[0]),
        ("outside of a range", OUTSIDE, samples.outside, most[1]),
        ("failed", LOST, samples.failed, most[1]),
    ):
        members = np.flatnonzero(which)
        if members.size > limit:
            members = np.sort(random.choice(members, limit, replace=False))
        if members.size:
            found.append((word, color, members))
    return found


def _say(figure: Any, samples: Samples, kinds: Sequence[Kind]) -> None:
    """Write the title, what colors mean, how many samples are drawn, and what is left out."""
    counts = {
        "solved": int((~(samples.failed | samples.outside)).sum()),
        "outside of a range": int(samples.outside.sum()),
        "failed": int(samples.failed.sum()),
    }
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=color, marker="o", markersize=3.5, linestyle="none") for _, color, _ in kinds]
    words = [
        f"{counts[word]:,} {word}" + (f", {drawn.size:,} of them drawn" if drawn.size < counts[word] else "")
        for word, _, drawn in kinds
    ]
    figure.suptitle(samples.title, x=0.02, ha="left", fontsize=9, color=INK, parse_math=False)
    place = {"loc": "outside lower left", "ncols": len(kinds)} if len(figure.axes) == 1 else {"loc": "upper right"}
    figure.legend(handles, words, fontsize=SMALL + 0.5, frameon=False, handletextpad=0.2, **place)
    if samples.left_out:
        note = f"not shown: {', '.join(samples.left_out)}"
        figure.supxlabel(note, x=0.99, ha="right", fontsize=SMALL, color=GRAY, gid="note", parse_math=False, wrap=True)


# --- parts of pictures -----------------------------------------------------------------------


def _prepare(panel: Any, below: str, beside: str, scaled: bool) -> None:
    """Set spines, ticks and labels of a panel of a scatter matrix, whose axis beside it may have a scale."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    for side, spine in panel.spines.items():
        spine.set(visible=side in ("left", "bottom"), linewidth=0.6, color=INK)
    panel.tick_params(labelsize=SMALL, width=0.6, length=2, color=INK, labelcolor=INK)
    panel.tick_params(labelbottom=bool(below), labelleft=bool(beside) and scaled)
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_locator(MaxNLocator(2 if axis is panel.xaxis else 3, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.6g}"))
    for write, text in ((panel.set_xlabel, below), (panel.set_ylabel, beside)):
        write(_broken(text, panel.figure, PANEL), fontsize=SMALL + 0.5, color=INK, parse_math=False)


def _broken(label: str, figure: Any, width: float) -> str:
    """Break a label into lines of a width in inches, at its underscores too."""
    from groupkin.look.plots.plot_lines import fitting

    return fitting(label.replace("_", " "), figure, width / figure.get_size_inches()[0])


def _limits(values: Array) -> tuple[float, float]:
    """The ends of an axis for some values, with room."""
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    room = 0.08 * (high - low) or 0.05 * abs(high) or 1.0
    return low - room, high + room


def _shares(values: Array) -> Array:
    """Values as shares of the way from the least to the largest."""
    known = values[np.isfinite(values)]
    if not known.size or known.min() == known.max():
        return np.where(np.isfinite(values), 0.5, np.nan)
    return np.asarray((values - known.min()) / (known.max() - known.min()))


def _draw_distribution(panel: Any, samples: Samples, k: int) -> None:
    """Draw how many samples have which value, those that failed above those that did not."""
    values, low, high = samples.values[k], *_limits(samples.values[k])
    panel.set_yticks([])
    panel.spines["left"].set_visible(False)
    solved = ~(samples.failed | samples.outside)
    bins = np.linspace(low, high, int(np.clip(np.sqrt(values.size), 8, 30)) + 1)
    below = np.zeros(bins.size - 1)
    for color, which in ((mixed(SOLVED, 0.35), solved), (OUTSIDE, samples.outside), (LOST, samples.failed)):
        counts = np.histogram(values[which & np.isfinite(values)], bins)[0]
        if counts.any():
            panel.stairs(
                below + counts,
                bins,
                baseline=below,
                fill=True,
                color=color,
                gid=f"distribution {samples.columns[k].name}",
            )
        below = below + counts


def _draw_points(panel: Any, points: Array, color: str, gid: str) -> None:
    """Draw points (2, n); those that lack a number as marks at the edge where their other number is."""
    known = np.isfinite(points)
    both, size = known.all(axis=0), 1.6 if color == SOLVED else 2.2
    style = {"linestyle": "none", "color": color, "markeredgewidth": 0.0, "rasterized": True}
    panel.plot(*points[:, both], marker="o", markersize=size, gid=gid, **style)
    for k, transform, mark in ((0, panel.get_xaxis_transform(), "|"), (1, panel.get_yaxis_transform(), "_")):
        alone = points[k, known[k] & ~known[1 - k]]
        if alone.size:
            place = [alone, np.full(alone.size, 0.03)]
            marks = {**style, "markeredgewidth": 0.6, "transform": transform, "zorder": 3}
            panel.plot(*(place if k == 0 else place[::-1]), marker=mark, markersize=4, gid=f"edge {gid}", **marks)


def _draw_axis(axes: Any, k: int, values: Array, label: str, shades: Any) -> None:
    """Draw an axis of parallel coordinates with its ends and its name; in shades if these show its values."""
    from matplotlib.collections import LineCollection

    steps = np.linspace(0.0, 1.0, 2 if shades is None else STEPS)
    parts = [[(k, low), (k, min(high + 0.5 / STEPS, 1.0))] for low, high in pairwise(steps)]  # without gaps
    colors, width = ([FRAME], 0.8) if shades is None else (shades(0.5 * (steps[:-1] + steps[1:])), 6.0)
    axes.add_collection(LineCollection(parts, colors=colors, linewidths=width, zorder=6, gid=f"axis {label}"))
    known = values[np.isfinite(values)]
    ends = (known.min(), known.max()) if known.size else ("–", "–")
    style = {"ha": "center", "fontsize": SMALL, "color": INK, "zorder": 7, "parse_math": False}
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
    for end, height, va in zip(ends, (-0.02, 1.02), ("top", "bottom"), strict=True):
        axes.text(k, height, end if isinstance(end, str) else f"{end:.4g}", va=va, bbox=box, **style)
    name = _broken(label, axes.figure, APART)
    axes.text(k, 1.12, name, va="bottom", gid=f"name {label}", **{**style, "fontsize": SMALL + 0.5})
