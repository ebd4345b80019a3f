"""Formulas that are made at run time, as kernels: straight-line code over rows of the state.

The code of a kernel is a text, so that the compiler's cache knows it. Each line makes a value, which later lines take
by its number:

========= ==============================================
line      value
========= ==============================================
q k       step of row ``rows[k]`` of q
a k       step of row ``rows[k]`` of a
c k       number ``constants[k]``
* x y     product
+ x y     sum
- x y     difference
f x y z   x y + z, rounded once
n x       the opposite
r x       one over x
i x       one over the square root of x
s x y z w z where |x| > |y|, else w
= x k     none: x goes to row ``rows[k]`` of q
========= ==============================================

Which rows and numbers these are is no part of the code, so that groups of one kind have the same kernel. A row that is
written must not be read by the same code, nor written twice. Eight steps are taken at once; the last ones may lie
behind the block, where rows have padding (`groupkin.kinematics.solving.blocks.pitch_of`).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.convention import kernel
from sglibrary.vectors import WIDE

LANES = 8
"""Steps that are taken at once."""

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)


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
    values = []
    steps = slice(j, j + LANES)
    for line in code.split(";"):
        kind, *numbers = line.split()
        k = [int(number) for number in numbers]
        if kind in "qa":
            values.append((q if kind == "q" else a)[rows[k[0]], steps].copy())
        elif kind == "c":
            values.append(constants[k[0]])
        elif kind == "=":
            q[rows[k[1]], steps] = values[k[0]]
            values.append(None)
        else:
            values.append(_NUMERIC[kind](*(values[x] for x in k)))


_NUMERIC: dict[str, Callable[..., Any]] = {
    "*": lambda x, y: x * y,
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "f": lambda x, y, z: x * y + z,
    "n": lambda x: -x,
    "r": lambda x: np.divide(1.0, x),
    "i": lambda x: np.divide(1.0, np.sqrt(x)),
    "s": lambda x, y, z, w: np.where(np.abs(x) > np.abs(y), z, w),
}


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
    set.add(builder.function.attributes, WIDE)
    set.add(builder.function.attributes, '"min-legal-vector-width"="512"')
    module = builder.module
    domain = module.add_metadata([ir.MetaDataString(module, builder.function.name)])
    read, written = (
        module.add_metadata([module.add_metadata([ir.MetaDataString(module, f"{builder.function.name} {x}"), domain])])
        for x in ("read", "written")
    )
    one = ir.Constant(_VECTOR, [1.0] * LANES)

    def fixed(array, k):
        """A number that no kernel changes."""
        value = builder.load(builder.gep(array.data, [ir.Constant(ir.IntType(64), k)]))
        value.set_metadata("invariant.load", module.add_metadata([]))
        return value

    def place(array, k):
        _, pitch = cgutils.unpack_tuple(builder, array.shape, 2)
        first = builder.add(builder.mul(fixed(rows, k), pitch), j)
        return builder.bitcast(builder.gep(array.data, [first]), _VECTOR.as_pointer())

    def loaded(array, k):
        value = builder.load(place(array, k), align=8)
        value.set_metadata("alias.scope", read)
        return value

    def stored(x, k):
        access = builder.store(x, place(q, k), align=8)
        access.set_metadata("alias.scope", written)
        access.set_metadata("noalias", read)

    def everywhere(number):
        single = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(single, single, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))

    def intrinsic_of(name, *values):
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * len(values))
        return builder.call(cgutils.get_or_insert_function(module, kind, f"llvm.{name}.v{LANES}f64"), values)

    makers = {
        "*": builder.fmul,
        "+": builder.fadd,
        "-": builder.fsub,
        "f": lambda x, y, z: intrinsic_of("fma", x, y, z),
        "n": lambda x: builder.fneg(x),
        "r": lambda x: builder.fdiv(one, x),
        "i": lambda x: builder.fdiv(one, intrinsic_of("sqrt", x)),
        "s": lambda x, y, z, w: builder.select(
            builder.fcmp_ordered(">", intrinsic_of("fabs", x), intrinsic_of("fabs", y)), z, w
        ),
    }
    values = []
    for line in text.split(";"):
        kind, *numbers = line.split()
        k = [int(number) for number in numbers]
        if kind == "=":
            values.append(stored(values[k[0]], k[1]))
        elif kind == "c":
            values.append(everywhere(fixed(constants, k[0])))
        elif kind in "qa":
            values.append(loaded(q if kind == "q" else a, k[0]))
        else:
            values.append(makers[kind](*(values[x] for x in k)))
