"""What robots are driven by, and the units of what is read of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from groupkin.by_name import function
from groupkin.errors import GroupkinError, QuantityError
from groupkin.kinematics.motion.freedoms import freedoms_in
from groupkin.kinematics.motion.quantities import Quantity, check, parse, unit
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.robots import Robot
from groupkin.mechanism.units import NO_UNIT, powers, unit_text
from groupkin.messages import counted

SINGULAR = {"smallest_singular_value": 1, "largest_singular_value": 1, "manipulability": 0}
"""Kinds with the unit of the Jacobian's entries, and its power; 0 is that of the number of rows."""

DEXTERITY = ("dexterity", "condition_number", *SINGULAR)
"""Kinds that need entries in one unit."""


def inputs_of(robot: Robot, mechanism: Mechanism) -> tuple[Quantity, ...]:
    """List the freedoms that drive a robot.

    Raises
    ------
    QuantityError, UnknownNameError
        If one is no freedom, nothing is driven, or others than the drivers are not as many as these.
    """
    found = tuple(dict.fromkeys(freedom for text in robot.by for freedom in _named(text, mechanism)))
    driven = mechanism.driven_freedoms
    if not found:
        raise QuantityError(f"robot {robot.name!r}: nothing drives it; add drivers, or name freedoms in `by`")
    if len(found) != len(driven) and not {*map(str, found)} <= {*driven}:
        raise QuantityError(
            f"robot {robot.name!r}: by names {counted(len(found), 'freedom')}, not all of which are driven; name "
            f"{len(driven)}, as many as there are drivers ({', '.join(driven)}), or driven ones only"
        )
    return found


def _named(text: str, mechanism: Mechanism) -> list[Quantity]:
    """List the freedoms that a text names; a name alone is that of a joint, whatever else has it."""
    given = parse(text)
    wanted = given if given.kind else replace(given, kind="joint")
    check(wanted, mechanism, {})
    return freedoms_in(wanted, mechanism)


def of_inputs(
    stated: Mapping[str, float], robot: Robot, mechanism: Mechanism
) -> tuple[dict[str, float], dict[str, float]]:
    """Tell numbers of the freedoms that drive a robot from those of anything else.

    Returns
    -------
    dict of str to float
        By the freedoms as `groupkin.jacobian` names them.
    dict of str to float
        The others, by the texts that are stated.
    """
    inputs, found, others = inputs_of(robot, mechanism), dict[str, float](), dict[str, float]()
    for text, x in stated.items():
        try:
            freedoms = _named(text, mechanism)
        except GroupkinError:
            freedoms = []
        if len(freedoms) == 1 and freedoms[0] in inputs:
            found[str(freedoms[0])] = x
        else:
            others[text] = x
    return found, others


def stiffness_of(robot: Robot, mechanism: Mechanism) -> dict[str, float]:
    """List the stiffness of the freedoms that are not rigid, N/m or N m/rad.

    Raises
    ------
    QuantityError
        If one is stated of what does not drive the robot.
    """
    found, others = of_inputs(robot.stiffness, robot, mechanism)
    if others:
        raise _not_driving(next(iter(others)), robot, mechanism)
    return found


def _not_driving(text: str, robot: Robot, mechanism: Mechanism) -> QuantityError:
    drive = ", ".join(f"`{each}`" for each in inputs_of(robot, mechanism))
    return QuantityError(f"robot {robot.name!r}: `{text}` of `stiffness` does not drive it; name one of {drive}")


def unit_of_stiffness(text: str, robot: Robot, mechanism: Mechanism) -> str:
    """Return the unit of the stiffness of a freedom, SI.

    Raises
    ------
    QuantityError, UnknownNameError
    """
    freedoms = _named(text, mechanism)
    if len(freedoms) != 1 or freedoms[0] not in inputs_of(robot, mechanism):
        raise _not_driving(text, robot, mechanism)
    return "N/m" if unit(freedoms[0], mechanism) == "m" else "N*m/rad"


def unit_of_error(text: str, robot: Robot, mechanism: Mechanism) -> str:
    """Return the unit of the error of a freedom or parameter, SI.

    Raises
    ------
    ParameterError
    """
    freedoms, _ = of_inputs({text: 0.0}, robot, mechanism)
    if freedoms:
        return unit(_named(text, mechanism)[0], mechanism)
    return str(function("groupkin.kinematics.parameters.nominal_values:unit_of_dimension")(text))


def check_robot(wanted: Quantity, mechanism: Mechanism) -> None:
    """Refuse a quantity of a robot that does not state what it needs.

    Raises
    ------
    QuantityError, UnknownNameError
    """
    robot = mechanism.robot[wanted.name]
    if wanted.kind in DEXTERITY:
        unit_of_robot(wanted, mechanism)
    elif "stiffness" in wanted.kind and not stiffness_of(robot, mechanism):
        drive = ", ".join(f"`{each}`" for each in inputs_of(robot, mechanism))
        raise QuantityError(f"`{wanted}`: state the `stiffness` of what drives robot {robot.name!r}, {drive}")
    elif "error" in wanted.kind and not robot.errors:
        raise QuantityError(f"`{wanted}`: state the `errors` of drivers and parameters of robot {robot.name!r}")


def unit_of_robot(wanted: Quantity, mechanism: Mechanism) -> str:
    """Return the unit of a dexterity or singular value, SI.

    Raises
    ------
    QuantityError
        If lengths and angles are mixed and the robot has no characteristic length.
    """
    robot, kind = mechanism.robot[wanted.name], wanted.kind
    if robot.length is not None:
        return "1"
    rows, columns = _units(robot, mechanism)
    if len(rows) > 1 or len(columns) > 1:
        raise QuantityError(
            f"`{wanted}`: lengths and angles are mixed, motions of the tool in {' and '.join(sorted(rows))} "
            f"by drivers in {' and '.join(sorted(columns))}; state a characteristic `length` of the robot, such as the "
            "radius of its platform, by which lengths are divided"
        )
    if kind not in SINGULAR:
        return "1"
    above, below = (powers(min(each)) or NO_UNIT for each in (rows, columns))
    count = SINGULAR[kind] or (mechanism.dimension if robot.motion == "translation" else 2 * mechanism.dimension - 3)
    return unit_text(tuple(count * (x - y) for x, y in zip(above, below, strict=True)))


def _units(robot: Robot, mechanism: Mechanism) -> tuple[set[str], set[str]]:
    """Return the units of the tool's motions and of the freedoms that drive it."""
    rows = {"translation": {"m"}, "rotation": {"rad"}, "twist": {"m", "rad"}}[robot.motion]
    return rows, {unit(freedom, mechanism) for freedom in inputs_of(robot, mechanism)}
