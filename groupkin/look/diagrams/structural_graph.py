"""The structural graph: bodies as vertices, as many parallel lines as a joint has freedoms, groups encircled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.look.diagrams.layers import Block, layout
from groupkin.look.diagrams.signs import (
    CORNERS,
    HALF,
    SMALL,
    Box,
    best_place,
    box_of,
    caption_room,
    dense,
    draw_caption,
    draw_frame,
    frame_half,
    free_place,
)
from groupkin.look.diagrams.structural_diagram import smooth
from groupkin.look.outlines import rounded
from groupkin.look.palette import GRAY, INK, PAPER, group_color, mixed
from groupkin.look.sheets import area, line, name, sheet, text_width
from groupkin.messages import counted
from groupkin.structure.decomposition import Group, Structure
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MOST_BODIES = 30
"""Bodies up to which each is a vertex; beyond, each group is one."""

RADIUS, LINES, BORDER = HALF, 0.055, 0.1
"""Half the height of a vertex, distance of parallel lines, and how far the border of a group is from its vertices,
inches."""

CAPTION = (
    "Boxes: bodies, numbered as in the file; a line per freedom of a joint,\n"
    "bold if driven, with its type; dashed: structural groups"
)


COUPLED = "; dotted: couplings (K)"


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
    bundles = _bundles(structure, vertex)
    names = {vertex[body]: _caption(structure, body, whole) for body in structure.mechanism.body}
    blocks = [Block(0, [[structure.mechanism.frame]])]
    blocks += [Block(g.level, _rows(structure, g) if whole else [[f"group {g.number}"]]) for g in structure.groups]
    frame = structure.mechanism.frame
    halves = {
        key: np.array([max(RADIUS, 0.5 * text_width(text, SMALL) + 0.08), RADIUS]) for key, (_, text) in names.items()
    }
    halves[frame] = frame_half(frame)
    widths = {key: 2.0 * float(half[0]) + 0.36 for key, half in halves.items()}
    plan = layout(blocks, [bundle.ends for bundle in bundles], widths, 0.35, 0.12)
    boxes = {str(key): (np.array(at), halves[str(key)]) for key, at in plan.places.items()}
    bodies = counted(len(structure.mechanism.movable), "movable body", "movable bodies")
    caption = CAPTION if whole else f"{bodies}: each vertex is a group, each line a joint between two, bold if driven"
    caption += COUPLED * bool(structure.mechanism.couplings)
    panel = _panel(boxes, plan.ways, caption)
    paths = [_path(way) for way in plan.ways]
    lines = [dense(each) for bundle, path in zip(bundles, paths, strict=True) for each in _lines(bundle, path)]
    taken = list(boxes.values())
    for group in structure.groups:
        inside = list(dict.fromkeys(vertex[body] for body in group.bodies))
        outline = _draw_group(panel, group, [boxes[key] for key in inside])
        taken.append(_draw_label(panel, group, outline, lines, taken))
        lines.append(dense(outline))
    for bundle, path in zip(bundles, paths, strict=True):
        taken += _draw_bundle(panel, bundle, path, [boxes[key] for key in bundle.ends])
    _draw_couplings(panel, structure, vertex, boxes, taken)
    for bundle, path in zip(bundles, paths, strict=True):
        _draw_names(panel, structure, bundle, path, [boxes[key] for key in bundle.ends], lines, taken)
    for key, text in names.items():
        if key == frame:
            draw_frame(panel, boxes[key][0], frame, f"frame {frame}")
        else:
            _draw_vertex(panel, boxes[key], f"body {key}", text)
    return panel.figure


def _panel(boxes: Mapping[str, Box], ways: Sequence[Array], text: str) -> Any:
    """Make a sheet for vertices and lines, with the caption."""
    caption = caption_room(text)
    corners = [at + np.add(half, (0.6, 0.45)) * CORNERS for at, half in boxes.values()]
    everything = np.concatenate([*corners, *ways])
    low, high = everything.min(axis=0) - (0.0, caption[1]), everything.max(axis=0)
    spare = np.array([0.5 * max(0.0, caption[0] - (high - low)[0]), 0.0])
    _, panel = sheet(low - spare, high + spare, 1.0)
    draw_caption(panel, text)
    return panel


def _caption(structure: Structure, body: str, whole: bool) -> tuple[str, str]:
    """What stands in a vertex and below it: number and name of a body, or number and size of its group."""
    if whole or body == structure.mechanism.frame:
        return str(1 + list(structure.mechanism.body).index(body)), body
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


def _draw_group(panel: Any, group: Group, boxes: Sequence[Box]) -> Array:
    """Encircle the vertices of a group, and return the border."""
    color = group_color(group.number)
    corners = np.concatenate([at + half * CORNERS for at, half in boxes])
    outline = rounded(corners, BORDER)
    style = {"facecolor": mixed(color, 0.87), "edgecolor": color, "linewidth": 1.6, "linestyle": (0, (4, 2))}
    area(panel, outline, f"group {group.number}", zorder=0, **style)
    return np.vstack([outline, outline[:1]])


def _draw_label(panel: Any, group: Group, outline: Array, lines: Sequence[Array], taken: Sequence[Box]) -> Box:
    """Write number and type of a group at its border, where no line passes."""
    gid, number, color = f"group {group.number}", str(group.number), group_color(group.number)
    first = text_width(number, 11) + 0.05
    half = np.array([0.5 * (first + text_width(group.label, SMALL)) + 0.03, 0.1])
    low, high = outline.min(axis=0), outline.max(axis=0)
    ends = low[0] + half[0], high[0] - half[0], 0.5 * (low[0] + high[0])
    above, below = high[1] + half[1] + 0.02, low[1] - half[1] - 0.02
    places = [np.array([x, y]) for y in (above, below) for x in ends]
    places += [np.array([x, high[1] - half[1]]) for x in (low[0] - half[0] - 0.04, high[0] + half[0] + 0.04)]
    place = best_place(places, half, lines, taken)
    at = np.subtract(place, (half[0] - 0.03, 0))
    box = {"boxstyle": "square,pad=0.05", "facecolor": PAPER, "edgecolor": "none"}
    style = {"ha": "left", "bbox": box, "zorder": 2}
    name(panel, at, number, gid, fontsize=10, weight="bold", color=mixed(color, 0.25, INK), **style)
    name(panel, np.add(at, (first, -0.01)), group.label, gid, fontsize=SMALL, color=GRAY, **style)
    return place, half


def _path(way: Array) -> Array:
    """The middle of the lines of a joint: smooth from row to row; an arc in one row if others are between."""
    return smooth(way) if abs(way[0, 1] - way[-1, 1]) > 1e-9 else _beside(way)


def _lines(bundle: _Bundle, path: Array) -> list[Array]:
    """The parallel lines of the joints between two vertices."""
    along = np.gradient(path, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    offsets = LINES * (np.arange(len(bundle.lines)) - 0.5 * (len(bundle.lines) - 1))
    return [path + offset * across for offset in offsets]


def _draw_bundle(panel: Any, bundle: _Bundle, path: Array, ends: Sequence[Box]) -> list[Box]:
    """Draw the joints between two vertices as parallel lines, with the letters of their types, and return these."""
    for points, (joint, driven) in zip(_lines(bundle, path), bundle.lines, strict=True):
        line(panel, points, f"joint {joint}", linewidth=2.8 if driven else 0.9, zorder=1)
    box = {"boxstyle": "square,pad=0.12", "facecolor": PAPER, "edgecolor": "none"}
    spots = _spots(bundle, path, ends)
    for at, joint, letter in zip(spots, bundle.names, bundle.letters, strict=True):
        name(panel, at, letter, f"joint {joint}", fontsize=7, bbox=box, zorder=2)
    return [(at, box_of(letter, 8.0)) for at, letter in zip(spots, bundle.letters, strict=True)]


def _spots(bundle: _Bundle, path: Array, ends: Sequence[Box]) -> list[Array]:
    """Where the letters of joints stand: evenly on what is seen of their lines."""
    hidden = [(np.abs(path - at) < half).all(axis=1) for at, half in ends]
    seen = path[~(hidden[0] | hidden[1])]
    shares = (np.arange(len(bundle.letters)) + 1.0) / (len(bundle.letters) + 1.0)
    return [seen[round(share * (len(seen) - 1))] for share in shares]


def _draw_names(
    panel: Any,
    structure: Structure,
    bundle: _Bundle,
    path: Array,
    ends: Sequence[Box],
    lines: Sequence[Array],
    taken: list[Box],
) -> None:
    """Write the names of joints beside their letters, where there is room."""
    reach = 0.5 * LINES * len(bundle.lines) + 0.05
    low, high = np.transpose([panel.get_xlim(), panel.get_ylim()])
    for at, joint in zip(_spots(bundle, path, ends), bundle.names, strict=True):
        known = structure.mechanism.joint[joint]
        text = (known.of or known).name
        half = box_of(text)
        x, y = reach + half[0], reach + half[1] + 0.04
        places = [at + way for way in ((x, 0), (-x, 0), (0, y), (0, -y))]
        inside = [place for place in places if (place - half > low).all() and (place + half < high).all()]
        place = free_place(inside, half, lines, taken)
        if place is not None:
            taken.append((place, half))
            name(panel, place, text, f"name {joint}", fontsize=SMALL, color=GRAY, zorder=2)


def _draw_couplings(
    panel: Any, structure: Structure, vertex: Mapping[str, str], boxes: Mapping[str, Box], taken: list[Box]
) -> None:
    """Draw couplings as dotted lines from a sign amid the movable bodies that they touch."""
    sign = {"boxstyle": "square,pad=0.12", "facecolor": PAPER, "edgecolor": "none"}
    for coupling, relation in structure.mechanism.relations.items():
        moving = [body for body in relation.bodies if body != structure.mechanism.frame]
        touched = moving if len(moving) > 1 else relation.bodies
        ends = [boxes[key][0] for key in dict.fromkeys(vertex[body] for body in touched)]
        text = f"K {coupling}"
        half, middle = box_of(text), np.mean(ends, axis=0)
        ways = [np.multiply(way, far) for far in (0.0, 0.3, 0.5, 0.7) for way in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        place = free_place([middle + way for way in ways], half, [], taken)
        at = middle if place is None else place
        for end in ends:
            style = {"linewidth": 0.9, "linestyle": (0, (1, 1.5)), "color": GRAY}
            line(panel, np.array([end, at]), f"coupling {coupling}", zorder=1, **style)
        name(panel, at, text, f"coupling {coupling}", fontsize=SMALL, bbox=sign, zorder=4)
        taken.append((at, half))


def _beside(way: Array) -> Array:
    """A line between two vertices of one row; an arc if there are others between them."""
    t = np.linspace(0.0, 1.0, 60)[:, None]
    length = abs(way[-1, 0] - way[0, 0])
    bulge = 0.28 * length if length > 1.8 else 0.0
    return way[0] + t * (way[-1] - way[0]) + np.concatenate([0.0 * t, 4.0 * bulge * t * (1.0 - t)], axis=1)


def _draw_vertex(panel: Any, box: Box, gid: str, texts: tuple[str, str]) -> None:
    """Draw a body as a box with its number and its name."""
    (at, half), (number, text) = box, texts
    corner = 0.6 * RADIUS
    area(panel, rounded(at + (half - corner) * CORNERS, corner), gid, zorder=3)
    if text == number:
        name(panel, at, number, gid, fontsize=9, zorder=4)
        return
    name(panel, np.add(at, (0, 0.07)), number, gid, fontsize=9, zorder=4)
    name(panel, np.subtract(at, (0, 0.085)), text, gid, fontsize=SMALL, color=GRAY, zorder=4)
