"""Reactions and driving forces from all equations of a mechanism at once: a slow reference, without groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.bodies.masses import center
from groupkin.dynamics.reactions.reaction_map import reaction_map
from groupkin.dynamics.reactions.self_stress import determined
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.mechanism import Joint
from tests.support import oracle

Array = NDArray[np.float64]


def multipliers(motion: Motion, loads: Array) -> tuple[Array, dict[str, Array]]:
    """Forces of the drivers (drivers, n), and what the first body of each joint does to the second (3 or 6, n).

    Every joint holds two frames together, whose relative twist is that of its coordinates. With the equations'
    Jacobian J by twists of the bodies and coordinates that are not driven, multipliers satisfy Jᵀ μ = -(loads, 0), and
    those of a joint are its reaction; what they do along driven coordinates are the drivers' forces.
    """
    mechanism = motion.program.mechanism
    system, n, d = oracle._System(mechanism), motion.times.size, mechanism.dimension
    state = system.near({body: (motion.rotation(body), motion.position(body)) for body in mechanism.movable}, n)
    state = system.fit(state, system.drivers(motion.times)[0])
    if any(mechanism.form(joint).curved for joint in mechanism.joints):  # whose contacts are only roughly fitted
        before = state
        state = system.newton(before, system.drivers(motion.times)[0], largest=0.05)
        # contacts go along their curves, and bodies stay where they are
        bound = 1e-9 / motion.conditioning.min()
        assert np.abs(state.places - before.places).max() <= bound
        assert np.abs(state.rotations - before.rotations).max() <= bound
    jacobian, _ = system.linearize(state)
    right = np.zeros((n, jacobian.shape[2]))
    for k, body in enumerate(mechanism.movable):
        force, moment = loads[k, -d:].T, loads[k, :-d].T
        origin = motion.point_on(body, center(motion.program, body))
        if d == 2:
            about = moment[:, 0] + origin[:, 0] * force[:, 1] - origin[:, 1] * force[:, 0]
            right[:, 3 * k : 3 * k + 3] = np.concatenate([force, about[:, None]], axis=1)
        else:
            right[:, 6 * k : 6 * k + 6] = np.concatenate([force, moment + np.cross(origin, force)], axis=1)
    found = -np.array([np.linalg.lstsq(a.T, b, rcond=1e-11)[0] for a, b in zip(jacobian, right, strict=True)])
    along = _by_driven_coordinates(system, state, n)
    drivers = -np.einsum("ne,ned->dn", found, along)
    return drivers[_order(motion, system)], _reactions(motion, system, state, found)


def _by_driven_coordinates(system: Any, state: Any, n: int) -> Array:
    """Derivatives (n, equations, driven) of the equations by driven coordinates."""
    count = system.driven.size
    coordinates = np.zeros((2, n, count, system.reference.size))
    coordinates[0] = state.coordinates[:, None]
    coordinates[1][:, np.arange(count), system.driven] = 1.0
    spread = oracle._State(state.rotations[:, None], state.places[:, None], state.coordinates)
    still = np.zeros((n, count, system.unknowns))
    return np.swapaxes(system.equations(*system.bodies(spread, [still]), coordinates)[1], 1, 2)


def _order(motion: Motion, system: Any) -> list[int]:
    """Where the drivers of the program are among the driven coordinates."""
    mechanism = motion.program.mechanism
    names = [joint.name for joint in mechanism.joints]
    found = []
    for driven in motion.program.drivers:
        k = names.index(driven.joint)
        place = mechanism.form(mechanism.joint[driven.joint]).places[driven.freedom]
        found.append(int(np.searchsorted(system.driven, system.first[k] + place)))
    return found


def _reactions(motion: Motion, system: Any, state: Any, found: Array) -> dict[str, Array]:
    rotations, places = system.bodies(state, [np.zeros((len(found), system.unknowns))])
    reactions, at, d = {}, 0, motion.program.mechanism.dimension
    for k, joint in enumerate(motion.program.mechanism.joints):
        force = found[:, at : at + d]
        at += d
        moment = np.zeros((len(found), 3 if d == 3 else 1))
        if not system.loose[k]:
            (_, (second, _)) = system.ends(joint, rotations, places)
            part = found[:, at : at + moment.shape[1]]
            moment = part if d == 2 else np.einsum("nij,nj->ni", second[0], part)
            at += moment.shape[1]
        reactions[joint.name] = np.concatenate([moment, force], axis=1).T
    return reactions


def check_reactions(motion: Motion, seed: int = 0) -> None:
    """Check forces of drivers and reactions under random loads: against the reference, and for equilibrium."""
    motion = motion.at(np.flatnonzero(motion.solved)[:: max(1, int(motion.solved.sum()) // 4)])
    program = motion.program
    mechanism, size, n = program.mechanism, program.geometry.size, motion.times.size
    d, rng = mechanism.dimension, np.random.default_rng(seed)
    loads = rng.normal(size=(len(mechanism.movable), 3 * (d - 1), n))
    loads[:, :-d] *= size
    if program.structure.spins:  # nothing resists a torque about a rod, so forces act on its end
        for k, body in enumerate(mechanism.movable):
            arm = motion.position(body) - motion.point_on(body, center(program, body))
            loads[k, :-d] = np.cross(arm, loads[k, -d:].T).T
    driving, reactions = reaction_map(program).at(motion, loads)
    conditioning = motion.conditioning.min(initial=1.0)
    unit = np.ones((3 * (d - 1), 1))
    unit[:-d] = size
    largest = max((np.abs(x / unit).max() for x in reactions.values()), default=1.0)
    left = unbalanced(motion, loads, reactions) / unit
    assert np.abs(left).max(initial=0.0) <= 1e-12 * (1.0 + largest)
    expected, wrenches = multipliers(motion, loads)
    bound = 1e-10 * (1.0 + largest) / conditioning
    for driven, found, stated in zip(program.drivers, driving, expected, strict=True):
        assert np.abs(found - stated).max() <= bound * (size if driven.rotation else 1.0), (driven, found, stated)
    for joint in mechanism.joints:
        if joint.type != "L":  # whose equations are not about its point
            apart = in_axes(motion, joint, (wrenches[joint.name] - reactions.get(joint.name, 0.0)) / unit)
            assert np.abs(apart[determined(motion, joint.name)]).max(initial=0.0) <= bound, joint


def in_axes(motion: Motion, joint: Joint, wrench: Array) -> Array:
    """A wrench (3 or 6, n) in the axes of its joint on the first body, in which components are determined or not."""
    d, stated = motion.program.mechanism.dimension, motion.program.geometry.joints[joint.name]
    frame = motion.rotation(joint.bodies[0]) @ stated.frames[0]
    parts = (wrench[:-d], wrench[-d:])
    return np.concatenate([x if len(x) == 1 else np.einsum("nij,in->jn", frame, x) for x in parts])


def unbalanced(motion: Motion, loads: Array, reactions: dict[str, Array]) -> Array:
    """What is left of loads and reactions on every movable body about its center of mass, (bodies, 3 or 6, n)."""
    program = motion.program
    mechanism, d = program.mechanism, program.mechanism.dimension
    left = loads.copy()
    for name, rows in reactions.items():
        joint = mechanism.joint[name]
        point = motion.point_on(joint.bodies[1], program.geometry.joints[name].points[1])
        for body, sign in zip(joint.bodies, (-1.0, 1.0), strict=True):
            if body == mechanism.frame:
                continue
            arm, force = (point - motion.point_on(body, center(program, body))).T, rows[-d:]
            turning = np.cross(arm, force, axis=0) if d == 3 else (arm[0] * force[1] - arm[1] * force[0])[None]
            left[mechanism.movable.index(body)] += sign * np.concatenate([rows[:-d] + turning, force])
    return left
