"""The links of a plane group: its bodies as a mechanism of its own, whose frame is what is solved already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.coordinates import placement, reference_coordinates
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import Group
from sglibrary.array_types import Array

Freedoms = Mapping[tuple[str, int], float]
"""Values of driven freedoms, rad or m, by joint and freedom."""

Seat = tuple[str, Array, Array]
"""Of a body its link, and shift (2,), m, and turn (2, 2) from coordinates of the body to those of the link."""


@dataclass(frozen=True, eq=False)
class Links:
    """The links of a plane group: bodies that driven joints hold rigidly together; solved bodies are the frame.

    Attributes
    ----------
    mechanism : Mechanism
        Links, and the joints between them, of which none is driven. A distance (SPSP) is a link with two hinges.
    geometry : Geometry
        Of the links, in coordinates of their own; those of the frame are global.
    seats : dict of str to Seat
        Of every body.
    reach : float
        Largest distance of two joints of a link, m.
    """

    mechanism: Mechanism
    geometry: Geometry
    seats: dict[str, Seat]
    reach: float


def links_of(solved: Motion, values: Freedoms, group: Group) -> Links | None:
    """Make the links of a plane group.

    Parameters
    ----------
    solved : Motion
        Of one step, in which the groups before it are solved.
    values : Freedoms
        Of the drivers.
    group : Group

    Returns
    -------
    Links or None
        None if it takes couplings, or joints are coupled, curved or driven in part, or hold the group together already.
    """
    if group.couplings:
        return None
    program = solved.program
    mechanism, geometry = program.structure.solved_as, program.solved_geometry
    joints = mechanism.chosen_joints(group.external + group.internal)
    if mechanism.dimension != 2 or not all(_is_simple(mechanism, joint) for joint in joints):
        return None
    seats = _seats(solved, values, group, joints)
    made: dict[str, JointGeometry] = {}
    between: list[Joint] = []
    for joint in joints:
        if seats[joint.bodies[0]][0] == seats[joint.bodies[1]][0]:
            if not mechanism.driven.get(joint.name):
                return None
            continue
        for name, symbol, ends, stated in _joints_of(mechanism, geometry.joints[joint.name], joint, seats):
            between.append(Joint(name, symbol, ends))
            made[name] = stated
    names = list(dict.fromkeys([mechanism.frame, *(link for joint in between for link in joint.bodies)]))
    on = {name: [made[x.name].points[x.bodies.index(name)] for x in between if name in x.bodies] for name in names}
    reach = max((float(np.linalg.norm(np.ptp(points, axis=0))) for points in on.values() if points), default=0.0)
    if not reach:
        return None
    origins = dict.fromkeys(names, np.zeros(2))
    return Links(
        Mechanism(2, names, between, frame=mechanism.frame), Geometry(made, origins, {}, geometry.size), seats, reach
    )


def _is_simple(mechanism: Mechanism, joint: Joint) -> bool:
    """Tell whether the moves of a joint are independent, and all of them driven or none."""
    form, driven = mechanism.form(joint), mechanism.driven.get(joint.name, ())
    return form.coupled is None and not form.curved and len(driven) in (0, len(form.freedoms))


def _seats(solved: Motion, values: Freedoms, group: Group, joints: list[Joint]) -> dict[str, Seat]:
    """Find the link of every body."""
    program = solved.program
    mechanism, geometry, frame = program.structure.solved_as, program.solved_geometry, program.mechanism.frame
    seats: dict[str, Seat] = {body: (body, np.zeros(2), np.eye(2)) for body in group.bodies}
    for body in (body for joint in joints for body in joint.bodies if body not in group.bodies):
        turn = solved.rotation(body)[0]
        seats[body] = (frame, solved.position(body)[0] - turn @ geometry.origins[body], turn)
    for joint in joints:
        if not mechanism.driven.get(joint.name):
            continue
        stated, form = geometry.joints[joint.name], mechanism.form(joint)
        moves = np.array([values[joint.name, k] for k in range(len(form.freedoms))])
        rotation, away = placement(form, moves, stated.bend, 2)
        turn = stated.frames[0] @ rotation @ stated.frames[1].T
        shift = stated.points[0] + stated.frames[0] @ away - turn @ stated.points[1]
        first, second = (seats[body] for body in joint.bodies)
        if second[0] == frame:
            first, second, shift, turn = second, first, -turn.T @ shift, turn.T
        _weld(seats, first, second, shift, turn)
    return seats


def _weld(seats: dict[str, Seat], first: Seat, second: Seat, shift: Array, turn: Array) -> None:
    """Join a link to another, given shift and turn from coordinates of a body of it to those of one of the other."""
    turn = first[2] @ turn @ second[2].T
    shift = first[1] + first[2] @ shift - turn @ second[1]
    for body, (link, at, turned) in seats.items():
        if link == second[0]:
            seats[body] = (first[0], shift + turn @ at, turn @ turned)


def _joints_of(
    mechanism: Mechanism, stated: JointGeometry, joint: Joint, seats: Mapping[str, Seat]
) -> list[tuple[str, str, tuple[str, str], JointGeometry]]:
    """Convert a joint to one between links, a distance to a link with two hinges: names, symbols, ends, geometry."""
    form, ends = mechanism.form(joint), [seats[body] for body in joint.bodies]
    points = np.array([shift + turn @ point for (_, shift, turn), point in zip(ends, stated.points, strict=True)])
    frames = np.array([turn @ frame for (_, _, turn), frame in zip(ends, stated.frames, strict=True)])
    values = reference_coordinates(form, stated)
    if form.held is None:
        made = replace(stated, points=points, frames=frames, values=values, axis_points=None)
        return [(joint.name, joint.type, (ends[0][0], ends[1][0]), made)]
    rod, hinges = f"{joint.name} (rod)", []
    for k, tip in enumerate(([0.0, 0.0], [float(values[form.held]), 0.0])):
        hinge = JointGeometry(np.array([points[k], tip]), np.array([np.eye(2), np.eye(2)]), values=np.zeros(1))
        hinges.append((f"{joint.name} (end {k + 1})", "R", (ends[k][0], rod), hinge))
    return hinges
