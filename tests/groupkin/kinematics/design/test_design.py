"""Designs: one, many and the changed mechanism agree; what is not possible is refused by name."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import groupkin as gk
from groupkin.errors import (
    CannotAssembleError,
    NotAssembledError,
    NotModeledError,
    ParameterError,
    QuantityError,
    UnknownNameError,
)
from groupkin.kinematics.design.many_designs import solve_many
from groupkin.kinematics.motion.quantities import quantity
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 31)


@cache
def example(name: str) -> gk.Mechanism:
    return gk.load(EXAMPLES / f"{name}.toml")


@cache
def design(name: str, *parameters: Any) -> gk.Design:
    return gk.design(example(name), parameters)


CASES = [
    ("four_bar", ("C@coupler", "P", "rate A")),
    ("four_bar", ("length crank A-B", "joint D@rocker", "start A")),
    ("jansen_leg", ("U", "W@upper_triangle")),
    ("slider_crank", ("B@crank", gk.Axis("cylinder"))),
    ("spatial_four_bar", (gk.JointPoint("guide", "ground"),)),
]


@pytest.mark.smoke
def test_the_nominal_design_is_the_mechanism() -> None:
    of = design("four_bar", "C@coupler", "rate A")
    assert of.names == ("C@coupler.x", "C@coupler.y", "rate A")
    found, nominal = of.solve(of.nominal, TIMES), gk.solve(example("four_bar"), TIMES)
    assert np.abs(found.position("P") - nominal.position("P")).max() < 1e-15
    assert "C@coupler.x" in repr(of)


@pytest.mark.parametrize(("name", "parameters"), CASES)
@settings(deadline=None, max_examples=5)
@given(data=st.data())
def test_one_many_and_the_changed_mechanism_agree(name: str, parameters: tuple[Any, ...], data: Any) -> None:
    of = design(name, *parameters)
    shares = data.draw(st.lists(st.floats(-0.01, 0.01), min_size=of.nominal.size, max_size=of.nominal.size))
    values = of.nominal + np.array(shares) * of.program.geometry.size
    try:
        motion, mechanism = of.solve(values, TIMES), of.mechanism(values)
    except CannotAssembleError:
        reject()  # a leg of Theo Jansen nearly reaches its limits
    stated = gk.solve(mechanism, TIMES)
    size = of.program.geometry.size
    for body in mechanism.movable:
        assert np.abs(motion.position(body) - stated.position(body)).max() < 1e-10 * size
        assert np.abs(motion.acceleration(body) - stated.acceleration(body)).max() < 1e-8 * size * 40
    body = mechanism.movable[-1]
    many = of.solve(np.stack([of.nominal, values]), TIMES, keep=[f"position {body}", f"velocity {body}.x"])
    assert many.solved.all()
    assert len(many) == 2
    assert np.abs(many.read(f"position {body}")[1] - motion.position(body)).max() < 1e-13 * size
    assert many.read(f"velocity {body}.x").shape == (2, TIMES.size)


def test_the_changed_mechanism_can_be_saved(tmp_path: Path) -> None:
    of = design("four_bar", "C@coupler", "rate A")
    values = of.nominal + np.array([0.002, -0.003, 1.0])
    gk.save(of.mechanism(values), tmp_path / "changed.toml")
    loaded = gk.solve(gk.load(tmp_path / "changed.toml"), TIMES)
    assert np.abs(loaded.position("P") - of.solve(values, TIMES).position("P")).max() < 1e-12


def test_motions_do_not_share_memory() -> None:
    of = design("four_bar", "C@coupler", "rate A")
    first = of.solve(of.nominal, TIMES)
    before = first.q.copy()
    of.solve(of.nominal + np.array([0.01, 0.0, 1.0]), TIMES)
    assert np.array_equal(first.q, before)


def test_kept_quantities_of_one_design() -> None:
    of = design("four_bar", "C@coupler", "rate A")
    assert list(of.solve(of.nominal, TIMES, keep=["position P"]).to_xarray().data_vars) == ["P.position"]


def test_a_design_that_fails_names_its_values_and_many_tell_which() -> None:
    of = design("four_bar", "C@coupler", "rate A")
    values = of.nominal + np.array([0.3, 0.0, 0.0])
    with pytest.raises(CannotAssembleError, match=r"group 2 .*C@coupler.x = 325 mm"):
        of.solve(values, TIMES)
    with pytest.raises(NotAssembledError, match=r"C@coupler.x = 325 mm"):
        of.mechanism(values)
    many = of.solve([of.nominal, values], TIMES, keep=["position P"])
    assert many.solved.tolist() == [True, False]
    assert many.failed_group.tolist() == [0, 2]
    assert many.outcomes[0] == "solved"
    assert np.isnan(many.read("P")[1]).all()


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ([], ParameterError, "at least one"),
        ("C", ParameterError, "must be a list"),
        (["X@coupler"], UnknownNameError, "named point"),
        (["mode rocker"], ParameterError, "keeps its assembly modes"),
        (["C@coupler", "C@coupler.x"], ParameterError, "change the same"),
        (["rates A"], ParameterError, "did you mean"),
    ],
)
def test_parameters_that_are_refused(parameters: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        gk.design(example("four_bar"), parameters)


def test_values_that_are_refused() -> None:
    of = design("four_bar", "length crank A-B")
    for values in ([], [1.0, 2.0], [[[0.05]]], [float("nan")], "a"):
        with pytest.raises(gk.GroupkinError):
            of.solve(values, TIMES)
    with pytest.raises(ParameterError, match="what to keep"):
        of.solve([[0.05]], TIMES)
    with pytest.raises(QuantityError, match="not kept"):
        of.solve([[0.05]], TIMES, keep=["position P"]).read("angle crank")
    with pytest.raises(ParameterError, match="no such body"):
        of.solve([-0.05], TIMES)


def test_designs_follow_other_laws_than_those_of_the_mechanism() -> None:
    of = design("four_bar", "P")
    slow = replace(of, program=replace(of.program, drivers=(replace(of.program.drivers[0], law=gk.Ramp(1.0)),)))
    for times in (TIMES[:9], TIMES[:9] + 0.1):
        np.testing.assert_allclose(slow.solve(slow.nominal, times).joint("A")[0], times, atol=1e-12)


def test_cams_are_refused_but_their_laws_are_not() -> None:
    cam = example("cam_roller")
    with pytest.raises(NotModeledError, match="cam"):
        gk.design(cam, [gk.JointPoint(next(j.name for j in cam.joints if j.type != "L"))])


def parallelogram() -> gk.Mechanism:
    """A parallelogram with a third crank, whose rows repeat others."""
    points = {f"{row}{k}": (float(k), y) for k in range(3) for row, y in (("A", 0.0), ("B", 1.0))}
    bodies = ["frame", "bar", *(f"crank{k}" for k in range(3))]
    joints = [gk.Joint(f"A{k}", "R", ("frame", f"crank{k}"), point=f"A{k}") for k in range(3)]
    joints += [gk.Joint(f"B{k}", "R", (f"crank{k}", "bar"), point=f"B{k}") for k in range(3)]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A0", gk.Ramp(rate=0.5))], points=points)


def test_repeated_rows_must_agree() -> None:
    of = gk.design(parallelogram(), ["B2@crank2.y", "B1@crank1.y", "B0@crank0.y"])
    of.solve([1.2, 1.2, 1.2], [0.0, 0.1])
    with pytest.raises(CannotAssembleError, match="must change together"):
        of.solve([1.2, 1.0, 1.0], [0.0, 0.1])


@pytest.mark.parametrize(("name", "parameters"), [*CASES, ("stewart_inverse", ("P1@platform", "B2@base"))])
def test_rates_of_a_changed_design_are_its_velocities(name: str, parameters: tuple[Any, ...]) -> None:
    """Its joints are apart in the reference configuration, where twists and wrenches are taken from."""
    of = design(name, *parameters)
    motion = of.solve(of.nominal * 1.03 + 0.001, TIMES[:9])
    slides = [joint.name for joint in of.program.mechanism.joints if joint.type == "P"]
    for body in of.program.mechanism.movable:
        twists = gk.jacobian(motion, f"twist {body}").values @ motion.driven[:, 1].T[..., None]
        spin = motion.angular_velocity(body).reshape(TIMES[:9].size, -1)
        expected = np.concatenate([spin, motion.velocity(body)], axis=1)
        np.testing.assert_allclose(twists[..., 0], expected, atol=1e-12 * max(1.0, np.abs(expected).max()))
    for joint in slides:
        rates = gk.jacobian(motion, f"joint {joint}").values @ motion.driven[:, 1].T[..., None]
        expected = motion.joint_rate(joint)[0]
        np.testing.assert_allclose(rates[:, 0, 0], expected, atol=1e-12 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize(
    ("name", "length", "point"),
    [("four_bar", "length coupler B-C", "P"), ("stephenson_six_bar", "length crank O-A", "D")],
)
def test_designs_at_times_of_their_own_are_those_solved_singly(name: str, length: str, point: str) -> None:
    program = gk.program(example(name))
    varied = gk.design(program, [length])
    rows = varied.nominal * np.array([[1.0], [1.01], [0.99]])
    times = np.array([[0.0, 0.1, 0.2], [0.05, 0.1, 0.4], [0.0, 0.02, 0.03]])
    wanted = quantity(f"position {point}", program)
    found = solve_many(program, varied.parameters, rows, times, [wanted])
    assert found.solved.all()
    for row, at, read in zip(rows, times, found.read(wanted), strict=True):
        # groups by iteration end within 2e-12 of the size over the conditioning
        np.testing.assert_allclose(read, varied.solve(row, at).position(point), atol=1e-10)


@pytest.mark.parametrize("axes", ["lower_ball", "upper_ball", "wheel"])
def test_forces_along_axes_of_joints_point_where_they_do_in_the_design(axes: str) -> None:
    """Joints without a stated axis have others in the mechanism that is stated anew."""
    known = gk.load(EXAMPLES / "double_wishbone.toml")
    joints = [
        replace(joint, bodies=joint.bodies[::-1]) if joint.name == "lower_ball" else joint for joint in known.joints
    ]
    for load in (
        gk.Force("push", "upright", "W", (10.0, 3.0, 5.0), axes=axes),
        gk.Torque("twist", "upright", (1.0, 3.0, 2.0), axes=axes),
    ):
        design = gk.design(replace(known, joints=joints, forces=[load]), ["UF@chassis.z"])
        motion = design.solve(design.nominal + 0.02, np.linspace(0.0, 0.5, 5))
        again = gk.solve(design.mechanism(design.nominal + 0.02), motion.times)
        wanted, found = (gk.inverse_dynamics(each).driver("wheel.z") for each in (motion, again))
        assert np.abs(found - wanted).max() < 1e-9 * np.abs(wanted).max()
