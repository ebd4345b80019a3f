"""Inverse dynamics beside kinematics.

python benchmarks/forces.py
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from timing import least_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import groupkin as gk
from groupkin.dynamics.backward_pass import Pass, state_of
from groupkin.dynamics.reaction_map import reaction_map
from groupkin.kinematics.solving.blocks import BLOCK
from sglibrary.convention import kernel
from sglibrary.run.calls import run_call
from tests.support.loaded import loaded

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
STEPS, RUNS = 100_000, 7
BLOCKS, SHORT_RUNS = 50, 300


@kernel
def repeat(calls, state, status, n, times):
    """Run all calls on the same block again and again."""
    for _ in range(times):
        for k in range(calls.groups.size):
            run_call(calls, k, state, status, 0, n)


def in_cache(backward: Pass, motion: gk.Motion) -> float:
    """Time per step of the calls of a pass, on a block that stays in the caches and of which nothing is kept, s."""
    state, status = state_of(backward, BLOCK), np.zeros((1, 2 * BLOCK), np.uint8)
    taken = backward.sources
    state.q[taken.q_rows, :BLOCK] = motion.q[taken.q_numbers, :BLOCK]
    state.a[taken.a_rows, :BLOCK] = motion.a[taken.a_numbers, :BLOCK]
    return least_of(partial(repeat, backward.calls, state, status, BLOCK, BLOCKS), SHORT_RUNS) / (BLOCK * BLOCKS)


def inverse() -> None:
    """Masses on all bodies, no other forces; ns per step, one thread, warm, and what is compiled at first, s."""
    columns = ("kinematics", "pass, nothing kept", "gk.inverse_dynamics", "with out=", "compiled in, s")
    print(f"{'ns per step':<18}", *(f"{column:>20}" for column in columns))
    for name in ("four_bar", "jansen_leg", "stewart_inverse"):
        file = gk.read(EXAMPLES / f"{name}.toml")
        mechanism = replace(loaded(file.mechanism), forces=())
        motion = gk.solve(mechanism, np.linspace(0.0, file.motion.duration, STEPS))
        start = time.perf_counter()
        forces = gk.inverse_dynamics(motion)
        first = time.perf_counter() - start
        backward = reaction_map(motion.program, tuple(forces.reactions), (), masses=True).backward
        seconds = (
            least_of(partial(gk.solve, motion.program, motion.times, out=motion), RUNS) / STEPS,
            in_cache(backward, motion),
            least_of(partial(gk.inverse_dynamics, motion), RUNS) / STEPS,
            least_of(partial(gk.inverse_dynamics, motion, out=forces), RUNS) / STEPS,
        )
        print(f"{name:<18}", *(f"{1e9 * x:>20.1f}" for x in seconds), f"{first:>20.1f}")


if __name__ == "__main__":
    inverse()
