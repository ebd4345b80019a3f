"""Structural analysis as users see it: counting, the choice of solvers, and rank where there is geometry."""

from __future__ import annotations

from dataclasses import replace

from groupkin.arguments import checked
from groupkin.errors import NoGeometryError, NotModeledError
from groupkin.kinematics.program.solver_choice import SUBSTITUTE, choose_generic_solver, choose_solver, wanted_solver
from groupkin.mechanism.checks import warn_of_points
from groupkin.mechanism.gears import check
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.model.coupled_drivers import CoupledDriver, coupled_drivers
from groupkin.model.determination.determine import determine
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.model.geometry.assembly import require_values
from groupkin.model.geometry.geometry import Geometry, resolve
from groupkin.model.rank.reasons import group_joints
from groupkin.structure.decomposition import Group, Structure
from groupkin.structure.multi_joints import arranged


@checked
def analyze(mechanism: Mechanism, *, solver: str = SUBSTITUTE) -> Structure:
    """Decompose a mechanism into structural groups, in solving order, with the solver of each.

    Parameters
    ----------
    mechanism : Mechanism
        With or without geometry.
    solver : {"substitute", "newton"}
        Of groups without a closed form, see `groupkin.program`.

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
    wanted = wanted_solver(solver)
    structure, geometry = _decomposed(mechanism)
    geometry = solved_geometry(structure, geometry) if geometry else None
    full_rank: set[str] = set()
    coupled = {} if geometry is None else coupled_drivers(structure.solved_as, structure.groups, geometry)
    groups = (
        _with_solver(structure, geometry, group, full_rank, wanted, coupled.get(group.number))
        for group in structure.groups
    )
    return replace(structure, groups=tuple(groups))


def decompose(mechanism: Mechanism) -> Structure:
    """Decompose a mechanism as `analyze` does, but choose no solvers, for which the library of kernels is loaded.

    Raises
    ------
    NotDeterminedError
    """
    return _decomposed(mechanism)[0]


def _decomposed(mechanism: Mechanism) -> tuple[Structure, Geometry | None]:
    check(mechanism)
    warn_of_points(mechanism)
    mechanism = arranged(mechanism)
    try:
        geometry = resolve(mechanism)
    except (NoGeometryError, NotModeledError):
        geometry = None
    if geometry is not None:
        require_values(mechanism, geometry)
    return determine(mechanism, geometry), geometry


def _with_solver(
    structure: Structure,
    geometry: Geometry | None,
    group: Group,
    full_rank: set[str],
    wanted: str,
    coupled: CoupledDriver | None,
) -> Group:
    """Add to a group its solver, and notes on eased joints and rank; for `full_rank` see `choose_generic_solver`."""
    mechanism = structure.solved_as
    eased = {joint.name: joint for redundancy in structure.redundancies for joint in redundancy.eased}
    notes = tuple(
        f"solves {joint.name} as {joint.type} ({PAIRS[joint.type].name}), without rows that repeat others"
        for joint in group_joints(mechanism, group)
        if joint.name in eased
    )
    if geometry is None:
        choice = choose_generic_solver(mechanism, group, full_rank, wanted)
    else:
        choice = choose_solver(mechanism, geometry, group, wanted, coupled)
    notes += (choice.note,) if choice.note else ()
    return replace(
        group, solver=choice.solver, determined=choice.determined, notes=(*group.notes, *notes), why=choice.why
    )
