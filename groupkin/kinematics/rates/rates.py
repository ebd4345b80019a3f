"""Twists of all bodies from the rates of the drivers, and loads on bodies carried back to the drivers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import floats
from groupkin.errors import ArgumentError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.rate_map import rate_map

Array = NDArray[np.float64]


def rates(program: Program, motion: Motion, directions: ArrayLike) -> Array:
    """Compute the twists of all bodies that given rates of the drivers lead to, at the positions of a motion.

    Parameters
    ----------
    program : Program
    motion : Motion
        Of this program; only its positions matter.
    directions : (drivers,), (drivers, m) or (drivers, m, n) array_like
        Rates of the drivers, in the order of ``program.drivers``, rad/s or m/s: one direction, or m of them, the same
        at all steps or others at each.

    Returns
    -------
    (bodies, 3 or 6, m, n) array
        Of every movable body, in the order of ``program.mechanism.movable``: its angular velocity, rad/s (one number in
        the plane), and the velocity of its origin, m/s. For one direction without the axis m. NaN where a group is not
        solved.

    Raises
    ------
    ArgumentError
    """
    given = _given(program, motion, "directions", directions, (len(program.drivers),))
    d = program.mechanism.dimension
    out = _applied(program, motion, given, (len(program.mechanism.movable), 3 * (d - 1)), False)
    return out[..., 0, :] if np.ndim(directions) == 1 else out


def rates_transposed(program: Program, motion: Motion, loads: ArrayLike) -> Array:
    """Carry loads on bodies back to the drivers: the transpose of `rates`.

    The power of the loads at any rates of the drivers is the inner product of these with what is returned. So a
    mechanism on which the loads act is held, at rest and without other forces, by the opposite forces and torques.

    Parameters
    ----------
    program : Program
    motion : Motion
        Of this program; only its positions matter.
    loads : (bodies, 3 or 6), (bodies, 3 or 6, m) or (bodies, 3 or 6, m, n) array_like
        On every movable body, in the order of ``program.mechanism.movable``: a torque, N m (one number in the plane),
        and a force on its origin, N.

    Returns
    -------
    (drivers, m, n) array
        N m or N. For one load without the axis m. NaN where a group is not solved.

    Raises
    ------
    ArgumentError
    """
    shape = (len(program.mechanism.movable), 3 * (program.mechanism.dimension - 1))
    given = _given(program, motion, "loads", loads, shape)
    out = _applied(program, motion, given, (len(program.drivers),), True)
    return out[..., 0, :] if np.ndim(loads) == 2 else out


def _given(program: Program, motion: Motion, name: str, numbers: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Directions or loads as an array (k, m, n), or (k, m, 1) if they are the same at all steps; k numbers each."""
    if not isinstance(motion, Motion) or motion.program is not program:
        raise ArgumentError("motion must be one of the same program")
    array, n = floats(numbers), motion.times.size
    more = array.shape[len(shape) :]
    if array.shape[: len(shape)] != shape or len(more) > 2 or (len(more) == 2 and more[1] != n):
        wanted = ", ".join(map(str, shape))
        raise ArgumentError(
            f"{name} must have the shape ({wanted}), ({wanted}, m) or ({wanted}, m, {n}), not {array.shape}"
        )
    return np.require(array.reshape(math.prod(shape), *more, *(1,) * (2 - len(more))), requirements=["C", "W"])


def _applied(program: Program, motion: Motion, x: Array, shape: tuple[int, ...], transposed: bool) -> Array:
    found = rate_map(program, transposed).apply(motion, x)
    return found.reshape(*shape, *found.shape[1:])
