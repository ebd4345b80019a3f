"""What joints that repeat each other miss, and the looser pairs with which a mechanism would be exactly constrained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from groupkin.errors import MisfitError
from groupkin.mechanism.mechanism import Joint
from groupkin.messages import listed
from groupkin.model.determination.ease_joints import relaxed
from groupkin.model.determination.finite_motion import Cluster
from groupkin.model.determination.positions import MANY, Position, driven_positions, everything
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import Structure
from groupkin.structure.redundancy import pair_as
from groupkin.tolerances import MOST_MISFIT


def misfit_of(cluster: Cluster, missed: Position) -> MisfitError:
    """Say by how much rows that repeat others miss, at which joints, and what helps."""
    mechanism = cluster.mechanism
    names = [joint.name for joint in cluster.joints] + list(mechanism.relations)
    joints = tuple(dict.fromkeys(names[missed.blocks[row]] for row in missed.missing))
    enough = 10.0 ** np.ceil(np.log10(2.0 * missed.misfit))
    stated = f"; {mechanism.misfit:g} is stated" if mechanism.misfit else ""
    advice = f", accept that joints are open by so much (misfit = {enough:g}, --misfit {enough:g})"
    advice = (advice if enough <= MOST_MISFIT else "") + _looser_pairs(cluster, missed)
    return MisfitError(
        f"{mechanism.name} is not determined: its joints repeat each other, but agree to {missed.misfit:.1g} of the "
        f"size or rad only{stated} (shared out, most is left at {listed(map(repr, joints))}); it would move if its "
        f"dimensions agreed. State them with more digits{advice}",
        missed.misfit,
        joints,
    )


def nearly_repeating(cluster: Cluster, position: Position, free: int) -> Position:
    """A position at which rows hold, with the smallest change of them that would let them repeat each other.

    Parameters
    ----------
    cluster : Cluster
    position : Position
        With the rows of all drivers of the mechanism.
    free : int
        Number of motions that are left free.
    """
    drivers = sum(len(freedoms) for freedoms in cluster.mechanism.driven.values())
    left, values, _ = np.linalg.svd(position.matrix[: len(position.matrix) - drivers])
    k = position.matrix.shape[1] - drivers - free
    share = np.abs(left[:, k])
    missing = np.flatnonzero(share >= 0.5 * share.max())
    return replace(position, gap=float(values[k]), most=1.0, missing=tuple(map(int, missing)))


def relaxable(structure: Structure, geometry: Geometry) -> tuple[Joint, ...]:
    """Choose joints that could be looser pairs, so that a mechanism is exactly constrained; none if that is unknown.

    Parameters
    ----------
    structure : Structure
    geometry : Geometry
        Of its mechanism.
    """
    eased = tuple(joint for each in structure.redundancies for joint in each.eased)
    cluster = everything(structure.mechanism, geometry)
    large = cluster.width * len(structure.mechanism.movable) > MANY
    if eased or large or not structure.redundancies:
        return eased
    positions, _ = driven_positions(cluster)
    return relaxed(cluster, [each.poses for each in positions]) if positions else ()


def _looser_pairs(cluster: Cluster, missed: Position) -> str:
    """Say which joints could be looser pairs instead, so that dimensions need not agree; empty if that is unknown."""
    if missed.matrix.shape[1] > MANY:
        return ""
    loose = replace(cluster, mechanism=replace(cluster.mechanism, misfit=min(MOST_MISFIT, 2.0 * missed.misfit)))
    joints = relaxed(loose, [missed.poses])
    return f", or let joints be looser pairs: {listed(pair_as(joint) for joint in joints)}" if joints else ""
