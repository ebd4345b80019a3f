"""A program as a function of its inputs: evaluation, rates and transposed rates, beside what they are made of.

The first use of each, which compiles if the cache is empty; one column of a four-bar from Python, into memory that
exists; then for every closed form, as a group between two bodies that move, and for some examples: ns per step of the
evaluation of positions, velocities and accelerations, of rates at these positions for one direction and for six, and of
one load carried back; and 1,000 steps of the Jacobian of a Stewart platform both ways. Least of some runs in turns, one
thread.

    NUMBA_CACHE_DIR=$(mktemp -d) python benchmarks/inputs.py [--group U-P-S] [--steps 2000] [--repeat 100]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

import click
import numpy as np
from timing import least

import groupkin as gk
from sglibrary.catalog import GROUPS
from tests.support.random_mechanisms import Workshop

T = TypeVar("T")
EXAMPLES = Path(__file__).parents[1] / "examples"
CHOSEN = ("four_bar", "jansen_leg", "stewart_inverse")


def programs(group: str | None) -> Iterator[tuple[str, gk.Program, float]]:
    """Names, programs and durations."""
    if group is None:
        for name in CHOSEN:
            described = gk.read(EXAMPLES / f"{name}.toml")
            yield name, gk.program(described.mechanism), described.motion.duration
    for solver in GROUPS:
        if group in (None, solver.name):
            for seed in range(200):
                shop = Workshop(solver.dimension, np.random.default_rng(seed))
                bodies = shop.make_tree(solver.chain, [shop.arm(), shop.arm()], 0.0)
                program = gk.program(shop.mechanism())
                number = program.structure.group_of[bodies[0]].number
                motion = gk.solve(program, np.linspace(0.0, 1.0, 30), on_failure="nan")
                if program.solvers[number - 1] == solver.name and motion.solved.all():
                    yield f"{solver.name} {solver.dimension}D", program, 1.0
                    break


def first_uses() -> dict[str, float]:
    """Seconds of the processor for the first use of each function, one after another."""
    program, found = gk.program(gk.load(EXAMPLES / "four_bar.toml")), {}

    def timed(name: str, run: Callable[[], T]) -> T:
        start = time.process_time()
        made = run()
        found[name] = time.process_time() - start
        return made

    motion = timed("solve", lambda: gk.solve(program, np.linspace(0.0, 0.1, 20)))
    values = np.ascontiguousarray(motion.driven[:, 0])
    column = timed("evaluate", lambda: program.evaluate(values))
    twists = timed("rates", lambda: program.rates(column, [1.0]))
    timed("rates_transposed", lambda: program.rates_transposed(column, np.ones(twists.shape[:2])))
    return found


def one_column(repeat: int) -> tuple[float, float]:
    """Seconds of one evaluation of the four-bar, and of a thousand columns, per column."""
    program = gk.program(gk.load(EXAMPLES / "four_bar.toml"))
    value, many = np.array([0.3]), np.linspace(0.0, 1.0, 1000)[None]
    single, whole = program.evaluate(value), program.evaluate(many)

    def hundred() -> None:
        for _ in range(100):
            program.evaluate(value, out=single)

    found = least({"one": hundred, "many": lambda: program.evaluate(many, out=whole)}, 10 * repeat)
    return found["one"] / 100, found["many"] / 1000


def stewart_jacobians(repeat: int) -> dict[str, float]:
    """Seconds of 1,000 steps of the Jacobian of a Stewart platform's legs by its pose, of its inverse, and of all."""
    described = gk.read(EXAMPLES / "stewart_inverse.toml")
    motion = gk.solve(described.mechanism, np.linspace(0.0, described.motion.duration, 1000))
    legs = [f"joint leg_{k}" for k in range(1, 7)]
    values = np.ascontiguousarray(np.swapaxes(motion.driven, 0, 1))
    column = motion.program.evaluate(*values)
    runs = {
        "legs by pose": partial(gk.jacobian, motion, legs),
        "pose by legs": partial(gk.jacobian, motion, "joint pose", legs),
        "evaluation of all bodies": partial(motion.program.evaluate, *values, out=column),
    }
    return least(runs, 10 * repeat)


@click.command()
@click.option("--group", help="Name of one closed form.")
@click.option("--steps", default=2_000, show_default=True)
@click.option("--repeat", default=100, show_default=True)
def main(group: str | None, steps: int, repeat: int) -> None:
    """Time evaluation and rates."""
    seconds = ", ".join(f"{name} {found:.1f} s" for name, found in first_uses().items())
    click.echo(f"first use, time of the processor: {seconds}")
    one, many = one_column(repeat)
    click.echo(f"four-bar: {1e6 * one:.2f} µs for one column, {1e9 * many:.1f} ns per column of a thousand")
    for name, seconds in stewart_jacobians(repeat).items():
        click.echo(f"1,000 steps of a Stewart platform, {name}: {1e3 * seconds:.3f} ms")
    click.echo(f"{'ns per step':28} evaluate   rates     × 1  rates of 6     × 6  loads     ×")
    for name, program, duration in programs(group):
        motion = gk.solve(program, np.linspace(0.0, duration, steps), on_failure="nan")
        values = np.ascontiguousarray(np.swapaxes(motion.driven, 0, 1))
        column, count = program.evaluate(*values), len(program.drivers)
        shape = program.rates(column, np.ones(count)).shape[:2]
        found = least(
            {
                "evaluate": partial(program.evaluate, *values, out=column),
                "rates": partial(program.rates, column, np.ones(count)),
                "six": partial(program.rates, column, np.ones((count, 6))),
                "loads": partial(program.rates_transposed, column, np.ones(shape)),
            },
            repeat,
        )
        whole = found["evaluate"]
        cells = "  ".join(f"{1e9 * found[k] / steps:8.1f} {found[k] / whole:7.2f}" for k in ("rates", "six", "loads"))
        click.echo(f"{name:28} {1e9 * whole / steps:8.1f} {cells}")


main()
