"""Laws over the coordinate of another driven joint: the chain rule, files, sweeps, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import LawError, NotModeledError, UnknownNameError
from groupkin.mechanism.files.reading import parse
from groupkin.mechanism.files.writing import as_data
from groupkin.mechanism.laws.over import Over

TURN = 2 * np.pi
TIMES = np.linspace(0.0, 2.0, 41)
GRID = np.linspace(-9.0, 15.0, 25)
INDEXING = gk.Sequence([gk.Rise("cycloid", 0.5, 2.0), gk.Dwell(TURN - 2.0)], periodic=True)
FOLLOWERS = [
    gk.Constant(0.4),
    gk.Ramp(-0.3, 0.1),
    gk.Polynomial((0.1, 0.2, -0.05)),
    gk.Harmonic(0.4, 0.3, 0.2, 0.1),
    gk.Fourier(1 / TURN, (0.2, 0.1), (0.3,), 0.1),
    gk.Spline(GRID, np.sin(GRID), degree=5),
    gk.Samples(GRID, np.sin(GRID), np.cos(GRID), -np.sin(GRID)),
    gk.Rise("modified sine", 0.7, 3.0, begin=0.4),
    INDEXING,
]
LEADERS = [gk.Ramp(TURN, 0.3), gk.Ramp(-3.0, 0.2), gk.Constant(0.7), gk.Harmonic(0.8, 0.7), gk.Rise("3-4-5", 4.0, 1.7)]


def machine(leader: gk.Law | None, follower: gk.Law, third: gk.Law | None = None) -> gk.Mechanism:
    bodies = ["frame", "shaft", gk.Body("table", mass=2.0, center=(1.2, 0.0), inertia=0.1), "ram"]
    joints = [
        gk.Joint("crank", "R", ("frame", "shaft"), point=(0.0, 0.0)),
        gk.Joint("swing", "R", ("frame", "table"), point=(1.0, 0.0)),
        gk.Joint("slide", "P", ("frame", "ram"), point=(2.0, 0.0), axis=(0.0, 1.0)),
    ]
    laws = {"swing": follower, "crank": leader, "slide": third or gk.Constant(0.0)}
    return gk.Mechanism(2, bodies, joints, [gk.Driver(joint, law) for joint, law in laws.items()])


@pytest.mark.complete
@pytest.mark.parametrize("follower", FOLLOWERS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("leader", LEADERS, ids=["forward", "backward", "still", "harmonic", "rise"])
def test_a_law_over_a_coordinate_follows_the_chain_rule(leader: gk.Law, follower: gk.Law) -> None:
    law = machine(leader, Over("crank", follower)).driven["swing"][0].law
    assert isinstance(law, Over)
    times, step = np.linspace(0.013, 1.87, 23), 1e-5
    before, here, after = law.at(times - step), law.at(times), law.at(times + step)
    np.testing.assert_allclose(here[0], follower.at(leader.at(times)[0])[0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(here[1:], (after - before)[:2] / (2 * step), atol=3e-7 * (1 + np.abs(here).max()))
    by_chain = law.led_by(leader.at(times))
    np.testing.assert_allclose(here, by_chain, rtol=0, atol=1e-11 * (1 + np.abs(here).max()))
    ahead = isinstance(leader, gk.Ramp) and leader.rate > 0
    if not ahead or not follower.everywhere or isinstance(follower, gk.Fourier):
        assert law.coded is None
    elif not isinstance(follower, gk.Spline):
        assert law.coded is not None


@pytest.mark.smoke
def test_a_chain_of_leaders() -> None:
    lift = Over("swing", gk.Harmonic(0.1, 1.0))
    motion = gk.solve(machine(gk.Ramp(TURN), Over("crank", INDEXING), lift), TIMES)
    swing = INDEXING.at(TURN * TIMES)[0]
    np.testing.assert_allclose(motion.joint("swing")[0], swing, atol=1e-13)
    np.testing.assert_allclose(motion.joint("slide")[0], 0.1 * np.sin(TURN * swing), atol=1e-13)


def test_another_law_of_the_leader_is_followed() -> None:
    one = machine(gk.Ramp(TURN), Over("crank", INDEXING))
    slower = [replace(x, law=gk.Ramp(1.0)) if x.joint == "crank" else x for x in one.drivers]
    assert gk.solve(replace(one, drivers=slower), [3.0]).joint("swing")[0, 0] == pytest.approx(0.5)


# --- files -----------------------------------------------------------------------------------

FILE: dict[str, Any] = {
    "dimension": 2,
    "units": {"length": "mm", "angle": "deg"},
    "bodies": ["frame", "shaft", "table", "ram"],
    "joints": [
        {"name": "crank", "type": "R", "bodies": ["frame", "shaft"], "point": [0, 0]},
        {"name": "main slide", "type": "P", "bodies": ["frame", "ram"], "point": [0, 0], "axis": [0, 1]},
        {"name": "swing", "type": "R", "bodies": ["frame", "table"], "point": [100, 0]},
    ],
}


def read(**follower: Any) -> gk.Mechanism:
    drivers = [
        {"joint": "swing", **follower},
        {"joint": "crank", "law": {"type": "ramp", "rate": 360}},
        {"joint": "main slide", "law": {"type": "harmonic", "amplitude": 20, "frequency": 0.5}},
    ]
    return parse(FILE | {"drivers": drivers})


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ({"type": "cycloid", "rise": 30, "duration": 120, "begin": 60}, [15.0, 30.0]),  # at 120° and 240°
        ({"type": "ramp", "rate": -0.5, "start": 10}, [-50.0, -110.0]),
        ({"type": "polynomial", "coefficients": [1, 0.5, 0.01]}, [205.0, 697.0]),
        ({"type": "harmonic", "amplitude": 8, "frequency": 1 / 480}, [8.0, 0.0]),
        ({"type": "fourier", "frequency": 1 / 360, "cosine": [4]}, [-2.0, -2.0]),
        ({"type": "spline", "times": [0, 120, 240, 360], "values": [0, 5, 9, 0], "periodic": True}, [5.0, 9.0]),
        (
            {
                "type": "samples",
                "times": [0, 240, 999],
                "values": [0, 9, 9],
                "rates": [0] * 3,
                "accelerations": [0] * 3,
            },
            [4.5, 9.0],
        ),
        (
            {
                "type": "sequence",
                "pieces": [
                    {"type": "3-4-5", "rise": 10, "duration": 60},
                    {"type": "constant velocity", "rise": 20, "duration": 60},
                    {"type": "3-4-5", "rise": 10, "duration": 60},
                    {"type": "dwell", "duration": 90},
                ],
            },
            [30.0, 40.0],
        ),
        ({"type": "trapezoid", "rise": 90, "speed": 1, "acceleration": 1 / 90}, [None, 90.0]),
    ],
    ids=lambda law: law["type"] if isinstance(law, dict) else "",
)
@pytest.mark.complete
def test_laws_over_a_joint_in_files_are_in_its_unit(law: dict[str, Any], expected: list[float | None]) -> None:
    mechanism = read(law=law, over="crank")
    found = np.degrees(gk.solve(mechanism, [1 / 3, 2 / 3]).joint("swing")[0])
    for one, other in zip(found, expected, strict=True):
        assert other is None or one == pytest.approx(other, abs=1e-11)
    again = parse(as_data(mechanism))
    for one, other in zip(mechanism.drivers, again.drivers, strict=True):
        np.testing.assert_allclose(one.law.at(TIMES), other.law.at(TIMES), rtol=1e-13, atol=1e-12)  # type: ignore[union-attr]
    if law["type"] in ("cycloid", "harmonic", "sequence", "fourier", "spline"):
        assert again == mechanism
        assert as_data(mechanism)["drivers"][0] == {"joint": "swing", "over": "crank", "law": law} or len(law) > 4


def test_a_law_over_a_displacement_is_in_units_of_length() -> None:
    law = read(over="'main slide'", law={"type": "ramp", "rate": 4}).driven["swing"][0].law
    assert isinstance(law, Over)
    assert law.law.rate == pytest.approx(np.radians(4) * 1000)  # type: ignore[attr-defined]
    assert law.unit("rate", "rad") == "rad/m"
    assert Over("crank", gk.Harmonic(1.0, 2.0)).unit("frequency", "m") == "1/rad"
    assert read(over="main slide", law={"type": "ramp", "rate": 4}).driven["swing"][0].law is not None


def test_a_file_with_a_law_over_a_joint(tmp_path: Path) -> None:
    mechanism = read(law={"type": "cycloid", "rise": 30, "duration": 120}, over="crank")
    gk.save(mechanism, tmp_path / "machine.toml")
    assert 'over = "crank"' in (tmp_path / "machine.toml").read_text()
    assert gk.load(tmp_path / "machine.toml") == mechanism


# --- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leader", "error", "message"),
    [
        ("crnak", UnknownNameError, r"over joint 'crnak', which does not exist \(did you mean crank\?\)"),
        ("crank.x", UnknownNameError, r"over crank.x, but joint 'crank' has no 'x'"),
        ("swing", LawError, r"the laws of joints 'swing' are over each other in a circle; give one a law of time"),
    ],
)
def test_leaders_that_are_refused(leader: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        machine(gk.Ramp(1.0), Over(leader, INDEXING))


def test_a_circle_is_refused_with_its_joints() -> None:
    with pytest.raises(LawError, match=r"joints 'swing', 'crank' are over each other in a circle"):
        machine(Over("swing", INDEXING), Over("crank", INDEXING))


def test_a_leader_without_a_law_is_refused_when_it_is_solved() -> None:
    free = machine(None, Over("crank", INDEXING))
    message = r"is over joint crank, which no law drives; drive that by a law of time, or relate .* a coupling"
    with pytest.raises(LawError, match=message):
        gk.simulate(free, [0.0, 0.1])
    with pytest.raises(LawError, match="is none over crank as well; name one"):
        Over("crank", Over("swing", INDEXING))  # type: ignore[arg-type]


def test_only_drivers_have_laws_over_joints() -> None:
    push = gk.Torque("push", "table", 1.0, Over("crank", INDEXING))
    loaded = replace(machine(gk.Ramp(1.0), INDEXING), forces=[push])
    with pytest.raises(LawError, match=r"over joint crank, which only laws of drivers can be; give it a law of time"):
        gk.inverse_dynamics(loaded, TIMES)


def test_samples_that_do_not_cover_the_leader_are_refused() -> None:
    spline = gk.Spline([0.0, 1.0, 2.0, 3.0], [0.0, 0.1, 0.2, 0.1])
    with pytest.raises(LawError, match=r"samples cover 0 rad to 3 rad, .* requested at joint crank = 12.* rad"):
        gk.solve(machine(gk.Ramp(TURN), Over("crank", spline)), TIMES)


def test_one_of_several_freedoms_is_named() -> None:
    joint = gk.Joint("pose", "FP", ("frame", "plate"))
    other = gk.Joint("A", "R", ("frame", "arm"), point=(1.0, 0.0))
    drivers = [gk.Driver("pose", gk.Ramp(0.1), "x"), gk.Driver("pose", gk.Constant(0.0), "y")]
    drivers += [gk.Driver("pose", gk.Constant(0.0), "angle")]

    def plate(leader: str) -> gk.Mechanism:
        follower = gk.Driver("A", Over(leader, gk.Ramp(2.0)))
        return gk.Mechanism(2, ["frame", "plate", "arm"], [joint, other], [*drivers, follower])

    assert gk.solve(plate("pose.x"), [2.0]).joint("A")[0, 0] == pytest.approx(0.4)
    with pytest.raises(UnknownNameError, match=r"'pose', which has several freedoms: name one, as in pose.x"):
        plate("pose")


def test_a_joint_of_several_bodies_leads_by_its_name() -> None:
    joints = [
        gk.Joint("hub", "R", ("frame", "one", "two"), point=(0.0, 0.0)),
        gk.Joint("A", "R", ("frame", "arm"), point=(1.0, 0.0)),
    ]
    drivers = [
        gk.Driver("hub", gk.Ramp(0.5), between=("frame", "one")),
        gk.Driver("A", Over("hub", gk.Ramp(2.0))),
        gk.Driver("hub", gk.Ramp(0.1), between=("one", "two")),
    ]
    bodies = ["frame", "one", "two", "arm"]
    law = gk.Mechanism(2, bodies, joints, drivers[:2]).driven["A"][0].law
    assert law is not None
    assert law.at([3.0])[0, 0] == pytest.approx(3.0)
    with pytest.raises(UnknownNameError, match=r"'hub', which does not exist \(did you mean hub\(frame, one\) or"):
        gk.Mechanism(2, bodies, joints, drivers)


# --- designs, derivatives, simulations --------------------------------------------------------


def test_numbers_of_leaders_and_followers_vary() -> None:
    machines = machine(gk.Ramp(TURN), Over("crank", INDEXING), Over("swing", gk.Harmonic(0.1, 1.0)))
    design = gk.design(machines, ["rate crank", "rise[0] swing", "duration[0] swing", "amplitude slide"])
    values = np.array([[TURN, 0.5, 2.0, 0.1], [3.0, 0.6, 1.0, 0.2], [-2.0, 0.5, 2.0, 0.1], [TURN, 0.4, 2.0, 0.3]])
    many = design.solve(values, TIMES, keep=["joint swing", "joint slide"])
    for k, (rate, rise, duration, amplitude) in enumerate(values):
        turning = gk.Sequence([gk.Rise("cycloid", rise, duration), INDEXING.pieces[1]], periodic=True)
        lift = Over("swing", gk.Harmonic(amplitude, 1.0))
        expected = gk.solve(machine(gk.Ramp(rate), Over("crank", turning), lift), TIMES)
        one = design.solve(values[k], TIMES)
        for joint in ("swing", "slide"):
            np.testing.assert_allclose(one.joint(joint)[0], expected.joint(joint)[0], atol=1e-12)
            np.testing.assert_allclose(many.read(f"joint {joint}")[k], expected.joint(joint)[0], atol=1e-12)


def test_derivatives_by_laws_over_joints() -> None:
    design = gk.design(machine(gk.Ramp(TURN), Over("crank", INDEXING)), ["rise[0] swing"])
    found = design.solve([0.5], TIMES, derivatives=True).read("angle table")[0]
    np.testing.assert_allclose(found, INDEXING.at(TURN * TIMES)[0] / 0.5, atol=1e-12)
    design = gk.design(machine(gk.Ramp(TURN), Over("crank", INDEXING)), ["rate crank"])
    with pytest.raises(NotModeledError, match=r"law of joint 'crank' are not computed, as .* 'swing' is over"):
        design.solve([TURN], TIMES, derivatives=True).read("angle table")


def test_simulations_with_laws_over_joints() -> None:
    """A leader at constant speed is compiled; another one is evaluated in Python, which simulations do not."""

    def swinging(leader: gk.Law) -> gk.Mechanism:
        whole = machine(leader, Over("crank", INDEXING))
        ram = gk.Body("ram", mass=1.0, center=(2.0, 0.0))
        bodies = [ram if body.name == "ram" else body for body in whole.bodies]  # type: ignore[union-attr]
        return replace(whole, bodies=bodies, drivers=whole.drivers[:2], gravity=(0.0, -9.81))

    found = gk.simulate(swinging(gk.Ramp(1.0)), TIMES)
    np.testing.assert_allclose(found.joint("swing")[0], INDEXING.at(TIMES)[0], atol=1e-12)
    np.testing.assert_allclose(found.joint("slide")[0], -0.5 * 9.81 * TIMES**2, rtol=1e-6, atol=1e-9)
    with pytest.raises(LawError, match="is a law that Python evaluates, which equations of motion cannot"):
        gk.simulate(swinging(gk.Harmonic(1.0, 1.0)), TIMES)
