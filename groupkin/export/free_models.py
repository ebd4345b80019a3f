"""The equations of motion of a mechanism as memory that compiled code and C share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import typeof

from groupkin.dynamics.simulation.equation_tables import following, tables_of, unwritten_room
from groupkin.errors import ExportError
from groupkin.export.models import Memory, laid_out, state_of
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.call_packing import packed
from groupkin.kinematics.solving.evaluation import memories
from sglibrary.exported.dynamics import FollowedModel, FreeModel
from sglibrary.exported.views import flat


@dataclass(frozen=True, eq=False)
class SharedEquations:
    """Equations of motion as memory; see `groupkin.export.models.SharedModel`.

    Attributes
    ----------
    kind : type of compiled code
    kernels : tuple of callable
    memory : Memory
    """

    kind: Any
    kernels: tuple[Any, ...]
    memory: Memory


def shared_equations(program: Program) -> SharedEquations:
    """Lay out the equations of motion of a program all of whose drivers are free.

    Raises
    ------
    ExportError
        If a force is a function of Python.
    """
    count = len(program.drivers)
    tables = tables_of(program, np.arange(count), (None,) * count)
    if tables.callbacks:
        raise ExportError(
            f"force {tables.callbacks[0].name!r} is a function of Python, which no other program has; "
            "export without dynamics=True, or state it as a formula or table"
        )
    calls = packed(tables.program, memories(tables.program))
    problem = tables.problem._replace(calls=calls._replace(memory=calls.memory.copy()))
    lane, times, y, out = unwritten_room(tables, 1), np.zeros(1), np.zeros((2 * count, 1)), np.zeros((2 * count, 1))
    y[:count, 0] = [driven.reference for driven in program.drivers]
    model: Any = FreeModel(problem, lane, times, y, out)
    if program.iterates:
        followed = following(tables.program)._replace(state=state_of(tables.program))
        model = FollowedModel(problem, lane, times, y, out, followed)
    kind = typeof(model)
    changing = (lane, times, y, out, problem.calls.memory, *model[5:])
    own = {f"own_{k}": x for k, (_, x) in enumerate(flat(typeof(changing), changing))}
    names = {
        id(x): name
        for name, x in (("times", times), ("y", y), ("out", out), ("mass", lane.mass), ("force", lane.force))
    }
    own = {names.get(id(x), name): x for name, x in own.items()}
    kernels = tuple(call.kernel for call in tables.program.calls)
    return SharedEquations(kind, kernels, laid_out(kind, model, own, problem.calls.handles))
