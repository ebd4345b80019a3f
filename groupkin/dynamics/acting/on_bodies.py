"""Forces on points of bodies and torques on bodies: along a motion, and coded."""

from __future__ import annotations

import numpy as np

from groupkin.dynamics.acting.force_inputs import share
from groupkin.dynamics.acting.loads import Acting, Coded, Loads
from groupkin.dynamics.bodies.masses import local_point
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces.forces import Force, Torque
from sglibrary.array_types import Array, Ints
from sglibrary.dynamics.forces import FORCE, TORQUE


def acting(motion: Motion, load: Force | Torque, velocities: bool) -> Acting:
    """Compute the components (k, n) of a force or torque along a motion, and what it works along."""
    none, components = np.zeros(motion.times.size), np.asarray(share(motion, load, velocities))
    if load.function is None:
        components = stated(load)[:, None] * components + none
    axes = axes_of(motion.program, load)
    if axes is not None and len(components) > 1:
        components = np.einsum("nij,jn->in", motion.rotation(axes[0]) @ axes[1], components)
    if isinstance(load, Force):
        return Acting(components, motion.point_on(load.body, _local(motion.program, load), 1).T, none)
    return Acting(components, np.atleast_2d(motion.angular_velocity(load.body).T), none)


def add(loads: Loads, load: Force | Torque, amount: Array) -> None:
    """Add a force or torque, given its components (k, n)."""
    if isinstance(load, Force):
        loads.add(load.body, loads.motion.point_on(load.body, _local(loads.motion.program, load)), 0.0, amount)
    else:
        loads.add_torque(load.body, amount)


def coded(program: Program, layout: Layout, load: Force | Torque, free: Ints) -> list[Coded]:
    """Code a force or torque on a body; of what a function gives each component along its axis."""
    if load.body == program.mechanism.frame:
        return []
    d, called = program.mechanism.dimension, load.function is not None
    vectors = list(np.eye(load.components(program.mechanism))) if called else [stated(load)]
    axes, found = axes_of(program, load), list[Coded]()
    point = layout.attach(load.body, _local(program, load), True) if isinstance(load, Force) else -1
    for k, vector in enumerate(vectors):
        turning = axes is not None and vector.size > 1
        row = layout.attach(axes[0], axes[1] @ vector, False) if turning else layout.fix(np.resize(vector, d))  # type: ignore[index]
        rows = [FORCE, point, row] if isinstance(load, Force) else [TORQUE, row, *program.poses[load.body].vectors]
        found.append(Coded(rows, [], component=k if called else -1))
    return found


def stated(load: Force | Torque) -> Array:
    """Components (k,) that a force or torque states."""
    return np.atleast_1d(np.array(getattr(load, load.AMOUNT), float))


def axes_of(program: Program, load: Force | Torque) -> tuple[str, Array] | None:
    """The body in which the axes of a force or torque are fixed, and these (d, d) there; None of global ones."""
    if not load.axes:
        return None
    if load.axes in program.mechanism.body:
        return load.axes, np.eye(program.mechanism.dimension)
    return program.mechanism.joint[load.axes].bodies[0], program.geometry.joints[load.axes].frames[0]


def _local(program: Program, load: Force) -> Array:
    return local_point(program, load.body, load.point)
