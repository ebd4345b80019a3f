"""How parameters can vary, and what can be kept of a mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from cluster.sweeps.parameters import Parameter
from cluster.sweeps.reductions import SIGNS, At, Excess, Keep, Occupancy, TransmissionAngle
from cluster.sweeps.sampling import Evenly, Grid, Listed, Normal, Uniform, Variation, require_whole
from groupkin.arguments import floats
from groupkin.errors import ParameterError, SweepError, shown
from groupkin.kinematics.derivatives.sample_derivatives import SampleDerivatives
from groupkin.kinematics.design.joint_opening import opening, together
from groupkin.kinematics.design.many_designs import solve_many
from groupkin.kinematics.modes.mode_search import group_calls
from groupkin.kinematics.motion.outputs import bases
from groupkin.kinematics.motion.quantities import Quantity, components, parse, quantity
from groupkin.kinematics.motion.ranges import ranges_of
from groupkin.kinematics.parameters.nominal_values import group_number
from groupkin.kinematics.parameters.parameters import AssemblyMode, Axis, Length, Target, single
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.samples.sample_robots import require_no_parameters
from groupkin.mechanism.points import LARGEST
from groupkin.tolerances import SAME_TIME
from sglibrary.array_types import Array

CELLS = 10**8
"""Cells of an occupancy at most; each takes 8 bytes, in memory and for every chunk in a store."""


# --- parameters ------------------------------------------------------------------------------


def check_values(parameter: Parameter, name: str, nominal: Array, unit: str) -> None:
    """Refuse values that are no finite numbers, or not as many as the parameter has.

    Parameters
    ----------
    parameter : Parameter
    name : str
        Of the parameter, for messages.
    nominal : () or (d,) array
    unit : str
        Of the values.

    Raises
    ------
    SweepError
    """
    varies, shape = parameter.varies, nominal.shape
    for what, value, shapes in _stated(varies, shape):
        array = floats(value)
        if array.shape not in shapes or not (np.abs(array) <= LARGEST).all():
            each = f"{shape[0]} finite numbers" if shape else "a finite number"
            raise SweepError(f"parameter {name!r}: {what} must be {each} per value, not {shown(value)}")
    if isinstance(varies, Listed | Grid) and not len(varies.values):
        raise SweepError(f"parameter {name!r} has no values")
    if isinstance(varies, Evenly):
        require_whole(f"parameter {name!r}: count", varies.count, 1)
    if isinstance(varies, Uniform) and not np.all(np.asarray(varies.low) <= np.asarray(varies.high)):
        raise SweepError(f"parameter {name!r}: `low` is above `high`: {varies.low!r} and {varies.high!r} {unit}")
    _check_possible(parameter, name)
    if isinstance(varies, Normal):
        for what, sizes in (("deviation", varies.deviation), ("limit", varies.limit)):
            if sizes is not None and not np.all(np.asarray(sizes) > 0):
                raise SweepError(f"parameter {name!r}: its {what} must be positive, not {sizes!r} {unit}")


def _stated(varies: Variation, shape: tuple[int, ...]) -> list[tuple[str, Any, tuple[tuple[int, ...], ...]]]:
    """List the values that a variation states: name, value and allowed shapes."""
    match varies:
        case Listed(values) | Grid(values) if isinstance(values, Sequence | np.ndarray):
            return [("values", values, ((len(values), *shape),))]
        case Evenly(low, high, _) | Uniform(low, high):
            return [("low", low, (shape, ())), ("high", high, (shape, ()))]
        case Normal(deviation, mean, limit):
            stated = (("deviation", deviation), ("mean", mean), ("limit", limit))
            return [(what, value, (shape, ())) for what, value in stated if value is not None]
    raise SweepError(f"a parameter varies as a Listed or Grid of values, Evenly, Uniform or Normal, not {varies!r}")


def _check_possible(parameter: Parameter, name: str) -> None:
    """Refuse lengths and axes that no body can have, as far as they are stated."""
    varies = parameter.varies
    keys = {Listed: ("values",), Grid: ("values",), Evenly: ("low", "high"), Uniform: ("low", "high")}
    values = np.array([getattr(varies, key) for key in keys.get(type(varies), ())], float)
    if parameter.relative or not values.size:
        return
    if isinstance(parameter.target, Length) and not (values > 0).all():
        raise SweepError(f"parameter {name!r}: a length must be above 0, not {values.min():g} m")
    whole = isinstance(parameter.target, Axis) and not parameter.target.component
    if whole and not np.abs(values).max(axis=-1).all():
        raise SweepError(f"parameter {name!r}: an axis must have a direction, and not be all zeros")


def check_modes(parameter: Parameter, target: AssemblyMode, name: str, program: Program) -> None:
    """Refuse assembly modes that a group cannot have.

    Raises
    ------
    SweepError
    """
    varies = parameter.varies
    if not isinstance(varies, Listed | Grid) or parameter.relative:
        raise SweepError(f"parameter {name!r}: assembly modes are given by a list or a grid of their numbers")
    group = group_number(target, program)
    part = group_calls(program)[group - 1]
    most = np.inf if part.tree is not None else 2 ** len(part.signs)
    wrong = [value for value in varies.values if not 1 <= value <= most or value != int(value)]  # type: ignore[operator,arg-type]
    if wrong:
        numbers = "from 1 on" if part.tree is not None else f"from 1 to {most:.0f}"
        raise SweepError(f"parameter {name!r}: assembly modes of this group are numbers {numbers}, not {wrong[0]:g}")


def check_repeated_rows(varied: Sequence[Parameter], nominal: Sequence[Array], program: Program, times: Array) -> None:
    """Refuse draws of dimensions that must change together, so that joints whose rows repeat others stay closed.

    With a stated misfit each sample tells by itself whether it keeps to that.

    Raises
    ------
    ParameterError
    """
    if program.mechanism.misfit:
        return
    d, targets, values = program.mechanism.dimension, list[Target](), list[float]()
    for parameter, value in zip(varied, nominal, strict=True):
        if isinstance(parameter.varies, Uniform | Normal):
            targets += single(parameter.target, d)
            values += np.atleast_1d(value).tolist()
    opened = opening(program, targets, np.array(values), times)
    if opened:
        raise ParameterError(
            f"{together(program, opened)}; each is drawn by itself here: give lists of values that agree, or draw "
            "other parameters"
        )


# --- what is kept ----------------------------------------------------------------------------


def check_keep(keep: Keep, program: Program, times: Array) -> None:
    """Refuse what cannot be kept of a mechanism.

    Raises
    ------
    SweepError, QuantityError, UnknownNameError
    """
    if isinstance(keep, TransmissionAngle) and len(keep.points) != 3:
        raise SweepError(f"a transmission angle is between three points, not {shown(keep.points)}")
    for needed in keep.needs:
        quantity(needed, program, forces=True)
        if needed.kind == "driver" and all(driven.joint != needed.name for driven in program.drivers):
            raise SweepError(f"{keep.label}: joint {needed.name!r} has no driver; keep its `reaction` or `moment`")
        for base in bases(needed, program.mechanism):
            require_no_parameters(base, program.mechanism)
        if any(base.kind == "residual" for base in bases(needed, program.mechanism)):
            raise SweepError(
                f"{keep.label}: sweeps do not compute residuals; keep `conditioning`, or solve samples alone"
            )
    if isinstance(keep, Excess):
        ranged = [each.quantity for each in ranges_of(program)]
        if parse(keep.of) not in ranged:
            have = f"there are ranges of {', '.join(f'`{each}`' for each in ranged)}" if ranged else "there are none"
            raise SweepError(f"{keep.label}: `{keep.of}` has no range; {have}")
    if isinstance(keep, At):
        _check_at(keep, program, times)
    if isinstance(keep, Occupancy):
        _check_occupancy(keep, program)


def check_derivatives(differentiated: SampleDerivatives, nominal: Sequence[Array], times: Array) -> None:
    """Refuse quantities and parameters of which no derivatives are computed.

    Raises
    ------
    NotModeledError
    """
    values = np.concatenate([np.atleast_1d(value) for value in nominal])[None]
    solve_many(
        differentiated.program,
        differentiated.targets,
        values,
        times[:1],
        differentiated.wanted,
        differentiated=differentiated,
    )


def _check_at(keep: At, program: Program, times: Array) -> None:
    if (keep.time is None) == (keep.event is None):
        raise SweepError(f"{keep.label}: a value is kept either at a time or at an event; give one of them")
    first, last = min(times[0], times[-1]), max(times[0], times[-1])
    slack = SAME_TIME * (last - first)  # of rounding errors
    if keep.time is not None and not first - slack <= keep.time <= last + slack:
        raise SweepError(f"{keep.label}: the time {keep.time:g} s is not between {times[0]:g} s and {times[-1]:g} s")
    if keep.event is not None:
        if times.size < 2:
            raise SweepError(f"{keep.label}: an event is looked for between times, and there is only one")
        _check_single(parse(keep.event.quantity), program)
        if not np.isfinite(keep.event.equals):
            raise SweepError(f"{keep.label}: an event is at a finite value, not at {keep.event.equals!r}")
        if keep.event.direction not in SIGNS:
            raise SweepError(f"direction must be one of {', '.join(SIGNS)}, not {keep.event.direction!r}")


def _check_single(quantity: Quantity, program: Program) -> None:
    if components(quantity, program.mechanism)[0]:
        raise SweepError(f"`{quantity}` has several components: name one of them")


def _check_occupancy(keep: Occupancy, program: Program) -> None:
    d = program.mechanism.dimension
    for name, numbers in (("low", keep.low), ("high", keep.high), ("cells", keep.cells)):
        if floats(numbers).shape != (d,) or np.isnan(floats(numbers)).any():
            raise SweepError(f"{keep.label}: `{name}` must have {d} numbers, not {shown(numbers)}")
    for low, high, count in zip(keep.low, keep.high, keep.cells, strict=True):
        whole = isinstance(count, int | np.integer) and count >= 1
        if not (np.isfinite(low) and np.isfinite(high) and high > low and whole):
            raise SweepError(
                f"{keep.label}: `low` and `high` must be finite, `high` above `low`, and `cells` whole numbers from 1 "
                f"on, not {low!r}, {high!r} and {count!r}"
            )
    if prod(keep.cells) > CELLS:
        raise SweepError(f"{keep.label}: {prod(keep.cells):.3g} cells are too many; take at most {CELLS:.0e}")
    for limit in keep.limits:
        _check_single(parse(limit.quantity), program)
        if not limit.low <= limit.high or np.isinf([limit.low, limit.high]).all():
            raise SweepError(
                f"{keep.label}: a limit of `{limit.quantity}` needs `low`, `high` or both, `low` not above `high`"
            )
