"""Blocks of samples: their parameters, and the constants of all of them at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import NDArray

from cluster.solving.sample_geometry import geometry_of
from cluster.solving.sources import Notes
from cluster.sweeps.description import Sweep, eased_joints
from cluster.sweeps.parameters import Mode, is_geometry
from cluster.sweeps.quantities import Quantity, Reader, misfit, read
from cluster.sweeps.sampling import values
from groupkin.errors import ModeError
from groupkin.kinematics.modes.modes import numbers, with_modes
from groupkin.kinematics.program.program import Call, Program
from groupkin.kinematics.program.variants import Variants, alone, constants_of, in_modes
from groupkin.kinematics.solving.crossings import watched
from groupkin.mechanism.mechanism import Joint
from groupkin.model.geometry.geometry import Geometry
from sglibrary.run.calls import handle
from sglibrary.run.sample_loop import SampleCalls

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Moded = dict[tuple[int, ...], Program | int]
"""Programs in the assembly modes that have been asked for; of those that do not go together, the group."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Samples of a block, or some of them.

    Attributes
    ----------
    given : tuple of arrays
        Values (n,) or (n, d) of all parameters.
    variants : Variants
        Of all samples of the block, or one for all of them.
    shapeless : (n,) array of bool
        Samples whose dimensions are not possible: lengths of a body that cannot be met together, axes of no length.
    lost : (n,) array of int
        The group whose assembly mode does not go with those before it; 0: none.
    calls : SampleCalls
    rows : int
        Number of rows of the state.
    constants : (n or 1, m) array
    fixed : tuple of arrays
        Rows that never change (f,), and their values (n or 1, f).
    kept : tuple of arrays of int
        Rows of q, v, a and conditioning that are read.
    places : list
        Where what is read is, see `cluster.solving.sources.Notes`.
    eased : tuple of Joint
        Joints that may not close though the groups are solved.
    watched : array of int
        Groups, from 0, that may pass singular positions between steps.
    """

    given: tuple[Array, ...]
    variants: Variants
    shapeless: NDArray[np.bool_]
    lost: Ints
    calls: SampleCalls
    rows: int
    constants: Array
    fixed: tuple[Ints, Array]
    kept: tuple[Ints, ...]
    places: list[int | Array]
    eased: tuple[Joint, ...]
    watched: Ints


def part_of(batch: Batch, where: slice | Ints) -> Batch:
    """Some of the samples of a batch."""

    def own(numbers: Array) -> Array:
        return part(numbers, where)

    rows, fixed = batch.fixed
    return replace(
        batch,
        given=tuple(x[where] for x in batch.given),
        shapeless=batch.shapeless[where],
        lost=batch.lost[where],
        constants=own(batch.constants),
        fixed=(rows, own(fixed)),
    )


def part(numbers: Array, where: slice | Ints) -> Array:
    """The numbers of some samples, or of all of them where they are the same."""
    return numbers[where] if len(numbers) > 1 else numbers


def parameter_values(sweep: Sweep, start: int, stop: int) -> tuple[Array, ...]:
    """Values (n,) or (n, d) of all parameters for samples start to stop - 1, m and rad."""
    means = [np.where(one.relative, 0.0, x) for one, x in zip(sweep.parameters, sweep.nominal, strict=True)]
    drawn = values(sweep.plan, means, start, stop)
    spread = []
    for one, here, x in zip(sweep.parameters, drawn, sweep.nominal, strict=True):
        full = np.broadcast_to(here if here.ndim > x.ndim else here[:, None], (stop - start, *x.shape))
        spread.append(full + x if one.relative else np.array(full))
    return tuple(spread)


def batch_of(sweep: Sweep, start: int, stop: int, moded: Moded) -> Batch:
    """Samples start to stop - 1; `moded` remembers programs in assembly modes."""
    given, program, count = parameter_values(sweep, start, stop), sweep.program, stop - start
    pairs = [(one.of, x) for one, x in zip(sweep.parameters, given, strict=True)]
    shapes = {target: x for target, x in pairs if is_geometry(target)}
    geometry = geometry_of(program, shapes, count) if shapes else None
    variants = alone(program) if geometry is None else constants_of(program, geometry)
    shapeless = np.zeros(count, bool) if geometry is None else _shapeless(geometry, count)
    modes = {target.group: x for target, x in pairs if isinstance(target, Mode)}
    lost = np.zeros(count, np.int64)
    if modes:
        variants, lost = _in_modes(program, variants, modes, moded)
    eased = tuple(program.mechanism.joint[name] for name in eased_joints(program)) if shapes else ()
    notes, groups = _noted(sweep, variants, eased)
    called = (*variants.family.calls, *notes.calls())
    constants, calls = _packed(called)
    for group in np.unique(lost[lost > 0]):
        k = next(k for k, call in enumerate(called) if call.group == group)
        constants[lost == group, calls.starts[k, 1] : calls.starts[k + 1, 1]] = np.nan
    fixed = _joined({**variants.family.fixed, **notes.fixed})
    seen = [sorted(row for order, row in notes.seen if order == wanted) for wanted in range(3)]
    kept = tuple(np.array(each, np.int64) for each in (*seen, groups))
    places, rows = notes.places, notes.rows
    return Batch(given, variants, shapeless, lost, calls, rows, constants, fixed, kept, places, eased, watched(program))


def _shapeless(geometry: Geometry, count: int) -> NDArray[np.bool_]:
    """Variants (n,) of which any place or direction is unknown."""
    joints = [x for joint in geometry.joints.values() for x in (joint.points, joint.frames)]
    places = [*joints, *geometry.origins.values(), *(place for _, place in geometry.points.values())]
    found = np.zeros(count, bool)
    for x in places:
        if x.strides[0]:  # what is the same for all variants is known
            found |= np.isnan(x.reshape(count, -1)).any(axis=1)
    return found


def _joined(fixed: Mapping[int, Array | float]) -> tuple[Ints, Array]:
    """Rows (f,) that never change, and their values (n or 1, f)."""
    values = [np.atleast_1d(value) for value in fixed.values()]
    lead = max(map(len, values))
    return np.array(list(fixed), np.int64), np.stack([np.broadcast_to(one, lead) for one in values], axis=1)


def _in_modes(program: Program, variants: Variants, modes: Mapping[str, Array], moded: Moded) -> tuple[Variants, Ints]:
    """Variants in the assembly modes (n,) of their samples, by group, and the groups that are lost by that."""
    table = np.stack(list(modes.values()), axis=1).astype(np.int64)
    keys, which = np.unique(table, axis=0, return_inverse=True)
    found = [_moded(program, dict(zip(modes, key.tolist(), strict=True)), moded) for key in keys]
    programs = [one if isinstance(one, Program) else program for one in found]
    lost = np.array([0 if isinstance(one, Program) else one for one in found], np.int64)
    return in_modes(variants, programs, which.ravel()), lost[which.ravel()]


def _moded(program: Program, modes: Mapping[str, int], moded: Moded) -> Program | int:
    """The program in other assembly modes, or the group that has no such solution."""
    key = tuple(modes.values())
    if key not in moded:
        try:
            moded[key] = with_modes(program, program.modes | numbers(program.structure, modes))
        except ModeError as error:
            moded[key] = error.group
    return moded[key]


def _packed(calls: tuple[Call, ...]) -> tuple[Array, SampleCalls]:
    """Constants (n or 1, m) of all calls, and the calls; compiles the kernels."""
    starts = np.cumsum([(0, 0), *((call.rows.size, call.constants.shape[-1]) for call in calls)], axis=0)
    handles = [handle(call.kernel) for call in calls]
    groups = np.array([call.group - 1 for call in calls], np.int64)
    rows = np.concatenate([call.rows for call in calls])
    lead = max(len(call.constants) for call in calls)
    constants = np.concatenate([np.broadcast_to(x.constants, (lead, x.constants.shape[-1])) for x in calls], axis=1)
    return constants, SampleCalls(handles if DISABLE_JIT else np.array(handles, np.int64), rows, starts, groups)


def _noted(sweep: Sweep, variants: Variants, eased: tuple[Joint, ...]) -> tuple[Notes, list[int]]:
    """What is read of the state, and the groups, from 0, whose conditioning is."""
    notes, groups = Notes(variants.family, variants.family.rows), set[int]()
    reader = Reader(sweep, variants.family.geometry, notes)
    for joint in eased:
        misfit(reader, joint)
    for quantity in quantities(sweep):
        if quantity.kind == "conditioning":
            groups |= set(groups_of(sweep.program, quantity))
        else:
            read(reader, quantity)
    return notes, sorted(groups)


def quantities(sweep: Sweep) -> list[Quantity]:
    """All that what is kept needs, each once."""
    return list(dict.fromkeys(quantity for one in sweep.keep for quantity in one.needs))


def groups_of(program: Program, quantity: Quantity) -> list[int]:
    """Groups, from 0, whose conditioning is meant."""
    if quantity.of:
        return [program.structure.group_of[quantity.of].number - 1]
    return list(range(len(program.structure.groups)))
