"""Parameters: one text form each, which is read as it is written, nominal values and units."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import groupkin as gk
from groupkin.errors import GroupkinError, ModeError, ParameterError, UnknownNameError
from groupkin.kinematics.parameters.nominal_values import nominal_value, parameter, unit
from groupkin.kinematics.parameters.parameters import (
    LOADS,
    AssemblyMode,
    Axis,
    JointPoint,
    LawValue,
    Length,
    LoadNumber,
    Point,
    Target,
    label,
    parse,
)
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES
from tests.support.texts import NAMES

FILES = sorted(path for path in EXAMPLES.glob("*.toml") if path.suffixes == [".toml"])
MAYBE = NAMES | st.just("")
TARGETS = st.one_of(
    st.builds(Point, NAMES, MAYBE, MAYBE),
    st.builds(JointPoint, NAMES, MAYBE, MAYBE),
    st.builds(Axis, NAMES, MAYBE, MAYBE),
    st.builds(Length, NAMES, st.tuples(NAMES, NAMES)),
    st.builds(LawValue, NAMES, NAMES, st.none() | st.integers(-9, 10**6), MAYBE),
    st.builds(LoadNumber, st.sampled_from(LOADS), NAMES, MAYBE),
    st.builds(AssemblyMode, NAMES),
)


@cache
def program() -> gk.Program:
    return gk.program(FOUR_BAR)


@given(TARGETS)
def test_a_parameter_is_read_as_it_is_written(target: Target) -> None:
    assert parse(str(target)) == target


@given(st.text(max_size=40))
def test_any_text_is_a_parameter_or_an_error_of_the_project(text: str) -> None:
    with suppress(GroupkinError):
        assert parse(str(parse(text))) == parse(text)


def possible(mechanism: gk.Mechanism, built: gk.Program) -> list[Target]:
    """Parameters of a mechanism, some of each kind."""
    bodies = list(mechanism.body)
    candidates: list[Target] = [
        Point(name, body, c) for name in mechanism.positions for body in ("", *bodies) for c in ("", "x")
    ]
    candidates += [
        kind(name, body) for kind in (JointPoint, Axis) for name in mechanism.joint for body in ("", *bodies)
    ]
    names = list(mechanism.positions)[:4]
    candidates += [Length(body, (one, other)) for body in bodies for one in names for other in names]
    fields = ("value", "rate", "start", "amplitude", "offset", "coefficients", "values")
    candidates += [
        LawValue(driven.joint, field, index, mechanism.freedoms(mechanism.joint[driven.joint])[driven.freedom].name)
        for driven in built.drivers
        for field in fields
        for index in (None, 1)
    ]
    candidates += [AssemblyMode(body) for body in bodies]
    parts = [*bodies, *(load.name for load in mechanism.forces)]
    candidates += [LoadNumber(field, name, c) for field in LOADS for name in parts for c in ("", "x", "xx")]
    found = []
    for target in candidates:
        try:
            found.append(parameter(target, built))
        except GroupkinError:
            continue
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_parameters_of_the_examples_are_read_as_they_are_written(path: Path) -> None:
    mechanism = gk.load(path)
    try:
        built = gk.program(mechanism)
    except GroupkinError:  # for analysis only
        return
    found = possible(built.mechanism, built)
    assert len({type(target) for target in found}) >= 3
    for target in found:
        again = parameter(str(target), built)
        assert again == target
        np.testing.assert_array_equal(nominal_value(str(target), built), nominal_value(target, built))


@pytest.mark.parametrize(
    ("text", "expected", "value", "of_unit", "name"),
    [
        ("C", Point("C"), [3.0, 2.5], "m", "C"),
        ("C@coupler", Point("C", "coupler"), [3.0, 2.5], "m", "coupler.C"),
        ("C@coupler.y", Point("C", "coupler", "y"), 2.5, "m", "coupler.C.y"),
        ("joint d", JointPoint("d"), [3.0, 0.0], "m", "d"),
        ("joint d@rocker.x", JointPoint("d", "rocker", "x"), 3.0, "m", "d.rocker.point.x"),
        ("length crank A-B", Length("crank", ("A", "B")), 1.0, "m", "crank.A-B"),
        ("rate a", LawValue("a", "rate"), 6.0, "rad/s", "a.rate"),
        ("start a.angle", LawValue("a", "start", freedom="angle"), 0.0, "rad", "a.angle.start"),
        ("mode rocker", AssemblyMode("rocker"), 1.0, "1", "mode.rocker"),
    ],
)
def test_what_a_text_means(text: str, expected: Target, value: object, of_unit: str, name: str) -> None:
    target = gk.parameter(text, program())
    assert target == expected
    np.testing.assert_allclose(gk.nominal_value(text, FOUR_BAR), value)
    assert unit(target, program()) == of_unit
    assert label(target) == name


def test_an_axis() -> None:
    slider = gk.load(EXAMPLES / "slider_crank.toml")
    np.testing.assert_allclose(gk.nominal_value("axis cylinder", slider), [1.0, 0.0])
    np.testing.assert_allclose(gk.nominal_value("axis cylinder@piston.y", slider), 0.0, atol=1e-15)


def test_a_law_with_a_field_of_that_name() -> None:
    """A quoted word is a number of a law."""
    target = LawValue("A", "length")
    assert str(target) == "'length' A"
    assert parse("'length' A") == target


@pytest.mark.parametrize(
    ("text", "words", "kind"),
    [
        ("Q", "there is no named point 'Q'", UnknownNameError),
        ("a", "the point of joint 'a' is `joint a`", UnknownNameError),
        ("C@copler", "there is no body 'copler'; did you mean coupler?", UnknownNameError),
        ("C@crank", "point 'C' is not on body 'crank', but on coupler, rocker", ParameterError),
        ("C@coupler.z", "`C@coupler.z`: the component must be x or y", ParameterError),
        ("joint e", "there is no joint 'e'", UnknownNameError),
        ("axis a", "has no axis that could be varied", ParameterError),
        ("length crank A-A", "`length crank A-A`: a length is between two different points", ParameterError),
        ("length crank A", "is no parameter", ParameterError),
        ("main bearing two", "names with blanks", ParameterError),
        ("rate b", "no driven joint 'b'", UnknownNameError),
        ("rat a", "has no 'rat' (did you mean rate?)", ParameterError),
        ("rate[0] a", "is one number", ParameterError),
        ("mode lever", "lever", ModeError),
        ("joint 'd", "is no parameter", ParameterError),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str, kind: type[GroupkinError]) -> None:
    with pytest.raises(kind, match=re.escape(words)):
        gk.parameter(text, program())
