"""Assembly modes: how many there are, that they are solutions, which go together, and that a chosen one is followed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import groupkin as gk
from groupkin.errors import ArgumentError, FileError, ModeError
from groupkin.kinematics.modes.mode_listing import as_data, notes
from groupkin.kinematics.modes.modes import configuration
from tests.support.mechanisms import crank_rocker
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import JIT
from tests.support.triads import triad

Array = NDArray[np.float64]

SOLVED = 1e-10  # Newton's method ends at rounding errors; what is no solution misses by far more

SLOW = gk.Ramp(1.0)


def residual(mechanism: gk.Mechanism, modes: dict[Any, int]) -> float:
    """Of the motion's first step, at time 0."""
    return gk.max_residual(gk.solve(mechanism, [0.0], modes=modes))


# --- closed forms ----------------------------------------------------------------------------


@pytest.mark.smoke
def test_four_bar_has_two_modes_mirrored_about_its_diagonal() -> None:
    found = gk.assembly_modes(crank_rocker(SLOW), 0.5)
    assert (found.count, found.complete, [mode.number for mode in found.of(2)]) == (2, True, [1, 2])
    crank = np.array([np.cos(0.5), np.sin(0.5)])
    diagonal = np.array([4.0, 0.0]) - crank
    diagonal /= np.linalg.norm(diagonal)
    mirror = 2.0 * np.outer(diagonal, diagonal) - np.eye(2)
    ends = [
        gk.solve(crank_rocker(SLOW), [0.5], modes={"rocker": number}).position("rocker")[0] - crank for number in (1, 2)
    ]  # C, where the rocker's first joint is
    np.testing.assert_allclose(mirror @ ends[0], ends[1], atol=1e-14)
    for number, end in zip((1, 2), ends, strict=True):
        np.testing.assert_allclose(found.of(2)[number - 1].poses["rocker"][0] - crank, end, atol=1e-14)


def test_slider_crank_reaches_to_either_side() -> None:
    mechanism = gk.load(EXAMPLES / "slider_crank.toml")
    found = gk.assembly_modes(mechanism)
    pistons = [mode.poses["piston"][0] for mode in found.of(2)]
    # crank upright, 50 mm, rod 130 mm: 120 mm to the right or to the left
    np.testing.assert_allclose(pistons, [[0.12, 0.0], [-0.12, 0.0]], atol=1e-15)
    assert found.modes[0].poses["crank"][1].tolist() == np.eye(2).tolist()


def test_legs_of_a_stewart_platform_have_four_modes_each_that_go_together() -> None:
    mechanism = gk.load(EXAMPLES / "stewart_inverse.toml")
    found = gk.assembly_modes(mechanism, 0.3)
    assert [len(found.of(group)) for group in range(1, 8)] == [1, 4, 4, 4, 4, 4, 4]
    assert (found.count, found.complete) == (4**6, True)
    for number in (2, 3, 4):
        modes = {"rod_1": number, 5: 5 - number}
        motion = gk.solve(mechanism, [0.3], modes=modes)
        assert gk.max_residual(motion) < 1e-13
        assert motion.joint("leg_1")[0, 0] * gk.solve(mechanism, [0.3]).joint("leg_1")[0, 0] * (-1) ** number < 0
        expected = found.of(2)[number - 1].poses["rod_1"][1]
        np.testing.assert_allclose(motion.rotation("rod_1")[0], expected, atol=1e-13)


def test_what_does_not_assemble_is_not_listed() -> None:
    mechanism = crank_rocker(gk.Ramp(np.pi), rocker=1.5)
    assert gk.assembly_modes(mechanism, 0.0).count == 2
    found = gk.assembly_modes(mechanism, 1.0)  # ends 5 apart, 4.7 reached
    assert (found.count, found.of(2), len(found.of(1))) == (0, (), 1)
    assert not found.assembles({"rocker": 1})


def six_bar() -> gk.Mechanism:
    """A four-bar whose rocker carries a second dyad that is out of reach where the rocker is below the frame."""
    first = crank_rocker(SLOW)
    c = first.positions["C"]
    joints = [
        *first.joints,
        gk.Joint("E", "R", ("rocker", "link"), point="C"),
        gk.Joint("F", "R", ("link", "lever"), point=(c[0] + 1.0, c[1] + 0.3)),
        gk.Joint("G", "R", ("lever", "ground"), point=(c[0] + 1.2, c[1] - 1.0)),
    ]
    return gk.Mechanism(2, [*first.body, "link", "lever"], joints, first.drivers, points=first.points)


def test_a_combination_that_does_not_assemble() -> None:
    mechanism = six_bar()
    found = gk.assembly_modes(mechanism)
    linked = found.linked[1]
    assert (linked.groups, linked.combinations) == ((2, 3), ((1, 1), (1, 2)))
    assert found.assembles({"rocker": 1, "lever": 2})
    assert not found.assembles({"rocker": 2, "lever": 1})
    assert not found.assembles({2: 2})
    assert len(found.of(2)) == 2
    with pytest.raises(gk.GroupkinError, match=r"group 3 \(link, lever; 3R2D\) at t = 0 s cannot be assembled"):
        gk.solve(mechanism, [0.0], modes={"rocker": 2})


# --- the plane triad -------------------------------------------------------------------------


@pytest.mark.skipif(not JIT, reason="dozens of motions")
def test_modes_of_a_triad_are_followed() -> None:
    times, paths = np.linspace(0.0, 0.2, 11), []
    listed = ((mechanism, gk.assembly_modes(mechanism).of(4)) for mechanism in map(triad, range(40)))
    # far from where two modes meet and end
    mechanism, modes = next(x for x in listed if len(x[1]) > 2 and min(mode.conditioning for mode in x[1]) > 0.1)
    for mode in modes:
        motion = gk.solve(mechanism, times, modes={4: mode.number})
        assert gk.max_residual(motion) < SOLVED
        assert gk.compare(motion).agree
        paths.append(np.concatenate([motion.rotation(body)[-1].ravel() for body in mode.poses]))
    gaps = np.abs(np.array(paths)[:, None] - np.array(paths)).max(axis=2) + np.eye(len(paths))
    assert gaps.min() > 1e-3


@pytest.mark.skipif(not JIT, reason="dozens of motions")
def test_modes_that_appear_on_the_way_have_no_number() -> None:
    """Two modes may come to be where there was none; then no mode of the reference configuration leads there."""
    time = 0.6
    listed = ((mechanism, gk.assembly_modes(mechanism, time)) for mechanism in (triad(k, 0.6) for k in range(30)))
    mechanism, found = next(x for x in listed if len({mode.number == 0 for mode in x[1].modes}) == 2)
    modes = found.of(4)
    assert all(mode.number == 0 for mode in modes[-1:])
    reached = {}
    for number in range(1, 1 + len(gk.assembly_modes(mechanism).of(4))):
        motion = gk.solve(mechanism, [time], modes={4: number}, on_failure="nan")
        if motion.solved[0]:
            reached[number] = np.concatenate([motion.rotation(body)[0].ravel() for body in modes[0].poses])
    for mode in modes:
        here = np.concatenate([rotation.ravel() for _, rotation in mode.poses.values()])
        leading = [number for number, there in reached.items() if np.abs(there - here).max() < 1e-9]
        assert (min(leading) if leading else 0) == mode.number
    assert "–: no mode of the reference configuration leads there, so it cannot be chosen" in notes(found)
    data = as_data(found)["groups"][3]["modes"]
    assert [mode["mode"] or 0 for mode in data] == [mode.number for mode in modes]


# --- groups solved by search -----------------------------------------------------------------


@pytest.mark.skipif(not JIT, reason="a search takes thousands of iterations")
class TestForwardStewartPlatform:
    mechanism = gk.load(EXAMPLES / "stewart_forward.toml")

    @pytest.mark.exhaustive
    def test_modes_are_distinct_solutions(self) -> None:
        found = gk.assembly_modes(self.mechanism)
        modes = found.of(1)
        assert (found.searched, found.complete) == ({1}, False)
        assert [mode.number for mode in modes] == list(range(1, len(modes) + 1))
        poses = np.array([np.concatenate([x.ravel() for pose in m.poses.values() for x in pose]) for m in modes])
        gaps = np.abs(poses[:, None] - poses).max(axis=2) + np.eye(len(poses))
        assert gaps.min() > 1e-3
        np.testing.assert_allclose(modes[0].poses["platform"][1], np.eye(3), atol=1e-12)
        for number in (2, len(modes)):
            assert residual(self.mechanism, {"platform": number}) < SOLVED
        # legs are rods, which stay on the side they are on
        places = {tuple(np.round([*m.poses["platform"][0], *m.poses["platform"][1].ravel()], 4) + 0.0) for m in modes}
        expected = {tuple(np.round(place, 4) + 0.0) for place in self.platforms()}
        assert places == expected
        assert len(modes) == len(expected)

    def platforms(self) -> list[Array]:
        """First leg's end and rotation of the platform, (12,), where all six legs have their lengths; nothing else."""
        place = {name: np.array(at) for name, at in self.mechanism.points.items()}
        feet, tops = (np.array([place[f"{kind}{k}"] for k in range(1, 7)]) for kind in "BP")
        center, rng, found = tops.mean(axis=0), np.random.default_rng(0), []
        lengths = np.linalg.norm(tops - feet, axis=1)

        def gap(x: Array) -> Array:
            turned = Rotation.from_rotvec(x[3:]).apply(tops - center)
            return np.linalg.norm(turned + x[:3] - feet, axis=1) - lengths

        for _ in range(300):
            start = np.concatenate([rng.uniform(-0.6, 0.6, 3), rng.normal(size=3) * 2])
            end = least_squares(gap, start, method="lm", xtol=1e-15)
            if end.cost < 1e-24:
                turn = Rotation.from_rotvec(end.x[3:]).as_matrix()
                found.append(np.concatenate([end.x[:3] + turn @ (tops[0] - center), turn.ravel()]))
        return found

    @pytest.mark.exhaustive
    def test_a_mode_is_followed(self) -> None:
        motion = gk.solve(self.mechanism, np.linspace(0.0, 0.3, 61), modes={"rod_3": 2})
        assert gk.max_residual(motion) < SOLVED
        assert gk.compare(motion).agree
        assert np.abs(motion.rotation("platform")[0] - np.eye(3)).max() > 0.1

    def test_modes_at_a_time_have_the_numbers_of_those_that_lead_there(self) -> None:
        mechanism = gk.load(EXAMPLES / "spatial_four_bar.toml")
        time = 0.3
        found = gk.assembly_modes(mechanism, time).of(2)
        assert len(found) >= 2
        for mode in found:
            motion = gk.solve(mechanism, [time], modes={2: mode.number})
            for body, (origin, rotation) in mode.poses.items():
                np.testing.assert_allclose(motion.position(body)[0], origin, atol=1e-9)
                np.testing.assert_allclose(motion.rotation(body)[0], rotation, atol=1e-9)


@pytest.mark.skipif(not JIT, reason="a search takes thousands of iterations")
def test_a_group_after_one_in_another_mode_is_found_again() -> None:
    """Rotor control: group 4, solved by iteration, hangs on group 1, whose sleeve is elsewhere in mode 2."""
    mechanism = gk.load(EXAMPLES / "rotor_control.toml")
    motion = gk.solve(mechanism, np.linspace(0.0, 0.2, 41), modes={"sleeve": 2})
    assert motion.program.modes == {1: 2}
    assert gk.max_residual(motion) < SOLVED
    assert abs(motion.position("sleeve")[0, 2] - gk.solve(mechanism, [0.0]).position("sleeve")[0, 2]) > 0.1


# --- choosing --------------------------------------------------------------------------------


def test_mode_one_is_the_reference_configuration() -> None:
    plain, chosen = gk.program(crank_rocker(SLOW)), gk.program(crank_rocker(SLOW), modes={"rocker": 1, 1: 1})
    assert chosen.modes == {}
    for first, second in zip(plain.calls, chosen.calls, strict=True):
        np.testing.assert_array_equal(first.constants, second.constants)
    for body, (origin, rotation) in configuration(plain).items():
        np.testing.assert_allclose(origin, plain.geometry.origins[body], atol=1e-15)
        np.testing.assert_allclose(rotation, np.eye(2), atol=1e-15)


@pytest.mark.parametrize("key", ["rocker", "coupler", 2, "2"])
def test_a_group_is_named_by_its_bodies_or_its_number(key: str | int) -> None:
    times = np.linspace(0.0, 1.0, 5)
    motion = gk.solve(crank_rocker(SLOW), times, modes={key: 2})
    assert motion.program.modes == {2: 2}
    assert motion.position("rocker")[0, 1] < 0
    assert gk.compare(motion).agree


def test_modes_of_the_mechanism_and_of_the_call() -> None:
    mechanism, below = (
        replace(crank_rocker(SLOW), modes={"rocker": 2}),
        gk.solve(crank_rocker(SLOW), [0.5], modes={2: 2}),
    )
    np.testing.assert_array_equal(gk.solve(mechanism, [0.5]).q, below.q)
    above = gk.solve(mechanism, [0.5], modes={"coupler": 1})
    np.testing.assert_array_equal(above.q, gk.solve(crank_rocker(SLOW), [0.5]).q)
    program = gk.program(mechanism)
    np.testing.assert_array_equal(gk.solve(program, [0.5]).q, below.q)
    # a program counts from the reference configuration, whatever mode it is in
    np.testing.assert_array_equal(gk.solve(program, [0.5], modes={2: 2}).q, below.q)
    np.testing.assert_array_equal(gk.solve(program, [0.5], modes={2: 1}).q, above.q)
    for described in (mechanism, program):
        listed = gk.assembly_modes(described)
        assert [mode.number for mode in listed.of(2)] == [1, 2]
        np.testing.assert_allclose(listed.of(2)[0].poses["rocker"][1], np.eye(2), atol=1e-15)


@pytest.mark.parametrize(
    ("modes", "message"),
    [
        ({"rocker": 3}, r"group 2 \(coupler, rocker; 3R2D\) has 2 assembly modes, no mode 3"),
        ({"crank": 2}, r"group 1 \(crank; 1R2D\) has 1 assembly mode, no mode 2"),
        (
            {"rokcer": 2},
            r"'rokcer' is neither a movable body nor the number of a group \(1 to 2\); did you mean rocker",
        ),
        ({"ground": 1}, "'ground' is neither a movable body"),
        ({3: 1}, "3 is neither a movable body"),
        ({"rocker": 0}, "'rocker' must be a number from 1 on, not 0"),
        ({"rocker": 1, "coupler": 2}, "is given two assembly modes, 1 and 2"),
    ],
)
def test_wrong_modes_are_refused(modes: dict[Any, Any], message: str) -> None:
    with pytest.raises(ModeError, match=message):
        gk.program(crank_rocker(SLOW), modes=modes)


def test_a_mode_that_was_not_found_is_refused() -> None:
    number = gk.assembly_modes(triad(0)).count + 1
    with pytest.raises(ModeError, match=rf"{number - 1} assembly modes exist with .*, no mode {number}"):
        gk.program(triad(0), modes={4: number})


FILE = """
dimension = 2
bodies = ["ground", "crank", "coupler", "rocker"]
modes = { rocker = 2 }
joints = [
  { name = "A", type = "R", bodies = ["ground", "crank"], point = [0, 0] },
  { name = "B", type = "R", bodies = ["crank", "coupler"], point = [1, 0] },
  { name = "C", type = "R", bodies = ["coupler", "rocker"], point = [3, 2] },
  { name = "D", type = "R", bodies = ["rocker", "ground"], point = [4, 0] },
]
drivers = [{ joint = "A", law = { type = "ramp", rate = 1 } }]
"""


def test_a_file_may_choose_modes(tmp_path: Path) -> None:
    path = tmp_path / "four_bar.toml"
    path.write_text(FILE)
    mechanism = gk.load(path)
    assert gk.program(mechanism).modes == {2: 2}
    assert gk.solve(mechanism, [0.0]).position("rocker")[0, 1] < 0
    path.write_text(FILE.replace("rocker = 2", "rocker = 0"))
    with pytest.raises(FileError, match=r"modes.rocker: must be greater than or equal to 1, not 0"):
        gk.load(path)


WATT = """
name = "Watt's six-bar whose rocker drives a wheel"
dimension = 2
units = { length = "cm" }
points = { A = [0, 0], B = [0, 2], C = [7, 5], D = [6, 0], E = [10, 3], F = [15, 5], G = [14, 0], W = [14, -4] }
bodies = ["frame", "crank", "coupler", "bell", "rod", "rocker", "wheel"]
joints = [
  { name = "A", type = "R", bodies = ["frame", "crank"], point = "A" },
  { name = "B", type = "R", bodies = ["crank", "coupler"], point = "B" },
  { name = "C", type = "R", bodies = ["coupler", "bell"], point = "C" },
  { name = "D", type = "R", bodies = ["frame", "bell"], point = "D" },
  { name = "E", type = "R", bodies = ["bell", "rod"], point = "E" },
  { name = "F", type = "R", bodies = ["rod", "rocker"], point = "F" },
  { name = "G", type = "R", bodies = ["frame", "rocker"], point = "G" },
  { name = "W", type = "R", bodies = ["frame", "wheel"], point = "W" },
  { name = "teeth", type = "EO", bodies = ["rocker", "wheel"], points = ["G", "W"], radii = [3, 1] },
]
drivers = [{ joint = "A", law = { type = "ramp", rate = 1.0 } }]
"""


def test_the_group_that_does_not_assemble_is_named_not_the_one_after_it(tmp_path: Path) -> None:
    file = tmp_path / "watt.toml"
    file.write_text(WATT)
    with pytest.raises(ModeError, match=r"group 3 \(rod, rocker; 3R2D\) cannot be assembled in these modes .* group 4"):
        gk.program(gk.load(file), modes={"coupler": 2})


def test_modes_are_a_mapping() -> None:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    with pytest.raises(ArgumentError, match="modes must be a mapping, not"):
        gk.solve(mechanism, [0.0], modes=[2])  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"modes\['rocker'\] must be a whole number, not 1\.0"):
        gk.solve(mechanism, [0.0], modes={"rocker": 1.0})  # type: ignore[dict-item]


def test_printed_it_is_a_table() -> None:
    listing = gk.assembly_modes(gk.load(EXAMPLES / "four_bar.toml"))
    lines = str(listing).splitlines()
    assert repr(listing) == str(listing)
    assert lines[0].endswith("2 configurations")
    assert lines[2].split()[:4] == ["group", "bodies", "mode", "conditioning"]
    assert len(lines) == 6
    assert "coupler turned -106.3°; rocker turned 106.3°, C moved 200 mm" in lines[-1]
