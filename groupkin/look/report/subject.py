"""What a report is about, and what every section of it is."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from groupkin.analysis import analyze
from groupkin.errors import LawError, NoGeometryError, NotModeledError, OutputError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.look.markup import Html
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.files.writing import as_data, as_toml
from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.decomposition import Structure

FEWEST_TIMED, TIMED, RUNS = 100, 20_000, 3
"""Steps from which the time per step means something, steps at most that are solved again to tell how long one takes,
and how often."""


@dataclass(frozen=True)
class Section:
    """A part of a report, with its heading."""

    title: str
    content: Html


@dataclass(frozen=True)
class Subject:
    """What a report is about.

    Attributes
    ----------
    structure : Structure
        With the solvers that were used.
    motion : Motion, optional
    without : str
        Why there is no motion.
    seconds : float, optional
        That solving one step takes.
    source, text : str
        Where the description of the mechanism is from, and the description itself.
    plot : tuple of Quantity
        Quantities that are plotted because they were asked for.
    against : str or Quantity, optional
        What these are plotted over.
    limits : bool, optional
        Whether limits of the drivers are found; by default where that takes seconds.
    colors, names : str, optional
        What has a color of its own, and what is named, in pictures of the mechanism.
    """

    structure: Structure
    motion: Motion | None
    without: str
    seconds: float | None
    source: str
    text: str
    plot: tuple[Quantity, ...] = ()
    against: str | Quantity | None = None
    limits: bool | None = None
    colors: str | None = None
    names: str | None = None

    @property
    def mechanism(self) -> Mechanism:
        return self.structure.mechanism


def subject_of(what: Motion | Mechanism | MechanismFile, file: Path | None) -> Subject:
    """Find out all that several sections need; a mechanism is solved if it can be.

    Raises
    ------
    OutputError
        If the file cannot be read.
    NotDeterminedError, NotAssembledError
    """
    motion, without = (what, "") if isinstance(what, Motion) else _solved(what)
    mechanism = motion.program.mechanism if motion else mechanism_of(what)
    source, text = _described(mechanism, file)
    if motion is None:
        return Subject(analyze(mechanism), None, without, None, source, text)
    structure = motion.program.structure
    groups = zip(structure.groups, motion.program.solvers, strict=True)
    solved = replace(structure, groups=tuple(replace(group, solver=name) for group, name in groups))
    return Subject(solved, motion, "", seconds_per_step(motion), source, text)


def mechanism_of(what: Motion | Mechanism | MechanismFile) -> Mechanism:
    """The mechanism of a motion or a file, or one that is given."""
    if isinstance(what, Motion):
        return what.program.mechanism
    return what.mechanism if isinstance(what, MechanismFile) else what


def _solved(what: Mechanism | MechanismFile) -> tuple[Motion | None, str]:
    from groupkin.kinematics.solver import solve

    times = np.linspace(0.0, 1.0, 201) if isinstance(what, Mechanism) else None
    try:
        return solve(what, times, on_failure="nan"), ""
    except (NoGeometryError, NotModeledError, LawError) as error:
        return None, str(error)


def seconds_per_step(motion: Motion) -> float | None:
    """How long one step takes, solved again with everything at hand, s; None without laws or of few steps."""
    from groupkin.kinematics.solving.motion_memory import allocate
    from groupkin.kinematics.solving.run import run

    times = motion.times[:TIMED]
    if motion.inputs is not None or times.size < FEWEST_TIMED:
        return None
    memory, best = allocate(motion.program, times), float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        run(motion.program, times, on_failure="nan", out=memory)
        best = min(best, time.perf_counter() - start)
    return best / times.size


def _described(mechanism: Mechanism, file: Path | None) -> tuple[str, str]:
    """Where the description of a mechanism is from, and the description."""
    if file is not None:
        try:
            return file.name, file.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise OutputError(f"{file} cannot be read: {error}") from None
    try:
        return "as groupkin.save writes it", as_toml(as_data(mechanism))
    except OutputError as error:  # a law that files do not know
        return "", str(error)
