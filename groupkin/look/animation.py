"""The front door of motions to be watched: pages and films."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from groupkin.arguments import checked
from groupkin.durable_files import check_place, disk_errors, write_atomically
from groupkin.dynamics.forces import Forces
from groupkin.errors import ArgumentError, OutputError, TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import unknown

FILMS = (".gif", ".mp4", ".webm")
SUFFIXES = (".html", *FILMS)


@checked
def animate(
    what: Motion | Mechanism | Forces,
    out: str | Path,
    trace: Sequence[str] | None = None,
    plot: Sequence[str | Quantity] | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Write a motion as a page that plays it, or as a film.

    Parameters
    ----------
    what : Motion, Mechanism or Forces
        A mechanism is solved for one second, at 201 times. Forces are arrows in the page of their motion.
    out : str or Path
        A page ends in .html: one file that works without network. A film ends in .gif, .mp4 or .webm. A file of this
        name is replaced.
    trace : sequence of str, optional
        Points or joints whose paths are shown. Default: named points that are on no joint.
    plot : sequence of str or Quantity, optional
        Of a page, quantities as `Motion.read` takes them. Default: the driven joints and the traced points.
    seconds : float, optional
        Of a film, how long it plays. Default: as long as the motion, but from 2 to 10 s.
    progress : callable, optional
        Of a film, called with the frames drawn and all of them.

    Returns
    -------
    str
        What was left out, such as steps of a long motion, so that a page stays below 3 MB; empty if nothing was.

    Raises
    ------
    ArgumentError
        If an option is given for a file that has no use for it.
    TimesError
        If no step of the motion was solved.
    OutputError
        If there is too much to be shown, something to write films with is missing, or the file cannot be written.
    UnknownNameError, QuantityError
        If there is no such point or quantity.
    """
    path = Path(out)
    forces = what if isinstance(what, Forces) else None
    check_animation(path, seconds, plots=plot is not None, forces=forces is not None)
    motion = _solved(what) if isinstance(what, Mechanism) else what.motion if isinstance(what, Forces) else what
    if not motion.placed.any():
        raise TimesError("no step of the motion was solved, so that there is nothing to show")
    if path.suffix.lower() in FILMS:
        from groupkin.look.drawing import check_bodies
        from groupkin.look.film import write_film

        check_bodies(motion.program.mechanism)
        write_film(motion, path, seconds, progress, trace)
        return ""
    from groupkin.look.page.page import page

    made = page(motion, trace, plot, forces=forces)
    with disk_errors(path, begun=False):
        write_atomically(path, made.text)
    return made.note


def _solved(mechanism: Mechanism) -> Any:
    from groupkin.kinematics.solver import solve

    return solve(mechanism, np.linspace(0.0, 1.0, 201))


def check_trace(names: Sequence[str], mechanism: Mechanism) -> None:
    """Refuse names that are of no point and no joint, before anything is solved.

    Raises
    ------
    UnknownNameError
    """
    known = [*mechanism.positions, *((joint.of or joint).name for joint in mechanism.joints)]
    for name in names:
        if name not in known:
            raise unknown("point or joint", name, known)


def check_animation(path: Path, seconds: float | None = None, plots: bool = False, forces: bool = False) -> None:
    """Refuse a file that no page or film can be written to, or that options for the other one are given for.

    Raises
    ------
    ArgumentError, OutputError
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise OutputError(f"{path}: a page ends in .html, a film in {', '.join(FILMS)}")
    if seconds is not None and suffix not in FILMS:
        raise ArgumentError("seconds belong to a film; a page plays as fast as its reader wants")
    if seconds is not None and not (math.isfinite(seconds) and 0 < seconds <= 600):
        raise ArgumentError(f"seconds must be a positive number up to 600, not {seconds:g}")
    if plots and suffix in FILMS:
        raise ArgumentError(
            "plots are for pages (.html) only: a film shows the mechanism and the paths of points; make a page, or "
            "leave the plots to groupkin plot"
        )
    if forces and suffix in FILMS:
        raise ArgumentError(
            "arrows of forces are for pages (.html) only: make a page, or draw single steps of the forces"
        )
    check_place(path)
    if suffix in FILMS:
        from groupkin.look.film import check_film

        check_film(suffix)
