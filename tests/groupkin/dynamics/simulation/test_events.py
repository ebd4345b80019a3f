"""Events of simulations against elliptic functions: times, directions, ends, whole turns, chattering."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ellipk

import groupkin as gk
from groupkin.errors import ArgumentError, ChatteringError, QuantityError, UnknownNameError
from tests.groupkin.dynamics.simulation.test_coordinate_changes import NO_LINK_TURNS, swinging
from tests.groupkin.dynamics.simulation.test_simulation import GRAVITY, pendulum
from tests.support.shares import in_part

SWING = 1.5
QUARTER = float(ellipk(np.sin(0.5 * SWING) ** 2) / np.sqrt(GRAVITY / 0.8))
"""Of a period, s."""


@pytest.mark.parametrize(("method", "error"), in_part([("explicit", 1e-11), ("implicit", 1e-9), ("DOP853", 1e-11)], 2))
def test_passages_of_a_pendulum(method: str, error: float) -> None:
    events = [gk.Event("any", "pin"), gk.Event("up", "angle arm", direction="up"), gk.Event("fall", "pin", 0.0, "down")]
    motion = gk.simulate(pendulum(), [0.0, 3.0, 6.0], {"pin": SWING}, method=method, rtol=1e-12, events=events)  # type: ignore[arg-type]
    expected = QUARTER * np.arange(1, 6.0 / QUARTER, 2)
    times = {event.name: np.array([x.time for x in motion.events if x.name == event.name]) for event in events}
    assert np.allclose(times["any"], expected, rtol=0, atol=error)
    assert np.allclose(times["fall"], expected[::2], rtol=0, atol=error)
    assert np.allclose(times["up"], expected[1::2], rtol=0, atol=error)
    for each in motion.events:
        assert each.motion.times == [each.time]
        assert abs(each.motion.joint("pin")[0, 0]) < 1e-14  # the root is found to rounding
    assert [x.time for x in motion.events] == sorted(x.time for x in motion.events)


def test_a_terminal_event_ends_the_motion() -> None:
    stop = gk.Event("low", "joint pin", terminal=True)
    motion = gk.simulate(pendulum(), [0.0, 0.25, 0.5, 0.75], {"pin": SWING}, rtol=1e-12, events=[stop])
    assert motion.times[:3].tolist() == [0.0, 0.25, 0.5]
    assert abs(motion.times[3] - QUARTER) < 1e-11
    assert abs(motion.joint("pin")[0, -1]) < 1e-14
    speed = 2.0 * np.sin(0.5 * SWING) * np.sqrt(GRAVITY / 0.8)
    assert abs(motion.joint_rate("pin")[0, -1] + speed) < 1e-10
    assert gk.inverse_dynamics(motion).energy().total.shape == (4,)


def test_angles_are_followed_around() -> None:
    """A wheel without forces: each turn is one of its angle, though positions repeat."""
    wheel = gk.Body("arm", mass=1.0, center=(0.0, 0.0), inertia=1.0)
    turning = replace(pendulum(), bodies=["frame", wheel], gravity=(0.0, 0.0))
    events = [gk.Event("four turns", "angle arm", 8 * np.pi), gk.Event("in the reference", "pin", 0.0)]
    motion = gk.simulate(turning, [0.0, 10.0], {"pin": (0.5, 4.0)}, events=events)
    (only,) = motion.events
    assert only.name == "four turns"
    assert abs(only.time - (8 * np.pi - 0.5) / 4.0) < 1e-7


def test_an_output_is_watched_through_changes_of_coordinates() -> None:
    """Of a four-bar each of whose hinges comes to dead centers: nothing is seen twice or missed."""
    mechanism = replace(swinging(NO_LINK_TURNS, "A"), outputs={"height": "{position coupler.y} - 1 m"})
    times = np.linspace(0.0, 5.0, 5001)
    motion = gk.simulate(mechanism, times, {"A": (0.0, 2.0)}, rtol=1e-11, events=[gk.Event("level", "height")])
    height = motion.read("output height")
    passed = np.flatnonzero(np.diff(np.sign(height)))
    assert len(motion.events) == passed.size > 5
    slope = height[passed + 1] - height[passed]
    expected = times[passed] - height[passed] / slope * np.diff(times)[passed]
    assert np.allclose([event.time for event in motion.events], expected, rtol=0, atol=1e-4)  # of a chord of 1 ms


def test_an_event_that_chatters_is_named() -> None:
    """A slide that shakes beside a pendulum, of which the steps of the pendulum know nothing."""
    still = pendulum()
    shaking = gk.Joint("slide", "P", ("frame", "table"), point=(1.0, 0.0), axis=(1.0, 0.0))
    driver = gk.Driver("slide", gk.Fourier(frequency=1e4, cosine=(0.01,)))
    both = replace(still, bodies=[*still.body.values(), "table"], joints=[*still.joints, shaking], drivers=[driver])
    with pytest.raises(ChatteringError, match=r"event 'shake' occurs again and again up to t = .* times since t = 0"):
        gk.simulate(both, np.linspace(0, 30, 3), {"pin": 1.0}, events=[gk.Event("shake", "joint slide")])


def test_wrong_events_are_refused() -> None:
    def run(*events: gk.Event) -> None:
        gk.simulate(pendulum(), [0.0, 1.0], events=events)

    with pytest.raises(ArgumentError, match="event 'far': `position arm` is no single number"):
        run(gk.Event("far", "position arm"))
    with pytest.raises(ArgumentError, match="two events are called 'one'"):
        run(gk.Event("one", "joint pin"), gk.Event("one", "angle arm"))
    with pytest.raises(UnknownNameError, match="'pim'"):
        run(gk.Event("one", "joint pim"))
    with pytest.raises(QuantityError):
        run(gk.Event("one", "speed of arm"))
    with pytest.raises(ArgumentError, match="value must be"):
        gk.Event("one", "joint pin", float("nan"))
    with pytest.raises(ArgumentError, match="direction"):
        gk.Event("one", "joint pin", 0.0, "sideways")  # type: ignore[arg-type]
