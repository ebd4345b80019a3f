"""Inverse dynamics and statics: the forces that drive a motion, and the reactions in its joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import checked, floats
from groupkin.dynamics.actuators import actuator_freedoms, shared_forces
from groupkin.dynamics.forces import Forces
from groupkin.dynamics.gear_forces import tooth_forces
from groupkin.dynamics.joint_friction import check_determined, friction_forces, sliding, with_friction
from groupkin.dynamics.loads import Loads, acting, add, moment, sum_of
from groupkin.dynamics.reaction_map import reaction_map
from groupkin.errors import ArgumentError, TimesError, UnknownNameError, shown
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import solve
from groupkin.mechanism.forces import Force, Friction, Torque
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.messages import hint

Array = NDArray[np.float64]
Given = ArrayLike | Callable[[Motion], ArrayLike]


@checked
def inverse_dynamics(
    mechanism: Mechanism | Program | Motion,
    times: ArrayLike | None = None,
    actuators: Sequence[str] | None = None,
    *,
    velocities: bool = True,
    keep: Sequence[str] | None = None,
    loads: Given | None = None,
    weights: Sequence[float] | None = None,
    out: Forces | None = None,
) -> Forces:
    """Compute the forces that a motion needs, and the reactions in all joints.

    Parameters
    ----------
    mechanism : Mechanism, Program or Motion
        With masses, gravity and forces; see `Body`, `Mechanism` and `Spring`. A motion is taken as it is solved.
    times : (n,) array_like, optional
        s. Needed unless a motion is given.
    actuators : sequence of str, optional
        Freedoms that are moved by forces: a joint, or ``joint.freedom`` where it has several. Default: the
        drivers. They may be others than the drivers, and more than are needed.
    velocities : bool
        Whether there is inertia and damping. Without, the mechanism is at rest at every step (statics).
    keep : sequence of str, optional
        The joints whose reactions are computed. Default: all.
    loads : (bodies, 3 or 6) or (bodies, 3 or 6, n) array_like, or function, optional
        Further loads on the movable bodies, or a function that computes them from the motion: on each, in the order of
        ``mechanism.movable``, a torque, N m (one number in the plane), and a force on its origin, N, in global
        components.
    weights : sequence of float, optional
        Of actuators that are more than needed: the sum of weight · force² is as small as possible. Default: 1 each.
    out : Forces, optional
        Forces of the same program, joints and number of steps, whose memory is used again.

    Returns
    -------
    Forces
        NaN at steps that are not solved.

    Raises
    ------
    ForceError, LoadError, JammingError, UnknownNameError, SolveError
        If a force acts where it cannot, the actuators cannot carry the loads, friction jams the mechanism, a name does
        not exist, or the motion cannot be solved.

    Examples
    --------
    >>> import groupkin as gk
    >>> pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    >>> arm = gk.Body("arm", mass=2.0, center=(0.5, 0.0))
    >>> crane = gk.Mechanism(2, ["frame", arm], [pin], [gk.Driver("pin", gk.Constant(0.0))], gravity=(0, -9.81))
    >>> forces = inverse_dynamics(crane, [0.0])
    >>> forces.driver("pin"), forces.reaction("pin").force
    (array([9.81]), array([[ 0.  , 19.62]]))
    """
    motion = _motion(mechanism, times)
    program = motion.program
    _check_joints(program.mechanism, keep)
    freedoms = None if actuators is None else actuator_freedoms(program, actuators)
    mechanism = program.mechanism
    effects = {x.name: acting(motion, x, velocities) for x in mechanism.forces if not isinstance(x, Friction)}
    outer, inner = Loads(motion), Loads(motion)
    if loads is not None:
        _add_given(outer, loads)
    for load in mechanism.forces:
        if not isinstance(load, Friction):
            add(outer if isinstance(load, Force | Torque) else inner, load, effects[load.name].amount)
    surfaces = [sliding(motion, load) for load in mechanism.forces if isinstance(load, Friction)]
    named = tuple(joint.name for joint in mechanism.joints if keep is None or joint.name in keep)
    meshes = [joint for joint in mechanism.joints if PAIRS[joint.type].mesh]
    needed = [*(joint.name for joint in meshes), *(each.load.joint for each in surfaces)]
    wanted = tuple(dict.fromkeys([*named, *needed]))
    total = sum_of(outer, inner)

    results = _memory(motion, named, out)

    def carried(total: Loads) -> tuple[Array, dict[str, Array]]:
        nonlocal results
        found = reaction_map(program, wanted, tuple(sorted(total.wrenches)), masses=True, moving=velocities)
        if results is None:
            results = found.memory(motion)
        else:  # which may have been other loads
            results[found.backward.zeros] = 0.0
        return found.at(motion, total.wrenches, results)

    names = [mechanism.driver_name(driven.joint, driven.freedom) for driven in program.drivers]
    none = np.zeros((3 * (mechanism.dimension - 1), motion.times.size))  # of joints that bear nothing

    def carry(total: Loads) -> tuple[dict[str, Array], dict[str, Array]]:
        """Compute what drivers or actuators exert and joints bear; what these add is added to the loads."""
        driving, reactions = carried(total)
        moved, in_joints = dict(zip(names, driving, strict=True)), dict[str, Array]()
        if freedoms is not None:
            moved = shared_forces(motion, freedoms, driving, weights)
            for (joint, number), force in zip(freedoms.values(), moved.values(), strict=True) if wanted else ():
                in_joints[joint] = in_joints.get(joint, 0.0) + total.add_in_joint(joint, number, force)
            _, reactions = carried(total) if wanted else (driving, {})
        if meshes:
            for gears in meshes:
                _add_teeth(total, gears, reactions[gears.name], in_joints)
            _, reactions = carried(total)
        borne = {name: reactions.get(name, none) for name in wanted}
        return moved, borne | {name: borne[name] + more for name, more in in_joints.items() if name in borne}

    if surfaces:
        for each in surfaces:
            check_determined(motion, each.load)
        amounts = friction_forces(surfaces, total, effects, carry)
        total = with_friction(total, surfaces, amounts)
        effects |= {each.load.name: each.acting(x) for each, x in zip(surfaces, amounts, strict=True)}
    moved, borne = carry(total)
    acts = {load.name: effects[load.name] for load in mechanism.forces}
    return Forces(motion, moved, {name: borne[name] for name in named}, acts, outer, velocities, results)


def _memory(motion: Motion, joints: tuple[str, ...], out: Forces | None) -> Array | None:
    """Memory of forces that the user gives.

    Raises
    ------
    ArgumentError
    """
    if out is None:
        return None
    same = out.motion.program is motion.program and tuple(out.reactions) == joints
    if out.memory is None or not same or out.memory.shape[1] != motion.times.size:
        raise ArgumentError("out must be forces of the same program, with the same joints and number of steps")
    return out.memory


def _add_teeth(total: Loads, gears: Joint, reaction: Array, in_joints: dict[str, Array]) -> None:
    """Add radial and axial forces of gears to the loads, and to what their joint transmits."""
    motion, d = total.motion, total.motion.program.mechanism.dimension
    found = tooth_forces(motion, gears, reaction[-d:])
    if found is None:
        return
    force, pitch = found
    first, second = gears.bodies
    total.add(second, pitch, 0.0, force)
    total.add(first, pitch, 0.0, -force)
    arm = (pitch - motion.point_on(second, motion.program.geometry.joints[gears.name].points[1])).T
    in_joints[gears.name] = in_joints.get(gears.name, 0.0) + np.concatenate([moment(arm, force), force])


def _motion(mechanism: Mechanism | Program | Motion, times: ArrayLike | None) -> Motion:
    if isinstance(mechanism, Motion):
        if times is not None:
            raise ArgumentError("times are those of the motion; leave them out, or give a mechanism")
        return mechanism
    if times is None:
        raise TimesError("times are needed: pass an array of times in s")
    return solve(mechanism, times)


def _check_joints(mechanism: Mechanism, names: Sequence[str] | None) -> None:
    for name in () if names is None else names:
        if name not in mechanism.joint:
            raise UnknownNameError(f"keep names joint {name!r}, which does not exist{hint(name, mechanism.joint)}")


def _add_given(total: Loads, loads: Given) -> None:
    """Add loads of the user (bodies, 3 or 6, n), or some that broadcast to it: torques, and forces on the origins."""
    motion = total.motion
    computed: Any = loads(motion) if callable(loads) and not isinstance(loads, type) else loads
    movable, d = motion.program.mechanism.movable, motion.program.mechanism.dimension
    array, shape = floats(computed), (len(movable), 3 * (d - 1), motion.times.size)
    if array.shape not in (shape, shape[:2]):
        raise ArgumentError(f"loads must have the shape {shape[:2]} or {shape}, not {array.shape}")
    if not np.isfinite(array).all():
        raise ArgumentError(f"loads must be finite numbers, not {shown(float(array[~np.isfinite(array)][0]))}")
    each = np.broadcast_to(array if array.ndim == 3 else array[:, :, None], shape)
    for body, rows in zip(movable, each, strict=True):
        total.add(body, motion.position(body), rows[:-d], rows[-d:])
