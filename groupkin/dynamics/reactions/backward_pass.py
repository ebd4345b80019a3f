"""Formulas of reactions as compiled calls, those of each group, and their run over the steps of a motion."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from groupkin.dynamics.reactions.carried_loads import LAST, Carried
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.dataflow import Flow
from groupkin.kinematics.rates.computed import computed_series
from groupkin.kinematics.solving.block_sizes import BLOCK
from groupkin.kinematics.solving.motion_memory import STREAMED
from groupkin.kinematics.solving.state_memory import LINE_BYTES, aligned, aligned_rows, pitch_of
from sglibrary import inverses
from sglibrary.array_types import Array, Ints
from sglibrary.code.graph import Expr, Graph
from sglibrary.code.kernel import gathered, kernel_of
from sglibrary.run.calls import Calls, State, handle
from sglibrary.run.copy import fits
from sglibrary.run.result_loop import NO_NUMBERS, InPlace, Sources, Targets, run_blocks
from sglibrary.run.row_numbers import LINE, inverse, row_numbers


class Part(NamedTuple):
    """A kernel with the rows, of q or a, and constants that it takes.

    Attributes
    ----------
    kernel : callable
    rows : list of (str, int)
    constants : list of float
    written : set of int
        Those of the rows, of q, that it writes.
    memory : int
        Size of its memory.
    name : str
        The same of kernels that cost the same.
    """

    kernel: Any
    rows: list[tuple[str, int]]
    constants: list[float]
    written: set[int]
    memory: int
    name: str


class InState(NamedTuple):
    """A pass on the state of its program, which has more rows then, so that it can follow the groups in each block.

    Attributes
    ----------
    calls : Calls
    flows : tuple of Flow
        Of every group, the last one first, and of what is computed after all; their `writes` are the rows that others
        read, and those of the results.
    rows : int
        Of the state.
    sources : Sources
        Without the arrays.
    results : (2, k) array of int
        Outputs that are not always zero, and their rows.
    names : tuple of str
        Of calls that cost the same, the same.
    """

    calls: Calls
    flows: tuple[Flow, ...]
    rows: int
    sources: Sources
    results: Ints
    names: tuple[str, ...]


class Memory(NamedTuple):
    """Memory of a run, and how it reads the motion that lies where another one did.

    Attributes
    ----------
    calls : Calls
    state : State
    sources : Sources
        What is copied, without the arrays.
    in_place : InPlace
    where : tuple
        Addresses, strides and shapes of the motion's rows.
    """

    calls: Calls
    state: State
    sources: Sources
    in_place: InPlace
    where: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Pass:
    """The calls of all groups in reverse solving order, and what they read and write.

    Attributes
    ----------
    calls : Calls
        On a state that has no more rows than they need.
    rows : (int, int)
        Of positions and of accelerations in that state.
    sources : Sources
        What it takes of a motion and of what is given beside it, without the arrays.
    entries : tuple of (2, m) arrays of int
        Of positions and of accelerations that formulas read: which of the rows of all calls they are, and the motion's
        numbers of these rows.
    results : (2, k) array of int
        Outputs that are not always zero, and their rows.
    zeros : (k,) array of int
        The other outputs.
    computed : tuple
        Joints, numbers and kinds of the moves that are computed and given after the loads.
    center, length : (d,) array, float
        Of their twists: the point, m, and the unit of length, m.
    in_state : InState
    spare : list of Memory
        That no thread uses now: to make it costs more than what a few steps are computed in.
    """

    calls: Calls
    rows: tuple[int, int]
    sources: Sources
    entries: tuple[Ints, Ints]
    results: Ints
    zeros: Ints
    computed: tuple[tuple[str, int, int], ...]
    center: Array
    length: float
    in_state: InState
    spare: list[Memory] = field(default_factory=list)


def packed(back: Carried, loads: list[int]) -> Pass:
    """Make the calls; the loads on bodies are given in some rows."""
    parts, results = _parts(back)
    every = [part for of_group in parts for part in of_group]
    used = sorted({place for part in every for place in part.rows})
    numbers = {place: k for kind in "qa" for k, place in enumerate(x for x in used if x[0] == kind)}
    places = {place: place[1] for place in used}
    vectors, kept = back.formulas.vectors, back.formulas.program.kept.tolist()
    beside = [back.places[x] for x in vectors.given]
    given = [*loads, *beside]
    computed = tuple(vectors.computed) if any(("q", row) in numbers for row in beside) else ()
    in_state = InState(
        _calls(every, places),
        _flows(parts),
        back.rows,
        _sources(places, kept, given),
        _pairs((k, row) for k, row in results.items()),
        tuple(part.name for part in every),
    )
    return Pass(
        _calls(every, numbers),
        (sum(kind == "q" for kind, _ in numbers), sum(kind == "a" for kind, _ in numbers)),
        _sources(numbers, kept, given),
        _entries(every, kept),
        _pairs((k, numbers["q", row]) for k, row in results.items()),
        np.array([k for k in range(len(back.outputs)) if k not in results], np.int64),
        computed,
        vectors.center,
        vectors.length,
        in_state,
    )


def _parts(back: Carried) -> tuple[list[list[Part]], dict[int, int]]:
    """What is computed in every group, the last one first, and after all; outputs and the rows that they are put in."""
    graph, order = back.formulas.vectors.graph, range(len(back.stored) - 1, LAST - 1, -1)
    results, zero, parts = dict[int, int](), graph.number(0.0), list[list[Part]]()
    stored = dict(back.places)
    for group in order:
        handed = {} if group == LAST else back.stored[group]
        targets = list(handed.items())
        for k, (value, of_group) in enumerate(back.outputs):
            if of_group == group and value != zero:
                results[k] = back.allocate()
                targets.append((value, results[k]))
        parts.append(_formulas(graph, targets, stored))
        stored |= handed
    for entries, inverted in reversed(back.formulas.inverses):  # before the first that reads them
        first, rows = [back.allocate() for _ in entries], [back.places[x] for x in inverted]
        size = math.isqrt(len(entries))
        into, every = list(zip(entries, first, strict=True)), [("q", row) for row in first + rows]
        inverting = Part(
            inverses.inverse, every, [], set(rows), math.prod(inverses.room(size)), f"inverse {size} × {size}"
        )
        read = {("q", row) for row in rows}
        readers = [k for k, of_group in enumerate(parts) if any(read & {*part.rows} for part in of_group)]
        if readers:  # none where nothing loads the group
            parts[readers[0]] = [*_formulas(graph, into, back.places), inverting, *parts[readers[0]]]
    return parts, results


def _formulas(graph: Graph, targets: list[tuple[Expr, int]], stored: dict[Expr, int]) -> list[Part]:
    """Expressions that are put in rows as a part, if there are any; what it costs depends on how many lines it has."""
    placed = [[(x, f"q {row} 0")] for x, row in targets]
    text = graph.text(*placed, stored={x.at: f"q {row} 0" for x, row in stored.items()})
    if not text:
        return []
    text, rows, constants = gathered(text)
    name = f"formulas of {text.count(';') + 1} lines"
    return [Part(kernel_of(text), rows, constants, {row for _, row in targets}, 0, name)]


def _calls(parts: list[Part], numbers: dict[tuple[str, int], int]) -> Calls:
    """Write the calls of kernels, with their rows, constants and sizes of memory, one after another."""
    handles = [handle(part.kernel) for part in parts]
    sizes = [(len(part.rows), len(part.constants), part.memory) for part in parts]
    starts = np.cumsum([(0, 0, 0), *sizes], axis=0)
    return Calls(
        handles if DISABLE_JIT else np.array(handles, np.int64),
        np.array([numbers[place] for part in parts for place in part.rows], np.int64),
        np.array([number for part in parts for number in part.constants], float),
        np.zeros(starts[-1, 2]),
        starts,
        np.zeros(len(parts), np.int64),
    )


def _flows(parts: list[list[Part]]) -> tuple[Flow, ...]:
    """What the parts of every group read and write."""
    flows, first = [], 0
    for of_group in parts:
        written = set[int]().union(*(part.written for part in of_group))
        read = {row for part in of_group for _, row in part.rows} - written
        stop = first + len(of_group)
        flows.append(Flow((first, stop), np.array(sorted(read), np.int64), np.array(sorted(written), np.int64)))
        first = stop
    return tuple(flows)


def _sources(numbers: dict[tuple[str, int], int], kept: list[int], given: list[int]) -> Sources:
    """What a pass takes of the rows that a motion keeps, and of those that are given, without the arrays."""

    def taken(kind: str, rows: Iterable[int]) -> Ints:
        return _pairs((k, numbers[kind, row]) for k, row in enumerate(rows) if (kind, row) in numbers)

    q, beside, a = taken("q", kept), taken("q", given), taken("a", kept)
    return Sources(
        q_numbers=q[0], q_rows=q[1], given_numbers=beside[0], given_rows=beside[1], a_numbers=a[0], a_rows=a[1]
    )


def _entries(parts: list[Part], kept: list[int]) -> tuple[Ints, Ints]:
    """Which of the rows of all calls are those of positions and of accelerations that a motion keeps, and which."""
    places = [place for part in parts for place in part.rows]
    of_motion = {row: number for number, row in enumerate(kept)}
    q, a = (
        _pairs((k, of_motion[row]) for k, (x, row) in enumerate(places) if x == kind and row in of_motion)
        for kind in "qa"
    )
    return q, a


def _pairs(found: Iterable[tuple[int, int]]) -> Ints:
    return np.array(list(found), np.int64).reshape(-1, 2).T.copy()


def given_rows(backward: Pass, motion: Motion, loads: list[Array]) -> Array:
    """What a pass is given beside a motion, rows (k, n): loads, and twists that are computed from the motion."""
    if backward.computed:
        loads = [*loads, *computed_series(motion, backward.computed, backward.center, backward.length, 1)[0]]
    return np.stack(loads) if loads else np.zeros((0, motion.times.size))


def run(backward: Pass, motion: Motion, given: Array, results: Array) -> None:
    """Fill the results (outputs, n), which `memory_of` made, along a motion with what is given (`given_rows`)."""
    n, block = motion.times.size, min(BLOCK, -(-motion.times.size // 8) * 8)
    try:
        memory = backward.spare.pop()
    except IndexError:
        memory = _memory(backward)
    where = tuple((x.__array_interface__["data"][0], x.strides, x.shape) for x in (motion.q, motion.a))
    if where != memory.where:
        memory = _read_where_it_is(backward, motion, memory)._replace(where=where)
    sources = memory.sources._replace(given=given)
    if memory.in_place.inverse == 0:
        sources = sources._replace(q=motion.q, a=motion.a)
    numbers, rows = backward.results
    targets = Targets(results, numbers, rows, fits(results, block) and results.nbytes > STREAMED)
    status = np.zeros(memory.state.conditioning.shape, np.uint8)
    run_blocks(memory.calls, memory.state, status, block, sources, memory.in_place, targets, n)
    backward.spare.append(memory)


def _memory(backward: Pass) -> Memory:
    calls = backward.calls
    calls = calls._replace(rows=calls.rows.copy(), memory=np.zeros_like(calls.memory))
    return Memory(calls, state_of(backward, BLOCK), backward.sources, InPlace(), ())


def _read_where_it_is(backward: Pass, motion: Motion, memory: Memory) -> Memory:
    """Let formulas read the rows of a motion without a copy, if these lie in whole cache lines."""
    if not (fits(motion.q, LINE) and fits(motion.a, LINE)):
        memory.calls.rows[:] = backward.calls.rows
        return memory._replace(sources=backward.sources, in_place=InPlace())
    numbers = []
    for source, x, (_, of_motion) in zip(
        (motion.q, motion.a), (memory.state.q, memory.state.a), backward.entries, strict=True
    ):
        ahead = (source.ctypes.data - x.ctypes.data) // LINE_BYTES
        numbers.append(row_numbers(ahead + of_motion * (source.strides[0] // LINE_BYTES), x.shape[1]))
    entries = np.concatenate([entries for entries, _ in backward.entries])
    in_place = InPlace(entries, np.concatenate(numbers), inverse(memory.state.q.shape[1]))
    return memory._replace(
        sources=backward.sources._replace(q_numbers=NO_NUMBERS, a_numbers=NO_NUMBERS), in_place=in_place
    )


def state_of(backward: Pass, block: int) -> State:
    """Make memory for the rows of a block, an odd number of lines each; kernels of reactions read no velocities."""
    pitch = LINE * (-(-block // LINE) | 1)
    q, a = (aligned_rows(rows, pitch) for rows in backward.rows)
    return State(q, q, a, np.zeros((1, pitch)))


def memory_of(rows: int, n: int) -> Array:
    """Make rows (rows, n) of zeros that start at cache lines, in memory that is touched only where it is written."""
    pitch = pitch_of(n)
    memory = np.zeros(8 * rows * pitch + LINE_BYTES, np.uint8)
    return aligned(memory, (rows, pitch), float)[:, :n]
