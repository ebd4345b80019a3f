"""Ranges and numbers of robots in the units of a file, which only kinematics knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from groupkin.errors import GroupkinError, MechanismError
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import Freedom
from groupkin.mechanism.robots import Robot
from groupkin.mechanism.units import Units, conversion
from groupkin.mechanism.values import Value

Convert = Callable[[float, float], float]
"""Converts a number, by the size of a unit of the file in SI."""


def times(x: float, factor: float) -> float:
    """Convert a number of a file to SI."""
    return x * factor if isinstance(x, Value) or abs(x) != float("inf") else float(x)


def joint_range(stated: Any, freedoms: Sequence[Freedom], units: Units, convert: Convert) -> Any:
    """Convert the range of a joint, or those of its freedoms.

    Parameters
    ----------
    stated : pair of float, or mapping of str to pair of float, or None
    freedoms : sequence of Freedom
        Of the joint.
    units : Units
        Of the file.
    convert : callable
    """
    if stated is None:
        return None
    factors = {each.name: units.radians if each.rotation else units.meters for each in freedoms}
    if isinstance(stated, Mapping):  # names that it does not have are refused by the mechanism
        return {name: _ends(ends, factors.get(name, 1.0), convert) for name, ends in stated.items()}
    return _ends(stated, next(iter(factors.values()), 1.0), convert)


def quantity_ranges(mechanism: Mechanism, units: Units, convert: Convert) -> dict[str, Any]:
    """Convert the ranges of quantities.

    Raises
    ------
    MechanismError
        If one is of what the mechanism does not have.
    """
    if not mechanism.ranges:
        return {}
    from groupkin.kinematics.motion.ranges import ranges_of

    of_quantities = ranges_of(mechanism)[-len(mechanism.ranges) :]
    return {
        text: _ends(ends, 1.0 / conversion(each.unit, units)[0], convert)
        for (text, ends), each in zip(mechanism.ranges.items(), of_quantities, strict=True)
    }


def robots_in_units(mechanism: Mechanism, units: Units, convert: Convert) -> tuple[Robot, ...]:
    """Convert stiffness and errors of robots.

    Raises
    ------
    MechanismError
        If one is of what the mechanism does not have.
    """
    if not any(robot.stiffness or robot.errors for robot in mechanism.robots):
        return tuple(mechanism.robots)
    from groupkin.kinematics.motion.robots import unit_of_error, unit_of_stiffness

    def converted(stated: Mapping[str, float], unit: Callable[[str], str]) -> dict[str, float]:
        return {text: convert(x, 1.0 / conversion(unit(text), units)[0]) for text, x in stated.items()}

    found = []
    for robot in mechanism.robots:
        try:
            stiffness = converted(robot.stiffness, partial(unit_of_stiffness, robot=robot, mechanism=mechanism))
            errors = converted(robot.errors, partial(unit_of_error, robot=robot, mechanism=mechanism))
        except GroupkinError as error:
            raise MechanismError(f"robot {robot.name!r}: {error}") from None
        found.append(replace(robot, stiffness=stiffness, errors=errors))
    return tuple(found)


def _ends(ends: Sequence[float], factor: float, convert: Convert) -> list[float]:
    return [convert(x, factor) for x in ends]
