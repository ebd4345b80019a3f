"""Solve a program by the best of several strategies that were compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.errors import ArgumentError, SolveError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.block_sizes import wide_block
from groupkin.kinematics.solving.failures import failure
from groupkin.kinematics.solving.run import check_failure_modes, crossed
from routes.planning.costs import guess_costs
from routes.running.backends import Backend, serial
from routes.running.execution import execute, motion_for, motion_of, prepare
from routes.running.runs import Run
from routes.running.shared_time import solve_shared
from routes.timing.program_costs import ProgramCosts
from routes.timing.strategies import Strategy, lanes_of
from sglibrary.array_types import Array

Rated = tuple[Strategy, float]
"""A strategy and its time per step (s)."""


@dataclass(frozen=True)
class Choices:
    """Strategies that were compared.

    Attributes
    ----------
    strategies : tuple of (Strategy, float)
        With seconds per step, the fastest first; behind those that were measured, if any, those that were predicted.
    costs : dict of int to ProgramCosts
        Those that strategies on teams were compared with, by block size; none where nothing was left to choose.
    alone : float
        Seconds per step of one worker; infinite where nothing was measured.
    measured : int
        How many of the strategies, the first ones, were measured as they are.
    """

    strategies: tuple[Rated, ...]
    costs: dict[int, ProgramCosts]
    alone: float = np.inf
    measured: int = 0

    @property
    def best(self) -> Strategy:
        return self.strategies[0][0]

    @property
    def loss(self) -> float:
        """How many times as long as one worker the best strategy takes."""
        return self.strategies[0][1] / self.alone


class Asked(NamedTuple):
    """Arguments of `groupkin.solve` that say how, and not what."""

    on_failure: str = "raise"
    on_singular: str = "fail"
    out: Motion | None = None
    keep: tuple[Quantity, ...] | None = None
    progress: Callable[[int, int], None] | None = None


def solve_chosen(
    program: Program,
    times: Array,
    choices: Choices,
    backend: Backend,
    asked: Asked | None = None,
    work: int = 1,
) -> Motion | None:
    """Solve a program by the best of several strategies; None on all ranks but the first.

    Raises
    ------
    SolveError, ArgumentError
    """
    strategy, asked = choices.best, asked or Asked()
    if strategy.workers < backend.workers:
        backend = serial()
    if strategy.plain and work == 1:
        block = None if strategy.block == wide_block(program) else strategy.block
        return solve_shared(backend, program, times, block=block, **asked._asdict())
    check_asked(program, choices, asked.on_failure, asked.on_singular)
    run = executed(program, times, choices, backend, asked.on_failure, work, out=asked.out)
    motion = solution(run, asked.on_failure)
    return motion if motion is None or motion.keep == asked.keep else motion.but(keep=asked.keep)


def check_asked(program: Program, choices: Choices, on_failure: str, on_singular: str) -> None:
    """Refuse what is no way to go on where steps fail or positions are singular, or none of the strategy.

    Raises
    ------
    ArgumentError
    """
    check_failure_modes(program, on_failure, on_singular)
    if on_singular == "continue" and not choices.best.plain:
        raise ArgumentError(
            'on_singular="continue" is for workers that share time, in blocks of more than one step; leave out the '
            "split, or take it by time"
        )


def executed(
    program: Program,
    times: Array,
    choices: Choices,
    backend: Backend,
    on_failure: str = "raise",
    work: int = 1,
    backward: Pass | None = None,
    out: Motion | None = None,
) -> Run:
    """Run a program by the best of several strategies on teams, and carry loads back if there is a pass for it."""
    strategy = choices.best
    known = choices.costs.get(strategy.block)
    costs = guess_costs(program.structure, strategy.workers) if known is None else known.per_step
    lanes = lanes_of(strategy, program.structure, costs)
    motion = motion_for(backend, program, times, out)
    run = prepare(program, times, lanes, backend, strategy.block, work, backward, motion)
    execute(run, resume=on_failure == "nan")
    return run


def solution(run: Run, on_failure: str = "raise") -> Motion | None:
    """The motion of a run; None on all ranks but the first.

    Raises
    ------
    SolveError
    """
    motion = motion_of(run)
    error = run.backend.broadcast(lambda: _first_error(motion, on_failure))
    if error is not None:
        kind, message, group, time = error
        raise kind(message, group, time, motion)  # only the first rank has the motion
    return motion


def _first_error(motion: Motion | None, on_failure: str) -> tuple[type[SolveError], str, int, float] | None:
    """The error of the first step that failed, in parts that can be sent to other processes; None to go on."""
    assert motion is not None
    if on_failure == "nan":
        crossed(motion, "nan")
        return None
    failed = ~motion.solved
    first = int(failed.argmax()) if failed.any() else None
    try:
        crossed(motion, stop=first)
    except SolveError as crossing:
        error = crossing
    else:
        if first is None:
            return None
        error = failure(motion, first)
    return type(error), str(error), error.group, error.time
