"""A mechanism moves alike wherever it stands: large coordinates cost no more than their own rounding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from groupkin.errors import GroupkinError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.points import direction
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import CHAINS, HIGHER, JIT, Workshop, moved

TIMES = np.linspace(0.0, 0.5, 41 if JIT else 3)

SHORTEST = 0.8
"""Distance, m, that the joints of a body with such a hinge have at least."""

LEAST = 0.01
"""Conditioning of the motions that are compared."""


def require_alike(here: Motion, mechanism: Mechanism, distance: float) -> None:
    """Solve a mechanism so many of its sizes away, and compare it with the motion of the same at the origin."""
    d, size = mechanism.dimension, here.program.geometry.size
    shift = distance * size * np.array([0.6, -0.64, 0.48])[:d]
    there = solve(moved(mechanism, np.eye(d), shift), here.times)
    # eight roundings of the largest coordinate, in a position; in its rates they count once more over the conditioning
    allowed = (1e-9 + 8 * 2.2e-16 * distance) / here.conditioning.min()
    for body in mechanism.movable:
        assert np.abs(there.position(body) - shift - here.position(body)).max() < allowed * size, body
        for rate in (Motion.velocity, Motion.angular_velocity):
            away, scale = rate(there, body) - rate(here, body), size if rate is Motion.velocity else 1.0
            fastest = max(np.abs(Motion.angular_velocity(here, one)).max() for one in mechanism.movable)
            fastest += max(np.abs(here.velocity(one)).max() for one in mechanism.movable) / size
            assert np.abs(away).max() < allowed / here.conditioning.min() * fastest * scale, body


@pytest.mark.parametrize("distance", [1e3, 1e5, 1e7])
@pytest.mark.parametrize("name", ["stephenson_six_bar", "assur_class_three", "stewart_forward"])
def test_examples_solved_by_newtons_method(name: str, distance: float) -> None:
    mechanism = load(EXAMPLES / f"{name}.toml")
    require_alike(solve(mechanism, 0.4 * TIMES), mechanism, distance)


def random_motion(dimension: int, name: str, seed: int) -> Motion | None:
    """The motion of a random group on two moving bodies; None where it comes near a singular position."""
    shop = Workshop(dimension, np.random.default_rng(seed), amplitude=0.1)
    shop.make_tree((CHAINS[dimension] | HIGHER[dimension])[name], [shop.moving_body(), shop.moving_body()])
    try:
        motion = solve(shop.mechanism(), TIMES)
    except GroupkinError:
        return None
    return motion if motion.conditioning.min() > LEAST else None


NAMES = [(d, name) for d in (2, 3) for name in (*CHAINS[d], *HIGHER[d])]


@pytest.mark.parametrize("newton", [False, True])
@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.long) for k in range(1, 8))])
def test_random_groups(seed: int, newton: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if newton:
        monkeypatch.setattr(closed_forms, "roles", lambda group: None)
    rng, compared = np.random.default_rng(seed), 0
    for k in rng.permutation(len(NAMES))[: 12 if JIT else 2]:
        dimension, name = NAMES[k]
        motion = random_motion(dimension, name, seed)
        if motion is not None:
            require_alike(motion, motion.program.mechanism, 10.0 ** rng.uniform(3.0, 7.0))
            compared += 1
    assert compared


@pytest.mark.parametrize("name", ["RUS", "RSU"])
@pytest.mark.parametrize("far", [1e3, 1e5])
def test_a_hinge_given_by_a_point_far_along_its_axis(name: str, far: float) -> None:
    """Only the rounding of that point is lost, eight times, over the shortest body."""
    motion = next(filter(None, (random_motion(3, name, seed) for seed in range(20))))
    mechanism = motion.program.mechanism
    group = motion.program.structure.groups[-1]
    hinge = next(joint for joint in mechanism.joints if joint.type == "R" and set(joint.bodies) & set(group.bodies))
    assert hinge.point is not None
    assert hinge.axis is not None
    point = mechanism.locate(hinge.point, "") + far * direction(hinge.axis, 3, "")
    joints = [replace(joint, point=tuple(point)) if joint is hinge else joint for joint in mechanism.joints]
    there = solve(replace(mechanism, joints=tuple(joints)), TIMES)
    assert max_residual(there) < 1e-9 + 8 * 2.2e-16 * far / SHORTEST / motion.conditioning.min()
