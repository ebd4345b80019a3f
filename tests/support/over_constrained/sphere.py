"""Spherical mechanisms: the axes of all hinges meet in a point."""

from __future__ import annotations

import numpy as np

from tests.support.over_constrained.loops import Array, Family, Rng, loop


def concurrent(axes: Array, rng: Rng) -> tuple[list[Array], list[Array]]:
    """Hinges anywhere on axes through one point."""
    axes = axes + rng.uniform(-0.1, 0.1, axes.shape)
    return [rng.uniform(0.5, 1.5) * axis for axis in axes], list(axes)


def spherical_four_bar(rng: Rng) -> Family:
    return loop(*concurrent(np.array([(0, 0, 1), (0.3, 0, 1), (0.5, 0.8, 0.5), (1, 0.2, 0.1)]), rng))


def spherical_five_bar(rng: Rng) -> Family:
    axes = np.array([(0, 0, 1), (-0.5, 0.5, 1), (0.2, 1.2, 0.6), (0.9, 0.8, 0.4), (1, 0, 0.5)])
    return loop(*concurrent(axes, rng), "AE")


def spherical_3rrr(rng: Rng) -> Family:
    bodies, joints, unit = ["frame", "eye"], [], np.eye(3)
    for k in range(3):
        axes = unit[[k, (k + 2) % 3, (k + 1) % 3]] + rng.uniform(-0.15, 0.15, (3, 3))
        bodies += [f"p{k}", f"d{k}"]
        ends = [("frame", f"p{k}"), (f"p{k}", f"d{k}"), (f"d{k}", "eye")]
        for n, pair, axis in zip("mwv", ends, axes, strict=True):
            joints.append((f"{n}{k}", "R", pair, rng.uniform(0.5, 1.5) * axis, axis))
    return bodies, joints, ["m0", "m1", "m2"]


def spherical_six_bar(rng: Rng) -> Family:
    """A four-bar whose last link moves a second one."""
    bodies, joints, motors = spherical_four_bar(rng)
    points, axes = concurrent(np.array([(1.0, 0.8, 0.2), (0.6, 1.2, -0.5), (0.9, 0.1, -0.6)]), rng)
    ends = [("b3", "b4"), ("b4", "b5"), ("b5", "frame")]
    joints += [(n, "R", pair, p, axis) for n, pair, p, axis in zip("EFG", ends, points, axes, strict=True)]
    return [*bodies, "b4", "b5"], joints, motors
