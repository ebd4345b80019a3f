"""Rank of groups with many bodies, from the twists of these: a joint touches two of them, so the matrix stays sparse.

In the joint variables of a spanning tree (`groupkin.model.rank.rank`) nearly every equation of a long chain contains
nearly every unknown; a thousand bodies would take minutes. The few least singular values are enough to know the rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.rank.mobility import locked_twists
from groupkin.model.rank.rank import RANK_TOLERANCE, Rank

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Array = NDArray[np.float64]

LARGE = 150
"""Number of bodies above which a group is examined here: about where this becomes faster."""

LEAST = 6
"""Singular values that are looked for: a rank that lacks more is not told exactly."""

CLOSE = 1e-3
"""Relative error of the singular values: they differ by powers of ten."""

ROUNDING = 1e-15
"""Conditioning at random dimensions below which nothing is told: a long chain may come near it, rounding gives it."""


@dataclass(frozen=True)
class Near:
    """The least singular values of a group's constraints on its twists, and what belongs to them.

    Attributes
    ----------
    equations, unknowns : int
    values : (k,) array
        Ascending, relative to the largest one.
    motions : (bodies, components, k) array
        Twists that nearly nothing resists.
    stress : (joints, k) array
        Largest part of each joint in what nearly balances itself.
    """

    equations: int
    unknowns: int
    values: Array
    motions: Array
    stress: Array

    def rank(self, tolerance: float = RANK_TOLERANCE) -> Rank:
        """Rank, where singular values count as zero below a share of the largest."""
        lost = int((self.values <= tolerance).sum())
        return Rank(self.unknowns, self.equations, self.unknowns - lost, float(self.values[0]))

    def lost(self, tolerance: float = RANK_TOLERANCE) -> tuple[Array, Array]:
        """Motions (bodies, components, m) that are left, and the stress (joints,) of each joint."""
        free = self.values <= tolerance
        return self.motions[:, :, free], self.stress[:, free].max(axis=1, initial=0.0)


def near(mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint], bodies: Sequence[str]) -> Near | None:
    """What the joints of a group resist least while all other bodies stand still; None: only a dense matrix tells."""
    matrix, ends = constraints(mechanism, geometry, joints, bodies)
    rows, n = matrix.shape
    if rows != n:
        return None
    least = _least(matrix)
    if least is None:
        return None
    values, right, left = least
    parts = np.split(np.abs(left), ends[:-1])
    return Near(
        rows,
        n,
        values,
        right.reshape(len(bodies), -1, values.size),
        np.array([part.max(axis=0, initial=0.0) for part in parts]),
    )


def constraints(
    mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint], bodies: Sequence[str]
) -> tuple[csc_array, NDArray[np.int64]]:
    """The combinations of the bodies' twists that joints and drivers make vanish, and where each joint's rows end."""
    from scipy.sparse import csc_array

    place = {body: k for k, body in enumerate(bodies)}
    counts, rows, columns, entries = [0], [], [], []
    for joint in joints:
        own = locked_twists(mechanism, joint, geometry)
        width, first = own.shape[1], sum(counts[-1:])
        for body, sign in zip(joint.bodies, (-1.0, 1.0), strict=True):
            if body in place:
                i, k = np.indices(own.shape)
                rows.append((first + i).ravel())
                columns.append((width * place[body] + k).ravel())
                entries.append(sign * own.ravel())
        counts.append(first + len(own))
    shape = counts[-1], (3 if mechanism.dimension == 2 else 6) * len(place)
    found = csc_array((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))), shape)
    found.eliminate_zeros()
    return found, np.array(counts[1:])


def _least(matrix: csc_array) -> tuple[Array, Array, Array] | None:
    """Least singular values (k,) of a square matrix, relative to the largest, with right and left vectors (n, k).

    By Lanczos iteration on the inverse of A'A; None if the elimination meets an exact zero, or it does not converge.
    """
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh, splu, svds

    n = matrix.shape[0]
    try:
        factors = splu(matrix)
    except RuntimeError:
        return None
    start = np.random.default_rng(0).normal(size=n)
    largest = svds(matrix, 1, v0=start, tol=CLOSE, return_singular_vectors=False)[0]
    inverse = LinearOperator((n, n), lambda x: factors.solve(factors.solve(x, "T")), dtype=np.float64)
    try:
        found, right = eigsh(inverse, min(LEAST, n - 1), v0=start, tol=CLOSE)
    except ArpackError:
        return None
    left = factors.solve(right, "T")
    order = np.argsort(-found)
    return (1 / np.sqrt(found) / largest)[order], right[:, order], (left / np.linalg.norm(left, axis=0))[:, order]
