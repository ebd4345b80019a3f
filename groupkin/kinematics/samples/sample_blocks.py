"""Sample blocks: the parameters of their samples, and the constants of all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import NDArray

from groupkin.errors import ModeError, QuantityError
from groupkin.kinematics.modes.modes import numbers, with_modes
from groupkin.kinematics.motion.outputs import bases
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.parameters.parameters import AssemblyMode, Dimension
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.program.variants import Variants, alone, constants_of, in_modes
from groupkin.kinematics.samples.sample_geometry import geometry_of
from groupkin.kinematics.samples.sample_quantities import Reader, read
from groupkin.kinematics.samples.sample_robots import require_no_parameters
from groupkin.kinematics.samples.sources import Recorder
from groupkin.kinematics.samples.variation import Variation
from groupkin.kinematics.solving.crossings import watched
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.geometry import Geometry
from sglibrary.run.calls import handle
from sglibrary.run.sample_loop import SampleCalls

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
ModePrograms = dict[tuple[int, ...], Program | int]
"""Programs by their assembly modes; of modes that do not exist together, the group that has none."""


@dataclass(frozen=True, eq=False)
class SampleBlock:
    """A block of samples, or some of them.

    Attributes
    ----------
    values : tuple of arrays
        Values (n,) or (n, d) of all parameters.
    variants : Variants
        Of all samples of the block, or one for all of them.
    shapeless : (n,) array of bool
        Samples whose dimensions are not possible: lengths of a body that cannot be met together, axes of no length.
    lost : (n,) array of int
        The group whose assembly mode does not exist with those of the groups before it; 0: none.
    calls : SampleCalls
    rows : int
        Number of rows of the state.
    constants : (n or 1, m) array
    fixed : tuple of arrays
        Rows that never change (f,), and their values (n or 1, f).
    kept : tuple of arrays of int
        Rows of q, v, a and conditioning that are read.
    recorder : Recorder
        What is read, and where it is in the state.
    watched : array of int
        Groups, from 0, that may pass singular positions between steps.
    """

    values: tuple[Array, ...]
    variants: Variants
    shapeless: Bools
    lost: Ints
    calls: SampleCalls
    rows: int
    constants: Array
    fixed: tuple[Ints, Array]
    kept: tuple[Ints, ...]
    recorder: Recorder
    watched: Ints


def select(block: SampleBlock, samples: slice | Ints) -> SampleBlock:
    """Return some of the samples of a block."""
    rows, fixed = block.fixed
    return replace(
        block,
        values=tuple(x[samples] for x in block.values),
        shapeless=block.shapeless[samples],
        lost=block.lost[samples],
        constants=select_numbers(block.constants, samples),
        fixed=(rows, select_numbers(fixed, samples)),
    )


def select_numbers(numbers: Array, samples: slice | Ints) -> Array:
    """Return the numbers of some samples, or the only ones if all samples have the same."""
    return numbers[samples] if len(numbers) > 1 else numbers


def make_block(variation: Variation, values: tuple[Array, ...], programs: ModePrograms) -> SampleBlock:
    """Compute the constants of samples that are a block.

    Parameters
    ----------
    variation : Variation
    values : tuple of (n,) or (n, d) arrays
        Of all parameters, m and rad.
    programs : dict
        Remembers the programs in assembly modes from block to block.
    """
    program, count = variation.program, len(values[0]) if values else 1  # of no parameters there is one sample
    targets = list(zip(variation.targets, values, strict=True))
    dimensions = {target: x for target, x in targets if isinstance(target, Dimension)}
    modes = {target.group: x for target, x in targets if isinstance(target, AssemblyMode)}
    geometry = geometry_of(program, dimensions, count) if dimensions else None
    variants = alone(program) if geometry is None else constants_of(program, geometry)
    impossible = np.zeros(count, bool) if geometry is None else shapeless(geometry, count)
    lost = np.zeros(count, np.int64)
    if modes:
        variants, lost = _in_modes(program, variants, modes, programs)
    recorder, groups = recorded(variation, variants)
    called = (*variants.family.calls, *recorder.calls())
    constants, calls = packed(called)
    for group in np.unique(lost[lost > 0]):
        k = next(k for k, call in enumerate(called) if call.group == group)
        constants[lost == group, calls.starts[k, 1] : calls.starts[k + 1, 1]] = np.nan
    fixed = _joined({**variants.family.fixed, **recorder.fixed})
    kept, rows = rows_kept(variants.family, variation.orders, recorder, groups), recorder.rows
    return SampleBlock(
        values, variants, impossible, lost, calls, rows, constants, fixed, kept, recorder, watched(program)
    )


def shapeless(geometry: Geometry, count: int) -> Bools:
    """Return True for variants (n,) of which any point or direction is NaN."""
    joints = [x for joint in geometry.joints.values() for x in (joint.points, joint.frames)]
    unknown = np.zeros(count, bool)
    for x in (*joints, *geometry.origins.values(), *(point for _, point in geometry.points.values())):
        if x.strides[0]:  # what all variants share is never NaN
            unknown |= np.isnan(x.reshape(count, -1)).any(axis=1)
    return unknown


def _joined(fixed: Mapping[int, Array | float]) -> tuple[Ints, Array]:
    """Return the rows (f,) that never change, and their values (n or 1, f)."""
    values = [np.atleast_1d(value) for value in fixed.values()]
    lead = max(map(len, values))
    return np.array(list(fixed), np.int64), np.stack([np.broadcast_to(x, lead) for x in values], axis=1)


def _in_modes(
    program: Program, variants: Variants, modes: Mapping[str, Array], programs: ModePrograms
) -> tuple[Variants, Ints]:
    """Return variants in assembly modes (n,), given by group, and the groups (n,) that have no such mode (0: none)."""
    table = np.stack(list(modes.values()), axis=1).astype(np.int64)
    keys, which = np.unique(table, axis=0, return_inverse=True)
    each = [_mode_program(program, dict(zip(modes, key.tolist(), strict=True)), programs) for key in keys]
    lost = np.array([0 if isinstance(x, Program) else x for x in each], np.int64)
    variants = in_modes(variants, [x if isinstance(x, Program) else program for x in each], which.ravel())
    return variants, lost[which.ravel()]


def _mode_program(program: Program, modes: Mapping[str, int], programs: ModePrograms) -> Program | int:
    """Return the program in other assembly modes, or the group that has no such mode."""
    key = tuple(modes.values())
    if key not in programs:
        try:
            programs[key] = with_modes(program, program.modes | numbers(program.structure, modes))
        except ModeError as error:
            programs[key] = error.group
    return programs[key]


def rows_kept(family: Program, orders: int, recorder: Recorder, groups: list[int]) -> tuple[Ints, ...]:
    """Return the rows of q, v, a and conditioning that are read, or kept of the whole state and its derivatives."""
    whole = [set(family.kept.tolist() if order < orders else ()) for order in range(3)]
    seen = [sorted(whole[wanted].union(row for order, row in recorder.seen if order == wanted)) for wanted in range(3)]
    return tuple(np.array(rows, np.int64) for rows in (*seen, groups))


def packed(calls: tuple[Call, ...]) -> tuple[Array, SampleCalls]:
    """Pack the constants (n or 1, m) of all calls, and the calls; kernels are compiled."""
    starts = np.cumsum([(0, 0), *((call.rows.size, call.constants.shape[-1]) for call in calls)], axis=0)
    handles = [handle(call.kernel) for call in calls]
    groups = np.array([call.group - 1 for call in calls], np.int64)
    rows = np.concatenate([call.rows for call in calls])
    lead = max(len(call.constants) for call in calls)
    constants = np.concatenate([np.broadcast_to(x.constants, (lead, x.constants.shape[-1])) for x in calls], axis=1)
    return constants, SampleCalls(handles if DISABLE_JIT else np.array(handles, np.int64), rows, starts, groups)


def recorded(variation: Variation, variants: Variants) -> tuple[Recorder, list[int]]:
    """Record what is read of the state, and the groups, from 0, whose conditioning is."""
    recorder, groups = Recorder(variants.family, variants.family.rows), set[int]()
    reader = Reader(variation, variants.family.geometry, recorder)
    for quantity in needed_quantities(variation):
        if quantity.kind == "conditioning":
            groups |= set(groups_of(variation.program, quantity))
        else:
            read(reader, quantity)
    return recorder, sorted(groups)


def require_computed(quantities: Sequence[Quantity], mechanism: Mechanism) -> None:
    """Refuse quantities that are not computed of many designs or samples at once.

    Raises
    ------
    QuantityError
    """
    for quantity in quantities:
        for base in bases(quantity, mechanism):
            require_no_parameters(base, mechanism)
        if any(base.kind == "residual" for base in bases(quantity, mechanism)):
            raise QuantityError(
                f"`{quantity}`: residuals are not computed of many designs at once; keep `conditioning`, or solve them "
                "one after another"
            )


def needed_quantities(variation: Variation) -> list[Quantity]:
    """List all quantities that are read, each once; for outputs those that they are computed from."""
    mechanism = variation.program.mechanism
    return list(dict.fromkeys(base for quantity in variation.quantities for base in bases(quantity, mechanism)))


def groups_of(program: Program, quantity: Quantity) -> list[int]:
    """List the groups, from 0, whose conditioning is read."""
    if quantity.name:
        return [program.structure.group_of[quantity.name].number - 1]
    return list(range(len(program.structure.groups)))
