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
from sglibrary.hubs import tables as hub_tables
from sglibrary.hubs import texts as hub_texts
from sglibrary.hubs.legs import run_legs
from sglibrary.run.calls import SIGNATURE
from sglibrary.straight import group_tables, texts
from sglibrary.straight.call import defined, symbol
from sglibrary.straight.follow import follow
from sglibrary.straight.steps import between

Ints = NDArray[np.int64]


@allocating
def _solved(group, q, v, a, memory, status, conditioning, n):
    """Steps between knots; or knots, if the first number in `memory` is negative."""
    if memory[0] < 0.0:
        follow(group, q, v, a, memory, status, conditioning, n)
    else:
        between(group, q, v, a, memory, status, conditioning, n)


@allocating
def tree(step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group of joints; or knots."""
    group = group_tables.unpack((step, finish, measures), rows, constants)
    _solved(group, q, v, a, memory, status, conditioning, n)


@allocating
def hub_in_plane(step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    """Do the same around a hub, with its legs."""
    group = hub_tables.unpack((step, finish, measures), rows, constants)
    _solved(group, q, v, a, memory, status, conditioning, n)
    run_legs(q, v, a, memory, rows, constants, (0, 1), status, conditioning, n)


@allocating
def hub_in_space(step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    """Do the same in space."""
    group = hub_tables.unpack((step, finish, measures), rows, constants)
    _solved(group, q, v, a, memory, status, conditioning, n)
    run_legs(q, v, a, memory, rows, constants, (0, 1, 2), status, conditioning, n)


LOOPS = {"tree": tree, "hub_in_plane": hub_in_plane, "hub_in_space": hub_in_space}
"""Loops over steps, by the names by which kernels call them."""

_LOOP_SIGNATURE = (types.int64, types.int64, types.int64, *SIGNATURE)


@intrinsic(prefer_literal=True)
def _solve(typingctx, name, step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
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


def solve(name, step, finish, measures, *arguments):
    """Run a loop over steps with the texts of a group."""
    LOOPS[name](step, finish, measures, *arguments)


if not DISABLE_JIT:
    solve = _solve  # type: ignore[assignment]


def kernel_of_tree(rows: Ints) -> Callable[..., Any]:
    """Make the kernel of a group with such tables (`sglibrary.straight.group.can_be_written`)."""
    return _kernel("tree", *texts.texts(tuple(int(row) for row in rows)))


def kernel_of_hub(rows: Ints) -> Callable[..., Any]:
    """Make the kernel of a hub with such tables (`sglibrary.hubs.tables`)."""
    name = "hub_in_plane" if rows[0] == 2 else "hub_in_space"
    return _kernel(name, *hub_texts.texts(tuple(int(row) for row in rows)))


@lru_cache(maxsize=256)
def _kernel(name: str, step: str, finish: str, measures: str) -> Callable[..., Any]:
    if not DISABLE_JIT:
        let_call(name)

    @kernel
    def straight(q, v, a, memory, rows, constants, status, conditioning, n):
        solve(name, step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n)

    return straight


@cache
def let_call(name: str) -> None:
    """Compile a loop, and let kernels call it by its name."""
    loop = LOOPS[name]
    loop.compile(_LOOP_SIGNATURE)
    compiled = loop.overloads[_LOOP_SIGNATURE]
    symbol(f"groupkin_{name}", compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
