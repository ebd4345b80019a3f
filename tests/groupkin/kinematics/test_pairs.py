"""Pairs beyond R, P, C, U and S: in the tree of a group, as a cut and driven; and textbook cases of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.errors import DeterminedByCountOnlyError, SolveError
from groupkin.kinematics.global_formulation.comparison import compare
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.solver import solve
from groupkin.mechanism.laws.laws import Polynomial, Ramp
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from tests.support import oracle
from tests.support.random_mechanisms import HIGHER, JIT, Workshop
from tests.support.shares import in_part

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 0.4, 41 if JIT else 5)
EVERY = [pytest.param(d, name, id=f"{name} {d}D") for d in HIGHER for name in HIGHER[d]]


def moved(dimension: int, name: str, times: Array = TIMES) -> Motion:
    """A group between two moving bodies, with the first random geometry that lets it move."""
    enough = 0.02 if "rods" in name else 0.1  # lines of five or six rods are often nearly dependent
    for seed in range(40):
        shop = Workshop(dimension, np.random.default_rng(seed), amplitude=0.1)
        shop.make_tree(HIGHER[dimension][name], [shop.moving_body(), shop.moving_body(), "ground"])
        try:
            motion = solve(shop.mechanism(), times)
        except (DeterminedByCountOnlyError, SolveError):
            continue
        if motion.conditioning.min() > enough:
            return motion
    raise AssertionError(f"{name} cannot be moved")


@pytest.mark.parametrize(("dimension", "name"), in_part(EVERY, 4))
def test_every_pair_moves_as_the_oracle_says(dimension: int, name: str) -> None:
    motion = moved(dimension, name)
    assert max_residual(motion) < 1e-10
    chosen = [0, TIMES.size // 2, TIMES.size - 1]
    expected = oracle.of_poses(oracle.solve(motion.program.mechanism, TIMES[chosen]))
    found = {b: (o[:, chosen], r[:, chosen]) for b, (o, r) in oracle.of_motion(motion).items()}
    near = {b: (r[0], o[0]) for b, (o, r) in found.items()}
    again = oracle.of_poses(oracle.solve(motion.program.mechanism, TIMES[chosen], start=near))
    gaps = oracle.differences(found, expected, motion.program.geometry.size)
    gaps = np.maximum(gaps, oracle.differences(found, again, motion.program.geometry.size))
    # rounding errors are divided by the conditioning, in velocities and accelerations once more
    assert gaps[0] < 1e-10 / motion.conditioning.min()
    assert gaps[1:].max() < 1e-9 / motion.conditioning.min() ** 2


@pytest.mark.parametrize(("dimension", "name"), in_part(EVERY, 4))
def test_every_pair_moves_as_the_whole_mechanism_does(dimension: int, name: str) -> None:
    motion = moved(dimension, name)
    gaps = compare(motion)
    assert gaps.position < 1e-10 / motion.conditioning.min()
    assert max(gaps.velocity, gaps.acceleration) < 1e-9 / motion.conditioning.min() ** 2


@pytest.mark.parametrize(("dimension", "name"), in_part(EVERY, 3))
def test_rates_are_the_derivatives(dimension: int, name: str) -> None:
    """By central differences of fourth order; their error is that of rounding, over h, and of the fifth derivative."""
    h = 3e-4
    motion = moved(dimension, name, h * np.arange(5.0))

    def slope(values: Array) -> Array:
        return np.asarray((values[0] - 8 * values[1] + 8 * values[3] - values[4]) / (12 * h))

    for body in motion.program.mechanism.movable:
        points = motion.position(body), motion.velocity(body), motion.acceleration(body)
        turns = tuple(motion.rotation_rate(body, order) for order in range(3))
        for values in (points, turns):
            for lower, higher in pairwise(values):
                np.testing.assert_allclose(slope(lower), higher[2], atol=1e-6 * (1.0 + np.abs(values[2]).max()))


# --- textbook cases ---------------------------------------------------------------------------


def train(ring: float | None, sun: float) -> Motion:
    """A planetary gear train of 20, 16 and 52 teeth, with its ring held or driven (rad/s); a third turn per step."""
    bodies = ["ground", "sun", "arm", "planet"] + (["ring"] if ring is not None else [])
    outer = "ground" if ring is None else "ring"
    center, pin = (0.1, -0.2), (0.1 + 0.36 * np.cos(0.5), -0.2 + 0.36 * np.sin(0.5))
    joints = [
        Joint("S", "R", ("ground", "sun"), point=center),
        Joint("A", "R", ("arm", "ground"), point=center),
        Joint("P", "R", ("arm", "planet"), point=pin),
        Joint("SP", "EO", ("planet", "sun"), points=(pin, center), radii=(16, 20)),
        Joint("RP", "EPI", (outer, "planet"), points=(center, pin), radii=(52, 16)),
    ]
    drivers = [Driver("S", Ramp(sun))]
    if ring is not None:
        joints.append(Joint("R", "R", ("ground", "ring"), point=center))
        drivers.append(Driver("R", Ramp(ring)))
    return solve(Mechanism(2, bodies, joints, drivers), np.linspace(0.0, 4.0, 13))


@pytest.mark.parametrize("ring", [None, 0.5, -2.0])
def test_a_planetary_gear_train_turns_as_willis_says(ring: float | None) -> None:
    """(ω_sun - ω_arm) / (ω_ring - ω_arm) = -z_ring / z_sun (Willis 1841), and the like for the planet."""
    sun = 2.0
    motion = train(ring, sun)
    held = ring or 0.0
    arm = (20 * sun + 52 * held) / 72
    planet = arm + (52 / 16) * (held - arm)
    assert motion.program.solvers[-1] == "Newton"
    np.testing.assert_allclose(motion.angular_velocity("arm"), arm, atol=1e-11)
    np.testing.assert_allclose(motion.angle("arm"), arm * motion.times, atol=1e-11)
    np.testing.assert_allclose(motion.angular_velocity("planet"), planet, atol=1e-11)
    np.testing.assert_allclose(motion.angular_acceleration("planet"), 0.0, atol=1e-10)
    turned = np.unwrap(motion.angle("planet"), period=2 * np.pi)
    np.testing.assert_allclose(np.cos(turned - planet * motion.times), 1.0, atol=1e-12)
    assert compare(motion).agree


def test_bevel_gears_keep_their_ratio() -> None:
    """Both axes point away from the apex, so the wheels turn against each other."""
    slant = np.array([np.sin(1.2), 0.0, np.cos(1.2)])
    joints = [
        Joint("1", "R", ("ground", "a"), point=(0, 0, 0), axis=(0, 0, 1)),
        Joint("2", "R", ("ground", "b"), point=(0, 0, 0), axis=slant),
        Joint("teeth", "EO", ("a", "b"), points=((0, 0, 0.5), 0.8 * slant), axes=((0, 0, 1), slant), radii=(17, 41)),
    ]
    motion = solve(Mechanism(3, ["ground", "a", "b"], joints, [Driver("1", Ramp(3.0))]), np.linspace(0.0, 5.0, 26))
    np.testing.assert_allclose(motion.angular_velocity("b"), np.tile(-3.0 * 17 / 41 * slant, (26, 1)), atol=1e-11)
    np.testing.assert_allclose(motion.joint("2")[0], -3.0 * 17 / 41 * motion.times, atol=1e-11)
    assert compare(motion).agree


@pytest.mark.parametrize("height", [0.25, -0.25])
def test_a_rack_moves_by_the_arc_of_its_pinion(height: float) -> None:
    joints = [
        Joint("axle", "R", ("ground", "pinion"), point=(0.0, height)),
        Joint("guide", "P", ("ground", "rack"), point=(1.0, 0.0), axis=(1, 0)),
        Joint("teeth", "RP", ("rack", "pinion"), points=((0.4, 0.0), (0.0, height)), axis=(1, 0)),
    ]
    motion = solve(
        Mechanism(2, ["ground", "pinion", "rack"], joints, [Driver("axle", Ramp(4.0))]), np.linspace(0.0, 6.0, 31)
    )
    np.testing.assert_allclose(motion.joint("guide")[0], 4.0 * height * motion.times, atol=1e-11)
    assert compare(motion).agree


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_point_of_a_rolling_wheel_draws_a_cycloid(dimension: int) -> None:
    """Ten turns in 40 steps."""
    r = 0.3

    def flat(*coordinates: float) -> tuple[float, ...]:
        return (*coordinates, 0.0)[:dimension]

    axes: dict[str, Any] = {"axis": (1, 0)} if dimension == 2 else {"axes": ((1, 0, 0), (0, 0, 1))}
    wheel = Joint("road", "RW", ("ground", "wheel"), points=(flat(-1.0, 0.0), flat(0.0, r)), **axes)
    law = Polynomial((1.0, 0.0, 20 * np.pi * r / 16))
    mechanism = Mechanism(
        dimension, ["ground", Body("wheel", points={"M": flat(0.0, 0.0)})], [wheel], [Driver("road", law)]
    )
    motion = solve(mechanism, np.linspace(0.0, 4.0, 41))
    rolled = (law.at(motion.times)[0] - 1.0) / r
    path = np.stack([r * (rolled - np.sin(rolled)), r * (1.0 - np.cos(rolled))], axis=1)
    np.testing.assert_allclose(motion.position("M")[:, :2], path, atol=1e-10)
    rate = law.at(motion.times)[1] / r
    np.testing.assert_allclose(
        np.linalg.norm(motion.velocity("M"), axis=1), 2 * r * rate * np.abs(np.sin(rolled / 2)), atol=1e-10
    )
    assert compare(motion).agree


def test_a_screw_turns_as_it_is_pushed() -> None:
    """A plate pushes a screw of 4 mm per turn, several turns from step to step: its angle counts them all."""
    joints = [
        Joint("guide", "P", ("ground", "plate"), point=(1, 0, 0), axis=(0, 0, 1)),
        Joint("nut", "H", ("ground", "screw"), point=(0, 0, 0), axis=(0, 0, 1), pitch=-0.004 / (2 * np.pi)),
        Joint("tip", "SP", ("plate", "screw"), point=(0, 0, 0.1), axis=(0, 0, 1)),
    ]
    motion = solve(
        Mechanism(3, ["ground", "plate", "screw"], joints, [Driver("guide", Ramp(0.01))]), np.linspace(0.0, 1.0, 6)
    )
    np.testing.assert_allclose(motion.joint("nut"), [-2.5 * 2 * np.pi * motion.times], atol=1e-9)
    np.testing.assert_allclose(motion.position("screw")[:, 2], 0.01 * motion.times, atol=1e-12)
    np.testing.assert_allclose(motion.angular_velocity("screw")[:, 2], -5 * np.pi, atol=1e-9)


def test_a_slotted_lever_swings_as_in_a_quick_return_drive() -> None:
    """Crank of 0.1 m about a point 0.25 m above the lever's pivot: tan ψ = r cos φ / (d + r sin φ)."""
    r, d, start = 0.1, 0.25, 0.3
    pin = (r * np.cos(start), d + r * np.sin(start))
    joints = [
        Joint("crank", "R", ("ground", "crank"), point=(0, d)),
        Joint("pivot", "R", ("ground", "lever"), point=(0, 0)),
        Joint("slot", "CR", ("lever", "crank"), points=((0, 0), pin), axis=pin),
    ]
    mechanism = Mechanism(2, ["ground", "crank", "lever"], joints, [Driver("crank", Ramp(2 * np.pi))])
    motion = solve(mechanism, np.linspace(0.0, 1.0, 61))
    phi = start + 2 * np.pi * motion.times
    psi = np.arctan2(r * np.cos(phi), d + r * np.sin(phi))
    np.testing.assert_allclose(motion.angle("lever"), psi[0] - psi, atol=1e-11)
    np.testing.assert_allclose(motion.joint("slot")[0], np.hypot(r * np.cos(phi), d + r * np.sin(phi)), atol=1e-12)
    assert compare(motion).agree
