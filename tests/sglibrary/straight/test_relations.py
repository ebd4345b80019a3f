"""Relations between moves, operation by operation: compiled lists against NumPy, derivatives against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import NDArray

import groupkin as gk
from groupkin.kinematics.program.newton_tables import pack
from groupkin.mechanism.couplings.relations import Relation
from groupkin.mechanism.formulas.operations import FUNCTIONS
from groupkin.model.trees import Equation, Move, Tree
from sglibrary.code.instructions import compute_steps
from sglibrary.iterative import kinds, tables
from sglibrary.straight import prepared
from sglibrary.straight.group import Group
from sglibrary.straight.relations import relation

Array = NDArray[np.float64]

JOINTS = [gk.Joint(name, "R", ("frame", name), point=(k, 0)) for k, name in enumerate("abc")]
POINTED = ["frame", gk.Body("a", points={"P": (0.3, 0.4)}), gk.Body("b", points={"Q": (1.2, 0.7)}), "c"]

FORMULAS = [
    "{joint a} + 2 * {joint b} = -({joint c} - 1 rad)",
    "sin({joint a}) * cos({joint b}) / tan({joint c})",
    "asin(sin({joint a}) / 2) + acos(cos({joint b}) / 3) - atan(tan({joint c}))",
    "atan2(sin({joint a}) * 1 m, cos({joint b}) * 1 m) - {joint c}",
    "erf({joint a} / 1 rad) * {joint b} - erf({joint c} / 1 rad - 1) * 1 rad",
    "sqrt({joint a} / 1 rad) + exp({joint b} / 1 rad) - log({joint c} / 1 rad)",
    "({joint a} / 1 rad) ** 3 + ({joint b} / 1 rad) ** 0.5 - ({joint c} / 1 rad) ** -2",
    "({joint a} / 1 rad) ** ({joint b} / 1 rad) - abs({joint c} / 1 rad - 2)",
    "min({joint a}, {joint b}, {joint c}) + max({joint a}, 2 * {joint b})",
    "norm({position P} - {position Q}) + hypot({position P.x}, {position Q.y}) - 1 m",
    "dot({position P}, {position Q}) - cross({position P}, {position Q}) = ({position P} + {position Q}).x * 1 m",
    "+{joint a} - pi * {angle b}",
]

VALUES = np.array([[0.7, 0.31, 1.4], [1.2, 0.9, 0.4]])
"""Of the coordinates, at two steps; the rest repeats."""


def relation_of(text: str) -> Relation:
    mechanism = gk.Mechanism(2, POINTED, JOINTS, couplings=[gk.Coupling("k", text)])
    return mechanism.relations["k"]


SIZE = 2.0
"""Of the mechanism, m."""


def tree_of(relation: Relation) -> Tree:
    """A tree whose moves are the coordinates of a coupling: the first driven, the second against its direction."""
    none, turn, shift = np.zeros((3, 3)), np.eye(3), np.zeros(3)
    moves = [
        Move(-1, kinds.ROTATION if each.freedom.rotation else kinds.TRANSLATION, 2, turn, shift, ("driven", 0) if not k
             else None, 1.0 if k != 1 else -1.0, (0.0,))
        for k, each in enumerate(relation.coordinates)
    ]  # fmt: skip
    equation = Equation(kinds.FORMULA, -1, -1, none, relation=relation, moves=tuple(range(len(moves))))
    return Tree(2, (), moves, [equation])


def evaluated(of: Relation, jets: Array) -> Array:
    """A coupling and two derivatives (3, n) by its table, for jets (k, 3, n) of its coordinates."""
    tree, n = tree_of(of), jets.shape[2]
    scheme, rows, constants = pack(tree, (), {}, {("driven", 0): 0}, (), SIZE)
    group = Group(scheme)
    at, free = group.places, range(group.unknowns)
    units = np.array([1.0 if each.freedom.rotation else SIZE for each in of.coordinates])
    offsets = np.array([each.offset for each in of.coordinates])
    moves = jets.copy()
    moves[:, 0] -= offsets[:, None]
    state = {kind: moves[:1, order].copy() for order, kind in enumerate("qva")}
    moves /= (units * [move.sign for move in tree.moves])[:, None, None]
    work = np.full((at.rows + 3, n), np.nan)
    for first, order in ((at.after, 0), (at.rate, 1), (at.gain, 2)):
        work[first : first + group.unknowns] = moves[1:, order]
    assert (rows[tables.TEXTS] > rows[tables.FUNCTIONS]) == (of.coupling.tree is None)
    if of.coupling.tree is None:
        prepared.functions(state["q"], work, rows, constants, 0, 0, n, at.after)
    found = relation(group, 0, at.after)
    rates, gains = ([group.graph.value("w", first + u) for u in free] for first in (at.rate, at.gain))
    wanted = [found.value, found.rate(rates), found.acceleration(rates, gains)]
    text = group.graph.text([(x, f"w {at.rows + k}") for k, x in enumerate(wanted)])
    compute_steps(text, state, work, rows, constants, 0, 0, n)
    return work[at.rows :] * SIZE ** float(of.unit[0])


def jets_of(count: int) -> Array:
    rng = np.random.default_rng(0)
    jets = rng.normal(size=(count, 3, 2))
    jets[:, 0] = np.resize(VALUES, (2, count)).T
    return jets


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_those_of_outputs(text: str) -> None:
    of = relation_of(text)
    jets = jets_of(len(of.coordinates))
    expected = of.jet([tuple(jet) for jet in jets], 2)
    found = evaluated(of, jets)
    for order in range(3):
        np.testing.assert_allclose(found[order], np.broadcast_to(expected[order], 2), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("text", FORMULAS)
def test_derivatives_agree_with_differences(text: str) -> None:
    of, h = relation_of(text), 1e-4
    jets = jets_of(len(of.coordinates))

    def ahead(time: float) -> Array:
        moved = np.zeros_like(jets)
        moved[:, 0] = jets[:, 0] + time * jets[:, 1] + 0.5 * time**2 * jets[:, 2]
        return np.asarray(evaluated(of, moved)[0])

    value, first, second = evaluated(of, jets)
    # truncated at h², and roundings over h²
    np.testing.assert_allclose((ahead(h) - ahead(-h)) / (2 * h), first, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose((ahead(h) - 2 * value + ahead(-h)) / h**2, second, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("text", FORMULAS)
def test_slopes_by_coordinates_and_their_rates_are_those_of_the_jets(text: str) -> None:
    of = relation_of(text)
    jets = jets_of(len(of.coordinates))
    values = [tuple(jet) for jet in jets]
    slopes, rates, gains = of.slope_series(values, 3)
    expected = of.jet(values, 2)
    np.testing.assert_allclose((slopes * jets[:, 1]).sum(axis=0), expected[1] + np.zeros(2), rtol=1e-13, atol=1e-13)
    along = (slopes * jets[:, 2] + rates * jets[:, 1]).sum(axis=0)
    np.testing.assert_allclose(along, expected[2] + np.zeros(2), rtol=1e-13, atol=1e-13)
    h = 1e-5
    ends = [of.slope_series([(x[0] + s * h * x[1] + 0.5 * h**2 * x[2], x[1] + s * h * x[2]) for x in jets], 2)
            for s in (1, -1)]  # fmt: skip
    scale = 1.0 + np.abs(gains)
    assert np.all(np.abs((ends[0][1] - ends[1][1]) / (2 * h) - gains) / scale < 1e-6)
    for value, gradient in zip(jets[:, 0].T, slopes.T, strict=True):
        np.testing.assert_allclose(of.gradient(list(value)), gradient, rtol=1e-13, atol=1e-13)


def test_every_operation_is_here() -> None:
    whole = " ".join(FORMULAS)
    assert [name for name in FUNCTIONS if f"{name}(" not in whole] == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("sqrt({joint a} / 1 rad)", [-1.0]),
        ("sqrt({joint a} / 1 rad)", [0.0]),
        ("log({joint a} / 1 rad)", [0.0]),
        ("asin({joint a} / 1 rad)", [1.5]),
        ("asin({joint a} / 1 rad)", [1.0]),
        ("1 / sin({joint a})", [0.0]),
        ("({joint a} / 1 rad) ** 0.5", [-2.0]),
        ("({joint a} / 1 rad) ** -1", [0.0]),
        ("atan2({joint a}, {joint b})", [0.0, 0.0]),
    ],
)
def test_what_has_no_value_or_no_derivative_is_none(text: str, values: list[float]) -> None:
    jets = np.zeros((len(values), 3, 1))
    jets[:, 0, 0] = values
    assert np.isnan(evaluated(relation_of(text), jets)[0]).all()


@pytest.mark.smoke
@pytest.mark.parametrize("closed", [True, False])
def test_splines_are_those_of_scipy(closed: bool) -> None:
    table = [(0.0, 1.0), (0.5, 1.5), (1.1, 0.2), (2.0, 1.0)]
    coupling = gk.Coupling("k", of=("joint a", "joint b"), table=table, closed=closed)
    of = gk.Mechanism(2, POINTED, JOINTS, couplings=[coupling]).relations["k"]
    x = np.linspace(0.0, 2.0, 41)[:-1] + (6.0 if closed else 0.0)
    jets = np.random.default_rng(1).normal(size=(2, 3, x.size))
    jets[0, 0] = x
    expected = of.jet([tuple(jet) for jet in jets], 2)
    np.testing.assert_allclose(evaluated(of, jets), expected, rtol=1e-12, atol=1e-12)
    rate, gain = jets[0, 1:]
    by_scipy = [coupling.spline(x % 2.0, order) for order in range(3)]
    along = [by_scipy[0], by_scipy[1] * rate, by_scipy[1] * gain + by_scipy[2] * rate**2]
    np.testing.assert_allclose(expected, jets[1] - along, rtol=1e-12, atol=1e-12)
    jets[0, 0] = -0.1
    assert np.isnan(evaluated(of, jets)[0]).all() != closed


def bilinear(x: Any) -> Any:
    return x[0] * x[0] * x[1] + np.sin(x[2]) * x[1] - 0.3 * x[2]


def slopes_of_bilinear(x: Any, first: Any, second: Any) -> None:
    first[0], first[1], first[2] = 2.0 * x[0] * x[1], x[0] * x[0] + np.sin(x[2]), np.cos(x[2]) * x[1] - 0.3
    second[:] = 0.0
    second[0, 0], second[2, 2] = 2.0 * x[1], -np.sin(x[2]) * x[1]
    second[0, 1] = second[1, 0] = 2.0 * x[0]
    second[1, 2] = second[2, 1] = np.cos(x[2])


@pytest.mark.skipif(bool(DISABLE_JIT), reason="functions of the user are compiled")
def test_functions_are_as_the_same_formula() -> None:
    of = ("joint a", "joint b", "joint c")
    coupling = gk.Coupling("k", of=of, function=bilinear, derivatives=slopes_of_bilinear)
    function = gk.Mechanism(2, POINTED, JOINTS, couplings=[coupling]).relations["k"]
    a, b, c = (f"({{joint {name}}} / 1 rad)" for name in "abc")
    formula = relation_of(f"{a} ** 2 * {b} + sin({{joint c}}) * {b} - 0.3 * {c}")
    jets = jets_of(3)
    values, expected = [tuple(jet) for jet in jets], evaluated(formula, jets)
    np.testing.assert_allclose(evaluated(function, jets), expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(function.jet(values, 2), expected, rtol=1e-13, atol=1e-13)
    for found, slopes in zip(function.slope_series(values, 2), formula.slope_series(values, 2), strict=True):
        np.testing.assert_allclose(found, slopes, rtol=1e-13, atol=1e-13)
