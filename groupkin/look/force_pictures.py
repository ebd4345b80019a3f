"""Pictures of a mechanism with the forces in its joints and on its points as arrows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groupkin.arguments import checked
from groupkin.dynamics.reactions.forces import Forces
from groupkin.look.drawing import figure_of
from groupkin.picture_files import check_optional, write_optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@checked
def draw_forces(
    forces: Forces,
    time: float | Sequence[float] | None = None,
    out: str | Path | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> Figure:
    """Draw a mechanism at times with what the first body of each joint does to the second, and forces on points.

    See `Forces.draw`.

    Raises
    ------
    ArgumentError
        If there are too many times, or colors or names are others than those of `groupkin.draw`.
    TimesError
        If the motion does not reach a time, or was not solved there.
    OutputError
        If there is too much to be drawn, matplotlib is missing or the file cannot be written.
    """
    check_optional(out)
    return write_optional(figure_of(forces, None, time, colors, names), out)
