"""Axes through two named points, and what is said of points that are not where they should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GeometryError, GroupkinWarning, MechanismError, NotAssembledError, UnknownNameError
from groupkin.mechanism.files.reading import parse
from groupkin.model.geometry.geometry import resolve
from tests.support.mechanisms import FOUR_BAR

POINTS = {"LF": (0.1, 0.3, 0.2), "LR": (-0.15, 0.32, 0.22), "tip": (0.0, 0.7, 0.2)}


def arm(axis: Sequence[float] | tuple[str, str] = ("LF", "LR"), kind: str = "R", **more: object) -> gk.Mechanism:
    joint = gk.Joint("hinge", kind, ("chassis", "arm"), axis=axis, **more)  # type: ignore[arg-type]
    bodies = ["chassis", gk.Body("arm", points=["tip", "LR"])]
    return gk.Mechanism(3, bodies, [joint], [gk.Driver("hinge", gk.Ramp(1.0), "angle")], points=POINTS)


@pytest.mark.parametrize(
    ("kind", "more"),
    [("R", {}), ("C", {}), ("H", {"pitch": 0.1}), ("R", {"point": "LR"})],
    ids=["R", "C", "H", "other"],
)
def test_an_axis_is_the_direction_from_the_first_to_the_second_point(kind: str, more: dict[str, object]) -> None:
    named = resolve(arm(kind=kind, **more)).joints["hinge"]
    stated = np.subtract(POINTS["LR"], POINTS["LF"])
    plain = resolve(arm(stated, kind, **({"point": "LF"} | more))).joints["hinge"]
    np.testing.assert_allclose(named.frames, plain.frames, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(named.points, plain.points)


def test_points_of_the_axis_stay_where_they_are() -> None:
    motion = gk.solve(arm(), [0.0, 1.0, 2.0])
    for name in ("LF", "LR"):
        np.testing.assert_allclose(motion.position(name), [POINTS[name]] * 3, atol=1e-15)
    assert np.ptp(motion.position("tip"), axis=0).max() > 0.1


def test_in_the_plane_a_slide_goes_through_two_points() -> None:
    points = {"A": (0.0, 0.0), "B": (3.0, 4.0)}
    slide = gk.Joint("slide", "P", ("frame", "block"), axis=("A", "B"))
    block = gk.Mechanism(2, ["frame", "block"], [slide], [gk.Driver("slide", gk.Ramp(1.0))], points=points)
    np.testing.assert_allclose(gk.solve(block, [0.0, 5.0]).position("block"), [[0, 0], [3, 4]], atol=1e-15)


def test_in_files() -> None:
    data = {
        "dimension": 3,
        "units": {"length": "mm", "angle": "deg"},
        "points": {name: [1e3 * x for x in at] for name, at in POINTS.items()},
        "bodies": ["chassis", {"name": "arm", "points": ["tip", "LR"]}],
        "joints": [{"name": "hinge", "type": "R", "bodies": ["chassis", "arm"], "axis": ["LF", "LR"]}],
    }
    read = parse(data).joint["hinge"]
    assert (read.axis, read.point) == (("LF", "LR"), "LF")
    with pytest.raises(MechanismError, match=r"joints\[0\].axis .*a direction in numbers or the names of two points"):
        parse(data | {"joints": [data["joints"][0] | {"axis": ["LF", 3.0]}]})  # type: ignore[index,operator]


def test_lengths_that_move_a_point_turn_the_axis_on_that_body() -> None:
    """The joint is then open, and closed by moving the arm."""
    body = gk.Body("arm", points=["tip"], lengths={("LF", "LR"): 0.25, ("LR", "tip"): 0.42})
    mechanism = replace(arm(), bodies=["chassis", body])
    frames = resolve(mechanism).joints["hinge"].frames
    ends = resolve(mechanism).joints["hinge"].axis_points
    assert ends is not None
    for side in (0, 1):
        along = ends[side, 1] - ends[side, 0]
        np.testing.assert_allclose(frames[side][:, 2], along / np.linalg.norm(along), atol=1e-15)
    assert np.abs(frames[0] - frames[1]).max() > 1e-3
    closed = gk.program(mechanism, assemble=True).geometry.joints["hinge"]
    np.testing.assert_allclose(closed.frames[0][:, 2], closed.frames[1][:, 2], atol=1e-9)
    assert closed.axis_points is not None
    np.testing.assert_allclose(closed.axis_points[0], resolve(arm()).joints["hinge"].axis_points[0])  # type: ignore[index]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: arm(("LF", "XX")), UnknownNameError, "axis of joint 'hinge' refers to 'XX', which is no named point"),
        (lambda: arm(("LF", "LF")), GeometryError, "axis of joint 'hinge': the points LF and LF coincide"),
        (lambda: arm(("LF",)), GeometryError, "axis of joint 'hinge' must be 3 finite numbers, not"),  # type: ignore[arg-type]
        (lambda: arm(("LF", "LR"), points=("LF", "LR"), point="LF"), GeometryError, "`point`, common to both bodies"),
        (
            lambda: gk.Mechanism(3, ["a", "b"], [gk.Joint("u", "U", ("a", "b"), axes=(("P", "Q"), (0, 0, 1)))]),  # type: ignore[arg-type]
            GeometryError,
            "joint 'u': `axes` are two directions in numbers; only `axis` may name two points",
        ),
    ],
)  # fmt: skip
def test_what_is_no_axis_is_refused(make: object, error: type[MechanismError], message: str) -> None:
    with pytest.raises(error, match=message):
        make()  # type: ignore[operator]


def test_points_of_a_hinge_that_were_meant_as_its_axis() -> None:
    with pytest.raises(NotAssembledError, match=r"hinge by 0.252 m.*one on each body; .* axis = \[\"P\", \"Q\"\]"):
        gk.solve(arm((1, 0, 0), points=("LF", "LR")), [0.0])


def test_points_on_no_body_are_warned_of() -> None:
    mechanism = replace(FOUR_BAR, points={**FOUR_BAR.points, "Q": (90.0, 1.0)})
    with pytest.warns(GroupkinWarning, match=r"point 'Q' is on no body: .* rocker: points = \['Q'\]"):
        gk.analyze(mechanism)
    with pytest.warns(GroupkinWarning, match=r"points 'Q', 'R' are on no body"):
        program = gk.program(replace(mechanism, points={**mechanism.points, "R": (1.0, 1.0)}))
    assert program.geometry.size == gk.program(FOUR_BAR).geometry.size
    np.testing.assert_array_equal(gk.solve(program, [0.1]).q, gk.solve(FOUR_BAR, [0.1]).q)
