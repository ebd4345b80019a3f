"""Inverse dynamics and statics: the forces that drive a motion, and the reactions in its joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import checked, floats
from groupkin.dynamics.acting.acting import acting, add
from groupkin.dynamics.acting.loads import Loads, sum_of
from groupkin.dynamics.reactions.actuators import actuator_freedoms
from groupkin.dynamics.reactions.carrier import Carrier
from groupkin.dynamics.reactions.forces import Forces
from groupkin.dynamics.reactions.friction import friction_forces, sliding, with_friction
from groupkin.dynamics.reactions.reaction_map import Runner
from groupkin.errors import ArgumentError, DuplicateNameError, UnknownNameError, shown
from groupkin.kinematics.motion.freedoms import Freedoms
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import motion_of
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.forces.forces import Force, Friction, Torque
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import hint
from sglibrary.array_types import Array


@checked
def inverse_dynamics(
    mechanism: Mechanism | MechanismFile | Program | Motion,
    times: ArrayLike | None = None,
    actuators: Sequence[str] | None = None,
    *,
    velocities: bool = True,
    keep: Sequence[str] | None = None,
    loads: ArrayLike | None = None,
    weights: Sequence[float] | None = None,
    length: float | None = None,
    out: Forces | None = None,
) -> Forces:
    """Compute the forces that a motion needs, and the reactions in all joints.

    Parameters
    ----------
    mechanism : Mechanism, MechanismFile, Program or Motion
        Or the path of a file. With masses, gravity and forces; see `Body`, `Mechanism` and `Spring`. A motion is taken
        as it is solved.
    times : (n,) array_like, optional
        s. Needed unless a motion is given; of a file, those of the file by default.
    actuators : sequence of str, optional
        Freedoms that are moved by forces: a joint, or ``joint.freedom`` where it has several. Default: the
        drivers. They may be others than the drivers, and more than are needed.
    velocities : bool
        Whether there is inertia and damping. Without, the mechanism is at rest at every step (statics).
    keep : sequence of str, optional
        The joints whose reactions are computed. Default: all.
    loads : (bodies, 3 or 6) or (bodies, 3 or 6, n) array_like, optional
        Further loads on the movable bodies at these steps: on each, in the order of ``mechanism.movable``, a torque,
        N m (one number in the plane), and a force on its origin, N, in global components. What follows from time and
        motion is a `Force` or `Torque` with a function instead.
    weights : sequence of float, optional
        Of actuators that are more than needed: the sum of weight · force² is as small as possible. Default: 1 each.
    length : float, optional
        m. Where reactions of redundant joints are not determined, those are chosen whose sum of force² and
        (moment / length)² over all joints is least, with moments about the joints' points.
        Default: the size of the mechanism.
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
    wanted = Wanted(actuators, velocities, keep, loads, weights, length)
    return forces_of(motion_of(mechanism, times), wanted, out)


class Wanted(NamedTuple):
    """What inverse dynamics is asked for, as `inverse_dynamics` takes it."""

    actuators: Sequence[str] | None
    velocities: bool
    keep: Sequence[str] | None
    loads: ArrayLike | None
    weights: Sequence[float] | None
    length: float | None

    def joints(self, mechanism: Mechanism) -> tuple[str, ...]:
        """Those whose reactions are wanted.

        Raises
        ------
        UnknownNameError
        """
        for name in () if self.keep is None else self.keep:
            if name not in mechanism.joint:
                raise UnknownNameError(f"keep names joint {name!r}, which does not exist{hint(name, mechanism.joint)}")
        return tuple(joint.name for joint in mechanism.joints if self.keep is None or joint.name in self.keep)

    def freedoms(self, program: Program) -> Freedoms | None:
        """What the actuators move; None if they are the drivers."""
        return None if self.actuators is None else actuator_freedoms(program, self.actuators)


def forces_of(motion: Motion, asked: Wanted, out: Forces | None = None, runner: Runner | None = None) -> Forces:
    """Compute the forces of a motion as `inverse_dynamics`, with what runs the compiled pass."""
    velocities, mechanism = asked.velocities, motion.program.mechanism
    named, freedoms = asked.joints(mechanism), asked.freedoms(motion.program)
    _check_names(motion.program, freedoms)
    rubbing = [load for load in mechanism.forces if isinstance(load, Friction)]
    effects = {x.name: acting(motion, x, velocities) for x in mechanism.forces if not isinstance(x, Friction)}
    outer, inner = Loads(motion), Loads(motion)
    if asked.loads is not None:
        _add_given(outer, asked.loads)
    for load in mechanism.forces:
        if not isinstance(load, Friction):
            add(outer if isinstance(load, Force | Torque) else inner, load, effects[load.name].amount)
    total = sum_of(outer, inner)
    joints = tuple(dict.fromkeys([*named, *(load.joint for load in rubbing)]))
    by = motion.program.geometry.size if asked.length is None else _positive(asked.length)
    carrier = Carrier(motion, joints, freedoms, asked.weights, velocities, by, _memory(motion, named, out), runner)
    if rubbing:
        surfaces = [sliding(motion, load) for load in rubbing]
        amounts = friction_forces(surfaces, total, effects, carrier.carry)
        total = with_friction(total, surfaces, amounts)
        effects |= {load.name: each.acting(x) for load, each, x in zip(rubbing, surfaces, amounts, strict=True)}
    moved, borne = carrier.carry(total)
    acts = {load.name: effects[load.name] for load in mechanism.forces}
    reactions = {name: borne[name] for name in named}
    return Forces(motion, moved, reactions, acts, outer, velocities, by, carrier.results)


def _check_names(program: Program, freedoms: Freedoms | None) -> None:
    """Refuse a force that has the name of a driver or actuator: results could not tell its power from theirs.

    Raises
    ------
    DuplicateNameError
    """
    mechanism = program.mechanism
    moved = freedoms or {mechanism.driver_name(driven.joint, driven.freedom) for driven in program.drivers}
    for load in mechanism.forces:
        if load.name in moved:
            raise DuplicateNameError(
                f"force {load.name!r} has the name of a driver or actuator, and results could not tell their power "
                "apart; rename the force"
            )


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


def _positive(length: float) -> float:
    if not 0.0 < length < np.inf:
        raise ArgumentError(f"length must be a positive number of meters, not {shown(length)}")
    return length


def _add_given(total: Loads, loads: ArrayLike) -> None:
    """Add loads of the user (bodies, 3 or 6, n), or some that broadcast to it: torques, and forces on the origins."""
    motion = total.motion
    movable, d = motion.program.mechanism.movable, motion.program.mechanism.dimension
    array, shape = floats(loads), (len(movable), 3 * (d - 1), motion.times.size)
    if array.shape not in (shape, shape[:2]):
        raise ArgumentError(f"loads must have the shape {shape[:2]} or {shape}, not {array.shape}")
    if not np.isfinite(array).all():
        raise ArgumentError(f"loads must be finite numbers, not {shown(float(array[~np.isfinite(array)][0]))}")
    each = np.broadcast_to(array if array.ndim == 3 else array[:, :, None], shape)
    for body, rows in zip(movable, each, strict=True):
        total.add(body, motion.position(body), rows[:-d], rows[-d:])
