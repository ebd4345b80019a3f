"""Interpreted lists for several directions, and inverses between them with their Taylor coefficients."""

from __future__ import annotations

import numpy as np
import pytest

from sglibrary.code.graph import Expr, Graph, inverse_root
from sglibrary.code.linear_map import LinearMap, Place
from sglibrary.code.schedule import Inversion, scheduled

SIZE = 3


def matrix_of(graph: Graph) -> list[Expr]:
    """Entries of a matrix that is computed from rows of q."""
    rows = [graph.value("q", k, 0) for k in range(SIZE * SIZE)]
    return [x * x + (4.0 if k % (SIZE + 1) == 0 else 0.25) for k, x in enumerate(rows)]


def map_of(graph: Graph) -> LinearMap:
    """Solutions of a system, whose matrix is inverted beside, for right-hand sides that are inputs."""
    entries = matrix_of(graph)
    inverted = [graph.value("x", k) for k in range(SIZE * SIZE)]
    inputs = [graph.value("x", 100 + k) for k in range(SIZE)]
    outputs: list[tuple[Expr, Place]] = []
    for k in range(SIZE):
        value = graph.number(0.0)
        for x, y in zip(inverted[SIZE * k : SIZE * (k + 1)], inputs, strict=True):
            value = value + x * y
        outputs.append((value * inverse_root(entries[0]), ("a", k)))
    places: dict[Expr, Place] = {x: ("v", k) for k, x in enumerate(inputs)}
    rows = (SIZE * SIZE, SIZE, SIZE)
    return LinearMap(graph, outputs, places, {}, inverses=[(entries, inverted)], rows=rows)


def expected(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Solutions (SIZE, n) for rows q (SIZE², n) and right-hand sides (SIZE, n)."""
    matrices = (q * q + np.where(np.arange(SIZE * SIZE) % (SIZE + 1) == 0, 4.0, 0.25)[:, None]).T
    solved = np.linalg.solve(matrices.reshape(-1, SIZE, SIZE), x.T[..., None])[..., 0]
    return np.asarray((solved / np.sqrt(matrices[:, :1])).T)


@pytest.mark.parametrize("steps", [1, 7, 64, 300])
@pytest.mark.parametrize("directions", [1, 3])
def test_directions_and_steps(steps: int, directions: int) -> None:
    rng = np.random.default_rng(steps)
    q = rng.uniform(-1.0, 1.0, (SIZE * SIZE, steps))
    v, a = rng.normal(size=(SIZE, directions, steps)), np.full((SIZE, directions, steps), np.nan)
    written, work = map_of(Graph()).steps()
    assert [isinstance(step, Inversion) for step in written] == [False, True, False]
    schedule = scheduled(written, work, int, directions > 1)
    schedule.run(q, v.reshape(-1, steps), a.reshape(-1, steps), directions, steps)
    for k in range(directions):
        np.testing.assert_allclose(a[:, k], expected(q, v[:, k]), rtol=1e-13, atol=1e-14)


def test_taylor_coefficients() -> None:
    rng, h, steps = np.random.default_rng(0), 1e-4, 5
    q, v = rng.uniform(-1.0, 1.0, (3, SIZE * SIZE, steps)), rng.normal(size=(3, SIZE, steps))
    a = np.zeros((3, SIZE, steps))
    written, work = map_of(Graph()).steps(3)
    scheduled(written, work, int, True).run(*(x.reshape(-1, steps) for x in (q, v, a)), 1, steps)

    def at(t: float) -> np.ndarray:
        return expected(q[0] + t * (q[1] + t * q[2]), v[0] + t * (v[1] + t * v[2]))

    before, now, after = at(-h), at(0.0), at(h)
    np.testing.assert_allclose(a[0], now, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(a[1], (after - before) / (2.0 * h), atol=1e-6)  # h² times the third derivative
    np.testing.assert_allclose(a[2], (after - 2.0 * now + before) / (2.0 * h * h), atol=1e-6)  # and rounding over h²


def test_lists_of_one_text_share_their_code() -> None:
    texts = [f"q {k} 0;# {0.5 + k};* 0 1;= 2 a {k} 0" for k in range(10)]
    schedule, one = scheduled(texts, 0, int, False), scheduled(texts[:1], 0, int, False)
    assert schedule.rows.size - one.rows.size == 9 * 3  # where the code is, and two rows
    q, a = np.arange(20.0).reshape(10, 2), np.zeros((10, 2))
    schedule.run(q, q, a, 1, 2)
    np.testing.assert_array_equal(a, q * (0.5 + np.arange(10.0))[:, None])
