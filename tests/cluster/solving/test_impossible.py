"""Dimensions and motion laws that are not possible: samples that fail alone, each with its reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import cluster
import groupkin as gk
from cluster import LawValue, Length, Listed, Parameter, Quantity
from groupkin.kinematics.samples.sample_motions import NO_LAW, NO_SHAPE
from sglibrary.status import SOLVED
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 13)


def test_points_on_one_line_become_a_triangle() -> None:
    """Moving them along the line does not meet the lengths."""
    points = {**FOUR_BAR.points, "P": (6.0, 4.0)}  # as far beyond C as C is from B
    mechanism = replace(FOUR_BAR, points=points)
    side = float(np.hypot(3.0, 1.5))
    third = [2.0 * side - 0.1, side, 2.0 * side + 0.1]
    parameters = [
        Parameter(Length("coupler", pair), Listed(values))
        for pair, values in ((("B", "C"), [side] * 3), (("C", "P"), [side] * 3), (("B", "P"), third))
    ]
    keep = [cluster.TimeHistory(Quantity("position", name), name + ".path") for name in "BCP"]
    found = cluster.solve(cluster.sweep(mechanism, parameters, [0.0], keep))
    assert found.status.values.tolist() == [SOLVED, SOLVED, NO_SHAPE]
    b, c, p = (found[f"{name}.path"].values[:2, 0] for name in "BCP")
    for first, second, wanted in ((b, c, side), (c, p, side), (b, p, third[:2])):
        np.testing.assert_allclose(np.linalg.norm(first - second, axis=1), wanted, rtol=1e-12)


def test_dimensions_that_are_not_possible_are_no_silent_nan() -> None:
    """Point P is in no joint: all groups can be solved without it."""
    body = gk.Body("coupler", points=["P", "Q"])
    mechanism = replace(FOUR_BAR, bodies=["ground", "crank", body, "rocker"], points={**FOUR_BAR.points, "Q": (2, 2)})
    parameters = [
        Parameter(Length("coupler", pair), Listed(values))
        for pair, values in ((("B", "P"), [1.0, 1.0]), (("B", "Q"), [1.0, 1.0]), (("P", "Q"), [1.5, 2.5]))
    ]
    keep = [cluster.TimeHistory(Quantity("position", "P")), cluster.Range(Quantity("angle", "rocker"))]
    found = cluster.solve(cluster.sweep(mechanism, parameters, TIMES, keep))
    assert found.status.values.tolist() == [SOLVED, NO_SHAPE]
    assert found.failed_time.values[1] == 0.0
    assert np.isfinite(found["P.position"][0]).all()
    assert np.isnan(found["P.position"][1]).all()
    assert np.isnan(found["range.rocker.angle"][1])


def test_laws_that_are_not_possible_fail_alone() -> None:
    """Times that do not increase, and such as do not cover those of the sweep."""
    law = gk.Spline((0.0, 0.3, 0.6, 1.0), (0.0, 1.0, 2.0, 3.0))
    mechanism = replace(FOUR_BAR, drivers=[gk.Driver("a", law)])
    third = Parameter(LawValue("a", "times", 2), Listed([0.6, 0.2, 0.7]))
    last = Parameter(LawValue("a", "times", 3), Listed([1.0, 1.0, 0.9]))
    for others in ((), (gk.load(EXAMPLES / "assur_class_three.toml"),)):
        own = others[0] if others else mechanism
        if others:
            own = replace(own, drivers=[gk.Driver("O", gk.Spline(law.times, (0.0, 0.1, 0.2, 0.3)))])
            third, last = (replace(one, of=replace(one.of, joint="O")) for one in (third, last))
        found = cluster.solve(cluster.sweep(own, [third, last], TIMES, [cluster.Conditioning()]))
        assert found.status.values.tolist() == [SOLVED, NO_LAW, NO_LAW]
        assert found.failed_time.values[1:].tolist() == [0.0, 0.0]
        assert "motion_law_is_not_possible" in found.status.attrs["flag_meanings"]


def test_limits_that_are_not_kept_fail_alone() -> None:
    mechanism = replace(FOUR_BAR, drivers=[gk.Driver("a", gk.Rise("cycloid", 0.2, 1.0, speed=0.5))])
    rise = Parameter(LawValue("a", "rise"), Listed([0.2, 0.3, -0.25]))
    found = cluster.solve(cluster.sweep(mechanism, [rise], TIMES, [cluster.Conditioning()]))
    assert found.status.values.tolist() == [SOLVED, NO_LAW, SOLVED]


def test_laws_over_joints_that_go_too_far_fail_alone() -> None:
    wheel = gk.Joint("wheel", "R", ("ground", "disc"), point=(9.0, 9.0))
    table = gk.Spline((0.0, 1.0, 2.0, 3.0), (0.0, 0.1, 0.2, 0.4))
    drivers = [gk.Driver("wheel", gk.Ramp(2.0)), gk.Driver("a", gk.Over("wheel", table))]
    bodies = [*FOUR_BAR.bodies, "disc"]
    mechanism = replace(FOUR_BAR, bodies=bodies, joints=[*FOUR_BAR.joints, wheel], drivers=drivers)
    rate = Parameter(LawValue("wheel", "rate"), Listed([2.0, 4.0, 3.0, -1.0]))
    keep = [cluster.TimeHistory(Quantity("joint", "a"))]
    found = cluster.solve(cluster.sweep(mechanism, [rate], TIMES, keep))
    assert found.status.values.tolist() == [SOLVED, NO_LAW, SOLVED, NO_LAW]
    np.testing.assert_allclose(found["a.joint"][2], table.at(3.0 * TIMES)[0], atol=1e-12)


def test_lengths_that_contradict_each_other_fail_alone() -> None:
    parameters = [
        Parameter(Length("coupler", pair), Listed(values))
        for pair, values in ((("B", "C"), [3.35, 3.0]), (("C", "P"), [1.6, 1.0]), (("B", "P"), [2.5, 1.0]))
    ]
    found = cluster.solve(cluster.sweep(FOUR_BAR, parameters, TIMES, [cluster.PathLength("P")]))
    assert found.status.values.tolist() == [SOLVED, NO_SHAPE]
    assert found.failed_group.values.tolist() == [0, 2]
    assert found.failed_time.values[1] == TIMES[0]


def test_a_driver_that_cannot_be_followed_fails_its_sample_alone() -> None:
    mechanism = gk.load(EXAMPLES / "stephenson_six_bar.toml")
    rate = Parameter(LawValue("O", "rate"), Listed([1.0, 1e12, -1.0]))
    found = cluster.solve(cluster.sweep(mechanism, [rate], [0.0, 0.5], [cluster.Conditioning()]))
    assert found.status.values.tolist() == [SOLVED, NO_LAW, SOLVED]
    assert found.failed_time.values[1] == 0.0
