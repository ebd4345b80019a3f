"""A program: all that is needed to solve a mechanism at any times, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.poses import Attached, Pose
from groupkin.mechanism.laws import Law
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.geometry import Geometry, select
from groupkin.structure.decomposition import Structure
from sglibrary.iterative import knots

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

TIME_ROW = 0
"""Row of the state that holds the time of each step, s."""


@dataclass(frozen=True)
class Call:
    """One kernel with its rows and constants.

    Attributes
    ----------
    kernel : callable
        See `sglibrary.convention`.
    rows : (k,) array of int
        What it reads and writes in the state.
    constants : (c,) array
    group : int
        Number of the group, whose attachments have its number too.
    knot : array, optional
        Of a group solved by Newton's method: the knot it is followed from (`sglibrary.iterative.knots`).
    signs : tuple of int
        Of a closed form: positions among the constants of the signs that choose the assembly mode.
    """

    kernel: Callable[..., None]
    rows: Ints
    constants: Array
    group: int
    knot: Array | None = None
    signs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Driven:
    """A driven freedom and its rows.

    Attributes
    ----------
    row : int
        First of its three rows in the state.
    joint : str
    freedom : int
        Index among the freedoms of the joint.
    law : Law
    rotation : bool
        An angle in rad, or a displacement in m.
    reference : float
        Its value in the reference configuration.
    middle : bool
        The second of three rotations.
    """

    row: int
    joint: str
    freedom: int
    law: Law
    rotation: bool
    reference: float
    middle: bool = False


@dataclass(frozen=True, eq=False)
class Program:
    """All that is needed to solve a mechanism at any times.

    Attributes
    ----------
    structure, geometry : Structure, Geometry
    calls : tuple of Call
        In solving order: the groups, each followed by the attachments of its bodies.
    drivers : tuple of Driven
    poses : dict of str to Pose
        For every body, the frame included.
    rows : int
        Number of rows of the state.
    fixed : dict of int to float
        Rows that never change: what is attached to the frame.
    attached : dict of int to Attached
        Points and directions of solved bodies that later groups read, by their first row.
    kept : (k,) array of int
        Rows that place the movable bodies, without those that are attached to others: what a motion keeps.
    solvers : tuple of str
        Name of the solver of every group.
    modes : dict of int to int
        Assembly modes other than the reference configuration's, by number of the group.
    """

    structure: Structure
    geometry: Geometry
    calls: tuple[Call, ...]
    drivers: tuple[Driven, ...]
    poses: dict[str, Pose]
    rows: int
    fixed: dict[int, float]
    attached: dict[int, Attached]
    kept: Ints
    solvers: tuple[str, ...]
    modes: dict[int, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Program of {self.mechanism.name}: {', '.join(self.solvers) or 'no groups'}>"

    @property
    def mechanism(self) -> Mechanism:
        return self.structure.mechanism

    @cached_property
    def iterates(self) -> bool:
        """Whether Newton's method solves any group, which then is followed from the reference configuration."""
        return any(call.knot is not None for call in self.calls)


def variant_of(family: Program, k: int | tuple[int, ...]) -> Program:
    """Select the program of variant k of those that were assembled together, or with () of a single mechanism."""
    return replace(
        family,
        geometry=select(family.geometry, k),
        calls=tuple(variant_of_call(call, k) for call in family.calls),
        drivers=tuple(replace(driven, reference=float(np.asarray(driven.reference)[k])) for driven in family.drivers),
        poses={
            body: replace(pose, origin=pose.origin[k], directions=pose.directions[k])
            for body, pose in family.poses.items()
        },
        fixed={row: float(np.asarray(value)[k]) for row, value in family.fixed.items()},
        attached={row: replace(x, coefficients=x.coefficients[k]) for row, x in family.attached.items()},
    )


def variant_of_call(call: Call, k: int | tuple[int, ...]) -> Call:
    """Select the call of variant k; its knot is the reference configuration."""
    constants = np.ascontiguousarray(call.constants[k])
    if call.knot is None:
        return replace(call, constants=constants)
    unknowns, variables = call.rows[1:3]
    return replace(call, constants=constants, knot=knots.first(constants[len(constants) - variables :], unknowns))
