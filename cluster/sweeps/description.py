"""The description of a sweep: a mechanism, what varies and how, the times, and what is kept of every sample."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cluster.solving.sample_drivers import driver_of
from cluster.sweeps.keep_checks import check_keep
from cluster.sweeps.nominal_values import nominal, unit
from cluster.sweeps.parameters import Axis, JointPoint, Length, Mode, Parameter, Point, Target, is_geometry, label
from cluster.sweeps.reductions import Keep
from cluster.sweeps.sampling import Evenly, Grid, Listed, Normal, Plan, Uniform, Variation, check
from cluster.sweeps.targets import axes_of, component_of, spots
from groupkin.errors import NotModeledError, SweepError
from groupkin.kinematics.modes.modes import numbers
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as make
from groupkin.kinematics.solver import solve
from groupkin.kinematics.solving.run import check_times
from groupkin.mechanism.mechanism import Mechanism, require_mechanism

Array = NDArray[np.float64]

LONG = 1000
"""Numbers above which a list is named by its digest in the data of a sweep."""

TAKEN = ("sample", "time", "axis", "local_axis", "status", "failed_group", "failed_time", ".", "..", "zarr.json")
"""Names that parameters and what is kept cannot have: those of coordinates and outcomes, and of files."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """Samples of a mechanism that differ in some parameters; made by `sweep`, which checks it.

    Attributes
    ----------
    mechanism : Mechanism
    parameters : tuple of Parameter
    times : (t,) array
        s; the same for all samples.
    keep : tuple of Keep
    draws, method, seed
        Random samples per point of the grid, how they are drawn (`cluster.sweeps.sampling.METHODS`), and from what seed.
    assemble : bool
        Whether the nominal reference configuration is only approximate, and closed first.
    source : str, optional
        Text of the mechanism's file.
    """

    mechanism: Mechanism
    parameters: tuple[Parameter, ...]
    times: Array
    keep: tuple[Keep, ...]
    draws: int = 1
    method: str = "random"
    seed: int = 0
    assemble: bool = False
    source: str | None = None

    @cached_property
    def program(self) -> Program:
        """The nominal program."""
        return make(self.mechanism, assemble=self.assemble)

    @cached_property
    def nominal(self) -> tuple[Array, ...]:
        """Nominal values () or (d,) of all parameters, m and rad."""
        return tuple(nominal(parameter.of, self.program) for parameter in self.parameters)

    @cached_property
    def begun(self) -> Motion:
        """The nominal motion at the first time; NaN where it cannot be solved."""
        return solve(self.program, self.times[:1], on_failure="nan")

    @cached_property
    def plan(self) -> Plan:
        """Where in lists, grid and draws the parameters are."""
        widths = tuple(value.size if value.ndim else 0 for value in self.nominal)
        return Plan(tuple(one.varies for one in self.parameters), widths, self.draws, self.method, self.seed)

    @property
    def samples(self) -> int:
        """Number of samples."""
        return self.plan.samples

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters; without blanks, which separate the names of coordinates in files."""
        return tuple(one.name or "_".join(label(one.of).split()) for one in self.parameters)

    def as_data(self) -> dict[str, Any]:
        """All that determines the results, as plain data.

        Lists of more than `LONG` numbers are represented by their length, ends and digest.
        """
        names = ("mechanism", "parameters", "times", "keep", "draws", "method", "seed", "assemble")
        found = {name: _plain(getattr(self, name)) for name in names} | {"samples": self.samples}
        for driven in self.program.drivers:
            if not type(driven.law).__module__.startswith("groupkin."):  # fields may not tell all of a law of one's own
                found[f"law of {driven.joint}.{driven.freedom}"] = _plain(driven.law.at(self.times))
        return found


def sweep(
    mechanism: Mechanism,
    parameters: Sequence[Parameter],
    times: ArrayLike,
    keep: Sequence[Keep],
    *,
    draws: int = 1,
    method: str = "random",
    seed: int = 0,
    assemble: bool = False,
    source: str | None = None,
) -> Sweep:
    """Describe samples of a mechanism, and what is to be kept of them.

    Parameters
    ----------
    mechanism : Mechanism
    parameters : sequence of Parameter
        What varies, and how.
    times : (t,) array_like
        s; the same for all samples.
    keep : sequence of Keep
        Motions and reductions (`cluster.sweeps.reductions`).
    draws : int
        Random samples, for every point of the grid if there is one.
    method : {"random", "sobol", "latin hypercube"}
        How they are drawn; draws of a sequence are the same at every point of the grid.
    seed : int
    assemble : bool
        Close a nominal reference configuration that is only approximate.
    source : str, optional
        Text of the mechanism's file, to be stored with the results.

    Returns
    -------
    Sweep

    Raises
    ------
    SweepError, TimesError, MechanismError, StructureError
        If any of this cannot be; names what, and what to do.
    """
    require_mechanism(mechanism)
    for what, given in (("parameters", parameters), ("keep", keep)):
        if not isinstance(given, Sequence) or isinstance(given, str):
            raise SweepError(f"`{what}` must be a list, not {given!r}")
    found = Sweep(mechanism, tuple(parameters), check_times(times), tuple(keep), draws, method, seed, assemble, source)
    for entries, kind in ((found.parameters, Parameter), (found.keep, Keep)):
        for entry in entries:
            if not isinstance(entry, kind):
                raise SweepError(f"a {getattr(kind, '__name__', 'thing to keep')} is needed, not {entry!r}")
    for parameter in found.parameters:
        if not isinstance(parameter.of, Target):
            raise SweepError(
                f"what varies is a Point, JointPoint, Axis, Length, LawValue or Mode, not {parameter.of!r}"
            )
    for what, number, least in (("seed", seed, 0), ("draws", draws, 1)):
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < least:
            raise SweepError(f"`{what}` must be a whole number from {least} on, not {number!r}")
    for driven in found.program.drivers:
        driven.law.at(found.times[[0, -1]])  # raises if the law does not cover the times
    for parameter, name, value in zip(found.parameters, found.names, found.nominal, strict=True):
        _check_values(parameter, name, value, unit(parameter.of, found.program))
    check(found.plan)
    for one in found.keep:
        check_keep(one, found.program, found.times)
    _check_names(found)
    _check_targets(found)
    _check_modes(found)
    return found


# --- checks ----------------------------------------------------------------------------------


def _check_values(parameter: Parameter, name: str, nominal: Array, unit: str) -> None:
    """Refuse values (in a unit) that are no finite numbers, or not as many as the parameter has."""
    varies, shape = parameter.varies, nominal.shape
    for what, given, shapes in _given(varies, shape):
        try:
            found = np.asarray(given, float)
        except (TypeError, ValueError, OverflowError):
            found = np.array(np.nan)
        if found.shape not in shapes or not np.isfinite(found).all():
            each = f"{shape[0]} finite numbers" if shape else "a finite number"
            raise SweepError(f"parameter {name!r}: {what} must be {each} per value, not {given!r}")
    if isinstance(varies, Listed | Grid) and not len(varies.values):
        raise SweepError(f"parameter {name!r} has no values")
    if isinstance(varies, Evenly) and (not isinstance(varies.count, int | np.integer) or varies.count < 1):
        raise SweepError(f"parameter {name!r}: count must be a whole number from 1 on, not {varies.count!r}")
    if isinstance(varies, Uniform) and not np.all(np.asarray(varies.low) <= np.asarray(varies.high)):
        raise SweepError(f"parameter {name!r}: `low` is above `high`: {varies.low!r} and {varies.high!r} {unit}")
    _check_possible(parameter, name)
    if isinstance(varies, Normal):
        for what, sizes in (("deviation", varies.deviation), ("limit", varies.limit)):
            if sizes is not None and not np.all(np.asarray(sizes) > 0):
                raise SweepError(f"parameter {name!r}: its {what} must be positive, not {sizes!r} {unit}")


def _check_possible(parameter: Parameter, name: str) -> None:
    """Refuse lengths and axes that no body can have, as far as they are stated."""
    varies = parameter.varies
    stated = {Listed: ("values",), Grid: ("values",), Evenly: ("low", "high"), Uniform: ("low", "high")}
    values = np.array([getattr(varies, key) for key in stated.get(type(varies), ())], float)
    if parameter.relative or not values.size:
        return
    if isinstance(parameter.of, Length) and not (values > 0).all():
        raise SweepError(f"parameter {name!r}: a length must be above 0, not {values.min():g} m")
    whole = isinstance(parameter.of, Axis) and not parameter.of.component
    if whole and not np.abs(values).max(axis=-1).all():
        raise SweepError(f"parameter {name!r}: an axis must have a direction, and not be all zeros")


def _given(varies: Variation, shape: tuple[int, ...]) -> list[tuple[str, Any, tuple[tuple[int, ...], ...]]]:
    """What a variation states, and the shapes that it may have."""
    match varies:
        case Listed(values) | Grid(values) if isinstance(values, Sequence | np.ndarray):
            return [("values", values, ((len(values), *shape),))]
        case Evenly(low, high, _) | Uniform(low, high):
            return [("low", low, (shape, ())), ("high", high, (shape, ()))]
        case Normal(deviation, mean, limit):
            stated = (("deviation", deviation), ("mean", mean), ("limit", limit))
            return [(what, given, (shape, ())) for what, given in stated if given is not None]
    raise SweepError(f"a parameter varies as a Listed or Grid of values, Evenly, Uniform or Normal, not {varies!r}")


def _check_names(sweep: Sweep) -> None:
    names = [*sweep.names, *(one.label for one in sweep.keep)]
    dims = {dim for one in sweep.keep for dim in one.variable(sweep.program, sweep.times).dims}
    for name in sweep.names:
        if name.split() != [name]:
            raise SweepError(
                f"the name {name!r} of a parameter has blanks, which separate names in files; leave them out"
            )
    for name in names:
        if name in dims - set(TAKEN):
            raise SweepError(f"the name {name!r} is that of an axis of something that is kept; give another `name`")
        if name in TAKEN or names.count(name) > 1:
            why = "is given twice" if names.count(name) > 1 else "has a meaning of its own in results"
            raise SweepError(f"the name {name!r} {why}; give another `name`")
        if not name or "/" in name:
            raise SweepError(f"the name {name!r} cannot be used: it must not be empty or contain a slash")


def _check_targets(sweep: Sweep) -> None:
    """Refuse two parameters that change the same number, and geometry that cannot vary."""
    places = [_places(one.of, sweep.program) for one in sweep.parameters]
    for (i, first), (j, second) in combinations(enumerate(places), 2):
        if first & second:
            raise SweepError(f"parameters {sweep.names[i]!r} and {sweep.names[j]!r} change the same; drop one of them")
    if any(is_geometry(one.of) for one in sweep.parameters):
        cam = next((joint.name for joint in sweep.mechanism.joints if joint.type == "L"), None)
        if cam is not None:
            raise NotModeledError(
                f"joint {cam!r} is a cam (L): the geometry of a mechanism with cams cannot be varied; vary its "
                "drivers, or solve the mechanisms one by one"
            )
        eased = eased_joints(sweep.program)
        wrong = [name for name in eased if sweep.program.mechanism.form(sweep.program.mechanism.joint[name]).coupled]
        axes = any(isinstance(one.of, Axis) for one in sweep.parameters)
        if wrong or (eased and axes):
            raise NotModeledError(
                f"joints {', '.join(eased)} repeat rows of others, so that the mechanism moves though it is over-"
                "constrained: its axes, and geometry with gears or screws among these joints, cannot be varied"
            )


def eased_joints(program: Program) -> tuple[str, ...]:
    """Joints that are solved without rows which nominally repeat others, and must be looked at in other geometry."""
    return tuple(joint.name for one in program.structure.redundancies for joint in one.eased)


def _places(target: Target, program: Program) -> frozenset[tuple[Any, ...]]:
    """The numbers that a parameter changes."""
    d = program.mechanism.dimension
    match target:
        case Point() | JointPoint() | Axis():
            one = [component_of(target, program)] if target.component else range(d)
            where = axes_of(target, program) if isinstance(target, Axis) else spots(target, program)
            return frozenset((*spot, k) for spot in where for k in one)
        case Length(body, between):
            return frozenset([(body, *sorted(between))])
        case Mode(group):
            return frozenset([("mode", next(iter(numbers(program.structure, {group: 1}))))])
    return frozenset([("law", driver_of(target, program), target.field, target.index)])


def _check_modes(sweep: Sweep) -> None:
    """Refuse modes that a group cannot have."""
    for parameter, name in zip(sweep.parameters, sweep.names, strict=True):
        if not isinstance(parameter.of, Mode):
            continue
        varies = parameter.varies
        if not isinstance(varies, Listed | Grid) or parameter.relative:
            raise SweepError(f"parameter {name!r}: assembly modes are given by a list or a grid of their numbers")
        group = next(iter(numbers(sweep.program.structure, {parameter.of.group: 1})))
        step = next(step for step in sweep.program.calls if step.group == group)
        most = np.inf if step.knot is not None else 2 ** len(step.signs)
        wrong = [value for value in varies.values if not 1 <= value <= most or value != int(value)]  # type: ignore[operator,arg-type]
        if wrong:
            has = "from 1 on" if step.knot is not None else f"from 1 to {most:.0f}"
            raise SweepError(f"parameter {name!r}: assembly modes of this group are numbers {has}, not {wrong[0]:g}")


# --- as data ---------------------------------------------------------------------------------


def _numbers(value: Any) -> bool:
    """Whether something is a number, or several."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return isinstance(first, int | float | np.number) and not isinstance(first, bool)


def _plain(value: Any) -> Any:
    """Dataclasses, arrays and mappings as dicts and lists of numbers and words."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: _plain(getattr(value, f.name)) for f in fields(value) if f.name not in ("label", "of_joint")}
        return {"kind": type(value).__name__} | parts
    if isinstance(value, np.ndarray) or (isinstance(value, list | tuple) and len(value) > LONG and _numbers(value[0])):
        array = np.ascontiguousarray(value, float)
        if array.size <= LONG:
            return array.tolist()
        digest = hashlib.sha256(array.tobytes()).hexdigest()
        return {"shape": list(array.shape), "first": array[0].tolist(), "last": array[-1].tolist(), "sha256": digest}
    if isinstance(value, Mapping):
        return {"-".join(key) if isinstance(key, tuple) else str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value.item() if isinstance(value, np.generic) else value
