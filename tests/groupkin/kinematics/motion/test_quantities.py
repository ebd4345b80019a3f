"""Quantities: one text form each, which is read as it is written, and what it reads from a motion."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import groupkin as gk
from groupkin.errors import GroupkinError, NotModeledError, QuantityError, UnknownNameError
from groupkin.kinematics.motion.kinds import KINDS, SEVERAL
from groupkin.kinematics.motion.quantities import Quantity, components, parse, quantity, unit
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part
from tests.support.texts import NAMES

FILES = sorted(path for path in EXAMPLES.glob("*.toml") if path.suffixes == [".toml"])


@cache
def four_bar() -> gk.Motion:
    return gk.solve(FOUR_BAR, np.linspace(0.0, 0.5, 11))


# --- text form -------------------------------------------------------------------------------


@given(st.sampled_from(list(KINDS)), NAMES, st.lists(NAMES, min_size=3, max_size=3), NAMES | st.just(""))
def test_a_quantity_is_read_as_it_is_written(kind: str, name: str, three: list[str], component: str) -> None:
    given = Quantity(kind, name, component)
    if KINDS[kind].of in SEVERAL:
        given = Quantity(kind, tuple(three[: len(SEVERAL[KINDS[kind].of])]), component)
    assert parse(str(given)) == given


@given(NAMES, NAMES | st.just(""))
def test_a_name_without_a_kind_is_read_as_it_is_written(name: str, component: str) -> None:
    assert parse(str(Quantity("", name, component))) == Quantity("", name, component)


@given(st.text(max_size=40))
def test_any_text_is_a_quantity_or_an_error_of_the_project(text: str) -> None:
    with suppress(GroupkinError):
        assert parse(str(parse(text))) == parse(text)


def possible(mechanism: gk.Mechanism) -> list[Quantity]:
    """All quantities that a mechanism has."""
    names = [*mechanism.body, *mechanism.positions, *mechanism.joint, ""]
    freedoms = {freedom.name for joint in mechanism.joints for freedom in mechanism.freedoms(joint)}
    found = []
    for one in (Quantity(kind, name, c) for kind in KINDS for name in names for c in ("", "x", "norm", *freedoms)):
        try:
            found.append(quantity(one, mechanism))
        except GroupkinError:
            continue
    return found


@pytest.mark.parametrize("path", in_part(FILES, 4), ids=lambda path: path.stem)
def test_all_quantities_of_the_examples_are_read_as_they_are_written(path: object) -> None:
    mechanism = gk.load(path)  # type: ignore[arg-type]
    found = possible(mechanism)
    assert {one.kind for one in found} >= {"position", "rotation", "joint", "conditioning", "residual"}
    for one in found:
        assert quantity(str(one), mechanism) == one


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P", "position P"),
        ("P.x", "position P.x"),
        ("a", "joint a"),
        ("a.angle", "joint a.angle"),
        ("crank.y", "position crank.y"),
        ("  velocity   P.norm ", "velocity P.norm"),
        ("transmission_angle B-C-D", "transmission_angle B-C-D"),
        ("conditioning", "conditioning"),
        ("conditioning rocker", "conditioning rocker"),
    ],
)
def test_what_a_text_means(text: str, expected: str) -> None:
    assert str(quantity(text, FOUR_BAR)) == expected
    assert quantity(quantity(text, FOUR_BAR), FOUR_BAR) == quantity(text, FOUR_BAR)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("crank", "`crank` can be read as `position crank` or `angle crank` or `rotation crank`; write one of them"),
        ("postion P", "there is no kind 'postion' (did you mean position or rotation?)"),
        ("joint main bearing", "names with blanks"),
        ("velocity 'P", "is no quantity"),
        ("", "is no quantity"),
        ("velocity Q", "there is no body or point 'Q'; there are ground, crank"),
        ("joint e", "there is no joint 'e'; there are a, b, c, d"),
        ("E", "there is no body, point or joint 'E'"),
        ("P.z", "`position P` has the components x, y, norm, not 'z'"),
        ("a.turn", "has no freedom 'turn'"),
        ("angle rocker.x", "`angle rocker` has no components"),
        ("conditioning lever", "no movable body 'lever'"),
        ("transmission_angle B-C", "like `transmission_angle B-C-D`"),
        ("transmission_angle B-C-B", "needs 3 different names"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises((QuantityError, UnknownNameError), match=re.escape(words)):
        quantity(text, FOUR_BAR)
    with pytest.raises(GroupkinError, match=re.escape(words)):
        four_bar().read(text)


def test_a_name_of_two_things_is_refused_with_its_readings() -> None:
    joints = [replace(joint, name=joint.name.upper()) for joint in FOUR_BAR.joints]
    twice = replace(FOUR_BAR, joints=joints, drivers=[gk.Driver("A", gk.Ramp(6.0))])
    with pytest.raises(QuantityError, match="`A` can be read as `position A` or `joint A`"):
        quantity("A", twice)
    assert str(quantity("A.x", twice)) == "position A.x"
    assert str(quantity("A.angle", twice)) == "joint A.angle"


def test_a_joint_of_several_bodies_is_read_by_its_pairs() -> None:
    mechanism = gk.Mechanism(
        2,
        ["frame", "one", "two"],
        [gk.Joint("pin", "R", ("frame", "one", "two"), point=(0, 0))],
    )
    with pytest.raises(UnknownNameError, match="joins several bodies; name one of its pairs: 'pin"):
        quantity("joint pin", mechanism)
    for joint in mechanism.joint:
        assert quantity(str(Quantity("joint", joint)), mechanism).of == joint


# --- reading ---------------------------------------------------------------------------------


def test_what_is_read_is_what_the_methods_read() -> None:
    motion = four_bar()
    for kind in ("position", "velocity", "acceleration"):
        np.testing.assert_array_equal(motion.read(f"{kind} P"), getattr(motion, kind)("P"))
        np.testing.assert_array_equal(motion.read(f"{kind} P.y"), getattr(motion, kind)("P")[:, 1])
        norm = np.linalg.norm(getattr(motion, kind)("P"), axis=1)
        np.testing.assert_allclose(motion.read(f"{kind} P.norm"), norm, rtol=1e-15)
    for kind in ("angle", "angular_velocity", "angular_acceleration", "rotation"):
        np.testing.assert_array_equal(motion.read(f"{kind} rocker"), getattr(motion, kind)("rocker"))
    np.testing.assert_array_equal(motion.read("joint c"), motion.joint("c")[0])
    np.testing.assert_array_equal(motion.read(Quantity("joint", "c", "angle")), motion.joint("c")[0])
    np.testing.assert_array_equal(motion.read("conditioning"), motion.conditioning.min(axis=0))
    np.testing.assert_array_equal(motion.read("conditioning rocker"), motion.conditioning[1])
    assert gk.max_residual(motion) == motion.read("residual").max() >= motion.read("residual c").max()


def test_a_transmission_angle_is_that_of_the_coupler_and_the_rocker() -> None:
    motion = four_bar()
    along = np.abs(np.cos(motion.read("joint c") - motion.read("joint c")[0] + angle_at_c()))
    np.testing.assert_allclose(motion.read("transmission_angle B-C-D"), np.arccos(along), atol=1e-12)


def angle_at_c() -> float:
    b, c, d = (np.array(FOUR_BAR.points[name]) for name in "BCD")
    return float(np.arctan2(*(d - c)[::-1]) - np.arctan2(*(b - c)[::-1]))


@pytest.mark.parametrize("name", ["stewart_inverse", "spatial_four_bar", "geared_press", "rear_axle"])
def test_rates_of_joints_are_derivatives_of_their_coordinates(name: str) -> None:
    mechanism = gk.load(EXAMPLES / f"{name}.toml")
    step = 1e-5
    motion = gk.solve(mechanism, 0.13 + step * np.arange(-2, 3))
    for joint in motion.program.mechanism.joint:
        q = motion.joint(joint)
        expected = (q[:, 0] - 8 * q[:, 1] + 8 * q[:, 3] - q[:, 4]) / (12 * step)
        np.testing.assert_allclose(
            motion.joint_rate(joint)[:, 2], expected, atol=1e-7 * max(1.0, np.abs(expected).max())
        )
    for driven in motion.program.drivers:
        rate = motion.joint_rate(driven.joint)[driven.freedom]
        np.testing.assert_allclose(rate, driven.law.at(motion.times)[1], atol=1e-11)


def test_freedoms_of_a_joint() -> None:
    motion = gk.solve(gk.load(EXAMPLES / "stewart_inverse.toml"), [0.0, 0.1])
    assert motion.read("joint pose").shape == motion.read("joint_rate pose").shape == (2, 6)
    np.testing.assert_array_equal(motion.read("joint_rate pose.z"), motion.joint_rate("pose")[2])
    wanted = quantity("joint_rate pose.angle_x", motion.program)
    assert unit(wanted, motion.program.mechanism) == "rad/s"
    dims, ((*labels,),) = components(quantity("joint pose", motion.program), motion.program.mechanism)
    assert (dims, labels[0]) == (("freedom_pose",), "x")


def test_rates_of_cams_are_refused() -> None:
    cam = gk.load(EXAMPLES / "cam_roller.toml")
    name = next(joint.name for joint in cam.joints if cam.form(joint).curved)
    with pytest.raises(NotModeledError, match="is a cam"):
        quantity(f"joint_rate {name}", cam)
