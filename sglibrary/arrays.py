"""Vectors in arrays of any leading shape, for what is measured once in the geometry of a group or of many variants."""

from __future__ import annotations

import numpy as np

from sglibrary.array_types import Array


def inner(u: Array, w: Array) -> Array:
    """Inner products (...) of vectors (..., d)."""
    return np.asarray(np.einsum("...i,...i->...", u, w))


def length(u: Array) -> Array:
    """Lengths (...) of vectors (..., d)."""
    return np.sqrt(inner(u, u))


def unit(u: Array) -> Array:
    """Directions (..., d) of vectors; NaN where they have none."""
    return over(u, length(u)[..., None])


def over(x: Array, y: Array) -> Array:
    """Quotients of numbers; NaN where the divisor is zero."""
    return np.asarray(x / np.where(y == 0.0, np.nan, y))


def in_frame(frame: Array, u: Array) -> Array:
    """Components (..., d) of vectors along the columns of frames (..., d, d)."""
    return np.asarray(np.einsum("...ij,...i->...j", frame, u))


def from_frame(frame: Array, u: Array) -> Array:
    """Vectors (..., d) with given components along the columns of frames (..., d, d)."""
    return np.asarray(np.einsum("...ij,...j->...i", frame, u))


def across(u: Array, axis: Array) -> Array:
    """The part of vectors (..., d) perpendicular to unit vectors."""
    return u - inner(u, axis)[..., None] * axis


def quarter(u: Array) -> Array:
    """Plane vectors (..., 2) after a quarter turn."""
    return np.stack([-u[..., 1], u[..., 0]], axis=-1)


def stack(*parts: Array | float) -> Array:
    """Numbers (...) as rows (..., n), or vectors (..., d) as columns (..., d, n)."""
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def components(u: Array) -> tuple[Array, ...]:
    """The components of vectors (..., d), to be stacked with other numbers."""
    return tuple(np.moveaxis(u, -1, 0))


def sign(x: Array) -> Array:
    """1 or -1; of numbers that are objects as their method has it."""
    if np.asarray(x).dtype == object:
        return np.asarray(np.frompyfunc(lambda y: y.sign(), 1, 1)(x))
    return np.where(x >= 0, 1.0, -1.0)
