"""Tangential forces by Coulomb's law where normal forces depend on them.

The tangential forces T of k surfaces satisfy

    T = s C |n₀ + A T|

with normal forces n, vectors that are linear in T, coefficients C, and the share s = 1 of these. Without friction there
is one solution; as s grows it changes continuously until the determinant of I - s C ∂|n|/∂T is zero. There the forces
have grown without bound, or two solutions meet and vanish: no forces move the mechanism any more, it jams. Behind that,
solutions that are not connected with that without friction may exist; they are not taken.

Newton's method from T = 0 finds the solution of a single surface, for T - s C |n| is concave in T: it approaches the
solution from below, or finds a slope that is not positive, and then there is none. Of several surfaces the share is
raised in steps where it does not arrive at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from groupkin.tolerances import FINEST_SHARE, FORCE_ROUNDING
from sglibrary.array_types import Array, Flags, Ints

ITERATIONS = 40


class Tangential(NamedTuple):
    """Solutions.

    Attributes
    ----------
    amounts : (k, n) array
        T, in the unit of the normal forces.
    shares : (n,) array
        1, or less where there is no solution: the share s for which there is just about one.
    growing : (n,) array of int
        The surface whose force grows most with s.
    """

    amounts: Array
    shares: Array
    growing: Ints


class _Surfaces(NamedTuple):
    """n₀ (n, m, 3), A (n, m, 3, k) and C (k, m), of m normal forces at n steps."""

    offset: Array
    gain: Array
    coefficients: Array


def solve(
    normals: Sequence[Array], slopes: Sequence[Sequence[Array]], at: Sequence[Array], coefficients: Array
) -> Tangential:
    """Find the tangential forces of k surfaces at n steps; NaN where anything is.

    Parameters
    ----------
    normals : k arrays (m, 3, n)
        Normal forces of each surface, under some tangential forces.
    slopes : k by k arrays (m, 3, n)
        Of the normal forces of a surface, the second index, by the tangential force of another, the first one.
    at : k arrays (n,)
        Those tangential forces.
    coefficients : (k,) array
        Of friction.
    """
    k, n = len(normals), len(at[0])
    gain = np.stack([np.concatenate(list(each)) for each in slopes], axis=-1)  # (m, 3, n, k)
    offset = np.concatenate(list(normals)) - np.einsum("mcnk,kn->mcn", gain, np.array(at))
    owners = np.repeat(np.arange(k), [len(each) for each in normals])
    whole = _Surfaces(
        np.moveaxis(offset, 2, 0), np.moveaxis(gain, 2, 0), (owners == np.arange(k)[:, None]) * coefficients[:, None]
    )
    known = np.asarray(np.isfinite(whole.offset).all(axis=(1, 2))) & np.isfinite(whole.gain).all(axis=(1, 2, 3))
    found = np.where(known[:, None], np.zeros((n, k)), np.nan)
    shares, strides = np.where(known, 0.0, 1.0), np.ones(n)
    while (steps := np.flatnonzero((shares < 1.0) & (strides >= FINEST_SHARE))).size:
        wanted = np.minimum(1.0, shares[steps] + strides[steps])
        amounts, fine = _newton(_at(whole, steps), found[steps], wanted)
        found[steps[fine]], shares[steps[fine]] = amounts[fine], wanted[fine]
        strides[steps[~fine]] *= 0.5
    return Tangential(found.T, shares, _growing(whole, found, shares))


def _at(whole: _Surfaces, steps: Ints) -> _Surfaces:
    return _Surfaces(whole.offset[steps], whole.gain[steps], whole.coefficients)


def _newton(surfaces: _Surfaces, start: Array, shares: Array) -> tuple[Array, Flags]:
    """Solve from some forces (n, k); say where that leads to a solution through positive determinants."""
    amounts, sound = start.copy(), np.ones(len(start), bool)
    small = FORCE_ROUNDING * np.abs(surfaces.offset).max(axis=(1, 2), initial=0.0)
    arrived = np.zeros(len(start), bool)
    for _ in range(ITERATIONS):
        tangential, matrix = _equations(surfaces, amounts, shares)
        determinant = np.linalg.det(matrix)
        sound &= np.asarray(determinant > 0.0)
        matrix[~sound] = np.eye(amounts.shape[1])
        step = np.linalg.solve(matrix, (amounts - tangential)[:, :, None])[:, :, 0]
        amounts = np.where(sound[:, None], amounts - step, amounts)
        # next to jamming the step is the rounding of forces that are about to be infinite
        rounding = FORCE_ROUNDING / np.where(sound, np.minimum(determinant, 1.0), 1.0)
        arrived = (np.abs(step) <= small[:, None] + rounding[:, None] * np.abs(amounts)).all(axis=1)
        if (arrived | ~sound).all():
            break
    return amounts, arrived & sound


def _equations(surfaces: _Surfaces, amounts: Array, shares: Array) -> tuple[Array, Array]:
    """Compute s C |n| (n, k), and the matrices I - s C ∂|n|/∂T (n, k, k)."""
    normal = surfaces.offset + np.einsum("nmck,nk->nmc", surfaces.gain, amounts)
    sizes = np.linalg.norm(normal, axis=2)
    units = normal / np.where(sizes, sizes, 1.0)[:, :, None]
    slopes = np.einsum("km,nmc,nmcj->nkj", surfaces.coefficients, units, surfaces.gain)
    return shares[:, None] * (sizes @ surfaces.coefficients.T), np.eye(amounts.shape[1]) - shares[
        :, None, None
    ] * slopes


def _growing(whole: _Surfaces, amounts: Array, shares: Array) -> Ints:
    found = np.zeros(len(shares), np.int64)
    steps = np.flatnonzero(shares < 1.0)
    if steps.size:
        _, matrix = _equations(_at(whole, steps), amounts[steps], shares[steps])
        right = _equations(_at(whole, steps), amounts[steps], np.ones(steps.size))[0]
        found[steps] = np.argmax(np.abs(np.linalg.solve(matrix, right[:, :, None])[:, :, 0]), axis=1)
    return found
