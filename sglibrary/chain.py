"""What all groups in the catalog have in common: a chain, its geometry, and what a solver makes of it.

A group is described as a chain: its bodies are numbered from 0, solved bodies are -1, and every joint is written
(first end, second end, code), the code being the symbol of the pair and the numbers of its driven freedoms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ChainGeometry:
    """Joints of a chain as seen from their two ends, in the order of the chain's joints.

    Attributes
    ----------
    points : (joints, 2, d) array
        Origin of the joint frame on each body, m, in that body's coordinates; all agree in the reference configuration.
    frames : (joints, 2, d, d) array
        Axes of the joint frame as columns: z along the axis in space, x along the slide in the plane.
    cross_angles : (joints,) array
        Angle between the axes of U joints, rad.
    signs : (joints,) array
        -1 where the mechanism declares the joint from the chain's second end to its first.
    angles : tuple of tuple of float
        Angles of the moves of each joint as the mechanism gives them, whole turns included, rad.
    couplings : tuple of tuple of float
        Coefficients of two coupled moves, where a joint has them.
    """

    points: Array
    frames: Array
    cross_angles: Array
    signs: Array
    angles: tuple[tuple[float, ...], ...] = ()
    couplings: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class Base:
    """Where a solved body's pose is in the state: a point and directions, each read ("in", k) or written ("out", k).

    `origin` (d,) and `directions` (d, d), as columns, are the local coordinates of that point and of these orthonormal
    directions; in the plane there is one direction, the other follows by a quarter turn.
    """

    point: tuple[str, int]
    vectors: tuple[tuple[str, int], ...]
    origin: Array
    directions: Array


@dataclass(frozen=True)
class Measured:
    """What a group's geometry in the reference configuration amounts to.

    Attributes
    ----------
    constants : (c,) array
    bases : tuple of Base
        Of the chain's bodies.
    attached : tuple of (int, bool, (d,) array)
        Further points (True) and directions that the kernel reads of solved bodies: number of the joint, and
        coordinates in the joint frame of the solved body.
    """

    constants: Array
    bases: tuple[Base, ...]
    attached: tuple[tuple[int, bool, Array], ...] = ()


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
        From `ChainGeometry` to `Measured`, or None where the closed form does not apply to this geometry.
    """

    name: str
    dimension: int
    chain: tuple[tuple[int, int, str], ...]
    inputs: tuple[tuple[str, int], ...]
    written: int
    motion: Callable[..., None]
    measure: Callable[[ChainGeometry], Measured | None]
    drivers: tuple[tuple[int, int], ...] = ()
    shared: tuple[tuple[str, int], ...] = ()
    signs: tuple[int, ...] = ()

    @property
    def modes(self) -> int:
        """Number of two-valued assembly modes: there are at most 2**modes solutions."""
        return len(self.signs)


DEGENERATE = 1e-9
"""Relative length below which a direction is not defined and a closed form steps back for Newton."""


def unit(vector: Array) -> Array | None:
    length = np.linalg.norm(vector)
    return vector / length if length > DEGENERATE else None
