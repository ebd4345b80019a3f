"""Mechanisms written as MJCF move in MuJoCo as here, and come back as they were."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ModelError, NoGeometryError
from tests.support.mechanisms import EXAMPLES
from tests.support.mujoco_motion import Model

REFUSED = {"cam_roller": (ModelError, "joint 'flank'"), "micro_manipulator": (NoGeometryError, "lack geometry")}
"""Examples that MJCF cannot express, with the error and what it names."""

MOVING = [name for name in gk.examples() if name not in REFUSED and "." not in name]
SHARE = 0.15
"""Share of the duration of an example that is moved through."""


def freedoms(mechanism: gk.Mechanism) -> list[tuple[str, int]]:
    return [(joint, index) for joint, drivers in mechanism.driven.items() for index in drivers]


def solved(name: str) -> gk.Motion:
    file = gk.read(gk.example(name))
    times = file.motion.start + np.linspace(0.0, SHARE * file.motion.duration, 9)
    return gk.solve(file.mechanism, times)


def place_along(judge: Model, motion: gk.Motion) -> list[np.ndarray]:
    """Positions (bodies, 3) of MuJoCo's bodies at all times, by small steps of the drivers from the reference."""
    mechanism = motion.program.mechanism
    names = [mechanism.driver_name(*each) for each in freedoms(mechanism)]
    index = {(x.joint, x.freedom): k for k, x in enumerate(motion.program.drivers)}
    values = np.array([motion.driver(index[each])[0] for each in freedoms(mechanism)])
    at = np.array([judge.qpos[judge.model.joint(name).qposadr[0]] for name in names])
    found = []
    for wanted in values.T:
        for share in np.linspace(0.0, 1.0, 21)[1:]:
            judge.place(dict(zip(names, at + share * (wanted - at), strict=True)))
        at = wanted
        found.append(judge.positions())
    return found


@pytest.mark.filterwarnings("ignore:.*range of")
@pytest.mark.parametrize("name", MOVING)
def test_examples_move_in_mujoco_as_here(name: str, tmp_path: Path) -> None:
    motion = solved(name)
    path = tmp_path / "model.xml"
    gk.export_mjcf(motion.program.mechanism, path)
    judge = Model(path.read_text())
    places = place_along(judge, motion)
    for body in motion.program.mechanism.movable:
        k = judge.model.body(body).id
        own = motion.position(body)
        own = np.pad(own, ((0, 0), (0, 3 - own.shape[1])))
        scale = max(1.0, motion.program.geometry.size)
        np.testing.assert_allclose(own, [p[k] for p in places], rtol=0, atol=1e-12 * scale, err_msg=body)


@pytest.mark.filterwarnings("ignore:.*range of")
@pytest.mark.parametrize("name", MOVING)
@pytest.mark.usefixtures("line_by_line")
def test_examples_come_back(name: str, tmp_path: Path) -> None:
    motion = solved(name)
    mechanism = motion.program.mechanism
    path = tmp_path / "model.xml"
    gk.export_mjcf(mechanism, path)
    model = gk.import_model(path, plane=mechanism.dimension == 2, masses=False)
    laws = {mechanism.driver_name(*each): law_of(mechanism, *each) for each in freedoms(mechanism)}
    still = {name: gk.Constant(0.0) for name in model.free if name in model.mechanism.joint and name not in laws}
    again = replace(model.mechanism, drivers=[gk.Driver(joint, law) for joint, law in (laws | still).items()])
    back = gk.solve(again, motion.times)
    scale = max(1.0, motion.program.geometry.size)
    for body in mechanism.movable:
        np.testing.assert_allclose(back.position(body), motion.position(body), rtol=0, atol=1e-12 * scale, err_msg=body)


def law_of(mechanism: gk.Mechanism, joint: str, index: int) -> Any:
    return mechanism.driven[joint][index].law


@pytest.mark.parametrize("name", REFUSED)
def test_what_mjcf_cannot_express_is_refused_by_name(name: str, tmp_path: Path) -> None:
    kind, text = REFUSED[name]
    with pytest.raises(kind, match=text):
        gk.export_mjcf(gk.load(EXAMPLES / f"{name}.toml"), tmp_path / "model.xml")
