"""Derivatives of designs against differences of designs beside them, and the backward pass against the forward one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import GroupkinError
from groupkin.kinematics.parameters.nominal_values import unit

Array = NDArray[np.float64]

SIXTH = {1: 3.0 / 4.0, 2: -3.0 / 20.0, 3: 1.0 / 60.0}
EIGHTH = {1: 4.0 / 5.0, 2: -1.0 / 5.0, 3: 4.0 / 105.0, 4: -1.0 / 280.0}
"""Weights of differences to both sides, right to the sixth and eighth order."""


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
    for k, length in enumerate(units):
        # where designs beside are nearly singular, a shorter step is right, of which the eighth order is enough
        for part, weights_of in ((step, SIXTH), (step / 16, EIGHTH)):
            expected = _differences(design, x, times, k, part * conditioning * length, weights_of, slopes)
            if expected is None:
                break
            # also where a parameter changes nothing: what a change of the whole size would
            scales = {of: np.abs(each).max() + size * rate ** order_of(of) / length for of, each in expected.items()}
            miss, of = max((np.abs(slopes[of][k] - each).max() / scales[of], of) for of, each in expected.items())
            # truncation (step / conditioning)⁶, and of the solution 1e-11 at most over the step and the conditioning
            if miss < 1e-7 / conditioning:
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
    design: gk.Design, x: Array, times: Array, k: int, h: float, weights: Mapping[int, float], quantities: Iterable[str]
) -> dict[str, Array] | None:
    """Derivatives of quantities by one parameter; None if designs beside cannot be solved."""
    aside = h * np.eye(x.size)[k]
    try:
        pairs = {j: (design.solve(x + j * aside, times), design.solve(x - j * aside, times)) for j in weights}
    except GroupkinError:
        return None
    found = {}
    for of in quantities:
        parts = [w * (pairs[j][0].read(of) - pairs[j][1].read(of)) for j, w in weights.items()]
        found[of] = np.sum(parts, axis=0) / h
    return found


def order_of(quantity: str) -> int:
    """Order of the derivative by time."""
    kind = quantity.split()[0]
    return 2 if "acceleration" in kind else 1 if "velocity" in kind or "rate" in kind else 0
