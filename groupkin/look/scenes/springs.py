"""Springs and dampers as they are drawn: what lies between which points, and how long it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from groupkin.look.scenes.configurations import FREE, Configuration
from groupkin.look.scenes.scene import Between, Pose, between, poses_in
from groupkin.look.scenes.stops import base, travel
from groupkin.mechanism.forces.bushing import Bushing
from groupkin.mechanism.forces.joint_spring import JointSpring
from groupkin.mechanism.forces.spring import Spring
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import Freedom
from groupkin.tolerances import COINCIDENT
from sglibrary.array_types import Array

BLOCK, REACH = {2: 2.2, 3: 1.5}, 7.0
"""Half the length of a block or sleeve by dimension, and that of a spring beside it at its shortest (r)."""


class Strut(NamedTuple):
    """A spring, a damper or both between two points.

    Attributes
    ----------
    name : str
    ends : Between
    elastic, damped : bool
        What it has.
    low, high : float
        Least and largest distance of its points, m.
    bare : (bool, bool)
        Whether its ends need a sign of their own, as no joint is there.
    joint : str
        The joint of whose slide it is; empty of one between points.
    """

    name: str
    ends: Between
    elastic: bool
    damped: bool
    low: float
    high: float
    bare: tuple[bool, bool]
    joint: str = ""

    @property
    def length(self) -> float:
        """Where it is not stretched, m."""
        return float(np.linalg.norm(self.ends.along))

    @property
    def beside(self) -> bool:
        """Whether the damper is beside the spring."""
        return self.elastic and self.damped

    def poses(self, view: Configuration) -> dict[str, Pose]:
        """Poses of the spring itself, the tube and the piston of its damper, by the kinds of their owners."""
        keys = self.owners
        found = poses_in(view, keys.values(), dict.fromkeys(keys.values(), self.ends))
        return {kind: found[key] for kind, key in keys.items()}

    @property
    def owners(self) -> dict[str, str]:
        """Owners of its parts, by their kinds."""
        return {kind: f"{kind} {self.name}" for kind in ("spring", "tube", "piston")}

    def damper(self, r: float) -> tuple[float, float, float]:
        """Place and length of the tube from the first end on, and length of the rod from the second end on, m.

        The piston, at the end of the rod, stays in the tube unless the distance more than doubles.
        """
        room, stroke = min(r, 0.1 * self.low), self.high - self.low
        rod = min(max(0.5 * self.low, stroke + room), self.low - room)
        start = self.low - rod - room
        return start, min(stroke + 2.0 * room + 0.15 * self.low, self.low - start), rod


def struts(view: Configuration, r: float) -> list[Strut]:
    """List what lies between two points: springs, and those along the displacement of a joint."""
    found = []
    for load in view.mechanism.forces:
        if isinstance(load, Spring):
            points = np.array([view.mechanism.locate(at, load.name) for _, at in load.ends()])
            ends = between(view, (load.between[0], load.between[1]), points)
            one, other = placed(view, ends)
            length = float(np.linalg.norm(other - one))
            low, high = view.lengths.get(load.name, (length, length))
            bare = not _on_joint(view, one), not _on_joint(view, other)
            elastic, damped = _signs(load)
            damped = damped and not _on_telescope(view, one, other)
            if elastic or damped:
                found.append(Strut(load.name, ends, elastic, damped, low, high, bare))
        elif isinstance(load, JointSpring):
            joint, move = freedom_of(view, load)
            if not move.rotation and joint.type not in FREE:
                found += _along_slide(view, load, joint, view.frame(joint)[:, move.axis], r)
    return found


def slides(view: Configuration, joint: Joint) -> bool:
    """Whether a joint is a displacement along its axis, with or without a turn about it."""
    form = view.mechanism.form(joint)
    return form.axial and bool(form.moves) and not form.moves[0].rotation


def _signs(load: Spring | JointSpring) -> tuple[bool, bool]:
    """Whether it is drawn as a spring, and as a damper."""
    damped = bool(load.damping or load.damping_table)
    return bool(load.stiffness or load.table or load.preload or not damped), damped


def turning(view: Configuration) -> list[tuple[str, Joint, Freedom]]:
    """List the names of springs about the axis of a joint, with the joint and its freedom."""
    springs = [load for load in view.mechanism.forces if isinstance(load, JointSpring)]
    found = [(load.name, *freedom_of(view, load)) for load in springs]
    return [each for each in found if each[2].rotation and each[1].type not in FREE]


def bushings(view: Configuration) -> list[tuple[Bushing, Array]]:
    """List bushings with their middle in coordinates of their bodies, m."""
    found = [load for load in view.mechanism.forces if isinstance(load, Bushing)]
    return [(load, np.asarray(view.mechanism.locate(load.point, load.name))) for load in found]


def freedom_of(view: Configuration, load: JointSpring) -> tuple[Joint, Freedom]:
    """Joint and freedom that a spring is along."""
    name, k = load.freedom_of(view.mechanism)
    joint = view.mechanism.joint[name]
    return joint, view.mechanism.freedoms(joint)[k]


def placed(view: Configuration, ends: Between) -> Array:
    """The two points (2, d) where they are, m."""
    return np.array([view.at(body, point) for body, point in zip(ends.bodies, ends.points, strict=True)])


def _along_slide(view: Configuration, load: JointSpring, joint: Joint, axis: Array, r: float) -> list[Strut]:
    """A spring around a telescope, which looks like a damper itself, or one from a block to a place on its guide."""
    side, (elastic, damped) = 1 - base(view, joint), _signs(load)
    low, high = travel(view, joint, (0.0, 0.0), 2.0 * side - 1.0)
    ends = np.array([view.far_end(joint, k, axis) for k in (0, 1)])
    away = float((ends[1] - ends[0]) @ axis)
    bodies, guided = (joint.bodies[0], joint.bodies[1]), view.mechanism.frame in joint.bodies or abs(away) < 5.0 * r
    if guided:
        bodies, at = (joint.bodies[1 - side], joint.bodies[side]), view.ends(joint)[side]
        reach, half = max(REACH * r, high - low + 4.0 * r), BLOCK[view.mechanism.dimension] * r
        ends = np.array([at + (low - half - reach) * axis, at - half * axis])
        low, high = reach, reach + high - low
    else:
        low, high = sorted(abs(away + end) for end in (low, high))
    points = [(at - view.poses[body][1]) @ view.poses[body][0] for body, at in zip(bodies, ends, strict=True)]
    link, bare = between(view, bodies, np.array(points)), (guided, False)
    made = Strut(load.name, link, elastic, damped and guided, low, high, bare, joint.name)
    return [made] if elastic or guided else []


def _on_telescope(view: Configuration, one: Array, other: Array) -> bool:
    """Whether a slide between moving bodies, which looks like a damper itself, has its ends at two places."""
    near = COINCIDENT * view.geometry.size
    for joint in view.mechanism.joints:
        if slides(view, joint) and view.mechanism.frame not in joint.bodies:
            axis = view.frame(joint)[:, 0 if view.mechanism.dimension == 2 else 2]
            ends = np.array([view.far_end(joint, side, axis) for side in (0, 1)])
            apart = [np.linalg.norm(ends - np.array(places), axis=1).max() for places in ((one, other), (other, one))]
            if min(apart) <= near:
                return True
    return False


def _on_joint(view: Configuration, at: Array) -> bool:
    """Whether a joint is at a place."""
    joints = [end for joint in view.mechanism.joints if joint.type not in FREE for end in view.ends(joint)]
    near = COINCIDENT * view.geometry.size
    return bool(joints) and float(np.linalg.norm(np.array(joints) - at, axis=1).min()) <= near


def turns_of(length: float, pitch: float) -> int:
    """Number of turns of a spring of some length: of a pitch, but neither too few nor too many."""
    return int(np.clip(round(length / pitch), 4, 12))
