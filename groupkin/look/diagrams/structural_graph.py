"""The structural graph: bodies as vertices, as many parallel lines as a joint has freedoms, groups encircled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.look.diagrams.layers import Block, layout
from groupkin.look.diagrams.structural_diagram import smooth
from groupkin.look.outlines import ROUND, rounded
from groupkin.look.palette import GRAY, INK, PAPER, group_color, mixed
from groupkin.look.sheets import area, hatched, line, name, sheet, text_width
from groupkin.mechanism.pairs import counted
from groupkin.structure.decomposition import Group, Structure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

MOST_BODIES = 30
"""Bodies up to which each is a vertex; beyond, each group is one."""

RADIUS, LINES, SMALL = 0.2, 0.055, 6.5
"""Of a vertex, and distance of parallel lines, inches; size of small print, points."""

INSIDE, BELOW = 0.27, 0.42
"""How far the border of a group is from the middle of a vertex, and from that of its name, inches."""


@dataclass(frozen=True)
class _Bundle:
    """All joints between two vertices: their names, letters, and for every line whether it is driven."""

    ends: tuple[str, str]
    names: tuple[str, ...]
    letters: tuple[str, ...]
    lines: tuple[tuple[str, bool], ...]


def draw_graph(structure: Structure) -> Figure:
    """Draw the bodies and joints of a structure in its groups, those that others depend on above them.

    Driven freedoms are bold. Beyond `MOST_BODIES` movable bodies, groups are drawn instead of bodies, and the picture
    says so.
    """
    whole = len(structure.mechanism.movable) <= MOST_BODIES
    vertex = {body: body if whole else f"group {group.number}" for body, group in structure.group_of.items()}
    vertex[structure.mechanism.frame] = structure.mechanism.frame
    groups = {vertex[body]: group.number for body, group in structure.group_of.items()}
    bundles = _bundles(structure, vertex)
    names = {vertex[body]: _caption(structure, body, whole) for body in structure.mechanism.body}
    blocks = [Block(0, [[structure.mechanism.frame]])]
    blocks += [Block(g.level, _rows(structure, g) if whole else [[f"group {g.number}"]]) for g in structure.groups]
    widths = {key: max(0.7, text_width(text, SMALL) + 0.2) for key, (_, text) in names.items()}
    plan = layout(blocks, [bundle.ends for bundle in bundles], widths, 0.35, 0.2)
    places = {str(key): np.array(at) for key, at in plan.places.items()}
    everything = np.concatenate([np.array(list(places.values())), *plan.ways])
    room = np.array([0.5 * max(widths.values()) + 0.3, 0.6])
    figure, panel = sheet(everything.min(axis=0) - room, everything.max(axis=0) + room, 1.0)
    if not whole:
        bodies = counted(len(structure.mechanism.movable), "movable body", "movable bodies")
        text = f"{bodies}: each vertex is a group, each line a joint between two, bold if driven"
        note = panel.text(0.5, 0.01, text, transform=panel.transAxes, gid="note", fontsize=SMALL, ha="center")
        note.set_color(GRAY)
    for group in structure.groups:
        inside = list(dict.fromkeys(vertex[body] for body in group.bodies))
        _draw_group(panel, group, np.array([places[key] for key in inside]), [widths[key] for key in inside])
    for bundle, way in zip(bundles, plan.ways, strict=True):
        _draw_bundle(panel, bundle, way)
    for key, (number, text) in names.items():
        frame = key == structure.mechanism.frame
        color = PAPER if frame else mixed(group_color(groups[key]), 0.87)
        _draw_vertex(panel, places[key], f"{'frame' if frame else 'body'} {key}", (number, text), color)
    return figure


def _caption(structure: Structure, body: str, whole: bool) -> tuple[str, str]:
    """What stands in a vertex and below it: number and name of a body, or number and size of its group."""
    if whole or body == structure.mechanism.frame:
        return str(1 + list(structure.mechanism.body).index(body)) if whole else "0", body
    group = structure.group_of[body]
    return str(group.number), counted(len(group.bodies), "body", "bodies")


def _bundles(structure: Structure, vertex: Mapping[str, str]) -> list[_Bundle]:
    """All joints between different vertices, by their ends."""
    mechanism = structure.mechanism
    found: dict[frozenset[str], list[Any]] = {}
    for joint in mechanism.joints:
        ends = tuple(vertex[body] for body in joint.bodies)
        if ends[0] != ends[1]:
            found.setdefault(frozenset(ends), []).append((joint, ends))
    bundles = []
    for joints in found.values():
        lines = []
        for joint, _ in joints:
            driven = mechanism.driven.get(joint.name, {})
            freedoms = range(len(mechanism.freedoms(joint)))
            lines += (
                [(joint.name, k in driven) for k in freedoms]
                if len(vertex) == len(set(vertex.values()))
                else [(joint.name, bool(driven))]
            )
        names = tuple(joint.name for joint, _ in joints)
        bundles.append(_Bundle(joints[0][1], names, tuple(joint.type for joint, _ in joints), tuple(lines)))
    return bundles


def _rows(structure: Structure, group: Group) -> list[list[str]]:
    """Bodies of a group in rows: by their distance from bodies solved before, and no more than pairs side by side."""
    inner = {body: set[str]() for body in group.bodies}
    for joint in map(structure.joint, group.internal):
        for one, other in (joint.bodies, joint.bodies[::-1]):
            inner[one].add(other)
    row = {body: 0 for key in group.external for body in structure.joint(key).bodies if body in inner}
    reached = list(row)
    for body in reached:
        for other in sorted(inner[body] - set(row), key=group.bodies.index):
            row[other] = row[body] + 1
            reached.append(other)
    for _ in range(len(inner)):  # who has more than one neighbor beside it goes below
        beside = {body: sum(row[other] == row[body] for other in inner[body]) for body in group.bodies}
        most = max(group.bodies, key=lambda body: beside[body])
        if beside[most] < 2:
            break
        row[most] += 1
    levels = sorted(set(row.values()))
    return [[body for body in group.bodies if row[body] == level] for level in levels]


# --- drawing ---------------------------------------------------------------------------------


def _draw_group(panel: Any, group: Group, places: Array, widths: Sequence[float]) -> None:
    """Encircle the vertices of a group and their names."""
    color, gid = group_color(group.number), f"group {group.number}"
    sides = np.array([[0.5 * width - 0.2, 0.0] for width in widths])
    corners = np.concatenate([places, places - (0, BELOW - INSIDE) + sides, places - (0, BELOW - INSIDE) - sides])
    outline = rounded(corners, INSIDE)
    style = {"facecolor": mixed(color, 0.87), "edgecolor": color, "linewidth": 1.6, "linestyle": (0, (4, 2))}
    area(panel, outline, gid, zorder=0, **style)
    top = places[:, 1].max() + INSIDE + 0.05
    left = float(outline[:, 0].min())
    style = {
        "ha": "left",
        "va": "bottom",
        "bbox": {"boxstyle": "square,pad=0.08", "facecolor": PAPER, "edgecolor": "none"},
    }
    number = str(group.number)
    name(panel, (left, top), number, gid, fontsize=10, weight="bold", **style, color=mixed(color, 0.25, INK), zorder=2)
    at = (left + 0.06 + text_width(number, 11), top + 0.015)
    name(panel, at, group.label, gid, fontsize=SMALL, **style, color=GRAY, zorder=2)


def _draw_bundle(panel: Any, bundle: _Bundle, way: Array) -> None:
    """Draw the joints between two vertices as parallel lines, with the letters of their types."""
    path = smooth(way) if abs(way[0, 1] - way[-1, 1]) > 1e-9 else _beside(way)
    along = np.gradient(path, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    offsets = LINES * (np.arange(len(bundle.lines)) - 0.5 * (len(bundle.lines) - 1))
    for offset, (joint, driven) in zip(offsets, bundle.lines, strict=True):
        line(panel, path + offset * across, f"joint {joint}", linewidth=2.8 if driven else 0.9, zorder=1)
    box = {"boxstyle": "square,pad=0.12", "facecolor": PAPER, "edgecolor": "none"}
    shares = (np.arange(len(bundle.letters)) + 1.0) / (len(bundle.letters) + 1.0)
    for share, joint, letter in zip(shares, bundle.names, bundle.letters, strict=True):
        at = path[round(share * (len(path) - 1))]
        name(panel, at, letter, f"joint {joint}", fontsize=7, bbox=box, zorder=2)


def _beside(way: Array) -> Array:
    """A line between two vertices of one row; an arc if there are others between them."""
    t = np.linspace(0.0, 1.0, 60)[:, None]
    length = abs(way[-1, 0] - way[0, 0])
    bulge = 0.28 * length if length > 1.8 else 0.0
    return way[0] + t * (way[-1] - way[0]) + np.concatenate([0.0 * t, 4.0 * bulge * t * (1.0 - t)], axis=1)


def _draw_vertex(panel: Any, at: Array, gid: str, texts: tuple[str, str], color: str) -> None:
    """Draw a body as a circle, the frame as a box under the ground; its name on the color of its group."""
    number, text = texts
    name(panel, at, number, gid, fontsize=9, zorder=4)
    if color == PAPER:
        area(panel, at + np.array([1.6 * RADIUS, RADIUS]) * [[-1, -1], [1, -1], [1, 1], [-1, 1]], gid, zorder=3)
        hatched(panel, np.add(at, (2.0 * RADIUS, RADIUS)), np.add(at, (-2.0 * RADIUS, RADIUS)), 0.1, gid, zorder=3)
        name(panel, np.add(at, (2.0 * RADIUS, 0)), text, gid, fontsize=SMALL, color=GRAY, ha="left", zorder=4)
        return
    area(panel, at + RADIUS * ROUND, gid, zorder=3)
    if text != number:
        box = {"boxstyle": "square,pad=0.08", "facecolor": color, "edgecolor": "none"}
        name(panel, np.subtract(at, (0, RADIUS + 0.06)), text, gid, fontsize=SMALL, va="top", bbox=box, zorder=2)
