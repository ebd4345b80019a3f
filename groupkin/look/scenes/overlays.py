"""Several configurations in one picture: positions of a motion, earlier ones paler, or variants, a color for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_hex

from groupkin.look.names import draw_key, draw_legend, draw_names, key_height, legend_height
from groupkin.look.outlines import ROUND
from groupkin.look.palette import INK, group_color, mixed
from groupkin.look.scenes import plane_scene, space
from groupkin.look.scenes.configurations import Configuration
from groupkin.look.scenes.plane import (
    FORCE,
    INCHES,
    LOAD,
    NARROWEST,
    draw_arrows,
    draw_paths,
    draw_rings,
    extent,
    paint,
)
from groupkin.look.scenes.scene import PAPERED, Tone, names, owner
from groupkin.look.scenes.sight import SCREEN
from groupkin.look.scenes.space_scene import space_scene
from groupkin.look.sheets import area, line, sheet
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PALEST, PALE = 0.82, 0.55
"""Share of paper in the colors of the first position, and of the last one before that which is drawn in full."""

LISTED = 6
"""Times of positions that are listed, at most."""

BELOW = 100.0
"""By how much lower a position lies than the next one, in the order of what is drawn."""


@dataclass(frozen=True)
class Layer:
    """A configuration among others in a picture.

    Attributes
    ----------
    view : Configuration
    name : str
        Of a variant, or the time of a position.
    pale : float
        Share of paper in its colors.
    dye : int, optional
        Number of the color that a variant has instead of those of its groups.
    """

    view: Configuration
    name: str
    pale: float = 0.0
    dye: int | None = None

    def tone(self, tone: Tone) -> Tone:
        """A tone as this layer has it."""
        base = tone.base if self.dye is None or isinstance(tone.base, str) else self.dye
        return Tone(base, tone.share).lighter(self.pale)

    def has(self, owned: str, gid: str) -> bool:
        """Whether it shows something: a pale position has neither the frame nor marks of drivers and ranges."""
        return not self.pale or (owned != owner(self.view.mechanism.frame) and not gid.startswith(("driver", "range")))

    def gid(self, gid: str) -> str:
        """What something is called in the picture's file, by which it can be told from that of other layers."""
        return f"{gid} of {self.name}" if self.dye else f"{gid} at {self.name}" if self.pale else gid


@dataclass(frozen=True)
class Drawn:
    """What a layer shows: functions that draw it on a panel, points around it, outlines, and radius."""

    artists: Sequence[Callable[[Any], Any]]
    points: Array
    outlines: Sequence[Array]
    r: float


def positions(views: Sequence[Configuration]) -> list[Layer]:
    """Layers of positions of one motion, the first the palest."""
    shares = [*np.linspace(PALE, PALEST, len(views) - 1)[::-1], 0.0]
    names = [f"step {k}" if view.time is None else f"t = {view.time:.4g} s" for k, view in enumerate(views, 1)]
    return [Layer(view, name, float(pale)) for view, name, pale in zip(views, names, shares, strict=True)]


def caption_of(layers: Sequence[Layer]) -> str:
    """Say at which times positions are, the first, the second and the last of many."""
    scale = f"\n{layers[-1].view.scale}" if layers[-1].view.scale else ""
    times = [layer.name.removeprefix("t = ").removesuffix(" s") for layer in layers]
    if layers[-1].view.time is None or len(layers) == 1:
        return (layers[-1].name if len(layers) == 1 else f"{len(layers)} steps, the earlier, the paler") + scale
    listed = times if len(times) <= LISTED else [*times[:2], "…", times[-1]]
    return f"t = {', '.join(listed)} s, the earlier, the paler{scale}"


def draw_layers(layers: Sequence[Layer]) -> Figure:
    """Draw configurations above each other, the last one on top, to scale.

    Names of joints and, of positions, the paths of points are those of the last one.
    """
    top, flat = layers[-1], np.eye(2) if layers[-1].view.mechanism.dimension == 2 else SCREEN
    view = top.view
    drawn = [
        (_in_plane if len(flat) == 2 else _in_space)(layer, BELOW * (k + 1 - len(layers)))
        for k, layer in enumerate(layers)
    ]
    traced = layers if top.dye else layers[-1:]
    paths = [{name: path @ flat for name, path in layer.view.paths.items()} for layer in traced]
    pushes = [_arrows(layer, flat) for layer in layers]
    everything = np.concatenate([*(each.points for each in drawn), *(path for of in paths for path in of.values())])
    everything = np.concatenate([everything, *(ends for of in pushes for arrows, _ in of for ends in arrows.values())])
    everything, r = everything[np.isfinite(everything).all(axis=1)], drawn[-1].r
    low, high = everything.min(axis=0) - 5.5 * r, everything.max(axis=0) + 5.5 * r
    inches = INCHES / float((high - low).max())
    short = max(0.0, NARROWEST / inches - float((high - low)[0]))
    low[0], high[0] = low[0] - 0.5 * short, high[0] + 0.5 * short
    caption = "" if top.dye else caption_of(layers)
    rows = [(layer.name, group_color(layer.dye)) for layer in layers if layer.dye]
    scale = next((layer.view.scale for layer in layers if layer.view.scale), "")
    rows += [(scale, "")] if rows and scale else []
    low[1] -= (key_height(rows) if rows else legend_height(view.legend, caption)) / inches
    figure, panel = sheet(low, high, inches)
    for draw in (draw for each in drawn for draw in each.artists):
        draw(panel)
    level = plane_scene.PATH if len(flat) == 2 else space.PATH
    for layer, of in zip(traced, paths, strict=True):
        if layer.dye:
            _draw_dyed_paths(panel, layer, of, level)
        else:
            draw_paths(panel, view, of, level)
    for arrows, color in (each for of in pushes for each in of):
        draw_arrows(panel, arrows, r, color)
    draw_rings(panel, view, flat, r)
    outlines = [outline for each in (drawn if top.dye else drawn[-1:]) for outline in each.outlines]
    labels = [(texts, at @ flat) for texts, at in names(view, r)]
    draw_names(panel, labels, outlines, 1.5 * r, inches, [path for of in paths for path in of.values()])
    if len(flat) == 3:
        space.draw_axes(panel, inches)
    if rows:
        draw_key(panel, rows, inches)
    else:
        areas = [artist for artist in panel.patches if artist.get_edgecolor() != artist.get_facecolor()]
        fills = [(str(artist.get_gid()), to_hex(artist.get_facecolor())) for artist in areas]
        draw_legend(panel, view.legend, caption, inches, fills)
    return figure


def _arrows(layer: Layer, flat: Array) -> list[tuple[dict[str, Array], str]]:
    """Forces on points and those in joints as arrows on the sheet, with their colors; a variant's are like itself."""
    found = []
    for arrows, color in ((layer.view.loads, LOAD), (layer.view.arrows, FORCE)):
        shown = mixed(group_color(layer.dye), 0.35, INK) if layer.dye else mixed(color, layer.pale)
        found.append(({layer.gid(name): ends @ flat for name, ends in arrows.items()}, shown))
    return found


def _draw_dyed_paths(panel: Any, layer: Layer, paths: Mapping[str, Array], level: float) -> None:
    for name, path in paths.items():
        line(panel, path, f"border {layer.gid(name)}", color=PAPERED.hex, linewidth=3.0, zorder=level)
        line(panel, path, f"path {layer.gid(name)}", color=group_color(layer.dye or 1), linewidth=1.4, zorder=level)


def _in_plane(layer: Layer, level: float) -> Drawn:
    """A layer of a plane mechanism, so much above the others."""
    scene = plane_scene.plane_scene(layer.view)
    shapes = [
        replace(
            shape,
            gid=layer.gid(shape.gid),
            fill=shape.fill and layer.tone(shape.fill),
            edge=shape.edge and layer.tone(shape.edge),
            level=shape.level + level,
        )
        for shape in scene.shapes
        if layer.has(shape.owner, shape.gid)
    ]
    artists = [partial(paint, shape=shape, points=shape.points) for shape in shapes]
    return Drawn(artists, np.concatenate(extent(scene)), scene.outlines, scene.r)


def _in_space(layer: Layer, level: float) -> Drawn:
    """A layer of a mechanism in space, so much above the others; only the last one throws a shadow."""
    scene = space_scene(layer.view)
    solids = [
        replace(solid, gid=layer.gid(solid.gid), tone=layer.tone(solid.tone))
        for solid in scene.solids
        if layer.has(solid.owner, solid.gid)
    ]
    ink = mixed(INK, layer.pale)
    artists: list[Callable[[Any], Any]] = []
    drawn: list[Array] = []
    outlines: list[Array] = []
    sketches = space.sketched(solids, [solid.points for solid in solids], scene.r, scene.ground)
    for gid, z, outline, style in space.stacked(sketches):
        if gid != "shadow" or not level:
            drawn.append(outline)
            outlines += [outline] if space.has_edge(style) else []
            shown = {"edgecolor": ink, **style, "zorder": z + level}
            artists.append(partial(area, outline=outline, gid=gid, **shown))
    marks = [solid for solid in solids if solid.kind.startswith("arrow")] if not level else []
    artists += [partial(space.draw_driver, solid=solid, r=scene.r) for solid in marks]
    for key, at in layer.view.free_points.items():
        dot = at @ SCREEN + 0.5 * scene.r * ROUND
        artists.append(
            partial(area, outline=dot, gid=layer.gid(f"point {key}"), facecolor=ink, edgecolor=ink, zorder=14 + level)
        )
    return Drawn(artists, np.concatenate(drawn), outlines, scene.r)
