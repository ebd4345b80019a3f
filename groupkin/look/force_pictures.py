"""Pictures of a mechanism with the forces in its joints and on its points as arrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.dynamics.contacts import touching
from groupkin.dynamics.forces import Forces
from groupkin.dynamics.loads import Loads, add
from groupkin.dynamics.masses import local_point
from groupkin.look.drawing import check_bodies, step_at
from groupkin.look.scenes.configurations import configuration_at
from groupkin.mechanism.forces import Contact, Load, ends
from groupkin.mechanism.units import conversion
from groupkin.picture_files import check_file, check_matplotlib, write_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

LONGEST = 0.3
"""Length of the arrow of the largest force of the motion, in sizes of the mechanism."""


@checked
def draw_forces(forces: Forces, time: float | None = None, out: str | Path | None = None) -> Figure:
    """Draw a mechanism at a time with what the first body of each joint does to the second, and forces on points.

    See `Forces.draw`.

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
    shown = [load for load in motion.program.mechanism.forces if ends(load)]
    sizes = [np.linalg.norm(forces.reaction(joint).force, axis=1) for joint in forces.reactions]
    sizes += [forces.acting[load.name].size for load in shown]
    largest = max((float(np.nanmax(size, initial=0.0)) for size in sizes), default=0.0)
    unit = LONGEST * motion.program.geometry.size / largest if largest else 0.0
    arrows = {}
    for joint in forces.reactions:
        at = view.ends(view.mechanism.joint[joint])[1]
        arrows[joint] = np.array([at, at + unit * forces.reaction(joint).force[step]])
    loads = {name: np.array([at, at + unit * force]) for name, at, force in _applied(forces, shown, step)}
    factor, name = conversion("N", view.mechanism.units)
    scale = f"forces up to {factor * largest:.4g} {name}"
    view = replace(view, arrows=arrows, loads=loads, scale=scale)
    from groupkin.look.scenes.plane import draw_plane
    from groupkin.look.scenes.space import draw_space

    figure = draw_plane(view) if view.mechanism.dimension == 2 else draw_space(view)
    if out is not None:
        write_picture(figure, Path(out))
    return figure


def _applied(forces: Forces, shown: Sequence[Load], step: int) -> Iterator[tuple[str, Array, Array]]:
    """List forces on points of movable bodies at a step: names, points (d,), m, and forces (d,), N."""
    motion, mechanism = forces.motion.at(np.array([step])), forces.motion.program.mechanism
    for load in shown:
        loads = Loads(motion)
        add(loads, load, forces.acting[load.name].amount[..., step : step + 1])
        for body, point in dict(reversed(ends(load))).items():
            if body == mechanism.frame:
                continue
            at = motion.point_on(body, local_point(motion.program, body, point))
            if isinstance(load, Contact):
                at = touching(motion, load, forces.velocities).point
            force = loads.wrenches[mechanism.movable.index(body)][-mechanism.dimension :, 0]
            yield f"{load.name} on {body}", at[0], force
