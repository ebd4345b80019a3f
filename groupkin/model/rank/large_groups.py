"""Rank of groups with many bodies, from the twists of these: a joint touches two of them, so the matrix stays sparse.

In the joint variables of a spanning tree (`groupkin.model.rank.rank`) nearly every equation of a long chain contains
nearly every unknown; a thousand bodies would take minutes. The few least singular values are enough to know the rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.geometry import Geometry, near_origin
from groupkin.model.rank.mobility import locked_twists
from groupkin.model.rank.rank import Rank
from groupkin.tolerances import RANK
from sglibrary.array_types import Array, Ints

if TYPE_CHECKING:
    from scipy.sparse import csc_array


LARGE = 150
"""Number of bodies above which a group is examined in this way: about where it becomes faster."""

LEAST = 6
"""Number of singular values computed: a rank that lacks more is not known exactly."""

CLOSE = 1e-3
"""Relative error of the singular values, which is enough, as they differ by powers of ten."""


@dataclass(frozen=True)
class NearlySingular:
    """The least singular values of a group's constraints on its twists, with their motions and stresses.

    Attributes
    ----------
    equations, unknowns : int
    values : (k,) array
        Ascending, relative to the largest one.
    motions : (bodies, components, k) array
        Twists of all bodies that the constraints resist least.
    stress : (joints, k) array
        Largest part of each joint in the combinations of constraints that nearly vanish.
    """

    equations: int
    unknowns: int
    values: Array
    motions: Array
    stress: Array

    def rank(self, tolerance: float = RANK) -> Rank:
        """Compute the rank, with singular values below a share of the largest as zero."""
        lost = int((self.values <= tolerance).sum())
        return Rank(self.unknowns, self.equations, self.unknowns - lost, float(self.values[0]))

    def lost(self, tolerance: float = RANK) -> tuple[Array, Array]:
        """Return the m motions (bodies, components, m) that are free, and the stress (joints,) of each joint."""
        free = self.values <= tolerance
        return self.motions[:, :, free], self.stress[:, free].max(axis=1, initial=0.0)


def nearly_singular(
    mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint], bodies: Sequence[str]
) -> NearlySingular | None:
    """Find the motions that the joints of a group resist least while all other bodies stand still.

    Parameters
    ----------
    mechanism, geometry : Mechanism, Geometry
    joints : sequence of Joint
        The group's.
    bodies : sequence of str
        The group's.

    Returns
    -------
    NearlySingular or None
        None if the constraints are not as many as the components of the twists, or the iteration fails.
    """
    from scipy.sparse.linalg import LinearOperator, eigsh, splu, svds

    matrix, ends = constraints(mechanism, geometry, joints, bodies)
    rows, n = matrix.shape
    if rows != n:
        return None
    start = np.random.default_rng(0).normal(size=n)
    try:
        factors = splu(matrix)
        largest = svds(matrix, 1, v0=start, tol=CLOSE, return_singular_vectors=False)[0]
        # Lanczos iteration on the inverse of AᵀA
        inverse = LinearOperator((n, n), lambda x: factors.solve(factors.solve(x, "T")), dtype=np.float64)
        inverses, right = eigsh(inverse, min(LEAST, n - 1), v0=start, tol=CLOSE)
    except RuntimeError:  # the elimination meets an exact zero, or the iteration does not converge
        return None
    left, order = factors.solve(right, "T"), np.argsort(-inverses)
    parts = np.split(np.abs((left / np.linalg.norm(left, axis=0))[:, order]), ends[:-1])
    values, motions = (1 / np.sqrt(inverses) / largest)[order], right[:, order].reshape(len(bodies), -1, order.size)
    return NearlySingular(n, n, values, motions, np.array([part.max(axis=0, initial=0.0) for part in parts]))


def constraints(
    mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint], bodies: Sequence[str]
) -> tuple[csc_array, Ints]:
    """Make the matrix of the combinations of the bodies' twists that joints and drivers make vanish.

    Returns
    -------
    sparse array
    (joints,) array of int
        Where the rows of each joint end.
    """
    from scipy.sparse import csc_array

    number, (geometry, _) = {body: k for k, body in enumerate(bodies)}, near_origin(geometry)
    counts, rows, columns, entries = [0], [], [], []
    for joint in joints:
        locked = locked_twists(mechanism, joint, geometry)
        width, first = locked.shape[1], sum(counts[-1:])
        for body, sign in zip(joint.bodies, (-1.0, 1.0), strict=True):
            if body in number:
                i, k = np.indices(locked.shape)
                rows.append((first + i).ravel())
                columns.append((width * number[body] + k).ravel())
                entries.append(sign * locked.ravel())
        counts.append(first + len(locked))
    shape = counts[-1], (3 if mechanism.dimension == 2 else 6) * len(number)
    matrix = csc_array((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))), shape)
    matrix.eliminate_zeros()
    return matrix, np.array(counts[1:])
