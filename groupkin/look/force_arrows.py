"""Forces in joints and on points as arrows: where they begin, and what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from groupkin.dynamics.acting.acting import add
from groupkin.dynamics.acting.contacts import touching
from groupkin.dynamics.acting.loads import Loads
from groupkin.dynamics.bodies.masses import local_point
from groupkin.dynamics.reactions.forces import Forces
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.forces.forces import Contact, Load
from groupkin.mechanism.units import Units, conversion
from sglibrary.array_types import Array, Ints

LONGEST = 0.3
"""Length of the arrow of the largest force of the motion, in sizes of the mechanism."""


class Arrow(NamedTuple):
    """A force at some steps: whether in a joint, its name, where it acts (n, d), m, and its components (n, d), N."""

    in_joint: bool
    name: str
    at: Array
    force: Array


def largest(forces: Forces) -> float:
    """Compute the largest force of the motion, N, of those that are shown."""
    sizes = [np.linalg.norm(forces.reaction(joint).force, axis=1) for joint in forces.reactions]
    sizes += [forces.acting[load.name].size for load in _on_points(forces)]
    return max((float(np.nanmax(size, initial=0.0)) for size in sizes), default=0.0)


def scale(most: float, units: Units) -> str:
    """Say how large the force of the longest arrow is, which is given in N."""
    factor, name = conversion("N", units)
    return f"forces up to {factor * most:.4g} {name}"


def arrows(forces: Forces, steps: Sequence[int] | Ints) -> list[Arrow]:
    """List what the first body of each joint does to the second, and forces on points of movable bodies, at steps."""
    chosen = np.asarray(steps)
    motion, program = forces.motion.at(chosen), forces.motion.program
    found = []
    for joint in forces.reactions:
        body, point = program.mechanism.joint[joint].bodies[1], program.geometry.joints[joint].points[1]
        found.append(Arrow(True, joint, motion.point_on(body, point), forces.reaction(joint).force[chosen]))
    return [*found, *_applied(forces, chosen)]


def _on_points(forces: Forces) -> list[Load]:
    return [load for load in forces.motion.program.mechanism.forces if isinstance(load, Contact) or load.ends()]


def _applied(forces: Forces, steps: Ints) -> Iterator[Arrow]:
    motion, mechanism = forces.motion.at(steps), forces.motion.program.mechanism
    for load in _on_points(forces):
        if isinstance(load, Contact):
            yield from _in_contact(forces, motion, load)
            continue
        loads = Loads(motion)
        add(loads, load, forces.acting[load.name].amount[..., steps])
        for body, point in dict(reversed(load.ends())).items():
            if body == mechanism.frame:
                continue
            at = motion.point_on(body, local_point(motion.program, body, point))
            force = loads.wrenches[mechanism.movable.index(body)][-mechanism.dimension :]
            yield Arrow(False, f"{load.name} on {body}", at, force.T)


def _in_contact(forces: Forces, motion: Motion, load: Contact) -> Iterator[Arrow]:
    """What both bodies of a contact do to each other, at each place at which they touch."""
    touch = touching(motion, load, forces.velocities)
    for k, (point, force) in enumerate(zip(touch.points, touch.forces(touch.amounts), strict=True)):
        for body, sign in zip(touch.bodies, (-1.0, 1.0), strict=True):
            if body != motion.program.mechanism.frame:
                yield Arrow(False, f"{load.name} on {body}{f' {k + 1}' if k else ''}", point, sign * force.T)
