"""Freedoms of joints by name, and as quantities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from groupkin.errors import QuantityError, UnknownNameError
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import hint

Freedoms = Mapping[str, tuple[str, int]]
"""Joint and number of the freedom, by its name."""


def freedom_of(mechanism: Mechanism, name: str) -> tuple[str, int]:
    """Find joint and number of a freedom by its name: that of its joint, or ``joint.freedom`` of several.

    Raises
    ------
    UnknownNameError
    """
    every = freedoms_by_name(mechanism)
    if name not in every:
        raise UnknownNameError(f"there is no freedom {name!r} of a joint{hint(name, every)}")
    return every[name]


@lru_cache(maxsize=8)
def freedoms_by_name(mechanism: Mechanism) -> Freedoms:
    """List joint and number of every freedom of a mechanism by its name."""
    return {
        mechanism.driver_name(joint.name, k): (joint.name, k)
        for joint in mechanism.joints
        for k in range(len(mechanism.freedoms(joint)))
    }


def freedoms_of(text: str | Quantity, mechanism: Mechanism) -> list[Quantity]:
    """List the freedoms that a text names, such as ``joint pose`` or ``joint pose.x``, each with its name.

    Raises
    ------
    QuantityError, UnknownNameError
    """
    return freedoms_in(quantity(text, mechanism), mechanism)


def freedoms_in(wanted: Quantity, mechanism: Mechanism) -> list[Quantity]:
    """List the freedoms of a joint, or the one that is named; see `freedoms_of`."""
    if wanted.kind != "joint":
        raise QuantityError(f"`{wanted}` is no freedom of a joint; rates are by freedoms such as `joint crank`")
    joint = mechanism.joint[wanted.name]
    names = [freedom.name for freedom in mechanism.freedoms(joint)]
    if not names:
        raise UnknownNameError(f"joint {joint.name!r} has no freedoms")
    single = len(names) == 1
    return [replace(wanted, component="" if single else name) for name in names if wanted.component in ("", name)]
