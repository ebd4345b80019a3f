"""Bytecode: instruction lists as numbers, which one small function computes line by line, for many steps at a time.

An instruction list (`sglibrary.code.instructions`) becomes whole numbers among the rows of its group's tables:

========= ======================================================================
lines     that are computed once, since they are the same for all steps
lines     that are computed for every `BATCH` steps
lines     that are computed then for every direction, in turn
row       of working memory from which on values are kept
lines     operation, slot of its value, up to six numbers each
========= ======================================================================

Of a list for many directions, what v and a hold is there for each of them, one row after another.

The numbers are slots of values, for `#` the bits of its number, for other lines those of the list.
"""

from __future__ import annotations

import struct
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

from sglibrary.array_types import Ints
from sglibrary.code.instructions import LEAVES
from sglibrary.code.operations import OPERATIONS

_ARITIES = {symbol: operation.operands for symbol, operation in OPERATIONS.items()}

PATTERNS: list[tuple[Any, ...]] = [
    ("f", 0, 1, ("f", 2, 3, ("*", 4, 5))),
    ("f", 0, 1, ("n", ("*", 2, 3))),
    ("f", 0, 1, ("*", 2, 3)),
    *((kind, *range(arity)) for kind, arity in _ARITIES.items()),
]
"""What one operation computes, larger ones first: a kind of line and its operands, patterns again or their numbers.

Those of several lines are products of vectors, whose parts are taken by nothing else.
"""

CODES: list[Any] = ["#", "c", "q", "v", "a", "w", "=w", "=q", "=v", "=a", *PATTERNS]


def operands_of(pattern: tuple[Any, ...]) -> int:
    return sum(1 if isinstance(part, int) else operands_of(part) for part in pattern[1:])


_NUMBER_OF = {operation: number for number, operation in enumerate(CODES)}
_OF_KIND = {kind: [(x, operands_of(x)) for x in PATTERNS if x[0] == kind] for kind in OPERATIONS}

ENCODED = "code "
"""What a text begins with that is not compiled, before the number of the row that says where its code begins."""

FIXED = "#c"
"""Kinds of lines that are the same for all steps."""

NUMBERS = 8
"""Numbers of a line of a code."""

HEADER = 4
"""Numbers before the first line."""

BATCH = 64
"""Steps that are taken together."""


@lru_cache(maxsize=256)
def encode(text: str, row: int, many: bool = False) -> tuple[Ints, int]:
    """The code of a text whose values are kept in working memory from a row on; and how many numbers these are.

    It may be made for many directions.
    """
    lines = [line.split() for line in text.split(";")]
    operations = _operations(lines)
    order = _order(lines, {k: operands for k, (_, operands) in operations.items()})
    directed = _directed(lines, operations, order) if many else set[int]()
    order.sort(key=directed.__contains__)
    last = {x: k for k in order for x in operations[k][1] if lines[x][0] not in FIXED}
    if many:  # what directions share stays for all of them
        last = {x: k for x, k in last.items() if (x in directed) == (k in directed)}
    free, slots, top = list[int](), dict[int, int](), 0
    code: list[list[int]] = []
    for k in order:
        operation, operands = operations[k]
        given = [slots[x] for x in operands]
        free += {slots[x] for x in operands if last.get(x) == k}
        if lines[k][0] == "=":
            code.append([operation, 0, *given, *map(int, lines[k][3:])])
            continue
        slots[k], top = (free.pop(), top) if free else (top, top + 1)
        code.append([operation, slots[k], *(given or _given(lines[k]))])
    once = sum(lines[k][0] in FIXED for k in order)
    numbers_of = [x for line in code for x in (*line, *[0] * (NUMBERS - len(line)))]
    counts = [once, len(code) - once - len(directed), len(directed)]
    return np.array([*counts, row, *numbers_of], np.int64), top * BATCH


def _directed(lines: list[list[str]], operations: dict[int, tuple[int, list[int]]], order: list[int]) -> set[int]:
    """Lines that depend on what v or a hold, or are put there."""
    found = set[int]()
    for k in order:
        array = lines[k][2] if lines[k][0] == "=" else lines[k][0]
        if array in ("v", "a") or any(x in found for x in operations[k][1]):
            found.add(k)
    return found


def _operations(lines: list[list[str]]) -> dict[int, tuple[int, list[int]]]:
    """The operation of every line, and the lines whose values it takes."""
    uses = Counter(int(x) for kind, *numbers in lines for x in numbers[: _ARITIES.get(kind, kind == "=")])

    def match(pattern: tuple[Any, ...], k: int, found: dict[int, int]) -> bool:
        """Whether a line has a pattern, of lines that are put in `found` by the numbers of operands."""
        kind, *numbers = lines[k]
        if kind != pattern[0]:
            return False
        for part, x in zip(pattern[1:], map(int, numbers), strict=True):
            if isinstance(part, int):
                found[part] = x
            elif uses[x] > 1 or not match(part, x, found):
                return False
        return True

    made: dict[int, tuple[int, list[int]]] = {}
    for k, (kind, *numbers) in enumerate(lines):
        if kind == "=":
            made[k] = _NUMBER_OF[kind + numbers[1]], [int(numbers[0])]
        elif kind not in OPERATIONS:
            made[k] = _NUMBER_OF[kind], []
        else:
            found: dict[int, int] = {}
            pattern, count = next(each for each in _OF_KIND[kind] if match(each[0], k, found))
            made[k] = _NUMBER_OF[pattern], [found[x] for x in range(count)]
    return made


def _order(lines: list[list[str]], operands: dict[int, list[int]]) -> list[int]:
    """Lines that are the same for all steps, then all that are needed, each right before it is, so that few are kept.

    What is still read is overwritten last.
    """
    read = {" ".join(line) for line in lines if line[0] in LEAVES}
    targets = [k for k, line in enumerate(lines) if line[0] == "="]
    last = [k for k in targets if " ".join(lines[k][2:]) in read]
    order, done = list[int](), set[int]()
    for target in [*(k for k in targets if k not in set(last)), *(x for k in last for x in operands[k]), *last]:
        waiting = [target]
        while waiting:
            k = waiting[-1]
            needed = [x for x in operands[k] if x not in done]
            waiting += reversed(needed)
            if not needed:
                waiting.pop()
                if k not in done:
                    done.add(k)
                    order.append(k)
    return sorted(order, key=lambda k: lines[k][0] not in FIXED)


def _given(line: list[str]) -> list[int]:
    if line[0] == "#":
        return [struct.unpack("<q", struct.pack("<d", float(line[1])))[0]]
    return [int(x) for x in line[1:]]


def decode(code: Ints) -> str:
    """The text of a code that begins an array."""
    return _decode(code[: HEADER + NUMBERS * int(code[:3].sum())].tobytes())


@lru_cache(maxsize=256)
def _decode(numbers_of: bytes) -> str:
    code = np.frombuffer(numbers_of, np.int64)
    lines, made = list[str](), dict[int, int]()

    def add(kind: str, *numbers: Any) -> int:
        lines.append(" ".join(map(str, [kind, *numbers])))
        return len(lines) - 1

    def computed(pattern: tuple[Any, ...], given: list[int]) -> int:
        kind, *parts = pattern
        return add(kind, *(given[x] if isinstance(x, int) else computed(x, given) for x in parts))

    for k in range(int(code[:3].sum())):
        operation, slot, *numbers = (int(x) for x in code[HEADER + NUMBERS * k : HEADER + NUMBERS * (k + 1)])
        what = CODES[operation]
        if isinstance(what, tuple):
            made[slot] = computed(what, [made[x] for x in numbers[: operands_of(what)]])
        elif what == "#":
            made[slot] = add(what, struct.unpack("<d", struct.pack("<q", numbers[0]))[0])
        elif what[0] == "=":
            add("=", made[numbers[0]], what[1], *numbers[1 : 2 if what == "=w" else 3])
        else:
            made[slot] = add(what, *numbers[: 2 if what in "qva" else 1])
    return ";".join(lines)


def text_of(operation: Any) -> str:
    """What an operation does, as a text: `slot k` takes number k of the line, `keep` puts the last value away."""
    if not isinstance(operation, tuple):
        return f"slot 0;{operation}" if operation[0] == "=" else f"{operation.replace('#', 'bits')};keep"
    lines = [f"slot {k}" for k in range(operands_of(operation))]

    def add(pattern: tuple[Any, ...]) -> int:
        kind, *parts = pattern
        lines.append(" ".join([kind, *(str(x if isinstance(x, int) else add(x)) for x in parts)]))
        return len(lines) - 1

    add(operation)
    return ";".join([*lines, "keep"])
