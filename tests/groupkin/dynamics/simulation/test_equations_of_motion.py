"""M z'' = F of compiled code against inverse dynamics, which carries loads back through the groups by other code."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.simulation.free_motion import FreeMotion, starting_values
from groupkin.dynamics.simulation.simulation import free_motion
from sglibrary.dynamics.equations import evaluate_written
from tests.support.examples import SOLVABLE, described
from tests.support.loaded import loaded
from tests.support.random_mechanisms import HIGHER, Workshop
from tests.support.shares import in_part

Array = NDArray[np.float64]
TIME = 0.013


def freed(mechanism: gk.Mechanism, driven: int = 0, rotors: bool = False) -> FreeMotion:
    """The mechanism with masses and forces of every kind; its first drivers keep their laws."""
    heavy = loaded(mechanism, rotors=rotors)
    drivers = [x if k < driven else replace(x, law=None) for k, x in enumerate(heavy.drivers)]
    return free_motion(replace(heavy, drivers=drivers))


def state_of(free: FreeMotion, seed: int = 0) -> tuple[Array, Array]:
    """Coordinates near the reference configuration, and rates."""
    rng = np.random.default_rng(seed)
    return starting_values(free, None)[0] + 1e-3 * free.units, 0.3 * free.units * rng.normal(size=len(free.free))


def driving(free: FreeMotion, z: Array, rates: Array, gains: Array) -> tuple[Array, float]:
    """What the free drivers would have to give by inverse dynamics, and the least conditioning."""
    given = np.zeros((3, len(free.laws), 1))
    for k, law in enumerate(free.laws):
        if law is not None:
            given[:, k, 0] = law.at(TIME)[:, 0]
    given[:, free.free, 0] = z, rates, gains
    motion = replace(free.program.evaluate(*given), times=np.array([TIME]))
    forces = gk.inverse_dynamics(motion).drivers
    return np.array([forces[name][0] for name in free.names]), float(motion.conditioning.min())


def check(free: FreeMotion) -> None:
    """Forces without accelerations are -F, and what unit accelerations add to them are the columns of M."""
    (z, rates), units = state_of(free), free.units
    mass, force = free.equations(TIME, z, rates)
    mass, force = mass * units * units[:, None], force * units
    assert np.linalg.eigvalsh(mass)[0] > 0
    still, conditioning = driving(free, z, rates, np.zeros(len(z)))
    columns = np.array([driving(free, z, rates, gains)[0] - still for gains in np.diag(units)]).T * units[:, None]
    # roundings of both, magnified by the cores of the groups
    bound = 1e-12 * (np.abs(force).max() + np.abs(mass).max()) / conditioning
    assert np.abs(force + still * units).max() < bound
    assert np.abs(mass - columns).max() < bound


@pytest.mark.parametrize("name", in_part(SOLVABLE, 3))
def test_equations_are_those_of_inverse_dynamics(name: str) -> None:
    check(freed(described(name).mechanism))


@pytest.mark.parametrize("rotors", [False, True])
def test_equations_beside_drivers_with_laws(rotors: bool) -> None:
    for name in ("nine_bar", "stewart_inverse"):
        mechanism = described(name).mechanism
        check(freed(mechanism, len(mechanism.drivers) - 1, rotors))


@pytest.mark.parametrize("name", in_part(SOLVABLE, 3))
def test_equations_with_rotors_in_all_joints(name: str) -> None:
    check(freed(described(name).mechanism, rotors=True))


CHAIN_NAMES = [(d, name) for d in HIGHER for name, chain in HIGHER[d].items() if any("*" in code for *_, code in chain)]


def check_chain(dimension: int, name: str) -> None:
    for seed in range(9):  # until one is not near a singular position
        workshop = Workshop(dimension, np.random.default_rng(seed))
        workshop.make_tree(HIGHER[dimension][name])
        free = freed(workshop.mechanism())
        if free.configuration(TIME, *state_of(free)).conditioning.min() > 0.02:
            break
    check(free)


@pytest.mark.parametrize(("dimension", "name"), in_part(CHAIN_NAMES, 12))
def test_equations_of_groups_of_all_pairs(dimension: int, name: str) -> None:
    """With springs in joints of every kind that takes them, screws and three rotations among them."""
    check_chain(dimension, name)


def test_gears_whose_centers_move_apart() -> None:
    """Their teeth do not push radially, which would do work."""
    check_chain(2, "EO driven inside")


@pytest.mark.parametrize("name", ["four_bar", "stewart_inverse"])
def test_lanes_have_the_same_bits_at_any_number_of_them(name: str) -> None:
    free = freed(described(name).mechanism)
    z, rates = state_of(free)
    rng, count = np.random.default_rng(1), len(z)
    many = np.concatenate([z, rates])[:, None] + 1e-3 * np.tile(free.units, 2)[:, None] * rng.normal(
        size=(2 * count, 37)
    )
    times, together = np.linspace(0.0, 1.0, 37), np.empty(many.shape)
    evaluate_written(free.problem.evaluation, free.room(37).written, times, many, together, False)
    for lanes in (1, 5):
        for first in (0, 30):
            span = slice(first, first + lanes)
            some = np.empty((2 * count, lanes))
            at = times[span].copy(), many[:, span].copy()
            evaluate_written(free.problem.evaluation, free.room(lanes).written, *at, some, False)
            assert np.array_equal(some, together[:, span])
    assert np.array_equal(free.accelerations_at(times, many), together[count:])
