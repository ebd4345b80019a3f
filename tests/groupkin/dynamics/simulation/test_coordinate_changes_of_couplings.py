"""Free coordinates are exchanged where couplings measure points of bodies."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk


@pytest.mark.exhaustive
def test_a_tip_on_a_surface_keeps_its_energy_where_free_coordinates_change() -> None:
    """An arm that yaws, pitches and slides, whose tip is held on a hyperboloid."""
    tip = gk.Body("tip", mass=1.0, center="T", inertia=(0.01, 0.01, 0.02), points={"T": (0.9, 0.0, 0.436)})
    joints = [
        gk.Joint("yaw", "R", ("frame", "yaw"), point=(0, 0, 0), axis=(0, 0, 1)),
        gk.Joint("pitch", "R", ("yaw", "arm"), point=(0, 0.5, 0.1), axis=(0, 1, 0)),
        gk.Joint("slide", "P", ("arm", "tip"), point=(0.5, 0, 0.1), axis=(1, 0, 0.2)),
    ]
    surface = gk.Coupling("surface", "{position T.x} ** 2 + {position T.y} ** 2 - 2 * {position T.z} ** 2")
    drivers = [gk.Driver("yaw", gk.Constant(0.0)), gk.Driver("pitch")]
    arm = gk.Mechanism(
        3, ["frame", "yaw", "arm", tip], joints, drivers, gravity=(-10.0, 0.0, -10.0), couplings=[surface]
    )
    motion = gk.simulate(arm, np.linspace(0.0, 3.0, 5), on_failure="nan")
    x, y, z = motion.position("T").T[:, motion.solved]
    bound = 1e-9 * max(1.0, np.abs(x).max()) ** 2
    assert np.allclose(x**2 + y**2 - 2.0 * z**2, 0.9**2 - 2.0 * 0.436**2, rtol=0, atol=bound)
    total = gk.inverse_dynamics(motion).energy().total[motion.solved]
    assert motion.solved.sum() > 1
    assert np.ptp(total) <= 1e-4
