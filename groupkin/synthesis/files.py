"""Fits as files: a design, and what `groupkin.fit` is to be asked, in SI."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.arguments import floats
from groupkin.errors import FileError
from groupkin.kinematics.design.design import Design
from groupkin.kinematics.design.design import design as make
from groupkin.kinematics.motion.quantities import quantity, unit
from groupkin.kinematics.parameters import nominal_values
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.files import decoding, reading
from groupkin.mechanism.units import Units, conversion
from groupkin.messages import prefixed
from groupkin.synthesis.first_fit import compile_ahead
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.synthesis.file_schema import FitModel


def read_fit(path: str | Path, files_anywhere: bool = False) -> tuple[Design, dict[str, Any], reading.MechanismFile]:
    """Read a fit from a TOML or JSON file, whose mechanism is in another file.

    That one is in the same folder or below, unless `files_anywhere` is True; so are the files that it names.

    Returns
    -------
    Design
    dict
        The other arguments of `groupkin.fit`, by their names, in m and rad.
    MechanismFile
        The mechanism, with its times and description.

    Raises
    ------
    FileError
        If a file cannot be read or does not follow its schema.
    MechanismError, StructureError, ParameterError, QuantityError
    """
    from groupkin.synthesis import file_schema

    path = Path(path)
    data, _ = decoding.decoded(path, "fit")
    model = reading.validated(data, file_schema.FitModel, path.name)
    compile_ahead()
    file = decoding.Folder(path.parent, files_anywhere).file(model.mechanism)
    described = reading.read(file, files_anywhere=files_anywhere)
    with prefixed(path.name):
        design = make(described.mechanism, model.parameters)
        return design, _asked(model, design, described.units), described


def _asked(model: FitModel, design: Design, units: Units) -> dict[str, Any]:
    """Read what is asked, in m and rad."""
    program = design.program

    def of(text: str) -> float:
        """Units of the file in the SI unit of a quantity."""
        return conversion(unit(quantity(text, program), program.mechanism).split(", ")[0], units)[0]

    rotating = {x.joint: x.rotation for x in program.drivers}
    turns = rotating.get((model.driver or next(iter(rotating), "")).partition(".")[0], True)
    driven = conversion("rad" if turns else "m", units)[0]
    return {
        "targets": {text: _rows(text, values) / of(text) for text, values in model.targets.items()},
        "at": None if model.at is None else np.array(model.at) / driven,
        "shifted": model.shifted,
        "driver": model.driver,
        "span": None if model.span is None else (model.span[0] / driven, model.span[1] / driven),
        "bounds": {text: _in_si(text, ends, program, units) for text, ends in model.bounds.items()},
        "least": {text: value / of(text) for text, value in model.least.items()},
        "ranges": model.ranges,
        "full_turn": model.full_turn,
        "length": None if model.length is None else model.length / conversion("m", units)[0],
        "starts": model.starts,
        "seed": model.seed,
    }


def _rows(text: str, values: Sequence[Any]) -> Array:
    numbers = floats(values)
    if numbers.ndim == 0:
        raise FileError(f"the rows of the targets of {text!r} have different lengths")
    return numbers


def _in_si(text: str, ends: list[float], program: Program, units: Units) -> tuple[float, float]:
    target = nominal_values.parameter(text, program)
    factor = conversion(nominal_values.unit(target, program), units)[0]
    return ends[0] / factor, ends[1] / factor
