"""Points far from the joints: tolerances do not grow with them, and those whose roundings hide the rest are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GeometryError
from groupkin.model.geometry.geometry import resolve
from groupkin.model.geometry.sizes import WIDEST
from tests.support.mechanisms import crank_rocker


def swinging(**more: Any) -> gk.Mechanism:
    """Two arms of 1 m."""
    arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0))
    bob = gk.Body("bob", mass=2.0, center=(1.5, 0.5), inertia=0.1)
    joints = [gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0)), gk.Joint("knee", "R", ("arm", "bob"), point=(1, 0))]
    return gk.Mechanism(2, ["frame", arm, bob], joints, gravity=(0.0, -9.81), **more)


def with_body(**more: Any) -> gk.Mechanism:
    whole = swinging()
    return replace(whole, bodies=["frame", whole.body["arm"], replace(whole.body["bob"], **more)])


FAR: dict[str, tuple[Callable[[float], gk.Mechanism], str]] = {
    "named": (lambda x: with_body(points={"P": (0.0, x)}), "point 'P' is"),
    "center": (lambda x: with_body(center=(x, 0.0)), "the center of body 'bob' is"),
    "named center": (lambda x: with_body(points={"P": (0.0, x)}, center="P"), "point 'P' is"),
    "origin": (lambda x: with_body(origin=(x, 0.0)), "the origin of body 'bob' is"),
    "inertia": (lambda x: with_body(inertia=1e70, about=(0.0, x)), "the point of inertia of body 'bob' is"),
    "force": (lambda x: swinging(forces=[gk.Force("f", "bob", (0.0, x), (1.0, 0.0))]), "the point of force 'f' is"),
    "spring": (
        lambda x: swinging(forces=[gk.Spring("f", ("frame", "bob"), ((0.0, x), (1.0, 0.5)), stiffness=1.0)]),
        "the point of force 'f' is",
    ),
}


def chain(distance: float) -> gk.Mechanism:
    """The two arms, and a third one whose joint is somewhere else."""
    whole = swinging()
    joints = [*whole.joints, gk.Joint("far", "R", ("bob", "tail"), point=(0.0, distance))]
    return replace(whole, bodies=["frame", whole.body["arm"], whole.body["bob"], "tail"], joints=joints)


FAR["joint"] = chain, "joint 'far' is"


@pytest.mark.filterwarnings("ignore::groupkin.GroupkinWarning")
@pytest.mark.parametrize("kind", FAR)
@pytest.mark.parametrize("distance", [2e8, 1e20, -1e30])
def test_points_whose_roundings_hide_the_rest_are_refused_by_name(kind: str, distance: float) -> None:
    make, message = FAR[kind]
    with pytest.raises(GeometryError, match=rf"{message} .* away from the joints of .*, whose extent is 1 m: beyond"):
        resolve(make(distance))
    resolve(make(0.9e8))


@pytest.mark.parametrize("distance", [30.0, 1e4, 1e7])
def test_a_point_far_away_leaves_tolerances_those_of_the_joints(distance: float) -> None:
    plain = crank_rocker()
    body = plain.movable[-1]
    far = replace(
        plain, bodies=[replace(b, points={"P": (0.0, distance)}) if b.name == body else b for b in plain.body.values()]
    )
    own, other = (gk.program(mechanism).geometry.size for mechanism in (plain, far))
    assert own < other <= WIDEST * own
    found = gk.solve(far, np.linspace(0.0, 0.1, 3))
    assert np.allclose(found.position(body), gk.solve(plain, found.times).position(body), rtol=0, atol=1e-12)


@pytest.mark.parametrize("off", [6e-17, 1e-9])
def test_joints_that_roundings_separate_are_in_one_point(off: float) -> None:
    """The third axis misses the center by a rounding, as coordinates do that were computed."""
    points, axes = (
        [(0, 0, 0), (0, 0, 0), (off, 0, 0), (0, 0, 0)],
        [(0, 0, 1), (0.5, 0.1, 1), (0.8, 0.9, 1), (1, 0.2, 0.1)],
    )
    pairs = [("frame", "a"), ("a", "b"), ("b", "c"), ("c", "frame")]
    joints = [
        gk.Joint(name, "R", pair, point=point, axis=axis)
        for name, pair, point, axis in zip("ABCD", pairs, points, axes, strict=True)
    ]
    tip = gk.Body("b", points={"P": (0.3, 0.4, 0.0)})
    whole = gk.Mechanism(3, ["frame", "a", tip, "c"], joints, [gk.Driver("A", gk.Ramp(0.5))])
    assert resolve(whole).size == pytest.approx(0.5, rel=1e-8)


@pytest.mark.parametrize("off", [1e-12, 1e-6, 1e-3])
def test_a_point_that_both_bodies_share_roughly_is_no_extent(off: float) -> None:
    arm = gk.Body("arm", points={"P": (0.3, 0.4), "Q": (0.0, 0.0)}, lengths={("P", "Q"): 0.5 + off})
    whole = gk.Mechanism(2, ["frame", arm], [gk.Joint("pin", "R", ("frame", "arm"), point="Q")])
    assert resolve(whole).size == pytest.approx(0.5, rel=3.0 * off + 1e-12)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_sizes_follow_the_scale_of_a_mechanism(scale: float) -> None:
    arm = gk.Body("arm", points={"P": (3.0 * scale, 4.0 * scale)})
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    assert resolve(gk.Mechanism(2, ["frame", arm], [pin])).size == pytest.approx(5.0 * scale)
