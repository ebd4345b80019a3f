"""Whole mechanisms beside other programs: a Jansen leg in pylinkage, a Stewart platform in MuJoCo, Pinocchio, Exudyn.

All run in one process on one thread, in turns. Each turn is taken twice and the second time counts, when caches hold
what it needs; of several turns the least counts, since other work on the machine only adds to it. Peers are used
through their Python interfaces as documented, and their results are compared with ours.
Those that are not installed are left out. They need an environment of their own:

    python3 -m venv peers && peers/bin/pip install '.[peers]'
    peers/bin/python benchmarks/peers.py [--steps 100000] [--repeat 7] [--json]
"""

from __future__ import annotations

import os

# one thread for all, also for the matrices of numpy; read when it is first imported
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import json
import platform
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import jansen_peer
import numpy as np
import stewart_peers

import groupkin as gk
from groupkin.mechanism.files import reading

EXAMPLES = Path(__file__).parents[1] / "examples"
STEPS_PER_CYCLE, FEW = 400, 2000
"""`FEW` steps are five turns, whose motion stays in the caches."""
PACKAGES = {"pylinkage": "pylinkage", "mujoco": "mujoco", "pinocchio": "pin", "exudyn": "exudyn"}
"""Packages by the name they are imported with."""


def least(runs: dict[str, Callable[[], object]], repeat: int) -> dict[str, float]:
    """Least CPU seconds of each, run in turns and twice in each; all of them work on one thread."""
    found = dict.fromkeys(runs, np.inf)
    for _ in range(repeat):
        for key, run in runs.items():
            run()
            start = time.process_time()
            run()
            found[key] = min(found[key], time.process_time() - start)
    return found


def row(mechanism: str, program: str, what: str, seconds: float, steps: int, **more: Any) -> dict[str, Any]:
    return {"mechanism": mechanism, "program": program, "what": what, "ns per step": 1e9 * seconds / steps, **more}


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
    what = "position, velocity, acceleration"
    return [
        row(f"Jansen leg, {steps} steps", key, what, seconds, steps, **more[key])
        for key, seconds in least(runs, repeat).items()
    ]


def stewart(steps: int, repeat: int, forward: bool) -> list[dict[str, Any]]:
    """The legs for a motion of the platform, or the platform for one of the legs; peers solve a hundredth of the steps.

    The pose that peers find is compared in the position of the platform's center, m.
    """
    described = reading.read(EXAMPLES / f"stewart_{'forward' if forward else 'inverse'}.toml")
    times = np.arange(steps) * (described.motion.duration / STEPS_PER_CYCLE)
    program = gk.program(described.mechanism)
    motion = gk.solve(program, times)
    part = times[: max(100, steps // 100)]
    few = gk.solve(program, part)
    given = stewart_peers.platform(few, forward)
    runs: dict[str, Callable[[], Any]] = {"groupkin": lambda: gk.solve(program, times, out=motion)}
    more: dict[str, dict[str, Any]] = {"groupkin": {}}
    for key, (runner, modes) in stewart_peers.RUNNERS.items():
        if not find_spec(key):
            continue
        run, calls = runner(given)
        for mode in modes:
            found = run(mode)
            if forward:
                far = float(np.abs(found.q[:, :3] - given.pose[:, :3]).max())
            else:
                # a foot moves against the length of its leg
                differences = np.abs(found.legs + stewart_peers.slides(few, given.feet, given.heads))
                far = float(differences[: 1 if mode == "position" else 3].max())
            runs[f"{key}: {mode}"] = lambda run=run, mode=mode: run(mode)
            more[f"{key}: {mode}"] = {
                "iterations per step": found.iterations / part.size,
                "residual": found.residual,
                "difference": far,
                "calls": calls,
            }
    rows = []
    for key, seconds in least(runs, repeat).items():
        peer, _, mode = key.partition(": ")
        what = mode or "position, velocity, acceleration"
        count = steps if key == "groupkin" else part.size
        rows.append(row(described.mechanism.name, peer, what, seconds, count, **more[key]))
    return rows


def setting() -> dict[str, object]:
    versions = {}
    for package in ("groupkin", "numba", "numpy", *PACKAGES.values()):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "absent"
    return {"Python": platform.python_version(), "machine": platform.machine(), "threads": 1, **versions}


@click.command()
@click.option("--steps", default=100_000, show_default=True, help="Of groupkin and pylinkage.")
@click.option("--repeat", default=7, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def main(steps: int, repeat: int, as_json: bool) -> None:
    """Time groupkin beside the peers that are installed."""
    found = jansen(FEW, repeat) + jansen(steps, repeat)
    for forward in (False, True):
        found += stewart(steps, repeat, forward)
    if as_json:
        click.echo(json.dumps({**setting(), "results": found}, indent=1))
        return
    click.echo(", ".join(f"{name} {value}" for name, value in setting().items()))
    click.echo(f"{'':<27}{'':<11}{'':<34}{'ns/step':>9}{'ratio':>8}{'iterations':>12}{'residual':>10}{'differs':>9}")
    own = {entry["mechanism"]: entry["ns per step"] for entry in found if entry["program"] == "groupkin"}
    for entry in found:
        ratio = entry["ns per step"] / own[entry["mechanism"]]
        text = f"{entry['mechanism']:<27}{entry['program']:<11}{entry['what']:<34}"
        text += f"{entry['ns per step']:>9.0f}{ratio:>8.1f}"
        text += f"{entry['iterations per step']:>12.2f}" if "iterations per step" in entry else f"{'':>12}"
        for key, width in (("residual", 10), ("difference", 9)):
            text += f"{entry[key]:>{width}.1e}" if key in entry else " " * width
        click.echo(text)
    for program, calls in {entry["program"]: entry["calls"] for entry in found if "calls" in entry}.items():
        click.echo(f"{program}: {calls}")


if __name__ == "__main__":
    main()
