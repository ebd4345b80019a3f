"""Random mechanisms with coupled joints against the global formulation, and of any size against themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import solve
from tests.groupkin.kinematics.test_random_mechanisms import TIMES, globally, grown, motion_of
from tests.support import oracle
from tests.support.random_mechanisms import CHAINS, HIGHER, JIT, Workshop, resized, unsized

pytestmark = pytest.mark.usefixtures("line_by_line")

COUPLED = {"H", "HF", "RW", "EO", "EPI", "RP"}
KINDS = {dimension: CHAINS[dimension] | HIGHER[dimension] for dimension in (2, 3)}
SCREWS = (("R*1", "H", "P"), ("R", "H", "P*1"), ("C*1", "H"), ("C", "H*1"), ("H*1", "H", "P"), ("H", "P", "R*1"))
"""Loops of coaxial joints, which are over-constrained."""

SHARE, ALL = range(3), range(500)


def drawn(dimension: int, seed: int, kinds: list[str], screws: bool = False) -> Motion | None:
    """The motion of a random mechanism of one to three groups on moving bodies; None if none of them moves freely."""
    rng = np.random.default_rng(seed)
    shop, motion = Workshop(dimension, rng, amplitude=0.1), None
    shop.moving_body()
    if screws:
        screw_loop(shop)
        motion = motion_of(shop.mechanism())
    for name in rng.choice(kinds, size=rng.integers(1, 4)):
        shop, found = grown(shop, KINDS[dimension][name])
        motion = found or motion
    return motion


def screw_loop(shop: Workshop) -> None:
    """Add a loop of coaxial joints on a moving body, on an axis anywhere."""
    kinds, point, axis = SCREWS[shop.rng.integers(len(SCREWS))], shop.point(), shop.direction()
    base, first = shop.bodies[-1], len(shop.bodies)
    shop.bodies += [f"b{first + k}" for k in range(len(kinds) - 1)]
    ends = [base, *shop.bodies[first:], base]
    for k, kind in enumerate(kinds):
        place = point + 0.1 * k * axis
        at: dict[str, Any] = {"point": place} if kind[0] == "R" else {"points": (place, place)}
        pitch = {"pitch": shop.rng.choice([-1, 1]) * shop.rng.uniform(0.05, 0.3)} if kind[0] == "H" else {}
        shop.join(kind, ends[k : k + 2], axis=axis, **at, **pitch)


def check(found: oracle.Trajectories, expected: oracle.Trajectories, motion: Motion, tolerance: float) -> None:
    """Errors of positions become errors of velocities and accelerations, each time over the conditioning."""
    gaps, least = oracle.differences(found, expected, motion.program.geometry.size), motion.conditioning.min()
    assert (gaps < tolerance / least ** np.arange(1, 4)).all(), (gaps, least, motion.program)


def agree_with_the_whole(dimension: int, seeds: range) -> int:
    """Number of random mechanisms with coupled joints that were compared."""
    kinds = [name for name, chain in HIGHER[dimension].items() if any(c.split("*")[0] in COUPLED for *_, c in chain)]
    compared = 0
    for seed in seeds:
        motion = drawn(dimension, seed, kinds, screws=dimension == 3 and seed % 3 == 0)
        if motion is not None:
            check(globally(motion.program.mechanism, TIMES), oracle.of_motion(motion), motion, 1e-9)
            compared += 1
    return compared


@pytest.mark.parametrize("dimension", [2, 3])
def test_mechanisms_with_coupled_joints_agree_with_the_whole(dimension: int) -> None:
    assert agree_with_the_whole(dimension, SHARE) >= 2


def test_wheels_whose_centers_pass_through_each_other() -> None:
    """The distance between them becomes negative, and the line through them keeps its direction."""
    assert agree_with_the_whole(2, range(62, 63)) == 1


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.skipif(not JIT, reason="many mechanisms")
@pytest.mark.parametrize("dimension", [2, 3])
def test_many_mechanisms_with_coupled_joints_agree_with_the_whole(dimension: int) -> None:
    assert agree_with_the_whole(dimension, range(700)) >= 500


def agree_with_themselves(dimension: int, seeds: range) -> int:
    """Number of random mechanisms that were compared with the same of another size at another place."""
    compared = 0
    for seed in seeds:
        motion = drawn(dimension, seed, sorted(KINDS[dimension]))
        if motion is None:
            continue
        rng = np.random.default_rng(seed)
        direction = rng.normal(size=dimension)
        size, offset = 10 ** rng.uniform(-12, 12), 10 ** rng.uniform(-1, 7)
        shift = offset * direction / np.linalg.norm(direction)
        mechanism = motion.program.mechanism
        other = solve(resized(mechanism, size, shift), TIMES)
        # its dimensions are rounded as coordinates are there, which a rack, a wheel or a small part enlarges
        motion = solve(resized(resized(mechanism, 1.0, shift), 1.0, -shift), TIMES)
        found = unsized(other, size, shift)
        # some roundings of coordinates, of which lengths and directions are differences
        check(found, oracle.of_motion(motion), motion, 1e-9 + 8 * 2.2e-16 * offset / motion.program.geometry.size)
        compared += 1
    return compared


@pytest.mark.parametrize("dimension", [2, 3])
def test_mechanisms_of_any_size_anywhere_agree_with_themselves(dimension: int) -> None:
    assert agree_with_themselves(dimension, SHARE) >= 2


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.skipif(not JIT, reason="many mechanisms")
@pytest.mark.parametrize("dimension", [2, 3])
def test_many_mechanisms_of_any_size_anywhere_agree_with_themselves(dimension: int) -> None:
    assert agree_with_themselves(dimension, ALL) >= 400
