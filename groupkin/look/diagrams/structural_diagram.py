"""The structural diagram: groups with their numbers, and arrows to those that depend on them, level by level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.look.diagrams.layers import Block, Layout, layout
from groupkin.look.diagrams.signs import (
    SMALL,
    Box,
    best_place,
    box_of,
    caption_room,
    dense,
    draw_caption,
    draw_frame,
    frame_half,
)
from groupkin.look.outlines import ROUND
from groupkin.look.palette import FRAME, GRAY, group_color, mixed
from groupkin.look.sheets import area, arrow_head, line, name, sheet, text_width
from groupkin.structure.decomposition import Group, Structure
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


RADIUS, HEAD = 0.3, 0.11
"""Of a group's circle and of an arrow's head, inches."""

CAPTION = "Groups: number, (bodies, driven freedoms), type;\narrows to the groups that depend on them"


def draw_diagram(structure: Structure) -> Figure:
    """Draw the groups of a structure as circles with number, (N_m, n_c) and label, under the frame.

    N_m is the number of bodies of a group and n_c that of its driven freedoms, as in Celdran et al. (2022).
    """
    groups = structure.groups
    widths = {g.number: max(2.0 * RADIUS, text_width(g.label, SMALL)) + 0.3 for g in groups}
    plan, edges = diagram_layout(structure, widths)
    widths[0] = 2.0 * float(frame_half(structure.mechanism.frame)[0])
    places = np.array(list(plan.places.values()))
    room = np.array([max(0.5 * max(widths.values()), 0.6 + max(text_width(g.label, SMALL) for g in groups)), 0.6])
    everything = np.concatenate([places, *plan.ways]) if plan.ways else places
    caption = caption_room(CAPTION)
    low, high = everything.min(axis=0) - room - (0.4, caption[1]), everything.max(axis=0) + room
    spare = max(0.0, caption[0] - (high - low)[0])
    sides = np.array([0.5 * spare, 0.0])
    low, high = low - sides, high + sides
    figure, panel = sheet(low, high, 1.0)
    draw_caption(panel, CAPTION)
    for group in {group.level: group for group in groups}.values():
        at = (low[0] + 0.15, plan.places[group.number][1])
        name(panel, at, f"level {group.level}", f"level {group.level}", fontsize=SMALL, color=FRAME, ha="left")
    for ends, way in zip(edges, plan.ways, strict=True):
        _draw_arrow(panel, smooth(way), f"arrow {ends[0]}-{ends[1]}")
    draw_frame(panel, np.array(plan.places[0]), structure.mechanism.frame, "frame")
    lines = [dense(smooth(way)) for way in plan.ways]
    taken = [(np.array(at), np.full(2, RADIUS)) for at in plan.places.values()]
    for group in groups:
        _draw_group(panel, np.array(plan.places[group.number]), group, driven_freedoms(structure, group))
        _draw_label(panel, np.array(plan.places[group.number]), group, lines, taken)
    return figure


def diagram_layout(
    structure: Structure, widths: Mapping[int, float], gap: float = 0.25
) -> tuple[Layout, list[tuple[int, int]]]:
    """Lay out the groups of a structure, of given widths, under the frame, and list the arrows between them."""
    edges = [(start, stop) for start, stop in structure.graph.edges]
    blocks = [Block(0, [[0]]), *(Block(group.level, [[group.number]]) for group in structure.groups)]
    return layout(blocks, edges, {0: 1.0, **widths}, gap), edges


def driven_freedoms(structure: Structure, group: Group) -> int:
    """Number of driven freedoms of the joints of a group."""
    driven = structure.mechanism.driven
    return sum(len(driven.get(joint, ())) for joint in (*group.external, *group.internal))


def smooth(way: Array, samples: int = 60) -> Array:
    """A smooth line (k, 2) through points that go down, with no detour beside them."""
    from scipy.interpolate import PchipInterpolator

    if len(way) < 3:
        return np.linspace(way[0], way[-1], samples)
    y = np.linspace(way[0, 1], way[-1, 1], samples)
    return np.stack([PchipInterpolator(-way[:, 1], way[:, 0])(-y), y], axis=1)


def _draw_arrow(panel: Any, path: Array, gid: str) -> None:
    """Draw an arrow from circle to circle."""
    visible, tip, direction = arrow_ends(path)
    line(panel, np.vstack([visible, tip - 0.8 * HEAD * direction]), gid, color=GRAY, zorder=1)
    arrow_head(panel, tip, direction, HEAD, gid, facecolor=GRAY, edgecolor=GRAY, zorder=1)


def arrow_ends(path: Array) -> tuple[Array, Array, Array]:
    """The part (k, 2) of a way that a line shows, the tip of its arrow at the circle, and the direction there."""
    visible = path[np.linalg.norm(path - path[-1], axis=1) >= RADIUS + HEAD]
    direction = path[-1] - visible[-1]
    direction /= np.linalg.norm(direction)
    return visible, path[-1] - RADIUS * direction, direction


def _draw_group(panel: Any, at: Array, group: Group, driven: int) -> None:
    color, gid = group_color(group.number), f"group {group.number}"
    style = {"facecolor": mixed(color, 0.85), "edgecolor": color, "linewidth": 2.0, "zorder": 2}
    area(panel, at + RADIUS * ROUND, gid, **style)
    name(panel, np.add(at, (0, 0.07)), str(group.number), gid, fontsize=11, weight="bold", zorder=3)
    counts = f"({len(group.bodies)}, {driven})"
    name(panel, np.subtract(at, (0, 0.11)), counts, gid, fontsize=SMALL, color=GRAY, zorder=3)


def label_place(at: Array, half: Array, lines: Sequence[Array], taken: list[Box]) -> Array:
    """Find where the type of a group stands, a box of half these sides, where no arrow passes, and take that place."""
    x, y = RADIUS + 0.03 + half[0], RADIUS + 0.03 + half[1]
    beside = [(side * x, share * y) for share in (0.0, -0.6, 0.6) for side in (1, -1)]
    ways = [(0, -y), *beside, (0.7 * x, -y), (-0.7 * x, -y)]
    place = best_place([at + way for way in ways], half, lines, taken)
    taken.append((place, half))
    return place


def _draw_label(panel: Any, at: Array, group: Group, lines: Sequence[Array], taken: list[Box]) -> None:
    """Write the type of a group beside it, where no arrow passes."""
    place = label_place(at, box_of(group.label), lines, taken)
    box = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    name(panel, place, group.label, f"group {group.number}", fontsize=SMALL, color=GRAY, bbox=box, zorder=3)
