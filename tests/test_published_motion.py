"""Motions against published values and textbook equations, written out here.

No published numbers were found for the linkages RSSR and RSCP: their closed equations are written out instead, and
`tests/groupkin/kinematics` compares them with the oracle.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files.reading import load, read
from groupkin.mechanism.laws.laws import Polynomial, Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from tests.support import oracle
from tests.support.paths import ROOT

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.0, 61)


def example(name: str) -> Motion:
    described = read(ROOT / "examples" / f"{name}.toml")
    return solve(described.mechanism, described.motion.times)


# --- Andrews' squeezing mechanism ------------------------------------------------------------

# Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section VII.7; F. Mazzia and C. Magherini, Test
# Set for Initial Value Problem Solvers, release 2.4 (2008), problem Andrews: geometry in m, the consistent initial
# state, and the reference solution at 0.03 s (angles, their rates and accelerations in rad and s).
LENGTHS = {"rr": 7e-3, "d": 28e-3, "e": 2e-2, "ss": 35e-3, "zt": 4e-2, "zf": 2e-2, "u": 4e-2}
A, B = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273])
INITIAL = np.array(
    [
        -0.0617138900142764496358948458001,
        0.0,
        0.455279819163070380255912382449,
        0.222668390165885884674473185609,
        0.487364979543842550225598953530,
        -0.222668390165885884674473185609,
        1.23054744454982119249735015568,
    ]
)
REFERENCE = {
    "beta": (15.81077119629904, 1139.920302151208, -24631.76316945196),
    "Theta": (-15.75637105984298, -1424.379294994111, 51850.37701610329),
    "gamma": (0.04082224013073101, 11.03291221937134, 324102.5686413781),
    "phi": (-0.5347301163226948, 19.29337464421385, 566749.3645176213),
    "delta": (0.5244099658805304, 0.5735699284790808, 16743.62929479361),
    "Omega": (0.5347301163226948, -19.29337464421385, -566749.3645176222),
    "epsilon": (1.048080741042263, 0.3231791658026955, 9826.520791458422),
}
FINAL = np.array(list(REFERENCE.values())).T


def along(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle)])


def andrews(law: Polynomial | Ramp) -> Mechanism:
    """Seven bodies in the configuration of the initial state; the crank K1 is driven, its angle is β.

    K1 turns about the origin, K2 (of direction β + Θ) joins it to P. There K3 from B ends, and the pairs K4, K5
    (φ + δ, δ) and K6, K7 (Ω + ε, ε), both from A.
    """
    beta, theta, _, _, delta, _, epsilon = INITIAL
    pin = LENGTHS["rr"] * along(beta)
    meeting = pin - LENGTHS["d"] * along(beta + theta)
    elbow = A + LENGTHS["zt"] * along(delta)
    knee = A + LENGTHS["u"] * along(epsilon - np.pi / 2)
    bodies = ["frame", "K1", "K2", "K3", "K4", "K5", "K6", "K7"]
    joints = [
        Joint("O", "R", ("frame", "K1"), point=(0.0, 0.0), reference=float(beta)),
        Joint("F", "R", ("K1", "K2"), point=pin),
        Joint("P2", "R", ("K2", "K3"), point=meeting),
        Joint("B", "R", ("frame", "K3"), point=B),
        Joint("P4", "R", ("K3", "K4"), point=meeting),
        Joint("E", "R", ("K4", "K5"), point=elbow),
        Joint("A5", "R", ("frame", "K5"), point=A),
        Joint("P6", "R", ("K3", "K6"), point=meeting),
        Joint("H", "R", ("K6", "K7"), point=knee),
        Joint("A7", "R", ("frame", "K7"), point=A),
    ]
    return Mechanism(2, bodies, joints, [Driver("O", law)])


def published_angles(motion: Motion) -> Array:
    """The published coordinates (3, 7, n), with first and second derivatives, from the bodies' angles."""
    turns = np.array(
        [
            [motion.angle(body), motion.angular_velocity(body), motion.angular_acceleration(body)]
            for body in ("K1", "K2", "K3", "K4", "K5", "K6", "K7")
        ]
    ).swapaxes(0, 1)
    one, two, three, four, five, six, seven = turns.swapaxes(0, 1)
    found = np.array([one, two - one, three, four - five, five, six - seven, seven]).swapaxes(0, 1)
    found[0] += INITIAL[:, None]
    return found


def test_andrews_initial_state_closes_all_joints() -> None:
    """The three ends meet in P, with the published lengths: the state solves the published constraints."""
    beta, theta, gamma, phi, delta, omega, epsilon = INITIAL
    from_crank = LENGTHS["rr"] * along(beta) - LENGTHS["d"] * along(beta + theta)
    from_b = B + LENGTHS["ss"] * along(gamma - np.pi / 2)
    from_e = A + LENGTHS["zt"] * along(delta) + LENGTHS["e"] * along(phi + delta - np.pi / 2)
    from_h = A + LENGTHS["u"] * along(epsilon - np.pi / 2) + LENGTHS["zf"] * along(omega + epsilon)
    for other in (from_b, from_e, from_h):
        np.testing.assert_allclose(other, from_crank, rtol=0, atol=1e-16)
    motion = solve(andrews(Ramp(rate=1.0, start=INITIAL[0])), [0.0])
    np.testing.assert_allclose(published_angles(motion)[0, :, 0], INITIAL, rtol=0, atol=1e-15)


def test_andrews_starts_from_rest_as_published() -> None:
    """β'' and Θ'' of the initial state; P stands still there, for crank and K2 are in line: the dead point of K3."""
    law = Polynomial([INITIAL[0], 0.0, 0.5 * 14222.4439199541138705911625887])
    found = published_angles(solve(andrews(law), [0.0]))
    np.testing.assert_allclose(found[1, :, 0], 0.0, atol=1e-12)
    expected = [14222.4439199541138705911625887, -10666.8329399655854029433719415, 0, 0, 0, 0, 0]
    np.testing.assert_allclose(found[2, :, 0], expected, rtol=0, atol=1e-8)


def test_andrews_reference_solution() -> None:
    """At 0.03 s the crank has made 2½ turns; its published motion there implies that of all others.

    The reference solution comes from integration: its positions close the joints to rounding, but its velocities and
    accelerations contradict each other by up to 3e-8 rad/s and 0.06 rad/s² (of 1e3 and 6e5).
    """
    q, v, a = FINAL[:, 0]
    way = np.linspace(INITIAL[0] - q, 0.0, 401) / v  # the crank turns on evenly, up to the last moment
    coast = solve(andrews(Ramp(rate=v, start=q)), way)
    final = replace(coast.program.mechanism, drivers=[Driver("O", Polynomial([q, v, 0.5 * a]))])
    assert published_angles(coast)[0, 0, -1] == pytest.approx(q, abs=1e-12)
    np.testing.assert_allclose(published_angles(coast)[0, :, -1], FINAL[0], rtol=0, atol=1e-13 * abs(q))
    there = published_angles(solve(final, [0.0]))
    np.testing.assert_allclose(there[1, :, 0], FINAL[1], rtol=0, atol=5e-8)
    np.testing.assert_allclose(there[2, :, 0], FINAL[2], rtol=0, atol=0.1)


@pytest.mark.exhaustive
def test_andrews_over_a_turn_of_the_crank_against_the_oracle() -> None:
    mechanism = andrews(Ramp(rate=2 * np.pi, start=INITIAL[0]))
    motion = solve(mechanism, TIMES)
    assert [group.label for group in motion.program.structure.groups] == ["1R2D", "3R2D", "3R2D", "3R2D"]
    worst = oracle.differences(
        oracle.of_motion(motion), oracle.of_poses(oracle.solve(mechanism, TIMES)), motion.program.geometry.size
    )
    assert (worst < 1e-11).all()


# --- plane linkages --------------------------------------------------------------------------


def test_slider_crank() -> None:
    """Stroke of a centric slider-crank, x = r cos φ + √(l² - r² sin² φ), and its first two derivatives by time."""
    motion = example("slider_crank")
    r, rod, rate = 0.05, 0.13, 2 * np.pi * 10
    phi = np.pi / 2 + rate * motion.times
    s, c = r * np.sin(phi), r * np.cos(phi)
    root = np.sqrt(rod**2 - s**2)
    x = c + root
    dx = -s - s * c / root
    ddx = -c - (c**2 - s**2) / root - (s * c) ** 2 / root**3
    np.testing.assert_allclose(motion.position("piston")[:, 0], x, rtol=0, atol=1e-15)
    np.testing.assert_allclose(motion.velocity("piston")[:, 0], rate * dx, rtol=0, atol=1e-15 * rate)
    np.testing.assert_allclose(motion.acceleration("piston")[:, 0], rate**2 * ddx, rtol=0, atol=1e-15 * rate**2)
    np.testing.assert_allclose(motion.angle("rod") - np.arcsin(5 / 13), -np.arcsin(s / rod), rtol=0, atol=1e-14)


def test_four_bar() -> None:
    """K1 cos ψ - K2 cos φ + K3 = cos(φ - ψ), the equation of Freudenstein (1955), and its derivatives by time.

    K1 = d/a, K2 = d/c and K3 = (a² - b² + c² + d²)/(2ac); bars are a (crank), b (coupler), c (rocker) and d (frame).
    """
    motion = example("four_bar")
    a, b, c, d = 50.0, 125.0, 125.0, 100.0
    k1, k2, k3 = d / a, d / c, (a**2 - b**2 + c**2 + d**2) / (2 * a * c)
    rate = 2 * np.pi
    phi = np.pi + rate * motion.times
    psi = np.arctan2(100, -75) + motion.angle("rocker")
    spin, gain = motion.angular_velocity("rocker"), motion.angular_acceleration("rocker")
    gap, slip = phi - psi, rate - spin
    left = k1 * np.cos(psi) - k2 * np.cos(phi) + k3
    np.testing.assert_allclose(left, np.cos(gap), rtol=0, atol=1e-14)
    left = -k1 * np.sin(psi) * spin + k2 * np.sin(phi) * rate
    np.testing.assert_allclose(left, -np.sin(gap) * slip, rtol=0, atol=1e-14 * rate)
    left = -k1 * (np.cos(psi) * spin**2 + np.sin(psi) * gain) + k2 * np.cos(phi) * rate**2
    np.testing.assert_allclose(left, -np.cos(gap) * slip**2 + np.sin(gap) * gain, rtol=0, atol=1e-14 * rate**2)


# --- linkages in space -----------------------------------------------------------------------


@cache
def rssr() -> tuple[Motion, dict[str, Array]]:
    points = {"A": [0, 0, 0], "B": [0, 0.04, 0], "C": [0.15, 0.02, 0.08], "D": [0.15, 0, 0]}
    axes = {"A": [1, 0, 0.2], "D": [0, 1, 0]}
    joints = [
        Joint("A", "R", ("ground", "crank"), point=points["A"], axis=axes["A"]),
        Joint("B", "S", ("crank", "coupler"), point=points["B"]),
        Joint("C", "S", ("coupler", "rocker"), point=points["C"]),
        Joint("D", "R", ("ground", "rocker"), point=points["D"], axis=axes["D"]),
    ]
    mechanism = Mechanism(3, ["ground", "crank", "coupler", "rocker"], joints, [Driver("A", Ramp(rate=2 * np.pi))])
    found = points | {"crank": axes["A"] / np.linalg.norm(axes["A"]), "rocker": axes["D"]}
    return solve(mechanism, TIMES), {name: np.array(value, float) for name, value in found.items()}


def test_rocker_of_an_rssr() -> None:
    """|C(ψ) - B(φ)| = l is P cos ψ + Q sin ψ = S, as for the plane four-bar (Suh and Radcliffe 1978).

    With C(ψ) = E + r (cos ψ u + sin ψ w) around the foot E of C on the rocker's axis, and g = E - B(φ), squaring gives
    2 r (g·u) cos ψ + 2 r (g·w) sin ψ = l² - r² - g·g, solved by ψ = atan2(Q, P) ± arccos(S / √(P² + Q²)).
    """
    motion, at = rssr()
    axis, phi = at["crank"], 2 * np.pi * TIMES[:, None]
    pin = np.cos(phi) * at["B"] + np.sin(phi) * np.cross(axis, at["B"]) + (1 - np.cos(phi)) * (axis @ at["B"]) * axis
    foot = at["D"] + (at["C"] - at["D"]) @ at["rocker"] * at["rocker"]
    radius = np.linalg.norm(at["C"] - foot)
    u = (at["C"] - foot) / radius
    g = foot - pin
    p, q = 2 * radius * (g @ u), 2 * radius * (g @ np.cross(at["rocker"], u))
    s = np.sum((at["C"] - at["B"]) ** 2) - radius**2 - np.sum(g**2, axis=1)
    roots = np.arctan2(q, p) + np.array([[1.0], [-1.0]]) * np.arccos(s / np.hypot(p, q))
    branch = np.argmin(np.abs(np.sin(roots[:, 0] / 2)))  # zero in the reference configuration
    np.testing.assert_allclose(motion.joint("D")[0], np.unwrap(roots[branch]), rtol=0, atol=1e-13)


def test_slider_of_an_rscp() -> None:
    """The ball B keeps its distance ρ = 90 mm from the bore, which is along y and moves along x with the slider.

    So x_slider = x_B + √(ρ² - z_B²), the rod slides in the bore by y_B and turns in it by arcsin(z_B / ρ).
    """
    motion = example("spatial_four_bar")
    phi, axis = 2 * np.pi * motion.times[:, None], np.array([1.0, 1.0, 0.0]) / np.sqrt(2)
    start = np.array([0.03, -0.03, 0.0])
    ball = np.cos(phi) * start + np.sin(phi) * np.cross(axis, start)
    x, y, z = ball.T
    np.testing.assert_allclose(motion.joint("guide")[0], x + np.sqrt(0.09**2 - z**2), rtol=0, atol=1e-14)
    slide, turn = motion.joint("bore")  # of the slider, seen from the rod
    np.testing.assert_allclose(slide, -(y - start[1]), rtol=0, atol=1e-14)
    np.testing.assert_allclose(turn, -np.arcsin(z / 0.09), rtol=0, atol=1e-13)


def test_platform_of_a_delta_robot() -> None:
    """It does not turn, so T is where three spheres meet: around the elbows' middles, shifted by the platform's radius.

    Differences of the spheres' equations are linear; with T = p + s n on their line of intersection a quadratic is
    left, whose lower root is meant (Clavel 1988).
    """
    motion, mechanism = example("delta_robot"), load(ROOT / "examples" / "delta_robot.toml")
    at = mechanism.positions
    elbows = [0.5 * (motion.position(f"E{k}a") + motion.position(f"E{k}b")) for k in (1, 2, 3)]
    offsets = [0.5 * (at[f"P{k}a"] + at[f"P{k}b"]) - at["T"] for k in (1, 2, 3)]
    centers = np.array([elbow - offset for elbow, offset in zip(elbows, offsets, strict=True)]).swapaxes(0, 1)
    rod = np.linalg.norm(at["E1a"] - at["P1a"])
    normal = np.cross(centers[:, 1] - centers[:, 0], centers[:, 2] - centers[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    rows = np.stack([centers[:, 1] - centers[:, 0], centers[:, 2] - centers[:, 0], normal], axis=1)
    squares = np.sum(centers**2, axis=2)
    right = np.stack([*(0.5 * (squares[:, 1:] - squares[:, :1])).T, np.sum(normal * centers[:, 0], axis=1)], axis=1)
    middle = np.linalg.solve(rows, right[..., None])[..., 0]
    rise = np.sqrt(rod**2 - np.sum((middle - centers[:, 0]) ** 2, axis=1))
    expected = middle - np.sign(normal[:, 2:]) * normal * rise[:, None]
    np.testing.assert_allclose(motion.position("platform"), expected, rtol=0, atol=1e-11)
