"""Closing a reference configuration, or saying which joint is open and by how much."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from groupkin.errors import NotAssembledError
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from groupkin.model.geometry.assembly import CLOSED, assembled, gaps, require_assembled
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import Geometry, resolve

ENDS = {"A": ("ground", "crank"), "B": ("crank", "rod"), "C": ("rod", "rocker"), "D": ("rocker", "ground")}


def four_bar(rod: float = 3.0, reference: float = 0.0, **changes: Any) -> Mechanism:
    """A four-bar whose coupler of a stated length does not quite fit; the crank is driven."""
    points = {"A": (0.0, 0.0), "B": (0.3, 1.0), "C": (3.0, 2.0), "D": (4.0, 0.0)}
    joints = [Joint(n, "R", ends, point=n, reference=reference if n == "A" else 0.0) for n, ends in ENDS.items()]
    bodies = ["ground", "crank", Body("rod", lengths={("B", "C"): rod}), "rocker"]
    fields: dict[str, Any] = {"drivers": [Driver("A", Constant(reference))], "points": points}
    return Mechanism(2, bodies, joints, **(fields | changes))


def lengths(geometry: Geometry) -> dict[str, float]:
    """Distances between the two joints of each moving body, in its own coordinates."""
    place = {(n, body): geometry.joints[n].points[side] for n, ends in ENDS.items() for side, body in enumerate(ends)}
    found = {}
    for body in ("crank", "rod", "rocker"):
        first, second = (place[key] for key in place if key[1] == body)
        found[body] = float(np.linalg.norm(second - first))
    return found


def test_what_fits_is_left_alone() -> None:
    mechanism = four_bar(rod=float(np.hypot(2.7, 1.0)))
    assert gaps(mechanism, resolve(mechanism)) == {}
    closed, stated = assembled(mechanism), require_assembled(mechanism)
    np.testing.assert_array_equal(closed.joints["B"].points, stated.joints["B"].points)


def test_open_joints_are_named_with_their_gaps() -> None:
    mechanism = four_bar()
    with pytest.raises(NotAssembledError) as caught:
        require_assembled(mechanism)
    error, gap = caught.value, 3.0 - float(np.hypot(2.7, 1.0))
    # the coupler keeps its middle: half of what is missing is open at each end
    assert set(error.gaps) == {"B", "C"}
    for size, unit in error.gaps.values():
        assert unit == "m"
        assert size == pytest.approx(gap / 2, rel=1e-9)
    assert f"B by {gap / 2:.3g} m" in str(error)
    assert f"C by {gap / 2:.3g} m" in str(error)
    assert "--assemble" in str(error)


@pytest.mark.parametrize("reference", [0.0, 0.8])
def test_assembling_closes_all_joints_and_keeps_lengths_and_drivers(reference: float) -> None:
    mechanism = four_bar(reference=reference)
    before, closed = resolve(mechanism), assembled(mechanism)
    assert gaps(mechanism, closed) == {}
    for body, length in lengths(before).items():
        assert lengths(closed)[body] == pytest.approx(length, rel=1e-9)
    assert lengths(closed)["rod"] == pytest.approx(3.0, rel=1e-9)
    joint = mechanism.joints[0]
    found = reference_coordinates(mechanism.form(joint), closed.joints["A"])
    np.testing.assert_allclose(found, [reference], atol=1e-8)
    np.testing.assert_allclose(closed.joints["D"].points[1], [4.0, 0.0])  # the frame stays


def test_lengths_that_cannot_close_are_refused() -> None:
    """With its group, and the gap that is left with all other joints closed."""
    mechanism = four_bar(rod=9.0)
    with pytest.raises(NotAssembledError, match=r"cannot be assembled near its reference") as caught:
        assembled(mechanism)
    ((size, unit),) = caught.value.gaps.values()
    gap = 9.0 - np.hypot(3.7, 1.0) - np.hypot(1.0, 2.0)  # the crank is held, the rocker points away from it
    assert unit == "m"
    assert size == pytest.approx(gap, rel=4 * CLOSED**-2)  # the others are open by about CLOSED**-2 of it
    assert "group 2 (rod, rocker) does not close: one of its joints" in str(caught.value)
    assert f"by {gap:.3g} m at least; stated lengths: rod B-C 9 m" in str(caught.value)


def test_lengths_that_cannot_close_without_drivers_are_refused() -> None:
    with pytest.raises(NotAssembledError, match=r"still open: A by .*B by"):
        assembled(four_bar(rod=9.0, drivers=[]))


def test_a_gap_in_orientation_is_an_angle() -> None:
    """The axes of a hinge are one direction in the reference configuration; after a turn of a body they are not."""
    joints = [
        Joint("hinge", "R", ("ground", "arm"), point=(0, 0, 0), axis=(0, 0, 1)),
        Joint("slide", "P", ("arm", "hand"), points=((1, 0, 0), (1.5, 0, 0.25)), axis=(1, 0, 0)),
    ]
    mechanism = Mechanism(3, ["ground", "arm", "hand"], joints)
    found = gaps(mechanism, resolve(mechanism))
    assert set(found) == {"slide"}  # the second point is off the line by 0.25 m
    assert found["slide"] == (pytest.approx(0.25), "m")


def test_assembling_in_space_keeps_driven_freedoms() -> None:
    joints = [
        Joint("crank", "R", ("ground", "arm"), point=(0, 0, 0), axis=(0, 0, 1), reference=0.4),
        Joint("u", "U", ("arm", "rod"), point="B", axes=((0, 0, 1), (1, 1, 0))),
        Joint("s", "S", ("rod", "slide"), point="C"),
        Joint("p", "P", ("ground", "slide"), points=((3, 0, 0.5), (3, 1, 0.5)), axis=(0, 1, 0)),
    ]
    bodies = ["ground", "arm", Body("rod", lengths={("B", "C"): 2.5}), "slide"]
    points = {"B": (1.0, 0.0, 0.0), "C": (3.0, 1.0, 0.5)}
    mechanism = Mechanism(3, bodies, joints, [Driver("crank", Constant(0.4))], points=points)
    with pytest.raises(NotAssembledError):
        require_assembled(mechanism)
    closed = assembled(mechanism)
    assert gaps(mechanism, closed) == {}
    for joint in mechanism.joints[:1]:
        found = reference_coordinates(mechanism.form(joint), closed.joints[joint.name])
        np.testing.assert_allclose(found, [0.4], atol=1e-8)
    ends = closed.joints["u"].points[1], closed.joints["s"].points[0]
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(2.5, rel=1e-9)
