"""Sweep files in TOML or JSON, and what they say as a `Sweep` in meters and radians.

The format is stated by `cluster.sweeps.schema`. A file is data: nothing in it is evaluated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cluster.sweeps import reductions
from cluster.sweeps.checks import check_keep
from cluster.sweeps.description import Sweep, sweep
from cluster.sweeps.parameters import AssemblyMode, Axis, JointPoint, LawValue, Length, Parameter, Point
from cluster.sweeps.reductions import Excess, Keep, Limit, Maximum, Minimum, Range, TimeHistory, When
from cluster.sweeps.sampling import Evenly, Grid, Listed, Normal, Uniform, Variation
from groupkin.arguments import checked
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.motion.quantities import quantity as read_quantity
from groupkin.kinematics.motion.quantities import unit as unit_of_quantity
from groupkin.kinematics.parameters.nominal_values import nominal_value, unit
from groupkin.kinematics.parameters.nominal_values import parameter as read_parameter
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as make
from groupkin.mechanism.files import decoding, reading
from groupkin.mechanism.files.csv_columns import read_samples
from groupkin.mechanism.units import Units, conversion, powers
from groupkin.messages import prefixed

if TYPE_CHECKING:
    from cluster.sweeps import schema


@dataclass(frozen=True)
class _Context:
    """What conversions need: the file's units, the nominal program, the file's folder."""

    units: Units
    program: Program
    folder: decoding.Folder

    def factor(self, unit: str) -> float:
        """Return the factor from the file's units to an SI unit."""
        found = powers(unit)
        if found is None:
            return 1.0 / conversion(unit, self.units)[0]
        return math.prod(size ** float(exponent) for size, exponent in zip(self.units.sizes, found, strict=True))


@checked
def read_sweep(path: str | Path, files_anywhere: bool = False) -> Sweep:
    """Read a sweep from a TOML or JSON file, whose mechanism is in another file.

    That one, and CSV files, are in the same folder or below, unless `files_anywhere` is True.

    Raises
    ------
    FileError
        If a file cannot be read or does not follow its schema.
    SweepError, MechanismError, StructureError
        If the sweep is not possible. Messages begin with the file's name and the key.
    """
    from cluster.sweeps.schema import SweepModel

    path = Path(path)
    data, _ = decoding.decoded(path, "sweep")
    model, folder = reading.validated(data, SweepModel, path.name), decoding.Folder(path.parent, files_anywhere)
    with prefixed(f"{path.name}: mechanism"):
        described = reading.read(folder.file(model.mechanism), files_anywhere=files_anywhere)
    with prefixed(path.name):
        with prefixed(f"mechanism: {Path(model.mechanism).name}"):
            program = make(described.mechanism, assemble=model.assemble)
        units = described.units if model.units is None else Units(**model.units.model_dump())
        context = _Context(units, program, folder)
        with prefixed("times"):
            times = replace(described.motion, **model.times.model_dump(exclude_none=True)).times
        parameters, keep = [], []
        for k, parameter in enumerate(model.parameters):
            with prefixed(f"parameters[{k}]"):
                parameters.append(_parameter(parameter, context))
        for k, kept in enumerate(model.keep):
            with prefixed(f"keep[{k}]"):
                keep.append(_keep(kept, context))
                check_keep(keep[k], program, times)
        return sweep(
            described.mechanism,
            parameters,
            times,
            keep,
            draws=model.samples or 1,
            method=model.method,
            seed=model.seed,
            assemble=model.assemble,
            source=described.text,
            derivatives=model.derivatives,
            on_outside=model.on_outside,
        )


# --- parameters ------------------------------------------------------------------------------


def _parameter(model: schema.Parameter, context: _Context) -> Parameter:
    target = read_parameter(_target(model), context.program)
    value = nominal_value(target, context.program)
    factor = context.factor(unit(target, context.program))
    varies = _variation(model, factor, max(value.size, 1), context.folder)
    return Parameter(target, varies, model.name or "", model.relative)


def _target(model: schema.Parameter) -> Target | str:
    body, component = model.body or "", model.component or ""
    match model.target:
        case "parameter", text:
            return str(text)
        case "point", name:
            return Point(name, body, component)
        case "joint", name:
            return JointPoint(name, body, component)
        case "axis", name:
            return Axis(name, body, component)
        case "length", points:
            return Length(body, tuple(points))
        case "driver", name:
            return LawValue(name, model.law or "", model.index, model.freedom or "")
        case _, name:
            return AssemblyMode(name)


def _variation(model: schema.Parameter, factor: float, count: int, folder: decoding.Folder) -> Variation:
    """Convert how a parameter of `count` components varies, with all numbers multiplied by a factor."""

    def scaled(value: Any) -> Any:
        return None if value is None else (factor * np.asarray(value, float)).tolist()

    match model.variation:
        case "list", values:
            return Listed(tuple(map(scaled, values)))
        case "csv", name:
            rows = read_samples(folder.file(name), model.columns, count)
            return Listed(tuple(scaled(row[1] if len(row) == 2 else row[1:]) for row in rows))
        case "grid", values:
            return Grid(tuple(map(scaled, values)))
        case "range", ends:
            return Evenly(scaled(ends.low), scaled(ends.high), ends.count)
        case "uniform", ends:
            return Uniform(scaled(ends.low), scaled(ends.high))
        case _, normal:
            return Normal(scaled(normal.deviation), scaled(normal.mean), scaled(normal.limit))


# --- what is kept ----------------------------------------------------------------------------

OF_QUANTITY: dict[str, type[TimeHistory | Minimum | Maximum | Excess | Range]] = {
    "motion": TimeHistory,
    "minimum": Minimum,
    "maximum": Maximum,
    "excess": Excess,
    "range": Range,
}
"""Classes of what is kept of one quantity alone, by their keys in files."""


def _keep(model: schema.Keep, context: _Context) -> Keep:
    name = model.name or ""
    match model.kept:
        case "value", quantity:
            return reductions.At(_quantity(quantity, context), name, time=model.at, event=_event(model.when, context))
        case "path_length", point:
            return reductions.PathLength(point, name)
        case "occupancy", occupancy:
            return _occupancy(occupancy, name, context)
        case "conditioning", body:
            return reductions.Conditioning("" if body is True else body, name)
        case "transmission_angle", points:
            return reductions.TransmissionAngle(tuple(points), name)
        case key, quantity:
            return OF_QUANTITY[key](_quantity(quantity, context), name)


def _quantity(model: schema.QuantityTable | str, context: _Context) -> Quantity:
    if isinstance(model, str):
        return read_quantity(model, context.program, forces=True)
    kind, name = model.stated
    given = name if kind == "quantity" else Quantity(kind, name, model.component or model.freedom or "")
    return read_quantity(given, context.program, forces=True)


def _event(model: schema.When | None, context: _Context) -> When | None:
    if model is None:
        return None
    quantity = _quantity(model, context)
    return When(quantity, model.equals * _factor(quantity, context), model.direction)


def _factor(quantity: Quantity, context: _Context) -> float:
    return context.factor(unit_of_quantity(quantity, context.program.mechanism))


def _occupancy(model: schema.Occupancy, name: str, context: _Context) -> reductions.Occupancy:
    low, high = (tuple(context.units.meters * x for x in corner) for corner in (model.low, model.high))
    limits = tuple(_limit(limit, context) for limit in model.limits)
    return reductions.Occupancy(model.of, low, high, tuple(model.cells), limits, name)


def _limit(model: schema.Limit, context: _Context) -> Limit:
    quantity = _quantity(model, context)
    factor = _factor(quantity, context)
    low = -np.inf if model.low is None else model.low * factor
    return Limit(quantity, low, np.inf if model.high is None else model.high * factor)
