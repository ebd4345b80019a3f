"""Copy a block of the state to where results are kept, through or past the caches.

An ordinary store first reads the line it writes to. Results of long motions are larger than the caches and are not
read soon, so that reading is waste: non-temporal stores leave it out.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.array_types import Array
from sglibrary.convention import kernel

WIDTH = 8
"""Numbers moved at a time: a cache line, to which targets must be aligned."""


@intrinsic
def _move(typingctx, target, i, source, j):
    """target.flat[i : i + WIDTH] = source.flat[j : j + WIDTH] by one non-temporal store."""

    def generate(context, builder, signature, arguments):
        target_type, _, source_type, _ = signature.args
        vector = ir.VectorType(ir.DoubleType(), WIDTH)
        places = []
        for kind, value, index in ((target_type, *arguments[:2]), (source_type, *arguments[2:])):
            data = context.make_array(kind)(context, builder, value).data
            places.append(builder.bitcast(builder.gep(data, [index]), vector.as_pointer()))
        store = builder.store(builder.load(places[1], align=8), places[0], align=8 * WIDTH)
        one = ir.Constant(ir.IntType(32), 1)
        store.set_metadata("nontemporal", builder.module.add_metadata([one]))
        return cgutils.get_null_value(ir.IntType(8).as_pointer())

    return types.none(target, i, source, j), generate


@intrinsic
def _fence(typingctx):
    def generate(context, builder, signature, arguments):
        builder.fence("seq_cst")
        return cgutils.get_null_value(ir.IntType(8).as_pointer())

    return types.none(), generate


def fence():
    """Make what was streamed visible to other threads."""


if not DISABLE_JIT:
    fence = _fence  # type: ignore[assignment]


@kernel
def stream(target, start, source, rows, n):
    """Copy n steps of some rows of a block into the rows of the target, from step `start` on, past the caches.

    Parameters
    ----------
    target : (k, N) array
        `fits` must hold; up to three columns after the last are overwritten.
    source : (r, p) array
        The state of a block; columns up to n rounded up to `WIDTH` are read.
    rows : (k,) array of int
    """
    pitch, width = target.strides[0] // 8, source.shape[1]
    for k in range(rows.size):
        to, origin = k * pitch + start, rows[k] * width
        for j in range(0, n, WIDTH):
            _move(target, to + j, source, origin + j)


@kernel
def copy(target, start, source, rows, n):
    """Copy n steps of some rows of a block into the rows of the target, from step `start` on."""
    for k in range(rows.size):
        to, row = target[k, start : start + n], source[rows[k], :n]
        for j in range(to.size):
            to[j] = row[j]


def fits(target: Array, step: int) -> bool:
    """Whether the rows of a target are aligned at every `step`-th column, and padded at their end."""
    address = target.__array_interface__["data"][0]
    aligned = (address % (8 * WIDTH), target.strides[0] % (8 * WIDTH), step % WIDTH) == (0, 0, 0)
    padded = target.strides[0] >= 8 * WIDTH * -(-target.shape[1] // WIDTH)
    return aligned and padded and target.strides[1] == 8 and not DISABLE_JIT
