"""The calls of all groups of a program as compiled loops take them: packed in a few arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from groupkin.kinematics.program import first_use
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Call, Program
from sglibrary.array_types import Array
from sglibrary.run.calls import Calls, handle

NOTHING = np.zeros(1)
"""The memory of closed forms."""


def packed(program: Program, memories: tuple[Array, ...]) -> Calls:
    """The calls of all kernels of a program, which are compiled first."""
    calls = _without_knots(program)
    if not program.iterates:
        return calls
    starts = calls.starts.copy()
    np.cumsum([memory.size for memory in memories], out=starts[1:, 2])
    return calls._replace(memory=np.concatenate(memories), starts=starts)


@once_per_program
def _without_knots(program: Program) -> Calls:
    """Pack the calls of a program, iterated groups without their memory."""
    return packed_calls(program.calls, [NOTHING] * len(program.calls))


def packed_calls(calls: Sequence[Call], memories: Sequence[Array]) -> Calls:
    """Some calls with their memories; their kernels are compiled first."""
    for kernel in reversed(first_use.in_order(calls)):  # a second process may compile them from the first one on
        handle(kernel)
    handles = [handle(call.kernel) for call in calls]
    parts = [(call.rows, call.constants, memory) for call, memory in zip(calls, memories, strict=True)]
    starts = np.cumsum([(0, 0, 0), *([x.size for x in part] for part in parts)], axis=0)
    none = (np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    rows, constants, memory = (np.concatenate([none[k], *(part[k] for part in parts)]) for k in range(3))
    groups = np.array([call.group - 1 for call in calls], np.int64)
    return Calls(handles if DISABLE_JIT else np.array(handles, np.int64), rows, constants, memory, starts, groups)
