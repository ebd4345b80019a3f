"""A sweep over geometries of the Stewart platform against one long motion of it, and a sweep of a million samples.

Both are timed in turns in one process, on one thread, warm: all constants and reductions of the sweep are counted, and
of the motion its output into memory that is already there.

    python benchmarks/sweep.py [--samples 10000] [--times 100] [--repeat 5]
    python benchmarks/sweep.py --million
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from timing import least, told

import cluster
import groupkin as gk
from cluster.solving.chunks import prepare, size, solve_chunk
from cluster.sweeps.description import Sweep

EXAMPLES = Path(__file__).parents[1] / "examples"
STEWART = EXAMPLES / "stewart_inverse.toml"
FOUR_BAR = EXAMPLES / "four_bar_tolerance.sweep.toml"
CYCLES = 250


def geometries(samples: int, times: int) -> Sweep:
    """All twelve joints of base and platform within tolerances; strokes of the legs and least conditioning are kept."""
    described = gk.read(STEWART)
    joints = [f"{end}{k}" for end in "BP" for k in range(1, 7)]
    parameters = [cluster.Parameter(cluster.Point(name), cluster.Normal(2e-3)) for name in joints]
    strokes = [cluster.Range(cluster.Quantity("joint", f"leg_{k}")) for k in range(1, 7)]
    at = replace(described.motion, steps=times).times
    return cluster.sweep(described.mechanism, parameters, at, [*strokes, cluster.Conditioning()], draws=samples)


def long_motion(steps: int) -> Callable[[], object]:
    """One motion of the nominal platform over many cycles."""
    described = gk.read(STEWART)
    program = gk.program(described.mechanism)
    times = replace(described.motion, duration=CYCLES * described.motion.duration, steps=steps).times
    motion = gk.solve(program, times)
    return lambda: gk.solve(program, times, out=motion)


def a_million() -> None:
    """Time and memory of a million samples of the four-bar, reduced as its example says; nothing else is kept."""
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for draws in (10_000, 1_000_000):
        sweep = replace(cluster.read_sweep(FOUR_BAR), draws=draws, times=np.linspace(0.0, 1.0, 100))
        prepared = prepare(sweep)
        chunk = size(prepared)
        began, failed = time.perf_counter(), 0
        for first in range(0, draws, chunk):
            failed += int(np.count_nonzero(solve_chunk(prepared, first, min(first + chunk, draws))["status"]))
        seconds = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        each = 1e9 * seconds / draws / 100
        click.echo(f"{draws:,} samples of 100 times, {chunk} per chunk: {seconds:.1f} s, {each:.0f} ns per step")
        click.echo(f"{failed} failed; most memory so far {peak / 1024:.0f} MiB ({start / 1024:.0f} MiB at the start)")


@click.command()
@click.option("--samples", default=10_000, show_default=True)
@click.option("--times", default=100, show_default=True)
@click.option("--steps", default=100_000, show_default=True, help="Of the long motion.")
@click.option("--repeat", default=5, show_default=True)
@click.option("--million", is_flag=True, help="A million samples of the four-bar instead: time and memory.")
def main(samples: int, times: int, steps: int, repeat: int, million: bool) -> None:
    """Time sweeps."""
    click.echo(f"{told()}, one thread")
    if million:
        a_million()
        return
    prepared = prepare(geometries(samples, times))
    found = least({"motion": long_motion(steps), "sweep": lambda: solve_chunk(prepared, 0, samples)}, repeat)
    rates = {"motion": steps / found["motion"], "sweep": samples * times / found["sweep"]}
    click.echo(f"Stewart platform, inverse, least of {repeat}{'steps/s':>27}{'ns/step':>10}")
    click.echo(f"{f'one motion of {steps} steps':<44}{rates['motion']:>16,.0f}{1e9 / rates['motion']:>10.0f}")
    sweep = f"{samples} geometries, {times} times each, reduced"
    click.echo(f"{sweep:<44}{rates['sweep']:>16,.0f}{1e9 / rates['sweep']:>10.0f}")
    click.echo(f"the sweep has {rates['sweep'] / rates['motion']:.2f} times the steps per second of the motion")


if __name__ == "__main__":
    main()
