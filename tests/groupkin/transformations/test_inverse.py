"""Other freedoms are driven, and the joints that were driven tell what their drivers would have to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from groupkin.transformations.inverse import driven_freedoms
from tests.support.command_line import refused, succeeded

EXAMPLES = Path(__file__).parents[3] / "examples"
CASES = {
    "four_bar": ({"joint D": None}, None),
    "planar_3rrr": ({"joint E1": None}, ["joint O1"]),
    "stewart_forward": (
        dict.fromkeys(f"joint pose.{n}" for n in ("x", "y", "z", "angle_x", "angle_y", "angle_z")),
        None,
    ),
}
"""Freedoms that are driven instead, and those that are released."""


@pytest.mark.smoke
@pytest.mark.parametrize("name", CASES)
def test_the_inverse_of_a_motion_needs_what_its_drivers_did(name: str) -> None:
    mechanism, times = gk.load(EXAMPLES / f"{name}.toml"), np.linspace(0.0, 0.1, 21)
    wanted, released = CASES[name]
    motion = gk.solve(mechanism, times)
    laws = {text: gk.Spline(tuple(times), tuple(motion.read(text).ravel())) for text in wanted}
    inverse = gk.redrive(mechanism, laws, released)
    assert len(inverse.drivers) == len(mechanism.drivers)
    needed = gk.solve(inverse, times)
    for freedom in driven_freedoms(mechanism):
        # splines go through the values at their times; 1e-9 is what roundoff becomes at this conditioning
        np.testing.assert_allclose(needed.read(freedom), motion.read(freedom), atol=1e-9)


def test_the_platform_is_solved_by_closed_forms() -> None:
    platform = gk.load(EXAMPLES / "stewart_forward.toml")
    groups = gk.analyze(gk.redrive(platform, dict.fromkeys(CASES["stewart_forward"][0], gk.Constant(0.0)))).groups
    assert [group.label for group in groups] == ["1F3D"] + 6 * ["1P1U1S3D"]


STILL = gk.Constant(0.0)
REFUSALS: dict[str, tuple[Callable[[gk.Mechanism], object], str]] = {
    "too few": (lambda m: gk.redrive(m, {"joint E1": STILL}), "1 freedom cannot be driven instead of 3"),
    "not driven": (lambda m: gk.redrive(m, {"joint E1": STILL}, ["joint M1"]), "joint M1 cannot be released"),
    "a point": (lambda m: gk.redrive(m, {"angle platform": STILL}, ["joint O1"]), "is no freedom of a joint"),
    "unknown": (lambda m: gk.redrive(m, {"joint Q": STILL}, ["joint O1"]), "Q"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_is_no_inverse_question_is_refused(case: str) -> None:
    act, message = REFUSALS[case]
    mechanism = gk.load(EXAMPLES / "planar_3rrr.toml")
    with pytest.raises(gk.GroupkinError, match=message):
        act(mechanism)


def test_one_freedom_has_one_law_and_is_named_where_there_are_several() -> None:
    crank = gk.load(EXAMPLES / "four_bar.toml")
    with pytest.raises(gk.GroupkinError, match="by two laws"):
        gk.redrive(crank, {"joint D": STILL, "joint 'D'": STILL})
    platform = gk.load(EXAMPLES / "stewart_forward.toml")
    with pytest.raises(gk.GroupkinError, match="has several freedoms"):
        gk.redrive(platform, {"joint pose": STILL}, ["joint leg_1"])


def test_the_command_drives_in_the_units_of_the_file_and_tells_what_the_drivers_need() -> None:
    file, drive = str(EXAMPLES / "slider_crank.toml"), 'joint cylinder={type="ramp", start=120, rate=-100}'
    told = json.loads(succeeded("solve", file, "--duration", "0.1", "--drive", drive, "--units", "file", "--json"))
    crank = np.degrees(
        gk.solve(gk.redrive(gk.load(file), {"joint cylinder": gk.Ramp(rate=-0.1, start=0.12)}), [0.0, 0.1]).joint(
            "main bearing"
        )
    )
    np.testing.assert_allclose(next(iter(told["ranges"].values())), [crank.min(), crank.max()], rtol=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--drive", "joint cylinder"], "--drive takes FREEDOM=LAW"),
        (["--drive", "joint cylinder={type="], "is no law"),
        (["--drive", 'joint cylinder={type="ramps"}'], "unknown type 'ramps'"),
        (["--drive", 'joint cylindr={type="ramp", rate=1}'], "cylindr"),
        (["--instead-of", "joint 'main bearing'"], "state also what is to be driven"),
    ],
)
def test_the_command_refuses_what_it_cannot_drive(options: list[str], message: str) -> None:
    assert message in refused("solve", str(EXAMPLES / "slider_crank.toml"), *options)
