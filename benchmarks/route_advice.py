"""Whether the advice on workers holds: for every example, what is recommended is run beside the plain call.

For one and two workers: the plain call, `groupkin.solve`, and `routes.solve` by the route that it chooses, in turns;
then what was predicted of workers that share time and groups, and what they took.

    python benchmarks/route_advice.py [steps]
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import groupkin as gk
import routes
from groupkin.errors import GroupkinError, GroupkinWarning
from groupkin.kinematics.solving.block_sizes import wide_block
from routes.planning.best_route import best
from routes.timing.program_costs import program_costs
from routes.timing.strategies import Strategy
from routes.timing.strategy_timing import measure

EXAMPLES = Path(__file__).parents[1] / "examples"
ROUNDS, BLOCK = 15, 1024


def in_turns(*calls: Callable[[], object]) -> list[float]:
    """Median seconds of calls that are made in turns."""
    found: list[list[float]] = [[] for _ in calls]
    for turn in range(ROUNDS + 1):
        for call, seconds in zip(calls, found, strict=True):
            began = time.perf_counter()
            call()
            if turn:
                seconds.append(time.perf_counter() - began)
    return [statistics.median(seconds) for seconds in found]


def again(program: gk.Program, times: Any, **ways: Any) -> Callable[[], None]:
    """A function that solves a motion again in the same memory, by the route that is chosen, or plainly."""
    motion = None

    def solve() -> None:
        nonlocal motion
        run = routes.solve if ways else gk.solve
        motion = run(program, times, on_failure="nan", out=motion, **ways)

    return solve


def main(steps: int) -> None:
    two, errors, slowest = routes.threads(2), [], 0.0
    for file in sorted(EXAMPLES.glob("*.toml")):
        if len(file.suffixes) > 1:
            continue
        try:
            described = gk.read(file)
            program = gk.program(described.mechanism)
        except GroupkinError:  # without geometry
            continue
        times = np.linspace(*described.motion.times[[0, -1]], steps)
        plain, one, shared = in_turns(
            again(program, times), again(program, times, workers=1), again(program, times, workers=two)
        )
        slowest = max(slowest, one / plain, shared / plain)
        costs = {BLOCK: program_costs(program, times, two, BLOCK, None)}
        tried = [
            Strategy(routes.tree(program.structure).sequential, "time", 1, wide_block(program), 2),
            Strategy(best(program.structure, costs[BLOCK].per_step, 2).route, "groups", 2, BLOCK, 2),
        ]
        found = measure(program, times, tried, costs, two)
        off = [timing.predicted / timing.measured - 1.0 for timing in found if not timing.disturbed]
        errors += off
        told = ", ".join(f"{x.strategy.split} {1e6 * x.predicted:.3f} ({1e6 * x.measured:.3f})" for x in found)
        print(
            f"{file.stem:28} plain {1e6 * plain / steps:.3f} µs; one worker x {plain / one:.2f}, two x "
            f"{plain / shared:.2f}; predicted (measured): {told}",
            flush=True,
        )
    away = np.abs(errors)
    print(f"advice is at most {slowest - 1.0:.0%} slower than the plain call")
    print(f"predictions are {np.median(away):.0%} off in the median, {away.max():.0%} at most, of {away.size}")


if __name__ == "__main__":
    warnings.simplefilter("ignore", GroupkinWarning)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
