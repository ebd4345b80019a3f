"""Structural analysis as users see it: counting, the choice of solvers, and rank where there is geometry."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from groupkin.errors import NoGeometryError, NotModeledError
from groupkin.kinematics.library import roles
from groupkin.kinematics.program import NEWTON, closed_form, rank_note
from groupkin.mechanism.mechanism import Joint, Mechanism, require_mechanism
from groupkin.mechanism.pairs import PAIRS, form
from groupkin.model import trees
from groupkin.model.geometry import Geometry, resolve
from groupkin.model.rank import rank
from groupkin.structure.decomposition import Group, Structure, decompose

NO_SOLVER = "none"


def analyze(mechanism: Mechanism) -> Structure:
    """Decompose a mechanism into structural groups, in solving order, with the solver of each.

    Parameters
    ----------
    mechanism : Mechanism
        With or without geometry.

    Returns
    -------
    Structure
        A group whose equations lack rank in the reference configuration (where the mechanism has no geometry: in a
        random one) carries a note that says so.

    Raises
    ------
    NotDeterminedError
        If the drivers and joints do not determine the motion; names the over- and the under-driven bodies.

    Examples
    --------
    >>> crank = Mechanism.from_adjacency(["-R", "R-"], [[0, 1], [1, 0]], dimension=2)
    >>> [(group.label, group.bodies, group.solver) for group in analyze(crank).groups]
    [('1R2D', ('2',), 'driven R')]
    """
    require_mechanism(mechanism)
    structure = decompose(mechanism)
    try:
        geometry = resolve(mechanism)
    except (NoGeometryError, NotModeledError):
        geometry = None
    return replace(structure, groups=tuple(_completed(mechanism, geometry, group) for group in structure.groups))


def _completed(mechanism: Mechanism, geometry: Geometry | None, group: Group) -> Group:
    types = {joint.type for joint in mechanism.joints if joint.name in group.external + group.internal}
    unknown = sorted(symbol for symbol in types if not PAIRS[symbol].modeled)
    if unknown:
        return replace(group, solver=NO_SOLVER, notes=(f"the pair {unknown[0]} has no equations",))
    if geometry is None:
        found = roles(group)
        if found:
            return replace(group, solver=found[0].name)
        missing = _generic_rank_note(mechanism, group)
        return replace(group, solver=NO_SOLVER if missing else NEWTON, notes=(missing,) if missing else ())
    missing = rank_note(trees.grow(mechanism, geometry, group), geometry.size)
    if missing:
        return replace(group, solver=NO_SOLVER, notes=(missing,))
    closed = closed_form(mechanism, geometry, group)
    return replace(group, solver=closed.solver.name if closed else NEWTON)


def _random(joint: Joint, rng: np.random.Generator, d: int) -> Joint:
    """A joint of the same type with random geometry."""
    needs = form(joint.type, d).needs
    points, axes = rng.normal(size=(2, d)), rng.normal(size=(2, d))
    axes[1] -= axes[0] * (axes[0] @ axes[1]) / (axes[0] @ axes[0])  # some pairs need perpendicular ones
    given = {
        "point": points[0],
        "points": tuple(points),
        "axis": axes[0],
        "axes": tuple(axes),
        "pitch": rng.uniform(0.1, 1.0),
        "radii": tuple(rng.uniform(0.1, 1.0, 2)),
    }
    return Joint(joint.name, joint.type, joint.bodies, **{key: given[key] for key in needs})


def _generic_rank_note(mechanism: Mechanism, group: Group) -> str:
    """What is wrong with the rank of a group's equations whatever its dimensions are; empty if nothing is."""
    rng, d = np.random.default_rng(0), mechanism.dimension
    own = [joint for joint in mechanism.joints if joint.name in group.external + group.internal]
    joints = []
    for joint in own:
        joints.append(_random(joint, rng, d))
    drivers = [driver for driver in mechanism.drivers if driver.joint in {joint.name for joint in own}]
    random = Mechanism(d, list(mechanism.body), joints, drivers, mechanism.frame)
    geometry = resolve(random)
    found = rank(trees.grow(random, geometry, group), geometry.size)
    if found.full:
        return ""
    return (
        f"has {found.equations} equations for {found.unknowns} unknowns but rank {found.rank}: determined by count only"
    )
