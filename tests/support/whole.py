"""Equations, masses and forces of all bodies at once: a slow reference, without groups.

The equations are those of `tests.support.oracle`, with couplings. A force in a joint acts along the coordinate of the
joint itself. The laws of forces are written anew, and nothing of `groupkin.dynamics` is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

import groupkin as gk
from groupkin.mechanism.pairs import freedom_index
from tests.support import oracle, series

Array = NDArray[np.float64]


@dataclass
class Moving:
    """Bodies at some times, the frame the last one, with all joint coordinates and their rates.

    Rotations (n, b, 3, 3), and the velocities (n, b, 3) of the points that are at the global origin.
    """

    times: Array
    rotations: Array
    places: Array
    speeds: Array
    spins: Array
    values: Array
    rates: Array

    def at(self, body: int, point: Array) -> tuple[Array, Array]:
        """A point of a body, given in the reference configuration, and its velocity."""
        x = self.places[:, body] + self.rotations[:, body] @ point
        return x, self.speeds[:, body] + cross(self.spins[:, body], x)


def cross(a: Array, b: Array) -> Array:
    """np.cross takes longer."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return out


def dot(a: Array, b: Array) -> Array:
    return (a * b).sum(axis=-1)


class Whole(oracle._System):
    """All equations of a mechanism with its couplings, masses and forces; drivers without a law are free."""

    def __init__(self, mechanism: gk.Mechanism, angles: bool = False) -> None:
        """Of balls that turn freely, with `angles` those of free drivers are unknown as well."""
        driven = [driver for driver in mechanism.drivers if driver.law is not None]
        turning = {load.joint for load in mechanism.forces if isinstance(load, IN_JOINT)}
        turning |= {driver.joint for driver in mechanism.drivers if angles and driver.law is None}
        for coupling in mechanism.couplings:
            turning |= {joint for joint in mechanism.joint if f"joint {joint}" in coupling.equation + str(coupling.of)}
        super().__init__(replace(mechanism, drivers=driven), turning)
        self.body = {name: k for k, name in enumerate((*mechanism.movable, mechanism.frame))}
        self.columns = self.width * len(self.number)  # before those of the coordinates
        for k, joint in enumerate(mechanism.joints):
            if mechanism.form(joint).curved:
                self._touch(k)
        self.of_couplings = series.equations(mechanism)
        self.kept: list[Any] = []
        start = self.at_reference(1)
        at = self.bodies(start, [np.zeros((1, self.unknowns))])
        values = np.stack([start.coordinates, 0.0 * start.coordinates])
        self.kept = [float(row.parts[0][0]) for row in self._rows(*at, values)]
        for k, coupling in enumerate(mechanism.couplings):
            if coupling.of or "=" in coupling.equation:
                assert abs(self.kept[k]) < 1e-6, "a coupling must hold in the reference configuration"
                self.kept[k] = 0.0

    def _touch(self, k: int) -> None:
        """Correct where a cam touches in the reference configuration, which is found only roughly."""
        b, own = len(self.number), slice(self.first[k], self.first[k + 1])
        turns, places = np.zeros((2, 2, b, 3, 3)), np.zeros((2, 2, b, 3))
        turns[0] = np.eye(3)
        for _ in range(8):
            values = np.zeros((2, 2, self.reference.size))
            values[0], values[1][:, own] = self.reference, np.eye(2)
            found = self.between_frames(k, turns, places, values)
            self.reference[own] -= np.linalg.lstsq(found[1].T, found[0, 0], rcond=None)[0]

    # --- equations -----------------------------------------------------------------------------

    def equations(self, rotations: Array, places: Array, coordinates: Array) -> Array:
        own = super().equations(rotations, places, coordinates)
        more = [
            np.stack([part - (kept if order == 0 else 0.0) for order, part in enumerate(row.parts)])
            for row, kept in zip(self._rows(rotations, places, coordinates), self.kept, strict=False)
        ]
        return np.concatenate([own, *(row[..., None] + np.zeros((*own.shape[:-1], 1)) for row in more)], axis=-1)

    def _rows(self, rotations: Array, places: Array, coordinates: Array) -> list[series.Series]:
        def read(text: str) -> Any:
            kind, name = text.split()
            name, _, part = name.partition(".")
            if kind == "joint":
                return series.Series(tuple(coordinates[..., self.coordinate(name, part or None)]))
            body = next(b for b, stated in self.mechanism.body.items() if name in stated.points)
            local = np.zeros(3)
            local[: self.mechanism.dimension] = self.mechanism.positions[name]
            k = self.number[body]
            at = places[..., k, :] + rotations[..., k, :, :] @ local
            every = series.Vector(series.Series(tuple(at[..., i])) for i in range(self.mechanism.dimension))
            return every["xyz".index(part)] if part else every

        return [row(read) for row in self.of_couplings]

    def coordinate(self, joint: str, freedom: str | None) -> int:
        """Number of a freedom's coordinate."""
        stated = self.mechanism.joint[joint]
        k = freedom_index(stated.type, self.mechanism.dimension, freedom, stated.follower)
        return int(self.first[list(self.mechanism.joint).index(joint)]) + self.mechanism.form(stated).places[k]

    def rows(self) -> dict[str, slice]:
        """Numbers of the equations of every joint that are between its frames."""
        found, at, d = {}, 0, self.mechanism.dimension
        for k, joint in enumerate(self.mechanism.joints):
            count = d + (0 if self.loose[k] else 2 * d - 3)
            found[joint.name] = slice(at, at + count)
            at += count
        return found

    def near_reference(self, state: Any) -> Any:
        """Angles of undriven coordinates are within half a turn of the reference, and contacts of closed curves."""
        apart = self.reference - state.coordinates
        for k, joint in enumerate(self.mechanism.joints):
            curves = joint.curves or (joint.curve,)
            for i, move in enumerate(self.mechanism.form(joint).moves):
                c, whole = self.first[k] + i, 2 * np.pi if move.rotation else 0.0
                if move.name.startswith("contact"):
                    curve = curves[i]
                    whole = curve.spline.t[-6] if curve is not None and curve.closed else 0.0
                if whole and c not in self.driven:
                    state.coordinates[:, c] += whole * np.round(apart[:, c] / whole)
        return state

    def of_motion(self, motion: Any) -> Any:
        """The state at the poses of a motion, corrected: its coordinates, and what Newton's last step leaves."""
        start = {body: (motion.rotation(body), motion.position(body)) for body in self.mechanism.movable}
        goal = self.drivers(motion.times)[0]
        state = self.near_reference(self.fit(self.near(start, motion.times.size), goal))
        return self.newton(state, goal, largest=0.05)

    # --- rates ---------------------------------------------------------------------------------

    def moving(self, times: Array, state: Any, rate: Array, goal: Array) -> Moving:
        """Everything that forces depend on, given rates (n, unknowns) and drivers (2, n, driven)."""
        n, b = len(times), len(self.number)
        rotations, places, speeds, spins = (np.zeros((n, b + 1, *each)) for each in ((3, 3), (3,), (3,), (3,)))
        rotations[:, :b], rotations[:, b], places[:, :b] = state.rotations, np.eye(3), state.places
        speeds[:, :b], spins[:, :b] = self.split(rate[:, : self.columns].reshape(n, b, self.width))
        rates = np.zeros_like(state.coordinates)
        rates[:, self.driven], rates[:, self.free] = goal[1], rate[:, self.columns :]
        return Moving(times, rotations, places, speeds, spins, state.coordinates, rates)

    def bias(self, state: Any, rate: Array, goal: Array) -> Array:
        """Accelerations (n, equations) of the equations where those of the unknowns are zero."""
        coordinates = np.zeros((3, *state.coordinates.shape))
        coordinates[0] = state.coordinates
        coordinates[1][:, self.driven], coordinates[2][:, self.driven] = goal[1], goal[2]
        coordinates[1][:, self.free] = rate[:, self.columns :]
        return self.equations(*self.bodies(state, [rate, np.zeros_like(rate)]), coordinates)[2]

    def rates(self, state: Any, goal: Array) -> Array:
        """Rates (n, unknowns) where all is driven."""
        jacobian, _ = self.linearize(state)
        zero = np.zeros((goal.shape[1], self.unknowns))
        return np.linalg.solve(jacobian, -self._by_time(state, zero, goal)[:, :, None])[:, :, 0]

    def _by_time(self, state: Any, rate: Array, goal: Array) -> Array:
        coordinates = np.zeros((2, *state.coordinates.shape))
        coordinates[0], coordinates[1][:, self.driven] = state.coordinates, goal[1]
        coordinates[1][:, self.free] = rate[:, self.columns :]
        return self.equations(*self.bodies(state, [rate]), coordinates)[1]

    # --- masses --------------------------------------------------------------------------------

    @cached_property
    def _masses(self) -> tuple[Array, Array, Array]:
        """Masses (b,), their centers (b, 3) and moments of inertia (b, 3, 3) of the movable bodies."""
        b, d = len(self.number), self.mechanism.dimension
        masses, centers, tensors = np.zeros(b), np.zeros((b, 3)), np.zeros((b, 3, 3))
        for body, k in self.number.items():
            stated = self.mechanism.body[body]
            masses[k] = stated.mass
            centers[k, :d] = 0.0 if stated.center is None else stated.center
            if self.planar:
                tensors[k, 2, 2] = float(stated.inertia)  # type: ignore[arg-type]
            else:
                tensors[k] = np.array(stated.inertia, float) * (np.eye(3) if np.ndim(stated.inertia) < 2 else 1.0)
        return masses, centers, tensors

    def inertia(self, moving: Moving) -> tuple[Array, Array]:
        """Masses (n, unknowns, unknowns), and weights and inertia (n, columns) at zero accelerations."""
        n, b, w = len(moving.times), len(self.number), self.width
        masses, centers, tensors = self._masses
        gravity = np.zeros(3)
        gravity[: self.mechanism.dimension] = self.mechanism.gravity or 0.0
        turns, spins = moving.rotations[:, :b], moving.spins[:, :b]
        x = moving.places[:, :b] + np.einsum("nbij,bj->nbi", turns, centers)
        tensor = turns @ tensors @ np.swapaxes(turns, -1, -2)
        force = masses[:, None] * (gravity - cross(spins, moving.speeds[:, :b] + cross(spins, x)))
        moment = cross(x, force) - cross(spins, np.einsum("nbij,nbj->nbi", tensor, spins))
        kept = [0, 1, 5] if self.planar else list(range(6))
        push = self.none(moving)
        push[:, : self.columns] = np.concatenate([force, moment], axis=-1)[..., kept].reshape(n, -1)
        arm = masses[:, None, None] * oracle._skew(x)
        whole = np.zeros((n, b, 6, 6))
        whole[..., :3, :3] = masses[:, None, None] * np.eye(3)
        whole[..., :3, 3:], whole[..., 3:, :3] = -arm, arm
        whole[..., 3:, 3:] = tensor - arm @ oracle._skew(x)
        mass = np.zeros((n, self.unknowns, self.unknowns))
        for k in range(b):
            mass[:, w * k : w * k + w, w * k : w * k + w] = whole[:, k][:, kept][:, :, kept]
        return mass, push

    def none(self, moving: Moving) -> Array:
        return np.zeros((len(moving.times), self.columns + self.reference.size))

    def push(self, loads: Array, body: int, point: Array, force: Array, moment: Array | float = 0.0) -> None:
        """Add a force at a point, and a moment, to loads (n, columns of bodies and all coordinates)."""
        if body < len(self.number):
            wrench = np.concatenate([force, cross(point, force) + moment], axis=-1)
            wrench = wrench[:, [0, 1, 5]] if self.planar else wrench
            loads[:, self.width * body : self.width * (body + 1)] += wrench

    # --- forces --------------------------------------------------------------------------------

    def loads(self, moving: Moving) -> Array:
        """All forces but those of inertia, weight and friction by reactions, (n, columns and all coordinates)."""
        found = self.none(moving)
        for load in self.mechanism.forces:
            if not isinstance(load, gk.Friction):
                LAWS[type(load)](self, moving, load, found)
        return found

    def unknown(self, loads: Array) -> Array:
        """Those that act along unknowns."""
        return np.concatenate([loads[:, : self.columns], loads[:, self.columns + self.free]], axis=1)


def local(whole: Whole, point: Any) -> Array:
    """A point in space from coordinates in the plane or in space."""
    found = np.zeros(3)
    found[: whole.mechanism.dimension] = point
    return found


@lru_cache(maxsize=64)
def _inner(table: Any) -> tuple[Any, Any, float, float]:
    x, y = np.array(table).T
    inner = PchipInterpolator(x, y)
    return inner, inner.derivative(), x[0], x[-1]


def curve(table: Any, at: Array) -> Array:
    """The monotone cubic through a table, with straight ends (Fritsch and Butland 1984)."""
    if not table:
        return np.zeros_like(at)
    inner, slope, first, last = _inner(table)
    near = np.clip(at, first, last)
    return np.asarray(inner(near) + slope(near) * (at - near))


def _spring(whole: Whole, moving: Moving, load: gk.Spring, found: Array) -> None:
    bodies = [whole.body[body] for body in load.between]
    points = [local(whole, point) for point in load.points]
    (a, va), (b, vb) = (moving.at(*each) for each in zip(bodies, points, strict=True))
    distance = np.sqrt(dot(b - a, b - a))
    unit = (b - a) / distance[:, None]
    rate = dot(unit, vb - va)
    length = np.linalg.norm(points[1] - points[0]) if load.length is None else load.length
    pull = load.stiffness * (distance - length) + load.damping * rate + load.preload
    pull = pull + curve(load.table, distance) + curve(load.damping_table, rate)
    whole.push(found, bodies[0], a, pull[:, None] * unit)
    whole.push(found, bodies[1], b, -pull[:, None] * unit)


def _in_joint(whole: Whole, moving: Moving, load: Any, found: Array) -> None:
    k = whole.coordinate(load.joint, load.freedom)
    value, rate = moving.values[:, k], moving.rates[:, k]
    if isinstance(load, gk.JointSpring):
        amount = -load.stiffness * (value - load.position) - load.damping * rate - load.preload
        amount = amount - curve(load.table, value) - curve(load.damping_table, rate)
    elif isinstance(load, gk.Stop):
        low, high = whole.mechanism.joint[load.joint].range  # type: ignore[misc]
        under, over = np.maximum(low - value, 0.0), np.maximum(value - high, 0.0)
        amount = load.stiffness * under * np.maximum(1.0 - load.damping * rate, 0.0)
        amount = amount - load.stiffness * over * np.maximum(1.0 + load.damping * rate, 0.0)
    elif isinstance(load, gk.JointForce):
        amount = load.force * (1.0 if load.law is None else load.law.at(moving.times)[0])
    else:
        amount = -load.force * rate / np.sqrt(rate**2 + (load.speed or 0.001) ** 2) - load.damping * rate
    found[:, whole.columns + k] += amount


def _on_body(whole: Whole, moving: Moving, load: Any, found: Array) -> None:
    k, joint = whole.body[load.body], whole.mechanism.joint.get(load.axes)
    stated = np.atleast_1d(np.array(load.force if isinstance(load, gk.Force) else load.torque, float))
    vector = np.zeros(3)
    vector[: stated.size] = stated
    if stated.size == 1:
        vector = np.array([0.0, 0.0, stated[0]])
    elif joint is not None:
        frame, d = np.eye(3), whole.mechanism.dimension
        frame[:d, :d] = whole.geometry.joints[joint.name].frames[0]
        vector = frame @ vector
    axes = joint.bodies[0] if joint is not None else load.axes or whole.mechanism.frame
    share = 1.0 if load.law is None else load.law.at(moving.times)[0][:, None]
    vector = share * (moving.rotations[:, whole.body[axes]] @ vector)
    if isinstance(load, gk.Force):
        whole.push(found, k, moving.at(k, local(whole, load.point))[0], vector)
    else:
        whole.push(found, k, np.zeros(3), 0.0 * vector, vector)


def _bushing(whole: Whole, moving: Moving, load: gk.Bushing, found: Array) -> None:
    """Stiffness and damping by one number each, the same in all axes."""
    one, two = (whole.body[body] for body in load.between)
    (a, va), (b, vb) = (moving.at(body, local(whole, load.point)) for body in (one, two))
    spin = moving.spins[:, two] - moving.spins[:, one]
    force = -load.stiffness * (b - a) - load.damping * (vb - va - cross(moving.spins[:, one], b - a))  # type: ignore[operator]
    relative = moving.rotations[:, two] @ np.swapaxes(moving.rotations[:, one], 1, 2)
    if whole.planar:
        turn = np.arctan2(relative[:, 1, 0], relative[:, 0, 0])[:, None] * np.array([0.0, 0.0, 1.0])
        moment = -load.torsion * turn - load.torsion_damping * spin  # type: ignore[operator]
    else:
        # a = ½ Σ e × f of the axes e and f of both bodies, and its rate G ω
        turn = oracle._axial(relative)
        trace = np.trace(relative, axis1=1, axis2=2)[:, None, None]
        slope = 0.5 * (trace * np.eye(3) - relative)
        rate = np.einsum("nij,nj->ni", slope, spin)
        moment = -np.einsum("nji,nj->ni", slope, load.torsion * turn + load.torsion_damping * rate)  # type: ignore[operator]
    whole.push(found, two, b, force, moment)
    whole.push(found, one, b, -force, -moment)


IN_JOINT = (gk.JointSpring, gk.JointForce, gk.JointFriction, gk.Stop)

LAWS: dict[type, Any] = {
    gk.Spring: _spring,
    gk.JointSpring: _in_joint,
    gk.JointForce: _in_joint,
    gk.JointFriction: _in_joint,
    gk.Stop: _in_joint,
    gk.Force: _on_body,
    gk.Torque: _on_body,
    gk.Bushing: _bushing,
}
