"""The front door of motions to be watched: pages and films."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from groupkin.arguments import checked
from groupkin.durable_files import disk_errors, write_atomically
from groupkin.dynamics.reactions.forces import Forces
from groupkin.errors import TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.look.animation_checks import FILMS, check_animation
from groupkin.look.scenes.configurations import check_shown
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.mechanism import Mechanism


@checked
def animate(
    what: Motion | Mechanism | MechanismFile | Forces,
    out: str | Path,
    trace: Sequence[str] | None = None,
    plot: Sequence[str | Quantity] | None = None,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> str:
    """Write a motion as a page that plays it, or as a film.

    Parameters
    ----------
    what : Motion, Mechanism, MechanismFile or Forces
        A mechanism is solved for one second, at 201 times; that of a file, or of its path, at the times of the file.
        Forces are arrows in the page of their motion.
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
    colors : {"groups", "bodies"}, optional
        What has a color of its own, as in `draw`. Default: groups.
    names : {"joints", "bodies"}, optional
        What is named. Default: nothing in a film, the traced points in a page, whose menu has all of them.

    Returns
    -------
    str
        What was left out, such as steps of a long motion, so that a page stays below 3 MB; empty if nothing was.

    Raises
    ------
    ArgumentError
        If an option is given for a file that has no use for it, or colors or names are others than these.
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
    check_shown(colors, names)
    motion = _motion_of(what)
    if not motion.placed.any():
        raise TimesError("no step of the motion was solved, so that there is nothing to show")
    if path.suffix.lower() in FILMS:
        from groupkin.look.drawing import check_bodies
        from groupkin.look.film import write_film

        check_bodies(motion.program.mechanism)
        write_film(motion, path, seconds, progress, trace, colors, names)
        return ""
    from groupkin.look.page.page import page

    made = page(motion, trace, plot, forces=forces, colors=colors, names=names)
    with disk_errors(path, begun=False):
        write_atomically(path, made.text)
    return made.note


def _motion_of(what: Motion | Mechanism | MechanismFile | Forces) -> Motion:
    from groupkin.kinematics.solver import solve

    if isinstance(what, Mechanism):
        return solve(what, np.linspace(0.0, 1.0, 201))
    if isinstance(what, MechanismFile):
        return solve(what)
    return what.motion if isinstance(what, Forces) else what
