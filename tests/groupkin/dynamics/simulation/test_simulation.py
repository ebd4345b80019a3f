"""Motion under forces against elliptic functions, published problems, energy and small oscillations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ellipj, ellipk

import groupkin as gk
from groupkin.errors import (
    ArgumentError,
    ForceError,
    LawError,
    MassError,
    NotDeterminedError,
    SimulationError,
    TimesError,
    UnknownNameError,
)
from tests.support.examples import described
from tests.support.loaded import loaded
from tests.support.mechanisms import crank_rocker, four_bar
from tests.support.shares import in_part
from tests.support.squeezer import ACCELERATION, ANGLE, AT_LAST, BETA, MULTIPLIERS, RATE, squeezer

Array = NDArray[np.float64]

GRAVITY = 9.81


def pendulum(**changes: object) -> gk.Mechanism:
    """A point mass of 2 kg, 0.8 m from its hinge, that hangs down in the reference configuration."""
    arm = gk.Body("arm", mass=2.0, center=(0.0, -0.8))
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))
    return gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -GRAVITY), **changes)  # type: ignore[arg-type]


@pytest.mark.smoke
@pytest.mark.parametrize("swing", [0.3, 1.5, 3.0])
def test_a_pendulum_swings_by_elliptic_functions(swing: float) -> None:
    w, k = np.sqrt(GRAVITY / 0.8), np.sin(0.5 * swing)
    times = np.linspace(0.0, 6.0, 41)
    motion = gk.simulate(pendulum(), times, {"pin": swing}, rtol=1e-12)
    sn = ellipj(w * times + ellipk(k**2), k**2)[0]
    assert np.allclose(motion.joint("pin")[0], 2 * np.arcsin(k * sn), rtol=0, atol=1e-9)


def test_a_pendulum_goes_over_the_top() -> None:
    w, rate = np.sqrt(GRAVITY / 0.8), 9.0  # 2 w would just reach the top
    k = 2 * w / rate
    times = np.linspace(0.0, 5.0, 41)
    motion = gk.simulate(pendulum(), times, {"pin": (0.0, rate)}, rtol=1e-12)
    assert k < 1.0
    assert np.allclose(motion.joint("pin")[0], 2 * ellipj(w * times / k, k**2)[3], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("rtol", "error"), [(1e-8, 3e-6), (1e-13, 1e-11)])
def test_the_squeezer_of_andrews(rtol: float, error: float) -> None:
    motion = gk.simulate(squeezer(), np.linspace(0.0, AT_LAST, 7), rtol=rtol)
    found = [motion.driver(0)[k, -1] for k in range(3)]
    assert abs(found[0] + BETA - ANGLE) < error
    assert abs(found[1] / RATE - 1.0) < error
    assert abs(found[2] / ACCELERATION - 1.0) < 100 * error
    forces = gk.inverse_dynamics(motion)
    assert np.abs(forces.driver("O")).max() < 1e-9  # of a torque of 0.033 N m: nothing drives it
    for body, expected in MULTIPLIERS.items():
        pairs = [joint for joint in motion.program.mechanism.joints if joint.of and joint.of.name == "E"]
        signs = {joint.name: (joint.bodies[1] == body) - (joint.bodies[0] == body) for joint in pairs}
        found = sum(sign * forces.reaction(name).force[-1] for name, sign in signs.items())
        assert np.allclose(found, expected, rtol=0, atol=1e4 * error)


FREED = ["four_bar", "jansen_leg", "slider_crank", "stephenson_six_bar", "spatial_four_bar", "geared_press"]


@pytest.mark.parametrize("name", in_part(FREED, 3))
def test_energy_is_kept_and_nothing_drives_what_is_free(name: str) -> None:
    mechanism = loaded(described(name).mechanism)
    springs = [replace(x, damping=0.0) for x in mechanism.forces if isinstance(x, gk.Spring | gk.JointSpring)]
    freed = replace(mechanism, drivers=[replace(driver, law=None) for driver in mechanism.drivers], forces=springs)
    motion = gk.simulate(freed, np.linspace(0.0, 0.02, 4), rtol=1e-10)
    forces = gk.inverse_dynamics(motion)
    total = forces.energy().total
    scale = max(np.abs(part).max() for part in forces.energy())
    assert np.ptp(total) < 1e-8 * scale
    largest = max(np.abs(x).max() for x in forces.reactions.values())
    bound = 1e-9 * largest * motion.program.geometry.size
    assert all(np.abs(x).max() < bound for x in forces.drivers.values())


def test_driven_and_free_coordinates_mix() -> None:
    """A pendulum on a slide that is driven: in the slide's frame its weight is inclined."""
    cart, arm = gk.Body("cart", mass=5.0, center=(0.0, 0.0)), gk.Body("arm", mass=2.0, center=(0.0, -0.8))
    slide = gk.Joint("slide", "P", ("frame", "cart"), point=(0.0, 0.0), axis=(1.0, 0.0))
    pin = gk.Joint("pin", "R", ("cart", "arm"), point=(0.0, 0.0))
    law = gk.Polynomial((0.0, 0.0, 1.5))  # 3 m/s²
    mechanism = gk.Mechanism(2, ["frame", cart, arm], [slide, pin], [gk.Driver("slide", law)], gravity=(0.0, -GRAVITY))
    tilt = -np.arctan2(3.0, GRAVITY)
    motion = gk.simulate(mechanism, np.linspace(0.0, 2.0, 9), {"pin": tilt}, rtol=1e-11)
    assert np.allclose(motion.joint("pin")[0], tilt, atol=1e-10)
    rest = gk.simulate(mechanism, np.linspace(0.0, 2.0, 81), rtol=1e-11)
    w = np.hypot(GRAVITY, 3.0) / 0.8
    energy = 0.5 * rest.joint_rate("pin")[0] ** 2 - w * np.cos(rest.joint("pin")[0] - tilt)
    assert np.ptp(energy) < 1e-8 * w


def test_free_drivers_are_added_where_they_lack() -> None:
    motion = gk.simulate(replace(crank_rocker(), drivers=[], bodies=_heavy(), gravity=(0.0, -9.81)), [0.0, 0.1])
    assert [driver.joint for driver in motion.program.mechanism.drivers] == ["A"]
    flying = gk.Mechanism(
        2,
        ["frame", gk.Body("stone", mass=1.0, center=(0.0, 0.0), inertia=0.1)],
        [gk.Joint("flight", "FP", ("frame", "stone"), points=((0.0, 0.0), (0.0, 0.0)))],
        gravity=(0.0, -9.81),
    )
    start = {"flight.x": (0.0, 3.0), "flight.y": (0.0, 4.0), "flight.angle": (0.0, 5.0)}
    times = np.linspace(0.0, 1.0, 5)
    x, y, angle = gk.simulate(flying, times, start).joint("flight")
    assert np.allclose(x, 3 * times)
    assert np.allclose(y, 4 * times - 0.5 * 9.81 * times**2)
    assert np.allclose(angle, 5 * times)


def _heavy() -> list[gk.Body | str]:
    links = ("crank", "coupler", "rocker")
    return ["ground", *(gk.Body(name, mass=1.0, center="middle", inertia=0.1) for name in links)]


@pytest.mark.parametrize("method", ["explicit", "implicit", "DOP853", "Radau", "LSODA"])
def test_methods_agree(method: str) -> None:
    damper = gk.JointSpring("damper", "pin", damping=0.4)
    times = np.linspace(0.0, 2.0, 5)
    motion = gk.simulate(pendulum(forces=[damper]), times, {"pin": 1.0}, method=method, rtol=1e-9)
    reference = gk.simulate(pendulum(forces=[damper]), times, {"pin": 1.0}, rtol=1e-12)
    assert np.allclose(motion.joint("pin"), reference.joint("pin"), rtol=0, atol=1e-6)


def test_equilibrium_and_small_oscillations() -> None:
    rest = gk.equilibrium(pendulum(), {"pin": 0.4})
    assert rest.stable
    assert abs(rest.position[0]) < 1e-10
    w = np.sqrt(GRAVITY / 0.8)
    assert rest.vibration_modes().frequencies[0] == pytest.approx(w / (2 * np.pi), rel=1e-8)
    assert abs(gk.equilibrium(pendulum(), {"pin": 3.0}).position[0]) < 1e-10
    top = gk.equilibrium(pendulum(), {"pin": np.pi})
    assert not top.stable
    assert top.position[0] == pytest.approx(np.pi)
    assert sorted(np.linalg.eigvals(top.state_space()).real) == pytest.approx([-w, w])


def test_frequencies_are_those_of_simulated_small_oscillations() -> None:
    """A four-bar on a spring with oil, over a period: swings of 1e-3 rad and half of it, to 1e-8 of them."""
    mechanism = replace(
        crank_rocker(),
        drivers=[gk.Driver("A")],
        bodies=_heavy(),
        gravity=(0.0, -9.81),
        forces=[gk.JointSpring("torsion", "A", None, 90.0), gk.JointSpring("damper", "D", damping=0.5)],
    )
    rest = gk.equilibrium(mechanism)
    modes = rest.vibration_modes()
    assert rest.stable
    assert 0.0 < modes.damping[0] < 1.0
    times = np.linspace(0.0, 1.0 / modes.frequencies[0], 9)

    def swing(apart: float) -> np.ndarray:
        """Odd powers of the swing, by its first one."""
        ahead, behind = (
            gk.simulate(mechanism, times, {"A": float(rest.position[0]) + start}, rtol=1e-13).joint("A")[0]
            for start in (apart, -apart)
        )
        return (ahead - behind) / (2.0 * apart)

    pole = -modes.damping[0] + 1j * np.sqrt(1 - modes.damping[0] ** 2)
    pole *= 2 * np.pi * modes.frequencies[0] / pole.imag
    expected = (np.exp(pole * times) * (1 + 1j * pole.real / pole.imag)).real
    # of two swings the third power cancels out as well
    assert np.allclose((4.0 * swing(5e-4) - swing(1e-3)) / 3.0, expected, rtol=0, atol=1e-8)


def test_masses_and_stiffness_of_a_double_pendulum() -> None:
    first = gk.Body("first", mass=1.0, center=(0.0, -1.0))
    second = gk.Body("second", mass=1.0, center=(0.0, -2.0))
    joints = [
        gk.Joint("A", "R", ("frame", "first"), point=(0.0, 0.0)),
        gk.Joint("B", "R", ("first", "second"), point=(0.0, -1.0)),
    ]
    double = gk.Mechanism(2, ["frame", first, second], joints, gravity=(0.0, -GRAVITY))
    found = gk.linearize(double)
    assert found.coordinates == ("A", "B")
    assert np.allclose(found.mass, [[5.0, 2.0], [2.0, 1.0]])
    assert np.allclose(found.stiffness, GRAVITY * np.array([[3.0, 1.0], [1.0, 1.0]]), atol=1e-6)
    expected = np.sqrt(GRAVITY * (2 - np.sqrt(2) * np.array([1.0, -1.0]))) / (2 * np.pi)
    assert np.allclose(found.vibration_modes().frequencies, expected, rtol=1e-8)


def test_what_cannot_be_simulated_is_refused_with_its_remedy() -> None:
    times = [0.0, 1.0]
    with pytest.raises(SimulationError, match="has 1 driver, each with a law, so nothing is free"):
        gk.simulate(loaded(crank_rocker()), times)
    with pytest.raises(MassError, match="no mass moves with the free coordinate A"):
        gk.simulate(replace(crank_rocker(), drivers=[gk.Driver("A")]), times)
    for wrong in ([0.0], [1.0, 0.0], [0.0, np.nan]):
        with pytest.raises(TimesError, match="at least two times that increase"):
            gk.simulate(pendulum(), wrong)
    for tolerances in ({"rtol": 0.0}, {"rtol": 1.0}, {"atol": 0.0}, {"atol": np.inf}):
        with pytest.raises(ArgumentError, match="rtol must be from"):
            gk.simulate(pendulum(), times, **tolerances)
    with pytest.raises(UnknownNameError, match=r"no freedom 'pim' of a joint \(did you mean pin\?\)"):
        gk.simulate(pendulum(), times, {"pim": 1.0})
    with pytest.raises(ArgumentError, match="start names 'B', which is not free; free coordinates: A"):
        gk.simulate(replace(crank_rocker(), drivers=[gk.Driver("A")], bodies=_heavy()), times, {"B": 1.0})
    with pytest.raises(ArgumentError, match="must be a value, or a value and a rate"):
        gk.simulate(pendulum(), times, {"pin": [1.0, 2.0, 3.0]})
    with pytest.raises(NotDeterminedError, match="over-driven"):
        gk.simulate(replace(crank_rocker(), drivers=[gk.Driver("A"), gk.Driver("D")]), times)


def test_freedoms_that_counting_does_not_see_are_free() -> None:
    """A four-bar in space, whose hinges are parallel, and a truss of two rods."""
    plane = replace(crank_rocker(), bodies=_heavy(), gravity=(0.0, -9.81))
    hinges = [
        gk.Joint(joint.name, "R", joint.bodies, point=(*plane.points[joint.name], 0.0), axis=(0.0, 0.0, 1.0))
        for joint in plane.joints
    ]
    bodies = [plane.frame, *(replace(body, inertia=(body.inertia,) * 3) for body in plane.bodies[1:])]
    times = np.linspace(0.0, 1.0, 5)
    found = gk.simulate(gk.Mechanism(3, bodies, hinges, gravity=(0.0, -9.81, 0.0)), times)
    assert found.program.mechanism.driven.keys() == {"A"}
    expected = gk.simulate(replace(plane, drivers=[]), times)
    assert np.allclose(found.joint("C"), expected.joint("C"), rtol=0, atol=1e-7)
    ends = {(0.0, 0.0): ("frame", "left"), (1.0, 1.0): ("left", "right"), (2.0, 0.0): ("right", "frame")}
    truss = [gk.Joint(name, "R", two, point=at) for name, (at, two) in zip("ABC", ends.items(), strict=True)]
    with pytest.raises(SimulationError, match="its joints leave no motion"):
        gk.simulate(gk.Mechanism(2, ["frame", "left", "right"], truss), times)


class Jerks(gk.Constant):
    """A law that only Python evaluates."""

    coded = None  # type: ignore[assignment]


def test_faults_of_forces_and_starts_have_messages_of_their_own() -> None:
    times = [0.0, 1.0]
    with pytest.raises(ForceError, match="force 'push': its force must be a finite number, not nan"):
        gk.simulate(pendulum(forces=[gk.JointForce("push", "pin", np.nan)]), times)
    with pytest.raises(ForceError, match="force 'coil': its stiffness must be a finite number, not inf"):
        gk.simulate(pendulum(forces=[gk.JointSpring("coil", "pin", stiffness=np.inf)]), times)
    with pytest.raises(LawError, match=r"law of force 'push' is a law that Python evaluates.*sample it"):
        gk.simulate(pendulum(forces=[gk.JointForce("push", "pin", 1.0, law=Jerks(1.0))]), times)
    meeting = gk.Spring("coil", ("frame", "arm"), ((0.0, -0.8), (0.0, -0.8)), 10.0, length=0.5)
    with pytest.raises(SimulationError, match="force 'coil': the two ends of the spring meet at t = 0 s"):
        gk.simulate(pendulum(forces=[meeting]), times)
    rocker = replace(crank_rocker(), drivers=[gk.Driver("D")], bodies=_heavy())
    for run in (lambda: gk.simulate(rocker, times, {"D": 1.2}), lambda: gk.linearize(rocker, {"D": 1.2})):
        with pytest.raises(SimulationError, match=r"cannot be assembled with D = 1.2: group \d \(.*has no position"):
            run()


def parallelogram() -> gk.Mechanism:
    """Two cranks of 1 m, 2 m apart: where all is in line, at 0 rad, its freedom rises to two."""
    points = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (2.0, 1.0), "D": (2.0, 0.0)}
    return replace(four_bar(points, [gk.Driver("A")]), bodies=_heavy())


def test_a_position_that_no_coordinate_leads_through_is_named() -> None:
    with pytest.raises(
        SimulationError, match=r"cannot go on after t = .* group \d .* conditioning .* mechanism itself"
    ):
        gk.simulate(parallelogram(), np.linspace(0.0, 3.0, 31), {"A": (0.0, -2.0)})


def test_what_was_computed_before_a_failure_or_an_interruption_is_kept() -> None:
    mechanism, times = parallelogram(), np.linspace(0.0, 3.0, 301)
    with pytest.raises(SimulationError) as failure:
        gk.simulate(mechanism, times, {"A": (0.0, -2.0)})
    kept = failure.value.motion
    assert kept is not None
    assert 1 < kept.times.size < times.size
    assert np.allclose(kept.joint("A"), -2.0 * kept.times, atol=1e-6)  # masses about the hinges do not change
    assert kept.joint("A")[0, -1] < -1.5

    def interrupt(time: float) -> None:
        if time > 1.0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stop:
        gk.simulate(pendulum(), times, {"pin": 1.0}, progress=interrupt)
    assert stop.value.motion.times[-1] >= 0.9  # type: ignore[attr-defined]
