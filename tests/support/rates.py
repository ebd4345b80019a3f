"""The map of rates of a motion against its velocities, and against its transpose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]


def twists(motion: Motion) -> Array:
    """Angular velocities and velocities of the origins of all movable bodies, (bodies, 3 or 6, n)."""
    found = []
    for body in motion.program.mechanism.movable:
        spin = motion.angular_velocity(body)
        found.append(np.concatenate([spin.reshape(motion.times.size, -1), motion.velocity(body)], axis=1).T)
    return np.array(found)


def check_rates(motion: Motion, seed: int = 0) -> None:
    """Check what rates of the drivers lead to, and that loads are carried back by the transposed map."""
    program, rng = motion.program, np.random.default_rng(seed)
    kept, size = motion.solved, motion.program.geometry.size
    lengths = np.ones(3 * (program.mechanism.dimension - 1))
    lengths[-program.mechanism.dimension :] = size
    conditioning = motion.conditioning[:, kept].min(initial=1.0)
    expected = twists(motion)
    found = program.rates(motion, motion.driven[:, 1][:, None])[:, :, 0]
    miss = (np.abs(found - expected) / lengths[:, None])[..., kept].max(initial=0.0)
    speed = (np.abs(expected) / lengths[:, None])[..., kept].max(initial=0.0)
    # the velocities of a group by Newton's method are as exact as its positions, 1e-11 over the conditioning
    assert miss <= 1e-11 * (1.0 + speed) / conditioning**2
    count = len(program.drivers)
    whole = program.rates(motion, np.eye(count)) / lengths[:, None, None]
    x, y = rng.normal(size=(count, 2)), rng.normal(size=(*expected.shape[:2], 2)) / lengths[:, None]
    forward = np.einsum("bkm,bkmn->mn", y, program.rates(motion, x))
    back = np.einsum("dm,dmn->mn", x, program.rates_transposed(motion, y))
    norms = np.linalg.norm(x, axis=0) * np.linalg.norm(y * lengths[:, None], axis=(0, 1))
    bound = norms[:, None] * np.sqrt((whole**2).sum(axis=(0, 1, 2)))
    assert (np.abs(forward - back)[:, kept] <= 1e-13 * bound[:, kept]).all()
