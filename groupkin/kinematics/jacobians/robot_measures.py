"""Dexterity, stiffness and errors of a robot's tool, from its Jacobian."""

from __future__ import annotations

import numpy as np

from groupkin.by_name import function
from groupkin.kinematics.jacobians.jacobian import jacobian
from groupkin.kinematics.jacobians.matrices import Jacobian
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.motion.robots import inputs_of, of_inputs, stiffness_of
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.robots import Robot
from sglibrary.array_types import Array

STIFFNESS, ERRORS = ("stiffness", "smallest_stiffness", "largest_stiffness"), ("worst_error", "rss_error")


def read_robot(kind: str, motion: Motion, name: str) -> Array:
    """Read a quantity of a robot from a motion, (n,) or (n, d)."""
    mechanism = motion.program.mechanism
    robot = mechanism.robot[name]
    parameters = of_inputs(robot.errors, robot, mechanism)[1] if kind in ERRORS else {}
    slopes = np.zeros((motion.times.size, mechanism.dimension, 0))
    if parameters:
        slopes = function("groupkin.kinematics.design.tool_changes:tool_changes")(motion, robot, tuple(parameters))
    of_tool = jacobian(motion, Quantity("twist", robot.tool), inputs_of(robot, mechanism))
    return measure(kind, robot, mechanism, of_tool, slopes)


def measure(kind: str, robot: Robot, mechanism: Mechanism, of_tool: Jacobian, slopes: Array) -> Array:
    """Compute a quantity of a robot.

    Parameters
    ----------
    kind : str
    robot : Robot
    mechanism : Mechanism
    of_tool : Jacobian
        Of the twist of the tool by the freedoms that drive the robot.
    slopes : (n, d, parameters) array
        Of the tool's position by the parameters that have errors, in the order in which they are stated.

    Returns
    -------
    (n,) or (n, d) array
        NaN where the Jacobian is not finite.
    """
    if kind in STIFFNESS:
        known = stiffness_of(robot, mechanism)
        return _stiffness(kind, of_tool.translation.values, np.array([known.get(x, np.inf) for x in of_tool.inputs]))
    if kind in ERRORS:
        known, others = of_inputs(robot.errors, robot, mechanism)
        sizes = np.array([*(known.get(x, 0.0) for x in of_tool.inputs), *others.values()])
        parts = np.concatenate([of_tool.translation.values, slopes], axis=2) * sizes
        return np.abs(parts).sum(axis=2) if kind == "worst_error" else np.sqrt((parts**2).sum(axis=2))
    chosen = of_tool if robot.motion == "twist" else getattr(of_tool, robot.motion)
    if kind == "condition_number":
        return np.asarray(chosen.condition(robot.length))
    if kind == "manipulability":
        return np.asarray(chosen.manipulability(robot.length))
    values = chosen.singular_values(robot.length)
    if kind == "dexterity":
        return np.asarray(values[:, -1] / values[:, 0])
    return np.asarray(values[:, 0 if kind == "largest_singular_value" else -1])


def _stiffness(kind: str, values: Array, stiffness: Array) -> Array:
    """Compute a stiffness of the tool, N/m, from its velocities (n, d, m) and the stiffness (m,) of what drives it.

    The compliance of the tool is C = J k⁻¹ Jᵀ, as forces F on it load the drivers by Jᵀ F (Salisbury 1980); its inverse
    K = J⁻ᵀ k J⁻¹ has the reciprocal eigenvalues. A force along an axis shifts the tool along it by its diagonal entry.
    """
    compliance = np.einsum("nik,njk->nij", values / stiffness, values)
    with np.errstate(divide="ignore"):
        if kind == "stiffness":
            return np.asarray(1.0 / np.diagonal(compliance, axis1=1, axis2=2))
        finite = np.isfinite(values).all(axis=(1, 2))
        found = np.full(len(values), np.nan)
        # singular values of J k^(-1/2) are as exact as J is, those of C lose half of the digits
        roots = np.linalg.svd(values[finite] / np.sqrt(stiffness), compute_uv=False)
        least = roots[:, -1] if values.shape[2] >= values.shape[1] else np.zeros(len(roots))
        found[finite] = 1.0 / (roots[:, 0] if kind == "smallest_stiffness" else least) ** 2
    return found
