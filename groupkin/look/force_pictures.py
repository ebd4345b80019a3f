"""Pictures of a mechanism with the forces in its joints and on its points as arrows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.arguments import checked
from groupkin.dynamics.reactions.forces import Forces
from groupkin.look.drawing import step_at, view_picture
from groupkin.look.force_arrows import LONGEST, arrows, largest, scale
from groupkin.look.scenes.configurations import configuration_at
from groupkin.picture_files import check_optional, write_optional
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
    check_optional(out)
    motion = forces.motion
    step = step_at(motion, time)
    view = configuration_at(motion, step)
    most = largest(forces)
    unit = LONGEST * motion.program.geometry.size / most if most else 0.0
    lines = {True: dict[str, Array](), False: dict[str, Array]()}
    for in_joint, name, at, force in arrows(forces, [step]):
        lines[in_joint][name] = np.array([at[0], at[0] + unit * force[0]])
    view = replace(view, arrows=lines[True], loads=lines[False], scale=scale(forces))
    return write_optional(view_picture(view), out)
