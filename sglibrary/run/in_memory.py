"""Arguments in memory, as compiled code holds them: written down once, and read where they are needed.

What is written holds addresses: the arrays must be kept as long as it is, and only functions that count no references
may read it.
"""

from typing import Any

from numba import types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.core.registry import cpu_target
from numba.extending import intrinsic


def stored(kind: Any) -> tuple[Any, Any]:
    """Functions that compiled code calls to write a value of a type into memory, and to read it there."""

    @intrinsic
    def store(typingctx, memory, value):
        def generate(context, builder, signature, values):
            place = _start(context, builder, signature.args[0], values[0])
            place = builder.bitcast(place, context.get_data_type(kind).as_pointer())
            context.pack_value(builder, kind, values[1], place)
            return context.get_dummy_value()

        return types.none(memory, kind), generate

    @intrinsic
    def load(typingctx, memory):
        def generate(context, builder, signature, values):
            place = _start(context, builder, signature.args[0], values[0])
            return context.unpack_value(builder, kind, builder.bitcast(place, context.get_data_type(kind).as_pointer()))

        return kind(memory), generate

    return store, load


def words_of(kind: Any) -> int:
    """Words of memory that a value of a type takes."""
    target = cpu_target.target_context
    return int(-(-target.get_abi_sizeof(target.get_data_type(kind)) // 8))


def _start(context, builder, kind, memory):
    return context.make_array(kind)(context, builder, memory).data


# --- values whose type only the reader knows ---------------------------------------------------------


@intrinsic
def _place(typingctx, memory):
    def generate(context, builder, signature, values):
        place = _start(context, builder, signature.args[0], values[0])
        return builder.bitcast(place, context.get_value_type(types.voidptr))

    return types.voidptr(memory), generate


@intrinsic
def _taken(typingctx, place):
    def generate(context, builder, signature, values):
        return context.unpack_value(builder, signature.return_type, values[0])

    return place.dtype(place), generate


@intrinsic
def _put(typingctx, memory, value):
    def generate(context, builder, signature, values):
        kind = signature.args[1]
        place = _start(context, builder, signature.args[0], values[0])
        context.pack_value(builder, kind, values[1], builder.bitcast(place, context.get_data_type(kind).as_pointer()))
        return context.get_dummy_value()

    return types.none(memory, value), generate


def place(memory):
    """Where a memory (k,) begins, as `caller` hands it on."""
    return memory


def taken(place):
    """Return what was put at a place; compiled for a pointer to what is there."""
    return place[0]


def put(memory, value):
    """Write a value into memory (k,), of as many words as it takes."""
    memory.append(value)


if not DISABLE_JIT:
    place, taken, put = _place, _taken, _put  # type: ignore[assignment]
