"""MJCF models move as in MuJoCo: positions, velocities, and the forces of what drives them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from tests.support.mujoco_motion import Model, mujoco_motion
from tests.support.robot_models import MJCF

TIMES = np.linspace(0.0, 0.8, 9)

CASES = {
    "four-bar": ({}, None, ()),
    "gripper": ({}, None, ()),
    "five-bar": ({}, None, ()),
    "delta": ({}, None, ("rod", "ball")),
    "stewart": ({}, None, ()),
    "leg": ({"fix": "pelvis", "keyframe": "home", "start": {"crank": 0.4}}, 0, ("achilles",)),
    "slider": ({}, None, ()),
}
"""Options of reading, number of the keyframe, and beginnings of names of bodies that spin freely."""


def driven(model: gk.ImportedModel, amplitude: float = 0.06) -> gk.Mechanism:
    """The mechanism with laws of its drivers, and of what is free besides but spins of rods."""
    reference = {joint.name: start_of(joint) for joint in model.mechanism.joints}
    names = [driver.joint for driver in model.mechanism.drivers]
    names += [name for name in model.free if "." not in name]
    laws = [
        gk.Driver(name, gk.Harmonic(amplitude, 0.3 + 0.05 * k, offset=reference[name])) for k, name in enumerate(names)
    ]
    joints = [replace(joint, range=None) for joint in model.mechanism.joints]  # which the small motion may leave
    return replace(model.mechanism, joints=joints, drivers=laws)


def start_of(joint: gk.Joint) -> float:
    if joint.type == "P":
        first, second = map(np.array, joint.points)
        return float((second - first) @ np.array(joint.axis) / np.linalg.norm(joint.axis))
    return joint.reference if isinstance(joint.reference, float) else 0.0


@pytest.mark.parametrize("name", CASES)
def test_motion_and_forces_are_those_of_mujoco(name: str, tmp_path: Path) -> None:
    options, key, spinning = CASES[name]
    path = tmp_path / "model.xml"
    path.write_text(MJCF[name])
    mechanism = driven(gk.import_model(path, **options))
    motion = gk.solve(mechanism, TIMES)
    standing = MJCF[name].replace('<freejoint name="float"/>', "").replace('qpos="0 0 1 1 0 0 0 ', 'qpos="')
    judge = Model(standing, key)
    for joint, value in options.get("start", {}).items():
        judge.qpos[judge.model.joint(joint).qposadr] = value
    laws = {driver.joint: driver.law for driver in mechanism.drivers}
    by_mujoco = mujoco_motion(judge, laws, TIMES)
    compared = 0
    for body in mechanism.movable:
        if body.startswith(spinning) if spinning else False:
            continue
        if "." in body or body not in names(judge):
            continue
        k = judge.model.body(body).id
        np.testing.assert_allclose(motion.position(body), by_mujoco.positions[:, k], rtol=0, atol=1e-12, err_msg=body)
        np.testing.assert_allclose(motion.velocity(body), by_mujoco.velocities[:, k], rtol=0, atol=1e-11, err_msg=body)
        turned = np.einsum("nij,kj->nik", by_mujoco.rotations[:, k], by_mujoco.rotations[0, k])
        own = np.einsum("nij,kj->nik", motion.rotation(body), motion.rotation(body)[0])
        np.testing.assert_allclose(own, turned, rtol=0, atol=2e-12, err_msg=body)
        compared += 1
    assert compared >= 2
    forces = gk.inverse_dynamics(motion)
    own = np.array([forces.driver(joint) for joint in laws]).T
    np.testing.assert_allclose(own, by_mujoco.forces, rtol=0, atol=1e-9 * np.abs(own).max())


def names(judge: Model) -> list[str]:
    return [judge.model.body(k).name for k in range(judge.model.nbody)]
