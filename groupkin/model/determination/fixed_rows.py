"""Whether a fixed choice of rows becomes singular where the mechanism itself is regular.

Rods on both sides of a locomotive repeat each other, and either may be left out; but its wheels pass their dead centers
by the other one. A walk along the motion tells: between two positions the chosen rows have passed a singular one if the
determinants of their matrices A and B differ in sign, so that det(Aᵀ B) < 0; and all rows, more than unknowns, have if
that is so of theirs (the sum of the products of all determinants, Cauchy and Binet).
"""

from __future__ import annotations

import numpy as np

from groupkin.model.determination.hold_spins import with_held_spins
from groupkin.model.determination.positions import (
    SMALL,
    Position,
    closest,
    driven_ways,
    everything,
    moves_by_rows,
    rows_at,
    with_driven,
)
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import Structure

STEP = 0.2
"""Length of a step of the walk (rad, or sizes of the mechanism)."""

FARTHEST = 3.0
"""End of the walk either way (rad, or sizes): less than half a turn, as angles are told up to whole turns."""


def passes_singular(structure: Structure, geometry: Geometry) -> bool:
    """Tell whether a structure with relaxed joints passes a singular position that its mechanism does not have.

    Parameters
    ----------
    structure : Structure
        With redundancies, some joints of which are relaxed.
    geometry : Geometry
        Of its mechanism.
    """
    mechanism = structure.mechanism
    if not moves_by_rows(mechanism):
        return False
    whole = everything(mechanism, geometry)
    solved = with_held_spins(mechanism, geometry, spins=structure.spins, eased=structure.solved_as)
    chosen = everything(structure.solved_as, solved)
    (way,) = driven_ways(whole, 1)
    for sign in (1.0, -1.0):
        poses, before = whole.at_rest(), None
        for reached in np.arange(0.0, FARTHEST, STEP).tolist():
            ahead = {freedom: sign * reached * x for freedom, x in way.items()}
            position = closest(whole, poses, ahead, SMALL)
            if position is None or position.gap > whole.closed:
                break
            poses = position.poses
            now = position, with_driven(chosen, rows_at(chosen, poses))
            if before is not None and _turned(before[0], now[0]):
                break  # the mechanism itself is singular in between
            if before is not None and _turned(before[1], now[1]):
                return True
            before = now
    return False


def _turned(first: Position, second: Position) -> bool:
    """Whether rows have passed a singular position between two positions that are near each other.

    The rows of a joint are any orthonormal ones: those of the second position are turned to those of the first.
    """
    total = np.zeros((first.matrix.shape[1],) * 2)
    for block in np.unique(first.blocks).tolist():
        before, now = (each.matrix[each.blocks == block] for each in (first, second))
        left, _, right = np.linalg.svd(before @ now.T)
        total += before.T @ (left @ right) @ now
    return bool(np.linalg.slogdet(total)[0] < 0)
