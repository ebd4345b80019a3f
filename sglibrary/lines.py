"""Straight-line code for vectors of steps: a text, one line for each value, written as machine instructions.

A text is what the compiler's cache knows of a kernel that is made at run time. Each line makes a value, which later
lines take by its number:

=========== ===================================================
line        value
=========== ===================================================
* x y       product
+ x y       sum
- x y       difference
f x y z     x y + z, rounded once
n x         the opposite
r x         one over x
i x         one over the square root of x
s x         square root of x
| x         size of x
l x         largest whole number that is not larger than x
? x y z u   z where x is not less than y, else u
# number    that number
=========== ===================================================

Other lines, which read and write rows, belong to those who make kernels of such texts.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils

from sglibrary.vectors import WIDE

LANES = 8
"""Steps that are taken at once."""


def vector(lanes: int) -> ir.VectorType:
    """The type of a vector of steps."""
    return ir.VectorType(ir.DoubleType(), lanes)


NUMERIC: dict[str, Callable[..., Any]] = {
    "*": lambda x, y: x * y,
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "f": lambda x, y, z: x * y + z,
    "n": lambda x: -x,
    "r": lambda x: np.divide(1.0, x),
    "i": lambda x: np.divide(1.0, np.sqrt(x)),
    "s": lambda x: np.sqrt(x),
    "|": lambda x: np.abs(x),
    "l": lambda x: np.floor(x),
    "?": lambda x, y, z, u: np.where(x >= y, z, u),
}
"""What lines compute, where nothing is compiled."""


def compute(text: str, other: Callable[[str, list[str], list[Any]], Any]) -> None:
    """Go through a text with arrays; `other` is given the kind of each other line, its numbers, and all values."""
    values: list[Any] = []
    for line in text.split(";"):
        kind, *numbers = line.split()
        if kind == "#":
            values.append(float(numbers[0]))
        elif kind in NUMERIC:
            values.append(NUMERIC[kind](*(values[int(x)] for x in numbers)))
        else:
            values.append(other(kind, numbers, values))


def everywhere(builder: ir.IRBuilder, number: ir.Value, lanes: int = LANES) -> ir.Value:
    """A vector of one number."""
    none, first = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined), ir.Constant(ir.IntType(32), 0)
    single = builder.insert_element(none, number, first)
    return builder.shuffle_vector(single, single, ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes))


def first_lanes(builder: ir.IRBuilder, count: ir.Value, lanes: int = LANES) -> ir.Value:
    """A mask that is true for so many steps of a vector."""
    numbers = ir.Constant(ir.VectorType(count.type, lanes), list(range(lanes)))
    return builder.icmp_signed("<", numbers, everywhere(builder, count, lanes))


_ALIGNED = ir.Constant(ir.IntType(32), 8)


def load_some(builder: ir.IRBuilder, pointer: ir.Value, mask: ir.Value) -> ir.Value:
    """Load a vector of steps; 0 where the mask is false, where nothing is read."""
    lanes = mask.type.count
    zero = ir.Constant(vector(lanes), [0.0] * lanes)
    return _masked(builder, "load", zero.type, [pointer, _ALIGNED, mask, zero])


def store_some(builder: ir.IRBuilder, value: ir.Value, pointer: ir.Value, mask: ir.Value) -> ir.Value:
    """Store a vector of steps where the mask is true."""
    return _masked(builder, "store", ir.VoidType(), [value, pointer, _ALIGNED, mask])


def _masked(builder: ir.IRBuilder, name: str, result: ir.Type, values: list[ir.Value]) -> ir.Value:
    lanes = values[0].type.count if name == "store" else result.count
    kind = ir.FunctionType(result, [x.type for x in values])
    return builder.call(
        cgutils.get_or_insert_function(builder.module, kind, f"llvm.masked.{name}.v{lanes}f64.p0"), values
    )


def write(
    text: str, builder: ir.IRBuilder, other: Callable[[str, list[str], list[Any]], Any], lanes: int = LANES
) -> None:
    """Write a text as instructions; `other` is given the kind of each other line, its numbers, and all values."""
    set.add(builder.function.attributes, WIDE)
    set.add(builder.function.attributes, '"min-legal-vector-width"="512"')
    kind_of_all = vector(lanes)
    one = ir.Constant(kind_of_all, [1.0] * lanes)

    def intrinsic(name: str, *values: ir.Value) -> ir.Value:
        kind = ir.FunctionType(kind_of_all, [kind_of_all] * len(values))
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{lanes}f64"), values)

    makers = {
        "*": builder.fmul,
        "+": builder.fadd,
        "-": builder.fsub,
        "f": lambda x, y, z: intrinsic("fma", x, y, z),
        "n": lambda x: builder.fneg(x),
        "r": lambda x: builder.fdiv(one, x),
        "i": lambda x: builder.fdiv(one, intrinsic("sqrt", x)),
        "s": lambda x: intrinsic("sqrt", x),
        "|": lambda x: intrinsic("fabs", x),
        "l": lambda x: intrinsic("floor", x),
        "?": lambda x, y, z, u: builder.select(builder.fcmp_ordered(">=", x, y), z, u),
    }
    values: list[Any] = []
    for line in text.split(";"):
        kind, *numbers = line.split()
        if kind == "#":
            values.append(ir.Constant(kind_of_all, [float(numbers[0])] * lanes))
        elif kind in makers:
            values.append(makers[kind](*(values[int(x)] for x in numbers)))
        else:
            values.append(other(kind, numbers, values))
