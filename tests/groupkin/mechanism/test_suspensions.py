"""What is read of suspensions, against wheels that are placed by equations of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

import groupkin as gk
from groupkin.errors import GroupkinError
from groupkin.mechanism.files.reading import parse
from tests.support.examples import EXAMPLES

Points = dict[str, np.ndarray]
STEP = 2e-4
"""Of the travel, m, for differences of order 4: errors of 1e-11 of the slopes."""

TRAVEL = np.array([-0.07, -0.03, 0.0, 0.02, 0.06])
EXACT = 1e-9


def placed(points: Points, closed: Callable[[Callable[[str], np.ndarray]], list[float]], travel: float) -> Points:
    """Place the points of a carrier at a travel of the wheel's center, by equations (5,) of its joints."""

    def moved(x: np.ndarray) -> Callable[[str], np.ndarray]:
        turn = Rotation.from_rotvec(x[3:])
        return lambda name: points["W"] + x[:3] + turn.apply(points[name] - points["W"])

    def residual(x: np.ndarray) -> list[float]:
        return [*closed(moved(x)), float(x[2] - travel)]

    found, _, status, message = fsolve(residual, np.array([0, 0, travel, 0, 0, 0]), xtol=1e-15, full_output=True)
    assert status == 1 or np.abs(residual(found)).max() < 1e-14, message
    for _ in range(2):  # Newton's steps to rounding
        jacobian = np.array(
            [(np.array(residual(found + 1e-7 * e)) - residual(found - 1e-7 * e)) / 2e-7 for e in np.eye(6)]
        ).T
        found = found - np.linalg.solve(jacobian, residual(found))
    at = moved(found)
    return {name: at(name) for name in points}


def read(points: Points, wheel: dict[str, Any]) -> dict[str, float]:
    """Angles and offsets of a wheel on the left by the definitions of ISO 8855:2011."""
    n = points[wheel["axis"]] - points[wheel["center"]]
    n = n / np.linalg.norm(n)
    contact = points[wheel["contact"]]
    forward = np.cross(n, [0.0, 0.0, 1.0])  # trace of the wheel plane on the ground
    found = {"camber": -np.arcsin(n[2]), "toe": np.arctan2(-forward[1], forward[0]), "half_track": contact[1]}
    lower, upper = (points[name] for name in wheel["steering"])
    k = (upper - lower) / (upper - lower)[2]
    ground = lower + (contact[2] - lower[2]) * k
    return found | {
        "caster": np.arctan(-k[0]),
        "kingpin_inclination": np.arctan(-k[1]),
        "trail": ground[0] - contact[0],
        "scrub_radius": contact[1] - ground[1],
    }


def slopes(of: Callable[[float], np.ndarray], travel: float) -> np.ndarray:
    """Differentiate by the travel, by differences of order 4."""
    a, b, c, d = (of(travel + k * STEP) for k in (-2, -1, 1, 2))
    return np.asarray((a - 8 * b + 8 * c - d) / (12 * STEP))


def check(
    mechanism: gk.Mechanism, points: Points, closed: Any, wheel: dict[str, Any], still: Points | None = None
) -> None:
    """Compare all outputs at all travels; some points stay where they are."""

    def at_travel(x: float) -> Points:
        return placed(points, closed, x) | (still or {})

    span = float(TRAVEL[-1] - TRAVEL[0])
    travel_law = gk.Ramp(start=float(TRAVEL[0]), rate=span)
    drivers = [replace(each, law=travel_law) if each.joint == "wheel" else each for each in mechanism.drivers]
    motion = gk.solve(replace(mechanism, drivers=drivers), (TRAVEL - TRAVEL[0]) / span)
    for step, travel in enumerate(TRAVEL):
        wanted = read(at_travel(travel), wheel)

        def contact(x: float) -> np.ndarray:
            return at_travel(x)[wheel["contact"]]

        def angles(x: float) -> np.ndarray:
            found = read(at_travel(x), wheel)
            return np.array([found["camber"], found["toe"]])

        at, slope, turning = contact(travel), slopes(contact, travel), slopes(angles, travel)
        wanted["roll_center_height"] = at[1] * slope[1] / slope[2]
        wanted["camber_gain"], wanted["bump_steer"] = turning / slope[2]
        if "brake_share" in wheel:
            wanted["anti_dive"] = wheel["brake_share"] * wheel["wheelbase"] / wheel["height"] * slope[0] / slope[2]
        for name, value in wanted.items():
            assert motion.read(f"output {name}")[step] == pytest.approx(value, abs=EXACT, rel=EXACT), (name, travel)


def apart(points: Points, pairs: list[tuple[str, np.ndarray]]) -> Callable[[Any], list[float]]:
    """Equations that points of the carrier keep their distances from points of the body."""
    lengths = [float(np.linalg.norm(points[name] - end)) for name, end in pairs]
    return lambda at: [float(np.linalg.norm(at(name) - end)) - x for (name, end), x in zip(pairs, lengths, strict=True)]


def test_a_double_wishbone():
    mechanism = gk.load(EXAMPLES / "double_wishbone.toml")
    fixed = mechanism.positions
    points = {name: fixed[name] for name in ("W", "N", "T", "LB", "UB", "RO")}
    pairs = [("LB", fixed["LF"]), ("LB", fixed["LR"]), ("UB", fixed["UF"]), ("UB", fixed["UR"]), ("RO", fixed["RI"])]
    wheel = {"center": "W", "axis": "N", "contact": "T", "steering": ("LB", "UB")}
    wheel |= {"wheelbase": 2.7, "height": 0.52, "brake_share": 0.65}
    check(mechanism, points, apart(points, pairs), wheel)


STRUT: dict[str, Any] = {
    "dimension": 3,
    "units": {"length": "mm"},
    "points": {
        "W": [0, 740, 300], "N": [-3, 840, 304], "T": [2, 742, 0], "LF": [170, 350, 180], "LR": [-160, 340, 185],
        "LB": [10, 700, 170], "S": [-8, 640, 480], "TOP": [-25, 590, 860], "RI": [-140, 310, 240],
        "RO": [-125, 690, 230],
    },
    "bodies": ["chassis", "arm", "tie rod", "piston", {"name": "upright", "points": ["W", "N", "T"]}],
    "joints": [
        {"name": "arm", "type": "R", "bodies": ["chassis", "arm"], "axis": ["LF", "LR"]},
        {"name": "ball", "type": "S", "bodies": ["arm", "upright"], "point": "LB"},
        {"name": "strut", "type": "P", "bodies": ["upright", "piston"], "point": "S", "axis": ["S", "TOP"]},
        {"name": "top", "type": "S", "bodies": ["chassis", "piston"], "point": "TOP"},
        {"name": "inner", "type": "S", "bodies": ["chassis", "tie rod"], "point": "RI"},
        {"name": "outer", "type": "S", "bodies": ["tie rod", "upright"], "point": "RO"},
        {"name": "wheel", "type": "F", "bodies": ["chassis", "upright"], "point": "W"},
    ],
    "drivers": [{"joint": "wheel", "freedom": "z", "law": {"type": "ramp", "rate": 100}}],
    "suspension": {"center": "W", "axis": "N", "contact": "T", "steering": ["LB", "TOP"]},
}  # fmt: skip


def test_a_macpherson_strut():
    mechanism = parse(STRUT)
    fixed = mechanism.positions
    points = {name: fixed[name] for name in ("W", "N", "T", "LB", "RO", "S")}
    points["E"] = fixed["S"] + (fixed["TOP"] - fixed["S"])  # another point of the strut's axis on the carrier
    held = apart(points, [("LB", fixed["LF"]), ("LB", fixed["LR"]), ("RO", fixed["RI"])])
    across = np.linalg.svd((fixed["TOP"] - fixed["S"])[None])[2][1:]

    def closed(at: Any) -> list[float]:
        way, away = at("E") - at("S"), fixed["TOP"] - at("S")
        return [*held(at), *(across @ np.cross(way, away)) / np.linalg.norm(way)]

    wheel = {"center": "W", "axis": "N", "contact": "T", "steering": ("LB", "TOP")}
    check(mechanism, points, closed, wheel, {"TOP": fixed["TOP"]})


def test_five_rods():
    mechanism = gk.load(EXAMPLES / "five_rod_suspension.toml")
    own = {
        "T": (0.0, 0.745, -0.3),
        "K1": (0.01, 0.7, -0.1),
        "K2": (-0.02, 0.65, 0.2),
        "N": tuple(mechanism.points["N"]),
    }
    bodies = [replace(body, points=own) if body.name == "carrier" else body for body in mechanism.body.values()]
    points = {k: x for k, x in mechanism.points.items() if k != "N"}
    wheel = {"center": "W", "axis": "N", "contact": "T", "steering": ("K1", "K2")}
    joints = [replace(each, name="wheel") if each.name == "travel" else each for each in mechanism.joints]
    drivers = [replace(each, joint="wheel") for each in mechanism.drivers]
    whole = replace(
        mechanism, bodies=bodies, joints=joints, drivers=drivers, points=points, outputs={},
        suspensions=[gk.Suspension(**wheel)],
    )  # fmt: skip
    fixed = whole.positions
    moving = {name: fixed[name] for name in ("W", "N", "T", "K1", "K2", *(f"B{k}" for k in range(1, 6)))}
    pairs = [(f"B{k}", fixed[f"A{k}"]) for k in range(1, 6)]
    check(whole, moving, apart(moving, pairs), wheel)


def test_the_screw_axis_of_a_wheel_that_is_steered_is_that_of_its_balls():
    mechanism = gk.load(EXAMPLES / "double_wishbone.toml")
    joints = [each for each in mechanism.joints if each.name != "wheel"]
    drivers = [gk.Driver("lower", gk.Constant(0.0)), gk.Driver("rack", gk.Ramp(rate=0.05))]
    names = {"center": "W", "axis": "N", "contact": "T"}
    wheels = [
        gk.Suspension(**names, steering=("LB", "UB"), name="balls"),
        gk.Suspension(**names, steering="screw", carrier="upright", name="screw"),
    ]
    steered = replace(mechanism, joints=joints, drivers=drivers, outputs={}, suspensions=wheels)
    motion = gk.solve(steered, np.linspace(0.0, 1.0, 6))
    for name in ("caster", "kingpin_inclination", "trail", "scrub_radius"):
        np.testing.assert_allclose(motion.read(f"output screw_{name}"), motion.read(f"output balls_{name}"), atol=1e-10)


def test_the_wheel_on_the_right_is_the_mirror_image(tmp_path: Any):
    corner = replace(gk.load(EXAMPLES / "double_wishbone.toml"), drivers=[])
    rates = [gk.Driver(f"{side}/wheel", gk.Ramp(start=-0.05, rate=0.1), "z") for side in ("left", "right")]
    locked = [gk.Driver(f"{side}/rack", gk.Constant(0.0)) for side in ("left", "right")]
    parts = [gk.Part(corner, "left"), gk.Part(corner, "right", mirror="y")]
    axle = gk.Mechanism(3, ["chassis"], [], [*rates, *locked], parts=parts)
    motion = gk.solve(axle, np.linspace(0.0, 1.0, 6))
    assert "left_anti_dive" in axle.outputs
    for name in axle.outputs:
        if name.startswith("left_"):
            other = motion.read(f"output right_{name.removeprefix('left_')}")
            np.testing.assert_allclose(motion.read(f"output {name}"), other, atol=1e-11, err_msg=name)
    gk.save(axle, tmp_path / "axle.toml")
    again = gk.load(tmp_path / "axle.toml")
    assert again == replace(axle, name="axle") or again == axle
    assert again.own_outputs == {}


def test_in_the_frame_of_a_vehicle_that_moves():
    mechanism = gk.load(EXAMPLES / "double_wishbone.toml")
    names = {"center": "W", "axis": "N", "contact": "T", "steering": ("LB", "UB")}
    bodies = [gk.Body("ground"), *mechanism.body.values()]
    joints = [gk.Joint("car", "F", ("ground", "chassis"), point=(0, 0, 0)), *mechanism.joints]
    freedoms = ("x", "y", "z", "angle_x", "angle_y", "angle_z")
    drivers = [gk.Driver("car", gk.Ramp(rate=0.2), freedom) for freedom in freedoms]
    driving = replace(
        mechanism, bodies=bodies, joints=joints, drivers=[*mechanism.drivers, *drivers], outputs={}, frame="ground",
        suspensions=[gk.Suspension(**names, body="chassis")],
    )  # fmt: skip
    times = np.linspace(0.0, 0.5, 6)
    still, moving = gk.solve(mechanism, times), gk.solve(driving, times)
    for name in driving.outputs:
        np.testing.assert_allclose(
            moving.read(f"output {name}"), still.read(f"output {name}"), atol=1e-10, err_msg=name
        )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"center": "Q"}, "suspension '': there is no point 'Q'"),
        ({"steering": "screw"}, "a screw axis is that of its `carrier`"),
        ({"steering": "screw", "carrier": "hub"}, "there is no body 'hub'"),
        ({"wheelbase": 2000}, "anti-dive needs `wheelbase`, `height` and `brake_share`"),
        ({"axis": "T"}, "must point to the left (y) or right"),
        ({"spring": ["LB"]}, "spring"),
    ],
)
def test_what_is_no_suspension_is_refused(changes: dict[str, Any], said: str):
    data = {**STRUT, "suspension": {**STRUT["suspension"], **changes}}
    if changes.get("axis"):
        data["points"] = {**STRUT["points"], "T": [2, 740, 0]}
    with pytest.raises(GroupkinError) as error:
        parse(data)
    assert said in str(error.value)


def test_outputs_of_two_wheels_need_names():
    other = {**STRUT["suspension"], "contact": "LB"}
    with pytest.raises(GroupkinError, match="has an output 'half_track', as the mechanism has"):
        parse({**STRUT, "suspension": [STRUT["suspension"], other]})


# --- by the driver of the travel, and the wheel rate --------------------------------------------

RATIOS = ("camber_gain", "bump_steer", "roll_center_height", "motion_ratio", "anti_dive")
STIFFNESS, FREE = 30e3, 0.4
"""Of a spring, N/m, and its length without load, m."""


def wishbone(at_rest: float | None = None, **stated: Any) -> gk.Mechanism:
    """A front wheel, maybe standing at a travel."""
    mechanism = gk.load(EXAMPLES / "double_wishbone.toml")
    wheels = [replace(mechanism.suspensions[0], **stated)]
    made = replace(mechanism, outputs=mechanism.own_outputs, suspensions=wheels)
    if at_rest is None:
        return made
    laws = {"z": gk.Constant(at_rest)}
    drivers = [replace(each, law=laws.get(each.freedom, gk.Constant(0.0))) for each in made.drivers]
    return replace(made, drivers=drivers)


@pytest.mark.parametrize("body", [False, True])
def test_by_travel_they_are_the_ratios_of_rates(body: bool):
    times = np.linspace(0.0, 1.0, 6)
    by_travel, by_rates = (gk.solve(wishbone(**stated), times) for stated in ({"travel": "wheel.z"}, {}))
    if body:  # of a chassis that is not the frame but stands on it
        data = wishbone(travel="wheel.z", body="chassis")
        joints = [gk.Joint("car", "F", ("ground", "chassis"), point=(0, 0, 0)), *data.joints]
        freedoms = ("x", "y", "z", "angle_x", "angle_y", "angle_z")
        drivers = [*data.drivers, *(gk.Driver("car", gk.Ramp(rate=0.2), freedom) for freedom in freedoms)]
        bodies = [gk.Body("ground"), *data.body.values()]
        by_travel = gk.solve(
            replace(data, bodies=bodies, joints=joints, drivers=drivers, frame="ground", outputs=data.own_outputs),
            times,
        )
    for name in RATIOS:
        found, expected = (motion.read(f"output {name}") for motion in (by_travel, by_rates))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12, err_msg=name)


def test_at_rest_they_are_those_of_the_moving_wheel():
    moving = wishbone(spring_rate=STIFFNESS)
    (step,) = gk.solve(moving, [0.55]).joint("wheel")[2]
    standing = gk.solve(wishbone(float(step), travel="wheel.z", spring_rate=STIFFNESS), [0.0])
    assert not standing.velocity("T").any()
    for name in (*RATIOS, "wheel_rate"):
        expected = gk.solve(moving, [0.55]).read(f"output {name}")
        np.testing.assert_allclose(standing.read(f"output {name}"), expected, rtol=1e-9, err_msg=name)


def test_without_travel_a_wheel_at_rest_is_refused_with_the_remedy():
    standing = gk.solve(wishbone(0.01), [0.0])
    with pytest.raises(
        GroupkinError, match=r"motion_ratio.*if the wheel stands still, state `travel` of its suspension"
    ):
        standing.read("output motion_ratio")


def test_the_wheel_rate_is_the_slope_of_the_force_at_the_wheel():
    """The spring's power is that of the force at the wheel: F_w = F i; its slope by the travel, by differences."""
    motion = gk.solve(wishbone(spring_rate=STIFFNESS, free_length=FREE), np.linspace(0.0, 1.0, 2001))
    force = STIFFNESS * (FREE - motion.read("distance SL-SU")) * motion.read("output motion_ratio")
    travel, step = motion.position("T")[:, 2], 1
    slope = (force[2 * step :] - force[: -2 * step]) / (travel[2 * step :] - travel[: -2 * step])
    # differences of order 2 over 0.08 mm
    np.testing.assert_allclose(motion.read("output wheel_rate")[step:-step], slope, rtol=1e-6)
    plain = gk.solve(wishbone(spring_rate=STIFFNESS), motion.times)
    np.testing.assert_array_equal(plain.read("output wheel_rate"), STIFFNESS * plain.read("output motion_ratio") ** 2)


def test_many_wheels_at_rest_are_as_single_ones():
    standing = wishbone(0.01, travel="wheel.z", spring_rate=STIFFNESS)
    design = gk.design(standing, ["RO@upright.z"])
    kept = [f"output {name}" for name in (*RATIOS, "wheel_rate")]
    values = design.nominal + np.array([[0.0], [0.005]])
    many = design.solve(values, [0.0, 1.0], keep=kept)
    for k, one in enumerate(values):
        single = gk.solve(design.mechanism(one), [0.0, 1.0])
        for text in kept:
            np.testing.assert_allclose(many.read(text)[k], single.read(text), rtol=1e-9, err_msg=text)


def test_springs_and_travel_in_files_and_parts(tmp_path: Any):
    stated = wishbone(spring_rate=STIFFNESS, free_length=FREE)
    gk.save(stated, tmp_path / "wheel.toml")
    assert "spring_rate = 30, free_length = 400" in (tmp_path / "wheel.toml").read_text()  # N/mm, mm
    assert gk.load(tmp_path / "wheel.toml").suspensions == stated.suspensions
    corner = replace(wishbone(travel="wheel.z", spring_rate=STIFFNESS), drivers=[])
    drivers = [gk.Driver(f"{side}/wheel", gk.Constant(0.02), "z") for side in ("left", "right")]
    drivers += [gk.Driver(f"{side}/rack", gk.Constant(0.0)) for side in ("left", "right")]
    parts = [gk.Part(corner, "left"), gk.Part(corner, "right", mirror="y")]
    motion = gk.solve(gk.Mechanism(3, ["chassis"], [], drivers, parts=parts), [0.0])
    for name in (*RATIOS, "wheel_rate"):
        left, right = (motion.read(f"output {side}_{name}") for side in ("left", "right"))
        np.testing.assert_allclose(left, right, rtol=1e-9, err_msg=name)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"spring": None, "spring_rate": STIFFNESS}, "`spring_rate` needs `spring`"),
        ({"free_length": FREE}, "`free_length` needs `spring_rate`"),
        ({"travel": "wheel.z", "spring_rate": STIFFNESS, "free_length": FREE}, "leave out `free_length`"),
    ],
)
def test_refused_springs(stated: dict[str, Any], said: str):
    with pytest.raises(GroupkinError) as error:
        wishbone(**stated)
    assert said in str(error.value)


def test_a_travel_that_nothing_drives_is_refused():
    with pytest.raises(GroupkinError, match=r"there is no driven freedom 'wheel\.x'"):
        gk.solve(wishbone(travel="wheel.x"), [0.0])
