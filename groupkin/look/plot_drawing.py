"""How plots are drawn: panels under each other, names at the ends of lines, gaps marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, MultipleLocator, NullFormatter
from numpy.typing import NDArray

from groupkin.look.layers import apart
from groupkin.look.names import merged
from groupkin.look.palette import FRAME, GRAY, GROUPS, INK, mixed
from groupkin.look.sheets import text_width
from groupkin.look.space import SCREEN
from groupkin.mechanism.pairs import counted
from groupkin.picture_files import any_signs

if TYPE_CHECKING:
    from groupkin.look.plot_values import Source
    from groupkin.look.plots import Line, Panel

Array = NDArray[np.float64]

SIZE, SMALL = 8.0, 7.0
"""Of labels and of the numbers on axes, points."""

THICK, THIN = 1.1, 0.6
"""Of lines and of axes, points."""

ROW = 0.13
"""Height of a name beside a line, inches."""

LONGEST = 0.25
"""Of names beside lines, as a share of the width of the figure."""

DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)), (0, (2, 1)))
"""Of the first eight lines of a panel, of the next eight, …"""

DEGREES = (1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0, 60.0, 90.0, 180.0, 360.0)
"""Steps of axes of angles."""

DOTS = 300
"""Of a pixel picture, per inch."""

SHADE = "#ECEEF1"
"""Of times that are not solved."""


class ShownFigure(Figure):
    """A figure that a notebook shows where a cell returns it, whether pyplot is imported or not."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        from io import BytesIO

        file = BytesIO()
        with any_signs():
            self.savefig(file, format="png")
        width, height = (int(size) for size in 1.4 * 96 * self.get_size_inches())  # on a screen, from farther away
        return file.getvalue(), {"width": width, "height": height}


def draw_panels(panels: Sequence[Panel], source: Source, over_time: bool, width: float) -> Figure:
    """Draw panels under each other; those of curves share their abscissa.

    Parameters
    ----------
    over_time : bool
        Whether the curves are over time.
    width : float
        mm.
    """
    inches = width / 25.4
    heights = [_height(panel, len(panels), inches) for panel in panels]
    figure = ShownFigure(figsize=(inches, sum(heights)), dpi=DOTS, facecolor="white")
    figure.set_layout_engine("constrained", w_pad=0.03, h_pad=0.03, hspace=0.0)
    grid = figure.add_gridspec(len(panels), 1, height_ratios=heights)
    colors = _colors(panels)
    curves = [panel for panel in panels if not panel.path]
    names: list[tuple[Any, list[Text]]] = []
    first = None
    for k, panel in enumerate(panels):
        if panel.path:
            axes = figure.add_subplot(grid[k])
            (_draw_space_paths if len(panel.axes) == 3 else _draw_paths)(axes, panel, colors)
            continue
        axes = figure.add_subplot(grid[k], sharex=first)
        first = first or axes
        _prepare(axes, panel, labeled=panel is curves[-1])
        if over_time:
            _shade(axes, source)
        names.append((axes, _draw_curves(axes, panel, colors, ends=not over_time)))
        _scale(axes, panel)
    _draw_note(figure, source, bool(curves) and over_time, any(panel.path for panel in panels) or not over_time)
    for text in figure.findobj(Text):
        text.set_parse_math(False)
    with any_signs():
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes, texts in names:
        _spread(axes, texts)
    return figure


def _height(panel: Panel, count: int, inches: float) -> float:
    """Height of a panel with its labels, inches."""
    if not panel.path:
        height = np.clip((0.62 if count == 1 else 0.4) * inches, 1.1, 3.2 if count == 1 else 1.9)
        return float(max(height, ROW * len(panel.names) + 0.45))
    space = len(panel.axes) == 3
    everything = (
        np.array(list(product(*_box(panel)))) @ SCREEN
        if space
        else _known(np.concatenate([x.points for x in panel.lines]))
    )
    sides = np.ptp(everything, axis=0) if len(everything) else np.ones(2)
    ratio = sides[1] / sides[0] if sides[0] > 0 else 1.0
    return float(min(np.clip((0.7 if space else 0.8) * ratio, 0.35, 0.95) * inches + (0.6 if space else 0.4), 5.0))


def _colors(panels: Sequence[Panel]) -> dict[tuple[int, int], tuple[str, Any]]:
    """Choose color and dashes of every line, by panel and line; one thing has the same in all panels if it can."""
    known: dict[Any, int] = {}
    chosen = {}
    for panel in panels:
        taken: set[int] = set()
        for line in panel.lines:
            thing = (line.quantity.of, line.quantity.component)
            wish = known.get(thing, len(taken))
            index = wish if wish not in taken else next(k for k in range(len(panel.lines) + 1) if k not in taken)
            taken.add(index)
            known.setdefault(thing, index)
            chosen[id(panel), id(line)] = GROUPS[index % len(GROUPS)], DASHES[index // len(GROUPS) % len(DASHES)]
    return chosen


# --- axes ------------------------------------------------------------------------------------


def _prepare(axes: Any, panel: Panel, labeled: bool = True) -> None:
    """Set labels, ticks and spines."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set(linewidth=THIN, color=INK)
    axes.tick_params(labelsize=SMALL, width=THIN, length=2.5, color=INK, labelcolor=INK, labelbottom=labeled)
    axes.set_title(panel.title, fontsize=SIZE, color=INK, loc="left", pad=5)
    if labeled:
        axes.set_xlabel(panel.axes[0], fontsize=SIZE, color=INK)


def _scale(axes: Any, panel: Panel) -> None:
    """Set limits and places of ticks: whole decades, even angles."""
    x = panel.lines[0].points[:, 0]
    x = x[np.isfinite(x)]
    if x.min() < x.max():
        steps = np.diff(x)
        room = 0.0 if (steps >= 0).all() or (steps <= 0).all() else 0.03 * np.ptp(x)
        axes.set_xlim(x.min() - room, x.max() + room)
    if panel.logarithmic:
        values = np.concatenate([line.points[:, 1] for line in panel.lines])
        values = values[values > 0]
        low, high = (values.min(), values.max()) if values.size else (0.1, 1.0)
        axes.set_yscale("log")
        axes.set_ylim(10.0 ** np.floor(np.log10(0.999 * low)), 10.0 ** np.ceil(np.log10(0.999 * high)))
        axes.yaxis.set_major_locator(LogLocator(numticks=5))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        _ticks(axes.yaxis, panel.units[1], 5)
        low, high = axes.get_ylim()
        if low < 0.0 < high:
            axes.axhline(0.0, color=mixed(FRAME, 0.4), linewidth=0.5, zorder=0)
    _ticks(axes.xaxis, panel.units[0], 6)


def _ticks(axis: Any, unit: str, most: int) -> None:
    """Place ticks at even angles, or at round numbers."""
    low, high = axis.get_view_interval()
    steps = [step for step in DEGREES if (high - low) / step <= most and (high - low) / step >= 2]
    axis.set_major_locator(
        MultipleLocator(steps[0]) if unit == "deg" and steps else MaxNLocator(most, steps=[1, 2, 2.5, 5, 10])
    )


# --- lines -----------------------------------------------------------------------------------


def _draw_line(axes: Any, line: Line, style: tuple[str, Any], ends: bool) -> None:
    """Draw a line with gaps where it has no numbers, whose ends may be marked; single steps between gaps are dots."""
    known = np.isfinite(line.points).all(axis=1)
    beside = [np.roll(np.pad(known, 1), shift)[1:-1] for shift in (1, -1)]
    alone = np.flatnonzero(known & ~beside[0] & ~beside[1])
    axes.plot(
        *line.points.T, color=style[0], linestyle=style[1], linewidth=THICK, solid_joinstyle="round",
        marker="o", markersize=1.8, markevery=alone.tolist(), gid=f"line {line.quantity}",
    )  # fmt: skip
    beside = [np.roll(np.pad(known, 1, constant_values=True), shift)[1:-1] for shift in (1, -1)]
    at = known & ~(beside[0] & beside[1])
    if ends and at.any():
        axes.plot(*line.points[at].T, "x", color=INK, markersize=4, markeredgewidth=0.8, gid=f"gap {line.quantity}")


def _known(points: Array) -> Array:
    """Points (k, d) that are numbers."""
    return points[np.isfinite(points).all(axis=1)]


def _draw_curves(axes: Any, panel: Panel, colors: Any, ends: bool) -> list[Text]:
    """Draw the lines of a panel, and their names beside their right ends."""
    texts = []
    for k, line in enumerate(panel.lines):
        style = colors[id(panel), id(line)]
        _draw_line(axes, line, style, ends)
        known = _known(line.points)
        if panel.names and len(known):
            end = known[known[:, 0].argmax()]
            texts.append(
                axes.annotate(
                    _fitting(panel.names[k], axes.figure), end, (1.04, 0.5), textcoords="axes fraction", va="center",
                    fontsize=SMALL, color=mixed(style[0], 0.15, INK), gid=f"name {line.quantity}",
                    arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": style[0], "shrinkA": 0, "shrinkB": 0,
                                "relpos": (0.0, 0.5)},
                )
            )  # fmt: skip
    return texts


def _spread(axes: Any, texts: Sequence[Text]) -> None:
    """Move names up and down to where their lines end, or next to it without overlap."""
    if not texts:
        return
    box = axes.get_window_extent()
    heights = [axes.transAxes.inverted().transform(axes.transData.transform(text.xy))[1] for text in texts]  # type: ignore[attr-defined]
    order = np.argsort(heights, kind="stable")
    rows = np.array([ROW * (1 + texts[k].get_text().count("\n")) for k in order]) * axes.figure.dpi / box.height
    places = apart(np.array(heights)[order], rows, -0.1, 1.1)
    for k, place in zip(order, places, strict=True):
        texts[k].set_position((1.04, float(place)))


def _draw_paths(axes: Any, panel: Panel, colors: Any) -> None:
    """Draw paths in the plane to equal scales; a dot where they begin, an arrow where they go."""
    _prepare(axes, panel)
    axes.set_ylabel(panel.axes[1], fontsize=SIZE, color=INK)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.12 if panel.names else 0.06)
    for line in panel.lines:
        _draw_line(axes, line, colors[id(panel), id(line)], ends=True)
    _draw_starts(axes, panel, panel.lines, colors)
    if _is_hodograph(panel):
        axes.plot(0.0, 0.0, "+", color=INK, markersize=6, markeredgewidth=THIN, gid="pole")
    for axis, unit in zip((axes.xaxis, axes.yaxis), panel.units, strict=True):
        _ticks(axis, unit, 6)


def _draw_sense(axes: Any, points: Array, color: str) -> None:
    """Draw the head of an arrow a little after the beginning of a path."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    k = int(np.searchsorted(lengths, 0.12 * lengths[-1]))
    if 0 < k < len(points) and lengths[k] > lengths[k - 1]:
        style = {"arrowstyle": "-|>,head_length=0.35,head_width=0.16", "color": color, "linewidth": 0.0,
                 "mutation_scale": 12, "shrinkA": 0, "shrinkB": 0}  # fmt: skip
        axes.annotate("", points[k], points[k - 1], arrowprops=style)


def _draw_space_paths(axes: Any, panel: Panel, colors: Any) -> None:
    """Draw paths in space in the view of pictures of mechanisms, to scale, with their shadows on the ground."""
    axes.set_axis_off()
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(panel.title, fontsize=SIZE, color=INK, loc="left", pad=16)
    ticks = _box(panel)
    _draw_box(axes, panel, ticks)
    flat = [replace(line, points=line.points @ SCREEN) for line in panel.lines]
    for line, seen in zip(panel.lines, flat, strict=True):
        shadow = np.where(np.isfinite(line.points), line.points * (1, 1, 0) + (0, 0, ticks[2][0]), np.nan) @ SCREEN
        axes.plot(*shadow.T, color=mixed(FRAME, 0.55), linewidth=0.8, gid=f"shadow {line.quantity}")
        _draw_line(axes, seen, colors[id(panel), id(line)], ends=True)
    _draw_starts(axes, panel, flat, colors)
    if _is_hodograph(panel):
        axes.plot(0.0, 0.0, "+", color=INK, markersize=6, markeredgewidth=THIN, gid="pole")


def _box(panel: Panel) -> list[Array]:
    """Choose round numbers on three axes, from end to end of a box around paths in space."""
    points = _known(np.concatenate([line.points for line in panel.lines]))
    points = np.vstack([points, np.zeros(3)]) if _is_hodograph(panel) else points
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.ones(3))
    sides = np.maximum(high - low, 0.3 * float((high - low).max()) or 1.0)
    counts = np.maximum(np.round(4.0 * sides / sides.max()), 2).astype(int)
    ends = zip(counts, 0.5 * (low + high - sides), 0.5 * (low + high + sides), strict=True)
    return [
        np.asarray(MaxNLocator(count, steps=[1, 2, 2.5, 5, 10], min_n_ticks=1).tick_values(start, stop))
        for count, start, stop in ends
    ]


def _draw_box(axes: Any, panel: Panel, ticks: Sequence[Array]) -> None:
    """Draw the ground with its grid and three edges of the box around paths, with numbers and labels."""
    low, high = (np.array([values[end] for values in ticks]) for end in (0, -1))
    corners = np.array([low, [high[0], low[1], low[2]], low])
    for k, (values, label) in enumerate(zip(ticks, panel.axes, strict=True)):
        along, across = np.eye(3)[k], np.zeros(3)
        if k < 2:
            across[1 - k] = (high - low)[1 - k] * (1.0, -1.0)[k]
        away, ha, va = (((0.1, -1), "right", "top"), ((1, -0.4), "left", "center"), ((-1, 0), "right", "center"))[k]
        edge = corners[k] * (1.0 - along) + np.outer(values, along)
        for value, at in zip(values, edge, strict=True):
            axes.plot(*(np.array([at, at + across]) @ SCREEN).T, color=mixed(FRAME, 0.8), linewidth=0.5, zorder=0)
            style = {"fontsize": SMALL, "color": INK, "ha": ha, "va": va, "textcoords": "offset points"}
            tick = {"arrowstyle": "-", "linewidth": THIN, "color": INK, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", at @ SCREEN, 2.5 * np.array(away), textcoords="offset points", arrowprops=tick)
            axes.annotate(f"{value:g}".replace("-", "−"), at @ SCREEN, 4.0 * np.array(away), **style)
        axes.plot(*(edge @ SCREEN).T, color=INK, linewidth=THIN, zorder=1, gid=f"axis {label}")
        style = {
            "fontsize": SIZE,
            "color": INK,
            "va": "center",
            "textcoords": "offset points",
            "ha": ("center", "left", "center")[k],
        }
        place = edge[-1] if k == 2 else 0.5 * (edge[0] + edge[-1])
        axes.annotate(label, place @ SCREEN, ((-4, -22), (24, -14), (0, 10))[k], gid=f"label {label}", **style)


def _is_hodograph(panel: Panel) -> bool:
    """Tell whether paths are of velocities or accelerations, which have a pole."""
    return panel.lines[0].quantity.kind != "position"


def _draw_starts(axes: Any, panel: Panel, lines: Sequence[Line], colors: Any) -> None:
    """Draw dots where paths begin on the sheet, with names beside them, and arrows in the sense in which they go."""
    named = []
    for k, (line, seen) in enumerate(zip(panel.lines, lines, strict=True)):
        color, known = colors[id(panel), id(line)][0], _known(seen.points)
        if len(known):
            axes.plot(*known[0], "o", color=color, markersize=3.2, gid=f"start {line.quantity}")
            _draw_sense(axes, known, color)
            if panel.names:
                named.append((panel.names[k], known[0], known[0] - known.mean(axis=0), mixed(color, 0.15, INK)))
    near = 0.03 * float(np.ptp(axes.dataLim.get_points(), axis=0).max())
    for texts, at in merged([(name, at) for name, at, _, _ in named], near):
        away, color = next((away, color) for name, _, away, color in named if name == texts[0])
        away = away / np.hypot(*away) if np.hypot(*away) > 0 else np.array([1.0, 0.0])
        sides = ["right", "center", "left"], ["top", "center", "bottom"]
        ha, va = (words[1 + round(float(x))] for words, x in zip(sides, away, strict=True))
        axes.annotate(
            _fitting(", ".join(texts), axes.figure), at, 5.0 * away, textcoords="offset points", ha=ha, va=va,
            fontsize=SMALL, color=color if len(texts) == 1 else INK, gid=f"name {', '.join(texts)}",
        )  # fmt: skip


def _fitting(text: str, figure: Figure) -> str:
    """Break a name into lines that fit beside a panel, and shorten words that are too long for one."""
    most = LONGEST * figure.get_size_inches()[0]
    lines: list[str] = []
    for word in text.split():
        while text_width(word, SMALL) > most:
            word = word.rstrip("…")[:-1] + "…"
        whole = f"{lines[-1]} {word}" if lines else word
        lines[-1:] = [whole] if text_width(whole, SMALL) <= most or not lines else [*lines[-1:], word]
    return "\n".join(lines)


# --- gaps ------------------------------------------------------------------------------------


def gaps(source: Source) -> list[tuple[float, float]]:
    """List the times between which a motion is not solved: from the last solved one to the next, s."""
    solved, times = source.solved, source.times
    edges = np.flatnonzero(np.diff(np.concatenate([[True], solved, [True]]).astype(int)))
    last = len(times) - 1
    return [
        (float(times[max(start - 1, 0)]), float(times[min(stop, last)]))
        for start, stop in zip(edges[::2], edges[1::2], strict=True)
    ]


def _shade(axes: Any, source: Source) -> None:
    """Shade the times that are not solved."""
    for start, stop in gaps(source):
        axes.axvspan(start, stop, facecolor=SHADE, edgecolor=SHADE, linewidth=1.0, zorder=0, gid="not solved")


def _draw_note(figure: Figure, source: Source, shaded: bool, crossed: bool) -> None:
    """Say at the foot of a plot how many steps were not solved, and how they are marked."""
    lost = int((~source.solved).sum())
    if lost:
        marks = " and ".join(word for word, there in (("shaded", shaded), ("between ×", crossed)) if there)
        text = f"{lost} of {counted(len(source.times), 'step')} not solved ({marks})"
        figure.supxlabel(text, x=0.99, ha="right", fontsize=SMALL - 0.5, color=GRAY, gid="note")
