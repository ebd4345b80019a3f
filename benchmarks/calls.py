"""Whole calls of `gk.solve` with closed forms alone: what they cost above their kernels, and per step in cache.

Kernels are timed as the compiled loop over blocks that a call runs. Calls with `out=` fill a motion again, at the same
times; those without make a new one. Below, of the Stewart platform's legs alone the strokes of their joints, and their
lengths as formulas of the points at their ends, which need the platform only (`keep`). Least of several runs, one
thread (`timing`).

    python benchmarks/calls.py [--steps 1000] [--repeat 200]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import click
import numpy as np
from timing import least_of, told

import groupkin as gk
from groupkin.mechanism.files import reading
from sglibrary.run.motion_loop import solve_steps
from tests.support.mechanisms import stewart_with_lengths

EXAMPLES = Path(__file__).parents[1] / "examples"
TOGETHER = {"four_bar": 10, "jansen_leg": 10, "stewart_inverse": 2}
"""Examples, and calls of each that are timed together."""


def cases(steps: int) -> Iterator[tuple[str, gk.Program, np.ndarray, int]]:
    """Names, programs, times, and calls that are timed together."""
    for example, calls in TOGETHER.items():
        described = reading.read(EXAMPLES / f"{example}.toml")
        times = replace(described.motion, steps=steps).times
        yield example, gk.program(described.mechanism), times, calls
    # at the times of the platform, which is the last
    platform, legs = stewart_with_lengths(), range(1, 7)
    yield "strokes of its legs", gk.program(platform, keep=[f"joint leg_{k}" for k in legs]), times, calls
    yield "lengths of its legs", gk.program(platform, keep=[f"output length_{k}" for k in legs]), times, calls


def measured(program: gk.Program, times: np.ndarray, calls: int, repeat: int) -> list[float]:
    """Microseconds of the kernels, of a call with `out=` and of one without."""
    motion = gk.solve(program, times)
    motion = gk.solve(program, times, out=motion)
    written, values = motion.memory.written, motion.memory.task.drivers.values
    ways = (
        lambda: solve_steps(written, times, values, 0),
        lambda: gk.solve(program, times, out=motion),
        lambda: gk.solve(program, times),
    )
    return [1e6 * least_of(way, repeat, calls) for way in ways]


@click.command()
@click.option("--steps", default=1000, show_default=True)
@click.option("--repeat", default=200, show_default=True)
def main(steps: int, repeat: int) -> None:
    """Time whole calls."""
    click.echo(f"{f'{steps} steps':<20}{'kernels':>12}{'with out':>12}{'without':>12}{'':>6}{'above kernels':>20}")
    for name, program, times, calls in cases(steps):
        kernels, filled, new = measured(program, times, calls, repeat)
        per_step = 1e3 * filled / steps
        click.echo(
            f"{name:<20}{kernels:>9.1f} µs{filled:>9.1f} µs{new:>9.1f} µs{'':>6}"
            f"{filled - kernels:>7.1f} µs{new - kernels:>8.1f} µs{per_step:>9.1f} ns per step"
        )
    click.echo(f"\n{told()}")


if __name__ == "__main__":
    main()
