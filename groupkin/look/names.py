"""Names beside what they name, where there is room, and the legend of the groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from groupkin.look.palette import GRAY, INK, PAPER
from groupkin.look.sheets import area, name, shortened, text_width
from groupkin.messages import counted
from groupkin.structure.decomposition import Structure
from sglibrary.array_types import Array

SIZE, HEIGHT = 8.0, 0.14
"""Of names, points, and height of their boxes, inches."""

ROW, LISTED = 0.21, 12
"""Height of a row of the legend, inches, and how many groups it has at most."""


CROWDED = 26.0
"""Points of its box on something, and 6 for each outline that it crosses, from which on a name is left out."""


def merged(names: Iterable[tuple[str, Array]], near: float) -> list[tuple[list[str], Array]]:
    """Names of the same place together, in their order."""
    places: list[tuple[list[str], Array]] = []
    for text, at in names:
        same = next((texts for texts, other in places if np.linalg.norm(other - at) <= near), None)
        if same is None:
            places.append(([text], at))
        elif text not in same:
            same.append(text)
    return places


def draw_names(
    panel: Any,
    places: Sequence[tuple[list[str], Array]],
    outlines: Sequence[Array],
    reach: float,
    inches: float,
    paths: Sequence[Array] = (),
) -> None:
    """Write names beside their places, on as little as possible else; those that find no room are left out.

    Parameters
    ----------
    panel : matplotlib axes
    places : sequence of (list of str, (2,) array)
        The most important first.
    outlines : sequence of (k, 2) array
        Of what is drawn.
    reach : float
        Distance from a place at which names begin.
    inches : float
        Per unit.
    paths : sequence of (k, 2) array
        Of points, beside which names are written rather than on them.
    """
    from matplotlib.path import Path

    covered = [Path(outline, closed=True) for outline in outlines]
    lows, highs = (np.array([end(outline, axis=0) for outline in outlines]) for end in (np.min, np.max))
    low, high = (np.array(limits) for limits in zip(panel.get_xlim(), panel.get_ylim(), strict=True))
    taken: list[Array] = []
    passed = np.concatenate([np.empty((0, 2)), *paths])
    grid = np.array(list(product((-1.0, -0.5, 0.0, 0.5, 1.0), (-1.0, 0.0, 1.0))))
    for texts, at in places:
        text = ", ".join(texts)
        half = 0.5 * np.array([text_width(text, SIZE) + 0.06, HEIGHT]) / inches
        best, least, boxed = None, CROWDED, False
        for far, turn in product((1.0, 1.7, 2.6), np.pi * np.array([0, 1, 0.5, 1.5, 0.25, 0.75, 1.25, 1.75])):
            way = np.array([np.cos(turn), np.sin(turn)])
            middle = at + far * reach * way + half * np.sign(np.round(way, 9))
            if (middle - half < low).any() or (middle + half > high).any():
                continue
            if any((np.abs(middle - other[0]) < half + other[1]).all() for other in taken):
                continue
            points = middle + half * grid
            close = np.flatnonzero(((lows < middle + half) & (middle - half < highs)).all(axis=1))
            counts = [int(covered[k].contains_points(points).sum()) for k in close]
            crossed = sum(0 < count < len(points) for count in counts)
            on_path = (np.abs(passed - middle) < half).all(axis=1).any()
            cost = min(sum(counts), len(points)) + 6 * crossed + 9 * on_path + 0.5 * far
            if cost < least:
                best, least, boxed = middle, cost, crossed > 0
        if best is not None:
            taken.append(np.array([best, half]))
            box = {"boxstyle": "square,pad=0.05", "facecolor": PAPER, "edgecolor": "none"} if boxed else None
            name(panel, best, text, f"name {text}", fontsize=SIZE, bbox=box, zorder=20)


class Entry(NamedTuple):
    """An entry of the legend: the number of a color, what it stands for, and the bodies that have it."""

    number: int
    text: str
    bodies: Sequence[str]


def legend(structure: Structure, colors: str) -> list[Entry]:
    """List what colors stand for: groups, or bodies."""
    if colors == "bodies":
        return [Entry(k, body, (body,)) for k, body in enumerate(structure.mechanism.movable, 1)]
    return [Entry(each.number, f"{', '.join(each.bodies)} ({each.label})", each.bodies) for each in structure.groups]


def legend_height(entries: Sequence[Entry], caption: str) -> float:
    """Inches that the legend needs."""
    return ROW * (min(len(entries), LISTED + 1) + len(caption.splitlines())) + 0.2


def key_height(rows: Sequence[tuple[str, str]]) -> float:
    """Inches that the key of so many colors needs."""
    return ROW * len(rows) + 0.2


def draw_key(panel: Any, rows: Sequence[tuple[str, str]], inches: float) -> None:
    """List names and the colors of what they name, if of anything that has one, from the lower edge upward."""
    low, width = np.array([panel.get_xlim()[0], panel.get_ylim()[0]]), np.ptp(panel.get_xlim()) * inches
    for k, (text, color) in enumerate(reversed(rows)):
        at, gid = low + np.array([0.2, 0.2 + ROW * k]) / inches, f"key {text}"
        square = 0.06 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / inches
        if color:
            area(panel, at + square, gid, facecolor=color, linewidth=0.9, zorder=20)
        beside = at + np.array([0.13, 0]) / inches
        name(panel, beside, shortened(text, SIZE, width - 0.5), gid, fontsize=SIZE, ha="left", zorder=20)


def draw_legend(
    panel: Any, entries: Sequence[Entry], caption: str, inches: float, fills: Iterable[tuple[str, str]]
) -> None:
    """List numbers with what they stand for, and the colors its bodies are filled with, from the lower edge upward.

    Parameters
    ----------
    panel : matplotlib axes
    entries : sequence of Entry
    caption : str
    inches : float
        Per unit.
    fills : iterable of (str, str)
        What areas of the picture show, and their colors.
    """
    colors = list(dict.fromkeys(fills))
    low, width = np.array([panel.get_xlim()[0], panel.get_ylim()[0]]), np.ptp(panel.get_xlim()) * inches
    rows: list[tuple[str, Entry | None]] = []
    for entry in entries[:LISTED]:
        number = f"{entry.number} "
        rows.append((shortened(number + entry.text, SIZE, width - 0.7)[len(number) :] or "…", entry))
    if len(entries) > LISTED:
        kind = ("more body", "more bodies") if len(entries[0].bodies) == 1 else ("more group", "more groups")
        rows.append((f"and {counted(len(entries) - LISTED, *kind)}", None))
    rows += [(row, None) for row in caption.splitlines()]
    for k, (text, shown) in enumerate(reversed(rows)):
        at = low + np.array([0.2, 0.2 + ROW * k]) / inches
        if shown is None:
            name(panel, at, text, "caption", fontsize=SIZE, color=GRAY, ha="left", zorder=20)
            continue
        gid, bodies, number = f"legend {shown.number}", [f"body {body}" for body in shown.bodies], str(shown.number)
        own = list(dict.fromkeys(color for what, color in colors if what in bodies))[:2]
        for part, color in enumerate(own):  # plates and bars beside each other
            low_x, high_x = (2.0 * (part + end) / len(own) - 1.0 for end in (0, 1))
            square = 0.06 * np.array([[low_x, -1], [high_x, -1], [high_x, 1], [low_x, 1]]) / inches
            area(panel, at + square, gid, facecolor=color, linewidth=0.9, zorder=20)
        name(panel, at + np.array([0.13, 0]) / inches, number, gid, ha="left", weight="bold", zorder=20)
        beside = np.array([0.2 + text_width(number, SIZE + 1), 0]) / inches
        name(panel, at + beside, text, gid, fontsize=SIZE, color=INK, ha="left", zorder=20)
