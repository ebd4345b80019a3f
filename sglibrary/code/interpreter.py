"""The interpreter of bytecode: one function in a module computes any instruction list, line by line.

What an operation does is written by the same code as compiled lists (`sglibrary.code.llvm.write`), so that both give
the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from sglibrary.code.bytecode import BATCH, CODES, HEADER, NUMBERS, text_of
from sglibrary.code.llvm import DOUBLE, LANES, WORD, everywhere, first_lanes, load_some, store_some, vector, write
from sglibrary.vectors import ALIGNED


def interpret(
    builder: ir.IRBuilder, arguments: Sequence[ir.Value], start: int, directions: ir.Value | None = None
) -> None:
    """Compute the text whose code begins where a number of the rows says, as the function that is built.

    Perhaps for several directions, whose rows of v and a lie one after another.
    """
    q, v, a, work, rows, constants, pitch, work_pitch, first, n = arguments
    code = builder.gep(rows, [builder.load(builder.gep(rows, [WORD(start)]))])
    once, each, directed, row = (builder.load(builder.gep(code, [WORD(k)])) for k in range(HEADER))
    lines = builder.gep(code, [WORD(HEADER)])
    begin = builder.ptrtoint(builder.gep(work, [builder.mul(row, work_pitch)]), WORD)
    mask = WORD(8 * LANES - 1)
    slots = builder.inttoptr(builder.and_(builder.add(begin, mask), builder.not_(mask)), DOUBLE.as_pointer())
    run = _run(builder.module)
    after = builder.gep(lines, [builder.mul(once, WORD(NUMBERS))])
    last = builder.gep(after, [builder.mul(each, WORD(NUMBERS))])

    def least(x: ir.Value, y: ir.Value) -> ir.Value:
        return builder.select(builder.icmp_signed("<", x, y), x, y)

    given = [q, v, a, work, rows, constants, pitch, work_pitch, slots]
    builder.call(run, [*given, lines, once, first, WORD(0), least(n, WORD(BATCH))])
    with cgutils.for_range_slice(builder, WORD(0), n, WORD(BATCH), WORD) as (j, _):
        count = least(builder.sub(n, j), WORD(BATCH))
        builder.call(run, [*given, after, each, first, j, count])
        with cgutils.for_range(builder, directions or WORD(0), intp=WORD) as direction:
            ahead = builder.mul(direction.index, pitch)
            given[1:3] = [builder.gep(array, [ahead]) for array in (v, a)]
            builder.call(run, [*given, last, directed, first, j, count])
    builder.ret_void()


def _run(module: ir.Module) -> ir.Function:
    """The function of a module that computes lines of a code for up to `BATCH` steps, from step j on."""
    if "interpret" in module.globals:
        return module.globals["interpret"]
    numbers, ints = DOUBLE.as_pointer(), WORD.as_pointer()
    kinds = [*[numbers] * 4, ints, numbers, WORD, WORD, numbers, ints, *[WORD] * 4]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), "interpret")
    function.linkage = "internal"
    set.add(function.attributes, ALIGNED)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    lines, count, n = function.args[9], function.args[10], function.args[13]
    vectors = builder.sdiv(builder.add(n, WORD(LANES - 1)), WORD(LANES))
    with cgutils.for_range(builder, count, intp=WORD) as line:
        at = builder.gep(lines, [builder.mul(line.index, WORD(NUMBERS))])
        fields = [builder.load(builder.gep(at, [WORD(k)])) for k in range(NUMBERS)]
        end = builder.append_basic_block("end")
        choice = builder.switch(fields[0], end)
        for number, operation in enumerate(CODES):
            case = builder.append_basic_block("case")
            choice.add_case(WORD(number), case)
            builder.position_at_end(case)
            _operation(builder, operation, function.args, fields, vectors)
            builder.branch(end)
        builder.position_at_end(end)
    builder.ret_void()
    return function


def _operation(
    builder: ir.IRBuilder,
    operation: Any,
    arguments: tuple[ir.Value, ...],
    fields: list[ir.Value],
    vectors: ir.Value,
) -> None:
    """One line of a code, as a text of its own, for one vector of steps after another."""
    q, v, a, work, rows, constants, pitch, work_pitch, slots, _, _, first, begin, n = arguments
    state = {"q": q, "v": v, "a": a}
    with cgutils.for_range(builder, vectors, intp=WORD) as loop:
        j = builder.mul(loop.index, WORD(LANES))
        step = builder.add(begin, j)

        left = first_lanes(builder, builder.sub(n, j), LANES)

        def place(array: ir.Value, row: ir.Value, width: ir.Value, column: ir.Value) -> ir.Value:
            at = builder.gep(array, [builder.add(builder.mul(row, width), column)])
            return builder.bitcast(at, vector(LANES).as_pointer())

        def slot(number: ir.Value) -> ir.Value:
            return place(slots, number, WORD(BATCH), j)

        def of_state(name: str, k: ir.Value, i: ir.Value) -> ir.Value:
            row = builder.add(builder.load(builder.gep(rows, [k])), i)
            return place(state[name], row, pitch, builder.add(first, step))

        def other(name: str, numbers: list[str], values: list[ir.Value]) -> ir.Value:
            if name == "slot":
                return builder.load(slot(fields[2 + int(numbers[0])]), align=8)
            if name == "bits":
                return everywhere(builder, builder.bitcast(fields[2], DOUBLE), LANES)
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

        write(text_of(operation), builder, other, LANES)
