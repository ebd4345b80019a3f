"""The operations of formulas: which units they take and give, and the expressions that compute them.

A number is one expression (`sglibrary.code.graph`), a vector one for each component. Derivatives follow from the
expressions (`sglibrary.code.passes`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from typing import NamedTuple

from groupkin.mechanism.units import NO_UNIT, Powers, powers, unit_text
from groupkin.tolerances import ROUNDING
from sglibrary.code.graph import Expr, function, larger, power, root, size, smaller
from sglibrary.code.systems import dot

Parts = tuple[Expr, ...]
"""The components of a vector, or one number."""

ANGLE: Powers = powers("rad") or NO_UNIT


class Measure(NamedTuple):
    """What something in a formula is: its unit, its number of components (0: a number), and its value if constant."""

    unit: Powers
    size: int = 0
    constant: float | None = None

    def __str__(self) -> str:
        what = "a vector" if self.size else "a number"
        return f"{what} {'without a unit' if self.unit == NO_UNIT else f'in {unit_text(self.unit)}'}"


class MisfitError(Exception):
    """An operand does not fit: which one, and what it must be."""

    def __init__(self, operand: int, needed: str):
        super().__init__(operand, needed)
        self.operand, self.needed = operand, needed


Rule = Callable[[Sequence[Measure]], Measure]


@dataclass(frozen=True)
class Entry:
    """An operation.

    Attributes
    ----------
    least, most : int
        Numbers of operands; any number if `most` is 0.
    measure : callable
        What the result is, by what the operands are; raises `MisfitError`.
    express : callable
        The parts of the result, by those of the operands.
    """

    least: int
    most: int
    measure: Rule
    express: Callable[..., Parts]


# --- units -----------------------------------------------------------------------------------


def _numbers(operands: Sequence[Measure]) -> None:
    for k, operand in enumerate(operands):
        if operand.size:
            raise MisfitError(k, "a number; name a component, or take `norm`, `dot` or `cross`")


def _same(operands: Sequence[Measure]) -> Measure:
    """Require operands in one unit, all numbers or all vectors."""
    first = Measure(operands[0].unit, operands[0].size)
    for k, operand in enumerate(operands):
        if operand[:2] != first[:2]:
            zero = f", such as 0 {unit_text(first.unit)}" if operand.constant == 0.0 and not first.size else ""
            raise MisfitError(k, f"{first} like the first operand{zero}")
    return first


def _same_numbers(operands: Sequence[Measure]) -> Measure:
    _numbers(operands)
    return _same(operands)


def _from_to(needed: Powers, given: Powers) -> Rule:
    """Make the rule of a function of one unit that gives another."""

    def measure(operands: Sequence[Measure]) -> Measure:
        _numbers(operands)
        if operands[0].unit != needed:
            angle = "an angle, such as `30 deg`, `0.5 rad` or that of a body or joint"
            raise MisfitError(0, angle if needed == ANGLE else "a number without a unit")
        return Measure(given)

    return measure


def _product(operands: Sequence[Measure]) -> Measure:
    first, second = operands
    if first.size and second.size:
        raise MisfitError(
            1, "a number where the first operand is a vector; vectors are multiplied by `dot` and `cross`"
        )
    return Measure(_sum(first.unit, second.unit), first.size or second.size)


def _quotient(operands: Sequence[Measure]) -> Measure:
    first, second = operands
    if second.size:
        raise MisfitError(1, "a number, for nothing can be divided by a vector")
    return Measure(_sum(first.unit, _times(second.unit, -1)), first.size)


def _raised(operands: Sequence[Measure]) -> Measure:
    base, exponent = operands
    _numbers(operands)
    if exponent.unit != NO_UNIT:
        raise MisfitError(1, "a number without a unit")
    if base.unit == NO_UNIT:
        return Measure(NO_UNIT)
    value = exponent.constant
    share = Fraction(value).limit_denominator(12) if value is not None and abs(value) <= 12 else None
    if value is None or share is None or abs(float(share) - value) > ROUNDING:
        raise MisfitError(1, "a plain number up to 12 such as 2 or 1/3, for the base has a unit")
    return Measure(_times(base.unit, share))


def _sum(first: Powers, second: Powers) -> Powers:
    return tuple(x + y for x, y in zip(first, second, strict=True))


def _times(unit: Powers, factor: Fraction | int) -> Powers:
    return tuple(factor * x for x in unit)


def _vectors(combined: Rule) -> Rule:
    """Let a rule apply to vectors alone."""

    def measure(operands: Sequence[Measure]) -> Measure:
        for k, operand in enumerate(operands):
            if not operand.size:
                raise MisfitError(k, "a vector, such as `{position P} - {position Q}`")
        return combined(operands)

    return measure


def _inner(operands: Sequence[Measure]) -> Measure:
    return Measure(_sum(operands[0].unit, operands[1].unit))


def _crossed(operands: Sequence[Measure]) -> Measure:
    return Measure(_inner(operands).unit, 3 if operands[0].size == 3 else 0)


def _component(index: int) -> Rule:
    def measure(operands: Sequence[Measure]) -> Measure:
        if index >= operands[0].size:
            raise MisfitError(0, "a vector in space, for z is asked for" if operands[0].size else "a vector")
        return Measure(operands[0].unit)

    return measure


# --- expressions -----------------------------------------------------------------------------


def _by_parts(combined: Callable[..., Expr]) -> Callable[..., Parts]:
    """Apply an operation to each component of vectors, together with numbers."""

    def express(*operands: Parts) -> Parts:
        width = max(map(len, operands))
        return tuple(combined(*parts) for parts in zip(*(x * (width // len(x)) for x in operands), strict=True))

    return express


def _named(name: str, measure: Rule, operands: int = 1) -> Entry:
    """Make the entry of an operation on numbers by its name in `sglibrary.code.operations`."""
    return Entry(operands, operands, measure, _by_parts(partial(function, name)))


def _extreme(of_two: Callable[[Expr, Expr], Expr]) -> Entry:
    """Make the entry of the minimum or maximum of numbers; the first of equal ones gives the derivatives."""
    return Entry(2, 0, _same_numbers, _by_parts(lambda *numbers: reduce(of_two, numbers)))


def _length(x: Parts) -> Parts:
    return (root(dot(x, x)),)


def _outer(x: Parts, y: Parts) -> Parts:
    pairs = ((0, 1),) if len(x) == 2 else ((1, 2), (2, 0), (0, 1))
    return tuple(x[i] * y[j] - x[j] * y[i] for i, j in pairs)


# --- the table -------------------------------------------------------------------------------

COMPONENTS = {axis: Entry(1, 1, _component(k), lambda x, k=k: (x[k],)) for k, axis in enumerate("xyz")}

_OF_ANGLE, _TO_ANGLE, _PLAIN = _from_to(ANGLE, NO_UNIT), _from_to(NO_UNIT, ANGLE), _from_to(NO_UNIT, NO_UNIT)


def _to_half(operands: Sequence[Measure]) -> Measure:
    return _raised([*operands, Measure(NO_UNIT, constant=0.5)])


FUNCTIONS = {
    "sin": _named("sin", _OF_ANGLE),
    "cos": _named("cos", _OF_ANGLE),
    "tan": _named("tan", _OF_ANGLE),
    "asin": _named("asin", _TO_ANGLE),
    "acos": _named("acos", _TO_ANGLE),
    "atan": _named("atan", _TO_ANGLE),
    "atan2": _named("atan2", lambda operands: _same_numbers(operands)._replace(unit=ANGLE), 2),
    "sqrt": Entry(1, 1, _to_half, _by_parts(root)),
    "abs": Entry(1, 1, _same_numbers, _by_parts(size)),
    "exp": _named("exp", _PLAIN),
    "log": _named("log", _PLAIN),
    "erf": _named("erf", _PLAIN),
    "min": _extreme(smaller),
    "max": _extreme(larger),
    "hypot": Entry(2, 0, _same_numbers, lambda *operands: _length(tuple(x for (x,) in operands))),
    "norm": Entry(1, 1, _vectors(lambda operands: Measure(operands[0].unit)), _length),
    "dot": Entry(2, 2, _vectors(_inner), lambda x, y: (dot(x, y),)),
    "cross": Entry(2, 2, _vectors(_crossed), _outer),
}
"""Functions of formulas; logarithms are natural."""

OPERATIONS = {
    "+": Entry(2, 2, _same, _by_parts(lambda x, y: x + y)),
    "-": Entry(2, 2, _same, _by_parts(lambda x, y: x - y)),
    "*": Entry(2, 2, _product, _by_parts(lambda x, y: x * y)),
    "/": Entry(2, 2, _quotient, _by_parts(lambda x, y: x / y)),
    "**": Entry(2, 2, _raised, _by_parts(power)),
    "plus": Entry(1, 1, _same, lambda x: x),
    "minus": Entry(1, 1, _same, _by_parts(lambda x: -x)),
    **FUNCTIONS,
    **COMPONENTS,
}
"""All operations, by their names in trees."""
