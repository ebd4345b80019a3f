"""One four-bar linkage as SDF and URDF state it in many ways: its motion by closed formulas, and by MuJoCo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from tests.support.mujoco_motion import Model, mujoco_motion
from tests.support.robot_models import LOOPS, PINS, SDF, URDF

TIMES = np.linspace(0.0, 0.8, 9)
MODELS = {
    **{f"{name}.sdf": text for name, text in SDF.items()},
    **{f"{name}.urdf": text for name, text in URDF.items()},
}


def linkage(name: str, folder: Path, **options: object) -> gk.ImportedModel:
    path, text = folder / name, MODELS[name]
    path.write_text(text.replace('<axis xyz="0 0 2"/>', '<axis xyz="0 1 0"/>') if options.get("plane") else text)
    if name.startswith("bushing"):
        options["loops"] = folder / "loops.toml"
        (folder / "loops.toml").write_text(LOOPS)
    return gk.import_model(path, **options)  # type: ignore[arg-type]


def driven(mechanism: gk.Mechanism) -> gk.Mechanism:
    """The crank turned, from where the linkage is closed."""
    at = mechanism.joint["A"].reference
    assert isinstance(at, float)
    joints = [replace(joint, range=None) for joint in mechanism.joints]
    return replace(mechanism, joints=joints, drivers=[gk.Driver("A", gk.Harmonic(0.5, 0.3, offset=at))])


def rocker_angle(crank: np.ndarray) -> np.ndarray:
    """Angle by which the rocker has turned about y, from that of the crank: both from where the pins are stated."""
    a, b, c, d = (np.array(PINS[name]) for name in "ABCD")
    turned = (b - a)[0] * np.array([np.cos(crank), -np.sin(crank)]) + (b - a)[1] * np.array(
        [np.sin(crank), np.cos(crank)]
    )
    start = a[:, None] + turned
    way = start - d[:, None]
    far, rod, arm = np.linalg.norm(way, axis=0), np.linalg.norm(c - b), np.linalg.norm(c - d)
    inner = np.arccos((far**2 + arm**2 - rod**2) / (2 * far * arm))
    side = np.sign(way[0, 0] * (c - d)[1] - way[1, 0] * (c - d)[0])
    angle = np.arctan2(way[1], way[0]) + side * inner
    return np.arctan2((c - d)[1], (c - d)[0]) - angle  # about y x turns to -z


@pytest.mark.parametrize("plane", [False, True], ids=["space", "plane"])
@pytest.mark.parametrize("name", MODELS)
def test_the_rocker_turns_as_by_closed_formulas(name: str, plane: bool, tmp_path: Path) -> None:
    motion = gk.solve(driven(linkage(name, tmp_path, plane=plane).mechanism), TIMES)
    mechanism = motion.program.mechanism
    sign = -1.0 if name.startswith("four-bar") else 1.0  # its parent is the rocker
    expected = rocker_angle(motion.joint("A")[0])
    np.testing.assert_allclose(sign * motion.joint("D")[0], expected, rtol=0, atol=1e-12)
    if "E" in mechanism.joint:
        np.testing.assert_allclose(motion.joint("E")[0], 2.0 * expected + 0.1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_motion_and_forces_are_those_of_mujoco(name: str, tmp_path: Path) -> None:
    mechanism = driven(linkage(name, tmp_path).mechanism)
    mechanism = replace(mechanism, forces=[load for load in mechanism.forces if not isinstance(load, gk.JointFriction)])
    motion = gk.solve(mechanism, TIMES)
    path = tmp_path / "model.xml"
    gk.export_mjcf(mechanism, path)
    judge = Model(path.read_text())
    found = mujoco_motion(judge, {"A": mechanism.drivers[0].law}, TIMES)
    for body in mechanism.movable:
        k = judge.model.body(body).id
        np.testing.assert_allclose(motion.position(body), found.positions[:, k], rtol=0, atol=1e-12)
        np.testing.assert_allclose(motion.velocity(body), found.velocities[:, k], rtol=0, atol=1e-11)
    forces = gk.inverse_dynamics(motion).driver("A")
    np.testing.assert_allclose(forces, found.forces[:, 0], rtol=0, atol=1e-9 * np.abs(forces).max())
