"""Whole calls of `gk.solve` with closed forms alone: what they cost above their kernels, and per step in cache.

Kernels are timed as the compiled loop over blocks that a call runs. Calls with `out=` fill a motion again, at the same
times; those without make a new one. Least of several runs on one thread, warm; of the processor's time.

    python benchmarks/calls.py [--steps 1000] [--repeat 200]
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import click

import groupkin as gk
from groupkin.mechanism.files import reading
from sglibrary.run.motion_loop import solve_steps

EXAMPLES = Path(__file__).parents[1] / "examples"
CASES = {"four_bar": 10, "jansen_leg": 10, "stewart_inverse": 2}
"""Examples, and calls of each that are timed together."""


def least(run: Callable[[], object], calls: int, repeat: int) -> float:
    """Least microseconds of a call."""
    run()
    seconds = []
    for _ in range(repeat):
        start = time.process_time_ns()
        for _ in range(calls):
            run()
        seconds.append((time.process_time_ns() - start) / calls)
    return 1e-3 * min(seconds)


def measured(example: str, steps: int, calls: int, repeat: int) -> tuple[float, float, float]:
    """Microseconds of the kernels, of a call with `out=` and of one without."""
    described = reading.read(EXAMPLES / f"{example}.toml")
    program, times = gk.program(described.mechanism), replace(described.motion, steps=steps).times
    motion = gk.solve(program, times)
    motion = gk.solve(program, times, out=motion)
    task = motion.memory.task
    return (
        least(lambda: solve_steps(motion.memory.written, times, task.drivers.values, 0), calls, repeat),
        least(lambda: gk.solve(program, times, out=motion), calls, repeat),
        least(lambda: gk.solve(program, times), calls, repeat),
    )


@click.command()
@click.option("--steps", default=1000, show_default=True)
@click.option("--repeat", default=200, show_default=True)
def main(steps: int, repeat: int) -> None:
    """Time whole calls."""
    click.echo(f"{f'{steps} steps':<20}{'kernels':>12}{'with out':>12}{'without':>12}{'':>6}{'above kernels':>20}")
    for example, calls in CASES.items():
        kernels, filled, new = measured(example, steps, calls, repeat)
        per_step = 1e3 * filled / steps
        click.echo(
            f"{example:<20}{kernels:>9.1f} µs{filled:>9.1f} µs{new:>9.1f} µs{'':>6}"
            f"{filled - kernels:>7.1f} µs{new - kernels:>8.1f} µs{per_step:>9.1f} ns per step"
        )
    processor = platform.processor() or platform.machine()
    click.echo(f"\n{processor}, Python {platform.python_version()}, numba {version('numba')}, numpy {version('numpy')}")


if __name__ == "__main__":
    main()
