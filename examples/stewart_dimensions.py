"""Dimensions with which a Stewart platform is as well conditioned as can be all over its motion.

python examples/stewart_dimensions.py

The joints of the base and those of the platform are pairs on two circles, 120° from pair to pair. Unknown are the
radius of the base, half the angle of its pairs and of those of the platform, and the height; the radius of the platform
is 350 mm. The aim is the least reciprocal condition number of the Jacobian over 96 poses, made of one unit by the
platform's radius (Gosselin and Angeles, 1991, ASME J. Mech. Des. 113): 1 is best, 0 is singular.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import differential_evolution

import groupkin as gk

Array = NDArray[np.float64]

EXAMPLE = gk.read(Path(__file__).parent / "stewart_inverse.toml")
TIMES = np.linspace(0.0, 2.0, 96, endpoint=False)
RADIUS = 0.35  # of the platform, m
LEGS = range(1, 7)
BOUNDS = [(0.2, 0.7), (np.radians(5), np.radians(55)), (np.radians(5), np.radians(55)), (0.3, 0.8)]

DESIGN = gk.design(
    EXAMPLE.mechanism,
    [f"B{k}@base.{axis}" for k in LEGS for axis in "xy"]
    + [f"P{k}@platform.{axis}" for k in LEGS for axis in "xy"]
    + ["offset pose.z"],
)


def rows_of(unknowns: Array) -> Array:
    """Values (n, 25) of the parameters, of unknowns (n, 4): radius, two half angles, height."""
    radius, base, platform, height = unknowns.T[:, :, None]
    middle, side = np.radians([0, 120, 120, 240, 240, 0]), np.array([1, -1, 1, -1, 1, -1])
    on_base = middle + side * base
    on_platform = np.radians([60, 60, 180, 180, 300, 300]) - side * platform
    return np.concatenate([circle(radius, on_base), circle(RADIUS, on_platform), height], axis=1)


def circle(radius: Array | float, angles: Array) -> Array:
    """Points (n, 12) of a circle at angles (n, 6): x and y in turns."""
    return np.asarray(radius * np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(len(angles), -1))


def conditioning(unknowns: Array) -> Array:
    """Least reciprocal condition number (n,) of designs over their motions; 0 of those that cannot move so."""
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


def best(seed: int = 0) -> Array:
    """Find the unknowns of the best design."""
    found = differential_evolution(
        lambda columns: -conditioning(np.atleast_2d(columns.T)),
        BOUNDS,
        vectorized=True,
        updating="deferred",
        popsize=12,
        maxiter=60,
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
