"""Reactions as forces of drivers: what holds a joint apart at rest exerts what the joint transmits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
from tests.groupkin.kinematics.test_random_mechanisms import grown
from tests.support.loaded import loaded
from tests.support.random_mechanisms import CHAINS, FREE, HIGHER, Workshop
from tests.support.shares import in_part

EVERY = [(d, name) for d in (2, 3) for name in (*CHAINS[d], *HIGHER[d])]
ALL = {2: ("x", "y", "angle"), 3: ("x", "y", "z", "angle_x", "angle_y", "angle_z")}
"""Freedoms of a joint that frees all components."""


def cut(mechanism: gk.Mechanism, joint: gk.Joint) -> gk.Mechanism:
    """The mechanism with a body more between a joint and its second body, which all its drivers hold together."""
    d, second = mechanism.dimension, joint.bodies[1]
    point = tuple(gk.program(mechanism).geometry.joints[joint.name].points[1])
    joints = [replace(x, bodies=(x.bodies[0], "between")) if x.name == joint.name else x for x in mechanism.joints]
    joints.append(gk.Joint("held", FREE[d].partition("*")[0], ("between", second), points=(point, point)))
    drivers = [*mechanism.drivers, *(gk.Driver("held", gk.Constant(0.0), freedom) for freedom in ALL[d])]
    return replace(mechanism, bodies=[*mechanism.bodies, "between"], joints=joints, drivers=drivers)


@pytest.mark.parametrize(("dimension", "name"), in_part(EVERY, 8))
def test_every_component_is_the_force_of_a_driver_that_holds_it(dimension: int, name: str) -> None:
    rng = np.random.default_rng(EVERY.index((dimension, name)))
    _, motion = grown(Workshop(dimension, rng, amplitude=0.1), {**CHAINS[dimension], **HIGHER[dimension]}[name])
    assert motion is not None
    base = loaded(motion.program.mechanism)
    base = replace(base, forces=[x for x in base.forces if not hasattr(x, "joint")])
    times = np.linspace(0.0, 0.8, 3)
    forces = gk.inverse_dynamics(base, times)
    size, conditioning = forces.motion.program.geometry.size, forces.motion.conditioning.min()
    unit = np.r_[np.full(2 * dimension - 3, size), np.ones(dimension)][:, None]
    largest = max(np.abs(x / unit).max() for x in forces.reactions.values())
    for joint in base.joints:
        held = gk.inverse_dynamics(cut(base, joint), times, keep=[])
        axes = held.motion.rotation("between")
        pushed = np.array([held.driver(f"held.{freedom}") for freedom in ALL[dimension]])
        force = np.einsum("nij,jn->in", axes, pushed[:dimension])
        moment = pushed[dimension:] if dimension == 2 else np.einsum("nij,jn->in", axes, pushed[dimension:])
        found = np.concatenate([moment, force])
        flags = forces.determined(joint.name)
        assert flags.all()
        assert np.abs((found - forces.reactions[joint.name]) / unit).max() <= 1e-10 * largest / conditioning, joint
