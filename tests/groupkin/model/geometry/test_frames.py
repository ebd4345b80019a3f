"""Frames of joints whose axes are nearly where they would not be determined."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.model.geometry.frames import SLIGHT
from groupkin.model.geometry.geometry import resolve


@pytest.mark.parametrize("slight", [0.3, 9e-5, 1e-7])
@pytest.mark.parametrize("kind", ["EO", "U", "ER"])
def test_frames_stay_orthonormal_where_differences_lose_digits(kind: str, slight: float) -> None:
    """Axes of a gear near the line of centers, and two axes that are nearly parallel."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        way, aside = rng.normal(size=(2, 3))
        near = tuple(way / np.linalg.norm(way) + slight * aside)
        if kind == "EO":
            given = {"points": ((0.0, 0.0, 0.0), tuple(way)), "axes": (near, tuple(aside)), "radii": (1.0, 2.0)}
        else:
            given = {"point": (0.1, 0.2, 0.3), "axes": (tuple(way), near)}
        joint = gk.Joint("J", kind, ("one", "two"), **given)
        frames = resolve(gk.Mechanism(3, ["one", "two"], [joint])).joints["J"].frames
        # rounding errors of a difference, over the sine from which on it is taken as it is
        bound = 3e-15 if slight < SLIGHT else 1e-15 / SLIGHT
        np.testing.assert_allclose(np.swapaxes(frames, 1, 2) @ frames, [np.eye(3)] * 2, rtol=0.0, atol=bound)
