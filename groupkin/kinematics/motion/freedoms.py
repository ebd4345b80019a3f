"""Freedoms of joints as quantities, each with its name."""

from __future__ import annotations

from dataclasses import replace

from groupkin.errors import QuantityError, UnknownNameError
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.mechanism.mechanism import Mechanism


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
