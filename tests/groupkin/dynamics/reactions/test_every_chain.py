"""Forces in every pair and cam, in coupled and in over-constrained mechanisms: power, equilibrium, a saddle point."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import DeterminedByCountOnlyError, SolveError
from tests.groupkin.kinematics.test_random_mechanisms import grown
from tests.groupkin.model.determination.test_ease_joints import CASES
from tests.support import coupled
from tests.support.energy import rate_of_energy
from tests.support.equilibrium import unbalanced
from tests.support.forces import check_reactions
from tests.support.loaded import loaded
from tests.support.random_cams import CAMS, FOLLOWERS
from tests.support.random_mechanisms import CHAINS, HIGHER, Workshop
from tests.support.shares import in_part

TIMES = np.linspace(0.0, 0.8, 5)
EVERY = [(d, name, "") for d in (2, 3) for name in (*CHAINS[d], *HIGHER[d])]
EVERY += [(2, name, follower) for name in CAMS for follower in FOLLOWERS]


def check(motion: gk.Motion, seed: int) -> None:
    """Random masses, springs and forces on a mechanism that moves."""
    mechanism = loaded(motion.program.mechanism, seed)
    forces = gk.inverse_dynamics(mechanism, TIMES)
    powers, rates = list(forces.power().values()), rate_of_energy(forces.motion)
    largest = max(np.abs(x).max() for x in (*powers, *rates))
    bound = 1e-9 if forces.motion.program.iterates else 1e-12
    assert np.abs(sum(powers) - sum(rates)).max() <= bound / forces.motion.conditioning.min() * largest
    left, most = unbalanced(forces)
    assert np.abs(left).max() <= 1e-12 * most
    check_reactions(forces.motion, seed)


def drawn(dimension: int, name: str, follower: str, seed: int) -> gk.Motion | None:
    """A chain on a moving body and the frame that moves, with a random geometry; None if this one does not."""
    shop = Workshop(dimension, np.random.default_rng(seed), amplitude=0.1, follower=follower)
    if not follower:
        return grown(shop, {**CHAINS[dimension], **HIGHER[dimension]}[name])[1]
    shop.make_tree(CAMS[name], [shop.moving_body(), shop.moving_body(), "ground"])
    try:
        motion = gk.solve(shop.mechanism(), TIMES)
    except (DeterminedByCountOnlyError, SolveError):
        return None
    least = 0.005 if follower == "curve" else 0.02  # of two ovals, almost circles, that roll on each other
    return motion if motion.conditioning.min() > least else None


@pytest.mark.parametrize(("dimension", "name", "follower"), in_part(EVERY, 12))
def test_forces_of_every_chain(dimension: int, name: str, follower: str) -> None:
    motion = next(m for seed in range(40) if (m := drawn(dimension, name, follower, seed)) is not None)
    check(motion, 0)


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("dimension", "name", "follower"), EVERY)
def test_forces_of_every_chain_with_many_geometries(dimension: int, name: str, follower: str) -> None:
    motions = [motion for seed in range(100, 125) if (motion := drawn(dimension, name, follower, seed)) is not None]
    assert len(motions) >= 3
    for seed, motion in enumerate(motions):
        check(motion, seed)


@pytest.mark.parametrize("name", in_part(list(coupled.ALL), 3))
def test_forces_of_couplings(name: str) -> None:
    """What a coupling transmits does no work: the drivers do all of it."""
    mechanism = loaded(coupled.ALL[name]().mechanism)
    forces = gk.inverse_dynamics(mechanism, np.linspace(0.0, 0.3, 5))
    powers, rates = list(forces.power().values()), rate_of_energy(forces.motion)
    largest = max(np.abs(x).max() for x in (*powers, *rates))
    bound = 1e-9 if forces.motion.program.iterates else 1e-12
    assert np.abs(sum(powers) - sum(rates)).max() <= bound / forces.motion.conditioning.min() * largest


@pytest.mark.parametrize("name", in_part(CASES, 3))
def test_what_is_determined_of_redundant_joints(name: str) -> None:
    """Driving forces, and components that no state of self-stress changes, are those of the saddle point."""
    motion = gk.solve(loaded(CASES[name][0]), np.linspace(0.0, 0.3, 5))
    forces = gk.inverse_dynamics(motion)
    assert not all(forces.determined(joint).all() for joint in forces.reactions)
    check_reactions(motion)
