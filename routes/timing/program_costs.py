"""The costs of a program on some workers, composed of what its parts cost, which is measured where it is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.kinematics.program.program import Program
from routes.planning.costs import BYTES_PER_ROW, Costs
from routes.running.backends import Backend
from routes.running.runs import STEP_BY_STEP, flows_of
from routes.timing import group_costs, team_costs
from routes.timing.cost_cache import Key, read_costs, write_costs
from routes.timing.group_costs import call_names, follow_seconds, law_names, rows_kept, run_name
from sglibrary.array_types import Array


@dataclass(frozen=True)
class ProgramCosts:
    """Costs of a program in blocks of one size on one backend.

    Attributes
    ----------
    per_step : Costs
        Of every step.
    startup : float
        Seconds to begin and end a run.
    following : float
        Seconds to follow the groups that are solved by Newton's method, once for a motion.
    startup_alone : float
        Seconds to begin and end a run in one thread.
    """

    per_step: Costs
    startup: float = 0.0
    following: float = 0.0
    startup_alone: float = 0.0

    def of_one_worker(self) -> ProgramCosts:
        """Costs where one thread does it all, without a team to start."""
        return replace(self, startup=self.startup_alone)

    def for_steps(self, steps: int) -> Costs:
        """Costs of every step of a motion of so many."""
        following = self.following if self.per_step.block != STEP_BY_STEP else 0.0
        return replace(self.per_step, startup=self.startup / steps, following=following / steps)


def program_costs(
    program: Program,
    times: Array,
    backend: Backend,
    block: int,
    path: Path | None,
    backward: Pass | None = None,
) -> ProgramCosts:
    """Costs of a program; parts of unknown cost are measured.

    Parameters
    ----------
    program : Program
    times : (n,) array
        s; the motion over whose span is measured.
    backend : Backend
    block : int
        Steps per block.
    path : Path or None
        The file of measurements (`routes.timing.cost_cache`); None to measure everything and keep nothing.
    backward : Pass, optional
        What carries loads back through the groups: each costs what both ways cost.
    """
    seconds = backend.broadcast(lambda: _thread_costs(program, times, block, path, backward))
    alone = seconds[run_name(program)]
    shared = {"barrier": 0.0, "byte": 0.0, "run": 0.0}
    if backend.workers > 1:
        shared = _team_costs(backend, block, path)
    shared["run"] += alone
    following = 0.0
    if program.iterates and block != STEP_BY_STEP:
        following = backend.broadcast(lambda: follow_seconds(program, times))
    found = _composed(program, seconds | shared, following, block, backend.workers, backward)
    return replace(found, startup_alone=alone)


def _thread_costs(
    program: Program, times: Array, block: int, path: Path | None, backward: Pass | None
) -> dict[str, float]:
    """Seconds per step of the calls of a program and a pass, of drivers and of rows, in one thread."""
    names = {*call_names(program, backward), *law_names(program), "kept", run_name(program)}
    keys: list[Key] = [(name, block, "serial") for name in names]
    costs = read_costs(path, keys) if path else {}
    if len(costs) < len(keys):
        measured = group_costs.profile(program, times, block, backward)
        costs |= _kept(path, {(name, block, "serial"): x for name, x in measured.seconds.items()}, measured.spread)
    return {name: seconds for (name, _, _), seconds in costs.items()}


def _team_costs(backend: Backend, block: int, path: Path | None) -> dict[str, float]:
    """Seconds that it costs to work together on a backend."""
    title = f"{backend.name} {backend.workers}"
    keys: list[Key] = [(name, block, title) for name in ("barrier", "byte", "run")]
    costs = backend.broadcast(lambda: read_costs(path, keys) if path else {})
    if len(costs) < len(keys):
        measured = team_costs.measure_team(backend, block)
        found = {(name, block, title): seconds for name, seconds in measured.seconds.items()}
        costs = backend.broadcast(lambda: _kept(path, found, measured.spread))
    return {name: seconds for (name, _, _), seconds in costs.items()}


def _kept(path: Path | None, measured: dict[Key, float], spread: float) -> dict[Key, float]:
    """The same measurements, after they were written to the file, if there is one and the machine was not busy."""
    if path and not group_costs.disturbed(spread):
        write_costs(path, measured)
    return measured


def _composed(
    program: Program,
    costs: Mapping[str, float],
    following: float,
    block: int,
    workers: int,
    backward: Pass | None,
) -> ProgramCosts:
    groups, every = program.structure.groups, flows_of(program, backward)
    calls, laws = call_names(program, backward), law_names(program)
    kept = {int(row): costs["kept"] for row in program.kept}
    if backward is not None:
        kept |= {int(row): costs["kept"] / 3.0 for row in backward.in_state.results[1]}
    bytes_read, seconds, io = (dict.fromkeys((group.number for group in groups), 0.0) for _ in range(3))
    for k, flow in enumerate(every):
        number = k + 1 if k < len(groups) else max(1, 2 * len(groups) - k)  # of the group whose way back it is
        read = [other.reads for other in every if other is not flow]
        rows = np.intersect1d(flow.writes, np.concatenate([np.zeros(0, np.int64), *read]))
        bytes_read[number] += float(BYTES_PER_ROW * rows.size)
        seconds[number] += sum(costs[calls[j]] for j in range(*flow.calls))
        io[number] += sum(kept.get(int(row), 0.0) for row in flow.writes)
    for group in groups:
        joints = {*group.external, *group.internal}
        io[group.number] += sum(
            costs[law] for driven, law in zip(program.drivers, laws, strict=True) if driven.joint in joints
        )
    per_step = Costs(
        seconds,
        bytes_read,
        barrier=costs["barrier"] * (1 if backward is None else 2),
        bandwidth=1.0 / max(costs["byte"], 1e-13),
        block=block,
        workers=workers,
        bytes_kept=float(BYTES_PER_ROW * (len(program.kept) + rows_kept(backward))),
        io=io,
    )
    return ProgramCosts(per_step, costs["run"], following)
