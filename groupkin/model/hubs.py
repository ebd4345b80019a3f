"""Hubs: bodies that all others of a group, rods and telescopes, hold at distances of solved points.

Of such a group the hub's pose is all that has to be iterated (`sglibrary.hubs.hub`).
"""

from __future__ import annotations

from dataclasses import dataclass

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.messages import listed
from groupkin.model.rods import Rod, rods
from groupkin.structure.decomposition import Group


@dataclass(frozen=True)
class Hub:
    """A hub and what holds it.

    Attributes
    ----------
    body : str
    legs : tuple of Rod
        Each between the hub and a solved body.
    drivers : tuple of (Joint, int)
        Displacements of the hub that are driven, as freedoms of a joint that leaves it free otherwise.
    """

    body: str
    legs: tuple[Rod, ...]
    drivers: tuple[tuple[Joint, int], ...]


def hub_of(mechanism: Mechanism, group: Group) -> Hub | str:
    """Find the hub of a group by its joints alone, or say why it has none."""
    if group.couplings:
        return f"coupling {group.couplings[0]} takes moves of it"
    joints = mechanism.chosen_joints(group.external + group.internal)
    legs = tuple(rods(mechanism, joints, group.bodies, hinged_telescopes=True))
    in_legs = {body for leg in legs for body in leg.bodies}
    rest = [body for body in group.bodies if body not in in_legs]
    if not legs:
        return "no body is a rod or telescope"
    if len(rest) != 1:
        return f"{listed(rest)} are neither rod nor telescope" if rest else "all bodies are rods or telescopes"
    (hub,), of_legs = rest, {joint.name for leg in legs for joint in leg.joints}
    others = [joint for joint in joints if joint.name not in of_legs]
    for joint in others:
        if not _leaves_free(mechanism, joint, hub, group):
            return f"joint {joint.name} holds {hub} in another way than rods do"
    for leg in legs:
        if not _holds(mechanism, leg, hub, group):
            return f"{listed(leg.bodies)} is not between {hub} and a body that is solved before"
    drivers = tuple((joint, index) for joint in others for index in mechanism.driven.get(joint.name, ()))
    return Hub(hub, legs, drivers)


def _holds(mechanism: Mechanism, leg: Rod, hub: str, group: Group) -> bool:
    """Whether a leg is between the hub and a solved body; one with a hinge in space must have it on the latter."""
    foot, top = leg.ends
    if mechanism.dimension == 3 and leg.foot.type == "R":
        return top == hub and foot not in group.bodies
    return (foot == hub and top not in group.bodies) or (top == hub and foot not in group.bodies)


def _leaves_free(mechanism: Mechanism, joint: Joint, hub: str, group: Group) -> bool:
    """Whether a joint between a solved body and the hub drives displacements of the hub, or nothing."""
    form, driven = mechanism.form(joint), mechanism.driven.get(joint.name, ())
    apart = joint.bodies[1] == hub and joint.bodies[0] not in group.bodies
    displaced = not any(form.freedoms[index].rotation for index in driven)
    return form.cut == () and hub in joint.bodies and (not driven or (apart and displaced))
