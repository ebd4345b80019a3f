"""A program: all that is needed to solve a mechanism at any times, as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.by_name import function
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.laws.over import Over, linked
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.model.geometry.geometry import Geometry, select
from groupkin.showing import InNotebooks
from groupkin.structure.decomposition import Structure
from sglibrary.arrays import in_frame
from sglibrary.traced import samples

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.kinematics.motion.quantities import Quantity

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

TIME_ROW = 0
"""Row of the state that holds the time of each step, s."""

# what methods of a program call, in packages on top of this one
EVALUATE = "groupkin.kinematics.solving.evaluation:evaluate"
RATES = "groupkin.kinematics.rates.rates:rates"
RATES_TRANSPOSED = "groupkin.kinematics.rates.rates:rates_transposed"


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


@dataclass(frozen=True)
class Pose:
    """Rows of the state that place a body.

    Attributes
    ----------
    point : int
        First row of a point of the body.
    vectors : tuple of int
        First rows of orthonormal directions: three in space, one in the plane, where a quarter turn gives the other.
    origin : (..., d) array
        Local coordinates of the point, m.
    directions : (..., d, d) array
        Local components of the directions, as columns.
    """

    point: int
    vectors: tuple[int, ...]
    origin: Array
    directions: Array

    def coefficients(self, local: Array, point: bool) -> Array:
        """Components (..., d) along the directions: of a direction, or of the way from the pose's point to a point.

        Parameters
        ----------
        local : (..., d) array
            Local coordinates, m, or components of a direction.
        point : bool
            Whether they are those of a point.
        """
        return in_frame(self.directions, local - self.origin if point else local)

    def row(self, coefficients: Array, point: bool, tolerance: float = 0.0) -> int | None:
        """Find the first row of the pose that already holds a point or direction of the body; None if none does.

        Parameters
        ----------
        coefficients : (..., d) array
            See `coefficients`; of variants, all of them must agree with the row.
        point : bool
            Whether they are those of a point.
        tolerance : float
            Distance from the pose's point, m, or a thousandth of the difference of unit vectors.
        """
        coefficients = samples(coefficients)
        if point:
            return self.point if np.all(np.abs(coefficients) <= tolerance) else None
        for k, row in enumerate(self.vectors):
            # directions that a file states with 12 digits are one
            if np.all(np.abs(coefficients - np.eye(coefficients.shape[-1])[k]) <= 1e3 * tolerance):
                return row
        return None


@dataclass(frozen=True)
class Attached:
    """A point or direction fixed in a solved body, which has rows of its own.

    Attributes
    ----------
    point : int
        First row of the point it is measured from; -1 for a direction.
    vectors : tuple of int
        First rows of the body's directions.
    coefficients : (..., d) array
        Components along these directions.
    """

    point: int
    vectors: tuple[int, ...]
    coefficients: Array


@dataclass(frozen=True, eq=False)
class Program(InNotebooks):
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
    keep : tuple of Quantity, optional
        What its motions are for, where it computes no more than that needs; default: everything.
    named : dict of str to float
        Named values of its design, from which the ends of ranges follow, where they are not those of the mechanism.
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
    keep: tuple[Quantity, ...] | None = None
    named: dict[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Program of {self.mechanism.name}: {', '.join(self.solvers) or 'no groups'}>"

    @property
    def mechanism(self) -> Mechanism:
        return self.structure.mechanism

    def evaluate(
        self,
        values: ArrayLike,
        rates: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        *,
        start: Motion | None = None,
        path: bool = False,
        out: Motion | None = None,
    ) -> Motion:
        """Position, velocity and acceleration of every body at given values of the drivers, see `evaluate`."""
        return function(EVALUATE)(self, values, rates, accelerations, start=start, path=path, out=out)

    def rates(self, motion: Motion, directions: ArrayLike) -> Array:
        """Twists of all bodies that given rates of the drivers lead to, see `groupkin.kinematics.rates.rates.rates`."""
        return function(RATES)(self, motion, directions)

    def rates_transposed(self, motion: Motion, loads: ArrayLike) -> Array:
        """Loads on bodies carried back to the drivers, see `groupkin.kinematics.rates.rates.rates_transposed`."""
        return function(RATES_TRANSPOSED)(self, motion, loads)

    @cached_property
    def ready(self) -> dict[Callable[..., Any], dict[Any, Any]]:
        """What functions have made of the program once, by function and arguments; see `once_per_program`."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made of the program so that it can run, which knows addresses of this process."""
        return {name: value for name, value in self.__dict__.items() if name != "ready"}

    @cached_property
    def units(self) -> Array:
        """Change (drivers,) of each driver that counts as 1: a radian, or the size of the mechanism, m."""
        return np.array([1.0 if driven.rotation else self.geometry.size for driven in self.drivers])

    @cached_property
    def turns_middle(self) -> bool:
        """Whether a driver is the middle one of three rotations, which must stay within a quarter turn."""
        return any(driven.middle for driven in self.drivers)

    @cached_property
    def solved_geometry(self) -> Geometry:
        """Geometry of ``structure.solved_as``, m: with the axes that hold spins, and those of eased joints."""
        return solved_geometry(self.structure, self.geometry)

    @cached_property
    def iterates(self) -> bool:
        """Whether Newton's method solves any group, which then is followed from the reference configuration."""
        return any(call.knot is not None for call in self.calls)


def linked_driven(drivers: Sequence[Driven]) -> tuple[Driven, ...]:
    """Let drivers follow the laws that their leaders have among these."""
    if not any(isinstance(driven.law, Over) for driven in drivers):
        return tuple(drivers)
    laws = linked({(driven.joint, driven.freedom): driven.law for driven in drivers})
    return tuple(replace(driven, law=laws[driven.joint, driven.freedom] or driven.law) for driven in drivers)


def with_laws(program: Program, laws: Sequence[Law]) -> Program:
    """Let the drivers of a program, and of its mechanism, move by other laws, in the order of ``program.drivers``."""
    given = {(driven.joint, driven.freedom): law for driven, law in zip(program.drivers, laws, strict=True)}
    mechanism = copy(program.mechanism)
    of_drivers = {
        id(driver): given[joint, k] for joint, drivers in mechanism.driven.items() for k, driver in drivers.items()
    }
    drivers = tuple(replace(driver, law=of_drivers[id(driver)]) for driver in mechanism.drivers)
    # nothing else has changed that would have to be checked again
    mechanism.__dict__.update(drivers=drivers)
    del mechanism.__dict__["driven"]
    return replace(
        program,
        structure=replace(program.structure, mechanism=mechanism),
        drivers=tuple(replace(driven, law=law) for driven, law in zip(program.drivers, laws, strict=True)),
    )


def variant_of(family: Program, k: int | tuple[int, ...]) -> Program:
    """Select the program of variant k of those that were assembled together, or with () of a single mechanism."""
    calls = tuple(variant_of_call(call, k) for call in family.calls)
    return with_numbers(family, select(family.geometry, k), calls, lambda x: np.asarray(x)[k])


def with_numbers(
    program: Program, geometry: Geometry, calls: tuple[Call, ...], number: Callable[[Any], Any]
) -> Program:
    """Change geometry and calls of a program, and apply a function to all other numbers of it."""
    return replace(
        program,
        geometry=geometry,
        calls=calls,
        drivers=tuple(replace(x, reference=number(x.reference)) for x in program.drivers),
        poses={
            b: replace(x, origin=number(x.origin), directions=number(x.directions)) for b, x in program.poses.items()
        },
        fixed={row: number(value) for row, value in program.fixed.items()},
        attached={row: replace(x, coefficients=number(x.coefficients)) for row, x in program.attached.items()},
    )


def variant_of_call(call: Call, k: int | tuple[int, ...]) -> Call:
    """Select the call of variant k; its knot is the reference configuration."""
    constants = np.array(call.constants[k])  # kernels are compiled for arrays that may be written
    return with_first_knot(replace(call, constants=constants))


def with_first_knot(call: Call) -> Call:
    """Give a call that is iterated the knot of the reference configuration."""
    from sglibrary.iterative import knots

    if call.knot is None:
        return call
    unknowns, variables, equations = call.rows[1:4]
    return replace(call, knot=knots.first(call.constants[len(call.constants) - variables :], unknowns, equations))
