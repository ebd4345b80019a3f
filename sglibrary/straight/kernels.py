"""Kernels of groups whose equations are written out, one for each three texts."""

from collections.abc import Callable, Iterable
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
from sglibrary.straight import texts
from sglibrary.straight.call import defined, symbol
from sglibrary.straight.follow import follow
from sglibrary.straight.group_tables import unpack
from sglibrary.straight.steps import between

Ints = NDArray[np.int64]


@allocating
def solve_steps(group, q, v, a, memory, status, conditioning, n):
    """Steps between knots; or knots, if the first number in `memory` is negative."""
    if memory[0] < 0.0:
        follow(group, q, v, a, memory, status, conditioning, n)
    else:
        between(group, q, v, a, memory, status, conditioning, n)


@allocating
def tree(step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group of joints; or knots."""
    group = unpack((step, finish, measures), rows, constants)
    solve_steps(group, q, v, a, memory, status, conditioning, n)


_loops: dict[str, Any] = {}
"""Loops over steps, by the names by which kernels call them."""

_LOOP_SIGNATURE = (types.int64, types.int64, types.int64, *SIGNATURE)


@intrinsic(prefer_literal=True)
def _run(typingctx, name, step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    literals = name, step, finish, measures
    if not all(isinstance(literal, types.StringLiteral) for literal in literals):
        return None

    def generate(context, builder, signature, arguments):
        convention, word = context.call_conv, ir.IntType(64)
        kind = convention.get_function_type(types.none, _LOOP_SIGNATURE)
        loop = ir.Function(builder.module, kind, f"groupkin_{name.literal_value}")
        addresses = [builder.ptrtoint(defined(builder.module, text.literal_value), word) for text in literals[1:]]
        status, _ = convention.call_function(builder, loop, types.none, _LOOP_SIGNATURE, [*addresses, *arguments[4:]])
        with builder.if_then(status.is_error, likely=False):  # no memory
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(*literals, *SIGNATURE), generate


def run(name, step, finish, measures, *arguments):
    """Run a loop over steps with the texts of a group."""
    _loops[name](step, finish, measures, *arguments)


if not DISABLE_JIT:
    run = _run  # type: ignore[assignment]


def kernel_of(rows: Ints, still: Iterable[int] = ()) -> Callable[..., Any]:
    """Make the kernel of a group with such tables (`sglibrary.straight.group.can_be_written`).

    Of what it reads some rows of the state may never change, so that their rates are 0.
    """
    return made(tree, texts.texts(tuple(rows.tolist()), frozenset(still).intersection(rows.tolist())))


@lru_cache(maxsize=256)
def made(loop: Any, codes: tuple[str, str, str]) -> Callable[..., Any]:
    """Make the kernel that runs a loop over steps with the texts of a group."""
    name, (step, finish, measures) = loop.__name__, codes
    let_call(loop)

    @kernel
    def straight(q, v, a, memory, rows, constants, status, conditioning, n):
        run(name, step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n)

    return straight


@cache
def let_call(loop: Any) -> None:
    """Compile a loop over steps, and let kernels call it by its name."""
    _loops[loop.__name__] = loop
    if not DISABLE_JIT:
        loop.compile(_LOOP_SIGNATURE)
        compiled = loop.overloads[_LOOP_SIGNATURE]
        symbol(f"groupkin_{loop.__name__}", compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
