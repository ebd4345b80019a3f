"""What can be checked of the arguments of `groupkin.limits`: the driver, its range, a time; and where it stands."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from groupkin.errors import ArgumentError, TimesError, UnknownNameError
from groupkin.kinematics.program.program import Program, with_laws
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.points import LARGEST
from groupkin.messages import hint
from groupkin.text_forms import bare

Freedom = tuple[str, int]
"""A driven freedom: name of its joint, and its index among the freedoms of this."""


def check_range(start: float | None, stop: float | None, time: float) -> tuple[float, float]:
    """Check the range of a driver and a time; returns the range, infinite where it is not stated.

    Raises
    ------
    ArgumentError, TimesError
    """
    if not abs(time) <= LARGEST:
        raise TimesError(f"the time must be a finite number of seconds, up to {LARGEST:g}, not {time:g}")
    for bound in (start, stop):
        if bound is not None and not abs(bound) <= LARGEST:
            raise ArgumentError(f"a bound of the range must be a finite number up to {LARGEST:g}, not {bound:g}")
    low, high = (-math.inf if start is None else float(start)), (math.inf if stop is None else float(stop))
    if not low < high:
        raise ArgumentError(f"the range of a driver must go from a smaller to a larger value, not {low:g} to {high:g}")
    return low, high


def driver_of(mechanism: Mechanism, name: str | None) -> Freedom:
    """Find the driver of a name, which may be left out where there is only one.

    Raises
    ------
    ArgumentError, UnknownNameError
    """
    drivers = {
        mechanism.driver_name(joint, index): (joint, index)
        for joint, indices in mechanism.driven.items()
        for index in indices
    }
    if name is None:
        if len(drivers) != 1:
            raise ArgumentError(
                f"driver must name one of {', '.join(drivers)}, while the others are held"
                if drivers
                else f"{mechanism.name} has no driver whose limits could be found"
            )
        return next(iter(drivers.values()))
    found = drivers.get(name, drivers.get(bare(name.removeprefix("joint "))))
    if found is None:
        raise UnknownNameError(
            f"there is no driver {name!r}{hint(name, drivers)}; driven are {', '.join(drivers) or 'none'}, and "
            "groupkin.redrive drives other joints"
        )
    return found


def standing(mechanism: Mechanism, freedom: Freedom, build: Callable[[Mechanism], Program]) -> Program:
    """Build the program of a mechanism, a driver of which stands in the reference configuration if it has no law."""
    joint, index = freedom
    driver = mechanism.driven[joint][index]
    if driver.law is not None:
        return build(mechanism)
    drivers = [replace(each, law=Constant(0.0)) if each is driver else each for each in mechanism.drivers]
    program = build(replace(mechanism, drivers=drivers))
    return with_laws(
        program,
        [Constant(x.reference) if (x.joint, x.freedom) == freedom else x.law for x in program.drivers],
    )
