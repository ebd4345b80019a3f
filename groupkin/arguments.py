"""The boundary to Python: what callers pass to public functions is checked once, by the annotations of the functions.

A function under `checked`, and a dataclass that calls `check_fields`, refuse values of other types than they declare,
with the name of the argument. Numbers of arrays are converted by `floats`, wherever arrays enter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import cache, wraps
from inspect import isclass, signature
from itertools import repeat
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike

from groupkin.by_name import function
from groupkin.errors import ArgumentError, GroupkinError, shown
from sglibrary.array_types import Array

P = ParamSpec("P")
T = TypeVar("T")
LONGEST_NAME = 500
"""Characters of a name at most, so that messages and tables stay readable."""

LARGEST_INTEGER = 2**63
"""Whole numbers stay below this, in files and as arguments."""


class Wrong(NamedTuple):
    """Where an argument is wrong, such as ``[3]``, what is expected there, what is there, and what to do."""

    where: str
    text: str
    value: object
    hint: str = ""

    def inside(self, where: str) -> Wrong:
        return self._replace(where=where + self.where)


class Rule(NamedTuple):
    """What a value must be, in words, and a function that returns what is wrong with a value, or None.

    Any value of the classes is right and stays as it is: most are, and are not looked at further.
    """

    text: str
    find: Callable[[Any], Wrong | None]
    classes: tuple[type, ...] = ()


class Kind(NamedTuple):
    """What ``Annotated[type, Kind(...)]`` asks for beyond the type, in words and as a function."""

    text: str
    accepts: Callable[[Any], bool]


def is_name(value: str) -> bool:
    """Tell whether a text can be a name: not empty, not long, without line breaks and control characters."""
    return 1 <= len(value) <= LONGEST_NAME and value.isprintable()


Count = Annotated[int, Kind("a whole number from 1 on", lambda number: number >= 1)]
Natural = Annotated[int, Kind("a whole number from 0 on", lambda number: number >= 0)]
Name = Annotated[str, Kind(f"a name of 1 to {LONGEST_NAME} printable characters", is_name)]


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """Refuse arguments of other types than a function declares.

    Overflow and division by zero in the function are no warnings: what they lead to is NaN, and refused or reported as
    such.

    Raises
    ------
    ArgumentError
        By the function that is returned; it names the argument.
    """
    return types_checked(np.errstate(all="ignore")(function))


def types_checked(function: Callable[P, T]) -> Callable[P, T]:
    """Refuse arguments of other types than a function declares, which itself sees to overflow and division by zero.

    Raises
    ------
    ArgumentError
        By the function that is returned; it names the argument.
    """
    names = tuple(signature(function).parameters)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        rules = _rules(function)
        for name, value in kwargs.items():
            kwargs[name] = _accepted(value, name, rules)
        found: Any = [*map(_accepted, args, names, repeat(rules)), *args[len(names) :]]
        return function(*found, **kwargs)

    return call


def tried_first(quick: Callable[..., T | None]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Try another function first, which returns None where its arguments, of whatever types, are not those it knows."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            found = quick(*args, **kwargs)
            return function(*args, **kwargs) if found is None else found

        return call

    return decorate


def _accepted(value: Any, name: str, rules: dict[str, Rule]) -> Any:
    """Return an argument, as Python's if it is one of numpy's own; refuse it if it is wrong."""
    if name in rules:
        rule = rules[name]
        if isinstance(value, rule.classes):
            return value
        value = _content(value, rule)
        _check(value, rule, name, ArgumentError)
    return _plain(value)


def _content(value: Any, rule: Rule) -> Any:
    """Return what an argument is taken for: the content of a file that a path names, of that its mechanism.

    Raises
    ------
    GroupkinError
        If the file cannot be read.
    """
    if isinstance(value, str | PathLike) and Path(value).suffix.lower() in SUFFIXES:
        reader = next((READERS[kind.__name__] for kind in rule.classes if kind.__name__ in READERS), None)
        if reader is not None and rule.find(value) is not None:
            value = function(reader)(value)
            if isinstance(value, rule.classes):
                return value
    part = CONTENTS.get(type(value).__name__)
    if part is None:
        return value
    content = getattr(value, part)
    return content if type(content) in rule.classes or rule.find(value) is not None else value


def _plain(value: Any) -> Any:
    """Return what numpy has of its own as Python's.

    Whole numbers, so that they are of any size; truth values; texts in an array, or nothing in one, as a list.
    """
    if isinstance(value, np.ndarray) and (value.shape == (0,) or (value.dtype.kind == "U" and value.ndim)):
        return value.tolist()
    return value.item() if isinstance(value, np.bool_ | np.integer) else value


def check_fields(part: Any, error: type[GroupkinError]) -> None:
    """Refuse a dataclass whose fields are of other types than it declares."""
    declared: Any = type(part)
    rules = _rules(declared)
    name = getattr(part, "name", None)
    where = f"{declared.__name__} {name!r}" if isinstance(name, str) and is_name(name) else declared.__name__
    for field in fields(part):
        _check(getattr(part, field.name), rules[field.name], f"{where}: {field.name}", error)


def floats(values: ArrayLike) -> Array:
    """Convert numbers to an array of floats; NaN alone for anything else, such as text or masked values."""
    if type(values) is np.ndarray and values.dtype == float:
        return values
    try:
        array = np.asarray(values)
        if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
            return np.array(np.nan)
        dated = array.dtype.kind == "O" and any(isinstance(x, np.datetime64 | np.timedelta64) for x in array.flat)
        return np.asarray(array, float) if array.dtype.kind in "biufO" and not dated else np.array(np.nan)
    except (TypeError, ValueError, OverflowError, RecursionError):  # ragged, no numbers, more digits than a float has
        return np.array(np.nan)


# --- rules ----------------------------------------------------------------------------------------

CONTENTS = {"MechanismFile": "mechanism"}
"""What an object is taken for where it is not expected itself, by its class."""

SUFFIXES = (".toml", ".json")
"""Suffixes of files of mechanisms, sweeps and fits."""

READERS = {"Mechanism": "groupkin.mechanism.files.reading:read", "Sweep": "cluster.sweeps.files:read_sweep"}
"""Functions that read the file of a path which is passed for an object, by the class of the object."""

HINTS = {
    "Law": ", such as Constant(3.0) or Ramp(rate=1.0)",
    "Mechanism": "; read its file, .toml or .json, with groupkin.load",
    "Program": "; make one with groupkin.program",
    "Structure": "; make one with groupkin.analyze",
    "Sweep": "; read its file, .toml or .json, with cluster.read_sweep",
}
"""What to pass, by the class that is needed."""


def _check(value: object, rule: Rule, name: str, error: type[GroupkinError]) -> None:
    wrong = rule.find(value)
    if wrong is not None:
        read = type(wrong.value).__name__ == "MechanismFile" and wrong.hint == HINTS["Mechanism"]
        hint = "; take its `.mechanism`" if read else wrong.hint
        raise error(f"{name}{wrong.where} must be {wrong.text}, not {shown(wrong.value)}{hint}")


class _AnyName(type):
    def __getattr__(cls, name: str) -> type:
        if name.startswith("_"):
            raise AttributeError(name)
        return Undeclared


class Undeclared(metaclass=_AnyName):
    """Stands in annotations for what is imported for type checkers only, and for what is in it."""


@cache
def _rules(declared: Any) -> dict[str, Rule]:
    """Return the rules of the arguments of a function, or of the fields of a dataclass."""
    unknown: dict[str, type] = {}
    while True:
        try:
            hints = get_type_hints(declared, None, unknown, include_extras=True)
        except NameError as error:  # imported for type checkers only
            unknown[str(error.name)] = Undeclared
        else:
            return {name: _rule(hint) for name, hint in hints.items() if name != "return"}


def _rule(hint: Any) -> Rule:
    """Return the rule of an annotation; what holds numbers, and what is not known here, may be anything."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in SIMPLE:
        return _simple(*SIMPLE[hint], classes=(hint,) if hint in (bool, str, NoneType) else ())
    if _numbers(hint):
        return _simple("a list of numbers", lambda value: _is_list(value) and _are_short(value))
    if hint == ArrayLike:
        return NUMBERS
    if hint is Undeclared:
        return ANYTHING
    if origin is Annotated:
        return _refined(_rule(inner[0]), inner[1]) if isinstance(inner[1], Kind) else _rule(inner[0])
    if origin in (Union, UnionType):
        return _either([_rule(each) for each in inner])
    if origin is Literal:
        words = ", ".join(map(repr, inner[:-1])) + f" or {inner[-1]!r}"
        return _simple(words, lambda value: isinstance(value, (str, int, np.integer)) and value in inner)
    if origin is np.ndarray:
        return _simple("an array", lambda value: isinstance(value, np.ndarray))
    if isclass(origin) and issubclass(origin, Mapping):
        return _table(_rule(inner[0]), _rule(inner[1]))
    if isclass(origin) and issubclass(origin, Collection):
        return _list(_rule(inner[0]), Collection if origin is Collection else Sequence)
    if origin is Callable:
        return _simple("a function", lambda value: callable(value) and not isinstance(value, type))
    kind = origin or hint
    if not isclass(kind) or getattr(kind, "_is_protocol", False) or kind in (Any, object):
        return ANYTHING
    text = "a path" if issubclass(kind, PathLike) else f"{'an' if kind.__name__[0] in 'AEIO' else 'a'} {kind.__name__}"
    return _simple(text, lambda value: isinstance(value, kind), HINTS.get(kind.__name__, ""), (kind,))


def _numbers(hint: Any) -> bool:
    """Tell whether an annotation is a sequence of numbers, which `floats` converts, or a sequence of those."""
    inner = get_args(hint)
    return get_origin(hint) is Sequence and (inner[0] is float or _numbers(inner[0]))


def _is_list(value: object) -> bool:
    return isinstance(value, Collection) and getattr(value, "ndim", 1) > 0 and not isinstance(value, (bytes, bytearray))


def _are_short(value: object, depth: int = 3) -> bool:
    """Whether no whole number in a list, or in lists in it, has more digits than a float can have, or Python shows."""
    if isinstance(value, list | tuple):
        return not depth or all(_are_short(each, depth - 1) for each in value if isinstance(each, int | tuple | list))
    return not isinstance(value, int) or isinstance(value, bool) or _is_number(value)


def _is_integer(value: object) -> bool:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    return whole and -LARGEST_INTEGER <= value < LARGEST_INTEGER  # type: ignore[operator]


def _is_number(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iuf"
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:  # more digits than a float has
        return False
    return True


def _simple(text: str, accepts: Callable[[Any], bool], hint: str = "", classes: tuple[type, ...] = ()) -> Rule:
    return Rule(text, lambda value: None if accepts(value) else Wrong("", text, value, hint), classes)


def _refined(rule: Rule, kind: Kind) -> Rule:
    return _simple(kind.text, lambda value: rule.find(value) is None and kind.accepts(value))


def _either(rules: Sequence[Rule]) -> Rule:
    text = " or ".join(dict.fromkeys(rule.text for rule in rules if rule.text != SIMPLE[NoneType][0]))

    def find(value: object) -> Wrong | None:
        wrong = []
        for rule in rules:
            found = rule.find(value)
            if found is None:
                return None
            wrong.append(found)
        deeper = [each for each in wrong if each.where]
        hints = next((each.hint for each in wrong if each.hint), "")
        return deeper[0] if deeper else Wrong("", text, value, hints)

    return Rule(text, find, tuple(kind for rule in rules for kind in rule.classes))


def _list(entries: Rule, kind: type) -> Rule:
    def find(value: Any) -> Wrong | None:
        if not isinstance(value, (kind, np.ndarray)) or not _is_list(value):
            return Wrong("", "a list", value)
        members: Any = value
        found = (entries.find(entry) for entry in members)
        return next((wrong.inside(f"[{k}]") for k, wrong in enumerate(found) if wrong is not None), None)

    return Rule("a list", find)


def _table(keys: Rule, entries: Rule) -> Rule:
    def find(value: Any) -> Wrong | None:
        if not isinstance(value, Mapping):
            return Wrong("", "a mapping", value)
        for key, entry in value.items():
            wrong = keys.find(key)
            if wrong is not None:
                return wrong.inside(" keys")
            wrong = entries.find(entry)
            if wrong is not None:
                return wrong.inside(f"[{shown(key)}]")
        return None

    return Rule("a mapping", find)


ANYTHING = Rule("anything", lambda value: None)
NUMBERS = Rule("numbers", lambda value: None, (np.ndarray,))  # `floats` looks at them

SIMPLE: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    bool: ("True or False", lambda value: isinstance(value, (bool, np.bool_))),
    int: ("a whole number", _is_integer),
    float: ("a number", _is_number),
    str: ("a text", lambda value: isinstance(value, str)),
    NoneType: ("None", lambda value: value is None),
}
"""Rules of simple types: in words, and as functions."""
