"""A four-bar whose coupler point runs straight and level: found by evolution, refined with exact gradients.

python examples/straight_line_evolution.py

Needs pymoo (pip install pymoo). Unknown are the joint C and the point P on the coupler, each within 60 mm. The search
makes the path of P over 80° of the crank least wavy and at the same time longest, solving each generation in one call;
then scipy takes the last waves out of the flattest design, with its gradient.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import groupkin as gk

Array = NDArray[np.float64]

DESIGN = gk.design(gk.load(Path(__file__).parent / "four_bar.toml"), ["C@coupler", "P"])
TIMES = np.linspace(-0.11, 0.11, 30)  # s, around the crank's reference
REACH = 0.06  # m


def waves_and_lengths(rows: Array) -> Array:
    """Mean squared deviation of P from its mean height, mm², and minus the length of its way, mm, (n, 2)."""
    path = 1e3 * DESIGN.solve(rows, TIMES, keep=["position P"]).read("position P")
    found = np.stack([path[..., 1].var(axis=1), -np.abs(path[:, -1, 0] - path[:, 0, 0])], axis=1)
    return np.nan_to_num(found, nan=1e6)  # of what cannot be assembled


def wave(x: Array) -> tuple[float, Array]:
    """The first of these of one design, and its gradient."""
    found = DESIGN.solve(x, TIMES, derivatives=True)
    height = 1e3 * found.motion.position("P")[:, 1]
    off = height - height.mean()
    return float(off @ off / off.size), found.gradient({"position P.y": 2e3 * off / off.size})


def evolved(generations: int = 30, population: int = 60) -> tuple[Array, Array]:
    """Designs (n, 4) of which none is better in both aims, and their aims (n, 2), by NSGA-II (Deb et al., 2002)."""
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.problem import Problem
    from pymoo.optimize import minimize as search

    class Straight(Problem):  # type: ignore[misc]
        def __init__(self) -> None:
            low, high = DESIGN.nominal - REACH, DESIGN.nominal + REACH
            super().__init__(n_var=low.size, n_obj=2, xl=low, xu=high)

        def _evaluate(self, rows: Array, out: dict[str, Array], *_: object, **__: object) -> None:
            out["F"] = waves_and_lengths(rows)

    found = search(Straight(), NSGA2(pop_size=population), ("n_gen", generations), seed=1)
    return np.asarray(found.X), np.asarray(found.F)


def refined(x: Array) -> Array:
    """The flattest design within 5 mm of one that was found."""
    near = [(each - 0.005, each + 0.005) for each in x]
    return np.asarray(minimize(wave, x, jac=True, bounds=near, method="L-BFGS-B").x)


def main() -> None:
    """Search, and refine the flattest design that was found."""
    designs, aims = evolved()
    for design, (waves, length) in sorted(zip(designs, aims, strict=True), key=lambda each: each[1][0])[::6]:
        print(f"{-length:6.1f} mm long, deviation {np.sqrt(waves):.4f} mm, {np.round(1e3 * design, 1)} mm")
    best = designs[np.argmin(aims[:, 0])]
    x = refined(best)
    print(f"refined: {np.sqrt(wave(best)[0]):.2e} mm to {np.sqrt(wave(x)[0]):.2e} mm")


if __name__ == "__main__":
    main()
