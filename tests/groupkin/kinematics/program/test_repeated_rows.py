"""Joints of which rows were left out: a step at which one is open is not solved, whatever leads to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import groupkin as gk
from groupkin.errors import GroupkinWarning, OpenJointError
from groupkin.kinematics.program import repeated_rows
from groupkin.kinematics.program.program import Pose
from groupkin.model.geometry.coordinates import (
    allowed_placement,
    placement,
    placement_residual,
    relation,
)
from groupkin.model.geometry.geometry import resolve
from sglibrary.repeated_rows import check
from sglibrary.status import JOINT_OPEN, SOLVED

Array = NDArray[np.float64]

STATED: dict[tuple[int, str], dict[str, Any]] = {
    (2, "R"): {"point": (0.3, -0.2)},
    (2, "P"): {"point": (0.3, -0.2), "axis": (1.0, 2.0)},
    (2, "CR"): {"point": (0.3, -0.2), "axis": (1.0, 2.0)},
    (3, "R"): {"point": (0.3, -0.2, 0.5), "axis": (1.0, 2.0, -1.0)},
    (3, "P"): {"point": (0.3, -0.2, 0.5), "axis": (1.0, 2.0, -1.0)},
    (3, "H"): {"point": (0.3, -0.2, 0.5), "axis": (1.0, 2.0, -1.0), "pitch": 0.2, "reference": {"angle": 0.7}},
    (3, "C"): {"point": (0.3, -0.2, 0.5), "axis": (1.0, 2.0, -1.0)},
    (3, "U"): {"point": (0.3, -0.2, 0.5), "axes": ((1.0, 2.0, -1.0), (0.5, 0.1, 1.0))},
    (3, "ER"): {"point": (0.3, -0.2, 0.5), "axes": ((1.0, 2.0, -1.0), (0.5, 0.1, 1.0))},
    (3, "S"): {"point": (0.3, -0.2, 0.5)},
    (3, "SC"): {"point": (0.3, -0.2, 0.5), "axis": (1.0, 2.0, -1.0)},
}
"""Pairs whose rows may be left out, by dimension."""


def poses(d: int) -> dict[str, Pose]:
    """Two bodies, whose rows of the state come one after another."""
    found, first = {}, 1
    for body in ("one", "two"):
        vectors = tuple(first + d * k for k in range(1, 2 if d == 2 else 4))
        found[body] = Pose(first, vectors, np.zeros(d), np.eye(d))
        first = vectors[-1] + d
    return found


def turned(rng: np.random.Generator, d: int, most: float = 3.0) -> Array:
    vector = rng.uniform(-most, most, 3) * ((0, 0, 1) if d == 2 else (1, 1, 1))
    return Rotation.from_rotvec(vector).as_matrix()[:d, :d]


@pytest.mark.parametrize(("d", "kind"), STATED)
def test_a_joint_is_open_where_its_coordinates_do_not_place_it(d: int, kind: str) -> None:
    """Random placements that the joint allows, moved apart a little, against the placement with its coordinates."""
    rng = np.random.default_rng(17 * d)
    joint = gk.Joint("J", kind, ("one", "two"), **STATED[d, kind])
    mechanism = gk.Mechanism(d, ["one", "two"], [joint])
    joint, geometry = mechanism.joint["J"], resolve(mechanism)
    stated, form, placed = geometry.joints["J"], mechanism.form(joint), poses(d)
    rows = placed["two"].vectors[-1] + d
    call = repeated_rows._check(mechanism, joint, geometry, placed, 1, list(range(placed["two"].point, rows)))
    n = 64
    q, gaps = np.zeros((rows, n)), np.zeros(n)
    for k in range(n):
        values = rng.uniform(-1.0, 1.0, len(form.moves))
        if form.coupled:
            coefficients, constant = relation(form, stated)
            values[1] = (constant - coefficients[0] * values[0]) / coefficients[1]
        rotation, shift = placement(form, values, stated.bend, d)
        first, at = turned(rng, d), rng.uniform(-5.0, 5.0, d)
        size = (0.0, 1e-12, 1e-7, 1e-3, 0.3)[k % 5]
        second = turned(rng, d, size) @ first @ stated.frames[0] @ rotation @ stated.frames[1].T
        center = at + first @ (stated.points[0] + stated.frames[0] @ shift) + rng.uniform(-size, size, d)
        bodies = ((first, at), (second, center - second @ stated.points[1]))
        for pose, (turn, point) in zip(placed.values(), bodies, strict=True):
            q[pose.point : pose.point + d, k] = point
            for c, row in enumerate(pose.vectors):
                q[row : row + d, k] = turn[:, c]
        back = (first @ stated.frames[0]).T
        apart = center - at - first @ stated.points[0]
        now = back @ second @ stated.frames[1], back @ apart
        found, allowed = allowed_placement(form, stated, now, {})
        gaps[k] = placement_residual(now, allowed, geometry.size)
        if form.coupled:
            missed = (coefficients @ found - constant) / coefficients[0]
            gaps[k] = max(gaps[k], abs(missed - 2 * np.pi * np.round(missed / (2 * np.pi))))
    status, conditioning = np.zeros(n, np.uint8), np.ones(n)
    v, a = np.zeros_like(q), np.zeros_like(q)
    check(q, v, a, np.zeros(0), call.rows, call.constants, status, conditioning, n)
    assert (status[gaps > 1e-8] == JOINT_OPEN).all()
    assert (status[gaps < 1e-10] == SOLVED).all()
    assert 0.2 * n < (status == JOINT_OPEN).sum() < 0.7 * n
    for x in (q, v, a):
        assert (np.isnan(x[placed["two"].point :]).all(axis=0) == (status == JOINT_OPEN)).all()
        assert np.isfinite(x[: placed["two"].point]).all()
    assert (conditioning[status == JOINT_OPEN] == 0.0).all()


def cranks() -> gk.Mechanism:
    """Three parallel cranks of one bar: a locomotive's."""
    points = {"A": (0, 0), "B": (0, 1), "C": (1, 0), "D": (1, 1), "E": (2.5, 0), "F": (2.5, 1)}
    ends = [pair for crank in "xyz" for pair in (("frame", crank), (crank, "bar"))]
    joints = [gk.Joint(name, "R", pair, point=name) for name, pair in zip(points, ends, strict=True)]
    return gk.Mechanism(2, ["frame", *"xyz", "bar"], joints, [gk.Driver("A", gk.Ramp(1.0))], points=points)


@pytest.mark.parametrize("path", [False, True])
@pytest.mark.parametrize("order", ["forward", "backward", "mixed"])
def test_evaluated_cranks_are_closed_or_not_solved(path: bool, order: str) -> None:
    values = np.linspace(0.0, 6.0, 25)
    if order != "forward":
        values = values[::-1] if order == "backward" else np.random.default_rng(0).permutation(values)
    found = gk.program(cranks()).evaluate([values], path=path)
    assert found.solved.sum() >= 8
    assert (found.status == JOINT_OPEN).any()
    assert np.nanmax(np.where(found.solved, found.read("residual"), 0.0)) < 1e-12
    assert np.isnan(found.position("y")[~found.solved]).all()


def test_what_is_kept_is_not_solved_where_a_joint_would_open_that_is_not_needed() -> None:
    """The bar follows from two cranks; the third one tells that it has turned."""
    found = gk.program(cranks(), keep=["angle bar"]).evaluate([np.linspace(0.0, 6.0, 25)])
    assert 8 <= found.solved.sum() < 25
    assert np.abs(found.angle("bar")[found.solved]).max() < 1e-12


def test_the_error_names_joint_gap_and_time() -> None:
    said = r"at t = 2 s leaves a redundant joint open, .*: joint 'C' is open by 0\.0443 m"
    with pytest.raises(OpenJointError, match=said) as caught:
        gk.solve(cranks(), [2.0, 2.5])
    assert caught.value.time == 2.0
    with pytest.warns(GroupkinWarning, match="passes a singular position"):
        motion = gk.solve(cranks(), [0.0, 2.0, 2.5], on_failure="nan")
    assert list(motion.solved) == [True, False, False]


def test_on_singular_continue_goes_straight_on() -> None:
    motion = gk.solve(cranks(), np.linspace(0.0, 6.2, 100), on_singular="continue")
    assert motion.solved.all()
    assert gk.max_residual(motion) < 1e-12
    assert np.abs(motion.angle("bar")).max() < 1e-12


def test_limits_find_no_configuration_that_is_open() -> None:
    assert len(gk.limits(cranks()).branches) == 2
