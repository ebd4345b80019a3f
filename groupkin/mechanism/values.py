"""Numbers with names, and numbers that are computed from them, wherever a number of a mechanism stands.

They are floats, so that nothing else has to know of them. Each remembers the operation that it comes from, so that a
design with another value of a name has all numbers that follow from it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from groupkin.arguments import is_name
from groupkin.errors import FormulaError, shown

OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "atan2": np.arctan2,
    "abs": np.abs,
}
"""Operations on floats, arrays and traced numbers, by name."""

LONGEST = 1000
"""Characters of a formula at most, as `groupkin.mechanism.formulas.syntax` reads it."""

UNKNOWN = "?"
"""Operation of a number that depends on others in a way that is not written down, as the mass of a solid."""


class Value(float):
    """A number with a name, or one that is computed from such numbers.

    Parameters
    ----------
    name : str
        Empty of intermediate results.
    value : float
        In SI units, as all numbers of a mechanism.

    Attributes
    ----------
    operation : str
        Of `OPERATIONS`, or `UNKNOWN`; empty if the number is given.
    operands : tuple of float

    Examples
    --------
    >>> a = Value("a", 0.05)
    >>> b = (2 * a).called("b")
    >>> b, names(b)
    (0.1, ('a',))
    """

    __slots__ = ("name", "operands", "operation")

    name: str
    operation: str
    operands: tuple[float, ...]

    def __new__(cls, name: str, value: float, operation: str = "", operands: tuple[float, ...] = ()) -> Value:
        if not isinstance(name, str) or (not operation and not is_name(name)):
            raise FormulaError(f"a value needs a name, not {shown(name)}, and a number: write Value('a', 0.05)")
        try:
            self = super().__new__(cls, value)
        except (TypeError, ValueError):
            raise FormulaError(f"value {name!r} must be a number, not {shown(value)}") from None
        self.name, self.operation, self.operands = name, operation, operands
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Value, (self.name, float(self), self.operation, self.operands)

    def called(self, name: str) -> Value:
        """Return the same number with a name."""
        return Value(name, float(self), self.operation or "*", self.operands if self.operation else (1.0, self))

    def __add__(self, other: Any) -> Any:
        return computed("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return computed("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return computed("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return computed("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return _scaled(self, other)

    def __rmul__(self, other: Any) -> Any:
        return _scaled(self, other)

    def __truediv__(self, other: Any) -> Any:
        """Divide; by a number as a product, so that conversions there and back leave what was."""
        plain = isinstance(other, int | float) and not isinstance(other, Value) and other
        return _scaled(self, 1.0 / other) if plain else computed("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return computed("/", other, self)

    def __neg__(self) -> Any:
        return _scaled(self, -1.0)

    def __abs__(self) -> Any:
        return computed("abs", self)

    def __pow__(self, power: Any, modulo: None = None) -> Any:
        """Return a whole power, by products, or a square root."""
        if power == 0.5:
            return computed("sqrt", self)
        if isinstance(power, Value) or power != int(power) or not 1 <= abs(power) <= 9:
            raise FormulaError(f"values have powers of 1 to 9 and their inverses, and 0.5, not {shown(power)}")
        product: Any = self
        for _ in range(abs(int(power)) - 1):
            product = product * self
        return product if power > 0 else 1.0 / product


def computed(operation: str, *operands: Any) -> Any:
    """Apply an operation to numbers; a plain number if none of them is a `Value`."""
    if any(isinstance(x, np.ndarray) and x.ndim for x in operands):
        return OPERATIONS[operation](*(float(x) if isinstance(x, Value) else x for x in operands))
    with np.errstate(all="ignore"):
        number = float(OPERATIONS[operation](*(np.float64(float(x)) for x in operands)))
    if not any(isinstance(x, Value) for x in operands):
        return number
    return Value("", number, operation, tuple(x if isinstance(x, Value) else float(x) for x in operands))


def _scaled(x: Value, factor: Any) -> Any:
    """Multiply by a number; two factors in a row are one, so that conversions there and back leave what was."""
    if isinstance(factor, Value | np.ndarray) or x.operation != "*" or x.name or isinstance(x.operands[0], Value):
        return computed("*", factor, x)
    both, rest = float(factor) * x.operands[0], x.operands[1]
    return rest if abs(both - 1.0) < 4.0 * np.finfo(float).eps else Value("", both * float(rest), "*", (both, rest))


def depending(values: Iterable[float], operation: float) -> float:
    """Return a number that depends on others in a way that is not written down."""
    named = tuple(x for x in values if isinstance(x, Value))
    return Value("", operation, UNKNOWN, named) if named else operation


def in_order(values: Iterable[float]) -> Iterator[Value]:
    """List all values that some are computed from, and themselves, each once and after its operands."""
    seen: set[int] = set()
    waiting = [x for x in values if isinstance(x, Value)][::-1]
    while waiting:
        x = waiting[-1]
        missing = [y for y in x.operands if isinstance(y, Value) and id(y) not in seen]
        if missing:
            waiting += missing[::-1]
            continue
        waiting.pop()
        if id(x) not in seen:
            seen.add(id(x))
            yield x


def names(*values: float) -> tuple[str, ...]:
    """List the names of the given numbers that some values depend on."""
    return tuple(dict.fromkeys(x.name for x in in_order(values) if not x.operation))


def evaluated(values: Sequence[float], given: Mapping[str, Any]) -> list[Any]:
    """Compute values from other numbers of some names.

    Parameters
    ----------
    values : sequence of float
    given : mapping of str to float or (n,) array
        Numbers, arrays or traced numbers; names without one keep their numbers.

    Returns
    -------
    list of float or (n,) array
    """
    known: dict[int, Any] = {}
    with np.errstate(all="ignore"):
        for x in in_order(values):
            if not x.operation:
                known[id(x)] = given.get(x.name, float(x))
            elif x.operation == UNKNOWN:
                known[id(x)] = np.nan
            else:
                operands = (known[id(y)] if isinstance(y, Value) else np.float64(y) for y in x.operands)
                known[id(x)] = OPERATIONS[x.operation](*operands)
    return [known[id(x)] if isinstance(x, Value) else x for x in values]


def formula(value: Value, by_name: bool = True) -> str | None:
    """Write a value as a formula of names, or as its own name; None if it follows from numbers that have none."""
    texts: dict[int, tuple[str, int]] = {}
    for x in in_order([value]):
        if x.name and (by_name or x is not value or not x.operation):
            if not x.name.isidentifier():
                return None
            texts[id(x)] = x.name, ATOM
            continue
        operands = [texts[id(y)] if isinstance(y, Value) else _written(y) for y in x.operands]
        if x.operation == UNKNOWN or sum(len(text) for text, _ in operands) > LONGEST:
            return None
        if x.operation not in STRENGTH:
            texts[id(x)] = f"{x.operation}({', '.join(text for text, _ in operands)})", ATOM
            continue
        own, (left, right) = STRENGTH[x.operation], operands
        first = f"({left[0]})" if left[1] < own else left[0]
        second = f"({right[0]})" if right[1] <= own else right[0]
        texts[id(x)] = f"{first} {x.operation} {second}", own
    return texts[id(value)][0]


STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2}
"""How strongly operations bind their operands."""

ATOM = 3
"""How strongly a name, a number or a call holds together."""


def _written(number: float) -> tuple[str, int]:
    """Write a number in a formula, and how strongly it holds together."""
    text = repr(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))
    return text, ATOM if number >= 0.0 else 0


# --- values in a mechanism -------------------------------------------------------------------

Path = tuple[str | int | tuple[str, ...], ...]
"""Where a number stands in a part of a mechanism: names of fields, keys and places."""


def stated(part: Any, path: Path = ()) -> Iterator[tuple[Path, Value]]:
    """List the values in a part of a mechanism and where each stands."""
    if isinstance(part, Value):
        yield path, part
    elif isinstance(part, tuple | list):
        for k, entry in enumerate(part):
            yield from stated(entry, (*path, k))
    elif isinstance(part, Mapping):
        for key, entry in part.items():
            yield from stated(entry, (*path, key))
    elif is_dataclass(part) and not isinstance(part, type):
        for entry in (each for each in fields(part) if each.compare):  # others follow from these
            yield from stated(getattr(part, entry.name), (*path, entry.name))


def renamed(part: Any, name: Callable[[str], str]) -> Any:
    """Return a part of a mechanism with other names of values.

    Parameters
    ----------
    part : dataclass, mapping, sequence, number or text
    name : callable
        The new name of a value.
    """
    known: dict[int, Value] = {}

    def value(x: Value) -> Value:
        for each in in_order([x]):
            if id(each) not in known:
                operands = tuple(known[id(y)] if isinstance(y, Value) else y for y in each.operands)
                known[id(each)] = Value(name(each.name) if each.name else "", float(each), each.operation, operands)
        return known[id(x)]

    def changed(entry: Any) -> Any:
        if isinstance(entry, Value):
            return value(entry)
        if isinstance(entry, Mapping):
            return {key: changed(each) for key, each in entry.items()}
        if isinstance(entry, tuple):
            entries = tuple(map(changed, entry))
            same = all(x is y for x, y in zip(entries, entry, strict=True))
            return entry if same else entry.of(entries, changed) if hasattr(entry, "of") else entries
        if is_dataclass(entry) and not isinstance(entry, type):
            stated_fields = {each.name: getattr(entry, each.name) for each in fields(entry) if each.init}
            new = {key: changed(each) for key, each in stated_fields.items()}
            differing = {key: each for key, each in new.items() if each is not stated_fields[key]}
            return replace(entry, **differing) if any(stated(stated_fields[key]) for key in differing) else entry
        return entry

    return changed(part)


def given_values(part: Any) -> dict[str, Value]:
    """List the values of a mechanism that are given, by name.

    Raises
    ------
    FormulaError
        If one name has two numbers.
    """
    found: dict[str, Value] = {}
    for x in in_order(value for _, value in stated(part)):
        if not x.operation and found.setdefault(x.name, x) != x:
            raise FormulaError(f"value {x.name!r} is both {found[x.name]:g} and {x:g}; give one of them another name")
    return found
