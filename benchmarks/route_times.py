"""The table that route simulators are for: times of all routes of a mechanism, for groups that cost more and more.

The tree of routes (Celdran, Saura and Dopico 2022, Fig. 7) from sequential to parallel, step by step, as a real-time
simulator takes it, on numbers of threads or on the ranks of mpiexec; groups as they are, and loaded 10, 100 and 1,000
times. Of routes that differ by an exchange of interchangeable groups one is timed. Written are a table as CSV and a
figure: how much faster than one worker each route is, by how many groups its stages have. Before that, what workers who
share time make of the plain call, `groupkin.solve`, of some mechanisms; under mpiexec also what processes reach that
each solve a motion of their own, side by side.

    python benchmarks/route_times.py [--file examples/stewart_inverse.toml] [--threads 1 2] [--loads 1 10 100 1000]
                                     [--rounds 3] [--out docs/measured/route_times]
    mpiexec -n 2 python benchmarks/route_times.py --out ranks
"""

from __future__ import annotations

import argparse
import csv
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

import groupkin as gk
import routes
from routes.diagrams.route_tree import tree
from routes.planning.costs import guess_costs
from routes.timing.program_costs import ProgramCosts, program_costs
from routes.timing.strategies import Strategy
from routes.timing.strategy_timing import measure

EXAMPLE = Path(__file__).parents[1] / "examples" / "stewart_inverse.toml"
COLUMNS = ("workers", "load", "groups_per_stage", "stages", "us_per_step", "us_one_worker", "speed_up", "route")
PLAIN = ("rotor_control", "jansen_leg", "stewart_inverse", "delta_robot")
MOST = 40
"""Routes that are timed at most, evenly taken from all."""


def backends(threads: list[int]) -> Iterator[tuple[str, Any]]:
    """The ranks of a job, or numbers of threads, with their names."""
    from cluster.workers.launchers import launched

    if launched():
        import cluster

        ranks = cluster.ranks()
        yield f"{ranks.workers} ranks", ranks
        return
    for count in threads:
        if count > 1:
            yield f"{count} threads", routes.threads(count)


def plain(backend: Any, name: str, rounds: int = 15, steps: int = 100_000) -> None:
    """Print, of some mechanisms, the least times of the plain call, and of its steps shared."""
    for example in PLAIN:
        described = gk.read(EXAMPLE.with_name(f"{example}.toml"))
        program = gk.program(described.mechanism)
        times = np.linspace(*described.motion.times[[0, -1]], steps)
        alone, motions = gk.solve(program, times), [None]

        def shared(program: Any = program, times: Any = times, motions: Any = motions) -> None:
            motions[0] = routes.solve(program, times, workers=backend, split="time", out=motions[0])

        def solve(program: Any = program, times: Any = times, alone: Any = alone) -> None:
            gk.solve(program, times, out=alone)

        one = least(solve, backend, rounds, backend.local.start == 0)
        several = least(solve, backend, rounds) if len(backend.local) < backend.workers else None
        together = least(shared, backend, rounds)
        if backend.local.start:
            continue
        scale, told = 1e6 / steps, f"{example}: plain {1e6 * one / steps:.3f} µs per step"
        told += f"; {name} {scale * together:.3f}, x {one / together:.2f}"
        if several is not None:
            told += f"; {backend.workers} motions side by side x {backend.workers * one / several:.2f}"
        print(told)


def least(call: Callable[[], None], backend: Any, rounds: int, take_part: bool = True) -> float:
    """Least seconds of several calls, which processes that take part begin and end together."""
    found = np.inf
    for _ in range(rounds + 1):
        backend.barrier()
        began = time.perf_counter()
        if take_part:
            call()
        backend.barrier()
        found = min(found, time.perf_counter() - began)
    return found


def timed(program: gk.Program, times: Any, backend: Any, load: int, rounds: int) -> list[dict[str, Any]]:
    """Times of routes for one load."""
    every = tree(program.structure)
    listed = list(every.routes(10_000, distinct=True))
    some = [listed[k] for k in sorted({round(k) for k in np.linspace(0, len(listed) - 1, MOST)})]
    chosen = list(dict.fromkeys([every.sequential, *some, every.parallel]))
    tried = [Strategy(route, "groups", backend.workers, 1, backend.workers) for route in chosen]
    price = ProgramCosts(guess_costs(program.structure, backend.workers, 1))
    if not program.iterates or load == 1:
        price = program_costs(program, times, backend, 1, None)
    found = measure(program, times, tried, {1: price}, backend, rounds=rounds, repeats=load)
    return [
        {
            "load": load,
            "groups_per_stage": sum(map(len, each.strategy.route.stages)) / len(each.strategy.route.stages),
            "stages": len(each.strategy.route.stages),
            "us_per_step": 1e6 * each.measured,
            "us_one_worker": 1e6 * each.alone,
            "speed_up": each.speedup,
            "route": str(each.strategy.route),
        }
        for each in found
    ]


def draw(rows: list[dict[str, Any]], title: str, path: Path) -> None:
    """A panel for each kind of workers, a line for each load."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "groupkin", "svg.fonttype": "none"}
    from matplotlib import pyplot

    kinds = list(dict.fromkeys(row["workers"] for row in rows))
    figure, panels = pyplot.subplots(1, len(kinds), figsize=(2.5 + 4.5 * len(kinds), 3.4), squeeze=False, sharey=True)
    for panel, kind in zip(panels[0], kinds, strict=True):
        for load in sorted({row["load"] for row in rows}):
            own = [row for row in rows if (row["workers"], row["load"]) == (kind, load)]
            widths = sorted({row["groups_per_stage"] for row in own})
            best = [max(row["speed_up"] for row in own if row["groups_per_stage"] == width) for width in widths]
            cost = own[0]["us_one_worker"]
            panel.plot(widths, best, marker="o", ms=3, lw=1, label=f"load {load:,}: {cost:,.0f} µs alone")
        panel.axhline(1.0, color="0.6", lw=0.8)
        panel.set(xlabel="groups per stage", title=kind)
    panels[0, -1].legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    panels[0, 0].set_ylabel("times as fast as one worker")
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--file", type=Path, default=EXAMPLE)
    asked.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    asked.add_argument("--loads", type=int, nargs="+", default=[1, 10, 100, 1000])
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--out", type=Path, default=Path("route_times"))
    given = asked.parse_args()
    described = gk.read(given.file)
    program, times = gk.program(described.mechanism), described.motion.times
    rows: list[dict[str, Any]] = []
    first = True
    for name, backend in backends(given.threads):
        first = not backend.local.start
        plain(backend, name)
        for load in given.loads:
            found = timed(program, times, backend, load, given.rounds)
            rows += [{"workers": name, **row} for row in found]
            if first:
                best = max(found, key=lambda row: row["speed_up"])
                print(
                    f"{name}, load {load}: one worker {found[0]['us_one_worker']:.4g} µs per step; sequential "
                    f"{found[0]['us_per_step']:.4g}; parallel {found[-1]['us_per_step']:.4g}; best "
                    f"{best['us_per_step']:.4g} (x {best['speed_up']:.2f}): {best['route']}",
                    flush=True,
                )
    if not first:
        return
    with given.out.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows({**row, **{k: f"{x:.5g}" for k, x in row.items() if isinstance(x, float)}} for row in rows)
    name = program.mechanism.name
    draw(rows, f"{name}: {tree(program.structure).count()} routes, step by step", given.out.with_suffix(".svg"))
    print(
        f"Python {platform.python_version()}, numba {numba.__version__}, groupkin {gk.__version__}; written:", given.out
    )


if __name__ == "__main__":
    sys.exit(main())
