"""Equilibrium of every body by Newton and Euler, all forces anew from what they are said to do: a slow reference.

Nothing of `groupkin.dynamics` is used but what is checked, the reactions and driving forces. All vectors have three
components here, and moments are about the global origin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

import groupkin as gk
from tests.support import oracle

Array = NDArray[np.float64]
UP = np.array([0.0, 0.0, 1.0])


def unbalanced(forces: gk.Forces) -> tuple[Array, float]:
    """Forces and moments (bodies, 6, n) left on all movable bodies, N and N m, and the largest of their parts."""
    motion = forces.motion
    mechanism, n = motion.program.mechanism, motion.times.size
    left = {body: np.zeros((6, n)) for body in mechanism.body}
    largest = 0.0

    def push(body: str, point: Array, force: Array, moment: Array | float = 0.0) -> None:
        nonlocal largest
        wrench = np.concatenate([force, np.cross(point, force) + moment], axis=1).T
        left[body] += wrench
        largest = max(largest, float(np.abs(wrench).max()))

    def pair(bodies: tuple[str, str], point: Array, force: Array, moment: Array | float = 0.0) -> None:
        push(bodies[1], point, force, moment)
        push(bodies[0], point, -force, -moment)

    for body in mechanism.movable:
        push(body, *inertia(motion, body))
    for joint in mechanism.joints:
        if joint.name in forces.reactions:
            found = forces.reaction(joint.name)
            moment = space(found.moment) if found.moment.ndim == 2 else found.moment[:, None] * UP
            pair(joint.bodies, at(motion, joint.bodies[1], point_of(motion, joint, 1)), space(found.force), moment)
    for load in mechanism.forces:
        EVERY[type(load)](forces, load, pair if hasattr(load, "between") or hasattr(load, "joint") else push)
    return np.stack([left[body] for body in mechanism.movable]), largest


# --- what moves ------------------------------------------------------------------------------


def space(vectors: Array) -> Array:
    """Vectors (n, d) in space."""
    return np.pad(vectors, ((0, 0), (0, 3 - vectors.shape[1])))


def at(motion: gk.Motion, body: str, point: Array, order: int = 0) -> Array:
    """A point (d,) of a body, given in the reference configuration, or its velocity or acceleration (n, 3)."""
    reads = (motion.position, motion.velocity, motion.acceleration)
    arm = space(motion.rotation(body) @ (point - motion.program.geometry.origins[body]))
    spin, rise = turning(motion.angular_velocity(body)), turning(motion.angular_acceleration(body))
    swung = (arm, np.cross(spin, arm), np.cross(rise, arm) + np.cross(spin, np.cross(spin, arm)))[order]
    return space(reads[order](body)) + swung


def turning(rates: Array) -> Array:
    return rates if rates.ndim == 2 else rates[:, None] * UP


def point_of(motion: gk.Motion, joint: gk.Joint, side: int) -> Array:
    return np.asarray(motion.program.geometry.joints[joint.name].points[side])


def inertia(motion: gk.Motion, body: str) -> tuple[Array, Array, Array]:
    """Where the forces of inertia and weight act, what they are, and the moment of inertia, in that order."""
    mechanism, part = motion.program.mechanism, motion.program.mechanism.body[body]
    center = motion.program.geometry.origins[body] if part.center is None else np.array(part.center, float)
    spin, rise = turning(motion.angular_velocity(body)), turning(motion.angular_acceleration(body))
    gravity = space(np.array(mechanism.gravity or np.zeros(mechanism.dimension), float)[None])
    force = part.mass * (gravity - at(motion, body, center, 2))
    if mechanism.dimension == 2:
        return at(motion, body, center), force, -float(part.inertia) * rise  # type: ignore[arg-type]
    rotation = motion.rotation(body)
    stated = np.array(part.inertia, float)
    tensor = rotation @ (stated if stated.ndim == 2 else stated * np.eye(3)) @ np.swapaxes(rotation, 1, 2)

    def times(vectors: Array) -> Array:
        return np.einsum("nij,nj->ni", tensor, vectors)

    return at(motion, body, center), force, -times(rise) - np.cross(spin, times(spin))


def slides(motion: gk.Motion, joint: gk.Joint) -> tuple[Array, Array, Array]:
    """Axis of a hinge or slide (n, 3), and the rates about and along it, of the second body relative to the first."""
    frame = motion.program.geometry.joints[joint.name].frames[0]
    axis = np.tile(UP, (motion.times.size, 1))
    if motion.program.mechanism.dimension == 3:
        axis = motion.rotation(joint.bodies[0]) @ frame[:, 2]
    elif joint.type == "P":
        axis = space(motion.rotation(joint.bodies[0]) @ frame[:, 0])
    turned, moved = np.split(relative_twist(motion, joint), 2, axis=1)
    return axis, (axis * turned).sum(axis=1), (axis * moved).sum(axis=1)


# --- forces ----------------------------------------------------------------------------------


def spring(forces: gk.Forces, load: gk.Spring, pair: Any) -> None:
    motion = forces.motion
    points = [np.array(point, float) for point in load.points]
    ends = [[at(motion, body, point, k) for k in (0, 1)] for body, point in zip(load.between, points, strict=True)]
    way, rate = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
    distance = np.linalg.norm(way, axis=1, keepdims=True)
    length = np.linalg.norm(points[1] - points[0]) if load.length is None else load.length
    speed = (way * rate).sum(axis=1, keepdims=True) / distance
    pull = load.stiffness * (distance - length) + load.damping * speed + load.preload
    if load.function is not None:
        pull = pull + called(motion, load, [distance[:, 0], speed[:, 0]])[:, None]
    pair(load.between, ends[1][0], -pull * way / distance)


def in_joint(forces: gk.Forces, load: Any, pair: Any) -> None:
    """A force or torque along a degree of freedom of a joint.

    Of all wrenches whose power is the rate of this degree of freedom it is the one in the span of the unit twists,
    with lengths in sizes of the mechanism.
    """
    motion = forces.motion
    joint = motion.program.mechanism.joint[load.joint]
    names = [freedom.name for freedom in motion.program.mechanism.freedoms(joint)]
    k = names.index(load.freedom) if load.freedom else 0
    twists, rates = unit_twists(motion, joint)
    rate, value = rates[:, k], motion.joint(joint.name)[k]
    for number, driven in enumerate(motion.program.drivers):
        if (driven.joint, driven.freedom) == (joint.name, k):
            value = motion.driver(number)[0]  # whole turns included
    if isinstance(load, gk.JointSpring):
        amount = -load.stiffness * (value - load.position) - load.damping * rate - load.preload
    elif isinstance(load, gk.Stop):
        low, high = joint.range  # type: ignore[misc]
        under, over = np.maximum(low - value, 0.0), np.maximum(value - high, 0.0)
        amount = load.stiffness * under * np.maximum(1.0 - load.damping * rate, 0.0)
        amount = amount - load.stiffness * over * np.maximum(1.0 + load.damping * rate, 0.0)
    elif isinstance(load, gk.JointInertia):
        amount = -load.inertia * motion.joint_acceleration(joint.name)[k]
    elif isinstance(load, gk.JointForce) and load.function is not None:
        amount = called(motion, load, [value, rate])
    elif isinstance(load, gk.JointForce):
        amount = np.full(rate.size, load.force) if load.law is None else load.force * load.law.at(motion.times)[0]
    else:
        amount = -load.force * rate / np.sqrt(rate**2 + (load.speed or 0.001) ** 2) - load.damping * rate
    scale = np.array([1.0] * 3 + [1.0 / motion.program.geometry.size] * 3)
    wrench = amount[:, None] * np.linalg.pinv(twists * scale[:, None])[:, k] * scale
    pair(joint.bodies, at(motion, joint.bodies[1], point_of(motion, joint, 1)), wrench[:, 3:], wrench[:, :3])


def unit_twists(motion: gk.Motion, joint: gk.Joint) -> tuple[Array, Array]:
    """Twists (n, 6, f) of the second body relative to the first at unit rates, and the rates (n, f).

    Angular velocity and velocity of the joint's point on the second body; from the frames of the joint, one of which
    its coordinates move into the other.
    """
    mechanism, n = motion.program.mechanism, motion.times.size
    system = oracle._System(mechanism)
    state = system.near({body: (motion.rotation(body), motion.position(body)) for body in mechanism.movable}, n)
    (first, here), (second, there) = system.ends(joint, state.rotations[None], state.places[None])
    number, form = list(mechanism.joint).index(joint.name), mechanism.form(joint)
    back, values = np.swapaxes(first[0], 1, 2), np.zeros((n, len(form.moves)))
    shift = np.einsum("nij,nj->ni", back, there[0] - here[0])
    if form.curved:  # fitted only roughly
        values[:] = motion.joint(joint.name).T
    else:
        system.fit_joint(number, joint, back @ second[0], shift, values)
    if form.held is not None:
        values[:, form.held] = system.reference[system.first[number] + form.held]
    found = []
    for k in form.places:
        jets = np.stack([values, np.zeros_like(values)])
        jets[1, :, k] = 1.0
        if form.coupled and k in form.coupled:
            one, two = form.coupled
            share = oracle._coupling(joint, mechanism.dimension)
            jets[1, :, two] = -share[0] / share[1] * jets[1, :, one]
        turned, shifted = (
            oracle._along_curves(system.geometry, joint, jets)
            if form.curved
            else oracle._moves(mechanism, joint, system.geometry.joints[joint.name].bend, jets)
        )
        spin = oracle._axial(turned[1] @ np.swapaxes(turned[0], 1, 2))
        found.append(np.concatenate([np.einsum("nij,nj->ni", first[0], x) for x in (spin, shifted[1])], axis=1))
    twists = np.stack(found, axis=2)
    relative = relative_twist(motion, joint)
    return twists, np.einsum("nfi,ni->nf", np.linalg.pinv(twists), relative)


def relative_twist(motion: gk.Motion, joint: gk.Joint) -> Array:
    """Angular velocity and velocity (n, 6) of a joint's point on its second body, as the first body sees them."""
    spins = [turning(motion.angular_velocity(body)) for body in joint.bodies]
    local = [point_of(motion, joint, side) for side in (0, 1)]
    away = at(motion, joint.bodies[1], local[1]) - at(motion, joint.bodies[0], local[0])
    under = at(motion, joint.bodies[0], local[0], 1) + np.cross(spins[0], away)
    return np.concatenate([spins[1] - spins[0], at(motion, joint.bodies[1], local[1], 1) - under], axis=1)


def along(motion: gk.Motion, joint: gk.Joint, vector: Array, pair: Any) -> None:
    point = at(motion, joint.bodies[1], point_of(motion, joint, 1))
    pair(joint.bodies, point, *((0.0 * vector, vector) if joint.type in ("R", "S") else (vector, 0.0)))


def friction(forces: gk.Forces, load: gk.Friction, pair: Any) -> None:
    """Coulomb's friction by what a hinge or slide carries across its axis, or a ball in all."""
    motion = forces.motion
    joint, carried = motion.program.mechanism.joint[load.joint], space(forces.reaction(load.joint).force)
    if joint.type == "S":
        first, second = joint.bodies
        speed = load.radius * (motion.angular_velocity(second) - motion.angular_velocity(first))
        normal = np.linalg.norm(carried, axis=1, keepdims=True)
        size = np.sqrt((speed**2).sum(axis=1, keepdims=True) + (load.speed or 0.001) ** 2)
        along(motion, joint, -load.radius * load.coefficient * normal * speed / size, pair)
        return
    axis, turned, moved = slides(motion, joint)
    normal = np.linalg.norm(np.cross(axis, carried), axis=1)
    radius = load.radius if joint.type == "R" else 1.0
    speed = radius * turned if joint.type == "R" else moved
    rub = -load.coefficient * normal * speed / np.sqrt(speed**2 + (load.speed or 0.001) ** 2)
    along(motion, joint, (radius * rub)[:, None] * axis, pair)


def bushing(forces: gk.Forces, load: gk.Bushing, pair: Any) -> None:
    """Stiffness and damping by one number each for all axes, so that in space no axes are needed but for the turn."""
    motion, (first, second) = forces.motion, load.between
    point = np.array(load.point, float)
    ends = [[at(motion, body, point, k) for k in (0, 1)] for body in load.between]
    shift = ends[1][0] - ends[0][0]
    spins = [turning(motion.angular_velocity(body)) for body in load.between]
    # the rate in the axes of the first body
    rate = ends[1][1] - ends[0][1] - np.cross(spins[0], shift)
    force = -load.stiffness * shift - load.damping * rate
    if motion.program.mechanism.dimension == 2:
        turned = np.unwrap(motion.angle(second) - motion.angle(first))
        turned = np.arctan2(np.sin(turned), np.cos(turned))[:, None] * UP
        pair(load.between, ends[1][0], force, -load.torsion * turned - load.torsion_damping * (spins[1] - spins[0]))
        return
    a, b = motion.rotation(first), motion.rotation(second)
    # with a = ½ Σ e_i × f_i of the axes e and f of both bodies, half the square of |a|² falls by the torque
    sines = 0.5 * sum(np.cross(a[:, :, i], b[:, :, i]) for i in range(3))
    relative = np.swapaxes(a, 1, 2) @ b
    slope = 0.5 * (np.trace(relative, axis1=1, axis2=2)[:, None, None] * np.eye(3) - relative)
    twist = np.einsum("nij,nj->ni", np.swapaxes(a, 1, 2), spins[1] - spins[0])
    local = np.einsum("nji,nj->ni", a, sines)
    moment = -load.torsion * local - load.torsion_damping * np.einsum("nij,nj->ni", np.swapaxes(slope, 1, 2), twist)
    pair(load.between, ends[1][0], force, np.einsum("nij,nj->ni", a, np.einsum("nij,nj->ni", slope, moment)))


def contact(forces: gk.Forces, load: gk.Contact, pair: Any) -> None:
    """A circle on the left of a long straight line."""
    motion, (ground, wheel) = forces.motion, load.between
    start, end = (np.array(point, float) for point in load.line)  # type: ignore[union-attr]
    tangent = at(motion, ground, end) - at(motion, ground, start)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    normal = np.cross(UP, tangent)
    center, below = at(motion, wheel, np.array(load.point, float)), at(motion, ground, start)
    height = ((center - below) * normal).sum(axis=1, keepdims=True)
    touch = center - height * normal
    spins = [turning(motion.angular_velocity(body)) for body in (ground, wheel)]
    over = at(motion, wheel, np.array(load.point, float), 1) + np.cross(spins[1], touch - center)
    under = at(motion, ground, start, 1) + np.cross(spins[0], touch - below)
    away, slid = (((over - under) * way).sum(axis=1, keepdims=True) for way in (normal, tangent))
    depth = np.maximum(load.radius - height, 0.0)
    pair((ground, wheel), touch, pushed(load, depth, away, slid, normal, tangent))


def pushed(load: gk.Contact, depth: Array, away: Array, slid: Array, normal: Array, tangent: Array) -> Array:
    push = load.stiffness * depth**load.exponent * np.maximum(1.0 - load.damping * away, 0.0)
    rub = -load.coefficient * push * slid / np.sqrt(slid**2 + (load.speed or 0.001) ** 2)
    return np.asarray(push * normal + rub * tangent)


def of_curves(forces: gk.Forces, load: gk.Contact, pair: Any) -> None:
    """The second curve, closed and convex, runs to the left, and touches the left side of the first at one place.

    The place is that at which, of many points, one of the second is deepest, corrected until both have one normal.
    """
    motion, (ground, wheel) = forces.motion, load.between
    curves, n = load.curves, motion.times.size
    ends = [(x.spline.t[x.spline.k], x.spline.t[-x.spline.k - 1]) for x in curves]
    many = [np.linspace(*each, 3000) for each in ends]
    u, w = np.zeros(n), np.zeros(n)

    def places(k: int, at_: Array, order: int) -> Array:
        vectors = np.einsum("nij,nj->ni", motion.rotation(load.between[k]), curves[k].spline(at_, order))
        return vectors if order else vectors + at(motion, load.between[k], np.zeros(2))[:, :2]

    for j in range(n):
        step = motion.at(np.array([j]))
        first, second = (
            at(step, load.between[k], np.zeros(2))[:, :2]
            + curves[k].spline(many[k]) @ step.rotation(load.between[k])[0].T
            for k in (0, 1)
        )
        slopes = curves[0].spline(many[0], 1) @ step.rotation(ground)[0].T
        nearest = KDTree(first).query(second)[1]
        way = second - first[nearest]
        heights = slopes[nearest, 0] * way[:, 1] - slopes[nearest, 1] * way[:, 0]
        u[j], w[j] = many[0][nearest[heights.argmin()]], many[1][heights.argmin()]

    def cross(a: Array, b: Array) -> Array:
        return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]

    for _ in range(12):
        (a, da, dda), (b, db, ddb) = (
            [places(k, np.mod(x, ends[k][1]) if k else x, order) for order in range(3)] for k, x in ((0, u), (1, w))
        )
        f, g = ((a - b) * da).sum(axis=1), cross(da, db)
        rows = [
            [(da * da).sum(axis=1) + ((a - b) * dda).sum(axis=1), -(da * db).sum(axis=1)],
            [cross(dda, db), cross(da, ddb)],
        ]
        du, dw = np.linalg.solve(np.array(rows).transpose(2, 0, 1), np.stack([f, g], axis=1)[..., None])[..., 0].T
        u, w = u - du, w - dw
    tangent = space(da / np.linalg.norm(da, axis=1, keepdims=True))
    normal = np.cross(UP, tangent)
    touch = space(0.5 * (a + b))
    spins = [turning(motion.angular_velocity(body)) for body in (ground, wheel)]
    moving = [
        at(motion, body, np.zeros(2), 1) + np.cross(spin, touch - at(motion, body, np.zeros(2)))
        for body, spin in zip((ground, wheel), spins, strict=True)
    ]
    away, slid = (((moving[1] - moving[0]) * way).sum(axis=1, keepdims=True) for way in (normal, tangent))
    depth = np.maximum(-((space(b - a)) * normal).sum(axis=1, keepdims=True), 0.0)
    pair((ground, wheel), touch, pushed(load, depth, away, slid, normal, tangent))


def called(motion: gk.Motion, load: Any, own: list[Array]) -> Array:
    """What a function of numpy's gives, from its own numbers and quantities that are read by other code."""
    rows = [*own]
    for text in load.of:
        kind, name = text.split()
        found = {
            "position": lambda name: at(motion, name, motion.program.geometry.origins[name]).T,
            "velocity": lambda name: at(motion, name, motion.program.geometry.origins[name], 1).T,
            "angular_velocity": lambda name: turning(motion.angular_velocity(name)).T,
            "rotation": lambda name: motion.rotation(name).reshape(motion.times.size, -1).T,
            "joint_rate": lambda name: motion.joint_rate(name),
            "joint": lambda name: motion.joint(name),
        }[kind](name)
        if motion.program.mechanism.dimension == 2:
            found = {"position": found[:2], "velocity": found[:2], "angular_velocity": found[2:]}.get(kind, found)
        rows += list(found)
    function = getattr(load.function, "py_func", load.function)
    return np.array(function(motion.times, np.array(rows)))


def of_body(forces: gk.Forces, load: Any, push: Any) -> None:
    """A force on a point or a torque, by a law, in the axes of a body."""
    motion, is_force = forces.motion, isinstance(load, gk.Force)
    axes = load.axes or motion.program.mechanism.frame
    if load.function is not None:
        local = np.array(load.point, float) if is_force else None
        own = [turning(motion.angular_velocity(load.body))]
        if is_force:
            own = [at(motion, load.body, local, k) for k in (0, 1)]
        flat = motion.program.mechanism.dimension == 2
        own = [x[:, :2] if is_force and flat else x[:, 2:] if flat else x for x in own]
        given = np.atleast_2d(called(motion, load, [row for x in own for row in x.T])).T
    else:
        stated = np.atleast_1d(np.array(load.force if is_force else load.torque, float))
        share = np.ones(motion.times.size) if load.law is None else load.law.at(motion.times)[0]
        given = share[:, None] * stated
    if axes in motion.program.mechanism.body:
        frame = motion.rotation(axes)
    else:
        joint = motion.program.mechanism.joint[axes]
        frame = motion.rotation(joint.bodies[0]) @ motion.program.geometry.joints[axes].frames[0]
    vector = given * UP if given.shape[1] == 1 else space(np.einsum("nij,nj->ni", frame, given))
    point = at(motion, load.body, np.array(load.point, float)) if is_force else 0.0 * vector
    push(load.body, point, *((vector, 0.0) if is_force else (0.0 * vector, vector)))


EVERY: dict[type, Any] = {
    gk.Spring: spring,
    gk.JointSpring: in_joint,
    gk.JointForce: in_joint,
    gk.JointFriction: in_joint,
    gk.JointInertia: in_joint,
    gk.Stop: in_joint,
    gk.Friction: friction,
    gk.Bushing: bushing,
    gk.Contact: lambda forces, load, pair: (of_curves if load.curves else contact)(forces, load, pair),
    gk.Force: of_body,
    gk.Torque: of_body,
}
