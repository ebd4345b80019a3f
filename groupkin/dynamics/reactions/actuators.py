"""Actuators elsewhere than the drivers: what they must exert so that the drivers need not do anything."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from groupkin.arguments import floats
from groupkin.dynamics.reactions.freedom_wrenches import units
from groupkin.errors import ArgumentError, LoadError
from groupkin.kinematics.jacobians.jacobian import jacobian
from groupkin.kinematics.motion.freedoms import Freedoms, freedom_of, freedoms_by_name, freedoms_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.program.program import Program
from groupkin.messages import counted
from groupkin.tolerances import ACTUATORS_SINGULAR
from sglibrary.array_types import Array, Flags
from sglibrary.inverses import inverse, room


def actuator_freedoms(program: Program, names: Sequence[str]) -> Freedoms:
    """Find the freedoms that actuators move, by their names.

    Raises
    ------
    UnknownNameError, ArgumentError, LoadError
        If there is no such freedom, one is named twice, or there are fewer than drivers.
    """
    every = freedoms_by_name(program.mechanism)
    found = {name: every[name] if name in every else freedom_of(program.mechanism, name) for name in names}
    if len(found) < len(names):
        raise ArgumentError(f"actuators name a freedom twice: {', '.join(names)}")
    if len(names) < len(program.drivers):
        raise LoadError(
            f"{counted(len(names), 'actuator')} cannot hold a mechanism with "
            f"{counted(len(program.drivers), 'driver')} at any load; name as many at least"
        )
    return found


def shares(freedoms: Freedoms, weights: Sequence[float] | None) -> Array:
    """Compute what each actuator's rates are multiplied by, so that its force has a given weight.

    Raises
    ------
    ArgumentError
    """
    share = 1.0 / np.sqrt(np.ones(len(freedoms)) if weights is None else floats(weights))
    if share.shape != (len(freedoms),) or not (np.isfinite(share) & (share > 0)).all():
        raise ArgumentError(f"weights must be {counted(len(freedoms), 'positive number')}, one for each actuator")
    return share


def shared_forces(motion: Motion, freedoms: Freedoms, driving: Array, share: Array) -> dict[str, Array]:
    """Share out the forces of the drivers (drivers, n) to actuators: of least weighted norm if these are more.

    The power of both is the same at all rates of the drivers, Rᵀ f = driving, with the rates R of the actuated
    freedoms by those of the drivers.

    Raises
    ------
    LoadError
        Where the actuators do not move with the drivers, so that no forces of theirs hold the mechanism.
    """
    rows: list[str | Quantity] = [
        freedoms_of(Quantity("joint", joint), motion.program.mechanism)[k] for joint, k in freedoms.values()
    ]
    rates = jacobian(motion, rows).values * share[:, None]  # (n, actuators, drivers)
    alike = float(share.min() * units(motion.program, freedoms.values()).min())
    forces = np.full((motion.times.size, len(freedoms)), np.nan)
    placed = motion.placed & np.isfinite(rates).all(axis=(1, 2))
    if rates.shape[1] == rates.shape[2] > 0:
        solved, clear = _solved(rates, driving, alike)
        forces[placed & clear] = solved[placed & clear]
        placed &= ~clear
    left, values, right = np.linalg.svd(rates[placed], full_matrices=False)
    least = ACTUATORS_SINGULAR * np.maximum(values.max(axis=1, initial=0.0), alike)
    lost = values[:, -1] <= least if values.shape[1] else np.zeros(len(values), bool)
    if lost.any():
        time = motion.times[placed][int(np.argmax(lost))]
        raise LoadError(
            f"the actuators {', '.join(freedoms)} cannot carry the load at t = {time:g} s: the mechanism can move "
            "there while they stand still. Choose other actuators, or more"
        )
    inner = np.einsum("nij,jn->ni", right, driving[:, placed]) / values
    forces[placed] = np.einsum("nai,ni->na", left, inner)
    forces *= share
    return dict(zip(freedoms, np.ascontiguousarray(forces.T), strict=True))


def _solved(rates: Array, driving: Array, alike: float) -> tuple[Array, Flags]:
    """Solve Rᵀ f = driving where there are as many actuators as drivers.

    `alike` is the rate of an actuator that moves as its driver does.

    Returns
    -------
    (n, k) array
        f.
    (n,) array of bool
        Where R is so far from singular that no singular values need to be found: its norm, or `alike` if that is more,
        times that of its inverse, which is not less than with singular values, says so.
    """
    n, k, _ = rates.shape
    both, unused = np.empty((2 * k * k, n)), np.zeros(0)
    both[: k * k] = np.moveaxis(rates, 0, -1).reshape(k * k, n)
    memory, rows = np.empty(math.prod(room(k))), np.arange(2 * k * k)
    inverse(both, both, both, memory, rows, unused, np.zeros(0, np.uint8), unused, n)
    matrix, inverted = both[: k * k], both[k * k :]
    with np.errstate(all="ignore"):  # next to singular
        largest = np.maximum((matrix * matrix).sum(axis=0), alike * alike)
        ratio = 1.0 / np.sqrt(largest * (inverted * inverted).sum(axis=0))
    found = np.zeros((k, n))
    for d in range(k):
        found += inverted[d * k : (d + 1) * k] * driving[d]
    return found.T, ratio > ACTUATORS_SINGULAR
