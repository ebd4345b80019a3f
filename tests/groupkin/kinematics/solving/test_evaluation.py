"""Evaluation: all bodies at given values of the drivers, each column by itself or along a path."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError, GroupkinWarning
from sglibrary import status as codes
from tests.support.examples import SOLVABLE, described
from tests.support.mechanisms import four_bar

STEPS = 12


def solved(name: str) -> gk.Motion:
    """The first third of an example's motion: near enough to the reference to be reached along a straight line."""
    example = described(name)
    return gk.solve(example.mechanism, np.linspace(0.0, example.motion.duration / 3, STEPS), on_failure="nan")


def differences(motion: gk.Motion, other: gk.Motion) -> list[float]:
    return [
        float(np.abs(x - y).max(initial=0.0))
        for x, y in ((motion.q, other.q), (motion.v, other.v), (motion.a, other.a))
    ]


@pytest.mark.smoke
@pytest.mark.parametrize("path", [False, True])
@pytest.mark.parametrize("name", SOLVABLE)
def test_values_of_the_laws_give_the_motion_of_the_laws(name: str, path: bool) -> None:
    motion = solved(name)
    program, driven = motion.program, motion.driven
    found = program.evaluate(*np.swapaxes(driven, 0, 1), path=path)
    np.testing.assert_array_equal(found.status, motion.status)
    if not program.iterates:
        assert differences(found, motion) == [0.0, 0.0, 0.0]
        return
    # Newton's method ends within 1e-11; rates and accelerations are divided by the conditioning once and twice
    size, least = program.geometry.size, motion.conditioning.min()
    speed = 1.0 + np.abs(driven[:, 1:]).max()
    limits = 1e-10 * max(1.0, size) * np.array([1.0, speed / least, (speed / least) ** 2])
    assert (np.array(differences(found, motion)) < limits).all()


@pytest.mark.parametrize("name", ["four_bar", "stewart_inverse", "stephenson_six_bar"])
def test_columns_do_not_depend_on_each_other(name: str) -> None:
    motion = solved(name)
    values = motion.driven[:, 0]
    order = np.random.default_rng(1).permutation(STEPS)
    whole, mixed = motion.program.evaluate(values), motion.program.evaluate(values[:, order])
    one = motion.program.evaluate(values[:, 5])
    np.testing.assert_array_equal(whole.q[:, order], mixed.q)
    np.testing.assert_array_equal(whole.q[:, [5]], one.q)


def test_a_path_goes_on_from_where_another_ended() -> None:
    motion = solved("stephenson_six_bar")
    program, driven = motion.program, np.swapaxes(motion.driven, 0, 1)
    whole = program.evaluate(*driven, path=True)
    first = program.evaluate(*driven[..., :7], path=True)
    rest = program.evaluate(*driven[..., 7:], path=True, start=first)
    np.testing.assert_array_equal(np.hstack([first.q, rest.q]), whole.q)
    after = program.evaluate(*driven[..., 7:], path=True, start=motion.at(np.arange(7)))
    np.testing.assert_allclose(after.q, rest.q, atol=1e-10)


def test_whole_turns_of_gears_come_with_the_start() -> None:
    """The press turns its pinion by several turns; a straight line from the reference is not that way."""
    press = described("geared_press")
    program = gk.program(press.mechanism)
    motion = gk.solve(program, np.linspace(0.0, press.motion.duration, 50))
    values = motion.driven[:, 0]
    found = program.evaluate(values[:, 40:], path=True, start=motion.at(np.arange(40)))
    np.testing.assert_allclose(found.q, motion.q[:, 40:], atol=1e-9 * program.geometry.size)


def test_what_cannot_be_reached_says_so_and_a_path_goes_on() -> None:
    points = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (2.0, 1.0), "D": (3.0, 0.0)}
    program = gk.program(four_bar(points, [gk.Driver("A", gk.Ramp(1.0))]))
    values = np.array([[0.0, 0.1, np.pi, 0.2, np.nan, 0.3]])
    found = program.evaluate(values, path=True)
    assert found.solved.tolist() == [True, True, False, True, False, True]
    assert found.status[:, 2].max() == codes.CANNOT_ASSEMBLE
    assert np.isnan(found.position("C")[[2, 4]]).all()


def test_an_iterated_group_is_not_lost_with_a_column() -> None:
    motion = solved("stephenson_six_bar")
    program, values = motion.program, motion.driven[:, 0, :4].copy()
    values[:, 1] = np.nan
    found = program.evaluate(values, path=True)
    assert found.solved.tolist() == [True, False, True, True]
    np.testing.assert_allclose(found.q[:, 2:], motion.q[:, 2:4], atol=1e-10)


def test_rates_and_accelerations_are_zero_unless_given() -> None:
    motion = solved("slider_crank")
    program, driven = motion.program, motion.driven
    at_rest = program.evaluate(driven[:, 0])
    assert np.abs(at_rest.v).max() == 0.0
    assert np.abs(at_rest.a).max() == 0.0
    twice = program.evaluate(driven[:, 0], 2.0 * driven[:, 1])
    np.testing.assert_allclose(twice.v, 2.0 * motion.v, rtol=1e-12, atol=1e-12)


def test_it_reads_like_a_motion() -> None:
    motion = solved("four_bar")
    found = motion.program.evaluate(*np.swapaxes(motion.driven, 0, 1), path=True)
    np.testing.assert_array_equal(found.position("C"), motion.position("C"))
    for joint in motion.program.mechanism.joints:
        np.testing.assert_allclose(found.joint(joint.name), motion.joint(joint.name), atol=1e-12)
    assert gk.max_residual(found) < 1e-12
    by_themselves = motion.program.evaluate(motion.driven[:, 0])
    assert (np.abs(by_themselves.angle("coupler")) <= np.pi).all()
    far = motion.program.evaluate(motion.driven[:, 0] + 6 * np.pi)
    np.testing.assert_allclose(far.joint(motion.program.drivers[0].joint)[0], motion.driven[0, 0] + 6 * np.pi)


def test_memory_is_used_again() -> None:
    for name in ("four_bar", "stephenson_six_bar"):
        motion = solved(name)
        values = motion.driven[:, 0]
        first = motion.program.evaluate(values)
        expected = first.q.copy()
        again = motion.program.evaluate(values + 0.01, out=first)
        assert again.q is first.q
        assert np.abs(again.q - expected).max() > 1e-3
        np.testing.assert_array_equal(motion.program.evaluate(values, out=again).q, expected)


@pytest.mark.parametrize("name", ["four_bar", "stephenson_six_bar"])
def test_rates_that_are_no_numbers_are_not_called_solved(name: str) -> None:
    motion = solved(name)
    values, wrong = motion.driven[:, 0, :4], motion.driven[:, 1, :4].copy()
    wrong[0, 1], wrong[0, 2] = np.nan, 1e300
    for order in ("rates", "accelerations"):
        found = motion.program.evaluate(values, **{order: wrong})
        assert found.solved.tolist() == [True, False, False, True]


def test_a_motion_by_laws_in_the_memory_of_an_evaluation_is_driven_by_its_laws() -> None:
    motion = solved("four_bar")
    found = motion.program.evaluate(motion.driven[:, 0] + 0.5)
    again = gk.solve(motion.program, motion.times, out=found)
    np.testing.assert_array_equal(again.driven, motion.driven)
    np.testing.assert_array_equal(again.q, motion.q)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.0], [1.0]],), r"values must have the shape \(1, n\)"),
        ((["a"],), "values must be numbers"),
        (([[]],), "values must have the shape"),
        (([[0.0, 1.0]], [[1.0]]), r"rates must have the shape \(1, 2\)"),
        (([0.0], None, [[1.0, 2.0]]), r"accelerations must have the shape \(1, 1\)"),
    ],
)
def test_arguments_of_wrong_shape_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    program = gk.program(described("four_bar").mechanism)
    with pytest.raises(ArgumentError, match=message):
        program.evaluate(*arguments)


def test_a_start_of_something_else_is_refused() -> None:
    program = gk.program(described("four_bar").mechanism)
    with pytest.raises(ArgumentError, match="the same program"):
        program.evaluate([0.0], start=solved("four_bar"))
    nowhere = program.evaluate([np.nan])
    with pytest.raises(ArgumentError, match="path must be"):
        program.evaluate([0.0], path=[1, 2])  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="out must be"):
        program.evaluate([0.0], out="motion")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a solved step"):
        program.evaluate([0.0], start=nowhere)


@pytest.mark.timeout(120)
def test_what_is_too_far_to_be_followed_is_not_solved() -> None:
    """Steps of 1 rad to 1e12 rad, which signals would not end."""
    wheels = [gk.Joint(name, "R", ("frame", name), point=(k, 0)) for k, name in enumerate("ab")]
    ratio = gk.Coupling("ratio", "{joint b} = 2 * {joint a} + 0.1 rad * sin({joint a})")
    train = gk.Mechanism(2, ["frame", "a", "b"], wheels, [gk.Driver("a", gk.Ramp(1.0))], couplings=[ratio])
    motion = gk.program(train).evaluate([[1e12, 100.0, -1e30, np.inf]])
    np.testing.assert_array_equal(motion.solved, [False, True, False, False])
    assert motion.joint("b")[0, 1] == pytest.approx(np.angle(np.exp(1j * (200.0 + 0.1 * np.sin(100.0)))), abs=1e-12)


def test_a_root_at_which_axes_are_opposite_is_not_solved() -> None:
    """A rod whose angle to a plate is driven: behind a dead center another root has it half a turn from there."""
    bodies = ["frame", "plate"]
    joints = [
        gk.Joint("left", "SPSP", ("frame", "plate"), points=((0.0, 0.0), (0.1, -0.8))),
        gk.Joint("right", "RD", ("frame", "plate"), points=((1.0, 0.0), (0.9, -0.8))),
    ]
    swung = gk.Mechanism(2, bodies, joints, [gk.Driver("left", gk.Ramp(4.0, start=0.1), freedom="angle_2")])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GroupkinWarning)  # a dead center is passed
        for count in range(4, 12):
            motion = gk.solve(swung, np.linspace(0.0, 1.0, count), on_failure="nan")
            assert motion.solved.any()
            assert gk.max_residual(motion) < 1e-9
