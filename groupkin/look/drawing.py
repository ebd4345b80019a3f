"""The front door of pictures: what is drawn, of what, into which file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.analysis import decompose
from groupkin.arguments import checked, floats
from groupkin.dynamics.reactions.forces import Forces
from groupkin.errors import ArgumentError, OutputError, TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.look.scenes.configurations import (
    Configuration,
    check_shown,
    configuration_at,
    reference_configuration,
    require_movable,
    shown_as,
)
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import one_label_each
from groupkin.picture_files import check_file, write_picture
from groupkin.structure.decomposition import Structure
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("mechanism", "graph", "diagram")

ONE = Mechanism | Structure | Motion | Forces
"""What a picture of one shows."""

MOST_GROUPS = 200
"""Groups up to which a structure is drawn, and bodies up to which a mechanism is."""

MOST_POSITIONS, MOST_VARIANTS = 30, 8
"""In one picture; there are as many colors for variants."""


@checked
def draw(
    what: Mechanism | Structure | Motion | Forces | Sequence[Mechanism | Motion | Forces],
    out: str | Path,
    kind: str | None = None,
    time: float | Sequence[float] | None = None,
    colors: str | None = None,
    names: str | None = None,
    labels: Sequence[str] | None = None,
) -> None:
    """Draw a mechanism, several over each other, or a structure, into a file.

    Parameters
    ----------
    what : Mechanism, Structure, Motion or Forces, or sequence of mechanisms, motions and forces
        Several, such as designs or assembly modes, have one color each, with their names; the last one is on top.
        Forces are arrows on their mechanism, all to one scale.
    out : str or Path
        Ends in .svg, .png or .pdf; a file of this name is replaced.
    kind : {"mechanism", "graph", "diagram"}, optional
        The mechanism in its reference configuration or, of a motion, at a time and with the paths of its points;
        the structural graph, with a vertex for each body and as many lines as a joint has freedoms, driven ones bold;
        or the structural diagram, with a circle for each group and arrows to those that depend on it. Default: the
        diagram of a structure, the mechanism else.
    time : float or sequence of float, optional
        Of a motion or forces, s: the step next to it is drawn; of several times all are, the earlier the paler. Several
        motions are all drawn at one time. Default: the first step.
    colors : {"groups", "bodies"}, optional
        Of the picture of a mechanism: what has a color of its own. Default: groups.
    names : {"joints", "bodies"}, optional
        Of the same picture: what is named, joints and points or bodies. Default: joints.
    labels : sequence of str, optional
        Of several mechanisms or motions. Default: names of the mechanisms, numbered where they are the same.

    Raises
    ------
    ArgumentError
        If there is no such kind, a time, colors or names are given for what has none, or there is not one label for
        each of several.
    TimesError
        If the motion does not reach the time, or was not solved there.
    NoGeometryError, NotModeledError
        If the mechanism can be analyzed but not drawn.
    OutputError
        If there is too much to be drawn, matplotlib is missing or the file cannot be written.
    NotDeterminedError
        If the mechanism cannot be decomposed.
    """
    path = Path(out)
    check_file(path)
    write_picture(figure_of(what, kind, time, colors, names, labels), path)


def figure_of(
    what: Mechanism | Structure | Motion | Forces | Sequence[Mechanism | Motion | Forces],
    kind: str | None = None,
    time: float | Sequence[float] | None = None,
    colors: str | None = None,
    names: str | None = None,
    labels: Sequence[str] | None = None,
) -> Figure:
    """Make the figure that `draw` writes.

    Raises
    ------
    ArgumentError, TimesError, NoGeometryError, NotModeledError, OutputError, NotDeterminedError
    """
    kind = kind or ("diagram" if isinstance(what, Structure) else "mechanism")
    if kind not in KINDS:
        raise ArgumentError(f"kind is one of {', '.join(KINDS)}, not {kind!r}")
    check_shown(colors, names)
    for key, value in (("colors", colors), ("names", names)):
        if value is not None and kind != "mechanism":
            raise ArgumentError(f"{key} belong to the picture of a mechanism, not to its {kind}")
    each = [what] if isinstance(what, ONE) else list(what)
    if time is not None and not (kind == "mechanism" and all(isinstance(one, Motion | Forces) for one in each)):
        raise ArgumentError("a time belongs to the picture of a mechanism in motion; give a motion, as of gk.solve")
    times = None if time is None else floats(time)
    one = None if times is None or times.ndim else float(times)
    if not isinstance(what, ONE):
        if kind != "mechanism" or colors is not None or (times is not None and times.ndim):
            raise ArgumentError("several mechanisms or motions are drawn as mechanisms, at one time, in a color each")
        return variants_picture(what, one, names, labels)
    if labels is not None:
        raise ArgumentError("labels belong to several mechanisms or motions in one picture; give a list of them")
    if isinstance(what, Motion | Forces) and times is not None and times.ndim:
        return positions_picture(what, times, colors, names)
    if kind == "mechanism":
        return mechanism_picture(what, one, colors, names)
    motion = what.motion if isinstance(what, Forces) else what
    structure = motion.program.structure if isinstance(motion, Motion) else motion
    return structure_picture(decompose(structure) if isinstance(structure, Mechanism) else structure, kind)


def mechanism_picture(
    what: Mechanism | Structure | Motion | Forces,
    time: float | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> Figure:
    """Make a figure of a mechanism in its reference configuration, or at the step of a motion next to a time."""
    return view_picture(_view(what, time, colors, names))


def _view(
    what: Mechanism | Structure | Motion | Forces,
    time: float | None,
    colors: str | None,
    names: str | None,
    most: float | None = None,
) -> Configuration:
    """Find where the bodies are, with the arrows of forces, the longest of which is of a force of `most`, N."""
    if isinstance(what, Motion):
        view = configuration_at(what, step_at(what, time))
    elif isinstance(what, Forces):
        step = step_at(what.motion, time)
        bare = configuration_at(what.motion, step)
        view = _with_arrows(bare, what, step, _largest([what]) if most is None else most)
    else:
        view = reference_configuration(what.mechanism if isinstance(what, Structure) else what)
    return shown_as(view, colors, names)


def _largest(each: Sequence[Forces]) -> float:
    """Largest of all forces that are drawn, N."""
    from groupkin.look.force_arrows import largest  # which loads kernels

    return max(map(largest, each), default=0.0)


def _with_arrows(view: Configuration, forces: Forces, step: int, most: float) -> Configuration:
    """Add the forces at a step of their motion to a configuration, the longest arrow of which is of a force, N."""
    from groupkin.look.force_arrows import LONGEST, arrows, scale

    unit = LONGEST * view.geometry.size / most if most else 0.0
    lines = {True: dict[str, Array](), False: dict[str, Array]()}
    for in_joint, name, at, force in arrows(forces, [step]):
        lines[in_joint][name] = np.array([at[0], at[0] + unit * force[0]])
    return replace(view, arrows=lines[True], loads=lines[False], scale=scale(most, view.mechanism.units))


def positions_picture(what: Motion | Forces, times: Array, colors: str | None, names: str | None) -> Figure:
    """Make a figure of a mechanism at several times (n,) of its motion, s, with its forces, the earlier ones paler.

    Raises
    ------
    ArgumentError
        If there are no times, or too many.
    TimesError, OutputError
    """
    motion = what.motion if isinstance(what, Forces) else what
    steps = sorted({step_at(motion, float(time)) for time in times.ravel()})
    if not 1 <= len(steps) <= MOST_POSITIONS:
        raise ArgumentError(f"a picture shows 1 to {MOST_POSITIONS} positions, not {len(steps)}; give fewer times")
    check_bodies(motion.program.mechanism)
    from groupkin.look.scenes.overlays import draw_layers, positions

    views = [_view(what, float(motion.times[step]), colors, names) for step in steps]
    return draw_layers(positions(views))


def variants_picture(
    each: Sequence[Mechanism | Motion | Forces], time: float | None, names: str | None, labels: Sequence[str] | None
) -> Figure:
    """Make a figure of several mechanisms, motions or forces over each other, in one color each.

    Raises
    ------
    ArgumentError
        If there are none or too many, they are not all in the plane or all in space, or labels do not fit.
    TimesError, NoGeometryError, NotModeledError, OutputError, NotDeterminedError
    """
    if not 1 <= len(each) <= MOST_VARIANTS:
        raise ArgumentError(f"a picture shows 1 to {MOST_VARIANTS} mechanisms over each other, not {len(each)}")
    most = _largest([one for one in each if isinstance(one, Forces)])
    views = [_view(one, time, None, names, most) for one in each]
    called = one_label_each([view.mechanism.name for view in views], labels)
    if len({view.mechanism.dimension for view in views}) > 1:
        raise ArgumentError("mechanisms in the plane and mechanisms in space are not drawn over each other")
    for view in views:
        check_bodies(view.mechanism)
    from groupkin.look.scenes.overlays import Layer, draw_layers

    layers = [Layer(view, label, dye=k) for k, (view, label) in enumerate(zip(views, called, strict=True), 1)]
    return draw_layers(layers)


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
