"""Reading a motion: bodies, points, rates and joint coordinates."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.errors import ArgumentError, GeometryError, GroupkinWarning, UnknownNameError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import solve
from groupkin.mechanism.laws.laws import Harmonic, Ramp
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS, freedoms
from tests.support.random_mechanisms import JIT, Workshop, reference_value
from tests.support.shares import in_part

Array = NDArray[np.float64]

FINE = 0.3 + 1e-3 * np.arange(-2, 3)
FIRST, SECOND = np.array([1, -8, 0, 8, -1]) / 12e-3, np.array([-1, 16, -30, 16, -1]) / 12e-6


def crank_and_rod(turns: float = 3.0) -> Mechanism:
    """A four-bar whose crank turns, with a named point on its coupler."""
    points = {"A": (0, 0), "B": (1, 0), "C": (3, 2.5), "D": (4, 0)}
    ends = {"A": ("ground", "crank"), "B": ("coupler", "crank"), "C": ("coupler", "rocker"), "D": ("rocker", "ground")}
    joints = [Joint(name, "R", bodies, point=name) for name, bodies in ends.items()]
    bodies = ["ground", "crank", Body("coupler", points={"P": (2, 3)}), "rocker"]
    return Mechanism(2, bodies, joints, [Driver("A", Ramp(2 * np.pi * turns))], points=points)


@cache
def spatial() -> tuple[Mechanism, Motion]:
    """A floating body that carries another on a driven joint, and a leg to the frame; the first that moves freely."""
    for seed in range(50):
        shop = Workshop(3, np.random.default_rng(seed), amplitude=0.3)
        carrier = shop.moving_body()
        hand = shop.make_tree([(-1, 0, "C*12")], [carrier])[0]
        shop.make_tree([(-1, 0, "U"), (0, 1, "P"), (1, -1, "S")], ["ground", hand])
        mechanism = shop.mechanism()
        motion = solve(mechanism, FINE, on_failure="nan")
        if motion.conditioning.min() > 0.3:
            return mechanism, motion
    raise AssertionError("none of 50 mechanisms can move")


def test_angles_are_unwrapped_over_turns() -> None:
    motion = solve(crank_and_rod(), np.linspace(0.0, 1.0, 200 if JIT else 40))
    crank, rocker = motion.angle("crank"), motion.angle("rocker")
    np.testing.assert_allclose(crank, 2 * np.pi * 3 * motion.times, atol=1e-12)
    np.testing.assert_allclose(motion.joint("A")[0], crank, atol=1e-12)
    # of the second body relative to the first: the crank relative to the coupler
    np.testing.assert_allclose(motion.joint("B")[0], crank - motion.angle("coupler"), atol=1e-12)
    assert np.ptp(rocker) < np.pi  # it swings
    np.testing.assert_allclose(rocker[[0, -1]], 0.0, atol=1e-12)


def test_driven_angles_start_at_their_law_whatever_the_turn() -> None:
    mechanism = Mechanism(
        2,
        ["ground", "arm"],
        [Joint("A", "R", ("ground", "arm"), point=(0, 0))],
        [Driver("A", Ramp(1.0, 4 * np.pi + 0.5))],
    )
    motion = solve(mechanism, [0.0, 1.0])
    np.testing.assert_allclose(motion.joint("A")[0], 4 * np.pi + np.array([0.5, 1.5]), atol=1e-12)


@pytest.mark.smoke
def test_rates_in_the_plane() -> None:
    motion = solve(crank_and_rod(0.2), FINE)
    for body in ("crank", "coupler", "rocker"):
        # five-point differences: truncation 1e-12 times a high derivative of order 10, rounding 1e-16 / 1e-6
        assert motion.angular_velocity(body)[2] == pytest.approx(FIRST @ motion.angle(body), abs=1e-8)
        assert motion.angular_acceleration(body)[2] == pytest.approx(SECOND @ motion.angle(body), abs=1e-7)
    for point in ("B", "C", "P", "coupler"):
        np.testing.assert_allclose(motion.velocity(point)[2], FIRST @ motion.position(point), atol=1e-8)
        np.testing.assert_allclose(motion.acceleration(point)[2], SECOND @ motion.position(point), atol=1e-7)


@pytest.mark.smoke
def test_rates_in_space() -> None:
    mechanism, motion = spatial()
    for body in mechanism.movable:
        turn = motion.rotation(body)
        np.testing.assert_allclose(turn @ np.swapaxes(turn, 1, 2), np.tile(np.eye(3), (5, 1, 1)), atol=1e-13)
        np.testing.assert_allclose(np.linalg.det(turn), 1.0)
        whirl = np.tensordot(FIRST, turn, 1) @ turn[2].T  # ω as an antisymmetric matrix
        omega = np.array([whirl[2, 1], whirl[0, 2], whirl[1, 0]])
        np.testing.assert_allclose(motion.angular_velocity(body)[2], omega, atol=1e-8)
        alpha = FIRST @ motion.angular_velocity(body)
        np.testing.assert_allclose(motion.angular_acceleration(body)[2], alpha, atol=1e-8)
        np.testing.assert_allclose(motion.rotation_rate(body, 2)[2], np.tensordot(SECOND, turn, 1), atol=1e-7)
        np.testing.assert_allclose(motion.velocity(body)[2], FIRST @ motion.position(body), atol=1e-8)
        np.testing.assert_allclose(motion.acceleration(body)[2], SECOND @ motion.position(body), atol=1e-7)


def test_the_frame_stands_still() -> None:
    _, motion = spatial()
    np.testing.assert_array_equal(motion.rotation("ground"), np.tile(np.eye(3), (5, 1, 1)))
    for read in (motion.position, motion.velocity, motion.acceleration, motion.angular_velocity):
        np.testing.assert_array_equal(read("ground"), np.zeros((5, 3)))


def test_points_of_the_frame_can_be_read() -> None:
    motion = solve(crank_and_rod(), [0.0, 0.1])
    np.testing.assert_array_equal(motion.position("A"), np.zeros((2, 2)))
    np.testing.assert_allclose(motion.position("D"), [[4, 0], [4, 0]], atol=1e-14)
    np.testing.assert_allclose(motion.velocity("D"), 0.0, atol=1e-12)


FORMS = [(d, s, p.plane if d == 2 else p.space) for d in (2, 3) for s, p in PAIRS.items() if p.modeled]
MODELED = [(d, s) for d, s, own in FORMS if own and not own.curved]  # curves are tested with the cams


@pytest.mark.parametrize("reverse", [0.0, 1.0])
@pytest.mark.parametrize(("dimension", "symbol"), in_part(MODELED, 3))
def test_every_driven_freedom_follows_its_law(dimension: int, symbol: str, reverse: float) -> None:
    """On a moving body, so that also drivers between two moving bodies are meant."""
    shop = Workshop(dimension, np.random.default_rng(1), amplitude=0.4)
    carrier = shop.moving_body()
    numbers = "".join(str(k + 1) for k in range(len(freedoms(symbol, dimension))))
    shop.make_tree([(-1, 0, f"{symbol}*{numbers}")], [carrier], reverse)
    mechanism = shop.mechanism()
    motion = solve(mechanism, np.linspace(0.0, 3.0, 61 if JIT else 7))
    for driver in mechanism.drivers:
        joint = next(joint for joint in mechanism.joints if joint.name == driver.joint)
        names = [freedom.name for freedom in mechanism.freedoms(joint)]
        value = motion.joint(driver.joint)[names.index(driver.freedom or names[0])]
        assert driver.law is not None
        np.testing.assert_allclose(value, driver.law.at(motion.times)[0], atol=1e-12)


PARTLY = [
    (3, "C*1", "C*2"), (3, "C*2", "C*1"), (3, "S*1", "S*23"), (3, "S*2", "S*13"), (3, "S*3", "S*12"), (3, "U*1", "U*2"),
]  # fmt: skip


@pytest.mark.parametrize(("dimension", "code", "rest"), PARTLY)
def test_single_driven_freedoms_in_a_loop_follow_their_law(dimension: int, code: str, rest: str) -> None:
    """The other freedoms of the joint are free and closed by a loop: driven and free ones are not confused."""
    free = {"C": ("U", "S"), "S": ("U", "U"), "U": ("U", "S")}[code[0]]
    for seed in range(40):
        shop = Workshop(dimension, np.random.default_rng(seed), amplitude=0.1)
        carrier = shop.moving_body()
        spare = 6 - (3 if code[0] == "S" else 2) + 1 - sum({"U": 2, "S": 3}[x] for x in free)
        chain = [(-1, 0, code), (0, 1, free[0]), (1, -1, free[1])]
        if spare > 0:  # one more revolute joint makes the loop close
            chain = [(-1, 0, code), (0, 1, free[0]), (1, 2, free[1]), (2, -1, "R")]
        if spare < 0:
            continue
        shop.make_tree(chain, [carrier, "ground"])
        mechanism = shop.mechanism()
        motion = solve(mechanism, np.linspace(0.0, 0.5, 11 if JIT else 3), on_failure="nan")
        if motion.solved.all():
            break
    else:
        pytest.fail("no loop could be moved")
    driver = mechanism.drivers[-1]
    joint = next(joint for joint in mechanism.joints if joint.name == driver.joint)
    index = [freedom.name for freedom in mechanism.freedoms(joint)].index(str(driver.freedom))
    assert driver.law is not None
    found = motion.joint(joint.name)
    np.testing.assert_allclose(found[index], driver.law.at(motion.times)[0], atol=1e-9)
    assert np.ptp(np.delete(found, index, axis=0), axis=1).min() > 1e-3  # the free ones move as the loop wants


def test_coordinates_start_at_their_reference() -> None:
    shop = Workshop(3, np.random.default_rng(5), amplitude=0.2)
    body = shop.moving_body()
    shop.make_tree([(-1, 0, "U"), (0, 1, "P"), (1, -1, "S")], ["ground", body])
    mechanism = shop.mechanism()
    motion = solve(mechanism, [0.0])
    for joint in mechanism.joints:
        expected = [reference_value(joint, freedom.name) for freedom in mechanism.freedoms(joint)]
        np.testing.assert_allclose(motion.joint(joint.name)[:, 0], expected, atol=1e-12)


def test_some_steps_of_a_motion() -> None:
    motion = solve(crank_and_rod(), np.linspace(0.0, 1.0, 11))
    some = motion.at(np.array([0, 5]))
    np.testing.assert_array_equal(some.times, motion.times[[0, 5]])
    np.testing.assert_array_equal(some.position("P"), motion.position("P")[[0, 5]])
    np.testing.assert_array_equal(some.conditioning, motion.conditioning[:, [0, 5]])


@pytest.mark.parametrize(
    ("read", "name", "message"),
    [
        ("position", "rokker", "there is no body or point 'rokker'; did you mean rocker"),
        ("velocity", "Q", "there is no body or point 'Q'"),
        ("rotation", "couple", "there is no body or point 'couple'; did you mean coupler"),
        ("angular_velocity", "P", "'P' is a point, not a body; it is on body 'coupler': read that one"),
        ("rotation", "A", "'A' is a point, not a body; it is on body 'crank'"),
        ("position", None, "the name of a body or point is needed, not None"),
        ("acceleration", ["P"], r"the name of a body or point is needed, not \['P'\]"),
        ("joint", "E", "there is no joint 'E'"),
    ],
)
def test_unknown_names_are_refused(read: str, name: str, message: str) -> None:
    motion = solve(crank_and_rod(), [0.0])
    with pytest.raises(UnknownNameError, match=message):
        getattr(motion, read)(name)


def test_joints_are_no_points() -> None:
    joint = Joint("A", "R", ("ground", "arm"), point=(0, 0))
    motion = solve(Mechanism(2, ["ground", "arm"], [joint], [Driver("A", Ramp(1.0))]), [0.0])
    with pytest.raises(UnknownNameError, match="'A' is a joint, not a body or point: name its point"):
        motion.position("A")


def test_the_origin_of_a_body_may_be_a_point_of_none() -> None:
    joint = Joint("A", "R", ("ground", "arm"), point=(0, 0))
    bodies = ["ground", Body("arm", origin="Q")]
    motion = solve(Mechanism(2, bodies, [joint], [Driver("A", Ramp(1.0))], points={"Q": (1, 0)}), [0.0])
    np.testing.assert_array_equal(motion.position("arm"), [[1.0, 0.0]])
    with pytest.raises(UnknownNameError, match="point 'Q' is on no body: name it in the `points` of one"):
        motion.position("Q")


def test_any_point_of_a_body_can_be_read() -> None:
    motion = solve(crank_and_rod(0.2), FINE)
    for order, read in enumerate((motion.position, motion.velocity, motion.acceleration)):
        np.testing.assert_array_equal(motion.point_on("coupler", [2, 3], order), read("P"))


@pytest.mark.parametrize("local", [[1.0, 2.0, 3.0], [1.0, np.nan], "P"])
def test_points_of_a_wrong_size_are_refused(local: object) -> None:
    motion = solve(crank_and_rod(0.2), [0.0])
    with pytest.raises(GeometryError, match=r"local, a point on body 'coupler', must be 2 (finite )?numbers, not"):
        motion.point_on("coupler", local)  # type: ignore[arg-type]


def test_arguments_of_another_kind_are_refused() -> None:
    motion = solve(crank_and_rod(0.2), [0.0])
    for local in (1.0, None):
        with pytest.raises(ArgumentError, match=f"local must be a list of numbers or an array, not {local}"):
            motion.point_on("coupler", local)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="name must be a text, not None"):
        motion.joint(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_an_angle_has_the_turns_that_its_rate_tells(way: float) -> None:
    motion = solve(crank_and_rod(1.0), way * np.linspace(0.0, 9.0, 8))  # more than a turn per step
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(motion.angle("crank"), 2 * np.pi * motion.times, atol=1e-11)
        motion.angle("ground")


def test_an_angle_has_the_turns_of_steps_that_failed() -> None:
    motion = solve(crank_and_rod(1.0), np.linspace(0.0, 3.0, 31))
    motion.q[:, 3:28] = motion.v[:, 3:28] = np.nan
    expected = 2 * np.pi * motion.times
    expected[3:28] = np.nan
    np.testing.assert_allclose(motion.angle("crank"), expected, atol=1e-11)


def test_an_angle_that_may_lack_turns_is_doubted() -> None:
    mechanism = crank_and_rod(1.0)

    def to_and_fro(amplitude: float, n: int) -> Motion:
        law = Harmonic(amplitude, 1.0)
        return solve(replace(mechanism, drivers=[Driver(mechanism.drivers[0].joint, law)]), np.linspace(0.0, 1.0, n))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for motion in (to_and_fro(30.0, 200), to_and_fro(30.0, 8)):  # eight steps are solved with others in between
            np.testing.assert_allclose(motion.angle("crank"), motion.driver(0)[0], atol=1e-11)
    with pytest.warns(GroupkinWarning, match="the angle of body 'crank' changes so much"):
        to_and_fro(1e6, 8).angle("crank")  # too many would be needed


def test_a_motion_is_printed_in_one_line() -> None:
    motion = solve(crank_and_rod(1.0), np.linspace(0.0, 1.0, 11))
    assert repr(motion) == "<Motion of mechanism: 3 movable bodies, 11 steps from 0 s to 1 s>"
    motion.status[1, 3:5] = 1
    assert repr(motion).endswith("11 steps from 0 s to 1 s, 2 not solved>")
    assert repr(motion.at(np.array([], int))) == "<Motion of mechanism: 3 movable bodies, 0 steps>"
    assert repr(motion.program) == "<Program of mechanism: driven R, RRR>"
    assert repr(motion.program.structure) == "<Structure of mechanism: 2 groups: 1 1R2D, 2 3R2D>"


def test_bodies_in_space_have_no_angle() -> None:
    mechanism, motion = spatial()
    with pytest.raises(UnknownNameError, match="moves in space: read its rotation matrix"):
        motion.angle(mechanism.movable[0])


def test_a_driver_between_two_moving_bodies() -> None:
    """The angle between two arms is driven, and so is that of the first: their sum is that of the second."""
    joints = [
        Joint("A", "R", ("ground", "first"), point=(0, 0)),
        Joint("B", "R", ("first", "second"), point=(1, 0), reference=0.5),
    ]
    laws = Harmonic(0.4, 1.0), Harmonic(0.7, 0.3, offset=0.5)
    drivers = [Driver(name, law) for name, law in zip("AB", laws, strict=True)]
    mechanism = Mechanism(2, ["ground", "first", "second"], joints, drivers)
    times = np.linspace(0.0, 2.0, 21)
    motion = solve(mechanism, times)
    first, second = (law.at(times) for law in laws)
    np.testing.assert_allclose(motion.angle("second"), first[0] + second[0] - 0.5, atol=1e-12)
    np.testing.assert_allclose(motion.angular_velocity("second"), first[1] + second[1], atol=1e-12)
    np.testing.assert_allclose(motion.angular_acceleration("second"), first[2] + second[2], atol=1e-11)


def test_driven_angles_follow_their_drivers_however_coarse_the_steps() -> None:
    joint = Joint("A", "R", ("ground", "crank"), point=(0, 0))
    mechanism = Mechanism(2, ["ground", "crank"], [joint], [Driver("A", Ramp(2 * np.pi))])
    times = np.array([0.0, 0.75, 1.5, 4.0])
    # the rotation matrix gives the angle to rounding
    np.testing.assert_allclose(solve(mechanism, times).joint("A")[0], 2 * np.pi * times, atol=1e-14 * 8 * np.pi)
