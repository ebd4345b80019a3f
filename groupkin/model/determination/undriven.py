"""An over-constrained mechanism for any choice of drivers, from positions that are found without them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.determination.finite_motion import Cluster
from groupkin.model.determination.hold_spins import better_end, with_held_spins
from groupkin.model.determination.positions import (
    Position,
    everything,
    free_positions,
    motions,
    moves_by_rows,
    rates,
    with_driven,
)
from groupkin.model.determination.rank_groups import Order, groups_by_rank
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.idle_spins import Spin, held_at, idle_spins, with_less_freedom
from groupkin.tolerances import NOT_ZERO
from sglibrary.array_types import Array


@dataclass(frozen=True, eq=False)
class Undriven:
    """A mechanism whose joints repeat each other, at a few positions that its drivers do not decide.

    Attributes
    ----------
    cluster : Cluster
        Of the mechanism with its idle spins held and without drivers.
    spins : tuple of Spin
    positions : tuple of Position
    free : tuple of (columns, mobility) array
        Orthonormal free motions at each.
    """

    cluster: Cluster
    spins: tuple[Spin, ...]
    positions: tuple[Position, ...]
    free: tuple[Array, ...]

    @property
    def mobility(self) -> int:
        return self.free[0].shape[1]


def undriven(mechanism: Mechanism, geometry: Geometry) -> Undriven | None:
    """Move a mechanism in space to a few positions, whatever its drivers; None if it does not move so."""
    if not moves_by_rows(mechanism):
        return None
    ends = {better_end(mechanism, geometry, spin) for spin in idle_spins(mechanism)}
    spins = tuple(held_at(spin, ends) for spin in idle_spins(mechanism))
    solved_as = with_less_freedom(mechanism, spins) if spins else mechanism
    held = with_held_spins(mechanism, geometry, spins=spins, eased=mechanism)
    cluster = everything(replace(solved_as, drivers=(), modes={}), held)
    positions, _ = free_positions(cluster)
    free = [motions(each.matrix, each.zero) for each in positions]
    if not free or any(each is None or each.shape != free[0].shape for each in free):  # type: ignore[union-attr]
        return None
    return Undriven(cluster, spins, tuple(positions), tuple(each for each in free if each is not None))


def nearly_moves(given: Undriven, misfit: float) -> bool:
    """Whether a mechanism would have more motions if its rows were changed by about a misfit."""
    matrix = given.positions[0].matrix
    values = np.linalg.svd(matrix, compute_uv=False)
    return bool((values > 3.0 * misfit * values.max(initial=0.0)).sum() < matrix.shape[1] - given.mobility)


def driven_groups(given: Undriven, mechanism: Mechanism, chosen: Mapping[str, int]) -> Order | None:
    """Find the groups if so many first freedoms of some joints are driven; None if that does not determine them.

    Parameters
    ----------
    given : Undriven
    mechanism : Mechanism
        That of the cluster with these drivers.
    chosen : mapping of str to int
    """
    for position, free in zip(given.positions, given.free, strict=True):
        joints = given.cluster.mechanism.joint
        led = [rates(given.cluster, position, joints[name])[:number] @ free for name, number in chosen.items()]
        values = np.linalg.svd(np.concatenate([np.zeros((0, free.shape[1])), *led]), compute_uv=False)
        if values.size < free.shape[1] or not values.min(initial=1.0) > NOT_ZERO * values.max(initial=0.0):
            return None
    cluster = replace(given.cluster, mechanism=mechanism)
    return groups_by_rank(cluster, [with_driven(cluster, each) for each in given.positions])
