"""Sample blocks of designs, whose numbers come from a table: of the parameters, and of what is read of the motions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.kinematics.changed.parametric_program import ParametricProgram, program_at, tabulated, traced
from groupkin.kinematics.parameters.nominal_values import nominal_value
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.program.variants import Variants
from groupkin.kinematics.samples.sample_blocks import SampleBlock, packed, recorded, rows_kept
from groupkin.kinematics.samples.variation import Variation
from groupkin.kinematics.solving.crossings import watched
from groupkin.model.geometry.geometry import Geometry, mapped, spread
from sglibrary import scalar_tables as tables
from sglibrary.array_types import Array, Flags, Ints
from sglibrary.traced import samples

COLUMNS = 64
"""Designs whose numbers are computed at a time, so that all rows of a table stay in the caches."""


@dataclass(frozen=True, eq=False)
class Prototype:
    """What the sample blocks of all designs have in common.

    Attributes
    ----------
    parametric : ParametricProgram
        With the calls for what is read, and the rows that never change of it.
    block : SampleBlock
        Of one design.
    constants : (m,) array of int
        Rows of the table for the constants of all calls.
    others : array of int
        Rows for what never changes in the state, then for those numbers of the geometry that are no fixed ones.
    varying : frozenset of int
        Identities of the arrays of ``parametric.rows.geometry`` that have such numbers.
    """

    parametric: ParametricProgram
    block: SampleBlock
    constants: Ints
    others: Ints
    varying: frozenset[int]


def prototype(variation: Variation) -> Prototype:
    """Trace a program together with what is read of its motions.

    Raises
    ------
    NotTraceableError
        If something cannot be traced.
    """
    program, targets = variation.program, variation.targets
    nominal = np.array([float(nominal_value(target, program)) for target in targets])
    trace, family = traced(program, targets, nominal)
    readable = replace(family, geometry=_readable(family.geometry))
    recorder, groups = recorded(variation, Variants(readable, np.ones((0, 1), bool)))
    fixed: dict[int, Any]
    calls, fixed = (*family.calls, *recorder.calls()), {**family.fixed, **recorder.fixed}
    parametric = tabulated(trace, replace(family, calls=calls, fixed=fixed), nominal.size)
    work = parametric.table.work(nominal[:, None])[:, 0]
    base = program_at(parametric, work)
    constants, packed_calls = packed(tuple(replace(call, constants=call.constants[None]) for call in base.calls))
    rows = np.array(list(parametric.rows.fixed), np.int64)
    packed_calls = packed_calls._replace(alike=_alike(parametric))
    of_one = replace(base, calls=base.calls[: len(family.calls)], geometry=spread(base.geometry, 1))
    one = SampleBlock(
        tuple(nominal[:, None]),
        Variants(of_one, np.ones((0, 1), bool)),
        np.zeros(1, bool),
        np.zeros(1, np.int64),
        packed_calls,
        recorder.rows,
        constants,
        (rows, np.zeros((1, rows.size))),
        rows_kept(family, variation.orders, recorder, groups),
        recorder,
        watched(program),
    )
    numbers = [x for x in _arrays(parametric.rows.geometry) if parametric.table.changing(x).any()]
    every = np.unique(np.concatenate([np.zeros(0, np.int64), *map(np.ravel, numbers)]))
    fixed_rows = np.array(list(parametric.rows.fixed.values()), np.int64)
    others = np.concatenate([fixed_rows, every[parametric.table.changing(every)]])
    return Prototype(parametric, one, parametric.constants, others, frozenset(map(id, numbers)))


def _arrays(geometry: Geometry) -> list[Any]:
    """List all arrays of a geometry."""
    found: list[Any] = []

    def note(x: Array, _: int) -> Array:
        found.append(x)
        return x

    mapped(note, geometry)
    return found


def _alike(parametric: ParametricProgram) -> int:
    """Count the first calls whose numbers are the same in all designs."""
    table, calls = parametric.table, parametric.rows.calls
    starts = np.cumsum([0, *(call.constants.size for call in calls)])
    changing = table.changing(parametric.constants)
    if table.changing(np.array(list(parametric.rows.fixed.values()), np.int64)).any():
        return 0
    own = (k for k, call in enumerate(calls) if call.knot is not None or changing[starts[k] : starts[k + 1]].any())
    return next(own, len(calls))


def _readable(geometry: Geometry) -> Geometry:
    """Return a traced geometry whose fixed turns, which enter formulas of what is read, are samples."""
    joints = {
        name: joint if joint.bend is None else replace(joint, bend=samples(joint.bend))
        for name, joint in geometry.joints.items()
    }
    return replace(geometry, joints=joints)


def make_design_block(shared: Prototype, values: Array) -> tuple[SampleBlock, Flags]:
    """Make the sample block of some designs.

    Parameters
    ----------
    shared : Prototype
    values : (n, parameters) array

    Returns
    -------
    SampleBlock
    (n,) array of bool
        Designs for which the table is right; the numbers of others are NaN.
    """
    parametric, block, count = shared.parametric, shared.block, len(values)
    table = parametric.table
    work = table.work(np.zeros((table.inputs, COLUMNS)))
    constants, others = np.empty((count, shared.constants.size)), np.empty((count, shared.others.size))
    valid = np.empty(count, bool)
    tables.fill_samples(
        tables.list_of(table),
        table.comparisons,
        parametric.finite,
        work,
        np.empty(COLUMNS, bool),
        np.ascontiguousarray(values),
        shared.constants,
        constants,
        shared.others,
        others,
        valid,
    )
    rows = block.fixed[0]
    fixed = np.ascontiguousarray(others[:, : rows.size])
    varying, numbers = shared.others[rows.size :], others[:, rows.size :]

    def of_all(places: Ints, same: Array, _: int) -> Array:
        """Numbers (n, ...), or (1, ...) if they are the same of all designs."""
        if id(places) not in shared.varying:
            return same
        changing = table.changing(places)
        found = np.empty((count, *places.shape))
        found[:] = same
        found[:, changing] = numbers[:, np.searchsorted(varying, places[changing])]
        return found

    family = _family(shared, constants, fixed)
    family = replace(family, geometry=mapped(of_all, parametric.rows.geometry, block.variants.family.geometry))
    made = replace(
        block,
        values=tuple(np.ascontiguousarray(values.T)),
        variants=Variants(family, np.ones((0, count), bool)),
        shapeless=np.zeros(count, bool),
        lost=np.zeros(count, np.int64),
        constants=constants,
        fixed=(rows, fixed),
    )
    return made, valid


def _family(shared: Prototype, constants: Array, fixed: Array) -> Program:
    """Return the programs of designs as far as following their groups needs them."""
    base = shared.block.variants.family
    if not base.iterates:
        return base
    starts = shared.block.calls.starts[:, 1]
    calls = tuple(replace(call, constants=constants[:, starts[k] : starts[k + 1]]) for k, call in enumerate(base.calls))
    columns = dict(zip(shared.block.fixed[0].tolist(), fixed.T, strict=True))
    return replace(base, calls=calls, fixed={row: columns[row] for row in base.fixed})
