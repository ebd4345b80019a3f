"""The Stewart platform, inverse, in simulators of trees with loop constraints: MuJoCo and Pinocchio.

The platform is a free body whose pose is given. From it hang six legs of two hinges (the U joint) and a slide; the foot
of each is tied to the base by a point constraint (the S joint): 18 unknowns and 18 equations. Newton's method on the
simulator's own constraint residual and Jacobian, started from the step before, if wanted with its velocity and
acceleration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass
class Found:
    """Displacement of the slides from the reference, rate and acceleration (3, n, 6), and what it took."""

    legs: np.ndarray
    iterations: int = 0
    residual: float = 0.0


def platform(motion: Any) -> Platform:
    """From a motion of ``examples/stewart_inverse.toml``."""
    program = motion.program
    geometry, joints = program.geometry, {joint.name: joint for joint in program.mechanism.joints}
    numbers = range(1, 7)
    own = [joints[f"P{k}"].bodies.index("platform") for k in numbers]
    frames = [geometry.joints[f"P{k}"].frames for k in numbers]
    turns = motion.rotation("platform")

    center = geometry.joints["pose"].points[1]
    arm = turns @ (center - geometry.origins["platform"])
    spin, rise = motion.angular_velocity("platform"), motion.angular_acceleration("platform")
    swing = np.cross(spin, arm)
    velocity = motion.velocity("platform") + swing
    acceleration = motion.acceleration("platform") + np.cross(rise, arm) + np.cross(spin, swing)

    def in_body(vectors: np.ndarray) -> np.ndarray:
        return np.einsum("nij,ni->nj", turns, vectors)

    return Platform(
        center,
        np.array([geometry.joints[f"B{k}"].points[0] for k in numbers]),
        np.array([geometry.joints[f"P{k}"].points[0] for k in numbers]),
        np.array([[f[side][:, 2], f[1 - side][:, 2]] for f, side in zip(frames, own, strict=True)]),
        np.array([geometry.joints[f"leg_{k}"].frames[0][:, 2] for k in numbers]),
        motion.times,
        np.hstack([motion.position("platform") + arm, Rotation.from_matrix(turns).as_quat()]),
        np.hstack([velocity, in_body(spin)]),
        np.hstack([acceleration, in_body(rise)]),
    )


MODES = {
    "position": (False, False),
    "position, velocity, acceleration": (True, False),
    "the same, start extrapolated": (True, True),
}
"""What is solved: whether with velocity and acceleration, and whether Newton's method starts with them."""


def _follow(given: Platform, close: Callable, rates: Callable, mode: str) -> Found:
    """All steps: `close` (k, start) gives the legs' 18 coordinates, `rates` (k, coordinates) their derivatives."""
    derivatives, extrapolated = MODES[mode]
    n = given.times.size
    found, q, v, a = Found(np.zeros((3, n, 6))), np.zeros(18), np.zeros(18), np.zeros(18)
    for k in range(n):
        dt = given.times[k] - given.times[k - 1] if k else 0.0
        q, iterations, residual = close(k, q + dt * v + 0.5 * dt * dt * a if extrapolated else q)
        found.iterations += iterations
        found.residual = max(found.residual, residual)
        if derivatives:
            v, a = rates(k, q)
        found.legs[:, k] = q[2::3], v[2::3], a[2::3]
    return found


# --- MuJoCo ----------------------------------------------------------------------------------


def _mujoco_model(given: Platform) -> str:
    def text(vector: np.ndarray) -> str:
        return " ".join(f"{x:.17g}" for x in vector)

    body = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    legs = "".join(
        f'<body pos="{text(head - given.center)}">{body}<joint axis="{text(first)}"/><joint axis="{text(second)}"/>'
        f'<body name="foot{k}" pos="{text(foot - head)}">{body}<joint type="slide" axis="{text(slide)}"/></body></body>'
        for k, (head, foot, (first, second), slide) in enumerate(
            zip(given.heads, given.feet, given.axes, given.slides, strict=True)
        )
    )
    ties = "".join(f'<connect body1="foot{k}" body2="world" anchor="0 0 0"/>' for k in range(6))
    return (
        '<mujoco><option jacobian="dense"/><compiler angle="radian"/><worldbody>'
        f'<body name="platform" pos="{text(given.center)}"><freejoint/>{body}{legs}</body></worldbody>'
        f"<equality>{ties}</equality></mujoco>"
    )


def mujoco_runner(given: Platform) -> tuple[Callable[[str], Found], str]:
    """A function that solves all steps in one of the `MODES`, and the calls it makes."""
    import mujoco as mj

    model = mj.MjModel.from_xml_string(_mujoco_model(given))
    data = mj.MjData(model)
    feet = [mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY, f"foot{k}") for k in range(6)]
    poses = given.pose[:, [0, 1, 2, 6, 3, 4, 5]]
    drift = np.zeros((18, model.nv))
    parts = [drift[3 * k : 3 * k + 3] for k in range(6)]

    def close(k: int, start: np.ndarray) -> tuple[np.ndarray, int, float]:
        data.qpos[:7], data.qpos[7:] = poses[k], start
        for iteration in range(50):
            mj.mj_kinematics(model, data)
            mj.mj_comPos(model, data)
            mj.mj_makeConstraint(model, data)
            residual = np.abs(data.efc_pos).max()
            if residual < TOLERANCE:
                return data.qpos[7:].copy(), iteration, residual
            jacobian = data.efc_J.reshape(18, -1)
            data.qpos[7:] -= np.linalg.solve(jacobian[:, 6:], data.efc_pos)
        raise RuntimeError(f"MuJoCo: step {k} did not converge")

    def rates(k: int, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        jacobian = data.efc_J.reshape(18, -1)
        v = np.linalg.solve(jacobian[:, 6:], -jacobian[:, :6] @ given.twist[k])
        data.qvel[:6], data.qvel[6:] = given.twist[k], v
        mj.mj_comVel(model, data)
        for part, body in zip(parts, feet, strict=True):
            mj.mj_jacDot(model, data, part, None, data.xpos[body], body)
        return v, np.linalg.solve(jacobian[:, 6:], -jacobian[:, :6] @ given.gain[k] - drift @ data.qvel)

    calls = "mj_kinematics, mj_comPos, mj_makeConstraint, numpy solve per evaluation; mj_comVel, mj_jacDot for rates"
    return lambda mode: _follow(given, close, rates, mode), calls


# --- Pinocchio -------------------------------------------------------------------------------


def pinocchio_runner(given: Platform) -> tuple[Callable[[str], Found], str]:
    """A function that solves all steps in one of the `MODES`, and the calls it makes."""
    import pinocchio as pin

    def shift(vector: np.ndarray) -> Any:
        return pin.SE3(np.eye(3), vector)

    model = pin.Model()
    free = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "platform")
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    slides = []
    for k in range(6):
        place, parent = shift(given.heads[k] - given.center), free
        for name, axis in zip(("first", "second"), given.axes[k], strict=True):
            parent = model.addJoint(parent, pin.JointModelRevoluteUnaligned(*axis), place, f"{name}{k}")
            place = pin.SE3.Identity()
        slides.append(model.addJoint(parent, pin.JointModelPrismaticUnaligned(*given.slides[k]), place, f"slide{k}"))
    data = model.createData()
    at_foot = [shift(given.feet[k] - given.heads[k]) for k in range(6)]
    for k in range(6):
        models.append(
            pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, model, slides[k], at_foot[k], 0, shift(given.feet[k]), pin.LOCAL
            )
        )
        datas.append(models[k].createData())
    whole, first = np.zeros(model.nq), model.nq - 18
    rate, gain, error, bias = np.zeros(model.nv), np.zeros(model.nv), np.zeros(18), np.zeros(18)
    pairs = list(zip(models, datas, strict=True))
    # Pinocchio's free joint has its linear velocity in the platform's axes
    turns = Rotation.from_quat(given.pose[:, 3:])
    twist, growth = given.twist.copy(), given.gain.copy()
    twist[:, :3] = turns.inv().apply(given.twist[:, :3])
    growth[:, :3] = turns.inv().apply(given.gain[:, :3]) - np.cross(twist[:, 3:], twist[:, :3])

    def close(k: int, start: np.ndarray) -> tuple[np.ndarray, int, float]:
        whole[:first], whole[first:] = given.pose[k], start
        for iteration in range(50):
            pin.computeJointJacobians(model, data, whole)
            for row, (constraint, found) in enumerate(pairs):
                constraint.calc(model, data, found)
                error[3 * row : 3 * row + 3] = found.c1Mc2.translation
            residual = np.abs(error).max()
            if residual < TOLERANCE:
                return whole[first:].copy(), iteration, residual
            jacobian = pin.getConstraintsJacobian(model, data, models, datas)
            whole[first:] += np.linalg.solve(jacobian[:, 6:], error)
        raise RuntimeError(f"Pinocchio: step {k} did not converge")

    def rates(k: int, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        jacobian = pin.getConstraintsJacobian(model, data, models, datas)
        v = np.linalg.solve(jacobian[:, 6:], -jacobian[:, :6] @ twist[k])
        rate[:6], rate[6:], gain[:6] = twist[k], v, growth[k]
        pin.forwardKinematics(model, data, whole, rate, gain)
        for row, (joint, place) in enumerate(zip(slides, at_foot, strict=True)):
            velocity, acceleration = place.actInv(data.v[joint]), place.actInv(data.a[joint])
            bias[3 * row : 3 * row + 3] = acceleration.linear + np.cross(velocity.angular, velocity.linear)
        return v, np.linalg.solve(jacobian[:, 6:], -bias)

    calls = (
        "computeJointJacobians, getConstraintsJacobian, 6 calc, numpy solve per evaluation; forwardKinematics for rates"
    )
    return lambda mode: _follow(given, close, rates, mode), calls


RUNNERS = {"mujoco": mujoco_runner, "pinocchio": pinocchio_runner}
