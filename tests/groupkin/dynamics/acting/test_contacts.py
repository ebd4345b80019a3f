"""Bushings and contacts against closed formulas, their energies, and simulations, whose code is another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.acting.contacts import outlines
from groupkin.errors import ForceError, UnknownNameError
from sglibrary.dynamics.curves import SIDE, foot
from tests.support.energy import rate_of_energy

Array = NDArray[np.float64]


def floating(dimension: int, *loads: object, **body: object) -> gk.Mechanism:
    """A block of 2 kg that may move and turn in all directions."""
    block = gk.Body("block", mass=2.0, center=(0.1, 0.2, 0.3)[:dimension], inertia=0.3, **body)  # type: ignore[arg-type]
    points = ((0.0,) * dimension,) * 2
    joint = gk.Joint("free", "FP" if dimension == 2 else "F", ("frame", "block"), points=points)
    return gk.Mechanism(dimension, ["frame", block], [joint], forces=loads)  # type: ignore[arg-type]


FULL = ((300.0, 40.0, 0.0), (40.0, 200.0, 10.0), (0.0, 10.0, 150.0))


def bushing(dimension: int, rate: float = 0.0) -> gk.Bushing:
    matrix = np.array(FULL)[:dimension, :dimension]
    turning = {2: 5.0, 3: ((5.0, 1.0, 0.0), (1.0, 4.0, 0.0), (0.0, 0.0, 3.0))}[dimension]
    damping = rate * np.arange(1.0, dimension + 1.0)
    return gk.Bushing("rubber", ("block", "frame"), (0.4, 0.1, 0.2)[:dimension], matrix, damping, turning, 0.1 * rate)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_bushing_does_what_its_energy_falls_by(dimension: int) -> None:
    base = floating(dimension, bushing(dimension))
    names = [base.driver_name("free", k) for k in range(3 * (dimension - 1))]
    freedoms = [name.partition(".")[2] for name in names]
    laws = [gk.Harmonic(amplitude=0.1 + 0.05 * k, frequency=0.5 + 0.1 * k, phase=k) for k in range(len(names))]
    drivers = [gk.Driver("free", law, freedom) for law, freedom in zip(laws, freedoms, strict=True)]
    mechanism, step = replace(base, drivers=drivers), 1e-5
    middle = np.linspace(0.1, 1.0, 5)
    forces = gk.inverse_dynamics(mechanism, np.sort(np.concatenate([middle - step, middle, middle + step])))
    energy, power = forces.energy().springs.reshape(-1, 3), forces.power()["rubber"].reshape(-1, 3)
    falls = -(energy[:, 2] - energy[:, 0]) / (2 * step)
    assert np.allclose(power[:, 1], falls, rtol=0, atol=1e-7 * np.abs(power).max())  # of the difference
    damped = gk.inverse_dynamics(replace(mechanism, forces=[bushing(dimension, 7.0)]), middle)
    powers, rates = list(damped.power().values()), rate_of_energy(damped.motion)
    assert np.abs(sum(powers) - sum(rates)).max() <= 1e-12 * max(np.abs(x).max() for x in (*powers, *rates))
    assert (damped.power()["rubber"] < power[:, 1]).all()


def test_a_bushing_that_is_turned_and_shifted_by_hand() -> None:
    angle, shift = 0.3, np.array([0.02, -0.01])
    drivers = [gk.Driver("free", gk.Constant(x), name) for x, name in zip((*shift, angle), PLANE, strict=True)]
    rubber = gk.Bushing("rubber", ("frame", "block"), (0.4, 0.1), (300.0, 200.0), 0.0, 5.0)
    forces = gk.inverse_dynamics(replace(floating(2, rubber), drivers=drivers), [0.0])
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = turned @ [0.4, 0.1] + shift - [0.4, 0.1]
    assert np.allclose(forces.force("rubber"), [[-300.0 * moved[0], -200.0 * moved[1], -5.0 * angle]], rtol=1e-12)


PLANE = ("x", "y", "angle")


@pytest.mark.parametrize("dimension", [2, pytest.param(3, marks=pytest.mark.exhaustive)])
def test_simulated_bushings_are_those_of_inverse_dynamics(dimension: int) -> None:
    mechanism = floating(dimension, bushing(dimension, 2.0))
    name = mechanism.driver_name("free", 0)
    motion = gk.simulate(mechanism, np.linspace(0.0, 0.5, 6), {name: (0.05, 0.3)}, rtol=1e-11)
    forces = gk.inverse_dynamics(motion)
    # accelerations are those of the tolerance
    largest = np.abs(forces.force("rubber")).max()
    assert max(np.abs(x).max() for x in forces.drivers.values()) <= 1e-8 * largest
    assert largest > 1.0


def ball(contact: gk.Contact, start: tuple[float, float] = (0.0, 0.5), **changes: object) -> gk.Mechanism:
    """A disc of 0.1 m and 2 kg in the plane."""
    disc = gk.Body("disc", mass=2.0, center=start, inertia=0.01)
    joint = gk.Joint("free", "FP", ("frame", "disc"), points=(start, start))
    return gk.Mechanism(2, ["frame", disc], [joint], forces=[contact], **changes)  # type: ignore[arg-type]


FLOOR = gk.Contact("floor", ("frame", "disc"), (0.0, 0.5), 0.1, line=((-5.0, 0.0), (5.0, 0.0)), stiffness=1e6)


def test_a_ball_that_hits_the_floor_by_hertz() -> None:
    """Its energy is that of the deepest dent, and it leaves with the velocity with which it came."""
    mechanism, speed = ball(replace(FLOOR, radius=0.5)), 1.5
    motion = gk.simulate(mechanism, np.linspace(0.0, 0.02, 401), {"free.y": (0.0, -speed)}, rtol=1e-10)
    depth = -motion.position("disc")[:, 1] + 0.5
    deepest = (0.5 * 2.0 * speed**2 * 2.5 / 1e6) ** 0.4
    assert depth.max() == pytest.approx(deepest, rel=2e-4)  # between two of the times
    assert motion.velocity("disc")[-1, 1] == pytest.approx(speed, rel=1e-7)
    forces = gk.inverse_dynamics(motion)
    assert np.allclose(forces.energy().total, forces.energy().total[0], rtol=1e-7)
    assert np.abs(forces.driver("free.y")).max() <= 1e-6 * np.abs(forces.force("floor")).max()


def test_restitution_falls_with_the_velocity_as_hunt_and_crossley_say() -> None:
    """For small velocities 1 - e is two thirds of damping times velocity."""
    for speed in (0.02, 0.04):
        mechanism = ball(replace(FLOOR, radius=0.5, damping=0.6))
        motion = gk.simulate(mechanism, [0.0, 0.1], {"free.y": (0.0, -speed)}, rtol=1e-11)
        lost = 1.0 - motion.velocity("disc")[-1, 1] / speed
        assert lost == pytest.approx(2 / 3 * 0.6 * speed, rel=0.02)  # its next term is of the order of itself


def test_a_disc_rolls_down_a_slope() -> None:
    """It touches an oblique line: g sin(α) / (1 + I / (m r²)) along it, with r less what it sinks in."""
    angle = 0.2
    way, up = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    sunk = (2.0 * 9.81 * np.cos(angle) / 1e6) ** (1 / 1.5)
    center = (0.1 - sunk) * up
    slope = gk.Contact("slope", ("frame", "disc"), tuple(center), 0.1, line=(tuple(-way), tuple(5.0 * way)))
    slope = replace(slope, stiffness=1e6, damping=2.0, coefficient=0.5, speed=1e-4, side="left")
    mechanism = ball(slope, tuple(center), gravity=(0.0, -9.81))
    motion = gk.simulate(mechanism, np.linspace(0.0, 0.5, 6))
    gone = motion.position("disc") @ way - center @ way
    expected = 9.81 * np.sin(angle) / (1.0 + 0.01 / (2.0 * (0.1 - sunk) ** 2)) * 0.5 * motion.times**2
    assert np.allclose(gone, expected, rtol=0, atol=1e-4)  # the speed at which friction begins, times the time
    forces = gk.inverse_dynamics(motion)
    assert max(np.abs(x).max() for x in forces.drivers.values()) <= 1e-5 * 2.0 * 9.81
    assert np.allclose(forces.force("slope")[:, 0], 2.0 * 9.81 * np.cos(angle), rtol=1e-6)


WAVES = gk.Curve([(x, 0.05 * np.sin(3.0 * x)) for x in np.linspace(-1.0, 4.0, 60)])


def test_power_of_contacts_is_the_rate_of_their_energy_and_friction() -> None:
    """On moving ground: every body is in equilibrium and nothing is lost."""
    ground = gk.Joint("lift", "P", ("frame", "ground"), point=(0, 0), axis=(0.6, 0.8))
    bodies = ["frame", "ground", gk.Body("disc", mass=2.0, center=(0.0, 0.1), inertia=0.01)]
    joints = [ground, gk.Joint("free", "FP", ("frame", "disc"), points=((0.0, 0.1), (0.0, 0.1)))]
    road = gk.Contact("road", ("ground", "disc"), (0.0, 0.1), 0.12, WAVES, stiffness=1e5, damping=0.5, coefficient=0.4)
    laws = (gk.Ramp(rate=1.0), gk.Harmonic(amplitude=0.01, frequency=3.0), gk.Ramp(rate=-7.0))
    drivers = [gk.Driver("free", law, name) for law, name in zip(laws, PLANE, strict=True)]
    drivers.append(gk.Driver("lift", gk.Harmonic(amplitude=0.02, frequency=1.0)))
    mechanism = gk.Mechanism(2, bodies, joints, drivers, forces=[road], gravity=(0.0, -9.81))
    forces = gk.inverse_dynamics(mechanism, np.linspace(0.0, 2.0, 201))
    powers, rates = list(forces.power().values()), rate_of_energy(forces.motion)
    assert np.abs(sum(powers) - sum(rates)).max() <= 1e-12 * max(np.abs(x).max() for x in (*powers, *rates))
    push, rub = forces.force("road").T
    assert 0.2 < (push > 0.0).mean() < 1.0
    assert (push >= 0.0).all()
    assert (np.abs(rub) <= 0.4 * push).all()


def circle(closed: bool) -> gk.Curve:
    angles = np.linspace(0.0, 2 * np.pi, 80, endpoint=False)
    return gk.Curve([(0.3 * np.cos(a), 0.3 * np.sin(a)) for a in angles], closed)


@pytest.mark.parametrize("curve", [circle(True), WAVES, None])
def test_the_nearest_point_is_the_nearest_of_many(curve: gk.Curve | None) -> None:
    """At random points beside the curve and beyond its ends."""
    contact = replace(FLOOR, curve=curve, line=None if curve else FLOOR.line)
    (found,), many = outlines(_program(contact), contact).curves, _many_of(contact)
    rng = np.random.default_rng(1)
    points = many[rng.integers(0, len(many), 40)] + 0.05 * rng.normal(size=(40, 2))
    for point in points:
        _, *numbers = foot(found, 0, *point)
        at, normal, distance = np.array(numbers[:2]), np.array(numbers[2:4]), numbers[4]
        least = np.linalg.norm(many - point, axis=1).min()
        # the nearest of many points is at most half their distance, 0.25 mm, aside of it
        assert least**2 - 0.26e-3**2 <= np.sum((at - point) ** 2) <= (least + 1e-12) ** 2
        assert np.allclose(at + distance * normal, point, atol=1e-12)
        if curve is not None and curve.closed:
            assert distance == pytest.approx(np.linalg.norm(point) - 0.3, abs=1e-7)  # of a spline through 80 points


def _many_of(contact: gk.Contact) -> Array:
    if contact.curve is None:
        return np.linspace(*np.array(contact.line), 20001)
    spline = contact.curve.spline
    return np.asarray(spline(np.linspace(spline.t[spline.k], spline.t[-spline.k - 1], 20001)))


def _program(contact: gk.Contact) -> object:
    drivers = [gk.Driver("free", gk.Constant(0.0), name) for name in PLANE]
    return gk.program(replace(ball(contact), drivers=drivers))


def _side(contact: gk.Contact) -> float:
    return float(outlines(_program(contact), contact).curves[0][SIDE])


def test_sides_of_curves() -> None:
    assert _side(FLOOR) == 1.0
    assert _side(replace(FLOOR, side="right")) == -1.0
    assert _side(replace(FLOOR, line=None, curve=circle(True))) == -1.0  # whose outside is on its right
    assert _side(replace(FLOOR, line=((-5.0, 1.0), (-1.0, 1.0)))) == -1.0  # beyond the end of a line, on its right
    on = replace(FLOOR, line=((-1.0, 0.5), (1.0, 0.5)))
    with pytest.raises(ForceError, match="say on which `side`"):
        _side(on)


WRONG = [
    (gk.Bushing("b", ("frame", "block"), (0, 0), ((1, 2), (3, 4))), ForceError, "must be a symmetric matrix"),
    (gk.Bushing("b", ("frame", "block"), (0, 0), (-1, 1)), ForceError, "negative eigenvalue -1"),
    (gk.Bushing("b", ("frame", "block"), (0, 0), torsion=(1, 2, 3)), ForceError, "one finite number, 1"),
    (gk.Bushing("b", ("frame", "frame"), (0, 0)), ForceError, "two different bodies"),
    (gk.Contact("c", ("frame", "block"), (0, 0)), ForceError, "needs a `curve` or a `line`"),
    (gk.Contact("c", ("frame", "top"), (0, 0), line=((0, 0), (1, 0)), stiffness=1), UnknownNameError, "body 'top'"),
    (gk.Contact("c", ("frame", "block"), (0, 0), line=((0, 0), (0, 0)), stiffness=1), ForceError, "different points"),
    (gk.Contact("c", ("frame", "block"), (0, 0), line=((0, 0), (1, 0))), ForceError, "stiffness must be positive"),
]


@pytest.mark.parametrize(("load", "error", "message"), WRONG)
def test_bushings_and_contacts_that_are_none_are_refused(load: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        floating(2, load)


def test_contacts_in_space_are_refused() -> None:
    contact = gk.Contact("c", ("frame", "block"), (0, 0, 0), line=((0, 0, 0), (1, 0, 0)), stiffness=1.0)
    with pytest.raises(ForceError, match="in the plane only"):
        floating(3, contact)


def test_bushings_and_contacts_in_files(tmp_path: object) -> None:
    loads = [
        bushing(2, 3.0),
        replace(FLOOR, name="line", between=("frame", "block"), point=(0.0, 0.25), damping=0.5, coefficient=0.25),
        replace(FLOOR, name="road", between=("frame", "block"), line=None, curve=WAVES, side="left", speed=0.01),
    ]
    mechanism = replace(floating(2, *loads), units=gk.Units("mm", "deg", force="kN"))
    gk.save(mechanism, f"{tmp_path}/contact.toml")
    read = gk.load(f"{tmp_path}/contact.toml").forces
    for load, again in zip(loads, read, strict=True):
        for name in (
            "stiffness",
            "damping",
            "torsion",
            "torsion_damping",
            "radius",
            "point",
            "line",
            "speed",
            "exponent",
        ):
            stated = getattr(load, name, None)
            if stated is None:
                assert getattr(again, name, None) is None
            else:
                assert np.allclose(getattr(again, name), stated, rtol=1e-12)
    assert np.allclose(read[2].curve.points, WAVES.points)
    assert read[2].side == "left"
