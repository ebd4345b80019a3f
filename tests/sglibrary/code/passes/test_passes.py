"""Tangents, adjoints and Taylor coefficients against differences, each other, and polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sglibrary.code.graph import Expr, Graph, floor, fma, function, inverse, inverse_root, root, select, size
from sglibrary.code.operations import OPERATIONS
from sglibrary.code.passes.adjoint import adjoint
from sglibrary.code.passes.slopes import slopes
from sglibrary.code.passes.tangent import tangent
from sglibrary.code.passes.taylor import taylor
from sglibrary.code.systems import factored, solved
from tests.support.expressions import evaluated

Array = NDArray[np.floating[Any]]
INPUTS = 4


def leaves(graph: Graph, count: int, first: int = 0) -> list[Expr]:
    return [graph.value("w", first + k) for k in range(count)]


def formulas(graph: Graph, x: list[Expr], seed: int) -> list[Expr]:
    """Random formulas of all operations, and the solution of a linear system with pivots."""
    rng, every = np.random.default_rng(seed), [*x, graph.number(0.7), graph.number(-1.3)]
    for _ in range(25):
        a, b, c, d = (every[k] for k in rng.integers(0, len(every), 4))
        squares = fma(a, a, graph.number(0.5))
        every.append(
            [
                a * b, a + b, a - b, fma(a, b, c), -a, inverse(squares), inverse_root(squares), root(squares), size(a),
                select(a, b, c, d), floor(a) * b, *(function(name, a) for name in ("sin", "cos", "atan")),
                function("tan", inverse(squares) * 0.5), function("asin", inverse(squares) * 0.4),
                function("acos", inverse(squares) * 0.4), function("exp", inverse(squares)), function("log", squares),
                function("atan2", a, b), function("pow", squares, c * inverse(fma(c, c, graph.number(1.0)))),
                function("pow", squares, graph.number(1.5)),
            ][rng.integers(22)] * inverse_root(fma(b, b, graph.number(2.0)))
        )  # fmt: skip
    matrix = [[every[-1 - 3 * i - k] + graph.number(3.0 * ((i + k) % 3 == 0)) for k in range(3)] for i in range(3)]
    return [*every[-4:], *solved(factored(matrix), x[:3])]


def test_every_operation_has_slopes() -> None:
    graph = Graph()
    for kind, operation in OPERATIONS.items():
        x = graph.value(kind, *(each.at for each in leaves(graph, operation.operands)))
        assert len(slopes(x)) == operation.operands
    with pytest.raises(ValueError, match="'@' has no derivative"):
        slopes(graph.value("@", 0))


@pytest.mark.parametrize("seed", range(24))
def test_tangents_are_the_limits_of_differences(seed: int) -> None:
    graph = Graph()
    x, dx = leaves(graph, INPUTS), leaves(graph, INPUTS, INPUTS)
    found = formulas(graph, x, seed)
    changes = tangent(graph, found, dict(zip(x, dx, strict=True)))
    rng, h = np.random.default_rng(seed), np.longdouble(1e-7)
    at, way = rng.uniform(-2.0, 2.0, (2, INPUTS, 50)).astype(np.longdouble)
    ahead, behind = (evaluated(graph, found, np.concatenate([at + s * h * way, way])) for s in (1, -1))
    computed = evaluated(graph, changes, np.concatenate([at, way]))
    scale = np.abs(computed) + np.abs(evaluated(graph, found, np.concatenate([at, way]))) + 1.0
    # 80 bits and h² leave 1e-11 where no step passes a kink or comes close to a singular matrix
    assert np.quantile(np.abs((ahead - behind) / (2 * h) - computed) / scale, 0.9) < 1e-9


@pytest.mark.parametrize("seed", range(24))
def test_adjoints_are_transposed_tangents(seed: int) -> None:
    graph = Graph()
    x, dx = leaves(graph, INPUTS), leaves(graph, INPUTS, INPUTS)
    found = formulas(graph, x, seed)
    weights = leaves(graph, len(found), 2 * INPUTS)
    changes = tangent(graph, found, dict(zip(x, dx, strict=True)))
    total: dict[Expr, Expr] = {}
    for each, weight in zip(found, weights, strict=True):
        total[each] = total[each] + weight if each in total else weight
    back = adjoint(graph, total, x)
    rng = np.random.default_rng(seed)
    given = rng.uniform(-2.0, 2.0, (2 * INPUTS + len(found), 40))
    forward, backward = evaluated(graph, changes, given), evaluated(graph, back, given)
    terms = forward * given[2 * INPUTS :], backward * given[INPUTS : 2 * INPUTS]
    scale = sum(np.abs(each).sum(axis=0) for each in terms)
    assert (np.abs(terms[0].sum(axis=0) - terms[1].sum(axis=0)) <= 1e-12 * scale).all()


@pytest.mark.parametrize("seed", range(24))
def test_coefficients_are_those_of_series_in_time(seed: int) -> None:
    """Of values along a curve, whose third differences by small steps give the rest."""
    graph, order = Graph(), 3
    x = leaves(graph, INPUTS)
    given = {each: [each, *leaves(graph, order, INPUTS + order * k)] for k, each in enumerate(x)}
    found = formulas(graph, x, seed)
    series = taylor(graph, found, given, order)
    rng = np.random.default_rng(seed)
    coefficients = rng.uniform(-1.0, 1.0, (INPUTS, order + 1, 30)).astype(np.longdouble)
    rows = np.concatenate([coefficients[:, 0], coefficients[:, 1:].reshape(INPUTS * order, -1)])
    h = np.longdouble(1e-4)
    nodes = np.arange(-3, 4) * h
    at = [np.polynomial.polynomial.polyval(t, np.moveaxis(coefficients, 1, 0)) for t in nodes]
    along = [evaluated(graph, found, np.concatenate([x, rows[INPUTS:]])) for x in at]
    fitted = np.linalg.solve(np.vander(nodes / h, increasing=True).astype(float), np.array(along, float).reshape(7, -1))
    scale = 1.0 + np.abs(np.array(along, float)).max(axis=0)
    for k in range(order + 1):
        computed = evaluated(graph, [each[k] for each in series], rows).astype(float)
        away = np.abs(fitted[k].reshape(computed.shape) / float(h) ** k - computed) / (scale + np.abs(computed))
        assert np.quantile(away, 0.9) < 10.0 ** (-13 + 4 * k)  # digits that differences lose
