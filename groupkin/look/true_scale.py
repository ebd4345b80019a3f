"""Mechanisms of the plane as drawings at true scale, for CAD programs: layers of lines in DXF and SVG files."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np

from groupkin.arguments import checked
from groupkin.durable_files import disk_errors, write_atomically
from groupkin.errors import NotModeledError, OutputError
from groupkin.kinematics.motion.motion import Motion
from groupkin.look.curve_files import new_drawing, plain_layer
from groupkin.look.drawing import step_at
from groupkin.look.outlines import ROUND
from groupkin.look.palette import FRAME, INK, group_color
from groupkin.look.scenes.configurations import Configuration, configuration_at, reference_configuration
from groupkin.look.scenes.plane_scene import curves, flank, plane_scene, touching
from groupkin.look.scenes.scene import names
from groupkin.mechanism.forces.contact import Contact
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import Units
from groupkin.tolerances import ROUNDING
from sglibrary.array_types import Array

LAYERS = {"joint": "joints", "driver": "drivers", "range": "ranges", "rod": "joints"}
"""Layers of what shapes show; springs and dampers, and all that is not here, are forces."""

MARGIN = 0.03
"""Of an SVG drawing, relative to the larger of width and height."""

MILLIMETERS = 1000.0
"""In a meter: SVG files are as large as the mechanism, whatever the units of its file."""

SCALE = MILLIMETERS * np.array([1.0, -1.0])
"""Their y points downward."""


class Line(NamedTuple):
    """A line of a layer through points (k, 2), m, closed or open."""

    layer: str
    points: Array
    closed: bool

    @property
    def circle(self) -> tuple[Array, float] | None:
        """Center (2,) and radius, if it is a circle as `ROUND` is, m."""
        center = self.points.mean(axis=0)
        radii = np.linalg.norm(self.points - center, axis=1)
        round_ = self.closed and len(radii) == len(ROUND) and np.ptp(radii) <= ROUNDING * radii.max()
        return (center, float(radii.mean())) if round_ else None


class Mark(NamedTuple):
    """A place (2,), m, and what has its center there."""

    name: str
    at: Array


@checked
def export_drawing(
    what: Mechanism | Motion, out: str | Path, time: float | None = None, units: Units | None = None
) -> list[str]:
    """Draw a mechanism of the plane at true scale, in layers that CAD programs can show and hide.

    Parameters
    ----------
    what : Mechanism or Motion
        In its reference configuration; of a motion at a time, with the paths of its points.
    out : str or Path
        Ends in .dxf, in a unit of length, or .svg, as large as the mechanism; a file of this name is replaced.
    time : float, optional
        Of a motion, s: the step next to it is drawn. Default: the first step.
    units : Units, optional
        Of a DXF file. Default: those of the mechanism.

    Returns
    -------
    list of str
        The layers: ``body NAME`` for each that is drawn; joints, points with their names; drivers, ranges, forces,
        paths, and the profiles of cams and of what touches, as far as there are any.

    Raises
    ------
    NotModeledError
        If the mechanism is not one of the plane.
    TimesError
        If the motion does not reach the time, or was not solved there.
    NoGeometryError, NotDeterminedError
        If the mechanism can be analyzed but not drawn.
    OutputError
        If the name has another ending, ezdxf is missing or the file cannot be written.
    """
    path, mechanism = Path(out), what.program.mechanism if isinstance(what, Motion) else what
    check_drawing(mechanism, path)
    view = configuration_at(what, step_at(what, time)) if isinstance(what, Motion) else reference_configuration(what)
    lines, marks = list(_lines(view)), list(_marks(view, plane_scene(view).r))
    WRITERS[path.suffix.lower()](view, lines, marks, path, units or mechanism.units)
    return list(dict.fromkeys([line.layer for line in lines] + ["points"] * bool(marks)))


def check_drawing(mechanism: Mechanism, path: Path) -> None:
    """Refuse what has no drawing at true scale, and files that hold none.

    Raises
    ------
    NotModeledError, OutputError
    """
    if path.suffix.lower() not in WRITERS:
        raise OutputError(f"{path}: a drawing is written to a file that ends in {' or '.join(WRITERS)}")
    if mechanism.dimension != 2:
        raise NotModeledError(
            f"{mechanism.name} is a mechanism in space, which has no drawing at true scale; `groupkin draw` "
            "shows it in perspective"
        )


def _lines(view: Configuration) -> Iterator[Line]:
    """All lines of a drawing."""
    for shape in plane_scene(view).shapes:
        kind = shape.gid.partition(" ")[0]
        if kind == "point":
            continue  # it is marked as one
        layer = shape.gid if kind == "body" else LAYERS.get(kind, "forces")
        for part in _parts(shape.points):
            yield Line(layer, part, shape.fill is not None)
    for joint in view.mechanism.joints:
        for side, curve in enumerate(curves(joint)):
            yield Line("profiles", flank(view, joint, side), curve.closed)
    for load in view.mechanism.forces:
        if isinstance(load, Contact):
            yield from (Line("profiles", points, closed) for _, points, closed in touching(view, load))
    for path in view.paths.values():
        for part in _parts(path):
            yield Line("paths", part, False)


def _parts(points: Array) -> Iterator[Array]:
    """Lines (k, 2) without the NaN that is between them."""
    known = np.asarray(np.isfinite(points).all(axis=1))
    for run in np.split(np.arange(len(points)), np.flatnonzero(np.diff(known)) + 1):
        if known[run[0]] and run.size > 1:
            yield points[run]


def _marks(view: Configuration, r: float) -> Iterator[Mark]:
    """Places of joints and named points, each once, with all their names."""
    for each, at in names(view, r):
        yield Mark(", ".join(each), np.asarray(at))


# --- files -------------------------------------------------------------------------------------------


def _write_dxf(view: Configuration, lines: list[Line], marks: list[Mark], path: Path, units: Units) -> None:
    """Write polylines, and points with their names beside them."""
    drawing, radius = new_drawing(units), plane_scene(view).r / units.meters
    space = drawing.modelspace()
    for layer in dict.fromkeys([*(line.layer for line in lines), "points"]):
        drawing.layers.add(plain_layer(layer))
    for line in lines:
        points, on = (line.points / units.meters).tolist(), {"layer": plain_layer(line.layer)}
        if line.circle is not None:
            space.add_circle((line.circle[0] / units.meters).tolist(), line.circle[1] / units.meters, dxfattribs=on)
        else:
            space.add_lwpolyline(points, close=line.closed, dxfattribs=on)
    for name, at in marks:
        x, y = (at / units.meters).tolist()
        space.add_point((x, y), dxfattribs={"layer": "points"})
        text = space.add_text(name, height=radius, dxfattribs={"layer": "points"})
        text.set_placement((x + radius, y + radius))
    with disk_errors(path, begun=False):
        drawing.saveas(path)


def _write_svg(view: Configuration, lines: list[Line], marks: list[Mark], path: Path, _: Units) -> None:
    """Write paths in millimeters, y upward, in a group for each layer."""
    r = plane_scene(view).r
    scale, radius = SCALE, MILLIMETERS * r
    every = np.concatenate([*(line.points for line in lines), *(mark.at + r * ROUND for mark in marks)])
    low, high = (scale * every).min(axis=0), (scale * every).max(axis=0)
    margin = MARGIN * float((high - low).max())
    (x, y), (width, height) = low - margin, high - low + 2.0 * margin
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.6g}mm" height="{height:.6g}mm" '
        f'viewBox="{x:.6g} {y:.6g} {width:.6g} {height:.6g}">',
        f"<title>{escape(view.mechanism.name)}</title>",
    ]
    for layer in dict.fromkeys(line.layer for line in lines):
        number = view.color(layer.removeprefix("body "))[0] if layer.startswith("body ") else 0
        color = group_color(number) if number else INK if layer != "ranges" else FRAME
        text.append(f'<g id="{escape(layer)}" fill="none" stroke="{color}" stroke-width="{0.06 * radius:.4g}">')
        text += [_svg_line(line) for line in lines if line.layer == layer]
        text.append("</g>")
    text.append(f'<g id="points" font-family="sans-serif" font-size="{radius:.4g}">')
    for name, at in marks:
        x, y = (scale * at).tolist()
        text.append(f'<circle cx="{x:.6f}" cy="{y:.6f}" r="{0.1 * radius:.4g}"/>')
        text.append(f'<text x="{x + radius:.6f}" y="{y - radius:.6f}">{escape(name)}</text>')
    with disk_errors(path, begun=False):
        write_atomically(path, "\n".join([*text, "</g>", "</svg>", ""]))


def _svg_line(line: Line) -> str:
    if line.circle is not None:
        (x, y), radius = SCALE * line.circle[0], MILLIMETERS * line.circle[1]
        return f'<circle cx="{x:.6f}" cy="{y:.6f}" r="{radius:.6f}"/>'
    places = " L ".join(f"{x:.6f} {y:.6f}" for x, y in SCALE * line.points)
    return f'<path d="M {places}{" Z" if line.closed else ""}"/>'


WRITERS = {".dxf": _write_dxf, ".svg": _write_svg}
"""What writes drawings, by the end of the name of a file."""
