"""The choice of a group's solver: a closed form of the catalog, Newton's method, or none where equations lack rank."""

from __future__ import annotations

from dataclasses import dataclass, replace

from groupkin.errors import ArgumentError
from groupkin.kinematics.program.closed_forms import ClosedForm, measured_form, roles
from groupkin.kinematics.program.hub_tables import applies
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import EQUATIONS_PER_BODY, PAIRS
from groupkin.messages import counted
from groupkin.model.coupled_drivers import CoupledDriver
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.hubs import hub_of
from groupkin.model.rank.reasons import generic_deficiency, group_joints, rank_deficiency
from groupkin.structure.decomposition import Group

NEWTON, HUB, NO_SOLVER = "Newton", "hub", "none"
"""Names of the solvers of groups without a closed form, and of that of groups that cannot be solved."""

ITERATED = (NEWTON, HUB)
"""Solvers that iterate, and so are followed from knot to knot."""

SUBSTITUTE, DIRECT = "substitute", "newton"
"""What users may want of groups without a closed form: a hub where there is one, or Newton's method for any group."""

BY_RANK, BY_COUNT, NOT_HERE = "by count and rank", "by count only", "not in the reference configuration"
"""How a group is determined; empty for groups with pairs that have no equations."""


def wanted_solver(name: str) -> str:
    """Check what a user wants.

    Raises
    ------
    ArgumentError
    """
    if name not in (SUBSTITUTE, DIRECT):
        raise ArgumentError(f'solver must be "{SUBSTITUTE}" or "{DIRECT}", not {name!r}')
    return name


CLOSED = "a closed form of the catalog"
COUPLED = "coupled"
"""First word of the names of solvers of bodies that coupled drivers move."""


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
    why : str
        Why it is this one.
    """

    solver: str
    determined: str = BY_RANK
    note: str = ""
    closed: ClosedForm | None = None
    why: str = ""


def choose_solver(
    mechanism: Mechanism,
    geometry: Geometry,
    group: Group,
    wanted: str = SUBSTITUTE,
    coupled: CoupledDriver | None = None,
) -> SolverChoice:
    """Choose the solver of a group of a mechanism with geometry.

    Parameters
    ----------
    mechanism : Mechanism
    geometry : Geometry
    group : Group
    wanted : {"substitute", "newton"}
        Whether groups without a closed form are solved around a hub where they have one.
    coupled : CoupledDriver, optional
        What moves the group's body, if something does.
    """
    deficiency = rank_deficiency(mechanism, geometry, group)
    if deficiency is not None:
        return SolverChoice(NO_SOLVER, BY_COUNT if deficiency.always else NOT_HERE, deficiency.text)
    if coupled is not None:
        name = f"{COUPLED} {mechanism.joint[coupled.joint].type}"
        relation = f"coupling {coupled.coupling!r}" if coupled.coupling else f"joint {coupled.pair!r}"
        return SolverChoice(
            name, why=f"{relation} makes a driver of {coupled.joint!r}: it follows linearly from drivers"
        )
    closed = measured_form(mechanism, geometry, group)
    inexact = bool(mechanism.misfit) and is_tall(mechanism, group)
    if closed is None or not (closed.measured.valid and closed.measured.closed) or inexact:
        return _iterated(mechanism, geometry, group, wanted)
    return SolverChoice(closed.solver.name, closed=closed, why=CLOSED)


def _iterated(mechanism: Mechanism, geometry: Geometry | None, group: Group, wanted: str) -> SolverChoice:
    """Choose the solver of a group without a closed form."""
    if wanted != SUBSTITUTE:
        return SolverChoice(NEWTON, why="no closed form; any group can be solved so, as was asked for")
    if is_tall(mechanism, group):
        return SolverChoice(NEWTON, why="rows repeat others: all of them are solved together, by least pivots")
    hub = hub_of(mechanism, group)
    if isinstance(hub, str):
        return SolverChoice(NEWTON, why=f"no closed form; {hub}")
    if geometry is not None and not applies(mechanism, geometry, hub):
        return SolverChoice(
            NEWTON, why="no closed form; a rod or telescope is too short in the reference configuration"
        )
    legs = counted(len(hub.legs), "rod or telescope", "rods and telescopes")
    return SolverChoice(HUB, why=f"no closed form; {legs} hold {hub.body}, whose pose alone is iterated")


def is_tall(mechanism: Mechanism, group: Group) -> bool:
    """Whether a group has more rows than its bodies need."""
    need = EQUATIONS_PER_BODY[mechanism.dimension]
    given = sum(
        need - len(mechanism.freedoms(joint)) + len(mechanism.driven.get(joint.name, ()))
        for joint in group_joints(mechanism, group)
    )
    return given + len(group.couplings) > need * len(group.bodies)


def choose_generic_solver(
    mechanism: Mechanism, group: Group, full_rank: set[str], wanted: str = SUBSTITUTE
) -> SolverChoice:
    """Choose the solver of a group of a mechanism without geometry.

    Parameters
    ----------
    mechanism : Mechanism
    group : Group
    full_rank : set of str
        Signatures of groups whose equations are known to have full rank at random dimensions; one is added if this
        group's have.
    wanted : {"substitute", "newton"}
        As `choose_solver` takes it.
    """
    without = sorted(joint.type for joint in group_joints(mechanism, group) if not PAIRS[joint.type].modeled)
    if without:
        return SolverChoice(NO_SOLVER, "", f"the pair {without[0]} has no equations")
    catalog = roles(group)
    if catalog is not None:
        return SolverChoice(catalog[0].name, why=CLOSED)
    if group.couplings:  # rank depends on what they say
        return replace(_iterated(mechanism, None, group, wanted), determined=BY_COUNT)
    if group.signature not in full_rank:
        # a deficiency names bodies and joints, so that it is examined anew for every group
        deficiency = generic_deficiency(mechanism, group)
        if deficiency is not None:
            return SolverChoice(NO_SOLVER, BY_COUNT, deficiency.text)
        full_rank.add(group.signature)
    return _iterated(mechanism, None, group, wanted)
