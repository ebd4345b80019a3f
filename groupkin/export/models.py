"""A program as memory that compiled code and C share: constant tables, and what a model changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.export.joint_values import JointValues, joint_values
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.call_packing import packed
from groupkin.kinematics.solving.driver_values import given_drivers
from groupkin.kinematics.solving.evaluation import known_state, memories
from groupkin.kinematics.solving.state_memory import block_state
from sglibrary.array_types import Array, Ints
from sglibrary.code.llvm import LANES
from sglibrary.exported.entries import (
    FLAGS,
    HANDLES,
    INTEGERS,
    MODEL,
    NUMBERS,
    OWN_CODES,
    OWN_NUMBERS,
    Model,
    working_rows,
)
from sglibrary.exported.views import flat
from sglibrary.iterative.column_loop import scratch_for
from sglibrary.iterative.knot_loop import FAR
from sglibrary.run.calls import State


@dataclass(frozen=True, eq=False)
class Memory:
    """A nested tuple as memory.

    Attributes
    ----------
    table : (t,) array of int
        Where all arrays lie (`sglibrary.exported.views.view_of`).
    memories : tuple of arrays
        Handles, integers, numbers and flags that do not change; a model's own numbers and codes, as it begins.
    places : dict of str to int
        Of the model's own arrays by name, the first number of each in its numbers.
    """

    table: Ints
    memories: tuple[NDArray[Any], ...]
    places: dict[str, int]

    @property
    def numbers(self) -> int:
        """How many numbers a model has."""
        return int(self.memories[OWN_NUMBERS].size)

    @property
    def codes(self) -> int:
        """How many codes, one byte each, a model has: of groups."""
        return int(self.memories[OWN_CODES].size)


@dataclass(frozen=True, eq=False)
class SharedModel:
    """A program as memory.

    Attributes
    ----------
    program : Program
    joints : JointValues
    kernels : tuple of callable
        Of all calls, in their order.
    memory : Memory
    limits : (drivers,) array
        Bound that each value must be below, rad or m: no value else.
    """

    program: Program
    joints: JointValues
    kernels: tuple[Any, ...]
    memory: Memory
    limits: Array


def shared_model(program: Program) -> SharedModel:
    """Lay a program out in memory, at its reference configuration, with the coordinates of all its joints."""
    joints = joint_values(program)
    model, own = model_of(program, joints)
    kernels = tuple(call.kernel for call in program.calls)
    return SharedModel(
        program, joints, kernels, laid_out(MODEL, model, own, model.calls.handles), driver_limits(program)
    )


def driver_limits(program: Program) -> Array:
    """Bounds (drivers,) that the values of drivers must be below, rad or m: a quarter turn, or none."""
    middle = np.array([driven.middle for driven in program.drivers], bool)
    return np.where(middle, np.pi / 2, np.inf)


def model_of(program: Program, joints: JointValues) -> tuple[Model, dict[str, NDArray[Any]]]:
    """Make a model at the reference configuration; returns also those of its arrays that change, by name."""
    state = state_of(program, 2 * len(joints.coordinates))
    count, start = len(program.drivers), known_state(program)
    calls = packed(program, memories(program))
    calls = calls._replace(memory=calls.memory.copy())
    values = np.zeros((count, 3, 1))
    model = Model(
        calls,
        given_drivers(program, values),
        state,
        np.zeros((len(program.structure.groups), 1), np.uint8),
        np.zeros(1),
        start,
        FAR * program.units,
        scratch_for(count),
    )
    return model, {
        "values": values,
        **dict(zip(("q", "v", "a", "conditioning"), state, strict=True)),
        "status": model.status,
        "times": model.times,
        "memory": calls.memory,
        "start": start.values,
        "start_memory": start.memory,
        **dict(zip(("given", "way", "time"), model.scratch, strict=True)),
    }


def state_of(program: Program, more: int = 0) -> State:
    """Make the state of one step, in which q has more rows, and at its end those that following groups needs."""
    beyond = max((working_rows(call.rows) for call in program.calls if call.knot is not None), default=0)
    state = State(*(np.ascontiguousarray(x[:, :LANES]) for x in block_state(program, 1)))
    return state._replace(q=np.concatenate([state.q, np.zeros((more + beyond, LANES))]))


def laid_out(kind: Any, model: Any, own: dict[str, NDArray[Any]], handles: NDArray[Any]) -> Memory:
    """Put all arrays of a nested tuple one after another into memories.

    Parameters
    ----------
    kind, model : type of compiled code, tuple
    own : dict of str to array
        Those that change.
    handles : array
        That of the handles of kernels.

    Returns
    -------
    Memory
    """
    dtypes: tuple[type, ...] = (np.int64, np.int64, float, bool, float, np.uint8)
    parts: list[list[NDArray[Any]]] = [[np.zeros(0, dtype)] for dtype in dtypes]
    table, places, names = list[int](), dict[str, int](), {id(x): name for name, x in own.items()}
    for _, array in flat(kind, model):
        if not isinstance(array, np.ndarray):
            table.append(int(array))
            continue
        if array is handles:
            memory = HANDLES
        elif id(array) in names:
            memory = OWN_CODES if array.dtype == np.uint8 else OWN_NUMBERS
        else:
            memory = {"i": INTEGERS, "f": NUMBERS, "b": FLAGS}[array.dtype.kind]
        first = sum(x.size for x in parts[memory])
        if id(array) in names:
            places[names[id(array)]] = first
        table += [memory, first * np.dtype(dtypes[memory]).itemsize, *array.shape]
        parts[memory].append(np.asarray(array).ravel())
    return Memory(np.array(table, np.int64), tuple(np.concatenate(x) for x in parts), places)
