"""Named tuples of arrays that lie in the memory of a foreign program, at places that a table tells."""

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WORD = ir.IntType(64)


def flat(kind: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """List the arrays and numbers of a nested tuple, each with its type in compiled code."""
    if hasattr(kind, "types"):
        for part, x in zip(kind.types, value, strict=True):
            yield from flat(part, x)
    else:
        yield kind, value


def _built(kind: Any, context: Any, builder: ir.IRBuilder, table: ir.Value, memories: list[ir.Value]) -> ir.Value:
    """Read the arrays of a nested tuple, each from where the table says."""
    words = builder.inttoptr(table, WORD.as_pointer())
    at = 0

    def word() -> ir.Value:
        nonlocal at
        at += 1
        return builder.load(builder.gep(words, [WORD(at - 1)]))

    def built(part: Any) -> ir.Value:
        if hasattr(part, "types"):
            return context.make_tuple(builder, part, [built(x) for x in part.types])
        if not isinstance(part, types.Array):
            return context.cast(builder, word(), types.int64, part)
        base, first, *shape = (word() for _ in range(2 + part.ndim))
        address = memories[0]
        for k in range(1, len(memories)):
            address = builder.select(builder.icmp_signed("==", base, WORD(k)), memories[k], address)
        item = context.get_abi_sizeof(context.get_data_type(part.dtype))
        strides = [WORD(item)]
        for size in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], size))
        array = context.make_array(part)(context, builder)
        data = builder.inttoptr(builder.add(address, first), context.get_data_type(part.dtype).as_pointer())
        fields = {"data": data, "shape": shape, "strides": strides, "itemsize": WORD(item)}
        context.populate_array(array, **fields, meminfo=None)
        return array._getvalue()

    return built(kind)


TYPES: dict[str, Any] = {}
"""Types of tuples by the names that compiled code has for them: types themselves would not let it be kept on disk."""


@intrinsic(prefer_literal=True)
def view_of(typingctx: Any, name: Any, table: Any, memories: Any) -> Any:
    """Return a nested tuple of contiguous arrays, of a type of `TYPES`.

    It takes the address of a table, and those of the memories that the table numbers: of each array, as `flat` lists
    them, the memory that it lies in, its first byte there and its shape; of an integer itself.
    """
    if not isinstance(name, types.StringLiteral):
        return None
    kind = TYPES[name.literal_value]

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, values: Any) -> Any:
        bases = cgutils.unpack_tuple(builder, values[2], len(signature.args[2]))
        return _built(kind, context, builder, values[1], bases)

    return kind(name, table, memories), generate
