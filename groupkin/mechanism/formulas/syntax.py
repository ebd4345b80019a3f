"""The text of formulas, read into a tree of numbers, quantities and operations; nothing in it is evaluated as code.

A quantity stands in braces, in its text form: ``{position P.x} - 3 mm``. Between braces a formula is made of numbers,
with or without a unit, of ``+ - * / **``, parentheses, components ``.x .y .z`` and the functions of
`groupkin.mechanism.formulas.operations`. Python's parser finds the structure; every node that is not one of these is
refused. For it, what stands in braces and numbers with units are replaced by names of the same length, so that places
in the formula stay.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from groupkin.errors import FormulaError, shown
from groupkin.mechanism.formulas.operations import COMPONENTS, FUNCTIONS, OPERATIONS
from groupkin.mechanism.units import KNOWN, NO_UNIT, SI, Powers, powers
from groupkin.messages import counted, hint

LONGEST = 1000
"""Characters of a formula at most."""

DEEPEST = 100
"""Operations within each other at most."""

CONSTANTS = {"pi": math.pi}


class Place(NamedTuple):
    """Where something stands in a formula."""

    start: int
    end: int


@dataclass(frozen=True)
class Number:
    """A number in meters, radians and seconds."""

    value: float
    unit: Powers = NO_UNIT
    place: Place = field(default=Place(0, 0), compare=False)


@dataclass(frozen=True)
class Reading:
    """A quantity, by its text form."""

    text: str
    place: Place = field(default=Place(0, 0), compare=False)


@dataclass(frozen=True)
class Operation:
    """An operation, by its name in `OPERATIONS`, on one or more operands."""

    name: str
    operands: tuple[Node, ...]
    place: Place = field(default=Place(0, 0), compare=False)


Node = Number | Reading | Operation

_BRACES = re.compile(r"\{((?:[^{}']++|'(?:[^']|'')*+')*+)\}")
_BASES: dict[str, tuple[str, float]] = {"s": ("s", 1.0)} | {
    name: (getattr(SI, kind), size) for kind, units in KNOWN.items() for name, size in units.items()
}
"""Units that stand behind numbers: their SI units and their sizes in these."""

_UNITS = "|".join(sorted(_BASES, key=len, reverse=True))
_NUMBER_WITH_UNIT = re.compile(rf"(?<![\w.])((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?) *({_UNITS})(/s(?:\^2)?)?(?!\w)")
_FOREIGN = re.compile(r"[^A-Za-z0-9_ .,+\-*/()]")

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.UAdd: "plus",
    ast.USub: "minus",
}
"""Operators of Python's parser, by the names of the operations."""

HELP = "Quantities stand in braces, as in `{position P.x} - 3 mm`"


def parse_formula(text: str, names: Collection[str] = ()) -> Node:
    """Read a formula, in which numbers may have names.

    Raises
    ------
    FormulaError
        With the place, if it is too long or too deep, or has anything in it but what formulas are made of.

    Examples
    --------
    >>> parse_formula("-{crank}")
    Operation(name='minus', operands=(Reading(text='crank', place=Place(start=1, end=8)),), place=Place(start=0, end=8))
    """
    if len(text) > LONGEST:
        raise FormulaError(
            f"a formula has at most {LONGEST} characters, and this one has {len(text)}; make parts of it outputs of "
            "their own"
        )
    flat = re.sub(r"\s", " ", text)
    leaves: dict[int, Node] = {}

    def masked(leaf: Node) -> str:
        leaves[leaf.place.start] = leaf
        return "_" * (leaf.place.end - leaf.place.start)

    plain = _BRACES.sub(lambda found: masked(Reading(found[1].strip(), Place(*found.span()))), flat)
    plain = _NUMBER_WITH_UNIT.sub(lambda found: masked(_with_unit(found, text)), plain)
    foreign = _FOREIGN.search(plain)
    if foreign is not None:
        raise problem(_foreign(foreign[0]), text, Place(*foreign.span()))
    start = len(plain) - len(plain.lstrip())
    return _tree(_python(plain[start:], text, start), _Context(text, start, leaves, names), 0)


def sides(equation: str) -> list[str]:
    """Split an equation at its equals signs, not at those of names in braces.

    Examples
    --------
    >>> sides("{joint 'a=b'} = 2")
    ["{joint 'a=b'} ", ' 2']
    """
    plain = _BRACES.sub(lambda found: "_" * len(found[0]), equation)
    ends = [-1, *(k for k, sign in enumerate(plain) if sign == "="), len(plain)]
    return [equation[start + 1 : end] for start, end in pairwise(ends)]


def problem(message: str, text: str, place: Place) -> FormulaError:
    """Make the error for something in a formula, whose place is shown below it."""
    before = "…" if place.start > 50 else ""
    piece = before + text[max(place.start - 50, 0) : place.start + 50].replace("\n", " ").replace("\t", " ")
    column = len(before) + min(place.start, 50)
    marks = "^" * max(1, min(place.end - place.start, len(piece) - column))
    return FormulaError(f"{message}\n  {piece}{'…' * (place.start + 50 < len(text))}\n  {' ' * column}{marks}")


@dataclass(frozen=True)
class _Context:
    """The formula, where what is parsed begins in it, what its masked parts stand for, and names of numbers."""

    text: str
    start: int
    leaves: dict[int, Node]
    names: Collection[str]

    def place(self, node: ast.expr) -> Place:
        return Place(self.start + node.col_offset, self.start + (node.end_col_offset or 0))


def _with_unit(found: re.Match[str], text: str) -> Number:
    """Convert a number with a unit to SI."""
    value, unit, per = float(found[1]), found[2], found[3] or ""
    base, factor = _BASES[unit]
    exponents, place = powers(base + per), Place(*found.span())
    assert exponents is not None
    return Number(_finite(value * factor, text, place), exponents, place)


def _finite(value: float, text: str, place: Place) -> float:
    if not math.isfinite(value):
        raise problem("a number is too large", text, place)
    return value


def _foreign(sign: str) -> str:
    """Say why a sign cannot stand in a formula."""
    if sign in "{}'":
        return "a brace or quote is not closed, or stands alone; a name with braces is quoted, as in `{joint 'a}b'}`"
    if sign == "^":
        return "powers are written `**`, as in `2 ** 3`"
    return f"the sign {sign!r} means nothing in a formula. {HELP}"


def _python(code: str, text: str, start: int) -> ast.expr:
    """Let Python's parser find the structure of a formula."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code, mode="eval").body
    except SyntaxError as error:
        at = min(start + max((error.offset or 1) - 1, 0), len(text))
        if "nested" in error.msg:
            raise FormulaError(TOO_DEEP) from None
        what = "a sign, a number or a parenthesis is missing or too many" if code else "the formula is empty"
        raise problem(what, text, Place(at, at + 1)) from None
    except (ValueError, RecursionError, MemoryError):
        raise FormulaError(TOO_DEEP) from None


TOO_DEEP = f"operations are nested too deeply: at most {DEEPEST} are read; make parts of them outputs of their own"


def _tree(node: ast.expr, context: _Context, depth: int) -> Node:
    """Convert a node of Python's parser, of which a few kinds are allowed."""
    if depth > DEEPEST:
        raise FormulaError(TOO_DEEP)
    place = context.place(node)

    def operation(name: str, *operands: ast.expr) -> Operation:
        return Operation(name, tuple(_tree(operand, context, depth + 1) for operand in operands), place)

    match node:
        case ast.Constant(int() | float() as value) if not isinstance(value, bool):
            return Number(_number(value, context.text, place), NO_UNIT, place)
        case ast.Name() if place.start in context.leaves:
            return context.leaves[place.start]
        case ast.Name(name) if name in context.names:
            return Reading(name, place)
        case ast.Name(name) if name in CONSTANTS:
            return Number(CONSTANTS[name], NO_UNIT, place)
        case ast.UnaryOp(sign, operand) if type(sign) in _SIGNS:
            return operation(_SIGNS[type(sign)], operand)
        case ast.BinOp(left, sign, right) if type(sign) in _SIGNS:
            return operation(_SIGNS[type(sign)], left, right)
        case ast.Attribute(vector, component) if component in COMPONENTS:
            return operation(component, vector)
        case ast.Call(ast.Name(name), operands, []) if name in FUNCTIONS:
            _check_count(name, len(operands), context.text, place)
            return operation(name, *operands)
    raise problem(_refused(node, context.names), context.text, place)


def _number(value: float, text: str, place: Place) -> float:
    try:
        return _finite(float(value), text, place)
    except OverflowError:
        return _finite(math.inf, text, place)


def _check_count(name: str, count: int, text: str, place: Place) -> None:
    least, most = OPERATIONS[name].least, OPERATIONS[name].most
    if not least <= count <= (most or count):
        wanted = counted(least, "operand") if least == most else f"{least} operands or more"
        raise problem(f"`{name}` takes {wanted} in parentheses, not {count}", text, place)


def _refused(node: ast.expr, names: Collection[str]) -> str:
    """Say why a node of Python's parser cannot stand in a formula."""
    match node:
        case ast.Name(name) if name in FUNCTIONS:
            return f"`{name}` is a function: its operands follow in parentheses"
        case ast.Name(name) if name in _BASES and name != "s":
            return f"the unit `{name}` stands behind a number alone, as in `1 {name}`"
        case ast.Name(name) if names:
            return f"there is no value {shown(name)}{hint(name, names)}; the values are {', '.join(names)}"
        case ast.Name(name):
            return f"there is no constant {shown(name)}{hint(name, CONSTANTS)}. {HELP}"
        case ast.Call(ast.Name(name), _, []):
            near = hint(name, FUNCTIONS)
            return f"there is no function {shown(name)}{near}; the functions are {', '.join(FUNCTIONS)}"
        case ast.Attribute(_, name):
            return f"there is no component {shown(name)}; vectors have x, y and z"
    return f"this cannot stand in a formula. {HELP}"
