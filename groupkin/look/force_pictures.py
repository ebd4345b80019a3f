"""Pictures of a mechanism with the forces in its joints as arrows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.dynamics.forces import Forces
from groupkin.look.drawing import check_bodies, step_at
from groupkin.look.scenes.configurations import configuration_at
from groupkin.mechanism.units import conversion
from groupkin.picture_files import check_file, check_matplotlib, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

LONGEST = 0.3
"""Length of the arrow of the largest force of the motion, in sizes of the mechanism."""


@checked
def draw_forces(forces: Forces, time: float | None = None, out: str | Path | None = None) -> Figure:
    """Draw a mechanism at a time with what the first body of each joint does to the second; see `Forces.draw`.

    Raises
    ------
    TimesError
        If the motion does not reach the time, or was not solved there.
    OutputError
        If there is too much to be drawn, matplotlib is missing or the file cannot be written.
    """
    if out is not None:
        check_file(Path(out))
    check_matplotlib()
    motion = forces.motion
    step = step_at(motion, time)
    view = configuration_at(motion, step)
    check_bodies(view.mechanism)
    largest = max((_size(forces.reaction(joint).force) for joint in forces.reactions), default=0.0)
    unit = LONGEST * motion.program.geometry.size / largest if largest else 0.0
    arrows = {}
    for joint in forces.reactions:
        at = view.ends(view.mechanism.joint[joint])[1]
        arrows[joint] = np.array([at, at + unit * forces.reaction(joint).force[step]])
    factor, name = conversion("N", view.mechanism.units)
    scale = f"forces up to {factor * largest:.4g} {name}"
    view = replace(view, arrows=arrows, scale=scale)
    from groupkin.look.scenes.plane import draw_plane
    from groupkin.look.scenes.space import draw_space

    figure = draw_plane(view) if view.mechanism.dimension == 2 else draw_space(view)
    if out is not None:
        write_picture(figure, Path(out))
    return figure


def _size(force: Array) -> float:
    return float(np.nanmax(np.linalg.norm(force, axis=1), initial=0.0))
