"""A program whose numbers are functions of parameters: geometry and constants as one list of operations.

The code that computes them for samples runs once with numbers that remember how they were computed
(`sglibrary.traced`), at values close to the nominal ones that are special in nothing. After that, a design costs some
nanoseconds per operation, and derivatives by the parameters are exact. The table is right for values at which its
comparisons come out as they did, and its results are finite; for others there is the code itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.parameters.nominal_values import nominal_value, scale
from groupkin.kinematics.parameters.parameters import Dimension, Target
from groupkin.kinematics.program.building import assemble
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program, variant_of, with_first_knot, with_numbers
from groupkin.kinematics.program.variants import in_modes_of
from groupkin.kinematics.samples.sample_geometry import geometry_of
from groupkin.model.geometry.geometry import mapped
from groupkin.tolerances import ASIDE
from sglibrary import scalar_tables as tables
from sglibrary.traced import NotTraceableError, Table, Trace

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Numbers = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, eq=False)
class ParametricProgram:
    """A program whose numbers are functions of parameters.

    Attributes
    ----------
    table : Table
        Its inputs are the parameters.
    rows : Program
        Of every number the row of the table; knots are empty.
    finite : array of int
        Rows of all that motions depend on.
    """

    table: Table
    rows: Program
    finite: Ints

    @cached_property
    def constants(self) -> Ints:
        """Rows (m,) of the constants of all calls, one after another."""
        return np.concatenate([np.zeros(0, np.int64), *(call.constants for call in self.rows.calls)])


@once_per_program
def parametric_of(program: Program, targets: tuple[Target, ...]) -> ParametricProgram | None:
    """Make the table of all designs of a program; None if parameters change no geometry, or it cannot be traced."""
    if not any(isinstance(target, Dimension) for target in targets):
        return None
    nominal = np.array([float(nominal_value(target, program)) for target in targets])
    try:
        return parametric_program(program, targets, nominal)
    except NotTraceableError:
        return None


def parametric_program(program: Program, targets: Sequence[Target], nominal: Array) -> ParametricProgram:
    """Trace geometry and constants of a program as functions of parameters.

    Parameters
    ----------
    program : Program
        The nominal one; its structure, solvers and assembly modes are those of all designs.
    targets : sequence of Target
        Those that are no dimensions change no number of the table.
    nominal : (parameters,) array
        Their nominal values.

    Raises
    ------
    TypeError
        If something cannot be traced.
    """
    return tabulated(*traced(program, targets, nominal), nominal.size)


def traced(program: Program, targets: Sequence[Target], nominal: Array) -> tuple[Trace, Program]:
    """Trace a program, whose numbers have a leading axis of one variant, see `parametric_program`."""
    trace, rng = Trace(), np.random.default_rng(0)
    dimensions: dict[Dimension, Array] = {}
    for k, (target, value) in enumerate(zip(targets, nominal, strict=True)):
        if isinstance(target, Dimension):
            sample = float(value + ASIDE * scale(target, program) * rng.uniform(0.5, 1.0))
            dimensions[target] = trace.fixed([trace.input(k, sample)])
    geometry = mapped(lambda x, _: trace.fixed(x), geometry_of(program, dimensions, 1))
    return trace, in_modes_of(program, assemble(program.structure, geometry, program.solvers))


def tabulated(trace: Trace, family: Program, inputs: int) -> ParametricProgram:
    """Make the table of a program that was traced."""
    nodes = _with(variant_of(_without_knots(family), 0), trace.nodes)
    calls = zip(nodes.calls, family.calls, strict=True)
    nodes = replace(nodes, calls=tuple(replace(call, knot=of_family.knot) for call, of_family in calls))
    solved = np.concatenate([*(call.constants for call in nodes.calls), *map(np.ravel, nodes.fixed.values())])
    shown = [x for joint in nodes.geometry.joints.values() for x in (joint.points, joint.frames)]
    shown += [*nodes.geometry.origins.values(), *(point for _, point in nodes.geometry.points.values())]
    table, rows = trace.table(inputs)
    finite = np.unique(rows[np.concatenate([solved, *map(np.ravel, shown)])])
    numbers = _with(nodes, lambda x: rows[x])
    return ParametricProgram(table, numbers, finite[table.changing(finite)])


def _without_knots(program: Program) -> Program:
    return replace(program, calls=tuple(replace(call, knot=None) for call in program.calls))


def _with(program: Program, numbers: Numbers) -> Program:
    """Apply a function to all numbers of a program."""
    calls = tuple(replace(call, constants=numbers(call.constants)) for call in program.calls)
    return with_numbers(program, mapped(lambda x, _: numbers(x), program.geometry), calls, numbers)


# --- numbers -----------------------------------------------------------------


def computed(parametric: ParametricProgram, values: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Compute all rows (rows, n) of the table for designs (parameters, n), and for which of them they are right."""
    work, valid = parametric.table.work(values), np.empty(values.shape[1], bool)
    tables.relied_on(parametric.table.comparisons, parametric.finite, work, valid)
    return work, valid


def program_at(parametric: ParametricProgram, work: Array) -> Program:
    """Make the program of a design whose rows (rows,) are computed; its laws are the nominal ones."""
    program = _with(parametric.rows, lambda rows: work[rows])
    return replace(program, calls=tuple(map(with_first_knot, program.calls)))
