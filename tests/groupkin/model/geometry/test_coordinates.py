"""Joint coordinates are the inverse of composing a joint's moves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS, form
from groupkin.model.geometry.coordinates import coordinates, placement, reference_coordinates
from groupkin.model.geometry.geometry import resolve
from tests.support.random_mechanisms import Workshop, reference_value
from tests.support.shares import in_part

FORMS = [(d, s, p.plane if d == 2 else p.space) for d in (2, 3) for s, p in PAIRS.items() if p.modeled]
MODELED = [(d, s) for d, s, own in FORMS if own and not own.curved]  # curves are tested with the cams

angle = st.floats(-3.1, 3.1)
small = st.floats(-1.5, 1.5)  # the middle one of three rotations


@pytest.mark.parametrize(("dimension", "symbol"), in_part(MODELED, 6))
def test_coordinates_invert_the_moves(dimension: int, symbol: str) -> None:
    own = form(symbol, dimension)

    @given(st.lists(angle, min_size=6, max_size=6), st.lists(small, min_size=6, max_size=6), st.floats(0.2, 2.9))
    def check(wide: list[float], narrow: list[float], cross_angle: float) -> None:
        values = [n if move.middle else w for move, w, n in zip(own.moves, wide, narrow, strict=False)]
        polar = next((k for k, move in enumerate(own.moves) if move.axis == 0 and not move.rotation), 0)
        if polar:  # a distance is not negative, nor zero
            values[polar] = 0.1 + abs(values[polar])
        bend = Rotation.from_euler("X", cross_angle).as_matrix() if own.bend is not None else None
        turned, place = np.eye(3), np.zeros(3)
        for k, (move, value) in enumerate(zip(own.moves, values, strict=True)):
            if k == own.bend:
                turned = turned @ bend
            if move.rotation:
                turned = turned @ Rotation.from_euler("XYZ"[move.axis], value).as_matrix()
            else:
                place = place + turned[:, move.axis] * value
        found = coordinates(own, turned[:dimension, :dimension], place[:dimension], bend)
        # near ±π/2 of a middle rotation the others lose 1 / cos(1.5) = 14, and after a short distance ten times more
        np.testing.assert_allclose(found, values, atol=1e-11)
        rotation, shift = placement(own, np.array(values), bend, dimension)
        np.testing.assert_allclose(rotation, turned[:dimension, :dimension], atol=1e-14)
        np.testing.assert_allclose(shift, place[:dimension], atol=1e-13)

    check()


def test_coordinates_of_many_steps_at_once() -> None:
    rng = np.random.default_rng(0)
    turns, shifts = Rotation.random(7, random_state=1).as_matrix(), rng.normal(size=(7, 3))
    own = form("F", 3)
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
    own = mechanism.form(joint)
    found = reference_coordinates(own, resolve(mechanism).joints[joint.name])[list(own.places)]
    expected = [reference_value(joint, freedom.name, dimension) for freedom in own.freedoms]
    np.testing.assert_allclose(found, expected, atol=1e-13)
