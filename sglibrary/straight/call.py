"""Texts of a group as machine code, which is called by its address.

All groups share the loop over steps (`sglibrary.straight.steps`), which knows of a group no more than three addresses.
So it is compiled once, and a new kind of group costs the compiler its texts alone.
"""

import hashlib

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.lines import compute, everywhere, first_lanes, load_some, store_some, vector, write
from sglibrary.straight.interpreter import ENCODED, decoded, interpret
from sglibrary.vectors import ALIGNED

_WORD, _DOUBLE = ir.IntType(64), ir.DoubleType()
_NUMBERS, _INTS = _DOUBLE.as_pointer(), _WORD.as_pointer()
FEW = 4
"""Steps that are taken at once where there are no more, at half the price: a group is followed step by step."""

_FUNCTION = ir.FunctionType(ir.VoidType(), [_NUMBERS] * 4 + [_INTS, _NUMBERS] + [_WORD] * 4)
"""q, v, a, working memory, rows, constants; pitch of the state and of working memory, first step, number of steps."""


@intrinsic
def _evaluate(typingctx, address, q, v, a, work, rows, constants, first, at, n):
    def generate(context, builder, signature, values):
        arrays = [
            context.make_array(kind)(context, builder, x)
            for kind, x in zip(signature.args[1:7], values[1:7], strict=True)
        ]
        pitches = [cgutils.unpack_tuple(builder, arrays[k].shape, 2)[1] for k in (0, 3)]
        function = builder.inttoptr(values[0], _FUNCTION.as_pointer())
        places = [x.data for x in arrays]
        places[3] = builder.gep(places[3], [values[8]])
        builder.call(function, [*places, *pitches, values[7], values[9]])
        return context.get_dummy_value()

    return types.none(types.int64, q, v, a, work, rows, constants, types.int64, types.int64, types.int64), generate


def evaluate(text, q, v, a, work, rows, constants, first, at, n):
    """Compute a text for n steps, the first of which is step `first` of the state and step `at` of working memory."""
    state, steps = {"q": q, "v": v, "a": a}, slice(first, first + n)
    if text.startswith(ENCODED):
        text = decoded(rows[rows[int(text.removeprefix(ENCODED))] :])

    def row(kind, numbers):
        k = [int(number) for number in numbers]
        return work[k[0], at : at + n] if kind == "w" else state[kind][rows[k[0]] + k[1], steps]

    def other(kind, numbers, values):
        if kind == "c":
            return constants[int(numbers[0])]
        if kind != "=":
            return row(kind, numbers).copy()
        row(numbers[1], numbers[2:])[:] = values[int(numbers[0])]
        return None

    with np.errstate(all="ignore"):
        compute(text, other)


if not DISABLE_JIT:
    evaluate = _evaluate  # type: ignore[assignment]


@intrinsic
def _prepare(typingctx, address, q, work, rows, constants, first, at, n, x, orders):
    arguments = q, work, rows, constants, *(types.int64,) * 5

    def generate(context, builder, signature, values):
        convention = context.call_conv
        pointer = builder.inttoptr(values[0], convention.get_function_type(types.none, arguments).as_pointer())
        status, _ = convention.call_function(builder, pointer, types.none, arguments, values[1:])
        with cgutils.if_unlikely(builder, status.is_error):  # no memory
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(types.int64, *arguments), generate


def prepare(function, q, work, rows, constants, first, at, n, x, orders):
    """Compute what texts do not (`sglibrary.straight.prepared`), which is known by its address."""
    function(q, work, rows, constants, first, at, n, x, orders)


if not DISABLE_JIT:
    prepare = _prepare  # type: ignore[assignment]


def defined(module: ir.Module, text: str, most: int) -> ir.Function:
    """A text as a function of a module, for so many steps at once, or for `FEW` where there are no more.

    Of the text `code k` the lines are among the rows, from the one on that row k says.
    """
    name = f"text_{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, _FUNCTION, name)
    function.linkage = "internal"
    set.add(function.attributes, ALIGNED)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    if text.startswith(ENCODED):
        interpret(builder, function.args, int(text.removeprefix(ENCODED)))
        return function
    n = function.args[-1]
    if most > FEW:
        with builder.if_then(builder.icmp_signed("<=", n, _WORD(FEW))):
            _write_steps(text, builder, function.args, _WORD(0), FEW)
            builder.ret_void()
    with cgutils.for_range_slice(builder, _WORD(0), n, _WORD(most), _WORD) as (j, _):
        _write_steps(text, builder, function.args, j, most)
    builder.ret_void()
    return function


def _write_steps(text: str, builder: ir.IRBuilder, arguments: tuple[ir.Value, ...], j: ir.Value, count: int) -> None:
    """Write a text for some steps from step j on; what lies behind the last one is not touched in the state."""
    q, v, a, work, rows, constants, pitch, work_pitch, first, n = arguments
    module, state = builder.module, {"q": q, "v": v, "a": a}
    mask = first_lanes(builder, builder.sub(n, j), count)
    pointer = vector(count).as_pointer()

    def fixed(array: ir.Value, k: int) -> ir.Value:
        value = builder.load(builder.gep(array, [_WORD(k)]))
        value.set_metadata("invariant.load", module.add_metadata([]))
        return value

    def place(kind: str, numbers: list[str]) -> ir.Value:
        k = [int(number) for number in numbers]
        if kind == "w":
            at = builder.add(builder.mul(_WORD(k[0]), work_pitch), j)
            return builder.bitcast(builder.gep(work, [at]), pointer)
        row = builder.add(fixed(rows, k[0]), _WORD(k[1]))
        at = builder.add(builder.mul(row, pitch), builder.add(first, j))
        return builder.bitcast(builder.gep(state[kind], [at]), pointer)

    def other(kind: str, numbers: list[str], values: list[ir.Value]) -> ir.Value:
        if kind == "c":
            return everywhere(builder, fixed(constants, int(numbers[0])), count)
        if kind == "=":
            value, to = values[int(numbers[0])], place(numbers[1], numbers[2:])
            return builder.store(value, to, align=8) if numbers[1] == "w" else store_some(builder, value, to, mask)
        at = place(kind, numbers)
        return builder.load(at, align=8) if kind == "w" else load_some(builder, at, mask)

    write(text, builder, other, count)


def symbol(name: str, address: int) -> None:
    """Let compiled code call what is at an address by a name."""
    llvmlite.binding.add_symbol(name, address)
