"""Motions that do not begin at time zero: several drivers lead to their first time as their laws do."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk

FEET = np.array([[0.0, 0.0], [15.91, 0.0], [0.0, 10.0]])
SIDES = (17.04, 16.54, 20.84)
"""Of the platform of the planar robot whose cusps are those of Innocenti and Parenti-Castelli (1998); m."""

LOOPS = {
    "first": (3.472160523485669, 0.5901431635644321, 5.1656016455128295, 0.9140371977170447),
    "second": (1.2454783181005489, 0.8562954499048785, 4.838648355991609, 3.8119614443281784),
    "third": (5.214360704346916, 0.15014654124256088, 5.759840626824404, 4.502579811916382),
}
"""Direction of the first leg and turn of the platform at the start, radius and start of a circle of the other two legs'
lengths around a cusp: after it the legs are as long as before, and the platform is elsewhere."""


def robot(name: str) -> gk.Mechanism:
    """A platform on three telescopes, two of which go round a circle in the plane of their lengths in 1 s."""
    direction, turn, radius, phase = LOOPS[name]
    x = (SIDES[0] ** 2 + SIDES[2] ** 2 - SIDES[1] ** 2) / (2 * SIDES[0])
    corners = np.array([[0.0, 0.0], [SIDES[0], 0.0], [x, np.sqrt(SIDES[2] ** 2 - x**2)]])
    c, s = np.cos(turn), np.sin(turn)
    tips = corners @ np.array([[c, s], [-s, c]]) + 14.98 * np.array([np.cos(direction), np.sin(direction)])
    times = np.linspace(0.0, 1.0, 65)
    circle = [np.zeros(65), *(radius * f(2 * np.pi * times + phase) for f in (np.cos, np.sin))]
    joints, drivers = [], []
    for k, (foot, tip) in enumerate(zip(FEET, tips, strict=True)):
        joints += [
            gk.Joint(f"foot {k}", "R", ("frame", f"sleeve {k}"), point=tuple(foot)),
            gk.Joint(f"leg {k}", "P", (f"sleeve {k}", f"rod {k}"), point=tuple(foot), axis=tuple(tip - foot)),
            gk.Joint(f"tip {k}", "R", (f"rod {k}", "platform"), point=tuple(tip)),
        ]
        drivers.append(gk.Driver(f"leg {k}", gk.Spline(tuple(times), tuple(circle[k] - circle[k][0]))))
    bodies = ["frame", "platform", *(f"{part} {k}" for k in range(3) for part in ("sleeve", "rod"))]
    return gk.Mechanism(2, bodies, joints, drivers)


@pytest.mark.complete
@pytest.mark.parametrize("solver", ["substitute", "newton"])
@pytest.mark.parametrize("name", LOOPS)
def test_a_late_first_time_is_reached_as_the_drivers_go(name, solver):
    program = gk.program(robot(name), solver=solver)
    whole = gk.solve(program, np.linspace(0.0, 1.0, 41))
    # the drivers are where they began, without a singular position on the way
    assert np.abs(whole.driven[:, 0, -1] - whole.driven[:, 0, 0]).max() < 1e-12
    assert whole.conditioning.min() > 1e-3
    assert np.abs(whole.position("platform")[-1] - whole.position("platform")[0]).max() > 1.0
    for times in ([1.0], [0.9], [0.9, 1.0], [1.0, 0.9]):
        late = gk.solve(program, times)
        again = gk.solve(program, times, out=late)
        for k, time in enumerate(times):
            for motion in (late, again):
                expected = whole.position("platform")[round(40 * time)]
                np.testing.assert_allclose(motion.position("platform")[k], expected, rtol=0, atol=1e-8)
    assert gk.compare(gk.solve(program, [0.9, 1.0])).position < 1e-9


def test_laws_that_begin_late_lead_there_straight():
    mechanism = robot("first")
    late = []
    for driver in mechanism.drivers:
        stamps = np.linspace(0.05, 1.0, 39)
        late.append(gk.Driver(driver.joint, gk.Spline(tuple(stamps), tuple(driver.law.at(stamps)[0]))))
    program = gk.program(gk.Mechanism(2, mechanism.bodies, mechanism.joints, late))
    motion = gk.solve(program, [0.05, 0.06])
    expected = gk.solve(mechanism, np.linspace(0.0, 0.05, 6)).position("platform")[-1]
    np.testing.assert_allclose(motion.position("platform")[0], expected, rtol=0, atol=1e-3)
