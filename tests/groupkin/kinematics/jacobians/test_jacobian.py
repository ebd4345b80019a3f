"""Jacobians: against finite differences, forward against inverse, at singular positions, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import ArgumentError, NotModeledError, QuantityError, UnknownNameError
from groupkin.kinematics.motion.outputs import bases
from tests.support.examples import SOLVABLE, described
from tests.support.mechanisms import four_bar

Array = NDArray[np.float64]

LEGS = [f"joint leg_{k}" for k in range(1, 7)]
POINTS = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0)}


@cache
def moved(name: str, steps: int = 4) -> gk.Motion:
    """The first third of an example's motion."""
    example = described(name)
    return gk.solve(example.mechanism, np.linspace(0.0, example.motion.duration / 3, steps), on_failure="nan")


def differences(motion: gk.Motion, driver: int, step: float) -> list[gk.Motion]:
    """The mechanism with one driver moved by ±1 and ±2 steps."""
    way = step * np.eye(len(motion.program.drivers))[:, driver : driver + 1]
    start = motion.at(np.arange(1))
    return [motion.program.evaluate(motion.driven[:, 0] + k * way, start=start) for k in (-2, -1, 1, 2)]


def derivative(values: list[Array], step: float) -> Array:
    """Of fourth order: its error is step⁴ times the fifth derivative over 30."""
    return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)


OF_POSES = ("position", "angle", "rotation", "joint")
"""What outputs that have rates by drivers are computed from."""


def possible(program: gk.Program) -> list[str]:
    """Bodies, named points, joints that are no cams, and outputs of a mechanism."""
    mechanism = program.mechanism
    joints = [joint for joint in mechanism.joints if not mechanism.form(joint).curved and mechanism.freedoms(joint)]
    outputs = [gk.Quantity("output", name) for name in mechanism.outputs]
    return [
        *(f"position {gk.Quantity('', name)}" for name in [*program.geometry.points, *mechanism.movable][:8]),
        *(f"joint {gk.Quantity('', joint.name)}" for joint in joints),
        *(f"angle {gk.Quantity('', body)}" for body in mechanism.movable if mechanism.dimension == 2),
        *(str(each) for each in outputs if {base.kind for base in bases(each, mechanism)} <= {*OF_POSES}),
    ]


@pytest.mark.parametrize("name", SOLVABLE)
def test_rates_are_those_of_nearby_positions(name: str) -> None:
    motion = moved(name)
    program, size, h = motion.program, motion.program.geometry.size, 1e-3
    wanted = possible(program)
    found = {text: gk.jacobian(motion, text) for text in wanted}
    best = motion.conditioning[:, motion.solved].min(initial=1.0)
    compared = 0
    for j, driven in enumerate(program.drivers):
        step = h if driven.rotation else h * size
        near = differences(motion, j, step)
        kept = np.all([each.solved for each in [motion, *near]], axis=0)
        for text in wanted:
            values = [each.read(text).reshape(motion.times.size, -1)[kept] for each in near]
            base = motion.read(text).reshape(motion.times.size, -1)[kept]
            turns = np.array([unit == "rad" for unit in found[text].output_units])
            for value in values:  # steps do not follow each other: angles may differ by whole turns
                value -= 2 * np.pi * turns * np.round((value - base) / (2 * np.pi))
            length = np.where(turns, 1.0, size) * h / step
            miss = np.abs(found[text].values[kept, :, j] - derivative(values, step)) / length
            rate = np.abs(found[text].values[kept, :, j]) / length
            # truncation h⁴ and rounding 1e-15 / h are below 1e-11; both grow where a group, or the middle one of three
            # rotations, whose neighbors are as fast as their rates are large, is next to a singular position
            bound = 1e-8 * (1.0 + rate.max(initial=0.0) ** 2) / best**2
            assert miss.max(initial=0.0) < bound, text
            compared += miss.size
    assert compared


@pytest.mark.parametrize("name", SOLVABLE)
def test_twists_are_those_of_the_map_of_rates(name: str) -> None:
    motion = moved(name)
    program = motion.program
    whole = program.rates(motion, np.eye(len(program.drivers)))
    found = gk.jacobian(motion, [f"twist {gk.Quantity('', body)}" for body in program.mechanism.movable])
    expected = np.moveaxis(whole.reshape(-1, *whole.shape[2:]), 2, 0)
    kept, largest = motion.solved, np.nanmax(np.abs(expected))
    # the same sums in another order
    assert np.abs(found.values - expected)[kept].max() <= 1e-12 * largest / motion.conditioning[:, kept].min() ** 2


def test_rates_of_joints_are_those_of_the_motion() -> None:
    motion = moved("stewart_inverse", 50)
    names = [joint.name for joint in motion.program.mechanism.joints]
    found = gk.jacobian(motion, [f"joint {name}" for name in names])
    expected = np.concatenate([motion.joint_rate(name) for name in names]).T
    rates = np.einsum("nkd,dn->nk", found.values, motion.driven[:, 1])
    np.testing.assert_allclose(rates, expected, rtol=0.0, atol=1e-12 * np.abs(expected).max())


def test_forward_and_inverse_stewart_platforms_agree() -> None:
    """The inverse one tells the forward Jacobian, and the forward one, driven by its legs, has the same."""
    inverse = moved("stewart_inverse", 9)
    legs, pose = gk.jacobian(inverse, LEGS), gk.jacobian(inverse, "joint pose", LEGS)
    product = legs.values @ pose.values
    assert np.abs(product - np.eye(6)).max() < 1e-10 * legs.condition(0.3).max()
    assert pose.outputs == legs.inputs
    laws = {leg: gk.Constant(0.0) for leg in LEGS}
    forward = gk.program(gk.redrive(inverse.program.mechanism, laws))
    there = forward.evaluate(np.array([inverse.joint(f"leg_{k}")[0] for k in range(1, 7)]), path=True)
    assert there.solved.all()
    again = gk.jacobian(there, "joint pose", LEGS)
    miss = np.abs(again.values - pose.values).max() / np.abs(pose.values).max()
    # positions by Newton's method are exact to 1e-11 over the conditioning
    assert miss < 1e-10 * legs.condition(0.3).max() / there.conditioning.min()


def test_other_freedoms_may_drive_one() -> None:
    motion = moved("four_bar", 7)
    by_crank = gk.jacobian(motion, ["joint C", "position P"], "joint A")
    by_rocker = gk.jacobian(motion, ["position P", "joint A"], "joint D")
    rocker = gk.jacobian(motion, "joint D").values[:, 0, 0]
    np.testing.assert_allclose(by_rocker.values[:, :2, 0], by_crank.values[:, 1:, 0] / rocker[:, None], rtol=1e-12)
    np.testing.assert_allclose(by_rocker.transmission_ratio("joint A"), 1.0 / rocker, rtol=1e-12)
    np.testing.assert_allclose(gk.jacobian(motion, "joint D").transmission_ratio(), rocker)


def test_norms_and_outputs_follow_the_chain_rule() -> None:
    mechanism = described("four_bar").mechanism
    outputs = {"reach": "norm({position P} - {position C})", "lean": "{position P} * {angle rocker}"}
    motion = gk.solve(_with_outputs(mechanism, outputs), [0.1, 0.2])
    found = gk.jacobian(motion, ["output lean", "output reach"])
    rates = motion.read("output_rate lean"), motion.read("output_rate reach")
    expected = np.concatenate([rates[0], rates[1][:, None]], axis=1) / motion.driven[0, 1][:, None]
    np.testing.assert_allclose(found.values[:, :, 0], expected, rtol=1e-10, atol=1e-14)
    np.testing.assert_array_equal(gk.jacobian(motion, "output lean.y").values[:, 0], found.values[:, 1])
    norm = gk.jacobian(motion, "position P.norm").values[:, 0, 0] * motion.driven[0, 1]
    along = (motion.position("P") * motion.velocity("P")).sum(axis=1) / motion.read("position P.norm")
    np.testing.assert_allclose(norm, along, rtol=1e-12)
    assert found.output_units == ("m*rad", "m*rad", "m")


def test_outputs_of_transmission_angles_and_of_nothing() -> None:
    outputs = {"open": "{transmission_angle B-C-D}", "fixed": "3 mm"}
    motion = gk.solve(_with_outputs(described("four_bar").mechanism, outputs), 0.2 + 1e-4 * np.arange(-2, 3))
    found = gk.jacobian(motion, ["output open", "output fixed"]).values[2, :, 0] * motion.driven[0, 1, 2]
    slope = derivative(list(np.delete(motion.read("output open"), 2)), 1e-4)
    np.testing.assert_allclose(found, [slope, 0.0], rtol=1e-10, atol=0.0)


def _with_outputs(mechanism: gk.Mechanism, outputs: dict[str, str]) -> gk.Mechanism:
    return replace(mechanism, outputs=outputs)


def test_what_is_not_solved_is_nan() -> None:
    points = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (2.0, 1.0), "D": (3.0, 0.0)}
    motion = gk.program(four_bar(points, [gk.Driver("A", gk.Ramp(1.0))])).evaluate([[0.0, np.pi]])
    assert list(motion.solved) == [True, False]
    for of, by in (("joint D", None), ("joint A", None), ("joint A", "joint D"), ("joint D", "joint D")):
        found = gk.jacobian(motion, of, by)
        assert np.isfinite(found.values[0]).all()
        assert np.isnan(found.values[1]).all()
        assert np.isfinite(found.singularities()[0]).tolist() == [True, False]
        assert np.isnan(found.condition()[1])


def test_a_dead_center_is_a_singular_position_of_the_first_kind_and_of_its_inverse_of_the_second() -> None:
    """A slider-crank whose crank and rod are in line: the crank moves, the piston stands still."""
    mechanism = described("slider_crank").mechanism
    program = gk.program(mechanism)
    motion = program.evaluate([[0.0, 0.3]])  # zero is the top dead center
    by_crank, by_piston = (
        gk.jacobian(motion, "joint cylinder"),
        gk.jacobian(motion, "joint 'main bearing'", "joint cylinder"),
    )
    assert by_crank.singularities(0.05).first[0] < 1e-12
    assert by_crank.singularities(0.05).second[0] == pytest.approx(1.0)
    assert by_piston.singularities(0.05).second[0] < 1e-12
    assert by_piston.singularities(0.05).first[0] == pytest.approx(1.0)
    assert not np.isfinite(by_piston.values[0, 0, 0]) or abs(by_piston.values[0, 0, 0]) > 1e12
    np.testing.assert_allclose(by_piston.values[1], 1.0 / by_crank.values[1])
    # both kinds by the formula with the singular values
    s = by_crank.singular_values(0.05)[1, 0]
    assert by_crank.singularities(0.05).first[1] == pytest.approx(s / np.hypot(1.0, s), rel=1e-12)


def test_implicit_matrices_bind_the_rates() -> None:
    motion = moved("stewart_inverse")
    found = gk.jacobian(motion, "joint pose", LEGS)
    of_outputs, of_inputs = found.implicit(length=0.3)
    values = found.values.copy()
    values[:, :3] /= 0.3
    np.testing.assert_allclose(of_outputs @ values * 0.3, of_inputs, atol=1e-12)
    s = found.singular_values(length=0.3)
    kinds = found.singularities(length=0.3)
    np.testing.assert_allclose(kinds.first, s[:, -1] / np.hypot(1.0, s[:, -1]), rtol=1e-10)
    np.testing.assert_allclose(kinds.second, 1.0 / np.hypot(1.0, s[:, 0]), rtol=1e-10)


@pytest.mark.smoke
def test_measures_of_a_scara_arm_are_those_of_the_textbook() -> None:
    """Two links: det J = l₁ l₂ sin q₂ (Yoshikawa 1985)."""
    arm = gk.Mechanism(
        2,
        ["base", "upper", gk.Body("lower", points={"P": (1.4, 0.0)})],
        [gk.Joint("q1", "R", ("base", "upper"), point=(0, 0)), gk.Joint("q2", "R", ("upper", "lower"), point=(0.8, 0))],
        [gk.Driver("q1", gk.Ramp(1.0)), gk.Driver("q2", gk.Ramp(1.0))],
    )
    angle = np.array([0.0, 0.4, 1.5])
    motion = gk.program(arm).evaluate([0.2 + 0.0 * angle, angle])
    found = gk.jacobian(motion, "position P")
    np.testing.assert_allclose(found.determinant(), 0.8 * 0.6 * np.sin(angle), atol=1e-15)
    np.testing.assert_allclose(found.manipulability(), np.abs(0.8 * 0.6 * np.sin(angle)), atol=1e-15)
    np.testing.assert_allclose(found.manipulability(length=2.0), found.manipulability() / 4.0, atol=1e-15)
    whole = gk.jacobian(motion, "lower")
    assert whole.outputs == ("angular_velocity lower", "velocity lower.x", "velocity lower.y")
    np.testing.assert_array_equal(whole.manipulability(length=1.0), 0.0)
    np.testing.assert_array_equal(gk.jacobian(motion, "twist P").translation.values, found.values)
    one = gk.jacobian(motion, "position P", "joint q2")
    np.testing.assert_array_equal(one.values[:, :, 0], found.values[:, :, 1])


def test_labels_and_units_of_arrays() -> None:
    pytest.importorskip("xarray")
    found = gk.jacobian(moved("stewart_inverse"), ["joint leg_1", "twist P1"])
    data = found.to_xarray(units=gk.Units("mm", "deg"))
    assert data.sel(output="velocity P1.x", input="joint pose.angle_x").dims == ("time",)
    ratio = data.sel(output="joint leg_1", input="joint pose.angle_x") / found.values[:, 0, 3]
    np.testing.assert_allclose(ratio, 1000.0 * np.pi / 180.0)
    assert list(data["input_units"].values) == ["mm"] * 3 + ["deg"] * 3
    np.testing.assert_array_equal(found.to_xarray(), found.values)


@pytest.mark.parametrize(
    ("of", "by", "error", "message"),
    [
        ("joint lag_1", None, UnknownNameError, "did you mean leg_1"),
        ("twist platfrom", None, UnknownNameError, "did you mean platform"),
        ("acceleration P1", None, QuantityError, "rates of `acceleration P1` by drivers are not computed; there are"),
        ("velocity P1.norm", None, QuantityError, "not computed"),
        ("joint pose", "position P1.x", QuantityError, "no freedom of a joint"),
        ("joint pose", LEGS[:5], QuantityError, r"by names 5 freedoms, .*name 6, as many as there are drivers"),
        ("joint pose", [LEGS[0], LEGS[0]], QuantityError, "twice"),
        (["joint pose", "joint pose.x"], None, QuantityError, "twice"),
        ([], None, QuantityError, "needs something"),
        (3, None, ArgumentError, "of must be"),
    ],
)
def test_what_has_no_jacobian_is_refused(of: object, by: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gk.jacobian(moved("stewart_inverse"), of, by)  # type: ignore[arg-type]


def test_cams_and_outputs_of_rates_are_refused() -> None:
    cam = moved("cam_roller")
    joint = next(j.name for j in cam.program.mechanism.joints if cam.program.mechanism.form(j).curved)
    with pytest.raises(NotModeledError, match="cam"):
        gk.jacobian(cam, f"joint {joint}")
    motion = gk.solve(_with_outputs(described("four_bar").mechanism, {"power": "{velocity P.x}"}), [0.0])
    with pytest.raises(NotModeledError, match="velocity P"):
        gk.jacobian(motion, "output power")


def test_mixed_units_are_refused_with_what_to_do() -> None:
    found = gk.jacobian(moved("stewart_inverse"), "platform")
    for measure in (found.determinant, found.manipulability, found.condition, found.singularities):
        with pytest.raises(ArgumentError, match=r"mixed.*`\.translation` or `\.rotation` alone.*`length`"):
            measure()
    with pytest.raises(ArgumentError, match="positive"):
        found.condition(length=0.0)
    with pytest.raises(ArgumentError, match="as many outputs as inputs"):
        found.translation.determinant()
    with pytest.raises(ArgumentError, match="name one of"):
        found.transmission_ratio()
    with pytest.raises(UnknownNameError, match="velocity platform"):
        found.rows(["velocity platform.X"])
    with pytest.raises(ArgumentError, match="no such rows"):
        gk.jacobian(moved("four_bar"), "position P").rotation.condition()
