"""Kernels of groups whose equations are written out: trees of joints, and hubs with their legs.

A kernel is no more than the texts of its group and a call of the loop over steps, which all such groups share.
"""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic
from numpy.typing import NDArray

from sglibrary.convention import allocating, kernel
from sglibrary.hubs import texts as hub_texts
from sglibrary.hubs.tables import layout as layout_of_hub
from sglibrary.lines import LANES
from sglibrary.run.calls import SIGNATURE
from sglibrary.straight import texts
from sglibrary.straight.call import FEW, defined, symbol
from sglibrary.straight.follow import follow
from sglibrary.straight.group_tables import layout, unpack
from sglibrary.straight.steps import between

Ints = NDArray[np.int64]


@allocating
def solve_steps(is_hub, step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group at steps between knots; or knots, if memory[0] is negative."""
    group = unpack((step, finish, measures), rows, constants, layout_of_hub(rows) if is_hub else layout(rows))
    if memory[0] < 0.0:
        follow(group, q, v, a, memory, status, conditioning, n)
    else:
        between(group, q, v, a, memory, status, conditioning, n)


KINDS = (types.boolean, types.int64, types.int64, types.int64, *SIGNATURE)
"""Types of its arguments."""

LOOP = "groupkin_solve_steps"
"""The name by which kernels call it."""


@intrinsic
def _run(typingctx, arguments):
    def generate(context, builder, signature, values):
        convention, unpacked = context.call_conv, cgutils.unpack_tuple(builder, values[0], len(KINDS))
        kind = convention.get_function_type(types.none, KINDS)
        loop = cgutils.get_or_insert_function(builder.module, kind, LOOP)
        status, _ = convention.call_function(builder, loop, types.none, KINDS, unpacked)
        with builder.if_then(status.is_error, likely=False):  # no memory
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(types.Tuple(KINDS)), generate


@intrinsic(prefer_literal=True)
def _address(typingctx, text, most):
    if not isinstance(text, types.StringLiteral):
        return None

    def generate(context, builder, signature, values):
        return builder.ptrtoint(defined(builder.module, text.literal_value, most.literal_value), ir.IntType(64))

    return types.int64(text, most), generate


def run(arguments):
    """Run the loop over steps."""
    solve_steps(*arguments)


def address(text, most):
    """Where compiled code finds a text, which it computes for so many steps at once; itself if nothing is compiled."""
    return text


if not DISABLE_JIT:
    run, address = _run, _address  # type: ignore[assignment]


def tree(rows: Ints, still: Iterable[int] = ()) -> Any:
    """Make the kernel of a group of joints with such tables (`sglibrary.straight.group.can_be_written`).

    Of what it reads some rows of the state may never change, so that their rates are 0. Before the kernel is compiled,
    the loop over steps must be.
    """
    return made_of(False, *_texts(texts.texts, rows, still))


def hub(rows: Ints, still: Iterable[int] = ()) -> Any:
    """Make the kernel of a hub with such tables (`sglibrary.hubs.tables`); some rows of the state never change."""
    return made_of(True, *_texts(hub_texts.texts, rows, still))


@lru_cache(maxsize=512)
def made_of(is_hub: bool, step: str, finish: str, measures: str) -> Any:
    """Make the kernel of a hub or of a group of joints of its texts, which it keeps as its `texts`."""

    @kernel
    def written_out(q, v, a, memory, rows, constants, status, conditioning, n):
        codes = address(step, LANES), address(finish, LANES), address(measures, FEW)
        run((is_hub, *codes, q, v, a, memory, rows, constants, status, conditioning, n))

    written_out.texts = is_hub, step, finish, measures
    return written_out


def _texts(make: Callable[..., tuple[str, str, str]], rows: Ints, still: Iterable[int]) -> tuple[str, str, str]:
    """Those of a group, which depend on its rows alone, and on which of them never change."""
    numbers = rows.tolist()
    return make(tuple(numbers), frozenset(still).intersection(numbers))


@cache
def compile_loop() -> None:
    """Compile the loop over steps, and let kernels call it by its name."""
    if not DISABLE_JIT:
        solve_steps.compile(KINDS)
        compiled = solve_steps.overloads[KINDS]
        symbol(LOOP, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def promise_loop() -> None:
    """Let kernels be compiled where the loop is not, and where they cannot run."""
    symbol(LOOP, 1)
