"""A thousand random mechanisms with gears, racks, wheels and cams, by groups and all bodies at once."""

from __future__ import annotations

import numpy as np
import pytest

from groupkin.errors import DeterminedByCountOnlyError, NotDeterminedError, SolveError
from groupkin.kinematics.global_formulation.comparison import compare
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import solve
from tests.support.random_cams import CAMS
from tests.support.random_mechanisms import CHAINS, HIGHER, JIT, Chain, Workshop

pytestmark = pytest.mark.usefixtures("line_by_line")

TIMES = np.linspace(0.0, 0.5, 26 if JIT else 5)

LEAST = 0.01
"""Conditioning of the mechanisms that are looked at: near singular positions, and anywhere else."""

APART = 0.02
"""Distance of the centers of gears, m: where they meet, the line of centers turns by half a turn at once."""

TOOTHED = ("EO", "EPI", "RP", "RW")
GEARED: dict[int, dict[str, Chain]] = {
    d: {name: chain for name, chain in HIGHER[d].items() if any(code.startswith(TOOTHED) for *_, code in chain)}
    for d in HIGHER
}
TOUCHING = {2: GEARED[2] | {f"cam, {name}": chain for name, chain in CAMS.items()}, 3: GEARED[3]}


def motion_of(shop: Workshop) -> Motion | None:
    """Its motion by groups, unless it comes to a singular position or centers of gears meet."""
    try:
        motion = solve(shop.mechanism(), TIMES)
    except (DeterminedByCountOnlyError, NotDeterminedError, SolveError):
        return None
    gears = [joint.name for joint in shop.joints if joint.type in ("EO", "EPI")]
    apart = min((float(motion.joint(name)[1].min()) for name in gears), default=1.0)
    return motion if motion.conditioning.min() > LEAST and apart > APART else None


def drawn(seed: int) -> tuple[str, Motion]:
    """One to three groups on each other, one of them at least with gears, a rack, a wheel or a cam; and their names."""
    rng = np.random.default_rng(seed)
    dimension = int(rng.choice([2, 2, 3]))
    shop, names = Workshop(dimension, rng, amplitude=0.1), []
    motion: Motion | None = None
    shop.moving_body()
    wanted = [str(rng.choice(sorted(TOUCHING[dimension]))) for _ in range(rng.integers(1, 3))]
    wanted += [str(rng.choice(sorted(CHAINS[dimension])))] * int(rng.integers(0, 2))
    while motion is None:
        for name in wanted:
            larger = Workshop(dimension, rng, shop.amplitude, list(shop.bodies), list(shop.joints), list(shop.drivers))
            larger.make_tree((TOUCHING[dimension] | CHAINS[dimension])[name])
            found = motion_of(larger)
            if found is not None and (motion is not None or name in TOUCHING[dimension]):
                shop, motion = larger, found
                names.append(name)
    return f"{dimension}D: {'; '.join(names)}", motion


def check(seeds: range) -> None:
    wrong = []
    for seed in seeds:
        name, motion = drawn(seed)
        conditioning, gaps = motion.conditioning.min(), compare(motion)
        worst = max(gaps.position, gaps.velocity, gaps.acceleration)
        if not worst <= 1e-9 / conditioning:
            wrong.append(f"{seed} ({name}; conditioning {conditioning:.2g}): {gaps}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("first", [0, 10])
def test_mechanisms_with_gears_racks_and_cams_agree(first: int) -> None:
    check(range(first, first + (10 if JIT else 1)))


@pytest.mark.long
@pytest.mark.skipif(not JIT, reason="hours without the compiler")
@pytest.mark.parametrize("first", range(20, 1000, 20))
def test_a_thousand_mechanisms_with_gears_racks_and_cams_agree(first: int) -> None:
    check(range(first, first + 20))
