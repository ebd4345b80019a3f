"""Pictures of the configurations of a plane mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import OutputError
from groupkin.kinematics.modes.modes import AssemblyModes, Poses, configuration, poses_of, with_modes
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.run import run
from groupkin.picture_files import check_file, write_picture

Array = NDArray[np.float64]

DRAWN, COLUMNS = 12, 4
"""Configurations that are drawn, at most, and how many side by side."""


def draw(program: Program, listing: AssemblyModes, path: Path) -> int:
    """Draw the first configurations of a plane mechanism.

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
        If the mechanism moves in space, matplotlib is missing or the file cannot be written.
    """
    check_picture(program, path)
    from matplotlib.figure import Figure

    configurations = list(islice(_configurations(listing), DRAWN))
    columns = max(1, min(COLUMNS, len(configurations)))
    rows = max(1, ceil(len(configurations) / columns))
    figure = Figure(figsize=(3.2 * columns, 3.2 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for panel in panels:
        panel.set_axis_off()
        panel.set_aspect("equal")
    for panel, modes in zip(panels, configurations, strict=False):
        chosen = with_modes(program, modes)
        if listing.time is None:
            _mechanism(panel, program, configuration(chosen))
        else:
            motion = run(chosen, [listing.time], on_failure="nan")
            _mechanism(panel, program, poses_of(motion, program.mechanism.movable))
        other = [f"{listing.structure.groups[group - 1].bodies[-1]}={number}" for group, number in modes.items()]
        panel.set_title(", ".join(other) or "reference", fontsize=8)
    write_picture(figure, path)
    return len(configurations)


def check_picture(program: Program, path: Path) -> None:
    """Refuse a mechanism or file that cannot be drawn, before anything is computed.

    Raises
    ------
    OutputError
    """
    if program.mechanism.dimension != 2:
        raise OutputError("only plane mechanisms are drawn; --json has the poses of all bodies in every mode")
    check_file(path)


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


def _mechanism(panel: Any, program: Program, placed: Poses) -> None:
    """Draw every body as the area between its joints and named points; the frame as triangles."""
    frame = program.mechanism.frame
    for body in program.mechanism.body:
        points = _points(program, body)
        if body == frame:
            panel.plot(*points.T, "^", color="0.3", markersize=9)
            continue
        origin, rotation = placed[body]
        points = origin + (points - program.geometry.origins[body]) @ rotation.T
        color = f"C{program.structure.group_of[body].number % 10}"
        outline = points[_around(points)] if len(points) > 2 else points
        panel.fill(*outline.T, facecolor=color, edgecolor=color, alpha=0.35, linewidth=3, joinstyle="round")
        panel.plot(*points.T, "o", color="k", markerfacecolor="w", markersize=4)


def _points(program: Program, body: str) -> Array:
    """List joints and named points of a body, (k, 2), in its coordinates."""
    geometry, joints = program.geometry, program.mechanism.joints_of[body]
    points = [geometry.joints[joint.name].points[joint.bodies.index(body)] for joint in joints]
    points += [point for carrier, point in geometry.points.values() if carrier == body]
    return geometry.size * np.unique(np.round(np.array(points).reshape(-1, 2) / geometry.size, 12), axis=0)


def _around(points: Array) -> NDArray[np.intp]:
    """Order points by their angle around their center."""
    x, y = (points - points.mean(axis=0)).T
    return np.argsort(np.arctan2(y, x))
