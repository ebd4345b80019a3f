"""The examples: published structures, a full cycle well away from singular positions, derivatives that fit."""

from __future__ import annotations

import json
import runpy
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import NoGeometryError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files import reading
from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.decomposition import decompose
from tests.support.paths import ROOT

Array = NDArray[np.float64]

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.toml") if path.suffixes == [".toml"])
ANALYZED_ONLY = "micro_manipulator"
SOLVED = [name for name in EXAMPLES if name != ANALYZED_ONLY]
CYCLES = [name for name in SOLVED if name != "double_wishbone"]
"""Those of a full cycle from the reference configuration on; the wheel goes once from rebound to bump."""

PUBLISHED = {
    case["name"]: case for case in json.loads((ROOT / "tests" / "data" / "published_structures.json").read_text())
}


@cache
def read(name: str) -> reading.MechanismFile:
    return reading.read(ROOT / "examples" / f"{name}.toml")


@cache
def solved(name: str) -> Motion:
    example = read(name)
    return solve(example.mechanism, example.motion.times)


def names(mechanism: Mechanism) -> list[str]:
    return list(mechanism.body)


def numbers(mechanism: Mechanism, bodies: tuple[str, ...]) -> list[int]:
    return [1 + names(mechanism).index(body) for body in bodies]


def test_every_published_structure_has_an_example():
    assert set(PUBLISHED) <= set(EXAMPLES)
    assert {"four_bar", "slider_crank"} <= set(EXAMPLES)


GROUPS = {
    "jansen_leg": ["1R2D", "3R2D", "3R2D", "3R2D"],
    "stephenson_six_bar": ["1R2D", "6R2D"],
    "assur_class_three": ["1R2D", "9R2D"],
    "planar_3rrr": ["1R2D", "1R2D", "1R2D", "6R2D"],
    "spatial_3prs": ["1P3D", "1P3D", "1P3D", "3R3S3D"],
    "delta_robot": ["1R3D", "1R3D", "1R3D", "12S3D"],
    "five_rod_suspension": ["10S1F3D"],
    "geared_press": ["1R2D", "1R1EO2D", "3R2D", "2R1P2D"],
}


@pytest.mark.parametrize("name", GROUPS)
def test_groups_are_those_the_files_speak_of(name: str):
    assert [group.label for group in decompose(read(name).mechanism).groups] == GROUPS[name]


JANSEN = {"YV": 41.5, "YU": 39.3, "YW": 40.1, "VW": 55.8, "WT": 39.4, "UT": 36.7, "TS": 65.7, "US": 49.0}
JANSEN |= {"XV": 50.0, "XU": 61.9, "ZX": 15.0}


@pytest.mark.parametrize("ends", JANSEN)
def test_the_leg_has_the_published_lengths(ends: str):
    first, second = (read("jansen_leg").mechanism.positions[name] for name in ends)
    assert 1e3 * np.linalg.norm(second - first) == pytest.approx(JANSEN[ends], abs=1e-9)


def test_the_foot_of_the_leg_is_flat_on_the_ground():
    """What Jansen's lengths are for: during more than a third of a turn the foot stays level within 2 % of its path."""
    foot = solved("jansen_leg").position("S")[:-1]
    low = foot[:, 1] < foot[:, 1].min() + 0.02 * np.ptp(foot[:, 0])
    assert low.mean() > 0.35
    assert np.ptp(foot[low, 0]) > 0.8 * np.ptp(foot[:, 0])


def test_the_platform_of_the_delta_robot_does_not_turn():
    np.testing.assert_allclose(solved("delta_robot").rotation("platform"), np.eye(3)[None].repeat(401, 0), atol=1e-11)


def test_the_pinion_of_the_press_turns_twice_the_other_way():
    press = solved("geared_press")
    np.testing.assert_allclose(press.angle("pinion"), -2 * press.angle("wheel"), rtol=0, atol=1e-12)
    ends = [press.point_on(body, press.program.geometry.points["E"][1]) for body in ("left_rod", "right_rod", "link")]
    np.testing.assert_allclose(ends[1:], [ends[0]] * 2, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", PUBLISHED)
def test_joints_are_the_published_ones(name: str):
    mechanism, published = read(name).mechanism, PUBLISHED[name]
    found = [
        {
            "bodies": numbers(mechanism, joint.bodies),
            "type": joint.type,
            "driven": len(mechanism.driven.get(joint.name, ())),
        }
        for joint in mechanism.joints
    ]
    assert mechanism.dimension == published["dimension"]
    assert numbers(mechanism, (mechanism.frame,)) == [published["frame"]]
    assert sorted(found, key=lambda joint: joint["bodies"]) == sorted(
        published["joints"], key=lambda joint: joint["bodies"]
    )


@pytest.mark.parametrize("name", PUBLISHED)
def test_groups_are_the_published_ones(name: str):
    mechanism = read(name).mechanism
    found = [
        {"bodies": numbers(mechanism, group.bodies), "type": group.label, "depends_on": list(group.depends_on)}
        for group in decompose(mechanism).groups
    ]
    assert found == PUBLISHED[name]["groups"]


def test_the_rotor_is_one_mechanism_with_two_sets_of_drivers():
    first, second = read("rotor_control").mechanism, read("rotor_control_transformed").mechanism
    assert (first.bodies, first.joints, first.points) == (second.bodies, second.joints, second.points)
    assert set(first.driven) != set(second.driven)


def test_the_micro_manipulator_has_no_geometry():
    with pytest.raises(NoGeometryError):
        solve(read(ANALYZED_ONLY).mechanism, [0.0])


@pytest.mark.parametrize("name", CYCLES)
def test_full_cycle_away_from_singular_positions(name: str):
    motion = solved(name)
    assert motion.times.size == read(name).motion.steps
    assert motion.solved.all()
    # least for the Delta robot, 0.037, and the five rods, 0.05: long rods; these are half as large beside an axle
    assert motion.conditioning.min() > (0.02 if name == "rear_axle" else 0.03)
    for body in motion.program.mechanism.movable:
        origin, rotation = motion.position(body), motion.rotation(body)
        np.testing.assert_allclose(origin[-1], origin[0], rtol=0, atol=1e-9 * motion.program.geometry.size)
        np.testing.assert_allclose(rotation[-1], rotation[0], rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", CYCLES)
def test_starts_in_the_reference_configuration(name: str):
    motion = solved(name)
    geometry = motion.program.geometry
    for driven in motion.program.drivers:
        assert driven.law.at([0.0])[0, 0] == pytest.approx(driven.reference, abs=1e-12)
    for body in motion.program.mechanism.movable:
        np.testing.assert_allclose(motion.position(body)[0], geometry.origins[body], rtol=0, atol=1e-12 * geometry.size)
        np.testing.assert_allclose(motion.rotation(body)[0], np.eye(geometry.origins[body].size), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CYCLES)
def test_every_body_moves(name: str):
    motion = solved(name)
    for body in motion.program.mechanism.movable:
        way = np.ptp(motion.position(body), axis=0).max() / motion.program.geometry.size
        turn = np.ptp(motion.rotation(body), axis=0).max()
        assert max(way, turn) > 0.02, body


@pytest.mark.parametrize("name", CYCLES)
def test_drivers_follow_their_laws(name: str):
    motion = solved(name)
    for driven in motion.program.drivers:
        law, value = driven.law.at(motion.times)[0], motion.joint(driven.joint)[driven.freedom]
        np.testing.assert_allclose(value, law, rtol=0, atol=1e-9)
        assert np.ptp(law) > 0.04 * (1.0 if driven.rotation else motion.program.geometry.size)


@pytest.mark.parametrize("name", SOLVED)
def test_derivatives_agree_with_finite_differences(name: str):
    # around some times: central differences of fourth order on a grid so fine that their error is far below 1e-6
    period = read(name).motion.duration
    step, rate = period / 5000, 2 * np.pi / period
    middles = period * np.array([0.0, 0.13, 0.37, 0.5, 0.71, 0.94])
    motion = solve(read(name).mechanism, (middles[:, None] + step * np.arange(-4, 5)).ravel())
    size = motion.program.geometry.size
    for body in motion.program.mechanism.movable:
        origin = motion.position(body), motion.velocity(body), motion.acceleration(body)
        rotation = [motion.rotation_rate(body, order) for order in range(3)]
        for unit, values in ((size, origin), (1.0, rotation)):
            for order in range(2):
                expected = difference(values[order], step)
                found = in_clusters(values[order + 1])[:, 2:-2]
                scale = unit * rate ** (order + 1)
                np.testing.assert_allclose(found / scale, expected / scale, rtol=0, atol=1e-6, err_msg=body)


def in_clusters(values: Array) -> Array:
    return values.reshape(-1, 9, *values.shape[1:])


def difference(values: Array, step: float) -> Array:
    """Fourth-order central differences inside each cluster of times."""
    x = in_clusters(values)
    return (x[:, :-4] - 8 * x[:, 1:-3] + 8 * x[:, 3:-1] - x[:, 4:]) / (12 * step)


def test_a_line_that_evolution_found_is_refined_by_its_gradient():
    """Without the library of the search, from a design as it finds them; the gradient against differences."""
    script = runpy.run_path(str(ROOT / "examples" / "straight_line_evolution.py"))
    x, wave = script["DESIGN"].nominal, script["wave"]
    value, gradient = wave(x)
    step = 1e-5 * np.eye(x.size)
    differences = [(wave(x + h)[0] - wave(x - h)[0]) / 2e-5 for h in step]
    # truncation h² relative to the size of 0.3 m, roundings over h
    np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-5 * np.abs(gradient).max())
    assert wave(script["refined"](x))[0] < 0.1 * value
    np.testing.assert_allclose(script["waves_and_lengths"](x[None])[0, 0], value, rtol=1e-9)


def test_evolution_finds_lines():
    pytest.importorskip("pymoo")
    script = runpy.run_path(str(ROOT / "examples" / "straight_line_evolution.py"))
    designs, aims = script["evolved"](generations=3, population=12)
    assert len(designs) == len(aims)
    assert np.isfinite(aims).all()


def test_a_platform_becomes_better_conditioned_all_over_its_workspace():
    """By a short search; the least conditioning against that of rates of the legs by twists of the platform."""
    script = runpy.run_path(str(ROOT / "examples" / "stewart_dimensions.py"))
    design, x = script["DESIGN"], script["best"](generations=3)
    assert len(script["POSES"]) == 64 + 12 + 1
    legs, least = [f"joint leg_{k}" for k in script["LEGS"]], []
    for values in (design.nominal, script["rows_of"](x[None])[0]):
        jacobian = gk.jacobian(design.solve(values, script["TIMES"]), "twist T", legs)
        least.append(1.0 / jacobian.condition(length=script["RADIUS"]).max())
    assert least[1] > 1.1 * least[0]
    assert least[1] == pytest.approx(script["conditioning"](x[None])[0], rel=1e-9)
