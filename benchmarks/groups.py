"""Every closed form of the catalog: ns per step, beside loops written by hand, and whether its loops are vectorized.

A kernel gets one block of steps that stays in cache: a random group between two bodies that move, with position,
velocity and acceleration. Kernel and loop are timed in turns on one thread; the cost of a call from Python, measured
with no steps, is subtracted from both. Everything is compiled afresh, since machine code from the cache cannot be read.

    python benchmarks/groups.py [--group U-P-S] [--repeat 200] [--json]
"""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="groupkin-benchmark-")
sys.path.insert(0, str(Path(__file__).parents[1]))

import click
import numpy as np
from groups_by_hand import BY_HAND
from timing import setting, told

from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Call
from sglibrary.catalog import GROUPS, Solver
from sglibrary.status import SOLVED
from tests.support.random_mechanisms import Workshop

STEPS = 512
CLEAR = 0.1
"""Conditioning from which a random group is taken."""


def aligned(shape: tuple[int, ...]) -> np.ndarray:
    """Zeros that start at a cache line."""
    memory = np.zeros(int(np.prod(shape)) + 8)
    first = -memory.ctypes.data // 8 % 8
    return memory[first : first + int(np.prod(shape))].reshape(shape)


def block(solver: Solver, seed: int = 0) -> tuple[Call, list[np.ndarray], np.ndarray, np.ndarray, float]:
    """A group of the solver's kind, the state of a block, status and conditioning, and seconds of compilation."""
    rng, first = np.random.default_rng(seed), 0.0
    for _ in range(1000):
        shop = Workshop(solver.dimension, rng)
        bodies = shop.make_tree(solver.chain, [shop.arm(), shop.arm()], 0.0)
        program = build(shop.mechanism())
        group = program.structure.group_of[bodies[0]].number
        if program.solvers[group - 1] != solver.name:
            continue  # its closed form does not apply to this geometry
        state = [aligned((program.rows, STEPS + 16)) for _ in range(3)]
        for row, value in program.fixed.items():
            state[0][row] = value
        for driven in program.drivers:
            for x, values in zip(state, driven.law.at(np.linspace(0.0, 1.0, STEPS)), strict=True):
                x[driven.row, :STEPS] = values
            angle = state[0][driven.row]
            state[0][driven.row + 1], state[0][driven.row + 2] = np.cos(angle), np.sin(angle)
        status, conditioning = np.zeros(STEPS, np.uint8), aligned((STEPS,))
        for step in program.calls:
            start = time.process_time()
            step.kernel(*state, np.zeros(1), step.rows, step.constants, status, conditioning, STEPS)
            if step.group == group:
                first = max(first, time.process_time() - start)
                break
        if (status == SOLVED).all() and conditioning.min() > CLEAR:
            return step, state, status, conditioning, first
    raise SystemExit(f"no random group {solver.name} can move")


def cost(runs: dict[str, Callable[[int], None]], repeat: int) -> dict[str, tuple[float, float]]:
    """Median and least ns per step of each, less a call without steps; run in turns."""
    calls, inner = {name: [] for name in runs}, 4
    for _ in range(repeat):
        for name, run in runs.items():
            seconds = []
            for n in (0, STEPS):
                start = time.perf_counter()
                for _ in range(inner):
                    run(n)
                seconds.append((time.perf_counter() - start) / inner)
            calls[name].append(seconds)
    found = {}
    for name, pairs in calls.items():
        empty, full = zip(*pairs, strict=True)
        found[name] = tuple(1e9 * (choice(full) - choice(empty)) / STEPS for choice in (statistics.median, min))
    return found


ARITHMETIC = re.compile(r"^\s+v(?:add|sub|mul|div|sqrt|fn?m(?:add|sub)\d*)([ps])d\s.*?$", re.MULTILINE)


def machine_code(kernel: Callable[..., None]) -> dict[str, int]:
    """Number of arithmetic instructions on doubles in a kernel and what it calls, by width of their registers."""
    counts = {"zmm": 0, "ymm": 0, "xmm": 0, "scalar": 0}
    for signature in kernel.signatures:
        for found in ARITHMETIC.finditer(kernel.inspect_asm(signature)):
            register = re.search(r"[xyz]mm", found.group(0))
            counts["scalar" if found.group(1) == "s" else register.group(0)] += 1
    return counts


def vectorized(counts: dict[str, int]) -> str:
    """Every vectorized loop has a scalar one for the remaining steps: yes if there is no scalar loop beside these."""
    packed = counts["zmm"] + counts["ymm"]
    return "yes" if packed >= 0.75 * counts["scalar"] and packed else "in part" if packed else "no"


def measured(solver: Solver, repeat: int) -> dict[str, object]:
    """One row of the table."""
    step, state, status, conditioning, first = block(solver)

    def run_of(kernel: Callable[..., None], state: list[np.ndarray]) -> Callable[[int], None]:
        arguments = (*state, np.zeros(1), step.rows, step.constants, status, conditioning)
        return lambda n: kernel(*arguments, n)

    runs, counts = {"kernel": run_of(step.kernel, state)}, machine_code(step.kernel)
    found: dict[str, object] = {"group": solver.name, "dimension": solver.dimension}
    by_hand = BY_HAND.get((solver.name, solver.dimension))
    if by_hand:
        copies = []
        for x in state:
            copies.append(aligned(x.shape))
            copies[-1][:] = x
        runs["by hand"] = run_of(by_hand, copies)
        runs["by hand"](STEPS)
        found["difference"] = max(
            float((np.abs(x - y) / (1 + np.abs(x))).max()) for x, y in zip(state, copies, strict=True)
        )
        found["by hand vectorized"] = vectorized(machine_code(by_hand))
    for name, (median, least) in cost(runs, repeat).items():
        found |= {f"{name} median ns": median, f"{name} least ns": least}
    return found | {"compilation s": first, "instructions": counts, "vectorized": vectorized(counts)}


@click.command()
@click.option("--group", multiple=True, help="Only groups of this name.")
@click.option("--repeat", default=200, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def main(group: tuple[str, ...], repeat: int, as_json: bool) -> None:
    """Time every closed form of the catalog on one block of steps."""
    chosen = [solver for solver in GROUPS if not group or solver.name in group]
    if as_json:
        click.echo(
            json.dumps(
                {**setting(), "steps": STEPS, "groups": [measured(solver, repeat) for solver in chosen]}, indent=1
            )
        )
        return
    click.echo(f"{told()}, one thread, {STEPS} steps")
    click.echo(
        f"{'':<20}{'ns per step':>18}{'by hand':>18}{'ratio':>7}  "
        f"{'vectorized':<11}{'packed/scalar':>14}{'compiled':>10}"
    )
    click.echo(f"{'group':<20}{'median':>9}{'least':>9}{'median':>9}{'least':>9}")
    for solver in chosen:
        row = measured(solver, repeat)
        click.echo(_line(row))


def _line(row: dict) -> str:
    text = f"{row['group']:<16}{row['dimension']}D  {row['kernel median ns']:>9.2f}{row['kernel least ns']:>9.2f}"
    if "difference" in row:
        ratio = row["kernel median ns"] / row["by hand median ns"]
        text += f"{row['by hand median ns']:>9.2f}{row['by hand least ns']:>9.2f}{ratio:>7.2f}"
    else:
        text += f"{'':>25}"
    counts = row["instructions"]
    packed = f"{counts['zmm'] + counts['ymm']}/{counts['scalar']}"
    return text + f"  {row['vectorized']:<11}{packed:>14}{row['compilation s']:>8.1f} s"


if __name__ == "__main__":
    main()
