"""A run of a program by a route: what it is, and which steps its teams take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.reactions.backward_pass import Pass
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.dataflow import Flow, flows
from groupkin.kinematics.program.program import Program
from routes.running.backends import Backend
from routes.running.schedules import Lanes
from sglibrary.array_types import Array, Ints
from sglibrary.run import team_loop
from sglibrary.run.calls import Calls, Drivers, State

SHARES = 8
"""Spans of steps that each team takes, where there are several."""

STEP_BY_STEP = 1
"""Block size at which a step starts from the one before it, as in a real-time simulator."""


@dataclass(frozen=True)
class Assignment:
    """What one worker does in a run.

    Attributes
    ----------
    team : int
    program : Program
        With the drivers of the lane's groups alone.
    plan : Plan
    state : State
        Of its team.
    results : LaneResults
    member : Member
    drivers : Drivers
        Those of `program`, without the values of laws that are evaluated in Python.
    solve : callable
        `sglibrary.run.team_loop.share`, or the same by messages.
    turns : Turns, optional
        The spans that the worker takes if all that it does is compiled: it then needs the interpreter, which threads
        have to share, only to begin.
    leaving : Leaving
    """

    team: int
    program: Program
    plan: team_loop.Plan
    state: State
    results: team_loop.LaneResults
    member: team_loop.Member
    drivers: Drivers
    solve: Callable[..., bool]
    turns: team_loop.Turns | None
    leaving: team_loop.Leaving


@dataclass(frozen=True)
class WayBack:
    """Loads carried back through the groups of a run.

    Attributes
    ----------
    backward : Pass
    results : (k, pitch) array
        Those of its outputs that are not always zero, seen by all workers where they share memory.
    given : (k, n) array
        What the pass is given beside the motion (`groupkin.dynamics.reactions.backward_pass.given_rows`).
    alone : bool
        Whether the motion is solved, so that nothing else is run.
    """

    backward: Pass
    results: Array
    given: Array
    alone: bool


@dataclass(frozen=True)
class Run:
    """A motion to be solved on the lanes of a backend, any number of times, with all the memory it takes.

    Runs on one backend use the same memory, so that results must be read before the next one is executed, and all
    must be of one program.

    Attributes
    ----------
    program : Program
    times : (n,) array
        s.
    lanes : tuple of Lane
        Of one team; the backend's workers are teams of so many lanes.
    back : WayBack, optional
        What follows the groups in every block.
    backend : Backend
    block : int
        Steps per block.
    repeats : int
        How often each group is solved (a synthetic load).
    results : tuple of arrays
        q, v, a (rows, pitch) and conditioning (groups, pitch), seen by all workers where they share memory.
    status : (groups, n) array of uint8
    clocks : (workers, CALLS + c) array of int
        Where the time of the workers went in the last run, in ticks (`sglibrary.run.team_loop.share`).
    flows : tuple of Flow
        Of all groups and ways back.
    assignments : dict of int to Assignment
        Of the workers of this process.
    past_caches : bool
        Whether results are written past the caches.
    calls : Calls
        Of the groups; of those that are followed, without what they remember.
    taken : array of int
        How many spans of steps workers have taken.
    motion : Motion, optional
        Whose memory the results are.
    """

    program: Program
    times: Array
    lanes: Lanes
    back: WayBack | None
    backend: Backend
    block: int
    repeats: int
    results: tuple[Array, ...]
    status: NDArray[np.uint8]
    clocks: Ints
    flows: tuple[Flow, ...]
    assignments: dict[int, Assignment]
    past_caches: bool
    calls: Calls
    taken: Ints
    motion: Motion | None = None

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The steps in as many spans as teams take one after another."""
        return spans(self.times.size, self.block, self.backend.workers // len(self.lanes), self.program.iterates)

    @property
    def first_come(self) -> bool:
        """Whether a worker takes the next span when it is ready, instead of round-robin.

        Lanes of a team would have to agree on it.
        """
        return self.program.iterates and len(self.lanes) == 1 and self.backend.shares

    @property
    def groups(self) -> int:
        """How many groups there are; those from this number on are ways back."""
        return len(self.program.structure.groups)

    @property
    def alone(self) -> bool:
        """Whether only the way back is run, along a motion that is solved."""
        return self.back is not None and self.back.alone

    @property
    def span(self) -> int:
        """Steps per span."""
        return max(1, self.spans[0][1])


def flows_of(program: Program, backward: Pass | None, alone: bool = False) -> tuple[Flow, ...]:
    """What groups and their ways back read and write; `alone`: nothing is called to solve the groups."""
    found = flows(program)
    if alone:
        found = tuple(replace(flow, calls=(0, 0)) for flow in found)
    if backward is None:
        return found
    count = len(program.calls)
    return found + tuple(
        replace(flow, calls=(flow.calls[0] + count, flow.calls[1] + count)) for flow in backward.in_state.flows
    )


def spans(steps: int, block: int, teams: int, iterates: bool) -> list[tuple[int, int]]:
    """Spans of whole blocks that teams take round-robin, or whoever comes first.

    Where groups are iterated some times cost more than others, and there are `SHARES` for each team.
    """
    count = -(-steps // block)
    shares = teams * SHARES if iterates and teams > 1 else teams
    width = block * max(1, count // shares if shares > teams else -(-count // teams))
    return [(first, min(steps, first + width)) for first in range(0, steps, width)]
