"""Position, velocity and acceleration of all 13 bodies of a Stewart platform: groups, global formulation, limit.

The three are timed in turns in one process, on one thread, warm, into memory that is already there, and their results
compared. The limit is a loop written by hand for this mechanism and this geometry, with the same rows as output.

    python benchmarks/stewart_inverse.py [--steps 100000] [--repeat 7]
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import click
import numpy as np
from stewart_by_hand import by_hand

import groupkin as gk
from groupkin.kinematics.global_formulation import global_motion
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.files import reading

EXAMPLE = Path(__file__).parents[1] / "examples" / "stewart_inverse.toml"
CYCLES = 250


def hand_written(program: Program, times: np.ndarray) -> tuple[Callable[[], None], list[np.ndarray], list[str]]:
    """The loop with this mechanism's numbers, its output, and the bodies that carry the upper ends of the legs."""
    joints, geometry = program.mechanism.joints, program.geometry
    laws = [(d.law.amplitude, 2 * np.pi * d.law.frequency, d.law.phase, d.law.offset) for d in program.drivers]
    center = geometry.joints[next(joint.name for joint in joints if joint.type == "F")].points[1]
    universals = [joint for joint in joints if joint.type == "U"]
    balls = [joint for joint in joints if joint.type == "S"]
    constants = [step.constants for step in program.calls if step.constants.size == 8]
    legs, uppers = [], []
    for universal, ball, (side, mode, c1, c2, c3, s1, _, cos) in zip(universals, balls, constants, strict=True):
        if max(map(abs, (c1, c2, c3, s1, cos))) > 1e-12:
            raise SystemExit("the hand-written loop knows legs without offsets only")
        own = universal.bodies.index("platform")
        joint = geometry.joints[universal.name]
        lower = geometry.joints[ball.name].points[0]
        legs.append([*lower, *(joint.points[own] - center), *joint.frames[own][:, 2], mode * side, side])
        uppers.append(universal.bodies[1 - own])
    out = [np.zeros((66, times.size + 16))[:, : times.size] for _ in range(3)]
    arguments = (times, np.array(laws), np.array(legs), *out, np.array([0, *range(12, 66, 9)]))
    return lambda: by_hand(*arguments), out, uppers


def distance(motion: gk.Motion, out: list[np.ndarray], uppers: list[str]) -> float:
    """Largest difference of the legs' rows between a motion and the hand-written loop."""
    worst = 0.0
    for leg, body in enumerate(uppers):
        for part, first in enumerate(motion.program.poses[body].vectors):
            here, there = 12 + 9 * leg + 3 * part, int(np.searchsorted(motion.program.kept, first))
            for x, y in zip(out, (motion.q, motion.v, motion.a), strict=True):
                worst = max(worst, float(np.abs(x[here : here + 3] - y[there : there + 3]).max()))
    return worst


def medians(runs: dict[str, Callable[[], object]], repeat: int) -> dict[str, float]:
    """Median seconds of each, run in turns so that what disturbs the machine disturbs all."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(repeat):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


@click.command()
@click.option("--steps", default=100_000, show_default=True)
@click.option("--repeat", default=7, show_default=True)
def main(steps: int, repeat: int) -> None:
    """Time the Stewart platform inverse by groups, by the global formulation and by hand."""
    described = reading.read(EXAMPLE)
    settings = replace(described.motion, duration=CYCLES * described.motion.duration, steps=steps)
    times = settings.times
    program = gk.program(described.mechanism)
    motion = gk.solve(program, times)
    run, out, uppers = hand_written(program, times)
    model = global_motion.build(described.mechanism)
    part = times[: max(2, steps // 20)]
    iterations = gk.solve_globally(described.mechanism, part, model).iterations.mean()
    found = medians(
        {
            "groups": lambda: gk.solve(program, times, out=motion),
            "by hand": run,
            "global": lambda: gk.solve_globally(described.mechanism, part, model),
        },
        repeat,
    )
    cost = {name: 1e9 * s / (part.size if name == "global" else steps) for name, s in found.items()}
    click.echo(f"{described.mechanism.name}: {steps} steps over {CYCLES} cycles, one thread, median of {repeat}")
    click.echo(f"{'':<28}{'ns/step':>10}{'ratio':>10}")
    names = {"groups": "structural groups", "by hand": "hand-written loop", "global": "global formulation"}
    for name, text in names.items():
        click.echo(f"{text:<28}{cost[name]:>10.0f}{cost[name] / cost['groups']:>10.2f}")
    unknowns = model.start.size - 1
    click.echo(f"global: {unknowns} unknowns, {iterations:.2f} iterations per step, {part.size} steps timed")
    click.echo(f"largest difference to the hand-written loop {distance(motion, out, uppers):.1e} (m, 1, and per s, s²)")
    versions = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "groupkin"))
    size = 3 * motion.q.nbytes / 1e6
    click.echo(f"Python {platform.python_version()}, {versions}, {platform.machine()}, output {size:.0f} MB")


if __name__ == "__main__":
    main()
