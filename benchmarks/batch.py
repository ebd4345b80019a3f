"""Sweep of 10,000 Stewart platforms, 100 times each: steps per second on one rank and on two, and against one motion.

    python benchmarks/batch.py [samples [trials]]

Twelve joint centers lie within tolerances; extreme lengths of the legs and the least conditioning are kept.
Kernels are compiled before; the time of a batch is that of computing and writing, without the start of Python and the
creation of the store. One long motion, solved again into the same memory, is what a sweep costs at best. On two ranks a
batch should be at least 1.8 times as fast as on one, if two cores are free.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import groupkin as gk
from cluster import Conditioning, Maximum, Minimum, Normal, Parameter, Point, Quantity, sweep
from cluster.solving.chunks import Prepared, prepare, size, solve_chunk
from cluster.stores.running import batch
from groupkin.messages import counted

EXAMPLE = Path(__file__).parents[1] / "examples" / "stewart_inverse.toml"
STEPS = 100
MILLIMETER = 1e-3


def stewart(samples: int):
    described = gk.read(EXAMPLE)
    points = [f"{letter}{leg}" for letter in "BP" for leg in range(1, 7)]
    legs = [Quantity("joint", f"leg_{leg}") for leg in range(1, 7)]
    return sweep(
        described.mechanism,
        [Parameter(Point(point), Normal(MILLIMETER), relative=True) for point in points],
        np.linspace(0.0, described.motion.times[-1], STEPS),
        [*(Minimum(leg) for leg in legs), *(Maximum(leg) for leg in legs), Conditioning()],
        draws=samples,
        seed=1,
    )


def one_motion(samples: int) -> float:
    """Seconds of one motion of as many steps."""
    described = gk.read(EXAMPLE)
    program = gk.program(described.mechanism)
    times = np.linspace(0.0, described.motion.times[-1], min(samples * STEPS, 100_000))
    motion = gk.solve(program, times)
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        gk.solve(program, times, out=motion)
        seconds.append(time.perf_counter() - start)
    return min(seconds) * samples * STEPS / times.size


def in_memory(prepared: Prepared, chunk: int, samples: int) -> float:
    """Seconds of solving all samples, without keeping anything."""
    start = time.perf_counter()
    for first in range(0, samples, chunk):
        solve_chunk(prepared, first, min(first + chunk, samples))
    return time.perf_counter() - start


def of_ranks(ranks: int, samples: int) -> tuple[float, int]:
    """Seconds of a batch on some ranks, and the most megabytes of a rank."""
    launcher = Path(sys.executable).with_name("mpiexec")
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "results.zarr")
        command = [launcher, "-n", str(ranks), sys.executable, __file__, str(samples), "0", str(store)]
        said = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout
    return max(map(float, re.findall(r"took (\S+),", said))), max(map(int, re.findall(r"peak (\d+)", said)))


def rank(samples: int, store: str) -> None:
    seconds = batch(stewart(samples), store).seconds
    print(f"took {seconds}, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}", flush=True)


def main(samples: int = 10_000, trials: int = 5) -> None:
    steps = samples * STEPS
    prepared = prepare(stewart(samples))
    chunk = size(prepared)
    rows = [
        ("one long motion", one_motion(samples)),
        (f"sweep in memory, chunks of {chunk}", min(in_memory(prepared, chunk, samples) for _ in range(trials))),
    ]
    found = [[of_ranks(ranks, samples) for ranks in (1, 2)] for _ in range(trials)]  # in turns
    for k, (seconds, peaks) in enumerate(zip(*turn, strict=True) for turn in zip(*found, strict=True)):
        rows.append((f"batch, {counted(k + 1, 'rank')}, at most {max(peaks)} MB each", min(seconds)))
    for name, least in rows:
        print(f"{name:<40} {least:8.3f} s {1e9 * least / steps:8.1f} ns per step {steps / least:12.3g} steps/s")
    print(f"2 ranks are {rows[2][1] / rows[3][1]:.2f} times as fast as 1 (the least of {trials} each)")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        rank(int(sys.argv[1]), sys.argv[3])
    else:
        main(*map(int, sys.argv[1:]))
