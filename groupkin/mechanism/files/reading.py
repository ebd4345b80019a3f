"""Mechanism files in TOML or JSON, read into a `Mechanism` in meters and radians.

Their format is that of `groupkin.mechanism.files.schema`. A file is data: nothing in it is evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import checked
from groupkin.errors import FileError, MechanismError, TimesError, shown
from groupkin.mechanism.files.conversion import Context, mechanism_of
from groupkin.mechanism.files.decoding import Folder, check_data, decoded
from groupkin.mechanism.files.places import placed
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.subassemblies.part import Part
from groupkin.mechanism.units import SI, Units
from groupkin.mechanism.values import names, renamed
from groupkin.memory import require_memory
from groupkin.messages import counted, hint
from groupkin.showing import InNotebooks

if TYPE_CHECKING:
    from groupkin.mechanism.files import schema, schema_values


M = TypeVar("M", bound="schema_values.Part")

DEEPEST_PARTS = 5
"""Files of parts within each other."""

HERE = Folder(Path())
"""The working directory."""


@dataclass(frozen=True)
class MotionSettings:
    """The times of a motion in a mechanism file: `steps` of them over the duration (s), both ends included."""

    duration: float
    steps: int
    start: float

    @property
    def times(self) -> NDArray[np.float64]:
        """The times (steps,), s.

        Raises
        ------
        TimesError
            If the memory of the machine does not hold as many, or several are to lie in no time.
        """
        if self.duration == 0 and self.steps > 1:
            raise TimesError(f"{self.steps} steps need a duration greater than 0 s; for one position take 1 step")
        require_memory(8.0 * self.steps, f"{self.steps} times", "take fewer steps", TimesError)
        return np.linspace(self.start, self.start + self.duration, self.steps)


@dataclass(frozen=True)
class MechanismFile(InNotebooks):
    """The content of a mechanism file.

    Attributes
    ----------
    mechanism : Mechanism
    motion : MotionSettings
        Its times.
    description : str
    units : Units
        Of the numbers in the file; those of the mechanism are in SI.
    text : str
        The file as it stands.
    """

    mechanism: Mechanism
    motion: MotionSettings
    description: str = ""
    units: Units = SI
    text: str = field(default="", compare=False, repr=False)

    def __repr__(self) -> str:
        to, units = self.motion.start + self.motion.duration, self.units.names
        times = f"{counted(self.motion.steps, 'time')} from {self.motion.start:g} s to {to:g} s"
        return f"<MechanismFile {self.mechanism.name}: {times}, in {units}>"

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and hasattr(self.__dict__.get("mechanism"), name):
            raise AttributeError(f"a MechanismFile has no {name!r}, but its mechanism has: `.mechanism.{name}`")
        raise AttributeError(f"a MechanismFile has no {name!r}")

    def at(self, times: ArrayLike | None) -> tuple[Mechanism, ArrayLike]:
        """The mechanism, and times at which it is solved: those of the file where None are given."""
        return self.mechanism, self.motion.times if times is None else times


@checked
def load(path: str | Path, files_anywhere: bool = False) -> Mechanism:
    """Read the `Mechanism` of a file, without its times; `read` keeps these.

    Parameters
    ----------
    path : str or Path
        File with the suffix ``.toml`` or ``.json``.
    files_anywhere : bool
        Read also CSV files that it names and that are not in its folder or below.

    Returns
    -------
    Mechanism
        In meters and radians, whatever the units of the file.

    Raises
    ------
    FileError
        If the file cannot be read or does not follow the schema.
    MechanismError
        One of its subclasses, if the description of the mechanism is wrong. All messages begin with the file's name.
    """
    return read(path, files_anywhere=files_anywhere).mechanism


@checked
def read(
    path: str | Path, drivers: Sequence[Mapping[str, Any]] | None = None, files_anywhere: bool = False
) -> MechanismFile:
    """Read a file as a `MechanismFile`: its mechanism with its times; `load` gives the mechanism alone.

    Functions that take a mechanism also take what this returns, and the path itself.

    Parameters
    ----------
    path : str or Path
        File with the suffix ``.toml`` or ``.json``.
    drivers : sequence of mapping, optional
        Tables of drivers in place of those of the file.
    files_anywhere : bool
        As of `load`.

    Returns
    -------
    MechanismFile

    Raises
    ------
    FileError, MechanismError
        As by `load`.
    """
    path = Path(path)
    data, text = decoded(path)
    if drivers is not None and isinstance(data, dict):
        data["drivers"] = list(drivers)
    return replace(convert(data, Folder(path.parent, files_anywhere), path.name, path.stem), text=text)


@checked
def parse(data: Mapping[str, Any], folder: str | Path = ".", files_anywhere: bool = False) -> Mechanism:
    """Make a mechanism from data with the structure of a mechanism file; `folder` is that of its CSV files.

    Those that are not there or below are read if `files_anywhere` is True.

    Examples
    --------
    >>> bodies, joint = ["ground", "arm"], {"name": "A", "type": "R", "bodies": ["ground", "arm"], "point": [0, 0]}
    >>> parse({"dimension": 2, "bodies": bodies, "joints": [joint]}).mobility
    1
    """
    return convert(data, Folder(Path(folder), files_anywhere)).mechanism


def convert(
    data: Mapping[str, Any], folder: Folder = HERE, source: str = "mechanism", name: str = "mechanism", depth: int = 0
) -> MechanismFile:
    """Convert data with the structure of a mechanism file.

    Parameters
    ----------
    data : mapping
    folder : Folder
        Where CSV files are.
    source : str
        What messages begin with.
    name : str
        Name of a mechanism without one.
    depth : int
        Files of which it is a part of a part.
    """
    from groupkin.mechanism.files import schema

    check_data(data)
    model = validated(data, schema.MechanismModel, source)
    units = Units(**model.units.model_dump())
    context = Context(units, model.dimension, folder, depth)
    try:
        parts = [part for stated in model.parts for part in _parts(stated, context)]
        mechanism = mechanism_of(model, context, model.name or name, parts)
    except MechanismError as error:
        raise type(error)(f"{source}: {placed(str(error), model)}") from error.__cause__
    motion = MotionSettings(model.motion.duration, model.motion.steps, model.motion.start)
    return MechanismFile(mechanism, motion, model.description, units)


OTHERS = {
    "MechanismModel": (
        ({"parameters", "keep"}, "this is a sweep, which groupkin batch solves"),
        ({"parameters", "targets"}, "this is a fit, which groupkin fit solves"),
    ),
    "SweepModel": (
        (
            {"bodies", "joints"},
            "this is a mechanism, which groupkin solve solves; a sweep names its file as `mechanism`",
        ),
        ({"parameters", "targets"}, "this is a fit, which groupkin fit solves"),
    ),
    "FitModel": (
        ({"bodies", "joints"}, "this is a mechanism, which groupkin solve solves; a fit names its file as `mechanism`"),
        ({"parameters", "keep"}, "this is a sweep, which groupkin batch solves"),
    ),
}
"""For each schema the keys that identify files of other kinds, and what to do with them."""


def validated(data: Any, kind: type[M], source: str) -> M:
    """Validate data by a schema; messages begin with `source`.

    Raises
    ------
    FileError
        If the data do not follow the schema, with the first five problems.
    """
    from groupkin.mechanism.files import schema

    if not isinstance(data, Mapping):
        raise FileError(f"{source}: must be a table of keys and values, not {shown(data)}")
    for keys, remedy in OTHERS.get(kind.__name__, ()):
        if keys <= set(data):
            raise FileError(f"{source}: {remedy}")
    model, problems = schema.validate(dict(data), kind)
    if model is None:
        more = [f"and {len(problems) - 5} more"] if len(problems) > 5 else []
        raise FileError("\n".join(f"{source}: {line}" for line in problems[:5] + more))
    return model


def _parts(stated: schema.Subassembly, context: Context) -> list[Part]:
    """Read the file of a part, and make it as often as it is wanted."""
    path = context.folder.file(stated.file)
    if context.depth >= DEEPEST_PARTS:
        raise FileError(f"part {stated.name!r}: files of parts name each other more than {DEEPEST_PARTS} deep")
    data, _ = decoded(path)
    given = data.get("values", {}) if isinstance(data, dict) else {}
    for name in stated.values:
        if name not in given:
            raise FileError(f"part {stated.name!r}: {path.name} has no value {name!r}{hint(name, given)}")
    data = {**data, "values": {**given, **stated.values}} if stated.values else data
    folder, ours = replace(context.folder, path=path.parent), set(names(*stated.values.values()))
    mechanism = convert(data, folder, path.name, path.stem, context.depth + 1).mechanism
    meters = context.meters
    at = stated.at if isinstance(stated.at, str) else [meters * x for x in stated.at or ()]

    def own(part: str) -> Mechanism:
        """The mechanism, whose values are those of a part, but for values of the whole."""
        found: Mechanism = renamed(mechanism, lambda name: name if name in ours or "." in name else f"{part}/{name}")
        return found

    made = Part(
        own(stated.name), stated.name, at, context.radians * stated.turn, stated.axis, stated.mirror, stated.same
    )
    if stated.count is None:
        return [made]
    if isinstance(at, str):
        raise FileError(f"part {stated.name!r}: of several parts, `at` must be coordinates")
    step = [meters * x for x in stated.step or ()]
    start = at or [0.0] * context.dimension
    if len(step) != context.dimension:
        raise FileError(f"part {stated.name!r}: {stated.count} parts need a `step` of {context.dimension} components")
    return [
        replace(
            made,
            mechanism=own(f"{stated.name}{k + 1}"),
            name=f"{stated.name}{k + 1}",
            at=[x + k * dx for x, dx in zip(start, step, strict=True)],
        )
        for k in range(stated.count)
    ]
