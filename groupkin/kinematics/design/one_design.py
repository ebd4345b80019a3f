"""One design of closed forms: solved in memory that is kept from design to design, and nothing built but its motion."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.changed.changed_program import told, with_loads
from groupkin.kinematics.changed.parametric_program import (
    ParametricProgram,
    computed,
    parametric_of,
    program_at,
)
from groupkin.kinematics.design.design_blocks import Prototype, prototype
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.parameters.named_values import named
from groupkin.kinematics.parameters.nominal_values import nominal_value
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Driven, Program
from groupkin.kinematics.samples.variation import Variation
from groupkin.kinematics.solving.block_sizes import block_of
from groupkin.kinematics.solving.call_packing import NOTHING, packed_calls
from groupkin.kinematics.solving.crossings import watched
from groupkin.kinematics.solving.driver_values import compiled, drivers_of
from groupkin.kinematics.solving.state_memory import aligned_rows, block_state, pitch_of
from groupkin.structure.decomposition import Structure
from sglibrary import scalar_tables
from sglibrary.array_types import Array, Flags, Ints
from sglibrary.run.calls import Drivers
from sglibrary.run.motion_loop import solve_steps
from sglibrary.run.near_singular import FEW
from sglibrary.run.task import Moving, Results, Task, Watched, written
from sglibrary.traced import NotTraceableError, Table

LONGEST = 4096
"""Steps up to which a motion is copied from memory that is kept."""

SIZES = 8
"""Numbers of steps for which memory is kept."""


@dataclass(frozen=True, eq=False)
class Tables:
    """What is kept of a program whose numbers are functions of some parameters.

    Attributes
    ----------
    parametric : ParametricProgram
    base : Program
        Of one design.
    memories : dict of int to (Memory, tuple of Driven)
        By number of steps; with the drivers whose laws are written in it.
    prototypes : dict of (int, tuple of Quantity) to Prototype
        Of the sample blocks of many designs, by what is kept and read; None where that cannot be traced.
    """

    parametric: ParametricProgram
    base: Program
    memories: dict[int, tuple[Memory, tuple[Driven, ...]]] = field(default_factory=dict)
    prototypes: dict[tuple[int, tuple[Quantity, ...]], Prototype | None] = field(default_factory=dict)

    @cached_property
    def direct(self) -> bool:
        """Whether a design needs no more than kernels: all of them closed forms, laws coded, no joints eased."""
        coded = compiled(drivers_of(self.base))
        return coded and not (self.base.iterates or self.base.structure.redundancies)

    @cached_property
    def shared(self) -> dict[str, Any]:
        """What the programs of all designs have in common."""
        base = self.base
        names = ("rows", "kept", "solvers", "modes", "iterates")
        return {name: getattr(base, name) for name in names}


@dataclass(frozen=True, eq=False)
class Memory:
    """Memory in which designs are solved at a number of times.

    Attributes
    ----------
    whole : (rows, pitch) array
        q, v, a and conditioning, one after another.
    status : (groups, n) array of uint8
    task : Task
    written : array
        The task as compiled code reads it.
    work : (rows, 1) array
        Of the table.
    valid : (1,) array of bool
    constants, fixed : (k, 2) arrays of int
        See `sglibrary.scalar_tables.fill_one`.
    list : (array of int, array, (1, s) array)
        See `sglibrary.scalar_tables.list_of`.
    """

    whole: Array
    status: NDArray[np.uint8]
    task: Task
    written: Any
    work: Array
    valid: Flags
    constants: Ints
    fixed: Ints
    list: tuple[Ints, Array, Array]


class DesignProgram(Program):
    """The program of a design, whose numbers are made when one of them is first read."""

    def __getattr__(self, name: str) -> Any:
        make = self.__dict__.pop("_make", None)
        if make is None:
            raise AttributeError(name)
        self.__dict__.update(make().__dict__)
        return getattr(self, name)

    def __getstate__(self) -> dict[str, Any]:
        _ = self.geometry  # makes the numbers
        return super().__getstate__()


@once_per_program
def tables_of(program: Program, targets: tuple[Target, ...]) -> Tables | None:
    """Return the tables of a program for some parameters; None if they change no geometry, or it cannot be traced."""
    parametric = parametric_of(program, targets)
    if parametric is None:
        return None
    nominal = np.array([float(nominal_value(target, program)) for target in targets])
    return Tables(parametric, program_at(parametric, computed(parametric, nominal[:, None])[0][:, 0]))


def prototype_of(variation: Variation) -> Prototype | None:
    """Return what sample blocks of designs have in common; None where there are no tables."""
    tables = tables_of(variation.program, variation.targets)
    if tables is None:
        return None
    key = variation.orders, variation.quantities
    if key not in tables.prototypes:
        try:
            tables.prototypes[key] = prototype(variation)
        except NotTraceableError:
            tables.prototypes[key] = None
    return tables.prototypes[key]


def solve_directly(
    program: Program,
    targets: tuple[Target, ...],
    values: Array,
    times: Array,
    drivers: tuple[Driven, ...],
    out: Motion | None = None,
) -> Motion | None:
    """Solve one design of closed forms.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets : tuple of Target
    values : (parameters,) array
    times : (n,) array
        s.
    drivers : tuple of Driven
        With the laws of the design.
    out : Motion, optional
        One whose arrays are used again.

    Returns
    -------
    Motion
        None where it is not solved at all times, or this way does not hold: then there is more to say.
    """
    tables = tables_of(program, targets)
    if tables is None or not tables.direct or times.size > LONGEST:
        return None
    if not all(driven.law.everywhere for driven in drivers):
        return None
    structure = with_loads(program, targets, values, partial(told, program, targets, values))
    # taken out, so that another thread makes its own
    taken = tables.memories.pop(times.size, None)
    memory, coded = taken if taken is not None else (_memory(tables, times.size), tables.base.drivers)
    motion = None
    if drivers is coded or _write_laws(memory.task.drivers, replace(tables.base, drivers=drivers)):
        coded = drivers
        if _solved(tables, memory, values, times):
            motion = _motion(tables, memory, times, drivers, structure, named(targets, values.tolist()), out)
    if len(tables.memories) >= SIZES:
        tables.memories.clear()
    tables.memories[times.size] = memory, coded
    return motion


def _solved(tables: Tables, memory: Memory, values: Array, times: Array) -> bool:
    """Solve one design in memory; tell whether this way holds and all steps are solved."""
    table = tables.parametric.table
    right = scalar_tables.fill_one(
        memory.list,
        table.comparisons,
        tables.parametric.finite,
        memory.work,
        memory.valid,
        values,
        memory.constants,
        memory.task.calls.constants,
        memory.fixed,
        memory.task.state.q,
    )
    solved, near = solve_steps(memory.written, times, memory.task.drivers.values, 0) if right else (False, False)
    return bool(solved and not near and (times.size > FEW or times.size == 1 or not watched(tables.base).size))


def _write_laws(coded: Drivers, program: Program) -> bool:
    """Put the laws of the drivers of a program in place of others, if these are as many numbers."""
    laws = drivers_of(program)
    if laws.table.size != coded.table.size or not np.array_equal(laws.kinds, coded.kinds):
        return False
    coded.numbers[:], coded.table[:] = laws.numbers, laws.table
    return True


def _memory(tables: Tables, steps: int) -> Memory:
    """Take memory for the motions of designs."""
    parametric, base = tables.parametric, tables.base
    calls, rows = packed_calls(base.calls, [NOTHING] * len(base.calls)), parametric.table
    groups, kept, pitch = len(base.structure.groups), base.kept, pitch_of(steps)
    whole = aligned_rows(3 * len(kept) + groups, pitch)
    status = np.zeros((groups, steps), np.uint8)
    task = Task(
        calls,
        drivers_of(replace(base)),  # of its own, whose numbers laws of designs change
        block_state(base, block := block_of(base, steps)),
        Results((kept, kept, kept, np.arange(groups)), _parts(whole, len(kept)), status, past_caches=False),
        Watched(found := watched(base), np.zeros((found.size, 2))),
        Moving(none := np.zeros(0, np.int64), none, 0, -1),
        block,
    )
    constants = _changing(rows, np.arange(parametric.constants.size), parametric.constants)
    fixed = _changing(rows, *np.array(list(parametric.rows.fixed.items()), np.int64).T)
    return Memory(
        whole,
        status,
        task,
        written(task),
        rows.work(np.zeros((rows.inputs, 1))),
        np.empty(1, bool),
        constants,
        fixed,
        scalar_tables.list_of(rows),
    )


def _changing(table: Table, places: Ints, rows: Ints) -> Ints:
    """Pair places with the rows of a table that go there, where these are no fixed numbers."""
    some = table.changing(rows)
    return np.stack([places[some], rows[some]], axis=1)


def _parts(whole: Array, kept: int) -> tuple[Array, Array, Array, Array]:
    """q, v, a and conditioning, which lie one after another."""
    return whole[:kept], whole[kept : 2 * kept], whole[2 * kept : 3 * kept], whole[3 * kept :]


def _motion(
    tables: Tables,
    memory: Memory,
    times: Array,
    drivers: tuple[Driven, ...],
    structure: Structure,
    numbers: dict[str, float],
    out: Motion | None,
) -> Motion:
    """Copy a motion from the memory it was solved in; its program is made when it is read."""
    work = memory.work[:, 0].copy()

    def make() -> Program:
        return replace(program_at(tables.parametric, work), structure=structure, drivers=drivers, named=numbers)

    own = object.__new__(DesignProgram)
    own.__dict__.update(tables.shared, structure=structure, named=numbers, _make=make)
    n = times.size
    if out is None:
        q, v, a, conditioning = _parts(memory.whole.copy(), len(tables.base.kept))
        return Motion(own, times, q[:, :n], v[:, :n], a[:, :n], memory.status.copy(), conditioning[:, :n])
    solved = _parts(memory.whole, len(tables.base.kept))
    for target, x in zip((out.q, out.v, out.a, out.conditioning), solved, strict=True):
        target[:] = x[:, :n]
    out.status[:] = memory.status
    return Motion(own, times, out.q, out.v, out.a, out.status, out.conditioning)
