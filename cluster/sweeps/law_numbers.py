"""Numbers of motion laws that vary: which driver has them, what they are nominally, and laws with other ones."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.sweeps.locations import unknown
from cluster.sweeps.parameters import LawValue
from groupkin.errors import SweepError
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.laws import Law
from groupkin.mechanism.pairs import freedom_index, nearest

Array = NDArray[np.float64]


def driver_of(target: LawValue, program: Program) -> int:
    """Return the number of the driver whose law a parameter changes."""
    joints = program.mechanism.joint
    matching = [
        k
        for k, driven in enumerate(program.drivers)
        if target.joint in (driven.joint, getattr(joints[driven.joint].of, "name", None))
    ]
    if not matching:
        raise unknown("driven joint", target.joint, [driven.joint for driven in program.drivers])
    if not target.freedom and len(matching) == 1:
        return matching[0]
    joint = joints[program.drivers[matching[0]].joint]
    names = [program.mechanism.freedoms(joint)[program.drivers[k].freedom].name for k in matching]
    if target.freedom not in names:
        raise SweepError(f"joint {target.joint!r} is driven in {', '.join(names)}; name one as `freedom`")
    index = freedom_index(joint.type, program.mechanism.dimension, target.freedom, joint.follower)
    return next(k for k in matching if program.drivers[k].freedom == index)


def law_value(law: Law, target: LawValue) -> Array:
    """Return the nominal value of a number of a law."""
    names = [field.name for field in fields(law) if field.name not in ("label", "degree", "periodic")]
    kind = type(law).__name__
    if target.field not in names:
        near = nearest(target.field, names)
        raise SweepError(
            f"the law of the driver of joint {target.joint!r} is a {kind} and has no {target.field!r}"
            + (f" (did you mean {near}?)" if near else "")
            + f"; it has {', '.join(names)}"
        )
    value = np.asarray(getattr(law, target.field), float)
    if value.ndim == 0 and target.index is None:
        return value
    if value.ndim == 0 or target.index is None or not 0 <= target.index < value.size:
        has = "is one number, without `index`" if value.ndim == 0 else f"needs an `index` from 0 to {value.size - 1}"
        raise SweepError(f"{target.field!r} of the {kind} of joint {target.joint!r} {has}")
    return np.asarray(value[target.index])


def changed_law(law: Law, target: LawValue, value: float) -> Law:
    """Return a law with one of its numbers changed."""
    changed: dict[str, Any] = {target.field: value}
    if target.index is not None:
        numbers = list(getattr(law, target.field))
        numbers[target.index] = value
        changed[target.field] = tuple(numbers)
    return replace(law, **changed)
