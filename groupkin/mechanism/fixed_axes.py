"""Bodies that turn about an axis of fixed direction only, as far as their joints to such bodies say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism
    from groupkin.mechanism.parts import Joint

Array = NDArray[np.float64]

PARALLEL = 1e-9
"""Sine of the angle between two axes up to which rounding explains it."""

GUIDES = ("R", "P", "H", "C", "PL")
"""Joints in space that allow no rotation but about their axis."""


def fixed_axes(mechanism: Mechanism) -> dict[str, Array]:
    """List the bodies in space that turn about one global direction only, with that direction (3,).

    Of a body that does not turn at all it is zero. A body turns so if a joint guides it along such a body about the
    same direction; what loops of several joints may enforce beyond that is left out.
    """
    found = {mechanism.frame: np.zeros(3)}
    waiting = [mechanism.frame]
    while waiting:
        body = waiting.pop()
        for joint in mechanism.joints_of[body]:
            other = joint.bodies[1 - joint.bodies.index(body)]
            axis = _axis(mechanism, joint)
            if axis is None:
                continue
            known = found[body]
            direction = axis if not known.any() else known
            if axis.any() and np.linalg.norm(np.cross(axis, direction)) > PARALLEL:
                continue
            if other not in found or (found[other].any() and not direction.any()):
                found[other] = direction
                waiting.append(other)
    return found


def _axis(mechanism: Mechanism, joint: Joint) -> Array | None:
    """The direction of the only rotation of a joint, zero where there is none; None of other joints."""
    if joint.type not in GUIDES or joint.axis is None:
        return None
    turns = any(move.rotation for move in mechanism.form(joint).moves)
    return mechanism.direction(joint) if turns else np.zeros(3)
