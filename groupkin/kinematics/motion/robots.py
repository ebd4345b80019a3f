"""What robots are driven by, and the units of what is read of them."""

from __future__ import annotations

from collections.abc import Mapping

from groupkin.errors import GroupkinError, QuantityError
from groupkin.kinematics.motion.freedoms import freedoms_of
from groupkin.kinematics.motion.quantities import Quantity, unit
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.robots import Robot
from groupkin.mechanism.units import Powers, powers, unit_text

SINGULAR = {"smallest_singular_value": 1, "largest_singular_value": 1, "manipulability": 0}
"""Kinds with the unit of the Jacobian's entries, and its power; 0 is that of the number of rows."""

DEXTERITY = ("dexterity", "condition_number", *SINGULAR)
"""Kinds that need entries in one unit."""


def inputs_of(robot: Robot, mechanism: Mechanism) -> tuple[Quantity, ...]:
    """List the freedoms that drive a robot.

    Raises
    ------
    QuantityError, UnknownNameError
        If one is no freedom, or nothing is driven.
    """
    texts = robot.by or [Quantity("joint", joint) for joint in mechanism.driven]
    found = [freedom for text in texts for freedom in freedoms_of(text, mechanism)]
    if not robot.by:
        found = [each for each in found if _index(each, mechanism) in mechanism.driven[each.name]]
    if not found:
        raise QuantityError(f"robot {robot.name!r}: nothing drives it; add drivers, or name freedoms in `by`")
    return tuple(found)


def _index(freedom: Quantity, mechanism: Mechanism) -> int:
    every = mechanism.freedoms(mechanism.joint[freedom.name])
    return next(k for k, each in enumerate(every) if freedom.component in ("", each.name))


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
            freedoms = freedoms_of(text, mechanism)
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
        drive = ", ".join(map(str, inputs_of(robot, mechanism)))
        raise QuantityError(f"robot {robot.name!r}: `{next(iter(others))}` of `stiffness` is not one of {drive}")
    return found


def unit_of_stiffness(freedom: Quantity, mechanism: Mechanism) -> str:
    """Return the unit of the stiffness of a freedom."""
    return "N/m" if unit(freedom, mechanism) == "m" else "N*m/rad"


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
    above, below = (powers(min(each)) for each in (rows, columns))
    count = SINGULAR[kind] or (mechanism.dimension if robot.motion == "translation" else 2 * mechanism.dimension - 3)
    assert above is not None and below is not None
    ratio: Powers = tuple(count * (x - y) for x, y in zip(above, below, strict=True))
    return unit_text(ratio)


def _units(robot: Robot, mechanism: Mechanism) -> tuple[set[str], set[str]]:
    """Return the units of the tool's motions and of the freedoms that drive it."""
    rows = {"translation": {"m"}, "rotation": {"rad"}, "twist": {"m", "rad"}}[robot.motion]
    return rows, {unit(freedom, mechanism) for freedom in inputs_of(robot, mechanism)}
