"""Body-local geometry: the frames of every pair hold its reference coordinates, and stated lengths are met."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from groupkin.errors import GeometryError, NoGeometryError, NotModeledError
from groupkin.mechanism.mechanism import Body, Joint, Mechanism
from groupkin.model.geometry.assembly import gaps
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry, missing_geometry, resolve
from tests.support.mechanisms import four_bar

Array = NDArray[np.float64]
AXIS = np.array([1.0, 2.0, -2.0]) / 3.0
OTHER = np.array([2.0, -1.0, 0.5]) / np.linalg.norm([2.0, -1.0, 0.5])


def joined(symbol: str, dimension: int = 3, **geometry: Any) -> JointGeometry:
    """The geometry of a single joint."""
    joint = Joint("J", symbol, ("ground", "body"), **geometry)
    return resolve(Mechanism(dimension, ["ground", "body"], [joint])).joints["J"]


def relative(joint: JointGeometry) -> Array:
    """The second frame as seen from the first."""
    return joint.frames[0].T @ joint.frames[1]


def check_frames(joint: JointGeometry) -> None:
    d = joint.points.shape[1]
    for frame in joint.frames:
        np.testing.assert_allclose(frame.T @ frame, np.eye(d), atol=1e-15)
        assert np.linalg.det(frame) == pytest.approx(1.0)


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.5])
@pytest.mark.parametrize("axis", [AXIS, -AXIS, np.array([0, 0, 1.0]), np.array([-1.0, 0, 0])])
def test_revolute_in_space(axis: Array, angle: float) -> None:
    joint = joined("R", point=(1, 2, 3), axis=5 * axis, reference=angle)
    check_frames(joint)
    np.testing.assert_allclose(joint.frames[:, :, 2], [axis, axis], atol=1e-15)
    np.testing.assert_allclose(relative(joint), Rotation.from_euler("Z", angle).as_matrix(), atol=1e-15)
    np.testing.assert_array_equal(joint.points, [[1, 2, 3], [1, 2, 3]])


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.5])
def test_revolute_in_the_plane(angle: float) -> None:
    joint = joined("R", 2, point=(1, 2), reference=angle)
    check_frames(joint)
    np.testing.assert_allclose(relative(joint), Rotation.from_euler("Z", angle).as_matrix()[:2, :2], atol=1e-15)


def test_prismatic_in_space() -> None:
    joint = joined("P", points=((1, 1, 1), np.array([1, 1, 1]) - 2.5 * AXIS), axis=AXIS)
    check_frames(joint)
    np.testing.assert_allclose(relative(joint), np.eye(3), atol=1e-15)
    np.testing.assert_allclose(joint.frames[0].T @ (joint.points[1] - joint.points[0]), [0, 0, -2.5], atol=1e-15)


def test_prismatic_in_the_plane() -> None:
    axis = np.array([3.0, -4.0])
    joint = joined("P", 2, points=((1, 1), (1, 1) + 0.5 * axis), axis=axis)
    check_frames(joint)
    np.testing.assert_allclose(relative(joint), np.eye(2), atol=1e-15)
    np.testing.assert_allclose(joint.frames[0].T @ (joint.points[1] - joint.points[0]), [2.5, 0], atol=1e-15)


@pytest.mark.parametrize("reference", [0.4, {"angle": 0.4}])
def test_cylindrical(reference: Any) -> None:
    joint = joined("C", points=((0, 0, 0), 1.5 * AXIS), axis=AXIS, reference=reference)
    check_frames(joint)
    np.testing.assert_allclose(joint.frames[0] @ [0, 0, 1.5], joint.points[1] - joint.points[0], atol=1e-15)
    np.testing.assert_allclose(relative(joint), Rotation.from_euler("Z", 0.4).as_matrix(), atol=1e-15)


@pytest.mark.parametrize("reference", [{}, {"angle_1": 0.3}, {"angle_1": -1.1, "angle_2": 2.0}])
@pytest.mark.parametrize("second", [OTHER, np.cross(AXIS, OTHER)])
def test_universal(second: Array, reference: dict[str, float]) -> None:
    joint = joined("U", point=(0, 0, 1), axes=(AXIS, 2 * second), reference=reference)
    check_frames(joint)
    second = second / np.linalg.norm(second)
    np.testing.assert_allclose(joint.frames[0, :, 2], AXIS, atol=1e-15)
    np.testing.assert_allclose(joint.frames[1, :, 2], second, atol=1e-15)
    assert joint.cross_angle == pytest.approx(np.arccos(AXIS @ second))
    angles = [reference.get("angle_1", 0.0), joint.cross_angle, reference.get("angle_2", 0.0)]
    np.testing.assert_allclose(relative(joint), Rotation.from_euler("ZXZ", angles).as_matrix(), atol=1e-14)


@pytest.mark.parametrize("symbol", ["S", "F"])
def test_three_angles_are_intrinsic_rotations(symbol: str) -> None:
    angles = {"angle_z": 0.9, "angle_x": 0.3, "angle_y": -0.5}
    joint = joined(symbol, point=(1, 0, 0), reference=angles)
    check_frames(joint)
    np.testing.assert_allclose(relative(joint), Rotation.from_euler("XYZ", [0.3, -0.5, 0.9]).as_matrix(), atol=1e-15)
    np.testing.assert_array_equal(joint.frames[0], np.eye(3))


@pytest.mark.parametrize(("symbol", "dimension"), [("F", 3), ("FP", 2)])
def test_displacements_of_a_free_body_are_along_the_global_axes(symbol: str, dimension: int) -> None:
    away = np.array([0.1, -0.2, 0.3])[:dimension]
    joint = joined(symbol, dimension, points=(np.ones(dimension), np.ones(dimension) + away))
    np.testing.assert_allclose(joint.frames[0].T @ (joint.points[1] - joint.points[0]), away, atol=1e-15)


def test_a_free_body_in_the_plane_turns() -> None:
    joint = joined("FP", 2, reference=0.8)
    np.testing.assert_array_equal(joint.points, np.zeros((2, 2)))
    np.testing.assert_allclose(relative(joint), Rotation.from_euler("Z", 0.8).as_matrix()[:2, :2], atol=1e-15)


@pytest.mark.parametrize(
    ("symbol", "dimension", "geometry", "enough"),
    [
        ("R", 2, {"point": (0, 0)}, True),
        ("R", 2, {}, False),
        ("R", 3, {"point": (0, 0, 0)}, False),
        ("P", 2, {"point": (0, 0)}, False),
        ("P", 2, {"axis": (1, 0)}, False),
        ("S", 3, {"point": (0, 0, 0)}, True),
        ("U", 3, {"point": (0, 0, 0)}, False),
        ("F", 3, {}, True),
        ("FP", 2, {}, True),
        ("H", 3, {"point": (0, 0, 0), "axis": (1, 0, 0)}, False),
        ("SPSP", 3, {"point": (0, 0, 0)}, False),
        ("SPSP", 3, {"points": ((0, 0, 0), (1, 0, 0))}, True),
        ("EO", 2, {"points": ((0, 0), (1, 0))}, False),
        ("EO", 2, {"points": ((0, 0), (1, 0)), "radii": (1, 2)}, True),
        ("CR", 2, {"point": (0, 0), "axis": (1, 0)}, True),
        ("CR", 3, {"point": (0, 0, 0)}, False),
    ],
)
def test_which_geometry_a_joint_needs(symbol: str, dimension: int, geometry: dict[str, Any], enough: bool) -> None:
    assert (not missing_geometry(Joint("J", symbol, ("a", "b"), **geometry), dimension)) is enough
    if not enough:
        with pytest.raises(NoGeometryError, match=r"analyzed but not solved.* no `\w+`.* at J\. Give it"):
            joined(symbol, dimension, **geometry)


@pytest.mark.parametrize(
    ("symbol", "dimension", "geometry", "message"),
    [
        (
            "SPSP",
            3,
            {"points": ((1, 0, 0), (1, 0, 0))},
            "two points coincide; give two different `points`",
        ),
        ("RD", 2, {"points": ((1, 0), (1, 0))}, "joint 'J': its two points coincide"),
        ("RW", 2, {"points": ((1, 0), (3, 0)), "axis": (1, 0)}, "joint 'J': the center of the wheel lies on the line"),
        (
            "EO",
            3,
            {"points": ((1, 0, 0), (3, 0, 0)), "axes": ((1, 0, 0), (0, 1, 0)), "radii": (1, 2)},
            "joint 'J': the two centers lie on the axis of the first wheel",
        ),
    ],
)
def test_points_that_say_too_little_are_refused(
    symbol: str, dimension: int, geometry: dict[str, Any], message: str
) -> None:
    with pytest.raises(GeometryError, match=message):
        joined(symbol, dimension, **geometry)


@pytest.mark.parametrize(
    ("symbol", "dimension", "geometry"),
    [
        ("SP", 3, {"points": ((0, 0, 0), (0.3, 0.1, 0.01)), "axis": (0, 0, 1)}),
        ("SC", 3, {"points": ((0, 0, 0), (0.01, 0, 0.3)), "axis": (0, 0, 1)}),
        ("PL", 3, {"points": ((0, 0, 0), (0.3, 0.1, 0.01)), "axis": (0, 0, 1)}),
        ("H", 3, {"points": ((0, 0, 0), (0.01, 0, 0.3)), "axis": (0, 0, 1), "pitch": 0.1}),
        ("CR", 2, {"points": ((0, 0), (0.3, 0.01)), "axis": (1, 0)}),
        ("CR", 3, {"points": ((0, 0, 0), (0.3, 0.01, 0.2)), "axes": ((1, 0, 0), (0, 0, 1))}),
        ("RW", 3, {"points": ((0, 0, 0), (0.2, 0.5, 0.01)), "axes": ((1, 0, 0), (0, 0, 1))}),
    ],
)
def test_points_that_are_off_leave_the_joint_open(symbol: str, dimension: int, geometry: dict[str, Any]) -> None:
    mechanism = Mechanism(dimension, ["ground", "body"], [Joint("J", symbol, ("ground", "body"), **geometry)])
    found = gaps(mechanism, resolve(mechanism))
    assert found["J"] == (pytest.approx(0.01), "m")


def test_pairs_without_equations_are_refused() -> None:
    with pytest.raises(NotModeledError, match=r"joint 'J': the pair CTRP \(contact at three points\) can be an"):
        joined("CTRP")


def with_coupler(**coupler: Any) -> Geometry:
    """Geometry of a four-bar whose coupler is described in these words."""
    points = {"A": (0, 0), "B": (0, 1), "C": (3, 2), "D": (4, 0)}
    return resolve(four_bar(points, coupler=Body("coupler", **coupler)))


def test_origins_are_the_first_joints_points_unless_given() -> None:
    origins = with_coupler().origins
    np.testing.assert_array_equal([origins[body] for body in ("ground", "crank", "coupler")], [[0, 0], [0, 0], [0, 1]])
    np.testing.assert_array_equal(origins["rocker"], [3, 2])
    np.testing.assert_array_equal(with_coupler(origin="C").origins["coupler"], [3, 2])
    np.testing.assert_array_equal(with_coupler(origin=(7, 8)).origins["coupler"], [7, 8])


def test_named_points_belong_to_a_movable_body_that_carries_them() -> None:
    geometry = with_coupler(points={"P": (1, 3)})
    assert {name: body for name, (body, _) in geometry.points.items()} == {
        "A": "crank",
        "B": "crank",
        "P": "coupler",
        "C": "coupler",
        "D": "rocker",
    }
    assert geometry.size == pytest.approx(5.0)


@pytest.mark.smoke
def test_stated_lengths_are_met() -> None:
    lengths = {("B", "C"): 3.2, ("C", "P"): 2.2, ("P", "B"): 2.3}
    geometry = with_coupler(points={"P": (1, 3)}, lengths=lengths)
    place = {name: geometry.points[name][1] for name in "PC"}
    place["B"] = geometry.joints["B"].points[1]
    for (first, second), length in lengths.items():
        assert np.linalg.norm(place[first] - place[second]) == pytest.approx(length, rel=1e-14)
    np.testing.assert_array_equal(geometry.joints["B"].points[0], [0, 1])  # the crank's own end stays
    np.testing.assert_array_equal(geometry.joints["C"].points[0], place["C"])
    assert np.abs(place["P"] - (1, 3)).max() < 0.1


def test_lengths_that_are_met_move_nothing() -> None:
    geometry = with_coupler(lengths={("B", "C"): float(np.sqrt(10.0))})
    np.testing.assert_allclose(geometry.joints["C"].points[0], [3, 2], atol=1e-15)


def test_contradicting_lengths_are_refused() -> None:
    lengths = {("B", "C"): 1.0, ("C", "P"): 1.0, ("P", "B"): 5.0}
    with pytest.raises(GeometryError, match=r"body 'coupler': its lengths contradict each other; .*-.* cannot be"):
        with_coupler(points={"P": (1, 3)}, lengths=lengths)
