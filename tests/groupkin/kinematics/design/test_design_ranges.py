"""Ranges of designs: ends that follow named values, and which designs leave them, against closed formulas."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import MechanismError, ParameterError, RangeWarning
from groupkin.kinematics.motion.quantities import Quantity
from tests.support.ranged import CRANK, ROD, TIMES, leaving, slide, slider_crank

BORE = Quantity("joint", "bore")


def quietly(design: gk.Design, values: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RangeWarning)
        return design.solve(values, TIMES, **options)


def test_ends_follow_the_values_of_a_design() -> None:
    design = gk.design(slider_crank(), ["number most", "number r"])
    assert not quietly(design, [0.19, 0.06]).outside  # just to its end
    with pytest.warns(RangeWarning, match=r"upper end of the range of bore, 0\.16 m, at t = 0\.623611 s") as seen:
        motion = design.solve([0.16, 0.05], TIMES)
    assert seen[0].filename == __file__
    (left,) = motion.outside
    assert (left.stop.end, left.stop.range.high) == ("upper", 0.16)
    assert left.time == leaving(0.16, 0.05)
    assert left.worst == pytest.approx(0.18, abs=1e-12)


@pytest.mark.parametrize("direct", [True, False])
def test_a_design_by_its_program_has_the_same_ends(direct: bool) -> None:
    """A motion of many steps is not solved in the memory that designs share."""
    design = gk.design(slider_crank(), ["number most"])
    times = TIMES if direct else np.linspace(0.0, 1.0, 5001)
    with pytest.warns(RangeWarning):
        motion = design.solve([0.15], times)
    assert motion.outside[0].stop.range.high == 0.15
    assert gk.design(slider_crank(), ["number r"]).solve([0.03], times).outside == ()


def test_a_changed_mechanism_has_the_new_ends() -> None:
    design = gk.design(slider_crank(), ["number most", "number r"])
    changed = design.mechanism([0.165, 0.04])
    assert changed.joint["bore"].range == (-np.inf, 0.165)
    with pytest.warns(RangeWarning, match=r"0\.165 m"):
        motion = gk.solve(changed, TIMES)
    assert motion.outside[0].worst == pytest.approx(ROD + 0.04, abs=1e-12)
    with pytest.raises(MechanismError, match="the lower one first"):
        gk.design(slider_crank((0.05, "most")), ["number most"]).mechanism([0.02])


def test_ranges_of_quantities_follow_values_too() -> None:
    mechanism = replace(slider_crank((-1, 1)), ranges={"distance A-C": (0.0, slider_crank().values["most"])})
    design = gk.design(mechanism, ["number most"])
    with pytest.warns(RangeWarning, match=r"distance A-C, 0\.1 m"):
        motion = design.solve([0.1], TIMES)
    assert motion.outside[0].worst == pytest.approx(CRANK + ROD, abs=1e-12)
    assert design.mechanism([0.1]).ranges == {"distance A-C": (0.0, 0.1)}


def test_an_equal_mechanism_without_values_keeps_its_own_ends() -> None:
    named = slider_crank()
    plain = replace(named, joints=[replace(x, range=x.range and (-np.inf, 0.17)) for x in named.joints])
    assert plain == named
    assert gk.design(plain, ["number r"]).mechanism([0.04]).joint["bore"].range == (-np.inf, 0.17)
    with pytest.warns(RangeWarning, match=r"0\.16 m"):
        gk.design(named, ["number most"]).solve([0.16], TIMES)


def test_ends_that_a_force_stops_at_are_not_varied() -> None:
    mechanism = slider_crank((0.0, "most"))
    stopped = replace(mechanism, forces=[gk.Stop("stop", "bore", stiffness=1e3)])
    with pytest.raises(ParameterError, match="value 'most' is also in joints 'bore': range 1, which no design varies"):
        gk.design(stopped, ["number most"])
    assert gk.design(stopped, ["number r"]).solve([0.03], TIMES).outside == ()


def test_many_designs_say_which_leave_ranges_when_and_how_far() -> None:
    design = gk.design(slider_crank((0.085, "most")), ["number r", "number most"])
    values = np.array([[r, most] for r in (0.02, 0.03, 0.04, 0.05) for most in (0.155, 0.165, 0.2)])
    found = design.solve(values, TIMES, keep=["position C"])
    assert list(found.kept) == [Quantity("position", "C")]
    assert found.solved.all()
    for (r, most), number, time, excess in zip(
        values, found.outside, found.outside_time, found.excess[BORE], strict=True
    ):
        x = slide(TIMES, r)
        past = (x > most + 1e-12) | (x < 0.085 - 1e-12)
        assert number == past.any()
        assert time == (TIMES[past.argmax()] if past.any() else pytest.approx(np.nan, nan_ok=True))
        far = max(r + ROD - most, 0.085 - (ROD - r), 0.0)
        assert abs(excess) == pytest.approx(far, abs=1e-12)
        assert excess > 0.0 or far != r + ROD - most or not past.any()
    assert repr(found) == f"<12 designs of engine, 12 solved, {np.count_nonzero(found.outside)} outside of ranges>"


def test_one_design_and_many_tell_the_same() -> None:
    design = gk.design(slider_crank((0.09, "most")), ["number r", "number most", "number l"])
    values = np.random.default_rng(1).uniform([0.02, 0.15, 0.12], [0.05, 0.18, 0.14], (20, 3))
    found = design.solve(values, TIMES, keep=["conditioning"])
    for k, row in enumerate(values):
        with warnings.catch_warnings(action="ignore", category=RangeWarning):
            left = design.solve(row, TIMES).outside
        assert bool(left) == bool(found.outside[k])
        if left:
            assert left[0].time == found.outside_time[k]
            worst = max((each.worst - each.stop.value for each in left), key=abs)
            assert found.excess[BORE][k] == pytest.approx(worst, abs=1e-12)


def test_designs_that_cannot_be_assembled_say_how_they_leave_ranges_before() -> None:
    """A crank longer than its rod: the slide goes out from where the rod is upright, where it cannot go on."""
    design = gk.design(slider_crank((0.05, "inf")), ["number r", "number l"])
    found = design.solve([[0.05, 0.06], [0.05, 0.13]], np.linspace(0.0, 0.25, 91), keep=["position C"])
    times = np.linspace(0.0, 0.25, 91)
    assert found.outside.tolist() == [1, 0]
    assert found.outside_time[0] == times[(slide(times, 0.05, 0.06) < 0.05).argmax()]
    assert found.solved.all()
    broken = gk.design(slider_crank((0.05, "inf"), r=0.05), ["B@crank.y"])
    found = broken.solve([[0.2], [0.05]], TIMES, keep=["position C"])
    assert not found.solved[0]
    assert np.isnan(found.excess[BORE][0])
    assert found.solved[1]
    assert found.excess[BORE][1] == 0.0


@pytest.mark.parametrize(("begin", "end"), [(0.0, 8.5), (-8.5, 0.1)])
def test_gears_keep_whole_turns_in_ranges(begin: float, end: float) -> None:
    """A wheel of half the size turns twice while the other turns once; its range is of several turns."""
    small = gk.Joint("b", "R", ("frame", "small"), point=(0.3, 0), range=(2 * np.pi * begin, 2 * np.pi * end))
    mechanism = gk.Mechanism(
        2,
        ["frame", "large", "small"],
        [
            gk.Joint("a", "R", ("frame", "large"), point=(0, 0)),
            small,
            gk.Joint("teeth", "EO", ("large", "small"), points=((0, 0), (0.3, 0)), radii=(0.2, 0.1)),
        ],
        [gk.Driver("a", gk.Ramp(rate=-2 * np.pi if begin == 0.0 else 2 * np.pi))],
    )
    times, turned = np.linspace(0.0, 5.0, 5001), 8.5
    with pytest.warns(RangeWarning, match="end of the range of b"):
        motion = gk.solve(mechanism, times)
    (left,) = motion.outside
    assert left.time == times[np.searchsorted(times, turned / 2, side="right")]
    assert abs(left.worst) == pytest.approx(20 * np.pi, abs=1e-9)
    found = gk.design(mechanism, ["rate a"]).solve([[np.pi], [-np.pi], [2 * np.pi]], times, keep=["conditioning"])
    far = 2 * np.pi * np.array([5.0, 5.0, 10.0])
    turns = np.array([-1.0, 1.0, -1.0]) * far  # gears turn against each other
    low, high = small.range  # type: ignore[misc]
    expected = np.where(turns > high, turns - high, np.where(turns < low, turns - low, 0.0))
    np.testing.assert_allclose(found.excess[Quantity("joint", "b")], expected, atol=1e-9)


def test_ranges_of_several_freedoms_in_space() -> None:
    """A cylindrical pair that is driven along and about its axis; the stroke follows a value."""
    stroke = gk.Value("stroke", 0.2)
    joint = gk.Joint(
        "guide",
        "C",
        ("frame", "bar"),
        point=(0, 0, 0),
        axis=(0, 0, 1),
        range={"displacement": (0.0, stroke), "angle": (-0.5, 0.5)},
    )
    drivers = [
        gk.Driver("guide", gk.Ramp(rate=0.3), freedom="displacement"),
        gk.Driver("guide", gk.Ramp(rate=1.0), freedom="angle"),
    ]
    mechanism = gk.Mechanism(3, ["frame", gk.Body("bar", points={"P": (0.1, 0, 0)})], [joint], drivers)
    design = gk.design(mechanism, ["number stroke"])
    times = np.linspace(0.0, 1.0, 101)
    found = design.solve([[0.1], [0.2], [0.4]], times, keep=["position P"])
    assert found.outside.tolist() == [1, 2, 2]
    assert found.outside_time.tolist() == [times[34], times[51], times[51]]
    slides, turns = (found.excess[Quantity("joint", "guide", name)] for name in ("displacement", "angle"))
    np.testing.assert_allclose(slides, [0.2, 0.1, 0.0], atol=1e-12)
    np.testing.assert_allclose(turns, 0.5, atol=1e-12)


def test_ranges_survive_where_joints_do() -> None:
    mechanism = replace(slider_crank(), ranges={"angle rod": (-1.0, 1.0)})
    driven = gk.redrive(mechanism, {"joint bore": gk.Ramp(start=0.12, rate=0.1)})
    assert driven.joint["bore"].range == mechanism.joint["bore"].range
    assert driven.ranges == mechanism.ranges
    with pytest.warns(RangeWarning, match="upper end of the range of bore"):
        motion = gk.solve(driven, np.linspace(0.0, 0.55, 56))
    assert motion.outside[0].worst == pytest.approx(0.175, abs=1e-12)
    for structure in gk.transform(mechanism).structures:
        assert structure.of(mechanism).joint["bore"].range == mechanism.joint["bore"].range


def test_pages_pictures_and_reports_of_a_design_have_its_ends(tmp_path: Path) -> None:
    with pytest.warns(RangeWarning):
        motion = gk.design(slider_crank(), ["number most"]).solve([0.16], np.linspace(0.0, 1.0, 73))
    gk.animate(motion, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text().replace(" ", "")
    assert '"ends":[null,0.16]' in page
    assert '"left":[]' not in page
    gk.plot(motion, ["joint bore"], out=tmp_path / "plot.svg")
    gk.draw(motion, out=tmp_path / "drawn.svg")
    gk.report(motion, tmp_path / "report.html")
    assert "0.16" in (tmp_path / "report.html").read_text()
