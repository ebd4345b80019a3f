"""Simulations that leave ranges: warnings, events and ends, against closed formulas of throws and pendulums."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError, RangeWarning, SimulationError
from tests.groupkin.dynamics.acting.test_stops import G, block
from tests.support.command_line import run

TIMES = np.linspace(0.0, 1.0, 11)


def told(mechanism: gk.Mechanism, *given: Any, **options: Any) -> tuple[gk.Motion, list[str]]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        motion = gk.simulate(mechanism, *given, **options)
    return motion, [str(each.message) for each in seen if each.category is RangeWarning]


@pytest.mark.parametrize("method", ["explicit", "implicit", "RK45"])
def test_a_throw_ends_at_the_end_of_its_range(method: Any) -> None:
    """Upwards with 3 m/s: the upper end 0.4 m above is reached at 3 t - g t²/2 = 0.4."""
    mechanism = block(None, (-0.1, 0.4))
    motion, passed = told(mechanism, TIMES, {"bore": (0.0, 3.0)}, method=method, rtol=1e-11, ranges="end")
    speed = np.sqrt(9.0 - 2 * G * 0.4)
    assert abs(motion.times[-1] - (3.0 - speed) / G) < 1e-10
    assert abs(motion.joint("bore")[0, -1] - 0.4) < 1e-15
    assert abs(motion.joint_rate("bore")[0, -1] - speed) < 1e-9
    assert motion.times[:-1].tolist() == [time for time in TIMES if time < motion.times[-1]]
    assert [(each.name, each.time) for each in motion.events] == [("bore at its upper end", motion.times[-1])]
    assert not passed
    assert not motion.outside


def test_every_passage_outwards_is_an_event() -> None:
    """Up beyond 0.4 m, back into the range, and down beyond -0.1 m."""
    motion, passed = told(block(None, (-0.1, 0.4)), TIMES, {"bore": (0.0, 3.0)}, rtol=1e-11, ranges="event")
    first, second = motion.events
    assert (first.name, second.name) == ("bore at its upper end", "bore at its lower end")
    assert abs(first.time - (3.0 - np.sqrt(9.0 - 0.8 * G)) / G) < 1e-10
    assert abs(second.time - (3.0 + np.sqrt(9.0 + 0.2 * G)) / G) < 1e-10
    assert motion.times.size == TIMES.size
    assert not passed


def test_a_motion_that_leaves_a_range_warns_unless_a_stop_is_there() -> None:
    mechanism, start = block(None, (-0.1, 0.4)), {"bore": (0.0, 3.0)}
    motion, passed = told(mechanism, TIMES, start)
    assert [each.stop.end for each in motion.outside] == ["upper", "lower"]
    assert passed[0].startswith("mechanism passes the upper end of the range of bore, 0.4 m, at t = 0.2 s")
    assert 'ranges="end"' in passed[0]
    assert len(passed) == 2
    assert told(mechanism, TIMES, start, ranges="ignore")[1] == []
    stopped = replace(mechanism, forces=[gk.Stop("bump", "bore", stiffness=3e3)])
    assert told(stopped, TIMES, start)[1] == []
    assert told(replace(stopped, ranges={"position block.y": (0.0, 0.3)}), TIMES, start)[1] != []


def test_the_numbers_are_those_without_ranges() -> None:
    bare = replace(block(None), joints=[replace(block(None).joints[0], range=None)])
    expected = gk.simulate(bare, TIMES, {"bore": (0.0, 3.0)})
    for ranges in ("warn", "event"):
        motion, _ = told(block(None, (-0.1, 0.4)), TIMES, {"bore": (0.0, 3.0)}, ranges=ranges)
        assert (motion.q == expected.q).all()


def test_ranges_of_other_quantities_and_of_angles_by_whole_turns() -> None:
    """A wheel turns evenly from a whole turn on: its angle leaves the range, then the point on it its own."""
    wheel = gk.Body("wheel", mass=1.0, center=(0.0, 0.0), inertia=1.0)
    pin = gk.Joint("pin", "R", ("frame", "wheel"), point=(0.0, 0.0), range=(-0.5, 0.5))
    with_point = replace(wheel, points={"P": (1.0, 0.0)})
    mechanism = gk.Mechanism(2, ["frame", with_point], [pin], ranges={"position P.x": (0.5, 2.0)})
    motion, _ = told(mechanism, [0.0, 2.0], {"pin": (2 * np.pi + 0.1, 1.0)}, rtol=1e-11, ranges="event")
    assert [each.name for each in motion.events] == ["pin at its upper end", "position P.x at its lower end"]
    assert np.allclose([each.time for each in motion.events], [0.4, np.pi / 3 - 0.1], rtol=0, atol=1e-9)


def test_starts_outside() -> None:
    mechanism = block(None, (-0.1, 0.4), gravity=0.0)
    expected = r"starts beyond the upper end of the range of bore, 0.4 m, at 0.5 m; .* begins within them"
    with pytest.raises(SimulationError, match=expected):
        gk.simulate(mechanism, TIMES, {"bore": (0.5, -1.0)}, ranges="end")
    motion, passed = told(mechanism, TIMES, {"bore": (0.5, -1.0)}, ranges="event")
    assert passed == ["mechanism starts beyond the upper end of the range of bore, 0.4 m, at 0.5 m, which is no event"]
    assert [each.name for each in motion.events] == ["bore at its lower end"]
    with pytest.raises(SimulationError, match=r"starts at the upper end .*, 0\.4 m, and passes it at once"):
        gk.simulate(mechanism, TIMES, {"bore": (0.4, 1.0)}, ranges="end")
    with pytest.raises(SimulationError, match="passes it at once"):  # it rests there, and falls
        gk.simulate(block(None, (0.0, 1.0)), TIMES, ranges="end")
    for rate in (0.0, -0.1):  # it rests there, or leaves inwards
        assert not gk.simulate(mechanism, TIMES, {"bore": (0.4, rate)}, ranges="end").events


def test_an_event_may_not_have_the_name_of_an_end() -> None:
    own = gk.Event("bore at its upper end", "joint bore")
    with pytest.raises(ArgumentError, match="two events are called 'bore at its upper end'"):
        gk.simulate(block(None, (-0.1, 0.4)), TIMES, events=[own], ranges="event")


def test_many_simulations_tell_which_leave_ranges() -> None:
    mechanism = block(None, (-0.1, 0.4), gravity=0.0)
    starts = np.array([[0.0, 0.1], [0.0, 1.0], [0.0, -1.0]])
    with pytest.warns(RangeWarning, match="2 of 3 simulations leave ranges, first number 1: mechanism passes"):
        many = gk.simulate_many(mechanism, TIMES, {"bore": starts})
    assert [[each.stop.end for each in every] for every in many.outside] == [[], ["upper"], ["lower"]]
    assert many.outside[1] == many.motion(1).outside
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gk.simulate_many(mechanism, TIMES, {"bore": starts}, ranges="ignore")
        stopped = replace(mechanism, forces=[gk.Stop("bump", "bore", stiffness=3e3)])
        assert gk.simulate_many(stopped, TIMES, {"bore": starts}).outside[1]


FILE = """
dimension = 2
units = { length = "mm", mass = "kg", force = "N" }
bodies = ["frame", { name = "block", mass = 2, center = [0, 0] }]
joints = [
  { name = "bore", type = "P", bodies = ["frame", "block"], point = [0, 0], axis = [1, 0], range = [-100, 200] },
]
motion = { duration = 1, steps = 101 }
"""


def test_the_command_line_says_which_end_it_was(tmp_path: Path) -> None:
    file = tmp_path / "block.toml"
    file.write_text(FILE)
    command = ["simulate", str(file), "--start", "bore=0,1000"]
    assert "ended by bore at its upper end, 200 mm, at t = 0.2 s" in run(*command, "--ranges", "end").stdout
    listed = run(*command, "--ranges", "event").stdout
    assert "\nbore at its upper end, 200 mm, at t = 0.2 s\n" in listed
    assert "passes the upper end of the range of bore, 200 mm" in run(*command).stderr
    outside = run("simulate", str(file), "--start", "bore=300", "--ranges", "end")
    assert outside.exit_code == 2
    assert "starts beyond the upper end of the range of bore, 200 mm, at 300 mm" in outside.stderr
    (event,) = json.loads(run(*command, "--ranges", "end", "--json").stdout)["events"]
    assert event["name"] == "bore at its upper end"
