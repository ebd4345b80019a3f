"""How outputs oscillate about a position of rest or a steady motion where forces or drivers do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import floats
from groupkin.dynamics.simulation.free_motion import FreeMotion, equations_of
from groupkin.errors import ArgumentError
from groupkin.kinematics.motion.quantities import read
from groupkin.mechanism.laws.laws import Polynomial
from groupkin.messages import unknown
from groupkin.tolerances import CENTRAL_STEP
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.dynamics.vibrations.small_motions import Linearization


STEPS = (CENTRAL_STEP, 1e-3, 1e-2)
"""Of differences by what oscillates, rad or m, its rate and its acceleration, of which nothing has higher powers than
the first and second."""


def response(about: Linearization, force: str, output: str, frequencies: ArrayLike) -> NDArray[np.complex128]:
    """Compute what `Linearization.frequency_response` says.

    With c the derivatives of the output by coordinates and drivers, their rates and accelerations, and Q those of the
    forces, all along one another at the angular frequency w,

        z = (K + i w C - w² M)⁻¹ Q,   y = (c0 + i w c1 - w² c2) z

    where Q and y have terms of a driver's displacement, rate and acceleration too.
    """
    hertz = np.atleast_1d(floats(frequencies))
    if hertz.ndim != 1 or not np.isfinite(hertz).all():
        raise ArgumentError("frequencies must be a list of finite numbers, Hz")
    powers = (2j * np.pi * hertz[:, None]) ** np.arange(3)
    push, direct = _input(about, force, output)
    system = np.einsum("nk,kij->nij", powers, np.stack([about.stiffness, about.damping, about.mass]))
    found = [_solved(matrix, right) for matrix, right in zip(system, powers @ push, strict=True)]
    amplitudes = np.array(found).reshape(hertz.size, -1)
    felt = np.stack([_felt(about, int(k), output) for k in about.free.free], axis=1)
    return np.asarray(((powers @ felt) * amplitudes).sum(axis=1) + powers @ direct)


def _solved(matrix: NDArray[np.complex128], right: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Solve a system; NaN at a resonance without damping, such as that of a body that nothing holds at 0 Hz."""
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        return np.full(right.shape, complex(np.nan, np.nan))


def _input(about: Linearization, force: str, output: str) -> tuple[Array, Array]:
    """Find forces (3, f) and the output (3,) by what oscillates, its rate and its acceleration.

    Raises
    ------
    UnknownNameError
    """
    free = about.free
    mechanism, state = free.program.mechanism, (float(about.motion.times[0]), about.position, about.rates)
    push, direct = np.zeros((3, len(about.position))), np.zeros(3)
    drivers = [mechanism.driver_name(x.joint, x.freedom) for x in free.program.drivers]
    loads = [load.name for load in mechanism.forces if load.name]
    if force in about.coordinates:
        push[0, about.coordinates.index(force)] = 1.0
    elif force in drivers:
        k = drivers.index(force)
        direct = _felt(about, k, output)
        for order, step in enumerate(STEPS):
            sides = [_moved(free, k, state[0], order, sign * step).equations(*state)[1] for sign in (1.0, -1.0)]
            push[order] = (sides[0] - sides[1]) / (2.0 * step)
    elif force in loads:
        others = tuple(load for load in mechanism.forces if load.name != force)
        structure = replace(free.program.structure, mechanism=replace(mechanism, forces=others))
        without = equations_of(replace(free.program, structure=structure), free.laws)
        push[0] = free.equations(*state)[1] - without.equations(*state)[1]
    else:
        raise unknown("coordinate, driver or force", force, [*drivers, *loads])
    return push, direct


def _moved(free: FreeMotion, k: int, time: float, order: int, step: float) -> FreeMotion:
    """Let the law of driver k be larger by a step at a time, s, or its rate or acceleration."""
    law = free.laws[k]
    assert law is not None
    value, rate, gain = law.at(time)[:, 0] + step * (np.arange(3) == order)
    slope = rate - gain * time
    moved = Polynomial((value - slope * time - 0.5 * gain * time**2, slope, 0.5 * gain))
    return equations_of(free.program, (*free.laws[:k], moved, *free.laws[k + 1 :]))


def _felt(about: Linearization, k: int, output: str) -> Array:
    """Derivatives (3,) of an output by driver k, its rate and its acceleration.

    Raises
    ------
    UnknownNameError, ArgumentError
    """
    free, time = about.free, float(about.motion.times[0])
    given = np.repeat(free.by_laws(np.array([time])), 6, axis=2)
    given[0, free.free], given[1, free.free] = about.position[:, None], about.rates[:, None]
    for order, step in enumerate(STEPS):
        given[order, k, 2 * order : 2 * order + 2] += step, -step
    found = read(free.program.evaluate(*given), output)
    if found.ndim > 1 and found[0].size > 1:
        raise ArgumentError(f"the output {output!r} has several components; name one of them, such as {output}.x")
    ahead, behind = found.reshape(3, 2).T
    return np.asarray((ahead - behind) / (2.0 * np.array(STEPS)))
