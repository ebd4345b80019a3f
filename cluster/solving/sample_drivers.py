"""Motion laws of samples in which numbers of the laws vary."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cluster.sweeps.law_numbers import changed_law, law_value
from cluster.sweeps.parameters import LawValue
from groupkin.errors import LawError
from groupkin.kinematics.program.program import Driven
from groupkin.mechanism.laws import Law

Array = NDArray[np.float64]


def rows_of(driven: Driven, changes: Mapping[LawValue, Array], times: Array, out: Array) -> None:
    """Write value, rate and acceleration of a driver for n samples.

    Laws are linear in their amplitudes; where only these vary, none is evaluated more than once.

    Parameters
    ----------
    driven : Driven
    changes : mapping of LawValue to (n,) array
        What varies of the law, and its values.
    times : (t,) or (n, t) array
        s; the same for all samples, or those of each.
    out : (n, 3, t) array
        Filled; NaN of samples whose law is not possible, such as one of samples at times that do not increase.
    """
    law = driven.law
    if all(target.field in law.AMPLITUDES for target in changes):
        out[:] = _at(law, times)
        for target, values in changes.items():
            nominal = float(law_value(law, target))
            basis = _at(changed_law(law.scaled(0.0), target, 1.0), times)
            out += (values - nominal)[:, None, None] * basis
        return
    for k in range(len(out)):
        try:
            changed = law
            for target, values in changes.items():
                changed = changed_law(changed, target, float(values[k]))
            out[k] = changed.at(times if times.ndim == 1 else times[k])
        except LawError:
            out[k] = np.nan


def _at(law: Law, times: Array) -> Array:
    """Evaluate a law at times (t,) as (3, t), or at times (n, t) as (n, 3, t)."""
    return np.moveaxis(law.at(times.ravel()).reshape(3, *times.shape), 0, -2)
