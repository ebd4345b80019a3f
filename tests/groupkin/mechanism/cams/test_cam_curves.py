"""Curves of cams: made, they give their laws back, wherever a curve may stand."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import GeometryError, GroupkinWarning, OutputError, ParameterError
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.laws.rises import JUMPING, KINDS
from tests.support.made_cams import FOLLOWERS, made, turn

Array = NDArray[np.float64]

TURN = 2.0 * math.pi
ANGLES = np.linspace(0.0, TURN, 1801)[1:]

SIXTH = TURN / 6
SAMPLED = np.linspace(0.0, TURN, 13)
FASTEST = gk.Rise("s-curve", 1.0, speed=1.0, acceleration=3.0, jerk=20.0)
LAWS = {
    **{kind: turn(kind, 1.0) for kind in KINDS},
    "constant": gk.Constant(0.0),
    "harmonic": gk.Harmonic(0.5, 1.0 / TURN, -0.5 * math.pi, 0.5),
    "fourier": gk.Fourier(1.0 / TURN, (-0.4, 0.0, -0.05), (0.0, 0.1), 0.45),
    "polynomial": gk.Polynomial((0.0, 0.0, *(16.0 / TURN**4 * np.array([TURN**2, -2.0 * TURN, 1.0])))),
    "cubic spline": gk.Spline(SAMPLED, 0.5 - 0.5 * np.cos(SAMPLED), 3, periodic=True),
    "quintic spline": gk.Spline(SAMPLED, 0.5 - 0.5 * np.cos(SAMPLED), 5, periodic=True),
    "samples": gk.Samples(SAMPLED, 0.5 - 0.5 * np.cos(SAMPLED), 0.5 * np.sin(SAMPLED), 0.4 * np.cos(SAMPLED)),
    "constant velocity": gk.Sequence(
        [
            gk.Rise("3-4-5", 0.3, 1.5 * SIXTH), gk.ConstantVelocity(0.4, SIXTH), gk.Rise("4-5-6-7", 0.3, 1.5 * SIXTH),
            gk.Rise("modified sine", -1.0, 2.0 * SIXTH),
        ],
        periodic=True,
    ),
    "shares": gk.Sequence(
        [
            gk.Rise("s-curve", 1.0, 2.0, shares=(1, 0.5, 2, 3, 1, 1, 1)),
            gk.Rise("trapezoid", -1.0, 3.0, shares=(2, 1, 1)), gk.Dwell(TURN - 5.0),
        ],
        periodic=True,
    ),
    "limits": gk.Sequence(
        [FASTEST, gk.Rise("cycloid", -1.0, 3.0), gk.Dwell(TURN - 3.0 - FASTEST.time)], begin=0.5, periodic=True
    ),
}  # fmt: skip
"""Laws of a stroke of 1 over the angle (rad) of a cam, which is 0 at the lowest place."""


def moved(mechanism: gk.Mechanism, sign: float, angles: Array) -> Array:
    """Coordinate of the follower, its rate and its acceleration (3, n), by the angle of the cam."""
    motion = gk.solve(mechanism, angles)
    value = motion.joint("guide")[0]
    if mechanism.joint["guide"].type == "R":
        return sign * np.stack([value, motion.angular_velocity("follower"), motion.angular_acceleration("follower")])
    return sign * np.stack([value, motion.velocity("follower")[:, 1], motion.acceleration("follower")[:, 1]])


def away_from_jumps(law: Law, angles: Array) -> Array:
    """Which angles are not beside one at which the acceleration jumps."""
    beside = np.stack([law.at(np.clip(angles + step, 0.0, TURN))[2] for step in (-1e-9, 1e-9)])
    return np.abs(np.diff(beside, axis=0)[0]) <= 1e-6 * np.abs(law.at(angles)[2]).max()


@pytest.mark.parametrize(("name", "follower", "clockwise"), list(itertools.product(LAWS, FOLLOWERS, [False, True])))
def test_a_made_cam_gives_the_law_back(name: str, follower: str, clockwise: bool) -> None:
    kind, base, stroke = FOLLOWERS[follower]
    law = LAWS[name].scaled(stroke)
    found = moved(*made(gk.cam_profile(law, kind, base, clockwise=clockwise)), ANGLES)
    expected = law.at(ANGLES)
    found[0] += expected[0, -1] - found[0, -1]
    largest = np.abs(expected).max(axis=1)
    errors = np.abs(found - expected) / np.where(largest > 0.0, largest, stroke)[:, None]
    assert errors[0].max() < 1e-11
    assert errors[1].max() < 1e-9
    assert errors[2, away_from_jumps(law, ANGLES)].max() < 1e-7


@pytest.mark.parametrize("stroke", [1e-5, 1e-3, 0.03])
def test_small_and_large_strokes(stroke: float) -> None:
    law = turn("modified sine", stroke)
    found = moved(*made(gk.cam_profile(law, gk.Follower("roller", radius=0.008), 0.04)), ANGLES)[0]
    newton = 1e-12 * 0.04  # the residual at which the group counts as solved
    assert np.abs(found - found[-1] - law.at(ANGLES)[0]).max() < 1e-11 * stroke + newton


def test_many_waves_take_more_pieces() -> None:
    law = gk.Fourier(1.0 / TURN, (-5e-5,), tuple(1e-5 * (k == 39) for k in range(40)), 5e-5)
    profile = gk.cam_profile(law, gk.Follower("edge"), 0.04)
    found = moved(*made(profile), ANGLES)[0]
    expected = law.at(ANGLES)[0]
    assert np.abs(found - found[-1] - expected + expected[-1]).max() < 1e-9 * np.ptp(expected)
    smooth = gk.cam_profile(turn("cycloid", 1e-4), gk.Follower("edge"), 0.04)
    assert 3 * smooth.curve.breaks.size < profile.curve.breaks.size < 5000


def test_a_curve_runs_through_its_points_by_arc_length() -> None:
    """The circumference by the trapezoidal rule, which is exact for smooth periodic functions."""
    law = gk.Harmonic(0.01, 2.0 / TURN)
    face = gk.Follower("face")
    curve = gk.cam_profile(law, face, 0.06, points=360).curve
    radius = gk.cam_profile(law, face, 0.06, points=360).curvature_radius
    assert abs(curve.breaks[-1] / (TURN * radius.mean()) - 1.0) < 1e-13
    at = np.linspace(0.0, curve.breaks[-1], 5000)
    assert np.abs(np.linalg.norm(curve.spline(at, 1), axis=1) - 1.0).max() < 1e-9
    dense = curve.spline(np.linspace(0.0, curve.breaks[-1], 200_000))
    points = np.array(curve.points)
    assert max(np.linalg.norm(dense - point, axis=1).min() for point in points[::40]) < curve.breaks[-1] / 200_000


def test_undercut_profiles_and_jumping_velocities_are_splines_through_points() -> None:
    law = turn("cycloid", 0.02)
    with pytest.warns(GroupkinWarning, match="undercut"):
        undercut = gk.cam_profile(law, gk.Follower("face"), 0.01)
    bent = gk.Polynomial((0.0, 0.01, -0.01 / TURN))
    with pytest.warns(GroupkinWarning, match="velocity of the law jumps at 0° of the cam"):
        rounded = gk.cam_profile(bent, gk.Follower("roller", radius=0.008), 0.04)
    for profile in (undercut, rounded):
        through = gk.Curve(profile.profile.tolist(), closed=True)
        assert np.array_equal(profile.curve.spline.c, through.spline.c)
        assert np.array_equal(profile.curve.breaks, through.breaks)


# --- where curves stand ----------------------------------------------------------------------


@pytest.mark.parametrize("follower", FOLLOWERS)
@pytest.mark.parametrize("mirror", ["", "x", "y"])
def test_cams_in_parts(follower: str, mirror: str, tmp_path: Path) -> None:
    kind, base, stroke = FOLLOWERS[follower]
    mechanism, _ = made(gk.cam_profile(turn("cycloid", stroke), kind, base))
    alone = gk.solve(mechanism, ANGLES[::30]).joint("guide")[0]
    part = gk.Part(mechanism, "unit", (0.3, -0.2), 0.7, mirror=mirror)
    whole = gk.Mechanism(2, ["frame"], [], parts=[part])
    file = tmp_path / "whole.toml"
    gk.save(whole, file)
    assert gk.load(file) == whole
    assert whole.joint["unit/flank"].curve.law == turn("cycloid", stroke)
    found = gk.solve(whole, ANGLES[::30]).joint("unit/guide")[0]
    turned = -1.0 if mirror and mechanism.joint["guide"].type == "R" else 1.0
    assert np.abs(turned * found - alone).max() < 1e-11 * stroke


@pytest.mark.parametrize("follower", FOLLOWERS)
@pytest.mark.parametrize("units", [gk.Units(), gk.Units(length="mm", angle="deg")])
def test_files_keep_law_and_follower(follower: str, units: gk.Units, tmp_path: Path) -> None:
    kind, base, stroke = FOLLOWERS[follower]
    mechanism, _ = made(gk.cam_profile(turn("modified sine", stroke), kind, base, clockwise=True, points=90))
    gk.save(mechanism, tmp_path / "cam.toml", units=units)
    again = gk.load(tmp_path / "cam.toml")
    assert again == mechanism
    assert again.joint["flank"].curve.points == mechanism.joint["flank"].curve.points


def test_followers_of_any_direction() -> None:
    """A cam that stands elsewhere moves a follower along x as another moves it along y."""
    profile = gk.cam_profile(turn("4-5-6-7", 0.01), *FOLLOWERS["roller beside the axis"][:2])
    curve = replace(profile.curve, center=(0.2, 0.1), axis=(0.0, -2.0))
    x, y = profile.pitch[0]
    center = (0.2 + y, 0.1 - x)
    joints = [
        gk.Joint("camshaft", "R", ("frame", "cam"), point=(0.2, 0.1)),
        gk.Joint("guide", "P", ("frame", "follower"), point=center, axis=(1.0, 0.0)),
        gk.Joint("flank", "L", ("cam", "follower"), point=center, curve=curve, radius=0.008),
    ]
    mechanism = gk.Mechanism(2, ["frame", "cam", "follower"], joints, [gk.Driver("camshaft", gk.Ramp(1.0))])
    lift = gk.solve(mechanism, ANGLES).joint("guide")[0]
    assert np.abs(lift - profile.law.at(ANGLES)[0]).max() < 1e-13
    with pytest.raises(GeometryError, match="axis of a cam's follower has zero length"):
        replace(curve, axis=(0.0, 0.0))
    with pytest.raises(GeometryError, match="center of a cam is so far from the origin"):
        replace(curve, center=(1e20, 0.0))


def test_numbers_by_name_are_kept_and_not_varied(tmp_path: Path) -> None:
    lift, base = gk.Value("lift", 0.01), gk.Value("base", 0.04)
    law = gk.Sequence([gk.Rise("cycloid", lift, 3.0), gk.Rise("cycloid", -lift, TURN - 3.0)], periodic=True)
    mechanism, _ = made(gk.cam_profile(law, gk.Follower("edge"), base))
    gk.save(mechanism, tmp_path / "cam.toml")
    again = gk.load(tmp_path / "cam.toml")
    assert again == mechanism
    assert again.values == {"lift": 0.01, "base": 0.04}
    for name in again.values:
        with pytest.raises(ParameterError, match=f"value '{name}' is also in joints 'flank': curve .*no design varies"):
            gk.design(again, [f"number {name}"])


class Own(Law):
    """A law in Python alone."""

    def at(self, times: object) -> Array:
        t = np.atleast_1d(np.asarray(times, float))
        return 0.005 * np.stack([1.0 - np.cos(t), np.sin(t), np.cos(t)])


def test_laws_of_ones_own(tmp_path: Path) -> None:
    mechanism, sign = made(gk.cam_profile(Own(), gk.Follower("face"), 0.06))
    assert np.abs(moved(mechanism, sign, ANGLES)[0] - Own().at(ANGLES)[0]).max() < 1e-13
    with pytest.raises(OutputError, match="the curve of joint 'flank' has a law of its own kind, Own"):
        gk.save(mechanism, tmp_path / "cam.toml")


def test_contacts_with_cams() -> None:
    """A ball that is held above a turning cam is pushed by what the radius of the edge's profile exceeds its height."""
    profile = gk.cam_profile(turn("cycloid", 0.01), gk.Follower("edge"), 0.04)
    load = gk.Contact("touch", ("cam", "frame"), (0.0, 0.045), curve=profile.curve, stiffness=1e5, side="left")
    cam = gk.Body("cam", mass=1.0, center=(0.0, 0.0), inertia=1e-3)
    shaft = gk.Joint("camshaft", "R", ("frame", "cam"), point=(0.0, 0.0))
    mechanism = gk.Mechanism(2, ["frame", cam], [shaft], [gk.Driver("camshaft", gk.Ramp(1.0))], forces=[load])
    dwelling = np.array([2.1, 2.4, 2.7])  # where the profile is a circle about the axis
    normal = gk.inverse_dynamics(mechanism, dwelling).force("touch")[:, 0]
    assert np.abs(normal / (1e5 * 0.005**1.5) - 1.0).max() < 1e-9


@pytest.mark.parametrize("kind", ["cycloid", *JUMPING])
def test_a_cam_that_runs_freely_keeps_its_energy(kind: str) -> None:
    profile = gk.cam_profile(turn(kind, 0.01), gk.Follower("roller", radius=0.008), 0.04)
    mechanism, _ = made(profile)
    bodies = [
        "frame", gk.Body("cam", mass=1.0, center=(0.0, 0.0), inertia=1e-3),
        gk.Body("follower", mass=0.2, center=(0.0, 0.05)),
    ]  # fmt: skip
    spring = gk.JointSpring("spring", "guide", stiffness=500.0, preload=-10.0)
    free = replace(mechanism, bodies=bodies, drivers=[gk.Driver("camshaft")], forces=[spring])
    motion = gk.simulate(free, np.linspace(0.0, 0.6, 40), {"camshaft": (0.0, 20.0)}, rtol=1e-11)
    assert np.ptp(motion.joint("camshaft")[0]) > TURN
    energy = gk.inverse_dynamics(motion).energy()
    assert np.ptp(energy.total) < 1e-8 * np.abs(energy.kinetic).max()
    lift = profile.law.at(motion.joint("camshaft")[0])[0]
    assert np.abs(motion.joint("guide")[0] - lift).max() < 1e-13
