"""What messages say can be done: names, texts and examples in them work."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.errors import (
    FormulaError,
    GroupkinError,
    NotDeterminedError,
    SingularPositionError,
    UnknownNameError,
)

BODIES = ("frame", "upper arm", "slider")
POINTS = {"P": (1.0, 0.0), "UB": (0.5, 0.5)}
JOINTS = [
    gk.Joint("knee", "R", ("frame", "upper arm"), point=(0.0, 0.0)),
    gk.Joint("guide", "P", ("frame", "slider"), point="P", axis=(1.0, 0.0)),
]


def arm(**more: Any) -> gk.Mechanism:
    bodies = ["frame", gk.Body("upper arm", points=["UB"]), "slider"]
    drivers = [gk.Driver("knee", gk.Ramp(1.0)), gk.Driver("guide", gk.Ramp(1.0))]
    return gk.Mechanism(2, bodies, JOINTS, drivers, points=POINTS, **more)


def named(joint: str) -> gk.Mechanism:
    pin = gk.Joint(joint, "R", ("frame", "arm"), point=(0.0, 0.0))
    return gk.Mechanism(2, ["frame", "arm"], [pin], [gk.Driver(joint, gk.Ramp(1.0))])


@pytest.mark.parametrize("package", [gk, routes, cluster])
def test_a_misspelled_name_of_a_package_brings_the_nearest(package: Any) -> None:
    for name in package.__all__:
        if len(name) > 4:
            wrong = name[0] + name[2] + name[1] + name[3:]
            if wrong not in package.__all__ and wrong != name:
                with pytest.raises(
                    AttributeError, match=rf"{package.__name__} has no '{wrong}' .did you mean .*{name}"
                ):
                    getattr(package, wrong)
    assert not hasattr(package, "_nothing_of_the_kind")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("UB@upper arm", lambda text: gk.nominal_value(text, arm())),
        ("UB@upper arm.x", lambda text: gk.nominal_value(text, arm())),
        ("rate upper arm", lambda text: gk.nominal_value(text, named("upper arm"))),
        ("velocity upper arm.x", lambda text: gk.quantity(text, arm())),
        ("angle upper arm", lambda text: gk.quantity(text, arm())),
        ("upper arm.y", lambda text: gk.quantity(text, arm())),
    ],
)
def test_a_name_with_a_blank_is_proposed_in_quotes(text: str, read: Any) -> None:
    with pytest.raises(GroupkinError, match="did you mean") as caught:
        read(text)
    proposed = re.search(r"did you mean `(.*?)`\?", str(caught.value))
    assert proposed
    read(proposed[1])


@pytest.mark.parametrize(
    "equation",
    [
        "{joint guide} = {joint knee}",
        "{joint guide} = 2 * {joint knee}",
        "{joint guide} = 0.1",
        "{joint knee} = {joint guide} * {joint guide}",
        "{joint guide} = 3 mm * {joint knee}",
        "{angle 'upper arm'} = sin({joint knee})",
    ],
)
def test_a_coupling_of_two_units_brings_one_that_works(equation: str) -> None:
    with pytest.raises(FormulaError, match="both sides of `=` need the same unit") as caught:
        arm(couplings=[gk.Coupling("k", equation)])
    left, right = (side.strip() for side in equation.split("="))
    assert f"`{left}` is a number" in str(caught.value)
    assert f"`{right}` is a number" in str(caught.value)
    proposed = re.search(r"as in `(.*)`$", str(caught.value))
    assert proposed
    arm(couplings=[gk.Coupling("k", proposed[1])])


def test_marks_in_an_equation_are_under_what_is_wrong() -> None:
    with pytest.raises(FormulaError) as caught:
        arm(couplings=[gk.Coupling("k", "{joint guide} = 1 m + sin({joint guide}) * 1 m")])
    _, formula, marks = str(caught.value).splitlines()
    assert formula[marks.index("^") : marks.rindex("^") + 1] == "{joint guide}"


def test_a_joint_is_no_point_but_its_point_is() -> None:
    for name, said in (("knee", "a joint, not a named point: name a point there"), ("guide", "take its point 'P'")):
        with pytest.raises(UnknownNameError, match=said):
            gk.Mechanism(
                2, BODIES, [*JOINTS, gk.Joint("more", "R", ("upper arm", "slider"), point=name)], points=POINTS
            )


LINKAGE = """
dimension = 2
bodies = ["frame", "arm"]
joints = [{ name = "A", type = "R", bodies = ["frame", "arm"], point = [0, 0] }]
drivers = [{ joint = "A", law = { type = "ramp", rate = 1 } }]
"""


def test_a_singular_position_says_how_to_go_through_it() -> None:
    """A parallelogram at its change point, through which the motion goes where that is asked for."""
    points = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (2.0, 1.0), "D": (2.0, 0.0)}
    pairs = {"A": ("frame", "a"), "B": ("a", "b"), "C": ("b", "c"), "D": ("c", "frame")}
    joints = [gk.Joint(name, "R", bodies, point=name) for name, bodies in pairs.items()]
    parallel = gk.Mechanism(2, ["frame", "a", "b", "c"], joints, [gk.Driver("A", gk.Ramp(1.0))], points=points)
    times = np.linspace(0.0, 2.0, 101)
    with pytest.raises(SingularPositionError, match=r'on_singular="continue" \(--on-singular continue\)'):
        gk.solve(parallel, times)
    np.testing.assert_allclose(gk.solve(parallel, times, on_singular="continue").angle("c"), times, atol=1e-9)


def test_equal_numbers_do_not_contradict_what_is_wrong() -> None:
    joints = [gk.Joint(name, "R", ("frame", name)) for name in ("a", "b")]
    more = gk.Joint("again", "R", ("frame", "a"))
    mechanism = gk.Mechanism(2, ["frame", "a", "b"], [*joints, more], [])
    with pytest.raises(NotDeterminedError) as caught:
        gk.analyze(mechanism)
    first, *others = str(caught.value).splitlines()
    assert first.endswith(
        "mobility 0, 0 driven, but some parts have drivers or constraints too many and others too few"
    )
    assert any("over-driven" in line for line in others)
    assert any("under-driven" in line for line in others)
