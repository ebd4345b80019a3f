"""Operations of instruction lists: what each computes in NumPy, in LLVM and in C.

Functions of one or two numbers beside arithmetic are those of C's mathematical library, called for one step after
another, so that compiled lists, interpreted ones and C give the same bits. The compiler is imported by the functions
that write for it: expressions are made and differentiated without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from llvmlite import ir


@dataclass(frozen=True)
class Operation:
    """An operation on numbers.

    Attributes
    ----------
    symbol : str
        The kind of its lines.
    operands : int
    numeric : callable
        Its value in NumPy, for where nothing is compiled.
    write : callable
        Writes its instructions: is given an IR builder and vectors of steps.
    c : str
        Its value in C, with the operands in braces.
    cycles : int
        How long it takes, about.
    """

    symbol: str
    operands: int
    numeric: Callable[..., Any]
    write: Callable[..., ir.Value]
    c: str
    cycles: int


def _call(builder: ir.IRBuilder, name: str, *values: ir.Value) -> ir.Value:
    """Call an intrinsic function of vectors."""
    from llvmlite import ir
    from numba.core import cgutils

    kind = values[0].type
    function = ir.FunctionType(kind, [kind] * len(values))
    return builder.call(
        cgutils.get_or_insert_function(builder.module, function, f"llvm.{name}.v{kind.count}f64"), values
    )


def _one_over(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    from llvmlite import ir

    return builder.fdiv(ir.Constant(x.type, [1.0] * x.type.count), x)


def _by_lane(name: str) -> Callable[..., ir.Value]:
    """Let a function of C's mathematical library be called for each step of a vector."""

    def write(builder: ir.IRBuilder, *values: ir.Value) -> ir.Value:
        from llvmlite import ir
        from numba.core import cgutils

        kind, double = values[0].type, ir.DoubleType()
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(double, [double] * len(values)), name)
        found = ir.Constant(kind, ir.Undefined)
        for lane in range(kind.count):
            number = ir.Constant(ir.IntType(32), lane)
            result = builder.call(function, [builder.extract_element(x, number) for x in values])
            found = builder.insert_element(found, result, number)
        return found

    return write


def _function(name: str, numeric: Callable[..., Any], operands: int = 1) -> Operation:
    """A function of C's mathematical library."""
    given = ", ".join(f"{{{k}}}" for k in range(operands))
    return Operation(name, operands, numeric, _by_lane(name), f"{name}({given})", 60)


OPERATIONS: dict[str, Operation] = {
    operation.symbol: operation
    for operation in (
        Operation("*", 2, lambda x, y: x * y, lambda b, x, y: b.fmul(x, y), "{0} * {1}", 3),
        Operation("+", 2, lambda x, y: x + y, lambda b, x, y: b.fadd(x, y), "{0} + {1}", 3),
        Operation("-", 2, lambda x, y: x - y, lambda b, x, y: b.fsub(x, y), "{0} - {1}", 3),
        Operation("/", 2, np.divide, lambda b, x, y: b.fdiv(x, y), "{0} / {1}", 13),
        Operation("f", 3, lambda x, y, z: x * y + z, lambda b, *xyz: _call(b, "fma", *xyz), "fma({0}, {1}, {2})", 4),
        Operation("n", 1, lambda x: -x, lambda b, x: b.fneg(x), "-{0}", 0),
        Operation("r", 1, lambda x: np.divide(1.0, x), _one_over, "1.0 / {0}", 13),
        Operation(
            "i", 1, lambda x: np.divide(1.0, np.sqrt(x)), lambda b, x: _one_over(b, _call(b, "sqrt", x)),
            "1.0 / sqrt({0})", 30,
        ),
        Operation("s", 1, np.sqrt, lambda b, x: _call(b, "sqrt", x), "sqrt({0})", 21),
        Operation("|", 1, np.abs, lambda b, x: _call(b, "fabs", x), "fabs({0})", 1),
        Operation("l", 1, np.floor, lambda b, x: _call(b, "floor", x), "floor({0})", 4),
        Operation(
            "?", 4, lambda x, y, z, u: np.where(x >= y, z, u),
            lambda b, x, y, z, u: b.select(b.fcmp_ordered(">=", x, y), z, u), "{0} >= {1} ? {2} : {3}", 6,
        ),
        _function("sin", np.sin),
        _function("cos", np.cos),
        _function("tan", np.tan),
        _function("asin", np.arcsin),
        _function("acos", np.arccos),
        _function("atan", np.arctan),
        _function("atan2", np.arctan2, 2),
        _function("exp", np.exp),
        _function("log", np.log),
        _function("erf", np.vectorize(math.erf, otypes=[float])),
        _function("pow", np.power, 2),
    )
}  # fmt: skip
"""All operations by their symbols; fused products are rounded twice by NumPy."""
