"""The residual of a motion: how far it is from closing the joints and from following the drivers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import allowed_placement, placement_residual, reference_coordinates, relation
from groupkin.model.geometry.frames import JointGeometry

Array = NDArray[np.float64]

SAMPLES = 2000
"""Steps at which residuals are computed, at most, evenly spread."""


@checked
def max_residual(motion: Motion) -> float:
    """Compute the largest residual of any joint or driver at solved steps.

    At most `SAMPLES` evenly spread steps are examined.

    Returns
    -------
    float
        Lengths relative to the mechanism's size, angles in rad; NaN if no step was solved.
    """
    steps = np.flatnonzero(motion.solved)
    if not steps.size:
        return float("nan")
    return float(residuals(motion.at(steps[:: max(1, -(-steps.size // SAMPLES))])).max())


def residuals(motion: Motion, name: str = "") -> Array:
    """Compute the largest residual (n,) of any joint or driver, or of one joint; NaN at steps that are not solved."""
    steps = np.flatnonzero(motion.solved)
    solved, out = motion.at(steps), np.full(motion.times.size, np.nan)
    driven: dict[str, dict[int, Array]] = {joint.name: {} for joint in motion.program.mechanism.joints}
    for driver, values in zip(motion.program.drivers, solved.driven[:, 0], strict=True):
        driven[driver.joint][driver.freedom] = values
    wanted = [name] if name else list(driven)
    each = [np.zeros(steps.size), *(joint_residual(solved, joint, driven[joint]) for joint in wanted)]
    out[steps] = np.max(each, axis=0)
    return out


def joint_residual(motion: Motion, name: str, driven: Mapping[int, Array]) -> Array:
    """Compute the residual (n,) of a joint at each step; see `max_residual`.

    Parameters
    ----------
    motion : Motion
        Of n solved steps.
    name : str
        Of the joint.
    driven : mapping of int to (n,) array
        Values (rad or m) of its driven freedoms, by index.
    """
    program = motion.program
    geometry, size = program.geometry.joints[name], program.geometry.size
    form = program.mechanism.form(program.mechanism.joint[name])
    fixed = {form.places[freedom]: value for freedom, value in driven.items()}
    if form.held is not None:
        fixed[form.held] = reference_coordinates(form, geometry)[form.held]
    placed = motion.relative_placement(name)
    values, allowed = allowed_placement(form, geometry, placed, fixed)
    return np.maximum(_relation_residual(form, geometry, values, size), placement_residual(placed, allowed, size))


def _relation_residual(form: Form, geometry: JointGeometry, values: Array, size: float) -> Array:
    """Compute the residual (n,) of the relation between an angle and a displacement, whole turns aside.

    The relation between the angles of two gears needs their whole turns and is left to `groupkin.compare`.
    """
    if form.coupled is None or all(form.moves[k].rotation for k in form.coupled):
        return np.zeros(1)
    coefficients, value = relation(form, geometry)
    gap = coefficients @ values[list(form.coupled)] - value
    turned = 2 * np.pi * next(c for c, k in zip(coefficients, form.coupled, strict=True) if form.moves[k].rotation)
    return np.asarray(np.abs(gap - turned * np.round(gap / turned)) / size)
