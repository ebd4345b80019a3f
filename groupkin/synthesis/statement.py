"""What users state of a fit, checked and made a problem."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import floats
from groupkin.errors import FitError, GroupkinWarning, QuantityError, shown
from groupkin.kinematics.design.design import Design
from groupkin.kinematics.design.many_designs import solve_many
from groupkin.kinematics.motion.kinds import OF_ROBOTS
from groupkin.kinematics.motion.quantities import Quantity, components, places, quantity, unit
from groupkin.kinematics.motion.ranges import Range, ranges_of
from groupkin.kinematics.parameters.named_values import changes_laws, changes_loads_alone
from groupkin.kinematics.parameters.parameters import Axis, Length
from groupkin.kinematics.program.program import Driven
from groupkin.mechanism.laws.laws import Constant, Ramp
from groupkin.messages import counted, unknown
from groupkin.synthesis.problem import Problem

Array = NDArray[np.float64]

MOST_POINTS, MOST_FREE = 10_000, 200
"""Points of a fit, the second where the driver's values at them are unknown."""

AXIS_RANGE, LENGTH_RANGE = 0.5, 3.0
"""How far components of axes and, as a factor, lengths go from the nominal ones by default."""


def stated(
    design: Design,
    targets: Mapping[str, ArrayLike],
    at: ArrayLike | None,
    shifted: bool,
    driver: str | None,
    span: tuple[float, float] | None,
    bounds: Mapping[str, tuple[float, float]] | None,
    least: Mapping[str, float] | None,
    ranges: bool,
    full_turn: bool,
    length: float | None,
) -> Problem:
    """Make the problem of a fit; see `groupkin.fit`.

    Raises
    ------
    FitError, QuantityError, UnknownNameError
    """
    changing = next((of for of in design.parameters if changes_laws(design.program, [of])), None)
    if changing is not None:
        raise FitError(f"`{changing}` is no unknown of a fit, whose driver has any value: leave numbers of laws out")
    loads = next((of for of in design.parameters if changes_loads_alone(design.program, [of])), None)
    if loads is not None:
        raise FitError(
            f"`{loads}` is no unknown of a fit: masses and forces change no motion that a fit meets; leave it out, or "
            "give `design` to an optimizer with what the forces are to meet"
        )
    moving = _driver(design, driver)
    driven = _by_itself(design, moving)
    quantities, values = _targets(driven, targets)
    timing = _timing(at, shifted, len(values[0]))
    kept = ranges_of(design.program.mechanism) if ranges else ()
    span = _within(kept, moving, design) if span is None else span
    turning = moving.rotation and span is None
    if span is None and not moving.rotation and (timing is None or shifted or full_turn):
        raise FitError(f"state the span of driver {moving.joint!r}: its least and largest value in m")
    ends = floats(span if span is not None else (moving.reference, moving.reference + 2 * np.pi))
    if ends.shape != (2,) or not np.isfinite(ends).all() or ends[0] >= ends[1]:
        raise FitError(f"span has a least and a larger value, not {shown(span)}")
    low, high = _bounds(design, bounds or {})
    needed = tuple((_number(driven, text), float(number)) for text, number in (least or {}).items())
    problem = Problem(
        design,
        driven,
        quantities,
        values,
        _weights(driven, quantities, length),
        tuple(unit(each, driven.program.mechanism).startswith("rad") for each in quantities),
        timing,
        shifted,
        low,
        high,
        (float(ends[0]), float(ends[1])),
        turning,
        full_turn,
        needed,
        kept,
        design.program.drivers.index(moving),
    )
    numbers, most = sum(each.size for each in values), MOST_FREE if problem.timings > 1 else MOST_POINTS
    if problem.count > most:
        say = "state where the driver is at each by `at`, or " if problem.timings > 1 else ""
        raise FitError(f"{problem.count} points are more than {most}: {say}leave points out")
    if numbers < low.size:
        raise FitError(
            f"{counted(numbers, 'number')} cannot determine {counted(low.size, 'parameter')}: add points, or leave "
            "parameters out"
        )
    if numbers < low.size + problem.timings:
        warnings.warn(
            f"{counted(numbers, 'number')} to be met by {low.size + problem.timings} unknowns: many designs meet them, "
            "and the bounds decide which is found",
            GroupkinWarning,
            stacklevel=4,
        )
    return problem


def _driver(design: Design, name: str | None) -> Driven:
    """Return the driver that moves."""
    program = design.program
    names = [program.mechanism.driver_name(x.joint, x.freedom) for x in program.drivers]
    if name is None:
        if len(names) != 1:
            raise FitError(f"state which driver moves: {', '.join(names)}" if names else "no driver moves")
        return program.drivers[0]
    found = [x for x, full in zip(program.drivers, names, strict=True) if name in (full, x.joint)]
    if len(found) != 1:
        raise unknown("driver", name, names) if not found else FitError(f"{shown(name)} is several: {', '.join(names)}")
    return found[0]


def _within(ranges: Sequence[Range], moving: Driven, design: Design) -> tuple[float, float] | None:
    """Return the range of the driver itself; a turn from its only end, or None where it has none."""
    for each in ranges:
        of, mechanism = each.quantity, design.program.mechanism
        if (of.kind, of.name) == ("joint", moving.joint) and moving.freedom in places(of, mechanism):
            low, high = float(each.low), float(each.high)
            if moving.rotation:
                low, high = max(low, high - 2 * np.pi), min(high, low + 2 * np.pi)
            return (low, high) if np.isfinite([low, high]).all() else None
    return None


def _by_itself(design: Design, moving: Driven) -> Design:
    """Return the design with a driver whose value is the time, and others that stand still."""
    drivers = tuple(
        replace(x, law=Ramp(1.0) if x is moving else Constant(float(x.reference))) for x in design.program.drivers
    )
    return replace(design, program=replace(design.program, drivers=drivers))


def _targets(design: Design, targets: Mapping[str, ArrayLike]) -> tuple[tuple[Quantity, ...], tuple[Array, ...]]:
    if not targets:
        raise FitError('there are no targets; state some, such as {"position P": [(0.1, 0.2), …]}')
    quantities = tuple(_of_positions(design, text) for text in targets)
    reference = np.array([driven.reference for driven in design.program.drivers if isinstance(driven.law, Ramp)])
    nominal = solve_many(design.program, design.parameters, design.nominal[None], reference, quantities)
    values = []
    for wanted, given in zip(quantities, targets.values(), strict=True):
        numbers, width = floats(given), nominal.read(wanted)[0, 0].size
        columns = numbers[:, None] if numbers.ndim == 1 else numbers
        if columns.ndim != 2 or columns.shape[1] != width or not np.isfinite(columns).all() or not len(columns):
            each = f"{width} finite numbers" if width > 1 else "a finite number"
            raise FitError(f"targets of `{wanted}` are {each} for each point, not {shown(given)}")
        values.append(columns)
    if len({len(each) for each in values}) > 1:
        counts = ", ".join(f"`{q}` {len(v)}" for q, v in zip(quantities, values, strict=True))
        raise FitError(f"all quantities have a target at each point; there are of {counts}")
    return quantities, tuple(values)


OF_POSITIONS = (
    *("position", "angle", "joint", "output", "distance", "transmission_angle", "relative_position", "relative_angle"),
    "conditioning",
    *OF_ROBOTS,
)


def _of_positions(design: Design, text: str) -> Quantity:
    wanted = quantity(text, design.program)
    if wanted.kind not in OF_POSITIONS:
        raise QuantityError(f"`{wanted}` does not follow from positions alone; a fit knows {', '.join(OF_POSITIONS)}")
    return wanted


def _number(design: Design, text: str) -> Quantity:
    wanted = _of_positions(design, text)
    labels = components(wanted, design.program.mechanism)[1]
    if labels:
        raise QuantityError(f"`{wanted}` is no number that has a least value; name one of {', '.join(labels[0])}")
    return wanted


def _timing(at: ArrayLike | None, shifted: bool, count: int) -> Array | None:
    if at is None:
        if shifted:
            raise FitError("shifted belongs to `at`, to whose values a number is added")
        return None
    timing = floats(at)
    if timing.ndim == 1 and timing.size != count:
        raise FitError(f"at has a value of the driver for each of {counted(count, 'point')}, not {timing.size}")
    if timing.shape != (count,) or not np.isfinite(timing).all():
        raise FitError(f"at has a value of the driver for each of {counted(count, 'point')}, not {shown(at)}")
    return timing


def _weights(design: Design, quantities: tuple[Quantity, ...], length: float | None) -> tuple[float, ...]:
    units = [unit(each, design.program.mechanism) for each in quantities]
    if len(set(units)) == 1:
        return (1.0,) * len(units)
    if length is None or not 0 < length < np.inf:
        listed = ", ".join(f"`{each}` in {of}" for each, of in zip(quantities, units, strict=True))
        raise FitError(f"{listed} cannot be compared: state a positive `length` in m, by which angles are multiplied")
    return tuple(length if "rad" in of else 1.0 for of in units)


def _bounds(design: Design, given: Mapping[str, tuple[float, float]]) -> tuple[Array, Array]:
    size = float(design.program.geometry.size)
    low, high = np.empty_like(design.nominal), np.empty_like(design.nominal)
    for k, (target, x) in enumerate(zip(design.parameters, design.nominal, strict=True)):
        if isinstance(target, Length):
            low[k], high[k] = x / LENGTH_RANGE, x * LENGTH_RANGE
        else:
            far = AXIS_RANGE if isinstance(target, Axis) else size
            low[k], high[k] = x - far, x + far
    names = list(design.names)
    for text, ends in given.items():
        # a point or an axis stands for all its components
        chosen = [k for k, name in enumerate(names) if text == name or name in [f"{text}.{axis}" for axis in "xyz"]]
        if not chosen:
            raise unknown("parameter", text, names)
        numbers = floats(ends)
        if numbers.shape != (2,) or not np.isfinite(numbers).all() or numbers[0] >= numbers[1]:
            raise FitError(f"bounds of `{text}` are a least and a larger number, not {shown(ends)}")
        low[chosen], high[chosen] = numbers
    return low, high
