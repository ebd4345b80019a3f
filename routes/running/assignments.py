"""What each worker does in a run: which groups and ways back it takes, what it waits for, reads and keeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.driver_values import compiled, drivers_of
from groupkin.kinematics.solving.motion_memory import STREAMED
from routes.running.runs import STEP_BY_STEP, Assignment, Run
from routes.running.schedules import Lane, messages
from sglibrary.array_types import Flags, Ints
from sglibrary.run import team_loop
from sglibrary.run.calls import State
from sglibrary.run.copy import fits
from sglibrary.run.result_loop import Sources, Targets

NONE = np.zeros(0, np.int64)


def assignment(run: Run, worker: int, state: State, counters: Ints) -> Assignment:
    """What a worker does, with the state of its team."""
    program, single = run.program, run.block == STEP_BY_STEP
    team, k = divmod(worker, len(run.lanes))
    lane = run.lanes[k]
    waits, wait_starts = lane.packed()
    items = np.array([run.flows[number - 1].calls for number in lane.groups], np.int64).reshape(-1, 2)
    totals = np.array([len(each.groups) for each in run.lanes], np.int64)
    moved = np.zeros(run.clocks.shape[1], np.int64)
    for number, call in enumerate(program.calls):
        moved[number] = call.knot.size if single and call.knot is not None else 0
    joints = {name for number in _solved(run, lane) for name in _joints(program, number)}
    driven = replace(program, drivers=tuple(driven for driven in program.drivers if driven.joint in joints))
    drivers = drivers_of(driven)
    solve = run.backend.lane_solver(len(run.lanes), lambda: messages(run.lanes, run.flows))
    turns = team_loop.Turns(run.span, run.block, team, run.backend.workers // len(run.lanes), run.first_come, run.taken)
    rows, runs, groups, group_runs = kept(run, lane)
    return Assignment(
        team,
        driven,
        team_loop.Plan(items, waits, wait_starts, totals, moved, run.repeats),
        state,
        team_loop.LaneResults(
            rows, runs, groups, group_runs, run.results, run.status, run.past_caches, *_carried(run, lane)
        ),
        team_loop.Member(k, counters, run.clocks[worker]),
        drivers,
        solve,
        turns if compiled(drivers) and solve is team_loop.share else None,
        run.backend.leaving(worker),
    )


def _solved(run: Run, lane: Lane) -> list[int]:
    """The groups that a lane solves."""
    return [number for number in lane.groups if number <= run.groups and not run.alone]


def _joints(program: Program, number: int) -> tuple[str, ...]:
    group = program.structure.groups[number - 1]
    return group.external + group.internal


def kept(run: Run, lane: Lane) -> tuple[Ints, ...]:
    """The first four of `LaneResults` for a lane."""
    rows, solved = run.program.kept, _solved(run, lane)
    own, groups = np.isin(rows, _rows(run.flows[number - 1].writes for number in solved)), np.zeros(run.groups, bool)
    groups[[number - 1 for number in solved]] = True
    return rows, _runs(own), np.arange(groups.size), _runs(groups)


def _carried(run: Run, lane: Lane) -> tuple[Sources, Targets]:
    """What a lane takes from a motion that is solved and from what is given, and what it keeps of its ways back.

    What two lanes read of what is given, both take.
    """
    if run.back is None:
        return Sources(), Targets()
    own, results = run.back.backward.in_state, run.back.results
    flows_there, flows_back = (
        [run.flows[number - 1] for number in lane.groups if (number > run.groups) == back] for back in (False, True)
    )
    solved = _rows(flow.writes for flow in flows_there) if run.alone else NONE
    read, written = _rows(flow.reads for flow in flows_back), _rows(flow.writes for flow in flows_back)
    q, a = np.isin(own.sources.q_rows, solved), np.isin(own.sources.a_rows, solved)
    given = np.isin(own.sources.given_rows, read)
    found = np.flatnonzero(np.isin(own.results[1], written))
    sources = Sources(
        run.results[0], own.sources.q_numbers[q], own.sources.q_rows[q],
        run.back.given, own.sources.given_numbers[given], own.sources.given_rows[given],
        run.results[2], own.sources.a_numbers[a], own.sources.a_rows[a],
    )  # fmt: skip
    past_caches = results.nbytes > STREAMED and fits(results, run.block)
    return sources, Targets(results, found, own.results[1, found], past_caches)


def _rows(parts: Iterable[Ints]) -> Ints:
    return np.concatenate([NONE, *parts])


def _runs(mask: Flags) -> Ints:
    """Where successive true values begin and end (r, 2)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return edges.reshape(-1, 2)


def written(run: Run, worker: int) -> list[tuple[Ints, Ints]]:
    """What a worker has written of q, v, a, conditioning, status and results of the way back: rows and steps."""
    team, lane = divmod(worker, len(run.lanes))
    taken = run.spans[team :: run.backend.workers // len(run.lanes)]
    _, of_rows, _, of_groups = kept(run, run.lanes[lane])
    steps, rows, groups = (
        np.concatenate([np.arange(0), *(np.arange(*pair) for pair in pairs)]) for pairs in (taken, of_rows, of_groups)
    )
    return [(rows, steps)] * 3 + [(groups, steps)] * 2 + [(_carried(run, run.lanes[lane])[1].numbers, steps)]
