"""Vectors of one step as tuples, and rows of the state as tuples of arrays."""

import math
from weakref import WeakKeyDictionary

from llvmlite import ir
from numba import types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.convention import formula


@intrinsic
def _fused(typingctx, a, b, c):
    """One instruction for a b + c, the same in the body of a vectorized loop as in its remainder."""

    def generate(context, builder, signature, arguments):
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


_written: WeakKeyDictionary[ir.Function, list[ir.Value]] = WeakKeyDictionary()


def _scope(builder, name):
    """An alias scope of the function that is being compiled; inlining gives every copy of it scopes of its own."""
    function = builder.function
    domain = builder.module.add_metadata([ir.MetaDataString(builder.module, function.name)])
    return builder.module.add_metadata([ir.MetaDataString(builder.module, f"{function.name} {name}"), domain])


def _place(context, builder, row_type, row, step):
    return builder.gep(context.make_array(row_type)(context, builder, row).data, [step])


@intrinsic
def _read(typingctx, row, j):
    """row[j], which nothing that `_write` writes in the same function overlaps."""

    def generate(context, builder, signature, arguments):
        value = builder.load(_place(context, builder, row, arguments[0], arguments[1]))
        value.set_metadata("alias.scope", builder.module.add_metadata([_scope(builder, "read")]))
        return value

    return types.float64(row, j), generate


@intrinsic
def _write(typingctx, row, j, value):
    """row[j] = value, where this row overlaps no other that `_read` or `_write` name in the same function."""

    def generate(context, builder, signature, arguments):
        module = builder.module
        others = _written.setdefault(builder.function, [_scope(builder, "read")])
        own = _scope(builder, len(others))
        store = builder.store(arguments[2], _place(context, builder, row, arguments[0], arguments[1]))
        store.set_metadata("alias.scope", module.add_metadata([own]))
        store.set_metadata("noalias", module.add_metadata(list(others)))
        others.append(own)
        return context.get_dummy_value()

    return types.none(row, j, types.float64), generate


if DISABLE_JIT:

    def fma(a, b, c):
        """Multiply and add; rounded once where it is compiled."""
        return a * b + c

    def read(row, j):
        return row[j]

    def write(row, j, value):
        row[j] = value

else:
    fma, read, write = _fused, _read, _write


@formula
def plane(x, row, n):
    """The two rows of a plane vector, n steps of each."""
    return x[row, :n], x[row + 1, :n]


@formula
def space(x, row, n):
    """The three rows of a space vector, n steps of each."""
    return x[row, :n], x[row + 1, :n], x[row + 2, :n]


@formula
def get(x, j):
    """Step j of a space vector."""
    return read(x[0], j), read(x[1], j), read(x[2], j)


@formula
def put(x, j, u):
    """Write step j of a space vector."""
    write(x[0], j, u[0])
    write(x[1], j, u[1])
    write(x[2], j, u[2])


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
