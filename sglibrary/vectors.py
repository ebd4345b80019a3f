"""Vectors of one step as tuples, and the rows of the state that they are read from and written to.

Before a vectorized loop LLVM checks at run time that no row that is written overlaps another: for the 60 rows of a
spatial group a thousand checks, which cost microseconds per block and most of the compilation. `get`, `put`, `read`,
`write`, `add` and `lessen` promise it instead, by alias scopes: **a row that one function reads with them it must not
write, nor write twice**. A loop that reads what another has written belongs into a kernel of its own.
"""

import math
from weakref import WeakKeyDictionary

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.core.errors import TypingError
from numba.extending import intrinsic

from sglibrary.convention import formula, inlined


@intrinsic
def _fused(typingctx, a, b, c):
    """One instruction for a b + c, the same in the body of a vectorized loop as in its remainder."""

    def generate(context, builder, signature, arguments):
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


WIDE = '"prefer-vector-width"="512"'
"""Attribute of functions whose loops may fill registers of 512 bits; on most processors LLVM takes 256 otherwise."""

ALIGNED = "alignstack(64)"
"""Attribute of the same functions: registers that are set aside on the stack do not lie across two cache lines."""

_written: WeakKeyDictionary[ir.Function, list[ir.Value]] = WeakKeyDictionary()


def _scope(builder, name):
    """An alias scope of the function that is being compiled; inlining gives every copy of it scopes of its own."""
    function = builder.function
    domain = builder.module.add_metadata([ir.MetaDataString(builder.module, function.name)])
    return builder.module.add_metadata([ir.MetaDataString(builder.module, f"{function.name} {name}"), domain])


def _load(builder, pointer):
    value = builder.load(pointer)
    value.set_metadata("alias.scope", builder.module.add_metadata([_scope(builder, "read")]))
    return value


def _store(builder, value, pointer, loaded=None):
    """Store what overlaps nothing else that is stored, or loaded by `_load`; `loaded` is what was there before."""
    others = _written.setdefault(builder.function, [_scope(builder, "read")])
    for attribute in (WIDE, ALIGNED):
        set.add(builder.function.attributes, attribute)  # llvmlite itself knows attributes without values only
    own = _scope(builder, len(others))
    for access in filter(None, (loaded, builder.store(value, pointer))):
        access.set_metadata("alias.scope", builder.module.add_metadata([own]))
        access.set_metadata("noalias", builder.module.add_metadata(list(others)))
    others.append(own)


def _places(context, builder, kind, value, j, count):
    """Pointers to step j of `count` successive rows; `value` is a pair of an array and its first row, or one row."""
    if isinstance(kind, types.Array):
        return [builder.gep(context.make_array(kind)(context, builder, value).data, [j])]
    array = context.make_array(kind[0])(context, builder, builder.extract_value(value, 0))
    _, pitch = cgutils.unpack_tuple(builder, array.shape, 2)
    first = builder.add(builder.mul(builder.extract_value(value, 1), pitch), j)
    return [builder.gep(array.data, [builder.add(first, builder.mul(pitch, pitch.type(k)))]) for k in range(count)]


def _require_contiguous(kind):
    array = kind if isinstance(kind, types.Array) else kind[0]
    if array.layout != "C" or array.dtype != types.float64:
        raise TypingError(f"rows of the state must be contiguous float64, not {array}")


@intrinsic
def _read(typingctx, row, j):
    _require_contiguous(row)

    def generate(context, builder, signature, arguments):
        return _load(builder, _places(context, builder, row, *arguments, 1)[0])

    return types.float64(row, j), generate


@intrinsic
def _write(typingctx, row, j, value):
    _require_contiguous(row)

    def generate(context, builder, signature, arguments):
        _store(builder, arguments[2], _places(context, builder, row, *arguments[:2], 1)[0])
        return context.get_dummy_value()

    return types.none(row, j, types.float64), generate


@intrinsic
def _lessen(typingctx, row, j, value):
    _require_contiguous(row)

    def generate(context, builder, signature, arguments):
        pointer = _places(context, builder, row, *arguments[:2], 1)[0]
        old, new = builder.load(pointer), arguments[2]
        other = builder.fadd(new, builder.fmul(old.type(0.0), old))
        _store(builder, builder.select(builder.fcmp_ordered("<=", old, new), old, other), pointer, old)
        return context.get_dummy_value()

    return types.none(row, j, types.float64), generate


@intrinsic
def _add(typingctx, row, j, value):
    _require_contiguous(row)

    def generate(context, builder, signature, arguments):
        pointer = _places(context, builder, row, *arguments[:2], 1)[0]
        old = builder.load(pointer)
        _store(builder, builder.fadd(old, arguments[2]), pointer, old)
        return context.get_dummy_value()

    return types.none(row, j, types.float64), generate


@intrinsic
def _get(typingctx, u, j):
    _require_contiguous(u)
    vector = types.UniTuple(types.float64, 3)

    def generate(context, builder, signature, arguments):
        loaded = [_load(builder, pointer) for pointer in _places(context, builder, u, *arguments, 3)]
        return context.make_tuple(builder, vector, loaded)

    return vector(u, j), generate


@intrinsic
def _put(typingctx, u, j, w):
    _require_contiguous(u)
    vector = types.UniTuple(types.float64, 3)

    def generate(context, builder, signature, arguments):
        components = cgutils.unpack_tuple(builder, arguments[2], 3)
        for x, pointer in zip(components, _places(context, builder, u, *arguments[:2], 3), strict=True):
            _store(builder, x, pointer)
        return context.get_dummy_value()

    return types.none(u, j, vector), generate


def fma(a, b, c):
    """Multiply and add; rounded once where it is compiled."""
    return a * b + c


def _steps(u):
    """The steps of a row, which is given as an array or as (array, row)."""
    return u[0][u[1]] if isinstance(u, tuple) else u


def read(u, j):
    """Step j of the row u, an array or (array, row)."""
    return _steps(u)[j]


def write(u, j, value):
    """Write step j of a row."""
    _steps(u)[j] = value


def add(u, j, value):
    """Add a value to step j of a row."""
    _steps(u)[j] += value


def lessen(u, j, value):
    """Write the smaller of step j of a row and a value; NaN if one of them is."""
    _steps(u)[j] = lower(_steps(u)[j], value)


def get(u, j):
    """Step j of a space vector."""
    x, row = u
    return x[row, j], x[row + 1, j], x[row + 2, j]


def put(u, j, w):
    """Write step j of a space vector."""
    x, row = u
    x[row, j], x[row + 1, j], x[row + 2, j] = w


if not DISABLE_JIT:
    fma, read, write, add, lessen, get, put = _fused, _read, _write, _add, _lessen, _get, _put  # type: ignore[assignment]


@inlined
def plane(x, row, n):
    """The two rows of a plane vector, n steps of each."""
    return x[row, :n], x[row + 1, :n]


@inlined
def plane_motion(q, v, a, row, n):
    """A plane vector with its two derivatives, the two rows of each."""
    return plane(q, row, n), plane(v, row, n), plane(a, row, n)


@inlined
def space(x, row, n):
    """The three rows of a space vector, for `get` and `put`; they may be read and written up to step n."""
    return x, row


@inlined
def triad(x, row, n):
    """Three successive space vectors, for `put_triad`."""
    return space(x, row, n), space(x, row + 3, n), space(x, row + 6, n)


@inlined
def put_triad(rows, j, vectors):
    """Write three successive space vectors at step j."""
    put(rows[0], j, vectors[0])
    put(rows[1], j, vectors[1])
    put(rows[2], j, vectors[2])


@formula
def plus(u, w):
    return u[0] + w[0], u[1] + w[1], u[2] + w[2]


@formula
def minus(u, w):
    return u[0] - w[0], u[1] - w[1], u[2] - w[2]


@formula
def axpy(c, u, w):
    """c u + w."""
    return fma(c, u[0], w[0]), fma(c, u[1], w[1]), fma(c, u[2], w[2])


@formula
def times(c, u):
    return c * u[0], c * u[1], c * u[2]


@formula
def dot(u, w):
    return fma(u[0], w[0], fma(u[1], w[1], u[2] * w[2]))


@formula
def cross(u, w):
    return (
        fma(u[1], w[2], -u[2] * w[1]),
        fma(u[2], w[0], -u[0] * w[2]),
        fma(u[0], w[1], -u[1] * w[0]),
    )


@formula
def sqrt(x):
    """Square root; NaN for negative numbers, compiled or not."""
    return math.sqrt(x) if x >= 0.0 else math.nan


@formula
def lower(x, y):
    """The smaller of two numbers; NaN if one of them is."""
    return x if x <= y else y + 0.0 * x


@formula
def carried(w, dw, e, de):
    """Second derivative α × e + ω × e' of a direction fixed in a body with angular velocity w and acceleration dw."""
    return (
        fma(dw[1], e[2], fma(-dw[2], e[1], fma(w[1], de[2], -w[2] * de[1]))),
        fma(dw[2], e[0], fma(-dw[0], e[2], fma(w[2], de[0], -w[0] * de[2]))),
        fma(dw[0], e[1], fma(-dw[1], e[0], fma(w[0], de[1], -w[1] * de[0]))),
    )


@formula
def spin(x, y, z, dx, dy, dz):
    """Angular velocity (y'·z) x + (z'·x) y + (x'·y) z of three orthonormal directions."""
    return axpy(dot(dy, z), x, axpy(dot(dz, x), y, times(dot(dx, y), z)))


@formula
def spin_gain(x, y, z, ddx, ddy, ddz, w):
    """Angular acceleration of three orthonormal directions: y''·z is α_x + ω_y ω_z, and so on."""
    wx, wy, wz = dot(w, x), dot(w, y), dot(w, z)
    return plus(times(dot(ddy, z) - wy * wz, x), plus(times(dot(ddz, x) - wz * wx, y), times(dot(ddx, y) - wx * wy, z)))
