"""Kernels of groups whose equations are written out, one for each three texts."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic
from numpy.typing import NDArray

from sglibrary.convention import allocating, kernel
from sglibrary.run.calls import SIGNATURE
from sglibrary.straight.call import defined, symbol
from sglibrary.straight.follow import follow
from sglibrary.straight.steps import between
from sglibrary.straight.texts import texts

LOOP = "groupkin_straight"
"""Name of the loop over steps, by which kernels call it."""


@allocating
def motion(first, second, third, q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group; or knots, if the first number in `memory` is negative."""
    codes = (first, second, third)
    if memory[0] < 0.0:
        follow(codes, q, v, a, memory, rows, constants, status, conditioning, n)
    else:
        between(codes, q, v, a, memory, rows, constants, status, conditioning, n)


_LOOP_SIGNATURE = (types.int64, types.int64, types.int64, *SIGNATURE)


@intrinsic(prefer_literal=True)
def _solve(typingctx, first, second, third, q, v, a, memory, rows, constants, status, conditioning, n):
    codes = first, second, third
    if not all(isinstance(code, types.StringLiteral) for code in codes):
        return None

    def generate(context, builder, signature, arguments):
        convention, word = context.call_conv, ir.IntType(64)
        kind = convention.get_function_type(types.none, _LOOP_SIGNATURE)
        loop = builder.module.globals.get(LOOP) or ir.Function(builder.module, kind, LOOP)
        addresses = [builder.ptrtoint(defined(builder.module, code.literal_value), word) for code in codes]
        status, _ = convention.call_function(builder, loop, types.none, _LOOP_SIGNATURE, [*addresses, *arguments[3:]])
        with builder.if_then(status.is_error, likely=False):  # no memory
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(*codes, *SIGNATURE), generate


@cache
def _named() -> None:
    """Let kernels call the loop over steps."""
    motion.compile(_LOOP_SIGNATURE)
    compiled = motion.overloads[_LOOP_SIGNATURE]
    symbol(LOOP, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


solve = motion if DISABLE_JIT else _solve


def kernel_of(rows: NDArray[np.int64]) -> Callable[..., Any]:
    """Make the kernel of a group with such tables (`sglibrary.straight.group.can_be_written`)."""
    return _kernel(*texts(tuple(int(row) for row in rows)))


@lru_cache(maxsize=256)
def _kernel(first: str, second: str, third: str) -> Callable[..., Any]:
    if not DISABLE_JIT:
        _named()

    @kernel
    def straight(q, v, a, memory, rows, constants, status, conditioning, n):
        solve(first, second, third, q, v, a, memory, rows, constants, status, conditioning, n)

    return straight
