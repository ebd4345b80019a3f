"""Variants of a mechanism: one program, and the constants of all groups for many geometries at once.

What a group's kernel knows of the geometry are constants, and what they follow from is fixed in single bodies: points
and frames of joints in the coordinates of that body. So the constants of thousands of variants are computed together,
with the axis of variants leading in every array. A variant assembles in the modes of the program it comes from, whose
signs it takes over; its reference configuration need not close. Groups without a closed form have tables with such an
axis too; only idle spins are held one variant at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.building import assemble
from groupkin.kinematics.program.program import Call, Program, variant_of
from groupkin.model.geometry.geometry import Geometry, gather, refuse_cams, spread
from sglibrary.iterative import knots

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Variants:
    """Programs of variants that differ in numbers only.

    Attributes
    ----------
    family : Program
        Its rows are those of every variant's program. All its numbers have a leading axis (n,): constants of steps,
        fixed rows, references of drivers, local coordinates of poses, geometry.
    valid : (groups, n) array of bool
        Whether the closed form of a group applies to a variant; where it does not, its constants are NaN, and so is
        the motion.
    """

    family: Program
    valid: NDArray[np.bool_]

    def __len__(self) -> int:
        return self.valid.shape[1]

    @property
    def constants(self) -> tuple[Array, ...]:
        """Constants (n, c) of every step."""
        return tuple(call.constants for call in self.family.calls)

    @property
    def fixed(self) -> tuple[NDArray[np.int64], Array]:
        """Rows (k,) of the state that never change, and their values (k, n)."""
        rows = np.array(list(self.family.fixed), np.int64)
        return rows, np.array(list(self.family.fixed.values()))


def constants_of(program: Program, geometry: Geometry | Sequence[Geometry]) -> Variants:
    """Constants of all groups of a program for variants of its mechanism.

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
    family = assemble(program.structure, together, program.solvers)
    first = {call.group: call for call in reversed(program.calls)}
    calls = tuple(_in_mode(call, first[call.group], bool(program.modes)) for call in family.calls)
    # the group's own step is the first one with its number
    known = {call.group: np.isfinite(call.constants).all(axis=-1) for call in reversed(calls)}
    valid = np.array([known[group.number] for group in program.structure.groups])
    return Variants(replace(family, calls=calls, modes=program.modes), valid)


def program_of(variants: Variants, k: int) -> Program:
    """Program of variant k; nothing is built anew."""
    return variant_of(variants.family, k)


def alone(program: Program) -> Variants:
    """A program as the only variant of itself."""

    def lead(x: Any) -> Any:
        return np.asarray(x, float)[None]

    family = replace(
        program,
        geometry=spread(program.geometry, 1),
        calls=tuple(_in_mode(replace(call, constants=lead(call.constants)), call, True) for call in program.calls),
        drivers=tuple(replace(driven, reference=lead(driven.reference)) for driven in program.drivers),
        poses={
            body: replace(pose, origin=lead(pose.origin), directions=lead(pose.directions))
            for body, pose in program.poses.items()
        },
        fixed={row: lead(value) for row, value in program.fixed.items()},
    )
    return Variants(family, np.ones((len(program.structure.groups), 1), bool))


def in_modes(variants: Variants, programs: Sequence[Program], which: NDArray[np.int64]) -> Variants:
    """Variants in the assembly modes of programs of their mechanism.

    Parameters
    ----------
    variants : Variants
        Of n geometries, or of one for all.
    programs : sequence of Program
    which : (n,) array of int
        Whose modes each variant has.
    """
    first = [{call.group: call for call in reversed(program.calls)} for program in programs]
    moved = any(program.modes for program in (variants.family, *programs))
    each = [[_in_mode(call, known[call.group], moved).constants for call in variants.family.calls] for known in first]
    calls = []
    for k, call in enumerate(variants.family.calls):
        constants = np.stack([np.broadcast_to(own[k], (which.size, own[k].shape[-1])) for own in each])
        calls.append(replace(call, constants=constants[which, np.arange(which.size)]))
    family = replace(variants.family, calls=tuple(calls))
    return Variants(family, np.broadcast_to(variants.valid, (len(variants.valid), which.size)))


def _in_mode(call: Call, nominal: Call, moved: bool) -> Call:
    """A step in the assembly mode of another program; `moved`: that is not everywhere the reference configuration's."""
    if call.kernel is not nominal.kernel or not (call.signs or (moved and call.knot is not None)):
        return call
    constants = call.constants.copy()
    places, own = list(call.signs), nominal.constants[list(call.signs)]
    if nominal.knot is not None:
        places = list(range(constants.shape[-1] - call.rows[2], constants.shape[-1]))
        own = nominal.knot[knots.LEADING : knots.LEADING + len(places)]
    constants[..., places] = np.where(np.isnan(constants[..., places]), np.nan, own)
    return replace(call, constants=constants)
