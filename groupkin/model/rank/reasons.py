"""What the rank of a group's equations lacks, in the reference configuration and at random dimensions, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.messages import counted
from groupkin.model.geometry.geometry import Geometry, random_geometry, resolve
from groupkin.model.rank.alignment import alignment
from groupkin.model.rank.large_groups import LARGE, nearly_singular
from groupkin.model.rank.mobility import loose_motions
from groupkin.model.rank.rank import Rank, rank
from groupkin.model.tree_making import make_tree
from groupkin.structure.decomposition import Group
from groupkin.structure.not_determined import LISTED, listed
from groupkin.tolerances import NOT_ROUNDING, RANK, UNKNOWN_RANK
from sglibrary.array_types import Array


@dataclass(frozen=True)
class Deficiency:
    """What the equations of a group lack to determine it.

    Attributes
    ----------
    text : str
        What is wrong and why, as the predicate of a sentence whose subject is the group.
    always : bool
        Whatever the dimensions are, and not in the reference configuration only.
    """

    text: str
    always: bool


def rank_deficiency(mechanism: Mechanism, geometry: Geometry, group: Group) -> Deficiency | None:
    """Examine the rank of a group's equations in the reference configuration; None if it is full.

    Full rank in one configuration is full rank in nearly all; random dimensions are examined only where it is not.
    """
    here, why = _examined(mechanism, geometry, group)
    if here.full:
        return None
    if len(group.bodies) <= LARGE and not group.couplings:  # whose formulas know no other dimensions
        generic, reason = generic_rank(mechanism, group)
        if not generic.full:
            where = f"{_numbers(here)} in the reference configuration"
            text = f"{where}: determined by count only, whatever its dimensions are: {reason}"
            return Deficiency(text, always=True)
    where = "is at a singular position in the reference configuration, such as a dead center"
    return Deficiency(f"{where}, or determined by count only: {why()}; it {_numbers(here)}", always=False)


def generic_deficiency(mechanism: Mechanism, group: Group) -> Deficiency | None:
    """Examine the rank of a group's equations at random dimensions; None if it is full."""
    generic, reason = generic_rank(mechanism, group)
    if generic.full:
        return None
    text = f"{_numbers(generic)}: determined by count only; {reason}"
    if len(group.bodies) > LARGE:
        rounding = f"rounding errors (conditioning {generic.conditioning:.1e})"
        text = f"its rank at random dimensions cannot be told from {rounding}"
    return Deficiency(text, always=True)


def generic_rank(mechanism: Mechanism, group: Group) -> tuple[Rank, str]:
    """Compute the rank of a group's equations at random dimensions, and the reason if it is not full."""
    rng, d = np.random.default_rng(0), mechanism.dimension
    joints = [random_geometry(joint, d, rng) for joint in group_joints(mechanism, group)]
    names = {joint.name for joint in joints}
    drivers = [driver for driver in mechanism.drivers if driver.joint in names]
    ends = {body for joint in joints for body in joint.bodies} | {mechanism.frame}
    bodies = [body for body in mechanism.body if body in ends]
    random = Mechanism(d, bodies, joints, drivers, mechanism.frame)
    generic, why = _examined(random, resolve(random), group, UNKNOWN_RANK)
    return generic, "" if generic.full else why()


def _examined(
    mechanism: Mechanism, geometry: Geometry, group: Group, tolerance: float = RANK
) -> tuple[Rank, Callable[[], str]]:
    """Compute the rank of a group's equations.

    Parameters
    ----------
    mechanism, geometry, group : Mechanism, Geometry, Group
    tolerance : float
        Share of the largest singular value below which those of a large group count as zero.

    Returns
    -------
    Rank
    callable
        Gives the reason if the rank is not full.
    """
    joints = group_joints(mechanism, group)
    if len(group.bodies) > LARGE:
        least = nearly_singular(mechanism, geometry, joints, group.bodies)
        if least is not None:
            return least.rank(tolerance), lambda: _told(mechanism, geometry, group, *least.lost(tolerance))
    tree = make_tree(mechanism, geometry, group)
    return rank(tree, geometry.size), lambda: _told(
        mechanism, geometry, group, *loose_motions(mechanism, geometry, joints, group.bodies)
    )


def group_joints(mechanism: Mechanism, group: Group) -> list[Joint]:
    """List the joints that give a group its equations."""
    return [mechanism.joint[name] for name in (*group.external, *group.internal)]


def _told(mechanism: Mechanism, geometry: Geometry, group: Group, motions: Array, stress: Array) -> str:
    """Write which bodies of a group can still move, and which joints have redundant constraints instead."""
    joints = group_joints(mechanism, group)
    moving = [body for body, twist in zip(group.bodies, motions, strict=True) if np.abs(twist).max(initial=0) > SEEN]
    bearing = [joint for joint, share in zip(joints, stress, strict=True) if share > SEEN]
    if not moving:
        return f"constraints of {_names(bearing)} are redundant"
    movable = {*moving}
    edge = [joint for joint in joints if sum(body in movable for body in joint.bodies) == 1]
    free = listed(moving)
    if len(edge) == 2 and all(mechanism.form(joint).spherical for joint in edge):
        return (
            f"{free} can spin about the line through the centers of {_names(edge)}, whose distance is given twice "
            "instead"
        )
    if bearing and all(mechanism.form(joint).slide for joint in bearing):
        return (
            f"the prismatic pairs {_names(bearing)} keep the same turn more than once, and leave a displacement of "
            f"{free} free"
        )
    aligned = alignment(mechanism, geometry, bearing)
    because = f"{aligned} and " if aligned else ""
    return f"{free} can move{_held(mechanism)}, as {because}constraints of {_names(bearing)} are redundant"


def _held(mechanism: Mechanism) -> str:
    """Write that the drivers do not hold what can move; nothing where there are none."""
    drivers = [mechanism.driver_name(joint, k) for joint, driven in mechanism.driven.items() for k in driven]
    return f" while {listed(drivers)} stand{'s' * (len(drivers) == 1)} still" if drivers else ""


SEEN = 1e3 * RANK
"""Part of a unit motion or stress above which a body or joint takes part in it."""


def _names(joints: Sequence[Joint]) -> str:
    names = [joint.name for joint in joints]
    if len(names) > LISTED:
        return listed(names)
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _numbers(lacking: Rank) -> str:
    least = lacking.conditioning
    near = f" (its least singular value is {least:.0e} of the largest)" if least > NOT_ROUNDING else ""
    sizes = f"{counted(lacking.equations, 'equation')} for {counted(lacking.unknowns, 'unknown')}"
    return f"has {sizes} but rank {lacking.rank}{near}"
