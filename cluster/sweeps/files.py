"""Sweep files in TOML or JSON, and what they say as a `Sweep` in meters and radians.

The format is stated by `cluster.sweeps.schema`. A file is data: nothing in it is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cluster.sweeps.description import Sweep, sweep
from cluster.sweeps.keep_checks import check_keep
from cluster.sweeps.nominal_values import nominal, unit
from cluster.sweeps.parameters import Axis, JointPoint, LawValue, Length, Mode, Parameter, Point, Target
from cluster.sweeps.quantities import Quantity
from cluster.sweeps.quantities import unit as unit_of_quantity
from cluster.sweeps.reductions import (
    At,
    Conditioning,
    Keep,
    Limit,
    Maximum,
    Minimum,
    Motion,
    Occupancy,
    PathLength,
    Range,
    TransmissionAngle,
    When,
)
from cluster.sweeps.sampling import Evenly, Grid, Listed, Normal, Uniform, Variation
from groupkin.errors import GroupkinError
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as make
from groupkin.mechanism import files
from groupkin.mechanism.csv_columns import read_samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cluster.sweeps import schema

T = TypeVar("T")


@dataclass(frozen=True)
class _Context:
    """What conversions need: factors to m and rad, the nominal program, the folder of the file."""

    meters: float
    radians: float
    program: Program
    folder: Path

    def factor(self, unit: str) -> float:
        """What a number in the file's units is multiplied with, to be in this unit."""
        base = unit.split("/")[0]
        return self.meters if base == "m" else self.radians if base == "rad" else 1.0


def read_sweep(path: str | Path) -> Sweep:
    """Sweep described by a TOML or JSON file, beside that of its mechanism.

    Raises
    ------
    FileError
        If a file cannot be read or does not follow its schema.
    SweepError, MechanismError, StructureError
        If what it describes is no sweep. Messages begin with the file's name and the key.
    """
    from cluster.sweeps.schema import SweepModel

    path = Path(path)
    data, _ = files.decoded(path, "sweep")
    model = files.checked(data, SweepModel, path.name)
    with _prefixed(f"{path.name}: mechanism"):
        described = files.read(path.parent / model.mechanism)
    with _prefixed(path.name):
        program = make(described.mechanism, assemble=model.assemble)
        meters, radians = described.units
        if model.units is not None:
            meters, radians = files.METERS[model.units.length], files.RADIANS[model.units.angle]
        context = _Context(meters, radians, program, path.parent)
        settings = replace(described.motion, **model.times.model_dump(exclude_none=True))
        parameters = [_at(f"parameters[{k}]", _parameter, one, context) for k, one in enumerate(model.parameters)]
        keep = [_at(f"keep[{k}]", _keep, one, context, settings.times) for k, one in enumerate(model.keep)]
        return sweep(
            described.mechanism,
            parameters,
            settings.times,
            keep,
            draws=model.samples or 1,
            method=model.method,
            seed=model.seed,
            assemble=model.assemble,
            source=described.text,
        )


@contextmanager
def _prefixed(place: str) -> Iterator[None]:
    """Begin messages with the place of what they are about."""
    try:
        yield
    except GroupkinError as error:
        error.args = (f"{place}: {error}", *error.args[1:])
        raise


def _at(place: str, convert: Callable[..., T], *given: Any) -> T:
    with _prefixed(place):
        return convert(*given)


# --- parameters ------------------------------------------------------------------------------


def _parameter(given: schema.Parameter, context: _Context) -> Parameter:
    target = _target(given)
    value = nominal(target, context.program)  # refuses what the mechanism does not have
    varies = _variation(given, context.factor(unit(target, context.program)), max(value.size, 1), context)
    return Parameter(target, varies, given.name or "", given.relative)


def _target(given: schema.Parameter) -> Target:
    body, component = given.body or "", given.component or ""
    match given.target:
        case "point":
            return Point(given.point or "", body, component)
        case "joint":
            return JointPoint(given.joint or "", body, component)
        case "axis":
            return Axis(given.axis or "", body, component)
        case "length":
            first, second = given.length or ("", "")
            return Length(body, (first, second))
        case "driver":
            return LawValue(given.driver or "", given.law or "", given.index, given.freedom or "")
    return Mode(given.mode or "")


def _variation(given: schema.Parameter, factor: float, count: int, context: _Context) -> Variation:
    def scaled(value: Any) -> Any:
        return None if value is None else (factor * np.asarray(value, float)).tolist()

    match given.variation:
        case "list":
            return Listed(tuple(scaled(value) for value in given.list_ or ()))
        case "csv":
            rows = read_samples(context.folder / (given.csv or ""), given.columns, count)
            return Listed(tuple(scaled(row[1] if len(row) == 2 else row[1:]) for row in rows))
        case "grid":
            return Grid(tuple(scaled(value) for value in given.grid or ()))
        case "range":
            assert given.range is not None
            return Evenly(scaled(given.range.low), scaled(given.range.high), given.range.count)
        case "uniform":
            assert given.uniform is not None
            return Uniform(scaled(given.uniform.low), scaled(given.uniform.high))
    assert given.normal is not None
    return Normal(scaled(given.normal.deviation), scaled(given.normal.mean), scaled(given.normal.limit))


# --- what is kept ----------------------------------------------------------------------------


def _keep(given: schema.Keep, context: _Context, times: Any) -> Keep:
    found = _kept(given, context)
    check_keep(found, context.program, times)
    return found


def _kept(given: schema.Keep, context: _Context) -> Keep:
    name = given.name or ""
    match given.kind:
        case "motion":
            return Motion(_quantity(given.motion), name)
        case "minimum":
            return Minimum(_quantity(given.minimum), name)
        case "maximum":
            return Maximum(_quantity(given.maximum), name)
        case "range":
            return Range(_quantity(given.range), name)
        case "value":
            return At(_quantity(given.value), name, time=given.at, event=_event(given.when, context))
        case "path_length":
            return PathLength(given.path_length or "", name)
        case "occupancy":
            assert given.occupancy is not None
            return _occupancy(given.occupancy, name, context)
        case "conditioning":
            return Conditioning("" if given.conditioning in (True, None) else str(given.conditioning), name)
    first, corner, last = given.transmission_angle or ("", "", "")
    return TransmissionAngle((first, corner, last), name)


def _quantity(given: schema.Quantity | None) -> Quantity:
    assert given is not None
    return Quantity(given.kind, getattr(given, given.kind), given.component or given.freedom or "")


def _event(given: schema.When | None, context: _Context) -> When | None:
    if given is None:
        return None
    quantity = _quantity(given)
    return When(quantity, given.equals * _factor(quantity, context), given.direction)


def _factor(quantity: Quantity, context: _Context) -> float:
    from cluster.sweeps.quantities import check

    check(quantity, context.program)
    return context.factor(unit_of_quantity(quantity, context.program))


def _occupancy(given: schema.Occupancy, name: str, context: _Context) -> Occupancy:
    def scaled(numbers: Sequence[float]) -> tuple[float, ...]:
        return tuple(context.meters * x for x in numbers)

    limits = []
    for one in given.limits:
        quantity = _quantity(one)
        factor = _factor(quantity, context)
        low, high = (
            edge * factor if edge is not None else side * np.inf for edge, side in ((one.low, -1), (one.high, 1))
        )
        limits.append(Limit(quantity, low, high))
    return Occupancy(given.of, scaled(given.low), scaled(given.high), tuple(given.cells), tuple(limits), name)
