"""Instruction lists as functions that compiled loops call by their addresses.

All groups share the loop over steps (`sglibrary.straight.steps`), which knows of a group no more than three addresses.
So it is compiled once, and a new kind of group costs the compiler its instruction lists alone.
"""

import hashlib

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.code import interpreter, llvm
from sglibrary.code.bytecode import ENCODED, decode
from sglibrary.code.instructions import compute_steps


@intrinsic
def _evaluate(typingctx, address, q, v, a, work, rows, constants, first, at, n):
    def generate(context, builder, signature, values):
        arrays = [
            context.make_array(kind)(context, builder, x)
            for kind, x in zip(signature.args[1:7], values[1:7], strict=True)
        ]
        pitches = [cgutils.unpack_tuple(builder, arrays[k].shape, 2)[1] for k in (0, 3)]
        function = builder.inttoptr(values[0], llvm.FUNCTION.as_pointer())
        places = [x.data for x in arrays]
        places[3] = builder.gep(places[3], [values[8]])
        builder.call(function, [*places, *pitches, values[7], values[9]])
        return context.get_dummy_value()

    return types.none(types.int64, q, v, a, work, rows, constants, types.int64, types.int64, types.int64), generate


def evaluate(text, q, v, a, work, rows, constants, first, at, n):
    """Compute a list for n steps, the first of which is step `first` of the state and step `at` of working memory."""
    if text.startswith(ENCODED):
        text = decode(rows[rows[int(text.removeprefix(ENCODED))] :])
    compute_steps(text, {"q": q, "v": v, "a": a}, work, rows, constants, first, at, n)


if not DISABLE_JIT:
    evaluate = _evaluate  # type: ignore[assignment]


@intrinsic
def _prepare(typingctx, address, q, work, rows, constants, first, at, n, x):
    arguments = q, work, rows, constants, *(types.int64,) * 4

    def generate(context, builder, signature, values):
        convention = context.call_conv
        pointer = builder.inttoptr(values[0], convention.get_function_type(types.none, arguments).as_pointer())
        status, _ = convention.call_function(builder, pointer, types.none, arguments, values[1:])
        with cgutils.if_unlikely(builder, status.is_error):  # no memory
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(types.int64, *arguments), generate


def prepare(function, q, work, rows, constants, first, at, n, x):
    """Compute what instruction lists do not (`sglibrary.straight.prepared`), which is known by its address."""
    function(q, work, rows, constants, first, at, n, x)


if not DISABLE_JIT:
    prepare = _prepare  # type: ignore[assignment]


def defined(module: ir.Module, text: str, lanes: int) -> ir.Function:
    """An instruction list as a function of a module, for so many steps at once.

    Of `code k` the bytecode is among the rows, from the one on that row k says; it is interpreted.
    """
    if not text.startswith(ENCODED):
        return llvm.function(module, text, lanes)
    name = f"code_{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    if name in module.globals:
        return module.globals[name]
    function = llvm.begun(module, name)
    builder = ir.IRBuilder(function.entry_basic_block)
    interpreter.interpret(builder, function.args, int(text.removeprefix(ENCODED)))
    return function


def symbol(name: str, address: int) -> None:
    """Let compiled code call what is at an address by a name."""
    llvmlite.binding.add_symbol(name, address)
