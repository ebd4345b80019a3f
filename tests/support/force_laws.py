"""The laws of forces, written once more with NumPy and SciPy, as the judge of those that are compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

import groupkin as gk
from groupkin.dynamics.bodies.masses import local_point
from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]

CYCLE = ((1, 2), (2, 0), (0, 1))
"""The two axes after each axis."""


def table_force(table: Any, x: Array) -> Array:
    """Force (n,) of the pairs of a table at coordinates (n,): monotone cubics, and lines beyond the ends."""
    if not len(table):
        return np.zeros_like(x)
    at, force = np.array(table).T
    curve = PchipInterpolator(at, force)
    inside = np.clip(x, at[0], at[-1])
    return np.asarray(curve(inside) + curve.derivative()(inside) * (x - inside))


def amount(motion: Motion, load: Any, velocities: bool) -> Array:
    """What a force does along a motion, (n,) or (k, n), as `Acting.amount` has it; contacts and functions not."""
    if isinstance(load, gk.Spring):
        return _spring(motion, load, velocities)
    if isinstance(load, gk.Bushing):
        return _bushing(motion, load, velocities)
    if isinstance(load, gk.Force | gk.Torque):
        return _on_body(motion, load)
    x, rate = _freedom(motion, load)
    if isinstance(load, gk.JointForce):
        assert load.force is not None
        return load.force * _law(motion, load) + 0.0 * x
    if isinstance(load, gk.JointFriction):
        dry = load.force * rate / np.hypot(rate, load.speed or 1e-3)
        return -dry - (load.damping * rate if velocities else 0.0)
    if isinstance(load, gk.JointInertia):
        name, k = load.freedom_of(motion.program.mechanism)
        return -load.inertia * np.atleast_2d(motion.joint_acceleration(name))[k] * velocities
    if isinstance(load, gk.Stop):
        return _stop(motion, load, x, rate * velocities)
    return _elastic(load, x - load.position, x, rate * velocities)


def _stop(motion: Motion, load: gk.Stop, x: Array, rate: Array) -> Array:
    """Push of a stop (n,) by the range that its joint states by freedom."""
    low, high = motion.program.mechanism.joint[load.joint].range[load.freedom]  # type: ignore[index]
    under, over = np.maximum(low - x, 0.0), np.maximum(x - high, 0.0)
    up = load.stiffness * under * np.maximum(1.0 - load.damping * rate, 0.0)
    return np.asarray(up - load.stiffness * over * np.maximum(1.0 + load.damping * rate, 0.0))


def contact(load: gk.Contact, gap: Array, rates: Array, velocities: bool) -> Array:
    """Normal force and friction (2, n) of a contact at one place by its gap (n,), m, and rates (2, n), m/s."""
    slowed = 1.0 - load.damping * rates[0] * velocities
    push = load.stiffness * np.maximum(-gap, 0.0) ** load.exponent * np.maximum(slowed, 0.0)
    return np.stack([push, -load.coefficient * push * rates[1] / np.hypot(rates[1], load.speed or 1e-3)])


def _elastic(load: Any, extension: Array, x: Array, rate: Array) -> Array:
    elastic = load.stiffness * extension + load.preload + table_force(load.table, x)
    return -(elastic + load.damping * rate + table_force(load.damping_table, rate))


def _spring(motion: Motion, load: gk.Spring, velocities: bool) -> Array:
    ends = [(body, local_point(motion.program, body, point)) for body, point in load.ends()]
    way, moving = (motion.point_on(*ends[1], order) - motion.point_on(*ends[0], order) for order in (0, 1))
    length = np.linalg.norm(way, axis=1)
    free = float(np.linalg.norm(ends[1][1] - ends[0][1])) if load.length is None else load.length
    rate = (way * moving).sum(axis=1) / length * velocities
    return _elastic(load, length - free, length, rate)


def _freedom(motion: Motion, load: Any) -> tuple[Array, Array]:
    """Value and rate (n,) of the freedom of a force in a joint, by the placements of its bodies."""
    name, k = load.freedom_of(motion.program.mechanism)
    return np.atleast_2d(motion.joint(name))[k], np.atleast_2d(motion.joint_rate(name))[k]


def _law(motion: Motion, load: Any) -> Array | float:
    return 1.0 if load.law is None else load.law.at(motion.times)[0]


def _on_body(motion: Motion, load: gk.Force | gk.Torque) -> Array:
    program = motion.program
    stated = np.atleast_1d(np.array(load.force if isinstance(load, gk.Force) else load.torque, float))
    components = stated[:, None] * (_law(motion, load) + np.zeros(motion.times.size))
    if not load.axes or len(components) == 1:
        return components
    body, axes = load.axes, np.eye(program.mechanism.dimension)
    if load.axes not in program.mechanism.body:
        body, axes = program.mechanism.joint[load.axes].bodies[0], program.geometry.joints[load.axes].frames[0]
    return np.einsum("nij,jn->in", motion.rotation(body) @ axes, components)


def _bushing(motion: Motion, load: gk.Bushing, velocities: bool) -> Array:
    """Forces and moments in the axes of the first body, by full matrices."""
    first, second = load.between
    d = motion.program.mechanism.dimension
    ends = [(body, local_point(motion.program, body, point)) for body, point in load.ends()]
    (axes, turning), (others, others_turning) = ([motion.rotation_rate(b, k) for k in (0, 1)] for b in (first, second))
    way, moving = (motion.point_on(*ends[1], order) - motion.point_on(*ends[0], order) for order in (0, 1))
    shift = np.einsum("nij,ni->jn", axes, way)
    rate = np.einsum("nij,ni->jn", turning, way) + np.einsum("nij,ni->jn", axes, moving)
    relative = np.einsum("nki,nkj->nij", axes, others)
    changing = np.einsum("nki,nkj->nij", turning, others) + np.einsum("nki,nkj->nij", axes, others_turning)
    if d == 2:
        turn = np.arctan2(relative[:, 1, 0], relative[:, 0, 0])[None]
        spin = (motion.angular_velocity(second) - motion.angular_velocity(first))[None]
    else:
        turn, spin = (
            np.stack([0.5 * (m[:, t, s] - m[:, s, t]) for s, t in ((1, 2), (2, 0), (0, 1))])
            for m in (relative, changing)
        )
    stiffness, damping = (_matrix(x, d) for x in (load.stiffness, load.damping))
    torsion, damped = (_matrix(x, len(turn)) for x in (load.torsion, load.torsion_damping))
    force = stiffness @ shift + damping @ rate * velocities
    return -np.concatenate([force, torsion @ turn + damped @ spin * velocities])


def _matrix(given: Any, size: int) -> Array:
    return np.array(given, float) if np.ndim(given) == 2 else np.array(given, float) * np.eye(size)
