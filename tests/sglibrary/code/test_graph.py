"""Values written as texts, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sglibrary.code.bytecode import decode, encode
from sglibrary.code.graph import Expr, Graph, fma, inverse, inverse_root, least, total
from sglibrary.code.instructions import compute
from sglibrary.code.kernel import gathered, kernel_of
from sglibrary.code.systems import determinant_sign, factored, largest, smallest, solved, solved_transposed
from sglibrary.straight.frames import cosine_sine
from tests.support.expressions import evaluated


@pytest.mark.parametrize("n", [1, 2, 3, 6, 15])
def test_systems_whose_pivots_differ_from_step_to_step(n: int) -> None:
    rng, graph = np.random.default_rng(n), Graph()
    matrices, right = rng.normal(size=(50, n, n)), rng.normal(size=(50, n))
    matrices[::2, 0, 0] = 0.0 if n > 1 else 1.0
    given = np.concatenate([matrices.reshape(50, -1), right], axis=1).T
    entries = [[graph.value("w", n * r + c) for c in range(n)] for r in range(n)]
    found = evaluated(graph, solved(factored(entries), [graph.value("w", n * n + r) for r in range(n)]), given)
    expected = np.linalg.solve(matrices, right[..., None])[..., 0]
    conditions = np.linalg.cond(matrices)
    # partial pivoting: an error of some roundings times the condition
    assert (np.abs(found.T - expected).max(axis=1) <= 1e-14 * conditions * np.abs(expected).max(axis=1)).all()


@pytest.mark.parametrize("n", [4, 10, 30])
def test_entries_that_are_always_0_stay_so(n: int) -> None:
    """An arrow: eliminated from its tip it fills in completely, from its feathers not at all."""
    rng, graph = np.random.default_rng(n), Graph()
    pattern = np.eye(n, dtype=bool)
    pattern[0] = pattern[:, 0] = True
    matrices, right = rng.normal(size=(5, n, n)) * pattern, rng.normal(size=(5, n))
    given = np.concatenate([matrices.reshape(5, -1), right], axis=1).T
    zero = graph.number(0.0)
    entries = [[graph.value("w", n * r + c) if pattern[r, c] else zero for c in range(n)] for r in range(n)]
    sides, pivots = [graph.value("w", n * n + r) for r in range(n)], factored(entries)
    assert sum(len(pivot.changes) - pivot.changes.count(None) for pivot in pivots) == n - 1
    for solve, axes in ((solved, (0, 1, 2)), (solved_transposed, (0, 2, 1))):
        expected = np.linalg.solve(matrices.transpose(axes), right[..., None])[..., 0]
        found = evaluated(graph, solve(pivots, sides), given).T
        conditions = np.linalg.cond(matrices)
        assert (np.abs(found - expected).max(axis=1) <= 1e-13 * conditions * np.abs(expected).max(axis=1)).all()


@pytest.mark.parametrize("seed", range(4))
def test_signs_of_determinants_and_transposed_systems_of_any_pattern(seed: int) -> None:
    rng, graph, n = np.random.default_rng(seed), Graph(), 6
    pattern = (rng.random((n, n)) < 0.4) | np.eye(n, dtype=bool)[rng.permutation(n)]
    matrices, right = rng.normal(size=(60, n, n)) * pattern, rng.normal(size=(60, n))
    given = np.concatenate([matrices.reshape(60, -1), right], axis=1).T
    zero = graph.number(0.0)
    entries = [[graph.value("w", n * r + c) if pattern[r, c] else zero for c in range(n)] for r in range(n)]
    pivots, sides = factored(entries), [graph.value("w", n * n + r) for r in range(n)]
    signs = evaluated(graph, [determinant_sign(graph, pivots)], given)[0] * np.linalg.det(matrices)
    assert (np.abs(signs) > 0.0).all()
    assert len(set(np.sign(signs))) == 1  # that of the order of rows and columns
    found = evaluated(graph, solved_transposed(pivots, sides), given).T
    expected = np.linalg.solve(matrices.transpose(0, 2, 1), right[..., None])[..., 0]
    bound = 1e-13 * np.linalg.cond(matrices) * np.abs(expected).max(axis=1)
    assert (np.abs(found - expected).max(axis=1) <= bound).all()


@pytest.mark.smoke
def test_a_singular_matrix_has_no_solution() -> None:
    matrices = np.array([[[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 3.0]]])
    graph, given = Graph(), np.concatenate([matrices.reshape(2, -1), [[1.0, 1.0]] * 2], axis=1).T
    entries = [[graph.value("w", 2 * r + c) for c in range(2)] for r in range(2)]
    with np.errstate(all="ignore"):
        found = evaluated(graph, solved(factored(entries), [graph.value("w", 4 + r) for r in range(2)]), given)
    assert not np.isfinite(found).all(axis=0).any()


def extremes(matrices: NDArray[np.float64], vectors: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Vector (n, k) and value (k,) of the smallest and the largest singular value, from such vectors (k, n) on."""
    n, graph = vectors.shape[1], Graph()
    given = np.concatenate([matrices.reshape(len(vectors), -1), vectors], axis=1).T
    entries = [[graph.value("w", n * r + c) for c in range(n)] for r in range(n)]
    first = [graph.value("w", n * n + r) for r in range(n)]
    found = []
    for extreme in (smallest(factored(entries), first), largest(entries, first)):
        numbers = evaluated(graph, [*extreme.vector, extreme.value], given)
        found += [numbers[:-1], numbers[-1]]
    return [found[0], found[1] ** -0.5, found[2], found[3] ** 0.5]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_equal_singular_values_leave_a_vector_as_it_is(n: int) -> None:
    rng, k = np.random.default_rng(n), 20_000
    vectors = rng.normal(size=(k, n))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    matrices = np.linalg.qr(rng.normal(size=(k, n, n)))[0]
    for m in (np.broadcast_to(np.eye(n), (k, n, n)), 3.0 * matrices):
        left, low, right, high = extremes(m, vectors)
        expected = np.linalg.norm(m[:, 0], axis=1)
        assert np.abs([left - vectors.T, right - vectors.T]).max() < 1e-12
        assert np.abs([low - expected, high - expected]).max() < 1e-13


@pytest.mark.parametrize("n", [2, 3])
def test_extreme_singular_values(n: int) -> None:
    rng = np.random.default_rng(n)
    matrices = rng.normal(size=(200, n, n))
    u, s, v = np.linalg.svd(matrices)
    # a vector that is off by 1e-3 leaves at most its square, by the ratio of squares, of the value
    near = [x + 1e-3 * rng.normal(size=x.shape) for x in (u[:, :, -1], v[:, 0])]
    near = [x / np.linalg.norm(x, axis=1)[:, None] for x in near]
    _, low, _, _ = extremes(matrices, near[0])
    _, _, _, high = extremes(matrices, near[1])
    assert np.abs(low / s[:, -1] - 1.0).max() < 1e-5
    assert np.abs(high / s[:, 0] - 1.0).max() < 1e-5


def test_cosine_and_sine_in_all_quarters() -> None:
    angles, graph = np.linspace(-50.0, 50.0, 4001)[None], Graph()
    found = evaluated(graph, list(cosine_sine(graph.value("w", 0))), angles)
    # both are right to about one unit in the last place of 1
    assert np.abs(found - [np.cos(angles[0]), np.sin(angles[0])]).max() < 4e-16


def test_what_is_0_or_1_always_leaves_no_trace() -> None:
    graph = Graph()
    x, zero, one = graph.value("w", 0), graph.number(0.0), graph.number(1.0)
    assert fma(zero, x, x * one) == x
    assert fma(-one, x, zero) == -x
    opposite = -x
    assert -opposite == x
    assert (zero - x) + zero == -x
    assert graph.text([(x + zero, "0")]) == "w 0;= 0 0"


def test_the_smaller_of_two_is_nan_where_one_is() -> None:
    given = np.array([[1.0, 2.0, np.nan, 1.0], [2.0, 1.0, 1.0, np.nan]])
    graph = Graph()
    found = evaluated(graph, [least(graph.value("w", 0), graph.value("w", 1))], given)
    assert np.array_equal(found, [[1.0, 1.0, np.nan, np.nan]], equal_nan=True)


def test_what_is_still_read_is_overwritten_last() -> None:
    graph = Graph()
    x, y = graph.value("w", 0), graph.value("w", 1)
    text = graph.text([(x + y, "w 0"), (y * y, "w 1"), (x, "w 2")])
    rows = np.array([[2.0], [3.0], [0.0]])

    def other(kind: str, numbers: list[str], made: list[Any]) -> Any:
        if kind == "w":
            return rows[int(numbers[0])].copy()
        rows[int(numbers[2])] = made[int(numbers[0])]
        return None

    compute(text, other)
    assert rows.tolist() == [[5.0], [9.0], [2.0]]


@pytest.mark.parametrize("opposite", [False, True])
def test_values_that_change_places_are_read_before(opposite: bool) -> None:
    graph = Graph()
    x, y = graph.value("w", 0), graph.value("w", 1)
    text = graph.text([(-x, "w 1"), (-y, "w 0")] if opposite else [(x, "w 1"), (y, "w 0")])
    for written in (text, decode(encode(text, 0)[0])):
        rows = np.array([[2.0], [3.0]])

        def other(kind: str, numbers: list[str], made: list[Any], rows: Any = rows) -> Any:
            if kind == "w":
                return rows[int(numbers[0])].copy()
            rows[int(numbers[2])] = made[int(numbers[0])]
            return None

        compute(written, other)
        assert np.abs(rows).tolist() == [[3.0], [2.0]]


def test_parts_come_one_after_another_and_overwrite_nothing_that_is_still_read() -> None:
    graph, memory = Graph(), np.array([3.0, 0.0, 0.0])
    x = graph.value("w", 0)
    first, second = x * 2.0, (x * 2.0 + 1.0) * x
    text = graph.text([(first, "w 0")], [(second, "w 1"), (first, "w 2")])

    def other(kind: str, numbers: list[str], made: list[Any]) -> Any:
        if kind == "w":
            return memory[int(numbers[0])]
        memory[int(numbers[2])] = made[int(numbers[0])]
        return None

    compute(text, other)
    assert memory.tolist() == [6.0, 21.0, 6.0]
    kinds = [line.split()[0] for line in text.split(";")]
    assert kinds.count("*") == 2  # what both parts need is computed once
    assert kinds.index("=") < len(kinds) - 1


# --- kernels ---------------------------------------------------------------------------------


def run(graph: Graph, targets: list[Expr], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values of some targets where rows of q (rows, 8) are given."""
    text, places, constants = gathered(graph.text([(x, f"q {len(q) + k} 0") for k, x in enumerate(targets)]))
    state = np.concatenate([q, np.zeros((len(targets), q.shape[1]))])
    rows = np.array([row for _, row in places], np.int64)
    unused = np.zeros(8, np.uint8), np.zeros(8)
    kernel_of(text)(state, state, state, np.zeros(0), rows, np.array(constants), *unused, 8)
    return state[len(q) :]


def test_random_sums() -> None:
    rng = np.random.default_rng(3)
    q = rng.normal(size=(4, 8))
    graph = Graph()
    values = [(graph.value("q", k, 0), q[k]) for k in range(4)]
    values += [(graph.number(x), np.full(8, x)) for x in (0.0, 1.0, -1.0, 0.3, -2.5)]
    bounds = [np.abs(x) for _, x in values]  # sums of absolute values
    for _ in range(60):
        terms = [(*rng.integers(0, len(values), 2), float(rng.choice([1.0, -1.0, 0.7, -3.0]))) for _ in range(4)]
        found = total(graph, ((values[i][0], values[k][0], factor) for i, k, factor in terms))
        values.append((found, sum(factor * values[i][1] * values[k][1] for i, k, factor in terms)))
        bounds.append(sum(abs(factor) * bounds[i] * bounds[k] for i, k, factor in terms))
        if np.max(bounds[-1]) > 1e6:
            values.pop()
            bounds.pop()
    for x, (_, expected), bound in zip(run(graph, [x for x, _ in values], q), values, bounds, strict=True):
        assert (np.abs(x - expected) <= 1e-13 * bound).all()  # of a few hundred roundings


def test_equal_values_are_one() -> None:
    graph = Graph()
    x, y, one = graph.value("q", 0, 0), graph.value("q", 1, 0), graph.number(1.0)
    assert x * y == x * y
    opposite = -x
    assert -opposite == x
    assert total(graph, [(x, one, 1.0)]) == x
    assert total(graph, [(x, graph.number(0.0), 1.0)]).known == 0.0
    assert inverse(graph.number(4.0)).known == 0.25
    assert inverse_root(graph.number(4.0)).known == 0.5


def test_zero_is_never_negative_where_it_must_not_be() -> None:
    graph = Graph()
    x, one = graph.value("q", 0, 0), graph.number(1.0)
    targets = [total(graph, [(x, one, -1.0)], positive=positive) for positive in (False, True)]
    plain, positive = run(graph, targets, np.zeros((1, 8)))
    assert np.signbit(plain).all()
    assert not np.signbit(positive).any()


def test_what_is_stored_is_read() -> None:
    graph = Graph()
    x = graph.value("q", 0, 0)
    square = x * x
    found = gathered(graph.text([(square * x, "q 2 0")], stored={square.at: "q 1 0"}))
    assert found.rows == [("q", 1), ("q", 0), ("q", 2)]
    assert found.text == "q 0 0;q 1 0;* 0 1;= 2 q 2 0"
