"""The operations of formulas: which units they take and give, and what they do with values and derivatives.

Numbers are arrays of any shape, vectors have their components along a first axis. What is computed with is a value, its
first and its second derivative with respect to time, or as many of them as are asked for: a `Jet`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.units import NO_UNIT, Powers, unit_text

Array = NDArray[np.float64]
Jet = tuple[Any, ...]
"""A value and its derivatives up to some order, arrays or plain numbers."""

ANGLE: Powers = (Fraction(0), Fraction(1), Fraction(0))


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
    apply : callable
        The jet of the result, by those of the operands.
    """

    least: int
    most: int
    measure: Rule
    apply: Callable[..., Jet]


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
    if value is None or share is None or abs(float(share) - value) > 1e-12:
        raise MisfitError(1, "a plain number up to 12 such as 2 or 1/3, for the base has a unit")
    return Measure(_times(base.unit, share))


def _sum(first: Powers, second: Powers) -> Powers:
    return (first[0] + second[0], first[1] + second[1], first[2] + second[2])


def _times(unit: Powers, factor: Fraction | int) -> Powers:
    return (factor * unit[0], factor * unit[1], factor * unit[2])


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


# --- values and derivatives ------------------------------------------------------------------


def _function(value: Callable[[Any], Any], *slopes: Callable[[Any, Any], Any]) -> Callable[[Jet], Jet]:
    """Make a function of one number by its value, and its derivatives by the number and the value."""

    def apply(x: Jet) -> Jet:
        y = value(x[0])
        first = slopes[0](x[0], y) if len(x) > 1 else 0.0
        after = (first * x[1], first * x[2] + slopes[1](x[0], y) * x[1] * x[1]) if len(x) > 2 else (first * x[-1],)
        return (y, *after[: len(x) - 1])

    return apply


def _linear(combined: Callable[..., Any]) -> Callable[..., Jet]:
    return lambda *operands: tuple(combined(*parts) for parts in zip(*operands, strict=True))


def _bilinear(multiplied: Callable[[Any, Any], Any]) -> Callable[[Jet, Jet], Jet]:
    def apply(x: Jet, y: Jet) -> Jet:
        terms: list[Any] = [multiplied(x[0], y[0])]
        if len(x) > 1:
            terms.append(multiplied(x[1], y[0]) + multiplied(x[0], y[1]))
        if len(x) > 2:
            terms.append(multiplied(x[2], y[0]) + 2.0 * multiplied(x[1], y[1]) + multiplied(x[0], y[2]))
        return tuple(terms)

    return apply


def _divided(x: Jet, y: Jet) -> Jet:
    terms: list[Any] = [x[0] / y[0]]
    if len(x) > 1:
        terms.append((x[1] - terms[0] * y[1]) / y[0])
    if len(x) > 2:
        terms.append((x[2] - 2.0 * terms[1] * y[1] - terms[0] * y[2]) / y[0])
    return tuple(terms)


def _power(x: Jet, exponent: Jet) -> Jet:
    value, n = np.power(x[0], exponent[0]), exponent[0]
    if any(np.ndim(part) or part for part in exponent[1:]):  # it changes, and the base must be positive
        return (value, *_exp(_bilinear(np.multiply)(exponent, _log(x)))[1:])

    def term(factor: float, lower: float) -> Callable[[Any, Any], Any]:
        return lambda base, _: factor * np.power(base, lower) if factor else 0.0

    return _function(lambda _: value, term(n, n - 1.0), term(n * (n - 1.0), n - 2.0))(x)


def _length(x: Jet) -> Jet:
    """Compute the length of a vector."""
    terms: list[Any] = [np.sqrt((x[0] * x[0]).sum(axis=0))]
    if len(x) > 1:
        terms.append((x[0] * x[1]).sum(axis=0) / terms[0])
    if len(x) > 2:
        terms.append(((x[1] * x[1] + x[0] * x[2]).sum(axis=0) - terms[1] * terms[1]) / terms[0])
    return tuple(terms)


def _hypot(*operands: Jet) -> Jet:
    return _length(tuple(np.stack(np.broadcast_arrays(*parts)) for parts in zip(*operands, strict=True)))


def _angle(y: Any, x: Any) -> Any:
    """Compute angles of vectors; of complex numbers also their derivatives, which are in imaginary parts."""
    angle = np.arctan2(np.real(y), np.real(x))
    if not (np.iscomplexobj(x) or np.iscomplexobj(y)):
        return angle
    square = np.real(x) ** 2 + np.real(y) ** 2
    return angle + 1j * (np.real(x) * np.imag(y) - np.real(y) * np.imag(x)) / square


def _atan2(y: Jet, x: Jet) -> Jet:
    terms: list[Any] = [_angle(y[0], x[0])]
    square = x[0] * x[0] + y[0] * y[0]
    if len(x) > 1:
        terms.append((x[0] * y[1] - y[0] * x[1]) / square)
    if len(x) > 2:
        change = 2.0 * (x[0] * x[1] + y[0] * y[1])
        terms.append((x[0] * y[2] - y[0] * x[2] - terms[1] * change) / square)
    return tuple(terms)


def _extreme(value: Callable[[Any, Any], Any], sign: float) -> Callable[..., Jet]:
    """Make the least or the largest of some numbers; of equal ones the first gives the derivatives."""

    def of_two(x: Jet, y: Jet) -> Jet:
        second = sign * y[0] > sign * x[0]
        return (value(x[0], y[0]), *(np.where(second, b, a) for a, b in zip(x[1:], y[1:], strict=True)))

    return lambda *operands: reduce(of_two, operands)


def _outer(x: Any, y: Any) -> Any:
    if len(x) == 2:
        return x[0] * y[1] - x[1] * y[0]
    pairs = ((1, 2), (2, 0), (0, 1))
    return np.stack([x[i] * y[j] - x[j] * y[i] for i, j in pairs])


def _without_sign(x: Any) -> Any:
    return np.where(np.real(x) < 0.0, -x, x) if np.iscomplexobj(x) else np.abs(x)


_exp = _function(np.exp, lambda _, y: y, lambda _, y: y)
_log = _function(np.log, lambda x, _: 1.0 / x, lambda x, _: -1.0 / (x * x))

# --- the table -------------------------------------------------------------------------------

COMPONENTS = {axis: Entry(1, 1, _component(k), _linear(lambda x, k=k: x[k])) for k, axis in enumerate("xyz")}

FUNCTIONS = {
    "sin": Entry(1, 1, _from_to(ANGLE, NO_UNIT), _function(np.sin, lambda x, _: np.cos(x), lambda _, y: -y)),
    "cos": Entry(1, 1, _from_to(ANGLE, NO_UNIT), _function(np.cos, lambda x, _: -np.sin(x), lambda _, y: -y)),
    "tan": Entry(
        1,
        1,
        _from_to(ANGLE, NO_UNIT),
        _function(np.tan, lambda _, y: 1.0 + y * y, lambda _, y: 2.0 * y * (1.0 + y * y)),
    ),
    "asin": Entry(
        1,
        1,
        _from_to(NO_UNIT, ANGLE),
        _function(np.arcsin, lambda x, _: (1.0 - x * x) ** -0.5, lambda x, _: x * (1.0 - x * x) ** -1.5),
    ),
    "acos": Entry(
        1,
        1,
        _from_to(NO_UNIT, ANGLE),
        _function(np.arccos, lambda x, _: -((1.0 - x * x) ** -0.5), lambda x, _: -x * (1.0 - x * x) ** -1.5),
    ),
    "atan": Entry(
        1,
        1,
        _from_to(NO_UNIT, ANGLE),
        _function(np.arctan, lambda x, _: 1.0 / (1.0 + x * x), lambda x, _: -2.0 * x / (1.0 + x * x) ** 2),
    ),
    "atan2": Entry(2, 2, lambda operands: _same_numbers(operands)._replace(unit=ANGLE), _atan2),
    "sqrt": Entry(
        1,
        1,
        lambda operands: _raised([*operands, Measure(NO_UNIT, constant=0.5)]),
        _function(np.sqrt, lambda _, y: 0.5 / y, lambda x, y: -0.25 / (x * y)),
    ),
    "abs": Entry(1, 1, _same_numbers, _function(_without_sign, lambda x, _: np.sign(np.real(x)), lambda _x, _y: 0.0)),
    "exp": Entry(1, 1, _from_to(NO_UNIT, NO_UNIT), _exp),
    "log": Entry(1, 1, _from_to(NO_UNIT, NO_UNIT), _log),
    "min": Entry(2, 0, _same_numbers, _extreme(np.minimum, -1.0)),
    "max": Entry(2, 0, _same_numbers, _extreme(np.maximum, 1.0)),
    "hypot": Entry(2, 0, _same_numbers, _hypot),
    "norm": Entry(1, 1, _vectors(lambda operands: Measure(operands[0].unit)), _length),
    "dot": Entry(2, 2, _vectors(_inner), _bilinear(lambda x, y: (x * y).sum(axis=0))),
    "cross": Entry(2, 2, _vectors(_crossed), _bilinear(_outer)),
}
"""Functions of formulas; logarithms are natural."""

OPERATIONS = {
    "+": Entry(2, 2, _same, _linear(lambda x, y: x + y)),
    "-": Entry(2, 2, _same, _linear(lambda x, y: x - y)),
    "*": Entry(2, 2, _product, _bilinear(np.multiply)),
    "/": Entry(2, 2, _quotient, _divided),
    "**": Entry(2, 2, _raised, _power),
    "plus": Entry(1, 1, _same, _linear(lambda x: x)),
    "minus": Entry(1, 1, _same, _linear(lambda x: -x)),
    **FUNCTIONS,
    **COMPONENTS,
}
"""All operations, by their names in trees."""
