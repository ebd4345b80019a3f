"""Motion under forces in absolute coordinates, of all bodies at once: a slow reference without groups.

Accelerations follow from masses and the equations' second derivatives (index 1), as in `tests.support.saddle`; after
each step poses and rates are put back on the equations. The equations are those of `tests.support.oracle`; of joints
whose frames are led by moves along and about axes they are written as sums of twists at the global origin, for all
joints at once, since differentiating them anew by each unknown takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import DOP853

import groupkin as gk
from tests.support import oracle
from tests.support.whole import Whole, cross

Array = NDArray[np.float64]

MOST_STEPS = 1000
"""Steps of one motion."""


NEARLY_SINGULAR = 1e-4
"""Smallest over largest singular value of the equations' Jacobian below which no motion is compared."""


class LostError(Exception):
    """The integration cannot go on; with what was reached, if it has begun."""

    path: Path | None = None


@dataclass
class Path:
    """Poses at times (n,) that were reached, and how well the equations determine the motion.

    Attributes
    ----------
    times : list of float
    rotations, places : list of (b, 3, 3) and (b, 3) arrays
    rates : list of (unknowns,) arrays
    coordinates : list of (all,) arrays
    at : list of (float, float)
        Times of steps, and the smallest singular value of the Jacobian there, over the largest.
    step : float, optional
        The last step size, s.
    """

    times: list[float] = field(default_factory=list)
    rotations: list[Array] = field(default_factory=list)
    places: list[Array] = field(default_factory=list)
    rates: list[Array] = field(default_factory=list)
    coordinates: list[Array] = field(default_factory=list)
    at: list[tuple[float, float]] = field(default_factory=list)
    step: float | None = None

    @property
    def smallest(self) -> float:
        return min(value for _, value in self.at)


def integrate(
    mechanism: gk.Mechanism, times: ArrayLike, start: dict[str, tuple[float, float]], rtol: float = 1e-11
) -> Path:
    """Integrate from the reference configuration, where free coordinates have given values, and rates.

    Raises
    ------
    LostError
    """
    equations = Equations(Whole(mechanism))
    path, t = Path(), np.asarray(times, float)
    y = _begun(mechanism, equations, t[0], start)
    _keep(equations, path, t[0], y)
    try:
        for time, end in pairwise(t):
            y = _advanced(equations, path, float(time), y, float(end), rtol)
            _keep(equations, path, end, y)
    except LostError as error:
        error.path = path
        raise
    return path


def _begun(mechanism: gk.Mechanism, equations: Equations, time: float, start: dict[str, tuple[float, float]]) -> Array:
    """The first state, found with the angles of balls as coordinates, which may be given."""
    whole, other = equations.whole, Equations(Whole(mechanism, angles=True))
    y = other.packed(other.whole.at_reference(1), np.zeros((1, other.whole.unknowns)))
    state, rate = other.unpacked(other.begun(time, y, start))
    kept = np.concatenate([np.arange(whole.columns), whole.columns + np.searchsorted(other.whole.free, whole.free)])
    return equations.packed(state, rate[:, kept])


def _advanced(equations: Equations, path: Path, time: float, y: Array, end: float, rtol: float) -> Array:
    """The state at the end of an interval, put back on the equations after every step."""
    step = path.step and min(path.step, end - time)
    solver = DOP853(equations.rate, time, y, end, rtol=rtol, atol=rtol, first_step=step)
    while solver.status == "running":
        solver.step()
        if solver.status == "failed" or len(path.at) > MOST_STEPS or not np.isfinite(solver.y).all():
            raise LostError(f"no step is possible after t = {solver.t:.6g} s")
        solver.y = equations.projected(solver.t, solver.y)
        solver.f = equations.rate(solver.t, solver.y)
        path.at.append((float(solver.t), equations.smallest(solver.t, solver.y)))
        if path.at[-1][1] < NEARLY_SINGULAR:
            raise LostError(f"the equations hardly determine the motion after t = {solver.t:.6g} s")
    path.step = solver.h_abs
    return np.asarray(solver.y)


def _keep(equations: Equations, path: Path, time: float, y: Array) -> None:
    state, rate = equations.unpacked(y)
    path.times.append(float(time))
    path.rotations.append(state.rotations[0])
    path.places.append(state.places[0])
    path.coordinates.append(equations.with_drivers(time, state).coordinates[0])
    path.rates.append(rate[0])
    if not path.at:
        path.at.append((float(time), equations.smallest(time, y)))


class Equations:
    """The equations of motion of a mechanism as a function of its state y: poses, coordinates, rates of unknowns."""

    def __init__(self, whole: Whole) -> None:
        self.whole, mechanism = whole, whole.mechanism
        b = len(whole.number)
        self.sizes = np.cumsum([9 * b, 3 * b, whole.free.size])
        self.fast = [k for k, joint in enumerate(mechanism.joints) if not mechanism.form(joint).curved]
        self.slow = [k for k in range(len(mechanism.joints)) if k not in self.fast]
        joints = [mechanism.joints[k] for k in self.fast]
        ends = [whole.geometry.joints[joint.name] for joint in joints]
        d, count = mechanism.dimension, max((len(mechanism.form(joint).moves) for joint in joints), default=0)
        self.bodies = np.array([[whole.body[x] for x in joint.bodies] for joint in joints], int).reshape(-1, 2)
        self.frames = np.tile(np.eye(3), (len(joints), 2, 1, 1))
        self.points = np.zeros((len(joints), 2, 3))
        self.frames[:, :, :d, :d] = np.array([end.frames for end in ends]).reshape(-1, 2, d, d)
        self.points[:, :, :d] = np.array([end.points for end in ends]).reshape(-1, 2, d)
        self.axes, self.turns, self.used = (np.zeros((count, len(joints)), int) for _ in range(3))
        self.places = np.full((count, len(joints)), -1)
        self.bends = np.tile(np.eye(3), (count, len(joints), 1, 1))
        for i, (k, joint, end) in enumerate(zip(self.fast, joints, ends, strict=True)):
            form = mechanism.form(joint)
            for m, move in enumerate(form.moves):
                if form.bend == m:
                    self.bends[m, i] = end.bend
                if whole.loose[k] and m >= len(form.moves) - 3:
                    continue
                self.axes[m, i], self.turns[m, i], self.places[m, i] = move.axis, move.rotation, whole.first[k] + m
        self.used = self.places >= 0
        self.loose = np.array([whole.loose[k] for k in self.fast], bool)
        kept = (
            np.tile([[True] * 6], (len(joints), 1))
            if d == 3
            else np.tile([True, True, False, False, False, True], (len(joints), 1))
        )
        kept[self.loose, 3:] = False
        self.kept = kept.ravel()
        column = np.full(whole.reference.size, -1)
        column[whole.free] = whole.columns + np.arange(whole.free.size)
        self.column = column
        tied = np.zeros((len(whole.couplings), whole.reference.size))
        for row, (places, factors) in zip(tied, whole.couplings, strict=True):
            row[places] = factors
        self.tied = tied

    # --- states ----------------------------------------------------------------------------------

    def packed(self, state: Any, rate: Array) -> Array:
        parts = state.rotations[0], state.places[0], state.coordinates[0, self.whole.free], rate[0]
        return np.concatenate([part.ravel() for part in parts])

    def unpacked(self, y: Array) -> tuple[Any, Array]:
        rotations, places, free, rate = np.split(y, self.sizes)
        b = len(self.whole.number)
        coordinates = self.whole.reference.copy()
        coordinates[self.whole.free] = free
        state = oracle._State(rotations.reshape(1, b, 3, 3), places.reshape(1, b, 3), coordinates[None])
        return state, rate[None]

    def with_drivers(self, time: float, state: Any) -> Any:
        state.coordinates[:, self.whole.driven] = self.whole.drivers(np.array([time]))[0]
        return state

    # --- equations -------------------------------------------------------------------------------

    def at(self, time: float, y: Array) -> tuple[Any, Array, Array, Any]:
        """State, rates, drivers and everything that forces depend on."""
        state, rate = self.unpacked(y)
        goal = self.whole.drivers(np.array([time]))
        state.coordinates[:, self.whole.driven] = goal[0]
        return state, rate, goal, self.whole.moving(np.array([time]), state, rate, goal)

    def rows(self, moving: Any, goal: Array) -> tuple[Array, Array, Array, Array]:
        """Residuals, Jacobian by all columns (e, columns + all), and acceleration bias; drivers' gains are in it."""
        whole, joints = self.whole, len(self.fast)
        rotations, places, speeds, spins = (
            x[0] for x in (moving.rotations, moving.places, moving.speeds, moving.spins)
        )
        values, rates = moving.values[0], moving.rates[0]
        one, two = self.bodies.T
        frame = rotations[one] @ self.frames[:, 0]
        at = places[one] + np.einsum("jab,jb->ja", rotations[one], self.points[:, 0])
        v, w = speeds[one].copy(), spins[one].copy()
        bias = np.zeros((joints, 6))
        jacobian = np.zeros((joints, 6, whole.columns + whole.reference.size))
        every = np.arange(joints)
        for axis, turns, place, used, bend in zip(
            self.axes, self.turns, self.places, self.used, self.bends, strict=True
        ):
            frame = frame @ bend
            unit = frame[every, :, axis] * used[:, None]
            value, rate = np.where(used, values[place], 0.0), np.where(used, rates[place], 0.0)
            turning = turns[:, None].astype(bool)
            linear, angular = np.where(turning, cross(at, unit), unit), np.where(turning, unit, 0.0)
            s, r = linear * rate[:, None], angular * rate[:, None]
            bias[:, :3] += cross(w, s) + cross(v, r)
            bias[:, 3:] += cross(w, r)
            v, w = v + s, w + r
            chosen = np.flatnonzero(used)
            jacobian[chosen, :3, whole.columns + place[chosen]] -= linear[chosen]
            jacobian[chosen, 3:, whole.columns + place[chosen]] -= angular[chosen]
            frame = np.where(turning[:, :, None], frame @ _turned(axis, value), frame)
            at = at + np.where(turning, 0.0, unit * value[:, None])
        there = places[two] + np.einsum("jab,jb->ja", rotations[two], self.points[:, 1])
        miss = np.swapaxes(frame, 1, 2) @ rotations[two] @ self.frames[:, 1]
        tilt = np.einsum("jab,jb->ja", frame, oracle._axial(miss))
        # the twist that is left moves the second body's frame at the global origin by the residual
        residual = np.concatenate([there - at - cross(tilt, there), tilt], axis=1)
        wide = np.eye(6)[[0, 1, 5]] if whole.planar else np.eye(6)
        for body, sign in ((one, -1.0), (two, 1.0)):
            for j in np.flatnonzero(body < len(whole.number)):
                k = whole.width * body[j]
                jacobian[j, :, k : k + whole.width] += sign * wide.T
        if self.loose.any():
            k, x = np.flatnonzero(self.loose), there[self.loose]
            arm = oracle._skew(x)
            jacobian[k, :3] -= arm @ jacobian[k, 3:]
            residual[k, :3] = x - at[k]
            end = cross(w[k], v[k] + cross(w[k], x))
            own = cross(spins[two[k]], speeds[two[k]] + cross(spins[two[k]], x))
            bias[k, :3] += cross(bias[k, 3:], x) + end - own
        out = [residual.ravel()[self.kept]], [jacobian.reshape(6 * joints, -1)[self.kept]], [-bias.ravel()[self.kept]]
        if len(self.tied):
            out[0].append(self.tied @ (values - whole.reference))
            out[1].append(np.concatenate([np.zeros((len(self.tied), whole.columns)), self.tied], axis=1))
            out[2].append(np.zeros(len(self.tied)))
        if self.slow or whole.of_couplings:
            for part, more in zip(out, self.by_jets(moving), strict=True):
                part.append(more)
        found = [np.concatenate(part) for part in out]
        driven = whole.columns + whole.driven
        return found[0], found[1], found[2] + found[1][:, driven] @ goal[2, 0], found[1][:, driven] @ goal[1, 0]

    def by_jets(self, moving: Any) -> tuple[Array, Array, Array]:
        """The same of cams and couplings, by each column."""
        whole, b, w = self.whole, len(self.whole.number), self.whole.width
        count = whole.columns + whole.reference.size
        rate = np.zeros((count + 1, count))
        rate[:-1] = np.eye(count)
        own = [moving.speeds[0, :b], moving.spins[0, :b]]
        wrench = np.concatenate(own, axis=1)[:, [0, 1, 5] if whole.planar else slice(None)]
        rate[-1] = np.concatenate([wrench.ravel(), moving.rates[0]])
        speed, spin = whole.split(rate[:, : whole.columns].reshape(-1, b, w))
        turns, places = np.zeros((3, count + 1, b, 3, 3)), np.zeros((3, count + 1, b, 3))
        turns[0], places[0] = moving.rotations[0, :b], moving.places[0, :b]
        turns[1], places[1] = oracle._skew(spin) @ turns[0], speed + cross(spin, places[0])
        turns[2], places[2] = oracle._skew(spin) @ turns[1], cross(spin, places[1])
        coordinates = np.zeros((3, count + 1, whole.reference.size))
        coordinates[0], coordinates[1] = moving.values[0], rate[:, whole.columns :]
        rows = [whole.between_frames(k, turns, places, coordinates) for k in self.slow]
        for row, kept in zip(whole._rows(turns, places, coordinates), whole.kept, strict=True):
            parts = [np.zeros(count + 1) + part - (kept if order == 0 else 0.0) for order, part in enumerate(row.parts)]
            rows.append(np.stack(parts)[..., None])
        found = np.concatenate(rows, axis=-1)
        return found[0, 0], found[1, :-1].T, found[2, -1]

    def rate(self, time: float, y: Array) -> Array:
        """The rate of the state."""
        whole = self.whole
        _, rate, goal, moving = self.at(time, y)
        _, every, bias, _ = self.rows(moving, goal)
        jacobian = self.unknown(every)
        mass, push = whole.inertia(moving)
        acting = whole.unknown(push + whole.loads(moving))[0]
        n, e = whole.unknowns, len(jacobian)
        matrix = np.zeros((n + e, n + e))
        matrix[:n, :n], matrix[:n, n:], matrix[n:, :n] = mass[0], jacobian.T, jacobian
        try:
            gains = np.linalg.solve(matrix, np.concatenate([acting, -bias]))[:n]
        except np.linalg.LinAlgError:
            raise LostError(f"no acceleration is determined at t = {time:.6g} s") from None
        b = len(whole.number)
        spins, speeds = moving.spins[0, :b], moving.speeds[0, :b]
        turning = oracle._skew(spins) @ moving.rotations[0, :b]
        moved = speeds + cross(spins, moving.places[0, :b])
        return np.concatenate([turning.ravel(), moved.ravel(), rate[0, whole.columns :], gains])

    def unknown(self, every: Array) -> Array:
        return np.concatenate([every[:, : self.whole.columns], every[:, self.whole.columns + self.whole.free]], axis=1)

    def smallest(self, time: float, y: Array) -> float:
        """Smallest over largest singular value of the Jacobian, as many as there are equations."""
        _, _, goal, moving = self.at(time, y)
        values = np.linalg.svd(self.unknown(self.rows(moving, goal)[1]), compute_uv=False)
        return float(values[-1] / values[0]) if values.size else 1.0

    def projected(self, time: float, y: Array) -> Array:
        """The nearest state whose poses and rates meet the equations."""
        whole = self.whole
        state, rate = self.unpacked(y)
        u, _, v = np.linalg.svd(state.rotations)
        state.rotations = u @ v
        y = self.packed(state, rate)
        for _ in range(4):
            state, rate, goal, moving = self.at(time, y)
            residual, every, _, _ = self.rows(moving, goal)
            if np.abs(residual).max(initial=0.0) < 1e-14:
                break
            step = np.linalg.lstsq(self.unknown(every), -residual, rcond=1e-12)[0]
            y = self.packed(whole.moved(state, step[None]), rate)
        return self.with_rates(time, y, lambda jacobian, left: np.linalg.lstsq(jacobian, left, rcond=1e-12)[0])

    def with_rates(self, time: float, y: Array, solved: Callable[[Array, Array], Array]) -> Array:
        """Correct rates by what `solved` gives for the Jacobian and what is left of the equations' rates."""
        state, rate, goal, moving = self.at(time, y)
        _, every, _, driven = self.rows(moving, goal)
        jacobian = self.unknown(every)
        return self.packed(state, rate + solved(jacobian, -(jacobian @ rate[0] + driven))[None])

    def begun(self, time: float, y: Array, start: dict[str, tuple[float, float]]) -> Array:
        """The state in which free coordinates, by names such as ``joint.freedom``, have values and rates."""
        whole = self.whole
        chosen = [whole.coordinate(*(*name.split("."), None)[:2]) for name in start]
        columns = [whole.columns + int(np.searchsorted(whole.free, k)) for k in chosen]
        values, given = np.array(list(start.values()), float).reshape(-1, 2).T
        for _ in range(30):
            state, rate, goal, moving = self.at(time, y)
            residual, every, _, _ = self.rows(moving, goal)
            jacobian = np.concatenate([self.unknown(every), np.eye(whole.unknowns)[columns]])
            apart = state.coordinates[0, chosen] - values
            step = np.linalg.solve(jacobian, -np.concatenate([residual, apart]))
            y = self.packed(whole.moved(state, step[None]), rate)
            if np.abs(step).max() < 1e-14:
                break
        else:
            assert np.abs(step).max() < 1e-12, "the mechanism is not assembled at its start"

        def rates(jacobian: Array, left: Array) -> Array:
            square = np.concatenate([jacobian, np.eye(whole.unknowns)[columns]])
            return np.linalg.solve(square, np.concatenate([left, given]))

        return self.with_rates(time, y, rates)


def _turned(axes: NDArray[np.int64], angles: Array) -> Array:
    """Rotations about coordinate axes (n,)."""
    out, every = np.zeros((len(axes), 3, 3)), np.arange(len(axes))
    i, j = (axes + 1) % 3, (axes + 2) % 3
    c, s = np.cos(angles), np.sin(angles)
    out[every, axes, axes] = 1.0
    out[every, i, i] = out[every, j, j] = c
    out[every, j, i], out[every, i, j] = s, -s
    return out
