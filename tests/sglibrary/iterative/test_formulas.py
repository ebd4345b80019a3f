"""Formulas between moves, operation by operation: as the formulas of outputs say, which share no code with them."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.program.formula_tables import OF_ONE, OF_TWO, tape
from groupkin.mechanism.couplings.relations import Relation
from groupkin.mechanism.formulas.operations import FUNCTIONS
from sglibrary.iterative.formulas import evaluate_formula
from sglibrary.iterative.newton_tables import formula_rows
from sglibrary.straight import prepared

JOINTS = [gk.Joint(name, "R", ("frame", name), point=(k, 0)) for k, name in enumerate("abc")]
POINTED = ["frame", gk.Body("a", points={"P": (0.3, 0.4)}), gk.Body("b", points={"Q": (1.2, 0.7)}), "c"]

FORMULAS = [
    "{joint a} + 2 * {joint b} = -({joint c} - 1 rad)",
    "sin({joint a}) * cos({joint b}) / tan({joint c})",
    "asin(sin({joint a}) / 2) + acos(cos({joint b}) / 3) - atan(tan({joint c}))",
    "atan2(sin({joint a}) * 1 m, cos({joint b}) * 1 m) - {joint c}",
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


def table_of(relation: Relation) -> tuple[np.ndarray, np.ndarray]:
    """The compiled table of three times the formula; its moves are half of the coordinates less one."""
    written, count = tape(relation), len(relation.coordinates)
    numbers = [count, len(written.operations), 0, *range(count), *(x for each in written.operations for x in each)]
    data = [*np.full(count, 2.0), *np.ones(count), 3.0, *written.constants]
    return np.array(numbers, np.int64), np.array(data, float)


def moves_of(jets: np.ndarray) -> np.ndarray:
    moves = jets.copy()
    moves[:, 0] -= 1.0
    return np.ascontiguousarray(0.5 * moves)


def evaluated(relation: Relation, jets: np.ndarray) -> np.ndarray:
    """The formula and two derivatives (3, n) by the compiled table, for jets (k, 3, n) of its coordinates."""
    out = np.empty((3, jets.shape[2]))
    evaluate_formula(*table_of(relation), 0, moves_of(jets), out)
    return out / 3.0


def jets_of(count: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    jets = rng.normal(size=(count, 3, 2))
    jets[:, 0] = np.resize(VALUES, (2, count)).T
    return jets


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_those_of_outputs(text: str) -> None:
    relation = relation_of(text)
    jets = jets_of(len(relation.coordinates))
    expected = relation.jet([tuple(jet) for jet in jets], 2)
    found = evaluated(relation, jets)
    for order in range(3):
        np.testing.assert_allclose(found[order], np.broadcast_to(expected[order], 2), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("text", FORMULAS)
def test_derivatives_agree_with_differences(text: str) -> None:
    relation, h = relation_of(text), 1e-4
    jets = jets_of(len(relation.coordinates))

    def ahead(time: float) -> np.ndarray:
        moved = np.zeros_like(jets)
        moved[:, 0] = jets[:, 0] + time * jets[:, 1] + 0.5 * time**2 * jets[:, 2]
        return evaluated(relation, moved)[0]

    value, first, second = evaluated(relation, jets)
    # truncated at h², and roundings over h²
    np.testing.assert_allclose((ahead(h) - ahead(-h)) / (2 * h), first, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose((ahead(h) - 2 * value + ahead(-h)) / h**2, second, rtol=1e-5, atol=1e-5)


def test_every_operation_is_here() -> None:
    assert set(FUNCTIONS) <= {*OF_ONE, *OF_TWO, "norm", "hypot", "dot", "cross"}
    whole = " ".join(FORMULAS)
    assert [name for name in FUNCTIONS if f"{name}(" not in whole] == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("sqrt({joint a} / 1 rad)", [-1.0]),
        ("log({joint a} / 1 rad)", [0.0]),
        ("asin({joint a} / 1 rad)", [1.5]),
        ("1 / sin({joint a})", [0.0]),
        ("({joint a} / 1 rad) ** 0.5", [-2.0]),
        ("({joint a} / 1 rad) ** -1", [0.0]),
        ("atan2({joint a}, {joint b})", [0.0, 0.0]),
    ],
)
def test_what_has_no_value_is_none(text: str, values: list[float]) -> None:
    jets = np.zeros((len(values), 3, 1))
    jets[:, 0, 0] = values
    assert np.isnan(evaluated(relation_of(text), jets)).all()


@pytest.mark.smoke
@pytest.mark.parametrize("closed", [True, False])
def test_splines_are_those_of_scipy(closed: bool) -> None:
    table = [(0.0, 1.0), (0.5, 1.5), (1.1, 0.2), (2.0, 1.0)]
    coupling = gk.Coupling("k", of=("joint a", "joint b"), table=table, closed=closed)
    relation = gk.Mechanism(2, POINTED, JOINTS, couplings=[coupling]).relations["k"]
    x = np.linspace(0.0, 2.0, 41)[:-1] + (6.0 if closed else 0.0)
    jets = np.random.default_rng(1).normal(size=(2, 3, x.size))
    jets[0, 0] = x
    expected = relation.jet([tuple(jet) for jet in jets], 2)
    np.testing.assert_allclose(evaluated(relation, jets), expected, rtol=1e-12, atol=1e-12)
    jets[0, 0] = -0.1
    assert np.isnan(evaluated(relation, jets)).all() != closed


@pytest.mark.parametrize("text", FORMULAS)
def test_derivatives_along_any_change_follow_from_first_and_second_ones(text: str) -> None:
    relation = relation_of(text)
    count = len(relation.coordinates)
    jets = jets_of(count)
    values, rates, gains = moves_of(jets).swapaxes(0, 1)
    work = np.full((formula_rows(count) + 1, 2), np.nan)
    numbers, data = table_of(relation)
    assert prepared.formula(numbers, data, 0, np.ascontiguousarray(values), work, 1, 2) == len(work)
    value, slopes, bends = work[1], work[2 : 2 + count], work[2 + count :]
    pairs = [rates[i] * rates[k] * (1.0 if i == k else 2.0) for i in range(count) for k in range(i, count)]
    along = np.array([value, (slopes * rates).sum(0), (slopes * gains).sum(0) + (bends * pairs).sum(0)]) / 3.0
    # differences of second derivatives along other directions: some roundings of the largest
    bound = 1e-14 * np.abs(work[1:]).max()
    np.testing.assert_allclose(along, evaluated(relation, jets), rtol=1e-13, atol=bound)
