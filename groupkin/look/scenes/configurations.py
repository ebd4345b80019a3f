"""Where the bodies of a mechanism are while it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from groupkin.analysis import decompose
from groupkin.errors import ArgumentError, OutputError, UnknownNameError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import Range, ranges_of, values_in
from groupkin.kinematics.program.program import Program
from groupkin.look.names import Entry, legend
from groupkin.mechanism.carriers import why_on_none
from groupkin.mechanism.forces.spring import Spring
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.messages import unknown
from groupkin.model.geometry.coordinates import signed_coordinates, whole_turns
from groupkin.model.geometry.geometry import Geometry, resolve
from groupkin.structure.decomposition import Structure
from groupkin.tolerances import COINCIDENT
from sglibrary.array_types import Array

COLORED, NAMED = ("groups", "bodies"), ("joints", "bodies")
"""What may have colors, and what names; the first is the default."""

FREE = ("F", "FP")
"""Pairs that restrict nothing: their points are no part of a body."""


@dataclass(frozen=True)
class Configuration:
    """A mechanism at one time.

    Attributes
    ----------
    structure : Structure
    geometry : Geometry
    poses : mapping of str to ((d, d) array, (d,) array)
        Rotation of every body, and shift of the point that has zero coordinates on it, m.
    time : float, optional
        s; none in the reference configuration.
    paths : mapping of str to (n, d) array
        Where points go, m: those that are to be traced, or the named ones that are on no joint.
    travel : mapping of str to (float, float)
        How far slides go from here along their axis, m; of a flat face, where along it a cam touches it.
    lengths : mapping of str to (float, float)
        Least and largest length of springs between points during the motion, m.
    values : mapping of Range to float
        Coordinates of the joints that have ranges, by range, m and rad.
    arrows : mapping of str to (2, d) array
        Forces as arrows, by joint, from tail to tip, m.
    loads : mapping of str to (2, d) array
        The same of other forces, by their names.
    scale : str
        What the arrows mean.
    colors, names : str
        What has a color of its own, "groups" or "bodies", and what is named, "joints" or "bodies".
    """

    structure: Structure
    geometry: Geometry
    poses: Mapping[str, tuple[Array, Array]]
    time: float | None = None
    paths: Mapping[str, Array] = field(default_factory=dict)
    travel: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    lengths: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    values: Mapping[Range, float] = field(default_factory=dict)
    arrows: Mapping[str, Array] = field(default_factory=dict)
    loads: Mapping[str, Array] = field(default_factory=dict)
    scale: str = ""
    colors: str = COLORED[0]
    names: str = NAMED[0]

    @property
    def caption(self) -> str:
        """What is written below a picture: the time, and what arrows mean."""
        parts = [f"t = {self.time:.4g} s"] if self.time is not None else []
        return ", ".join([*parts, self.scale] if self.scale else parts)

    @property
    def mechanism(self) -> Mechanism:
        return self.structure.mechanism

    @property
    def shown(self) -> list[str]:
        """The bodies that are drawn: those that move, and the frame if it has a shape."""
        frame = self.mechanism.body[self.mechanism.frame]
        return [*([frame.name] if frame.shape is not None else []), *self.mechanism.movable]

    @property
    def legend(self) -> list[Entry]:
        """What colors stand for."""
        return legend(self.structure, self.colors)

    def color(self, body: str) -> tuple[int, int]:
        """Number of the color of a body, 0 for the frame, and its place among the bodies of this color."""
        for entry in self.legend:
            if body in entry.bodies:
                return entry.number, entry.bodies.index(body)
        return 0, 0

    def at(self, body: str, local: Array) -> Array:
        """Place points (..., d) of a body."""
        rotation, shift = self.poses[body]
        return np.asarray(local) @ rotation.T + shift

    def ends(self, joint: Joint) -> Array:
        """The points (2, d) of a joint on its first and on its second body."""
        points = self.geometry.joints[joint.name].points
        return np.array([self.at(body, point) for body, point in zip(joint.bodies, points, strict=True)])

    def frame(self, joint: Joint, side: int = 0) -> Array:
        """The axes, as columns (d, d), of a joint on its first or second body."""
        return np.asarray(self.poses[joint.bodies[side]][0] @ self.geometry.joints[joint.name].frames[side])

    def points(self, body: str) -> Array:
        """The joints and named points (k, d) that a body connects, or its origin if there are none."""
        found = []
        for joint in self.mechanism.joints_of[body]:
            side = joint.bodies.index(body)
            touched = self.geometry.joints[joint.name].contact is not None and (side == 0 or joint.curves is not None)
            if joint.type not in FREE and not touched:
                found.append(self.ends(joint)[side])
        found += [self.at(body, point) for carrier, point in self.geometry.points.values() if carrier == body]
        if not found:
            found.append(self.at(body, self.geometry.origins[body]))
        size = self.geometry.size
        return np.asarray(size * np.unique(np.round(np.array(found) / size, 9), axis=0))

    def middle(self, body: str) -> Array:
        """The middle (d,) of the joints and points of a body, in its coordinates."""
        rotation, shift = self.poses[body]
        return np.asarray((self.points(body).mean(axis=0) - shift) @ rotation)

    def carrier(self, name: str) -> tuple[str, Array]:
        """The body that carries a named point or a joint, the one that moves if there is one, and where it is on it.

        Raises
        ------
        UnknownNameError
            If there is no such point or joint.
        """
        points, joints = self.geometry.points, self.mechanism.joints
        if name in points and points[name][0] != self.mechanism.frame:
            return points[name]
        joint = next((joint for joint in joints if name == (joint.of or joint).name), None)
        if joint is None and name in points:
            return points[name]
        if joint is None and name in self.mechanism.positions:
            raise UnknownNameError(why_on_none(self.mechanism, name))
        if joint is None:
            raise unknown("point or joint", name, [*points, *((each.of or each).name for each in joints)])
        side = int(joint.bodies[1] != self.mechanism.frame)
        return joint.bodies[side], self.geometry.joints[joint.name].points[side]

    def far_end(self, joint: Joint, side: int, axis: Array) -> Array:
        """The point of a body on the axis of its slide that is farthest from the slide, or the slide itself."""
        end = self.ends(joint)[side]
        away = self.points(joint.bodies[side]) - end
        along = away @ axis
        beside = np.linalg.norm(away - np.outer(along, axis), axis=1)
        along = np.where(beside < 1e-3 * self.geometry.size, along, 0.0)
        return np.asarray(end + along[np.argmax(np.abs(along))] * axis)

    def under(self, at: Array, across: Array) -> Array:
        """A unit vector of the plane, or its opposite: the one from a place away from the mechanism, or else down."""
        middle = np.mean(np.concatenate([self.points(body) for body in self.mechanism.movable]), axis=0)
        toward = across @ (middle - at) > 1e-6 * self.geometry.size
        return -across if toward or (abs(across[1]) > 0.1 and across[1] > 0) else across

    @property
    def free_points(self) -> dict[str, Array]:
        """Named points of moving bodies that are on no joint, and where they are."""
        joints = np.array(
            [end for joint in self.mechanism.joints if joint.type not in FREE for end in self.ends(joint)]
        )
        placed = {
            name: self.at(body, point)
            for name, (body, point) in self.geometry.points.items()
            if body != self.mechanism.frame
        }
        near = COINCIDENT * self.geometry.size
        return {
            name: at
            for name, at in placed.items()
            if not joints.size or np.linalg.norm(joints - at, axis=1).min() > near
        }


def check_shown(colors: str | None, names: str | None) -> None:
    """Refuse what has no colors or no names of its own.

    Raises
    ------
    ArgumentError
    """
    for key, value, known in (("colors", colors, COLORED), ("names", names, NAMED)):
        if value is not None and value not in known:
            raise ArgumentError(f"{key} is {' or '.join(known)}, not {value!r}")


def shown_as(view: Configuration, colors: str | None, names: str | None) -> Configuration:
    """Choose what has a color of its own and what is named; see `COLORED` and `NAMED` for the defaults."""
    return replace(view, colors=colors or COLORED[0], names=names or NAMED[0])


def require_movable(mechanism: Mechanism) -> None:
    """Refuse a mechanism that is only a frame.

    Raises
    ------
    OutputError
    """
    if not mechanism.movable:
        raise OutputError(
            f"{mechanism.name} has no body besides the frame {mechanism.frame!r}, so there is nothing to show; add "
            "bodies and joints"
        )


def reference_configuration(mechanism: Mechanism) -> Configuration:
    """The reference configuration, for which nothing is solved.

    Raises
    ------
    NoGeometryError, NotModeledError, NotDeterminedError
    """
    resolve(mechanism)  # what lacks geometry is refused before anything else
    structure = decompose(mechanism)
    still = np.eye(mechanism.dimension), np.zeros(mechanism.dimension)
    return with_values(Configuration(structure, resolve(structure.mechanism), dict.fromkeys(mechanism.body, still)))


def configuration_at(motion: Motion, step: int, trace: Sequence[str] | None = None) -> Configuration:
    """The configuration at a step of a motion, with the paths that points take during all of it.

    Raises
    ------
    UnknownNameError
        If a point or joint that is to be traced does not exist.
    """
    structure, geometry = motion.program.structure, motion.program.geometry
    here = motion.at(np.array([step]))
    zero = np.zeros(structure.dimension)
    poses = {body: (here.rotation(body)[0], here.point_on(body, zero)[0]) for body in structure.mechanism.body}
    time = None if motion.by_themselves else float(motion.times[step])
    still = Configuration(structure, geometry, poses, time)
    traced = still.free_points if trace is None else trace
    paths = {name: motion.point_on(*still.carrier(name)) for name in traced} if motion.times.size > 1 else {}
    values = {within: float(numbers[step]) for within, numbers in joint_values(motion).items()}
    lengths = _lengths(motion) if motion.times.size > 1 else {}
    return Configuration(structure, geometry, poses, still.time, paths, _travel(motion, still), lengths, values)


def _lengths(motion: Motion) -> dict[str, tuple[float, float]]:
    """Least and largest length of springs between points during a motion, m."""
    mechanism, found = motion.program.mechanism, {}
    for load in mechanism.forces:
        if isinstance(load, Spring):
            places = [motion.point_on(body, mechanism.locate(at, load.name)) for body, at in load.ends()]
            length = np.linalg.norm(places[1] - places[0], axis=1)
            if np.isfinite(length).any():
                found[load.name] = (float(np.nanmin(length)), float(np.nanmax(length)))
    return found


def _travel(motion: Motion, still: Configuration) -> dict[str, tuple[float, float]]:
    """How far slides go from where they are: those on the frame along it, others the second body along the first.

    Of a flat face that a cam touches, where it touches it, from its point on.
    """
    mechanism, travel = still.mechanism, {}
    for joint in mechanism.joints:
        axis = 0 if mechanism.dimension == 2 else 2
        slides = [move for move in mechanism.form(joint).moves if not move.rotation and move.axis == axis]
        if mechanism.form(joint).curved and joint.follower == "face":
            along = -motion.joint(joint.name)[1]
        elif joint.type in FREE or mechanism.form(joint).curved or not slides:
            continue
        elif mechanism.frame in joint.bodies:
            side = 1 - joint.bodies.index(mechanism.frame)
            direction = still.frame(joint)[:, axis]
            path = motion.point_on(joint.bodies[side], still.geometry.joints[joint.name].points[side])
            along = (path - still.ends(joint)[side]) @ direction
        else:
            shift = motion.relative_placement(joint.name)[1][:, axis]
            here = float((still.ends(joint)[1] - still.ends(joint)[0]) @ still.frame(joint)[:, axis])
            along = shift - here
        if np.isfinite(along).any():
            travel[joint.name] = (float(np.nanmin(along)), float(np.nanmax(along)))
    return travel


# --- joints that have ranges -----------------------------------------------------------------


def joint_ranges(of: Mechanism | Program) -> list[Range]:
    """List the ranges of joints."""
    return [each for each in ranges_of(of) if each.quantity.kind == "joint"]


def joint_values(motion: Motion) -> dict[Range, Array]:
    """Coordinates (n,) of the joints that have ranges, by range, m and rad."""
    return {each: values_in(motion, each) for each in joint_ranges(motion.program)}


def with_values(view: Configuration) -> Configuration:
    """Add the coordinates that follow from the places of the bodies alone, without a motion.

    Angles have those whole turns that bring them next to the middle of their range.
    """
    found = joint_ranges(view.mechanism)
    return replace(view, values={each: _placed(view, each) for each in found}) if found else view


def _placed(view: Configuration, within: Range) -> float:
    joint = view.mechanism.joint[str(within.quantity.of)]
    form, ends = view.mechanism.form(joint), view.ends(joint)
    first, second = (view.frame(joint, side) for side in (0, 1))
    shift = first.T @ (ends[1] - ends[0])
    moves = signed_coordinates(form, view.geometry.joints[joint.name], first.T @ second, shift)
    found = float(moves[form.places[number_of(view.mechanism, within)]])
    return found + float(whole_turns(within.middle - found)) if within.turning else found


def number_of(mechanism: Mechanism, within: Range) -> int:
    """Number of the freedom that the range of a joint is of."""
    names = [move.name for move in mechanism.freedoms(mechanism.joint[str(within.quantity.of)])]
    return names.index(within.quantity.component) if within.quantity.component else 0
