"""The description of a sweep: a mechanism, what varies and how, the times, and what is kept of every sample."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cluster.sweeps.checks import check_derivatives, check_keep, check_modes, check_repeated_rows, check_values
from cluster.sweeps.parameters import Parameter
from cluster.sweeps.reductions import At, Derivative, Excess, Keep, Occupancy, OfQuantity, Outside
from cluster.sweeps.sampling import Plan, check_plan, require_whole
from groupkin.arguments import LONGEST_NAME, check_fields, checked, is_name
from groupkin.errors import SweepError, shown
from groupkin.kinematics.changed.varied_program import varied_program
from groupkin.kinematics.derivatives.sample_derivatives import SampleDerivatives
from groupkin.kinematics.motion.kinds import FORCES
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.kinematics.motion.ranges import ranges_of
from groupkin.kinematics.parameters.checks import check
from groupkin.kinematics.parameters.nominal_values import nominal_value, unit
from groupkin.kinematics.parameters.parameters import AssemblyMode, label, single
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.samples.variation import Variation
from groupkin.kinematics.solver import program as make
from groupkin.kinematics.solving.run import check_times
from groupkin.mechanism.mechanism import Mechanism
from sglibrary.array_types import Array

TAKEN = ("sample", "time", "axis", "local_axis", "status", "failed_group", "failed_time")
"""Names that parameters and what is kept cannot have: those of coordinates and outcomes."""

TAKEN_BY_RANGES = ("outside", "outside_time")
"""Names that they cannot have either where the mechanism has ranges."""

ON_OUTSIDE = ("keep", "fail")
"""What becomes of samples that leave a range."""

LONG = 1000
"""Numbers above which a list is represented by its digest."""

STORED_KINDS = {"TimeHistory": "Motion", "AssemblyMode": "Mode"}
"""Names of classes in stores, where they differ from those in Python."""


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
        Random samples per point of the grid, how they are drawn (`cluster.sweeps.sampling.METHODS`), and their seed.
    assemble : bool
        Close a nominal reference configuration that is only approximate.
    source : str, optional
        Text of the mechanism's file.
    derivatives : bool
        Whether what is kept is differentiated by all parameters.
    on_outside : {"keep", "fail"}
        Whether samples that leave a range are kept as they are, or fail when they do.
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
    derivatives: bool = False
    on_outside: str = "keep"

    @cached_property
    def program(self) -> Program:
        """The nominal program, whose solvers are those of all samples."""
        program = make(self.mechanism, assemble=self.assemble)
        return varied_program(program, [parameter.target for parameter in self.parameters])

    @cached_property
    def nominal(self) -> tuple[Array, ...]:
        """Nominal values () or (d,) of all parameters, m and rad."""
        return tuple(nominal_value(parameter.target, self.program) for parameter in self.parameters)

    @cached_property
    def variation(self) -> Variation:
        """What all samples have in common."""
        needs = dict.fromkeys(x for kept in self.keep for x in kept.needs if x.kind not in FORCES)
        needs |= dict.fromkeys(each.quantity for each in ranges_of(self.program))
        targets = tuple(parameter.target for parameter in self.parameters)
        orders = 0 if self.differentiated is None else self.differentiated.orders
        return Variation(self.program, targets, self.times, tuple(needs), orders)

    @cached_property
    def differentiated(self) -> SampleDerivatives | None:
        """What is differentiated of all samples, if anything is."""
        if not self.derivatives:
            return None
        d = self.mechanism.dimension
        targets = tuple(one for parameter in self.parameters for one in single(parameter.target, d))
        wanted = dict.fromkeys(kept.needs[0] for kept in self.keep if isinstance(kept, Derivative))
        return SampleDerivatives(self.program, targets, tuple(wanted))

    @cached_property
    def forces(self) -> tuple[Quantity, ...]:
        """Quantities that are read from the forces of every sample."""
        return tuple(dict.fromkeys(x for kept in self.keep for x in kept.needs if x.kind in FORCES))

    @cached_property
    def plan(self) -> Plan:
        """How the parameters vary: in lists, along the grid and by draws."""
        widths = tuple(value.size if value.ndim else 0 for value in self.nominal)
        variations = tuple(parameter.varies for parameter in self.parameters)
        return Plan(variations, widths, self.draws, self.method, self.seed)

    @property
    def samples(self) -> int:
        """Number of samples."""
        return self.plan.samples

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters; without blanks, which separate the names of coordinates in files."""
        return tuple(parameter.name or "_".join(label(parameter.target).split()) for parameter in self.parameters)

    def as_data(self) -> dict[str, Any]:
        """Return all that determines the results as plain data.

        Lists of more than `LONG` numbers are represented by their length, ends and digest.
        """
        names = ("mechanism", "parameters", "times", "keep", "draws", "method", "seed", "assemble", "on_outside")
        data = {name: plain(getattr(self, name)) for name in names} | {"samples": self.samples}
        if not self.mechanism.outputs:  # stores of earlier versions do not know them
            del data["mechanism"]["outputs"]
        for driven in self.program.drivers:
            if not type(driven.law).__module__.startswith("groupkin."):  # its fields may not tell all of a user's law
                data[f"law of {driven.joint}.{driven.freedom}"] = plain(driven.law.at(self.times))
        return data


@checked
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
    derivatives: bool = False,
    on_outside: str = "keep",
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
        Time histories and reductions (`cluster.sweeps.reductions`).
    draws : int
        Random samples, for every point of the grid if there is one.
    method : {"random", "sobol", "latin hypercube", "saltelli"}
        How they are drawn; draws of a sequence are the same at every point of the grid.
    seed : int
    assemble : bool
        Close a nominal reference configuration that is only approximate.
    source : str, optional
        Text of the mechanism's file, to be stored with the results.
    derivatives : bool
        Keep the derivatives of everything that is kept by all parameters as well: of quantities at all times, their
        extremes, and values at a time.
    on_outside : {"keep", "fail"}
        Keep samples that leave a range as they are, or let them fail at the first time at which they do. In either case
        `outside` and `outside_time` say which range they leave first, and when.

    Returns
    -------
    Sweep

    Raises
    ------
    SweepError, QuantityError, ParameterError, TimesError, MechanismError, StructureError
        If the sweep is not possible; the message names the reason and what to do.
    """
    for part in (*parameters, *keep):
        _check_parts(part)
    require_whole("`seed`", seed, 0)
    if on_outside not in ON_OUTSIDE:
        raise SweepError(f"on_outside is one of {', '.join(ON_OUTSIDE)}, not {shown(on_outside)}")
    program = make(mechanism, assemble=assemble)
    varied = tuple(replace(parameter, of=parameter.target) for parameter in parameters)
    kept = [_with_quantities(part, program) for part in keep]
    kept += [Outside(part) for part in kept if isinstance(part, Occupancy) and Outside(part) not in kept]
    settings = (draws, method, seed, assemble, source, derivatives, on_outside)
    described = Sweep(mechanism, varied, check_times(times), tuple(kept), *settings)
    vars(described)["program"] = program  # which is not built again
    for driven in program.drivers:
        driven.law.at(described.times[[0, -1]])  # raises if the law does not cover the times
    for parameter, value in zip(described.parameters, described.nominal, strict=True):
        called = parameter.name or str(parameter.target)
        check_values(parameter, called, value, unit(parameter.target, program))
        if isinstance(parameter.target, AssemblyMode):
            check_modes(parameter, parameter.target, called, program)
    check_plan(described.plan)
    for part in described.keep:
        check_keep(part, program, described.times)
    if derivatives:
        described = replace(described, keep=(*kept, *_derivatives(described)))
        vars(described)["program"] = program
    _check_names(described)
    check(targets := [parameter.target for parameter in varied], program)
    vars(described)["program"] = varied_program(program, targets)
    check_repeated_rows(varied, described.nominal, program, described.times)
    if described.differentiated is not None:
        check_derivatives(described.differentiated, described.nominal, described.times)
    return described


def _derivatives(sweep: Sweep) -> list[Derivative]:
    """The derivatives of all that a sweep keeps by all numbers that vary.

    Raises
    ------
    SweepError
        If something has none.
    """
    dimension, by = sweep.mechanism.dimension, list[tuple[str, str]]()
    for parameter, name in zip(sweep.parameters, sweep.names, strict=True):
        if isinstance(parameter.target, AssemblyMode):
            raise SweepError(f"parameter {name!r} is no number: nothing can be differentiated by an assembly mode")
        parts = single(parameter.target, dimension)
        axes = [f".{axis}" for axis in "xyz"[: len(parts)]] if len(parts) > 1 else [""]
        by += [(name + axis, unit(part, sweep.program)) for axis, part in zip(axes, parts, strict=True)]
    found = []
    for kept in sweep.keep:
        if not isinstance(kept, OfQuantity) or isinstance(kept, Excess) or getattr(kept, "event", None) is not None:
            raise SweepError(
                f"derivatives of {kept.label!r} are not computed; keep quantities at all times, their extremes, or "
                "values at a time, or leave out `derivatives`"
            )
        if kept.needs[0].kind in FORCES:
            raise SweepError(
                f"derivatives of forces, such as of {kept.label!r}, are not computed; keep it in a sweep without "
                "`derivatives`"
            )
        found += [Derivative(kept, name, number, per) for number, (name, per) in enumerate(by)]
    return found


def _with_quantities(keep: Keep, program: Program) -> Keep:
    """Replace texts in what is kept by the quantities that they mean."""

    def read(part: Any, field: str) -> Any:
        return replace(part, **{field: quantity(getattr(part, field), program, forces=True)})

    changed: Any = read(keep, "of") if isinstance(keep, OfQuantity) else keep
    if isinstance(changed, At) and changed.event is not None:
        changed = replace(changed, event=read(changed.event, "quantity"))
    if isinstance(changed, Occupancy):
        changed = replace(changed, limits=tuple(read(limit, "quantity") for limit in changed.limits))
    return changed


def _check_parts(part: Any) -> None:
    """Refuse fields of other types than declared, in a description and in those that it consists of."""
    check_fields(part, SweepError)
    for value in (getattr(part, field.name) for field in fields(part)):
        for inner in value if isinstance(value, list | tuple) else [value]:
            if is_dataclass(inner) and not isinstance(inner, type):
                _check_parts(inner)


def _check_names(sweep: Sweep) -> None:
    """Refuse names of parameters, and of what is kept, that results cannot have."""
    names = [*sweep.names, *(kept.label for kept in sweep.keep)]
    dims = {dim for kept in sweep.keep for dim in kept.variable(sweep.program, sweep.times).dims}
    taken = TAKEN + TAKEN_BY_RANGES * sweep.mechanism.has_ranges
    for name in sweep.names:
        if name.split() != [name]:
            raise SweepError(
                f"the name {name!r} of a parameter has blanks, which separate names in files; leave them out"
            )
    for name in names:
        if name in dims - set(TAKEN):
            raise SweepError(f"the name {name!r} is that of an axis of something that is kept; give another `name`")
        if name in taken or names.count(name) > 1:
            why = "is given twice" if names.count(name) > 1 else "has a meaning of its own in results"
            raise SweepError(f"the name {name!r} {why}; give another `name`")
        if not is_name(name) or {"/", "\\"} & set(name):
            raise SweepError(
                f"the name {shown(name)} cannot be used: it must have 1 to {LONGEST_NAME} printable characters, and no "
                "slash or backslash; give another `name`"
            )


# --- as data ---------------------------------------------------------------------------------


def require_sweep(value: object) -> None:
    """Refuse what is no sweep.

    Raises
    ------
    SweepError
    """
    if not hasattr(value, "as_data"):
        hint = "; read a file with cluster.read_sweep" if isinstance(value, str | PurePath) else ""
        raise SweepError(f"a sweep is needed, not {value!r}{hint}")


def as_text(sweep: Sweep) -> str:
    """Return all that determines the results as JSON."""
    return json.dumps(sweep.as_data(), indent=1, sort_keys=True)


def plain(value: Any) -> Any:
    """Convert dataclasses, arrays and mappings to dicts and lists of numbers and words, without shapes of bodies."""
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value).__name__
        left_out = "shape" if kind == "Body" else "of_joint"
        stored = [field.name for field in fields(value) if field.compare and field.name != left_out]
        return {"kind": STORED_KINDS.get(kind, kind)} | {name: plain(getattr(value, name)) for name in stored}
    if isinstance(value, np.ndarray) or (isinstance(value, list | tuple) and len(value) > LONG and _numbers(value[0])):
        array = np.ascontiguousarray(value, float)
        if array.size <= LONG:
            return array.tolist()
        digest = hashlib.sha256(array.tobytes()).hexdigest()
        return {"shape": list(array.shape), "first": array[0].tolist(), "last": array[-1].tolist(), "sha256": digest}
    if isinstance(value, Mapping):
        return {"-".join(key) if isinstance(key, tuple) else str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value.item() if isinstance(value, np.generic) else value


def _numbers(value: Any) -> bool:
    """Return True for a number or a list of numbers."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return isinstance(first, int | float | np.number) and not isinstance(first, bool)
