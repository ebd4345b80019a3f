"""How plots are drawn: panels under each other, names at the ends of lines, gaps marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from groupkin.look.diagrams.layers import apart
from groupkin.look.palette import FRAME, GRAY, GROUPS, INK, PAPER, mixed
from groupkin.look.plots.plot_lines import SMALL, draw_line, fitting, known_points, prepare, set_ticks
from groupkin.look.plots.plot_paths import draw_paths, draw_space_paths, path_height
from groupkin.look.plots.speed_torque import draw_plane
from groupkin.look.scenes.sight import SCREEN
from groupkin.look.shown_figure import ShownFigure
from groupkin.messages import counted
from groupkin.picture_files import any_signs
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from groupkin.look.plots.plot_values import Source
    from groupkin.look.plots.plots import Panel

ROW = 0.13
"""Height of a name beside a line, inches."""

DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)), (0, (2, 1)))
"""Of the first eight lines of a panel, of the next eight, …"""

DOTS = 300
"""Of a pixel picture, per inch."""

SHADE = "#ECEEF1"
"""Of times that are not solved."""


MARKED = "#FBE0DC"
"""Of times at which a contact would be lost."""

NEAR = 0.5
"""How far from the curves ends of ranges are drawn, as a share of the height of the curves."""

CONSTANT = 1e-9
"""Relative range up to which numbers differ by roundings only, which are not magnified."""


def draw_panels(panels: Sequence[Panel], sources: Sequence[Source], over_time: bool, width: float) -> Figure:
    """Draw panels under each other; those of curves share their abscissa.

    Parameters
    ----------
    sources : sequence of Source
        Of the lines; times that a single one has not solved are shaded.
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
    shaded = over_time and len(sources) == 1
    curves = [panel for panel in panels if not panel.path]
    names: list[tuple[Any, list[Text]]] = []
    first = None
    for k, panel in enumerate(panels):
        if panel.path:
            axes = figure.add_subplot(grid[k])
            draw = draw_plane if panel.plane else draw_space_paths if len(panel.axes) == 3 else draw_paths
            draw(axes, panel, colors)
            if panel.lines[0].motion:
                flat = [line.points @ SCREEN if len(panel.axes) == 3 else line.points for line in panel.lines]
                names.append((axes, _draw_names(axes, panel, flat, colors)))
            continue
        axes = figure.add_subplot(grid[k], sharex=first)
        first = first or axes
        prepare(axes, panel, labeled=panel is curves[-1])
        if shaded:
            _shade(axes, sources[0])
        _mark(axes, panel)
        for line in panel.lines:
            draw_line(axes, line, colors[id(panel), id(line)], ends=not shaded)
        names.append((axes, _draw_names(axes, panel, [line.points for line in panel.lines], colors)))
        names.append((axes, _draw_ends(axes, panel, colors)))
        _scale(axes, panel)
    pathed = any(panel.path for panel in panels)
    notes = ["Paths begin at the dot and go in the sense of the arrow"] if pathed else []
    notes += dict.fromkeys(mark.text for panel in panels for mark in panel.marks)
    for source in sources:
        notes += _lost(source, bool(curves) and shaded, pathed or not shaded)
    if notes:
        figure.supxlabel("\n".join(notes), x=0.99, ha="right", fontsize=SMALL - 0.5, color=GRAY, gid="note")
    for text in figure.findobj(Text):
        text.set_parse_math(False)
    with any_signs():
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes, texts in names:
        _spread(axes, texts)
    return figure


def _height(panel: Panel, count: int, inches: float) -> float:
    """Height of a panel with its labels, inches, by the number of panels and the width of the figure."""
    if panel.plane:
        return 0.66 * inches
    if panel.path:
        return path_height(panel, inches)
    height = np.clip((0.62 if count == 1 else 0.4) * inches, 1.1, 3.2 if count == 1 else 1.9)
    return float(max(height, ROW * len(panel.names) + 0.45))


def _colors(panels: Sequence[Panel]) -> dict[tuple[int, int], tuple[str, Any]]:
    """Choose color and dashes of every line, by panel and line; one thing has the same in all panels if it can.

    Of several motions each has its color in all panels.
    """
    known: dict[Any, int] = {}
    chosen = {}
    motions = list(dict.fromkeys(line.motion for panel in panels for line in panel.lines))
    for panel in panels:
        if len(motions) > 1:
            things = list(dict.fromkeys(line.quantity for line in panel.lines))
            for line in panel.lines:
                color, dashes = motions.index(line.motion), things.index(line.quantity)
                chosen[id(panel), id(line)] = GROUPS[color % len(GROUPS)], DASHES[dashes % len(DASHES)]
            continue
        taken: set[int] = set()
        for line in panel.lines:
            thing = (line.quantity.of, line.quantity.component)
            wish = known.get(thing, len(taken))
            index = wish if wish not in taken else next(k for k in range(len(panel.lines) + 1) if k not in taken)
            taken.add(index)
            known.setdefault(thing, index)
            chosen[id(panel), id(line)] = GROUPS[index % len(GROUPS)], DASHES[index // len(GROUPS) % len(DASHES)]
    return chosen


# --- curves ----------------------------------------------------------------------------------


def _scale(axes: Any, panel: Panel) -> None:
    """Set limits and places of ticks: whole decades, even angles."""
    each = [line.points[np.isfinite(line.points[:, 0]), 0] for line in panel.lines]
    x = np.concatenate(each)
    if x.size and x.min() < x.max():
        one_way = all((np.diff(part) >= 0).all() or (np.diff(part) <= 0).all() for part in each)
        room = 0.0 if one_way else 0.03 * np.ptp(x)
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
        values = known_points(np.concatenate([line.points for line in panel.lines]))[:, 1]
        if values.size and np.abs(values).max() > 0.0 and np.ptp(values) <= CONSTANT * np.abs(values).max():
            axes.set_ylim(values.mean() - 0.1 * abs(values.mean()), values.mean() + 0.1 * abs(values.mean()))
        set_ticks(axes.yaxis, panel.units[1], 5)
        low, high = axes.get_ylim()
        if low < 0.0 < high:
            axes.axhline(0.0, color=mixed(FRAME, 0.4), linewidth=0.5, zorder=0)
    set_ticks(axes.xaxis, panel.units[0], 6)


def _draw_names(axes: Any, panel: Panel, seen: Sequence[Array], colors: Any) -> list[Text]:
    """Write the names of lines, whose points are seen at (n, 2), beside their right ends."""
    texts = []
    for k, (line, points) in enumerate(zip(panel.lines, seen, strict=True)):
        style, known = colors[id(panel), id(line)], known_points(points)
        if panel.names and len(known):
            end = known[known[:, 0].argmax()]
            texts.append(
                axes.annotate(
                    fitting(panel.names[k], axes.figure), end, (1.04, 0.5), textcoords="axes fraction", va="center",
                    fontsize=SMALL, color=mixed(style[0], 0.15, INK), gid=f"name {line.label}",
                    arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": style[0], "shrinkA": 0, "shrinkB": 0,
                                "relpos": (0.0, 0.5)},
                )
            )  # fmt: skip
    return texts


def _draw_ends(axes: Any, panel: Panel, colors: Any) -> list[Text]:
    """Draw dashed lines at the ends of ranges near the curves, with their values on them; equal ends share one."""
    values = known_points(np.concatenate([line.points for line in panel.lines]))[:, 1]
    if not values.size:
        return []
    low, high = float(values.min()), float(values.max())
    room = NEAR * max(high - low, CONSTANT * max(abs(low), abs(high)))
    found: dict[tuple[int, float], list[int]] = {}
    for k, line in enumerate(panel.lines):
        for side, end in enumerate(line.ends):
            if low - room <= end <= high + room:
                found.setdefault((side, end), []).append(k)
    texts = []
    for (side, end), of in found.items():
        color = colors[id(panel), id(panel.lines[of[0]])][0] if len(of) == 1 else GRAY
        which = f"{', '.join(panel.names[k] for k in of)}: " if panel.names and len(of) < len(panel.lines) else ""
        text = f"{which}{('lower', 'upper')[side]} end {end:.5g}"
        axes.axhline(end, color=mixed(color, 0.3), linewidth=0.7, linestyle=(0, (5, 3)), zorder=1, gid=f"range {text}")
        texts.append(
            axes.annotate(
                text, (0.0, end), (0.02, 0.5), xycoords=("axes fraction", "data"), textcoords="axes fraction",
                va="center", fontsize=SMALL - 0.5, color=mixed(color, 0.15, INK), gid=f"end {text}", zorder=1.5,
                bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.8},
            )
        )  # fmt: skip
    return texts


def _spread(axes: Any, texts: Sequence[Text]) -> None:
    """Move names up and down to the heights of what they name, or next to them without overlap."""
    if not texts:
        return
    box = axes.get_window_extent()
    heights = [axes.transAxes.inverted().transform(axes.transData.transform(text.xy))[1] for text in texts]  # type: ignore[attr-defined]
    order = np.argsort(heights, kind="stable")
    rows = np.array([ROW * (1 + texts[k].get_text().count("\n")) for k in order]) * axes.figure.dpi / box.height
    places = apart(np.array(heights)[order], rows, -0.1, 1.1)
    for k, place in zip(order, places, strict=True):
        texts[k].set_position((texts[k].get_position()[0], float(place)))


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


def _mark(axes: Any, panel: Panel) -> None:
    """Shade what is marked of a panel, and say what it is."""
    for mark in panel.marks:
        axes.axvspan(mark.start, mark.end, facecolor=MARKED, edgecolor=MARKED, linewidth=1.0, zorder=0, gid=mark.text)


def _lost(source: Source, shaded: bool, crossed: bool) -> list[str]:
    """Say how many steps were not solved, if any, and how they are marked."""
    lost = int((~source.solved).sum())
    marks = " and ".join(word for word, there in (("shaded", shaded), ("between ×", crossed)) if there)
    of = f" of {source.name}" if source.name else ""
    return [f"{lost} of {counted(len(source.times), 'step')}{of} not solved ({marks})"] if lost else []
