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
    if isinstance(kind, types.NamedTuple | types.NamedUniTuple):
        for part, x in zip(kind.types, value, strict=True):
            yield from flat(part, x)
    else:
        yield kind, value


def viewed(kind: Any) -> Any:
    """Make the function that compiled code calls for a nested tuple of contiguous arrays.

    It takes the address of a table, and those of the memories that the table numbers: of each array, as `flat` lists
    them, the memory that it lies in, its first byte there and its shape.
    """

    @intrinsic
    def view(typingctx: Any, table: Any, memories: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, values: Any) -> Any:
            words = builder.inttoptr(values[0], WORD.as_pointer())
            bases = cgutils.unpack_tuple(builder, values[1], len(signature.args[1]))
            at = 0

            def word() -> ir.Value:
                nonlocal at
                at += 1
                return builder.load(builder.gep(words, [WORD(at - 1)]))

            def built(part: Any) -> ir.Value:
                if isinstance(part, types.NamedTuple | types.NamedUniTuple):
                    return context.make_tuple(builder, part, [built(x) for x in part.types])
                base, first, *shape = (word() for _ in range(2 + part.ndim))
                address = bases[0]
                for k in range(1, len(bases)):
                    address = builder.select(builder.icmp_signed("==", base, WORD(k)), bases[k], address)
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

        return kind(table, memories), generate

    return view
