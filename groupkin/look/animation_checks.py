"""What is looked at before a motion is computed that is to be watched: names, and the file that it goes to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from groupkin.durable_files import check_place
from groupkin.errors import ArgumentError, OutputError, UnknownNameError
from groupkin.mechanism.carriers import on_body, why_on_none
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import unknown

FILMS = (".gif", ".mp4", ".webm")
SUFFIXES = (".html", *FILMS)


def check_trace(names: Sequence[str], mechanism: Mechanism) -> None:
    """Refuse names that are of no point and no joint, before anything is solved.

    Raises
    ------
    UnknownNameError
    """
    joints = [(joint.of or joint).name for joint in mechanism.joints]
    known = [*mechanism.positions, *joints]
    for name in names:
        if name in mechanism.positions and name not in joints and not on_body(mechanism, name):
            raise UnknownNameError(why_on_none(mechanism, name))
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
