"""Mechanisms of the library of the IFToMM: Bricard's, over-constrained, and a flyball governor, stiff."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import cumulative_simpson, solve_ivp

import groupkin as gk

Array = NDArray[np.float64]

GRAVITY = 9.81


def bricard(*free: str) -> gk.Mechanism:
    """Five rods of 1 m, 1 kg and 0.1 m by 0.1 m, and the ground, along edges of a cube (A04); hinges join them."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], float)
    edges = np.roll(corners, -1, axis=0) - corners  # the last one is the ground
    bodies: list[gk.Body | str] = ["ground"]
    for k in range(5):
        across, along = (1.0 + 0.1**2) / 12.0, 0.1**2 / 6.0
        inertia = np.where(edges[k] != 0.0, along, across)
        middle = corners[k] + 0.5 * edges[k]
        bodies.append(gk.Body(f"rod {k + 1}", mass=1.0, center=tuple(middle), inertia=tuple(inertia)))
    chain = ["ground", *(f"rod {k + 1}" for k in range(5)), "ground"]
    joints = [
        gk.Joint(
            f"J{k + 1}", "R", (chain[k], chain[k + 1]), point=tuple(corners[k]), axis=np.cross(edges[k - 1], edges[k])
        )
        for k in range(6)
    ]
    return gk.Mechanism(3, bodies, joints, [gk.Driver(name) for name in free], gravity=(0.0, -GRAVITY, 0.0))


@pytest.mark.parametrize("free", [("J3",), ()])
def test_bricards_mechanism_keeps_its_energy(free: tuple[str, ...]) -> None:
    """Over 10 s; one hinge of three turns to and fro by half a turn, the others by a twelfth.

    By count it has no freedom; where no driver is given, one is found by rank.
    """
    motion = gk.simulate(bricard(*free), np.linspace(0.0, 10.0, 201), rtol=1e-11)
    energy = gk.inverse_dynamics(motion).energy()
    assert np.ptp(energy.total) < 1e-8 * np.ptp(energy.gravity)
    assert np.ptp(energy.gravity) > 4.0
    swings = [np.ptp(motion.joint(f"J{k}")) for k in range(1, 7)]
    assert np.allclose(swings, np.tile([np.pi, np.pi / 6], 3), rtol=0, atol=1e-3)


HALF, STIFFNESS, DAMPING, FREE_LENGTH = 0.05, 8e5, 4e4, 0.5
SHAFT, ROD, SLIDER, BALL = 0.3, 0.3, 3.0, 5.0
"""Of the governor: half its width, m; spring and damper; masses, kg."""

ACROSS, ALONG = ROD * (1.0 + 0.01**2) / 12.0, ROD * 0.01**2 / 6.0


def governor() -> gk.Mechanism:
    """A shaft with a slider, and two rods with balls that springs and dampers hold off the slider (A05)."""
    lean = np.radians(60.0)
    bodies: list[gk.Body | str] = [
        "ground",
        gk.Body("shaft", mass=SHAFT, center=(0.0, 0.0, 0.5), inertia=(ACROSS, ACROSS, ALONG)),
        gk.Body("slider", mass=SLIDER, center=(0.0, 0.0, 0.5), inertia=(SLIDER * 0.1**2 / 6.0,) * 3),
    ]
    joints = [
        gk.Joint("bearing", "R", ("ground", "shaft"), point=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)),
        gk.Joint("slide", "P", ("shaft", "slider"), points=((0, 0, 0), (0, 0, 0.5)), axis=(0.0, 0.0, 1.0)),
    ]
    springs = []
    for name, side in (("right", 1.0), ("left", -1.0)):
        top, way = np.array([side * HALF, 0.0, 1.0]), np.array([side * np.sin(lean), 0.0, -np.cos(lean)])
        center = top + way * (0.5 * ROD + BALL) / (ROD + BALL)
        tensor = np.zeros((3, 3))
        for mass, at in ((ROD, 0.5), (BALL, 1.0)):
            arm = top + at * way - center
            tensor += mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        tensor += ACROSS * (np.eye(3) - np.outer(way, way)) + ALONG * np.outer(way, way)
        bodies.append(gk.Body(name, mass=ROD + BALL, center=tuple(center), inertia=tensor))
        joints.append(gk.Joint(f"hinge {name}", "R", ("shaft", name), point=tuple(top), axis=(0.0, 1.0, 0.0)))
        ends = (side * HALF, 0.0, 0.5), tuple(top + 0.5 * way)
        springs.append(
            gk.Spring(f"spring {name}", ("slider", name), ends, STIFFNESS, length=FREE_LENGTH, damping=DAMPING)
        )
    free = [gk.Driver(joint.name) for joint in joints]
    return gk.Mechanism(3, bodies, joints, free, gravity=(0.0, 0.0, -GRAVITY), forces=springs)


def slider_by_lagrange(times: Array) -> Array:
    """Place the slider by the equations of its height s and the lean a of both rods; the moment of momentum is kept."""

    def inertia(a: float) -> tuple[float, float]:
        """Moment of inertia about the shaft, and its derivative by the lean."""
        sine, cosine = np.sin(a), np.cos(a)
        own = 2 * (ROD * (HALF + sine / 2) ** 2 + ACROSS * sine**2 + ALONG * cosine**2 + BALL * (HALF + sine) ** 2)
        slope = 2 * cosine * (ROD * (HALF + sine / 2) + 2 * (ACROSS - ALONG) * sine + 2 * BALL * (HALF + sine))
        return own + ALONG + SLIDER * 0.1**2 / 6.0, slope

    lean = np.radians(60.0)
    moment, about = 2 * np.pi * inertia(lean)[0], ACROSS + ROD / 4 + BALL

    def rates(_: float, y: Array) -> list[float]:
        a, s, va, vs = y
        drop = 1.0 - np.cos(a) / 2 - s
        distance = np.hypot(np.sin(a) / 2, drop)
        by_a, by_s = (np.sin(a) * np.cos(a) / 4 + drop * np.sin(a) / 2) / distance, -drop / distance
        pull = STIFFNESS * (distance - FREE_LENGTH) + DAMPING * (by_a * va + by_s * vs)
        own, slope = inertia(a)
        fall = GRAVITY * (ROD / 2 + BALL) * np.sin(a)
        return [
            va,
            vs,
            (slope * (moment / own) ** 2 / 4 - fall - pull * by_a) / about,
            -GRAVITY - 2 * pull * by_s / SLIDER,
        ]

    found = solve_ivp(rates, (0.0, times[-1]), [lean, 0.5, 0.0, 0.0], "Radau", times, rtol=1e-10, atol=1e-12)
    return np.asarray(found.y[1])


def test_a_flyball_governor() -> None:
    """Its springs and dampers are stiff; the oracle has two coordinates, as both sides move alike."""
    times = np.linspace(0.0, 10.0, 101)
    motion = gk.simulate(governor(), times, {"bearing": (0.0, 2 * np.pi)}, rtol=1e-9)
    height = motion.joint("slide")[0]
    assert np.allclose(height, slider_by_lagrange(times), rtol=0, atol=1e-6)
    assert np.ptp(height) > 0.1


def test_what_a_governor_loses_goes_into_its_dampers() -> None:
    """Energy and what both dampers have taken, by Simpson's rule; at first they come into motion within 1e-4 s."""
    times = np.concatenate([np.linspace(0.0, 0.004, 1001), np.linspace(0.004, 2.0, 1001)[1:]])
    motion = gk.simulate(governor(), times, {"bearing": (0.0, 2 * np.pi)}, rtol=1e-10)
    taken = np.zeros(times.size)
    for spring in governor().forces:
        assert isinstance(spring, gk.Spring)
        (slider, rod), points = spring.between, [np.array(point) for point in spring.points]
        way, rate = (motion.point_on(rod, points[1], k) - motion.point_on(slider, points[0], k) for k in (0, 1))
        speed = (rate * way).sum(axis=1) / np.linalg.norm(way, axis=1)
        taken += DAMPING * cumulative_simpson(speed**2, x=times, initial=0)
    energy = gk.inverse_dynamics(motion).energy()
    assert taken[-1] > 1e-3
    # 1e-4 of it: errors of Simpson's rule, and of a motion whose energies change by 30 J each, 1e-9 of these
    assert np.ptp(energy.total + taken) < 1e-4 * taken[-1]
    assert np.ptp(energy.gravity) > 30.0
