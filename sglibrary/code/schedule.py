"""Instruction lists of one motion that are interpreted one after another, without compiling any.

Lists of the same text share their bytecode. They may be run for several directions at once, whose rows of v and a lie
one after another: those of direction j are the rows of the first one, plus j. What they share is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.array_types import Array, Flags, Ints
from sglibrary.code import interpreter, llvm
from sglibrary.code.bytecode import decode, encode
from sglibrary.code.instructions import compute_steps
from sglibrary.code.kernel import gathered
from sglibrary.convention import allocating
from sglibrary.inverses import invert_series, room

WIDTH = 256
"""Steps that are taken together, so that what lists hand on stays in the caches."""


class Inversion(NamedTuple):
    """The inversion of a matrix: its first row of working memory, its size, and its coefficients (`invert_series`)."""

    first: int
    size: int
    orders: int


class Schedule(NamedTuple):
    """Lists, ready to run.

    Attributes
    ----------
    steps : (s, 3) array of int
        Where the rows and constants of a list begin, and 0; or the opposite of 1 + first row, size and number of
        coefficients of a matrix.
    rows : array of int
        For the first direction of one.
    directed : array of bool
        Which of the rows there are for every direction.
    constants : array
    work : int
        Rows of working memory, beside what the interpreter takes.
    slots : int
        Numbers that the interpreter takes.
    largest : int
        Size of the largest matrix.
    """

    steps: Ints
    rows: Ints
    directed: Flags
    constants: Array
    work: int
    slots: int
    largest: int

    def run(self, q: Array, v: Array, a: Array, directions: int, n: int) -> None:
        """Run all steps on the first n columns of arrays that are contiguous.

        Parameters
        ----------
        q : (rows, pitch) array
            It is read.
        v : (k directions, pitch) array
            Inputs, which are read.
        a : (l directions, pitch) array
            Results, which are written, and read by later lists.
        directions, n : int
        """
        if not (q.flags.c_contiguous and v.flags.c_contiguous and a.flags.c_contiguous):
            raise ValueError("rows of a schedule lie one after another")
        if directions == 0 or n == 0:
            return
        rows = np.where(self.directed, self.rows * directions, self.rows) if directions > 1 else self.rows
        run_steps(self.steps, rows, self.constants, q, v, a, directions, n, self.work, self.slots, self.largest)


def scheduled(steps: Sequence[str | Inversion], work: int, row_of: Callable[[int], int], many: bool) -> Schedule:
    """Make a schedule.

    Parameters
    ----------
    steps : sequence of str or Inversion
        Lists with numbers of rows of their own, and matrices.
    work : int
        Rows of working memory that they refer to.
    row_of : callable
        What rows of q that they refer to are in the array.
    many : bool
        Whether it is for many directions.
    """
    table, rows, directed, constants = list[list[int]](), list[int](), list[bool](), list[float]()
    codes: dict[str, list[int]] = {}
    slots, largest = 0, 0
    for step in steps:
        if isinstance(step, Inversion):
            table.append([-1 - step.first, step.size, step.orders])
            largest = max(largest, step.size)
            continue
        listed = gathered(step, 1)
        table.append([len(rows), len(constants), 0])
        codes.setdefault(listed.text, []).append(len(rows))
        rows += [0, *(row_of(row) if kind == "q" else row for kind, row in listed.rows)]
        directed += [False, *(kind != "q" for kind, _ in listed.rows)]
        constants += listed.constants
    arrays, end = [np.array(rows, np.int64)], len(rows)
    for text, users in codes.items():
        code, needed = encode(text, work, many)
        arrays[0][users] = end - np.array(users)
        arrays.append(code)
        end, slots = end + code.size, max(slots, needed)
    every = np.concatenate(arrays)
    return Schedule(
        np.array(table, np.int64).reshape(-1, 3),
        every,
        np.concatenate([np.array(directed, bool), np.zeros(every.size - len(rows), bool)]),
        np.array(constants, float),
        work,
        slots,
        largest,
    )


@intrinsic
def _interpret(typingctx, q, v, a, work, rows, constants, first, n, directions):
    def generate(context, builder, signature, values):
        arrays = [
            context.make_array(kind)(context, builder, x)
            for kind, x in zip(signature.args[:6], values[:6], strict=True)
        ]
        pitches = [cgutils.unpack_tuple(builder, arrays[k].shape, 2)[1] for k in (0, 3)]
        builder.call(_interpreter(builder.module), [*(x.data for x in arrays), *pitches, *values[6:]])
        return context.get_dummy_value()

    return types.none(q, v, a, work, rows, constants, *(types.int64,) * 3), generate


def _interpreter(module: ir.Module) -> ir.Function:
    if "interpret_list" in module.globals:
        return module.globals["interpret_list"]
    kind = ir.FunctionType(ir.VoidType(), [*llvm.FUNCTION.args, llvm.WORD])
    function = llvm.begun(module, "interpret_list", kind)
    *arguments, directions = function.args
    interpreter.interpret(ir.IRBuilder(function.entry_basic_block), arguments, 0, directions)
    return function


def interpret(
    q: Any, v: Any, a: Any, work: Any, rows: Any, constants: Any, first: int, n: int, directions: int
) -> None:
    """Compute a list for n steps from step `first` on; the first of its rows says where its bytecode is."""
    for j in range(directions):
        state = {"q": q, "v": v[j:], "a": a[j:]}
        compute_steps(decode(rows[rows[0] :]), state, work, rows, constants, first, 0, n)


if not DISABLE_JIT:
    interpret = _interpret  # type: ignore[assignment]


@allocating
def run_steps(steps, rows, constants, q, v, a, directions, n, work_rows, slots, largest):
    """Run the steps of a schedule (`Schedule.run`)."""
    width = min(WIDTH, 8 * ((n + 7) // 8))
    work = np.empty((work_rows + (slots + 8) // width + 1, width))
    matrix = np.empty(room(largest))
    for first in range(0, n, width):
        count = min(width, n - first)
        for k in range(steps.shape[0]):
            place = steps[k, 0]
            if place < 0:
                invert_series(work, -1 - place, steps[k, 1], steps[k, 2], matrix, count)
            else:
                interpret(q, v, a, work, rows[place:], constants[steps[k, 1] :], first, count, directions)
