"""Checks that several kinds of forces have in common: names that they refer to, and numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.arguments import floats
from groupkin.errors import ForceError, UnknownNameError, shown
from groupkin.mechanism.parts import Joint
from groupkin.mechanism.points import LARGEST
from groupkin.messages import hint

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


def check_body(mechanism: Mechanism, body: str, where: str) -> None:
    """Refuse a body that does not exist."""
    if body not in mechanism.body:
        raise UnknownNameError(f"{where} names body {body!r}, which does not exist{hint(body, mechanism.body)}")


def check_ends(mechanism: Mechanism, between: tuple[str, str], where: str) -> None:
    """Refuse a force that is not between two different bodies."""
    if len(between) != 2 or between[0] == between[1]:
        raise ForceError(f"{where} must be between two different bodies, not {shown(between)}")
    for body in between:
        check_body(mechanism, body, where)


def check_numbers(load: Any, where: str, names: Iterable[str]) -> None:
    """Refuse fields that are not finite numbers."""
    for name in names:
        number = getattr(load, name)
        if number is not None and not abs(number) <= LARGEST:
            raise ForceError(f"{where}: its {name} must be a finite number, not {number!r}")


def check_sizes(load: Any, where: str, sizes: Iterable[str], positive: Iterable[str]) -> None:
    """Refuse sizes that are negative, and such that must not be zero."""
    for name in (*sizes, *positive):
        number = getattr(load, name)
        if number is not None and not (number >= 0 and (number > 0 or name in sizes)):
            least = "must not be negative" if name in sizes else "must be positive"
            raise ForceError(f"{where}: its {name} {least}, but is {number!r}")


def check_tables(load: Any, where: str) -> None:
    """Refuse tables of a spring that are not finite, do not rise or are too steep."""
    for name in ("table", "damping_table"):
        if not getattr(load, name, ()):
            continue
        given = getattr(load, name)
        rows = floats(given)
        if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) < 2 or not (np.abs(rows) <= LARGEST).all():
            raise ForceError(
                f"{where}: its {name} must have at least two rows of two finite numbers, not {shown(given)}"
            )
        late = np.flatnonzero(~(np.diff(rows[:, 0]) > 0))
        if late.size:
            k = int(late[0])
            raise ForceError(
                f"{where}: the first numbers of its {name} must increase, but row {k + 2} has {rows[k + 1, 0]:g} after "
                f"{rows[k, 0]:g}; sort the rows, and state each only once"
            )
        with np.errstate(over="ignore"):
            slopes = np.diff(rows[:, 1]) / np.diff(rows[:, 0])
        if not (np.abs(slopes) <= LARGEST).all():
            k = int(np.argmax(~(np.abs(slopes) <= LARGEST)))
            raise ForceError(f"{where}: rows {k + 1} and {k + 2} of its {name} are too close; keep one of them")


def joint_of(mechanism: Mechanism, name: str, where: str) -> Joint:
    """Return the joint that a force names; refuse one that does not exist or has several bodies."""
    if name in mechanism.shared:
        parts = [joint.name for joint in mechanism.joints if joint.of and joint.of.name == name]
        raise ForceError(f"{where} is in joint {name!r} of several bodies; name one of its pairs {parts}")
    if name not in mechanism.joint:
        near = hint(name, mechanism.joint)
        raise UnknownNameError(f"{where} names joint {name!r}, which does not exist{near}")
    return mechanism.joint[name]


def is_loose(mechanism: Mechanism, joint: Joint) -> bool:
    """Whether the bodies of a joint touch only, so that other joints guide them."""
    form = mechanism.form(joint)
    return form.curved or form.held is not None or joint.type in ("EO", "EPI", "RP", "RW")
