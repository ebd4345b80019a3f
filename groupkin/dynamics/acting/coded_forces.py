"""The forces of a mechanism as tables for compiled code (`sglibrary.dynamics.forces`)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from groupkin.dynamics.acting.acting import module_of
from groupkin.dynamics.acting.along_coordinates import range_scale
from groupkin.dynamics.acting.force_inputs import Code, inputs
from groupkin.dynamics.acting.loads import Coded, placed
from groupkin.errors import ForceError, LawError
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.driver_values import IN_PYTHON
from groupkin.mechanism.forces.force_functions import Callback, callback
from groupkin.mechanism.forces.forces import Friction, Load
from groupkin.mechanism.forces.part import WithFunction
from groupkin.mechanism.forces.stop import Stop
from groupkin.mechanism.laws.laws import Law
from groupkin.tolerances import ON_END
from sglibrary.array_types import Array, Ints
from sglibrary.dynamics import forces as kinds
from sglibrary.dynamics.forces import Forces, Functions, Laws
from sglibrary.dynamics.lengths_and_angles import TURN


def coded_laws(given: Iterable[Law | None]) -> Laws:
    """Laws as numbers; of the kind OTHER where there is none.

    Raises
    ------
    LawError
        If a law is known to Python alone.
    """
    found, tables, size = [], [np.zeros(0)], 0
    for law in given:
        numbered = IN_PYTHON if law is None else law.coded
        if numbered is None:
            raise LawError(
                f"{law.label or type(law).__name__} is a law that Python evaluates, which equations of motion cannot; "  # type: ignore[union-attr]
                "sample it as `Samples` or `Spline`"
            )
        kind, numbers, table = numbered
        row = np.zeros(4)
        row[: len(numbers)] = numbers
        if table.size:
            row[3], size = size, size + table.size
            tables.append(table)
        found.append((kind, row))
    return Laws(
        np.array([kind for kind, _ in found], np.int64),
        np.array([row for _, row in found]).reshape(-1, 4),
        np.concatenate(tables),
    )


def coded_forces(program: Program, layout: Layout, numbers: Ints) -> tuple[Forces, tuple[Callback, ...]]:
    """Code all forces that do anything for the free coordinates.

    Parameters
    ----------
    program : Program
    layout : Layout
        Which is extended by the rows that they need.
    numbers : (d,) array of int
        Of every driver: which free coordinate it is, or -1.

    Returns
    -------
    Forces
    tuple of Callback
        The functions of the user among them.
    """
    found = [(each, load) for load in program.mechanism.forces for each in _coded(program, layout, load, numbers)]
    rows = np.array([(each.rows + [-1] * 8)[:8] for each, _ in found], np.int64).reshape(-1, 8)
    constants, curves = np.zeros((len(found), 18)), np.zeros(0)
    for k, (each, _) in enumerate(found):
        numbers_of, added = placed(each.numbers, each.curves, curves.size)
        constants[k, : len(numbers_of)] = numbers_of
        curves = np.concatenate([curves, added])
    laws = coded_laws(_law_of(load) for _, load in found)
    own = {load.name: load for each, load in found if each.component >= 0}
    for k, (each, load) in enumerate(found):
        if each.component >= 0:
            laws.kinds[k], laws.numbers[k, :2] = kinds.CALLED, (list(own).index(load.name), each.component)
    functions, callbacks = _functions(program, layout, list(own.values()))
    stops = np.array([k for k, (_, load) in enumerate(found) if isinstance(load, Stop)], np.int64)
    near = np.array([ON_END * range_scale(program, found[k][1]) for k in stops])
    turns = _unknown_turns(rows, constants)
    heavy = np.array([k for k, (each, _) in enumerate(found) if each.inertia], np.int64)
    inertia = np.array([found[k][0].inertia for k in heavy], float)
    return Forces(rows, constants, turns, stops, near, laws, curves, functions, heavy, inertia), callbacks


def _unknown_turns(rows: Ints, numbers: Array) -> Ints:
    """List the springs and stops along angles whose whole turns are not known."""
    angles = (rows[:, 0] == TURN) & (rows[:, 5] < 0)
    return np.flatnonzero(angles & ((numbers[:, 0] != 0.0) | (numbers[:, 11] > 0.0) | (numbers[:, 14] != 0.0)))


def _functions(program: Program, layout: Layout, loads: list[Load]) -> tuple[Functions, tuple[Callback, ...]]:
    """Code the functions of the user, and what they are given."""
    callbacks, codes = list[Callback](), list[list[Code]]()
    for load in loads:
        assert isinstance(load, WithFunction)
        assert load.function is not None
        size = load.components(program.mechanism)
        callbacks.append(callback(load.name, load.function, load.compiled, size))
        codes.append([code for each in inputs(program, load) for code in each.coded(layout)])
    every = [code for of_function in codes for code in of_function]
    functions = Functions(
        np.array([each.address for each in callbacks], np.int64),
        np.array([each.size for each in callbacks], np.int64),
        np.concatenate([[0], np.cumsum([len(each) for each in codes])]).astype(np.int64),
        np.array([what for what, *_ in every], np.int64),
        np.array([(rows + [-1] * 8)[:8] for _, rows, _ in every], np.int64).reshape(-1, 8),
        np.array([(numbers + [0.0] * 14)[:14] for *_, numbers in every]).reshape(-1, 14),
    )
    return functions, tuple(callbacks)


def _law_of(load: Load) -> Law | None:
    law: Law | None = getattr(load, "law", None)
    return None if law is None else law.labeled(f"law of force {load.name!r}")


def _coded(program: Program, layout: Layout, load: Load, free: Ints) -> list[Coded]:
    """Code a force.

    Raises
    ------
    ForceError
        If it is friction by a coefficient.
    """
    if isinstance(load, Friction):
        raise ForceError(
            f"force {load.name!r}: friction by what joint {load.joint!r} carries is not simulated, for it depends on "
            "accelerations; state a joint_friction of a known force, such as that which inverse_dynamics finds"
        )
    found: list[Coded] = module_of(load).coded(program, layout, load, free)
    return found
