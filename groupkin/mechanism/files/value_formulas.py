"""Values of a file: numbers with names, and formulas of them, wherever a number stands.

Numbers are those of the file, in its units; angles of sines and of inverse functions are in its unit of angles too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from graphlib import CycleError, TopologicalSorter
from math import isfinite
from typing import Any

from groupkin.errors import FormulaError, shown
from groupkin.mechanism.formulas.evaluation import readings
from groupkin.mechanism.formulas.operations import FUNCTIONS
from groupkin.mechanism.formulas.syntax import (
    CONSTANTS,
    Node,
    Number,
    Operation,
    Reading,
    parse_formula,
    problem,
)
from groupkin.mechanism.units import METERS, NO_UNIT, RADIANS
from groupkin.mechanism.values import Value, computed
from groupkin.messages import listed

RESERVED = {*CONSTANTS, *FUNCTIONS, *METERS, *RADIANS}
"""Names that mean something else in formulas."""


def read_values(stated: Mapping[str, Any], radians: float) -> dict[str, Value]:
    """Compute the values of a file, which may be formulas of each other.

    Parameters
    ----------
    stated : mapping of str to float or str
    radians : float
        Unit of angles in the file, rad.

    Raises
    ------
    FormulaError
        With the name, and the place in the formula.
    """
    for name in stated:
        if not name.isidentifier() or name in RESERVED:
            why = "means something else in formulas" if name in RESERVED else "is no word of letters, digits and _"
            raise FormulaError(f"value {shown(name)} needs another name: it {why}")
    trees = {name: _parsed(name, x, stated) for name, x in stated.items() if isinstance(x, str)}
    needs = {name: [each.text for each in readings(tree) if each.text in stated] for name, tree in trees.items()}
    try:
        order = list(TopologicalSorter({name: needs.get(name, []) for name in stated}).static_order())
    except CycleError as error:
        way = " → ".join(map(repr, reversed(error.args[1])))
        raise FormulaError(f"values need each other in a circle: {way}; give one of them a number") from None
    found: dict[str, Value] = {}
    for name in order:
        x = stated[name]
        if name in trees:
            number = _computed(trees[name], x, found, radians)
            found[name] = number.called(name) if isinstance(number, Value) else Value(name, number)
        else:
            found[name] = x if isinstance(x, Value) else Value(name, x)  # a part has values of the whole
    return {name: found[name] for name in stated}


def value_of(text: str, values: Mapping[str, Value], radians: float) -> float:
    """Compute a formula of values that stands in place of a number.

    Raises
    ------
    FormulaError
    """
    return _computed(parse_formula(text, values), text, values, radians)


def _parsed(name: str, text: str, names: Mapping[str, Any]) -> Node:
    try:
        return parse_formula(text, names)
    except FormulaError as error:
        raise FormulaError(f"value {name!r}: {error}") from None


def _computed(tree: Node, text: str, values: Mapping[str, Value], radians: float) -> float:
    """Compute the number of a tree, which remembers what it is computed from."""
    match tree:
        case Number(number, unit, place):
            if unit != NO_UNIT:
                raise problem("numbers of values are in the units of the file: leave the unit out", text, place)
            return number
        case Reading(name, place):
            if name not in values:
                raise problem("values are formulas of values, not of quantities", text, place)
            return values[name]
        case Operation(name, operands, place):
            if name not in FORMULAS:
                known = listed([*(key for key in FORMULAS if key.isalpha() and key not in ("plus", "minus"))])
                raise problem(f"`{name}` is none of the functions of values, which are {known}", text, place)
            found = FORMULAS[name](radians, *(_computed(each, text, values, radians) for each in operands))
            if not isfinite(found):
                raise problem("this has no value", text, place)
            return float(found) if not isinstance(found, Value) else found
    raise AssertionError(tree)


def _power(_: float, x: float, power: float) -> Any:
    return x**power if isinstance(x, Value) else computed("sqrt", x) if power == 0.5 else float(x) ** power


def _turn(operation: str) -> Callable[..., Any]:
    return lambda radians, x: computed(operation, computed("*", radians, x))


def _arc(y: Callable[[Any], Any], x: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda radians, of: computed("atan2", y(of), x(of)) / radians


def _beside(x: Any) -> Any:
    """√(1 - x²)."""
    return computed("sqrt", computed("-", 1.0, computed("*", x, x)))


FORMULAS: dict[str, Callable[..., Any]] = {
    **{sign: lambda _, x, y, sign=sign: computed(sign, x, y) for sign in "+-*/"},
    "**": _power,
    "plus": lambda _, x: x,
    "minus": lambda _, x: computed("*", -1.0, x),
    "sqrt": lambda _, x: computed("sqrt", x),
    "abs": lambda _, x: computed("abs", x),
    "hypot": lambda _, x, y: computed("sqrt", computed("+", computed("*", x, x), computed("*", y, y))),
    "sin": _turn("sin"),
    "cos": _turn("cos"),
    "tan": lambda radians, x: computed("/", _turn("sin")(radians, x), _turn("cos")(radians, x)),
    "asin": _arc(lambda x: x, _beside),
    "acos": _arc(_beside, lambda x: x),
    "atan": _arc(lambda x: x, lambda x: 1.0),
    "atan2": lambda radians, y, x: computed("atan2", y, x) / radians,
}
"""Operations of formulas of values, by the unit of angles (rad) and their operands."""
