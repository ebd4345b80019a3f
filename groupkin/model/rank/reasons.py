"""Whether rank confirms what counting says of a group, here and for random dimensions, and if not, why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import counted
from groupkin.model import trees
from groupkin.model.geometry.geometry import Geometry, random_geometry, resolve
from groupkin.model.rank.large_groups import LARGE, ROUNDING, near
from groupkin.model.rank.mobility import loose_motions
from groupkin.model.rank.rank import RANK_TOLERANCE, Rank, rank
from groupkin.structure.decomposition import Group
from groupkin.structure.refusal import LISTED, listed

Array = NDArray[np.float64]


def rank_note(mechanism: Mechanism, geometry: Geometry, group: Group) -> str:
    """What is wrong with the rank of a group's equations in the reference configuration, and why; empty if nothing is.

    Full rank in one configuration is full rank in nearly all; only where it lacks are random dimensions looked at.
    """
    found, why = _examined(mechanism, geometry, group)
    if found.full:
        return ""
    ever = None if len(group.bodies) > LARGE else generic_rank(mechanism, group)
    if ever is not None and not ever[0].full:
        remark = f"determined by count only, whatever its dimensions are: {ever[1]}"
    else:
        remark = f"it is at a singular position there, or determined by count only: {why()}"
    return f"{_numbers(found)} in the reference configuration: {remark}"


def generic_note(mechanism: Mechanism, group: Group) -> str:
    """What is wrong with the rank of a group's equations whatever its dimensions are, and why; empty if nothing is."""
    found, why = generic_rank(mechanism, group)
    if found.full:
        return ""
    if len(group.bodies) > LARGE:
        return (
            f"its rank at random dimensions cannot be told from rounding errors (conditioning {found.conditioning:.1e})"
        )
    return f"{_numbers(found)}: determined by count only; {why}"


def generic_rank(mechanism: Mechanism, group: Group) -> tuple[Rank, str]:
    """Rank of a group's equations at random dimensions, and the reason if it lacks."""
    own = own_joints(mechanism, group)
    rng, d = np.random.default_rng(0), mechanism.dimension
    joints = [random_geometry(joint, d, rng) for joint in own]
    names = {joint.name for joint in joints}
    drivers = [driver for driver in mechanism.drivers if driver.joint in names]
    ends = {body for joint in joints for body in joint.bodies} | {mechanism.frame}
    bodies = [body for body in mechanism.body if body in ends]
    random = Mechanism(d, bodies, joints, drivers, mechanism.frame)
    found, why = _examined(random, resolve(random), group, ROUNDING)
    return found, "" if found.full else why()


def _examined(
    mechanism: Mechanism, geometry: Geometry, group: Group, tolerance: float = RANK_TOLERANCE
) -> tuple[Rank, Callable[[], str]]:
    """Rank of a group's equations, and what says why it lacks; `tolerance`: of the rank of large groups."""
    if len(group.bodies) > LARGE:
        least = near(mechanism, geometry, own_joints(mechanism, group), group.bodies)
        if least is not None:
            return least.rank(tolerance), lambda: _told(mechanism, geometry, group, *least.lost(tolerance))
    tree = trees.grow(mechanism, geometry, group)
    return rank(tree, geometry.size), lambda: reason(mechanism, geometry, group)


def own_joints(mechanism: Mechanism, group: Group) -> list[Joint]:
    """The joints that give a group its equations."""
    return [mechanism.joint[name] for name in (*group.external, *group.internal)]


def reason(mechanism: Mechanism, geometry: Geometry, group: Group) -> str:
    """Which bodies of a group can still move, and which joints repeat each other instead of holding them."""
    motions, stress = loose_motions(mechanism, geometry, own_joints(mechanism, group), group.bodies)
    return _told(mechanism, geometry, group, motions, stress)


def _told(mechanism: Mechanism, geometry: Geometry, group: Group, motions: Array, stress: Array) -> str:
    joints = own_joints(mechanism, group)
    moving = [body for body, twist in zip(group.bodies, motions, strict=True) if np.abs(twist).max(initial=0) > SEEN]
    bearing = [joint for joint, share in zip(joints, stress, strict=True) if share > SEEN]
    if not moving:
        return f"rows of {_names(bearing)} repeat each other"
    edge = [joint for joint in joints if sum(body in moving for body in joint.bodies) == 1]
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
    aligned = _alignment(mechanism, geometry, bearing)
    return f"{free} can move, while {aligned}rows of {_names(bearing)} repeat each other"


NEARLY = 1e-14
"""Singular values above this share of the largest are no rounding errors, even if they count as zero."""

SEEN = 1e3 * RANK_TOLERANCE
"""Part of a unit motion or stress above which a body or joint takes part in it."""


def _alignment(mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint]) -> str:
    """Words on axes that are parallel or meet, for the joints of a stress."""
    from groupkin.model.determination.ease_joints import alignment

    found = alignment(mechanism, geometry, joints)
    return f"{found} and " if found else ""


def _names(joints: Sequence[Joint]) -> str:
    names = [joint.name for joint in joints]
    if len(names) > LISTED:
        return listed(names)
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _numbers(found: Rank) -> str:
    least = found.conditioning
    near = f", its least singular value {least:.0e} of the largest," if least > NEARLY else ""
    sizes = f"{counted(found.equations, 'equation')} for {counted(found.unknowns, 'unknown')}"
    return f"has {sizes} but rank {found.rank}{near}"
