"""Formulas that are made at run time, as kernels: straight-line code over rows of the state.

The code of a kernel is a text (`sglibrary.lines`), with these lines besides:

======== ==============================================
line     value
======== ==============================================
q k      step of row ``rows[k]`` of q
a k      step of row ``rows[k]`` of a
c k      number ``constants[k]``
= x k    none: x goes to row ``rows[k]`` of q
======== ==============================================

Which rows and numbers these are is no part of the code, so that groups of one kind have the same kernel. A row that is
written must not be read by the same code, nor written twice. Eight steps are taken at once; the last ones may lie
behind the block, where rows have padding (`groupkin.kinematics.solving.state_memory.pitch_of`).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.convention import kernel
from sglibrary.lines import LANES, compute, everywhere, vector, write


@lru_cache(maxsize=256)
def straight_line(code: str) -> Callable[..., Any]:
    """Make a kernel (`sglibrary.convention`) of straight-line code."""

    @kernel
    def formulas(q, v, a, memory, rows, constants, status, conditioning, n):
        for j in range(0, n, LANES):
            run(code, q, a, rows, constants, j)

    return formulas


def run(code, q, a, rows, constants, j):
    """Run straight-line code for eight steps from step j on."""
    steps = slice(j, j + LANES)

    def other(kind, numbers, values):
        k = [int(number) for number in numbers]
        if kind == "c":
            return constants[k[0]]
        if kind == "=":
            q[rows[k[1]], steps] = values[k[0]]
            return None
        return (q if kind == "q" else a)[rows[k[0]], steps].copy()

    compute(code, other)


@intrinsic(prefer_literal=True)
def _run(typingctx, code, q, a, rows, constants, j):
    if not isinstance(code, types.StringLiteral):
        return None
    text = code.literal_value

    def generate(context, builder, signature, arguments):
        arrays = [
            context.make_array(kind)(context, builder, x)
            for kind, x in zip(signature.args[1:5], arguments[1:5], strict=True)
        ]
        _generate(text, builder, arrays, arguments[5])
        return context.get_dummy_value()

    return types.none(code, q, a, rows, constants, j), generate


if not DISABLE_JIT:
    run = _run  # type: ignore[assignment]


def _generate(text, builder, arrays, j):
    """Write the instructions of a code; `arrays` are q, a, rows and constants."""
    q, a, rows, constants = arrays
    module = builder.module
    domain = module.add_metadata([ir.MetaDataString(module, builder.function.name)])
    read, written = (
        module.add_metadata([module.add_metadata([ir.MetaDataString(module, f"{builder.function.name} {x}"), domain])])
        for x in ("read", "written")
    )

    def fixed(array, k):
        """A number that no kernel changes."""
        value = builder.load(builder.gep(array.data, [ir.Constant(ir.IntType(64), k)]))
        value.set_metadata("invariant.load", module.add_metadata([]))
        return value

    def place(array, k):
        _, pitch = cgutils.unpack_tuple(builder, array.shape, 2)
        first = builder.add(builder.mul(fixed(rows, k), pitch), j)
        return builder.bitcast(builder.gep(array.data, [first]), vector(LANES).as_pointer())

    def loaded(array, k):
        value = builder.load(place(array, k), align=8)
        value.set_metadata("alias.scope", read)
        return value

    def stored(x, k):
        access = builder.store(x, place(q, k), align=8)
        access.set_metadata("alias.scope", written)
        access.set_metadata("noalias", read)

    def other(kind, numbers, values):
        k = [int(number) for number in numbers]
        if kind == "=":
            return stored(values[k[0]], k[1])
        return everywhere(builder, fixed(constants, k[0])) if kind == "c" else loaded(q if kind == "q" else a, k[0])

    write(text, builder, other)
