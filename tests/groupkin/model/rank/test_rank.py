"""Rank of groups against rounding errors, at any size and place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from groupkin.analysis import analyze
from groupkin.errors import DeterminedByCountOnlyError
from groupkin.kinematics.program.solver_choice import BY_COUNT, BY_RANK, NO_SOLVER
from groupkin.kinematics.solver import solve
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism


def rod_beside_a_hinge(size: float = 1.0, offset: float = 0.0, far: str = "b") -> Mechanism:
    """A driven hinge between two bodies and a rod between the same, or from the frame: then it holds them."""
    joints = [
        Joint("A", "R", ("f", "b"), point=(0.1, 0.2)),
        Joint("B", "R", ("b", "c"), point=(0.317, 0.733)),
        Joint("S", "SPSP", (far, "c"), points=((0.613, -0.211), (0.97, 0.41))),
    ]
    place = offset * np.array([0.6, -0.8])

    def put(joint: Joint) -> Joint:
        if joint.points is not None:
            first, second = (tuple(size * (np.array(point) + place)) for point in joint.points)
            return replace(joint, points=(first, second))
        return replace(joint, point=tuple(size * (np.array(joint.point) + place)))

    return Mechanism(2, ["f", "b", "c"], [put(joint) for joint in joints], [Driver("B", Ramp(1.0))])


@pytest.mark.smoke
@pytest.mark.parametrize("offset", [0.0, 3.0, 1e3, 1e7])
@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_rounding_errors_are_no_rank(size: float, offset: float) -> None:
    """The only unknown turns both ends of the rod alike; what is left of its equation is rounding."""
    mechanism = rod_beside_a_hinge(size, offset)
    (group,) = analyze(mechanism).groups
    assert (group.determined, group.solver) == (BY_COUNT, NO_SOLVER)
    assert "has 1 equation for 1 unknown but rank 0 in the reference configuration" in group.notes[0]
    assert "b, c can move while B stands still, as constraints of B and S are redundant" in group.notes[0]
    with pytest.raises(DeterminedByCountOnlyError):
        solve(mechanism, [0.0])
    (held,) = analyze(rod_beside_a_hinge(size, offset, far="f")).groups
    assert held.determined == BY_RANK
