"""Whole mechanisms beside other ways: a Stewart platform, inverse and forward, and a Jansen leg.

The Stewart platform in MuJoCo, Pinocchio and Exudyn, the inverse one also by the global formulation and by a loop
written by hand for it, with the same rows as output; the leg in pylinkage. All run in one process on one thread, into
memory that is already there (`timing`). Peers are used through their Python interfaces as documented, and all results
are compared with those of groups. Peers that are not installed are left out. They need an environment of their own:

    python3 -m venv peers && peers/bin/pip install '.[peers]'
    peers/bin/python benchmarks/peers.py [--steps 100000] [--repeat 7] [--json | --table]
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import jansen_peer
import numpy as np
import stewart_by_hand
import stewart_peers
from stewart_exudyn import exudyn_runner
from timing import least, setting, told

import groupkin as gk
from groupkin.kinematics.global_formulation import global_motion
from groupkin.mechanism.files import reading

EXAMPLES = Path(__file__).parents[1] / "examples"
STEPS_PER_CYCLE, FEW = 400, 2000
"""`FEW` steps are five turns, whose motion stays in the caches."""
PACKAGES = ("pylinkage", "mujoco", "pin", "exudyn")
ALL = "position, velocity, acceleration"


def row(mechanism: str, program: str, what: str, seconds: float, steps: int, **more: Any) -> dict[str, Any]:
    return {
        "mechanism": mechanism,
        "program": program,
        "what": what,
        "ns per step": 1e9 * seconds / steps,
        **more,
    }


def jansen(steps: int, repeat: int) -> list[dict[str, Any]]:
    """Position, velocity and acceleration of all points of the leg; `FEW` steps or less stay in the caches."""
    repeat *= 50 if steps <= FEW else 1
    mechanism = jansen_peer.mechanism()
    times = np.arange(steps) / STEPS_PER_CYCLE
    program = gk.program(mechanism)
    motion = gk.solve(program, times)
    runs: dict[str, Callable[[], Any]] = {"groupkin": lambda: gk.solve(program, times, out=motion)}
    more: dict[str, dict[str, Any]] = {"groupkin": {}}
    if find_spec("pylinkage"):
        runs["pylinkage"], calls = jansen_peer.pylinkage_runner(times)
        foot = [x[:, -1] for x in runs["pylinkage"]()]
        own = motion.position("S"), motion.velocity("S"), motion.acceleration("S")
        far = max(float(np.abs(x - y).max() / np.abs(y).max()) for x, y in zip(foot, own, strict=True))
        more["pylinkage"] = {"difference": far, "calls": calls}
    return [
        row("Jansen leg, in cache" if steps <= FEW else "Jansen leg", key, ALL, seconds, steps, **more[key])
        for key, seconds in least(runs, repeat).items()
    ]


RUNNERS: dict[str, tuple[Callable[[stewart_peers.Platform], Any], tuple[str, ...]]] = {
    "mujoco": (stewart_peers.mujoco_runner, tuple(stewart_peers.MODES)),
    "pinocchio": (stewart_peers.pinocchio_runner, tuple(stewart_peers.MODES)),
    "exudyn": (exudyn_runner, ("position",)),
}
"""Of each peer what makes its functions, and the modes that these know."""

Runs = dict[str, tuple[Callable[[], object], int, dict[str, Any]]]
"""Functions to be timed, the steps they solve, and what else is to be told of them."""


def by_other_means(program: gk.Program, motion: gk.Motion, part: np.ndarray) -> Runs:
    """The inverse platform by a loop that is written by hand, and part of its times by the global formulation."""
    run, out, uppers = stewart_by_hand.hand_written(program, motion.times)
    run()
    mechanism, model = program.mechanism, global_motion.build(program.mechanism)
    found = gk.solve_globally(mechanism, part, model)
    reads = motion.position, motion.velocity, motion.acceleration
    own = np.array([[read(body) for body in mechanism.movable] for read in reads])
    far = np.abs(found.origin - own[:, :, : part.size].swapaxes(2, 3)).max()
    more = {"iterations per step": float(found.iterations.mean()), "difference": float(far)}
    return {
        f"by hand: {ALL}": (run, motion.times.size, {"difference": stewart_by_hand.distance(motion, out, uppers)}),
        f"global: {ALL}": (lambda: gk.solve_globally(mechanism, part, model), part.size, more),
    }


def by_peers(few: gk.Motion, forward: bool) -> Runs:
    """A motion of the platform by the peers that are installed.

    For the forward platform the position of its center is compared, m, and for the inverse one the legs.
    """
    given, runs = stewart_peers.platform(few, forward), Runs()
    for key, (runner, modes) in RUNNERS.items():
        if not find_spec(key):
            continue
        run, _, calls = runner(given)
        for mode in modes:
            found = run(mode)
            if forward:
                far = float(np.abs(found.q[:, :3] - given.pose[:, :3]).max())
            else:
                # a foot moves against the length of its leg
                differences = np.abs(found.legs + stewart_peers.slides(few, given.feet, given.heads))
                far = float(differences[: 1 if mode == "position" else 3].max())
            more = {
                "iterations per step": found.iterations / few.times.size,
                **({} if found.residual is None else {"residual": found.residual}),
                "difference": far,
                "calls": calls,
            }
            runs[f"{key}: {mode}"] = partial(run, mode), few.times.size, more
    return runs


def stewart(steps: int, repeat: int, forward: bool) -> list[dict[str, Any]]:
    """The legs for a motion of the platform, or the platform for one of the legs; slow ways solve some of the steps."""
    described = reading.read(EXAMPLES / f"stewart_{'forward' if forward else 'inverse'}.toml")
    times = np.arange(steps) * (described.motion.duration / STEPS_PER_CYCLE)
    program = gk.program(described.mechanism)
    motion = gk.solve(program, times)
    runs: Runs = {f"groupkin: {ALL}": (lambda: gk.solve(program, times, out=motion), steps, {})}
    if not forward:
        runs |= by_other_means(program, motion, times[: max(100, steps // 20)])
    runs |= by_peers(gk.solve(program, times[: max(100, steps // 100)]), forward)
    rows = []
    for key, seconds in least({key: run for key, (run, _, _) in runs.items()}, repeat).items():
        name, what = key.split(": ")
        rows.append(row(described.mechanism.name, name, what, seconds, runs[key][1], **runs[key][2]))
    return rows


NAMES = {
    "groupkin": "structural groups",
    "by hand": "a plain loop written by hand for this one mechanism",
    "global": "global formulation, compiled, sparse LU",
    "mujoco": "MuJoCo",
    "pinocchio": "Pinocchio",
}


def table(found: list[dict[str, Any]]) -> str:
    """Position, velocity and acceleration by the fastest mode of each program, as in the README."""
    lines, own = ["| | ns per step | |", "|---|---|---|"], 1.0
    fastest: dict[tuple[str, str], float] = {}
    for entry in found:
        if entry["what"] != "position":
            key, cost = (entry["mechanism"], NAMES.get(entry["program"], entry["program"])), entry["ns per step"]
            fastest[key] = min(cost, fastest.get(key, cost))
    for (mechanism, name), cost in fastest.items():
        if name == NAMES["groupkin"]:
            own = cost
            lines.append(f"| {mechanism}: {name} | {_three_digits(cost)} | |")
        else:
            lines.append(f"| {name} | {_three_digits(cost)} | × {_three_digits(cost / own)} |")
    return "\n".join(lines)


def _three_digits(number: float) -> str:
    return f"{float(f'{number:.3g}'):,.10g}"


def show(found: list[dict[str, Any]]) -> None:
    """Print figures, and ratios to those of groupkin."""
    click.echo(f"{told(*PACKAGES)}, one thread")
    click.echo(f"{'':<31}{'':<11}{'':<34}{'ns/step':>9}{'ratio':>8}{'iterations':>12}{'residual':>10}{'differs':>9}")
    own = {entry["mechanism"]: entry["ns per step"] for entry in found if entry["program"] == "groupkin"}
    for entry in found:
        ratio = entry["ns per step"] / own[entry["mechanism"]]
        text = f"{entry['mechanism']:<31}{entry['program']:<11}{entry['what']:<34}"
        text += f"{entry['ns per step']:>9.0f}{ratio:>8.1f}"
        text += f"{entry['iterations per step']:>12.2f}" if "iterations per step" in entry else f"{'':>12}"
        for key, width in (("residual", 10), ("difference", 9)):
            text += f"{entry[key]:>{width}.1e}" if key in entry else " " * width
        click.echo(text)
    for program, calls in {entry["program"]: entry["calls"] for entry in found if "calls" in entry}.items():
        click.echo(f"{program}: {calls}")


@click.command()
@click.option("--steps", default=100_000, show_default=True, help="Of groupkin and pylinkage.")
@click.option("--repeat", default=7, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--table", "as_table", is_flag=True, help="Print the table of the README alone.")
def main(steps: int, repeat: int, as_json: bool, as_table: bool) -> None:
    """Time groupkin beside the peers that are installed."""
    found = [entry for forward in (False, True) for entry in stewart(steps, repeat, forward)]
    found += jansen(steps, repeat)
    if as_table:
        click.echo(f"{table(found)}\n\n{told(*PACKAGES)}, one thread")
        return
    found += jansen(FEW, repeat)
    if as_json:
        click.echo(json.dumps({**setting(*PACKAGES), "results": found}, indent=1))
        return
    show(found)


if __name__ == "__main__":
    main()
