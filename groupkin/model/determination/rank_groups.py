"""Groups of a mechanism whose joints repeat each other: the smallest sets of bodies that their rows determine.

Counting cannot share out rows that repeat others, as which of them may be left out changes along the motion. So all
rows stay, and rank takes the place of counting: bodies form a group if the rows of the joints among them, and with
bodies that are solved, determine their twists. A group then has at least as many rows as unknowns (it is *tall*), and
its solver chooses anew at every step which of them it solves (`sglibrary.straight.linear`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.determination.ease_joints import described_parts
from groupkin.model.determination.finite_motion import Cluster
from groupkin.model.determination.hold_spins import better_end, with_held_spins
from groupkin.model.determination.merging import dependencies, in_order, merge
from groupkin.model.determination.positions import Position, driven_positions, everything, motions, moves_by_rows
from groupkin.model.determination.rank_sets import LOOSE, Sets, smallest_groups
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.counting import count, share
from groupkin.structure.decomposition import Structure, described
from groupkin.structure.idle_spins import Balance, Spin, held_at, idle_spins, with_less_freedom


@dataclass(frozen=True)
class ByRank:
    """What rank says of a mechanism.

    Attributes
    ----------
    structure : Structure or None
        None if it does not move so, or is not determined.
    misfit : str
        If rows hold but for a small gap: a sentence on this, else empty.
    """

    structure: Structure | None = None
    misfit: str = ""


def structure_by_rank(mechanism: Mechanism, geometry: Geometry) -> ByRank:
    """Decompose a mechanism whose joints repeat each other.

    Parameters
    ----------
    mechanism : Mechanism
        With its drivers.
    geometry : Geometry
    """
    if not moves_by_rows(mechanism):
        return ByRank()
    spins: tuple[Spin, ...] = ()
    for _ in range(2):
        solved_as = with_less_freedom(mechanism, spins) if spins else mechanism
        held = with_held_spins(mechanism, geometry, spins=spins, eased=mechanism) if spins else geometry
        cluster = everything(solved_as, held)
        positions, missed = driven_positions(cluster)
        if missed is not None:
            return ByRank(misfit=_misfit(cluster, missed))
        free = motions(positions[0].matrix) if positions else None
        if free is None:
            return ByRank()
        if not free.shape[1]:
            return ByRank(_structure(mechanism, geometry, spins, cluster, positions))
        spins = _free_spins(mechanism, geometry, free) if not spins else ()
        if not spins:
            break
    return ByRank()


def _structure(
    mechanism: Mechanism, geometry: Geometry, spins: tuple[Spin, ...], cluster: Cluster, positions: Sequence[Position]
) -> Structure | None:
    """Find the groups of a mechanism whose bodies have no free motion."""
    order = groups_by_rank(cluster, positions)
    if order is None or any(motions(each.matrix) is None for each in positions[1:]):
        return None
    members, before = order
    solved_as, counts = cluster.mechanism, count(cluster.mechanism)
    found = described(mechanism, Balance(solved_as, spins, counts, share(counts)), members, before)
    repeated = described_parts(mechanism, geometry, [each.poses for each in positions])
    return Structure(mechanism, found, spins, solved_as, tuple(repeated)) if repeated else None


Order = tuple[list[tuple[int, ...]], list[tuple[int, ...]]]
"""Movable bodies of every group, by number, in solving order; the groups that it depends on."""


def groups_by_rank(cluster: Cluster, positions: Sequence[Position]) -> Order | None:
    """Find the groups at positions with the rows of drivers; None if some bodies are not determined.

    Parameters
    ----------
    cluster : Cluster
        All of a mechanism with its drivers.
    positions : sequence of Position
    """
    sets = sets_of(cluster, positions[0])
    groups = smallest_groups(sets)
    if groups is None:
        return None
    graph = dependencies(sets, groups)
    merge(graph, cluster, positions, sets, groups)
    return in_order(graph, groups)


def sets_of(cluster: Cluster, position: Position) -> Sets:
    """The rows at a position, those of drivers among them, by the bodies that they belong to."""
    number = {body: k for k, body in enumerate(cluster.mechanism.movable)}
    ends = [frozenset(number[body] for body in joint.bodies if body in number) for joint in cluster.joints]
    ends += [
        frozenset(number[body] for body in relation.bodies if body in number)
        for relation in cluster.mechanism.relations.values()
    ]
    return Sets(position.matrix, position.blocks, ends, cluster.width)


def _free_spins(mechanism: Mechanism, geometry: Geometry, free: np.ndarray) -> tuple[Spin, ...]:
    """The idle spins of bodies that take part in free motions (columns, k), each held at its better end."""
    width = len(free) // len(mechanism.movable)
    loose = np.abs(free).max(axis=1).reshape(-1, width).max(axis=1) > LOOSE
    moving = {body for body, far in zip(mechanism.movable, loose.tolist(), strict=True) if far}
    every = [spin for spin in idle_spins(mechanism) if moving.intersection(spin.bodies)]
    ends = {better_end(mechanism, geometry, spin) for spin in every}
    return tuple(held_at(spin, ends) for spin in every)


def _misfit(cluster: Cluster, missed: Position) -> str:
    """Say by how much rows that repeat others miss, at which joint, and what helps."""
    names = [joint.name for joint in cluster.joints] + list(cluster.mechanism.relations)
    return (
        f"its joints repeat each other, but agree to {missed.gap:.1g} of the size (or rad) only, as at "
        f"{names[missed.blocks[missed.at]]!r}: it would move if dimensions were stated with more digits"
    )
