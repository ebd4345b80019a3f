"""Texts that are not compiled: one small function computes any of them, line by line, for many steps at a time.

A text (`sglibrary.lines`) becomes a code of whole numbers among the rows of its group's tables:

========= ======================================================================
lines     that are computed once, since they are the same for all steps
lines     that are computed for every `BATCH` steps
row       of working memory from which on values are kept
lines     operation, slot of its value, up to six numbers each
========= ======================================================================

The numbers are slots of values, for `#` the bits of its number, for other lines those of `sglibrary.straight.texts`.
What an operation does is written by the same code as compiled texts (`sglibrary.lines.write`), so that both give the
same bits.
"""

from __future__ import annotations

import struct
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numpy.typing import NDArray

from sglibrary.lines import LANES, NUMERIC, everywhere, first_lanes, load_some, store_some, vector, write
from sglibrary.straight.group_tables import BATCH
from sglibrary.straight.values import LEAVES
from sglibrary.vectors import ALIGNED

_ARITIES = {kind: function.__code__.co_argcount for kind, function in NUMERIC.items()}

PATTERNS: list[tuple[Any, ...]] = [
    ("f", 0, 1, ("f", 2, 3, ("*", 4, 5))),
    ("f", 0, 1, ("n", ("*", 2, 3))),
    ("f", 0, 1, ("*", 2, 3)),
    *((kind, *range(arity)) for kind, arity in _ARITIES.items()),
]
"""What one operation computes, larger ones first: a kind of line and its operands, patterns again or their numbers.

Those of several lines are products of vectors, whose parts are taken by nothing else.
"""

OPERATIONS: list[Any] = ["#", "c", "q", "v", "a", "w", "=w", "=q", "=v", "=a", *PATTERNS]


def _operands(pattern: tuple[Any, ...]) -> int:
    return sum(1 if isinstance(part, int) else _operands(part) for part in pattern[1:])


_NUMBER_OF = {operation: number for number, operation in enumerate(OPERATIONS)}
_OF_KIND = {kind: [(x, _operands(x)) for x in PATTERNS if x[0] == kind] for kind in NUMERIC}

ENCODED = "code "
"""What a text begins with that is not compiled, before the number of the row that says where its code begins."""

FIXED = "#c"
"""Kinds of lines that are the same for all steps."""

NUMBERS = 8
"""Numbers of a line of a code."""

_WORD, _DOUBLE = ir.IntType(64), ir.DoubleType()


@lru_cache(maxsize=256)
def assembled(text: str, row: int) -> tuple[NDArray[np.int64], int]:
    """The code of a text whose values are kept in working memory from a row on; and how many numbers these are."""
    lines = [line.split() for line in text.split(";")]
    operations = _operations(lines)
    order = _order(lines, {k: operands for k, (_, operands) in operations.items()})
    last = {x: k for k in order for x in operations[k][1] if lines[x][0] not in FIXED}
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
    return np.array([once, len(code) - once, row, *numbers_of], np.int64), top * BATCH


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
        elif kind not in NUMERIC:
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


def decoded(code: NDArray[np.int64]) -> str:
    """The text of a code that begins an array."""
    return _decoded(code[: 3 + NUMBERS * int(code[0] + code[1])].tobytes())


@lru_cache(maxsize=256)
def _decoded(numbers_of: bytes) -> str:
    code = np.frombuffer(numbers_of, np.int64)
    lines, made = list[str](), dict[int, int]()

    def add(kind: str, *numbers: Any) -> int:
        lines.append(" ".join(map(str, [kind, *numbers])))
        return len(lines) - 1

    def computed(pattern: tuple[Any, ...], given: list[int]) -> int:
        kind, *parts = pattern
        return add(kind, *(given[x] if isinstance(x, int) else computed(x, given) for x in parts))

    for k in range(int(code[0] + code[1])):
        operation, slot, *numbers = (int(x) for x in code[3 + NUMBERS * k : 3 + NUMBERS * (k + 1)])
        what = OPERATIONS[operation]
        if isinstance(what, tuple):
            made[slot] = computed(what, [made[x] for x in numbers[: _operands(what)]])
        elif what == "#":
            made[slot] = add(what, struct.unpack("<d", struct.pack("<q", numbers[0]))[0])
        elif what[0] == "=":
            add("=", made[numbers[0]], what[1], *numbers[1 : 2 if what == "=w" else 3])
        else:
            made[slot] = add(what, *numbers[: 2 if what in "qva" else 1])
    return ";".join(lines)


def interpret(builder: ir.IRBuilder, arguments: tuple[ir.Value, ...], start: int) -> None:
    """Compute the text whose code begins where a number of the rows says, as the function that is built."""
    q, v, a, work, rows, constants, pitch, work_pitch, first, n = arguments
    code = builder.gep(rows, [builder.load(builder.gep(rows, [_WORD(start)]))])
    once, each, row = (builder.load(builder.gep(code, [_WORD(k)])) for k in range(3))
    lines = builder.gep(code, [_WORD(3)])
    begin = builder.ptrtoint(builder.gep(work, [builder.mul(row, work_pitch)]), _WORD)
    mask = _WORD(8 * LANES - 1)
    slots = builder.inttoptr(builder.and_(builder.add(begin, mask), builder.not_(mask)), _DOUBLE.as_pointer())
    run = _run(builder.module)
    after = builder.gep(lines, [builder.mul(once, _WORD(NUMBERS))])

    def least(x: ir.Value, y: ir.Value) -> ir.Value:
        return builder.select(builder.icmp_signed("<", x, y), x, y)

    given = [q, v, a, work, rows, constants, pitch, work_pitch, slots]
    builder.call(run, [*given, lines, once, first, _WORD(0), least(n, _WORD(BATCH))])
    with cgutils.for_range_slice(builder, _WORD(0), n, _WORD(BATCH), _WORD) as (j, _):
        builder.call(run, [*given, after, each, first, j, least(builder.sub(n, j), _WORD(BATCH))])
    builder.ret_void()


def _run(module: ir.Module) -> ir.Function:
    """The function of a module that computes lines of a code for up to `BATCH` steps, from step j on."""
    if "interpret" in module.globals:
        return module.globals["interpret"]
    numbers, ints = _DOUBLE.as_pointer(), _WORD.as_pointer()
    kinds = [*[numbers] * 4, ints, numbers, _WORD, _WORD, numbers, ints, *[_WORD] * 4]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), "interpret")
    function.linkage = "internal"
    set.add(function.attributes, ALIGNED)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    lines, count, n = function.args[9], function.args[10], function.args[13]
    vectors = builder.sdiv(builder.add(n, _WORD(LANES - 1)), _WORD(LANES))
    with cgutils.for_range(builder, count, intp=_WORD) as line:
        at = builder.gep(lines, [builder.mul(line.index, _WORD(NUMBERS))])
        fields = [builder.load(builder.gep(at, [_WORD(k)])) for k in range(NUMBERS)]
        end = builder.append_basic_block("end")
        choice = builder.switch(fields[0], end)
        for number, operation in enumerate(OPERATIONS):
            case = builder.append_basic_block("case")
            choice.add_case(_WORD(number), case)
            builder.position_at_end(case)
            _operation(builder, operation, function.args, fields, vectors)
            builder.branch(end)
        builder.position_at_end(end)
    builder.ret_void()
    return function


def _operation(
    builder: ir.IRBuilder, operation: Any, arguments: tuple[ir.Value, ...], fields: list[ir.Value], vectors: ir.Value
) -> None:
    """One line of a code, as a text of its own, for one vector of steps after another."""
    q, v, a, work, rows, constants, pitch, work_pitch, slots, _, _, first, begin, n = arguments
    state = {"q": q, "v": v, "a": a}
    with cgutils.for_range(builder, vectors, intp=_WORD) as loop:
        j = builder.mul(loop.index, _WORD(LANES))
        step = builder.add(begin, j)

        left = first_lanes(builder, builder.sub(n, j))

        def place(array: ir.Value, row: ir.Value, width: ir.Value, column: ir.Value) -> ir.Value:
            at = builder.gep(array, [builder.add(builder.mul(row, width), column)])
            return builder.bitcast(at, vector(LANES).as_pointer())

        def slot(number: ir.Value) -> ir.Value:
            return place(slots, number, _WORD(BATCH), j)

        def of_state(name: str, k: ir.Value, i: ir.Value) -> ir.Value:
            row = builder.add(builder.load(builder.gep(rows, [k])), i)
            return place(state[name], row, pitch, builder.add(first, step))

        def other(name: str, numbers: list[str], values: list[ir.Value]) -> ir.Value:
            if name == "slot":
                return builder.load(slot(fields[2 + int(numbers[0])]), align=8)
            if name == "bits":
                return everywhere(builder, builder.bitcast(fields[2], _DOUBLE), LANES)
            if name == "c":
                return everywhere(builder, builder.load(builder.gep(constants, [fields[2]])), LANES)
            if name == "w":
                return builder.load(place(work, fields[2], work_pitch, step), align=8)
            if name in state:
                return load_some(builder, of_state(name, fields[2], fields[3]), left)
            value = values[-1]
            if name == "keep":
                return builder.store(value, slot(fields[1]), align=8)
            if name == "=w":
                return builder.store(value, place(work, fields[3], work_pitch, step), align=8)
            return store_some(builder, value, of_state(name[1], fields[3], fields[4]), left)

        write(_text_of(operation), builder, other, LANES)


def _text_of(operation: Any) -> str:
    """What an operation does, as a text: `slot k` takes number k of the line, `keep` puts the last value away."""
    if not isinstance(operation, tuple):
        return f"slot 0;{operation}" if operation[0] == "=" else f"{operation.replace('#', 'bits')};keep"
    lines = [f"slot {k}" for k in range(_operands(operation))]

    def add(pattern: tuple[Any, ...]) -> int:
        kind, *parts = pattern
        lines.append(" ".join([kind, *(str(x if isinstance(x, int) else add(x)) for x in parts)]))
        return len(lines) - 1

    add(operation)
    return ";".join([*lines, "keep"])
