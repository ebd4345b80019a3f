"""Accelerations, driving forces and reactions from a saddle point of masses and equations: a slow reference.

With the unknown twists and coordinates u, the masses M, all that acts Q and the equations' Jacobian J,

    M u' + Jᵀ λ = Q,    J u' = -b,

b being the accelerations of the equations where u' = 0. The multipliers of a joint's equations are what it transmits,
forces in the joint and drivers included. Teeth of gears add what is normal to their tangential force to Jᵀ; Coulomb's
friction is found by Newton's method on the normal forces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import groupkin as gk
from groupkin.mechanism.pairs import PAIRS
from tests.support import oracle
from tests.support.whole import IN_JOINT, LAWS, Moving, Whole, cross, dot

Array = NDArray[np.float64]

PRESSURE = np.deg2rad(20.0)
"""Pressure angle (rad) of gears that state none."""

STILL = 1e-9
"""Rate, relative to the size per second, of a distance of gear centers that stays."""


class NoFrictionError(Exception):
    """Newton's method finds no normal forces."""


@dataclass(frozen=True)
class Answer:
    """What the whole mechanism says at times (n,).

    Attributes
    ----------
    rates, gains : (n, unknowns) arrays
        Of the unknowns: twists at the global origin, and coordinates.
    drivers : (n, driven) array
        What drivers exert, N m or N, in the order of the coordinates.
    reactions : dict of str to (n, 6) array
        What the first body of each joint does to the second, beside forces in the joint: a moment about the joint's
        point on the second body, N m, and a force, N.
    smallest : (n,) array
        Singular values of the equations' Jacobian, the smallest over the largest.
    """

    rates: Array
    gains: Array
    drivers: Array
    reactions: dict[str, Array]
    smallest: Array


def solve(whole: Whole, motion: Any) -> Answer:
    """Solve at the poses of a motion whose drivers have laws."""
    times, goal = motion.times, whole.drivers(motion.times)
    state = whole.of_motion(motion)
    rate = whole.rates(state, goal)
    return _Point(whole, times, state, rate, goal).answer()


class _Point:
    """The saddle point at some times."""

    def __init__(self, whole: Whole, times: Array, state: Any, rate: Array, goal: Array) -> None:
        self.whole, self.state, self.rate = whole, state, rate
        self.moving = whole.moving(times, state, rate, goal)
        self.jacobian, _ = whole.linearize(state)
        self.mass, push = whole.inertia(self.moving)
        self.acting = push + whole.loads(self.moving)
        self.bias = whole.bias(state, rate, goal)
        self.along = _by_driven(whole, state)
        self.meshes = [mesh for joint in whole.mechanism.joints for mesh in _meshes(self, joint)]

    def solved(self, acting: Array, signs: Array) -> tuple[Array, Array]:
        """Accelerations (n, unknowns) and λ (n, equations) under loads, tangential forces having given signs."""
        n, rows, unknowns = self.jacobian.shape
        upper = np.swapaxes(self.jacobian, 1, 2).copy()
        for k, mesh in enumerate(self.meshes):
            upper -= self.whole.unknown(mesh.beside(signs[:, k]))[:, :, None] * mesh.tangential[:, None, :]
        matrix = np.zeros((n, unknowns + rows, unknowns + rows))
        matrix[:, :unknowns, :unknowns], matrix[:, :unknowns, unknowns:] = self.mass, upper
        matrix[:, unknowns:, :unknowns] = self.jacobian
        right = np.concatenate([self.whole.unknown(acting), -self.bias], axis=1)
        found = np.linalg.solve(matrix, right[:, :, None])[:, :, 0]
        return found[:, :unknowns], found[:, unknowns:]

    def with_teeth(self, acting: Array) -> tuple[Array, Array, Array]:
        """Accelerations, λ, and signs (n, meshes) of the tangential forces of gears that agree with them."""
        signs = np.ones((len(self.bias), len(self.meshes)))
        for _ in range(2 ** len(self.meshes) + 1):
            gains, found = self.solved(acting, signs)
            now = self.signs(found)
            if (now == signs).all():
                break
            signs = now
        return gains, found, signs

    def signs(self, found: Array) -> Array:
        every = [np.where(dot(mesh.tangential, found) < 0.0, -1.0, 1.0) for mesh in self.meshes]
        return np.array(every).reshape(-1, len(found)).T

    def answer(self) -> Answer:
        acting = self.acting.copy()
        surfaces = [_Surface(self, load) for load in self.whole.mechanism.forces if isinstance(load, gk.Friction)]
        for surface, amount in zip(surfaces, _coulomb(self, surfaces), strict=True):
            surface.add(acting, amount)
        gains, found, _ = self.with_teeth(acting)
        own, wrenches = _in_joints(self), self.wrenches(found)
        reactions = {name: wrench - own[name] for name, wrench in wrenches.items()}
        values = np.linalg.svd(self.jacobian, compute_uv=False)
        return Answer(self.rate, gains, self.drivers(acting, found), reactions, values[:, -1] / values[:, 0])

    def drivers(self, acting: Array, found: Array) -> Array:
        return np.einsum("ne,ned->nd", found, self.along) - acting[:, self.whole.columns + self.whole.driven]

    def wrenches(self, found: Array) -> dict[str, Array]:
        """What joints transmit by their multipliers, and by their teeth; friction by reactions does not."""
        whole, out = self.whole, {}
        for joint in whole.mechanism.joints:
            rows = whole.rows()[joint.name]
            by_body = -np.einsum("ne,neu->nu", found[:, rows], self.jacobian[:, rows, : whole.columns])
            out[joint.name] = self.about(joint, by_body)
        for mesh in self.meshes:
            size = dot(mesh.tangential, found)
            by_body = mesh.beside(np.where(size < 0.0, -1.0, 1.0))[:, : whole.columns] * size[:, None]
            out[mesh.joint.name] = out[mesh.joint.name] + self.about(mesh.joint, by_body)
        return out

    def about(self, joint: gk.Joint, loads: Array) -> Array:
        """Moment about the joint's point and force (n, 6) on the second body, from loads of the joint on both."""
        whole = self.whole
        first, second = (whole.body[body] for body in joint.bodies)
        k, sign = (second, 1.0) if second < len(whole.number) else (first, -1.0)
        wrench = np.zeros((len(loads), 6))
        wrench[:, [0, 1, 5] if whole.planar else slice(None)] = loads[:, whole.width * k : whole.width * (k + 1)]
        force, moment = sign * wrench[:, :3], sign * wrench[:, 3:]
        return np.concatenate([moment - cross(self.point(joint), force), force], axis=1)

    def point(self, joint: gk.Joint) -> Array:
        """The joint's point on its second body, (n, 3)."""
        return self.ends(joint)[1][1]

    def ends(self, joint: gk.Joint) -> list[tuple[Array, Array]]:
        """Axes (n, 3, 3) and origins (n, 3) of the frames of a joint."""
        rotations, places = self.moving.rotations[None, :, :-1], self.moving.places[None, :, :-1]
        return [(axes[0], origin[0]) for axes, origin in self.whole.ends(joint, rotations, places)]


def _by_driven(whole: Whole, state: Any) -> Array:
    """Derivatives (n, equations, driven) of the equations by driven coordinates."""
    n, count = state.places.shape[0], whole.driven.size
    coordinates = np.zeros((2, n, count, whole.reference.size))
    coordinates[0] = state.coordinates[:, None]
    coordinates[1][:, np.arange(count), whole.driven] = 1.0
    spread = oracle._State(state.rotations[:, None], state.places[:, None], state.coordinates)
    still = np.zeros((n, count, whole.unknowns))
    return np.swapaxes(whole.equations(*whole.bodies(spread, [still]), coordinates)[1], 1, 2)


# --- teeth -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Mesh:
    """Gears with parallel axes whose centers keep their distance.

    Their tangential force is τ = tangential · λ; besides, the teeth push both bodies by the loads |τ| radial + τ axial.
    """

    joint: gk.Joint
    tangential: Array
    radial: Array
    axial: Array

    def beside(self, signs: Array) -> Array:
        """Loads (n, columns) for a unit τ with given signs of τ."""
        return signs[:, None] * self.radial + self.axial


def _meshes(point: _Point, joint: gk.Joint) -> list[_Mesh]:
    """The teeth of a joint, if it has any; none of axes that are not parallel or centers that move apart."""
    whole, moving, kind = point.whole, point.moving, PAIRS[joint.type].mesh
    if not kind or joint.radii is None:
        return []
    bodies = [whole.body[body] for body in joint.bodies]
    (axes, one), (others, two) = point.ends(joint)
    axis = axes[:, :, 2]
    if np.abs(cross(axis, others[:, :, 2])).max() > 1e-9:
        return []
    away = two - one
    away = away - dot(away, axis)[:, None] * axis
    distance = np.sqrt(dot(away, away))
    way = away / distance[:, None]
    moved = [moving.speeds[:, k] + cross(moving.spins[:, k], x) for k, x in zip(bodies, (one, two), strict=True)]
    if np.abs(dot(moved[1] - moved[0], way)).max() > STILL * max(1.0, whole.geometry.size):
        return []
    first, second = joint.radii
    pitch = one + (first / (first - kind * second)) * away
    if kind < 0:  # outer gears: the teeth of the first push the second away from it
        outward = push = way
    else:  # those of a ring push the wheel in it inward, those of the wheel push the ring outward
        outward = way if first > second else -way
        push = -outward if first > second else outward
    around = cross(axis, outward)
    pressure = PRESSURE if joint.pressure_angle is None else joint.pressure_angle
    helix = joint.helix_angle or 0.0
    rows = whole.rows()[joint.name]
    k, sign = (bodies[1], 1.0) if bodies[1] < len(whole.number) else (bodies[0], -1.0)
    forces = point.jacobian[:, rows, whole.width * k : whole.width * k + (2 if whole.planar else 3)]
    tangential = np.zeros((len(way), point.jacobian.shape[1]))
    tangential[:, rows] = -sign * np.einsum("nei,ni->ne", forces, around[:, : forces.shape[2]])

    def pushed(force: Array) -> Array:
        loads = whole.none(moving)
        whole.push(loads, bodies[1], pitch, force)
        whole.push(loads, bodies[0], pitch, -force)
        return loads

    radial = pushed(np.tan(pressure) / np.cos(helix) * push)
    return [_Mesh(joint, tangential, radial, pushed(-np.tan(helix) * axis))]


# --- forces in joints ------------------------------------------------------------------------


def _in_joints(point: _Point) -> dict[str, Array]:
    """What forces in joints do: of all wrenches with their power the one along the joint's own freedoms."""
    whole = point.whole
    found = {joint.name: np.zeros((len(point.bias), 6)) for joint in whole.mechanism.joints}
    for load in whole.mechanism.forces:
        if isinstance(load, IN_JOINT):
            amount = _amount(whole, point.moving, load)
            found[load.joint] = found[load.joint] + amount[:, None] * unit_wrench(point, load.joint, load.freedom)
    return found


def _amount(whole: Whole, moving: Moving, load: Any) -> Array:
    loads = whole.none(moving)
    LAWS[type(load)](whole, moving, load, loads)
    return np.asarray(loads[:, whole.columns + whole.coordinate(load.joint, load.freedom)])


def unit_wrench(point: _Point, name: str, freedom: str | None) -> Array:
    """Moment about the joint's point and force (n, 6) in the span of the freedoms' twists, lengths by the size."""
    whole, joint = point.whole, point.whole.mechanism.joint[name]
    k, form = list(whole.mechanism.joint).index(name), whole.mechanism.form(joint)
    count, n = len(form.moves), len(point.bias)
    values = np.zeros((2, n, count, count))
    values[0] = point.moving.values[:, None, whole.first[k] : whole.first[k + 1]]
    values[1] = np.eye(count)
    if form.coupled:
        (one, other), factors = form.coupled, oracle._coupling(joint, whole.mechanism.dimension)
        values[1][:, one, other] = -factors[0] / factors[1]
    rotation, shift = oracle._moves(whole.mechanism, joint, whole.geometry.joints[name].bend, values)
    axes, size = point.ends(joint)[0][0], whole.geometry.size
    spins = oracle._axial(rotation[1] @ np.swapaxes(rotation[0], -1, -2)) @ np.swapaxes(axes, 1, 2)
    twists = np.concatenate([spins, shift[1] @ np.swapaxes(axes, 1, 2) / size], axis=2)[:, list(form.places)]
    dual = np.linalg.solve(twists @ np.swapaxes(twists, 1, 2), twists)
    number = form.places.index(whole.coordinate(name, freedom) - whole.first[k])
    return np.asarray(dual[:, number] / np.array([1.0, 1.0, 1.0, size, size, size]))


class _Surface:
    """Surfaces of a joint that slide on each other with friction."""

    def __init__(self, point: _Point, load: gk.Friction) -> None:
        whole, moving = point.whole, point.moving
        self.point, self.load, self.joint = point, load, whole.mechanism.joint[load.joint]
        self.bodies = [whole.body[body] for body in self.joint.bodies]
        kind, radius = self.joint.type, load.radius or 1.0
        axes, self.at = point.ends(self.joint)[0][0], point.point(self.joint)
        spin = moving.spins[:, self.bodies[1]] - moving.spins[:, self.bodies[0]]
        speeds = [moving.speeds[:, k] + cross(moving.spins[:, k], self.at) for k in self.bodies]
        self.axis = axes[:, :, 2] if not (whole.planar and kind == "P") else axes[:, :, 0]
        turning, sliding = dot(spin, self.axis), dot(speeds[1] - speeds[0], self.axis)
        none = np.zeros_like(self.axis)
        self.slope = 0.0
        if kind == "S":
            ways = [(radius * unit + none, none) for unit in np.eye(3)]
            rates = radius * spin
        elif kind == "H":
            assert self.joint.pitch is not None
            self.slope = self.joint.pitch / radius
            root = np.hypot(1.0, self.slope)
            ways = [(radius / root * self.axis, self.slope / root * self.axis)]
            rates = (radius * root * turning)[:, None]
        else:
            every = {"R": [0], "P": [1], "C": [0, 1]}[kind]
            ways = [[(radius * self.axis, none), (none, self.axis)][k] for k in every]
            rates = np.stack([radius * turning, sliding], axis=1)[:, every]
        self.coefficient = load.coefficient
        if load.efficiency is not None:
            lead = np.arctan(abs(self.slope))
            self.coefficient = float(np.tan(np.arctan(np.tan(lead) / load.efficiency) - lead))
        shares = -rates / np.sqrt(dot(rates, rates)[:, None] + (load.speed or 0.001) ** 2)
        self.moment = sum(share[:, None] * way[0] for share, way in zip(shares.T, ways, strict=True))
        self.force = sum(share[:, None] * way[1] for share, way in zip(shares.T, ways, strict=True))

    def wrench(self, amount: Array) -> Array:
        return amount[:, None] * np.concatenate([self.moment, self.force], axis=1)

    def add(self, loads: Array, amount: Array) -> None:
        wrench = self.wrench(amount)
        for k, sign in zip(self.bodies, (-1.0, 1.0), strict=True):
            self.point.whole.push(loads, k, self.at, sign * wrench[:, 3:], sign * wrench[:, :3])

    def normals(self, wrench: Array, torque: Array) -> list[Array]:
        """Normal forces (n, 3), from the wrench that the joint transmits, `torque` about the axis not by surfaces."""
        moment, force = wrench[:, :3], wrench[:, 3:]
        along = dot(force, self.axis)[:, None] * self.axis
        if self.joint.type == "S":
            return [force]
        if self.joint.type == "H":
            around = (dot(moment, self.axis) - torque) / (self.load.radius or 1.0)
            normal = (dot(force, self.axis) - self.slope * around) / np.hypot(1.0, self.slope)
            return [normal[:, None] * self.axis]
        if self.load.axial:
            return [along]
        if self.load.length is None:
            return [force - along]
        pair = cross(moment, self.axis) / self.load.length
        return [0.5 * (force - along) + pair, 0.5 * (force - along) - pair]


def _coulomb(point: _Point, surfaces: list[_Surface]) -> Array:
    """μ N (surfaces, n) of all surfaces, N, by Newton's method from where there is no friction."""
    n, count = len(point.bias), len(surfaces)
    amounts, signs = np.zeros((count, n)), point.with_teeth(point.acting)[2]
    for _ in range(30 if surfaces else 0):
        base, signs = _normals(point, surfaces, amounts, signs)
        left, matrix = amounts.T.copy(), np.tile(np.eye(count), (n, 1, 1))
        for j in range(count):
            pushed, _ = _normals(point, surfaces, amounts + np.eye(count)[:, j : j + 1], signs)
            for i, surface in enumerate(surfaces):
                for one, other in zip(base[i], pushed[i], strict=True):
                    size = np.maximum(np.sqrt(dot(one, one)), 1e-300)
                    matrix[:, i, j] -= surface.coefficient * dot(one, other - one) / size
                    left[:, i] -= surface.coefficient * size / count  # once for all j
        step = -np.linalg.solve(matrix, left[:, :, None])[:, :, 0].T
        amounts = amounts + step
        if np.abs(step).max() <= 1e-12 * np.abs(amounts).max():
            return amounts
    if surfaces:
        raise NoFrictionError
    return amounts


def _normals(point: _Point, surfaces: list[_Surface], amounts: Array, signs: Array) -> tuple[list[list[Array]], Array]:
    """Normal forces of all surfaces under amounts of friction, and the signs of tangential forces of gears then."""
    whole, acting, every = point.whole, point.acting.copy(), []
    for surface, amount in zip(surfaces, amounts, strict=True):
        surface.add(acting, amount)
    _, found = point.solved(acting, signs)
    wrenches, drivers = point.wrenches(found), point.drivers(acting, found)
    for surface in surfaces:
        torque = np.zeros(len(point.bias))
        if surface.joint.type == "H":
            k = whole.coordinate(surface.joint.name, None)
            torque = point.acting[:, whole.columns + k] + sum(
                drivers[:, i] for i, x in enumerate(whole.driven) if x == k
            )
        every.append(surface.normals(wrenches[surface.joint.name], torque))
    return every, point.signs(found)
