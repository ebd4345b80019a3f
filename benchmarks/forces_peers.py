"""What the legs of a Stewart platform must exert along a motion, beside MuJoCo and Pinocchio.

Given all states, and with the kinematics on both sides; see `peers` for the environment and for how the platform is
modeled.

    peers/bin/python benchmarks/forces_peers.py [--steps 100000] [--repeat 7]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import click
from peers import EXAMPLES, FEW, RUNNERS, STEPS_PER_CYCLE, row, show

# isort: split
import numpy as np
import stewart_peers
from forces import in_cache
from timing import least

import groupkin as gk
from groupkin.dynamics.reactions.actuators import actuator_freedoms
from groupkin.dynamics.reactions.reaction_map import reaction_map
from groupkin.mechanism.files import reading

GIVEN, WHOLE = "states given", "with kinematics"


def stewart_forces(steps: int, repeat: int) -> list[dict[str, Any]]:
    """What the legs of a platform must exert along its motion, given all states, and with the kinematics.

    Peers solve a hundredth of the steps, but `FEW` at least. Forces are compared relative to the largest.
    """
    described = reading.read(EXAMPLES / "stewart_inverse.toml")
    legs = [f"leg_{k}" for k in range(1, 7)]
    times = np.arange(steps) * (described.motion.duration / STEPS_PER_CYCLE)
    part = times[: max(100, steps // 100)]
    given = stewart_peers.platform(gk.solve(described.mechanism, part))
    mechanism = stewart_peers.loaded(described.mechanism, given)
    motion = gk.solve(mechanism, times)
    program, few = motion.program, gk.solve(mechanism, part)
    forces = gk.inverse_dynamics(motion, actuators=legs, keep=[])
    own = np.array([gk.inverse_dynamics(few, actuators=legs, keep=[]).driver(leg) for leg in legs]).T

    def push() -> None:
        gk.inverse_dynamics(motion, actuators=legs, keep=[], out=forces)

    def both() -> None:
        gk.solve(program, times, out=motion)
        push()

    runs: dict[str, Callable[[], Any]] = {f"groupkin: {GIVEN}": push, f"groupkin: {WHOLE}": both}
    more: dict[str, dict[str, Any]] = {key: {} for key in runs}
    for key in ("mujoco", "pinocchio"):
        if not find_spec(key):
            continue
        run, pushed, calls = RUNNERS[key][0](given)
        found = run("the same, start extrapolated")
        # a foot moves against the length of its leg
        far = float(np.abs(pushed(found) + own).max() / np.abs(own).max())
        runs[f"{key}: {GIVEN}"] = partial(pushed, found)
        runs[f"{key}: {WHOLE}"] = lambda run=run, pushed=pushed: pushed(run("the same, start extrapolated"))
        for what in (GIVEN, WHOLE):
            more[f"{key}: {what}"] = {"difference": far, "calls": calls}
    freedoms = tuple(actuator_freedoms(program, legs).values())
    backward = reaction_map(program, (), (), masses=True, actuators=freedoms).backward
    rows = [row(f"{steps} steps, {GIVEN}", "groupkin", "the same, in cache", in_cache(backward, motion), 1)]
    for key, seconds in least(runs, repeat).items():
        peer, _, what = key.partition(": ")
        count = steps if peer == "groupkin" else part.size
        rows.append(row(f"{steps} steps, {what}", peer, "forces of six legs", seconds, count, **more[key]))
    return rows


@click.command()
@click.option("--steps", default=100_000, show_default=True, help="Of groupkin; peers solve a hundredth.")
@click.option("--repeat", default=7, show_default=True)
def main(steps: int, repeat: int) -> None:
    """Time forces of legs beside the peers that are installed."""
    show(stewart_forces(FEW, 20 * repeat) + stewart_forces(steps, repeat))


if __name__ == "__main__":
    main()
