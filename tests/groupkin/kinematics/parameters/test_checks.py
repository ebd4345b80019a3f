"""Which parameters can vary together."""

from __future__ import annotations

import pytest

import groupkin as gk
from groupkin.errors import NotModeledError, ParameterError
from groupkin.kinematics.parameters.checks import check, eased_joints
from groupkin.kinematics.parameters.parameters import parse
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES


def together(program: gk.Program, *texts: str) -> None:
    check([parse(text) for text in texts], program)


def test_what_changes_the_same_is_refused() -> None:
    program = gk.program(FOUR_BAR)
    together(program, "C@coupler", "C@rocker", "rate a", "start a", "length crank A-B", "mode rocker")
    for first, second in (
        ("C", "joint c@rocker.x"),
        ("C@coupler.y", "C"),
        ("rate a", "rate a.angle"),
        ("mode rocker", "mode coupler"),
        ("length crank A-B", "length crank B-A"),
    ):
        with pytest.raises(ParameterError, match=f"parameters `{first}` and `{second}` change the same"):
            together(program, first, second)


def test_the_geometry_of_cams_cannot_vary() -> None:
    cam = gk.load(EXAMPLES / "cam_roller.toml")
    hinge = next(joint.name for joint in cam.joints if joint.type == "R")
    with pytest.raises(NotModeledError, match="is a cam"):
        together(gk.program(cam), f"joint {hinge}")


def test_no_joint_of_a_four_bar_is_eased() -> None:
    assert eased_joints(gk.program(FOUR_BAR)) == ()
