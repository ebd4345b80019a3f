"""Inverse dynamics beside kinematics.

python benchmarks/forces.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import groupkin as gk
from groupkin.dynamics.loads import add_masses, no_loads
from groupkin.dynamics.reaction_map import reaction_map
from tests.support.loaded import loaded

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
STEPS, RUNS = 100_000, 5


def least(run: Callable[[], object], runs: int = RUNS) -> float:
    """Least time of some runs, s."""
    best = np.inf
    for _ in range(runs):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def inverse() -> None:
    """Masses on all bodies, no other forces; ns per step, one thread, warm."""
    print(f"{'ns per step':<18} {'kinematics':>10} {'loads':>8} {'reactions':>10} {'gk.inverse_dynamics':>20}")
    for name in ("four_bar", "jansen_leg", "stewart_inverse"):
        file = gk.read(EXAMPLES / f"{name}.toml")
        mechanism = replace(loaded(file.mechanism), forces=())
        motion = gk.solve(mechanism, np.linspace(0.0, file.motion.duration, STEPS))
        program, loads = motion.program, no_loads(motion)
        found = reaction_map(program)
        seconds = (
            least(partial(gk.solve, program, motion.times, out=motion)),
            least(partial(add_masses, loads, True)),
            least(partial(found.at, motion, loads.wrenches)),
            least(partial(gk.inverse_dynamics, motion)),
        )
        a, b, c, d = (1e9 * x / STEPS for x in seconds)
        print(f"{name:<18} {a:>10.0f} {b:>8.0f} {c:>10.0f} {d:>20.0f}")


if __name__ == "__main__":
    inverse()
