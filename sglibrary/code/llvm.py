"""Instruction lists as machine instructions for vectors of steps, by LLVM."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from sglibrary.code.operations import OPERATIONS
from sglibrary.vectors import ALIGNED, WIDE

LANES = 8
"""Steps that are taken at once."""

FEW = 4
"""Steps that are taken at once where there are no more, at half the price: a group is followed step by step."""

WORD, DOUBLE = ir.IntType(64), ir.DoubleType()

FUNCTION = ir.FunctionType(
    ir.VoidType(), [*[DOUBLE.as_pointer()] * 4, WORD.as_pointer(), DOUBLE.as_pointer(), *[WORD] * 4]
)
"""q, v, a, working memory, rows, constants; pitch of the state and of working memory, first step, number of steps."""


def vector(lanes: int) -> ir.VectorType:
    """The type of a vector of steps."""
    return ir.VectorType(DOUBLE, lanes)


def everywhere(builder: ir.IRBuilder, number: ir.Value, lanes: int) -> ir.Value:
    """A vector of one number."""
    none, first = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined), ir.Constant(ir.IntType(32), 0)
    single = builder.insert_element(none, number, first)
    return builder.shuffle_vector(single, single, ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes))


def first_lanes(builder: ir.IRBuilder, count: ir.Value, lanes: int) -> ir.Value:
    """A mask that is true for so many steps of a vector."""
    numbers = ir.Constant(ir.VectorType(count.type, lanes), list(range(lanes)))
    return builder.icmp_signed("<", numbers, everywhere(builder, count, lanes))


_ALIGNMENT = ir.Constant(ir.IntType(32), 8)


def load_some(builder: ir.IRBuilder, pointer: ir.Value, mask: ir.Value) -> ir.Value:
    """Load a vector of steps; 0 where the mask is false, where nothing is read."""
    zero = ir.Constant(vector(mask.type.count), [0.0] * mask.type.count)
    return _masked(builder, "load", zero.type, [pointer, _ALIGNMENT, mask, zero])


def store_some(builder: ir.IRBuilder, value: ir.Value, pointer: ir.Value, mask: ir.Value) -> ir.Value:
    """Store a vector of steps where the mask is true."""
    return _masked(builder, "store", ir.VoidType(), [value, pointer, _ALIGNMENT, mask])


def _masked(builder: ir.IRBuilder, name: str, result: ir.Type, values: list[ir.Value]) -> ir.Value:
    kind = ir.FunctionType(result, [x.type for x in values])
    lanes = values[-1 if name == "store" else 2].type.count
    name = f"llvm.masked.{name}.v{lanes}f64.p0"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)


def write(text: str, builder: ir.IRBuilder, other: Callable[[str, list[str], list[Any]], Any], lanes: int) -> None:
    """Write an instruction list.

    `other` is given the kind of each line that reads or writes, its numbers, and all values so far; it returns its own.
    """
    set.add(builder.function.attributes, WIDE)
    set.add(builder.function.attributes, '"min-legal-vector-width"="512"')
    values: list[Any] = []
    for line in text.split(";"):
        kind, *numbers = line.split()
        if kind == "#":
            values.append(ir.Constant(vector(lanes), [float(numbers[0])] * lanes))
        elif kind in OPERATIONS:
            values.append(OPERATIONS[kind].write(builder, *(values[int(x)] for x in numbers)))
        else:
            values.append(other(kind, numbers, values))


@dataclass(frozen=True)
class Memory:
    """Where an instruction list reads and writes.

    Attributes
    ----------
    state : dict of str to (Value, Value)
        Pointers to the arrays "q", "v" and "a" at the first step of a row, and their pitches.
    work : (Value, Value)
        The same of working memory.
    rows, constants : Value
        Pointers.
    mask : Value or None
        Steps of the state that exist; None if rows have padding.
    scopes : (metadata, metadata) or None
        Of what is read and what is written, where these do not overlap.
    """

    state: dict[str, tuple[ir.Value, ir.Value]]
    work: tuple[ir.Value, ir.Value] | None
    rows: ir.Value
    constants: ir.Value
    mask: ir.Value | None = None
    scopes: Sequence[Any] | None = None


def write_steps(text: str, builder: ir.IRBuilder, memory: Memory, j: ir.Value, lanes: int) -> None:
    """Write an instruction list for the steps from step j on."""
    pointer, module = vector(lanes).as_pointer(), builder.module

    def fixed(array: ir.Value, k: int) -> ir.Value:
        """A number that nothing changes."""
        value = builder.load(builder.gep(array, [WORD(k)]))
        value.set_metadata("invariant.load", module.add_metadata([]))
        return value

    def place(kind: str, numbers: list[str]) -> ir.Value:
        k = [int(number) for number in numbers]
        if kind == "w":
            assert memory.work is not None
            (array, pitch), row = memory.work, WORD(k[0])
        else:
            array, pitch = memory.state[kind]
            row = fixed(memory.rows, k[0])
            row = builder.add(row, WORD(k[1])) if k[1] else row
        return builder.bitcast(builder.gep(array, [builder.add(builder.mul(row, pitch), j)]), pointer)

    def other(kind: str, numbers: list[str], values: list[ir.Value]) -> ir.Value:
        if kind == "c":
            return everywhere(builder, fixed(memory.constants, int(numbers[0])), lanes)
        writes = kind == "="
        at = place(*((numbers[1], numbers[2:]) if writes else (kind, numbers)))
        if memory.mask is not None and "w" not in (kind, *numbers[1:2]):
            if writes:
                return store_some(builder, values[int(numbers[0])], at, memory.mask)
            return load_some(builder, at, memory.mask)
        access = builder.store(values[int(numbers[0])], at, align=8) if writes else builder.load(at, align=8)
        if memory.scopes is not None:
            access.set_metadata("alias.scope", memory.scopes[writes])
            if writes:
                access.set_metadata("noalias", memory.scopes[0])
        return access

    write(text, builder, other, lanes)


def function(module: ir.Module, text: str, lanes: int, name: str = "") -> ir.Function:
    """Make an instruction list a function (`FUNCTION`) of a module, for so many steps at once, or `FEW` at the end."""
    name = name or f"code_{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    if name in module.globals:
        return module.globals[name]
    made = begun(module, name)
    builder, n = ir.IRBuilder(made.entry_basic_block), made.args[-1]
    if lanes > FEW:
        with builder.if_then(builder.icmp_signed("<=", n, WORD(FEW))):
            _write_some(text, builder, made.args, WORD(0), FEW)
            builder.ret_void()
    with cgutils.for_range_slice(builder, WORD(0), n, WORD(lanes), WORD) as (j, _):
        _write_some(text, builder, made.args, j, lanes)
    builder.ret_void()
    return made


def begun(module: ir.Module, name: str, kind: ir.FunctionType = FUNCTION) -> ir.Function:
    """An empty function of a module, with an entry."""
    made = ir.Function(module, kind, name)
    made.linkage = "internal"
    set.add(made.attributes, ALIGNED)
    made.append_basic_block("entry")
    return made


def _write_some(text: str, builder: ir.IRBuilder, arguments: tuple[ir.Value, ...], j: ir.Value, lanes: int) -> None:
    """Write steps from step j on; what lies behind the last one is not touched in the state."""
    q, v, a, work, rows, constants, pitch, work_pitch, first, n = arguments
    shifted = {name: builder.gep(array, [first]) for name, array in zip("qva", (q, v, a), strict=True)}
    mask = first_lanes(builder, builder.sub(n, j), lanes)
    state = {name: (array, pitch) for name, array in shifted.items()}
    write_steps(text, builder, Memory(state, (work, work_pitch), rows, constants, mask), j, lanes)
