"""Formulas of reactions as compiled calls, one of each group, and their run over the steps of a motion."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import NDArray

from groupkin.dynamics.carried import LAST, Carried
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.expressions import Code
from groupkin.kinematics.rates.rates import computed_rows
from groupkin.kinematics.solving import blocks
from groupkin.kinematics.solving.motion_memory import STREAMED
from sglibrary.rates.operations import inverse, room
from sglibrary.rates.straight_line import straight_line
from sglibrary.run.calls import Calls, State, handle
from sglibrary.run.copy import fits
from sglibrary.run.result_loop import run_blocks

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pass:
    """The calls of all groups in reverse solving order, and what they read and write.

    Attributes
    ----------
    calls : Calls
    rows : (int, int)
        Of positions and of accelerations in the state.
    positions, accelerations, given : (2, k) array of int
        Rows of the motion, or of what is given beside it, and the rows of the state to which they go.
    results : (2, k) array of int
        Outputs that are not always zero, and their rows.
    zeros : (k,) array of int
        The other outputs.
    computed : tuple
        Joints, numbers and kinds of the moves that are computed and given after the loads.
    center, length : (d,) array, float
        Of their twists: the point, m, and the unit of length, m.
    spare : list of (Calls, State)
        Memory that no thread uses now: new memory costs more than what a few steps are computed in.
    """

    calls: Calls
    rows: tuple[int, int]
    positions: Ints
    accelerations: Ints
    given: Ints
    results: Ints
    zeros: Ints
    computed: tuple[tuple[str, int, int], ...]
    center: Array
    length: float
    spare: list[tuple[Calls, State]] = field(default_factory=list)


def packed(back: Carried, loads: list[int]) -> Pass:
    """Make the calls; the loads on bodies are given in some rows."""
    sheet, made = back.sheet, back.sheet.made
    parts = list[tuple[Any, list[tuple[str, int]], list[float], int]]()

    def add(code: Code) -> None:
        if code.text:
            parts.append((straight_line(code.text), code.rows, code.constants, 0))

    for entries, rows in sheet.inversions:
        first = [sheet.allocate() for _ in entries]
        add(made.code(zip(entries, first, strict=True), {}))
        parts.append((inverse, [("q", row) for row in first + rows], [], math.prod(room(math.isqrt(len(entries))))))
    results, stored, zero = dict[int, int](), dict[int, int](), made.constant(0.0)
    for group in range(len(back.stored) - 1, LAST - 1, -1):
        handed = {} if group == LAST else back.stored[group]
        targets = list(handed.items())
        for k, (value, of_group) in enumerate(back.outputs):
            if of_group == group and value != zero:
                results[k] = sheet.allocate()
                targets.append((value, results[k]))
        add(made.code(targets, stored))
        stored |= handed
    used = sorted({place for _, rows, _, _ in parts for place in rows})
    numbers = {place: k for kind in "qa" for k, place in enumerate(x for x in used if x[0] == kind)}
    calls = _calls([(kernel, [numbers[x] for x in rows], constants, m) for kernel, rows, constants, m in parts])

    def taken(kind: str, rows: Iterable[int]) -> Ints:
        found = [(k, numbers[kind, row]) for k, row in enumerate(rows) if (kind, row) in numbers]
        return np.array(found, np.int64).reshape(-1, 2).T.copy()

    b, kept = sheet.b, sheet.b.program.kept.tolist()
    computed = tuple(b.computed) if any(("q", row) in numbers for row in sheet.computed.values()) else ()
    return Pass(
        calls,
        (sum(kind == "q" for kind, _ in numbers), sum(kind == "a" for kind, _ in numbers)),
        taken("q", kept),
        taken("a", kept),
        taken("q", [*loads, *sheet.computed.values()]),
        np.array([(k, numbers["q", row]) for k, row in results.items()], np.int64).reshape(-1, 2).T.copy(),
        np.array([k for k in range(len(back.outputs)) if k not in results], np.int64),
        computed,
        b.center,
        b.length,
    )


def _calls(parts: list[tuple[Any, list[int], list[float], int]]) -> Calls:
    """Write the calls of kernels, with their rows, constants and sizes of memory, one after another."""
    handles = [handle(kernel) for kernel, _, _, _ in parts]
    starts = np.cumsum([(0, 0, 0), *((len(rows), len(constants), m) for _, rows, constants, m in parts)], axis=0)
    return Calls(
        handles if DISABLE_JIT else np.array(handles, np.int64),
        np.array([row for _, rows, _, _ in parts for row in rows], np.int64),
        np.array([number for _, _, constants, _ in parts for number in constants], float),
        np.zeros(starts[-1, 2]),
        starts,
        np.zeros(len(parts), np.int64),
    )


def run(backward: Pass, motion: Motion, loads: list[Array], results: Array) -> None:
    """Fill the results (outputs, n), which `memory_of` made, along a motion with given rows (n,) of loads."""
    n, block = motion.times.size, min(blocks.BLOCK, -(-motion.times.size // 8) * 8)
    if backward.computed:
        loads = [*loads, *np.concatenate(computed_rows(motion, backward.computed, backward.center, backward.length))]
    try:
        calls, state = backward.spare.pop()
    except IndexError:
        calls = backward.calls._replace(memory=np.zeros_like(backward.calls.memory))
        state = state_of(backward, blocks.BLOCK)
    given = np.stack(loads) if loads else np.zeros((0, n))
    sources = (motion.q, *backward.positions, given, *backward.given, motion.a, *backward.accelerations)
    targets = (results, *backward.results, fits(results, block) and results.nbytes > STREAMED)
    run_blocks(calls, state, np.zeros(state.conditioning.shape, np.uint8), block, sources, targets, n)
    backward.spare.append((calls, state))


def state_of(backward: Pass, block: int) -> State:
    """Make memory for the rows of a block; kernels of reactions read no velocities."""
    pitch = blocks.pitch_of(block)
    q, a = (blocks.aligned_rows(rows, pitch) for rows in backward.rows)
    return State(q, q, a, np.zeros((1, pitch)))


def memory_of(rows: int, n: int) -> Array:
    """Make rows (rows, n) of zeros that start at cache lines, in memory that is touched only where it is written."""
    pitch = blocks.pitch_of(n)
    memory = np.zeros(8 * rows * pitch + blocks.LINE, np.uint8)
    return blocks.aligned(memory, (rows, pitch), float)[:, :n]
