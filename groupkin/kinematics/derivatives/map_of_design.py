"""Maps of changes whose numbers are functions of the parameters, so that they are made once for all designs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.changed.parametric_program import traced
from groupkin.kinematics.derivatives.changed_map import ChangedMap
from groupkin.kinematics.derivatives.local_changes import layout_of, local_changes, numbers_of, spin_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.parameters.nominal_values import nominal_value
from groupkin.kinematics.parameters.parameters import Dimension, Target
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program, variant_of
from groupkin.kinematics.rates.changes import Change
from groupkin.kinematics.rates.quantity_changes import Moves, Reader, reading
from sglibrary import scalar_tables as tables
from sglibrary.traced import NotTraceableError, Table, Trace

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DesignMap:
    """What derivatives of some quantities need of a design.

    Attributes
    ----------
    made : ChangedMap
    readers : list of Reader
        One of each quantity.
    matrix : (components, parameters) array
        Changes of local geometry.
    numbers : (k,) array
        Those that the map depends on.
    """

    made: ChangedMap
    readers: list[Reader]
    matrix: Array
    numbers: Array

    def apply(self, given: Array, x: Array) -> Array:
        """What series of changes lead to, see `ChangedMap.apply`."""
        return self.made.apply(given, x, self._at_all(given))

    def apply_transposed(self, given: Array, weights: Array) -> Array:
        """Weights carried back, see `ChangedMap.apply_transposed`."""
        return self.made.apply_transposed(given, weights, self._at_all(given))

    def _at_all(self, given: Array) -> Array:
        return np.broadcast_to(self.numbers[:, None], (self.numbers.size, given.shape[2]))


@dataclass(frozen=True, eq=False)
class TracedMap:
    """A map of changes whose numbers are rows of a table.

    Attributes
    ----------
    table : Table
    finite : array of int
        Rows that must be finite.
    made : ChangedMap
    numbers : array of int
        Rows of those that it depends on.
    readers : list of Reader
    changes : list of (Change, array of int)
        Rows of shifted coordinates (d,), or of turned frames (d, d).
    layout : tuple
        Where bodies are in the states that the map reads, see `layout_of_rows`.
    """

    table: Table
    finite: Ints
    made: ChangedMap
    numbers: Ints
    readers: list[Reader]
    changes: list[tuple[Change, Ints]]
    layout: tuple[Any, ...]

    def at(self, values: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Compute the numbers of designs (n, parameters).

        Returns
        -------
        (rows, n) array
            Of the table.
        (n, components, parameters) array
            Changes of local geometry.
        (n,) array of bool
            Designs for which the table holds.
        """
        table, valid = self.table, np.empty(len(values), bool)
        work = table.work(values.T)
        tables.relied_on(table.comparisons, self.finite, work, valid)
        rows = np.concatenate([np.zeros(0, np.int64), *(rows.ravel() for _, rows in self.changes)])
        moved, parts, first = table.derivatives(work, rows), [np.zeros((len(values), 0, table.inputs))], 0
        for change, rows in self.changes:
            part = moved[:, first : first + rows.size]
            if change.kind == "turn":
                frames, turns = work[rows].transpose(2, 1, 0)[:, None], part.reshape(-1, *rows.shape, table.inputs)
                spins = spin_of((np.moveaxis(turns, -1, 1) @ frames).reshape(-1, *rows.shape))
                part = spins.reshape(len(values), table.inputs, -1).swapaxes(1, 2)
            parts.append(part)
            first += rows.size
        return work, np.concatenate(parts, axis=1), valid


def map_of_design(
    program: Program, targets: tuple[Target, ...], values: Array, motion: Motion, wanted: Sequence[Quantity]
) -> DesignMap:
    """Make the map of changes of a design, by a table where that holds.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets, values : tuple of Target, (parameters,) array
    motion : Motion
        Of the design.
    wanted : sequence of Quantity
    """
    found = traced_map(program, targets, tuple(wanted))
    if found is not None:
        work, matrix, valid = found.at(values[None])
        if valid[0]:
            return DesignMap(found.made, found.readers, matrix[0], work[found.numbers, 0])
    changes = local_changes(program, targets, values)
    made, readers = _collected(motion.program, list(changes), wanted)
    matrix = np.concatenate([np.zeros((0, values.size)), *(x.T for x in changes.values())])
    return DesignMap(made, readers, matrix, np.zeros(0))


def _collected(
    program: Program, changes: Sequence[Change], wanted: Sequence[Quantity]
) -> tuple[ChangedMap, list[Reader]]:
    """Make the map from changes to the moves that quantities need, and tell how they are read from these."""
    moves = Moves(program, changes)
    readers = [reading(each, moves) for each in wanted]
    return ChangedMap(moves.formulas, tuple(moves.found)), readers


@once_per_program
def traced_map(program: Program, targets: tuple[Target, ...], wanted: tuple[Quantity, ...]) -> TracedMap | None:
    """Return the map of changes of all designs; None if no geometry changes, or it cannot be traced."""
    if not any(isinstance(target, Dimension) for target in targets):
        return None
    nominal = np.array([float(nominal_value(target, program)) for target in targets])
    try:
        trace, family = traced(program, targets, nominal)
        one = variant_of(replace(family, calls=()), 0)
        stated, solved = one.geometry, one.solved_geometry
        parts = [(change, trace.nodes(numbers_of(change, stated, solved))) for change, _ in layout_of(stated, solved)]
        changes = [(change, nodes) for change, nodes in parts if _changing(trace, nodes)]
        made, readers = _collected(one, [change for change, _ in changes], wanted)
    except NotTraceableError:
        return None
    trace.wanted.update(dict.fromkeys(made.numbers))
    table, rows = trace.table(nominal.size)
    numbers = rows[np.array(made.numbers, np.int64)]
    found = [(change, rows[nodes]) for change, nodes in changes]
    return TracedMap(table, numbers, made, numbers, readers, found, layout_of_rows(family))


def layout_of_rows(program: Program) -> tuple[Any, ...]:
    """Where bodies are in the state of a program; variants may differ if points or directions coincide in some."""
    return program.rows, program.kept.tolist(), [(pose.point, pose.vectors) for pose in program.poses.values()]


def _changing(trace: Trace, nodes: Ints) -> bool:
    return any(trace.known(node) is None for node in nodes.ravel().tolist())
