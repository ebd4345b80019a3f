"""Variants of a mechanism: one program, and the constants of all groups for many geometries at once.

A group's kernel reads the geometry as constants. These follow from points and frames of joints in the coordinates of
single bodies, so that the constants of thousands of variants are computed together: every array has a leading axis of
variants. A variant keeps the assembly modes of the program it comes from, whose signs it takes over; its reference
configuration need not close. The tables of Newton's method have such an axis too; only idle spins are held one variant
at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.kinematics.program.building import assemble
from groupkin.kinematics.program.program import Call, Program, with_numbers
from groupkin.model.geometry.geometry import Geometry, gather, refuse_cams, spread
from sglibrary.array_types import Flags, Ints
from sglibrary.iterative import knots


@dataclass(frozen=True, eq=False)
class Variants:
    """Programs of variants that differ in numbers only.

    Attributes
    ----------
    family : Program
        Its rows are those of every variant's program. All its numbers have a leading axis (n,): constants of calls,
        fixed rows, references of drivers, local coordinates of poses, geometry.
    valid : (groups, n) array of bool
        False where the closed form of a group does not apply to a variant, whose constants and motion then are NaN.
    """

    family: Program
    valid: Flags

    def __len__(self) -> int:
        return self.valid.shape[1]


def constants_of(program: Program, geometry: Geometry | Sequence[Geometry]) -> Variants:
    """Compute the constants of all groups of a program for variants of its mechanism.

    Parameters
    ----------
    program : Program
        Its structure, solvers and assembly modes are those of all variants.
    geometry : Geometry or sequence of Geometry
        With a leading axis of variants, or one for each variant.

    Returns
    -------
    Variants
        Its rows are those of the program if the same points and directions coincide in all variants.

    Raises
    ------
    NotModeledError
        If the mechanism has cams.
    """
    refuse_cams(program.geometry)
    together = geometry if isinstance(geometry, Geometry) else gather(geometry)
    family = in_modes_of(program, assemble(program.structure, together, program.solvers))
    calls = _calls_of_groups(family)
    valid = np.array([np.isfinite(calls[g.number].constants).all(axis=-1) for g in program.structure.groups])
    return Variants(family, valid)


def in_modes_of(program: Program, family: Program) -> Program:
    """Put variants of a program into its assembly modes."""
    nominal, moved = _calls_of_groups(program), bool(program.modes)
    calls = tuple(_in_mode(call, nominal[call.group], moved) for call in family.calls)
    return replace(family, calls=calls, modes=program.modes)


def _calls_of_groups(program: Program) -> dict[int, Call]:
    """Index the calls that solve groups by number of the group; those of its attachments come after it."""
    return {call.group: call for call in reversed(program.calls)}


def alone(program: Program) -> Variants:
    """Make a program the only variant of itself."""

    def lead(x: Any) -> Any:
        return np.asarray(x, float)[None]

    calls = tuple(_in_mode(replace(call, constants=lead(call.constants)), call, True) for call in program.calls)
    family = with_numbers(program, spread(program.geometry, 1), calls, lead)
    return Variants(family, np.ones((len(program.structure.groups), 1), bool))


def in_modes(variants: Variants, programs: Sequence[Program], which: Ints) -> Variants:
    """Put variants into the assembly modes of programs of their mechanism.

    Parameters
    ----------
    variants : Variants
        Of n geometries, or of one for all.
    programs : sequence of Program
    which : (n,) array of int
        Number of the program whose modes each variant takes over.
    """
    nominal = [_calls_of_groups(program) for program in programs]
    moved = any(program.modes for program in (variants.family, *programs))
    calls = []
    for call in variants.family.calls:
        each = [_in_mode(call, of_program[call.group], moved).constants for of_program in nominal]
        constants = np.stack([np.broadcast_to(x, (which.size, x.shape[-1])) for x in each])
        calls.append(replace(call, constants=constants[which, np.arange(which.size)]))
    family = replace(variants.family, calls=tuple(calls))
    return Variants(family, np.broadcast_to(variants.valid, (len(variants.valid), which.size)))


def _in_mode(call: Call, nominal: Call, moved: bool) -> Call:
    """Put a call into the assembly mode of the same group's call in another program.

    `moved` is False if all programs are in the modes of the reference configuration, so that knots stay as they are.
    """
    if call.kernel is not nominal.kernel or not (call.signs or (moved and call.knot is not None)):
        return call
    constants = call.constants.copy()
    positions, of_mode = list(call.signs), nominal.constants[list(call.signs)]
    if nominal.knot is not None:
        positions = list(range(constants.shape[-1] - call.rows[2], constants.shape[-1]))
        of_mode = nominal.knot[knots.LEADING : knots.LEADING + len(positions)]
    if constants.dtype == object:  # traced
        constants[..., positions] = of_mode
    else:
        constants[..., positions] = np.where(np.isnan(constants[..., positions]), np.nan, of_mode)
    return replace(call, constants=constants)
