"""What all groups in the catalog have in common: a chain, its geometry, and what a solver makes of it.

A group is described as a chain: its bodies are numbered from 0, solved bodies are -1, and every joint is written
(first end, second end, code), the code being the symbol of the pair and the numbers of its driven freedoms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from sglibrary.array_types import Array, Flags
from sglibrary.tolerances import SHORTEST_ARM


@dataclass(frozen=True)
class ChainGeometry:
    """Joints of a chain as seen from their two ends, in the order of the chain's joints; of one geometry or of many.

    Every array may have leading axes, those of variants. What is fixed in different bodies is in different coordinates:
    only signs of assembly modes are read from both together, as they are in the reference configuration.

    Attributes
    ----------
    points : (..., joints, 2, d) array
        Origin of the joint frame on each body, m, in that body's coordinates; all agree in the reference configuration.
    frames : (..., joints, 2, d, d) array
        Axes of the joint frame as columns: z along the axis in space, x along the slide in the plane.
    cross_angles : (..., joints) array
        Angle between the axes of U joints, rad.
    signs : (joints,) array
        -1 where the mechanism declares the joint from the chain's second end to its first.
    values : tuple of (..., moves) array
        Reference values of the moves of each joint as the mechanism declares it, whole turns included, m and rad.
    couplings : tuple of (..., 2) array
        Coefficients of two coupled moves, where a joint has them.
    size : float
        Size of the mechanism, m; lengths are compared with it.
    """

    points: Array
    frames: Array
    cross_angles: Array
    signs: Array
    values: tuple[Array, ...]
    couplings: tuple[Array, ...]
    size: float

    def point(self, joint: int, side: int) -> Array:
        """Origin (..., d) of a joint's frame on its first or second body."""
        return self.points[..., joint, side, :]

    def frame(self, joint: int, side: int) -> Array:
        """Frame (..., d, d) of a joint on its first or second body."""
        return self.frames[..., joint, side, :, :]

    def axis(self, joint: int, side: int) -> Array:
        """Axis (..., d) of a joint in space on its first or second body."""
        return self.frames[..., joint, side, :, 2]

    def long(self, length: Array) -> Flags:
        """Whether lengths (...), in m, are long enough to define a direction."""
        return np.asarray(length > SHORTEST_ARM * self.size)


@dataclass(frozen=True)
class Base:
    """Where a solved body's pose is in the state: a point and directions, each read ("in", k) or written ("out", k).

    `origin` (..., d) and `directions` (..., d, d), as columns, are the local coordinates of that point and of these
    orthonormal directions; in the plane there is one direction, the other follows by a quarter turn.
    """

    point: tuple[str, int]
    vectors: tuple[tuple[str, int], ...]
    origin: Array
    directions: Array


@dataclass(frozen=True)
class Measured:
    """What a group's geometry in the reference configuration amounts to, for one geometry or for many.

    Attributes
    ----------
    constants : (..., c) array
    bases : tuple of Base
        Of the chain's bodies.
    attached : tuple of (int, bool, (..., d) array)
        Further points (True) and directions that the kernel reads of solved bodies: number of the joint, and
        coordinates in the joint frame of the solved body.
    valid : (...) array of bool
        Whether the closed form applies to this geometry; the numbers mean nothing where it does not.
    closed : (...) array of bool
        Whether rows that the kernel leaves out, as they repeat others, hold in this geometry.
    """

    constants: Array
    bases: tuple[Base, ...]
    attached: tuple[tuple[int, bool, Array], ...] = ()
    valid: Flags = field(default_factory=lambda: np.array(True))
    closed: Flags = field(default_factory=lambda: np.array(True))


@dataclass(frozen=True)
class Solver:
    """A closed-form solver of one kind of group.

    Attributes
    ----------
    name : str
    dimension : {2, 3}
    chain : tuple of (int, int, str)
    inputs : tuple of (str, int)
        What the kernel reads of solved bodies: "point", "normal", "binormal" or "axis" (the origin and x, y, z of the
        joint frame) and the number of the joint, or "attached" and its number in `Measured.attached`.
    drivers : tuple of (int, int)
        Driven freedoms: numbers of joint and freedom.
    written : int
        Number of rows written.
    shared : tuple of (str, int)
        Further inputs which only the bases refer to, numbered after `inputs`.
    signs : tuple of int
        Places among the constants of the signs, 1 or -1, that choose the assembly mode.
    motion : kernel
        Position, velocity and acceleration of a block (`sglibrary.convention`).
    measure : callable
        From `ChainGeometry` to `Measured`.
    coupled : bool
        Its one driver is a linear function of drivers, which it computes itself (`sglibrary.coupled`).
    """

    name: str
    dimension: int
    chain: tuple[tuple[int, int, str], ...]
    inputs: tuple[tuple[str, int], ...]
    written: int
    motion: Callable[..., None]
    measure: Callable[[ChainGeometry], Measured]
    drivers: tuple[tuple[int, int], ...] = ()
    shared: tuple[tuple[str, int], ...] = ()
    signs: tuple[int, ...] = ()
    coupled: bool = False

    @property
    def modes(self) -> int:
        """Number of two-valued assembly modes: there are at most 2**modes solutions."""
        return len(self.signs)
