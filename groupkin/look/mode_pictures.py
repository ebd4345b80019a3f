"""Pictures of a mechanism in its assembly modes, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from groupkin.kinematics.modes.modes import AssemblyModes, Poses, configuration, poses_of, with_modes
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.run import run
from groupkin.look.drawing import check_bodies
from groupkin.look.palette import PAPER
from groupkin.look.scenes.configurations import Configuration, with_values
from groupkin.look.scenes.plane import extent, paint
from groupkin.look.scenes.plane_scene import plane_scene
from groupkin.look.scenes.space import sketched, stacked
from groupkin.look.scenes.space_scene import space_scene
from groupkin.look.sheets import area
from groupkin.picture_files import check_file, write_picture
from sglibrary.array_types import Array

DRAWN, COLUMNS, SIDE = 12, 4, 3.2
"""Configurations that are drawn, at most, how many side by side, and their width in inches."""


def draw(program: Program, listing: AssemblyModes, path: Path) -> int:
    """Draw the first configurations of a mechanism.

    Parameters
    ----------
    program : Program
    listing : AssemblyModes
        Of its mechanism.
    path : Path
        Ends in .svg, .png or .pdf.

    Returns
    -------
    int
        Number of configurations drawn.

    Raises
    ------
    OutputError
        If the mechanism has too many bodies, matplotlib is missing or the file cannot be written.
    """
    check_bodies(program.mechanism)
    check_file(path)
    from matplotlib.figure import Figure

    configurations = list(islice(_configurations(listing), DRAWN))
    columns = max(1, min(COLUMNS, len(configurations)))
    rows = max(1, ceil(len(configurations) / columns))
    figure = Figure(figsize=(SIDE * columns, SIDE * rows), layout="constrained", facecolor=PAPER)
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for panel in panels:
        panel.set_axis_off()
        panel.set_aspect("equal")
    corners = []
    for panel, modes in zip(panels, configurations, strict=False):
        corners.append(draw_view(panel, view_in(program, listing.time, modes)))
        other = [f"{listing.structure.groups[group - 1].bodies[-1]}={number}" for group, number in modes.items()]
        panel.set_title(", ".join(other) or "reference", fontsize=8, parse_math=False)
    if corners:
        low, high = np.min(corners, axis=(0, 1)), np.max(corners, axis=(0, 1))
        panels[0].set_xlim(low[0], high[0])
        panels[0].set_ylim(low[1], high[1])
        height = np.clip((high - low)[1] / (high - low)[0], 0.4, 1.6)
        figure.set_size_inches(SIDE * columns, (SIDE * height + 0.3) * rows)
    write_picture(figure, path)
    return len(configurations)


def _configurations(listing: AssemblyModes) -> Iterator[dict[int, int]]:
    """Yield, for every configuration that can be chosen, the modes other than 1 by group."""
    for combinations in product(*(linked.combinations for linked in listing.linked)):
        numbers = {
            group: number
            for linked, combination in zip(listing.linked, combinations, strict=True)
            for group, number in zip(linked.groups, combination, strict=True)
        }
        if all(numbers.values()):
            yield {group: number for group, number in sorted(numbers.items()) if number > 1}


def view_in(program: Program, time: float | None, modes: dict[int, int]) -> Configuration:
    """Place all bodies in some assembly modes, at a time (s) or with the drivers of the reference configuration."""
    chosen, geometry, mechanism = with_modes(program, modes), program.geometry, program.mechanism
    placed: Poses = (
        configuration(chosen) if time is None else poses_of(run(chosen, [time], on_failure="nan"), mechanism.movable)
    )
    d = mechanism.dimension
    poses = {body: (turn, at - turn @ geometry.origins[body]) for body, (at, turn) in placed.items()}
    poses[mechanism.frame] = np.eye(d), np.zeros(d)
    return with_values(Configuration(program.structure, geometry, poses))


def draw_view(panel: Any, view: Configuration) -> Array:
    """Draw a mechanism on a panel; the lower left and the upper right corner of what is drawn (2, 2)."""
    if view.mechanism.dimension == 2:
        scene = plane_scene(view)
        for shape in scene.shapes:
            paint(panel, shape, shape.points)
        drawn, margin = np.concatenate(extent(scene)), scene.r
    else:
        solid = space_scene(view)
        sketches = sketched(solid.solids, [part.points for part in solid.solids], solid.r, solid.ground)
        for gid, z, outline, style in stacked(sketches):
            area(panel, outline, gid, zorder=z, **style)
        drawn, margin = np.concatenate([outline for part in sketches for _, outline, _ in part.outlines]), solid.r
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    return np.array([drawn.min(axis=0) - 3.0 * margin, drawn.max(axis=0) + 3.0 * margin])
