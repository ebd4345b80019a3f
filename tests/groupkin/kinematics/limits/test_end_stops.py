"""Limits where ranges end, against closed formulas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import NotModeledError, OutsideRangesError
from groupkin.kinematics.limits.limit_listing import as_data
from groupkin.kinematics.motion.ranges import inside
from tests.support.mechanisms import four_bar
from tests.support.paths import EXAMPLES

CRANK, ROD = 0.05, 0.13
EXACT = 1e-9
"""Rad, by which a stop may be off: the crank turns fast where the piston is slow."""

Ends = tuple[float, float]


def with_range(mechanism: gk.Mechanism, **ends: Any) -> gk.Mechanism:
    return replace(mechanism, joints=[replace(each, range=ends.get(each.name)) for each in mechanism.joints])


def engine(ends: Ends | None = None, **ranges: Ends) -> gk.Mechanism:
    mechanism = with_range(gk.load(EXAMPLES / "slider_crank.toml"), cylinder=ends)
    return replace(mechanism, ranges=ranges)


def crank_at(reach: float) -> float:
    """The angle of the crank, from top dead center, at which the piston is at a distance from its bearing."""
    return float(np.arccos((reach**2 + CRANK**2 - ROD**2) / (2 * CRANK * reach)))


def spans(found: gk.Limits) -> list[Ends]:
    return [(circuit.low, circuit.high) for circuit in found.circuits]


def test_a_crank_turns_between_the_ends_of_a_stroke():
    found = gk.limits(engine((0.09, 0.17)))
    first, last = crank_at(0.17), crank_at(0.09)
    np.testing.assert_allclose(spans(found), [(first, last), (-last, -first)], atol=EXACT)
    assert not found.turns_fully
    told = [(limit.kind, limit.stop.range.name, limit.stop.end, limit.stop.value) for limit in found.limits]
    assert told[:2] == [("end stop", "cylinder", "upper", 0.17), ("end stop", "cylinder", "lower", 0.09)]
    assert "the lower end of the range of cylinder, 90 mm" in repr(found)
    for branch in found.branches:
        assert branch.ends == ("end stop", "end stop")
        assert inside(branch.motion).all()
        assert gk.max_residual(branch.motion) < 1e-12
        np.testing.assert_allclose(sorted(branch.motion.read("cylinder")[[0, -1]]), [0.09, 0.17], rtol=1e-12)


def test_a_closed_branch_is_cut_where_it_is_cut_and_goes_on_where_it_began():
    found = gk.limits(engine((0.09, np.inf)))
    last = crank_at(0.09)
    np.testing.assert_allclose(spans(found), [(-last, last)], atol=EXACT)
    assert len(found.branches) == 1
    turned = found.branches[0].values
    assert (np.diff(turned) > 0.0).all()
    along = CRANK * np.cos(turned) + np.sqrt(ROD**2 - (CRANK * np.sin(turned)) ** 2)
    np.testing.assert_allclose(found.branches[0].motion.read("cylinder"), along, atol=1e-12)


def test_a_range_as_wide_as_the_stroke_ends_nothing():
    found = gk.limits(engine((0.08, 0.18)))
    assert found.turns_fully
    assert found.limits == ()


@pytest.mark.parametrize("short", [1e-5, 1e-7])
@pytest.mark.parametrize("top", [True, False])
def test_a_stop_just_before_a_dead_center_is_found_between_the_points(short: float, top: bool):
    reach = 0.18 - short if top else 0.08 + short
    found = gk.limits(engine((0.0, reach) if top else (reach, 1.0)))
    away = crank_at(reach)
    wanted = (away, 2 * np.pi - away) if top else (-away, away)
    np.testing.assert_allclose(spans(found), [wanted], atol=1e-15 / short + EXACT)
    outside = gk.limits(engine((reach, 1.0) if top else (0.0, reach)))
    wanted = (-away, away) if top else (away, 2 * np.pi - away)
    assert len(outside.circuits) == 1
    np.testing.assert_allclose(np.subtract(*spans(outside)[0]), np.subtract(*wanted), atol=1e-15 / short + EXACT)


@pytest.mark.parametrize(
    ("text", "ends"),
    [("distance A-C", (0.09, 0.17)), ("output stroke", (0.01, 0.09)), ("position C.x", (0.09, 0.17))],
)
def test_other_quantities_end_branches_as_joints_do(text: str, ends: Ends):
    mechanism = replace(engine(), outputs={"stroke": "{joint cylinder} - 80 mm"}, ranges={text: ends})
    first, last = crank_at(0.17), crank_at(0.09)
    found = gk.limits(mechanism)
    np.testing.assert_allclose(spans(found)[0], (first, last), atol=EXACT)
    assert as_data(found)["limits"][0]["stop"]["quantity"] == text


def test_the_driver_has_a_range_of_its_own():
    mechanism = gk.load(EXAMPLES / "slider_crank.toml")
    found = gk.limits(with_range(mechanism, **{"main bearing": (0.5, 2.0)}))
    np.testing.assert_allclose(spans(found), [(0.5, 2.0)] * 2, rtol=1e-13)


def test_the_first_of_several_ranges_ends_a_branch():
    mechanism = replace(engine((0.09, 0.17)), ranges={"angle crank": (0.0, 1.0)})
    turned = mechanism.joint["main bearing"].reference  # from which angles of bodies are counted
    found = gk.limits(mechanism)
    assert {limit.stop.range.name for limit in found.limits} == {"cylinder", "angle crank"}
    assert found.limits[0].value == pytest.approx(turned, abs=EXACT)


ROCKER = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (4.0, 0.0)}


def rocker_angles(crank: np.ndarray) -> np.ndarray:
    """Turn of the frame against the rocker since the reference configuration, by the turn of the crank."""
    a, b, c, d = 1.0, np.hypot(3.0, 1.5), np.hypot(1.0, 2.5), 4.0
    theta = crank + np.pi / 2
    ground = np.hypot(d - a * np.cos(theta), a * np.sin(theta))
    below = np.arctan2(a * np.sin(theta), d - a * np.cos(theta))
    inner = np.arccos((c**2 + ground**2 - b**2) / (2 * c * ground))
    return np.asarray(below + inner - np.arctan2(2.5, 1.0))


def test_a_rocker_ends_the_turn_of_a_crank():
    from scipy.optimize import brentq

    mechanism = with_range(four_bar(ROCKER, [gk.Driver("A", gk.Constant(0.0))]), D=(-0.2, 0.1))
    found = gk.limits(mechanism)
    turned = found.branches[0]
    np.testing.assert_allclose(turned.motion.read("joint D"), rocker_angles(turned.values), atol=1e-12)
    ends = [turned.motion.read("joint D")[k] for k in (0, -1)]
    assert sorted(np.round(ends, 12)) in ([-0.2, 0.1], [0.1, 0.1], [-0.2, -0.2])
    for value, end in zip((turned.start, turned.stop), ends, strict=True):
        near = brentq(
            lambda x, end=end: float(rocker_angles(np.array(x))) - end, value - 0.05, value + 0.05, xtol=1e-14
        )
        assert value == pytest.approx(near, abs=EXACT)


def test_a_configuration_outside_its_ranges_is_in_no_circuit_and_said_so():
    found = gk.limits(engine((0.15, 0.17)))  # 120 mm at time 0
    assert found.outside[0].worst == pytest.approx(0.12)
    assert "is in no circuit: it is beyond the lower end of the range of cylinder, 150 mm" in repr(found)
    first, last = crank_at(0.17), crank_at(0.15)
    assert any(np.allclose(span, (first, last), atol=EXACT) for span in spans(found))


def test_no_configuration_within_its_ranges_is_refused_with_what_there_is():
    with pytest.raises(OutsideRangesError, match=r"cylinder, whose range is 200 … 300 mm, has -180 … 180 mm"):
        gk.limits(engine((0.2, 0.3)))


def test_turning_points_stay_limits_where_no_range_ends_before_them():
    points = {"A": (0.0, 0.0), "B": (0.06, 0.08), "C": (0.15, 0.11), "D": (0.2, 0.0)}
    free = gk.limits(four_bar(points, [gk.Driver("A", gk.Constant(0.0))]))
    rocker = [branch.motion.read("joint D") for branch in free.branches]
    high = max(values.max() for values in rocker)
    found = gk.limits(with_range(four_bar(points, [gk.Driver("A", gk.Constant(0.0))]), D=(0.5 * high, 2 * np.pi)))
    kinds = {limit.kind for limit in found.limits}
    assert kinds == {"turning point", "end stop"}
    turning = {round(limit.value, 9) for limit in found.limits if limit.kind == "turning point"}
    assert turning <= {round(limit.value, 9) for limit in free.limits}
    for branch in found.branches:
        assert inside(branch.motion).all()


def test_a_parallelogram_turns_fully_where_ranges_leave_it_no_other_way():
    points = {"A": (0.0, 0.0), "B": (0.6, 0.8), "C": (3.6, 0.8), "D": (3.0, 0.0)}
    crank = four_bar(points, [gk.Driver("A", gk.Ramp(rate=2 * np.pi))])
    assert gk.limits(crank).circuits[0].turns == 1
    kept = gk.limits(replace(crank, ranges={"angle coupler": (-1e-3, 1e-3)}))
    assert kept.circuits[0].turns == 1
    whole = [branch for branch in kept.branches if "end stop" not in branch.ends and branch.circuit == 1]
    assert sum(abs(branch.stop - branch.start) for branch in whole) == pytest.approx(2 * np.pi)


def test_one_piston_of_four_stops_the_engine():
    engine_of_four = gk.load(EXAMPLES / "inline_four.toml")
    name = next(joint.name for joint in engine_of_four.joints if joint.type == "P")
    free = gk.limits(engine_of_four)
    stroke = free.branches[0].motion.read(f"joint '{name}'")
    low, high = 0.9 * stroke.min() + 0.1 * stroke.max(), stroke.max() + 1.0
    found = gk.limits(with_range(engine_of_four, **{name: (low, high)}))
    assert not found.turns_fully
    assert {limit.stop.range.name for limit in found.limits} == {name if " " not in name else f"'{name}'"}
    for branch in found.branches:
        ends = branch.motion.read(f"joint '{name}'")[[0, -1]]
        np.testing.assert_allclose(ends, low, rtol=1e-10)
        assert gk.max_residual(branch.motion) < 1e-10


def boom(angle: float, ends: Ends) -> gk.Mechanism:
    """A boom about the origin, 3 m to the eye of a cylinder, whose other end is 1 m before and 1 m below its pin."""
    points = {"O": (0.0, 0.0), "E": (3 * np.cos(angle), 3 * np.sin(angle)), "F": (1.0, -1.0)}
    along = np.subtract(points["E"], points["F"])
    joints = [
        gk.Joint("pin", "R", ("frame", "boom"), point="O", reference=angle),
        gk.Joint("foot", "R", ("frame", "barrel"), point="F"),
        gk.Joint("cylinder", "P", ("barrel", "rod"), points=("F", "E"), axis=tuple(along), range=ends),
        gk.Joint("eye", "R", ("rod", "boom"), point="E"),
    ]
    bodies = ["frame", "boom", "barrel", "rod"]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("pin", gk.Constant(angle))], points=points, name="Boom")


@pytest.mark.parametrize("ends", [(2.2, 3.4), (2.9, 3.0), (2.2, np.inf)])
def test_a_cylinder_whose_stroke_ends_is_named_with_its_value(ends: Ends):
    found = gk.limits(boom(0.3, ends))
    foot = -np.pi / 4
    wanted = [foot + np.arccos((9.0 + 2.0 - x**2) / (2 * 3.0 * np.sqrt(2.0))) for x in ends if np.isfinite(x)]
    own = [limit for limit in found.limits if limit.circuit == 1]
    for end, value in zip(ends, wanted, strict=False):
        assert any(limit.stop.value == end and abs(limit.value - value) < EXACT for limit in own)
        assert f"the {'lower' if end == ends[0] else 'upper'} end of the range of cylinder, {end:g} m" in repr(found)


def test_a_range_of_turns_is_refused_where_its_angle_turns_fully():
    mechanism = gk.load(EXAMPLES / "slider_crank.toml")
    for ends in ((0.0, np.inf), (-10.0, 10.0)):
        with pytest.raises(NotModeledError, match="main bearing' turns fully, so that its range"):
            gk.limits(with_range(mechanism, **{"main bearing": ends}))
    swinging = gk.limits(with_range(mechanism, **{"piston pin": (-10.0, 10.0)}))
    assert swinging.turns_fully
