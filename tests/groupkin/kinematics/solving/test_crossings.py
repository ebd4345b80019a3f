"""Singular positions that closed forms pass between two steps: never silently, and only where there are any."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.errors import GroupkinWarning, SingularPositionError, SolveError
from sglibrary.status import SINGULAR
from tests.support.mechanisms import four_bar
from tests.support.shares import in_part

FLAT = 0.25
"""Time at which the linkages here are flat, s."""


def parallelogram(rocker: float = 1.0) -> gk.Mechanism:
    """Crank 1, coupler 3, ground 3: a parallelogram if the rocker is as long as the crank."""
    points = {"A": (0, 0), "B": (0, 1), "C": (3, rocker), "D": (3, 0)}
    return four_bar(points, [gk.Driver("A", gk.Ramp(2 * np.pi))])


def slider_crank(rod: float) -> gk.Mechanism:
    """Crank 1, upright; with a rod as long the slider comes to rest on the crank's axle, and may stay there."""
    joints = [
        gk.Joint("A", "R", ("ground", "crank"), point=(0, 0)),
        gk.Joint("B", "R", ("crank", "rod"), point=(np.cos(1.0), np.sin(1.0))),
        gk.Joint("C", "R", ("rod", "slider"), point=(np.cos(1.0) + np.sqrt(rod**2 - np.sin(1.0) ** 2), 0)),
        gk.Joint("D", "P", ("slider", "ground"), point=(0, 0), axis=(1, 0)),
    ]
    bodies = ["ground", "crank", "rod", "slider"]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A", gk.Ramp(2 * np.pi))])


CASES = {"parallelogram": (parallelogram(), FLAT), "slider-crank": (slider_crank(1.0), (np.pi / 2 - 1.0) / (2 * np.pi))}


@pytest.mark.parametrize("steps", [5, 8, 20, 127, 129, 1000, 5003])
@pytest.mark.parametrize(("mechanism", "time"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("back", [False, True])
def test_a_motion_ends_at_the_step_after(mechanism: gk.Mechanism, time: float, steps: int, back: bool) -> None:
    times = np.linspace(-0.11, 0.45, steps)
    times = times[::-1] if back else times
    with pytest.raises(SingularPositionError, match="passed one since the step before") as caught:
        gk.solve(mechanism, times)
    way = -1 if back else 1
    first = int(np.flatnonzero(way * times >= way * time)[0])
    assert caught.value.time == pytest.approx(times[first])
    assert caught.value.group == 2
    motion = caught.value.motion
    assert motion is not None
    assert motion.solved.tolist() == [True] * first + [False] * (steps - first)


@pytest.mark.parametrize("times", [np.array([0.24, 0.27]), np.array([0.2499, 0.3, 0.35]), np.linspace(0.1, 0.2501, 40)])
def test_at_either_end_of_a_motion_too(times: np.ndarray) -> None:
    with pytest.raises(SingularPositionError):
        gk.solve(parallelogram(), times)


@pytest.mark.parametrize("off", [0.0, 1e-2, -1e-3, 1e-4, -1e-5, 1e-6, -1e-7])
@pytest.mark.parametrize("sixteenths", [0, 1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize("steps", [40, 6])
def test_wherever_between_two_steps(sixteenths: int, off: float, steps: int) -> None:
    """Also close beside the times at which a search looks; at a step, rounding decides which error it is."""
    width = 0.2 / steps
    times = FLAT + width * (np.arange(steps) - steps // 2 - sixteenths / 16 + off)
    with pytest.raises(SingularPositionError if sixteenths else SolveError):
        gk.solve(parallelogram(), times)


@pytest.mark.parametrize("apart", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("share", [0.5, 0.3, 0.9])
def test_two_times_are_enough(apart: float, share: float) -> None:
    with pytest.raises(SingularPositionError):
        gk.solve(parallelogram(), FLAT + apart * np.array([-share, 1.0 - share]))
    gk.solve(parallelogram(), FLAT + apart * np.array([0.1, 1.0]))


def test_with_nan_a_warning_says_where() -> None:
    times = np.linspace(0.0, 0.9, 100)
    with pytest.warns(GroupkinWarning) as caught:
        motion = gk.solve(parallelogram(), times, on_failure="nan")
    assert motion.solved.all()
    words = [str(one.message) for one in caught]
    assert len(words) == 2  # and half a turn later
    assert words[0].startswith(
        "group 2 (coupler, rocker; 3R2D) passes a singular position between t = 0.245455 s and 0.254545 s"
    )


@pytest.mark.parametrize("mechanism", [parallelogram(1.001), slider_crank(1.001)])
def test_what_only_comes_near_is_solved(mechanism: gk.Mechanism) -> None:
    """Conditioning falls to some hundredths, between steps that are longer than this takes."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        motion = gk.solve(mechanism, np.linspace(0.0, 0.45, 37))
    assert motion.solved.all()


@pytest.mark.parametrize("split", ["groups", "time"])
def test_on_threads_as_well(split: str) -> None:
    with pytest.raises(SingularPositionError):
        routes.solve(
            parallelogram(),
            np.linspace(0, 0.6, 500),
            route="sequential",
            workers=routes.threads(2),
            split=split,
            block=64,
            cache=False,
        )


def test_an_earlier_crossing_is_said_before_a_later_failure() -> None:
    mechanism = parallelogram()
    joints = [
        *mechanism.joints,
        gk.Joint("E", "R", ("crank", "arm"), point=(1, 0)),
        gk.Joint("F", "R", ("arm", "far"), point=(4, 0)),
        gk.Joint("G", "R", ("far", "ground"), point=(4, 2.5)),
    ]
    bodies = [*(body.name for body in mechanism.bodies), "arm", "far"]
    larger = gk.Mechanism(2, bodies, joints, mechanism.drivers, points=mechanism.points)
    with pytest.raises(SingularPositionError) as caught:
        gk.solve(larger, np.linspace(0.0, 1.0, 1000))
    assert caught.value.time == pytest.approx(FLAT, abs=2e-3)


def behind_an_iterated_group(share: float) -> tuple[gk.Mechanism, float]:
    """A parallelogram whose crank is a bar of an Assur group; it is flat `share` between steps 20 and 21 of `SLOW`."""
    first = gk.load("examples/assur_class_three.toml")
    motion = gk.solve(first, SLOW)
    turned = np.interp(20 + share, np.arange(SLOW.size), motion.angle("bar_2"))
    g = np.array(first.points["G"])
    pin = g + np.array([0.05, 0.0])
    far = g + 0.2 * np.array([np.cos(turned), np.sin(turned)])  # where the pin's line will then point
    joints = [
        gk.Joint("K", "R", ("bar_2", "rod"), point=tuple(pin)),
        gk.Joint("L", "R", ("rod", "rocker"), point=tuple(pin + far - g)),
        gk.Joint("M", "R", ("rocker", first.frame), point=tuple(far)),
    ]
    bodies = [*first.bodies, "rod", "rocker"]
    return gk.Mechanism(2, bodies, [*first.joints, *joints], first.drivers, points=first.points), float(SLOW[21])


SLOW = np.linspace(0.0, 0.2, 41)


@pytest.mark.parametrize("share", in_part([0.1, 0.5, 0.8], 3))
def test_behind_iterated_groups_too(share: float) -> None:
    mechanism, time = behind_an_iterated_group(share)
    assert gk.program(mechanism).iterates
    with pytest.raises(SingularPositionError, match="rod, rocker") as caught:
        gk.solve(mechanism, SLOW)
    assert caught.value.time == pytest.approx(time)
    with pytest.raises(SingularPositionError, match="rod, rocker"):
        routes.solve(mechanism, SLOW, route="sequential", cache=False)
    start = cluster.Parameter(cluster.LawValue("O", "start"), cluster.Listed([0.0, -0.5]))
    found = cluster.solve(cluster.sweep(mechanism, [start], SLOW, [cluster.Conditioning()]))
    assert found.status.values[0] == SINGULAR
    assert found.failed_time.values[0] == pytest.approx(time)
