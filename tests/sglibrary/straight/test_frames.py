"""Frames of a tree of moves against products of scipy's rotations, and their rates against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from sglibrary.code.graph import Expr
from sglibrary.code.instructions import compute
from sglibrary.iterative.kinds import BALL, CURVE, ROTATION, TRANSLATION
from sglibrary.iterative.tables import table_rows
from sglibrary.iterative.variables import advance
from sglibrary.straight import prepared
from sglibrary.straight.frames import place, solved_frames, speed, speed_up
from sglibrary.straight.group import Group
from sglibrary.straight.scheme import Move, Scheme

Array = NDArray[np.float64]

MOVES = np.array(
    [
        # frame it starts from, kind, axis, unknown or -1, number of its driver or -1, variable or -1
        [0, ROTATION, 2, 0, -1, 0],
        [2, BALL, 0, 1, -1, 1],
        [3, TRANSLATION, 0, 4, -1, 5],
        [1, ROTATION, 1, -1, 0, -1],
        [5, TRANSLATION, 1, -1, 1, -1],
        [6, ROTATION, 0, 5, -1, 6],
        [6, BALL, 0, 6, -1, 7],
        [4, CURVE, 0, 9, -1, 11],
        [9, CURVE, 1, -1, 2, -1],
    ]
)
"""Moves of all kinds, free and driven, some on the same frame."""

COUNT, UNKNOWNS, VARIABLES = len(MOVES), 10, 12
BALLS = ((1, 1), (7, 6))
"""First variables and unknowns of balls."""


class Tree:
    """Two solved frames and those of the moves."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        # one piece per curve; the second is closed, so that whole lengths do not matter
        scale = np.tile(8.0 ** -np.arange(6), 2)  # so that all terms of a polynomial matter eight from its start
        coefficients = 0.3 * self.rng.normal(size=(2, 12)) * scale
        self.pieces = np.concatenate([[[-9.0, 18.0], [-8.0, 16.0]], coefficients], axis=1)
        self.pieces[:, 3] += 0.5
        self.data = np.zeros((COUNT, 13))
        for row in self.data:
            row[:9] = Rotation.random(rng=self.rng).as_matrix().ravel()
            row[9:12] = self.rng.normal(size=3)
            row[12] = 1.0
        first = 2 + 2 * 12
        moves = tuple(Move(*row, first + 13 * m + 12) for m, row in enumerate(MOVES.tolist()))
        counts = UNKNOWNS, VARIABLES, UNKNOWNS, 0, COUNT
        self.scheme = Scheme(3, counts, (False,) * 8, moves, (), (), (), False)
        directions, curves = [*range(3, 12, 3), *range(15, 24, 3)], [0, 1, 0, 1, 2, 1]
        vectors = [0, 12], directions, [24, 25, 26], []
        self.rows = table_rows(3, counts, 0, vectors, moves, curves, (), first + 13 * COUNT)
        at_points = np.concatenate([np.zeros(3), np.eye(3).ravel()])
        self.constants = np.concatenate(
            [[1.0, 1e-9], at_points, at_points, self.data.ravel(), self.pieces.ravel(), np.zeros(VARIABLES)]
        )

    def variables(self) -> Array:
        x = self.rng.normal(size=VARIABLES)
        for first, _ in BALLS:
            x[first : first + 4] /= np.linalg.norm(x[first : first + 4])
        return x

    def frames(self, t: float, x: Array, driven: Array, rate: Array, gain: Array) -> tuple[Array, Array]:
        """Vectors (5, frames, 3) and rotations (frames, 3, 3) of all frames, relative to the origin of the first.

        The solved frames turn steadily and move on parabolas. `driven` (3, 3) has a row for each derivative.
        """
        group, state = Group(self.scheme), self.state(t, driven)
        at = group.places
        work = np.zeros((at.rows, 8))
        work[at.after : at.after + VARIABLES, :1] = x[:, None]
        work[at.rate : at.rate + UNKNOWNS, 0], work[at.gain : at.gain + UNKNOWNS, 0] = rate, gain
        prepared.curves(state[0], work, self.rows, self.constants, 0, 0, 1, at.after)
        found, _ = solved_frames(group)
        rates, gains = ([group.graph.value("w", first + u) for u in range(UNKNOWNS)] for first in (at.rate, at.gain))
        for m in range(COUNT):
            place(group, found, m, at.after)
        for m in range(COUNT):
            speed(group, found, m, rates)
            speed_up(group, found, m, rates, gains)
        vectors = [[x.origin, x.velocity, x.acceleration, x.spin, x.rise] for x in found]
        flat = [*np.ravel(np.array(vectors, object)), *np.ravel(np.array([x.turn for x in found], object))]
        numbers = self.numbers(group, flat, state, work)
        split = 15 * (2 + COUNT)
        return numbers[:split].reshape(-1, 5, 3).swapaxes(0, 1), numbers[split:].reshape(-1, 3, 3)

    def state(self, t: float, driven: Array) -> Array:
        """q, v and a (3, rows, 8)."""
        origin = np.array([[0.3 * t + 0.1 * t * t, 1.0, -t], [1.0 - t, 0.2 * t * t, 0.5]])
        speeds, rise = np.array([[0.3 + 0.2 * t, 0, -1], [-1, 0.4 * t, 0]]), np.array([[0.2, 0, 0], [0, 0.4, 0]])
        spins = np.array([[0.4, -0.3, 0.2], [0.1, 0.5, -0.6]])
        found = np.zeros((3, 27, 8))
        for k, spin in enumerate(spins):
            turn, whirl = Rotation.from_rotvec(spin * t).as_matrix(), cross_matrix(spin)
            for order, vectors in enumerate((turn, whirl @ turn, whirl @ whirl @ turn)):
                point = (origin, speeds, rise)[order][k]
                found[order, 12 * k : 12 * (k + 1), 0] = [*point, *vectors.T.ravel()]
        found[:, 24:, 0] = driven
        return found

    def numbers(self, group: Group, values: list[Expr], state: Array, work: Array) -> Array:
        found = np.empty(len(values))

        def other(kind: str, numbers: list[str], made: list[Any]) -> Any:
            k = [int(x) for x in numbers if x.lstrip("-").isdigit()]
            if kind == "=":
                found[k[-1]] = made[k[0]]
                return None
            if kind == "c":
                return self.constants[k[0]]
            return work[k[0], 0] if kind == "w" else state["qva".index(kind)][self.rows[k[0]] + k[1], 0]

        compute(group.graph.text([(value, f"w {k}") for k, value in enumerate(values)]), other)
        return found


def moved(x: Array, step: Array) -> Array:
    out = x[:, None].copy()
    advance(out, step[:, None], MOVES)
    return out[:, 0]


def test_frames_are_products_of_moves() -> None:
    tree = Tree(0)
    x, driven = tree.variables(), tree.rng.normal(size=(3, 3))
    vectors, turns = tree.frames(0.0, x, driven, np.zeros(UNKNOWNS), np.zeros(UNKNOWNS))
    for m, (parent, kind, axis, _, driver, variable) in enumerate(MOVES):
        before = turns[parent] @ tree.data[m, :9].reshape(3, 3)
        origin = vectors[0, parent] + turns[parent] @ tree.data[m, 9:12]
        value = x[variable] if variable >= 0 else driven[0, driver]
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
        np.testing.assert_allclose(vectors[0, 2 + m], origin, atol=1e-14)
        np.testing.assert_allclose(turns[2 + m], before @ own, atol=1e-14)


def test_rates_and_gains_are_derivatives_of_the_frames() -> None:
    """Along a motion with constant gains of all unknowns, whose balls turn with exp(ω t + ½ α t²)."""
    tree = Tree(2)
    x0, rate, gain = tree.variables(), tree.rng.normal(size=UNKNOWNS), tree.rng.normal(size=UNKNOWNS)
    driven0 = tree.rng.normal(size=(3, 3))
    h = 1e-3
    places, angles = [], []
    for t in h * np.arange(-2, 3):
        x, driven = moved(x0, rate * t + 0.5 * gain * t * t), driven0.copy()
        driven[0] += driven0[1] * t + 0.5 * driven0[2] * t * t
        vectors, turns = tree.frames(t, x, driven, np.zeros(UNKNOWNS), np.zeros(UNKNOWNS))
        places.append(vectors[0])
        angles.append(turns)
    vectors, turns = tree.frames(0.0, x0, driven0, rate, gain)
    first, second = np.array([1, -8, 0, 8, -1]) / (12 * h), np.array([-1, 16, -30, 16, -1]) / (12 * h * h)
    # truncation h⁴ times high derivatives of order 10 to 100, rounding 1e-16 / h²
    np.testing.assert_allclose(vectors[1, 1:], np.tensordot(first, places, 1)[1:], atol=1e-8)
    np.testing.assert_allclose(vectors[2, 1:], np.tensordot(second, places, 1)[1:], atol=1e-7)
    for k in range(2 + COUNT):
        spin = np.tensordot(first, [turn[k] for turn in angles], 1) @ turns[k].T
        rise = np.tensordot(second, [turn[k] for turn in angles], 1) @ turns[k].T
        omega, alpha = vectors[3, k], vectors[4, k]
        np.testing.assert_allclose(spin, cross_matrix(omega), atol=1e-8)
        np.testing.assert_allclose(rise, cross_matrix(alpha) + cross_matrix(omega) @ cross_matrix(omega), atol=1e-7)


def cross_matrix(w: Array) -> Array:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
