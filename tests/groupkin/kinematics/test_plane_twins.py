"""Plane mechanisms that are described in space: the same motion, modes, limits and forces, by closed forms too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import groupkin as gk
from groupkin.kinematics.motion.residuals import max_residual

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.0, 41)
TURN = Rotation.from_rotvec([0.4, -0.7, 0.3]).as_matrix()
SHIFT = np.array([0.3, -0.2, 0.5])

A, B, C, D = (0.0, 0.0), (0.0, 0.5), (1.5, 1.25), (1.5, 0.0)


def hinges(*joints: tuple[str, str, str, tuple[float, float]]) -> list[gk.Joint]:
    return [gk.Joint(name, "R", (one, other), point=at) for name, one, other, at in joints]


def four_bar(rate: float = 6.0) -> gk.Mechanism:
    joints = hinges(("A", "frame", "crank", A), ("B", "crank", "rod", B), ("C", "rod", "rocker", C))
    joints += hinges(("D", "rocker", "frame", D))
    return mechanism(["crank", "rod", "rocker"], joints, rate)


def slider_crank(rate: float = 6.0) -> gk.Mechanism:
    joints = hinges(("A", "frame", "crank", A), ("B", "crank", "rod", B), ("C", "rod", "piston", (1.6, 0.2)))
    joints.append(gk.Joint("D", "P", ("frame", "piston"), point=(1.6, 0.2), axis=(1.0, 0.1)))
    return mechanism(["crank", "rod", "piston"], joints, rate)


def six_bar(rate: float = 6.0) -> gk.Mechanism:
    """A four-bar whose rocker moves a slide."""
    first = four_bar(rate)
    joints = [*first.joints, *hinges(("E", "rocker", "link", (1.6, 0.9)), ("F", "link", "ram", (2.6, 0.1)))]
    joints.append(gk.Joint("G", "P", ("frame", "ram"), point=(2.6, 0.1), axis=(1.0, 0.0)))
    return mechanism(["crank", "rod", "rocker", "link", "ram"], joints, rate)


def mechanism(bodies: list[str], joints: list[gk.Joint], rate: float) -> gk.Mechanism:
    """With masses and weights."""
    parts = [gk.Body(name, mass=1.0 + k, center="middle", inertia=0.1 + 0.1 * k) for k, name in enumerate(bodies)]
    return gk.Mechanism(2, ["frame", *parts], joints, [gk.Driver("A", gk.Ramp(rate))], gravity=(1.0, -9.0))


def in_space(plane: gk.Mechanism) -> gk.Mechanism:
    """The same in a tilted plane; hinges may be anywhere along their axes."""
    rng = np.random.default_rng(0)

    def lifted(point: object, along: float = 0.0) -> tuple[float, ...]:
        return tuple(TURN @ np.append(np.array(point, float), along) + SHIFT)

    joints = []
    for joint in plane.joints:
        axis = np.append(np.array(joint.axis, float), 0.0) if joint.type == "P" else np.array([0.0, 0.0, 1.0])
        high = 0.0 if joint.type == "P" else float(rng.uniform(-0.5, 0.5))
        joints.append(replace(joint, point=lifted(joint.point, high), axis=tuple(TURN @ axis)))
    centers = {body.name: center_of(plane, body.name) for body in plane.bodies if body.name != "frame"}
    bodies = [
        gk.Body(body.name, mass=body.mass, center=lifted(centers[body.name]), inertia=body.inertia)
        if body.name in centers
        else body.name
        for body in plane.bodies
    ]  # fmt: skip
    gravity = tuple(TURN @ np.append(np.array(plane.gravity), 0.0))
    return gk.Mechanism(3, bodies, joints, plane.drivers, gravity=gravity)


def center_of(plane: gk.Mechanism, body: str) -> Array:
    return np.mean([joint.point for joint in plane.joints if body in joint.bodies], axis=0)


MECHANISMS = {"four-bar": four_bar, "slider-crank": slider_crank, "six-bar": six_bar}


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_motion_is_that_of_the_plane(name: str) -> None:
    plane = MECHANISMS[name]()
    own, twin = gk.solve(in_space(plane), TIMES), gk.solve(plane, TIMES)
    assert "Newton" not in own.program.solvers
    assert max_residual(own) < 1e-14
    for body in plane.movable:
        at = center_of(plane, body)
        there = TURN @ np.append(at, 0.0) + SHIFT
        for order in range(3):
            expected = twin.point_on(body, at, order) @ TURN[:, :2].T + SHIFT * (order == 0)
            np.testing.assert_allclose(own.point_on(body, there, order), expected, rtol=0, atol=1e-12 * 6.0**order)
        turning = np.outer(twin.angular_acceleration(body), TURN[:, 2])
        np.testing.assert_allclose(own.angular_acceleration(body), turning, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", MECHANISMS)
def test_drivers_need_the_moments_of_the_plane(name: str) -> None:
    plane = MECHANISMS[name]()
    own, twin = (gk.inverse_dynamics(each, TIMES).driver("A") for each in (in_space(plane), plane))
    np.testing.assert_allclose(own, twin, rtol=0, atol=1e-9 * np.abs(twin).max())


@pytest.mark.parametrize("name", MECHANISMS)
def test_modes_and_limits_are_those_of_the_plane(name: str) -> None:
    plane = MECHANISMS[name]()
    own, twin = (gk.assembly_modes(each).modes for each in (in_space(plane), plane))
    assert [(mode.group, mode.number) for mode in own] == [(mode.group, mode.number) for mode in twin]
    ours, theirs = (gk.limits(each, "A") for each in (in_space(plane), plane))
    assert len(ours.branches) == len(theirs.branches)
    values = [sorted(limit.value for limit in each.limits) for each in (ours, theirs)]
    np.testing.assert_allclose(*values, rtol=0, atol=1e-9)


def test_each_mode_is_solved_by_its_sign() -> None:
    plane = four_bar()
    own, twin = (gk.solve(gk.program(each, modes={"rocker": 2}), TIMES) for each in (in_space(plane), plane))
    expected = twin.position("rocker") @ TURN[:, :2].T
    found = own.point_on("rocker", TURN @ np.append(twin.program.geometry.origins["rocker"], 0.0) + SHIFT) - SHIFT
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_a_parallelogram_goes_straight_on_where_it_is_flat() -> None:
    joints = hinges(("A", "frame", "crank", A), ("B", "crank", "rod", B), ("C", "rod", "rocker", (1.5, 0.5)))
    joints += hinges(("D", "rocker", "frame", D))
    plane = mechanism(["crank", "rod", "rocker"], joints, 6.0)
    motion = gk.solve(in_space(plane), TIMES, on_singular="continue")
    assert len(motion.passages) == 2
    assert max_residual(motion) < 1e-12
    np.testing.assert_allclose(motion.rotation("rod"), np.broadcast_to(np.eye(3), (TIMES.size, 3, 3)), atol=1e-9)


@pytest.mark.parametrize("name", MECHANISMS)
def test_designs_keep_the_plane(name: str) -> None:
    """A hinge may move anywhere in the plane; an axis that is tilted by itself locks the mechanism."""
    plane = MECHANISMS[name]()
    mechanism = in_space(plane)
    design = gk.design(mechanism, [f"joint B.{axis}" for axis in "xyz"])
    own = design.solve(design.nominal + 0.05 * TURN[:, 0], TIMES)
    joints = [replace(x, point=(x.point[0] + 0.05, x.point[1])) if x.name == "B" else x for x in plane.joints]  # type: ignore[index,operator]
    twin = gk.solve(replace(plane, joints=joints), TIMES)
    np.testing.assert_allclose(own.joint("D"), twin.joint("D"), rtol=0, atol=1e-12)
    tilted = gk.design(mechanism, [f"axis B.{axis}" for axis in "xyz"])
    with pytest.raises(gk.GroupkinError, match=r"must change together|axes are no longer parallel"):
        tilted.solve(tilted.nominal + 0.05 * TURN[:, 0], TIMES)
