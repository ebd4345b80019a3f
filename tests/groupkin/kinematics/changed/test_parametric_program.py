"""Geometry and constants as a table of operations: the numbers of the code that was traced, and their derivatives."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.changed.changed_program import changed_program
from groupkin.kinematics.changed.parametric_program import (
    ParametricProgram,
    computed,
    parametric_program,
    program_at,
)
from groupkin.kinematics.program.program import Program
from tests.support.paths import EXAMPLES

CASES: list[tuple[str, tuple[Any, ...]]] = [
    ("four_bar", ("C@coupler", "P")),
    ("four_bar", ("length crank A-B", "joint D@rocker", "start A")),
    ("jansen_leg", ("U", "W@upper_triangle")),
    ("slider_crank", ("B@crank", gk.Axis("cylinder"))),
    ("spatial_four_bar", (gk.JointPoint("guide", "ground"),)),
    ("stewart_inverse", ("P1@platform", "B2@base")),
    ("stephenson_six_bar", ("D", "length crank O-A")),
    ("planar_3rrr", ()),
    ("spatial_3prs", ()),
    ("nine_bar", ()),
    ("assur_class_three", ()),
    ("geared_press", ()),
    ("rotor_control", ()),
    ("eccentric_press", ()),
    ("delta_robot", ()),
    ("five_rod_suspension", ()),
]

HELD = ("delta_robot", "five_rod_suspension")
"""Examples with idle spins, which a table holds about the axes of the nominal mechanism."""


@cache
def case(name: str, parameters: tuple[Any, ...]) -> tuple[gk.Design, ParametricProgram]:
    mechanism = gk.load(EXAMPLES / f"{name}.toml")
    some = parameters or [gk.JointPoint(joint.name, joint.bodies[0]) for joint in mechanism.joints[:3]]
    design = gk.design(mechanism, some)
    return design, parametric_program(design.program, design.parameters, design.nominal)


def aside(design: gk.Design, share: float = 3e-3) -> np.ndarray[Any, Any]:
    changes = np.random.default_rng(1).normal(size=design.nominal.size)
    return design.nominal + share * design.program.geometry.size * changes


def at(parametric: ParametricProgram, values: Any) -> Program:
    work, valid = computed(parametric, values[:, None])
    assert valid.all()
    return program_at(parametric, work[:, 0])


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_the_numbers_are_those_of_the_code_that_was_traced(name: str, parameters: tuple[Any, ...]) -> None:
    design, parametric = case(name, parameters)
    values = aside(design)
    found, direct = at(parametric, values), changed_program(design.program, design.parameters, values)
    # sums of three are in another order, and lengths are met by another number of steps
    tolerance = {"rtol": 1e-13, "atol": 1e-15 * design.program.geometry.size}
    for one, other in zip(found.calls, direct.calls, strict=True):
        assert one.kernel is other.kernel
        np.testing.assert_array_equal(one.rows, other.rows)
        if name not in HELD:
            np.testing.assert_allclose(one.constants, other.constants, **tolerance)
    assert found.fixed.keys() == direct.fixed.keys()
    for row, value in direct.fixed.items():
        np.testing.assert_allclose(found.fixed[row], value, **tolerance)
    for joint, own in direct.geometry.joints.items():
        np.testing.assert_allclose(found.geometry.joints[joint].points, own.points, **tolerance)
        np.testing.assert_allclose(found.geometry.joints[joint].frames, own.frames, **tolerance)


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_derivatives_are_differences(name: str, parameters: tuple[Any, ...]) -> None:
    design, parametric = case(name, parameters)
    values, step = aside(design), 1e-6 * design.program.geometry.size
    work = computed(parametric, values[:, None])[0]
    rows = parametric.rows
    changes = parametric.table.derivatives(work, np.arange(len(work)))[0]
    for k in range(values.size):
        change = step * np.eye(values.size)[k]
        ahead, behind = (at(parametric, values + sign * change) for sign in (1.0, -1.0))
        for call, upper, lower in zip(rows.calls, ahead.calls, behind.calls, strict=True):
            differences = (upper.constants - lower.constants) / (2.0 * step)
            # central differences: roundings of numbers of size 1 over the step
            scale = max(1.0, np.abs(differences).max(initial=0.0)) / min(1.0, design.program.geometry.size)
            np.testing.assert_allclose(changes[call.constants, k], differences, atol=1e-8 * scale)
        for joint, own in rows.geometry.joints.items():
            differences = (ahead.geometry.joints[joint].points - behind.geometry.joints[joint].points) / (2.0 * step)
            np.testing.assert_allclose(changes[own.points, k], differences, atol=1e-8)


def test_values_at_which_the_table_is_not_right_are_told() -> None:
    design, parametric = case("four_bar", ("length crank A-B", "joint D@rocker", "start A"))
    rows = np.stack([design.nominal, design.nominal * [-1.0, 1.0, 1.0, 1.0], design.nominal], axis=1)
    assert computed(parametric, rows)[1].tolist() == [True, False, True]


def test_only_what_cannot_be_traced_is_computed_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in what is traced is no reason for the slow way."""
    from groupkin.kinematics.changed import parametric_program as tables
    from groupkin.kinematics.derivatives import map_of_design
    from groupkin.kinematics.design import one_design
    from sglibrary.traced import NotTraceableError

    def raising(error: type[Exception]) -> Any:
        def fail(*_: object) -> None:
            raise error("x")

        return fail

    for module, name in ((tables, "parametric_program"), (one_design, "prototype"), (map_of_design, "traced")):
        for error in (NotTraceableError, TypeError):
            of = gk.design(gk.load(EXAMPLES / "four_bar.toml"), ["C@coupler.x"])
            values = np.stack([of.nominal] * 2)
            with monkeypatch.context() as patched:
                patched.setattr(module, name, raising(error))
                if error is TypeError:
                    with pytest.raises(TypeError, match=r"^x$"):
                        of.solve(values, [0.0, 0.1], keep=["position P"], derivatives=True)
                else:
                    of.solve(values, [0.0, 0.1], keep=["position P"], derivatives=True)
