"""The front door of pictures: what is drawn, of what, into which file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.analysis import decompose
from groupkin.arguments import checked
from groupkin.errors import ArgumentError, OutputError, TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.look.scenes.configurations import (
    COLORED,
    NAMED,
    Configuration,
    configuration_at,
    reference_configuration,
    require_movable,
)
from groupkin.mechanism.mechanism import Mechanism
from groupkin.picture_files import check_file, write_picture
from groupkin.structure.decomposition import Structure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("mechanism", "graph", "diagram")

MOST_GROUPS = 200
"""Groups up to which a structure is drawn, and bodies up to which a mechanism is."""


@checked
def draw(
    what: Mechanism | Structure | Motion,
    out: str | Path,
    kind: str | None = None,
    time: float | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> None:
    """Draw a mechanism, or its structure, into a file.

    Parameters
    ----------
    what : Mechanism, Structure or Motion
    out : str or Path
        Ends in .svg, .png or .pdf; a file of this name is replaced.
    kind : {"mechanism", "graph", "diagram"}, optional
        The mechanism in its reference configuration or, of a motion, at a time and with the paths of its points;
        the structural graph, with a vertex for each body and as many lines as a joint has freedoms, driven ones bold;
        or the structural diagram, with a circle for each group and arrows to those that depend on it. Default: the
        diagram of a structure, the mechanism else.
    time : float, optional
        Of a motion, s: the step next to it is drawn. Default: the first step.
    colors : {"groups", "bodies"}, optional
        Of the picture of a mechanism: what has a color of its own. Default: groups.
    names : {"joints", "bodies"}, optional
        Of the same picture: what is named, joints and points or bodies. Default: joints.

    Raises
    ------
    ArgumentError
        If there is no such kind, or a time, colors or names are given for what has none.
    TimesError
        If the motion does not reach the time, or was not solved there.
    NoGeometryError, NotModeledError
        If the mechanism can be analyzed but not drawn.
    OutputError
        If there is too much to be drawn, matplotlib is missing or the file cannot be written.
    NotDeterminedError
        If the mechanism cannot be decomposed.
    """
    kind = kind or ("diagram" if isinstance(what, Structure) else "mechanism")
    if time is not None and not (isinstance(what, Motion) and kind == "mechanism"):
        raise ArgumentError("a time belongs to the picture of a mechanism in motion; give a motion, as of gk.solve")
    path = Path(out)
    check_file(path)
    write_picture(figure_of(what, kind, time, colors, names), path)


def figure_of(
    what: Mechanism | Structure | Motion,
    kind: str,
    time: float | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> Figure:
    """Make the figure that `draw` writes.

    Raises
    ------
    ArgumentError, TimesError, NoGeometryError, NotModeledError, OutputError, NotDeterminedError
    """
    if kind not in KINDS:
        raise ArgumentError(f"kind is one of {', '.join(KINDS)}, not {kind!r}")
    for key, value, known in (("colors", colors, COLORED), ("names", names, NAMED)):
        if value is not None and value not in known:
            raise ArgumentError(f"{key} is {' or '.join(known)}, not {value!r}")
        if value is not None and kind != "mechanism":
            raise ArgumentError(f"{key} belong to the picture of a mechanism, not to its {kind}")
    if kind == "mechanism":
        return mechanism_picture(what, time, colors or COLORED[0], names or NAMED[0])
    structure = what.program.structure if isinstance(what, Motion) else what
    return structure_picture(decompose(structure) if isinstance(structure, Mechanism) else structure, kind)


def mechanism_picture(
    what: Mechanism | Structure | Motion,
    time: float | None = None,
    colors: str = COLORED[0],
    names: str = NAMED[0],
) -> Figure:
    """Make a figure of a mechanism in its reference configuration, or at the step of a motion next to a time."""
    if isinstance(what, Motion):
        view = configuration_at(what, step_at(what, time))
    else:
        view = reference_configuration(what.mechanism if isinstance(what, Structure) else what)
    return view_picture(replace(view, colors=colors, names=names))


def view_picture(view: Configuration) -> Figure:
    """Draw a mechanism in a configuration.

    Raises
    ------
    OutputError
        See `check_bodies`.
    """
    check_bodies(view.mechanism)
    from groupkin.look.scenes.plane import draw_plane
    from groupkin.look.scenes.space import draw_space

    return draw_plane(view) if view.mechanism.dimension == 2 else draw_space(view)


def check_bodies(mechanism: Mechanism) -> None:
    """Refuse a mechanism that has too many bodies for a picture, or none that moves.

    Raises
    ------
    OutputError
    """
    require_movable(mechanism)
    if len(mechanism.movable) > MOST_GROUPS:
        raise OutputError(
            f"{mechanism.name} has {len(mechanism.movable)} movable bodies, too many for a picture, which "
            f"shows up to {MOST_GROUPS}; draw its structural diagram"
        )


def step_at(motion: Motion, time: float | None) -> int:
    """The step of a motion next to a time."""
    times = motion.times
    if not times.size:
        raise TimesError("the motion has no steps; solve it at some times")
    if time is not None and not times.min() <= time <= times.max():
        raise TimesError(f"the motion goes from t = {times[0]:g} s to {times[-1]:g} s, and does not reach {time:g} s")
    step = 0 if time is None else int(np.abs(times - time).argmin())
    if not motion.placed[step]:
        raise TimesError(f"the motion is not solved at t = {times[step]:g} s; draw it at another time")
    return step


def structure_picture(structure: Structure, kind: str) -> Figure:
    """Make a figure of the graph or the diagram of a structure.

    Raises
    ------
    OutputError
        If it has too many groups, or none.
    """
    from groupkin.look.diagrams.structural_diagram import draw_diagram
    from groupkin.look.diagrams.structural_graph import draw_graph

    require_movable(structure.mechanism)
    if len(structure.groups) > MOST_GROUPS:
        raise OutputError(
            f"{structure.mechanism.name} has {len(structure.groups)} structural groups, too many for a picture, which "
            f"shows up to {MOST_GROUPS}; groupkin analyze lists them"
        )
    return draw_graph(structure) if kind == "graph" else draw_diagram(structure)
