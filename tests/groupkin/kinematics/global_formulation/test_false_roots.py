"""Contacts that satisfy the equations of a cam but are false: on the wrong side, or beyond the end of a curve."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.errors import GroupkinError
from groupkin.kinematics.global_formulation.global_motion import build, solve_globally
from groupkin.kinematics.modes.modes import assembly_modes
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from tests.support.random_cams import oval

Array = NDArray[np.float64]


def tappet(**touch: Any) -> Mechanism:
    """A tappet on an oval cam, which turns."""
    joints = [
        Joint("bearing", "R", ("frame", "cam"), point=(0, 0)),
        Joint("guide", "P", ("frame", "tappet"), point=(0, 1), axis=(0, 1)),
        Joint("touch", "L", ("cam", "tappet"), **touch),
    ]
    return Mechanism(2, ["frame", "cam", "tappet"], joints, [Driver("bearing", Ramp(1.0))])


def touches() -> dict[str, dict[str, Any]]:
    cam = Curve(oval(np.random.default_rng(4), 0.5), closed=True)
    u = cam.spline.t[-6] / 4
    (x, y), at = cam.spline(u, 1) / np.linalg.norm(cam.spline(u, 1)), cam.spline(u)
    out = np.array([y, -x])
    turn = np.arange(144) * np.pi / 72
    other = at + 0.2 * out + 0.2 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return {
        "roller": {"curve": cam, "point": at + 0.2 * out, "radius": 0.2},
        "face": {"curve": cam, "point": at, "axis": out},
        "curve": {"curves": (cam, Curve(other, closed=True))},
    }


@pytest.mark.parametrize("follower", touches())
def test_no_false_contact_is_taken(follower: str) -> None:
    """From starts with other signs it finds an assembly mode or, often, a false contact, which is refused."""
    mechanism = tappet(**touches()[follower])
    model = build(mechanism)
    heights = np.array([mode.poses["tappet"][0][1] for mode in assembly_modes(mechanism).of(2)])
    signs, rejected = np.random.default_rng(1).choice([1.0, -1.0], size=(40, model.start.size - 1)), 0
    for sign in signs:
        try:
            found = solve_globally(mechanism, [0.0], replace(model, start=model.start * [1.0, *sign])).origin
        except GroupkinError as error:
            rejected += "a false contact" in str(error)
        else:
            assert np.abs(heights - found[0, 1, 1, 0]).min() < 1e-9
    assert 0 < rejected < 40


def test_a_contact_beyond_the_end_of_a_curve_is_false() -> None:
    """A pin, pushed along a groove that ends at x = 0.505."""
    x = np.linspace(-0.2, 0.505, 29)
    joints = [
        Joint("push", "P", ("frame", "pin"), point=(0, 0), axis=(1, 0)),
        Joint("guide", "P", ("frame", "plate"), point=(0, 0), axis=(0, 1)),
        Joint("groove", "L", ("plate", "pin"), curve=Curve(np.stack([x, 0.5 * x * x], axis=1)), point=(0, 0)),
    ]
    groove = Mechanism(2, ["frame", "pin", "plate"], joints, [Driver("push", Ramp(1.0))])
    sunk = solve_globally(groove, [0.0, 0.25, 0.5]).origin[0, 1, 1]
    np.testing.assert_allclose(sunk, [0.0, -0.03125, -0.125], atol=1e-8)  # a spline through points of a parabola
    with pytest.raises(GroupkinError, match=r"at 0.505\d* s: only .* a false contact"):
        solve_globally(groove, [0.0, 0.25, 0.5, 0.51])
