"""Groups solved by iteration: ns per step of the kernel, and of following the group before it, beside a bound.

A group of two bodies in space (P-C-S, whose closed form is left out) and the forward Stewart platform as one group of
13 bodies, with position, velocity and acceleration at 400 steps per cycle. Following takes knots as far apart as the
motion allows, so that its cost per step falls with the number of steps per cycle. Then complex groups by the method for
any group, and as they are solved by default, many cycles and few. Below, kernels of all examples that have such groups.
Least of several runs on one thread, warm; of the processor's time, so that other programs disturb less.

    python benchmarks/newton.py [--cycles 50] [--repeat 15] [--table]

With --table the table of docs/complex_groups.md is printed, and nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest import mock

import click
import numpy as np
from timing import least_of, told

from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.program.solver_choice import DIRECT, SUBSTITUTE
from groupkin.kinematics.solver import solve
from groupkin.kinematics.solving.block_sizes import NEWTON_BLOCK
from groupkin.kinematics.solving.driver_values import drive, given_drivers
from groupkin.kinematics.solving.state_memory import block_state
from groupkin.kinematics.solving.tracking import track
from groupkin.mechanism.files import reading
from sglibrary.run.calls import load
from sglibrary.status import SOLVED

EXAMPLES = Path(__file__).parents[1] / "examples"
STEPS_PER_CYCLE = 400
CASES = {
    "two bodies in space, P-C-S": ("spatial_four_bar.toml", 1000.0),
    "Stewart platform, forward": ("stewart_forward.toml", 10000.0),
}
"""Example and bound in ns per step."""


COMPLEX = {
    "stephenson_six_bar.toml": ("Stephenson six-bar, hub", 70),
    "planar_3rrr.toml": ("3-RRR robot, hub", 100),
    "spatial_3prs.toml": ("3-PRS robot, hub", 350),
    "delta_robot.toml": ("Delta robot, hub", 350),
    "five_rod_suspension.toml": ("suspension on five rods, hub", 250),
    "stewart_forward.toml": ("Stewart platform, forward, hub", 350),
    "assur_class_three.toml": ("class III group, Newton", 250),
    "rotor_control.toml": ("rotor of seven groups, Newton", 500),
    "cam_roller.toml": ("cam with a roller, Newton", 600),
}
"""Examples whose complex groups are solved as they are by default: names, bounds of the whole motion in ns per step."""

FEW_CYCLES = 5
"""Cycles of a short motion, 2,000 steps."""


def kernel_cost(
    program: Program, step: Call, memories: tuple[np.ndarray, ...], times: np.ndarray, repeat: int
) -> float:
    """Seconds of one iterated step of the program on a block in cache."""
    state, found = block_state(program, times.size), np.inf
    load(times, given_drivers(program, drive(program, times)), state, 0, times.size)
    status, conditioning = np.zeros(state.conditioning.shape[1], np.uint8), state.conditioning[step.group - 1]
    for other, own in zip(program.calls, memories, strict=True):
        given = (*state[:3], own, other.rows, other.constants, status, conditioning, times.size)
        if other is step:
            found = least_of(lambda given=given: step.kernel(*given), repeat)
            break
        other.kernel(*given)
    if not (status[: times.size] == SOLVED).all():
        raise SystemExit(f"{program.mechanism.name} cannot move")
    return found


def without_closed_forms(example: str) -> tuple[Program, reading.MotionSettings]:
    """The program of an example in which all groups of several bodies are iterated, and its motion."""
    described = reading.read(EXAMPLES / example)
    roles = closed_forms.roles
    with mock.patch.object(closed_forms, "roles", lambda group: roles(group) if len(group.bodies) == 1 else None):
        return build(described.mechanism, wanted=DIRECT), described.motion


def as_wanted(example: str, wanted: str) -> tuple[Program, reading.MotionSettings]:
    """The program of an example, groups without a closed form being solved as is wanted, and its motion."""
    described = reading.read(EXAMPLES / example)
    return build(described.mechanism, wanted=wanted), described.motion


def measured(program: Program, settings: reading.MotionSettings, cycles: int, repeat: int) -> dict[str, float]:
    """Unknowns and knots per cycle, ns per step of kernel, following and all."""
    settings = replace(settings, duration=cycles * settings.duration, steps=cycles * STEPS_PER_CYCLE + 1)
    times = settings.times
    iterated = [k for k, step in enumerate(program.calls) if step.knot is not None]
    step, memories = program.calls[iterated[0]], track(program, times, True)
    motion = solve(program, times)
    block = times[:NEWTON_BLOCK]
    return {
        "unknowns": int(step.rows[1]),
        "knots": memories[iterated[0]][0] / cycles,
        "kernel": 1e9 * kernel_cost(program, step, memories, block, repeat) / block.size,
        "following": 1e9 * least_of(lambda: track(program, times, True), max(3, repeat // 3)) / times.size,
        "all": 1e9 * least_of(lambda: solve(program, times, out=motion), max(3, repeat // 3)) / times.size,
    }


def kernel_costs(example: str, repeat: int) -> list[tuple[str, int, float]]:
    """Of the first group of every size: bodies, unknowns, and ns per step."""
    program, settings = without_closed_forms(example)
    times = replace(settings, steps=STEPS_PER_CYCLE + 1).times
    memories, costs = track(program, times, True), dict[int, tuple[str, int, float]]()
    for call in program.calls:
        if call.knot is None or not (size := int(call.rows[1])) or size in costs:
            continue
        name = f"{Path(example).stem}, {len(program.structure.groups[call.group - 1].bodies)} bodies"
        costs[size] = name, size, 1e9 * kernel_cost(program, call, memories, times, repeat) / times.size
    return [costs[size] for size in sorted(costs)]


def _cells(row: dict[str, float]) -> str:
    rest = f"{row['kernel']:>12.0f}{row['following']:>11.0f}{row['all']:>9.0f}"
    return f"{row['unknowns']:>9}{row['knots']:>8.1f}{rest}"


def print_table(cycles: int, repeat: int) -> None:
    """Print the table of the documents."""
    click.echo("| | unknowns | knots per cycle | kernel | following | all | short |\n|---|---|---|---|---|---|---|")
    for example, (name, _) in COMPLEX.items():
        row, short = (measured(*as_wanted(example, SUBSTITUTE), n, repeat) for n in (cycles, FEW_CYCLES))
        numbers = row["unknowns"], row["knots"], row["kernel"], row["following"], row["all"], short["all"]
        click.echo(f"| {name} | {' | '.join(f'{number:.0f}' for number in numbers)} |")


@click.command()
@click.option("--cycles", default=50, show_default=True)
@click.option("--repeat", default=15, show_default=True)
@click.option("--table", is_flag=True, help="Only the table of docs/complex_groups.md.")
def main(cycles: int, repeat: int, table: bool) -> None:
    """Time iterated groups at 400 steps per cycle."""
    if table:
        print_table(cycles, repeat)
        return
    click.echo(f"{'':<28}{'':>9}{'knots':>8}{'ns per step':>12}{'':>11}{'':>9}{'bound':>8}")
    click.echo(f"{'group':<28}{'unknowns':>9}{'/cycle':>8}{'kernel':>12}{'following':>11}{'all':>9}{'kernel':>8}")
    for name, (example, bound) in CASES.items():
        row = measured(*without_closed_forms(example), cycles, repeat)
        click.echo(f"{name:<28}{_cells(row)}{bound:>8.0f}")
    click.echo()
    for example in COMPLEX:
        row = measured(*as_wanted(example, DIRECT), cycles, repeat)
        click.echo(f"{f'{Path(example).stem}, {DIRECT}':<32}{_cells(row)[4:]}")
    click.echo(
        f"\n{'as by default':<28}{'':>9}{'knots':>8}{'kernel':>12}{'following':>11}{'all':>9}{'short':>8}{'bound':>8}"
    )
    for example, (_, bound) in COMPLEX.items():
        row, short = (measured(*as_wanted(example, SUBSTITUTE), n, repeat) for n in (cycles, FEW_CYCLES))
        click.echo(f"{Path(example).stem:<28}{_cells(row)}{short['all']:>8.0f}{bound:>8}")
    click.echo(f"\n{'group':<36}{'unknowns':>9}{'ns per step':>12}")
    for example in sorted(path.name for path in EXAMPLES.glob("*.toml") if path.suffixes == [".toml"]):
        if example != "micro_manipulator.toml":  # has a group without rank
            for name, unknowns, cost in kernel_costs(example, repeat):
                click.echo(f"{name:<36}{unknowns:>9}{cost:>12.0f}")
    click.echo(f"{told()}; {STEPS_PER_CYCLE} steps per cycle")


if __name__ == "__main__":
    main()
