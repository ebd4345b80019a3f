"""Rotations as unit quaternions of values, scalar part first."""

from __future__ import annotations

from collections.abc import Sequence

from sglibrary.code.graph import Expr, Vector, fma, inverse_root

Turn = tuple[Vector, Vector, Vector]
"""Rows of a rotation."""


def nearly_unit(x: Sequence[Expr]) -> list[Expr]:
    """A quaternion of length 1, to the second order of what is missing.

    Polynomials between knots lead to quaternions that are not quite of that length: unless they are made so, Newton's
    step leaves what was missing.
    """
    w, a, b, c = x
    square = fma(w, w, fma(a, a, fma(b, b, c * c)))
    share = fma(square, w.graph.number(-0.5), w.graph.number(1.5))
    return [share * each for each in x]


def rotation(x: Sequence[Expr]) -> Turn:
    """The rotation of a quaternion."""
    w, a, b, c = x
    one = w.graph.number(1.0)

    def even(y: Expr, z: Expr) -> Expr:
        return fma(-2.0 * one, fma(y, y, z * z), one)

    def odd(y: Expr, z: Expr, s: Expr) -> Expr:
        return fma(y, z, w * s) * 2.0

    return (
        (even(b, c), odd(a, b, -c), odd(a, c, b)),
        (odd(a, b, c), even(a, c), odd(b, c, -a)),
        (odd(a, c, -b), odd(b, c, a), even(a, b)),
    )


def advanced(x: Sequence[Expr], step: Sequence[Expr]) -> list[Expr]:
    """A quaternion after a small rotation about its own axes: but for its third power, a rotation vector."""
    w, a, b, c = x
    e, f, g = (each * 0.5 for each in step)
    turned_by = (
        w - fma(e, a, fma(f, b, g * c)),
        a + fma(e, w, fma(g, b, -(f * c))),
        b + fma(f, w, fma(e, c, -(g * a))),
        c + fma(g, w, fma(f, a, -(e * b))),
    )
    p, q, r, s = turned_by
    share = inverse_root(fma(p, p, fma(q, q, fma(r, r, s * s))))
    return [share * each for each in turned_by]
