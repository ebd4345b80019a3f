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
from numba import njit
from timing import least, least_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import groupkin as gk
from groupkin.dynamics.reactions.backward_pass import Pass, state_of
from groupkin.dynamics.reactions.reaction_map import reaction_map
from groupkin.kinematics.solving.block_sizes import BLOCK
from sglibrary.convention import kernel
from sglibrary.run.calls import run_call
from tests.support.loaded import loaded

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
STEPS, FEWER, RUNS = 100_000, 20_000, 7
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


def acting() -> None:
    """What one more force adds to inverse dynamics of a four-bar with masses, ns per step."""
    mechanism = replace(loaded(gk.load(EXAMPLES / "four_bar.toml")), forces=())
    times, last, hinge = np.linspace(0.0, 1.0, FEWER), mechanism.movable[-1], mechanism.joints[1].name
    corner, turn = (0.1, 0.2), np.linspace(0.0, 2 * np.pi, 60, endpoint=False)
    outline = gk.Curve(np.stack([np.cos(turn), np.sin(turn)], axis=1).tolist(), True)
    ground = gk.Curve([(x, -1.0) for x in np.linspace(-5.0, 5.0, 80)])
    stated = {
        "spring": gk.Spring("s", (mechanism.frame, last), ((5.0, 5.0), corner), 50.0, 0.3),
        "spring in a hinge": gk.JointSpring("s", hinge, stiffness=5.0, damping=1.0),
        "force": gk.Force("s", last, corner, (1.0, 2.0)),
        "function": gk.JointForce("s", hinge, function=lambda t, x: -5.0 * x[0] - x[1]),
        "compiled function": gk.JointForce("s", hinge, function=njit(lambda t, x: -5.0 * x[0] - x[1])),
        "bushing": gk.Bushing("s", (mechanism.frame, last), corner, 5.0),
        "contact of a circle": gk.Contact("s", (mechanism.frame, last), corner, 1.0, ground, stiffness=1e3),
        "contact of curves": gk.Contact("s", (mechanism.frame, last), curves=(ground, outline), stiffness=1e3),
    }
    motions = {name: gk.solve(replace(mechanism, forces=[load]), times) for name, load in stated.items()}
    found = least({name: partial(gk.inverse_dynamics, x) for name, x in motions.items()}, RUNS)
    bare = least_of(partial(gk.inverse_dynamics, gk.solve(mechanism, times)), RUNS)
    for name, seconds in found.items():
        print(f"{name:<22}{1e9 * (seconds - bare) / FEWER:>8.0f}")


if __name__ == "__main__":
    inverse()
    acting()
