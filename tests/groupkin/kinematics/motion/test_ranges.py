"""Ranges of joints and other quantities: where motions leave them, against closed formulas."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GroupkinError, MechanismError, RangeWarning
from groupkin.kinematics.motion.ranges import inside, ranges_of
from groupkin.mechanism.files.reading import parse
from tests.support.command_line import run
from tests.support.examples import EXAMPLES

CRANK, ROD = 0.05, 0.13
TIMES = np.linspace(0.0, 0.1, 361)
"""One turn of the slider-crank, a step for each degree; the crank is at top dead center a quarter before."""


def engine(ends: Any = None, **ranges: tuple[float, float]) -> gk.Mechanism:
    mechanism = gk.load(EXAMPLES / "slider_crank.toml")
    joints = [replace(joint, range=ends if joint.name == "cylinder" else None) for joint in mechanism.joints]
    outputs = {"stroke": "{joint cylinder} - 80 mm"}
    return replace(
        mechanism, joints=joints, outputs=outputs, ranges={k.replace("_", " "): x for k, x in ranges.items()}
    )


def stroke(times: np.ndarray) -> np.ndarray:
    angle = np.pi / 2 + 20 * np.pi * times
    return np.asarray(CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2))


def solved(mechanism: gk.Mechanism, **options: Any) -> tuple[gk.Motion, list[str]]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        motion = gk.solve(mechanism, TIMES, **options)
    return motion, [str(each.message) for each in seen if each.category is RangeWarning]


def test_a_motion_that_leaves_a_range_says_when_first_and_how_far() -> None:
    motion, told = solved(engine((0.09, 0.175)))
    x = stroke(TIMES)
    lower, upper = motion.outside
    assert (lower.stop.end, upper.stop.end) == ("lower", "upper")
    assert lower.time == TIMES[(x < 0.09).argmax()]
    assert upper.time == TIMES[(x > 0.175).argmax()]
    assert lower.worst == pytest.approx(0.08, abs=1e-12)
    assert upper.worst == pytest.approx(0.18, abs=1e-12)
    assert (lower.worst_time, upper.worst_time) == (TIMES[90], TIMES[270])
    assert told[0].startswith(
        "Slider-crank passes the lower end of the range of cylinder, 90 mm, at t = 0.0125 s, and is farthest beyond it "
        "at t = 0.025 s, at 80 mm"
    )
    assert len(told) == 2
    assert (inside(motion) == ((x >= 0.09) & (x <= 0.175))).all()


def test_a_motion_that_goes_just_to_the_ends_is_inside() -> None:
    motion, told = solved(engine((0.08, 0.18)))
    assert not told
    assert not motion.outside


@pytest.mark.parametrize("ends", [(0.09, np.inf), (-np.inf, 0.175)])
def test_a_range_may_have_one_end(ends: tuple[float, float]) -> None:
    motion, told = solved(engine(ends))
    assert len(told) == 1
    assert motion.outside[0].stop.end == ("lower" if np.isfinite(ends[0]) else "upper")


@pytest.mark.parametrize(
    ("text", "ends", "worst"),
    [
        ("distance A-C", (0.0, 0.175), 0.18),
        ("output stroke", (-1.0, 0.09), 0.1),
        ("stroke", (-1.0, 0.09), 0.1),
        ("position C.x", (0.085, 1.0), 0.08),
        ("joint 'crank pin'", (-0.1, 4.0), None),
    ],
)
def test_ranges_of_other_quantities(text: str, ends: tuple[float, float], worst: float | None) -> None:
    motion, told = solved(replace(engine(), ranges={text: ends}))
    assert told
    if worst is not None:
        assert motion.outside[0].worst == pytest.approx(worst, abs=1e-12)


def test_an_angle_begins_next_to_the_middle_of_its_range() -> None:
    arm = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0), range=(-0.5, 0.5), reference=2 * np.pi)
    turning = gk.Mechanism(2, ["frame", "arm"], [arm], [gk.Driver("pin", gk.Ramp(start=2 * np.pi, rate=4.0))])
    motion, _ = solved(turning)
    assert not motion.outside  # from 0 to 0.4 rad
    beyond = replace(turning, drivers=[gk.Driver("pin", gk.Ramp(start=2 * np.pi, rate=8.0))])
    motion, _ = solved(beyond)
    assert motion.outside[0].worst == pytest.approx(0.8, abs=1e-12)


def test_a_range_of_many_turns_begins_with_the_angle_itself() -> None:
    arm = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0), range=(0.0, 20.0))
    turning = gk.Mechanism(2, ["frame", "arm"], [arm], [gk.Driver("pin", gk.Ramp(start=1.0, rate=190.0))])
    motion, _ = solved(turning)
    assert not motion.outside  # from 1 to 20 rad
    beyond = replace(turning, drivers=[gk.Driver("pin", gk.Ramp(start=1.0, rate=200.0))])
    motion, _ = solved(beyond)
    assert motion.outside[0].worst == pytest.approx(21.0, abs=1e-12)


def test_positions_by_themselves_have_the_turns_next_to_the_range() -> None:
    arm = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0), range=(3.0, 4.0))
    program = gk.program(gk.Mechanism(2, ["frame", "arm"], [arm], [gk.Driver("pin", gk.Ramp(rate=1.0))]))
    motion = program.evaluate([np.array([2.9, 3.5, -2.5, 4.1])])
    assert inside(motion).tolist() == [False, True, True, False]


def test_steps_without_a_position_are_not_inside_and_not_told() -> None:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    (driver,) = mechanism.drivers
    joints = [replace(joint, range=(-10.0, 10.0) if joint.name == "D" else None) for joint in mechanism.joints]
    joints = [replace(joint, point=(0.0, -5.0)) if joint.name == "A" else joint for joint in joints]
    motion = gk.solve(gk.program(mechanism), TIMES, on_failure="nan")
    assert inside(motion).all()
    assert driver.joint == "A"


def test_a_motion_in_memory_of_another_warns_again() -> None:
    program = gk.program(engine((0.09, 0.175)))
    motion, told = solved(program)  # type: ignore[arg-type]
    again, told_again = solved(program, out=motion)  # type: ignore[arg-type]
    assert told == told_again
    assert len(again.outside) == 2


def test_a_program_that_keeps_less_tells_of_what_it_computes() -> None:
    mechanism = replace(engine((0.09, 0.175)), ranges={"angle crank": (0.0, 1.0)})
    program = gk.program(mechanism, keep=["angle crank"])
    with pytest.warns(RangeWarning, match="angle crank"):
        motion = gk.solve(program, TIMES)
    assert {each.stop.range.name for each in motion.outside} == {"angle crank"}


# --- files -----------------------------------------------------------------------------------

FILE: dict[str, Any] = {
    "dimension": 2,
    "units": {"length": "mm", "angle": "deg"},
    "values": {"most": 45},
    "points": {"P": [10, 0]},
    "bodies": ["frame", "arm", {"name": "slide", "points": ["P"]}],
    "joints": [
        {"name": "pin", "type": "R", "bodies": ["frame", "arm"], "point": [0, 0], "range": [-30, "most"]},
        {"name": "rail", "type": "P", "bodies": ["arm", "slide"], "axis": [1, 0], "range": {"displacement": [0, 5]}},
    ],
    "outputs": {"reach": "2 * {position P.x}"},
    "ranges": {"reach": ["-inf", 30], "position P.y": [-10, 10]},
}


def test_a_file_states_ranges_in_its_units() -> None:
    mechanism = parse(FILE)
    assert mechanism.joint["pin"].range == (np.radians(-30), np.radians(45))
    assert mechanism.joint["rail"].range == {"displacement": (0.0, 0.005)}
    assert mechanism.ranges == {"reach": (-np.inf, 0.03), "position P.y": (-0.01, 0.01)}
    assert [each.name for each in ranges_of(mechanism)] == ["pin", "rail", "output reach", "position P.y"]


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_a_file_that_is_written_has_the_same_ranges(suffix: str, tmp_path: Any) -> None:
    mechanism = parse(FILE)
    path = tmp_path / f"ranges.{suffix}"
    gk.save(mechanism, path)
    assert gk.load(path) == replace(mechanism, name="ranges" if mechanism.name == "ranges" else mechanism.name)
    assert '"most"' in path.read_text()  # the value, by its name


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("range", [45, -30], "joints[0].range: range of joint 'pin' must be two numbers, the lower one first"),
        ("range", [1], "must be two numbers, the lower one first"),
        ("range", ["a", 2], "is no value"),
        ("range", {"displacement": [0, 1]}, "range of joint 'pin'"),
        ("range", ["-inf", "inf"], "of which one may be infinite"),
        ("ranges", {"nothing": [0, 1]}, "range of 'nothing': there is no body, point, joint or output 'nothing'"),
        ("ranges", {"position P": [0, 1]}, "is no single number"),
        ("ranges", {"velocity P.x": [0, 1]}, "does not follow from positions alone"),
        ("ranges", {"joint pin": [0, 1]}, "`joint pin` has two ranges"),
        ("ranges", {"reach": [2, 1]}, "the lower one first"),
    ],
)
def test_what_is_no_range_is_refused_by_name(key: str, value: Any, said: str) -> None:
    joints = [{**joint, key: value} if key == "range" and k == 0 else joint for k, joint in enumerate(FILE["joints"])]
    with pytest.raises(GroupkinError) as error:
        parse({**FILE, "joints": joints} if key == "range" else {**FILE, key: value})
    assert said in str(error.value)


def test_a_joint_of_several_freedoms_names_them() -> None:
    joint = gk.Joint("slot", "CR", ("frame", "arm"), point=(0, 0), axis=(1, 0), range=(0, 1))
    with pytest.raises(MechanismError, match="name its freedoms: "):
        gk.Mechanism(2, ["frame", "arm"], [joint])


def test_a_joint_of_several_bodies_takes_the_range_of_a_pair() -> None:
    joint = gk.Joint("pin", "R", ("frame", "a", "b"), point=(0, 0), range=(0, 1))
    with pytest.raises(MechanismError, match=r"state it among the `ranges`.*joint 'pin\(frame, a\)'"):
        gk.Mechanism(2, ["frame", "a", "b"], [joint])
    whole = gk.Mechanism(2, ["frame", "a", "b"], [replace(joint, range=None)], ranges={"joint 'pin(frame, a)'": (0, 1)})
    assert ranges_of(whole)[0].high == 1.0


# --- parts -----------------------------------------------------------------------------------


def test_a_mirrored_part_has_its_ranges_the_other_way_round() -> None:
    arm = gk.Mechanism(
        2,
        ["frame", "arm", "slide"],
        [
            gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0), range=(-0.1, 0.7)),
            gk.Joint("rail", "P", ("arm", "slide"), axis=(1, 0), point=(0, 0), range={"displacement": (0.0, 0.2)}),
        ],
        [gk.Driver("pin", gk.Ramp(rate=8.0)), gk.Driver("rail", gk.Ramp(rate=1.0))],
    )
    whole = gk.Mechanism(2, ["frame"], [], parts=[gk.Part(arm, "left", mirror="y"), gk.Part(arm, "right")])
    assert whole.joint["left/pin"].range == (-0.7, 0.1)
    assert whole.joint["left/rail"].range == {"displacement": (0.0, 0.2)}
    motion, _ = solved(whole)
    found = {each.stop.range.name: (each.stop.end, each.time, each.worst) for each in motion.outside}
    assert set(found) == {"left/pin", "right/pin"}
    assert found["left/pin"][0] == "lower"
    assert found["left/pin"][1:] == (found["right/pin"][1], -found["right/pin"][2])
    with pytest.raises(MechanismError, match="has ranges, which a part cannot bring along"):
        gk.Mechanism(2, ["frame"], [], parts=[gk.Part(replace(arm, ranges={"position slide.x": (0, 1)}), "left")])


# --- distances -------------------------------------------------------------------------------


def test_a_distance_is_that_of_two_points_with_its_derivatives() -> None:
    four_bar = gk.load(EXAMPLES / "four_bar.toml")
    motion = gk.solve(four_bar, np.linspace(0.0, 1.0, 21))
    across = motion.position("P") - motion.position("D")
    np.testing.assert_allclose(motion.read("distance P-D"), np.linalg.norm(across, axis=1), rtol=1e-14)
    design = gk.design(four_bar, ["C@coupler.x"])
    exact = design.solve(design.nominal, motion.times, derivatives=True).read("distance P-D")[0]
    step = 1e-6
    ways = [design.solve(design.nominal + sign * step, motion.times).read("distance P-D") for sign in (1, -1)]
    np.testing.assert_allclose(exact, (ways[0] - ways[1]) / (2 * step), atol=1e-8)  # of differences
    slopes = gk.jacobian(motion, "distance P-D").values[:, 0, 0]
    rates = np.einsum("nk,nk->n", across, motion.velocity("P")) / np.linalg.norm(across, axis=1)
    np.testing.assert_allclose(slopes * motion.joint_rate("A")[0], rates, atol=1e-12)


def test_the_command_line_warns_as_well(tmp_path: Any) -> None:
    path = tmp_path / "engine.toml"
    gk.save(engine((0.09, 0.175)), path, motion={"duration": 0.1, "steps": 361})
    shown = run("solve", path)
    assert shown.exit_code == 0
    assert "passes the lower end of the range of cylinder" in shown.stderr
