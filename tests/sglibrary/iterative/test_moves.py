"""Frames of a tree of moves against products of scipy's rotations, and their rates against differences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from sglibrary.iterative.kinds import BALL, CURVE, ROTATION, TRANSLATION
from sglibrary.iterative.moves import advance, gains, place, quaternion_rates, rates
from sglibrary.iterative.newton_tables import Frames, Table

Array = NDArray[np.float64]


@dataclass
class Tree:
    """Two solved frames and moves of all kinds, free and driven, some on the same frame."""

    rng: np.random.Generator

    def __post_init__(self) -> None:
        # frame it starts from, kind, axis, unknown or -1, driver or -1, variable or -1
        self.rows = np.array(
            [
                [0, ROTATION, 2, 0, -1, 0],
                [2, BALL, 0, 1, -1, 1],
                [3, TRANSLATION, 0, 4, -1, 5],
                [1, ROTATION, 1, -1, 7, -1],
                [5, TRANSLATION, 1, -1, 8, -1],
                [6, ROTATION, 0, 5, -1, 6],
                [6, BALL, 0, 6, -1, 7],
                [4, CURVE, 0, 9, -1, 11],
                [9, CURVE, 1, -1, 9, -1],
            ]
        )
        # one piece per curve; the second is closed, so that whole lengths do not matter
        self.curve_rows = np.array([[0, 1, 0], [1, 2, 1]])
        coefficients = 0.3 * self.rng.normal(size=(2, 12)) * SCALE
        self.pieces = np.concatenate([[[-9.0, 18.0], [-8.0, 16.0]], coefficients], axis=1)
        self.pieces[:, 3] += 0.5
        self.data = np.zeros((len(self.rows), 13))
        for row in self.data:
            row[:9] = Rotation.random(rng=self.rng).as_matrix().ravel()
            row[9:12] = self.rng.normal(size=3)
            row[12] = 1.0
        self.unknowns, self.moves = 10, len(self.rows)

    def solved(self, t: float) -> tuple[Array, Array, Array]:
        """Origins and rotations of the two solved frames, which turn steadily and move on parabolas; α = 0."""
        origin = np.array([[0.3 * t + 0.1 * t * t, 1.0, -t], [1.0 - t, 0.2 * t * t, 0.5]])
        spin = np.array([[0.4, -0.3, 0.2], [0.1, 0.5, -0.6]])
        return origin, Rotation.from_rotvec(spin * t).as_matrix(), spin

    def frames(self, t: float, x: Array, driven: Array, rate: Array, gain: Array) -> tuple[Array, Array]:
        """Origins (5 derivatives, frames, 3) and turns (frames, 3, 3) of all frames at time t, alike for all steps."""
        vectors, turns = np.zeros((5, 2 + self.moves, 3, WIDTH)), np.zeros((2 + self.moves, 9, WIDTH))
        origin, turn, spin = self.solved(t)
        vectors[0, :2], turns[:2], vectors[3, :2] = wide(origin), wide(turn.reshape(2, 9)), wide(spin)
        vectors[1, :2] = wide(np.array([[0.3, 0, -1], [-1, 0, 0]]))
        vectors[2, :2] = wide(np.array([[0.2, 0, 0], [0, 0.4, 0]]))
        frames = Frames(vectors, turns, wide(driven), np.empty((4, self.moves, WIDTH)), np.zeros((3, WIDTH)))
        place(wide(x), frames, Table(self.rows, self.data), Table(self.curve_rows, self.pieces), 0, self.moves)
        rates(frames, wide(rate), self.rows, 0, self.moves)
        gains(frames, wide(rate), wide(gain), self.rows, 0, self.moves)
        np.testing.assert_array_equal(vectors, vectors[..., :1] + np.zeros(WIDTH))  # no step depends on its place
        return vectors[..., 0], turns[..., 0].reshape(-1, 3, 3)


SCALE = np.tile(8.0 ** -np.arange(6), 2)  # so that all terms of a polynomial matter eight from its start
WIDTH = 11  # more than a vector register holds, and a remainder


def wide(x: Array) -> Array:
    return np.ascontiguousarray(np.repeat(x[..., None], WIDTH, axis=-1))


def moved(x: Array, step: Array, rows: NDArray[np.int64]) -> Array:
    out = wide(x)
    advance(out, wide(step), rows)
    return out[..., 0]


def variables(rng: np.random.Generator) -> Array:
    x = rng.normal(size=12)
    for first in (1, 7):
        x[first : first + 4] /= np.linalg.norm(x[first : first + 4])
    return x


def test_frames_are_products_of_moves() -> None:
    tree = Tree(np.random.default_rng(0))
    x, driven = variables(tree.rng), tree.rng.normal(size=(3, tree.moves))
    frames, turns = tree.frames(0.0, x, driven, np.zeros(10), np.zeros(10))
    for m, (parent, kind, axis, _, _, variable) in enumerate(tree.rows):
        before = turns[parent] @ tree.data[m, :9].reshape(3, 3)
        origin = frames[0, parent] + turns[parent] @ tree.data[m, 9:12]
        value = x[variable] if variable >= 0 else driven[0, m]
        if kind == BALL:
            w, i, j, k = x[variable : variable + 4]
            own = Rotation.from_quat([i, j, k, w]).as_matrix()
        elif kind == ROTATION:
            own = Rotation.from_rotvec(value * np.eye(3)[axis]).as_matrix()
        elif kind == CURVE:
            h, (cx, cy) = value - tree.pieces[axis, 0], tree.pieces[axis, 2:].reshape(2, 6)
            point, along = ([np.polynomial.Polynomial(c).deriv(k)(h) for c in (cx, cy)] for k in range(2))
            own = Rotation.from_rotvec([0, 0, np.arctan2(along[1], along[0])]).as_matrix()
            origin = origin + before @ [*point, 0.0]
        else:
            own = np.eye(3)
            origin = origin + before[:, axis] * value
        np.testing.assert_allclose(frames[0, 2 + m], origin, atol=1e-14)
        np.testing.assert_allclose(turns[2 + m], before @ own, atol=1e-14)


def test_advancing_turns_a_ball_about_axes_of_the_frame_it_leads_to() -> None:
    tree = Tree(np.random.default_rng(1))
    for size in (1e-14, 0.3):
        x, step = variables(tree.rng), size * tree.rng.normal(size=10)
        new = moved(x, step, tree.rows)
        np.testing.assert_allclose(new[[0, 5, 6, 11]], x[[0, 5, 6, 11]] + step[[0, 4, 5, 9]])
        for variable, unknown in ((1, 1), (7, 6)):
            before = Rotation.from_quat(x[variable : variable + 4][[1, 2, 3, 0]])
            after = before * Rotation.from_rotvec(step[unknown : unknown + 3])
            found = Rotation.from_quat(new[variable : variable + 4][[1, 2, 3, 0]])
            assert (found * after.inv()).magnitude() < 1e-14
            assert abs(np.linalg.norm(new[variable : variable + 4]) - 1.0) < 1e-15


def test_rates_and_gains_are_derivatives_of_the_frames() -> None:
    """Along a motion with constant gains of all unknowns, whose balls turn with exp(ω t + ½ α t²)."""
    tree = Tree(np.random.default_rng(2))
    x0, rate, gain = variables(tree.rng), tree.rng.normal(size=10), tree.rng.normal(size=10)
    driven0 = tree.rng.normal(size=(3, tree.moves))
    h = 1e-3
    places, angles = [], []
    for t in h * np.arange(-2, 3):
        x, driven = moved(x0, rate * t + 0.5 * gain * t * t, tree.rows), driven0.copy()
        driven[0] += driven0[1] * t + 0.5 * driven0[2] * t * t
        frames, turns = tree.frames(t, x, driven, np.zeros(10), np.zeros(10))
        places.append(frames[0])
        angles.append(turns)
    frames, turns = tree.frames(0.0, x0, driven0, rate, gain)
    first, second = np.array([1, -8, 0, 8, -1]) / (12 * h), np.array([-1, 16, -30, 16, -1]) / (12 * h * h)
    # truncation h⁴ times high derivatives of order 10 to 100, rounding 1e-16 / h²
    np.testing.assert_allclose(frames[1, 2:], np.tensordot(first, places, 1)[2:], atol=1e-8)
    np.testing.assert_allclose(frames[2, 2:], np.tensordot(second, places, 1)[2:], atol=1e-7)
    for k in range(2, 2 + tree.moves):
        spin = np.tensordot(first, [turn[k] for turn in angles], 1) @ turns[k].T
        rise = np.tensordot(second, [turn[k] for turn in angles], 1) @ turns[k].T
        omega, alpha = frames[3, k], frames[4, k]
        np.testing.assert_allclose(spin, cross_matrix(omega), atol=1e-8)
        np.testing.assert_allclose(rise, cross_matrix(alpha) + cross_matrix(omega) @ cross_matrix(omega), atol=1e-7)


def cross_matrix(w: Array) -> Array:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def test_rates_of_a_quaternion_are_those_of_the_ball() -> None:
    rng = np.random.default_rng(3)
    q0, spin, rise, h = rng.normal(size=4), rng.normal(size=3), rng.normal(size=3), 1e-3
    q0 /= np.linalg.norm(q0)
    first, second = np.zeros(4), np.zeros(4)
    quaternion_rates(q0, spin, rise, first, second)
    rows, around = np.array([[0, BALL, 0, 0, -1, 0]]), []
    for t in h * np.arange(-2, 3):
        # the rotation vector of ω t + ½ α t², to third order in the turned frame
        around.append(moved(q0, spin * t + 0.5 * rise * t * t + np.cross(spin, rise) * t**3 / 12, rows))
    np.testing.assert_allclose(first, np.array([1, -8, 0, 8, -1]) @ around / (12 * h), atol=1e-8)
    np.testing.assert_allclose(second, np.array([-1, 16, -30, 16, -1]) @ around / (12 * h * h), atol=1e-6)
