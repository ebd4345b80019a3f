"""The Stewart platform in simulators of trees with loop constraints: MuJoCo, Pinocchio and Exudyn.

The platform is a free body. From it hang six legs of two hinges (the U joint) and a slide; the foot of each is tied to
the base by a point constraint (the S joint): 18 equations for 24 coordinates. Given are the six of the platform's pose,
the inverse problem, or those of the six slides, the forward one. Newton's method on the simulator's own constraint
residual and Jacobian, started from the step before, if wanted with its velocity and acceleration.

For the forces all 13 bodies have 1 kg and 1 kg m²: the platform about its center, of each leg one body about the head
and one about the foot. The simulator's inverse dynamics of the tree gives 24 forces along its coordinates; 18 of them
tell the forces at the feet, and these what the slides must exert.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

TOLERANCE = 1e-10
"""Largest residual, m."""


@dataclass(frozen=True)
class Platform:
    """Geometry in the reference configuration (m), and the motion of the platform over n steps.

    `twist` and `gain` (n, 6): velocity and acceleration of the center in global, then angular velocity and acceleration
    in the platform's axes; `pose` (n, 7): center and quaternion, x, y, z, w.
    """

    center: np.ndarray
    feet: np.ndarray
    heads: np.ndarray
    axes: np.ndarray
    slides: np.ndarray
    times: np.ndarray
    pose: np.ndarray
    twist: np.ndarray
    gain: np.ndarray
    legs: np.ndarray | None = None

    @property
    def slid(self) -> Any:
        """Columns of the 24 rates that are those of the slides."""
        return np.arange(8, 24, 3)

    @property
    def known(self) -> Any:
        """Columns of the 24 rates that are given."""
        return slice(0, 6) if self.legs is None else self.slid

    @property
    def unknown(self) -> Any:
        return slice(6, 24) if self.legs is None else np.delete(np.arange(24), self.known)


@dataclass
class Found:
    """The platform's pose and the slides (n, 25), their rates and accelerations (n, 24), as the simulator has them."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    iterations: int = 0
    residual: float | None = None

    @property
    def legs(self) -> np.ndarray:
        """Displacement of the slides from the reference, rate and acceleration (3, n, 6)."""
        return np.array([self.q[:, 9::3], self.v[:, 8::3], self.a[:, 8::3]])


def platform(motion: Any, forward: bool = False) -> Platform:
    """From a motion of ``examples/stewart_inverse.toml`` or, if `forward`, of ``examples/stewart_forward.toml``."""
    program = motion.program
    geometry, joints = program.geometry, {joint.name: joint for joint in program.mechanism.joints}
    numbers = range(1, 7)
    # the platform moves alike whichever end of a leg has the U joint
    end, body = ("B", "base") if forward else ("P", "platform")
    own = [joints[f"{end}{k}"].bodies.index(body) for k in numbers]
    frames = [geometry.joints[f"{end}{k}"].frames for k in numbers]
    turns = motion.rotation("platform")

    center = geometry.joints["pose"].points[1]
    feet, heads = (np.array([geometry.joints[f"{at}{k}"].points[0] for k in numbers]) for at in "BP")
    at, velocity, acceleration = _moved(motion, center)
    spin, rise = motion.angular_velocity("platform"), motion.angular_acceleration("platform")

    def in_body(vectors: np.ndarray) -> np.ndarray:
        return np.einsum("nij,ni->nj", turns, vectors)

    return Platform(
        center,
        feet,
        heads,
        np.array([[f[side][:, 2], f[1 - side][:, 2]] for f, side in zip(frames, own, strict=True)]),
        np.array([geometry.joints[f"leg_{k}"].frames[0][:, 2] for k in numbers]),
        motion.times,
        np.hstack([at, Rotation.from_matrix(turns).as_quat()]),
        np.hstack([velocity, in_body(spin)]),
        np.hstack([acceleration, in_body(rise)]),
        -slides(motion, feet, heads) if forward else None,  # a foot moves against the length of its leg
    )


def _moved(motion: Any, point: np.ndarray) -> list[np.ndarray]:
    """Position, velocity and acceleration (n, 3) of a point of the platform, by its place in the reference."""
    arm = motion.rotation("platform") @ (point - motion.program.geometry.origins["platform"])
    spin, rise = motion.angular_velocity("platform"), motion.angular_acceleration("platform")
    swing = np.cross(spin, arm)
    added = arm, swing, np.cross(rise, arm) + np.cross(spin, swing)
    return [
        x("platform") + y for x, y in zip((motion.position, motion.velocity, motion.acceleration), added, strict=True)
    ]


def slides(motion: Any, feet: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Growth of the legs since the reference, rate and acceleration (3, n, 6), from the motion of the platform."""
    span, rate, gain = np.stack([_moved(motion, head) for head in heads], axis=2)
    span = span - feet
    length = np.linalg.norm(span, axis=2)
    turned = (span * rate).sum(axis=2) / length
    second = ((span * gain).sum(axis=2) + (rate * rate).sum(axis=2) - turned**2) / length
    return np.array([length - np.linalg.norm(heads - feet, axis=1), turned, second])


MODES = {
    "position": (False, False),
    "position, velocity, acceleration": (True, False),
    "the same, start extrapolated": (True, True),
}
"""What is solved: whether with velocity and acceleration, and whether Newton's method starts with them."""


def _follow(given: Platform, start: np.ndarray, close: Callable, rates: Callable, ahead: Callable, mode: str) -> Found:
    """All steps: `close` (k, start) gives the coordinates, `rates` (k, coordinates) their derivatives."""
    derivatives, extrapolated = MODES[mode]
    n = given.times.size
    found = Found(np.zeros((n, 25)), np.zeros((n, 24)), np.zeros((n, 24)))
    q, v, a = start, np.zeros(24), np.zeros(24)
    for k in range(n):
        dt = given.times[k] - given.times[k - 1] if k else 0.0
        q, iterations, residual = close(k, ahead(q, dt * v + 0.5 * dt * dt * a) if extrapolated else q)
        found.iterations += iterations
        found.residual = max(found.residual or 0.0, residual)
        if derivatives:
            v, a = rates(k, q)
        found.q[k], found.v[k], found.a[k] = q, v, a
    return found


Solve = Callable[[str], Found]
Push = Callable[[Found], np.ndarray]
"""Forces of the slides (n, 6), N, in states that are found."""


def loaded(mechanism: Any, given: Platform) -> Any:
    """The same masses and gravity for `examples/stewart_inverse.toml`."""
    at = {"platform": given.center}
    for k in range(6):
        at |= {f"rod_{k + 1}": given.heads[k], f"cylinder_{k + 1}": given.feet[k]}
    bodies = [
        replace(body, mass=1.0, center=tuple(at[body.name]), inertia=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        if body.name in at
        else body
        for body in mechanism.bodies
    ]
    return replace(mechanism, bodies=bodies, gravity=(0.0, 0.0, -9.81))


def _pushes(given: Platform, found: Found, state: Callable[[int], tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Forces of the slides from those along all coordinates and the Jacobian (18, 24) of the feet in every state."""
    slid, rest = given.slid, np.delete(np.arange(24), given.slid)
    forces = np.zeros((len(found.q), 6))
    for k in range(len(found.q)):
        along, jacobian = state(k)
        forces[k] = along[slid] - jacobian[:, slid].T @ np.linalg.solve(jacobian[:, rest].T, along[rest])
    return forces


# --- MuJoCo ----------------------------------------------------------------------------------


def mujoco_model(
    given: Platform, option: str = 'jacobian="dense"', slides: tuple[str, ...] = ("",) * 6, ties: str = ""
) -> str:
    """The platform in MuJoCo's format; attributes may be added to its options, slides and ties."""

    def text(vector: np.ndarray) -> str:
        return " ".join(f"{x:.17g}" for x in vector)

    body = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    legs = "".join(
        f'<body pos="{text(head - given.center)}">{body}<joint axis="{text(first)}"/><joint axis="{text(second)}"/>'
        f'<body name="foot{k}" pos="{text(foot - head)}">{body}'
        f'<joint type="slide" axis="{text(slide)}" {slides[k]}/></body></body>'
        for k, (head, foot, (first, second), slide) in enumerate(
            zip(given.heads, given.feet, given.axes, given.slides, strict=True)
        )
    )
    tied = "".join(f'<connect body1="foot{k}" body2="world" anchor="0 0 0" {ties}/>' for k in range(6))
    return (
        f'<mujoco><option {option}/><compiler angle="radian"/><worldbody>'
        f'<body name="platform" pos="{text(given.center)}"><freejoint/>{body}{legs}</body></worldbody>'
        f"<equality>{tied}</equality></mujoco>"
    )


def mujoco_runner(given: Platform) -> tuple[Solve, Push, str]:
    """Functions that solve all steps in one of the `MODES` and find the forces, and the calls they make."""
    import mujoco as mj

    model = mj.MjModel.from_xml_string(mujoco_model(given))
    data = mj.MjData(model)
    feet = [mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY, f"foot{k}") for k in range(6)]
    poses = given.pose[:, [0, 1, 2, 6, 3, 4, 5]]
    drift, change = np.zeros((18, model.nv)), np.zeros(model.nv)
    parts = [drift[3 * k : 3 * k + 3] for k in range(6)]
    known, unknown, inverse = given.known, given.unknown, given.legs is None
    v, a = np.zeros(model.nv), np.zeros(model.nv)
    rates_given = (given.twist, given.gain) if given.legs is None else given.legs[1:]

    def close(k: int, start: np.ndarray) -> tuple[np.ndarray, int, float]:
        data.qpos[:] = start
        if inverse:
            data.qpos[:7] = poses[k]
        else:
            data.qpos[9::3] = given.legs[0, k]
        for iteration in range(50):
            mj.mj_kinematics(model, data)
            mj.mj_comPos(model, data)
            mj.mj_makeConstraint(model, data)
            residual = np.abs(data.efc_pos).max()
            if residual < TOLERANCE:
                return data.qpos.copy(), iteration, residual
            change[unknown] = -np.linalg.solve(data.efc_J.reshape(18, -1)[:, unknown], data.efc_pos)
            mj.mj_integratePos(model, data.qpos, change, 1.0)
        raise RuntimeError(f"MuJoCo: step {k} did not converge")

    def rates(k: int, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        jacobian = data.efc_J.reshape(18, -1)
        matrix, rest = jacobian[:, unknown], jacobian[:, known]
        v[known], v[unknown] = rates_given[0][k], np.linalg.solve(matrix, -rest @ rates_given[0][k])
        data.qvel[:] = v
        mj.mj_comVel(model, data)
        for part, body in zip(parts, feet, strict=True):
            mj.mj_jacDot(model, data, part, None, data.xpos[body], body)
        a[known], a[unknown] = rates_given[1][k], np.linalg.solve(matrix, -rest @ rates_given[1][k] - drift @ v)
        return v, a

    def ahead(q: np.ndarray, change: np.ndarray) -> np.ndarray:
        mj.mj_integratePos(model, q, change, 1.0)
        return q

    along = np.zeros(model.nv)

    def push(found: Found) -> np.ndarray:
        def state(k: int) -> tuple[np.ndarray, np.ndarray]:
            data.qpos[:], data.qvel[:], data.qacc[:] = found.q[k], found.v[k], found.a[k]
            mj.mj_kinematics(model, data)
            mj.mj_comPos(model, data)
            mj.mj_makeConstraint(model, data)
            mj.mj_comVel(model, data)
            mj.mj_rne(model, data, 1, along)
            return along, data.efc_J.reshape(18, -1)

        return _pushes(given, found, state)

    calls = (
        "mj_kinematics, mj_comPos, mj_makeConstraint, numpy solve per evaluation; mj_comVel, mj_jacDot for rates; "
        "mj_rne, numpy solve for forces"
    )
    start = data.qpos.copy()
    return lambda mode: _follow(given, start.copy(), close, rates, ahead, mode), push, calls


# --- Pinocchio -------------------------------------------------------------------------------


def _pinocchio_model(given: Platform) -> tuple[Any, list[int], list[Any]]:
    """The tree, the joints of its slides, and the feet in their bodies."""
    import pinocchio as pin

    def shift(vector: np.ndarray) -> Any:
        return pin.SE3(np.eye(3), vector)

    model = pin.Model()
    free = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "platform")
    ends = []
    for k in range(6):
        place, parent = shift(given.heads[k] - given.center), free
        for name, axis in zip(("first", "second"), given.axes[k], strict=True):
            parent = model.addJoint(parent, pin.JointModelRevoluteUnaligned(*axis), place, f"{name}{k}")
            place = pin.SE3.Identity()
        ends.append(model.addJoint(parent, pin.JointModelPrismaticUnaligned(*given.slides[k]), place, f"slide{k}"))
    at_foot = [shift(given.feet[k] - given.heads[k]) for k in range(6)]
    one = pin.Inertia(1.0, np.zeros(3), np.eye(3))
    model.appendBodyToJoint(free, one, pin.SE3.Identity())
    for k in range(6):
        model.appendBodyToJoint(ends[k] - 1, one, pin.SE3.Identity())  # the second hinge, at the head
        model.appendBodyToJoint(ends[k], one, at_foot[k])
    return model, ends, at_foot


def pinocchio_runner(given: Platform) -> tuple[Solve, Push, str]:
    """Functions that solve all steps in one of the `MODES` and find the forces, and the calls they make."""
    import pinocchio as pin

    model, ends, at_foot = _pinocchio_model(given)
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    data = model.createData()
    for k in range(6):
        models.append(
            pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, model, ends[k], at_foot[k], 0, pin.SE3(np.eye(3), given.feet[k]), pin.LOCAL
            )
        )
        datas.append(models[k].createData())
    error, bias, change = np.zeros(18), np.zeros(18), np.zeros(model.nv)
    v, a, gain = np.zeros(model.nv), np.zeros(model.nv), np.zeros(model.nv)
    pairs = list(zip(models, datas, strict=True))
    known, unknown, inverse = given.known, given.unknown, given.legs is None
    # Pinocchio's free joint has its linear velocity in the platform's axes
    turns = Rotation.from_quat(given.pose[:, 3:])
    twist, growth = given.twist.copy(), given.gain.copy()
    twist[:, :3] = turns.inv().apply(given.twist[:, :3])
    growth[:, :3] = turns.inv().apply(given.gain[:, :3]) - np.cross(twist[:, 3:], twist[:, :3])
    rates_given = (twist, growth) if given.legs is None else given.legs[1:]

    def close(k: int, start: np.ndarray) -> tuple[np.ndarray, int, float]:
        q = start.copy()
        if inverse:
            q[:7] = given.pose[k]
        else:
            q[9::3] = given.legs[0, k]
        for iteration in range(50):
            pin.computeJointJacobians(model, data, q)
            for row, (constraint, found) in enumerate(pairs):
                constraint.calc(model, data, found)
                error[3 * row : 3 * row + 3] = found.c1Mc2.translation
            residual = np.abs(error).max()
            if residual < TOLERANCE:
                return q, iteration, residual
            jacobian = pin.getConstraintsJacobian(model, data, models, datas)
            change[unknown] = np.linalg.solve(jacobian[:, unknown], error)
            q = pin.integrate(model, q, change)
        raise RuntimeError(f"Pinocchio: step {k} did not converge")

    def rates(k: int, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        jacobian = pin.getConstraintsJacobian(model, data, models, datas)
        matrix, rest = jacobian[:, unknown], jacobian[:, known]
        v[known], v[unknown] = rates_given[0][k], np.linalg.solve(matrix, -rest @ rates_given[0][k])
        gain[known] = rates_given[1][k]
        pin.forwardKinematics(model, data, q, v, gain)
        for row, (joint, place) in enumerate(zip(ends, at_foot, strict=True)):
            velocity, acceleration = place.actInv(data.v[joint]), place.actInv(data.a[joint])
            bias[3 * row : 3 * row + 3] = acceleration.linear + np.cross(velocity.angular, velocity.linear)
        a[known], a[unknown] = rates_given[1][k], np.linalg.solve(matrix, -bias)
        return v, a

    def ahead(q: np.ndarray, change: np.ndarray) -> np.ndarray:
        return np.asarray(pin.integrate(model, q, change))

    def push(found: Found) -> np.ndarray:
        def state(k: int) -> tuple[np.ndarray, np.ndarray]:
            q = found.q[k]
            pin.computeJointJacobians(model, data, q)
            for constraint, its in pairs:
                constraint.calc(model, data, its)
            jacobian = pin.getConstraintsJacobian(model, data, models, datas)
            return pin.rnea(model, data, q, found.v[k], found.a[k]), jacobian

        return _pushes(given, found, state)

    calls = (
        "computeJointJacobians, getConstraintsJacobian, 6 calc, numpy solve per evaluation; forwardKinematics for "
        "rates; rnea, numpy solve for forces"
    )
    start = np.r_[given.center, np.zeros(3), 1.0, np.zeros(18)]
    return lambda mode: _follow(given, start, close, rates, ahead, mode), push, calls
