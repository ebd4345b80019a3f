"""Kernels of groups whose equations are written out: trees of joints, and hubs with their legs.

A kernel is no more than the texts of its group and a call of the loop over steps, which all such groups share.
"""

from functools import cache, lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.array_types import Ints
from sglibrary.code.bytecode import ENCODED, encode
from sglibrary.code.call import defined, symbol
from sglibrary.code.llvm import FEW, LANES
from sglibrary.convention import allocating, kernel
from sglibrary.hubs.scheme import Scheme as HubScheme
from sglibrary.hubs.texts import texts as hub_texts
from sglibrary.iterative.tables import CURVES, FUNCTIONS, KEPT, TEXTS
from sglibrary.run.calls import SIGNATURE
from sglibrary.straight import prepared
from sglibrary.straight.follow import follow
from sglibrary.straight.group import is_compiled
from sglibrary.straight.group_tables import unpack
from sglibrary.straight.places import first_rows
from sglibrary.straight.scheme import Scheme
from sglibrary.straight.steps import between
from sglibrary.straight.texts import texts


@allocating
def solve_steps(step, finish, measures, curves, functions, q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a group at steps between knots; or knots, if memory[0] is negative."""
    group = unpack((step, finish, measures, curves, functions), rows, constants)
    if memory[0] < 0.0:
        follow(group, q, v, a, memory, status, conditioning, n)
    else:
        between(group, q, v, a, memory, status, conditioning, n)


KINDS = (*(types.int64,) * 5, *SIGNATURE)
"""Types of its arguments."""

LOOP = "groupkin_solve_steps"
"""The name by which kernels find it."""

PREPARED = {"curves": prepared.curves, "functions": prepared.functions}
"""What it may call before texts, found by kernels by such names."""

KINDS_OF_PREPARED = (SIGNATURE[0], SIGNATURE[0], *SIGNATURE[4:6], *(types.int64,) * 4)
"""Types of the arguments of that."""


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


@intrinsic(prefer_literal=True)
def _address_of_prepared(typingctx, name, wanted):
    def generate(context, builder, signature, values):
        if not wanted.literal_value:
            return ir.Constant(ir.IntType(64), 0)
        kind = context.call_conv.get_function_type(types.none, KINDS_OF_PREPARED)
        function = cgutils.get_or_insert_function(builder.module, kind, f"groupkin_{name.literal_value}")
        return builder.ptrtoint(function, ir.IntType(64))

    return types.int64(name, wanted), generate


def run(arguments):
    """Run the loop over steps."""
    solve_steps(*arguments)


def address(text, most):
    """Where compiled code finds a text, which it computes for so many steps at once; itself if nothing is compiled."""
    return text


def address_of_prepared(name, wanted):
    """Where compiled code finds what is called before texts, or 0."""
    return PREPARED[name] if wanted else 0


if not DISABLE_JIT:
    run, address, address_of_prepared = _run, _address, _address_of_prepared  # type: ignore[assignment]


def tree(scheme: Scheme, rows: Ints) -> tuple[Any, Ints]:
    """Make the kernel of a group of joints with a scheme and such tables (`sglibrary.iterative.tables`).

    Before the kernel is compiled, the loop over steps must be. Returns the kernel and its rows, to which its texts are
    added if they are not compiled.
    """
    prepares = bool(rows[FUNCTIONS] > rows[CURVES]), bool(rows[TEXTS] > rows[FUNCTIONS])
    written = texts(scheme)
    if is_compiled(scheme):
        return made_of(*prepares, *written), rows
    codes, kept = zip(*(encode(text, first_rows(*scheme.counts).rows) for text in written), strict=True)
    rows = np.concatenate([rows, *codes])
    rows[TEXTS : TEXTS + 3] += np.cumsum([0, *map(len, codes[:-1])])
    rows[KEPT] = max(kept)
    return made_of(*prepares, *(f"{ENCODED}{TEXTS + k}" for k in range(3))), rows


def hub(scheme: HubScheme) -> Any:
    """Make the kernel of a hub with a scheme."""
    return made_of(False, False, *hub_texts(scheme))


@lru_cache(maxsize=512)
def made_of(has_curves: bool, has_functions: bool, step: str, finish: str, measures: str) -> Any:
    """Make the kernel of a hub or of a group of joints of its texts; it keeps what it is made of as its `texts`."""

    @kernel
    def written_out(q, v, a, memory, rows, constants, status, conditioning, n):
        codes = address(step, LANES), address(finish, LANES), address(measures, FEW)
        before = address_of_prepared("curves", has_curves), address_of_prepared("functions", has_functions)
        run((*codes, *before, q, v, a, memory, rows, constants, status, conditioning, n))

    written_out.texts = has_curves, has_functions, step, finish, measures
    written_out.prepared = [name for name, has in zip(PREPARED, (has_curves, has_functions), strict=True) if has]
    return written_out


@cache
def compile_loop() -> None:
    """Compile the loop over steps, and let kernels call it by its name."""
    _compile(LOOP, solve_steps, KINDS)


@cache
def compile_prepared(name: str) -> None:
    """Compile what is called before the texts of some groups, and let kernels find it by its name."""
    _compile(f"groupkin_{name}", PREPARED[name], KINDS_OF_PREPARED)


def _compile(name: str, function: Any, kinds: tuple[Any, ...]) -> None:
    if not DISABLE_JIT:
        function.compile(kinds)
        compiled = function.overloads[kinds]
        symbol(name, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def promise_loop() -> None:
    """Let kernels be compiled where the loop is not, and where they cannot run."""
    for name in (LOOP, *(f"groupkin_{name}" for name in PREPARED)):
        symbol(name, 1)
