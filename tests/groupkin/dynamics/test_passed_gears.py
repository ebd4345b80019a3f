"""Gears in space whose centers pass through each other: poses go on, what follows from their teeth is refused."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.dynamics.simulation import free_motion
from groupkin.dynamics.standstill import stuck
from groupkin.errors import NotModeledError

TIMES = np.linspace(0.0, 1.2, 49)
FREEDOMS = ("x", "y", "z", "angle_x", "angle_y", "angle_z")
FIRST = (-1.512, -1.071, 1.282, 0.6107, 0.5046, 0.5524)
LAST = (-0.998, -0.646, 0.554, 1.0988, 0.5557, -0.0507)
"""Values (m, rad) of the free body in the reference configuration, and after 1 s, behind the centers of the gears."""


def passing(driven: bool = True) -> gk.Mechanism:
    """A free body with a gear on a skew axis, whose center it leads through that of a gear on the frame."""
    free = gk.Joint(
        "free",
        "F",
        ("frame", "carrier"),
        points=((0.798, 0.697, -0.856), (-0.715, -0.373, 0.426)),
        reference={"angle_x": 0.6107, "angle_y": 0.5046, "angle_z": 0.5524},
    )
    pin = gk.Joint("pin", "R", ("carrier", "gear"), point=(-0.635, -0.318, 0.564), axis=(-0.397, 0.850, -0.347))
    mesh = gk.Joint(
        "mesh",
        "EPI",
        ("frame", "gear"),
        points=((0.597, 0.743, -0.904), (0.559, -0.584, -0.316)),
        axes=((0.237, -0.886, -0.397), (0.919, 0.290, -0.268)),
        radii=(0.413, 0.558),
        reference={"angle": 0.6517},
    )
    carrier = gk.Body("carrier", mass=1.0, center=(-0.9, -0.2, -0.5), inertia=(0.4, 1.0, 0.9))
    gear = gk.Body("gear", mass=2.0, center=(0.4, 0.4, 1.7), inertia=(1.0, 0.6, 0.8))
    laws = [gk.Polynomial((a, b - a)) if driven else None for a, b in zip(FIRST, LAST, strict=True)]
    drivers = [gk.Driver("free", law, freedom=name) for name, law in zip(FREEDOMS, laws, strict=True)]
    return gk.Mechanism(3, ["frame", carrier, gear], [free, pin, mesh], drivers, gravity=(0.0, 0.0, -9.81))


def test_forces_and_jacobians_of_passed_gears_are_refused() -> None:
    motion = gk.solve(passing(), TIMES)
    assert gk.max_residual(motion) < 1e-12  # all joints close
    with pytest.raises(NotModeledError, match=r"joint 'mesh' .*passed through each other at t = 1"):
        gk.inverse_dynamics(motion)
    with pytest.raises(NotModeledError, match=r"joint 'mesh' .*passed through each other"):
        gk.jacobian(motion, ["position gear"])
    before = motion.at(np.flatnonzero(motion.times < 0.9))
    assert all(np.isfinite(each).all() for each in gk.inverse_dynamics(before).drivers.values())


def test_a_simulation_says_that_gears_have_passed() -> None:
    behind = gk.solve(passing(), TIMES)
    free = free_motion(passing(driven=False))
    state = np.concatenate([behind.driven[:, 0, -1], behind.driven[:, 1, -1]])
    free.motion_at(TIMES, np.vstack([behind.driven[:, 0], behind.driven[:, 1]]))
    assert "passed through each other" in str(stuck(free, 1.2, state))
