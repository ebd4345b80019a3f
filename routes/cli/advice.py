"""What to run: the command that is fastest on this machine, compared with the plain one, as measured here."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np

from groupkin.cli.options import prepared, read_file, times_of
from groupkin.cli.terminal import notice
from groupkin.cli.worker_options import Workers
from groupkin.dynamics.reactions.inverse_dynamics import Wanted, inverse_dynamics
from groupkin.kinematics.program.program import Program
from groupkin.messages import counted
from routes.choosing import choose_route
from routes.chosen import Choices, Rated
from routes.inverse_dynamics import forces_chosen
from routes.planning.costs import SPLITS
from routes.running.backends import Backend
from routes.timing.cost_cache import cache_file
from routes.timing.group_costs import way_back
from routes.timing.plain_costs import Way, measured_ways
from routes.timing.strategies import Strategy, team_size
from sglibrary.array_types import Array

TYPED = {ord("→"): ">", ord("‖"): "|"}
"""Signs of routes as they are typed."""

GAIN = 0.05
"""Share of its time by which workers must be faster than one to be worth starting."""


def advice(file: Path, workers: Workers, forces: bool, steps: int | None = None) -> list[str]:
    """Lines that say what was measured, and one with the command to run.

    Parameters
    ----------
    file : Path
        Of the mechanism.
    workers : Workers
        Only one split is compared with the plain command if they name it.
    forces : bool
        Whether driving forces and reactions are wanted.
    steps : int, optional
        Of the motion; default: those of the file.
    """
    described = read_file(file)
    times = times_of(described, None, steps)
    backend = workers.start(described, times)
    program = prepared(described, False, times)
    with notice("measuring what ways to solve it cost"), backend.alone():
        found, alone = (_of_forces if forces else _of_motion)(program, times, backend, workers)
    command = ["groupkin", "forces" if forces else "solve", str(file)]
    command += [] if steps is None else ["--steps", str(steps)]
    told = f"measured on this machine, {counted(times.size, 'step')}, memory used again"
    lines = [f"{told}: one worker {_per_step(alone)}" + "".join(f"; {_named(x)} {_per_step(s)}" for x, s in found)]
    best, seconds = min(found, key=lambda pair: pair[1], default=(None, np.inf))
    if best is None or seconds > (1.0 - GAIN) * alone:
        lines.append(f"recommended: {shlex.join(command)} ({1e6 * alone:.4g} µs per step; stay with one worker)")
    else:
        gain = f"{alone / seconds:.2f} times as fast as one worker"
        lines.append(
            f"recommended: {shlex.join(command + _options(best, program))} ({1e6 * seconds:.4g} µs per step, {gain})"
        )
    return lines


def _of_motion(program: Program, times: Any, backend: Backend, workers: Workers) -> tuple[list[Rated], float]:
    """Ways to share the work on a motion that were measured, and the seconds per step of one worker."""
    if backend.workers == 1:
        return [], measured_ways(program, times, {}, backend, _path(workers))["alone"]
    choices = choose_route(program, times, backend, block=workers.block, cache=not workers.no_cache)
    measured = [(x, seconds) for x, seconds in choices.strategies[: choices.measured] if x.workers > 1]
    return [(x, s) for x, s in measured if workers.split in (None, x.split)], choices.alone


def _of_forces(program: Program, times: Any, backend: Backend, workers: Workers) -> tuple[list[Rated], float]:
    """The same of forces: of every split the best by its prediction."""
    backward = way_back(program)
    ways: dict[str, Way] = {"forces alone": lambda t, _: inverse_dynamics(program, t)}
    tried: dict[str, Strategy] = {}
    for split in [workers.split] if workers.split else SPLITS if backend.workers > 1 else ():
        if split == "hybrid" and team_size(split, backend.workers) in (1, backend.workers):
            continue
        keep = not workers.no_cache
        choices = choose_route(program, times, backend, split=split, block=workers.block, cache=keep, backward=backward)
        name = f"forces, {backend.name} {backend.workers}, {choices.best}"
        tried[name], ways[name] = choices.best, _forces_by(choices, program, backend)
    seconds = measured_ways(program, times, ways, backend, _path(workers), "forces alone")
    return [(strategy, seconds[name]) for name, strategy in tried.items()], seconds["forces alone"]


def _forces_by(choices: Choices, program: Program, backend: Backend) -> Any:
    def solve(times: Array, _: object) -> object:
        return forces_chosen(program, times, Wanted(None, True, None, None, None, None), choices, backend)

    return solve


def _path(workers: Workers) -> Path | None:
    return None if workers.no_cache else cache_file()


def _per_step(seconds: float) -> str:
    return f"{1e6 * seconds:.3g} µs per step"


def _named(strategy: Strategy) -> str:
    shared = {"time": "time", "groups": f"groups by {strategy.route}", "hybrid": "both"}[strategy.split]
    return f"{counted(strategy.workers, 'worker')} that share {shared}"


def _options(strategy: Strategy, program: Program) -> list[str]:
    """What a strategy is asked for by, on the command line."""
    words = ["--workers", str(strategy.workers), "--split", strategy.split]
    if not strategy.plain:
        words += ["--block", str(strategy.block)]
    if strategy.split != "time":
        words += ["--route", str(strategy.route).translate(TYPED).replace(" ", "")]
    return words
