"""Joint coordinates are the inverse of composing a joint's moves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS, freedoms
from groupkin.model.coordinates import coordinates, reference_coordinates
from groupkin.model.geometry import resolve
from tests.mechanisms import Workshop, reference_value

MODELED = [(d, s) for d in (2, 3) for s, p in PAIRS.items() if p.modeled and (p.plane if d == 2 else p.space)]

angle = st.floats(-3.1, 3.1)
small = st.floats(-1.5, 1.5)  # the middle one of three rotations


@pytest.mark.parametrize(("dimension", "symbol"), MODELED)
def test_coordinates_invert_the_moves(dimension: int, symbol: str) -> None:
    @given(st.tuples(angle, small, angle), st.tuples(*[st.floats(-5, 5)] * 3), st.floats(0.2, 2.9))
    def check(angles: tuple[float, ...], shifts: tuple[float, ...], cross_angle: float) -> None:
        own = freedoms(symbol, dimension)
        turns = [freedom for freedom in own if freedom.rotation]
        chosen = iter(angles if len(turns) == 3 else (angles[0], angles[2]))
        values = [next(chosen) if freedom.rotation else shifts[freedom.axis] for freedom in own]
        shift = np.zeros(dimension)
        sequence, moves = "", []
        for k, (freedom, value) in enumerate(zip(own, values, strict=True)):
            if freedom.rotation:
                sequence += "XYZ"[freedom.axis]
                moves.append(value)
                if symbol == "U" and k == 0:
                    sequence += "X"
                    moves.append(cross_angle)
            else:
                shift[freedom.axis] = value
        turn = Rotation.from_euler(sequence, moves).as_matrix() if sequence else np.eye(3)
        found = coordinates(own, turn[:dimension, :dimension], shift, cross_angle if symbol == "U" else 0.0)
        # near ±π/2 of the middle rotation the others lose 1 / cos(1.5) = 14
        np.testing.assert_allclose(found, values, atol=1e-12)

    check()


def test_coordinates_of_many_steps_at_once() -> None:
    rng = np.random.default_rng(0)
    turns, shifts = Rotation.random(7, random_state=1).as_matrix(), rng.normal(size=(7, 3))
    own = freedoms("F", 3)
    found = coordinates(own, turns, shifts)
    assert found.shape == (6, 7)
    for k in range(7):
        np.testing.assert_array_equal(found[:, k], coordinates(own, turns[k], shifts[k]))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("dimension", "symbol"), MODELED)
def test_reference_coordinates_are_those_stated(dimension: int, symbol: str, seed: int) -> None:
    shop = Workshop(dimension, np.random.default_rng(seed))
    shop.bodies.append("body")
    joint: Joint = shop.join(symbol, ("ground", "body"))
    mechanism = Mechanism(dimension, shop.bodies, [joint])
    own = mechanism.freedoms(joint)
    found = reference_coordinates(own, resolve(mechanism).joints[joint.name])
    np.testing.assert_allclose(found, [reference_value(joint, freedom.name) for freedom in own], atol=1e-13)
