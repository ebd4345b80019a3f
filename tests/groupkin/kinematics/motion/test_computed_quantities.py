"""Centers, screws, curvatures, relative motion and advantages against closed formulas and differences."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GroupkinError, NotModeledError, QuantityError
from groupkin.kinematics.motion.computed_quantities import COMPUTED
from groupkin.kinematics.motion.kinds import KINDS, RATES
from tests.support.examples import EXAMPLES

CLOSE = 1e-12
"""Relative error that roundings make, over conditioning of up to a thousand."""


def cross(u: np.ndarray, w: np.ndarray) -> np.ndarray:
    return u[..., 0] * w[..., 1] - u[..., 1] * w[..., 0]


@pytest.fixture(scope="module")
def four_bar() -> gk.Motion:
    return gk.solve(gk.load(EXAMPLES / "four_bar.toml"), np.linspace(0.0, 0.3, 31))


def points(motion: gk.Motion) -> list[np.ndarray]:
    return [motion.position(name) for name in "ABCD"]


def test_the_center_of_a_coupler_is_where_crank_and_rocker_meet(four_bar: gk.Motion):
    a, b, c, d = points(four_bar)
    share = cross(d - a, c - d) / cross(b - a, c - d)
    wanted = a + share[:, None] * (b - a)
    found = four_bar.read("instant_center ground-coupler")
    away = np.abs(wanted).max(axis=1, keepdims=True)
    assert (np.abs(found - wanted) < CLOSE * away**2).all()
    np.testing.assert_allclose(four_bar.read("instant_center crank-coupler"), b, atol=CLOSE)
    np.testing.assert_allclose(four_bar.read("centrode ground-coupler"), found, atol=CLOSE * away.max() ** 2)


def test_three_centers_are_in_line(four_bar: gk.Motion):
    """Aronhold and Kennedy: of any three bodies."""
    centers = [four_bar.read(f"instant_center {pair}") for pair in ("ground-crank", "ground-rocker", "crank-rocker")]
    off = cross(centers[1] - centers[0], centers[2] - centers[0])
    assert (np.abs(off) < CLOSE * np.abs(centers[2]).max(axis=1) ** 2).all()


def test_centrodes_roll_on_each_other(four_bar: gk.Motion):
    """The center goes along both with one speed, against the frame and against the coupler."""
    fixed, moving = (four_bar.read(f"centrode_rate {pair}") for pair in ("ground-coupler", "coupler-ground"))
    speeds = [np.linalg.norm(each, axis=1) for each in (fixed, moving)]
    np.testing.assert_allclose(*speeds, rtol=1e-9)


def test_advantage_of_a_four_bar_is_that_of_its_angles(four_bar: gk.Motion):
    a, b, c, d = points(four_bar)
    crank, coupler, rocker = b - a, c - b, c - d
    ratio = cross(rocker, coupler) / cross(crank, coupler)  # ω of the crank over ω of the rocker
    sign = 1.0 if four_bar.program.mechanism.joint["D"].bodies[0] == "ground" else -1.0
    np.testing.assert_allclose(four_bar.read("mechanical_advantage A-D"), sign * ratio, rtol=1e-10)
    assert gk.quantity("mechanical_advantage A-D", four_bar.program)


def test_a_pin_goes_around_its_bearing(four_bar: gk.Motion):
    a, b, *_ = points(four_bar)
    radius = np.linalg.norm(b - a, axis=1)
    np.testing.assert_allclose(four_bar.read("curvature B"), 1.0 / radius, rtol=1e-12)
    np.testing.assert_allclose(four_bar.read("curvature_center B"), a, atol=1e-12)


def test_the_path_of_a_coupler_point_bends_as_its_points_say(four_bar: gk.Motion):
    times = np.linspace(0.1, 0.2, 201)
    motion = gk.solve(four_bar.program, times)
    at = motion.position("P")
    first, second = np.gradient(at, times, axis=0), np.gradient(np.gradient(at, times, axis=0), times, axis=0)
    bend = cross(first, second) / np.linalg.norm(first, axis=1) ** 3
    np.testing.assert_allclose(motion.read("curvature P")[5:-5], bend[5:-5], rtol=1e-3)  # of differences


def test_a_slider_crank():
    motion = gk.solve(gk.load(EXAMPLES / "slider_crank.toml"), np.linspace(0.004, 0.02, 17))
    b, c = motion.position("B"), motion.position("C")
    wanted = np.stack([c[:, 0], b[:, 1] * c[:, 0] / b[:, 0]], axis=1)  # above the piston, on the line of the crank
    found = motion.read("instant_center engine-rod")
    np.testing.assert_allclose(found, wanted, rtol=1e-10)
    speed = motion.read("joint_rate cylinder") / motion.read("joint_rate 'main bearing'")
    np.testing.assert_allclose(motion.read("mechanical_advantage 'main bearing'-cylinder"), 1.0 / speed, rtol=1e-12)
    assert gk.quantity("mechanical_advantage 'main bearing'-cylinder", motion.program).of == (
        "main bearing",
        "cylinder",
    )


def cardan(bend: float) -> gk.Mechanism:
    axis = (np.cos(bend), np.sin(bend), 0.0)
    joints = [
        gk.Joint("in", "R", ("frame", "input"), point=(-1, 0, 0), axis=(1, 0, 0)),
        gk.Joint(
            "cross", "U", ("input", "output"), point=(0, 0, 0), axes=((0, 0, 1), (-np.sin(bend), np.cos(bend), 0.0))
        ),
        gk.Joint("out", "C", ("frame", "output"), point=(0, 0, 0), axis=axis),
    ]
    return gk.Mechanism(3, ["frame", "input", "output"], joints, [gk.Driver("in", gk.Ramp(rate=3.0))])


def test_a_cardan_shaft_has_the_ratio_of_its_angle():
    bend, times = 0.4, np.linspace(0.0, 2.0, 41)
    motion = gk.solve(cardan(bend), times)
    turned = 3.0 * times
    ratio = (1.0 - (np.sin(bend) * np.sin(turned)) ** 2) / np.cos(bend)  # of the input against the output
    other = (1.0 - (np.sin(bend) * np.cos(turned)) ** 2) / np.cos(bend)
    found = motion.joint_rate("in")[0] / motion.joint_rate("out")[1]
    assert np.allclose(found, ratio, atol=1e-12) or np.allclose(found, other, atol=1e-12)
    spin = motion.angular_velocity("output") - motion.angular_velocity("input")
    np.testing.assert_allclose(
        motion.read("screw_direction input-output"), spin / np.linalg.norm(spin, axis=1)[:, None], atol=1e-13
    )
    np.testing.assert_allclose(motion.read("screw_pitch input-output"), 0.0, atol=1e-13)
    np.testing.assert_allclose(np.cross(motion.read("screw_point input-output"), spin), 0.0, atol=1e-12)


def test_a_screw_has_its_pitch_and_axis():
    joint = gk.Joint("nut", "H", ("frame", "nut"), point=(0.3, -0.2, 0.0), axis=(1, 2, 2), pitch=0.01)
    nut = gk.Mechanism(
        3, ["frame", gk.Body("nut", points={"P": (0.5, 0.1, 0.2)})], [joint], [gk.Driver("nut", gk.Ramp(rate=2.0))]
    )
    motion = gk.solve(nut, np.linspace(0.0, 3.0, 13))
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    np.testing.assert_allclose(motion.read("screw_pitch frame-nut"), 0.01, rtol=1e-12)
    np.testing.assert_allclose(motion.read("screw_direction frame-nut"), np.tile(axis, (13, 1)), atol=1e-13)
    off = motion.read("screw_point frame-nut") - np.array([0.3, -0.2, 0.0])
    np.testing.assert_allclose(np.cross(off, axis), 0.0, atol=1e-13)
    arm = np.array([0.5, 0.1, 0.2]) - np.array([0.3, -0.2, 0.0])
    radius = np.linalg.norm(np.cross(arm, axis))
    np.testing.assert_allclose(motion.read("curvature P"), radius / (radius**2 + 0.01**2), rtol=1e-10)  # of a helix
    np.testing.assert_allclose(motion.read("joint_acceleration nut"), 0.0, atol=1e-12)


def test_pressure_angle_of_a_follower_is_that_of_its_cam():
    law = gk.Sequence(
        [gk.Rise("cycloid", 0.012, duration=2.0), gk.Dwell(1.0), gk.Rise("cycloid", -0.012, duration=2 * np.pi - 3.0)]
    )
    follower = gk.Follower("roller", radius=0.008)
    profile = gk.cam_profile(law, follower, 0.03)
    top = 0.03 + 0.008
    joints = [
        gk.Joint("shaft", "R", ("frame", "cam"), point=(0, 0)),
        gk.Joint("contact", "L", ("cam", "follower"), point="P", curve=profile.curve, radius=0.008),
        gk.Joint("guide", "P", ("frame", "follower"), point="P", axis=(0, 1)),
    ]
    bodies, drivers = ["frame", "cam", "follower"], [gk.Driver("shaft", gk.Ramp(rate=1.0))]
    cam = gk.Mechanism(2, bodies, joints, drivers, points={"P": (0.0, top)})
    motion = gk.solve(cam, np.linspace(0.1, 1.9, 37))
    lift, slope, *_ = law.at(motion.times)
    wanted = np.arctan2(np.abs(slope), top + lift)
    np.testing.assert_allclose(motion.read("pressure_angle P-cam"), wanted, atol=1e-9)


def test_relative_motion_is_that_in_the_frame_of_the_other_body():
    motion = gk.solve(gk.load(EXAMPLES / "stewart_inverse.toml"), np.linspace(0.0, 1.0, 21))
    turn = motion.rotation("platform")
    arm = motion.position("P1") - motion.position("platform")
    found = motion.read("relative_position P1-platform")
    np.testing.assert_allclose(found, np.einsum("nij,ni->nj", turn, arm), atol=1e-13)
    np.testing.assert_allclose(motion.read("relative_velocity P1-platform"), 0.0, atol=1e-12)
    np.testing.assert_allclose(motion.read("relative_acceleration P1-platform"), 0.0, atol=1e-10)
    seen = motion.read("relative_position B1-platform")
    np.testing.assert_allclose(
        np.linalg.norm(seen, axis=1),
        np.linalg.norm(motion.position("B1") - motion.position("platform"), axis=1),
        rtol=1e-13,
    )


# --- rates, derivatives, designs and sweeps of all of them ------------------------------------

PLANAR = {
    "distance": "A-P",
    "transmission_angle": "B-C-D",
    "relative_position": "P-crank",
    "relative_angle": "crank-rocker",
    "instant_center": "ground-coupler",
    "centrode": "crank-coupler",
    "curvature": "P",
    "curvature_center": "P",
    "pressure_angle": "P-crank",
    "mechanical_advantage": "A-D",
}
SPATIAL = {
    "distance": "A-B",
    "relative_position": "B-rod",
    "screw_point": "crank-rod",
    "screw_direction": "crank-rod",
    "screw_pitch": "crank-rod",
    "curvature": "B",
    "curvature_center": "B",
    "pressure_angle": "B-slider",
    "mechanical_advantage": "A-guide",
}
CASES = [("four_bar", f"{kind} {of}") for kind, of in PLANAR.items()]
CASES += [("spatial_four_bar", f"{kind} {of}") for kind, of in SPATIAL.items()]


def test_every_kind_is_tried_here():
    assert set(PLANAR) | set(SPATIAL) == set(COMPUTED)
    assert {name for name, kind in KINDS.items() if kind.dimension == 3 and name not in RATES.values()} <= set(SPATIAL)


def chain(text: str) -> list[str]:
    kind, of = text.split(" ", 1)
    found = [kind]
    while found[-1] in RATES:
        found.append(RATES[found[-1]])
    return [f"{each} {of}" for each in found]


@pytest.mark.parametrize(("example", "text"), CASES)
def test_rates_are_derivatives_by_time(example: str, text: str):
    mechanism = gk.load(EXAMPLES / f"{example}.toml")
    step = 1e-5
    motion = gk.solve(mechanism, 0.04 + step * np.arange(-2, 3))
    values = [motion.read(each) for each in chain(text)]
    for value, rate in pairwise(values):
        slope = (value[0] - 8 * value[1] + 8 * value[3] - value[4]) / (12 * step)
        np.testing.assert_allclose(rate[2], slope, rtol=1e-6, atol=1e-6 * max(1e-3, np.abs(value).max()))


def parameters(mechanism: gk.Mechanism) -> list[str]:
    return ["C@coupler.x", "D@ground.y"] if mechanism.dimension == 2 else ["B@crank.x", "B@rod.z"]


@pytest.mark.parametrize(("example", "text"), CASES)
def test_derivatives_by_parameters_agree_with_differences(example: str, text: str):
    mechanism = gk.load(EXAMPLES / f"{example}.toml")
    design = gk.design(mechanism, parameters(mechanism))
    times, step = np.array([0.04, 0.05]), 1e-6
    for each in chain(text):
        exact = design.solve(design.nominal, times, derivatives=True).read(each)
        for k in range(2):
            ways = [design.solve(design.nominal + sign * step * np.eye(2)[k], times).read(each) for sign in (1, -1)]
            slope = (ways[0] - ways[1]) / (2 * step)
            np.testing.assert_allclose(exact[k], slope, rtol=1e-5, atol=1e-5 * max(1.0, np.abs(ways[0]).max()))


@pytest.mark.parametrize(("example", "text"), CASES)
def test_many_designs_have_the_values_of_each(example: str, text: str):
    mechanism = gk.load(EXAMPLES / f"{example}.toml")
    design = gk.design(mechanism, parameters(mechanism))
    times = np.linspace(0.03, 0.06, 4)
    rows = design.nominal + 1e-3 * np.array([[0.0, 0.0], [1.0, -1.0], [-2.0, 1.0]])
    names = chain(text)
    many = design.solve(rows, times, keep=names)
    for k, row in enumerate(rows):
        alone = design.solve(row, times)
        for name in names:
            np.testing.assert_allclose(many.read(name)[k], alone.read(name), rtol=1e-9, atol=1e-9)


def test_outputs_of_them_have_rates():
    mechanism = replace(
        gk.load(EXAMPLES / "four_bar.toml"), outputs={"away": "norm({instant_center ground-coupler}) + {distance A-P}"}
    )
    times = 0.04 + 1e-5 * np.arange(-2, 3)
    motion = gk.solve(mechanism, times)
    away = motion.read("output away")
    slope = (away[0] - 8 * away[1] + 8 * away[3] - away[4]) / 12e-5
    assert motion.read("output_rate away")[2] == pytest.approx(slope, rel=1e-7)
    with pytest.raises(NotModeledError, match="needs the derivative of `instant_center_rate"):
        motion.read("output_acceleration away")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("instant_center coupler", "is written like `instant_center body-body`"),
        ("instant_center ground-coupler.z", "has the components x, y, norm"),
        ("instant_center A-B", "there is no body 'A'"),
        ("screw_pitch ground-coupler", "is of mechanisms in space; in the plane read `instant_center`"),
        ("relative_position P-P", "needs 2 different names"),
        ("mechanical_advantage A-P", "there is no joint 'P'"),
    ],
)
def test_what_there_is_not_is_refused(four_bar: gk.Motion, text: str, said: str):
    with pytest.raises(GroupkinError) as error:
        four_bar.read(text)
    assert said in str(error.value)


def test_a_joint_of_several_freedoms_has_no_advantage():
    motion = gk.solve(gk.load(EXAMPLES / "spatial_four_bar.toml"), [0.0])
    with pytest.raises(QuantityError, match="has not one freedom with a rate"):
        motion.read("mechanical_advantage A-B")


@pytest.mark.parametrize("example", ["spatial_four_bar", "stewart_inverse", "delta_robot", "cam_roller"])
def test_accelerations_of_joints_are_derivatives_of_their_rates(example: str):
    described = gk.read(EXAMPLES / f"{example}.toml")
    step = 1e-5
    motion = gk.solve(described.mechanism, 0.03 + step * np.arange(-2, 3))
    for joint in described.mechanism.joints:
        if described.mechanism.form(joint).curved:
            continue
        rates, found = motion.joint_rate(joint.name), motion.joint_acceleration(joint.name)
        slope = (rates[:, 0] - 8 * rates[:, 1] + 8 * rates[:, 3] - rates[:, 4]) / (12 * step)
        np.testing.assert_allclose(found[:, 2], slope, rtol=1e-6, atol=1e-6 * max(1.0, float(np.abs(rates).max())))
