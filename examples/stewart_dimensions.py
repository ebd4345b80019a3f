"""Dimensions with which a Stewart platform is as well conditioned as can be all over a workspace.

python examples/stewart_dimensions.py

The joints of the base and those of the platform are pairs on two circles, 120° from pair to pair. Unknown are the
radius of the base, half the angle of its pairs and of those of the platform, and the height above the base of the
workspace's center; the radius of the platform is 350 mm. The workspace is a box in which the platform may also tilt and
twist. The aim is the least reciprocal condition number of the Jacobian at all its corners, in the middle of its faces
and in its center, made of one unit by the platform's radius (Gosselin and Angeles, 1991, ASME J. Mech. Des. 113): 1 is
best, 0 is singular.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import differential_evolution

import groupkin as gk

Array = NDArray[np.float64]

EXAMPLE = gk.load(Path(__file__).parent / "stewart_inverse.toml")
CENTER = np.array([0.0, 0.0, 0.5, 0.0, 0.0, 0.0])
REACH = np.array([0.08, 0.06, 0.06, *np.radians([15, 10, 20])])
"""Of the workspace: m, rad."""

POSES = CENTER + REACH * np.array([*product([-1, 1], repeat=6), *np.eye(6), *-np.eye(6), np.zeros(6)])
TIMES = np.arange(float(len(POSES)))
"""Each second has a pose of its own."""

RADIUS = 0.35  # of the platform, m
LEGS = range(1, 7)
BOUNDS = [(0.2, 0.7), (np.radians(5), np.radians(55)), (np.radians(5), np.radians(55)), (0.3, 0.8)]


def through(poses: Array) -> gk.Mechanism:
    """Drive the platform through poses (n, 6), one after another."""
    still = [0.0] * len(poses)
    laws = [gk.Samples(TIMES.tolist(), values.tolist(), still, still) for values in poses.T]
    return replace(EXAMPLE, drivers=[replace(x, law=law) for x, law in zip(EXAMPLE.drivers, laws, strict=True)])


DESIGN = gk.design(
    through(POSES),
    [f"B{k}@base.{axis}" for k in LEGS for axis in "xyz"] + [f"P{k}@platform.{axis}" for k in LEGS for axis in "xy"],
)


def rows_of(unknowns: Array) -> Array:
    """Values (n, 30) of the parameters, of unknowns (n, 4): radius, two half angles, height."""
    radius, base, platform, height = unknowns.T[:, :, None]
    middle, side = np.radians([0, 120, 120, 240, 240, 0]), np.array([1, -1, 1, -1, 1, -1])
    on_base = middle + side * base
    on_platform = np.radians([60, 60, 180, 180, 300, 300]) - side * platform
    feet = np.concatenate([circle(radius, on_base), np.repeat(CENTER[2] - height[..., None], 6, axis=1)], axis=2)
    return np.concatenate([feet.reshape(-1, 18), circle(RADIUS, on_platform).reshape(-1, 12)], axis=1)


def circle(radius: Array | float, angles: Array) -> Array:
    """Points (n, 6, 2) of a circle at angles (n, 6)."""
    return np.asarray(np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=2))


def conditioning(unknowns: Array) -> Array:
    """Least reciprocal condition number (n,) of designs in the workspace; 0 of those that cannot be there."""
    names = ["T", *(f"{side}{k}" for side in "BP" for k in LEGS)]
    found = DESIGN.solve(rows_of(unknowns), TIMES, keep=[f"position {name}" for name in names])
    at = {name: found.read(f"position {name}") for name in names}
    rows = []
    for k in LEGS:
        leg = at[f"P{k}"] - at[f"B{k}"]
        leg = leg / np.linalg.norm(leg, axis=2, keepdims=True)
        rows.append(np.concatenate([leg, np.cross(at[f"P{k}"] - at["T"], leg) / RADIUS], axis=2))
    values = np.linalg.svd(np.nan_to_num(np.stack(rows, axis=2)), compute_uv=False)  # (n, poses, 6)
    least = values[..., -1] / np.maximum(values[..., 0], np.finfo(float).tiny)
    return np.asarray(np.where(found.solved, least.min(axis=1), 0.0))


def best(seed: int = 0, generations: int = 60) -> Array:
    """Find the unknowns of the best design."""
    found = differential_evolution(
        lambda columns: -conditioning(np.atleast_2d(columns.T)),
        BOUNDS,
        vectorized=True,
        updating="deferred",
        popsize=12,
        maxiter=generations,
        tol=1e-6,
        polish=False,
        rng=seed,
    )
    return np.asarray(found.x)


if __name__ == "__main__":
    x = best()
    text = f"base {1e3 * x[0]:.1f} mm, half angles {np.degrees(x[1]):.2f}° and {np.degrees(x[2]):.2f}°, "
    print(text + f"height {1e3 * x[3]:.1f} mm: {conditioning(x[None])[0]:.4f}")
    nominal = DESIGN.solve(DESIGN.nominal, TIMES)
    legs = [f"joint leg_{k}" for k in LEGS]
    for name, motion in (("nominal", nominal), ("found", DESIGN.solve(rows_of(x[None])[0], TIMES))):
        # an independent way: twists of the platform by the rates of its legs
        least = 1.0 / gk.jacobian(motion, "twist T", legs).condition(length=RADIUS).max()
        print(f"{name}: {least:.4f}")
