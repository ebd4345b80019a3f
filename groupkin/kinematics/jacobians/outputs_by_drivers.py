"""Derivatives of outputs by drivers, as quantities."""

from __future__ import annotations

from groupkin.kinematics.jacobians.jacobian import jacobian
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, driven_freedom
from sglibrary.array_types import Array


def read_influence(motion: Motion, of: tuple[str, str]) -> Array:
    """Differentiate an output by a driven freedom, the other drivers standing still: (n,) or (n, d).

    Raises
    ------
    NotModeledError
        If the output does not follow from positions.
    """
    output, freedom = of
    values = jacobian(motion, Quantity("output", output), driven_freedom(freedom, motion.program.mechanism)).values[
        ..., 0
    ]
    return values[:, 0] if values.shape[1] == 1 else values
