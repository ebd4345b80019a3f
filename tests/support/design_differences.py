"""Derivatives of designs against differences of designs beside them, and the backward pass against the forward one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import GroupkinError
from groupkin.kinematics.parameters.nominal_values import unit

Array = NDArray[np.float64]

WEIGHTS = {1: 3.0 / 4.0, 2: -3.0 / 20.0, 3: 1.0 / 60.0}
"""Of differences to both sides, right to the sixth order."""


def parameters_of(program: gk.Program) -> list[str]:
    """All points and axes of joints, on each of their bodies, that designs of a program may change."""
    found = []
    for joint in program.mechanism.joints:
        for body in joint.bodies:
            for text in (f"joint {joint.name}@{body}", f"axis {joint.name}@{body}"):
                try:
                    gk.design(program, [text])
                except GroupkinError:
                    continue
                found.append(text)
    return found


def check_derivatives(
    design: gk.Design, times: Array, quantities: Sequence[str], values: Array | None = None, step: float = 2e-3
) -> int:
    """Check derivatives of all quantities; the number of parameters with designs beside that can be solved."""
    x = design.nominal if values is None else values
    found, rng, checked = design.solve(x, times, derivatives=True), np.random.default_rng(0), 0
    motion, conditioning = found.motion, found.motion.conditioning.min()
    size, rate = design.program.geometry.size, 1.0 + np.abs(motion.driven[:, 1]).max(initial=0.0)
    units = np.array([size if unit(p, design.program) == "m" else 1.0 for p in design.parameters])
    slopes = {of: found.read(of) for of in quantities}
    for k, unit_of_step in enumerate(units):
        # where the sixth order is not yet reached, as beside singular positions, a shorter step is right
        for part in (step, step / 16):
            h = part * conditioning * unit_of_step
            expected = _differences(design, x, times, k, h, slopes)
            if expected is None:
                break
            # also where a parameter changes nothing: what a change of the whole size would
            scales = {of: np.abs(each).max() + size * rate ** order_of(of) / units[k] for of, each in expected.items()}
            miss, of = max((np.abs(slopes[of][k] - each).max() / scales[of], of) for of, each in expected.items())
            # truncation (step / conditioning)⁶, and of the solution 1e-11 at most over the step and the conditioning
            if miss < (1e-7 + 1e-11 / part) / conditioning:
                checked += 1
                break
        else:
            raise AssertionError((of, design.names[k], miss))
    for of, slope in slopes.items():
        weights = rng.normal(size=motion.read(of).shape)
        gradient, parts = found.gradient({of: weights}), (slope * weights).reshape(len(slope), -1)
        # the same products, summed in another order
        scale = np.abs(parts).sum(axis=1).max() + size * rate ** order_of(of) / units.min()
        assert np.abs(gradient - parts.sum(axis=1)).max() <= 1e-11 / conditioning * scale, of
    return checked


def _differences(
    design: gk.Design, x: Array, times: Array, k: int, h: float, quantities: Iterable[str]
) -> dict[str, Array] | None:
    """Derivatives of quantities by one parameter; None if designs beside cannot be solved."""
    try:
        beside = {j: design.solve(x + j * h * np.eye(x.size)[k], times) for j in (-3, -2, -1, 1, 2, 3)}
    except GroupkinError:
        return None
    return {
        of: sum((w * (beside[j].read(of) - beside[-j].read(of)) for j, w in WEIGHTS.items()), np.zeros(())) / h
        for of in quantities
    }


def order_of(quantity: str) -> int:
    """Order of the derivative by time."""
    kind = quantity.split()[0]
    return 2 if "acceleration" in kind else 1 if "velocity" in kind or "rate" in kind else 0
