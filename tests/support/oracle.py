"""A slow and obvious reference: poses of all bodies at once, independent of groups, trees and kernels.

Every movable body has a rotation and a place: its point X is at place + rotation · X. Every joint says that the frame
on its second body is the frame on its first, moved by the joint's coordinates one after another, some of which are
coupled. Unknown are all bodies
and all coordinates that are not driven. Everything is a jet: an array whose first axis holds a value and its time
derivatives; so one function gives the equations, their rates and, with unit rates, their Jacobian. The plane is the
plane z = 0 of space. Newton's method follows the drivers from the reference configuration on in small steps; rows
that repeat others are met by least squares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Freedom
from groupkin.model.geometry.geometry import Geometry, resolve

Array = NDArray[np.float64]
Jet = Array  # (orders, ...)

LARGEST_CHANGE = 0.1
"""Of a driver, in rad or m, in one step of the way from the reference configuration."""


class OracleError(Exception):
    """No solution is found, or not surely the one that continues the reference configuration."""


@dataclass(frozen=True)
class Poses:
    """Rotations (orders, n, d, d) and places (orders, n, d) of all bodies; conditioning (n,) of the whole system."""

    mechanism: Mechanism
    geometry: Geometry
    rotations: dict[str, Array]
    places: dict[str, Array]
    conditioning: Array

    def point(self, body: str, local: Array) -> Array:
        """A point of a body and its derivatives, (3, n, d), m."""
        return self.places[body] + self.rotations[body] @ local

    def origin(self, body: str) -> Array:
        """Origin of a body and its derivatives, (3, n, d), m."""
        return self.point(body, self.geometry.origins[body])


def solve(mechanism: Mechanism, times: ArrayLike, start: Mapping[str, tuple[Array, Array]] | None = None) -> Poses:
    """Position, velocity and acceleration of all bodies.

    Parameters
    ----------
    mechanism : Mechanism
    times : (n,) array_like
    start : mapping of str to (rotation (n, d, d), point (n, d)), optional
        Poses near the solution, by orientation and origin of every movable body; default: continued from the reference.
    """
    system = _System(mechanism)
    t = np.atleast_1d(np.asarray(times, float))
    goal = system.drivers(t)
    if start is None:
        state = system.along(t)
    else:
        state = system.newton(system.fit(system.near(start, t.size), goal[0]), goal[0], largest=1e-3)
    return system.differentiate(state, goal)


def _least(jacobian: Array, right: Array) -> Array:
    """Solve linear systems (n, equations, unknowns), by least squares where there are more equations."""
    if jacobian.shape[1] == jacobian.shape[2]:
        return np.asarray(np.linalg.solve(jacobian, right[:, :, None])[:, :, 0])
    return np.asarray((np.linalg.pinv(jacobian, rcond=1e-9) @ right[:, :, None])[:, :, 0])


Trajectories = dict[str, tuple[Array, Array]]
"""By body: its origin (3, n, d) and rotation (3, n, d, d) with first and second derivative."""


def of_poses(poses: Poses) -> Trajectories:
    """What the oracle says of all movable bodies."""
    return {body: (poses.origin(body), poses.rotations[body]) for body in poses.mechanism.movable}


def of_motion(motion: Any) -> Trajectories:
    """What a motion says of all movable bodies."""
    return {
        body: (
            np.stack([motion.position(body), motion.velocity(body), motion.acceleration(body)]),
            np.stack([motion.rotation_rate(body, order) for order in range(3)]),
        )
        for body in motion.program.mechanism.movable
    }


def differences(first: Trajectories, second: Trajectories, size: float) -> Array:
    """Largest differences of position, velocity and acceleration; lengths relative to `size`, rates to the largest."""
    assert first.keys() == second.keys()
    worst, scale = np.zeros(3), np.ones(3)
    for body, (origin, rotation) in first.items():
        for order in range(3):
            gaps = (origin[order] - second[body][0][order]) / size, rotation[order] - second[body][1][order]
            worst[order] = max(worst[order], *(np.abs(gap).max(initial=0.0) for gap in gaps))
            assert not np.isnan(gaps[0]).any()
            assert not np.isnan(gaps[1]).any()
            rates = np.abs(origin[order]).max(initial=0.0) / size, np.abs(rotation[order]).max(initial=0.0)
            scale[order] = max(scale[order], *rates) if order else 1.0
    return worst / scale


@dataclass
class _State:
    """Rotations (n, bodies, 3, 3), places (n, bodies, 3) and joint coordinates (n, all)."""

    rotations: Array
    places: Array
    coordinates: Array


class _System:
    """Equations of a mechanism; unknowns are 3 or 6 per movable body, then the undriven coordinates.

    Joints that allow any orientation have no rotations among their coordinates, unless they are named as `turning`.
    """

    def __init__(self, mechanism: Mechanism, turning: Collection[str] = ()) -> None:
        self.mechanism, self.geometry = mechanism, resolve(mechanism)
        self.planar = mechanism.dimension == 2
        self.number = {body: k for k, body in enumerate(mechanism.movable)}
        counts = [len(mechanism.form(joint).moves) for joint in mechanism.joints]
        self.first = np.concatenate([[0], np.cumsum(counts)]).astype(int)
        reference = [_reference(mechanism, self.geometry, joint) for joint in mechanism.joints]
        self.reference = np.concatenate([*reference, np.zeros(0)])
        driven = np.zeros(self.reference.size, bool)
        ignored = np.zeros(self.reference.size, bool)
        self.loose: list[bool] = []
        for k, joint in enumerate(mechanism.joints):
            form = mechanism.form(joint)
            own = [form.places[index] for index in mechanism.driven.get(joint.name, {})]
            driven[[self.first[k] + move for move in own]] = True
            last = range(len(form.moves) - 3, len(form.moves))
            # three free rotations allow any orientation: neither equations nor coordinates, which may be singular
            held = {*own, *(form.coupled or ())}
            self.loose.append(form.ball and not set(last) & held and joint.name not in turning)
            if self.loose[-1]:
                ignored[[self.first[k] + move for move in last]] = True
            if form.held is not None:
                ignored[self.first[k] + form.held] = True
        self.couplings = [
            (self.first[k] + np.array(mechanism.form(joint).coupled), _coupling(joint, mechanism.dimension))
            for k, joint in enumerate(mechanism.joints)
            if mechanism.form(joint).coupled
        ]
        self.driven, self.free = np.flatnonzero(driven), np.flatnonzero(~driven & ~ignored)
        self.width = 3 if self.planar else 6
        self.unknowns = self.width * len(self.number) + self.free.size

    def drivers(self, times: Array) -> Array:
        """(3, n, driven)."""
        out = np.zeros((3, times.size, self.driven.size))
        for joint, first in zip(self.mechanism.joints, self.first, strict=False):
            places = self.mechanism.form(joint).places
            for index, driver in self.mechanism.driven.get(joint.name, {}).items():
                assert driver.law is not None
                out[:, :, np.searchsorted(self.driven, first + places[index])] = driver.law.at(times)
        return out

    def at_reference(self, n: int) -> _State:
        bodies = len(self.number)
        return _State(np.tile(np.eye(3), (n, bodies, 1, 1)), np.zeros((n, bodies, 3)), np.tile(self.reference, (n, 1)))

    def near(self, start: Mapping[str, tuple[Array, Array]], n: int) -> _State:
        state, d = self.at_reference(n), self.mechanism.dimension
        for body, k in self.number.items():
            rotation, origin = start[body]
            state.rotations[:, k, :d, :d] = rotation
            state.places[:, k, :d] = origin - rotation @ self.geometry.origins[body]
        return state

    def fit(self, state: _State, values: Array) -> _State:
        """Coordinates of the joints from the poses of their bodies."""
        for k, joint in enumerate(self.mechanism.joints):
            (first, here), (second, there) = self.ends(joint, state.rotations[None], state.places[None])
            back = np.swapaxes(first[0], -1, -2)
            shift = np.einsum("nij,nj->ni", back, there[0] - here[0])
            self.fit_joint(k, joint, back @ second[0], shift, state.coordinates[:, self.first[k] : self.first[k + 1]])
        state.coordinates[:, self.driven] = values
        return state

    def fit_joint(self, k: int, joint: Joint, relative: Array, shift: Array, out: Array) -> None:
        """Coordinates of a joint, (n, moves), from the placement of its second frame in its first."""
        form = self.mechanism.form(joint)
        if form.curved:
            out[:] = [_touching(self.geometry, joint, r[:2, :2], x[:2]) for r, x in zip(relative, shift, strict=True)]
            return
        lead = _pointing(form.moves)
        angles = []
        if lead:
            angles = [np.arctan2(shift[:, 1], shift[:, 0])]
            back = Rotation.from_euler("Z", -angles[0][:, None])
            if lead == 2:
                angles.append(np.arctan2(-shift[:, 2], np.hypot(shift[:, 0], shift[:, 1])))
                back = Rotation.from_euler("Y", -angles[1][:, None]) * back
            relative, shift = back.as_matrix() @ relative, back.apply(shift)
        bend = self.geometry.joints[joint.name].bend
        count = sum(move.rotation for move in form.moves) - lead
        if count == 2:  # between two rotations there is a fixed turn about x
            angles += list(Rotation.from_matrix(relative).as_euler("ZXZ")[:, ::2].T)
        elif count:
            relative = relative if bend is None else bend.T @ relative
            angles += list(Rotation.from_matrix(relative).as_euler("XYZ")[:, -count:].T)
        turns = iter(angles)
        for i, move in enumerate(form.moves):
            if i != form.held:
                out[:, i] = next(turns) if move.rotation else shift[:, move.axis]
        if joint.type in ("H", "HF"):  # its displacement tells whole turns
            assert form.coupled is not None
            (c, _), reference = _coupling(joint, 3), self.reference[self.first[k] : self.first[k + 1]]
            angle, way = form.coupled
            out[:, angle] = reference[angle] - (out[:, way] - reference[way]) / c

    def along(self, times: Array) -> _State:
        """From the reference configuration straight to the first time, then from time to time."""
        reference = self.reference[self.driven]
        first = self.drivers(times[:1])[0]
        state = self.walk(self.at_reference(1), lambda share: reference + share * (first - reference))
        found = [state]
        for before, after in pairwise(times):
            state = self.walk(state, lambda s, a=before, b=after: self.drivers(np.array([a + s * (b - a)]))[0])
            found.append(state)
        return _State(*(np.concatenate([getattr(s, f) for s in found]) for f in ("rotations", "places", "coordinates")))

    def walk(self, state: _State, values: Callable[[float], Array]) -> _State:
        """Follow the drivers from share 0 to 1 of a way, in steps that are halved where they are too long."""
        change = np.abs(values(1.0) - values(0.0)).max(initial=0.0)
        share, step = 0.0, 1.0 / (1 + int(change / LARGEST_CHANGE))
        while share < 1.0:
            ahead = min(1.0, share + step)
            try:
                state, share = self.newton(state, values(ahead), largest=0.3), ahead
            except OracleError:
                step *= 0.5
                if step < 1e-4:
                    raise
        return state

    def newton(self, state: _State, values: Array, largest: float) -> _State:
        """Newton's method at all times together, until nothing moves; no step may be larger than `largest`."""
        coordinates = state.coordinates.copy()
        coordinates[:, self.driven] = values
        state = _State(state.rotations.copy(), state.places.copy(), coordinates)
        for _ in range(30):
            jacobian, residual = self.linearize(state)
            try:
                step = _least(jacobian, -residual)
            except np.linalg.LinAlgError:
                raise OracleError("the equations are singular") from None
            if not np.abs(step).max(initial=0.0) < largest:
                raise OracleError(f"a step of {np.abs(step).max():.2g}: this may be another branch")
            state = self.moved(state, step)
            if np.abs(step).max(initial=0.0) < 1e-13 or (np.abs(residual).max(initial=0.0) < 1e-15):
                return state
        if np.abs(residual).max() > 1e-13:
            raise OracleError(f"a residual of {np.abs(residual).max():.2g} is left")
        return state

    def moved(self, state: _State, step: Array) -> _State:
        """The state after a step (n, unknowns)."""
        b, w = len(self.number), self.width
        shift, turn = self.split(step[:, : w * b].reshape(-1, b, w))
        coordinates = state.coordinates.copy()
        coordinates[:, self.free] += step[:, w * b :]
        places = np.einsum("nbij,nbj->nbi", _exponential(turn), state.places) + shift
        return _State(_exponential(turn) @ state.rotations, places, coordinates)

    def split(self, twist: Array) -> tuple[Array, Array]:
        """Velocity of the body's point that is at the global origin, and angular velocity, as space vectors."""
        if not self.planar:
            return twist[..., :3], twist[..., 3:]
        zero = np.zeros(twist.shape[:-1])
        return (
            np.stack([twist[..., 0], twist[..., 1], zero], axis=-1),
            np.stack([zero, zero, twist[..., 2]], axis=-1),
        )

    def linearize(self, state: _State) -> tuple[Array, Array]:
        """Jacobian (n, equations, unknowns) and residual (n, equations): rates for unit rates of the unknowns."""
        n = state.places.shape[0]
        rate = np.tile(np.eye(self.unknowns), (n, 1, 1))
        coordinates = np.zeros((2, n, self.unknowns, self.reference.size))
        coordinates[0] = state.coordinates[:, None]
        coordinates[1][:, :, self.free] = rate[:, :, self.width * len(self.number) :]
        spread = _State(state.rotations[:, None], state.places[:, None], state.coordinates)
        equations = self.equations(*self.bodies(spread, [rate]), coordinates)
        return np.swapaxes(equations[1], 1, 2), equations[0][:, 0] if self.unknowns else np.zeros((n, 0))

    def bodies(self, state: _State, twists: list[Array]) -> tuple[Jet, Jet]:
        """Jets of rotations and places from velocities and, if given, accelerations of the unknowns."""
        shape = (*twists[0].shape[:-1], len(self.number), self.width)
        moved = [self.split(x[..., : self.width * len(self.number)].reshape(shape)) for x in twists]
        rotations = [state.rotations + np.zeros((*shape[:-1], 1, 1))]
        places = [state.places + np.zeros((*shape[:-1], 1))]
        for order, (speed, spin) in enumerate(moved, 1):
            rotations.append(_skew(spin) @ rotations[0])
            places.append(speed + np.cross(spin, places[0]))
            if order == 2:
                rotations[2] += _skew(moved[0][1]) @ rotations[1]
                places[2] += np.cross(moved[0][1], places[1])
        return np.stack(rotations), np.stack(places)

    def ends(self, joint: Joint, rotations: Jet, places: Jet) -> list[tuple[Jet, Jet]]:
        """Axes and origin of the frame of a joint on its two bodies."""
        own, d = self.geometry.joints[joint.name], self.mechanism.dimension
        found = []
        for side, body in enumerate(joint.bodies):
            frame, point = np.eye(3), np.zeros(3)
            frame[:d, :d], point[:d] = own.frames[side], own.points[side]
            if body == self.mechanism.frame:
                found.append((_still(frame, places.shape[:-2]), _still(point, places.shape[:-2])))
            else:
                turn = rotations[..., self.number[body], :, :]
                found.append((turn @ frame, places[..., self.number[body], :] + turn @ point))
        return found

    def equations(self, rotations: Jet, places: Jet, coordinates: Jet) -> Jet:
        """Jets (orders, ..., equations) of what is left between the two frames of every joint."""
        joints = range(len(self.mechanism.joints))
        out = [self.between_frames(k, rotations, places, coordinates) for k in joints]
        for places, factors in self.couplings:
            row = (coordinates[..., places] * factors).sum(axis=-1, keepdims=True)
            row[0] -= self.reference[places] @ factors
            out.append(row + np.zeros((*out[0].shape[:-1], 1)))
        return np.concatenate(out, axis=-1)

    def between_frames(self, k: int, rotations: Jet, places: Jet, coordinates: Jet) -> Jet:
        """Jets (orders, ..., rows) of what is left between the two frames of a joint."""
        joint = self.mechanism.joints[k]
        (first, here), (second, there) = self.ends(joint, rotations, places)
        values = coordinates[..., self.first[k] : self.first[k + 1]]
        if self.mechanism.form(joint).curved:
            turned, shifted = _along_curves(self.geometry, joint, values)
        else:
            turned, shifted = _moves(self.mechanism, joint, self.geometry.joints[joint.name].bend, values)
        gap = there - here - _product(first, shifted[..., None])[..., 0]
        rows = [gap[..., :2] if self.planar else gap]
        if not self.loose[k]:
            miss = _product(np.swapaxes(_product(first, turned), -1, -2), second)
            about = _axial(miss)
            rows.append(about[..., 2:] if self.planar else about)
        return np.concatenate(rows, axis=-1)

    def differentiate(self, state: _State, goal: Array) -> Poses:
        """Velocities and accelerations from the derivatives of the equations."""
        jacobian, _ = self.linearize(state)
        n, c = goal.shape[1], self.width * len(self.number)
        coordinates = np.zeros((3, n, self.reference.size))
        coordinates[0] = state.coordinates
        coordinates[1][:, self.driven], coordinates[2][:, self.driven] = goal[1], goal[2]
        zero = np.zeros((n, self.unknowns))
        left = self.equations(*self.bodies(state, [zero]), coordinates[:2])[1]
        rate = _least(jacobian, -left)
        coordinates[1][:, self.free] = rate[:, c:]
        left = self.equations(*self.bodies(state, [rate, zero]), coordinates)[2]
        gain = _least(jacobian, -left)
        rotations, places = self.bodies(state, [rate, gain])
        values = np.linalg.svd(jacobian, compute_uv=False)
        d = self.mechanism.dimension
        frame = self.mechanism.frame
        return Poses(
            self.mechanism,
            self.geometry,
            {frame: _still(np.eye(d), (3, n))} | {body: rotations[:, :, k, :d, :d] for body, k in self.number.items()},
            {frame: np.zeros((3, n, d))} | {body: places[:, :, k, :d] for body, k in self.number.items()},
            values[:, -1] / values[:, 0],
        )


def _reference(mechanism: Mechanism, geometry: Geometry, joint: Joint) -> Array:
    """Coordinates of a joint as the mechanism states them: angles are given, displacements lie between its points."""
    frame, points = geometry.joints[joint.name].frames[0], geometry.joints[joint.name].points
    stated = joint.reference if isinstance(joint.reference, Mapping) else None
    form, between = mechanism.form(joint), frame.T @ (points[1] - points[0])
    if form.curved:
        return _touching(geometry, joint, frame.T @ geometry.joints[joint.name].frames[1], between)
    lead = _pointing(form.moves)
    values = []
    for k, move in enumerate(form.moves):
        if move.rotation:
            named = 0.0 if k not in form.places else joint.reference
            values.append(named if stated is None else stated.get(move.name, 0.0))
        elif lead and move.axis == 0:
            values.append(np.linalg.norm(between[: lead + 1]))
        else:
            values.append(between[move.axis])
    return np.array(values, float)


def _pointing(moves: tuple[Freedom, ...]) -> int:
    """Number of rotations before a displacement along x, which point it at the other origin."""
    return next((k for k, move in enumerate(moves) if not move.rotation and move.axis == 0), 0)


def _coupling(joint: Joint, dimension: int) -> tuple[float, float]:
    """Factors of the two coupled moves of a joint."""
    if joint.type in ("H", "HF"):
        assert joint.pitch is not None
        return -joint.pitch, 1.0
    if joint.type in ("EO", "EPI"):
        # arcs on the wheels as the line of centers passes over them: with angles φ - θ1 and θ2 - φ
        assert joint.radii is not None
        return joint.radii[0], -joint.radii[1] if joint.type == "EO" else joint.radii[1]
    assert joint.points is not None
    between = np.subtract(joint.points[1], joint.points[0])
    if dimension == 2:
        x, y = np.array(joint.axis) / np.linalg.norm(np.array(joint.axis))
        return 1.0, float(x * between[1] - y * between[0])
    assert joint.axes is not None
    line, axle = (np.array(axis) / np.linalg.norm(axis) for axis in joint.axes)
    return 1.0, float(np.cross(axle, line) @ between)


def _moves(mechanism: Mechanism, joint: Joint, bend: Array | None, values: Jet) -> tuple[Jet, Jet]:
    """Rotation (orders, ..., 3, 3) and shift (orders, ..., 3) from the first to the second frame of a joint."""
    rotation = _still(np.eye(3), values.shape[:-1])
    shift = np.zeros((*values.shape[:-1], 3))
    form = mechanism.form(joint)
    for number, move in enumerate(form.moves):
        if number == form.bend:
            assert bend is not None
            rotation = rotation @ bend
        if move.rotation:
            rotation = _product(rotation, _turn(move.axis, values[..., number]))
        else:
            along = np.zeros((*values.shape[:-1], 3, 1))
            along[..., move.axis, 0] = values[..., number]
            shift = shift + _product(rotation, along)[..., 0]
    return rotation, shift


def _along_curves(geometry: Geometry, joint: Joint, values: Jet) -> tuple[Jet, Jet]:
    """`_moves` of a cam, from its spline with a radius, a tangent or another spline."""
    own = geometry.joints[joint.name]
    curves = joint.curves or (joint.curve,)
    turned, here = _tangent_frame(curves[0], own.points[0], values[..., 0])
    if joint.curves is not None:
        other, there = _tangent_frame(curves[1], own.points[1], values[..., 1])
        sign = _opposed(own, curves)
        flip = np.diag([sign, sign, 1.0])
        rotation = _product(turned @ flip, np.swapaxes(other, -1, -2))
        return rotation, here - _product(rotation, there[..., None])[..., 0]
    if joint.axis is not None:
        along = np.zeros((*values.shape[:-1], 3, 1))
        along[..., 0, 0] = values[..., 1]
        return turned, here + _product(turned, along)[..., 0]
    side = _side(joint)
    return _product(turned, _turn(2, values[..., 1])), here + (joint.radius or 0.0) * side * turned[..., :, 1]


def _side(joint: Joint) -> float:
    """1 for a roller to the left of its curve, -1 to the right, in the reference configuration."""
    assert joint.curve is not None
    line = joint.curve.spline(np.linspace(0, joint.curve.spline.t[-6], 4001))
    k = int(np.argmin(np.linalg.norm(line - np.array(joint.point), axis=1))) % 4000
    (a, b), (x, y) = line[k + 1] - line[k], np.array(joint.point, float) - line[k]
    return float(np.sign(a * y - b * x))


def _opposed(own: Any, curves: Any) -> float:
    """Whether the tangents of two curves are opposite where these come closest in the reference configuration."""
    lines = [curve.spline(np.linspace(0, curve.spline.t[-6], 4001)) for curve in curves]
    tree = [int(np.argmin(np.linalg.norm(line - own.points[0], axis=1))) for line in lines]
    slopes = [line[k % 4000 + 1] - line[k % 4000] for line, k in zip(lines, tree, strict=True)]
    return float(np.sign(slopes[0] @ slopes[1]))


def _tangent_frame(curve: Any, origin: Array, u: Jet) -> tuple[Jet, Jet]:
    """Jets of the frame along the tangent of a curve (orders, ..., 3, 3) and of its origin (orders, ..., 3)."""
    length = curve.spline.t[-6]
    at = np.mod(u[0], length) if curve.closed else u[0]
    d = [np.pad(curve.spline(at, k), [(0, 0)] * at.ndim + [(0, 1)]) for k in range(4)]
    rate = u[1][..., None] + 0.0 * d[0]
    place, along = [d[0] - np.append(origin, 0.0), d[1] * rate], [d[1], d[2] * rate]
    if len(u) > 2:
        gain = u[2][..., None]
        place.append(d[2] * rate**2 + d[1] * gain)
        along.append(d[3] * rate**2 + d[2] * gain)
    norm = np.linalg.norm(along[0], axis=-1, keepdims=True)
    t = [along[0] / norm]
    n1 = (along[0] * along[1]).sum(-1, keepdims=True) / norm
    t.append((along[1] - t[0] * n1) / norm)
    if len(u) > 2:
        n2 = ((along[1] ** 2).sum(-1, keepdims=True) + (along[0] * along[2]).sum(-1, keepdims=True) - n1**2) / norm
        t.append((along[2] - 2 * t[1] * n1 - t[0] * n2) / norm)
    out = np.zeros((len(u), *at.shape, 3, 3))
    out[0, ..., 2, 2] = 1.0
    for order, x in enumerate(t):
        out[order, ..., 0, 0], out[order, ..., 1, 0] = x[..., 0], x[..., 1]
        out[order, ..., 0, 1], out[order, ..., 1, 1] = -x[..., 1], x[..., 0]
    return out, np.stack(place)


def _touching(geometry: Geometry, joint: Joint, relative: Array, shift: Array) -> Array:
    """Coordinates of a cam near a placement, by trying many of them; Newton's method does the rest."""
    count = 300 if joint.curves is not None else 1500  # of each, and all their pairs
    many = [np.linspace(0, curve.spline.t[-6], count) for curve in joint.curves or (joint.curve,)]  # type: ignore[union-attr]
    if joint.curves is not None:
        values = np.stack(np.meshgrid(*many, indexing="ij"), axis=-1).reshape(-1, 2)
    else:
        values = np.stack([many[0], np.zeros_like(many[0])], axis=-1)
    turned, here = _along_curves(geometry, joint, np.stack([values, 0 * values]))
    turned, here = turned[0, :, :2, :2], here[0, :, :2]
    away, tilt = shift - here, np.arctan2(*np.moveaxis((np.swapaxes(turned, 1, 2) @ relative)[:, ::-1, 0], -1, 0))
    if joint.curves is not None:
        best = np.argmin((away**2).sum(1) + (geometry.size * tilt) ** 2)
        return np.asarray(values[best])
    if joint.axis is not None:
        slide = (away * turned[:, :, 0]).sum(1)
        best = np.argmin((away * turned[:, :, 1]).sum(1) ** 2 + (geometry.size * tilt) ** 2)
        return np.array([values[best, 0], slide[best]])
    best = np.argmin((away**2).sum(1))
    return np.array([values[best, 0], tilt[best]])


def _turn(axis: int, angle: Jet) -> Jet:
    """Jet of the rotation about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    c, s = np.zeros_like(angle), np.zeros_like(angle)
    c[0], s[0] = np.cos(angle[0]), np.sin(angle[0])
    c[1], s[1] = -s[0] * angle[1], c[0] * angle[1]
    if len(angle) > 2:
        c[2] = -s[0] * angle[2] - c[0] * angle[1] ** 2
        s[2] = c[0] * angle[2] - s[0] * angle[1] ** 2
    out = np.zeros((*angle.shape, 3, 3))
    out[0, ..., axis, axis] = 1.0
    out[..., i, i], out[..., j, j], out[..., j, i], out[..., i, j] = c, c, s, -s
    return out


def _product(a: Jet, b: Jet) -> Jet:
    """Jet of a matrix product, by the rule of Leibniz."""
    return np.stack([sum(comb(k, i) * (a[i] @ b[k - i]) for i in range(k + 1)) for k in range(len(a))])


def _still(value: Array, lead: tuple[int, ...]) -> Jet:
    """Jet of what does not move; `lead` are the axes before those of the value."""
    out = np.zeros((*lead, *value.shape))
    out[0] = value
    return out


def _skew(w: Array) -> Array:
    out = np.zeros((*w.shape, 3))
    for i in range(3):
        out[..., (i + 2) % 3, (i + 1) % 3], out[..., (i + 1) % 3, (i + 2) % 3] = w[..., i], -w[..., i]
    return out


def _axial(matrix: Array) -> Array:
    """Vector of the antisymmetric part of a matrix."""
    pairs = [(matrix[..., (i + 2) % 3, (i + 1) % 3], matrix[..., (i + 1) % 3, (i + 2) % 3]) for i in range(3)]
    return np.stack([0.5 * (low - high) for low, high in pairs], axis=-1)


def _exponential(w: Array) -> Array:
    return Rotation.from_rotvec(w.reshape(-1, 3)).as_matrix().reshape(*w.shape, 3)
