"""Groups of a mechanism whose joints repeat each other: the smallest sets of bodies that their rows determine.

Counting cannot share out rows that repeat others, as which of them may be left out changes along the motion. So all
rows stay, and rank takes the place of counting: bodies form a group if the rows of the joints among them, and with
bodies that are solved, determine their twists. A group then has at least as many rows as unknowns (it is *tall*), and
its solver chooses anew at every step which of them it solves (`sglibrary.code.systems`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.determination import kept_structures
from groupkin.model.determination.ease_joints import described_parts, described_whole
from groupkin.model.determination.finite_motion import Cluster
from groupkin.model.determination.hold_spins import better_end, with_held_spins
from groupkin.model.determination.kept_structures import Kept
from groupkin.model.determination.merging import dependencies, in_order, merge
from groupkin.model.determination.misfits import misfit_of, nearly_repeating
from groupkin.model.determination.positions import (
    MANY,
    Position,
    driven_positions,
    everything,
    free_positions,
    motions,
    moves_by_rows,
    with_driven,
)
from groupkin.model.determination.rank_sets import Sets, smallest_groups
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.counting import count, share
from groupkin.structure.decomposition import Structure, described
from groupkin.structure.idle_spins import Balance, Spin, held_at, idle_spins, with_less_freedom
from groupkin.structure.redundancy import Redundancy
from groupkin.tolerances import NOT_ZERO, TAKES_PART


def structure_by_rank(mechanism: Mechanism, geometry: Geometry) -> Structure | None:
    """Decompose a mechanism whose joints repeat each other.

    Parameters
    ----------
    mechanism : Mechanism
        With its drivers.
    geometry : Geometry

    Returns
    -------
    Structure or None
        None if it does not move so, or is not determined.

    Raises
    ------
    MisfitError
        If all rows hold but for small gaps.
    """
    if not moves_by_rows(mechanism):
        return None
    key, began = kept_structures.key_of(mechanism, geometry), perf_counter()
    kept = kept_structures.read(key) if key else None
    if kept is None:
        kept = _found(mechanism, geometry)
        if kept is None and mechanism.misfit:  # by which firm rows may be blurred as well
            kept = _found(replace(mechanism, misfit=0.0), geometry)
        if kept is None:
            return None
        kept_structures.keep(key, kept, perf_counter() - began)
    solved_as = with_less_freedom(mechanism, kept.spins) if kept.spins else mechanism
    counts = count(solved_as)
    balanced = Balance(solved_as, kept.spins, counts, share(counts))
    groups = described(mechanism, balanced, kept.members, kept.before)
    return Structure(mechanism, groups, kept.spins, solved_as, kept.redundancies)


def _found(mechanism: Mechanism, geometry: Geometry) -> Kept | None:
    """Find the groups of a mechanism; None if it does not move so, or is not determined."""
    spins: tuple[Spin, ...] = ()
    for _ in range(2):
        solved_as = with_less_freedom(mechanism, spins) if spins else mechanism
        held = with_held_spins(mechanism, geometry, spins=spins, eased=mechanism) if spins else geometry
        cluster = everything(solved_as, held)
        positions, missed = driven_positions(cluster)
        if missed is not None:
            raise misfit_of(cluster, missed)
        positions = positions or _wherever_it_moves(cluster)
        order = groups_by_rank(cluster, positions) if positions else None
        if order is not None:
            firm = all(_are_firm(sets_of(cluster, each), order[0]) for each in positions)
            return Kept(spins, *order, described_rows(mechanism, geometry, cluster, positions)) if firm else None
        if not positions or spins:
            return None
        free = motions(positions[0].matrix, positions[0].zero)
        spins = _free_spins(mechanism, geometry, free) if free is not None else ()
        if not spins:
            return None
    return None


def _wherever_it_moves(cluster: Cluster) -> list[Position]:
    """Positions with the rows of drivers that cannot be moved from the reference configuration, a singular one."""
    positions, _ = free_positions(cluster)
    free = [motions(each.matrix, each.zero) for each in positions]
    if any(each is None or each.shape[1] != len(cluster.mechanism.drivers) for each in free):
        return []
    return [with_driven(cluster, each) for each in positions]


def _are_firm(sets: Sets, members: Sequence[tuple[int, ...]]) -> bool:
    """Whether the rows of all groups hold them beyond doubt, those before each of them being solved."""
    solved = set[int]()
    for bodies in members:
        values = np.linalg.svd(sets.among(bodies, solved), compute_uv=False)
        if values.size < sets.width * len(bodies) or values[-1] < max(NOT_ZERO, 3.0 * sets.zero) * values[0]:
            return False
        solved.update(bodies)
    return True


def described_rows(
    mechanism: Mechanism, geometry: Geometry, cluster: Cluster, positions: Sequence[Position], free: int = 0
) -> tuple[Redundancy, ...]:
    """Describe the parts of a mechanism whose rows repeat others.

    Parameters
    ----------
    mechanism, geometry : Mechanism, Geometry
        As the user gave them.
    cluster : Cluster
        Of the mechanism with its idle spins held.
    positions : sequence of Position
        With the rows of all drivers that it has.
    free : int
        Number of motions that the rows there leave free.
    """
    rows, columns = positions[0].matrix.shape
    repeating = rows - columns + free
    if not repeating:
        return ()
    if columns > MANY:
        return (described_whole(mechanism, geometry, repeating),)
    repeated = described_parts(mechanism, geometry, [each.poses for each in positions])
    if repeated:
        return tuple(repeated)
    nearly = nearly_repeating(cluster, positions[0], free)
    if nearly.misfit > nearly.zero:
        raise misfit_of(cluster, nearly)
    return (_couplings(mechanism, repeating),)


def _couplings(mechanism: Mechanism, stress: int) -> Redundancy:
    """Describe joints none of whose own rows repeat others: those of their couplings do."""
    relations = mechanism.relations
    joints = tuple(dict.fromkeys(x.joint.name for each in relations.values() for x in each.coordinates))
    bodies = tuple(dict.fromkeys(body for each in relations.values() for body in each.bodies))
    return Redundancy(f"joints whose couplings, {', '.join(relations)}, repeat each other", bodies, joints, stress, {})


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
    return Sets(position.matrix, position.blocks, ends, cluster.width, position.zero)


def _free_spins(mechanism: Mechanism, geometry: Geometry, free: np.ndarray) -> tuple[Spin, ...]:
    """The idle spins of bodies that take part in free motions (columns, k), each held at its better end."""
    width = len(free) // len(mechanism.movable)
    loose = np.abs(free).max(axis=1).reshape(-1, width).max(axis=1) > TAKES_PART
    moving = {body for body, far in zip(mechanism.movable, loose.tolist(), strict=True) if far}
    every = [spin for spin in idle_spins(mechanism) if moving.intersection(spin.bodies)]
    ends = {better_end(mechanism, geometry, spin) for spin in every}
    return tuple(held_at(spin, ends) for spin in every)
