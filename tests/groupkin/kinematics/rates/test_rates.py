"""The map of rates: against finite differences, at odd positions, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError
from tests.support.examples import SOLVABLE, described
from tests.support.mechanisms import four_bar
from tests.support.rates import check_rates, twists

STEPS = 9


def moved(name: str) -> gk.Motion:
    """The first third of an example's motion."""
    example = described(name)
    return gk.solve(example.mechanism, np.linspace(0.0, example.motion.duration / 3, STEPS), on_failure="nan")


@pytest.mark.parametrize("name", SOLVABLE)
def test_rates_are_those_of_the_motion_and_of_nearby_positions(name: str) -> None:
    motion = moved(name)
    check_rates(motion)
    program, size, h = motion.program, motion.program.geometry.size, 1e-5
    way = np.random.default_rng(2).uniform(-1.0, 1.0, (len(program.drivers), 1))
    way *= np.array([[1.0 if driven.rotation else size] for driven in program.drivers])
    values = motion.driven[:, 0, :3]
    ahead, behind = (program.evaluate(values + sign * h * way, start=motion.at(np.arange(1))) for sign in (1.0, -1.0))
    found = program.rates(motion, way)[:, :, 0, :3]
    d, kept = program.mechanism.dimension, (ahead.solved & behind.solved & motion.solved[:3])
    for k, body in enumerate(program.mechanism.movable):
        expected = (ahead.position(body) - behind.position(body)).T / (2 * h)
        scale = size + np.abs(expected[:, kept]).max(initial=0.0)
        # truncation h² times the third derivative, rounding 1e-15 / h, both over the conditioning
        bound = 1e-7 * scale / motion.conditioning.min() ** 2
        assert np.abs(found[k, -d:] - expected)[:, kept].max(initial=0.0) < bound


def test_directions_may_differ_from_step_to_step() -> None:
    motion = moved("stewart_inverse")
    rng, program = np.random.default_rng(1), motion.program
    directions = rng.normal(size=(len(program.drivers), 2, STEPS))
    whole = program.rates(motion, directions)
    for j in (0, STEPS - 1):
        single = program.rates(motion.at(np.array([j])), directions[:, :, j])
        np.testing.assert_array_equal(whole[..., j], single[..., 0])
    np.testing.assert_array_equal(
        program.rates(motion, directions[:, 0, 0]), program.rates(motion, directions[:, :1, 0])[:, :, 0]
    )


def test_many_steps_are_as_few() -> None:
    """More than are computed together."""
    example = described("slider_crank")
    motion = gk.solve(example.mechanism, np.linspace(0.0, example.motion.duration, 1201))
    found = motion.program.rates(motion, [1.0])
    np.testing.assert_array_equal(found[..., 1150:], motion.program.rates(motion.at(np.arange(1150, 1201)), [1.0]))


def test_far_from_the_origin_no_digits_are_lost_but_those_of_the_positions() -> None:
    points = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0)}
    away = {name: (x + 2.0**20, y - 2.0**20) for name, (x, y) in points.items()}
    near, far = (
        gk.solve(four_bar(at, [gk.Driver("A", gk.Ramp(1.0))]), np.linspace(0.0, 1.0, 5)) for at in (points, away)
    )
    difference = near.program.rates(near, [1.0]) - far.program.rates(far, [1.0])
    assert np.abs(difference).max() < 2.0**20 * 1e-15


def test_what_is_not_solved_has_no_rates_and_a_singular_position_no_finite_ones() -> None:
    points = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (2.0, 1.0), "D": (3.0, 0.0)}
    program = gk.program(four_bar(points, [gk.Driver("A", gk.Ramp(1.0))]))
    motion = program.evaluate([[0.0, np.pi]])
    found = program.rates(motion, [1.0])
    assert np.isfinite(found[..., 0]).all()
    assert np.isnan(found[..., 1]).all()
    assert np.isnan(program.rates_transposed(motion, np.ones(found.shape[:2]))[..., 1]).all()


@pytest.mark.smoke
def test_loads_are_held_by_the_drivers() -> None:
    """A weight at the end of a crank: its torque is the force times the arm."""
    mechanism = gk.Mechanism(
        dimension=2,
        bodies=["ground", gk.Body("crank", origin=(2.0, 0.0))],
        joints=[gk.Joint("A", "R", ("ground", "crank"), point=(0.0, 0.0))],
        drivers=[gk.Driver("A", gk.Ramp(1.0))],
    )
    motion = gk.solve(mechanism, np.linspace(0.0, 1.0, 7))
    torque = motion.program.rates_transposed(motion, [[0.0, 0.0, -10.0]])
    np.testing.assert_allclose(torque, [-20.0 * np.cos(motion.times)], rtol=1e-14)
    np.testing.assert_allclose(motion.program.rates(motion, [1.0]), twists(motion), rtol=1e-14)


@pytest.mark.parametrize(
    ("function", "shape", "message"),
    [
        ("rates", (2,), r"directions must have the shape \(1\), \(1, m\) or \(1, m, 9\), not \(2,\)"),
        ("rates", (1, 1, 8), "directions must have the shape"),
        ("rates_transposed", (3, 2), r"loads must have the shape \(3, 3\)"),
    ],
)
def test_wrong_shapes_are_refused(function: str, shape: tuple[int, ...], message: str) -> None:
    motion = moved("four_bar")
    with pytest.raises(ArgumentError, match=message):
        getattr(motion.program, function)(motion, np.ones(shape))


def test_motions_of_other_programs_are_refused() -> None:
    program = moved("four_bar").program
    with pytest.raises(ArgumentError, match="the same program"):
        program.rates(moved("four_bar"), [1.0])
    with pytest.raises(ArgumentError, match="motion"):
        program.rates(None, [1.0])  # type: ignore[arg-type]
