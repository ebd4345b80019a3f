"""Whole calls of `gk.solve` with closed forms alone: what they cost above their kernels, and per step in cache.

Kernels are timed as the compiled loop over blocks that a call runs. Calls with `out=` fill a motion again, at the same
times; those without make a new one. Least of several runs on one thread, warm; of the processor's time.

    python benchmarks/calls.py [--steps 1000] [--repeat 200]
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from timing import least_of, told

import groupkin as gk
from groupkin.mechanism.files import reading
from sglibrary.run.motion_loop import solve_steps

EXAMPLES = Path(__file__).parents[1] / "examples"
CASES = {"four_bar": 10, "jansen_leg": 10, "stewart_inverse": 2}
"""Examples, and calls of each that are timed together."""


def measured(example: str, steps: int, calls: int, repeat: int) -> tuple[float, float, float]:
    """Microseconds of the kernels, of a call with `out=` and of one without."""
    described = reading.read(EXAMPLES / f"{example}.toml")
    program, times = gk.program(described.mechanism), replace(described.motion, steps=steps).times
    motion = gk.solve(program, times)
    motion = gk.solve(program, times, out=motion)
    task = motion.memory.task
    return (
        1e6 * least_of(lambda: solve_steps(motion.memory.written, times, task.drivers.values, 0), repeat, calls),
        1e6 * least_of(lambda: gk.solve(program, times, out=motion), repeat, calls),
        1e6 * least_of(lambda: gk.solve(program, times), repeat, calls),
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
    click.echo(f"\n{told()}")


if __name__ == "__main__":
    main()
