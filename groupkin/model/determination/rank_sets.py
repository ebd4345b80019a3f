"""The smallest sets of bodies that rows determine, in solving order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from groupkin.tolerances import TAKES_PART, ZERO
from sglibrary.array_types import Array, Ints

NEAR = (2, 3, 5, 8, 13)
"""Numbers of neighboring bodies among which a set is sought before it is sought among all."""


@dataclass(frozen=True)
class Sets:
    """Rows among bodies.

    Attributes
    ----------
    matrix : (rows, width * bodies) array
    blocks : (rows,) array of int
        The block that each row belongs to, by number.
    ends : sequence of frozenset of int
        The movable bodies of every block, by number.
    width : int
        Columns of a body.
    zero : float
        As `Position.zero`.
    """

    matrix: Array
    blocks: Ints
    ends: Sequence[frozenset[int]]
    width: int
    zero: float = ZERO

    @cached_property
    def bodies(self) -> int:
        return self.matrix.shape[1] // self.width

    @cached_property
    def touching(self) -> list[list[int]]:
        """The blocks of every body."""
        found: list[list[int]] = [[] for _ in range(self.bodies)]
        for k, ends in enumerate(self.ends):
            for body in ends:
                found[body].append(k)
        return found

    @cached_property
    def rows_of(self) -> list[Ints]:
        """The rows of every block."""
        order = np.argsort(self.blocks, kind="stable")
        bounds = np.searchsorted(self.blocks[order], np.arange(len(self.ends) + 1))
        return [order[a:b] for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]

    def among(self, bodies: Sequence[int], solved: set[int]) -> Array:
        """The rows among some bodies and solved ones, by the twists of the bodies."""
        inside = solved.union(bodies)
        near = sorted({k for body in bodies for k in self.touching[body] if self.ends[k] <= inside})
        columns = (self.width * np.array(bodies, int)[:, None] + np.arange(self.width)).ravel()
        rows = np.concatenate([np.zeros(0, np.int64), *(self.rows_of[k] for k in near)])
        return self.matrix[np.ix_(rows, columns)]

    def core(self, bodies: Iterable[int], solved: set[int]) -> set[int]:
        """The bodies of a set that its own rows determine, by rows among them alone; mostly none."""
        left = sorted(bodies)
        while left:
            free = np.abs(_free(self.among(left, solved), self.zero)).max(axis=1, initial=0.0)
            moves = free.reshape(len(left), self.width).max(axis=1) > max(TAKES_PART, self.zero)
            if not moves.any():
                break
            left = [body for body, loose in zip(left, moves.tolist(), strict=True) if not loose]
        return set(left)

    def near(self, body: int, among: set[int], most: int) -> list[int]:
        """A body and its nearest neighbors, `most` in all."""
        found, seen = [body], {body}
        for each in found:
            for other in sorted({b for k in self.touching[each] for b in self.ends[k]} & among - seen):
                found.append(other)
                seen.add(other)
            if len(found) >= most:
                break
        return found[:most]


def _free(matrix: Array, zero: float) -> Array:
    """Basis (columns, k) of the motions that rows leave free, by elimination with pivots."""
    from scipy.linalg import qr, solve_triangular

    n = matrix.shape[1]
    if not matrix.shape[0]:
        return np.eye(n)
    upper, order = qr(matrix, mode="r", pivoting=True, check_finite=False)
    sizes = np.abs(np.diag(upper))
    rank = int((sizes > zero * max(sizes.max(initial=0.0), 1.0)).sum())
    found = np.zeros((n, n - rank))
    if rank:
        found[order[:rank]] = -solve_triangular(upper[:rank, :rank], upper[:rank, rank:], check_finite=False)
    found[order[rank:]] = np.eye(n - rank)
    return found


def smallest_groups(sets: Sets) -> list[set[int]] | None:
    """Sets of bodies that are determined by those before them, none of whose subsets is; None if some are not."""
    solved, left, found = set[int](), set(range(sets.bodies)), list[set[int]]()
    while left:
        edge = _edge(sets, left)
        new = [{body} for body in edge if sets.core([body], solved)] or [_nearby(sets, edge, left, solved)]
        if not new[0]:
            return None
        for group in new:
            found.append(group)
            left -= group
            solved |= group
    return found


def _edge(sets: Sets, left: set[int]) -> list[int]:
    """The bodies with a block whose others are solved, or that is with the frame, in order."""
    of_joints = {body for k, ends in enumerate(sets.ends) if len(ends) == 1 or not ends <= left for body in ends}
    return sorted(of_joints & left)


def _nearby(sets: Sets, edge: Sequence[int], left: set[int], solved: set[int]) -> set[int]:
    """A determined set among few bodies around one that is joined to solved ones; else among all."""
    for most in NEAR:
        for body in edge if most < len(left) else ():
            found = sets.core(sets.near(body, left, most), solved)
            if found:
                return _smallest(sets, found, solved)
    return _smallest(sets, sets.core(left, solved), solved)


def _smallest(sets: Sets, bodies: set[int], solved: set[int]) -> set[int]:
    """A set of bodies that is determined, none of whose subsets is."""
    left, needed = {*bodies}, set[int]()
    for body in sorted(bodies, reverse=True):
        if body in left and body not in needed:
            found = sets.core(left - {body}, solved)
            if found:
                left = found
            else:
                needed.add(body)
    return left
