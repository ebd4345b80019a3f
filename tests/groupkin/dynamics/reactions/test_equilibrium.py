"""Random mechanisms with forces of all kinds: every body in equilibrium by other code, and no power lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import JammingError
from tests.groupkin.kinematics.test_random_mechanisms import grown
from tests.support.energy import rate_of_energy
from tests.support.equilibrium import unbalanced
from tests.support.loaded import loaded
from tests.support.random_mechanisms import CHAINS, Workshop

pytestmark = pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
"""Motions go beyond the ranges at which stops act."""

SLIDING = {"R", "P", "S"}
"""Joints whose friction the reference knows."""

GROUPS = {2: ["driven R", "RRR", "RRP", "RPR", "PRP"], 3: ["driven R", "driven P", "UPS", "RSU", "PUS", "RRRS"]}


def rubbing(mechanism: gk.Mechanism, seed: int) -> gk.Mechanism:
    """The mechanism with all kinds of forces that the reference knows."""
    rng, base, d = np.random.default_rng(seed), loaded(mechanism, seed), mechanism.dimension
    first, last = base.movable[0], base.movable[-1]
    more: list[object] = [
        gk.Bushing("rubber", (base.frame, last), tuple(rng.normal(size=d)), 40.0, 2.0, 7.0, 0.5),
        gk.Bushing("mount", (last, first), tuple(rng.normal(size=d)), 30.0, 0.0, 3.0),
    ]
    if d == 2:  # so near the line that it always touches
        line = ((-90.0, -3.0), (80.0, -2.0))
        under = base.frame if first == last else first
        more.append(gk.Contact("tire", (under, last), (0.2, 0.1), 6.0, None, line, 20.0, 1.5, 0.1, 0.3, 0.5))
        hills = gk.Curve([(x, 0.05 * np.sin(0.3 * x) - 2.5) for x in np.linspace(-90.0, 80.0, 300)])
        turn = np.linspace(0.0, 2 * np.pi, 60, endpoint=False)
        oval = gk.Curve(np.stack([0.2 + 6.0 * np.cos(turn), 0.1 + 5.0 * np.sin(turn)], axis=1).tolist(), True)
        touch = {"stiffness": 20.0, "damping": 0.1, "coefficient": 0.3, "speed": 0.5}
        more.append(gk.Contact("oval", (under, last), curves=(hills, oval), side="left", **touch))
    of = (f"angular_velocity {first}", f"rotation {last}", f"velocity {last}")
    number, vector = (
        (lambda t, x: np.sin(x).sum(axis=0) + t),
        (lambda t, x: [np.sin((k + 1) * x).sum(axis=0) for k in range(d)]),
    )
    more += [
        gk.Force("own force", last, tuple(rng.normal(size=d)), function=vector, of=of),
        gk.Torque("own torque", first, function=number if d == 2 else vector, of=of, axes=last),
        gk.Spring(
            "own pull", (base.frame, last), (tuple(rng.normal(size=d) + 9.0), (0.3,) * d), 3.0, function=number, of=of
        ),
        gk.Force(
            "by joint", last, tuple(rng.normal(size=d)), (3.0, 2.0, 1.0)[:d], gk.Ramp(2.0), axes=base.joints[-1].name
        ),
    ]
    joints = [replace(joint, range=(-0.02, 0.03)) if joint.type in ("R", "P") else joint for joint in base.joints]
    for joint in joints:
        if joint.type in ("R", "P"):
            more.append(gk.Stop(f"bump {joint.name}", joint.name, stiffness=30.0, damping=0.4))
            more.append(gk.JointForce(f"own {joint.name}", joint.name, function=number, of=(f"position {last}",)))
            more.append(gk.JointFriction(f"seal {joint.name}", joint.name, 2.0, damping=0.3, speed=0.2))
        if joint.type in SLIDING:
            more.append(gk.Friction(f"surface {joint.name}", joint.name, 0.03, radius=0.05, speed=0.3))
    kept = [x for x in base.forces if not hasattr(x, "joint") or base.joint[x.joint].type in ("R", "P")]
    return replace(base, joints=joints, forces=[*kept, *more])


def check(dimension: int, seed: int) -> bool:
    """Whether a random mechanism of two groups, with what acts on it, was found, does not jam, and was checked."""
    rng = np.random.default_rng(seed)
    shop = Workshop(dimension, rng, amplitude=0.1)
    names = [rng.choice(GROUPS[dimension][:1]), rng.choice(GROUPS[dimension][1:])]
    motion = None
    for name in names:
        shop, found = grown(shop, CHAINS[dimension][name])
        motion = found or motion
    if motion is None:
        return False
    mechanism = rubbing(motion.program.mechanism, seed)
    try:
        forces = gk.inverse_dynamics(mechanism, np.linspace(0.0, 0.8, 5))
    except JammingError:
        return False
    left, largest = unbalanced(forces)
    assert np.abs(left).max() <= 1e-12 * largest, (seed, np.abs(left).max() / largest)
    powers, rates = list(forces.power().values()), rate_of_energy(forces.motion)
    most = max(np.abs(x).max() for x in (*powers, *rates))
    bound = 1e-9 if forces.motion.program.iterates else 1e-12
    assert np.abs(sum(powers) - sum(rates)).max() <= bound / forces.motion.conditioning.min() * most, seed
    return True


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_random_mechanism_is_in_equilibrium(dimension: int) -> None:
    assert any(check(dimension, seed) for seed in range(4))


MANY = [
    *(pytest.param(2, first, 100, marks=pytest.mark.exhaustive) for first in (100, 200, 300)),
    pytest.param(3, 100, 40, marks=pytest.mark.exhaustive),
    pytest.param(2, 100, 3000, marks=[pytest.mark.long, pytest.mark.timeout(7200)]),
    pytest.param(3, 100, 300, marks=[pytest.mark.long, pytest.mark.timeout(7200)]),
]


@pytest.mark.parametrize(("dimension", "first", "count"), MANY)
def test_random_mechanisms_are_in_equilibrium(dimension: int, first: int, count: int) -> None:
    assert sum(check(dimension, seed) for seed in range(first, first + count)) > 0.8 * count
