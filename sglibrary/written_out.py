"""Kernels of groups whose equations are written out: trees of joints, and hubs with their legs.

A kernel is no more than the texts of its group and calls of loops over steps, which all such groups share.
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
from sglibrary.hubs.legs import legs_in_plane, legs_in_space
from sglibrary.hubs.tables import unpack as unpack_hub
from sglibrary.run.calls import SIGNATURE
from sglibrary.straight import texts
from sglibrary.straight.call import defined, symbol
from sglibrary.straight.follow import follow
from sglibrary.straight.group_tables import unpack as unpack_tree
from sglibrary.straight.steps import between

Ints = NDArray[np.int64]


@allocating
def solve_steps(is_hub, step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group at steps between knots; or knots, if memory[0] is negative."""
    texts = (step, finish, measures)
    group = unpack_hub(texts, rows, constants) if is_hub else unpack_tree(texts, rows, constants)
    if memory[0] < 0.0:
        follow(group, q, v, a, memory, status, conditioning, n)
    else:
        between(group, q, v, a, memory, status, conditioning, n)


STEPS = solve_steps, (types.boolean, types.int64, types.int64, types.int64, *SIGNATURE)
"""The loop over steps of all groups, and the types of its arguments."""

LEGS = {2: (legs_in_plane, SIGNATURE), 3: (legs_in_space, SIGNATURE)}
"""Those over the legs of a hub, by dimension."""

_loops: dict[str, Any] = {}
"""Loops over steps, by the names by which kernels call them."""


@intrinsic(prefer_literal=True)
def _run(typingctx, name, arguments):
    if not isinstance(name, types.StringLiteral):
        return None
    kinds = tuple(types.unliteral(kind) for kind in arguments)

    def generate(context, builder, signature, values):
        convention, unpacked = context.call_conv, cgutils.unpack_tuple(builder, values[1], len(kinds))
        kind = convention.get_function_type(types.none, kinds)
        loop = cgutils.get_or_insert_function(builder.module, kind, f"groupkin_{name.literal_value}")
        status, _ = convention.call_function(builder, loop, types.none, kinds, unpacked)
        with builder.if_then(status.is_error, likely=False):  # no memory
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(name, types.Tuple(kinds)), generate


@intrinsic(prefer_literal=True)
def _address(typingctx, text):
    if not isinstance(text, types.StringLiteral):
        return None

    def generate(context, builder, signature, values):
        return builder.ptrtoint(defined(builder.module, text.literal_value), ir.IntType(64))

    return types.int64(text), generate


def run(name, arguments):
    """Run a loop over steps."""
    _loops[name](*arguments)


def address(text):
    """Where compiled code finds a text; the text itself where nothing is compiled."""
    return text


if not DISABLE_JIT:
    run, address = _run, _address  # type: ignore[assignment]


def tree(rows: Ints, still: Iterable[int] = ()) -> Callable[..., Any]:
    """Make the kernel of a group of joints with such tables (`sglibrary.straight.group.can_be_written`).

    Of what it reads some rows of the state may never change, so that their rates are 0.
    """
    return _tree(*_texts(texts.texts, rows, still))


@lru_cache(maxsize=256)
def _tree(step: str, finish: str, measures: str) -> Callable[..., Any]:
    name = let_run(*STEPS)

    @kernel
    def straight(q, v, a, memory, rows, constants, status, conditioning, n):
        codes = address(step), address(finish), address(measures)
        run(name, (False, *codes, q, v, a, memory, rows, constants, status, conditioning, n))

    return straight


def hub(rows: Ints, still: Iterable[int] = ()) -> Callable[..., Any]:
    """Make the kernel of a hub with such tables (`sglibrary.hubs.tables`); some rows of the state never change."""
    return _hub(int(rows[0]), *_texts(hub_texts.texts, rows, still))


@lru_cache(maxsize=256)
def _hub(dimension: int, step: str, finish: str, measures: str) -> Callable[..., Any]:
    steps, legs = let_run(*STEPS), let_run(*LEGS[dimension])

    @kernel
    def around(q, v, a, memory, rows, constants, status, conditioning, n):
        codes = address(step), address(finish), address(measures)
        run(steps, (True, *codes, q, v, a, memory, rows, constants, status, conditioning, n))
        run(legs, (q, v, a, memory, rows, constants, status, conditioning, n))

    return around


def _texts(make: Callable[..., tuple[str, str, str]], rows: Ints, still: Iterable[int]) -> tuple[str, str, str]:
    """Those of a group, which depend on its rows alone, and on which of them never change."""
    numbers = rows.tolist()
    return make(tuple(numbers), frozenset(still).intersection(numbers))


@cache
def let_run(loop: Any, signature: tuple[Any, ...]) -> str:
    """Compile a loop over steps, and let kernels run it by the name that is returned."""
    name: str = loop.__name__
    _loops[name] = loop
    if not DISABLE_JIT:
        loop.compile(signature)
        compiled = loop.overloads[signature]
        symbol(f"groupkin_{name}", compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
    return name
