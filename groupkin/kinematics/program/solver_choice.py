"""The choice of a group's solver: a closed form of the catalog, Newton's method, or none where equations lack rank."""

from __future__ import annotations

from dataclasses import dataclass

from groupkin.kinematics.program.closed_forms import ClosedForm, measured_form, roles
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.rank.reasons import generic_deficiency, group_joints, rank_deficiency
from groupkin.structure.decomposition import Group

NEWTON, NO_SOLVER = "Newton", "none"
"""Names of the solver of groups without a closed form, and of that of groups that cannot be solved."""

BY_RANK, BY_COUNT, NOT_HERE = "by count and rank", "by count only", "not in the reference configuration"
"""How a group is determined; empty for groups with pairs that have no equations."""


@dataclass(frozen=True)
class SolverChoice:
    """The solver of a group, and what rank says of it.

    Attributes
    ----------
    solver : str
        Name of a closed form, `NEWTON` or `NO_SOLVER`.
    determined : str
        `BY_RANK`, `BY_COUNT`, `NOT_HERE` or empty.
    note : str
        Why there is no solver; empty if there is one.
    closed : ClosedForm, optional
        The closed form with its constants, where the mechanism has geometry.
    """

    solver: str
    determined: str = BY_RANK
    note: str = ""
    closed: ClosedForm | None = None


def choose_solver(mechanism: Mechanism, geometry: Geometry, group: Group) -> SolverChoice:
    """Choose the solver of a group of a mechanism with geometry."""
    deficiency = rank_deficiency(mechanism, geometry, group)
    if deficiency is not None:
        return SolverChoice(NO_SOLVER, BY_COUNT if deficiency.always else NOT_HERE, deficiency.text)
    closed = measured_form(mechanism, geometry, group)
    if closed is None or not closed.measured.valid:
        return SolverChoice(NEWTON)
    return SolverChoice(closed.solver.name, closed=closed)


def choose_generic_solver(mechanism: Mechanism, group: Group, full_rank: set[str]) -> SolverChoice:
    """Choose the solver of a group of a mechanism without geometry.

    Parameters
    ----------
    mechanism : Mechanism
    group : Group
    full_rank : set of str
        Signatures of groups whose equations are known to have full rank at random dimensions; one is added if this
        group's have.
    """
    without = sorted(joint.type for joint in group_joints(mechanism, group) if not PAIRS[joint.type].modeled)
    if without:
        return SolverChoice(NO_SOLVER, "", f"the pair {without[0]} has no equations")
    catalog = roles(group)
    if catalog is not None:
        return SolverChoice(catalog[0].name)
    if group.signature not in full_rank:
        # a deficiency names bodies and joints, so that it is examined anew for every group
        deficiency = generic_deficiency(mechanism, group)
        if deficiency is not None:
            return SolverChoice(NO_SOLVER, BY_COUNT, deficiency.text)
        full_rank.add(group.signature)
    return SolverChoice(NEWTON)
