"""Structural analysis as users see it: counting, the choice of solvers, and rank where there is geometry."""

from __future__ import annotations

from dataclasses import replace

from groupkin.errors import NoGeometryError, NotModeledError
from groupkin.kinematics.program.closed_forms import closed_form, roles
from groupkin.kinematics.program.program import NEWTON
from groupkin.mechanism.gears import check
from groupkin.mechanism.mechanism import Mechanism, require_mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.model.determination.hold_spins import determine, held
from groupkin.model.geometry.geometry import Geometry, resolve
from groupkin.model.rank.reasons import generic_note, own_joints, rank_note
from groupkin.structure.decomposition import Group, Structure
from groupkin.structure.multi_joints import arranged

NO_SOLVER = "none"

BY_RANK, BY_COUNT, NOT_HERE = "by count and rank", "by count only", "not in the reference configuration"
"""Whether a group is determined; nothing is said of groups with pairs that have no equations."""


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
    check(mechanism)
    mechanism = arranged(mechanism)
    try:
        geometry = resolve(mechanism)
    except (NoGeometryError, NotModeledError):
        geometry = None
    structure = determine(mechanism, geometry)
    geometry = held(structure, geometry) if geometry else None
    generic: dict[str, str] = {}
    groups = (_completed(structure, geometry, group, generic) for group in structure.groups)
    return replace(structure, groups=tuple(groups))


def _completed(structure: Structure, geometry: Geometry | None, group: Group, generic: dict[str, str]) -> Group:
    """A group with its solver, and with what rank says; `generic` keeps what was found for groups of the same kind."""
    mechanism = structure.solved_as
    own = own_joints(mechanism, group)
    eased = {joint.name: joint for found in structure.redundancies for joint in found.eased}
    for joint in own:
        if joint.name in eased:
            note = f"solves {joint.name} as {joint.type} ({PAIRS[joint.type].name}), without rows that repeat others"
            group = replace(group, notes=(*group.notes, note))
    unknown = sorted(symbol for symbol in {joint.type for joint in own} if not PAIRS[symbol].modeled)
    if unknown:
        return _noted(group, f"the pair {unknown[0]} has no equations", "")
    if geometry is None:
        found = roles(group)
        if found:
            return replace(group, solver=found[0].name, determined=BY_RANK)
        if group.signature not in generic:
            generic[group.signature] = generic_note(mechanism, group)
        # the note names bodies and joints: only the absence of one says the same of all groups of a kind
        missing = generic[group.signature] and generic_note(mechanism, group)
        return _noted(group, missing, BY_COUNT) if missing else replace(group, solver=NEWTON, determined=BY_RANK)
    missing = rank_note(mechanism, geometry, group)
    if missing:
        return _noted(group, missing, BY_COUNT if "whatever" in missing else NOT_HERE)
    closed = closed_form(mechanism, geometry, group)
    return replace(group, solver=closed.solver.name if closed else NEWTON, determined=BY_RANK)


def _noted(group: Group, note: str, determined: str) -> Group:
    """A group that cannot be solved."""
    return replace(group, solver=NO_SOLVER, determined=determined, notes=(*group.notes, note))
