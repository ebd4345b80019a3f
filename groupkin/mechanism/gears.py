"""Radii of gears against the distance of their centers.

Only the ratio of two radii matters to a pair of gears, so that numbers of teeth will do. Radii that are meant as
lengths add up to the distance of the centers (outer gears) or differ by it (inner gears), if the axes are parallel.
Whole numbers of at least `FEWEST` count teeth, unless they nearly fit the distance.
"""

from __future__ import annotations

import warnings

import numpy as np

from groupkin.errors import GeometryError, GroupkinWarning
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.mechanism.points import direction
from groupkin.tolerances import PARALLEL

FEWEST = 6
"""Smallest number of teeth of a gear."""

NEAR, FITTING = 0.1, 1e-3
"""Relative differences from the distance: whole numbers within NEAR are lengths, lengths within FITTING fit."""


def distance(mechanism: Mechanism, joint: Joint) -> float | None:
    """Distance of the centers of two gears, m.

    Returns None if it is unknown or driven, or if the axes of the gears are not parallel.
    """
    if joint.radii is None or joint.points is None:
        return None
    if any(mechanism.freedoms(joint)[k].name == "distance" for k in mechanism.driven.get(joint.name, ())):
        return None
    first, second = (mechanism.locate(point, f"joint {joint.name!r}") for point in joint.points)
    away = second - first
    if mechanism.dimension == 3:
        if joint.axes is None:
            return None
        first_axis, second_axis = (direction(axis, 3, f"axis of joint {joint.name!r}") for axis in joint.axes)
        if np.linalg.norm(np.cross(first_axis, second_axis)) > PARALLEL:
            return None
        away = away - (away @ first_axis) * first_axis
    return float(np.linalg.norm(away))


def are_lengths(joint: Joint, centers: float) -> bool:
    """Whether the radii of gears are lengths, not numbers of teeth; `centers` is the distance in the same unit."""
    assert joint.radii is not None
    teeth = all(radius >= FEWEST and float(radius).is_integer() for radius in joint.radii)
    return not teeth or abs(_reach(joint) - centers) < NEAR * centers


def _reach(joint: Joint) -> float:
    """The distance at which wheels with these radii mesh."""
    assert joint.radii is not None
    first, second = joint.radii
    return abs(first - PAIRS[joint.type].mesh * second)


def check(mechanism: Mechanism) -> None:
    """Warn of radii, in m, that do not fit the distance of the centers.

    Raises
    ------
    GeometryError
        If inner gears of the same size have different centers.
    """
    for joint in mechanism.joints:
        centers = distance(mechanism, joint)
        if joint.radii is None or centers is None:
            continue
        say = mechanism.units.text
        reach, name = _reach(joint), f"joint {joint.name!r} ({PAIRS[joint.type].name} {' and '.join(joint.bodies)})"
        if reach == 0.0 and centers > 0.0:
            raise GeometryError(f"{name}: inner gears of the same radius cannot mesh with centers {say(centers)} apart")
        if are_lengths(joint, centers) and abs(reach - centers) > FITTING * centers:
            first, second = (radius * centers / reach for radius in joint.radii)
            sum_or_difference = "differ by" if PAIRS[joint.type].mesh > 0 else "add up to"
            warnings.warn(
                f"{name}: its radii {sum_or_difference} {say(reach)}, but its centers are {say(centers)} apart; "
                f"only the ratio of the radii counts, as if they were {say(first)} and {say(second)}",
                GroupkinWarning,
                stacklevel=3,
            )
