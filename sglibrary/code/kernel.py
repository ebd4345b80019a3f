"""Instruction lists as kernels of the calling convention, whose rows have padding.

A list reads and writes rows of q and reads rows of v and a; a row that is written must not be read by the same list,
nor written twice. Eight steps are taken at once; the last ones may lie behind the block, where rows have padding
(`groupkin.kinematics.solving.state_memory.pitch_of`).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.code.instructions import compute_steps
from sglibrary.code.llvm import LANES, Memory, write_steps
from sglibrary.convention import kernel


class Listed(NamedTuple):
    """An instruction list, and the rows, of q, v or a, and constants that it refers to, by their numbers."""

    text: str
    rows: list[tuple[str, int]]
    constants: list[float]


def gathered(text: str, first: int = 0) -> Listed:
    """Let a list whose rows and constants are numbers of its own refer to tables of them, so that others share it.

    The numbers of rows in their table begin with `first`.
    """
    rows: dict[tuple[str, int], int] = {}
    constants: dict[str, int] = {}
    lines = []
    for line in text.split(";") if text else ():
        kind, *numbers = line.split()
        if kind == "#":
            line = f"c {constants.setdefault(numbers[0], len(constants))}"
        elif kind in "qva":
            line = f"{kind} {rows.setdefault((kind, int(numbers[0]) + int(numbers[1])), first + len(rows))} 0"
        elif kind == "=" and numbers[1] in "qva":
            _, kind, row, more = numbers
            line = f"= {numbers[0]} {kind} {rows.setdefault((kind, int(row) + int(more)), first + len(rows))} 0"
        lines.append(line)
    return Listed(";".join(lines), list(rows), [float(number) for number in constants])


@lru_cache(maxsize=256)
def kernel_of(text: str) -> Callable[..., Any]:
    """Make the kernel (`sglibrary.convention`) of an instruction list."""

    @kernel
    def listed(q, v, a, memory, rows, constants, status, conditioning, n):
        for j in range(0, n, LANES):
            run(text, q, v, a, rows, constants, j)

    return listed


def run(text, q, v, a, rows, constants, j):
    """Compute an instruction list for eight steps from step j on."""
    compute_steps(text, {"q": q, "v": v, "a": a}, None, rows, constants, j, 0, LANES)


@intrinsic(prefer_literal=True)
def _run(typingctx, text, q, v, a, rows, constants, j):
    if not isinstance(text, types.StringLiteral):
        return None

    def generate(context, builder, signature, arguments):
        arrays = [
            context.make_array(kind)(context, builder, x)
            for kind, x in zip(signature.args[1:6], arguments[1:6], strict=True)
        ]
        state = {
            name: (array.data, cgutils.unpack_tuple(builder, array.shape, 2)[1])
            for name, array in zip("qva", arrays[:3], strict=True)
        }
        memory = Memory(state, None, arrays[3].data, arrays[4].data, None, _scopes(builder))
        write_steps(text.literal_value, builder, memory, arguments[6], LANES)
        return context.get_dummy_value()

    return types.none(text, q, v, a, rows, constants, j), generate


def _scopes(builder: ir.IRBuilder) -> list[Any]:
    """Scopes of what is read and what is written, which do not overlap."""
    module, name = builder.module, builder.function.name
    domain = module.add_metadata(
        [
            ir.MetaDataString(module, name),
        ]
    )
    return [
        module.add_metadata([module.add_metadata([ir.MetaDataString(module, f"{name} {x}"), domain])])
        for x in ("read", "written")
    ]


if not DISABLE_JIT:
    run = _run  # type: ignore[assignment]
