"""Forces and motion under forces: inverse dynamics beside kinematics, and Andrews' squeezer against its reference.

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
from tests.support.squeezer import ANGLE, AT_LAST, BETA, squeezer

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


def direct() -> None:
    """Error of the crank's angle at 0.03 s, and the time of the whole call."""
    print(f"\n{'squeezer, rtol':<18} {'error, rad':>12} {'s':>8}")
    mechanism = squeezer()
    for rtol in (1e-8, 1e-10, 1e-12):
        motion = gk.simulate(mechanism, np.linspace(0.0, AT_LAST, 31), rtol=rtol)
        seconds = least(partial(gk.simulate, mechanism, [0.0, AT_LAST], rtol=rtol), 3)
        print(f"{rtol:<18g} {motion.driver(0)[0, -1] + BETA - ANGLE:>12.1e} {seconds:>8.2f}")


if __name__ == "__main__":
    inverse()
    direct()
