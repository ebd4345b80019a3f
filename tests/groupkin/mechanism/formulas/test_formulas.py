"""Formulas: values against NumPy, derivatives against differences, units, and texts that are refused."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import erf

from groupkin.errors import FormulaError
from groupkin.mechanism.formulas.evaluation import derivatives, expressed, measure
from groupkin.mechanism.formulas.operations import Measure
from groupkin.mechanism.formulas.syntax import DEEPEST, LONGEST, Number, Reading, parse_formula
from groupkin.mechanism.units import powers, unit_text
from sglibrary.code.graph import Expr, Graph
from sglibrary.code.instructions import compute_rows

Array = NDArray[np.float64]

PLAIN: dict[str, Any] = {
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "sqrt", "abs", "exp", "log", "hypot")},
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "erf": erf,
    "pi": np.pi,
    "min": np.minimum,
    "max": np.maximum,
    "norm": np.linalg.norm,
    "dot": np.dot,
    "cross": np.cross,
}
"""The same functions of numbers, as NumPy has them."""

UNITS = {"a": "1", "b": "1", "angle": "rad", "x": "m", "v": "m/s", "p": "m", "q": "m"}
VECTORS = {"p": 3, "q": 3}


def of(reading: Reading) -> Measure:
    unit = powers(UNITS[reading.text])
    assert unit is not None
    return Measure(unit, VECTORS.get(reading.text, 0))


def curves(time: float) -> dict[str, tuple[Any, Any, Any]]:
    """Value, rate and acceleration of every quantity at a time; values of numbers are between 0.2 and 0.8."""
    found: dict[str, tuple[Any, Any, Any]] = {}
    for k, name in enumerate(UNITS):
        phases = np.array([0.3 * k, 0.3 * k + 1.1, 0.3 * k + 2.3])[: VECTORS.get(name, 1)]
        turn = (1.0 + 0.2 * k) * time + phases
        rate = 1.0 + 0.2 * k
        jet = (0.5 + 0.3 * np.sin(turn), 0.3 * rate * np.cos(turn), -0.3 * rate**2 * np.sin(turn))
        found[name] = jet if name in VECTORS else (jet[0][0], jet[1][0], jet[2][0])
    return found


def jet_of(text: str, known: dict[str, tuple[Any, Any, Any]], order: int = 2) -> tuple[Any, ...]:
    """A formula and its derivatives by time, from those of quantities with components along the first axis."""
    graph, rows = Graph(), list[Any]()
    counts = [(name, k, VECTORS.get(name, 1)) for name in known for k in range(order + 1)]
    first = {(name, k): sum(count for *_, count in counts[:number]) for number, (name, k, _) in enumerate(counts)}
    for name, k, _ in counts:
        rows += list(known[name][k]) if name in VECTORS else [known[name][k]]

    def leaves(name: str, k: int) -> tuple[Expr, ...]:
        return tuple(graph.value("w", first[name, k] + i) for i in range(VECTORS.get(name, 1)))

    rates = {
        x: y for name in known for k in range(order) for x, y in zip(leaves(name, k), leaves(name, k + 1), strict=True)
    }
    parts = expressed(parse_formula(text), graph, lambda reading: leaves(reading.text, 0))
    found = [x for each in derivatives(parts, rates, order) for x in each]
    values = compute_rows(graph.text([(x, f"w {len(rows) + k}") for k, x in enumerate(found)]), rows)
    shape = np.broadcast_shapes(*map(np.shape, rows))
    whole = [np.broadcast_to(x, shape) for x in values]
    n = len(parts)
    return tuple(whole[k] if n == 1 else np.array(whole[n * k : n * k + n]) for k in range(order + 1))


def jet_at(text: str, time: float, order: int = 2) -> tuple[Any, ...]:
    return jet_of(text, curves(time), order)


# --- values and derivatives ------------------------------------------------------------------

NUMBERS = st.sampled_from(["{a}", "{b}", "2", "0.5", "pi", "{p}.x / (1 m)", "{x} / (1 m)", "norm({q}) / (1 m)"])
GROWN = [
    *("({} + {})", "({} - {})", "({} * {})", "({} / (2 + abs({})))", "min({}, {})", "max({}, {})"),
    *("hypot({}, {}, 0.1)", "(atan2({}, {} + 3) / (1 rad))", "exp(-({}) ** 2) * {}", "(1 + abs({})) ** (0.1 * {})"),
    *("sin({} * (1 rad)) + {}", "cos({} * (90 deg)) * {}", "tan({} / (9 + abs({})) * (1 rad))"),
    *("sqrt(1 + ({}) ** 2) - {}", "log(2 + abs({})) * {}", "atan({}) / (1 rad) + {}"),
    *("asin(sin({} * (1 rad)) / 2) / (1 rad) + {}", "acos(cos({} * (1 rad)) / 2) / (1 rad) + {}"),
    "dot({} * {{p}}, {} * {{q}}) / (1 m) ** 2",
    "erf({}) * {}",
    "cross({} * {{p}}, {} * {{q}}).y / (1 m) ** 2",
]


def grown(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(GROWN), parts, parts).map(lambda drawn: f"({drawn[0].format(*drawn[1:])})")


FORMULAS = st.recursive(NUMBERS, grown, max_leaves=6)


def by_numpy(text: str, time: float) -> float:
    """Evaluate a formula of the tests by Python itself, in meters and radians."""
    known = {name: jet[0] for name, jet in curves(time).items()}
    code = text.replace("90 deg", str(np.pi / 2)).replace("1 rad", "1.0").replace("1 m", "1.0")
    code = re.sub(r"\.([xyz])\b", lambda found: f"[{'xyz'.index(found[1])}]", code)
    code = re.sub(r"hypot\(", "hypot3(", re.sub(r"\{(\w+)\}", r"\1", code))
    three = {"hypot3": lambda *numbers: np.sqrt(sum(x * x for x in numbers))}
    return float(eval(code, {"__builtins__": {}}, {**PLAIN, **three, **known}))  # text of this file, not of a user


@settings(max_examples=150, deadline=None)
@given(FORMULAS, st.floats(0.0, 3.0))
def test_values_are_those_of_numpy(text: str, time: float) -> None:
    if len(text) > LONGEST:
        return
    assert measure(parse_formula(text), text, of).size == 0
    # some hundred roundings at most, of numbers up to some thousand
    np.testing.assert_allclose(jet_at(text, time)[0], by_numpy(text, time), rtol=1e-11, atol=1e-11)


@settings(max_examples=150, deadline=None)
@given(FORMULAS, st.floats(0.0, 3.0))
def test_derivatives_are_those_of_differences(text: str, time: float) -> None:
    if len(text) > LONGEST:
        return
    step = 1e-4
    value, rate, acceleration = (float(x) for x in jet_at(text, time))
    near = [float(jet_at(text, time + k * step, 0)[0]) for k in (-2, -1, 1, 2)]
    slopes = [float(jet_at(text, time + k * step, 1)[1]) for k in (-2, -1, 1, 2)]
    kinked = any(word in text for word in ("min", "max", "abs", "asin", "acos"))
    for derivative, (a, b, c, d), at in ((rate, near, value), (acceleration, slopes, rate)):
        by_difference = (a - 8.0 * b + 8.0 * c - d) / (12.0 * step)
        # the difference errs by about step^4 times the fifth derivative, and by roundings over the step
        scale = 1.0 + abs(at) + abs(derivative) + abs(acceleration)
        left, right = (at - b) / step, (c - at) / step
        kink = abs(left - right) if kinked else 0.0  # at or between these times
        if kink > 1e-2 * scale:
            continue
        assert abs(derivative - by_difference) < 1e-6 * scale**2 + kink


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("norm({p} - {q})", lambda k: np.linalg.norm(k["p"] - k["q"])),
        ("cross({p}, {q}).z", lambda k: np.cross(k["p"], k["q"])[2]),
        ("-{p}.x ** 2", lambda k: -(k["p"][0] ** 2)),
        ("2 ** 3 ** 0.5", lambda k: 2 ** (3**0.5)),
        ("{x} - 3 mm + 1 in", lambda k: k["x"] - 0.003 + 0.0254),
        ("6 m/s / (2 m/s)", lambda _: 3.0),
        ("1 / 90 deg", lambda _: 2.0 / np.pi),
        ("sin(30deg) \n + .5", lambda _: 1.0),
        ("max(1, 2, 3) - min(3, 2, 1)", lambda _: 2.0),
    ],
)
def test_values_of_some_formulas(text: str, expected: Any) -> None:
    known = {name: jet[0] for name, jet in curves(0.4).items()}
    assert float(jet_at(text, 0.4, 0)[0]) == pytest.approx(float(expected(known)), rel=1e-14)


def test_arrays_are_computed_as_their_numbers() -> None:
    text = "atan2(norm({p} - {q}), {x}) + {angle} * {a}"
    times = np.linspace(0.0, 2.0, 7)
    each = [curves(time) for time in times]
    whole = {name: tuple(np.stack([c[name][k] for c in each], axis=-1) for k in range(3)) for name in UNITS}
    found = jet_of(text, whole)
    alone = [jet_at(text, time) for time in times]
    for k in range(3):
        # sums over components may be added in another order
        np.testing.assert_allclose(found[k], [jet[k] for jet in alone], rtol=1e-13, atol=1e-13)


# --- units -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("{x} * {x}", "m^2"),
        ("sqrt({x} * {x})", "m"),
        ("sqrt({x})", "m^(1/2)"),
        ("{x} ** (1 / 3)", "m^(1/3)"),
        ("{v} / {x}", "1/s"),
        ("atan2({x}, 3 mm)", "rad"),
        ("norm({p}) * {angle}", "m*rad"),
        ("dot({p}, {q}) / {v}", "m*s"),
        ("{a} ** {b}", "1"),
        ("2 deg", "rad"),
        ("1 m/s^2", "m/s^2"),
    ],
)
def test_the_unit_of_a_formula(text: str, unit: str) -> None:
    found = measure(parse_formula(text), text, of).unit
    assert unit_text(found) == unit
    assert powers(unit) == found


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1 + ({x} + {angle})", "{angle}", r"`\+` needs a number in m like the first operand, not a number in rad"),
        ("sin({x})", "{x}", "`sin` needs an angle, .* not a number in m"),
        ("sin(2)", "2", "`sin` needs an angle, such as `30 deg`"),
        ("asin({angle})", "{angle}", "`asin` needs a number without a unit, not a number in rad"),
        ("atan2({x}, 1)", "1", "`atan2` needs a number in m like the first operand"),
        ("max({x}, 0)", "0", "such as 0 m"),
        ("{x} ** {a}", "{a}", r"`\*\*` needs a plain number up to 12"),
        ("{x} ** 0.123456", "0.123456", "a plain number up to 12"),
        ("{a} ** {x}", "{x}", "without a unit"),
        ("{p} * {q}", "{q}", "multiplied by `dot` and `cross`"),
        ("1 / {p}", "{p}", "divided by a vector"),
        ("{p} + {x}", "{x}", "needs a vector in m like the first operand"),
        ("norm({x})", "{x}", "`norm` needs a vector"),
        ("{x}.y", "{x}", r"`\.y` needs a vector, not a number in m"),
        ("abs({p})", "{p}", "needs a number; name a component"),
    ],
)
def test_units_that_do_not_fit_are_refused_with_their_place(text: str, place: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message) as refused:
        measure(parse_formula(text), text, of)
    _, shown, marks = str(refused.value).split("\n")
    assert shown.strip() == text
    assert shown[marks.index("^") : marks.rindex("^") + 1] == place


# --- texts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the formula is empty"),
        ("1 +", "missing or too many"),
        ("1) + (2", "missing or too many"),
        ("{a", "a brace or quote is not closed"),
        ("a}", "a brace or quote is not closed"),
        ("{joint 'a}", "a brace or quote is not closed"),
        ("2^3", r"powers are written `\*\*`"),
        ("__import__('os')", "a brace or quote"),
        ("__import__(1)", "there is no function '__import__'"),
        ("{a}.__class__", "there is no component '__class__'"),
        ("{a}.__class__.x", "there is no component '__class__'"),
        ("(1).real", "there is no component 'real'"),
        ("{a}[0]", r"the sign '\[' means nothing"),
        ("lambda: 1", "the sign ':' means nothing"),
        ("[x for x in 1]", "means nothing"),
        ("1 if 2 else 3", "this cannot stand in a formula"),
        ("1 and 2", "this cannot stand in a formula"),
        ("not 1", "this cannot stand in a formula"),
        ("7 // 2", "this cannot stand in a formula"),
        ("sin(*{a})", "this cannot stand in a formula"),
        ("1, 2", "this cannot stand in a formula"),
        ("True", "this cannot stand in a formula"),
        ("2j", "this cannot stand in a formula"),
        ("camber", "there is no constant 'camber'. Quantities stand in braces"),
        ("p", "did you mean pi"),
        ("mm", "stands behind a number alone, as in `1 mm`"),
        ("sin", "its operands follow in parentheses"),
        ("sine(1)", "there is no function 'sine'.*did you mean sin"),
        ("sin(1, 2)", "`sin` takes 1 operand in parentheses, not 2"),
        ("max(1)", "`max` takes 2 operands or more"),
        ("1e999", "a number is too large"),
        ("9" * 400, "a number is too large"),
        ("1e308 km", "a number is too large"),
        ("x" * (LONGEST + 1), f"at most {LONGEST} characters"),
        ("(" * 300 + "1" + ")" * 300, "nested too deeply"),
        ("-" * 900 + "1", "nested too deeply"),
        ("+1" * (DEEPEST + 2), "nested too deeply"),
        ("ⅰ + 1", "the sign 'ⅰ' means nothing"),
        ("1 # 2", "the sign '#' means nothing"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        parse_formula(text)


def test_huge_powers_are_not_computed_with_whole_numbers() -> None:
    assert jet_at("9 ** 9 ** 9 ** 9", 0.0, 0)[0] == np.inf


@given(st.text(st.sampled_from("{}'ab.1+-*/() ,xπ^\"_"), max_size=30) | st.text(max_size=60))
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    with suppress(FormulaError):
        parse_formula(text)


def test_names_in_braces_stand_as_in_quantities() -> None:
    names = ["joint 'a}b'.x", "position P.x", "velocity 'Watt''s point'.norm", "Größe", "position 'a + b'"]
    for name in names:
        assert parse_formula(f"{{{name}}}") == Reading(name)
        assert parse_formula(f"{{ {name} }} * 2").operands == (Reading(name), Number(2.0))  # type: ignore[union-attr]
