"""Motion laws of samples: which number of which law varies, and what the drivers then do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.sweeps.parameters import LawValue
from cluster.sweeps.targets import unknown
from groupkin.errors import LawError, SweepError
from groupkin.kinematics.program.program import Driven, Program
from groupkin.mechanism.laws import Law
from groupkin.mechanism.pairs import freedom_index, nearest

Array = NDArray[np.float64]


def driver_of(target: LawValue, program: Program) -> int:
    """Number of the driver whose law a parameter changes."""
    joints = program.mechanism.joint
    own = [
        k
        for k, driven in enumerate(program.drivers)
        if target.joint in (driven.joint, getattr(joints[driven.joint].of, "name", None))
    ]
    if not own:
        raise unknown("driven joint", target.joint, [driven.joint for driven in program.drivers])
    if not target.freedom and len(own) == 1:
        return own[0]
    joint = joints[program.drivers[own[0]].joint]
    names = [program.mechanism.freedoms(joint)[program.drivers[k].freedom].name for k in own]
    if target.freedom not in names:
        raise SweepError(f"joint {target.joint!r} is driven in {', '.join(names)}; name one as `freedom`")
    index = freedom_index(joint.type, program.mechanism.dimension, target.freedom, joint.follower)
    return next(k for k in own if program.drivers[k].freedom == index)


def law_value(law: Law, target: LawValue) -> Array:
    """The nominal value of a number of a law."""
    known = [field.name for field in fields(law) if field.name not in ("label", "degree", "periodic")]
    kind = type(law).__name__
    if target.field not in known:
        near = nearest(target.field, known)
        raise SweepError(
            f"the law of the driver of joint {target.joint!r} is a {kind} and has no {target.field!r}"
            + (f" (did you mean {near}?)" if near else "")
            + f"; it has {', '.join(known)}"
        )
    found = np.asarray(getattr(law, target.field), float)
    if found.ndim == 0 and target.index is None:
        return found
    if found.ndim == 0 or target.index is None or not 0 <= target.index < found.size:
        has = "is one number, without `index`" if found.ndim == 0 else f"needs an `index` from 0 to {found.size - 1}"
        raise SweepError(f"{target.field!r} of the {kind} of joint {target.joint!r} {has}")
    return np.asarray(found[target.index])


def changed_law(law: Law, target: LawValue, value: float) -> Law:
    """A law with one of its numbers changed."""
    changed: dict[str, Any] = {target.field: value}
    if target.index is not None:
        numbers = list(getattr(law, target.field))
        numbers[target.index] = value
        changed[target.field] = tuple(numbers)
    return replace(law, **changed)


def rows_of(driven: Driven, changes: Mapping[LawValue, Array], times: Array, out: Array) -> None:
    """Value, rate and acceleration (n, 3, t) of a driver for n samples, at the same times (t,) or at own ones (n, t).

    Laws are linear in their amplitudes; where only these vary, none is evaluated more than once. NaN of samples whose
    law is not possible, such as one of samples at times that do not increase.
    """
    law = driven.law
    if all(target.field in law.AMPLITUDES for target in changes):
        out[:] = _at(law, times)
        for target, values in changes.items():
            here = float(law_value(law, target))
            zero = law.scaled(0.0)
            basis = _at(changed_law(zero, target, 1.0), times)
            out += (values - here)[:, None, None] * basis
        return
    for k in range(len(out)):
        try:
            one = law
            for target, values in changes.items():
                one = changed_law(one, target, float(values[k]))
            out[k] = one.at(times if times.ndim == 1 else times[k])
        except LawError:
            out[k] = np.nan


def _at(law: Law, times: Array) -> Array:
    """Value, rate and acceleration (3, t) at times (t,), or (n, 3, t) at times (n, t)."""
    return np.moveaxis(law.at(times.ravel()).reshape(3, *times.shape), 0, -2)
